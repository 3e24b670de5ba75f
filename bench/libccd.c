// SPDX-License-Identifier: MIT
// libccd in the races of hulls: GJK and MPR for hits, and GJK's yes or no beside distances, which it has not;
// its GJK with EPA, and MPR, for depths. Debian builds it in double. Supports are found by a plain loop over
// vertices in double, rotations are matrices made before.
#include "contestant.h"

#include <ccd/ccd.h>

typedef struct Hull
{
    double* vertices; // count * 3
    uint32_t count;
    double center[3];
} Hull;

typedef struct Body
{
    const Hull* hull;
    double rotation[3][3]; // rows
    double position[3];
} Body;

typedef int IntersectFunction( const void* a, const void* b, const ccd_t* ccd );
typedef int PenetrateFunction(
    const void* a, const void* b, const ccd_t* ccd, ccd_real_t* depth, ccd_vec3_t* way, ccd_vec3_t* at );

typedef struct State
{
    Hull* hulls;
    uint32_t hullCount;
    Body* bodies;
    ccd_t ccd;
    IntersectFunction* intersect;
    PenetrateFunction* penetrate; // else null
    benchTouchedPair* found;
    uint32_t foundCount;
} State;

static void ToWorld( const Body* body, const double p[3], ccd_vec3_t* out )
{
    for ( int i = 0; i < 3; ++i )
    {
        const double* row = body->rotation[i];
        out->v[i] = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + body->position[i];
    }
}

static void FindSupport( const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out )
{
    const Body* body = object;
    const double( *r )[3] = body->rotation;
    const double* d = direction->v;
    const double x = r[0][0] * d[0] + r[1][0] * d[1] + r[2][0] * d[2],
                 y = r[0][1] * d[0] + r[1][1] * d[1] + r[2][1] * d[2],
                 z = r[0][2] * d[0] + r[1][2] * d[1] + r[2][2] * d[2];
    const double *best = body->hull->vertices, *end = best + 3 * (size_t)body->hull->count;
    double highest = x * best[0] + y * best[1] + z * best[2];
    for ( const double* p = best + 3; p < end; p += 3 )
    {
        const double height = x * p[0] + y * p[1] + z * p[2];
        if ( height > highest )
        {
            highest = height;
            best = p;
        }
    }
    ToWorld( body, best, out );
}

static void FindCenter( const void* object, ccd_vec3_t* center )
{
    const Body* body = object;
    ToWorld( body, body->hull->center, center );
}

static bool Place( void* context, const benchPairScene* scene )
{
    State* state = context;
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        const joTransform3* pose = scene->poses + i;
        const double x = (double)pose->rotation.x, y = (double)pose->rotation.y, z = (double)pose->rotation.z,
                     w = (double)pose->rotation.w;
        const double s = 2.0 / ( x * x + y * y + z * z + w * w );
        state->bodies[i] = ( Body ){ state->hulls + scene->hullOfBody[i],
            { { 1.0 - s * ( y * y + z * z ), s * ( x * y - w * z ), s * ( x * z + w * y ) },
                { s * ( x * y + w * z ), 1.0 - s * ( x * x + z * z ), s * ( y * z - w * x ) },
                { s * ( x * z - w * y ), s * ( y * z + w * x ), 1.0 - s * ( x * x + y * y ) } },
            { (double)pose->position.x, (double)pose->position.y, (double)pose->position.z } };
    }
    return true;
}

static bool Touch( void* context, const benchPairScene* scene )
{
    State* state = context;
    state->foundCount = 0;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        const Body *a = state->bodies + pair.a, *b = state->bodies + pair.b;
        double depth = 0.0;
        ccd_vec3_t way, at;
        const bool touches = state->penetrate != NULL
                                 ? state->penetrate( a, b, &state->ccd, &depth, &way, &at ) == 0
                                 : state->intersect( a, b, &state->ccd ) != 0;
        state->found[state->foundCount] = ( benchTouchedPair ){ .pair = pair, .depth = (float)depth };
        state->foundCount += touches;
    }
    return true;
}

static void Collect( void* context, const benchPairScene* scene, benchTouches* touches )
{
    const State* state = context;
    (void)scene;
    for ( uint32_t i = 0; i < state->foundCount; ++i )
    {
        benchPushTouchedPair( touches, state->found + i );
    }
}

static void Destroy( void* context )
{
    State* state = context;
    for ( uint32_t i = 0; i < state->hullCount; ++i )
    {
        free( state->hulls[i].vertices );
    }
    free( state->hulls );
    free( state->bodies );
    free( state->found );
    free( state );
}

static void MakeHull( Hull* made, const joHull3* hull )
{
    made->count = joHull3_GetVertexCount( hull );
    made->vertices = benchAllocate( 3 * (size_t)made->count, sizeof( double ) );
    for ( uint32_t i = 0; i < made->count; ++i )
    {
        const joVec3 vertex = joHull3_GetVertex( hull, i );
        const double p[3] = { (double)vertex.x, (double)vertex.y, (double)vertex.z };
        for ( int k = 0; k < 3; ++k )
        {
            made->vertices[3 * i + (uint32_t)k] = p[k];
            made->center[k] += p[k] / (double)made->count;
        }
    }
}

static void Add( benchField* field, const benchPairScene* scene, const char* kind,
    IntersectFunction* intersect, PenetrateFunction* penetrate )
{
    State* state = benchAllocate( 1, sizeof( State ) );
    state->hulls = benchAllocate( scene->hullCount, sizeof( Hull ) );
    state->bodies = benchAllocate( scene->bodyCount, sizeof( Body ) );
    state->found = benchAllocate( scene->pairCount + 1, sizeof( benchTouchedPair ) );
    state->hullCount = scene->hullCount;
    for ( uint32_t i = 0; i < scene->hullCount; ++i )
    {
        MakeHull( state->hulls + i, scene->hulls[i] );
    }
    CCD_INIT( &state->ccd );
    state->ccd.support1 = state->ccd.support2 = FindSupport;
    state->ccd.center1 = state->ccd.center2 = FindCenter;
    state->ccd.max_iterations = 100;
    state->ccd.epa_tolerance = 1e-5;
    state->ccd.mpr_tolerance = 1e-5;
    state->intersect = intersect;
    state->penetrate = penetrate;
    benchContestant* contestant = benchAddContestant( field, "libccd", "", kind );
    contestant->state = state;
    contestant->place = Place;
    contestant->touch = Touch;
    contestant->collectTouches = Collect;
    contestant->destroy = Destroy;
}

void benchAddLibccd( benchField* field, const benchPairScene* scene )
{
    if ( scene->question == bench_askDepths )
    {
        Add( field, scene, "gjk, epa", NULL, ccdGJKPenetration );
        Add( field, scene, "mpr depth", NULL, ccdMPRPenetration );
        return;
    }
    Add( field, scene, "gjk yes or no", ccdGJKIntersect, NULL );
    Add( field, scene, "mpr yes or no", ccdMPRIntersect, NULL );
}
