// SPDX-License-Identifier: MIT
// Where in a JSON text a value stands, which jansson does not remember.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define JO_JSON_DEPTH 16

// A way from the outermost value: a member of an object (key), or an element of an array (key null).
typedef struct joJsonStep
{
    const char* key;
    size_t index;
} joJsonStep;

typedef struct joJsonPath
{
    joJsonStep steps[JO_JSON_DEPTH];
    int count;
} joJsonPath;

// Line and column from 1, of the deepest value on the path that is there. `text` is valid JSON without
// escapes in the keys of the path.
void joFindJsonPlace( const char* text, const joJsonPath* path, int* line, int* column );

// "a.pose.position[1]".
void joJsonPath_Format( const joJsonPath* path, char* text, size_t capacity );
