// SPDX-License-Identifier: MIT
// jostle in the race of two sets. Each frame: SetCircles with all bullets and with all enemies, pairs between
// the two into an array. Two rows a kind:
// - the kind alone: no structure is ever built, so that kinds differ by nothing;
// - built: the enemies' structure is brought up to date first, as it is where they look for each other, too.
#include "contestant.h"

#include "jostle/two_sets.h"
#include "two_sets_scene.h"

#include <stdio.h>

typedef struct TwoSetsState
{
    joBroadPhase* bullets;
    joBroadPhase* enemies;
    joTwoSets* twoSets;
    joJobs* jobs;
    bool isBuilt;
} TwoSetsState;

static bool Succeeded( joResult result, const char* what )
{
    if ( result != jo_success )
    {
        fprintf( stderr, "jostle-bench: jostle: %s: %s\n", what, joResultText( result ) );
    }
    return result == jo_success;
}

static joResult SetDiscs( joBroadPhase* broadPhase, const joCrowd* discs )
{
    const joCircles circles = { .x = { discs->x, sizeof( float ) },
        .y = { discs->y, sizeof( float ) },
        .radius = { &discs->radius, 0 },
        .count = discs->count };
    return joBroadPhase_SetCircles( broadPhase, &circles, NULL );
}

static bool Frame( void* stateIn, const benchScene* scene, benchPairList* pairs )
{
    TwoSetsState* state = stateIn;
    if ( !Succeeded( SetDiscs( state->bullets, scene->twoSets->bullets ), "set bullets" ) ||
         !Succeeded( SetDiscs( state->enemies, scene->twoSets->enemies ), "set enemies" ) ||
         ( state->isBuilt && !Succeeded( joBroadPhase_Update( state->enemies ), "update" ) ) )
    {
        return false;
    }
    uint64_t count;
    if ( !Succeeded( joTwoSets_FindPairs( state->twoSets, state->bullets, state->enemies, pairs->data,
                         pairs->capacity, &count ),
             "find pairs" ) )
    {
        return false;
    }
    if ( count > pairs->capacity )
    {
        // Only in the first frames, before the array has its size.
        benchReservePairs( pairs, count + count / 4 );
        if ( !Succeeded( joTwoSets_GetPairs( state->twoSets, 0, pairs->data, count, &count ), "get pairs" ) )
        {
            return false;
        }
    }
    pairs->count = count;
    return true;
}

static uint64_t Memory( void* stateIn )
{
    const TwoSetsState* state = stateIn;
    return joBroadPhase_GetStats( state->bullets ).memoryBytes +
           joBroadPhase_GetStats( state->enemies ).memoryBytes +
           joTwoSets_GetStats( state->twoSets ).memoryBytes;
}

static void Destroy( void* stateIn )
{
    TwoSetsState* state = stateIn;
    joDestroyTwoSets( state->twoSets );
    joDestroyBroadPhase( state->bullets );
    joDestroyBroadPhase( state->enemies );
    joDestroyJobs( state->jobs );
    free( state );
}

static bool Create( TwoSetsState* state, joBroadPhaseKind kind, uint32_t threads )
{
    joJobsDef jobsDef = joDefaultJobsDef();
    jobsDef.workerCount = threads;
    if ( threads > 1 && !Succeeded( joCreateJobs( &jobsDef, &state->jobs ), "create jobs" ) )
    {
        return false;
    }
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.kind = kind;
    def.dimension = 2;
    def.jobs = state->jobs;
    joTwoSetsDef twoSetsDef = joDefaultTwoSetsDef();
    twoSetsDef.dimension = 2;
    twoSetsDef.jobs = state->jobs;
    return Succeeded( joCreateBroadPhase( &def, &state->bullets ), "create" ) &&
           Succeeded( joCreateBroadPhase( &def, &state->enemies ), "create" ) &&
           Succeeded( joCreateTwoSets( &twoSetsDef, &state->twoSets ), "create" );
}

static void AddVariant( benchField* field, joBroadPhaseKind kind, uint32_t threads, bool isBuilt )
{
    static const char* const built[jo_broadPhaseKindCount] = {
        "bruteforce built", "sweep built", "grid built", "tree built", "bvh built", "auto built" };
    TwoSetsState* state = benchAllocate( 1, sizeof( TwoSetsState ) );
    state->isBuilt = isBuilt;
    if ( !Create( state, kind, threads ) )
    {
        exit( 3 );
    }
    benchContestant* contestant =
        benchAddJostle( field, isBuilt ? built[kind] : joBroadPhaseKindText( kind ), threads );
    contestant->countsMemory = true;
    contestant->state = state;
    contestant->frame = Frame;
    contestant->memory = Memory;
    contestant->destroy = Destroy;
}

void benchAddJostleTwoSets( benchField* field, joBroadPhaseKind kind, uint32_t threads )
{
    AddVariant( field, kind, threads, false );
    AddVariant( field, kind, threads, true );
}
