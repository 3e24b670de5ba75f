// SPDX-License-Identifier: MIT
#include "input.h"

#include "base/float_env.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#if defined( __SSE2__ )
#include <emmintrin.h>
#endif

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

// Whether the boxes are records of 4 or 6 floats, lower then upper: the usual layout.
static bool areRecords( const joBoxes* boxes, uint32_t axisCount )
{
    const float* first = boxes->lowerX.data;
    const joColumn columns[6] = { boxes->lowerX, boxes->lowerY,
        axisCount == 3 ? boxes->lowerZ : boxes->upperX, axisCount == 3 ? boxes->upperX : boxes->upperY,
        boxes->upperY, boxes->upperZ };
    for ( uint32_t k = 0; k < 2 * axisCount; ++k )
    {
        if ( columns[k].data != first + k || columns[k].stride != boxes->lowerX.stride )
        {
            return false;
        }
    }
    return true;
}

#if defined( __SSE2__ )
// True if all records [begin, end) are good.
static bool recordsAreGood( const joBoxes* boxes, uint32_t begin, uint32_t end, uint32_t axisCount )
{
    const size_t stride = boxes->lowerX.stride;
    const char* record = (const char*)boxes->lowerX.data + (size_t)begin * stride;
    __m128 good = _mm_castsi128_ps( _mm_set1_epi32( -1 ) );
    for ( uint32_t i = begin; i < end; ++i, record += stride )
    {
        // 3D: lx ly lz ux and lz ux uy uz; 2D: lx ly ux uy.
        __m128 low = _mm_loadu_ps( (const float*)(const void*)record );
        __m128 high;
        if ( axisCount == 3 )
        {
            high = _mm_loadu_ps( (const float*)(const void*)record + 2 );
            high = _mm_shuffle_ps( high, high, _MM_SHUFFLE( 1, 3, 2, 1 ) );
            low = _mm_shuffle_ps( low, low, _MM_SHUFFLE( 0, 2, 1, 0 ) );
        }
        else
        {
            high = _mm_movehl_ps( low, low );
            low = _mm_movelh_ps( low, low );
            high = _mm_movelh_ps( high, high );
        }
        good = _mm_and_ps( good, _mm_cmple_ps( low, high ) );
        good = _mm_and_ps( good, _mm_cmple_ps( low, _mm_set1_ps( FLT_MAX ) ) );
        good = _mm_and_ps( good, _mm_cmpge_ps( high, _mm_set1_ps( -FLT_MAX ) ) );
    }
    int lanes = axisCount == 3 ? 7 : 15;
    return ( _mm_movemask_ps( good ) & lanes ) == lanes;
}
#endif

// True if all boxes [begin, end) are good. The columns as plain pointers, one test a box: this runs over all
// of the caller's memory every frame.
static bool boxesAreGood( const joBoxes* boxes, uint32_t begin, uint32_t end, uint32_t axisCount )
{
#if defined( __SSE2__ )
    if ( areRecords( boxes, axisCount ) )
    {
        return recordsAreGood( boxes, begin, end, axisCount );
    }
#endif
    const joColumn lower[3] = { boxes->lowerX, boxes->lowerY, boxes->lowerZ };
    const joColumn upper[3] = { boxes->upperX, boxes->upperY, boxes->upperZ };
    bool bad = false;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        const char* low = (const char*)lower[axis].data + (size_t)begin * lower[axis].stride;
        const char* high = (const char*)upper[axis].data + (size_t)begin * upper[axis].stride;
        for ( uint32_t i = begin; i < end; ++i )
        {
            float l = *(const float*)(const void*)low;
            float h = *(const float*)(const void*)high;
            bad |= !( l <= h ) | ( l > FLT_MAX ) | ( h < -FLT_MAX );
            low += lower[axis].stride;
            high += upper[axis].stride;
        }
    }
    return !bad;
}

// True if all elements [begin, end) of a column are finite and no less than `least`.
static bool columnIsGood( joColumn column, uint32_t begin, uint32_t end, float least )
{
    const char* element = (const char*)column.data + (size_t)begin * column.stride;
    uint32_t count = column.stride == 0 && end > begin ? 1 : end - begin;
    bool bad = false;
#if defined( __SSE2__ )
    if ( column.stride == sizeof( float ) )
    {
        __m128 good = _mm_castsi128_ps( _mm_set1_epi32( -1 ) );
        for ( ; count >= 4; count -= 4, element += 4 * sizeof( float ) )
        {
            const __m128 x = _mm_loadu_ps( (const float*)(const void*)element );
            good = _mm_and_ps( good, _mm_cmpge_ps( x, _mm_set1_ps( least ) ) );
            good = _mm_and_ps( good, _mm_cmple_ps( x, _mm_set1_ps( FLT_MAX ) ) );
        }
        bad = _mm_movemask_ps( good ) != 15;
    }
#endif
    for ( ; count > 0; --count, element += column.stride )
    {
        const float x = *(const float*)(const void*)element;
        bad |= !( x >= least ) | ( x > FLT_MAX );
    }
    return !bad;
}

static bool circlesAreGood( const joCircles* circles, uint32_t begin, uint32_t end, uint32_t axisCount )
{
    bool good = columnIsGood( circles->radius, begin, end, 0.0f );
    good &= columnIsGood( circles->x, begin, end, -FLT_MAX );
    good &= columnIsGood( circles->y, begin, end, -FLT_MAX );
    return good && ( axisCount == 2 || columnIsGood( circles->z, begin, end, -FLT_MAX ) );
}

bool joInput_AreGood( const joInput* input, uint32_t begin, uint32_t end )
{
    return input->boxes != NULL ? boxesAreGood( input->boxes, begin, end, input->axisCount )
                                : circlesAreGood( input->circles, begin, end, input->axisCount );
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
        if ( joInput_AreGood( input, first, last ) )
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

static inline void readBox( const joInput* input, uint32_t i, joBoxRecord* record, uint32_t axisCount )
{
    const joBoxes* boxes = input->boxes;
    record->lower[0] = readFloat( boxes->lowerX, i );
    record->lower[1] = readFloat( boxes->lowerY, i );
    record->lower[2] = axisCount == 3 ? readFloat( boxes->lowerZ, i ) : 0.0f;
    record->upper[0] = readFloat( boxes->upperX, i );
    record->upper[1] = readFloat( boxes->upperY, i );
    record->upper[2] = axisCount == 3 ? readFloat( boxes->upperZ, i ) : 0.0f;
}

// The box of a circle, rounded outward: two rounded operations err by at most 2^-23 (|c| + r) together, so a
// box larger by 2^-22 (|c| + r) holds the circle, and no touching pair is lost before the exact test.
// Denormal sums are exact.
static inline void readCircle(
    const joInput* input, uint32_t i, joBoxRecord* record, joRound* round, uint32_t axisCount )
{
    const joCircles* circles = input->circles;
    round->center[0] = readFloat( circles->x, i );
    round->center[1] = readFloat( circles->y, i );
    round->center[2] = axisCount == 3 ? readFloat( circles->z, i ) : 0.0f;
    round->radius = readFloat( circles->radius, i );
    record->lower[2] = record->upper[2] = 0.0f;
    for ( uint32_t axis = 0; axis < axisCount; ++axis )
    {
        // Infinite if |center| + radius is beyond floats, and then so are the bounds.
        float center = round->center[axis];
        float slack = ( fabsf( center ) + round->radius ) * 0x1p-22f;
        record->lower[axis] = ( center - round->radius ) - slack;
        record->upper[axis] = ( center + round->radius ) + slack;
    }
}

void joInput_Read( const joInput* input, uint32_t i, uint32_t flags, joObject* object )
{
    if ( input->boxes != NULL )
    {
        readBox( input, i, &object->record, input->axisCount );
        object->round = ( joRound ){ { 0.0f, 0.0f, 0.0f }, -1.0f };
    }
    else
    {
        readCircle( input, i, &object->record, &object->round, input->axisCount );
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

#if defined( __SSE2__ )
// readCircle, all axes at once, and the whole record.
static inline void readCircles( const ReadContext* context, uint32_t begin, uint32_t end, uint32_t axisCount )
{
    // Copies: of what lies in memory the compiler must think that the records are written over it.
    const joInput input = *context->input;
    const joCircles circles = *input.circles;
    joBoxRecord* records = context->records;
    joRound* rounds = context->rounds;
    const int flags = (int)context->flags;
    const __m128 size = _mm_castsi128_ps( _mm_set_epi32( 0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF ) );
    // In 2D the third axis is 0, and so are its bounds.
    const __m128 axes = _mm_castsi128_ps( _mm_set_epi32( 0, axisCount == 3 ? -1 : 0, -1, -1 ) );
    for ( uint32_t i = begin; i < end; ++i )
    {
        const float z = axisCount == 3 ? readFloat( circles.z, i ) : 0.0f;
        const float r = readFloat( circles.radius, i );
        const __m128 round = _mm_set_ps( r, z, readFloat( circles.y, i ), readFloat( circles.x, i ) );
        const __m128 center = _mm_and_ps( round, axes );
        const __m128 radius = _mm_and_ps( _mm_set1_ps( r ), axes );
        const __m128 slack =
            _mm_mul_ps( _mm_add_ps( _mm_and_ps( center, size ), radius ), _mm_set1_ps( 0x1p-22f ) );
        const __m128 lower = _mm_sub_ps( _mm_sub_ps( center, radius ), slack );
        const __m128 upper = _mm_add_ps( _mm_add_ps( center, radius ), slack );
        _mm_storeu_ps( rounds[i].center, round );

        // lower x y z, upper x; upper y z, key, flags
        const __m128 middle = _mm_shuffle_ps( lower, upper, _MM_SHUFFLE( 0, 0, 2, 2 ) );
        const __m128 last = _mm_shuffle_ps( upper, upper, _MM_SHUFFLE( 3, 3, 2, 1 ) );
        const __m128i words = _mm_set_epi32( 0, 0, flags, (int)joInput_Key( &input, i ) );
        _mm_storeu_ps( records[i].lower, _mm_shuffle_ps( lower, middle, _MM_SHUFFLE( 2, 0, 1, 0 ) ) );
        _mm_storeu_si128( (__m128i*)(void*)( records[i].upper + 1 ),
            _mm_unpacklo_epi64( _mm_castps_si128( last ), words ) );
    }
}
#endif

static inline void readRecords( const ReadContext* context, uint32_t begin, uint32_t end, uint32_t axisCount )
{
#if defined( __SSE2__ )
    if ( context->input->circles != NULL )
    {
        readCircles( context, begin, end, axisCount );
        return;
    }
#endif
    const joInput* input = context->input;
    const bool records = input->boxes != NULL && areRecords( input->boxes, axisCount );
    for ( uint32_t i = begin; i < end; ++i )
    {
        joBoxRecord* record = context->records + i;
        if ( records )
        {
            const joColumn first = input->boxes->lowerX;
            const float* box =
                (const float*)(const void*)( (const char*)first.data + (size_t)i * first.stride );
            memcpy( record->lower, box, axisCount * sizeof( float ) );
            memcpy( record->upper, box + axisCount, axisCount * sizeof( float ) );
            if ( axisCount == 2 )
            {
                record->lower[2] = record->upper[2] = 0.0f;
            }
        }
        else if ( input->boxes != NULL )
        {
            readBox( input, i, record, axisCount );
        }
        else
        {
            readCircle( input, i, record, context->rounds + i, axisCount );
        }
        record->key = joInput_Key( input, i );
        record->flags = context->flags;
    }
}

static void readRange( uint32_t begin, uint32_t end, uint32_t worker, void* userContext )
{
    const ReadContext* context = userContext;
    const joInput* input = context->input;
    (void)worker;
    if ( input->axisCount == 2 )
    {
        readRecords( context, begin, end, 2 );
    }
    else
    {
        readRecords( context, begin, end, 3 );
    }
    for ( uint32_t i = begin; i < end && context->filters != NULL; ++i )
    {
        context->filters[i].layer = readBits( input->layer, i );
        context->filters[i].mask = readBits( input->mask, i );
    }
}

void joInput_ReadAll( const joInput* input, joJobs* jobs, uint32_t flags, joBoxRecord* records,
    joRound* rounds, joFilter* filters )
{
    ReadContext context = { input, flags, records, rounds, filters };
    joParallelFor( jobs, input->count, READ_BLOCK, readRange, &context );
}
