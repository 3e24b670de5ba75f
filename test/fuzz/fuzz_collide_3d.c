// SPDX-License-Identifier: MIT
// Any two shapes in 3D, in any poses, through every call on pairs.
#include "fuzz_pair.h"
#include "fuzz_shapes_3d.h"

#include "jostle/collide_3d.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

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

static FuzzClosest widenClosest( joResult result, const joClosestPoints3* closest )
{
    FuzzClosest wide = { .result = result, .status = closest->status, .distance = (double)closest->distance };
    widen( closest->pointA, wide.pointA );
    widen( closest->pointB, wide.pointB );
    widen( closest->normal, wide.normal );
    return wide;
}

static FuzzHit widenHit( joResult result, const joCastHit3* hit )
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
    const FuzzShape3 *shapes = pair, *first = &shapes[index], *other = &shapes[1 - index];
    const joShape3 *a = &first->shape, *b = &other->shape;
    const joTransform3 *poseA = &first->pose, *poseB = &other->pose;
    FuzzAnswers answers;
    memset( &answers, 0, sizeof( answers ) );
    bool overlaps = true;
    answers.overlapResult = joOverlap3( a, poseA, b, poseB, cache, &overlaps );
    answers.overlaps = overlaps;
    joManifold3 manifold;
    joResult result = joCollide3( a, poseA, b, poseB, 0.0f, cache, &manifold );
    answers.touching = widenManifold( result, &manifold );
    result = joCollide3( a, poseA, b, poseB, margin, cache, &manifold );
    answers.near = widenManifold( result, &manifold );
    joClosestPoints3 closest;
    result = joDistance3( a, poseA, b, poseB, cache, &closest );
    answers.closest = widenClosest( result, &closest );
    joCastHit3 hit;
    result = joCast3( a, poseA, b, poseB, motion, cache, &hit );
    answers.hit = widenHit( result, &hit );
    return answers;
}

static joResult check( const void* pair, int index )
{
    const FuzzShape3* shape = (const FuzzShape3*)pair + index;
    const joResult result = joCheckShape3( &shape->shape );
    return result ? result : joCheckTransform3( &shape->pose );
}

static void bound( const void* pair, int index, double lower[3], double upper[3] )
{
    const FuzzShape3* shape = (const FuzzShape3*)pair + index;
    const joBounds3 bounds = joComputeShapeBounds3( &shape->shape, shape->pose );
    widen( bounds.lower, lower );
    widen( bounds.upper, upper );
    if ( shape->shape.kind == jo_halfSpaceShape3 )
    {
        // Its bounds do not say where its plane is.
        widen( shape->pose.position, lower );
        widen( shape->pose.position, upper );
        upper[0] += fabs( (double)shape->shape.halfSpace.offset );
    }
}

static void print( const void* pair, int index )
{
    printShape3( (const FuzzShape3*)pair + index );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    static const FuzzDimension dimension = { 3, JO_MAX_MANIFOLD_POINTS3, check, bound, ask, print };
    watchAsserts();
    FuzzBytes bytes = { data, size, 0 };
    FuzzShape3 pair[2];
    takeShape3( &bytes, &pair[0] );
    takeShape3( &bytes, &pair[1] );
    fuzzPair( &dimension, pair, &bytes );
    dropShape3( &pair[0] );
    dropShape3( &pair[1] );
    return 0;
}
