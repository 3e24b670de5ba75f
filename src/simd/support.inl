// SPDX-License-Identifier: MIT
// The highest of points along a direction, part of every kernel table (see kernels.inl). Heights are products
// and sums in one order, so all tables choose the same point; a second look at them finds the first of equal
// ones, which costs less than keeping track of numbers.
// The lowest of lanes; 0 of none.
JO_INLINE uint32_t firstLane( uint32_t lanes )
{
    return lanes != 0 ? (uint32_t)__builtin_ctz( lanes ) : 0;
}

JO_INLINE JoFloats heightsOf( const float* x, const float* y, const float* z, const JoFloats way[3] )
{
    return add(
        add( multiply( way[0], load( x ) ), multiply( way[1], load( y ) ) ), multiply( way[2], load( z ) ) );
}

static uint32_t findHighest(
    const float* x, const float* y, const float* z, uint32_t count, float dx, float dy, float dz )
{
    const JoFloats way[3] = { spread( dx ), spread( dy ), spread( dz ) };
    JoFloats best = heightsOf( x, y, z, way );
    if ( count <= JO_LANES )
    {
        return firstLane( atMostLanes( spread( highestLane( best ) ), best ) );
    }
    JoFloats heights[JO_SUPPORT_POINTS / JO_LANES];
    heights[0] = best;
    for ( uint32_t i = JO_LANES; i < count; i += JO_LANES )
    {
        const JoFloats height = heightsOf( x + i, y + i, z + i, way );
        heights[i / JO_LANES] = height;
        best = larger( height, best );
    }
    const JoFloats top = spread( highestLane( best ) );
    for ( uint32_t i = 0; i < count; i += JO_LANES )
    {
        const uint32_t lanes = atMostLanes( top, heights[i / JO_LANES] );
        if ( lanes != 0 )
        {
            return i + firstLane( lanes );
        }
    }
    return 0; // what is not a number is no higher than anything
}
