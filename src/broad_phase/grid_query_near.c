// SPDX-License-Identifier: MIT
// The nearest on the grid: rows in rings around the point's own, until a ring is farther than the limit,
// which shrinks as things are found. A box is handed over from its row that is nearest to the point: that of
// the coordinates that are nearest to the point's, since cells are monotone.
#include "grid_query.h"

#include "base/float_env.h"

#include <math.h>

typedef struct Rings
{
    joGridQuery* query;
    int64_t center[2];  // cell of the point
    int64_t ring;       // being visited
    int64_t visited[2]; // cell of it
} Rings;

static int64_t clampCell( int64_t cell, int64_t first, int64_t last )
{
    return cell < first ? first : cell > last ? last : cell;
}

static int64_t stepsBetween( int64_t a, int64_t b )
{
    return a < b ? b - a : a - b;
}

static int64_t largerOf( int64_t a, int64_t b )
{
    return a > b ? a : b;
}

// The cell of a box, on one axis, that is nearest to the point.
static int64_t nearestCell( const Rings* rings, const joGridCells* cells, uint32_t k )
{
    return clampCell( rings->center[k], cells->first[k], cells->last[k] );
}

static bool ownsInRing( const void* context, const joBoxColumns* columns, uint32_t position )
{
    const Rings* rings = context;
    const joGridCells cells = joGridQuery_CellsOf( rings->query, columns, position );
    return nearestCell( rings, &cells, 0 ) == rings->visited[0] &&
           nearestCell( rings, &cells, 1 ) == rings->visited[1];
}

// All rows, after the rings before `ring`, and the cells before the one to be visited of that.
static bool ownsBeyondRings( const void* context, const joBoxColumns* columns, uint32_t position )
{
    const Rings* rings = context;
    const joGridCells cells = joGridQuery_CellsOf( rings->query, columns, position );
    const int64_t nearest0 = nearestCell( rings, &cells, 0 );
    const int64_t nearest1 = nearestCell( rings, &cells, 1 );
    const int64_t ring =
        largerOf( stepsBetween( nearest0, rings->center[0] ), stepsBetween( nearest1, rings->center[1] ) );
    const bool isAhead =
        nearest0 > rings->visited[0] || ( nearest0 == rings->visited[0] && nearest1 >= rings->visited[1] );
    return joGridQuery_IsHome( columns, position ) &&
           ( ring > rings->ring || ( ring == rings->ring && isAhead ) );
}

// Distance of the point from a cell on one axis, or less.
static double distanceTo( const Rings* rings, uint32_t k, int64_t cell )
{
    if ( cell == rings->center[k] )
    {
        return 0.0;
    }
    const double place = (double)rings->query->probe->point[joGridQuery_Axis( rings->query, k )];
    double lower, upper;
    joGridQuery_CellBounds( rings->query, cell, &lower, &upper );
    const double distance = cell > rings->center[k] ? lower - place : place - upper;
    return distance > 0.0 ? distance : 0.0;
}

static void visitCell( const Rings* rings )
{
    const double distance0 = distanceTo( rings, 0, rings->visited[0] );
    const double distance1 = distanceTo( rings, 1, rings->visited[1] );
    const joRowWindow window = { .distanceSq = distance0 * distance0 + distance1 * distance1 };
    if ( window.distanceSq <= (double)rings->query->probe->limitSq )
    {
        joGridQuery_VisitRow(
            rings->query, rings->visited[0], rings->visited[1], &window, ownsInRing, rings );
    }
}

// Whether nothing in this ring or beyond can be within the limit.
static bool isBeyond( const Rings* rings )
{
    const joGridCells* cells = &rings->query->extent->cells;
    double nearest = (double)INFINITY;
    for ( uint32_t k = 0; k < 2; ++k )
    {
        const int64_t below = rings->center[k] - rings->ring;
        const int64_t above = rings->center[k] + rings->ring;
        const double toBelow = below >= cells->first[k] ? distanceTo( rings, k, below ) : (double)INFINITY;
        const double toAbove = above <= cells->last[k] ? distanceTo( rings, k, above ) : (double)INFINITY;
        nearest = toBelow < nearest ? toBelow : nearest;
        nearest = toAbove < nearest ? toAbove : nearest;
    }
    return nearest * nearest > (double)rings->query->probe->limitSq;
}

// Cells of the table on one axis that the ring reaches.
static void clipRing( const Rings* rings, uint32_t k, int64_t* first, int64_t* last )
{
    const joGridCells* cells = &rings->query->extent->cells;
    const int64_t below = rings->center[k] - rings->ring;
    const int64_t above = rings->center[k] + rings->ring;
    *first = below > cells->first[k] ? below : cells->first[k];
    *last = above < cells->last[k] ? above : cells->last[k];
}

// Visits the cells of the ring, in order of the first axis, then the second. False: the budget is spent, and
// rings->visited is the next one.
static bool visitRing( Rings* rings )
{
    joGridQuery* query = rings->query;
    const int64_t ring = rings->ring;
    int64_t first0, last0, first1, last1;
    clipRing( rings, 0, &first0, &last0 );
    clipRing( rings, 1, &first1, &last1 );
    for ( int64_t cell0 = first0; cell0 <= last0; ++cell0 )
    {
        const bool isWhole = stepsBetween( cell0, rings->center[0] ) == ring;
        int64_t cell1 = isWhole ? first1 : rings->center[1] - ring;
        for ( ; cell1 <= last1; cell1 += isWhole ? 1 : 2 * ring )
        {
            rings->visited[0] = cell0;
            rings->visited[1] = cell1;
            if ( query->budget < 0 )
            {
                return false;
            }
            if ( cell1 >= first1 )
            {
                visitCell( rings );
            }
        }
        query->budget -= 1;
    }
    return true;
}

void joGridQuery_Point( joGridQuery* query )
{
    const joProbe* probe = query->probe;
    float nearness;
    if ( !joProbe_Meets(
             probe, query->extent->bounds, query->extent->bounds + 3, probe->axisCount, &nearness ) )
    {
        return;
    }
    Rings rings = { .query = query };
    int64_t last = 0;
    for ( uint32_t k = 0; k < 2; ++k )
    {
        const joGridCells* cells = &query->extent->cells;
        const int64_t center = joGridQuery_Cell( query, k, probe->point[joGridQuery_Axis( query, k )] );
        const int64_t nearest = clampCell( center, cells->first[k], cells->last[k] );
        rings.center[k] = center;
        rings.ring = largerOf( rings.ring, stepsBetween( center, nearest ) );
        last = largerOf( last, stepsBetween( center, cells->first[k] ) );
        last = largerOf( last, stepsBetween( center, cells->last[k] ) );
    }
    for ( ; rings.ring <= last && !probe->done && !isBeyond( &rings ); ++rings.ring )
    {
        if ( !visitRing( &rings ) )
        {
            joGridQuery_VisitAll( query, ownsBeyondRings, &rings );
            return;
        }
    }
}
