// SPDX-License-Identifier: MIT
// Neighbours: rows from the sorted list of pairs, by counting (Knuth, "The Art of Computer Programming", vol.
// 3, 5.2, "distribution counting").
//
// Pairs are taken in order, and each puts b into the row of a and a into the row of b. That leaves the rows
// sorted: the row of k gets those below k from pairs (a, k), in order of a, all of which stand before the
// pairs (k, b), which bring those above k in order of b.
//
// Over threads each worker fills rows of its own: it goes through all pairs before its last row, and leaves
// those alone that have nothing to do with its rows. Reading them costs far less than writing rows, which is
// at random; and no counters have to be kept for each worker.
#include "jostle/neighbours.h"
#include "base/assert.h"
#include "base/float_env.h"
#include "base/radix_sort.h"
#include "front.h"

#include <string.h>

// Keys that span at most so many times their number get a table of rows, others a hash map.
#define TABLE_SPAN 4u
#define TABLE_FLOOR 64u
// Fewer pairs than this are not worth another worker.
#define PART_PAIRS 16384u
#define TRANSLATE_BLOCK 8192u

void joNeighbourStore_Free( joNeighbourStore* store, joMemory* memory )
{
    joArray_Free( &store->keys, memory, sizeof( uint32_t ) );
    joArray_Free( &store->offsets, memory, sizeof( uint64_t ) );
    joArray_Free( &store->neighbours, memory, sizeof( uint32_t ) );
    joArray_Free( &store->rowPairs, memory, sizeof( joPair ) );
    joArray_Free( &store->gathered, memory, sizeof( uint32_t ) );
    joArray_Free( &store->items, memory, sizeof( joKeyValue ) );
    joArray_Free( &store->rows, memory, sizeof( uint32_t ) );
    joKeyMap_Free( &store->rowMap, memory );
}

static joResult reserveRows( joNeighbourStore* store, joMemory* memory, uint32_t rowCount )
{
    joResult result = joArray_ReserveSlack( &store->keys, memory, rowCount, sizeof( uint32_t ), 0 );
    if ( result == jo_success )
    {
        // Two more: the starts of the rows are counted one place further on, see makeRows.
        result =
            joArray_ReserveSlack( &store->offsets, memory, (uint64_t)rowCount + 2, sizeof( uint64_t ), 0 );
    }
    return result;
}

joResult joNeighbourStore_Reserve(
    joNeighbourStore* store, joMemory* memory, uint32_t objectCount, uint64_t neighbourCount )
{
    joResult result = reserveRows( store, memory, objectCount );
    if ( result == jo_success )
    {
        result = joArray_Reserve( &store->neighbours, memory, neighbourCount, sizeof( uint32_t ), 0 );
    }
    if ( result == jo_success )
    {
        result = joArray_Reserve( &store->rowPairs, memory, neighbourCount / 2, sizeof( joPair ), 0 );
    }
    if ( result == jo_success )
    {
        result = joArray_Reserve( &store->gathered, memory, objectCount, sizeof( uint32_t ), 0 );
    }
    if ( result == jo_success )
    {
        result = joArray_Reserve( &store->items, memory, 2 * (uint64_t)objectCount, sizeof( joKeyValue ), 0 );
    }
    if ( result == jo_success )
    {
        const uint64_t span = (uint64_t)TABLE_SPAN * objectCount + TABLE_FLOOR;
        result = joArray_Reserve( &store->rows, memory, span, sizeof( uint32_t ), 0 );
    }
    if ( result == jo_success )
    {
        result = joKeyMap_Reserve( &store->rowMap, memory, objectCount );
    }
    return result;
}

typedef struct KeyRange
{
    uint32_t lowest, highest;
    bool isNew; // the keys are not those of the last time
} KeyRange;

// The keys of all objects, in the order in which the sets have them.
static KeyRange gatherKeys( const joBroadPhase* front, bool isNew, uint32_t* keys )
{
    KeyRange range = { UINT32_MAX, 0, isNew };
    uint32_t count = 0;
    for ( int i = 0; i < JO_SET_COUNT; ++i )
    {
        const joObjectSet* set = &front->sets[i];
        for ( uint32_t slot = 0; slot < set->count; ++slot )
        {
            const joBoxRecord* record = joObjectSet_Records( set ) + slot;
            if ( ( record->flags & JO_FLAG_FREE ) == 0 )
            {
                range.isNew = range.isNew || keys[count] != record->key;
                keys[count++] = record->key;
                range.lowest = record->key < range.lowest ? record->key : range.lowest;
                range.highest = record->key > range.highest ? record->key : range.highest;
            }
        }
    }
    return range;
}

// Sorts keys that lie close together, by marking them in a table, which then gets their rows.
static joResult sortClose( joNeighbourStore* store, joMemory* memory, uint32_t rowCount, KeyRange range )
{
    const uint64_t span = (uint64_t)range.highest - range.lowest + 1;
    const joResult result = joArray_ReserveSlack( &store->rows, memory, span, sizeof( uint32_t ), 0 );
    if ( result != jo_success )
    {
        return result;
    }
    const uint32_t* gathered = store->gathered.data;
    uint32_t* keys = store->keys.data;
    uint32_t* rows = store->rows.data;
    memset( rows, 0, (size_t)span * sizeof( uint32_t ) );
    for ( uint32_t i = 0; i < rowCount; ++i )
    {
        rows[gathered[i] - range.lowest] = 1;
    }
    uint32_t row = 0;
    for ( uint64_t k = 0; k < span; ++k )
    {
        if ( rows[k] != 0 )
        {
            keys[row] = range.lowest + (uint32_t)k;
            rows[k] = row++;
        }
    }
    JO_ASSERT( row == rowCount );
    store->rowOf = ( joRowOf ){ .table = rows, .lowest = range.lowest };
    return jo_success;
}

static joResult sortScattered( joNeighbourStore* store, joMemory* memory, uint32_t rowCount )
{
    joResult result =
        joArray_ReserveSlack( &store->items, memory, 2 * (uint64_t)rowCount, sizeof( joKeyValue ), 0 );
    if ( result == jo_success )
    {
        result = joKeyMap_Reserve( &store->rowMap, memory, rowCount );
    }
    if ( result != jo_success )
    {
        return result;
    }
    const uint32_t* gathered = store->gathered.data;
    uint32_t* keys = store->keys.data;
    joKeyValue* items = store->items.data;
    for ( uint32_t i = 0; i < rowCount; ++i )
    {
        items[i] = ( joKeyValue ){ gathered[i], 0 };
    }
    items = joRadixSort_KeyValues( items, items + rowCount, rowCount );
    joKeyMap_Clear( &store->rowMap );
    for ( uint32_t row = 0; row < rowCount; ++row )
    {
        keys[row] = items[row].key;
        joKeyMap_Set( &store->rowMap, items[row].key, row );
    }
    store->rowOf = ( joRowOf ){ .map = &store->rowMap };
    return jo_success;
}

// Fills store->keys with the sorted keys of all objects.
static joResult sortKeys( joBroadPhase* front, uint32_t rowCount )
{
    joNeighbourStore* store = &front->neighbours;
    const uint32_t knownCount = store->gatheredCount;
    store->gatheredCount = 0;
    const joObjectSet* moving = &front->sets[JO_SET_MOVING];
    if ( rowCount == 0 || ( moving->identityKeys && moving->count == rowCount ) )
    {
        uint32_t* keys = store->keys.data;
        store->rowOf = ( joRowOf ){ NULL, NULL, 0 };
        for ( uint32_t i = 0; i < rowCount; ++i )
        {
            keys[i] = i;
        }
        return jo_success;
    }
    joResult result =
        joArray_ReserveSlack( &store->gathered, &front->memory, rowCount, sizeof( uint32_t ), knownCount );
    if ( result != jo_success )
    {
        return result;
    }
    const KeyRange range = gatherKeys( front, knownCount != rowCount, store->gathered.data );
    if ( range.isNew )
    {
        const uint64_t span = (uint64_t)range.highest - range.lowest + 1;
        result = span <= (uint64_t)TABLE_SPAN * rowCount + TABLE_FLOOR
                     ? sortClose( store, &front->memory, rowCount, range )
                     : sortScattered( store, &front->memory, rowCount );
    }
    store->gatheredCount = result == jo_success ? rowCount : 0;
    return result;
}

typedef struct TranslateContext
{
    const joPair* pairs;
    joPair* rowPairs;
    joRowOf rowOf;
    uint64_t count;
} TranslateContext;

static void translateBlocks( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    const TranslateContext* context = userContext;
    (void)worker;
    const uint64_t first = (uint64_t)begin * TRANSLATE_BLOCK;
    const uint64_t last =
        (uint64_t)end * TRANSLATE_BLOCK < context->count ? (uint64_t)end * TRANSLATE_BLOCK : context->count;
    const joRowOf rowOf = context->rowOf;
    joPair before = { 0, 0 }; // as keys
    uint32_t rowOfA = 0;
    for ( uint64_t i = first; i < last; ++i )
    {
        const joPair pair = context->pairs[i];
        if ( rowOf.table != NULL )
        {
            context->rowPairs[i] =
                ( joPair ){ rowOf.table[pair.a - rowOf.lowest], rowOf.table[pair.b - rowOf.lowest] };
            continue;
        }
        // Pairs with the same a follow each other.
        rowOfA = i > first && pair.a == before.a ? rowOfA : joKeyMap_Find( rowOf.map, pair.a );
        context->rowPairs[i] = ( joPair ){ rowOfA, joKeyMap_Find( rowOf.map, pair.b ) };
        before = pair;
    }
}

// The pairs as pairs of rows, which are sorted like them.
static joResult translatePairs( joBroadPhase* front, const joPair** rowPairs )
{
    joNeighbourStore* store = &front->neighbours;
    *rowPairs = front->answer;
    if ( store->rowOf.table == NULL && store->rowOf.map == NULL )
    {
        return jo_success;
    }
    const uint64_t count = front->answerCount;
    const joResult result =
        joArray_ReserveSlack( &store->rowPairs, &front->memory, count, sizeof( joPair ), 0 );
    if ( result == jo_success )
    {
        TranslateContext context = { front->answer, store->rowPairs.data, store->rowOf, count };
        joParallelFor( front->def.jobs, (uint32_t)( ( count + TRANSLATE_BLOCK - 1 ) / TRANSLATE_BLOCK ), 1,
            translateBlocks, &context );
        *rowPairs = store->rowPairs.data;
    }
    return result;
}

typedef struct FillContext
{
    const joPair* pairs; // of rows
    uint64_t pairCount;
    const uint32_t* keys;
    uint64_t* offsets;
    uint32_t* neighbours;
    uint32_t rowCount;
    uint32_t partCount;
} FillContext;

// The first pair whose a is `row` or more.
static uint64_t findPair( const FillContext* context, uint32_t row )
{
    uint64_t begin = 0;
    uint64_t end = context->pairCount;
    while ( begin < end )
    {
        const uint64_t middle = begin + ( end - begin ) / 2;
        if ( context->pairs[middle].a < row )
        {
            begin = middle + 1;
        }
        else
        {
            end = middle;
        }
    }
    return begin;
}

static void partRows( const FillContext* context, uint32_t part, uint32_t* first, uint32_t* last )
{
    *first = (uint32_t)( (uint64_t)context->rowCount * part / context->partCount );
    *last = (uint32_t)( (uint64_t)context->rowCount * ( part + 1 ) / context->partCount );
}

// How many neighbours each row has goes to the row's offset, two places further on.
static void countParts( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    const FillContext* context = userContext;
    (void)worker;
    for ( uint32_t part = begin; part < end; ++part )
    {
        uint32_t first, last;
        partRows( context, part, &first, &last );
        uint64_t* counts = context->offsets + 2;
        memset( counts + first, 0, ( last - first ) * sizeof( uint64_t ) );
        const uint64_t ownBegin = findPair( context, first );
        const uint64_t ownEnd = findPair( context, last );
        for ( uint64_t i = 0; i < ownBegin; ++i )
        {
            const uint32_t b = context->pairs[i].b;
            if ( b >= first && b < last )
            {
                counts[b] += 1;
            }
        }
        for ( uint64_t i = ownBegin; i < ownEnd; ++i )
        {
            const joPair pair = context->pairs[i];
            counts[pair.a] += 1;
            if ( pair.b < last )
            {
                counts[pair.b] += 1;
            }
        }
    }
}

// The start of each row stands one place further on, and moves to its end.
static void fillParts( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    const FillContext* context = userContext;
    (void)worker;
    for ( uint32_t part = begin; part < end; ++part )
    {
        uint32_t first, last;
        partRows( context, part, &first, &last );
        uint64_t* places = context->offsets + 1;
        const uint64_t ownBegin = findPair( context, first );
        const uint64_t ownEnd = findPair( context, last );
        for ( uint64_t i = 0; i < ownBegin; ++i )
        {
            const joPair pair = context->pairs[i];
            if ( pair.b >= first && pair.b < last )
            {
                context->neighbours[places[pair.b]++] = context->keys[pair.a];
            }
        }
        for ( uint64_t i = ownBegin; i < ownEnd; ++i )
        {
            const joPair pair = context->pairs[i];
            context->neighbours[places[pair.a]++] = context->keys[pair.b];
            if ( pair.b < last )
            {
                context->neighbours[places[pair.b]++] = context->keys[pair.a];
            }
        }
    }
}

static void makeRows( joBroadPhase* front, const joPair* rowPairs, uint32_t rowCount )
{
    joNeighbourStore* store = &front->neighbours;
    const uint64_t wanted = front->answerCount / PART_PAIRS + 1;
    const uint32_t workerCount = front->context.workerCount;
    FillContext context = { .pairs = rowPairs,
        .pairCount = front->answerCount,
        .keys = store->keys.data,
        .offsets = store->offsets.data,
        .neighbours = store->neighbours.data,
        .rowCount = rowCount,
        .partCount = wanted < workerCount ? (uint32_t)wanted : workerCount };
    uint64_t* offsets = context.offsets;
    offsets[0] = 0;
    offsets[1] = 0;
    joParallelFor( front->def.jobs, context.partCount, 1, countParts, &context );
    for ( uint32_t row = 0; row < rowCount; ++row )
    {
        offsets[row + 2] += offsets[row + 1];
    }
    joParallelFor( front->def.jobs, context.partCount, 1, fillParts, &context );
}

static joResult find( joBroadPhase* front )
{
    joNeighbourStore* store = &front->neighbours;
    if ( !front->answerHolds || !front->def.sortPairs )
    {
        front->collector.sortPairs = true;
        const joResult found = joFront_FindPairs( front );
        front->collector.sortPairs = front->def.sortPairs;
        if ( found != jo_success )
        {
            return found;
        }
    }
    if ( front->answerCount < front->pairCount )
    {
        return jo_errorCapacity; // rows would lack neighbours
    }
    uint32_t rowCount = 0;
    for ( int i = 0; i < JO_SET_COUNT; ++i )
    {
        rowCount += front->sets[i].liveCount;
    }
    joResult result = reserveRows( store, &front->memory, rowCount );
    if ( result == jo_success )
    {
        result = joArray_ReserveSlack(
            &store->neighbours, &front->memory, 2 * front->answerCount, sizeof( uint32_t ), 0 );
    }
    const joPair* rowPairs = NULL;
    if ( result == jo_success )
    {
        result = sortKeys( front, rowCount );
    }
    if ( result == jo_success )
    {
        result = translatePairs( front, &rowPairs );
    }
    if ( result == jo_success )
    {
        makeRows( front, rowPairs, rowCount );
        store->rowCount = rowCount;
        store->holds = true;
    }
    return result;
}

joResult joBroadPhase_FindNeighbours( joBroadPhase* broadPhase, joNeighbours* neighbours )
{
    if ( neighbours != NULL )
    {
        *neighbours = ( joNeighbours ){ NULL, NULL, NULL, 0 };
    }
    if ( broadPhase == NULL || neighbours == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    joNeighbourStore* store = &broadPhase->neighbours;
    const joResult result = store->holds ? jo_success : find( broadPhase );
    if ( result == jo_success )
    {
        *neighbours = ( joNeighbours ){
            store->keys.data, store->offsets.data, store->neighbours.data, store->rowCount };
    }
    return result;
}

joResult joBroadPhase_GetNeighbours( const joBroadPhase* broadPhase, joNeighbourList* list )
{
    if ( broadPhase == NULL || list == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    const joNeighbourStore* store = &broadPhase->neighbours;
    list->rowCount = 0;
    list->neighbourCount = 0;
    if ( !store->holds )
    {
        return jo_success;
    }
    const uint64_t* offsets = store->offsets.data;
    list->rowCount = store->rowCount;
    list->neighbourCount = offsets[store->rowCount];
    const uint32_t rows = list->rowCount < list->rowCapacity ? list->rowCount : list->rowCapacity;
    const uint64_t neighbours =
        list->neighbourCount < list->neighbourCapacity ? list->neighbourCount : list->neighbourCapacity;
    if ( list->keys != NULL && rows > 0 )
    {
        memcpy( list->keys, store->keys.data, rows * sizeof( uint32_t ) );
    }
    if ( list->offsets != NULL )
    {
        memcpy( list->offsets, offsets, ( (size_t)rows + 1 ) * sizeof( uint64_t ) );
    }
    if ( list->neighbours != NULL && neighbours > 0 )
    {
        memcpy( list->neighbours, store->neighbours.data, (size_t)neighbours * sizeof( uint32_t ) );
    }
    return jo_success;
}

uint32_t joNeighbours_FindRow( const joNeighbours* neighbours, uint32_t key )
{
    if ( neighbours == NULL )
    {
        return JO_NULL_INDEX;
    }
    const uint32_t* keys = neighbours->keys;
    if ( key < neighbours->rowCount && keys[key] == key )
    {
        return key;
    }
    uint32_t begin = 0;
    uint32_t end = neighbours->rowCount;
    while ( begin < end )
    {
        const uint32_t middle = begin + ( end - begin ) / 2;
        if ( keys[middle] < key )
        {
            begin = middle + 1;
        }
        else
        {
            end = middle;
        }
    }
    return begin < neighbours->rowCount && keys[begin] == key ? begin : JO_NULL_INDEX;
}
