// SPDX-License-Identifier: MIT
// jo_auto: which structure suits the objects.
//
// measure (auto_measure.c) -> traits (yes or no, each with a threshold) -> kind and parameters -> a sentence.
// All but the measuring are pure functions, of numbers that the objects alone decide: no clocks, no
// instruction sets, no threads. So the same input gives the same choice everywhere. front_structures.c says
// when it is measured, and when the choice changes.
#pragma once

#include "box_sample.h"

// What the choice goes by.
typedef struct joSceneMeasures
{
    uint32_t movingCount;
    uint32_t stillCount; // static and resting, in structures of their own

    // Of the moving objects, in the last update. Negative: not known.
    float jumpCount; // that were elsewhere in the world in the one before
    float turnover;  // share that came or went

    // Density around a box, to that of all boxes in the world they spread over. Only where slots do not keep
    // their places; else 1.
    float contrast;

    // What is no measure of the choice, but needed for the next: the axis on which the boxes spread most, and
    // how far.
    uint32_t widestAxis;
    float widestSpread;
} joSceneMeasures;

typedef enum joTrait
{
    jo_traitFew = 1,      // so few that each may be tried with each
    jo_traitMany = 2,     // too many to sweep on one axis
    jo_traitRestless = 4, // slots do not keep their places: no structure of the last frame helps
    jo_traitUneven = 8,   // crowded here, empty there
} joTrait;

typedef struct joAutoChoice
{
    joBroadPhaseKind kind;
    float looseness; // jo_tree
} joAutoChoice;

// The traits (joTrait bits) of a scene. A trait of `present` is kept until its measure has passed the
// threshold by half, so that a scene that wavers at one does not change to and fro.
uint32_t joFindTraits( const joSceneMeasures* measures, uint32_t present );

joAutoChoice joChooseForTraits( uint32_t traits );

// Whether the counts alone decide: nothing else need be measured.
bool joHasFew( const joSceneMeasures* measures, uint32_t present );

// Whether slots do not keep their places, as far as that is known.
bool joIsRestless( const joSceneMeasures* measures, uint32_t present );

// Says why, in a sentence; cut to `capacity`, always ended.
void joExplainChoice( const joSceneMeasures* measures, uint32_t traits, char* text, size_t capacity );

// Where the moving objects were in the last update, on one axis. Slots are what structures know objects by.
typedef struct joPlaces
{
    joArray centers; // float, by slot; NaN: none
    uint32_t count;
    uint32_t axis;
    float farAway; // what is a jump
    bool known;
} joPlaces;

// What there is to know before anything is looked at.
joSceneMeasures joMeasureCounts( uint32_t movingCount, uint32_t stillCount );

// The rest. sets: static, resting, moving, as in front.h. Jumps and turnover by `places`, if they are known:
// O(moving slots) then, else O(1).
void joMeasureScene( joSceneMeasures* measures, const joBoxSet* sets, const joPlaces* places,
    uint32_t axisCount, uint32_t present );

// Notes where the moving objects are, on the measured scene's widest axis; not known without memory for it.
// O(slots).
void joPlaces_Note(
    joPlaces* places, joMemory* memory, const joBoxSet* moving, const joSceneMeasures* measures );
void joPlaces_Free( joPlaces* places, joMemory* memory );

// A few of the moving objects, looked at in each update: whether about as many jump as when all were
// measured.
#define JO_WATCH_COUNT 32
typedef struct joWatch
{
    uint32_t slots[JO_WATCH_COUNT];
    float centers[JO_WATCH_COUNT]; // on the measured scene's widest axis
    uint32_t count;
} joWatch;

void joWatch_Begin( joWatch* watch, const joBoxSet* moving, const joSceneMeasures* measures );
// Whether the measured number of jumps holds no longer. O(JO_WATCH_COUNT).
bool joWatch_SeesOther( joWatch* watch, const joBoxSet* moving, const joSceneMeasures* measures );
