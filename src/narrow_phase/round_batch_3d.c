// SPDX-License-Identifier: MIT
// Batches of spheres and capsules in 3D: blocks of pairs for the kernels. Pairs whose cores cross, and where
// points are asked for those that go alike, are left to the call for one pair.
#include "base/float_env.h"
#include "narrow_phase/collide_batch.h"
#include "narrow_phase/placed_round.h"

#include <stddef.h>
#include <string.h>

#define QUAD_SIZE ( 4 * sizeof( float ) )

// Rows are asked for this many pairs before they are needed: about as long as memory takes to answer.
#define AHEAD 24u

uint32_t joRoundQuadsOf( uint32_t kinds, bool areCentred )
{
    return kinds >> jo_capsuleShape3 & 1           ? (uint32_t)( sizeof( joPlacedRound3 ) / QUAD_SIZE )
           : ( kinds >> jo_sphereShape3 & 1 ) == 0 ? 0
           : areCentred                            ? (uint32_t)( JO_PLACED_DOT_SIZE / QUAD_SIZE )
                                                   : (uint32_t)( JO_PLACED_SPHERE_SIZE / QUAD_SIZE );
}

void joPlaceRoundRow( joCollideBatch* batch, uint32_t i )
{
    const joPlacedRound3 placed =
        joPlaceRound3( joShapeOf( &batch->shapes, i ), joPoseOf( &batch->shapes, i ) );
    memcpy( joRoundRowOf( batch, i ), placed.position, batch->roundQuads * QUAD_SIZE );
}

static joRoundCores coresOf( const joPairChunk3* chunk )
{
    const joPlacedShapes3* shapes = &chunk->batch->shapes;
    const joPair pair = chunk->pairs[0];
    return chunk->batch->roundQuads == JO_PLACED_DOT_SIZE / QUAD_SIZE
               ? jo_dots
               : joRoundCoresOf3( joShapeOf( shapes, pair.a )->kind, joShapeOf( shapes, pair.b )->kind );
}

static void prefetchPairs( const joPairChunk3* chunk, uint32_t first )
{
    const uint32_t end = first + JO_ROUND_BLOCK < chunk->count ? first + JO_ROUND_BLOCK : chunk->count;
    const size_t last = (size_t)4 * chunk->batch->roundQuads - 1;
    for ( uint32_t i = first; i < end; ++i )
    {
        const float* rows[2] = { joRoundRowOf( chunk->batch, chunk->pairs[i].a ),
            joRoundRowOf( chunk->batch, chunk->pairs[i].b ) };
        for ( int k = 0; k < 2; ++k )
        {
            __builtin_prefetch( rows[k] );
            __builtin_prefetch( rows[k] + last );
        }
    }
}

// Bit k: pair `first` + k touches, or may.
static uint32_t collideBlock(
    const joPairChunk3* chunk, joRoundCores cores, uint32_t first, bool isDetailed, joRoundBlock* block )
{
    const float* a[JO_ROUND_BLOCK];
    const float* b[JO_ROUND_BLOCK];
    const uint32_t left = chunk->count - first, count = left < JO_ROUND_BLOCK ? left : JO_ROUND_BLOCK;
    prefetchPairs( chunk, first + AHEAD );
    if ( cores == jo_dots )
    {
        return chunk->batch->kernels->collideDots[1](
            chunk->batch->rounds.data, chunk->pairs + first, count, chunk->margin, isDetailed, block );
    }
    for ( uint32_t k = 0; k < count; ++k )
    {
        a[k] = joRoundRowOf( chunk->batch, chunk->pairs[first + k].a );
        b[k] = joRoundRowOf( chunk->batch, chunk->pairs[first + k].b );
    }
    return chunk->batch->kernels->collideRounds[1](
        a, b, count, cores, chunk->margin, &joRoundTolerances, isDetailed, block );
}

static void collideOne( const joPairChunk3* chunk, joRoundCores cores, uint32_t i, joManifold3* manifold )
{
    const joPair pair = chunk->pairs[i];
    *manifold = ( joManifold3 ){ .status = jo_collideComplete };
    joCollideRounds3( (const joPlacedRound3*)(const void*)joRoundRowOf( chunk->batch, pair.a ),
        (const joPlacedRound3*)(const void*)joRoundRowOf( chunk->batch, pair.b ), cores, chunk->margin,
        manifold );
}

static joVec3 normalOf( const joRoundBlock* block, uint32_t lane )
{
    const float* record = block->records[lane];
    return ( joVec3 ){ record[0], record[1], record[2] };
}

static void overlapRounds( const joPairChunk3* chunk, bool points, uint64_t* bits )
{
    (void)points; // both are one test
    const joRoundCores cores = coresOf( chunk );
    memset( bits, 0, joWordCount( chunk->count ) * sizeof( uint64_t ) );
    for ( uint32_t first = 0; first < chunk->count; first += JO_ROUND_BLOCK )
    {
        joRoundBlock block;
        uint32_t hits = collideBlock( chunk, cores, first, false, &block );
        for ( uint32_t open = hits & block.areCrossing; open != 0; open &= open - 1 )
        {
            joManifold3 manifold;
            collideOne( chunk, cores, first + (uint32_t)__builtin_ctz( open ), &manifold );
            hits &= manifold.pointCount > 0 ? UINT32_MAX : ~( open & ( 0u - open ) );
        }
        bits[first / 64] |= (uint64_t)hits << ( first % 64 );
    }
}

static void findRoundDepths( const joPairChunk3* chunk, uint64_t* bits, joVec3* normals, float* depths )
{
    const joRoundCores cores = coresOf( chunk );
    memset( bits, 0, joWordCount( chunk->count ) * sizeof( uint64_t ) );
    memset( normals, 0, chunk->count * sizeof( joVec3 ) );
    memset( depths, 0, chunk->count * sizeof( float ) );
    for ( uint32_t first = 0; first < chunk->count; first += JO_ROUND_BLOCK )
    {
        joRoundBlock block;
        for ( uint32_t lanes = collideBlock( chunk, cores, first, true, &block ); lanes != 0;
              lanes &= lanes - 1 )
        {
            const uint32_t lane = (uint32_t)__builtin_ctz( lanes ), i = first + lane;
            joManifold3 manifold;
            const bool isOpen = block.areCrossing >> lane & 1;
            if ( isOpen )
            {
                collideOne( chunk, cores, i, &manifold );
            }
            bits[i / 64] |= (uint64_t)( !isOpen || manifold.pointCount > 0 ) << ( i % 64 );
            normals[i] = isOpen ? manifold.normal : normalOf( &block, lane );
            depths[i] = isOpen ? manifold.depth : block.records[lane][3];
        }
    }
}

static void collideRounds( const joPairChunk3* chunk, joManifold3* manifolds )
{
    const joRoundCores cores = coresOf( chunk );
    for ( uint32_t first = 0; first < chunk->count; first += JO_ROUND_BLOCK )
    {
        joRoundBlock block;
        for ( uint32_t lanes = collideBlock( chunk, cores, first, true, &block ); lanes != 0;
              lanes &= lanes - 1 )
        {
            const uint32_t lane = (uint32_t)__builtin_ctz( lanes );
            joManifold3* manifold = manifolds + first + lane;
            if ( ( block.areCrossing | block.areAlike ) >> lane & 1 )
            {
                collideOne( chunk, cores, first + lane, manifold );
                continue;
            }
            memcpy( manifold, block.records[lane], offsetof( joManifold3, points[1] ) );
            memset( manifold->points + 1, 0, sizeof( joManifold3 ) - offsetof( joManifold3, points[1] ) );
            manifold->pointCount = 1;
            manifold->status = jo_collideComplete;
        }
    }
}

const joBatchFunctions3 joRoundRoundBatch3 = { overlapRounds, findRoundDepths, collideRounds };
