// SPDX-License-Identifier: MIT
// Bullet in the races of hulls, on btConvexHullShape without a margin (with one it would answer for rounded
// hulls) and transforms made before: btGjkPairDetector with btGjkEpaPenetrationDepthSolver, as its dispatcher
// drives it, and the solver behind it, btGjkEpaSolver2, by itself.
#include "contestant.h"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <LinearMath/btAlignedObjectArray.h>

#include <cstdio>
#include <vector>

namespace
{

struct Nearest : btDiscreteCollisionDetectorInterface::Result
{
    btScalar distance;
    bool isThere;

    void setShapeIdentifiersA( int, int ) override
    {
    }
    void setShapeIdentifiersB( int, int ) override
    {
    }
    void addContactPoint( const btVector3&, const btVector3&, btScalar depth ) override
    {
        distance = depth;
        isThere = true;
    }
};

struct State
{
    std::vector<btConvexHullShape*> hulls;
    btAlignedObjectArray<btTransform> transforms;
    std::vector<benchTouchedPair> found;
    uint32_t foundCount;
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

// A distance, negative where they overlap, is kept if it is asked for.
void Keep( State* state, const benchPairScene* scene, joPair pair, btScalar distance )
{
    const bool touches = distance <= 0.0f;
    if ( touches || scene->question == bench_askDistances )
    {
        benchTouchedPair touch = {};
        touch.pair = pair;
        touch.depth = scene->question == bench_askHits || ( touches && scene->question == bench_askDistances )
                          ? 0.0f
                          : -distance;
        state->found[state->foundCount++] = touch;
    }
}

bool RunDetector( void* stateIn, const benchPairScene* scene )
{
    State* state = static_cast<State*>( stateIn );
    state->foundCount = 0;
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver epa;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        btGjkPairDetector detector( state->hulls[scene->hullOfBody[pair.a]],
            state->hulls[scene->hullOfBody[pair.b]], &simplex, &epa );
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        input.m_transformA = state->transforms[int( pair.a )];
        input.m_transformB = state->transforms[int( pair.b )];
        Nearest nearest;
        nearest.isThere = false;
        detector.getClosestPoints( input, nearest, nullptr );
        if ( nearest.isThere )
        {
            Keep( state, scene, pair, nearest.distance );
        }
    }
    return true;
}

bool RunSolver( void* stateIn, const benchPairScene* scene )
{
    State* state = static_cast<State*>( stateIn );
    state->foundCount = 0;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        const btConvexHullShape *a = state->hulls[scene->hullOfBody[pair.a]],
                                *b = state->hulls[scene->hullOfBody[pair.b]];
        const btTransform &poseA = state->transforms[int( pair.a )],
                          &poseB = state->transforms[int( pair.b )];
        const btVector3 guess = poseB.getOrigin() - poseA.getOrigin();
        btGjkEpaSolver2::sResults results;
        if ( scene->question == bench_askDistances )
        {
            const bool isApart = btGjkEpaSolver2::Distance( a, poseA, b, poseB, guess, results );
            Keep( state, scene, pair, isApart ? results.distance : 0.0f );
        }
        else if ( btGjkEpaSolver2::Penetration( a, poseA, b, poseB, guess, results, false ) )
        {
            Keep( state, scene, pair, results.distance );
        }
    }
    return true;
}

void Collect( void* stateIn, const benchPairScene*, benchTouches* touches )
{
    const State* state = static_cast<State*>( stateIn );
    for ( uint32_t i = 0; i < state->foundCount; ++i )
    {
        benchPushTouchedPair( touches, &state->found[i] );
    }
}

void Destroy( void* stateIn )
{
    State* state = static_cast<State*>( stateIn );
    for ( btConvexHullShape* hull : state->hulls )
    {
        delete hull;
    }
    delete state;
}

void Add( benchField* field, const benchPairScene* scene, const char* kind,
    bool ( *touch )( void*, const benchPairScene* ) )
{
    State* state = new State;
    for ( uint32_t i = 0; i < scene->hullCount; ++i )
    {
        btConvexHullShape* shape = new btConvexHullShape;
        for ( uint32_t k = 0; k < joHull3_GetVertexCount( scene->hulls[i] ); ++k )
        {
            const joVec3 vertex = joHull3_GetVertex( scene->hulls[i], k );
            shape->addPoint( btVector3( vertex.x, vertex.y, vertex.z ), false );
        }
        shape->setMargin( 0.0f );
        shape->recalcLocalAabb();
        state->hulls.push_back( shape );
    }
    state->transforms.resize( int( scene->bodyCount ) );
    state->found.resize( scene->pairCount + 1 );
    char version[32];
    std::snprintf( version, sizeof( version ), "%d.%02d", btGetVersion() / 100, btGetVersion() % 100 );
    benchContestant* contestant = benchAddContestant( field, "Bullet", version, kind );
    contestant->state = state;
    contestant->place = Place;
    contestant->touch = touch;
    contestant->collectTouches = Collect;
    contestant->destroy = Destroy;
}

} // namespace

void benchAddBulletHulls( benchField* field, const benchPairScene* scene )
{
    Add( field, scene, "gjk pair detector", RunDetector );
    Add( field, scene, "gjk epa solver", RunSolver );
}
