// SPDX-License-Identifier: MIT
// How GJK and EPA came to the library's answers: the same functions run once more, and note their steps.
#pragma once

#include "collide_scene.h"

#include "narrow_phase/convex_trace.h"

// The trace with A and B as in the scene, and unit directions in world space. False: the pair is answered
// without them (closed forms, axes alone), or for each part of a mesh or a chain.
bool joTraceScene( const joCollideScene* scene, joConvexTrace* trace );

// For people, and for JSON.
const char* joGjkEnd_Text( joGjkEnd end );
const char* joContactSource_Name( joContactSource source );
