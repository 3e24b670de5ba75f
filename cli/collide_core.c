// SPDX-License-Identifier: MIT
#include "collide_core.h"

#include "collide_vector.h"

#include <math.h>
#include <string.h>

// A body's frame: columns of the rotation, and where its origin is, from the position of A's body.
typedef struct Frame
{
    double axes[3][3];
    double origin[3];
} Frame;

static void ApplyFrame( const Frame* frame, const double local[3], double out[3] )
{
    for ( int i = 0; i < 3; ++i )
    {
        out[i] = frame->origin[i] + frame->axes[0][i] * local[0] + frame->axes[1][i] * local[1] +
                 frame->axes[2][i] * local[2];
    }
}

static void TurnByFrame( const Frame* frame, const double local[3], double out[3] )
{
    Frame turn = *frame;
    memset( turn.origin, 0, sizeof( turn.origin ) );
    ApplyFrame( &turn, local, out );
}

// The columns of the matrix of a quaternion of any length.
static void SetAxesOfQuat( Frame* frame, joQuat quat )
{
    const double x = (double)quat.x, y = (double)quat.y, z = (double)quat.z, w = (double)quat.w;
    const double s = 2.0 / ( x * x + y * y + z * z + w * w );
    const double axes[3][3] = {
        { 1.0 - s * ( y * y + z * z ), s * ( x * y + w * z ), s * ( x * z - w * y ) },
        { s * ( x * y - w * z ), 1.0 - s * ( x * x + z * z ), s * ( y * z + w * x ) },
        { s * ( x * z + w * y ), s * ( y * z - w * x ), 1.0 - s * ( x * x + y * y ) },
    };
    memcpy( frame->axes, axes, sizeof( axes ) );
}

static Frame FrameOfBody( const joCollideScene* scene, int index )
{
    Frame frame = { .axes = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } } };
    if ( scene->dimension == 3 )
    {
        const joTransform3 *pose = &scene->poses3[index], *origin = &scene->poses3[0];
        SetAxesOfQuat( &frame, pose->rotation );
        frame.origin[0] = (double)pose->position.x - (double)origin->position.x;
        frame.origin[1] = (double)pose->position.y - (double)origin->position.y;
        frame.origin[2] = (double)pose->position.z - (double)origin->position.z;
    }
    else
    {
        const joTransform2 *pose = &scene->poses2[index], *origin = &scene->poses2[0];
        const double c = (double)pose->rotation.c, s = (double)pose->rotation.s;
        const double length = sqrt( c * c + s * s );
        frame.axes[0][0] = frame.axes[1][1] = c / length;
        frame.axes[0][1] = s / length;
        frame.axes[1][0] = -s / length;
        frame.origin[0] = (double)pose->position.x - (double)origin->position.x;
        frame.origin[1] = (double)pose->position.y - (double)origin->position.y;
    }
    return frame;
}

static void AddPoint( joCore* core, const Frame* frame, double x, double y, double z )
{
    const double local[3] = { x, y, z };
    ApplyFrame( frame, local, core->points[core->pointCount++] );
}

static void AddPoint2( joCore* core, const Frame* frame, joVec2 point )
{
    AddPoint( core, frame, (double)point.x, (double)point.y, 0.0 );
}

static void AddPoint3( joCore* core, const Frame* frame, joVec3 point )
{
    AddPoint( core, frame, (double)point.x, (double)point.y, (double)point.z );
}

static void AddEdge( joCore* core, uint32_t a, uint32_t b )
{
    core->edges[core->edgeCount][0] = a;
    core->edges[core->edgeCount++][1] = b;
}

static void AddNormal( joCore* core, const double normal[3] )
{
    joCopyVector( normal, core->normals[core->normalCount++] );
}

// Left out where one that points the same way or the opposite one is there: to 1e-9, as for axes.
static void AddDirection( joCore* core, const double direction[3] )
{
    double unit[3];
    if ( !joNormalizeVector( direction, unit ) )
    {
        return;
    }
    for ( uint32_t i = 0; i < core->directionCount; ++i )
    {
        double cross[3];
        joCrossVectors( core->directions[i], unit, cross );
        if ( joDotVectors( cross, cross ) < 1e-18 )
        {
            return;
        }
    }
    joCopyVector( unit, core->directions[core->directionCount++] );
}

static void AddLoop( joCore* core, const uint32_t* indices, uint32_t count, const double normal[3] )
{
    const uint32_t start = core->loopStarts[core->loopCount];
    memcpy( core->loops + start, indices, count * sizeof( indices[0] ) );
    joCopyVector( normal, core->loopNormals[core->loopCount++] );
    core->loopStarts[core->loopCount] = start + count;
}

// --- 2D ---------------------------------------------------------------------------------------------------

// The points in order: edges around them, and their normals.
static void CloseOutline( joCore* core )
{
    const uint32_t count = core->pointCount;
    for ( uint32_t i = 0; i < ( count == 2 ? 1 : count ) && count > 1; ++i )
    {
        const uint32_t next = ( i + 1 ) % count;
        AddEdge( core, i, next );
        double edge[3], normal[3];
        joSubtractVectors( core->points[next], core->points[i], edge );
        const double outward[3] = { edge[1], -edge[0], 0.0 };
        if ( joNormalizeVector( outward, normal ) )
        {
            AddNormal( core, normal );
        }
    }
    core->isSolid = count > 2;
}

// A box without size on an axis has edges without a direction, but still the axes of a box.
static void AddNormalsOfFlatBox( joCore* core, const Frame* frame )
{
    core->normalCount = 0;
    AddNormal( core, frame->axes[0] );
    AddNormal( core, frame->axes[1] );
}

static void MakeCore2( const joShape2* shape, const Frame* frame, joCore* core )
{
    switch ( shape->kind )
    {
        case jo_circleShape2:
            AddPoint2( core, frame, shape->circle.center );
            core->radius = (double)shape->circle.radius;
            break;
        case jo_capsuleShape2:
            AddPoint2( core, frame, shape->capsule.a );
            AddPoint2( core, frame, shape->capsule.b );
            core->radius = (double)shape->capsule.radius;
            break;
        case jo_segmentShape2:
            AddPoint2( core, frame, shape->segment.a );
            AddPoint2( core, frame, shape->segment.b );
            break;
        case jo_polygonShape2:
            for ( uint32_t i = 0; i < shape->polygon->count; ++i )
            {
                AddPoint2( core, frame, shape->polygon->vertices[i] );
            }
            core->radius = (double)shape->polygon->radius;
            break;
        case jo_chainShape2: // made by its parts
        case jo_shapeKindCount2:
            break;
    }
    CloseOutline( core );
    if ( shape->kind == jo_polygonShape2 && core->normalCount < core->pointCount )
    {
        AddNormalsOfFlatBox( core, frame );
    }
}

// --- 3D ---------------------------------------------------------------------------------------------------

static void MakeBoxCore( const joBox3* box, const Frame* body, joCore* core )
{
    Frame local = { .origin = { (double)box->localPose.position.x, (double)box->localPose.position.y,
                        (double)box->localPose.position.z } };
    SetAxesOfQuat( &local, box->localPose.rotation );
    Frame frame;
    ApplyFrame( body, local.origin, frame.origin );
    for ( int axis = 0; axis < 3; ++axis )
    {
        TurnByFrame( body, local.axes[axis], frame.axes[axis] );
        AddNormal( core, frame.axes[axis] );
        // Not of its edges, which have no direction where the box has no size.
        AddDirection( core, frame.axes[axis] );
    }
    const double half[3] = {
        (double)box->halfExtents.x, (double)box->halfExtents.y, (double)box->halfExtents.z };
    for ( uint32_t i = 0; i < 8; ++i )
    {
        AddPoint( core, &frame, i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1],
            i & 4 ? half[2] : -half[2] );
        for ( uint32_t bit = 1; bit < 8; bit <<= 1 )
        {
            if ( ( i & bit ) == 0 )
            {
                AddEdge( core, i, i | bit );
            }
        }
    }
    for ( int axis = 0; axis < 3; ++axis )
    {
        const uint32_t own = 1u << axis, u = 1u << ( axis + 1 ) % 3, v = 1u << ( axis + 2 ) % 3;
        const uint32_t upper[4] = { own, own | u, own | u | v, own | v };
        const uint32_t lower[4] = { 0, v, u | v, u };
        double down[3];
        joScaleVector( -1.0, frame.axes[axis], down );
        AddLoop( core, upper, 4, frame.axes[axis] );
        AddLoop( core, lower, 4, down );
    }
    core->isSolid = true;
}

// Each edge once, from the face on whose side its points are in rising order.
static void AddEdgesOfLoop( joCore* core, const uint32_t* loop, uint32_t count )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t from = loop[i], to = loop[( i + 1 ) % count];
        if ( from < to && core->edgeCount < JO_CORE_EDGES )
        {
            double direction[3];
            AddEdge( core, from, to );
            joSubtractVectors( core->points[to], core->points[from], direction );
            AddDirection( core, direction );
        }
    }
}

// The normal of a face from its points in double (Newell's), since that of the hull is rounded to float.
static void NormalOfLoop( const joCore* core, const uint32_t* loop, uint32_t count, double normal[3] )
{
    double sum[3] = { 0.0, 0.0, 0.0 };
    for ( uint32_t i = 1; i + 1 < count; ++i )
    {
        double u[3], v[3], cross[3];
        joSubtractVectors( core->points[loop[i]], core->points[loop[0]], u );
        joSubtractVectors( core->points[loop[i + 1]], core->points[loop[0]], v );
        joCrossVectors( u, v, cross );
        joAddVectors( sum, cross, sum );
    }
    joNormalizeVector( sum, normal );
}

static void MakeHullCore( const joHull3* hull, const Frame* frame, joCore* core )
{
    for ( uint32_t i = 0; i < joHull3_GetVertexCount( hull ); ++i )
    {
        AddPoint3( core, frame, joHull3_GetVertex( hull, i ) );
    }
    for ( uint32_t face = 0; face < joHull3_GetFaceCount( hull ); ++face )
    {
        uint8_t vertices[JO_MAX_HULL_VERTICES3];
        uint32_t loop[JO_MAX_HULL_VERTICES3];
        const uint32_t count = joHull3_GetFace( hull, face, vertices, JO_MAX_HULL_VERTICES3, NULL, NULL );
        for ( uint32_t i = 0; i < count; ++i )
        {
            loop[i] = vertices[i];
        }
        double normal[3];
        NormalOfLoop( core, loop, count, normal );
        AddNormal( core, normal );
        AddLoop( core, loop, count, normal );
        AddEdgesOfLoop( core, loop, count );
    }
    core->isSolid = true;
}

static void MakeCore3( const joShape3* shape, const Frame* frame, joCore* core )
{
    switch ( shape->kind )
    {
        case jo_sphereShape3:
            AddPoint3( core, frame, shape->sphere.center );
            core->radius = (double)shape->sphere.radius;
            break;
        case jo_capsuleShape3:
        {
            AddPoint3( core, frame, shape->capsule.a );
            AddPoint3( core, frame, shape->capsule.b );
            AddEdge( core, 0, 1 );
            double direction[3];
            joSubtractVectors( core->points[1], core->points[0], direction );
            AddDirection( core, direction );
            core->radius = (double)shape->capsule.radius;
            break;
        }
        case jo_boxShape3:
            MakeBoxCore( &shape->box, frame, core );
            break;
        case jo_halfSpaceShape3:
        {
            const joVec3 n = shape->halfSpace.normal;
            const double local[3] = { (double)n.x, (double)n.y, (double)n.z };
            double unit[3];
            joNormalizeVector( local, unit );
            TurnByFrame( frame, unit, core->normals[0] );
            core->normalCount = 1;
            core->isHalfSpace = true;
            core->offset = (double)shape->halfSpace.offset + joDotVectors( core->normals[0], frame->origin );
            break;
        }
        case jo_hullShape3:
            MakeHullCore( shape->hull, frame, core );
            break;
        case jo_meshShape3: // made by its parts
        case jo_shapeKindCount3:
            break;
    }
}

// Besides its own normal those of its sides in its plane: along one of them what lies in the plane is parted.
static void MakeTriangle( joCore* core )
{
    static const uint32_t front[3] = { 0, 1, 2 };
    double edges[3][3], normal[3], across[3];
    for ( uint32_t i = 0; i < 3; ++i )
    {
        AddEdge( core, i, ( i + 1 ) % 3 );
        joSubtractVectors( core->points[( i + 1 ) % 3], core->points[i], edges[i] );
        AddDirection( core, edges[i] );
    }
    joCrossVectors( edges[0], edges[1], across );
    joNormalizeVector( across, normal );
    AddNormal( core, normal );
    AddLoop( core, front, 3, normal );
    for ( uint32_t i = 0; i < 3; ++i )
    {
        joCrossVectors( edges[i], normal, across );
        joNormalizeVector( across, across );
        AddNormal( core, across );
    }
    core->isSolid = true;
}

static void MakePart(
    const joCollideScene* scene, int index, uint32_t part, const Frame* frame, joCore* core )
{
    const joSurface* surface = &scene->surfaces[index];
    const uint32_t cornerCount = (uint32_t)scene->dimension;
    for ( uint32_t i = 0; i < cornerCount; ++i )
    {
        const float* point = surface->points + cornerCount * surface->parts[cornerCount * part + i];
        AddPoint(
            core, frame, (double)point[0], (double)point[1], cornerCount == 3 ? (double)point[2] : 0.0 );
    }
    if ( scene->dimension == 3 )
    {
        MakeTriangle( core );
    }
    else
    {
        CloseOutline( core );
    }
}

void joMakeCore( const joCollideScene* scene, int index, uint32_t part, joCore* core )
{
    memset( core, 0, sizeof( *core ) );
    core->dimension = scene->dimension;
    const Frame frame = FrameOfBody( scene, index );
    if ( scene->surfaces[index].partCount > 0 )
    {
        MakePart( scene, index, part, &frame, core );
    }
    else if ( scene->dimension == 3 )
    {
        MakeCore3( &scene->shapes3[index], &frame, core );
    }
    else
    {
        MakeCore2( &scene->shapes2[index], &frame, core );
    }
}

void joWidenMotion( const joCollideScene* scene, double motion[3] )
{
    const bool isFlat = scene->dimension == 2;
    motion[0] = isFlat ? (double)scene->motion2.x : (double)scene->motion3.x;
    motion[1] = isFlat ? (double)scene->motion2.y : (double)scene->motion3.y;
    motion[2] = isFlat ? 0.0 : (double)scene->motion3.z;
}

joInterval joCore_Project( const joCore* core, const double direction[3] )
{
    joInterval interval = { INFINITY, -INFINITY };
    if ( core->isHalfSpace )
    {
        // It has an end on one side of one axis only, which may have been rounded to float.
        double across[3];
        joCrossVectors( core->normals[0], direction, across );
        const bool hasEnd = joVectorLength( across ) < 1e-6;
        const bool isUp = joDotVectors( core->normals[0], direction ) > 0.0;
        interval.lower = hasEnd && !isUp ? -core->offset : -INFINITY;
        interval.upper = hasEnd && isUp ? core->offset : INFINITY;
        return interval;
    }
    for ( uint32_t i = 0; i < core->pointCount; ++i )
    {
        const double at = joDotVectors( core->points[i], direction );
        interval.lower = fmin( interval.lower, at );
        interval.upper = fmax( interval.upper, at );
    }
    interval.lower -= core->radius;
    interval.upper += core->radius;
    return interval;
}

void joCore_Move( joCore* core, const double motion[3] )
{
    for ( uint32_t i = 0; i < core->pointCount; ++i )
    {
        joAddVectors( core->points[i], motion, core->points[i] );
    }
    core->offset += core->isHalfSpace ? joDotVectors( core->normals[0], motion ) : 0.0;
}
