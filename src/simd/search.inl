// SPDX-License-Identifier: MIT
// Searches through a hierarchy of nodes eight wide, part of every kernel table (see kernels.inl). A whole
// descent is one call, so that what is asked for stays in registers.

// Eight lanes. A file whose vectors are wider has its own (and defines JO_HAS_EIGHT): a node is no wider.
#if !defined( JO_HAS_EIGHT )

#define EIGHT_PARTS ( JO_BVH_WIDTH / JO_LANES )

typedef struct JoEight
{
    JoFloats part[EIGHT_PARTS];
} JoEight;

JO_INLINE JoEight spreadEight( float value )
{
    JoEight r;
    for ( int p = 0; p < EIGHT_PARTS; ++p )
    {
        r.part[p] = spread( value );
    }
    return r;
}

JO_INLINE JoEight loadEight( const float* values )
{
    JoEight r;
    for ( int p = 0; p < EIGHT_PARTS; ++p )
    {
        r.part[p] = load( values + p * JO_LANES );
    }
    return r;
}

JO_INLINE JoEight addEight( JoEight a, JoEight b )
{
    JoEight r;
    for ( int p = 0; p < EIGHT_PARTS; ++p )
    {
        r.part[p] = add( a.part[p], b.part[p] );
    }
    return r;
}

JO_INLINE JoEight subtractEight( JoEight a, JoEight b )
{
    JoEight r;
    for ( int p = 0; p < EIGHT_PARTS; ++p )
    {
        r.part[p] = subtract( a.part[p], b.part[p] );
    }
    return r;
}

JO_INLINE JoEight multiplyEight( JoEight a, JoEight b )
{
    JoEight r;
    for ( int p = 0; p < EIGHT_PARTS; ++p )
    {
        r.part[p] = multiply( a.part[p], b.part[p] );
    }
    return r;
}

JO_INLINE JoEight largerEight( JoEight a, JoEight b )
{
    JoEight r;
    for ( int p = 0; p < EIGHT_PARTS; ++p )
    {
        r.part[p] = larger( a.part[p], b.part[p] );
    }
    return r;
}

JO_INLINE JoEight smallerEight( JoEight a, JoEight b )
{
    JoEight r;
    for ( int p = 0; p < EIGHT_PARTS; ++p )
    {
        r.part[p] = smaller( a.part[p], b.part[p] );
    }
    return r;
}

JO_INLINE uint32_t atMostEight( JoEight a, JoEight b )
{
    uint32_t lanes = 0;
    for ( int p = 0; p < EIGHT_PARTS; ++p )
    {
        lanes |= atMostLanes( a.part[p], b.part[p] ) << ( p * JO_LANES );
    }
    return lanes;
}

JO_INLINE void storeEight( float* out, JoEight values )
{
    for ( int p = 0; p < EIGHT_PARTS; ++p )
    {
        store( out + p * JO_LANES, values.part[p] );
    }
}

#endif

typedef enum JoAimKind
{
    aim_box,
    aim_ray,
    aim_point
} JoAimKind;

// What is searched for, in all lanes. Rows are where the eight (of a leaf: sixteen) bounds of a side lie.
typedef struct JoAim
{
    JoEight near[3]; // box: its lower bounds; ray: nearOrigin; point: it
    JoEight far[3];  // box: its upper bounds; ray: farOrigin
    JoEight nearInverse[3], farInverse[3];
    uint32_t nearRow[3], farRow[3]; // lower x y z, upper x y z
    JoEight limit;
} JoAim;

JO_INLINE JoAim aimAtBox( const float box[6], int axisCount )
{
    JoAim aim;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        aim.near[axis] = spreadEight( box[axis] );
        aim.far[axis] = spreadEight( box[3 + axis] );
    }
    return aim;
}

JO_INLINE JoAim aimAlongRay( const joRayLanes* ray, float limit, int axisCount )
{
    JoAim aim;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        aim.near[axis] = spreadEight( ray->nearOrigin[axis] );
        aim.far[axis] = spreadEight( ray->farOrigin[axis] );
        // Distances until a box are shrunk by shrinking this: one operation less in each node.
        aim.nearInverse[axis] = spreadEight( ray->inverse[axis] * JO_DISTANCE_SHRINK );
        aim.farInverse[axis] = spreadEight( ray->inverse[axis] );
        aim.nearRow[axis] = (uint32_t)axis + ( ray->isBackward[axis] ? 3u : 0u );
        aim.farRow[axis] = (uint32_t)axis + ( ray->isBackward[axis] ? 0u : 3u );
    }
    aim.limit = spreadEight( limit );
    return aim;
}

JO_INLINE JoAim aimAtPoint( const float point[3], float limitSq, int axisCount )
{
    JoAim aim;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        aim.near[axis] = spreadEight( point[axis] );
    }
    aim.limit = spreadEight( limitSq );
    return aim;
}

// Which of eight boxes may be met. `rows`: the first of six rows of `width`, eight of each being tested.
// *nearness gets distances, of points squared ones.
JO_INLINE uint32_t meetEight(
    const JoAim* aim, const float* rows, uint32_t width, JoEight* nearness, JoAimKind kind, int axisCount )
{
    if ( kind == aim_box )
    {
        uint32_t lanes = 0xFF;
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            lanes &= atMostEight( loadEight( rows + (uint32_t)axis * width ), aim->far[axis] );
            lanes &= atMostEight( aim->near[axis], loadEight( rows + ( (uint32_t)axis + 3 ) * width ) );
        }
        return lanes;
    }
    const JoEight zero = spreadEight( 0.0f );
    if ( kind == aim_point )
    {
        JoEight sum = zero;
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            const JoEight lower = loadEight( rows + (uint32_t)axis * width );
            const JoEight upper = loadEight( rows + ( (uint32_t)axis + 3 ) * width );
            const JoEight gap = largerEight( largerEight( subtractEight( lower, aim->near[axis] ),
                                                 subtractEight( aim->near[axis], upper ) ),
                zero );
            sum = addEight( sum, multiplyEight( gap, gap ) );
        }
        *nearness = multiplyEight( sum, spreadEight( JO_DISTANCE_SHRINK ) );
        return atMostEight( *nearness, aim->limit );
    }
    JoEight enter = zero;
    JoEight leave = aim->limit;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        const JoEight near = loadEight( rows + aim->nearRow[axis] * width );
        const JoEight far = loadEight( rows + aim->farRow[axis] * width );
        enter = largerEight(
            multiplyEight( subtractEight( near, aim->near[axis] ), aim->nearInverse[axis] ), enter );
        leave = smallerEight(
            multiplyEight( subtractEight( far, aim->far[axis] ), aim->farInverse[axis] ), leave );
    }
    *nearness = enter;
    // What overflows may be as near as the largest float.
    const JoEight largest = spreadEight( FLT_MAX * JO_DISTANCE_SHRINK );
    return atMostEight( enter, leave ) | atMostEight( largest, leave );
}

// Leaves are most of the memory, and a search comes to few of them: asks for one that is left for later.
JO_INLINE void prefetchLeaf( const joBvhSearch* search, uint32_t child )
{
    if ( child & JO_BVH_LEAF_BIT )
    {
        const char* leaf = (const char*)( search->leaves + ( child & ~JO_BVH_LEAF_BIT ) );
        for ( size_t line = 0; line < sizeof( joBvhLeaf ); line += 64 )
        {
            __builtin_prefetch( leaf + line );
        }
    }
}

// Has the leaf bit, so that a descent ends with it; no child of a node is it.
#define NO_VISIT UINT64_MAX

// The nearest child of a node that may be met; the others go onto the stack, the farthest first.
JO_INLINE uint64_t visitNode( joBvhSearch* search, const joBvhNode* node, const JoAim* aim,
    uint32_t* stackCount, JoAimKind kind, int axisCount )
{
    float distances[JO_BVH_WIDTH];
    JoEight nearness = spreadEight( 0.0f );
    uint32_t lanes = meetEight( aim, node->lower[0], JO_BVH_WIDTH, &nearness, kind, axisCount );
    if ( ( lanes & ( lanes - 1 ) ) == 0 )
    {
        // Most often one, or none.
        const uint32_t only = lanes != 0 ? node->child[__builtin_ctz( lanes )] : JO_NULL_INDEX;
        return only != JO_NULL_INDEX ? only : NO_VISIT;
    }
    storeEight( distances, nearness );
    const uint32_t begin = *stackCount;
    uint32_t count = begin;
    uint64_t next = NO_VISIT;
    for ( ; lanes != 0; lanes &= lanes - 1 )
    {
        const uint32_t lane = (uint32_t)__builtin_ctz( lanes );
        const uint32_t child = node->child[lane];
        if ( child == JO_NULL_INDEX )
        {
            break; // used lanes come first
        }
        uint32_t bits;
        memcpy( &bits, distances + lane, sizeof( bits ) );
        const uint64_t visit = (uint64_t)bits << 32 | child;
        const uint64_t later = visit < next ? next : visit;
        next = visit < next ? visit : next;
        if ( later == NO_VISIT )
        {
            continue;
        }
        uint32_t k = count++;
        for ( ; k > begin && search->stack[k - 1] < later; --k )
        {
            search->stack[k] = search->stack[k - 1];
        }
        search->stack[k] = later;
        prefetchLeaf( search, (uint32_t)later );
    }
    *stackCount = count;
    return next;
}

JO_INLINE uint32_t visitLeaf(
    const joBvhLeaf* leaf, const JoAim* aim, uint32_t* found, JoAimKind kind, int axisCount )
{
    JoEight nearness;
    uint32_t lanes = meetEight( aim, leaf->lower[0], JO_BVH_LEAF_SIZE, &nearness, kind, axisCount );
    lanes |= meetEight( aim, leaf->lower[0] + JO_BVH_WIDTH, JO_BVH_LEAF_SIZE, &nearness, kind, axisCount )
             << JO_BVH_WIDTH;
    lanes &= ( 1u << leaf->count ) - 1;
    uint32_t count = 0;
    for ( ; lanes != 0; lanes &= lanes - 1 )
    {
        found[count++] = leaf->index[__builtin_ctz( lanes )];
    }
    return count;
}

JO_INLINE uint32_t searchBody(
    joBvhSearch* search, const JoAim* aim, float limit, uint32_t* found, JoAimKind kind, int axisCount )
{
    const float farthest = limit >= FLT_MAX * JO_DISTANCE_SHRINK ? INFINITY : limit;
    uint32_t limitBits; // of a negative zero larger than all, which leaves nothing out
    memcpy( &limitBits, &farthest, sizeof( limitBits ) );
    uint32_t stackCount = search->stackCount;
    while ( stackCount > 0 )
    {
        uint64_t visit = search->stack[--stackCount];
        // What is as far as the limit may hold a hit as far, of a lower key.
        if ( (uint32_t)( visit >> 32 ) > limitBits )
        {
            continue;
        }
        while ( ( visit & JO_BVH_LEAF_BIT ) == 0 )
        {
            visit = visitNode( search, search->nodes + (uint32_t)visit, aim, &stackCount, kind, axisCount );
        }
        if ( visit == NO_VISIT )
        {
            continue;
        }
        const joBvhLeaf* leaf = search->leaves + ( (uint32_t)visit & ~JO_BVH_LEAF_BIT );
        const uint32_t count = visitLeaf( leaf, aim, found, kind, axisCount );
        if ( count > 0 )
        {
            search->stackCount = stackCount;
            return count;
        }
    }
    search->stackCount = 0;
    return 0;
}

static uint32_t searchOverlaps2( joBvhSearch* search, const float box[6], uint32_t* found )
{
    const JoAim aim = aimAtBox( box, 2 );
    return searchBody( search, &aim, 0.0f, found, aim_box, 2 );
}

static uint32_t searchOverlaps3( joBvhSearch* search, const float box[6], uint32_t* found )
{
    const JoAim aim = aimAtBox( box, 3 );
    return searchBody( search, &aim, 0.0f, found, aim_box, 3 );
}

static uint32_t searchRay2( joBvhSearch* search, const joRayLanes* ray, float limit, uint32_t* found )
{
    const JoAim aim = aimAlongRay( ray, limit, 2 );
    return searchBody( search, &aim, limit, found, aim_ray, 2 );
}

static uint32_t searchRay3( joBvhSearch* search, const joRayLanes* ray, float limit, uint32_t* found )
{
    const JoAim aim = aimAlongRay( ray, limit, 3 );
    return searchBody( search, &aim, limit, found, aim_ray, 3 );
}

static uint32_t searchPoint2( joBvhSearch* search, const float point[3], float limitSq, uint32_t* found )
{
    const JoAim aim = aimAtPoint( point, limitSq, 2 );
    return searchBody( search, &aim, limitSq, found, aim_point, 2 );
}

static uint32_t searchPoint3( joBvhSearch* search, const float point[3], float limitSq, uint32_t* found )
{
    const JoAim aim = aimAtPoint( point, limitSq, 3 );
    return searchBody( search, &aim, limitSq, found, aim_point, 3 );
}
