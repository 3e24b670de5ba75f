// SPDX-License-Identifier: MIT
// A step, from top to bottom. Until the last stage nothing is written that cannot be taken back, so that a
// step which fails has not been.
#include "base/assert.h"
#include "base/timer.h"
#include "world/contacts.h"
#include "world/motion.h"
#include "world/sleep.h"
#include "world/slide.h"
#include "world/step_push.h"

#include <math.h>

// Seconds since the mark, which moves on.
static double lap( uint64_t* mark )
{
    const uint64_t now = joGetNanoseconds();
    const double seconds = 1e-9 * (double)( now - *mark );
    *mark = now;
    return seconds;
}

static joResult sweep( joWorld* world, uint32_t* candidateCount )
{
    bool isWider;
    joResult result = joSlide_Widen( world, *candidateCount, &isWider );
    // Ends: each round is for something faster than in the round before.
    while ( isWider && result == jo_success )
    {
        result = joBroadPhase_FindPairs( world->broadPhase, NULL, 0, &world->foundPairCount );
        result = result ? result : joStep_FindCandidates( world, candidateCount );
        result = result ? result : joSlide_Widen( world, *candidateCount, &isWider );
    }
    return result ? result : joSlide_Sweep( world, *candidateCount );
}

static joResult step( joWorld* world, float dt )
{
    joWorldProfile profile = { 0 };
    uint64_t mark = joGetNanoseconds();
    uint32_t candidateCount = 0, touchCount = 0;

    joResult result = joStep_Unpark( world );
    result = result ? result : joStep_Move( world, dt );
    if ( result != jo_success )
    {
        return result;
    }
    profile.motion = lap( &mark );

    result = joBroadPhase_FindPairs( world->broadPhase, NULL, 0, &world->foundPairCount );
    profile.pairs = lap( &mark );

    result = result ? result : joStep_FindCandidates( world, &candidateCount );
    if ( world->slideCount > 0 )
    {
        result = result ? result : sweep( world, &candidateCount );
        profile.sweep = lap( &mark );
    }
    result = result ? result : joStep_FindTouches( world, candidateCount, &touchCount );
    profile.contacts = lap( &mark );

    result = result ? result : joStep_CompareTouches( world, touchCount );
    profile.events = lap( &mark );

    result = result ? result : joStep_Push( world, candidateCount, dt );
    profile.push = lap( &mark );
    if ( result != jo_success )
    {
        joStep_MoveBack( world );
        return result;
    }
    // Events were found before the push, and are written when nothing can fail any more.
    joSlide_Commit( world );
    joStep_WriteEvents( world, touchCount );
    joStep_WakePushed( world );
    joStep_Sleep( world, dt );
    profile.events += lap( &mark );
    world->profile = profile;
    world->pairCount = world->foundPairCount;
    return jo_success;
}

joResult joWorld_Step( joWorld* world, float dt )
{
    if ( world == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    if ( !( dt > 0.0f && isfinite( dt ) ) )
    {
        return JO_MISUSE( isnan( dt ) ? jo_errorNotANumber : jo_errorBadTimeStep );
    }
    joFloatEnv env = joFloatEnv_Enter();
    const joResult result = step( world, dt );
    joFloatEnv_Leave( env );
    return result;
}

joWorldProfile joWorld_GetProfile( const joWorld* world )
{
    return world != NULL ? world->profile : ( joWorldProfile ){ 0 };
}
