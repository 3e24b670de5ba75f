// SPDX-License-Identifier: MIT
#include "pair_check.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 512

// The list as it is read, from its begin on.
typedef struct Reader
{
    const joPair* pairs;
    uint64_t count;
    uint64_t next;
    joPairCheck found;
} Reader;

static int ComparePairs( const void* left, const void* right )
{
    const joPair* a = left;
    const joPair* b = right;
    if ( a->a != b->a )
    {
        return a->a < b->a ? -1 : 1;
    }
    return a->b != b->b ? ( a->b < b->b ? -1 : 1 ) : 0;
}

// A pair of the list that no overlap asked for.
static void Skip( Reader* reader )
{
    uint64_t index = reader->next++;
    bool copy = index > 0 && ComparePairs( &reader->pairs[index - 1], &reader->pairs[index] ) == 0;
    reader->found.doubled += copy ? 1 : 0;
    reader->found.extra += copy ? 0 : 1;
}

// The next overlap, in order.
static void Expect( Reader* reader, uint32_t a, uint32_t b )
{
    joPair pair = { a, b };
    while ( reader->next < reader->count && ComparePairs( &reader->pairs[reader->next], &pair ) < 0 )
    {
        Skip( reader );
    }
    if ( reader->next < reader->count && ComparePairs( &reader->pairs[reader->next], &pair ) == 0 )
    {
        reader->next += 1;
        return;
    }
    reader->found.missed += 1;
}

// hits[k]: box i overlaps box begin + k. No branches, so that a compiler can do several at once.
static void TestBlock(
    float* const* columns, int axisCount, uint32_t i, uint32_t begin, uint32_t count, uint8_t* hits )
{
    memset( hits, 1, BLOCK );
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        const float* lower = columns[axis] + begin;
        const float* upper = columns[3 + axis] + begin;
        float ownLower = columns[axis][i];
        float ownUpper = columns[3 + axis][i];
        for ( uint32_t k = 0; k < count; ++k )
        {
            hits[k] &= (uint8_t)( ( lower[k] <= ownUpper ) & ( ownLower <= upper[k] ) );
        }
    }
    memset( hits + count, 0, BLOCK - count );
}

static void CheckRow( Reader* reader, float* const* columns, int axisCount, uint32_t i, uint32_t count )
{
    uint8_t hits[BLOCK];
    for ( uint32_t begin = i + 1; begin < count; begin += BLOCK )
    {
        uint32_t blockCount = count - begin < BLOCK ? count - begin : BLOCK;
        TestBlock( columns, axisCount, i, begin, blockCount, hits );
        for ( uint32_t k = 0; k < BLOCK; k += 8 )
        {
            uint64_t eight;
            memcpy( &eight, hits + k, sizeof eight );
            if ( eight == 0 )
            {
                continue;
            }
            for ( uint32_t m = k; m < k + 8; ++m )
            {
                if ( hits[m] != 0 )
                {
                    Expect( reader, i, begin + m );
                }
            }
        }
    }
}

static bool IsSorted( const joPair* pairs, uint64_t count )
{
    for ( uint64_t i = 1; i < count; ++i )
    {
        if ( ComparePairs( &pairs[i - 1], &pairs[i] ) > 0 )
        {
            return false;
        }
    }
    return true;
}

joResult joCheckPairs( const float* boxes, uint32_t count, int axisCount, const joPair* pairs,
    uint64_t pairCount, joPairCheckProgressFcn* progress, void* context, joPairCheck* check )
{
    float* memory = calloc( (size_t)count + 1, JO_BOX_FLOATS * sizeof( float ) );
    joPair* sorted = NULL;
    bool inOrder = IsSorted( pairs, pairCount );
    if ( !inOrder && pairCount <= SIZE_MAX / sizeof( joPair ) )
    {
        sorted = malloc( (size_t)pairCount * sizeof( joPair ) );
    }
    if ( memory == NULL || ( !inOrder && sorted == NULL ) )
    {
        free( memory );
        free( sorted );
        return jo_errorOutOfMemory;
    }
    if ( sorted != NULL )
    {
        memcpy( sorted, pairs, (size_t)pairCount * sizeof( joPair ) );
        qsort( sorted, (size_t)pairCount, sizeof( joPair ), ComparePairs );
    }

    float* columns[JO_BOX_FLOATS];
    for ( size_t c = 0; c < JO_BOX_FLOATS; ++c )
    {
        columns[c] = memory + c * count;
        for ( uint32_t i = 0; i < count; ++i )
        {
            columns[c][i] = boxes[(size_t)i * JO_BOX_FLOATS + c];
        }
    }
    Reader reader = { .pairs = sorted != NULL ? sorted : pairs, .count = pairCount };
    for ( uint32_t i = 0; i < count; ++i )
    {
        CheckRow( &reader, columns, axisCount, i, count );
        if ( progress != NULL && i % 1024 == 0 )
        {
            progress( i, count, context );
        }
    }
    while ( reader.next < reader.count )
    {
        Skip( &reader );
    }
    check->missed += reader.found.missed;
    check->extra += reader.found.extra;
    check->doubled += reader.found.doubled;
    check->unsorted = check->unsorted || !inOrder;
    free( memory );
    free( sorted );
    return jo_success;
}
