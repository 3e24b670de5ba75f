// SPDX-License-Identifier: MIT
// Random queries in random scenes that change: every kind against each other, bit for bit, and against the
// reference. JOSTLE_SEED and JOSTLE_SCENES set a soak; JOSTLE_SCENE runs one scene alone, as a failure prints
// it.
#include "support/query_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// More than 1,000,000 queries, each asked of every kind.
#define SCENES 1600
#define QUERIES_PER_SCENE 700
#define LARGE_EVERY 20
#define QUERIES_PER_LARGE_SCENE 120
#define QUERIES_PER_STEP 40

// Of the rays and swept boxes that meet something, at most so many may leave a round undecided (a twentieth
// do): a reference that left all of them would find no fault.
#define UNDECIDED_SHARE 0.12

typedef struct Scene
{
    uint64_t seed;
    uint32_t index, step;
    int dimension;
    refRandom random;
    refSceneDef draw;
    joBroadPhase* broadPhases[KIT_VARIANT_COUNT];
    refObject *objects, *batch;
    uint32_t *indices, *keys;
    uint32_t count, limit;
    uint32_t nextNumber, keyStyle;
    refHits expected;
    kitAnswer all, answer;
    kitColumns columns;
} Scene;

// Over the whole run.
static uint64_t s_queryCount, s_hitCount, s_wayCount, s_undecidedCount;

static void printObject( const Scene* scene, uint32_t key )
{
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        const refObject* o = scene->objects + i;
        if ( o->key != key )
            continue;
        if ( o->round )
            print_error( "    key %u motion %d round (%a %a %a) radius %a\n", key, (int)o->motion,
                o->center[0], o->center[1], o->center[2], o->radius );
        else
            print_error( "    key %u motion %d box (%a %a %a) (%a %a %a)\n", key, (int)o->motion, o->lower[0],
                o->lower[1], o->lower[2], o->upper[0], o->upper[1], o->upper[2] );
        return;
    }
    print_error( "    key %u is none of the scene's\n", key );
}

static void printAnswer( const Scene* scene, const char* what, const kitAnswer* answer )
{
    print_error( "  %s: %llu%s%s\n", what, (unsigned long long)answer->count, answer->isHit ? ", hit" : "",
        answer->isOverrun ? ", written past the capacity" : "" );
    for ( uint64_t i = 0; i < answer->present && i < 12; ++i )
    {
        print_error( "   %a", (double)answer->distances[i] );
        printObject( scene, answer->keys[i] );
    }
}

static void failScene( const Scene* scene, const char* who, const char* why )
{
    print_error( "JOSTLE_SEED=%llu JOSTLE_SCENE=%u step %u: %s, %d axes, %s, %u objects\n",
        (unsigned long long)scene->seed, scene->index, scene->step, who, scene->dimension,
        refDistributionText( scene->draw.distribution ), scene->count );
    fail_msg( "%s", why );
}

static void require( const Scene* scene, int variant, joResult result, const char* call )
{
    char why[200];
    if ( result == jo_success )
        return;
    snprintf( why, sizeof why, "%s: %s", call, joResultText( result ) );
    failScene( scene, kitVariants[variant].name, why );
}

static uint32_t newKey( Scene* scene )
{
    uint32_t n = scene->nextNumber++;
    switch ( scene->keyStyle )
    {
        case 0:
            return n;
        case 1:
            return UINT32_MAX - n;
        default:
            n *= 0x9E3779B1u; // anything, in no order
            n ^= n >> 15;
            return n * 0x85EBCA77u;
    }
}

// --- changes ----------------------------------------------------------------------------------------------

typedef enum Verb
{
    verb_add,
    verb_set,
    verb_move
} Verb;

static joResult callOne( joBroadPhase* to, Verb verb, joMotion motion, const kitColumns* columns, bool round )
{
    switch ( verb )
    {
        case verb_add:
            return round ? joBroadPhase_AddCircles( to, motion, &columns->circles, NULL )
                         : joBroadPhase_AddBoxes( to, motion, &columns->boxes, NULL );
        case verb_set:
            return round ? joBroadPhase_SetCircles( to, &columns->circles, NULL )
                         : joBroadPhase_SetBoxes( to, &columns->boxes, NULL );
        default:
            return round ? joBroadPhase_MoveCircles( to, &columns->circles, NULL )
                         : joBroadPhase_MoveBoxes( to, &columns->boxes, NULL );
    }
}

// Calls the verb for the boxes among the objects, and again for the circles, on all kinds.
static void callAll( Scene* scene, Verb verb, joMotion motion, const refObject* objects, uint32_t count )
{
    for ( int round = 0; round < 2; ++round )
    {
        uint32_t chosen = 0;
        for ( uint32_t i = 0; i < count; ++i )
        {
            if ( objects[i].round == (bool)round )
                scene->indices[chosen++] = i;
        }
        if ( chosen == 0 )
            continue;
        kitFill( &scene->columns, objects, scene->indices, chosen, scene->dimension,
            scene->draw.layerCount == 0 ? kit_noLayers : kit_rows );
        for ( int v = 0; v < KIT_VARIANT_COUNT; ++v )
            require( scene, v, callOne( scene->broadPhases[v], verb, motion, &scene->columns, round ),
                verb == verb_add   ? "Add"
                : verb == verb_set ? "Set"
                                   : "Move" );
    }
}

static refObject drawObject( Scene* scene )
{
    refObject object = { .motion = ref_moving };
    refDrawShape( &scene->draw, &scene->random, &object );
    refDrawLayers( &scene->draw, &scene->random, &object );
    return object;
}

static void stepAdd( Scene* scene, uint32_t count, refMotion motion )
{
    if ( scene->count + count > scene->limit )
        count = scene->limit - scene->count;
    refObject* added = scene->objects + scene->count;
    for ( uint32_t i = 0; i < count; ++i )
    {
        added[i] = drawObject( scene );
        added[i].motion = motion;
        added[i].key = newKey( scene );
    }
    scene->count += count;
    callAll( scene, verb_add, (joMotion)motion, added, count );
}

// Chooses each object with one of several probabilities; gives how many, in scene->indices and keys.
static uint32_t choose( Scene* scene )
{
    static const double shares[] = { 0.01, 0.1, 0.5, 1.0 };
    double share = shares[refBelow( &scene->random, 4 )];
    uint32_t chosen = 0;
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        if ( refChance( &scene->random, share ) == false )
            continue;
        scene->keys[chosen] = scene->objects[i].key;
        scene->indices[chosen++] = i;
    }
    return chosen;
}

static void stepMove( Scene* scene )
{
    uint32_t chosen = choose( scene );
    uint32_t manner = refBelow( &scene->random, 3 );
    for ( uint32_t i = 0; i < chosen; ++i )
    {
        refObject* object = scene->objects + scene->indices[i];
        refObject old = *object;
        if ( manner == 0 )
            refJitter( &scene->draw, &scene->random, object );
        else if ( manner == 1 )
            *object = drawObject( scene );
        else
            *object = scene->objects[refBelow( &scene->random, scene->count )]; // teleport onto another
        object->key = old.key;
        object->motion = old.motion;
        scene->batch[i] = *object;
    }
    callAll( scene, verb_move, jo_moving, scene->batch, chosen );
}

static void stepMotion( Scene* scene )
{
    refMotion motion = (refMotion)refBelow( &scene->random, 3 );
    uint32_t chosen = choose( scene );
    for ( uint32_t i = 0; i < chosen; ++i )
        scene->objects[scene->indices[i]].motion = motion;
    for ( int v = 0; v < KIT_VARIANT_COUNT; ++v )
    {
        joResult result =
            joBroadPhase_SetMotion( scene->broadPhases[v], (joMotion)motion, scene->keys, chosen, NULL );
        require( scene, v, result, "SetMotion" );
    }
}

static void stepRemove( Scene* scene )
{
    uint32_t chosen = choose( scene ), kept = 0, next = 0;
    for ( int v = 0; v < KIT_VARIANT_COUNT; ++v )
        require(
            scene, v, joBroadPhase_Remove( scene->broadPhases[v], scene->keys, chosen, NULL ), "Remove" );
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        if ( next < chosen && scene->indices[next] == i )
            next += 1;
        else
            scene->objects[kept++] = scene->objects[i];
    }
    scene->count = kept;
}

static void stepClear( Scene* scene )
{
    for ( int v = 0; v < KIT_VARIANT_COUNT; ++v )
        joBroadPhase_Clear( scene->broadPhases[v] );
    scene->count = 0;
}

// Replaces all moving objects by some that are alike: boxes or rounds.
static void stepSet( Scene* scene, uint32_t count )
{
    uint32_t kept = 0;
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        if ( scene->objects[i].motion != ref_moving )
            scene->objects[kept++] = scene->objects[i];
    }
    scene->count = kept;
    joBoxes none = { .count = 0 };
    for ( int v = 0; v < KIT_VARIANT_COUNT; ++v )
        require( scene, v, joBroadPhase_SetBoxes( scene->broadPhases[v], &none, NULL ), "Set of none" );
    bool round = refChance( &scene->random, 0.5 );
    for ( uint32_t i = 0; i < count && scene->count < scene->limit; ++i )
    {
        refObject object = drawObject( scene );
        object.key = newKey( scene );
        if ( object.round == round )
            scene->objects[scene->count++] = object;
    }
    callAll( scene, verb_set, jo_moving, scene->objects + kept, scene->count - kept );
}

// Each kind is brought up to date or not, as it comes: it must not show.
static void stepUpdates( Scene* scene )
{
    bool mayFind = scene->count < 1000;
    for ( int v = 0; v < KIT_VARIANT_COUNT; ++v )
    {
        uint32_t way = refBelow( &scene->random, 4 );
        uint64_t pairCount = 0;
        if ( way == 1 || ( way > 1 && mayFind == false ) )
            require( scene, v, joBroadPhase_Update( scene->broadPhases[v] ), "Update" );
        else if ( way == 2 )
            require( scene, v, joBroadPhase_CountPairs( scene->broadPhases[v], &pairCount ), "CountPairs" );
        else if ( way == 3 )
            require(
                scene, v, joBroadPhase_FindPairs( scene->broadPhases[v], NULL, 0, &pairCount ), "FindPairs" );
    }
}

static void stepChanges( Scene* scene )
{
    uint32_t operations = refBelow( &scene->random, 4 );
    for ( uint32_t k = 0; k < operations; ++k )
    {
        uint32_t draw = refBelow( &scene->random, 100 );
        if ( draw < 25 )
            stepAdd( scene, refBelow( &scene->random, scene->draw.count / 4 + 4 ),
                (refMotion)refBelow( &scene->random, 3 ) );
        else if ( draw < 60 )
            stepMove( scene );
        else if ( draw < 75 )
            stepMotion( scene );
        else if ( draw < 90 )
            stepRemove( scene );
        else if ( draw < 92 )
            stepClear( scene );
        else
            stepSet( scene, refBelow( &scene->random, scene->draw.count + 2 ) );
    }
}

// --- queries ----------------------------------------------------------------------------------------------

static void failQuery( const Scene* scene, const kitQuery* query, int variant, const char* why )
{
    kitPrintQuery( query, scene->dimension );
    printAnswer( scene, "all, by brute force", &scene->all );
    if ( variant >= 0 )
        printAnswer( scene, kitVariants[variant].name, &scene->answer );
    print_error( "  the reference: %zu\n", scene->expected.count );
    for ( size_t i = 0; i < scene->expected.count && i < 12; ++i )
    {
        const refHit* hit = scene->expected.data + i;
        print_error( "   %a to %a%s", (double)hit->nearest, (double)hit->highest, hit->isSure ? "" : " ?" );
        printObject( scene, hit->key );
    }
    failScene( scene, variant >= 0 ? kitVariants[variant].name : "the reference", why );
}

static void askOne( Scene* scene )
{
    kitQuery query;
    kitDrawQuery( &scene->draw, &scene->random, scene->objects, scene->count, &query );
    refAsk( &query.reference, scene->objects, scene->count, scene->dimension, &scene->expected );
    require( scene, 0,
        kitAsk( scene->broadPhases[0], scene->dimension, &query, kit_formAll, scene->count, &scene->all ),
        "a query" );
    if ( scene->all.count > scene->count )
        failQuery( scene, &query, -1, "there are more than objects" );
    refFault fault =
        refFindFault( &scene->expected, scene->all.keys, scene->all.distances, scene->all.count );
    if ( fault.text != NULL )
    {
        print_error( "  at fault:\n" );
        printObject( scene, fault.key );
        failQuery( scene, &query, -1, fault.text );
    }
    kitForm form = kitDrawForm( &query, &scene->random );
    uint64_t room = scene->count;
    if ( form == kit_formFew )
        room = refBelow( &scene->random, (uint32_t)scene->all.count + 3 );
    for ( int v = 0; v < KIT_VARIANT_COUNT; ++v )
    {
        joResult result =
            kitAsk( scene->broadPhases[v], scene->dimension, &query, form, room, &scene->answer );
        require( scene, v, result, "a query" );
        if ( kitAgrees( &scene->answer, form, room, &scene->all ) == false )
            failQuery( scene, &query, v, "differs from brute force" );
    }
    s_queryCount += 1;
    s_hitCount += scene->expected.count;
    bool isWay = query.reference.kind == ref_ray || query.reference.kind == ref_sweptBox;
    s_wayCount += isWay && scene->expected.count > 0;
    s_undecidedCount += scene->expected.undecidedCount > 0;
}

// --- scenes -----------------------------------------------------------------------------------------------

static joBroadPhaseDef drawDef( Scene* scene, const kitVariant* variant )
{
    refRandom* random = &scene->random;
    joBroadPhaseDef def = kitDef( variant, scene->dimension );
    if ( refChance( random, 0.5 ) )
        def.cellSize = (float)scene->draw.cellSize;
    if ( refChance( random, 0.04 ) )
        def.cellSize = refChance( random, 0.5 ) ? 1e-38f : 3e38f;
    if ( refChance( random, 0.6 ) )
    {
        def.maxDepth = 1 + refBelow( random, JO_MAX_TREE_DEPTH );
        def.leafCapacity = 1 + refBelow( random, 24 );
    }
    if ( variant->looseness > 1.0f && refChance( random, 0.7 ) )
        def.looseness = (float)refRange( random, 1.0001, 2.0 );
    return def;
}

static void drawScene( Scene* scene, bool isLarge )
{
    static const double cellSizes[] = { 1.0, 0.5, 0.3, 3.0, 0.1, 1e-3, 64.0, 1e6 };
    refRandom* random = &scene->random;
    refSceneDef* draw = &scene->draw;
    scene->dimension = draw->axisCount = 2 + (int)refBelow( random, 2 );
    draw->distribution = (refDistribution)refBelow( random, ref_distributionCount );
    // Whole numbers, where ties and exact touches abound, more often than the rest.
    if ( refChance( random, 0.15 ) )
        draw->distribution = ref_integers;
    draw->count = isLarge ? 5001 + refBelow( random, 2500 ) : (uint32_t)pow( 301.0, refUnit( random ) ) - 1;
    draw->cellSize = cellSizes[refBelow( random, isLarge ? 4 : 8 )];
    draw->roundShare = refChance( random, 0.4 ) ? 0.0 : refChance( random, 0.3 ) ? 1.0 : 0.4;
    draw->neighbours = exp( refRange( random, -1.5, 2.0 ) );
    draw->layerCount = refChance( random, 0.6 ) ? 0 : 1 + refBelow( random, 6 );
    refPrepareScene( draw, random );
    scene->keyStyle = refBelow( random, 3 );
    scene->limit = 2 * draw->count + 40;
}

static void runScene( uint64_t seed, uint32_t index )
{
    Scene scene = { .seed = seed, .index = index };
    scene.random = refMakeRandom( seed, index );
    bool isLarge = index % LARGE_EVERY == LARGE_EVERY - 1;
    drawScene( &scene, isLarge );
    size_t room = scene.limit + 2;
    scene.objects = calloc( room, sizeof( refObject ) );
    scene.batch = calloc( room, sizeof( refObject ) );
    scene.indices = calloc( room, sizeof( uint32_t ) );
    scene.keys = calloc( room, sizeof( uint32_t ) );
    assert_true( scene.objects && scene.batch && scene.indices && scene.keys );
    for ( int v = 0; v < KIT_VARIANT_COUNT; ++v )
    {
        joBroadPhaseDef def = drawDef( &scene, kitVariants + v );
        require( &scene, v, joCreateBroadPhase( &def, &scene.broadPhases[v] ), "joCreateBroadPhase" );
    }
    for ( int motion = 0; motion < 3; ++motion )
        stepAdd( &scene, motion == 2 ? scene.draw.count : refBelow( &scene.random, scene.draw.count / 2 + 1 ),
            (refMotion)motion );
    uint32_t queries = isLarge ? QUERIES_PER_LARGE_SCENE : QUERIES_PER_SCENE;
    for ( uint32_t done = 0; done < queries; done += QUERIES_PER_STEP, ++scene.step )
    {
        stepUpdates( &scene );
        for ( uint32_t k = 0; k < QUERIES_PER_STEP / 2; ++k )
            askOne( &scene );
        stepChanges( &scene ); // and asked at once
        for ( uint32_t k = 0; k < QUERIES_PER_STEP / 2; ++k )
            askOne( &scene );
    }
    for ( int v = 0; v < KIT_VARIANT_COUNT; ++v )
        joDestroyBroadPhase( scene.broadPhases[v] );
    refFreeHits( &scene.expected );
    kitFreeAnswer( &scene.all );
    kitFreeAnswer( &scene.answer );
    kitFreeColumns( &scene.columns );
    free( scene.objects );
    free( scene.batch );
    free( scene.indices );
    free( scene.keys );
}

static void everyKindAnswersAsTheReference( void** state )
{
    (void)state;
    uint64_t seed = kitEnvironment( "JOSTLE_SEED", 20260201 );
    uint32_t scenes = (uint32_t)kitEnvironment( "JOSTLE_SCENES", kitQuick() ? SCENES / 20 : SCENES );
    uint32_t first = 0;
    if ( getenv( "JOSTLE_SCENE" ) )
    {
        first = (uint32_t)kitEnvironment( "JOSTLE_SCENE", 0 );
        scenes = first + 1;
    }
    print_message( "seed %llu, scenes %u to %u, %s\n", (unsigned long long)seed, first, scenes,
        joIsaText( joGetIsa() ) );
    for ( uint32_t index = first; index < scenes; ++index )
        runScene( seed, index );
    print_message( "%llu queries, %llu hits; %llu rays and swept boxes that hit, %llu with some undecided\n",
        (unsigned long long)s_queryCount, (unsigned long long)s_hitCount, (unsigned long long)s_wayCount,
        (unsigned long long)s_undecidedCount );
    assert_true( (double)s_undecidedCount <= UNDECIDED_SHARE * (double)s_wayCount + 50.0 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        { "every kind answers random queries as the reference does", everyKindAnswersAsTheReference, NULL,
            NULL, NULL },
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
