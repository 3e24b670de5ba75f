// SPDX-License-Identifier: MIT
// Which of a thousand units touch? The library reads the positions out of the program's own structs.
#include "jostle/jostle.h"

#include <stdio.h>

typedef struct Unit
{
    float position[2], radius;
    int team;
} Unit;

int main( void )
{
    static Unit units[1000];
    joRandom random = joMakeRandom( 1 );
    for ( int i = 0; i < 1000; ++i )
    {
        units[i].position[0] = joRandom_Range( &random, 0.0f, 100.0f );
        units[i].position[1] = joRandom_Range( &random, 0.0f, 100.0f );
        units[i].radius = 1.0f;
    }
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.dimension = 2;
    joBroadPhase* broadPhase = NULL;
    joResult result = joCreateBroadPhase( &def, &broadPhase );
    joCircles circles = { .x = { &units->position[0], sizeof( Unit ) },
        .y = { &units->position[1], sizeof( Unit ) },
        .radius = { &units->radius, sizeof( Unit ) },
        .count = 1000 };
    static joPair pairs[3];
    uint64_t pairCount = 0;
    result = result ? result : joBroadPhase_SetCircles( broadPhase, &circles, NULL );
    result = result ? result : joBroadPhase_FindPairs( broadPhase, pairs, 3, &pairCount );
    printf( "%s %llu pairs touch.\n", joResultText( result ), (unsigned long long)pairCount );
    for ( uint64_t i = 0; i < 3 && i < pairCount; ++i )
        printf( "%u and %u\n", pairs[i].a, pairs[i].b );
    joDestroyBroadPhase( broadPhase );
    return result ? 1 : 0;
}
