// SPDX-License-Identifier: MIT
// A ball flies through a gate, a trigger, and the world says when it enters and when it leaves.
#include "jostle/jostle.h"

#include <stdio.h>

int main( void )
{
    joWorldDef worldDef = joDefaultWorldDef();
    worldDef.dimension = 2;
    joWorld* world = NULL;
    joResult result = joCreateWorld( &worldDef, &world );
    const char* names[] = { "gate", "ball" };
    for ( uint64_t i = 0; i < 2 && !result; ++i )
    {
        joBodyDef2 bodyDef = joDefaultBodyDef2();
        joColliderDef2 colliderDef = joDefaultColliderDef2();
        bodyDef.type = i == 0 ? jo_staticBody : jo_dynamicBody;
        bodyDef.pose.position.x = i == 0 ? 5.0f : 0.0f;
        bodyDef.velocity.x = 2.0f;
        bodyDef.userData = i;
        colliderDef.shape.circle.radius = 0.5f;
        colliderDef.shape.kind = jo_circleShape2;
        colliderDef.isTrigger = i == 0;
        const joBodyColumns one = { .count = 1 };
        result = joWorld_CreateBodies2( world, &bodyDef, &colliderDef, &one, NULL, NULL, NULL );
    }
    for ( int step = 1; step <= 300 && !result; ++step )
    {
        joContactEvents events = { 0 };
        result = joWorld_Step( world, 1.0f / 60.0f );
        joWorld_GetTriggerEvents( world, jo_perBody, &events );
        for ( uint64_t i = 0; i < events.enterCount; ++i )
            printf( "%3d: the %s enters\n", step, names[events.enters[i].userDataB] );
        for ( uint64_t i = 0; i < events.exitCount; ++i )
            printf( "%3d: the %s leaves\n", step, names[events.exits[i].userDataB] );
    }
    joDestroyWorld( world );
    return result ? 1 : 0;
}
