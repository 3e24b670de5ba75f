// SPDX-License-Identifier: MIT
// Tests of triangle meshes in 3D: how they are made and refused, their blocks, bounds and rays.
#include "test_support.h"

#include "reference/mesh_reference.h"
#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"
#include "support/mesh_sets.h"

#include "jostle/shapes.h"

#include <math.h>

static uint64_t s_seed;

static MeshArrays s_arrays;

static void verticesAtOnePlaceAreOne( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t sort = mesh_terrain; sort < mesh_sortCount; ++sort )
    {
        uint64_t same = random;
        meshMakeArrays( (MeshSort)sort, 800, true, &random, &s_arrays );
        joMesh3* shared = meshMake( &s_arrays );
        meshMakeArrays( (MeshSort)sort, 800, false, &same, &s_arrays );
        assert_int_equal( s_arrays.vertexCount, 3 * s_arrays.triangleCount );
        joMesh3* separate = meshMake( &s_arrays );
        assert_true( joMesh3_GetVertexCount( shared ) < s_arrays.triangleCount );
        assert_int_equal( joMesh3_GetTriangleCount( shared ), s_arrays.triangleCount );
        // The same bytes: the block knows nothing of how often a vertex was given.
        assert_int_equal( joMesh3_GetSize( shared ), joMesh3_GetSize( separate ) );
        assert_memory_equal( shared, separate, joMesh3_GetSize( shared ) );
        joDestroyMesh3( shared, NULL );
        joDestroyMesh3( separate, NULL );
    }
    // Zeros of both signs are one place.
    const joVec3 zeros[5] = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f },
        { -0.0f, 0.0f, -0.0f }, { 0.0f, 0.0f, 1.0f } };
    const uint32_t indices[6] = { 0, 1, 2, 3, 2, 4 };
    joMesh3* mesh = NULL;
    assert_int_equal( joCreateMesh3( zeros, 5, indices, 2, NULL, &mesh, NULL ), jo_success );
    assert_int_equal( joMesh3_GetVertexCount( mesh ), 4 );
    joDestroyMesh3( mesh, NULL );
}

static void expectRefused( joResult expected, uint32_t expectedBad )
{
    joMesh3* mesh = (joMesh3*)&s_arrays;
    uint32_t bad = 7;
    assert_int_equal( joCreateMesh3( s_arrays.vertices, s_arrays.vertexCount, s_arrays.indices,
                          s_arrays.triangleCount, NULL, &mesh, &bad ),
        expected );
    assert_null( mesh );
    assert_int_equal( bad, expectedBad );
}

static void badArraysAreRefusedWithTheIndex( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    meshMakeArrays( mesh_terrain, 200, true, &random, &s_arrays );
    const uint32_t count = s_arrays.triangleCount;
    uint32_t* indices = s_arrays.indices;
    for ( uint32_t corner = 0; corner < 3; ++corner )
    {
        uint32_t i = randomBelow( &random, count ), was = indices[3 * i + corner];
        indices[3 * i + corner] = s_arrays.vertexCount;
        expectRefused( jo_errorBadIndex, i );
        indices[3 * i + corner] = JO_NULL_INDEX;
        expectRefused( jo_errorBadIndex, i );
        indices[3 * i + corner] = indices[3 * i + ( corner + 1 ) % 3];
        expectRefused( jo_errorFlatTriangle, i );
        indices[3 * i + corner] = was;
    }
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        uint32_t i = randomBelow( &random, s_arrays.vertexCount );
        float* at = &s_arrays.vertices[i].x + axis;
        float was = *at;
        *at = NAN;
        expectRefused( jo_errorNotANumber, i );
        *at = -2e12f;
        expectRefused( jo_errorBadShape, i );
        *at = INFINITY;
        expectRefused( jo_errorBadShape, i );
        *at = was;
    }
    s_arrays.triangleCount = 0;
    expectRefused( jo_errorBadCount, JO_NULL_INDEX );
    s_arrays.triangleCount = JO_MAX_MESH_TRIANGLES3 + 1;
    expectRefused( jo_errorBadCount, JO_NULL_INDEX );
    s_arrays.triangleCount = count;
    joMesh3* mesh = NULL;
    assert_int_equal( joCreateMesh3( NULL, 3, indices, 1, NULL, &mesh, NULL ), jo_errorNullArgument );
    assert_int_equal(
        joCreateMesh3( s_arrays.vertices, 3, NULL, 1, NULL, &mesh, NULL ), jo_errorNullArgument );
    assert_int_equal(
        joCreateMesh3( s_arrays.vertices, 0, indices, 1, NULL, &mesh, NULL ), jo_errorBadCount );
    assert_int_equal(
        joCreateMesh3( s_arrays.vertices, 3, indices, 1, NULL, NULL, NULL ), jo_errorNullArgument );
}

// A triangle is refused from a height of 1e-7 of its longest side downwards, whatever its size.
static void thinTrianglesAreRefused( void** state )
{
    (void)state;
    const uint32_t indices[3] = { 0, 1, 2 };
    const float scales[3] = { 1e-6f, 1.0f, 1e11f };
    for ( int i = 0; i < 3; ++i )
    {
        float scale = scales[i];
        joVec3 vertices[3] = {
            { 0.0f, 0.0f, 0.0f }, { scale, 0.0f, 0.0f }, { 0.4f * scale, 0.9e-7f * scale, 0.0f } };
        joMesh3* mesh = NULL;
        uint32_t bad = 7;
        assert_int_equal( joCreateMesh3( vertices, 3, indices, 1, NULL, &mesh, &bad ), jo_errorFlatTriangle );
        assert_int_equal( bad, 0 );
        vertices[2].y = 1.1e-7f * scale;
        assert_int_equal( joCreateMesh3( vertices, 3, indices, 1, NULL, &mesh, &bad ), jo_success );
        joDestroyMesh3( mesh, NULL );
    }
}

static void aBlockIsRelocatable( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t sort = 0; sort < mesh_sortCount; ++sort )
    {
        for ( uint32_t count = 20; count <= 4000; count *= 3 )
        {
            meshMakeArrays( (MeshSort)sort, count, true, &random, &s_arrays );
            joMesh3* mesh = meshMake( &s_arrays );
            size_t size = joMesh3_GetSize( mesh );
            joMesh3* moved = aligned_alloc( 64, size );
            assert_non_null( moved );
            memcpy( moved, mesh, size );
            joDestroyMesh3( mesh, NULL );
            assert_int_equal( joCheckMesh3( moved ), jo_success );
            assert_int_equal( joValidateMesh3( moved, size ), jo_success );
            assert_int_equal( joMesh3_GetTriangleCount( moved ), s_arrays.triangleCount );
            free( moved );
        }
    }
}

// All triangles at one place, and sizes that differ by twenty powers of two, come to a hierarchy.
static void oddSizesMakeMeshes( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    s_arrays.vertexCount = 3 * 3000;
    s_arrays.triangleCount = 3000;
    for ( int kind = 0; kind < 2; ++kind )
    {
        for ( uint32_t i = 0; i < s_arrays.vertexCount; ++i )
        {
            float size = kind == 0 ? 1.0f : ldexpf( 1.0f, (int)( i / 3 % 20 ) );
            s_arrays.vertices[i] = ( joVec3 ){ i % 3 == 0 ? size : 0.0f, i % 3 == 1 ? size : 0.0f, size };
            s_arrays.indices[i] = i;
        }
        joMesh3* mesh = meshMake( &s_arrays );
        assert_int_equal( joValidateMesh3( mesh, joMesh3_GetSize( mesh ) ), jo_success );
        joDestroyMesh3( mesh, NULL );
    }
    meshMakeArrays( mesh_soup, 3000, true, &random, &s_arrays );
    for ( uint32_t i = 0; i < s_arrays.vertexCount; ++i )
    {
        s_arrays.vertices[i].x *= 3e11f;
        s_arrays.vertices[i].y *= 3e11f;
        s_arrays.vertices[i].z *= 3e11f;
    }
    joMesh3* mesh = meshMake( &s_arrays );
    assert_int_equal( joValidateMesh3( mesh, joMesh3_GetSize( mesh ) ), jo_success );
    joDestroyMesh3( mesh, NULL );
}

// A spoilt block is refused, or a ray at it still ends.
static void spoiltBlocksAreRefusedOrSafe( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    meshMakeArrays( mesh_terrain, 60, true, &random, &s_arrays );
    joMesh3* mesh = meshMake( &s_arrays );
    size_t size = joMesh3_GetSize( mesh );
    unsigned char* block = aligned_alloc( 64, size );
    assert_non_null( block );
    const joTransform3 pose = joMakeIdentity3();
    const joRay ray = { { 0.3f, 5.0f, 0.4f }, { 0.01f, -1.0f, 0.02f }, INFINITY };
    uint32_t refused = 0, total = kitQuick() ? 2000 : 40000;
    for ( uint32_t i = 0; i < total; ++i )
    {
        memcpy( block, mesh, size );
        for ( uint32_t k = 0; k < 1 + i % 3; ++k )
        {
            size_t at = nextRandom( &random ) % size;
            block[at] ^= (unsigned char)( 1u << randomBelow( &random, 8 ) );
        }
        joMeshRayHit3 hit;
        if ( joValidateMesh3( block, size ) )
        {
            refused += 1;
            continue;
        }
        assert_int_equal( joCastRayAtMesh3( (const joMesh3*)(void*)block, &pose, &ray, &hit ), jo_success );
    }
    assert_true( refused > total / 2 );
    assert_int_equal( joValidateMesh3( block, size - 64 ), jo_errorBadShape );
    assert_int_equal( joValidateMesh3( block, 10 ), jo_errorBadShape );
    assert_int_equal( joValidateMesh3( NULL, size ), jo_errorNullArgument );
    memset( block, 0, size );
    assert_int_equal( joCheckMesh3( (const joMesh3*)(void*)block ), jo_errorBadShape );
    assert_int_equal( joCheckMesh3( NULL ), jo_errorNullArgument );
    free( block );
    joDestroyMesh3( mesh, NULL );
}

static void failedAllocationsLeaveNothing( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    meshMakeArrays( mesh_terrain, 100, true, &random, &s_arrays );
    for ( uint64_t k = 0;; ++k )
    {
        TestAllocator test = makeTestAllocator();
        test.failAt = k;
        joAllocator allocator = toAllocator( &test );
        joMesh3* mesh;
        joResult result = joCreateMesh3( s_arrays.vertices, s_arrays.vertexCount, s_arrays.indices,
            s_arrays.triangleCount, &allocator, &mesh, NULL );
        if ( result == jo_success )
        {
            joDestroyMesh3( mesh, &allocator );
            assertAllReturned( &test );
            assert_int_equal( k, 2 );
            return;
        }
        assert_int_equal( result, jo_errorOutOfMemory );
        assert_null( mesh );
        assertAllReturned( &test );
    }
}

static void boundsHoldTheMeshAndNoMore( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t sort = 0; sort < mesh_sortCount; ++sort )
    {
        meshMakeArrays( (MeshSort)sort, 300, true, &random, &s_arrays );
        // What no triangle uses does not count.
        s_arrays.vertices[s_arrays.vertexCount++] = ( joVec3 ){ 50.0f, 60.0f, -70.0f };
        joMesh3* mesh = meshMake( &s_arrays );
        joShape3 shape = { .kind = jo_meshShape3, .mesh = mesh };
        assert_int_equal( joCheckShape3( &shape ), jo_success );
        joTransform3 pose = { pairVectorIn( &random, 10.0f ), pairAnyRotation( &random ) };
        joTransform3 end = { pairVectorIn( &random, 10.0f ), pose.rotation };
        joTransform3 turned = { end.position, pairAnyRotation( &random ) };
        joBounds3 still = joComputeShapeBounds3( &shape, pose );
        joBounds3 swept = joComputeShapeSweptBounds3( &shape, pose, end );
        joBounds3 turning = joComputeShapeSweptBounds3( &shape, pose, turned );
        float lower[3] = { INFINITY, INFINITY, INFINITY }, upper[3] = { -INFINITY, -INFINITY, -INFINITY };
        for ( uint32_t i = 0; i + 1 < s_arrays.vertexCount; ++i )
        {
            joVec3 points[4] = { joTransformPoint3( pose, s_arrays.vertices[i] ),
                joTransformPoint3( end, s_arrays.vertices[i] ),
                joTransformPoint3( turned, s_arrays.vertices[i] ) };
            for ( int k = 0; k < 3; ++k )
            {
                float at = ( &points[0].x )[k], last = ( &points[1].x )[k], other = ( &points[2].x )[k];
                lower[k] = fminf( lower[k], at );
                upper[k] = fmaxf( upper[k], at );
                assert_true( fminf( at, last ) >= ( &swept.lower.x )[k] &&
                             fmaxf( at, last ) <= ( &swept.upper.x )[k] );
                assert_true( fminf( at, other ) >= ( &turning.lower.x )[k] );
                assert_true( fmaxf( at, other ) <= ( &turning.upper.x )[k] );
            }
        }
        for ( int k = 0; k < 3; ++k )
        {
            assert_true( ( &still.lower.x )[k] <= lower[k] &&
                         lower[k] <= nextafterf( ( &still.lower.x )[k], INFINITY ) );
            assert_true( ( &still.upper.x )[k] >= upper[k] &&
                         upper[k] >= nextafterf( ( &still.upper.x )[k], -INFINITY ) );
        }
        joDestroyMesh3( mesh, NULL );
    }
}

static ReferenceMesh referenceOf( const MeshArrays* arrays )
{
    return ( ReferenceMesh ){ &arrays->vertices[0].x, arrays->indices, arrays->triangleCount };
}

static void raysMeetWhatAPlainLoopMeets( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    const joTransform3 still = joMakeIdentity3();
    uint32_t hits = 0, total = 0;
    for ( uint32_t sort = 0; sort < mesh_sortCount; ++sort )
    {
        meshMakeArrays( (MeshSort)sort, 600, true, &random, &s_arrays );
        joMesh3* mesh = meshMake( &s_arrays );
        ReferenceMesh reference = referenceOf( &s_arrays );
        for ( int i = 0; i < ( kitQuick() ? 300 : 3000 ); ++i )
        {
            joVec3 from = pairVectorIn( &random, 3.0f ), along = pairVectorIn( &random, 1.0f );
            joRay ray = { { from.x, from.y, from.z }, { along.x, along.y, along.z }, INFINITY };
            // Every third one goes straight down.
            if ( i % 3 == 0 )
            {
                ray.direction[0] = ray.direction[2] = 0.0f;
            }
            double origin[3], direction[3], doubt, length = 0.0;
            for ( int k = 0; k < 3; ++k )
            {
                origin[k] = (double)ray.origin[k];
                direction[k] = (double)ray.direction[k];
                length += direction[k] * direction[k];
            }
            for ( int k = 0; k < 3; ++k )
            {
                direction[k] /= sqrt( length );
            }
            double expected = referenceMeshRay( &reference, origin, direction, &doubt );
            joMeshRayHit3 hit;
            assert_int_equal( joCastRayAtMesh3( mesh, &still, &ray, &hit ), jo_success );
            if ( doubt < 1e-9 )
            {
                continue;
            }
            total += 1;
            assert_int_equal( isinf( hit.distance ), isinf( expected ) );
            assert_int_equal( hit.triangle == JO_NULL_INDEX, isinf( expected ) );
            if ( isinf( expected ) )
            {
                continue;
            }
            hits += 1;
            assert_true( fabs( (double)hit.distance - expected ) <= 1e-6 * ( 1.0 + expected ) );
            ReferenceMesh one = { reference.vertices, reference.indices + 3 * hit.triangle, 1 };
            assert_true( fabs( referenceMeshRay( &one, origin, direction, &doubt ) - expected ) < 1e-9 );
            assert_true( (double)hit.normal.x * direction[0] + (double)hit.normal.y * direction[1] +
                             (double)hit.normal.z * direction[2] <
                         0.0 );
            // A ray that ends before it gets there meets nothing.
            ray.length = 0.999f * hit.distance;
            assert_int_equal( joCastRayAtMesh3( mesh, &still, &ray, &hit ), jo_success );
            assert_int_equal( hit.triangle, JO_NULL_INDEX );
        }
        joDestroyMesh3( mesh, NULL );
    }
    assert_true( hits > total / 10 );
}

// From inside a closed mesh every ray meets it, those at its vertices and along its edges included; however
// it is placed.
static void noRaySlipsThroughAnEdge( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    meshMakeArrays( mesh_ball, 1000, true, &random, &s_arrays );
    joMesh3* mesh = meshMake( &s_arrays );
    for ( int placed = 0; placed < 2; ++placed )
    {
        joTransform3 pose = joMakeIdentity3();
        if ( placed )
        {
            pose = ( joTransform3 ){ pairVectorIn( &random, 5.0f ), pairAnyRotation( &random ) };
        }
        for ( uint32_t i = 0; i < 3 * s_arrays.triangleCount; ++i )
        {
            joVec3 a = s_arrays.vertices[s_arrays.indices[i]];
            joVec3 b = s_arrays.vertices[s_arrays.indices[i / 3 * 3 + ( i + 1 ) % 3]];
            float t = i % 2 ? 0.0f : pairFloatIn( &random, 0.0f, 1.0f );
            joVec3 at = { a.x + t * ( b.x - a.x ), a.y + t * ( b.y - a.y ), a.z + t * ( b.z - a.z ) };
            joVec3 along = joRotateVec3( pose.rotation, at );
            joRay ray = {
                { pose.position.x, pose.position.y, pose.position.z }, { along.x, along.y, along.z }, 2.0f };
            joMeshRayHit3 hit;
            assert_int_equal( joCastRayAtMesh3( mesh, &pose, &ray, &hit ), jo_success );
            assert_true( hit.distance > 0.9f && hit.distance < 1.0001f );
        }
    }
    joDestroyMesh3( mesh, NULL );
}

static void badRaysAreRefused( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    meshMakeArrays( mesh_floor, 50, true, &random, &s_arrays );
    joMesh3* mesh = meshMake( &s_arrays );
    joTransform3 pose = joMakeIdentity3();
    const joRay good = { { 0.1f, 1.0f, 0.2f }, { 0.0f, -2.0f, 0.0f }, 1.0f };
    joMeshRayHit3 hit;
    assert_int_equal( joCastRayAtMesh3( mesh, &pose, &good, &hit ), jo_success );
    assert_true( hit.distance == 1.0f && hit.normal.y == 1.0f );
    joRay ray = good;
    ray.length = 0.0f;
    ray.direction[1] = 0.0f;
    assert_int_equal( joCastRayAtMesh3( mesh, &pose, &ray, &hit ), jo_success );
    assert_int_equal( hit.triangle, JO_NULL_INDEX );
    ray.length = 1.0f;
    assert_int_equal( joCastRayAtMesh3( mesh, &pose, &ray, &hit ), jo_errorBadRay );
    ray = good;
    ray.length = -1.0f;
    assert_int_equal( joCastRayAtMesh3( mesh, &pose, &ray, &hit ), jo_errorBadRay );
    ray.length = NAN;
    assert_int_equal( joCastRayAtMesh3( mesh, &pose, &ray, &hit ), jo_errorNotANumber );
    ray = good;
    ray.origin[2] = INFINITY;
    assert_int_equal( joCastRayAtMesh3( mesh, &pose, &ray, &hit ), jo_errorBadRay );
    ray.direction[2] = NAN;
    assert_int_equal( joCastRayAtMesh3( mesh, &pose, &ray, &hit ), jo_errorNotANumber );
    assert_int_equal( hit.triangle, JO_NULL_INDEX );
    assert_int_equal( joCastRayAtMesh3( mesh, &pose, NULL, &hit ), jo_errorNullArgument );
    assert_int_equal( joCastRayAtMesh3( mesh, NULL, &good, &hit ), jo_errorNullArgument );
    assert_int_equal( joCastRayAtMesh3( NULL, &pose, &good, &hit ), jo_errorNullArgument );
    assert_int_equal( joCastRayAtMesh3( mesh, &pose, &good, NULL ), jo_errorNullArgument );
    pose.rotation.w = 0.0f;
    assert_int_equal( joCastRayAtMesh3( mesh, &pose, &good, &hit ), jo_errorBadPose );
    joDestroyMesh3( mesh, NULL );
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
        TEST( "vertices at one place are one", verticesAtOnePlaceAreOne ),
        TEST( "bad arrays are refused with the index", badArraysAreRefusedWithTheIndex ),
        TEST( "thin triangles are refused", thinTrianglesAreRefused ),
        TEST( "a block is relocatable", aBlockIsRelocatable ),
        TEST( "odd sizes make meshes", oddSizesMakeMeshes ),
        TEST( "spoilt blocks are refused or safe", spoiltBlocksAreRefusedOrSafe ),
        TEST( "failed allocations leave nothing", failedAllocationsLeaveNothing ),
        TEST( "bounds hold the mesh and no more", boundsHoldTheMeshAndNoMore ),
        TEST( "rays meet what a plain loop meets", raysMeetWhatAPlainLoopMeets ),
        TEST( "no ray slips through an edge", noRaySlipsThroughAnEdge ),
        TEST( "bad rays are refused", badRaysAreRefused ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
