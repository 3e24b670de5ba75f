// SPDX-License-Identifier: MIT
#include "two_sets_kit.h"

#include <stdio.h>
#include <stdlib.h>

joTwoSets* twoSetsCreate( const joTwoSetsDef* def )
{
    joTwoSets* twoSets = NULL;
    kitRequire( joCreateTwoSets( def, &twoSets ), "joCreateTwoSets" );
    return twoSets;
}

joTwoSetsDef twoSetsDef( int dimension, joJobs* jobs )
{
    joTwoSetsDef def = joDefaultTwoSetsDef();
    def.dimension = dimension;
    def.jobs = jobs;
    def.allocator = kitAllocator( &kitDefaultHeap );
    return def;
}

void twoSetsRequire( const joPair* found, uint64_t foundCount, const refPairs* expected, const char* what )
{
    size_t at = kitFirstDifference( found, foundCount, expected->data, expected->count );
    if ( at == expected->count && at == foundCount )
        return;
    char is[64] = "none", wanted[64] = "none";
    if ( at < foundCount )
        snprintf( is, sizeof is, "(%u, %u)", found[at].a, found[at].b );
    if ( at < expected->count )
        snprintf( wanted, sizeof wanted, "(%u, %u)", expected->data[at].a, expected->data[at].b );
    fail_msg( "%s: %llu pairs, %zu expected; pair %zu is %s, expected %s", what,
        (unsigned long long)foundCount, expected->count, at, is, wanted );
}

// Finds both ways round and counts, and compares.
void twoSetsCheck( joTwoSets* twoSets, const kitScene* a, const kitScene* b, const char* what )
{
    char text[240];
    for ( int turn = 0; turn < 2; ++turn )
    {
        const kitScene* first = turn == 0 ? a : b;
        const kitScene* second = turn == 0 ? b : a;
        snprintf( text, sizeof text, "%s with %s, %dD, %u x %u, %s", first->variant->name,
            second->variant->name, a->dimension, first->count, second->count, what );
        refPairs expected = { 0 };
        refFindPairsBetween(
            first->objects, first->count, second->objects, second->count, a->dimension, &expected );
        uint64_t count = 77, viewed = 77;
        kitRequire(
            joTwoSets_FindPairs( twoSets, first->broadPhase, second->broadPhase, NULL, 0, &count ), text );
        const joPair* pairs = joTwoSets_ViewPairs( twoSets, &viewed );
        assert_int_equal( viewed, count );
        twoSetsRequire( pairs, viewed, &expected, text );
        kitRequire( joTwoSets_CountPairs( twoSets, first->broadPhase, second->broadPhase, &count ), text );
        if ( count != expected.count )
            fail_msg( "%s: %llu pairs counted, not %zu", text, (unsigned long long)count, expected.count );
        refFreePairs( &expected );
    }
}

void twoSetsEndFirst( kitScene* scene )
{
    joDestroyBroadPhase( scene->broadPhase );
    free( scene->objects );
    *scene = ( kitScene ){ 0 };
}

void twoSetsAddPlain( kitScene* scene, uint32_t first )
{
    kitColumns columns = { 0 };
    for ( uint32_t i = first; i < scene->count; )
    {
        const refObject* object = scene->objects + i;
        uint32_t last = i;
        while ( last < scene->count && scene->objects[last].motion == object->motion &&
                scene->objects[last].round == object->round )
            ++last;
        joMotion motion = (joMotion)object->motion;
        kitFill( &columns, object, NULL, last - i, scene->dimension, kit_noLayers );
        kitRequire( object->round
                        ? joBroadPhase_AddCircles( scene->broadPhase, motion, &columns.circles, NULL )
                        : joBroadPhase_AddBoxes( scene->broadPhase, motion, &columns.boxes, NULL ),
            "Add" );
        i = last;
    }
    kitFreeColumns( &columns );
}

void twoSetsFill( kitScene* scene, uint32_t count, double side, double offset, double radius, uint64_t seed )
{
    refRandom random = refMakeRandom( seed, count );
    for ( uint32_t i = 0; i < count; ++i )
    {
        double x = offset + refRange( &random, 0.0, side ), y = offset + refRange( &random, 0.0, side );
        double z = scene->dimension == 3 ? offset + refRange( &random, 0.0, side ) : 0.0;
        double r = i % 200 == 199 ? 9.0 * radius : radius * refRange( &random, 0.8, 1.2 );
        kitPush(
            scene, i % 7 == 3 ? kitBox3( i, x, y, z, x + r, y + r, z + 0.3 * r ) : kitBall( i, x, y, z, r ) );
    }
    twoSetsAddPlain( scene, 0 );
}
