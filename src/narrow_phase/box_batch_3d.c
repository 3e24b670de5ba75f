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

static void overlapBoxes( const joPairChunk3* chunk, bool points, uint64_t* bits )
{
    (void)points; // both are one test
    memset( bits, 0, joWordCount( chunk->count ) * sizeof( uint64_t ) );
    for ( uint32_t first = 0; first < chunk->count; first += JO_BOX_BLOCK )
    {
        joBoxBlock block;
        bits[first / 64] |= (uint64_t)collideBlock( chunk, first, &block ) << ( first % 64 );
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
