// SPDX-License-Identifier: MIT
// Every table of kernels that this machine runs, against plain loops: ranges, joins in all modes, tails,
// stops at a full buffer, owner bits, infinite, empty and denormal boxes, on 2 and 3 axes.
#include "simd/kernels.h"

#include "reference/reference_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Columns of exactly the promised length: a sanitizer sees a read beyond it.
typedef struct Columns
{
    joBoxColumns view;
    uint32_t count;
} Columns;

static float drawNumber( refRandom* random )
{
    switch ( refBelow( random, 12 ) )
    {
        case 0:
            return 0.0f;
        case 1:
            return -0.0f;
        case 2:
            return 0x1p-149f * (float)( (int)refBelow( random, 5 ) - 2 );
        case 3:
            return (float)refRange( random, -3e38, 3e38 );
        default:
            return (float)( (int)refBelow( random, 17 ) - 8 );
    }
}

static void drawBox( refRandom* random, float lower[3], float upper[3] )
{
    for ( int k = 0; k < 3; ++k )
    {
        float a = drawNumber( random ), b = refChance( random, 0.3 ) ? a : drawNumber( random );
        lower[k] = a < b ? a : b;
        upper[k] = a < b ? b : a;
        if ( refChance( random, 0.05 ) )
            lower[k] = -INFINITY;
        if ( refChance( random, 0.05 ) )
            upper[k] = INFINITY;
    }
    if ( refChance( random, 0.05 ) )
    {
        // A free slot: overlaps nothing.
        for ( int k = 0; k < 3; ++k )
        {
            lower[k] = INFINITY;
            upper[k] = -INFINITY;
        }
    }
}

static Columns makeColumns( refRandom* random, uint32_t count, int axisCount, bool owners )
{
    Columns columns = { .count = count };
    size_t room = (size_t)count + JO_LANE_PADDING;
    for ( int k = 0; k < axisCount; ++k )
    {
        columns.view.lower[k] = malloc( room * sizeof( float ) );
        columns.view.upper[k] = malloc( room * sizeof( float ) );
        assert_non_null( columns.view.lower[k] );
        assert_non_null( columns.view.upper[k] );
    }
    columns.view.index = malloc( room * sizeof( uint32_t ) );
    assert_non_null( columns.view.index );
    for ( size_t i = 0; i < room; ++i )
    {
        // What lies in the padding overlaps everything: a tail that reaches into it is found out.
        float lower[3] = { -INFINITY, -INFINITY, -INFINITY }, upper[3] = { INFINITY, INFINITY, INFINITY };
        if ( i < count )
            drawBox( random, lower, upper );
        for ( int k = 0; k < axisCount; ++k )
        {
            columns.view.lower[k][i] = lower[k];
            columns.view.upper[k][i] = upper[k];
        }
        uint32_t bits = owners ? refBelow( random, 4 ) << 30 : JO_OWNER_BITS;
        columns.view.index[i] = bits | ( i < count ? (uint32_t)( i * 3 + 1 ) : JO_INDEX_MASK );
    }
    return columns;
}

static void freeColumns( Columns* columns )
{
    for ( int k = 0; k < 3; ++k )
    {
        free( columns->view.lower[k] );
        free( columns->view.upper[k] );
    }
    free( columns->view.index );
}

static bool overlap( const joBoxColumns* a, uint32_t i, const joBoxColumns* b, uint32_t j, int axisCount )
{
    for ( int k = 0; k < axisCount; ++k )
    {
        if ( a->lower[k][i] > b->upper[k][j] || b->lower[k][j] > a->upper[k][i] )
            return false;
    }
    return true;
}

// The pairs of a join as one number each, sorted.
typedef struct List
{
    uint64_t* data;
    size_t count, capacity;
} List;

static void push( List* list, uint32_t a, uint32_t b )
{
    if ( list->count == list->capacity )
    {
        list->capacity = 2 * list->capacity + 64;
        list->data = realloc( list->data, list->capacity * sizeof( uint64_t ) );
        assert_non_null( list->data );
    }
    list->data[list->count++] = (uint64_t)a << 32 | b;
}

static int compareNumbers( const void* left, const void* right )
{
    uint64_t p = *(const uint64_t*)left, q = *(const uint64_t*)right;
    return p < q ? -1 : p > q;
}

static void sortList( List* list )
{
    if ( list->count > 1 )
        qsort( list->data, list->count, sizeof( uint64_t ), compareNumbers );
}

static void expectJoin( const joJoin* join, int axisCount, List* list )
{
    list->count = 0;
    for ( uint32_t i = join->first; i < join->last; ++i )
    {
        uint32_t begin = join->begins ? join->begins[i] : join->begin;
        begin = join->afterSelf ? i + 1 : begin;
        uint32_t end = join->ends ? join->ends[i] : join->end;
        for ( uint32_t j = begin; j < end; ++j )
        {
            uint32_t a = join->a->index[i], b = join->b->index[j];
            if ( overlap( join->a, i, join->b, j, axisCount ) &&
                 ( ( a | b ) & JO_OWNER_BITS ) == JO_OWNER_BITS )
                push( list, a, b );
        }
    }
    sortList( list );
}

static void runJoin( const joKernels* kernels, joJoin join, int axisCount, uint32_t capacity, List* list )
{
    joRawPairs out = { .capacity = capacity };
    out.a = malloc( capacity * sizeof( uint32_t ) );
    out.b = malloc( capacity * sizeof( uint32_t ) );
    assert_non_null( out.a );
    assert_non_null( out.b );
    list->count = 0;
    for ( bool done = false; done == false; )
    {
        out.count = 0;
        done = kernels->join[axisCount - 2]( &join, &out );
        assert_true( out.count <= capacity );
        if ( done == false && out.count == 0 )
            fail_msg( "%s: a join stops and gives nothing", joIsaText( kernels->isa ) );
        for ( uint32_t k = 0; k < out.count; ++k )
            push( list, out.a[k], out.b[k] );
    }
    free( out.a );
    free( out.b );
    sortList( list );
}

static uint32_t drawSize( refRandom* random )
{
    static const uint32_t sizes[] = {
        0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 100, 255, 256, 257 };
    return sizes[refBelow( random, sizeof sizes / sizeof *sizes )];
}

static void checkJoin( const joKernels* kernels, uint64_t scene )
{
    refRandom random = refMakeRandom( 11, scene );
    int axisCount = 2 + (int)refBelow( &random, 2 );
    bool owners = refChance( &random, 0.5 ), self = refChance( &random, 0.5 );
    Columns a = makeColumns( &random, drawSize( &random ), axisCount, owners );
    Columns b = makeColumns( &random, drawSize( &random ), axisCount, owners );
    const Columns* right = self ? &a : &b;
    uint32_t* begins = calloc( a.count + 1, sizeof( uint32_t ) );
    uint32_t* ends = calloc( a.count + 1, sizeof( uint32_t ) );
    assert_non_null( begins );
    assert_non_null( ends );
    for ( uint32_t i = 0; i < a.count; ++i )
    {
        begins[i] = refBelow( &random, right->count + 1 );
        ends[i] = refChance( &random, 0.2 ) ? begins[i]
                                            : begins[i] + refBelow( &random, right->count - begins[i] + 1 );
    }
    joJoin join = { .a = &a.view, .b = &right->view };
    join.last = refBelow( &random, a.count + 1 );
    join.first = refBelow( &random, join.last + 1 );
    if ( refChance( &random, 0.5 ) )
    {
        join.first = 0;
        join.last = a.count;
    }
    join.end = refChance( &random, 0.5 ) ? right->count : refBelow( &random, right->count + 1 );
    join.begin = refChance( &random, 0.5 ) ? 0 : refBelow( &random, join.end + 1 );
    join.afterSelf = self && refChance( &random, 0.5 );
    if ( refChance( &random, 0.5 ) )
    {
        // begin( i ) <= end( i ), in every mode.
        join.ends = ends;
        join.begins = join.afterSelf ? NULL : begins;
        for ( uint32_t i = 0; join.afterSelf && i < a.count; ++i )
            ends[i] = i + 1 + refBelow( &random, a.count - i );
    }
    else if ( join.afterSelf )
    {
        join.end = a.count;
    }
    List expected = { 0 }, found = { 0 };
    expectJoin( &join, axisCount, &expected );
    uint32_t capacity = 2 * JO_LANE_PADDING + refBelow( &random, refChance( &random, 0.5 ) ? 8 : 4000 );
    runJoin( kernels, join, axisCount, capacity, &found );
    uint64_t counted = kernels->countJoin[axisCount - 2]( &join );
    if ( found.count != expected.count || counted != expected.count ||
         ( found.count && memcmp( found.data, expected.data, found.count * sizeof( uint64_t ) ) ) )
    {
        fail_msg( "%s, scene %llu, %d axes, %u x %u: %zu pairs, %llu counted, %zu expected",
            joIsaText( kernels->isa ), (unsigned long long)scene, axisCount, a.count, right->count,
            found.count, (unsigned long long)counted, expected.count );
    }
    free( expected.data );
    free( found.data );
    free( begins );
    free( ends );
    freeColumns( &a );
    freeColumns( &b );
}

static void checkRange( const joKernels* kernels, uint64_t scene )
{
    refRandom random = refMakeRandom( 13, scene );
    int axisCount = 2 + (int)refBelow( &random, 2 );
    Columns columns = makeColumns( &random, drawSize( &random ), axisCount, true );
    Columns query = makeColumns( &random, 1, 3, false );
    float box[6];
    for ( int k = 0; k < 3; ++k )
    {
        box[k] = query.view.lower[k][0];
        box[k + 3] = query.view.upper[k][0];
    }
    uint32_t end = refChance( &random, 0.5 ) ? columns.count : refBelow( &random, columns.count + 1 );
    uint32_t begin = refChance( &random, 0.3 ) ? 0 : refBelow( &random, end + 1 );
    uint32_t* out = malloc( ( end - begin + JO_LANE_PADDING ) * sizeof( uint32_t ) );
    assert_non_null( out );
    uint32_t count = kernels->overlapRange[axisCount - 2]( &columns.view, begin, end, box, out );
    uint32_t at = 0;
    for ( uint32_t j = begin; j < end; ++j )
    {
        if ( overlap( &query.view, 0, &columns.view, j, axisCount ) == false )
            continue;
        if ( at >= count || out[at] != j )
            fail_msg( "%s, scene %llu, %d axes: position %u is not the %u-th found",
                joIsaText( kernels->isa ), (unsigned long long)scene, axisCount, j, at );
        at += 1;
    }
    assert_int_equal( at, count );
    free( out );
    freeColumns( &columns );
    freeColumns( &query );
}

static void everyJoinFindsWhatPlainLoopsFind( void** state )
{
    const joKernels* kernels = *state;
    for ( uint64_t scene = 0; scene < 3000; ++scene )
        checkJoin( kernels, scene );
}

static void everyRangeFindsWhatAPlainLoopFinds( void** state )
{
    const joKernels* kernels = *state;
    for ( uint64_t scene = 0; scene < 5000; ++scene )
        checkRange( kernels, scene );
}

static void setAllBoxes( Columns* columns, float lower, float upper )
{
    for ( int k = 0; k < 3; ++k )
    {
        for ( uint32_t i = 0; i < columns->count; ++i )
        {
            columns->view.lower[k][i] = lower;
            columns->view.upper[k][i] = upper;
        }
    }
}

// The buffer fills many times within one row and across rows; nothing is lost or given twice.
static void aJoinGoesOnWhereAFullBufferStoppedIt( void** state )
{
    const joKernels* kernels = *state;
    refRandom random = refMakeRandom( 17, 1 );
    Columns columns = makeColumns( &random, 213, 3, false );
    setAllBoxes( &columns, -1.0f, 1.0f );
    List expected = { 0 }, found = { 0 };
    for ( uint32_t capacity = 2 * JO_LANE_PADDING; capacity < 2 * JO_LANE_PADDING + 40; ++capacity )
    {
        joJoin join = { .a = &columns.view, .b = &columns.view, .last = 213, .end = 213, .afterSelf = true };
        expectJoin( &join, 3, &expected );
        runJoin( kernels, join, 3, capacity, &found );
        assert_int_equal( found.count, 213 * 212 / 2 );
        assert_memory_equal( found.data, expected.data, found.count * sizeof( uint64_t ) );
    }
    free( expected.data );
    free( found.data );
    freeColumns( &columns );
}

static void infiniteBoxesOverlapAllButTheEmptyOnes( void** state )
{
    const joKernels* kernels = *state;
    refRandom random = refMakeRandom( 17, 2 );
    Columns all = makeColumns( &random, 33, 3, false ), none = makeColumns( &random, 47, 3, false );
    setAllBoxes( &all, -INFINITY, INFINITY );
    setAllBoxes( &none, INFINITY, -INFINITY );
    for ( int axes = 2; axes <= 3; ++axes )
    {
        joJoin join = { .a = &all.view, .b = &all.view, .last = 33, .end = 33, .afterSelf = true };
        assert_int_equal( kernels->countJoin[axes - 2]( &join ), 33 * 32 / 2 );
        // Empty boxes overlap neither each other nor a half-space; only with a box without any bound the
        // closed comparison holds, which is why structures leave free slots out.
        join = ( joJoin ){ .a = &none.view, .b = &none.view, .last = 47, .end = 47, .afterSelf = true };
        assert_int_equal( kernels->countJoin[axes - 2]( &join ), 0 );
        for ( uint32_t i = 0; i < 33; ++i )
            all.view.upper[i & 1][i] = 3e38f;
        join = ( joJoin ){ .a = &all.view, .b = &none.view, .last = 33, .end = 47 };
        assert_int_equal( kernels->countJoin[axes - 2]( &join ), 0 );
        join = ( joJoin ){ .a = &none.view, .b = &all.view, .last = 47, .end = 33 };
        assert_int_equal( kernels->countJoin[axes - 2]( &join ), 0 );
        setAllBoxes( &all, -INFINITY, INFINITY );
    }
    freeColumns( &all );
    freeColumns( &none );
}

static void thisMachineHasItsOwnTableAndTheScalarOne( void** state )
{
    (void)state;
    joResult result = jo_errorBadDef;
    const joKernels* kernels = joGetKernels( &result );
    assert_int_equal( result, jo_success );
    assert_non_null( kernels );
    assert_int_equal( kernels->isa, joGetIsa() );
    assert_ptr_equal( kernels, joGetKernelsOf( joGetIsa() ) );
    assert_non_null( joGetKernelsOf( jo_isaScalar ) );
    assert_null( joGetKernelsOf( jo_isaCount ) );
#if defined( __x86_64__ )
    assert_non_null( joGetKernelsOf( jo_isaSse2 ) );
#endif
}

#define PER_ISA 4

int main( void )
{
    static const struct
    {
        const char* name;
        CMUnitTestFunction function;
    } all[PER_ISA] = { { "every join finds what plain loops find", everyJoinFindsWhatPlainLoopsFind },
        { "every range finds what a plain loop finds", everyRangeFindsWhatAPlainLoopFinds },
        { "a join goes on where a full buffer stopped it", aJoinGoesOnWhereAFullBufferStoppedIt },
        { "infinite boxes overlap all but the empty ones", infiniteBoxesOverlapAllButTheEmptyOnes } };
    static char names[jo_isaCount * PER_ISA][100];
    struct CMUnitTest tests[jo_isaCount * PER_ISA + 1] = {
        cmocka_unit_test( thisMachineHasItsOwnTableAndTheScalarOne ) };
    size_t count = 1;
    for ( int isa = 0; isa < jo_isaCount; ++isa )
    {
        const joKernels* kernels = joGetKernelsOf( (joIsa)isa );
        if ( kernels == NULL )
            continue;
        for ( int k = 0; k < PER_ISA; ++k )
        {
            snprintf( names[count - 1], sizeof names[0], "%s: %s", joIsaText( (joIsa)isa ), all[k].name );
            tests[count] = ( struct CMUnitTest ){ .name = names[count - 1],
                .test_func = all[k].function,
                .initial_state = (void*)(uintptr_t)kernels };
            count += 1;
        }
    }
    return _cmocka_run_group_tests( "kernels", tests, count, NULL, NULL );
}
