// SPDX-License-Identifier: MIT
// Bullet's dynamic AABB tree (btDbvt), driven as btDbvtBroadphase drives its own: built by insertion and
// optimised once from the top; each frame every leaf is updated, one incremental pass is made, and the
// tree is collided with itself (collideTTpersistentStack), with a second tree for what never moves. Its cache
// of pairs with its hash table is left out, to Bullet's advantage: the bench asks for the pairs of this frame
// only.
//
// Two ways of updating, each a row:
// - exact: a leaf is its box; every box that moved is taken out and put in again;
// - margin: a leaf is its box enlarged by gDbvtMargin (0.05, Bullet's default) when it last left it; most
// leaves then
//   stay where they are, and pairs are tested by their true boxes.
#include "contestant.h"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <LinearMath/btScalar.h>

#include <cstdio>
#include <vector>

namespace
{

struct State
{
    btDbvt moving;
    btDbvt still;
    std::vector<btDbvtNode*> leaves; // by box; null for those that never move
    bool withMargin;
};

struct CollectExact : btDbvt::ICollide
{
    benchPairList* pairs;

    void Process( const btDbvtNode* a, const btDbvtNode* b ) override
    {
        benchPushPair( pairs, uint32_t( a->dataAsInt ), uint32_t( b->dataAsInt ) );
    }
};

struct CollectTouching : btDbvt::ICollide
{
    benchPairList* pairs;
    const float* boxes;

    void Process( const btDbvtNode* a, const btDbvtNode* b ) override
    {
        uint32_t indexA = uint32_t( a->dataAsInt );
        uint32_t indexB = uint32_t( b->dataAsInt );
        if ( benchTouch( boxes + size_t( indexA ) * 6, boxes + size_t( indexB ) * 6 ) )
        {
            benchPushPair( pairs, indexA, indexB );
        }
    }
};

btDbvtVolume MakeVolume( const benchScene* scene, uint32_t index )
{
    const float* box = scene->boxes + size_t( index ) * 6;
    return btDbvtVolume::FromMM( btVector3( box[0], box[1], box[2] ), btVector3( box[3], box[4], box[5] ) );
}

void Collide( State* state, btDbvt::ICollide& collector )
{
    // Bullet reports a pair of leaves of one tree once.
    state->moving.collideTTpersistentStack( state->moving.m_root, state->moving.m_root, collector );
    if ( !state->still.empty() )
    {
        state->moving.collideTTpersistentStack( state->moving.m_root, state->still.m_root, collector );
    }
}

bool Frame( void* stateIn, const benchScene* scene, benchPairList* pairs )
{
    State* state = static_cast<State*>( stateIn );
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        btDbvtNode* leaf = state->leaves[i];
        if ( leaf == nullptr )
        {
            continue;
        }
        btDbvtVolume volume = MakeVolume( scene, i );
        if ( state->withMargin )
        {
            state->moving.update( leaf, volume, gDbvtMargin );
        }
        else
        {
            state->moving.update( leaf, volume );
        }
    }
    // What btDbvtBroadphase::collide does with its default m_dupdates of 0.
    state->moving.optimizeIncremental( 1 );
    if ( state->withMargin )
    {
        CollectTouching collector;
        collector.pairs = pairs;
        collector.boxes = scene->boxes;
        Collide( state, collector );
    }
    else
    {
        CollectExact collector;
        collector.pairs = pairs;
        Collide( state, collector );
    }
    return true;
}

void Destroy( void* state )
{
    delete static_cast<State*>( state );
}

void AddVariant( benchField* field, const benchScene* scene, const char* kind, bool withMargin )
{
    State* state = new State;
    state->withMargin = withMargin;
    state->leaves.assign( scene->count, nullptr );
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        bool moves = scene->motion[i] == jo_moving;
        btDbvtNode* leaf = ( moves ? state->moving : state->still ).insert( MakeVolume( scene, i ), nullptr );
        leaf->dataAsInt = int( i );
        state->leaves[i] = moves ? leaf : nullptr;
    }
    state->moving.optimizeTopDown();
    state->still.optimizeTopDown();
    char version[32];
    std::snprintf( version, sizeof( version ), "%d.%02d", btGetVersion() / 100, btGetVersion() % 100 );
    benchContestant* contestant = benchAddContestant( field, "Bullet", version, kind );
    contestant->state = state;
    contestant->frame = Frame;
    contestant->destroy = Destroy;
}

} // namespace

void benchAddBullet( benchField* field, const benchScene* scene, uint32_t threads )
{
    if ( threads != 1 )
    {
        return;
    }
    AddVariant( field, scene, "dbvt exact", false );
    AddVariant( field, scene, "dbvt margin", true );
}
