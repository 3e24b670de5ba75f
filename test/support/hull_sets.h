// SPDX-License-Identifier: MIT
// Random hulls in 3D for the tests of the narrow phase, of a size of about one.
#pragma once

#include "jostle/hull_3d.h"

typedef enum HullSort
{
    hull_ball,  // points on a sphere: each a vertex
    hull_egg,   // the same, stretched by up to 10 along the axes and turned
    hull_prism, // two polygons
    hull_cone,  // a polygon and a point
    hull_cloud, // points in a cube: few become vertices
    hull_sortCount
} HullSort;

// `count` points; all become vertices but for clouds, and for prisms of an odd count.
void hullMakePoints( HullSort sort, uint32_t count, uint64_t* random, joVec3* points );

// A hull of about `count` vertices, 4 to 255. To be freed with joDestroyHull3( hull, NULL ).
joHull3* hullMake( HullSort sort, uint32_t count, uint64_t* random );

// 4 to 255, as many small ones as large ones in the logarithm.
uint32_t hullAnyCount( uint64_t* random );
