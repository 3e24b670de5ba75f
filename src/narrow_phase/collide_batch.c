// SPDX-License-Identifier: MIT
// Batches of pairs: create, destroy, and the shapes that pairs name.
#include "narrow_phase/collide_batch.h"

#include "base/assert.h"
#include "base/atomic_least.h"
#include "base/float_env.h"
#include "narrow_phase/placed_box.h"

#include <stdatomic.h>

#define BATCH_COOKIE 0x6A6F4342u

// Shapes that a worker takes at a time.
#define SHAPE_BLOCK 512u

#define QUAD_SIZE ( 4 * sizeof( float ) )

joCollideBatchDef joDefaultCollideBatchDef( void )
{
    return ( joCollideBatchDef ){ .internalCookie = BATCH_COOKIE };
}

// What there is is kept, for there may be no room for all of it.
static joResult reserveShapes( joCollideBatch* batch, uint32_t count, uint32_t roundQuads )
{
    const uint32_t before = batch->shapes.count;
    joResult result =
        joArray_ReserveSlack( &batch->boxes, &batch->memory, count, sizeof( joPlacedBox ), before );
    result = result
                 ? result
                 : joArray_ReserveSlack( &batch->rests, &batch->memory, count, sizeof( joBoxRest ), before );
    return result ? result
                  : joArray_ReserveSlack( &batch->rounds, &batch->memory, (uint64_t)roundQuads * count,
                        QUAD_SIZE, (uint64_t)batch->roundQuads * before );
}

static joResult initBatch( joCollideBatch* batch, const joCollideBatchDef* def )
{
    joResult result;
    batch->kernels = joGetKernels( &result );
    if ( result == jo_success )
    {
        result = reserveShapes( batch, def->shapeReserve, joRoundQuadsOf( UINT32_MAX, false ) );
    }
    if ( result == jo_success )
    {
        result = joReserveBatchPairs( batch, def->pairReserve );
    }
    if ( result == jo_success )
    {
        result = joReserveBatch2( batch, def->shapeReserve2, def->pairReserve2 );
    }
    batch->memory.fixed = def->fixedCapacity;
    return result;
}

joResult joCreateCollideBatch( const joCollideBatchDef* def, joCollideBatch** batch )
{
    if ( def == NULL || batch == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *batch = NULL;
    if ( def->internalCookie != BATCH_COOKIE || !joAllocator_IsValid( &def->allocator ) )
    {
        return JO_MISUSE( jo_errorBadDef );
    }
    joCollideBatch* made = joAllocateObject( &def->allocator, sizeof( joCollideBatch ) );
    if ( made == NULL )
    {
        return jo_errorOutOfMemory;
    }
    joResult result = joMemory_Init( &made->memory, &def->allocator );
    if ( result != jo_success )
    {
        joFreeObject( &def->allocator, made, sizeof( joCollideBatch ) );
        return result;
    }
    made->jobs = def->jobs;
    result = initBatch( made, def );
    if ( result != jo_success )
    {
        joDestroyCollideBatch( made );
        return result;
    }
    *batch = made;
    return jo_success;
}

void joDestroyCollideBatch( joCollideBatch* batch )
{
    if ( batch == NULL )
    {
        return;
    }
    joArray_Free( &batch->boxes, &batch->memory, sizeof( joPlacedBox ) );
    joArray_Free( &batch->rests, &batch->memory, sizeof( joBoxRest ) );
    joArray_Free( &batch->rounds, &batch->memory, QUAD_SIZE );
    joArray_Free( &batch->words, &batch->memory, sizeof( uint64_t ) );
    joArray_Free( &batch->counts, &batch->memory, sizeof( uint32_t ) );
    joFlatShapes_Free( &batch->flat, &batch->memory );
    joArray_Free( &batch->manifolds2, &batch->memory, sizeof( joManifold2 ) );
    const joAllocator allocator = batch->memory.allocator;
    joMemory_Destroy( &batch->memory );
    joFreeObject( &allocator, batch, sizeof( joCollideBatch ) );
}

typedef struct ShapeCheck
{
    const joPlacedShapes3* shapes;
    atomic_uint_least32_t firstBad; // index, JO_NULL_INDEX of none
    atomic_uint kinds;              // bits
    atomic_bool haveRests;
    atomic_bool haveOffCentre; // spheres
} ShapeCheck;

static joResult checkShape( const joPlacedShapes3* shapes, uint32_t i )
{
    joResult result = joCheckShape3( joShapeOf( shapes, i ) );
    return result ? result : joCheckTransform3( joPoseOf( shapes, i ) );
}

static bool isOffCentre( const joShape3* shape )
{
    const joVec3 center = shape->sphere.center;
    return shape->kind == jo_sphereShape3 && ( center.x != 0.0f || center.y != 0.0f || center.z != 0.0f );
}

static void checkBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    ShapeCheck* check = context;
    (void)worker;
    uint32_t kinds = 0;
    bool haveRests = false, haveOffCentre = false;
    for ( uint32_t i = begin; i < end; ++i )
    {
        const joShape3* shape = joShapeOf( check->shapes, i );
        if ( shape->kind == jo_boxShape3 && joIsPlainBox( &shape->box, joPoseOf( check->shapes, i ) ) )
        {
            kinds |= 1u << jo_boxShape3;
            continue;
        }
        if ( checkShape( check->shapes, i ) != jo_success )
        {
            joAtomic_Lower( &check->firstBad, i );
            return;
        }
        kinds |= 1u << shape->kind;
        haveRests = haveRests || ( shape->kind == jo_boxShape3 && joHasRest( &shape->box ) );
        haveOffCentre = haveOffCentre || isOffCentre( shape );
    }
    atomic_fetch_or( &check->kinds, kinds );
    if ( haveRests )
    {
        atomic_store( &check->haveRests, true );
    }
    if ( haveOffCentre )
    {
        atomic_store( &check->haveOffCentre, true );
    }
}

static void placeBlock( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    joCollideBatch* batch = context;
    joPlacedBox* boxes = batch->boxes.data;
    joBoxRest* rests = batch->rests.data;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        const joShape3* shape = joShapeOf( &batch->shapes, i );
        if ( shape->kind == jo_boxShape3 )
        {
            joBoxRest rest;
            joPlaceBox( &shape->box, joPoseOf( &batch->shapes, i ), boxes + i, &rest );
            if ( batch->haveRests )
            {
                rests[i] = rest;
            }
        }
        else if ( joIsRound3( shape->kind ) )
        {
            joPlaceRoundRow( batch, i );
        }
    }
}

// Of all pairs, where shapes are of one kind.
static const joBatchFunctions3* functionsOf( uint32_t kinds )
{
    const bool areOne = kinds != 0 && ( kinds & ( kinds - 1 ) ) == 0;
    const joShapeKind3 kind = areOne ? (joShapeKind3)__builtin_ctz( kinds ) : jo_sphereShape3;
    return areOne ? joFindBatchFunctions3( kind, kind ) : NULL;
}

static joResult setShapes( joCollideBatch* batch, const joPlacedShapes3* shapes, uint32_t* errorIndex )
{
    if ( batch == NULL || shapes == NULL ||
         ( shapes->count > 0 && ( shapes->shape.data == NULL || shapes->pose.data == NULL ) ) )
    {
        return jo_errorNullArgument;
    }
    ShapeCheck check = { .shapes = shapes };
    atomic_init( &check.firstBad, JO_NULL_INDEX );
    atomic_init( &check.kinds, 0 );
    atomic_init( &check.haveRests, false );
    atomic_init( &check.haveOffCentre, false );
    joParallelFor( batch->jobs, shapes->count, SHAPE_BLOCK, checkBlock, &check );
    const uint32_t firstBad = atomic_load( &check.firstBad );
    if ( firstBad != JO_NULL_INDEX )
    {
        *errorIndex = firstBad;
        return checkShape( shapes, firstBad );
    }
    const uint32_t kinds = atomic_load( &check.kinds ),
                   roundQuads = joRoundQuadsOf( kinds, !atomic_load( &check.haveOffCentre ) );
    joResult result = reserveShapes( batch, shapes->count, roundQuads );
    if ( result == jo_success )
    {
        batch->shapes = *shapes;
        batch->haveRests = atomic_load( &check.haveRests );
        batch->roundQuads = roundQuads;
        batch->onlyFunctions = functionsOf( kinds );
        batch->isComplete = joHaveAllFunctions3( kinds );
        joParallelFor( batch->jobs, shapes->count, SHAPE_BLOCK, placeBlock, batch );
    }
    return result;
}

joResult joCollideBatch_SetShapes3(
    joCollideBatch* batch, const joPlacedShapes3* shapes, uint32_t* errorIndex )
{
    uint32_t bad = JO_NULL_INDEX;
    joFloatEnv env = joFloatEnv_Enter();
    const joResult result = setShapes( batch, shapes, &bad );
    joFloatEnv_Leave( env );
    return joReportAt( result, bad, errorIndex );
}
