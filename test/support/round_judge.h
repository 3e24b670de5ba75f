// SPDX-License-Identifier: MIT
// What holds for the answers to two round shapes, in 2D and 3D: judged by what pushing and moving their cores
// does. In 2D cores that cross part within the plane, so that the two are deeper in each other than in 3D.
#pragma once

#include "reference/round_reference.h"
#include "support/pair_judge.h"

typedef struct RoundPair
{
    RoundCore a, b;
    int axisCount;
} RoundPair;

// How deep the two are in each other; negative: how far they are apart.
double roundPairDepth( const RoundPair* pair );

// Whether B overlaps A, the manifold with margin 0, and that with a margin.
void roundJudgeManifold( const RoundPair* pair, bool overlaps, const WideManifold* touching,
    const WideManifold* manifold, double margin );
void roundJudgeDistance( const RoundPair* pair, const WideClosest* closest );
// Against steps: nowhere before the hit are they deeper than rounding, and there they touch. `start`: the
// manifold at the start. Returns whether they meet.
bool roundJudgeCast(
    const RoundPair* pair, const double way[3], const WideHit* hit, const WideManifold* start );

// How far a point is from the surface, and how far outside.
JudgedShape roundSurface( const RoundCore* core );
JudgedShape roundBody( const RoundCore* core );
