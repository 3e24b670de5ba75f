// SPDX-License-Identifier: MIT
#include "query_rig.h"

#include <stdio.h>
#include <stdlib.h>

void queryCompare( const joBroadPhase* brute, const joBroadPhase* broadPhase, int dimension,
    const kitQuery* query, kitForm form, uint64_t room, const char* what )
{
    kitAnswer all = { 0 }, answer = { 0 };
    const uint64_t objectCount = joBroadPhase_GetStats( brute ).movingCount;
    kitRequire( kitAsk( brute, dimension, query, kit_formAll, objectCount, &all ), "a query" );
    kitRequire( kitAsk( broadPhase, dimension, query, form, room, &answer ), "a query" );
    if ( !kitAgrees( &answer, form, room, &all ) )
    {
        kitPrintQuery( query, dimension );
        for ( uint64_t i = 0; i < 12 && ( i < all.present || i < answer.present ); ++i )
        {
            const bool isRight = i < all.present, isFound = i < answer.present;
            print_error( "  %u at %a, not %u at %a\n", isFound ? answer.keys[i] : JO_NULL_INDEX,
                isFound ? (double)answer.distances[i] : -1.0, isRight ? all.keys[i] : JO_NULL_INDEX,
                isRight ? (double)all.distances[i] : -1.0 );
        }
        fail_msg( "%s: found %llu of %llu, form %d", what, (unsigned long long)answer.count,
            (unsigned long long)all.count, (int)form );
    }
    kitFreeAnswer( &all );
    kitFreeAnswer( &answer );
}

static void drawObjects( const refSceneDef* scene, refRandom* random, refObject* objects )
{
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        objects[i].key = i;
        objects[i].motion = ref_moving;
        refDrawShape( scene, random, objects + i );
        refDrawLayers( scene, random, objects + i );
    }
}

void queryCheckScene( const joBroadPhaseDef* def, const refSceneDef* sceneDef, uint32_t queryCount,
    refRandom* random, const char* what )
{
    refSceneDef scene = *sceneDef;
    refPrepareScene( &scene, random );
    refObject* objects = calloc( scene.count, sizeof( *objects ) );
    assert_non_null( objects );
    drawObjects( &scene, random, objects );
    joBroadPhaseDef bruteDef = joDefaultBroadPhaseDef();
    bruteDef.kind = jo_bruteForce;
    bruteDef.dimension = def->dimension;
    joBroadPhase* brute = kitCreate( &bruteDef );
    joBroadPhase* broadPhase = kitCreate( def );
    kitRequire( kitAdd( brute, def->dimension, jo_moving, objects, scene.count ), "add" );
    kitRequire( kitAdd( broadPhase, def->dimension, jo_moving, objects, scene.count ), "add" );
    kitRequire( joBroadPhase_Update( brute ), "Update" );

    char text[200];
    for ( uint32_t i = 0; i < queryCount; ++i )
    {
        const bool isMoved = i == queryCount / 2 || i == queryCount * 3 / 4;
        if ( isMoved )
        {
            drawObjects( &scene, random, objects );
            kitRequire( kitMove( brute, def->dimension, objects, scene.count ), "move" );
            kitRequire( kitMove( broadPhase, def->dimension, objects, scene.count ), "move" );
            kitRequire( joBroadPhase_Update( brute ), "Update" );
        }
        if ( i == queryCount / 16 || isMoved )
        {
            uint64_t pairCount;
            kitRequire( i == queryCount / 2 ? joBroadPhase_CountPairs( broadPhase, &pairCount )
                                            : joBroadPhase_Update( broadPhase ),
                "Update" );
            assert_true( joBroadPhase_Validate( broadPhase ) );
        }
        kitQuery query;
        kitDrawQuery( &scene, random, objects, scene.count, &query );
        const kitForm form = kitDrawForm( &query, random );
        const uint64_t room = form == kit_formFew ? refBelow( random, 12 ) : scene.count;
        snprintf( text, sizeof( text ), "%s, %s of %u, %d axes, query %u", what,
            refDistributionText( scene.distribution ), scene.count, scene.axisCount, i );
        queryCompare( brute, broadPhase, def->dimension, &query, form, room, text );
    }
    joDestroyBroadPhase( brute );
    joDestroyBroadPhase( broadPhase );
    free( objects );
}
