// SPDX-License-Identifier: MIT
#include "reference/flat_reference.h"

#include <math.h>

static void addVertex( FlatShape* made, joVec2 local, const joTransform2* pose )
{
    double c = (double)pose->rotation.c, s = (double)pose->rotation.s, length = sqrt( c * c + s * s );
    double x = (double)local.x, y = (double)local.y;
    made->x[made->count] = ( c * x - s * y ) / length + (double)pose->position.x;
    made->y[made->count] = ( s * x + c * y ) / length + (double)pose->position.y;
    made->count += 1;
}

FlatShape flatMakeShape( const joShape2* shape, const joTransform2* pose )
{
    FlatShape made = { .count = 0 };
    if ( shape->kind == jo_circleShape2 )
    {
        addVertex( &made, shape->circle.center, pose );
        made.radius = (double)shape->circle.radius;
    }
    else if ( shape->kind == jo_capsuleShape2 )
    {
        addVertex( &made, shape->capsule.a, pose );
        addVertex( &made, shape->capsule.b, pose );
        made.radius = (double)shape->capsule.radius;
    }
    else if ( shape->kind == jo_segmentShape2 )
    {
        addVertex( &made, shape->segment.a, pose );
        addVertex( &made, shape->segment.b, pose );
    }
    else
    {
        for ( uint32_t i = 0; i < shape->polygon->count; ++i )
        {
            addVertex( &made, shape->polygon->vertices[i], pose );
        }
        made.radius = (double)shape->polygon->radius;
    }
    return made;
}

void flatMove( FlatShape* shape, double x, double y )
{
    for ( int i = 0; i < shape->count; ++i )
    {
        shape->x[i] += x;
        shape->y[i] += y;
    }
}

static double pointToSegment( double px, double py, double ax, double ay, double bx, double by )
{
    double x = bx - ax, y = by - ay, lengthSq = x * x + y * y;
    double t = lengthSq > 0.0 ? ( ( px - ax ) * x + ( py - ay ) * y ) / lengthSq : 0.0;
    t = fmax( 0.0, fmin( 1.0, t ) );
    return hypot( ax + t * x - px, ay + t * y - py );
}

static double pointToEdges( const FlatShape* shape, double x, double y )
{
    double least = INFINITY;
    for ( int i = 0; i < shape->count; ++i )
    {
        int next = ( i + 1 ) % shape->count;
        least =
            fmin( least, pointToSegment( x, y, shape->x[i], shape->y[i], shape->x[next], shape->y[next] ) );
    }
    return least;
}

// The largest gap along the normals of the edges of one; edges of no length have none.
static double gapAlongNormals( const FlatShape* shape, const FlatShape* other )
{
    double largest = -INFINITY;
    for ( int i = 0; i < shape->count; ++i )
    {
        int next = ( i + 1 ) % shape->count;
        double x = shape->y[next] - shape->y[i], y = shape->x[i] - shape->x[next], length = hypot( x, y );
        if ( length == 0.0 )
        {
            continue;
        }
        double least = INFINITY;
        for ( int k = 0; k < other->count; ++k )
        {
            least = fmin(
                least, ( x * ( other->x[k] - shape->x[i] ) + y * ( other->y[k] - shape->y[i] ) ) / length );
        }
        largest = fmax( largest, least );
    }
    return largest;
}

static double coreDistance( const FlatShape* a, const FlatShape* b )
{
    double least = INFINITY;
    for ( int i = 0; i < a->count; ++i )
    {
        least = fmin( least, pointToEdges( b, a->x[i], a->y[i] ) );
    }
    for ( int i = 0; i < b->count; ++i )
    {
        least = fmin( least, pointToEdges( a, b->x[i], b->y[i] ) );
    }
    return least;
}

double flatSeparation( const FlatShape* a, const FlatShape* b )
{
    double gap = fmax( gapAlongNormals( a, b ), gapAlongNormals( b, a ) );
    // Two that have no area and lie in one line, or are points, are apart though no normal says so. What
    // rounding leaves of the gap along their normal is none.
    bool isKnown = gap > -INFINITY && gap < -1e-13;
    double separation = isKnown ? gap : coreDistance( a, b );
    return separation - ( a->radius + b->radius );
}

FlatVerdict flatJudge( const FlatShape* a, const FlatShape* b, joVec2 normal, double depth )
{
    FlatShape moved = *b;
    flatMove( &moved, (double)normal.x * depth, (double)normal.y * depth );
    return ( FlatVerdict ){
        .lengthError = fabs( hypot( (double)normal.x, (double)normal.y ) - 1.0 ),
        .left = -flatSeparation( a, &moved ),
        .excess = depth + flatSeparation( a, b ),
    };
}

double flatDistanceToPoint( const FlatShape* shape, double x, double y )
{
    FlatShape point = { .x = { x }, .y = { y }, .count = 1 };
    return fmax( flatSeparation( shape, &point ), 0.0 );
}
