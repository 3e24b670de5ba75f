// SPDX-License-Identifier: MIT
// What depends on the dimension of a world, behind one table: sizes of poses and shapes, checks, bounds,
// motion, and the calls of the narrow phase. All above it is written once.
#pragma once

#include "base/float_env.h"

#include "jostle/collide_batch.h"
#include "jostle/world_query.h"

#include <string.h>

#define JO_MAX_SHAPE_KINDS 8

// Velocities are floats: those along the axes, then the angular ones.
#define JO_MAX_VELOCITY 6

// Room for a pose, a shape of either dimension.
typedef union joAnyPose
{
    joTransform2 two;
    joTransform3 three;
} joAnyPose;

typedef union joAnyShape
{
    joShape2 two;
    joShape3 three;
} joAnyShape;

// How two colliders touch, from the manifold: the normal, and the deepest point; and as joContactEvent says.
typedef struct joTouchPoint
{
    float normal[3];
    float point[3];
    float depth;
    float time;
    uint32_t child;
} joTouchPoint;

// One body's motion in one step.
typedef struct joMotionStep
{
    float gravity[3];                  // times its scale; zero for kinematic bodies
    float linearFactor, angularFactor; // that damping leaves of a velocity
    float dt;
} joMotionStep;

// What a shape is to a sweep.
typedef enum joShapeSort
{
    jo_roundSort = 0, // convex, without faces: slides
    jo_facedSort,     // convex, with faces: slides
    jo_thinSort,      // a segment, a half-space: does not slide
    jo_compoundSort   // a chain, a mesh: does not slide
} joShapeSort;

typedef struct joSpaceHit
{
    bool isHit;
    double fraction;
    float normal[3]; // unit, from A to B
    float point[3];
    float depth;    // how deep they overlap at the start; then the fraction is 0
    uint32_t child; // as in joCastHit2 and joCastHit3
    double speed;   // of the motion into what is met, world units; not set by casts
} joSpaceHit;

typedef struct joSpace
{
    uint32_t axisCount, angularCount;
    size_t poseSize, shapeSize, manifoldSize;
    const void* identity; // pose
    // A shape is its kind, and behind payloadOffset what is of that kind: so many bytes, without padding, or,
    // where there are 0, a pointer.
    size_t payloadOffset;
    const size_t* payloadSizes;
    uint32_t kindCount;

    joResult ( *checkShape )( const void* shape );
    joResult ( *checkPose )( const void* pose );
    uint32_t ( *kindOf )( const void* shape );
    // Whether the narrow phase has an answer for two kinds of shape.
    bool ( *doMeet )( uint32_t kindA, uint32_t kindB );
    // *pose = body * local, its position held within what is finite.
    void ( *compose )( const void* body, const void* local, void* pose );
    // The radius of a circle or sphere around the origin of its collider; of any other shape -1.
    double ( *findRadius )( const void* shape );
    void ( *computeBounds )( const void* shape, const void* pose, float lower[3], float upper[3] );
    // False: neither circle nor sphere. Else where it is; 2D: z is not written.
    bool ( *findRound )( const void* shape, const void* pose, float center[3], float* radius );
    void ( *integrate )( void* pose, float* velocity, const joMotionStep* step );
    joResult ( *setShapes )( joCollideBatch* batch, const void* shapes, const void* poses, uint32_t count );
    joResult ( *collide )( joCollideBatch* batch, const joPair* pairs, uint32_t pairCount, float margin,
        uint32_t* hitPairs, void* manifolds, uint64_t* hitCount );
    void ( *readManifold )( const void* manifolds, uint64_t index, joTouchPoint* touch );

    // For what slides.
    joShapeSort ( *sortOf )( const void* shape );
    // When B meets A while it moves.
    joSpaceHit ( *cast )( const void* shapeA, const void* poseA, const void* shapeB, const void* poseB,
        const double motion[3] );
    // The same, of a compound shape and one that slides, which touch at the start: each part of the compound
    // that is touched stops only what goes into it, by more than a share `along` of the motion.
    joSpaceHit ( *castOut )( const void* shapeA, const void* poseA, const void* shapeB, const void* poseB,
        const double motion[3], double along );
    // How they touch, or come as near as the margin. False: they do not.
    bool ( *touch )( const void* shapeA, const void* poseA, const void* shapeB, const void* poseB,
        float margin, joTouchPoint* touch );
    // How far B is from A; *normal is unit, from A to B, zero where they touch.
    double ( *distance )(
        const void* shapeA, const void* poseA, const void* shapeB, const void* poseB, float normal[3] );
    // Where a point gets to that is carried from one pose to another.
    void ( *carry )( const void* from, const void* to, const double point[3], double carried[3] );
    // A vector in the frame of a body, in the world.
    void ( *rotate )( const void* pose, const float local[3], double world[3] );

    // How far the points of a shape that can slide get from an axis (unit) through a point; those of its
    // core, if it is round: what is round looks the same from everywhere around its core.
    double ( *findArm )( const void* shape, const void* pose, const double pivot[3], const double axis[3] );

    // For queries.
    // How a placed shape is met. False: not at all. Writes distance, point and normal.
    bool ( *castRay )( const void* shape, const void* pose, const joRay* ray, joWorldHit* hit );
    bool ( *findNearest )( const void* shape, const void* pose, const float* point, joWorldHit* hit );
    // Also false if there is no answer.
    bool ( *overlap )( const void* shapeA, const void* poseA, const void* shapeB, const void* poseB );
} joSpace;

// Whether a shape points to what it is.
static inline bool joSpace_IsBorrowed( const joSpace* space, const void* shape )
{
    const uint32_t kind = space->kindOf( shape );
    return kind < space->kindCount && space->payloadSizes[kind] == 0;
}

// Copies whose size the compiler knows: a call of memcpy would cost more than they do.
static inline void joSpace_CopyPose( const joSpace* space, void* to, const void* from )
{
    if ( space->axisCount == 2 )
    {
        memcpy( to, from, sizeof( joTransform2 ) );
    }
    else
    {
        memcpy( to, from, sizeof( joTransform3 ) );
    }
}

static inline void joSpace_CopyVelocity( const joSpace* space, float* to, const float* from )
{
    if ( space->axisCount == 2 )
    {
        memcpy( to, from, 3 * sizeof( float ) );
    }
    else
    {
        memcpy( to, from, 6 * sizeof( float ) );
    }
}

static inline bool joSpace_IsSameShape( const joSpace* space, const void* a, const void* b )
{
    const uint32_t kind = space->kindOf( a );
    const size_t size = space->payloadSizes[kind] > 0 ? space->payloadSizes[kind] : sizeof( void* );
    return space->kindOf( b ) == kind &&
           memcmp( (const char*)a + space->payloadOffset, (const char*)b + space->payloadOffset, size ) == 0;
}

extern const joSpace joSpace2;
extern const joSpace joSpace3;

// Semi-implicit Euler on one coordinate, never beyond what is finite: what falls for ever stops there.
static inline float joKeepFinite( double x )
{
    const double most = 3.4028234663852886e38; // FLT_MAX
    return (float)( x > most ? most : x < -most ? -most : x );
}
