// SPDX-License-Identifier: MIT
#include "row.h"

#include "base/float_env.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MIN_BINS 16u
#define MAX_BINS 262144u
// A bin with more than this is sorted exactly: the candidates of a box in it would be all the others.
#define CROWDED_BIN 48

static uint32_t binCountFor( uint64_t count )
{
    uint32_t bins = MIN_BINS;
    while ( bins < count && bins < MAX_BINS )
    {
        bins *= 2;
    }
    return bins;
}

static uint64_t padded( uint64_t count )
{
    return ( count + 15 ) & ~UINT64_C( 15 );
}

uint64_t joRowScratch_FloatCount( uint32_t axisCount, uint64_t capacity )
{
    return joColumns_FloatCount( axisCount, capacity ) + padded( capacity ) +
           padded( binCountFor( capacity ) + 1 ) + 2 * padded( JO_ROW_RUNS( capacity ) ) +
           ( 4 + 7 ) * padded( capacity );
}

joRowScratch joRowScratch_Cut( float* memory, uint32_t axisCount, uint64_t capacity )
{
    joRowScratch scratch;
    scratch.columns = joColumns_Cut( memory, axisCount, capacity );
    memory += joColumns_FloatCount( axisCount, capacity );
    scratch.ends = (uint32_t*)(void*)memory;
    memory += padded( capacity );
    scratch.bins = (uint32_t*)(void*)memory;
    memory += padded( binCountFor( capacity ) + 1 );
    scratch.keys = (joKeyValue*)(void*)memory;
    memory += 4 * padded( capacity );
    scratch.runs = (joRowRun*)(void*)memory;
    memory += 2 * padded( JO_ROW_RUNS( capacity ) );
    for ( int i = 0; i < 7; ++i )
    {
        scratch.query[i] = (uint32_t*)(void*)memory;
        memory += padded( capacity );
    }
    return scratch;
}

// Bins of equal width over the row's range of lower bounds. What makes it right is that the bin is monotone
// in x: each step is, rounding included. Halves, so that the range of two finite floats is finite.
typedef struct Binning
{
    float origin;
    float scale;
    float last;
} Binning;

static inline float clampFinite( float x )
{
    x = x < -FLT_MAX ? -FLT_MAX : x;
    return x > FLT_MAX ? FLT_MAX : x;
}

// Widens [*lowest, *highest] to a row's lower bounds.
static inline void measureRow( const float* entries, const joRowRun* runs, uint32_t runCount,
    uint32_t axisCount, float* lowest, float* highest )
{
    const size_t stride = JO_ROW_ENTRY_FLOATS( axisCount );
    float low = *lowest, high = *highest;
    for ( uint32_t r = 0; r < runCount; ++r )
    {
        const float* entry = entries + runs[r].first * stride;
        const float* next = entries + runs[r + 1 < runCount ? r + 1 : r].first * stride;
        for ( uint32_t i = 0; i < runs[r].count; ++i, entry += stride, next += stride )
        {
            // The first look at these entries: runs lie apart, so the next one is asked for ahead.
            __builtin_prefetch( next );
            float x = clampFinite( entry[0] );
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
    }
    *lowest = low;
    *highest = high;
}

static inline Binning makeBinning( float low, float high, uint32_t binCount )
{
    float range = 0.5f * high - 0.5f * low;
    float scale = (float)binCount / range;
    Binning binning = {
        0.5f * low, range > 0.0f && scale <= FLT_MAX ? scale : 0.0f, (float)( binCount - 1 ) };
    return binning;
}

static inline uint32_t binOf( const Binning* binning, float x )
{
    float bin = ( 0.5f * clampFinite( x ) - binning->origin ) * binning->scale;
    bin = bin < 0.0f ? 0.0f : bin;
    bin = bin > binning->last ? binning->last : bin;
    return (uint32_t)(int32_t)bin;
}

static inline void writeEntry(
    const joBoxColumns* columns, uint32_t position, const float* entry, uint32_t axisCount )
{
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        columns->lower[k][position] = entry[k];
        columns->upper[k][position] = entry[axisCount + k];
    }
    columns->index[position] = joRowEntry_Index( entry, axisCount );
}

// Float bits as an unsigned integer of the same order.
static inline uint32_t orderBits( float x )
{
    uint32_t bits;
    x += 0.0f; // -0 and 0 are one place
    memcpy( &bits, &x, sizeof( bits ) );
    return ( bits & 0x80000000u ) != 0 ? ~bits : bits | 0x80000000u;
}

joRowShape joRow_SortExact( const float* entries, const joRowRun* runs, uint32_t runCount, uint32_t count,
    uint32_t axisCount, joRowScratch* scratch, const joBoxColumns* columns, uint32_t first )
{
    const size_t stride = JO_ROW_ENTRY_FLOATS( axisCount );
    joKeyValue* keys = scratch->keys;
    uint32_t filled = 0;
    for ( uint32_t r = 0; r < runCount; ++r )
    {
        for ( uint32_t i = 0; i < runs[r].count; ++i )
        {
            uint32_t entry = runs[r].first + i;
            keys[filled++] = ( joKeyValue ){ orderBits( entries[entry * stride] ), entry };
        }
    }
    const joKeyValue* sorted = joRadixSort_KeyValues( keys, keys + count, count );
    float longest = 0.0f;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const float* entry = entries + sorted[i].value * stride;
        writeEntry( columns, first + i, entry, axisCount );
        float extent = entry[axisCount] - entry[0];
        longest = extent > longest ? extent : longest;
    }
    joRowShape shape = { longest * ( 1.0f + FLT_EPSILON ), 0.0f, 0.0f };
    if ( count > 0 )
    {
        const float range = columns->lower[0][first + count - 1] - columns->lower[0][first];
        shape.lowest = columns->lower[0][first];
        shape.density = range > 0.0f ? (float)count / range : INFINITY;
    }
    return shape;
}

static inline bool isBefore( float lower, float bound, bool orEqual )
{
    return orEqual ? lower <= bound : lower < bound;
}

// First position in [begin, end) that is not before the bound. Which half is next cannot be predicted: no
// branches.
static inline uint32_t search( const float* lower, uint32_t begin, uint32_t end, float bound, bool orEqual )
{
    uint32_t count = end - begin;
    while ( count > 0 )
    {
        uint32_t half = count / 2;
        bool right = isBefore( lower[begin + half], bound, orEqual );
        begin = right ? begin + half + 1 : begin;
        count = right ? count - half - 1 : half;
    }
    return begin;
}

// The same, with strides that double from a place near which it is likely.
static inline uint32_t searchNear(
    const float* lower, uint32_t begin, uint32_t end, uint32_t hint, float bound, bool orEqual )
{
    uint32_t step = 4;
    if ( hint < end && isBefore( lower[hint], bound, orEqual ) )
    {
        begin = hint + 1;
        while ( end - begin > step && isBefore( lower[begin + step], bound, orEqual ) )
        {
            begin += step + 1;
            step *= 2;
        }
        end = end - begin > step ? begin + step : end;
    }
    else
    {
        end = hint < end ? hint : end;
        while ( end - begin > step && !isBefore( lower[end - step], bound, orEqual ) )
        {
            end -= step;
            step *= 2;
        }
        begin = end - begin > step ? end - step + 1 : begin;
    }
    return search( lower, begin, end, bound, orEqual );
}

uint32_t joRow_UpperBound( const float* lower, uint32_t begin, uint32_t end, float bound )
{
    return searchNear( lower, begin, end, begin, bound, true );
}

uint32_t joRow_UpperBoundNear( const float* lower, uint32_t begin, uint32_t end, uint32_t hint, float bound )
{
    return searchNear( lower, begin, end, hint, bound, true );
}

uint32_t joRow_LowerBound( const float* lower, uint32_t begin, uint32_t end, uint32_t hint, float bound )
{
    return searchNear( lower, begin, end, hint, bound, false );
}

float joRow_ReachBack( float lower, float longest )
{
    // The extent was rounded, and so is this difference: step back by more than both.
    float slack = ( fabsf( lower ) + longest ) * 0x1p-21f;
    float bound = ( lower - longest ) - slack;
    return isfinite( bound ) ? bound : -INFINITY;
}

static void sortCrowded( const float* entries, const joRowRun* runs, uint32_t runCount, uint32_t count,
    uint32_t axisCount, joRowScratch* scratch )
{
    joRow_SortExact( entries, runs, runCount, count, axisCount, scratch, &scratch->columns, 0 );
    for ( uint32_t i = 0; i < count; ++i )
    {
        scratch->ends[i] =
            joRow_UpperBound( scratch->columns.lower[0], i + 1, count, scratch->columns.upper[0][i] );
    }
}

// Counts a row's entries into scratch->bins, which then say where each bin begins; returns the fullest bin.
static inline uint32_t countBins( const float* entries, const joRowRun* runs, uint32_t runCount,
    const Binning* binning, uint32_t binCount, uint32_t axisCount, joRowScratch* scratch )
{
    const size_t stride = JO_ROW_ENTRY_FLOATS( axisCount );
    uint32_t* bins = scratch->bins;
    memset( bins, 0, ( (size_t)binCount + 1 ) * sizeof( uint32_t ) );
    uint32_t* binOfEntry = (uint32_t*)(void*)scratch->keys;
    uint32_t filled = 0;
    for ( uint32_t r = 0; r < runCount; ++r )
    {
        const float* entry = entries + runs[r].first * stride;
        for ( uint32_t i = 0; i < runs[r].count; ++i, entry += stride )
        {
            uint32_t bin = binOf( binning, entry[0] );
            binOfEntry[filled++] = bin;
            bins[bin] += 1;
        }
    }
    uint32_t sum = 0, largest = 0;
    for ( uint32_t b = 0; b < binCount; ++b )
    {
        uint32_t n = bins[b];
        bins[b] = sum;
        sum += n;
        largest = n > largest ? n : largest;
    }
    return largest;
}

// Puts the counted entries into scratch->columns; the bins then say where each ends.
static inline void fillBins(
    const float* entries, const joRowRun* runs, uint32_t runCount, uint32_t axisCount, joRowScratch* scratch )
{
    const size_t stride = JO_ROW_ENTRY_FLOATS( axisCount );
    uint32_t* bins = scratch->bins;
    const uint32_t* binOfEntry = (const uint32_t*)(const void*)scratch->keys;
    uint32_t filled = 0;
    for ( uint32_t r = 0; r < runCount; ++r )
    {
        const float* entry = entries + runs[r].first * stride;
        for ( uint32_t i = 0; i < runs[r].count; ++i, entry += stride )
        {
            writeEntry( &scratch->columns, bins[binOfEntry[filled++]]++, entry, axisCount );
        }
    }
}

static inline void sortBinned( const float* entries, const joRowRun* runs, uint32_t runCount, uint32_t count,
    uint32_t axisCount, joRowScratch* scratch )
{
    const uint32_t binCount = binCountFor( count );
    float low = FLT_MAX, high = -FLT_MAX;
    measureRow( entries, runs, runCount, axisCount, &low, &high );
    const Binning binning = makeBinning( low, high, binCount );
    if ( countBins( entries, runs, runCount, &binning, binCount, axisCount, scratch ) > CROWDED_BIN )
    {
        sortCrowded( entries, runs, runCount, count, axisCount, scratch );
        return;
    }
    fillBins( entries, runs, runCount, axisCount, scratch );
    for ( uint32_t i = 0; i < count; ++i )
    {
        scratch->ends[i] = scratch->bins[binOf( &binning, scratch->columns.upper[0][i] )];
    }
}

void joRow_SortBinned( const float* entries, const joRowRun* runs, uint32_t runCount, uint32_t count,
    uint32_t axisCount, joRowScratch* scratch )
{
    if ( axisCount == 2 )
    {
        sortBinned( entries, runs, runCount, count, 2, scratch );
    }
    else
    {
        sortBinned( entries, runs, runCount, count, 3, scratch );
    }
}

void joRow_RangesOfSorted( joRowSide* a, joRowSide* b )
{
    const float* lowerA = a->columns.lower[0];
    const float* lowerB = b->columns.lower[0];
    for ( uint32_t i = 0; i < a->count; ++i )
    {
        const uint32_t hint = i > 0 ? a->begins[i - 1] : 0;
        a->begins[i] = joRow_LowerBound( lowerB, 0, b->count, hint, lowerA[i] );
        a->ends[i] = joRow_UpperBound( lowerB, a->begins[i], b->count, a->columns.upper[0][i] );
    }
    uint32_t begin = 0;
    for ( uint32_t i = 0; i < b->count; ++i )
    {
        // From where the last one's began: they only get later.
        begin = joRow_UpperBound( lowerA, begin, a->count, lowerB[i] );
        b->begins[i] = begin;
        b->ends[i] = joRow_UpperBound( lowerA, begin, a->count, b->columns.upper[0][i] );
    }
}

static inline void sortTogether( joRowSide* a, joRowSide* b, uint32_t axisCount )
{
    const uint32_t binCount = binCountFor( a->count > b->count ? a->count : b->count );
    float low = FLT_MAX, high = -FLT_MAX;
    measureRow( a->entries, a->runs, a->runCount, axisCount, &low, &high );
    measureRow( b->entries, b->runs, b->runCount, axisCount, &low, &high );
    const Binning binning = makeBinning( low, high, binCount );
    bool isCrowded = countBins( a->entries, a->runs, a->runCount, &binning, binCount, axisCount,
                         a->scratch ) > CROWDED_BIN;
    isCrowded |= countBins( b->entries, b->runs, b->runCount, &binning, binCount, axisCount, b->scratch ) >
                 CROWDED_BIN;
    a->columns = a->scratch->columns;
    b->columns = b->scratch->columns;
    if ( isCrowded )
    {
        joRow_SortExact( a->entries, a->runs, a->runCount, a->count, axisCount, a->scratch, &a->columns, 0 );
        joRow_SortExact( b->entries, b->runs, b->runCount, b->count, axisCount, b->scratch, &b->columns, 0 );
        joRow_RangesOfSorted( a, b );
        return;
    }
    fillBins( a->entries, a->runs, a->runCount, axisCount, a->scratch );
    fillBins( b->entries, b->runs, b->runCount, axisCount, b->scratch );
    const uint32_t* endsA = a->scratch->bins;
    const uint32_t* endsB = b->scratch->bins;
    for ( uint32_t i = 0; i < a->count; ++i )
    {
        // From the bin in which it begins.
        const uint32_t bin = binOf( &binning, a->columns.lower[0][i] );
        a->begins[i] = bin > 0 ? endsB[bin - 1] : 0;
        a->ends[i] = endsB[binOf( &binning, a->columns.upper[0][i] )];
    }
    for ( uint32_t i = 0; i < b->count; ++i )
    {
        // From the bin after that: in the same one, the other has met it.
        b->begins[i] = endsA[binOf( &binning, b->columns.lower[0][i] )];
        b->ends[i] = endsA[binOf( &binning, b->columns.upper[0][i] )];
    }
}

void joRow_SortTogether( joRowSide* a, joRowSide* b, uint32_t axisCount )
{
    if ( axisCount == 2 )
    {
        sortTogether( a, b, 2 );
    }
    else
    {
        sortTogether( a, b, 3 );
    }
}
