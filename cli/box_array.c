// SPDX-License-Identifier: MIT
#include "box_array.h"

static joColumn ColumnOf( const float* first )
{
    return ( joColumn ){ first, JO_BOX_FLOATS * sizeof( float ) };
}

joBoxes joViewBoxArray( const float* boxes, uint32_t count )
{
    return ( joBoxes ){
        .lowerX = ColumnOf( boxes ),
        .lowerY = ColumnOf( boxes + 1 ),
        .lowerZ = ColumnOf( boxes + 2 ),
        .upperX = ColumnOf( boxes + 3 ),
        .upperY = ColumnOf( boxes + 4 ),
        .upperZ = ColumnOf( boxes + 5 ),
        .count = count,
    };
}
