// SPDX-License-Identifier: MIT
// Reader of boxes as text.
#include "box_file_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LINE_CAPACITY 4096 // without comments
#define TOKEN_CAPACITY 128
#define MAX_BOXES ( UINT32_MAX - 1 )

typedef enum NumberKind
{
    number_good,
    number_text,   // not a number at all
    number_nan,    // NaN in letters
    number_beyond, // outside of float
} NumberKind;

typedef struct Line
{
    char text[LINE_CAPACITY]; // without the comment
    size_t length;
    uint64_t number;
} Line;

typedef struct Columns
{
    float values[JO_BOX_FLOATS];
    uint32_t count; // may be more than there are values
    uint32_t textCount;
    uint32_t firstBad; // column, from 1; 0: none
    NumberKind badKind;
    char badToken[48]; // to be shown
} Columns;

static bool IsBlank( char c )
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

// The next line that says something. False at the end, or with error set.
static bool ReadLine( joByteSource* source, Line* line, bool* failed, joFileError* error )
{
    *failed = false;
    for ( ;; )
    {
        bool comment = false;
        bool blank = true;
        bool any = false;
        line->length = 0;
        line->number += 1;
        int c;
        while ( ( c = joByteSource_Next( source ) ) >= 0 )
        {
            any = true;
            if ( c == '\n' )
            {
                break;
            }
            comment = comment || c == '#';
            if ( comment )
            {
                continue;
            }
            if ( line->length == LINE_CAPACITY - 1 )
            {
                *failed = true;
                joFailAtLine( error, line->number, "the line is longer than %d bytes", LINE_CAPACITY - 1 );
                return false;
            }
            blank = blank && IsBlank( (char)c );
            line->text[line->length++] = (char)c;
        }
        line->text[line->length] = '\0';
        if ( source->failed )
        {
            *failed = true;
            return false;
        }
        if ( !blank )
        {
            return true;
        }
        if ( !any )
        {
            return false;
        }
    }
}

static NumberKind ParseNumber( const char* token, size_t length, float* value )
{
    if ( length == 0 || length >= TOKEN_CAPACITY )
    {
        return number_text;
    }
    char text[TOKEN_CAPACITY];
    memcpy( text, token, length );
    text[length] = '\0';
    const char* digits = text + ( text[0] == '+' || text[0] == '-' ? 1 : 0 );
    if ( strcasecmp( digits, "nan" ) == 0 )
    {
        return number_nan;
    }
    bool infinite = strcasecmp( digits, "inf" ) == 0 || strcasecmp( digits, "infinity" ) == 0;
    // strtof takes more than decimal numbers: hexadecimal ones, and NaN with a payload.
    if ( strlen( text ) != length || ( !infinite && strspn( text, "+-.0123456789eE" ) != length ) )
    {
        return number_text;
    }
    char* end;
    errno = 0;
    *value = strtof( text, &end );
    if ( *end != '\0' || end == text )
    {
        return number_text;
    }
    return isinf( *value ) && !infinite ? number_beyond : number_good;
}

static void KeepBadToken( Columns* columns, const char* token, size_t length, NumberKind kind )
{
    columns->firstBad = columns->count;
    columns->badKind = kind;
    size_t shown = length < 40 ? length : 40;
    for ( size_t i = 0; i < shown; ++i )
    {
        columns->badToken[i] = token[i] >= 32 && token[i] < 127 ? token[i] : '?';
    }
    memcpy( columns->badToken + shown, shown < length ? "..." : "", shown < length ? 4 : 1 );
}

static bool SplitLine( const Line* line, Columns* columns, joFileError* error )
{
    memset( columns, 0, sizeof *columns );
    const char* p = line->text;
    const char* end = line->text + line->length;
    while ( p < end && IsBlank( *p ) )
    {
        ++p;
    }
    for ( ;; )
    {
        const char* token = p;
        while ( p < end && !IsBlank( *p ) && *p != ',' )
        {
            ++p;
        }
        columns->count += 1;
        if ( p == token )
        {
            return joFailAtLine( error, line->number, "column %" PRIu32 " is empty", columns->count );
        }
        float value = 0.0f;
        NumberKind kind = ParseNumber( token, (size_t)( p - token ), &value );
        columns->textCount += kind == number_text ? 1 : 0;
        if ( kind != number_good && columns->firstBad == 0 )
        {
            KeepBadToken( columns, token, (size_t)( p - token ), kind );
        }
        if ( columns->count <= JO_BOX_FLOATS )
        {
            columns->values[columns->count - 1] = value;
        }
        while ( p < end && IsBlank( *p ) )
        {
            ++p;
        }
        if ( p == end )
        {
            return true;
        }
        if ( *p == ',' )
        {
            ++p;
            while ( p < end && IsBlank( *p ) )
            {
                ++p;
            }
        }
    }
}

static bool FailAtColumn( joFileError* error, const Line* line, const Columns* columns )
{
    static const char* const reasons[] = { [number_text] = "is not a number",
        [number_nan] = "is not a number (NaN) and cannot be a bound",
        [number_beyond] = "is beyond the range of float (write inf for an infinite bound)" };
    return joFailAtLine( error, line->number, "column %" PRIu32 ": \"%s\" %s", columns->firstBad,
        columns->badToken, reasons[columns->badKind] );
}

// The box of a line of numbers into box. The first one says how many columns all have.
static bool TakeBox( const Line* line, const Columns* columns, joBoxFile* file, uint64_t firstLine,
    float* box, joFileError* error )
{
    if ( columns->firstBad > 0 )
    {
        return FailAtColumn( error, line, columns );
    }
    uint32_t wanted = file->dimension == 2 ? 4 : 6;
    if ( file->dimension == 0 )
    {
        if ( columns->count != 4 && columns->count != 6 )
        {
            return joFailAtLine( error, line->number,
                "%" PRIu32 " columns; a box has 4 numbers in 2D or 6 in 3D, lower then upper",
                columns->count );
        }
        file->dimension = columns->count == 4 ? 2 : 3;
    }
    else if ( columns->count != wanted )
    {
        return joFailAtLine( error, line->number,
            "%" PRIu32 " columns, but the boxes of this file have %" PRIu32 ", as in line %" PRIu64,
            columns->count, wanted, firstLine );
    }
    int axisCount = file->dimension;
    memset( box, 0, JO_BOX_FLOATS * sizeof( float ) );
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        box[axis] = columns->values[axis];
        box[3 + axis] = columns->values[axisCount + axis];
    }
    int member;
    char fault[160];
    if ( joFindBoxFault( box, axisCount, &member, fault, sizeof fault ) )
    {
        return joFailAtLine( error, line->number, "%s (box %" PRIu32 ")", fault, file->count );
    }
    return true;
}

static void SkipByteOrderMark( joByteSource* source )
{
    const uint8_t* bytes;
    if ( joByteSource_Peek( source, 3 ) >= 3 &&
         memcmp( source->buffer + source->begin, "\xEF\xBB\xBF", 3 ) == 0 )
    {
        joByteSource_Take( source, 3, &bytes );
    }
}

bool joReadBoxText( joByteSource* source, joBoxFile* file, joFileError* error )
{
    file->format = jo_textBoxes;
    file->frameCount = 1;
    file->keptFrames = 1;
    SkipByteOrderMark( source );
    Line line = { .number = 0 };
    Columns columns;
    uint64_t capacity = 0;
    uint64_t firstLine = 0;
    bool first = true;
    bool failed;
    while ( ReadLine( source, &line, &failed, error ) )
    {
        if ( !SplitLine( &line, &columns, error ) )
        {
            return false;
        }
        bool header = first && columns.textCount == columns.count;
        first = false;
        if ( header )
        {
            continue;
        }
        float box[JO_BOX_FLOATS];
        if ( !TakeBox( &line, &columns, file, firstLine, box, error ) )
        {
            return false;
        }
        firstLine = firstLine > 0 ? firstLine : line.number;
        if ( file->count == MAX_BOXES )
        {
            return joFailAtLine( error, line.number, "more than %" PRIu32 " boxes", MAX_BOXES );
        }
        if ( !joGrowBoxes( file, file->count, MAX_BOXES, &capacity ) )
        {
            return joFailAtLine(
                error, line.number, "no memory for more than %" PRIu32 " boxes", file->count );
        }
        memcpy( file->boxes + (size_t)file->count * JO_BOX_FLOATS, box, sizeof box );
        file->count += 1;
    }
    if ( failed )
    {
        return false;
    }
    if ( file->count == 0 )
    {
        return joFailAtLine( error, line.number, "the file ends without a box" );
    }
    return true;
}
