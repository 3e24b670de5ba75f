// SPDX-License-Identifier: MIT
// Outlines of convex shapes on a page.
#pragma once

#include <cairo.h>
#include <stdint.h>

// The outline of points on the page, by monotone chains (Andrew, "Another Efficient Algorithm for Convex
// Hulls in Two Dimensions", 1979). Returns how many points it has, in order; `outline` has room for two more
// than twice as many as there are. Sorts the points.
uint32_t joFindOutline( double ( *points )[2], uint32_t count, double ( *outline )[2] );

// Around the outline at a distance: an arc at each corner, joined by straight lines.
void joTraceRounded( cairo_t* cairo, double ( *outline )[2], uint32_t count, double radius );
