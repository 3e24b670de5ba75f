// SPDX-License-Identifier: MIT
// Any shape in 2D, of a fuzzer's bytes.
#pragma once

#include "fuzz_bytes.h"

#include "jostle/shapes_2d.h"

typedef struct FuzzShape2
{
    joShape2 shape; // may point to what follows
    joPolygon2 polygon;
    joTransform2 pose;
} FuzzShape2;

void takeShape2( FuzzBytes* bytes, FuzzShape2* shape );
// The members of a shape in a file for `jostle collide`, its pose among them.
void printShape2( const FuzzShape2* shape );
