// SPDX-License-Identifier: MIT
#include "pair_check.h"

#include <stdlib.h>
#include <string.h>

#define GROUP 64

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

// hits[k] is left if box k of the columns overlaps on this axis, else 0. No branches, and pointers that do
// not alias, so that a compiler does several at once.
static void TestAxis( const float* restrict lower, const float* restrict upper, float ownLower,
    float ownUpper, int32_t* restrict hits )
{
    for ( int k = 0; k < GROUP; ++k )
    {
        int32_t below = lower[k] <= ownUpper ? -1 : 0;
        int32_t above = ownLower <= upper[k] ? -1 : 0;
        hits[k] &= below & above;
    }
}

// hits[k]: box i overlaps box begin + k. Returns whether any does.
static bool TestGroup( float* const* columns, int axisCount, uint32_t i, size_t begin, int32_t* hits )
{
    memset( hits, -1, GROUP * sizeof( int32_t ) );
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        TestAxis(
            columns[axis] + begin, columns[3 + axis] + begin, columns[axis][i], columns[3 + axis][i], hits );
    }
    int32_t any = 0;
    for ( int k = 0; k < GROUP; ++k )
    {
        any |= hits[k];
    }
    return any != 0;
}

// Box i with all after it. The columns reach a whole group beyond the last box; what is there is not looked
// at.
static void CheckRow( Reader* reader, float* const* columns, int axisCount, uint32_t i, uint32_t count )
{
    int32_t hits[GROUP];
    for ( size_t begin = (size_t)i + 1; begin < count; begin += GROUP )
    {
        bool any = TestGroup( columns, axisCount, i, begin, hits );
        for ( size_t k = 0; any && k < GROUP && begin + k < count; ++k )
        {
            if ( hits[k] != 0 )
            {
                Expect( reader, i, (uint32_t)( begin + k ) );
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
    size_t columnSize = (size_t)count + GROUP;
    float* memory = calloc( columnSize, JO_BOX_FLOATS * sizeof( float ) );
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
        columns[c] = memory + c * columnSize;
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
