// SPDX-License-Identifier: MIT
// Quickhull without rounding.
#include "narrow_phase/hull_exact_3d.h"

#include "base/assert.h"
#include "base/float_env.h"

#include <math.h>

#define NONE UINT32_MAX

// Of the sum of the absolute values of its six terms, a determinant in double is off by less than this share:
// each term is rounded three times, the sum five times, each by 2^-53.
#define DETERMINANT_ERROR 0x1p-50

// Differences have up to 47 bits, and are split into three digits of this many.
#define DIGIT_BITS 16
#define DIGIT ( INT64_C( 1 ) << DIGIT_BITS )

uint32_t joHullTriangleCapacity( uint32_t pointCount )
{
    // A hull of n vertices has 2 n - 4 triangles; a horizon has at most n edges.
    return 3 * pointCount + 4;
}

// Rows of a determinant: two edges of a triangle, and what leads from it to a point.
typedef struct Rows
{
    int64_t d[3][3];
} Rows;

static Rows rowsOf( const int64_t* a, const int64_t* b, const int64_t* c, const int64_t* point )
{
    Rows rows;
    for ( int k = 0; k < 3; ++k )
    {
        rows.d[0][k] = b[k] - a[k];
        rows.d[1][k] = c[k] - a[k];
        rows.d[2][k] = point[k] - a[k];
    }
    return rows;
}

// Six times the volume between a triangle and a point; positive: the point is above it. *error is more than
// what rounding may have done.
static double volumeOf( const Rows* rows, double* error )
{
    double d[3][3], sum = 0.0, size = 0.0;
    for ( int i = 0; i < 9; ++i )
    {
        d[i / 3][i % 3] = (double)rows->d[i / 3][i % 3]; // exact
    }
    for ( int i = 0; i < 3; ++i )
    {
        int j = ( i + 1 ) % 3, k = ( i + 2 ) % 3;
        double one = d[0][j] * d[1][k], other = d[0][k] * d[1][j];
        sum += ( one - other ) * d[2][i];
        size += ( fabs( one ) + fabs( other ) ) * fabs( d[2][i] );
    }
    *error = DETERMINANT_ERROR * size;
    return sum;
}

// The sign of the volume without rounding. A determinant is linear in each of its rows: with rows as sums of
// digits it is the sum of 27 small ones, which fit into 64 bits, by the powers of the digits.
static int exactSideOf( const Rows* rows )
{
    int64_t digits[3][3][3], powers[7] = { 0 }; // digits[which][row][axis]
    for ( int i = 0; i < 9; ++i )
    {
        int64_t rest = rows->d[i / 3][i % 3];
        for ( int which = 0; which < 3; ++which )
        {
            int64_t digit = which < 2 ? ( rest % DIGIT + DIGIT ) % DIGIT : rest;
            digits[which][i / 3][i % 3] = digit;
            rest = ( rest - digit ) / DIGIT;
        }
    }
    for ( int i = 0; i < 27; ++i )
    {
        const int64_t* u = digits[i % 3][0];
        const int64_t* v = digits[i / 3 % 3][1];
        const int64_t* w = digits[i / 9][2];
        powers[i % 3 + i / 3 % 3 + i / 9] += ( u[1] * v[2] - u[2] * v[1] ) * w[0] +
                                             ( u[2] * v[0] - u[0] * v[2] ) * w[1] +
                                             ( u[0] * v[1] - u[1] * v[0] ) * w[2];
    }
    // Carried upwards each power is a digit but for the last, which has the sign.
    bool isZero = true;
    for ( int i = 0; i < 6; ++i )
    {
        int64_t digit = ( powers[i] % DIGIT + DIGIT ) % DIGIT;
        powers[i + 1] += ( powers[i] - digit ) / DIGIT;
        isZero = isZero && digit == 0;
    }
    return powers[6] < 0 ? -1 : powers[6] > 0 || !isZero ? 1 : 0;
}

static int sideOf( const Rows* rows )
{
    double error, volume = volumeOf( rows, &error );
    return volume > error ? 1 : volume < -error ? -1 : exactSideOf( rows );
}

static Rows rowsOfTriangle( const joHullBuilder* builder, uint32_t triangle, uint32_t point )
{
    const uint32_t* v = builder->triangles[triangle].vertices;
    return rowsOf( builder->grid[v[0]], builder->grid[v[1]], builder->grid[v[2]], builder->grid[point] );
}

static bool isAbove( const joHullBuilder* builder, uint32_t triangle, uint32_t point )
{
    Rows rows = rowsOfTriangle( builder, triangle, point );
    return sideOf( &rows ) > 0;
}

static uint32_t addTriangle( joHullBuilder* builder, uint32_t a, uint32_t b, uint32_t c )
{
    uint32_t index = builder->firstDead;
    if ( index != NONE )
    {
        builder->firstDead = builder->triangles[index].outside;
    }
    else
    {
        index = builder->triangleCount++;
        JO_ASSERT( index < builder->triangleCapacity );
    }
    builder->triangles[index] = ( joHullTriangle ){
        .vertices = { a, b, c }, .neighbors = { NONE, NONE, NONE }, .outside = NONE, .isAlive = true };
    return index;
}

static void killTriangle( joHullBuilder* builder, uint32_t index )
{
    joHullTriangle* t = builder->triangles + index;
    t->isAlive = false;
    t->isVisible = false;
    t->outside = builder->firstDead;
    builder->firstDead = index;
}

// Gives a point to the first of some triangles that it is above. Points that are above none are within the
// hull for good.
static void assignPoint( joHullBuilder* builder, uint32_t point, const uint32_t* triangles, uint32_t count )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        if ( isAbove( builder, triangles[i], point ) )
        {
            builder->next[point] = builder->triangles[triangles[i]].outside;
            builder->triangles[triangles[i]].outside = point;
            return;
        }
    }
}

// How far a point is, by some measure: 0 from a point, 1 from a line, 2 from a plane.
static double measureOf(
    const joHullBuilder* builder, const uint32_t corners[3], uint32_t point, int measure )
{
    Rows rows = rowsOf( builder->grid[corners[0]], builder->grid[corners[1]], builder->grid[corners[2]],
        builder->grid[point] );
    double error, u[3], w[3];
    if ( measure == 2 )
    {
        return fabs( volumeOf( &rows, &error ) );
    }
    for ( int k = 0; k < 3; ++k )
    {
        u[k] = (double)rows.d[0][k];
        w[k] = (double)rows.d[2][k];
    }
    if ( measure == 0 )
    {
        return w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    }
    double x = u[1] * w[2] - u[2] * w[1], y = u[2] * w[0] - u[0] * w[2], z = u[0] * w[1] - u[1] * w[0];
    return x * x + y * y + z * z;
}

static uint32_t findFarthest( const joHullBuilder* builder, const uint32_t corners[3], int measure )
{
    uint32_t farthest = corners[0];
    double best = 0.0;
    for ( uint32_t i = 0; i < builder->pointCount; ++i )
    {
        double distance = measureOf( builder, corners, i, measure );
        farthest = distance > best ? i : farthest;
        best = distance > best ? distance : best;
    }
    return farthest;
}

// A tetrahedron of points that lie far apart.
static bool makeTetrahedron( joHullBuilder* builder )
{
    uint32_t corners[3] = { 0, 0, 0 };
    for ( uint32_t i = 1; i < builder->pointCount; ++i )
    {
        corners[0] = builder->grid[i][0] < builder->grid[corners[0]][0] ? i : corners[0];
    }
    corners[1] = findFarthest( builder, corners, 0 );
    corners[2] = findFarthest( builder, corners, 1 );
    uint32_t top = findFarthest( builder, corners, 2 );
    Rows rows = rowsOf(
        builder->grid[corners[0]], builder->grid[corners[1]], builder->grid[corners[2]], builder->grid[top] );
    int side = sideOf( &rows );
    if ( side == 0 )
    {
        return false;
    }
    uint32_t a = corners[0], b = corners[side > 0 ? 2 : 1], c = corners[side > 0 ? 1 : 2];
    const uint32_t made[4] = { addTriangle( builder, a, b, c ), addTriangle( builder, b, a, top ),
        addTriangle( builder, c, b, top ), addTriangle( builder, a, c, top ) };
    static const uint32_t neighbors[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
    for ( int i = 0; i < 4; ++i )
    {
        for ( int k = 0; k < 3; ++k )
        {
            builder->triangles[made[i]].neighbors[k] = made[neighbors[i][k]];
        }
    }
    for ( uint32_t i = builder->pointCount; i-- > 0; )
    {
        assignPoint( builder, i, made, 4 );
    }
    return true;
}

// The farthest of the points above a triangle.
static uint32_t findEye( const joHullBuilder* builder, uint32_t triangle )
{
    uint32_t eye = NONE;
    double best = 0.0;
    for ( uint32_t i = builder->triangles[triangle].outside; i != NONE; i = builder->next[i] )
    {
        Rows rows = rowsOfTriangle( builder, triangle, i );
        double error, height = volumeOf( &rows, &error );
        if ( eye == NONE || height > best || ( height == best && i < eye ) )
        {
            best = height;
            eye = i;
        }
    }
    return eye;
}

// All triangles that the eye is above, which hang together: into the queue. Edges between them and the others
// into the horizon. Returns how many there are of the edges.
static uint32_t findHorizon( joHullBuilder* builder, uint32_t first, uint32_t eye, uint32_t* visibleCount )
{
    uint32_t count = 0, edges = 0;
    builder->queue[count++] = first;
    builder->triangles[first].isVisible = true;
    for ( uint32_t i = 0; i < count; ++i )
    {
        for ( uint32_t k = 0; k < 3; ++k )
        {
            uint32_t neighbor = builder->triangles[builder->queue[i]].neighbors[k];
            if ( builder->triangles[neighbor].isVisible )
            {
                continue;
            }
            if ( isAbove( builder, neighbor, eye ) )
            {
                builder->triangles[neighbor].isVisible = true;
                builder->queue[count++] = neighbor;
            }
            else
            {
                builder->horizon[2 * edges] = builder->queue[i];
                builder->horizon[2 * edges + 1] = k;
                edges += 1;
            }
        }
    }
    *visibleCount = count;
    return edges;
}

// A fan of triangles from the horizon to the eye; their numbers take the horizon's place.
static void makeFan( joHullBuilder* builder, uint32_t edges, uint32_t eye )
{
    for ( uint32_t i = 0; i < edges; ++i )
    {
        uint32_t old = builder->horizon[2 * i], k = builder->horizon[2 * i + 1];
        uint32_t from = builder->triangles[old].vertices[k];
        uint32_t to = builder->triangles[old].vertices[( k + 1 ) % 3];
        uint32_t beyond = builder->triangles[old].neighbors[k];
        uint32_t made = addTriangle( builder, from, to, eye );
        builder->triangles[made].neighbors[0] = beyond;
        for ( int j = 0; j < 3; ++j )
        {
            if ( builder->triangles[beyond].vertices[j] == to )
            {
                builder->triangles[beyond].neighbors[j] = made;
            }
        }
        builder->fanTriangle[from] = made;
        builder->horizon[i] = made; // its own edge has been read, and those after it are not reached
    }
    for ( uint32_t i = 0; i < edges; ++i )
    {
        uint32_t made = builder->horizon[i];
        uint32_t after = builder->fanTriangle[builder->triangles[made].vertices[1]];
        builder->triangles[made].neighbors[1] = after;
        builder->triangles[after].neighbors[2] = made;
    }
}

// Adds the farthest point above a triangle. What was above the triangles that it hides is above the new ones,
// or inside.
static void addPoint( joHullBuilder* builder, uint32_t triangle )
{
    uint32_t eye = findEye( builder, triangle );
    uint32_t visibleCount;
    uint32_t edges = findHorizon( builder, triangle, eye, &visibleCount );
    makeFan( builder, edges, eye );
    for ( uint32_t i = 0; i < visibleCount; ++i )
    {
        uint32_t point = builder->triangles[builder->queue[i]].outside;
        while ( point != NONE )
        {
            uint32_t following = builder->next[point];
            if ( point != eye )
            {
                assignPoint( builder, point, builder->horizon, edges );
            }
            point = following;
        }
    }
    for ( uint32_t i = 0; i < visibleCount; ++i )
    {
        killTriangle( builder, builder->queue[i] );
    }
}

bool joHullBuilder_Run( joHullBuilder* builder )
{
    builder->triangleCount = 0;
    builder->firstDead = NONE;
    if ( !makeTetrahedron( builder ) )
    {
        return false;
    }
    // A triangle that is passed has no points above it, and gets none: only new ones do. So the scan begins
    // anew as long as it finds any, which it does once more than needed at the end.
    for ( bool isDone = false; !isDone; )
    {
        isDone = true;
        for ( uint32_t i = 0; i < builder->triangleCount; ++i )
        {
            if ( builder->triangles[i].isAlive && builder->triangles[i].outside != NONE )
            {
                addPoint( builder, i );
                isDone = false;
            }
        }
    }
    return true;
}
