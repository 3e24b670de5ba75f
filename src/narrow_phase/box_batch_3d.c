// SPDX-License-Identifier: MIT
// Batches of boxes against boxes in 3D: blocks of pairs for the kernels.
#include "base/float_env.h"
#include "narrow_phase/collide_batch.h"
#include "narrow_phase/placed_box.h"
#include "narrow_phase/tolerance.h"

#include <string.h>

// Boxes are asked for this many pairs before they are needed: about as long as memory takes to answer.
#define AHEAD 32u

static void prefetchPairs( const joPlacedBox* boxes, const joPairChunk3* chunk, uint32_t first )
{
    const uint32_t end = first + JO_BOX_BLOCK < chunk->count ? first + JO_BOX_BLOCK : chunk->count;
    for ( uint32_t i = first; i < end; ++i )
    {
        __builtin_prefetch( boxes + chunk->pairs[i].a );
        __builtin_prefetch( boxes + chunk->pairs[i].b );
    }
}

// Bit k: pair `first` + k touches.
static uint32_t collideBlock( const joPairChunk3* chunk, uint32_t first, joBoxBlock* block )
{
    const joPlacedBox* boxes = chunk->batch->boxes.data;
    const uint32_t left = chunk->count - first;
    prefetchPairs( boxes, chunk, first + AHEAD );
    return chunk->batch->kernels->collideBoxes( boxes, chunk->pairs + first,
        left < JO_BOX_BLOCK ? left : JO_BOX_BLOCK, chunk->margin, JO_PARALLEL_SINE_SQ, block );
}

// Of pairs that float is not sure of.
static uint32_t decideUnsure( const joPairChunk3* chunk, uint32_t first, uint32_t unsure )
{
    joPair pairs[JO_BOX_BLOCK];
    uint32_t lanes[JO_BOX_BLOCK], count = 0;
    for ( ; unsure != 0; unsure &= unsure - 1 )
    {
        lanes[count] = (uint32_t)__builtin_ctz( unsure );
        pairs[count] = chunk->pairs[first + lanes[count]];
        count += 1;
    }
    joBoxBlock block;
    const uint32_t hits = chunk->batch->kernels->collideBoxes(
        chunk->batch->boxes.data, pairs, count, 0.0f, JO_PARALLEL_SINE_SQ, &block );
    uint32_t answer = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        answer |= ( hits >> i & 1 ) << lanes[i];
    }
    return answer;
}

static void overlapBoxes( const joPairChunk3* chunk, bool points, uint64_t* bits )
{
    (void)points; // both are one test
    const joPlacedBox* boxes = chunk->batch->boxes.data;
    memset( bits, 0, joWordCount( chunk->count ) * sizeof( uint64_t ) );
    for ( uint32_t first = 0; first < chunk->count; first += JO_BOX_BLOCK )
    {
        joBoxBlock block;
        uint32_t hits, unsure = 0;
        if ( chunk->margin > 0.0f )
        {
            hits = collideBlock( chunk, first, &block );
        }
        else
        {
            const uint32_t left = chunk->count - first;
            prefetchPairs( boxes, chunk, first + AHEAD );
            hits = chunk->batch->kernels->overlapBoxes(
                boxes, chunk->pairs + first, left < JO_BOX_BLOCK ? left : JO_BOX_BLOCK, &unsure );
        }
        hits |= unsure != 0 ? decideUnsure( chunk, first, unsure ) : 0;
        bits[first / 64] |= (uint64_t)hits << ( first % 64 );
    }
}

static void findBoxDepths( const joPairChunk3* chunk, uint64_t* bits, joVec3* normals, float* depths )
{
    memset( bits, 0, joWordCount( chunk->count ) * sizeof( uint64_t ) );
    memset( normals, 0, chunk->count * sizeof( joVec3 ) );
    memset( depths, 0, chunk->count * sizeof( float ) );
    for ( uint32_t first = 0; first < chunk->count; first += JO_BOX_BLOCK )
    {
        joBoxBlock block;
        uint32_t lanes = collideBlock( chunk, first, &block );
        bits[first / 64] |= (uint64_t)lanes << ( first % 64 );
        for ( ; lanes != 0; lanes &= lanes - 1 )
        {
            const uint32_t lane = (uint32_t)__builtin_ctz( lanes );
            normals[first + lane] = ( joVec3 ){
                block.worldNormal[0][lane], block.worldNormal[1][lane], block.worldNormal[2][lane] };
            depths[first + lane] = block.depth[lane];
        }
    }
}

static joBoxTouch touchOf( const joBoxBlock* block, uint32_t lane )
{
    joBoxTouch touch = { .depth = block->depth[lane], .axis = (int)block->axis[lane] };
    for ( int i = 0; i < 3; ++i )
    {
        touch.normal[i] = block->normal[i][lane];
        touch.worldNormal[i] = block->worldNormal[i][lane];
        touch.t[i] = block->t[i][lane];
        for ( int j = 0; j < 3; ++j )
        {
            touch.r[i][j] = block->r[i][j][lane];
        }
    }
    return touch;
}

static void collideBoxes( const joPairChunk3* chunk, joManifold3* manifolds )
{
    const joPlacedBox* boxes = chunk->batch->boxes.data;
    for ( uint32_t first = 0; first < chunk->count; first += JO_BOX_BLOCK )
    {
        joBoxBlock block;
        const uint32_t lanes = collideBlock( chunk, first, &block );
        for ( uint32_t lane = 0; lane < JO_BOX_BLOCK && first + lane < chunk->count; ++lane )
        {
            if ( lanes >> lane & 1 )
            {
                const joPair pair = chunk->pairs[first + lane];
                const joBoxTouch touch = touchOf( &block, lane );
                joFillBoxManifold(
                    boxes + pair.a, boxes + pair.b, &touch, chunk->margin, manifolds + first + lane );
            }
        }
    }
}

const joBatchFunctions3 joBoxBoxBatch3 = { overlapBoxes, findBoxDepths, collideBoxes };
