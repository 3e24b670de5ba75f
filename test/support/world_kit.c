// SPDX-License-Identifier: MIT
#include "support/world_kit.h"

joWorld* kitMakeWorld( int dimension )
{
    joWorldDef def = joDefaultWorldDef();
    def.dimension = dimension;
    joWorld* world = NULL;
    kitRequire( joCreateWorld( &def, &world ), "joCreateWorld" );
    return world;
}

joColliderDef2 kitDisc( float radius )
{
    joColliderDef2 def = joDefaultColliderDef2();
    def.shape = ( joShape2 ){ .kind = jo_circleShape2, .circle = { { 0.0f, 0.0f }, radius } };
    return def;
}

joBodyId kitAddDisc( joWorld* world, float x, joColliderId* collider )
{
    joBodyDef2 def = joDefaultBodyDef2();
    const joColliderDef2 colliderDef = kitDisc( 1.0f );
    const joBodyColumns one = { .count = 1 };
    joBodyId body = { 0 };
    def.pose.position.x = x;
    kitRequire( joWorld_CreateBodies2( world, &def, &colliderDef, &one, &body, collider, NULL ), "create" );
    return body;
}

void kitStepWorld( joWorld* world )
{
    kitRequire( joWorld_Step( world, 0.02f ), "joWorld_Step" );
}

uint64_t kitSaveWorld( joWorld* world, unsigned char* bytes, uint64_t capacity )
{
    uint64_t size = 0;
    kitRequire( joWorld_Save( world, NULL, bytes, capacity, &size, NULL ), "joWorld_Save" );
    return size;
}

joTransform2 kitPoseOf( const joWorld* world, joBodyId body )
{
    joTransform2 pose = { 0 };
    kitRequire( joWorld_GetPose2( world, body, &pose ), "joWorld_GetPose2" );
    return pose;
}

bool kitGoOn( const char* condition, const char* file, int line )
{
    (void)condition;
    (void)file;
    (void)line;
    return false;
}
