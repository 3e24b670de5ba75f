// SPDX-License-Identifier: MIT
#include "query_scene.h"

#include "base/float_env.h"
#include "contestant.h"
#include "jostle/math.h"
#include "workload.h"

#include <math.h>

#define HALF 0.5f // half extent, or radius, of all objects
#define PI 3.14159265358979323846

const char* benchQueryWorkloadText( benchQueryWorkload workload )
{
    static const char* const texts[bench_queryWorkloadCount] = { "rays-boxes", "rays-spheres" };
    return texts[workload];
}

uint32_t benchDefaultQueryCount( benchQueryWorkload workload )
{
    (void)workload;
    return 1000000;
}

static void MakeObjects( benchQueryScene* scene, bool areSpheres, joRandom* random )
{
    float* boxes = benchAllocate( scene->count, 6 * sizeof( float ) );
    float* spheres = areSpheres ? benchAllocate( scene->count, 4 * sizeof( float ) ) : NULL;
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        for ( uint32_t axis = 0; axis < 3; ++axis )
        {
            const float centre = joRandom_Range( random, 0.0f, scene->side );
            boxes[(size_t)i * 6 + axis] = centre - HALF;
            boxes[(size_t)i * 6 + 3 + axis] = centre + HALF;
            if ( areSpheres )
            {
                spheres[(size_t)i * 4 + axis] = centre;
            }
        }
        if ( areSpheres )
        {
            spheres[(size_t)i * 4 + 3] = HALF;
        }
    }
    scene->boxes = boxes;
    scene->spheres = spheres;
}

// All directions are as likely: normal numbers on each axis are.
static void MakeRays( benchQueryScene* scene, joRandom* random )
{
    joRay* rays = benchAllocate( scene->queryCount, sizeof( joRay ) );
    for ( uint32_t i = 0; i < scene->queryCount; ++i )
    {
        double direction[3];
        double lengthSq = 0.0;
        while ( lengthSq < 1e-6 )
        {
            lengthSq = 0.0;
            for ( uint32_t axis = 0; axis < 3; ++axis )
            {
                direction[axis] = (double)joRandom_Normal( random );
                lengthSq += direction[axis] * direction[axis];
            }
        }
        for ( uint32_t axis = 0; axis < 3; ++axis )
        {
            rays[i].origin[axis] = joRandom_Range( random, 0.0f, scene->side );
            rays[i].direction[axis] = (float)( direction[axis] / sqrt( lengthSq ) );
        }
        rays[i].length = 0.1f * scene->side;
    }
    scene->rays = rays;
    scene->answersEach = 1;
}

benchQueryScene* benchCreateQueryScene(
    benchQueryWorkload workload, uint32_t count, uint32_t queryCount, uint64_t seed )
{
    benchQueryScene* scene = benchAllocate( 1, sizeof( benchQueryScene ) );
    joRandom random = joMakeRandom( seed );
    const bool areSpheres = workload == bench_raysSpheres;
    const double half = (double)HALF;
    const double volume = areSpheres ? 4.0 / 3.0 * PI * half * half * half : 8.0 * half * half * half;
    scene->workload = workload;
    scene->count = count;
    scene->queryCount = queryCount;
    scene->side = (float)joCubeRoot( count * volume / BENCH_QUERY_FILL );
    MakeObjects( scene, areSpheres, &random );
    MakeRays( scene, &random );
    return scene;
}

void benchDestroyQueryScene( benchQueryScene* scene )
{
    if ( scene != NULL )
    {
        free( (void*)scene->boxes );
        free( (void*)scene->spheres );
        free( (void*)scene->rays );
        free( scene );
    }
}

static double RayToBox( const double* origin, const double* direction, const float* box, double grow )
{
    double enter = 0.0;
    double leave = (double)INFINITY;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        const double toLower = (double)box[axis] - grow - origin[axis];
        const double toUpper = (double)box[3 + axis] + grow - origin[axis];
        if ( direction[axis] == 0.0 )
        {
            leave = toLower > 0.0 || toUpper < 0.0 ? -1.0 : leave;
            continue;
        }
        const double first = ( direction[axis] > 0.0 ? toLower : toUpper ) / direction[axis];
        const double last = ( direction[axis] > 0.0 ? toUpper : toLower ) / direction[axis];
        enter = first > enter ? first : enter;
        leave = last < leave ? last : leave;
    }
    return enter <= leave ? enter : (double)INFINITY;
}

static double RayToSphere( const double* origin, const double* direction, const float* sphere, double grow )
{
    const double radius = (double)sphere[3] + grow;
    double along = 0.0;
    double gapSq = 0.0;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        const double to = (double)sphere[axis] - origin[axis];
        along += to * direction[axis];
        gapSq += to * to;
    }
    const double outside = gapSq - radius * radius;
    if ( outside <= 0.0 )
    {
        return 0.0;
    }
    const double inside = along * along - outside;
    return along >= 0.0 && inside >= 0.0 ? along - sqrt( inside ) : (double)INFINITY;
}

double benchQueryDistance( const benchQueryScene* scene, uint32_t query, uint32_t key, double grow )
{
    const joRay* ray = scene->rays + query;
    double origin[3], direction[3];
    double lengthSq = 0.0;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        origin[axis] = (double)ray->origin[axis];
        direction[axis] = (double)ray->direction[axis];
        lengthSq += direction[axis] * direction[axis];
    }
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        direction[axis] /= sqrt( lengthSq );
    }
    const double distance = scene->spheres != NULL
                                ? RayToSphere( origin, direction, scene->spheres + (size_t)key * 4, grow )
                                : RayToBox( origin, direction, scene->boxes + (size_t)key * 6, grow );
    return distance <= (double)ray->length + grow ? distance : (double)INFINITY;
}
