// SPDX-License-Identifier: MIT
// What the broad-phase tests share: every kind with its variants, columns from reference objects, an
// allocator that counts and fails, and the comparison with the oracle.
#pragma once

#include "jostle/jostle.h"
#include "reference/reference_pairs.h"
#include "reference/reference_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Which sanitizers are there: for gcc, and for clang.
#if defined( __SANITIZE_THREAD__ )
#define KIT_TSAN 1
#elif defined( __SANITIZE_ADDRESS__ )
#define KIT_SANITIZED 1
#elif defined( __has_feature )
#if __has_feature( thread_sanitizer )
#define KIT_TSAN 1
#elif __has_feature( address_sanitizer )
#define KIT_SANITIZED 1
#endif
#endif
#ifndef KIT_TSAN
#define KIT_TSAN 0
#endif
#ifndef KIT_SANITIZED
#define KIT_SANITIZED KIT_TSAN
#endif

// For a test function that is long and runs no parallel loop over several workers that the other tests do
// not: it is left out, and said to be, under the thread sanitizer. The second is as cmocka_unit_test.
#define KIT_WITHOUT_THREADS( function ) ( KIT_TSAN ? kitSkip : ( function ) )
#define kit_test_without_threads( function )                                                                 \
    {                                                                                                        \
#function, KIT_WITHOUT_THREADS( function ), NULL, NULL, NULL                                         \
    }
void kitSkip( void** state );

// A kind, or a variant of one that takes another path.
typedef struct kitVariant
{
    const char* name;
    joBroadPhaseKind kind;
    float looseness;
    uint32_t levels;
} kitVariant;

#define KIT_VARIANT_COUNT 8
extern const kitVariant kitVariants[KIT_VARIANT_COUNT];

// The def of a variant with all else at its default, and the kit's checking allocator.
joBroadPhaseDef kitDef( const kitVariant* variant, int dimension );

// Fails the test, naming the call, unless it succeeded.
void kitRequire( joResult result, const char* call );
joBroadPhase* kitCreate( const joBroadPhaseDef* def );

// A pool of this many workers, made once and kept to the end of the process; null for 1.
joJobs* kitJobs( uint32_t workerCount );
void kitFreeJobs( void );

// True under a sanitizer or with JOSTLE_QUICK in the environment: run less.
bool kitQuick( void );
uint64_t kitEnvironment( const char* name, uint64_t otherwise );

// An allocator that checks what comes back, counts, and fails when told to. Thread-safe.
typedef struct kitHeap
{
    _Atomic uint64_t liveBytes, liveBlocks;
    _Atomic uint64_t allocations; // calls of allocate, failed ones included
    _Atomic uint64_t failAt;      // the allocation with this number (from 1) fails; 0: none
    _Atomic uint64_t failFrom;    // this one and all later ones fail; 0: none
    _Atomic uint64_t refused;     // how many were refused
} kitHeap;
joAllocator kitAllocator( kitHeap* heap );
// The heap of kitDef.
extern kitHeap kitDefaultHeap;

// Objects as columns for one bulk call. Memory is kept for reuse.
typedef struct kitColumns
{
    joBoxes boxes;
    joCircles circles;
    struct kitRow* rows;
    void* arrays;
    uint32_t capacity;
} kitColumns;

typedef enum kitStyle
{
    kit_rows = 0,       // array of structs
    kit_arrays = 1,     // a column of its own for each member
    kit_noKeys = 2,     // no key column
    kit_noLayers = 4,   // no layer and mask columns
    kit_badZ = 8,       // 2D: NaN in the z columns, which must be ignored
    kit_absentZ = 16,   // 2D: no z columns
    kit_styleCount = 32 // all of the above together are below this
} kitStyle;

// Columns of the objects indices[0 .. count), or of the first `count` for null. Those that are round make
// circles, the others boxes: the caller sees to it that all are alike.
void kitFill( kitColumns* columns, const refObject* objects, const uint32_t* indices, uint32_t count,
    int dimension, uint32_t style );
void kitFreeColumns( kitColumns* columns );

// Shorthands that add, set or move objects, boxes and circles in one call each. First failure is returned.
joResult kitAdd(
    joBroadPhase* broadPhase, int dimension, joMotion motion, const refObject* objects, uint32_t count );
joResult kitSet( joBroadPhase* broadPhase, int dimension, const refObject* objects, uint32_t count );
joResult kitMove( joBroadPhase* broadPhase, int dimension, const refObject* objects, uint32_t count );

refObject kitBox2( uint32_t key, double lx, double ly, double ux, double uy );
refObject kitBox3( uint32_t key, double lx, double ly, double lz, double ux, double uy, double uz );
refObject kitBall( uint32_t key, double x, double y, double z, double radius );

// The first place where the lists differ, or count if they do not (both have `count` then).
size_t kitFirstDifference(
    const joPair* found, uint64_t foundCount, const refPair* expected, size_t expectedCount );

// Finds pairs and compares them with the oracle's answer for the objects; fails with `what` and the pair.
// Checks the invariants too.
void kitCheck(
    joBroadPhase* broadPhase, int dimension, const refObject* objects, size_t count, const char* what );

// A broad phase under way, and what the oracle knows of it.
typedef struct kitScene
{
    const kitVariant* variant;
    int dimension;
    joBroadPhase* broadPhase;
    refObject* objects;
    uint32_t count, capacity;
    uint64_t heldBefore;
} kitScene;

// Creates; null def: the variant's own.
kitScene kitBegin( const kitVariant* variant, int dimension, const joBroadPhaseDef* def );
// Destroys, and checks that no memory is left.
void kitEnd( kitScene* scene );
// Notes an object; it is added with kitAddFrom.
refObject* kitPush( kitScene* scene, refObject object );
// Adds the objects from `first` on, as they are, by motion.
void kitAddFrom( kitScene* scene, uint32_t first );
// kitCheck, with the scene's kind and dimension in the message.
void kitCheckScene( kitScene* scene, const char* when );
