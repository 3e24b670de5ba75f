// SPDX-License-Identifier: MIT
// FCL in the races of hulls: fcl::collide and fcl::distance of two Convex in double, with the solver that is
// its default, GST_LIBCCD. (GST_INDEP takes two to ten times as long, and misses pairs that are half a metre
// in each other.) Transforms are made before.
#include "contestant.h"

#include <fcl/config.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <memory>
#include <vector>

namespace
{

struct State
{
    std::vector<std::unique_ptr<fcl::Convexd>> hulls;
    std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>> transforms;
    std::vector<benchTouchedPair> found;
    uint32_t foundCount;
};

bool Place( void* stateIn, const benchPairScene* scene )
{
    State* state = static_cast<State*>( stateIn );
    for ( uint32_t i = 0; i < scene->bodyCount; ++i )
    {
        const joTransform3& pose = scene->poses[i];
        const joQuat& q = pose.rotation;
        fcl::Transform3d& transform = state->transforms[i];
        transform.setIdentity();
        transform.linear() = Eigen::Quaterniond( double( q.w ), double( q.x ), double( q.y ), double( q.z ) )
                                 .normalized()
                                 .toRotationMatrix();
        transform.translation() =
            fcl::Vector3d( double( pose.position.x ), double( pose.position.y ), double( pose.position.z ) );
    }
    return true;
}

void Keep( State* state, joPair pair, double depth )
{
    benchTouchedPair touch = {};
    touch.pair = pair;
    touch.depth = float( depth );
    state->found[state->foundCount++] = touch;
}

bool Touch( void* stateIn, const benchPairScene* scene )
{
    State* state = static_cast<State*>( stateIn );
    state->foundCount = 0;
    const bool hitsOnly = scene->question == bench_askHits;
    for ( uint32_t i = 0; i < scene->pairCount; ++i )
    {
        const joPair pair = scene->pairs[i];
        const fcl::Convexd *a = state->hulls[scene->hullOfBody[pair.a]].get(),
                           *b = state->hulls[scene->hullOfBody[pair.b]].get();
        const fcl::Transform3d &poseA = state->transforms[pair.a], &poseB = state->transforms[pair.b];
        if ( scene->question == bench_askDistances )
        {
            fcl::DistanceRequestd request;
            fcl::DistanceResultd result;
            const double distance = fcl::distance( a, poseA, b, poseB, request, result );
            Keep( state, pair, distance > 0.0 ? -distance : 0.0 );
            continue;
        }
        fcl::CollisionRequestd request( 1, !hitsOnly );
        fcl::CollisionResultd result;
        if ( fcl::collide( a, poseA, b, poseB, request, result ) > 0 )
        {
            Keep( state, pair, hitsOnly ? 0.0 : result.getContact( 0 ).penetration_depth );
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
    delete static_cast<State*>( stateIn );
}

std::unique_ptr<fcl::Convexd> MakeHull( const joHull3* hull )
{
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    for ( uint32_t i = 0; i < joHull3_GetVertexCount( hull ); ++i )
    {
        const joVec3 vertex = joHull3_GetVertex( hull, i );
        vertices->emplace_back( double( vertex.x ), double( vertex.y ), double( vertex.z ) );
    }
    const uint32_t faceCount = joHull3_GetFaceCount( hull );
    for ( uint32_t face = 0; face < faceCount; ++face )
    {
        uint8_t corners[JO_MAX_HULL_VERTICES3];
        const uint32_t count =
            joHull3_GetFace( hull, face, corners, JO_MAX_HULL_VERTICES3, nullptr, nullptr );
        faces->push_back( int( count ) );
        faces->insert( faces->end(), corners, corners + count );
    }
    auto made = std::make_unique<fcl::Convexd>( vertices, int( faceCount ), faces );
    made->computeLocalAABB();
    return made;
}

} // namespace

void benchAddFcl( benchField* field, const benchPairScene* scene )
{
    State* state = new State;
    for ( uint32_t i = 0; i < scene->hullCount; ++i )
    {
        state->hulls.push_back( MakeHull( scene->hulls[i] ) );
    }
    state->transforms.resize( scene->bodyCount );
    state->found.resize( scene->pairCount + 1 );
    benchContestant* contestant = benchAddContestant( field, "FCL", FCL_VERSION, "solver libccd" );
    contestant->state = state;
    contestant->place = Place;
    contestant->touch = Touch;
    contestant->collectTouches = Collect;
    contestant->destroy = Destroy;
}
