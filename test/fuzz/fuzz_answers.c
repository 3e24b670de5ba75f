// SPDX-License-Identifier: MIT
#include "fuzz_answers.h"

#include "fuzz_bytes.h"

#include <float.h>
#include <math.h>

static bool isFiniteVector( const double v[3] )
{
    return isfinite( v[0] ) && isfinite( v[1] ) && isfinite( v[2] );
}

static double length( const double v[3] )
{
    return sqrt( v[0] * v[0] + v[1] * v[1] + v[2] * v[2] );
}

static bool isUnit( const double v[3] )
{
    return fabs( length( v ) - 1.0 ) < 1e-5;
}

static bool isZero( const double v[3] )
{
    return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0;
}

static bool isStatus( joCollideStatus status )
{
    return status == jo_collideComplete || status == jo_collideIterationLimit;
}

// Of what is expected of the input, or that there is no answer for the pair.
static void checkResult( joResult result, joResult expected, const char* what )
{
    require( result == expected || ( expected == jo_success && result == jo_errorNoSuchPair ), what );
}

static void checkManifold( const FuzzCase* fuzzCase, const FuzzManifold* manifold, double margin )
{
    require( isStatus( manifold->status ), "the status of a manifold is one" );
    require( manifold->pointCount <= fuzzCase->maxPoints, "a manifold has no more points than it may" );
    if ( manifold->pointCount == 0 )
    {
        require( isZero( manifold->normal ) && manifold->depth == 0.0, "an empty manifold is zero" );
        return;
    }
    require( isUnit( manifold->normal ), "a normal is a unit vector" );
    require( isfinite( manifold->depth ), "a depth is finite" );
    require( manifold->depth >= -margin - fuzzCase->tolerance, "what touches is within the margin" );
    double deepest = -INFINITY;
    for ( uint64_t i = 0; i < manifold->pointCount; ++i )
    {
        require( isFiniteVector( manifold->positions[i] ), "a point is finite" );
        require( isfinite( manifold->depths[i] ), "the depth of a point is finite" );
        require( manifold->depths[i] >= -margin - fuzzCase->tolerance, "a point is within the margin" );
        require( manifold->featureIds[i] != 0, "a feature id is not 0" );
        for ( uint64_t k = 0; k < i; ++k )
        {
            require( manifold->featureIds[i] != manifold->featureIds[k], "feature ids differ" );
        }
        deepest = fmax( deepest, manifold->depths[i] );
    }
    // Apart, boxes may be nearest past each other's corners, where no point can be.
    require(
        deepest <= manifold->depth + 10.0 * fuzzCase->tolerance, "no point is deeper than the manifold" );
    require( manifold->depth < 0.0 || deepest >= manifold->depth - 10.0 * fuzzCase->tolerance,
        "the deepest point is there" );
}

static void checkClosest( const FuzzCase* fuzzCase, const FuzzClosest* closest )
{
    require( isStatus( closest->status ), "the status of closest points is one" );
    require( closest->distance >= 0.0, "a distance is not negative" );
    // A distance of floats can be more than a float.
    require( isfinite( closest->distance ) || fuzzCase->tolerance > 1e25, "a distance is finite" );
    require(
        isFiniteVector( closest->pointA ) && isFiniteVector( closest->pointB ), "closest points are finite" );
    require( closest->distance == 0.0 || isUnit( closest->normal ), "closest points have a normal" );
    require( isZero( closest->normal ) || isUnit( closest->normal ), "a normal is a unit vector or zero" );
    double between[3], size = 0.0;
    for ( int i = 0; i < 3; ++i )
    {
        between[i] = closest->pointB[i] - closest->pointA[i];
        size = fmax( size, fmax( fabs( closest->pointA[i] ), fabs( closest->pointB[i] ) ) );
    }
    require( !( fabs( length( between ) - closest->distance ) >
                 10.0 * fuzzCase->tolerance + 4.0 * (double)FLT_EPSILON * size ) ||
                 fuzzCase->tolerance > 1e25,
        "closest points are as far apart as is said" );
}

static void checkHit( const FuzzHit* hit )
{
    require( isStatus( hit->status ), "the status of a cast is one" );
    require( hit->fraction >= 0.0 && hit->fraction <= 1.0, "a fraction is one" );
    if ( hit->isHit )
    {
        require( isUnit( hit->normal ), "a hit has a normal" );
        require( isFiniteVector( hit->point ), "a hit has a point" );
        require( isfinite( hit->depth ) && hit->depth >= 0.0, "the depth of a hit is finite, not negative" );
        require( hit->depth == 0.0 || hit->fraction == 0.0, "a hit has a depth only at the start" );
    }
    else
    {
        require( hit->fraction == 1.0, "what does not meet goes all the way" );
        require( isZero( hit->normal ) && isZero( hit->point ) && hit->depth == 0.0, "no hit is zero" );
    }
}

// That calls agree where both have an answer.
static void compareCalls( const FuzzCase* fuzzCase, const FuzzAnswers* answers )
{
    const bool hasCollide = answers->touching.result == jo_success;
    const double depth = answers->touching.depth;
    if ( hasCollide && answers->overlapResult == jo_success )
    {
        require( answers->overlaps || depth <= fuzzCase->tolerance, "what has points overlaps" );
        require( !answers->overlaps || answers->touching.pointCount > 0 ||
                     answers->near.result != jo_success || answers->near.pointCount == 0 ||
                     answers->near.depth <= fuzzCase->tolerance,
            "what overlaps has points" );
    }
    if ( hasCollide && answers->closest.result == jo_success )
    {
        require( answers->closest.distance <= fuzzCase->tolerance || answers->touching.pointCount == 0 ||
                     depth <= fuzzCase->tolerance,
            "what is apart has no points" );
        require( answers->closest.distance > 0.0 || answers->touching.pointCount > 0 ||
                     answers->near.result != jo_success || answers->near.pointCount == 0 ||
                     answers->near.depth >= -fuzzCase->tolerance,
            "what is not apart has points" );
    }
    if ( hasCollide && answers->hit.result == jo_success && answers->touching.pointCount > 0 )
    {
        require( answers->hit.isHit && answers->hit.fraction == 0.0, "what touches meets at once" );
    }
    if ( answers->closest.result == jo_success && answers->hit.result == jo_success )
    {
        require( !answers->hit.isHit || answers->hit.fraction * fuzzCase->motionLength >=
                                            answers->closest.distance - 10.0 * fuzzCase->tolerance -
                                                1e-6 * fuzzCase->motionLength,
            "nothing meets before it can have come so far" );
    }
}

void checkAnswers( const FuzzCase* fuzzCase, const FuzzAnswers* answers )
{
    const joResult expected = fuzzCase->expected;
    checkResult( answers->overlapResult, expected, "the result of overlap" );
    checkResult( answers->touching.result, expected, "the result of collide" );
    checkResult( answers->closest.result, expected, "the result of distance" );
    require( answers->near.result == answers->touching.result || fuzzCase->isBadMargin, "a good margin" );
    require( answers->hit.result != jo_success || !fuzzCase->isBadMotion, "a bad motion is refused" );
    require( answers->overlapResult == jo_success || !answers->overlaps, "no overlap after an error" );
    checkManifold( fuzzCase, &answers->touching, 0.0 );
    checkHit( &answers->hit );
    if ( answers->near.result == jo_success )
    {
        require( !fuzzCase->isBadMargin, "a bad margin is refused" );
        checkManifold( fuzzCase, &answers->near, fuzzCase->margin );
    }
    if ( answers->closest.result == jo_success )
    {
        checkClosest( fuzzCase, &answers->closest );
    }
    else
    {
        require( isinf( answers->closest.distance ), "no distance after an error" );
    }
    if ( fuzzCase->tolerance < (double)JO_MAX_SIZE )
    {
        compareCalls( fuzzCase, answers );
    }
}

void checkSwapped( const FuzzCase* fuzzCase, const FuzzAnswers* answers, const FuzzAnswers* swapped )
{
    const double tolerance = fuzzCase->tolerance;
    if ( fuzzCase->expected )
    {
        return;
    }
    require( answers->overlapResult == swapped->overlapResult &&
                 answers->touching.result == swapped->touching.result &&
                 answers->closest.result == swapped->closest.result &&
                 answers->hit.result == swapped->hit.result,
        "the same results when swapped" );
    if ( !( tolerance < (double)JO_MAX_SIZE ) )
    {
        return;
    }
    const double depth = answers->touching.depth, swappedDepth = swapped->touching.depth;
    require( fabs( depth - swappedDepth ) <= 2.0 * tolerance, "the same depth when swapped" );
    require( fabs( depth ) <= tolerance || answers->overlaps == swapped->overlaps ||
                 answers->overlapResult != jo_success,
        "the same overlap when swapped" );
    if ( answers->closest.result == jo_success )
    {
        require( fabs( answers->closest.distance - swapped->closest.distance ) <= 2.0 * tolerance,
            "the same distance when swapped" );
    }
}

double toleranceOfBounds( const double ( *lower )[3], const double ( *upper )[3], int axisCount )
{
    double size = 0.0, farthest = 0.0;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        double low = INFINITY, high = -INFINITY;
        for ( int i = 0; i < 2; ++i )
        {
            const double ends[2] = { lower[i][axis], upper[i][axis] };
            for ( int k = 0; k < 2; ++k )
            {
                if ( isfinite( ends[k] ) )
                {
                    low = fmin( low, ends[k] );
                    high = fmax( high, ends[k] );
                    farthest = fmax( farthest, fabs( ends[k] ) );
                }
            }
        }
        size += high > low ? high - low : 0.0;
    }
    // Poses are composed in double, of floats. Of lengths below 1e-18 the squares are no floats.
    return 1e-5 * size + 1e-13 * farthest + 1e-18;
}
