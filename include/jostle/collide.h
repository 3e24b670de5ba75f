// SPDX-License-Identifier: MIT
// jostle collide: whether, where and how deep two shapes touch, how far apart they are, and when one that
// moves meets the other. This header includes those of 2D and 3D.
//
// The same for all:
// - shapes are closed: what touches overlaps, with depth 0;
// - a relative pose is computed in double. So the answer is as good far from the origin as near it, but for
//   the positions of points, which are floats in world space. The normal is good to 1e-6, depths and
//   distances to 1e-6 of the sizes of the shapes and their distance; see src/narrow_phase/tolerance.h;
// - swapping A and B turns the normal round, and changes all else by no more than rounding, where one
//   direction is better than all others. Where several are equally good the first in a fixed order is taken:
//   faces of A, faces of B, edges. So give the pairs of a list in one order, the lower key first;
// - degenerate shapes (no size on some axes, or on all), parallel edges and equal centres give finite
//   answers;
// - a bad shape or pose is refused, and the answer is that nothing touches;
// - not every pair of kinds has every call: docs/collide.md has the table. Where it has none the call returns
//   jo_errorNoSuchPair;
// - calls keep no state, allocate nothing, are thread-safe and give the same bits everywhere. Those on round
//   shapes and boxes cost O(1), those on polygons and hulls grow with their vertices.
#pragma once

#include "collide_2d.h"
#include "collide_3d.h"
