// SPDX-License-Identifier: MIT
// Rays and swept boxes on the grid. The way is cut into slabs by the cells of one row axis, the one on which
// it moves more; in each slab it crosses a few cells of the other, and a stretch of the sweep axis. After
// Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing" (1987), but nothing is carried along
// from cell to cell: what a slab holds follows from its number, with room for all roundings, so that no box
// is lost in a far corner of the world. A box that touches the way somewhere has a cell there, and so is a
// candidate of the slab of that cell.
#include "grid_query.h"

#include "base/float_env.h"

#include <float.h>
#include <math.h>

// Relative to the numbers in a coordinate, more than the roundings of lanes and exact tests (of which the
// coarsest is half a unit in the last place of a distance).
#define SLACK 0x1p-20
// Farther than any float is from any other along the flattest direction.
#define NO_END 1e75

// The way, by row axis with the sweep axis as 0.
typedef struct Way
{
    joGridQuery* query;
    double lower[3], upper[3]; // where it starts
    double speed[3];           // 0 where it does not move
    double inverse[3];
    double size[3];    // of the numbers in lower and upper
    double begin, end; // distances between which it may meet anything of the table
    uint32_t major;    // the row axis that cuts it, 0 or 1
    int64_t first;     // cells on it, in the order of the way
    int64_t last;
    int64_t step;
} Way;

// What of the way has a cell of the major axis.
typedef struct Slab
{
    double begin, end;  // distances
    int64_t minorFirst; // cells on the other axis; none if minorLast is less
    int64_t minorLast;
    float sweepLower, sweepUpper; // on the sweep axis
} Slab;

// A visit to one row.
typedef struct Visit
{
    const Way* way;
    Slab slab;
    int64_t major, minor;
} Visit;

static float toFloat( double x )
{
    return x > (double)FLT_MAX ? INFINITY : x < -(double)FLT_MAX ? -INFINITY : (float)x;
}

static double finiteSize( double x )
{
    return isfinite( x ) ? fabs( x ) : 0.0;
}

// Where on axis k the way is between two distances.
static void spanOf( const Way* way, uint32_t k, double begin, double end, double* lower, double* upper )
{
    const double from = way->speed[k] * begin;
    const double to = way->speed[k] * end;
    const double slack = ( way->size[k] + fabs( from ) + fabs( to ) ) * SLACK;
    *lower = way->lower[k] + ( from < to ? from : to ) - slack;
    *upper = way->upper[k] + ( from < to ? to : from ) + slack;
}

// Cells of the table on a row axis where the way is between two distances.
static void cellsOf( const Way* way, uint32_t k, double begin, double end, int64_t* first, int64_t* last )
{
    const joGridCells* all = &way->query->extent->cells;
    double lower, upper;
    spanOf( way, k + 1, begin, end, &lower, &upper );
    *first = joGridQuery_Cell( way->query, k, toFloat( lower ) );
    *last = joGridQuery_Cell( way->query, k, toFloat( upper ) );
    *first = *first > all->first[k] ? *first : all->first[k];
    *last = *last < all->last[k] ? *last : all->last[k];
}

static Slab slabOf( const Way* way, int64_t cell )
{
    Slab slab = { .begin = way->begin, .end = way->end };
    const uint32_t axis = way->major + 1;
    const double speed = way->speed[axis];
    if ( speed != 0.0 && way->query->table->period[way->major] > 1 )
    {
        double lower, upper;
        joGridQuery_CellBounds( way->query, cell, &lower, &upper );
        const double slack = ( way->size[axis] + finiteSize( lower ) + finiteSize( upper ) ) * SLACK;
        const double toLower = lower - slack - way->upper[axis];
        const double toUpper = upper + slack - way->lower[axis];
        const double begin = ( speed > 0.0 ? toLower : toUpper ) * way->inverse[axis];
        const double end = ( speed > 0.0 ? toUpper : toLower ) * way->inverse[axis];
        slab.begin = begin > slab.begin ? begin : slab.begin;
        slab.end = end < slab.end ? end : slab.end;
    }
    double lower, upper;
    spanOf( way, 0, slab.begin, slab.end, &lower, &upper );
    slab.sweepLower = toFloat( lower );
    slab.sweepUpper = toFloat( upper );
    cellsOf( way, 1 - way->major, slab.begin, slab.end, &slab.minorFirst, &slab.minorLast );
    return slab;
}

static bool isCandidate(
    const Way* way, const Slab* slab, const joGridCells* cells, float lower, float upper )
{
    const uint32_t minor = 1 - way->major;
    return cells->first[minor] <= slab->minorLast && cells->last[minor] >= slab->minorFirst &&
           lower <= slab->sweepUpper && upper >= slab->sweepLower;
}

// The first cell on the minor axis in which the slab meets a box; INT64_MAX: the box is no candidate of it.
static int64_t firstMinor( const Visit* visit, const joGridCells* cells, float lower, float upper )
{
    const Way* way = visit->way;
    const int64_t first = cells->first[1 - way->major];
    if ( visit->major < cells->first[way->major] || visit->major > cells->last[way->major] ||
         !isCandidate( way, &visit->slab, cells, lower, upper ) )
    {
        return INT64_MAX;
    }
    return first > visit->slab.minorFirst ? first : visit->slab.minorFirst;
}

// Whether a box was a candidate of a slab before `cell`, in the order of the way.
static bool isVisitedBefore(
    const Way* way, int64_t cell, const joGridCells* cells, float lower, float upper )
{
    const uint32_t k = way->major;
    const int64_t start = way->step > 0 ? cells->first[k] : cells->last[k];
    int64_t before = ( start - way->first ) * way->step > 0 ? start : way->first;
    for ( ; ( cell - before ) * way->step > 0; before += way->step )
    {
        if ( before < cells->first[k] || before > cells->last[k] )
        {
            return false;
        }
        const Slab slab = slabOf( way, before );
        if ( isCandidate( way, &slab, cells, lower, upper ) )
        {
            return true;
        }
    }
    return false;
}

static bool ownsOnWay( const void* context, const joBoxColumns* columns, uint32_t position )
{
    const Visit* visit = context;
    const Way* way = visit->way;
    const uint32_t sweep = way->query->grid->axes[0];
    const float lower = columns->lower[sweep][position];
    const float upper = columns->upper[sweep][position];
    const joGridCells cells = joGridQuery_CellsOf( way->query, columns, position );
    return visit->minor == firstMinor( visit, &cells, lower, upper ) &&
           !isVisitedBefore( way, visit->major, &cells, lower, upper );
}

// All rows, after the slabs before `major`, and the cells before `minor` of that.
static bool ownsOffWay( const void* context, const joBoxColumns* columns, uint32_t position )
{
    const Visit* visit = context;
    const Way* way = visit->way;
    const uint32_t sweep = way->query->grid->axes[0];
    const float lower = columns->lower[sweep][position];
    const float upper = columns->upper[sweep][position];
    const joGridCells cells = joGridQuery_CellsOf( way->query, columns, position );
    return joGridQuery_IsHome( columns, position ) &&
           visit->minor <= firstMinor( visit, &cells, lower, upper ) &&
           !isVisitedBefore( way, visit->major, &cells, lower, upper );
}

static void setAxis( Way* way, uint32_t k )
{
    const joProbe* probe = way->query->probe;
    const uint32_t axis = way->query->grid->axes[k];
    const bool isFlat = !isfinite( probe->ray.inverse[axis] );
    const bool isBackward = probe->ray.isBackward[axis];
    way->lower[k] = (double)( isBackward ? probe->ray.nearOrigin[axis] : probe->ray.farOrigin[axis] );
    way->upper[k] = (double)( isBackward ? probe->ray.farOrigin[axis] : probe->ray.nearOrigin[axis] );
    way->speed[k] = isFlat ? 0.0 : (double)probe->direction[axis];
    way->inverse[k] = isFlat ? 0.0 : (double)probe->ray.inverse[axis];
    way->size[k] = finiteSize( way->lower[k] ) + finiteSize( way->upper[k] );
    // The table ends, and so does what the way may meet of it.
    const double toEnd = isBackward ? (double)way->query->extent->bounds[axis] - way->upper[k]
                                    : (double)way->query->extent->bounds[3 + axis] - way->lower[k];
    const double end = isFlat ? NO_END : toEnd * way->inverse[k] * ( 1.0 + SLACK );
    way->end = end < way->end ? end : way->end;
}

static Way makeWay( joGridQuery* query, float begin )
{
    const joProbe* probe = query->probe;
    const joGridTable* table = query->table;
    Way way = { .query = query, .begin = (double)begin };
    way.end = isfinite( probe->limit ) ? (double)probe->limit * ( 1.0 + SLACK ) : NO_END;
    for ( uint32_t k = 0; k < 3; ++k )
    {
        if ( k < probe->axisCount )
        {
            setAxis( &way, k );
        }
    }
    way.end = way.end > way.begin ? way.end : way.begin;
    const bool isSecondFaster = fabs( way.speed[2] ) > fabs( way.speed[1] );
    way.major = table->period[1] > 1 && ( isSecondFaster || table->period[0] == 1 ) ? 1 : 0;
    int64_t first, last;
    cellsOf( &way, way.major, way.begin, way.end, &first, &last );
    way.step = way.speed[way.major + 1] < 0.0 ? -1 : 1;
    way.first = way.step > 0 ? first : last;
    way.last = way.step > 0 ? last : first;
    return way;
}

void joGridQuery_Ray( joGridQuery* query )
{
    joProbe* probe = query->probe;
    float begin;
    if ( !joProbe_Meets( probe, query->extent->bounds, query->extent->bounds + 3, probe->axisCount, &begin ) )
    {
        return;
    }
    const Way way = makeWay( query, begin );
    Visit visit = { .way = &way, .major = way.first };
    for ( ; ( way.last - visit.major ) * way.step >= 0; visit.major += way.step )
    {
        visit.slab = slabOf( &way, visit.major );
        if ( visit.slab.begin > (double)probe->limit )
        {
            return;
        }
        query->budget -= 1;
        const joRowWindow window = { visit.slab.sweepLower, visit.slab.sweepUpper, 0.0 };
        for ( visit.minor = visit.slab.minorFirst;; ++visit.minor )
        {
            if ( query->budget < 0 )
            {
                joGridQuery_VisitAll( query, ownsOffWay, &visit );
                return;
            }
            if ( visit.minor > visit.slab.minorLast )
            {
                break;
            }
            const bool isFirstMajor = way.major == 0;
            joGridQuery_VisitRow( query, isFirstMajor ? visit.major : visit.minor,
                isFirstMajor ? visit.minor : visit.major, &window, ownsOnWay, &visit );
            if ( probe->done )
            {
                return;
            }
        }
    }
}
