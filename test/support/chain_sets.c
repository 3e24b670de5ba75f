// SPDX-License-Identifier: MIT
#include "support/chain_sets.h"

#include "support/flat_pair_sets.h"
#include "test_support.h"

#include <math.h>

void chainMakePoints( ChainSort sort, uint32_t count, uint64_t* random, ChainPoints* made )
{
    float step = 8.0f / (float)( count - 1 );
    for ( uint32_t i = 0; i < count; ++i )
    {
        joVec2* p = made->points + i;
        float turn = 6.2831853f * ( (float)i + flatFloatIn( random, -0.3f, 0.3f ) ) / (float)count;
        // Against each other, so that none is where the last one was.
        float jitter = step * flatFloatIn( random, -0.4f, 0.4f ), radius = flatFloatIn( random, 0.9f, 1.1f );
        p->x = sort == chain_tangle ? flatFloatIn( random, -2.0f, 2.0f )
               : sort == chain_ring ? radius * cosf( turn )
                                    : -4.0f + step * (float)i + jitter;
        p->y = sort == chain_tangle  ? flatFloatIn( random, -2.0f, 2.0f )
               : sort == chain_ring  ? radius * sinf( turn )
               : sort == chain_hills ? flatFloatIn( random, 0.0f, 1.0f )
                                     : 0.0f;
    }
    made->reference = ( ReferenceChain ){ made->points, count, sort == chain_ring };
}

joChain2* chainMake( const ChainPoints* points )
{
    joChain2* chain = NULL;
    uint32_t bad = 0;
    const ReferenceChain* reference = &points->reference;
    assert_int_equal(
        joCreateChain2( points->points, reference->pointCount, reference->isLoop, NULL, &chain, &bad ),
        jo_success );
    assert_int_equal( bad, JO_NULL_INDEX );
    return chain;
}
