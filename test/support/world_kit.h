// SPDX-License-Identifier: MIT
// What the tests of the world share: small worlds of discs.
#pragma once

#include "support/broad_phase_kit.h"

joWorld* kitMakeWorld( int dimension );
joColliderDef2 kitDisc( float radius );
// A dynamic body at (x, 0) with a disc of radius 1. `collider` may be null.
joBodyId kitAddDisc( joWorld* world, float x, joColliderId* collider );
joTransform2 kitPoseOf( const joWorld* world, joBodyId body );

// An assert hook for tests of misuse, which must not stop a debug build.
bool kitGoOn( const char* condition, const char* file, int line );
