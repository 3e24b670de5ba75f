// SPDX-License-Identifier: MIT
// Batches of pairs of kinds without kernels: one call after the other.
#include "base/float_env.h"
#include "narrow_phase/collide_batch.h"

#include <string.h>

const joBatchFunctions3* joFindBatchFunctions3( joShapeKind3 a, joShapeKind3 b )
{
    return a == jo_boxShape3 && b == jo_boxShape3 ? &joBoxBoxBatch3
           : joIsRound3( a ) && joIsRound3( b )   ? &joRoundRoundBatch3
                                                  : &joAnyPairBatch3;
}

static joPlacedPair3 placePair( const joPairChunk3* chunk, uint32_t i )
{
    const joPlacedShapes3* shapes = &chunk->batch->shapes;
    const joPair pair = chunk->pairs[i];
    return ( joPlacedPair3 ){ joShapeOf( shapes, pair.a ), joShapeOf( shapes, pair.b ),
        joPoseOf( shapes, pair.a ), joPoseOf( shapes, pair.b ) };
}

static const joPairFunctions3* functionsOf( const joPlacedPair3* pair )
{
    return joFindPairFunctions3( pair->a->kind, pair->b->kind );
}

static bool collideOne( const joPairChunk3* chunk, uint32_t i, joManifold3* manifold )
{
    const joPlacedPair3 pair = placePair( chunk, i );
    *manifold = ( joManifold3 ){ .status = jo_collideComplete };
    functionsOf( &pair )->collide( &pair, chunk->margin, NULL, manifold );
    return manifold->pointCount > 0;
}

static bool findOneDepth( const joPairChunk3* chunk, uint32_t i, joVec3* normal, float* depth )
{
    const joPlacedPair3 pair = placePair( chunk, i );
    const joPairFunctions3* functions = functionsOf( &pair );
    if ( functions->depth != NULL )
    {
        *normal = ( joVec3 ){ 0.0f, 0.0f, 0.0f };
        *depth = 0.0f;
        return functions->depth( &pair, chunk->margin, normal, depth );
    }
    joManifold3 manifold;
    const bool touches = collideOne( chunk, i, &manifold );
    *normal = manifold.normal;
    *depth = manifold.depth;
    return touches;
}

static bool findsPoints( const joPairChunk3* chunk, uint32_t i )
{
    const joPlacedPair3 pair = placePair( chunk, i );
    const joPairFunctions3* functions = functionsOf( &pair );
    joManifold3 manifold;
    return functions->depth != NULL ? functions->depth( &pair, chunk->margin, NULL, NULL )
                                    : collideOne( chunk, i, &manifold );
}

static void overlapAny( const joPairChunk3* chunk, bool points, uint64_t* bits )
{
    memset( bits, 0, joWordCount( chunk->count ) * sizeof( uint64_t ) );
    for ( uint32_t i = 0; i < chunk->count; ++i )
    {
        const joPlacedPair3 pair = placePair( chunk, i );
        const bool touches = points ? findsPoints( chunk, i ) : functionsOf( &pair )->overlap( &pair, NULL );
        bits[i / 64] |= (uint64_t)touches << ( i % 64 );
    }
}

static void findAnyDepths( const joPairChunk3* chunk, uint64_t* bits, joVec3* normals, float* depths )
{
    memset( bits, 0, joWordCount( chunk->count ) * sizeof( uint64_t ) );
    for ( uint32_t i = 0; i < chunk->count; ++i )
    {
        const bool touches = findOneDepth( chunk, i, normals + i, depths + i );
        bits[i / 64] |= (uint64_t)touches << ( i % 64 );
    }
}

static void collideAny( const joPairChunk3* chunk, joManifold3* manifolds )
{
    for ( uint32_t i = 0; i < chunk->count; ++i )
    {
        collideOne( chunk, i, manifolds + i );
    }
}

const joBatchFunctions3 joAnyPairBatch3 = { overlapAny, findAnyDepths, collideAny };
