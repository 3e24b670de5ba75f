// SPDX-License-Identifier: MIT
// Prints races: a table for people, row by row as races end, or one JSON array at the end.
#pragma once

#include "race.h"

typedef struct benchReport benchReport;

benchReport* benchOpenReport( bool json );
void benchReportRace( benchReport* report, const benchRace* race );
// Prints what is left, and frees it.
void benchCloseReport( benchReport* report );
