// SPDX-License-Identifier: MIT
#include "jostle/math.h"
#include "jostle/push_apart.h"
#include "reference/limited_memory.h"
#include "reference/push_reference.h"
#include "support/broad_phase_kit.h"
#include "test_support.h"

#include <float.h>
#include <math.h>

#define MAX_BODIES 6000

static uint64_t s_seed = 1;

typedef struct Body
{
    float position[3];
    float radius;
    float inverseMass;
    uint32_t name; // travels with the body when the bodies are shuffled
} Body;

typedef struct Crowd
{
    int dimension;
    uint32_t count;
    Body bodies[MAX_BODIES];
} Crowd;

static Crowd s_crowd, s_other;
static ReferenceBody s_reference[MAX_BODIES];

static joPushBodies columnsOf( Crowd* crowd )
{
    const size_t stride = sizeof( Body );
    Body* bodies = crowd->bodies;
    return ( joPushBodies ){ .x = { &bodies->position[0], stride },
        .y = { &bodies->position[1], stride },
        .z = { &bodies->position[2], stride },
        .radius = { &bodies->radius, stride },
        .inverseMass = { &bodies->inverseMass, stride },
        .count = crowd->count };
}

static joResult push( joPusher* pusher, Crowd* crowd, joPushResult* result, uint32_t* errorIndex )
{
    const joPushBodies columns = columnsOf( crowd );
    return crowd->dimension == 2 ? joPushApart2( pusher, &columns, result, errorIndex )
                                 : joPushApart3( pusher, &columns, result, errorIndex );
}

static joPusherDef brutePusherDef( int dimension )
{
    joPusherDef def = joDefaultPusherDef();
    def.dimension = dimension;
    def.kind = jo_bruteForce;
    return def;
}

static joPusher* makePusher( const joPusherDef* def )
{
    joPusher* pusher = NULL;
    assert_int_equal( joCreatePusher( def, &pusher ), jo_success );
    return pusher;
}

// Pushes once with a pusher of its own.
static joPushResult pushOnce( const joPusherDef* def, Crowd* crowd )
{
    joPusher* pusher = makePusher( def );
    joPushResult result;
    assert_int_equal( push( pusher, crowd, &result, NULL ), jo_success );
    joDestroyPusher( pusher );
    return result;
}

typedef struct CrowdDef
{
    int dimension;
    uint32_t count;
    float side;      // of the square or cube
    float origin;    // its lower corner, on each axis
    float minRadius; // uniform between the two
    float maxRadius;
    float still;    // share of bodies that stand still
    bool unequal;   // inverse masses in (0, 2], else 1
    bool onLattice; // positions that coincide and touch
} CrowdDef;

static void makeCrowd( joRandom* random, const CrowdDef* def, Crowd* crowd )
{
    crowd->dimension = def->dimension;
    crowd->count = def->count;
    for ( uint32_t i = 0; i < def->count; ++i )
    {
        Body* body = &crowd->bodies[i];
        for ( int axis = 0; axis < 3; ++axis )
        {
            const float x = joRandom_Range( random, 0.0f, def->side );
            body->position[axis] = def->origin + ( def->onLattice ? floorf( x ) : x );
        }
        body->position[2] = def->dimension == 3 ? body->position[2] : NAN; // must be ignored
        body->radius = joRandom_Range( random, def->minRadius, def->maxRadius );
        body->inverseMass = def->unequal ? 2.0f - joRandom_Range( random, 0.0f, 1.9f ) : 1.0f;
        body->inverseMass = joRandom_Float( random ) < def->still ? 0.0f : body->inverseMass;
        body->name = i;
    }
}

static void toReference( const Crowd* crowd, ReferenceBody* reference )
{
    for ( uint32_t i = 0; i < crowd->count; ++i )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            reference[i].position[axis] = (double)crowd->bodies[i].position[axis];
        }
        reference[i].radius = (double)crowd->bodies[i].radius;
        reference[i].inverseMass = (double)crowd->bodies[i].inverseMass;
    }
}

static void assertSameBits( const Crowd* a, const Crowd* b )
{
    assert_int_equal( a->count, b->count );
    assert_memory_equal( a->bodies, b->bodies, a->count * sizeof( Body ) );
}

static void assertSameResult( const joPushResult* a, const joPushResult* b )
{
    assert_int_equal( a->pairCount, b->pairCount );
    assert_int_equal( a->overlapCount, b->overlapCount );
    assert_memory_equal( &a->deepestBefore, &b->deepestBefore, sizeof( float ) );
    assert_memory_equal( &a->deepest, &b->deepest, sizeof( float ) );
    assert_memory_equal( &a->farthest, &b->farthest, sizeof( float ) );
}

// From sparse to piled, with still bodies, unequal masses, points, coinciding centres.
static CrowdDef randomCrowdDef( joRandom* random )
{
    CrowdDef def = {
        .dimension = 2 + (int)joRandom_Below( random, 2 ), .count = joRandom_Below( random, 120 ) };
    const float sides[] = { 0.0f, 1.0f, 4.0f, 8.0f, 16.0f };
    def.side = sides[joRandom_Below( random, 5 )];
    def.origin = joRandom_Below( random, 3 ) == 0 ? -100.0f : 0.0f;
    def.maxRadius = joRandom_Below( random, 2 ) == 0 ? 0.5f : 1.5f;
    def.minRadius = joRandom_Below( random, 3 ) == 0 ? 0.0f : 0.5f;
    def.still = joRandom_Below( random, 3 ) == 0 ? 0.3f : 0.0f;
    def.unequal = joRandom_Below( random, 2 ) == 0;
    def.onLattice = joRandom_Below( random, 4 ) == 0;
    return def;
}

static double farthestApart( const ReferenceBody* a, const ReferenceBody* b, uint32_t count, int axisCount )
{
    double most = 0.0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            most = fmax( most, fabs( a[i].position[axis] - b[i].position[axis] ) );
        }
    }
    return most;
}

// Whether the reference, started beside by what floats cannot tell, ends elsewhere: what float arithmetic
// makes of such a pile says nothing.
static bool isChaotic(
    joRandom* random, const Crowd* crowd, const joPusherDef* def, const ReferenceBody* end )
{
    static ReferenceBody beside[MAX_BODIES];
    for ( int attempt = 0; attempt < 3; ++attempt )
    {
        toReference( crowd, beside );
        for ( uint32_t i = 0; i < crowd->count; ++i )
        {
            beside[i].position[i % 2] += joRandom_Below( random, 2 ) == 0 ? 1e-5 : -1e-5;
        }
        referencePush( beside, crowd->count, def->dimension, (double)def->margin, def->iterations );
        if ( farthestApart( end, beside, crowd->count, def->dimension ) > 2e-4 )
        {
            return true;
        }
    }
    return false;
}

static void pushesLikeThePlainReference( void** state )
{
    (void)state;
    static ReferenceBody pushed[MAX_BODIES];
    joRandom random = joMakeRandom( s_seed );
    uint32_t compared = 0;
    uint32_t different = 0;
    for ( int round = 0; round < 400; ++round )
    {
        const CrowdDef crowdDef = randomCrowdDef( &random );
        makeCrowd( &random, &crowdDef, &s_crowd );
        joPusherDef def = brutePusherDef( crowdDef.dimension );
        const float margins[] = { 0.0f, 0.05f, 0.1f, 0.5f, 3.0f };
        def.margin = margins[joRandom_Below( &random, 5 )];
        // Of centres that coincide, later passes are chaotic in a way that moving them all a little does not
        // show.
        def.iterations = 1 + joRandom_Below( &random, crowdDef.onLattice ? 1 : 12 );
        toReference( &s_crowd, s_reference );
        uint64_t overlaps = 0;
        const double before = referenceDeepest( s_reference, s_crowd.count, def.dimension, &overlaps );
        referencePush( s_reference, s_crowd.count, def.dimension, (double)def.margin, def.iterations );
        const bool chaotic = !crowdDef.onLattice && isChaotic( &random, &s_crowd, &def, s_reference );

        const joPushResult result = pushOnce( &def, &s_crowd );
        assert_int_equal( result.overlapCount, overlaps );
        assert_true( result.deepestBefore == (float)before );
        if ( !chaotic && overlaps > 0 )
        {
            toReference( &s_crowd, pushed );
            compared += 1;
            different += farthestApart( s_reference, pushed, s_crowd.count, def.dimension ) > 1e-3;
        }
    }
    // Three attempts do not find all that is chaotic: a contact that just touches changes the average.
    print_message( "%u rounds compared, %u different\n", compared, different );
    assert_true( compared > 150 );
    assert_true( different <= compared / 100 );
}

static void deepestIsTrueOverAllBodies( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( s_seed + 1 );
    for ( int round = 0; round < 300; ++round )
    {
        CrowdDef crowdDef = randomCrowdDef( &random );
        crowdDef.origin = round % 5 == 0 ? 1e6f : crowdDef.origin; // positions coarser than the limit
        makeCrowd( &random, &crowdDef, &s_crowd );
        memcpy( &s_other, &s_crowd, sizeof( s_crowd ) );
        joPusherDef def = brutePusherDef( crowdDef.dimension );
        const float margins[] = { 0.0f, 0.01f, 0.1f, 1.0f };
        def.margin = margins[joRandom_Below( &random, 4 )];
        def.iterations = 1 + joRandom_Below( &random, 20 );
        const joPushResult result = pushOnce( &def, &s_crowd );
        toReference( &s_crowd, s_reference );
        const double deepest = referenceDeepest( s_reference, s_crowd.count, def.dimension, NULL );
        assert_true( fabs( (double)result.deepest - deepest ) <= 1e-6 * ( 1.0 + deepest ) );

        double farthest = 0.0;
        for ( uint32_t i = 0; i < s_crowd.count; ++i )
        {
            double way = 0.0;
            for ( int axis = 0; axis < def.dimension; ++axis )
            {
                const double step =
                    (double)s_crowd.bodies[i].position[axis] - (double)s_other.bodies[i].position[axis];
                way += step * step;
            }
            farthest = way > farthest ? way : farthest;
        }
        assert_true( result.farthest == (float)sqrt( farthest ) );
    }
}

static void centreOfEqualMassesStaysWhereItIs( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( s_seed + 2 );
    for ( int round = 0; round < 100; ++round )
    {
        CrowdDef crowdDef = randomCrowdDef( &random );
        crowdDef.still = 0.0f;
        crowdDef.unequal = false;
        crowdDef.origin = 0.0f;
        crowdDef.count += 1;
        makeCrowd( &random, &crowdDef, &s_crowd );
        memcpy( &s_other, &s_crowd, sizeof( s_crowd ) );
        // A margin so large that no body is stopped: what holds one back takes from the sum.
        joPusherDef def = brutePusherDef( crowdDef.dimension );
        def.margin = 100.0f;
        def.iterations = 8;
        pushOnce( &def, &s_crowd );
        for ( int axis = 0; axis < crowdDef.dimension; ++axis )
        {
            double moved = 0.0;
            for ( uint32_t i = 0; i < s_crowd.count; ++i )
            {
                moved += (double)s_crowd.bodies[i].position[axis] - (double)s_other.bodies[i].position[axis];
            }
            assert_true( fabs( moved ) / s_crowd.count < 1e-5 );
        }
    }
}

static void massesShareTheWayAndStillBodiesNeverMove( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( s_seed + 3 );
    for ( int round = 0; round < 100; ++round )
    {
        CrowdDef crowdDef = randomCrowdDef( &random );
        crowdDef.still = 0.5f;
        makeCrowd( &random, &crowdDef, &s_crowd );
        memcpy( &s_other, &s_crowd, sizeof( s_crowd ) );
        joPusherDef def = brutePusherDef( crowdDef.dimension );
        def.iterations = 10;
        pushOnce( &def, &s_crowd );
        for ( uint32_t i = 0; i < s_crowd.count; ++i )
        {
            if ( s_crowd.bodies[i].inverseMass == 0.0f )
            {
                assert_memory_equal( &s_crowd.bodies[i], &s_other.bodies[i], sizeof( Body ) );
            }
        }
    }

    s_crowd.dimension = 2;
    s_crowd.count = 2;
    s_crowd.bodies[0] = ( Body ){ { 0.0f, 0.0f, 0.0f }, 1.0f, 0.25f, 0 };
    s_crowd.bodies[1] = ( Body ){ { 0.0f, 1.0f, 0.0f }, 1.0f, 0.75f, 1 };
    const joPusherDef def = brutePusherDef( 2 );
    const joPushResult result = pushOnce( &def, &s_crowd );
    assert_float_equal( s_crowd.bodies[0].position[1], -0.25f, 1e-6f );
    assert_float_equal( s_crowd.bodies[1].position[1], 1.75f, 1e-6f );
    assert_float_equal( result.deepestBefore, 1.0f, 1e-6f );
    assert_float_equal( result.deepest, 0.0f, 1e-6f );
    assert_float_equal( result.farthest, 0.75f, 1e-6f );
}

// A crowd large enough for an order of its own, and for several blocks.
static void makeLargeCrowd( int dimension, Crowd* crowd )
{
    joRandom random = joMakeRandom( s_seed + 6 );
    const CrowdDef crowdDef = { .dimension = dimension,
        .count = MAX_BODIES,
        .side = dimension == 2 ? 100.0f : 24.0f,
        .origin = -30.0f,
        .minRadius = 0.2f,
        .maxRadius = 0.8f,
        .still = 0.05f,
        .unequal = true };
    makeCrowd( &random, &crowdDef, crowd );
}

// cases.md 8: two agents at exactly one position gave 1/0, NaN, an endless rebuild.
static void case8EqualCentresPartAlongX( void** state )
{
    (void)state;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        s_crowd.dimension = dimension;
        s_crowd.count = 2;
        s_crowd.bodies[0] = s_crowd.bodies[1] = ( Body ){ { 3.0f, -2.0f, 1.0f }, 0.5f, 1.0f, 0 };
        const joPusherDef def = brutePusherDef( dimension );
        const joPushResult result = pushOnce( &def, &s_crowd );
        assert_float_equal( result.deepestBefore, 1.0f, 0.0f );
        assert_float_equal( result.deepest, 0.0f, 1e-6f );
        assert_float_equal( s_crowd.bodies[0].position[0], 2.5f, 1e-6f );
        assert_float_equal( s_crowd.bodies[1].position[0], 3.5f, 1e-6f );
        assert_float_equal( s_crowd.bodies[0].position[1], -2.0f, 0.0f );
        assert_float_equal( s_crowd.bodies[1].position[2], 1.0f, 0.0f );
    }
}

// The caller's index decides, also where the pusher has an order of its own: many pairs of equal centres,
// each far from the others, the two of a pair far apart in memory and shuffled.
static void case8TheLowerIndexGoesLeftInAnyOrder( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( s_seed + 9 );
    s_crowd.dimension = 2;
    s_crowd.count = MAX_BODIES;
    for ( uint32_t i = 0; i < MAX_BODIES; ++i )
    {
        const uint32_t place = i / 2;
        s_crowd.bodies[i] = ( Body ){
            { 10.0f * (float)( place % 60 ), 10.0f * (float)( place / 60 ), 0.0f }, 0.5f, 1.0f, place };
        const uint32_t j = joRandom_Below( &random, i + 1 );
        const Body body = s_crowd.bodies[i];
        s_crowd.bodies[i] = s_crowd.bodies[j];
        s_crowd.bodies[j] = body;
    }
    // An order made for other bodies, in which the two of a pair stand anyhow.
    makeLargeCrowd( 2, &s_other );
    const joPusherDef def = joDefaultPusherDef();
    joPusher* pusher = makePusher( &def );
    assert_int_equal( push( pusher, &s_other, NULL, NULL ), jo_success );
    assert_int_equal( push( pusher, &s_crowd, NULL, NULL ), jo_success );
    joDestroyPusher( pusher );
    static bool seen[MAX_BODIES / 2];
    memset( seen, 0, sizeof( seen ) );
    for ( uint32_t i = 0; i < MAX_BODIES; ++i )
    {
        const Body* body = &s_crowd.bodies[i];
        const float centre = 10.0f * (float)( body->name % 60 );
        const float expected = seen[body->name] ? centre + 0.5f : centre - 0.5f;
        assert_float_equal( body->position[0], expected, 1e-3f );
        seen[body->name] = true;
    }
}

// cases.md 8 and 40, the whole kind: coincident, nearly coincident, zero radius, tiny, huge, far: finite
// always.
static void case40DegenerateBodiesStayFinite( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( s_seed + 40 );
    const float positions[] = { 0.0f, -0.0f, 1e-45f, -1e-45f, 1e-38f, 1e-30f, 1e-20f, 1.0f, 1.0000001f, 1e6f,
        1e20f, 3e38f, -3e38f, FLT_MAX };
    const float radii[] = { 0.0f, 1e-45f, 1e-38f, 1e-20f, 0.5f, 1.0f, 1e10f, 3e38f, FLT_MAX };
    const float inverseMasses[] = { 0.0f, 1e-45f, 1e-20f, 1.0f, 1e20f, FLT_MAX };
    const float margins[] = { 0.0f, 1e-45f, 0.1f, 1e30f, FLT_MAX };
    for ( int round = 0; round < 1000; ++round )
    {
        s_crowd.dimension = 2 + round % 2;
        s_crowd.count = 2 + joRandom_Below( &random, 12 );
        const uint32_t radiusKinds = 1 + joRandom_Below( &random, 9 );
        const uint32_t positionKinds = 1 + joRandom_Below( &random, 14 );
        for ( uint32_t i = 0; i < s_crowd.count; ++i )
        {
            Body* body = &s_crowd.bodies[i];
            for ( int axis = 0; axis < 3; ++axis )
            {
                body->position[axis] = positions[joRandom_Below( &random, positionKinds )];
            }
            body->radius = radii[joRandom_Below( &random, radiusKinds )];
            body->inverseMass = inverseMasses[joRandom_Below( &random, 6 )];
        }
        joPusherDef def = brutePusherDef( s_crowd.dimension );
        def.margin = margins[joRandom_Below( &random, 5 )];
        def.iterations = 6;
        const joPushResult result = pushOnce( &def, &s_crowd );
        assert_true( result.deepest >= 0.0f && !isnan( result.deepest ) );
        assert_true( result.farthest >= 0.0f && !isnan( result.farthest ) );
        for ( uint32_t i = 0; i < s_crowd.count; ++i )
        {
            for ( int axis = 0; axis < s_crowd.dimension; ++axis )
            {
                assert_true( isfinite( s_crowd.bodies[i].position[axis] ) );
            }
        }
    }
}

// Piles: all within a spot, on one point, on a lattice, among still bodies. Enough passes leave nothing.
static void pilesComeApart( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( s_seed + 4 );
    for ( int kind = 0; kind < 8; ++kind )
    {
        const CrowdDef crowdDef = { .dimension = 2 + kind % 2,
            .count =
                kind / 2 == 0 ? 8 : 60, // on one point all part along one line, which takes long for many
            .side = kind / 2 == 0 ? 0.0f : 3.0f,
            .minRadius = 0.5f,
            .maxRadius = kind / 2 == 2 ? 1.0f : 0.5f,
            .unequal = kind / 2 == 2,
            .onLattice = kind / 2 == 3 };
        makeCrowd( &random, &crowdDef, &s_crowd );
        joPusherDef def = brutePusherDef( crowdDef.dimension );
        def.iterations = 50;
        joPusher* pusher = makePusher( &def );
        joPushResult result = { 0 };
        float before = 0.0f;
        for ( int frame = 0; frame < 12; ++frame )
        {
            assert_int_equal( push( pusher, &s_crowd, &result, NULL ), jo_success );
            before = frame == 0 ? result.deepestBefore : before;
        }
        assert_true( before > 0.3f );
        assert_true( result.deepest < 0.01f );
        joDestroyPusher( pusher );
    }
}

static void morePassesLeaveLess( void** state )
{
    (void)state;
    // The crowd of benchmarks.md after one frame: depths are of a published start, plain Jacobi leaves 0.06
    // after 3 passes. What the acceleration is for: at most half of that, and next to nothing after 18.
    const uint32_t iterations[] = { 3, 4, 18 };
    const float mostLeft[] = { 0.035f, 0.025f, 0.002f };
    for ( int k = 0; k < 3; ++k )
    {
        joRandom random = joMakeRandom( s_seed + 5 );
        s_crowd.dimension = 2;
        s_crowd.count = 3025;
        const float spacing = 1.618f; // packing 0.3
        static float velocity[3025][2];
        for ( uint32_t i = 0; i < s_crowd.count; ++i )
        {
            const float jitter = 0.5f * ( spacing - 1.0f );
            s_crowd.bodies[i] = ( Body ){
                { spacing * (float)( i % 55 ) + joRandom_Range( &random, -jitter, jitter ),
                    spacing * (float)( i / 55 ) + joRandom_Range( &random, -jitter, jitter ), 0.0f },
                0.5f, 1.0f, i };
            const float angle = joRandom_Range( &random, 0.0f, 6.2831853f );
            velocity[i][0] = 2.0f * joCos( angle ) / 60.0f;
            velocity[i][1] = 2.0f * joSin( angle ) / 60.0f;
        }
        joPusherDef def = joDefaultPusherDef();
        def.iterations = iterations[k];
        joPusher* pusher = makePusher( &def );
        joPushResult result = { 0 };
        float deepest = 0.0f;
        for ( int frame = 0; frame < 25; ++frame )
        {
            for ( uint32_t i = 0; i < s_crowd.count; ++i )
            {
                for ( int axis = 0; axis < 2; ++axis )
                {
                    Body* body = &s_crowd.bodies[i];
                    body->position[axis] += velocity[i][axis];
                    if ( body->position[axis] < 0.0f || body->position[axis] > 55.0f * spacing )
                    {
                        velocity[i][axis] = -velocity[i][axis];
                        body->position[axis] += 2.0f * velocity[i][axis];
                    }
                }
            }
            assert_int_equal( push( pusher, &s_crowd, &result, NULL ), jo_success );
            deepest = result.deepest > deepest ? result.deepest : deepest;
            assert_true( frame < 3 || result.deepestBefore > 0.04f );
        }
        assert_true( deepest < mostLeft[k] );
        joDestroyPusher( pusher );
    }
}

static void sameBitsForAnyThreadsKindAndOrder( void** state )
{
    (void)state;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        makeLargeCrowd( dimension, &s_crowd );
        joPusherDef def = brutePusherDef( dimension );
        def.iterations = 3;
        const joPushResult wanted = pushOnce( &def, &s_crowd );
        assert_true( wanted.overlapCount > 1000 );
        for ( uint32_t threads = KIT_TSAN     ? 3
                                 : kitQuick() ? 2
                                              : 1;
              threads <= ( kitQuick() ? 3 : 4 ); ++threads )
        {
            joJobsDef jobsDef = joDefaultJobsDef();
            jobsDef.workerCount = threads;
            joJobs* jobs = NULL;
            assert_int_equal( joCreateJobs( &jobsDef, &jobs ), jo_success );
            for ( int kind = 0; kind < jo_broadPhaseKindCount; ++kind )
            {
                if ( kind == jo_bruteForce && threads != 2 )
                {
                    continue; // slow
                }
                makeLargeCrowd( dimension, &s_other );
                def.kind = (joBroadPhaseKind)kind;
                def.jobs = jobs;
                const joPushResult result = pushOnce( &def, &s_other );
                assertSameBits( &s_crowd, &s_other );
                assertSameResult( &result, &wanted );
            }
            joDestroyJobs( jobs );
        }
    }
}

static int compareNames( const void* a, const void* b )
{
    const uint32_t x = ( (const Body*)a )->name;
    const uint32_t y = ( (const Body*)b )->name;
    return ( x > y ) - ( x < y );
}

static void sameBitsWhateverTheOrderInMemoryAndWhateverWasPushedBefore( void** state )
{
    (void)state;
    for ( int dimension = 2; dimension <= 3; ++dimension )
    {
        makeLargeCrowd( dimension, &s_crowd );
        joPusherDef def = brutePusherDef( dimension );
        def.kind = jo_bvh;
        joPusher* pusher = makePusher( &def );
        joPushResult wanted;
        assert_int_equal( push( pusher, &s_crowd, &wanted, NULL ), jo_success );
        for ( int round = 0; round < 3; ++round )
        {
            // The pusher keeps its order from round to round, though now it fits no more.
            joRandom random = joMakeRandom( s_seed + 7 + (uint64_t)round );
            makeLargeCrowd( dimension, &s_other );
            for ( uint32_t i = s_other.count - 1; i > 0; --i )
            {
                const uint32_t j = joRandom_Below( &random, i + 1 );
                const Body body = s_other.bodies[i];
                s_other.bodies[i] = s_other.bodies[j];
                s_other.bodies[j] = body;
            }
            joPushResult result;
            assert_int_equal( push( pusher, &s_other, &result, NULL ), jo_success );
            assertSameResult( &result, &wanted );
            qsort( s_other.bodies, s_other.count, sizeof( Body ), compareNames );
            assertSameBits( &s_crowd, &s_other );
        }
        joDestroyPusher( pusher );
    }
}

static void viewedPairsAreTheSortedNeighbours( void** state )
{
    (void)state;
    // In the order of the caller, in one of our own, and after neighbours were found again.
    const uint32_t counts[] = { 500, MAX_BODIES, 500, MAX_BODIES };
    for ( int round = 0; round < 4; ++round )
    {
        joPusherDef def = brutePusherDef( 2 );
        def.kind = jo_bvh;
        def.margin = round < 2 ? 0.5f : 0.001f;
        def.iterations = 3;
        makeLargeCrowd( 2, &s_crowd );
        s_crowd.count = counts[round];
        memcpy( &s_other, &s_crowd, sizeof( s_crowd ) );
        joPusher* pusher = makePusher( &def );
        uint64_t count = 9;
        assert_null( joPusher_ViewPairs( pusher, &count ) );
        assert_int_equal( count, 0 );
        joPushResult result;
        assert_int_equal( push( pusher, &s_crowd, &result, NULL ), jo_success );
        const joPair* pairs = joPusher_ViewPairs( pusher, &count );
        assert_int_equal( count, result.pairCount );
        uint64_t next = 0;
        for ( uint32_t a = 0; a < s_other.count; ++a )
        {
            for ( uint32_t b = a + 1; b < s_other.count; ++b )
            {
                const Body* one = &s_other.bodies[a];
                const Body* other = &s_other.bodies[b];
                const double x = (double)one->position[0] - (double)other->position[0];
                const double y = (double)one->position[1] - (double)other->position[1];
                const double gap = sqrt( x * x + y * y ) - (double)one->radius - (double)other->radius;
                const bool bothStill = one->inverseMass == 0.0f && other->inverseMass == 0.0f;
                const bool listed = next < count && pairs[next].a == a && pairs[next].b == b;
                // The reach of a body is rounded up.
                assert_true( !listed || ( !bothStill && gap <= (double)def.margin + 1e-6 ) );
                assert_true( listed || bothStill || gap > (double)def.margin );
                next += listed;
            }
        }
        assert_int_equal( next, count );
        joDestroyPusher( pusher );
    }
}

static void noneAndOneAreNothingToDo( void** state )
{
    (void)state;
    const joPusherDef def = brutePusherDef( 2 );
    joPusher* pusher = makePusher( &def );
    joPushBodies none = { .count = 0 };
    joPushResult result = { .pairCount = 7, .deepest = 7.0f };
    assert_int_equal( joPushApart2( pusher, &none, &result, NULL ), jo_success );
    assert_int_equal( result.pairCount, 0 );
    assert_true( result.deepest == 0.0f );
    s_crowd.dimension = 2;
    s_crowd.count = 1;
    s_crowd.bodies[0] = ( Body ){ { 1.0f, 2.0f, 3.0f }, 0.5f, 1.0f, 0 };
    assert_int_equal( push( pusher, &s_crowd, &result, NULL ), jo_success );
    assert_int_equal( result.pairCount, 0 );
    assert_true( s_crowd.bodies[0].position[0] == 1.0f && s_crowd.bodies[0].position[1] == 2.0f );
    assert_int_equal( push( pusher, &s_crowd, NULL, NULL ), jo_success );
    joDestroyPusher( pusher );
}

static void touchingIsNoOverlap( void** state )
{
    (void)state;
    s_crowd.dimension = 2;
    s_crowd.count = 2;
    s_crowd.bodies[0] = ( Body ){ { 0.0f, 0.0f, 0.0f }, 0.5f, 1.0f, 0 };
    s_crowd.bodies[1] = ( Body ){ { 1.0f, 0.0f, 0.0f }, 0.5f, 1.0f, 1 };
    memcpy( &s_other, &s_crowd, sizeof( s_crowd ) );
    const joPusherDef def = brutePusherDef( 2 );
    const joPushResult result = pushOnce( &def, &s_crowd );
    assert_int_equal( result.pairCount, 1 );
    assert_int_equal( result.overlapCount, 0 );
    assert_true( result.deepest == 0.0f && result.farthest == 0.0f );
    assertSameBits( &s_crowd, &s_other );
}

static void badBodiesAreRefusedWithTheirIndexAndNothingMoves( void** state )
{
    (void)state;
    const struct
    {
        int member; // 0..2 position, 3 radius, 4 inverse mass
        float value;
        joResult result;
    } cases[] = { { 0, NAN, jo_errorNotANumber }, { 1, NAN, jo_errorNotANumber },
        { 2, NAN, jo_errorNotANumber }, { 3, NAN, jo_errorNotANumber }, { 4, NAN, jo_errorNotANumber },
        { 1, INFINITY, jo_errorBadRadius }, { 2, -INFINITY, jo_errorBadRadius },
        { 3, -1e-30f, jo_errorBadRadius }, { 3, INFINITY, jo_errorBadRadius },
        { 4, -1.0f, jo_errorBadInverseMass }, { 4, INFINITY, jo_errorBadInverseMass } };
    joJobsDef jobsDef = joDefaultJobsDef();
    jobsDef.workerCount = 3;
    joJobs* jobs = NULL;
    assert_int_equal( joCreateJobs( &jobsDef, &jobs ), jo_success );
    joPusherDef def = brutePusherDef( 3 );
    def.kind = jo_bvh;
    def.jobs = jobs;
    joPusher* pusher = makePusher( &def );
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        makeLargeCrowd( 3, &s_crowd );
        const uint32_t places[] = { 5990, 4321, 5000 };
        for ( int k = 0; k < 3; ++k )
        {
            Body* body = &s_crowd.bodies[places[k]];
            float* members[] = { &body->position[0], &body->position[1], &body->position[2], &body->radius,
                &body->inverseMass };
            *members[cases[i].member] = cases[i].value;
        }
        memcpy( &s_other, &s_crowd, sizeof( s_crowd ) );
        joPushResult result = { .pairCount = 77 };
        uint32_t index = 0;
        assert_int_equal( push( pusher, &s_crowd, &result, &index ), cases[i].result );
        assert_int_equal( index, 4321 );
        assert_int_equal( result.pairCount, 77 );
        assertSameBits( &s_crowd, &s_other );
        assert_int_equal( push( pusher, &s_crowd, NULL, NULL ), cases[i].result );
    }
    joDestroyPusher( pusher );
    joDestroyJobs( jobs );
}

static void wrongCallsAreRefused( void** state )
{
    (void)state;
    const joPusherDef def = brutePusherDef( 2 );
    joPusher* pusher = makePusher( &def );
    makeLargeCrowd( 2, &s_crowd );
    s_crowd.count = 50;
    memcpy( &s_other, &s_crowd, sizeof( s_crowd ) );
    joPushBodies bodies = columnsOf( &s_crowd );
    uint32_t index = 0;
    assert_int_equal( joPushApart3( pusher, &bodies, NULL, &index ), jo_errorWrongDimension );
    assert_int_equal( index, JO_NULL_INDEX );
    assert_int_equal( joPushApart2( NULL, &bodies, NULL, NULL ), jo_errorNullArgument );
    assert_int_equal( joPushApart2( pusher, NULL, NULL, NULL ), jo_errorNullArgument );
    bodies.y.stride = 0;
    assert_int_equal( joPushApart2( pusher, &bodies, NULL, NULL ), jo_errorNullArgument );
    bodies = columnsOf( &s_crowd );
    bodies.x.data = NULL;
    assert_int_equal( joPushApart2( pusher, &bodies, NULL, NULL ), jo_errorNullArgument );
    bodies = columnsOf( &s_crowd );
    bodies.radius.data = NULL;
    assert_int_equal( joPushApart2( pusher, &bodies, NULL, NULL ), jo_errorNullArgument );
    bodies = columnsOf( &s_crowd );
    bodies.count = UINT32_MAX;
    assert_int_equal( joPushApart2( pusher, &bodies, NULL, NULL ), jo_errorBadCount );
    assertSameBits( &s_crowd, &s_other );
    joDestroyPusher( pusher );
    joDestroyPusher( NULL );
    assert_null( joPusher_ViewPairs( NULL, NULL ) );
}

static void badDefsAreRefused( void** state )
{
    (void)state;
    joPusher* pusher = NULL;
    joPusherDef defs[8];
    for ( int i = 0; i < 8; ++i )
    {
        defs[i] = brutePusherDef( 2 );
    }
    defs[0].margin = NAN;
    defs[1].margin = -0.1f;
    defs[2].margin = INFINITY;
    defs[3].iterations = 0;
    defs[4].iterations = 1001;
    defs[5].dimension = 4;
    defs[6].internalCookie = 0;
    defs[7].kind = jo_broadPhaseKindCount;
    for ( int i = 0; i < 8; ++i )
    {
        assert_int_equal( joCreatePusher( &defs[i], &pusher ), i < 7 ? jo_errorBadDef : jo_errorUnknownKind );
        assert_null( pusher );
    }
    assert_int_equal( joCreatePusher( NULL, &pusher ), jo_errorNullArgument );
    assert_int_equal( joCreatePusher( &defs[0], NULL ), jo_errorNullArgument );
}

static void failingAllocationLeavesPositionsAsTheyWere( void** state )
{
    (void)state;
    joRandom random = joMakeRandom( s_seed + 8 );
    // Piled, with still bodies and a small margin: filters, and finds in the midst of the passes.
    const CrowdDef crowdDef = {
        .dimension = 2, .count = 300, .side = 12.0f, .minRadius = 0.5f, .maxRadius = 0.6f, .still = 0.1f };
    static Crowd before;
    makeCrowd( &random, &crowdDef, &before );
    joPusherDef def = brutePusherDef( 2 );
    memcpy( &s_crowd, &before, sizeof( before ) );
    const joPushResult wanted = pushOnce( &def, &s_crowd );
    uint32_t failedCreates = 0, failedPushes = 0;
    bool done = false;
    for ( uint64_t k = 0; !done && k < 500; ++k )
    {
        LimitedMemory memory = makeLimitedMemory( k );
        def.allocator = limitedAllocator( &memory );
        joPusher* pusher = NULL;
        joResult result = joCreatePusher( &def, &pusher );
        if ( result != jo_success )
        {
            assert_int_equal( result, jo_errorOutOfMemory );
            assert_null( pusher );
            assert_int_equal( memory.liveBlocks, 0 );
            failedCreates += 1;
            continue;
        }
        memcpy( &s_other, &before, sizeof( before ) );
        joPushResult got = { 0 };
        result = push( pusher, &s_other, &got, NULL );
        if ( result != jo_success )
        {
            assert_int_equal( result, jo_errorOutOfMemory );
            assertSameBits( &s_other, &before );
            failedPushes += 1;
            assert_int_equal( push( pusher, &s_other, &got, NULL ), jo_success );
        }
        done = memory.attempts <= k;
        assertSameBits( &s_other, &s_crowd );
        assertSameResult( &got, &wanted );
        joDestroyPusher( pusher );
        assert_int_equal( memory.liveBlocks, 0 );
    }
    assert_true( done );
    assert_true( failedCreates > 2 );
    assert_true( failedPushes > 15 );
}

static void steadyFramesAllocateNothing( void** state )
{
    (void)state;
    LimitedMemory memory = makeLimitedMemory( UINT64_MAX );
    joPusherDef def = brutePusherDef( 2 );
    def.kind = jo_bvh;
    def.allocator = limitedAllocator( &memory );
    joPusher* pusher = makePusher( &def );
    uint64_t attempts = 0;
    for ( int frame = 0; frame < ( kitQuick() ? 12 : 40 ); ++frame )
    {
        attempts = frame == 3 ? memory.attempts : attempts;
        makeLargeCrowd( 2, &s_crowd );
        assert_int_equal( push( pusher, &s_crowd, NULL, NULL ), jo_success );
        uint64_t count = 0;
        assert_non_null( joPusher_ViewPairs( pusher, &count ) );
    }
    assert_int_equal( memory.attempts, attempts );
    joDestroyPusher( pusher );
    assert_int_equal( memory.liveBlocks, 0 );
}

static void fixedCapacityRefusesToGrowAndMovesNothing( void** state )
{
    (void)state;
    LimitedMemory memory = makeLimitedMemory( UINT64_MAX );
    joPusherDef def = brutePusherDef( 2 );
    def.bodyReserve = 1000;
    def.fixedCapacity = true;
    def.allocator = limitedAllocator( &memory );
    joPusher* pusher = makePusher( &def );
    const uint64_t attempts = memory.attempts;
    makeLargeCrowd( 2, &s_crowd );
    memcpy( &s_other, &s_crowd, sizeof( s_crowd ) );
    assert_int_equal( push( pusher, &s_crowd, NULL, NULL ), jo_errorCapacity );
    assertSameBits( &s_crowd, &s_other );
    s_crowd.count = 1000;
    assert_int_equal( push( pusher, &s_crowd, NULL, NULL ), jo_success );
    assert_int_equal( memory.attempts, attempts );
    joDestroyPusher( pusher );
    assert_int_equal( memory.liveBlocks, 0 );
}

static bool goOn( const char* condition, const char* file, int line )
{
    (void)condition;
    (void)file;
    (void)line;
    return false;
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    joSetAssertFcn( goOn ); // misuse is tested: it must not stop a debug build
    const struct CMUnitTest tests[] = {
        kit_test_without_threads( pushesLikeThePlainReference ),
        kit_test_without_threads( deepestIsTrueOverAllBodies ),
        kit_test_without_threads( centreOfEqualMassesStaysWhereItIs ),
        kit_test_without_threads( massesShareTheWayAndStillBodiesNeverMove ),
        cmocka_unit_test( case8EqualCentresPartAlongX ),
        cmocka_unit_test( case8TheLowerIndexGoesLeftInAnyOrder ),
        kit_test_without_threads( case40DegenerateBodiesStayFinite ),
        kit_test_without_threads( pilesComeApart ),
        kit_test_without_threads( morePassesLeaveLess ),
        cmocka_unit_test( sameBitsForAnyThreadsKindAndOrder ),
        kit_test_without_threads( sameBitsWhateverTheOrderInMemoryAndWhateverWasPushedBefore ),
        kit_test_without_threads( viewedPairsAreTheSortedNeighbours ),
        cmocka_unit_test( noneAndOneAreNothingToDo ),
        cmocka_unit_test( touchingIsNoOverlap ),
        cmocka_unit_test( badBodiesAreRefusedWithTheirIndexAndNothingMoves ),
        cmocka_unit_test( wrongCallsAreRefused ),
        cmocka_unit_test( badDefsAreRefused ),
        kit_test_without_threads( failingAllocationLeavesPositionsAsTheyWere ),
        kit_test_without_threads( steadyFramesAllocateNothing ),
        cmocka_unit_test( fixedCapacityRefusesToGrowAndMovesNothing ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
