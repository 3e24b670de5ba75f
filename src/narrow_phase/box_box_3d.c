// SPDX-License-Identifier: MIT
// Box against box in 3D, one pair: the separating axes and contact points of the kernels (simd/box_axes.inl)
// in one lane, so that batches give the same bits; and what a cached axis can save.
#include "base/assert.h"
#include "base/float_env.h"
#include "jostle/collide.h"
#include "narrow_phase/dispatch_3d.h"
#include "narrow_phase/placed_box.h"
#include "narrow_phase/shape_checks.h"
#include "narrow_phase/tolerance.h"
#include "simd/kernels.h"

// All lanes hold the one pair. Vectors serve it for what they do without a branch: which axis, face and point
// is taken changes from pair to pair, and a branch for each choice costs more than all choices.
#if defined( __SSE2__ )
#include <emmintrin.h>

#include "simd/lanes_sse2.h"
#define JO_LANES 4
#else
#include "simd/lanes_scalar.h"
#define JO_LANES 1
#endif
#define JO_ALL_LANES ( ( UINT32_C( 1 ) << JO_LANES ) - 1 )
#include "simd/box_axes.inl"
#include "simd/box_contacts.inl"

// A cached axis parts a pair on its own where it does so by this share of the sizes and the margin, which is
// more than the rounding by which it may differ from the answer without it.
#define CACHE_SLOP 1e-5f

static joResult checkInput(
    const joBox3* a, const joTransform3* poseA, const joBox3* b, const joTransform3* poseB )
{
    if ( a != NULL && poseA != NULL && b != NULL && poseB != NULL && joIsPlainBox( a, poseA ) &&
         joIsPlainBox( b, poseB ) )
    {
        return jo_success;
    }
    joResult result = joCheckBox3( a );
    result = result ? result : joCheckTransform3( poseA );
    result = result ? result : joCheckBox3( b );
    return result ? result : joCheckTransform3( poseB );
}

static JoFloats overlapOn( const JoBoxPair* p, int axis )
{
    if ( axis < JO_BOX_EDGES )
    {
        return axis < JO_BOX_FACE_B ? overlapOnFaceA( p, axis ) : overlapOnFaceB( p, axis - JO_BOX_FACE_B );
    }
    JoEdgeOverlap edges = overlapOnEdges( p, ( axis - JO_BOX_EDGES ) / 3, ( axis - JO_BOX_EDGES ) % 3 );
    return choose( isLess( spread( JO_PARALLEL_SINE_SQ ), edges.sineSq ),
        divide( edges.overlap, squareRoot( edges.sineSq ) ), spread( 0.0f ) );
}

// The two boxes of a call, 0 and 1.
typedef struct TwoBoxes
{
    joPlacedBox boxes[2];
    joBoxRest rests[2];
} TwoBoxes;

static TwoBoxes placeBoth(
    const joBox3* a, const joTransform3* poseA, const joBox3* b, const joTransform3* poseB )
{
    TwoBoxes two;
    joPlaceBox( a, poseA, two.boxes, two.rests );
    joPlaceBox( b, poseB, two.boxes + 1, two.rests + 1 );
    return two;
}

static JoBoxLanes lanesOfBox( const TwoBoxes* two, uint32_t which )
{
    const joPlacedBoxes placed = { two->boxes, two->rests };
    JoBoxLanes lanes;
    gatherBoxes( &placed, &which, 0, &lanes );
    return lanes;
}

// Whether they are not farther apart than the margin. Asks the axis first that decided the last time: of a
// pair that stays apart it says so alone.
static bool testPair( const TwoBoxes* two, float margin, joCollideCache* cache, JoBoxLanes* lanesA,
    JoBoxLanes* lanesB, JoBoxPair* p, JoBoxAxis* least )
{
    *lanesA = lanesOfBox( two, 0 );
    *lanesB = lanesOfBox( two, 1 );
    JoFloats between[3];
    if ( !relatePositions( lanesA, lanesB, margin, JO_AXIS_TIE, p, between ) )
    {
        if ( cache != NULL )
        {
            cache->data[0] = 0; // the next time it will be seen as soon as this time
        }
        return false;
    }
    relateFrames( lanesA, lanesB, between, p );
    uint32_t known = cache != NULL ? cache->data[0] : 0;
    if ( known >= 1 && known <= JO_BOX_AXIS_COUNT &&
         lanesOf( isLess( overlapOn( p, (int)known - 1 ), subtract( spread( -CACHE_SLOP ), p->margin ) ) ) !=
             0 )
    {
        return false;
    }
    bool touches = testAxes( p, JO_PARALLEL_SINE_SQ, least ) != 0;
    if ( cache != NULL )
    {
        float numbers[JO_LANES];
        store( numbers, least->number );
        cache->data[0] = (uint32_t)numbers[0] + 1;
    }
    return touches;
}

static bool overlap( const joBox3* a, const joTransform3* poseA, const joBox3* b, const joTransform3* poseB,
    joCollideCache* cache )
{
    const TwoBoxes two = placeBoth( a, poseA, b, poseB );
    JoBoxLanes lanesA, lanesB;
    JoBoxPair pair;
    JoBoxAxis least;
    return testPair( &two, 0.0f, cache, &lanesA, &lanesB, &pair, &least );
}

static void collide( const joBox3* a, const joTransform3* poseA, const joBox3* b, const joTransform3* poseB,
    float margin, joCollideCache* cache, joManifold3* manifold )
{
    const TwoBoxes two = placeBoth( a, poseA, b, poseB );
    JoBoxLanes lanesA, lanesB;
    JoBoxPair pair;
    JoBoxAxis least;
    if ( testPair( &two, margin, cache, &lanesA, &lanesB, &pair, &least ) )
    {
        JoFloats normal[3];
        joBoxManifolds found;
        findNormal( &least, lanesA.rotation, normal );
        findContacts( &lanesA, &lanesB, &pair, &least, normal, JO_CLIP_SLOP, 0, &found );
        joFillBoxManifold( &found, 0, manifold );
    }
}

static bool overlapPair( const joPlacedPair3* pair, joCollideCache* cache )
{
    return overlap( &pair->a->box, pair->poseA, &pair->b->box, pair->poseB, cache );
}

static void collidePair(
    const joPlacedPair3* pair, float margin, joCollideCache* cache, joManifold3* manifold )
{
    collide( &pair->a->box, pair->poseA, &pair->b->box, pair->poseB, margin, cache, manifold );
}

const joPairFunctions3 joBoxBox3 = {
    .overlap = overlapPair, .collide = collidePair, .distance = joDistanceConvex3, .cast = joCastConvex3 };

joResult joOverlapBoxes3( const joBox3* a, const joTransform3* poseA, const joBox3* b,
    const joTransform3* poseB, joCollideCache* cache, bool* overlaps )
{
    if ( overlaps == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *overlaps = false;
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = checkInput( a, poseA, b, poseB );
    *overlaps = !result && overlap( a, poseA, b, poseB, cache );
    joFloatEnv_Leave( env );
    return result ? JO_MISUSE( result ) : jo_success;
}

joResult joCollideBoxes3( const joBox3* a, const joTransform3* poseA, const joBox3* b,
    const joTransform3* poseB, float margin, joCollideCache* cache, joManifold3* manifold )
{
    if ( manifold == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *manifold = ( joManifold3 ){ .status = jo_collideComplete };
    joFloatEnv env = joFloatEnv_Enter();
    joResult result = checkInput( a, poseA, b, poseB );
    result = result ? result : joCheckMargin( margin );
    if ( !result )
    {
        collide( a, poseA, b, poseB, margin, cache, manifold );
    }
    joFloatEnv_Leave( env );
    return result ? JO_MISUSE( result ) : jo_success;
}
