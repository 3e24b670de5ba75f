// SPDX-License-Identifier: MIT
// What `jostle collide` reads: two shapes with their poses, a margin, a motion. The format stands in
// docs/cli.md.
#pragma once

#include "shape_reader.h"

#include "jostle/collide.h"

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
    joChain2* chains[2]; // what shapes2 point to; owned
    joVec2 motion2;
    joShape3 shapes3[2];
    joHull3* hulls[2]; // what shapes3 point to; owned
    joTransform3 poses3[2];
    joMesh3* meshes[2]; // the same
    joVec3 motion3;
    joSurface surfaces[2];
} joCollideScene;

// False: *error says why, and there is nothing to free.
bool joLoadCollideScene( const char* path, joCollideScene* scene, joJsonError* error );
void joFreeCollideScene( joCollideScene* scene );
