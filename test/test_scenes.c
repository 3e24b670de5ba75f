// SPDX-License-Identifier: MIT
// What must happen in the scenes of scenes/ that are of many bodies: small variants here, whole ones with
// JOSTLE_SOAK (tools/soak.sh scenes); and that all scenes give the same bits.
#include "scene_stage.h"

static uint64_t s_seed;

// --- stress_events ----------------------------------------------------------------------------------------

typedef struct Piece
{
    joColliderId id;
    joBodyId body;
    joBodyType type;
    uint64_t bodyUserData;
    joTransform2 pose;
    joColliderDef2 def;
} Piece;

static Piece* listPieces( const Stage* stage, size_t* count )
{
    const joWorld* world = stage->run->world;
    const joWorldStats stats = joWorld_GetStats( world );
    joBodyId* bodies = malloc( ( stats.bodyCount + 1 ) * sizeof( joBodyId ) );
    Piece* pieces = malloc( ( stats.colliderCount + 1 ) * sizeof( Piece ) );
    uint64_t bodyCount = 0;
    *count = 0;
    assert_non_null( bodies );
    assert_non_null( pieces );
    kitRequire( joWorld_GetBodyIds( world, bodies, stats.bodyCount, &bodyCount ), "joWorld_GetBodyIds" );
    for ( uint64_t i = 0; i < bodyCount; ++i )
    {
        joColliderId colliders[4];
        uint64_t colliderCount;
        const joBodyDef2 body = bodyOf( stage, bodies[i] );
        kitRequire(
            joWorld_GetColliders( world, bodies[i], colliders, 4, &colliderCount ), "joWorld_GetColliders" );
        for ( uint64_t k = 0; k < colliderCount; ++k )
        {
            Piece* piece = &pieces[( *count )++];
            *piece = ( Piece ){ .id = colliders[k], .body = bodies[i], .type = body.type };
            kitRequire(
                joWorld_GetCollider2( world, colliders[k], &piece->def, NULL ), "joWorld_GetCollider2" );
            piece->pose = joMultiplyTransforms2( body.pose, piece->def.localPose );
        }
    }
    free( bodies );
    assert_int_equal( *count, stats.colliderCount );
    return pieces;
}

static bool mayMeet( const Stage* stage, const Piece* a, const Piece* b )
{
    const joColliderFilter *x = &a->def.filter, *y = &b->def.filter;
    const uint64_t* rows = stage->scene.worldDef.layerMeets;
    return a->body.bits != b->body.bits && !( a->type == jo_staticBody && b->type == jo_staticBody ) &&
           ( x->group == 0 || x->group != y->group ) && ( x->mask >> y->layer & 1 ) != 0 &&
           ( y->mask >> x->layer & 1 ) != 0 && ( rows[x->layer] >> y->layer & 1 ) != 0 &&
           ( rows[y->layer] >> x->layer & 1 ) != 0;
}

// Whether they are within the margin of their pair, asked of the narrow phase alone. `before`: what the
// ledgers said before the step.
static bool doTouch( const Stage* stage, const Piece* a, const Piece* b, const eventLedger before[2] )
{
    joManifold2 manifold;
    const joWorldDef* def = &stage->scene.worldDef;
    const joResult result =
        joCollide2( &a->def.shape, &a->pose, &b->def.shape, &b->pose, def->leaveMargin, NULL, &manifold );
    assert_true( result == jo_success || result == jo_errorNoSuchPair );
    if ( result || manifold.pointCount == 0 || manifold.depth < -def->leaveMargin )
    {
        return false;
    }
    return manifold.depth >= -def->contactMargin || ledgerHas( &before[0], a->id.bits, b->id.bits ) ||
           ledgerHas( &before[1], a->id.bits, b->id.bits );
}

// All pairs of colliders, one by one.
static void expectWhatTouches( const Stage* stage, const eventLedger before[2] )
{
    size_t count, expected = 0;
    Piece* pieces = listPieces( stage, &count );
    for ( size_t i = 0; i < count; ++i )
    {
        for ( size_t j = i + 1; j < count; ++j )
        {
            const Piece *a = &pieces[i], *b = &pieces[j];
            if ( mayMeet( stage, a, b ) && doTouch( stage, a, b, before ) )
            {
                expected += 1;
                const int list = a->def.isTrigger || b->def.isTrigger ? 1 : 0;
                assert_true( ledgerHas( &stage->ledgers[list], a->id.bits, b->id.bits ) );
            }
        }
    }
    assert_int_equal( stage->ledgers[0].count + stage->ledgers[1].count, expected );
    free( pieces );
}

static eventLedger copyLedger( const eventLedger* ledger )
{
    eventLedger copy = *ledger;
    copy.pairs = malloc( ( ledger->count + 1 ) * sizeof( ledgerPair ) );
    copy.next = NULL;
    assert_non_null( copy.pairs );
    if ( ledger->count > 0 )
    {
        memcpy( copy.pairs, ledger->pairs, ledger->count * sizeof( ledgerPair ) );
    }
    return copy;
}

static void stressEventsAreThoseOfAllPairs( void** state )
{
    (void)state;
    Stage stage;
    openStage( &stage, "stress_events", 0.25f );
    const uint32_t steps = stepCountOf( &stage, kitQuick() ? 40 : 80 );
    for ( uint32_t i = 0; i < steps; ++i )
    {
        eventLedger before[2] = { copyLedger( &stage.ledgers[0] ), copyLedger( &stage.ledgers[1] ) };
        stepStage( &stage );
        expectWhatTouches( &stage, before );
        ledgerFree( &before[0] );
        ledgerFree( &before[1] );
    }
    // Enough has happened.
    assert_true( stage.run->totals.created > steps && stage.run->totals.destroyed > steps );
    assert_true( stage.ledgers[0].exitCount > steps && stage.ledgers[1].exitCount > steps );
    closeStage( &stage );
}

// --- survivors --------------------------------------------------------------------------------------------

static double meanDistance( const Stage* stage, const joSceneGroup* group, joVec2 from )
{
    double sum = 0.0;
    for ( uint32_t i = 0; i < group->count; ++i )
    {
        sum += distanceOf( bodyOf( stage, group->ids[i] ).pose.position, from );
    }
    return sum / group->count;
}

// Every pickup that the player comes to vanishes in that step, having entered once; it exits in the next one,
// as no other does.
static void pickupsVanishWhenThePlayerComesToThem( void** state )
{
    (void)state;
    Stage stage;
    openStage( &stage, "survivors", 0.2f );
    const joSceneGroup* pickups = groupNamed( &stage, "pickup" );
    const joSceneGroup* enemies = groupNamed( &stage, "enemy" );
    const joSceneGroup* bullets = groupNamed( &stage, "bullet" );
    const joBodyId player = groupNamed( &stage, "player" )->ids[0];
    const uint32_t pickupCount = pickups->count, enemyCount = enemies->count, bulletCount = bullets->count;
    const uint32_t steps = stepCountOf( &stage, kitQuick() ? 60 : 150 );
    const double far = meanDistance( &stage, enemies, bodyOf( &stage, player ).pose.position );
    joVec2* places = malloc( pickupCount * sizeof( joVec2 ) );
    assert_non_null( places );
    uint32_t left = pickupCount;
    for ( uint32_t i = 0; i < left; ++i )
    {
        places[i] = bodyOf( &stage, pickups->ids[i] ).pose.position;
    }
    uint64_t vanishedBefore = 0;
    for ( uint32_t step = 0; step < steps; ++step )
    {
        stepStage( &stage );
        const joVec2 place = bodyOf( &stage, player ).pose.position;
        uint32_t kept = 0;
        for ( uint32_t i = 0; i < left; ++i )
        {
            // The sum of the radii; no pickup of this seed is missed or met by a hair.
            if ( distanceOf( place, places[i] ) > 0.5 + 0.6 )
            {
                places[kept++] = places[i];
            }
        }
        left = kept;
        assert_int_equal( pickups->count, left );
        assert_int_equal( stage.ledgers[1].enterCount, pickupCount - left );
        assert_int_equal( stage.ledgers[1].exitCount, vanishedBefore );
        vanishedBefore = pickupCount - left;
    }
    free( places );
    assert_true( left < pickupCount );
    assert_true( meanDistance( &stage, enemies, bodyOf( &stage, player ).pose.position ) < far );
    assert_true( enemies->count == enemyCount && bullets->count == bulletCount );
    // Bullets go through.
    assert_true( stage.ledgers[0].exitCount > bulletCount );
    for ( uint32_t i = 0; i < bulletCount; ++i )
    {
        const joBodyDef2 bullet = bodyOf( &stage, bullets->ids[i] );
        const joVec2 velocity = bullet.velocity;
        // Before the next step what has left the area comes in again.
        const double reach = 150.0 * (double)stage.run->scale + 1.0;
        assert_true( fabs( (double)bullet.pose.position.x ) < reach );
        assert_true( fabs( (double)bullet.pose.position.y ) < reach );
        assert_true( fabs( hypot( (double)velocity.x, (double)velocity.y ) - 50.0 ) < 1e-3 );
    }
    closeStage( &stage );
}

// --- crowd ------------------------------------------------------------------------------------------------

// The deepest overlap of discs, by cells as wide as a disc: shares no code with the library.
static double deepestOverlap( const Stage* stage, const joSceneGroup* group, double radius )
{
    const int side = 256;
    const double width = 2.0 * radius, origin = -128.0 * width;
    int32_t* heads = malloc( (size_t)( side * side ) * sizeof( int32_t ) );
    int32_t* nexts = malloc( group->count * sizeof( int32_t ) );
    joVec2* places = malloc( group->count * sizeof( joVec2 ) );
    assert_true( heads != NULL && nexts != NULL && places != NULL );
    memset( heads, 0xFF, (size_t)( side * side ) * sizeof( int32_t ) );
    double least = width;
    for ( uint32_t i = 0; i < group->count; ++i )
    {
        places[i] = bodyOf( stage, group->ids[i] ).pose.position;
        const int x = (int)floor( ( (double)places[i].x - origin ) / width );
        const int y = (int)floor( ( (double)places[i].y - origin ) / width );
        assert_true( x > 0 && x < side - 1 && y > 0 && y < side - 1 );
        for ( int cell = 0; cell < 9; ++cell )
        {
            int32_t j = heads[( y + cell / 3 - 1 ) * side + x + cell % 3 - 1];
            for ( ; j >= 0; j = nexts[j] )
            {
                least = fmin( least, distanceOf( places[i], places[j] ) );
            }
        }
        nexts[i] = heads[y * side + x];
        heads[y * side + x] = (int32_t)i;
    }
    free( heads );
    free( nexts );
    free( places );
    return width - least;
}

static void noDiscsOfTheCrowdOverlap( void** state )
{
    (void)state;
    Stage stage;
    openStage( &stage, "crowd", 0.3f );
    const joSceneGroup* discs = groupNamed( &stage, "disc" );
    const uint32_t steps = stepCountOf( &stage, kitQuick() ? 60 : 300 );
    const double side = 80.4 * (double)stage.run->scale;
    double deepest = 0.0;
    for ( uint32_t step = 0; step < steps; ++step )
    {
        stepStage( &stage );
        deepest = fmax( deepest, deepestOverlap( &stage, discs, 0.5 ) );
    }
    print_message( "crowd: %u discs, %u steps, deepest overlap left %.5f\n", discs->count, steps, deepest );
    assert_true( deepest < 0.01 * 0.5 );
    assert_true( stage.ledgers[0].enterCount > discs->count / 4 );
    // They fly on, and none is lost.
    double speed = 0.0;
    for ( uint32_t i = 0; i < discs->count; ++i )
    {
        const joBodyDef2 disc = bodyOf( &stage, discs->ids[i] );
        speed += hypot( (double)disc.velocity.x, (double)disc.velocity.y ) / discs->count;
        assert_true( fabs( (double)disc.pose.position.x ) < side + 0.5 );
        assert_true( fabs( (double)disc.pose.position.y ) < side + 0.5 );
    }
    assert_true( speed > 0.5 );
    closeStage( &stage );
}

// --- strategy ---------------------------------------------------------------------------------------------

// Nine tenths of the units fall asleep after half a second, and stay so, where they were.
static void unitsAtRestSleepWhileOthersMarch( void** state )
{
    (void)state;
    Stage stage;
    openStage( &stage, "strategy", 0.2f );
    const joSceneGroup* resting = groupNamed( &stage, "resting" );
    const joSceneGroup* marching = groupNamed( &stage, "marching" );
    joTransform2* before = malloc( resting->count * sizeof( joTransform2 ) );
    assert_non_null( before );
    for ( uint32_t i = 0; i < resting->count; ++i )
    {
        before[i] = bodyOf( &stage, resting->ids[i] ).pose;
    }
    const uint32_t steps = stepCountOf( &stage, kitQuick() ? 45 : 90 );
    for ( uint32_t step = 0; step < steps; ++step )
    {
        stepStage( &stage );
    }
    const joWorldStats stats = joWorld_GetStats( stage.run->world );
    assert_int_equal( stats.sleepingBodyCount, resting->count );
    assert_int_equal( stats.awakeBodyCount, marching->count );
    assert_true( resting->count > 8 * marching->count );
    for ( uint32_t i = 0; i < resting->count; ++i )
    {
        const joBodyDef2 unit = bodyOf( &stage, resting->ids[i] );
        assert_false( unit.isAwake );
        assert_memory_equal( &unit.pose, &before[i], sizeof( unit.pose ) );
    }
    free( before );
    closeStage( &stage );
}

// --- all scenes -------------------------------------------------------------------------------------------

typedef struct SmallScene
{
    const char* name;
    float scale;
} SmallScene;

static const SmallScene smallScenes[] = { { "bullets_wall", 0.5f }, { "collision_event", 1.0f },
    { "crowd", 0.2f }, { "platformer", 1.0f }, { "rooms", 0.6f }, { "strategy", 0.15f },
    { "stress_events", 0.3f }, { "survivors", 0.15f } };
#define SMALL_SCENE_COUNT ( sizeof( smallScenes ) / sizeof( smallScenes[0] ) )

typedef struct Variant
{
    joBroadPhaseKind kind;
    uint32_t workers;
} Variant;

static const Variant variants[] = {
    { jo_grid, 1 }, { jo_bvh, 4 }, { jo_sweep, 2 }, { jo_tree, 3 }, { jo_bruteForce, 2 }, { jo_auto, 4 } };
#define VARIANT_COUNT ( sizeof( variants ) / sizeof( variants[0] ) )

static joSceneRun* openRun( const joScene* scene, float scale, const Variant* variant )
{
    joSceneRun* run;
    const joSceneRunDef def = { variant->kind, kitJobs( variant->workers ), scale };
    kitRequire( joCreateSceneRun( scene, &def, &run ), "joCreateSceneRun" );
    return run;
}

// Of how it ended and of all events.
static uint64_t closeRun( joSceneRun* run )
{
    uint64_t hash;
    kitRequire( joSceneRun_Hash( run, &hash ), "joSceneRun_Hash" );
    hash ^= run->eventHash;
    joDestroySceneRun( run );
    return hash;
}

static uint64_t runHash( const joScene* scene, float scale, const Variant* variant, uint32_t steps )
{
    joSceneRun* run = openRun( scene, scale, variant );
    for ( uint32_t step = 0; step < steps; ++step )
    {
        kitRequire( joSceneRun_Step( run ), "joSceneRun_Step" );
    }
    return closeRun( run );
}

static void everyKindAndNumberOfThreadsGivesTheSameBits( void** state )
{
    (void)state;
    for ( size_t i = 0; i < SMALL_SCENE_COUNT; ++i )
    {
        joScene scene;
        loadScene( smallScenes[i].name, &scene );
        uint64_t expected = 0;
        for ( size_t k = 0; k < VARIANT_COUNT; ++k )
        {
            const uint64_t hash = runHash( &scene, smallScenes[i].scale, &variants[k],
                KIT_SANITIZED ? 6
                : kitQuick()  ? 15
                              : 40 );
            expected = k == 0 ? hash : expected;
            assert_int_equal( hash, expected );
        }
        joFreeScene( &scene );
    }
}

// Rows for all that the shapes of a scene may point to. `shapes` null: counts them.
static uint32_t listShapes( const joScene* scene, char* shapes, size_t size )
{
    uint32_t count = 0;
    for ( uint32_t b = 0; b <= scene->bodyCount; ++b )
    {
        const bool isBody = b < scene->bodyCount;
        const uint32_t here = isBody ? scene->bodies[b].colliderCount : scene->disturbance.shapeCount;
        for ( uint32_t k = 0; k < here; ++k )
        {
            const joFileShape* shape =
                isBody ? &scene->bodies[b].colliders[k].shape : &scene->disturbance.shapes[k];
            if ( shapes != NULL )
            {
                const void* from = scene->dimension == 2 ? (const void*)&shape->shape2 : &shape->shape3;
                memcpy( shapes + count * size, from, size );
            }
            count += 1;
        }
    }
    return count;
}

// Goes on in another world, made from the bytes of the old one, of another kind and number of threads.
static void moveToAnotherWorld( joSceneRun* run, const Variant* variant )
{
    const joScene* scene = run->scene;
    const size_t shapeSize = scene->dimension == 2 ? sizeof( joShape2 ) : sizeof( joShape3 );
    const uint32_t shapeCount = listShapes( scene, NULL, shapeSize );
    char* shapes = malloc( shapeCount * shapeSize );
    assert_non_null( shapes );
    listShapes( scene, shapes, shapeSize );
    const joShapeTable table = { { shapes, shapeSize }, shapeCount };
    uint64_t size = 0;
    joWorld_Save( run->world, &table, NULL, 0, &size, NULL );
    void* bytes = malloc( size );
    assert_non_null( bytes );
    kitRequire( joWorld_Save( run->world, &table, bytes, size, &size, NULL ), "joWorld_Save" );
    joWorldDef def = scene->worldDef;
    def.broadPhase.kind = variant->kind;
    def.jobs = kitJobs( variant->workers );
    joDestroyWorld( run->world );
    kitRequire( joCreateWorld( &def, &run->world ), "joCreateWorld" );
    kitRequire( joWorld_Load( run->world, &table, bytes, size ), "joWorld_Load" );
    assert_true( joWorld_Validate( run->world ) );
    free( shapes );
    free( bytes );
}

static void savingAndLoadingAtAnyMomentChangesNothing( void** state )
{
    (void)state;
    const uint32_t steps = KIT_SANITIZED ? 20 : kitQuick() ? 40 : 100;
    for ( size_t i = 0; i < SMALL_SCENE_COUNT; ++i )
    {
        joScene scene;
        loadScene( smallScenes[i].name, &scene );
        const uint64_t expected = runHash( &scene, smallScenes[i].scale, &variants[0], steps );
        joSceneRun* run = openRun( &scene, smallScenes[i].scale, &variants[0] );
        uint64_t random = s_seed + i;
        for ( uint32_t step = 0, moves = 0; step < steps; ++step )
        {
            // Of the first moments one, and then one of eight.
            if ( randomBelow( &random, step < 3 ? 2 : 8 ) == 0 )
            {
                moveToAnotherWorld( run, &variants[++moves % VARIANT_COUNT] );
            }
            kitRequire( joSceneRun_Step( run ), "joSceneRun_Step" );
        }
        assert_int_equal( closeRun( run ), expected );
        joFreeScene( &scene );
    }
}

int main( int argc, char** argv )
{
    const struct CMUnitTest tests[] = {
        TEST(
            "stress_events: what touches is what all pairs say, one by one", stressEventsAreThoseOfAllPairs ),
        TEST( "survivors: pickups vanish when the player comes to them, and bullets fly on",
            pickupsVanishWhenThePlayerComesToThem ),
        TEST( "crowd: no discs overlap by more than a hundredth of a radius after any step",
            noDiscsOfTheCrowdOverlap ),
        TEST( "strategy: units at rest sleep while others march", unitsAtRestSleepWhileOthersMarch ),
        TEST( "all scenes: every kind and number of threads gives the same bits",
            everyKindAndNumberOfThreadsGivesTheSameBits ),
        TEST( "all scenes: saving, and loading into another world, changes no bit at any moment",
            savingAndLoadingAtAnyMomentChangesNothing ),
    };
    s_seed = readSeed( argc, argv );
    const int failed = cmocka_run_group_tests( tests, NULL, NULL );
    kitFreeJobs();
    return failed;
}
