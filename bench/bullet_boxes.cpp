// SPDX-License-Identifier: MIT
// Bullet in the races of boxes: btBoxBoxDetector, which is after ODE's, on shapes without a margin and
// transforms made before; where boxes move the transforms are made in the timed part. It answers with points,
// whatever is asked.
#include "contestant.h"

#include "box_scene.h"

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <LinearMath/btAlignedObjectArray.h>

#include <cstdio>
#include <vector>

namespace
{

struct Touched
{
    joPair pair;
    float depth;
};

struct Points : btDiscreteCollisionDetectorInterface::Result
{
    std::vector<btVector3>* points;
    btScalar deepest;
    int count;

    void setShapeIdentifiersA( int, int ) override
    {
    }
    void setShapeIdentifiersB( int, int ) override
    {
    }
    void addContactPoint( const btVector3&, const btVector3& pointInWorld, btScalar depth ) override
    {
        points->push_back( pointInWorld );
        deepest = count == 0 || depth < deepest ? depth : deepest;
        count += 1;
    }
};

struct State
{
    std::vector<btBoxShape*> shapes;
    btAlignedObjectArray<btTransform> transforms;
    std::vector<Touched> found;
    std::vector<btVector3> points;
};

bool Place( void* stateIn, const benchPairScene* scene )
{
    State* state = static_cast<State*>( stateIn );
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        const joTransform3& pose = scene->poses[i];
        state->transforms[int( i )] =
            btTransform( btQuaternion( pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w ),
                btVector3( pose.position.x, pose.position.y, pose.position.z ) );
    }
    return true;
}

bool Touch( void* stateIn, const benchPairScene* scene )
{
    State* state = static_cast<State*>( stateIn );
    state->found.clear();
    state->points.clear();
    if ( scene->velocities != nullptr )
    {
        Place( state, scene );
    }
    Points result;
    result.points = &state->points;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        btBoxBoxDetector detector( state->shapes[pair.a], state->shapes[pair.b] );
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        input.m_transformA = state->transforms[int( pair.a )];
        input.m_transformB = state->transforms[int( pair.b )];
        result.count = 0;
        detector.getClosestPoints( input, result, nullptr );
        if ( result.count > 0 )
        {
            state->found.push_back( { pair, -result.deepest } );
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
    for ( btBoxShape* shape : state->shapes )
    {
        delete shape;
    }
    delete state;
}

} // namespace

void benchAddBulletBoxes( benchField* field, const benchPairScene* scene, uint32_t threads )
{
    if ( threads != 1 || scene->pairs == nullptr || scene->question == bench_askHits )
    {
        return;
    }
    State* state = new State;
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        const joVec3 half = scene->shapes[i].box.halfExtents;
        btBoxShape* shape = new btBoxShape( btVector3( half.x, half.y, half.z ) );
        state->shapes.push_back( shape );
    }
    state->transforms.resize( int( scene->bodyCount ) );
    char version[32];
    std::snprintf( version, sizeof( version ), "%d.%02d", btGetVersion() / 100, btGetVersion() % 100 );
    benchContestant* contestant = benchAddContestant( field, "Bullet", version, "btBoxBoxDetector" );
    contestant->state = state;
    contestant->place = Place;
    contestant->touch = Touch;
    contestant->collectTouches = Collect;
    contestant->destroy = Destroy;
}
