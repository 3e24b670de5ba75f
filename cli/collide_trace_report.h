// SPDX-License-Identifier: MIT
// The steps of GJK and EPA as `jostle collide --explain` shows them.
#pragma once

#include "collide_trace.h"

#include <jansson.h>

void joPrintTrace( const joConvexTrace* trace, int dimension );
// Members "gjk" and "epa". False: no memory.
bool joTraceToJson( const joConvexTrace* trace, int dimension, json_t* object );
