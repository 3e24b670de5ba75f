// SPDX-License-Identifier: MIT
// The world's events as plain sets: all pairs of all colliders are asked one by one, and each step's set of
// touching pairs is compared with the last one's by full ids. Slow, small, and knows no broad phase, no slots
// and no lists. Motion is not modelled: poses are read from the world after each step.
#pragma once

#include "jostle/jostle.h"

#define MODEL_MAX 512

typedef struct modelBody
{
    joBodyId id;
    bool isAlive;
    bool isEnabled;
    joBodyType type;
    bool isAsleep;
    bool isChanged; // since the last step
    float restTime;
    uint64_t userData; // of one that is dead: what it had
    joTransform2 pose2;
    joTransform3 pose3;
} modelBody;

typedef struct modelCollider
{
    joColliderId id;
    modelBody* body;
    bool isAlive;
    bool isEnabled;
    bool isTrigger;
    joColliderFilter filter;
    uint64_t userData;
    joShape2 shape2;
    joShape3 shape3;
    joTransform2 local2;
    joTransform3 local3;
} modelCollider;

// A pair of touching colliders, A in the body of the lower index.
typedef struct modelContact
{
    const modelCollider* a;
    const modelCollider* b;
    joContactEvent event;
} modelContact;

typedef struct modelList
{
    joContactEvent* events;
    uint32_t count;
} modelList;

enum
{
    model_enters,
    model_stays,
    model_exits,
    model_listCount
};

typedef struct modelWorld
{
    joWorldDef def;
    modelBody bodies[MODEL_MAX];
    modelCollider colliders[MODEL_MAX];
    uint32_t bodyCount, colliderCount; // places in use, those of the dead included
    joBodyId ignored[MODEL_MAX][2];
    uint32_t ignoredCount;
    modelContact* contacts[2]; // of the last step, and room for those of the next
    uint32_t contactCount;
    modelList lists[2][2][model_listCount]; // by isTrigger and granularity
} modelWorld;

void modelInit( modelWorld* model, const joWorldDef* def );
void modelFree( modelWorld* model );

// A copy of what a model knows, and back into the same model. Lists of events are not in it: after a return
// they are empty.
typedef struct modelCopy
{
    modelWorld* world; // null: there is none
    modelContact* contacts;
} modelCopy;

void modelSave( const modelWorld* model, modelCopy* copy );
void modelLoad( modelWorld* model, const modelCopy* copy );
void modelFreeCopy( modelCopy* copy );

// Places in the model; null if it is full until the next step.
modelBody* modelAddBody( modelWorld* model );
modelCollider* modelAddCollider( modelWorld* model );
// With its colliders and ignored pairs.
void modelKillBody( modelWorld* model, modelBody* body );
bool modelIgnores( const modelWorld* model, joBodyId a, joBodyId b );
void modelSetIgnored( modelWorld* model, joBodyId a, joBodyId b, bool isIgnored );

// After a change of a body or its colliders.
void modelWake( modelBody* body );

// After a step of the world: makes the lists of events, and forgets the dead that have been told of. Pointers
// to bodies and colliders are no longer valid then. False: a pose could not be read.
bool modelStep( modelWorld* model, const joWorld* world, float dt );

// What body `id` touches, in order. Returns how many.
uint32_t modelGetContacts( const modelWorld* model, joBodyId id, joContactEvent* contacts );
bool modelIsSameEvent( const joContactEvent* a, const joContactEvent* b );
