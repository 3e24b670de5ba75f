// SPDX-License-Identifier: MIT
// What a sliding circle must do, written down plainly: in double, in very many small steps, each of which
// moves it out of what it has come too near to.
#pragma once

#include <stdint.h>

// A convex polygon, counter-clockwise, in the world.
typedef struct ReferenceWall
{
    double points[16][2];
    uint32_t count;
} ReferenceWall;

// Distance of a point from a polygon, and the unit normal from it to the point; within it negative.
double referenceWallDistance( const ReferenceWall* wall, const double point[2], double normal[2] );

// Moves the circle by `motion`, and along what it meets, in so many steps; what goes into something is lost.
void referenceSlide( const ReferenceWall* walls, uint32_t count, double reach, const double motion[2],
    uint32_t steps, double position[2] );

// The same for a sphere among boxes in 3D.
typedef struct ReferenceBox
{
    double center[3], axes[3][3], half[3]; // axes: unit, in the world
} ReferenceBox;

double referenceBoxDistance( const ReferenceBox* box, const double point[3], double normal[3] );
void referenceSlide3( const ReferenceBox* boxes, uint32_t count, double reach, const double motion[3],
    uint32_t steps, double position[3] );
