// SPDX-License-Identifier: MIT
// Embree 3 (Intel) in a race of rays: boxes or spheres as user geometry of a static scene, rtcIntersect1 for
// each ray with a context for incoherent rays, as its manual says for rays without order. The callback tests
// in float what rays are asked for: the first touch of a solid box or sphere, 0 from inside. What the tests
// need of a ray alone is computed once and travels in the context, which the manual allows to be extended.
//
// A row for each quality of the scene's build.
#include "contestant.h"
#include "embree_isa.h"

#include <tbb/global_control.h>

#include <cmath>
#include <cstdio>
#include <xmmintrin.h>

namespace
{

// 32 bytes, so that a test loads one line of the cache.
struct alignas( 32 ) Solid
{
    float lower[4]; // of a sphere: the centre, and the square of the radius
    float upper[4];
};

struct RayContext
{
    RTCIntersectContext base; // first: Embree hands it back as this
    float inverse[4];         // of the direction, 1 / 0 = inf
};

struct EmbreeState
{
    RTCDevice device;
    RTCScene scene;
    RTCGeometry geometry;
    Solid* solids;
    const float* boxes;
    uint32_t threads;
};

void GetBounds( const RTCBoundsFunctionArguments* arguments )
{
    const EmbreeState* state = static_cast<const EmbreeState*>( arguments->geometryUserPtr );
    const float* box = state->boxes + (size_t)arguments->primID * 6;
    arguments->bounds_o->lower_x = box[0];
    arguments->bounds_o->lower_y = box[1];
    arguments->bounds_o->lower_z = box[2];
    arguments->bounds_o->upper_x = box[3];
    arguments->bounds_o->upper_y = box[4];
    arguments->bounds_o->upper_z = box[5];
}

void Report( const RTCIntersectFunctionNArguments* arguments, float distance )
{
    RTCRayHit* rayHit = reinterpret_cast<RTCRayHit*>( arguments->rayhit );
    rayHit->ray.tfar = distance;
    rayHit->hit.primID = arguments->primID;
    rayHit->hit.geomID = arguments->geomID;
}

float Smaller( float a, float b )
{
    return a < b ? a : b;
}

float Larger( float a, float b )
{
    return a > b ? a : b;
}

// Rays come one at a time (N is 1), and valid.
void IntersectBox( const RTCIntersectFunctionNArguments* arguments )
{
    const EmbreeState* state = static_cast<const EmbreeState*>( arguments->geometryUserPtr );
    const float* inverse = reinterpret_cast<const RayContext*>( arguments->context )->inverse;
    const RTCRay* ray = &reinterpret_cast<const RTCRayHit*>( arguments->rayhit )->ray;
    const Solid* solid = state->solids + arguments->primID;
    const float* origin = &ray->org_x;
    float enter = 0.0f;
    float leave = ray->tfar;
    for ( int axis = 0; axis < 3; ++axis )
    {
        float toLower = ( solid->lower[axis] - origin[axis] ) * inverse[axis];
        float toUpper = ( solid->upper[axis] - origin[axis] ) * inverse[axis];
        enter = Larger( enter, Smaller( toLower, toUpper ) );
        leave = Smaller( leave, Larger( toLower, toUpper ) );
    }
    if ( enter <= leave )
    {
        Report( arguments, enter );
    }
}

// The ray's point nearest to the centre, and from it back by half of the chord: the difference of squares
// that the textbook has loses the distance from far away.
void IntersectSphere( const RTCIntersectFunctionNArguments* arguments )
{
    const EmbreeState* state = static_cast<const EmbreeState*>( arguments->geometryUserPtr );
    const RTCRay* ray = &reinterpret_cast<const RTCRayHit*>( arguments->rayhit )->ray;
    const Solid* solid = state->solids + arguments->primID;
    float toX = solid->lower[0] - ray->org_x;
    float toY = solid->lower[1] - ray->org_y;
    float toZ = solid->lower[2] - ray->org_z;
    float along = toX * ray->dir_x + toY * ray->dir_y + toZ * ray->dir_z;
    float missX = toX - along * ray->dir_x;
    float missY = toY - along * ray->dir_y;
    float missZ = toZ - along * ray->dir_z;
    float inside = solid->lower[3] - ( missX * missX + missY * missY + missZ * missZ );
    if ( inside < 0.0f )
    {
        return;
    }
    float half = std::sqrt( inside );
    float enter = along - half;
    if ( along + half >= 0.0f && enter <= ray->tfar )
    {
        Report( arguments, Larger( enter, 0.0f ) );
    }
}

bool Build( void* stateIn, const benchQueryScene* scene )
{
    EmbreeState* state = static_cast<EmbreeState*>( stateIn );
    tbb::global_control limit( tbb::global_control::max_allowed_parallelism, state->threads );
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        Solid* solid = state->solids + i;
        for ( int axis = 0; axis < 3; ++axis )
        {
            solid->lower[axis] =
                scene->spheres != nullptr ? scene->spheres[i * 4 + axis] : scene->boxes[i * 6 + axis];
            solid->upper[axis] = scene->boxes[i * 6 + 3 + axis];
        }
        float radius = scene->spheres != nullptr ? scene->spheres[i * 4 + 3] : 0.0f;
        solid->lower[3] = radius * radius;
    }
    state->boxes = scene->boxes;
    rtcCommitGeometry( state->geometry );
    rtcCommitScene( state->scene );
    return rtcGetDeviceError( state->device ) == RTC_ERROR_NONE;
}

bool CastRays(
    void* stateIn, const benchQueryScene* scene, uint32_t begin, uint32_t end, benchAnswers* answers )
{
    const EmbreeState* state = static_cast<const EmbreeState*>( stateIn );
    // As the manual asks of every thread that calls.
    unsigned control = _mm_getcsr();
    _mm_setcsr( control | 0x8040 ); // flush to zero, denormals are zero
    for ( uint32_t i = begin; i < end; ++i )
    {
        const joRay* ray = scene->rays + i;
        RayContext context;
        rtcInitIntersectContext( &context.base );
        for ( int axis = 0; axis < 3; ++axis )
        {
            context.inverse[axis] = 1.0f / ray->direction[axis];
        }
        RTCRayHit rayHit;
        rayHit.ray = RTCRay{ ray->origin[0], ray->origin[1], ray->origin[2], 0.0f, ray->direction[0],
            ray->direction[1], ray->direction[2], 0.0f, ray->length, ~0u, 0, 0 };
        rayHit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rayHit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1( state->scene, &context.base, &rayHit );
        answers->counts[i] = rayHit.hit.geomID != RTC_INVALID_GEOMETRY_ID ? 1 : 0;
        answers->hits[i] = joHit{ rayHit.hit.primID, rayHit.ray.tfar };
    }
    _mm_setcsr( control );
    return rtcGetDeviceError( state->device ) == RTC_ERROR_NONE;
}

void Destroy( void* stateIn )
{
    EmbreeState* state = static_cast<EmbreeState*>( stateIn );
    rtcReleaseGeometry( state->geometry );
    rtcReleaseScene( state->scene );
    rtcReleaseDevice( state->device );
    delete[] state->solids;
    delete state;
}

void AddVariant( benchField* field, const benchQueryScene* scene, uint32_t threads, const char* kind,
    RTCBuildQuality quality )
{
    char config[64];
    std::snprintf( config, sizeof( config ), "threads=%u", threads );
    EmbreeState* state = new EmbreeState();
    state->device = rtcNewDevice( config );
    if ( state->device == nullptr )
    {
        std::fprintf(
            stderr, "jostle-bench: Embree does not start (error %d)\n", (int)rtcGetDeviceError( nullptr ) );
        std::exit( 3 );
    }
    state->threads = threads;
    state->solids = new Solid[scene->count];
    state->scene = rtcNewScene( state->device );
    rtcSetSceneBuildQuality( state->scene, quality );
    state->geometry = rtcNewGeometry( state->device, RTC_GEOMETRY_TYPE_USER );
    rtcSetGeometryBuildQuality( state->geometry, quality );
    rtcSetGeometryUserPrimitiveCount( state->geometry, scene->count );
    rtcSetGeometryUserData( state->geometry, state );
    rtcSetGeometryBoundsFunction( state->geometry, GetBounds, nullptr );
    rtcSetGeometryIntersectFunction(
        state->geometry, scene->spheres != nullptr ? IntersectSphere : IntersectBox );
    rtcAttachGeometry( state->scene, state->geometry );
    benchContestant* contestant = benchAddContestant( field, "Embree", RTC_VERSION_STRING, kind );
    contestant->isa = benchEmbreeIsa( state->device );
    contestant->threads = threads;
    contestant->state = state;
    contestant->build = Build;
    contestant->answer = CastRays;
    contestant->destroy = Destroy;
}

} // namespace

void benchAddEmbreeRays( benchField* field, const benchQueryScene* scene, uint32_t threads )
{
    AddVariant( field, scene, threads, "intersect1", RTC_BUILD_QUALITY_MEDIUM );
    AddVariant( field, scene, threads, "intersect1 high", RTC_BUILD_QUALITY_HIGH );
}
