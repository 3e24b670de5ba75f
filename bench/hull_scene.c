// SPDX-License-Identifier: MIT
#include "hull_scene.h"

#include "base/float_env.h"
#include "contestant.h"

#include <math.h>
#include <stdio.h>

#define HULLS 64
#define MAX_VERTICES 128
#define MAX_FACES ( 2 * MAX_VERTICES )
#define MAX_EDGES ( 3 * MAX_VERTICES )
// A distance must be so good, and a point be in its hull; of a world of this size.
#define DISTANCE_ERROR 3e-6
#define DEPTH_ERROR 1e-5
// Separating axes are tried for so many pairs.
#define PAIRS_BY_AXES 200

static const char* const s_names[BENCH_HULL_WORKLOAD_COUNT] = { "hulls-hits-8", "hulls-hits-32",
    "hulls-hits-128", "hulls-distance-8", "hulls-distance-32", "hulls-distance-128", "hulls-depth-8",
    "hulls-depth-32", "hulls-depth-128" };

static const char* TextOf( int workload )
{
    return s_names[workload];
}

static uint32_t DefaultCount( int workload )
{
    (void)workload;
    return 100000;
}

// A hull in the world, in double.
typedef struct PlainHull
{
    uint32_t vertexCount, faceCount, edgeCount;
    double vertices[MAX_VERTICES][3];
    double normals[MAX_FACES][3];
    double offsets[MAX_FACES];
    double edges[MAX_EDGES][3]; // directions
    uint32_t sides[MAX_EDGES][2];
} PlainHull;

static double Dot( const double a[3], const double b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void Cross( const double a[3], const double b[3], double out[3] )
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void Rotate( const joQuat* q, const joVec3* v, double out[3] )
{
    const double u[3] = { (double)q->x, (double)q->y, (double)q->z }, w = (double)q->w;
    const double p[3] = { (double)v->x, (double)v->y, (double)v->z }, uu = Dot( u, u ), up = Dot( u, p );
    double cross[3];
    Cross( u, p, cross );
    for ( int k = 0; k < 3; ++k )
    {
        out[k] = ( 2.0 * up * u[k] + ( w * w - uu ) * p[k] + 2.0 * w * cross[k] ) / ( w * w + uu );
    }
}

static void AddFace( PlainHull* plain, const joHull3* hull, uint32_t face, const joQuat* rotation,
    uint32_t ends[MAX_EDGES][2] )
{
    uint8_t corners[MAX_VERTICES];
    joVec3 normal;
    const uint32_t count = joHull3_GetFace( hull, face, corners, MAX_VERTICES, &normal, NULL );
    double* n = plain->normals[face];
    Rotate( rotation, &normal, n );
    plain->offsets[face] = -INFINITY;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t from = corners[i], to = corners[( i + 1 ) % count];
        plain->offsets[face] = fmax( plain->offsets[face], Dot( n, plain->vertices[from] ) );
        uint32_t edge = 0;
        while ( edge < plain->edgeCount && ( ends[edge][0] != to || ends[edge][1] != from ) )
        {
            edge += 1;
        }
        if ( edge < plain->edgeCount )
        {
            plain->sides[edge][1] = face;
            continue;
        }
        plain->edgeCount += 1;
        ends[edge][0] = from;
        ends[edge][1] = to;
        plain->sides[edge][0] = face;
        for ( int k = 0; k < 3; ++k )
        {
            plain->edges[edge][k] = plain->vertices[to][k] - plain->vertices[from][k];
        }
    }
}

static void MakePlainHull( PlainHull* plain, const benchPairScene* scene, uint32_t body )
{
    const joHull3* hull = scene->shapes[body].hull;
    const joTransform3* pose = scene->poses + body;
    const float position[3] = { pose->position.x, pose->position.y, pose->position.z };
    plain->vertexCount = joHull3_GetVertexCount( hull );
    plain->faceCount = joHull3_GetFaceCount( hull );
    plain->edgeCount = 0;
    for ( uint32_t i = 0; i < plain->vertexCount; ++i )
    {
        const joVec3 vertex = joHull3_GetVertex( hull, i );
        Rotate( &pose->rotation, &vertex, plain->vertices[i] );
        for ( int k = 0; k < 3; ++k )
        {
            plain->vertices[i][k] += (double)position[k];
        }
    }
    uint32_t ends[MAX_EDGES][2];
    for ( uint32_t face = 0; face < plain->faceCount; ++face )
    {
        AddFace( plain, hull, face, &pose->rotation, ends );
    }
}

// The highest point of A over the lowest of B: how much they overlap along a direction from A to B.
static double OverlapAlong( const PlainHull* a, const PlainHull* b, const double direction[3] )
{
    double top = -INFINITY, bottom = INFINITY;
    for ( uint32_t i = 0; i < a->vertexCount; ++i )
    {
        top = fmax( top, Dot( a->vertices[i], direction ) );
    }
    for ( uint32_t i = 0; i < b->vertexCount; ++i )
    {
        bottom = fmin( bottom, Dot( b->vertices[i], direction ) );
    }
    return top - bottom;
}

// Whether two edges make a face of A - B: their arcs on the Gauss map, that of B turned round, cross.
static bool CrossOnMap( const PlainHull* a, uint32_t edgeA, const PlainHull* b, uint32_t edgeB )
{
    const double *leftA = a->normals[a->sides[edgeA][0]], *rightA = a->normals[a->sides[edgeA][1]];
    const double *leftB = b->normals[b->sides[edgeB][0]], *rightB = b->normals[b->sides[edgeB][1]];
    const double *u = a->edges[edgeA], *v = b->edges[edgeB];
    // Signs of B's normals against the plane of A's arc, and the other way; all with B turned round.
    const double leftBOnA = -Dot( leftB, u ), rightBOnA = -Dot( rightB, u ), leftAOnB = Dot( leftA, v ),
                 rightAOnB = Dot( rightA, v );
    const double slop = 1e-9;
    const bool mayCross = leftBOnA * rightBOnA <= slop && leftAOnB * rightAOnB <= slop;
    // On the same side of the sphere.
    return mayCross && ( leftAOnB * rightBOnA >= -slop || leftAOnB * leftBOnA >= -slop );
}

static double DepthOf( const benchPairScene* scene, uint32_t bodyA, uint32_t bodyB )
{
    static PlainHull a, b;
    MakePlainHull( &a, scene, bodyA );
    MakePlainHull( &b, scene, bodyB );
    double depth = INFINITY;
    for ( uint32_t i = 0; i < a.faceCount; ++i )
    {
        depth = fmin( depth, OverlapAlong( &a, &b, a.normals[i] ) );
    }
    for ( uint32_t i = 0; i < b.faceCount; ++i )
    {
        const double turned[3] = { -b.normals[i][0], -b.normals[i][1], -b.normals[i][2] };
        depth = fmin( depth, OverlapAlong( &a, &b, turned ) );
    }
    for ( uint32_t i = 0; i < a.edgeCount; ++i )
    {
        for ( uint32_t j = 0; j < b.edgeCount; ++j )
        {
            double n[3];
            Cross( a.edges[i], b.edges[j], n );
            const double length = sqrt( Dot( n, n ) );
            if ( !CrossOnMap( &a, i, &b, j ) || length < 1e-9 )
            {
                continue;
            }
            const double way[3] = { n[0] / length, n[1] / length, n[2] / length };
            const double back[3] = { -way[0], -way[1], -way[2] };
            depth = fmin( depth, fmin( OverlapAlong( &a, &b, way ), OverlapAlong( &a, &b, back ) ) );
        }
    }
    return depth;
}

// How far a point is outside of a hull; negative: how far within.
static double OutsideOf( const PlainHull* hull, const double point[3] )
{
    double most = -INFINITY;
    for ( uint32_t i = 0; i < hull->faceCount; ++i )
    {
        most = fmax( most, Dot( hull->normals[i], point ) - hull->offsets[i] );
    }
    return most;
}

// A distance is right if a point on each, so far apart, are in their hulls, and along the normal the hulls
// are as far apart. A depth is no smaller than the least if along its normal they overlap by it, and no
// larger if no axis is better: that is tried of the first pairs only.
static bool Check( const benchPairScene* scene, const benchTouchedPair* touch, const char** what )
{
    static PlainHull a, b;
    if ( scene->question == bench_askHits )
    {
        return true;
    }
    MakePlainHull( &a, scene, touch->pair.a );
    MakePlainHull( &b, scene, touch->pair.b );
    const double n[3] = { (double)touch->normal.x, (double)touch->normal.y, (double)touch->normal.z };
    const double onA[3] = { (double)touch->point.x, (double)touch->point.y, (double)touch->point.z };
    const double depth = (double)touch->depth;
    if ( scene->question == bench_askDistances )
    {
        const double onB[3] = { onA[0] - depth * n[0], onA[1] - depth * n[1], onA[2] - depth * n[2] };
        *what = "nearest points outside";
        const bool areWithin =
            OutsideOf( &a, onA ) <= DISTANCE_ERROR && OutsideOf( &b, onB ) <= DISTANCE_ERROR;
        *what = areWithin ? "distance" : *what;
        return areWithin && ( depth == 0.0 || fabs( depth - OverlapAlong( &a, &b, n ) ) <= DISTANCE_ERROR );
    }
    *what = "depth along the normal";
    const bool isAlongNormal = fabs( depth - OverlapAlong( &a, &b, n ) ) <= DEPTH_ERROR;
    *what = isAlongNormal ? "a depth that is not the least" : *what;
    return isAlongNormal && ( touch->pair.a >= 2 * PAIRS_BY_AXES ||
                                depth <= DepthOf( scene, touch->pair.a, touch->pair.b ) + DEPTH_ERROR );
}

static joVec3 AnyDirection( joRandom* random )
{
    joVec3 v;
    v.x = joRandom_Normal( random );
    v.y = joRandom_Normal( random );
    v.z = joRandom_Normal( random );
    const float length = sqrtf( v.x * v.x + v.y * v.y + v.z * v.z );
    return ( joVec3 ){ v.x / length, v.y / length, v.z / length };
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

static joHull3* AnyHull( joRandom* random, uint32_t vertexCount )
{
    joHull3* hull = NULL;
    while ( hull == NULL || joHull3_GetVertexCount( hull ) != vertexCount )
    {
        joDestroyHull3( hull, NULL );
        joVec3 points[MAX_VERTICES], half;
        half.x = joRandom_Range( random, 0.5f, 1.0f );
        half.y = joRandom_Range( random, 0.5f, 1.0f );
        half.z = joRandom_Range( random, 0.5f, 1.0f );
        for ( uint32_t i = 0; i < vertexCount; ++i )
        {
            const joVec3 d = AnyDirection( random );
            points[i] = ( joVec3 ){ half.x * d.x, half.y * d.y, half.z * d.z };
        }
        if ( joCreateHull3( points, vertexCount, NULL, &hull, NULL ) == jo_errorOutOfMemory )
        {
            fprintf( stderr, "jostle-bench: out of memory for hulls\n" );
            exit( 3 );
        }
    }
    return hull;
}

// B's lowest point along the direction lies above A's highest by the gap. A gap is one; where it is negative
// they may be apart all the same.
static void PlaceB( benchPairScene* scene, uint32_t a, joVec3 direction, bool atVertices, double gap )
{
    static PlainHull hulls[2];
    joTransform3* pose = scene->poses + a + 1;
    pose->position = scene->poses[a].position;
    MakePlainHull( hulls, scene, a );
    MakePlainHull( hulls + 1, scene, a + 1 );
    const double n[3] = { (double)direction.x, (double)direction.y, (double)direction.z };
    double move[3];
    uint32_t top = 0, bottom = 0;
    for ( uint32_t i = 1; i < hulls[0].vertexCount; ++i )
    {
        top = Dot( hulls[0].vertices[i], n ) > Dot( hulls[0].vertices[top], n ) ? i : top;
        bottom = Dot( hulls[1].vertices[i], n ) < Dot( hulls[1].vertices[bottom], n ) ? i : bottom;
    }
    const double overlap = Dot( hulls[0].vertices[top], n ) - Dot( hulls[1].vertices[bottom], n );
    for ( int k = 0; k < 3; ++k )
    {
        move[k] = atVertices ? hulls[0].vertices[top][k] - hulls[1].vertices[bottom][k] + gap * n[k]
                             : ( overlap + gap ) * n[k];
    }
    pose->position.x = (float)( (double)pose->position.x + move[0] );
    pose->position.y = (float)( (double)pose->position.y + move[1] );
    pose->position.z = (float)( (double)pose->position.z + move[2] );
}

static void Create( benchPairScene* scene, uint64_t seed )
{
    static const uint32_t sizes[BENCH_HULL_SIZES] = { 8, 32, 128 };
    static const benchQuestion questions[] = { bench_askHits, bench_askDistances, bench_askDepths };
    joRandom random = joMakeRandom( seed );
    scene->question = questions[scene->workload / BENCH_HULL_SIZES];
    scene->pairCount = scene->count;
    scene->bodyCount = 2 * scene->count;
    scene->shapes = benchAllocate( scene->bodyCount, sizeof( joShape3 ) );
    scene->poses = benchAllocate( scene->bodyCount, sizeof( joTransform3 ) );
    scene->pairs = benchAllocate( scene->pairCount, sizeof( joPair ) );
    scene->hulls = benchAllocate( HULLS, sizeof( joHull3* ) );
    scene->hullOfBody = benchAllocate( scene->bodyCount, sizeof( uint32_t ) );
    for ( scene->hullCount = 0; scene->hullCount < HULLS; ++scene->hullCount )
    {
        scene->hulls[scene->hullCount] = AnyHull( &random, sizes[scene->workload % BENCH_HULL_SIZES] );
    }
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        scene->hullOfBody[i] = joRandom_Below( &random, HULLS );
        scene->shapes[i] = ( joShape3 ){ .kind = jo_hullShape3, .hull = scene->hulls[scene->hullOfBody[i]] };
        scene->poses[i].rotation = AnyRotation( &random );
        scene->poses[i].position.x = joRandom_Range( &random, -2.0f, 2.0f );
        scene->poses[i].position.y = joRandom_Range( &random, -2.0f, 2.0f );
        scene->poses[i].position.z = joRandom_Range( &random, -2.0f, 2.0f );
    }
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joVec3 direction = AnyDirection( &random );
        const bool isNear = joRandom_Below( &random, 10 ) == 0;
        const float gap =
            isNear ? joRandom_Range( &random, -0.01f, 0.01f ) : joRandom_Range( &random, -0.8f, 0.5f );
        PlaceB( scene, 2 * i, direction, isNear, (double)gap );
        scene->pairs[i] = ( joPair ){ 2 * i, 2 * i + 1 };
    }
}

const benchPairFamily benchHullFamily = { .workloadCount = BENCH_HULL_WORKLOAD_COUNT,
    .text = TextOf,
    .defaultCount = DefaultCount,
    .create = Create,
    .depth = DepthOf,
    .check = Check,
    .pairsOfAFault = 100, // Bullet's EPA gives up in one of some 500
    .addContestants = benchAddHullContestants };
