// SPDX-License-Identifier: MIT
// Tests of spheres, capsules, boxes and hulls against triangle meshes: distances and casts against a plain
// loop through all triangles, normals by what they do, and that the edges within a surface are no obstacle.
#include "test_support.h"

#include "jostle/collide.h"
#include "narrow_phase/dispatch_3d.h"
#include "reference/mesh_reference.h"
#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"
#include "support/hull_sets.h"
#include "support/mesh_sets.h"

#include <math.h>

#define DISTANCE_BOUND 3e-6
#define DEPTH_BOUND 1e-5
#define MAX_CONTACTS 2000

static uint64_t s_seed;
static MeshArrays s_arrays;
static joMeshContact3 s_contacts[MAX_CONTACTS];

// A shape and a mesh, and both for the reference.
typedef struct Scene
{
    joShape3 shape, mesh;
    joTransform3 poseShape, poseMesh;
    ReferenceMesh refMesh;
    ReferenceHull refShape;
} Scene;

static Scene s_scene;

static const joShapeKind3 s_kinds[4] = { jo_sphereShape3, jo_capsuleShape3, jo_boxShape3, jo_hullShape3 };

static joShape3 anyShape( joShapeKind3 kind, uint64_t* random )
{
    joShape3 shape = { .kind = kind };
    switch ( kind )
    {
        case jo_sphereShape3:
            shape.sphere.center = pairVectorIn( random, 0.2f );
            shape.sphere.radius = pairFloatIn( random, 0.0f, 0.5f );
            break;
        case jo_capsuleShape3:
            shape.capsule.a = pairVectorIn( random, 0.4f );
            shape.capsule.b = pairVectorIn( random, 0.4f );
            shape.capsule.radius = pairFloatIn( random, 0.0f, 0.3f );
            break;
        case jo_boxShape3:
            shape.box.halfExtents.x = pairFloatIn( random, 0.1f, 0.5f );
            shape.box.halfExtents.y = pairFloatIn( random, 0.1f, 0.5f );
            shape.box.halfExtents.z = pairFloatIn( random, 0.1f, 0.5f );
            shape.box.localPose.position = pairVectorIn( random, 0.2f );
            shape.box.localPose.rotation = pairAnyRotation( random );
            break;
        default:
            shape.hull = hullMake( hull_egg, 4 + randomBelow( random, 30 ), random );
            break;
    }
    return shape;
}

static void destroyShape( joShape3* shape )
{
    if ( shape->kind == jo_hullShape3 )
    {
        joDestroyHull3( (joHull3*)shape->hull, NULL );
    }
}

static void useMesh( MeshSort sort, uint32_t count, uint64_t* random )
{
    meshMakeArrays( sort, count, randomBelow( random, 2 ) == 0, random, &s_arrays );
    s_scene.mesh = ( joShape3 ){ .kind = jo_meshShape3, .mesh = meshMake( &s_arrays ) };
    s_scene.refMesh = ( ReferenceMesh ){ &s_arrays.vertices[0].x, s_arrays.indices, s_arrays.triangleCount };
    s_scene.poseMesh.position = pairVectorIn( random, 5.0f );
    s_scene.poseMesh.rotation = pairAnyRotation( random );
}

static void dropMesh( void )
{
    joDestroyMesh3( (joMesh3*)s_scene.mesh.mesh, NULL );
}

static void placeShape( joVec3 local, joQuat rotation )
{
    s_scene.poseShape.position = joTransformPoint3( s_scene.poseMesh, local );
    s_scene.poseShape.rotation = joMultiplyQuats( s_scene.poseMesh.rotation, rotation );
    hullReferenceMake( &s_scene.refShape, &s_scene.shape, &s_scene.poseShape );
}

static joManifold3 collide( float margin )
{
    joManifold3 manifold;
    assert_int_equal( joCollide3( &s_scene.mesh, &s_scene.poseMesh, &s_scene.shape, &s_scene.poseShape,
                          margin, NULL, &manifold ),
        jo_success );
    assert_int_equal( manifold.status, jo_collideComplete );
    return manifold;
}

static uint32_t collideAll( float margin )
{
    uint32_t count = 0;
    assert_int_equal( joCollideMesh3( s_scene.mesh.mesh, &s_scene.poseMesh, &s_scene.shape,
                          &s_scene.poseShape, margin, s_contacts, MAX_CONTACTS, &count ),
        jo_success );
    assert_true( count <= MAX_CONTACTS );
    return count;
}

static double dot( joVec3 a, joVec3 b )
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static void checkDistance( double expected )
{
    joClosestPoints3 closest, swapped;
    assert_int_equal(
        joDistance3( &s_scene.mesh, &s_scene.poseMesh, &s_scene.shape, &s_scene.poseShape, NULL, &closest ),
        jo_success );
    assert_int_equal(
        joDistance3( &s_scene.shape, &s_scene.poseShape, &s_scene.mesh, &s_scene.poseMesh, NULL, &swapped ),
        jo_success );
    assert_true( swapped.distance == closest.distance && swapped.normal.x == -closest.normal.x );
    assert_memory_equal( &swapped.pointA, &closest.pointB, sizeof( joVec3 ) );
    double error = (double)closest.distance - fmax( expected, 0.0 );
    if ( !( fabs( error ) <= DISTANCE_BOUND ) )
    {
        fail_msg( "distance %.9g, expected %.9g", (double)closest.distance, expected );
    }
    if ( expected > 1e-4 )
    {
        joVec3 a = closest.pointA, b = closest.pointB, n = closest.normal;
        joVec3 between = { b.x - a.x, b.y - a.y, b.z - a.z };
        assert_true( fabs( dot( n, n ) - 1.0 ) < 1e-6 );
        assert_true( fabs( dot( between, n ) - expected ) < 1e-5 &&
                     fabs( sqrt( dot( between, between ) ) - expected ) < 1e-5 );
        const double onShape[3] = { (double)b.x, (double)b.y, (double)b.z };
        assert_true( hullReferenceOutside( &s_scene.refShape, onShape ) < 1e-5 );
    }
}

// Each triangle's manifold: the overlap along its normal is as deep as it says; its points are within the
// margin; the deepest of all is the manifold of the mesh.
static void checkContacts( float margin, double separation )
{
    static ReferenceHull triangle;
    joManifold3 whole = collide( margin );
    uint32_t count = collideAll( margin );
    bool isTouching = separation <= (double)margin;
    if ( fabs( separation - (double)margin ) > DEPTH_BOUND )
    {
        assert_int_equal( whole.pointCount > 0, isTouching );
        assert_int_equal( count > 0, isTouching );
    }
    float deepest = -INFINITY;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const joManifold3* manifold = &s_contacts[i].manifold;
        const double normal[3] = {
            (double)manifold->normal.x, (double)manifold->normal.y, (double)manifold->normal.z };
        referenceMeshTriangle( &s_scene.refMesh, &s_scene.poseMesh, s_contacts[i].triangle, &triangle );
        double overlap = hullReferenceOverlap( &triangle, &s_scene.refShape, normal );
        assert_true( hullReferenceDistance( &triangle, &s_scene.refShape ).lower - s_scene.refShape.radius <=
                     (double)margin + DEPTH_BOUND );
        assert_true( fabs( dot( manifold->normal, manifold->normal ) - 1.0 ) < 1e-6 );
        if ( !( fabs( overlap - (double)manifold->depth ) <= DEPTH_BOUND ) )
        {
            fail_msg( "depth %.9g, along the normal it is %.9g", (double)manifold->depth, overlap );
        }
        assert_in_range( manifold->pointCount, 1, 4 );
        float most = -INFINITY;
        for ( uint32_t k = 0; k < manifold->pointCount; ++k )
        {
            most = fmaxf( most, manifold->points[k].depth );
            assert_true( manifold->points[k].featureId != 0 );
        }
        assert_true( fabsf( most - manifold->depth ) <= 2e-5f );
        deepest = fmaxf( deepest, manifold->depth );
        assert_int_equal( manifold->child, s_contacts[i].triangle );
    }
    if ( count > 0 )
    {
        assert_true( fabsf( whole.depth - deepest ) <= 2e-6f );
        uint32_t child = 0;
        while ( child < count && s_contacts[child].triangle != whole.child )
        {
            ++child;
        }
        assert_true( child < count && s_contacts[child].manifold.depth == whole.depth );
        // Where the core is outside of the surface the nearest triangle says how deep.
        if ( separation + s_scene.refShape.radius > 1e-5 )
        {
            assert_true( fabs( (double)whole.depth + separation ) <= DEPTH_BOUND );
        }
    }
}

// The least depth of a triangle and a shape: along its normals, those of the shape, and all pairs of edges.
static double leastDepth( const ReferenceHull* triangle, const ReferenceHull* shape )
{
    double least = INFINITY, edges[3][3];
    for ( int i = 0; i < 3; ++i )
    {
        for ( int k = 0; k < 3; ++k )
        {
            edges[i][k] = triangle->vertices[( i + 1 ) % 3][k] - triangle->vertices[i][k];
        }
    }
    for ( uint32_t i = 0; i < 1 + shape->faceCount + 3 * shape->edgeCount; ++i )
    {
        double n[3];
        const double* from = edges[0];
        const double* to = edges[1];
        double own[3];
        if ( i > shape->faceCount )
        {
            uint32_t pair = i - 1 - shape->faceCount;
            const uint32_t* ends = shape->edges[pair / 3];
            for ( int k = 0; k < 3; ++k )
            {
                own[k] = shape->vertices[ends[1]][k] - shape->vertices[ends[0]][k];
            }
            from = own;
            to = edges[pair % 3];
        }
        for ( int k = 0; k < 3; ++k )
        {
            n[k] = from[( k + 1 ) % 3] * to[( k + 2 ) % 3] - from[( k + 2 ) % 3] * to[( k + 1 ) % 3];
            n[k] = i > 0 && i <= shape->faceCount ? shape->normals[i - 1][k] : n[k];
        }
        double length = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
        for ( int sign = -1; sign <= 1 && length > 1e-6; sign += 2 )
        {
            const double direction[3] = { sign * n[0] / length, sign * n[1] / length, sign * n[2] / length };
            least = fmin( least, hullReferenceOverlap( triangle, shape, direction ) );
        }
    }
    return least;
}

// Of a triangle without neighbours every direction counts: a core that crosses it is pushed the shortest way.
static void loneTrianglesPushTheShortestWay( void** state )
{
    (void)state;
    static ReferenceHull triangle;
    uint64_t random = s_seed;
    uint32_t crossed = 0;
    for ( uint32_t i = 0; i < ( kitQuick() ? 20u : 100u ); ++i )
    {
        useMesh( mesh_soup, 100, &random );
        for ( uint32_t k = 0; k < 12; ++k )
        {
            s_scene.shape = anyShape( s_kinds[1 + k % 3], &random );
            joVec3 at = pairVectorIn( &random, 1.5f );
            placeShape( at, pairAnyRotation( &random ) );
            uint32_t count = collideAll( 0.0f );
            for ( uint32_t c = 0; c < count; ++c )
            {
                referenceMeshTriangle(
                    &s_scene.refMesh, &s_scene.poseMesh, s_contacts[c].triangle, &triangle );
                if ( hullReferenceDistance( &triangle, &s_scene.refShape ).upper < 1e-9 )
                {
                    crossed += 1;
                    double least = leastDepth( &triangle, &s_scene.refShape );
                    assert_true( fabs( (double)s_contacts[c].manifold.depth - least ) < DEPTH_BOUND );
                }
            }
            destroyShape( &s_scene.shape );
        }
        dropMesh();
    }
    assert_true( crossed > ( kitQuick() ? 50u : 300u ) );
}

static void answersAreThoseOfAPlainLoop( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint32_t touching = 0, total = 0;
    for ( uint32_t i = 0; i < ( kitQuick() ? 20u : 100u ); ++i )
    {
        useMesh( (MeshSort)( i % mesh_sortCount ), 60, &random );
        for ( uint32_t k = 0; k < 20; ++k )
        {
            s_scene.shape = anyShape( s_kinds[k % 4], &random );
            joVec3 at = pairVectorIn( &random, 2.0f );
            placeShape( at, pairAnyRotation( &random ) );
            double separation =
                referenceMeshSeparation( &s_scene.refMesh, &s_scene.poseMesh, &s_scene.refShape, NULL );
            checkDistance( separation );
            bool overlaps = false;
            assert_int_equal( joOverlap3( &s_scene.shape, &s_scene.poseShape, &s_scene.mesh,
                                  &s_scene.poseMesh, NULL, &overlaps ),
                jo_success );
            if ( fabs( separation ) > DEPTH_BOUND )
            {
                assert_int_equal( overlaps, separation < 0.0 );
            }
            checkContacts( 0.0f, separation );
            checkContacts( 0.1f, separation );
            total += 1;
            touching += overlaps;
            destroyShape( &s_scene.shape );
        }
        dropMesh();
    }
    assert_in_range( touching, total / 8, total - total / 8 );
}

static void checkNormal( joVec3 normal, joVec3 expected )
{
    if ( !( dot( normal, expected ) > 1.0 - 1e-10 - 2e-7 ) )
    {
        fail_msg( "normal %g %g %g instead of %g %g %g", (double)normal.x, (double)normal.y, (double)normal.z,
            (double)expected.x, (double)expected.y, (double)expected.z );
    }
}

// Over the inner part of a floor, anywhere over its edges and corners and as deep as no centre gets below it:
// every normal is the floor's, also at the end of a cast that nearly grazes it.
static void nothingBumpsOnAFlatFloor( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t i = 0; i < ( kitQuick() ? 10u : 60u ); ++i )
    {
        useMesh( mesh_floor, 200, &random );
        joVec3 up = joRotateVec3( s_scene.poseMesh.rotation, ( joVec3 ){ 0.0f, 1.0f, 0.0f } );
        for ( uint32_t k = 0; k < 40; ++k )
        {
            s_scene.shape = anyShape( s_kinds[k % 4], &random );
            joVec3 at = pairVectorIn( &random, 0.6f );
            joQuat turn = pairAnyRotation( &random );
            placeShape( ( joVec3 ){ at.x, 4.0f, at.z }, turn );
            double height =
                referenceMeshSeparation( &s_scene.refMesh, &s_scene.poseMesh, &s_scene.refShape, NULL );
            double depth = pow( 10.0, (double)pairFloatIn( &random, -4.0f, -1.3f ) );
            placeShape( ( joVec3 ){ at.x, (float)( 4.0 - height - depth ), at.z }, turn );
            joManifold3 whole = collide( 0.02f );
            // A small sphere may be all below.
            if ( s_scene.shape.kind == jo_sphereShape3 && (double)s_scene.shape.sphere.radius < 2.0 * depth )
            {
                continue;
            }
            if ( dot( whole.normal, up ) > 0.0 )
            {
                checkNormal( whole.normal, up );
                assert_true( fabs( (double)whole.depth - depth ) < 2e-5 );
                uint32_t count = collideAll( 0.02f );
                assert_true( count > 0 );
                for ( uint32_t c = 0; c < count; ++c )
                {
                    checkNormal( s_contacts[c].manifold.normal, up );
                }
            }
            else
            {
                // Something thin is less deep from below.
                checkNormal( whole.normal, ( joVec3 ){ -up.x, -up.y, -up.z } );
                assert_true( (double)whole.depth < depth );
            }
            placeShape( ( joVec3 ){ at.x, (float)( 4.0 - height + 0.01 ), at.z }, turn );
            joVec3 motion =
                joRotateVec3( s_scene.poseMesh.rotation, ( joVec3 ){ pairFloatIn( &random, -0.4f, 0.4f ),
                                                             -0.03f, pairFloatIn( &random, -0.4f, 0.4f ) } );
            joCastHit3 hit;
            assert_int_equal( joCast3( &s_scene.mesh, &s_scene.poseMesh, &s_scene.shape, &s_scene.poseShape,
                                  motion, NULL, &hit ),
                jo_success );
            assert_true( hit.isHit && fabsf( hit.fraction - 1.0f / 3.0f ) < 1e-3f );
            checkNormal( hit.normal, up );
            destroyShape( &s_scene.shape );
        }
        dropMesh();
    }
}

// However many triangles it lies on, the four points are the corners of the box.
static void aBoxOnAFloorHasFourPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t i = 0; i < 50; ++i )
    {
        useMesh( mesh_floor, 20 + 15 * i, &random );
        s_scene.shape = ( joShape3 ){ .kind = jo_boxShape3, .box = joMakeBox3( 0.5f, 0.2f, 0.3f ) };
        joQuat turn = joMakeQuat( ( joVec3 ){ 0.0f, 1.0f, 0.0f }, pairFloatIn( &random, -3.0f, 3.0f ) );
        float x = pairFloatIn( &random, -1.0f, 1.0f );
        placeShape( ( joVec3 ){ x, 0.195f, 0.3f }, turn );
        joManifold3 manifold = collide( 0.0f );
        assert_int_equal( manifold.pointCount, 4 );
        uint32_t corners = 0;
        for ( uint32_t k = 0; k < 4; ++k )
        {
            assert_true( fabsf( manifold.points[k].depth - 0.005f ) < 1e-5f );
            joVec3 local = joInverseTransformPoint3( s_scene.poseShape, manifold.points[k].position );
            assert_true(
                fabsf( fabsf( local.x ) - 0.5f ) < 1e-4f && fabsf( fabsf( local.z ) - 0.3f ) < 1e-4f );
            corners |= 1u << ( ( local.x > 0.0f ? 1 : 0 ) + ( local.z > 0.0f ? 2 : 0 ) );
            for ( uint32_t other = 0; other < k; ++other )
            {
                assert_int_not_equal( manifold.points[other].featureId, manifold.points[k].featureId );
            }
        }
        assert_int_equal( corners, 15 );
        dropMesh();
    }
}

// A roof of two triangles, open at its rim.
static void edgesThatStandOutAreMet( void** state )
{
    (void)state;
    const joVec3 vertices[4] = {
        { 0.0f, 1.0f, -1.0f }, { 0.0f, 1.0f, 1.0f }, { -1.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f } };
    const uint32_t indices[6] = { 0, 1, 2, 1, 0, 3 };
    joMesh3* mesh = NULL;
    assert_int_equal( joCreateMesh3( vertices, 4, indices, 2, NULL, &mesh, NULL ), jo_success );
    s_scene.mesh = ( joShape3 ){ .kind = jo_meshShape3, .mesh = mesh };
    s_scene.poseMesh = joMakeIdentity3();
    s_scene.shape = ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { .radius = 0.5f } };
    const joQuat none = { 0.0f, 0.0f, 0.0f, 1.0f };
    const float half = sqrtf( 0.5f );
    // Over the ridge; over a slope beside it, where the ridge is no obstacle; below the ridge; beyond the
    // rim.
    const struct
    {
        joVec3 at, normal;
        float depth;
        uint32_t count;
    } cases[4] = { { { 0.0f, 1.4f, 0.0f }, { 0.0f, 1.0f, 0.0f }, 0.1f, 2 },
        { { 0.4f, 1.2f, 0.0f }, { half, half, 0.0f }, 0.5f - 0.6f * half, 1 },
        { { 0.0f, 0.6f, 0.0f }, { -half, -half, 0.0f }, 0.5f - 0.4f * half, 2 },
        { { 1.4f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, 0.1f, 1 } };
    for ( int i = 0; i < 4; ++i )
    {
        placeShape( cases[i].at, none );
        joManifold3 manifold = collide( 0.0f );
        assert_int_equal( collideAll( 0.0f ), cases[i].count );
        assert_true( fabsf( manifold.depth - cases[i].depth ) < 1e-6f );
        joVec3 normal = manifold.normal;
        normal.x = i == 2 ? -fabsf( normal.x ) : normal.x;
        checkNormal( normal, cases[i].normal );
    }
    joDestroyMesh3( mesh, NULL );
}

static double separationAt( joVec3 motion, double fraction )
{
    static ReferenceHull moved;
    moved = s_scene.refShape;
    const double by[3] = {
        fraction * (double)motion.x, fraction * (double)motion.y, fraction * (double)motion.z };
    hullReferenceMove( &moved, by );
    return referenceMeshSeparation( &s_scene.refMesh, &s_scene.poseMesh, &moved, NULL );
}

static void castsEndWhereTheyTouch( void** state )
{
    (void)state;
    static ReferenceHull triangle;
    uint64_t random = s_seed;
    uint32_t hits = 0, total = 0;
    for ( uint32_t i = 0; i < ( kitQuick() ? 10u : 40u ); ++i )
    {
        useMesh( (MeshSort)( i % mesh_sortCount ), 40, &random );
        for ( uint32_t k = 0; k < 12; ++k )
        {
            s_scene.shape = anyShape( s_kinds[k % 4], &random );
            joVec3 at = pairVectorIn( &random, 2.5f );
            placeShape( at, pairAnyRotation( &random ) );
            joVec3 motion = pairVectorIn( &random, 3.0f );
            joCastHit3 hit;
            assert_int_equal( joCast3( &s_scene.mesh, &s_scene.poseMesh, &s_scene.shape, &s_scene.poseShape,
                                  motion, NULL, &hit ),
                jo_success );
            assert_int_equal( hit.status, jo_collideComplete );
            double start = separationAt( motion, 0.0 ), end = hit.isHit ? (double)hit.fraction : 1.0;
            total += 1;
            if ( start <= DEPTH_BOUND )
            {
                assert_true( start > -DEPTH_BOUND || ( hit.isHit && hit.fraction == 0.0f ) );
                destroyShape( &s_scene.shape );
                continue;
            }
            for ( int step = 0; step < 16; ++step )
            {
                assert_true( separationAt( motion, end * step / 16.0 ) > -1e-6 );
            }
            double last = separationAt( motion, end );
            assert_true( last > -1e-6 && ( !hit.isHit || last < DEPTH_BOUND ) );
            if ( hit.isHit )
            {
                hits += 1;
                assert_true( dot( hit.normal, motion ) < 1e-3 );
                joTransform3 there = s_scene.poseShape;
                const double by[3] = {
                    end * (double)motion.x, end * (double)motion.y, end * (double)motion.z };
                hullReferenceMake( &s_scene.refShape, &s_scene.shape, &there );
                hullReferenceMove( &s_scene.refShape, by );
                const double point[3] = { (double)hit.point.x, (double)hit.point.y, (double)hit.point.z };
                assert_true( hullReferenceOutside( &s_scene.refShape, point ) < 2e-5 );
                referenceMeshTriangle( &s_scene.refMesh, &s_scene.poseMesh, hit.child, &triangle );
                assert_true( hullReferenceDistance( &triangle, &s_scene.refShape ).lower <
                             s_scene.refShape.radius + DEPTH_BOUND );
            }
            destroyShape( &s_scene.shape );
        }
        dropMesh();
    }
    assert_true( hits > total / 12 );
}

// How squarely a motion goes into what is touched, at most.
static double findInto( joVec3 motion )
{
    const uint32_t count = collideAll( 0.0f );
    double most = 0.0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        // From the mesh to the shape.
        most = fmax( most, -dot( s_contacts[i].manifold.normal, motion ) / sqrt( dot( motion, motion ) ) );
    }
    return most;
}

// What touches at the start stops at once at what it goes into, and else where it meets a triangle that it
// did not touch.
static void castsOutSeeWhatIsNotTouched( void** state )
{
    (void)state;
    static ReferenceHull triangle, moved;
    uint64_t random = s_seed;
    uint32_t stops = 0, hits = 0, leaves = 0;
    for ( uint32_t i = 0; i < ( kitQuick() ? 300u : 1000u ); ++i )
    {
        useMesh( (MeshSort)( i % mesh_sortCount ), 20, &random );
        s_scene.shape = anyShape( s_kinds[i % 4], &random );
        placeShape( pairVectorIn( &random, 2.0f ), pairAnyRotation( &random ) );
        const joVec3 motion = pairVectorIn( &random, 3.0f );
        const double into = findInto( motion );
        const bool isOfInterest = collide( 0.0f ).pointCount > 0 && fabs( into - 0.001 ) > 1e-5;
        joCastHit3 hit = { .fraction = 1.0f };
        if ( isOfInterest )
        {
            assert_int_equal( joCastOut3( &s_scene.mesh, &s_scene.poseMesh, &s_scene.shape,
                                  &s_scene.poseShape, motion, 0.001, &hit ),
                jo_success );
            assert_true( into < 0.001 || ( hit.isHit && hit.fraction == 0.0f ) );
            assert_true( into < 0.001 ||
                         fabs( dot( hit.normal, motion ) + into * sqrt( dot( motion, motion ) ) ) < 1e-5 );
            stops += into >= 0.001;
            hits += into < 0.001 && hit.isHit;
            leaves += into < 0.001 && !hit.isHit;
        }
        const double end = hit.isHit ? (double)hit.fraction : 1.0;
        for ( uint32_t k = 0; k < s_scene.refMesh.triangleCount && isOfInterest && into < 0.001; ++k )
        {
            referenceMeshTriangle( &s_scene.refMesh, &s_scene.poseMesh, k, &triangle );
            const double radius = s_scene.refShape.radius;
            const bool isTouched =
                hullReferenceDistance( &triangle, &s_scene.refShape ).lower <= radius + 1e-6;
            assert_true( !isTouched || !hit.isHit || hit.child != k );
            for ( int step = 0; step <= 8 && !isTouched; ++step )
            {
                const double part = end * step / 8.0;
                const double by[3] = {
                    part * (double)motion.x, part * (double)motion.y, part * (double)motion.z };
                moved = s_scene.refShape;
                hullReferenceMove( &moved, by );
                const double apart = hullReferenceDistance( &triangle, &moved ).lower - radius;
                assert_true( apart > -1e-6 );
                assert_true( step < 8 || !hit.isHit || hit.child != k || apart < DEPTH_BOUND );
            }
        }
        destroyShape( &s_scene.shape );
        dropMesh();
    }
    print_message( "%u stop at once, %u meet another triangle, %u leave\n", stops, hits, leaves );
    assert_true( stops > 8 && hits > 1 && leaves > 5 );
}

// From nearer than doubles tell of, where only the motion could say whence it comes.
static void whatDoesNotMoveMeetsNothing( void** state )
{
    (void)state;
    const joVec3 corners[3] = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f } };
    const uint32_t indices[3] = { 0, 1, 2 };
    joMesh3* mesh;
    assert_int_equal( joCreateMesh3( corners, 3, indices, 1, NULL, &mesh, NULL ), jo_success );
    const joShape3 ground = { .kind = jo_meshShape3, .mesh = mesh }, point = { .kind = jo_sphereShape3 };
    joTransform3 pose = joMakeIdentity3(), beside = pose;
    beside.position.x = -0x1p-149f;
    const joVec3 still = { 0.0f, 0.0f, 0.0f };
    joCastHit3 hit;
    assert_int_equal( joCast3( &ground, &pose, &point, &beside, still, NULL, &hit ), jo_success );
    assert_true( !hit.isHit && hit.fraction == 1.0f );
    joDestroyMesh3( mesh, NULL );
}

static void aSmallBufferGetsTheFirst( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    useMesh( mesh_soup, 400, &random );
    s_scene.shape = ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { .radius = 1.0f } };
    placeShape( ( joVec3 ){ 0.1f, 0.2f, 0.3f }, ( joQuat ){ 0.0f, 0.0f, 0.0f, 1.0f } );
    uint32_t all = collideAll( 0.0f ), count = 0;
    assert_true( all > 3 );
    joMeshContact3 few[3], spoilt;
    memset( few, 0xCD, sizeof( few ) );
    spoilt = few[2];
    assert_int_equal( joCollideMesh3( s_scene.mesh.mesh, &s_scene.poseMesh, &s_scene.shape,
                          &s_scene.poseShape, 0.0f, few, 2, &count ),
        jo_success );
    assert_int_equal( count, all );
    assert_memory_equal( few, s_contacts, 2 * sizeof( few[0] ) );
    assert_memory_equal( few + 2, &spoilt, sizeof( spoilt ) );
    assert_int_equal( joCollideMesh3( s_scene.mesh.mesh, &s_scene.poseMesh, &s_scene.shape,
                          &s_scene.poseShape, 0.0f, NULL, 0, &count ),
        jo_success );
    assert_int_equal( count, all );
    dropMesh();
}

static void badCallsAreRefused( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    useMesh( mesh_floor, 20, &random );
    s_scene.shape = ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { .radius = 1.0f } };
    const joShape3 others[2] = {
        s_scene.mesh, { .kind = jo_halfSpaceShape3, .halfSpace = { { 0.0f, 1.0f, 0.0f }, 0.0f } } };
    const joTransform3 pose = joMakeIdentity3();
    const joMesh3* mesh = s_scene.mesh.mesh;
    uint32_t count = 7;
    for ( int i = 0; i < 2; ++i )
    {
        bool overlaps;
        joManifold3 manifold;
        joClosestPoints3 closest;
        joCastHit3 hit;
        const joShape3* other = others + i;
        assert_int_equal(
            joOverlap3( other, &pose, &s_scene.mesh, &pose, NULL, &overlaps ), jo_errorNoSuchPair );
        assert_int_equal(
            joCollide3( &s_scene.mesh, &pose, other, &pose, 0.0f, NULL, &manifold ), jo_errorNoSuchPair );
        assert_int_equal(
            joDistance3( other, &pose, &s_scene.mesh, &pose, NULL, &closest ), jo_errorNoSuchPair );
        assert_int_equal(
            joCast3( other, &pose, &s_scene.mesh, &pose, pose.position, NULL, &hit ), jo_errorNoSuchPair );
        assert_int_equal(
            joCollideMesh3( mesh, &pose, other, &pose, 0.0f, NULL, 0, &count ), jo_errorNoSuchPair );
        assert_int_equal( count, 0 );
    }
    const joShape3* shape = &s_scene.shape;
    assert_int_equal(
        joCollideMesh3( mesh, &pose, shape, &pose, 0.0f, NULL, 1, &count ), jo_errorNullArgument );
    assert_int_equal(
        joCollideMesh3( mesh, &pose, shape, &pose, 0.0f, s_contacts, 1, NULL ), jo_errorNullArgument );
    assert_int_equal(
        joCollideMesh3( NULL, &pose, shape, &pose, 0.0f, s_contacts, 1, &count ), jo_errorNullArgument );
    assert_int_equal(
        joCollideMesh3( mesh, NULL, shape, &pose, 0.0f, s_contacts, 1, &count ), jo_errorNullArgument );
    assert_int_equal(
        joCollideMesh3( mesh, &pose, shape, &pose, -1.0f, s_contacts, 1, &count ), jo_errorBadRadius );
    assert_int_equal(
        joCollideMesh3( mesh, &pose, shape, &pose, NAN, s_contacts, 1, &count ), jo_errorNotANumber );
    dropMesh();
}

static bool ignoreAssert( const char* condition, const char* file, int line )
{
    (void)condition;
    (void)file;
    (void)line;
    return false;
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    joSetAssertFcn( ignoreAssert );
    const struct CMUnitTest tests[] = {
        TEST( "answers are those of a plain loop", answersAreThoseOfAPlainLoop ),
        TEST( "lone triangles push the shortest way", loneTrianglesPushTheShortestWay ),
        TEST( "nothing bumps on a flat floor", nothingBumpsOnAFlatFloor ),
        TEST( "a box on a floor has four points", aBoxOnAFloorHasFourPoints ),
        TEST( "edges that stand out are met", edgesThatStandOutAreMet ),
        TEST( "casts end where they touch", castsEndWhereTheyTouch ),
        TEST( "casts out see what is not touched", castsOutSeeWhatIsNotTouched ),
        TEST( "what does not move meets nothing", whatDoesNotMoveMeetsNothing ),
        TEST( "a small buffer gets the first", aSmallBufferGetsTheFirst ),
        TEST( "bad calls are refused", badCallsAreRefused ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
