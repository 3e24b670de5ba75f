// SPDX-License-Identifier: MIT
#include "query_judge.h"

#include "base/float_env.h"
#include "race.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct benchJudge
{
    const benchQueryScene* scene;
    double tolerance;
    // Of the first contestant to answer each query: of any library, and of jostle.
    benchAnswers any, ours;
    uint32_t anyCount, oursCount;
};

benchAnswers benchMakeAnswers( const benchQueryScene* scene )
{
    const size_t places = (size_t)scene->queryCount * scene->answersEach;
    benchAnswers answers = { .counts = benchAllocate( scene->queryCount, sizeof( uint32_t ) ) };
    if ( scene->queryBoxes != NULL )
    {
        answers.keys = benchAllocate( places, sizeof( uint32_t ) );
    }
    else
    {
        answers.hits = benchAllocate( places, sizeof( joHit ) );
    }
    return answers;
}

void benchFreeAnswers( benchAnswers* answers )
{
    free( answers->counts );
    free( answers->hits );
    free( answers->keys );
}

benchJudge* benchCreateJudge( const benchQueryScene* scene )
{
    benchJudge* judge = benchAllocate( 1, sizeof( benchJudge ) );
    judge->scene = scene;
    // Whether boxes overlap is decided by comparisons, which do not round.
    const bool isExact = scene->queryBoxes != NULL && scene->spheres == NULL;
    judge->tolerance = isExact ? 0.0 : BENCH_CLOSE_CALL * (double)scene->side;
    judge->any = benchMakeAnswers( scene );
    judge->ours = benchMakeAnswers( scene );
    return judge;
}

void benchDestroyJudge( benchJudge* judge )
{
    if ( judge != NULL )
    {
        benchFreeAnswers( &judge->any );
        benchFreeAnswers( &judge->ours );
        free( judge );
    }
}

// The answers to one query.
typedef struct Reply
{
    uint32_t query;
    uint32_t count;
    const joHit* hits;    // or
    const uint32_t* keys; // these
} Reply;

static Reply ReplyTo( const benchJudge* judge, const benchAnswers* answers, uint32_t query )
{
    const size_t place = (size_t)query * judge->scene->answersEach;
    return ( Reply ){ query, answers->counts[query], answers->hits != NULL ? answers->hits + place : NULL,
        answers->keys != NULL ? answers->keys + place : NULL };
}

static uint32_t KeyAt( Reply reply, uint32_t i )
{
    return reply.hits != NULL ? reply.hits[i].key : reply.keys[i];
}

// Of answer i. There is none: nothing is met.
static double DistanceAt( const benchJudge* judge, Reply reply, uint32_t i, double grow )
{
    return i < reply.count ? benchQueryDistance( judge->scene, reply.query, KeyAt( reply, i ), grow )
                           : (double)INFINITY;
}

// Keys of somebody, each once, and distances that are theirs as far as rounding goes.
static bool IsSound( const benchJudge* judge, Reply reply )
{
    const double tolerance = judge->tolerance;
    bool isSound = reply.count <= judge->scene->answersEach;
    for ( uint32_t i = 0; isSound && i < reply.count; ++i )
    {
        const double distance = reply.hits != NULL ? (double)reply.hits[i].distance : 0.0;
        isSound = KeyAt( reply, i ) < judge->scene->count &&
                  distance >= DistanceAt( judge, reply, i, tolerance ) - tolerance &&
                  distance <= DistanceAt( judge, reply, i, -tolerance ) + tolerance;
        for ( uint32_t j = 0; isSound && j < i; ++j )
        {
            isSound = KeyAt( reply, j ) != KeyAt( reply, i );
        }
    }
    return isSound;
}

static bool NamesTheSame( Reply a, Reply b )
{
    bool same = a.count == b.count;
    for ( uint32_t i = 0; same && i < a.count; ++i )
    {
        same = KeyAt( a, i ) == KeyAt( b, i );
    }
    return same;
}

static bool AreSameBits( Reply a, Reply b )
{
    return NamesTheSame( a, b ) &&
           ( a.hits == NULL || memcmp( a.hits, b.hits, a.count * sizeof( joHit ) ) == 0 );
}

// Of hits by distance: no one's i-th is farther than the other's would be if that one were harder to meet.
static bool AreCloseHits( const benchJudge* judge, Reply a, Reply b )
{
    const double tolerance = judge->tolerance;
    bool areClose = true;
    for ( uint32_t i = 0; areClose && ( i < a.count || i < b.count ); ++i )
    {
        areClose =
            DistanceAt( judge, a, i, tolerance ) <= DistanceAt( judge, b, i, -tolerance ) + tolerance &&
            DistanceAt( judge, b, i, tolerance ) <= DistanceAt( judge, a, i, -tolerance ) + tolerance;
    }
    return areClose;
}

// Whether all keys of `a` that `b` has not are met only if they are larger, and not if they are smaller.
static bool AreMarginal( const benchJudge* judge, Reply a, Reply b )
{
    for ( uint32_t i = 0; i < a.count; ++i )
    {
        bool isInBoth = false;
        for ( uint32_t j = 0; j < b.count; ++j )
        {
            isInBoth = isInBoth || KeyAt( a, i ) == KeyAt( b, j );
        }
        if ( !isInBoth && DistanceAt( judge, a, i, -judge->tolerance ) < (double)INFINITY )
        {
            return false;
        }
    }
    return true;
}

static bool AreCloseCalls( const benchJudge* judge, Reply a, Reply b )
{
    return a.hits != NULL ? AreCloseHits( judge, a, b )
                          : AreMarginal( judge, a, b ) && AreMarginal( judge, b, a );
}

static uint64_t HashOf( Reply reply, uint32_t places )
{
    uint64_t hash = benchMix( (uint64_t)reply.query << 32 | reply.count );
    for ( uint32_t i = 0; i < reply.count && i < places; ++i )
    {
        hash = benchMix( hash + KeyAt( reply, i ) );
    }
    return hash;
}

static void Describe( Reply reply )
{
    fprintf( stderr, " %u answers", reply.count );
    if ( reply.count > 0 )
    {
        fprintf( stderr, ", the first %u", KeyAt( reply, 0 ) );
    }
    if ( reply.count > 0 && reply.hits != NULL )
    {
        fprintf( stderr, " at %.9g", (double)reply.hits[0].distance );
    }
}

static void Complain(
    const benchJudge* judge, const benchContestant* contestant, Reply reply, Reply before, const char* what )
{
    fprintf( stderr, "jostle-bench: MISMATCH: %s, query %u: %s %s (%u threads): %s:",
        benchQueryWorkloadText( judge->scene->workload ), reply.query, contestant->library, contestant->kind,
        contestant->threads, what );
    Describe( reply );
    fprintf( stderr, "; before:" );
    Describe( before );
    fprintf( stderr, "\n" );
}

static void Keep( const benchJudge* judge, benchAnswers* kept, uint32_t* keptCount,
    const benchAnswers* answers, uint32_t queryCount )
{
    if ( queryCount <= *keptCount )
    {
        return;
    }
    const size_t each = judge->scene->answersEach;
    const size_t count = queryCount - *keptCount;
    memcpy( kept->counts + *keptCount, answers->counts + *keptCount, count * sizeof( uint32_t ) );
    if ( kept->hits != NULL )
    {
        memcpy( kept->hits + *keptCount * each, answers->hits + *keptCount * each,
            count * each * sizeof( joHit ) );
    }
    if ( kept->keys != NULL )
    {
        memcpy( kept->keys + *keptCount * each, answers->keys + *keptCount * each,
            count * each * sizeof( uint32_t ) );
    }
    *keptCount = queryCount;
}

static int CompareKeys( const void* a, const void* b )
{
    const uint32_t keyA = *(const uint32_t*)a;
    const uint32_t keyB = *(const uint32_t*)b;
    return keyA < keyB ? -1 : keyA > keyB;
}

// Peers give overlaps in an order of their own.
static void SortKeys( const benchJudge* judge, benchAnswers* answers, uint32_t queryCount )
{
    const size_t each = judge->scene->answersEach;
    for ( uint32_t query = 0; query < queryCount; ++query )
    {
        const uint32_t count = answers->counts[query];
        qsort( answers->keys + query * each, count < each ? count : each, sizeof( uint32_t ), CompareKeys );
    }
}

benchVerdict benchJudgeAnswers( benchJudge* judge, const benchContestant* contestant, benchAnswers* answers,
    uint32_t queryCount, uint32_t hashCount )
{
    benchVerdict verdict = { .right = true };
    if ( !contestant->ours && answers->keys != NULL )
    {
        SortKeys( judge, answers, queryCount );
    }
    Keep( judge, &judge->any, &judge->anyCount, answers, queryCount );
    if ( contestant->ours )
    {
        Keep( judge, &judge->ours, &judge->oursCount, answers, queryCount );
    }
    for ( uint32_t query = 0; query < queryCount; ++query )
    {
        const Reply reply = ReplyTo( judge, answers, query );
        const Reply any = ReplyTo( judge, &judge->any, query );
        Reply known = reply;
        const char* fault = NULL;
        if ( !IsSound( judge, reply ) )
        {
            fault = "a key or a distance that is none";
        }
        else if ( contestant->ours && !AreSameBits( reply, ReplyTo( judge, &judge->ours, query ) ) )
        {
            fault = "not the bits of another row of jostle's";
        }
        else if ( !NamesTheSame( reply, any ) )
        {
            const bool isClose = AreCloseCalls( judge, reply, any );
            fault = isClose ? NULL : "another answer";
            known = isClose ? any : reply;
            verdict.closeCalls += isClose ? 1 : 0;
        }
        if ( fault != NULL && verdict.right )
        {
            Complain( judge, contestant, reply, any, fault );
        }
        verdict.right = verdict.right && fault == NULL;
        verdict.results += reply.count;
        verdict.hash += query < hashCount ? HashOf( known, judge->scene->answersEach ) : 0;
    }
    return verdict;
}
