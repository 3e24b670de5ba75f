// SPDX-License-Identifier: MIT
#include "support/event_ledger.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int comparePairs( const void* a, const void* b )
{
    const ledgerPair *x = a, *y = b;
    const int first = ( x->colliderA > y->colliderA ) - ( x->colliderA < y->colliderA );
    return first != 0 ? first : ( x->colliderB > y->colliderB ) - ( x->colliderB < y->colliderB );
}

static ledgerPair pairOf( const joContactEvent* event )
{
    return ( ledgerPair ){
        event->colliderA.bits, event->colliderB.bits, event->bodyA.bits, event->bodyB.bits };
}

static const ledgerPair* find( const eventLedger* ledger, const ledgerPair* pair )
{
    return ledger->count > 0
               ? bsearch( pair, ledger->pairs, ledger->count, sizeof( ledgerPair ), comparePairs )
               : NULL;
}

bool ledgerHas( const eventLedger* ledger, uint64_t colliderA, uint64_t colliderB )
{
    const ledgerPair pair = { colliderA, colliderB, 0, 0 };
    return find( ledger, &pair ) != NULL;
}

// Sorted, and each pair once.
static ledgerPair* sortEvents( const joContactEvent* events, uint64_t count )
{
    ledgerPair* sorted = malloc( ( count + 1 ) * sizeof( ledgerPair ) );
    assert_non_null( sorted );
    for ( uint64_t i = 0; i < count; ++i )
    {
        sorted[i] = pairOf( &events[i] );
    }
    qsort( sorted, count, sizeof( ledgerPair ), comparePairs );
    for ( uint64_t i = 1; i < count; ++i )
    {
        assert_true( comparePairs( &sorted[i - 1], &sorted[i] ) < 0 );
    }
    return sorted;
}

// Each of a list of events is of a pair that touches, with the bodies that it entered with.
static void expectKnown( const eventLedger* ledger, const joContactEvent* events, uint64_t count )
{
    for ( uint64_t i = 0; i < count; ++i )
    {
        const ledgerPair pair = pairOf( &events[i] );
        const ledgerPair* known = find( ledger, &pair );
        assert_non_null( known );
        assert_true( known->bodyA == pair.bodyA && known->bodyB == pair.bodyB );
    }
}

void ledgerTake( eventLedger* ledger, const joContactEvents* events, bool areAllAwake )
{
    expectKnown( ledger, events->stays, events->stayCount );
    expectKnown( ledger, events->exits, events->exitCount );
    if ( areAllAwake && ledger->wereAllAwake )
    {
        assert_int_equal( events->stayCount, ledger->count - events->exitCount );
    }
    ledger->wereAllAwake = areAllAwake;
    const size_t room = ledger->count + events->enterCount + 1;
    if ( room > ledger->capacity )
    {
        ledger->capacity = 2 * room;
        ledger->pairs = realloc( ledger->pairs, ledger->capacity * sizeof( ledgerPair ) );
        ledger->next = realloc( ledger->next, ledger->capacity * sizeof( ledgerPair ) );
        assert_non_null( ledger->pairs );
        assert_non_null( ledger->next );
    }
    ledgerPair* enters = sortEvents( events->enters, events->enterCount );
    ledgerPair* exits = sortEvents( events->exits, events->exitCount );
    size_t kept = 0, enter = 0, out = 0;
    for ( size_t i = 0; i < ledger->count; ++i )
    {
        for ( ; enter < events->enterCount && comparePairs( &enters[enter], &ledger->pairs[i] ) < 0; ++enter )
        {
            ledger->next[kept++] = enters[enter];
        }
        // What touches already cannot enter.
        assert_true( enter == events->enterCount || comparePairs( &enters[enter], &ledger->pairs[i] ) != 0 );
        const bool leaves = out < events->exitCount && comparePairs( &exits[out], &ledger->pairs[i] ) == 0;
        out += leaves ? 1 : 0;
        if ( !leaves )
        {
            ledger->next[kept++] = ledger->pairs[i];
        }
    }
    for ( ; enter < events->enterCount; ++enter )
    {
        ledger->next[kept++] = enters[enter];
    }
    free( enters );
    free( exits );
    ledgerPair* spare = ledger->pairs;
    ledger->pairs = ledger->next;
    ledger->next = spare;
    ledger->count = kept;
    ledger->enterCount += events->enterCount;
    ledger->exitCount += events->exitCount;
    assert_int_equal( ledger->enterCount - ledger->exitCount, kept );
}

void ledgerFree( eventLedger* ledger )
{
    free( ledger->pairs );
    free( ledger->next );
    *ledger = ( eventLedger ){ 0 };
}
