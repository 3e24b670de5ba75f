// SPDX-License-Identifier: MIT
// What the tests of the world share: small worlds of discs.
#pragma once

#include "support/broad_phase_kit.h"

joWorld* kitMakeWorld( int dimension );
joColliderDef2 kitDisc( float radius );
// A dynamic body at (x, 0) with a disc of radius 1. `collider` may be null.
joBodyId kitAddDisc( joWorld* world, float x, joColliderId* collider );
// Steps by 0.02 s.
void kitStepWorld( joWorld* world );
// Returns the size; for worlds whose shapes point to nothing.
uint64_t kitSaveWorld( joWorld* world, unsigned char* bytes, uint64_t capacity );
joTransform2 kitPoseOf( const joWorld* world, joBodyId body );

// An assert hook for tests of misuse, which must not stop a debug build.
bool kitGoOn( const char* condition, const char* file, int line );
