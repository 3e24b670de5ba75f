// SPDX-License-Identifier: MIT
// The tolerances of the narrow phase: all of them.
//
// There is no tolerance on "touches": it is depth >= 0, as computed. What keeps that honest is that nothing
// is lost before: the pose of B in the frame of A is computed in double from the two float poses, and only
// then rounded to float. Its entries are so good to their own last place, however small they are: the cross
// product of two edges, whose components are such entries, keeps its direction to 1e-7 at any angle between
// the edges, and the distance from the origin cancels before the first rounding. What is left is the rounding
// of a dozen float operations on numbers as large as the sizes of the boxes and their distance: some 3e-7 of
// their sum. So a gap of a hundredth of a millimetre between shapes of a metre is a gap. Resting shapes do
// not flicker because callers keep a speculative margin, not because the answer is blurred.
//
// Pairs of boxes, which come in great numbers, do only what must be exact in double (simd/box_axes.inl): the
// relative rotation. Boxes are placed once (placed_box.h): the rotation as a float quaternion, which for a
// box with a local pose is rounded, a turn by 6e-8; the position as two floats, good to 48 bits. The offset
// is turned into the frame of A in float: some 2e-7 of the distance.
//
// "Size" below is the sum of all half extents of both shapes; in 2D that of how far the two reach from their
// middles on one axis or the other.
#pragma once

// Two edges are parallel where the sine of their angle is below this. Their cross product is no axis then:
// the relative pose in double has an error of 2e-16, which would turn the axis by 1e-8 at this angle. Without
// the axis a depth is larger by no more than the sine times the size, since boxes with parallel edges are
// parted along faces. (Boxes that are apart past two such edges are apart along many directions; another one
// is taken.) Tested by: test_box_box, "edges at every small angle are no worse".
#define JO_PARALLEL_SINE_SQ 1e-14f

// A later axis (faces of A, faces of B, edges, in this order) is taken only where it is better by this share
// of the size: twice the rounding of a depth. It keeps the choice between axes that are equal in truth, such
// as the shared axes of aligned boxes, from changing with the last bit; and costs a push of at most this
// share farther. (A larger bias in favour of faces, as is common, pushes up to 5 % too far.) Tested by:
// test_box_box, "aligned boxes keep their axis", and the sets.
#define JO_AXIS_TIE 4e-7f

// What is outside of a face, or beyond the margin, by this share of the size while clipping is still inside.
// Keeps the vertices of a box that lies exactly on the edge of another's face, and the feature ids of its
// points, from depending on the last bit. Tested by: test_box_box, "equal boxes in a stack keep their feature
// ids", and the sets.
#define JO_CLIP_SLOP 1e-6f

// A cast in 2D ends where the shapes are apart by no more than this share of their size, and this share of
// the motion: far below what the rounding of positions to floats will make of it. Tested by: test_convex_2d,
// "casts stop before they touch".
#define JO_CAST_SLOP 1e-7
#define JO_CAST_MOTION_SLOP 1e-9

// Cores of round shapes that are nearer than this share of their lengths cross, or all but do: the way
// between them has lost its direction, and they are parted at right angles to one of them or to both. Tested
// by: test_round_2d, test_round_3d, "degenerate shapes get finite right answers".
#define JO_CROSSING_CORES 1e-6

// Two capsules lie side by side, and touch along a line rather than at a point, where the sine of the angle
// of their cores is at most this, squared (6 degrees), and they share at least this share of the sum of their
// radii along them. Only how many points there are depends on it: their depths are exact at any angle. Tested
// by: test_round_3d, "capsules side by side touch at two points".
#define JO_SIDE_BY_SIDE_SINE_SQ 0.01
#define JO_SIDE_BY_SIDE_LENGTH 0.01

// GJK ends when the distance of two cores is known to this share of the size: less than the rounding of the
// floats that tell which vertex is farthest. Tested by: test_convex, "the distance is that of the reference".
#define JO_GJK_TOLERANCE 1e-7

// Cores that are nearer than this share of the size touch: the rounding of a dozen operations in double.
// Tested by: test_convex, "touching counts".
#define JO_TOUCHING 1e-14

// EPA ends when nothing lies beyond the nearest face by more than this share of the size. Tested by:
// test_convex, "the depth is the least".
#define JO_EPA_TOLERANCE 1e-7

// Cores nearer than this share of the size have no direction between them that is good to 1e-6: their normal
// is that of the least depth, about zero. Tested by: test_convex_touch, "corners that touch
// have a normal that parts".
#define JO_NO_DIRECTION 1e-9

// A cast has arrived when the gap is less than this share of the size. Tested by: test_convex, "casts stop
// where they touch".
#define JO_CAST_TOLERANCE 2e-7

// A surface is flat at an edge or a corner where what is around it rises by no more than this share of the
// length (a hundredth of a degree): far more than the rounding of vertices makes of a flat floor. Tested by:
// test_mesh_pairs, "nothing bumps on a flat floor".
#define JO_FLAT_SURFACE 1e-4

// Triangles of a mesh that touch a shape along directions whose cosine is above this (half a degree) are one
// surface: their points make one manifold. Tested by: test_mesh_pairs, "a box on a floor has four points".
#define JO_SAME_SURFACE 0.99996

// Points of a shape on a mesh are equally deep if their depths differ by no more than this share of the
// shape's size: what the rounding of poses makes of a box that lies flat. Tested by: test_mesh_pairs, "a box
// on a floor has four points".
#define JO_LEVEL_DEPTH 1e-5
