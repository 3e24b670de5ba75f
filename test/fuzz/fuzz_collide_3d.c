// SPDX-License-Identifier: MIT
// Any two shapes in 3D, in any poses, through every call on pairs.
#include "fuzz_answers.h"
#include "fuzz_bytes.h"

#include "jostle/collide_3d.h"
#include "jostle/hull_3d.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

#define MAX_HULL_POINTS 24

typedef struct Scene
{
    joShape3 shapes[2];
    joHull3* hulls[2];
    joVec3 hullPoints[2][MAX_HULL_POINTS];
    int hullPointCounts[2];
    joTransform3 poses[2];
    joVec3 motion;
    float margin;
} Scene;

// A sphere where the points make no hull.
static void takeHull( FuzzBytes* bytes, Scene* scene, int index, joShape3* shape )
{
    joVec3* points = scene->hullPoints[index];
    const int count = 4 + takeByte( bytes ) % ( MAX_HULL_POINTS - 3 );
    for ( int i = 0; i < count; ++i )
    {
        points[i] = takeVec3( bytes );
    }
    scene->hullPointCounts[index] = count;
    if ( joCreateHull3( points, (uint32_t)count, NULL, &scene->hulls[index], NULL ) )
    {
        shape->kind = jo_sphereShape3;
        shape->sphere.center = points[0];
        shape->sphere.radius = 1.0f;
    }
    else
    {
        shape->hull = scene->hulls[index];
    }
}

static joShape3 takeShape( FuzzBytes* bytes, Scene* scene, int index )
{
    joShape3 shape;
    memset( &shape, 0, sizeof( shape ) );
    const uint8_t kind = takeByte( bytes );
    shape.kind = (joShapeKind3)( kind % ( jo_shapeKindCount3 + ( kind > 250 ) ) );
    switch ( shape.kind )
    {
        case jo_sphereShape3:
            shape.sphere.center = takeVec3( bytes );
            shape.sphere.radius = takeSize( bytes );
            break;
        case jo_capsuleShape3:
            shape.capsule.a = takeVec3( bytes );
            shape.capsule.b = takeVec3( bytes );
            shape.capsule.radius = takeSize( bytes );
            break;
        case jo_boxShape3:
            shape.box.halfExtents.x = takeSize( bytes );
            shape.box.halfExtents.y = takeSize( bytes );
            shape.box.halfExtents.z = takeSize( bytes );
            shape.box.localPose = takeTransform3( bytes );
            break;
        case jo_halfSpaceShape3:
            shape.halfSpace.normal = takeVec3( bytes );
            shape.halfSpace.offset = takeNumber( bytes );
            break;
        case jo_hullShape3:
            takeHull( bytes, scene, index, &shape );
            break;
        case jo_meshShape3:
        case jo_shapeKindCount3:
            break;
    }
    return shape;
}

static void takeScene( FuzzBytes* bytes, Scene* scene )
{
    for ( int i = 0; i < 2; ++i )
    {
        scene->hulls[i] = NULL;
        scene->shapes[i] = takeShape( bytes, scene, i );
        scene->poses[i] = takeTransform3( bytes );
    }
    scene->motion = takeVec3( bytes );
    scene->margin = takeSize( bytes );
}

static void widen( joVec3 v, double wide[3] )
{
    wide[0] = (double)v.x;
    wide[1] = (double)v.y;
    wide[2] = (double)v.z;
}

static FuzzManifold widenManifold( joResult result, const joManifold3* manifold )
{
    FuzzManifold wide = { .result = result,
        .status = manifold->status,
        .depth = (double)manifold->depth,
        .pointCount = manifold->pointCount };
    widen( manifold->normal, wide.normal );
    for ( uint32_t i = 0; i < manifold->pointCount && i < JO_MAX_MANIFOLD_POINTS3; ++i )
    {
        widen( manifold->points[i].position, wide.positions[i] );
        wide.depths[i] = (double)manifold->points[i].depth;
        wide.featureIds[i] = manifold->points[i].featureId;
    }
    return wide;
}

// The calls in one order; B moves. Whatever stands in the cache must not change a bit.
static FuzzAnswers ask( const Scene* scene, int a, joVec3 motion, joCollideCache* cache )
{
    const int b = 1 - a;
    const joShape3 *shapeA = &scene->shapes[a], *shapeB = &scene->shapes[b];
    const joTransform3 *poseA = &scene->poses[a], *poseB = &scene->poses[b];
    FuzzAnswers answers;
    memset( &answers, 0, sizeof( answers ) );
    bool overlaps = true;
    answers.overlapResult = joOverlap3( shapeA, poseA, shapeB, poseB, cache, &overlaps );
    answers.overlaps = overlaps;
    joManifold3 manifold;
    joResult result = joCollide3( shapeA, poseA, shapeB, poseB, 0.0f, cache, &manifold );
    answers.touching = widenManifold( result, &manifold );
    result = joCollide3( shapeA, poseA, shapeB, poseB, scene->margin, cache, &manifold );
    answers.near = widenManifold( result, &manifold );
    joClosestPoints3 closest;
    answers.closest.result = joDistance3( shapeA, poseA, shapeB, poseB, cache, &closest );
    answers.closest.status = closest.status;
    answers.closest.distance = (double)closest.distance;
    widen( closest.pointA, answers.closest.pointA );
    widen( closest.pointB, answers.closest.pointB );
    widen( closest.normal, answers.closest.normal );
    joCastHit3 hit;
    answers.hit.result = joCast3( shapeA, poseA, shapeB, poseB, motion, cache, &hit );
    answers.hit.status = hit.status;
    answers.hit.fraction = (double)hit.fraction;
    answers.hit.depth = (double)hit.depth;
    answers.hit.isHit = hit.isHit;
    widen( hit.normal, answers.hit.normal );
    widen( hit.point, answers.hit.point );
    return answers;
}

// What is checked first, A or B, is what is reported.
static joResult checkInput( const Scene* scene, int a )
{
    const int order[2] = { a, 1 - a };
    joResult result = jo_success;
    for ( int i = 0; i < 2; ++i )
    {
        result = result ? result : joCheckShape3( &scene->shapes[order[i]] );
        result = result ? result : joCheckTransform3( &scene->poses[order[i]] );
    }
    return result;
}

static FuzzCase describe( const Scene* scene )
{
    FuzzCase fuzzCase = { .maxPoints = JO_MAX_MANIFOLD_POINTS3,
        .isBadMargin = !( scene->margin >= 0.0f && scene->margin <= JO_MAX_SIZE ),
        .margin = (double)scene->margin };
    double motion[3], lower[2][3], upper[2][3];
    widen( scene->motion, motion );
    fuzzCase.isBadMotion = !isfinite( motion[0] ) || !isfinite( motion[1] ) || !isfinite( motion[2] );
    fuzzCase.motionLength = hypot( hypot( motion[0], motion[1] ), motion[2] );
    fuzzCase.expected = checkInput( scene, 0 );
    for ( int i = 0; i < 2 && !fuzzCase.expected; ++i )
    {
        const joBounds3 bounds = joComputeShapeBounds3( &scene->shapes[i], scene->poses[i] );
        widen( bounds.lower, lower[i] );
        widen( bounds.upper, upper[i] );
        require( bounds.lower.x <= bounds.upper.x && bounds.lower.y <= bounds.upper.y &&
                     bounds.lower.z <= bounds.upper.z,
            "bounds are not inside out" );
        const joShape3* shape = &scene->shapes[i];
        if ( shape->kind == jo_halfSpaceShape3 )
        {
            // Its bounds do not say where its plane is.
            widen( scene->poses[i].position, lower[i] );
            upper[i][0] = lower[i][0] + fabs( (double)shape->halfSpace.offset );
            upper[i][1] = lower[i][1];
            upper[i][2] = lower[i][2];
        }
    }
    fuzzCase.tolerance = fuzzCase.expected ? 0.0 : toleranceOfBounds( lower, upper, 3 );
    return fuzzCase;
}

static void fillCache( FuzzBytes* bytes, joCollideCache* cache )
{
    for ( int i = 0; i < 4; ++i )
    {
        // Small numbers are what caches hold; and a few of any sort.
        cache->data[i] = takeByte( bytes );
        cache->data[i] = cache->data[i] > 200 ? cache->data[i] * 0x01010101u : cache->data[i] % 64;
    }
}

static void printShape( const Scene* scene, int index )
{
    const joShape3* shape = &scene->shapes[index];
    static const char* const kinds[] = { "sphere", "capsule", "box", "hull", "half-space", "none" };
    fprintf( stderr, "\"kind\": \"%s\", ", kinds[shape->kind] );
    switch ( shape->kind )
    {
        case jo_sphereShape3:
            printNumbers( "center", &shape->sphere.center.x, 3 );
            fprintf( stderr, ", \"radius\": %.9g", (double)shape->sphere.radius );
            break;
        case jo_capsuleShape3:
            printPoints( &shape->capsule.a.x, 3, 2 );
            fprintf( stderr, ", \"radius\": %.9g", (double)shape->capsule.radius );
            break;
        case jo_boxShape3:
            printNumbers( "halfExtents", &shape->box.halfExtents.x, 3 );
            fputs( ", \"localPose\": { ", stderr );
            printNumbers( "position", &shape->box.localPose.position.x, 3 );
            fputs( ", ", stderr );
            printNumbers( "rotation", &shape->box.localPose.rotation.x, 4 );
            fputs( " }", stderr );
            break;
        case jo_halfSpaceShape3:
            printNumbers( "normal", &shape->halfSpace.normal.x, 3 );
            fprintf( stderr, ", \"offset\": %.9g", (double)shape->halfSpace.offset );
            break;
        case jo_hullShape3:
            printPoints( &scene->hullPoints[index][0].x, 3, scene->hullPointCounts[index] );
            break;
        case jo_meshShape3:
        case jo_shapeKindCount3:
            break;
    }
}

// As a file for `jostle collide`.
static void printScene( const void* fuzzCase )
{
    const Scene* scene = fuzzCase;
    for ( int i = 0; i < 2; ++i )
    {
        fprintf( stderr, "%s\"%s\": { ", i == 0 ? "{ " : "  ", i == 0 ? "a" : "b" );
        printShape( scene, i );
        fputs( ",\n    \"pose\": { ", stderr );
        printNumbers( "position", &scene->poses[i].position.x, 3 );
        fputs( ", ", stderr );
        printNumbers( "rotation", &scene->poses[i].rotation.x, 4 );
        fputs( " } },\n", stderr );
    }
    fputs( "  ", stderr );
    printNumbers( "motion", &scene->motion.x, 3 );
    fprintf( stderr, ", \"margin\": %.9g, \"dimension\": 3 }\n", (double)scene->margin );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    watchAsserts();
    FuzzBytes bytes = { data, size, 0 };
    Scene scene;
    takeScene( &bytes, &scene );
    setCasePrinter( printScene, &scene );
    const FuzzCase fuzzCase = describe( &scene );
    const joVec3 back = { -scene.motion.x, -scene.motion.y, -scene.motion.z };
    joCollideCache cache;
    fillCache( &bytes, &cache );
    const FuzzAnswers answers = ask( &scene, 0, scene.motion, NULL );
    const FuzzAnswers cached = ask( &scene, 0, scene.motion, &cache );
    const FuzzAnswers swapped = ask( &scene, 1, back, NULL );
    checkAnswers( &fuzzCase, &answers );
    checkSwapped( &fuzzCase, &answers, &swapped );
    FuzzCase swappedCase = fuzzCase;
    swappedCase.expected = checkInput( &scene, 1 );
    checkAnswers( &swappedCase, &swapped );
    require( memcmp( &answers, &cached, sizeof( answers ) ) == 0, "a cache changes nothing" );
    joDestroyHull3( scene.hulls[0], NULL );
    joDestroyHull3( scene.hulls[1], NULL );
    return 0;
}
