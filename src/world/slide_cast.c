// SPDX-License-Identifier: MIT
// What stops a sliding body: casts in the frame of the other, which stands still there. A body stops where a
// plane through the place of contact, raised by the skin, stands in its way: so it keeps the skin from
// everything, and can go on along what it keeps it from.
#include "world/slide.h"

#include <string.h>

// What moves into a plane by less than this share of its motion goes along it.
#define ALONG 1e-5
// A cast looks on by so many skins: what is gone along at a slant is nearer than the skin before it is met.
#define LOOK_ON 1000.0
// Below this cosine of the way and a normal a plane is met at a slant.
#define SLANT 0.3
#define NEAR_STEPS 12u
// The cosine of the steepest direction in which a one-way collider is come down on: 45 degrees.
#define ONE_WAY 0.7071

typedef struct Approach
{
    joWide3 way; // of the body relative to the other
    joWide3 direction;
    double length;
    double first; // part of `way` where the cast starts
    joWide3 from; // position of the body there
    double span;  // how far it goes, world units
} Approach;

static void placeAt( const joWorld* world, const float* base, joWide3 position, float pose[8] )
{
    memcpy( pose, base, world->space->poseSize );
    joSlide_WritePosition( world, position, pose );
}

static joWide3 otherAt( const joWorld* world, const joSlideItem* item, double time )
{
    return joAdd3(
        joSlide_PositionOf( world, item->otherPose ), joAddScaled3( item->shift, time, item->motion ) );
}

// The part of the way in which their bounds meet: what is far is not asked for, and what is flown up to over
// a long way is met with the precision of where it stands. False: they never do.
static bool approach( const joWorld* world, const joSlideRun* run, const joSlideItem* item, joWide3 at,
    double time, joWide3 motion, double duration, Approach* made )
{
    made->way = joAddScaled3( motion, -duration, item->motion );
    made->length = joLength3( made->way );
    if ( !( made->length > 0.0 ) )
    {
        return false;
    }
    made->direction = joScale3( 1.0 / made->length, made->way );
    const joWide3 other = otherAt( world, item, time );
    const double apart[3] = { at.x - other.x, at.y - other.y, at.z - other.z };
    const double way[3] = { made->way.x, made->way.y, made->way.z };
    double first = 0.0, last = 1.0 + LOOK_ON * run->skin / made->length;
    for ( uint32_t axis = 0; axis < world->space->axisCount; ++axis )
    {
        const double enter = item->lower[axis] - apart[axis], leave = item->upper[axis] - apart[axis];
        if ( way[axis] == 0.0 )
        {
            last = enter <= 0.0 && leave >= 0.0 ? last : -1.0;
            continue;
        }
        const double begin = ( way[axis] > 0.0 ? enter : leave ) / way[axis];
        const double end = ( way[axis] > 0.0 ? leave : enter ) / way[axis];
        first = begin > first ? begin : first;
        last = end < last ? end : last;
    }
    made->first = first;
    made->from = first > 0.0 ? joAddScaled3( at, first, made->way ) : at;
    made->span = ( last - first ) * made->length;
    return first <= last;
}

// `along` not null: castOut.
static joSpaceHit cast( const joWorld* world, const joSlideItem* item, const Approach* approach,
    joWide3 other, const double* along )
{
    float ownPose[8], otherPose[8];
    placeAt( world, item->ownPose, joAdd3( approach->from, item->offset ), ownPose );
    placeAt( world, item->otherPose, other, otherPose );
    const joWide3 way = joScale3( approach->span, approach->direction );
    const double motion[3] = { way.x, way.y, way.z };
    const void *shape = joWorld_Shape( world, item->own ), *otherShape = joWorld_Shape( world, item->other );
    return along != NULL ? world->space->castOut( otherShape, otherPose, shape, ownPose, motion, *along )
                         : world->space->cast( otherShape, otherPose, shape, ownPose, motion );
}

bool joSlide_CastItem( const joWorld* world, const joSlideRun* run, const joSlideItem* item, joWide3 at,
    double time, joWide3 motion, double duration, joSpaceHit* hit )
{
    Approach way;
    if ( !approach( world, run, item, at, time, motion, duration, &way ) )
    {
        return false;
    }
    *hit = cast( world, item, &way, otherAt( world, item, time ), NULL );
    hit->fraction = way.first + hit->fraction * way.span / way.length;
    return hit->isHit && hit->fraction <= 1.0;
}

bool joSlide_TouchItem( const joWorld* world, const joSlideItem* item, joWide3 at, double time, float margin,
    joTouchPoint* touch )
{
    float ownPose[8], otherPose[8];
    placeAt( world, item->ownPose, joAdd3( at, item->offset ), ownPose );
    placeAt( world, item->otherPose, otherAt( world, item, time ), otherPose );
    return world->space->touch( joWorld_Shape( world, item->other ), otherPose,
        joWorld_Shape( world, item->own ), ownPose, margin, touch );
}

// A plane that is met at a slant says little of where the shapes come as near as the skin: they may have
// edges, or be round. From a place before that, their distance tells how far they may go at least, again and
// again: it is a convex function of the way, so the steps never go past it. For what is round *normal becomes
// that of that place.
static double comeNear( const joWorld* world, const joSlideRun* run, const joSlideItem* item,
    const Approach* approach, joWide3 other, double near, double met, joWide3* normal )
{
    const double most = met - run->skin;
    float ownPose[8], otherPose[8];
    placeAt( world, item->otherPose, other, otherPose );
    near = near > 0.0 ? near : 0.0;
    for ( uint32_t i = 0; i < NEAR_STEPS && near < most; ++i )
    {
        const double on = near - approach->first * approach->length;
        float between[3];
        placeAt( world, item->ownPose,
            joAdd3( joAddScaled3( approach->from, on, approach->direction ), item->offset ), ownPose );
        const double left = world->space->distance( joWorld_Shape( world, item->other ), otherPose,
                                joWorld_Shape( world, item->own ), ownPose, between ) -
                            run->skin;
        const joWide3 found = joWide3_Normalize( joWide3_Of( between ) );
        const double speed = -joDot3( found, approach->direction );
        if ( !item->isFaced && !item->isCompound && speed > 0.0 )
        {
            *normal = found;
        }
        if ( left <= 0.02 * run->skin )
        {
            break;
        }
        near = speed > 0.0 && near + left / speed < most ? near + left / speed : most;
    }
    return near;
}

static bool isPassed( const joSlideRun* run, const joSlideItem* item, const joSpaceHit* hit, joWide3 normal )
{
    return item->isOneWay && ( joDot3( normal, item->oneWayUp ) < ONE_WAY || (double)hit->depth > run->skin );
}

// Whether and when an item stops the body.
static bool stopAt(
    const joWorld* world, const joSlideRun* run, joSlideItem* item, const Approach* approach, joWide3 other )
{
    const double along = approach->length * ALONG <= 0.1 * run->skin ? ALONG : 0.0;
    joSpaceHit hit = cast( world, item, approach, other, NULL );
    bool touches = hit.isHit && hit.fraction == 0.0 && approach->first == 0.0;
    if ( touches && item->isCompound )
    {
        // The touch is that of one part alone.
        hit = cast( world, item, approach, other, &along );
        touches = hit.fraction == 0.0;
    }
    if ( !hit.isHit )
    {
        return false;
    }
    joWide3 normal = joWide3_Normalize( joWide3_Of( hit.normal ) );
    if ( isPassed( run, item, &hit, normal ) )
    {
        return false;
    }
    double speed = -joDot3( normal, approach->direction );
    const bool isAlong = speed <= along;
    // Of what is behind a part of a chain or mesh that is gone along nothing is known.
    if ( isAlong && item->isCompound )
    {
        normal = joScale3( -1.0, approach->direction );
        speed = 1.0;
    }
    else if ( isAlong )
    {
        return false;
    }
    const double met = approach->first * approach->length + hit.fraction * approach->span;
    double free = met - run->skin / speed;
    if ( speed < SLANT && !touches )
    {
        free = comeNear( world, run, item, approach, other, free, met, &normal );
    }
    item->part = free > 0.0 ? free / approach->length : 0.0;
    item->reach = approach->length;
    item->stop.normal[0] = (float)normal.x;
    item->stop.normal[1] = (float)normal.y;
    item->stop.normal[2] = (float)normal.z;
    memcpy( item->stop.point, hit.point, sizeof( hit.point ) );
    item->stop.depth = hit.depth;
    item->stop.child = hit.child;
    return item->part < 1.0;
}

bool joSlideStop_IsBefore( const joSlideStop* a, const joSlideStop* b, joWide3 motion )
{
    if ( a->part != b->part )
    {
        return a->part < b->part;
    }
    const double facingA = joDot3( a->normal, motion ), facingB = joDot3( b->normal, motion );
    if ( facingA != facingB )
    {
        return facingA < facingB;
    }
    return a->normal.x != b->normal.x   ? a->normal.x < b->normal.x
           : a->normal.y != b->normal.y ? a->normal.y < b->normal.y
                                        : a->normal.z < b->normal.z;
}

bool joSlide_Probe( const joWorld* world, joSlideRun* run, joWide3 at, double time, joWide3 motion,
    double duration, joSlideStop* stop )
{
    bool isFound = false;
    for ( uint32_t i = run->itemBegin; i < run->itemEnd; ++i )
    {
        joSlideItem* item = joSlide_ItemAt( world, i );
        Approach way;
        item->part = INFINITY;
        if ( !item->isSolid || !approach( world, run, item, at, time, motion, duration, &way ) )
        {
            continue;
        }
        if ( !stopAt( world, run, item, &way, otherAt( world, item, time ) ) )
        {
            item->part = INFINITY;
            continue;
        }
        const joSlideStop found = {
            .part = item->part, .normal = joWide3_Normalize( joWide3_Of( item->stop.normal ) ), .item = i };
        if ( !isFound || joSlideStop_IsBefore( &found, stop, motion ) )
        {
            *stop = found;
            isFound = true;
        }
    }
    return isFound;
}

bool joSlide_WouldStop( const joWorld* world, const joSlideRun* run, uint32_t number, joWide3 at, double time,
    joWide3 motion, double duration )
{
    joSlideItem item = *joSlide_ItemAt( world, number );
    Approach way;
    return approach( world, run, &item, at, time, motion, duration, &way ) &&
           stopAt( world, run, &item, &way, otherAt( world, &item, time ) );
}

void joSlide_StopOther( joSlideItem* item, joWide3 normal, double time )
{
    const double nearer = joDot3( item->motion, normal );
    if ( nearer > 0.0 )
    {
        item->motion = joAddScaled3( item->motion, -nearer, normal );
        item->shift = joAddScaled3( item->shift, time * nearer, normal );
    }
}

void joSlide_NoteTouch( joSlideItem* item, const joTouchPoint* touch, double time )
{
    if ( !item->isMet )
    {
        item->isMet = true;
        item->metTime = time;
        item->met = *touch;
    }
}

void joSlide_NoteMet( const joWorld* world, const joSlideRun* run, const joSlideStop* stop, double time )
{
    for ( uint32_t i = run->itemBegin; i < run->itemEnd; ++i )
    {
        joSlideItem* item = joSlide_ItemAt( world, i );
        // Those that are no farther than half of the skin are met, too.
        if ( item->part < 1.0 && ( item->part - stop->part ) * item->reach <= 0.5 * run->skin )
        {
            joSlide_NoteTouch( item, &item->stop, time );
        }
    }
}
