// SPDX-License-Identifier: MIT
// Which structure suits some boxes on this machine: runs candidates on the same frames, in turn within each
// frame, so that drift hits all alike, and drops hopeless ones early. What is measured of a frame: bringing
// the structure up to date, finding all pairs, queries. Taking in the boxes costs all the same and is left
// out.
//
// Successive halving (Jamieson and Talwalkar, "Non-stochastic Best Arm Identification and Hyperparameter
// Optimization", 2016), in three stages: a few frames of the beginning and of the second half; some more; all
// frames. Each kind keeps its best candidate to the end, unless that is quite hopeless.
#pragma once

#include "tune_source.h"

#include "jostle/jobs.h"

#define JO_TUNE_MAX_CANDIDATES 64
#define JO_TUNE_STAGES 3
#define JO_TUNE_NAME_SIZE 40

// Above this many boxes brute force is left out: it is quadratic.
#define JO_TUNE_BRUTE_FORCE_LIMIT 20000

// Milliseconds a frame.
typedef struct joTuneTimes
{
    double build, pairs, queries; // medians
    double median; // of all three together: the mean of the medians of both halves of the frames
    double mean;   // without the worst frames, one of fifty: those may have been held up
    double worst;
} joTuneTimes;

typedef struct joTuneCandidate
{
    char name[JO_TUNE_NAME_SIZE];
    joBroadPhaseDef def;
    uint32_t droppedIn;        // stage, from 1, after which it ran no more; 0: it ran to the end
    double score;              // the median of the last stage that it ran in
    joTuneTimes times;         // if it ran to the end
    double* frames;            // the same: of each frame
    uint64_t memoryBytes;      // most held after a frame
    joBroadPhaseChoice choice; // at the end

    joBroadPhase* broadPhase;
    double *build, *pairs, *queries; // of each frame of the present stage
} joTuneCandidate;

typedef struct joTuneProgress
{
    uint32_t stage; // from 1
    uint32_t frame, frameCount;
    uint32_t candidateCount; // that still run
    double secondsLeft;
} joTuneProgress;

// After each frame. False: stop.
typedef bool joTuneProgressFcn( const joTuneProgress* progress, void* context );

typedef struct joTuneDef
{
    joTuneSource* source;
    uint32_t threads;
    uint32_t queryCount;         // rays, boxes and points, so many of each in a frame
    joTuneProgressFcn* progress; // may be null
    void* progressContext;
} joTuneDef;

typedef struct joTune
{
    joTuneDef def;
    joJobs* jobs;
    joTuneCandidate candidates[JO_TUNE_MAX_CANDIDATES]; // the first are the kinds with their defaults
    uint32_t candidateCount;
    uint32_t autoIndex;
    uint32_t bestIndex;        // lowest median, but for jo_auto
    uint32_t recommendedIndex; // the first whose median is within JO_TUNE_AS_GOOD of the best
    uint64_t meanPairCount;
    float derivedCellSize;
    char error[160]; // what went wrong, if joTune_Run fails
} joTune;

// A candidate with fewer parameters is recommended if it is so near the best.
#define JO_TUNE_AS_GOOD 1.03

// tune_candidates.c: the candidates for a grid whose derived cell size is this.
void joTune_AddCandidates( joTune* tune );

// False: *tune says why (tune.error), and must be freed all the same. A stop is an error without a text.
bool joTune_Run( joTune* tune, const joTuneDef* def );
void joFreeTune( joTune* tune );

// How many times the best's cost jo_auto's is: by median, and by mean.
double joTune_Regret( const joTune* tune );
double joTune_MeanRegret( const joTune* tune );

// A def as C, ended by a newline; what is default is left out.
void joFormatDef( const joBroadPhaseDef* def, char* text, size_t capacity );

// tune_report.c: the table; an object for JSON, without an end of line.
void joPrintTune( const joTune* tune );
bool joPrintTuneJson( const joTune* tune, const char* path );

// tune_plot.c: cost by kind and by frame, as SVG, written whole or not at all. False: *error says why.
bool joPlotTune( const joTune* tune, const char* title, const char* path, joFileError* error );
