// SPDX-License-Identifier: MIT
// Convex shapes against chains: overlap, contact, distance and cast, through the chain's hierarchy.
#include "base/assert.h"
#include "narrow_phase/chain_pair_2d.h"
#include "narrow_phase/dispatch.h"
#include "narrow_phase/shape_bounds.h"
#include "narrow_phase/shape_checks.h"
#include "narrow_phase/to_world.h"
#include "narrow_phase/tolerance.h"

#include <float.h>

static bool overlapChain( const joPlacedPair2* placed, joCollideCache* cache )
{
    (void)cache;
    joChainPair pair;
    joChainWalk walk;
    uint32_t segment;
    joMakeChainPair( &pair, placed );
    joStartChainWalk( &walk, &pair, 0.0 );
    while ( joNextSegment( &walk, &segment ) )
    {
        joSetSegment( &pair, segment );
        if ( joFindNearestOfSegment( &pair ).distance <= pair.radius )
        {
            return true;
        }
    }
    return false;
}

static void collideChain(
    const joPlacedPair2* placed, float margin, joCollideCache* cache, joManifold2* manifold )
{
    (void)cache;
    joChainPair pair;
    joMakeChainPair( &pair, placed );
    joFillChainManifold( &pair, (double)margin, manifold );
    joTurnManifold2( manifold );
}

// How far the bounds of the shape are from a box: no segment in it is nearer.
static double distanceToNode( const joChainPair* pair, uint32_t index )
{
    const joChainNode* node = pair->view.nodes + index;
    double x = joLargerOf( (double)node->lower[0] - (double)pair->bounds.upper.x,
        (double)pair->bounds.lower.x - (double)node->upper[0] );
    double y = joLargerOf( (double)node->lower[1] - (double)pair->bounds.upper.y,
        (double)pair->bounds.lower.y - (double)node->upper[1] );
    x = joLargerOf( x, 0.0 );
    y = joLargerOf( y, 0.0 );
    return sqrt( x * x + y * y );
}

// The nearest so far.
typedef struct Nearest
{
    joNearest2 nearest; // about the start of its segment
    joWide2 start;
    uint32_t segment;
} Nearest;

static void trySegment( joChainPair* pair, uint32_t segment, Nearest* best )
{
    joSetSegment( pair, segment );
    joNearest2 nearest = joFindNearestOfSegment( pair );
    if ( nearest.distance < best->nearest.distance )
    {
        *best = ( Nearest ){ nearest, pair->start, segment };
    }
}

static void takeNearest( const joChainPair* pair, const Nearest* best, joClosestPoints2* closest )
{
    const joNearest2* nearest = &best->nearest;
    double gap = nearest->distance - pair->radius;
    closest->child = best->segment;
    closest->status = nearest->isComplete ? jo_collideComplete : jo_collideIterationLimit;
    closest->pointB =
        joLocalPointToWorld2( &pair->frame, best->start.x + nearest->a[0], best->start.y + nearest->a[1] );
    closest->pointA = closest->pointB; // of the chain, within the shape
    closest->distance = 0.0f;
    if ( gap > 0.0 )
    {
        joWide2 onShape = { best->start.x + nearest->b[0], best->start.y + nearest->b[1] };
        closest->distance = (float)fmin( gap, (double)FLT_MAX );
        closest->pointA = joLocalPointToWorld2( &pair->frame, onShape.x - pair->radius * nearest->normal[0],
            onShape.y - pair->radius * nearest->normal[1] );
        closest->normal = joLocalDirectionToWorld2( &pair->frame, -nearest->normal[0], -nearest->normal[1] );
    }
}

static void distanceChain( const joPlacedPair2* placed, joCollideCache* cache, joClosestPoints2* closest )
{
    (void)cache;
    joChainPair pair;
    joMakeChainPair( &pair, placed );
    Nearest best = { .nearest = { .distance = INFINITY } };
    joChainRange stack[JO_CHAIN_MAX_DEPTH];
    uint32_t count = 1, begin, end;
    stack[0] = joWholeChain( &pair.view );
    while ( count > 0 && best.nearest.distance > pair.radius )
    {
        joChainRange range = stack[--count], halves[2];
        if ( distanceToNode( &pair, range.node ) > best.nearest.distance - pair.radius )
        {
            continue;
        }
        if ( range.count == 1 )
        {
            joSegmentsOfLeaf( &pair.view, range.first, &begin, &end );
            for ( uint32_t i = begin; i < end; ++i )
            {
                trySegment( &pair, i, &best );
            }
            continue;
        }
        // The nearer one is taken first.
        joHalveRange( range, halves );
        bool isSecond = distanceToNode( &pair, halves[1].node ) < distanceToNode( &pair, halves[0].node );
        stack[count++] = halves[isSecond ? 0 : 1];
        stack[count++] = halves[isSecond ? 1 : 0];
    }
    takeNearest( &pair, &best, closest );
}

typedef struct Cast
{
    joChainPair* pair;
    joVec2 motion; // of the chain, in the world
    joWide2 local; // of the shape against the chain, in the frame of the chain
    double length; // of the motion
    bool isOut;    // it touches at the start
    double into; // then: how squarely it goes into the touched segment that is the hit, or what is too little
    joCastHit2* hit; // the first so far
} Cast;

// Where the bounds of the shape enter a box on their way, as a fraction of it; +inf: not, or after the limit.
static double enterBox( const Cast* cast, const joChainNode* node, double limit )
{
    const joBounds2* bounds = &cast->pair->bounds;
    const double motions[2] = { cast->local.x, cast->local.y };
    double enter = 0.0, leave = limit;
    for ( int k = 0; k < 2; ++k )
    {
        double lower = (double)node->lower[k] - (double)( &bounds->upper.x )[k];
        double upper = (double)node->upper[k] - (double)( &bounds->lower.x )[k];
        // What is parallel to a side and within rounding of it is met.
        double slop = (double)FLT_EPSILON * ( fabs( lower ) + fabs( upper ) );
        if ( motions[k] == 0.0 )
        {
            enter = lower > slop || upper < -slop ? INFINITY : enter;
            continue;
        }
        double first = ( lower - slop ) / motions[k], last = ( upper + slop ) / motions[k];
        enter = joLargerOf( enter, joSmallerOf( first, last ) );
        leave = joSmallerOf( leave, joLargerOf( first, last ) );
    }
    return enter <= leave ? enter : INFINITY;
}

// A shape that meets a segment along a direction that does not count is nearer to a neighbour, which it meets
// first; or it passes over a joint within rounding. As over a face, it meets the segment only if it goes into
// it. False: it does not.
static bool meetsFace( const Cast* cast, joCastHit2* hit )
{
    const joChainPair* pair = cast->pair;
    const joPose2* frame = &pair->frame;
    const joWide2 normal = { -( frame->c * (double)hit->normal.x + frame->s * (double)hit->normal.y ),
        -( frame->c * (double)hit->normal.y - frame->s * (double)hit->normal.x ) };
    bool isFace;
    if ( joIsOpenSide( pair, normal, &isFace ) && !isFace )
    {
        return true;
    }
    double fraction = (double)hit->fraction;
    double height = joDot2( pair->normal, joAddScaled2( pair->offset, fraction, cast->local ) );
    joWide2 face = joScale2( height < 0.0 ? -1.0 : 1.0, pair->normal );
    hit->normal = joLocalDirectionToWorld2( frame, -face.x, -face.y );
    return -joDot2( face, cast->local ) > JO_CAST_SLOP * pair->size + JO_CAST_MOTION_SLOP * cast->length;
}

static joChainNode boxOf( const joVec2* points )
{
    joVec2 a = points[0], b = points[1];
    return ( joChainNode ){
        { a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y }, { a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y } };
}

// The end of the way on which a hit is the first.
static double limitOf( const Cast* cast )
{
    return cast->hit->isHit ? (double)cast->hit->fraction : 1.0;
}

// A segment that is touched at the start stops only what goes into it; of several the one that is gone into
// most squarely. False: it is not touched.
static bool meetTouched( Cast* cast, uint32_t segment )
{
    joChainPair* pair = cast->pair;
    joSetSegment( pair, segment );
    if ( joFindNearestOfSegment( pair ).distance > pair->radius )
    {
        return false;
    }
    joChainTouch touch;
    joManifold2 manifold = { .status = jo_collideComplete };
    const double into = joTouchSegment( pair, 0.0, &touch, &manifold.status )
                            ? -joDot2( touch.normal, cast->local ) / cast->length
                            : 0.0;
    if ( into > cast->into )
    {
        cast->into = into;
        joFillSegmentManifold( pair, &touch, 0.0, &manifold );
        joTurnManifold2( &manifold );
        joTakeTouch2( &manifold, cast->hit );
    }
    return true;
}

static void castAtSegment( Cast* cast, uint32_t segment )
{
    joChainPair* pair = cast->pair;
    joCastHit2 hit = { .fraction = 1.0f };
    const joVec2* points = pair->view.points + segment;
    const joChainNode box = boxOf( points );
    if ( isinf( enterBox( cast, &box, limitOf( cast ) ) ) || ( cast->isOut && meetTouched( cast, segment ) ) )
    {
        return;
    }
    const joShape2 shape = { .kind = jo_segmentShape2, .segment = { points[0], points[1] } };
    const joPlacedPair2 placed = { pair->placed.a, &shape, pair->placed.poseA, pair->placed.poseB };
    joConvexConvex2.cast( &placed, cast->motion, NULL, &hit );
    bool isFirst = !cast->hit->isHit || hit.fraction < cast->hit->fraction;
    cast->hit->status = hit.status != jo_collideComplete ? hit.status : cast->hit->status;
    if ( !hit.isHit || !isFirst )
    {
        return;
    }
    joSetSegment( pair, segment );
    if ( meetsFace( cast, &hit ) )
    {
        hit.status = cast->hit->status;
        hit.child = segment;
        *cast->hit = hit;
    }
}

static void castAt( const joPlacedPair2* placed, joVec2 motion, bool isOut, double along, joCastHit2* hit )
{
    joChainPair pair;
    joMakeChainPair( &pair, placed );
    joWide2 way = joWiden2( motion );
    Cast cast = { .pair = &pair,
        .motion = motion,
        .local = { -( pair.frame.c * way.x + pair.frame.s * way.y ),
            -( pair.frame.c * way.y - pair.frame.s * way.x ) },
        .length = joLength2( way ),
        .isOut = isOut,
        .into = along,
        .hit = hit };
    joChainRange stack[JO_CHAIN_MAX_DEPTH];
    uint32_t count = 1, begin, end;
    stack[0] = joWholeChain( &pair.view );
    while ( count > 0 )
    {
        joChainRange range = stack[--count], halves[2];
        const joChainNode* nodes = pair.view.nodes;
        if ( isinf( enterBox( &cast, nodes + range.node, limitOf( &cast ) ) ) )
        {
            continue;
        }
        if ( range.count == 1 )
        {
            joSegmentsOfLeaf( &pair.view, range.first, &begin, &end );
            for ( uint32_t i = begin; i < end; ++i )
            {
                castAtSegment( &cast, i );
            }
            continue;
        }
        joHalveRange( range, halves );
        double limit = limitOf( &cast ), first = enterBox( &cast, nodes + halves[0].node, limit );
        bool isSecond = enterBox( &cast, nodes + halves[1].node, limit ) < first;
        stack[count++] = halves[isSecond ? 0 : 1];
        stack[count++] = halves[isSecond ? 1 : 0];
    }
}

static void castChain( const joPlacedPair2* placed, joVec2 motion, joCollideCache* cache, joCastHit2* hit )
{
    (void)cache;
    castAt( placed, motion, false, 0.0, hit );
}

void joCastOutOfChain( const joPlacedPair2* placed, joVec2 motion, double along, joCastHit2* hit )
{
    castAt( placed, motion, true, along, hit );
}

const joPairFunctions2 joConvexChain2 = { overlapChain, collideChain, distanceChain, castChain };

static void collideSegments( const joPlacedPair2* placed, double margin, joChainContact2* contacts,
    uint32_t capacity, uint32_t* count )
{
    joChainPair pair;
    joChainWalk walk;
    joChainTouch touch;
    uint32_t segment;
    joMakeChainPair( &pair, placed );
    joStartChainWalk( &walk, &pair, margin );
    while ( joNextSegment( &walk, &segment ) )
    {
        joChainContact2 contact = { .segment = segment, .manifold = { .status = jo_collideComplete } };
        joSetSegment( &pair, segment );
        if ( !joTouchSegment( &pair, margin, &touch, &contact.manifold.status ) )
        {
            continue;
        }
        if ( *count < capacity )
        {
            joFillSegmentManifold( &pair, &touch, margin, &contact.manifold );
            contacts[*count] = contact;
        }
        *count += 1;
    }
}

joResult joCollideChain2( const joChain2* chain, const joTransform2* poseChain, const joShape2* shape,
    const joTransform2* poseShape, float margin, joChainContact2* contacts, uint32_t capacity,
    uint32_t* count )
{
    if ( count == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *count = 0;
    joFloatEnv env = joFloatEnv_Enter();
    const joResult checks[] = { contacts == NULL && capacity > 0 ? jo_errorNullArgument : jo_success,
        joCheckChain2( chain ), joCheckTransform2( poseChain ), joCheckShape2( shape ),
        joCheckTransform2( poseShape ), joCheckMargin( margin ) };
    joResult result = joFirstError( checks, sizeof( checks ) / sizeof( checks[0] ) );
    if ( !result && shape->kind == jo_chainShape2 )
    {
        result = jo_errorNoSuchPair;
    }
    if ( !result )
    {
        const joShape2 other = { .kind = jo_chainShape2, .chain = chain };
        const joPlacedPair2 placed = { shape, &other, poseShape, poseChain };
        collideSegments( &placed, (double)margin, contacts, capacity, count );
    }
    return joLeaveCall( env, result );
}
