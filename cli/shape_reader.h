// SPDX-License-Identifier: MIT
// Shapes and poses in JSON, as in the files of `jostle collide` and in scenes. The format stands in
// docs/cli.md.
#pragma once

#include "json_reader.h"

#include "jostle/chain_2d.h"
#include "jostle/hull_3d.h"
#include "jostle/mesh_3d.h"

// What a mesh or a chain is made of.
typedef struct joSurface
{
    float* points;      // owned; as many numbers each as the shape has axes
    uint32_t* parts;    // owned; the three corners of each triangle, the two ends of each segment
    uint32_t partCount; // 0: the shape is another one
} joSurface;

// A shape and where it is, with what it points to.
typedef struct joFileShape
{
    int dimension;
    joShape2 shape2;
    joTransform2 pose2;
    joShape3 shape3;
    joTransform3 pose3;
    joPolygon2* polygon; // owned, as those that follow; null: the shape is of another kind
    joChain2* chain;
    joHull3* hull;
    joMesh3* mesh;
    joSurface surface;
} joFileShape;

// To be freed also after false.
bool joReadShape( joJsonReader* reader, json_t* object, int dimension, joFileShape* shape );
void joFreeFileShape( joFileShape* shape );

// The member `key`; the identity if there is none.
bool joReadPose2( joJsonReader* reader, const json_t* owner, const char* key, joTransform2* pose );
bool joReadPose3( joJsonReader* reader, const json_t* owner, const char* key, joTransform3* pose );

// For the shapes' reader: shapes of many parts, and what is wrong with a point (`bad` JO_NULL_INDEX: with
// all).
bool joReadMesh3( joJsonReader* reader, json_t* object, joFileShape* shape );
bool joReadChain2( joJsonReader* reader, json_t* object, joFileShape* shape );
bool joRefusePoint( joJsonReader* reader, joResult result, uint32_t bad );
