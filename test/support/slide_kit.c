// SPDX-License-Identifier: MIT
#include "support/slide_kit.h"

#include "test_support.h"

joWorld* kitMakeSlideWorld( float gravity )
{
    joWorldDef def = joDefaultWorldDef();
    def.dimension = 2;
    def.gravity[1] = -gravity;
    joWorld* world = NULL;
    kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
    return world;
}

joShape2 kitBox( float halfX, float halfY )
{
    static joPolygon2 boxes[64];
    static float halves[64][2];
    static uint32_t count = 0;
    uint32_t i = 0;
    while ( i < count && ( halves[i][0] != halfX || halves[i][1] != halfY ) )
    {
        ++i;
    }
    if ( i == count )
    {
        assert_true( count < 64 );
        boxes[i] = joMakeBox2( halfX, halfY );
        halves[i][0] = halfX;
        halves[i][1] = halfY;
        count += 1;
    }
    return ( joShape2 ){ .kind = jo_polygonShape2, .polygon = &boxes[i] };
}

joShape2 kitCircle( float radius )
{
    return ( joShape2 ){ .kind = jo_circleShape2, .circle = { { 0.0f, 0.0f }, radius } };
}

joBodyId kitAddGrouped(
    joWorld* world, joBodyType type, joResponse response, joShape2 shape, float x, float y, uint32_t group )
{
    joBodyDef2 def = joDefaultBodyDef2();
    joColliderDef2 colliderDef = joDefaultColliderDef2();
    const joBodyColumns one = { .count = 1 };
    joBodyId body = { 0 };
    def.type = type;
    def.response = response;
    def.pose.position = ( joVec2 ){ x, y };
    colliderDef.shape = shape;
    colliderDef.filter.group = group;
    kitRequire( joWorld_CreateBodies2( world, &def, &colliderDef, &one, &body, NULL, NULL ), "create" );
    return body;
}

joBodyId kitAddBody( joWorld* world, joBodyType type, joResponse response, joShape2 shape, float x, float y )
{
    return kitAddGrouped( world, type, response, shape, x, y, 0 );
}

joColliderId kitColliderOf( const joWorld* world, joBodyId body )
{
    joColliderId collider = { 0 };
    uint64_t count = 0;
    kitRequire( joWorld_GetColliders( world, body, &collider, 1, &count ), "joWorld_GetColliders" );
    assert_int_equal( count, 1 );
    return collider;
}

joBodyId kitAddStatic( joWorld* world, joShape2 shape, float x, float y )
{
    return kitAddBody( world, jo_staticBody, jo_detect, shape, x, y );
}

joBodyId kitAddSlider( joWorld* world, joShape2 shape, float x, float y )
{
    return kitAddBody( world, jo_dynamicBody, jo_slide, shape, x, y );
}

joVec2 kitVelocityOf( const joWorld* world, joBodyId body )
{
    joBodyDef2 def;
    kitRequire( joWorld_GetBody2( world, body, &def ), "joWorld_GetBody2" );
    return def.velocity;
}

joSlideState kitStateOf( const joWorld* world, joBodyId body )
{
    joSlideState state = { 0 };
    kitRequire( joWorld_GetSlideState( world, body, &state ), "joWorld_GetSlideState" );
    return state;
}

void kitStep( joWorld* world )
{
    kitRequire( joWorld_Step( world, KIT_DT ), "joWorld_Step" );
    assert_true( joWorld_Validate( world ) );
}

void kitWalk( joWorld* world, joBodyId body, float speed )
{
    const joVec2 velocity = kitVelocityOf( world, body );
    kitRequire( joWorld_SetVelocity2( world, body, ( joVec2 ){ speed, velocity.y } ), "set velocity" );
    kitStep( world );
}

joContactEvents kitEventsOf( const joWorld* world, bool isTrigger )
{
    joContactEvents events = { 0 };
    kitRequire( isTrigger ? joWorld_GetTriggerEvents( world, jo_perCollider, &events )
                          : joWorld_GetContactEvents( world, jo_perCollider, &events ),
        "events" );
    return events;
}
