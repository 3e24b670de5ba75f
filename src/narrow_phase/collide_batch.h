// SPDX-License-Identifier: MIT
// Batches of pairs: what the functions of a pair of kinds see of them.
#pragma once

#include "base/float_env.h"

#include "base/array.h"
#include "jostle/collide_batch.h"
#include "narrow_phase/dispatch_2d.h"
#include "narrow_phase/dispatch_3d.h"
#include "narrow_phase/flat_shapes.h"
#include "simd/kernels.h"

// Pairs that a worker takes at a time, and that are sorted by kinds together. A multiple of 64.
#define JO_BATCH_UNIT 1024u

// Makes room for so many shapes and pairs in 2D. Errors: jo_errorOutOfMemory, jo_errorCapacity.
joResult joReserveBatch2( joCollideBatch* batch, uint32_t shapeCount, uint32_t pairCount );

struct joCollideBatch
{
    joMemory memory;
    joJobs* jobs;
    const joKernels* kernels;
    joPlacedShapes3 shapes;
    const struct joBatchFunctions3* onlyFunctions; // of all pairs, where shapes are of one kind; else null
    bool isComplete;                               // any two kinds of the shapes may meet
    joArray boxes; // joPlacedBox for each shape; those of other kinds are not set
    joArray rests; // joBoxRest likewise; not set where no box has one
    bool haveRests;
    joArray rounds;      // quads of floats: a row for each shape (see joRoundRowOf); not set for other kinds
    uint32_t roundQuads; // of a row; 0: there are no round shapes
    joArray words;       // hit bits of the pairs of the call
    joArray counts;      // uint32_t, hits of each unit
    // In 2D; words and counts serve both.
    joFlatShapes flat;
    joArray manifolds2; // of the units that are answered at a time
};

// Makes room for the scratch of so many pairs. Errors: jo_errorOutOfMemory, jo_errorCapacity.
joResult joReserveBatchPairs( joCollideBatch* batch, uint32_t pairCount );

static inline const joShape3* joShapeOf( const joPlacedShapes3* shapes, uint32_t i )
{
    return (const joShape3*)( (const char*)shapes->shape.data + i * shapes->shape.stride );
}

static inline const joTransform3* joPoseOf( const joPlacedShapes3* shapes, uint32_t i )
{
    return (const joTransform3*)( (const char*)shapes->pose.data + i * shapes->pose.stride );
}

// Some pairs of one pair of kinds, that of A being the lower one.
typedef struct joPairChunk3
{
    const joCollideBatch* batch;
    const joPair* pairs;
    uint32_t count; // 1 to JO_BATCH_UNIT
    float margin;
} joPairChunk3;

// Answers are those of the single calls, in the order of the pairs. Bits: all words of the count are written.
typedef struct joBatchFunctions3
{
    // Of margin 0: as joOverlap3; else, and where `points` is set, whether joCollide3 finds points.
    void ( *overlap )( const joPairChunk3* chunk, bool points, uint64_t* bits );
    void ( *depths )( const joPairChunk3* chunk, uint64_t* bits, joVec3* normals, float* depths );
    // Of pairs that all touch.
    void ( *collide )( const joPairChunk3* chunk, joManifold3* manifolds );
} joBatchFunctions3;

extern const joBatchFunctions3 joBoxBoxBatch3;
extern const joBatchFunctions3 joRoundRoundBatch3; // of spheres and capsules
// What calls the functions for one pair.
extern const joBatchFunctions3 joAnyPairBatch3;

// The functions of two kinds, in any order.
const joBatchFunctions3* joFindBatchFunctions3( joShapeKind3 a, joShapeKind3 b );

static inline bool joIsRound3( joShapeKind3 kind )
{
    return kind == jo_sphereShape3 || kind == jo_capsuleShape3;
}

// A joPlacedRound3; of a sphere, where there are no capsules, its beginning.
static inline float* joRoundRowOf( const joCollideBatch* batch, uint32_t i )
{
    return (float*)batch->rounds.data + (size_t)4 * batch->roundQuads * i;
}

// Of shapes of such kinds (bits): 0, if none of them is round. `areCentred`: all spheres are about the
// origins of their bodies.
uint32_t joRoundQuadsOf( uint32_t kinds, bool areCentred );
// Makes the row of a round shape.
void joPlaceRoundRow( joCollideBatch* batch, uint32_t i );

static inline uint32_t joWordCount( uint32_t bitCount )
{
    return ( bitCount + 63 ) / 64;
}

static inline bool joGetBit( const uint64_t* words, uint32_t i )
{
    return words[i / 64] >> ( i % 64 ) & 1;
}

// Whether all indices of some pairs are below a count. Without a branch, and with no operation that plain
// vectors lack: of numbers below 2^31, `last` minus a larger one has the highest bit, and so has what is not
// such a number.
static inline bool joAreBelow( const joPair* pairs, uint32_t count, uint32_t limit )
{
    const uint32_t *indices = &pairs->a, last = limit - 1;
    uint32_t bits = last;
    for ( size_t i = 0; i < (size_t)2 * count; ++i )
    {
        bits |= indices[i] | ( last - indices[i] );
    }
    return bits >> 31 == 0;
}
