// SPDX-License-Identifier: MIT
// What the broad-phase tests share; see broad_phase_kit.h.
#include "broad_phase_kit.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const kitVariant kitVariants[KIT_VARIANT_COUNT] = {
    { "bruteforce", jo_bruteForce, 1.0f, 0 },
    { "sweep", jo_sweep, 1.0f, 0 },
    { "grid", jo_grid, 1.0f, 1 },
    { "grid of levels", jo_grid, 1.0f, 0 },
    { "tree strict", jo_tree, 1.0f, 0 },
    { "tree loose", jo_tree, 2.0f, 0 },
    { "bvh", jo_bvh, 1.0f, 0 },
    { "auto", jo_auto, 1.0f, 0 },
};

kitHeap kitDefaultHeap;

joBroadPhaseDef kitDef( const kitVariant* variant, int dimension )
{
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.kind = variant->kind;
    def.dimension = dimension;
    def.looseness = variant->looseness;
    def.levels = variant->levels;
    def.allocator = kitAllocator( &kitDefaultHeap );
    return def;
}

void kitRequire( joResult result, const char* call )
{
    if ( result )
        fail_msg( "%s: %s", call, joResultText( result ) );
}

joBroadPhase* kitCreate( const joBroadPhaseDef* def )
{
    joBroadPhase* broadPhase = NULL;
    joResult result = joCreateBroadPhase( def, &broadPhase );
    if ( result )
        fail_msg( "joCreateBroadPhase of %s: %s", joBroadPhaseKindText( def->kind ), joResultText( result ) );
    return broadPhase;
}

static joJobs* s_jobs[9];

joJobs* kitJobs( uint32_t workerCount )
{
    if ( workerCount < 2 || workerCount > 8 )
        return NULL;
    if ( s_jobs[workerCount] == NULL )
    {
        joJobsDef def = joDefaultJobsDef();
        def.workerCount = workerCount;
        kitRequire( joCreateJobs( &def, &s_jobs[workerCount] ), "joCreateJobs" );
    }
    return s_jobs[workerCount];
}

void kitFreeJobs( void )
{
    for ( int k = 0; k < 9; ++k )
    {
        joDestroyJobs( s_jobs[k] );
        s_jobs[k] = NULL;
    }
}

void kitSkip( void** state )
{
    (void)state;
    skip();
}

bool kitQuick( void )
{
    return KIT_SANITIZED || getenv( "JOSTLE_QUICK" ) != NULL;
}

uint64_t kitEnvironment( const char* name, uint64_t otherwise )
{
    const char* text = getenv( name );
    return text && *text ? strtoull( text, NULL, 0 ) : otherwise;
}

// In front of each block: what it was asked with.
typedef struct Header
{
    size_t size, alignment;
    uint64_t canary;
    void* base;
} Header;

#define CANARY 0xC0FFEE5EED5A11EDu
#define POISONED ( 1u << 22 ) // bytes at most

// Not fail_msg: a worker may be here, and it must not jump.
static void breakContract( const char* what, size_t size, size_t alignment )
{
    fprintf( stderr, "allocator contract broken: %s of size %zu, alignment %zu\n", what, size, alignment );
    abort();
}

static void* heapAllocate( size_t size, size_t alignment, void* context )
{
    kitHeap* heap = context;
    uint64_t number = atomic_fetch_add( &heap->allocations, 1 ) + 1;
    uint64_t from = heap->failFrom;
    if ( number == heap->failAt || ( from != 0 && number >= from ) )
    {
        atomic_fetch_add( &heap->refused, 1 );
        return NULL;
    }
    if ( size == 0 || alignment == 0 || alignment > 64 || ( alignment & ( alignment - 1 ) ) != 0 )
        breakContract( "allocate", size, alignment );
    char* base = malloc( size + 64 + sizeof( Header ) );
    if ( base == NULL )
        return NULL;
    uintptr_t place = ( (uintptr_t)base + sizeof( Header ) + 63 ) & ~(uintptr_t)63;
    Header header = { size, alignment, CANARY, base };
    memcpy( (char*)place - sizeof( Header ), &header, sizeof( Header ) );
    // Not zero: who relies on fresh memory being zero is found out.
    memset( (char*)place, 0xA5, size < POISONED ? size : POISONED );
    atomic_fetch_add( &heap->liveBytes, size );
    atomic_fetch_add( &heap->liveBlocks, 1 );
    return (void*)place;
}

static void heapFree( void* memory, size_t size, size_t alignment, void* context )
{
    kitHeap* heap = context;
    if ( memory == NULL )
        breakContract( "deallocate of null", size, alignment );
    Header header;
    memcpy( &header, (char*)memory - sizeof( Header ), sizeof( Header ) );
    if ( header.canary != CANARY || header.size != size || header.alignment != alignment )
        breakContract( "deallocate of another block", size, alignment );
    memset( (char*)memory - sizeof( Header ), 0, sizeof( Header ) );
    atomic_fetch_sub( &heap->liveBytes, size );
    atomic_fetch_sub( &heap->liveBlocks, 1 );
    free( header.base );
}

joAllocator kitAllocator( kitHeap* heap )
{
    return ( joAllocator ){ heapAllocate, heapFree, heap };
}

typedef struct kitRow
{
    uint64_t layer;
    float lower[3];
    uint32_t key;
    float upper[3]; // round: centre in lower, radius in upper[0]
    uint32_t unused;
    uint64_t mask;
} kitRow;

typedef struct Arrays
{
    float* number[6];
    uint32_t* key;
    uint64_t *layer, *mask;
} Arrays;

static Arrays arraysOf( const kitColumns* columns )
{
    Arrays arrays;
    char* place = columns->arrays;
    size_t capacity = columns->capacity;
    arrays.layer = (uint64_t*)(void*)place;
    arrays.mask = arrays.layer + capacity;
    arrays.key = (uint32_t*)( arrays.mask + capacity );
    for ( size_t k = 0; k < 6; ++k )
        arrays.number[k] = (float*)( arrays.key + capacity ) + k * capacity;
    return arrays;
}

static void growColumns( kitColumns* columns, uint32_t count )
{
    if ( count <= columns->capacity )
        return;
    kitFreeColumns( columns );
    columns->capacity = count + count / 2 + 8;
    columns->rows = malloc( columns->capacity * sizeof( kitRow ) );
    columns->arrays = malloc( columns->capacity * ( 2 * sizeof( uint64_t ) + 7 * sizeof( uint32_t ) ) );
    assert_non_null( columns->rows );
    assert_non_null( columns->arrays );
}

static void writeRow( kitRow* row, const refObject* object, bool badZ )
{
    *row = ( kitRow ){ .layer = object->layer, .mask = object->mask, .key = object->key };
    for ( int k = 0; k < 3; ++k )
    {
        row->lower[k] = (float)( object->round ? object->center[k] : object->lower[k] );
        row->upper[k] = (float)( object->round ? object->radius : object->upper[k] );
    }
    if ( badZ )
    {
        row->lower[2] = NAN;
        row->upper[2] = object->round ? row->upper[2] : NAN;
    }
}

static joColumn columnOf( const void* data, size_t stride )
{
    return ( joColumn ){ data, stride };
}

void kitFill( kitColumns* columns, const refObject* objects, const uint32_t* indices, uint32_t count,
    int dimension, uint32_t style )
{
    growColumns( columns, count ? count : 1 );
    Arrays arrays = arraysOf( columns );
    bool badZ = dimension == 2 && ( style & kit_badZ );
    for ( uint32_t i = 0; i < count; ++i )
    {
        kitRow* row = columns->rows + i;
        writeRow( row, objects + ( indices ? indices[i] : i ), badZ );
        for ( int k = 0; k < 3; ++k )
        {
            arrays.number[k][i] = row->lower[k];
            arrays.number[k + 3][i] = row->upper[k];
        }
        arrays.key[i] = row->key;
        arrays.layer[i] = row->layer;
        arrays.mask[i] = row->mask;
    }
    kitRow* rows = columns->rows;
    joColumn number[6];
    for ( int k = 0; k < 3; ++k )
    {
        bool apart = ( style & kit_arrays ) != 0;
        number[k] = apart ? columnOf( arrays.number[k], 4 ) : columnOf( &rows->lower[k], sizeof( kitRow ) );
        number[k + 3] =
            apart ? columnOf( arrays.number[k + 3], 4 ) : columnOf( &rows->upper[k], sizeof( kitRow ) );
    }
    joColumn key = columnOf( &rows->key, sizeof( kitRow ) );
    joColumn layer = columnOf( &rows->layer, sizeof( kitRow ) );
    joColumn mask = columnOf( &rows->mask, sizeof( kitRow ) );
    if ( style & kit_arrays )
    {
        key = columnOf( arrays.key, sizeof( uint32_t ) );
        layer = columnOf( arrays.layer, sizeof( uint64_t ) );
        mask = columnOf( arrays.mask, sizeof( uint64_t ) );
    }
    if ( style & kit_noKeys )
        key = columnOf( NULL, 0 );
    if ( style & kit_noLayers )
        layer = mask = columnOf( NULL, 0 );
    joColumn radius = number[3];
    if ( dimension == 2 && ( style & kit_absentZ ) )
        number[2] = number[5] = columnOf( NULL, 0 );
    columns->boxes = ( joBoxes ){
        number[0], number[1], number[2], number[3], number[4], number[5], key, layer, mask, count };
    columns->circles = ( joCircles ){ number[0], number[1], number[2], radius, key, layer, mask, count };
}

void kitFreeColumns( kitColumns* columns )
{
    free( columns->rows );
    free( columns->arrays );
    *columns = ( kitColumns ){ 0 };
}

typedef enum Verb
{
    verb_add,
    verb_set,
    verb_move
} Verb;

static joResult callBoxes( joBroadPhase* broadPhase, Verb verb, joMotion motion, const kitColumns* columns )
{
    if ( verb == verb_add )
        return joBroadPhase_AddBoxes( broadPhase, motion, &columns->boxes, NULL );
    if ( verb == verb_set )
        return joBroadPhase_SetBoxes( broadPhase, &columns->boxes, NULL );
    return joBroadPhase_MoveBoxes( broadPhase, &columns->boxes, NULL );
}

static joResult callCircles( joBroadPhase* broadPhase, Verb verb, joMotion motion, const kitColumns* columns )
{
    if ( verb == verb_add )
        return joBroadPhase_AddCircles( broadPhase, motion, &columns->circles, NULL );
    if ( verb == verb_set )
        return joBroadPhase_SetCircles( broadPhase, &columns->circles, NULL );
    return joBroadPhase_MoveCircles( broadPhase, &columns->circles, NULL );
}

static joResult call( joBroadPhase* broadPhase, int dimension, Verb verb, joMotion motion,
    const refObject* objects, uint32_t count )
{
    kitColumns columns = { 0 };
    uint32_t* indices = malloc( ( (size_t)count + 1 ) * sizeof( uint32_t ) );
    assert_non_null( indices );
    joResult result = jo_success;
    for ( int round = 0; round < 2 && result == jo_success; ++round )
    {
        uint32_t chosen = 0;
        for ( uint32_t i = 0; i < count; ++i )
        {
            if ( objects[i].round == (bool)round )
                indices[chosen++] = i;
        }
        if ( chosen == 0 && ( count != 0 || round ) )
            continue;
        kitFill( &columns, objects, indices, chosen, dimension, kit_rows );
        result = round ? callCircles( broadPhase, verb, motion, &columns )
                       : callBoxes( broadPhase, verb, motion, &columns );
    }
    free( indices );
    kitFreeColumns( &columns );
    return result;
}

joResult kitAdd(
    joBroadPhase* broadPhase, int dimension, joMotion motion, const refObject* objects, uint32_t count )
{
    return call( broadPhase, dimension, verb_add, motion, objects, count );
}

joResult kitSet( joBroadPhase* broadPhase, int dimension, const refObject* objects, uint32_t count )
{
    return call( broadPhase, dimension, verb_set, jo_moving, objects, count );
}

joResult kitMove( joBroadPhase* broadPhase, int dimension, const refObject* objects, uint32_t count )
{
    return call( broadPhase, dimension, verb_move, jo_moving, objects, count );
}

refObject kitBox2( uint32_t key, double lx, double ly, double ux, double uy )
{
    return kitBox3( key, lx, ly, 0.0, ux, uy, 0.0 );
}

// The objects of the oracle are made of floats, as those of the library.
static double narrow( double x )
{
    // Volatile: gcc 12 at -O2 loses the rounding of some members where it makes vectors of them.
    volatile float rounded = (float)x;
    return (double)rounded;
}

refObject kitBox3( uint32_t key, double lx, double ly, double lz, double ux, double uy, double uz )
{
    return ( refObject ){ .lower = { narrow( lx ), narrow( ly ), narrow( lz ) },
        .upper = { narrow( ux ), narrow( uy ), narrow( uz ) },
        .key = key,
        .layer = UINT64_MAX,
        .mask = UINT64_MAX,
        .motion = ref_moving };
}

refObject kitBall( uint32_t key, double x, double y, double z, double radius )
{
    return ( refObject ){ .round = true,
        .center = { narrow( x ), narrow( y ), narrow( z ) },
        .radius = narrow( radius ),
        .key = key,
        .layer = UINT64_MAX,
        .mask = UINT64_MAX,
        .motion = ref_moving };
}

size_t kitFirstDifference(
    const joPair* found, uint64_t foundCount, const refPair* expected, size_t expectedCount )
{
    size_t both = foundCount < expectedCount ? (size_t)foundCount : expectedCount;
    for ( size_t i = 0; i < both; ++i )
    {
        if ( found[i].a != expected[i].a || found[i].b != expected[i].b )
            return i;
    }
    return both;
}

void kitCheck(
    joBroadPhase* broadPhase, int dimension, const refObject* objects, size_t count, const char* what )
{
    refPairs expected = { 0 };
    refFindPairs( objects, count, dimension, &expected );
    uint64_t pairCount = 0, viewed = 0;
    joResult result = joBroadPhase_FindPairs( broadPhase, NULL, 0, &pairCount );
    if ( result )
        fail_msg( "%s: FindPairs: %s", what, joResultText( result ) );
    const joPair* pairs = joBroadPhase_ViewPairs( broadPhase, &viewed );
    assert_int_equal( viewed, pairCount );
    size_t at = kitFirstDifference( pairs, viewed, expected.data, expected.count );
    if ( at != expected.count || at != viewed )
    {
        char found[64] = "none", wanted[64] = "none";
        if ( at < viewed )
            snprintf( found, sizeof found, "(%u, %u)", pairs[at].a, pairs[at].b );
        if ( at < expected.count )
            snprintf( wanted, sizeof wanted, "(%u, %u)", expected.data[at].a, expected.data[at].b );
        fail_msg( "%s: %llu pairs, %zu expected; pair %zu is %s, expected %s", what,
            (unsigned long long)viewed, expected.count, at, found, wanted );
    }
    refFreePairs( &expected );
    if ( joBroadPhase_Validate( broadPhase ) == false )
        fail_msg( "%s: an invariant is broken", what );
}

kitScene kitBegin( const kitVariant* variant, int dimension, const joBroadPhaseDef* def )
{
    joBroadPhaseDef plain = kitDef( variant, dimension );
    kitScene scene = { .variant = variant, .dimension = dimension };
    scene.heldBefore = kitDefaultHeap.liveBytes;
    scene.broadPhase = kitCreate( def ? def : &plain );
    return scene;
}

void kitEnd( kitScene* scene )
{
    joDestroyBroadPhase( scene->broadPhase );
    free( scene->objects );
    if ( kitDefaultHeap.liveBytes != scene->heldBefore )
        fail_msg( "%s: memory is held after destroy", scene->variant->name );
    *scene = ( kitScene ){ 0 };
}

refObject* kitPush( kitScene* scene, refObject object )
{
    if ( scene->count == scene->capacity )
    {
        scene->capacity = 2 * scene->capacity + 64;
        scene->objects = realloc( scene->objects, scene->capacity * sizeof( refObject ) );
        assert_non_null( scene->objects );
    }
    scene->objects[scene->count] = object;
    return scene->objects + scene->count++;
}

void kitAddFrom( kitScene* scene, uint32_t first )
{
    for ( uint32_t i = first; i < scene->count; )
    {
        uint32_t last = i;
        while ( last < scene->count && scene->objects[last].motion == scene->objects[i].motion )
            ++last;
        joMotion motion = (joMotion)scene->objects[i].motion;
        kitRequire(
            kitAdd( scene->broadPhase, scene->dimension, motion, scene->objects + i, last - i ), "Add" );
        i = last;
    }
}

void kitCheckScene( kitScene* scene, const char* when )
{
    char what[160];
    snprintf( what, sizeof what, "%s, %d axes, %s", scene->variant->name, scene->dimension, when );
    kitCheck( scene->broadPhase, scene->dimension, scene->objects, scene->count, what );
}
