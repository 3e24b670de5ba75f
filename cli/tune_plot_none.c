// SPDX-License-Identifier: MIT
// In place of tune_plot.c where cairo was not found.
#include "tune.h"

#include <stdio.h>

bool joPlotTune( const joTune* tune, const char* title, const char* path, joFileError* error )
{
    (void)tune;
    (void)title;
    (void)path;
    *error = ( joFileError ){ 0 };
    snprintf( error->what, sizeof( error->what ),
        "cannot be drawn: this program was built without cairo (Debian: libcairo2-dev)" );
    return false;
}
