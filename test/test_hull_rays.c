// SPDX-License-Identifier: MIT
// Tests of rays at hulls, against how far points of the ray are from the planes of the faces; and of what any
// shape in 3D passes on to its kind: volume, mass, support point, rays at meshes.
#include "test_support.h"

#include "jostle/hull_3d.h"
#include "jostle/mesh_3d.h"
#include "reference/hull_reference.h"
#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"
#include "support/hull_sets.h"

#include <math.h>

// World coordinates are up to about 5.
#define NEAR 4e-6

static uint64_t s_seed;

// How far a point is above the highest of the planes; negative within.
static double heightOf( const ReferenceHull* hull, const double point[3] )
{
    double highest = -INFINITY;
    for ( uint32_t i = 0; i < hull->faceCount; ++i )
    {
        const double* n = hull->normals[i];
        highest = fmax( highest, n[0] * point[0] + n[1] * point[1] + n[2] * point[2] - hull->offsets[i] );
    }
    return highest;
}

static void along( const joRay* ray, double distance, double out[3] )
{
    double lengthSq = 0.0;
    for ( int k = 0; k < 3; ++k )
    {
        lengthSq += (double)ray->direction[k] * (double)ray->direction[k];
    }
    for ( int k = 0; k < 3; ++k )
    {
        out[k] = (double)ray->origin[k] + distance / sqrt( lengthSq ) * (double)ray->direction[k];
    }
}

static joRayHit3 castAt( const joShape3* shape, const joTransform3* pose, const joRay* ray )
{
    joRayHit3 hit;
    memset( &hit, 0xCD, sizeof( hit ) );
    assert_int_equal( joCastRayAtShape3( shape, pose, ray, &hit ), jo_success );
    return hit;
}

static joRayHit3 judgeRay(
    const joShape3* shape, const joTransform3* pose, const ReferenceHull* truth, const joRay* ray )
{
    const joRayHit3 hit = castAt( shape, pose, ray );
    const bool isHit = isfinite( hit.distance );
    const double end = isHit ? (double)hit.distance : (double)ray->length;
    double point[3];
    for ( int step = 0; step < 64; ++step )
    {
        along( ray, end * (double)step / 64.0, point );
        assert_true( end == 0.0 || heightOf( truth, point ) > -NEAR );
    }
    along( ray, end, point );
    assert_true( isHit || heightOf( truth, point ) > -NEAR );
    if ( isHit && hit.distance > 0.0f )
    {
        const double n[3] = { (double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z };
        const double* d = n;
        assert_true( hit.distance <= ray->length );
        assert_true( fabs( heightOf( truth, point ) ) < NEAR );
        assert_true( fabs( d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - 1.0 ) < 1e-6 );
        double against = 0.0;
        for ( int k = 0; k < 3; ++k )
        {
            assert_true( fabs( point[k] - (double)( &hit.point.x )[k] ) < NEAR );
            against += n[k] * (double)ray->direction[k];
            point[k] += 1e-3 * n[k];
        }
        // Into the face, and out of the hull along its normal.
        assert_true( against <= 0.0 && fabs( heightOf( truth, point ) - 1e-3 ) < 2.0 * NEAR );
    }
    else if ( isHit )
    {
        assert_true( heightOf( truth, point ) < NEAR && hit.normal.x == 0.0f && hit.normal.y == 0.0f );
    }
    return hit;
}

// A point within a face, or on an edge, by weights of the vertices.
static joVec3 pointOn( const joHull3* hull, uint32_t edgeOnly, uint64_t* random )
{
    uint8_t corners[JO_MAX_HULL_VERTICES3];
    const uint32_t face = randomBelow( random, joHull3_GetFaceCount( hull ) );
    const uint32_t count = joHull3_GetFace( hull, face, corners, JO_MAX_HULL_VERTICES3, NULL, NULL );
    const joVec3 a = joHull3_GetVertex( hull, corners[0] ), b = joHull3_GetVertex( hull, corners[1] ),
                 c = joHull3_GetVertex( hull, corners[2 % count] );
    const float u = pairFloatIn( random, 0.1f, 0.4f ),
                v = edgeOnly ? 0.0f : pairFloatIn( random, 0.1f, 0.4f );
    return ( joVec3 ){ a.x + u * ( b.x - a.x ) + v * ( c.x - a.x ),
        a.y + u * ( b.y - a.y ) + v * ( c.y - a.y ), a.z + u * ( b.z - a.z ) + v * ( c.z - a.z ) };
}

static void raysMeetAHullWhereItBegins( void** state )
{
    (void)state;
    uint64_t random = s_seed, hits = 0, within = 0;
    const uint32_t hulls = kitQuick() ? 20 : 120;
    for ( uint32_t i = 0; i < hulls; ++i )
    {
        static ReferenceHull truth;
        joHull3* hull = hullMake( (HullSort)( i % hull_sortCount ), hullAnyCount( &random ), &random );
        const joShape3 shape = { .kind = jo_hullShape3, .hull = hull };
        const joTransform3 pose = { pairVectorIn( &random, 1.0f ), pairAnyRotation( &random ) };
        hullReferenceMake( &truth, &shape, &pose );
        const joVec3 middle = joComputeHullMass3( hull, 1.0f ).center;
        for ( uint32_t k = 0; k < 60; ++k )
        {
            // At a face, an edge, the middle; or anywhere.
            joVec3 target = k % 4 == 3 ? middle : pointOn( hull, k % 4 == 1, &random );
            target = joTransformPoint3( pose, target );
            joVec3 from = pairVectorIn( &random, 3.0f );
            if ( k % 10 == 9 )
            {
                from = joTransformPoint3( pose, middle );
            }
            joRay ray = { { from.x, from.y, from.z },
                { target.x - from.x, target.y - from.y, target.z - from.z },
                k % 4 == 3 ? 9.0f : pairFloatIn( &random, 0.0f, 6.0f ) };
            if ( ray.direction[0] == 0.0f && ray.direction[1] == 0.0f && ray.direction[2] == 0.0f )
            {
                ray.direction[0] = 1.0f;
            }
            const joRayHit3 hit = judgeRay( &shape, &pose, &truth, &ray );
            assert_true( k % 4 != 3 || isfinite( hit.distance ) );
            assert_true( k % 10 != 9 || hit.distance == 0.0f );
            hits += isfinite( hit.distance ) ? 1 : 0;
            within += hit.distance == 0.0f;
        }
        joDestroyHull3( hull, NULL );
    }
    assert_true( hits > hulls * 20 && hits < hulls * 58 && within >= hulls * 6 );
}

// A cube: all is exact.
static void raysAlongAFaceOrAnEdgeMeetTheHull( void** state )
{
    (void)state;
    joVec3 corners[8];
    for ( int i = 0; i < 8; ++i )
    {
        corners[i] = ( joVec3 ){ i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f };
    }
    joHull3* hull = NULL;
    assert_int_equal( joCreateHull3( corners, 8, NULL, &hull, NULL ), jo_success );
    const joShape3 shape = { .kind = jo_hullShape3, .hull = hull };
    const joTransform3 pose = joMakeIdentity3();
    const struct
    {
        joRay ray;
        float distance;
    } rays[] = {
        { { { 3.0f, 0.5f, 1.0f }, { -1.0f, 0.0f, 0.0f }, 9.0f }, 2.0f },           // along a face
        { { { 3.0f, 1.0f, 1.0f }, { -2.0f, 0.0f, 0.0f }, 9.0f }, 2.0f },           // along an edge
        { { { 3.0f, 0.5f, 1.0000002f }, { -1.0f, 0.0f, 0.0f }, 9.0f }, INFINITY }, // beside it
        { { { 0.0f, 0.5f, 0.5f }, { 0.0f, 1.0f, 0.0f }, 9.0f }, 0.0f },            // from inside
        { { { 1.0f, 0.5f, 0.5f }, { 1.0f, 0.0f, 0.0f }, 9.0f }, 0.0f },            // from the surface, away
        { { { 3.0f, 0.5f, 0.5f }, { 1.0f, 0.0f, 0.0f }, INFINITY }, INFINITY },    // away
        { { { 3.0f, 0.5f, 0.5f }, { -1.0f, 0.0f, 0.0f }, 2.0f }, 2.0f },           // ends on it
        { { { 3.0f, 0.5f, 0.5f }, { -1.0f, 0.0f, 0.0f }, 1.9999999f }, INFINITY }, // ends before
        { { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, 0.0f }, 0.0f },            // of no length
        { { { 3.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, 0.0f }, INFINITY },
        { { { 3.0f, 3.0f, 0.0f }, { -1.0f, -1.0f, 0.0f }, 9.0f }, 2.82842708f }, // at an edge
        { { { 2.0f, 3.0f, 0.0f }, { -1.0f, 0.0f, 0.0f }, 9.0f }, INFINITY },     // past it
    };
    for ( size_t i = 0; i < sizeof( rays ) / sizeof( rays[0] ); ++i )
    {
        const joRayHit3 hit = castAt( &shape, &pose, &rays[i].ray );
        assert_true( hit.distance == rays[i].distance );
    }
    joDestroyHull3( hull, NULL );
}

static void assertSame( joVec3 a, joVec3 b )
{
    assert_true( a.x == b.x && a.y == b.y && a.z == b.z );
}

static void anyShapePassesOnToItsKind( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joHull3* hull = hullMake( hull_egg, 20, &random );
    const joVec3 vertices[4] = {
        { 0.0f, 0.0f, 0.0f }, { 2.0f, 0.0f, 0.0f }, { 0.0f, 3.0f, 0.0f }, { 0.0f, 3.0f, 1.0f } };
    const uint32_t indices[6] = { 0, 1, 2, 0, 2, 3 };
    joMesh3* mesh = NULL;
    assert_int_equal( joCreateMesh3( vertices, 4, indices, 2, NULL, &mesh, NULL ), jo_success );
    const joVec3 way = { 0.3f, 0.8f, -0.4f };
    const joShape3 sphere = { .kind = jo_sphereShape3, .sphere = { way, 0.5f } },
                   capsule = { .kind = jo_capsuleShape3, .capsule = { way, { 1.0f, 2.0f, 3.0f }, 0.5f } },
                   box = { .kind = jo_boxShape3, .box = joMakeBox3( 0.5f, 0.6f, 0.7f ) },
                   ball = { .kind = jo_hullShape3, .hull = hull },
                   ground = { .kind = jo_halfSpaceShape3, .halfSpace = { { 0.0f, 2.0f, 0.0f }, 3.0f } },
                   floor = { .kind = jo_meshShape3, .mesh = mesh };
    assert_true( joComputeShapeVolume3( &sphere ) == joComputeSphereVolume3( &sphere.sphere ) );
    assert_true( joComputeShapeVolume3( &capsule ) == joComputeCapsuleVolume3( &capsule.capsule ) );
    assert_true( joComputeShapeVolume3( &box ) == joComputeBoxVolume3( &box.box ) );
    assert_true( joComputeShapeVolume3( &ball ) == joComputeHullVolume3( hull ) );
    assert_true( joComputeShapeVolume3( &ground ) == 0.0f && joComputeShapeVolume3( &floor ) == 0.0f );
    assert_true(
        joComputeShapeMass3( &sphere, 2.0f ).mass == joComputeSphereMass3( &sphere.sphere, 2.0f ).mass );
    assert_true(
        joComputeShapeMass3( &capsule, 2.0f ).mass == joComputeCapsuleMass3( &capsule.capsule, 2.0f ).mass );
    assert_true( joComputeShapeMass3( &box, 2.0f ).mass == joComputeBoxMass3( &box.box, 2.0f ).mass );
    const joMassData3 given = joComputeShapeMass3( &ball, 2.0f ), own = joComputeHullMass3( hull, 2.0f );
    assert_true( given.mass == own.mass && given.mass > 0.0f );
    assertSame( given.center, own.center );
    assertSame( given.inertiaDiagonal, own.inertiaDiagonal );
    assert_true( joComputeShapeMass3( &ground, 2.0f ).mass == 0.0f );
    assert_true( joComputeShapeMass3( &floor, 2.0f ).mass == 0.0f );
    assertSame( joFindShapeSupport3( &sphere, way ), joFindSphereSupport3( &sphere.sphere, way ) );
    assertSame( joFindShapeSupport3( &capsule, way ), joFindCapsuleSupport3( &capsule.capsule, way ) );
    assertSame( joFindShapeSupport3( &box, way ), joFindBoxSupport3( &box.box, way ) );
    assertSame( joFindShapeSupport3( &ball, way ), joFindHullSupport3( hull, way ) );
    assertSame( joFindShapeSupport3( &ground, way ), ( joVec3 ){ 0.0f, 3.0f, 0.0f } );
    assertSame( joFindShapeSupport3( &floor, way ), vertices[2] );
    // A mesh has a ray, too.
    const joTransform3 pose = joMakeIdentity3();
    joRay ray = { { 0.5f, 0.5f, 4.0f }, { 0.0f, 0.0f, -1.0f }, 9.0f };
    const joRayHit3 hit = castAt( &floor, &pose, &ray );
    assert_true( hit.distance == 4.0f );
    assertSame( hit.normal, ( joVec3 ){ 0.0f, 0.0f, 1.0f } );
    assertSame( hit.point, ( joVec3 ){ 0.5f, 0.5f, 0.0f } );
    ray.length = 3.0f;
    assert_true( isinf( castAt( &floor, &pose, &ray ).distance ) );
    joDestroyMesh3( mesh, NULL );
    joDestroyHull3( hull, NULL );
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "rays meet a hull where it begins", raysMeetAHullWhereItBegins ),
        TEST( "rays along a face or an edge meet the hull", raysAlongAFaceOrAnEdgeMeetTheHull ),
        TEST( "any shape passes on to its kind", anyShapePassesOnToItsKind ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
