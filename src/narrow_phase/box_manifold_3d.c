// SPDX-License-Identifier: MIT
// The manifold of two boxes in 3D: from the axis of least overlap to contact points in the world.
#include "base/float_env.h"
#include "narrow_phase/box_contact_3d.h"
#include "narrow_phase/placed_box.h"

#include <math.h>
#include <string.h>

static float largestOf( const float v[3] )
{
    const float x = fabsf( v[0] ), y = fabsf( v[1] ), z = fabsf( v[2] );
    const float xy = x > y ? x : y;
    return xy > z ? xy : z;
}

// The pair as seen from the box whose face is nearest to the normal. Returns whether that is A.
static bool chooseReference(
    const joPlacedBox* a, const joPlacedBox* b, const joBoxTouch* touch, joBoxContact* contact )
{
    float normalB[3], tB[3];
    for ( int j = 0; j < 3; ++j )
    {
        const float x = touch->r[0][j], y = touch->r[1][j], z = touch->r[2][j];
        normalB[j] = touch->normal[0] * x + touch->normal[1] * y + touch->normal[2] * z;
        tB[j] = touch->t[0] * x + touch->t[1] * y + touch->t[2] * z;
    }
    const int axis = touch->axis;
    bool isA = axis < JO_BOX_FACE_B ||
               ( axis >= JO_BOX_EDGES && largestOf( touch->normal ) >= largestOf( normalB ) );
    memcpy( contact->referenceHalf, isA ? a->half : b->half, sizeof( a->half ) );
    memcpy( contact->incidentHalf, isA ? b->half : a->half, sizeof( a->half ) );
    for ( int i = 0; i < 3; ++i )
    {
        contact->incidentCenter[i] = isA ? touch->t[i] : -tB[i];
        contact->out[i] = isA ? touch->normal[i] : -normalB[i];
        for ( int j = 0; j < 3; ++j )
        {
            contact->incidentAxes[j][i] = isA ? touch->r[i][j] : touch->r[j][i];
        }
    }
    if ( !isA && axis < JO_BOX_EDGES )
    {
        // A face's normal in its own frame, free of the rounding of the way there and back.
        for ( int j = 0; j < 3; ++j )
        {
            contact->out[j] = j != axis - JO_BOX_FACE_B ? 0.0f : contact->out[j] < 0.0f ? -1.0f : 1.0f;
        }
    }
    return isA;
}

// A point in the frame of a box. The position is added in double: what the box is turned by is no larger than
// the pair, but the position may be.
static joVec3 toWorldPoint( const joPlacedBoxes* placed, uint32_t index, const float p[3] )
{
    static const joBoxRest none;
    const joPlacedBox* box = placed->boxes + index;
    const joBoxRest* rest = placed->rests != NULL ? placed->rests + index : &none;
    const float* u = box->rotation;
    const float w = u[3];
    const float once[3] = { u[1] * p[2] - u[2] * p[1], u[2] * p[0] - u[0] * p[2], u[0] * p[1] - u[1] * p[0] };
    const float twice[3] = {
        u[1] * once[2] - u[2] * once[1], u[2] * once[0] - u[0] * once[2], u[0] * once[1] - u[1] * once[0] };
    float world[3];
    for ( int i = 0; i < 3; ++i )
    {
        const double turned = (double)( p[i] + 2.0f * ( twice[i] + w * once[i] ) );
        world[i] = (float)( turned + (double)rest->position[i] + (double)box->position[i] );
    }
    return ( joVec3 ){ world[0], world[1], world[2] };
}

void joFillBoxManifold(
    const joPlacedBoxes* placed, joPair pair, const joBoxTouch* touch, float margin, joManifold3* manifold )
{
    const joPlacedBox *a = placed->boxes + pair.a, *b = placed->boxes + pair.b;
    const float size = a->half[0] + a->half[1] + a->half[2] + b->half[0] + b->half[1] + b->half[2];
    joBoxContact contact = { .depth = touch->depth, .margin = margin, .size = size };
    bool isA = chooseReference( a, b, touch, &contact );
    joContactPoint points[JO_MAX_MANIFOLD_POINTS3];
    *manifold = ( joManifold3 ){ .status = jo_collideComplete };
    manifold->pointCount = joFindBoxContacts( &contact, points );
    manifold->normal = ( joVec3 ){ touch->worldNormal[0], touch->worldNormal[1], touch->worldNormal[2] };
    manifold->depth = touch->depth;
    for ( uint32_t i = 0; i < manifold->pointCount; ++i )
    {
        manifold->points[i].position = toWorldPoint( placed, isA ? pair.a : pair.b, points[i].position );
        manifold->points[i].depth = points[i].depth;
        manifold->points[i].featureId = points[i].featureId;
    }
}
