// SPDX-License-Identifier: MIT
// The sweep of all sliding bodies as a stage of a step, and what the other stages ask of it.
#include "world/motion.h"
#include "world/slide.h"

#include <string.h>

#define SLIDE_BLOCK 4u
// Times that bodies in each other's way are stopped earlier; whoever is still in one then stays where it was.
#define LIMIT_ROUNDS 8u

// One sliding body's part in a stage.
typedef void RunFcn( joWorld* world, uint32_t slide );

typedef struct Stage
{
    joWorld* world;
    RunFcn* function;
} Stage;

static void runBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Stage* stage = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        if ( joBody_IsSwept( joWorld_Body( stage->world, joSlide_RunAt( stage->world, i )->body ) ) )
        {
            stage->function( stage->world, i );
        }
    }
}

// Over all bodies that are swept, in parallel: a function writes of nobody but its own.
static void runAll( joWorld* world, RunFcn* function )
{
    Stage stage = { world, function };
    joParallelFor( world->def.jobs, world->slideCount, SLIDE_BLOCK, runBlock, &stage );
}

static void askForTurn( joWorld* world, uint32_t slide )
{
    joSlideRun* run = joSlide_RunAt( world, slide );
    run->isTurned = run->angle > 0.0 && joSlide_CanTurn( world, run );
}

static void turn( joWorld* world, uint32_t slide )
{
    joSlide_TurnItems( world, joSlide_RunAt( world, slide ) );
}

// Ways end, and what was passed on them is noted. Who stands on another that slides looks at its pose: none
// is written yet.
static void endWay( joWorld* world, uint32_t slide )
{
    joSlide_EndAtLimit( world, slide );
    joSlide_ForgetMet( world, joSlide_RunAt( world, slide ) );
    joSlide_MeetTriggers( world, slide );
    joSlide_MeetMovers( world, slide );
}

static void writeEnd( joWorld* world, uint32_t slide )
{
    const joSlideRun* run = joSlide_RunAt( world, slide );
    void* pose = joWorld_BodyPose( world, run->body );
    if ( !run->isTurned )
    {
        memcpy( pose, joSlide_StartPose( world, run->body ), world->space->poseSize );
    }
    joSlide_WritePosition( world, joSlide_PlaceAt( run, run->limit ), pose );
    float* velocity = joWorld_BodyVelocity( world, run->body );
    joSlide_WritePosition( world, run->velocity, velocity );
    for ( uint32_t k = 0; k < world->space->angularCount && run->angle > 0.0 && !run->isTurned; ++k )
    {
        velocity[world->space->axisCount + k] = 0.0f;
    }
}

typedef struct Limits
{
    joWorld* world;
    bool isLast;
} Limits;

static void limitBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Limits* limits = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        joSlideRun* run = joSlide_RunAt( limits->world, i );
        run->nextLimit = run->limit;
        if ( joBody_IsSwept( joWorld_Body( limits->world, run->body ) ) )
        {
            const double limit = joSlide_FindLimit( limits->world, i );
            run->nextLimit = limit < run->limit && limits->isLast ? 0.0 : limit;
        }
    }
}

// Sliding bodies did not see where each other got to, but where each wanted to. Where two ways meet both end;
// and again, until none do. Each round looks at the ways of the round before: no order can show. Returns
// whether any has ended.
static bool limitWays( joWorld* world )
{
    bool isChanged = true, isAnyCut = false;
    for ( uint32_t round = 0; isChanged; ++round )
    {
        Limits limits = { world, round >= LIMIT_ROUNDS };
        joParallelFor( world->def.jobs, world->slideCount, SLIDE_BLOCK, limitBlock, &limits );
        isChanged = false;
        for ( uint32_t i = 0; i < world->slideCount; ++i )
        {
            joSlideRun* run = joSlide_RunAt( world, i );
            isChanged = isChanged || run->nextLimit < run->limit;
            run->limit = run->nextLimit;
            isAnyCut = isAnyCut || run->limit < 1.0;
        }
    }
    return isAnyCut;
}

static void askForPush( joWorld* world, uint32_t slide )
{
    joSlide_RunAt( world, slide )->isPushed = joSlide_FindPushed( world, slide );
}

static void pushOn( joWorld* world, uint32_t slide )
{
    if ( joSlide_RunAt( world, slide )->isPushed )
    {
        joSlide_PushOn( world, slide );
    }
}

// Ways that meet end. What that has stopped did not see what comes through where it stands now, and is pushed
// on by it. That may be into further ways, which end; in the last round it stands, and is told of what goes
// through it.
static void endWays( joWorld* world )
{
    bool isPushed = limitWays( world );
    for ( uint32_t round = 0; round < JO_SLIDE_PUSH_ROUNDS && isPushed; ++round )
    {
        runAll( world, askForPush );
        isPushed = false;
        for ( uint32_t i = 0; i < world->slideCount; ++i )
        {
            isPushed = isPushed || joSlide_RunAt( world, i )->isPushed;
        }
        if ( isPushed )
        {
            runAll( world, pushOn );
            limitWays( world );
        }
    }
}

joResult joSlide_Sweep( joWorld* world, uint32_t candidateCount )
{
    // Before they move, bodies turn where they are: all at once, and each only if it meets nothing on its
    // turn.
    if ( world->anySlideTurns )
    {
        runAll( world, askForTurn );
        runAll( world, turn );
    }
    runAll( world, joSlide_SweepBody );
    endWays( world );
    runAll( world, endWay );
    runAll( world, writeEnd );
    uint32_t* met = world->slideMet.data;
    for ( uint32_t i = 0; i < candidateCount; ++i )
    {
        met[i] = JO_NULL_INDEX;
    }
    for ( uint32_t i = world->slideItemCount; i > 0; --i )
    {
        const joSlideItem* item = joSlide_ItemAt( world, i - 1 );
        // Of two bodies that slide the first says how.
        if ( item->isMet && ( met[item->candidate] == JO_NULL_INDEX || item->isFirst ) )
        {
            met[item->candidate] = i - 1;
        }
    }
    return joStep_Settle( world );
}

void joSlide_Commit( joWorld* world )
{
    for ( uint32_t i = 0; i < world->slideCount; ++i )
    {
        joSlide* row = joSlide_At( world, i );
        const bool isSwept = joBody_IsSwept( joWorld_Body( world, row->body ) );
        memset( &row->state, 0, sizeof( row->state ) );
        if ( isSwept )
        {
            memcpy( &row->state, &joSlide_RunAt( world, i )->state, sizeof( row->state ) );
        }
    }
}

const joSlideItem* joSlide_FindMet( const joWorld* world, uint32_t candidate )
{
    const uint32_t item =
        world->slideCount > 0 ? ( (const uint32_t*)world->slideMet.data )[candidate] : JO_NULL_INDEX;
    return item != JO_NULL_INDEX ? joSlide_ItemAt( world, item ) : NULL;
}

// Bodies stop at their skin, but for rounding.
static float contactReach( double skin )
{
    return (float)( 1.5 * skin );
}

static float leaveReach( double skin )
{
    return (float)( 2.5 * skin );
}

void joSlide_FindMargins( const joWorld* world, const joTouch* touch, float* contact, float* leave )
{
    *contact = world->def.contactMargin;
    *leave = world->def.leaveMargin;
    const uint32_t bodies[2] = { (uint32_t)( touch->bodyPair >> 32 ), (uint32_t)touch->bodyPair };
    for ( uint32_t side = 0; side < 2 && world->slideCount > 0 && !touch->isTrigger; ++side )
    {
        const joBody* record = joWorld_Body( world, bodies[side] );
        if ( joBody_IsSwept( record ) )
        {
            const double skin = joSlide_RunAt( world, record->slide )->skin;
            *contact = contactReach( skin ) > *contact ? contactReach( skin ) : *contact;
            *leave = leaveReach( skin ) > *leave ? leaveReach( skin ) : *leave;
        }
    }
}

void joSlide_FindSides( const joWorld* world, joTouch* touch )
{
    const uint32_t bodies[2] = { (uint32_t)( touch->bodyPair >> 32 ), (uint32_t)touch->bodyPair };
    const joWide3 normal = joWide3_Of( touch->touch.normal );
    for ( uint32_t side = 0; side < 2 && world->slideCount > 0; ++side )
    {
        const uint32_t run = joSlide_RunOf( world, bodies[side] );
        if ( run != JO_NULL_INDEX )
        {
            const joWide3 out = joScale3( side == 0 ? -1.0 : 1.0, normal );
            touch->sides[side] = (uint8_t)joSlide_FindSide( joSlide_RunAt( world, run ), out );
        }
    }
}

float joSlide_FindLargestMargin( const joWorld* world )
{
    float most = world->def.leaveMargin;
    for ( uint32_t i = 0; i < world->slideCount; ++i )
    {
        const joSlideRun* run = joSlide_RunAt( world, i );
        if ( joBody_IsSwept( joWorld_Body( world, run->body ) ) )
        {
            most = leaveReach( run->skin ) > most ? leaveReach( run->skin ) : most;
        }
    }
    return most < JO_MAX_SIZE ? most : JO_MAX_SIZE;
}
