// SPDX-License-Identifier: MIT
// Values of the JSON that `jostle collide` reads. What is wrong is said with its place: the fields that have
// been entered and not left.
#pragma once

#include "collide_scene.h"
#include "json_place.h"

#include <jansson.h>

// Of one shape.
#define JO_SCENE_POINTS 4096

typedef struct joSceneReader
{
    const char* text;
    joCollideScene* scene;
    joJsonPath path; // to what is being read
    joSceneError* error;
} joSceneReader;

// Returns false, for `return joRefuse( ... )`.
bool joRefuse( joSceneReader* reader, const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) );
// Of a point of the shape; `bad` JO_NULL_INDEX: of all.
bool joRefusePoint( joSceneReader* reader, joResult result, uint32_t bad );

// `key` null: element `index` of an array.
void joEnterField( joSceneReader* reader, const char* key, size_t index );
void joLeaveField( joSceneReader* reader );

// The member must be there, but where `isOptional`, and is then left as it was.
bool joReadMember( joSceneReader* reader, const json_t* object, const char* key, float* numbers, size_t count,
    bool isOptional );
// An array of points, as many numbers each as the scene has axes; `exactly` so many, or, if 0, up to
// JO_SCENE_POINTS. *points is to be freed.
bool joReadPoints(
    joSceneReader* reader, const json_t* object, uint32_t exactly, float** points, uint32_t* count );
// Whether all members are among `keys`, which ends with null.
bool joCheckKeys( joSceneReader* reader, json_t* object, const char* const* keys );

// Shapes of many parts, into the scene: `index` 0: A, 1: B.
bool joReadMesh3( joSceneReader* reader, json_t* object, int index );
bool joReadChain2( joSceneReader* reader, json_t* object, int index );
