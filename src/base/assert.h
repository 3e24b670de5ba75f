// SPDX-License-Identifier: MIT
// Assertions: through the caller's hook, in debug builds only.
#pragma once

#include "jostle/base.h"

// Calls the hook; true: trap.
bool joAssertFailed( const char* condition, const char* file, int line );
void joLog( const char* message );

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
