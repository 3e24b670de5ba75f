// SPDX-License-Identifier: MIT
// The workloads of pairs in 2D: flat-circles, flat-capsules, flat-boxes, flat-polygons (of eight vertices).
// As many pairs as the count, of sizes from 0.2 to 1, each shape in one pair; about half of them touch. Asked
// are contact points. Nothing moves.
#include "pair_scene.h"

#include "base/float_env.h"
#include "contestant.h"

#include <math.h>

typedef enum FlatKind
{
    flatCircles = 0,
    flatCapsules,
    flatBoxes,
    flatPolygons,
    flatKindCount = BENCH_FLAT_WORKLOAD_COUNT
} FlatKind;

static const char* const s_names[flatKindCount] = {
    "flat-circles", "flat-capsules", "flat-boxes", "flat-polygons" };

#define HALF_PI 1.57079633f
#define VERTICES 8
// Farther apart than this no two of them touch.
#define FARTHEST 4.0f

// A core of vertices in the world, counter-clockwise, and what is within the radius of it.
typedef struct PlainShape
{
    double vertices[JO_MAX_POLYGON_VERTICES][2];
    int count;
    double radius;
} PlainShape;

static void AddVertex( PlainShape* plain, const joTransform2* pose, joVec2 local )
{
    const double c = (double)pose->rotation.c, s = (double)pose->rotation.s, length = sqrt( c * c + s * s );
    const double x = (double)local.x, y = (double)local.y;
    double* vertex = plain->vertices[plain->count++];
    vertex[0] = (double)pose->position.x + ( c * x - s * y ) / length;
    vertex[1] = (double)pose->position.y + ( s * x + c * y ) / length;
}

static PlainShape MakePlainShape( const benchPairScene* scene, uint32_t i )
{
    const joShape2* shape = scene->shapes2 + i;
    const joTransform2* pose = scene->poses2 + i;
    PlainShape plain = { .count = 0 };
    switch ( shape->kind )
    {
        case jo_circleShape2:
            AddVertex( &plain, pose, shape->circle.center );
            plain.radius = (double)shape->circle.radius;
            break;
        case jo_capsuleShape2:
            AddVertex( &plain, pose, shape->capsule.a );
            AddVertex( &plain, pose, shape->capsule.b );
            plain.radius = (double)shape->capsule.radius;
            break;
        default:
            for ( uint32_t k = 0; k < shape->polygon->count; ++k )
            {
                AddVertex( &plain, pose, shape->polygon->vertices[k] );
            }
            plain.radius = (double)shape->polygon->radius;
            break;
    }
    return plain;
}

// The largest gap that a line along an edge of one leaves to the other; -inf of a point.
static double LargestGap( const PlainShape* one, const PlainShape* other )
{
    double largest = -INFINITY;
    for ( int i = 0; i < one->count && one->count > 1; ++i )
    {
        const double *from = one->vertices[i], *to = one->vertices[( i + 1 ) % one->count];
        const double x = to[1] - from[1], y = from[0] - to[0], length = sqrt( x * x + y * y );
        double gap = INFINITY;
        for ( int k = 0; k < other->count; ++k )
        {
            const double* vertex = other->vertices[k];
            gap = fmin( gap, ( x * ( vertex[0] - from[0] ) + y * ( vertex[1] - from[1] ) ) / length );
        }
        largest = fmax( largest, gap );
    }
    return largest;
}

// How near a vertex of one comes to an edge of the other.
static double LeastDistance( const PlainShape* one, const PlainShape* other )
{
    double least = INFINITY;
    for ( int i = 0; i < one->count; ++i )
    {
        for ( int k = 0; k < other->count; ++k )
        {
            const double *from = other->vertices[k], *to = other->vertices[( k + 1 ) % other->count];
            const double way[2] = { to[0] - from[0], to[1] - from[1] };
            const double x = one->vertices[i][0] - from[0], y = one->vertices[i][1] - from[1];
            const double lengthSq = way[0] * way[0] + way[1] * way[1];
            const double t =
                lengthSq > 0.0 ? fmin( fmax( ( x * way[0] + y * way[1] ) / lengthSq, 0.0 ), 1.0 ) : 0.0;
            least = fmin( least, hypot( x - t * way[0], y - t * way[1] ) );
        }
    }
    return least;
}

static double Depth( const benchPairScene* scene, uint32_t a, uint32_t b )
{
    const PlainShape one = MakePlainShape( scene, a ), two = MakePlainShape( scene, b );
    const double gap = fmax( LargestGap( &one, &two ), LargestGap( &two, &one ) );
    const bool areApart = gap > 0.0 || one.count == 1 || two.count == 1;
    // The cores of all but polygons are apart, or cross each other; a point is never deep in a core here.
    const double between = areApart ? fmin( LeastDistance( &one, &two ), LeastDistance( &two, &one ) ) : gap;
    return one.radius + two.radius - between;
}

static void MakeEight( joPolygon2* polygon, joRandom* random )
{
    joVec2 points[VERTICES];
    const float x = joRandom_Range( random, 0.3f, 1.0f ), y = joRandom_Range( random, 0.3f, 1.0f );
    for ( int i = 0; i < VERTICES; ++i )
    {
        const joRot2 turn =
            joMakeRot2( HALF_PI * 0.5f * ( (float)i + joRandom_Range( random, -0.3f, 0.3f ) ) );
        points[i] = ( joVec2 ){ x * turn.c, y * turn.s };
    }
    joMakePolygon2( points, VERTICES, 0.0f, polygon, NULL );
}

static void MakeShape( benchPairScene* scene, FlatKind kind, uint32_t i, joRandom* random )
{
    joShape2* shape = scene->shapes2 + i;
    const float size = joRandom_Range( random, 0.3f, 1.0f );
    switch ( kind )
    {
        case flatCircles:
            *shape = ( joShape2 ){ .kind = jo_circleShape2, .circle = { .radius = size } };
            break;
        case flatCapsules:
            *shape = ( joShape2 ){ .kind = jo_capsuleShape2,
                .capsule = { { -size, 0.0f }, { size, 0.0f }, joRandom_Range( random, 0.2f, 0.6f ) } };
            break;
        case flatBoxes:
            scene->polygons[i] = joMakeBox2( size, joRandom_Range( random, 0.3f, 1.0f ) );
            *shape = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = scene->polygons + i };
            break;
        default:
            MakeEight( scene->polygons + i, random );
            *shape = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = scene->polygons + i };
            break;
    }
}

static joRot2 AnyTurn( joRandom* random )
{
    return joMakeRot2( joRandom_Range( random, 0.0f, 4.0f * HALF_PI ) );
}

static void PlacePair( benchPairScene* scene, uint32_t a, joRandom* random )
{
    joTransform2 *one = scene->poses2 + a, *two = one + 1;
    one->position.x = joRandom_Range( random, -5.0f, 5.0f );
    one->position.y = joRandom_Range( random, -5.0f, 5.0f );
    one->rotation = AnyTurn( random );
    two->rotation = AnyTurn( random );
    const joVec2 way = { joRandom_Range( random, 0.0f, FARTHEST ), 0.0f };
    const joVec2 turned = joRotateVec2( AnyTurn( random ), way );
    two->position = ( joVec2 ){ one->position.x + turned.x, one->position.y + turned.y };
}

static void Create( benchPairScene* scene, uint64_t seed )
{
    const FlatKind kind = (FlatKind)scene->workload;
    joRandom random = joMakeRandom( seed );
    scene->question = bench_askPoints;
    scene->pairCount = scene->count;
    scene->bodyCount = 2 * scene->count;
    scene->pairs = benchAllocate( scene->pairCount, sizeof( joPair ) );
    scene->shapes2 = benchAllocate( scene->bodyCount, sizeof( joShape2 ) );
    scene->poses2 = benchAllocate( scene->bodyCount, sizeof( joTransform2 ) );
    scene->polygons = kind < flatBoxes ? NULL : benchAllocate( scene->bodyCount, sizeof( joPolygon2 ) );
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const uint32_t a = 2 * i;
        MakeShape( scene, kind, a, &random );
        MakeShape( scene, kind, a + 1, &random );
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

const benchPairFamily benchFlatFamily = {
    .workloadCount = flatKindCount,
    .text = TextOf,
    .defaultCount = DefaultCountOf,
    .create = Create,
    .depth = Depth,
    .pairsOfAFault = 100000,
    .addContestants = benchAddFlatContestants,
};
