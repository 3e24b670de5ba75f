// SPDX-License-Identifier: MIT
// jostle world: bodies with colliders, a step, and events.
//
// A world ties the stages together: it moves bodies by their velocities, finds the pairs of colliders that
// may meet (broad_phase.h), asks how they touch (collide_batch.h), and says what has changed since the last
// step. This header holds what 2D and 3D share; bodies and colliders are made with world_2d.h or world_3d.h.
// Which pairs meet, and what an event means, stands in docs/world.md.
//
// On any error a call has changed nothing, a step included. Every result is the same bits for every number of
// threads, instruction set and kind of broad phase.
//
// Threads: one at a time per world; calls that take a const world may run beside each other.
#pragma once

#include "broad_phase.h"

JO_EXTERN_C_BEGIN

#define JO_MAX_LAYERS 64
// Bodies, and colliders, that a world may hold at once.
#define JO_MAX_BODIES ( 1u << 24 )
#define JO_MAX_WORLD_NUMBER 255u
#define JO_MAX_PUSH_ITERATIONS 1000u

// Names a body or a collider as long as it lives, and never another one. Zero is null. `bits` may be stored.
typedef struct joBodyId
{
    uint64_t bits;
} joBodyId;

typedef struct joColliderId
{
    uint64_t bits;
} joColliderId;

typedef enum joBodyType
{
    jo_staticBody = 0, // stays where it is put; costs nothing; never meets another static body
    jo_kinematicBody,  // moves by its velocity alone
    jo_dynamicBody,    // moves by its velocity, gravity and damping
    jo_bodyTypeCount
} joBodyType;

// What a step does to a body that meets something.
typedef enum joResponse
{
    jo_detect = 0, // nothing: what it meets is reported
    jo_push,       // moved apart from what it overlaps, by the masses of both; dynamic bodies only
    jo_slide,      // swept along its motion: stops at what it meets, and slides along it
    jo_responseCount
} joResponse;

// What a collider is made of.
typedef struct joMaterial
{
    // What is left of the speed into what was met, turned back: 0 (default) stops, 1 reflects. Of two that
    // meet, the larger counts.
    float restitution;
} joMaterial;

// What a collider meets. Two colliders meet if the layer of each is in the mask of the other and in the other
// layer's row of joWorldDef.layerMeets, if they have not one group, and not one body.
typedef struct joColliderFilter
{
    uint32_t layer; // 0 to JO_MAX_LAYERS - 1; default 0
    uint32_t group; // colliders of one group never meet; 0 (default): none
    uint64_t mask;  // bits of the layers it meets; default all
} joColliderFilter;

typedef struct joWorldDef
{
    int dimension;    // 2 or 3; default 3
    float gravity[3]; // world units per second squared, finite; 2D: z ignored. Default zero
    // Two colliders touch when they are this near or nearer (world units, >= 0); default 0. Once they touch
    // they go on until they are farther apart than leaveMargin (>= contactMargin, <= JO_MAX_SIZE), so that
    // what rests does not flicker; default 0.005.
    float contactMargin;
    float leaveMargin;
    // A body falls asleep when it has been at rest for sleepTime (seconds, > 0, default 0.5; +inf: never by
    // itself): no part of its velocity, linear (world units per second) or angular (radians per second),
    // above sleepSpeed (finite, >= 0). With the default 0 sleeping changes no pose; above it, what falls
    // asleep loses its velocity.
    float sleepTime;
    float sleepSpeed;
    // For joWorld_AddTime: the seconds of a step (> 0, finite; default 1/60), and how many steps may be due
    // at once (>= 1; default 4), so that after one slow frame the next one is not slower still.
    float fixedStep;
    uint32_t mostDueSteps;
    // Of bodies that push (jo_push). Passes a step, 0 to JO_MAX_PUSH_ITERATIONS, default 8: more leave less
    // overlap. 0: nothing is pushed. A body is pushed no farther in a step than half of pushMargin (world
    // units, 0 to JO_MAX_SIZE, default 0.1) and the way that it moved by itself, the same way again; good is
    // the deepest overlap that a step usually makes.
    uint32_t pushIterations;
    float pushMargin;
    // Bit j of layerMeets[i]: layer i meets layer j. Two layers meet if both rows say so. Default all ones.
    uint64_t layerMeets[JO_MAX_LAYERS];
    // The structure that finds pairs. Dimension, jobs, allocator, reserves and fixedCapacity are taken from
    // here, pairs are always sorted. Default that of joDefaultBroadPhaseDef.
    joBroadPhaseDef broadPhase;
    // Room made at create, so that up to this much never allocates: pairs are those whose bounds meet,
    // contacts those that touch. Default 0.
    uint32_t bodyReserve;
    uint32_t colliderReserve;
    uint32_t ignoredReserve; // pairs of bodies that ignore each other
    uint32_t pairReserve;
    uint32_t contactReserve;
    uint32_t slideReserve; // bodies that slide; they need about 1.5 KB each
    // true: growth beyond the reserves fails with jo_errorCapacity. Default false.
    bool fixedCapacity;
    // Part of every id, 0 to JO_MAX_WORLD_NUMBER; default 0. Worlds of different numbers refuse each other's
    // ids; with the same number, an id of another world may be taken for one of this.
    uint32_t worldNumber;
    // Null (default): one thread. Borrowed: must outlive the world.
    joJobs* jobs;
    joAllocator allocator;
    // Set by joDefaultWorldDef.
    uint32_t internalCookie;
} joWorldDef;

// Columns of bodies for the bulk calls of world_2d.h and world_3d.h. An absent column leaves what it is about
// to the def, or as it is.
typedef struct joBodyColumns
{
    joColumn pose;            // joTransform2 or joTransform3
    joColumn velocity;        // joVec2 or joVec3, world units per second, finite
    joColumn angularVelocity; // float or joVec3, radians per second, finite
    joColumn userData;        // uint64_t
    joColumn shape;           // joShape2 or joShape3, of the collider; when bodies are created only
    uint32_t count;
} joBodyColumns;

// The same to write to. An absent column is not written.
typedef struct joMutableBodyColumns
{
    joMutableColumn pose;
    joMutableColumn velocity;
    joMutableColumn angularVelocity;
    joMutableColumn userData;
    uint32_t count;
} joMutableBodyColumns;

// One of a pair of touching colliders, or bodies. A is the body of the lower index (the low 24 bits of its
// id), or, if events are per body, what the first of its pairs of colliders says.
typedef struct joContactEvent
{
    joBodyId bodyA, bodyB;
    joColliderId colliderA, colliderB;
    uint64_t userDataA, userDataB;                 // of the bodies
    uint64_t colliderUserDataA, colliderUserDataB; // of the colliders
    // How they touch; of an exit, how they touched last. 2D: z is zero.
    float normal[3]; // unit, from A to B
    float point[3];  // the deepest, in world space
    float depth;     // world units; negative: how far they are apart, within the margin
    // When in the step they met, as a share of it: where a body that slides met the other on its way. Else 1,
    // for it is where bodies end that counts.
    float time;
    uint32_t child; // the deepest segment of a chain or triangle of a mesh, if one of the two is such; else 0
    // On which side of a body that slides the other is, a joSlideSide (world_slide.h); of any other body 0.
    uint8_t sideA, sideB;
    bool isTrigger; // one of the colliders, or both, is a trigger
} joContactEvent;

typedef enum joGranularity
{
    jo_perCollider = 0, // an event for each pair of colliders
    jo_perBody          // one for each pair of bodies, however many of their colliders touch
} joGranularity;

// What the last step changed, in memory of the world, valid until the next step or the world's end. Each list
// is sorted by the indices of bodyA, bodyB, colliderA, colliderB.
typedef struct joContactEvents
{
    const joContactEvent* enters; // touch now, and did not after the step before
    const joContactEvent* stays;  // touch now, and did; without pairs of two that are static or asleep
    const joContactEvent* exits;  // did, and do not now, whatever ended it
    uint64_t enterCount, stayCount, exitCount;
} joContactEvents;

// Seconds that the last step took, by stage.
typedef struct joWorldProfile
{
    double motion;   // moving bodies, bounds of their colliders
    double pairs;    // broad phase
    double sweep;    // ways of bodies that slide, with the filters before them
    double contacts; // filters, narrow phase
    double events;
    double push; // neighbours, passes, velocities
} joWorldProfile;

typedef struct joWorldStats
{
    uint32_t bodyCount, colliderCount;
    uint32_t awakeBodyCount; // that the next step looks at: enabled, and neither static nor asleep
    uint32_t sleepingBodyCount;
    uint64_t pairCount;       // of the last step, from the broad phase
    uint64_t contactCount;    // pairs of colliders that touched after the last step, triggers included
    uint64_t memoryBytes;     // all memory held, that of the broad phase included
    uint64_t allocationCount; // calls of the allocator's allocate since create, but for the narrow phase's
} joWorldStats;

typedef struct joWorld joWorld;

JO_API joWorldDef joDefaultWorldDef( void );

// Errors: jo_errorNullArgument, jo_errorBadDef, jo_errorUnknownKind, jo_errorOutOfMemory,
// jo_errorUnsupportedIsa. The def is copied.
JO_API joResult joCreateWorld( const joWorldDef* def, joWorld** world );

// Null is allowed.
JO_API void joDestroyWorld( joWorld* world );

// Moves all bodies by `dt` seconds (> 0, finite), finds what touches then, makes the events, and pushes
// bodies apart (jo_push). O(awake bodies and their colliders, pairs). Motion: v += dt * gravity *
// gravityScale, v /= 1 + dt * damping, then position += dt * v (semi-implicit Euler); coordinates stop at the
// largest float. Errors: jo_errorNullArgument, jo_errorNotANumber, jo_errorBadTimeStep, jo_errorOutOfMemory,
// jo_errorCapacity.
JO_API joResult joWorld_Step( joWorld* world, float dt );

// A fixed step for frames of any length. joWorld_AddTime adds a frame's seconds (>= 0, finite) to the time
// that waits and says how many steps of joWorldDef.fixedStep are due; joWorld_StepFixed makes one of them.
// Call it so often, and read the events after each step: they are those of one step. Time beyond
// joWorldDef.mostDueSteps is dropped; *droppedSeconds (may be null) says how much. O(1). Errors:
// jo_errorNullArgument, jo_errorNotANumber, jo_errorBadTimeStep (negative or infinite).
JO_API joResult joWorld_AddTime( joWorld* world, double seconds, uint32_t* dueSteps, double* droppedSeconds );
// joWorld_Step by fixedStep, and as much less time waits. Errors: those of joWorld_Step; jo_errorBadTimeStep:
// no step is due.
JO_API joResult joWorld_StepFixed( joWorld* world );
// The time that waits, as a share of a step: below 1 when no step is due. For drawing bodies between the
// poses of the last two steps. 0 for null.
JO_API float joWorld_GetWaitingShare( const joWorld* world );

// The events of the last step, of pairs without and with a trigger. O(1). Errors: jo_errorNullArgument,
// jo_errorBadDef (granularity).
JO_API joResult joWorld_GetContactEvents(
    const joWorld* world, joGranularity granularity, joContactEvents* events );
JO_API joResult joWorld_GetTriggerEvents(
    const joWorld* world, joGranularity granularity, joContactEvents* events );

// What the body touched at the end of the last step and still exists, triggers included, in the order of
// events, one a pair of colliders. The first min( capacity, *count ) in order go to `contacts` (null allowed
// with capacity 0). O(count log capacity). Errors: jo_errorNullArgument, jo_errorStaleId.
JO_API joResult joWorld_GetContacts(
    const joWorld* world, joBodyId body, joContactEvent* contacts, uint64_t capacity, uint64_t* count );

// Bodies. Their colliders and their ignored pairs go with them; what they touched exits in the next step,
// with their ids and user data. Errors of calls with an id: jo_errorNullArgument, jo_errorStaleId,
// jo_errorOutOfMemory, jo_errorCapacity, and what is said there. `errorIndex` may be null; it gets the index
// of the first bad element, JO_NULL_INDEX where there is none.
JO_API joResult joWorld_DestroyBody( joWorld* world, joBodyId body );
// Also jo_errorDuplicateKey: an id stands twice in the call.
JO_API joResult joWorld_DestroyBodies(
    joWorld* world, const joBodyId* bodies, uint32_t count, uint32_t* errorIndex );
JO_API bool joWorld_IsBodyAlive( const joWorld* world, joBodyId body );
// All living bodies, by index: the first `capacity` into `bodies`. O(most bodies there were).
JO_API joResult joWorld_GetBodyIds(
    const joWorld* world, joBodyId* bodies, uint64_t capacity, uint64_t* count );
// The colliders of a body, in the order in which they were made. O(count).
JO_API joResult joWorld_GetColliders(
    const joWorld* world, joBodyId body, joColliderId* colliders, uint64_t capacity, uint64_t* count );

JO_API joResult joWorld_SetBodyType( joWorld* world, joBodyId body, joBodyType type ); // jo_errorBadDef
// A disabled body touches nothing, is not found, and does not move.
JO_API joResult joWorld_SetBodyEnabled( joWorld* world, joBodyId body, bool isEnabled );
// As in joBodyDef2. Also jo_errorNotANumber, jo_errorBadVelocity.
JO_API joResult joWorld_SetBodyFactors(
    joWorld* world, joBodyId body, float gravityScale, float linearDamping, float angularDamping );
// Also jo_errorNotANumber, jo_errorBadMass, jo_errorBadDef (response), jo_errorCannotSlide (see
// world_slide.h).
JO_API joResult joWorld_SetBodyResponse( joWorld* world, joBodyId body, joResponse response, float mass );
// True: wakes a body, as every call does that changes it or its colliders, but for user data. False: lets it
// fall asleep after the next step, if it is at rest then. Static and disabled bodies neither sleep nor wake.
JO_API joResult joWorld_SetBodyAwake( joWorld* world, joBodyId body, bool isAwake );
JO_API joResult joWorld_SetBodyUserData( joWorld* world, joBodyId body, uint64_t userData );

// Whether two bodies ignore each other: they never meet then. Gone with either. The same body twice:
// jo_errorDuplicateKey. O(pairs that the first ignores).
JO_API joResult joWorld_SetIgnored( joWorld* world, joBodyId a, joBodyId b, bool isIgnored );
JO_API joResult joWorld_GetIgnored( const joWorld* world, joBodyId a, joBodyId b, bool* isIgnored );

// Colliders.
JO_API joResult joWorld_DestroyCollider( joWorld* world, joColliderId collider );
JO_API bool joWorld_IsColliderAlive( const joWorld* world, joColliderId collider );
JO_API joResult joWorld_SetColliderEnabled( joWorld* world, joColliderId collider, bool isEnabled );
// While it touches something: an exit in one list of events, an enter in the other.
JO_API joResult joWorld_SetColliderTrigger( joWorld* world, joColliderId collider, bool isTrigger );
JO_API joResult joWorld_SetColliderFilter(
    joWorld* world, joColliderId collider, const joColliderFilter* filter ); // jo_errorBadDef: its layer
// Also jo_errorNotANumber, jo_errorBadMaterial.
JO_API joResult joWorld_SetColliderMaterial(
    joWorld* world, joColliderId collider, const joMaterial* material );
JO_API joResult joWorld_SetColliderUserData( joWorld* world, joColliderId collider, uint64_t userData );

// Of the last step that succeeded. All zero for null.
JO_API joWorldProfile joWorld_GetProfile( const joWorld* world );
JO_API joWorldStats joWorld_GetStats( const joWorld* world );

// The broad phase of the world: keys are indices of colliders (the low 24 bits of their ids), bounds are
// wider than the shapes by half of leaveMargin or more. Queries of query.h are right at once after every
// call. Null for null.
JO_API const joBroadPhase* joWorld_GetBroadPhase( const joWorld* world );

// Checks every invariant; for tests and bug reports. False if one is broken. O(all there is).
JO_API bool joWorld_Validate( const joWorld* world );

JO_EXTERN_C_END
