// SPDX-License-Identifier: MIT
// jostle world slide: bodies that are swept along their motion and slide along what they meet. A body slides
// if its response is jo_slide and it is not static; its colliders are circles, capsules, polygons, or
// spheres, capsules, boxes, hulls. Any other shape on it is refused with jo_errorCannotSlide. docs/slide.md
// says what stops it and how.
#pragma once

#include "world.h"

JO_EXTERN_C_BEGIN

#define JO_MAX_SLIDES 8u
// The steepest slope limit, in radians (80 degrees).
#define JO_MAX_SLOPE_LIMIT 1.3962634f

// On which side of the body something was met. Above and below are along `up`. In 2D right is `up` turned
// clockwise by a quarter. In 3D right is the x axis (y, where up is along x) made square to up, and front is
// right x up.
typedef enum joSlideSide
{
    jo_slideLeft = 1,
    jo_slideRight = 2,
    jo_slideBelow = 4,
    jo_slideAbove = 8,
    jo_slideFront = 16,
    jo_slideBack = 32
} joSlideSide;

typedef struct joSlideDef
{
    // How far it stays away from what stops it (world units, > 0, <= JO_MAX_SIZE); default 0.005. Far from
    // the origin the rounding of a coordinate is added.
    float skinWidth;
    // The steepest ground that it stands and walks on (radians, 0 to JO_MAX_SLOPE_LIMIT); default pi / 4.
    float slopeLimit;
    // The highest step that it walks up, and how far it follows the ground down (world units, >= 0, <=
    // JO_MAX_SIZE); default 0.
    float stepHeight;
    // How often it may turn along or off something in one step (0 to JO_MAX_SLIDES); default 4. With 0 it
    // stands for the rest of a step in which it meets something: the cheapest, for bullets.
    uint32_t maxSlides;
    // Finite; 2D: z ignored. Zero (default): against gravity. If that is zero too nothing is ground, and
    // above is the y axis.
    float up[3];
    uint32_t internalCookie; // set by joDefaultSlideDef
} joSlideDef;

// What became of a sliding body in the last step.
typedef struct joSlideState
{
    uint32_t sides;    // joSlideSide bits of all that it met
    uint32_t hitCount; // how often it was stopped or turned
    // It stands on ground that is not too steep, and does not leave it.
    bool isGrounded;
    // The rest is zero if it does not. The body may have been destroyed since.
    joBodyId groundBody;
    float groundNormal[3];   // unit, out of the ground
    float groundVelocity[3]; // of the ground where it stands, world units per second: it is carried along
} joSlideState;

JO_API joSlideDef joDefaultSlideDef( void );

// How bodies slide; they keep it, whatever their response is, until that is set to another one than jo_slide.
// Errors: jo_errorNullArgument; jo_errorStaleId; jo_errorBadDef; jo_errorNotSliding (the response of a body
// is another). *errorIndex as in world.h. O(count).
JO_API joResult joWorld_SetSlides(
    joWorld* world, const joBodyId* bodies, uint32_t count, const joSlideDef* def, uint32_t* errorIndex );
JO_API joResult joWorld_SetSlide( joWorld* world, joBodyId body, const joSlideDef* def );
JO_API joResult joWorld_GetSlide( const joWorld* world, joBodyId body, joSlideDef* def );

// Writes a joSlideState for each body. Errors: those above. O(count).
JO_API joResult joWorld_GetSlideStates( const joWorld* world, const joBodyId* bodies, joMutableColumn states,
    uint32_t count, uint32_t* errorIndex );
JO_API joResult joWorld_GetSlideState( const joWorld* world, joBodyId body, joSlideState* state );

// A one-way collider stops only sliding bodies that come down on it from the side where `up` points (in the
// frame of its body; of any length): they pass through it from everywhere else. Zero or null: it stops from
// all sides. Contacts are reported as ever. Errors: jo_errorNullArgument; jo_errorStaleId;
// jo_errorNotANumber, jo_errorBadDef (infinite).
JO_API joResult joWorld_SetColliderOneWay( joWorld* world, joColliderId collider, const float up[3] );
// Zero: it is none.
JO_API joResult joWorld_GetColliderOneWay( const joWorld* world, joColliderId collider, float up[3] );

JO_EXTERN_C_END
