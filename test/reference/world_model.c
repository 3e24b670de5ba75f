// SPDX-License-Identifier: MIT
#include "reference/world_model.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CONTACTS ( MODEL_MAX * 32 )

void modelInit( modelWorld* model, const joWorldDef* def )
{
    memset( model, 0, sizeof( *model ) );
    model->def = *def;
    model->contacts[0] = calloc( MAX_CONTACTS, sizeof( modelContact ) );
    model->contacts[1] = calloc( MAX_CONTACTS, sizeof( modelContact ) );
    for ( uint32_t i = 0; i < 4 * model_listCount; ++i )
    {
        model->lists[i / 6][i / 3 % 2][i % 3].events = calloc( MAX_CONTACTS, sizeof( joContactEvent ) );
    }
}

void modelFree( modelWorld* model )
{
    free( model->contacts[0] );
    free( model->contacts[1] );
    for ( uint32_t i = 0; i < 4 * model_listCount; ++i )
    {
        free( model->lists[i / 6][i / 3 % 2][i % 3].events );
    }
}

// What points into the model points there again: it is the same one.
void modelSave( const modelWorld* model, modelCopy* copy )
{
    modelFreeCopy( copy );
    copy->world = malloc( sizeof( modelWorld ) );
    copy->contacts = calloc( MAX_CONTACTS, sizeof( modelContact ) );
    *copy->world = *model;
    memcpy( copy->contacts, model->contacts[0], model->contactCount * sizeof( modelContact ) );
}

void modelLoad( modelWorld* model, const modelCopy* copy )
{
    const modelWorld own = *model;
    *model = *copy->world;
    memcpy( model->contacts, own.contacts, sizeof( own.contacts ) );
    memcpy( model->contacts[0], copy->contacts, model->contactCount * sizeof( modelContact ) );
    memcpy( model->lists, own.lists, sizeof( own.lists ) );
    for ( uint32_t i = 0; i < 4 * model_listCount; ++i )
    {
        model->lists[i / 6][i / 3 % 2][i % 3].count = 0;
    }
}

void modelFreeCopy( modelCopy* copy )
{
    free( copy->world );
    free( copy->contacts );
    *copy = ( modelCopy ){ 0 };
}

modelBody* modelAddBody( modelWorld* model )
{
    return model->bodyCount < MODEL_MAX ? &model->bodies[model->bodyCount++] : NULL;
}

modelCollider* modelAddCollider( modelWorld* model )
{
    return model->colliderCount < MODEL_MAX ? &model->colliders[model->colliderCount++] : NULL;
}

static bool isPair( const joBodyId pair[2], joBodyId a, joBodyId b )
{
    return ( pair[0].bits == a.bits && pair[1].bits == b.bits ) ||
           ( pair[0].bits == b.bits && pair[1].bits == a.bits );
}

bool modelIgnores( const modelWorld* model, joBodyId a, joBodyId b )
{
    bool found = false;
    for ( uint32_t i = 0; i < model->ignoredCount; ++i )
    {
        found = found || isPair( model->ignored[i], a, b );
    }
    return found;
}

static void removeIgnored( modelWorld* model, uint32_t i )
{
    model->ignoredCount -= 1;
    memcpy( model->ignored[i], model->ignored[model->ignoredCount], sizeof( model->ignored[i] ) );
}

void modelSetIgnored( modelWorld* model, joBodyId a, joBodyId b, bool isIgnored )
{
    for ( uint32_t i = model->ignoredCount; i > 0; --i )
    {
        if ( isPair( model->ignored[i - 1], a, b ) )
        {
            removeIgnored( model, i - 1 );
        }
    }
    if ( isIgnored && model->ignoredCount < MODEL_MAX )
    {
        model->ignored[model->ignoredCount][0] = a;
        model->ignored[model->ignoredCount++][1] = b;
    }
}

void modelWake( modelBody* body )
{
    body->isAsleep = false;
    body->isChanged = true;
    body->restTime = 0.0f;
}

void modelKillBody( modelWorld* model, modelBody* body )
{
    body->isAlive = false;
    for ( uint32_t i = 0; i < model->colliderCount; ++i )
    {
        if ( model->colliders[i].body == body )
        {
            model->colliders[i].isAlive = false;
        }
    }
    for ( uint32_t i = model->ignoredCount; i > 0; --i )
    {
        if ( model->ignored[i - 1][0].bits == body->id.bits ||
             model->ignored[i - 1][1].bits == body->id.bits )
        {
            removeIgnored( model, i - 1 );
        }
    }
}

static uint32_t indexOf( uint64_t bits )
{
    return (uint32_t)bits & 0xFFFFFFu;
}

// The rules of docs/world.md, one after the other.
static bool mayMeet( const modelWorld* model, const modelCollider* a, const modelCollider* b )
{
    const uint64_t* rows = model->def.layerMeets;
    if ( !a->isAlive || !b->isAlive || a->body == b->body )
        return false;
    if ( !a->isEnabled || !b->isEnabled || !a->body->isEnabled || !b->body->isEnabled )
        return false;
    if ( a->body->type == jo_staticBody && b->body->type == jo_staticBody )
        return false;
    if ( a->filter.group != 0 && a->filter.group == b->filter.group )
        return false;
    if ( ( a->filter.mask >> b->filter.layer & 1 ) == 0 || ( b->filter.mask >> a->filter.layer & 1 ) == 0 )
        return false;
    if ( ( rows[a->filter.layer] >> b->filter.layer & 1 ) == 0 ||
         ( rows[b->filter.layer] >> a->filter.layer & 1 ) == 0 )
        return false;
    return !modelIgnores( model, a->body->id, b->body->id );
}

static joTransform2 pose2Of( const modelCollider* collider )
{
    const joTransform2 identity = joMakeIdentity2();
    return memcmp( &collider->local2, &identity, sizeof( identity ) ) == 0
               ? collider->body->pose2
               : joMultiplyTransforms2( collider->body->pose2, collider->local2 );
}

static joTransform3 pose3Of( const modelCollider* collider )
{
    const joTransform3 identity = joMakeIdentity3();
    return memcmp( &collider->local3, &identity, sizeof( identity ) ) == 0
               ? collider->body->pose3
               : joMultiplyTransforms3( collider->body->pose3, collider->local3 );
}

// Fills how they touch; false: farther apart than leaveMargin.
static bool touch2( const modelWorld* model, modelContact* contact )
{
    const joTransform2 poseA = pose2Of( contact->a ), poseB = pose2Of( contact->b );
    joManifold2 manifold;
    if ( joCollide2( &contact->a->shape2, &poseA, &contact->b->shape2, &poseB, model->def.leaveMargin, NULL,
             &manifold ) != jo_success )
    {
        return false;
    }
    uint32_t deepest = 0;
    for ( uint32_t i = 1; i < manifold.pointCount; ++i )
    {
        deepest = manifold.points[i].depth > manifold.points[deepest].depth ? i : deepest;
    }
    contact->event.normal[0] = manifold.normal.x;
    contact->event.normal[1] = manifold.normal.y;
    contact->event.point[0] = manifold.points[deepest].position.x;
    contact->event.point[1] = manifold.points[deepest].position.y;
    contact->event.depth = manifold.depth;
    return manifold.pointCount > 0;
}

static bool touch3( const modelWorld* model, modelContact* contact )
{
    const joTransform3 poseA = pose3Of( contact->a ), poseB = pose3Of( contact->b );
    joManifold3 manifold;
    if ( joCollide3( &contact->a->shape3, &poseA, &contact->b->shape3, &poseB, model->def.leaveMargin, NULL,
             &manifold ) != jo_success )
    {
        return false;
    }
    uint32_t deepest = 0;
    for ( uint32_t i = 1; i < manifold.pointCount; ++i )
    {
        deepest = manifold.points[i].depth > manifold.points[deepest].depth ? i : deepest;
    }
    contact->event.normal[0] = manifold.normal.x;
    contact->event.normal[1] = manifold.normal.y;
    contact->event.normal[2] = manifold.normal.z;
    contact->event.point[0] = manifold.points[deepest].position.x;
    contact->event.point[1] = manifold.points[deepest].position.y;
    contact->event.point[2] = manifold.points[deepest].position.z;
    contact->event.depth = manifold.depth;
    return manifold.pointCount > 0;
}

// The contact of these two colliders, by id, in a set; null if it is not there.
static const modelContact* findContact(
    const modelContact* set, uint32_t count, joColliderId a, joColliderId b )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        if ( set[i].a->id.bits == a.bits && set[i].b->id.bits == b.bits )
        {
            return set + i;
        }
    }
    return NULL;
}

static bool findTouch( const modelWorld* model, modelContact* contact )
{
    if ( !( model->def.dimension == 2 ? touch2( model, contact ) : touch3( model, contact ) ) )
    {
        return false;
    }
    const bool touched =
        findContact( model->contacts[0], model->contactCount, contact->a->id, contact->b->id ) != NULL;
    return -contact->event.depth <= ( touched ? model->def.leaveMargin : model->def.contactMargin );
}

static int compareContacts( const void* a, const void* b )
{
    const joContactEvent* x = &( (const modelContact*)a )->event;
    const joContactEvent* y = &( (const modelContact*)b )->event;
    const uint64_t keysX[4] = { x->bodyA.bits, x->bodyB.bits, x->colliderA.bits, x->colliderB.bits };
    const uint64_t keysY[4] = { y->bodyA.bits, y->bodyB.bits, y->colliderA.bits, y->colliderB.bits };
    for ( int i = 0; i < 4; ++i )
    {
        if ( indexOf( keysX[i] ) != indexOf( keysY[i] ) )
        {
            return indexOf( keysX[i] ) < indexOf( keysY[i] ) ? -1 : 1;
        }
    }
    return 0;
}

static void fillUserData( modelContact* contact )
{
    joContactEvent* event = &contact->event;
    event->userDataA = contact->a->body->userData;
    event->userDataB = contact->b->body->userData;
    event->colliderUserDataA = contact->a->userData;
    event->colliderUserDataB = contact->b->userData;
}

static uint32_t findAll( const modelWorld* model, modelContact* found )
{
    uint32_t count = 0;
    for ( uint32_t i = 0; i < model->colliderCount; ++i )
    {
        for ( uint32_t k = i + 1; k < model->colliderCount && count < MAX_CONTACTS; ++k )
        {
            const modelCollider* a = &model->colliders[i];
            const modelCollider* b = &model->colliders[k];
            if ( !mayMeet( model, a, b ) )
            {
                continue;
            }
            const bool isTurned = indexOf( a->body->id.bits ) > indexOf( b->body->id.bits );
            modelContact contact = { .a = isTurned ? b : a, .b = isTurned ? a : b };
            contact.event.bodyA = contact.a->body->id;
            contact.event.bodyB = contact.b->body->id;
            contact.event.colliderA = contact.a->id;
            contact.event.colliderB = contact.b->id;
            contact.event.isTrigger = a->isTrigger || b->isTrigger;
            if ( findTouch( model, &contact ) )
            {
                fillUserData( &contact );
                found[count++] = contact;
            }
        }
    }
    qsort( found, count, sizeof( modelContact ), compareContacts );
    return count;
}

static bool isSamePair( const joContactEvent* a, const joContactEvent* b, bool perBody )
{
    if ( a->isTrigger != b->isTrigger || a->bodyA.bits != b->bodyA.bits || a->bodyB.bits != b->bodyB.bits )
    {
        return false;
    }
    return perBody || ( a->colliderA.bits == b->colliderA.bits && a->colliderB.bits == b->colliderB.bits );
}

static bool contains( const modelContact* set, uint32_t count, const joContactEvent* event, bool perBody )
{
    bool found = false;
    for ( uint32_t i = 0; i < count && !found; ++i )
    {
        found = isSamePair( &set[i].event, event, perBody );
    }
    return found;
}

// A pair of two that are still is not told of, though it goes on.
static bool isStill( const modelBody* body )
{
    return ( body->type == jo_staticBody || body->isAsleep ) && !body->isChanged;
}

static bool isStillPair( const modelContact* contact )
{
    return isStill( contact->a->body ) && isStill( contact->b->body );
}

static void append( modelWorld* model, const joContactEvent* event, bool perBody, int which )
{
    modelList* list = &model->lists[event->isTrigger][perBody][which];
    list->events[list->count++] = *event;
}

static void makeLists( modelWorld* model, uint32_t nowCount )
{
    modelContact* last = model->contacts[0];
    const modelContact* now = model->contacts[1];
    for ( int perBody = 0; perBody < 2; ++perBody )
    {
        for ( uint32_t i = 0; i < nowCount; ++i )
        {
            // The first pair of a pair of bodies speaks for it.
            if ( !perBody || !contains( now, i, &now[i].event, true ) )
            {
                const bool was = contains( last, model->contactCount, &now[i].event, perBody );
                if ( !was || !isStillPair( now + i ) )
                {
                    append( model, &now[i].event, perBody, was ? model_stays : model_enters );
                }
            }
        }
        for ( uint32_t i = 0; i < model->contactCount; ++i )
        {
            fillUserData( last + i );
            if ( ( !perBody || !contains( last, i, &last[i].event, true ) ) &&
                 !contains( now, nowCount, &last[i].event, perBody ) )
            {
                append( model, &last[i].event, perBody, model_exits );
            }
        }
    }
}

// Whether all of its velocity is zero; what cannot be read is not at rest.
static bool isAtRest( const modelWorld* model, const joWorld* world, const modelBody* body )
{
    joBodyDef2 def2;
    joBodyDef3 def3;
    if ( model->def.dimension == 2 )
    {
        return joWorld_GetBody2( world, body->id, &def2 ) == jo_success && def2.velocity.x == 0.0f &&
               def2.velocity.y == 0.0f && def2.angularVelocity == 0.0f;
    }
    return joWorld_GetBody3( world, body->id, &def3 ) == jo_success && def3.velocity.x == 0.0f &&
           def3.velocity.y == 0.0f && def3.velocity.z == 0.0f && def3.angularVelocity.x == 0.0f &&
           def3.angularVelocity.y == 0.0f && def3.angularVelocity.z == 0.0f;
}

static void fallAsleep( modelWorld* model, const joWorld* world, float dt )
{
    for ( uint32_t i = 0; i < model->bodyCount; ++i )
    {
        modelBody* body = &model->bodies[i];
        body->isChanged = false;
        if ( body->isAlive && body->isEnabled && body->type != jo_staticBody && !body->isAsleep )
        {
            body->restTime = isAtRest( model, world, body ) ? body->restTime + dt : 0.0f;
            body->isAsleep = body->restTime >= model->def.sleepTime;
        }
    }
}

static bool readPoses( modelWorld* model, const joWorld* world )
{
    joResult result = jo_success;
    for ( uint32_t i = 0; i < model->bodyCount && result == jo_success; ++i )
    {
        modelBody* body = &model->bodies[i];
        if ( body->isAlive )
        {
            result = model->def.dimension == 2 ? joWorld_GetPose2( world, body->id, &body->pose2 )
                                               : joWorld_GetPose3( world, body->id, &body->pose3 );
        }
    }
    return result == jo_success;
}

// Moves the living together; contacts point to their new places. None of this step's contacts is of a dead
// one.
static void forgetDead( modelWorld* model )
{
    static uint32_t bodyPlaces[MODEL_MAX], colliderPlaces[MODEL_MAX];
    uint32_t bodies = 0, colliders = 0;
    for ( uint32_t i = 0; i < model->bodyCount; ++i )
    {
        bodyPlaces[i] = bodies;
        if ( model->bodies[i].isAlive )
        {
            model->bodies[bodies++] = model->bodies[i];
        }
    }
    for ( uint32_t i = 0; i < model->colliderCount; ++i )
    {
        colliderPlaces[i] = colliders;
        if ( model->colliders[i].isAlive )
        {
            const uint32_t body = (uint32_t)( model->colliders[i].body - model->bodies );
            model->colliders[colliders] = model->colliders[i];
            model->colliders[colliders++].body = &model->bodies[bodyPlaces[body]];
        }
    }
    for ( uint32_t i = 0; i < model->contactCount; ++i )
    {
        modelContact* contact = &model->contacts[0][i];
        contact->a = &model->colliders[colliderPlaces[contact->a - model->colliders]];
        contact->b = &model->colliders[colliderPlaces[contact->b - model->colliders]];
    }
    model->bodyCount = bodies;
    model->colliderCount = colliders;
}

bool modelStep( modelWorld* model, const joWorld* world, float dt )
{
    if ( !readPoses( model, world ) )
    {
        return false;
    }
    for ( uint32_t i = 0; i < 4 * model_listCount; ++i )
    {
        model->lists[i / 6][i / 3 % 2][i % 3].count = 0;
    }
    const uint32_t count = findAll( model, model->contacts[1] );
    makeLists( model, count );
    modelContact* last = model->contacts[0];
    model->contacts[0] = model->contacts[1];
    model->contacts[1] = last;
    model->contactCount = count;
    fallAsleep( model, world, dt );
    forgetDead( model );
    return true;
}

uint32_t modelGetContacts( const modelWorld* model, joBodyId id, joContactEvent* contacts )
{
    uint32_t count = 0;
    for ( uint32_t i = 0; i < model->contactCount; ++i )
    {
        modelContact contact = model->contacts[0][i];
        fillUserData( &contact );
        if ( contact.a->isAlive && contact.b->isAlive &&
             ( contact.event.bodyA.bits == id.bits || contact.event.bodyB.bits == id.bits ) )
        {
            contacts[count++] = contact.event;
        }
    }
    return count;
}

bool modelIsSameEvent( const joContactEvent* a, const joContactEvent* b )
{
    return isSamePair( a, b, false ) && a->userDataA == b->userDataA && a->userDataB == b->userDataB &&
           a->colliderUserDataA == b->colliderUserDataA && a->colliderUserDataB == b->colliderUserDataB &&
           a->depth == b->depth && memcmp( a->normal, b->normal, sizeof( a->normal ) ) == 0 &&
           memcmp( a->point, b->point, sizeof( a->point ) ) == 0;
}
