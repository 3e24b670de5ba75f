// SPDX-License-Identifier: MIT
// A unit of pairs in 2D: sorted into classes, round ones by their kinds and others by how many vertices the
// larger of the two has room for, so that lanes of a kernel have about as much to do.
#include "narrow_phase/flat_unit.h"

#include "base/float_env.h"
#include "narrow_phase/placed_polygon.h"
#include "narrow_phase/placed_round.h"

#include <stddef.h>
#include <string.h>

#define UNIT_WORDS ( JO_BATCH_UNIT / 64 )

// Pairs that rows are asked for before they are needed: about as long as memory takes to answer.
#define AHEAD 24u

// Classes of pairs: the first ones are those of joRoundCores, then those with room for 4, 8, 16 vertices,
// then those that have no kernel.
#define ROUND_CLASSES 4u
#define SINGLES 7u
#define CLASSES 8u
static const uint8_t s_vertexRooms[CLASSES] = { 0, 0, 0, 0, 4, 8, 16, 0 };

// By the classes of rows: where they stand among the kinds, and from which class of pairs on they are.
static const uint8_t s_kinds[jo_rowClassCount2] = { jo_circleShape2, jo_circleShape2, jo_capsuleShape2,
    jo_polygonShape2, jo_polygonShape2, jo_polygonShape2, jo_segmentShape2, jo_shapeKindCount2 };
static const uint8_t s_leastClasses[jo_rowClassCount2] = { 0, 0, 0, 4, 5, 6, 4, SINGLES };

// The pairs of a unit by class: class k from begins[k] to before begins[k + 1]. Those of a list of one class
// stay where they are.
typedef struct SortedPairs
{
    const joPair* pairs;
    bool areSorted; // else what follows but the begins is not set
    joPair own[JO_BATCH_UNIT];
    uint16_t places[JO_BATCH_UNIT]; // where it was
    bool areSwapped[JO_BATCH_UNIT];
    uint16_t begins[CLASSES + 1];
    uint32_t packed; // manifolds, if they are not sorted
} SortedPairs;

static uint32_t placeOf( const SortedPairs* sorted, uint32_t i )
{
    return sorted->areSorted ? sorted->places[i] : i;
}

static uint32_t classOf( const joFlatShapes* flat, joPair pair, bool* isSwapped )
{
    const joRowClass2 a = joRowClassOf2( flat, pair.a ), b = joRowClassOf2( flat, pair.b );
    *isSwapped = s_kinds[a] > s_kinds[b];
    const uint32_t leastA = s_leastClasses[a], leastB = s_leastClasses[b];
    const uint32_t least = leastA > leastB ? leastA : leastB;
    // Of round ones, how many are capsules.
    const uint32_t capsules = ( a == jo_capsuleRow2 ? 1u : 0u ) + ( b == jo_capsuleRow2 ? 1u : 0u );
    const uint32_t round = a == jo_dotRow2 ? (uint32_t)jo_dots : (uint32_t)jo_noCores + capsules;
    return least > 0 ? least : round;
}

static void keepPairs( const joFlatUnit* unit, uint32_t pairClass, SortedPairs* sorted )
{
    sorted->pairs = unit->pairs;
    for ( uint32_t k = 0; k <= CLASSES; ++k )
    {
        sorted->begins[k] = (uint16_t)( k <= pairClass ? 0 : unit->count );
    }
}

static void sortPairs( const joFlatUnit* unit, SortedPairs* sorted )
{
    const joFlatShapes* flat = &unit->batch->flat;
    uint8_t classes[JO_BATCH_UNIT];
    bool areSwapped[JO_BATCH_UNIT];
    uint16_t next[CLASSES + 1] = { 0 };
    sorted->areSorted = flat->isMixed;
    sorted->packed = 0;
    if ( !flat->isMixed )
    {
        bool isSwapped;
        keepPairs( unit, classOf( flat, unit->pairs[0], &isSwapped ), sorted );
        return;
    }
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
    sorted->pairs = sorted->own;
    for ( uint32_t i = 0; i < unit->count; ++i )
    {
        const uint32_t to = next[classes[i]]++;
        const joPair pair = unit->pairs[i];
        sorted->own[to] = areSwapped[i] ? ( joPair ){ pair.b, pair.a } : pair;
        sorted->places[to] = (uint16_t)i;
        sorted->areSwapped[to] = areSwapped[i];
    }
}

static void takeHit( const joFlatUnit* unit, uint32_t place )
{
    unit->words[place / 64] |= (uint64_t)1 << ( place % 64 );
}

// Of manifolds that stand one after the other, whose one is.
static void takeHitPair( const joFlatUnit* unit, uint32_t place, uint32_t packed )
{
    if ( unit->hitPairs != NULL )
    {
        unit->hitPairs[packed] = unit->firstPair + place;
    }
}

static void takeManifold( const joFlatUnit* unit, SortedPairs* sorted, uint32_t i, joManifold2* manifold )
{
    const uint32_t place = placeOf( sorted, i );
    takeHit( unit, place );
    const bool isSwapped = sorted->areSorted && sorted->areSwapped[i];
    if ( isSwapped )
    {
        joTurnManifold2( manifold );
    }
    if ( unit->normals != NULL )
    {
        unit->normals[place] = manifold->normal;
        unit->depths[place] = manifold->depth;
    }
    if ( unit->manifolds != NULL && sorted->areSorted )
    {
        unit->manifolds[place] = *manifold;
    }
    else if ( unit->manifolds != NULL && sorted->packed < unit->room )
    {
        takeHitPair( unit, place, sorted->packed );
        unit->manifolds[sorted->packed++] = *manifold;
    }
}

static bool wantsNumbers( const joFlatUnit* unit )
{
    return unit->normals != NULL || unit->manifolds != NULL;
}

// Rows of a class are asked for in lines of the cache.
static void prefetchPairs(
    const joFlatShapes* flat, const SortedPairs* sorted, uint32_t first, uint32_t end, uint32_t size )
{
    end = first + JO_POLYGON_BLOCK < end ? first + JO_POLYGON_BLOCK : end;
    for ( uint32_t i = first; i < end; ++i )
    {
        const char* rows[2] = { joRowOf2( flat, sorted->pairs[i].a ), joRowOf2( flat, sorted->pairs[i].b ) };
        for ( uint32_t at = 0; at < size; at += 64 )
        {
            __builtin_prefetch( rows[0] + at );
            __builtin_prefetch( rows[1] + at );
        }
    }
}

// A pair that may touch at two points.
static void answerRoundPair( const joFlatUnit* unit, SortedPairs* sorted, uint32_t i, joRoundCores cores )
{
    const joFlatShapes* flat = &unit->batch->flat;
    joManifold2 manifold = { .status = jo_collideComplete };
    joCollideRounds2( joRowOf2( flat, sorted->pairs[i].a ), joRowOf2( flat, sorted->pairs[i].b ), cores,
        unit->margin, &manifold );
    if ( manifold.pointCount > 0 )
    {
        takeManifold( unit, sorted, i, &manifold );
    }
}

// A round block's record, as the manifold that it begins.
static void fillRoundManifold( const float* record, joManifold2* manifold )
{
    _Static_assert( offsetof( joManifold2, points[1] ) == 7 * sizeof( float ), "as joRoundBlock says" );
    memcpy( manifold, record, offsetof( joManifold2, points[1] ) );
    manifold->points[1] = ( joManifoldPoint2 ){ .depth = 0.0f };
    manifold->pointCount = 1;
    manifold->status = jo_collideComplete;
    manifold->child = 0;
}

static void answerRoundBlock(
    const joFlatUnit* unit, SortedPairs* sorted, uint32_t first, uint32_t count, joRoundCores cores )
{
    const joFlatShapes* flat = &unit->batch->flat;
    const float* a[JO_ROUND_BLOCK];
    const float* b[JO_ROUND_BLOCK];
    for ( uint32_t k = 0; k < count; ++k )
    {
        a[k] = joRowOf2( flat, sorted->pairs[first + k].a );
        b[k] = joRowOf2( flat, sorted->pairs[first + k].b );
    }
    joRoundBlock block;
    const bool isDetailed = wantsNumbers( unit );
    uint32_t lanes = unit->batch->kernels->collideRounds[0](
        a, b, count, cores, unit->margin, &joRoundTolerances, isDetailed, &block );
    // Two points are of interest only where points are.
    const uint32_t open = unit->manifolds != NULL ? block.areAlike : 0;
    for ( ; lanes != 0; lanes &= lanes - 1 )
    {
        const uint32_t lane = (uint32_t)__builtin_ctz( lanes );
        if ( open >> lane & 1 )
        {
            answerRoundPair( unit, sorted, first + lane, cores );
        }
        else if ( isDetailed )
        {
            joManifold2 manifold;
            fillRoundManifold( block.records[lane], &manifold );
            takeManifold( unit, sorted, first + lane, &manifold );
        }
        else
        {
            takeHit( unit, placeOf( sorted, first + lane ) );
        }
    }
}

// Dots, in a list that has nothing else: without a look at classes, and each manifold is written once.
static void answerDots( const joFlatUnit* unit )
{
    const float* rows = unit->batch->flat.rows.data;
    uint32_t packed = 0;
    for ( uint32_t first = 0; first < unit->count; first += JO_ROUND_BLOCK )
    {
        const joPair* pairs = unit->pairs + first;
        const uint32_t left = unit->count - first, count = left < JO_ROUND_BLOCK ? left : JO_ROUND_BLOCK;
        const uint32_t ahead = left < AHEAD + JO_ROUND_BLOCK ? left : AHEAD + JO_ROUND_BLOCK;
        for ( uint32_t i = AHEAD; i < ahead; ++i )
        {
            __builtin_prefetch( rows + (size_t)4 * pairs[i].a );
            __builtin_prefetch( rows + (size_t)4 * pairs[i].b );
        }
        joRoundBlock block;
        const uint32_t hits = unit->batch->kernels->collideDots[0](
            rows, pairs, count, unit->margin, wantsNumbers( unit ), &block );
        unit->words[first / 64] |= (uint64_t)hits << ( first % 64 );
        for ( uint32_t lanes = unit->normals != NULL ? hits : 0; lanes != 0; lanes &= lanes - 1 )
        {
            const uint32_t lane = (uint32_t)__builtin_ctz( lanes );
            const float* record = block.records[lane];
            unit->normals[first + lane] = ( joVec2 ){ record[0], record[1] };
            unit->depths[first + lane] = record[2];
        }
        uint32_t lanes = unit->manifolds != NULL ? hits : 0;
        for ( ; lanes != 0 && packed < unit->room; lanes &= lanes - 1 )
        {
            const uint32_t lane = (uint32_t)__builtin_ctz( lanes );
            takeHitPair( unit, first + lane, packed );
            fillRoundManifold( block.records[lane], unit->manifolds + packed++ );
        }
    }
}

// A shape's row with room for so many vertices: its own, or one that is made in *own.
static const joPlacedPolygon* polygonRow(
    const joFlatShapes* flat, uint32_t i, uint32_t vertexRoom, joPlacedPolygon* own )
{
    const uint32_t room = joRowVertices2[joRowClassOf2( flat, i )];
    const void* row = joRowOf2( flat, i );
    if ( room == vertexRoom )
    {
        return row;
    }
    if ( room > 0 )
    {
        joWidenPlacedPolygon( row, vertexRoom, own );
    }
    else
    {
        joPlacePolygon( joShapeOf2( &flat->shapes, i ), joPoseOf2( &flat->shapes, i ), vertexRoom, own );
    }
    return own;
}

static void answerPolygonBlock(
    const joFlatUnit* unit, SortedPairs* sorted, uint32_t first, uint32_t count, uint32_t vertexRoom )
{
    const joFlatShapes* flat = &unit->batch->flat;
    joPlacedPolygon own[2][JO_POLYGON_BLOCK];
    const joPlacedPolygon* a[JO_POLYGON_BLOCK];
    const joPlacedPolygon* b[JO_POLYGON_BLOCK];
    for ( uint32_t k = 0; k < count; ++k )
    {
        a[k] = polygonRow( flat, sorted->pairs[first + k].a, vertexRoom, own[0] + k );
        b[k] = polygonRow( flat, sorted->pairs[first + k].b, vertexRoom, own[1] + k );
    }
    joPolygonBlock block;
    uint32_t lanes = unit->batch->kernels->collidePolygons(
        a, b, count, vertexRoom, unit->margin, &joFlatTolerance, &block );
    for ( ; lanes != 0; lanes &= lanes - 1 )
    {
        const uint32_t lane = (uint32_t)__builtin_ctz( lanes );
        joManifold2 manifold = { .status = jo_collideComplete };
        if ( joFillPolygonManifold( a[lane], b[lane], &block, lane, unit->margin, &manifold ) )
        {
            takeManifold( unit, sorted, first + lane, &manifold );
        }
    }
}

static void answerSingles( const joFlatUnit* unit, SortedPairs* sorted, uint32_t first, uint32_t count )
{
    const joPlacedShapes2* shapes = &unit->batch->flat.shapes;
    for ( uint32_t i = first; i < first + count; ++i )
    {
        const joPair pair = sorted->pairs[i];
        const joPlacedPair2 placed = { joShapeOf2( shapes, pair.a ), joShapeOf2( shapes, pair.b ),
            joPoseOf2( shapes, pair.a ), joPoseOf2( shapes, pair.b ) };
        joManifold2 manifold = { .status = jo_collideComplete };
        joFindPairFunctions2( placed.a->kind, placed.b->kind )
            ->collide( &placed, unit->margin, NULL, &manifold );
        if ( manifold.pointCount > 0 )
        {
            takeManifold( unit, sorted, i, &manifold );
        }
    }
}

// Bytes of a row that kernels read.
static uint32_t rowSizeOf( uint32_t pairClass )
{
    static const joRowClass2 largest[CLASSES] = { jo_dotRow2, jo_circleRow2, jo_capsuleRow2, jo_capsuleRow2,
        jo_fourRow2, jo_eightRow2, jo_sixteenRow2, jo_noRow2 };
    return joRowQuads2[largest[pairClass]] * (uint32_t)( 4 * sizeof( float ) );
}

void joAnswerFlatUnit( const joFlatUnit* unit )
{
    memset( unit->words, 0, UNIT_WORDS * sizeof( uint64_t ) );
    if ( unit->normals != NULL )
    {
        memset( unit->normals, 0, unit->count * sizeof( joVec2 ) );
        memset( unit->depths, 0, unit->count * sizeof( float ) );
    }
    if ( !unit->batch->flat.isMixed && unit->batch->flat.onlyClass == jo_dotRow2 )
    {
        answerDots( unit );
        return;
    }
    SortedPairs sorted;
    sortPairs( unit, &sorted );
    for ( uint32_t k = 0; k < CLASSES; ++k )
    {
        const uint32_t end = sorted.begins[k + 1];
        for ( uint32_t first = sorted.begins[k]; first < end; first += JO_POLYGON_BLOCK )
        {
            const uint32_t left = end - first, count = left < JO_POLYGON_BLOCK ? left : JO_POLYGON_BLOCK;
            prefetchPairs( &unit->batch->flat, &sorted, first + AHEAD, end, rowSizeOf( k ) );
            if ( k < ROUND_CLASSES )
            {
                answerRoundBlock( unit, &sorted, first, count, (joRoundCores)k );
            }
            else if ( k == SINGLES )
            {
                answerSingles( unit, &sorted, first, count );
            }
            else
            {
                answerPolygonBlock( unit, &sorted, first, count, s_vertexRooms[k] );
            }
        }
    }
}
