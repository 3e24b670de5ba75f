// SPDX-License-Identifier: MIT
// Checks of numbers, sizes and poses.
#include "narrow_phase/shape_checks.h"

#include <float.h>
#include <math.h>

joResult joCheckNumbers( const float* values, int count, float limit, joResult error )
{
    bool areGood = true;
    for ( int i = 0; i < count; ++i )
    {
        areGood = areGood & ( fabsf( values[i] ) <= limit );
    }
    joResult result = jo_success;
    for ( int i = 0; i < count && !areGood; ++i )
    {
        if ( isnan( values[i] ) )
        {
            return jo_errorNotANumber;
        }
        result = fabsf( values[i] ) <= limit ? result : error;
    }
    return result;
}

joResult joCheckSize( float size )
{
    return isnan( size )                         ? jo_errorNotANumber
           : size >= 0.0f && size <= JO_MAX_SIZE ? jo_success
                                                 : jo_errorBadShape;
}

joResult joWorseOf( joResult a, joResult b )
{
    return a == jo_errorNotANumber || b == jo_success   ? a
           : b == jo_errorNotANumber || a == jo_success ? b
                                                        : a;
}

static bool isZero( const float* values, int count )
{
    for ( int i = 0; i < count; ++i )
    {
        if ( values[i] != 0.0f )
        {
            return false;
        }
    }
    return true;
}

static joResult checkRotation( const float* values, int count )
{
    return isZero( values, count ) ? jo_errorBadPose
                                   : joCheckNumbers( values, count, FLT_MAX, jo_errorBadPose );
}

joResult joCheckMargin( float margin )
{
    if ( margin >= 0.0f && margin <= JO_MAX_SIZE )
    {
        return jo_success;
    }
    return isnan( margin ) ? jo_errorNotANumber : jo_errorBadRadius;
}

joResult joCheckShapeRay( const joRay* ray, int axisCount )
{
    if ( ray == NULL )
    {
        return jo_errorNullArgument;
    }
    joResult result = joCheckNumbers( ray->origin, axisCount, FLT_MAX, jo_errorBadRay );
    result = joWorseOf( result, joCheckNumbers( ray->direction, axisCount, FLT_MAX, jo_errorBadRay ) );
    bool isBad = ray->length < 0.0f || ( isZero( ray->direction, axisCount ) && ray->length > 0.0f );
    result = joWorseOf( result, isBad ? jo_errorBadRay : jo_success );
    return joWorseOf( result, isnan( ray->length ) ? jo_errorNotANumber : jo_success );
}

joResult joCheckPoseWithin3( const joTransform3* pose, float positionLimit )
{
    const float position[3] = { pose->position.x, pose->position.y, pose->position.z };
    const float rotation[4] = { pose->rotation.x, pose->rotation.y, pose->rotation.z, pose->rotation.w };
    // Most are good, which is said without a branch a number.
    bool isGood =
        ( rotation[0] != 0.0f ) | ( rotation[1] != 0.0f ) | ( rotation[2] != 0.0f ) | ( rotation[3] != 0.0f );
    for ( int i = 0; i < 4; ++i )
    {
        isGood &= fabsf( rotation[i] ) <= FLT_MAX;
    }
    for ( int i = 0; i < 3; ++i )
    {
        isGood &= fabsf( position[i] ) <= positionLimit;
    }
    return isGood ? jo_success
                  : joWorseOf( joCheckNumbers( position, 3, positionLimit, jo_errorBadPose ),
                        checkRotation( rotation, 4 ) );
}

joResult joCheckTransform3( const joTransform3* pose )
{
    return pose == NULL ? jo_errorNullArgument : joCheckPoseWithin3( pose, FLT_MAX );
}

joResult joCheckTransform2( const joTransform2* pose )
{
    if ( pose == NULL )
    {
        return jo_errorNullArgument;
    }
    const float position[2] = { pose->position.x, pose->position.y };
    const float rotation[2] = { pose->rotation.c, pose->rotation.s };
    return joWorseOf( joCheckNumbers( position, 2, FLT_MAX, jo_errorBadPose ), checkRotation( rotation, 2 ) );
}
