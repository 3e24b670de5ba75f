// SPDX-License-Identifier: MIT
// Queries on random worlds against plain loops: every collider is asked by the call of the narrow phase for
// one pair, and what it says is sorted.
#include "support/world_kit.h"
#include "support/world_rig.h"
#include "test_support.h"

#include <math.h>

#define BODIES 90
#define QUERIES 48
#define MOST_HITS 256

static uint64_t s_seed;
static uint64_t s_metCounts[4]; // by kind of query
static uint64_t s_behindCount;  // hits that count as being behind where the narrow phase says

enum
{
    rays,
    casts,
    overlaps,
    nearest,
    kindCount
};

// One query of any kind, in both dimensions.
typedef struct Query
{
    joRay ray;
    joShape2 shape2;
    joShape3 shape3;
    joTransform2 pose2;
    joTransform3 pose3;
    joVec3 motion; // its first two numbers are those of a joVec2
    joVec3 point;
    float maxDistance;
    uint64_t layer, mask;
    joBodyId ignored;
} Query;

// A collider as the getters tell of it.
typedef struct Target
{
    joBodyId body;
    joColliderId collider;
    bool isThere, isTrigger;
    joColliderFilter filter;
    joShape2 shape2;
    joShape3 shape3;
    joTransform2 pose2;
    joTransform3 pose3;
} Target;

typedef struct Scene
{
    worldRig rig;
    int dimension;
    joWorldQueryFilter filter;
    joBodyId ignored[3];
    joBodyId bodies[2 * BODIES];
    Target targets[2 * BODIES];
    uint32_t targetCount;
    Query queries[QUERIES];
    joChain2* chain;
    joHull3* hull;
    joMesh3* mesh;
} Scene;

// --- a world ---

static void makeShapes( Scene* scene )
{
    const joVec2 points2[5] = {
        { -2.0f, 0.0f }, { -0.5f, 0.75f }, { 0.0f, 0.0f }, { 1.0f, 0.25f }, { 1.5f, -0.5f } };
    const joVec3 points3[6] = { { -0.5f, 0.0f, 0.0f }, { 0.75f, 0.0f, 0.0f }, { 0.0f, -0.5f, 0.0f },
        { 0.0f, 0.5f, 0.0f }, { 0.0f, 0.0f, -0.5f }, { 0.0f, 0.0f, 1.0f } };
    const uint32_t indices[6] = { 0, 2, 4, 1, 3, 5 };
    kitRequire( joCreateChain2( points2, 5, false, NULL, &scene->chain, NULL ), "joCreateChain2" );
    kitRequire( joCreateHull3( points3, 6, NULL, &scene->hull, NULL ), "joCreateHull3" );
    kitRequire( joCreateMesh3( points3, 6, indices, 2, NULL, &scene->mesh, NULL ), "joCreateMesh3" );
}

static joShape2 anyShape2( Scene* scene )
{
    return rigBelow( &scene->rig, 10 ) == 0 ? ( joShape2 ){ .kind = jo_chainShape2, .chain = scene->chain }
                                            : rigShape2( &scene->rig );
}

static joShape3 anyShape3( Scene* scene )
{
    const uint32_t which = rigBelow( &scene->rig, 10 );
    return which == 0   ? ( joShape3 ){ .kind = jo_hullShape3, .hull = scene->hull }
           : which == 1 ? ( joShape3 ){ .kind = jo_meshShape3, .mesh = scene->mesh }
                        : rigShape3( &scene->rig );
}

static void addCollider( Scene* scene, joBodyId body )
{
    worldRig* rig = &scene->rig;
    joColliderDef2 def2 = joDefaultColliderDef2();
    joColliderDef3 def3 = joDefaultColliderDef3();
    joColliderId collider;
    def2.shape = anyShape2( scene ), def3.shape = anyShape3( scene );
    def2.filter = def3.filter = rigFilter( rig );
    def2.isTrigger = def3.isTrigger = rigBelow( rig, 5 ) == 0;
    def2.isEnabled = def3.isEnabled = rigBelow( rig, 8 ) != 0;
    def2.userData = def3.userData = nextRandom( &rig->random );
    if ( rigBelow( rig, 2 ) != 0 )
    {
        def2.localPose = rigPose2( rig );
        def3.localPose = rigPose3( rig );
    }
    kitRequire( scene->dimension == 2 ? joWorld_CreateCollider2( rig->world, body, &def2, &collider )
                                      : joWorld_CreateCollider3( rig->world, body, &def3, &collider ),
        "collider" );
}

static void addBody( Scene* scene )
{
    worldRig* rig = &scene->rig;
    joBodyDef2 def2 = joDefaultBodyDef2();
    joBodyDef3 def3 = joDefaultBodyDef3();
    joBodyId body;
    def2.pose = rigPose2( rig ), def3.pose = rigPose3( rig );
    def2.type = def3.type = (joBodyType)rigBelow( rig, 3 );
    def2.isEnabled = def3.isEnabled = rigBelow( rig, 10 ) != 0;
    def2.isAwake = def3.isAwake = rigBelow( rig, 2 ) != 0;
    def2.gravityScale = def3.gravityScale = 0.0f;
    def2.userData = def3.userData = nextRandom( &rig->random );
    kitRequire( scene->dimension == 2 ? joWorld_CreateBody2( rig->world, &def2, &body )
                                      : joWorld_CreateBody3( rig->world, &def3, &body ),
        "body" );
    for ( uint32_t i = rigBelow( rig, 3 ); i < 3; ++i )
    {
        addCollider( scene, body );
    }
}

// After this the structures are out of date.
static void changeSome( Scene* scene )
{
    worldRig* rig = &scene->rig;
    uint64_t count;
    kitRequire( joWorld_GetBodyIds( rig->world, scene->bodies, 2 * BODIES, &count ), "ids" );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const joTransform2 pose2 = rigPose2( rig );
        const joTransform3 pose3 = rigPose3( rig );
        const uint32_t what = rigBelow( rig, 12 );
        const joBodyId body = scene->bodies[i];
        kitRequire( what > 1                ? jo_success
                    : what == 1             ? joWorld_DestroyBody( rig->world, body )
                    : scene->dimension == 2 ? joWorld_SetPose2( rig->world, body, &pose2 )
                                            : joWorld_SetPose3( rig->world, body, &pose3 ),
            "a change" );
    }
    for ( int i = 0; i < 6; ++i )
    {
        addBody( scene );
    }
}

static void readTarget( Scene* scene, joBodyId body, bool isEnabled, joColliderId collider, Target* target )
{
    const joWorld* world = scene->rig.world;
    *target = ( Target ){ .body = body, .collider = collider };
    if ( scene->dimension == 2 )
    {
        joColliderDef2 def;
        joTransform2 pose;
        kitRequire( joWorld_GetCollider2( world, collider, &def, NULL ), "collider" );
        kitRequire( joWorld_GetPose2( world, body, &pose ), "pose" );
        const joTransform2 identity = joMakeIdentity2();
        const bool isPlain = memcmp( &def.localPose, &identity, sizeof( identity ) ) == 0;
        target->shape2 = def.shape;
        target->pose2 = isPlain ? pose : joMultiplyTransforms2( pose, def.localPose );
        target->filter = def.filter;
        target->isTrigger = def.isTrigger;
        target->isThere = isEnabled && def.isEnabled;
        return;
    }
    joColliderDef3 def;
    joTransform3 pose;
    kitRequire( joWorld_GetCollider3( world, collider, &def, NULL ), "collider" );
    kitRequire( joWorld_GetPose3( world, body, &pose ), "pose" );
    const joTransform3 identity = joMakeIdentity3();
    const bool isPlain = memcmp( &def.localPose, &identity, sizeof( identity ) ) == 0;
    target->shape3 = def.shape;
    target->pose3 = isPlain ? pose : joMultiplyTransforms3( pose, def.localPose );
    target->filter = def.filter;
    target->isTrigger = def.isTrigger;
    target->isThere = isEnabled && def.isEnabled;
}

static void readTargets( Scene* scene )
{
    uint64_t bodyCount, count;
    scene->targetCount = 0;
    kitRequire( joWorld_GetBodyIds( scene->rig.world, scene->bodies, 2 * BODIES, &bodyCount ), "ids" );
    for ( uint32_t i = 0; i < bodyCount; ++i )
    {
        joBodyDef2 def2;
        joBodyDef3 def3;
        joColliderId colliders[8];
        const joBodyId body = scene->bodies[i];
        kitRequire( scene->dimension == 2 ? joWorld_GetBody2( scene->rig.world, body, &def2 )
                                          : joWorld_GetBody3( scene->rig.world, body, &def3 ),
            "body" );
        kitRequire( joWorld_GetColliders( scene->rig.world, body, colliders, 8, &count ), "colliders" );
        for ( uint32_t k = 0; k < count && scene->targetCount < 2 * BODIES; ++k )
        {
            readTarget( scene, body, scene->dimension == 2 ? def2.isEnabled : def3.isEnabled, colliders[k],
                &scene->targets[scene->targetCount++] );
        }
    }
}

// --- queries ---

static float anyCoordinate( worldRig* rig )
{
    return rigPose2( rig ).position.x;
}

static void makeQuery( Scene* scene, Query* query )
{
    worldRig* rig = &scene->rig;
    memset( query, 0, sizeof( *query ) );
    for ( int axis = 0; axis < 3; ++axis )
    {
        query->ray.origin[axis] = anyCoordinate( rig );
        query->ray.direction[axis] = rigBelow( rig, 3 ) == 0 ? 0.0f : anyCoordinate( rig );
    }
    query->ray.direction[0] +=
        query->ray.direction[0] == 0.0f && query->ray.direction[1] == 0.0f ? 1.0f : 0.0f;
    const float lengths[4] = { 0.0f, INFINITY, rigBetween( rig, 0.0f, 3.0f ), rigBetween( rig, 0.0f, 9.0f ) };
    query->ray.length = lengths[rigBelow( rig, 4 )];
    query->shape2 = anyShape2( scene );
    query->shape3 = anyShape3( scene );
    query->pose2 = rigPose2( rig );
    query->pose3 = rigPose3( rig );
    const float speed = rigBelow( rig, 6 ) == 0 ? 0.0f : 1.0f;
    query->motion = ( joVec3 ){ speed * anyCoordinate( rig ), speed * anyCoordinate( rig ),
        rigBelow( rig, 2 ) != 0 ? 0.0f : speed * anyCoordinate( rig ) };
    query->point = ( joVec3 ){ anyCoordinate( rig ), anyCoordinate( rig ), anyCoordinate( rig ) };
    query->maxDistance = lengths[1 + rigBelow( rig, 3 )];
    query->layer = rigBelow( rig, 3 ) == 0 ? rigBelow( rig, 16 ) : UINT64_MAX;
    query->mask = rigBelow( rig, 3 ) == 0 ? rigBelow( rig, 16 ) : UINT64_MAX;
    query->ignored = scene->targets[rigBelow( rig, scene->targetCount )].body;
}

static bool isMet( const Scene* scene, const Query* query, const Target* target )
{
    const joWorldQueryFilter* filter = &scene->filter;
    const uint64_t row = scene->rig.model.def.layerMeets[target->filter.layer];
    bool met = target->isThere && ( query->layer & target->filter.mask & row ) != 0 &&
               ( query->mask >> target->filter.layer & 1 ) != 0 && target->body.bits != query->ignored.bits &&
               !( filter->skipsTriggers && target->isTrigger );
    for ( uint32_t i = 0; i < filter->ignoredBodyCount; ++i )
    {
        met = met && filter->ignoredBodies[i].bits != target->body.bits;
    }
    return met;
}

static void setPlace( joWorldHit* hit, joVec3 point, joVec3 normal )
{
    memcpy( hit->point, &point, sizeof( point ) );
    memcpy( hit->normal, &normal, sizeof( normal ) );
}

static joVec3 flat( joVec2 v )
{
    return ( joVec3 ){ v.x, v.y, 0.0f };
}

// +inf: not met.
static float meet2( const Query* query, int kind, const Target* target, joWorldHit* hit )
{
    joRayHit2 ray;
    joCastHit2 cast;
    joClosestPoints2 closest;
    bool touches;
    const joVec2 motion = { query->motion.x, query->motion.y };
    const joShape2 spot = { .kind = jo_circleShape2, .circle = { { query->point.x, query->point.y }, 0.0f } };
    const joTransform2 identity = joMakeIdentity2();
    switch ( kind )
    {
        case rays:
            kitRequire( joCastRayAtShape2( &target->shape2, &target->pose2, &query->ray, &ray ), "ray" );
            setPlace( hit, flat( ray.point ), flat( ray.normal ) );
            return ray.distance;
        case casts:
            if ( joCast2( &target->shape2, &target->pose2, &query->shape2, &query->pose2, motion, NULL,
                     &cast ) != jo_success ||
                 !cast.isHit )
            {
                return INFINITY;
            }
            setPlace( hit, flat( cast.point ), flat( cast.normal ) );
            hit->fraction = cast.fraction;
            hit->depth = cast.depth;
            return (
                float)( (double)cast.fraction * (double)(float)sqrt( (double)motion.x * (double)motion.x +
                                                                     (double)motion.y * (double)motion.y ) );
        case overlaps:
            return joOverlap2( &target->shape2, &target->pose2, &query->shape2, &query->pose2, NULL,
                       &touches ) == jo_success &&
                           touches
                       ? 0.0f
                       : INFINITY;
        default:
            kitRequire( joDistance2( &target->shape2, &target->pose2, &spot, &identity, NULL, &closest ),
                "distance" );
            setPlace( hit, flat( closest.pointA ), flat( closest.normal ) );
            return closest.distance <= query->maxDistance ? closest.distance : INFINITY;
    }
}

static float meet3( const Query* query, int kind, const Target* target, joWorldHit* hit )
{
    joRayHit3 ray;
    joCastHit3 cast;
    joClosestPoints3 closest;
    bool touches;
    const joVec3 v = query->motion;
    const joShape3 spot = { .kind = jo_sphereShape3, .sphere = { query->point, 0.0f } };
    const joTransform3 identity = joMakeIdentity3();
    switch ( kind )
    {
        case rays:
            kitRequire( joCastRayAtShape3( &target->shape3, &target->pose3, &query->ray, &ray ), "ray" );
            setPlace( hit, ray.point, ray.normal );
            return ray.distance;
        case casts:
            if ( joCast3( &target->shape3, &target->pose3, &query->shape3, &query->pose3, v, NULL, &cast ) !=
                     jo_success ||
                 !cast.isHit )
            {
                return INFINITY;
            }
            setPlace( hit, cast.point, cast.normal );
            hit->fraction = cast.fraction;
            hit->depth = cast.depth;
            return (float)( (double)cast.fraction *
                            (double)(float)sqrt( (double)v.x * (double)v.x + (double)v.y * (double)v.y +
                                                 (double)v.z * (double)v.z ) );
        case overlaps:
            return joOverlap3( &target->shape3, &target->pose3, &query->shape3, &query->pose3, NULL,
                       &touches ) == jo_success &&
                           touches
                       ? 0.0f
                       : INFINITY;
        default:
            kitRequire( joDistance3( &target->shape3, &target->pose3, &spot, &identity, NULL, &closest ),
                "distance" );
            setPlace( hit, closest.pointA, closest.normal );
            return closest.distance <= query->maxDistance ? closest.distance : INFINITY;
    }
}

static int compareHits( const void* a, const void* b )
{
    const joWorldHit *x = a, *y = b;
    const uint32_t indexX = (uint32_t)x->collider.bits & 0xFFFFFF,
                   indexY = (uint32_t)y->collider.bits & 0xFFFFFF;
    return x->distance != y->distance ? ( x->distance < y->distance ? -1 : 1 ) : indexX < indexY ? -1 : 1;
}

static uint32_t findAll( const Scene* scene, const Query* query, int kind, joWorldHit* hits )
{
    uint32_t count = 0;
    for ( uint32_t i = 0; i < scene->targetCount; ++i )
    {
        const Target* target = &scene->targets[i];
        joWorldHit hit = { .body = target->body, .collider = target->collider };
        hit.distance = !isMet( scene, query, target ) ? INFINITY
                       : scene->dimension == 2        ? meet2( query, kind, target, &hit )
                                                      : meet3( query, kind, target, &hit );
        if ( hit.distance < INFINITY )
        {
            hits[count++] = hit;
        }
    }
    qsort( hits, count, sizeof( joWorldHit ), compareHits );
    return count;
}

// --- comparison ---

static joWorldQueries columnsOf( const Scene* scene )
{
    const Query* first = scene->queries;
    const size_t stride = sizeof( Query );
    const bool flatWorld = scene->dimension == 2;
    return ( joWorldQueries ){ .ray = { &first->ray, stride },
        .shape = { flatWorld ? (const void*)&first->shape2 : &first->shape3, stride },
        .pose = { flatWorld ? (const void*)&first->pose2 : &first->pose3, stride },
        .motion = { &first->motion, stride },
        .point = { &first->point, stride },
        .maxDistance = { &first->maxDistance, stride },
        .layer = { &first->layer, stride },
        .mask = { &first->mask, stride },
        .ignoredBody = { &first->ignored, stride },
        .count = QUERIES };
}

static joResult askBatch(
    const Scene* scene, joJobs* jobs, int kind, uint32_t capacity, joWorldHit* hits, uint64_t* counts )
{
    const joWorldQueries queries = columnsOf( scene );
    const joWorld* world = scene->rig.world;
    const joWorldQueryFilter* filter = &scene->filter;
    switch ( kind )
    {
        case rays:
            return joWorld_CastRays( world, jobs, &queries, filter, capacity, hits, counts, NULL );
        case casts:
            return joWorld_CastShapes( world, jobs, &queries, filter, capacity, hits, counts, NULL );
        case overlaps:
            return joWorld_OverlapShapes( world, jobs, &queries, filter, capacity, hits, counts, NULL );
        default:
            return joWorld_FindNearestToPoints( world, jobs, &queries, filter, capacity, hits, counts, NULL );
    }
}

static void assertSame( const joWorldHit* hit, const joWorldHit* expected )
{
    assert_int_equal( hit->body.bits, expected->body.bits );
    assert_int_equal( hit->collider.bits, expected->collider.bits );
    assert_true( hit->distance == expected->distance && hit->fraction == expected->fraction );
    assert_true( hit->depth == expected->depth );
    assert_memory_equal( hit->point, expected->point, sizeof( hit->point ) );
    assert_memory_equal( hit->normal, expected->normal, sizeof( hit->normal ) );
}

// With bounds that are no wider than the shapes, what is met is the same, but where rounding puts a shape
// before its bounds it counts as being where they are.
static void assertNearlySame( const joWorldHit* hits, uint32_t count, const joWorldHit* expected )
{
    uint32_t i = 0;
    while ( i < count && hits[i].collider.bits != expected->collider.bits )
    {
        ++i;
    }
    assert_true( i < count );
    const float excess = hits[i].distance - expected->distance;
    assert_true( excess >= 0.0f && excess <= 1e-6f * ( 1.0f + expected->distance ) );
    s_behindCount += excess > 0.0f ? 1 : 0;
    joWorldHit moved = hits[i];
    moved.distance = expected->distance;
    assertSame( &moved, expected );
}

// All, the first few, and whether there are any: as the loops say.
static uint64_t compareKind( const Scene* scene, joJobs* jobs, int kind )
{
    static joWorldHit hits[QUERIES * MOST_HITS], few[QUERIES * 3], expected[MOST_HITS];
    uint64_t counts[QUERIES], sum = 0;
    bool areHits[QUERIES];
    const joWorldQueries queries = columnsOf( scene );
    kitRequire( askBatch( scene, jobs, kind, MOST_HITS, hits, counts ), "all" );
    kitRequire( askBatch( scene, jobs, kind, 3, few, NULL ), "the first few" );
    if ( kind != nearest )
    {
        kitRequire( ( kind == rays      ? joWorld_CastRaysAny
                        : kind == casts ? joWorld_CastShapesAny
                                        : joWorld_OverlapShapesAny )(
                        scene->rig.world, jobs, &queries, &scene->filter, areHits, NULL ),
            "any" );
    }
    for ( uint32_t i = 0; i < QUERIES; ++i )
    {
        const uint32_t count = findAll( scene, &scene->queries[i], kind, expected );
        assert_int_equal( counts[i], count );
        assert_true( kind == nearest || areHits[i] == ( count > 0 ) );
        for ( uint32_t k = 0; k < count; ++k )
        {
            assertNearlySame( hits + i * MOST_HITS, count, &expected[k] );
            assert_true( k == 0 || hits[i * MOST_HITS + k - 1].distance <= hits[i * MOST_HITS + k].distance );
        }
        for ( uint32_t k = 0; k < count && scene->rig.model.def.leaveMargin > 0.0f; ++k )
        {
            assertSame( &hits[i * MOST_HITS + k], &expected[k] );
        }
        for ( uint32_t k = 0; k < 3; ++k )
        {
            const joWorldHit none = { .distance = INFINITY };
            assertSame( &few[i * 3 + k], k < count ? &hits[i * MOST_HITS + k] : &none );
        }
        sum += count;
    }
    return sum;
}

static void runScene( int dimension, const kitVariant* variant, joJobs* jobs, uint64_t seed )
{
    Scene* scene = calloc( 1, sizeof( Scene ) );
    joWorldDef def = worldRigDef( dimension );
    def.broadPhase = kitDef( variant, dimension );
    def.leaveMargin = seed % 2 == 0 ? 0.05f : 0.0f;
    def.contactMargin = 0.0f;
    worldRigInit( &scene->rig, &def, seed );
    scene->dimension = dimension;
    scene->filter = joDefaultWorldQueryFilter();
    makeShapes( scene );
    for ( int i = 0; i < BODIES / 3; ++i )
    {
        addBody( scene );
    }
    // Made; after a step; and changed since.
    for ( int stage = 0; stage < 3; ++stage )
    {
        if ( stage == 1 )
        {
            kitRequire( joWorld_Step( scene->rig.world, 0.01f ), "joWorld_Step" );
        }
        else if ( stage == 2 )
        {
            changeSome( scene );
        }
        readTargets( scene );
        scene->filter.skipsTriggers = stage == 1;
        scene->filter.ignoredBodies = scene->ignored;
        scene->filter.ignoredBodyCount = (uint32_t)stage;
        for ( uint32_t i = 0; i < 3; ++i )
        {
            scene->ignored[i] = scene->targets[7 * i].body;
        }
        for ( uint32_t i = 0; i < QUERIES; ++i )
        {
            makeQuery( scene, &scene->queries[i] );
        }
        for ( int kind = 0; kind < kindCount; ++kind )
        {
            s_metCounts[kind] += compareKind( scene, jobs, kind );
        }
    }
    worldRigFree( &scene->rig );
    joDestroyChain2( scene->chain, NULL );
    joDestroyHull3( scene->hull, NULL );
    joDestroyMesh3( scene->mesh, NULL );
    free( scene );
}

static void queriesGiveWhatAsksOfEveryColliderGive( void** state )
{
    (void)state;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        for ( uint64_t round = 0; round < ( kitQuick() ? 1u : 4u ); ++round )
        {
            for ( uint32_t i = 0; i < KIT_VARIANT_COUNT; ++i )
            {
                runScene( dimension, &kitVariants[i], kitJobs( 1 + ( i + (uint32_t)round ) % 4 ),
                    s_seed + 10 * round + i % 4 );
            }
        }
    }
    for ( int kind = 0; kind < kindCount; ++kind )
    {
        assert_true( s_metCounts[kind] > 1000 );
    }
    // Few do: with the usual seed some, with others perhaps none.
    assert_true( s_seed != 1 || s_behindCount > 0 );
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    joSetAssertFcn( kitGoOn ); // pairs without an answer are asked for, too
    const struct CMUnitTest tests[] = {
        TEST( "queries give what asks of every collider give", queriesGiveWhatAsksOfEveryColliderGive ),
    };
    const int failed = cmocka_run_group_tests( tests, NULL, NULL );
    kitFreeJobs();
    return failed;
}
