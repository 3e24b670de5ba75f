// SPDX-License-Identifier: MIT
// Contact of two convex shapes in 2D.
#pragma once

#include "narrow_phase/dispatch_2d.h"

// False: they are farther apart than the margin, and the manifold is left as it is.
bool joCollideConvex2(
    const joPlacedPair2* pair, float margin, joCollideCache* cache, joManifold2* manifold );
