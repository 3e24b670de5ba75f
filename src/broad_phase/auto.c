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

// Pairs to try, those of still objects too: they are tried once, but each query looks at all. Brute force is
// ahead of the hierarchy up to some 100 boxes with 16 lanes, 60 with 4.
static const Threshold fewTries = { 8000.0f, 16000.0f };

// Objects. Sweeping costs n^(5/3) in 3D; building a tree anew in each frame is then the lesser cost.
static const Threshold manyObjects = { 20000.0f, 10000.0f };

// A box that jumps stretches a leaf of the hierarchy over the world, and every search looks into it, however
// many leaves there are: so it is the number that counts, not the share. Four in a frame cost a fifth.
static const Threshold jumps = { 4.0f, 2.0f };

// Boxes that come or go are put in and taken out one by one: that is cheaper, but not free.
static const Threshold turnover = { 0.02f, 0.01f };

// Cells that suit the crowded places are far too small for the rest, and the rows wrap round onto each other.
static const Threshold unevenDensity = { 700.0f, 350.0f };

static bool isAbove( float value, Threshold threshold, bool present )
{
    return value >= ( present ? threshold.leave : threshold.enter );
}

static bool isBelow( float value, Threshold threshold, bool present )
{
    return value <= ( present ? threshold.leave : threshold.enter );
}

static float countAll( const joSceneMeasures* measures )
{
    return (float)measures->movingCount + (float)measures->stillCount;
}

bool joHasFew( const joSceneMeasures* measures, uint32_t present )
{
    const float count = countAll( measures );
    return isBelow( 0.5f * count * count, fewTries, present & jo_traitFew );
}

bool joIsRestless( const joSceneMeasures* measures, uint32_t present )
{
    const bool was = ( present & jo_traitRestless ) != 0;
    return measures->jumpCount < 0.0f
               ? was
               : isAbove( measures->jumpCount, jumps, was ) || isAbove( measures->turnover, turnover, was );
}

uint32_t joFindTraits( const joSceneMeasures* measures, uint32_t present )
{
    uint32_t traits = joHasFew( measures, present ) ? jo_traitFew : 0u;
    traits |= joIsRestless( measures, present ) ? jo_traitRestless : 0u;
    traits |= isAbove( countAll( measures ), manyObjects, present & jo_traitMany ) ? jo_traitMany : 0u;
    traits |= isAbove( measures->contrast, unevenDensity, present & jo_traitUneven ) ? jo_traitUneven : 0u;
    return traits;
}

joAutoChoice joChooseForTraits( uint32_t traits )
{
    joAutoChoice choice = { .kind = jo_bvh, .looseness = 1.0f };
    if ( traits & jo_traitFew )
    {
        choice.kind = jo_bruteForce;
    }
    else if ( traits & jo_traitRestless )
    {
        // Nothing can be kept: what is cheapest to make anew.
        choice.kind = jo_grid;
        if ( traits & jo_traitUneven )
        {
            choice.kind = traits & jo_traitMany ? jo_tree : jo_sweep;
            // Strict trees keep the boxes on the borders of large cells at their top.
            choice.looseness = 1.5f;
        }
    }
    return choice;
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
    if ( kind == jo_bruteForce )
    {
        snprintf( text, capacity,
            "%s, because %u moving and %u still objects are so few that trying every pair costs least.", name,
            m->movingCount, m->stillCount );
    }
    else if ( kind == jo_bvh && m->jumpCount < 0.0f )
    {
        snprintf( text, capacity,
            "%s, because it is not known yet whether %u moving objects keep their places.", name,
            m->movingCount );
    }
    else if ( kind == jo_bvh )
    {
        snprintf( text, capacity,
            "%s, because %u moving and %u still objects keep their places from one update to the next.", name,
            m->movingCount, m->stillCount );
    }
    else
    {
        char restlessness[96], world[96] = "";
        explainRestlessness( m, restlessness, sizeof( restlessness ) );
        if ( traits & jo_traitUneven )
        {
            snprintf( world, sizeof( world ),
                ", and where it is crowded it is %.0f times as dense as on average", (double)m->contrast );
        }
        snprintf(
            text, capacity, "%s, because %s, so that nothing can be kept%s.", name, restlessness, world );
    }
}
