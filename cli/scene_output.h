// SPDX-License-Identifier: MIT
// What `jostle run` writes of a run: events as lines of JSON, pictures.
#pragma once

#include "box_file.h"
#include "scene_run.h"

#include <stdio.h>

// The enters and exits of the last step, a line each: contacts, then triggers, in their order.
void joWriteSceneEvents( const joSceneRun* run, FILE* file );

// A PNG of the bodies as they are. False: *error says why.
bool joPlotScene( const joSceneRun* run, const char* path, joFileError* error );
