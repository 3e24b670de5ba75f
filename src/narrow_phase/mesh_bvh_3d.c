// SPDX-License-Identifier: MIT
// The hierarchy of a mesh: top down, split at the plane of 16 bins on each axis that the surface area
// heuristic likes best (Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007).
#include "narrow_phase/mesh_3d.h"

#include <string.h>

#define BINS 16
// Below it splits are chosen by the heuristic, which may be lopsided; further down they halve. Of
// JO_MAX_MESH_TRIANGLES3 = 2^24 triangles halving goes 24 deep.
#define HEURISTIC_DEPTH ( JO_MESH_MAX_DEPTH - 26 )

typedef struct Range
{
    uint32_t node, first, count, depth;
} Range;

typedef struct Split
{
    double cost;
    int axis; // -1: none
    uint32_t bin;
    double lower, scale; // of the axis: bin = ( centre - lower ) * scale
} Split;

static joBounds3 emptyBounds( void )
{
    return ( joBounds3 ){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}

static void growBounds( joBounds3* bounds, const joBounds3* by )
{
    float* lower = &bounds->lower.x;
    float* upper = &bounds->upper.x;
    for ( int k = 0; k < 3; ++k )
    {
        float least = ( &by->lower.x )[k], most = ( &by->upper.x )[k];
        lower[k] = least < lower[k] ? least : lower[k];
        upper[k] = most > upper[k] ? most : upper[k];
    }
}

static double areaOf( const joBounds3* bounds )
{
    double x = (double)bounds->upper.x - (double)bounds->lower.x;
    double y = (double)bounds->upper.y - (double)bounds->lower.y;
    double z = (double)bounds->upper.z - (double)bounds->lower.z;
    return x * y + y * z + z * x;
}

static double centerOf( const joMeshBoxes* boxes, uint32_t triangle, int axis )
{
    const joBounds3* bounds = boxes->bounds + triangle;
    return 0.5 * ( (double)( &bounds->lower.x )[axis] + (double)( &bounds->upper.x )[axis] );
}

static uint32_t binOf( const Split* split, double center )
{
    uint32_t bin = (uint32_t)( ( center - split->lower ) * split->scale );
    return bin < BINS ? bin : BINS - 1;
}

// The best plane on one axis, if it is better than *best.
static void tryAxis( const joMeshBoxes* boxes, const Range* range, int axis, Split* best )
{
    double lower = INFINITY, upper = -INFINITY;
    for ( uint32_t i = 0; i < range->count; ++i )
    {
        double center = centerOf( boxes, boxes->order[range->first + i], axis );
        lower = center < lower ? center : lower;
        upper = center > upper ? center : upper;
    }
    if ( !( upper > lower ) )
    {
        return;
    }
    Split split = { .axis = axis, .lower = lower, .scale = BINS / ( upper - lower ) };
    joBounds3 bounds[BINS];
    uint32_t counts[BINS] = { 0 };
    for ( int i = 0; i < BINS; ++i )
    {
        bounds[i] = emptyBounds();
    }
    for ( uint32_t i = 0; i < range->count; ++i )
    {
        uint32_t triangle = boxes->order[range->first + i];
        uint32_t bin = binOf( &split, centerOf( boxes, triangle, axis ) );
        counts[bin] += 1;
        growBounds( bounds + bin, boxes->bounds + triangle );
    }
    double costs[BINS]; // of what is in the bins above each
    joBounds3 side = emptyBounds();
    uint32_t count = 0;
    for ( int i = BINS - 1; i > 0; --i )
    {
        growBounds( &side, bounds + i );
        count += counts[i];
        costs[i - 1] = count > 0 ? areaOf( &side ) * count : INFINITY;
    }
    side = emptyBounds();
    count = 0;
    for ( uint32_t i = 0; i + 1 < BINS; ++i )
    {
        growBounds( &side, bounds + i );
        count += counts[i];
        split.cost = count > 0 ? areaOf( &side ) * count + costs[i] : INFINITY;
        if ( split.cost < best->cost )
        {
            split.bin = i;
            *best = split;
        }
    }
}

// Puts what is in the lower bins first. Returns how many these are.
static uint32_t partition( joMeshBoxes* boxes, const Range* range, const Split* split )
{
    uint32_t* order = boxes->order + range->first;
    uint32_t lower = 0, upper = range->count;
    while ( lower < upper )
    {
        uint32_t triangle = order[lower];
        if ( binOf( split, centerOf( boxes, triangle, split->axis ) ) <= split->bin )
        {
            lower += 1;
            continue;
        }
        upper -= 1;
        order[lower] = order[upper];
        order[upper] = triangle;
    }
    return lower;
}

// How many of the range go into the first child; 0: it is a leaf.
static uint32_t splitRange( joMeshBoxes* boxes, const Range* range, double area )
{
    if ( range->count <= 1 )
    {
        return 0;
    }
    Split best = { .cost = INFINITY, .axis = -1 };
    for ( int axis = 0; axis < 3 && range->depth < HEURISTIC_DEPTH; ++axis )
    {
        tryAxis( boxes, range, axis, &best );
    }
    // A box costs as much to test as a triangle.
    bool isWorthIt = best.cost + area < area * range->count;
    if ( !isWorthIt && range->count <= JO_MESH_MAX_LEAF )
    {
        return 0;
    }
    return best.axis >= 0 ? partition( boxes, range, &best ) : range->count / 2;
}

uint32_t joBuildMeshNodes( joMeshBoxes* boxes, joMeshNode* nodes )
{
    Range stack[JO_MESH_MAX_DEPTH + 1];
    uint32_t stackCount = 1, nodeCount = 1;
    stack[0] = ( Range ){ 0, 0, boxes->count, 0 };
    while ( stackCount > 0 )
    {
        Range range = stack[--stackCount];
        joBounds3 bounds = emptyBounds();
        for ( uint32_t i = 0; i < range.count; ++i )
        {
            growBounds( &bounds, boxes->bounds + boxes->order[range.first + i] );
        }
        joMeshNode* node = nodes + range.node;
        memcpy( node->lower, &bounds.lower, sizeof( node->lower ) );
        memcpy( node->upper, &bounds.upper, sizeof( node->upper ) );
        uint32_t firstCount = splitRange( boxes, &range, areaOf( &bounds ) );
        node->first = firstCount > 0 ? nodeCount : range.first;
        node->count = firstCount > 0 ? 0 : range.count;
        if ( firstCount > 0 )
        {
            stack[stackCount++] = ( Range ){
                nodeCount + 1, range.first + firstCount, range.count - firstCount, range.depth + 1 };
            stack[stackCount++] = ( Range ){ nodeCount, range.first, firstCount, range.depth + 1 };
            nodeCount += 2;
        }
    }
    return nodeCount;
}
