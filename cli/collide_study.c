// SPDX-License-Identifier: MIT
#include "collide_study.h"

#include "collide_nearest.h"
#include "collide_vector.h"

#include <stdio.h>
#include <stdlib.h>

// Edges whose sine is less are parallel: the direction of their product would be rounding.
#define PARALLEL_SINE 1e-9

static double OverlapOf( const joInterval* a, const joInterval* b )
{
    return a->upper - b->lower;
}

double joStudy_OverlapAlong( const joStudy* study, const double direction[3], double expected )
{
    joInterval intervals[2] = {
        joCore_Project( &study->cores[0], direction ), joCore_Project( &study->cores[1], direction ) };
    double overlap = OverlapOf( &intervals[0], &intervals[1] );
    const uint32_t count = study->surface < 0 ? 0 : study->scene->surfaces[study->surface].partCount;
    for ( uint32_t part = 0; part < count; ++part )
    {
        joCore core;
        joMakeCore( study->scene, study->surface, part, &core );
        intervals[study->surface] = joCore_Project( &core, direction );
        const double other = OverlapOf( &intervals[0], &intervals[1] );
        overlap = fabs( other - expected ) < fabs( overlap - expected ) ? other : overlap;
    }
    return overlap;
}

static bool AddAxis( joStudy* study, joAxis axis )
{
    if ( study->axisCount == study->axisCapacity )
    {
        const uint32_t capacity = study->axisCapacity > 0 ? 2 * study->axisCapacity : 64;
        joAxis* axes = realloc( study->axes, capacity * sizeof( joAxis ) );
        if ( axes == NULL )
        {
            return false;
        }
        study->axes = axes;
        study->axisCapacity = capacity;
    }
    axis.intervalA = joCore_Project( &study->cores[0], axis.direction );
    axis.intervalB = joCore_Project( &study->cores[1], axis.direction );
    axis.overlap = OverlapOf( &axis.intervalA, &axis.intervalB );
    // B may leave to either side: the nearer one.
    if ( axis.intervalB.upper - axis.intervalA.lower < axis.overlap )
    {
        const joInterval a = axis.intervalA, b = axis.intervalB;
        joScaleVector( -1.0, axis.direction, axis.direction );
        axis.intervalA = ( joInterval ){ -a.upper, -a.lower };
        axis.intervalB = ( joInterval ){ -b.upper, -b.lower };
        axis.overlap = OverlapOf( &axis.intervalA, &axis.intervalB );
    }
    study->axes[study->axisCount++] = axis;
    return true;
}

// Faces of a box are parallel in pairs, and one axis stands for both.
static bool IsRepeated( const joCore* core, uint32_t normal )
{
    for ( uint32_t i = 0; i < normal; ++i )
    {
        double sum[3];
        joAddVectors( core->normals[i], core->normals[normal], sum );
        if ( joDotVectors( sum, sum ) < PARALLEL_SINE * PARALLEL_SINE )
        {
            return true;
        }
    }
    return false;
}

static bool AddFaceAxes( joStudy* study )
{
    for ( int k = 0; k < 2; ++k )
    {
        const joCore* core = &study->cores[k];
        for ( uint32_t i = 0; i < core->normalCount; ++i )
        {
            joAxis axis = { .kind = k == 0 ? jo_faceOfA : jo_faceOfB, .a = i, .b = i };
            joCopyVector( core->normals[i], axis.direction );
            if ( !IsRepeated( core, i ) && !study->cores[1 - k].isHalfSpace && !AddAxis( study, axis ) )
            {
                return false;
            }
        }
    }
    return true;
}

static bool AddEdgeAxes( joStudy* study )
{
    const joCore *a = &study->cores[0], *b = &study->cores[1];
    if ( a->isHalfSpace || b->isHalfSpace )
    {
        return true;
    }
    for ( uint32_t i = 0; i < a->directionCount; ++i )
    {
        for ( uint32_t j = 0; j < b->directionCount; ++j )
        {
            joAxis axis = { .kind = jo_edgeOfAAndB, .a = i, .b = j };
            double cross[3];
            joCrossVectors( a->directions[i], b->directions[j], cross );
            if ( joVectorLength( cross ) > PARALLEL_SINE && joNormalizeVector( cross, axis.direction ) &&
                 !AddAxis( study, axis ) )
            {
                return false;
            }
        }
    }
    return true;
}

// For cores that have no face and no pair of edges, and lie on each other: any direction across both is as
// good.
static bool AddAxisAcross( joStudy* study )
{
    const joCore* core = study->cores[0].directionCount > 0 ? &study->cores[0] : &study->cores[1];
    joAxis axis = { .kind = jo_edgeOfAAndB };
    const double x[3] = { 1.0, 0.0, 0.0 }, y[3] = { 0.0, 1.0, 0.0 };
    joCopyVector( x, axis.direction );
    if ( core->directionCount > 0 )
    {
        const double* along = core->directions[0];
        double across[3];
        joCrossVectors( along, fabs( along[0] ) < 0.7 ? x : y, across );
        joNormalizeVector( across, axis.direction );
    }
    return AddAxis( study, axis );
}

static void FindBest( joStudy* study )
{
    study->best = 0;
    for ( uint32_t i = 1; i < study->axisCount; ++i )
    {
        study->best = study->axes[i].overlap < study->axes[study->best].overlap ? i : study->best;
    }
}

// Axes of faces and edges tell shapes with an inside apart; others are apart where their nearest points are.
// What no axis parts may still be apart by its radius: then the nearest points give the axis.
static bool AddNearestAxis( joStudy* study )
{
    const joCore *a = &study->cores[0], *b = &study->cores[1];
    if ( a->isHalfSpace || b->isHalfSpace )
    {
        return true;
    }
    const double radii = a->radius + b->radius;
    double coreOverlap = INFINITY;
    for ( uint32_t i = 0; i < study->axisCount; ++i )
    {
        coreOverlap = fmin( coreOverlap, study->axes[i].overlap - radii );
    }
    joNearest nearest = joFindNearest( a, b );
    if ( ( ( a->isSolid || b->isSolid ) && coreOverlap >= 0.0 ) || !( nearest.distance > 0.0 ) )
    {
        return study->axisCount > 0 || AddAxisAcross( study );
    }
    joAxis axis = { .kind = jo_nearestPoints };
    joSubtractVectors( nearest.pointB, nearest.pointA, axis.direction );
    joNormalizeVector( axis.direction, axis.direction );
    joStepVector( nearest.pointA, a->radius, axis.direction, nearest.pointA );
    joStepVector( nearest.pointB, -b->radius, axis.direction, nearest.pointB );
    nearest.distance -= radii;
    study->nearest = nearest;
    return AddAxis( study, axis );
}

static void FindNearestToHalfSpace( joStudy* study )
{
    const int plane = study->cores[0].isHalfSpace ? 0 : 1;
    const joCore *halfSpace = &study->cores[plane], *core = &study->cores[1 - plane];
    const double* up = halfSpace->normals[0];
    uint32_t lowest = 0;
    for ( uint32_t i = 1; i < core->pointCount; ++i )
    {
        const bool isLower = joDotVectors( core->points[i], up ) < joDotVectors( core->points[lowest], up );
        lowest = isLower ? i : lowest;
    }
    double* onCore = plane == 0 ? study->nearest.pointB : study->nearest.pointA;
    double* onPlane = plane == 0 ? study->nearest.pointA : study->nearest.pointB;
    joStepVector( core->points[lowest], -core->radius, up, onCore );
    study->nearest.distance = joDotVectors( onCore, up ) - halfSpace->offset;
    joStepVector( onCore, -study->nearest.distance, up, onPlane );
}

static void MeasureSize( joStudy* study )
{
    double lower[3] = { INFINITY, INFINITY, INFINITY }, upper[3] = { -INFINITY, -INFINITY, -INFINITY };
    for ( int k = 0; k < 2; ++k )
    {
        const joCore* core = &study->cores[k];
        study->size += core->isHalfSpace ? fabs( core->offset ) : 0.0;
        for ( uint32_t i = 0; i < core->pointCount; ++i )
        {
            for ( int axis = 0; axis < 3; ++axis )
            {
                lower[axis] = fmin( lower[axis], core->points[i][axis] - core->radius );
                upper[axis] = fmax( upper[axis], core->points[i][axis] + core->radius );
            }
        }
    }
    for ( int axis = 0; axis < 3; ++axis )
    {
        study->size += upper[axis] > lower[axis] ? upper[axis] - lower[axis] : 0.0;
    }
}

// All but the impact. False: no memory.
static bool Examine( joStudy* study )
{
    study->axisCount = 0;
    study->nearest = ( joNearest ){ 0 };
    if ( !AddFaceAxes( study ) || ( study->scene->dimension == 3 && !AddEdgeAxes( study ) ) ||
         !AddNearestAxis( study ) )
    {
        return false;
    }
    if ( study->cores[0].isHalfSpace || study->cores[1].isHalfSpace )
    {
        FindNearestToHalfSpace( study );
    }
    FindBest( study );
    study->areApart = study->axisCount > 0 && study->axes[study->best].overlap < 0.0;
    return true;
}

static bool FindImpact( joStudy* study, const double motion[3] )
{
    // Conservative advancement (Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996): B
    // may go as far as the gap along the axis allows; that never goes past the impact, and ends within a few
    // steps.
    static const int cap = 1000;
    joStudy moved = *study;
    moved.axes = NULL;
    moved.axisCapacity = 0;
    study->impact = ( joImpact ){ .leastDistance = INFINITY };
    const double reach = 1e-10 * study->size;
    double fraction = 0.0;
    bool hasMemory = true;
    for ( int step = 0; step < cap && hasMemory; ++step )
    {
        hasMemory = Examine( &moved );
        const joAxis* axis = hasMemory ? &moved.axes[moved.best] : NULL;
        const double gap = hasMemory ? -axis->overlap : 0.0;
        study->impact.leastDistance = fmin( study->impact.leastDistance, fmax( gap, 0.0 ) );
        const double closing = hasMemory ? -joDotVectors( motion, axis->direction ) : 0.0;
        if ( !hasMemory || gap <= reach )
        {
            study->impact.isHit = hasMemory;
            if ( hasMemory )
            {
                joCopyVector( axis->direction, study->impact.normal );
            }
            break;
        }
        if ( closing <= 0.0 || fraction + gap / closing > 1.0 )
        {
            // Along this axis they stay apart to the end.
            break;
        }
        double way[3];
        joScaleVector( gap / closing, motion, way );
        joCore_Move( &moved.cores[1], way );
        fraction += gap / closing;
    }
    study->impact.fraction = study->impact.isHit ? fraction : 1.0;
    free( moved.axes );
    return hasMemory;
}

static bool HasHalfSpace( const joCollideScene* scene )
{
    return scene->dimension == 3 &&
           ( scene->shapes3[0].kind == jo_halfSpaceShape3 || scene->shapes3[1].kind == jo_halfSpaceShape3 );
}

// Of an impact with one part and one with another, the first; of none the nearest.
static joImpact FirstOf( const joImpact* a, const joImpact* b )
{
    joImpact first = b->isHit && ( !a->isHit || b->fraction < a->fraction ) ? *b : *a;
    first.leastDistance = fmin( a->leastDistance, b->leastDistance );
    return first;
}

// All about the part that is set. False: no memory.
static bool ExaminePart( joStudy* study )
{
    study->size = 0.0;
    MeasureSize( study );
    double motion[3];
    joWidenMotion( study->scene, motion );
    return Examine( study ) &&
           ( !study->scene->hasMotion || study->axisCount == 0 || FindImpact( study, motion ) );
}

static void SetPart( joStudy* study, uint32_t part )
{
    study->part = part;
    joMakeCore( study->scene, study->surface, part, &study->cores[study->surface] );
    joMakeCore( study->scene, 1 - study->surface, 0, &study->cores[1 - study->surface] );
}

// The part that is deepest or nearest. False: no memory.
static bool ExamineParts( joStudy* study )
{
    const uint32_t count = study->scene->surfaces[study->surface].partCount;
    uint32_t deepest = 0;
    double most = -INFINITY, size = 0.0;
    joImpact impact = { .fraction = 1.0, .leastDistance = INFINITY };
    for ( uint32_t part = 0; part < count; ++part )
    {
        SetPart( study, part );
        if ( !ExaminePart( study ) )
        {
            return false;
        }
        const double overlap = study->axes[study->best].overlap;
        deepest = overlap > most ? part : deepest;
        most = fmax( most, overlap );
        size = fmax( size, study->size );
        impact = FirstOf( &impact, &study->impact );
    }
    SetPart( study, deepest );
    const bool good = Examine( study );
    study->impact = impact;
    study->size = size;
    return good;
}

joStudy* joCreateStudy( const joCollideScene* scene )
{
    joStudy* study = calloc( 1, sizeof( joStudy ) );
    if ( study == NULL )
    {
        return NULL;
    }
    const bool hasParts[2] = { scene->surfaces[0].partCount > 0, scene->surfaces[1].partCount > 0 };
    study->scene = scene;
    study->surface = hasParts[0] ? 0 : hasParts[1] ? 1 : -1;
    bool good = true;
    if ( study->surface < 0 )
    {
        joMakeCore( scene, 0, 0, &study->cores[0] );
        joMakeCore( scene, 1, 0, &study->cores[1] );
        good = ExaminePart( study );
    }
    else if ( !hasParts[1 - study->surface] && !HasHalfSpace( scene ) )
    {
        good = ExamineParts( study );
    }
    else
    {
        SetPart( study, 0 );
    }
    if ( !good )
    {
        joDestroyStudy( study );
        return NULL;
    }
    return study;
}

void joDestroyStudy( joStudy* study )
{
    if ( study != NULL )
    {
        free( study->axes );
        free( study );
    }
}

void joAxis_Format( const joAxis* axis, int dimension, char* text, size_t capacity )
{
    const char* face = dimension == 3 ? "face" : "edge";
    switch ( axis->kind )
    {
        case jo_faceOfA:
        case jo_faceOfB:
            snprintf( text, capacity, "%s %u of %s", face, axis->a, axis->kind == jo_faceOfA ? "A" : "B" );
            break;
        case jo_edgeOfAAndB:
            snprintf( text, capacity, "edges %u of A, %u of B", axis->a, axis->b );
            break;
        case jo_nearestPoints:
            snprintf( text, capacity, "nearest points" );
            break;
    }
}
