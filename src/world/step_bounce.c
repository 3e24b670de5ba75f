// SPDX-License-Identifier: MIT
// What a push does to velocities: of the speed at which two that overlap approach each other, as much is
// turned back as the larger restitution of their colliders says; what they have across the normal stays.
//
// Jacobi, as the passes of the push: in each, every contact asks for what its two bodies still lack, divided
// by the contacts of the one that has more of them, and a body adds up whole numbers, in no order. So several
// contacts with one normal (flush tiles) ask for it once, and a body between many gets it over some passes.
#include "world/step_push.h"

#include "base/float_env.h"
#include "world/pusher.h"

#include <math.h>

#define PASSES 4u
// A contact asks for no more than so many times the fastest approach, so that sums stay within 64 bits.
#define MOST_ASKED 4.0

static double approachOf( const joWorld* world, uint32_t a, uint32_t b, const float normal[3] )
{
    const joPushSlot* slots = world->push.slots.data;
    double speed = 0.0;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        speed += ( (double)slots[a].velocity[axis] - (double)slots[b].velocity[axis] ) * (double)normal[axis];
    }
    return speed;
}

static void readVelocity( joWorld* world, uint32_t slot )
{
    joPushSlot* made = (joPushSlot*)world->push.slots.data + slot;
    const float* velocity = joWorld_BodyVelocity( world, joPusher_Index( world->push.pusher, slot ) );
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        made->velocity[axis] = axis < world->space->axisCount ? velocity[axis] : 0.0f;
    }
}

static void add( joWorld* world, uint32_t a, uint32_t b, const float normal[3], float restitution )
{
    joPushStage* push = &world->push;
    readVelocity( world, a );
    readVelocity( world, b );
    const double approach = approachOf( world, a, b, normal );
    if ( approach > 0.0 )
    {
        push->fastest = approach > push->fastest ? approach : push->fastest;
        ( (joBounce*)push->bounces.data )[push->bounceCount++] =
            ( joBounce ){ a, b, { normal[0], normal[1], normal[2] }, -approach * (double)restitution };
    }
}

// The collider of a round body.
static uint32_t colliderOf( const joWorld* world, uint32_t slot )
{
    return joPush_FindOnly( world, joPusher_Index( world->push.pusher, slot ) );
}

static void addPair( joWorld* world, joPair pair )
{
    const joPusher* pusher = world->push.pusher;
    const joPushState* a = (const joPushState*)pusher->states.data + pair.a;
    const joPushState* b = (const joPushState*)pusher->states.data + pair.b;
    double difference[3], distanceSq = 0.0;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        difference[axis] = (double)b->position[axis] - (double)a->position[axis];
        distanceSq += difference[axis] * difference[axis];
    }
    const double distance = sqrt( distanceSq );
    if ( distance == 0.0 )
    {
        difference[0] = joPusher_Index( pusher, pair.a ) < joPusher_Index( pusher, pair.b ) ? 1.0 : -1.0;
    }
    const double scale = distance > 0.0 ? 1.0 / distance : 1.0;
    const float normal[3] = { (float)( difference[0] * scale ), (float)( difference[1] * scale ),
        (float)( difference[2] * scale ) };
    add( world, pair.a, pair.b, normal,
        joWorld_RestitutionOf( world, colliderOf( world, pair.a ), colliderOf( world, pair.b ) ) );
}

void joBounce_List( joWorld* world )
{
    joPushStage* push = &world->push;
    const joPusher* pusher = push->pusher;
    push->bounceCount = 0;
    push->fastest = 0.0;
    // Places of overlapping pairs come in blocks, as they were found.
    for ( uint32_t first = 0, block = 0; first < pusher->pairCount; first += JO_PUSH_PAIR_BLOCK, ++block )
    {
        const joPair* overlaps = (const joPair*)pusher->overlaps.data + first;
        const uint32_t count = ( (const uint32_t*)pusher->overlapCounts.data )[block];
        for ( uint32_t i = 0; i < count; ++i )
        {
            if ( joPusher_Overlaps( pusher, overlaps[i] ) )
            {
                addPair( world, overlaps[i] );
            }
        }
    }
    const joPushPlane* planes = pusher->planes.data;
    for ( uint32_t i = 0; i < pusher->planeCount; ++i )
    {
        if ( joPusher_IsPressed( pusher, planes + i ) )
        {
            add( world, planes[i].a, planes[i].b, planes[i].normal,
                ( (const float*)push->planeMaterials.data )[i] );
        }
    }
}

static void countContacts( joWorld* world )
{
    joPushSum* sums = world->push.pusher->sums.data;
    const joBounce* bounces = world->push.bounces.data;
    for ( uint32_t i = 0; i < world->push.bounceCount; ++i )
    {
        sums[bounces[i].a].contacts[0] += 1;
        sums[bounces[i].b].contacts[0] += 1;
    }
}

// Contacts of a body that stands count for nothing: it does not have to please them all.
static uint32_t contactsOf( const joPusher* pusher, uint32_t slot )
{
    const bool isMovable = ( (const float*)pusher->inverseMasses.data )[slot] > 0.0f;
    return isMovable ? ( (const joPushSum*)pusher->sums.data )[slot].contacts[0] : 1;
}

static bool ask( joWorld* world, const joBounce* bounce, double quantum )
{
    joPusher* pusher = world->push.pusher;
    joPushSum* sums = pusher->sums.data;
    const float* masses = pusher->inverseMasses.data;
    double lacking = approachOf( world, bounce->a, bounce->b, bounce->normal ) - bounce->target;
    if ( !( lacking > world->push.fastest * 0x1p-20 ) )
    {
        return false;
    }
    const double most = world->push.fastest * MOST_ASKED;
    lacking = lacking < most ? lacking : most;
    const uint32_t contactsA = contactsOf( pusher, bounce->a );
    const uint32_t contactsB = contactsOf( pusher, bounce->b );
    const double massA = (double)masses[bounce->a], massB = (double)masses[bounce->b];
    const double factor =
        lacking * quantum / ( ( massA + massB ) * (double)( contactsA > contactsB ? contactsA : contactsB ) );
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        const double impulse = (double)bounce->normal[axis] * factor;
        sums[bounce->a].sum[axis] -= (int64_t)( impulse * massA );
        sums[bounce->b].sum[axis] += (int64_t)( impulse * massB );
    }
    return true;
}

static void take( joWorld* world, uint32_t slot, double quantum )
{
    joPushSum* sum = (joPushSum*)world->push.pusher->sums.data + slot;
    joPushSlot* body = (joPushSlot*)world->push.slots.data + slot;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        body->velocity[axis] =
            joKeepFinite( (double)body->velocity[axis] + (double)sum->sum[axis] / quantum );
        sum->sum[axis] = 0;
    }
}

static void writeVelocity( joWorld* world, uint32_t slot )
{
    joPusher* pusher = world->push.pusher;
    ( (joPushSum*)pusher->sums.data )[slot].contacts[0] = 0;
    if ( ( (const float*)pusher->inverseMasses.data )[slot] > 0.0f )
    {
        float* velocity = joWorld_BodyVelocity( world, joPusher_Index( pusher, slot ) );
        ( (uint8_t*)world->restless.data )[slot] = 0;
        for ( uint32_t axis = 0; axis < world->space->axisCount; ++axis )
        {
            velocity[axis] = ( (const joPushSlot*)world->push.slots.data )[slot].velocity[axis];
        }
    }
}

void joBounce_Run( joWorld* world )
{
    const joPushStage* push = &world->push;
    const joBounce* bounces = push->bounces.data;
    int exponent = 0;
    frexp( MOST_ASKED * push->fastest * (double)( push->bounceCount + 1 ), &exponent );
    const double quantum = ldexp( 1.0, 61 - exponent );
    countContacts( world );
    bool lacks = push->bounceCount > 0;
    for ( uint32_t pass = 0; pass < PASSES && lacks; ++pass )
    {
        lacks = false;
        for ( uint32_t i = 0; i < push->bounceCount; ++i )
        {
            lacks = ask( world, bounces + i, quantum ) || lacks;
        }
        for ( uint32_t i = 0; i < push->bounceCount; ++i )
        {
            take( world, bounces[i].a, quantum );
            take( world, bounces[i].b, quantum );
        }
    }
    for ( uint32_t i = 0; i < push->bounceCount; ++i )
    {
        writeVelocity( world, bounces[i].a );
        writeVelocity( world, bounces[i].b );
    }
}
