// SPDX-License-Identifier: MIT
// The neighbours of push apart: an order of the bodies that is near in space, and the pairs within the margin
// from a broad phase.
#include "pusher.h"

#include "base/column.h"
#include "base/float_env.h"
#include "base/radix_sort.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Below this all bodies fit into the cache however they lie.
#define MIN_ORDERED 4096u
// Calls that an order serves. Bodies move by little from frame to frame, and the order is right however old.
#define ORDER_CALLS 16u

// Spreads the low 16 bits to every second one, or the low 10 to every third.
static uint32_t spreadBits( uint32_t x, uint32_t axisCount )
{
    if ( axisCount == 2 )
    {
        x = ( x | x << 8 ) & 0x00FF00FFu;
        x = ( x | x << 4 ) & 0x0F0F0F0Fu;
        x = ( x | x << 2 ) & 0x33333333u;
        return ( x | x << 1 ) & 0x55555555u;
    }
    x = ( x | x << 16 ) & 0x030000FFu;
    x = ( x | x << 8 ) & 0x0300F00Fu;
    x = ( x | x << 4 ) & 0x030C30C3u;
    return ( x | x << 2 ) & 0x09249249u;
}

static float coordinateOf( joMutableColumn column, uint32_t index )
{
    return *(const float*)joMutableColumn_At( column, index );
}

// Sorts bodies along Morton's curve (Morton, "A Computer Oriented Geodetic Data Base", 1966) over cells that
// hold a few each.
static void orderBySpace( joPusher* pusher, const joPushBodies* bodies )
{
    const joMutableColumn columns[3] = { bodies->x, bodies->y, bodies->z };
    double lower[3] = { 0.0, 0.0, 0.0 };
    double scale[3] = { 0.0, 0.0, 0.0 };
    uint32_t bits = 1;
    const uint32_t maxBits = pusher->axisCount == 2 ? 12 : 8;
    while ( bits < maxBits && ( 4u << ( bits * pusher->axisCount ) ) < bodies->count )
    {
        bits += 1;
    }
    for ( uint32_t axis = 0; axis < pusher->axisCount; ++axis )
    {
        float least = FLT_MAX;
        float most = -FLT_MAX;
        for ( uint32_t i = 0; i < bodies->count; ++i )
        {
            const float x = coordinateOf( columns[axis], i );
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        const double extent = (double)most - (double)least;
        lower[axis] = (double)least;
        scale[axis] = extent > 0.0 ? (double)( ( 1u << bits ) - 1 ) / extent : 0.0;
    }
    joKeyValue* items = pusher->sortItems[0].data;
    for ( uint32_t i = 0; i < bodies->count; ++i )
    {
        uint32_t key = 0;
        for ( uint32_t axis = 0; axis < pusher->axisCount; ++axis )
        {
            const double x = ( (double)coordinateOf( columns[axis], i ) - lower[axis] ) * scale[axis];
            // Rounding may carry the last cell over by one.
            const uint32_t cell = x < (double)( ( 1u << bits ) - 1 ) ? (uint32_t)x : ( 1u << bits ) - 1;
            key |= spreadBits( cell, pusher->axisCount ) << axis;
        }
        items[i] = ( joKeyValue ){ key, i };
    }
    items = joRadixSort_KeyValues( items, pusher->sortItems[1].data, bodies->count );
    uint32_t* order = pusher->order.data;
    for ( uint32_t i = 0; i < bodies->count; ++i )
    {
        order[i] = items[i].value;
    }
}

void joPusher_ChooseOrder( joPusher* pusher, const joPushBodies* bodies )
{
    pusher->inOrder = bodies->count < MIN_ORDERED;
    if ( pusher->inOrder )
    {
        return;
    }
    pusher->orderAge += 1;
    if ( pusher->ordered != bodies->count || pusher->orderAge >= ORDER_CALLS )
    {
        orderBySpace( pusher, bodies );
        pusher->ordered = bodies->count;
        pusher->orderAge = 0;
    }
}

static joResult findPairs( joPusher* pusher, uint64_t* pairCount )
{
    const joPushState* states = pusher->states.data;
    const joPushFilter* filters = pusher->filters.data;
    joCircles circles = { .x = { &states->position[0], sizeof( joPushState ) },
        .y = { &states->position[1], sizeof( joPushState ) },
        .z = { &states->position[2], sizeof( joPushState ) },
        .radius = { pusher->reaches.data, sizeof( float ) },
        .count = pusher->count };
    if ( pusher->anyStill )
    {
        circles.layer = ( joColumn ){ &filters->layer, sizeof( joPushFilter ) };
        circles.mask = ( joColumn ){ &filters->mask, sizeof( joPushFilter ) };
    }
    *pairCount = 0;
    joResult result = joBroadPhase_SetCircles( pusher->broadPhase, &circles, NULL );
    if ( result == jo_success )
    {
        result = joBroadPhase_FindPairs( pusher->broadPhase, NULL, 0, pairCount );
    }
    uint64_t kept = 0;
    if ( result == jo_success )
    {
        joBroadPhase_ViewPairs( pusher->broadPhase, &kept );
        result = kept == *pairCount ? jo_success : jo_errorCapacity;
    }
    return result;
}

// Deals pairs into regions of slots, which are regions of space, so that each can be worked on by one worker
// without regard to the others.
typedef struct DealContext
{
    joPusher* pusher;
    const joPair* pairs;
    uint32_t partCount;
    double scale;         // regions a slot
    uint32_t regionCount; // one more for those across
} DealContext;

// Monotone in the slot, whatever is rounded.
static inline uint32_t regionOf( const DealContext* deal, joPair pair )
{
    const uint32_t a = (uint32_t)( (double)pair.a * deal->scale );
    const uint32_t b = (uint32_t)( (double)pair.b * deal->scale );
    return a == b ? a : deal->regionCount;
}

static inline uint32_t partStart( const DealContext* deal, uint32_t part )
{
    return (uint32_t)( (uint64_t)deal->pusher->pairCount * part / deal->partCount );
}

static void countRegions( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const DealContext* deal = context;
    (void)worker;
    for ( uint32_t part = begin; part < end; ++part )
    {
        uint32_t* counts = (uint32_t*)deal->pusher->regionCounts.data + part * ( deal->regionCount + 1 );
        memset( counts, 0, ( deal->regionCount + 1 ) * sizeof( uint32_t ) );
        for ( uint32_t p = partStart( deal, part ); p < partStart( deal, part + 1 ); ++p )
        {
            counts[regionOf( deal, deal->pairs[p] )] += 1;
        }
    }
}

static void placePairs( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const DealContext* deal = context;
    (void)worker;
    joPair* dealt = deal->pusher->dealt.data;
    for ( uint32_t part = begin; part < end; ++part )
    {
        uint32_t* places = (uint32_t*)deal->pusher->regionCounts.data + part * ( deal->regionCount + 1 );
        for ( uint32_t p = partStart( deal, part ); p < partStart( deal, part + 1 ); ++p )
        {
            dealt[places[regionOf( deal, deal->pairs[p] )]++] = deal->pairs[p];
        }
    }
}

static joResult dealPairs( joPusher* pusher )
{
    pusher->regionCount = 0;
    pusher->regionStarts[0] = 0;
    // Bodies in the caller's order are anywhere in space: nearly all pairs would be across regions.
    if ( pusher->workerCount == 1 || pusher->inOrder )
    {
        return jo_success;
    }
    DealContext deal = {
        pusher, pusher->pairs, pusher->workerCount, 0.0, pusher->workerCount * JO_PUSH_REGIONS_PER_WORKER };
    deal.scale = (double)deal.regionCount / (double)pusher->count;
    const joResult result = joArray_Reserve( &pusher->regionCounts, &pusher->memory,
        (uint64_t)deal.partCount * ( deal.regionCount + 1 ), sizeof( uint32_t ), 0 );
    if ( result != jo_success )
    {
        return result;
    }
    joParallelFor( pusher->def.jobs, deal.partCount, 1, countRegions, &deal );
    uint32_t* counts = pusher->regionCounts.data;
    uint32_t place = 0;
    for ( uint32_t region = 0; region <= deal.regionCount; ++region )
    {
        pusher->regionStarts[region] = place;
        for ( uint32_t part = 0; part < deal.partCount; ++part )
        {
            const uint32_t count = counts[part * ( deal.regionCount + 1 ) + region];
            counts[part * ( deal.regionCount + 1 ) + region] = place;
            place += count;
        }
    }
    joParallelFor( pusher->def.jobs, deal.partCount, 1, placePairs, &deal );
    pusher->regionCount = deal.regionCount;
    pusher->pairs = pusher->dealt.data;
    return jo_success;
}

void joPusher_SetQuantum( joPusher* pusher, double deepest, uint64_t contacts )
{
    const double most = deepest * (double)contacts;
    int exponent = 0;
    frexp( most, &exponent );
    pusher->quantum = most > 0.0 ? ldexp( 1.0, 61 - exponent ) : 1.0;
}

joResult joPusher_FindNeighbours( joPusher* pusher )
{
    joPusher_ClearTracks( pusher );
    pusher->detected = false;
    pusher->pairs = NULL;
    pusher->pairCount = 0;
    uint64_t pairCount = 0;
    joResult result = findPairs( pusher, &pairCount );
    if ( result == jo_success )
    {
        result = pairCount < UINT32_MAX ? joPusher_ReservePairs( pusher, pairCount ) : jo_errorCapacity;
    }
    if ( result != jo_success )
    {
        return result;
    }
    pusher->pairs = joBroadPhase_ViewPairs( pusher->broadPhase, &pairCount );
    pusher->pairCount = (uint32_t)pairCount;
    result = dealPairs( pusher );
    if ( result != jo_success )
    {
        return result;
    }

    // Two round bodies overlap by two radii at most, and a body has no more contacts than there are pairs or
    // other bodies.
    const uint32_t others = pusher->count - 1;
    joPusher_SetQuantum(
        pusher, 2.0 * (double)pusher->largestRadius, others < pairCount ? others : pairCount );
    return jo_success;
}

joResult joPusher_KeepView( joPusher* pusher )
{
    if ( pusher->viewCopied )
    {
        return jo_success;
    }
    const uint32_t pairCount = pusher->pairCount;
    const joPair* pairs = pusher->pairs;
    const joResult result =
        joArray_ReserveSlack( &pusher->view, &pusher->memory, pairCount, sizeof( joPair ), 0 );
    if ( result != jo_success )
    {
        return result;
    }
    joPair* view = pusher->view.data;
    for ( uint32_t p = 0; p < pairCount; ++p )
    {
        const uint32_t a = joPusher_Index( pusher, pairs[p].a );
        const uint32_t b = joPusher_Index( pusher, pairs[p].b );
        view[p] = a < b ? ( joPair ){ a, b } : ( joPair ){ b, a };
    }
    pusher->viewCount = pairCount;
    pusher->viewCopied = true;
    pusher->viewSorted = false;
    return jo_success;
}

static joResult sortView( joPusher* pusher )
{
    const uint64_t count = pusher->viewCount;
    const joResult result =
        joArray_ReserveSlack( &pusher->viewScratch, &pusher->memory, 2 * count, sizeof( uint64_t ), 0 );
    if ( result != jo_success || count == 0 )
    {
        return result;
    }
    joPair* view = pusher->view.data;
    uint64_t* keys = pusher->viewScratch.data;
    for ( uint64_t p = 0; p < count; ++p )
    {
        keys[p] = (uint64_t)view[p].a << 32 | view[p].b;
    }
    keys = joRadixSort_Keys64( keys, keys + count, count );
    for ( uint64_t p = 0; p < count; ++p )
    {
        view[p] = ( joPair ){ (uint32_t)( keys[p] >> 32 ), (uint32_t)keys[p] };
    }
    return jo_success;
}

const joPair* joPusher_ViewPairs( joPusher* pusher, uint64_t* pairCount )
{
    uint64_t ignored;
    pairCount = pairCount != NULL ? pairCount : &ignored;
    *pairCount = 0;
    if ( pusher == NULL || pusher->count == 0 )
    {
        return NULL;
    }
    joResult result = joPusher_KeepView( pusher );
    if ( result == jo_success && !pusher->viewSorted )
    {
        result = sortView( pusher );
        pusher->viewSorted = result == jo_success;
    }
    *pairCount = pusher->viewCount;
    return result == jo_success ? pusher->view.data : NULL;
}
