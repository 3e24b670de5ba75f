// SPDX-License-Identifier: MIT
// Bullets against enemies: 200 bullets fly through 5,000 enemies that walk about. A bullet that hits is
// spent, and another one starts from the middle.
#include "jostle/jostle.h"

#include <stdio.h>

#define SIDE 200.0f
#define BULLETS 200
#define ENEMIES 5000

typedef struct Mover
{
    float x, y, velocityX, velocityY;
} Mover;

static void start( Mover* mover, float x, float y, float speed, joRandom* random )
{
    *mover =
        ( Mover ){ x, y, joRandom_Range( random, -speed, speed ), joRandom_Range( random, -speed, speed ) };
}

static joResult move( joBroadPhase* broadPhase, Mover* movers, uint32_t count, float radius )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        movers[i].x += movers[i].velocityX;
        movers[i].y += movers[i].velocityY;
    }
    joCircles circles = { .x = { &movers->x, sizeof( Mover ) },
        .y = { &movers->y, sizeof( Mover ) },
        .radius = { &radius, 0 },
        .count = count };
    return joBroadPhase_SetCircles( broadPhase, &circles, NULL );
}

int main( void )
{
    static Mover bullets[BULLETS], enemies[ENEMIES];
    joRandom random = joMakeRandom( 1 );
    for ( int i = 0; i < BULLETS; ++i )
        start( &bullets[i], SIDE / 2.0f, SIDE / 2.0f, 3.0f, &random );
    for ( int i = 0; i < ENEMIES; ++i )
        start( &enemies[i], joRandom_Range( &random, 0.0f, SIDE ), joRandom_Range( &random, 0.0f, SIDE ),
            0.1f, &random );

    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    joTwoSetsDef twoSetsDef = joDefaultTwoSetsDef();
    def.dimension = twoSetsDef.dimension = 2;
    joBroadPhase *bulletSet = NULL, *enemySet = NULL;
    joTwoSets* twoSets = NULL;
    joResult result = joCreateBroadPhase( &def, &bulletSet );
    if ( !result )
        result = joCreateBroadPhase( &def, &enemySet );
    if ( !result )
        result = joCreateTwoSets( &twoSetsDef, &twoSets );

    int hits = 0;
    for ( int frame = 1; frame <= 60 && !result; ++frame )
    {
        uint64_t count = 0;
        result = move( bulletSet, bullets, BULLETS, 0.2f );
        if ( !result )
            result = move( enemySet, enemies, ENEMIES, 0.5f );
        if ( !result )
            result = joTwoSets_FindPairs( twoSets, bulletSet, enemySet, NULL, 0, &count );
        const joPair* pairs = joTwoSets_ViewPairs( twoSets, &count );
        for ( uint64_t i = 0; i < count; ++i )
        {
            // The pairs of one bullet follow each other: the first enemy takes it.
            if ( i > 0 && pairs[i].a == pairs[i - 1].a )
                continue;
            start( &bullets[pairs[i].a], SIDE / 2.0f, SIDE / 2.0f, 3.0f, &random );
            hits += 1;
        }
        if ( frame % 20 == 0 )
            printf( "frame %d: %d hits so far\n", frame, hits );
    }
    joDestroyTwoSets( twoSets );
    joDestroyBroadPhase( enemySet );
    joDestroyBroadPhase( bulletSet );
    return result ? 1 : 0;
}
