// SPDX-License-Identifier: MIT
// What the library answers to a scene, 2D and 3D in one form; and whether the study agrees.
#pragma once

#include "collide_study.h"

typedef struct joAnswerPoint
{
    double position[3]; // in world space
    double depth;
    uint32_t featureId;
} joAnswerPoint;

typedef struct joAnswers
{
    joResult overlapResult, collideResult, distanceResult, castResult;
    bool overlaps;
    // joCollide with the margin.
    double normal[3];
    double depth;
    joAnswerPoint points[JO_MAX_MANIFOLD_POINTS3];
    uint32_t pointCount;
    joCollideStatus collideStatus;
    // joDistance
    double distance;
    double pointA[3], pointB[3], distanceNormal[3];
    joCollideStatus distanceStatus;
    // joCast, if there is a motion.
    bool isHit;
    double fraction;
    double hitNormal[3], hitPoint[3], hitDepth;
    joCollideStatus castStatus;
} joAnswers;

void joFindAnswers( const joCollideScene* scene, joAnswers* answers );

#define JO_MAX_COMPLAINTS 8

// Where the answers and the study say different things; none is 0.
typedef struct joComplaints
{
    char texts[JO_MAX_COMPLAINTS][160];
    int count;
    double tolerance; // what a length may be wrong by
} joComplaints;

void joCompareAnswers( const joStudy* study, const joAnswers* answers, joComplaints* complaints );
