// SPDX-License-Identifier: MIT
// How a sliding body gets out of what it is in: at the start of a step, and where something has turned into
// it.
#include "world/slide_sweep.h"

// How often it is moved out of the deepest thing it is in.
#define RECOVERIES 4u
// Of its size: how far it is moved out in one step.
#define RECOVERY 0.1

// How far out of an item the body must go. 0: it is neither in it nor too near to it.
static double findDepth( const joSlideSweep* sweep, const joSlideItem* item, joTouchPoint* touch )
{
    const double skin = sweep->run->skin;
    if ( !item->isSolid ||
         !joSlide_TouchItem( sweep->world, item, sweep->at, sweep->time, (float)( 0.5 * skin ), touch ) )
    {
        return 0.0;
    }
    const joWide3 out = joWide3_Normalize( joWide3_Of( touch->normal ) );
    if ( item->isOneWay && ( joDot3( out, item->oneWayUp ) < JO_SLIDE_LEVEL || (double)touch->depth > 0.0 ) )
    {
        return 0.0;
    }
    // Of two that slide each goes half of the way.
    const double share = item->otherRun != JO_NULL_INDEX ? 0.5 : 1.0;
    return share * ( (double)touch->depth + skin );
}

// The deepest thing that the body is in, or too near to; of those that turn only, or of all. Returns how far
// out it must go. 0: there is none.
static double findDeepest(
    const joSlideSweep* sweep, bool isOfTurning, uint32_t* deepest, joTouchPoint* best )
{
    double most = 0.0;
    for ( uint32_t i = sweep->run->itemBegin; i < sweep->run->itemEnd; ++i )
    {
        const joSlideItem* item = joSlide_ItemAt( sweep->world, i );
        joTouchPoint touch;
        const double far = !isOfTurning || item->otherTurn > 0.0 ? findDepth( sweep, item, &touch ) : 0.0;
        if ( far > most )
        {
            most = far;
            *deepest = i;
            *best = touch;
        }
    }
    return most;
}

// Goes so far out of what it touches, but not through anything else.
static void moveOut( joSlideSweep* sweep, const joTouchPoint* touch, double far )
{
    const joWide3 way = joScale3( far, joWide3_Normalize( joWide3_Of( touch->normal ) ) );
    joSlideStop stop = { .part = 1.0 };
    joSlide_Probe( sweep->world, sweep->run, sweep->at, sweep->time, way, 0.0, &stop );
    sweep->at = joAddScaled3( sweep->at, stop.part, way );
    joSlideSweep_AddPoint( sweep );
}

void joSlideSweep_Recover( joSlideSweep* sweep )
{
    double left = 4.0 * sweep->run->skin + RECOVERY * sweep->run->size;
    for ( uint32_t i = 0; i < RECOVERIES && left > 0.0; ++i )
    {
        uint32_t deepest = 0;
        joTouchPoint touch;
        const double far = findDeepest( sweep, false, &deepest, &touch );
        if ( far == 0.0 )
        {
            return;
        }
        moveOut( sweep, &touch, far < left ? far : left );
        left -= far;
    }
}

// What does not slide turns at the end of the step, in so small parts that it cannot go over the body: where
// it turns into it, it moves it out.
void joSlideSweep_LeaveTurned( joSlideSweep* sweep )
{
    joSlideRun* run = sweep->run;
    uint32_t parts = 0;
    for ( uint32_t i = run->itemBegin; i < run->itemEnd; ++i )
    {
        const joSlideItem* item = joSlide_ItemAt( sweep->world, i );
        const uint32_t own = item->isSolid && item->otherTurn > 0.0
                                 ? joSlide_FindTurnParts( sweep->world, run, item, sweep->at )
                                 : 0;
        parts = own > parts ? own : parts;
    }
    for ( uint32_t part = 1; part <= parts && joSlideRun_HasRoom( run ); ++part )
    {
        uint32_t deepest = 0;
        joTouchPoint touch;
        joSlide_TurnOthers( sweep->world, run, (double)part / (double)parts );
        const double far = findDeepest( sweep, true, &deepest, &touch );
        const double left = run->reach - sweep->gone;
        if ( far > 0.0 && left > 0.0 )
        {
            joSlide_NoteTouch( joSlide_ItemAt( sweep->world, deepest ), &touch, sweep->time );
            run->state.sides |= joSlide_FindSide( run, joWide3_Normalize( joWide3_Of( touch.normal ) ) );
            moveOut( sweep, &touch, far < left ? far : left );
            sweep->gone += far;
        }
    }
    if ( parts > 0 )
    {
        joSlide_TurnOthers( sweep->world, run, 0.0 );
    }
}
