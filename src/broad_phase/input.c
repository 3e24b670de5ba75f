// SPDX-License-Identifier: MIT
#include "input.h"

#include "base/float_env.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#define READ_BLOCK 8192

static inline float readFloat( joColumn column, uint32_t i )
{
    return *(const float*)( (const char*)column.data + (size_t)i * column.stride );
}

static inline uint64_t readBits( joColumn column, uint32_t i )
{
    return column.data == NULL ? UINT64_MAX
                               : *(const uint64_t*)( (const char*)column.data + (size_t)i * column.stride );
}

uint32_t joInput_Key( const joInput* input, uint32_t i )
{
    return input->key.data == NULL
               ? i
               : *(const uint32_t*)( (const char*)input->key.data + (size_t)i * input->key.stride );
}

joResult joMakeInput( joInput* input, const joBoxes* boxes, const joCircles* circles, uint32_t axisCount )
{
    memset( input, 0, sizeof( *input ) );
    input->boxes = boxes;
    input->circles = circles;
    input->axisCount = axisCount;
    input->count = boxes != NULL ? boxes->count : circles->count;
    input->key = boxes != NULL ? boxes->key : circles->key;
    input->layer = boxes != NULL ? boxes->layer : circles->layer;
    input->mask = boxes != NULL ? boxes->mask : circles->mask;
    input->hasFilters = input->layer.data != NULL || input->mask.data != NULL;
    if ( input->count > JO_INDEX_MASK )
    {
        return jo_errorBadCount;
    }
    if ( input->count == 0 )
    {
        return jo_success;
    }
    bool complete;
    if ( boxes != NULL )
    {
        complete = boxes->lowerX.data != NULL && boxes->upperX.data != NULL && boxes->lowerY.data != NULL &&
                   boxes->upperY.data != NULL;
        complete =
            complete && ( axisCount == 2 || ( boxes->lowerZ.data != NULL && boxes->upperZ.data != NULL ) );
    }
    else
    {
        complete = circles->x.data != NULL && circles->y.data != NULL && circles->radius.data != NULL;
        complete = complete && ( axisCount == 2 || circles->z.data != NULL );
    }
    return complete ? jo_success : jo_errorNullArgument;
}

static joResult checkBox( const joBoxes* boxes, uint32_t i, uint32_t axisCount )
{
    const joColumn lower[3] = { boxes->lowerX, boxes->lowerY, boxes->lowerZ };
    const joColumn upper[3] = { boxes->upperX, boxes->upperY, boxes->upperZ };
    joResult result = jo_success;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        float low = readFloat( lower[axis], i );
        float high = readFloat( upper[axis], i );
        if ( isnan( low ) || isnan( high ) )
        {
            return jo_errorNotANumber;
        }
        // A lower bound of +inf would be the empty box of a free slot.
        if ( low > high || low == INFINITY || high == -INFINITY )
        {
            result = jo_errorInvertedBox;
        }
    }
    return result;
}

static joResult checkCircle( const joCircles* circles, uint32_t i, uint32_t axisCount )
{
    const joColumn centers[3] = { circles->x, circles->y, circles->z };
    float radius = readFloat( circles->radius, i );
    bool finite = isfinite( radius );
    bool nan = isnan( radius );
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        float center = readFloat( centers[axis], i );
        finite = finite && isfinite( center );
        nan = nan || isnan( center );
    }
    return nan ? jo_errorNotANumber : !finite || radius < 0.0f ? jo_errorBadRadius : jo_success;
}

static joResult checkElement( const joInput* input, uint32_t i )
{
    return input->boxes != NULL ? checkBox( input->boxes, i, input->axisCount )
                                : checkCircle( input->circles, i, input->axisCount );
}

// True if all boxes [begin, end) are good. The columns as plain pointers, one test a box: this runs over all
// of the caller's memory every frame.
static bool boxesAreGood( const joBoxes* boxes, uint32_t begin, uint32_t end, uint32_t axisCount )
{
    const joColumn lower[3] = { boxes->lowerX, boxes->lowerY, boxes->lowerZ };
    const joColumn upper[3] = { boxes->upperX, boxes->upperY, boxes->upperZ };
    bool bad = false;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        const char* low = (const char*)lower[axis].data + (size_t)begin * lower[axis].stride;
        const char* high = (const char*)upper[axis].data + (size_t)begin * upper[axis].stride;
        for ( uint32_t i = begin; i < end; ++i )
        {
            float l = *(const float*)low;
            float h = *(const float*)high;
            bad |= !( l <= h ) | ( l > FLT_MAX ) | ( h < -FLT_MAX );
            low += lower[axis].stride;
            high += upper[axis].stride;
        }
    }
    return !bad;
}

typedef struct CheckContext
{
    const joInput* input;
    pthread_mutex_t mutex;
    uint32_t firstBad;
} CheckContext;

static void checkRange( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    CheckContext* context = userContext;
    const joInput* input = context->input;
    (void)worker;
    // Pieces small enough to stay in the first-level cache between the axes.
    for ( uint32_t first = begin; first < end; first += 512 )
    {
        uint32_t last = end - first > 512 ? first + 512 : end;
        if ( input->boxes != NULL && boxesAreGood( input->boxes, first, last, input->axisCount ) )
        {
            continue;
        }
        for ( uint32_t i = first; i < last; ++i )
        {
            if ( checkElement( input, i ) != jo_success )
            {
                pthread_mutex_lock( &context->mutex );
                context->firstBad = i < context->firstBad ? i : context->firstBad;
                pthread_mutex_unlock( &context->mutex );
                return;
            }
        }
    }
}

joResult joCheckInput( const joInput* input, joJobs* jobs, uint32_t* errorIndex )
{
    CheckContext context = { .input = input, .firstBad = JO_NULL_INDEX };
    pthread_mutex_init( &context.mutex, NULL );
    joParallelFor( jobs, input->count, READ_BLOCK, checkRange, &context );
    pthread_mutex_destroy( &context.mutex );
    *errorIndex = context.firstBad;
    return context.firstBad == JO_NULL_INDEX ? jo_success : checkElement( input, context.firstBad );
}

static void readBox( const joInput* input, uint32_t i, joBoxRecord* record )
{
    const joBoxes* boxes = input->boxes;
    record->lower[0] = readFloat( boxes->lowerX, i );
    record->lower[1] = readFloat( boxes->lowerY, i );
    record->lower[2] = input->axisCount == 3 ? readFloat( boxes->lowerZ, i ) : 0.0f;
    record->upper[0] = readFloat( boxes->upperX, i );
    record->upper[1] = readFloat( boxes->upperY, i );
    record->upper[2] = input->axisCount == 3 ? readFloat( boxes->upperZ, i ) : 0.0f;
}

// The box of a circle, rounded outward: two rounded operations err by at most 2^-23 (|c| + r) together, so a
// box larger by 2^-22 (|c| + r) holds the circle, and no touching pair is lost before the exact test.
// Denormal sums are exact.
static void readCircle( const joInput* input, uint32_t i, joBoxRecord* record, joRound* round )
{
    const joCircles* circles = input->circles;
    round->center[0] = readFloat( circles->x, i );
    round->center[1] = readFloat( circles->y, i );
    round->center[2] = input->axisCount == 3 ? readFloat( circles->z, i ) : 0.0f;
    round->radius = readFloat( circles->radius, i );
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        float center = round->center[axis];
        float radius = axis < input->axisCount ? round->radius : 0.0f;
        float slack = ( fabsf( center ) + radius ) * 0x1p-22f;
        record->lower[axis] = ( center - radius ) - slack;
        record->upper[axis] = ( center + radius ) + slack;
        // |center| + radius may overflow where center - radius does not: keep the box a box.
        if ( !( record->lower[axis] <= center ) || !isfinite( slack ) )
        {
            record->lower[axis] = -INFINITY;
            record->upper[axis] = INFINITY;
        }
    }
}

void joInput_Read( const joInput* input, uint32_t i, uint32_t flags, joObject* object )
{
    if ( input->boxes != NULL )
    {
        readBox( input, i, &object->record );
        object->round = ( joRound ){ { 0.0f, 0.0f, 0.0f }, -1.0f };
    }
    else
    {
        readCircle( input, i, &object->record, &object->round );
    }
    object->record.key = joInput_Key( input, i );
    object->record.flags = flags;
    object->filter.layer = readBits( input->layer, i );
    object->filter.mask = readBits( input->mask, i );
}

typedef struct ReadContext
{
    const joInput* input;
    uint32_t flags;
    joBoxRecord* records;
    joRound* rounds;
    joFilter* filters;
} ReadContext;

static void readRange( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    const ReadContext* context = userContext;
    const joInput* input = context->input;
    (void)worker;
    for ( uint32_t i = begin; i < end; ++i )
    {
        joBoxRecord* record = context->records + i;
        if ( input->boxes != NULL )
        {
            readBox( input, i, record );
            if ( context->rounds != NULL )
            {
                context->rounds[i] = ( joRound ){ { 0.0f, 0.0f, 0.0f }, -1.0f };
            }
        }
        else
        {
            readCircle( input, i, record, context->rounds + i );
        }
        record->key = joInput_Key( input, i );
        record->flags = context->flags;
        if ( context->filters != NULL )
        {
            context->filters[i].layer = readBits( input->layer, i );
            context->filters[i].mask = readBits( input->mask, i );
        }
    }
}

void joInput_ReadAll( const joInput* input, joJobs* jobs, uint32_t flags, joBoxRecord* records,
    joRound* rounds, joFilter* filters )
{
    ReadContext context = { input, flags, records, rounds, filters };
    joParallelFor( jobs, input->count, READ_BLOCK, readRange, &context );
}
