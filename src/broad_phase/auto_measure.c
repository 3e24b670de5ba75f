// SPDX-License-Identifier: MIT
// jo_auto: measuring the objects.
#include "auto.h"
#include "base/float_env.h"
#include "box_columns.h"

#include <float.h>
#include <math.h>

enum
{
    SET_MOVING = jo_moving,
    SET_COUNT
};

// Of the spread of all boxes: who moves farther in an update has jumped.
#define JUMP_SHARE 0.0625f

// The longest first.
static void sortSpread( float spread[3], uint32_t axisCount )
{
    joSortFloats( spread, axisCount );
    float longest = spread[axisCount - 1];
    spread[axisCount - 1] = spread[0];
    spread[0] = longest;
}

// What is known of the boxes' places.
typedef struct Space
{
    joNearness nearness;
    float span[3]; // where the neighbours of a box are, on each axis
    float side[3]; // of the world
    double share;  // of the world that neighbours are in
} Space;

static Space findSpace( joNearness nearness, const float spread[3], float unit, uint32_t axisCount )
{
    Space space = { .nearness = nearness, .share = 1.0 };
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        float reach = 2.0f * nearness.reach;
        space.side[axis] = spread[axis] + unit;
        space.span[axis] = reach < space.side[axis] ? reach : space.side[axis];
        space.share *= (double)space.span[axis] / (double)space.side[axis];
    }
    return space;
}

// How many boxes overlap a box: of its neighbours those whose centres are within the half extents of both.
// Each sampled box is taken with the next in the sample, which is random.
static double crowdingOf( const joBoxSample* sample, const Space* space, uint32_t axisCount )
{
    double sum = 0.0;
    for ( uint32_t i = 0; i < sample->count; ++i )
    {
        uint32_t j = i + 1 < sample->count ? i + 1 : 0;
        double share = 1.0;
        for ( uint32_t axis = 0; axis < axisCount; ++axis )
        {
            double span = (double)space->span[axis];
            double part = ( (double)sample->extent[axis][i] + (double)sample->extent[axis][j] ) / span;
            // Beyond the neighbours are others, but nothing is beyond the world.
            bool isWorld = space->span[axis] >= space->side[axis];
            share *= isWorld && part > 1.0 ? 1.0 : part;
        }
        sum += share;
    }
    double crowding = space->nearness.neighbours * sum / sample->count;
    return crowding < (double)sample->liveCount ? crowding : (double)sample->liveCount;
}

static void measureSpace( joSceneMeasures* measures, const joBoxSample* sample, uint32_t axisCount )
{
    float spread[3];
    float widest = 0.0f;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        spread[axis] = joBoxSample_Spread( sample, axis );
        measures->widestAxis = spread[axis] > widest ? axis : measures->widestAxis;
        widest = spread[axis] > widest ? spread[axis] : widest;
    }
    measures->widestSpread = widest;
    float unit = joBoxSample_MedianExtent( sample, axisCount );
    // Points: their spacing in a row.
    float spacing = widest / (float)sample->liveCount;
    unit = unit > spacing ? unit : spacing;
    if ( !( unit > FLT_MIN ) || !( unit < 1e30f ) || !( widest < 1e30f ) )
    {
        return; // on one spot, or without bounds
    }
    joBoxDistances distances;
    joBoxSample_MeasureDistances( sample, axisCount, &distances );
    // Overlaps are a matter of boxes that are a box's size away; how uneven the world is shows nearer.
    const Space space =
        findSpace( joBoxDistances_FindNearness( &distances, 2.0f * unit ), spread, unit, axisCount );
    const Space close = findSpace( joBoxDistances_FindNearness( &distances, 0.0f ), spread, unit, axisCount );
    measures->crowding = (float)crowdingOf( sample, &space, axisCount );
    // Neighbours that there are, to those that there would be if all were spread evenly.
    measures->contrast = (float)( close.nearness.neighbours / ( close.share * sample->liveCount ) );
    sortSpread( spread, axisCount );
    measures->elongation = ( spread[0] + unit ) / ( spread[1] + unit );
}

static float centerOn( const joBoxRecord* record, uint32_t axis )
{
    return 0.5f * record->lower[axis] + 0.5f * record->upper[axis]; // NaN of an empty slot
}

// Compares the moving objects with where they were.
static void measureMotion( joSceneMeasures* measures, const joBoxSet* moving, const joPlaces* places )
{
    const float* before = places->centers.data;
    const uint32_t axis = places->axis;
    uint32_t both = moving->count < places->count ? moving->count : places->count;
    uint32_t jumped = 0, changed = moving->count + places->count - 2 * both;
    for ( uint32_t slot = 0; slot < both; ++slot )
    {
        float center = centerOn( moving->records + slot, axis );
        bool isNew = isnan( center ) != isnan( before[slot] );
        changed += isNew ? 1 : 0;
        jumped += fabsf( center - before[slot] ) > places->farAway ? 1 : 0;
    }
    measures->jumpCount = (float)jumped;
    measures->turnover = moving->liveCount > 0 ? (float)changed / (float)moving->liveCount : 0.0f;
}

joSceneMeasures joMeasureCounts( uint32_t movingCount, uint32_t stillCount )
{
    return ( joSceneMeasures ){
        .movingCount = movingCount,
        .stillCount = stillCount,
        .jumpCount = -1.0f,
        .turnover = -1.0f,
        .askedShare = -1.0f,
        .elongation = 1.0f,
        .crowding = 1.0f,
        .contrast = 1.0f,
    };
}

void joMeasureScene(
    joSceneMeasures* measures, const joBoxSet* sets, const joPlaces* places, uint32_t axisCount )
{
    joBoxSample sample;
    joBoxSample_Take( &sample, sets, SET_COUNT, axisCount );
    if ( sample.count > 1 )
    {
        measureSpace( measures, &sample, axisCount );
    }
    if ( places->known )
    {
        measureMotion( measures, sets + SET_MOVING, places );
    }
}

void joPlaces_Note(
    joPlaces* places, joMemory* memory, const joBoxSet* moving, const joSceneMeasures* measures )
{
    places->known =
        joArray_ReserveSlack( &places->centers, memory, moving->count, sizeof( float ), 0 ) == jo_success;
    if ( !places->known )
    {
        return;
    }
    places->count = moving->count;
    places->axis = measures->widestAxis;
    places->farAway = JUMP_SHARE * measures->widestSpread;
    float* centers = places->centers.data;
    for ( uint32_t slot = 0; slot < moving->count; ++slot )
    {
        centers[slot] = centerOn( moving->records + slot, places->axis );
    }
}

void joPlaces_Free( joPlaces* places, joMemory* memory )
{
    joArray_Free( &places->centers, memory, sizeof( float ) );
}

void joWatch_Begin( joWatch* watch, const joBoxSet* moving, const joSceneMeasures* measures )
{
    uint64_t state = 1;
    watch->count = 0;
    for ( uint32_t attempt = 0; attempt < 2 * JO_WATCH_COUNT && watch->count < JO_WATCH_COUNT; ++attempt )
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint32_t slot = (uint32_t)( ( ( state >> 32 ) * moving->count ) >> 32 );
        if ( slot < moving->count && joIsLive( moving->records + slot ) )
        {
            watch->slots[watch->count] = slot;
            watch->centers[watch->count++] = centerOn( moving->records + slot, measures->widestAxis );
        }
    }
}

bool joWatch_SeesOther( joWatch* watch, const joBoxSet* moving, const joSceneMeasures* measures )
{
    uint32_t jumped = 0;
    for ( uint32_t i = 0; i < watch->count; ++i )
    {
        float before = watch->centers[i], center = NAN;
        if ( watch->slots[i] < moving->count )
        {
            center = centerOn( moving->records + watch->slots[i], measures->widestAxis );
        }
        watch->centers[i] = center;
        jumped += fabsf( center - before ) <= JUMP_SHARE * measures->widestSpread ? 0 : 1;
    }
    const float share = measures->jumpCount / (float)measures->movingCount;
    return watch->count == JO_WATCH_COUNT && share >= 0.0f &&
           ( ( 4 * jumped >= watch->count && share < 0.125f ) || ( jumped == 0 && share > 0.25f ) );
}
