// SPDX-License-Identifier: MIT
// Tests of what the neighbours of a mesh's triangle mean for it: over a ridge a shape leaves the triangle
// along the normal of the other slope, where that is the shorter way.
#include "test_support.h"

#include "jostle/collide.h"
#include "jostle/mesh_3d.h"
#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"

#include <math.h>

static uint64_t s_seed;

// A roof with its ridge along y, at height 0, falling by `slope` to both sides.
static joMesh3* makeRoof( float slope )
{
    const float low = -3.0f * slope;
    const joVec3 vertices[6] = { { 0.0f, -3.0f, 0.0f }, { 0.0f, 3.0f, 0.0f }, { -3.0f, -3.0f, low },
        { -3.0f, 3.0f, low }, { 3.0f, -3.0f, low }, { 3.0f, 3.0f, low } };
    // 0 and 1 on the left, 2 and 3 on the right; 0 and 2 have the ridge.
    const uint32_t indices[12] = { 0, 1, 2, 2, 1, 3, 0, 4, 1, 1, 4, 5 };
    joMesh3* mesh = NULL;
    assert_int_equal( joCreateMesh3( vertices, 6, indices, 4, NULL, &mesh, NULL ), jo_success );
    return mesh;
}

// How far a shape reaches below the ridge along the normal of a slope.
static double depthAlong( const joShape3* shape, const joTransform3* pose, joVec3 normal )
{
    const joQuat back = { -pose->rotation.x, -pose->rotation.y, -pose->rotation.z, pose->rotation.w };
    const joVec3 down = joRotateVec3( back, ( joVec3 ){ -normal.x, -normal.y, -normal.z } );
    const joVec3 lowest = joTransformPoint3( *pose, joFindShapeSupport3( shape, down ) );
    return -( (double)normal.x * (double)lowest.x + (double)normal.y * (double)lowest.y +
              (double)normal.z * (double)lowest.z );
}

static void overARidgeTheOtherSlopeIsAWayOut( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint32_t shorter = 0;
    for ( uint32_t i = 0; i < ( kitQuick() ? 2000u : 10000u ); ++i )
    {
        const float slope = pairFloatIn( &random, 0.1f, 1.5f ), scale = 1.0f / sqrtf( 1.0f + slope * slope );
        const joVec3 normals[2] = { { -slope * scale, 0.0f, scale }, { slope * scale, 0.0f, scale } };
        joMesh3* mesh = makeRoof( slope );
        const joShape3 box = {
            .kind = jo_boxShape3, .box = joMakeBox3( pairFloatIn( &random, 0.2f, 1.0f ), 0.4f, 0.3f ) };
        const joTransform3 poseMesh = joMakeIdentity3();
        const joTransform3 pose = { pairVectorIn( &random, 0.6f ), pairAnyRotation( &random ) };
        joMeshContact3 contacts[4];
        uint32_t count;
        assert_int_equal(
            joCollideMesh3( mesh, &poseMesh, &box, &pose, 0.0f, contacts, 4, &count ), jo_success );
        for ( uint32_t k = 0; k < count; ++k )
        {
            const bool hasRidge = contacts[k].triangle % 2 == 0;
            const bool isLeft = contacts[k].triangle < 2;
            const double own = depthAlong( &box, &pose, normals[isLeft ? 0 : 1] );
            const double others = depthAlong( &box, &pose, normals[isLeft ? 1 : 0] );
            const double depth = (double)contacts[k].manifold.depth;
            assert_true( depth <= own + 1e-5 );
            assert_true( !hasRidge || depth <= others + 1e-5 );
            shorter += hasRidge && fabs( depth - others ) < 1e-6 && others < own - 1e-3;
        }
        joDestroyMesh3( mesh, NULL );
    }
    assert_true( shorter > 20 );
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "over a ridge the other slope is a way out", overARidgeTheOtherSlopeIsAWayOut ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
