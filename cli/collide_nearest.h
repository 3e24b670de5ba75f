// SPDX-License-Identifier: MIT
// The nearest points of two cores, by trying every pair of features.
#pragma once

#include "collide_study.h"

// Of cores that are apart, or of which neither has an inside; else what it finds is the nearest points of
// their surfaces. In 3D surfaces meet in points, edges and faces: one of a point of one and a face of the
// other, or an edge of each, is nearest.
joNearest joFindNearest( const joCore* a, const joCore* b );
