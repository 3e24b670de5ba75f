// SPDX-License-Identifier: MIT
#include "reference/slide_reference.h"

#include <math.h>
#include <stdbool.h>

double referenceWallDistance( const ReferenceWall* wall, const double point[2], double normal[2] )
{
    double nearest = INFINITY, highest = -INFINITY, out[2] = { 0.0, 0.0 };
    for ( uint32_t i = 0; i < wall->count; ++i )
    {
        const double* a = wall->points[i];
        const double* b = wall->points[( i + 1 ) % wall->count];
        const double edge[2] = { b[0] - a[0], b[1] - a[1] }, to[2] = { point[0] - a[0], point[1] - a[1] };
        const double length = sqrt( edge[0] * edge[0] + edge[1] * edge[1] );
        const double height = ( edge[1] * to[0] - edge[0] * to[1] ) / length;
        if ( height > highest )
        {
            highest = height;
            out[0] = edge[1] / length;
            out[1] = -edge[0] / length;
        }
        double along = ( edge[0] * to[0] + edge[1] * to[1] ) / ( length * length );
        along = along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along;
        const double off[2] = { to[0] - along * edge[0], to[1] - along * edge[1] };
        const double distance = sqrt( off[0] * off[0] + off[1] * off[1] );
        if ( distance < nearest )
        {
            nearest = distance;
            normal[0] = off[0] / distance;
            normal[1] = off[1] / distance;
        }
    }
    if ( highest > 0.0 )
    {
        return nearest;
    }
    normal[0] = out[0];
    normal[1] = out[1];
    return highest;
}

// Out of what it is too near to; what goes into it is lost. False: it is not.
static bool pushOut( const ReferenceWall* wall, double reach, double position[2], double left[2] )
{
    double normal[2];
    const double distance = referenceWallDistance( wall, position, normal );
    if ( distance >= reach )
    {
        return false;
    }
    const double into = left[0] * normal[0] + left[1] * normal[1];
    for ( int axis = 0; axis < 2; ++axis )
    {
        position[axis] += ( reach - distance ) * normal[axis];
        left[axis] -= into < 0.0 ? into * normal[axis] : 0.0;
    }
    return true;
}

void referenceSlide( const ReferenceWall* walls, uint32_t count, double reach, const double motion[2],
    uint32_t steps, double position[2] )
{
    double left[2] = { motion[0], motion[1] };
    for ( uint32_t step = 0; step < steps; ++step )
    {
        position[0] += left[0] / steps;
        position[1] += left[1] / steps;
        // What one pushes it into pushes it back.
        bool isPushed = true;
        for ( uint32_t round = 0; round < 4 && isPushed; ++round )
        {
            isPushed = false;
            for ( uint32_t i = 0; i < count; ++i )
            {
                isPushed = pushOut( &walls[i], reach, position, left ) || isPushed;
            }
        }
    }
}

double referenceBoxDistance( const ReferenceBox* box, const double point[3], double normal[3] )
{
    double off[3] = { 0.0, 0.0, 0.0 }, highest = -INFINITY;
    for ( int i = 0; i < 3; ++i )
    {
        double along = 0.0;
        for ( int axis = 0; axis < 3; ++axis )
        {
            along += ( point[axis] - box->center[axis] ) * box->axes[i][axis];
        }
        const double side = along < 0.0 ? -1.0 : 1.0, height = fabs( along ) - box->half[i];
        for ( int axis = 0; axis < 3; ++axis )
        {
            off[axis] += height > 0.0 ? side * height * box->axes[i][axis] : 0.0;
            normal[axis] = height > highest ? side * box->axes[i][axis] : normal[axis];
        }
        highest = height > highest ? height : highest;
    }
    const double distance = sqrt( off[0] * off[0] + off[1] * off[1] + off[2] * off[2] );
    for ( int axis = 0; axis < 3 && highest > 0.0; ++axis )
    {
        normal[axis] = off[axis] / distance;
    }
    return highest > 0.0 ? distance : highest;
}

static bool pushOutOfBox( const ReferenceBox* box, double reach, double position[3], double left[3] )
{
    double normal[3] = { 0.0, 0.0, 0.0 };
    const double distance = referenceBoxDistance( box, position, normal );
    if ( distance >= reach )
    {
        return false;
    }
    const double into = left[0] * normal[0] + left[1] * normal[1] + left[2] * normal[2];
    for ( int axis = 0; axis < 3; ++axis )
    {
        position[axis] += ( reach - distance ) * normal[axis];
        left[axis] -= into < 0.0 ? into * normal[axis] : 0.0;
    }
    return true;
}

void referenceSlide3( const ReferenceBox* boxes, uint32_t count, double reach, const double motion[3],
    uint32_t steps, double position[3] )
{
    double left[3] = { motion[0], motion[1], motion[2] };
    for ( uint32_t step = 0; step < steps; ++step )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            position[axis] += left[axis] / steps;
        }
        bool isPushed = true;
        for ( uint32_t round = 0; round < 4 && isPushed; ++round )
        {
            isPushed = false;
            for ( uint32_t i = 0; i < count; ++i )
            {
                isPushed = pushOutOfBox( &boxes[i], reach, position, left ) || isPushed;
            }
        }
    }
}
