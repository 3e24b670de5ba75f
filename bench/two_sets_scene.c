// SPDX-License-Identifier: MIT
#include "two_sets_scene.h"

#include "contestant.h"

#include <math.h>
#include <stdio.h>

#define BULLET_RADIUS 0.25f
#define BULLET_SPEED 15.0f // times that of the crowd

static joCrowd* CreateDiscs( uint32_t count, uint64_t seed )
{
    joCrowd* discs;
    const joResult result = joCreateCrowd( count, seed, &discs );
    if ( result != jo_success )
    {
        fprintf( stderr, "jostle-bench: two-sets: %s\n", joResultText( result ) );
        exit( 3 );
    }
    return discs;
}

static void BoundDiscs( const joCrowd* discs, float* boxes )
{
    for ( uint32_t i = 0; i < discs->count; ++i, boxes += 6 )
    {
        boxes[0] = nextafterf( discs->x[i] - discs->radius, -INFINITY );
        boxes[1] = nextafterf( discs->y[i] - discs->radius, -INFINITY );
        boxes[3] = nextafterf( discs->x[i] + discs->radius, INFINITY );
        boxes[4] = nextafterf( discs->y[i] + discs->radius, INFINITY );
        boxes[2] = boxes[5] = 0.0f;
    }
}

benchTwoSets* benchCreateTwoSets( uint32_t enemyCount, uint64_t seed )
{
    benchTwoSets* twoSets = benchAllocate( 1, sizeof( benchTwoSets ) );
    const uint32_t bulletCount =
        enemyCount / BENCH_ENEMIES_PER_BULLET > 0 ? enemyCount / BENCH_ENEMIES_PER_BULLET : 1;
    twoSets->enemies = CreateDiscs( enemyCount, seed );
    twoSets->bullets = CreateDiscs( bulletCount, seed + 1 );
    joCrowd* bullets = twoSets->bullets;
    const float stretch = twoSets->enemies->side / bullets->side;
    for ( uint32_t i = 0; i < bulletCount; ++i )
    {
        bullets->x[i] *= stretch;
        bullets->y[i] *= stretch;
        bullets->velocityX[i] *= BULLET_SPEED;
        bullets->velocityY[i] *= BULLET_SPEED;
    }
    bullets->side = twoSets->enemies->side;
    bullets->radius = BULLET_RADIUS;
    twoSets->bulletBoxes = benchAllocate( bulletCount, 6 * sizeof( float ) );
    twoSets->enemyBoxes = benchAllocate( enemyCount, 6 * sizeof( float ) );
    BoundDiscs( bullets, twoSets->bulletBoxes );
    BoundDiscs( twoSets->enemies, twoSets->enemyBoxes );
    return twoSets;
}

void benchDestroyTwoSets( benchTwoSets* twoSets )
{
    if ( twoSets == NULL )
    {
        return;
    }
    joDestroyCrowd( twoSets->bullets );
    joDestroyCrowd( twoSets->enemies );
    free( twoSets->bulletBoxes );
    free( twoSets->enemyBoxes );
    free( twoSets );
}

void benchStepTwoSets( benchTwoSets* twoSets )
{
    joCrowd_Move( twoSets->bullets, JO_CROWD_TIME_STEP );
    joCrowd_Move( twoSets->enemies, JO_CROWD_TIME_STEP );
    BoundDiscs( twoSets->bullets, twoSets->bulletBoxes );
    BoundDiscs( twoSets->enemies, twoSets->enemyBoxes );
}
