// SPDX-License-Identifier: MIT
// In place of collide_plot.c where cairo was not found.
#include "collide_report.h"

#include <stdio.h>

bool joPlotCollide( const joCollideReport* report, const char* path, joFileError* error )
{
    (void)report;
    (void)path;
    *error = ( joFileError ){ 0 };
    snprintf( error->what, sizeof( error->what ),
        "cannot be drawn: this program was built without cairo (Debian: libcairo2-dev)" );
    return false;
}
