// SPDX-License-Identifier: MIT
// jo_tree: where boxes are placed, what the parameters do, and pairs against brute force.
#include "base/radix_sort.h"
#include "broad_phase/kinds.h"
#include "broad_phase/tree.h"
#include "jostle/jostle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_COUNT 4096
#define ROOT_SIZE 64.0f

// ---- a tree without the front ----

typedef struct Bench
{
    joMemory memory;
    joBroadPhaseDef def;
    joStructureContext context;
    joTree tree;
    joBoxRecord records[MAX_COUNT];
    joBoxSet set;
} Bench;

static int s_allocationsLeft; // -1: no limit

static void* allocateSome( size_t size, size_t alignment, void* context )
{
    (void)context;
    if ( s_allocationsLeft == 0 )
    {
        return NULL;
    }
    s_allocationsLeft -= s_allocationsLeft > 0 ? 1 : 0;
    return aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
}

static void freeSome( void* memory, size_t size, size_t alignment, void* context )
{
    (void)size;
    (void)alignment;
    (void)context;
    free( memory );
}

static Bench* makeBench( int dimension, float looseness, uint32_t maxDepth, uint32_t leafCapacity )
{
    Bench* bench = calloc( 1, sizeof( *bench ) );
    assert_non_null( bench );
    joAllocator allocator = { allocateSome, freeSome, NULL };
    s_allocationsLeft = -1;
    assert_int_equal( joMemory_Init( &bench->memory, &allocator ), jo_success );
    bench->def = joDefaultBroadPhaseDef();
    bench->def.kind = jo_tree;
    bench->def.dimension = dimension;
    bench->def.looseness = looseness;
    bench->def.maxDepth = maxDepth;
    bench->def.leafCapacity = leafCapacity;
    for ( int k = 0; k < 3; ++k )
    {
        bench->def.rootBounds[k + 3] = ROOT_SIZE;
    }
    bench->context = ( joStructureContext ){ .memory = &bench->memory,
        .workerCount = 1,
        .kernels = joGetKernels( NULL ),
        .axisCount = (uint32_t)dimension,
        .def = &bench->def };
    joTreeKind.init( &bench->tree, &bench->context );
    bench->set.records = bench->records;
    bench->set.allChanged = true;
    return bench;
}

static void freeBench( Bench* bench )
{
    joTreeKind.destroy( &bench->tree );
    assert_int_equal( bench->memory.bytes, 0 );
    joMemory_Destroy( &bench->memory );
    free( bench );
}

static void addBox( Bench* bench, const float lower[3], const float upper[3] )
{
    joBoxRecord* record = bench->records + bench->set.count++;
    memset( record, 0, sizeof( *record ) );
    for ( uint32_t k = 0; k < bench->context.axisCount; ++k )
    {
        record->lower[k] = lower[k];
        record->upper[k] = upper[k];
    }
    bench->set.liveCount += 1;
}

static void addSquare( Bench* bench, float x, float y, float size )
{
    float lower[3] = { x, y, y }, upper[3] = { x + size, y + size, y + size };
    addBox( bench, lower, upper );
}

static void build( Bench* bench )
{
    assert_int_equal( joTreeKind.build( &bench->tree, &bench->set ), jo_success );
    assert_true( joTreeKind.validate( &bench->tree, &bench->set ) );
}

// The node that owns each slot.
static const joTreeRecord* ownerOf( const Bench* bench, uint32_t slot )
{
    const joTreeRecord* records = bench->tree.records.data;
    const uint32_t* index = bench->tree.index.data;
    for ( uint32_t r = 0; r < bench->tree.nodeCount; ++r )
    {
        for ( uint32_t i = 0; i < records[r].own; ++i )
        {
            if ( ( index[records[r].first + i] & JO_INDEX_MASK ) == slot )
            {
                return records + r;
            }
        }
    }
    return NULL;
}

// Whole multiples of 1/1024 within the root, so that everything here is exact; some sizes are powers of two.
static void fillExact( Bench* bench, joRandom* random, uint32_t count )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        float lower[3], upper[3];
        uint32_t size = joRandom_Below( random, 8u << joRandom_Below( random, 12 ) );
        size = joRandom_Below( random, 8 ) == 0 ? 1u << joRandom_Below( random, 15 ) : size;
        for ( int k = 0; k < 3; ++k )
        {
            uint32_t place = joRandom_Below( random, 65535 - size );
            lower[k] = (float)place / 1024.0f;
            upper[k] = (float)( place + size ) / 1024.0f;
        }
        addBox( bench, lower, upper );
    }
}

// ---- placement ----

// The textbook's quadtree: what a node's children do not hold stays; a node of at most leafCapacity boxes
// does not split. A border belongs to the cell above it.
static void placePlainly( const Bench* bench, const uint32_t* slots, uint32_t count, const float origin[3],
    float size, uint32_t level, uint32_t* levels )
{
    if ( count <= bench->def.leafCapacity || level == bench->def.maxDepth )
    {
        for ( uint32_t i = 0; i < count; ++i )
        {
            levels[slots[i]] = level;
        }
        return;
    }
    float half = 0.5f * size;
    uint32_t* inside = malloc( count * sizeof( uint32_t ) );
    bool* sunk = calloc( count, sizeof( bool ) );
    assert_non_null( inside );
    assert_non_null( sunk );
    for ( uint32_t child = 0; child < 1u << bench->context.axisCount; ++child )
    {
        float corner[3];
        for ( int k = 0; k < 3; ++k )
        {
            corner[k] = origin[k] + ( ( child >> k & 1 ) != 0 ? half : 0.0f );
        }
        uint32_t insideCount = 0;
        for ( uint32_t i = 0; i < count; ++i )
        {
            const joBoxRecord* record = bench->records + slots[i];
            bool holds = true;
            for ( uint32_t k = 0; k < bench->context.axisCount; ++k )
            {
                holds = holds && record->lower[k] >= corner[k] && record->upper[k] < corner[k] + half;
            }
            if ( holds )
            {
                inside[insideCount++] = slots[i];
                sunk[i] = true;
            }
        }
        if ( insideCount > 0 )
        {
            placePlainly( bench, inside, insideCount, corner, half, level + 1, levels );
        }
    }
    for ( uint32_t i = 0; i < count; ++i )
    {
        if ( !sunk[i] )
        {
            levels[slots[i]] = level;
        }
    }
    free( inside );
    free( sunk );
}

static void strictBoxesSinkWhileOneChildHoldsThemAndLeavesSplitOnlyAboveCapacity( void** state )
{
    (void)state;
    static const uint32_t capacities[] = { 1, 2, 7, 16, 40, 1024 };
    static const uint32_t depths[] = { 1, 3, 10, 14, 20 };
    joRandom random = joMakeRandom( 11 );
    static uint32_t slots[MAX_COUNT], levels[MAX_COUNT];
    for ( uint32_t scene = 0; scene < 60; ++scene )
    {
        Bench* bench =
            makeBench( 2 + (int)( scene % 2 ), 1.0f, depths[scene % 5], capacities[scene / 5 % 6] );
        uint32_t count = 1 + joRandom_Below( &random, 400 );
        fillExact( bench, &random, count );
        build( bench );
        for ( uint32_t i = 0; i < count; ++i )
        {
            slots[i] = i;
        }
        float origin[3] = { 0.0f, 0.0f, 0.0f };
        placePlainly( bench, slots, count, origin, ROOT_SIZE, 0, levels );
        uint32_t deepest = 0;
        for ( uint32_t i = 0; i < count; ++i )
        {
            // A chain of nodes with one child each and nothing else is one node, the last; leaves keep their
            // level.
            const joTreeRecord* node = ownerOf( bench, i );
            assert_non_null( node );
            assert_int_equal( node->level, levels[i] );
            deepest = levels[i] > deepest ? levels[i] : deepest;
        }
        joBroadPhaseStats stats = { 0 };
        joTreeKind.addStats( &bench->tree, &stats );
        assert_int_equal( stats.depth, deepest );
        assert_true( stats.cells > 0 && stats.cells < 2 * count );
        freeBench( bench );
    }
}

static void looseLevelsFollowFromTheSizeAndCellsFromTheCentre( void** state )
{
    (void)state;
    static const float loosenesses[] = { 1.125f, 1.5f, 2.0f };
    static const uint32_t depths[] = { 1, 4, 10, 20 };
    joRandom random = joMakeRandom( 12 );
    for ( uint32_t scene = 0; scene < 36; ++scene )
    {
        float looseness = loosenesses[scene % 3];
        Bench* bench = makeBench( 2 + (int)( scene % 2 ), looseness, depths[scene / 6 % 4], 1 );
        fillExact( bench, &random, 1 + joRandom_Below( &random, 300 ) );
        build( bench );
        for ( uint32_t i = 0; i < bench->set.count; ++i )
        {
            const joBoxRecord* record = bench->records + i;
            const joTreeRecord* node = ownerOf( bench, i );
            assert_non_null( node );
            uint32_t level = 0;
            double cell = ROOT_SIZE;
            for ( bool fits = true; fits && level < bench->def.maxDepth; )
            {
                for ( uint32_t k = 0; k < bench->context.axisCount; ++k )
                {
                    double size = (double)record->upper[k] - record->lower[k];
                    fits = fits && size <= 0.5 * cell * ( (double)looseness - 1.0 );
                }
                level += fits ? 1u : 0u;
                cell *= fits ? 0.5 : 1.0;
            }
            assert_int_equal( node->level, level );
            // The box lies within the loose bounds of the cell of its node, as the first box of the node says
            // it.
            uint32_t slot = ( (uint32_t*)bench->tree.index.data )[node->first] & JO_INDEX_MASK;
            for ( uint32_t k = 0; k < bench->context.axisCount; ++k )
            {
                double center =
                    0.5 * ( (double)bench->records[slot].lower[k] + bench->records[slot].upper[k] );
                double corner = floor( center / cell ) * cell;
                double slack = 0.5 * ( (double)looseness - 1.0 ) * cell;
                assert_true(
                    record->lower[k] >= corner - slack && record->upper[k] <= corner + cell + slack );
            }
        }
        freeBench( bench );
    }
}

static void case18EqualPointsEndAtMaxDepthOrInOneLeaf( void** state )
{
    (void)state;
    for ( uint32_t depth = 1; depth <= JO_MAX_TREE_DEPTH; ++depth )
    {
        for ( int dimension = 2; dimension <= 3; ++dimension )
        {
            Bench* bench = makeBench( dimension, 1.0f, depth, 16 );
            for ( uint32_t i = 0; i < 17; ++i )
            {
                addSquare( bench, 3.3f, 60.7f, 0.0f );
            }
            build( bench );
            assert_int_equal( bench->tree.depth, depth );
            assert_int_equal( bench->tree.nodeCount, 1 );
            bench->set.count = bench->set.liveCount = 16;
            build( bench );
            assert_int_equal( bench->tree.depth, 0 );
            freeBench( bench );
        }
    }
}

static void case20ALargeObjectOfALooseTreeIsNotDeep( void** state )
{
    (void)state;
    Bench* bench = makeBench( 2, 2.0f, 10, 16 );
    addSquare( bench, 1.0f, 1.0f, 60.0f );
    addSquare( bench, 31.0f, 31.0f, 0.05f ); // at its centre
    addSquare( bench, 60.9f, 60.9f, 0.05f ); // at its corner
    float lower[3] = { -INFINITY, 3.0f, 0.0f }, upper[3] = { INFINITY, 3.0f, 0.0f };
    addBox( bench, lower, upper );
    build( bench );
    assert_int_equal( ownerOf( bench, 0 )->level, 0 );
    assert_int_equal( ownerOf( bench, 1 )->level, 10 );
    assert_int_equal( ownerOf( bench, 2 )->level, 10 );
    assert_int_equal( ownerOf( bench, 3 )->level, 0 );
    freeBench( bench );
}

static void givenRootBoundsAreHonouredAlsoOnUnequalAxes( void** state )
{
    (void)state;
    Bench* bench = makeBench( 2, 1.0f, 3, 1 );
    float bounds[6] = { -8.0f, 100.0f, 0.0f, 8.0f, 500.0f, 0.0f };
    memcpy( bench->def.rootBounds, bounds, sizeof( bounds ) );
    addSquare( bench, -1.0f, 110.0f, 1.5f );    // across x = 0
    addSquare( bench, 1.0f, 299.0f, 1.0f );     // up to y = 300, which belongs to the cell above
    addSquare( bench, 1.0f, 298.0f, 0.5f );     // below it
    addSquare( bench, 0.1f, 110.0f, 0.5f );     // [0, 2) x [100, 150)
    addSquare( bench, 0.2f, 110.0f, 0.5f );     // likewise
    addSquare( bench, 1000.0f, 9000.0f, 1.0f ); // outside: the outermost cell
    addSquare( bench, 7.0f, 490.0f, 0.5f );     // in that cell
    build( bench );
    static const uint32_t levels[] = { 0, 0, 2, 3, 3, 3, 3 };
    for ( uint32_t i = 0; i < 7; ++i )
    {
        assert_int_equal( ownerOf( bench, i )->level, levels[i] );
    }
    assert_ptr_equal( ownerOf( bench, 5 ), ownerOf( bench, 6 ) );
    freeBench( bench );
}

// ---- memory, validation ----

static void fillHard( Bench* bench, uint32_t scene, uint32_t count )
{
    joRandom random = joMakeRandom( scene );
    bench->set.count = bench->set.liveCount = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        float x = joRandom_Range( &random, 0.0f, ROOT_SIZE ), y = joRandom_Range( &random, 0.0f, ROOT_SIZE );
        float size = scene % 3 == 0 ? 0.0f : ldexpf( 1.0f, (int)joRandom_Below( &random, 30 ) - 24 );
        bool again = scene % 4 == 1 && i % 2 == 1;
        addSquare( bench, again ? bench->records[i - 1].lower[0] : x,
            again ? bench->records[i - 1].lower[1] : y, size );
    }
}

static void afterReserveNoBuildAllocates( void** state )
{
    (void)state;
    for ( uint32_t scene = 0; scene < 24; ++scene )
    {
        uint32_t count = 1 + 167 * scene;
        Bench* bench =
            makeBench( 2 + (int)( scene & 1 ), scene & 2 ? 2.0f : 1.0f, 20, scene % 5 == 0 ? 16 : 1 );
        assert_int_equal( joTreeKind.reserve( &bench->tree, count ), jo_success );
        bench->memory.fixed = true;
        uint64_t allocations = bench->memory.allocationCount;
        for ( uint32_t variant = 0; variant < 12; ++variant )
        {
            fillHard( bench, variant, count );
            build( bench );
        }
        assert_int_equal( bench->memory.allocationCount, allocations );
        freeBench( bench );
    }
}

static void aBuildSurvivesEveryFailureOfTheAllocator( void** state )
{
    (void)state;
    for ( int fail = 0;; ++fail )
    {
        Bench* bench = makeBench( 3, 1.0f, 10, 2 );
        fillHard( bench, 1, 1000 );
        s_allocationsLeft = fail;
        joResult result = joTreeKind.build( &bench->tree, &bench->set );
        s_allocationsLeft = -1;
        assert_true( result == jo_success || result == jo_errorOutOfMemory );
        assert_int_equal( bench->tree.itemCount, result == jo_success ? 1000 : 0 );
        build( bench );
        freeBench( bench );
        if ( result == jo_success )
        {
            assert_true( fail > 10 );
            break;
        }
    }
}

static void aSetThatHasNotChangedIsNotBuiltAgain( void** state )
{
    (void)state;
    Bench* bench = makeBench( 2, 1.0f, 10, 16 );
    fillHard( bench, 1, 100 );
    build( bench );
    joBoxSet unread = { .count = 100, .liveCount = 100 };
    assert_int_equal( joTreeKind.build( &bench->tree, &unread ), jo_success );
    assert_int_equal( bench->tree.itemCount, 100 );
    uint32_t changed = 7;
    bench->set.allChanged = false;
    bench->set.changed = &changed;
    bench->set.changedCount = 1;
    bench->records[7].upper[0] += 1.0f;
    assert_false( joTreeKind.validate( &bench->tree, &bench->set ) );
    build( bench );
    freeBench( bench );
}

static void freeSlotsAreLeftOut( void** state )
{
    (void)state;
    Bench* bench = makeBench( 3, 1.0f, 10, 1 );
    fillHard( bench, 2, 500 );
    for ( uint32_t i = 0; i < 500; i += 3 )
    {
        for ( int k = 0; k < 3; ++k )
        {
            bench->records[i].lower[k] = INFINITY;
            bench->records[i].upper[k] = -INFINITY;
        }
        bench->set.liveCount -= 1;
    }
    build( bench );
    assert_null( ownerOf( bench, 3 ) );
    assert_non_null( ownerOf( bench, 4 ) );
    freeBench( bench );
}

static bool breaksIt( Bench* bench, void* place, size_t size, const void* value )
{
    unsigned char kept[16];
    memcpy( kept, place, size );
    memcpy( place, value, size );
    bool valid = joTreeKind.validate( &bench->tree, &bench->set );
    memcpy( place, kept, size );
    return !valid;
}

static void validateSeesWhatIsBroken( void** state )
{
    (void)state;
    Bench* bench = makeBench( 2, 1.0f, 10, 2 );
    fillHard( bench, 2, 700 );
    build( bench );
    joTree* tree = &bench->tree;
    uint32_t* index = tree->index.data;
    joTreeEntry* entry = (joTreeEntry*)tree->entries.data + tree->entryCount / 2;
    joTreeRecord* node = (joTreeRecord*)tree->records.data + tree->nodeCount / 2;
    joTreeGroup* group = (joTreeGroup*)tree->groups.data + tree->groupCount / 2;
    uint32_t zero = 0, many = 5000, deeper = node->level + 1, higher = node->level - 1;
    float wide = 1000.0f, narrow = 0.5f * ( entry->lower[0] + entry->upper[0] );
    assert_true( breaksIt( bench, index + 3, 4, index + 4 ) ); // one twice, one never
    assert_true( breaksIt( bench, index + 3, 4, &zero ) );
    assert_true( breaksIt( bench, tree->bounds[1].data, 4, &wide ) );
    assert_true( breaksIt( bench, &entry->upper[0], 4, &wide ) );
    assert_true( breaksIt( bench, &entry->upper[0], 4, &narrow ) );
    assert_true( breaksIt( bench, &entry->skip, 4, &zero ) );
    assert_true( breaksIt( bench, &entry->skip, 4, &many ) );
    assert_true( breaksIt( bench, &entry->first, 4, &many ) );
    assert_true( breaksIt( bench, &node->level, 4, &deeper ) );
    assert_true( breaksIt( bench, &node->level, 4, &higher ) );
    assert_true( breaksIt( bench, &node->own, 4, &zero ) );
    assert_true( breaksIt( bench, &group->bounds[3], 4, &group->bounds[0] ) );
    assert_true( breaksIt( bench, &group->start, 4, &zero ) );
    assert_true( breaksIt( bench, (uint32_t*)tree->ends.data + 5, 4, &zero ) );
    assert_true( breaksIt( bench, &tree->depth, 4, &many ) );
    freeBench( bench );
}

// ---- pairs ----

typedef struct Boxes
{
    float lower[3][MAX_COUNT], upper[3][MAX_COUNT];
    uint32_t keys[MAX_COUNT];
} Boxes;

static joBoxes view( const Boxes* boxes, uint32_t first, uint32_t count )
{
    joBoxes result = { .count = count, .key = { boxes->keys + first, 4 } };
    result.lowerX = ( joColumn ){ boxes->lower[0] + first, 4 };
    result.lowerY = ( joColumn ){ boxes->lower[1] + first, 4 };
    result.lowerZ = ( joColumn ){ boxes->lower[2] + first, 4 };
    result.upperX = ( joColumn ){ boxes->upper[0] + first, 4 };
    result.upperY = ( joColumn ){ boxes->upper[1] + first, 4 };
    result.upperZ = ( joColumn ){ boxes->upper[2] + first, 4 };
    return result;
}

static joBroadPhase* makeFront( joBroadPhaseDef def, joBroadPhaseKind kind )
{
    def.kind = kind;
    joBroadPhase* front = NULL;
    assert_int_equal( joCreateBroadPhase( &def, &front ), jo_success );
    return front;
}

static uint64_t assertSamePairs( joBroadPhase* tree, joBroadPhase* brute )
{
    uint64_t treeCount, bruteCount;
    assert_int_equal( joBroadPhase_FindPairs( tree, NULL, 0, &treeCount ), jo_success );
    assert_int_equal( joBroadPhase_FindPairs( brute, NULL, 0, &bruteCount ), jo_success );
    assert_int_equal( treeCount, bruteCount );
    const joPair* treePairs = joBroadPhase_ViewPairs( tree, &treeCount );
    const joPair* brutePairs = joBroadPhase_ViewPairs( brute, &bruteCount );
    assert_int_equal( treeCount, bruteCount );
    if ( treeCount > 0 )
    {
        assert_memory_equal( treePairs, brutePairs, treeCount * sizeof( joPair ) );
    }
    assert_true( joBroadPhase_Validate( tree ) );
    return treeCount;
}

static float drawPlace( joRandom* random, uint32_t scene )
{
    switch ( scene % 6 )
    {
        case 0:
            return joRandom_Range( random, -30.0f, 30.0f );
        case 1: // cell borders
            return (float)joRandom_Below( random, 64 ) - 32.0f;
        case 2: // clusters far from each other
            return joRandom_Range( random, -1.0f, 1.0f ) +
                   ( joRandom_Below( random, 2 ) != 0 ? 1.0e6f : -3.0e4f );
        case 3: // some that flew away
            return joRandom_Below( random, 50 ) == 0 ? joRandom_Range( random, -1.0e30f, 1.0e30f )
                                                     : joRandom_Normal( random );
        case 4: // few places
            return 0.1f * (float)joRandom_Below( random, 5 );
        default: // all of float
            return ldexpf( joRandom_Range( random, -1.0f, 1.0f ), (int)joRandom_Below( random, 277 ) - 149 );
    }
}

static void drawBox( Boxes* boxes, uint32_t i, joRandom* random, uint32_t scene )
{
    boxes->keys[i] = i;
    float size = scene % 5 == 0   ? 0.0f
                 : scene % 5 == 1 ? 1.0f
                                  : ldexpf( 1.0f, (int)joRandom_Below( random, 12 ) - 8 );
    for ( int k = 0; k < 3; ++k )
    {
        boxes->lower[k][i] = drawPlace( random, scene );
        boxes->upper[k][i] = boxes->lower[k][i] + size;
        if ( scene % 7 == 3 && joRandom_Below( random, 20 ) == 0 )
        {
            boxes->lower[k][i] = -INFINITY;
        }
        if ( scene % 7 >= 3 && scene % 7 <= 4 && joRandom_Below( random, 20 ) == 0 )
        {
            boxes->upper[k][i] = INFINITY;
        }
    }
}

static joBroadPhaseDef drawDef( joRandom* random, uint32_t scene )
{
    static const float loosenesses[] = { 1.0f, 1.0f, 1.25f, 2.0f };
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.dimension = 2 + (int)( scene & 1 );
    def.looseness = loosenesses[joRandom_Below( random, 4 )];
    def.maxDepth = joRandom_Below( random, 2 ) == 0 ? 10 : 1 + joRandom_Below( random, JO_MAX_TREE_DEPTH );
    def.leafCapacity = joRandom_Below( random, 2 ) == 0 ? 16 : 1 + joRandom_Below( random, 64 );
    if ( joRandom_Below( random, 3 ) == 0 )
    {
        for ( int k = 0; k < 3; ++k )
        {
            def.rootBounds[k] = joRandom_Range( random, -20.0f, 0.0f );
            def.rootBounds[k + 3] = joRandom_Range( random, 1.0f, 20.0f );
        }
    }
    return def;
}

static void findsThePairsOfBruteForceInRandomScenes( void** state )
{
    (void)state;
    static Boxes boxes;
    uint64_t total = 0;
    for ( uint32_t scene = 0; scene < 420; ++scene )
    {
        joRandom random = joMakeRandom( 1000 + scene );
        joBroadPhaseDef def = drawDef( &random, scene );
        joBroadPhase* tree = makeFront( def, jo_tree );
        joBroadPhase* brute = makeFront( def, jo_bruteForce );
        uint32_t count = 1 + joRandom_Below( &random, scene % 10 == 0 ? 2000 : 300 );
        for ( uint32_t i = 0; i < count; ++i )
        {
            drawBox( &boxes, i, &random, scene );
        }
        // The first moves, the second rests, the third is static.
        uint32_t cuts[4] = { 0, count - count / 4, count - count / 8, count };
        static const joMotion motions[3] = { jo_moving, jo_resting, jo_static };
        for ( int k = 0; k < 3; ++k )
        {
            joBoxes part = view( &boxes, cuts[k], cuts[k + 1] - cuts[k] );
            assert_int_equal( joBroadPhase_AddBoxes( tree, motions[k], &part, NULL ), jo_success );
            assert_int_equal( joBroadPhase_AddBoxes( brute, motions[k], &part, NULL ), jo_success );
        }
        total += assertSamePairs( tree, brute );
        // Once more, with some removed and some moved.
        uint32_t removed = cuts[1] / 5;
        assert_int_equal( joBroadPhase_Remove( tree, boxes.keys, removed, NULL ), jo_success );
        assert_int_equal( joBroadPhase_Remove( brute, boxes.keys, removed, NULL ), jo_success );
        for ( uint32_t i = removed; i < cuts[1]; ++i )
        {
            drawBox( &boxes, i, &random, scene );
        }
        joBoxes part = view( &boxes, removed, ( cuts[1] - removed ) / 2 );
        assert_int_equal( joBroadPhase_MoveBoxes( tree, &part, NULL ), jo_success );
        assert_int_equal( joBroadPhase_MoveBoxes( brute, &part, NULL ), jo_success );
        total += assertSamePairs( tree, brute );
        joDestroyBroadPhase( tree );
        joDestroyBroadPhase( brute );
    }
    assert_true( total > 100000 );
}

static void setSquare( Boxes* boxes, uint32_t i, float x, float y, float size )
{
    boxes->keys[i] = i;
    for ( int k = 0; k < 3; ++k )
    {
        boxes->lower[k][i] = k == 0 ? x : y;
        boxes->upper[k][i] = boxes->lower[k][i] + size;
    }
}

static void case5TheRootGrowsWithWhatIsAdded( void** state )
{
    (void)state;
    static Boxes boxes;
    for ( uint32_t scene = 0; scene < 8; ++scene )
    {
        joBroadPhaseDef def = joDefaultBroadPhaseDef();
        def.dimension = 2 + (int)( scene & 1 );
        def.looseness = scene & 2 ? 2.0f : 1.0f;
        def.rootBounds[3] = def.rootBounds[4] = def.rootBounds[5] = scene & 4 ? 1.0f : 0.0f;
        joBroadPhase* tree = makeFront( def, jo_tree );
        joBroadPhase* brute = makeFront( def, jo_bruteForce );
        float reach = 1.0f;
        for ( uint32_t i = 0; i < 120; ++i, reach = reach < 1.0e30f ? -1.9f * reach : 1.0f )
        {
            setSquare( &boxes, i, reach, 0.5f * reach, 2.0f * fabsf( reach ) );
            joBoxes one = view( &boxes, i, 1 );
            assert_int_equal( joBroadPhase_AddBoxes( tree, jo_moving, &one, NULL ), jo_success );
            assert_int_equal( joBroadPhase_AddBoxes( brute, jo_moving, &one, NULL ), jo_success );
            assert_true( assertSamePairs( tree, brute ) > 0 || i < 2 );
        }
        joDestroyBroadPhase( tree );
        joDestroyBroadPhase( brute );
    }
}

static void case6SortedSquaresAndTenThousandAddedOneByOneOverflowNothing( void** state )
{
    (void)state;
    static Boxes boxes;
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.dimension = 2;
    def.maxDepth = JO_MAX_TREE_DEPTH;
    def.leafCapacity = 1;
    joBroadPhase* tree = makeFront( def, jo_tree );
    joBroadPhase* brute = makeFront( def, jo_bruteForce );
    for ( uint32_t i = 0; i < 10000; ++i )
    {
        // 300 sorted squares over 500 m, then squares that lie ever closer to one corner: as deep as it goes.
        float x = i < 300 ? 500.0f * (float)i / 300.0f : 500.0f * powf( 0.5f, (float)( i % 40 ) );
        setSquare( &boxes, 0, x, i < 300 ? 0.0f : x + (float)( i % 97 ), 0.25f * x );
        boxes.keys[0] = i;
        joBoxes one = view( &boxes, 0, 1 );
        assert_int_equal( joBroadPhase_AddBoxes( tree, jo_moving, &one, NULL ), jo_success );
        assert_int_equal( joBroadPhase_AddBoxes( brute, jo_moving, &one, NULL ), jo_success );
        if ( i < 300 ? i % 20 == 0 : i % 2425 == 0 )
        {
            assertSamePairs( tree, brute );
        }
    }
    assert_true( assertSamePairs( tree, brute ) > 10000 );
    joDestroyBroadPhase( tree );
    joDestroyBroadPhase( brute );
}

static void case11HugeBoxesMakeNoCells( void** state )
{
    (void)state;
    static Boxes boxes;
    for ( uint32_t scene = 0; scene < 4; ++scene )
    {
        joBroadPhaseDef def = joDefaultBroadPhaseDef();
        def.dimension = 2 + (int)( scene & 1 );
        def.looseness = scene & 2 ? 2.0f : 1.0f;
        joBroadPhase* tree = makeFront( def, jo_tree );
        joBroadPhase* brute = makeFront( def, jo_bruteForce );
        joRandom random = joMakeRandom( scene );
        for ( uint32_t i = 0; i < 1000; ++i )
        {
            float size = i % 100 == 0 ? 1.0e12f : i % 100 == 1 ? INFINITY : 1.0f;
            float x = joRandom_Range( &random, -50.0f, 50.0f );
            setSquare(
                &boxes, i, i % 100 == 0 ? -1.0e9f : x, joRandom_Range( &random, -50.0f, 50.0f ), size );
        }
        joBoxes all = view( &boxes, 0, 1000 );
        assert_int_equal( joBroadPhase_SetBoxes( tree, &all, NULL ), jo_success );
        assert_int_equal( joBroadPhase_SetBoxes( brute, &all, NULL ), jo_success );
        assert_true( assertSamePairs( tree, brute ) > 1000 );
        assert_true( joBroadPhase_GetStats( tree ).cells < 2000 );
        joDestroyBroadPhase( tree );
        joDestroyBroadPhase( brute );
    }
}

static void objectsOutsideTheRootAreFoundAndDoNotMeetEachOtherAll( void** state )
{
    (void)state;
    static Boxes boxes;
    joRandom random = joMakeRandom( 5 );
    for ( uint32_t i = 0; i < 4000; ++i )
    {
        float x = joRandom_Range( &random, 1000.0f, 1060.0f );
        setSquare( &boxes, i, x, joRandom_Range( &random, 500.0f, 560.0f ), 1.0f );
    }
    for ( uint32_t scene = 0; scene < 2; ++scene )
    {
        joBroadPhaseDef def = joDefaultBroadPhaseDef();
        def.dimension = 2;
        def.looseness = scene == 0 ? 1.0f : 2.0f;
        def.rootBounds[3] = def.rootBounds[4] = 1.0f;
        joBroadPhase* tree = makeFront( def, jo_tree );
        joBroadPhase* brute = makeFront( def, jo_bruteForce );
        joBoxes all = view( &boxes, 0, 4000 );
        assert_int_equal( joBroadPhase_SetBoxes( tree, &all, NULL ), jo_success );
        assert_int_equal( joBroadPhase_SetBoxes( brute, &all, NULL ), jo_success );
        assertSamePairs( tree, brute );
        assert_true( joBroadPhase_GetStats( tree ).candidatesTested < 4000 * 200 );
        joDestroyBroadPhase( tree );
        joDestroyBroadPhase( brute );
    }
}

static void case21TheSamePairsWithAnyNumberOfThreads( void** state )
{
    (void)state;
    static Boxes boxes;
    joRandom random = joMakeRandom( 6 );
    for ( uint32_t i = 0; i < MAX_COUNT; ++i )
    {
        float x = joRandom_Range( &random, -20.0f, 20.0f );
        setSquare( &boxes, i, x, joRandom_Range( &random, -20.0f, 20.0f ), joRandom_Float( &random ) );
    }
    joBoxes moving = view( &boxes, 0, 3000 ), still = view( &boxes, 3000, MAX_COUNT - 3000 );
    for ( uint32_t workers = 1; workers <= 4; ++workers )
    {
        joJobsDef jobsDef = joDefaultJobsDef();
        jobsDef.workerCount = workers;
        joJobs* jobs = NULL;
        assert_int_equal( joCreateJobs( &jobsDef, &jobs ), jo_success );
        joBroadPhaseDef def = joDefaultBroadPhaseDef();
        def.dimension = 2;
        def.looseness = workers % 2 == 0 ? 1.0f : 1.5f;
        joBroadPhase* brute = makeFront( def, jo_bruteForce );
        def.jobs = jobs;
        joBroadPhase* tree = makeFront( def, jo_tree );
        assert_int_equal( joBroadPhase_AddBoxes( tree, jo_moving, &moving, NULL ), jo_success );
        assert_int_equal( joBroadPhase_AddBoxes( tree, jo_static, &still, NULL ), jo_success );
        assert_int_equal( joBroadPhase_AddBoxes( brute, jo_moving, &moving, NULL ), jo_success );
        assert_int_equal( joBroadPhase_AddBoxes( brute, jo_static, &still, NULL ), jo_success );
        assert_true( assertSamePairs( tree, brute ) > 1000 );
        joDestroyBroadPhase( tree );
        joDestroyBroadPhase( brute );
        joDestroyJobs( jobs );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( strictBoxesSinkWhileOneChildHoldsThemAndLeavesSplitOnlyAboveCapacity ),
        cmocka_unit_test( looseLevelsFollowFromTheSizeAndCellsFromTheCentre ),
        cmocka_unit_test( case18EqualPointsEndAtMaxDepthOrInOneLeaf ),
        cmocka_unit_test( case20ALargeObjectOfALooseTreeIsNotDeep ),
        cmocka_unit_test( givenRootBoundsAreHonouredAlsoOnUnequalAxes ),
        cmocka_unit_test( afterReserveNoBuildAllocates ),
        cmocka_unit_test( aBuildSurvivesEveryFailureOfTheAllocator ),
        cmocka_unit_test( aSetThatHasNotChangedIsNotBuiltAgain ),
        cmocka_unit_test( freeSlotsAreLeftOut ),
        cmocka_unit_test( validateSeesWhatIsBroken ),
        cmocka_unit_test( findsThePairsOfBruteForceInRandomScenes ),
        cmocka_unit_test( case5TheRootGrowsWithWhatIsAdded ),
        cmocka_unit_test( case6SortedSquaresAndTenThousandAddedOneByOneOverflowNothing ),
        cmocka_unit_test( case11HugeBoxesMakeNoCells ),
        cmocka_unit_test( objectsOutsideTheRootAreFoundAndDoNotMeetEachOtherAll ),
        cmocka_unit_test( case21TheSamePairsWithAnyNumberOfThreads ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
