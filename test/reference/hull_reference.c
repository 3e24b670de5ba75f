// SPDX-License-Identifier: MIT
#include "reference/hull_reference.h"

#include <math.h>
#include <string.h>

static double dot( const double a[3], const double b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross( const double a[3], const double b[3], double out[3] )
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// v + 2 w ( u x v ) + 2 u x ( u x v ), for a quaternion that is first made a unit one; then the position.
static void place( const joTransform3* pose, double v[3] )
{
    double u[3] = { (double)pose->rotation.x, (double)pose->rotation.y, (double)pose->rotation.z };
    double w = (double)pose->rotation.w, length = sqrt( dot( u, u ) + w * w ), once[3], twice[3];
    for ( int k = 0; k < 3; ++k )
    {
        u[k] /= length;
    }
    cross( u, v, once );
    cross( u, once, twice );
    const float at[3] = { pose->position.x, pose->position.y, pose->position.z };
    for ( int k = 0; k < 3; ++k )
    {
        v[k] += 2.0 * w / length * once[k] + 2.0 * twice[k] + (double)at[k];
    }
}

static void addVertex( ReferenceHull* made, joVec3 local, const joTransform3* pose )
{
    double* v = made->vertices[made->vertexCount++];
    v[0] = (double)local.x;
    v[1] = (double)local.y;
    v[2] = (double)local.z;
    place( pose, v );
}

// A face by its vertices in turn: its plane by Newell's method, and its edges.
static void addFace( ReferenceHull* made, const uint32_t* loop, uint32_t count )
{
    double* n = made->normals[made->faceCount];
    n[0] = n[1] = n[2] = 0.0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const double* a = made->vertices[loop[i]];
        const double* b = made->vertices[loop[( i + 1 ) % count]];
        const double* origin = made->vertices[loop[0]];
        double u[3], v[3], area[3];
        for ( int k = 0; k < 3; ++k )
        {
            u[k] = a[k] - origin[k];
            v[k] = b[k] - origin[k];
        }
        cross( u, v, area );
        for ( int k = 0; k < 3; ++k )
        {
            n[k] += area[k];
        }
    }
    double length = sqrt( dot( n, n ) );
    made->offsets[made->faceCount] = -INFINITY;
    for ( int k = 0; k < 3; ++k )
    {
        n[k] /= length;
    }
    for ( uint32_t i = 0; i < made->vertexCount; ++i )
    {
        made->offsets[made->faceCount] = fmax( made->offsets[made->faceCount], dot( n, made->vertices[i] ) );
    }
    made->faceCount += 1;
    for ( uint32_t i = 0; i < count; ++i )
    {
        uint32_t a = loop[i], b = loop[( i + 1 ) % count], edge = 0;
        while ( edge < made->edgeCount && ( made->edges[edge][0] != b || made->edges[edge][1] != a ) )
        {
            edge += 1;
        }
        bool isNew = edge == made->edgeCount;
        if ( isNew )
        {
            made->edges[made->edgeCount][0] = a;
            made->edges[made->edgeCount++][1] = b;
        }
        memcpy( made->sides[edge][isNew ? 0 : 1], n, sizeof( double[3] ) );
    }
}

static void addBox( ReferenceHull* made, const joBox3* box, const joTransform3* pose )
{
    static const uint32_t faces[6][4] = {
        { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 }, { 0, 2, 3, 1 }, { 4, 5, 7, 6 } };
    for ( int i = 0; i < 8; ++i )
    {
        joVec3 h = box->halfExtents;
        double corner[3] = {
            (double)( i & 1 ? h.x : -h.x ), (double)( i & 2 ? h.y : -h.y ), (double)( i & 4 ? h.z : -h.z ) };
        place( &box->localPose, corner );
        place( pose, corner );
        memcpy( made->vertices[made->vertexCount++], corner, sizeof( corner ) );
    }
    for ( int i = 0; i < 6; ++i )
    {
        addFace( made, faces[i], 4 );
    }
}

void hullReferenceMake( ReferenceHull* made, const joShape3* shape, const joTransform3* pose )
{
    made->vertexCount = made->faceCount = made->edgeCount = 0;
    made->radius = 0.0;
    memset( made->sides, 0, sizeof( made->sides ) );
    switch ( shape->kind )
    {
        case jo_sphereShape3:
            made->radius = (double)shape->sphere.radius;
            addVertex( made, shape->sphere.center, pose );
            return;
        case jo_capsuleShape3:
            made->radius = (double)shape->capsule.radius;
            addVertex( made, shape->capsule.a, pose );
            addVertex( made, shape->capsule.b, pose );
            made->edges[0][0] = 0;
            made->edges[0][1] = 1;
            made->edgeCount = 1;
            return;
        case jo_boxShape3:
            addBox( made, &shape->box, pose );
            return;
        default:
            break;
    }
    for ( uint32_t i = 0; i < joHull3_GetVertexCount( shape->hull ); ++i )
    {
        addVertex( made, joHull3_GetVertex( shape->hull, i ), pose );
    }
    for ( uint32_t i = 0; i < joHull3_GetFaceCount( shape->hull ); ++i )
    {
        uint8_t vertices[JO_MAX_HULL_VERTICES3];
        uint32_t loop[JO_MAX_HULL_VERTICES3];
        uint32_t count = joHull3_GetFace( shape->hull, i, vertices, JO_MAX_HULL_VERTICES3, NULL, NULL );
        for ( uint32_t k = 0; k < count; ++k )
        {
            loop[k] = vertices[k];
        }
        addFace( made, loop, count );
    }
}

void hullReferenceMove( ReferenceHull* hull, const double by[3] )
{
    for ( uint32_t i = 0; i < hull->vertexCount; ++i )
    {
        for ( int k = 0; k < 3; ++k )
        {
            hull->vertices[i][k] += by[k];
        }
    }
    for ( uint32_t i = 0; i < hull->faceCount; ++i )
    {
        hull->offsets[i] += dot( hull->normals[i], by );
    }
}

static uint32_t farthest( const ReferenceHull* hull, const double direction[3], double sign )
{
    uint32_t best = 0;
    for ( uint32_t i = 1; i < hull->vertexCount; ++i )
    {
        if ( sign * dot( hull->vertices[i], direction ) > sign * dot( hull->vertices[best], direction ) )
        {
            best = i;
        }
    }
    return best;
}

// The point of A - B that is farthest along a direction.
static void support( const ReferenceHull* a, const ReferenceHull* b, const double direction[3], double w[3] )
{
    const double* onA = a->vertices[farthest( a, direction, 1.0 )];
    const double* onB = b->vertices[farthest( b, direction, -1.0 )];
    for ( int k = 0; k < 3; ++k )
    {
        w[k] = onA[k] - onB[k];
    }
}

// Weights of the point nearest to the origin in the plane (line, space) through some points: sum of weights
// 1, and the point square to all differences. By elimination with pivots, in long double. False: the points
// depend on each other.
static bool nearestOfSpan( double points[5][3], int count, double weights[5] )
{
    long double m[6][7];
    int size = count + 1;
    for ( int i = 0; i < size; ++i )
    {
        for ( int j = 0; j < size; ++j )
        {
            m[i][j] = i == count || j == count ? (long double)( i != j )
                                               : (long double)points[i][0] * (long double)points[j][0] +
                                                     (long double)points[i][1] * (long double)points[j][1] +
                                                     (long double)points[i][2] * (long double)points[j][2];
        }
        m[i][size] = i == count ? 1.0L : 0.0L;
    }
    for ( int column = 0; column < size; ++column )
    {
        int pivot = column;
        for ( int i = column + 1; i < size; ++i )
        {
            pivot = fabsl( m[i][column] ) > fabsl( m[pivot][column] ) ? i : pivot;
        }
        if ( !( fabsl( m[pivot][column] ) > 1e-17L ) )
        {
            return false;
        }
        for ( int j = 0; j <= size; ++j )
        {
            long double kept = m[column][j];
            m[column][j] = m[pivot][j];
            m[pivot][j] = kept;
        }
        for ( int i = 0; i < size; ++i )
        {
            long double factor = i == column ? 0.0L : m[i][column] / m[column][column];
            for ( int j = column; j <= size; ++j )
            {
                m[i][j] -= factor * m[column][j];
            }
        }
    }
    for ( int i = 0; i < count; ++i )
    {
        weights[i] = (double)( m[i][size] / m[i][i] );
    }
    return true;
}

static void pointOf( double points[5][3], const double weights[5], int count, double out[3] )
{
    for ( int k = 0; k < 3; ++k )
    {
        long double sum = 0.0L;
        for ( int i = 0; i < count; ++i )
        {
            sum += (long double)weights[i] * (long double)points[i][k];
        }
        out[k] = (double)sum;
    }
}

// Wolfe's minor cycle: from weights within the simplex towards the nearest point of its span, dropping the
// points whose weights reach zero on the way.
static void walkDown( double points[5][3], double weights[5], int* count )
{
    double target[5];
    while ( nearestOfSpan( points, *count, target ) )
    {
        double step = 1.0;
        int dropped = -1;
        for ( int i = 0; i < *count; ++i )
        {
            double reach = target[i] < 0.0 ? weights[i] / ( weights[i] - target[i] ) : 1.0;
            if ( target[i] < 0.0 && reach < step )
            {
                step = reach;
                dropped = i;
            }
        }
        for ( int i = 0; i < *count; ++i )
        {
            weights[i] += step * ( target[i] - weights[i] );
        }
        if ( dropped < 0 )
        {
            return;
        }
        *count -= 1;
        memcpy( points[dropped], points[*count], sizeof( points[0] ) );
        weights[dropped] = weights[*count];
    }
    // They depend on each other: the one of least weight goes.
    int least = 0;
    for ( int i = 1; i < *count; ++i )
    {
        least = weights[i] < weights[least] ? i : least;
    }
    *count -= 1;
    memcpy( points[least], points[*count], sizeof( points[0] ) );
    weights[least] = weights[*count];
}

// No point of A - B is nearer to the origin than w is along x, if w is the least of it along x.
static void considerBound( ReferenceDistance* answer, const double x[3], const double w[3] )
{
    double length = sqrt( dot( x, x ) );
    if ( dot( x, w ) / length > answer->lower )
    {
        answer->lower = dot( x, w ) / length;
        for ( int k = 0; k < 3; ++k )
        {
            answer->normal[k] = -x[k] / length;
        }
    }
}

static void considerTriangle( ReferenceDistance* answer, const ReferenceHull* a, const ReferenceHull* b,
    double points[5][3], const double x[3] )
{
    double u[3], v[3], n[3], w[3];
    for ( int k = 0; k < 3; ++k )
    {
        u[k] = points[1][k] - points[0][k];
        v[k] = points[2][k] - points[0][k];
    }
    cross( u, v, n );
    double sign = dot( n, x ) < 0.0 ? -1.0 : 1.0;
    const double direction[3] = { sign * n[0], sign * n[1], sign * n[2] };
    const double against[3] = { -direction[0], -direction[1], -direction[2] };
    support( a, b, against, w );
    considerBound( answer, direction, w );
}

ReferenceDistance hullReferenceDistance( const ReferenceHull* a, const ReferenceHull* b )
{
    ReferenceDistance answer = { .upper = INFINITY, .lower = 0.0 };
    double points[5][3], weights[5] = { 1.0 }, x[3], w[3];
    const double any[3] = { 1.0, 0.0, 0.0 };
    int count = 1;
    support( a, b, any, points[0] );
    for ( int i = 0; i < 1000; ++i )
    {
        pointOf( points, weights, count, x );
        double length = sqrt( dot( x, x ) );
        const double against[3] = { -x[0], -x[1], -x[2] };
        if ( length < answer.upper )
        {
            answer.upper = length;
        }
        if ( length < 1e-12 )
        {
            answer.upper = answer.lower = 0.0;
            return answer;
        }
        if ( count == 3 )
        {
            // Of a short x rounding turns the direction; the triangle that it is square to knows better.
            considerTriangle( &answer, a, b, points, x );
        }
        support( a, b, against, w );
        considerBound( &answer, x, w );
        if ( answer.upper - answer.lower < 1e-11 )
        {
            return answer;
        }
        memcpy( points[count], w, sizeof( w ) );
        weights[count++] = 0.0;
        walkDown( points, weights, &count );
    }
    return answer;
}

double hullReferenceOverlap( const ReferenceHull* a, const ReferenceHull* b, const double direction[3] )
{
    double w[3];
    support( a, b, direction, w );
    return dot( w, direction ) / sqrt( dot( direction, direction ) ) + a->radius + b->radius;
}

static void consider(
    ReferenceDepth* best, const ReferenceHull* a, const ReferenceHull* b, const double axis[3] )
{
    double radii = a->radius + b->radius, length = sqrt( dot( axis, axis ) );
    double depth = hullReferenceOverlap( a, b, axis ) - radii;
    bool isNear = dot( axis, best->normal ) > 0.9999 * length;
    if ( depth < best->depth )
    {
        best->second = isNear ? best->second : best->depth;
        best->depth = depth;
        for ( int k = 0; k < 3; ++k )
        {
            best->normal[k] = axis[k] / length;
        }
    }
    else if ( !isNear )
    {
        best->second = fmin( best->second, depth );
    }
}

// Whether the arc between the two faces of an edge crosses the circle square to another edge, generously.
static bool mayCross( const double sides[2][3], const double along[3], double length )
{
    double one = dot( sides[0], along ), other = dot( sides[1], along );
    bool hasNoFaces = dot( sides[0], sides[0] ) == 0.0;
    return hasNoFaces || ( fmin( one, other ) < 1e-6 * length && fmax( one, other ) > -1e-6 * length );
}

ReferenceDepth hullReferenceDepth( const ReferenceHull* a, const ReferenceHull* b )
{
    ReferenceDepth best = { .depth = INFINITY, .second = INFINITY };
    for ( uint32_t i = 0; i < a->faceCount; ++i )
    {
        consider( &best, a, b, a->normals[i] );
    }
    for ( uint32_t i = 0; i < b->faceCount; ++i )
    {
        const double turned[3] = { -b->normals[i][0], -b->normals[i][1], -b->normals[i][2] };
        consider( &best, a, b, turned );
    }
    for ( uint32_t i = 0; i < a->edgeCount; ++i )
    {
        double u[3], v[3], axis[3];
        for ( int k = 0; k < 3; ++k )
        {
            u[k] = a->vertices[a->edges[i][1]][k] - a->vertices[a->edges[i][0]][k];
        }
        double lengthA = sqrt( dot( u, u ) );
        for ( uint32_t j = 0; j < b->edgeCount; ++j )
        {
            for ( int k = 0; k < 3; ++k )
            {
                v[k] = b->vertices[b->edges[j][1]][k] - b->vertices[b->edges[j][0]][k];
            }
            double lengthB = sqrt( dot( v, v ) );
            if ( !mayCross( b->sides[j], u, lengthA ) || !mayCross( a->sides[i], v, lengthB ) )
            {
                continue;
            }
            cross( u, v, axis );
            const double turned[3] = { -axis[0], -axis[1], -axis[2] };
            if ( dot( axis, axis ) > 1e-18 * lengthA * lengthA * lengthB * lengthB )
            {
                consider( &best, a, b, axis );
                consider( &best, a, b, turned );
            }
        }
    }
    return best;
}

double hullReferenceSeparation( const ReferenceHull* a, const ReferenceHull* b )
{
    ReferenceDistance distance = hullReferenceDistance( a, b );
    double core = distance.upper > 1e-9 ? distance.upper : -hullReferenceDepth( a, b ).depth;
    return core - a->radius - b->radius;
}

double hullReferenceOutside( const ReferenceHull* hull, const double point[3] )
{
    ReferenceHull single = { .vertexCount = 1 };
    memcpy( single.vertices[0], point, sizeof( double[3] ) );
    return fmax( hullReferenceDistance( hull, &single ).upper - hull->radius, 0.0 );
}
