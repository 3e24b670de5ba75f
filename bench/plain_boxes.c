// SPDX-License-Identifier: MIT
// The plain way in the race of boxes: separating axes in scalar float with early out, on rotation matrices
// made before, as textbooks have it (Gottschalk, Lin and Manocha, "OBBTree", 1996). What SIMD must be
// measured against. Nearly parallel edges are left out by a guess.
#include "contestant.h"

#include "box_scene.h"

#include <float.h>
#include <math.h>

#define PARALLEL_SQ 1e-6f

typedef struct Box
{
    float center[3];
    float axes[3][3]; // [which][component]
    float half[3];
} Box;

typedef struct State
{
    Box* boxes;
    bool* touches;
    float* depths;
    joVec3* normals;
} State;

static bool Place( void* context, const benchPairScene* scene )
{
    State* state = context;
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        const joTransform3* pose = scene->poses + i;
        const joQuat q = pose->rotation;
        const joVec3 h = scene->shapes[i].box.halfExtents;
        state->boxes[i] = ( Box ){
            { pose->position.x, pose->position.y, pose->position.z },
            { { 1.0f - 2.0f * ( q.y * q.y + q.z * q.z ), 2.0f * ( q.x * q.y + q.w * q.z ),
                  2.0f * ( q.x * q.z - q.w * q.y ) },
                { 2.0f * ( q.x * q.y - q.w * q.z ), 1.0f - 2.0f * ( q.x * q.x + q.z * q.z ),
                    2.0f * ( q.y * q.z + q.w * q.x ) },
                { 2.0f * ( q.x * q.z + q.w * q.y ), 2.0f * ( q.y * q.z - q.w * q.x ),
                    1.0f - 2.0f * ( q.x * q.x + q.y * q.y ) } },
            { h.x, h.y, h.z },
        };
    }
    return true;
}

static float Dot( const float a[3], const float b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

typedef struct Best
{
    float depth;
    int axis; // as they come: faces of A, of B, edges
    float side;
    float length;
} Best;

// False: they are apart along it.
static inline bool Consider( Best* best, int axis, float along, float radii, float length )
{
    const float overlap = radii - fabsf( along );
    if ( overlap < 0.0f )
    {
        return false;
    }
    if ( overlap < best->depth * length )
    {
        *best = ( Best ){ overlap / length, axis, along, length };
    }
    return true;
}

static void SetNormal( const Box* a, const Box* b, const Best* best, joVec3* normal )
{
    const float sign = best->side < 0.0f ? -1.0f : 1.0f;
    if ( best->axis < 6 )
    {
        const float* n = best->axis < 3 ? a->axes[best->axis] : b->axes[best->axis - 3];
        *normal = ( joVec3 ){ sign * n[0], sign * n[1], sign * n[2] };
        return;
    }
    const float *u = a->axes[( best->axis - 6 ) / 3], *v = b->axes[( best->axis - 6 ) % 3];
    const float scale = sign / best->length;
    *normal = ( joVec3 ){ scale * ( u[1] * v[2] - u[2] * v[1] ), scale * ( u[2] * v[0] - u[0] * v[2] ),
        scale * ( u[0] * v[1] - u[1] * v[0] ) };
}

static bool Collide( const Box* a, const Box* b, bool onlyHits, float* depth, joVec3* normal )
{
    const float between[3] = {
        b->center[0] - a->center[0], b->center[1] - a->center[1], b->center[2] - a->center[2] };
    float r[3][3], absR[3][3], t[3];
    Best best = { .depth = FLT_MAX, .length = 1.0f };
    for ( int i = 0; i < 3; ++i )
    {
        t[i] = Dot( a->axes[i], between );
        for ( int j = 0; j < 3; ++j )
        {
            r[i][j] = Dot( a->axes[i], b->axes[j] );
            absR[i][j] = fabsf( r[i][j] );
        }
        if ( !Consider( &best, i, t[i], a->half[i] + Dot( b->half, absR[i] ), 1.0f ) )
        {
            return false;
        }
    }
    for ( int j = 0; j < 3; ++j )
    {
        const float radius = a->half[0] * absR[0][j] + a->half[1] * absR[1][j] + a->half[2] * absR[2][j];
        if ( !Consider( &best, 3 + j, Dot( b->axes[j], between ), b->half[j] + radius, 1.0f ) )
        {
            return false;
        }
    }
    for ( int k = 0; k < 9; ++k )
    {
        const int i = k / 3, j = k % 3, i1 = ( i + 1 ) % 3, i2 = ( i + 2 ) % 3, j1 = ( j + 1 ) % 3,
                  j2 = ( j + 2 ) % 3;
        const float sq = 1.0f - r[i][j] * r[i][j];
        const float radii = a->half[i1] * absR[i2][j] + a->half[i2] * absR[i1][j] +
                            b->half[j1] * absR[i][j2] + b->half[j2] * absR[i][j1];
        const float along = t[i2] * r[i1][j] - t[i1] * r[i2][j];
        if ( sq > PARALLEL_SQ && !Consider( &best, 6 + k, along, radii, onlyHits ? 1.0f : sqrtf( sq ) ) )
        {
            return false;
        }
    }
    if ( !onlyHits )
    {
        *depth = best.depth;
        SetNormal( a, b, &best, normal );
    }
    return true;
}

static bool Touch( void* context, const benchPairScene* scene )
{
    State* state = context;
    if ( scene->velocities != NULL )
    {
        Place( state, scene );
    }
    const bool onlyHits = scene->question == bench_askHits;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        state->touches[i] = Collide(
            state->boxes + pair.a, state->boxes + pair.b, onlyHits, state->depths + i, state->normals + i );
    }
    return true;
}

static void Collect( void* context, const benchPairScene* scene, benchTouches* touches )
{
    const State* state = context;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        if ( state->touches[i] )
        {
            benchPushTouch( touches, scene->pairs[i], state->depths[i] );
        }
    }
}

static void Destroy( void* context )
{
    State* state = context;
    free( state->boxes );
    free( state->touches );
    free( state->depths );
    free( state->normals );
    free( state );
}

void benchAddPlainBoxes( benchField* field, const benchPairScene* scene, uint32_t threads )
{
    if ( threads != 1 || scene->pairs == NULL || scene->question == bench_askPoints )
    {
        return;
    }
    State* state = benchAllocate( 1, sizeof( State ) );
    state->boxes = benchAllocate( scene->bodyCount, sizeof( Box ) );
    state->touches = benchAllocate( scene->pairCount, sizeof( bool ) );
    state->depths = benchAllocate( scene->pairCount, sizeof( float ) );
    state->normals = benchAllocate( scene->pairCount, sizeof( joVec3 ) );
    benchContestant* contestant = benchAddContestant( field, "plain", "-", "early out" );
    contestant->state = state;
    contestant->place = Place;
    contestant->touch = Touch;
    contestant->collectTouches = Collect;
    contestant->destroy = Destroy;
}
