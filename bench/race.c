// SPDX-License-Identifier: MIT
#include "race.h"

#include "allocations.h"
#include "base/timer.h"
#include "overlap.h"
#include "two_sets_scene.h"

#include <stdio.h>
#include <string.h>

#define MAX_FRAMES 4096
#define MIN_FRAMES 3

// One contestant's numbers while the race is on.
typedef struct Lane
{
    uint64_t* times;  // of the measured frames
    uint64_t* hashes; // of all frames, warm-up too
    uint64_t*
        wholeHashes; // the same with the pairs of still boxes, if there are any and the contestant gives them
    uint32_t measured;
    uint32_t ran; // frames with a hash
    uint32_t frameLimit;
    uint64_t lastTime;
    uint64_t allocations;
    uint64_t pairs;
    double deepest;
} Lane;

typedef struct Track
{
    const benchOptions* options;
    benchScene scene;
    joWorkload* workload;  // null in a crowd and of two sets
    joCrowd* crowd;        // null but in a crowd
    benchTwoSets* twoSets; // null but of two sets
    benchField field;
    Lane lanes[BENCH_MAX_CONTESTANTS];
    benchPairList pairs;
    double *x, *y; // crowd: positions of the contestant that has just run
    uint32_t warmFrames;
    uint32_t frames;
    uint32_t frame; // warm-up ones count too
} Track;

// Of the set of pairs, in any order; a pair that is missing, wrong or there twice changes it. Without
// `whole`, pairs of two boxes that never move are left out: not all contestants are asked for them.
static uint64_t HashPairs( const benchPairList* pairs, const benchScene* scene, bool whole )
{
    uint64_t hash = 0;
    bool all = whole || scene->stillCount == 0;
    for ( uint64_t i = 0; i < pairs->count; ++i )
    {
        joPair pair = pairs->data[i];
        if ( all || scene->motion[pair.a] == jo_moving || scene->motion[pair.b] == jo_moving )
        {
            hash += benchMix( ( (uint64_t)pair.a << 32 | pair.b ) + 0x9e3779b97f4a7c15u );
        }
    }
    return hash;
}

// Of positions, in the order of the discs: the crowds of one library must be the same to the bit.
static uint64_t HashPositions( const double* x, const double* y, uint32_t count )
{
    uint64_t hash = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        uint64_t bits[2];
        memcpy( &bits[0], &x[i], sizeof( uint64_t ) );
        memcpy( &bits[1], &y[i], sizeof( uint64_t ) );
        hash = benchMix( benchMix( hash ^ bits[0] ) + bits[1] + i );
    }
    return hash;
}

static bool IsSorted( const benchPairList* pairs )
{
    for ( uint64_t i = 1; i < pairs->count; ++i )
    {
        joPair before = pairs->data[i - 1];
        joPair after = pairs->data[i];
        if ( before.a > after.a || ( before.a == after.a && before.b >= after.b ) )
        {
            return false;
        }
    }
    return true;
}

static void AddContestants( Track* track, const uint32_t* threads, uint32_t threadCount )
{
    const benchOptions* options = track->options;
    bool leaveOut = !options->kindsNamed && track->scene.count > BENCH_BRUTE_FORCE_LIMIT &&
                    track->twoSets == NULL; // of two sets it builds nothing, like all others
    if ( leaveOut )
    {
        fprintf( stderr, "jostle-bench: bruteforce is left out at %u: quadratic; --kind bruteforce runs it\n",
            track->scene.count );
    }
    for ( uint32_t t = 0; t < threadCount; ++t )
    {
        for ( int kind = 0; kind < jo_broadPhaseKindCount; ++kind )
        {
            if ( !options->kinds[kind] || ( kind == jo_bruteForce && leaveOut ) )
            {
                continue;
            }
            if ( track->twoSets != NULL )
            {
                benchAddJostleTwoSets( &track->field, (joBroadPhaseKind)kind, threads[t] );
            }
            else if ( track->crowd != NULL )
            {
                benchAddJostleCrowd( &track->field, &track->scene, (joBroadPhaseKind)kind, threads[t] );
                benchAddJostleCrowdWorld( &track->field, &track->scene, (joBroadPhaseKind)kind, threads[t] );
            }
            else
            {
                benchAddJostlePairs( &track->field, &track->scene, (joBroadPhaseKind)kind, threads[t] );
            }
        }
        if ( options->peers )
        {
            benchAddPeers( &track->field, &track->scene, threads[t] );
        }
    }
}

// The crowd starts without overlap and needs a second until it is as mixed as it stays; boxes are at once as
// they stay, but arrays need some frames to find their size, and trees to settle.
static void ChooseFrames( Track* track )
{
    uint32_t count = track->scene.count;
    uint32_t boxWarmFrames = count > 300000 ? 4 : ( count > 50000 ? 6 : 10 );
    track->warmFrames = track->crowd == NULL ? boxWarmFrames : ( count > 300000 ? 30 : 60 );
    uint32_t byCount = 2000000 / count;
    byCount = byCount < 9 ? 9 : ( byCount > 200 ? 200 : byCount );
    track->frames = track->options->frames > 0 ? track->options->frames : byCount;
    track->frames = track->frames > MAX_FRAMES ? MAX_FRAMES : track->frames;
}

static bool OpenTrack( Track* track, int workload, uint32_t count )
{
    joResult result = jo_success;
    if ( workload == BENCH_TWO_SETS )
    {
        track->twoSets = benchCreateTwoSets( count, track->options->seed );
    }
    else if ( workload == BENCH_CROWD )
    {
        result = joCreateCrowd( count, track->options->seed, &track->crowd );
    }
    else
    {
        result = joCreateWorkload( (joWorkloadKind)workload, count, track->options->seed, &track->workload );
    }
    if ( result != jo_success )
    {
        fprintf( stderr, "jostle-bench: %s at %u: %s\n", benchWorkloadText( workload ), count,
            joResultText( result ) );
        return false;
    }
    track->scene.count = count;
    track->scene.dimension = 2;
    track->scene.crowd = track->crowd;
    track->scene.twoSets = track->twoSets;
    if ( track->workload != NULL )
    {
        track->scene.boxes = track->workload->boxes;
        track->scene.motion = track->workload->motion;
        track->scene.stillCount = track->workload->stillCount;
        track->scene.dimension = track->workload->dimension;
    }
    track->x = benchAllocate( count, sizeof( double ) );
    track->y = benchAllocate( count, sizeof( double ) );
    ChooseFrames( track );
    return true;
}

static void OpenLanes( Track* track )
{
    for ( uint32_t i = 0; i < track->field.count; ++i )
    {
        Lane* lane = &track->lanes[i];
        lane->times = benchAllocate( track->frames, sizeof( uint64_t ) );
        lane->hashes = benchAllocate( track->frames + track->warmFrames, sizeof( uint64_t ) );
        if ( track->field.contestants[i].wholeList && track->scene.stillCount > 0 )
        {
            lane->wholeHashes = benchAllocate( track->frames + track->warmFrames, sizeof( uint64_t ) );
        }
        lane->frameLimit = track->frames;
        lane->deepest = -1.0;
    }
}

static void CloseTrack( Track* track )
{
    for ( uint32_t i = 0; i < track->field.count; ++i )
    {
        free( track->lanes[i].times );
        free( track->lanes[i].hashes );
        free( track->lanes[i].wholeHashes );
    }
    benchDestroyField( &track->field );
    joDestroyWorkload( track->workload );
    joDestroyCrowd( track->crowd );
    benchDestroyTwoSets( track->twoSets );
    free( track->pairs.data );
    free( track->x );
    free( track->y );
}

// --plant: spoils an answer after the fact; allocation is planted in RunFrame.
static void PlantInPairs( benchPairList* pairs, benchFault fault )
{
    if ( fault == bench_faultDrop && pairs->count > 0 )
    {
        pairs->count -= 1;
    }
    if ( fault == bench_faultDouble && pairs->count > 0 )
    {
        joPair last = pairs->data[pairs->count - 1];
        benchPushHit( pairs, last.a, last.b );
    }
    if ( fault == bench_faultSwap && pairs->count > 1 )
    {
        joPair first = pairs->data[0];
        pairs->data[0] = pairs->data[1];
        pairs->data[1] = first;
    }
}

static benchFault FaultNow( const Track* track, uint32_t index )
{
    bool now = track->frame == track->warmFrames && index == track->field.count - 1;
    return now ? track->options->fault : bench_noFault;
}

// What a contestant answered in this frame, out of the timed part.
static bool Judge( Track* track, uint32_t index, bool measured )
{
    const benchContestant* contestant = &track->field.contestants[index];
    Lane* lane = &track->lanes[index];
    bool right = true;
    uint64_t hash;
    if ( track->crowd != NULL )
    {
        contestant->positions( contestant->state, track->x, track->y );
        if ( FaultNow( track, index ) == bench_faultOverlap )
        {
            track->x[0] = track->x[1];
            track->y[0] = track->y[1];
        }
        hash = HashPositions( track->x, track->y, track->scene.count );
        double radius = (double)track->crowd->radius;
        double deepest =
            measured ? benchDeepestOverlap( track->x, track->y, track->scene.count, radius ) : -1.0;
        right = !measured || deepest >= 0.0;
        lane->deepest = deepest > lane->deepest ? deepest : lane->deepest;
    }
    else
    {
        PlantInPairs( &track->pairs, FaultNow( track, index ) );
        hash = HashPairs( &track->pairs, &track->scene, false );
        if ( lane->wholeHashes != NULL )
        {
            lane->wholeHashes[lane->ran] = HashPairs( &track->pairs, &track->scene, true );
        }
        lane->pairs = track->pairs.count;
        right = !contestant->ours || IsSorted( &track->pairs );
    }
    lane->hashes[lane->ran++] = hash;
    if ( !right )
    {
        fprintf( stderr, "jostle-bench: WRONG: %s %s, %u threads, frame %u: %s\n", contestant->library,
            contestant->kind, contestant->threads, track->frame,
            track->crowd != NULL ? "a position is not finite" : "pairs are not sorted, or are there twice" );
    }
    return right;
}

static bool RunFrame( Track* track, uint32_t index, bool measured, benchRace* race )
{
    const benchContestant* contestant = &track->field.contestants[index];
    Lane* lane = &track->lanes[index];
    bool count = contestant->isJostles && measured;
    track->pairs.count = 0;
    if ( count )
    {
        benchStartCounting();
    }
    uint64_t start = joGetNanoseconds();
    bool succeeded = contestant->frame( contestant->state, &track->scene, &track->pairs );
    uint64_t time = joGetNanoseconds() - start;
    if ( FaultNow( track, index ) == bench_faultAllocate )
    {
        benchReservePairs( &track->pairs, track->pairs.capacity + 1 );
    }
    if ( count )
    {
        lane->allocations += benchStopCounting();
    }
    if ( !succeeded )
    {
        fprintf( stderr, "jostle-bench: %s %s failed\n", contestant->library, contestant->kind );
        race->failed = true;
        return false;
    }
    if ( measured )
    {
        lane->times[lane->measured++] = time;
    }
    lane->lastTime = time;
    race->agreed &= Judge( track, index, measured );
    return true;
}

// What is slow runs fewer frames, the first ones, unless --frames says how many.
static void LimitFrames( Track* track )
{
    for ( uint32_t i = 0; i < track->field.count && track->options->frames == 0; ++i )
    {
        Lane* lane = &track->lanes[i];
        double seconds = (double)lane->lastTime * 1e-9;
        double affordable = track->options->budget / ( seconds > 0.0 ? seconds : 1e-9 );
        uint32_t limit = affordable > track->frames ? track->frames : (uint32_t)affordable;
        lane->frameLimit = limit < MIN_FRAMES ? MIN_FRAMES : limit;
    }
}

static void RunFrames( Track* track, benchRace* race )
{
    uint32_t total = track->warmFrames + track->frames;
    for ( track->frame = 0; track->frame < total; ++track->frame )
    {
        bool measured = track->frame >= track->warmFrames;
        if ( track->frame == track->warmFrames )
        {
            LimitFrames( track );
        }
        if ( track->workload != NULL )
        {
            joWorkload_Step( track->workload );
        }
        if ( track->twoSets != NULL )
        {
            benchStepTwoSets( track->twoSets );
        }
        // Each frame another one goes first: the first one finds the boxes in the cache of nobody.
        for ( uint32_t i = 0; i < track->field.count; ++i )
        {
            uint32_t index = ( i + track->frame ) % track->field.count;
            bool retired = track->lanes[index].measured == track->lanes[index].frameLimit;
            if ( !( measured && retired ) && !RunFrame( track, index, measured, race ) )
            {
                return;
            }
        }
    }
}

// The first frame in which two contestants' hashes differ, of those that both have run; UINT32_MAX if there
// is none.
static uint32_t FindDifference( const uint64_t* a, const uint64_t* b, uint32_t frames )
{
    for ( uint32_t f = 0; f < frames; ++f )
    {
        if ( a[f] != b[f] )
        {
            return f;
        }
    }
    return UINT32_MAX;
}

static void CompareTwo( const Track* track, benchRace* race, uint32_t first, uint32_t second, bool whole )
{
    const Lane* a = &track->lanes[first];
    const Lane* b = &track->lanes[second];
    const uint64_t* hashesA = whole ? a->wholeHashes : a->hashes;
    const uint64_t* hashesB = whole ? b->wholeHashes : b->hashes;
    uint32_t frame = FindDifference( hashesA, hashesB, a->ran < b->ran ? a->ran : b->ran );
    if ( frame == UINT32_MAX )
    {
        return;
    }
    const benchContestant* contestantA = &track->field.contestants[first];
    const benchContestant* contestantB = &track->field.contestants[second];
    fprintf( stderr,
        "jostle-bench: MISMATCH: %s at %u, frame %u%s: %s %s (%u threads) %016llx, %s %s (%u threads) "
        "%016llx\n",
        benchWorkloadText( race->workload ), race->count, frame, whole ? ", pairs of still boxes too" : "",
        contestantA->library, contestantA->kind, contestantA->threads, (unsigned long long)hashesA[frame],
        contestantB->library, contestantB->kind, contestantB->threads, (unsigned long long)hashesB[frame] );
    race->agreed = false;
}

// The first contestant of the same library.
static uint32_t FirstOfLibrary( const Track* track, uint32_t index )
{
    uint32_t first = 0;
    while ( strcmp( track->field.contestants[first].library, track->field.contestants[index].library ) != 0 )
    {
        first += 1;
    }
    return first;
}

// In a race for pairs all answers are compared with the first one's, and whole lists with the first whole
// one; in the crowd, jostle's with jostle's first and its world's with its world's, since each library has
// its own way of pushing.
static void Compare( const Track* track, benchRace* race )
{
    uint32_t first = UINT32_MAX;
    uint32_t firstWhole = UINT32_MAX;
    for ( uint32_t i = 0; i < track->field.count; ++i )
    {
        if ( track->crowd != NULL )
        {
            if ( track->field.contestants[i].isJostles )
            {
                CompareTwo( track, race, FirstOfLibrary( track, i ), i, false );
            }
            continue;
        }
        first = first == UINT32_MAX ? i : first;
        CompareTwo( track, race, first, i, false );
        if ( track->lanes[i].wholeHashes != NULL )
        {
            firstWhole = firstWhole == UINT32_MAX ? i : firstWhole;
            CompareTwo( track, race, firstWhole, i, true );
        }
    }
}

static void FillRow( const Track* track, uint32_t index, uint32_t commonFrames, benchRow* row )
{
    const benchContestant* contestant = &track->field.contestants[index];
    const Lane* lane = &track->lanes[index];
    *row = benchMakeRow( contestant );
    benchSetTimes( row, lane->times, lane->measured );
    row->items = track->scene.count;
    // Over the frames that all have run, so that rows with the same answers show the same hash.
    for ( uint32_t f = 0; f < commonFrames; ++f )
    {
        row->hash = benchMix( row->hash + lane->hashes[f] );
    }
    row->pairs = lane->pairs;
    row->allocations = lane->allocations;
    row->deepest = lane->deepest;
}

static void FillRows( Track* track, benchRace* race )
{
    uint32_t commonFrames = UINT32_MAX;
    for ( uint32_t i = 0; i < track->field.count; ++i )
    {
        commonFrames = track->lanes[i].ran < commonFrames ? track->lanes[i].ran : commonFrames;
    }
    race->rowCount = track->field.count;
    for ( uint32_t i = 0; i < race->rowCount; ++i )
    {
        FillRow( track, i, commonFrames, &race->rows[i] );
    }
    benchSetRatios( race );
}

void benchRunRace( benchRace* race, int workload, uint32_t count, const uint32_t* threads,
    uint32_t threadCount, const benchOptions* options )
{
    *race = ( benchRace ){ .workload = workload, .count = count, .agreed = true };
    Track* track = benchAllocate( 1, sizeof( Track ) );
    track->options = options;
    if ( !OpenTrack( track, workload, count ) )
    {
        race->failed = true;
    }
    else
    {
        AddContestants( track, threads, threadCount );
        OpenLanes( track );
        RunFrames( track, race );
        if ( !race->failed && track->field.count > 0 )
        {
            Compare( track, race );
            FillRows( track, race );
        }
    }
    CloseTrack( track );
    free( track );
}
