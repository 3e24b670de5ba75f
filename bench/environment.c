// SPDX-License-Identifier: MIT
#include "environment.h"

#include <stdio.h>
#include <string.h>

// In a source that the build writes: see commit.cmake.
extern const char benchCommitText[];

const char* benchCompiler( void )
{
    return BENCH_COMPILER;
}

const char* benchFlags( void )
{
    return BENCH_FLAGS;
}

const char* benchCommit( void )
{
    return benchCommitText;
}

const char* benchCpu( void )
{
    static char name[128] = "unknown";
    FILE* file = fopen( "/proc/cpuinfo", "r" );
    char line[256];
    while ( file != NULL && fgets( line, sizeof( line ), file ) != NULL )
    {
        const char* value = strchr( line, ':' );
        if ( strncmp( line, "model name", 10 ) == 0 && value != NULL )
        {
            value += strspn( value, ": \t" );
            snprintf( name, sizeof( name ), "%.*s", (int)strcspn( value, "\n" ), value );
            break;
        }
    }
    if ( file != NULL )
    {
        fclose( file );
    }
    return name;
}
