// SPDX-License-Identifier: MIT
// Convex shapes against meshes: overlap, contact, distance and cast, through the mesh's hierarchy.
#include "base/assert.h"
#include "narrow_phase/mesh_pair_3d.h"
#include "narrow_phase/shape_bounds.h"
#include "narrow_phase/shape_checks.h"
#include "narrow_phase/to_world.h"
#include "narrow_phase/tolerance.h"

#include <float.h>

// As for two convex shapes.
#define MAX_CAST_STEPS 64

static bool overlapMesh( const joPlacedPair3* placed, joCollideCache* cache )
{
    (void)cache;
    joMeshPair mesh;
    joMeshWalk walk;
    uint32_t triangle;
    joMakeMeshPair( &mesh, placed );
    joStartWalk( &walk, &mesh, 0.0 );
    while ( joNextTriangle( &walk, &triangle ) )
    {
        joGjkAnswer gjk = { .simplex = { .count = 0 } };
        joSetTriangle( &mesh, triangle );
        joRunGjk( &mesh.pair, mesh.pair.radius, &gjk );
        if ( !gjk.isBeyond && gjk.distance <= mesh.pair.radius )
        {
            return true;
        }
    }
    return false;
}

static void collideMesh(
    const joPlacedPair3* placed, float margin, joCollideCache* cache, joManifold3* manifold )
{
    (void)cache;
    joMeshPair mesh;
    joMakeMeshPair( &mesh, placed );
    joFillMeshManifold( &mesh, (double)margin, manifold );
    manifold->normal = joNegate3( manifold->normal );
}

// How far the bounds of the shape are from a box: no triangle in it is nearer.
static double distanceToBox( const joMeshPair* mesh, const joMeshNode* node )
{
    double sum = 0.0;
    for ( int k = 0; k < 3; ++k )
    {
        double below = (double)node->lower[k] - (double)( &mesh->bounds.upper.x )[k];
        double above = (double)( &mesh->bounds.lower.x )[k] - (double)node->upper[k];
        double gap = joLargerOf( 0.0, joLargerOf( below, above ) );
        sum += gap * gap;
    }
    return sqrt( sum );
}

// The nearest so far.
typedef struct Nearest
{
    double distance; // of the cores
    joClosestPoints3* closest;
} Nearest;

static void tryTriangle( joMeshPair* mesh, uint32_t triangle, Nearest* nearest )
{
    joGjkAnswer gjk = { .simplex = { .count = 0 } };
    joSetTriangle( mesh, triangle );
    joRunGjk( &mesh->pair, nearest->distance, &gjk );
    if ( gjk.isBeyond || gjk.distance >= nearest->distance )
    {
        return;
    }
    joClosestPoints3* closest = nearest->closest;
    double onTriangle[3], onShape[3], radius = mesh->pair.radius, gap = gjk.distance - radius;
    nearest->distance = gjk.distance;
    joSimplex_Witness( &mesh->pair, &gjk.simplex, onTriangle, onShape );
    *closest = ( joClosestPoints3 ){ .status = gjk.status, .child = mesh->view.triangles[triangle].name };
    closest->pointB = joLocalPointToWorld3( &mesh->pair.a.pose, onTriangle );
    if ( !( gap > 0.0 ) )
    {
        closest->pointA = closest->pointB; // of the mesh, within the shape
        return;
    }
    // gjk.separation points from the shape to the triangle.
    for ( int k = 0; k < 3; ++k )
    {
        onShape[k] += radius / gjk.distance * gjk.separation[k];
    }
    closest->distance = (float)fmin( gap, (double)FLT_MAX );
    closest->pointA = joLocalPointToWorld3( &mesh->pair.a.pose, onShape );
    closest->normal = joLocalDirectionToWorld3( &mesh->pair.a.pose, gjk.separation );
}

static void distanceMesh( const joPlacedPair3* placed, joCollideCache* cache, joClosestPoints3* closest )
{
    (void)cache;
    joMeshPair mesh;
    joMakeMeshPair( &mesh, placed );
    Nearest nearest = { INFINITY, closest };
    uint32_t stack[JO_MESH_MAX_DEPTH + 1], count = 1;
    stack[0] = 0;
    while ( count > 0 && nearest.distance > mesh.pair.radius )
    {
        const joMeshNode* node = mesh.view.nodes + stack[--count];
        if ( distanceToBox( &mesh, node ) > nearest.distance - mesh.pair.radius )
        {
            continue;
        }
        for ( uint32_t i = 0; i < node->count; ++i )
        {
            tryTriangle( &mesh, node->first + i, &nearest );
        }
        if ( node->count == 0 )
        {
            // The nearer one is taken first.
            const joMeshNode* children = mesh.view.nodes + node->first;
            uint32_t nearer = distanceToBox( &mesh, children + 1 ) < distanceToBox( &mesh, children ) ? 1 : 0;
            stack[count++] = node->first + 1 - nearer;
            stack[count++] = node->first + nearer;
        }
    }
}

typedef struct Cast
{
    joMeshPair* mesh;
    joVec3 motion;   // of the mesh, in the world
    double local[3]; // of the shape against the mesh, in the frame of the mesh
    double fraction; // of the first hit so far; before that above 1
    bool isOut;      // it touches at the start
    double
        into; // then: how squarely it goes into the touched triangle that is the hit, or what is too little
    joCastHit3* hit;
} Cast;

// Where the bounds of the shape enter a box on their way, as a fraction of it; +inf: not, or after the limit.
static double enterBox( const Cast* cast, const joMeshNode* node, double limit )
{
    double enter = 0.0, leave = limit;
    for ( int k = 0; k < 3; ++k )
    {
        double lower = (double)node->lower[k] - (double)( &cast->mesh->bounds.upper.x )[k];
        double upper = (double)node->upper[k] - (double)( &cast->mesh->bounds.lower.x )[k];
        double motion = cast->local[k];
        // What is parallel to a face and within rounding of it is met.
        double slop = (double)FLT_EPSILON * ( fabs( lower ) + fabs( upper ) );
        if ( motion == 0.0 )
        {
            enter = lower > slop || upper < -slop ? INFINITY : enter;
            continue;
        }
        double first = ( lower - slop ) / motion, last = ( upper + slop ) / motion;
        enter = joLargerOf( enter, joSmallerOf( first, last ) );
        leave = joSmallerOf( leave, joLargerOf( first, last ) );
    }
    return enter <= leave ? enter : INFINITY;
}

static void takeHit( const Cast* cast, const joGjkAnswer* gjk, double fraction )
{
    const joMeshPair* mesh = cast->mesh;
    joCastHit3* hit = cast->hit;
    double onTriangle[3], onShape[3], toShape[3];
    for ( int k = 0; k < 3; ++k )
    {
        bool isFar = gjk->distance > JO_NO_DIRECTION * mesh->pair.size;
        toShape[k] = isFar ? -gjk->separation[k] / gjk->distance : -cast->local[k];
    }
    double length = sqrt( joDotOf3( toShape, toShape ) );
    for ( int k = 0; k < 3; ++k )
    {
        toShape[k] /= length;
    }
    bool isFace;
    if ( !joIsOpenDirection( mesh, toShape, &isFace ) || isFace )
    {
        // On an edge that does not stand out the shape meets the surface; but not a triangle that looks away
        // from it, which is met at the same time as another that does not.
        double side = joDotOf3( toShape, mesh->normal ) < 0.0 ? -1.0 : 1.0;
        bool looksAway = side * joDotOf3( mesh->normal, cast->local ) > 0.0;
        for ( int k = 0; k < 3 && !looksAway; ++k )
        {
            toShape[k] = side * mesh->normal[k];
        }
    }
    joSimplex_Witness( &mesh->pair, &gjk->simplex, onTriangle, onShape );
    joVec3 point = joLocalPointToWorld3( &mesh->pair.a.pose, onTriangle );
    hit->isHit = true;
    hit->child = mesh->view.triangles[mesh->triangle].name;
    hit->fraction = (float)fraction;
    hit->fraction = (double)hit->fraction > fraction ? nextafterf( hit->fraction, 0.0f ) : hit->fraction;
    hit->normal = joNegate3( joLocalDirectionToWorld3( &mesh->pair.a.pose, toShape ) );
    // The mesh is what moves.
    hit->point = ( joVec3 ){ (float)( (double)point.x + fraction * (double)cast->motion.x ),
        (float)( (double)point.y + fraction * (double)cast->motion.y ),
        (float)( (double)point.z + fraction * (double)cast->motion.z ) };
}

// A triangle that is touched at the start stops only what goes into it; of several the one that is gone into
// most squarely. False: it is not touched.
static bool meetTouched( Cast* cast )
{
    joMeshPair* mesh = cast->mesh;
    joGjkAnswer gjk = { .simplex = { .count = 0 } };
    joRunGjk( &mesh->pair, mesh->pair.radius, &gjk );
    if ( gjk.isBeyond || gjk.distance > mesh->pair.radius )
    {
        return false;
    }
    joPenetration touch;
    joManifold3 manifold = { .status = jo_collideComplete };
    const double length = sqrt( joDotOf3( cast->local, cast->local ) );
    const double into = joTouchTriangle( mesh, 0.0, &touch, &manifold.status )
                            ? -joDotOf3( touch.normal, cast->local ) / length
                            : 0.0;
    if ( into > cast->into )
    {
        cast->into = into;
        cast->fraction = 0.0;
        joFillTriangleManifold( mesh, &touch, 0.0, &manifold );
        manifold.normal = joNegate3( manifold.normal );
        joTakeTouch3( &manifold, cast->hit );
    }
    return true;
}

// Conservative advancement, as for two convex shapes. Ends where it is later than the first hit so far.
static void castAtTriangle( Cast* cast, uint32_t triangle )
{
    joMeshPair* mesh = cast->mesh;
    joConvexPair* pair = &mesh->pair;
    joSetTriangle( mesh, triangle );
    if ( cast->isOut && meetTouched( cast ) )
    {
        return;
    }
    const double start[3] = { pair->position[0], pair->position[1], pair->position[2] };
    double fraction = 0.0, tolerance = JO_CAST_TOLERANCE * pair->size;
    joGjkAnswer gjk = { .simplex = { .count = 0 } };
    for ( int i = 0; i < MAX_CAST_STEPS; ++i )
    {
        joRunGjk( pair, INFINITY, &gjk );
        double gap = gjk.distance - pair->radius;
        double speed = gjk.distance > 0.0 ? joDotOf3( gjk.separation, cast->local ) / gjk.distance : INFINITY;
        if ( !( speed > 0.0 ) )
        {
            return;
        }
        if ( gap <= tolerance )
        {
            takeHit( cast, &gjk, fraction );
            cast->fraction = fraction;
            return;
        }
        fraction += gap / speed;
        if ( fraction >= cast->fraction )
        {
            return;
        }
        for ( int k = 0; k < 3; ++k )
        {
            pair->position[k] = start[k] + fraction * cast->local[k];
        }
    }
    cast->hit->status = jo_collideIterationLimit;
}

static void castAt( const joPlacedPair3* placed, joVec3 motion, bool isOut, double along, joCastHit3* hit )
{
    joMeshPair mesh;
    joMakeMeshPair( &mesh, placed );
    Cast cast = { .mesh = &mesh,
        .motion = motion,
        .fraction = nextafter( 1.0, 2.0 ),
        .isOut = isOut,
        .into = along,
        .hit = hit };
    const double world[3] = { -(double)motion.x, -(double)motion.y, -(double)motion.z };
    joMatrix3_ApplyInverse( &mesh.pair.a.pose.rotation, world, cast.local );
    if ( !( joDotOf3( cast.local, cast.local ) > 0.0 ) )
    {
        return; // as little as they touch now
    }
    uint32_t stack[JO_MESH_MAX_DEPTH + 1], count = 1;
    stack[0] = 0;
    while ( count > 0 )
    {
        const joMeshNode* node = mesh.view.nodes + stack[--count];
        if ( isinf( enterBox( &cast, node, cast.fraction ) ) )
        {
            continue;
        }
        for ( uint32_t i = 0; i < node->count; ++i )
        {
            castAtTriangle( &cast, node->first + i );
        }
        if ( node->count == 0 )
        {
            const joMeshNode* children = mesh.view.nodes + node->first;
            double first = enterBox( &cast, children, cast.fraction );
            double second = enterBox( &cast, children + 1, cast.fraction );
            uint32_t nearer = second < first ? 1 : 0;
            stack[count++] = node->first + 1 - nearer;
            stack[count++] = node->first + nearer;
        }
    }
}

static void castMesh( const joPlacedPair3* placed, joVec3 motion, joCollideCache* cache, joCastHit3* hit )
{
    (void)cache;
    castAt( placed, motion, false, 0.0, hit );
}

void joCastOutOfMesh( const joPlacedPair3* placed, joVec3 motion, double along, joCastHit3* hit )
{
    castAt( placed, motion, true, along, hit );
}

const joPairFunctions3 joConvexMesh3 = { overlapMesh, collideMesh, distanceMesh, castMesh, NULL };

static joResult collideTriangles(
    const joPlacedPair3* placed, float margin, joMeshContact3* contacts, uint32_t capacity, uint32_t* count )
{
    joMeshPair mesh;
    joMeshWalk walk;
    joPenetration touch;
    uint32_t triangle;
    joMakeMeshPair( &mesh, placed );
    joStartWalk( &walk, &mesh, (double)margin );
    while ( joNextTriangle( &walk, &triangle ) )
    {
        joMeshContact3 contact = { .manifold = { .status = jo_collideComplete } };
        joSetTriangle( &mesh, triangle );
        if ( !joTouchTriangle( &mesh, (double)margin, &touch, &contact.manifold.status ) )
        {
            continue;
        }
        if ( *count < capacity )
        {
            contact.triangle = mesh.view.triangles[triangle].name;
            joFillTriangleManifold( &mesh, &touch, (double)margin, &contact.manifold );
            contacts[*count] = contact;
        }
        *count += 1;
    }
    return jo_success;
}

joResult joCollideMesh3( const joMesh3* mesh, const joTransform3* poseMesh, const joShape3* shape,
    const joTransform3* poseShape, float margin, joMeshContact3* contacts, uint32_t capacity,
    uint32_t* count )
{
    if ( count == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *count = 0;
    joResult result = contacts == NULL && capacity > 0 ? jo_errorNullArgument : joCheckMesh3( mesh );
    result = result ? result : joCheckTransform3( poseMesh );
    result = result ? result : joCheckShape3( shape );
    result = result ? result : joCheckTransform3( poseShape );
    result = result ? result : joCheckMargin( margin );
    if ( !result && ( shape->kind == jo_halfSpaceShape3 || shape->kind == jo_meshShape3 ) )
    {
        result = jo_errorNoSuchPair;
    }
    if ( result )
    {
        return JO_MISUSE( result );
    }
    const joShape3 other = { .kind = jo_meshShape3, .mesh = mesh };
    const joPlacedPair3 placed = { shape, &other, poseShape, poseMesh };
    joFloatEnv env = joFloatEnv_Enter();
    result = collideTriangles( &placed, margin, contacts, capacity, count );
    joFloatEnv_Leave( env );
    return result;
}
