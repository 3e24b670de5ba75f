// SPDX-License-Identifier: MIT
// The frames that `jostle tune` measures on: of a file, or of a generated workload.
#pragma once

#include "box_file.h"
#include "workload.h"

typedef struct joTuneSource
{
    char name[64]; // of the workload; of a file: empty
    int dimension;
    uint32_t count;
    uint32_t frameCount;
    uint32_t frame;     // the present one
    const float* boxes; // of it, count boxes of JO_BOX_FLOATS

    // Boxes that are the same in all frames, with their keys, which are their numbers; and, packed anew in
    // each frame, the others. Both empty if none, or all, are: then all boxes are set.
    uint32_t stillCount, movingCount;
    float *stillBoxes, *movingBoxes;
    uint32_t *stillKeys, *movingKeys;

    joBoxFile file; // a file
    joWorkload* workload;
    joWorkloadKind workloadKind;
    uint64_t seed;
} joTuneSource;

// Takes the file over (free it no more). A file of one frame shows that one again and again; frames beyond
// the file's are an error of the caller. `resting`: look for boxes that never change. False: no memory.
bool joTuneSource_OpenFile( joTuneSource* source, joBoxFile* file, uint32_t frameCount, bool resting );
joResult joTuneSource_OpenWorkload( joTuneSource* source, joWorkloadKind kind, uint32_t count,
    uint32_t frameCount, uint64_t seed, bool resting );
void joTuneSource_Close( joTuneSource* source );

// Makes a frame the present one. Going back in a workload makes it anew. False: no memory.
bool joTuneSource_Seek( joTuneSource* source, uint32_t frame );

// What is to be set in the present frame, and what to be added as resting before the first.
joBoxes joTuneSource_ViewMoving( const joTuneSource* source );
joBoxes joTuneSource_ViewStill( const joTuneSource* source );
