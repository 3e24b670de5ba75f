// SPDX-License-Identifier: MIT
// The chain in 2D: its block, made and checked, its bounds and support point.
#include "narrow_phase/chain_2d.h"

#include "base/assert.h"
#include "base/memory.h"
#include "narrow_phase/shape_bounds.h"
#include "narrow_phase/shape_checks.h"

#include <string.h>

#define HEADER_BYTES 64

_Static_assert( sizeof( joChain2 ) == HEADER_BYTES, "arrays begin at a cache line" );
_Static_assert( sizeof( joChainNode ) == 16, "no holes in a block" );

static uint32_t countNodes( uint32_t segmentCount )
{
    return 2 * joCountLeaves( segmentCount ) - 1;
}

size_t joChainBytes( uint32_t segmentCount )
{
    size_t bytes = HEADER_BYTES + ( (size_t)segmentCount + 1 ) * sizeof( joVec2 ) +
                   countNodes( segmentCount ) * sizeof( joChainNode );
    return ( bytes + 63 ) / 64 * 64;
}

joChainView joViewChain( const joChain2* chain )
{
    joChainView view = { .points = (const joVec2*)(const void*)( (const char*)chain + HEADER_BYTES ),
        .segmentCount = chain->segmentCount,
        .isLoop = chain->isLoop != 0 };
    view.nodes = (const joChainNode*)(const void*)( view.points + chain->segmentCount + 1 );
    return view;
}

static joChainNode makeLeaf( const joChainView* view, uint32_t leaf )
{
    uint32_t begin, end;
    joSegmentsOfLeaf( view, leaf, &begin, &end );
    joVec2 p = view->points[begin];
    joChainNode node = { { p.x, p.y }, { p.x, p.y } };
    for ( uint32_t i = begin + 1; i <= end; ++i )
    {
        p = view->points[i];
        node.lower[0] = p.x < node.lower[0] ? p.x : node.lower[0];
        node.lower[1] = p.y < node.lower[1] ? p.y : node.lower[1];
        node.upper[0] = p.x > node.upper[0] ? p.x : node.upper[0];
        node.upper[1] = p.y > node.upper[1] ? p.y : node.upper[1];
    }
    return node;
}

static joChainNode joinNodes( const joChainNode* a, const joChainNode* b )
{
    joChainNode node = *a;
    for ( int k = 0; k < 2; ++k )
    {
        node.lower[k] = b->lower[k] < node.lower[k] ? b->lower[k] : node.lower[k];
        node.upper[k] = b->upper[k] > node.upper[k] ? b->upper[k] : node.upper[k];
    }
    return node;
}

// Calls itself no deeper than JO_CHAIN_MAX_DEPTH.
static void makeNodes( const joChainView* view, joChainRange range, joChainNode* nodes )
{
    if ( range.count == 1 )
    {
        nodes[range.node] = makeLeaf( view, range.first );
        return;
    }
    joChainRange halves[2];
    joHalveRange( range, halves );
    makeNodes( view, halves[0], nodes );
    makeNodes( view, halves[1], nodes );
    nodes[range.node] = joinNodes( nodes + halves[0].node, nodes + halves[1].node );
}

static bool isSamePoint( joVec2 a, joVec2 b )
{
    return a.x == b.x && a.y == b.y;
}

static joResult checkPoints( const joVec2* points, uint32_t count, bool isLoop, uint32_t* bad )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        const float numbers[2] = { points[i].x, points[i].y };
        joResult result = joCheckNumbers( numbers, 2, JO_MAX_SIZE, jo_errorBadShape );
        bool isRepeated = i > 0 && isSamePoint( points[i], points[i - 1] );
        isRepeated = isRepeated || ( isLoop && i == count - 1 && isSamePoint( points[i], points[0] ) );
        if ( result || isRepeated )
        {
            *bad = i;
            return result ? result : jo_errorRepeatedPoint;
        }
    }
    return jo_success;
}

static joResult create( const joVec2* points, uint32_t count, bool isLoop, const joAllocator* allocator,
    joChain2** made, uint32_t* bad )
{
    if ( points == NULL )
    {
        return jo_errorNullArgument;
    }
    if ( count < ( isLoop ? 3u : 2u ) || count > JO_MAX_CHAIN_POINTS2 )
    {
        return jo_errorBadCount;
    }
    joResult result =
        joAllocator_IsValid( allocator ) ? checkPoints( points, count, isLoop, bad ) : jo_errorBadDef;
    if ( result )
    {
        return result;
    }
    uint32_t segmentCount = isLoop ? count : count - 1;
    size_t size = joChainBytes( segmentCount );
    joChain2* chain = joAllocateObject( allocator, size );
    if ( chain == NULL )
    {
        return jo_errorOutOfMemory;
    }
    memset( chain, 0, size );
    *chain = ( joChain2 ){ .magic = JO_CHAIN_MAGIC,
        .segmentCount = segmentCount,
        .isLoop = isLoop,
        .nodeCount = countNodes( segmentCount ),
        .byteCount = size };
    joChainView view = joViewChain( chain );
    joVec2* own = (joVec2*)(void*)view.points;
    memcpy( own, points, count * sizeof( *points ) );
    own[segmentCount] = points[isLoop ? 0 : segmentCount];
    for ( uint32_t i = 0; i < count; ++i )
    {
        chain->reach = joLargerOf( chain->reach, joLength2( joWiden2( points[i] ) ) );
    }
    makeNodes( &view, joWholeChain( &view ), (joChainNode*)(void*)view.nodes );
    *made = chain;
    return jo_success;
}

joResult joCreateChain2( const joVec2* points, uint32_t count, bool isLoop, const joAllocator* allocator,
    joChain2** chain, uint32_t* bad )
{
    uint32_t badIndex = JO_NULL_INDEX;
    if ( chain == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *chain = NULL;
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = create( points, count, isLoop, allocator, chain, &badIndex );
    joFloatEnv_Leave( env );
    if ( bad != NULL )
    {
        *bad = badIndex;
    }
    return result && result != jo_errorOutOfMemory ? JO_MISUSE( result ) : result;
}

void joDestroyChain2( joChain2* chain, const joAllocator* allocator )
{
    if ( chain != NULL )
    {
        joFreeObject( allocator, chain, (size_t)chain->byteCount );
    }
}

joResult joCheckChain2( const joChain2* chain )
{
    return chain == NULL                    ? jo_errorNullArgument
           : chain->magic != JO_CHAIN_MAGIC ? jo_errorBadShape
                                            : jo_success;
}

static bool hasValidHeader( const joChain2* chain, size_t size )
{
    return chain->magic == JO_CHAIN_MAGIC && chain->isLoop <= 1 &&
           chain->segmentCount >= ( chain->isLoop ? 3u : 1u ) &&
           chain->segmentCount <= JO_MAX_CHAIN_POINTS2 &&
           chain->nodeCount == countNodes( chain->segmentCount ) && chain->byteCount == size &&
           size == joChainBytes( chain->segmentCount );
}

static bool hasValidPoints( const joChain2* chain, const joChainView* view )
{
    for ( uint32_t i = 0; i <= view->segmentCount; ++i )
    {
        joVec2 p = view->points[i];
        bool isFinite = fabsf( p.x ) <= JO_MAX_SIZE && fabsf( p.y ) <= JO_MAX_SIZE;
        if ( !isFinite || !( joLength2( joWiden2( p ) ) <= chain->reach ) ||
             ( i > 0 && isSamePoint( p, view->points[i - 1] ) ) )
        {
            return false;
        }
    }
    return chain->reach <= 2.0 * (double)JO_MAX_SIZE &&
           ( !view->isLoop || isSamePoint( view->points[0], view->points[view->segmentCount] ) );
}

static bool isWithin( const joChainNode* node, const joChainNode* outer )
{
    for ( int k = 0; k < 2; ++k )
    {
        if ( !( node->lower[k] >= outer->lower[k] && node->upper[k] <= outer->upper[k] ) )
        {
            return false;
        }
    }
    return true;
}

static bool hasValidNodes( const joChainView* view )
{
    joChainRange stack[JO_CHAIN_MAX_DEPTH];
    uint32_t count = 1;
    stack[0] = joWholeChain( view );
    while ( count > 0 )
    {
        joChainRange range = stack[--count], halves[2];
        const joChainNode* node = view->nodes + range.node;
        if ( range.count == 1 )
        {
            joChainNode leaf = makeLeaf( view, range.first );
            if ( !isWithin( &leaf, node ) )
            {
                return false;
            }
            continue;
        }
        joHalveRange( range, halves );
        for ( int half = 0; half < 2; ++half )
        {
            if ( !isWithin( view->nodes + halves[half].node, node ) )
            {
                return false;
            }
            stack[count++] = halves[half];
        }
    }
    return true;
}

joResult joValidateChain2( const void* block, size_t size )
{
    if ( block == NULL )
    {
        return jo_errorNullArgument;
    }
    const joChain2* chain = block;
    if ( size < sizeof( *chain ) || !hasValidHeader( chain, size ) )
    {
        return jo_errorBadShape;
    }
    joFloatEnv env = joFloatEnv_Enter();
    joChainView view = joViewChain( chain );
    bool isValid = hasValidPoints( chain, &view ) && hasValidNodes( &view );
    joFloatEnv_Leave( env );
    return isValid ? jo_success : jo_errorBadShape;
}

size_t joChain2_GetSize( const joChain2* chain )
{
    return (size_t)chain->byteCount;
}

uint32_t joChain2_GetSegmentCount( const joChain2* chain )
{
    return chain->segmentCount;
}

static double heightOf( joWide2 direction, float x, float y )
{
    return direction.x * (double)x + direction.y * (double)y;
}

// No point in the box is higher: rounding keeps the order of what it rounds.
static double highestOf( const joChainNode* node, joWide2 direction )
{
    return heightOf( direction, direction.x > 0.0 ? node->upper[0] : node->lower[0],
        direction.y > 0.0 ? node->upper[1] : node->lower[1] );
}

// The point that lies farthest in a direction; of those that are equally far one, always the same.
static joVec2 findFarthest( const joChainView* view, joWide2 direction )
{
    joChainRange stack[JO_CHAIN_MAX_DEPTH];
    uint32_t count = 1, begin, end;
    double most = -INFINITY;
    joVec2 farthest = view->points[0];
    stack[0] = joWholeChain( view );
    while ( count > 0 )
    {
        joChainRange range = stack[--count], halves[2];
        if ( !( highestOf( view->nodes + range.node, direction ) > most ) )
        {
            continue;
        }
        if ( range.count > 1 )
        {
            joHalveRange( range, halves );
            bool isSecond = highestOf( view->nodes + halves[1].node, direction ) >
                            highestOf( view->nodes + halves[0].node, direction );
            stack[count++] = halves[isSecond ? 0 : 1];
            stack[count++] = halves[isSecond ? 1 : 0];
            continue;
        }
        joSegmentsOfLeaf( view, range.first, &begin, &end );
        for ( uint32_t i = begin; i <= end; ++i )
        {
            double height = heightOf( direction, view->points[i].x, view->points[i].y );
            farthest = height > most ? view->points[i] : farthest;
            most = joLargerOf( most, height );
        }
    }
    return farthest;
}

joVec2 joFindChainSupport2( const joChain2* chain, joVec2 direction )
{
    joFloatEnv env = joFloatEnv_Enter();
    joChainView view = joViewChain( chain );
    joVec2 support = findFarthest( &view, joWiden2( direction ) );
    joFloatEnv_Leave( env );
    return support;
}

joBounds2 joComputeChainBounds2( const joChain2* chain, joTransform2 pose )
{
    return joComputeChainSweptBounds2( chain, pose, pose );
}

static joBounds2 straightBounds( const joChainView* view, const joTransform2* from, const joTransform2* to )
{
    joPose2 turn = joWidenPose2( *from );
    // The axes of the world as the chain sees them.
    const joWide2 axes[2] = { { turn.c, -turn.s }, { turn.s, turn.c } };
    const double first[2] = { (double)from->position.x, (double)from->position.y };
    const double last[2] = { (double)to->position.x, (double)to->position.y };
    double lower[2], upper[2];
    for ( int k = 0; k < 2; ++k )
    {
        joVec2 least = findFarthest( view, joScale2( -1.0, axes[k] ) ), most = findFarthest( view, axes[k] );
        lower[k] = joSmallerOf( first[k], last[k] ) + joDot2( axes[k], joWiden2( least ) );
        upper[k] = joLargerOf( first[k], last[k] ) + joDot2( axes[k], joWiden2( most ) );
    }
    return joRoundBounds2( lower, upper );
}

joBounds2 joComputeChainSweptBounds2( const joChain2* chain, joTransform2 from, joTransform2 to )
{
    joFloatEnv env = joFloatEnv_Enter();
    joChainView view = joViewChain( chain );
    joBounds2 bounds = joHaveSameRotation2( &from, &to ) ? straightBounds( &view, &from, &to )
                                                         : joComputeReachBounds2( &from, &to, chain->reach );
    joFloatEnv_Leave( env );
    return bounds;
}
