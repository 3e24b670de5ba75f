// SPDX-License-Identifier: MIT
#include "reference_two_sets.h"

#include <stdlib.h>

static void push( refPairs* pairs, uint32_t a, uint32_t b )
{
    if ( pairs->count == pairs->capacity )
    {
        pairs->capacity = pairs->capacity ? 2 * pairs->capacity : 256;
        pairs->data = realloc( pairs->data, pairs->capacity * sizeof( refPair ) );
        if ( pairs->data == NULL )
            abort();
    }
    pairs->data[pairs->count++] = ( refPair ){ a, b };
}

void refFindPairsBetween(
    const refObject* a, size_t countA, const refObject* b, size_t countB, int axisCount, refPairs* pairs )
{
    for ( size_t i = 0; i < countA; ++i )
    {
        for ( size_t k = 0; k < countB; ++k )
        {
            bool meet = ( a[i].layer & b[k].mask ) != 0 && ( b[k].layer & a[i].mask ) != 0;
            if ( meet && refTouch( a + i, b + k, axisCount ) )
                push( pairs, a[i].key, b[k].key );
        }
    }
    refSortPairs( pairs );
}
