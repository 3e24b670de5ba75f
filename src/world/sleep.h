// SPDX-License-Identifier: MIT
// Sleep. A step looks at the bodies of one list, the awake ones, and at contacts of which one body at least
// is in it, the active ones; nothing else costs anything. In the list are
// - bodies that are not static and not asleep;
// - static bodies that have been changed since the last step, while anything sleeps that they could touch.
// All others are static in the broad phase (parked), where pairs of two parked ones are never looked for:
// since neither has changed, what they touch has not either. Their contacts keep their slots and hang in the
// lists of their bodies. When a body enters the list, its contacts become active, and the next step sees
// whether they still are; when it leaves, those become still whose other body is not in it.
#pragma once

#include "world/world.h"

static inline bool joBody_Sleeps( const joBody* body )
{
    return body->isEnabled && body->type != jo_staticBody && body->awakeIndex == JO_NULL_INDEX;
}

// After every change of a body or its colliders that succeeded, and before a body is disabled or goes. Cannot
// fail: what the broad phase must know is left to the next step.
void joSleep_Wake( joWorld* world, uint32_t body );
// The same for a body that is in no list because it is static, and will not be.
void joSleep_Enlist( joWorld* world, uint32_t body );

// At the start of a step: who is awake moves in the broad phase. The only stage that may not be taken back,
// and need not: parked or not, the pairs of who is awake are the same.
joResult joStep_Unpark( joWorld* world );
// Whether a body surely stays awake and has rested for no time: most of those that move. Seen where they
// move, while they are in the cache; what changes its velocity later in the step takes that back.
bool joSleep_IsRestless( const joWorld* world, uint32_t body );
// At the end: who has been at rest for long enough leaves the list. Who cannot be parked for want of memory
// stays awake, which is right, too.
void joStep_Sleep( joWorld* world, float dt );
