// SPDX-License-Identifier: MIT
// The cell filter. What it is stands in cell_filter.h.
#include "cell_filter.h"

#include "base/float_env.h"
#include "box_columns.h"
#include "row.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

void joCellFilter_Init( joCellFilter* filter, const joKernels* kernels, uint32_t axisCount )
{
    memset( filter, 0, sizeof( *filter ) );
    filter->kernels = kernels;
    filter->axisCount = axisCount;
}

void joCellFilter_Free( joCellFilter* filter, joMemory* memory )
{
    joArray_Free( &filter->words, memory, sizeof( uint32_t ) );
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
    const joBoxRecord* records = joObjectSet_Records( small );
    for ( uint32_t axis = 0; axis < filter->axisCount; ++axis )
    {
        float lower = INFINITY;
        float upper = -INFINITY;
        for ( uint32_t i = 0; i < small->count; ++i )
        {
            lower = records[i].lower[axis] < lower ? records[i].lower[axis] : lower;
            upper = records[i].upper[axis] > upper ? records[i].upper[axis] : upper;
        }
        filter->sieve.lower[axis] = lower;
        filter->sieve.upper[axis] = upper;
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

joResult joCellFilter_Reserve( joCellFilter* filter, joMemory* memory, uint32_t smallCount )
{
    float marks = (float)smallCount;
    for ( uint32_t axis = 0; axis < filter->axisCount; ++axis )
    {
        marks *= CELLS_PER_REACH + 1.0f;
    }
    const uint64_t words = ( UINT64_C( 1 ) << bitsFor( marks ) ) / 32;
    return joArray_Reserve( &filter->words, memory, words, sizeof( uint32_t ), 0 );
}

// Sizes of cells and how many bits there are on each axis, from the usual sizes of boxes. False if cells can
// tell nothing apart.
static bool chooseCells( joCellFilter* filter, uint32_t smallCount, const float smallExtents[3] )
{
    joSieve* sieve = &filter->sieve;
    float periods[3] = { 1.0f, 1.0f, 1.0f };
    float marks = (float)smallCount;
    for ( uint32_t axis = 0; axis < filter->axisCount; ++axis )
    {
        const float reach = smallExtents[axis] + sieve->usual[axis];
        const float origin = sieve->lower[axis] - sieve->usual[axis];
        const float width = sieve->upper[axis] - origin;
        float cellSize = reach / CELLS_PER_REACH;
        // Points, or nearly: cells by how far they are spread.
        cellSize = cellSize > width * 0x1p-12f ? cellSize : width * 0x1p-12f;
        const float inverse = 1.0f / cellSize;
        sieve->origin[axis] = 0.0f;
        sieve->inverse[axis] = 0.0f;
        if ( inverse <= FLT_MAX && width <= FLT_MAX && width > 1.5f * cellSize )
        {
            sieve->origin[axis] = origin;
            sieve->inverse[axis] = inverse;
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
        sieve->mask[axis] = ( 1u << logs[axis] ) - 1;
        sieve->shift[axis] = shift;
        shift += logs[axis];
    }
    return sum > 0;
}

// As the kernel has it, and so monotone in x.
static inline uint32_t cellOf( const joSieve* sieve, uint32_t axis, float x )
{
    float cell = ( x - sieve->origin[axis] ) * sieve->inverse[axis];
    cell = cell > 0.0f ? cell : 0.0f;
    cell = cell < JO_SIEVE_LAST ? cell : JO_SIEVE_LAST;
    return (uint32_t)(int32_t)cell;
}

static inline uint64_t wordCount( const joSieve* sieve )
{
    const uint64_t bits = (uint64_t)( sieve->mask[0] + 1 ) * ( sieve->mask[1] + 1 ) * ( sieve->mask[2] + 1 );
    return ( bits + 31 ) / 32;
}

// Sets `count` bits from `first` on.
static void setBits( uint32_t* words, uint32_t first, uint32_t count )
{
    while ( count > 0 )
    {
        const uint32_t bit = first % 32;
        const uint32_t n = count < 32 - bit ? count : 32 - bit;
        words[first / 32] |= ( n == 32 ? UINT32_MAX : ( 1u << n ) - 1 ) << bit;
        first += n;
        count -= n;
    }
}

// Marks the cells of one box of the small set; returns how many words that took.
static uint64_t markBox( joCellFilter* filter, const joBoxRecord* record )
{
    const joSieve* sieve = &filter->sieve;
    uint32_t* words = filter->words.data;
    uint32_t first[3] = { 0, 0, 0 };
    uint32_t count[3] = { 1, 1, 1 };
    for ( uint32_t axis = 0; axis < filter->axisCount; ++axis )
    {
        const float reach = joRow_ReachBack( record->lower[axis], sieve->usual[axis] );
        first[axis] = cellOf( sieve, axis, reach );
        const uint32_t cells = cellOf( sieve, axis, record->upper[axis] ) - first[axis];
        count[axis] = cells < sieve->mask[axis] ? cells + 1 : sieve->mask[axis] + 1;
        first[axis] &= sieve->mask[axis];
    }
    const uint32_t before = sieve->mask[0] + 1 - first[0]; // until the row's end
    const uint32_t run = count[0] < before ? count[0] : before;
    for ( uint32_t k2 = 0; k2 < count[2]; ++k2 )
    {
        for ( uint32_t k1 = 0; k1 < count[1]; ++k1 )
        {
            const uint32_t row = ( ( first[2] + k2 ) & sieve->mask[2] ) << sieve->shift[2] |
                                 ( ( first[1] + k1 ) & sieve->mask[1] ) << sieve->shift[1];
            setBits( words, row + first[0], run );
            setBits( words, row, count[0] - run );
        }
    }
    return (uint64_t)count[1] * count[2] * ( count[0] / 32 + 1 );
}

// False if so much is marked that looking is not worth it.
static bool markAll( joCellFilter* filter, const joObjectSet* small )
{
    const uint32_t* words = filter->words.data;
    const uint64_t count = wordCount( &filter->sieve );
    const uint64_t limit = 4 * count + 64 * (uint64_t)small->count;
    uint64_t written = 0;
    memset( filter->words.data, 0, count * sizeof( uint32_t ) );
    for ( uint32_t i = 0; i < small->count; ++i )
    {
        written += markBox( filter, joObjectSet_Records( small ) + i );
        if ( written > limit )
        {
            return false;
        }
    }
    // By a sample of the words.
    const uint64_t stride = count / 256 + 1;
    uint64_t marked = 0, seen = 0;
    for ( uint64_t w = 0; w < count; w += stride )
    {
        marked += (uint64_t)__builtin_popcount( words[w] );
        seen += 32;
    }
    return 2 * marked <= seen;
}

void joCellFilter_PassAll( joCellFilter* filter )
{
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        filter->sieve.lower[axis] = -INFINITY;
        filter->sieve.upper[axis] = INFINITY;
    }
    filter->sieve.words = NULL;
}

joResult joCellFilter_Make( joCellFilter* filter, joMemory* memory, const joObjectSet* small,
    const joObjectSet* large, uint32_t largeSetCount, bool withCells )
{
    joSieve* sieve = &filter->sieve;
    sieve->words = NULL;
    findBounds( filter, small );
    if ( !withCells )
    {
        return jo_success;
    }
    float smallExtents[3];
    usualExtents( small, 1, filter->axisCount, 0.5f, smallExtents );
    usualExtents( large, largeSetCount, filter->axisCount, USUAL_SHARE, sieve->usual );
    for ( uint32_t axis = 0; axis < filter->axisCount; ++axis )
    {
        sieve->usual[axis] *= 1.0625f; // equal sizes differ by roundings
    }
    if ( !chooseCells( filter, small->count, smallExtents ) )
    {
        return jo_success;
    }
    // By the number of objects alone, so that a frame in which sizes waver does not allocate.
    const joResult result = joCellFilter_Reserve( filter, memory, small->count );
    if ( result == jo_success && markAll( filter, small ) )
    {
        sieve->words = filter->words.data;
    }
    return result;
}

static inline bool isMarked( const joSieve* sieve, const uint32_t cells[3] )
{
    uint32_t bit = 0;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        bit |= ( cells[axis] & sieve->mask[axis] ) << sieve->shift[axis];
    }
    return ( sieve->words[bit / 32] >> bit % 32 & 1 ) != 0;
}

// A box that is longer than usual: at points so near each other that one of them is marked if it meets
// anything.
static bool isMarkedAnywhere( const joCellFilter* filter, const joBoxRecord* record )
{
    const joSieve* sieve = &filter->sieve;
    uint32_t counts[3] = { 1, 1, 1 };
    for ( uint32_t axis = 0; axis < filter->axisCount; ++axis )
    {
        const float extent = record->upper[axis] - record->lower[axis];
        // A little more than enough, for all roundings.
        const float points = extent > sieve->usual[axis] ? extent / sieve->usual[axis] * 1.001f : 0.0f;
        if ( !( points < (float)MAX_POINTS ) )
        {
            return true;
        }
        counts[axis] = (uint32_t)points + 1;
    }
    for ( uint32_t i = 0; i < counts[0] * counts[1] * counts[2]; ++i )
    {
        const uint32_t steps[3] = { i % counts[0], i / counts[0] % counts[1], i / counts[0] / counts[1] };
        uint32_t cells[3] = { 0, 0, 0 };
        for ( uint32_t axis = 0; axis < filter->axisCount; ++axis )
        {
            // Not 0 times infinity.
            const float step = steps[axis] > 0 ? (float)steps[axis] * sieve->usual[axis] : 0.0f;
            cells[axis] = cellOf( sieve, axis, record->lower[axis] + step );
        }
        if ( isMarked( sieve, cells ) )
        {
            return true;
        }
    }
    return false;
}

static inline bool isUsual( const joCellFilter* filter, const joBoxRecord* record )
{
    bool usual = true;
    for ( uint32_t axis = 0; axis < filter->axisCount; ++axis )
    {
        usual = usual && record->upper[axis] - record->lower[axis] <= filter->sieve.usual[axis];
    }
    return usual;
}

uint32_t joCellFilter_Sift( const joCellFilter* filter, const joObjectSet* large, const uint32_t* slots,
    uint32_t first, uint32_t count, uint32_t* out )
{
    const joBoxRecord* records = joObjectSet_Records( large );
    const float* floats = (const float*)(const void*)records;
    const joSieve* sieve = &filter->sieve;
    uint32_t ( *run )( const float*, uint32_t, uint32_t, const joSieve*, uint32_t* ) =
        filter->kernels->sieve[filter->axisCount - 2];
    uint32_t passed = 0;
    if ( slots == NULL )
    {
        passed = run( floats, first, first + count, sieve, out );
    }
    for ( uint32_t i = 0; i < count && slots != NULL; ++i )
    {
        passed += run( floats, slots[first + i], slots[first + i] + 1, sieve, out + passed );
    }
    uint32_t kept = 0;
    for ( uint32_t i = 0; i < passed; ++i )
    {
        const joBoxRecord* record = records + out[i];
        bool mayMeet = joIsLive( record );
        if ( mayMeet && sieve->words != NULL && !isUsual( filter, record ) )
        {
            mayMeet = isMarkedAnywhere( filter, record );
        }
        out[kept] = out[i];
        kept += mayMeet ? 1 : 0;
    }
    return kept;
}
