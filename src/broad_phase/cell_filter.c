// SPDX-License-Identifier: MIT
// The cell filter. What it is stands in cell_filter.h.
#include "cell_filter.h"

#include "base/float_env.h"
#include "box_columns.h"
#include "row.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if defined( __SSE2__ )
#include <emmintrin.h>
#endif

#define SAMPLE 96u
// Bits for each cell that is marked, and how many there may be in all: what the second-level cache holds is
// fast.
#define BITS_PER_MARK 32.0f
#define MIN_BITS_LOG 12u
#define MAX_BITS_LOG 22u
#define MAX_PERIOD_LOG 20u
// Cells by half of what a box marks: 9 a box in 2D, 27 in 3D.
#define CELLS_PER_REACH 2.0f
// Lower corners are where they usually are for this share of the large set's boxes. Longer ones are looked up
// at up to so many points on each axis.
#define USUAL_SHARE 0.9f
#define MAX_POINTS 8u

void joCellFilter_Free( joCellFilter* filter, joMemory* memory )
{
    joArray_Free( &filter->words, memory, sizeof( uint64_t ) );
}

// Extents of a sample of the sets' boxes, and of each axis the one that `share` of them do not exceed.
static void usualExtents(
    const joObjectSet* sets, uint32_t setCount, uint32_t axisCount, float share, float extents[3] )
{
    float values[3][SAMPLE];
    uint64_t liveCount = 0;
    for ( uint32_t i = 0; i < setCount; ++i )
    {
        liveCount += sets[i].liveCount;
    }
    uint32_t count = 0;
    uint64_t state = 0x9E3779B97F4A7C15u;
    for ( uint32_t i = 0; i < setCount && liveCount > 0; ++i )
    {
        // Scattered slots: an even stride could fall in step with the order of the objects.
        const uint32_t wanted =
            (uint32_t)( ( SAMPLE * (uint64_t)sets[i].liveCount + liveCount - 1 ) / liveCount );
        for ( uint32_t k = 0; k < 2 * wanted && count < SAMPLE; ++k )
        {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const uint32_t slot = (uint32_t)( ( ( state >> 32 ) * sets[i].count ) >> 32 );
            const joBoxRecord* record = joObjectSet_Records( sets + i ) + slot;
            for ( uint32_t axis = 0; axis < axisCount && joIsLive( record ); ++axis )
            {
                values[axis][count] = record->upper[axis] - record->lower[axis];
            }
            count += joIsLive( record ) ? 1 : 0;
        }
    }
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        joSortFloats( values[axis], count );
        extents[axis] = count > 0 ? values[axis][(uint32_t)( share * (float)( count - 1 ) )] : 0.0f;
        extents[axis] = extents[axis] < FLT_MAX ? extents[axis] : FLT_MAX;
    }
}

static void findBounds( joCellFilter* filter, const joObjectSet* small )
{
    for ( uint32_t axis = 0; axis < 4; ++axis )
    {
        filter->lower[axis] = axis < filter->axisCount ? INFINITY : -INFINITY;
        filter->upper[axis] = axis < filter->axisCount ? -INFINITY : INFINITY;
    }
    const joBoxRecord* records = joObjectSet_Records( small );
    for ( uint32_t i = 0; i < small->count; ++i )
    {
        for ( uint32_t axis = 0; axis < filter->axisCount; ++axis )
        {
            const float lower = records[i].lower[axis];
            const float upper = records[i].upper[axis];
            filter->lower[axis] = lower < filter->lower[axis] ? lower : filter->lower[axis];
            filter->upper[axis] = upper > filter->upper[axis] ? upper : filter->upper[axis];
        }
    }
}

// The binary logarithm of how many bits there may be.
static uint32_t bitsFor( float marks )
{
    uint32_t limit = MIN_BITS_LOG;
    while ( limit < MAX_BITS_LOG && (float)( 1u << limit ) < BITS_PER_MARK * marks )
    {
        limit += 1;
    }
    return limit;
}

joResult joCellFilter_Reserve(
    joCellFilter* filter, joMemory* memory, uint32_t axisCount, uint32_t smallCount )
{
    float marks = (float)smallCount;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        marks *= CELLS_PER_REACH + 1.0f;
    }
    const uint64_t words = ( UINT64_C( 1 ) << bitsFor( marks ) ) / 64;
    return joArray_Reserve( &filter->words, memory, words, sizeof( uint64_t ), 0 );
}

// Sizes of cells and how many bits there are on each axis, from the usual sizes of boxes. False if cells can
// tell nothing apart.
static bool chooseCells( joCellFilter* filter, const joObjectSet* small, const float smallExtents[3] )
{
    float periods[3] = { 1.0f, 1.0f, 1.0f };
    float marks = (float)small->count;
    for ( uint32_t axis = 0; axis < filter->axisCount; ++axis )
    {
        const float reach = smallExtents[axis] + filter->usual[axis];
        const float width = ( filter->upper[axis] - filter->lower[axis] ) + filter->usual[axis];
        float cellSize = reach / CELLS_PER_REACH;
        // Points, or nearly: cells by how far they are spread.
        cellSize = cellSize > width * 0x1p-12f ? cellSize : width * 0x1p-12f;
        const float inverse = 1.0f / cellSize;
        filter->inverse[axis] = 0.0f;
        if ( inverse <= FLT_MAX && cellSize <= FLT_MAX && width / cellSize > 1.5f )
        {
            filter->inverse[axis] = inverse;
            periods[axis] = width / cellSize + 1.0f;
            marks *= reach / cellSize + 1.0f;
        }
    }
    uint32_t logs[3] = { 0, 0, 0 };
    uint32_t sum = 0;
    for ( uint32_t axis = 0; axis < filter->axisCount; ++axis )
    {
        while ( logs[axis] < MAX_PERIOD_LOG && (float)( 1u << logs[axis] ) < periods[axis] )
        {
            logs[axis] += 1;
        }
        sum += logs[axis];
    }
    for ( const uint32_t limit = bitsFor( marks ); sum > limit; --sum )
    {
        uint32_t longest = logs[1] > logs[0] ? 1 : 0;
        longest = logs[2] > logs[longest] ? 2 : longest;
        logs[longest] -= 1;
    }
    for ( uint32_t axis = 0, shift = 0; axis < 3; ++axis )
    {
        filter->mask[axis] = ( 1u << logs[axis] ) - 1;
        filter->shift[axis] = shift;
        shift += logs[axis];
    }
    return sum > 0;
}

// Cell coordinates are floored truly and clamped, and so monotone in x.
static inline int32_t cellOf( float x, float inverse )
{
    float cell = x * inverse;
    // This way round, infinity times 0 is a number, too.
    cell = cell > -0x1p30f ? cell : -0x1p30f;
    cell = cell < 0x1p30f ? cell : 0x1p30f;
    const int32_t truncated = (int32_t)cell;
    return truncated - ( (float)truncated > cell ? 1 : 0 );
}

static inline uint64_t wordCount( const joCellFilter* filter )
{
    const uint64_t bits =
        (uint64_t)( filter->mask[0] + 1 ) * ( filter->mask[1] + 1 ) * ( filter->mask[2] + 1 );
    return ( bits + 63 ) / 64;
}

// Sets `count` bits from `first` on.
static void setBits( uint64_t* words, uint64_t first, uint64_t count )
{
    while ( count > 0 )
    {
        const uint32_t bit = (uint32_t)( first & 63 );
        const uint64_t n = count < 64 - bit ? count : 64 - bit;
        words[first >> 6] |= ( n == 64 ? UINT64_MAX : ( UINT64_C( 1 ) << n ) - 1 ) << bit;
        first += n;
        count -= n;
    }
}

// Marks the cells of one box of the small set; returns how many words that took.
static uint64_t markBox( joCellFilter* filter, const joBoxRecord* record )
{
    uint32_t first[3] = { 0, 0, 0 };
    uint32_t count[3] = { 1, 1, 1 };
    for ( uint32_t axis = 0; axis < filter->axisCount; ++axis )
    {
        const float reach = joRow_ReachBack( record->lower[axis], filter->usual[axis] );
        first[axis] = (uint32_t)cellOf( reach, filter->inverse[axis] );
        // Unsigned: cells at both clamps are 2^31 apart.
        const uint32_t cells = (uint32_t)cellOf( record->upper[axis], filter->inverse[axis] ) - first[axis];
        count[axis] = cells < filter->mask[axis] ? cells + 1 : filter->mask[axis] + 1;
        first[axis] &= filter->mask[axis];
    }
    const uint32_t before = filter->mask[0] + 1 - first[0]; // until the row's end
    const uint32_t run = count[0] < before ? count[0] : before;
    for ( uint32_t k2 = 0; k2 < count[2]; ++k2 )
    {
        for ( uint32_t k1 = 0; k1 < count[1]; ++k1 )
        {
            const uint64_t row = (uint64_t)( ( first[2] + k2 ) & filter->mask[2] ) << filter->shift[2] |
                                 (uint64_t)( ( first[1] + k1 ) & filter->mask[1] ) << filter->shift[1];
            setBits( filter->words.data, row + first[0], run );
            setBits( filter->words.data, row, count[0] - run );
        }
    }
    return (uint64_t)count[1] * count[2] * ( count[0] / 64 + 1 );
}

// False if so much is marked that looking is not worth it.
static bool markAll( joCellFilter* filter, const joObjectSet* small )
{
    const uint64_t words = wordCount( filter );
    const uint64_t limit = 4 * words + 64 * (uint64_t)small->count;
    uint64_t written = 0;
    memset( filter->words.data, 0, words * sizeof( uint64_t ) );
    for ( uint32_t i = 0; i < small->count; ++i )
    {
        written += markBox( filter, joObjectSet_Records( small ) + i );
        if ( written > limit )
        {
            return false;
        }
    }
    // By a sample of the words.
    const uint64_t stride = words / 256 + 1;
    uint64_t marked = 0, seen = 0;
    for ( uint64_t w = 0; w < words; w += stride )
    {
        marked += (uint64_t)__builtin_popcountll( ( (const uint64_t*)filter->words.data )[w] );
        seen += 64;
    }
    return 2 * marked <= seen;
}

void joCellFilter_PassAll( joCellFilter* filter, uint32_t axisCount )
{
    filter->axisCount = axisCount;
    filter->hasCells = false;
    for ( uint32_t axis = 0; axis < 4; ++axis )
    {
        filter->lower[axis] = -INFINITY;
        filter->upper[axis] = INFINITY;
        filter->usual[axis] = INFINITY;
    }
}

joResult joCellFilter_Make( joCellFilter* filter, joMemory* memory, uint32_t axisCount,
    const joObjectSet* small, const joObjectSet* large, uint32_t largeSetCount, bool withCells )
{
    filter->axisCount = axisCount;
    filter->hasCells = false;
    findBounds( filter, small );
    if ( !withCells )
    {
        return jo_success;
    }
    float smallExtents[3];
    usualExtents( small, 1, axisCount, 0.5f, smallExtents );
    usualExtents( large, largeSetCount, axisCount, USUAL_SHARE, filter->usual );
    filter->usual[3] = INFINITY;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        // Equal sizes differ by roundings.
        filter->usual[axis] = axis < axisCount ? filter->usual[axis] * 1.0625f : INFINITY;
        filter->inverse[axis] = 0.0f;
    }
    filter->inverse[3] = 0.0f;
    if ( !chooseCells( filter, small, smallExtents ) )
    {
        return jo_success;
    }
    // By the number of objects alone, so that a frame in which sizes waver does not allocate.
    const joResult result = joCellFilter_Reserve( filter, memory, axisCount, small->count );
    if ( result == jo_success )
    {
        filter->hasCells = markAll( filter, small );
    }
    return result;
}

static inline bool isMarked( const joCellFilter* filter, const uint32_t cells[3], uint32_t axisCount )
{
    uint64_t bit = ( cells[0] & filter->mask[0] ) | (uint64_t)( cells[1] & filter->mask[1] )
                                                        << filter->shift[1];
    if ( axisCount == 3 )
    {
        bit |= (uint64_t)( cells[2] & filter->mask[2] ) << filter->shift[2];
    }
    return ( ( (const uint64_t*)filter->words.data )[bit >> 6] >> ( bit & 63 ) & 1 ) != 0;
}

// A box that is longer than usual: at points so near each other that one of them is marked if it meets
// anything.
static bool isMarkedAnywhere( const joCellFilter* filter, const joBoxRecord* record, uint32_t axisCount )
{
    uint32_t counts[3] = { 1, 1, 1 };
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        const float extent = record->upper[axis] - record->lower[axis];
        // A little more than enough, for all roundings.
        const float points = extent > filter->usual[axis] ? extent / filter->usual[axis] * 1.001f : 0.0f;
        if ( !( points < (float)MAX_POINTS ) )
        {
            return true;
        }
        counts[axis] = (uint32_t)points + 1;
    }
    for ( uint32_t k2 = 0; k2 < counts[2]; ++k2 )
    {
        for ( uint32_t k1 = 0; k1 < counts[1]; ++k1 )
        {
            for ( uint32_t k0 = 0; k0 < counts[0]; ++k0 )
            {
                const uint32_t steps[3] = { k0, k1, k2 };
                uint32_t cells[3] = { 0, 0, 0 };
                for ( uint32_t axis = 0; axis < axisCount; ++axis )
                {
                    const float x = steps[axis] == 0
                                        ? record->lower[axis]
                                        : record->lower[axis] + (float)steps[axis] * filter->usual[axis];
                    cells[axis] = (uint32_t)cellOf( x, filter->inverse[axis] );
                }
                if ( isMarked( filter, cells, axisCount ) )
                {
                    return true;
                }
            }
        }
    }
    return false;
}

#if defined( __SSE2__ )
// Within the bounds; *isUsual: not longer than usual on any axis.
static inline bool isWithin( const joCellFilter* filter, const joBoxRecord* record, bool* isUsual )
{
    const __m128 lower = _mm_loadu_ps( record->lower );
    // Without the key: as a float it may be a denormal, which is slow.
    const __m128 three = _mm_castsi128_ps( _mm_set_epi32( 0, -1, -1, -1 ) );
    const __m128 upper = _mm_and_ps( _mm_loadu_ps( record->upper ), three );
    const __m128 within = _mm_and_ps( _mm_cmple_ps( lower, _mm_loadu_ps( filter->upper ) ),
        _mm_cmpge_ps( upper, _mm_loadu_ps( filter->lower ) ) );
    const __m128 usual = _mm_cmple_ps( _mm_sub_ps( upper, lower ), _mm_loadu_ps( filter->usual ) );
    *isUsual = ( _mm_movemask_ps( usual ) & 7 ) == 7;
    return ( _mm_movemask_ps( within ) & 7 ) == 7;
}

static inline void cellsOf( const joCellFilter* filter, const joBoxRecord* record, uint32_t cells[4] )
{
    __m128 cell = _mm_mul_ps( _mm_loadu_ps( record->lower ), _mm_loadu_ps( filter->inverse ) );
    cell = _mm_max_ps( cell, _mm_set1_ps( -0x1p30f ) );
    cell = _mm_min_ps( cell, _mm_set1_ps( 0x1p30f ) );
    const __m128i truncated = _mm_cvttps_epi32( cell );
    const __m128 above = _mm_cmpgt_ps( _mm_cvtepi32_ps( truncated ), cell );
    _mm_storeu_si128( (__m128i*)(void*)cells, _mm_add_epi32( truncated, _mm_castps_si128( above ) ) );
}
#else
static inline bool isWithin( const joCellFilter* filter, const joBoxRecord* record, bool* isUsual )
{
    bool within = true;
    *isUsual = true;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        within &= record->lower[axis] <= filter->upper[axis] && record->upper[axis] >= filter->lower[axis];
        *isUsual &= record->upper[axis] - record->lower[axis] <= filter->usual[axis];
    }
    return within;
}

static inline void cellsOf( const joCellFilter* filter, const joBoxRecord* record, uint32_t cells[4] )
{
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        cells[axis] = (uint32_t)cellOf( record->lower[axis], filter->inverse[axis] );
    }
}
#endif

static inline uint32_t sift( const joCellFilter* shared, const joObjectSet* large, const uint32_t* slots,
    uint32_t first, uint32_t count, uint32_t* out, uint32_t axisCount )
{
    // Of its own, so that writing to `out` need not be taken for a change of it.
    const joCellFilter own = *shared;
    const joCellFilter* filter = &own;
    const joBoxRecord* records = joObjectSet_Records( large );
    uint32_t kept = 0;
    for ( uint32_t i = first; i < first + count; ++i )
    {
        const uint32_t slot = slots != NULL ? slots[i] : i;
        const joBoxRecord* record = records + slot;
        bool isUsual;
        bool mayMeet = isWithin( filter, record, &isUsual );
        if ( filter->hasCells )
        {
            uint32_t cells[4];
            cellsOf( filter, record, cells );
            mayMeet = mayMeet & ( isMarked( filter, cells, axisCount ) | !isUsual );
            if ( mayMeet && !isUsual )
            {
                mayMeet = isMarkedAnywhere( filter, record, axisCount );
            }
        }
        out[kept] = slot;
        kept += mayMeet && joIsLive( record ) ? 1 : 0;
    }
    return kept;
}

uint32_t joCellFilter_Sift( const joCellFilter* filter, const joObjectSet* large, const uint32_t* slots,
    uint32_t first, uint32_t count, uint32_t* out )
{
    return filter->axisCount == 2 ? sift( filter, large, slots, first, count, out, 2 )
                                  : sift( filter, large, slots, first, count, out, 3 );
}
