// SPDX-License-Identifier: MIT
// Every call of the broad phase: what it refuses, with which index, and that nothing has changed then; what
// it promises of capacities, limits, motions, layers, counts and statistics. Over every kind.
#include "support/broad_phase_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- defs -------------------------------------------------------------------------------------------------

static void requireBadDef( const joBroadPhaseDef* def, const char* what )
{
    joBroadPhase* broadPhase = NULL;
    joResult result = joCreateBroadPhase( def, &broadPhase );
    if ( result != jo_errorBadDef || broadPhase != NULL )
        fail_msg( "a def with %s: %s", what, joResultText( result ) );
}

static void aDefOutOfRangeIsRefused( void** state )
{
    (void)state;
    joBroadPhaseDef good = joDefaultBroadPhaseDef(), def;
    good.kind = jo_bruteForce;
#define REFUSE( member, value )                                                                              \
    def = good;                                                                                              \
    def.member = value;                                                                                      \
    requireBadDef( &def, #member " = " #value )
    REFUSE( internalCookie, 0 );
    REFUSE( dimension, 1 );
    REFUSE( dimension, 4 );
    REFUSE( cellSize, -1.0f );
    REFUSE( cellSize, NAN );
    REFUSE( cellSize, INFINITY );
    REFUSE( levels, JO_MAX_GRID_LEVELS + 1 );
    REFUSE( maxDepth, 0 );
    REFUSE( maxDepth, JO_MAX_TREE_DEPTH + 1 );
    REFUSE( leafCapacity, 0 );
    REFUSE( leafCapacity, 1025 );
    REFUSE( looseness, 0.99f );
    REFUSE( looseness, 2.01f );
    REFUSE( looseness, NAN );
    REFUSE( rootBounds[0], 1.0f );
    REFUSE( rootBounds[4], NAN );
    REFUSE( rootBounds[5], INFINITY );
    REFUSE( allocator.allocate, NULL; def.allocator.deallocate = kitAllocator( &kitDefaultHeap ).deallocate );
    REFUSE( allocator.deallocate, NULL; def.allocator.allocate = kitAllocator( &kitDefaultHeap ).allocate );
#undef REFUSE
    joBroadPhaseDef zero;
    memset( &zero, 0, sizeof zero );
    requireBadDef( &zero, "all zero" );
}

static void anUnknownKindIsRefused( void** state )
{
    (void)state;
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    joBroadPhase* broadPhase = NULL;
    def.kind = jo_broadPhaseKindCount;
    assert_int_equal( joCreateBroadPhase( &def, &broadPhase ), jo_errorUnknownKind );
    def.kind = (joBroadPhaseKind)999;
    assert_int_equal( joCreateBroadPhase( &def, &broadPhase ), jo_errorUnknownKind );
    assert_null( broadPhase );
    assert_null( joBroadPhaseKindText( jo_broadPhaseKindCount ) );
    joBroadPhaseKind kind = jo_bvh;
    static const char* const wrong[] = { "", "Grid", "grid ", "gri", "octree", "Auto" };
    for ( int k = 0; k < 6; ++k )
        assert_int_equal( joFindBroadPhaseKind( wrong[k], &kind ), jo_errorUnknownKind );
    assert_int_equal( kind, jo_bvh );
}

static void kindsAreFoundByTheirNames( void** state )
{
    (void)state;
    static const char* const names[] = { "bruteforce", "sweep", "grid", "tree", "bvh", "auto" };
    for ( int k = 0; k < KIT_VARIANT_COUNT; ++k )
    {
        joBroadPhaseKind kind = jo_broadPhaseKindCount;
        const char* name = names[kitVariants[k].kind];
        assert_string_equal( joBroadPhaseKindText( kitVariants[k].kind ), name );
        assert_int_equal( joFindBroadPhaseKind( name, &kind ), jo_success );
        assert_int_equal( kind, kitVariants[k].kind );
    }
}

static void nullsAreRefused( void** state )
{
    (void)state;
    joBroadPhaseDef def = kitDef( kitVariants, 2 );
    joBroadPhase* broadPhase = kitCreate( &def );
    joBoxes boxes = { .count = 0 };
    joCircles circles = { .count = 0 };
    uint64_t count = 0;
    uint32_t key = 0;
    joPair pair;
    const joResult null = jo_errorNullArgument;
    assert_int_equal( joCreateBroadPhase( NULL, &broadPhase ), null );
    assert_int_equal( joCreateBroadPhase( &def, NULL ), null );
    assert_int_equal( joFindBroadPhaseKind( NULL, NULL ), null );
    assert_int_equal( joBroadPhase_SetBoxes( NULL, &boxes, NULL ), null );
    assert_int_equal( joBroadPhase_SetBoxes( broadPhase, NULL, NULL ), null );
    assert_int_equal( joBroadPhase_SetCircles( broadPhase, NULL, NULL ), null );
    assert_int_equal( joBroadPhase_SetCircles( NULL, &circles, NULL ), null );
    assert_int_equal( joBroadPhase_AddBoxes( NULL, jo_moving, &boxes, NULL ), null );
    assert_int_equal( joBroadPhase_AddBoxes( broadPhase, jo_moving, NULL, NULL ), null );
    assert_int_equal( joBroadPhase_AddCircles( broadPhase, jo_moving, NULL, NULL ), null );
    assert_int_equal( joBroadPhase_MoveBoxes( broadPhase, NULL, NULL ), null );
    assert_int_equal( joBroadPhase_MoveCircles( broadPhase, NULL, NULL ), null );
    assert_int_equal( joBroadPhase_SetMotion( NULL, jo_static, &key, 1, NULL ), null );
    assert_int_equal( joBroadPhase_SetMotion( broadPhase, jo_static, NULL, 1, NULL ), null );
    assert_int_equal( joBroadPhase_Remove( NULL, &key, 1, NULL ), null );
    assert_int_equal( joBroadPhase_Remove( broadPhase, NULL, 1, NULL ), null );
    assert_int_equal( joBroadPhase_FindPairs( NULL, NULL, 0, &count ), null );
    assert_int_equal( joBroadPhase_FindPairs( broadPhase, NULL, 0, NULL ), null );
    assert_int_equal( joBroadPhase_FindPairs( broadPhase, NULL, 1, &count ), null );
    assert_int_equal( joBroadPhase_CountPairs( NULL, &count ), null );
    assert_int_equal( joBroadPhase_CountPairs( broadPhase, NULL ), null );
    assert_int_equal( joBroadPhase_GetPairs( NULL, 0, &pair, 1, &count ), null );
    assert_int_equal( joBroadPhase_GetPairs( broadPhase, 0, NULL, 1, &count ), null );
    assert_int_equal( joBroadPhase_GetPairs( broadPhase, 0, &pair, 1, NULL ), null );
    assert_int_equal( joBroadPhase_AddBoxes( broadPhase, (joMotion)3, &boxes, NULL ), jo_errorBadDef );
    assert_int_equal( joBroadPhase_SetMotion( broadPhase, (joMotion)7, &key, 0, NULL ), jo_errorBadDef );
    joDestroyBroadPhase( NULL );
    joBroadPhase_Clear( NULL );
    joDestroyBroadPhase( broadPhase );
    assert_int_equal( kitDefaultHeap.liveBytes, 0 );
}

// --- bad input, and that nothing has changed --------------------------------------------------------------

// Static, resting and moving objects, boxes and circles, some with layers.
static kitScene beginMixed( const kitVariant* variant, int dimension, const joBroadPhaseDef* def )
{
    kitScene scene = kitBegin( variant, dimension, def );
    for ( uint32_t i = 0; i < 240; ++i )
    {
        double x = 0.7 * ( i % 16 ), y = 0.7 * ( i / 16 ), z = 0.3 * ( i % 3 );
        refObject object =
            i % 4 == 1 ? kitBall( i, x, y, z, 0.5 ) : kitBox3( i, x, y, z, x + 0.7, y + 0.8, z + 0.5 );
        object.motion = (refMotion)( i / 80 );
        if ( i % 5 == 2 )
        {
            object.layer = 1ull << ( i % 64 );
            object.mask = ~( 1ull << ( ( i + 5 ) % 64 ) );
        }
        kitPush( &scene, object );
    }
    kitAddFrom( &scene, 0 );
    kitCheckScene( &scene, "at first" );
    return scene;
}

typedef enum Verb
{
    verb_add,
    verb_addStatic,
    verb_set,
    verb_move,
    verb_count
} Verb;

static joResult call(
    joBroadPhase* broadPhase, Verb verb, const kitColumns* columns, bool round, uint32_t* at )
{
    joMotion motion = verb == verb_add ? jo_moving : jo_static;
    if ( verb == verb_set )
        return round ? joBroadPhase_SetCircles( broadPhase, &columns->circles, at )
                     : joBroadPhase_SetBoxes( broadPhase, &columns->boxes, at );
    if ( verb == verb_move )
        return round ? joBroadPhase_MoveCircles( broadPhase, &columns->circles, at )
                     : joBroadPhase_MoveBoxes( broadPhase, &columns->boxes, at );
    return round ? joBroadPhase_AddCircles( broadPhase, motion, &columns->circles, at )
                 : joBroadPhase_AddBoxes( broadPhase, motion, &columns->boxes, at );
}

// Good input for a verb: keys that are new for add and set, and known for move.
static void fillGood( kitColumns* columns, const kitScene* scene, Verb verb, bool round, uint32_t count )
{
    refObject* objects = calloc( count, sizeof( refObject ) );
    assert_non_null( objects );
    for ( uint32_t i = 0; i < count; ++i )
    {
        double x = 0.1 * i;
        objects[i] = round ? kitBall( 0, x, x, x, 1.0 ) : kitBox3( 0, x, x, x, x + 1.0, x + 1.0, x + 1.0 );
        // Moves of static, resting and moving ones.
        objects[i].key = verb == verb_move ? scene->objects[( i * 7 ) % scene->count].key : 5000 + i;
    }
    kitFill( columns, objects, NULL, count, scene->dimension, kit_arrays );
    free( objects );
}

static float* numberAt( const joColumn column, uint32_t i )
{
    // The kit's own memory, which it lets be spoiled here.
    return (float*)(uintptr_t)( (const char*)column.data + i * column.stride );
}

static void requireRefused( kitScene* scene, Verb verb, const kitColumns* columns, bool round,
    joResult wanted, uint32_t wantedAt, const char* what )
{
    uint64_t before = 0, after = 0;
    joBroadPhase_ViewPairs( scene->broadPhase, &before );
    uint32_t at = 4242;
    joResult result = call( scene->broadPhase, verb, columns, round, &at );
    if ( result != wanted || at != wantedAt )
        fail_msg( "%s, %s, verb %d, round %d: %s at %u, expected at %u", scene->variant->name, what,
            (int)verb, (int)round, joResultText( result ), at, wantedAt );
    // Without a place for the index too.
    assert_int_equal( call( scene->broadPhase, verb, columns, round, NULL ), wanted );
    joBroadPhase_ViewPairs( scene->broadPhase, &after );
    assert_int_equal( before, after );
}

static void refuseNumbers( kitScene* scene, Verb verb, uint32_t at, uint32_t count )
{
    kitColumns columns = { 0 };
    static const float bad[] = { NAN, -NAN, INFINITY, -INFINITY };
    for ( int axis = 0; axis < scene->dimension; ++axis )
    {
        for ( int k = 0; k < 4; ++k )
        {
            joResult wanted = k < 2 ? jo_errorNotANumber : jo_errorInvertedBox;
            fillGood( &columns, scene, verb, false, count );
            const joColumn* lower = &columns.boxes.lowerX + axis;
            const joColumn* upper = &columns.boxes.upperX + axis;
            // +inf below is no place; so is -inf above.
            *numberAt( k == 3 ? *upper : *lower, at ) = bad[k];
            requireRefused( scene, verb, &columns, false, wanted, at, "a bad lower bound" );
            fillGood( &columns, scene, verb, false, count );
            lower = &columns.boxes.lowerX + axis;
            upper = &columns.boxes.upperX + axis;
            if ( k < 2 )
                *numberAt( *upper, at ) = bad[k];
            else
                *numberAt( *lower, at ) = nextafterf( *numberAt( *upper, at ), INFINITY );
            requireRefused( scene, verb, &columns, false, wanted, at, "a bad upper bound" );
            fillGood( &columns, scene, verb, true, count );
            *numberAt( ( &columns.circles.x )[axis], at ) = bad[k];
            wanted = k < 2 ? jo_errorNotANumber : jo_errorBadRadius;
            requireRefused( scene, verb, &columns, true, wanted, at, "a bad centre" );
            fillGood( &columns, scene, verb, true, count );
            *numberAt( columns.circles.radius, at ) = k == 3 ? -0x1p-149f : bad[k];
            requireRefused( scene, verb, &columns, true, wanted, at, "a bad radius" );
        }
    }
    kitFreeColumns( &columns );
}

static void everyBadNumberIsRefusedWithItsIndex( const kitVariant* variant, int dimension )
{
    kitScene scene = beginMixed( variant, dimension, NULL );
    for ( int verb = 0; verb < verb_count; ++verb )
    {
        refuseNumbers( &scene, (Verb)verb, 0, 1 );
        refuseNumbers( &scene, (Verb)verb, 17, 70 );
        refuseNumbers( &scene, (Verb)verb, 69, 70 );
    }
    kitCheckScene( &scene, "after refusals" );
    kitEnd( &scene );
}

static void theFirstOfManyBadElementsIsNamed( const kitVariant* variant, int dimension )
{
    joBroadPhaseDef def = kitDef( variant, dimension );
    def.jobs = kitJobs( 4 );
    kitScene scene = beginMixed( variant, dimension, &def );
    kitColumns columns = { 0 };
    static const uint32_t places[][3] = { { 19000, 9001, 30 }, { 29999, 8192, 8191 }, { 600, 599, 20000 } };
    for ( int k = 0; k < 3; ++k )
    {
        uint32_t first = UINT32_MAX;
        fillGood( &columns, &scene, verb_set, false, 30000 );
        for ( int p = 0; p < 3; ++p )
        {
            *numberAt( columns.boxes.upperY, places[k][p] ) = p == 1 ? NAN : -5.0f;
            first = places[k][p] < first ? places[k][p] : first;
        }
        joResult wanted = first == places[k][1] ? jo_errorNotANumber : jo_errorInvertedBox;
        requireRefused( &scene, verb_set, &columns, false, wanted, first, "several bad boxes" );
    }
    kitFreeColumns( &columns );
    kitCheckScene( &scene, "after refusals" );
    kitEnd( &scene );
}

static void missingColumnsAreRefused( const kitVariant* variant, int dimension )
{
    kitScene scene = beginMixed( variant, dimension, NULL );
    kitColumns columns = { 0 };
    for ( int verb = 0; verb < verb_count; ++verb )
    {
        for ( int k = 0; k < 6; ++k )
        {
            if ( dimension == 2 && k % 3 == 2 )
                continue;
            fillGood( &columns, &scene, (Verb)verb, false, 5 );
            ( &columns.boxes.lowerX )[k].data = NULL;
            requireRefused( &scene, (Verb)verb, &columns, false, jo_errorNullArgument, JO_NULL_INDEX,
                "a missing column" );
        }
        for ( int k = 0; k < 4; ++k )
        {
            if ( dimension == 2 && k == 2 )
                continue;
            fillGood( &columns, &scene, (Verb)verb, true, 5 );
            ( &columns.circles.x )[k].data = NULL;
            requireRefused(
                &scene, (Verb)verb, &columns, true, jo_errorNullArgument, JO_NULL_INDEX, "a missing column" );
        }
        // Nothing of nothing is fine.
        if ( verb != verb_set )
        {
            joBoxes none = { .count = 0 };
            columns.boxes = none;
            kitRequire( call( scene.broadPhase, (Verb)verb, &columns, false, NULL ), "a call of no boxes" );
        }
    }
    kitFreeColumns( &columns );
    kitCheckScene( &scene, "after refusals" );
    kitEnd( &scene );
}

static void setKeyAt( const kitColumns* columns, uint32_t i, uint32_t key )
{
    *(uint32_t*)(uintptr_t)( (const char*)columns->boxes.key.data + i * columns->boxes.key.stride ) = key;
}

static void keysThatStandTwiceOrExistAreRefused( const kitVariant* variant, int dimension )
{
    kitScene scene = beginMixed( variant, dimension, NULL );
    kitColumns columns = { 0 };
    for ( int verb = 0; verb < verb_count; ++verb )
    {
        for ( int round = 0; round < 2; ++round )
        {
            fillGood( &columns, &scene, (Verb)verb, round, 40 );
            uint32_t same = *(const uint32_t*)columns.boxes.key.data;
            setKeyAt( &columns, 33, same );
            requireRefused(
                &scene, (Verb)verb, &columns, round, jo_errorDuplicateKey, 33, "a key that stands twice" );
            fillGood( &columns, &scene, (Verb)verb, round, 40 );
            // 5 is static, 100 is resting, 200 is moving: set may use that one again.
            static const uint32_t used[] = { 5, 100, 200 };
            for ( int k = 0; k < 3 && verb != verb_move && !( verb == verb_set && k == 2 ); ++k )
            {
                setKeyAt( &columns, 12, used[k] );
                requireRefused(
                    &scene, (Verb)verb, &columns, round, jo_errorDuplicateKey, 12, "a key that exists" );
            }
            if ( verb == verb_move )
            {
                setKeyAt( &columns, 12, 777777 );
                requireRefused(
                    &scene, (Verb)verb, &columns, round, jo_errorUnknownKey, 12, "an unknown key" );
            }
            // Keys by index stand against the static ones.
            if ( verb != verb_move )
            {
                columns.boxes.key.data = columns.circles.key.data = NULL;
                requireRefused(
                    &scene, (Verb)verb, &columns, round, jo_errorDuplicateKey, 0, "keys by index" );
            }
            for ( uint32_t i = 0; i < scene.count; ++i )
                assert_true( joBroadPhase_Contains( scene.broadPhase, scene.objects[i].key, NULL ) );
            assert_false( joBroadPhase_Contains( scene.broadPhase, 5000, NULL ) );
            assert_false( joBroadPhase_Contains( scene.broadPhase, 777777, NULL ) );
        }
    }
    kitFreeColumns( &columns );
    kitCheckScene( &scene, "after refusals" );
    kitEnd( &scene );
}

static void keyListsWithStrangersOrDoublesAreRefused( const kitVariant* variant, int dimension )
{
    kitScene scene = beginMixed( variant, dimension, NULL );
    uint32_t keys[4] = { 3, 100, 999999, 200 }, at = 0;
    for ( int motion = 0; motion < 3; ++motion )
    {
        keys[2] = 999999;
        assert_int_equal(
            joBroadPhase_SetMotion( scene.broadPhase, (joMotion)motion, keys, 4, &at ), jo_errorUnknownKey );
        assert_int_equal( at, 2 );
        keys[2] = 3;
        assert_int_equal( joBroadPhase_SetMotion( scene.broadPhase, (joMotion)motion, keys, 4, &at ),
            jo_errorDuplicateKey );
        assert_int_equal( at, 2 );
    }
    assert_int_equal( joBroadPhase_Remove( scene.broadPhase, keys, 4, &at ), jo_errorDuplicateKey );
    assert_int_equal( at, 2 );
    keys[2] = 999999;
    assert_int_equal( joBroadPhase_Remove( scene.broadPhase, keys, 4, &at ), jo_errorUnknownKey );
    assert_int_equal( at, 2 );
    kitCheckScene( &scene, "after refusals" );
    // A removed key is a stranger.
    assert_int_equal( joBroadPhase_Remove( scene.broadPhase, keys, 1, &at ), jo_success );
    assert_int_equal( at, JO_NULL_INDEX );
    assert_int_equal( joBroadPhase_Remove( scene.broadPhase, keys, 1, &at ), jo_errorUnknownKey );
    assert_int_equal( at, 0 );
    scene.objects[3] = scene.objects[--scene.count];
    kitCheckScene( &scene, "after a removal" );
    kitEnd( &scene );
}

// --- what calls do ----------------------------------------------------------------------------------------

static void setReplacesMovingObjectsOnly( const kitVariant* variant, int dimension )
{
    kitScene scene = beginMixed( variant, dimension, NULL );
    for ( int way = 0; way < 4; ++way )
    {
        scene.count = 160; // the static and the resting ones
        refObject replaced[90];
        uint32_t count = way == 3 ? 0 : 90;
        for ( uint32_t i = 0; i < count; ++i )
        {
            double x = 0.6 * ( i % 16 ), y = 0.6 * ( i / 16 );
            replaced[i] =
                way == 1 ? kitBall( 0, x, y, 0.0, 0.4 ) : kitBox3( 0, x, y, 0.0, x + 0.5, y + 0.5, 0.5 );
            // Once the keys of those replaced, once others.
            replaced[i].key = way == 0 ? 160 + i : 1000000 + i;
            kitPush( &scene, replaced[i] );
        }
        kitRequire( kitSet( scene.broadPhase, dimension, replaced, count ), "Set" );
        kitCheckScene( &scene, "after a set" );
        assert_int_equal( joBroadPhase_GetStats( scene.broadPhase ).movingCount, count );
        assert_int_equal( joBroadPhase_Contains( scene.broadPhase, 160, NULL ), way == 0 );
    }
    joBroadPhase_Clear( scene.broadPhase );
    scene.count = 0;
    kitCheckScene( &scene, "after a clear" );
    assert_false( joBroadPhase_Contains( scene.broadPhase, 0, NULL ) );
    kitPush( &scene, kitBox3( 0, 0, 0, 0, 1, 1, 1 ) );
    kitPush( &scene, kitBox3( UINT32_MAX, 1, 1, 1, 2, 2, 2 ) );
    kitAddFrom( &scene, 0 );
    kitCheckScene( &scene, "used again" );
    kitEnd( &scene );
}

static void moveKeepsLayersUnlessTheyAreGiven( const kitVariant* variant, int dimension )
{
    kitScene scene = kitBegin( variant, dimension, NULL );
    for ( uint32_t i = 0; i < 60; ++i )
    {
        refObject object = kitBox3( i, 0.1 * i, 0.0, 0.0, 0.1 * i + 1.0, 1.0, 1.0 );
        object.layer = 1ull << ( i % 3 + 61 );
        object.mask = i % 2 ? UINT64_MAX : 1ull << 61;
        object.motion = (refMotion)( i % 3 );
        kitPush( &scene, object );
    }
    kitAddFrom( &scene, 0 );
    kitCheckScene( &scene, "with layers" );
    kitColumns columns = { 0 };
    for ( uint32_t i = 0; i < scene.count; i += 2 )
    {
        scene.objects[i].lower[0] = refFloat( scene.objects[i].lower[0] + 0.5 );
        scene.objects[i].upper[0] = refFloat( scene.objects[i].upper[0] + 0.5 );
        kitFill( &columns, scene.objects, &i, 1, dimension, kit_noLayers );
        kitRequire( joBroadPhase_MoveBoxes( scene.broadPhase, &columns.boxes, NULL ), "Move" );
    }
    kitCheckScene( &scene, "moved without layers" );
    for ( uint32_t i = 0; i < scene.count; i += 3 )
    {
        // Only one of the two is given, and the box becomes a circle.
        refObject* object = scene.objects + i;
        refObject ball = kitBall( object->key, object->lower[0], 0.5, 0.5, 0.7 );
        ball.motion = object->motion;
        ball.layer = i % 2 ? 1ull << 5 : object->layer;
        ball.mask = i % 2 ? object->mask : 1ull << 5 | 1ull << 61;
        *object = ball;
        kitFill( &columns, scene.objects, &i, 1, dimension, kit_rows );
        if ( i % 2 )
            columns.circles.mask.data = NULL;
        else
            columns.circles.layer.data = NULL;
        kitRequire( joBroadPhase_MoveCircles( scene.broadPhase, &columns.circles, NULL ), "Move" );
    }
    kitCheckScene( &scene, "moved with one of layer and mask" );
    kitFreeColumns( &columns );
    kitEnd( &scene );
}

static void motionsChangeAsToldAndPairsOfStaticsAreNotReported( const kitVariant* variant, int dimension )
{
    kitScene scene = beginMixed( variant, dimension, NULL );
    for ( uint32_t step = 0; step < 40; ++step )
    {
        refMotion motion = (refMotion)( step % 3 );
        uint32_t keys[240], count = 0;
        for ( uint32_t i = 0; i < scene.count; ++i )
        {
            // One, few, many, all.
            uint32_t every = step % 4 == 0 ? 240 : step % 4 == 1 ? 40 : step % 4 == 2 ? 3 : 1;
            if ( ( i + step ) % every )
                continue;
            keys[count++] = scene.objects[i].key;
            scene.objects[i].motion = motion;
        }
        kitRequire(
            joBroadPhase_SetMotion( scene.broadPhase, (joMotion)motion, keys, count, NULL ), "SetMotion" );
        kitCheckScene( &scene, "motions changed" );
        joBroadPhaseStats stats = joBroadPhase_GetStats( scene.broadPhase );
        uint32_t counts[3] = { 0 };
        for ( uint32_t i = 0; i < scene.count; ++i )
            counts[scene.objects[i].motion] += 1;
        assert_int_equal( stats.staticCount, counts[0] );
        assert_int_equal( stats.restingCount, counts[1] );
        assert_int_equal( stats.movingCount, counts[2] );
    }
    kitEnd( &scene );
}

static void nothingIsTestedAgainWhereNothingMoves( const kitVariant* variant, int dimension )
{
    kitScene scene = kitBegin( variant, dimension, NULL );
    for ( uint32_t i = 0; i < 900; ++i )
    {
        double x = i % 30, y = i / 30;
        refObject object = kitBox3( i, x, y, 0.0, x + 1.0, y + 1.0, 1.0 );
        object.motion = i % 2 ? ref_static : ref_resting;
        kitPush( &scene, object );
    }
    kitAddFrom( &scene, 0 );
    kitCheckScene( &scene, "all still" );
    uint64_t pairCount = 0;
    kitRequire( joBroadPhase_FindPairs( scene.broadPhase, NULL, 0, &pairCount ), "FindPairs" );
    joBroadPhaseStats stats = joBroadPhase_GetStats( scene.broadPhase );
    assert_true( pairCount > 0 );
    assert_int_equal( stats.pairCount, pairCount );
    assert_int_equal( stats.restingPairCount, pairCount );
    // A remnant that awaits its structure may be tested; not all of them.
    assert_true( stats.candidatesTested < 900 * 899 / 2 / 4 );
    kitEnd( &scene );
}

static void everyPairOnceWithoutOrder( const kitVariant* variant, int dimension )
{
    joBroadPhaseDef def = kitDef( variant, dimension );
    def.sortPairs = false;
    kitScene scene = beginMixed( variant, dimension, NULL ), unsorted = kitBegin( variant, dimension, &def );
    for ( uint32_t i = 0; i < scene.count; ++i )
        kitPush( &unsorted, scene.objects[i] );
    kitAddFrom( &unsorted, 0 );
    uint64_t wanted = 0, found = 0;
    const joPair* pairs = joBroadPhase_ViewPairs( scene.broadPhase, &wanted );
    kitRequire( joBroadPhase_FindPairs( unsorted.broadPhase, NULL, 0, &found ), "FindPairs" );
    assert_int_equal( found, wanted );
    const joPair* others = joBroadPhase_ViewPairs( unsorted.broadPhase, &found );
    refPairs sorted = { 0 };
    for ( uint64_t i = 0; i < found; ++i )
    {
        assert_true( others[i].a < others[i].b );
        refAddPair( &sorted, others[i].a, others[i].b );
    }
    refSortPairs( &sorted );
    assert_int_equal( kitFirstDifference( pairs, wanted, sorted.data, sorted.count ), wanted );
    refFreePairs( &sorted );
    kitEnd( &unsorted );
    kitEnd( &scene );
}

static void pairsBeyondTheLimitAreSaidToBeMissing( const kitVariant* variant, int dimension )
{
    joBroadPhaseDef def = kitDef( variant, dimension );
    def.pairLimit = 100;
    kitScene scene = kitBegin( variant, dimension, &def );
    for ( uint32_t i = 0; i < 40; ++i )
        kitPush( &scene, kitBox3( i, 0, 0, 0, 1, 1, 1 ) );
    kitAddFrom( &scene, 0 );
    joPair pairs[1000];
    uint64_t pairCount = 0, copied = 0;
    kitRequire( joBroadPhase_FindPairs( scene.broadPhase, pairs, 100, &pairCount ), "FindPairs" );
    assert_int_equal( pairCount, 780 );
    kitRequire( joBroadPhase_GetPairs( scene.broadPhase, 90, pairs, 10, &copied ), "GetPairs" );
    assert_int_equal( copied, 10 );
    assert_int_equal( joBroadPhase_GetPairs( scene.broadPhase, 90, pairs, 11, &copied ), jo_errorCapacity );
    assert_int_equal( copied, 10 );
    assert_true( pairs[0].a == 2 && pairs[0].b == 16 ); // 39 + 38 + 13 before it
    assert_int_equal( joBroadPhase_GetPairs( scene.broadPhase, 100, pairs, 1, &copied ), jo_errorCapacity );
    assert_int_equal( copied, 0 );
    kitRequire( joBroadPhase_GetPairs( scene.broadPhase, 780, pairs, 5, &copied ), "GetPairs past the end" );
    assert_int_equal( copied, 0 );
    // Room for more than is kept: the call must not read as complete.
    assert_int_equal( joBroadPhase_FindPairs( scene.broadPhase, pairs, 1000, &pairCount ), jo_errorCapacity );
    assert_int_equal( pairCount, 780 );
    kitEnd( &scene );
}

static void aFixedCapacityRefusesToGrow( const kitVariant* variant, int dimension )
{
    joBroadPhaseDef def = kitDef( variant, dimension );
    def.fixedCapacity = true;
    def.jobs = kitJobs( dimension == 2 ? 1 : 3 );
    def.objectReserve = 300;
    def.pairReserve = 12000;
    kitScene scene = beginMixed( variant, dimension, &def );
    uint64_t allocations = kitDefaultHeap.allocations;
    kitColumns columns = { 0 };
    for ( int round = 0; round < 3; ++round )
    {
        fillGood( &columns, &scene, verb_add, false, 5000 );
        uint32_t at = 1;
        assert_int_equal(
            joBroadPhase_AddBoxes( scene.broadPhase, jo_moving, &columns.boxes, &at ), jo_errorCapacity );
        assert_int_equal( at, JO_NULL_INDEX );
        kitCheckScene( &scene, "too many refused" );
        assert_int_equal( joBroadPhase_SetBoxes( scene.broadPhase, &columns.boxes, &at ), jo_errorCapacity );
        kitCheckScene( &scene, "too many refused" );
        refObject moved = kitBox3( 7, 2, 2, 0, 3, 3, 1 );
        moved.motion = scene.objects[7].motion;
        scene.objects[7] = moved;
        kitRequire( kitMove( scene.broadPhase, dimension, &moved, 1 ), "Move within the capacity" );
        kitCheckScene( &scene, "moved within the capacity" );
    }
    assert_int_equal( kitDefaultHeap.allocations, allocations );
    // Within the capacity nothing is refused, however often objects change before the next find.
    for ( uint32_t round = 0; round < 12; ++round )
    {
        for ( uint32_t again = 0; again < 4; ++again )
            kitRequire( kitMove( scene.broadPhase, dimension, scene.objects, scene.count ), "Move of all" );
        for ( uint32_t i = round; i < scene.count; i += 2 )
        {
            refMotion motion = (refMotion)( ( i + round ) % 3 );
            scene.objects[i].motion = motion;
            kitRequire(
                joBroadPhase_SetMotion( scene.broadPhase, (joMotion)motion, &scene.objects[i].key, 1, NULL ),
                "SetMotion" );
        }
        kitCheckScene( &scene, "changed often within the capacity" );
    }
    // Too many pairs: refused, and few again are found.
    for ( uint32_t i = 0; i < scene.count; ++i )
    {
        refObject same = kitBox3( i, 0, 0, 0, 1, 1, 1 );
        same.motion = scene.objects[i].motion;
        scene.objects[i] = same;
    }
    kitRequire( kitMove( scene.broadPhase, dimension, scene.objects, scene.count ), "Move" );
    uint64_t pairCount = 5;
    assert_int_equal( joBroadPhase_FindPairs( scene.broadPhase, NULL, 0, &pairCount ), jo_errorCapacity );
    assert_int_equal( pairCount, 0 );
    for ( uint32_t i = 0; i < scene.count; ++i )
    {
        scene.objects[i].lower[0] = i;
        scene.objects[i].upper[0] = i + 1;
    }
    kitRequire( kitMove( scene.broadPhase, dimension, scene.objects, scene.count ), "Move" );
    kitCheckScene( &scene, "few pairs again" );
    assert_int_equal( kitDefaultHeap.allocations, allocations );
    kitFreeColumns( &columns );
    kitEnd( &scene );
}

static void countsAndStatisticsAreSane( const kitVariant* variant, int dimension )
{
    uint64_t allocationsBefore = kitDefaultHeap.allocations;
    kitScene scene = beginMixed( variant, dimension, NULL );
    uint64_t found = 0, counted = 0;
    kitRequire( joBroadPhase_FindPairs( scene.broadPhase, NULL, 0, &found ), "FindPairs" );
    joBroadPhaseStats stats = joBroadPhase_GetStats( scene.broadPhase );
    assert_int_equal( stats.pairCount, found );
    assert_true( stats.candidatesTested + stats.restingPairCount >= found );
    assert_true( stats.candidatesTested <= 240 * 239 / 2 );
    assert_true( stats.restingPairCount <= found );
    assert_int_equal( stats.memoryBytes, kitDefaultHeap.liveBytes - scene.heldBefore );
    assert_int_equal( stats.allocationCount, kitDefaultHeap.allocations - allocationsBefore );
    kitRequire( joBroadPhase_CountPairs( scene.broadPhase, &counted ), "CountPairs" );
    assert_int_equal( counted, found );
    uint32_t cells = stats.cells, depth = stats.depth;
    switch ( variant->kind )
    {
        case jo_bruteForce:
            assert_true( cells == 0 && depth == 0 );
            break;
        case jo_sweep:
            assert_true( cells >= 1 && depth == 0 );
            break;
        case jo_grid:
            assert_true( cells >= 1 && depth >= 1 && stats.cellSize > 0.0f );
            break;
        case jo_auto:
            break;
        default:
            assert_true( cells >= 1 );
            break;
    }
    if ( variant->kind != jo_grid && variant->kind != jo_auto )
        assert_true( stats.cellSize == 0.0f );
    kitEnd( &scene );
}

static void permutationKindAndShiftDoNotChangeTheAnswer( const kitVariant* variant, int dimension )
{
    refSceneDef draw = {
        .distribution = ref_integers, .axisCount = dimension, .count = 700, .neighbours = 4.0 };
    for ( int way = 0; way < 4; ++way )
    {
        refRandom random = refMakeRandom( 71, (uint64_t)dimension );
        refPrepareScene( &draw, &random );
        kitScene scene = kitBegin( variant, dimension, NULL );
        double shift = way == 1 ? 4096.0 : way == 2 ? -1048576.0 : 0.0;
        for ( uint32_t i = 0; i < draw.count; ++i )
        {
            refObject object = { .key = i, .layer = UINT64_MAX, .mask = UINT64_MAX, .motion = ref_moving };
            refDrawShape( &draw, &random, &object );
            for ( int k = 0; k < 3; ++k )
            {
                object.lower[k] += shift;
                object.upper[k] += shift;
            }
            kitPush( &scene, object );
        }
        for ( uint32_t i = 0; way == 3 && i < draw.count; ++i )
        {
            uint32_t other = refBelow( &random, draw.count );
            refObject kept = scene.objects[i];
            scene.objects[i] = scene.objects[other];
            scene.objects[other] = kept;
        }
        kitAddFrom( &scene, 0 );
        kitCheckScene( &scene, "shifted or permuted" );
        // The same number however it is turned: against the plain scene.
        static uint64_t plainCount[4];
        uint64_t count = joBroadPhase_GetStats( scene.broadPhase ).pairCount;
        if ( plainCount[dimension] == 0 )
            plainCount[dimension] = count;
        assert_int_equal( count, plainCount[dimension] );
        kitEnd( &scene );
    }
}

static void constantColumnsAreReadForEveryElement( const kitVariant* variant, int dimension )
{
    joBroadPhaseDef def = kitDef( variant, dimension );
    kitScene scene = kitBegin( variant, dimension, &def );
    float x[50], zero = 0.0f, radius = 0.5f;
    uint64_t layer = 4, mask = 5;
    for ( uint32_t i = 0; i < 50; ++i )
    {
        x[i] = (float)i;
        refObject ball = kitBall( i, (double)x[i], 0.0, 0.0, 0.5 );
        ball.layer = layer;
        ball.mask = mask;
        kitPush( &scene, ball );
    }
    joCircles circles = { .x = { x, sizeof( float ) },
        .y = { &zero, 0 },
        .z = { &zero, 0 },
        .radius = { &radius, 0 },
        .layer = { &layer, 0 },
        .mask = { &mask, 0 },
        .count = 50 };
    kitRequire( joBroadPhase_SetCircles( scene.broadPhase, &circles, NULL ), "SetCircles" );
    kitCheckScene( &scene, "constant columns" );
    mask = 3;
    for ( uint32_t i = 0; i < 50; ++i )
        scene.objects[i].mask = mask;
    kitRequire( joBroadPhase_SetCircles( scene.broadPhase, &circles, NULL ), "SetCircles" );
    kitCheckScene( &scene, "a constant mask that lets none meet" );
    kitEnd( &scene );
}

// The contract names the formula, in double: what it calls touching is found though the boxes around the
// circles, rounded to nearest, would lie apart, and what it calls apart is not.
static void circlesTouchByTheFormulaWhateverTheirBoxesRoundTo( const kitVariant* variant, int dimension )
{
    static const double tiny[] = { 1e-20, 0x1p-149, 1e-9, 0.0 };
    for ( int k = 0; k < 4; ++k )
    {
        for ( int side = -1; side <= 1; side += 2 )
        {
            kitScene scene = kitBegin( variant, dimension, NULL );
            // The first touches only as 1 + 1e-20 is 1 in double; for 1e-9 it does not.
            kitPush( &scene, kitBall( 0, side, 0.0, 0.0, 1.0 ) );
            kitPush( &scene, kitBall( 1, -side * tiny[k], 0.0, 0.0, 0.0 ) );
            kitPush( &scene, side < 0 ? kitBox3( 2, tiny[k], -1, -1, 5, 1, 1 )
                                      : kitBox3( 2, -5, -1, -1, -tiny[k], 1, 1 ) );
            // Whole numbers beyond 2^24, fives and Pythagoras.
            kitPush( &scene, kitBall( 3, 16777216.0, 100.0, 0.0, 2.5 ) );
            kitPush( &scene, kitBall( 4, 16777220.0, 103.0, 0.0, 2.5 ) );
            kitPush( &scene, kitBall( 5, 16777220.0, 97.0, 0.0, 0x1.3fffffp+1 ) );
            kitAddFrom( &scene, 0 );
            kitCheckScene( &scene, "touching by a rounding" );
            kitEnd( &scene );
        }
    }
}

// --- the table --------------------------------------------------------------------------------------------

typedef void KindFcn( const kitVariant* variant, int dimension );

static const struct
{
    const char* name;
    KindFcn* function;
} all[] = {
    { "every bad number is refused with its index", everyBadNumberIsRefusedWithItsIndex },
    { "the first of many bad elements is named", theFirstOfManyBadElementsIsNamed },
    { "missing columns are refused", missingColumnsAreRefused },
    { "keys that stand twice or exist are refused", keysThatStandTwiceOrExistAreRefused },
    { "key lists with strangers or doubles are refused", keyListsWithStrangersOrDoublesAreRefused },
    { "set replaces moving objects only", setReplacesMovingObjectsOnly },
    { "move keeps layers unless they are given", moveKeepsLayersUnlessTheyAreGiven },
    { "motions change as told", motionsChangeAsToldAndPairsOfStaticsAreNotReported },
    { "nothing is tested again where nothing moves", nothingIsTestedAgainWhereNothingMoves },
    { "every pair comes once without order", everyPairOnceWithoutOrder },
    { "pairs beyond the limit are said to be missing", pairsBeyondTheLimitAreSaidToBeMissing },
    { "a fixed capacity refuses to grow", aFixedCapacityRefusesToGrow },
    { "counts and statistics are sane", countsAndStatisticsAreSane },
    { "permutation and shift do not change the answer", permutationKindAndShiftDoNotChangeTheAnswer },
    { "circles touch by the formula whatever their boxes round to",
        circlesTouchByTheFormulaWhateverTheirBoxesRoundTo },
    { "constant columns are read for every element", constantColumnsAreReadForEveryElement },
};

static void everyKind( void** state )
{
    KindFcn* function = all[(uintptr_t)*state].function;
    for ( int k = 0; k < KIT_VARIANT_COUNT; ++k )
    {
        for ( int dimension = 2; dimension <= 3; ++dimension )
            function( kitVariants + k, dimension );
    }
}

static bool stayQuiet( const char* condition, const char* file, int line )
{
    (void)condition;
    (void)file;
    (void)line;
    return false;
}

static int freeJobs( void** state )
{
    (void)state;
    kitFreeJobs();
    return 0;
}

int main( void )
{
    enum
    {
        plainCount = 4,
        kindCount = sizeof all / sizeof *all
    };
    // Misuse is what these tests do: debug builds need not report it.
    joSetAssertFcn( stayQuiet );
    struct CMUnitTest tests[plainCount + kindCount] = {
        { .name = "a def out of range is refused", .test_func = aDefOutOfRangeIsRefused },
        { .name = "an unknown kind is refused", .test_func = anUnknownKindIsRefused },
        { .name = "kinds are found by their names", .test_func = kindsAreFoundByTheirNames },
        { .name = "nulls are refused", .test_func = nullsAreRefused },
    };
    for ( size_t k = 0; k < kindCount; ++k )
    {
        tests[plainCount + k] = ( struct CMUnitTest ){
            .name = all[k].name, .test_func = everyKind, .initial_state = (void*)(uintptr_t)k };
    }
    return cmocka_run_group_tests( tests, NULL, freeJobs );
}
