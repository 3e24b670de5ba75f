// SPDX-License-Identifier: MIT
// Batches of boxes against boxes in 3D: blocks of pairs for the kernels.
#include "base/float_env.h"
#include "narrow_phase/collide_batch.h"
#include "narrow_phase/placed_box.h"
#include "narrow_phase/tolerance.h"

#include <string.h>

// Some pairs of a chunk, so that the kernels have no idle lanes.
typedef struct SomePairs
{
    joPair pairs[JO_BATCH_UNIT];
    uint16_t places[JO_BATCH_UNIT]; // in the chunk
    uint32_t count;
} SomePairs;

// Pairs of a chunk that tell whether most of it touches. A multiple of 64.
#define SAMPLE 128u

// Boxes are asked for this many pairs before they are needed: about as long as memory takes to answer.
#define AHEAD 32u

static void prefetchPairs( const joPlacedBox* boxes, const SomePairs* some, uint32_t first )
{
    const uint32_t end = first + JO_BOX_BLOCK < some->count ? first + JO_BOX_BLOCK : some->count;
    for ( uint32_t i = first; i < end; ++i )
    {
        __builtin_prefetch( boxes + some->pairs[i].b );
    }
}

static joPlacedBoxes boxesOf( const joCollideBatch* batch )
{
    return ( joPlacedBoxes ){ batch->boxes.data, batch->haveRests ? batch->rests.data : NULL };
}

static void pickPairs( const joPairChunk3* chunk, const uint64_t* bits, SomePairs* picked )
{
    picked->count = 0;
    for ( uint32_t word = 0; word < joWordCount( chunk->count ); ++word )
    {
        for ( uint64_t left = bits[word]; left != 0; left &= left - 1 )
        {
            const uint32_t place = 64 * word + (uint32_t)__builtin_ctzll( left );
            picked->places[picked->count] = (uint16_t)place;
            picked->pairs[picked->count++] = chunk->pairs[place];
        }
    }
}

// A block of pairs from `first` on. Bit k: pair `first` + k touches.
static uint32_t collideBlock( const joPairChunk3* chunk, const joPair* pairs, uint32_t count, uint32_t first,
    joBoxBlock* block, joBoxManifolds* found )
{
    static const joBoxTolerance tolerance = { JO_PARALLEL_SINE_SQ, JO_AXIS_TIE, JO_CLIP_SLOP };
    const joPlacedBoxes boxes = boxesOf( chunk->batch );
    const uint32_t left = count - first;
    return chunk->batch->kernels->collideBoxes( &boxes, pairs + first,
        left < JO_BOX_BLOCK ? left : JO_BOX_BLOCK, chunk->margin, &tolerance, block, found );
}

static void setBits( uint64_t* bits, const uint16_t* places, uint32_t lanes )
{
    for ( ; lanes != 0; lanes &= lanes - 1 )
    {
        const uint32_t place = places[__builtin_ctz( lanes )];
        bits[place / 64] |= UINT64_C( 1 ) << ( place % 64 );
    }
}

// The few that float is not sure of are decided exactly.
static void overlapBoxes( const joPairChunk3* chunk, bool points, uint64_t* bits )
{
    (void)points; // both are one test
    const joPlacedBoxes boxes = boxesOf( chunk->batch );
    uint64_t unsure[JO_BATCH_UNIT / 64];
    SomePairs some;
    chunk->batch->kernels->siftBoxes( &boxes, chunk->pairs, chunk->count, chunk->margin, bits, unsure );
    pickPairs( chunk, unsure, &some );
    for ( uint32_t first = 0; first < some.count; first += JO_BOX_BLOCK )
    {
        joBoxBlock block;
        setBits(
            bits, some.places + first, collideBlock( chunk, some.pairs, some.count, first, &block, NULL ) );
    }
}

// Bits of pairs that may touch. Sifting costs a third of deciding exactly; where most pairs of the first ones
// touch it is left out.
static void findPossible( const joPairChunk3* chunk, uint64_t* possible )
{
    const joPlacedBoxes boxes = boxesOf( chunk->batch );
    uint64_t unsure[JO_BATCH_UNIT / 64];
    const uint32_t sampled = chunk->count < SAMPLE ? chunk->count : SAMPLE;
    uint32_t count = 0;
    chunk->batch->kernels->siftBoxes( &boxes, chunk->pairs, sampled, chunk->margin, possible, unsure );
    for ( uint32_t word = 0; word < joWordCount( sampled ); ++word )
    {
        possible[word] |= unsure[word];
        count += (uint32_t)__builtin_popcountll( possible[word] );
    }
    const uint32_t left = chunk->count - sampled, firstWord = SAMPLE / 64;
    if ( left == 0 )
    {
        return;
    }
    if ( 4 * count >= 3 * sampled )
    {
        memset( possible + firstWord, 0xFF, left / 64 * sizeof( uint64_t ) );
        if ( left % 64 != 0 )
        {
            possible[firstWord + left / 64] = ( UINT64_C( 1 ) << ( left % 64 ) ) - 1;
        }
        return;
    }
    chunk->batch->kernels->siftBoxes(
        &boxes, chunk->pairs + sampled, left, chunk->margin, possible + firstWord, unsure );
    for ( uint32_t word = 0; word < joWordCount( left ); ++word )
    {
        possible[firstWord + word] |= unsure[word];
    }
}

static void findBoxDepths( const joPairChunk3* chunk, uint64_t* bits, joVec3* normals, float* depths )
{
    const joPlacedBox* boxes = chunk->batch->boxes.data;
    uint64_t possible[JO_BATCH_UNIT / 64];
    SomePairs some;
    findPossible( chunk, possible );
    pickPairs( chunk, possible, &some );
    memset( bits, 0, joWordCount( chunk->count ) * sizeof( uint64_t ) );
    memset( normals, 0, chunk->count * sizeof( joVec3 ) );
    memset( depths, 0, chunk->count * sizeof( float ) );
    for ( uint32_t first = 0; first < some.count; first += JO_BOX_BLOCK )
    {
        joBoxBlock block;
        prefetchPairs( boxes, &some, first + AHEAD );
        uint32_t lanes = collideBlock( chunk, some.pairs, some.count, first, &block, NULL );
        setBits( bits, some.places + first, lanes );
        for ( ; lanes != 0; lanes &= lanes - 1 )
        {
            const uint32_t lane = (uint32_t)__builtin_ctz( lanes ), place = some.places[first + lane];
            memcpy( normals + place, block.rows[lane], sizeof( joVec3 ) );
            depths[place] = block.rows[lane][3];
        }
    }
}

static void collideBoxes( const joPairChunk3* chunk, joManifold3* manifolds )
{
    for ( uint32_t first = 0; first < chunk->count; first += JO_BOX_BLOCK )
    {
        joBoxBlock block;
        joBoxManifolds found;
        uint32_t lanes = collideBlock( chunk, chunk->pairs, chunk->count, first, &block, &found );
        for ( ; lanes != 0; lanes &= lanes - 1 )
        {
            const uint32_t lane = (uint32_t)__builtin_ctz( lanes );
            joFillBoxManifold( &found, lane, manifolds + first + lane );
        }
    }
}

const joBatchFunctions3 joBoxBoxBatch3 = { overlapBoxes, findBoxDepths, collideBoxes };
