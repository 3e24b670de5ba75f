// SPDX-License-Identifier: MIT
// Embree 3 (Intel) in a race of queries: boxes, spheres or points as user geometry of a static scene. (A
// build of high quality differs for triangles only.)
// - Rays: rtcIntersect1 for each ray with a context for incoherent rays, as its manual says for rays without
// order. The
//   callback tests in float what rays are asked for: the first touch of a solid box or sphere, 0 from inside.
//   What the tests need of a ray alone is computed once and travels in the context, which the manual allows
//   to be extended.
// - Nearest: rtcPointQuery; the callback keeps the nearest in order and shrinks the query's radius to the
// last.
// - Overlaps: Embree has no query by box, but collides scenes: the queries are a second one, built at low
// quality when
//   they are asked (in the timed part). Leaves are single boxes with exact bounds, compared closed (see
//   embree.cpp).
#include "contestant.h"
#include "embree_isa.h"

#include <tbb/global_control.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
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
    bool areRound;
    const float* boxes;
    RTCScene queryScene; // of overlaps, else null
    RTCGeometry queryGeometry;
    const float* queryBoxes;
    uint32_t threads;
};

// The user pointer is where the boxes are to be found.
void GetBounds( const RTCBoundsFunctionArguments* arguments )
{
    const float* box =
        *static_cast<const float* const*>( arguments->geometryUserPtr ) + (size_t)arguments->primID * 6;
    arguments->bounds_o->lower_x = box[0];
    arguments->bounds_o->lower_y = box[1];
    arguments->bounds_o->lower_z = box[2];
    arguments->bounds_o->upper_x = box[3];
    arguments->bounds_o->upper_y = box[4];
    arguments->bounds_o->upper_z = box[5];
}

const EmbreeState* StateOf( const void* boxes )
{
    return reinterpret_cast<const EmbreeState*>(
        static_cast<const char*>( boxes ) - offsetof( EmbreeState, boxes ) );
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
    const EmbreeState* state = StateOf( arguments->geometryUserPtr );
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
    const EmbreeState* state = StateOf( arguments->geometryUserPtr );
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

// The nearest so far, by squared distance.
struct Nearest
{
    const EmbreeState* state;
    uint32_t count;
    uint32_t keys[BENCH_NEAREST_COUNT];
    float squares[BENCH_NEAREST_COUNT];
};

float SquareOfGap( const EmbreeState* state, uint32_t key, const RTCPointQuery* query )
{
    const float* lower = state->solids[key].lower;
    const float* upper = state->solids[key].upper;
    const float* point = &query->x;
    float sum = 0.0f;
    for ( int axis = 0; axis < 3; ++axis )
    {
        float gap = Larger( Larger( lower[axis] - point[axis], point[axis] - upper[axis] ), 0.0f );
        sum += gap * gap;
    }
    return sum;
}

bool TakeNearest( RTCPointQueryFunctionArguments* arguments )
{
    Nearest* nearest = static_cast<Nearest*>( arguments->userPtr );
    float square = SquareOfGap( nearest->state, arguments->primID, arguments->query );
    if ( nearest->count == BENCH_NEAREST_COUNT && square >= nearest->squares[BENCH_NEAREST_COUNT - 1] )
    {
        return false;
    }
    uint32_t place = nearest->count < BENCH_NEAREST_COUNT ? nearest->count++ : BENCH_NEAREST_COUNT - 1;
    for ( ; place > 0 && nearest->squares[place - 1] > square; --place )
    {
        nearest->squares[place] = nearest->squares[place - 1];
        nearest->keys[place] = nearest->keys[place - 1];
    }
    nearest->squares[place] = square;
    nearest->keys[place] = arguments->primID;
    if ( nearest->count < BENCH_NEAREST_COUNT )
    {
        return false;
    }
    arguments->query->radius = std::sqrt( nearest->squares[BENCH_NEAREST_COUNT - 1] );
    return true;
}

bool FindNearest(
    void* stateIn, const benchQueryScene* scene, uint32_t begin, uint32_t end, benchAnswers* answers )
{
    const EmbreeState* state = static_cast<const EmbreeState*>( stateIn );
    for ( uint32_t i = begin; i < end; ++i )
    {
        const float* point = scene->points + (size_t)i * 3;
        RTCPointQuery query = { point[0], point[1], point[2], 0.0f, INFINITY };
        RTCPointQueryContext context;
        rtcInitPointQueryContext( &context );
        Nearest nearest;
        nearest.state = state;
        nearest.count = 0;
        rtcPointQuery( state->scene, &query, &context, TakeNearest, &nearest );
        answers->counts[i] = nearest.count;
        for ( uint32_t j = 0; j < nearest.count; ++j )
        {
            answers->hits[(size_t)i * BENCH_NEAREST_COUNT + j] =
                joHit{ nearest.keys[j], std::sqrt( nearest.squares[j] ) };
        }
    }
    return rtcGetDeviceError( state->device ) == RTC_ERROR_NONE;
}

struct OverlapContext
{
    const EmbreeState* state;
    benchAnswers* answers;
    uint32_t answersEach;
};

bool Touches( const EmbreeState* state, uint32_t query, uint32_t key )
{
    const float* box = state->queryBoxes + (size_t)query * 6;
    const float* centre = state->solids[key].lower;
    float sum = 0.0f;
    for ( int axis = 0; axis < 3; ++axis )
    {
        float gap = Larger( Larger( box[axis] - centre[axis], centre[axis] - box[3 + axis] ), 0.0f );
        sum += gap * gap;
    }
    return sum <= centre[3];
}

// From all of TBB's threads at once.
void TakeOverlaps( void* contextIn, RTCCollision* collisions, unsigned count )
{
    const OverlapContext* context = static_cast<const OverlapContext*>( contextIn );
    const EmbreeState* state = context->state;
    for ( unsigned i = 0; i < count; ++i )
    {
        uint32_t query = collisions[i].primID0;
        uint32_t key = collisions[i].primID1;
        if ( state->areRound && !Touches( state, query, key ) )
        {
            continue;
        }
        uint32_t* counter = context->answers->counts + query;
        uint32_t place =
            state->threads == 1 ? ( *counter )++ : __atomic_fetch_add( counter, 1u, __ATOMIC_RELAXED );
        if ( place < context->answersEach )
        {
            context->answers->keys[(size_t)query * context->answersEach + place] = key;
        }
    }
}

bool Overlap( void* stateIn, const benchQueryScene* scene, uint32_t queryCount, benchAnswers* answers )
{
    EmbreeState* state = static_cast<EmbreeState*>( stateIn );
    tbb::global_control limit( tbb::global_control::max_allowed_parallelism, state->threads );
    OverlapContext context = { state, answers, scene->answersEach };
    std::memset( answers->counts, 0, queryCount * sizeof( uint32_t ) );
    state->queryBoxes = scene->queryBoxes;
    rtcSetGeometryUserPrimitiveCount( state->queryGeometry, queryCount );
    rtcCommitGeometry( state->queryGeometry );
    rtcCommitScene( state->queryScene );
    rtcCollide( state->queryScene, state->scene, TakeOverlaps, &context );
    return rtcGetDeviceError( state->device ) == RTC_ERROR_NONE;
}

void Destroy( void* stateIn )
{
    EmbreeState* state = static_cast<EmbreeState*>( stateIn );
    rtcReleaseGeometry( state->geometry );
    rtcReleaseScene( state->scene );
    if ( state->queryScene != nullptr )
    {
        rtcReleaseGeometry( state->queryGeometry );
        rtcReleaseScene( state->queryScene );
    }
    rtcReleaseDevice( state->device );
    delete[] state->solids;
    delete state;
}

RTCGeometry MakeGeometry(
    EmbreeState* state, RTCScene scene, RTCBuildQuality quality, uint32_t count, const float** boxes )
{
    RTCGeometry geometry = rtcNewGeometry( state->device, RTC_GEOMETRY_TYPE_USER );
    rtcSetGeometryBuildQuality( geometry, quality );
    rtcSetGeometryUserPrimitiveCount( geometry, count );
    rtcSetGeometryUserData( geometry, boxes );
    rtcSetGeometryBoundsFunction( geometry, GetBounds, nullptr );
    rtcSetGeometryIntersectFunction( geometry, state->areRound ? IntersectSphere : IntersectBox );
    rtcSetSceneBuildQuality( scene, quality );
    rtcAttachGeometry( scene, geometry );
    return geometry;
}

EmbreeState* CreateState( const benchQueryScene* scene, uint32_t threads )
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
    state->areRound = scene->spheres != nullptr;
    state->solids = new Solid[scene->count];
    state->scene = rtcNewScene( state->device );
    state->geometry =
        MakeGeometry( state, state->scene, RTC_BUILD_QUALITY_MEDIUM, scene->count, &state->boxes );
    if ( scene->queryBoxes != nullptr )
    {
        state->queryScene = rtcNewScene( state->device );
        state->queryGeometry =
            MakeGeometry( state, state->queryScene, RTC_BUILD_QUALITY_LOW, 0, &state->queryBoxes );
    }
    return state;
}

} // namespace

void benchAddEmbreeQueries( benchField* field, const benchQueryScene* scene, uint32_t threads )
{
    const char* kind = scene->rays != nullptr     ? "intersect1"
                       : scene->points != nullptr ? "point query"
                                                  : "collide";
    EmbreeState* state = CreateState( scene, threads );
    benchContestant* contestant = benchAddContestant( field, "Embree", RTC_VERSION_STRING, kind );
    contestant->isa = benchEmbreeIsa( state->device );
    contestant->threads = threads;
    contestant->state = state;
    contestant->build = Build;
    contestant->answer = scene->rays != nullptr ? CastRays : FindNearest;
    contestant->answerAll = scene->queryBoxes != nullptr ? Overlap : nullptr;
    contestant->destroy = Destroy;
}
