// SPDX-License-Identifier: MIT
// Convex shapes in 2D placed in the world, ready for kernels. Vertices and normals are turned in double and
// rounded once; what is far from the origin of the world, or of its own body, loses nothing by it, since
// vertices are about the middle of the shape, and that is kept to 48 bits.
#include "narrow_phase/placed_polygon.h"

#include "math/rotation.h"
#include "narrow_phase/convex_2d.h"
#include "narrow_phase/tolerance.h"

#include <stddef.h>
#include <string.h>

const joPolygonTolerance joFlatTolerance = { JO_AXIS_TIE, JO_CLIP_SLOP };

static void placeVertex( const joPolygon2* polygon, const joPose2* pose, uint32_t i, float out[4] )
{
    double x = (double)polygon->vertices[i].x - (double)polygon->center.x;
    double y = (double)polygon->vertices[i].y - (double)polygon->center.y;
    double normalX = (double)polygon->normals[i].x, normalY = (double)polygon->normals[i].y;
    out[0] = (float)( pose->c * x - pose->s * y );
    out[1] = (float)( pose->s * x + pose->c * y );
    out[2] = (float)( pose->c * normalX - pose->s * normalY );
    out[3] = (float)( pose->s * normalX + pose->c * normalY );
}

static void copyVertex( const float from[4], float to[4] )
{
    for ( int k = 0; k < 4; ++k )
    {
        to[k] = from[k];
    }
}

// What is not there repeats the first vertex.
static void fillUp( joPlacedPolygon* placed, uint32_t vertexRoom )
{
    for ( uint32_t i = placed->count; i <= vertexRoom; ++i )
    {
        copyVertex( placed->vertices[0], placed->vertices[i] );
    }
}

void joPlacePolygon(
    const joShape2* shape, const joTransform2* body, uint32_t vertexRoom, joPlacedPolygon* placed )
{
    joPolygon2 own;
    const joPolygon2* polygon = joToPolygon2( shape, &own );
    joPose2 pose = joPlaceCenter2( polygon, body );
    for ( int axis = 0; axis < 2; ++axis )
    {
        placed->position[axis] = (float)pose.position[axis];
        placed->positionRest[axis] = (float)( pose.position[axis] - (double)placed->position[axis] );
    }
    placed->radius = polygon->radius;
    placed->size = polygon->extent + polygon->radius;
    placed->count = polygon->count;
    placed->padding = 0;
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        placeVertex( polygon, &pose, i, placed->vertices[i] );
    }
    if ( polygon->count == 1 )
    {
        placed->vertices[0][2] = 1.0f;
        placed->vertices[0][3] = 0.0f;
    }
    copyVertex( placed->vertices[polygon->count - 1], placed->last );
    fillUp( placed, vertexRoom );
}

void joWidenPlacedPolygon( const joPlacedPolygon* from, uint32_t vertexRoom, joPlacedPolygon* placed )
{
    memcpy( placed, from, offsetof( joPlacedPolygon, vertices ) + from->count * sizeof( from->vertices[0] ) );
    fillUp( placed, vertexRoom );
}
