// SPDX-License-Identifier: MIT
// The parts of a scene's file. Each returns false after it has said in the reader's error what is wrong.
#pragma once

#include "scene.h"

// Bodies and emitters of a file, and shapes.
#define JO_SCENE_BODIES 65536

// The number must be in [lower, upper]; left as it was if the member is not there.
bool joReadRange(
    joJsonReader* reader, const json_t* object, const char* key, float lower, float upper, float* number );
// `must`: also where it is absent.
bool joReadArea(
    joJsonReader* reader, const json_t* owner, const char* key, int dimension, bool must, joSceneArea* area );
// The name of a layer; left as it was if the member is not there.
bool joReadLayer(
    joJsonReader* reader, const json_t* object, const char* key, const joScene* scene, uint32_t* layer );
// An array of names of layers, or "all", as bits; left as it was if the member is not there.
bool joReadLayers(
    joJsonReader* reader, const json_t* object, const char* key, const joScene* scene, uint64_t* layers );

bool joReadBehaviour(
    joJsonReader* reader, const json_t* owner, const joScene* scene, joBehaviour* behaviour );
// The arrays "bodies" and "emitters" of the scene.
bool joReadSceneBodies( joJsonReader* reader, const json_t* root, joScene* scene );
