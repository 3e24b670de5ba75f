// SPDX-License-Identifier: MIT
// Push apart: what is not round. How two such bodies overlap is known from their manifold when neighbours
// were found; from then on they part along its normal, as if one were bounded by a plane.
//
// A plane counts as two contacts of its bodies. Overlaps of round bodies on opposite sides do not add up,
// which is why the average begins at two contacts; but flush tiles give a body several planes with one
// normal, each of which asks for the whole way.
#include "push_contact.h"

#include "base/float_env.h"

#include <float.h>

#define PLANE_BLOCK 512u
#define PLANE_CONTACTS 2u

static inline double overlapOf( const joPushPlane* plane, const joPushState* a, const joPushState* b )
{
    double way = 0.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        way += ( (double)b->position[axis] - (double)a->position[axis] ) * (double)plane->normal[axis];
    }
    const double overlap = plane->depth - way;
    return overlap > 0.0 ? overlap : 0.0;
}

bool joPusher_IsPressed( const joPusher* pusher, const joPushPlane* plane )
{
    const joPushState* a = (const joPushState*)pusher->states.data + plane->a;
    const joPushState* b = (const joPushState*)pusher->states.data + plane->b;
    return overlapOf( plane, a, b ) > resolutionOf( a, b, 0.0, 3 );
}

void joPusher_LeavePlane( joPusher* pusher, const joPushPlane* plane, bool isA )
{
    joPushState* a = (joPushState*)pusher->states.data + plane->a;
    joPushState* b = (joPushState*)pusher->states.data + plane->b;
    const double way = isA ? -overlapOf( plane, a, b ) : overlapOf( plane, a, b );
    float* position = ( isA ? a : b )->position;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double to = (double)position[axis] + way * (double)plane->normal[axis];
        position[axis] = to > FLT_MAX ? FLT_MAX : to < -FLT_MAX ? -FLT_MAX : (float)to;
    }
}

static void pushPlane(
    const joPushPass* pass, const joPushPlane* plane, double overlap, bool shared, TrackBuffer* buffer )
{
    joPusher* pusher = pass->pusher;
    const joPushSum* sums = pusher->sums.data;
    const uint32_t now = pusher->contactsNow;
    const uint32_t contactsA = sums[plane->a].contacts[now] & ~JO_PUSH_DEEP;
    const uint32_t contactsB = sums[plane->b].contacts[now] & ~JO_PUSH_DEEP;
    const uint32_t most = contactsA > contactsB ? contactsA : contactsB;
    const double massA = (double)( (const float*)pusher->inverseMasses.data )[plane->a];
    const double massB = (double)( (const float*)pusher->inverseMasses.data )[plane->b];
    const double part = ( massA + massB ) * ( most > 2 ? 0.5 * (double)most : 1.0 );
    const double factor = overlap * pusher->quantum / part;
    const bool isDeep = overlap > pass->limit * 0.125;
    const double normal[3] = { (double)plane->normal[0], (double)plane->normal[1], (double)plane->normal[2] };
    if ( massA > 0.0 )
    {
        countContact( pusher, plane->a, 1 - now, PLANE_CONTACTS, isDeep, shared, buffer );
        pushBody( pusher, plane->a, normal, -factor * massA, 3, shared );
    }
    if ( massB > 0.0 )
    {
        countContact( pusher, plane->b, 1 - now, PLANE_CONTACTS, isDeep, shared, buffer );
        pushBody( pusher, plane->b, normal, factor * massB, 3, shared );
    }
}

static void countPlane( joPusher* pusher, const joPushPlane* plane, bool shared, TrackBuffer* buffer )
{
    const uint32_t ends[2] = { plane->a, plane->b };
    for ( uint32_t side = 0; side < 2; ++side )
    {
        if ( ( (const float*)pusher->inverseMasses.data )[ends[side]] > 0.0f )
        {
            countContact( pusher, ends[side], pusher->contactsNow, PLANE_CONTACTS, false, shared, buffer );
        }
    }
}

static void workOnBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const joPushPass* pass = context;
    joPusher* pusher = pass->pusher;
    const joPushPlane* planes = pusher->planes.data;
    const joPushState* states = pusher->states.data;
    const bool shared = pusher->workerCount > 1;
    joPushTally tally = pusher->tallies[worker];
    TrackBuffer buffer;
    buffer.count = 0;
    for ( uint32_t i = begin; i < end; ++i )
    {
        const joPushState* a = states + planes[i].a;
        const joPushState* b = states + planes[i].b;
        const double overlap = overlapOf( planes + i, a, b );
        if ( overlap <= resolutionOf( a, b, 0.0, 3 ) )
        {
            continue;
        }
        tally.deepest = overlap > tally.deepest ? overlap : tally.deepest;
        tally.overlapCount += 1;
        if ( pass->work == jo_workPush )
        {
            pushPlane( pass, planes + i, overlap, shared, &buffer );
        }
        else if ( pass->work == jo_workCount )
        {
            countPlane( pusher, planes + i, shared, &buffer );
        }
    }
    flushTracks( pusher, &buffer );
    pusher->tallies[worker] = tally;
}

void joPusher_WorkOnPlanes( const joPushPass* pass )
{
    joParallelFor( pass->pusher->def.jobs, pass->pusher->planeCount, PLANE_BLOCK, workOnBlock, (void*)pass );
}
