// SPDX-License-Identifier: MIT
// Making a hull: points onto the grid, the exact hull, its faces; again without the points that no face
// needs, until all are needed; and the block.
#include "base/assert.h"
#include "base/float_env.h"
#include "base/memory.h"
#include "narrow_phase/hull_3d.h"
#include "narrow_phase/hull_merge_3d.h"

#include <math.h>
#include <string.h>

#define NONE UINT32_MAX

// Of the largest coordinate. A float of that size is rounded by 6e-8 of it on each axis, so that the corners
// of a turned cube are off their plane by some 1e-7, seen from a triangle of three of them by three times as
// much. Tested by: test_hull, "a turned box of points is a box".
#define TOLERANCE 5e-7

// What is thinner than this many tolerances has a top and a bottom that cannot be told apart.
#define LEAST_THICKNESS 8.0

typedef struct Scratch
{
    joHullBuilder builder;
    joHullMerge merge;
    uint32_t* source;
    joHullPointState* states;
    uint32_t* edgeNumbers; // of edge k of triangle t at 3 t + k, for small hulls
} Scratch;

// The next bytes of a block; null while only sizes are counted.
static void* take( char* block, size_t* at, size_t size )
{
    void* taken = block == NULL ? NULL : block + *at;
    *at += ( size + 15 ) / 16 * 16;
    return taken;
}

// Lays the arrays out in a block, and returns its size.
static size_t layOut( Scratch* scratch, char* block, uint32_t pointCount )
{
    size_t at = 0;
    joHullBuilder* builder = &scratch->builder;
    size_t n = pointCount, triangles = joHullTriangleCapacity( pointCount );
    builder->triangleCapacity = (uint32_t)triangles;
    builder->triangles = take( block, &at, triangles * sizeof( builder->triangles[0] ) );
    scratch->merge.areas = take( block, &at, triangles * sizeof( scratch->merge.areas[0] ) );
    builder->grid = take( block, &at, n * sizeof( builder->grid[0] ) );
    builder->next = take( block, &at, n * sizeof( uint32_t ) );
    builder->fanTriangle = take( block, &at, n * sizeof( uint32_t ) );
    builder->queue = take( block, &at, triangles * sizeof( uint32_t ) );
    builder->horizon = take( block, &at, ( 2 * n + 8 ) * sizeof( uint32_t ) );
    scratch->merge.faceOf = take( block, &at, triangles * sizeof( uint32_t ) );
    scratch->source = take( block, &at, n * sizeof( uint32_t ) );
    scratch->edgeNumbers = take( block, &at, 3 * triangles * sizeof( uint32_t ) );
    scratch->states = take( block, &at, n * sizeof( joHullPointState ) );
    return at;
}

static joResult checkPoints( const joVec3* points, uint32_t count, uint32_t* bad )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        *bad = i;
        const float c[3] = { points[i].x, points[i].y, points[i].z };
        if ( isnan( c[0] ) || isnan( c[1] ) || isnan( c[2] ) )
        {
            return jo_errorNotANumber;
        }
        for ( int k = 0; k < 3; ++k )
        {
            if ( fabsf( c[k] ) > JO_MAX_SIZE )
            {
                return jo_errorBadShape;
            }
        }
    }
    *bad = JO_NULL_INDEX;
    return jo_success;
}

static double coordinateOf( const joVec3* point, int axis )
{
    return axis == 0 ? (double)point->x : axis == 1 ? (double)point->y : (double)point->z;
}

// Points to the grid, each axis on its own: a convex body that is stretched along the axes stays convex, and
// a thin one is seen as finely across as along. False: there is no extent on some axis.
static bool fillGrid( Scratch* scratch, const joVec3* points, uint32_t count, double* largest )
{
    *largest = 0.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        double lower = INFINITY, upper = -INFINITY;
        for ( uint32_t i = 0; i < count; ++i )
        {
            double c = coordinateOf( points + i, axis );
            lower = c < lower ? c : lower;
            upper = c > upper ? c : upper;
        }
        double center = 0.5 * ( lower + upper ), half = 0.5 * ( upper - lower );
        double reach = fabs( lower ) > fabs( upper ) ? fabs( lower ) : fabs( upper );
        *largest = reach > *largest ? reach : *largest;
        if ( !( half > 0.0 ) )
        {
            return false;
        }
        for ( uint32_t i = 0; i < count; ++i )
        {
            double at = ( coordinateOf( points + i, axis ) - center ) / half * JO_HULL_GRID;
            scratch->builder.grid[i][axis] = (int64_t)floor( at + 0.5 );
        }
    }
    for ( uint32_t i = 0; i < count; ++i )
    {
        scratch->source[i] = i;
    }
    scratch->builder.pointCount = count;
    return true;
}

// The points that are needed move to the front.
static void keepNeeded( Scratch* scratch )
{
    joHullBuilder* builder = &scratch->builder;
    uint32_t kept = 0;
    for ( uint32_t i = 0; i < builder->pointCount; ++i )
    {
        if ( scratch->states[i] != joHullPoint_dropped )
        {
            memmove( builder->grid[kept], builder->grid[i], sizeof( builder->grid[0] ) );
            scratch->source[kept++] = scratch->source[i];
        }
    }
    builder->pointCount = kept;
}

// Leaves the builder with the vertices of the hull as its only points, and all faces found. Each round drops
// points, so that there is an end.
static joResult findHull( Scratch* scratch )
{
    for ( ;; )
    {
        bool isFinal;
        if ( scratch->builder.pointCount < 4 || !joHullBuilder_Run( &scratch->builder ) )
        {
            return jo_errorFlatHull;
        }
        joHullMerge_FindFaces( &scratch->merge );
        uint32_t needed = joHullMerge_FindCorners( &scratch->merge, scratch->states, &isFinal );
        if ( isFinal && needed > JO_MAX_HULL_VERTICES3 )
        {
            return jo_errorTooManyVertices;
        }
        if ( isFinal && needed == scratch->builder.pointCount )
        {
            return jo_success;
        }
        keepNeeded( scratch );
    }
}

typedef struct BlockArrays
{
    float* columns[3];
    joHullPlane* planes;
    joHullEdge* edges;
    uint16_t* faceEdges;
    uint16_t* vertexEdges;
} BlockArrays;

static BlockArrays arraysOf( joHull3* hull )
{
    joPolytope view = joViewHull( hull );
    return ( BlockArrays ){ { (float*)view.x, (float*)view.y, (float*)view.z }, (joHullPlane*)view.planes,
        (joHullEdge*)view.edges, (uint16_t*)view.faceEdges, (uint16_t*)view.vertexEdges };
}

static void fillVertices( joHull3* hull, const Scratch* scratch, const joVec3* points )
{
    BlockArrays arrays = arraysOf( hull );
    for ( uint32_t i = 0; i < hull->paddedCount; ++i )
    {
        joVec3 point = points[scratch->source[i < hull->vertexCount ? i : 0]];
        arrays.columns[0][i] = point.x;
        arrays.columns[1][i] = point.y;
        arrays.columns[2][i] = point.z;
        float sum = fabsf( point.x ) + fabsf( point.y ) + fabsf( point.z );
        hull->size = sum > hull->size ? sum : hull->size;
    }
}

// The number of an edge between two faces, which is given to it and its twin when it is first met.
static uint32_t numberOf( Scratch* scratch, uint32_t triangle, uint32_t k, uint32_t* edgeCount )
{
    uint32_t number = scratch->edgeNumbers[3 * triangle + k];
    if ( number == NONE )
    {
        number = *edgeCount;
        *edgeCount += 2;
        scratch->edgeNumbers[3 * triangle + k] = number;
        joHullMerge_Twin( &scratch->merge, &triangle, &k );
        scratch->edgeNumbers[3 * triangle + k] = number + 1;
    }
    return number;
}

// One face, from the edge k of a triangle on.
static void fillFace(
    Scratch* scratch, BlockArrays* arrays, uint32_t triangle, uint32_t k, uint32_t* edgeCount )
{
    uint32_t face = scratch->merge.faceOf[triangle];
    uint32_t first = numberOf( scratch, triangle, k, edgeCount ), number = first;
    arrays->faceEdges[face] = (uint16_t)first;
    do
    {
        joHullEdge* edge = arrays->edges + number;
        edge->origin = (uint8_t)scratch->builder.triangles[triangle].vertices[k];
        edge->face = (uint16_t)face;
        arrays->vertexEdges[edge->origin] = (uint16_t)number;
        joHullMerge_Next( &scratch->merge, &triangle, &k );
        number = numberOf( scratch, triangle, k, edgeCount );
        edge->next = (uint16_t)number;
    } while ( number != first );
}

static float roundUp( double value )
{
    float nearest = (float)value;
    return (double)nearest < value ? nextafterf( nearest, INFINITY ) : nearest;
}

// The plane of a face, which supports the hull, and how far below it the lowest vertex is.
static double fillPlane( const joHull3* hull, joHullPlane* plane, const double normal[3] )
{
    joPolytope view = joViewHull( hull );
    double highest = -INFINITY, lowest = INFINITY;
    for ( int k = 0; k < 3; ++k )
    {
        plane->normal[k] = (float)normal[k];
    }
    for ( uint32_t i = 0; i < hull->vertexCount; ++i )
    {
        double p[3];
        joPolytope_GetVertex( &view, i, p );
        double height = (double)plane->normal[0] * p[0] + (double)plane->normal[1] * p[1] +
                        (double)plane->normal[2] * p[2];
        highest = height > highest ? height : highest;
        lowest = height < lowest ? height : lowest;
    }
    plane->offset = roundUp( highest );
    return highest - lowest;
}

// Returns the least thickness across a face.
static double fillFaces( joHull3* hull, Scratch* scratch )
{
    BlockArrays arrays = arraysOf( hull );
    uint32_t edgeCount = 0;
    double thickness = INFINITY;
    memset( scratch->edgeNumbers, 0xFF, 3 * sizeof( uint32_t ) * scratch->builder.triangleCount );
    memset( arrays.faceEdges, 0xFF, sizeof( uint16_t ) * hull->faceCount );
    for ( uint32_t i = 0; i < 3 * scratch->builder.triangleCount; ++i )
    {
        uint32_t triangle = i / 3, k = i % 3;
        if ( !scratch->builder.triangles[triangle].isAlive ||
             !joHullMerge_IsBorder( &scratch->merge, triangle, k ) ||
             arrays.faceEdges[scratch->merge.faceOf[triangle]] != UINT16_MAX )
        {
            continue;
        }
        fillFace( scratch, &arrays, triangle, k, &edgeCount );
        double normal[3];
        joHullMerge_FaceNormal( &scratch->merge, triangle, k, normal );
        double across = fillPlane( hull, arrays.planes + scratch->merge.faceOf[triangle], normal );
        thickness = across < thickness ? across : thickness;
    }
    JO_ASSERT( edgeCount == hull->edgeCount );
    return thickness;
}

static joResult makeBlock(
    Scratch* scratch, const joVec3* points, const joAllocator* allocator, joHull3** hull )
{
    uint32_t vertexCount = scratch->builder.pointCount, faceCount = scratch->merge.faceCount;
    uint32_t edgeCount = 2 * ( vertexCount + faceCount - 2 ); // Euler
    size_t size = joHullBytes( vertexCount, faceCount, edgeCount );
    joHull3* made = joAllocateObject( allocator, size );
    if ( made == NULL )
    {
        return jo_errorOutOfMemory;
    }
    *made = ( joHull3 ){ .magic = JO_HULL_MAGIC,
        .byteCount = (uint32_t)size,
        .vertexCount = vertexCount,
        .paddedCount = ( vertexCount + JO_HULL_LANES - 1 ) / JO_HULL_LANES * JO_HULL_LANES,
        .faceCount = faceCount,
        .edgeCount = edgeCount,
        .tolerance = (float)scratch->merge.tolerance };
    fillVertices( made, scratch, points );
    if ( !( fillFaces( made, scratch ) >= LEAST_THICKNESS * scratch->merge.tolerance ) )
    {
        joFreeObject( allocator, made, size );
        return jo_errorFlatHull;
    }
    joFillHullMass( made );
    *hull = made;
    return jo_success;
}

static joResult build( Scratch* scratch, const joVec3* points, uint32_t pointCount,
    const joAllocator* allocator, joHull3** hull )
{
    double largest;
    if ( !fillGrid( scratch, points, pointCount, &largest ) )
    {
        return jo_errorFlatHull;
    }
    scratch->merge.builder = &scratch->builder;
    scratch->merge.points = points;
    scratch->merge.source = scratch->source;
    scratch->merge.tolerance = TOLERANCE * largest;
    joResult result = findHull( scratch );
    return result ? result : makeBlock( scratch, points, allocator, hull );
}

static joResult create( const joVec3* points, uint32_t pointCount, const joAllocator* allocator,
    joHull3** hull, uint32_t* badPoint )
{
    if ( points == NULL )
    {
        return jo_errorNullArgument;
    }
    if ( pointCount < 4 || pointCount > JO_MAX_HULL_POINTS3 )
    {
        return jo_errorBadCount;
    }
    if ( !joAllocator_IsValid( allocator ) )
    {
        return jo_errorBadDef;
    }
    joResult result = checkPoints( points, pointCount, badPoint );
    if ( result )
    {
        return result;
    }
    Scratch scratch;
    size_t size = layOut( &scratch, NULL, pointCount );
    char* memory = joAllocateObject( allocator, size );
    if ( memory == NULL )
    {
        return jo_errorOutOfMemory;
    }
    layOut( &scratch, memory, pointCount );
    result = build( &scratch, points, pointCount, allocator, hull );
    joFreeObject( allocator, memory, size );
    return result;
}

joResult joCreateHull3( const joVec3* points, uint32_t pointCount, const joAllocator* allocator,
    joHull3** hull, uint32_t* badPoint )
{
    uint32_t bad = JO_NULL_INDEX;
    if ( hull == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *hull = NULL;
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = create( points, pointCount, allocator, hull, &bad );
    joFloatEnv_Leave( env );
    if ( badPoint != NULL )
    {
        *badPoint = bad;
    }
    // That points are flat, or too many corners, shows only here: no misuse.
    bool isMisuse = result && result != jo_errorFlatHull && result != jo_errorTooManyVertices &&
                    result != jo_errorOutOfMemory;
    return isMisuse ? JO_MISUSE( result ) : result;
}

void joDestroyHull3( joHull3* hull, const joAllocator* allocator )
{
    if ( hull != NULL )
    {
        joFreeObject( allocator, hull, hull->byteCount );
    }
}
