// SPDX-License-Identifier: MIT
// What the tests of sliding bodies share: small worlds in 2D with gravity along -y, or without.
#pragma once

#include "support/world_kit.h"

#define KIT_DT ( 1.0f / 60.0f )

joWorld* kitMakeSlideWorld( float gravity );
// A body with a polygon as a box, or with a circle; polygons are kept until the program ends.
joShape2 kitBox( float halfX, float halfY );
joShape2 kitCircle( float radius );
joBodyId kitAddBody( joWorld* world, joBodyType type, joResponse response, joShape2 shape, float x, float y );
// The same, that does not meet others of its group.
joBodyId kitAddGrouped(
    joWorld* world, joBodyType type, joResponse response, joShape2 shape, float x, float y, uint32_t group );
// The only collider of a body.
joColliderId kitColliderOf( const joWorld* world, joBodyId body );
joBodyId kitAddStatic( joWorld* world, joShape2 shape, float x, float y );
joBodyId kitAddSlider( joWorld* world, joShape2 shape, float x, float y );
joVec2 kitVelocityOf( const joWorld* world, joBodyId body );
joSlideState kitStateOf( const joWorld* world, joBodyId body );
// Those of the last step, per collider: of triggers, or of what is solid.
joContactEvents kitEventsOf( const joWorld* world, bool isTrigger );
// A step, after which the world must be valid.
void kitStep( joWorld* world );
// Sets the velocity along x, leaves that along y, and steps.
void kitWalk( joWorld* world, joBodyId body, float speed );
