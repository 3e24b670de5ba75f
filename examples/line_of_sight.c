// SPDX-License-Identifier: MIT
// Who sees the intruder? Those of a thousand guards who are near enough and have no house in the way.
#include "jostle/jostle.h"

#include <math.h>
#include <stdio.h>

#define SIDE 200.0f
#define SIGHT 60.0f

static float s_lower[2000][2], s_upper[2000][2]; // houses

static joResult setHouses( joBroadPhase* houses, joRandom* random )
{
    for ( int i = 0; i < 2000; ++i )
    {
        for ( int axis = 0; axis < 2; ++axis )
        {
            s_lower[i][axis] = joRandom_Range( random, 0.0f, SIDE );
            s_upper[i][axis] = s_lower[i][axis] + joRandom_Range( random, 0.5f, 2.0f );
        }
    }
    const size_t stride = sizeof( s_lower[0] );
    const joBoxes boxes = { .lowerX = { &s_lower[0][0], stride },
        .lowerY = { &s_lower[0][1], stride },
        .upperX = { &s_upper[0][0], stride },
        .upperY = { &s_upper[0][1], stride },
        .count = 2000 };
    joResult result = joBroadPhase_AddBoxes( houses, jo_static, &boxes, NULL );
    return result ? result : joBroadPhase_Update( houses ); // builds, so that rays are fast
}

int main( void )
{
    joRandom random = joMakeRandom( 3 );
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.kind = jo_bvh;
    def.dimension = 2;
    joBroadPhase* houses = NULL;
    joResult result = joCreateBroadPhase( &def, &houses );
    if ( !result )
        result = setHouses( houses, &random );

    int near = 0, seeing = 0;
    for ( int i = 0; i < 1000 && !result; ++i )
    {
        // From a guard to the intruder, who stands in the middle.
        joRay ray = {
            .origin = { joRandom_Range( &random, 0.0f, SIDE ), joRandom_Range( &random, 0.0f, SIDE ) } };
        ray.direction[0] = 0.5f * SIDE - ray.origin[0];
        ray.direction[1] = 0.5f * SIDE - ray.origin[1];
        ray.length = hypotf( ray.direction[0], ray.direction[1] );
        bool isHidden = true;
        if ( ray.length <= SIGHT )
        {
            result = joBroadPhase_CastRayAny( houses, &ray, NULL, &isHidden );
            near += 1;
        }
        seeing += isHidden ? 0 : 1;
    }
    printf( "%s Of %d guards who are near %d see the intruder.\n", joResultText( result ), near, seeing );
    joDestroyBroadPhase( houses );
    return result ? 1 : 0;
}
