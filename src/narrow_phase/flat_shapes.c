// SPDX-License-Identifier: MIT
// The shapes in 2D of a batch: checked, and placed in the world. Two passes over blocks of them: the first
// checks and says how much room the rows of each block take; then it is known where they begin, and the
// second writes them.
#include "narrow_phase/flat_shapes.h"

#include "base/atomic_least.h"
#include "base/float_env.h"
#include "narrow_phase/placed_polygon.h"
#include "narrow_phase/placed_round.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define SHAPE_BLOCK 256u

// Beside the bits of classes: there is a circle that is not about the origin of its body.
#define OFF_CENTRE ( 1u << 31 )
#define QUAD_SIZE ( 4 * sizeof( float ) )

#define POLYGON_QUADS( vertices ) ( ( JO_PLACED_VERTICES_AT + 4 * ( ( vertices ) + 1 ) ) / 4 )

const uint8_t joRowQuads2[jo_rowClassCount2] = { JO_PLACED_DOT_SIZE / QUAD_SIZE,
    JO_PLACED_CIRCLE_SIZE / QUAD_SIZE, sizeof( joPlacedRound2 ) / QUAD_SIZE, POLYGON_QUADS( 4 ),
    POLYGON_QUADS( 8 ), POLYGON_QUADS( 16 ), POLYGON_QUADS( 4 ), 0 };

const uint8_t joRowVertices2[jo_rowClassCount2] = { 0, 0, 0, 4, 8, 16, 4, 0 };

void joFlatShapes_Free( joFlatShapes* flat, joMemory* memory )
{
    joArray_Free( &flat->rows, memory, QUAD_SIZE );
    joArray_Free( &flat->places, memory, sizeof( uint64_t ) );
    joArray_Free( &flat->blocks, memory, sizeof( uint64_t ) );
}

static uint32_t blockCountOf( uint32_t shapeCount )
{
    return (uint32_t)( ( (uint64_t)shapeCount + SHAPE_BLOCK - 1 ) / SHAPE_BLOCK );
}

joResult joFlatShapes_Reserve( joFlatShapes* flat, joMemory* memory, uint32_t shapeCount )
{
    joResult result = joArray_Reserve(
        &flat->rows, memory, (uint64_t)shapeCount * joRowQuads2[jo_sixteenRow2], QUAD_SIZE, 0 );
    result = result ? result : joArray_Reserve( &flat->places, memory, shapeCount, sizeof( uint64_t ), 0 );
    return result
               ? result
               : joArray_Reserve( &flat->blocks, memory, blockCountOf( shapeCount ), sizeof( uint64_t ), 0 );
}

static joRowClass2 classOf( const joShape2* shape )
{
    switch ( shape->kind )
    {
        case jo_circleShape2:
            return jo_circleRow2;
        case jo_capsuleShape2:
            return jo_capsuleRow2;
        case jo_segmentShape2:
            return jo_segmentRow2;
        case jo_polygonShape2:
            return shape->polygon->count <= 4   ? jo_fourRow2
                   : shape->polygon->count <= 8 ? jo_eightRow2
                                                : jo_sixteenRow2;
        case jo_chainShape2:
        case jo_shapeKindCount2:
            break;
    }
    return jo_noRow2;
}

typedef struct ShapePass
{
    const joFlatShapes* flat;
    const joPlacedShapes2* shapes;
    atomic_uint_least32_t firstBad; // index, JO_NULL_INDEX of none
    atomic_uint classes, kinds;     // bits
} ShapePass;

// What most shapes are, at little cost; the check proper tells what is wrong with others.
static bool isPlainlyGood( const joShape2* shape, const joTransform2* pose )
{
    const joRot2 turn = pose->rotation;
    const bool isTurn =
        fabsf( turn.c ) <= FLT_MAX && fabsf( turn.s ) <= FLT_MAX && fabsf( turn.c ) + fabsf( turn.s ) > 0.0f;
    const bool isPose =
        fabsf( pose->position.x ) <= FLT_MAX && fabsf( pose->position.y ) <= FLT_MAX && isTurn;
    const joCircle2* circle = &shape->circle;
    const joCapsule2* capsule = &shape->capsule;
    switch ( shape->kind )
    {
        case jo_circleShape2:
            return isPose && fabsf( circle->center.x ) <= JO_MAX_SIZE &&
                   fabsf( circle->center.y ) <= JO_MAX_SIZE && circle->radius >= 0.0f &&
                   circle->radius <= JO_MAX_SIZE;
        case jo_capsuleShape2:
            return isPose && fabsf( capsule->a.x ) <= JO_MAX_SIZE && fabsf( capsule->a.y ) <= JO_MAX_SIZE &&
                   fabsf( capsule->b.x ) <= JO_MAX_SIZE && fabsf( capsule->b.y ) <= JO_MAX_SIZE &&
                   capsule->radius >= 0.0f && capsule->radius <= JO_MAX_SIZE;
        default:
            return false;
    }
}

static joResult checkShape( const joPlacedShapes2* shapes, uint32_t i )
{
    if ( isPlainlyGood( joShapeOf2( shapes, i ), joPoseOf2( shapes, i ) ) )
    {
        return jo_success;
    }
    joResult result = joCheckShape2( joShapeOf2( shapes, i ) );
    return result ? result : joCheckTransform2( joPoseOf2( shapes, i ) );
}

static bool isOffCentre( const joShape2* shape )
{
    return shape->kind == jo_circleShape2 &&
           ( shape->circle.center.x != 0.0f || shape->circle.center.y != 0.0f );
}

static uint32_t endOfBlock( const joPlacedShapes2* shapes, uint32_t block )
{
    const uint32_t first = block * SHAPE_BLOCK, left = shapes->count - first;
    return first + ( left < SHAPE_BLOCK ? left : SHAPE_BLOCK );
}

static void checkBlock( ShapePass* pass, uint32_t block )
{
    const uint32_t end = endOfBlock( pass->shapes, block );
    uint32_t classes = 0, kinds = 0;
    uint64_t quads = 0;
    for ( uint32_t i = block * SHAPE_BLOCK; i < end; ++i )
    {
        if ( checkShape( pass->shapes, i ) != jo_success )
        {
            joAtomic_Lower( &pass->firstBad, i );
            return;
        }
        const joRowClass2 rowClass = classOf( joShapeOf2( pass->shapes, i ) );
        classes |= 1u << rowClass | ( isOffCentre( joShapeOf2( pass->shapes, i ) ) ? OFF_CENTRE : 0 );
        kinds |= 1u << joShapeOf2( pass->shapes, i )->kind;
        quads += joRowQuads2[rowClass];
    }
    ( (uint64_t*)pass->flat->blocks.data )[block] = quads;
    atomic_fetch_or( &pass->classes, classes );
    atomic_fetch_or( &pass->kinds, kinds );
}

static void checkBlocks( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)worker;
    for ( uint32_t block = begin; block < end; ++block )
    {
        checkBlock( context, block );
    }
}

static void placeShape( const joShape2* shape, const joTransform2* pose, joRowClass2 rowClass, float* row )
{
    if ( rowClass == jo_noRow2 )
    {
        return;
    }
    if ( joRowVertices2[rowClass] > 0 )
    {
        joPlacePolygon( shape, pose, joRowVertices2[rowClass], (joPlacedPolygon*)(void*)row );
        return;
    }
    const joPlacedRound2 placed = joPlaceRound2( shape, pose );
    memcpy( row, placed.position, joRowQuads2[rowClass] * QUAD_SIZE );
}

static void placeBlock( const joFlatShapes* flat, uint32_t block )
{
    const uint32_t end = endOfBlock( &flat->shapes, block );
    uint64_t quad = ( (const uint64_t*)flat->blocks.data )[block];
    for ( uint32_t i = block * SHAPE_BLOCK; i < end; ++i )
    {
        const joShape2* shape = joShapeOf2( &flat->shapes, i );
        const joRowClass2 rowClass = flat->isMixed ? classOf( shape ) : flat->onlyClass;
        placeShape( shape, joPoseOf2( &flat->shapes, i ), rowClass, (float*)flat->rows.data + 4 * quad );
        if ( flat->isMixed )
        {
            ( (uint64_t*)flat->places.data )[i] = quad << 3 | rowClass;
        }
        quad += joRowQuads2[rowClass];
    }
}

static void placeBlocks( uint32_t begin, uint32_t end, uint32_t worker, void* context )
{
    (void)worker;
    for ( uint32_t block = begin; block < end; ++block )
    {
        placeBlock( context, block );
    }
}

// Where the rows of each block begin, instead of how long they are. Returns how long all are. `areDots`: they
// take less than was thought.
static uint64_t layOutBlocks( joFlatShapes* flat, uint32_t blockCount, bool areDots )
{
    uint64_t* blocks = flat->blocks.data;
    uint64_t total = 0;
    for ( uint32_t i = 0; i < blockCount; ++i )
    {
        const uint64_t quads =
            areDots ? blocks[i] / joRowQuads2[jo_circleRow2] * joRowQuads2[jo_dotRow2] : blocks[i];
        blocks[i] = total;
        total += quads;
    }
    return total;
}

joResult joFlatShapes_Set(
    joFlatShapes* flat, joMemory* memory, joJobs* jobs, const joPlacedShapes2* shapes, uint32_t* errorIndex )
{
    const uint32_t count = shapes->count, blockCount = blockCountOf( count );
    ShapePass pass = { .flat = flat, .shapes = shapes };
    atomic_init( &pass.firstBad, JO_NULL_INDEX );
    atomic_init( &pass.classes, 0 );
    atomic_init( &pass.kinds, 0 );
    joResult result = joArray_ReserveSlack( &flat->blocks, memory, blockCount, sizeof( uint64_t ), 0 );
    if ( result )
    {
        return result;
    }
    joParallelFor( jobs, blockCount, 1, checkBlocks, &pass );
    const uint32_t firstBad = atomic_load( &pass.firstBad );
    if ( firstBad != JO_NULL_INDEX )
    {
        *errorIndex = firstBad;
        return checkShape( shapes, firstBad );
    }
    const uint32_t seen = atomic_load( &pass.classes ), classes = seen & ~OFF_CENTRE;
    const bool isMixed = ( classes & ( classes - 1 ) ) != 0, areDots = seen == 1u << jo_circleRow2;
    const uint64_t quads = layOutBlocks( flat, blockCount, areDots );
    // A failure leaves the shapes that there are.
    result = joArray_ReserveSlack( &flat->places, memory, isMixed ? count : 0, sizeof( uint64_t ),
        flat->isMixed ? flat->shapes.count : 0 );
    result = result ? result : joArray_ReserveSlack( &flat->rows, memory, quads, QUAD_SIZE, 0 );
    if ( result )
    {
        return result;
    }
    flat->shapes = *shapes;
    flat->isComplete = joHaveAllFunctions2( atomic_load( &pass.kinds ) );
    flat->isMixed = isMixed;
    flat->onlyClass = isMixed || areDots || classes == 0 ? jo_dotRow2 : (joRowClass2)__builtin_ctz( classes );
    joParallelFor( jobs, blockCount, 1, placeBlocks, flat );
    return jo_success;
}
