// SPDX-License-Identifier: MIT
// Batches of pairs in 2D: the shapes that pairs name, and answers. Pairs are taken in units over the workers.
// Those of a unit are sorted into classes by how many vertices the larger of the two has, so that lanes of a
// kernel have about as much to do; pairs of circles and capsules go to the calls for one pair.
//
// A unit's manifolds are found in places of their own, those of some units at a time, and then moved
// together: a kernel finds them at once with what touches, so that a second pass would do all again.
#include "narrow_phase/collide_batch.h"

#include "base/assert.h"
#include "base/atomic_least.h"
#include "base/float_env.h"
#include "narrow_phase/placed_polygon.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define SHAPE_BLOCK 256u
#define UNIT_WORDS ( JO_BATCH_UNIT / 64 )

// Units for each worker that are answered before their manifolds are moved.
#define UNITS_AHEAD 4u

// Pairs that records are asked for before they are needed: about as long as memory takes to answer.
#define AHEAD 24u

// Classes of pairs: single calls, then those of up to so many vertices.
#define CLASSES 4
static const uint32_t s_classVertices[CLASSES] = { 0, 4, 8, JO_PLACED_VERTICES };

static const joShape2* shapeOf( const joPlacedShapes2* shapes, uint32_t i )
{
    return (const joShape2*)( (const char*)shapes->shape.data + i * shapes->shape.stride );
}

static const joTransform2* poseOf( const joPlacedShapes2* shapes, uint32_t i )
{
    return (const joTransform2*)( (const char*)shapes->pose.data + i * shapes->pose.stride );
}

void joFreeFlatShapes( joFlatShapes* flat, joMemory* memory )
{
    joArray_Free( &flat->placed, memory, sizeof( joPlacedPolygon ) );
    joArray_Free( &flat->words, memory, sizeof( uint64_t ) );
    joArray_Free( &flat->counts, memory, sizeof( uint32_t ) );
    joArray_Free( &flat->manifolds, memory, sizeof( joManifold2 ) );
}

typedef struct ShapeCheck
{
    const joPlacedShapes2* shapes;
    atomic_uint_least32_t firstBad; // index, JO_NULL_INDEX of none
    atomic_uint kinds;              // bits
} ShapeCheck;

static joResult checkShape( const joPlacedShapes2* shapes, uint32_t i )
{
    joResult result = joCheckShape2( shapeOf( shapes, i ) );
    return result ? result : joCheckTransform2( poseOf( shapes, i ) );
}

static void checkBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    ShapeCheck* check = context;
    (void)worker;
    uint32_t kinds = 0;
    for ( uint32_t i = begin; i < end; ++i )
    {
        if ( checkShape( check->shapes, i ) != jo_success )
        {
            joAtomic_Lower( &check->firstBad, i );
            return;
        }
        kinds |= 1u << shapeOf( check->shapes, i )->kind;
    }
    atomic_fetch_or( &check->kinds, kinds );
}

static void placeBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    joFlatShapes* flat = context;
    joPlacedPolygon* placed = flat->placed.data;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        placed[i] = joPlacePolygon( shapeOf( &flat->shapes, i ), poseOf( &flat->shapes, i ) );
    }
}

static bool hasFunctions( uint32_t a, uint32_t b )
{
    const joPairFunctions2* functions = joFindPairFunctions2( (joShapeKind2)a, (joShapeKind2)b );
    return functions->overlap != NULL && functions->collide != NULL;
}

// Whether any two of the kinds may meet.
static bool haveAllFunctions( uint32_t kinds )
{
    for ( uint32_t a = 0; a < jo_shapeKindCount2; ++a )
    {
        for ( uint32_t b = a; b < jo_shapeKindCount2; ++b )
        {
            if ( ( kinds >> a & kinds >> b & 1 ) && !hasFunctions( a, b ) )
            {
                return false;
            }
        }
    }
    return true;
}

static joResult setShapes( joCollideBatch* batch, const joPlacedShapes2* shapes, uint32_t* errorIndex )
{
    if ( batch == NULL || shapes == NULL ||
         ( shapes->count > 0 && ( shapes->shape.data == NULL || shapes->pose.data == NULL ) ) )
    {
        return jo_errorNullArgument;
    }
    ShapeCheck check = { .shapes = shapes };
    atomic_init( &check.firstBad, JO_NULL_INDEX );
    atomic_init( &check.kinds, 0 );
    joParallelFor( batch->jobs, shapes->count, SHAPE_BLOCK, checkBlock, &check );
    const uint32_t firstBad = atomic_load( &check.firstBad );
    if ( firstBad != JO_NULL_INDEX )
    {
        *errorIndex = firstBad;
        return checkShape( shapes, firstBad );
    }
    const uint32_t kinds = atomic_load( &check.kinds );
    const bool isPlaced = ( kinds & ~( 1u << jo_circleShape2 | 1u << jo_capsuleShape2 ) ) != 0;
    joFlatShapes* flat = &batch->flat;
    joResult result = joArray_ReserveSlack(
        &flat->placed, &batch->memory, isPlaced ? shapes->count : 0, sizeof( joPlacedPolygon ), 0 );
    if ( result == jo_success )
    {
        flat->shapes = *shapes;
        flat->isPlaced = isPlaced;
        flat->isComplete = haveAllFunctions( kinds );
        joParallelFor( batch->jobs, isPlaced ? shapes->count : 0, SHAPE_BLOCK, placeBlock, flat );
    }
    return result;
}

static joResult report( joResult result, uint32_t bad, uint32_t* errorIndex )
{
    if ( errorIndex != NULL )
    {
        *errorIndex = bad;
    }
    const bool isEnvironment = result == jo_errorOutOfMemory || result == jo_errorCapacity;
    return result == jo_success || isEnvironment ? result : JO_MISUSE( result );
}

joResult joCollideBatch_SetShapes2(
    joCollideBatch* batch, const joPlacedShapes2* shapes, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    joFloatEnv env = joFloatEnv_Enter();
    const joResult result = setShapes( batch, shapes, &bad );
    joFloatEnv_Leave( env );
    return report( result, bad, errorIndex );
}

typedef struct Run
{
    joCollideBatch* batch;
    const joPair* pairs;
    uint32_t pairCount;
    float margin;
    uint64_t* words;
    uint32_t* counts; // hits of each unit; then of all units before it
    joVec2* normals;  // null, or a place for each pair
    float* depths;
    joManifold2* places; // null, or a place for each pair of the units from firstUnit on
    uint32_t firstUnit;
    uint32_t* hitPairs;
    joManifold2* manifolds;
    uint64_t capacity;
} Run;

// Where the answers of one unit go.
typedef struct Unit
{
    const Run* run;
    const joPair* pairs;
    uint32_t count;
    uint64_t* words;
    joVec2* normals; // null, or one a pair
    float* depths;
    joManifold2* manifolds; // null, or one a pair
} Unit;

// The pairs of a unit by class: class k from begins[k] to before begins[k + 1].
typedef struct SortedPairs
{
    joPair pairs[JO_BATCH_UNIT];
    uint16_t places[JO_BATCH_UNIT]; // where it was
    bool areSwapped[JO_BATCH_UNIT];
    uint16_t begins[CLASSES + 1];
} SortedPairs;

static uint32_t classOf( const joFlatShapes* flat, joPair pair, bool* isSwapped )
{
    const joShapeKind2 a = shapeOf( &flat->shapes, pair.a )->kind;
    const joShapeKind2 b = shapeOf( &flat->shapes, pair.b )->kind;
    *isSwapped = a > b;
    if ( joFindPairFunctions2( a, b ) != &joConvexConvex2 )
    {
        return 0;
    }
    const joPlacedPolygon* placed = flat->placed.data;
    const uint32_t countA = placed[pair.a].count, countB = placed[pair.b].count;
    const uint32_t count = countA > countB ? countA : countB;
    return count <= s_classVertices[1] ? 1 : count <= s_classVertices[2] ? 2 : 3;
}

static void sortPairs( const Unit* unit, SortedPairs* sorted )
{
    const joFlatShapes* flat = &unit->run->batch->flat;
    uint8_t classes[JO_BATCH_UNIT];
    bool areSwapped[JO_BATCH_UNIT];
    uint16_t next[CLASSES + 1] = { 0 };
    for ( uint32_t i = 0; i < unit->count; ++i )
    {
        classes[i] = (uint8_t)classOf( flat, unit->pairs[i], &areSwapped[i] );
        next[classes[i] + 1] += 1;
    }
    for ( uint32_t k = 0; k < CLASSES; ++k )
    {
        next[k + 1] = (uint16_t)( next[k + 1] + next[k] );
    }
    memcpy( sorted->begins, next, sizeof( next ) );
    for ( uint32_t i = 0; i < unit->count; ++i )
    {
        const uint32_t to = next[classes[i]]++;
        const joPair pair = unit->pairs[i];
        sorted->pairs[to] = areSwapped[i] ? ( joPair ){ pair.b, pair.a } : pair;
        sorted->places[to] = (uint16_t)i;
        sorted->areSwapped[to] = areSwapped[i];
    }
}

// Adding 0 keeps a zero from turning into a negative one.
static void turnRound( joManifold2* manifold )
{
    manifold->normal = ( joVec2 ){ 0.0f - manifold->normal.x, 0.0f - manifold->normal.y };
    for ( uint32_t i = 0; i < manifold->pointCount; ++i )
    {
        const uint32_t id = manifold->points[i].featureId;
        manifold->points[i].featureId = id >> 16 | id << 16;
    }
}

// The answer of a pair that touches.
static void takeHit( const Unit* unit, uint32_t place, bool isSwapped, const joManifold2* manifold )
{
    unit->words[place / 64] |= (uint64_t)1 << ( place % 64 );
    joManifold2* out = unit->manifolds != NULL ? unit->manifolds + place : NULL;
    if ( unit->normals != NULL )
    {
        joManifold2 turned = *manifold;
        if ( isSwapped )
        {
            turnRound( &turned );
        }
        unit->normals[place] = turned.normal;
        unit->depths[place] = turned.depth;
    }
    if ( out != NULL && out != manifold )
    {
        *out = *manifold;
    }
    if ( out != NULL && isSwapped )
    {
        turnRound( out );
    }
}

// Pairs for which there is no kernel.
static void answerSingles( const Unit* unit, const SortedPairs* sorted )
{
    const joPlacedShapes2* shapes = &unit->run->batch->flat.shapes;
    for ( uint32_t i = sorted->begins[0]; i < sorted->begins[1]; ++i )
    {
        const joPair pair = sorted->pairs[i];
        const joPlacedPair2 placed = { shapeOf( shapes, pair.a ), shapeOf( shapes, pair.b ),
            poseOf( shapes, pair.a ), poseOf( shapes, pair.b ) };
        joManifold2 manifold = { .status = jo_collideComplete };
        joFindPairFunctions2( placed.a->kind, placed.b->kind )
            ->collide( &placed, unit->run->margin, NULL, &manifold );
        if ( manifold.pointCount > 0 )
        {
            takeHit( unit, sorted->places[i], sorted->areSwapped[i], &manifold );
        }
    }
}

static void prefetchPairs( const joPlacedPolygon* placed, const SortedPairs* sorted, uint32_t first,
    uint32_t end, uint32_t vertexCount )
{
    end = first + JO_POLYGON_BLOCK < end ? first + JO_POLYGON_BLOCK : end;
    for ( uint32_t i = first; i < end; ++i )
    {
        const float* rows[2] = { placed[sorted->pairs[i].a].position, placed[sorted->pairs[i].b].position };
        // A line of 16 floats; the vertex after the last counts.
        for ( uint32_t at = 0; at < JO_PLACED_VERTICES_AT + 4 * ( vertexCount + 1 ); at += 16 )
        {
            __builtin_prefetch( rows[0] + at );
            __builtin_prefetch( rows[1] + at );
        }
    }
}

static void answerBlock(
    const Unit* unit, const SortedPairs* sorted, uint32_t first, uint32_t count, uint32_t vertexCount )
{
    const joCollideBatch* batch = unit->run->batch;
    const joPlacedPolygon* placed = batch->flat.placed.data;
    const float margin = unit->run->margin;
    joPolygonBlock block;
    uint32_t lanes = batch->kernels->collidePolygons(
        placed, sorted->pairs + first, count, vertexCount, margin, &joFlatTolerance, &block );
    for ( ; lanes != 0; lanes &= lanes - 1 )
    {
        const uint32_t lane = (uint32_t)__builtin_ctz( lanes ), i = first + lane;
        const joPair pair = sorted->pairs[i];
        joManifold2 own;
        joManifold2* manifold = unit->manifolds != NULL ? unit->manifolds + sorted->places[i] : &own;
        *manifold = ( joManifold2 ){ .status = jo_collideComplete };
        if ( joFillPolygonManifold( placed + pair.a, placed + pair.b, &block, lane, margin, manifold ) )
        {
            takeHit( unit, sorted->places[i], sorted->areSwapped[i], manifold );
        }
    }
}

static void answerUnit( const Unit* unit )
{
    SortedPairs sorted;
    sortPairs( unit, &sorted );
    memset( unit->words, 0, UNIT_WORDS * sizeof( uint64_t ) );
    if ( unit->normals != NULL )
    {
        memset( unit->normals, 0, unit->count * sizeof( joVec2 ) );
        memset( unit->depths, 0, unit->count * sizeof( float ) );
    }
    answerSingles( unit, &sorted );
    const joPlacedPolygon* placed = unit->run->batch->flat.placed.data;
    for ( uint32_t k = 1; k < CLASSES; ++k )
    {
        const uint32_t end = sorted.begins[k + 1], vertexCount = s_classVertices[k];
        for ( uint32_t first = sorted.begins[k]; first < end; first += JO_POLYGON_BLOCK )
        {
            prefetchPairs( placed, &sorted, first + AHEAD, end, vertexCount );
            const uint32_t left = end - first;
            answerBlock(
                unit, &sorted, first, left < JO_POLYGON_BLOCK ? left : JO_POLYGON_BLOCK, vertexCount );
        }
    }
}

static void answerUnits( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Run* run = context;
    (void)worker;
    for ( uint32_t i = run->firstUnit + begin; i < run->firstUnit + end; ++i )
    {
        const uint32_t first = i * JO_BATCH_UNIT, left = run->pairCount - first;
        const size_t place = (size_t)( i - run->firstUnit ) * JO_BATCH_UNIT;
        const Unit unit = { .run = run,
            .pairs = run->pairs + first,
            .count = left < JO_BATCH_UNIT ? left : JO_BATCH_UNIT,
            .words = run->words + (size_t)i * UNIT_WORDS,
            .normals = run->normals != NULL ? run->normals + first : NULL,
            .depths = run->normals != NULL ? run->depths + first : NULL,
            .manifolds = run->places != NULL ? run->places + place : NULL };
        answerUnit( &unit );
        uint32_t hits = 0;
        for ( uint32_t k = 0; k < UNIT_WORDS; ++k )
        {
            hits += (uint32_t)__builtin_popcountll( unit.words[k] );
        }
        run->counts[i] = hits;
    }
}

// Moves the manifolds of units to where they belong.
static void moveUnits( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    const Run* run = context;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        const uint32_t unit = run->firstUnit + i;
        const uint64_t* words = run->words + (size_t)unit * UNIT_WORDS;
        const joManifold2* from = run->places + (size_t)i * JO_BATCH_UNIT;
        uint64_t to = run->counts[unit];
        for ( uint32_t k = 0; k < UNIT_WORDS; ++k )
        {
            for ( uint64_t bits = words[k]; bits != 0 && to < run->capacity; bits &= bits - 1 )
            {
                const uint32_t place = 64 * k + (uint32_t)__builtin_ctzll( bits );
                run->hitPairs[to] = unit * JO_BATCH_UNIT + place;
                run->manifolds[to++] = from[place];
            }
        }
    }
}

static uint32_t unitCountOf( uint32_t pairCount )
{
    return (uint32_t)( ( (uint64_t)pairCount + JO_BATCH_UNIT - 1 ) / JO_BATCH_UNIT );
}

static uint32_t unitsAtATime( const joCollideBatch* batch, uint32_t pairCount )
{
    const uint32_t units = unitCountOf( pairCount ), workers = joJobs_GetWorkerCount( batch->jobs );
    const uint32_t most = workers > 1 ? UNITS_AHEAD * workers : 1;
    return units < most ? units : most;
}

static uint64_t runUnits( Run* run )
{
    joJobs* jobs = run->batch->jobs;
    const uint32_t units = unitCountOf( run->pairCount ),
                   atATime = unitsAtATime( run->batch, run->pairCount );
    uint64_t total = 0;
    for ( run->firstUnit = 0; run->firstUnit < units; run->firstUnit += atATime )
    {
        const uint32_t left = units - run->firstUnit, count = left < atATime ? left : atATime;
        // What has no room any more is only counted.
        run->places = total < run->capacity ? run->batch->flat.manifolds.data : NULL;
        joParallelFor( jobs, count, 1, answerUnits, run );
        for ( uint32_t unit = run->firstUnit; unit < run->firstUnit + count; ++unit )
        {
            const uint32_t hits = run->counts[unit];
            run->counts[unit] = (uint32_t)total;
            total += hits;
        }
        if ( run->places != NULL )
        {
            joParallelFor( jobs, count, 1, moveUnits, run );
        }
    }
    return total;
}

static joResult checkPair( const joFlatShapes* flat, joPair pair )
{
    if ( pair.a >= flat->shapes.count || pair.b >= flat->shapes.count )
    {
        return jo_errorUnknownKey;
    }
    return hasFunctions( shapeOf( &flat->shapes, pair.a )->kind, shapeOf( &flat->shapes, pair.b )->kind )
               ? jo_success
               : jo_errorNoSuchPair;
}

static joResult checkPairs(
    const joFlatShapes* flat, const joPair* pairs, uint32_t pairCount, uint32_t* errorIndex )
{
    uint32_t largest = 0;
    for ( uint32_t i = 0; i < pairCount; ++i )
    {
        largest = pairs[i].a > largest ? pairs[i].a : largest;
        largest = pairs[i].b > largest ? pairs[i].b : largest;
    }
    const bool isGood = flat->isComplete && ( pairCount == 0 || largest < flat->shapes.count );
    for ( uint32_t i = 0; i < pairCount && !isGood; ++i )
    {
        const joResult result = checkPair( flat, pairs[i] );
        if ( result != jo_success )
        {
            *errorIndex = i;
            return result;
        }
    }
    return jo_success;
}

static joResult reservePairs( joCollideBatch* batch, uint32_t pairCount, bool findsManifolds )
{
    joFlatShapes* flat = &batch->flat;
    const uint64_t units = unitCountOf( pairCount );
    const uint64_t places = findsManifolds ? (uint64_t)unitsAtATime( batch, pairCount ) * JO_BATCH_UNIT : 0;
    joResult result =
        joArray_ReserveSlack( &flat->words, &batch->memory, units * UNIT_WORDS, sizeof( uint64_t ), 0 );
    result =
        result ? result : joArray_ReserveSlack( &flat->counts, &batch->memory, units, sizeof( uint32_t ), 0 );
    return result ? result
                  : joArray_Reserve( &flat->manifolds, &batch->memory, places, sizeof( joManifold2 ), 0 );
}

joResult joReserveFlatShapes( joCollideBatch* batch, uint32_t shapeCount, uint32_t pairCount )
{
    joResult result =
        joArray_Reserve( &batch->flat.placed, &batch->memory, shapeCount, sizeof( joPlacedPolygon ), 0 );
    return result ? result : reservePairs( batch, pairCount, true );
}

static joResult prepare( Run* run, const joPair* pairs, uint64_t pairCount, uint32_t* errorIndex )
{
    if ( run->batch == NULL || ( pairs == NULL && pairCount > 0 ) )
    {
        return jo_errorNullArgument;
    }
    if ( pairCount > UINT32_MAX )
    {
        return jo_errorBadCount;
    }
    if ( !( run->margin >= 0.0f && run->margin <= JO_MAX_SIZE ) )
    {
        return isnan( run->margin ) ? jo_errorNotANumber : jo_errorBadRadius;
    }
    run->pairs = pairs;
    run->pairCount = (uint32_t)pairCount;
    joResult result = checkPairs( &run->batch->flat, pairs, run->pairCount, errorIndex );
    return result ? result : reservePairs( run->batch, run->pairCount, run->capacity > 0 );
}

static joResult answer( Run* run, const joPair* pairs, uint64_t pairCount, bool hasPlaces, uint64_t* hitBits,
    uint64_t* hitCount, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    joResult result = hitCount == NULL || !hasPlaces ? jo_errorNullArgument : jo_success;
    if ( hitCount != NULL )
    {
        *hitCount = 0;
    }
    joFloatEnv env = joFloatEnv_Enter();
    result = result ? result : prepare( run, pairs, pairCount, &bad );
    if ( result == jo_success )
    {
        run->words = run->batch->flat.words.data;
        run->counts = run->batch->flat.counts.data;
        *hitCount = runUnits( run );
        if ( hitBits != NULL && pairCount > 0 )
        {
            memcpy( hitBits, run->words, ( (size_t)pairCount + 63 ) / 64 * sizeof( uint64_t ) );
        }
    }
    joFloatEnv_Leave( env );
    return report( result, bad, errorIndex );
}

joResult joCollideBatch_Overlap2( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    uint64_t* hitBits, uint64_t* hitCount, uint32_t* errorIndex )
{
    Run run = { .batch = batch };
    const bool hasPlaces = hitBits != NULL || pairCount == 0;
    return answer( &run, pairs, pairCount, hasPlaces, hitBits, hitCount, errorIndex );
}

joResult joCollideBatch_FindDepths2( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    float margin, uint64_t* hitBits, joVec2* normals, float* depths, uint64_t* hitCount,
    uint32_t* errorIndex )
{
    Run run = { .batch = batch, .margin = margin, .normals = normals, .depths = depths };
    const bool hasPlaces = ( normals != NULL && depths != NULL ) || pairCount == 0;
    return answer( &run, pairs, pairCount, hasPlaces, hitBits, hitCount, errorIndex );
}

joResult joCollideBatch_Collide2( joCollideBatch* batch, const joPair* pairs, uint64_t pairCount,
    float margin, uint32_t* hitPairs, joManifold2* manifolds, uint64_t capacity, uint64_t* hitCount,
    uint32_t* errorIndex )
{
    Run run = { .batch = batch,
        .margin = margin,
        .hitPairs = hitPairs,
        .manifolds = manifolds,
        .capacity = capacity };
    const bool hasPlaces = ( hitPairs != NULL && manifolds != NULL ) || capacity == 0;
    return answer( &run, pairs, pairCount, hasPlaces, NULL, hitCount, errorIndex );
}
