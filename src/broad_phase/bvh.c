// SPDX-License-Identifier: MIT
// jo_bvh, the bounding-volume hierarchy: its table, memory, and how a build chooses between its ways.
//
// - bvh_build.c: all boxes anew;
// - bvh_refit.c: the same boxes, moved: bounds anew, the tree as it is, while that is good enough;
// - bvh_edit.c: a few boxes in, out or elsewhere, one by one;
// - bvh_pairs.c: pairs;
// - bvh_query.c: overlaps, rays, swept boxes, nearest objects.
#include "bvh.h"

#include "base/float_env.h"
#include "kinds.h"

#include <float.h>

// If more than a quarter of the boxes have changed, all leaves are loaded anew; if more than a quarter
// came or went, all are built anew.
#define JO_BVH_FEW 4

// The tree wears as its leaves grow with motion: searching then costs more, about by what their volume grows.
// When what has been lost since the last bulk build comes to what another one costs, it is due: so slow
// motion pays for one in many frames, fast motion in few, and all boxes mixed anew at once. Two volumes of
// all leaves is about one frame's search, which is about what a build costs.
#define JO_BVH_MAX_WEAR 2.0

uint32_t joBvhLeafLimit( uint32_t boxCount )
{
    return 2 * ( boxCount / JO_BVH_LEAF_SIZE ) + 2 * JO_BVH_MAX_CLASSES + 8;
}

uint32_t joBvhNodeLimit( uint32_t boxCount )
{
    return joBvhLeafLimit( boxCount ) / 2 + 2 * JO_BVH_MAX_DEPTH;
}

void joBvh_Clear( joBvh* bvh )
{
    bvh->root = JO_NULL_INDEX;
    bvh->nodeCount = bvh->nodeEnd = 0;
    bvh->leafCount = bvh->leafEnd = 0;
    bvh->freeNode = bvh->freeLeaf = JO_NULL_INDEX;
    bvh->slotCount = 0;
    bvh->boxCount = 0;
    bvh->depth = 0;
    bvh->editCount = 0;
    bvh->wear = 0.0;
    bvh->orderChanged = false;
}

joResult joBvh_ReserveTree( joBvh* bvh, uint32_t leafCount, uint32_t nodeCount )
{
    joMemory* memory = bvh->context->memory;
    uint32_t taskCount = bvh->context->workerCount > 1 ? leafCount / JO_BVH_TASK_MINIMUM : 0;
    joResult result = joArray_Reserve( &bvh->leaves, memory, leafCount, sizeof( joBvhLeaf ), bvh->leafEnd );
    result = result ? result
                    : joArray_Reserve( &bvh->nodes, memory, nodeCount, sizeof( joBvhNode ), bvh->nodeEnd );
    result = result ? result
                    : joArray_Reserve( &bvh->links, memory, nodeCount, sizeof( joBvhLink ), bvh->nodeEnd );
    result = result ? result
                    : joArray_Reserve( &bvh->leafOrder, memory, leafCount, sizeof( uint32_t ), bvh->leafEnd );
    result = result ? result
                    : joArray_Reserve( &bvh->nodeOrder, memory, nodeCount, sizeof( uint32_t ), bvh->nodeEnd );
    result =
        result ? result : joArray_Reserve( &bvh->growth, memory, leafCount, sizeof( float ), bvh->leafEnd );
    return result ? result : joArray_Reserve( &bvh->tasks, memory, taskCount, sizeof( joBvhTask ), 0 );
}

joResult joBvh_ReserveSlots( joBvh* bvh, uint32_t count )
{
    joResult result =
        joArray_Reserve( &bvh->slotLeaf, bvh->context->memory, count, sizeof( uint32_t ), bvh->slotCount );
    if ( result )
    {
        return result;
    }
    uint32_t* slotLeaf = bvh->slotLeaf.data;
    for ( ; bvh->slotCount < count; ++bvh->slotCount )
    {
        slotLeaf[bvh->slotCount] = JO_NULL_INDEX;
    }
    return jo_success;
}

double joBvhEdges( const float bounds[6], uint32_t axisCount )
{
    double sum = 0.0;
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        double lower = bounds[k] < -FLT_MAX ? (double)-FLT_MAX : (double)bounds[k];
        double upper = bounds[3 + k] > FLT_MAX ? (double)FLT_MAX : (double)bounds[3 + k];
        sum += upper > lower ? upper - lower : 0.0;
    }
    return sum;
}

void joBvhSortFloats( float* values, uint32_t count )
{
    // Shell's sort with Ciura's gaps ("Best increments for the average case of shellsort", 2001).
    static const uint32_t gaps[] = { 301, 132, 57, 23, 10, 4, 1 };
    for ( uint32_t g = 0; g < sizeof( gaps ) / sizeof( gaps[0] ); ++g )
    {
        uint32_t gap = gaps[g];
        for ( uint32_t i = gap; i < count; ++i )
        {
            float value = values[i];
            uint32_t j = i;
            for ( ; j >= gap && values[j - gap] > value; j -= gap )
            {
                values[j] = values[j - gap];
            }
            values[j] = value;
        }
    }
}

static void joBvh_Init( void* structure, const joStructureContext* context )
{
    joBvh* bvh = structure;
    bvh->context = context;
    joBvh_Clear( bvh );
}

static void joBvh_Destroy( void* structure )
{
    joBvh* bvh = structure;
    joMemory* memory = bvh->context->memory;
    joArray_Free( &bvh->nodes, memory, sizeof( joBvhNode ) );
    joArray_Free( &bvh->links, memory, sizeof( joBvhLink ) );
    joArray_Free( &bvh->leaves, memory, sizeof( joBvhLeaf ) );
    joArray_Free( &bvh->leafOrder, memory, sizeof( uint32_t ) );
    joArray_Free( &bvh->nodeOrder, memory, sizeof( uint32_t ) );
    joArray_Free( &bvh->growth, memory, sizeof( float ) );
    joArray_Free( &bvh->slotLeaf, memory, sizeof( uint32_t ) );
    joArray_Free( &bvh->items, memory, sizeof( joBvhItem ) );
    joArray_Free( &bvh->tasks, memory, sizeof( joBvhTask ) );
}

static joResult joBvh_Reserve( void* structure, uint32_t count )
{
    joBvh* bvh = structure;
    joMemory* memory = bvh->context->memory;
    joResult result = joBvh_ReserveTree( bvh, joBvhLeafLimit( count ), joBvhNodeLimit( count ) );
    result = result ? result : joArray_Reserve( &bvh->items, memory, count, sizeof( joBvhItem ), 0 );
    return result ? result
                  : joArray_Reserve( &bvh->slotLeaf, memory, count, sizeof( uint32_t ), bvh->slotCount );
}

// Whether the tree should be built anew rather than searched as it is.
static bool joBvh_IsWorn( joBvh* bvh )
{
    double growth = joBvh_GetGrowth( bvh );
    double volume = growth * growth * ( bvh->context->axisCount == 3 ? growth : 1.0 );
    bvh->wear += volume > 1.0 ? volume - 1.0 : 0.0;
    return bvh->wear > JO_BVH_MAX_WEAR;
}

// Brings the tree to hold exactly the live slots. False: too many differ; build anew.
static bool joBvh_UpdateMembership( joBvh* bvh, const joBoxSet* set, joResult* result )
{
    uint32_t oldCount = bvh->slotCount;
    *result = joBvh_ReserveSlots( bvh, set->count );
    if ( *result )
    {
        return false;
    }
    uint32_t end = oldCount > set->count ? oldCount : set->count;
    uint32_t different = 0;
    for ( uint32_t slot = 0; slot < end; ++slot )
    {
        bool live = slot < set->count && joBvhIsLive( set->records + slot );
        different += live != ( joBvh_LeafOf( bvh, slot ) != JO_NULL_INDEX );
    }
    if ( different > set->liveCount / JO_BVH_FEW )
    {
        return false;
    }
    for ( uint32_t slot = 0; slot < end; ++slot )
    {
        bool live = slot < set->count && joBvhIsLive( set->records + slot );
        bool held = joBvh_LeafOf( bvh, slot ) != JO_NULL_INDEX;
        if ( held && !live )
        {
            joBvh_Remove( bvh, slot );
        }
        else if ( live && !held && !joBvh_Insert( bvh, set, slot, result ) )
        {
            return false;
        }
    }
    joBvh_Renumber( bvh );
    return bvh->boxCount == set->liveCount;
}

// Most boxes have changed. False: build anew.
static bool joBvh_UpdateAll( joBvh* bvh, const joBoxSet* set, joResult* result )
{
    if ( bvh->boxCount != set->liveCount || !joBvh_Refit( bvh, set, false ) )
    {
        if ( !joBvh_UpdateMembership( bvh, set, result ) || !joBvh_Refit( bvh, set, false ) )
        {
            return false;
        }
    }
    return !joBvh_IsWorn( bvh );
}

// A few boxes have changed. False: build anew.
static bool joBvh_UpdateSome( joBvh* bvh, const joBoxSet* set, joResult* result )
{
    *result = joBvh_ReserveSlots( bvh, set->count );
    if ( *result )
    {
        return false;
    }
    for ( uint32_t i = 0; i < set->changedCount; ++i )
    {
        uint32_t slot = set->changed[i];
        bool live = slot < set->count && joBvhIsLive( set->records + slot );
        bool held = joBvh_LeafOf( bvh, slot ) != JO_NULL_INDEX;
        if ( held && !live )
        {
            joBvh_Remove( bvh, slot );
        }
        else if ( live &&
                  !( held ? joBvh_Move( bvh, set, slot, result ) : joBvh_Insert( bvh, set, slot, result ) ) )
        {
            return false;
        }
    }
    if ( bvh->orderChanged )
    {
        joBvh_Renumber( bvh );
        if ( joBvh_IsWorn( bvh ) )
        {
            return false;
        }
    }
    return bvh->boxCount == set->liveCount;
}

static joResult joBvh_Build( void* structure, const joBoxSet* set )
{
    joBvh* bvh = structure;
    if ( set->liveCount == 0 )
    {
        joBvh_Clear( bvh );
        return jo_success;
    }
    joResult result = jo_success;
    bool kept = false;
    if ( bvh->root != JO_NULL_INDEX )
    {
        bool most = set->allChanged || set->changedCount > set->liveCount / JO_BVH_FEW;
        kept = most ? joBvh_UpdateAll( bvh, set, &result ) : joBvh_UpdateSome( bvh, set, &result );
    }
    if ( result )
    {
        joBvh_Clear( bvh );
        return result;
    }
    return kept ? jo_success : joBvh_BuildAll( bvh, set );
}

static void joBvh_AddStats( const void* structure, joBroadPhaseStats* stats )
{
    const joBvh* bvh = structure;
    stats->cells += bvh->nodeCount + bvh->leafCount;
    stats->depth = bvh->depth > stats->depth ? bvh->depth : stats->depth;
}

static float costQuery( const void* structure )
{
    (void)structure;
    return 180.0f;
}

const joStructureKind joBvhKind = {
    .name = "bvh",
    .size = sizeof( joBvh ),
    .init = joBvh_Init,
    .destroy = joBvh_Destroy,
    .reserve = joBvh_Reserve,
    .build = joBvh_Build,
    .findPairs = joBvh_FindPairs,
    .query = joBvh_Query,
    .queryStream = joBvh_QueryStream,
    .queryCost = costQuery,
    .addStats = joBvh_AddStats,
    .validate = joBvh_Validate,
};
