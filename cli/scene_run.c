// SPDX-License-Identifier: MIT
#include "scene_run.h"

#include "scene_bodies.h"

#include "base/timer.h"

#include <math.h>
#include <stdlib.h>

static double SecondsSince( uint64_t* mark )
{
    const uint64_t now = joGetNanoseconds();
    const double seconds = 1e-9 * (double)( now - *mark );
    *mark = now;
    return seconds;
}

joResult joCreateSceneRun( const joScene* scene, const joSceneRunDef* def, joSceneRun** run )
{
    *run = NULL;
    if ( !( def->scale > 0.0f && isfinite( def->scale ) ) )
    {
        return jo_errorBadDef;
    }
    joSceneRun* made = calloc( 1, sizeof( joSceneRun ) );
    if ( made == NULL )
    {
        return jo_errorOutOfMemory;
    }
    made->scene = scene;
    made->scale = def->scale;
    made->eventHash = JO_SCENE_HASH_START;
    made->random = joMakeRandom( scene->disturbance.seed );
    made->groups = calloc( scene->bodyCount + 1, sizeof( joSceneGroup ) );
    made->scratch = joCreateSceneScratch( scene->dimension );
    for ( uint32_t i = 0; i < scene->bodyCount && made->groups != NULL; ++i )
    {
        made->groups[i].source = &scene->bodies[i];
    }
    joWorldDef worldDef = scene->worldDef;
    worldDef.jobs = def->jobs;
    worldDef.broadPhase.kind = def->kind == jo_broadPhaseKindCount ? worldDef.broadPhase.kind : def->kind;
    joResult result = made->groups == NULL || made->scratch == NULL ? jo_errorOutOfMemory : jo_success;
    result = result ? result : joCreateWorld( &worldDef, &made->world );
    result = result ? result : joSceneRun_SpawnAll( made );
    if ( result )
    {
        joDestroySceneRun( made );
        return result;
    }
    *run = made;
    return jo_success;
}

void joDestroySceneRun( joSceneRun* run )
{
    if ( run == NULL )
    {
        return;
    }
    joDestroyWorld( run->world );
    for ( uint32_t i = 0; i < run->scene->bodyCount && run->groups != NULL; ++i )
    {
        free( run->groups[i].ids );
        free( run->groups[i].progress );
    }
    free( run->groups );
    joDestroySceneScratch( run->scratch );
    free( run );
}

// --- a step -----------------------------------------------------------------------------------------------

static void CountEvents( joSceneRun* run )
{
    joSceneTotals* totals = &run->totals;
    for ( int list = 0; list < 2; ++list )
    {
        joContactEvents events;
        joSceneRun_GetEvents( run, list, &events );
        totals->enters[list] += events.enterCount;
        totals->stays[list] += events.stayCount;
        totals->exits[list] += events.exitCount;
        run->eventHash = joHashEvents( run->eventHash, events.enters, events.enterCount );
        run->eventHash = joHashEvents( run->eventHash, events.exits, events.exitCount );
    }
    const joWorldStats stats = joWorld_GetStats( run->world );
    const joWorldProfile profile = joWorld_GetProfile( run->world );
    totals->pairs = stats.pairCount;
    totals->contacts = stats.contactCount;
    totals->profile.motion += profile.motion;
    totals->profile.pairs += profile.pairs;
    totals->profile.contacts += profile.contacts;
    totals->profile.events += profile.events;
    totals->profile.sweep += profile.sweep;
    totals->profile.push += profile.push;
}

joResult joSceneRun_Step( joSceneRun* run )
{
    uint64_t mark = joGetNanoseconds();
    joResult result = joSceneRun_Disturb( run );
    result = result ? result : joSceneRun_Behave( run );
    run->totals.behaviours += SecondsSince( &mark );
    result = result ? result : joWorld_Step( run->world, run->scene->timeStep );
    run->totals.step += SecondsSince( &mark );
    if ( result )
    {
        return result;
    }
    run->stepCount += 1;
    CountEvents( run );
    mark = joGetNanoseconds();
    result = joSceneRun_Vanish( run );
    run->totals.behaviours += SecondsSince( &mark );
    return result;
}

void joSceneRun_GetEvents( const joSceneRun* run, int list, joContactEvents* events )
{
    list == 0 ? joWorld_GetContactEvents( run->world, jo_perCollider, events )
              : joWorld_GetTriggerEvents( run->world, jo_perCollider, events );
}

// --- hashes -----------------------------------------------------------------------------------------------

// Fowler, Noll and Vo, FNV-1a.
static uint64_t HashBytes( uint64_t hash, const void* data, size_t size )
{
    const unsigned char* bytes = data;
    for ( size_t i = 0; i < size; ++i )
    {
        hash = ( hash ^ bytes[i] ) * UINT64_C( 0x100000001b3 );
    }
    return hash;
}

// Member by member: between them there may be anything.
uint64_t joHashEvents( uint64_t hash, const joContactEvent* events, uint64_t count )
{
    for ( uint64_t i = 0; i < count; ++i )
    {
        const joContactEvent* event = &events[i];
        const uint64_t words[11] = { event->bodyA.bits, event->bodyB.bits, event->colliderA.bits,
            event->colliderB.bits, event->userDataA, event->userDataB,
            event->colliderUserDataA << 32 | event->colliderUserDataB, event->isTrigger, event->child,
            event->sideA, event->sideB };
        hash = HashBytes( hash, words, sizeof( words ) );
        hash = HashBytes( hash, event->normal, sizeof( event->normal ) );
        hash = HashBytes( hash, event->point, sizeof( event->point ) );
        hash = HashBytes( hash, &event->depth, sizeof( event->depth ) );
        hash = HashBytes( hash, &event->time, sizeof( event->time ) );
    }
    return HashBytes( hash, &count, sizeof( count ) );
}

static joResult HashBody( const joSceneRun* run, joBodyId body, uint64_t* hash )
{
    joBodyDef2 def2;
    joBodyDef3 def3;
    const bool isFlat = run->scene->dimension == 2;
    const joResult result =
        isFlat ? joWorld_GetBody2( run->world, body, &def2 ) : joWorld_GetBody3( run->world, body, &def3 );
    if ( result )
    {
        return result;
    }
    *hash = HashBytes( *hash, &body, sizeof( body ) );
    *hash = isFlat ? HashBytes( *hash, &def2.pose, sizeof( def2.pose ) )
                   : HashBytes( *hash, &def3.pose, sizeof( def3.pose ) );
    *hash = isFlat ? HashBytes( *hash, &def2.velocity, sizeof( def2.velocity ) )
                   : HashBytes( *hash, &def3.velocity, sizeof( def3.velocity ) );
    *hash = isFlat ? HashBytes( *hash, &def2.angularVelocity, sizeof( def2.angularVelocity ) )
                   : HashBytes( *hash, &def3.angularVelocity, sizeof( def3.angularVelocity ) );
    const bool isAwake = isFlat ? def2.isAwake : def3.isAwake;
    *hash = HashBytes( *hash, &isAwake, sizeof( isAwake ) );
    return jo_success;
}

joResult joSceneRun_Hash( const joSceneRun* run, uint64_t* hash )
{
    uint64_t count = 0, capacity = 0, found = 0;
    joResult result = joWorld_GetBodyIds( run->world, NULL, 0, &count );
    joBodyId* ids = malloc( ( count + 1 ) * sizeof( joBodyId ) );
    joContactEvent* contacts = NULL;
    *hash = JO_SCENE_HASH_START;
    result = result ? result : ids == NULL ? jo_errorOutOfMemory : jo_success;
    result = result ? result : joWorld_GetBodyIds( run->world, ids, count, &count );
    for ( uint64_t i = 0; i < count && !result; ++i )
    {
        result = HashBody( run, ids[i], hash );
        result = result ? result : joWorld_GetContacts( run->world, ids[i], contacts, capacity, &found );
        if ( !result && found > capacity )
        {
            capacity = 2 * found;
            free( contacts );
            contacts = malloc( capacity * sizeof( joContactEvent ) );
            result = contacts == NULL ? jo_errorOutOfMemory
                                      : joWorld_GetContacts( run->world, ids[i], contacts, capacity, &found );
        }
        *hash = result ? *hash : joHashEvents( *hash, contacts, found );
    }
    free( contacts );
    free( ids );
    return result;
}
