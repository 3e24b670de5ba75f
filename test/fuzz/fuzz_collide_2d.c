// SPDX-License-Identifier: MIT
// Any two shapes in 2D, in any poses, through every call on pairs.
#include "fuzz_pair.h"
#include "fuzz_shapes_2d.h"

#include "jostle/collide_2d.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

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

static FuzzClosest widenClosest( joResult result, const joClosestPoints2* closest )
{
    FuzzClosest wide = { .result = result, .status = closest->status, .distance = (double)closest->distance };
    widen( closest->pointA, wide.pointA );
    widen( closest->pointB, wide.pointB );
    widen( closest->normal, wide.normal );
    return wide;
}

static FuzzHit widenHit( joResult result, const joCastHit2* hit )
{
    FuzzHit wide = { .result = result,
        .status = hit->status,
        .fraction = (double)hit->fraction,
        .depth = (double)hit->depth,
        .isHit = hit->isHit };
    widen( hit->normal, wide.normal );
    widen( hit->point, wide.point );
    return wide;
}

static FuzzAnswers ask( const void* pair, int index, joVec3 motion, float margin, joCollideCache* cache )
{
    const FuzzShape2 *shapes = pair, *first = &shapes[index], *other = &shapes[1 - index];
    const joShape2 *a = &first->shape, *b = &other->shape;
    const joTransform2 *poseA = &first->pose, *poseB = &other->pose;
    FuzzAnswers answers;
    memset( &answers, 0, sizeof( answers ) );
    bool overlaps = true;
    answers.overlapResult = joOverlap2( a, poseA, b, poseB, cache, &overlaps );
    answers.overlaps = overlaps;
    joManifold2 manifold;
    joResult result = joCollide2( a, poseA, b, poseB, 0.0f, cache, &manifold );
    answers.touching = widenManifold( result, &manifold );
    result = joCollide2( a, poseA, b, poseB, margin, cache, &manifold );
    answers.near = widenManifold( result, &manifold );
    joClosestPoints2 closest;
    result = joDistance2( a, poseA, b, poseB, cache, &closest );
    answers.closest = widenClosest( result, &closest );
    joCastHit2 hit;
    result = joCast2( a, poseA, b, poseB, ( joVec2 ){ motion.x, motion.y }, cache, &hit );
    answers.hit = widenHit( result, &hit );
    return answers;
}

static joResult check( const void* pair, int index )
{
    const FuzzShape2* shape = (const FuzzShape2*)pair + index;
    const joResult result = joCheckShape2( &shape->shape );
    return result ? result : joCheckTransform2( &shape->pose );
}

static void bound( const void* pair, int index, double lower[3], double upper[3] )
{
    const FuzzShape2* shape = (const FuzzShape2*)pair + index;
    const joBounds2 bounds = joComputeShapeBounds2( &shape->shape, shape->pose );
    widen( bounds.lower, lower );
    widen( bounds.upper, upper );
}

static void print( const void* pair, int index )
{
    printShape2( (const FuzzShape2*)pair + index );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    static const FuzzDimension dimension = { 2, JO_MAX_MANIFOLD_POINTS2, check, bound, ask, print };
    watchAsserts();
    FuzzBytes bytes = { data, size, 0 };
    FuzzShape2 pair[2];
    takeShape2( &bytes, &pair[0] );
    takeShape2( &bytes, &pair[1] );
    fuzzPair( &dimension, pair, &bytes );
    return 0;
}
