// SPDX-License-Identifier: MIT
// nanoflann (Blanco and Rai): a k-d tree over points in the caller's memory, its dimension known when
// compiled, the metric without the checks that do not pay in three dimensions, as its examples do. Leaves
// hold 10 points, its default. Single threaded builds, as 1.4 has them.
#include "contestant.h"

#include <nanoflann.hpp>

#include <cmath>
#include <cstdio>

namespace
{

struct Points
{
    const float* spheres; // 4 floats each
    size_t count;

    size_t kdtree_get_point_count() const
    {
        return count;
    }
    float kdtree_get_pt( size_t index, size_t axis ) const
    {
        return spheres[index * 4 + axis];
    }
    template <class Box> bool kdtree_get_bbox( Box& ) const
    {
        return false;
    }
};

typedef nanoflann::L2_Simple_Adaptor<float, Points, float, uint32_t> Metric;
typedef nanoflann::KDTreeSingleIndexAdaptor<Metric, Points, 3, uint32_t> Tree;

struct State
{
    Points points;
    Tree* tree;
};

bool Build( void* stateIn, const benchQueryScene* scene )
{
    State* state = static_cast<State*>( stateIn );
    delete state->tree;
    state->points = Points{ scene->spheres, scene->count };
    state->tree = new Tree( 3, state->points );
    state->tree->buildIndex();
    return true;
}

bool FindNearest(
    void* stateIn, const benchQueryScene* scene, uint32_t begin, uint32_t end, benchAnswers* answers )
{
    const State* state = static_cast<const State*>( stateIn );
    for ( uint32_t i = begin; i < end; ++i )
    {
        uint32_t keys[BENCH_NEAREST_COUNT];
        float squares[BENCH_NEAREST_COUNT];
        nanoflann::KNNResultSet<float, uint32_t> results( BENCH_NEAREST_COUNT );
        results.init( keys, squares );
        state->tree->findNeighbors( results, scene->points + size_t( i ) * 3, nanoflann::SearchParams() );
        answers->counts[i] = uint32_t( results.size() );
        for ( uint32_t j = 0; j < answers->counts[i]; ++j )
        {
            answers->hits[size_t( i ) * BENCH_NEAREST_COUNT + j] = joHit{ keys[j], std::sqrt( squares[j] ) };
        }
    }
    return true;
}

void Destroy( void* stateIn )
{
    State* state = static_cast<State*>( stateIn );
    delete state->tree;
    delete state;
}

} // namespace

void benchAddNanoflann( benchField* field, const benchQueryScene* scene, uint32_t threads )
{
    if ( scene->workload != bench_nearestPoints )
    {
        return;
    }
    char version[32];
    std::snprintf( version, sizeof( version ), "%x.%x.%x", NANOFLANN_VERSION >> 8 & 15,
        NANOFLANN_VERSION >> 4 & 15, NANOFLANN_VERSION & 15 );
    State* state = new State();
    benchContestant* contestant = benchAddContestant( field, "nanoflann", version, "k-d tree" );
    contestant->threads = threads;
    contestant->state = state;
    contestant->build = Build;
    contestant->answer = FindNearest;
    contestant->destroy = Destroy;
}
