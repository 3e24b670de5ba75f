// SPDX-License-Identifier: MIT
// Tests of half-spaces against spheres, capsules and boxes, judged by the lowest point of the shape.
#include "test_support.h"

#include "jostle/collide.h"
#include "reference/round_reference.h"
#include "reference/sat_reference.h"
#include "support/box_pair_sets.h"

#include <float.h>
#include <math.h>

static uint64_t s_seed;

typedef struct Scene
{
    joShape3 shape, ground;
    joTransform3 poseA, poseB;
} Scene;

static joShape3 anyShape( uint32_t kind, uint64_t* random )
{
    float radius = pairFloatIn( random, 0.0f, 1.0f );
    joVec3 a = pairVectorIn( random, 1.0f ), b = pairVectorIn( random, 1.0f );
    if ( kind == 0 )
    {
        return ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { a, radius } };
    }
    if ( kind == 1 )
    {
        return ( joShape3 ){ .kind = jo_capsuleShape3, .capsule = { a, b, radius } };
    }
    joBox3 box = joMakeBox3( fabsf( b.x ), fabsf( b.y ), radius );
    box.localPose = ( joTransform3 ){ a, pairAnyRotation( random ) };
    return ( joShape3 ){ .kind = jo_boxShape3, .box = box };
}

static Scene anyScene( uint32_t kind, uint64_t* random )
{
    Scene scene = { .shape = anyShape( kind, random ), .ground = { .kind = jo_halfSpaceShape3 } };
    scene.ground.halfSpace.normal = pairVectorIn( random, 3.0f );
    scene.ground.halfSpace.offset = pairFloatIn( random, -1.0f, 1.0f );
    scene.poseA = ( joTransform3 ){ pairVectorIn( random, 2.0f ), pairAnyRotation( random ) };
    scene.poseB = ( joTransform3 ){ pairVectorIn( random, 1.0f ), pairAnyRotation( random ) };
    return scene;
}

// The plane in world space: its unit normal, and its distance from the origin along that.
static double planeOf( const Scene* scene, double up[3] )
{
    joVec3 turned = joRotateVec3( scene->poseB.rotation, scene->ground.halfSpace.normal );
    double length = 0.0, offset = (double)scene->ground.halfSpace.offset;
    for ( int k = 0; k < 3; ++k )
    {
        up[k] = (double)( &turned.x )[k];
        length += up[k] * up[k];
    }
    for ( int k = 0; k < 3; ++k )
    {
        up[k] /= sqrt( length );
        offset += up[k] * (double)( &scene->poseB.position.x )[k];
    }
    return offset;
}

static double along( const double up[3], joVec3 v )
{
    return up[0] * (double)v.x + up[1] * (double)v.y + up[2] * (double)v.z;
}

// How far the shape is out of the half-space; negative: how deep it is in it.
static double heightOf( const Scene* scene )
{
    double up[3], offset = planeOf( scene, up ), lowest = INFINITY;
    if ( scene->shape.kind == jo_boxShape3 )
    {
        SatBox box = satMakeBox( &scene->shape.box, &scene->poseA );
        lowest = box.center[0] * up[0] + box.center[1] * up[1] + box.center[2] * up[2];
        for ( int k = 0; k < 3; ++k )
        {
            const double* axis = box.axes[k];
            lowest -= box.half[k] * fabs( axis[0] * up[0] + axis[1] * up[1] + axis[2] * up[2] );
        }
        return lowest - offset;
    }
    RoundCore core = roundMakeCore3( &scene->shape, &scene->poseA );
    for ( int end = 0; end < 2; ++end )
    {
        const double* p = end ? core.b : core.a;
        lowest = fmin( lowest, p[0] * up[0] + p[1] * up[1] + p[2] * up[2] );
    }
    return lowest - core.radius - offset;
}

// How far a point is from the shape; 0 within it.
static double distanceToShape( const Scene* scene, joVec3 point )
{
    const double p[3] = { (double)point.x, (double)point.y, (double)point.z };
    if ( scene->shape.kind == jo_boxShape3 )
    {
        SatBox box = satMakeBox( &scene->shape.box, &scene->poseA );
        return satDistanceToPoint( &box, p );
    }
    RoundCore core = roundMakeCore3( &scene->shape, &scene->poseA );
    return fmax( roundDistanceToPoint( &core, p ) - core.radius, 0.0 );
}

static void judgeManifold( const Scene* scene, double height, float margin )
{
    joManifold3 manifold;
    double up[3], offset = planeOf( scene, up ), deepest = -INFINITY;
    assert_int_equal(
        joCollide3( &scene->shape, &scene->poseA, &scene->ground, &scene->poseB, margin, NULL, &manifold ),
        jo_success );
    assert_true( fabs( height - (double)margin ) < 1e-6 ||
                 ( manifold.pointCount > 0 ) == ( height < (double)margin ) );
    if ( manifold.pointCount == 0 )
    {
        return;
    }
    assert_true( fabs( along( up, manifold.normal ) + 1.0 ) < 1e-6 );
    assert_true( fabs( (double)manifold.depth + height ) < 2e-6 );
    assert_in_range( manifold.pointCount, 1, 4 );
    for ( uint32_t i = 0; i < manifold.pointCount; ++i )
    {
        const joManifoldPoint3* point = manifold.points + i;
        // On the surface of the shape above the middle, and of the plane below it.
        double half = 0.5 * (double)point->depth;
        joVec3 onShape = { point->position.x + (float)half * manifold.normal.x,
            point->position.y + (float)half * manifold.normal.y,
            point->position.z + (float)half * manifold.normal.z };
        assert_true( distanceToShape( scene, onShape ) < 3e-6 );
        assert_true( fabs( along( up, point->position ) - half - offset + 2.0 * half ) < 3e-6 );
        assert_true( point->depth >= -margin );
        deepest = fmax( deepest, (double)point->depth );
        assert_int_not_equal( point->featureId, 0 );
        for ( uint32_t j = 0; j < i; ++j )
        {
            assert_int_not_equal( point->featureId, manifold.points[j].featureId );
        }
    }
    assert_true( (float)deepest == manifold.depth );
}

static void judgeDistance( const Scene* scene, double height )
{
    joClosestPoints3 closest;
    double up[3], offset = planeOf( scene, up );
    assert_int_equal(
        joDistance3( &scene->shape, &scene->poseA, &scene->ground, &scene->poseB, NULL, &closest ),
        jo_success );
    assert_true( fabs( (double)closest.distance - fmax( height, 0.0 ) ) < 2e-6 );
    assert_true( distanceToShape( scene, closest.pointA ) < 2e-6 );
    if ( closest.distance > 0.0f )
    {
        assert_true( fabs( along( up, closest.pointB ) - offset ) < 2e-6 );
        assert_true( fabs( along( up, closest.normal ) + 1.0 ) < 1e-6 );
    }
    else
    {
        assert_memory_equal( &closest.pointA, &closest.pointB, sizeof( joVec3 ) );
        assert_true( along( up, closest.pointB ) <= offset + 2e-6 );
    }
}

static void judgeCast( const Scene* scene, double height, joVec3 motion, bool isSwapped )
{
    joCastHit3 hit;
    double up[3];
    (void)planeOf( scene, up );
    double rise = along( up, motion ) * ( isSwapped ? -1.0 : 1.0 );
    joResult result =
        isSwapped
            ? joCast3( &scene->ground, &scene->poseB, &scene->shape, &scene->poseA, motion, NULL, &hit )
            : joCast3( &scene->shape, &scene->poseA, &scene->ground, &scene->poseB, motion, NULL, &hit );
    assert_int_equal( result, jo_success );
    if ( fabs( height ) < 1e-6 || fabs( rise - height ) < 1e-6 )
    {
        return;
    }
    assert_int_equal( hit.isHit, height < 0.0 || rise > height );
    if ( !hit.isHit )
    {
        assert_true( hit.fraction == 1.0f );
        return;
    }
    double expected = height < 0.0 ? 0.0 : height / rise;
    assert_true( fabs( (double)hit.fraction - expected ) * fabs( rise ) < 2e-6 );
    assert_true( fabs( along( up, hit.normal ) + ( isSwapped ? -1.0 : 1.0 ) ) < 1e-6 );
    assert_true( height < 0.0 ? fabs( (double)hit.depth + height ) < 2e-6 : hit.depth == 0.0f );
}

static void theLowestPointDecides( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t i = 0; i < 60000; ++i )
    {
        Scene scene = anyScene( i % 3, &random );
        double height = heightOf( &scene );
        bool overlaps = false;
        assert_int_equal(
            joOverlap3( &scene.ground, &scene.poseB, &scene.shape, &scene.poseA, NULL, &overlaps ),
            jo_success );
        assert_true( fabs( height ) < 1e-6 || overlaps == ( height < 0.0 ) );
        judgeManifold( &scene, height, i % 2 ? 0.3f : 0.0f );
        judgeDistance( &scene, height );
        judgeCast( &scene, height, pairVectorIn( &random, 3.0f ), i / 2 % 2 );
    }
}

// What rests flat on the ground has a point for each corner of its face, or each end, with ids that stay.
static void whatRestsOnTheGroundHasAllItsPoints( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    joShape3 ground = { .kind = jo_halfSpaceShape3, .halfSpace = { { 0.0f, 1.0f, 0.0f }, 0.0f } };
    joShape3 box = { .kind = jo_boxShape3, .box = joMakeBox3( 1.0f, 0.5f, 2.0f ) };
    joShape3 log = {
        .kind = jo_capsuleShape3, .capsule = { { -1.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, 0.5f } };
    joTransform3 poseB = joMakeIdentity3();
    uint32_t ids[4] = { 0 };
    for ( int i = 0; i < 5000; ++i )
    {
        joTransform3 poseA = { { 0.0f, 0.499f, 0.0f }, joMakeQuat( pairVectorIn( &random, 1.0f ), 1e-4f ) };
        joManifold3 manifold;
        assert_int_equal( joCollide3( &box, &poseA, &ground, &poseB, 0.01f, NULL, &manifold ), jo_success );
        assert_int_equal( manifold.pointCount, 4 );
        for ( uint32_t k = 0; k < 4; ++k )
        {
            ids[k] = i == 0 ? manifold.points[k].featureId : ids[k];
            assert_int_equal( manifold.points[k].featureId, ids[k] );
        }
        // On its side, it has the corners of another face.
        joQuat aside =
            joMultiplyQuats( poseA.rotation, joMakeQuat( ( joVec3 ){ 1.0f, 0.0f, 0.0f }, 1.5707964f ) );
        joTransform3 lying = { { 0.0f, 1.999f, 0.0f }, aside };
        assert_int_equal( joCollide3( &box, &lying, &ground, &poseB, 0.01f, NULL, &manifold ), jo_success );
        assert_int_equal( manifold.pointCount, 4 );
        assert_int_equal( joCollide3( &log, &poseA, &ground, &poseB, 0.01f, NULL, &manifold ), jo_success );
        assert_int_equal( manifold.pointCount, 2 );
    }
}

// 40: a plate, a rod and a point have as many points as they have corners; and touching counts.
static void boxesWithoutSizeHaveFewerPoints( void** state )
{
    (void)state;
    joShape3 ground = { .kind = jo_halfSpaceShape3, .halfSpace = { { 0.0f, 2.0f, 0.0f }, 0.0f } };
    static const struct
    {
        float x, y, z;
        uint32_t points;
    } cases[] = { { 1.0f, 0.0f, 1.0f, 4 }, { 1.0f, 0.0f, 0.0f, 2 }, { 0.0f, 0.0f, 0.0f, 1 } };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        joShape3 box = { .kind = jo_boxShape3, .box = joMakeBox3( cases[i].x, cases[i].y, cases[i].z ) };
        joTransform3 pose = joMakeIdentity3();
        joManifold3 manifold;
        assert_int_equal( joCollide3( &box, &pose, &ground, &pose, 0.0f, NULL, &manifold ), jo_success );
        assert_int_equal( manifold.pointCount, cases[i].points );
        assert_true( manifold.depth == 0.0f && manifold.normal.y == -1.0f );
        assert_int_equal( joCollide3( &ground, &pose, &box, &pose, 0.0f, NULL, &manifold ), jo_success );
        assert_true( manifold.normal.y == 1.0f );
    }
}

// As far as floats reach, and deeper than they do.
static void whatIsFarBelowHasFiniteAnswers( void** state )
{
    (void)state;
    const joShape3 ground = { .kind = jo_halfSpaceShape3, .halfSpace = { { -0.5f, 0.75f, 0.75f }, 0.0f } };
    const joShape3 box = { .kind = jo_boxShape3, .box = joMakeBox3( 4.0f, 0.5f, 0.0f ) };
    joTransform3 poseBox = joMakeIdentity3(), poseGround = joMakeIdentity3();
    poseBox.position = ( joVec3 ){ FLT_MAX, -FLT_MAX, -FLT_MAX };
    joManifold3 manifold;
    assert_int_equal( joCollide3( &box, &poseBox, &ground, &poseGround, 0.0f, NULL, &manifold ), jo_success );
    assert_true( manifold.pointCount > 0 && manifold.depth == FLT_MAX );
    for ( uint32_t i = 0; i < manifold.pointCount; ++i )
    {
        const joVec3 p = manifold.points[i].position;
        assert_true( isfinite( p.x ) && isfinite( p.y ) && isfinite( p.z ) );
        assert_true( isfinite( manifold.points[i].depth ) );
    }
    joClosestPoints3 closest;
    poseBox.position = ( joVec3 ){ -FLT_MAX, FLT_MAX, FLT_MAX };
    assert_int_equal( joDistance3( &box, &poseBox, &ground, &poseGround, NULL, &closest ), jo_success );
    assert_true( closest.distance == FLT_MAX );
    assert_true( isfinite( closest.pointB.x ) && isfinite( closest.pointB.y ) );
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "the lowest point decides", theLowestPointDecides ),
        TEST( "what is far below has finite answers", whatIsFarBelowHasFiniteAnswers ),
        TEST( "what rests on the ground has all its points", whatRestsOnTheGroundHasAllItsPoints ),
        TEST( "40: boxes without size have fewer points", boxesWithoutSizeHaveFewerPoints ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
