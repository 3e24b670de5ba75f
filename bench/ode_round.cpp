// SPDX-License-Identifier: MIT
// ODE in the races of spheres and capsules: dCollide for up to two points, on geoms placed before.
#include "contestant.h"

#include "pair_scene.h"

#include <ode/ode.h>

#include <cstring>
#include <vector>

namespace
{

struct Touched
{
    joPair pair;
    float depth;
};

struct State
{
    std::vector<dGeomID> geoms;
    std::vector<Touched> found;
    std::vector<dContactGeom> contacts; // of all pairs that touch
};

bool Place( void* stateIn, const benchPairScene* scene )
{
    State* state = static_cast<State*>( stateIn );
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        const joTransform3& pose = scene->poses[i];
        const dQuaternion q = { pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z };
        dGeomSetPosition( state->geoms[i], pose.position.x, pose.position.y, pose.position.z );
        dGeomSetQuaternion( state->geoms[i], q );
    }
    return true;
}

bool Touch( void* stateIn, const benchPairScene* scene )
{
    State* state = static_cast<State*>( stateIn );
    state->found.clear();
    state->contacts.clear();
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        dContactGeom contacts[2];
        const int count = dCollide(
            state->geoms[pair.a], state->geoms[pair.b], 2, contacts, int( sizeof( dContactGeom ) ) );
        if ( count > 0 )
        {
            const dReal depth =
                count == 2 && contacts[1].depth > contacts[0].depth ? contacts[1].depth : contacts[0].depth;
            state->found.push_back( { pair, float( depth ) } );
            state->contacts.insert( state->contacts.end(), contacts, contacts + count );
        }
    }
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
    for ( dGeomID geom : state->geoms )
    {
        dGeomDestroy( geom );
    }
    delete state;
    dCloseODE();
}

} // namespace

void benchAddOdeRound( benchField* field, const benchPairScene* scene, uint32_t threads )
{
    if ( threads != 1 )
    {
        return;
    }
    dInitODE2( 0 );
    State* state = new State;
    state->found.reserve( scene->pairCount );
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        const joShape3& shape = scene->shapes[i];
        const bool isSphere = shape.kind == jo_sphereShape3;
        // A capsule of ODE lies along z, as those of the scene do; its length is that of the core.
        state->geoms.push_back(
            isSphere ? dCreateSphere( nullptr, shape.sphere.radius )
                     : dCreateCapsule( nullptr, shape.capsule.radius, 2 * shape.capsule.b.z ) );
    }
    const char* configuration = std::strstr( dGetConfiguration(), "double" );
    benchContestant* contestant =
        benchAddContestant( field, "ODE", configuration != nullptr ? "double" : "single", "dCollide" );
    contestant->state = state;
    contestant->place = Place;
    contestant->touch = Touch;
    contestant->collectTouches = Collect;
    contestant->destroy = Destroy;
}
