// SPDX-License-Identifier: MIT
// What random operations on worlds are made of.
#include "support/world_rig.h"

#include "test_support.h"

#define HALF_WORLD 4.0f

uint32_t rigBelow( worldRig* rig, uint32_t bound )
{
    return randomBelow( &rig->random, bound );
}

float rigBetween( worldRig* rig, float lower, float upper )
{
    return lower + ( upper - lower ) * (float)rigBelow( rig, 1u << 20 ) / (float)( 1u << 20 );
}

// Half of them on a lattice, where things touch exactly.
static float coordinate( worldRig* rig )
{
    return rigBelow( rig, 2 ) != 0 ? rigBetween( rig, -HALF_WORLD, HALF_WORLD )
                                   : 0.25f * (float)rigBelow( rig, 33 ) - HALF_WORLD;
}

float rigSize( worldRig* rig )
{
    return rigBelow( rig, 2 ) != 0 ? rigBetween( rig, 0.1f, 0.8f )
                                   : 0.25f * (float)( 1 + rigBelow( rig, 3 ) );
}

joTransform2 rigPose2( worldRig* rig )
{
    joTransform2 pose = { { coordinate( rig ), coordinate( rig ) }, { 1.0f, 0.0f } };
    if ( rigBelow( rig, 2 ) != 0 )
    {
        pose.rotation = joMakeRot2( rigBetween( rig, -3.0f, 3.0f ) );
    }
    return pose;
}

joTransform3 rigPose3( worldRig* rig )
{
    joTransform3 pose = joMakeIdentity3();
    pose.position = ( joVec3 ){ coordinate( rig ), coordinate( rig ), 0.5f * coordinate( rig ) };
    if ( rigBelow( rig, 2 ) != 0 )
    {
        const joVec3 axis = { rigBetween( rig, -1.0f, 1.0f ), rigBetween( rig, -1.0f, 1.0f ), 1.0f };
        pose.rotation = joMakeQuat( axis, rigBetween( rig, -3.0f, 3.0f ) );
    }
    return pose;
}

joShape2 rigShape2( worldRig* rig )
{
    joShape2 shape = { .kind = (joShapeKind2)rigBelow( rig, 4 ) };
    const float a = rigSize( rig ), b = rigSize( rig );
    switch ( shape.kind )
    {
        case jo_circleShape2:
            shape.circle = ( joCircle2 ){ { 0.0f, 0.0f }, a };
            break;
        case jo_capsuleShape2:
            shape.capsule = ( joCapsule2 ){ { -a, 0.0f }, { a, 0.0f }, 0.5f * b };
            break;
        case jo_polygonShape2:
            shape.polygon = &rig->polygons[rigBelow( rig, 8 )];
            break;
        default:
            shape.segment = ( joSegment2 ){ { -a, 0.0f }, { b, 0.0f } };
            break;
    }
    return shape;
}

joShape3 rigShape3( worldRig* rig )
{
    joShape3 shape = { .kind = (joShapeKind3)rigBelow( rig, 3 ) };
    const float a = rigSize( rig ), b = rigSize( rig );
    if ( rigBelow( rig, 24 ) == 0 )
    {
        shape.kind = jo_halfSpaceShape3; // infinite bounds, and no answer against another one
        shape.halfSpace = ( joHalfSpace3 ){ { 0.0f, 0.0f, 1.0f }, -1.5f };
    }
    else if ( shape.kind == jo_sphereShape3 )
    {
        shape.sphere = ( joSphere3 ){ { 0.0f, 0.0f, 0.0f }, a };
    }
    else if ( shape.kind == jo_capsuleShape3 )
    {
        shape.capsule = ( joCapsule3 ){ { -a, 0.0f, 0.0f }, { a, 0.0f, 0.0f }, 0.5f * b };
    }
    else
    {
        shape.kind = jo_boxShape3;
        shape.box = joMakeBox3( a, b, rigSize( rig ) );
    }
    return shape;
}

joColliderFilter rigFilter( worldRig* rig )
{
    joColliderFilter filter = {
        .layer = rigBelow( rig, 3 ) == 0 ? rigBelow( rig, 4 ) : 0, .mask = UINT64_MAX };
    filter.group = rigBelow( rig, 6 ) == 0 ? 1 + rigBelow( rig, 2 ) : 0;
    if ( rigBelow( rig, 6 ) == 0 )
    {
        filter.mask = rigBelow( rig, 16 ) | UINT64_C( 1 ) << 63;
    }
    return filter;
}
