// SPDX-License-Identifier: MIT
// jostle's broad phase in a race for pairs. Each frame: SetBoxes with all boxes, FindPairs into an array. All
// parameters are those the library derives itself. Where some boxes never move there are three rows a kind:
// - static: those are added once as static ones, the others are set each frame;
// - resting: they are parked, so the pairs among them are kept and given too;
// - moving: the library is not told; all boxes are set each frame.
#include "contestant.h"

#include "box_array.h"

#include <stdio.h>
#include <string.h>

typedef struct JostleState
{
    joBroadPhase* broadPhase;
    joJobs* jobs;
    // Boxes and keys of those that move, packed each frame (in the timed part), if some never do.
    float* packedBoxes;
    uint32_t* packedKeys;
    uint32_t packedCount;
} JostleState;

static bool Succeeded( joResult result, const char* what )
{
    if ( result != jo_success )
    {
        fprintf( stderr, "jostle-bench: jostle: %s: %s\n", what, joResultText( result ) );
    }
    return result == jo_success;
}

static void Pack( JostleState* state, const benchScene* scene, bool moving )
{
    state->packedCount = 0;
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        if ( ( scene->motion[i] == jo_moving ) == moving )
        {
            memcpy( state->packedBoxes + (size_t)state->packedCount * JO_BOX_FLOATS,
                scene->boxes + (size_t)i * JO_BOX_FLOATS, JO_BOX_FLOATS * sizeof( float ) );
            state->packedKeys[state->packedCount++] = i;
        }
    }
}

static joBoxes ViewPacked( const JostleState* state )
{
    joBoxes boxes = joViewBoxArray( state->packedBoxes, state->packedCount );
    boxes.key = ( joColumn ){ state->packedKeys, sizeof( uint32_t ) };
    return boxes;
}

static bool Frame( void* stateIn, const benchScene* scene, benchPairList* pairs )
{
    JostleState* state = stateIn;
    joBoxes boxes = joViewBoxArray( scene->boxes, scene->count );
    if ( state->packedBoxes != NULL )
    {
        Pack( state, scene, true );
        boxes = ViewPacked( state );
    }
    if ( !Succeeded( joBroadPhase_SetBoxes( state->broadPhase, &boxes, NULL ), "set boxes" ) )
    {
        return false;
    }
    uint64_t count;
    if ( !Succeeded( joBroadPhase_FindPairs( state->broadPhase, pairs->data, pairs->capacity, &count ),
             "find pairs" ) )
    {
        return false;
    }
    if ( count > pairs->capacity )
    {
        // Only in the first frames, before the array has its size.
        benchReservePairs( pairs, count + count / 4 );
        if ( !Succeeded(
                 joBroadPhase_GetPairs( state->broadPhase, 0, pairs->data, count, &count ), "get pairs" ) )
        {
            return false;
        }
    }
    pairs->count = count;
    return true;
}

static uint64_t Memory( void* stateIn )
{
    JostleState* state = stateIn;
    return joBroadPhase_GetStats( state->broadPhase ).memoryBytes;
}

static void Destroy( void* stateIn )
{
    JostleState* state = stateIn;
    joDestroyBroadPhase( state->broadPhase );
    joDestroyJobs( state->jobs );
    free( state->packedBoxes );
    free( state->packedKeys );
    free( state );
}

static bool Create( JostleState* state, const benchScene* scene, joBroadPhaseKind kind, uint32_t threads,
    joMotion motionOfStill )
{
    joJobsDef jobsDef = joDefaultJobsDef();
    jobsDef.workerCount = threads;
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.kind = kind;
    def.dimension = scene->dimension;
    if ( threads > 1 )
    {
        if ( !Succeeded( joCreateJobs( &jobsDef, &state->jobs ), "create jobs" ) )
        {
            return false;
        }
        def.jobs = state->jobs;
    }
    if ( !Succeeded( joCreateBroadPhase( &def, &state->broadPhase ), "create" ) )
    {
        return false;
    }
    if ( motionOfStill == jo_moving )
    {
        return true;
    }
    state->packedBoxes = benchAllocate( scene->count, JO_BOX_FLOATS * sizeof( float ) );
    state->packedKeys = benchAllocate( scene->count, sizeof( uint32_t ) );
    Pack( state, scene, false );
    joBoxes boxes = ViewPacked( state );
    return Succeeded( joBroadPhase_AddBoxes( state->broadPhase, motionOfStill, &boxes, NULL ), "add boxes" );
}

static const char* KindText( joBroadPhaseKind kind, const benchScene* scene, joMotion motionOfStill )
{
    static const char* const texts[3][jo_broadPhaseKindCount] = {
        { "bruteforce static", "sweep static", "grid static", "tree static", "bvh static", "auto static" },
        { "bruteforce resting", "sweep resting", "grid resting", "tree resting", "bvh resting",
            "auto resting" },
        { "bruteforce moving", "sweep moving", "grid moving", "tree moving", "bvh moving", "auto moving" },
    };
    return scene->stillCount == 0 ? joBroadPhaseKindText( kind ) : texts[motionOfStill][kind];
}

static void AddVariant( benchField* field, const benchScene* scene, joBroadPhaseKind kind, uint32_t threads,
    joMotion motionOfStill )
{
    JostleState* state = benchAllocate( 1, sizeof( JostleState ) );
    if ( !Create( state, scene, kind, threads, motionOfStill ) )
    {
        exit( 3 );
    }
    benchContestant* contestant = benchAddJostle( field, KindText( kind, scene, motionOfStill ), threads );
    contestant->wholeList = motionOfStill != jo_static;
    contestant->countsMemory = true;
    contestant->state = state;
    contestant->frame = Frame;
    contestant->memory = Memory;
    contestant->destroy = Destroy;
}

void benchAddJostlePairs(
    benchField* field, const benchScene* scene, joBroadPhaseKind kind, uint32_t threads )
{
    if ( scene->stillCount > 0 )
    {
        AddVariant( field, scene, kind, threads, jo_static );
        AddVariant( field, scene, kind, threads, jo_resting );
    }
    AddVariant( field, scene, kind, threads, jo_moving );
}
