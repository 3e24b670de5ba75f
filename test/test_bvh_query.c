// SPDX-License-Identifier: MIT
// Queries on jo_bvh: random ones against brute force, ties, unused lanes, how few boxes they look at, and
// that all instruction sets look at the same.
#include "support/broad_phase_kit.h"

#include "broad_phase/bvh.h"
#include "query/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RESULTS 4096

typedef enum Question
{
    ask_box,
    ask_circle,
    ask_rayClosest,
    ask_rayAny,
    ask_rayAll,
    ask_sweptClosest,
    ask_sweptAll,
    ask_nearest,
    ask_count
} Question;

typedef struct Query
{
    Question question;
    float lower[3], upper[3]; // a ray starts at lower, a circle and nearest objects are around it
    float direction[3];
    float length; // or radius, or distance
    uint32_t k;
} Query;

typedef struct Answer
{
    uint32_t keys[MAX_RESULTS];
    joHit hits[MAX_RESULTS];
    uint64_t count;
} Answer;

static void ask( const joBroadPhase* broadPhase, const Query* query, Answer* answer )
{
    memset( answer, 0, sizeof( *answer ) );
    joRay ray = { .length = query->length };
    joSweptBox box = { .length = query->length };
    memcpy( ray.origin, query->lower, sizeof( ray.origin ) );
    memcpy( ray.direction, query->direction, sizeof( ray.direction ) );
    memcpy( box.lower, query->lower, sizeof( box.lower ) );
    memcpy( box.upper, query->upper, sizeof( box.upper ) );
    memcpy( box.direction, query->direction, sizeof( box.direction ) );
    joResult result = jo_success;
    bool isHit = false;
    switch ( query->question )
    {
        case ask_box:
            result = joBroadPhase_OverlapBox(
                broadPhase, query->lower, query->upper, NULL, answer->keys, MAX_RESULTS, &answer->count );
            break;
        case ask_circle:
            result = joBroadPhase_OverlapCircle(
                broadPhase, query->lower, query->length, NULL, answer->keys, MAX_RESULTS, &answer->count );
            break;
        case ask_rayClosest:
            result = joBroadPhase_CastRayClosest( broadPhase, &ray, NULL, answer->hits );
            break;
        case ask_rayAny:
            result = joBroadPhase_CastRayAny( broadPhase, &ray, NULL, &isHit );
            answer->count = isHit;
            break;
        case ask_rayAll:
            result =
                joBroadPhase_CastRayAll( broadPhase, &ray, NULL, answer->hits, MAX_RESULTS, &answer->count );
            break;
        case ask_sweptClosest:
            result = joBroadPhase_CastBoxClosest( broadPhase, &box, NULL, answer->hits );
            break;
        case ask_sweptAll:
            result =
                joBroadPhase_CastBoxAll( broadPhase, &box, NULL, answer->hits, MAX_RESULTS, &answer->count );
            break;
        default:
            result = joBroadPhase_FindNearest( broadPhase, query->lower, query->k, query->length, NULL,
                answer->hits, MAX_RESULTS, &answer->count );
            break;
    }
    kitRequire( result, "a query" );
}

// A place at or near one of the objects, so that queries meet something wherever these are.
static void drawPlace( refRandom* random, const refObject* objects, uint32_t count, float place[3] )
{
    const refObject* object = objects + refBelow( random, count );
    for ( int axis = 0; axis < 3; ++axis )
    {
        double lower = object->round ? object->center[axis] - object->radius : object->lower[axis];
        double upper = object->round ? object->center[axis] + object->radius : object->upper[axis];
        double x = refChance( random, 0.3 ) ? lower : refRange( random, lower, upper );
        x += refChance( random, 0.5 ) ? refRange( random, -3.0, 3.0 ) : 0.0;
        place[axis] = isfinite( (float)x ) ? (float)x : 0.0f;
    }
}

static Query drawQuery( refRandom* random, const refObject* objects, uint32_t count )
{
    Query query = { .question = (Question)refBelow( random, ask_count ), .k = refBelow( random, 20 ) };
    float target[3];
    drawPlace( random, objects, count, query.lower );
    drawPlace( random, objects, count, target );
    double lengthSq = 0.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        query.upper[axis] = query.lower[axis] + (float)refRange( random, 0.0, 4.0 );
        double way = (double)target[axis] - (double)query.lower[axis];
        lengthSq += way * way;
        query.direction[axis] = refChance( random, 0.2 ) ? 0.0f : isfinite( (float)way ) ? (float)way : 1.0f;
    }
    if ( query.direction[0] == 0.0f && query.direction[1] == 0.0f )
    {
        query.direction[refBelow( random, 2 )] = refChance( random, 0.5 ) ? 1.0f : -1.0f;
    }
    double length = sqrt( lengthSq );
    length = length < 1e30 ? length : 1e30;
    query.length = refChance( random, 0.1 )   ? 0.0f
                   : refChance( random, 0.1 ) ? INFINITY
                                              : (float)( length * refRange( random, 0.1, 1.5 ) );
    if ( query.question == ask_circle && !( query.length < INFINITY ) )
    {
        query.length = 1.0f;
    }
    return query;
}

// Returns how many queries met something.
static uint64_t compare( joBroadPhase* const broadPhases[2], refRandom* random, const refObject* objects,
    uint32_t count, int queryCount, const char* scene )
{
    static Answer found, expected;
    uint64_t met = 0;
    for ( int i = 0; i < queryCount; ++i )
    {
        Query query = drawQuery( random, objects, count );
        ask( broadPhases[0], &query, &expected );
        ask( broadPhases[1], &query, &found );
        if ( memcmp( &found, &expected, sizeof( found ) ) != 0 )
        {
            fail_msg( "%s: question %d, number %d: %llu results, %llu expected; first hit %u at %g, expected "
                      "%u at %g",
                scene, (int)query.question, i, (unsigned long long)found.count,
                (unsigned long long)expected.count, found.hits[0].key, (double)found.hits[0].distance,
                expected.hits[0].key, (double)expected.hits[0].distance );
        }
        met += expected.count > 0 || ( expected.hits[0].key != JO_NULL_INDEX && expected.hits[0].key != 0 );
    }
    return met;
}

static const kitVariant* findHierarchy( void )
{
    const kitVariant* variant = kitVariants;
    while ( variant->kind != jo_bvh )
    {
        variant += 1;
    }
    return variant;
}

// Returns how many of its hundred queries met something.
static uint64_t runScene( refDistribution distribution, int dimension, uint64_t seed )
{
    refRandom random = refMakeRandom( 31 * seed, (uint64_t)distribution * 4 + (uint64_t)dimension );
    refSceneDef scene = { .distribution = distribution,
        .axisCount = dimension,
        .count = 1 + refBelow( &random, seed % 2 ? 40 : 1500 ),
        .cellSize = 1.0,
        .roundShare = seed % 3 ? 0.3 : 0.0,
        .neighbours = 2.0 };
    refPrepareScene( &scene, &random );
    refObject* objects = calloc( scene.count, sizeof( refObject ) );
    assert_non_null( objects );
    const uint32_t first = refBelow( &random, 1000 );
    for ( uint32_t i = 0; i < scene.count; ++i )
    {
        refDrawShape( &scene, &random, objects + i );
        objects[i].key = ( first + i * 7919 ) % 1000003;
        objects[i].layer = objects[i].mask = UINT64_MAX;
        objects[i].motion = ref_moving;
    }
    const kitVariant* variants[2] = { kitVariants, findHierarchy() };
    joBroadPhase* broadPhases[2];
    for ( int i = 0; i < 2; ++i )
    {
        joBroadPhaseDef def = kitDef( variants[i], dimension );
        broadPhases[i] = kitCreate( &def );
        kitRequire( kitAdd( broadPhases[i], dimension, jo_moving, objects, scene.count ), "kitAdd" );
        kitRequire( joBroadPhase_Update( broadPhases[i] ), "joBroadPhase_Update" );
    }
    const char* name = refDistributionText( distribution );
    uint64_t met = compare( broadPhases, &random, objects, scene.count, 40, name );

    // A few move; then the tree is edited.
    const uint32_t few = 1 + scene.count / 10;
    for ( uint32_t i = 0; i < few; ++i )
    {
        refJitter( &scene, &random, objects + i );
    }
    for ( int i = 0; i < 2; ++i )
    {
        kitRequire( kitMove( broadPhases[i], dimension, objects, few ), "kitMove" );
    }
    met += compare( broadPhases, &random, objects, scene.count, 20, name );
    for ( int i = 0; i < 2; ++i )
    {
        kitRequire( joBroadPhase_Update( broadPhases[i] ), "joBroadPhase_Update" );
    }
    met += compare( broadPhases, &random, objects, scene.count, 40, name );
    joDestroyBroadPhase( broadPhases[0] );
    joDestroyBroadPhase( broadPhases[1] );
    free( objects );
    return met;
}

static void random_queries_find_what_brute_force_finds( void** state )
{
    (void)state;
    const uint64_t seeds = kitQuick() ? 2 : 8;
    uint64_t met = 0;
    for ( uint64_t seed = 1; seed <= seeds; ++seed )
    {
        for ( int distribution = 0; distribution < (int)ref_distributionCount; ++distribution )
        {
            met += runScene( (refDistribution)distribution, 2, seed );
            met += runScene( (refDistribution)distribution, 3, seed );
        }
    }
    // Nothing is shown by questions that are answered with nothing.
    assert_true( met > 100 * seeds * (uint64_t)ref_distributionCount );
}

static joBroadPhase* makeBoxes( int dimension, const refObject* objects, uint32_t count )
{
    joBroadPhaseDef def = kitDef( findHierarchy(), dimension );
    joBroadPhase* broadPhase = kitCreate( &def );
    kitRequire( kitAdd( broadPhase, dimension, jo_moving, objects, count ), "kitAdd" );
    kitRequire( joBroadPhase_Update( broadPhase ), "joBroadPhase_Update" );
    return broadPhase;
}

// All are met at distance 0, and the limit is 0 from the first leaf on: a subtree at the limit must still be
// looked at.
static void of_many_boxes_around_the_origin_the_lowest_key_is_hit( void** state )
{
    (void)state;
    enum
    {
        count = 400
    };
    static refObject objects[count];
    for ( uint32_t lowest = 0; lowest < count; lowest += 23 )
    {
        for ( uint32_t i = 0; i < count; ++i )
        {
            const double x = (double)i / count - 0.5;
            objects[i] = kitBox3( 1 + ( i + count - lowest ) % count, x - 1, -1, -x - 1, x + 1, 1, 1 - x );
        }
        joBroadPhase* broadPhase = makeBoxes( 3, objects, count );
        const joRay ray = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 2.0f, 3.0f }, 10.0f };
        joHit hit, nearest[3];
        uint64_t found;
        kitRequire( joBroadPhase_CastRayClosest( broadPhase, &ray, NULL, &hit ), "CastRayClosest" );
        assert_int_equal( hit.key, 1 );
        assert_true( hit.distance == 0.0f );
        const float point[3] = { 0.0f, 0.0f, 0.0f };
        kitRequire(
            joBroadPhase_FindNearest( broadPhase, point, 3, INFINITY, NULL, nearest, 3, &found ), "Nearest" );
        assert_int_equal( found, 3 );
        for ( uint32_t i = 0; i < 3; ++i )
        {
            assert_int_equal( nearest[i].key, i + 1 );
        }
        joDestroyBroadPhase( broadPhase );
    }
}

// The empty box of an unused lane meets an infinite box, and is at an infinite distance, which an infinite
// limit does not leave out.
static void unused_lanes_are_never_entered( void** state )
{
    (void)state;
    static refObject objects[40];
    for ( uint32_t count = 1; count <= 40; ++count )
    {
        for ( uint32_t i = 0; i < count; ++i )
        {
            objects[i] = kitBox3( i, i, 0, 0, i + 0.5, 1, 1 );
        }
        joBroadPhase* broadPhase = makeBoxes( 3, objects, count );
        static Answer answer;
        Query query = { .question = ask_box,
            .lower = { -INFINITY, -INFINITY, -INFINITY },
            .upper = { INFINITY, INFINITY, INFINITY } };
        ask( broadPhase, &query, &answer );
        assert_int_equal( answer.count, count );
        query = ( Query ){ .question = ask_nearest, .length = INFINITY, .k = count + 1 };
        ask( broadPhase, &query, &answer );
        assert_int_equal( answer.count, count );
        query = ( Query ){
            .question = ask_rayAll, .lower = { -1.0f }, .direction = { 1.0f }, .length = INFINITY };
        ask( broadPhase, &query, &answer );
        assert_int_equal( answer.count, count );
        joDestroyBroadPhase( broadPhase );
    }
}

// A query that only counts what it is handed; the nearest so far is its limit.
typedef struct Counter
{
    joQuery query; // first: a probe is cast to its counter
    uint32_t taken;
    uint64_t hash; // of the slots, in their order
    bool isDoneAtOnce;
} Counter;

static void countTaken( joProbe* probe, const uint32_t* slots, uint32_t count )
{
    Counter* counter = (Counter*)(void*)probe;
    counter->taken += count;
    for ( uint32_t i = 0; i < count; ++i )
    {
        counter->hash = counter->hash * 0x9E3779B97F4A7C15u + slots[i] + 1;
        const joBoxRecord* record =
            joObjectSet_Records( &counter->query.front->sets[JO_SET_MOVING] ) + ( slots[i] & JO_INDEX_MASK );
        const float distance = counter->query.test( &counter->query, record, NULL );
        if ( distance < probe->limit )
        {
            joProbe_SetLimit( probe, distance );
        }
    }
    probe->done = counter->isDoneAtOnce;
}

static uint32_t countCandidates( Counter* counter )
{
    const joBroadPhase* front = counter->query.front;
    counter->query.probe.take = countTaken;
    counter->taken = 0;
    front->kind->query( front->structures[JO_SET_MOVING], &counter->query.probe );
    return counter->taken;
}

// Four thousand boxes in a row, and queries along it: nearest first, and no farther than the nearest.
static void little_is_looked_at_behind_the_nearest( void** state )
{
    (void)state;
    enum
    {
        count = 4096
    };
    static refObject objects[count];
    for ( uint32_t i = 0; i < count; ++i )
    {
        objects[i] = kitBox3( i, i, 0, 0, i + 0.5, 1, 1 );
    }
    joBroadPhase* broadPhase = makeBoxes( 3, objects, count );
    for ( int backward = 0; backward < 2; ++backward )
    {
        for ( float start = 0.75f; start < (float)count - 8.0f; start += 64.0f )
        {
            Counter counter = { 0 };
            joRay ray = { { start, 0.5f, 0.5f }, { backward ? -1.0f : 1.0f, 0.0f, 0.0f }, 5000.0f };
            joQuery_Begin( &counter.query, broadPhase, jo_queryRay );
            joQuery_SetRay( &counter.query, &ray );
            const uint32_t taken = countCandidates( &counter );
            assert_in_range( taken, 1, 2 * JO_BVH_LEAF_SIZE );
            assert_true( counter.query.probe.limit == 0.25f );
        }
    }
    for ( float x = 0.7f; x < (float)count; x += 64.0f )
    {
        Counter counter = { 0 };
        const float point[3] = { x, 0.5f, 0.5f };
        joQuery_Begin( &counter.query, broadPhase, jo_queryPoint );
        joQuery_SetPoint( &counter.query, point, INFINITY );
        assert_in_range( countCandidates( &counter ), 1, 3 * JO_BVH_LEAF_SIZE );
    }
    joDestroyBroadPhase( broadPhase );
}

// Most of the row beside the ray: whole subtrees are entered and left without a candidate, and then the next
// nearest one must come, not just any.
static void subtrees_come_in_order_of_their_distance( void** state )
{
    (void)state;
    enum
    {
        count = 4096,
        period = 512,
        beside = 400
    };
    static refObject objects[count];
    for ( uint32_t i = 0; i < count; ++i )
    {
        const double y = i % period >= beside ? 0.0 : i % 2 ? 2.0 : -2.0;
        objects[i] = kitBox3( i, i, y, 0, i + 0.5, y + 1, 1 );
    }
    joBroadPhase* broadPhase = makeBoxes( 3, objects, count );
    for ( uint32_t start = 0; start < count; start += period )
    {
        Counter counter = { 0 };
        const joRay ray = { { (float)start, 0.5f, 0.5f }, { 1.0f, 0.0f, 0.0f }, INFINITY };
        joQuery_Begin( &counter.query, broadPhase, jo_queryRay );
        joQuery_SetRay( &counter.query, &ray );
        assert_in_range( countCandidates( &counter ), 1, JO_BVH_LEAF_SIZE );
        assert_true( counter.query.probe.limit == (float)beside );
    }
    joDestroyBroadPhase( broadPhase );
}

static void nothing_is_handed_over_once_a_query_is_done( void** state )
{
    (void)state;
    enum
    {
        count = 4096
    };
    static refObject objects[count];
    for ( uint32_t i = 0; i < count; ++i )
    {
        objects[i] = kitBox3( i, i, 0, 0, i + 0.5, 1, 1 );
    }
    joBroadPhase* broadPhase = makeBoxes( 3, objects, count );
    const float lower[3] = { -INFINITY, -INFINITY, -INFINITY };
    const float upper[3] = { INFINITY, INFINITY, INFINITY };
    Counter box = { .isDoneAtOnce = true }, ray = { .isDoneAtOnce = true }, point = { .isDoneAtOnce = true };
    joQuery_Begin( &box.query, broadPhase, jo_queryBox );
    joQuery_SetBox( &box.query, lower, upper );
    assert_in_range( countCandidates( &box ), 1, JO_BVH_LEAF_SIZE );
    const joRay way = { { -1.0f, 0.5f, 0.5f }, { 1.0f, 0.0f, 0.0f }, INFINITY };
    joQuery_Begin( &ray.query, broadPhase, jo_queryRay );
    joQuery_SetRay( &ray.query, &way );
    assert_in_range( countCandidates( &ray ), 1, JO_BVH_LEAF_SIZE );
    joQuery_Begin( &point.query, broadPhase, jo_queryPoint );
    joQuery_SetPoint( &point.query, way.origin, INFINITY );
    assert_in_range( countCandidates( &point ), 1, JO_BVH_LEAF_SIZE );
    joDestroyBroadPhase( broadPhase );
}

// In the same order, too.
static void every_instruction_set_hands_over_the_same_candidates( void** state )
{
    (void)state;
    enum
    {
        count = 3000
    };
    static refObject objects[count];
    uint64_t taken = 0;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        refRandom random = refMakeRandom( 5, (uint64_t)dimension );
        refSceneDef scene = {
            .distribution = ref_mixedSizes, .axisCount = dimension, .count = count, .neighbours = 2.0 };
        refPrepareScene( &scene, &random );
        for ( uint32_t i = 0; i < count; ++i )
        {
            refDrawShape( &scene, &random, objects + i );
            objects[i].key = i;
            objects[i].layer = objects[i].mask = UINT64_MAX;
            objects[i].motion = ref_moving;
        }
        joBroadPhase* broadPhase = makeBoxes( dimension, objects, count );
        for ( int i = 0; i < 600; ++i )
        {
            const Query query = drawQuery( &random, objects, count );
            const joRay ray = { { query.lower[0], query.lower[1], query.lower[2] },
                { query.direction[0], query.direction[1], query.direction[2] }, query.length };
            Counter counters[jo_isaCount] = { 0 };
            for ( int isa = 0; isa < (int)jo_isaCount; ++isa )
            {
                const joKernels* kernels = joGetKernelsOf( (joIsa)isa );
                Counter* counter = counters + isa;
                joQuery_Begin( &counter->query, broadPhase,
                    i % 3 == 0   ? jo_queryBox
                    : i % 3 == 1 ? jo_queryRay
                                 : jo_queryPoint );
                if ( i % 3 == 0 )
                    joQuery_SetBox( &counter->query, query.lower, query.upper );
                else if ( i % 3 == 1 )
                    joQuery_SetRay( &counter->query, &ray );
                else
                    joQuery_SetPoint( &counter->query, query.lower, query.length );
                if ( kernels != NULL )
                {
                    counter->query.probe.kernels = kernels;
                    taken += countCandidates( counter );
                    assert_int_equal( counter->taken, counters[jo_isaScalar].taken );
                    assert_true( counter->hash == counters[jo_isaScalar].hash );
                }
            }
        }
        joDestroyBroadPhase( broadPhase );
    }
    assert_true( taken > 10000 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( random_queries_find_what_brute_force_finds ),
        cmocka_unit_test( of_many_boxes_around_the_origin_the_lowest_key_is_hit ),
        cmocka_unit_test( unused_lanes_are_never_entered ),
        cmocka_unit_test( little_is_looked_at_behind_the_nearest ),
        cmocka_unit_test( subtrees_come_in_order_of_their_distance ),
        cmocka_unit_test( nothing_is_handed_over_once_a_query_is_done ),
        cmocka_unit_test( every_instruction_set_hands_over_the_same_candidates ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
