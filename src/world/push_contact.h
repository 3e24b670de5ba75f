// SPDX-License-Identifier: MIT
// Push apart: what a contact does to one of its bodies, for pairs of round bodies and for planes alike.
#pragma once

#include "world/pusher.h"

#include <math.h>
#include <string.h>

// Overlaps below this are beyond what floats at these positions can tell, a few units in their last place.
// They are not pushed for, nor counted as contacts: else rounding would decide whether a pair that has just
// been parted gets another pass, with all the motion that carries on.
static inline double resolutionOf( const joPushState* a, const joPushState* b, double reach, int axisCount )
{
    double largest = reach;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        const double x = fabs( (double)a->position[axis] );
        const double y = fabs( (double)b->position[axis] );
        largest = x > largest ? x : largest;
        largest = y > largest ? y : largest;
    }
    return largest * 0x1p-21;
}

// New tracks of one worker, on their way into the list that all share: one by one, the workers would hinder
// each other at its end.
typedef struct TrackBuffer
{
    joPushTrack tracks[64];
    uint32_t count;
} TrackBuffer;

static inline void flushTracks( joPusher* pusher, TrackBuffer* buffer )
{
    if ( buffer->count > 0 )
    {
        const uint32_t first = __atomic_fetch_add( &pusher->trackCount, buffer->count, __ATOMIC_RELAXED );
        memcpy( (joPushTrack*)pusher->tracks.data + first, buffer->tracks,
            buffer->count * sizeof( joPushTrack ) );
        buffer->count = 0;
    }
}

// Several workers may have pairs of the same body: they add whole numbers, whose sum is the same in any
// order.
static inline void addTo( int64_t* sum, int64_t value, bool shared )
{
    if ( shared )
    {
        __atomic_fetch_add( sum, value, __ATOMIC_RELAXED );
    }
    else
    {
        *sum += value;
    }
}

static inline uint32_t addContacts( uint32_t* counter, uint32_t contacts, bool shared )
{
    if ( shared )
    {
        return __atomic_fetch_add( counter, contacts, __ATOMIC_RELAXED );
    }
    *counter += contacts;
    return *counter - contacts;
}

// A null buffer: there is only one worker.
static inline void track( joPusher* pusher, uint32_t slot, TrackBuffer* buffer )
{
    if ( buffer != NULL && buffer->count == sizeof( buffer->tracks ) / sizeof( buffer->tracks[0] ) )
    {
        flushTracks( pusher, buffer );
    }
    const joPushState* state = (const joPushState*)pusher->states.data + slot;
    joPushTrack* made = buffer != NULL ? buffer->tracks + buffer->count++
                                       : (joPushTrack*)pusher->tracks.data + pusher->trackCount++;
    *made = ( joPushTrack ){ slot, { state->position[0], state->position[1], state->position[2] },
        { state->position[0], state->position[1], state->position[2] } };
}

// Counts what is as much as so many contacts of a body that moves, in contacts[which]. The first one makes it
// tracked.
static inline void countContact( joPusher* pusher, uint32_t slot, uint32_t which, uint32_t contacts,
    bool isDeep, bool shared, TrackBuffer* buffer )
{
    uint32_t* counter = &( (joPushSum*)pusher->sums.data )[slot].contacts[which];
    uint8_t* isTracked = (uint8_t*)pusher->isTracked.data + slot;
    const uint32_t before = addContacts( counter, contacts, shared );
    if ( !shared )
    {
        *counter |= isDeep ? JO_PUSH_DEEP : 0;
    }
    else if ( isDeep )
    {
        __atomic_fetch_or( counter, JO_PUSH_DEEP, __ATOMIC_RELAXED );
    }
    // Only one worker sees the first contact of a pass, so isTracked has one writer and one reader. A single
    // one need not ask, for the processor would guess wrong.
    if ( ( !shared || before == 0 ) && *isTracked == 0 )
    {
        *isTracked = 1;
        track( pusher, slot, buffer );
    }
}

// What one body of a pair gets. Conversion truncates towards zero: two bodies of the same mass get the
// opposite, to the bit.
static inline void pushBody(
    joPusher* pusher, uint32_t slot, const double difference[3], double factor, int axisCount, bool shared )
{
    joPushSum* sum = (joPushSum*)pusher->sums.data + slot;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        addTo( &sum->sum[axis], (int64_t)( difference[axis] * factor ), shared );
    }
}
