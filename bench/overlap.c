// SPDX-License-Identifier: MIT
#include "overlap.h"

#include <math.h>
#include <stdlib.h>

// Square cells as wide as a disc, so that discs that overlap are in the same cell or in cells side by side;
// the discs of a cell are a linked list.
typedef struct Cells
{
    double lowerX, lowerY;
    double width;
    uint32_t columns, rows;
    uint32_t* heads; // columns * rows; UINT32_MAX: empty
    uint32_t* nexts; // a disc
} Cells;

static uint32_t CellOn( double value, double lower, double width, uint32_t count )
{
    double cell = floor( ( value - lower ) / width );
    return cell <= 0.0 ? 0 : ( cell >= count ? count - 1 : (uint32_t)cell );
}

static int FindBounds( const double* values, uint32_t count, double* lower, double* upper )
{
    *lower = values[0];
    *upper = values[0];
    for ( uint32_t i = 0; i < count; ++i )
    {
        if ( !isfinite( values[i] ) )
        {
            return 0;
        }
        *lower = values[i] < *lower ? values[i] : *lower;
        *upper = values[i] > *upper ? values[i] : *upper;
    }
    return 1;
}

static int Fill( Cells* cells, const double* x, const double* y, uint32_t count )
{
    double upperX, upperY;
    if ( !FindBounds( x, count, &cells->lowerX, &upperX ) ||
         !FindBounds( y, count, &cells->lowerY, &upperY ) )
    {
        return 0;
    }
    // If something flew far away, wider cells: slower, and as right.
    double extent =
        upperX - cells->lowerX > upperY - cells->lowerY ? upperX - cells->lowerX : upperY - cells->lowerY;
    double widest = extent / ( 2.0 * sqrt( (double)count ) + 1.0 );
    cells->width = widest > cells->width ? widest : cells->width;
    cells->columns = (uint32_t)( ( upperX - cells->lowerX ) / cells->width ) + 1;
    cells->rows = (uint32_t)( ( upperY - cells->lowerY ) / cells->width ) + 1;
    size_t cellCount = (size_t)cells->columns * cells->rows;
    cells->heads = malloc( cellCount * sizeof( uint32_t ) );
    cells->nexts = malloc( count * sizeof( uint32_t ) );
    if ( cells->heads == NULL || cells->nexts == NULL )
    {
        return 0;
    }
    for ( size_t i = 0; i < cellCount; ++i )
    {
        cells->heads[i] = UINT32_MAX;
    }
    for ( uint32_t i = 0; i < count; ++i )
    {
        uint32_t column = CellOn( x[i], cells->lowerX, cells->width, cells->columns );
        uint32_t row = CellOn( y[i], cells->lowerY, cells->width, cells->rows );
        uint32_t* head = cells->heads + (size_t)row * cells->columns + column;
        cells->nexts[i] = *head;
        *head = i;
    }
    return 1;
}

// The least squared distance of disc i to one before it in number, in the cells around it.
static double NearestSquare( const Cells* cells, const double* x, const double* y, uint32_t i )
{
    double nearest = INFINITY;
    uint32_t column = CellOn( x[i], cells->lowerX, cells->width, cells->columns );
    uint32_t row = CellOn( y[i], cells->lowerY, cells->width, cells->rows );
    uint32_t lastRow = row + 1 < cells->rows ? row + 1 : row;
    uint32_t lastColumn = column + 1 < cells->columns ? column + 1 : column;
    for ( uint32_t r = row > 0 ? row - 1 : 0; r <= lastRow; ++r )
    {
        for ( uint32_t c = column > 0 ? column - 1 : 0; c <= lastColumn; ++c )
        {
            for ( uint32_t j = cells->heads[(size_t)r * cells->columns + c]; j != UINT32_MAX;
                  j = cells->nexts[j] )
            {
                double dx = x[i] - x[j];
                double dy = y[i] - y[j];
                double square = dx * dx + dy * dy;
                nearest = j < i && square < nearest ? square : nearest;
            }
        }
    }
    return nearest;
}

double benchDeepestOverlap( const double* x, const double* y, uint32_t count, double radius )
{
    Cells cells = { .width = 2.0 * radius };
    double deepest = -1.0;
    if ( count > 0 && Fill( &cells, x, y, count ) )
    {
        double nearest = INFINITY;
        for ( uint32_t i = 0; i < count; ++i )
        {
            double square = NearestSquare( &cells, x, y, i );
            nearest = square < nearest ? square : nearest;
        }
        double overlap = 2.0 * radius - sqrt( nearest );
        deepest = overlap > 0.0 ? overlap : 0.0;
    }
    free( cells.heads );
    free( cells.nexts );
    return deepest;
}
