// SPDX-License-Identifier: MIT
// Quadtree and octree: the root's bounds, the cell and level of an item, and the items in the order of their
// cells along the Z-order curve (Morton, "A computer oriented geodetic data base", 1966).
#include "base/float_env.h"
#include "base/radix_sort.h"
#include "broad_phase/box_columns.h"
#include "broad_phase/tree.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SAMPLES 256u
// Runs up to this length are sorted by gaps; clearing the counters of a radix sort would cost more.
#define SHORT_RUN 512u
// Items a block of a parallel pass.
#define PLACE_BLOCK 4096u

// Digits in the first and in the second 32-bit word of a code.
JO_TREE_INLINE uint32_t firstDigits( uint32_t axisCount )
{
    return axisCount == 2 ? 16u : 10u;
}

static float center( const joBoxRecord* record, uint32_t axis )
{
    // Halves first: the sum of two large floats may be infinite.
    return 0.5f * record->lower[axis] + 0.5f * record->upper[axis];
}

// ---- root ----

// The span of an axis that most of the samples lie in. An object that has flown off to 1e30 must not make all
// others share one cell, so far outliers are left outside.
static void chooseSpan( float* samples, uint32_t count, bool complete, double span[2] )
{
    double lower = samples[0], upper = samples[0], sum = 0.0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        lower = samples[i] < lower ? samples[i] : lower;
        upper = samples[i] > upper ? samples[i] : upper;
        sum += samples[i];
    }
    double mean = sum / count, deviation = 0.0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        double distance = samples[i] - mean;
        deviation += distance < 0.0 ? -distance : distance;
    }
    // Uniform samples span 4 mean deviations, normal ones about 8.
    if ( upper - lower > 16.0 * ( deviation / count ) )
    {
        joSortFloats( samples, count );
        double low = samples[count / 16], high = samples[count - 1 - count / 16];
        double slack = 0.5 * ( high - low );
        if ( slack > 0.0 )
        {
            lower = low - slack > lower ? low - slack : lower;
            upper = high + slack < upper ? high + slack : upper;
        }
    }
    // Objects between the samples reach a little farther.
    double margin = complete ? 0.0 : 0.01 * ( upper - lower );
    span[0] = lower - margin;
    span[1] = upper + margin;
}

static void setAxis( joTreeRoot* root, uint32_t axis, double lower, double size, float looseness )
{
    root->origin[axis] = (float)lower;
    root->scale[axis] = 0.0f;
    root->fitting[axis] = 0.0f;
    if ( size > 0.0 )
    {
        double scale = (double)( 1u << JO_TREE_DIGITS ) / size;
        root->scale[axis] = scale < FLT_MAX ? (float)scale : FLT_MAX;
        if ( looseness > 1.0f )
        {
            double fitting = 1.0 / ( ( (double)looseness - 1.0 ) * size );
            root->fitting[axis] = fitting < FLT_MAX ? (float)fitting : FLT_MAX;
        }
    }
}

static bool hasRootBounds( const float* bounds, uint32_t axisCount )
{
    bool has = false;
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        has = has || bounds[k] != 0.0f || bounds[k + 3] != 0.0f;
    }
    return has;
}

joTreeRoot joTree_ChooseRoot( const joTree* tree, const joBoxSet* set )
{
    const joBroadPhaseDef* def = tree->context->def;
    uint32_t axisCount = tree->context->axisCount;
    joTreeRoot root = { 0 };
    if ( hasRootBounds( def->rootBounds, axisCount ) )
    {
        for ( uint32_t k = 0; k < axisCount; ++k )
        {
            double lower = def->rootBounds[k], upper = def->rootBounds[k + 3];
            setAxis( &root, k, lower, upper - lower, def->looseness );
        }
        return root;
    }

    float samples[3][SAMPLES + 1];
    uint32_t count = 0;
    uint32_t step = set->count / SAMPLES + 1;
    for ( uint32_t i = 0; i < set->count; i += step )
    {
        const joBoxRecord* record = set->records + i;
        bool usable = joIsLive( record );
        for ( uint32_t k = 0; k < axisCount; ++k )
        {
            samples[k][count] = center( record, k );
            usable = usable && samples[k][count] >= -FLT_MAX && samples[k][count] <= FLT_MAX;
        }
        count += usable ? 1u : 0u;
    }
    if ( count == 0 )
    {
        return root;
    }
    // Cells are cubes, so that in a long world boxes are not cut by planes across its short axes at the top;
    // and the root stands on the lowest corner, not around the middle, where its first planes would cut every
    // box of it.
    double spans[3][2], size = 0.0;
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        chooseSpan( samples[k], count, step == 1, spans[k] );
        double extent = spans[k][1] - spans[k][0];
        size = extent > size ? extent : size;
    }
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        setAxis( &root, k, spans[k][0], size, def->looseness );
    }
    return root;
}

// ---- place ----

JO_TREE_INLINE uint32_t bitLength( uint32_t x )
{
    return x == 0 ? 0u : 32u - (uint32_t)__builtin_clz( x );
}

// Largest level at which ( looseness - 1 ) cells are as large as the box on every axis; the cell is the
// centre's.
JO_TREE_INLINE joTreePlace placeLoose(
    const joTreeRoot* root, uint32_t maxDepth, const joBoxRecord* record, uint32_t axisCount )
{
    joTreePlace place = { .level = 0 };
    float ratio = 0.0f;
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        float r = ( record->upper[k] - record->lower[k] ) * root->fitting[k];
        ratio = r <= ratio ? ratio : r; // what is not a number stays
        place.cell[k] = joTreeCell( root, center( record, k ), k );
    }
    if ( ratio < 1.0f )
    {
        // ratio <= 2^-level, by the exponent, rounded up.
        uint32_t bits;
        memcpy( &bits, &ratio, sizeof( bits ) );
        uint32_t level = 127u - ( ( bits + 0x7FFFFFu ) >> 23 );
        place.level = level < maxDepth ? level : maxDepth;
    }
    return place;
}

// Deepest level at which one cell holds both ends on every axis. The middle cell orders the items of a node.
JO_TREE_INLINE joTreePlace placeStrict(
    const joTreeRoot* root, uint32_t maxDepth, const joBoxRecord* record, uint32_t axisCount )
{
    joTreePlace place = { .level = 0 };
    uint32_t differing = 0;
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        uint32_t lower = joTreeCell( root, record->lower[k], k );
        uint32_t upper = joTreeCell( root, record->upper[k], k );
        differing |= lower ^ upper;
        place.cell[k] = lower;
    }
    uint32_t level = JO_TREE_DIGITS - bitLength( differing );
    place.level = level < maxDepth ? level : maxDepth;
    return place;
}

joTreePlace joTree_Place( const joTree* tree, const joBoxRecord* record )
{
    uint32_t maxDepth = tree->context->def->maxDepth;
    uint32_t axisCount = tree->context->axisCount;
    return tree->loose ? placeLoose( &tree->root, maxDepth, record, axisCount )
                       : placeStrict( &tree->root, maxDepth, record, axisCount );
}

// ---- codes ----

JO_TREE_INLINE uint32_t spread2( uint32_t x )
{
    x = ( x | ( x << 8 ) ) & 0x00FF00FFu;
    x = ( x | ( x << 4 ) ) & 0x0F0F0F0Fu;
    x = ( x | ( x << 2 ) ) & 0x33333333u;
    return ( x | ( x << 1 ) ) & 0x55555555u;
}

JO_TREE_INLINE uint32_t spread3( uint32_t x )
{
    x = ( x | ( x << 16 ) ) & 0x030000FFu;
    x = ( x | ( x << 8 ) ) & 0x0300F00Fu;
    x = ( x | ( x << 4 ) ) & 0x030C30C3u;
    return ( x | ( x << 2 ) ) & 0x09249249u;
}

// Digits of 16 (2 axes) or 10 (3 axes) bits a coordinate.
JO_TREE_INLINE uint32_t interleave( const uint32_t cell[3], uint32_t axisCount )
{
    return axisCount == 2 ? spread2( cell[0] ) | spread2( cell[1] ) << 1
                          : spread3( cell[0] ) | spread3( cell[1] ) << 1 | spread3( cell[2] ) << 2;
}

JO_TREE_INLINE uint32_t firstCode( const joTreePlace* place, uint32_t axisCount )
{
    uint32_t shift = JO_TREE_DIGITS - firstDigits( axisCount );
    uint32_t cell[3] = { place->cell[0] >> shift, place->cell[1] >> shift, place->cell[2] >> shift };
    return interleave( cell, axisCount );
}

JO_TREE_INLINE uint32_t secondCode( const joTreePlace* place, uint32_t axisCount )
{
    uint32_t mask = ( 1u << ( JO_TREE_DIGITS - firstDigits( axisCount ) ) ) - 1u;
    uint32_t cell[3] = { place->cell[0] & mask, place->cell[1] & mask, place->cell[2] & mask };
    return interleave( cell, axisCount );
}

typedef struct PlaceContext
{
    joTree* tree;
    const joBoxSet* set;
} PlaceContext;

JO_TREE_INLINE uint32_t placeRange( const PlaceContext* context, uint32_t begin, uint32_t end,
    joKeyValue* keys, uint32_t axisCount, bool loose )
{
    joTree* tree = context->tree;
    const joTreeRoot root = tree->root;
    uint32_t maxDepth = tree->context->def->maxDepth;
    uint8_t* levels = tree->levels.data;
    uint32_t count = 0;
    for ( uint32_t i = begin; i < end; ++i )
    {
        const joBoxRecord* record = context->set->records + i;
        if ( joIsLive( record ) )
        {
            joTreePlace place = loose ? placeLoose( &root, maxDepth, record, axisCount )
                                      : placeStrict( &root, maxDepth, record, axisCount );
            keys[count++] = ( joKeyValue ){ firstCode( &place, axisCount ), i };
            levels[i] = (uint8_t)place.level;
        }
    }
    return count;
}

static uint32_t placeItems( const PlaceContext* context, uint32_t begin, uint32_t end, joKeyValue* keys )
{
    bool flat = context->tree->context->axisCount == 2;
    if ( context->tree->loose )
    {
        return flat ? placeRange( context, begin, end, keys, 2, true )
                    : placeRange( context, begin, end, keys, 3, true );
    }
    return flat ? placeRange( context, begin, end, keys, 2, false )
                : placeRange( context, begin, end, keys, 3, false );
}

static void placeBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)worker;
    const PlaceContext* place = context;
    placeItems( place, begin, end, (joKeyValue*)place->tree->keys.data + begin );
}

// ---- order ----

// Shell, "A high-speed sorting procedure" (1959), with the gaps of Ciura (2001). Equal keys come in any
// order.
static void sortShortRun( joKeyValue* keys, uint32_t count )
{
    static const uint32_t gaps[] = { 132, 57, 23, 10, 4, 1 };
    for ( uint32_t k = 0; k < sizeof( gaps ) / sizeof( gaps[0] ); ++k )
    {
        uint32_t gap = gaps[k];
        for ( uint32_t i = gap; i < count; ++i )
        {
            joKeyValue item = keys[i];
            uint32_t j = i;
            for ( ; j >= gap && keys[j - gap].key > item.key; j -= gap )
            {
                keys[j] = keys[j - gap];
            }
            keys[j] = item;
        }
    }
}

// Sorts [begin, begin + count) of the keys in place.
static void sortKeys( joTree* tree, uint32_t begin, uint32_t count )
{
    joKeyValue* keys = (joKeyValue*)tree->keys.data + begin;
    if ( count > SHORT_RUN )
    {
        joKeyValue* sorted = joRadixSort_KeyValues( keys, (joKeyValue*)tree->sorting.data + begin, count );
        if ( sorted != keys )
        {
            memcpy( keys, sorted, count * sizeof( *keys ) );
        }
        return;
    }
    sortShortRun( keys, count );
}

static void sortAllKeys( joTree* tree, uint32_t count )
{
    if ( joRadixSort_KeyValues( tree->keys.data, tree->sorting.data, count ) != tree->keys.data )
    {
        joArray keys = tree->keys;
        tree->keys = tree->sorting;
        tree->sorting = keys;
    }
}

// Shared digits of neighbours in a run of items that share `above` digits already. Codes are of `digits`
// digits.
static void findCommon( joTree* tree, uint32_t begin, uint32_t end, uint32_t above, uint32_t digits )
{
    const joKeyValue* keys = tree->keys.data;
    uint8_t* common = tree->common.data;
    uint32_t axisCount = tree->context->axisCount;
    for ( uint32_t i = begin + 1; i < end; ++i )
    {
        uint32_t differing = bitLength( keys[i].key ^ keys[i - 1].key );
        uint32_t last = ( differing + axisCount - 1 ) / axisCount;
        common[i] = (uint8_t)( above + digits - last );
    }
}

// A run that shares its finest cell, such as objects far outside the root, keeps a spatial order by cells of
// its own: chunks of an unordered run would meet all others.
static void sortWithinCell( joTree* tree, const joBoxSet* set, uint32_t begin, uint32_t end )
{
    joKeyValue* keys = (joKeyValue*)tree->keys.data;
    uint32_t axisCount = tree->context->axisCount;
    float lower[3] = { 0 }, extent = 0.0f;
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        float upper = -FLT_MAX;
        lower[k] = FLT_MAX;
        for ( uint32_t i = begin; i < end; ++i )
        {
            float x = center( set->records + keys[i].value, k );
            bool finite = x >= -FLT_MAX && x <= FLT_MAX;
            lower[k] = finite && x < lower[k] ? x : lower[k];
            upper = finite && x > upper ? x : upper;
        }
        extent = upper - lower[k] > extent ? upper - lower[k] : extent;
    }
    if ( !( extent > 0.0f ) )
    {
        return;
    }
    joTreeRoot root = { 0 };
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        setAxis( &root, k, lower[k], extent, 1.0f );
    }
    for ( uint32_t i = begin; i < end; ++i )
    {
        const joBoxRecord* record = set->records + keys[i].value;
        joTreePlace place = placeLoose( &root, 0, record, axisCount );
        keys[i].key = firstCode( &place, axisCount );
    }
    sortKeys( tree, begin, end - begin );
}

// Calls `refine` for each run of at least `least` items in [begin, end) that share `digits` digits.
typedef void RefineFcn( joTree* tree, const joBoxSet* set, uint32_t begin, uint32_t end );

static void forEachRun( joTree* tree, const joBoxSet* set, uint32_t begin, uint32_t end, uint32_t digits,
    uint32_t least, RefineFcn* refine )
{
    const uint8_t* common = tree->common.data;
    uint32_t first = begin;
    for ( uint32_t i = begin + 1; i <= end; ++i )
    {
        if ( i == end || common[i] < digits )
        {
            if ( i - first >= least )
            {
                refine( tree, set, first, i );
            }
            first = i;
        }
    }
}

// Sorts a run that shares all first digits by the second ones.
static void sortBySecond( joTree* tree, const joBoxSet* set, uint32_t begin, uint32_t end )
{
    joKeyValue* keys = (joKeyValue*)tree->keys.data;
    uint32_t axisCount = tree->context->axisCount;
    uint32_t digits = firstDigits( axisCount );
    for ( uint32_t i = begin; i < end; ++i )
    {
        if ( i + JO_TREE_AHEAD < end )
        {
            __builtin_prefetch( set->records + keys[i + JO_TREE_AHEAD].value );
        }
        joTreePlace place = joTree_Place( tree, set->records + keys[i].value );
        keys[i].key = secondCode( &place, axisCount );
    }
    sortKeys( tree, begin, end - begin );
    findCommon( tree, begin, end, digits, JO_TREE_DIGITS - digits );
    forEachRun( tree, set, begin, end, JO_TREE_DIGITS, 2 * JO_TREE_CHUNK, sortWithinCell );
}

void joTree_SortItems( joTree* tree, const joBoxSet* set )
{
    PlaceContext context = { tree, set };
    uint32_t count = set->count;
    if ( set->liveCount == set->count )
    {
        joParallelFor( tree->context->jobs, count, PLACE_BLOCK, placeBlock, &context );
    }
    else
    {
        count = placeItems( &context, 0, count, tree->keys.data );
    }
    tree->itemCount = count;
    if ( count == 0 )
    {
        return;
    }
    sortAllKeys( tree, count );

    uint32_t digits = firstDigits( tree->context->axisCount );
    ( (uint8_t*)tree->common.data )[0] = 0;
    findCommon( tree, 0, count, 0, digits );
    // Short runs need no more order where nodes go no deeper than the first digits.
    uint32_t least = tree->context->def->maxDepth > digits ? 2u : 2u * JO_TREE_CHUNK;
    forEachRun( tree, set, 0, count, digits, least, sortBySecond );
}
