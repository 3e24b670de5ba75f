// SPDX-License-Identifier: MIT
// Embree 3 (Intel): boxes as user geometry, rtcCollide of a scene with itself. Embree descends from the pair
// (root, root) without a case of its own for equal nodes, so each pair comes in both orders, and the callback
// takes one of them.
//
// Three ways to bring a frame's boxes in, each a row, since which is best depends on size and motion:
// - morton: build from scratch, scene and geometry of low quality: the manual's advice for scenes that change
// wholly;
// - sah: build from scratch at medium quality: a slower build, a better tree;
// - refit: keep the first tree and refit its bounds: the manual's advice for small motion.
// The first two make leaves of one box with its exact bounds, and bounds are compared closed, so that what
// Embree reports are the pairs, and a test in the callback would only cost (the race compares hashes: this
// cannot be wrong unnoticed). The tree that is refitted has leaves of several boxes, which the callback must
// test, as the manual says.
//
// A device's "threads=N" is a wish to TBB that the largest of all devices wins, so while a contestant runs,
// TBB itself is held to its number; that it kept to it is checked.
#include "embree_isa.h"

#include "contestant.h"
#include "two_sets_scene.h"

#include <tbb/global_control.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <utility>

namespace
{

constexpr unsigned maxThreads = 64;

struct SceneSide
{
    RTCScene scene;
    RTCGeometry geometry;
    uint32_t* ids; // primitive to index of box; null: it is that
    const float* boxes;
    uint32_t count;
};

struct EmbreeState
{
    RTCDevice device;
    SceneSide moving;
    SceneSide still; // scene null if all move
    // Embree calls back from all of its threads: each fills a list of its own, and these are joined in the
    // end.
    benchPairList lists[maxThreads];
    std::atomic<unsigned> listCount;
    unsigned token;
    uint32_t threads;
    bool test; // whether leaves hold several boxes, so that the callback must test them
};

struct CollideContext
{
    EmbreeState* state;
    const uint32_t* idsA; // null: primitives are numbered as the boxes
    const uint32_t* idsB;
    const float* boxes;
    const benchTwoSets* twoSets;
};

// Which list this thread fills, and in which frame of which contestant (tokens are never used twice).
thread_local unsigned threadToken;
thread_local unsigned threadList;
unsigned nextToken = 1;

benchPairList* ListOfThread( EmbreeState* state )
{
    if ( threadToken != state->token )
    {
        threadList = state->listCount.fetch_add( 1 );
        threadToken = state->token;
        if ( threadList >= maxThreads )
        {
            std::fprintf( stderr, "jostle-bench: Embree runs more than %u threads\n", maxThreads );
            std::exit( 3 );
        }
    }
    return &state->lists[threadList];
}

uint32_t BoxOf( const uint32_t* ids, unsigned primitive )
{
    return ids != nullptr ? ids[primitive] : primitive;
}

void Collect( const CollideContext* collide, benchPairList* pairs, RTCCollision collision )
{
    uint32_t a = BoxOf( collide->idsA, collision.primID0 );
    uint32_t b = BoxOf( collide->idsB, collision.primID1 );
    if ( !collide->state->test ||
         benchTouch( collide->boxes + (size_t)a * 6, collide->boxes + (size_t)b * 6 ) )
    {
        benchPushPair( pairs, a, b );
    }
}

void SelfCallback( void* context, RTCCollision* collisions, unsigned count )
{
    const CollideContext* collide = static_cast<const CollideContext*>( context );
    benchPairList* pairs = ListOfThread( collide->state );
    for ( unsigned i = 0; i < count; ++i )
    {
        if ( collisions[i].primID0 < collisions[i].primID1 )
        {
            Collect( collide, pairs, collisions[i] );
        }
    }
}

void BetweenCallback( void* context, RTCCollision* collisions, unsigned count )
{
    const CollideContext* collide = static_cast<const CollideContext*>( context );
    benchPairList* pairs = ListOfThread( collide->state );
    for ( unsigned i = 0; i < count; ++i )
    {
        Collect( collide, pairs, collisions[i] );
    }
}

// Whatever boxes a leaf holds: discs that touch have boxes that do.
void HitCallback( void* context, RTCCollision* collisions, unsigned count )
{
    const CollideContext* collide = static_cast<const CollideContext*>( context );
    benchPairList* pairs = ListOfThread( collide->state );
    for ( unsigned i = 0; i < count; ++i )
    {
        if ( benchIsHit( collide->twoSets, collisions[i].primID0, collisions[i].primID1 ) )
        {
            benchPushHit( pairs, collisions[i].primID0, collisions[i].primID1 );
        }
    }
}

void GetBounds( const RTCBoundsFunctionArguments* arguments )
{
    const SceneSide* side = static_cast<const SceneSide*>( arguments->geometryUserPtr );
    const float* box = side->boxes + (size_t)BoxOf( side->ids, arguments->primID ) * 6;
    arguments->bounds_o->lower_x = box[0];
    arguments->bounds_o->lower_y = box[1];
    arguments->bounds_o->lower_z = box[2];
    arguments->bounds_o->upper_x = box[3];
    arguments->bounds_o->upper_y = box[4];
    arguments->bounds_o->upper_z = box[5];
}

// rtcCollide asks that the geometry has a function to intersect with; nothing is ever shot here.
void IntersectNothing( const RTCIntersectFunctionNArguments* arguments )
{
    (void)arguments;
}

bool Failed( EmbreeState* state )
{
    RTCError error = rtcGetDeviceError( state->device );
    if ( error != RTC_ERROR_NONE )
    {
        std::fprintf( stderr, "jostle-bench: Embree error %d\n", (int)error );
    }
    return error != RTC_ERROR_NONE;
}

void CreateSide( EmbreeState* state, SceneSide* side, RTCSceneFlags flags, RTCBuildQuality sceneQuality,
    RTCBuildQuality geometryQuality )
{
    side->scene = rtcNewScene( state->device );
    rtcSetSceneFlags( side->scene, flags );
    rtcSetSceneBuildQuality( side->scene, sceneQuality );
    side->geometry = rtcNewGeometry( state->device, RTC_GEOMETRY_TYPE_USER );
    rtcSetGeometryBuildQuality( side->geometry, geometryQuality );
    rtcSetGeometryUserPrimitiveCount( side->geometry, side->count );
    rtcSetGeometryUserData( side->geometry, side );
    rtcSetGeometryBoundsFunction( side->geometry, GetBounds, nullptr );
    rtcSetGeometryIntersectFunction( side->geometry, IntersectNothing );
    rtcCommitGeometry( side->geometry );
    rtcAttachGeometry( side->scene, side->geometry );
}

// The first list becomes the answer without a copy; with one thread there is no other.
bool JoinLists( EmbreeState* state, benchPairList* pairs )
{
    unsigned listCount = state->listCount;
    std::swap( *pairs, state->lists[0] );
    state->lists[0].count = 0;
    for ( unsigned i = 1; i < listCount; ++i )
    {
        benchPairList* list = &state->lists[i];
        if ( list->count == 0 )
        {
            continue;
        }
        benchReservePairs( pairs, pairs->count + list->count );
        std::memcpy( pairs->data + pairs->count, list->data, size_t( list->count ) * sizeof( joPair ) );
        pairs->count += list->count;
        list->count = 0;
    }
    if ( listCount > state->threads )
    {
        std::fprintf( stderr, "jostle-bench: Embree ran %u threads, not %u\n", listCount, state->threads );
    }
    return listCount <= state->threads;
}

bool Frame( void* stateIn, const benchScene* scene, benchPairList* pairs )
{
    EmbreeState* state = static_cast<EmbreeState*>( stateIn );
    tbb::global_control limit( tbb::global_control::max_allowed_parallelism, state->threads );
    state->token = nextToken++;
    state->listCount = 0;
    rtcCommitGeometry( state->moving.geometry );
    rtcCommitScene( state->moving.scene );
    bool all = state->still.scene == nullptr;
    CollideContext context = { state, nullptr, nullptr, scene->boxes, nullptr };
    if ( !all )
    {
        context.idsA = state->moving.ids;
        context.idsB = state->moving.ids;
    }
    rtcCollide( state->moving.scene, state->moving.scene, SelfCallback, &context );
    if ( !all )
    {
        context.idsB = state->still.ids;
        rtcCollide( state->moving.scene, state->still.scene, BetweenCallback, &context );
    }
    return JoinLists( state, pairs ) && !Failed( state );
}

// Bullets are `moving`, enemies `still`; both move.
bool TwoSetsFrame( void* stateIn, const benchScene* scene, benchPairList* pairs )
{
    EmbreeState* state = static_cast<EmbreeState*>( stateIn );
    tbb::global_control limit( tbb::global_control::max_allowed_parallelism, state->threads );
    state->token = nextToken++;
    state->listCount = 0;
    for ( SceneSide* side : { &state->moving, &state->still } )
    {
        rtcCommitGeometry( side->geometry );
        rtcCommitScene( side->scene );
    }
    CollideContext context = { state, nullptr, nullptr, nullptr, scene->twoSets };
    rtcCollide( state->moving.scene, state->still.scene, HitCallback, &context );
    return JoinLists( state, pairs ) && !Failed( state );
}

void DestroySide( SceneSide* side )
{
    if ( side->scene != nullptr )
    {
        rtcReleaseGeometry( side->geometry );
        rtcReleaseScene( side->scene );
    }
    std::free( side->ids );
}

void Destroy( void* stateIn )
{
    EmbreeState* state = static_cast<EmbreeState*>( stateIn );
    DestroySide( &state->moving );
    DestroySide( &state->still );
    rtcReleaseDevice( state->device );
    for ( unsigned i = 0; i < maxThreads; ++i )
    {
        std::free( state->lists[i].data );
    }
    delete state;
}

// Puts each box to the side it belongs to: those that never move have a scene of their own, built once and
// well.
void DivideBoxes( EmbreeState* state, const benchScene* scene )
{
    state->moving.boxes = scene->boxes;
    state->still.boxes = scene->boxes;
    state->moving.ids = static_cast<uint32_t*>( benchAllocate( scene->count, sizeof( uint32_t ) ) );
    state->still.ids = static_cast<uint32_t*>( benchAllocate( scene->stillCount, sizeof( uint32_t ) ) );
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        SceneSide* side = scene->motion[i] == jo_moving ? &state->moving : &state->still;
        side->ids[side->count++] = i;
    }
}

} // namespace

const char* benchEmbreeIsa( RTCDevice device )
{
    if ( rtcGetDeviceProperty( device, RTC_DEVICE_PROPERTY_NATIVE_RAY16_SUPPORTED ) != 0 )
    {
        return "avx512";
    }
    return rtcGetDeviceProperty( device, RTC_DEVICE_PROPERTY_NATIVE_RAY8_SUPPORTED ) != 0 ? "avx2" : "sse";
}

namespace
{

EmbreeState* CreateState( uint32_t threads, RTCBuildQuality geometryQuality )
{
    char config[64];
    std::snprintf( config, sizeof( config ), "threads=%u", threads );
    RTCDevice device = rtcNewDevice( config );
    if ( device == nullptr )
    {
        std::fprintf(
            stderr, "jostle-bench: Embree does not start (error %d)\n", (int)rtcGetDeviceError( nullptr ) );
        std::exit( 3 );
    }
    EmbreeState* state = new EmbreeState();
    state->device = device;
    state->threads = threads;
    state->test = geometryQuality == RTC_BUILD_QUALITY_REFIT;
    return state;
}

void AddContestant( benchField* field, EmbreeState* state, const char* kind,
    bool ( *frame )( void*, const benchScene*, benchPairList* ) )
{
    benchContestant* contestant = benchAddContestant( field, "Embree", RTC_VERSION_STRING, kind );
    contestant->isa = benchEmbreeIsa( state->device );
    contestant->threads = state->threads;
    contestant->state = state;
    contestant->frame = frame;
    contestant->destroy = Destroy;
}

void AddVariant( benchField* field, const benchScene* scene, uint32_t threads, const char* kind,
    RTCBuildQuality sceneQuality, RTCBuildQuality geometryQuality )
{
    EmbreeState* state = CreateState( threads, geometryQuality );
    DivideBoxes( state, scene );
    CreateSide( state, &state->moving, RTC_SCENE_FLAG_DYNAMIC, sceneQuality, geometryQuality );
    if ( scene->stillCount > 0 )
    {
        CreateSide(
            state, &state->still, RTC_SCENE_FLAG_NONE, RTC_BUILD_QUALITY_MEDIUM, RTC_BUILD_QUALITY_MEDIUM );
        rtcCommitScene( state->still.scene );
    }
    AddContestant( field, state, kind, Frame );
}

void AddTwoSetsVariant( benchField* field, const benchTwoSets* twoSets, uint32_t threads, const char* kind,
    RTCBuildQuality sceneQuality, RTCBuildQuality geometryQuality )
{
    EmbreeState* state = CreateState( threads, geometryQuality );
    state->moving.boxes = twoSets->bulletBoxes;
    state->moving.count = twoSets->bullets->count;
    state->still.boxes = twoSets->enemyBoxes;
    state->still.count = twoSets->enemies->count;
    for ( SceneSide* side : { &state->moving, &state->still } )
    {
        CreateSide( state, side, RTC_SCENE_FLAG_DYNAMIC, sceneQuality, geometryQuality );
    }
    AddContestant( field, state, kind, TwoSetsFrame );
}

} // namespace

void benchAddEmbree( benchField* field, const benchScene* scene, uint32_t threads )
{
    AddVariant( field, scene, threads, "morton", RTC_BUILD_QUALITY_LOW, RTC_BUILD_QUALITY_LOW );
    AddVariant( field, scene, threads, "sah", RTC_BUILD_QUALITY_MEDIUM, RTC_BUILD_QUALITY_MEDIUM );
    AddVariant( field, scene, threads, "refit", RTC_BUILD_QUALITY_LOW, RTC_BUILD_QUALITY_REFIT );
}

void benchAddEmbreeTwoSets( benchField* field, const benchScene* scene, uint32_t threads )
{
    const benchTwoSets* twoSets = scene->twoSets;
    AddTwoSetsVariant( field, twoSets, threads, "morton", RTC_BUILD_QUALITY_LOW, RTC_BUILD_QUALITY_LOW );
    AddTwoSetsVariant( field, twoSets, threads, "sah", RTC_BUILD_QUALITY_MEDIUM, RTC_BUILD_QUALITY_MEDIUM );
    AddTwoSetsVariant( field, twoSets, threads, "refit", RTC_BUILD_QUALITY_LOW, RTC_BUILD_QUALITY_REFIT );
}
