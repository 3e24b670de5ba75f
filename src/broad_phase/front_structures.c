// SPDX-License-Identifier: MIT
// The structures of a broad phase: one a set, all of one kind, brought up to date, and under jo_auto replaced
// when another kind suits the objects better.
#include "base/assert.h"
#include "base/float_env.h"
#include "front.h"

#include <stdio.h>
#include <string.h>

// Updates from one measuring to the next: one, then twice as many each time, to this. Measuring reads each
// box once, which is some hundredth of what a frame costs, in a few of these frames.
#define MAX_INTERVAL 64
// Updates that a kind is kept before another may take its place; twice as many after each change, to the
// maximum. So a scene that swings to and fro for ever makes the structures anew ever more rarely.
#define FIRST_HOLD 2
#define MAX_HOLD 1024

static void destroyStructures( joBroadPhase* front, const joStructureKind* kind, void** structures )
{
    for ( int set = 0; set < JO_SET_COUNT; ++set )
    {
        if ( structures[set] != NULL )
        {
            kind->destroy( structures[set] );
            joMemory_Free( &front->memory, structures[set], kind->size );
            structures[set] = NULL;
        }
    }
}

// All null on failure.
static joResult createStructures( joBroadPhase* front, const joStructureKind* kind, void** structures )
{
    for ( int set = 0; set < JO_SET_COUNT; ++set )
    {
        structures[set] = joMemory_Allocate( &front->memory, kind->size );
        if ( structures[set] == NULL )
        {
            destroyStructures( front, kind, structures );
            return joMemory_FailResult( &front->memory );
        }
        memset( structures[set], 0, kind->size );
        kind->init( structures[set], &front->context );
    }
    return jo_success;
}

static void setChoice( joBroadPhase* front, joAutoChoice choice )
{
    front->chosenDef.kind = choice.kind;
    front->chosenDef.cellSize = 0.0f;
    front->chosenDef.levels = 0;
    front->chosenDef.looseness = choice.looseness;
}

joResult joFront_CreateStructures( joBroadPhase* front )
{
    joChooser* chooser = &front->chooser;
    front->chosenDef = front->def;
    if ( front->def.kind == jo_auto )
    {
        // Nothing is known but how many there may be.
        chooser->measures = joMeasureCounts( front->def.objectReserve, 0 );
        chooser->traits = joFindTraits( &chooser->measures, 0 );
        chooser->isOpen = !front->def.fixedCapacity;
        chooser->nextHold = FIRST_HOLD;
        setChoice( front, joChooseForTraits( chooser->traits ) );
    }
    front->kind = joGetStructureKind( front->chosenDef.kind );
    return createStructures( front, front->kind, front->structures );
}

void joFront_DestroyStructures( joBroadPhase* front )
{
    destroyStructures( front, front->kind, front->structures );
    joPlaces_Free( &front->chooser.places, &front->memory );
}

// Whether a structure must be brought up to date. What is taken out of a still set does not matter: the
// collector drops it.
static bool isOutOfDate( const joBroadPhase* front, int set )
{
    return front->sets[set].allChanged || ( set == JO_SET_MOVING && front->sets[set].changedCount > 0 );
}

// The structure of a set is up to date.
static void noteBuilt( joBroadPhase* front, int set )
{
    if ( set != JO_SET_MOVING )
    {
        front->tableDirty = true;
    }
    joObjectSet_ForgetChanges( &front->sets[set] );
}

joResult joFront_UpdateStructures( joBroadPhase* front )
{
    for ( int i = 0; i < JO_SET_COUNT; ++i )
    {
        joObjectSet* set = &front->sets[i];
        if ( !isOutOfDate( front, i ) )
        {
            continue;
        }
        joBoxSet view = joObjectSet_View( set );
        joResult result = front->kind->build( front->structures[i], &view );
        if ( result != jo_success )
        {
            joObjectSet_ForgetChanges( set );
            set->allChanged = true;
            front->tableDirty = true;
            return result;
        }
        noteBuilt( front, i );
    }
    return jo_success;
}

static joResult buildAll( joBroadPhase* front, const joStructureKind* kind, void** structures )
{
    joResult result = jo_success;
    if ( front->def.objectReserve > 0 )
    {
        result = kind->reserve( structures[JO_SET_MOVING], front->def.objectReserve );
    }
    for ( int i = 0; i < JO_SET_COUNT && result == jo_success; ++i )
    {
        joBoxSet view = joObjectSet_View( &front->sets[i] );
        view.allChanged = true;
        view.changedCount = 0;
        result = kind->build( structures[i], &view );
    }
    return result;
}

// Makes and builds structures of another kind, and only then lets the old ones go: on failure all is as
// before.
static joResult replaceStructures( joBroadPhase* front, joAutoChoice choice )
{
    const joBroadPhaseDef oldDef = front->chosenDef;
    const joStructureKind* kind = joGetStructureKind( choice.kind );
    void* structures[JO_SET_COUNT] = { NULL };
    setChoice( front, choice );
    joResult result = createStructures( front, kind, structures );
    if ( result == jo_success )
    {
        result = buildAll( front, kind, structures );
    }
    if ( result != jo_success )
    {
        destroyStructures( front, kind, structures );
        front->chosenDef = oldDef;
        return result;
    }
    destroyStructures( front, front->kind, front->structures );
    memcpy( front->structures, structures, sizeof( structures ) );
    front->kind = kind;
    for ( int i = 0; i < JO_SET_COUNT; ++i )
    {
        if ( isOutOfDate( front, i ) )
        {
            noteBuilt( front, i );
        }
        joObjectSet_ForgetChanges( &front->sets[i] );
    }
    return jo_success;
}

// Whether the objects are other than when they were measured, as far as that is known without looking.
static bool seemsOther( const joChooser* chooser, uint64_t liveCount )
{
    const uint64_t count = chooser->measuredCount;
    const uint64_t pairs = chooser->pairCount, before = chooser->measuredPairs, slack = liveCount / 4;
    return 3 * liveCount < 2 * count || 2 * liveCount > 3 * count || pairs > 2 * before + slack ||
           before > 2 * pairs + slack;
}

// Costs that grow faster than the number of objects are not put up with for long.
static bool isUrgent( const joBroadPhase* front )
{
    return !front->chooser.hasMeasured || front->kind == joGetStructureKind( jo_bruteForce ) ||
           front->kind == joGetStructureKind( jo_sweep );
}

static void noteChoice( joChooser* chooser, const joSceneMeasures* measures, uint32_t traits )
{
    chooser->measures = *measures;
    chooser->traits = traits;
}

static joSceneMeasures measure( joBroadPhase* front, const joBoxSet* sets, uint32_t present )
{
    joChooser* chooser = &front->chooser;
    const uint32_t stillCount = sets[JO_SET_STATIC].liveCount + sets[JO_SET_RESTING].liveCount;
    joSceneMeasures measures = joMeasureCounts( sets[JO_SET_MOVING].liveCount, stillCount );
    chooser->watch.count = 0;
    if ( !joHasFew( &measures, present ) )
    {
        joMeasureScene( &measures, sets, &chooser->places, front->context.axisCount, present );
        joWatch_Begin( &chooser->watch, sets + JO_SET_MOVING, &measures );
    }
    return measures;
}

// Measures and, where that is due, changes the kind. Two measurings in turn must want the same.
static void measureAndChoose( joBroadPhase* front, const joBoxSet* sets )
{
    joChooser* chooser = &front->chooser;
    const uint32_t present = chooser->hasMeasured ? chooser->traits : 0;
    const joSceneMeasures measures = measure( front, sets, present );
    const uint32_t traits = joFindTraits( &measures, present );
    chooser->lastMeasures = measures;
    const joAutoChoice choice = joChooseForTraits( traits );
    const bool isWantedAgain = choice.kind == chooser->wanted && chooser->hold == 0;
    chooser->interval = chooser->interval < MAX_INTERVAL ? 2 * chooser->interval : MAX_INTERVAL;
    if ( choice.kind == front->chosenDef.kind )
    {
        noteChoice( chooser, &measures, traits );
    }
    else if ( isUrgent( front ) || isWantedAgain )
    {
        if ( replaceStructures( front, choice ) == jo_success )
        {
            noteChoice( chooser, &measures, traits );
            chooser->changeCount += 1;
        }
        if ( chooser->hasMeasured )
        {
            chooser->hold = chooser->nextHold;
            chooser->nextHold = 2 * chooser->nextHold < MAX_HOLD ? 2 * chooser->nextHold : MAX_HOLD;
        }
    }
    else
    {
        chooser->interval = chooser->hold == 0 ? 1 : chooser->interval;
    }
    chooser->wanted = choice.kind;
    chooser->hasMeasured = true;
    chooser->measuredCount = measures.movingCount + measures.stillCount;
    chooser->measuredPairs = chooser->pairCount;
}

void joFront_Choose( joBroadPhase* front )
{
    joChooser* chooser = &front->chooser;
    bool isChanged = false;
    uint64_t liveCount = 0;
    joBoxSet sets[JO_SET_COUNT];
    for ( int i = 0; i < JO_SET_COUNT; ++i )
    {
        isChanged = isChanged || isOutOfDate( front, i );
        liveCount += front->sets[i].liveCount;
        sets[i] = joObjectSet_View( &front->sets[i] );
    }
    if ( !chooser->isOpen || !isChanged || liveCount == 0 )
    {
        return;
    }
    chooser->hold -= chooser->hold > 0 ? 1 : 0;
    chooser->wait -= chooser->wait > 0 ? 1 : 0;
    const bool isOther = joWatch_SeesOther( &chooser->watch, sets + JO_SET_MOVING, &chooser->lastMeasures ) ||
                         seemsOther( chooser, liveCount );
    if ( isOther || chooser->wait == 0 )
    {
        chooser->interval = isOther ? 0 : chooser->interval;
        measureAndChoose( front, sets );
        chooser->interval = chooser->interval > 0 ? chooser->interval : 1;
        chooser->wait = chooser->interval;
    }
    chooser->places.known = false;
    if ( chooser->wait == 1 && chooser->watch.count > 0 )
    {
        joPlaces_Note( &chooser->places, &front->memory, sets + JO_SET_MOVING, &chooser->lastMeasures );
    }
}

joResult joBroadPhase_GetChoice( const joBroadPhase* broadPhase, joBroadPhaseChoice* choice )
{
    if ( broadPhase == NULL || choice == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    const joChooser* chooser = &broadPhase->chooser;
    memset( choice, 0, sizeof( *choice ) );
    choice->def = broadPhase->chosenDef;
    choice->isAuto = broadPhase->def.kind == jo_auto;
    choice->changeCount = chooser->changeCount;
    const char* name = broadPhase->kind->name;
    if ( !choice->isAuto )
    {
        snprintf( choice->text, sizeof( choice->text ), "%s, because the caller chose it.", name );
    }
    else if ( !chooser->isOpen )
    {
        snprintf( choice->text, sizeof( choice->text ),
            "%s, chosen at create for up to %u objects, because a fixed capacity forbids to change.", name,
            broadPhase->def.objectReserve );
    }
    else if ( !chooser->hasMeasured )
    {
        snprintf( choice->text, sizeof( choice->text ), "%s, until there are objects to measure.", name );
    }
    else
    {
        joExplainChoice( &chooser->measures, chooser->traits, choice->text, sizeof( choice->text ) );
    }
    return jo_success;
}
