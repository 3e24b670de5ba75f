// SPDX-License-Identifier: MIT
// Tests of round shapes against each other in 2D.
#include "test_support.h"

#include "jostle/collide.h"

#include <math.h>

static joShape2 circle( float x, float y, float radius )
{
    return ( joShape2 ){ .kind = jo_circleShape2, .circle = { { x, y }, radius } };
}

static void circlesTouchWhereTheirRadiiMeet( void** state )
{
    (void)state;
    // Of 3, 4 and 5, all of which are exact.
    joShape2 a = circle( 1.0f, 1.0f, 2.0f ), b = circle( 4.0f, 5.0f, 3.0f );
    joTransform2 pose = joMakeIdentity2();
    bool overlaps = false;
    joManifold2 manifold;
    joClosestPoints2 closest;
    assert_int_equal( joOverlap2( &a, &pose, &b, &pose, NULL, &overlaps ), jo_success );
    assert_int_equal( joCollide2( &a, &pose, &b, &pose, 0.0f, NULL, &manifold ), jo_success );
    assert_int_equal( joDistance2( &a, &pose, &b, &pose, NULL, &closest ), jo_success );
    assert_true( overlaps && manifold.pointCount == 1 && manifold.depth == 0.0f );
    assert_true( manifold.normal.x == 0.6f && manifold.normal.y == 0.8f );
    assert_true( manifold.points[0].position.x == 2.2f && manifold.points[0].position.y == 2.6f );
    assert_true( closest.distance == 0.0f && closest.pointA.x == 2.2f && closest.pointB.y == 2.6f );
    // A quarter apart.
    b.circle.radius = 2.75f;
    assert_int_equal( joOverlap2( &a, &pose, &b, &pose, NULL, &overlaps ), jo_success );
    assert_int_equal( joCollide2( &a, &pose, &b, &pose, 0.0f, NULL, &manifold ), jo_success );
    assert_int_equal( joDistance2( &a, &pose, &b, &pose, NULL, &closest ), jo_success );
    assert_true( !overlaps && manifold.pointCount == 0 && closest.distance == 0.25f );
    assert_true( closest.normal.x == 0.6f && closest.pointA.x == 2.2f && closest.pointB.x == 2.35f );
    assert_int_equal( joCollide2( &a, &pose, &b, &pose, 0.25f, NULL, &manifold ), jo_success );
    assert_true( manifold.pointCount == 1 && manifold.points[0].depth == -0.25f );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "circles touch where their radii meet", circlesTouchWhereTheirRadiiMeet ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
