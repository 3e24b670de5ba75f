// SPDX-License-Identifier: MIT
// Random scenes: every kind against the oracle, after every step. JOSTLE_SEED and JOSTLE_SCENES (scenes per
// variant) set a soak; JOSTLE_SCENE runs one scene of each variant alone, as a failure prints it.
#include "support/broad_phase_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Seven variants of the kinds: more than 10,000 scenes.
#define SCENES_PER_VARIANT 1500
#define LARGE_EVERY 20

typedef struct Scene
{
    uint64_t seed;
    uint32_t index, step;
    const kitVariant* variant;
    int dimension;
    refRandom random;
    refSceneDef draw;
    joBroadPhaseDef def;
    joBroadPhase* broadPhase;
    refObject *objects, *batch;
    uint32_t* indices;
    uint32_t count, limit;
    uint32_t nextNumber, keyStyle, style;
    uint32_t* freeKeys; // of removed objects, to be given again
    uint32_t freeCount;
    refPairs expected;
    joPair* found;
    size_t foundCapacity;
    kitColumns columns;
} Scene;

static void describe( const Scene* scene, const refObject* object, char* text, size_t size )
{
    const refObject* o = object;
    if ( o->round )
    {
        snprintf( text, size, "key %u motion %d round (%a %a %a) radius %a", o->key, (int)o->motion,
            o->center[0], o->center[1], o->center[2], o->radius );
    }
    else
    {
        snprintf( text, size, "key %u motion %d box (%a %a %a) (%a %a %a)", o->key, (int)o->motion,
            o->lower[0], o->lower[1], o->lower[2], o->upper[0], o->upper[1], o->upper[2] );
    }
    (void)scene;
}

static void printObject( const Scene* scene, uint32_t key )
{
    char text[400];
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        if ( scene->objects[i].key != key )
            continue;
        describe( scene, scene->objects + i, text, sizeof text );
        print_error( "    %s\n", text );
        return;
    }
    print_error( "    key %u is none of the scene's\n", key );
}

static void failScene( const Scene* scene, const char* why )
{
    const joBroadPhaseDef* def = &scene->def;
    print_error( "JOSTLE_SEED=%llu JOSTLE_SCENE=%u step %u: %s, %d axes, %s, %u objects, %u workers\n",
        (unsigned long long)scene->seed, scene->index, scene->step, scene->variant->name, scene->dimension,
        refDistributionText( scene->draw.distribution ), scene->count, joJobs_GetWorkerCount( def->jobs ) );
    print_error( "    cellSize %a levels %u maxDepth %u leafCapacity %u looseness %a\n",
        (double)def->cellSize, def->levels, def->maxDepth, def->leafCapacity, (double)def->looseness );
    fail_msg( "%s", why );
}

static void requireCall( const Scene* scene, joResult result, const char* call )
{
    char why[200];
    if ( result == jo_success )
        return;
    snprintf( why, sizeof why, "%s: %s", call, joResultText( result ) );
    failScene( scene, why );
}

// The key of the n-th object. Each style is one to one.
static uint32_t keyOf( uint32_t style, uint32_t n )
{
    switch ( style )
    {
        case 0:
            return n;
        case 1:
            return 7919u * n + 13u; // sparse
        case 2:
            return UINT32_MAX - n; // huge: 0xFFFFFFFF is a key like any other
        case 3:
            n *= 0x9E3779B1u; // anything, in no order
            n ^= n >> 15;
            return n * 0x85EBCA77u;
        default:
            return n << 12 | n >> 20; // equal low bits: hash tables dislike it
    }
}

static uint32_t newKey( Scene* scene )
{
    if ( scene->freeCount > 0 && refChance( &scene->random, 0.7 ) )
        return scene->freeKeys[--scene->freeCount];
    return keyOf( scene->keyStyle, scene->nextNumber++ );
}

// --- drawing a scene --------------------------------------------------------------------------------------

static uint32_t drawCount( Scene* scene, bool large )
{
    static const uint32_t edges[] = {
        0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257 };
    static const uint32_t largeEdges[] = { 5001, 8191, 8192, 8193 };
    refRandom* random = &scene->random;
    if ( large )
        return refChance( random, 0.2 ) ? largeEdges[refBelow( random, 4 )] : 5001 + refBelow( random, 2500 );
    if ( refChance( random, 0.4 ) )
        return edges[refBelow( random, sizeof edges / sizeof *edges )];
    return (uint32_t)pow( 300.0, refUnit( random ) );
}

static bool fitsLarge( refDistribution distribution )
{
    // These give an answer as long as the count squared.
    return distribution != ref_allEqual && distribution != ref_denormal && distribution != ref_extreme &&
           distribution != ref_halving;
}

static void drawDef( Scene* scene )
{
    refRandom* random = &scene->random;
    joBroadPhaseDef* def = &scene->def;
    *def = kitDef( scene->variant, scene->dimension );
    if ( refChance( random, 0.5 ) )
        def->cellSize = (float)( scene->draw.cellSize );
    if ( refChance( random, 0.04 ) )
    {
        static const float extremes[] = { 0x1p-149f, 1e-38f, 1e-20f, 1e20f, 3e38f };
        def->cellSize = extremes[refBelow( random, 5 )];
    }
    if ( scene->variant->levels == 0 && refChance( random, 0.7 ) )
        def->levels = refBelow( random, JO_MAX_GRID_LEVELS + 1 );
    if ( refChance( random, 0.7 ) )
    {
        def->maxDepth = 1 + refBelow( random, JO_MAX_TREE_DEPTH );
        def->leafCapacity = 1 + refBelow( random, refChance( random, 0.1 ) ? 1024 : 24 );
    }
    if ( scene->variant->looseness > 1.0f && refChance( random, 0.7 ) )
        def->looseness = (float)refRange( random, 1.0001, 2.0 );
    if ( refChance( random, 0.4 ) )
    {
        for ( int k = 0; k < 3; ++k )
        {
            double from = refRange( random, -1.0, 0.5 ) * scene->draw.side;
            def->rootBounds[k] = (float)from;
            def->rootBounds[k + 3] = (float)( from + refRange( random, 0.1, 2.0 ) * scene->draw.side );
        }
    }
    if ( refChance( random, 0.2 ) )
        def->jobs = kitJobs( 2 + refBelow( random, 3 ) );
    if ( refChance( random, 0.2 ) )
    {
        def->objectReserve = refBelow( random, 400 );
        def->pairReserve = refBelow( random, 2000 );
    }
    def->sortPairs = refChance( random, 0.94 );
}

static void drawScene( Scene* scene )
{
    static const double cellSizes[] = { 1.0, 0.5, 0.1, 0.3, 3.0, 1e-3, 64.0, 1e6 };
    refRandom* random = &scene->random;
    bool large = scene->index % LARGE_EVERY == LARGE_EVERY - 1;
    refSceneDef* draw = &scene->draw;
    scene->dimension = draw->axisCount = 2 + (int)refBelow( random, 2 );
    do
        draw->distribution = (refDistribution)refBelow( random, ref_distributionCount );
    while ( large && fitsLarge( draw->distribution ) == false );
    draw->count = drawCount( scene, large );
    // A cell size of the order of the boxes, or one that fits badly.
    draw->cellSize = cellSizes[refBelow( random, large ? 5 : 8 )];
    draw->roundShare = refChance( random, 0.5 ) ? 0.0 : refChance( random, 0.5 ) ? 1.0 : 0.4;
    draw->neighbours = exp( refRange( random, -1.5, large ? 1.5 : 3.0 ) );
    draw->layerCount = refChance( random, 0.6 ) ? 0 : 1 + refBelow( random, 6 );
    refPrepareScene( draw, random );
    drawDef( scene );
    scene->keyStyle = refBelow( random, 5 );
    scene->style = refBelow( random, kit_styleCount ) & ~(uint32_t)( kit_noKeys | kit_noLayers );
    if ( draw->layerCount == 0 )
        scene->style |= kit_noLayers;
    scene->limit = 2 * draw->count + 40;
}

static refObject drawObject( Scene* scene )
{
    refObject object = { .motion = ref_moving };
    refDrawShape( &scene->draw, &scene->random, &object );
    refDrawLayers( &scene->draw, &scene->random, &object );
    return object;
}

// --- the steps --------------------------------------------------------------------------------------------

typedef enum Verb
{
    verb_add,
    verb_set,
    verb_move
} Verb;

// Calls the verb for the boxes among the batch, and again for the circles.
static void callBulk(
    Scene* scene, Verb verb, joMotion motion, const refObject* objects, uint32_t count, uint32_t extraStyle )
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
        kitFill(
            &scene->columns, objects, scene->indices, chosen, scene->dimension, scene->style | extraStyle );
        uint32_t at = 77;
        joResult result;
        if ( verb == verb_add )
        {
            result = round
                         ? joBroadPhase_AddCircles( scene->broadPhase, motion, &scene->columns.circles, &at )
                         : joBroadPhase_AddBoxes( scene->broadPhase, motion, &scene->columns.boxes, &at );
        }
        else if ( verb == verb_set )
        {
            result = round ? joBroadPhase_SetCircles( scene->broadPhase, &scene->columns.circles, &at )
                           : joBroadPhase_SetBoxes( scene->broadPhase, &scene->columns.boxes, &at );
        }
        else
        {
            result = round ? joBroadPhase_MoveCircles( scene->broadPhase, &scene->columns.circles, &at )
                           : joBroadPhase_MoveBoxes( scene->broadPhase, &scene->columns.boxes, &at );
        }
        requireCall( scene, result, verb == verb_add ? "Add" : verb == verb_set ? "Set" : "Move" );
    }
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
    callBulk( scene, verb_add, (joMotion)motion, added, count, 0 );
}

// Chooses each object with the given probability, in a random order; gives how many.
static uint32_t choose( Scene* scene, double share )
{
    uint32_t chosen = 0;
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        if ( refChance( &scene->random, share ) == false )
            continue;
        uint32_t at = refBelow( &scene->random, chosen + 1 );
        scene->indices[chosen] = scene->indices[at];
        scene->indices[at] = i;
        chosen += 1;
    }
    return chosen;
}

static double drawShare( Scene* scene )
{
    static const double shares[] = { 0.02, 0.1, 0.5, 1.0 };
    return shares[refBelow( &scene->random, 4 )];
}

static void stepMove( Scene* scene )
{
    uint32_t chosen = choose( scene, drawShare( scene ) );
    uint32_t manner = refBelow( &scene->random, 4 );
    // Where the columns are absent, layers stay: then they must not be drawn anew.
    bool keepLayers = refChance( &scene->random, 0.5 );
    for ( uint32_t i = 0; i < chosen; ++i )
    {
        refObject* object = scene->objects + scene->indices[i];
        refObject old = *object;
        uint32_t how = manner == 3 ? refBelow( &scene->random, 3 ) : manner;
        if ( how == 0 )
            refJitter( &scene->draw, &scene->random, object );
        else if ( how == 1 )
            *object = drawObject( scene );
        else
            *object = scene->objects[refBelow( &scene->random, scene->count )]; // teleport onto another
        object->key = old.key;
        object->motion = old.motion;
        if ( keepLayers || scene->draw.layerCount == 0 )
        {
            object->layer = old.layer;
            object->mask = old.mask;
        }
        scene->batch[i] = *object;
    }
    callBulk( scene, verb_move, jo_moving, scene->batch, chosen, keepLayers ? kit_noLayers : 0 );
}

static void stepMotion( Scene* scene )
{
    refMotion motion = (refMotion)refBelow( &scene->random, 3 );
    uint32_t chosen = choose( scene, drawShare( scene ) );
    uint32_t* keys = malloc( ( chosen + 1 ) * sizeof( uint32_t ) );
    assert_non_null( keys );
    for ( uint32_t i = 0; i < chosen; ++i )
    {
        scene->objects[scene->indices[i]].motion = motion;
        keys[i] = scene->objects[scene->indices[i]].key;
    }
    joResult result = joBroadPhase_SetMotion( scene->broadPhase, (joMotion)motion, keys, chosen, NULL );
    free( keys );
    requireCall( scene, result, "SetMotion" );
}

static void stepRemove( Scene* scene )
{
    uint32_t chosen = choose( scene, drawShare( scene ) );
    uint32_t* keys = malloc( ( chosen + 1 ) * sizeof( uint32_t ) );
    bool* gone = calloc( scene->count + 1, sizeof( bool ) );
    assert_non_null( keys );
    assert_non_null( gone );
    for ( uint32_t i = 0; i < chosen; ++i )
    {
        keys[i] = scene->objects[scene->indices[i]].key;
        gone[scene->indices[i]] = true;
    }
    joResult result = joBroadPhase_Remove( scene->broadPhase, keys, chosen, NULL );
    uint32_t kept = 0;
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        if ( gone[i] == false )
            scene->objects[kept++] = scene->objects[i];
        else if ( scene->freeCount < scene->limit )
            scene->freeKeys[scene->freeCount++] = scene->objects[i].key;
    }
    scene->count = kept;
    free( gone );
    free( keys );
    requireCall( scene, result, "Remove" );
}

static void stepClear( Scene* scene )
{
    joBroadPhase_Clear( scene->broadPhase );
    scene->count = 0;
    scene->freeCount = 0;
    scene->nextNumber = 0;
}

// Replaces all moving objects. Keys of still ones are left alone.
static void stepSet( Scene* scene, uint32_t count, bool noKeys )
{
    uint32_t kept = 0;
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        if ( scene->objects[i].motion != ref_moving )
            scene->objects[kept++] = scene->objects[i];
    }
    scene->count = kept;
    if ( kept + count > scene->limit )
        count = scene->limit - kept;
    refSceneDef wanted = scene->draw;
    bool round = refChance( &scene->random, wanted.roundShare );
    scene->draw.roundShare = round ? 1.0 : 0.0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        refObject object = drawObject( scene );
        for ( int attempt = 0; attempt < 50 && object.round != round; ++attempt )
            object = drawObject( scene );
        if ( object.round != round )
        {
            refObject ball = kitBall( 0, 1.0, 2.0, 0.0, 0.5 );
            ball.layer = object.layer;
            ball.mask = object.mask;
            object = ball;
        }
        object.key = noKeys ? i : keyOf( scene->keyStyle, scene->nextNumber++ );
        scene->objects[scene->count++] = object;
    }
    scene->draw = wanted;
    if ( count == 0 )
    {
        joBoxes none = { .count = 0 };
        requireCall( scene, joBroadPhase_SetBoxes( scene->broadPhase, &none, NULL ), "Set of none" );
    }
    callBulk( scene, verb_set, jo_moving, scene->objects + kept, count, noKeys ? kit_noKeys : 0 );
}

// A call that must fail and change nothing: the comparison that follows sees whether it did.
static void stepRefused( Scene* scene )
{
    if ( scene->count < 2 )
        return;
    refRandom* random = &scene->random;
    uint32_t a = refBelow( random, scene->count );
    uint32_t other = refBelow( random, scene->count );
    scene->batch[0] = scene->objects[a];
    scene->batch[0].round = false;
    scene->batch[1] = scene->batch[0];
    for ( int k = 0; k < 3; ++k )
    {
        scene->batch[0].lower[k] = scene->batch[0].upper[k] = 3.0;
        scene->batch[1].lower[k] = scene->batch[1].upper[k] = 3.0;
    }
    uint32_t way = refBelow( random, 4 ), at = 0;
    if ( way < 2 )
        scene->batch[1].key = a == other ? scene->batch[0].key : scene->objects[other].key;
    if ( way == 1 )
        scene->batch[1].lower[1] = NAN;
    kitFill( &scene->columns, scene->batch, NULL, 2, scene->dimension,
        scene->style & ~(uint32_t)( kit_badZ | kit_absentZ ) );
    uint32_t keys[3] = { scene->objects[a].key, scene->objects[other].key, scene->objects[a].key };
    joResult result;
    if ( way == 0 )
        result = joBroadPhase_AddBoxes( scene->broadPhase, jo_moving, &scene->columns.boxes, &at );
    else if ( way < 3 )
        result = joBroadPhase_MoveBoxes( scene->broadPhase, &scene->columns.boxes, &at );
    else
        result = joBroadPhase_Remove( scene->broadPhase, keys, 3, &at );
    if ( result == jo_success )
        failScene( scene, "a bad call was taken" );
}

// --- comparing --------------------------------------------------------------------------------------------

static int comparePairs( const void* left, const void* right )
{
    const joPair* p = left;
    const joPair* q = right;
    if ( p->a != q->a )
        return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

// Finds pairs in one of several ways; gives how many, all in scene->found.
static uint64_t find( Scene* scene )
{
    size_t wanted = scene->expected.count;
    if ( wanted + 8 > scene->foundCapacity )
    {
        scene->foundCapacity = 2 * wanted + 64;
        free( scene->found );
        scene->found = malloc( scene->foundCapacity * sizeof( joPair ) );
        assert_non_null( scene->found );
    }
    uint64_t counted = wanted, pairCount = 99, copied = 0, viewed = 0;
    if ( refChance( &scene->random, 0.2 ) )
        requireCall( scene, joBroadPhase_CountPairs( scene->broadPhase, &counted ), "CountPairs" );
    if ( counted != wanted )
        failScene( scene, "CountPairs counts other than the oracle" );
    uint32_t way = refBelow( &scene->random, 3 );
    uint64_t capacity = way == 0   ? scene->foundCapacity
                        : way == 1 ? 0
                                   : refBelow( &scene->random, (uint32_t)wanted );
    joPair guard = { 0xABCD, 0xDCBA };
    scene->found[capacity < scene->foundCapacity ? capacity : 0] = guard;
    joResult result =
        joBroadPhase_FindPairs( scene->broadPhase, capacity ? scene->found : NULL, capacity, &pairCount );
    requireCall( scene, result, "FindPairs" );
    if ( capacity < scene->foundCapacity && scene->found[capacity].a != guard.a )
        failScene( scene, "written past the capacity" );
    if ( capacity < pairCount && pairCount <= scene->foundCapacity )
    {
        result = joBroadPhase_GetPairs(
            scene->broadPhase, capacity, scene->found + capacity, scene->foundCapacity - capacity, &copied );
        requireCall( scene, result, "GetPairs" );
        if ( copied != pairCount - capacity )
            failScene( scene, "GetPairs gives another number of pairs" );
    }
    const joPair* view = joBroadPhase_ViewPairs( scene->broadPhase, &viewed );
    if ( viewed != pairCount || ( viewed && viewed <= scene->foundCapacity &&
                                    memcmp( view, scene->found, viewed * sizeof( joPair ) ) ) )
        failScene( scene, "ViewPairs differs from FindPairs" );
    return pairCount;
}

static void compare( Scene* scene )
{
    refFindPairs( scene->objects, scene->count, scene->dimension, &scene->expected );
    uint64_t pairCount = find( scene );
    uint64_t present = pairCount < scene->foundCapacity ? pairCount : scene->foundCapacity;
    if ( scene->def.sortPairs == false && present > 1 )
        qsort( scene->found, present, sizeof( joPair ), comparePairs );
    const refPair* expected = scene->expected.data;
    size_t wanted = scene->expected.count;
    size_t at = kitFirstDifference( scene->found, present, expected, wanted );
    if ( at != wanted || at != pairCount )
    {
        print_error( "pair %zu of %zu (%llu found):\n", at, wanted, (unsigned long long)pairCount );
        if ( at < present )
        {
            print_error( "  found (%u, %u)\n", scene->found[at].a, scene->found[at].b );
            printObject( scene, scene->found[at].a );
            printObject( scene, scene->found[at].b );
        }
        if ( at < wanted )
        {
            print_error( "  expected (%u, %u)\n", expected[at].a, expected[at].b );
            printObject( scene, expected[at].a );
            printObject( scene, expected[at].b );
        }
        failScene( scene, "the pairs differ from the oracle's" );
    }
    joBroadPhaseStats stats = joBroadPhase_GetStats( scene->broadPhase );
    if ( stats.pairCount != pairCount ||
         stats.staticCount + stats.restingCount + stats.movingCount != scene->count )
        failScene( scene, "the statistics miscount" );
    if ( joBroadPhase_Validate( scene->broadPhase ) == false )
        failScene( scene, "an invariant is broken" );
    if ( scene->count > 0 )
    {
        joMotion motion = jo_moving;
        const refObject* object = scene->objects + refBelow( &scene->random, scene->count );
        if ( joBroadPhase_Contains( scene->broadPhase, object->key, &motion ) == false ||
             (int)motion != (int)object->motion )
            failScene( scene, "Contains is wrong" );
        float lower[3], upper[3];
        bool isRight = joBroadPhase_GetBox( scene->broadPhase, object->key, lower, upper );
        for ( int axis = 0; axis < scene->dimension && isRight; ++axis )
        {
            // Circles have one that is rounded outwards.
            isRight = object->round ? (double)lower[axis] <= object->center[axis] - object->radius &&
                                          (double)upper[axis] >= object->center[axis] + object->radius
                                    : (double)lower[axis] == object->lower[axis] &&
                                          (double)upper[axis] == object->upper[axis];
        }
        if ( isRight == false )
            failScene( scene, "GetBox is wrong" );
    }
}

// --- scenes -----------------------------------------------------------------------------------------------

static void runRetained( Scene* scene, uint32_t stepCount )
{
    for ( int motion = 0; motion < 3; ++motion )
        stepAdd( scene,
            motion == 2 ? scene->draw.count : refBelow( &scene->random, scene->draw.count / 2 + 1 ),
            (refMotion)motion );
    compare( scene );
    for ( scene->step = 1; scene->step < stepCount; ++scene->step )
    {
        uint32_t operations = refBelow( &scene->random, 5 ); // none: found twice
        for ( uint32_t k = 0; k < operations; ++k )
        {
            uint32_t draw = refBelow( &scene->random, 100 );
            if ( draw < 20 )
                stepAdd( scene, refBelow( &scene->random, scene->draw.count / 4 + 4 ),
                    (refMotion)refBelow( &scene->random, 3 ) );
            else if ( draw < 50 )
                stepMove( scene );
            else if ( draw < 75 )
                stepMotion( scene );
            else if ( draw < 88 )
                stepRemove( scene );
            else if ( draw < 90 )
                stepClear( scene );
            else if ( draw < 94 )
                stepSet( scene, refBelow( &scene->random, scene->draw.count + 1 ), false );
            else
                stepRefused( scene );
        }
        compare( scene );
    }
}

static void runImmediate( Scene* scene, uint32_t stepCount )
{
    bool noKeys = refChance( &scene->random, 0.5 );
    if ( refChance( &scene->random, 0.4 ) )
    {
        // Still objects, with keys that the index of a moving one does not reach.
        scene->nextNumber = 1000000;
        uint32_t style = scene->keyStyle;
        scene->keyStyle = 0;
        stepAdd( scene, refBelow( &scene->random, scene->draw.count / 2 + 2 ), ref_static );
        stepAdd( scene, refBelow( &scene->random, scene->draw.count / 4 + 2 ), ref_resting );
        scene->keyStyle = noKeys ? style : 0;
    }
    for ( scene->step = 0; scene->step < stepCount; ++scene->step )
    {
        uint32_t count = scene->draw.count;
        if ( scene->step > 0 && refChance( &scene->random, 0.5 ) )
            count = refBelow( &scene->random, count + 2 );
        stepSet( scene, count, noKeys );
        compare( scene );
    }
}

static void runScene( const kitVariant* variant, uint64_t seed, uint32_t index )
{
    Scene scene = { .seed = seed, .index = index, .variant = variant };
    scene.random = refMakeRandom( seed, index * 8ull + (uint64_t)( variant - kitVariants ) );
    drawScene( &scene );
    size_t room = scene.limit + 2;
    scene.objects = calloc( room, sizeof( refObject ) );
    scene.batch = calloc( room, sizeof( refObject ) );
    scene.indices = calloc( room, sizeof( uint32_t ) );
    scene.freeKeys = calloc( room, sizeof( uint32_t ) );
    assert_true( scene.objects && scene.batch && scene.indices && scene.freeKeys );
    uint64_t heldBefore = kitDefaultHeap.liveBytes;
    requireCall( &scene, joCreateBroadPhase( &scene.def, &scene.broadPhase ), "joCreateBroadPhase" );
    bool large = scene.draw.count > 1000;
    uint32_t stepCount = large ? 2 : 2 + refBelow( &scene.random, 5 );
    if ( refChance( &scene.random, 0.3 ) )
        runImmediate( &scene, stepCount );
    else
        runRetained( &scene, stepCount );
    joDestroyBroadPhase( scene.broadPhase );
    if ( kitDefaultHeap.liveBytes != heldBefore )
        failScene( &scene, "memory is held after destroy" );
    refFreePairs( &scene.expected );
    kitFreeColumns( &scene.columns );
    free( scene.found );
    free( scene.objects );
    free( scene.batch );
    free( scene.indices );
    free( scene.freeKeys );
}

static void everySceneGivesTheOraclesPairs( void** state )
{
    const kitVariant* variant = *state;
    uint64_t seed = kitEnvironment( "JOSTLE_SEED", 20260101 );
    uint32_t scenes = kitQuick() ? SCENES_PER_VARIANT / 25 : SCENES_PER_VARIANT;
    scenes = (uint32_t)kitEnvironment( "JOSTLE_SCENES", scenes );
    uint32_t first = 0;
    if ( getenv( "JOSTLE_SCENE" ) )
    {
        first = (uint32_t)kitEnvironment( "JOSTLE_SCENE", 0 );
        scenes = first + 1;
    }
    print_message( "%s: seed %llu, scenes %u to %u, %s\n", variant->name, (unsigned long long)seed, first,
        scenes, joIsaText( joGetIsa() ) );
    for ( uint32_t index = first; index < scenes; ++index )
        runScene( variant, seed, index );
}

static int freeJobs( void** state )
{
    (void)state;
    kitFreeJobs();
    return 0;
}

int main( void )
{
    struct CMUnitTest tests[KIT_VARIANT_COUNT];
    char names[KIT_VARIANT_COUNT][80];
    for ( int k = 0; k < KIT_VARIANT_COUNT; ++k )
    {
        snprintf(
            names[k], sizeof names[k], "%s gives the oracle's pairs in every scene", kitVariants[k].name );
        tests[k] = ( struct CMUnitTest ){ .name = names[k],
            .test_func = everySceneGivesTheOraclesPairs,
            .initial_state = (void*)(uintptr_t)( kitVariants + k ) };
    }
    return cmocka_run_group_tests( tests, NULL, freeJobs );
}
