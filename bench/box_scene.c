// SPDX-License-Identifier: MIT
#include "box_scene.h"

#include "base/float_env.h"
#include "contestant.h"
#include "workload.h"

#include <math.h>
#include <stdio.h>

#define HALF_PI 1.57079633f

static const char* const s_names[BENCH_BOX_WORKLOAD_COUNT] = { "boxes-hits-apart", "boxes-hits-mixed",
    "boxes-hits-within", "boxes-hits-rest", "boxes-depth-apart", "boxes-depth-mixed", "boxes-depth-within",
    "boxes-depth-rest", "boxes-points-apart", "boxes-points-mixed", "boxes-points-within",
    "boxes-points-rest", "obb-all", "obb-world" };

static const char* TextOf( int workload )
{
    return s_names[workload];
}

static uint32_t DefaultCount( int workload )
{
    return workload == BENCH_OBB_ALL ? 1000 : workload == BENCH_OBB_WORLD ? 10000 : 500000;
}

typedef struct PlainBox
{
    double center[3];
    double axes[3][3]; // [which][component]
    double half[3];
} PlainBox;

static PlainBox MakePlainBox( const benchPairScene* scene, uint32_t i )
{
    const joTransform3* pose = scene->poses + i;
    const joVec3 half = scene->shapes[i].box.halfExtents;
    double x = (double)pose->rotation.x, y = (double)pose->rotation.y, z = (double)pose->rotation.z,
           w = (double)pose->rotation.w;
    const double length = sqrt( x * x + y * y + z * z + w * w );
    x /= length;
    y /= length;
    z /= length;
    w /= length;
    return ( PlainBox ){
        { (double)pose->position.x, (double)pose->position.y, (double)pose->position.z },
        { { 1.0 - 2.0 * ( y * y + z * z ), 2.0 * ( x * y + w * z ), 2.0 * ( x * z - w * y ) },
            { 2.0 * ( x * y - w * z ), 1.0 - 2.0 * ( x * x + z * z ), 2.0 * ( y * z + w * x ) },
            { 2.0 * ( x * z + w * y ), 2.0 * ( y * z - w * x ), 1.0 - 2.0 * ( x * x + y * y ) } },
        { (double)half.x, (double)half.y, (double)half.z },
    };
}

static double Dot( const double a[3], const double b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void Consider(
    const PlainBox* a, const PlainBox* b, const double axis[3], double* depth, double normal[3] )
{
    const double length = sqrt( Dot( axis, axis ) );
    if ( length < 1e-9 )
    {
        return;
    }
    const double between[3] = {
        b->center[0] - a->center[0], b->center[1] - a->center[1], b->center[2] - a->center[2] };
    const double along = Dot( between, axis );
    double overlap = -fabs( along );
    for ( int i = 0; i < 3; ++i )
    {
        overlap +=
            a->half[i] * fabs( Dot( a->axes[i], axis ) ) + b->half[i] * fabs( Dot( b->axes[i], axis ) );
    }
    if ( overlap / length < *depth )
    {
        *depth = overlap / length;
        for ( int i = 0; i < 3; ++i )
        {
            normal[i] = ( along < 0.0 ? -axis[i] : axis[i] ) / length;
        }
    }
}

double benchBoxDepth( const benchPairScene* scene, uint32_t a, uint32_t b, double normal[3] )
{
    const PlainBox one = MakePlainBox( scene, a ), two = MakePlainBox( scene, b );
    double depth = INFINITY, best[3];
    for ( int i = 0; i < 3; ++i )
    {
        Consider( &one, &two, one.axes[i], &depth, best );
        Consider( &one, &two, two.axes[i], &depth, best );
        for ( int j = 0; j < 3; ++j )
        {
            const double *u = one.axes[i], *v = two.axes[j];
            const double axis[3] = {
                u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0] };
            Consider( &one, &two, axis, &depth, best );
        }
    }
    for ( int i = 0; i < 3 && normal != NULL; ++i )
    {
        normal[i] = best[i];
    }
    return depth;
}

static joVec3 AnyVector( joRandom* random, float size )
{
    joVec3 v;
    v.x = joRandom_Range( random, -size, size );
    v.y = joRandom_Range( random, -size, size );
    v.z = joRandom_Range( random, -size, size );
    return v;
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

static joShape3 AnyBox( joRandom* random )
{
    const float x = joRandom_Range( random, 0.3f, 1.0f ), y = joRandom_Range( random, 0.3f, 1.0f );
    return ( joShape3 ){
        .kind = jo_boxShape3, .box = joMakeBox3( x, y, joRandom_Range( random, 0.3f, 1.0f ) ) };
}

static joVec3 Sum( joVec3 a, joVec3 b )
{
    return ( joVec3 ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static void MoveAlong( joVec3* position, const double normal[3], double way )
{
    position->x = (float)( (double)position->x + way * normal[0] );
    position->y = (float)( (double)position->y + way * normal[1] );
    position->z = (float)( (double)position->z + way * normal[2] );
}

static void MakeResting( benchPairScene* scene, uint32_t a, joRandom* random )
{
    joTransform3 *one = scene->poses + a, *two = one + 1;
    joVec3 about = AnyVector( random, 1.0f );
    joQuat turn = joMakeQuat( about, joRandom_Range( random, -0.02f, 0.02f ) );
    for ( int axis = 0; axis < 3; ++axis )
    {
        about = ( joVec3 ){ axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f };
        turn = joMultiplyQuats( turn, joMakeQuat( about, HALF_PI * (float)joRandom_Below( random, 4 ) ) );
    }
    two->rotation = joNormalizeQuat( joMultiplyQuats( one->rotation, turn ) );
    joVec3 above = AnyVector( random, 0.3f );
    above.z = 1.2f;
    two->position = joTransformPoint3( *one, above );
    double normal[3];
    const double depth = benchBoxDepth( scene, a, a + 1, normal );
    MoveAlong( &two->position, normal, depth - (double)joRandom_Range( random, -0.02f, 0.02f ) );
}

static bool MakePair( benchPairScene* scene, benchBoxSet set, uint32_t a, joRandom* random )
{
    scene->shapes[a] = AnyBox( random );
    scene->shapes[a + 1] = AnyBox( random );
    joTransform3 *one = scene->poses + a, *two = one + 1;
    one->position = AnyVector( random, 5.0f );
    one->rotation = AnyRotation( random );
    two->rotation = AnyRotation( random );
    if ( set == bench_boxesResting )
    {
        MakeResting( scene, a, random );
        return true;
    }
    const bool isMixed = set == bench_boxesMixed;
    joVec3 way = { joRandom_Range( random, isMixed ? 0.5f : 0.0f, isMixed ? 2.6f : 4.0f ), 0.0f, 0.0f };
    two->position = Sum( one->position, joRotateVec3( AnyRotation( random ), way ) );
    double normal[3];
    const double depth = benchBoxDepth( scene, a, a + 1, normal );
    if ( set == bench_boxesApart && joRandom_Below( random, 2 ) == 0 )
    {
        MoveAlong( &two->position, normal, depth - (double)joRandom_Range( random, -0.01f, -0.0001f ) );
        return benchBoxDepth( scene, a, a + 1, NULL ) < 0.0;
    }
    return isMixed || ( depth < 0.0 ) == ( set == bench_boxesApart );
}

static void MakePairs( benchPairScene* scene, benchBoxSet set, joRandom* random )
{
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        while ( !MakePair( scene, set, 2 * i, random ) )
        {
        }
        scene->pairs[i] = ( joPair ){ 2 * i, 2 * i + 1 };
    }
}

static void MakeWorld( benchPairScene* scene, joRandom* random )
{
    scene->velocities = benchAllocate( scene->bodyCount, sizeof( joVec3 ) );
    scene->spins = benchAllocate( scene->bodyCount, sizeof( joQuat ) );
    scene->side = (float)joCubeRoot( 2.0 * scene->count );
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        const float half = 0.5f * scene->side;
        scene->shapes[i] = AnyBox( random );
        scene->poses[i].position = Sum( AnyVector( random, half ), ( joVec3 ){ half, half, half } );
        scene->poses[i].rotation = AnyRotation( random );
        scene->velocities[i] = AnyVector( random, 0.05f );
        scene->spins[i] = joMakeQuat( AnyVector( random, 1.0f ), joRandom_Range( random, -0.05f, 0.05f ) );
    }
    uint32_t next = 0;
    for ( uint32_t a = 0; a < scene->bodyCount && scene->pairs != NULL; ++a )
    {
        for ( uint32_t b = a + 1; b < scene->bodyCount; ++b )
        {
            scene->pairs[next++] = ( joPair ){ a, b };
        }
    }
}

static void Create( benchPairScene* scene, uint64_t seed )
{
    const int workload = scene->workload;
    const uint32_t count = scene->count;
    const bool arePairs = workload < BENCH_OBB_ALL;
    scene->question = arePairs ? (benchQuestion)( workload / bench_boxSetCount ) : bench_askDepths;
    scene->bodyCount = arePairs ? 2 * count : count;
    const uint64_t all = (uint64_t)count * ( count - 1 ) / 2;
    if ( all > INT32_MAX && workload == BENCH_OBB_ALL )
    {
        fprintf( stderr, "jostle-bench: obb-all: too many pairs\n" );
        exit( 3 );
    }
    scene->pairCount = arePairs ? count : workload == BENCH_OBB_ALL ? (uint32_t)all : 0;
    scene->shapes = benchAllocate( scene->bodyCount, sizeof( joShape3 ) );
    scene->poses = benchAllocate( scene->bodyCount, sizeof( joTransform3 ) );
    scene->pairs = workload == BENCH_OBB_WORLD ? NULL : benchAllocate( scene->pairCount, sizeof( joPair ) );
    joRandom random = joMakeRandom( seed );
    if ( arePairs )
    {
        MakePairs( scene, (benchBoxSet)( workload % bench_boxSetCount ), &random );
    }
    else
    {
        MakeWorld( scene, &random );
    }
}

static void Step( benchPairScene* scene )
{
    for ( uint32_t i = 0; i < scene->bodyCount && scene->velocities != NULL; ++i )
    {
        joTransform3* pose = scene->poses + i;
        pose->position = Sum( pose->position, scene->velocities[i] );
        pose->rotation = joNormalizeQuat( joMultiplyQuats( scene->spins[i], pose->rotation ) );
        for ( int axis = 0; axis < 3; ++axis )
        {
            const float x = ( &pose->position.x )[axis];
            float* way = &( &scene->velocities[i].x )[axis];
            *way = x < 0.0f ? fabsf( *way ) : x > scene->side ? -fabsf( *way ) : *way;
        }
    }
}

static double DepthOf( const benchPairScene* scene, uint32_t a, uint32_t b )
{
    return benchBoxDepth( scene, a, b, NULL );
}

const benchPairFamily benchBoxFamily = { .workloadCount = BENCH_BOX_WORKLOAD_COUNT,
    .text = TextOf,
    .defaultCount = DefaultCount,
    .create = Create,
    .step = Step,
    .depth = DepthOf,
    .pairsOfAFault = 100000, // ODE misses some pair in a million
    .addContestants = benchAddBoxContestants };
