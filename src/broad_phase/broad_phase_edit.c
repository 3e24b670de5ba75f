// SPDX-License-Identifier: MIT
// Broad phase: the calls that change objects. Each first checks everything and makes all room, then commits:
// an error leaves no trace.
#include "base/assert.h"
#include "base/float_env.h"
#include "front.h"
#include "input.h"
#include "move_in_place.h"

#include <string.h>

// Forgets the keys of the moving set.
static void unmapMoving( joBroadPhase* front )
{
    const joObjectSet* moving = &front->sets[JO_SET_MOVING];
    if ( moving->identityKeys )
    {
        return;
    }
    if ( front->sets[JO_SET_STATIC].liveCount + front->sets[JO_SET_RESTING].liveCount == 0 )
    {
        joKeyMap_Clear( &front->keys );
        return;
    }
    for ( uint32_t i = 0; i < moving->count; ++i )
    {
        const joBoxRecord* record = joObjectSet_Records( moving ) + i;
        if ( ( record->flags & JO_FLAG_FREE ) == 0 )
        {
            joKeyMap_Remove( &front->keys, record->key );
        }
    }
}

static void mapMoving( joBroadPhase* front )
{
    const joObjectSet* moving = &front->sets[JO_SET_MOVING];
    for ( uint32_t i = 0; i < moving->count && !moving->identityKeys; ++i )
    {
        const joBoxRecord* record = joObjectSet_Records( moving ) + i;
        if ( ( record->flags & JO_FLAG_FREE ) == 0 )
        {
            joKeyMap_Set( &front->keys, record->key, JO_PLACE( JO_SET_MOVING, i ) );
        }
    }
}

// Whether the keys of the input are those of the moving set's slots, in order: the usual case, frame after
// frame.
static bool haveSameKeys( const joObjectSet* moving, const joInput* input )
{
    if ( moving->identityKeys || moving->count != input->count || moving->liveCount != input->count )
    {
        return false;
    }
    for ( uint32_t i = 0; i < input->count; ++i )
    {
        if ( joObjectSet_Records( moving )[i].key != joInput_Key( input, i ) )
        {
            return false;
        }
    }
    return true;
}

// The moving set's keys are about to be those of the input: maps them. On a duplicate nothing has changed.
static joResult replaceKeys( joBroadPhase* front, const joInput* input, uint32_t* errorIndex )
{
    joObjectSet* moving = &front->sets[JO_SET_MOVING];
    if ( input->key.data != NULL && haveSameKeys( moving, input ) )
    {
        return jo_success;
    }
    unmapMoving( front );
    bool identity = input->key.data == NULL;
    if ( identity && front->keys.count == 0 )
    {
        return jo_success;
    }
    for ( uint32_t i = 0; i < input->count; ++i )
    {
        uint32_t key = joInput_Key( input, i );
        if ( joKeyMap_Find( &front->keys, key ) == JO_KEY_MAP_NONE )
        {
            if ( !identity )
            {
                joKeyMap_Set( &front->keys, key, JO_PLACE( JO_SET_MOVING, i ) );
            }
            continue;
        }
        for ( uint32_t k = 0; k < i && !identity; ++k )
        {
            joKeyMap_Remove( &front->keys, joInput_Key( input, k ) );
        }
        mapMoving( front );
        *errorIndex = i;
        return jo_errorDuplicateKey;
    }
    return jo_success;
}

static joResult setObjects( joBroadPhase* front, const joInput* input, uint32_t* errorIndex )
{
    joResult result = joCheckInput( input, front->def.jobs, errorIndex );
    if ( result != jo_success )
    {
        return result;
    }
    joObjectSet* moving = &front->sets[JO_SET_MOVING];
    bool rounds = input->circles != NULL;
    result = joFront_Settle( front, true );
    if ( result == jo_success )
    {
        result = joObjectSet_Reserve( moving, input->count, rounds, input->hasFilters );
    }
    if ( result == jo_success && input->key.data != NULL )
    {
        uint64_t room = (uint64_t)front->keys.count + input->count;
        result = joKeyMap_Reserve(
            &front->keys, &front->memory, (uint32_t)( room < JO_INDEX_MASK ? room : JO_INDEX_MASK ) );
    }
    if ( result == jo_success )
    {
        result = replaceKeys( front, input, errorIndex );
    }
    if ( result != jo_success )
    {
        return result;
    }
    joObjectSet_Clear( moving );
    moving->hasRounds = rounds;
    moving->allRound = rounds;
    moving->hasFilters = input->hasFilters;
    moving->identityKeys = input->key.data == NULL;
    moving->count = input->count;
    moving->liveCount = input->count;
    joInput_ReadAll( input, front->def.jobs, jo_moving, joObjectSet_Records( moving ),
        rounds ? joObjectSet_Rounds( moving ) : NULL,
        input->hasFilters ? joObjectSet_Filters( moving ) : NULL );
    return jo_success;
}

static joResult addObjects( joBroadPhase* front, joMotion motion, const joInput* input, uint32_t* errorIndex )
{
    joResult result = joCheckInput( input, front->def.jobs, errorIndex );
    if ( result != jo_success )
    {
        return result;
    }
    joObjectSet* moving = &front->sets[JO_SET_MOVING];
    bool direct = motion != jo_moving && joFront_IsEnoughToSettle( front, input->count );
    joObjectSet* target = direct ? &front->sets[motion] : moving;
    bool rounds = input->circles != NULL;
    if ( (uint64_t)target->count + input->count > JO_INDEX_MASK )
    {
        return jo_errorBadCount;
    }
    result = joFront_MapKeys( front, input->count );
    if ( result == jo_success )
    {
        result = joObjectSet_Reserve(
            target, joObjectSet_CountWith( target, input->count ), rounds, input->hasFilters );
    }
    for ( uint32_t i = 0; i < input->count && result == jo_success; ++i )
    {
        uint32_t key = joInput_Key( input, i );
        if ( joKeyMap_Find( &front->keys, key ) != JO_KEY_MAP_NONE )
        {
            for ( uint32_t k = 0; k < i; ++k )
            {
                joKeyMap_Remove( &front->keys, joInput_Key( input, k ) );
            }
            *errorIndex = i;
            result = jo_errorDuplicateKey;
            break;
        }
        joKeyMap_Set( &front->keys, key, 0 );
    }
    if ( result != jo_success )
    {
        return result;
    }
    if ( direct )
    {
        joFront_OpenStillSet(
            target, input->count, rounds, input->hasFilters ); // cannot fail: the room is there
        front->tableDirty = true;
    }
    joObjectSet_UseColumns( target, rounds, input->hasFilters );
    for ( uint32_t i = 0; i < input->count; ++i )
    {
        joObject object;
        joInput_Read( input, i, (uint32_t)motion, &object );
        if ( direct )
        {
            joFront_SettleObject( front, &object );
        }
        else
        {
            joFront_Attach( front, &object );
        }
    }
    return jo_success;
}

static joBoxRecord* recordAt( const joBroadPhase* front, uint32_t place )
{
    return joObjectSet_Records( &front->sets[JO_PLACE_SET( place )] ) + JO_PLACE_SLOT( place );
}

// Keys of a call, from an array or a column of the input.
typedef struct KeyList
{
    const joInput* input;
    const uint32_t* keys;
    uint32_t count;
} KeyList;

static uint32_t keyAt( const KeyList* list, uint32_t i )
{
    return list->input != NULL ? joInput_Key( list->input, i ) : list->keys[i];
}

// Checks that every key is known and stands once, and makes room for moving all these objects into the moving
// set.
static joResult checkKeys(
    joBroadPhase* front, const KeyList* list, bool rounds, bool filters, uint32_t* errorIndex )
{
    joResult result = jo_success;
    uint32_t stillCount = 0;
    uint32_t comingCount = 0; // from another set into the moving one
    uint32_t marked = 0;
    for ( ; marked < list->count; ++marked )
    {
        uint32_t place = joFront_Find( front, keyAt( list, marked ) );
        if ( place == JO_KEY_MAP_NONE || ( recordAt( front, place )->flags & JO_FLAG_MARK ) != 0 )
        {
            result = place == JO_KEY_MAP_NONE ? jo_errorUnknownKey : jo_errorDuplicateKey;
            *errorIndex = marked;
            break;
        }
        recordAt( front, place )->flags |= JO_FLAG_MARK;
        const joObjectSet* set = &front->sets[JO_PLACE_SET( place )];
        rounds = rounds || set->hasRounds;
        filters = filters || set->hasFilters;
        stillCount += ( recordAt( front, place )->flags & JO_MOTION_MASK ) != jo_moving ? 1 : 0;
        comingCount += JO_PLACE_SET( place ) != JO_SET_MOVING ? 1 : 0;
    }
    for ( uint32_t i = 0; i < marked; ++i )
    {
        recordAt( front, joFront_Find( front, keyAt( list, i ) ) )->flags &= ~JO_FLAG_MARK;
    }
    joObjectSet* moving = &front->sets[JO_SET_MOVING];
    if ( result == jo_success && (uint64_t)moving->count + comingCount > JO_INDEX_MASK )
    {
        result = jo_errorBadCount;
    }
    if ( result == jo_success )
    {
        result = joObjectSet_Reserve( moving, joObjectSet_CountWith( moving, comingCount ), rounds, filters );
    }
    if ( result == jo_success && stillCount > 0 )
    {
        result = joFront_MapKeys( front, 0 );
    }
    // Without room for the list of touched objects the table is made anew instead.
    if ( result == jo_success && stillCount > 0 && !front->tableDirty &&
         joKeyMap_Reserve( &front->touched, &front->memory, front->touched.count + stillCount ) !=
             jo_success )
    {
        front->tableDirty = true;
    }
    if ( result == jo_success )
    {
        joObjectSet_UseColumns( moving, rounds, filters );
    }
    return result;
}

static joResult moveObjects( joBroadPhase* front, const joInput* input, uint32_t* errorIndex )
{
    if ( joFront_MoveInPlace( front, input ) )
    {
        return jo_success;
    }
    joResult result = joCheckInput( input, front->def.jobs, errorIndex );
    if ( result == jo_success )
    {
        KeyList list = { input, NULL, input->count };
        result = checkKeys( front, &list, input->circles != NULL, input->hasFilters, errorIndex );
    }
    for ( uint32_t i = 0; i < input->count && result == jo_success; ++i )
    {
        uint32_t place = joFront_Find( front, joInput_Key( input, i ) );
        joObjectSet* set = &front->sets[JO_PLACE_SET( place )];
        joObject old = joObjectSet_Get( set, JO_PLACE_SLOT( place ) );
        joObject object;
        joInput_Read( input, i, old.record.flags & JO_MOTION_MASK, &object );
        object.filter.layer = input->layer.data != NULL ? object.filter.layer : old.filter.layer;
        object.filter.mask = input->mask.data != NULL ? object.filter.mask : old.filter.mask;
        if ( JO_PLACE_SET( place ) == JO_SET_MOVING )
        {
            joBoxRecord* record = recordAt( front, place );
            joFront_SetMovingFlags( front, record, (joMotion)( record->flags & JO_MOTION_MASK ) );
            object.record.flags = record->flags;
            joObjectSet_Put( set, JO_PLACE_SLOT( place ), &object );
        }
        else
        {
            joFront_Detach( front, place );
            joFront_Attach( front, &object );
        }
    }
    return result;
}

typedef joResult EditFcn( joBroadPhase* front, joMotion motion, const joInput* input, uint32_t* errorIndex );

static joResult edit( joBroadPhase* front, EditFcn* function, joMotion motion, const joBoxes* boxes,
    const joCircles* circles, uint32_t* errorIndex )
{
    uint32_t ignored;
    errorIndex = errorIndex != NULL ? errorIndex : &ignored;
    *errorIndex = JO_NULL_INDEX;
    if ( front == NULL || ( boxes == NULL && circles == NULL ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    if ( (unsigned)motion > jo_moving )
    {
        return JO_MISUSE( jo_errorBadDef );
    }
    joInput input;
    joResult result = joMakeInput( &input, boxes, circles, front->context.axisCount );
    if ( result != jo_success )
    {
        return JO_MISUSE( result );
    }
    joFloatEnv env = joFloatEnv_Enter();
    result = function( front, motion, &input, errorIndex );
    joFloatEnv_Leave( env );
    if ( result == jo_success )
    {
        joFront_NoteChange( front );
    }
    return joReport( result );
}

static joResult setFcn( joBroadPhase* front, joMotion motion, const joInput* input, uint32_t* errorIndex )
{
    (void)motion;
    return setObjects( front, input, errorIndex );
}

static joResult moveFcn( joBroadPhase* front, joMotion motion, const joInput* input, uint32_t* errorIndex )
{
    (void)motion;
    return moveObjects( front, input, errorIndex );
}

joResult joBroadPhase_SetBoxes( joBroadPhase* broadPhase, const joBoxes* boxes, uint32_t* errorIndex )
{
    return edit( broadPhase, setFcn, jo_moving, boxes, NULL, errorIndex );
}

joResult joBroadPhase_SetCircles( joBroadPhase* broadPhase, const joCircles* circles, uint32_t* errorIndex )
{
    return edit( broadPhase, setFcn, jo_moving, NULL, circles, errorIndex );
}

joResult joBroadPhase_AddBoxes(
    joBroadPhase* broadPhase, joMotion motion, const joBoxes* boxes, uint32_t* errorIndex )
{
    return edit( broadPhase, addObjects, motion, boxes, NULL, errorIndex );
}

joResult joBroadPhase_AddCircles(
    joBroadPhase* broadPhase, joMotion motion, const joCircles* circles, uint32_t* errorIndex )
{
    return edit( broadPhase, addObjects, motion, NULL, circles, errorIndex );
}

joResult joBroadPhase_MoveBoxes( joBroadPhase* broadPhase, const joBoxes* boxes, uint32_t* errorIndex )
{
    return edit( broadPhase, moveFcn, jo_moving, boxes, NULL, errorIndex );
}

joResult joBroadPhase_MoveCircles( joBroadPhase* broadPhase, const joCircles* circles, uint32_t* errorIndex )
{
    return edit( broadPhase, moveFcn, jo_moving, NULL, circles, errorIndex );
}

joResult joBroadPhase_SetMotion(
    joBroadPhase* broadPhase, joMotion motion, const uint32_t* keys, uint32_t count, uint32_t* errorIndex )
{
    uint32_t ignored;
    errorIndex = errorIndex != NULL ? errorIndex : &ignored;
    *errorIndex = JO_NULL_INDEX;
    if ( broadPhase == NULL || ( keys == NULL && count > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    if ( (unsigned)motion > jo_moving )
    {
        return JO_MISUSE( jo_errorBadDef );
    }
    KeyList list = { NULL, keys, count };
    joResult result = checkKeys( broadPhase, &list, false, false, errorIndex );
    if ( result == jo_success )
    {
        result = joFront_MapKeys( broadPhase, 0 );
    }
    if ( result == jo_success )
    {
        joFront_NoteChange( broadPhase );
    }
    for ( uint32_t i = 0; i < count && result == jo_success; ++i )
    {
        uint32_t place = joFront_Find( broadPhase, keys[i] );
        joBoxRecord* record = recordAt( broadPhase, place );
        if ( ( record->flags & JO_MOTION_MASK ) == (uint32_t)motion )
        {
            continue;
        }
        if ( JO_PLACE_SET( place ) == JO_SET_MOVING )
        {
            joFront_SetMovingFlags( broadPhase, record, motion );
        }
        else
        {
            joObject object =
                joObjectSet_Get( &broadPhase->sets[JO_PLACE_SET( place )], JO_PLACE_SLOT( place ) );
            object.record.flags = (uint32_t)motion;
            joFront_Detach( broadPhase, place );
            joFront_Attach( broadPhase, &object );
        }
    }
    return result;
}

joResult joBroadPhase_Remove(
    joBroadPhase* broadPhase, const uint32_t* keys, uint32_t count, uint32_t* errorIndex )
{
    uint32_t ignored;
    errorIndex = errorIndex != NULL ? errorIndex : &ignored;
    *errorIndex = JO_NULL_INDEX;
    if ( broadPhase == NULL || ( keys == NULL && count > 0 ) )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    KeyList list = { NULL, keys, count };
    joResult result = checkKeys( broadPhase, &list, false, false, errorIndex );
    if ( result == jo_success )
    {
        result = joFront_MapKeys( broadPhase, 0 );
    }
    if ( result == jo_success )
    {
        joFront_NoteChange( broadPhase );
    }
    for ( uint32_t i = 0; i < count && result == jo_success; ++i )
    {
        joFront_Detach( broadPhase, joFront_Find( broadPhase, keys[i] ) );
    }
    return result;
}

void joBroadPhase_Clear( joBroadPhase* broadPhase )
{
    if ( broadPhase == NULL )
    {
        return;
    }
    joFront_NoteChange( broadPhase );
    for ( int i = 0; i < JO_SET_COUNT; ++i )
    {
        joObjectSet_Clear( &broadPhase->sets[i] );
    }
    joKeyMap_Clear( &broadPhase->keys );
    joKeyMap_Clear( &broadPhase->touched );
    broadPhase->stillInMoving = 0;
    broadPhase->untabledCount = 0;
    broadPhase->tableCount = 0;
    broadPhase->tableDirty = true;
    broadPhase->answer = NULL;
    broadPhase->answerCount = 0;
    broadPhase->pairCount = 0;
}

bool joBroadPhase_Contains( const joBroadPhase* broadPhase, uint32_t key, joMotion* motion )
{
    uint32_t place = broadPhase != NULL ? joFront_Find( broadPhase, key ) : JO_KEY_MAP_NONE;
    if ( place == JO_KEY_MAP_NONE )
    {
        return false;
    }
    if ( motion != NULL )
    {
        *motion = (joMotion)( recordAt( broadPhase, place )->flags & JO_MOTION_MASK );
    }
    return true;
}

bool joBroadPhase_GetBox( const joBroadPhase* broadPhase, uint32_t key, float lower[3], float upper[3] )
{
    uint32_t place = broadPhase != NULL ? joFront_Find( broadPhase, key ) : JO_KEY_MAP_NONE;
    if ( place == JO_KEY_MAP_NONE || lower == NULL || upper == NULL )
    {
        return false;
    }
    memcpy( lower, recordAt( broadPhase, place )->lower, 3 * sizeof( float ) );
    memcpy( upper, recordAt( broadPhase, place )->upper, 3 * sizeof( float ) );
    return true;
}
