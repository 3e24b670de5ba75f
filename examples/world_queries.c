// SPDX-License-Identifier: MIT
// A turret among crates: what it sees first, whether a crate fits beside it, and which crates are nearest.
#include "jostle/jostle.h"

#include <stdio.h>

int main( void )
{
    joWorldDef worldDef = joDefaultWorldDef();
    joWorld* world = NULL;
    joResult result = joCreateWorld( &worldDef, &world );
    const joShape3 crate = { .kind = jo_boxShape3, .box = joMakeBox3( 0.5f, 0.5f, 0.5f ) };
    for ( uint64_t i = 0; i < 5 && !result; ++i )
    {
        const joBodyColumns one = { .count = 1 };
        joBodyDef3 bodyDef = joDefaultBodyDef3();
        joColliderDef3 colliderDef = joDefaultColliderDef3();
        bodyDef.pose.position.x = 3.0f + 2.0f * (float)i;
        bodyDef.userData = i;
        colliderDef.shape = crate;
        result = joWorld_CreateBodies3( world, &bodyDef, &colliderDef, &one, NULL, NULL, NULL );
    }
    const joRay ray = { .direction = { 1.0f, 0.0f, 0.0f }, .length = 50.0f };
    const joTransform3 beside = { { 1.75f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
    joWorldHit first = { 0 }, nearest[2] = { 0 };
    bool isBlocked = false;
    uint64_t count = 0;
    result = result ? result : joWorld_CastRayClosest( world, &ray, NULL, &first );
    result = result ? result : joWorld_OverlapAny3( world, &crate, &beside, NULL, &isBlocked );
    result = result ? result : joWorld_FindNearest( world, ray.origin, 8.0f, NULL, nearest, 2, &count );
    printf( "sees crate %llu at %g; %s; nearest:", (unsigned long long)first.userData, (double)first.distance,
        isBlocked ? "blocked" : "there is room" );
    for ( uint64_t i = 0; i < count; ++i )
        printf( " %llu", (unsigned long long)nearest[i].userData );
    printf( "\n" );
    joDestroyWorld( world );
    return result ? 1 : 0;
}
