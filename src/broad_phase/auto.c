// SPDX-License-Identifier: MIT
// jo_auto: from measures to a kind. Thresholds come from `jostle tune` over many scenes, sizes and
// instruction sets (tools/regret.sh repeats it); docs/broad_phase.md tells the rule in words.
#include "auto.h"

#include "base/float_env.h"

#include <stdio.h>

// A threshold: the trait comes at `enter` and goes at `leave`, between which the structures concerned cost
// about the same.
typedef struct Threshold
{
    float enter;
    float leave;
} Threshold;

// Pairs to try. Brute force is ahead of the hierarchy up to some 100 boxes with 16 lanes, 60 with 4.
static const Threshold fewTries = { 8000.0f, 16000.0f };

// Objects. Sweeping costs n^(5/3) in 3D; building a tree anew in each frame is then the lesser cost.
static const Threshold manyObjects = { 20000.0f, 10000.0f };

// A box that jumps stretches a leaf of the hierarchy over the world, and every search looks into it, however
// many leaves there are: so it is the number that counts, not the share. A dozen in a frame cost what the
// hierarchy is ahead by where it is ahead at all.
static const Threshold jumps = { 12.0f, 6.0f };

// Boxes that come or go are put in and taken out one by one: that is cheaper, but not free.
static const Threshold turnover = { 0.05f, 0.025f };

// Share. The grid searches the rows of a still set for each moving box; the hierarchy searches it for eight
// leaves at once, and is half as dear from the first still objects on.
static const Threshold stillShare = { 0.04f, 0.02f };

// Rows end at the world's sides; in a long and narrow world nearly all boxes stand at one.
static const Threshold longWorld = { 30.0f, 15.0f };

// Overlaps a box. Dealing boxes into rows is all that the grid does then, and more than a refit costs.
static const Threshold sparse = { 0.1f, 0.2f };

// Cells that suit the crowded places are far too small for the rest, and the rows wrap round onto each other.
static const Threshold unevenDensity = { 700.0f, 350.0f };

// Share of updates. The hierarchy finds pairs in an even scene in about the time of the grid, and answers
// queries several times as fast as all others.
static const Threshold asked = { 0.5f, 0.25f };

static bool isAbove( float value, Threshold threshold, bool present )
{
    return value >= ( present ? threshold.leave : threshold.enter );
}

static bool isBelow( float value, Threshold threshold, bool present )
{
    return value <= ( present ? threshold.leave : threshold.enter );
}

static float countTries( const joSceneMeasures* measures )
{
    float moving = (float)measures->movingCount;
    return moving * ( 0.5f * moving + (float)measures->stillCount );
}

bool joHasFew( const joSceneMeasures* measures, uint32_t present )
{
    return isBelow( countTries( measures ), fewTries, present & jo_traitFew );
}

uint32_t joFindTraits( const joSceneMeasures* m, uint32_t present )
{
    const float count = (float)m->movingCount + (float)m->stillCount;
    const bool wasRestless = ( present & jo_traitRestless ) != 0;
    const bool isRestless = m->jumpCount < 0.0f ? wasRestless
                                                : isAbove( m->jumpCount, jumps, wasRestless ) ||
                                                      isAbove( m->turnover, turnover, wasRestless );
    uint32_t traits = isRestless ? jo_traitRestless : 0u;
    traits |= joHasFew( m, present ) ? jo_traitFew : 0u;
    traits |= isAbove( count, manyObjects, present & jo_traitMany ) ? jo_traitMany : 0u;
    traits |=
        m->stillCount > 0 && isAbove( (float)m->stillCount / count, stillShare, present & jo_traitHasStill )
            ? jo_traitHasStill
            : 0u;
    traits |= isAbove( m->elongation, longWorld, present & jo_traitLong ) ? jo_traitLong : 0u;
    traits |= isAbove( m->askedShare, asked, present & jo_traitAsked ) ? jo_traitAsked : 0u;
    traits |= isBelow( m->crowding, sparse, present & jo_traitSparse ) ? jo_traitSparse : 0u;
    traits |= isAbove( m->contrast, unevenDensity, present & jo_traitUneven ) ? jo_traitUneven : 0u;
    return traits;
}

joAutoChoice joChooseForTraits( uint32_t traits )
{
    joAutoChoice choice = { .kind = jo_grid, .looseness = 1.0f };
    if ( traits & jo_traitFew )
    {
        choice.kind = jo_bruteForce;
    }
    else if ( traits & jo_traitRestless )
    {
        // Nothing can be kept: what is cheapest to make anew.
        if ( traits & jo_traitUneven )
        {
            choice.kind = traits & jo_traitMany ? jo_tree : jo_sweep;
            // Strict trees keep the boxes on the borders of large cells at their top.
            choice.looseness = 1.5f;
        }
    }
    else if ( traits & ( jo_traitHasStill | jo_traitLong | jo_traitSparse | jo_traitUneven | jo_traitAsked ) )
    {
        choice.kind = jo_bvh;
    }
    return choice;
}

// What about the world decided; of several things the one that weighs most.
static void explainWorld( const joSceneMeasures* m, uint32_t traits, char* text, size_t capacity )
{
    const double count = (double)m->movingCount + (double)m->stillCount;
    if ( traits & jo_traitUneven )
    {
        snprintf( text, capacity, "where it is crowded it is %.0f times as dense as on average",
            (double)m->contrast );
    }
    else if ( traits & jo_traitHasStill )
    {
        snprintf( text, capacity, "%.0f %% of the objects are still", 100.0 * m->stillCount / count );
    }
    else if ( traits & jo_traitLong )
    {
        snprintf( text, capacity, "the world is %.0f times longer than wide", (double)m->elongation );
    }
    else if ( traits & jo_traitAsked )
    {
        snprintf(
            text, capacity, "queries follow upon %.0f %% of the updates", 100.0 * (double)m->askedShare );
    }
    else
    {
        snprintf( text, capacity, "a box overlaps hardly any other (%.2g on average)", (double)m->crowding );
    }
}

static void explainRestlessness( const joSceneMeasures* m, char* text, size_t capacity )
{
    if ( m->jumpCount < jumps.leave )
    {
        snprintf( text, capacity, "%.2g %% of the moving objects came or went in an update",
            100.0 * (double)m->turnover );
    }
    else
    {
        snprintf( text, capacity, "%.0f of %u moving objects were elsewhere an update before",
            (double)m->jumpCount, m->movingCount );
    }
}

void joExplainChoice( const joSceneMeasures* m, uint32_t traits, char* text, size_t capacity )
{
    const joBroadPhaseKind kind = joChooseForTraits( traits ).kind;
    const char* const name = joBroadPhaseKindText( kind );
    char world[96], restlessness[96];
    explainWorld( m, traits, world, sizeof( world ) );
    explainRestlessness( m, restlessness, sizeof( restlessness ) );
    if ( kind == jo_bruteForce )
    {
        snprintf( text, capacity,
            "%s, because %u moving and %u still objects are so few that trying every pair costs least.", name,
            m->movingCount, m->stillCount );
    }
    else if ( kind == jo_bvh )
    {
        snprintf( text, capacity, "%s, because the objects keep their places, and %s.", name, world );
    }
    else if ( traits & jo_traitRestless )
    {
        const bool isUneven = ( traits & jo_traitUneven ) != 0;
        snprintf( text, capacity, "%s, because %s, so that nothing can be kept%s%s.", name, restlessness,
            isUneven ? ", and " : "", isUneven ? world : "" );
    }
    else
    {
        snprintf( text, capacity,
            "%s, because %u moving objects fill their world evenly, each overlapping about %.2g others.",
            name, m->movingCount, (double)m->crowding );
    }
}
