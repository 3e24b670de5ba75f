// SPDX-License-Identifier: MIT
// Box against box in 3D: the separating axis test over 15 axes (Gottschalk, Lin and Manocha, "OBBTree: A
// Hierarchical Structure for Rapid Interference Detection", 1996).
//
// Departs from it in two points. The relative pose is computed in double and then rounded, entry by entry
// (see tolerance.h), so that no guess has to be added to its entries to keep nearly parallel edges from
// deciding; and all axes are compared by depths of unit length, without favour.
#include "base/assert.h"
#include "base/float_env.h"
#include "jostle/collide.h"
#include "math/rotation.h"
#include "narrow_phase/box_contact_3d.h"
#include "narrow_phase/dispatch_3d.h"
#include "narrow_phase/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Axes by number: faces of A, faces of B, edge i of A with edge j of B.
#define FACE_B 3
#define EDGES 6
#define AXIS_COUNT 15

// Farther than this is apart in any case, and no product of floats overflows.
#define FARTHEST 1e30

// Two boxes in the frame of A.
typedef struct BoxPair
{
    float halfA[3];
    float halfB[3];
    float r[3][3];    // column j is axis j of B
    float absR[3][3]; // its absolute values
    float t[3];       // the centre of B
    float tB[3];      // the same in the frame of B
    float size;       // see tolerance.h
    joPose3 poseA;
    joPose3 poseB;
} BoxPair;

static const int s_next[3] = { 1, 2, 0 };
static const int s_last[3] = { 2, 0, 1 };

static joResult checkInput(
    const joBox3* a, const joTransform3* poseA, const joBox3* b, const joTransform3* poseB )
{
    joResult result = joCheckBox3( a );
    result = result ? result : joCheckTransform3( poseA );
    result = result ? result : joCheckBox3( b );
    return result ? result : joCheckTransform3( poseB );
}

static void setHalfExtents( float half[3], const joBox3* box )
{
    half[0] = box->halfExtents.x;
    half[1] = box->halfExtents.y;
    half[2] = box->halfExtents.z;
}

static void makePair(
    BoxPair* pair, const joBox3* a, const joTransform3* poseA, const joBox3* b, const joTransform3* poseB )
{
    pair->poseA = joComposePose3( *poseA, a->localPose );
    pair->poseB = joComposePose3( *poseB, b->localPose );
    setHalfExtents( pair->halfA, a );
    setHalfExtents( pair->halfB, b );
    pair->size =
        pair->halfA[0] + pair->halfA[1] + pair->halfA[2] + pair->halfB[0] + pair->halfB[1] + pair->halfB[2];
    double between[3], t[3];
    for ( int k = 0; k < 3; ++k )
    {
        between[k] = pair->poseB.position[k] - pair->poseA.position[k];
    }
    joMatrix3_ApplyInverse( &pair->poseA.rotation, between, t );
    for ( int i = 0; i < 3; ++i )
    {
        pair->t[i] = (float)fmax( fmin( t[i], FARTHEST ), -FARTHEST );
        for ( int j = 0; j < 3; ++j )
        {
            double entry = 0.0;
            for ( int k = 0; k < 3; ++k )
            {
                entry += pair->poseA.rotation.m[k][i] * pair->poseB.rotation.m[k][j];
            }
            pair->r[i][j] = (float)entry;
            pair->absR[i][j] = fabsf( pair->r[i][j] );
        }
    }
    for ( int j = 0; j < 3; ++j )
    {
        pair->tB[j] = pair->t[0] * pair->r[0][j] + pair->t[1] * pair->r[1][j] + pair->t[2] * pair->r[2][j];
    }
}

// How far the projections onto an axis overlap; negative: a gap.
static inline float overlapOnFaceA( const BoxPair* p, int i )
{
    float radiusB = p->halfB[0] * p->absR[i][0] + p->halfB[1] * p->absR[i][1] + p->halfB[2] * p->absR[i][2];
    return ( p->halfA[i] + radiusB ) - fabsf( p->t[i] );
}

static inline float overlapOnFaceB( const BoxPair* p, int j )
{
    float radiusA = p->halfA[0] * p->absR[0][j] + p->halfA[1] * p->absR[1][j] + p->halfA[2] * p->absR[2][j];
    return ( p->halfB[j] + radiusA ) - fabsf( p->tB[j] );
}

// The centre of B along the cross product of edge i of A and edge j of B, whose components in the frame of A
// are 0, -r[last][j] and r[next][j].
static inline float centerOnEdges( const BoxPair* p, int i, int j )
{
    return p->t[s_last[i]] * p->r[s_next[i]][j] - p->t[s_next[i]] * p->r[s_last[i]][j];
}

static inline float edgesSineSq( const BoxPair* p, int i, int j )
{
    return p->r[s_next[i]][j] * p->r[s_next[i]][j] + p->r[s_last[i]][j] * p->r[s_last[i]][j];
}

static inline float overlapOnEdges( const BoxPair* p, int i, int j )
{
    float sineSq = edgesSineSq( p, i, j );
    if ( sineSq < JO_PARALLEL_SINE_SQ )
    {
        return FLT_MAX;
    }
    float radiusA = p->halfA[s_next[i]] * p->absR[s_last[i]][j] + p->halfA[s_last[i]] * p->absR[s_next[i]][j];
    float radiusB = p->halfB[s_next[j]] * p->absR[i][s_last[j]] + p->halfB[s_last[j]] * p->absR[i][s_next[j]];
    return ( ( radiusA + radiusB ) - fabsf( centerOnEdges( p, i, j ) ) ) / sqrtf( sineSq );
}

static float overlapOn( const BoxPair* p, int axis )
{
    return axis < FACE_B  ? overlapOnFaceA( p, axis )
           : axis < EDGES ? overlapOnFaceB( p, axis - FACE_B )
                          : overlapOnEdges( p, ( axis - EDGES ) / 3, ( axis - EDGES ) % 3 );
}

// The least overlap of a group of axes, the first of equal ones. False: one of them is farther apart than the
// margin; *least is then that axis.
static inline bool findLeast( const float* overlaps, int count, float margin, int* least )
{
    *least = 0;
    for ( int k = 1; k < count; ++k )
    {
        *least = overlaps[k] < overlaps[*least] ? k : *least;
    }
    return overlaps[*least] >= -margin;
}

// False: apart by more than the margin, along *axis. True: *axis has the least overlap, *depth.
static bool testAxes( const BoxPair* p, float margin, int* axis, float* depth )
{
    const float faces[2][3] = {
        { overlapOnFaceA( p, 0 ), overlapOnFaceA( p, 1 ), overlapOnFaceA( p, 2 ) },
        { overlapOnFaceB( p, 0 ), overlapOnFaceB( p, 1 ), overlapOnFaceB( p, 2 ) },
    };
    int leastB;
    bool touchesA = findLeast( faces[0], 3, margin, axis );
    bool touchesB = findLeast( faces[1], 3, margin, &leastB );
    if ( !touchesA || !touchesB )
    {
        *axis = touchesA ? FACE_B + leastB : *axis;
        return false;
    }
    float edges[9];
    int leastEdge;
    for ( int k = 0; k < 9; ++k )
    {
        edges[k] = overlapOnEdges( p, k / 3, k % 3 );
    }
    bool touches = findLeast( edges, 9, margin, &leastEdge );
    float tie = p->size * JO_AXIS_TIE;
    *depth = faces[0][*axis];
    if ( faces[1][leastB] < *depth - tie )
    {
        *depth = faces[1][leastB];
        *axis = FACE_B + leastB;
    }
    if ( edges[leastEdge] < *depth - tie || !touches )
    {
        *depth = edges[leastEdge];
        *axis = EDGES + leastEdge;
    }
    return touches;
}

// As testAxes, but asks the axis first that decided the last time: of a pair that stays apart it says so
// alone.
static bool testWithCache( const BoxPair* p, float margin, joCollideCache* cache, int* axis, float* depth )
{
    uint32_t known = cache != NULL ? cache->data[0] : 0;
    if ( known >= 1 && known <= AXIS_COUNT && overlapOn( p, (int)known - 1 ) < -margin )
    {
        return false;
    }
    bool touches = testAxes( p, margin, axis, depth );
    if ( cache != NULL )
    {
        cache->data[0] = (uint32_t)*axis + 1;
    }
    return touches;
}

// The axis in the frame of A, as a unit vector from A to B.
static void findNormal( const BoxPair* p, int axis, float normal[3] )
{
    float side = 0.0f;
    normal[0] = normal[1] = normal[2] = 0.0f;
    if ( axis < FACE_B )
    {
        normal[axis] = 1.0f;
        side = p->t[axis];
    }
    else if ( axis < EDGES )
    {
        int j = axis - FACE_B;
        normal[0] = p->r[0][j];
        normal[1] = p->r[1][j];
        normal[2] = p->r[2][j];
        side = p->tB[j];
    }
    else
    {
        int i = ( axis - EDGES ) / 3, j = ( axis - EDGES ) % 3;
        float length = sqrtf( edgesSineSq( p, i, j ) );
        normal[s_next[i]] = -p->r[s_last[i]][j] / length;
        normal[s_last[i]] = p->r[s_next[i]][j] / length;
        side = centerOnEdges( p, i, j );
    }
    for ( int k = 0; k < 3 && side < 0.0f; ++k )
    {
        normal[k] = -normal[k];
    }
}

// Unit to the last place of a float, which a product of rounded entries is not.
static joVec3 toWorldNormal( const BoxPair* p, const float normal[3] )
{
    const double local[3] = { (double)normal[0], (double)normal[1], (double)normal[2] };
    double n[3];
    joMatrix3_Apply( &p->poseA.rotation, local, n );
    double length = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
    return ( joVec3 ){ (float)( n[0] / length ), (float)( n[1] / length ), (float)( n[2] / length ) };
}

static joVec3 toWorldPoint( const joPose3* pose, const float position[3] )
{
    const double local[3] = { (double)position[0], (double)position[1], (double)position[2] };
    double turned[3];
    joMatrix3_Apply( &pose->rotation, local, turned );
    return ( joVec3 ){ (float)( turned[0] + pose->position[0] ), (float)( turned[1] + pose->position[1] ),
        (float)( turned[2] + pose->position[2] ) };
}

static float largestOf( const float v[3] )
{
    return fmaxf( fabsf( v[0] ), fmaxf( fabsf( v[1] ), fabsf( v[2] ) ) );
}

// The pair as seen from the box whose face is nearest to the normal. Returns whether that is A.
static bool chooseReference( const BoxPair* p, int axis, const float normal[3], joBoxContact* contact )
{
    float normalB[3];
    for ( int j = 0; j < 3; ++j )
    {
        normalB[j] = normal[0] * p->r[0][j] + normal[1] * p->r[1][j] + normal[2] * p->r[2][j];
    }
    bool isA = axis < FACE_B || ( axis >= EDGES && largestOf( normal ) >= largestOf( normalB ) );
    memcpy( contact->referenceHalf, isA ? p->halfA : p->halfB, sizeof( p->halfA ) );
    memcpy( contact->incidentHalf, isA ? p->halfB : p->halfA, sizeof( p->halfA ) );
    for ( int i = 0; i < 3; ++i )
    {
        contact->incidentCenter[i] = isA ? p->t[i] : -p->tB[i];
        contact->out[i] = isA ? normal[i] : -normalB[i];
        for ( int j = 0; j < 3; ++j )
        {
            contact->incidentAxes[j][i] = isA ? p->r[i][j] : p->r[j][i];
        }
    }
    if ( !isA && axis < EDGES )
    {
        // A face's normal in its own frame, free of the rounding of the way there and back.
        for ( int j = 0; j < 3; ++j )
        {
            contact->out[j] = j != axis - FACE_B ? 0.0f : contact->out[j] < 0.0f ? -1.0f : 1.0f;
        }
    }
    return isA;
}

static void fillManifold( const BoxPair* p, int axis, float depth, float margin, joManifold3* manifold )
{
    float normal[3];
    findNormal( p, axis, normal );
    joBoxContact contact = { .depth = depth, .margin = margin, .size = p->size };
    bool isA = chooseReference( p, axis, normal, &contact );
    joContactPoint points[JO_MAX_MANIFOLD_POINTS3];
    manifold->pointCount = joFindBoxContacts( &contact, points );
    manifold->normal = toWorldNormal( p, normal );
    manifold->depth = depth;
    for ( uint32_t i = 0; i < manifold->pointCount; ++i )
    {
        manifold->points[i].position = toWorldPoint( isA ? &p->poseA : &p->poseB, points[i].position );
        manifold->points[i].depth = points[i].depth;
        manifold->points[i].featureId = points[i].featureId;
    }
}

static bool overlap( const joBox3* a, const joTransform3* poseA, const joBox3* b, const joTransform3* poseB,
    joCollideCache* cache )
{
    BoxPair pair;
    int axis = 0;
    float depth = 0.0f;
    makePair( &pair, a, poseA, b, poseB );
    return testWithCache( &pair, 0.0f, cache, &axis, &depth );
}

static void collide( const joBox3* a, const joTransform3* poseA, const joBox3* b, const joTransform3* poseB,
    float margin, joCollideCache* cache, joManifold3* manifold )
{
    BoxPair pair;
    int axis = 0;
    float depth = 0.0f;
    makePair( &pair, a, poseA, b, poseB );
    if ( testWithCache( &pair, margin, cache, &axis, &depth ) )
    {
        fillManifold( &pair, axis, depth, margin, manifold );
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

const joPairFunctions3 joBoxBox3 = { .overlap = overlapPair, .collide = collidePair };

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
    if ( !result && !( margin >= 0.0f && margin <= JO_MAX_SIZE ) )
    {
        result = isnan( margin ) ? jo_errorNotANumber : jo_errorBadRadius;
    }
    if ( !result )
    {
        collide( a, poseA, b, poseB, margin, cache, manifold );
    }
    joFloatEnv_Leave( env );
    return result ? JO_MISUSE( result ) : jo_success;
}
