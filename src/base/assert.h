// SPDX-License-Identifier: MIT
// Assertions: through the caller's hook, in debug builds only.
#pragma once

#include "jostle/base.h"

// Calls the hook; true: trap.
bool joAssertFailed( const char* condition, const char* file, int line );
void joLog( const char* message );

// What a call returns that has met `result`: misuse is told to the hook; want of memory or room is not
// misuse. The second is for calls over elements: *errorIndex (may be null) gets `bad`.
joResult joReport( joResult result );
joResult joReportAt( joResult result, uint32_t bad, uint32_t* errorIndex );

#if defined( JO_DEBUG )
#define JO_ASSERT( condition )                                                                               \
    do                                                                                                       \
    {                                                                                                        \
        if ( !( condition ) && joAssertFailed( #condition, __FILE__, __LINE__ ) )                            \
            __builtin_trap();                                                                                \
    } while ( 0 )
// Reports misuse through the assert hook and returns the result.
#define JO_MISUSE( result )                                                                                  \
    ( joAssertFailed( "misuse: " #result, __FILE__, __LINE__ ) ? ( __builtin_trap(), ( result ) )            \
                                                               : ( result ) )
#else
#define JO_ASSERT( condition ) ( (void)0 )
#define JO_MISUSE( result ) ( result )
#endif
