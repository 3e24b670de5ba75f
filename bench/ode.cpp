// SPDX-License-Identifier: MIT
// ODE in the races of boxes: dBoxTouchesBox and, by another row, dBoxBox (hits), dBoxBox for one point
// (depths) or four (points), on positions and matrices made before; where boxes move they are made in the
// timed part. obb-world: geoms in a sweep and prune space and in a hash space, dSpaceCollide, dBoxBox in the
// callback.
#include "contestant.h"

#include "box_scene.h"

#include <ode/ode.h>

#include <cstring>
#include <vector>

namespace
{

struct Box
{
    dVector3 center;
    dMatrix3 rotation;
    dVector3 sides;
};

struct Touched
{
    joPair pair;
    float depth;
};

struct State
{
    std::vector<Box> boxes;
    std::vector<Touched> found;
    std::vector<dContactGeom> contacts; // of all pairs that touch
    bool onlyTouches = false;           // dBoxTouchesBox, which is for hits
    dSpaceID space = nullptr;
    std::vector<dGeomID> geoms;
};

void SetBox( Box& box, const benchPairScene* scene, uint32_t i )
{
    const joTransform3& pose = scene->poses[i];
    const dQuaternion q = { pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z };
    const joVec3 half = scene->shapes[i].box.halfExtents;
    dRfromQ( box.rotation, q );
    const float* position = &pose.position.x;
    const float* extents = &half.x;
    for ( int k = 0; k < 3; ++k )
    {
        box.center[k] = dReal( position[k] );
        box.sides[k] = dReal( 2.0f * extents[k] );
    }
}

bool Place( void* stateIn, const benchPairScene* scene )
{
    State* state = static_cast<State*>( stateIn );
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        SetBox( state->boxes[i], scene, i );
    }
    return true;
}

void CollidePair( State* state, const benchPairScene* scene, joPair pair )
{
    const Box &a = state->boxes[pair.a], &b = state->boxes[pair.b];
    if ( state->onlyTouches )
    {
        if ( dBoxTouchesBox( a.center, a.rotation, a.sides, b.center, b.rotation, b.sides ) )
        {
            state->found.push_back( { pair, 0.0f } );
        }
        return;
    }
    const int most = scene->question == bench_askPoints ? 4 : 1;
    dVector3 normal;
    dReal depth;
    int code;
    dContactGeom contacts[4];
    const int count = dBoxBox( a.center, a.rotation, a.sides, b.center, b.rotation, b.sides, normal, &depth,
        &code, most, contacts, int( sizeof( dContactGeom ) ) );
    if ( count > 0 )
    {
        state->found.push_back( { pair, float( depth ) } );
        if ( scene->question != bench_askHits )
        {
            state->contacts.insert( state->contacts.end(), contacts, contacts + count );
        }
    }
}

bool Touch( void* stateIn, const benchPairScene* scene )
{
    State* state = static_cast<State*>( stateIn );
    state->found.clear();
    state->contacts.clear();
    if ( scene->velocities != nullptr )
    {
        Place( state, scene );
    }
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        CollidePair( state, scene, scene->pairs[i] );
    }
    return true;
}

struct Callback
{
    State* state;
    const benchPairScene* scene;
};

void Near( void* data, dGeomID one, dGeomID two )
{
    const Callback* callback = static_cast<const Callback*>( data );
    const uint32_t a = uint32_t( uintptr_t( dGeomGetData( one ) ) ),
                   b = uint32_t( uintptr_t( dGeomGetData( two ) ) );
    const joPair pair = { a < b ? a : b, a < b ? b : a };
    CollidePair( callback->state, callback->scene, pair );
}

bool TouchWorld( void* stateIn, const benchPairScene* scene )
{
    State* state = static_cast<State*>( stateIn );
    state->found.clear();
    state->contacts.clear();
    Place( state, scene );
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        const Box& box = state->boxes[i];
        dGeomSetPosition( state->geoms[i], box.center[0], box.center[1], box.center[2] );
        dGeomSetRotation( state->geoms[i], box.rotation );
    }
    Callback callback = { state, scene };
    dSpaceCollide( state->space, &callback, Near );
    return true;
}

void Collect( void* stateIn, const benchPairScene*, benchTouches* touches )
{
    for ( const Touched& touched : static_cast<State*>( stateIn )->found )
    {
        benchPushTouch( touches, touched.pair, touched.depth );
    }
}

void Destroy( void* stateIn )
{
    State* state = static_cast<State*>( stateIn );
    if ( state->space != nullptr )
    {
        dSpaceDestroy( state->space ); // and its geoms
    }
    delete state;
    dCloseODE();
}

State* Add( benchField* field, const benchPairScene* scene, const char* kind )
{
    dInitODE2( 0 );
    State* state = new State;
    state->boxes.resize( scene->bodyCount );
    state->found.reserve( scene->pairCount );
    const char* configuration = std::strstr( dGetConfiguration(), "double" );
    benchContestant* contestant =
        benchAddContestant( field, "ODE", configuration != nullptr ? "double" : "single", kind );
    contestant->state = state;
    contestant->place = Place;
    contestant->touch = Touch;
    contestant->collectTouches = Collect;
    contestant->destroy = Destroy;
    return state;
}

void AddWorld( benchField* field, const benchPairScene* scene, const char* kind, dSpaceID space )
{
    State* state = Add( field, scene, kind );
    field->contestants[field->count - 1].touch = TouchWorld;
    state->space = space;
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        const joVec3 half = scene->shapes[i].box.halfExtents;
        dGeomID geom =
            dCreateBox( space, dReal( 2.0f * half.x ), dReal( 2.0f * half.y ), dReal( 2.0f * half.z ) );
        dGeomSetData( geom, reinterpret_cast<void*>( uintptr_t( i ) ) );
        state->geoms.push_back( geom );
    }
}

} // namespace

void benchAddOde( benchField* field, const benchPairScene* scene, uint32_t threads )
{
    if ( threads != 1 )
    {
        return;
    }
    if ( scene->pairs != nullptr )
    {
        if ( scene->question == bench_askHits )
        {
            Add( field, scene, "dBoxTouchesBox" )->onlyTouches = true;
        }
        Add( field, scene, "dBoxBox" );
        return;
    }
    dInitODE2( 0 );
    AddWorld( field, scene, "hash space", dHashSpaceCreate( nullptr ) );
    AddWorld( field, scene, "sweep and prune", dSweepAndPruneSpaceCreate( nullptr, dSAP_AXES_XYZ ) );
}
