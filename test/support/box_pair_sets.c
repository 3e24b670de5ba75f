// SPDX-License-Identifier: MIT
#include "support/box_pair_sets.h"

#include "reference/sat_reference.h"
#include "test_support.h"

#include <math.h>

const char* const pairSetNames[pairs_setCount] = { "apart", "mixed", "within", "resting" };

float pairFloatIn( uint64_t* random, float lower, float upper )
{
    double fraction = (double)( nextRandom( random ) >> 11 ) * 0x1.0p-53;
    return (float)( (double)lower + ( (double)upper - (double)lower ) * fraction );
}

joVec3 pairVectorIn( uint64_t* random, float size )
{
    return ( joVec3 ){ pairFloatIn( random, -size, size ), pairFloatIn( random, -size, size ),
        pairFloatIn( random, -size, size ) };
}

joQuat pairAnyRotation( uint64_t* random )
{
    for ( ;; )
    {
        joVec3 u = pairVectorIn( random, 1.0f );
        float w = pairFloatIn( random, -1.0f, 1.0f );
        float sq = u.x * u.x + u.y * u.y + u.z * u.z + w * w;
        if ( sq > 0.01f && sq <= 1.0f )
        {
            return joNormalizeQuat( ( joQuat ){ u.x, u.y, u.z, w } );
        }
    }
}

static joBox3 anyBox( uint64_t* random )
{
    return joMakeBox3( pairFloatIn( random, 0.3f, 1.0f ), pairFloatIn( random, 0.3f, 1.0f ),
        pairFloatIn( random, 0.3f, 1.0f ) );
}

// A at random, B at `distance` from it in a random direction.
static BoxPair3 anyPair( uint64_t* random, float distance )
{
    BoxPair3 pair = {
        .a = anyBox( random ),
        .b = anyBox( random ),
        .poseA = { pairVectorIn( random, 5.0f ), pairAnyRotation( random ) },
        .poseB = { { 0.0f, 0.0f, 0.0f }, pairAnyRotation( random ) },
    };
    joVec3 away = joRotateVec3( pairAnyRotation( random ), ( joVec3 ){ distance, 0.0f, 0.0f } );
    pair.poseB.position = ( joVec3 ){
        pair.poseA.position.x + away.x, pair.poseA.position.y + away.y, pair.poseA.position.z + away.z };
    return pair;
}

static SatAnswer answerOf( const BoxPair3* pair )
{
    SatBox a = satMakeBox( &pair->a, &pair->poseA ), b = satMakeBox( &pair->b, &pair->poseB );
    return satTest( &a, &b );
}

// Moves B along the least axis until the two are `depth` in each other, or that far apart.
static void bringTo( BoxPair3* pair, double depth )
{
    SatAnswer answer = answerOf( pair );
    for ( int axis = 0; axis < 3; ++axis )
    {
        float* x = &pair->poseB.position.x + axis;
        *x = (float)( (double)*x + ( answer.depth - depth ) * answer.normal[axis] );
    }
}

static BoxPair3 restingPair( uint64_t* random )
{
    BoxPair3 pair = anyPair( random, 0.0f );
    joQuat turn = joMakeQuat( pairVectorIn( random, 1.0f ), pairFloatIn( random, -0.02f, 0.02f ) );
    for ( int axis = 0; axis < 3; ++axis )
    {
        joVec3 about = { axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f };
        float quarters = (float)randomBelow( random, 4 );
        turn = joMultiplyQuats( turn, joMakeQuat( about, quarters * 1.57079633f ) );
    }
    pair.poseB.rotation = joNormalizeQuat( joMultiplyQuats( pair.poseA.rotation, turn ) );
    // Over the face of A at its positive z.
    joVec3 above = pairVectorIn( random, 0.5f );
    joVec3 up = joRotateVec3( pair.poseA.rotation, ( joVec3 ){ 0.0f, 0.0f, 1.0f } );
    const double direction[3] = { (double)up.x, (double)up.y, (double)up.z };
    SatBox a = satMakeBox( &pair.a, &pair.poseA ), b = satMakeBox( &pair.b, &pair.poseB );
    above.z = (float)satOverlapAlong( &a, &b, direction ) + pairFloatIn( random, -0.02f, 0.02f );
    pair.poseB.position = joTransformPoint3( pair.poseA, above );
    return pair;
}

BoxPair3 makePairOfSet( PairSet set, uint64_t* random )
{
    if ( set == pairs_resting )
    {
        return restingPair( random );
    }
    if ( set == pairs_mixed )
    {
        return anyPair( random, pairFloatIn( random, 0.5f, 2.6f ) );
    }
    bool within = set == pairs_within;
    for ( ;; )
    {
        BoxPair3 pair = anyPair( random, pairFloatIn( random, 0.0f, 4.0f ) );
        if ( !within && randomBelow( random, 2 ) == 0 )
        {
            bringTo( &pair, (double)pairFloatIn( random, -0.01f, 0.0f ) );
        }
        double depth = answerOf( &pair ).depth;
        if ( within ? depth >= 0.0 : depth < 0.0 )
        {
            return pair;
        }
    }
}
