// SPDX-License-Identifier: MIT
// The world: what its files share. Bodies and colliders are rows of tables, by the index of their id;
// contacts have slots in a pool, so that they keep their place while lists around them change.
#pragma once

#include "base/id_pool.h"
#include "base/radix_sort.h"
#include "jostle/world.h"
#include "world/pair_pool.h"
#include "world/space.h"
#include "world/table.h"

// The index in an id, and the number of its world above it; the rest is the generation.
#define JO_ID_INDEX_BITS 24
#define JO_ID_INDEX_MASK ( ( 1u << JO_ID_INDEX_BITS ) - 1u )

typedef enum joBodyColumn
{
    jo_bodyPose = 0,
    jo_bodyVelocity,
    jo_bodyRecord,
    jo_bodyContacts, // heads of lists of contacts and of ignored pairs
    jo_bodyIgnored,
    jo_bodyColumnCount
} joBodyColumn;

// Rows and contacts go into snapshots (snapshot.c) as they lie in memory, whatever is added to them, so they
// must not hold bytes that no one has written: padding is named. What they hold that may be wrong in bytes
// from elsewhere (indices, flags, numbers) is checked in snapshot_check.c.
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

// One cache line. What is asked of the second body of a pair, which may be anywhere in memory, comes first.
typedef struct joBody
{
    uint8_t type;     // joBodyType
    uint8_t response; // joResponse
    bool isEnabled;
    bool isParked; // its colliders are static in the broad phase
    bool isMarked; // during a bulk call: stands in it
    uint8_t padding[3];
    uint32_t awakeIndex;  // place in the list of awake bodies; JO_NULL_INDEX: in none
    uint32_t slide;       // row of joWorld.slides; JO_NULL_INDEX: its response is another
    uint32_t pushSlot;    // of one that is not awake, in the push of this step; JO_NULL_INDEX outside of it
    uint32_t placedCount; // of its colliders, in the broad phase
    uint32_t firstCollider, lastCollider; // JO_NULL_INDEX: none
    uint32_t colliderCount;
    float gravityScale, linearDamping, angularDamping;
    float mass;
    float restTime; // how long it has been at rest, seconds
    uint64_t userData;
} joBody;

typedef enum joColliderColumn
{
    jo_colliderShape = 0,
    jo_colliderLocalPose,
    jo_colliderPose, // in the world; true while the collider is placed
    jo_colliderRecord,
    jo_colliderColumnCount
} joColliderColumn;

typedef struct joCollider
{
    uint64_t userData;
    joColliderFilter filter;
    joMaterial material;
    uint32_t body;
    uint32_t next, prev; // of its body
    uint8_t kind;        // of its shape
    bool isTrigger;
    bool isEnabled;
    bool isPlaced; // in the broad phase: it and its body are enabled
    bool hasLocalPose;
    bool isOneWay;
    uint8_t padding[6];
    float oneWayUp[3]; // of any length, in the frame of its body
} joCollider;

// Two touching colliders. Pairs of indices are packed as A << 32 | B, with the lower body index in A.
typedef struct joContact
{
    uint64_t bodyPair, colliderPair;
    uint64_t bodies[2], colliders[2]; // ids
    // Of what has been destroyed: the user data it had.
    uint64_t userData[2], colliderUserData[2];
    joTouchPoint touch;
    uint8_t sides[2]; // as in joContactEvent
    bool isTrigger;
    bool isActive; // in the list of active contacts
} joContact;

#pragma GCC diagnostic pop

// A contact in the list of active ones: what a step compares stands beside each other, in order.
typedef struct joActive
{
    uint64_t bodyPair, colliderPair;
    uint32_t slot;
    bool isTrigger;
} joActive;

// A pair that touches in the step that is being made. Sorted by bodies, then colliders.
typedef struct joTouch
{
    uint64_t bodyPair, colliderPair;
    joTouchPoint touch;
    float contactMargin, leaveMargin; // of this pair
    uint32_t slot;                    // of the contact that goes on; JO_NULL_INDEX: it is new
    uint8_t sides[2];
    bool isTrigger;
    uint8_t changes; // joChange
} joTouch;

// A pair that may touch.
typedef struct joCandidate
{
    uint64_t bodyPair, colliderPair;
    bool pushes; // neither is a trigger, and one may be pushed
} joCandidate;

// A collider's bounds on their way into the broad phase.
typedef struct joProxy
{
    float lower[3], upper[3];
    uint32_t collider;
} joProxy;

// Its bits of layers. Steps move bounds alone.
typedef struct joProxyFilter
{
    uint64_t layer, mask;
} joProxyFilter;

// The three lists of one kind of events and one granularity.
enum
{
    jo_enters,
    jo_stays,
    jo_exits,
    jo_eventListCount
};

typedef struct joEventLists
{
    joArray events[jo_eventListCount]; // joContactEvent
    uint64_t counts[jo_eventListCount];
} joEventLists;

typedef struct joEventStore
{
    joEventLists lists[2][2]; // contacts and triggers; per collider and per body
    bool areShared;           // those per body are those per collider
} joEventStore;

// The push (step_push.h). Bodies have slots, as in push apart: the awake ones their places in the list of
// awake bodies, others those behind them.
typedef struct joPushSlot
{
    float start[3];    // before the push, of one with planes; 2D: z is 0
    float velocity[3]; // of one with bounces
    bool wakes;        // of one that is not awake: is among the sleepers
} joPushSlot;

// A candidate of which one at least is not round.
typedef struct joPushLink
{
    joPair slots;
    uint32_t candidate;
} joPushLink;

// Two that overlap and approach each other.
typedef struct joBounce
{
    uint32_t a, b;   // slots
    float normal[3]; // from a to b
    double target;   // approach that is to be left, <= 0
} joBounce;

typedef struct joPushStage
{
    struct joPusher* pusher; // null: nothing is pushed
    bool anyMovable;         // some body may be pushed in this step
    joArray slots;           // joPushSlot
    joArray pairs;           // joPair, slots of round neighbours
    joArray links;           // joPushLink
    joArray placePairs;      // joPair, the links as the batch knows them
    joArray planeMaterials;  // float, restitution of each plane
    joArray bounces;         // joBounce
    uint32_t bounceCount;
    double fastest;   // approach
    joArray sleepers; // uint32_t, bodies that were pushed asleep
    uint32_t sleeperCount;
} joPushStage;

struct joWorld
{
    joWorldDef def;
    const joSpace* space;
    joMemory memory;
    joBroadPhase* broadPhase;
    joCollideBatch* batch;

    joIdPool bodyIds, colliderIds;
    joTable bodies, colliders;
    joArray awake; // uint32_t, indices of the bodies that a step looks at; see sleep.h
    uint32_t awakeCount;
    bool anyParked; // of the awake ones some may be parked yet
    // uint8_t, of the awake bodies that moved in this step: it surely does not fall asleep, and its time at
    // rest is 0
    joArray restless;
    uint32_t restlessCount;
    uint32_t sleepingCount;

    joPairPool ignored;
    joPairPool contactSlots;
    joArray contacts; // joContact, by slot
    joArray active;   // joActive, contacts of awake bodies, sorted by bodies, then colliders
    uint64_t activeCount;
    bool isActiveSorted; // false: some have been woken since
    // Something has been destroyed since the last step: contacts may name an index that is another's now.
    bool anyReplaced;
    joEventStore events;
    // What joSpace.doMeet says, where each pair asks.
    bool kindsMeet[JO_MAX_SHAPE_KINDS][JO_MAX_SHAPE_KINDS];

    double waitingSeconds; // see clock.c

    // Scratch. Of bulk calls and steps:
    joArray proxies;      // joProxy
    joArray proxyFilters; // joProxyFilter, where they go with them
    joArray proxyPoses;   // poses in the world
    joArray keys;         // uint32_t
    joTable oldBodies;    // poses and velocities of awake bodies before the step, and their first proxies
    // Of steps:
    joArray candidates[2];    // joCandidate
    joArray sortItems[2];     // joKeyValue
    joArray batchPlaces;      // uint32_t by collider, its place in the batch; JO_NULL_INDEX outside of a step
    uint32_t batchPlaceCount; // of these, those that have been written
    joArray batchColliders, batchShapes, batchPoses, batchPairs, hitPairs, manifolds;
    joArray touches;     // joTouch
    joArray activeSpare; // joActive, while they are sorted
    joArray lastChanges; // uint8_t, joChange of each active contact
    bool sharesNext;     // joEventStore.areShared of the events that are being made

    uint64_t foundPairCount; // of the step that is being made
    joPushStage push;

    joArray slides; // joSlide, in no order
    uint32_t slideCount;
    joArray slideRuns, slideItems; // scratch of a step; see slide.h
    joArray slideMet;              // uint32_t: the item that was met, of each candidate
    uint32_t slideItemCount;
    bool anySlideTurns; // in this step

    joWorldProfile profile;
    uint64_t pairCount;
};

static inline void* joWorld_BodyPose( const joWorld* world, uint32_t body )
{
    return joTable_At( &world->bodies, jo_bodyPose, body );
}

static inline float* joWorld_BodyVelocity( const joWorld* world, uint32_t body )
{
    return joTable_At( &world->bodies, jo_bodyVelocity, body );
}

static inline joBody* joWorld_Body( const joWorld* world, uint32_t body )
{
    return joTable_At( &world->bodies, jo_bodyRecord, body );
}

static inline uint32_t* joWorld_ContactHeads( const joWorld* world )
{
    return world->bodies.columns[jo_bodyContacts].data;
}

static inline uint32_t* joWorld_IgnoredHeads( const joWorld* world )
{
    return world->bodies.columns[jo_bodyIgnored].data;
}

static inline void* joWorld_Shape( const joWorld* world, uint32_t collider )
{
    return joTable_At( &world->colliders, jo_colliderShape, collider );
}

static inline void* joWorld_LocalPose( const joWorld* world, uint32_t collider )
{
    return joTable_At( &world->colliders, jo_colliderLocalPose, collider );
}

static inline void* joWorld_ColliderPose( const joWorld* world, uint32_t collider )
{
    return joTable_At( &world->colliders, jo_colliderPose, collider );
}

static inline joCollider* joWorld_Collider( const joWorld* world, uint32_t collider )
{
    return joTable_At( &world->colliders, jo_colliderRecord, collider );
}

// Of two colliders that meet the larger restitution counts.
static inline float joWorld_RestitutionOf( const joWorld* world, uint32_t a, uint32_t b )
{
    const float ofA = joWorld_Collider( world, a )->material.restitution;
    const float ofB = joWorld_Collider( world, b )->material.restitution;
    return ofA > ofB ? ofA : ofB;
}

static inline joContact* joWorld_Contact( const joWorld* world, uint32_t slot )
{
    return (joContact*)world->contacts.data + slot;
}

static inline joActive* joWorld_Active( const joWorld* world, uint64_t i )
{
    return (joActive*)world->active.data + i;
}

// Room must be there.
static inline void joWorld_AppendActive( joWorld* world, uint32_t slot )
{
    const joContact* contact = joWorld_Contact( world, slot );
    *joWorld_Active( world, world->activeCount++ ) =
        ( joActive ){ contact->bodyPair, contact->colliderPair, slot, contact->isTrigger };
}

// Indices of living ids; JO_NULL_INDEX of any other.
uint32_t joWorld_FindBody( const joWorld* world, joBodyId id );
uint32_t joWorld_FindCollider( const joWorld* world, joColliderId id );
// The id at a living index.
joBodyId joWorld_BodyIdAt( const joWorld* world, uint32_t body );
joColliderId joWorld_ColliderIdAt( const joWorld* world, uint32_t collider );

// What the calls of a dimension ask first.
joResult joWorld_CheckCall( const joWorld* world, int dimension, bool hasArguments );

// How the colliders of a body take part in the broad phase.
static inline joMotion joMotionOf( bool isParked )
{
    return isParked ? jo_static : jo_moving;
}

// Room for so many more, ids and the list of awake bodies included.
joResult joWorld_ReserveBodies( joWorld* world, uint32_t count );
joResult joWorld_ReserveColliders( joWorld* world, uint32_t count );
void joWorld_AddAwake( joWorld* world, uint32_t body );
void joWorld_RemoveAwake( joWorld* world, uint32_t body );

joResult joWorld_ReserveKeys( joWorld* world, uint64_t count );
