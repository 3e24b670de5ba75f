// SPDX-License-Identifier: MIT
#include "sleepers_scene.h"

#include "contestant.h"

#include <math.h>
#include <stdio.h>

// A circle of the two radii around a mover holds 1.5 centres at the crowd's packing.
#define MOVER_RADIUS 0.62f

// Square cells that are as wide as the farthest that two discs reach: whoever touches a mover is in a cell
// beside that of its centre.
typedef struct WayMap
{
    bool* isNear;
    float cellSide;
    int cellsPerSide;
} WayMap;

static joCrowd* CreateDiscs( uint32_t count, uint64_t seed )
{
    joCrowd* discs;
    const joResult result = joCreateCrowd( count, seed, &discs );
    if ( result != jo_success )
    {
        fprintf( stderr, "jostle-bench: sleepers: %s\n", joResultText( result ) );
        exit( 3 );
    }
    return discs;
}

static int CellOf( const WayMap* map, float position )
{
    return (int)floorf( position / map->cellSide );
}

static bool IsInside( const WayMap* map, int column, int row )
{
    return column >= 0 && row >= 0 && column < map->cellsPerSide && row < map->cellsPerSide;
}

static void MarkAround( WayMap* map, float x, float y )
{
    const int column = CellOf( map, x ), row = CellOf( map, y );
    for ( int i = 0; i < 9; ++i )
    {
        const int toColumn = column + i % 3 - 1, toRow = row + i / 3 - 1;
        if ( IsInside( map, toColumn, toRow ) )
        {
            map->isNear[(size_t)toRow * (size_t)map->cellsPerSide + (size_t)toColumn] = true;
        }
    }
}

static void MarkNearby( benchSleepersScene* scene, uint32_t frames )
{
    const joCrowd* movers = scene->movers;
    const joCrowd* sleepers = scene->sleepers;
    // The margin is beyond what a world keeps around its contacts, and what a step rounds.
    WayMap map = { .cellSide = movers->radius + sleepers->radius + 0.1f };
    map.cellsPerSide = CellOf( &map, sleepers->side ) + 1;
    map.isNear = benchAllocate( (size_t)map.cellsPerSide * (size_t)map.cellsPerSide, sizeof( bool ) );
    for ( uint32_t i = 0; i < movers->count; ++i )
    {
        for ( uint32_t frame = 0; frame <= frames; ++frame )
        {
            const float time = (float)frame * JO_CROWD_TIME_STEP;
            MarkAround( &map, movers->x[i] + time * movers->velocityX[i],
                movers->y[i] + time * movers->velocityY[i] );
        }
    }
    for ( uint32_t i = 0; i < sleepers->count; ++i )
    {
        const int column = CellOf( &map, sleepers->x[i] ), row = CellOf( &map, sleepers->y[i] );
        scene->isNearby[i] = IsInside( &map, column, row ) &&
                             map.isNear[(size_t)row * (size_t)map.cellsPerSide + (size_t)column];
    }
    free( map.isNear );
}

benchSleepersScene* benchCreateSleepersScene( uint32_t sleeperCount, uint32_t frames, uint64_t seed )
{
    benchSleepersScene* scene = benchAllocate( 1, sizeof( benchSleepersScene ) );
    const uint32_t moverCount = sleeperCount / BENCH_SLEEPERS_PER_MOVER;
    scene->sleepers = CreateDiscs( sleeperCount, seed );
    scene->movers =
        CreateDiscs( moverCount > BENCH_LEAST_MOVERS ? moverCount : BENCH_LEAST_MOVERS, seed + 1 );
    joCrowd* movers = scene->movers;
    const float stretch = scene->sleepers->side / movers->side;
    for ( uint32_t i = 0; i < movers->count; ++i )
    {
        movers->x[i] *= stretch;
        movers->y[i] *= stretch;
    }
    movers->side = scene->sleepers->side;
    movers->radius = MOVER_RADIUS;
    scene->isNearby = benchAllocate( sleeperCount, sizeof( bool ) );
    MarkNearby( scene, frames );
    return scene;
}

void benchDestroySleepersScene( benchSleepersScene* scene )
{
    if ( scene == NULL )
    {
        return;
    }
    joDestroyCrowd( scene->sleepers );
    joDestroyCrowd( scene->movers );
    free( scene->isNearby );
    free( scene );
}

const char* benchSleepersLayoutText( benchSleepersLayout layout )
{
    static const char* const texts[bench_sleepersLayoutCount] = { "alone", "apart", "nearby", "among" };
    return texts[layout];
}

bool benchSleepersScene_Holds( const benchSleepersScene* scene, benchSleepersLayout layout, uint32_t sleeper )
{
    return layout == bench_moversNearby ? scene->isNearby[sleeper] : layout != bench_moversAlone;
}
