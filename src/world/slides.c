// SPDX-License-Identifier: MIT
// What is kept of bodies that slide, and the calls about it.
#include "base/assert.h"
#include "base/column.h"
#include "world/bodies.h"
#include "world/sleep.h"
#include "world/slide.h"

#include <math.h>
#include <string.h>

#define SLIDE_COOKIE 0x6A6F534Cu

joSlideDef joDefaultSlideDef( void )
{
    return ( joSlideDef ){
        .skinWidth = 0.005f, .slopeLimit = 0.78539816f, .maxSlides = 4, .internalCookie = SLIDE_COOKIE };
}

static bool isIn( float value, float least, float most )
{
    return value >= least && value <= most;
}

joResult joSlide_CheckDef( const joWorld* world, const joSlideDef* def )
{
    bool isGood = def->internalCookie == SLIDE_COOKIE && def->maxSlides <= JO_MAX_SLIDES;
    isGood = isGood && def->skinWidth > 0.0f && def->skinWidth <= JO_MAX_SIZE;
    isGood = isGood && isIn( def->slopeLimit, 0.0f, JO_MAX_SLOPE_LIMIT );
    isGood = isGood && isIn( def->stepHeight, 0.0f, JO_MAX_SIZE );
    for ( uint32_t axis = 0; axis < world->space->axisCount && isGood; ++axis )
    {
        isGood = isfinite( def->up[axis] );
    }
    return isGood ? jo_success : jo_errorBadDef;
}

joResult joSlide_Reserve( joWorld* world, uint32_t count )
{
    return joArray_Reserve( &world->slides, &world->memory, (uint64_t)world->slideCount + count,
        sizeof( joSlide ), world->slideCount );
}

void joSlide_Append( joWorld* world, uint32_t body )
{
    joWorld_Body( world, body )->slide = world->slideCount;
    joSlide* row = joSlide_At( world, world->slideCount++ );
    memset( row, 0, sizeof( *row ) ); // what lies between members goes into snapshots
    row->body = body;
    row->def = joDefaultSlideDef();
}

void joSlide_Remove( joWorld* world, uint32_t body )
{
    const uint32_t slide = joWorld_Body( world, body )->slide;
    if ( slide != JO_NULL_INDEX )
    {
        joSlide* last = joSlide_At( world, --world->slideCount );
        if ( last->body != body )
        {
            memcpy( joSlide_At( world, slide ), last, sizeof( *last ) );
        }
        joWorld_Body( world, last->body )->slide = slide;
        joWorld_Body( world, body )->slide = JO_NULL_INDEX;
    }
}

joResult joSlide_CheckShape( const joWorld* world, const void* shape )
{
    return world->space->sortOf( shape ) > jo_facedSort ? jo_errorCannotSlide : jo_success;
}

joResult joSlide_CheckShapes( const joWorld* world, uint32_t body )
{
    uint32_t i = joWorld_Body( world, body )->firstCollider;
    for ( ; i != JO_NULL_INDEX; i = joWorld_Collider( world, i )->next )
    {
        if ( joSlide_CheckShape( world, joWorld_Shape( world, i ) ) != jo_success )
        {
            return jo_errorCannotSlide;
        }
    }
    return jo_success;
}

// Rows of bodies that all slide, or why not.
static joResult findAll( const joWorld* world, const joBodyId* bodies, uint32_t count, uint32_t* bad )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t body = joWorld_FindBody( world, bodies[i] );
        if ( body == JO_NULL_INDEX || joWorld_Body( world, body )->slide == JO_NULL_INDEX )
        {
            *bad = i;
            return body == JO_NULL_INDEX ? jo_errorStaleId : jo_errorNotSliding;
        }
    }
    return jo_success;
}

static joSlide* slideOf( const joWorld* world, joBodyId body )
{
    return joSlide_At( world, joWorld_Body( world, joWorld_FindBody( world, body ) )->slide );
}

joResult joWorld_SetSlides(
    joWorld* world, const joBodyId* bodies, uint32_t count, const joSlideDef* def, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    const bool hasArguments = world != NULL && def != NULL && ( bodies != NULL || count == 0 );
    joResult result = hasArguments ? joSlide_CheckDef( world, def ) : jo_errorNullArgument;
    result = result ? result : findAll( world, bodies, count, &bad );
    for ( uint32_t i = 0; i < count && result == jo_success; ++i )
    {
        slideOf( world, bodies[i] )->def = *def;
        joSleep_Wake( world, joWorld_FindBody( world, bodies[i] ) );
    }
    return joReportAt( result, bad, errorIndex );
}

joResult joWorld_SetSlide( joWorld* world, joBodyId body, const joSlideDef* def )
{
    return joWorld_SetSlides( world, &body, 1, def, NULL );
}

joResult joWorld_GetSlide( const joWorld* world, joBodyId body, joSlideDef* def )
{
    uint32_t bad = JO_NULL_INDEX;
    joResult result = world == NULL || def == NULL ? jo_errorNullArgument : jo_success;
    result = result ? result : findAll( world, &body, 1, &bad );
    if ( result == jo_success )
    {
        *def = slideOf( world, body )->def;
    }
    return joReport( result );
}

joResult joWorld_GetSlideStates( const joWorld* world, const joBodyId* bodies, joMutableColumn states,
    uint32_t count, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    const bool hasArguments = world != NULL && ( count == 0 || ( bodies != NULL && states.data != NULL ) );
    joResult result = hasArguments ? findAll( world, bodies, count, &bad ) : jo_errorNullArgument;
    for ( uint32_t i = 0; i < count && result == jo_success; ++i )
    {
        const joSlideState* state = &slideOf( world, bodies[i] )->state;
        memcpy( joMutableColumn_At( states, i ), state, sizeof( *state ) );
    }
    return joReportAt( result, bad, errorIndex );
}

joResult joWorld_GetSlideState( const joWorld* world, joBodyId body, joSlideState* state )
{
    const joMutableColumn one = { state, sizeof( *state ) };
    return joWorld_GetSlideStates( world, &body, one, 1, NULL );
}

joResult joWorld_SetColliderOneWay( joWorld* world, joColliderId collider, const float up[3] )
{
    const uint32_t index = world != NULL ? joWorld_FindCollider( world, collider ) : JO_NULL_INDEX;
    joResult result = world == NULL            ? jo_errorNullArgument
                      : index == JO_NULL_INDEX ? jo_errorStaleId
                                               : jo_success;
    float way[3] = { 0.0f, 0.0f, 0.0f };
    for ( uint32_t axis = 0; up != NULL && result == jo_success && axis < world->space->axisCount; ++axis )
    {
        way[axis] = up[axis];
        result = isnan( up[axis] ) ? jo_errorNotANumber : isinf( up[axis] ) ? jo_errorBadDef : jo_success;
    }
    if ( result == jo_success )
    {
        joCollider* record = joWorld_Collider( world, index );
        memcpy( record->oneWayUp, way, sizeof( way ) );
        record->isOneWay = way[0] != 0.0f || way[1] != 0.0f || way[2] != 0.0f;
        joSleep_Wake( world, record->body );
    }
    return joReport( result );
}

joResult joWorld_GetColliderOneWay( const joWorld* world, joColliderId collider, float up[3] )
{
    const uint32_t index = world != NULL ? joWorld_FindCollider( world, collider ) : JO_NULL_INDEX;
    const joResult result = world == NULL || up == NULL ? jo_errorNullArgument
                            : index == JO_NULL_INDEX    ? jo_errorStaleId
                                                        : jo_success;
    if ( result == jo_success )
    {
        memcpy( up, joWorld_Collider( world, index )->oneWayUp, 3 * sizeof( float ) );
    }
    return joReport( result );
}
