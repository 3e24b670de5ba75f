// SPDX-License-Identifier: MIT
#include "outline_plot.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static double Turn( const double a[2], const double b[2], const double c[2] )
{
    return ( b[0] - a[0] ) * ( c[1] - a[1] ) - ( b[1] - a[1] ) * ( c[0] - a[0] );
}

static int ComparePoints( const void* a, const void* b )
{
    const double *p = a, *q = b;
    const int x = ( p[0] > q[0] ) - ( p[0] < q[0] );
    return x != 0 ? x : ( p[1] > q[1] ) - ( p[1] < q[1] );
}

uint32_t joFindOutline( double ( *points )[2], uint32_t count, double ( *outline )[2] )
{
    qsort( points, count, sizeof( points[0] ), ComparePoints );
    uint32_t size = 0;
    // All on one spot: both halves would begin and end there.
    count = ComparePoints( points[0], points[count - 1] ) == 0 ? 1 : count;
    for ( int half = 0; half < 2; ++half )
    {
        const uint32_t start = size;
        for ( uint32_t i = 0; i < count; ++i )
        {
            const double* point = points[half == 0 ? i : count - 1 - i];
            while ( size >= start + 2 && Turn( outline[size - 2], outline[size - 1], point ) <= 0.0 )
            {
                size -= 1;
            }
            outline[size][0] = point[0];
            outline[size++][1] = point[1];
        }
        size -= 1; // the end of one half is the start of the other
    }
    return size > 0 ? size : 1;
}

void joTraceRounded( cairo_t* cairo, double ( *outline )[2], uint32_t count, double radius )
{
    cairo_new_path( cairo );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const double *before = outline[( i + count - 1 ) % count], *at = outline[i];
        const double* after = outline[( i + 1 ) % count];
        const double from = count > 1 ? atan2( at[1] - before[1], at[0] - before[0] ) - 0.5 * PI : 0.0;
        const double to = count > 1 ? atan2( after[1] - at[1], after[0] - at[0] ) - 0.5 * PI : 2.0 * PI;
        cairo_arc( cairo, at[0], at[1], radius, from, to );
    }
    cairo_close_path( cairo );
}
