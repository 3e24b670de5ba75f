// SPDX-License-Identifier: MIT
// The tables of the structures.
#pragma once

#include "structure.h"

extern const joStructureKind joBruteForceKind;
extern const joStructureKind joSweepKind;
extern const joStructureKind joGridKind;
extern const joStructureKind joTreeKind;
extern const joStructureKind joBvhKind;
