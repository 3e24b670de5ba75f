// SPDX-License-Identifier: MIT
// What `jostle collide` reads: two shapes with their poses, a margin, a motion. The format stands in
// docs/cli.md.
#pragma once

#include "jostle/collide.h"
#include "jostle/hull_3d.h"

#include <stddef.h>

typedef struct joCollideScene
{
    int dimension; // 2 or 3
    char* about;   // null: nothing is said
    bool hasMotion;
    float margin;
    // A and B.
    joShape2 shapes2[2];
    joPolygon2 polygons[2]; // what shapes2 point to
    joTransform2 poses2[2];
    joVec2 motion2;
    joShape3 shapes3[2];
    joHull3* hulls[2]; // what shapes3 point to; owned
    joTransform3 poses3[2];
    joVec3 motion3;
} joCollideScene;

typedef struct joSceneError
{
    int line, column; // from 1; 0: not of a place
    char field[128];  // as "a.pose.position[1]"; "": not of a field
    char what[256];
} joSceneError;

// False: *error says why, and there is nothing to free.
bool joLoadCollideScene( const char* path, joCollideScene* scene, joSceneError* error );
void joFreeCollideScene( joCollideScene* scene );
