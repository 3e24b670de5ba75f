// SPDX-License-Identifier: MIT
// Values of a JSON file. What is wrong is said with its place: the fields that have been entered and not
// left.
#pragma once

#include "json_place.h"

#include "jostle/base.h"

#include <jansson.h>

// Points of one array.
#define JO_JSON_POINTS 4096

typedef struct joJsonError
{
    int line, column; // from 1; 0: not of a place
    char field[128];  // as "a.pose.position[1]"; "": not of a field
    char what[512];
} joJsonError;

typedef struct joJsonReader
{
    const char* text; // with a zero at its end
    joJsonPath path;  // to what is being read
    joJsonError* error;
} joJsonReader;

// A whole text file of up to `limit` bytes, with a zero at its end, to be freed. Null: *error says why.
char* joReadJsonText( const char* path, size_t limit, joJsonError* error );
// Null: the text is no JSON, or a key stands twice in an object, and the reader's error says where.
json_t* joParseJson( joJsonReader* reader );

// Returns false, for `return joRefuse( ... )`.
bool joRefuse( joJsonReader* reader, const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) );
// Of a member of the object that has been entered.
bool joRefuseMember( joJsonReader* reader, const char* key, const char* format, ... )
    __attribute__( ( format( printf, 3, 4 ) ) );

// `key` null: element `index` of an array.
void joEnterField( joJsonReader* reader, const char* key, size_t index );
void joLeaveField( joJsonReader* reader );

// A number, or an array of `count` of them. The member must be there, but where `isOptional`, and is then
// left as it was.
bool joReadMember( joJsonReader* reader, const json_t* object, const char* key, float* numbers, size_t count,
    bool isOptional );
// A whole number from `lower` to `upper`; left as it was if the member is not there.
bool joReadWhole( joJsonReader* reader, const json_t* object, const char* key, uint64_t lower, uint64_t upper,
    uint64_t* number );
// Left as it was if the member is not there.
bool joReadFlag( joJsonReader* reader, const json_t* object, const char* key, bool* flag );
// Null if the member is not there; what is found lives as long as the object.
bool joReadString( joJsonReader* reader, const json_t* object, const char* key, const char** text );
// One of `names`, which ends with null; left as it was if the member is not there.
bool joReadName(
    joJsonReader* reader, const json_t* object, const char* key, const char* const* names, int* place );
// An array of points of `axisCount` numbers each; `exactly` so many, or, if 0, up to JO_JSON_POINTS. *points
// is to be freed.
bool joReadPoints( joJsonReader* reader, const json_t* object, size_t axisCount, uint32_t exactly,
    float** points, uint32_t* count );
// Whether all members are among `keys`, which ends with null.
bool joCheckKeys( joJsonReader* reader, json_t* object, const char* const* keys );
