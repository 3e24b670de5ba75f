// SPDX-License-Identifier: MIT
#include "collide_answers.h"

#include "collide_vector.h"

#include <stdarg.h>
#include <stdio.h>

static void Widen3( joVec3 v, double wide[3] )
{
    wide[0] = (double)v.x;
    wide[1] = (double)v.y;
    wide[2] = (double)v.z;
}

static void Widen2( joVec2 v, double wide[3] )
{
    wide[0] = (double)v.x;
    wide[1] = (double)v.y;
    wide[2] = 0.0;
}

static void FindAnswers3( const joCollideScene* scene, joAnswers* answers )
{
    const joShape3 *a = &scene->shapes3[0], *b = &scene->shapes3[1];
    const joTransform3 *poseA = &scene->poses3[0], *poseB = &scene->poses3[1];
    joManifold3 manifold;
    joClosestPoints3 closest;
    joCastHit3 hit;
    answers->overlapResult = joOverlap3( a, poseA, b, poseB, NULL, &answers->overlaps );
    answers->collideResult = joCollide3( a, poseA, b, poseB, scene->margin, NULL, &manifold );
    answers->distanceResult = joDistance3( a, poseA, b, poseB, NULL, &closest );
    answers->castResult = joCast3( a, poseA, b, poseB, scene->motion3, NULL, &hit );
    Widen3( manifold.normal, answers->normal );
    answers->depth = (double)manifold.depth;
    answers->pointCount = manifold.pointCount;
    answers->collideStatus = manifold.status;
    for ( uint32_t i = 0; i < manifold.pointCount; ++i )
    {
        Widen3( manifold.points[i].position, answers->points[i].position );
        answers->points[i].depth = (double)manifold.points[i].depth;
        answers->points[i].featureId = manifold.points[i].featureId;
    }
    Widen3( closest.pointA, answers->pointA );
    Widen3( closest.pointB, answers->pointB );
    Widen3( closest.normal, answers->distanceNormal );
    answers->distance = (double)closest.distance;
    answers->distanceStatus = closest.status;
    Widen3( hit.normal, answers->hitNormal );
    Widen3( hit.point, answers->hitPoint );
    answers->isHit = hit.isHit;
    answers->fraction = (double)hit.fraction;
    answers->hitDepth = (double)hit.depth;
    answers->castStatus = hit.status;
}

static void FindAnswers2( const joCollideScene* scene, joAnswers* answers )
{
    const joShape2 *a = &scene->shapes2[0], *b = &scene->shapes2[1];
    const joTransform2 *poseA = &scene->poses2[0], *poseB = &scene->poses2[1];
    joManifold2 manifold;
    joClosestPoints2 closest;
    joCastHit2 hit;
    answers->overlapResult = joOverlap2( a, poseA, b, poseB, NULL, &answers->overlaps );
    answers->collideResult = joCollide2( a, poseA, b, poseB, scene->margin, NULL, &manifold );
    answers->distanceResult = joDistance2( a, poseA, b, poseB, NULL, &closest );
    answers->castResult = joCast2( a, poseA, b, poseB, scene->motion2, NULL, &hit );
    Widen2( manifold.normal, answers->normal );
    answers->depth = (double)manifold.depth;
    answers->pointCount = manifold.pointCount;
    answers->collideStatus = manifold.status;
    for ( uint32_t i = 0; i < manifold.pointCount; ++i )
    {
        Widen2( manifold.points[i].position, answers->points[i].position );
        answers->points[i].depth = (double)manifold.points[i].depth;
        answers->points[i].featureId = manifold.points[i].featureId;
    }
    Widen2( closest.pointA, answers->pointA );
    Widen2( closest.pointB, answers->pointB );
    Widen2( closest.normal, answers->distanceNormal );
    answers->distance = (double)closest.distance;
    answers->distanceStatus = closest.status;
    Widen2( hit.normal, answers->hitNormal );
    Widen2( hit.point, answers->hitPoint );
    answers->isHit = hit.isHit;
    answers->fraction = (double)hit.fraction;
    answers->hitDepth = (double)hit.depth;
    answers->castStatus = hit.status;
}

void joFindAnswers( const joCollideScene* scene, joAnswers* answers )
{
    *answers = ( joAnswers ){ 0 };
    if ( scene->dimension == 3 )
    {
        FindAnswers3( scene, answers );
    }
    else
    {
        FindAnswers2( scene, answers );
    }
}

// --- the check --------------------------------------------------------------------------------------------

static void Complain( joComplaints* complaints, const char* format, ... )
    __attribute__( ( format( printf, 2, 3 ) ) );
static void Complain( joComplaints* complaints, const char* format, ... )
{
    if ( complaints->count < JO_MAX_COMPLAINTS )
    {
        char* text = complaints->texts[complaints->count++];
        va_list arguments;
        va_start( arguments, format );
        vsnprintf( text, sizeof( complaints->texts[0] ), format, arguments );
        va_end( arguments );
    }
}

static void CompareCollide( const joStudy* study, const joAnswers* answers, joComplaints* complaints )
{
    const double tolerance = complaints->tolerance;
    const double depth = study->axes[study->best].overlap;
    if ( answers->pointCount == 0 )
    {
        if ( depth > tolerance )
        {
            Complain( complaints, "no contact is found, but they overlap by %.6g", depth );
        }
        return;
    }
    const double along = joStudy_OverlapAlong( study, answers->normal, answers->depth );
    if ( fabs( joVectorLength( answers->normal ) - 1.0 ) > 1e-5 )
    {
        Complain( complaints, "the normal's length is %.6g", joVectorLength( answers->normal ) );
    }
    if ( fabs( along - answers->depth ) > tolerance )
    {
        Complain( complaints, "the depth is %.6g, but along the normal they overlap by %.6g", answers->depth,
            along );
    }
    if ( depth >= 0.0 && along < depth - tolerance )
    {
        Complain( complaints, "along the normal a way of %.6g parts them, but by all axes it is %.6g", along,
            depth );
    }
    // Of shapes that are apart it may be any axis between them; see joManifold. Of a surface only those count
    // along which it ends.
    if ( study->surface < 0 && depth >= 0.0 && answers->depth > depth + tolerance )
    {
        Complain( complaints, "the depth is %.6g, but a way of %.6g parts them", answers->depth, depth );
    }
    if ( depth < -tolerance && answers->depth < depth - tolerance )
    {
        Complain( complaints, "they are said to be %.6g apart, but are %.6g", -answers->depth, -depth );
    }
}

static void CompareDistance( const joStudy* study, const joAnswers* answers, joComplaints* complaints )
{
    const double distance = study->areApart ? study->nearest.distance : 0.0;
    if ( fabs( distance - answers->distance ) > complaints->tolerance )
    {
        Complain( complaints, "the distance is %.6g, but is found to be %.6g", answers->distance, distance );
    }
}

static void CompareCast( const joStudy* study, const joAnswers* answers, joComplaints* complaints )
{
    // A cast stops near the surface, not on it to the last bit; where it grazes, a little makes a long way.
    const double tolerance = 10.0 * complaints->tolerance;
    double motion[3];
    joWidenMotion( study->scene, motion );
    if ( answers->isHit && !study->impact.isHit && study->impact.leastDistance > tolerance )
    {
        Complain( complaints, "the cast meets at %.6g, but they stay %.6g apart", answers->fraction,
            study->impact.leastDistance );
    }
    if ( !study->impact.isHit )
    {
        return;
    }
    // By how deep they would be in each other: what only grazes may meet anywhere.
    const double closing = -joDotVectors( motion, study->impact.normal );
    const double depth = ( answers->fraction - study->impact.fraction ) * closing;
    if ( !answers->isHit && depth > tolerance )
    {
        Complain( complaints, "the cast meets nothing, but they meet at %.9g", study->impact.fraction );
    }
    else if ( answers->isHit && ( depth > tolerance || -depth > tolerance ) )
    {
        Complain( complaints, "the cast meets at %.9g, but they meet at %.9g", answers->fraction,
            study->impact.fraction );
    }
}

void joCompareAnswers( const joStudy* study, const joAnswers* answers, joComplaints* complaints )
{
    *complaints = ( joComplaints ){ .tolerance = 3e-6 * study->size };
    if ( study->axisCount == 0 )
    {
        return;
    }
    const double depth = study->axes[study->best].overlap;
    if ( !answers->overlapResult && answers->overlaps != ( depth >= 0.0 ) &&
         fabs( depth ) > complaints->tolerance )
    {
        Complain( complaints, "overlap is %s, but the least overlap of all axes is %.6g",
            answers->overlaps ? "yes" : "no", depth );
    }
    if ( !answers->collideResult )
    {
        CompareCollide( study, answers, complaints );
    }
    if ( !answers->distanceResult )
    {
        CompareDistance( study, answers, complaints );
    }
    if ( study->scene->hasMotion && !answers->castResult )
    {
        CompareCast( study, answers, complaints );
    }
}
