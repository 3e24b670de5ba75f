// SPDX-License-Identifier: MIT
#include "reference_neighbours.h"

#include <assert.h>
#include <stdlib.h>

static int compareByKey( const void* a, const void* b )
{
    const refObject* first = *(const refObject* const*)a;
    const refObject* second = *(const refObject* const*)b;
    return first->key < second->key ? -1 : first->key > second->key;
}

refNeighbours refFindNeighbours( const refObject* objects, size_t count, int axisCount )
{
    const refObject** sorted = malloc( ( count + 1 ) * sizeof( *sorted ) );
    refNeighbours found = { .keys = malloc( ( count + 1 ) * sizeof( uint32_t ) ),
        .offsets = malloc( ( count + 1 ) * sizeof( uint64_t ) ),
        .neighbours = malloc( ( count * count + 1 ) * sizeof( uint32_t ) ),
        .count = count };
    assert( sorted && found.keys && found.offsets && found.neighbours );
    for ( size_t i = 0; i < count; ++i )
        sorted[i] = objects + i;
    qsort( sorted, count, sizeof( *sorted ), compareByKey );
    uint64_t total = 0;
    for ( size_t i = 0; i < count; ++i )
    {
        found.keys[i] = sorted[i]->key;
        found.offsets[i] = total;
        for ( size_t k = 0; k < count; ++k )
        {
            if ( k != i && refMeet( sorted[i], sorted[k] ) && refTouch( sorted[i], sorted[k], axisCount ) )
                found.neighbours[total++] = sorted[k]->key;
        }
    }
    found.offsets[count] = total;
    free( sorted );
    return found;
}

void refFreeNeighbours( refNeighbours* neighbours )
{
    free( neighbours->keys );
    free( neighbours->offsets );
    free( neighbours->neighbours );
    *neighbours = ( refNeighbours ){ 0 };
}
