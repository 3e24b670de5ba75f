// SPDX-License-Identifier: MIT
// Tests of convex shapes in 3D that only just touch, of the cache of such pairs, and of batches of them; and
// of the kernel that finds their highest vertices.
#include "test_support.h"

#include "jostle/collide.h"
#include "jostle/collide_batch.h"
#include "narrow_phase/convex_3d.h"
#include "reference/hull_reference.h"
#include "simd/kernels.h"
#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"
#include "support/hull_sets.h"

#include <math.h>
#include <pthread.h>

#define POOL 24
#define BODIES 400

static uint64_t s_seed;
static joHull3* s_pool[POOL];

static uint32_t countOf( uint32_t full )
{
    return kitQuick() ? full / 10 : full;
}

static joShape3 anyShape( uint32_t i, uint64_t* random )
{
    joShape3 shape = { .kind = jo_hullShape3, .hull = s_pool[randomBelow( random, POOL )] };
    switch ( i % 8 )
    {
        case 0:
            shape.kind = jo_sphereShape3;
            shape.sphere = ( joSphere3 ){ pairVectorIn( random, 0.5f ), pairFloatIn( random, 0.0f, 0.6f ) };
            break;
        case 1:
            shape.kind = jo_capsuleShape3;
            shape.capsule =
                ( joCapsule3 ){ pairVectorIn( random, 0.6f ), pairVectorIn( random, 0.6f ), 0.2f };
            break;
        case 2:
            shape.kind = jo_boxShape3;
            shape.box = joMakeBox3( pairFloatIn( random, 0.3f, 1.0f ), 0.6f, 0.4f );
            break;
        default:
            break;
    }
    return shape;
}

static joManifold3 collide( const joShape3* a, const joTransform3* poseA, const joShape3* b,
    const joTransform3* poseB, float margin, joCollideCache* cache )
{
    joManifold3 manifold;
    memset( &manifold, 0, sizeof( manifold ) );
    assert_int_equal( joCollide3( a, poseA, b, poseB, margin, cache, &manifold ), jo_success );
    return manifold;
}

static bool overlaps(
    const joShape3* a, const joTransform3* poseA, const joShape3* b, const joTransform3* poseB )
{
    bool answer = false;
    assert_int_equal( joOverlap3( a, poseA, b, poseB, NULL, &answer ), jo_success );
    return answer;
}

static joHull3* makeBlock( joVec3 lower, joVec3 upper )
{
    joVec3 corners[8];
    for ( int i = 0; i < 8; ++i )
    {
        corners[i] =
            ( joVec3 ){ i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z };
    }
    joHull3* hull = NULL;
    assert_int_equal( joCreateHull3( corners, 8, NULL, &hull, NULL ), jo_success );
    return hull;
}

// Two blocks, one over the other, with a gap.
static void makeStack( float gap, joHull3** below, joHull3** above )
{
    *below = makeBlock( ( joVec3 ){ -0.8f, -0.8f, -1.0f }, ( joVec3 ){ 0.8f, 0.8f, 0.0f } );
    *above = makeBlock( ( joVec3 ){ -0.5f, -0.5f, gap }, ( joVec3 ){ 0.5f, 0.5f, 0.7f } );
}

// What is sharp has no face that looks down when it stands on its edge, a little aslant: its sides stand all
// but upright, and what is at the end faces the floor more than they do, or ends in a shorter edge. The
// points are the ends of the long edge even so.
static void aBladeTouchesAlongItsEdge( void** state )
{
    (void)state;
    static const joVec3 corners[7] = { { -1.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { -1.0f, -0.02f, 1.0f },
        { -1.0f, 0.02f, 1.0f }, { 1.0f, -0.02f, 1.0f }, { 1.0f, 0.02f, 1.0f }, { 1.01f, 0.0f, 0.02f } };
    const float aslant = 0.03f, low = -0.04f;
    joHull3* floor = makeBlock( ( joVec3 ){ -3.0f, -3.0f, -1.0f }, ( joVec3 ){ 3.0f, 3.0f, 0.0f } );
    joHull3* blade = NULL;
    assert_int_equal( joCreateHull3( corners, 7, NULL, &blade, NULL ), jo_success );
    const joShape3 below = { .kind = jo_hullShape3, .hull = floor };
    // A box without thickness has an end that is no face, and edges without length; a needle has no face at
    // all.
    const joShape3 sharp[3] = { { .kind = jo_hullShape3, .hull = blade },
        { .kind = jo_boxShape3, .box = joMakeBox3( 1.0f, 0.0f, 0.5f ) },
        { .kind = jo_boxShape3, .box = joMakeBox3( 1.0f, 0.0f, 0.0f ) } };
    const joTransform3 origin = joMakeIdentity3();
    for ( int i = 0; i < 6; ++i )
    {
        joTransform3 pose = { { 0.0f, 0.0f, low }, joMakeQuat( ( joVec3 ){ 0.0f, 1.0f, 0.0f }, aslant ) };
        if ( i / 2 == 1 )
        {
            pose.position.x += 0.5f * sinf( aslant );
            pose.position.z += 0.5f * cosf( aslant );
        }
        const joManifold3 manifold = i % 2 ? collide( &sharp[i / 2], &pose, &below, &origin, 0.01f, NULL )
                                           : collide( &below, &origin, &sharp[i / 2], &pose, 0.01f, NULL );
        assert_int_equal( manifold.pointCount, 2 );
        const int left = manifold.points[0].position.x < 0.0f ? 0 : 1;
        for ( int k = 0; k < 2; ++k )
        {
            const joManifoldPoint3* point = &manifold.points[k == 0 ? left : 1 - left];
            const double side = k == 0 ? -1.0 : 1.0, depth = side * sin( (double)aslant ) - (double)low;
            assert_true( fabs( (double)point->position.x - side * cos( (double)aslant ) ) < 1e-5 );
            assert_true( fabs( (double)point->depth - depth ) < 1e-5 );
        }
    }
    joDestroyHull3( floor, NULL );
    joDestroyHull3( blade, NULL );
}

// The lowest corner stands out of a long side by little, between corners that make larger triangles.
static void theDeepestOfManyCornersIsKept( void** state )
{
    (void)state;
    static const float outline[5][2] = {
        { -1.0f, -0.1f }, { 1.0f, -0.1f }, { 1.0f, 0.1f }, { 0.0f, 0.105f }, { -1.0f, 0.1f } };
    joVec3 corners[10];
    for ( int i = 0; i < 10; ++i )
    {
        corners[i] = ( joVec3 ){ outline[i / 2][0], outline[i / 2][1], i % 2 ? 0.5f : 0.0f };
    }
    joHull3* floor = makeBlock( ( joVec3 ){ -3.0f, -3.0f, -1.0f }, ( joVec3 ){ 3.0f, 3.0f, 0.0f } );
    joHull3* board = NULL;
    assert_int_equal( joCreateHull3( corners, 10, NULL, &board, NULL ), jo_success );
    const joShape3 below = { .kind = jo_hullShape3, .hull = floor };
    const joShape3 above = { .kind = jo_hullShape3, .hull = board };
    const joTransform3 origin = joMakeIdentity3();
    const float tilt = 0.1f, low = -0.03f;
    const joTransform3 pose = { { 0.0f, 0.0f, low }, joMakeQuat( ( joVec3 ){ 1.0f, 0.0f, 0.0f }, -tilt ) };
    for ( int i = 0; i < 2; ++i )
    {
        const joManifold3 manifold = i ? collide( &above, &pose, &below, &origin, 0.05f, NULL )
                                       : collide( &below, &origin, &above, &pose, 0.05f, NULL );
        float deepest = -INFINITY;
        for ( uint32_t k = 0; k < manifold.pointCount; ++k )
        {
            deepest = fmaxf( deepest, manifold.points[k].depth );
        }
        const double depth = 0.105 * sin( (double)tilt ) - (double)low;
        assert_int_equal( manifold.pointCount, 4 );
        assert_true( fabs( (double)manifold.depth - depth ) < 1e-5 );
        assert_true( fabs( (double)deepest - depth ) < 1e-5 );
    }
    joDestroyHull3( floor, NULL );
    joDestroyHull3( board, NULL );
}

// The centre lies within a prism, near the face of many corners that closes it: the point is over the centre,
// whichever of the face's triangles it is in.
static void aBallInALargeFaceTouchesOverItsCentre( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    enum
    {
        SIDES = 24
    };
    joVec3 corners[2 * SIDES];
    for ( int i = 0; i < 2 * SIDES; ++i )
    {
        const joRot2 turn = joMakeRot2( (float)( i / 2 ) * 6.2831853f / (float)SIDES );
        corners[i] = ( joVec3 ){ turn.c, turn.s, i % 2 ? 1.0f : -1.0f };
    }
    joHull3* prism = NULL;
    assert_int_equal( joCreateHull3( corners, 2 * SIDES, NULL, &prism, NULL ), jo_success );
    const joShape3 within = { .kind = jo_hullShape3, .hull = prism };
    const joTransform3 origin = joMakeIdentity3();
    for ( uint32_t i = 0; i < countOf( 1000 ); ++i )
    {
        const float x = pairFloatIn( &random, -0.25f, 0.25f ), y = pairFloatIn( &random, -0.25f, 0.25f );
        const float z = pairFloatIn( &random, 0.45f, 0.95f );
        const joShape3 ball = { .kind = jo_sphereShape3, .sphere = { .radius = 0.05f } };
        const joTransform3 pose = { { x, y, z }, { 0.0f, 0.0f, 0.0f, 1.0f } };
        const joManifold3 manifold = collide( &within, &origin, &ball, &pose, 0.0f, NULL );
        assert_int_equal( manifold.pointCount, 1 );
        assert_true( fabsf( manifold.depth - ( 1.05f - z ) ) < 1e-5f && manifold.normal.z > 0.99999f );
        assert_true( fabsf( manifold.points[0].position.x - x ) < 1e-5f &&
                     fabsf( manifold.points[0].position.y - y ) < 1e-5f &&
                     fabsf( manifold.points[0].position.z - 0.5f * ( 0.95f + z ) ) < 1e-5f );
    }
    joDestroyHull3( prism, NULL );
}

// A point at a hull's corner, a float or two off: within, touching, or apart.
static void whatOverlapsHasAPoint( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint32_t touching = 0;
    for ( uint32_t i = 0; i < countOf( 20000 ); ++i )
    {
        const joShape3 hull = { .kind = jo_hullShape3, .hull = s_pool[randomBelow( &random, POOL )] };
        const joShape3 point = { .kind = jo_sphereShape3, .sphere = { .radius = 0.0f } };
        const uint32_t vertex = randomBelow( &random, joHull3_GetVertexCount( hull.hull ) );
        const joTransform3 poseHull = {
            { 0.0f, 0.0f, 0.0f }, i % 2 ? pairAnyRotation( &random ) : ( joQuat ){ 0.0f, 0.0f, 0.0f, 1.0f } };
        joTransform3 posePoint = joMakeIdentity3();
        posePoint.position = joTransformPoint3( poseHull, joHull3_GetVertex( hull.hull, vertex ) );
        float* at = &posePoint.position.x;
        for ( int k = 0; k < 3; ++k )
        {
            const uint32_t step = randomBelow( &random, 5 );
            at[k] = step == 3 ? nextafterf( at[k], 10.0f ) : step == 4 ? nextafterf( at[k], -10.0f ) : at[k];
        }
        const bool answer = overlaps( &point, &posePoint, &hull, &poseHull );
        const joManifold3 manifold = collide( &point, &posePoint, &hull, &poseHull, 0.0f, NULL );
        touching += answer;
        assert_int_equal( answer, manifold.pointCount > 0 );
        assert_true( manifold.pointCount == 0 || fabsf( manifold.depth ) < 1e-6f );
        // Whichever way round.
        assert_int_equal( answer, overlaps( &hull, &poseHull, &point, &posePoint ) );
    }
    assert_true( touching > countOf( 20000 ) / 20 );
}

// So near that what GJK sees between them is rounding: the normal is that of the faces all the same.
static void facesThatTouchHaveTheirNormal( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int decade = 9; decade < 18; ++decade )
    {
        const float gap = decade == 17 ? 0.0f : powf( 10.0f, (float)-decade );
        joHull3 *below, *above;
        makeStack( gap, &below, &above );
        const joShape3 a = { .kind = jo_hullShape3, .hull = below },
                       b = { .kind = jo_hullShape3, .hull = above };
        for ( int i = 0; i < 50; ++i )
        {
            // The same pose for both: it costs nothing but rounding in double.
            const joTransform3 pose = { pairVectorIn( &random, 3.0f ), pairAnyRotation( &random ) };
            const joManifold3 manifold = collide( &a, &pose, &b, &pose, 0.01f, NULL );
            const joVec3 up = joRotateVec3( pose.rotation, ( joVec3 ){ 0.0f, 0.0f, 1.0f } );
            const double off = fabs( (double)up.x - (double)manifold.normal.x ) +
                               fabs( (double)up.y - (double)manifold.normal.y ) +
                               fabs( (double)up.z - (double)manifold.normal.z );
            assert_true( manifold.pointCount == 4 && off < 1e-5 );
            assert_true( fabsf( manifold.depth + gap ) < 1e-7f );
        }
        joDestroyHull3( below, NULL );
        joDestroyHull3( above, NULL );
    }
}

// Corners that all but touch, along an edge of what parts them: a direction that is rounding goes into both.
static void cornersThatTouchHaveANormalThatParts( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joHull3* below = makeBlock( ( joVec3 ){ -0.5f, -0.7f, -0.6f }, ( joVec3 ){ 0.5f, 0.3f, 0.2f } );
    joHull3* above = makeBlock( ( joVec3 ){ 0.5f, 0.3f, 0.2f }, ( joVec3 ){ 1.2f, 0.9f, 1.0f } );
    const joShape3 a = { .kind = jo_hullShape3, .hull = below }, b = { .kind = jo_hullShape3, .hull = above };
    for ( int i = 0; i < 1000; ++i )
    {
        // The same rotation for both: it costs nothing but rounding in double.
        const joTransform3 poseA = { { 0.0f, 0.0f, 0.0f }, pairAnyRotation( &random ) };
        joTransform3 poseB = poseA;
        poseB.position = joTransformPoint3(
            poseA, ( joVec3 ){ 0.0f, 0.0f, powf( 10.0f, -pairFloatIn( &random, 9.0f, 16.0f ) ) } );
        const joManifold3 manifold = collide( &a, &poseA, &b, &poseB, 0.01f, NULL );
        static ReferenceHull refA, refB;
        hullReferenceMake( &refA, &a, &poseA );
        hullReferenceMake( &refB, &b, &poseB );
        const double normal[3] = {
            (double)manifold.normal.x, (double)manifold.normal.y, (double)manifold.normal.z };
        assert_true( manifold.pointCount > 0 );
        assert_true( hullReferenceOverlap( &refA, &refB, normal ) < 1e-6 );
    }
    joDestroyHull3( below, NULL );
    joDestroyHull3( above, NULL );
}

// Pairs that move a little at a time, some in and out of each other, with caches that are theirs, or another
// pair's, or anything.
static void aCacheChangesOnlyTheSpeed( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joCollideCache strange = { { 0 } };
    uint32_t touching = 0;
    for ( uint32_t i = 0; i < countOf( 400 ); ++i )
    {
        const joShape3 a = anyShape( i, &random ), b = anyShape( i / 8, &random );
        joTransform3 poseA = { pairVectorIn( &random, 2.0f ), pairAnyRotation( &random ) };
        joTransform3 poseB = { poseA.position, pairAnyRotation( &random ) };
        poseB.position.x += pairFloatIn( &random, 0.5f, 2.2f );
        joCollideCache caches[2] = { { { 0 } }, { { 0 } } };
        for ( int frame = 0; frame < 30; ++frame )
        {
            const joVec3 move = pairVectorIn( &random, frame % 5 == 0 ? 1e-6f : 0.05f );
            poseB.position.x += move.x;
            poseB.position.y += move.y;
            poseB.position.z += move.z;
            const float margin = frame % 3 == 0 ? 0.05f : 0.0f;
            if ( frame % 7 == 6 )
            {
                const joCollideCache other = caches[0];
                caches[0] = strange;
                strange = other;
                caches[1].data[randomBelow( &random, 4 )] = (uint32_t)nextRandom( &random );
            }
            bool answer;
            assert_int_equal( joOverlap3( &a, &poseA, &b, &poseB, caches + 1, &answer ), jo_success );
            assert_int_equal( answer, overlaps( &a, &poseA, &b, &poseB ) );
            const joManifold3 with = collide( &a, &poseA, &b, &poseB, margin, caches ),
                              without = collide( &a, &poseA, &b, &poseB, margin, NULL );
            assert_memory_equal( &with, &without, sizeof( with ) );
            touching += answer;
        }
    }
    assert_true( touching > countOf( 400 ) && touching < 29 * countOf( 400 ) );
}

// A direction that lies in a cache parts nothing that touches, though floats choose the support points.
static void noDirectionInACachePartsWhatTouches( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joHull3 *below, *above;
    makeStack( 0.0f, &below, &above );
    const joShape3 a = { .kind = jo_hullShape3, .hull = below }, b = { .kind = jo_hullShape3, .hull = above };
    for ( uint32_t i = 0; i < 2000; ++i )
    {
        joTransform3 poseA = { pairVectorIn( &random, 3.0f ), pairAnyRotation( &random ) }, poseB = poseA;
        const joVec3 up = joRotateVec3( poseA.rotation, ( joVec3 ){ 0.0f, 0.0f, 1.0f } );
        // Far enough apart that the cache learns; then back to where they touch.
        poseB.position.x += 0.1f * up.x;
        poseB.position.y += 0.1f * up.y;
        poseB.position.z += 0.1f * up.z;
        joCollideCache cache = { { 0 } };
        bool answer;
        assert_int_equal( joOverlap3( &a, &poseA, &b, &poseB, &cache, &answer ), jo_success );
        assert_false( answer );
        const float size = powf( 10.0f, -(float)randomBelow( &random, 9 ) );
        const float sink = randomBelow( &random, 2 ) ? size : -size;
        poseB.position.x = poseA.position.x - 0.01f * sink * up.x;
        poseB.position.y = poseA.position.y - 0.01f * sink * up.y;
        poseB.position.z = poseA.position.z - 0.01f * sink * up.z;
        assert_int_equal( joOverlap3( &a, &poseA, &b, &poseB, &cache, &answer ), jo_success );
        assert_int_equal( answer, overlaps( &a, &poseA, &b, &poseB ) );
    }
    joDestroyHull3( below, NULL );
    joDestroyHull3( above, NULL );
}

static void batchesGiveWhatTheSingleCallsGive( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    static joShape3 shapes[BODIES];
    static joTransform3 poses[BODIES];
    static joPair pairs[4 * BODIES];
    static joVec3 normals[4 * BODIES];
    static float depths[4 * BODIES];
    static uint64_t bits[4 * BODIES / 64 + 1];
    joCollideBatch* batch = NULL;
    const joCollideBatchDef def = joDefaultCollideBatchDef();
    assert_int_equal( joCreateCollideBatch( &def, &batch ), jo_success );
    for ( uint32_t i = 0; i < BODIES; ++i )
    {
        shapes[i] = anyShape( i, &random );
        poses[i] = ( joTransform3 ){ pairVectorIn( &random, 2.0f ), pairAnyRotation( &random ) };
    }
    for ( uint32_t i = 0; i < 4 * BODIES; ++i )
    {
        pairs[i].a = randomBelow( &random, BODIES - 1 );
        pairs[i].b = pairs[i].a + 1 + randomBelow( &random, BODIES - 1 - pairs[i].a );
    }
    const joPlacedShapes3 placed = { { shapes, sizeof( shapes[0] ) }, { poses, sizeof( poses[0] ) }, BODIES };
    assert_int_equal( joCollideBatch_SetShapes3( batch, &placed, NULL ), jo_success );
    for ( int round = 0; round < 2; ++round )
    {
        const float margin = round ? 0.1f : 0.0f;
        uint64_t hits = 0, touching = 0;
        assert_int_equal( joCollideBatch_FindDepths3(
                              batch, pairs, 4 * BODIES, margin, bits, normals, depths, &hits, NULL ),
            jo_success );
        for ( uint32_t i = 0; i < 4 * BODIES; ++i )
        {
            const joPair pair = pairs[i];
            const joManifold3 manifold =
                collide( shapes + pair.a, poses + pair.a, shapes + pair.b, poses + pair.b, margin, NULL );
            touching += manifold.pointCount > 0;
            assert_int_equal( bits[i / 64] >> ( i % 64 ) & 1, manifold.pointCount > 0 );
            assert_memory_equal( normals + i, &manifold.normal, sizeof( joVec3 ) );
            assert_memory_equal( depths + i, &manifold.depth, sizeof( float ) );
        }
        assert_int_equal( hits, touching );
        assert_true( touching > BODIES / 4 && touching < 4 * BODIES );
    }
    joDestroyCollideBatch( batch );
}

static joHull3* s_round[2]; // of 255 vertices: a ball, and a prism with faces of 127
static joMesh3* s_mesh;

static void* collideOnASmallStack( void* unused )
{
    const joShape3 ball = { .kind = jo_hullShape3, .hull = s_round[0] },
                   prism = { .kind = jo_hullShape3, .hull = s_round[1] },
                   capsule = { .kind = jo_capsuleShape3, .capsule = { { 0 }, { 0.1f, 0.2f, 0.1f }, 0.1f } },
                   floor = { .kind = jo_meshShape3, .mesh = s_mesh };
    const joShape3* const pairs[][2] = { { &ball, &prism }, { &prism, &prism }, { &ball, &ball },
        { &capsule, &ball }, { &capsule, &prism }, { &floor, &prism }, { &floor, &ball } };
    const joTransform3 poseA = joMakeIdentity3();
    joTransform3 poseB = { { 0.0f, 0.0f, 0.0f }, { 0.1f, 0.2f, 0.3f, 0.9f } };
    for ( size_t i = 0; i < 2 * sizeof( pairs ) / sizeof( pairs[0] ); ++i )
    {
        const joShape3 *a = pairs[i / 2][0], *b = pairs[i / 2][1];
        const joVec3 motion = { -1.0f, 0.0f, 0.0f };
        joManifold3 manifold;
        joClosestPoints3 closest;
        joCastHit3 hit;
        bool answer;
        poseB.position.x = i % 2 ? 0.9f : 0.05f;
        const bool isGood = joOverlap3( a, &poseA, b, &poseB, NULL, &answer ) == jo_success &&
                            joCollide3( a, &poseA, b, &poseB, 0.1f, NULL, &manifold ) == jo_success &&
                            joDistance3( a, &poseA, b, &poseB, NULL, &closest ) == jo_success &&
                            joCast3( a, &poseA, b, &poseB, motion, NULL, &hit ) == jo_success;
        if ( !isGood )
        {
            return unused;
        }
    }
    return NULL;
}

// That of a fiber of a job system: 64 KB, of which the thread's own things take some.
static void aSmallStackIsEnough( void** state )
{
    (void)state;
    if ( KIT_SANITIZED )
    {
        return; // frames are larger then
    }
    uint64_t random = s_seed;
    s_round[0] = hullMake( hull_ball, 255, &random );
    s_round[1] = hullMake( hull_prism, 254, &random );
    const joVec3 corners[3] = { { -2.0f, -2.0f, 0.0f }, { 2.0f, -2.0f, 0.0f }, { 0.0f, 2.0f, 0.0f } };
    const uint32_t indices[3] = { 0, 1, 2 };
    assert_int_equal( joCreateMesh3( corners, 3, indices, 1, NULL, &s_mesh, NULL ), jo_success );
    pthread_attr_t attributes;
    pthread_t thread;
    int failure = 0;
    void* result = &failure;
    assert_int_equal( pthread_attr_init( &attributes ), 0 );
    assert_int_equal( pthread_attr_setstacksize( &attributes, 65536 ), 0 );
    assert_int_equal( pthread_create( &thread, &attributes, collideOnASmallStack, &failure ), 0 );
    assert_int_equal( pthread_join( thread, &result ), 0 );
    assert_null( result );
    pthread_attr_destroy( &attributes );
    joDestroyMesh3( s_mesh, NULL );
    joDestroyHull3( s_round[0], NULL );
    joDestroyHull3( s_round[1], NULL );
}

// Points in columns that are filled up with the first; some of them at one height.
static void everyTableFindsTheHighest( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t i = 0; i < countOf( 20000 ); ++i )
    {
        const uint32_t count = 1 + randomBelow( &random, i % 2 ? 255 : 40 );
        const uint32_t padded = ( count + JO_LANE_PADDING - 1 ) / JO_LANE_PADDING * JO_LANE_PADDING;
        static float columns[3][JO_SUPPORT_POINTS];
        const bool isGrid = i % 3 == 0;
        for ( uint32_t k = 0; k < 3 * count; ++k )
        {
            columns[k % 3][k / 3] =
                isGrid ? (float)randomBelow( &random, 4 ) : pairFloatIn( &random, -1.0f, 1.0f );
        }
        for ( uint32_t k = count; k < padded; ++k )
        {
            columns[0][k] = columns[0][0];
            columns[1][k] = columns[1][0];
            columns[2][k] = columns[2][0];
        }
        joVec3 way = pairVectorIn( &random, 1.0f );
        way.x = isGrid ? 1.0f : way.x;
        way.y = isGrid ? -1.0f : way.y;
        way.z = isGrid ? 0.0f : way.z;
        uint32_t best = 0;
        float highest = -INFINITY;
        for ( uint32_t k = 0; k < count; ++k )
        {
            const float height = way.x * columns[0][k] + way.y * columns[1][k] + way.z * columns[2][k];
            best = height > highest ? k : best;
            highest = height > highest ? height : highest;
        }
        for ( int isa = 0; isa < jo_isaCount; ++isa )
        {
            const joKernels* kernels = joGetKernelsOf( (joIsa)isa );
            assert_true( kernels == NULL || kernels->findHighest( columns[0], columns[1], columns[2], count,
                                                way.x, way.y, way.z ) == best );
        }
        const joPolytope few = {
            .x = columns[0], .y = columns[1], .z = columns[2], .vertexCount = count, .paddedCount = padded };
        assert_true( count > JO_FEW_VERTICES || joFindHighestOfFew( &few, way.x, way.y, way.z ) == best );
    }
}

static int makePool( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t i = 0; i < POOL; ++i )
    {
        s_pool[i] = hullMake( (HullSort)( i % hull_sortCount ), hullAnyCount( &random ), &random );
    }
    return 0;
}

static int freePool( void** state )
{
    (void)state;
    for ( uint32_t i = 0; i < POOL; ++i )
    {
        joDestroyHull3( s_pool[i], NULL );
    }
    return 0;
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "what overlaps has a point", whatOverlapsHasAPoint ),
        TEST( "a blade touches along its edge", aBladeTouchesAlongItsEdge ),
        TEST( "the deepest of many corners is kept", theDeepestOfManyCornersIsKept ),
        TEST( "a ball in a large face touches over its centre", aBallInALargeFaceTouchesOverItsCentre ),
        TEST( "faces that touch have their normal", facesThatTouchHaveTheirNormal ),
        TEST( "corners that touch have a normal that parts", cornersThatTouchHaveANormalThatParts ),
        TEST( "a cache changes only the speed", aCacheChangesOnlyTheSpeed ),
        TEST( "no direction in a cache parts what touches", noDirectionInACachePartsWhatTouches ),
        TEST( "batches give what the single calls give", batchesGiveWhatTheSingleCallsGive ),
        TEST( "a small stack is enough", aSmallStackIsEnough ),
        TEST( "every table finds the highest", everyTableFindsTheHighest ),
    };
    return cmocka_run_group_tests( tests, makePool, freePool );
}
