// SPDX-License-Identifier: MIT
// Rays against meshes, in the frame of the mesh and in double.
//
// A triangle is met where the ray passes all three edges on the same side. The side of an edge is a product
// that is computed alike, but for its sign, for both triangles of the edge; so no ray slips through between
// them (compare Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", 2013).
#include "base/assert.h"
#include "narrow_phase/mesh_3d.h"
#include "narrow_phase/shape_checks.h"

#include <float.h>

// Boxes are met a little before and behind what rounding says: the rounding of the distances to their faces.
#define BOX_SLOP 1e-14

typedef struct MeshRay
{
    joWide3 origin;
    joWide3 direction; // unit
    double inverse[3];
    double length;
} MeshRay;

typedef struct Found
{
    double distance;
    uint32_t triangle; // of the mesh
    uint32_t name;
} Found;

// Where the ray enters a box; +inf: it does not, or beyond `limit`.
static double enterBox( const MeshRay* ray, const joMeshNode* node, double limit )
{
    const double* origin = &ray->origin.x;
    double enter = 0.0, leave = limit;
    for ( int k = 0; k < 3; ++k )
    {
        double lower = (double)node->lower[k] - origin[k], upper = (double)node->upper[k] - origin[k];
        double slop = BOX_SLOP * ( fabs( origin[k] ) + fabs( lower ) + fabs( upper ) );
        lower -= slop;
        upper += slop;
        if ( isinf( ray->inverse[k] ) )
        {
            enter = lower > 0.0 || upper < 0.0 ? INFINITY : enter;
            continue;
        }
        double first = lower * ray->inverse[k], last = upper * ray->inverse[k];
        enter = fmax( enter, fmin( first, last ) );
        leave = fmin( leave, fmax( first, last ) );
    }
    return enter <= leave * ( 1.0 + BOX_SLOP ) ? enter : INFINITY;
}

// On which side of the edge from a to b the ray passes. Exactly the opposite for the edge from b to a.
static double sideOf( joWide3 direction, joWide3 a, joWide3 b )
{
    return joDot3( direction, joCross3( a, b ) );
}

static void testTriangle( const MeshRay* ray, const joMeshView* view, uint32_t index, Found* found )
{
    joWide3 corners[3];
    for ( uint32_t i = 0; i < 3; ++i )
    {
        corners[i] = joSubtract3( joMeshView_Vertex( view, index, i ), ray->origin );
    }
    double u = sideOf( ray->direction, corners[1], corners[2] );
    double v = sideOf( ray->direction, corners[2], corners[0] );
    double w = sideOf( ray->direction, corners[0], corners[1] );
    if ( ( u < 0.0 || v < 0.0 || w < 0.0 ) && ( u > 0.0 || v > 0.0 || w > 0.0 ) )
    {
        return;
    }
    joWide3 normal = joCross3( joSubtract3( corners[1], corners[0] ), joSubtract3( corners[2], corners[0] ) );
    double slope = joDot3( normal, ray->direction );
    if ( slope == 0.0 || u + v + w == 0.0 )
    {
        return; // the ray lies in its plane
    }
    double distance = joDot3( normal, corners[0] ) / slope;
    uint32_t name = view->triangles[index].name;
    bool isNearer = distance < found->distance || ( distance == found->distance && name < found->name );
    if ( distance >= 0.0 && distance <= ray->length && isNearer )
    {
        *found = ( Found ){ distance, index, name };
    }
}

static Found findFirst( const MeshRay* ray, const joMeshView* view )
{
    Found found = { INFINITY, JO_NULL_INDEX, JO_NULL_INDEX };
    uint32_t stack[JO_MESH_MAX_DEPTH + 1], count = 1;
    stack[0] = 0;
    while ( count > 0 )
    {
        const joMeshNode* node = view->nodes + stack[--count];
        double limit = fmin( ray->length, found.distance );
        if ( isinf( enterBox( ray, node, limit ) ) )
        {
            continue;
        }
        for ( uint32_t i = 0; i < node->count; ++i )
        {
            testTriangle( ray, view, node->first + i, &found );
        }
        if ( node->count == 0 )
        {
            // The nearer one is taken first.
            double first = enterBox( ray, view->nodes + node->first, limit );
            double second = enterBox( ray, view->nodes + node->first + 1, limit );
            uint32_t nearer = second < first ? 1 : 0;
            stack[count++] = node->first + 1 - nearer;
            stack[count++] = node->first + nearer;
        }
    }
    return found;
}

static void castRay( const joMesh3* mesh, const joTransform3* pose, const joRay* ray, joMeshRayHit3* hit )
{
    joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( pose->rotation ) );
    joMeshView view = joViewMesh( mesh );
    joWide3 from = { (double)ray->origin[0], (double)ray->origin[1], (double)ray->origin[2] };
    joWide3 along = { (double)ray->direction[0], (double)ray->direction[1], (double)ray->direction[2] };
    along = joTurnBack3( &rotation, joScale3( 1.0 / joLength3( along ), along ) );
    MeshRay local = { .origin = joTurnBack3( &rotation, joSubtract3( from, joWiden3( pose->position ) ) ),
        .direction = along,
        .inverse = { 1.0 / along.x, 1.0 / along.y, 1.0 / along.z },
        .length = (double)ray->length };
    Found found = findFirst( &local, &view );
    if ( found.triangle == JO_NULL_INDEX )
    {
        return;
    }
    joWide3 a = joMeshView_Vertex( &view, found.triangle, 0 );
    joWide3 b = joMeshView_Vertex( &view, found.triangle, 1 );
    joWide3 c = joMeshView_Vertex( &view, found.triangle, 2 );
    joWide3 normal = joCross3( joSubtract3( b, a ), joSubtract3( c, a ) );
    double scale = ( joDot3( normal, along ) > 0.0 ? -1.0 : 1.0 ) / joLength3( normal );
    hit->normal = joNarrow3( joTurn3( &rotation, joScale3( scale, normal ) ) );
    hit->distance = (float)fmin( found.distance, (double)FLT_MAX );
    hit->triangle = found.name;
}

joResult joCastRayAtMesh3(
    const joMesh3* mesh, const joTransform3* pose, const joRay* ray, joMeshRayHit3* hit )
{
    if ( hit == NULL )
    {
        return JO_MISUSE( jo_errorNullArgument );
    }
    *hit = ( joMeshRayHit3 ){ .distance = INFINITY, .triangle = JO_NULL_INDEX };
    joResult result = ray == NULL ? jo_errorNullArgument : joCheckMesh3( mesh );
    result = result ? result : joCheckTransform3( pose );
    result = result ? result : joCheckShapeRay( ray, 3 );
    if ( result )
    {
        return JO_MISUSE( result );
    }
    if ( ray->length > 0.0f )
    {
        joFloatEnv env = joFloatEnv_Enter();
        castRay( mesh, pose, ray, hit );
        joFloatEnv_Leave( env );
    }
    return jo_success;
}
