// SPDX-License-Identifier: MIT
// Area and mass of a polygon in 2D with its rounding radius: the sums over its triangles, a rectangle outside
// of each edge and a sector of a circle at each vertex.
#include "base/float_env.h"
#include "jostle/shapes_2d.h"

#include <math.h>

#define PI 3.14159265358979323846

// Area, and its first and polar second moment about the polygon's centre.
typedef struct Moments
{
    double area;
    double x, y;
    double inertia;
} Moments;

// A piece with its centroid, and its inertia about that.
static void addPiece( Moments* sum, double area, double x, double y, double inertia )
{
    sum->area += area;
    sum->x += area * x;
    sum->y += area * y;
    sum->inertia += inertia + area * ( x * x + y * y );
}

// The triangle of an edge and the centre.
static void addTriangle( Moments* sum, const double from[2], const double to[2] )
{
    double twice = from[0] * to[1] - from[1] * to[0];
    double x = ( from[0] + to[0] ) / 3.0, y = ( from[1] + to[1] ) / 3.0;
    double aboutCenter = twice / 12.0 *
                         ( from[0] * from[0] + from[1] * from[1] + from[0] * to[0] + from[1] * to[1] +
                             to[0] * to[0] + to[1] * to[1] );
    addPiece( sum, 0.5 * twice, x, y, aboutCenter - 0.5 * twice * ( x * x + y * y ) );
}

static void addRectangle(
    Moments* sum, const double from[2], const double to[2], joVec2 normal, double radius )
{
    double edgeX = to[0] - from[0], edgeY = to[1] - from[1];
    double lengthSq = edgeX * edgeX + edgeY * edgeY, area = sqrt( lengthSq ) * radius;
    addPiece( sum, area, 0.5 * ( from[0] + to[0] ) + 0.5 * radius * (double)normal.x,
        0.5 * ( from[1] + to[1] ) + 0.5 * radius * (double)normal.y,
        area / 12.0 * ( lengthSq + radius * radius ) );
}

// The sector at a vertex between the normals of its two edges, which are `angle` apart.
static void addSector(
    Moments* sum, const double vertex[2], joVec2 before, joVec2 after, double angle, double radius )
{
    double x = (double)before.x + (double)after.x, y = (double)before.y + (double)after.y;
    double length = sqrt( x * x + y * y );
    if ( length < 1e-3 )
    {
        // Half a circle, at the end of a segment: midway between the normals is along it.
        x = -(double)before.y;
        y = (double)before.x;
        length = sqrt( x * x + y * y );
    }
    double turnX = (double)after.x - (double)before.x, turnY = (double)after.y - (double)before.y;
    double halfSine = 0.5 * sqrt( turnX * turnX + turnY * turnY );
    double out = angle > 0.0 ? 4.0 * radius * halfSine / ( 3.0 * angle ) : 0.0;
    double area = 0.5 * angle * radius * radius;
    addPiece( sum, area, vertex[0] + out * x / length, vertex[1] + out * y / length,
        area * ( 0.5 * radius * radius - out * out ) );
}

static double angleBetween( joVec2 before, joVec2 after )
{
    float across = before.x * after.y - before.y * after.x, along = before.x * after.x + before.y * after.y;
    double angle = (double)joAtan2( across, along );
    return angle < 0.0 ? angle + 2.0 * PI : angle;
}

static Moments sumPolygon( const joPolygon2* polygon )
{
    Moments sum = { 0 };
    double radius = (double)polygon->radius;
    double vertices[JO_MAX_POLYGON_VERTICES][2], angles[JO_MAX_POLYGON_VERTICES], allAngles = 0.0;
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        uint32_t before = i == 0 ? polygon->count - 1 : i - 1;
        vertices[i][0] = (double)polygon->vertices[i].x - (double)polygon->center.x;
        vertices[i][1] = (double)polygon->vertices[i].y - (double)polygon->center.y;
        angles[i] = angleBetween( polygon->normals[before], polygon->normals[i] );
        allAngles += angles[i];
    }
    if ( polygon->count == 1 )
    {
        double area = PI * radius * radius;
        addPiece( &sum, area, vertices[0][0], vertices[0][1], 0.5 * area * radius * radius );
        return sum;
    }
    for ( uint32_t i = 0; i < polygon->count; ++i )
    {
        uint32_t before = i == 0 ? polygon->count - 1 : i - 1, next = i + 1 == polygon->count ? 0 : i + 1;
        addTriangle( &sum, vertices[i], vertices[next] );
        addRectangle( &sum, vertices[i], vertices[next], polygon->normals[i], radius );
        // All together are a circle, whatever the rounding of each.
        addSector( &sum, vertices[i], polygon->normals[before], polygon->normals[i],
            angles[i] * ( 2.0 * PI / allAngles ), radius );
    }
    return sum;
}

float joComputePolygonArea2( const joPolygon2* polygon )
{
    joFloatEnv env = joFloatEnv_Enter();
    float area = (float)sumPolygon( polygon ).area;
    joFloatEnv_Leave( env );
    return area;
}

joMassData2 joComputePolygonMass2( const joPolygon2* polygon, float density )
{
    joFloatEnv env = joFloatEnv_Enter();
    Moments sum = sumPolygon( polygon );
    double x = sum.area > 0.0 ? sum.x / sum.area : 0.0, y = sum.area > 0.0 ? sum.y / sum.area : 0.0;
    joMassData2 data = {
        .mass = (float)( (double)density * sum.area ),
        .center = { (float)( (double)polygon->center.x + x ), (float)( (double)polygon->center.y + y ) },
        .inertia = (float)( (double)density * ( sum.inertia - sum.area * ( x * x + y * y ) ) ),
    };
    joFloatEnv_Leave( env );
    return data;
}
