// SPDX-License-Identifier: MIT
// A fixed step for frames of any length: the time that waits for a step.
#include "base/assert.h"
#include "world/world.h"

#include <math.h>

static double mostWaiting( const joWorld* world )
{
    return (double)world->def.fixedStep * world->def.mostDueSteps;
}

static uint32_t dueStepsOf( const joWorld* world )
{
    return (uint32_t)( world->waitingSeconds / (double)world->def.fixedStep );
}

joResult joWorld_AddTime( joWorld* world, double seconds, uint32_t* dueSteps, double* droppedSeconds )
{
    if ( world == NULL || dueSteps == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    if ( !( seconds >= 0.0 && isfinite( seconds ) ) )
    {
        return JO_MISUSE( isnan( seconds ) ? jo_errorNotANumber : jo_errorBadTimeStep );
    }
    joFloatEnv env = joFloatEnv_Enter();
    const double waiting = world->waitingSeconds + seconds, most = mostWaiting( world );
    world->waitingSeconds = waiting < most ? waiting : most;
    *dueSteps = dueStepsOf( world );
    joFloatEnv_Leave( env );
    if ( droppedSeconds != NULL )
    {
        *droppedSeconds = waiting - world->waitingSeconds;
    }
    return jo_success;
}

joResult joWorld_StepFixed( joWorld* world )
{
    if ( world == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    if ( dueStepsOf( world ) == 0 )
    {
        return JO_MISUSE( jo_errorBadTimeStep );
    }
    const joResult result = joWorld_Step( world, world->def.fixedStep );
    if ( result == jo_success )
    {
        world->waitingSeconds -= (double)world->def.fixedStep;
    }
    return result;
}

float joWorld_GetWaitingShare( const joWorld* world )
{
    return world != NULL ? (float)( world->waitingSeconds / (double)world->def.fixedStep ) : 0.0f;
}
