// SPDX-License-Identifier: MIT
// Candidates: pairs of the broad phase that may touch. The broad phase has asked layers and masks; what is
// left are filters that know bodies. A pair is turned so that A has the lower body index, and the list is
// sorted by bodies, then colliders, so that all pairs of two bodies stand together.
#include "world/contacts.h"
#include "world/slide.h"
#include "world/step_push.h"

static bool sharesGroup( const joCollider* a, const joCollider* b )
{
    return a->filter.group != 0 && a->filter.group == b->filter.group;
}

// False: the pair never touches.
static bool makeCandidate( joWorld* world, joPair pair, joCandidate* candidate )
{
    const joCollider* a = joWorld_Collider( world, pair.a );
    const joCollider* b = joWorld_Collider( world, pair.b );
    const joBody* bodyA = joWorld_Body( world, a->body );
    const joBody* bodyB = joWorld_Body( world, b->body );
    const bool areStatic = bodyA->type == jo_staticBody && bodyB->type == jo_staticBody;
    if ( a->body == b->body || areStatic || sharesGroup( a, b ) ||
         joWorld_Ignore( world, a->body, b->body ) || !world->kindsMeet[a->kind][b->kind] )
    {
        return false;
    }
    const bool isTurned = a->body > b->body;
    const uint64_t first = isTurned ? pair.b : pair.a, second = isTurned ? pair.a : pair.b;
    candidate->bodyPair = (uint64_t)( isTurned ? b : a )->body << 32 | ( isTurned ? a : b )->body;
    candidate->colliderPair = first << 32 | second;
    candidate->pushes = world->push.anyMovable && !a->isTrigger && !b->isTrigger &&
                        ( joBody_IsMovable( bodyA ) || joBody_IsMovable( bodyB ) );
    return true;
}

static uint32_t keyOf( const joCandidate* candidate, uint32_t pass )
{
    const uint64_t pair = pass < 2 ? candidate->colliderPair : candidate->bodyPair;
    return (uint32_t)( pass % 2 == 0 ? pair : pair >> 32 );
}

// Least significant key first, each pass stable. Keys count from 0, so that passes are short.
joResult joStep_SortPairs( joWorld* world, const joCandidate* pairs, uint32_t count, joKeyValue** order )
{
    joResult result = jo_success;
    for ( uint32_t i = 0; i < 2 && result == jo_success; ++i )
    {
        result = joArray_ReserveSlack( &world->sortItems[i], &world->memory, count, sizeof( joKeyValue ), 0 );
    }
    if ( result != jo_success )
    {
        return result;
    }
    joKeyValue* items = world->sortItems[0].data;
    joKeyValue* scratch = world->sortItems[1].data;
    for ( uint32_t i = 0; i < count; ++i )
    {
        items[i].value = i;
    }
    for ( uint32_t pass = 0; pass < 4; ++pass )
    {
        for ( uint32_t i = 0; i < count; ++i )
        {
            items[i].key = keyOf( pairs + items[i].value, pass );
        }
        joKeyValue* sorted = joRadixSort_KeyValues( items, scratch, count );
        scratch = sorted == items ? scratch : items;
        items = sorted;
    }
    *order = items;
    return jo_success;
}

static joResult sortCandidates( joWorld* world, uint32_t count )
{
    joKeyValue* order = NULL;
    joResult result =
        joArray_ReserveSlack( &world->candidates[1], &world->memory, count, sizeof( joCandidate ), 0 );
    result = result ? result : joStep_SortPairs( world, world->candidates[0].data, count, &order );
    if ( result != jo_success )
    {
        return result;
    }
    const joArray from = world->candidates[0];
    world->candidates[0] = world->candidates[1];
    world->candidates[1] = from;
    for ( uint32_t i = 0; i < count; ++i )
    {
        ( (joCandidate*)world->candidates[0].data )[i] = ( (const joCandidate*)from.data )[order[i].value];
    }
    return jo_success;
}

static bool isAscending( const joCandidate* a, const joCandidate* b )
{
    return a->bodyPair < b->bodyPair || ( a->bodyPair == b->bodyPair && a->colliderPair < b->colliderPair );
}

// Most pairs that are near enough to push each other do not touch. Where both are round and awake that is
// seen at once, and the narrow phase need not be asked: they are told to the push alone.
static bool isApart( joWorld* world, const joCandidate* candidate )
{
    const joBody* a = joWorld_Body( world, (uint32_t)( candidate->bodyPair >> 32 ) );
    const joBody* b = joWorld_Body( world, (uint32_t)candidate->bodyPair );
    return candidate->pushes && a->awakeIndex != JO_NULL_INDEX && b->awakeIndex != JO_NULL_INDEX &&
           !joBody_IsSwept( a ) && !joBody_IsSwept( b ) &&
           joPush_TakeApart( world, ( joPair ){ a->awakeIndex, b->awakeIndex } );
}

// The second one of a pair may be anywhere in memory, and so may the first one where pairs are few among many
// colliders. What is asked of it leads from its collider to its body and to the place of that: so each is
// asked for some pairs ahead of its turn.
#define AHEAD 12u

static inline void askAhead( const joWorld* world, const joPair* pairs, uint64_t i, uint64_t count )
{
    if ( i + 3 * AHEAD < count )
    {
        __builtin_prefetch( joWorld_Collider( world, pairs[i + 3 * AHEAD].a ) );
        __builtin_prefetch( joWorld_Collider( world, pairs[i + 3 * AHEAD].b ) );
        const joPair next = pairs[i + 2 * AHEAD];
        __builtin_prefetch( joWorld_Body( world, joWorld_Collider( world, next.a )->body ) );
        __builtin_prefetch( joWorld_Body( world, joWorld_Collider( world, next.b )->body ) );
        if ( world->push.anyMovable )
        {
            joPush_AskAhead( world, joWorld_Collider( world, pairs[i + AHEAD].b )->body );
        }
    }
}

joResult joStep_FindCandidates( joWorld* world, uint32_t* candidateCount )
{
    *candidateCount = 0;
    const uint64_t found = world->foundPairCount;
    uint64_t kept = 0;
    const joPair* pairs = joBroadPhase_ViewPairs( world->broadPhase, &kept );
    // Of too many pairs some would be missing: better no step than a wrong one.
    joResult result = kept < found || found > UINT32_MAX ? jo_errorCapacity : jo_success;
    result = result ? result
                    : joArray_ReserveSlack(
                          &world->candidates[0], &world->memory, found, sizeof( joCandidate ), 0 );
    result = result ? result : joPush_BeginPairs( world, found );
    if ( result != jo_success )
    {
        return result;
    }
    joCandidate* candidates = world->candidates[0].data;
    uint32_t count = 0;
    bool isSorted = true;
    for ( uint64_t i = 0; i < found; ++i )
    {
        askAhead( world, pairs, i, found );
        if ( makeCandidate( world, pairs[i], candidates + count ) && !isApart( world, candidates + count ) )
        {
            isSorted =
                isSorted && ( count == 0 || isAscending( candidates + count - 1, candidates + count ) );
            count += 1;
        }
    }
    *candidateCount = count;
    // Worlds of one collider a body, made together, come sorted.
    return isSorted ? jo_success : sortCandidates( world, count );
}
