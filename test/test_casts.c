// SPDX-License-Identifier: MIT
// Casts of boxes, hulls and meshes in 3D, pair of kinds by pair of kinds, against a reference that goes along
// the motion in fine steps: never through, never in by more than the tolerance, and where they meet they
// touch. Some start in each other, some touching. JOSTLE_SOAK in the environment: 100,000 casts a pair.
#include "test_support.h"

#include "jostle/hull_3d.h"
#include "jostle/mesh_3d.h"
#include "reference/mesh_reference.h"
#include "support/box_pair_sets.h"
#include "support/broad_phase_kit.h"
#include "support/hull_sets.h"

#include <math.h>
#include <stdlib.h>

// With sizes of about one and coordinates of a few: what a hit may be off, and how deep a shape may be at any
// time before.
#define TOLERANCE 1e-5
// A step is never smaller than this share of the motion, nor larger than the distance says.
#define LEAST_STEP ( 1.0 / 512.0 )
#define POOL 40
// Ground of so many cells on a side, each two triangles.
#define CELLS 3
#define TRIANGLES ( 2 * CELLS * CELLS )

static uint64_t s_seed;
static joHull3* s_hulls[POOL];
static joMesh3* s_mesh;
static joVec3 s_corners[( CELLS + 1 ) * ( CELLS + 1 )];
static uint32_t s_indices[3 * TRIANGLES];

typedef struct Cast
{
    joShape3 a, b;
    joTransform3 poseA, poseB;
    joVec3 motion;
    double length; // of the motion
    double at;     // the share of the motion where the reference of B is
} Cast;

// A is one shape, or the triangles of the mesh.
static ReferenceHull s_partsA[TRIANGLES], s_refB;
static uint32_t s_partCount;

static joShape3 anyShape( joShapeKind3 kind, uint64_t* random )
{
    joShape3 shape = { .kind = kind };
    switch ( kind )
    {
        case jo_sphereShape3:
            shape.sphere = ( joSphere3 ){ pairVectorIn( random, 0.3f ), pairFloatIn( random, 0.0f, 0.6f ) };
            break;
        case jo_capsuleShape3:
            shape.capsule = ( joCapsule3 ){ pairVectorIn( random, 0.6f ), pairVectorIn( random, 0.6f ),
                pairFloatIn( random, 0.0f, 0.4f ) };
            break;
        case jo_boxShape3:
            shape.box = joMakeBox3( pairFloatIn( random, 0.1f, 1.0f ), pairFloatIn( random, 0.3f, 1.0f ),
                pairFloatIn( random, 0.3f, 1.0f ) );
            break;
        case jo_hullShape3:
            shape.hull = s_hulls[randomBelow( random, POOL )];
            break;
        default:
            shape.mesh = s_mesh;
            break;
    }
    return shape;
}

static void moveTo( Cast* cast, double at )
{
    const double step = at - cast->at;
    const double by[3] = {
        step * (double)cast->motion.x, step * (double)cast->motion.y, step * (double)cast->motion.z };
    hullReferenceMove( &s_refB, by );
    cast->at = at;
}

typedef struct Gap
{
    double separation; // negative: in each other
    double normal[3];  // from A to B
} Gap;

static Gap findGap( void )
{
    Gap gap = { .separation = INFINITY };
    for ( uint32_t i = 0; i < s_partCount; ++i )
    {
        const ReferenceHull* part = s_partsA + i;
        const ReferenceDistance distance = hullReferenceDistance( part, &s_refB );
        const double radii = part->radius + s_refB.radius;
        Gap own = { distance.upper - radii, { distance.normal[0], distance.normal[1], distance.normal[2] } };
        if ( distance.upper < 1e-7 )
        {
            const ReferenceDepth depth = hullReferenceDepth( part, &s_refB );
            own = ( Gap ){ -depth.depth - radii, { depth.normal[0], depth.normal[1], depth.normal[2] } };
        }
        gap = own.separation < gap.separation ? own : gap;
    }
    return gap;
}

// Both sides and the edges of a triangle, for its depth.
static void addFaces( ReferenceHull* triangle )
{
    double u[3], v[3], n[3];
    for ( int k = 0; k < 3; ++k )
    {
        u[k] = triangle->vertices[1][k] - triangle->vertices[0][k];
        v[k] = triangle->vertices[2][k] - triangle->vertices[0][k];
    }
    n[0] = u[1] * v[2] - u[2] * v[1];
    n[1] = u[2] * v[0] - u[0] * v[2];
    n[2] = u[0] * v[1] - u[1] * v[0];
    const double length = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
    triangle->faceCount = 2;
    triangle->edgeCount = 3;
    memset( triangle->sides, 0, sizeof( triangle->sides[0] ) * 3 );
    for ( uint32_t i = 0; i < 3; ++i )
    {
        triangle->normals[0][i] = n[i] / length;
        triangle->normals[1][i] = -n[i] / length;
        triangle->edges[i][0] = i;
        triangle->edges[i][1] = ( i + 1 ) % 3;
    }
}

static void makeReferences( Cast* cast )
{
    hullReferenceMake( &s_refB, &cast->b, &cast->poseB );
    cast->at = 0.0;
    s_partCount = 1;
    if ( cast->a.kind != jo_meshShape3 )
    {
        hullReferenceMake( s_partsA, &cast->a, &cast->poseA );
        return;
    }
    const ReferenceMesh mesh = { &s_corners[0].x, s_indices, TRIANGLES };
    for ( s_partCount = 0; s_partCount < TRIANGLES; ++s_partCount )
    {
        referenceMeshTriangle( &mesh, &cast->poseA, s_partCount, s_partsA + s_partCount );
        addFaces( s_partsA + s_partCount );
    }
}

// Every eighth starts in A, every eighth at a distance of about nothing; most fly towards it, some fast.
static Cast anyCast( joShapeKind3 kindA, joShapeKind3 kindB, uint32_t i, uint64_t* random )
{
    Cast cast = { .a = anyShape( kindA, random ), .b = anyShape( kindB, random ) };
    cast.poseA = ( joTransform3 ){ pairVectorIn( random, 1.0f ), pairAnyRotation( random ) };
    const joVec3 away = pairVectorIn( random, i % 8 == 0 ? 0.3f : 3.0f );
    cast.poseB.rotation = pairAnyRotation( random );
    cast.poseB.position = ( joVec3 ){
        cast.poseA.position.x + away.x, cast.poseA.position.y + away.y, cast.poseA.position.z + away.z };
    makeReferences( &cast );
    if ( i % 8 == 1 )
    {
        const Gap gap = findGap();
        const double move = gap.separation - pow( 10.0, -(double)pairFloatIn( random, 3.0f, 9.0f ) );
        cast.poseB.position.x -= (float)( move * gap.normal[0] );
        cast.poseB.position.y -= (float)( move * gap.normal[1] );
        cast.poseB.position.z -= (float)( move * gap.normal[2] );
        makeReferences( &cast );
    }
    cast.motion = pairVectorIn( random, i % 5 == 0 ? 20.0f : 3.0f );
    if ( i % 3 != 0 )
    {
        // Back to where A is, more or less, and beyond.
        const float far = pairFloatIn( random, 0.5f, i % 5 == 0 ? 9.0f : 2.0f );
        const joVec3 aside = pairVectorIn( random, 1.0f );
        cast.motion =
            ( joVec3 ){ far * ( aside.x - away.x ), far * ( aside.y - away.y ), far * ( aside.z - away.z ) };
    }
    const double x = (double)cast.motion.x, y = (double)cast.motion.y, z = (double)cast.motion.z;
    cast.length = sqrt( x * x + y * y + z * z );
    return cast;
}

// Goes on from where they are apart until `end` of the motion: as far as they must be free, and in fine steps
// where they are near.
static void judgeWay( Cast* cast, Gap gap, double end )
{
    double at = 0.0;
    while ( at < end )
    {
        at = fmin( at + fmax( gap.separation / cast->length, LEAST_STEP ), end );
        moveTo( cast, at );
        gap = findGap();
        // A float fraction of a long motion is as coarse as this.
        if ( gap.separation < -TOLERANCE - 1.2e-7 * cast->length )
        {
            fail_msg( "%g deep at %.9g of the motion, of which %.9g is free", -gap.separation, at, end );
        }
    }
}

typedef struct Tally
{
    uint32_t hits, misses, starts;
    double worst; // how far off they touch when they meet
} Tally;

static void judgeStart( const Cast* cast, const joCastHit3* hit, Tally* tally )
{
    joManifold3 manifold;
    assert_int_equal(
        joCollide3( &cast->a, &cast->poseA, &cast->b, &cast->poseB, 0.0f, NULL, &manifold ), jo_success );
    assert_true( hit->isHit && hit->fraction == 0.0f && manifold.pointCount > 0 );
    // A depth that rounding makes less than none is none.
    assert_true( hit->depth == fmaxf( manifold.depth, 0.0f ) && hit->normal.x == manifold.normal.x &&
                 hit->normal.y == manifold.normal.y && hit->normal.z == manifold.normal.z );
    tally->starts += 1;
}

static void judgeCast( Cast* cast, Tally* tally )
{
    joCastHit3 hit;
    memset( &hit, 0xCD, sizeof( hit ) );
    assert_int_equal(
        joCast3( &cast->a, &cast->poseA, &cast->b, &cast->poseB, cast->motion, NULL, &hit ), jo_success );
    assert_int_equal( hit.status, jo_collideComplete );
    const Gap start = findGap();
    if ( start.separation < TOLERANCE )
    {
        // In each other; or so near that both answers are right, if it is that of contact.
        bool overlaps;
        assert_int_equal(
            joOverlap3( &cast->a, &cast->poseA, &cast->b, &cast->poseB, NULL, &overlaps ), jo_success );
        assert_true( overlaps || start.separation > -TOLERANCE );
        if ( overlaps )
        {
            judgeStart( cast, &hit, tally );
            return;
        }
    }
    judgeWay( cast, start, hit.isHit ? (double)hit.fraction : 1.0 );
    if ( !hit.isHit )
    {
        tally->misses += 1;
        assert_true( hit.fraction == 1.0f && hit.depth == 0.0f && hit.normal.x == 0.0f );
        return;
    }
    tally->hits += 1;
    const double off = fabs( findGap().separation ), bound = TOLERANCE + 1.2e-7 * cast->length;
    tally->worst = off > tally->worst ? off : tally->worst;
    if ( !( off <= bound ) )
    {
        fail_msg( "they meet %g off", off );
    }
    const double x = (double)hit.normal.x, y = (double)hit.normal.y, z = (double)hit.normal.z;
    assert_true( fabs( x * x + y * y + z * z - 1.0 ) < 1e-6 );
    assert_true( x * (double)cast->motion.x + y * (double)cast->motion.y + z * (double)cast->motion.z <=
                 1e-5 * cast->length );
}

static void castsOfTheKindsAreRight( joShapeKind3 kindA, joShapeKind3 kindB, uint32_t full )
{
    uint64_t random = s_seed + (uint64_t)kindA * 16 + (uint64_t)kindB;
    const uint32_t count = getenv( "JOSTLE_SOAK" ) != NULL ? 100000 : kitQuick() ? full / 8 : full;
    Tally tally = { 0 };
    for ( uint32_t i = 0; i < count; ++i )
    {
        Cast cast = anyCast( kindA, kindB, i, &random );
        judgeCast( &cast, &tally );
    }
    print_message(
        "kinds %d and %d: %u casts, %u hits, %u misses, %u start in each other; they meet %.2g off\n",
        (int)kindA, (int)kindB, count, tally.hits, tally.misses, tally.starts, tally.worst );
    assert_true( tally.hits > count / 10 && tally.misses > count / 10 && tally.starts > count / 50 );
}

static void castsAtBoxesAreRight( void** state )
{
    (void)state;
    castsOfTheKindsAreRight( jo_sphereShape3, jo_boxShape3, 800 );
    castsOfTheKindsAreRight( jo_capsuleShape3, jo_boxShape3, 800 );
    castsOfTheKindsAreRight( jo_boxShape3, jo_boxShape3, 800 );
}

static void castsAtHullsAreRight( void** state )
{
    (void)state;
    castsOfTheKindsAreRight( jo_sphereShape3, jo_hullShape3, 800 );
    castsOfTheKindsAreRight( jo_capsuleShape3, jo_hullShape3, 800 );
    castsOfTheKindsAreRight( jo_boxShape3, jo_hullShape3, 800 );
    castsOfTheKindsAreRight( jo_hullShape3, jo_hullShape3, 800 );
}

static void castsAtMeshesAreRight( void** state )
{
    (void)state;
    castsOfTheKindsAreRight( jo_meshShape3, jo_sphereShape3, 200 );
    castsOfTheKindsAreRight( jo_meshShape3, jo_capsuleShape3, 200 );
    castsOfTheKindsAreRight( jo_meshShape3, jo_boxShape3, 200 );
    castsOfTheKindsAreRight( jo_meshShape3, jo_hullShape3, 200 );
}

// At the corners and edges of the ground, which belong to several triangles that are met at once: some of
// them look away from what comes.
static void aMeshIsMetAgainstTheMotion( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    uint32_t hits = 0;
    for ( uint32_t i = 0; i < ( kitQuick() ? 1000u : 8000u ); ++i )
    {
        const joShape3 mesh = anyShape( jo_meshShape3, &random );
        const joShape3 ball = { .kind = jo_sphereShape3, .sphere = { .radius = i % 2 ? 0.1f : 0.0f } };
        const joTransform3 pose = { pairVectorIn( &random, 1.0f ), pairAnyRotation( &random ) };
        const uint32_t* corners = s_indices + 3 * randomBelow( &random, TRIANGLES );
        const joVec3 a = s_corners[corners[0]], b = s_corners[corners[1]];
        const float share = i % 3 ? 0.0f : 0.5f;
        const joVec3 target =
            joTransformPoint3( pose, ( joVec3 ){ a.x + share * ( b.x - a.x ), a.y + share * ( b.y - a.y ),
                                         a.z + share * ( b.z - a.z ) } );
        const joVec3 away = pairVectorIn( &random, 2.0f );
        const joTransform3 start = {
            { target.x + away.x, target.y + away.y, target.z + away.z }, { 0.0f, 0.0f, 0.0f, 1.0f } };
        const joVec3 motion = { -2.0f * away.x, -2.0f * away.y, -2.0f * away.z };
        joCastHit3 hit;
        assert_int_equal( joCast3( &mesh, &pose, &ball, &start, motion, NULL, &hit ), jo_success );
        const float along = hit.normal.x * motion.x + hit.normal.y * motion.y + hit.normal.z * motion.z;
        assert_true( hit.fraction == 0.0f || along <= 1e-5f );
        hits += hit.isHit;
    }
    assert_true( hits > 500 );
}

static void makeGround( uint64_t* random )
{
    const uint32_t row = CELLS + 1;
    uint32_t next = 0;
    for ( uint32_t i = 0; i < row * row; ++i )
    {
        s_corners[i] = ( joVec3 ){ (float)( i % row ) - 0.5f * CELLS, (float)( i / row ) - 0.5f * CELLS,
            pairFloatIn( random, -0.4f, 0.4f ) };
    }
    for ( uint32_t cell = 0; cell < CELLS * CELLS; ++cell )
    {
        const uint32_t at = cell / CELLS * row + cell % CELLS;
        const uint32_t corners[6] = { at, at + 1, at + row, at + row, at + 1, at + row + 1 };
        memcpy( s_indices + next, corners, sizeof( corners ) );
        next += 6;
    }
}

static int makeShapes( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( uint32_t i = 0; i < POOL; ++i )
    {
        s_hulls[i] = hullMake(
            (HullSort)( i % hull_sortCount ), 4 + randomBelow( &random, i % 4 ? 20 : 100 ), &random );
    }
    makeGround( &random );
    assert_int_equal(
        joCreateMesh3( s_corners, ( CELLS + 1 ) * ( CELLS + 1 ), s_indices, TRIANGLES, NULL, &s_mesh, NULL ),
        jo_success );
    return 0;
}

static int freeShapes( void** state )
{
    (void)state;
    for ( uint32_t i = 0; i < POOL; ++i )
    {
        joDestroyHull3( s_hulls[i], NULL );
    }
    joDestroyMesh3( s_mesh, NULL );
    return 0;
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "casts at boxes are right", castsAtBoxesAreRight ),
        TEST( "casts at hulls are right", castsAtHullsAreRight ),
        TEST( "casts at meshes are right", castsAtMeshesAreRight ),
        TEST( "a mesh is met against the motion", aMeshIsMetAgainstTheMotion ),
    };
    return cmocka_run_group_tests( tests, makeShapes, freeShapes );
}
