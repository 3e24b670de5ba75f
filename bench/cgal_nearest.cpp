// SPDX-License-Identifier: MIT
// CGAL's Orthogonal_k_neighbor_search (Tangelder and Fabri) over points that carry their index, as its manual
// does it: a Kd_tree with the default splitter (sliding midpoint) and bucket size, built before it is asked.
// Coordinates are double, as in the manual.
#include "contestant.h"

#include <CGAL/Orthogonal_k_neighbor_search.h>
#include <CGAL/Search_traits_3.h>
#include <CGAL/Search_traits_adapter.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/property_map.h>
#include <CGAL/version.h>

#include <cmath>
#include <utility>
#include <vector>

namespace
{

typedef CGAL::Simple_cartesian<double> Kernel;
typedef std::pair<Kernel::Point_3, uint32_t> IndexedPoint;
typedef CGAL::Search_traits_adapter<IndexedPoint, CGAL::First_of_pair_property_map<IndexedPoint>,
    CGAL::Search_traits_3<Kernel>>
    Traits;
typedef CGAL::Orthogonal_k_neighbor_search<Traits> Search;

struct State
{
    Search::Tree tree;
};

bool Build( void* stateIn, const benchQueryScene* scene )
{
    State* state = static_cast<State*>( stateIn );
    state->tree.clear();
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        const float* point = scene->spheres + size_t( i ) * 4;
        state->tree.insert( IndexedPoint( Kernel::Point_3( point[0], point[1], point[2] ), i ) );
    }
    state->tree.build();
    return true;
}

bool FindNearest(
    void* stateIn, const benchQueryScene* scene, uint32_t begin, uint32_t end, benchAnswers* answers )
{
    const State* state = static_cast<const State*>( stateIn );
    for ( uint32_t i = begin; i < end; ++i )
    {
        const float* point = scene->points + size_t( i ) * 3;
        Search search( state->tree, Kernel::Point_3( point[0], point[1], point[2] ), BENCH_NEAREST_COUNT );
        joHit* hit = answers->hits + size_t( i ) * BENCH_NEAREST_COUNT;
        answers->counts[i] = 0;
        for ( Search::iterator it = search.begin(); it != search.end(); ++it )
        {
            *hit++ = joHit{ it->first.second, float( std::sqrt( it->second ) ) };
            answers->counts[i] += 1;
        }
    }
    return true;
}

void Destroy( void* state )
{
    delete static_cast<State*>( state );
}

} // namespace

void benchAddCgalNearest( benchField* field, const benchQueryScene* scene, uint32_t threads )
{
    if ( scene->workload != bench_nearestPoints )
    {
        return;
    }
    benchContestant* contestant = benchAddContestant( field, "CGAL", CGAL_VERSION_STR, "k-d tree" );
    contestant->threads = threads;
    contestant->state = new State();
    contestant->build = Build;
    contestant->answer = FindNearest;
    contestant->destroy = Destroy;
}
