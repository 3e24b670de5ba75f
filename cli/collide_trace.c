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

static void TurnSteps( const joMatrix3* rotation, joConvexSteps* steps )
{
    for ( uint32_t i = 0; i < steps->count; ++i )
    {
        double local[3];
        joNormalizeVector( steps->steps[i].direction, local );
        joMatrix3_Apply( rotation, local, steps->steps[i].direction );
    }
}

// `first`: which shape is the library's A.
static bool Trace3( const joCollideScene* scene, int first, joConvexTrace* trace )
{
    const joShape3 *a = &scene->shapes3[first], *b = &scene->shapes3[1 - first];
    const joPairFunctions3* functions = joFindPairFunctions3( a->kind, b->kind );
    const joPlacedPair3 placed = { a, b, &scene->poses3[first], &scene->poses3[1 - first] };
    const bool isTraced = functions->distance == joConvexConvex3.distance;
    if ( isTraced )
    {
        joTraceConvex3( &placed, functions == &joConvexConvex3, scene->margin, trace );
    }
    return isTraced;
}

static bool Trace2( const joCollideScene* scene, int first, joConvexTrace* trace )
{
    const joShape2 *a = &scene->shapes2[first], *b = &scene->shapes2[1 - first];
    const joPlacedPair2 placed = { a, b, &scene->poses2[first], &scene->poses2[1 - first] };
    const bool isTraced = joFindPairFunctions2( a->kind, b->kind ) == &joConvexConvex2;
    if ( isTraced )
    {
        joTraceConvex2( &placed, trace );
    }
    return isTraced;
}

bool joTraceScene( const joCollideScene* scene, joConvexTrace* trace )
{
    const bool isFlat = scene->dimension == 2;
    const bool isSwapped = isFlat ? scene->shapes2[0].kind > scene->shapes2[1].kind
                                  : scene->shapes3[0].kind > scene->shapes3[1].kind;
    const joFloatEnv env = joFloatEnv_Enter();
    const bool isTraced =
        isFlat ? Trace2( scene, isSwapped ? 1 : 0, trace ) : Trace3( scene, isSwapped ? 1 : 0, trace );
    joFloatEnv_Leave( env );
    if ( isTraced && isSwapped )
    {
        SwapSteps( &trace->gjk );
        SwapSteps( &trace->epa );
        SwapPoints( trace->points, trace->pointCount );
    }
    if ( isTraced )
    {
        TurnSteps( &trace->rotation, &trace->gjk );
        TurnSteps( &trace->rotation, &trace->epa );
    }
    return isTraced;
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
