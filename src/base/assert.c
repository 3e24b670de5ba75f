// SPDX-License-Identifier: MIT
// The assert and log hooks: the library's only global state.
#include "base/assert.h"

#include <stdio.h>

static joAssertFcn* s_assertFcn = NULL;
static joLogFcn* s_logFcn = NULL;

void joSetAssertFcn( joAssertFcn* assertFcn )
{
    s_assertFcn = assertFcn;
}

void joSetLogFcn( joLogFcn* logFcn )
{
    s_logFcn = logFcn;
}

bool joAssertFailed( const char* condition, const char* file, int line )
{
    if ( s_assertFcn != NULL )
    {
        return s_assertFcn( condition, file, line );
    }
    fprintf( stderr, "jostle: assertion failed: %s, %s:%d\n", condition, file, line );
    return false;
}

void joLog( const char* message )
{
    if ( s_logFcn != NULL )
    {
        s_logFcn( message );
        return;
    }
    fprintf( stderr, "jostle: %s\n", message );
}

joResult joReport( joResult result )
{
    const bool isEnvironment = result >= jo_errorOutOfMemory;
    return result == jo_success || isEnvironment ? result : JO_MISUSE( result );
}

joResult joReportAt( joResult result, uint32_t bad, uint32_t* errorIndex )
{
    if ( errorIndex != NULL )
    {
        *errorIndex = bad;
    }
    return joReport( result );
}
