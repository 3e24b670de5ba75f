// SPDX-License-Identifier: MIT
// A rig for the query tests of single structures: random queries about a scene, asked of a broad phase and of
// brute force.
#pragma once

#include "query_kit.h"

// Fails, naming `what` and the query, unless both answer alike in some form of the query.
void queryCompare( const joBroadPhase* brute, const joBroadPhase* broadPhase, int dimension,
    const kitQuery* query, kitForm form, uint64_t room, const char* what );

// Objects of the scene's shapes, and `queryCount` random queries: the broad phase of `def` must answer as
// brute force does; at first with its structure not built, then updated, then after finding the pairs of
// other shapes, and updated again.
void queryCheckScene( const joBroadPhaseDef* def, const refSceneDef* scene, uint32_t queryCount,
    refRandom* random, const char* what );
