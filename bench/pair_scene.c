// SPDX-License-Identifier: MIT
#include "pair_scene.h"

#include "contestant.h"

// In the order of options.h.
static const benchPairFamily* const s_families[] = {
    &benchBoxFamily, &benchFlatFamily, &benchRoundFamily, &benchHullFamily };

static const benchPairFamily* FindFamily( int* workload )
{
    const benchPairFamily* const* family = s_families;
    while ( *workload >= ( *family )->workloadCount )
    {
        *workload -= ( *family )->workloadCount;
        family += 1;
    }
    return *family;
}

const char* benchPairWorkloadText( int workload )
{
    return FindFamily( &workload )->text( workload );
}

uint32_t benchDefaultPairCount( int workload )
{
    return FindFamily( &workload )->defaultCount( workload );
}

benchPairScene* benchCreatePairScene( int workload, uint32_t count, uint64_t seed )
{
    benchPairScene* scene = benchAllocate( 1, sizeof( benchPairScene ) );
    scene->family = FindFamily( &workload );
    scene->workload = workload;
    scene->count = count;
    scene->family->create( scene, seed );
    return scene;
}

void benchDestroyPairScene( benchPairScene* scene )
{
    for ( uint32_t i = 0; i < scene->hullCount; ++i )
    {
        joDestroyHull3( scene->hulls[i], NULL );
    }
    free( scene->hulls );
    free( scene->hullOfBody );
    free( scene->shapes );
    free( scene->poses );
    free( scene->shapes2 );
    free( scene->poses2 );
    free( scene->polygons );
    free( scene->velocities );
    free( scene->spins );
    free( scene->pairs );
    free( scene );
}
