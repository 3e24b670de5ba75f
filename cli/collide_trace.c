// SPDX-License-Identifier: MIT
#include "collide_trace.h"

#include "collide_vector.h"

static void SwapBytes( uint8_t* a, uint8_t* b )
{
    const uint8_t other = *a;
    *a = *b;
    *b = other;
}

static void SwapPoints( uint8_t points[4][2], uint32_t count )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        SwapBytes( &points[i][0], &points[i][1] );
    }
}

// The library has A and B in the order of their kinds: of B - A directions and vertices are the other way.
static void SwapSteps( joConvexSteps* steps )
{
    for ( uint32_t i = 0; i < steps->count; ++i )
    {
        joConvexStep* step = &steps->steps[i];
        joScaleVector( -1.0, step->direction, step->direction );
        SwapBytes( &step->vertexA, &step->vertexB );
        SwapPoints( step->points, step->pointCount );
    }
}

static void TurnSteps( const joPose3* frame, joConvexSteps* steps )
{
    for ( uint32_t i = 0; i < steps->count; ++i )
    {
        double local[3];
        joNormalizeVector( steps->steps[i].direction, local );
        joMatrix3_Apply( &frame->rotation, local, steps->steps[i].direction );
    }
}

bool joTraceScene( const joCollideScene* scene, joConvexTrace3* trace )
{
    if ( scene->dimension != 3 )
    {
        return false;
    }
    const joShape3* shapes = scene->shapes3;
    const joPairFunctions3* functions = joFindPairFunctions3( shapes[0].kind, shapes[1].kind );
    if ( functions->distance != joConvexConvex3.distance )
    {
        return false;
    }
    const int first = shapes[0].kind > shapes[1].kind ? 1 : 0;
    const joPlacedPair3 placed = {
        &shapes[first], &shapes[1 - first], &scene->poses3[first], &scene->poses3[1 - first] };
    const joFloatEnv env = joFloatEnv_Enter();
    joTraceConvex3( &placed, functions == &joConvexConvex3, scene->margin, trace );
    joFloatEnv_Leave( env );
    if ( first == 1 )
    {
        SwapSteps( &trace->gjk );
        SwapSteps( &trace->epa );
        SwapPoints( trace->points, trace->pointCount );
    }
    TurnSteps( &trace->frame, &trace->gjk );
    TurnSteps( &trace->frame, &trace->epa );
    return true;
}

const char* joGjkEnd_Text( joGjkEnd end )
{
    switch ( end )
    {
        case jo_gjkTouching:
            return "the simplex holds the origin";
        case jo_gjkKnown:
            return "the distance is known well enough";
        case jo_gjkRepeated:
            return "a support point comes again";
        case jo_gjkNotNearer:
            return "rounding lets nothing come nearer";
        case jo_gjkLimit:
            break;
    }
    return "the iterations met their limit";
}

const char* joContactSource_Name( joContactSource source )
{
    switch ( source )
    {
        case jo_fromGjk:
            return "gjk";
        case jo_fromEpa:
            return "epa";
        case jo_fromSat:
            return "sat";
        case jo_noContact:
            break;
    }
    return "none";
}
