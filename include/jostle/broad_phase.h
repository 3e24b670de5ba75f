// SPDX-License-Identifier: MIT
// jostle broad phase: every overlapping pair of boxes, circles or spheres, by a structure of your choice.
//
// The contract, the same for every kind:
// - pairs are of keys, a < b, each exactly once, sorted by a then b (unless sortPairs is off);
// - boxes are closed: touching counts, a box of zero size counts, infinite bounds are allowed;
// - circles and spheres are tested by squared distance in double precision: touching counts;
// - a pair is emitted if (layerA & maskB) != 0 and (layerB & maskA) != 0, and not both are static;
// - the answer depends on the objects alone: not on kind, threads, instruction set or history.
#pragma once

#include "base.h"
#include "jobs.h"

JO_EXTERN_C_BEGIN

typedef enum joBroadPhaseKind
{
    jo_bruteForce = 0, // every pair, by SIMD: few boxes, and the oracle
    jo_sweep,          // sort on one axis, sweep and prune: clustered scenes whose boxes jump
    jo_grid,           // uniform cells: boxes of like size that jump, or come and go
    jo_tree,           // quadtree or octree, strict or loose: mixed sizes, mostly still
    jo_bvh,            // bounding-volume hierarchy: what keeps its place from frame to frame; queries
    jo_auto,           // one of the above, chosen by how many objects there are and how they move
    jo_broadPhaseKindCount
} joBroadPhaseKind;

// "bruteforce", "sweep", "grid", "tree", "bvh", "auto"; null for any other value.
JO_API const char* joBroadPhaseKindText( joBroadPhaseKind kind );

// The kind of that name. Returns jo_errorUnknownKind, and leaves *kind, if there is none.
JO_API joResult joFindBroadPhaseKind( const char* name, joBroadPhaseKind* kind );

// How an object takes part.
typedef enum joMotion
{
    jo_static = 0, // built once, costs nothing again; pairs of two static objects are not reported
    jo_resting,    // parked: its pairs with resting and static objects are kept, not found again
    jo_moving
} joMotion;

typedef struct joBroadPhaseDef
{
    // Default jo_grid. jo_auto: looks at the objects at the first update and from time to time, some
    // hundredths of a frame, chooses a kind and its parameters (cellSize, levels and looseness are not looked
    // at), and changes it when they move otherwise: never for long at a border, and never an
    // answer. A change allocates, once; without memory for it the old kind stays. With fixedCapacity it is
    // chosen once, at create, from objectReserve. The same calls give the same choice on every machine.
    joBroadPhaseKind kind;
    int dimension; // 2 or 3; default 3

    // jo_grid: side of a cell in world units, finite, > 0, or 0 (default): derived from the boxes.
    float cellSize;
    // jo_grid: number of size classes, each a grid of its own. 0 (default): derived. 1: one grid.
    // At most JO_MAX_GRID_LEVELS.
    uint32_t levels;

    // jo_tree: deepest level, 1..JO_MAX_TREE_DEPTH (root is 0). Default 10.
    uint32_t maxDepth;
    // jo_tree: a leaf with more objects than this splits. 1..1024, default 16. Strict trees only.
    uint32_t leafCapacity;
    // jo_tree: 1: strict; above 1, to 2: loose, node bounds are their cell times this. Default 1.
    float looseness;
    // jo_tree: bounds of the root, lower x y z then upper x y z (2D: z ignored). Objects outside are still
    // found. All zero (default): grown from the objects.
    float rootBounds[6];

    // Room made at create, so that up to this much never allocates again. Default 0.
    uint32_t objectReserve;
    uint64_t pairReserve;
    // Room for so many neighbours in all, two a pair (neighbours.h). Default 0.
    uint64_t neighbourReserve;
    // true: growth beyond the reserves fails with jo_errorCapacity. Default false.
    bool fixedCapacity;
    // At most this many pairs are kept inside (8 bytes each); of more, the first in order are kept and all
    // are counted. Default 2^27 (1 GiB).
    uint64_t pairLimit;
    // false: pairs come in no particular order (a < b and once each still hold). Default true.
    bool sortPairs;

    // Null (default): one thread. Borrowed: must outlive the broad phase.
    joJobs* jobs;
    joAllocator allocator;
    // Set by joDefaultBroadPhaseDef.
    uint32_t internalCookie;
} joBroadPhaseDef;

#define JO_MAX_GRID_LEVELS 8
#define JO_MAX_TREE_DEPTH 20

// Boxes as columns of float. 2D: z columns are ignored. `count` elements in each column present.
typedef struct joBoxes
{
    joColumn lowerX, lowerY, lowerZ; // finite or -inf; not NaN
    joColumn upperX, upperY, upperZ; // finite or +inf; >= lower
    joColumn key;                    // uint32_t; absent: the index
    joColumn layer;                  // uint64_t, bits of the layers it is in; absent: all ones
    joColumn mask;                   // uint64_t, bits of the layers it meets; absent: all ones
    uint32_t count;
} joBoxes;

// Circles (2D: z ignored) or spheres (3D) as columns of float: finite centres, radii finite and >= 0.
typedef struct joCircles
{
    joColumn x, y, z;
    joColumn radius;
    joColumn key;
    joColumn layer;
    joColumn mask;
    uint32_t count;
} joCircles;

// What the last update and FindPairs or CountPairs did.
typedef struct joBroadPhaseStats
{
    uint32_t staticCount, restingCount, movingCount;
    uint64_t memoryBytes;      // all memory held
    uint64_t candidatesTested; // pairs of boxes compared, padding lanes not counted
    uint64_t pairCount;        // pairs found by the last FindPairs or CountPairs
    uint64_t restingPairCount; // of these, kept in the resting table
    uint32_t cells;            // grid: cells of all levels; tree: nodes; bvh: nodes; sweep: 1; brute force: 0
    uint32_t depth;            // tree, bvh: levels below the root; grid: levels in use; else 0
    float cellSize;            // grid: cell size in use at the finest level; else 0
    uint64_t allocationCount;  // calls of the allocator's allocate since create
} joBroadPhaseStats;

typedef struct joBroadPhase joBroadPhase;

#define JO_CHOICE_TEXT_SIZE 256

// The kind and parameters in use, and why.
typedef struct joBroadPhaseChoice
{
    joBroadPhaseDef def;  // gives the same without choosing: its kind is never jo_auto. Else as at create
    bool isAuto;          // chosen by jo_auto, not by the caller
    uint32_t changeCount; // how often jo_auto has changed the kind
    char text[JO_CHOICE_TEXT_SIZE]; // the reason, in a sentence
} joBroadPhaseChoice;

JO_API joBroadPhaseDef joDefaultBroadPhaseDef( void );

// Errors: jo_errorNullArgument, jo_errorBadDef, jo_errorUnknownKind, jo_errorOutOfMemory,
// jo_errorUnsupportedIsa. The def is copied.
JO_API joResult joCreateBroadPhase( const joBroadPhaseDef* def, joBroadPhase** broadPhase );

// Null is allowed.
JO_API void joDestroyBroadPhase( joBroadPhase* broadPhase );

// Every call below: one thread at a time per broad phase. `errorIndex` may be null; on an error that an
// element causes it gets the index of the first bad element in the call, on any other JO_NULL_INDEX.
// On any error nothing has changed.

// Immediate use: replaces all moving objects by these. Static and resting objects stay.
// O(count). Errors: jo_errorNotANumber, jo_errorInvertedBox, jo_errorBadRadius, jo_errorDuplicateKey (with
// each other, or with a static or resting object), jo_errorNullArgument (a column that is needed is
// absent), jo_errorOutOfMemory, jo_errorCapacity.
JO_API joResult joBroadPhase_SetBoxes( joBroadPhase* broadPhase, const joBoxes* boxes, uint32_t* errorIndex );
JO_API joResult joBroadPhase_SetCircles(
    joBroadPhase* broadPhase, const joCircles* circles, uint32_t* errorIndex );

// Retained use. Bulk calls take arrays; single objects are arrays of one. O(count) each, amortised.
// Add: keys must be new (absent key column: keys 0 .. count - 1).
JO_API joResult joBroadPhase_AddBoxes(
    joBroadPhase* broadPhase, joMotion motion, const joBoxes* boxes, uint32_t* errorIndex );
JO_API joResult joBroadPhase_AddCircles(
    joBroadPhase* broadPhase, joMotion motion, const joCircles* circles, uint32_t* errorIndex );
// Move: gives the objects with these keys new boxes or circles; a box may become a circle and vice versa.
// Motion stays; so do layer and mask where their column is absent. Each key at most once a call.
JO_API joResult joBroadPhase_MoveBoxes(
    joBroadPhase* broadPhase, const joBoxes* boxes, uint32_t* errorIndex );
JO_API joResult joBroadPhase_MoveCircles(
    joBroadPhase* broadPhase, const joCircles* circles, uint32_t* errorIndex );
// Park, wake, freeze: changes how objects take part. O(count).
JO_API joResult joBroadPhase_SetMotion(
    joBroadPhase* broadPhase, joMotion motion, const uint32_t* keys, uint32_t count, uint32_t* errorIndex );
JO_API joResult joBroadPhase_Remove(
    joBroadPhase* broadPhase, const uint32_t* keys, uint32_t count, uint32_t* errorIndex );
// Removes all objects; keeps the memory.
JO_API void joBroadPhase_Clear( joBroadPhase* broadPhase );

// Whether an object with this key exists; *motion (may be null) gets how it takes part.
JO_API bool joBroadPhase_Contains( const joBroadPhase* broadPhase, uint32_t key, joMotion* motion );
// The same; lower and upper get its box, of a circle or sphere that around it. 2D: z is 0.
JO_API bool joBroadPhase_GetBox(
    const joBroadPhase* broadPhase, uint32_t key, float lower[3], float upper[3] );

// Brings the structure up to date with all changes, as FindPairs does, without finding pairs, and prepares it
// for queries (query.h). Not needed for right answers: it makes queries fast, after FindPairs too. Errors:
// jo_errorNullArgument, jo_errorOutOfMemory, jo_errorCapacity; nothing is lost by them.
JO_API joResult joBroadPhase_Update( joBroadPhase* broadPhase );

// Brings the structure up to date and finds all pairs. The first min( capacity, *pairCount ) in order go to
// `pairs` (null allowed with capacity 0); *pairCount gets how many there are, 64 bits. All are kept inside
// (up to pairLimit) until the next change or find: joBroadPhase_GetPairs fetches them without finding again.
// Expected O(n log n + pairs) for like sizes; O(n^2 / lanes) for jo_bruteForce.
// Errors: jo_errorNullArgument, jo_errorOutOfMemory, jo_errorCapacity (growth is forbidden); *pairCount is
// then 0. Also jo_errorCapacity, with the first pairs and the true *pairCount, if `pairs` had room for pairs
// that were beyond pairLimit: so a list that lacks pairs is never taken for all of them.
JO_API joResult joBroadPhase_FindPairs(
    joBroadPhase* broadPhase, joPair* pairs, uint64_t capacity, uint64_t* pairCount );

// Copies pairs [first, first + capacity) of the last FindPairs; *copied gets how many. O(copied).
// Errors: jo_errorCapacity if some of that range exist but were beyond pairLimit (those before are copied).
JO_API joResult joBroadPhase_GetPairs(
    const joBroadPhase* broadPhase, uint64_t first, joPair* pairs, uint64_t capacity, uint64_t* copied );

// The kept pairs themselves, without a copy. Valid until the next call that changes the broad phase.
JO_API const joPair* joBroadPhase_ViewPairs( const joBroadPhase* broadPhase, uint64_t* pairCount );

// As FindPairs, but only counts: no memory for pairs, any number of them.
JO_API joResult joBroadPhase_CountPairs( joBroadPhase* broadPhase, uint64_t* pairCount );

JO_API joBroadPhaseStats joBroadPhase_GetStats( const joBroadPhase* broadPhase );

// What is in use now, for logs and for `jostle tune`. Fills all of *choice; allocates nothing. O(1).
// Errors: jo_errorNullArgument.
JO_API joResult joBroadPhase_GetChoice( const joBroadPhase* broadPhase, joBroadPhaseChoice* choice );

// Checks every invariant; for tests and bug reports. False if one is broken.
JO_API bool joBroadPhase_Validate( const joBroadPhase* broadPhase );

JO_EXTERN_C_END
