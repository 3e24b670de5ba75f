// SPDX-License-Identifier: MIT
#include "fuzz_shapes_2d.h"

#include <stdio.h>
#include <string.h>

// A box, a hull of points, or, seldom, any numbers as a polygon, which its check has to refuse.
static void takePolygon( FuzzBytes* bytes, joPolygon2* polygon )
{
    const uint8_t form = takeByte( bytes );
    const joVec2 half = { takeSize( bytes ), takeSize( bytes ) };
    *polygon = joMakeBox2( half.x, half.y );
    if ( form % 4 != 0 )
    {
        joVec2 points[JO_MAX_POLYGON_VERTICES + 4];
        const uint32_t count = form / 4 % ( JO_MAX_POLYGON_VERTICES + 5 );
        for ( uint32_t i = 0; i < count; ++i )
        {
            points[i] = takeVec2( bytes );
        }
        uint32_t badIndex;
        joMakePolygon2( points, count, 0.0f, polygon, &badIndex );
    }
    polygon->radius = takeSize( bytes );
    if ( form == 255 )
    {
        const uint32_t vertex = takeByte( bytes ) % JO_MAX_POLYGON_VERTICES;
        polygon->vertices[vertex] = takeVec2( bytes );
        polygon->normals[vertex] = takeVec2( bytes );
        polygon->count = takeByte( bytes );
    }
}

void takeShape2( FuzzBytes* bytes, FuzzShape2* taken )
{
    joShape2* shape = &taken->shape;
    memset( taken, 0, sizeof( *taken ) );
    const uint8_t kind = takeByte( bytes );
    shape->kind = (joShapeKind2)( kind % ( jo_chainShape2 + ( kind > 250 ) ) );
    switch ( shape->kind )
    {
        case jo_circleShape2:
            shape->circle.center = takeVec2( bytes );
            shape->circle.radius = takeSize( bytes );
            break;
        case jo_capsuleShape2:
            shape->capsule.a = takeVec2( bytes );
            shape->capsule.b = takeVec2( bytes );
            shape->capsule.radius = takeSize( bytes );
            break;
        case jo_segmentShape2:
            shape->segment.a = takeVec2( bytes );
            shape->segment.b = takeVec2( bytes );
            break;
        case jo_polygonShape2:
            takePolygon( bytes, &taken->polygon );
            shape->polygon = &taken->polygon;
            break;
        case jo_chainShape2: // none is made: a null pointer
        case jo_shapeKindCount2:
            break;
    }
    taken->pose = takeTransform2( bytes );
}

void printShape2( const FuzzShape2* taken )
{
    static const char* const kinds[] = { "circle", "capsule", "polygon", "segment", "chain", "none" };
    const joShape2* shape = &taken->shape;
    fprintf( stderr, "\"kind\": \"%s\", ", kinds[shape->kind] );
    switch ( shape->kind )
    {
        case jo_circleShape2:
            printNumbers( "center", &shape->circle.center.x, 2 );
            fprintf( stderr, ", \"radius\": %.9g", (double)shape->circle.radius );
            break;
        case jo_capsuleShape2:
            printPoints( &shape->capsule.a.x, 2, 2 );
            fprintf( stderr, ", \"radius\": %.9g", (double)shape->capsule.radius );
            break;
        case jo_segmentShape2:
            printPoints( &shape->segment.a.x, 2, 2 );
            break;
        case jo_polygonShape2:
        {
            const uint32_t count = shape->polygon->count;
            const uint32_t room = JO_MAX_POLYGON_VERTICES;
            printPoints( &shape->polygon->vertices[0].x, 2, (int)( count < room ? count : room ) );
            fprintf( stderr, ", \"radius\": %.9g", (double)shape->polygon->radius );
            break;
        }
        case jo_chainShape2: // none is made: a null pointer
        case jo_shapeKindCount2:
            break;
    }
    fputs( ",\n    \"pose\": { ", stderr );
    printNumbers( "position", &taken->pose.position.x, 2 );
    fputs( ", ", stderr );
    printNumbers( "rotation", &taken->pose.rotation.c, 2 );
    fputs( " }", stderr );
}
