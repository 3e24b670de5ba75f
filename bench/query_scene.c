// SPDX-License-Identifier: MIT
#include "query_scene.h"

#include "base/float_env.h"
#include "contestant.h"
#include "jostle/math.h"
#include "workload.h"

#include <math.h>

#define HALF 0.5f // half extent, or radius, of all objects
#define PI 3.14159265358979323846

#define FEW_BOXES 4.0 // that a query of overlaps meets

const char* benchQueryWorkloadText( benchQueryWorkload workload )
{
    static const char* const texts[bench_queryWorkloadCount] = { "rays-boxes", "rays-spheres",
        "overlaps-boxes", "overlaps-spheres", "nearest-points", "nearest-boxes" };
    return texts[workload];
}

static bool AsksRays( benchQueryWorkload workload )
{
    return workload == bench_raysBoxes || workload == bench_raysSpheres;
}

static bool AsksNearest( benchQueryWorkload workload )
{
    return workload == bench_nearestPoints || workload == bench_nearestBoxes;
}

uint32_t benchDefaultQueryCount( benchQueryWorkload workload )
{
    return AsksRays( workload ) ? 1000000 : 100000;
}

static void MakeObjects( benchQueryScene* scene, joRandom* random )
{
    const bool arePoints = scene->workload == bench_nearestPoints;
    const bool areRound =
        arePoints || scene->workload == bench_raysSpheres || scene->workload == bench_overlapsSpheres;
    const float half = arePoints ? 0.0f : HALF;
    float* boxes = benchAllocate( scene->count, 6 * sizeof( float ) );
    float* spheres = areRound ? benchAllocate( scene->count, 4 * sizeof( float ) ) : NULL;
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        for ( uint32_t axis = 0; axis < 3; ++axis )
        {
            const float centre = joRandom_Range( random, 0.0f, scene->side );
            boxes[(size_t)i * 6 + axis] = centre - half;
            boxes[(size_t)i * 6 + 3 + axis] = centre + half;
            if ( areRound )
            {
                spheres[(size_t)i * 4 + axis] = centre;
            }
        }
        if ( areRound )
        {
            spheres[(size_t)i * 4 + 3] = half;
        }
    }
    scene->boxes = boxes;
    scene->spheres = spheres;
}

static void MakePoints( benchQueryScene* scene, joRandom* random )
{
    float* points = benchAllocate( scene->queryCount, 3 * sizeof( float ) );
    for ( size_t i = 0; i < (size_t)scene->queryCount * 3; ++i )
    {
        points[i] = joRandom_Range( random, 0.0f, scene->side );
    }
    scene->points = points;
    scene->answersEach = BENCH_NEAREST_COUNT;
}

// Cubes as wide as makes boxes touch FEW_BOXES on average, but for those at the sides of the world; spheres
// fill their boxes by half, and stand nearly twice as dense.
static void MakeQueryBoxes( benchQueryScene* scene, joRandom* random )
{
    const double room =
        FEW_BOXES * (double)scene->side * (double)scene->side * (double)scene->side / scene->count;
    const float half = 0.5f * (float)joCubeRoot( room ) - HALF;
    float* boxes = benchAllocate( scene->queryCount, 6 * sizeof( float ) );
    for ( size_t i = 0; i < scene->queryCount; ++i )
    {
        for ( uint32_t axis = 0; axis < 3; ++axis )
        {
            const float centre = joRandom_Range( random, 0.0f, scene->side );
            boxes[i * 6 + axis] = centre - half;
            boxes[i * 6 + 3 + axis] = centre + half;
        }
    }
    scene->queryBoxes = boxes;
    // Ten times as many as on average: more are not met in the life of anyone who runs this.
    scene->answersEach = 40;
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
    const bool areSpheres = workload == bench_raysSpheres || workload == bench_overlapsSpheres;
    const double half = (double)HALF;
    const double volume = areSpheres ? 4.0 / 3.0 * PI * half * half * half : 8.0 * half * half * half;
    scene->workload = workload;
    scene->count = count;
    scene->queryCount = queryCount;
    scene->side = (float)joCubeRoot( count * volume / BENCH_QUERY_FILL );
    MakeObjects( scene, &random );
    if ( AsksRays( workload ) )
    {
        MakeRays( scene, &random );
    }
    else if ( AsksNearest( workload ) )
    {
        MakePoints( scene, &random );
    }
    else
    {
        MakeQueryBoxes( scene, &random );
    }
    return scene;
}

void benchDestroyQueryScene( benchQueryScene* scene )
{
    if ( scene != NULL )
    {
        free( (void*)scene->boxes );
        free( (void*)scene->spheres );
        free( (void*)scene->rays );
        free( (void*)scene->queryBoxes );
        free( (void*)scene->points );
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

static double RayDistance( const benchQueryScene* scene, uint32_t query, uint32_t key, double grow )
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

// Of a box (a point has no size) from an object; 0 if they touch.
static double Gap(
    const benchQueryScene* scene, const float* lower, const float* upper, uint32_t key, double grow )
{
    const float* sphere = scene->spheres != NULL ? scene->spheres + (size_t)key * 4 : NULL;
    const float* box = scene->boxes + (size_t)key * 6;
    double sum = 0.0;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        const double below = (double)lower[axis] - (double)( sphere != NULL ? sphere[axis] : box[3 + axis] );
        const double above = (double)( sphere != NULL ? sphere[axis] : box[axis] ) - (double)upper[axis];
        const double gap = below > above ? below : above;
        sum += gap > 0.0 ? gap * gap : 0.0;
    }
    const double gap = sqrt( sum ) - grow - ( sphere != NULL ? (double)sphere[3] : 0.0 );
    return gap > 0.0 ? gap : 0.0;
}

double benchQueryDistance( const benchQueryScene* scene, uint32_t query, uint32_t key, double grow )
{
    if ( scene->rays != NULL )
    {
        return RayDistance( scene, query, key, grow );
    }
    if ( scene->points != NULL )
    {
        const float* point = scene->points + (size_t)query * 3;
        return Gap( scene, point, point, key, grow );
    }
    const float* box = scene->queryBoxes + (size_t)query * 6;
    return Gap( scene, box, box + 3, key, grow ) == 0.0 ? 0.0 : (double)INFINITY;
}
