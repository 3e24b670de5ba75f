// SPDX-License-Identifier: MIT
// Reader of boxes as text.
#include "box_file_internal.h"
#include "text_line.h"

#include <inttypes.h>
#include <string.h>

#define MAX_BOXES ( UINT32_MAX - 1 )

typedef struct Columns
{
    float values[JO_BOX_FLOATS];
    uint32_t count; // may be more than there are values
    uint32_t textCount;
    uint32_t firstBad; // column, from 1; 0: none
    joNumberKind badKind;
    char badToken[48]; // to be shown
} Columns;

static void KeepBadToken( Columns* columns, const char* token, size_t length, joNumberKind kind )
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

static bool SplitLine( const joTextLine* line, Columns* columns, joFileError* error )
{
    memset( columns, 0, sizeof *columns );
    const char* p = line->text;
    const char* end = line->text + line->length;
    while ( p < end && joIsBlank( *p ) )
    {
        ++p;
    }
    for ( ;; )
    {
        const char* token = p;
        while ( p < end && !joIsBlank( *p ) && *p != ',' )
        {
            ++p;
        }
        columns->count += 1;
        if ( p == token )
        {
            return joFailAtLine( error, line->number, "column %" PRIu32 " is empty", columns->count );
        }
        float value = 0.0f;
        joNumberKind kind = joParseFloat( token, (size_t)( p - token ), &value );
        columns->textCount += kind == jo_numberText ? 1 : 0;
        if ( kind != jo_numberGood && columns->firstBad == 0 )
        {
            KeepBadToken( columns, token, (size_t)( p - token ), kind );
        }
        if ( columns->count <= JO_BOX_FLOATS )
        {
            columns->values[columns->count - 1] = value;
        }
        while ( p < end && joIsBlank( *p ) )
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
            while ( p < end && joIsBlank( *p ) )
            {
                ++p;
            }
        }
    }
}

static bool FailAtColumn( joFileError* error, const joTextLine* line, const Columns* columns )
{
    static const char* const reasons[] = { [jo_numberText] = "is not a number",
        [jo_numberNan] = "is not a number (NaN) and cannot be a bound",
        [jo_numberBeyond] = "is beyond the range of float (write inf for an infinite bound)" };
    return joFailAtLine( error, line->number, "column %" PRIu32 ": \"%s\" %s", columns->firstBad,
        columns->badToken, reasons[columns->badKind] );
}

// The box of a line of numbers into box. The first one says how many columns all have.
static bool TakeBox( const joTextLine* line, const Columns* columns, joBoxFile* file, uint64_t firstLine,
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

bool joReadBoxText( joByteSource* source, joBoxFile* file, joFileError* error )
{
    file->format = jo_textBoxes;
    file->frameCount = 1;
    file->keptFrames = 1;
    joSkipByteOrderMark( source );
    joTextLine line = { .number = 0 };
    Columns columns;
    uint64_t capacity = 0;
    uint64_t firstLine = 0;
    bool first = true;
    bool failed;
    while ( joReadTextLine( source, &line, &failed, error ) )
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
