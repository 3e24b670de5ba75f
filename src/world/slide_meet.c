// SPDX-License-Identifier: MIT
// What sliding bodies meet on their ways without being stopped: triggers, and the ways of each other.
#include "world/slide.h"

#include <string.h>

// What moves into a plane by less than this share of its motion goes along it.
#define ALONG 1e-5
// The time before the end: what happens at the end all happens at once, and is stopped before it.
#define LAST ( 1.0 - 0x1p-40 )

const joSlidePoint* joSlide_PointAt( const joSlideRun* run, double time )
{
    const joSlidePoint* point = &run->path[run->pointCount - 1];
    while ( run->path[run->pointCount - 1].time > time && point > run->path && point[-1].time >= time )
    {
        --point;
    }
    return point;
}

joWide3 joSlide_PlaceAt( const joSlideRun* run, double time )
{
    const joSlidePoint* to = joSlide_PointAt( run, time );
    if ( to == run->path || to->time <= time )
    {
        return to->position;
    }
    const joSlidePoint* from = to - 1;
    const double span = to->time - from->time;
    const double part = span > 0.0 ? ( time - from->time ) / span : 0.0;
    return joAddScaled3( from->position, part, joSubtract3( to->position, from->position ) );
}

// A part of a way: from one point to another, in a span of time that may be none.
typedef struct Leg
{
    joWide3 from, to;
    double begin, end;
    bool isStay; // the way has ended
} Leg;

// Number `i` of a way; the last one stays where it ends, until the step does. False: there are no more.
static bool findLeg( const joSlideRun* run, uint32_t i, Leg* leg )
{
    const bool isCut = run->limit < 1.0;
    const bool isPast = i + 1 >= run->pointCount || ( isCut && run->path[i].time >= run->limit );
    if ( isPast )
    {
        const bool wasPast = i > 0 && isCut && run->path[i - 1].time >= run->limit;
        const joWide3 end = joSlide_PlaceAt( run, run->limit );
        *leg = ( Leg ){ end, end, run->limit, 1.0, true };
        return isCut && !wasPast && i < run->pointCount;
    }
    const joSlidePoint* from = &run->path[i];
    const joSlidePoint* to = &run->path[i + 1];
    *leg = ( Leg ){ from->position, to->position, from->time, to->time, false };
    if ( isCut && to->time > run->limit )
    {
        leg->to = joSlide_PlaceAt( run, run->limit );
        leg->end = run->limit;
    }
    return true;
}

// The same between two times.
static Leg cutLeg( const Leg* leg, double begin, double end )
{
    const double span = leg->end - leg->begin;
    const joWide3 way = joSubtract3( leg->to, leg->from );
    Leg cut = *leg;
    if ( span > 0.0 )
    {
        cut.from = joAddScaled3( leg->from, ( begin - leg->begin ) / span, way );
        cut.to = joAddScaled3( leg->from, ( end - leg->begin ) / span, way );
    }
    cut.begin = begin;
    cut.end = end;
    return cut;
}

// The parts of two legs that are gone at the same time. False: there are none.
static bool pairLegs( const Leg* own, const Leg* other, Leg* ownPart, Leg* otherPart )
{
    const double begin = own->begin > other->begin ? own->begin : other->begin;
    const double end = own->end < other->end ? own->end : other->end;
    const bool isInstant = own->begin == own->end || other->begin == other->end;
    if ( begin > end || ( begin == end && !isInstant ) )
    {
        return false;
    }
    *ownPart = cutLeg( own, begin, end );
    *otherPart = cutLeg( other, begin, end );
    if ( isInstant && own->begin < own->end )
    {
        ownPart->to = ownPart->from;
    }
    if ( isInstant && other->begin < other->end )
    {
        otherPart->to = otherPart->from;
    }
    return true;
}

// The item with the other where it is at the start of the leg, and standing: the motion is relative to it.
static joSlideItem standAt( const joWorld* world, const joSlideItem* item, const Leg* leg )
{
    const joSlideRun* other = joSlide_RunAt( world, item->otherRun );
    joSlideItem still = *item;
    const joWide3 moved = joSubtract3( leg->from, other->start );
    still.otherPose[0] = joKeepFinite( (double)item->otherPose[0] + moved.x );
    still.otherPose[1] = joKeepFinite( (double)item->otherPose[1] + moved.y );
    if ( world->space->axisCount > 2 )
    {
        still.otherPose[2] = joKeepFinite( (double)item->otherPose[2] + moved.z );
    }
    still.motion = still.shift = ( joWide3 ){ 0.0, 0.0, 0.0 };
    return still;
}

static void noteMet( joSlideItem* item, const joSpaceHit* hit, const Leg* leg )
{
    item->isMet = true;
    item->metTime = leg->begin + hit->fraction * ( leg->end - leg->begin );
    memcpy( item->met.normal, hit->normal, sizeof( hit->normal ) );
    memcpy( item->met.point, hit->point, sizeof( hit->point ) );
    item->met.depth = hit->depth;
    item->met.child = hit->child;
}

// Something that goes straight on through the step.
static void meetOnWay( const joWorld* world, const joSlideRun* run, joSlideItem* item )
{
    Leg leg;
    for ( uint32_t i = 0; !item->isMet && findLeg( run, i, &leg ); ++i )
    {
        joSpaceHit hit;
        if ( joSlide_CastItem( world, run, item, leg.from, leg.begin, joSubtract3( leg.to, leg.from ),
                 leg.end - leg.begin, &hit ) )
        {
            noteMet( item, &hit, &leg );
        }
    }
}

// How fast a motion goes into what it meets. False: it goes along it, or out of it.
static bool findSpeed( const joSlideRun* run, joWide3 way, joSpaceHit* hit )
{
    const double length = joLength3( way );
    hit->speed = -joDot3( joWide3_Of( hit->normal ), way );
    // Corner on corner may have the normal of what is gone along.
    if ( hit->fraction > 0.0 && hit->speed <= 0.0 )
    {
        hit->speed = length;
    }
    return hit->speed > 0.0 && ( hit->speed > ALONG * length || ALONG * length > 0.1 * run->skin );
}

// Another sliding body. True: they touch on the way; *leg is the part of the own leg in which they do.
static bool meetSlider(
    const joWorld* world, const joSlideRun* run, const joSlideItem* item, Leg* part, joSpaceHit* hit )
{
    const joSlideRun* other = joSlide_RunAt( world, item->otherRun );
    Leg own, others, othersPart;
    for ( uint32_t i = 0; findLeg( run, i, &own ); ++i )
    {
        for ( uint32_t k = 0; findLeg( other, k, &others ); ++k )
        {
            if ( !pairLegs( &own, &others, part, &othersPart ) )
            {
                continue;
            }
            const joSlideItem still = standAt( world, item, &othersPart );
            const joWide3 way = joSubtract3(
                joSubtract3( part->to, part->from ), joSubtract3( othersPart.to, othersPart.from ) );
            if ( joSlide_CastItem( world, run, &still, part->from, 0.0, way, 0.0, hit ) &&
                 findSpeed( run, way, hit ) )
            {
                return true;
            }
        }
    }
    return false;
}

double joSlide_FindLimit( const joWorld* world, uint32_t slide )
{
    const joSlideRun* run = joSlide_RunAt( world, slide );
    double limit = run->limit;
    for ( uint32_t i = run->itemBegin; i < run->itemEnd; ++i )
    {
        const joSlideItem* item = joSlide_ItemAt( world, i );
        Leg part;
        joSpaceHit hit;
        if ( !item->isSolid || item->otherRun == JO_NULL_INDEX ||
             !meetSlider( world, run, item, &part, &hit ) || part.isStay )
        {
            continue;
        }
        // Half of the skin is left between them.
        const double free = hit.fraction - 0.5 * run->skin / hit.speed;
        const double found = part.begin + ( free > 0.0 ? free : 0.0 ) * ( part.end - part.begin );
        const double time = found < LAST ? found : LAST;
        limit = time < limit ? time : limit;
    }
    return limit;
}

// What moves, does not slide, and stops for nobody.
static bool isMover( const joSlideItem* item )
{
    return item->isSolid && item->otherRun == JO_NULL_INDEX && joDot3( item->motion, item->motion ) > 0.0;
}

bool joSlide_FindPushed( const joWorld* world, uint32_t slide )
{
    const joSlideRun* run = joSlide_RunAt( world, slide );
    const joWide3 none = { 0.0, 0.0, 0.0 };
    const bool canBe = run->limit < 1.0 && joSlideRun_HasRoom( run );
    bool isPushed = false;
    for ( uint32_t i = run->itemBegin; i < run->itemEnd && canBe && !isPushed; ++i )
    {
        const joSlideItem* item = joSlide_ItemAt( world, i );
        // What turns may come anywhere.
        isPushed = item->isSolid && item->otherTurn > 0.0;
        isPushed = isPushed ||
                   ( isMover( item ) && joSlide_WouldStop( world, run, i, joSlide_PlaceAt( run, run->limit ),
                                            run->limit, none, 1.0 - run->limit ) );
    }
    for ( uint32_t i = run->itemBegin; i < run->itemEnd && isPushed; ++i )
    {
        joSlideItem* item = joSlide_ItemAt( world, i );
        if ( item->otherRun != JO_NULL_INDEX )
        {
            const joSlideRun* other = joSlide_RunAt( world, item->otherRun );
            const double time = other->limit < run->limit ? other->limit : run->limit;
            item->shift = joSubtract3( joSlide_PlaceAt( other, time ), other->start );
            item->motion = none;
        }
    }
    return isPushed;
}

void joSlide_ForgetMet( joWorld* world, const joSlideRun* run )
{
    for ( uint32_t i = run->itemBegin; i < run->itemEnd; ++i )
    {
        joSlideItem* item = joSlide_ItemAt( world, i );
        item->isMet = item->isMet && item->metTime <= run->limit;
    }
}

void joSlide_MeetMovers( joWorld* world, uint32_t slide )
{
    const joSlideRun* run = joSlide_RunAt( world, slide );
    for ( uint32_t i = run->itemBegin; i < run->itemEnd && ( run->isHemmed || run->limit < 1.0 ); ++i )
    {
        joSlideItem* item = joSlide_ItemAt( world, i );
        Leg leg;
        for ( uint32_t k = 0; isMover( item ) && !item->isMet && findLeg( run, k, &leg ); ++k )
        {
            const joWide3 way = joSubtract3( leg.to, leg.from );
            const double span = leg.end - leg.begin;
            joSpaceHit hit;
            if ( joSlide_WouldStop( world, run, i, leg.from, leg.begin, way, span ) &&
                 joSlide_CastItem( world, run, item, leg.from, leg.begin, way, span, &hit ) )
            {
                noteMet( item, &hit, &leg );
            }
        }
    }
}

void joSlide_MeetTriggers( joWorld* world, uint32_t slide )
{
    const joSlideRun* run = joSlide_RunAt( world, slide );
    for ( uint32_t i = run->itemBegin; i < run->itemEnd; ++i )
    {
        joSlideItem* item = joSlide_ItemAt( world, i );
        joTouchPoint touch;
        // What touched before is met only if it is touched at the end: else it has been left.
        if ( item->isSolid || joSlide_TouchItem( world, item, run->start, 0.0, 0.0f, &touch ) )
        {
            continue;
        }
        Leg part;
        joSpaceHit hit;
        if ( item->otherRun == JO_NULL_INDEX )
        {
            meetOnWay( world, run, item );
        }
        else if ( meetSlider( world, run, item, &part, &hit ) )
        {
            noteMet( item, &hit, &part );
        }
    }
}
