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
    return ( benchAnswers ){
        benchAllocate( scene->queryCount, sizeof( uint32_t ) ), benchAllocate( places, sizeof( joHit ) ) };
}

void benchFreeAnswers( benchAnswers* answers )
{
    free( answers->counts );
    free( answers->hits );
}

benchJudge* benchCreateJudge( const benchQueryScene* scene )
{
    benchJudge* judge = benchAllocate( 1, sizeof( benchJudge ) );
    judge->scene = scene;
    judge->tolerance = BENCH_CLOSE_CALL * (double)scene->side;
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

static void Keep( const benchJudge* judge, benchAnswers* kept, uint32_t* keptCount,
    const benchAnswers* answers, uint32_t queryCount )
{
    if ( queryCount > *keptCount )
    {
        const size_t each = judge->scene->answersEach;
        const size_t count = queryCount - *keptCount;
        memcpy( kept->counts + *keptCount, answers->counts + *keptCount, count * sizeof( uint32_t ) );
        memcpy( kept->hits + *keptCount * each, answers->hits + *keptCount * each,
            count * each * sizeof( joHit ) );
        *keptCount = queryCount;
    }
}

static const joHit* HitsOf( const benchJudge* judge, const benchAnswers* answers, uint32_t query )
{
    return answers->hits + (size_t)query * judge->scene->answersEach;
}

// Keys of somebody, at distances that are theirs as far as rounding goes.
static bool IsSound( const benchJudge* judge, const benchAnswers* answers, uint32_t query )
{
    const joHit* hits = HitsOf( judge, answers, query );
    const double tolerance = judge->tolerance;
    bool isSound = answers->counts[query] <= judge->scene->answersEach;
    for ( uint32_t i = 0; isSound && i < answers->counts[query]; ++i )
    {
        const double distance = (double)hits[i].distance;
        isSound = hits[i].key < judge->scene->count &&
                  distance >= benchQueryDistance( judge->scene, query, hits[i].key, tolerance ) - tolerance &&
                  distance <= benchQueryDistance( judge->scene, query, hits[i].key, -tolerance ) + tolerance;
    }
    return isSound;
}

static double DistanceOf( const benchJudge* judge, const benchAnswers* answers, uint32_t query, double grow )
{
    return answers->counts[query] > 0
               ? benchQueryDistance( judge->scene, query, HitsOf( judge, answers, query )->key, grow )
               : (double)INFINITY;
}

// Nobody's nearest hit is farther than the other's would be if that one were harder to meet.
static bool AreCloseCalls(
    const benchJudge* judge, const benchAnswers* a, const benchAnswers* b, uint32_t query )
{
    const double tolerance = judge->tolerance;
    return DistanceOf( judge, a, query, tolerance ) <=
               DistanceOf( judge, b, query, -tolerance ) + tolerance &&
           DistanceOf( judge, b, query, tolerance ) <= DistanceOf( judge, a, query, -tolerance ) + tolerance;
}

static bool NamesTheSame(
    const benchJudge* judge, const benchAnswers* a, const benchAnswers* b, uint32_t query )
{
    bool same = a->counts[query] == b->counts[query];
    for ( uint32_t i = 0; same && i < a->counts[query]; ++i )
    {
        same = HitsOf( judge, a, query )[i].key == HitsOf( judge, b, query )[i].key;
    }
    return same;
}

static bool AreSameBits(
    const benchJudge* judge, const benchAnswers* a, const benchAnswers* b, uint32_t query )
{
    return a->counts[query] == b->counts[query] &&
           memcmp( HitsOf( judge, a, query ), HitsOf( judge, b, query ),
               a->counts[query] * sizeof( joHit ) ) == 0;
}

static uint64_t HashOf( const benchJudge* judge, const benchAnswers* answers, uint32_t query )
{
    const joHit* hits = HitsOf( judge, answers, query );
    uint64_t hash = benchMix( (uint64_t)query << 32 | answers->counts[query] );
    for ( uint32_t i = 0; i < answers->counts[query] && i < judge->scene->answersEach; ++i )
    {
        hash = benchMix( hash + hits[i].key );
    }
    return hash;
}

static void DescribeAnswers( const benchJudge* judge, const benchAnswers* answers, uint32_t query )
{
    const joHit* hit = HitsOf( judge, answers, query );
    fprintf( stderr, " %u answers", answers->counts[query] );
    if ( answers->counts[query] > 0 )
    {
        fprintf( stderr, ", the first %u at %.9g", hit->key, (double)hit->distance );
    }
}

static void Complain( const benchJudge* judge, const benchContestant* contestant, const benchAnswers* answers,
    const benchAnswers* others, uint32_t query, const char* what )
{
    fprintf( stderr, "jostle-bench: MISMATCH: %s, query %u: %s %s (%u threads): %s:",
        benchQueryWorkloadText( judge->scene->workload ), query, contestant->library, contestant->kind,
        contestant->threads, what );
    DescribeAnswers( judge, answers, query );
    fprintf( stderr, "; before:" );
    DescribeAnswers( judge, others, query );
    fprintf( stderr, "\n" );
}

benchVerdict benchJudgeAnswers( benchJudge* judge, const benchContestant* contestant,
    const benchAnswers* answers, uint32_t queryCount, uint32_t hashCount )
{
    benchVerdict verdict = { .right = true };
    Keep( judge, &judge->any, &judge->anyCount, answers, queryCount );
    if ( contestant->ours )
    {
        Keep( judge, &judge->ours, &judge->oursCount, answers, queryCount );
    }
    for ( uint32_t query = 0; query < queryCount; ++query )
    {
        const benchAnswers* known = answers;
        const char* fault = NULL;
        verdict.results += answers->counts[query];
        if ( !IsSound( judge, answers, query ) )
        {
            fault = "wrong distance or key";
        }
        else if ( contestant->ours && !AreSameBits( judge, answers, &judge->ours, query ) )
        {
            fault = "not the bits of another row of jostle's";
        }
        else if ( !NamesTheSame( judge, answers, &judge->any, query ) )
        {
            known = &judge->any;
            fault = AreCloseCalls( judge, answers, &judge->any, query ) ? NULL : "another answer";
            verdict.closeCalls += fault == NULL;
        }
        if ( fault != NULL && verdict.right )
        {
            Complain(
                judge, contestant, answers, contestant->ours ? &judge->ours : &judge->any, query, fault );
        }
        verdict.right = verdict.right && fault == NULL;
        verdict.hash += query < hashCount ? HashOf( judge, fault == NULL ? known : answers, query ) : 0;
    }
    return verdict;
}
