// SPDX-License-Identifier: MIT
#include "json_place.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char* SkipBlanks( const char* at )
{
    while ( isspace( (unsigned char)*at ) )
    {
        ++at;
    }
    return at;
}

// From its opening quote to behind its closing one.
static const char* SkipString( const char* at )
{
    for ( ++at; *at != '\0' && *at != '"'; ++at )
    {
        at += *at == '\\' && at[1] != '\0' ? 1 : 0;
    }
    return *at == '"' ? at + 1 : at;
}

// Behind a value, nested ones and all: no recursion, so that no file is too deep.
static const char* SkipValue( const char* at )
{
    int depth = 0;
    do
    {
        at = SkipBlanks( at );
        if ( *at == '"' )
        {
            at = SkipString( at );
        }
        else if ( *at == '{' || *at == '[' )
        {
            depth += 1;
            ++at;
        }
        else if ( *at == '}' || *at == ']' )
        {
            depth -= 1;
            ++at;
        }
        else if ( *at == ',' || *at == ':' )
        {
            ++at;
        }
        else
        {
            at += strcspn( at, ",:]}\"{[ \t\r\n" );
        }
    } while ( depth > 0 && *at != '\0' );
    return at;
}

// The value behind a key or an index of the object or array at `at`; null: there is none.
static const char* Enter( const char* at, const joJsonStep* step )
{
    const char opening = step->key != NULL ? '{' : '[';
    const size_t keyLength = step->key != NULL ? strlen( step->key ) : 0;
    if ( *at != opening )
    {
        return NULL;
    }
    at = SkipBlanks( at + 1 );
    for ( size_t i = 0; *at != '\0' && *at != '}' && *at != ']'; ++i )
    {
        bool isWanted = i == step->index;
        if ( step->key != NULL )
        {
            isWanted = strncmp( at + 1, step->key, keyLength ) == 0 && at[1 + keyLength] == '"';
            at = SkipBlanks( SkipString( at ) );
            at = SkipBlanks( at + ( *at == ':' ) );
        }
        if ( isWanted )
        {
            return at;
        }
        at = SkipBlanks( SkipValue( at ) );
        at = SkipBlanks( at + ( *at == ',' ) );
    }
    return NULL;
}

void joFindJsonPlace( const char* text, const joJsonPath* path, int* line, int* column )
{
    const char* at = SkipBlanks( text );
    for ( int i = 0; i < path->count; ++i )
    {
        const char* inner = Enter( at, &path->steps[i] );
        if ( inner == NULL )
        {
            break;
        }
        at = inner;
    }
    *line = 1;
    *column = 1;
    for ( const char* p = text; p < at; ++p )
    {
        *line += *p == '\n' ? 1 : 0;
        *column = *p == '\n' ? 1 : *column + 1;
    }
}

void joJsonPath_Format( const joJsonPath* path, char* text, size_t capacity )
{
    size_t length = 0;
    text[0] = '\0';
    for ( int i = 0; i < path->count && length < capacity; ++i )
    {
        const joJsonStep* step = &path->steps[i];
        const int added =
            step->key != NULL
                ? snprintf( text + length, capacity - length, "%s%s", i > 0 ? "." : "", step->key )
                : snprintf( text + length, capacity - length, "[%zu]", step->index );
        length += added > 0 ? (size_t)added : 0;
    }
}
