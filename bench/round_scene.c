// SPDX-License-Identifier: MIT
// The workloads of what is round in 3D: round-spheres, round-mixed (a sphere and a capsule), round-capsules.
// As those in 2D (flat_scene.c).
#include "pair_scene.h"

#include "base/float_env.h"
#include "contestant.h"

#include <math.h>

typedef enum RoundKind
{
    roundSpheres = 0,
    roundMixed,
    roundCapsules,
    roundKindCount = BENCH_ROUND_WORKLOAD_COUNT
} RoundKind;

static const char* const s_names[roundKindCount] = { "round-spheres", "round-mixed", "round-capsules" };

// Farther apart than this no two of them touch.
#define FARTHEST 4.0f

// A segment in the world.
typedef struct Core
{
    double start[3], along[3];
} Core;

static void Turn( joQuat q, joVec3 local, double out[3] )
{
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    const double scale = 2.0 / ( x * x + y * y + z * z + w * w );
    const double v[3] = { (double)local.x, (double)local.y, (double)local.z };
    const double cross[3] = {
        y * v[2] - z * v[1] + w * v[0], z * v[0] - x * v[2] + w * v[1], x * v[1] - y * v[0] + w * v[2] };
    out[0] = v[0] + scale * ( y * cross[2] - z * cross[1] );
    out[1] = v[1] + scale * ( z * cross[0] - x * cross[2] );
    out[2] = v[2] + scale * ( x * cross[1] - y * cross[0] );
}

static Core MakeCore( const benchPairScene* scene, uint32_t i )
{
    const joShape3* shape = scene->shapes + i;
    const joTransform3* pose = scene->poses + i;
    const bool isSphere = shape->kind == jo_sphereShape3;
    const double position[3] = {
        (double)pose->position.x, (double)pose->position.y, (double)pose->position.z };
    double start[3], end[3];
    Turn( pose->rotation, isSphere ? shape->sphere.center : shape->capsule.a, start );
    Turn( pose->rotation, isSphere ? shape->sphere.center : shape->capsule.b, end );
    Core core;
    for ( int k = 0; k < 3; ++k )
    {
        core.start[k] = position[k] + start[k];
        core.along[k] = end[k] - start[k];
    }
    return core;
}

static double Dot( const double a[3], const double b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double Fraction( double value )
{
    return fmin( fmax( value, 0.0 ), 1.0 );
}

// Of a point at fraction s of one core from the nearest of the other.
static double DistanceAt( const Core* one, const Core* other, double s )
{
    double way[3];
    for ( int k = 0; k < 3; ++k )
    {
        way[k] = one->start[k] + s * one->along[k] - other->start[k];
    }
    const double lengthSq = Dot( other->along, other->along );
    const double t = lengthSq > 0.0 ? Fraction( Dot( way, other->along ) / lengthSq ) : 0.0;
    for ( int k = 0; k < 3; ++k )
    {
        way[k] -= t * other->along[k];
    }
    return sqrt( Dot( way, way ) );
}

static double RadiusOf( const joShape3* shape )
{
    return (double)( shape->kind == jo_sphereShape3 ? shape->sphere.radius : shape->capsule.radius );
}

// Nearest are two points of which one is an end, or those where the common normal of the lines meets them.
static double Depth( const benchPairScene* scene, uint32_t a, uint32_t b )
{
    const Core one = MakeCore( scene, a ), two = MakeCore( scene, b );
    double distance = fmin( fmin( DistanceAt( &one, &two, 0.0 ), DistanceAt( &one, &two, 1.0 ) ),
        fmin( DistanceAt( &two, &one, 0.0 ), DistanceAt( &two, &one, 1.0 ) ) );
    const double u = Dot( one.along, one.along ), v = Dot( two.along, two.along );
    const double mixed = Dot( one.along, two.along ), scale = u * v - mixed * mixed;
    if ( scale > 0.0 )
    {
        double between[3];
        for ( int k = 0; k < 3; ++k )
        {
            between[k] = two.start[k] - one.start[k];
        }
        const double s = ( v * Dot( one.along, between ) - mixed * Dot( two.along, between ) ) / scale;
        distance = fmin( distance, DistanceAt( &one, &two, Fraction( s ) ) );
    }
    return RadiusOf( scene->shapes + a ) + RadiusOf( scene->shapes + b ) - distance;
}

static joShape3 MakeShape( bool isSphere, joRandom* random )
{
    const float size = joRandom_Range( random, 0.3f, 1.0f );
    if ( isSphere )
    {
        return ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { .radius = size } };
    }
    return ( joShape3 ){ .kind = jo_capsuleShape3,
        .capsule = { { 0.0f, 0.0f, -size }, { 0.0f, 0.0f, size }, joRandom_Range( random, 0.2f, 0.6f ) } };
}

static joQuat AnyRotation( joRandom* random )
{
    joQuat q;
    q.x = joRandom_Normal( random );
    q.y = joRandom_Normal( random );
    q.z = joRandom_Normal( random );
    q.w = joRandom_Normal( random );
    return joNormalizeQuat( q );
}

static void PlacePair( benchPairScene* scene, uint32_t a, joRandom* random )
{
    joTransform3 *one = scene->poses + a, *two = one + 1;
    one->position.x = joRandom_Range( random, -5.0f, 5.0f );
    one->position.y = joRandom_Range( random, -5.0f, 5.0f );
    one->position.z = joRandom_Range( random, -5.0f, 5.0f );
    one->rotation = AnyRotation( random );
    two->rotation = AnyRotation( random );
    const joVec3 way = { joRandom_Range( random, 0.0f, FARTHEST ), 0.0f, 0.0f };
    two->position = joTransformPoint3( ( joTransform3 ){ one->position, AnyRotation( random ) }, way );
}

static void Create( benchPairScene* scene, uint64_t seed )
{
    joRandom random = joMakeRandom( seed );
    scene->question = bench_askPoints;
    scene->pairCount = scene->count;
    scene->bodyCount = 2 * scene->count;
    scene->pairs = benchAllocate( scene->pairCount, sizeof( joPair ) );
    scene->shapes = benchAllocate( scene->bodyCount, sizeof( joShape3 ) );
    scene->poses = benchAllocate( scene->bodyCount, sizeof( joTransform3 ) );
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const uint32_t a = 2 * i;
        scene->shapes[a] = MakeShape( scene->workload != roundCapsules, &random );
        scene->shapes[a + 1] = MakeShape( scene->workload == roundSpheres, &random );
        const bool shallTouch = joRandom_Below( &random, 2 ) == 0;
        do
        {
            PlacePair( scene, a, &random );
        } while ( ( Depth( scene, a, a + 1 ) > 0.0 ) != shallTouch );
        scene->pairs[i] = ( joPair ){ a, a + 1 };
    }
}

static const char* TextOf( int workload )
{
    return s_names[workload];
}

static uint32_t DefaultCountOf( int workload )
{
    (void)workload;
    return 500000;
}

const benchPairFamily benchRoundFamily = {
    .workloadCount = roundKindCount,
    .text = TextOf,
    .defaultCount = DefaultCountOf,
    .create = Create,
    .depth = Depth,
    .pairsOfAFault = 100000,
    .addContestants = benchAddRoundContestants,
};
