// SPDX-License-Identifier: MIT
// jostle world snapshots: the whole state of a world in bytes of the caller's, and back, for rollback and for
// saved games.
//
// Saved is all that a step or a getter can tell: bodies and colliders with their ids, ids that are free and
// their generations, who sleeps and since when, ignored pairs, and what touches, down to what has been
// destroyed and has not exited yet. A step after a load is bit for bit the step that would have been,
// whatever the kind of broad phase, the threads and the machine of the world that loads. Not saved are the
// lists of events of the last step, which are empty after a load, its profile, and the def.
//
// Ids go with the state: one that was given out after a save is unknown after the load, and may be given out
// again, to another object.
//
// Bytes have no pointers. They are those of this machine's byte order and this version of the library; other
// ones are refused. Worlds with one history have equal bytes, saves and loads left out, so that hashes of
// them tell in which step two machines part.
//
// Size: at most 256 bytes, 128 a body and 128 a collider in 2D, 160 and 160 in 3D, 160 for each pair of
// colliders that touches, 32 for each ignored pair; these counted up to the most there ever were at once; and
// 96 a body that slides.
#pragma once

#include "world.h"

JO_EXTERN_C_BEGIN

// The shapes that point to something (polygons, chains, hulls, meshes). A snapshot names what they point to
// by its row, so a load needs the same things in the same rows: in another process at other addresses. Rows
// of other kinds are never looked for. Borrowed for the call; what a loaded world's shapes point to must
// outlive it, as ever.
typedef struct joShapeTable
{
    joColumn shape; // joShape2 or joShape3
    uint32_t count;
} joShapeTable;

// Writes the world into `buffer` (any alignment); *size gets the bytes that it takes. A null buffer with
// capacity 0 asks for the size alone. `shapes` may be null if no shape points to anything. O(bodies and
// colliders that there ever were at once, contacts, rows). Errors: jo_errorNullArgument; jo_errorCapacity
// (the buffer is too small; *size is what is needed, nothing has been written); jo_errorUnknownShape (a
// collider's shape is in no row: *collider, which may be null, gets its id; what is in the buffer is no
// snapshot).
JO_API joResult joWorld_Save( joWorld* world, const joShapeTable* shapes, void* buffer, uint64_t capacity,
    uint64_t* size, joColliderId* collider );

// Makes the world what it was when these bytes were saved: of this world, or of one whose def has the same
// dimension, gravity, margins, sleep, fixed step, push, layers and number. What the broad phase has already
// and need not learn anew costs little. O(bodies and colliders that there are, were, and will be; contacts;
// rows), and nothing is allocated where there was room.
//
// All bytes are checked before anything changes, down to indices and flags, so that damaged or invented bytes
// do no harm. Errors, with the world as it was: jo_errorNullArgument; jo_errorBadSnapshot (cut off, damaged,
// or no snapshot at all); jo_errorSnapshotVersion; jo_errorSnapshotDef; jo_errorUnknownShape (there is no
// such row, or it is of another kind); those of joCheckShape2 or joCheckShape3, of a row;
// jo_errorOutOfMemory; jo_errorCapacity.
JO_API joResult joWorld_Load(
    joWorld* world, const joShapeTable* shapes, const void* snapshot, uint64_t size );

JO_EXTERN_C_END
