// SPDX-License-Identifier: MIT
// What `jostle collide` prints and draws.
#pragma once

#include "box_file.h"
#include "collide_answers.h"
#include "collide_trace.h"

#include <stdbool.h>

typedef struct joCollideReport
{
    const joCollideScene* scene;
    const joAnswers* answers;
    const joStudy* study;
    const joComplaints* complaints;
    const joConvexTrace* trace; // null: neither GJK nor EPA answers the pair
    bool explains;              // with every axis and every step
} joCollideReport;

void joPrintCollide( const joCollideReport* report );
// False: no memory, and stderr says so.
bool joPrintCollideJson( const joCollideReport* report );

// An SVG: the shapes and their contact, in 3D seen so that the marked axis lies in the picture; and beside
// them both intervals on the axes. False: *error says why.
bool joPlotCollide( const joCollideReport* report, const char* path, joFileError* error );
