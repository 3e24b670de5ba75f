// SPDX-License-Identifier: MIT
// Convex shapes in 2D as polygons, and pairs of them in one frame. What is far from the origin of the world,
// or of its own body, loses nothing by it: all is relative to the middles of the two, and the way between
// these is computed in double.
#include "narrow_phase/convex_2d.h"

#include <math.h>

static void makeSegment( joVec2 a, joVec2 b, float radius, joPolygon2* made )
{
    double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y, length = sqrt( x * x + y * y );
    *made = ( joPolygon2 ){ .vertices = { a, b }, .count = length > 0.0 ? 2 : 1, .radius = radius };
    made->center = ( joVec2 ){ 0.5f * ( a.x + b.x ), 0.5f * ( a.y + b.y ) };
    made->extent = (float)( 0.5 * ( fabs( x ) > fabs( y ) ? fabs( x ) : fabs( y ) ) );
    if ( made->count == 2 )
    {
        made->normals[0] = ( joVec2 ){ (float)( y / length ), (float)( -x / length ) };
        made->normals[1] = ( joVec2 ){ -made->normals[0].x, -made->normals[0].y };
    }
}

const joPolygon2* joToPolygon2( const joShape2* shape, joPolygon2* own )
{
    switch ( shape->kind )
    {
        case jo_circleShape2:
            makeSegment( shape->circle.center, shape->circle.center, shape->circle.radius, own );
            break;
        case jo_capsuleShape2:
            makeSegment( shape->capsule.a, shape->capsule.b, shape->capsule.radius, own );
            break;
        case jo_segmentShape2:
            makeSegment( shape->segment.a, shape->segment.b, 0.0f, own );
            break;
        case jo_polygonShape2:
        case jo_chainShape2: // not convex
        case jo_shapeKindCount2:
            return shape->polygon;
    }
    return own;
}

joPose2 joPlaceCenter2( const joPolygon2* polygon, const joTransform2* body )
{
    joPose2 pose = joWidenPose2( *body );
    const double local[2] = { (double)polygon->center.x, (double)polygon->center.y };
    double center[2];
    joPose2_Apply( &pose, local, center );
    pose.position[0] = center[0];
    pose.position[1] = center[1];
    return pose;
}

void joPlaceConvexPair2( const joPlacedPair2* placed, joConvexPair2* pair )
{
    pair->a = joToPolygon2( placed->a, &pair->ownA );
    pair->b = joToPolygon2( placed->b, &pair->ownB );
    joPose2 poseB = joPlaceCenter2( pair->b, placed->poseB );
    pair->frame = joPlaceCenter2( pair->a, placed->poseA );
    pair->bInA = joRelatePoses2( &pair->frame, &poseB );
    pair->size = ( pair->a->extent + pair->a->radius ) + ( pair->b->extent + pair->b->radius );
}

void joMakePoints2( const joConvexPair2* pair, joPoints2* a, joPoints2* b )
{
    a->count = pair->a->count;
    for ( uint32_t i = 0; i < a->count; ++i )
    {
        a->x[i] = (double)pair->a->vertices[i].x - (double)pair->a->center.x;
        a->y[i] = (double)pair->a->vertices[i].y - (double)pair->a->center.y;
    }
    b->count = pair->b->count;
    for ( uint32_t i = 0; i < b->count; ++i )
    {
        const double local[2] = { (double)pair->b->vertices[i].x - (double)pair->b->center.x,
            (double)pair->b->vertices[i].y - (double)pair->b->center.y };
        double placed[2];
        joPose2_Apply( &pair->bInA, local, placed );
        b->x[i] = placed[0];
        b->y[i] = placed[1];
    }
}
