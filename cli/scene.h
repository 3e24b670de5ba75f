// SPDX-License-Identifier: MIT
// A scene: a world's settings and what is in it, as read from a JSON file. The format stands in
// docs/scenes.md. What is dimension-free stands as three numbers, of which 2D uses two.
#pragma once

#include "shape_reader.h"

#include "jostle/world_2d.h"
#include "jostle/world_3d.h"
#include "jostle/world_slide.h"

#include <stddef.h>

// An upright box in the world, that grows with the scale of a run.
typedef struct joSceneArea
{
    float lower[3], upper[3];
} joSceneArea;

typedef enum joBehaviourKind
{
    jo_noBehaviour = 0,
    jo_bounceBehaviour, // turns its velocity round at the sides of an area
    jo_flyBehaviour,    // goes straight; what leaves the area comes in on the other side
    jo_chaseBehaviour,  // goes to the nearest body that has a collider of a layer
    jo_patrolBehaviour, // goes from point to point, and from the last one to the first
    jo_scriptBehaviour, // a character that runs and jumps when a list says so
    jo_behaviourKindCount
} joBehaviourKind;

// From a time on.
typedef struct joSceneInput
{
    float time;    // seconds, not before that of the input before it
    float move[3]; // world units per second; its part along y is not looked at
    float jump;    // world units per second, upwards, at that time; 0: none
} joSceneInput;

typedef struct joBehaviour
{
    joBehaviourKind kind;
    joSceneArea area; // bounce, fly
    uint32_t layer;   // chase
    float speed;      // world units per second: chase, patrol
    float* points;    // owned; patrol: three numbers each
    uint32_t pointCount;
    joSceneInput* inputs; // owned; script
    uint32_t inputCount;
} joBehaviour;

typedef struct joSceneCollider
{
    joFileShape shape; // its pose is that of the collider on the body
    joColliderFilter filter;
    joMaterial material;
    bool isTrigger;
    float oneWay[3]; // as in joWorld_SetColliderOneWay; zero: it stops from all sides
} joSceneCollider;

// Where an emitter puts its bodies.
typedef struct joSceneEmitter
{
    uint32_t count; // 0: it is one body, where its pose says
    uint64_t seed;
    joSceneArea area;
    bool isLattice;  // at random places of a lattice over the area, not anywhere in it
    float jitter;    // of a place of the lattice, in parts of its cell, 0 to 1
    bool isTurned;   // at random
    float speeds[2]; // world units per second, in random directions: from, to
} joSceneEmitter;

// A body, or all bodies of an emitter.
typedef struct joSceneBody
{
    char* name; // owned; never null
    joBodyDef2 def2;
    joBodyDef3 def3;
    joSlideDef slide;           // if its response is jo_slide
    joSceneCollider* colliders; // owned
    uint32_t colliderCount;
    joBehaviour behaviour;
    uint64_t vanishLayers; // it is destroyed after it has begun to touch a collider of these layers
    joSceneEmitter emitter;
} joSceneBody;

// What is done to the bodies of emitters at random, between steps: create, destroy, teleport, refilter,
// resize.
typedef struct joSceneDisturbance
{
    uint32_t perStep; // operations; 0: none
    uint64_t seed;
    joSceneArea area;
    joFileShape* shapes; // owned; what a collider may get
    uint32_t shapeCount;
} joSceneDisturbance;

typedef struct joSceneView
{
    bool isGiven;             // else all that is there
    bool isFromAbove;         // 3D: along -y, z down the page; else along -z, y up it
    float lower[2], upper[2]; // on the page, in world units
} joSceneView;

typedef struct joScene
{
    char* about; // owned; null: nothing is said
    int dimension;
    uint32_t steps; // how long it runs if nobody says
    float timeStep; // seconds
    joWorldDef worldDef;
    char* layerNames[JO_MAX_LAYERS]; // owned
    uint32_t layerCount;             // 0: none has a name
    joSceneBody* bodies;             // owned; bodies, then emitters
    uint32_t bodyCount;
    joSceneDisturbance disturbance;
    joSceneView view;
} joScene;

// False: *error says why, and there is nothing to free.
bool joLoadScene( const char* path, joScene* scene, joJsonError* error );
// The same of the text of a file, which ends with a zero.
bool joParseScene( const char* text, joScene* scene, joJsonError* error );
void joFreeScene( joScene* scene );
