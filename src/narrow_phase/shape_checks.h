// SPDX-License-Identifier: MIT
// What checks of shapes share.
#pragma once

#include "base/float_env.h"
#include "jostle/shapes.h"

// Whether each of `count` numbers is within -limit and limit. jo_success, jo_errorNotANumber, or `error`.
joResult joCheckNumbers( const float* values, int count, float limit, joResult error );

// A size: 0 to JO_MAX_SIZE.
joResult joCheckSize( float size );

// How near shapes may be and still be met: 0 to JO_MAX_SIZE; else jo_errorNotANumber, jo_errorBadRadius.
joResult joCheckMargin( float margin );

// As joCastRayAtShape3 and joCastRayAtShape2 take it.
joResult joCheckShapeRay( const joRay* ray, int axisCount );

// The worse of two: a NaN anywhere is reported before what else is wrong.
joResult joWorseOf( joResult a, joResult b );

// As joCheckTransform3, with another limit to the position.
joResult joCheckPoseWithin3( const joTransform3* pose, float positionLimit );
