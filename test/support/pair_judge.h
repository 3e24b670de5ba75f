// SPDX-License-Identifier: MIT
// Answers to calls on pairs in 2D and 3D, widened to one form, and what is judged alike of all of them,
// whichever slow reference knows the shapes: by what the answers say, not by how they were found.
#pragma once

#include "jostle/collide.h"

typedef struct WidePoint
{
    double position[3];
    double depth;
    uint32_t featureId;
} WidePoint;

// Of 2D the third coordinates are 0.
typedef struct WideManifold
{
    double normal[3];
    double depth;
    WidePoint points[JO_MAX_MANIFOLD_POINTS3];
    uint32_t pointCount, maxPoints;
} WideManifold;

typedef struct WideClosest
{
    double distance;
    double pointA[3], pointB[3];
    double normal[3];
} WideClosest;

typedef struct WideHit
{
    double fraction, depth;
    double normal[3], point[3];
    bool isHit;
} WideHit;

void widen2( joVec2 v, double out[3] );
void widen3( joVec3 v, double out[3] );
double wideLength( const double v[3] );
double wideDot( const double a[3], const double b[3] );
// A manifold without points has to be zero.
WideManifold wideManifold2( const joManifold2* manifold );
WideManifold wideManifold3( const joManifold3* manifold );
WideClosest wideClosest2( const joClosestPoints2* closest );
WideClosest wideClosest3( const joClosestPoints3* closest );
WideHit wideHit2( const joCastHit2* hit );
WideHit wideHit3( const joCastHit3* hit );

// A shape as its reference knows it: how far a point is from where a point of the shape may be.
typedef struct JudgedShape
{
    const void* shape;
    double ( *distance )( const void* shape, const double point[3] );
} JudgedShape;

// What the points of a manifold may be wrong by.
typedef struct PointBounds
{
    double place;   // from the shapes, half of the depth to either side
    double margin;  // farther apart than the margin
    double deeper;  // than the manifold
    double deepest; // from the depth of the manifold; infinite: any
    // A lone point of two that are apart may be a corner of one of them that lies beside the other.
    bool mayBeCorner;
} PointBounds;

// The points lie midway between one of A and one of B, are as deep as they may be, the deepest as deep as the
// manifold, and their ids differ.
void judgeManifoldPoints(
    const WideManifold* manifold, JudgedShape a, JudgedShape b, double margin, const PointBounds* bounds );

// `truth`: how far they are apart, 0 where they overlap. `place`: what the points may be wrong by.
void judgeClosestPoints(
    const WideClosest* closest, double truth, JudgedShape a, JudgedShape b, double bound, double place );

// A hit that starts touching is what collide says at the start.
void judgeHitAtStart( const WideHit* hit, const WideManifold* start );
