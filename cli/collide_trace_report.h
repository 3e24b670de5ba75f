// SPDX-License-Identifier: MIT
// The steps of GJK and EPA as `jostle collide --explain` shows them.
#pragma once

#include "collide_trace.h"

#include <jansson.h>

void joPrintTrace( const joConvexTrace3* trace );
// Members "gjk" and "epa". False: no memory.
bool joTraceToJson( const joConvexTrace3* trace, json_t* object );
