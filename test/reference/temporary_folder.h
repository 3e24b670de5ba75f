// SPDX-License-Identifier: MIT
// A folder of a test's own, for the files that it writes.
#pragma once

#include <stddef.h>
#include <stdint.h>

// For cmocka_run_group_tests. The folder is made in the current one.
int tempMakeFolder( void** state );
int tempRemoveFolder( void** state );

const char* tempFolder( void );
// folder/name; valid until the fourth call after this one.
const char* tempPath( const char* name );
// Without hidden ones.
int tempCountFiles( void );
void tempClear( void );
void tempWrite( const char* path, const void* data, size_t size );
// The first MiB of a file; to be freed.
uint8_t* tempRead( const char* path, size_t* size );
