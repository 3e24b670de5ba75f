// SPDX-License-Identifier: MIT
// Contacts: pairs of colliders that touch, from step to step, and the events that they make.
#pragma once

#include "world/world.h"

// What becomes of a contact or of a touch, per pair of colliders and per pair of bodies. Bits.
typedef enum joChange
{
    jo_colliderEnters = 1,
    jo_colliderStays = 2,
    jo_colliderExits = 4,
    jo_bodyEnters = 8,
    jo_bodyStays = 16,
    jo_bodyExits = 32,
    jo_contactEnds = 64, // and gives its slot back; a trigger that is one no longer exits, but does not end
    jo_colliderTouches = jo_colliderEnters | jo_colliderStays
} joChange;

// Before a body or collider goes: what touches it keeps its user data, and leaves the body's list.
void joContacts_ForgetBody( joWorld* world, uint32_t body );
void joContacts_ForgetCollider( joWorld* world, uint32_t collider );

// Whether two bodies, by index, ignore each other.
bool joWorld_Ignore( const joWorld* world, uint32_t a, uint32_t b );

// Pairs that the narrow phase is asked for at a time, so that manifolds stay few and in the cache.
#define JO_BLOCK_PAIRS 8192u

// The order of pairs by bodies, then colliders: their numbers, in the values of *order, which is scratch.
// Errors: jo_errorOutOfMemory, jo_errorCapacity.
joResult joStep_SortPairs( joWorld* world, const joCandidate* pairs, uint32_t count, joKeyValue** order );

// Makes world->batchPlaces as long as there are colliders.
joResult joTouches_ReservePlaces( joWorld* world );

// The stages of a step, in order; all but the last may fail, and change nothing but scratch.
// From the pairs of the broad phase those that may touch, sorted.
joResult joStep_FindCandidates( joWorld* world, uint32_t* candidateCount );
// Those that come as near as leaveMargin.
joResult joStep_FindTouches( joWorld* world, uint32_t candidateCount, uint32_t* touchCount );
// What has changed since the last step; makes room for the events.
joResult joStep_CompareTouches( joWorld* world, uint32_t touchCount );
// Writes contacts and events. Cannot fail.
void joStep_WriteEvents( joWorld* world, uint32_t touchCount );

// Room for so many more contacts, in all lists.
joResult joContacts_Reserve( joWorld* world, uint64_t count );

joResult joEvents_Reserve( joWorld* world, uint64_t count );
void joEvents_Clear( joWorld* world );
void joEvents_Free( joWorld* world );
// A contact as an event, with the user data that its bodies and colliders have, or had when they went.
// areAlive: all are there, and need not be looked for by their ids.
joContactEvent joEvents_Make( const joWorld* world, const joContact* contact, bool areAlive );
