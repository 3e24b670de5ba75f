// SPDX-License-Identifier: MIT
// Queries on the world by hand: what each finds and does not, the faults of shared/cases.md 3, 4, 31 and 32
// by name, single calls, errors.
#include "support/world_kit.h"
#include "test_support.h"

#include <math.h>

static const joTransform2 s_origin2 = { { 0.0f, 0.0f }, { 1.0f, 0.0f } };

static joTransform2 at( float x, float y )
{
    return ( joTransform2 ){ { x, y }, { 1.0f, 0.0f } };
}

static joRay rayFrom( float x, float y, float dx, float dy, float length )
{
    return ( joRay ){ .origin = { x, y }, .direction = { dx, dy }, .length = length };
}

static joWorldHit castRay( const joWorld* world, joRay ray, const joWorldQueryFilter* filter )
{
    joWorldHit hit;
    bool isHit;
    kitRequire( joWorld_CastRayClosest( world, &ray, filter, &hit ), "joWorld_CastRayClosest" );
    kitRequire( joWorld_CastRayAny( world, &ray, filter, &isHit ), "joWorld_CastRayAny" );
    assert_int_equal( isHit, hit.body.bits != 0 );
    assert_int_equal( isHit, hit.distance < INFINITY );
    return hit;
}

static joWorldHit castCircle( const joWorld* world, float radius, float x, joVec2 motion )
{
    const joShape2 shape = { .kind = jo_circleShape2, .circle = { .radius = radius } };
    const joTransform2 pose = at( x, 0.0f );
    joWorldHit hit;
    kitRequire( joWorld_CastShapeClosest2( world, &shape, &pose, motion, NULL, &hit ), "cast" );
    return hit;
}

static uint64_t countOverlaps( const joWorld* world, float x, const joWorldQueryFilter* filter )
{
    const joShape2 shape = { .kind = jo_circleShape2, .circle = { .radius = 0.25f } };
    const joTransform2 pose = at( x, 0.0f );
    uint64_t count;
    bool isHit;
    kitRequire( joWorld_OverlapAll2( world, &shape, &pose, filter, NULL, 0, &count ), "overlap" );
    kitRequire( joWorld_OverlapAny2( world, &shape, &pose, filter, &isHit ), "overlap" );
    assert_int_equal( isHit, count > 0 );
    return count;
}

// --- right at once ---

static void case4BodyThatIsTeleportedOrMadeIsFoundBeforeAnyStep( void** state )
{
    (void)state;
    for ( uint32_t kind = 0; kind < KIT_VARIANT_COUNT; ++kind )
    {
        joWorldDef def = joDefaultWorldDef();
        def.dimension = 2;
        def.broadPhase = kitDef( &kitVariants[kind], 2 );
        joWorld* world = NULL;
        kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
        const joBodyId body = kitAddDisc( world, 0.0f, NULL );
        assert_int_equal( countOverlaps( world, 0.5f, NULL ), 1 );
        kitRequire( joWorld_Step( world, 0.01f ), "joWorld_Step" );
        const joTransform2 away = at( 50.0f, 0.0f );
        kitRequire( joWorld_SetPose2( world, body, &away ), "pose" );
        assert_int_equal( countOverlaps( world, 0.5f, NULL ), 0 );
        const joWorldHit hit = castRay( world, rayFrom( 0.0f, 0.0f, 1.0f, 0.0f, 100.0f ), NULL );
        assert_int_equal( hit.body.bits, body.bits );
        assert_true( hit.distance == 49.0f && hit.point[0] == 49.0f && hit.normal[0] == -1.0f );
        kitRequire( joWorld_DestroyBody( world, body ), "destroy" );
        assert_int_equal( countOverlaps( world, 50.0f, NULL ), 0 );
        joDestroyWorld( world );
    }
}

static void case3BodyThatIsTeleportedOntoAnotherIsFoundWithIt( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    kitAddDisc( world, 0.0f, NULL );
    const joBodyId body = kitAddDisc( world, 50.0f, NULL );
    kitRequire( joWorld_Step( world, 0.01f ), "joWorld_Step" );
    kitRequire( joWorld_SetPose2( world, body, &s_origin2 ), "pose" );
    assert_int_equal( countOverlaps( world, 0.0f, NULL ), 2 );
    kitRequire( joWorld_Step( world, 0.01f ), "joWorld_Step" );
    assert_int_equal( countOverlaps( world, 0.0f, NULL ), 2 );
    assert_int_equal( joWorld_GetStats( world ).contactCount, 1 );
    joDestroyWorld( world );
}

static void staticAndSleepingBodiesAreFoundAndDisabledOnesAreNot( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    joColliderId collider;
    const joBodyId body = kitAddDisc( world, 0.0f, &collider );
    kitRequire( joWorld_SetBodyAwake( world, body, false ), "awake" );
    kitRequire( joWorld_Step( world, 0.01f ), "joWorld_Step" );
    assert_int_equal( joWorld_GetStats( world ).sleepingBodyCount, 1 );
    assert_int_equal( countOverlaps( world, 0.0f, NULL ), 1 );
    kitRequire( joWorld_SetBodyType( world, body, jo_staticBody ), "type" );
    assert_int_equal( countOverlaps( world, 0.0f, NULL ), 1 );
    kitRequire( joWorld_SetColliderEnabled( world, collider, false ), "enabled" );
    assert_int_equal( countOverlaps( world, 0.0f, NULL ), 0 );
    kitRequire( joWorld_SetColliderEnabled( world, collider, true ), "enabled" );
    kitRequire( joWorld_SetBodyEnabled( world, body, false ), "enabled" );
    assert_int_equal( countOverlaps( world, 0.0f, NULL ), 0 );
    joDestroyWorld( world );
}

// --- exact shapes ---

// Two thin rods across each other's corner: their bounds overlap, they do not touch.
static void whatOnlyBoundsMeetIsNotFound( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    const joBodyColumns one = { .count = 1 };
    joBodyDef2 def = joDefaultBodyDef2();
    joColliderDef2 colliderDef = joDefaultColliderDef2();
    colliderDef.shape =
        ( joShape2 ){ .kind = jo_capsuleShape2, .capsule = { { -5.0f, -5.0f }, { 5.0f, 5.0f }, 0.125f } };
    kitRequire( joWorld_CreateBodies2( world, &def, &colliderDef, &one, NULL, NULL, NULL ), "create" );
    assert_int_equal( countOverlaps( world, 4.0f, NULL ), 0 );
    assert_int_equal( countOverlaps( world, 0.25f, NULL ), 1 );
    assert_true( castRay( world, rayFrom( 4.0f, -4.0f, 1.0f, 0.0f, 1.0f ), NULL ).distance == INFINITY );
    const joWorldHit hit = castRay( world, rayFrom( 4.0f, -4.0f, -1.0f, 0.0f, 100.0f ), NULL );
    assert_true( fabsf( hit.distance - ( 8.0f - 0.125f * sqrtf( 2.0f ) ) ) < 1e-5f );
    assert_true(
        fabsf( hit.normal[0] - sqrtf( 0.5f ) ) < 1e-5f && fabsf( hit.normal[1] + sqrtf( 0.5f ) ) < 1e-5f );
    // The nearest point of it to a corner of its bounds.
    const float corner[2] = { 5.0f, -5.0f };
    joWorldHit near;
    uint64_t count;
    kitRequire( joWorld_FindNearest( world, corner, 10.0f, NULL, &near, 1, &count ), "nearest" );
    assert_true( count == 1 && fabsf( near.distance - ( sqrtf( 50.0f ) - 0.125f ) ) < 1e-5f );
    assert_true( fabsf( near.point[0] - 0.125f * sqrtf( 0.5f ) ) < 1e-5f );
    kitRequire( joWorld_FindNearest( world, corner, 6.9f, NULL, &near, 1, &count ), "nearest" );
    assert_int_equal( count, 0 );
    joDestroyWorld( world );
}

static void case31CastThatStartsTouchingOrWithinSaysHowDeep( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    kitAddDisc( world, 0.0f, NULL );
    const joVec2 motions[] = { { 0.0f, 0.0f }, { 5.0f, 0.0f }, { -5.0f, 0.0f }, { 0.0f, 3.0f } };
    for ( size_t i = 0; i < sizeof( motions ) / sizeof( motions[0] ); ++i )
    {
        joWorldHit hit = castCircle( world, 0.5f, 1.25f, motions[i] );
        assert_true( hit.distance == 0.0f && hit.fraction == 0.0f && fabsf( hit.depth - 0.25f ) < 1e-6f );
        assert_true( hit.normal[0] == 1.0f && hit.normal[1] == 0.0f );
        hit = castCircle( world, 0.5f, 1.5f, motions[i] );
        assert_true( hit.distance == 0.0f && hit.depth == 0.0f && hit.normal[0] == 1.0f );
    }
    // From beyond it, onto it.
    const joWorldHit hit = castCircle( world, 0.5f, 5.0f, ( joVec2 ){ -7.0f, 0.0f } );
    assert_true( hit.distance == 3.5f && hit.fraction == 0.5f && hit.depth == 0.0f );
    assert_true( hit.normal[0] == 1.0f && fabsf( hit.point[0] - 1.0f ) < 1e-6f );
    assert_true( castCircle( world, 0.5f, 5.0f, ( joVec2 ){ -3.0f, 0.0f } ).distance == INFINITY );
    assert_true( castCircle( world, 0.5f, 5.0f, ( joVec2 ){ 0.0f, 0.0f } ).distance == INFINITY );
    joDestroyWorld( world );
}

static void case32RaysOfNoLengthAlongEdgesAndFromWithin( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    const joPolygon2 box = joMakeBox2( 1.0f, 1.0f );
    const joBodyColumns one = { .count = 1 };
    joBodyDef2 def = joDefaultBodyDef2();
    joColliderDef2 colliderDef = joDefaultColliderDef2();
    colliderDef.shape = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = &box };
    kitRequire( joWorld_CreateBodies2( world, &def, &colliderDef, &one, NULL, NULL, NULL ), "create" );
    // Of no length: what its origin is in or on, whatever the direction.
    assert_true( castRay( world, rayFrom( 0.5f, 0.0f, 0.0f, 0.0f, 0.0f ), NULL ).distance == 0.0f );
    assert_true( castRay( world, rayFrom( 1.0f, 1.0f, 0.0f, 0.0f, 0.0f ), NULL ).distance == 0.0f );
    assert_true( castRay( world, rayFrom( 1.5f, 0.0f, -1.0f, 0.0f, 0.0f ), NULL ).distance == INFINITY );
    // From within: at once, without a normal.
    const joWorldHit within = castRay( world, rayFrom( 0.5f, 0.25f, 1.0f, 0.0f, INFINITY ), NULL );
    assert_true( within.distance == 0.0f && within.normal[0] == 0.0f && within.normal[1] == 0.0f );
    assert_true( within.point[0] == 0.5f && within.point[1] == 0.25f );
    // Along an edge, and ending on one.
    assert_true( castRay( world, rayFrom( -5.0f, 1.0f, 1.0f, 0.0f, INFINITY ), NULL ).distance == 4.0f );
    assert_true( castRay( world, rayFrom( -5.0f, 0.0f, 1.0f, 0.0f, 4.0f ), NULL ).distance == 4.0f );
    assert_true( castRay( world, rayFrom( -5.0f, 0.0f, 1.0f, 0.0f, 3.9f ), NULL ).distance == INFINITY );
    joDestroyWorld( world );
}

// --- what is met ---

static void filtersSayWhatIsMet( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    joColliderId collider[3];
    joBodyId bodies[3];
    for ( int i = 0; i < 3; ++i )
    {
        bodies[i] = kitAddDisc( world, 0.0f, &collider[i] );
    }
    const joColliderFilter second = { .layer = 5, .mask = 2 };
    kitRequire( joWorld_SetColliderFilter( world, collider[1], &second ), "filter" );
    kitRequire( joWorld_SetColliderTrigger( world, collider[2], true ), "trigger" );
    assert_int_equal( countOverlaps( world, 0.0f, NULL ), 3 );
    joWorldQueryFilter filter = joDefaultWorldQueryFilter();
    filter.mask = UINT64_C( 1 ) << 5;
    assert_int_equal( countOverlaps( world, 0.0f, &filter ), 1 );
    filter.layer = 1; // which the second does not meet
    assert_int_equal( countOverlaps( world, 0.0f, &filter ), 0 );
    filter = joDefaultWorldQueryFilter();
    filter.skipsTriggers = true;
    assert_int_equal( countOverlaps( world, 0.0f, &filter ), 2 );
    const joBodyId ignored[3] = { bodies[0], { 0 }, bodies[1] };
    filter.ignoredBodies = ignored;
    filter.ignoredBodyCount = 2;
    assert_int_equal( countOverlaps( world, 0.0f, &filter ), 1 );
    filter.ignoredBodyCount = 3;
    assert_int_equal( countOverlaps( world, 0.0f, &filter ), 0 );
    // The heir of an index is somebody else.
    kitRequire( joWorld_DestroyBody( world, bodies[0] ), "destroy" );
    kitAddDisc( world, 0.0f, NULL );
    assert_int_equal( countOverlaps( world, 0.0f, &filter ), 1 );
    joDestroyWorld( world );
}

static void hitsComeInOrderWithIdsAndUserDataAndTheFirstOnesIfRoomIsShort( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    joBodyId bodies[6];
    for ( int i = 0; i < 6; ++i )
    {
        joColliderId collider;
        bodies[i] = kitAddDisc( world, 30.0f - 5.0f * (float)i, &collider );
        kitRequire( joWorld_SetBodyUserData( world, bodies[i], 100 + (uint64_t)i ), "user data" );
        kitRequire( joWorld_SetColliderUserData( world, collider, 200 + (uint64_t)i ), "user data" );
    }
    const joRay ray = rayFrom( 0.0f, 0.0f, 2.0f, 0.0f, 100.0f );
    joWorldHit hits[4] = { { .userData = 1 }, { .userData = 1 }, { .userData = 1 }, { .userData = 1 } };
    uint64_t count;
    kitRequire( joWorld_CastRayAll( world, &ray, NULL, hits, 3, &count ), "joWorld_CastRayAll" );
    assert_int_equal( count, 6 );
    for ( int i = 0; i < 3; ++i )
    {
        assert_int_equal( hits[i].body.bits, bodies[5 - i].bits );
        assert_true( hits[i].userData == 105 - (uint64_t)i && hits[i].colliderUserData == 205 - (uint64_t)i );
        assert_true( hits[i].distance == 4.0f + 5.0f * (float)i );
    }
    assert_int_equal( hits[3].userData, 1 );
    kitRequire( joWorld_CastRayAll( world, &ray, NULL, NULL, 0, &count ), "joWorld_CastRayAll" );
    assert_int_equal( count, 6 );
    const float point[2] = { 17.0f, 0.0f };
    kitRequire( joWorld_FindNearest( world, point, INFINITY, NULL, hits, 2, &count ), "nearest" );
    assert_true( count == 2 && hits[0].distance == 1.0f && hits[1].distance == 2.0f );
    kitRequire( joWorld_FindNearest( world, point, 0.5f, NULL, hits, 2, &count ), "nearest" );
    assert_int_equal( count, 0 );
    joDestroyWorld( world );
}

static void shapesWithoutAnAnswerDoNotMeet( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 3 );
    const joBodyColumns one = { .count = 1 };
    joBodyDef3 def = joDefaultBodyDef3();
    joColliderDef3 colliderDef = joDefaultColliderDef3();
    colliderDef.shape =
        ( joShape3 ){ .kind = jo_halfSpaceShape3, .halfSpace = { { 0.0f, 1.0f, 0.0f }, 0.0f } };
    kitRequire( joWorld_CreateBodies3( world, &def, &colliderDef, &one, NULL, NULL, NULL ), "create" );
    const joTransform3 pose = joMakeIdentity3();
    bool isHit = true;
    kitRequire( joWorld_OverlapAny3( world, &colliderDef.shape, &pose, NULL, &isHit ), "overlap" );
    assert_false( isHit );
    joWorldHit hit;
    kitRequire( joWorld_CastShapeClosest3(
                    world, &colliderDef.shape, &pose, ( joVec3 ){ 0.0f, -1.0f, 0.0f }, NULL, &hit ),
        "cast" );
    assert_true( hit.distance == INFINITY && hit.body.bits == 0 );
    // A ball that falls on it, all of its calls.
    const joShape3 ball = { .kind = jo_sphereShape3, .sphere = { .radius = 1.0f } };
    joTransform3 above = pose;
    above.position.y = 3.0f;
    const joVec3 down = { 0.0f, -4.0f, 0.0f };
    uint64_t count;
    kitRequire( joWorld_CastShapeAny3( world, &ball, &above, down, NULL, &isHit ), "cast" );
    assert_true( isHit );
    kitRequire( joWorld_CastShapeAll3( world, &ball, &above, down, NULL, &hit, 1, &count ), "cast" );
    assert_true( count == 1 && hit.fraction == 0.5f && hit.distance == 2.0f && hit.normal[1] == 1.0f );
    kitRequire( joWorld_OverlapAll3( world, &ball, &pose, NULL, &hit, 1, &count ), "overlap" );
    assert_true( count == 1 && hit.distance == 0.0f );
    joDestroyWorld( world );
}

// --- errors ---

static void badNumbersAreRefusedWithTheirIndexAndNothingIsWritten( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    kitAddDisc( world, 0.0f, NULL );
    joRay rays[40];
    joWorldHit hits[40];
    uint64_t counts[40];
    bool areHits[40];
    for ( int i = 0; i < 40; ++i )
    {
        rays[i] = rayFrom( -5.0f, 0.0f, 1.0f, 0.0f, 100.0f );
    }
    memset( hits, 0xAB, sizeof( hits ) );
    joWorldHit untouched;
    memset( &untouched, 0xAB, sizeof( untouched ) );
    rays[33].direction[0] = 0.0f;
    rays[37].origin[1] = NAN;
    const joWorldQueries queries = { .ray = { rays, sizeof( joRay ) }, .count = 40 };
    uint32_t bad = 0;
    assert_int_equal(
        joWorld_CastRays( world, NULL, &queries, NULL, 1, hits, counts, &bad ), jo_errorBadRay );
    assert_int_equal( bad, 33 );
    assert_int_equal( joWorld_CastRaysAny( world, NULL, &queries, NULL, areHits, &bad ), jo_errorBadRay );
    rays[33].direction[0] = 1.0f;
    assert_int_equal(
        joWorld_CastRays( world, NULL, &queries, NULL, 1, hits, NULL, &bad ), jo_errorNotANumber );
    assert_int_equal( bad, 37 );
    assert_memory_equal( &hits[0], &untouched, sizeof( untouched ) );
    rays[37].origin[1] = 0.0f;
    kitRequire( joWorld_CastRays( world, NULL, &queries, NULL, 1, hits, counts, &bad ), "joWorld_CastRays" );
    assert_true( bad == JO_NULL_INDEX && counts[39] == 1 && hits[39].distance == 4.0f );

    const joWorldQueries lacking = { .count = 1 }, none = { .count = 0 };
    assert_int_equal(
        joWorld_CastRays( world, NULL, &lacking, NULL, 1, hits, counts, &bad ), jo_errorNullArgument );
    assert_int_equal(
        joWorld_CastShapes( world, NULL, &lacking, NULL, 1, hits, counts, &bad ), jo_errorNullArgument );
    assert_int_equal(
        joWorld_OverlapShapes( world, NULL, &lacking, NULL, 1, hits, counts, &bad ), jo_errorNullArgument );
    assert_int_equal( joWorld_FindNearestToPoints( world, NULL, &lacking, NULL, 1, hits, counts, &bad ),
        jo_errorNullArgument );
    assert_int_equal(
        joWorld_CastRays( world, NULL, &queries, NULL, 1, NULL, counts, &bad ), jo_errorNullArgument );
    assert_int_equal( joWorld_CastRaysAny( world, NULL, &queries, NULL, NULL, &bad ), jo_errorNullArgument );
    assert_int_equal(
        joWorld_CastRays( NULL, NULL, &queries, NULL, 1, hits, NULL, &bad ), jo_errorNullArgument );
    kitRequire( joWorld_CastRays( world, NULL, &none, NULL, 1, NULL, NULL, NULL ), "no ray" );
    joDestroyWorld( world );
}

static void singleCallsRefuseWhatIsWrongAndMeetNothingThen( void** state )
{
    (void)state;
    joWorld* world = kitMakeWorld( 2 );
    kitAddDisc( world, 0.0f, NULL );
    joWorldHit hit = { .distance = 1.0f };
    bool isHit = true;
    uint64_t count = 1;
    joRay ray = rayFrom( 0.0f, 0.0f, 1.0f, 0.0f, -1.0f );
    assert_int_equal( joWorld_CastRayClosest( world, &ray, NULL, &hit ), jo_errorBadRay );
    assert_true( hit.distance == INFINITY && hit.body.bits == 0 );
    assert_int_equal( joWorld_CastRayAny( world, &ray, NULL, &isHit ), jo_errorBadRay );
    assert_false( isHit );
    assert_int_equal( joWorld_CastRayAll( world, &ray, NULL, NULL, 0, &count ), jo_errorBadRay );
    assert_int_equal( count, 0 );
    assert_int_equal( joWorld_CastRayClosest( world, NULL, NULL, &hit ), jo_errorNullArgument );
    assert_int_equal( joWorld_CastRayClosest( NULL, &ray, NULL, &hit ), jo_errorNullArgument );
    assert_int_equal( joWorld_CastRayClosest( world, &ray, NULL, NULL ), jo_errorNullArgument );
    ray.length = 1.0f;
    assert_int_equal( joWorld_CastRayAll( world, &ray, NULL, NULL, 1, &count ), jo_errorNullArgument );
    const joWorldQueryFilter filter = { .ignoredBodyCount = 1 };
    assert_int_equal( joWorld_CastRayClosest( world, &ray, &filter, &hit ), jo_errorNullArgument );

    const joShape3 ball = { .kind = jo_sphereShape3, .sphere = { .radius = 1.0f } };
    const joTransform3 pose3 = joMakeIdentity3();
    assert_int_equal( joWorld_OverlapAny3( world, &ball, &pose3, NULL, &isHit ), jo_errorWrongDimension );
    joShape2 disc = { .kind = jo_circleShape2, .circle = { .radius = 1.0f } };
    const joVec2 infinite = { INFINITY, 0.0f }, bad = { NAN, 0.0f };
    assert_int_equal(
        joWorld_CastShapeClosest2( world, &disc, &s_origin2, infinite, NULL, &hit ), jo_errorBadRay );
    assert_int_equal(
        joWorld_CastShapeClosest2( world, &disc, &s_origin2, bad, NULL, &hit ), jo_errorNotANumber );
    const joTransform2 nowhere = at( INFINITY, 0.0f );
    assert_int_equal( joWorld_OverlapAny2( world, &disc, &nowhere, NULL, &isHit ), jo_errorBadPose );
    disc.circle.radius = -1.0f;
    assert_int_equal( joWorld_OverlapAny2( world, &disc, &s_origin2, NULL, &isHit ), jo_errorBadShape );
    const float point[2] = { 0.0f, 0.0f };
    assert_int_equal( joWorld_FindNearest( world, point, -1.0f, NULL, &hit, 1, &count ), jo_errorBadRadius );
    assert_int_equal( joWorld_FindNearest( world, NULL, 1.0f, NULL, &hit, 1, &count ), jo_errorNullArgument );
    joDestroyWorld( world );
}

static void queriesAllocateNothing( void** state )
{
    (void)state;
    kitHeap heap = { 0 };
    joWorldDef def = joDefaultWorldDef();
    def.dimension = 2;
    def.allocator = kitAllocator( &heap );
    joWorld* world = NULL;
    kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
    for ( int i = 0; i < 300; ++i )
    {
        kitAddDisc( world, 0.5f * (float)i, NULL );
    }
    const uint64_t allocations = heap.allocations;
    static joWorldHit hits[300];
    uint64_t count;
    const joRay ray = rayFrom( -5.0f, 0.0f, 1.0f, 0.0f, INFINITY );
    kitRequire( joWorld_CastRayAll( world, &ray, NULL, hits, 300, &count ), "joWorld_CastRayAll" );
    assert_int_equal( count, 300 );
    assert_int_equal( heap.allocations, allocations );
    joDestroyWorld( world );
}

int main( void )
{
    joSetAssertFcn( kitGoOn );
    const struct CMUnitTest tests[] = {
        TEST( "case 3: a body that is teleported onto another is found with it",
            case3BodyThatIsTeleportedOntoAnotherIsFoundWithIt ),
        TEST( "case 4: a body that is teleported or made is found before any step",
            case4BodyThatIsTeleportedOrMadeIsFoundBeforeAnyStep ),
        TEST( "static and sleeping bodies are found, and disabled ones are not",
            staticAndSleepingBodiesAreFoundAndDisabledOnesAreNot ),
        TEST( "what only bounds meet is not found", whatOnlyBoundsMeetIsNotFound ),
        TEST( "case 31: a cast that starts touching or within says how deep",
            case31CastThatStartsTouchingOrWithinSaysHowDeep ),
        TEST( "case 32: rays of no length, along edges and from within",
            case32RaysOfNoLengthAlongEdgesAndFromWithin ),
        TEST( "filters say what is met", filtersSayWhatIsMet ),
        TEST( "hits come in order with ids and user data, and the first ones if room is short",
            hitsComeInOrderWithIdsAndUserDataAndTheFirstOnesIfRoomIsShort ),
        TEST( "shapes without an answer do not meet", shapesWithoutAnAnswerDoNotMeet ),
        TEST( "bad numbers are refused with their index, and nothing is written",
            badNumbersAreRefusedWithTheirIndexAndNothingIsWritten ),
        TEST( "single calls refuse what is wrong, and meet nothing then",
            singleCallsRefuseWhatIsWrongAndMeetNothingThen ),
        TEST( "queries allocate nothing", queriesAllocateNothing ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
