// SPDX-License-Identifier: MIT
// Many rays against the boxes of one node or leaf, part of every kernel table (see kernels.inl). The boxes
// are loaded once; a ray is a broadcast away, and nothing branches on what it meets.

// Which boxes of rows of `width` each listed ray may meet, as bits; returns the bits of all together. The
// arithmetic is that of the other ray kernels.
JO_INLINE uint32_t meetRaysBody( const float* rows, uint32_t width, const joStreamRays* stream,
    const uint32_t* list, uint32_t count, uint32_t* masks, int axisCount )
{
    uint32_t any = 0;
    const JoFloats zero = spread( 0.0f );
    // What overflows may be as near as the largest float.
    const JoFloats largest = spread( FLT_MAX * JO_DISTANCE_SHRINK );
    for ( uint32_t first = 0; first < width; first += JO_LANES )
    {
        JoFloats near[3], far[3];
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            const uint32_t isBackward = stream->isBackward[axis] ? 1 : 0;
            near[axis] = load( rows + ( (uint32_t)axis + 3 * isBackward ) * width + first );
            far[axis] = load( rows + ( (uint32_t)axis + 3 - 3 * isBackward ) * width + first );
        }
        for ( uint32_t i = 0; i < count; ++i )
        {
            const joStreamRay* ray = stream->rays + list[i];
            JoFloats enter = zero;
            JoFloats leave = spread( ray->limit );
            for ( int axis = 0; axis < axisCount; ++axis )
            {
                enter = larger( multiply( subtract( near[axis], spread( ray->nearOrigin[axis] ) ),
                                    spread( ray->nearInverse[axis] ) ),
                    enter );
                leave = smaller( multiply( subtract( far[axis], spread( ray->farOrigin[axis] ) ),
                                     spread( ray->farInverse[axis] ) ),
                    leave );
            }
            const uint32_t lanes = atMostLanes( enter, leave ) | atMostLanes( largest, leave );
            masks[i] = first == 0 ? lanes : masks[i] | lanes << first;
            any |= lanes << first;
        }
    }
    return any;
}

static uint32_t meetNode2(
    const joBvhNode* node, const joStreamRays* stream, const uint32_t* list, uint32_t count, uint32_t* masks )
{
    return meetRaysBody( node->lower[0], JO_BVH_WIDTH, stream, list, count, masks, 2 );
}

static uint32_t meetNode3(
    const joBvhNode* node, const joStreamRays* stream, const uint32_t* list, uint32_t count, uint32_t* masks )
{
    return meetRaysBody( node->lower[0], JO_BVH_WIDTH, stream, list, count, masks, 3 );
}

static uint32_t meetLeaf2(
    const joBvhLeaf* leaf, const joStreamRays* stream, const uint32_t* list, uint32_t count, uint32_t* masks )
{
    return meetRaysBody( leaf->lower[0], JO_BVH_LEAF_SIZE, stream, list, count, masks, 2 );
}

static uint32_t meetLeaf3(
    const joBvhLeaf* leaf, const joStreamRays* stream, const uint32_t* list, uint32_t count, uint32_t* masks )
{
    return meetRaysBody( leaf->lower[0], JO_BVH_LEAF_SIZE, stream, list, count, masks, 3 );
}

#if !defined( JO_HAS_PICK )

static uint32_t pickListed(
    const uint32_t* list, const uint32_t* masks, uint32_t count, uint32_t lane, uint32_t* out )
{
    uint32_t picked = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        out[picked] = list[i];
        picked += masks[i] >> lane & 1;
    }
    return picked;
}

#endif
