// SPDX-License-Identifier: MIT
// CGAL's box_self_intersection_d (Kettner, Meyer and Zomorodian; after Zomorodian and Edelsbrunner, "Fast
// software for box intersections", 2002), with plain boxes of floats that carry their index, closed. A
// frame's boxes are written anew, in the order the scene has them: the algorithm permutes its input, and
// copies it once itself. The manual says to try cutoffs; 100 and 1,000 are a row each. One thread (its
// parallel form needs TBB and is a patch over the same algorithm).
#include "contestant.h"
#include "two_sets_scene.h"

#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include <vector>

namespace
{

template <int N> struct Box
{
    float lower[N];
    float upper[N];
    uint32_t index;
};

template <int N> struct BoxTraits
{
    typedef const Box<N>& Box_parameter;
    typedef float NT;
    typedef uint32_t ID;

    static NT min_coord( Box_parameter box, int axis )
    {
        return box.lower[axis];
    }
    static NT max_coord( Box_parameter box, int axis )
    {
        return box.upper[axis];
    }
    static ID id( Box_parameter box )
    {
        return box.index;
    }
    static int dimension()
    {
        return N;
    }
};

template <int N> struct State
{
    std::vector<Box<N>> moving;
    std::vector<Box<N>> still;
    std::ptrdiff_t cutoff;
};

template <int N> Box<N> MakeBox( const float* boxes, uint32_t index )
{
    const float* source = boxes + size_t( index ) * 6;
    Box<N> box;
    for ( int axis = 0; axis < N; ++axis )
    {
        box.lower[axis] = source[axis];
        box.upper[axis] = source[3 + axis];
    }
    box.index = index;
    return box;
}

template <int N> bool Frame( void* stateIn, const benchScene* scene, benchPairList* pairs )
{
    State<N>* state = static_cast<State<N>*>( stateIn );
    state->moving.clear();
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        if ( scene->motion[i] == jo_moving )
        {
            state->moving.push_back( MakeBox<N>( scene->boxes, i ) );
        }
    }
    auto push = [pairs]( const Box<N>& a, const Box<N>& b ) { benchPushPair( pairs, a.index, b.index ); };
    CGAL::box_self_intersection_d( state->moving.begin(), state->moving.end(), push, BoxTraits<N>(),
        state->cutoff, CGAL::Box_intersection_d::CLOSED );
    if ( !state->still.empty() )
    {
        CGAL::box_intersection_d( state->moving.begin(), state->moving.end(), state->still.begin(),
            state->still.end(), push, BoxTraits<N>(), state->cutoff, CGAL::Box_intersection_d::CLOSED,
            CGAL::Box_intersection_d::BIPARTITE );
    }
    return true;
}

template <int N> void Destroy( void* state )
{
    delete static_cast<State<N>*>( state );
}

template <int N>
void AddVariant( benchField* field, const benchScene* scene, const char* kind, std::ptrdiff_t cutoff )
{
    State<N>* state = new State<N>;
    state->cutoff = cutoff;
    state->moving.reserve( scene->count - scene->stillCount );
    state->still.reserve( scene->stillCount );
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        if ( scene->motion[i] != jo_moving )
        {
            state->still.push_back( MakeBox<N>( scene->boxes, i ) );
        }
    }
    benchContestant* contestant = benchAddContestant( field, "CGAL", CGAL_VERSION_STR, kind );
    contestant->state = state;
    contestant->frame = Frame<N>;
    contestant->destroy = Destroy<N>;
}

typedef State<2> TwoSetsState; // bullets are `moving`, enemies `still`

void FillBoxes( std::vector<Box<2>>* boxes, const float* source, uint32_t count )
{
    boxes->clear();
    for ( uint32_t i = 0; i < count; ++i )
    {
        boxes->push_back( MakeBox<2>( source, i ) );
    }
}

bool TwoSetsFrame( void* stateIn, const benchScene* scene, benchPairList* pairs )
{
    TwoSetsState* state = static_cast<TwoSetsState*>( stateIn );
    const benchTwoSets* twoSets = scene->twoSets;
    FillBoxes( &state->moving, twoSets->bulletBoxes, twoSets->bullets->count );
    FillBoxes( &state->still, twoSets->enemyBoxes, twoSets->enemies->count );
    auto push = [pairs, twoSets]( const Box<2>& bullet, const Box<2>& enemy )
    {
        if ( benchIsHit( twoSets, bullet.index, enemy.index ) )
        {
            benchPushHit( pairs, bullet.index, enemy.index );
        }
    };
    CGAL::box_intersection_d( state->moving.begin(), state->moving.end(), state->still.begin(),
        state->still.end(), push, BoxTraits<2>(), state->cutoff, CGAL::Box_intersection_d::CLOSED,
        CGAL::Box_intersection_d::BIPARTITE );
    return true;
}

void AddTwoSetsVariant( benchField* field, const char* kind, std::ptrdiff_t cutoff )
{
    TwoSetsState* state = new TwoSetsState;
    state->cutoff = cutoff;
    benchContestant* contestant = benchAddContestant( field, "CGAL", CGAL_VERSION_STR, kind );
    contestant->state = state;
    contestant->frame = TwoSetsFrame;
    contestant->destroy = Destroy<2>;
}

} // namespace

void benchAddCgalTwoSets( benchField* field, const benchScene* scene, uint32_t threads )
{
    (void)scene;
    if ( threads == 1 )
    {
        AddTwoSetsVariant( field, "cutoff 100", 100 );
        AddTwoSetsVariant( field, "cutoff 1000", 1000 );
    }
}

void benchAddCgal( benchField* field, const benchScene* scene, uint32_t threads )
{
    if ( threads != 1 )
    {
        return;
    }
    if ( scene->dimension == 2 )
    {
        AddVariant<2>( field, scene, "cutoff 100", 100 );
        AddVariant<2>( field, scene, "cutoff 1000", 1000 );
    }
    else
    {
        AddVariant<3>( field, scene, "cutoff 100", 100 );
        AddVariant<3>( field, scene, "cutoff 1000", 1000 );
    }
}
