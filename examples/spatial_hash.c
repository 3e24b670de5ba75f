// SPDX-License-Identifier: MIT
// Points in a spatial hash: trees stand, sheep graze, and each frame every sheep asks what is near: it keeps
// away from trees and seeks the herd. The trees are sorted into cells once, the sheep in each frame.
#include "jostle/jostle.h"

#include <math.h>
#include <stdio.h>

#define TREE_COUNT 2000
#define SHEEP_COUNT 1000
#define SIDE 300.0f
#define SIGHT 6.0f
#define MAX_NEAR 64
#define FRAME_COUNT 50

typedef struct Point
{
    float position[2];
    uint32_t value; // trees from 0, sheep from TREE_COUNT: one number says which
} Point;

static Point s_things[TREE_COUNT + SHEEP_COUNT];

static joPoints pointsOf( const Point* first, uint32_t count )
{
    const size_t stride = sizeof( Point );
    return ( joPoints ){ .x = { &first->position[0], stride },
        .y = { &first->position[1], stride },
        .value = { &first->value, stride },
        .count = count };
}

// Where a sheep goes, from what is near it: away from trees, towards other sheep.
static void chooseStep( const Point* sheep, const uint32_t* near, uint64_t nearCount, float step[2] )
{
    step[0] = step[1] = 0.0f;
    for ( uint64_t i = 0; i < nearCount && i < MAX_NEAR; ++i )
    {
        const Point* other = &s_things[near[i]];
        const float weight = near[i] < TREE_COUNT ? -1.0f : 0.4f;
        const float dx = other->position[0] - sheep->position[0];
        const float dy = other->position[1] - sheep->position[1];
        const float distance = sqrtf( dx * dx + dy * dy ) + 1.0f;
        step[0] += weight * dx / ( distance * distance );
        step[1] += weight * dy / ( distance * distance );
    }
    for ( int axis = 0; axis < 2; ++axis )
    {
        step[axis] = fminf( fmaxf( 0.3f * step[axis], -0.5f ), 0.5f );
    }
}

static joResult runFrame( joSpatialHash* hash, uint64_t* nearTotal )
{
    static float steps[SHEEP_COUNT][2];
    Point* sheep = s_things + TREE_COUNT;
    joSpatialHash_ClearMoving( hash );
    const joPoints moving = pointsOf( sheep, SHEEP_COUNT );
    joResult result = joSpatialHash_AddMoving( hash, &moving, NULL );
    *nearTotal = 0;
    for ( uint32_t i = 0; i < SHEEP_COUNT && result == jo_success; ++i )
    {
        // If more are near than the buffer holds, it has the first in order, and the count says how many
        // there are.
        uint32_t near[MAX_NEAR];
        uint64_t nearCount = 0;
        result = joSpatialHash_QueryRadius( hash, sheep[i].position, SIGHT, near, MAX_NEAR, &nearCount );
        chooseStep( &sheep[i], near, nearCount, steps[i] );
        *nearTotal += nearCount;
    }
    for ( uint32_t i = 0; i < SHEEP_COUNT && result == jo_success; ++i )
    {
        sheep[i].position[0] += steps[i][0];
        sheep[i].position[1] += steps[i][1];
    }
    return result;
}

int main( void )
{
    joRandom random = joMakeRandom( 5 );
    for ( uint32_t i = 0; i < TREE_COUNT + SHEEP_COUNT; ++i )
    {
        // The origin is in the middle: cells of negative coordinates are cells like others.
        s_things[i].position[0] = joRandom_Range( &random, -0.5f * SIDE, 0.5f * SIDE );
        s_things[i].position[1] = joRandom_Range( &random, -0.5f * SIDE, 0.5f * SIDE );
        s_things[i].value = i;
    }

    joSpatialHashDef def = joDefaultSpatialHashDef();
    def.cellSize = SIGHT;
    joSpatialHash* hash = NULL;
    joResult result = joCreateSpatialHash( &def, &hash );
    if ( result == jo_success )
    {
        const joPoints trees = pointsOf( s_things, TREE_COUNT );
        result = joSpatialHash_AddStill( hash, &trees, NULL );
    }
    for ( int frame = 0; frame < FRAME_COUNT && result == jo_success; ++frame )
    {
        uint64_t nearTotal = 0;
        result = runFrame( hash, &nearTotal );
        if ( frame % 10 == 0 && result == jo_success )
        {
            const joSpatialHashStats stats = joSpatialHash_GetStats( hash );
            printf( "frame %2d: %u trees, %u sheep in %u cells, %.2f things near a sheep\n", frame,
                stats.stillCount, stats.movingCount, stats.cells, (double)nearTotal / SHEEP_COUNT );
        }
    }
    if ( result != jo_success )
    {
        fprintf( stderr, "spatial_hash: %s\n", joResultText( result ) );
    }
    joDestroySpatialHash( hash );
    return result == jo_success ? 0 : 1;
}
