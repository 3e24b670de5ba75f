// SPDX-License-Identifier: MIT
// jostle base: result codes, allocator, hooks, columns.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __FAST_MATH__
#error "jostle's results are the same bits everywhere; -ffast-math breaks that. Compile without it."
#endif

#ifdef __cplusplus
#define JO_EXTERN_C_BEGIN                                                                                    \
    extern "C"                                                                                               \
    {
#define JO_EXTERN_C_END }
#else
#define JO_EXTERN_C_BEGIN
#define JO_EXTERN_C_END
#endif

#ifndef JO_API
#if defined( _WIN32 ) && defined( JO_SHARED )
#define JO_API __declspec( dllimport )
#elif defined( __GNUC__ )
#define JO_API __attribute__( ( visibility( "default" ) ) )
#else
#define JO_API
#endif
#endif

JO_EXTERN_C_BEGIN

#define JO_VERSION_MAJOR 0
#define JO_VERSION_MINOR 1
#define JO_VERSION_PATCH 0

// The index that means "none".
#define JO_NULL_INDEX UINT32_MAX

// What every call that can fail returns. Zero is success, so `if ( result )` reads "if it failed".
// After any other value the object is as it was before the call.
typedef enum joResult
{
    jo_success = 0,
    // Misuse: the call was wrong; also reported through the assert hook in debug builds.
    jo_errorNullArgument,    // a pointer that must not be null is null
    jo_errorBadDef,          // a def was not made with its joDefault...Def(), or a member is out of range
    jo_errorBadCount,        // a count is negative or above what 32-bit indices can name
    jo_errorWrongDimension,  // a 2D call on a 3D object, or the other way round
    jo_errorNotANumber,      // a coordinate, radius, mass or margin is NaN
    jo_errorInvertedBox,     // lower > upper on some axis
    jo_errorBadRadius,       // a radius is negative or infinite, or a centre is infinite
    jo_errorBadRay,          // an origin or direction is infinite, a direction zero, or a length negative
    jo_errorBadInverseMass,  // an inverse mass is negative or infinite
    jo_errorBadShape,        // a size of a shape is negative or above JO_MAX_SIZE, or its kind is none
    jo_errorBadPose,         // a position is infinite, or a rotation infinite or zero
    jo_errorFlatHull,        // the points of a hull lie in a plane, on a line or on each other
    jo_errorTooManyVertices, // a hull would have more vertices than JO_MAX_HULL_VERTICES3
    jo_errorBadIndex,        // a triangle names a vertex that is not there
    jo_errorFlatTriangle,    // a triangle has no area, or hardly any for its length
    jo_errorRepeatedPoint,   // a point of a chain is where its neighbour is
    jo_errorNoSuchPair,      // the call has no answer for these two kinds of shape
    jo_errorUnknownKey,      // no object has this key (never added, or removed since)
    jo_errorDuplicateKey,    // an object with this key exists already, or the key stands twice in the call
    jo_errorUnsorted,        // a list that must be sorted and free of duplicates is not
    jo_errorStaleId,         // the id's object has been destroyed, or the id was never given out
    jo_errorBadVelocity,     // a velocity is infinite, or a gravity scale or damping out of range
    jo_errorBadTimeStep,     // a time step is zero, negative or infinite
    jo_errorBadMass,         // a mass is zero, negative or infinite
    jo_errorBadMaterial,     // a restitution is below 0 or above 1
    jo_errorSnapshotDef,     // a snapshot is of a world with another def
    jo_errorUnknownShape,    // a shape of a snapshot is not in the table of shapes
    jo_errorCannotSlide,     // a body that slides has a collider of a shape that cannot
    jo_errorNotSliding,      // the response of the body is not jo_slide
    jo_errorUnknownKind,     // no broad phase of this kind
    jo_errorUnsupportedIsa,  // JOSTLE_ISA names an instruction set this machine or build lacks
    // Environment: not the caller's fault.
    jo_errorOutOfMemory, // the allocator returned null
    jo_errorCapacity,    // growth was needed, and the def forbids it; or pairs past the kept ones were asked
    jo_errorThreads,     // the system refused to start a thread
    jo_errorBadSnapshot, // bytes are no snapshot, or damaged, or not all of it
    jo_errorSnapshotVersion, // a snapshot is of another version of the library, or another machine
    jo_resultCount
} joResult;

// A sentence that a user understands. Never null, also for values outside the enum. Static memory.
JO_API const char* joResultText( joResult result );

// Version as 0xMMmmpp, and as text ("0.1.0").
JO_API uint32_t joGetVersion( void );
JO_API const char* joGetVersionText( void );

// Memory. Both members null: the C library's. All memory of an object comes from and returns to the
// allocator of its def, sizes included, so that a caller's pool needs no headers.
typedef struct joAllocator
{
    // Returns `size` bytes aligned to `alignment` (a power of two, at most 64), or null if there is none.
    void* ( *allocate )( size_t size, size_t alignment, void* context );
    // Frees what `allocate` gave, with the size and alignment it was asked with. Never called with null.
    void ( *deallocate )( void* memory, size_t size, size_t alignment, void* context );
    void* context;
} joAllocator;

// Hooks, process-wide: the only global state. Not thread-safe: set them before anything else runs.
// An assert hook is called in debug builds (JO_DEBUG) on misuse and broken invariants; return true to
// trap, false to go on. Null restores the default, which prints to stderr and goes on.
typedef bool joAssertFcn( const char* condition, const char* file, int line );
typedef void joLogFcn( const char* message );
JO_API void joSetAssertFcn( joAssertFcn* assertFcn );
JO_API void joSetLogFcn( joLogFcn* logFcn );

// A column of the caller's: element i is at (const char*)data + i * stride. `stride` is in bytes;
// stride 0 reads the same element for every i (a constant). data null: the column is absent.
// Elements must be aligned as their type. The library never writes through a joColumn.
typedef struct joColumn
{
    const void* data;
    size_t stride;
} joColumn;

// A column that is read and written. stride must not be 0.
typedef struct joMutableColumn
{
    void* data;
    size_t stride;
} joMutableColumn;

// A pair of keys, a < b. Lists of pairs are sorted by a, then b.
typedef struct joPair
{
    uint32_t a;
    uint32_t b;
} joPair;

// The instruction sets of the kernels. Answers are the same bits for each.
typedef enum joIsa
{
    jo_isaScalar = 0,
    jo_isaSse2,
    jo_isaAvx2,
    jo_isaAvx512,
    jo_isaNeon, // place kept: not built yet
    jo_isaWasm, // place kept: not built yet
    jo_isaCount
} joIsa;

// The instruction set in use: the best this machine runs, or what the environment variable JOSTLE_ISA
// names (scalar, sse2, avx2, avx512), read once, at first use. If JOSTLE_ISA names one that cannot run
// here, every create call of an object that has kernels (broad phase, pusher) fails with
// jo_errorUnsupportedIsa, and this returns jo_isaScalar. Thread-safe.
JO_API joIsa joGetIsa( void );
JO_API const char* joIsaText( joIsa isa );

JO_EXTERN_C_END
