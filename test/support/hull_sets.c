// SPDX-License-Identifier: MIT
#include "support/hull_sets.h"

#include "support/box_pair_sets.h"
#include "test_support.h"

#include <math.h>

static joVec3 onSphere( uint64_t* random )
{
    return joRotateVec3( pairAnyRotation( random ), ( joVec3 ){ 1.0f, 0.0f, 0.0f } );
}

static joVec3 onCircle( uint32_t i, uint32_t count, float radius, float z )
{
    float angle = 6.2831853f * (float)i / (float)count;
    return ( joVec3 ){ radius * cosf( angle ), radius * sinf( angle ), z };
}

void hullMakePoints( HullSort sort, uint32_t count, uint64_t* random, joVec3* points )
{
    joQuat turn = pairAnyRotation( random );
    float sx = powf( 10.0f, pairFloatIn( random, -1.0f, 0.0f ) );
    float sy = powf( 10.0f, pairFloatIn( random, -1.0f, 0.0f ) );
    float top = pairFloatIn( random, 0.3f, 1.0f );
    for ( uint32_t i = 0; i < count; ++i )
    {
        joVec3 p = { 0.0f, 0.0f, 0.0f };
        switch ( sort )
        {
            case hull_ball:
                p = onSphere( random );
                break;
            case hull_egg:
                p = onSphere( random );
                p = joRotateVec3( turn, ( joVec3 ){ sx * p.x, sy * p.y, p.z } );
                break;
            case hull_prism:
                p = joRotateVec3( turn, onCircle( i / 2, count / 2, 0.7f, i % 2 ? top : -top ) );
                break;
            case hull_cone:
                p = i == 0 ? ( joVec3 ){ 0.1f, 0.0f, top } : onCircle( i, count - 1, 0.8f, -top );
                p = joRotateVec3( turn, p );
                break;
            default:
                p = pairVectorIn( random, 1.0f );
                break;
        }
        points[i] = p;
    }
}

joHull3* hullMake( HullSort sort, uint32_t count, uint64_t* random )
{
    joVec3 points[JO_MAX_HULL_VERTICES3];
    count = sort == hull_prism && count < 6 ? 6 : count;
    for ( ;; )
    {
        hullMakePoints( sort, count, random, points );
        joHull3* hull = NULL;
        // Four points at random may be thin.
        if ( joCreateHull3( points, count, NULL, &hull, NULL ) == jo_success )
        {
            return hull;
        }
    }
}

uint32_t hullAnyCount( uint64_t* random )
{
    return (uint32_t)expf( pairFloatIn( random, logf( 4.0f ), logf( 255.99f ) ) );
}
