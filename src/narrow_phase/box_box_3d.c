// SPDX-License-Identifier: MIT
// Box against box in 3D, one pair: the separating axes of the kernels (simd/box_axes.inl) in one lane, so
// that batches give the same bits; and what a cached axis can save.
#include "base/assert.h"
#include "base/float_env.h"
#include "jostle/collide.h"
#include "narrow_phase/dispatch_3d.h"
#include "narrow_phase/placed_box.h"
#include "narrow_phase/shape_checks.h"
#include "narrow_phase/tolerance.h"
#include "simd/kernels.h"
#include "simd/lanes_scalar.h"

#include <math.h>

#define JO_LANES 1
#define JO_ALL_LANES 1u
#include "simd/box_axes.inl"

// A cached axis parts a pair on its own where it does so by this share of the sizes and the margin, which is
// more than the rounding by which it may differ from the answer without it.
#define CACHE_SLOP 1e-5f

static joResult checkInput(
    const joBox3* a, const joTransform3* poseA, const joBox3* b, const joTransform3* poseB )
{
    joResult result = joCheckBox3( a );
    result = result ? result : joCheckTransform3( poseA );
    result = result ? result : joCheckBox3( b );
    return result ? result : joCheckTransform3( poseB );
}

static float overlapOn( const JoBoxPair* p, int axis )
{
    if ( axis < JO_BOX_EDGES )
    {
        return axis < JO_BOX_FACE_B ? overlapOnFaceA( p, axis ) : overlapOnFaceB( p, axis - JO_BOX_FACE_B );
    }
    JoEdgeOverlap edges = overlapOnEdges( p, ( axis - JO_BOX_EDGES ) / 3, ( axis - JO_BOX_EDGES ) % 3 );
    return edges.sineSq > JO_PARALLEL_SINE_SQ ? edges.overlap / sqrtf( edges.sineSq ) : 0.0f;
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
    gatherCenters( &placed, &which, 1, &lanes );
    gatherBodies( &placed, &which, 1, &lanes );
    return lanes;
}

// Whether they are not farther apart than the margin. Asks the axis first that decided the last time: of a
// pair that stays apart it says so alone.
static bool testPair( const TwoBoxes* two, float margin, joCollideCache* cache, JoBoxLanes* lanesA,
    JoBoxPair* p, JoBoxAxis* least )
{
    *lanesA = lanesOfBox( two, 0 );
    const JoBoxLanes lanesB = lanesOfBox( two, 1 );
    JoFloats between[3];
    if ( !relatePositions( lanesA, &lanesB, margin, p, between ) )
    {
        if ( cache != NULL )
        {
            cache->data[0] = 0; // the next time it will be seen as soon as this time
        }
        return false;
    }
    relateFrames( lanesA, &lanesB, between, p );
    uint32_t known = cache != NULL ? cache->data[0] : 0;
    if ( known >= 1 && known <= JO_BOX_AXIS_COUNT &&
         overlapOn( p, (int)known - 1 ) < -p->margin - CACHE_SLOP )
    {
        return false;
    }
    bool touches = testAxes( p, JO_PARALLEL_SINE_SQ, least ) != 0;
    if ( cache != NULL )
    {
        cache->data[0] = (uint32_t)least->number + 1;
    }
    return touches;
}

static bool overlap( const joBox3* a, const joTransform3* poseA, const joBox3* b, const joTransform3* poseB,
    joCollideCache* cache )
{
    const TwoBoxes two = placeBoth( a, poseA, b, poseB );
    JoBoxLanes lanesA;
    JoBoxPair pair;
    JoBoxAxis least;
    return testPair( &two, 0.0f, cache, &lanesA, &pair, &least );
}

static void collide( const joBox3* a, const joTransform3* poseA, const joBox3* b, const joTransform3* poseB,
    float margin, joCollideCache* cache, joManifold3* manifold )
{
    const TwoBoxes two = placeBoth( a, poseA, b, poseB );
    JoBoxLanes lanesA;
    JoBoxPair pair;
    JoBoxAxis least;
    if ( !testPair( &two, margin, cache, &lanesA, &pair, &least ) )
    {
        return;
    }
    joBoxTouch touch = { .depth = least.depth * pair.unscale, .axis = (int)least.number };
    findNormal( &least, lanesA.rotation, touch.worldNormal );
    for ( int i = 0; i < 3; ++i )
    {
        touch.normal[i] = least.normal[i];
        touch.t[i] = pair.t[i] * pair.unscale;
        for ( int j = 0; j < 3; ++j )
        {
            touch.r[i][j] = pair.r[i][j];
        }
    }
    const joPlacedBoxes placed = { two.boxes, two.rests };
    joFillBoxManifold( &placed, ( joPair ){ 0, 1 }, &touch, margin, manifold );
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
