// SPDX-License-Identifier: MIT
// Sliding bodies. In a step each one is swept on its own, against everything else where it stands at the
// start of the step and as it moves in the step: so neither the order of bodies nor threads can show. A step
// goes
//
//   joSlide_Predict   where each one wants to go, and bounds that hold wherever it may get
//   joSlide_Sweep     each one's way, from the pairs of the broad phase (slide_body.c)
//   joSlide_PutTouches   what was met on the way touches, even if it does no longer at the end
//   joSlide_Commit    what the caller is told
//
// Vectors are joWide3; in 2D z is zero.
#pragma once

#include "jostle/world_slide.h"
#include "math/wide_vectors.h"
#include "world/world.h"

// How often what moves may push a body that stands, and how often one that another's way has stopped.
#define JO_SLIDE_PUSHES 4u
#define JO_SLIDE_PUSH_ROUNDS 4u
// The most points that a way has: its start, where it got free, each stop, three of a step up, those of
// pushes, the end: and as many of further pushes as there is room for.
#define JO_SLIDE_POINTS ( JO_MAX_SLIDES + 14u + 2u * JO_SLIDE_PUSHES )
// The largest coordinate of a motion: what is relative to another stays a float.
#define JO_MAX_SLIDE_MOTION 1e37

// What is kept of a body that slides: a row of joWorld.slides, in no order. joBody.slide says which.
typedef struct joSlide
{
    uint32_t body;
    joSlideDef def;
    joSlideState state;
} joSlide;

typedef struct joSlidePoint
{
    joWide3 position;
    double time;       // part of the step, 0 to 1; does not fall
    float velocity[3]; // of the body on its way to here, and what it had met before
    uint8_t sides, hitCount;
    uint8_t padding[2];
} joSlidePoint;

// One body's sweep in one step. Scratch, beside the row of the same number. What every stage asks each of
// them stands in front.
typedef struct joSlideRun
{
    uint32_t body, itemBegin, itemEnd;
    uint32_t pointCount;
    double limit; // of time, up to which the way is gone
    double nextLimit;
    double angle;   // by which its angular velocity turns it, at most once around; 0: not at all
    bool isTurned;  // and nothing is in the way of that
    bool isHemmed;  // something goes on into it, and it cannot yield
    bool isPushed;  // something would go through it where it was stopped
    bool hasGround; // up is a direction that counts: something can be ground

    joWide3 start; // where the body is at the start of the step
    joWide3 wish;  // how far it wants to get, with what carries it
    joWide3 carry; // of this, what its ground does
    joWide3 velocity;
    joWide3 up, right, front; // unit
    joWide3 axis;             // of the turn, unit
    double spin;              // radians per second
    double dt;
    double skin;        // how far it stays away, the rounding of its coordinates included
    double size;        // the largest of its bounds
    double reach;       // how long its way may be: so far its bounds hold
    double push;        // of this, what is left for those that push it once it stands
    double leastGround; // the cosine of the slope limit
    double leastBounce; // what is slower stops
    joSlidePoint path[JO_SLIDE_POINTS];
    joSlideState state;
} joSlideRun;

// One collider of a sliding body and one that it may meet. Those of a run stand together, in the order of the
// candidates.
typedef struct joSlideItem
{
    uint32_t candidate;
    uint32_t run;
    uint32_t own, other; // colliders
    uint32_t otherRun;   // of the other's body, if it slides; else JO_NULL_INDEX
    bool isFirst;        // `own` is the first of the pair
    bool isSolid;        // neither is a trigger
    bool isOneWay;       // the other is, with its direction in the world
    bool isFaced;        // both have faces
    bool isCompound;     // the other is
    double restitution;  // of the two
    joWide3 oneWayUp;    // unit
    double otherTurn;    // by which the other turns at the end of the step, if it does not slide; else 0
    joWide3 motion;      // of the other in this step
    joWide3 shift;       // from the way that its motion from the start makes: it was stopped
    joWide3 offset;      // of the own collider from its body
    float ownPose[8];    // at the start of the step
    float otherPose[8];  // the same
    double lower[3], upper[3]; // own position less other's, when their bounds touch: first and last
    double part;               // of the last probe: of the motion, when it stops; +inf: it does not
    double reach;              // and how far that motion goes, relative to the other
    joTouchPoint stop;         // and how
    bool isMet;
    double metTime;
    joTouchPoint met; // as it was then, but for its time; normal from the other
} joSlideItem;

// What stops a probe first.
typedef struct joSlideStop
{
    double part;    // of the motion, that may be gone
    joWide3 normal; // unit, from the other
    uint32_t item;
} joSlideStop;

static inline joSlide* joSlide_At( const joWorld* world, uint32_t slide )
{
    return (joSlide*)world->slides.data + slide;
}

static inline joSlideRun* joSlide_RunAt( const joWorld* world, uint32_t slide )
{
    return (joSlideRun*)world->slideRuns.data + slide;
}

// How far a motion of some length may get when it goes on along the steepest ground.
static inline double joSlideRun_ReachOf( const joSlideRun* run, double length )
{
    return run->hasGround ? length / run->leastGround : length;
}

// Whether a way has room for what one more push adds to it, and the end.
static inline bool joSlideRun_HasRoom( const joSlideRun* run )
{
    return run->pointCount + 3 <= JO_SLIDE_POINTS;
}

static inline joSlideItem* joSlide_ItemAt( const joWorld* world, uint32_t item )
{
    return (joSlideItem*)world->slideItems.data + item;
}

// Rows. Room for so many more; then these cannot fail.
joResult joSlide_Reserve( joWorld* world, uint32_t count );
void joSlide_Append( joWorld* world, uint32_t body );
void joSlide_Remove( joWorld* world, uint32_t body );
joResult joSlide_CheckDef( const joWorld* world, const joSlideDef* def );
// Whether a shape, and all those of a body, can slide: jo_errorCannotSlide if not.
joResult joSlide_CheckShape( const joWorld* world, const void* shape );
joResult joSlide_CheckShapes( const joWorld* world, uint32_t body );

// Whether the body is swept in a step.
static inline bool joBody_IsSwept( const joBody* body )
{
    return body->slide != JO_NULL_INDEX && body->isEnabled && body->type != jo_staticBody;
}

// Poses of either dimension: the position stands in front.
static inline joWide3 joSlide_PositionOf( const joWorld* world, const void* pose )
{
    const float* position = pose;
    return ( joWide3 ){
        (double)position[0], (double)position[1], world->space->axisCount > 2 ? (double)position[2] : 0.0 };
}

static inline void joSlide_WritePosition( const joWorld* world, joWide3 position, void* pose )
{
    float* to = pose;
    to[0] = joKeepFinite( position.x );
    to[1] = joKeepFinite( position.y );
    if ( world->space->axisCount > 2 )
    {
        to[2] = joKeepFinite( position.z );
    }
}

// No coordinate beyond JO_MAX_SLIDE_MOTION.
joWide3 joSlide_HoldMotion( joWide3 motion );
// The pose of a body at the start of the step.
const void* joSlide_StartPose( const joWorld* world, uint32_t body );
// The same with the rotation that it has in the sweep: that of the end of the step, once it is known that
// nothing is in the way of the turn.
void joSlide_MakeTurnedPose( const joWorld* world, const joSlideRun* run, void* pose );
// The body's row in the sweep; JO_NULL_INDEX if it is not swept.
static inline uint32_t joSlide_RunOf( const joWorld* world, uint32_t body )
{
    const joBody* record = joWorld_Body( world, body );
    return joBody_IsSwept( record ) ? record->slide : JO_NULL_INDEX;
}

// Lists the items of a step and places them (slide_items.c).
joResult joSlide_ListItems( joWorld* world, uint32_t candidateCount );
void joSlide_PrepareItems( joWorld* world );

// Stages of a step; nothing is done where nothing slides. Errors: jo_errorOutOfMemory, jo_errorCapacity.
joResult joSlide_ReserveRuns( joWorld* world );
// After bodies have moved: where those that slide want to go. Their proxies get bounds that hold all the way.
void joSlide_Predict( joWorld* world, float dt );
// What moves may push a body farther than it wanted to go: if bounds must hold more for that, they do, and
// pairs are to be found again.
joResult joSlide_Widen( joWorld* world, uint32_t candidateCount, bool* isWider );
// The ways, and the poses at their ends.
joResult joSlide_Sweep( joWorld* world, uint32_t candidateCount );
// What the caller is told. Cannot fail.
void joSlide_Commit( joWorld* world );

// How near a pair counts as touching, and how far as parted: at least what a sliding body stays away.
void joSlide_FindMargins( const joWorld* world, const joTouch* touch, float* contact, float* leave );
// On which side of its bodies a touch is, of those that slide: joSlideSide, else 0.
void joSlide_FindSides( const joWorld* world, joTouch* touch );
// The largest of them.
float joSlide_FindLargestMargin( const joWorld* world );
// How a candidate was met on the way; null: it was not.
const joSlideItem* joSlide_FindMet( const joWorld* world, uint32_t candidate );

// How far the ground moves a point of a body in this step.
joWide3 joSlide_FindCarry( const joWorld* world, uint32_t ground, joWide3 point );

// The turns of a step (slide_turn.c): before bodies move, in place. How far it would turn.
void joSlide_MakeTurn( const joWorld* world, joSlideRun* run );
// How far a point of the body may be from both where it is before and after the turn.
double joSlide_FindBulge( const joWorld* world, const joSlideRun* run );
// Whether nothing is in the way, whatever part of their own turns others have made.
bool joSlide_CanTurn( const joWorld* world, const joSlideRun* run );
// By how much the rotation of a body has changed in a step: radians, more than once around too.
double joSlide_FindAngle( const joWorld* world, uint32_t body, double dt );
// Bounds of number i of the awake bodies, of where it moves and then turns.
void joSlide_HoldTurn( joWorld* world, uint32_t i, float dt );
// In how many parts the turn of what does not slide is looked at by a body at a place.
uint32_t joSlide_FindTurnParts(
    const joWorld* world, const joSlideRun* run, const joSlideItem* item, joWide3 at );
// Others that do not slide have made a part of their turns (0 to 1).
void joSlide_TurnOthers( joWorld* world, const joSlideRun* run, double part );
// Places the own collider of an item, with the rotation of the sweep, beside the other.
void joSlide_PlaceOwn( const joWorld* world, const joSlideRun* run, joSlideItem* item );
// Places items as all have turned.
void joSlide_TurnItems( joWorld* world, joSlideRun* run );

// One body (slide_body.c): its way.
void joSlide_SweepBody( joWorld* world, uint32_t slide );
// A way that is cut by its limit: velocity, sides and ground are those there.
void joSlide_EndAtLimit( joWorld* world, uint32_t slide );
// From its limit on the body stands, and what moves pushes it: then its way has no limit any more.
void joSlide_PushOn( joWorld* world, uint32_t slide );
// On which of its sides it meets what has this normal: a joSlideSide.
uint32_t joSlide_FindSide( const joSlideRun* run, joWide3 normal );

// What stops a body that goes from `at` by `motion`, while others go on from `time` for `duration` of their
// own motion (slide_cast.c). False: nothing. Notes for each item whether and when it would.
bool joSlide_Probe( const joWorld* world, joSlideRun* run, joWide3 at, double time, joWide3 motion,
    double duration, joSlideStop* stop );
// Of several that stop it at once the one that is met most squarely; what then are equal are equal in all.
bool joSlideStop_IsBefore( const joSlideStop* a, const joSlideStop* b, joWide3 motion );
// Whether one item alone would stop the body.
bool joSlide_WouldStop( const joWorld* world, const joSlideRun* run, uint32_t number, joWide3 at, double time,
    joWide3 motion, double duration );
// One item, as it is: when the shapes touch. False: they do not. Those that touch at the start meet at 0.
bool joSlide_CastItem( const joWorld* world, const joSlideRun* run, const joSlideItem* item, joWide3 at,
    double time, joWide3 motion, double duration, joSpaceHit* hit );
// How an item touches where both are, or comes as near as the margin.
bool joSlide_TouchItem( const joWorld* world, const joSlideItem* item, joWide3 at, double time, float margin,
    joTouchPoint* touch );
// From a time on the other comes no nearer along the normal: two that slide stop each other, neither pushes.
void joSlide_StopOther( joSlideItem* item, joWide3 normal, double time );
// Notes that an item has been met, at a time, unless it has been before.
void joSlide_NoteTouch( joSlideItem* item, const joTouchPoint* touch, double time );
// Notes that those which stop a probe at its first stop have been met, at a time.
void joSlide_NoteMet( const joWorld* world, const joSlideRun* run, const joSlideStop* stop, double time );

// The first point of a way that is not before a time; at the end of a step, when all that happened then has
// happened, the last (slide_meet.c).
const joSlidePoint* joSlide_PointAt( const joSlideRun* run, double time );
// Where a body is on its way at a time.
joWide3 joSlide_PlaceAt( const joSlideRun* run, double time );
// What was passed without being stopped.
void joSlide_MeetTriggers( joWorld* world, uint32_t slide );
// Until when no other sliding body is in the way.
double joSlide_FindLimit( const joWorld* world, uint32_t slide );
// Whether something that does not slide goes through the body where its limit has stopped it. If so, others
// that slide are then taken to stand where they are at that time.
bool joSlide_FindPushed( const joWorld* world, uint32_t slide );
// What went through a body that could not yield has met it.
void joSlide_MeetMovers( joWorld* world, uint32_t slide );
// What would have been met after the limit of a way has not been.
void joSlide_ForgetMet( joWorld* world, const joSlideRun* run );

static inline joWide3 joWide3_Of( const float v[3] )
{
    return ( joWide3 ){ (double)v[0], (double)v[1], (double)v[2] };
}

// Unit; zero of zero.
static inline joWide3 joWide3_Normalize( joWide3 v )
{
    const double length = joLength3( v );
    return length > 0.0 ? joScale3( 1.0 / length, v ) : v;
}
