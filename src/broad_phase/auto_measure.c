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

static void measureSpread(
    joSceneMeasures* measures, const joBoxSample* sample, uint32_t axisCount, float spread[3] )
{
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        spread[axis] = joBoxSample_Spread( sample, axis );
        if ( spread[axis] > measures->widestSpread )
        {
            measures->widestAxis = axis;
            measures->widestSpread = spread[axis];
        }
    }
}

// Neighbours that a box has, to those that it would have if all boxes were spread evenly.
static float contrastOf(
    const joBoxSample* sample, const float spread[3], float widestSpread, uint32_t axisCount )
{
    float unit = joBoxSample_MedianExtent( sample, axisCount );
    // Points: their spacing in a row.
    float spacing = widestSpread / (float)sample->liveCount;
    unit = unit > spacing ? unit : spacing;
    if ( !( unit > FLT_MIN ) || !( unit < 1e30f ) || !( widestSpread < 1e30f ) )
    {
        return 1.0f; // on one spot, or without bounds
    }
    joBoxDistances distances;
    joBoxSample_MeasureDistances( sample, axisCount, &distances );
    const joNearness nearness = joBoxDistances_FindNearness( &distances, 0.0f );
    double share = 1.0; // of the world that neighbours are in
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        double reach = 2.0 * (double)nearness.reach;
        double side = (double)spread[axis] + (double)unit;
        share *= reach < side ? reach / side : 1.0;
    }
    return (float)( nearness.neighbours / ( share * sample->liveCount ) );
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
        .contrast = 1.0f,
    };
}

void joMeasureScene( joSceneMeasures* measures, const joBoxSet* sets, const joPlaces* places,
    uint32_t axisCount, uint32_t present )
{
    joBoxSample sample;
    float spread[3];
    joBoxSample_Take( &sample, sets, SET_COUNT, axisCount );
    if ( sample.count > 1 )
    {
        measureSpread( measures, &sample, axisCount, spread );
    }
    if ( places->known )
    {
        measureMotion( measures, sets + SET_MOVING, places );
    }
    if ( sample.count > 1 && joIsRestless( measures, present ) )
    {
        measures->contrast = contrastOf( &sample, spread, measures->widestSpread, axisCount );
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
