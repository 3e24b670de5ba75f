// SPDX-License-Identifier: MIT
#include "support/bvh_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Keys of the still set begin here, so that those of the moving set come first in pairs.
#define STILL_KEYS 1000000u

static void* heapAllocate( size_t size, size_t alignment, void* context )
{
    bvhHeap* heap = context;
    heap->allocations += 1;
    return heap->allocations == heap->failAt
               ? NULL
               : aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
}

static void heapFree( void* memory, size_t size, size_t alignment, void* context )
{
    (void)size;
    (void)alignment;
    (void)context;
    free( memory );
}

void bvhStartRig( bvhRig* rig, uint32_t axisCount, joJobs* jobs, uint64_t seed )
{
    memset( rig, 0, sizeof( *rig ) );
    joAllocator allocator = { heapAllocate, heapFree, &rig->heap };
    assert_int_equal( joMemory_Init( &rig->memory, &allocator ), jo_success );
    rig->def = joDefaultBroadPhaseDef();
    rig->context = ( joStructureContext ){ .memory = &rig->memory,
        .jobs = jobs,
        .workerCount = joJobs_GetWorkerCount( jobs ),
        .kernels = joGetKernels( NULL ),
        .axisCount = axisCount,
        .def = &rig->def };
    for ( int i = 0; i < 2; ++i )
    {
        joObjectSet_Init( &rig->sets[i], &rig->memory );
        joBvhKind.init( &rig->trees[i], &rig->context );
    }
    assert_int_equal( joPairCollector_Init( &rig->collector, &rig->memory, &rig->context ), jo_success );
    rig->collector.sortPairs = true;
    rig->collector.pairLimit = UINT64_C( 1 ) << 27;
    rig->random = refMakeRandom( seed, 0 );
}

void bvhEndRig( bvhRig* rig )
{
    for ( int i = 0; i < 2; ++i )
    {
        joBvhKind.destroy( &rig->trees[i] );
        joObjectSet_Free( &rig->sets[i] );
    }
    joPairCollector_Free( &rig->collector );
    assert_int_equal( rig->memory.bytes, 0 );
    joMemory_Destroy( &rig->memory );
}

joObject bvhMakeBox( const bvhRig* rig, const float center[3], const float half[3] )
{
    joObject object;
    memset( &object, 0, sizeof( object ) );
    for ( uint32_t k = 0; k < rig->context.axisCount; ++k )
    {
        object.record.lower[k] = center[k] - half[k];
        object.record.upper[k] = center[k] + half[k];
    }
    object.record.flags = jo_moving;
    return object;
}

joObject bvhMakeCube( const bvhRig* rig, float x, float y, float z, float half )
{
    return bvhMakeBox( rig, ( const float[3] ){ x, y, z }, ( const float[3] ){ half, half, half } );
}

uint32_t bvhAddBox( bvhRig* rig, int which, joObject object )
{
    joObjectSet* set = &rig->sets[which];
    assert_int_equal( joObjectSet_Reserve( set, set->count + 1, false, false ), jo_success );
    uint32_t slot = joObjectSet_Insert( set, &object );
    joObjectSet_Records( set )[slot].key = slot + ( which == 1 ? STILL_KEYS : 0 );
    return slot;
}

void bvhMoveBox( bvhRig* rig, int which, uint32_t slot, joObject object )
{
    object.record.key = slot + ( which == 1 ? STILL_KEYS : 0 );
    joObjectSet_Put( &rig->sets[which], slot, &object );
}

bool bvhIsLive( const bvhRig* rig, int which, uint32_t slot )
{
    return ( joObjectSet_Records( &rig->sets[which] )[slot].flags & JO_FLAG_FREE ) == 0;
}

void bvhBuild( bvhRig* rig, int which )
{
    joBoxSet view = joObjectSet_View( &rig->sets[which] );
    assert_int_equal( joBvhKind.build( &rig->trees[which], &view ), jo_success );
    joObjectSet_ForgetChanges( &rig->sets[which] );
    view = joObjectSet_View( &rig->sets[which] );
    assert_true( joBvhKind.validate( &rig->trees[which], &view ) );
}

uint64_t bvhFindPairs( bvhRig* rig, bool countOnly )
{
    void* still[1] = { &rig->trees[1] };
    joCollectorSides sides = { &rig->sets[0], { &rig->sets[0], &rig->sets[1] }, false, jo_lowerKeyFirst };
    joPairCollector_Begin( &rig->collector, &sides, countOnly );
    assert_int_equal( joBvhKind.findPairs( &rig->trees[0], still, 1, &rig->collector ), jo_success );
    assert_int_equal( joPairCollector_End( &rig->collector ), jo_success );
    return rig->collector.pairCount;
}

static bool touch( const joBoxRecord* a, const joBoxRecord* b, uint32_t axisCount )
{
    for ( uint32_t k = 0; k < axisCount; ++k )
    {
        if ( !( a->lower[k] <= b->upper[k] && b->lower[k] <= a->upper[k] ) )
        {
            return false;
        }
    }
    return true;
}

void bvhCheckPairs( bvhRig* rig )
{
    uint64_t count = bvhFindPairs( rig, false );
    assert_int_equal( count, rig->collector.sortedCount );
    const joPair* pairs = rig->collector.sorted.data;
    uint64_t found = 0;
    for ( uint32_t i = 0; i < rig->sets[0].count; ++i )
    {
        const joBoxRecord* a = joObjectSet_Records( &rig->sets[0] ) + i;
        for ( int which = 0; which < 2 && bvhIsLive( rig, 0, i ); ++which )
        {
            for ( uint32_t j = which == 0 ? i + 1 : 0; j < rig->sets[which].count; ++j )
            {
                const joBoxRecord* b = joObjectSet_Records( &rig->sets[which] ) + j;
                if ( bvhIsLive( rig, which, j ) && touch( a, b, rig->context.axisCount ) )
                {
                    assert_true( found < count );
                    assert_int_equal( pairs[found].a, a->key );
                    assert_int_equal( pairs[found].b, b->key );
                    found += 1;
                }
            }
        }
    }
    assert_int_equal( found, count );
}

float bvhDraw( bvhRig* rig, double lower, double upper )
{
    return (float)refRange( &rig->random, lower, upper );
}

joObject bvhDrawBox( bvhRig* rig, int style )
{
    float center[3], half[3];
    for ( int k = 0; k < 3; ++k )
    {
        center[k] = bvhDraw( rig, -12.0, 12.0 );
        half[k] = bvhDraw( rig, 0.2, 0.8 );
        if ( style == bvh_mixedSizes )
        {
            half[k] *= (float)ldexp( 1.0, (int)refBelow( &rig->random, 13 ) - 8 );
        }
        if ( style == bvh_wholeNumbers )
        {
            center[k] = floorf( center[k] );
            half[k] = 0.5f;
        }
        if ( style == bvh_points )
        {
            center[k] = floorf( center[k] / 6.0f );
            half[k] = 0.0f;
        }
    }
    joObject object = bvhMakeBox( rig, center, half );
    for ( uint32_t k = 0; k < rig->context.axisCount && style == bvh_infinite; ++k )
    {
        object.record.lower[k] = refChance( &rig->random, 0.1 ) ? -INFINITY : object.record.lower[k];
        object.record.upper[k] = refChance( &rig->random, 0.1 ) ? INFINITY : object.record.upper[k];
    }
    return object;
}

void bvhRemoveSome( bvhRig* rig, int which, double share )
{
    for ( uint32_t i = 0; i < rig->sets[which].count; ++i )
    {
        if ( bvhIsLive( rig, which, i ) && refChance( &rig->random, share ) )
        {
            joObjectSet_Remove( &rig->sets[which], i );
        }
    }
}

uint32_t bvhRemoveRegion( bvhRig* rig, int which, const float corner[3], float side )
{
    uint32_t count = 0;
    for ( uint32_t i = 0; i < rig->sets[which].count; ++i )
    {
        const joBoxRecord* record = joObjectSet_Records( &rig->sets[which] ) + i;
        bool inside = bvhIsLive( rig, which, i );
        for ( uint32_t k = 0; inside && k < rig->context.axisCount; ++k )
        {
            float center = 0.5f * record->lower[k] + 0.5f * record->upper[k];
            inside = center >= corner[k] && center <= corner[k] + side;
        }
        if ( inside )
        {
            joObjectSet_Remove( &rig->sets[which], i );
            count += 1;
        }
    }
    return count;
}

void bvhMoveSome( bvhRig* rig, int which, double share, float step, int style )
{
    for ( uint32_t i = 0; i < rig->sets[which].count; ++i )
    {
        if ( !bvhIsLive( rig, which, i ) || !refChance( &rig->random, share ) )
        {
            continue;
        }
        joObject object = joObjectSet_Get( &rig->sets[which], i );
        for ( uint32_t k = 0; k < rig->context.axisCount; ++k )
        {
            float by = bvhDraw( rig, -step, step );
            object.record.lower[k] += by;
            object.record.upper[k] += by;
        }
        bvhMoveBox( rig, which, i, refChance( &rig->random, 0.05 ) ? bvhDrawBox( rig, style ) : object );
    }
}
