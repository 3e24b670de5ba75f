// SPDX-License-Identifier: MIT
#include "support/collide_batch_kit.h"

#include "support/broad_phase_kit.h"
#include "test_support.h"

#include <math.h>

const void* batchShapeOf( const BatchScene* scene, uint32_t i )
{
    return (const char*)scene->shape.data + i * scene->shape.stride;
}

const void* batchPoseOf( const BatchScene* scene, uint32_t i )
{
    return (const char*)scene->pose.data + i * scene->pose.stride;
}

void batchTakePairs( BatchScene* scene, uint64_t* random, uint32_t pairCount )
{
    const uint32_t count = scene->shapeCount;
    for ( scene->pairCount = 0; scene->pairCount < pairCount; scene->pairCount += 1 )
    {
        const joPair pair = { randomBelow( random, count ), randomBelow( random, count ) };
        scene->pairs[scene->pairCount] = scene->dimension->canMeet( scene, pair ) ? pair : ( joPair ){ 1, 1 };
    }
}

joCollideBatch* batchMake( uint32_t workerCount )
{
    joCollideBatchDef def = joDefaultCollideBatchDef();
    def.jobs = kitJobs( workerCount );
    joCollideBatch* batch = NULL;
    assert_int_equal( joCreateCollideBatch( &def, &batch ), jo_success );
    return batch;
}

static bool bitOf( const uint64_t* bits, uint32_t i )
{
    return bits[i / 64] >> ( i % 64 ) & 1;
}

static bool isSpoilt( const void* memory, size_t size )
{
    for ( size_t i = 0; i < size; ++i )
    {
        if ( ( (const uint8_t*)memory )[i] != 0xCD )
        {
            return false;
        }
    }
    return true;
}

static void checkOverlaps( joCollideBatch* batch, const BatchScene* scene )
{
    const BatchDimension* dimension = scene->dimension;
    uint64_t bits[BATCH_MAX_PAIRS / 64 + 2], hitCount = 1, expectedCount = 0;
    memset( bits, 0xCD, sizeof( bits ) );
    assert_int_equal(
        dimension->overlapAll( batch, scene->pairs, scene->pairCount, bits, &hitCount, NULL ), jo_success );
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const bool expected = dimension->overlap( scene, scene->pairs[i] );
        assert_int_equal( bitOf( bits, i ), expected );
        expectedCount += expected;
    }
    assert_int_equal( hitCount, expectedCount );
    const uint32_t words = ( scene->pairCount + 63 ) / 64;
    assert_true( scene->pairCount % 64 == 0 || bits[words - 1] >> ( scene->pairCount % 64 ) == 0 );
    assert_true( isSpoilt( bits + words, sizeof( *bits ) ) );
}

static void checkDepths( joCollideBatch* batch, const BatchScene* scene, float margin )
{
    static joVec3 normals[BATCH_MAX_PAIRS];
    static float depths[BATCH_MAX_PAIRS];
    const BatchDimension* dimension = scene->dimension;
    const size_t vectorSize = dimension->vectorSize;
    uint64_t bits[BATCH_MAX_PAIRS / 64 + 1], hitCount = 1, expectedCount = 0;
    assert_int_equal( dimension->findDepths(
                          batch, scene->pairs, scene->pairCount, margin, bits, normals, depths, &hitCount ),
        jo_success );
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        joManifold3 expected; // of either dimension
        const bool isHit = dimension->collide( scene, scene->pairs[i], margin, &expected ) > 0;
        assert_int_equal( bitOf( bits, i ), isHit );
        assert_memory_equal( (const char*)normals + i * vectorSize, &expected, vectorSize );
        assert_memory_equal( depths + i, (const char*)&expected + vectorSize, sizeof( float ) );
        expectedCount += isHit;
    }
    assert_int_equal( hitCount, expectedCount );
}

void batchCheckManifolds( joCollideBatch* batch, const BatchScene* scene, float margin, uint64_t capacity )
{
    static uint32_t hitPairs[BATCH_MAX_PAIRS + 1];
    static joManifold3 room[BATCH_MAX_PAIRS + 1]; // of either dimension
    const BatchDimension* dimension = scene->dimension;
    const size_t size = dimension->manifoldSize;
    const char* manifolds = (const char*)room;
    uint64_t hitCount = 0, k = 0;
    memset( hitPairs, 0xCD, sizeof( hitPairs ) );
    memset( room, 0xCD, sizeof( room ) );
    assert_int_equal( dimension->collideAll( batch, scene->pairs, scene->pairCount, margin, hitPairs, room,
                          capacity, &hitCount ),
        jo_success );
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        joManifold3 expected;
        const uint32_t pointCount = dimension->collide( scene, scene->pairs[i], margin, &expected );
        if ( pointCount > 0 && k++ < capacity )
        {
            assert_int_equal( hitPairs[k - 1], i );
            assert_memory_equal( manifolds + ( k - 1 ) * size, &expected, size );
        }
    }
    assert_int_equal( hitCount, k );
    // What lies behind is as it was.
    const uint64_t written = k < capacity ? k : capacity;
    assert_true( hitPairs[written] == 0xCDCDCDCD && isSpoilt( manifolds + written * size, size ) );
}

void batchCheckScenes( BatchSceneFcn* makeScene, int sort, int sceneCount, uint64_t seed )
{
    static BatchScene scene;
    uint64_t random = seed;
    joCollideBatch* batches[3] = { batchMake( 1 ), batchMake( 2 ), batchMake( 3 ) };
    for ( int round = 0; round < sceneCount; ++round )
    {
        static const uint32_t counts[] = { 1, 15, 16, 17, 63, 64, 65, 1023, 1024, 1025, BATCH_MAX_PAIRS };
        const bool isRandom = randomBelow( &random, 2 );
        makeScene( &scene, &random, sort,
            isRandom ? 1 + randomBelow( &random, BATCH_MAX_PAIRS ) : counts[randomBelow( &random, 11 )] );
        joCollideBatch* batch = batches[round % 3];
        assert_int_equal( scene.dimension->setShapes( batch, &scene, NULL ), jo_success );
        const float margin = (float)randomBelow( &random, 3 ) * 0.1f;
        checkOverlaps( batch, &scene );
        checkDepths( batch, &scene, margin );
        batchCheckManifolds( batch, &scene, margin, BATCH_MAX_PAIRS );
        // Room that ends in the first unit, or anywhere.
        batchCheckManifolds(
            batch, &scene, margin, randomBelow( &random, round % 2 ? 200 : BATCH_MAX_PAIRS / 2 ) );
        batchCheckManifolds( batch, &scene, margin, 0 );
    }
    for ( int i = 0; i < 3; ++i )
    {
        joDestroyCollideBatch( batches[i] );
    }
}

void batchCheckReserves( joCollideBatchDef def, BatchScene* scene )
{
    static uint32_t hitPairs[BATCH_MAX_PAIRS];
    static joManifold3 manifolds[BATCH_MAX_PAIRS];
    static joPair many[2 * BATCH_MAX_PAIRS]; // more than a unit beyond the reserve
    TestAllocator counter = { .failAt = UINT64_MAX };
    uint64_t hitCount = 7;
    def.allocator = toAllocator( &counter );
    def.fixedCapacity = true;
    joCollideBatch* batch = NULL;
    assert_int_equal( joCreateCollideBatch( &def, &batch ), jo_success );
    const uint64_t before = counter.calls;
    assert_int_equal( scene->dimension->setShapes( batch, scene, NULL ), jo_success );
    batchCheckManifolds( batch, scene, 0.0f, BATCH_MAX_PAIRS );
    assert_int_equal( counter.calls, before );
    assert_int_equal( scene->dimension->collideAll( batch, many, 2 * BATCH_MAX_PAIRS, 0.0f, hitPairs,
                          manifolds, BATCH_MAX_PAIRS, &hitCount ),
        jo_errorCapacity );
    assert_int_equal( hitCount, 0 );
    scene->shape.stride = scene->pose.stride = 0;
    scene->shapeCount = 10 * BATCH_MAX_SHAPES;
    assert_int_equal( scene->dimension->setShapes( batch, scene, NULL ), jo_errorCapacity );
    assert_int_equal( counter.calls, before );
    joDestroyCollideBatch( batch );
    assert_int_equal( counter.liveBlocks, 0 );
    for ( uint64_t failAt = 0; failAt < before; ++failAt )
    {
        counter = ( TestAllocator ){ .failAt = failAt };
        assert_int_equal( joCreateCollideBatch( &def, &batch ), jo_errorOutOfMemory );
        assert_true( batch == NULL && counter.liveBlocks == 0 );
    }
}

void batchCheckBadCalls( BatchScene* scene )
{
    const BatchDimension* dimension = scene->dimension;
    uint64_t bits[BATCH_MAX_PAIRS / 64 + 1], hitCount = 5;
    uint32_t errorIndex = 0;
    joVec3 normals[2];
    float depths[2];
    const joPair* pairs = scene->pairs;
    joCollideBatch* batch = batchMake( 1 );
    assert_int_equal( dimension->overlapAll( batch, NULL, 0, NULL, &hitCount, NULL ), jo_success );
    assert_int_equal( dimension->overlapAll( batch, NULL, 0, bits, &hitCount, NULL ), jo_success );
    assert_int_equal( hitCount, 0 );
    assert_int_equal( dimension->setShapes( batch, scene, NULL ), jo_success );
    // The first bad pair, from the end of the list to its middle.
    static const uint32_t bad[] = { 699, 600, 400 };
    for ( size_t i = 0; i < 3; ++i )
    {
        joPair* pair = scene->pairs + bad[i];
        *pair = i == 0   ? ( joPair ){ pair->a, scene->shapeCount }
                : i == 1 ? ( joPair ){ scene->shapeCount, pair->b }
                         : ( joPair ){ pair->a, UINT32_MAX };
        hitCount = 5;
        assert_int_equal(
            dimension->overlapAll( batch, pairs, 700, bits, &hitCount, &errorIndex ), jo_errorUnknownKey );
        assert_true( errorIndex == bad[i] && hitCount == 0 );
    }
    assert_int_equal( dimension->overlapAll( batch, NULL, 1, bits, &hitCount, NULL ), jo_errorNullArgument );
    assert_int_equal( dimension->overlapAll( batch, pairs, 1, NULL, &hitCount, NULL ), jo_errorNullArgument );
    assert_int_equal( dimension->overlapAll( batch, pairs, 1, bits, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal(
        dimension->overlapAll( batch, pairs, UINT64_C( 1 ) << 32, bits, &hitCount, NULL ), jo_errorBadCount );
    assert_int_equal(
        dimension->findDepths( batch, pairs, 2, NAN, NULL, normals, depths, &hitCount ), jo_errorNotANumber );
    assert_int_equal( dimension->findDepths( batch, pairs, 2, -1.0f, NULL, normals, depths, &hitCount ),
        jo_errorBadRadius );
    assert_int_equal( dimension->findDepths( batch, pairs, 2, 0.0f, NULL, normals, NULL, &hitCount ),
        jo_errorNullArgument );
    assert_int_equal(
        dimension->collideAll( batch, pairs, 2, 0.0f, NULL, NULL, 1, &hitCount ), jo_errorNullArgument );
    joDestroyCollideBatch( batch );
    joCollideBatchDef def = { 0 };
    assert_int_equal( joCreateCollideBatch( &def, &batch ), jo_errorBadDef );
    assert_int_equal( joCreateCollideBatch( NULL, &batch ), jo_errorNullArgument );
    joDestroyCollideBatch( NULL );
}
