// SPDX-License-Identifier: MIT
#include "tune.h"

#include "base/timer.h"
#include "jostle/math.h"
#include "jostle/query.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Before the last stage: windows of frames, one at the beginning and one in the second half. Their first
// frames are not measured, so that arrays find their sizes.
#define WINDOWS 2
static const uint32_t warmFrames[JO_TUNE_STAGES] = { 2, 3, 3 };
static const uint32_t windowFrames[JO_TUNE_STAGES] = { 3, 6, 0 };
// After a stage those go on that cost at most so many times the best, and at most so many.
static const double dropRatio[JO_TUNE_STAGES - 1] = { 3.0, 1.5 };
static const uint32_t keptCount[JO_TUNE_STAGES - 1] = { 20, 10 };
// The best of each kind goes on besides, but beyond this; and twice as far behind nobody sees the end of a
// stage.
#define HOPELESS 10.0

#define WORST_SHARE 50 // one of so many frames does not count for the mean

#define NEAREST_COUNT 8
#define RAY_SHARE 0.1f // of the world's longest side

typedef struct Question
{
    joRay ray;
    float lower[3], upper[3];
    float point[3];
} Question;

// What is common to all stages.
typedef struct Run
{
    joTune* tune;
    Question* questions;
    float rayLength;
    uint32_t stage;
    uint32_t framesDone, frameCount; // of the stage
    double lastSeconds[JO_TUNE_MAX_CANDIDATES];
    double lastCosts[JO_TUNE_MAX_CANDIDATES];
    uint64_t pairSum;
    double* scratch; // as many as frames
} Run;

static bool Fail( joTune* tune, const char* what, joResult result )
{
    snprintf( tune->error, sizeof( tune->error ), "%s%s%s", what, *what != '\0' ? ": " : "",
        result != jo_success ? joResultText( result ) : "" );
    return false;
}

static int CompareNumbers( const void* a, const void* b )
{
    const double x = *(const double*)a, y = *(const double*)b;
    return ( x > y ) - ( x < y );
}

// Sorts them; count > 0.
static double Median( double* numbers, uint32_t count )
{
    qsort( numbers, count, sizeof( double ), CompareNumbers );
    return 0.5 * ( numbers[count / 2] + numbers[( count - 1 ) / 2] );
}

// Boxes that change their nature halfway have no median of their own. `scratch`: room for as many.
static double MedianOfHalves( const double* numbers, uint32_t count, double* scratch )
{
    memcpy( scratch, numbers, count * sizeof( double ) );
    const uint32_t half = count / 2;
    return half == 0 ? Median( scratch, count )
                     : 0.5 * ( Median( scratch, half ) + Median( scratch + half, count - half ) );
}

static double MeanWithoutWorst( const double* numbers, uint32_t count, double* scratch )
{
    memcpy( scratch, numbers, count * sizeof( double ) );
    qsort( scratch, count, sizeof( double ), CompareNumbers );
    const uint32_t kept = count > 1 ? count - ( count + WORST_SHARE - 1 ) / WORST_SHARE : 1;
    double sum = 0.0;
    for ( uint32_t i = 0; i < kept; ++i )
    {
        sum += scratch[i];
    }
    return sum / kept;
}

static bool IsRunning( const joTuneCandidate* candidate )
{
    return candidate->droppedIn == 0;
}

// --- queries ----------------------------------------------------------------------------------------------

static void MakeQuestions( Run* run )
{
    const joTuneSource* source = run->tune->def.source;
    joRandom random = joMakeRandom( 977 + source->frame );
    for ( uint32_t q = 0; q < run->tune->def.queryCount; ++q )
    {
        Question* question = run->questions + q;
        const float* box = source->boxes + (size_t)joRandom_Below( &random, source->count ) * JO_BOX_FLOATS;
        float lengthSq = 0.0f;
        for ( int axis = 0; axis < source->dimension; ++axis )
        {
            const float centre = 0.5f * box[axis] + 0.5f * box[3 + axis];
            question->point[axis] = isfinite( centre ) ? centre : 0.0f;
            question->ray.origin[axis] = question->point[axis];
            question->ray.direction[axis] = joRandom_Normal( &random );
            lengthSq += question->ray.direction[axis] * question->ray.direction[axis];
            question->lower[axis] = box[axis];
            question->upper[axis] = box[3 + axis];
        }
        question->ray.direction[0] = lengthSq > 0.0f ? question->ray.direction[0] : 1.0f;
        question->ray.length = run->rayLength;
    }
}

static joResult AskAll( const Run* run, const joBroadPhase* broadPhase, uint64_t* found )
{
    joResult result = jo_success;
    for ( uint32_t q = 0; q < run->tune->def.queryCount && result == jo_success; ++q )
    {
        const Question* question = run->questions + q;
        joHit hit;
        uint64_t overlaps = 0, nearest = 0;
        result = joBroadPhase_CastRayClosest( broadPhase, &question->ray, NULL, &hit );
        if ( result == jo_success )
        {
            result = joBroadPhase_OverlapBox(
                broadPhase, question->lower, question->upper, NULL, NULL, 0, &overlaps );
        }
        joHit hits[NEAREST_COUNT];
        if ( result == jo_success )
        {
            result = joBroadPhase_FindNearest(
                broadPhase, question->point, NEAREST_COUNT, INFINITY, NULL, hits, NEAREST_COUNT, &nearest );
        }
        *found += overlaps + nearest + ( hit.key != JO_NULL_INDEX ? 1 : 0 );
    }
    return result;
}

static float FindWorldSide( const joTuneSource* source )
{
    float longest = 0.0f;
    for ( int axis = 0; axis < source->dimension; ++axis )
    {
        float lower = INFINITY, upper = -INFINITY;
        for ( uint32_t i = 0; i < source->count; ++i )
        {
            const float* box = source->boxes + (size_t)i * JO_BOX_FLOATS;
            lower = isfinite( box[axis] ) && box[axis] < lower ? box[axis] : lower;
            upper = isfinite( box[3 + axis] ) && box[3 + axis] > upper ? box[3 + axis] : upper;
        }
        longest = upper - lower > longest && isfinite( upper - lower ) ? upper - lower : longest;
    }
    return longest;
}

// --- a frame ----------------------------------------------------------------------------------------------

static joResult Open( const joTune* tune, joTuneCandidate* candidate )
{
    joDestroyBroadPhase( candidate->broadPhase );
    candidate->broadPhase = NULL;
    joResult result = joCreateBroadPhase( &candidate->def, &candidate->broadPhase );
    if ( result == jo_success && tune->def.source->stillCount > 0 )
    {
        const joBoxes still = joTuneSource_ViewStill( tune->def.source );
        result = joBroadPhase_AddBoxes( candidate->broadPhase, jo_resting, &still, NULL );
    }
    return result;
}

// One frame of one candidate. `slot`: where its times go.
static joResult RunFrame(
    Run* run, joTuneCandidate* candidate, uint32_t slot, uint64_t* pairCount, uint64_t* found )
{
    const joBoxes boxes = joTuneSource_ViewMoving( run->tune->def.source );
    joResult result = joBroadPhase_SetBoxes( candidate->broadPhase, &boxes, NULL );
    const uint64_t begin = joGetNanoseconds();
    // Who asks for pairs only has no need of it: what it makes ready for queries would be done for nothing.
    if ( result == jo_success && run->tune->def.queryCount > 0 )
    {
        result = joBroadPhase_Update( candidate->broadPhase );
    }
    const uint64_t built = joGetNanoseconds();
    if ( result == jo_success )
    {
        result = joBroadPhase_FindPairs( candidate->broadPhase, NULL, 0, pairCount );
    }
    const uint64_t paired = joGetNanoseconds();
    if ( result == jo_success )
    {
        result = AskAll( run, candidate->broadPhase, found );
    }
    const uint64_t end = joGetNanoseconds();
    candidate->build[slot] = 1e-6 * (double)( built - begin );
    candidate->pairs[slot] = 1e-6 * (double)( paired - built );
    candidate->queries[slot] = 1e-6 * (double)( end - paired );
    run->lastSeconds[candidate - run->tune->candidates] = 1e-9 * (double)( end - begin );
    const uint64_t bytes = joBroadPhase_GetStats( candidate->broadPhase ).memoryBytes;
    candidate->memoryBytes = bytes > candidate->memoryBytes ? bytes : candidate->memoryBytes;
    return result;
}

static double SumLastSeconds( const Run* run, uint32_t* running )
{
    double sum = 0.0;
    *running = 0;
    for ( uint32_t i = 0; i < run->tune->candidateCount; ++i )
    {
        if ( IsRunning( run->tune->candidates + i ) )
        {
            sum += run->lastSeconds[i];
            *running += 1;
        }
    }
    return sum;
}

static uint32_t CountStageFrames( const joTune* tune, uint32_t stage )
{
    return stage + 1 < JO_TUNE_STAGES ? WINDOWS * ( warmFrames[stage] + windowFrames[stage] )
                                      : warmFrames[stage] + tune->def.source->frameCount;
}

static bool ShowProgress( Run* run )
{
    const joTune* tune = run->tune;
    if ( tune->def.progress == NULL )
    {
        return true;
    }
    uint32_t running;
    const double frameSeconds = SumLastSeconds( run, &running );
    double left = frameSeconds * ( run->frameCount - run->framesDone );
    for ( uint32_t stage = run->stage + 1; stage < JO_TUNE_STAGES; ++stage )
    {
        // Each drops the dearer half, more or less.
        left += 0.4 * frameSeconds * CountStageFrames( tune, stage );
    }
    const joTuneProgress progress = { run->stage + 1, run->framesDone, run->frameCount, running, left };
    return tune->def.progress( &progress, tune->def.progressContext );
}

// Another order in each frame: whoever runs before leaves the caches cold, more or less.
static void Shuffle( const Run* run, uint32_t* order )
{
    joRandom random = joMakeRandom( 1000 * run->stage + run->framesDone );
    for ( uint32_t i = 0; i < run->tune->candidateCount; ++i )
    {
        const uint32_t j = joRandom_Below( &random, i + 1 );
        order[i] = order[j];
        order[j] = i;
    }
}

// One frame of all that run.
static bool RunAll( Run* run, uint32_t slot )
{
    joTune* tune = run->tune;
    uint32_t order[JO_TUNE_MAX_CANDIDATES];
    Shuffle( run, order );
    uint64_t expectedPairs = 0, expectedFound = 0;
    const joTuneCandidate* first = NULL;
    MakeQuestions( run );
    for ( uint32_t k = 0; k < tune->candidateCount; ++k )
    {
        joTuneCandidate* candidate = tune->candidates + order[k];
        if ( !IsRunning( candidate ) )
        {
            continue;
        }
        uint64_t pairCount = 0, found = 0;
        joResult result = RunFrame( run, candidate, slot, &pairCount, &found );
        if ( result != jo_success )
        {
            return Fail( tune, candidate->name, result );
        }
        if ( first != NULL && ( pairCount != expectedPairs || found != expectedFound ) )
        {
            snprintf( tune->error, sizeof( tune->error ), "frame %u: %s and %s give different answers",
                tune->def.source->frame, first->name, candidate->name );
            return false;
        }
        first = candidate;
        expectedPairs = pairCount;
        expectedFound = found;
    }
    run->pairSum += expectedPairs;
    run->framesDone += 1;
    return ShowProgress( run );
}

// --- stages -----------------------------------------------------------------------------------------------

static double BestScore( const joTune* tune )
{
    double best = INFINITY;
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        const joTuneCandidate* candidate = tune->candidates + i;
        best = IsRunning( candidate ) && candidate->score < best ? candidate->score : best;
    }
    return best;
}

// Does not wait for the end of the stage with those that are far behind.
static void DropHopeless( Run* run, uint32_t slot )
{
    joTune* tune = run->tune;
    double* before = run->lastCosts;
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        joTuneCandidate* candidate = tune->candidates + i;
        if ( IsRunning( candidate ) )
        {
            // Of two frames the better: one may have been held up.
            const double cost = candidate->build[slot] + candidate->pairs[slot] + candidate->queries[slot];
            candidate->score = cost < before[i] ? cost : before[i];
            before[i] = cost;
        }
    }
    const double best = BestScore( tune );
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        joTuneCandidate* candidate = tune->candidates + i;
        if ( IsRunning( candidate ) && i != tune->autoIndex && candidate->score > 2.0 * HOPELESS * best )
        {
            candidate->droppedIn = run->stage + 1;
        }
    }
}

static bool IsBestOfKind( const joTune* tune, const joTuneCandidate* candidate )
{
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        const joTuneCandidate* other = tune->candidates + i;
        if ( other->def.kind == candidate->def.kind && IsRunning( other ) && other->score < candidate->score )
        {
            return false;
        }
    }
    return true;
}

static uint32_t CountBetter( const joTune* tune, const joTuneCandidate* candidate )
{
    uint32_t better = 0;
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        better += IsRunning( tune->candidates + i ) && tune->candidates[i].score < candidate->score ? 1 : 0;
    }
    return better;
}

static void DropSlow( joTune* tune, uint32_t stage )
{
    const double best = BestScore( tune );
    bool drops[JO_TUNE_MAX_CANDIDATES] = { false };
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        joTuneCandidate* candidate = tune->candidates + i;
        const bool isBest = IsBestOfKind( tune, candidate );
        const bool isSlow = candidate->score > ( isBest ? HOPELESS : dropRatio[stage] ) * best;
        const bool isTooMany = !isBest && CountBetter( tune, candidate ) >= keptCount[stage];
        drops[i] = IsRunning( candidate ) && i != tune->autoIndex && ( isSlow || isTooMany );
    }
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        tune->candidates[i].droppedIn = drops[i] ? stage + 1 : tune->candidates[i].droppedIn;
    }
}

static bool OpenAll( joTune* tune )
{
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        joResult result = IsRunning( tune->candidates + i ) ? Open( tune, tune->candidates + i ) : jo_success;
        if ( result != jo_success )
        {
            return Fail( tune, tune->candidates[i].name, result );
        }
    }
    return true;
}

// Frames from `first` on, the first ones again as warm-up. Times of the measured ones go to slots from `slot`
// on.
static bool RunWindow( Run* run, uint32_t first, uint32_t measured, uint32_t slot )
{
    joTuneSource* source = run->tune->def.source;
    const uint32_t warm = warmFrames[run->stage];
    if ( !joTuneSource_Seek( source, first ) )
    {
        return Fail( run->tune, "", jo_errorOutOfMemory );
    }
    if ( !OpenAll( run->tune ) )
    {
        return false;
    }
    for ( uint32_t frame = 0; frame < warm + measured; ++frame )
    {
        if ( frame >= warm && !joTuneSource_Seek( source, first + frame - warm ) )
        {
            return Fail( run->tune, "", jo_errorOutOfMemory );
        }
        const uint32_t target = frame < warm ? slot : slot + frame - warm;
        if ( !RunAll( run, target ) )
        {
            return false;
        }
        if ( run->stage == 0 )
        {
            DropHopeless( run, target );
        }
    }
    return true;
}

static void Score( const Run* run, joTuneCandidate* candidate, uint32_t count )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        candidate->frames[i] = candidate->build[i] + candidate->pairs[i] + candidate->queries[i];
    }
    candidate->score = MedianOfHalves( candidate->frames, count, run->scratch );
}

static bool RunStage( Run* run, uint32_t stage )
{
    joTune* tune = run->tune;
    const uint32_t frameCount = tune->def.source->frameCount;
    run->stage = stage;
    run->framesDone = 0;
    run->frameCount = CountStageFrames( tune, stage );
    run->pairSum = 0;
    uint32_t measured = frameCount;
    bool good;
    if ( stage + 1 == JO_TUNE_STAGES )
    {
        good = RunWindow( run, 0, frameCount, 0 );
    }
    else
    {
        // Of few frames the windows are the halves.
        const uint32_t half = frameCount > 1 ? frameCount / 2 : 1;
        const uint32_t length = windowFrames[stage] < half ? windowFrames[stage] : half;
        measured = WINDOWS * length;
        good = RunWindow( run, 0, length, 0 );
        good = good && RunWindow( run, frameCount - length, length, length );
    }
    for ( uint32_t i = 0; i < tune->candidateCount && good; ++i )
    {
        if ( IsRunning( tune->candidates + i ) )
        {
            Score( run, tune->candidates + i, measured );
        }
    }
    if ( good && stage + 1 < JO_TUNE_STAGES )
    {
        DropSlow( tune, stage );
    }
    return good;
}

static void Conclude( Run* run )
{
    joTune* tune = run->tune;
    const uint32_t count = tune->def.source->frameCount;
    double best = INFINITY;
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        joTuneCandidate* candidate = tune->candidates + i;
        if ( !IsRunning( candidate ) )
        {
            continue;
        }
        joTuneTimes* times = &candidate->times;
        *times = ( joTuneTimes ){ .median = candidate->score };
        times->build = MedianOfHalves( candidate->build, count, run->scratch );
        times->pairs = MedianOfHalves( candidate->pairs, count, run->scratch );
        times->queries = MedianOfHalves( candidate->queries, count, run->scratch );
        times->mean = MeanWithoutWorst( candidate->frames, count, run->scratch );
        for ( uint32_t frame = 0; frame < count; ++frame )
        {
            times->worst = candidate->frames[frame] > times->worst ? candidate->frames[frame] : times->worst;
        }
        joBroadPhase_GetChoice( candidate->broadPhase, &candidate->choice );
        if ( i != tune->autoIndex && times->median < best )
        {
            best = times->median;
            tune->bestIndex = i;
        }
    }
    tune->recommendedIndex = tune->bestIndex;
    for ( uint32_t i = tune->candidateCount; i-- > 0; )
    {
        const joTuneCandidate* candidate = tune->candidates + i;
        const bool isAsGood = IsRunning( candidate ) && candidate->times.median <= JO_TUNE_AS_GOOD * best;
        tune->recommendedIndex = i != tune->autoIndex && isAsGood ? i : tune->recommendedIndex;
    }
    tune->meanPairCount = run->pairSum / run->frameCount;
}

// --- the whole --------------------------------------------------------------------------------------------

static joResult DeriveCellSize( joTune* tune )
{
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    def.dimension = tune->def.source->dimension;
    joBroadPhase* broadPhase = NULL;
    joResult result = joCreateBroadPhase( &def, &broadPhase );
    if ( result == jo_success )
    {
        const joBoxes boxes = joViewBoxArray( tune->def.source->boxes, tune->def.source->count );
        result = joBroadPhase_SetBoxes( broadPhase, &boxes, NULL );
    }
    if ( result == jo_success )
    {
        result = joBroadPhase_Update( broadPhase );
        tune->derivedCellSize = joBroadPhase_GetStats( broadPhase ).cellSize;
    }
    joDestroyBroadPhase( broadPhase );
    return result;
}

static joResult Prepare( Run* run )
{
    joTune* tune = run->tune;
    const uint32_t longest = WINDOWS * windowFrames[1];
    const uint32_t frames = tune->def.source->frameCount;
    const uint32_t room = frames > longest ? frames : longest;
    joJobsDef jobsDef = joDefaultJobsDef();
    jobsDef.workerCount = tune->def.threads;
    joResult result = tune->def.threads > 1 ? joCreateJobs( &jobsDef, &tune->jobs ) : jo_success;
    if ( result == jo_success )
    {
        result = DeriveCellSize( tune );
    }
    if ( result != jo_success )
    {
        return result;
    }
    joTune_AddCandidates( tune );
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        joTuneCandidate* candidate = tune->candidates + i;
        double** columns[] = {
            &candidate->frames, &candidate->build, &candidate->pairs, &candidate->queries };
        for ( size_t k = 0; k < sizeof( columns ) / sizeof( columns[0] ); ++k )
        {
            *columns[k] = calloc( room, sizeof( double ) );
            result = *columns[k] == NULL ? jo_errorOutOfMemory : result;
        }
    }
    run->scratch = calloc( room, sizeof( double ) );
    run->questions = calloc( (size_t)tune->def.queryCount + 1, sizeof( Question ) );
    run->rayLength = RAY_SHARE * FindWorldSide( tune->def.source );
    return run->questions == NULL || run->scratch == NULL ? jo_errorOutOfMemory : result;
}

bool joTune_Run( joTune* tune, const joTuneDef* def )
{
    memset( tune, 0, sizeof( *tune ) );
    tune->def = *def;
    Run run = { .tune = tune };
    joResult result = Prepare( &run );
    bool good = result == jo_success || Fail( tune, "", result );
    for ( uint32_t stage = 0; stage < JO_TUNE_STAGES && good; ++stage )
    {
        good = RunStage( &run, stage );
    }
    if ( good )
    {
        Conclude( &run );
    }
    free( run.questions );
    free( run.scratch );
    return good;
}

void joFreeTune( joTune* tune )
{
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        joTuneCandidate* candidate = tune->candidates + i;
        joDestroyBroadPhase( candidate->broadPhase );
        free( candidate->frames );
        free( candidate->build );
        free( candidate->pairs );
        free( candidate->queries );
    }
    joDestroyJobs( tune->jobs );
    memset( tune, 0, sizeof( *tune ) );
}

double joTune_Regret( const joTune* tune )
{
    return tune->candidates[tune->autoIndex].times.median / tune->candidates[tune->bestIndex].times.median;
}

double joTune_MeanRegret( const joTune* tune )
{
    double best = INFINITY;
    for ( uint32_t i = 0; i < tune->candidateCount; ++i )
    {
        const joTuneCandidate* candidate = tune->candidates + i;
        if ( i != tune->autoIndex && IsRunning( candidate ) && candidate->times.mean < best )
        {
            best = candidate->times.mean;
        }
    }
    return tune->candidates[tune->autoIndex].times.mean / best;
}
