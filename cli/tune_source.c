// SPDX-License-Identifier: MIT
#include "tune_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void CopyBox( float* to, const float* from )
{
    memcpy( to, from, JO_BOX_FLOATS * sizeof( float ) );
}

static bool MakePacks( joTuneSource* source )
{
    const size_t boxSize = JO_BOX_FLOATS * sizeof( float );
    source->stillBoxes = calloc( source->stillCount, boxSize );
    source->stillKeys = calloc( source->stillCount, sizeof( uint32_t ) );
    source->movingBoxes = calloc( source->movingCount, boxSize );
    source->movingKeys = calloc( source->movingCount, sizeof( uint32_t ) );
    return source->stillBoxes != NULL && source->stillKeys != NULL && source->movingBoxes != NULL &&
           source->movingKeys != NULL;
}

// Divides the boxes of the first frame by `isStill`. False: no memory.
static bool Divide( joTuneSource* source, const bool* isStill )
{
    uint32_t stillCount = 0;
    for ( uint32_t i = 0; i < source->count; ++i )
    {
        stillCount += isStill[i] ? 1 : 0;
    }
    if ( stillCount == 0 || stillCount == source->count )
    {
        return true;
    }
    source->stillCount = stillCount;
    source->movingCount = source->count - stillCount;
    if ( !MakePacks( source ) )
    {
        return false;
    }
    uint32_t still = 0, moving = 0;
    for ( uint32_t i = 0; i < source->count; ++i )
    {
        if ( isStill[i] )
        {
            CopyBox( source->stillBoxes + (size_t)still * JO_BOX_FLOATS,
                source->boxes + (size_t)i * JO_BOX_FLOATS );
            source->stillKeys[still++] = i;
        }
        else
        {
            source->movingKeys[moving++] = i;
        }
    }
    return true;
}

static bool IsSame( const joBoxFile* file, uint32_t frame, uint32_t box )
{
    const float* first = joBoxFile_GetFrame( file, 0 ) + (size_t)box * JO_BOX_FLOATS;
    const float* other = joBoxFile_GetFrame( file, frame ) + (size_t)box * JO_BOX_FLOATS;
    return memcmp( first, other, JO_BOX_FLOATS * sizeof( float ) ) == 0;
}

bool joTuneSource_OpenFile( joTuneSource* source, joBoxFile* file, uint32_t frameCount, bool resting )
{
    *source = ( joTuneSource ){ .file = *file, .dimension = file->dimension, .count = file->count };
    source->frameCount = frameCount;
    source->boxes = joBoxFile_GetFrame( &source->file, 0 );
    memset( file, 0, sizeof( *file ) );
    const uint32_t kept = source->file.keptFrames;
    bool good = true;
    if ( resting && kept > 1 )
    {
        bool* isStill = calloc( source->count, sizeof( bool ) );
        good = isStill != NULL;
        for ( uint32_t i = 0; i < source->count && good; ++i )
        {
            isStill[i] = true;
            for ( uint32_t frame = 1; frame < kept && isStill[i]; ++frame )
            {
                isStill[i] = IsSame( &source->file, frame, i );
            }
        }
        good = good && Divide( source, isStill );
        free( isStill );
    }
    return good && joTuneSource_Seek( source, 0 );
}

static joResult MakeWorkload( joTuneSource* source )
{
    joDestroyWorkload( source->workload );
    joResult result =
        joCreateWorkload( source->workloadKind, source->count, source->seed, &source->workload );
    if ( result == jo_success )
    {
        source->workload->changeFrame = source->frameCount / 2;
        source->dimension = source->workload->dimension;
        source->boxes = source->workload->boxes;
    }
    return result;
}

joResult joTuneSource_OpenWorkload( joTuneSource* source, joWorkloadKind kind, uint32_t count,
    uint32_t frameCount, uint64_t seed, bool resting )
{
    *source =
        ( joTuneSource ){ .count = count, .frameCount = frameCount, .workloadKind = kind, .seed = seed };
    snprintf( source->name, sizeof( source->name ), "%s", joWorkloadKindText( kind ) );
    joResult result = MakeWorkload( source );
    if ( result != jo_success )
    {
        return result;
    }
    bool good = true;
    if ( resting && source->workload->stillCount > 0 )
    {
        bool* isStill = calloc( count, sizeof( bool ) );
        good = isStill != NULL;
        for ( uint32_t i = 0; i < count && good; ++i )
        {
            isStill[i] = source->workload->motion[i] != jo_moving;
        }
        good = good && Divide( source, isStill );
        free( isStill );
    }
    return good && joTuneSource_Seek( source, 0 ) ? jo_success : jo_errorOutOfMemory;
}

void joTuneSource_Close( joTuneSource* source )
{
    free( source->stillBoxes );
    free( source->stillKeys );
    free( source->movingBoxes );
    free( source->movingKeys );
    joFreeBoxFile( &source->file );
    joDestroyWorkload( source->workload );
    memset( source, 0, sizeof( *source ) );
}

bool joTuneSource_Seek( joTuneSource* source, uint32_t frame )
{
    if ( source->workload == NULL )
    {
        source->boxes = joBoxFile_GetFrame( &source->file, frame % source->file.keptFrames );
    }
    else
    {
        if ( frame < source->workload->frame && MakeWorkload( source ) != jo_success )
        {
            return false;
        }
        while ( source->workload->frame < frame )
        {
            joWorkload_Step( source->workload );
        }
    }
    source->frame = frame;
    for ( uint32_t i = 0; i < source->movingCount; ++i )
    {
        CopyBox( source->movingBoxes + (size_t)i * JO_BOX_FLOATS,
            source->boxes + (size_t)source->movingKeys[i] * JO_BOX_FLOATS );
    }
    return true;
}

joBoxes joTuneSource_ViewMoving( const joTuneSource* source )
{
    if ( source->stillCount == 0 )
    {
        return joViewBoxArray( source->boxes, source->count );
    }
    joBoxes boxes = joViewBoxArray( source->movingBoxes, source->movingCount );
    boxes.key = ( joColumn ){ source->movingKeys, sizeof( uint32_t ) };
    return boxes;
}

joBoxes joTuneSource_ViewStill( const joTuneSource* source )
{
    joBoxes boxes = joViewBoxArray( source->stillBoxes, source->stillCount );
    boxes.key = ( joColumn ){ source->stillKeys, sizeof( uint32_t ) };
    return boxes;
}
