// SPDX-License-Identifier: MIT
// The numbers of a row, of whatever race.
#include "race.h"

#include "allocations.h"

#include <stdio.h>

uint64_t benchMix( uint64_t value )
{
    value ^= value >> 30;
    value *= 0xbf58476d1ce4e5b9u;
    value ^= value >> 27;
    value *= 0x94d049bb133111ebu;
    return value ^ ( value >> 31 );
}

benchRow benchMakeRow( const benchContestant* contestant )
{
    benchRow row = { .threads = contestant->threads, .ours = contestant->ours, .deepest = -1.0 };
    snprintf( row.library, sizeof( row.library ), "%s", contestant->library );
    snprintf( row.version, sizeof( row.version ), "%s", contestant->version );
    snprintf( row.kind, sizeof( row.kind ), "%s", contestant->kind );
    snprintf( row.isa, sizeof( row.isa ), "%s", contestant->isa );
    row.countedAllocations = contestant->isJostles && benchCountsAllocations();
    row.memory = contestant->countsMemory ? contestant->memory( contestant->state ) : 0;
    return row;
}

static int CompareTimes( const void* a, const void* b )
{
    uint64_t timeA = *(const uint64_t*)a;
    uint64_t timeB = *(const uint64_t*)b;
    return timeA < timeB ? -1 : timeA > timeB;
}

uint64_t benchMedian( uint64_t* times, uint32_t count )
{
    if ( count == 0 )
    {
        return 0;
    }
    qsort( times, count, sizeof( uint64_t ), CompareTimes );
    uint32_t half = count / 2;
    return count % 2 == 1 ? times[half] : ( times[half - 1] + times[half] ) / 2;
}

void benchSetTimes( benchRow* row, uint64_t* times, uint32_t count )
{
    row->frames = count;
    row->medianNs = benchMedian( times, count );
    row->minNs = times[0];
}

double benchNsPerItem( const benchRow* row )
{
    return (double)row->medianNs / row->items;
}

void benchSetRatios( benchRace* race )
{
    for ( uint32_t i = 0; i < race->rowCount; ++i )
    {
        double best = 0.0;
        for ( uint32_t j = 0; j < race->rowCount; ++j )
        {
            const benchRow* row = &race->rows[j];
            bool counts = row->ours && row->threads == race->rows[i].threads;
            best = counts && ( best == 0.0 || benchNsPerItem( row ) < best ) ? benchNsPerItem( row ) : best;
        }
        race->rows[i].ratio = best > 0.0 ? benchNsPerItem( &race->rows[i] ) / best : 0.0;
    }
}
