// SPDX-License-Identifier: MIT
// Bullet's dynamic AABB tree (btDbvt) in a race of overlaps: leaves inserted one by one and optimised from
// the top once, asked with collideTVNoStackAlloc. Spheres are tested in the callback. (Its rays report every
// leaf along the way, and leave it to the caller which one is nearest; it has no nearest.)
#include "contestant.h"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <LinearMath/btScalar.h>

#include <cstdint>
#include <cstdio>

namespace
{

struct Collect : btDbvt::ICollide
{
    const benchQueryScene* scene;
    const float* box;
    uint32_t* keys;
    uint32_t count;

    bool Touches( uint32_t key ) const
    {
        const float* sphere = scene->spheres + size_t( key ) * 4;
        float sum = 0.0f;
        for ( int axis = 0; axis < 3; ++axis )
        {
            float gap = btMax( btMax( box[axis] - sphere[axis], sphere[axis] - box[3 + axis] ), 0.0f );
            sum += gap * gap;
        }
        return sum <= sphere[3] * sphere[3];
    }

    void Process( const btDbvtNode* leaf ) override
    {
        uint32_t key = uint32_t( leaf->dataAsInt );
        if ( scene->spheres != nullptr && !Touches( key ) )
        {
            return;
        }
        if ( count < scene->answersEach )
        {
            keys[count] = key;
        }
        count += 1;
    }
};

btDbvtVolume MakeVolume( const float* box )
{
    return btDbvtVolume::FromMM( btVector3( box[0], box[1], box[2] ), btVector3( box[3], box[4], box[5] ) );
}

bool Build( void* stateIn, const benchQueryScene* scene )
{
    btDbvt* tree = static_cast<btDbvt*>( stateIn );
    tree->clear();
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        tree->insert(
            MakeVolume( scene->boxes + size_t( i ) * 6 ), reinterpret_cast<void*>( uintptr_t( i ) ) );
    }
    tree->optimizeTopDown();
    return true;
}

bool OverlapBoxes(
    void* stateIn, const benchQueryScene* scene, uint32_t begin, uint32_t end, benchAnswers* answers )
{
    const btDbvt* tree = static_cast<const btDbvt*>( stateIn );
    btNodeStack stack;
    Collect collect;
    collect.scene = scene;
    for ( uint32_t i = begin; i < end; ++i )
    {
        collect.box = scene->queryBoxes + size_t( i ) * 6;
        collect.keys = answers->keys + size_t( i ) * scene->answersEach;
        collect.count = 0;
        tree->collideTVNoStackAlloc( tree->m_root, MakeVolume( collect.box ), stack, collect );
        answers->counts[i] = collect.count;
    }
    return true;
}

void Destroy( void* state )
{
    delete static_cast<btDbvt*>( state );
}

} // namespace

void benchAddBulletQueries( benchField* field, const benchQueryScene* scene, uint32_t threads )
{
    if ( scene->queryBoxes == nullptr )
    {
        return;
    }
    char version[32];
    std::snprintf( version, sizeof( version ), "%d.%02d", btGetVersion() / 100, btGetVersion() % 100 );
    benchContestant* contestant = benchAddContestant( field, "Bullet", version, "dbvt" );
    contestant->threads = threads;
    contestant->state = new btDbvt();
    contestant->build = Build;
    contestant->answer = OverlapBoxes;
    contestant->destroy = Destroy;
}
