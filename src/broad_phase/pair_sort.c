// SPDX-License-Identifier: MIT
// Sorts pairs by a, then b: one pass deals them into buckets by the high bits of a, so that each bucket fits
// the first-level cache; then each bucket is sorted on its own. Both steps run over threads. A
// most-significant-digit radix sort in two levels (McIlroy, Bostic and McIlroy, "Engineering Radix Sort",
// 1993).
#include "base/assert.h"
#include "pair_collector_internal.h"

#include <string.h>

// Pairs a bucket may hold on average: packed and with scratch, two times 8 KB.
#define BUCKET_PAIRS 2048
#define MAX_BUCKETS 4096
#define INSERTION_LIMIT 12
#define MAX_DIGIT_BITS 11
// Digits of a packed pair; counters of one worker.
#define MAX_PASSES 6
#define WORKER_COUNTERS ( MAX_PASSES << MAX_DIGIT_BITS )

typedef struct SortContext
{
    const joPairRun* runs;
    uint32_t runCount;
    uint32_t partCount; // the runs are cut into this many parts, each with a histogram of its own
    joPair* out;
    uint64_t count;
    uint32_t lowest; // of all a
    uint32_t shift;
    uint32_t bucketCount;
    uint32_t bBits;       // bits that the b may have
    uint64_t* starts;     // bucketCount + 1
    uint64_t* histograms; // partCount x bucketCount; then places
    uint32_t* counters;   // WORKER_COUNTERS a worker
    joPair* scratch;      // the largest bucket, a worker
    uint64_t scratchCount;
} SortContext;

static uint32_t bitsOf( uint32_t value )
{
    return value == 0 ? 0 : 32 - (uint32_t)__builtin_clz( value );
}

// In 64 bits: with few pairs whose keys span all of uint32_t, the shift is 32.
static inline uint64_t bucketOf( const SortContext* context, joPair pair )
{
    return (uint64_t)( pair.a - context->lowest ) >> context->shift;
}

static void insertionSort( joPair* pairs, uint64_t count )
{
    for ( uint64_t i = 1; i < count; ++i )
    {
        joPair pair = pairs[i];
        uint64_t j = i;
        for ( ; j > 0 && joPairOrder( pairs[j - 1] ) > joPairOrder( pair ); --j )
        {
            pairs[j] = pairs[j - 1];
        }
        pairs[j] = pair;
    }
}

// Stable pass by ( orderOf >> shift ) & mask, from `in` to `out`. False, and nothing done, if all have the
// same digit.
static bool digitPass(
    const joPair* in, joPair* out, uint64_t count, uint32_t shift, uint32_t mask, uint32_t* counters )
{
    memset( counters, 0, ( (size_t)mask + 1 ) * sizeof( uint32_t ) );
    for ( uint64_t i = 0; i < count; ++i )
    {
        counters[( joPairOrder( in[i] ) >> shift ) & mask] += 1;
    }
    if ( counters[( joPairOrder( in[0] ) >> shift ) & mask] == count )
    {
        return false;
    }
    uint32_t sum = 0;
    for ( uint32_t d = 0; d <= mask; ++d )
    {
        uint32_t n = counters[d];
        counters[d] = sum;
        sum += n;
    }
    for ( uint64_t i = 0; i < count; ++i )
    {
        out[counters[( joPairOrder( in[i] ) >> shift ) & mask]++] = in[i];
    }
    return true;
}

// Least significant digit first over the low `bits` of b, and the low `aBits` of a.
static void radixSort(
    joPair* pairs, joPair* scratch, uint64_t count, uint32_t bBits, uint32_t aBits, uint32_t* counters )
{
    joPair* in = pairs;
    joPair* out = scratch;
    for ( uint32_t half = 0; half < 2; ++half )
    {
        uint32_t bits = half == 0 ? bBits : aBits;
        for ( uint32_t done = 0; done < bits; )
        {
            // Digits of equal width: 17 bits are 9 and 8.
            uint32_t passes = ( bits - done + MAX_DIGIT_BITS - 1 ) / MAX_DIGIT_BITS;
            uint32_t width = ( bits - done + passes - 1 ) / passes;
            if ( digitPass( in, out, count, 32 * half + done, ( 1u << width ) - 1, counters ) )
            {
                joPair* swap = in;
                in = out;
                out = swap;
            }
            done += width;
        }
    }
    if ( in != pairs )
    {
        memcpy( pairs, in, count * sizeof( joPair ) );
    }
}

// Digits as wide as `count` keys are worth, at most MAX_DIGIT_BITS, and of equal width: 27 bits are 9, 9
// and 9.
static uint32_t planPasses( uint32_t bits, uint64_t count, uint32_t* width )
{
    uint32_t widest = 6;
    while ( widest < MAX_DIGIT_BITS && ( UINT64_C( 2 ) << widest ) <= count )
    {
        ++widest;
    }
    uint32_t passes = ( bits + widest - 1 ) / widest;
    passes = passes > 0 ? passes : 1;
    *width = ( bits + passes - 1 ) / passes;
    return passes;
}

// A bucket whose pairs fit 32 bits: the low bits of a, then the bits of b. They were dealt as such to the
// front of the bucket's place. All digits are counted in one pass, and the last pass unpacks.
static inline void sortPackedIn( const SortContext* context, joPair* pairs, uint64_t count, uint32_t lowest,
    uint32_t* counters, uint32_t* scratch, uint32_t width, const uint32_t passes )
{
    const uint32_t mask = ( 1u << width ) - 1;
    const uint32_t* in = (const uint32_t*)(const void*)pairs;
    uint32_t* halves[2] = { scratch, scratch + count };
    memset( counters, 0, ( (size_t)passes << width ) * sizeof( uint32_t ) );
    for ( uint64_t i = 0; i < count; ++i )
    {
        for ( uint32_t pass = 0; pass < passes; ++pass )
        {
            counters[( pass << width ) + ( ( in[i] >> ( pass * width ) ) & mask )] += 1;
        }
    }
    if ( passes == 1 )
    {
        memcpy( scratch, in, count * sizeof( uint32_t ) ); // to be read while the pairs are written
        in = scratch;
    }
    for ( uint32_t pass = 0; pass < passes; ++pass )
    {
        uint32_t* places = counters + ( pass << width );
        const uint32_t shift = pass * width;
        uint32_t sum = 0;
        for ( uint32_t d = 0; d <= mask; ++d )
        {
            uint32_t n = places[d];
            places[d] = sum;
            sum += n;
        }
        if ( pass + 1 == passes )
        {
            const uint32_t bBits = context->bBits;
            // With bBits 32, the a of the bucket are all the same.
            const uint32_t bMask = bBits < 32 ? ( 1u << bBits ) - 1 : UINT32_MAX;
            for ( uint64_t i = 0; i < count; ++i )
            {
                uint32_t packed = in[i];
                joPair pair = { lowest + (uint32_t)( (uint64_t)packed >> bBits ), packed & bMask };
                pairs[places[( packed >> shift ) & mask]++] = pair;
            }
            return;
        }
        uint32_t* out = halves[pass & 1];
        for ( uint64_t i = 0; i < count; ++i )
        {
            out[places[( in[i] >> shift ) & mask]++] = in[i];
        }
        in = out;
    }
}

static void sortPacked( const SortContext* context, joPair* pairs, uint64_t count, uint32_t lowest,
    uint32_t* counters, uint32_t* scratch )
{
    uint32_t width;
    const uint32_t passes = planPasses( context->bBits + context->shift, count, &width );
    // The usual numbers as constants.
    if ( passes == 2 )
    {
        sortPackedIn( context, pairs, count, lowest, counters, scratch, width, 2 );
    }
    else if ( passes == 3 )
    {
        sortPackedIn( context, pairs, count, lowest, counters, scratch, width, 3 );
    }
    else
    {
        sortPackedIn( context, pairs, count, lowest, counters, scratch, width, passes );
    }
}

static bool isPacked( const SortContext* context )
{
    return context->bBits + context->shift <= 32;
}

static void sortBucket( const SortContext* context, uint64_t bucket, uint32_t worker )
{
    joPair* pairs = context->out + context->starts[bucket];
    uint64_t count = context->starts[bucket + 1] - context->starts[bucket];
    uint32_t* counters = context->counters + (size_t)worker * WORKER_COUNTERS;
    joPair* scratch = context->scratch + worker * context->scratchCount;
    if ( count > 0 && isPacked( context ) )
    {
        uint32_t lowest = context->lowest + (uint32_t)( bucket << context->shift );
        sortPacked( context, pairs, count, lowest, counters, (uint32_t*)(void*)scratch );
        return;
    }
    if ( count <= INSERTION_LIMIT )
    {
        insertionSort( pairs, count );
        return;
    }
    // Counted from `lowest`, the a of a bucket differ in their low `shift` bits only.
    for ( uint64_t i = 0; i < count; ++i )
    {
        pairs[i].a -= context->lowest;
    }
    radixSort( pairs, scratch, count, context->bBits, context->shift, counters );
    for ( uint64_t i = 0; i < count; ++i )
    {
        pairs[i].a += context->lowest;
    }
}

static void sortBuckets( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    for ( uint32_t bucket = begin; bucket < end; ++bucket )
    {
        sortBucket( userContext, bucket, worker );
    }
}

static void partRuns( const SortContext* context, uint32_t part, uint32_t* first, uint32_t* last )
{
    *first = (uint32_t)( (uint64_t)context->runCount * part / context->partCount );
    *last = (uint32_t)( (uint64_t)context->runCount * ( part + 1 ) / context->partCount );
}

static void countParts( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    SortContext* context = userContext;
    (void)worker;
    for ( uint32_t part = begin; part < end; ++part )
    {
        uint64_t* histogram = context->histograms + (size_t)part * context->bucketCount;
        memset( histogram, 0, context->bucketCount * sizeof( uint64_t ) );
        uint32_t first, last;
        partRuns( context, part, &first, &last );
        for ( uint32_t r = first; r < last; ++r )
        {
            joPairRun run = context->runs[r];
            for ( uint32_t i = 0; i < run.count; ++i )
            {
                histogram[bucketOf( context, run.pairs[i] )] += 1;
            }
        }
    }
}

static void dealPart( const SortContext* context, uint64_t* places, joPairRun run )
{
    for ( uint32_t i = 0; i < run.count; ++i )
    {
        joPair pair = run.pairs[i];
        context->out[places[bucketOf( context, pair )]++] = pair;
    }
}

// Packed pairs take the first half of their bucket's place: places count from twice its start, in 32-bit
// words.
static void dealPacked( const SortContext* context, uint64_t* places, joPairRun run )
{
    uint32_t* out = (uint32_t*)(void*)context->out;
    const uint32_t aMask = context->shift < 32 ? ( 1u << context->shift ) - 1 : UINT32_MAX;
    for ( uint32_t i = 0; i < run.count; ++i )
    {
        joPair pair = run.pairs[i];
        uint32_t a = ( pair.a - context->lowest ) & aMask;
        uint32_t packed = (uint32_t)( (uint64_t)a << context->bBits ) | pair.b;
        out[places[bucketOf( context, pair )]++] = packed;
    }
}

static void dealParts( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    SortContext* context = userContext;
    (void)worker;
    for ( uint32_t part = begin; part < end; ++part )
    {
        uint64_t* places = context->histograms + (size_t)part * context->bucketCount;
        for ( uint32_t bucket = 0; bucket < context->bucketCount && isPacked( context ); ++bucket )
        {
            places[bucket] += context->starts[bucket];
        }
        uint32_t first, last;
        partRuns( context, part, &first, &last );
        for ( uint32_t r = first; r < last; ++r )
        {
            if ( isPacked( context ) )
            {
                dealPacked( context, places, context->runs[r] );
            }
            else
            {
                dealPart( context, places, context->runs[r] );
            }
        }
    }
}

joPairRange joMeasurePairs( const joPairRun* runs, uint32_t runCount )
{
    joPairRange range = { UINT32_MAX, 0, 0 };
    for ( uint32_t r = 0; r < runCount; ++r )
    {
        for ( uint32_t i = 0; i < runs[r].count; ++i )
        {
            joPair pair = runs[r].pairs[i];
            range.lowestA = pair.a < range.lowestA ? pair.a : range.lowestA;
            range.highestA = pair.a > range.highestA ? pair.a : range.highestA;
            range.unionB |= pair.b;
        }
    }
    return range;
}

// Counts become places; returns the largest bucket.
static uint64_t placeBuckets( SortContext* context )
{
    uint64_t place = 0, largest = 0;
    for ( uint32_t bucket = 0; bucket < context->bucketCount; ++bucket )
    {
        context->starts[bucket] = place;
        for ( uint32_t part = 0; part < context->partCount; ++part )
        {
            uint64_t* counter = context->histograms + (size_t)part * context->bucketCount + bucket;
            uint64_t n = *counter;
            *counter = place;
            place += n;
        }
        uint64_t size = place - context->starts[bucket];
        largest = size > largest ? size : largest;
    }
    context->starts[context->bucketCount] = place;
    JO_ASSERT( place == context->count );
    return largest;
}

static joResult reserveSort( joPairCollector* collector, SortContext* context )
{
    // For every worker, though there may be fewer parts: how many there are depends on who found the pairs,
    // and must not make a frame allocate.
    uint64_t words = (uint64_t)( collector->workerCount + 1 ) * MAX_BUCKETS + 1;
    joResult result =
        joArray_Reserve( &collector->histograms, collector->memory, words, sizeof( uint64_t ), 0 );
    if ( result == jo_success )
    {
        result = joArray_Reserve( &collector->counters, collector->memory,
            (uint64_t)collector->workerCount * WORKER_COUNTERS, sizeof( uint32_t ), 0 );
    }
    context->starts = collector->histograms.data;
    context->histograms = result == jo_success ? context->starts + MAX_BUCKETS + 1 : NULL;
    context->counters = collector->counters.data;
    return result;
}

joResult joReserveSort( joPairCollector* collector, uint64_t count )
{
    SortContext context = { .partCount = 0 };
    joResult result = reserveSort( collector, &context );
    if ( result == jo_success )
    {
        // All pairs may fall into one bucket.
        result = joArray_Reserve(
            &collector->sortScratch, collector->memory, count * collector->workerCount, sizeof( joPair ), 0 );
    }
    return result;
}

joResult joSortPairs( joPairCollector* collector, const joPairRun* runs, uint32_t runCount, joPairRange range,
    joPair* out, uint64_t count )
{
    uint32_t parts = collector->workerCount < runCount ? collector->workerCount : runCount;
    SortContext context = {
        .runs = runs, .runCount = runCount, .partCount = parts, .out = out, .count = count };
    context.lowest = range.lowestA;
    context.bBits = bitsOf( range.unionB );
    uint64_t wanted = count / BUCKET_PAIRS + 1;
    wanted = wanted < MAX_BUCKETS ? wanted : MAX_BUCKETS;
    uint64_t width = (uint64_t)range.highestA - range.lowestA + 1;
    while ( ( ( width - 1 ) >> context.shift ) + 1 > wanted )
    {
        context.shift += 1;
    }
    context.bucketCount = (uint32_t)( ( width - 1 ) >> context.shift ) + 1;
    joResult result = reserveSort( collector, &context );
    if ( result != jo_success )
    {
        return result;
    }
    joParallelFor( collector->jobs, parts, 1, countParts, &context );
    context.scratchCount = placeBuckets( &context );
    // The width of a bucket may double with a few pairs more or less: where this must grow, it makes room for
    // that, too.
    const uint64_t needed = context.scratchCount * collector->workerCount;
    const bool grows = needed > collector->sortScratch.capacity && !collector->memory->fixed;
    result = joArray_Reserve( &collector->sortScratch, collector->memory,
        grows ? 2 * needed + needed / 2 : needed, sizeof( joPair ), 0 );
    if ( result != jo_success )
    {
        return result;
    }
    context.scratch = collector->sortScratch.data;
    joParallelFor( collector->jobs, parts, 1, dealParts, &context );
    joParallelFor( collector->jobs, context.bucketCount, 0, sortBuckets, &context );
    return jo_success;
}
