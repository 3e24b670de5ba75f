// SPDX-License-Identifier: MIT
#include "support/flat_pair_sets.h"

#include "reference/flat_reference.h"
#include "test_support.h"

#include <math.h>

const char* const flatKindNames[jo_shapeKindCount2] = { "circle", "capsule", "polygon", "segment", "chain" };

float flatFloatIn( uint64_t* random, float lower, float upper )
{
    double fraction = (double)( nextRandom( random ) >> 11 ) * 0x1.0p-53;
    return (float)( (double)lower + ( (double)upper - (double)lower ) * fraction );
}

static joVec2 anyPoint( uint64_t* random, float size )
{
    return ( joVec2 ){ flatFloatIn( random, -size, size ), flatFloatIn( random, -size, size ) };
}

joPolygon2 flatAnyPolygon( uint64_t* random )
{
    joPolygon2 polygon = joMakeBox2( flatFloatIn( random, 0.2f, 1.0f ), flatFloatIn( random, 0.2f, 1.0f ) );
    uint32_t wanted = randomBelow( random, 15 );
    joVec2 points[JO_MAX_POLYGON_VERTICES], around = anyPoint( random, 0.5f );
    float flat = flatFloatIn( random, 0.2f, 1.0f );
    for ( uint32_t i = 0; i < wanted + 2; ++i )
    {
        float angle = flatFloatIn( random, 0.0f, 6.3f );
        points[i] = ( joVec2 ){ around.x + cosf( angle ), around.y + flat * sinf( angle ) };
    }
    float radius = randomBelow( random, 2 ) ? flatFloatIn( random, 0.0f, 0.3f ) : 0.0f;
    // Fewer than three, or three that lie nearly in one line, make none: it stays a box.
    joMakePolygon2( points, wanted + 2, radius, &polygon, NULL );
    return polygon;
}

static void makeShape( joShapeKind2 kind, uint64_t* random, joPolygon2* polygon, joShape2* shape )
{
    shape->kind = kind;
    switch ( kind )
    {
        case jo_circleShape2:
            shape->circle = ( joCircle2 ){ anyPoint( random, 0.5f ), flatFloatIn( random, 0.1f, 1.0f ) };
            break;
        case jo_capsuleShape2:
            shape->capsule = ( joCapsule2 ){
                anyPoint( random, 0.8f ), anyPoint( random, 0.8f ), flatFloatIn( random, 0.0f, 0.5f ) };
            break;
        case jo_segmentShape2:
            shape->segment = ( joSegment2 ){ anyPoint( random, 0.8f ), anyPoint( random, 0.8f ) };
            break;
        case jo_polygonShape2:
        case jo_chainShape2: // not by this
        case jo_shapeKindCount2:
            *polygon = flatAnyPolygon( random );
            shape->polygon = polygon;
            break;
    }
}

// The direction of an edge in the frame of the body.
static joVec2 edgeOf( const joShape2* shape, uint64_t* random )
{
    joVec2 a = { 0.0f, 0.0f }, b = { 1.0f, 0.0f };
    if ( shape->kind == jo_capsuleShape2 )
    {
        a = shape->capsule.a;
        b = shape->capsule.b;
    }
    else if ( shape->kind == jo_segmentShape2 )
    {
        a = shape->segment.a;
        b = shape->segment.b;
    }
    else if ( shape->kind == jo_polygonShape2 )
    {
        uint32_t edge = randomBelow( random, shape->polygon->count );
        a = shape->polygon->vertices[edge];
        b = shape->polygon->vertices[( edge + 1 ) % shape->polygon->count];
    }
    return ( joVec2 ){ b.x - a.x, b.y - a.y };
}

void flatPlaceAt( FlatPair* pair, double directionX, double directionY, double separation )
{
    FlatShape a = flatMakeShape( &pair->a, &pair->poseA );
    FlatShape b = flatMakeShape( &pair->b, &pair->poseB );
    double near = 0.0, far = 20.0;
    for ( int i = 0; i < 40; ++i )
    {
        double middle = 0.5 * ( near + far );
        FlatShape moved = b;
        flatMove( &moved, middle * directionX, middle * directionY );
        *( flatSeparation( &a, &moved ) < separation ? &near : &far ) = middle;
    }
    pair->poseB.position.x += (float)( far * directionX );
    pair->poseB.position.y += (float)( far * directionY );
}

void flatMakePair( joShapeKind2 kindA, joShapeKind2 kindB, FlatSet set, uint64_t* random, FlatPair* pair )
{
    makeShape( kindA, random, &pair->polygonA, &pair->a );
    makeShape( kindB, random, &pair->polygonB, &pair->b );
    pair->poseA =
        ( joTransform2 ){ anyPoint( random, 5.0f ), joMakeRot2( flatFloatIn( random, -4.0f, 4.0f ) ) };
    pair->poseB = ( joTransform2 ){ pair->poseA.position, joMakeRot2( flatFloatIn( random, -4.0f, 4.0f ) ) };
    if ( set == flat_mixed )
    {
        joVec2 offset = anyPoint( random, 1.8f );
        pair->poseB.position.x += offset.x;
        pair->poseB.position.y += offset.y;
        return;
    }
    double angle = (double)flatFloatIn( random, -4.0f, 4.0f );
    if ( set == flat_resting )
    {
        joVec2 a = joRotateVec2( pair->poseA.rotation, edgeOf( &pair->a, random ) );
        joVec2 b = edgeOf( &pair->b, random );
        double turn = atan2( (double)a.y, (double)a.x );
        // Out of A, since its edges run counter-clockwise: to the right of the edge. B's runs the other way.
        angle = turn - 1.5707963267948966;
        turn += 3.141592653589793 - atan2( (double)b.y, (double)b.x );
        turn += randomBelow( random, 2 ) ? (double)flatFloatIn( random, -0.02f, 0.02f ) : 0.0;
        pair->poseB.rotation = ( joRot2 ){ (float)cos( turn ), (float)sin( turn ) };
    }
    flatPlaceAt( pair, cos( angle ), sin( angle ), (double)flatFloatIn( random, -0.02f, 0.02f ) );
}
