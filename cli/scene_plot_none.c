// SPDX-License-Identifier: MIT
// In place of scene_plot.c where cairo was not found.
#include "scene_output.h"

#include <stdio.h>

bool joPlotScene( const joSceneRun* run, const char* path, joFileError* error )
{
    (void)run;
    (void)path;
    *error = ( joFileError ){ 0 };
    snprintf( error->what, sizeof( error->what ),
        "cannot be drawn: this program was built without cairo (Debian: libcairo2-dev)" );
    return false;
}
