// SPDX-License-Identifier: MIT
// What `jostle collide` reads: two shapes with their poses, a margin, a motion. The format stands in
// docs/cli.md.
#pragma once

#include "jostle/chain_2d.h"
#include "jostle/collide.h"
#include "jostle/hull_3d.h"
#include "jostle/mesh_3d.h"

#include <stddef.h>

// What a mesh or a chain is made of.
typedef struct joSurface
{
    float* points;      // owned; as many numbers each as the scene has axes
    uint32_t* parts;    // owned; the three corners of each triangle, the two ends of each segment
    uint32_t partCount; // 0: the shape is another one
} joSurface;

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

typedef struct joSceneError
{
    int line, column; // from 1; 0: not of a place
    char field[128];  // as "a.pose.position[1]"; "": not of a field
    char what[256];
} joSceneError;

// False: *error says why, and there is nothing to free.
bool joLoadCollideScene( const char* path, joCollideScene* scene, joSceneError* error );
void joFreeCollideScene( joCollideScene* scene );
