// SPDX-License-Identifier: MIT
// The picture of `jostle run`: all colliders, coloured by the state of their bodies. 2D as it is; 3D along an
// axis, from above or from a side, the nearest last.
#include "outline_plot.h"
#include "scene_output.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_SIZE 1200.0 // of the longer side
#define BORDER 12.0
#define MAX_POINTS 64 // of an outline
#define PI 3.14159265358979323846

typedef struct Colour
{
    double red, green, blue;
} Colour;

static const Colour paper = { 0.045, 0.055, 0.075 };
static const Colour ground = { 0.075, 0.09, 0.12 };
static const Colour frame = { 0.80, 0.84, 0.90 };
static const Colour stateColours[] = {
    { 0.30, 0.34, 0.40 }, // static
    { 0.55, 0.57, 0.60 }, // asleep
    { 0.25, 0.55, 0.95 }, // nothing of that
    { 0.95, 0.25, 0.20 }, // touching
};

static const Colour triggerColour = { 0.90, 0.80, 0.35 };

// In the order in which they are drawn.
typedef enum State
{
    jo_still,
    jo_asleep,
    jo_free,
    jo_touching
} State;

typedef struct Entry
{
    joBodyId body;
    State state;
    bool isTouched;
    double depth; // towards the eye
    uint64_t group;
    joTransform2 pose2;
    joTransform3 pose3;
} Entry;

typedef struct Picture
{
    const joSceneRun* run;
    cairo_t* cairo;
    double lower[2], upper[2]; // what is seen, in world units
    double scale;
} Picture;

// --- where things are -------------------------------------------------------------------------------------

// From the world to the plane of the picture, y up.
static void Flatten( const Picture* picture, const double world[3], double flat[2] )
{
    const bool isFromAbove = picture->run->scene->view.isFromAbove;
    flat[0] = world[0];
    flat[1] = isFromAbove ? -world[2] : world[1];
}

static void ToPage( const Picture* picture, const double world[3], double page[2] )
{
    double flat[2];
    Flatten( picture, world, flat );
    page[0] = BORDER + picture->scale * ( flat[0] - picture->lower[0] );
    page[1] = BORDER + picture->scale * ( picture->upper[1] - flat[1] );
}

static void PlaceFlat( joTransform2 pose, joVec2 local, double world[3] )
{
    const joVec2 point = joTransformPoint2( pose, local );
    world[0] = (double)point.x;
    world[1] = (double)point.y;
    world[2] = 0.0;
}

static void PlaceSolid( joTransform3 pose, joVec3 local, double world[3] )
{
    const joVec3 point = joTransformPoint3( pose, local );
    world[0] = (double)point.x;
    world[1] = (double)point.y;
    world[2] = (double)point.z;
}

// --- colliders --------------------------------------------------------------------------------------------

// Fills what has been traced, or outlines it.
static void Paint( const Picture* picture, const Entry* entry, bool isTrigger )
{
    const Colour colour = !isTrigger         ? stateColours[entry->state]
                          : entry->isTouched ? stateColours[jo_touching]
                                             : triggerColour;
    cairo_set_source_rgb( picture->cairo, colour.red, colour.green, colour.blue );
    if ( isTrigger )
    {
        cairo_set_line_width( picture->cairo, 1.5 );
        cairo_stroke( picture->cairo );
        return;
    }
    cairo_fill_preserve( picture->cairo );
    cairo_set_source_rgb( picture->cairo, ground.red, ground.green, ground.blue );
    cairo_set_line_width( picture->cairo, 0.5 );
    cairo_stroke( picture->cairo );
}

// The outline of all within a radius of points of the world.
static void TracePoints( const Picture* picture, double ( *points )[3], uint32_t count, float radius )
{
    double flat[MAX_POINTS][2], outline[2 * MAX_POINTS + 2][2];
    for ( uint32_t i = 0; i < count; ++i )
    {
        ToPage( picture, points[i], flat[i] );
    }
    const uint32_t size = joFindOutline( flat, count, outline );
    joTraceRounded( picture->cairo, outline, size, fmax( (double)radius * picture->scale, 0.5 ) );
}

// The surface of a mesh or a chain of the scene.
static const joSurface* FindSurface( const Picture* picture, uint64_t group, const void* shape )
{
    const joSceneBody* source = &picture->run->scene->bodies[group];
    for ( uint32_t k = 0; k < source->colliderCount; ++k )
    {
        const joFileShape* from = &source->colliders[k].shape;
        if ( from->mesh == shape || from->chain == shape )
        {
            return &from->surface;
        }
    }
    return NULL;
}

static void DrawSurface(
    const Picture* picture, const Entry* entry, const void* shape, joTransform2 pose2, joTransform3 pose3 )
{
    const joSurface* surface = FindSurface( picture, entry->group, shape );
    const bool isFlat = picture->run->scene->dimension == 2;
    const uint32_t corners = isFlat ? 2 : 3;
    cairo_new_path( picture->cairo );
    for ( uint32_t part = 0; surface != NULL && part < surface->partCount; ++part )
    {
        for ( uint32_t i = 0; i < corners; ++i )
        {
            const float* p =
                surface->points + (size_t)( isFlat ? 2 : 3 ) * surface->parts[corners * part + i];
            double world[3], page[2];
            if ( isFlat )
            {
                PlaceFlat( pose2, ( joVec2 ){ p[0], p[1] }, world );
            }
            else
            {
                PlaceSolid( pose3, ( joVec3 ){ p[0], p[1], p[2] }, world );
            }
            ToPage( picture, world, page );
            i == 0 ? cairo_move_to( picture->cairo, page[0], page[1] )
                   : cairo_line_to( picture->cairo, page[0], page[1] );
        }
        cairo_close_path( picture->cairo );
    }
    const Colour colour = stateColours[entry->state];
    cairo_set_source_rgb( picture->cairo, colour.red, colour.green, colour.blue );
    cairo_set_line_width( picture->cairo, 1.5 );
    cairo_stroke( picture->cairo );
}

static void DrawCollider2( const Picture* picture, const Entry* entry, joColliderId collider )
{
    joColliderDef2 def;
    if ( joWorld_GetCollider2( picture->run->world, collider, &def, NULL ) )
    {
        return;
    }
    const joTransform2 pose = joMultiplyTransforms2( entry->pose2, def.localPose );
    const joShape2* shape = &def.shape;
    double points[MAX_POINTS][3];
    uint32_t count = 0;
    float radius = 0.0f;
    switch ( shape->kind )
    {
        case jo_circleShape2:
            PlaceFlat( pose, shape->circle.center, points[count++] );
            radius = shape->circle.radius;
            break;
        case jo_capsuleShape2:
            PlaceFlat( pose, shape->capsule.a, points[count++] );
            PlaceFlat( pose, shape->capsule.b, points[count++] );
            radius = shape->capsule.radius;
            break;
        case jo_segmentShape2:
            PlaceFlat( pose, shape->segment.a, points[count++] );
            PlaceFlat( pose, shape->segment.b, points[count++] );
            break;
        case jo_polygonShape2:
            for ( ; count < shape->polygon->count; ++count )
            {
                PlaceFlat( pose, shape->polygon->vertices[count], points[count] );
            }
            radius = shape->polygon->radius;
            break;
        case jo_chainShape2:
        case jo_shapeKindCount2:
            DrawSurface( picture, entry, shape->chain, pose, entry->pose3 );
            return;
    }
    TracePoints( picture, points, count, radius );
    Paint( picture, entry, def.isTrigger );
}

// What lies farthest in directions all around, seen along the view.
static uint32_t FindRim(
    const Picture* picture, const joShape3* shape, joTransform3 pose, double ( *points )[3] )
{
    const bool isFromAbove = picture->run->scene->view.isFromAbove;
    const joTransform3 turn = { { 0.0f, 0.0f, 0.0f }, pose.rotation };
    for ( uint32_t i = 0; i < MAX_POINTS; ++i )
    {
        const float angle = (float)( 2.0 * PI * i / MAX_POINTS );
        const float x = joCos( angle ), y = joSin( angle );
        const joVec3 direction = isFromAbove ? ( joVec3 ){ x, 0.0f, y } : ( joVec3 ){ x, y, 0.0f };
        PlaceSolid(
            pose, joFindShapeSupport3( shape, joInverseTransformPoint3( turn, direction ) ), points[i] );
    }
    return MAX_POINTS;
}

// What lies below a plane that is seen from its side; of one that faces the eye nothing can be told.
static void DrawHalfSpace(
    const Picture* picture, const Entry* entry, const joHalfSpace3* plane, joTransform3 pose )
{
    double foot[3], tip[3], from[2], to[2];
    const joVec3 n = plane->normal;
    const float length = sqrtf( n.x * n.x + n.y * n.y + n.z * n.z );
    const float near = plane->offset / length, far = ( plane->offset + 1.0f ) / length;
    PlaceSolid( pose, ( joVec3 ){ near * n.x, near * n.y, near * n.z }, foot );
    PlaceSolid( pose, ( joVec3 ){ far * n.x, far * n.y, far * n.z }, tip );
    ToPage( picture, foot, from );
    ToPage( picture, tip, to );
    const double up[2] = { to[0] - from[0], to[1] - from[1] };
    const double size = hypot( up[0], up[1] );
    if ( size < 0.1 * picture->scale / (double)length )
    {
        return;
    }
    // A rectangle far larger than the page; the clip cuts it.
    const double reach = 1e3 * PAGE_SIZE / size;
    cairo_new_path( picture->cairo );
    for ( int i = 0; i < 4; ++i )
    {
        const double along = i == 0 || i == 3 ? reach : -reach, down = i >= 2 ? reach : 0.0;
        cairo_line_to(
            picture->cairo, from[0] - along * up[1] - down * up[0], from[1] + along * up[0] - down * up[1] );
    }
    cairo_close_path( picture->cairo );
    Paint( picture, entry, false );
}

static void DrawCollider3( const Picture* picture, const Entry* entry, joColliderId collider )
{
    joColliderDef3 def;
    if ( joWorld_GetCollider3( picture->run->world, collider, &def, NULL ) )
    {
        return;
    }
    const joTransform3 pose = joMultiplyTransforms3( entry->pose3, def.localPose );
    const joShape3* shape = &def.shape;
    double points[MAX_POINTS][3];
    uint32_t count = 0;
    float radius = 0.0f;
    switch ( shape->kind )
    {
        case jo_sphereShape3:
            PlaceSolid( pose, shape->sphere.center, points[count++] );
            radius = shape->sphere.radius;
            break;
        case jo_capsuleShape3:
            PlaceSolid( pose, shape->capsule.a, points[count++] );
            PlaceSolid( pose, shape->capsule.b, points[count++] );
            radius = shape->capsule.radius;
            break;
        case jo_boxShape3:
        case jo_hullShape3:
            count = FindRim( picture, shape, pose, points );
            break;
        case jo_halfSpaceShape3:
            DrawHalfSpace( picture, entry, &shape->halfSpace, pose );
            return;
        case jo_meshShape3:
        case jo_shapeKindCount3:
            DrawSurface( picture, entry, shape->mesh, entry->pose2, pose );
            return;
    }
    TracePoints( picture, points, count, radius );
    Paint( picture, entry, def.isTrigger );
}

static void DrawBody( const Picture* picture, const Entry* entry )
{
    const joWorld* world = picture->run->world;
    joColliderId colliders[64];
    uint64_t count = 0;
    joWorld_GetColliders( world, entry->body, colliders, 64, &count );
    for ( uint64_t i = 0; i < count && i < 64; ++i )
    {
        if ( picture->run->scene->dimension == 2 )
        {
            DrawCollider2( picture, entry, colliders[i] );
        }
        else
        {
            DrawCollider3( picture, entry, colliders[i] );
        }
    }
}

// --- bodies -----------------------------------------------------------------------------------------------

static Entry MakeEntry( const joSceneRun* run, joBodyId body )
{
    Entry entry = { .body = body };
    joBodyDef2 def2 = { 0 };
    joBodyDef3 def3 = { 0 };
    const bool isFlat = run->scene->dimension == 2;
    isFlat ? joWorld_GetBody2( run->world, body, &def2 ) : joWorld_GetBody3( run->world, body, &def3 );
    uint64_t touchCount = 0;
    joWorld_GetContacts( run->world, body, NULL, 0, &touchCount );
    const joBodyType type = isFlat ? def2.type : def3.type;
    const bool isAwake = isFlat ? def2.isAwake : def3.isAwake;
    entry.isTouched = touchCount > 0;
    entry.state = type == jo_staticBody ? jo_still
                  : touchCount > 0      ? jo_touching
                  : isAwake             ? jo_free
                                        : jo_asleep;
    entry.group = isFlat ? def2.userData : def3.userData;
    entry.pose2 = def2.pose;
    entry.pose3 = def3.pose;
    entry.depth = isFlat                         ? 0.0
                  : run->scene->view.isFromAbove ? (double)def3.pose.position.y
                                                 : (double)def3.pose.position.z;
    return entry;
}

static int CompareEntries( const void* a, const void* b )
{
    const Entry *x = a, *y = b;
    const bool isFirst = x->depth != y->depth   ? x->depth < y->depth
                         : x->state != y->state ? x->state < y->state
                                                : x->body.bits < y->body.bits;
    return isFirst ? -1 : 1;
}

// All bodies, in the order in which they are drawn, to be freed.
static Entry* ListBodies( const joSceneRun* run, uint64_t* count )
{
    joWorld_GetBodyIds( run->world, NULL, 0, count );
    joBodyId* ids = malloc( ( *count + 1 ) * sizeof( joBodyId ) );
    Entry* entries = malloc( ( *count + 1 ) * sizeof( Entry ) );
    if ( ids != NULL && entries != NULL )
    {
        joWorld_GetBodyIds( run->world, ids, *count, count );
        for ( uint64_t i = 0; i < *count; ++i )
        {
            entries[i] = MakeEntry( run, ids[i] );
        }
        qsort( entries, *count, sizeof( Entry ), CompareEntries );
    }
    else
    {
        free( entries );
        entries = NULL;
    }
    free( ids );
    return entries;
}

// What the scene says, or a little more than all places of bodies.
static void ChooseView( Picture* picture, const Entry* entries, uint64_t count )
{
    const joSceneView* view = &picture->run->scene->view;
    double lower[2] = { INFINITY, INFINITY }, upper[2] = { -INFINITY, -INFINITY };
    for ( uint64_t i = 0; i < count && !view->isGiven; ++i )
    {
        double world[3], flat[2];
        picture->run->scene->dimension == 2
            ? PlaceFlat( entries[i].pose2, ( joVec2 ){ 0.0f, 0.0f }, world )
            : PlaceSolid( entries[i].pose3, ( joVec3 ){ 0.0f, 0.0f, 0.0f }, world );
        Flatten( picture, world, flat );
        for ( int axis = 0; axis < 2; ++axis )
        {
            lower[axis] = fmin( lower[axis], flat[axis] );
            upper[axis] = fmax( upper[axis], flat[axis] );
        }
    }
    const double size = fmax( upper[0] - lower[0], upper[1] - lower[1] );
    const double margin = isfinite( size ) && size > 0.0 ? 0.05 * size : 1.0;
    for ( int axis = 0; axis < 2; ++axis )
    {
        const double scale = (double)picture->run->scale;
        const bool isSeen = isfinite( lower[axis] ) && isfinite( upper[axis] );
        picture->lower[axis] = view->isGiven ? scale * (double)view->lower[axis]
                               : isSeen      ? lower[axis] - margin
                                             : -1.0;
        picture->upper[axis] = view->isGiven ? scale * (double)view->upper[axis]
                               : isSeen      ? upper[axis] + margin
                                             : 1.0;
    }
    const double width = picture->upper[0] - picture->lower[0],
                 height = picture->upper[1] - picture->lower[1];
    picture->scale = ( PAGE_SIZE - 2.0 * BORDER ) / fmax( width, height );
}

static void DrawAll( Picture* picture, const Entry* entries, uint64_t count )
{
    cairo_t* cairo = picture->cairo;
    const double width = picture->scale * ( picture->upper[0] - picture->lower[0] );
    const double height = picture->scale * ( picture->upper[1] - picture->lower[1] );
    cairo_set_source_rgb( cairo, paper.red, paper.green, paper.blue );
    cairo_paint( cairo );
    cairo_save( cairo );
    cairo_rectangle( cairo, BORDER, BORDER, width, height );
    cairo_clip_preserve( cairo );
    cairo_set_source_rgb( cairo, ground.red, ground.green, ground.blue );
    cairo_fill( cairo );
    for ( uint64_t i = 0; i < count; ++i )
    {
        DrawBody( picture, &entries[i] );
    }
    cairo_restore( cairo );
    cairo_rectangle( cairo, BORDER, BORDER, width, height );
    cairo_set_source_rgb( cairo, frame.red, frame.green, frame.blue );
    cairo_set_line_width( cairo, 2.0 );
    cairo_stroke( cairo );
}

bool joPlotScene( const joSceneRun* run, const char* path, joFileError* error )
{
    *error = ( joFileError ){ 0 };
    uint64_t count = 0;
    Entry* entries = ListBodies( run, &count );
    if ( entries == NULL )
    {
        snprintf( error->what, sizeof( error->what ), "%s", strerror( ENOMEM ) );
        return false;
    }
    Picture picture = { .run = run };
    ChooseView( &picture, entries, count );
    const double width = picture.scale * ( picture.upper[0] - picture.lower[0] ) + 2.0 * BORDER;
    const double height = picture.scale * ( picture.upper[1] - picture.lower[1] ) + 2.0 * BORDER;
    cairo_surface_t* surface =
        cairo_image_surface_create( CAIRO_FORMAT_RGB24, (int)ceil( width ), (int)ceil( height ) );
    picture.cairo = cairo_create( surface );
    DrawAll( &picture, entries, count );
    const cairo_status_t status = cairo_surface_write_to_png( surface, path );
    if ( status != CAIRO_STATUS_SUCCESS )
    {
        snprintf(
            error->what, sizeof( error->what ), "cannot be written: %s", cairo_status_to_string( status ) );
    }
    cairo_destroy( picture.cairo );
    cairo_surface_destroy( surface );
    free( entries );
    return status == CAIRO_STATUS_SUCCESS;
}
