// SPDX-License-Identifier: MIT
// Rays at chains. Boxes are tested in the frame of the chain, segments about the start of the ray as those of
// other shapes are; all in double.
#include "base/assert.h"
#include "narrow_phase/chain_2d.h"
#include "narrow_phase/shape_checks.h"
#include "narrow_phase/shape_rays_2d.h"

// Boxes are larger by this share of the coordinates: more than what rounding moves a point of the ray.
#define BOX_SLOP 1e-14

typedef struct ChainRay
{
    joChainView view;
    joPose2 turn; // of the chain
    joFlatRay ray;
    joWide2 start; // of the ray, from the position of the chain
    // Of the ray, in the frame of the chain.
    double origin[2];
    double unit[2];
    joFlatHit found;
    uint32_t segment;
} ChainRay;

// Where the ray enters a box; +inf: it does not, or beyond what is found.
static double enterNode( const ChainRay* cast, uint32_t index )
{
    const joChainNode* node = cast->view.nodes + index;
    double lower[2], upper[2], slop = 0.0;
    for ( int k = 0; k < 2; ++k )
    {
        lower[k] = (double)node->lower[k] - cast->origin[k];
        upper[k] = (double)node->upper[k] - cast->origin[k];
        slop += BOX_SLOP * ( fabs( cast->origin[k] ) + fabs( lower[k] ) + fabs( upper[k] ) );
    }
    double enter = 0.0, leave = fmin( (double)cast->ray.length, cast->found.distance );
    for ( int k = 0; k < 2; ++k )
    {
        if ( fabs( cast->unit[k] ) < BOX_SLOP )
        {
            enter = lower[k] > slop || upper[k] < -slop ? INFINITY : enter;
            continue;
        }
        double first = ( lower[k] - slop ) / cast->unit[k], last = ( upper[k] + slop ) / cast->unit[k];
        enter = fmax( enter, fmin( first, last ) );
        leave = fmin( leave, fmax( first, last ) );
    }
    return enter <= leave * ( 1.0 + BOX_SLOP ) ? enter : INFINITY;
}

static joWide2 pointOf( const ChainRay* cast, uint32_t i )
{
    return joSubtract2( joTurn2( &cast->turn, joWiden2( cast->view.points[i] ) ), cast->start );
}

static void tryLeaf( ChainRay* cast, uint32_t leaf )
{
    uint32_t begin, end;
    joSegmentsOfLeaf( &cast->view, leaf, &begin, &end );
    joWide2 from = pointOf( cast, begin );
    for ( uint32_t i = begin; i < end; ++i )
    {
        joWide2 to = pointOf( cast, i + 1 );
        joFlatHit hit = { .distance = INFINITY };
        joCrossEdge2( &cast->ray, from, to, &hit );
        if ( hit.distance < cast->found.distance ||
             ( hit.distance == cast->found.distance && i < cast->segment ) )
        {
            cast->found = hit;
            cast->segment = i;
        }
        from = to;
    }
}

static void findFirst( ChainRay* cast )
{
    joChainRange stack[JO_CHAIN_MAX_DEPTH];
    uint32_t count = 1;
    stack[0] = joWholeChain( &cast->view );
    while ( count > 0 )
    {
        joChainRange range = stack[--count], halves[2];
        if ( isinf( enterNode( cast, range.node ) ) )
        {
            continue;
        }
        if ( range.count == 1 )
        {
            tryLeaf( cast, range.first );
            continue;
        }
        // The nearer one is taken first.
        joHalveRange( range, halves );
        bool isSecond = enterNode( cast, halves[1].node ) < enterNode( cast, halves[0].node );
        stack[count++] = halves[isSecond ? 0 : 1];
        stack[count++] = halves[isSecond ? 1 : 0];
    }
}

void joCastRayInto2( const joChain2* chain, const joTransform2* pose, const joRay* ray, joChainRayHit2* hit )
{
    ChainRay cast = { .view = joViewChain( chain ),
        .turn = joWidenPose2( *pose ),
        .ray = joMakeFlatRay( ray ),
        .found = { .distance = INFINITY },
        .segment = JO_NULL_INDEX };
    cast.start = joSubtract2( cast.ray.origin, joWiden2( pose->position ) );
    cast.origin[0] = cast.turn.c * cast.start.x + cast.turn.s * cast.start.y;
    cast.origin[1] = cast.turn.c * cast.start.y - cast.turn.s * cast.start.x;
    cast.unit[0] = cast.turn.c * cast.ray.unit.x + cast.turn.s * cast.ray.unit.y;
    cast.unit[1] = cast.turn.c * cast.ray.unit.y - cast.turn.s * cast.ray.unit.x;
    findFirst( &cast );
    joTakeFlatHit( &cast.ray, &cast.found, &hit->hit );
    hit->segment = isinf( hit->hit.distance ) ? JO_NULL_INDEX : cast.segment;
    hit->hit.child = isinf( hit->hit.distance ) ? 0 : cast.segment;
}

joResult joCastRayAtChain2(
    const joChain2* chain, const joTransform2* pose, const joRay* ray, joChainRayHit2* hit )
{
    if ( hit == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *hit = ( joChainRayHit2 ){ .hit = { .distance = INFINITY }, .segment = JO_NULL_INDEX };
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = joCheckChain2( chain );
    result = result ? result : joCheckTransform2( pose );
    result = result ? result : joCheckShapeRay( ray, 2 );
    if ( !result )
    {
        joCastRayInto2( chain, pose, ray, hit );
    }
    joFloatEnv_Leave( env );
    return result ? JO_MISUSE( result ) : jo_success;
}
