// SPDX-License-Identifier: MIT
// Keeps account of a world's events: which pairs of colliders touch, by enters and exits alone. An event that
// does not fit what came before it fails the test.
#pragma once

#include "jostle/world.h"

#include <stddef.h>

typedef struct ledgerPair
{
    uint64_t colliderA, colliderB;
    uint64_t bodyA, bodyB;
} ledgerPair;

typedef struct eventLedger
{
    ledgerPair* pairs; // sorted by the colliders
    ledgerPair* next;
    size_t count, capacity;
    uint64_t enterCount, exitCount; // so far
    bool wereAllAwake;
} eventLedger;

// Takes the events of the last step of one list, per pair of colliders: enters are of pairs that did not
// touch, exits and stays of those that did, and with the same bodies; and where nobody sleeps every pair that
// goes on is told of.
void ledgerTake( eventLedger* ledger, const joContactEvents* events, bool areAllAwake );
bool ledgerHas( const eventLedger* ledger, uint64_t colliderA, uint64_t colliderB );
void ledgerFree( eventLedger* ledger );
