// SPDX-License-Identifier: MIT
#include "reference/spatial_hash_reference.h"

#include "base/float_env.h"

#include <math.h>
#include <stdlib.h>

int32_t referenceCell( double coordinate, double cellSize )
{
    const double cell = floor( coordinate / cellSize );
    return cell < -2147483648.0 ? INT32_MIN : cell > 2147483647.0 ? INT32_MAX : (int32_t)cell;
}

static int compareValues( const void* a, const void* b )
{
    const uint32_t x = *(const uint32_t*)a;
    const uint32_t y = *(const uint32_t*)b;
    return ( x > y ) - ( x < y );
}

uint32_t referenceQueryCells( const ReferencePoint* points, uint32_t count, int axisCount, float cellSize,
    const float* position, float radius, uint32_t* values )
{
    uint32_t found = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        bool inside = true;
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            const double middle = (double)position[axis];
            const int32_t cell = referenceCell( (double)points[i].position[axis], (double)cellSize );
            inside = inside && referenceCell( middle - (double)radius, (double)cellSize ) <= cell &&
                     cell <= referenceCell( middle + (double)radius, (double)cellSize );
        }
        if ( inside )
        {
            values[found++] = points[i].value;
        }
    }
    qsort( values, found, sizeof( uint32_t ), compareValues );
    return found;
}

uint32_t referenceQueryRadius( const ReferencePoint* points, uint32_t count, int axisCount,
    const float* position, float radius, uint32_t* values )
{
    uint32_t found = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        double distanceSq = 0.0;
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            const double difference = (double)points[i].position[axis] - (double)position[axis];
            distanceSq += difference * difference;
        }
        if ( distanceSq <= (double)radius * (double)radius )
        {
            values[found++] = points[i].value;
        }
    }
    qsort( values, found, sizeof( uint32_t ), compareValues );
    return found;
}

uint32_t referenceCountCells( const ReferencePoint* points, uint32_t count, int axisCount, float cellSize )
{
    uint32_t cells = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        bool isNew = true;
        for ( uint32_t j = 0; j < i && isNew; ++j )
        {
            bool same = true;
            for ( int axis = 0; axis < axisCount; ++axis )
            {
                same = same && referenceCell( (double)points[i].position[axis], (double)cellSize ) ==
                                   referenceCell( (double)points[j].position[axis], (double)cellSize );
            }
            isNew = !same;
        }
        cells += isNew;
    }
    return cells;
}
