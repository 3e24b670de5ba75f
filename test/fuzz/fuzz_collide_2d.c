// SPDX-License-Identifier: MIT
// Any two shapes in 2D, in any poses, through every call on pairs.
#include "fuzz_answers.h"
#include "fuzz_bytes.h"

#include "jostle/collide_2d.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

typedef struct Scene
{
    joShape2 shapes[2];
    joPolygon2 polygons[2];
    joTransform2 poses[2];
    joVec2 motion;
    float margin;
} Scene;

// A box, a hull of points, or, seldom, any numbers as a polygon, which its check has to refuse.
static void takePolygon( FuzzBytes* bytes, joPolygon2* polygon )
{
    const uint8_t form = takeByte( bytes );
    const joVec2 half = { takeSize( bytes ), takeSize( bytes ) };
    *polygon = joMakeBox2( half.x, half.y );
    if ( form % 4 != 0 )
    {
        joVec2 points[JO_MAX_POLYGON_VERTICES + 4];
        const uint32_t count = form / 4 % ( JO_MAX_POLYGON_VERTICES + 5 );
        for ( uint32_t i = 0; i < count; ++i )
        {
            points[i] = takeVec2( bytes );
        }
        uint32_t badIndex;
        joMakePolygon2( points, count, 0.0f, polygon, &badIndex );
    }
    polygon->radius = takeSize( bytes );
    if ( form == 255 )
    {
        const uint32_t vertex = takeByte( bytes ) % JO_MAX_POLYGON_VERTICES;
        polygon->vertices[vertex] = takeVec2( bytes );
        polygon->normals[vertex] = takeVec2( bytes );
        polygon->count = takeByte( bytes );
    }
}

static joShape2 takeShape( FuzzBytes* bytes, joPolygon2* polygon )
{
    joShape2 shape;
    memset( &shape, 0, sizeof( shape ) );
    const uint8_t kind = takeByte( bytes );
    shape.kind = (joShapeKind2)( kind % ( jo_shapeKindCount2 + ( kind > 250 ) ) );
    switch ( shape.kind )
    {
        case jo_circleShape2:
            shape.circle.center = takeVec2( bytes );
            shape.circle.radius = takeSize( bytes );
            break;
        case jo_capsuleShape2:
            shape.capsule.a = takeVec2( bytes );
            shape.capsule.b = takeVec2( bytes );
            shape.capsule.radius = takeSize( bytes );
            break;
        case jo_segmentShape2:
            shape.segment.a = takeVec2( bytes );
            shape.segment.b = takeVec2( bytes );
            break;
        case jo_polygonShape2:
            takePolygon( bytes, polygon );
            shape.polygon = polygon;
            break;
        case jo_shapeKindCount2:
            break;
    }
    return shape;
}

// Shapes point into the scene.
static void takeScene( FuzzBytes* bytes, Scene* scene )
{
    for ( int i = 0; i < 2; ++i )
    {
        scene->shapes[i] = takeShape( bytes, &scene->polygons[i] );
        scene->poses[i] = takeTransform2( bytes );
    }
    scene->motion = takeVec2( bytes );
    scene->margin = takeSize( bytes );
}

static void widen( joVec2 v, double wide[3] )
{
    wide[0] = (double)v.x;
    wide[1] = (double)v.y;
    wide[2] = 0.0;
}

static FuzzManifold widenManifold( joResult result, const joManifold2* manifold )
{
    FuzzManifold wide = { .result = result,
        .status = manifold->status,
        .depth = (double)manifold->depth,
        .pointCount = manifold->pointCount };
    widen( manifold->normal, wide.normal );
    for ( uint32_t i = 0; i < manifold->pointCount && i < JO_MAX_MANIFOLD_POINTS2; ++i )
    {
        widen( manifold->points[i].position, wide.positions[i] );
        wide.depths[i] = (double)manifold->points[i].depth;
        wide.featureIds[i] = manifold->points[i].featureId;
    }
    return wide;
}

// The calls in one order; B moves. Whatever stands in the cache must not change a bit.
static FuzzAnswers ask( const Scene* scene, int a, joVec2 motion, joCollideCache* cache )
{
    const int b = 1 - a;
    const joShape2 *shapeA = &scene->shapes[a], *shapeB = &scene->shapes[b];
    const joTransform2 *poseA = &scene->poses[a], *poseB = &scene->poses[b];
    FuzzAnswers answers;
    memset( &answers, 0, sizeof( answers ) );
    bool overlaps = true;
    answers.overlapResult = joOverlap2( shapeA, poseA, shapeB, poseB, cache, &overlaps );
    answers.overlaps = overlaps;
    joManifold2 manifold;
    joResult result = joCollide2( shapeA, poseA, shapeB, poseB, 0.0f, cache, &manifold );
    answers.touching = widenManifold( result, &manifold );
    result = joCollide2( shapeA, poseA, shapeB, poseB, scene->margin, cache, &manifold );
    answers.near = widenManifold( result, &manifold );
    joClosestPoints2 closest;
    answers.closest.result = joDistance2( shapeA, poseA, shapeB, poseB, cache, &closest );
    answers.closest.status = closest.status;
    answers.closest.distance = (double)closest.distance;
    widen( closest.pointA, answers.closest.pointA );
    widen( closest.pointB, answers.closest.pointB );
    widen( closest.normal, answers.closest.normal );
    joCastHit2 hit;
    answers.hit.result = joCast2( shapeA, poseA, shapeB, poseB, motion, cache, &hit );
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
        result = result ? result : joCheckShape2( &scene->shapes[order[i]] );
        result = result ? result : joCheckTransform2( &scene->poses[order[i]] );
    }
    return result;
}

static FuzzCase describe( const Scene* scene )
{
    FuzzCase fuzzCase = { .maxPoints = JO_MAX_MANIFOLD_POINTS2,
        .isBadMargin = !( scene->margin >= 0.0f && scene->margin <= JO_MAX_SIZE ),
        .margin = (double)scene->margin };
    double motion[3], lower[2][3], upper[2][3];
    widen( scene->motion, motion );
    fuzzCase.isBadMotion = !isfinite( motion[0] ) || !isfinite( motion[1] );
    fuzzCase.motionLength = hypot( motion[0], motion[1] );
    fuzzCase.expected = checkInput( scene, 0 );
    for ( int i = 0; i < 2 && !fuzzCase.expected; ++i )
    {
        const joBounds2 bounds = joComputeShapeBounds2( &scene->shapes[i], scene->poses[i] );
        widen( bounds.lower, lower[i] );
        widen( bounds.upper, upper[i] );
        require( bounds.lower.x <= bounds.upper.x && bounds.lower.y <= bounds.upper.y,
            "bounds are not inside out" );
    }
    fuzzCase.tolerance = fuzzCase.expected ? 0.0 : toleranceOfBounds( lower, upper, 2 );
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

static void printShape( const joShape2* shape )
{
    static const char* const kinds[] = { "circle", "capsule", "polygon", "segment", "none" };
    fprintf( stderr, "\"kind\": \"%s\", ", kinds[shape->kind] );
    switch ( shape->kind )
    {
        case jo_circleShape2:
            printNumbers( "center", &shape->circle.center.x, 2 );
            fprintf( stderr, ", \"radius\": %.9g", (double)shape->circle.radius );
            break;
        case jo_capsuleShape2:
            printPoints( &shape->capsule.a.x, 2, 2 );
            fprintf( stderr, ", \"radius\": %.9g", (double)shape->capsule.radius );
            break;
        case jo_segmentShape2:
            printPoints( &shape->segment.a.x, 2, 2 );
            break;
        case jo_polygonShape2:
        {
            const uint32_t count = shape->polygon->count;
            const uint32_t room = JO_MAX_POLYGON_VERTICES;
            printPoints( &shape->polygon->vertices[0].x, 2, (int)( count < room ? count : room ) );
            fprintf( stderr, ", \"radius\": %.9g", (double)shape->polygon->radius );
            break;
        }
        case jo_shapeKindCount2:
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
        printShape( &scene->shapes[i] );
        fputs( ",\n    \"pose\": { ", stderr );
        printNumbers( "position", &scene->poses[i].position.x, 2 );
        fputs( ", ", stderr );
        printNumbers( "rotation", &scene->poses[i].rotation.c, 2 );
        fputs( " } },\n", stderr );
    }
    fputs( "  ", stderr );
    printNumbers( "motion", &scene->motion.x, 2 );
    fprintf( stderr, ", \"margin\": %.9g, \"dimension\": 2 }\n", (double)scene->margin );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    watchAsserts();
    FuzzBytes bytes = { data, size, 0 };
    Scene scene;
    takeScene( &bytes, &scene );
    setCasePrinter( printScene, &scene );
    const FuzzCase fuzzCase = describe( &scene );
    const joVec2 back = { -scene.motion.x, -scene.motion.y };
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
    return 0;
}
