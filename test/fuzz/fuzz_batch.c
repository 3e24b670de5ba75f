// SPDX-License-Identifier: MIT
// A few shapes of 2D or 3D, and any list of their pairs, as a batch: the answers are those of the single
// calls, bit for bit.
#include "fuzz_shapes_2d.h"
#include "fuzz_shapes_3d.h"

#include "jostle/collide_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

#define MAX_SHAPES 6
#define MAX_PAIRS 80

// Of all shapes together one dimension is used.
typedef struct Scene
{
    FuzzShape2 flat[MAX_SHAPES];
    FuzzShape3 solid[MAX_SHAPES];
    int axisCount;
    uint32_t shapeCount, pairCount;
    joPair pairs[MAX_PAIRS];
    float margin;
    uint64_t capacity; // of manifolds
} Scene;

// An answer to a pair, in the words of either dimension.
typedef struct PairAnswer
{
    bool overlaps;
    joManifold2 flat;
    joManifold3 solid;
} PairAnswer;

static void takeScene( FuzzBytes* bytes, Scene* scene )
{
    scene->axisCount = 2 + takeByte( bytes ) % 2;
    scene->shapeCount = 1 + takeByte( bytes ) % (uint32_t)MAX_SHAPES;
    for ( uint32_t i = 0; i < scene->shapeCount; ++i )
    {
        scene->axisCount == 2 ? takeShape2( bytes, &scene->flat[i] ) : takeShape3( bytes, &scene->solid[i] );
    }
    scene->margin = takeSize( bytes );
    scene->pairCount = takeByte( bytes ) % ( MAX_PAIRS + 1u );
    scene->capacity = takeByte( bytes );
    scene->capacity = scene->capacity < MAX_PAIRS ? scene->capacity : MAX_PAIRS;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const uint32_t byte = takeByte( bytes );
        // An index out of range is seldom.
        scene->pairs[i].a = byte == 255 ? scene->shapeCount : byte % 16 % scene->shapeCount;
        scene->pairs[i].b = byte / 16 % scene->shapeCount;
    }
}

static void dropScene( Scene* scene )
{
    for ( uint32_t i = 0; i < scene->shapeCount && scene->axisCount == 3; ++i )
    {
        dropShape3( &scene->solid[i] );
    }
}

static void printScene( const void* fuzzCase )
{
    const Scene* scene = fuzzCase;
    for ( uint32_t i = 0; i < scene->shapeCount; ++i )
    {
        fputs( "{ ", stderr );
        scene->axisCount == 2 ? printShape2( &scene->flat[i] ) : printShape3( &scene->solid[i] );
        fputs( " }\n", stderr );
    }
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        fprintf( stderr, "(%u, %u) ", scene->pairs[i].a, scene->pairs[i].b );
    }
    fprintf( stderr, "\nmargin %.9g, capacity %u\n", (double)scene->margin, (uint32_t)scene->capacity );
}

static joResult checkShape( const Scene* scene, uint32_t i )
{
    const FuzzShape2* flat = &scene->flat[i];
    const FuzzShape3* solid = &scene->solid[i];
    joResult result = scene->axisCount == 2 ? joCheckShape2( &flat->shape ) : joCheckShape3( &solid->shape );
    return result                  ? result
           : scene->axisCount == 2 ? joCheckTransform2( &flat->pose )
                                   : joCheckTransform3( &solid->pose );
}

// What the single calls say; the result is that of the second.
static joResult askSingly( const Scene* scene, joPair pair, PairAnswer* answer )
{
    memset( answer, 0, sizeof( *answer ) );
    if ( scene->axisCount == 2 )
    {
        const FuzzShape2 *a = &scene->flat[pair.a], *b = &scene->flat[pair.b];
        joOverlap2( &a->shape, &a->pose, &b->shape, &b->pose, NULL, &answer->overlaps );
        return joCollide2( &a->shape, &a->pose, &b->shape, &b->pose, scene->margin, NULL, &answer->flat );
    }
    const FuzzShape3 *a = &scene->solid[pair.a], *b = &scene->solid[pair.b];
    joOverlap3( &a->shape, &a->pose, &b->shape, &b->pose, NULL, &answer->overlaps );
    return joCollide3( &a->shape, &a->pose, &b->shape, &b->pose, scene->margin, NULL, &answer->solid );
}

// Sets the shapes; false: one of them is refused.
static bool setShapes( const Scene* scene, joCollideBatch* batch )
{
    joResult expected = jo_success, result;
    uint32_t bad = JO_NULL_INDEX, errorIndex = 0;
    for ( uint32_t i = 0; i < scene->shapeCount && !expected; ++i )
    {
        expected = checkShape( scene, i );
        bad = expected ? i : bad;
    }
    if ( scene->axisCount == 2 )
    {
        const joPlacedShapes2 shapes = { { &scene->flat[0].shape, sizeof( FuzzShape2 ) },
            { &scene->flat[0].pose, sizeof( FuzzShape2 ) }, scene->shapeCount };
        result = joCollideBatch_SetShapes2( batch, &shapes, &errorIndex );
    }
    else
    {
        const joPlacedShapes3 shapes = { { &scene->solid[0].shape, sizeof( FuzzShape3 ) },
            { &scene->solid[0].pose, sizeof( FuzzShape3 ) }, scene->shapeCount };
        result = joCollideBatch_SetShapes3( batch, &shapes, &errorIndex );
    }
    require( result == expected && errorIndex == bad, "a batch refuses the first bad shape" );
    return result == jo_success;
}

// The answers of the batch.
typedef struct BatchAnswers
{
    joResult results[3]; // of overlap, depths, collide
    uint32_t errorIndices[3];
    uint64_t hitCounts[3];
    uint64_t overlapBits[( MAX_PAIRS + 63 ) / 64], depthBits[( MAX_PAIRS + 63 ) / 64];
    joVec2 normals2[MAX_PAIRS];
    joVec3 normals3[MAX_PAIRS];
    float depths[MAX_PAIRS];
    uint32_t hitPairs[MAX_PAIRS];
    joManifold2 manifolds2[MAX_PAIRS];
    joManifold3 manifolds3[MAX_PAIRS];
} BatchAnswers;

static void askBatch( const Scene* scene, joCollideBatch* batch, BatchAnswers* out )
{
    const joPair* pairs = scene->pairs;
    const uint64_t count = scene->pairCount;
    memset( out, 0, sizeof( *out ) );
    if ( scene->axisCount == 2 )
    {
        out->results[0] = joCollideBatch_Overlap2(
            batch, pairs, count, out->overlapBits, &out->hitCounts[0], &out->errorIndices[0] );
        out->results[1] = joCollideBatch_FindDepths2( batch, pairs, count, scene->margin, out->depthBits,
            out->normals2, out->depths, &out->hitCounts[1], &out->errorIndices[1] );
        out->results[2] = joCollideBatch_Collide2( batch, pairs, count, scene->margin, out->hitPairs,
            out->manifolds2, scene->capacity, &out->hitCounts[2], &out->errorIndices[2] );
        return;
    }
    out->results[0] = joCollideBatch_Overlap3(
        batch, pairs, count, out->overlapBits, &out->hitCounts[0], &out->errorIndices[0] );
    out->results[1] = joCollideBatch_FindDepths3( batch, pairs, count, scene->margin, out->depthBits,
        out->normals3, out->depths, &out->hitCounts[1], &out->errorIndices[1] );
    out->results[2] = joCollideBatch_Collide3( batch, pairs, count, scene->margin, out->hitPairs,
        out->manifolds3, scene->capacity, &out->hitCounts[2], &out->errorIndices[2] );
}

// The first pair that no call takes, and why. JO_NULL_INDEX: there is none.
static uint32_t findBadPair( const Scene* scene, joResult* result )
{
    *result = jo_success;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        bool overlaps;
        if ( pair.a >= scene->shapeCount )
        {
            *result = jo_errorUnknownKey;
        }
        else if ( scene->axisCount == 3 )
        {
            const FuzzShape3 *a = &scene->solid[pair.a], *b = &scene->solid[pair.b];
            *result = joOverlap3( &a->shape, &a->pose, &b->shape, &b->pose, NULL, &overlaps );
        }
        else
        {
            const FuzzShape2 *a = &scene->flat[pair.a], *b = &scene->flat[pair.b];
            *result = joOverlap2( &a->shape, &a->pose, &b->shape, &b->pose, NULL, &overlaps );
        }
        if ( *result )
        {
            return i;
        }
    }
    return JO_NULL_INDEX;
}

static bool getBit( const uint64_t* bits, uint32_t i )
{
    return bits[i / 64] >> ( i % 64 ) & 1;
}

static void compareAnswers( const Scene* scene, const BatchAnswers* batch )
{
    uint64_t overlapCount = 0, hitCount = 0;
    const bool isFlat = scene->axisCount == 2, isGoodMargin = batch->results[1] == jo_success;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        PairAnswer single;
        const joResult result = askSingly( scene, scene->pairs[i], &single );
        require( ( result == jo_success ) == isGoodMargin, "a batch and a call take the same margin" );
        require( getBit( batch->overlapBits, i ) == single.overlaps, "a batch's overlap is the call's" );
        overlapCount += single.overlaps;
        if ( !isGoodMargin )
        {
            continue;
        }
        const bool isHit = ( isFlat ? single.flat.pointCount : single.solid.pointCount ) > 0;
        require( getBit( batch->depthBits, i ) == isHit, "a batch's hit is the call's" );
        require( memcmp( &batch->depths[i], isFlat ? &single.flat.depth : &single.solid.depth,
                     sizeof( float ) ) == 0,
            "a batch's depth is the call's" );
        require( isFlat ? memcmp( &batch->normals2[i], &single.flat.normal, sizeof( joVec2 ) ) == 0
                        : memcmp( &batch->normals3[i], &single.solid.normal, sizeof( joVec3 ) ) == 0,
            "a batch's normal is the call's" );
        if ( isHit && hitCount < scene->capacity )
        {
            require( batch->hitPairs[hitCount] == i, "hits are in the order of the list" );
            require( isFlat
                         ? memcmp( &batch->manifolds2[hitCount], &single.flat, sizeof( joManifold2 ) ) == 0
                         : memcmp( &batch->manifolds3[hitCount], &single.solid, sizeof( joManifold3 ) ) == 0,
                "a batch's manifold is the call's" );
        }
        hitCount += isHit;
    }
    require( batch->hitCounts[0] == overlapCount, "a batch counts what overlaps" );
    require( batch->hitCounts[1] == hitCount && batch->hitCounts[2] == hitCount, "a batch counts its hits" );
}

static void checkBatch( const Scene* scene, const BatchAnswers* batch )
{
    joResult expected;
    const uint32_t bad = findBadPair( scene, &expected );
    const bool isGoodMargin = scene->margin >= 0.0f && scene->margin <= JO_MAX_SIZE;
    require( batch->results[0] == expected && batch->errorIndices[0] == bad,
        "a batch refuses the first bad pair" );
    require( ( batch->results[1] == jo_success ) == ( expected == jo_success && isGoodMargin ) &&
                 batch->results[2] == batch->results[1],
        "calls with a margin refuse it, or a bad pair" );
    if ( expected == jo_success )
    {
        compareAnswers( scene, batch );
    }
    else
    {
        require( batch->hitCounts[0] == 0 && batch->hitCounts[1] == 0 && batch->hitCounts[2] == 0,
            "no hits after an error" );
    }
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    static Scene scene;
    static BatchAnswers answers;
    static joCollideBatch* batch;
    watchAsserts();
    if ( batch == NULL )
    {
        const joCollideBatchDef def = joDefaultCollideBatchDef();
        require( joCreateCollideBatch( &def, &batch ) == jo_success, "a batch is made" );
    }
    FuzzBytes bytes = { data, size, 0 };
    memset( &scene, 0, sizeof( scene ) );
    takeScene( &bytes, &scene );
    setCasePrinter( printScene, &scene );
    if ( setShapes( &scene, batch ) )
    {
        askBatch( &scene, batch, &answers );
        checkBatch( &scene, &answers );
    }
    dropScene( &scene );
    return 0;
}
