// SPDX-License-Identifier: MIT
#include "text_line.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TOKEN_CAPACITY 128

bool joIsBlank( char c )
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

bool joReadTextLine( joByteSource* source, joTextLine* line, bool* failed, joFileError* error )
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
            if ( line->length == JO_TEXT_LINE_CAPACITY - 1 )
            {
                *failed = true;
                joFailAtLine(
                    error, line->number, "the line is longer than %d bytes", JO_TEXT_LINE_CAPACITY - 1 );
                return false;
            }
            blank = blank && joIsBlank( (char)c );
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

joNumberKind joParseFloat( const char* token, size_t length, float* value )
{
    if ( length == 0 || length >= TOKEN_CAPACITY )
    {
        return jo_numberText;
    }
    char text[TOKEN_CAPACITY];
    memcpy( text, token, length );
    text[length] = '\0';
    const char* digits = text + ( text[0] == '+' || text[0] == '-' ? 1 : 0 );
    if ( strcasecmp( digits, "nan" ) == 0 )
    {
        return jo_numberNan;
    }
    bool infinite = strcasecmp( digits, "inf" ) == 0 || strcasecmp( digits, "infinity" ) == 0;
    // strtof takes more than decimal numbers: hexadecimal ones, and NaN with a payload.
    if ( strlen( text ) != length || ( !infinite && strspn( text, "+-.0123456789eE" ) != length ) )
    {
        return jo_numberText;
    }
    char* end;
    errno = 0;
    *value = strtof( text, &end );
    if ( *end != '\0' || end == text )
    {
        return jo_numberText;
    }
    return isinf( *value ) && !infinite ? jo_numberBeyond : jo_numberGood;
}

void joSkipByteOrderMark( joByteSource* source )
{
    const uint8_t* bytes;
    if ( joByteSource_Peek( source, 3 ) >= 3 &&
         memcmp( source->buffer + source->begin, "\xEF\xBB\xBF", 3 ) == 0 )
    {
        joByteSource_Take( source, 3, &bytes );
    }
}
