// SPDX-License-Identifier: MIT
// jostle world queries: what is at a place, along a way, or near a point, by the exact shapes of a world.
//
// - Queries change nothing and allocate nothing; many threads may ask one world, but not beside a call that
//   changes it. They are right at once after every such call: a body that was made or teleported a moment
//   ago is found where it is, before any step. Static and sleeping bodies are found like all others; what is
//   disabled, a body or a collider, is not. A body is found once for each collider that is met.
// - Touching counts. Results stand in a fixed order, by distance, then by the index of the collider (the low
//   24 bits of its id): the same bits for every number of threads, instruction set and kind of broad phase.
// - Rays: one that starts in a shape, or on its surface, meets it at distance 0, without a normal. One of
//   length 0 meets what its origin is in or on. One along an edge or a face meets it, and so does one that
//   ends on a surface. Segments, chains and meshes have no inside; the length may be infinite.
// - Casts of a shape: where it touches or overlaps at the start it meets at distance 0, whatever the motion,
//   with the normal and depth of joCollide2 or joCollide3. The shape does not turn.
// - Pairs of shapes for which the narrow phase has no answer (two half-spaces, two meshes, two chains) do not
//   meet.
//
// Expected cost: that of the query in the broad phase (query.h), and of the narrow phase for each collider
// whose bounds are met and, where the first ones are wanted, are not behind them.
#pragma once

#include "shapes.h"
#include "world.h"

JO_EXTERN_C_BEGIN

// What a query meets. It is like a collider with this layer and this mask: colliders whose layer is in `mask`
// and whose own mask, with their row of joWorldDef.layerMeets, has a layer of `layer`. So what has an empty
// mask is never met.
typedef struct joWorldQueryFilter
{
    uint64_t layer;                // bits of layers; default all ones
    uint64_t mask;                 // default all ones
    const joBodyId* ignoredBodies; // borrowed; ids of no living body are allowed. Default null
    uint32_t ignoredBodyCount;     // default 0; cost is O(ignoredBodyCount) for each collider met
    bool skipsTriggers;            // triggers are not met; default false
} joWorldQueryFilter;

// A collider met. Nothing met: null ids, distance +inf, the rest zero. 2D: z is zero.
typedef struct joWorldHit
{
    joBodyId body;
    joColliderId collider;
    uint64_t userData, colliderUserData;
    float distance; // world units, along the way, or from the point; overlaps: 0
    float fraction; // of a cast: distance as a share of the motion; else 0
    float depth;    // of a cast: how deep the shapes overlap at its start; else 0
    uint32_t child; // the segment of a chain or triangle of a mesh that is met; of others, and overlaps, 0
    float point[3]; // where the collider is met; of nearest: its nearest point; overlaps: zero
    // Unit, out of the collider; zero where a ray starts in it, a point lies in it, and of overlaps.
    float normal[3];
} joWorldHit;

JO_API joWorldQueryFilter joDefaultWorldQueryFilter( void );

// All calls: `filter` may be null, for its defaults. Closest: *hit is the first one that is met. Any: whether
// there is one; faster. All: the first min( capacity, *count ) go into `hits` (null allowed with capacity 0),
// *count is how many there are.
// Errors, with nothing met: jo_errorNullArgument, jo_errorWrongDimension, jo_errorNotANumber, jo_errorBadRay
// (as in joCastRayAtShape2 and joCast2), those of joCheckShape2 and joCheckTransform2, jo_errorBadRadius.

JO_API joResult joWorld_CastRayClosest(
    const joWorld* world, const joRay* ray, const joWorldQueryFilter* filter, joWorldHit* hit );
JO_API joResult joWorld_CastRayAny(
    const joWorld* world, const joRay* ray, const joWorldQueryFilter* filter, bool* isHit );
JO_API joResult joWorld_CastRayAll( const joWorld* world, const joRay* ray, const joWorldQueryFilter* filter,
    joWorldHit* hits, uint64_t capacity, uint64_t* count );

// A shape that moves from `pose` by `motion` (world units, finite).
JO_API joResult joWorld_CastShapeClosest2( const joWorld* world, const joShape2* shape,
    const joTransform2* pose, joVec2 motion, const joWorldQueryFilter* filter, joWorldHit* hit );
JO_API joResult joWorld_CastShapeAny2( const joWorld* world, const joShape2* shape, const joTransform2* pose,
    joVec2 motion, const joWorldQueryFilter* filter, bool* isHit );
JO_API joResult joWorld_CastShapeAll2( const joWorld* world, const joShape2* shape, const joTransform2* pose,
    joVec2 motion, const joWorldQueryFilter* filter, joWorldHit* hits, uint64_t capacity, uint64_t* count );
JO_API joResult joWorld_CastShapeClosest3( const joWorld* world, const joShape3* shape,
    const joTransform3* pose, joVec3 motion, const joWorldQueryFilter* filter, joWorldHit* hit );
JO_API joResult joWorld_CastShapeAny3( const joWorld* world, const joShape3* shape, const joTransform3* pose,
    joVec3 motion, const joWorldQueryFilter* filter, bool* isHit );
JO_API joResult joWorld_CastShapeAll3( const joWorld* world, const joShape3* shape, const joTransform3* pose,
    joVec3 motion, const joWorldQueryFilter* filter, joWorldHit* hits, uint64_t capacity, uint64_t* count );

// What a shape touches.
JO_API joResult joWorld_OverlapAny2( const joWorld* world, const joShape2* shape, const joTransform2* pose,
    const joWorldQueryFilter* filter, bool* isHit );
JO_API joResult joWorld_OverlapAll2( const joWorld* world, const joShape2* shape, const joTransform2* pose,
    const joWorldQueryFilter* filter, joWorldHit* hits, uint64_t capacity, uint64_t* count );
JO_API joResult joWorld_OverlapAny3( const joWorld* world, const joShape3* shape, const joTransform3* pose,
    const joWorldQueryFilter* filter, bool* isHit );
JO_API joResult joWorld_OverlapAll3( const joWorld* world, const joShape3* shape, const joTransform3* pose,
    const joWorldQueryFilter* filter, joWorldHit* hits, uint64_t capacity, uint64_t* count );

// The `capacity` colliders nearest to a point (2D: two elements), and at most maxDistance (>= 0, +inf
// allowed) from it. *count gets how many there are, at most `capacity`.
JO_API joResult joWorld_FindNearest( const joWorld* world, const float* point, float maxDistance,
    const joWorldQueryFilter* filter, joWorldHit* hits, uint64_t capacity, uint64_t* count );

// --- batches ---

// Many queries of one sort, as columns of which each sort needs some. An absent column of the last three
// leaves what it is about to the filter.
typedef struct joWorldQueries
{
    joColumn ray;         // joRay: rays
    joColumn shape;       // joShape2 or joShape3: casts, overlaps
    joColumn pose;        // joTransform2 or joTransform3: casts, overlaps
    joColumn motion;      // joVec2 or joVec3: casts
    joColumn point;       // joVec2 or joVec3: nearest
    joColumn maxDistance; // float: nearest; absent: infinite
    joColumn layer, mask; // uint64_t, of the query
    joColumn ignoredBody; // joBodyId, besides those of the filter, such as the shooter's own
    uint32_t count;
} joWorldQueries;

// All calls: over `jobs` (null: one thread; may be those of the world, if nothing else uses them meanwhile).
// Query i has the places [i * capacity, (i + 1) * capacity) of `hits`: the first ones in order stand there,
// and counts[i] gets how many there are. Without counts (null) what is behind the first ones is not looked
// for, so that capacity 1 asks for the closest, and places that are left say that nothing is met. No memory
// is allocated. All queries are checked before the first is answered; errors are those of the single calls,
// with *errorIndex (may be null) the first bad query, or JO_NULL_INDEX; then nothing has been written.

JO_API joResult joWorld_CastRays( const joWorld* world, joJobs* jobs, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, uint32_t capacity, joWorldHit* hits, uint64_t* counts,
    uint32_t* errorIndex );
JO_API joResult joWorld_CastShapes( const joWorld* world, joJobs* jobs, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, uint32_t capacity, joWorldHit* hits, uint64_t* counts,
    uint32_t* errorIndex );
JO_API joResult joWorld_OverlapShapes( const joWorld* world, joJobs* jobs, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, uint32_t capacity, joWorldHit* hits, uint64_t* counts,
    uint32_t* errorIndex );
// The `capacity` nearest ones of each point.
JO_API joResult joWorld_FindNearestToPoints( const joWorld* world, joJobs* jobs,
    const joWorldQueries* queries, const joWorldQueryFilter* filter, uint32_t capacity, joWorldHit* hits,
    uint64_t* counts, uint32_t* errorIndex );
// Whether each meets anything. areHits[count].
JO_API joResult joWorld_CastRaysAny( const joWorld* world, joJobs* jobs, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, bool* areHits, uint32_t* errorIndex );
JO_API joResult joWorld_CastShapesAny( const joWorld* world, joJobs* jobs, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, bool* areHits, uint32_t* errorIndex );
JO_API joResult joWorld_OverlapShapesAny( const joWorld* world, joJobs* jobs, const joWorldQueries* queries,
    const joWorldQueryFilter* filter, bool* areHits, uint32_t* errorIndex );

JO_EXTERN_C_END
