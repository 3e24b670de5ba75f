// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // mkdtemp
#include "temporary_folder.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

const char* tempFolder( void )
{
    return folder;
}

const char* tempPath( const char* name )
{
    static char paths[4][400];
    static int next;
    char* path = paths[next++ % 4];
    snprintf( path, sizeof paths[0], "%s/%s", folder, name );
    return path;
}

int tempMakeFolder( void** state )
{
    (void)state;
    snprintf( folder, sizeof folder, "jostle_test_XXXXXX" );
    return mkdtemp( folder ) == NULL;
}

int tempCountFiles( void )
{
    DIR* directory = opendir( folder );
    assert( directory != NULL );
    int count = 0;
    for ( struct dirent* entry = readdir( directory ); entry != NULL; entry = readdir( directory ) )
    {
        count += entry->d_name[0] != '.' ? 1 : 0;
    }
    closedir( directory );
    return count;
}

void tempClear( void )
{
    DIR* directory = opendir( folder );
    assert( directory != NULL );
    for ( struct dirent* entry = readdir( directory ); entry != NULL; entry = readdir( directory ) )
    {
        if ( entry->d_name[0] != '.' )
        {
            unlink( tempPath( entry->d_name ) );
        }
    }
    closedir( directory );
}

int tempRemoveFolder( void** state )
{
    (void)state;
    tempClear();
    return rmdir( folder );
}

void tempWrite( const char* path, const void* data, size_t size )
{
    FILE* file = fopen( path, "wb" );
    assert( file != NULL );
    size_t written = fwrite( data, 1, size, file );
    assert( written == size );
    int failed = fclose( file );
    assert( failed == 0 );
}

uint8_t* tempRead( const char* path, size_t* size )
{
    FILE* file = fopen( path, "rb" );
    assert( file != NULL );
    uint8_t* bytes = malloc( 1 << 20 );
    assert( bytes != NULL );
    *size = fread( bytes, 1, 1 << 20, file );
    fclose( file );
    return bytes;
}
