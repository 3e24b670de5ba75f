// SPDX-License-Identifier: MIT
// Spheres, capsules, boxes and hulls against half-spaces in 3D: the lowest points of the shape against the
// plane. All in double, and relative to the position of the half-space's body.
#include "math/wide_vectors.h"
#include "narrow_phase/dispatch_3d.h"
#include "narrow_phase/hull_3d.h"
#include "narrow_phase/segments_3d.h"

#include <float.h>

#define MAX_LOW_POINTS 4

// A shape over a plane.
typedef struct Underside
{
    joWide3 origin;                 // in world space, of all that follows
    joWide3 up;                     // unit normal of the plane
    joWide3 points[MAX_LOW_POINTS]; // one of them is lowest, but for the radius
    double heights[MAX_LOW_POINTS]; // of the surface below each, over the plane
    uint32_t names[MAX_LOW_POINTS]; // feature ids
    uint32_t count;
    uint32_t lowest;
    double radius;
} Underside;

static void addPoint( Underside* side, joWide3 point, uint32_t name, double offset )
{
    side->points[side->count] = point;
    side->heights[side->count] = joDot3( point, side->up ) - offset - side->radius;
    side->names[side->count] = name;
    side->lowest = side->heights[side->count] < side->heights[side->lowest] ? side->count : side->lowest;
    side->count += 1;
}

static joWide3 vertexOf( const joPolytope* view, uint32_t vertex )
{
    return ( joWide3 ){ (double)view->x[vertex], (double)view->y[vertex], (double)view->z[vertex] };
}

// Of the faces around the lowest vertex the one that looks most downwards.
static uint32_t findFlattest( const joPolytope* view, joWide3 up )
{
    uint32_t lowest = 0, best = 0;
    for ( uint32_t i = 1; i < view->vertexCount; ++i )
    {
        lowest = joDot3( vertexOf( view, i ), up ) < joDot3( vertexOf( view, lowest ), up ) ? i : lowest;
    }
    double least = INFINITY;
    uint32_t first = view->vertexEdges[lowest], edge = first;
    do
    {
        const float* n = view->planes[view->edges[edge].face].normal;
        double facing = joDot3( ( joWide3 ){ (double)n[0], (double)n[1], (double)n[2] }, up );
        best = facing < least ? view->edges[edge].face : best;
        least = facing < least ? facing : least;
        edge = view->edges[edge ^ 1].next;
    } while ( edge != first );
    return best;
}

// How much a corner of a face adds to those that are chosen: depth, then distance, area, and area on the
// other side.
static double gainOf( const joWide3* chosen, uint32_t count, joWide3 up, joWide3 p )
{
    if ( count == 0 )
    {
        return -joDot3( p, up );
    }
    joWide3 from = joSubtract3( p, chosen[0] );
    if ( count == 1 )
    {
        return joDot3( from, from );
    }
    joWide3 along = joSubtract3( chosen[1], chosen[0] );
    double area = joDot3( joCross3( along, from ), up );
    if ( count == 2 )
    {
        return fabs( area );
    }
    double third = joDot3( joCross3( along, joSubtract3( chosen[2], chosen[0] ) ), up );
    return third > 0.0 ? -area : area;
}

// The corner of a face that adds most. False: none adds anything.
static bool findCorner( const joPolytope* view, uint32_t first, joWide3 up, const joWide3* chosen,
    uint32_t count, uint32_t* corner )
{
    double most = count == 0 ? -INFINITY : 0.0;
    uint32_t edge = first;
    bool isFound = false;
    do
    {
        double gain = gainOf( chosen, count, up, vertexOf( view, view->edges[edge].origin ) );
        if ( gain > most )
        {
            most = gain;
            *corner = view->edges[edge].origin;
            isFound = true;
        }
        edge = view->edges[edge].next;
    } while ( edge != first );
    return isFound;
}

// The corners of the face that lies flattest on the plane: the lowest corner of the box is one of them. A
// side without length adds none.
static void addBox( Underside* side, const joBox3* box, const joPose3* pose, double offset )
{
    const joWide3 center = { pose->position[0], pose->position[1], pose->position[2] };
    joWide3 up = joTurnBack3( &pose->rotation, side->up );
    const double ups[3] = { up.x, up.y, up.z };
    const double half[3] = {
        (double)box->halfExtents.x, (double)box->halfExtents.y, (double)box->halfExtents.z };
    int face = fabs( ups[1] ) > fabs( ups[0] ) ? 1 : 0;
    face = fabs( ups[2] ) > fabs( ups[face] ) ? 2 : face;
    for ( uint32_t corner = 0; corner < 8; ++corner )
    {
        double local[3];
        bool isWanted = true;
        for ( int k = 0; k < 3; ++k )
        {
            bool isUpper = ( corner >> k & 1 ) != 0;
            local[k] = isUpper ? half[k] : -half[k];
            bool isFree = k != face && half[k] > 0.0;
            isWanted = isWanted && ( isFree || isUpper == ( ups[k] < 0.0 ) );
        }
        if ( isWanted )
        {
            joWide3 turned = joTurn3( &pose->rotation, ( joWide3 ){ local[0], local[1], local[2] } );
            addPoint( side, joAdd3( center, turned ), 1 + corner, offset );
        }
    }
}

// Up to four corners of the face that lies flattest on the plane: the lowest, the farthest from it, and those
// farthest from the line through both, on either side.
static void addHull( Underside* side, const joHull3* hull, const joPose3* pose, double offset )
{
    const joWide3 center = { pose->position[0], pose->position[1], pose->position[2] };
    joWide3 up = joTurnBack3( &pose->rotation, side->up );
    joPolytope view = joViewHull( hull );
    uint32_t face = findFlattest( &view, up ), first = view.faceEdges[face], corners[MAX_LOW_POINTS],
             count = 0;
    joWide3 chosen[MAX_LOW_POINTS];
    while ( count < MAX_LOW_POINTS && findCorner( &view, first, up, chosen, count, corners + count ) )
    {
        chosen[count] = vertexOf( &view, corners[count] );
        count += 1;
    }
    for ( uint32_t i = 0; i < count; ++i )
    {
        addPoint( side, joAdd3( center, joTurn3( &pose->rotation, chosen[i] ) ), 1 + corners[i], offset );
    }
}

static joWide3 place( const joPose3* pose, joVec3 local )
{
    joWide3 at = { pose->position[0], pose->position[1], pose->position[2] };
    return joAdd3( at, joTurn3( &pose->rotation, joWiden3( local ) ) );
}

static Underside makeUnderside( const joPlacedPair3* placed )
{
    Underside side = { .origin = joWiden3( placed->poseB->position ) };
    joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( placed->poseB->rotation ) );
    side.up = joTurn3( &rotation, joWiden3( placed->b->halfSpace.normal ) );
    side.up = joScale3( 1.0 / joLength3( side.up ), side.up );
    double offset = (double)placed->b->halfSpace.offset;
    const joShape3* shape = placed->a;
    joWide3 between = joSubtract3( joWiden3( placed->poseA->position ), side.origin );
    joPose3 pose = {
        { between.x, between.y, between.z }, joMatrixOfQuat( joWidenQuat( placed->poseA->rotation ) ) };
    if ( shape->kind == jo_sphereShape3 )
    {
        side.radius = (double)shape->sphere.radius;
        addPoint( &side, place( &pose, shape->sphere.center ), 1, offset );
    }
    else if ( shape->kind == jo_capsuleShape3 )
    {
        side.radius = (double)shape->capsule.radius;
        addPoint( &side, place( &pose, shape->capsule.a ), 1, offset );
        addPoint( &side, place( &pose, shape->capsule.b ), 2, offset );
    }
    else if ( shape->kind == jo_hullShape3 )
    {
        addHull( &side, shape->hull, &pose, offset );
    }
    else
    {
        joTransform3 turned = { { 0.0f, 0.0f, 0.0f }, placed->poseA->rotation };
        joPose3 local = joComposePose3( turned, shape->box.localPose );
        local.position[0] += between.x;
        local.position[1] += between.y;
        local.position[2] += between.z;
        addBox( &side, &shape->box, &local, offset );
    }
    return side;
}

// A half-space has no end: what is deep in it, and the way out, may be beyond floats.
static float toFloat( double value )
{
    return (float)fmax( fmin( value, (double)FLT_MAX ), -(double)FLT_MAX );
}

static joVec3 toWorld( const Underside* side, joWide3 point )
{
    const joWide3 world = joAdd3( side->origin, point );
    return ( joVec3 ){ toFloat( world.x ), toFloat( world.y ), toFloat( world.z ) };
}

// The lowest point of the shape.
static joWide3 lowestOf( const Underside* side )
{
    return joAddScaled3( side->points[side->lowest], -side->radius, side->up );
}

static bool overlap( const joPlacedPair3* placed, joCollideCache* cache )
{
    (void)cache;
    Underside side = makeUnderside( placed );
    return side.heights[side.lowest] <= 0.0;
}

static void collide( const joPlacedPair3* placed, float margin, joCollideCache* cache, joManifold3* manifold )
{
    (void)cache;
    Underside side = makeUnderside( placed );
    double lowest = side.heights[side.lowest];
    if ( lowest > (double)margin )
    {
        return;
    }
    manifold->normal = joNarrow3( joScale3( -1.0, side.up ) );
    manifold->depth = toFloat( -lowest );
    for ( uint32_t i = 0; i < side.count; ++i )
    {
        double height = side.heights[i];
        if ( height <= (double)margin )
        {
            joWide3 middle = joAddScaled3( side.points[i], -( side.radius + 0.5 * height ), side.up );
            manifold->points[manifold->pointCount++] =
                ( joManifoldPoint3 ){ toWorld( &side, middle ), toFloat( -height ), side.names[i] };
        }
    }
}

static void distance( const joPlacedPair3* placed, joCollideCache* cache, joClosestPoints3* closest )
{
    (void)cache;
    Underside side = makeUnderside( placed );
    double height = fmax( side.heights[side.lowest], 0.0 );
    joWide3 onShape = lowestOf( &side );
    closest->distance = toFloat( height );
    closest->normal = height > 0.0 ? joNarrow3( joScale3( -1.0, side.up ) ) : ( joVec3 ){ 0.0f, 0.0f, 0.0f };
    closest->pointA = toWorld( &side, onShape );
    closest->pointB = toWorld( &side, joAddScaled3( onShape, -height, side.up ) );
}

static void cast( const joPlacedPair3* placed, joVec3 motion, joCollideCache* cache, joCastHit3* hit )
{
    (void)cache;
    Underside side = makeUnderside( placed );
    double height = side.heights[side.lowest], rise = joDot3( joWiden3( motion ), side.up );
    if ( rise <= 0.0 || height > rise )
    {
        return;
    }
    hit->isHit = true;
    hit->fraction = joRoundFraction( height / rise );
    hit->normal = joNarrow3( joScale3( -1.0, side.up ) );
    hit->point = toWorld( &side, lowestOf( &side ) );
}

const joPairFunctions3 joHalfSpaceBelow3 = { overlap, collide, distance, cast, NULL };
