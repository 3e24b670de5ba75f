// SPDX-License-Identifier: MIT
// Bullets against enemies, in one call a frame: columns over an array of the game's own structs, the game's
// ids as keys, and layers, so that bullets do not meet bullets. What began and ended comes from the pair
// tracker.
#include "jostle/jostle.h"

#include <stdio.h>

#define ENEMY_COUNT 400
#define BULLET_COUNT 1600
#define ENTITY_COUNT ( ENEMY_COUNT + BULLET_COUNT )
#define SIDE 200.0f
#define FRAME_COUNT 60

enum
{
    enemyLayer = 1,
    bulletLayer = 2
};

typedef struct Entity
{
    uint32_t id; // the game's: neither dense nor in order
    float lower[2];
    float upper[2];
    float velocity[2];
    uint64_t layer; // what it is
    uint64_t mask;  // what it meets
} Entity;

static Entity s_entities[ENTITY_COUNT];

static void makeEntities( void )
{
    joRandom random = joMakeRandom( 7 );
    for ( uint32_t i = 0; i < ENTITY_COUNT; ++i )
    {
        Entity* entity = &s_entities[i];
        const int isEnemy = i < ENEMY_COUNT;
        const float size = isEnemy ? 2.0f : 0.3f;
        const float angle = joRandom_Range( &random, 0.0f, 6.2831853f );
        const float speed = isEnemy ? 0.05f : 1.5f;
        entity->id = i * 2654435761u; // scattered, each once
        for ( int axis = 0; axis < 2; ++axis )
        {
            entity->lower[axis] = joRandom_Range( &random, 0.0f, SIDE - size );
            entity->upper[axis] = entity->lower[axis] + size;
        }
        entity->velocity[0] = speed * joCos( angle );
        entity->velocity[1] = speed * joSin( angle );
        entity->layer = isEnemy ? enemyLayer : bulletLayer;
        entity->mask = isEnemy ? bulletLayer : enemyLayer;
    }
}

static void moveEntities( void )
{
    for ( uint32_t i = 0; i < ENTITY_COUNT; ++i )
    {
        Entity* entity = &s_entities[i];
        for ( int axis = 0; axis < 2; ++axis )
        {
            if ( entity->lower[axis] < 0.0f || entity->upper[axis] > SIDE )
            {
                const float middle = 0.5f * ( entity->lower[axis] + entity->upper[axis] );
                const float speed = entity->velocity[axis];
                entity->velocity[axis] = ( middle < 0.5f * SIDE ) == ( speed < 0.0f ) ? -speed : speed;
            }
            entity->lower[axis] += entity->velocity[axis];
            entity->upper[axis] += entity->velocity[axis];
        }
    }
}

// One frame: all boxes in, all pairs out, and what is new among them.
static joResult runFrame( joBroadPhase* broadPhase, joPairTracker* tracker, joPairChanges* changes )
{
    const size_t stride = sizeof( Entity );
    const joBoxes boxes = {
        .lowerX = { &s_entities->lower[0], stride },
        .lowerY = { &s_entities->lower[1], stride },
        .upperX = { &s_entities->upper[0], stride },
        .upperY = { &s_entities->upper[1], stride },
        .key = { &s_entities->id, stride },
        .layer = { &s_entities->layer, stride },
        .mask = { &s_entities->mask, stride },
        .count = ENTITY_COUNT,
    };
    uint32_t badIndex = 0;
    joResult result = joBroadPhase_SetBoxes( broadPhase, &boxes, &badIndex );
    if ( result != jo_success )
    {
        fprintf( stderr, "entity %u: %s\n", badIndex, joResultText( result ) );
        return result;
    }
    // The pairs are kept inside: no buffer of ours that could be too small.
    uint64_t pairCount = 0;
    result = joBroadPhase_FindPairs( broadPhase, NULL, 0, &pairCount );
    if ( result != jo_success )
    {
        return result;
    }
    const joPair* pairs = joBroadPhase_ViewPairs( broadPhase, &pairCount );
    return joPairTracker_Update( tracker, pairs, pairCount, changes, NULL );
}

int main( void )
{
    makeEntities();
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.dimension = 2;
    joBroadPhase* broadPhase = NULL;
    joResult result = joCreateBroadPhase( &def, &broadPhase );

    const joPairTrackerDef trackerDef = joDefaultPairTrackerDef();
    joPairTracker* tracker = NULL;
    if ( result == jo_success )
    {
        result = joCreatePairTracker( &trackerDef, &tracker );
    }

    uint64_t hits = 0, ends = 0, touching = 0;
    for ( int frame = 0; frame < FRAME_COUNT && result == jo_success; ++frame )
    {
        moveEntities();
        joPairChanges changes;
        result = runFrame( broadPhase, tracker, &changes );
        if ( result == jo_success )
        {
            hits += changes.enterCount;
            ends += changes.exitCount;
            touching = changes.enterCount + changes.stayCount;
            if ( frame % 20 == 0 && changes.enterCount > 0 )
            {
                printf( "frame %d: %llu new hits, the first: %08x and %08x\n", frame,
                    (unsigned long long)changes.enterCount, changes.enters[0].a, changes.enters[0].b );
            }
        }
    }
    if ( result == jo_success )
    {
        printf( "%d frames: %llu hits, %llu over, %llu go on\n", FRAME_COUNT, (unsigned long long)hits,
            (unsigned long long)ends, (unsigned long long)touching );
    }
    else
    {
        fprintf( stderr, "batch_pairs: %s\n", joResultText( result ) );
    }
    joDestroyPairTracker( tracker );
    joDestroyBroadPhase( broadPhase );
    // Every enter has exactly one exit, or still goes on.
    return result == jo_success && hits == ends + touching ? 0 : 1;
}
