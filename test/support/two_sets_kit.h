// SPDX-License-Identifier: MIT
// What the tests of two sets share.
#pragma once

#include "broad_phase_kit.h"
#include "jostle/two_sets.h"
#include "reference/reference_two_sets.h"

// The default def, with the kit's checking allocator.
joTwoSetsDef twoSetsDef( int dimension, joJobs* jobs );
joTwoSets* twoSetsCreate( const joTwoSetsDef* def );

// Fails the test, naming the first pair that differs.
void twoSetsRequire( const joPair* found, uint64_t foundCount, const refPairs* expected, const char* what );

// Finds both ways round and counts, and compares with the oracle.
void twoSetsCheck( joTwoSets* twoSets, const kitScene* a, const kitScene* b, const char* what );

// As kitAddFrom, but without layers and masks, which all must have at their default.
void twoSetsAddPlain( kitScene* scene, uint32_t first );

// Fills a square field (a cube in 3D), from an offset, with discs (balls) of about this radius; every seventh
// is a box, every 200th is large.
void twoSetsFill( kitScene* scene, uint32_t count, double side, double offset, double radius, uint64_t seed );

// Of two scenes that were begun, ends one that is not the first; kitEnd ends the first, and sees what memory
// is left of all.
void twoSetsEndFirst( kitScene* scene );
