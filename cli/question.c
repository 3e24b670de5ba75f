// SPDX-License-Identifier: MIT
#include "question.h"

#include "text_line.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NUMBERS 10 // a sweep in 3D

typedef struct Shape
{
    const char* name;
    uint32_t places;  // each as many numbers as there are dimensions
    uint32_t numbers; // after them
    uint32_t optional;
    const char* usage;
} Shape;

static const Shape shapes[jo_questionKindCount] = {
    { "ray", 2, 0, 1, "origin, direction and perhaps a length" },
    { "sweep", 3, 0, 1, "lower corner, upper corner, direction and perhaps a length" },
    { "box", 2, 0, 0, "lower corner and upper corner" },
    { "circle", 1, 1, 0, "centre and radius" },
    { "nearest", 1, 0, 2, "point and perhaps how many, and perhaps a greatest distance" },
};

typedef struct Token
{
    const char* text;
    size_t length;
} Token;

const char* joQuestionKindText( joQuestionKind kind )
{
    return shapes[kind].name;
}

static bool Fault( char* fault, size_t capacity, const char* format, ... )
    __attribute__( ( format( printf, 3, 4 ) ) );

static bool Fault( char* fault, size_t capacity, const char* format, ... )
{
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( fault, capacity, format, arguments );
    va_end( arguments );
    return false;
}

static const char* SkipBlanks( const char* p )
{
    while ( joIsBlank( *p ) )
    {
        ++p;
    }
    return p;
}

// Tokens with blanks or a comma between them; one between two commas is empty. Returns how many there are, of
// which the first MAX_NUMBERS are kept.
static uint32_t Split( const char* text, Token* tokens )
{
    uint32_t count = 0;
    const char* p = SkipBlanks( text );
    bool more = *p != '\0';
    while ( more )
    {
        const char* begin = p;
        while ( *p != '\0' && *p != ',' && !joIsBlank( *p ) )
        {
            ++p;
        }
        if ( count < MAX_NUMBERS )
        {
            tokens[count] = ( Token ){ begin, (size_t)( p - begin ) };
        }
        count += 1;
        p = SkipBlanks( p );
        more = *p != '\0';
        p = *p == ',' ? SkipBlanks( p + 1 ) : p;
    }
    return count;
}

static bool ParseToken( Token token, uint32_t index, float* value, char* fault, size_t capacity )
{
    static const char* const reasons[] = { [jo_numberText] = "is not a number",
        [jo_numberNan] = "is not a number (NaN)",
        [jo_numberBeyond] = "is beyond the range of float (write inf for one without end)" };
    const joNumberKind kind = joParseFloat( token.text, token.length, value );
    const int shown = token.length < 40 ? (int)token.length : 40;
    return kind == jo_numberGood || Fault( fault, capacity, "number %" PRIu32 ": \"%.*s\" %s", index + 1,
                                        shown, token.text, reasons[kind] );
}

static bool ParseCount( Token token, uint32_t* count, char* fault, size_t capacity )
{
    // More digits than it takes are too many, zeros before them too.
    uint64_t value = token.length > 0 && token.length <= 10 ? 0 : UINT64_MAX;
    for ( size_t i = 0; i < token.length && value <= UINT32_MAX; ++i )
    {
        const bool isDigit = token.text[i] >= '0' && token.text[i] <= '9';
        value = isDigit ? value * 10 + (uint64_t)( token.text[i] - '0' ) : UINT64_MAX;
    }
    if ( value > UINT32_MAX )
    {
        const int shown = token.length < 40 ? (int)token.length : 40;
        return Fault( fault, capacity, "how many: \"%.*s\" is not a whole number from 0 to %" PRIu32, shown,
            token.text, UINT32_MAX );
    }
    *count = (uint32_t)value;
    return true;
}

bool joParseQuestion( joQuestionKind kind, const char* numbers, int dimension, joQuestion* question,
    char* fault, size_t capacity )
{
    const Shape* shape = &shapes[kind];
    const uint32_t axisCount = (uint32_t)dimension;
    const uint32_t least = shape->places * axisCount + shape->numbers;
    Token tokens[MAX_NUMBERS];
    const uint32_t count = Split( numbers, tokens );
    if ( count < least || count > least + shape->optional )
    {
        return Fault( fault, capacity, "%" PRIu32 " numbers, but a %s in %dD has %" PRIu32 "%s (%s)", count,
            shape->name, dimension, least,
            shape->optional == 0   ? ""
            : shape->optional == 1 ? ", or one more"
                                   : ", or one or two more",
            shape->usage );
    }
    *question = ( joQuestion ){ .kind = kind, .reach = INFINITY, .k = 1 };
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t axis = i % axisCount;
        const uint32_t place = i / axisCount;
        float value = 0.0f;
        if ( kind == jo_askNearest && i == least )
        {
            if ( !ParseCount( tokens[i], &question->k, fault, capacity ) )
            {
                return false;
            }
            continue;
        }
        if ( !ParseToken( tokens[i], i, &value, fault, capacity ) )
        {
            return false;
        }
        if ( i >= shape->places * axisCount )
        {
            question->reach = value;
        }
        else if ( place == 0 )
        {
            question->lower[axis] = question->upper[axis] = value;
        }
        else if ( place == 1 && kind != jo_askRay )
        {
            question->upper[axis] = value;
        }
        else
        {
            question->direction[axis] = value;
        }
    }
    return true;
}

static void Append( char* text, const float* values, int count, const char* between )
{
    for ( int i = 0; i < count; ++i )
    {
        const size_t length = strlen( text );
        snprintf(
            text + length, JO_QUESTION_TEXT - length, "%s%.9g", i == 0 ? between : ",", (double)values[i] );
    }
}

void joFormatQuestion( const joQuestion* question, int dimension, char* text )
{
    const joQuestionKind kind = question->kind;
    snprintf( text, JO_QUESTION_TEXT, "%s", shapes[kind].name );
    Append( text, question->lower, dimension, " " );
    if ( kind == jo_askSweep || kind == jo_askBox )
    {
        Append( text, question->upper, dimension, "," );
    }
    if ( kind == jo_askRay || kind == jo_askSweep )
    {
        Append( text, question->direction, dimension, "," );
    }
    if ( kind == jo_askNearest )
    {
        const size_t length = strlen( text );
        snprintf( text + length, JO_QUESTION_TEXT - length, ",%" PRIu32, question->k );
    }
    if ( kind != jo_askBox )
    {
        Append( text, &question->reach, 1, "," );
    }
}

bool joAddQuestion( joQuestionList* list, const joQuestion* question )
{
    if ( list->count == list->capacity )
    {
        const uint32_t capacity = list->capacity > UINT32_MAX / 2 ? UINT32_MAX : list->capacity * 2 + 16;
        joQuestion* data =
            list->count < capacity ? realloc( list->data, capacity * sizeof( joQuestion ) ) : NULL;
        if ( data == NULL )
        {
            return false;
        }
        list->data = data;
        list->capacity = capacity;
    }
    list->data[list->count++] = *question;
    return true;
}

void joFreeQuestions( joQuestionList* list )
{
    free( list->data );
    *list = ( joQuestionList ){ 0 };
}

// The question of a line.
static bool ReadQuestion( const joTextLine* line, int dimension, joQuestion* question, joFileError* error )
{
    const char* word = SkipBlanks( line->text );
    size_t length = 0;
    while ( word[length] != '\0' && word[length] != ',' && !joIsBlank( word[length] ) )
    {
        length += 1;
    }
    int kind = 0;
    while ( kind < jo_questionKindCount &&
            ( strlen( shapes[kind].name ) != length || strncmp( shapes[kind].name, word, length ) != 0 ) )
    {
        kind += 1;
    }
    if ( kind == jo_questionKindCount )
    {
        return joFailAtLine( error, line->number,
            "unknown question \"%.*s\"; the questions are ray, sweep, box, circle and nearest",
            length < 40 ? (int)length : 40, word );
    }
    const char* numbers = SkipBlanks( word + length );
    numbers += *numbers == ',' ? 1 : 0;
    char fault[256];
    if ( !joParseQuestion( (joQuestionKind)kind, numbers, dimension, question, fault, sizeof fault ) )
    {
        return joFailAtLine( error, line->number, "%s", fault );
    }
    question->line = line->number;
    return true;
}

bool joReadQuestions( const char* path, int dimension, joQuestionList* list, joFileError* error )
{
    joByteSource* source = malloc( sizeof( joByteSource ) );
    joTextLine* line = calloc( 1, sizeof( joTextLine ) );
    bool failed = true;
    if ( source == NULL || line == NULL )
    {
        joFail( error, "no memory" );
    }
    else if ( joByteSource_Open( source, path, error ) )
    {
        joSkipByteOrderMark( source );
        while ( joReadTextLine( source, line, &failed, error ) )
        {
            joQuestion question;
            failed = !ReadQuestion( line, dimension, &question, error );
            if ( !failed && !joAddQuestion( list, &question ) )
            {
                failed = !joFailAtLine( error, line->number, "no memory for more questions" );
            }
            if ( failed )
            {
                break;
            }
        }
        joByteSource_Close( source );
    }
    free( source );
    free( line );
    return !failed;
}

static bool ReserveHits( joAnswer* answer, uint64_t count )
{
    if ( count > answer->hitCapacity )
    {
        joHit* hits = count <= SIZE_MAX / sizeof( joHit )
                          ? realloc( answer->hits, (size_t)count * sizeof( joHit ) )
                          : NULL;
        if ( hits == NULL )
        {
            return false;
        }
        answer->hits = hits;
        answer->hitCapacity = count;
    }
    return true;
}

static bool ReserveKeys( joAnswer* answer, uint64_t count )
{
    if ( count > answer->keyCapacity )
    {
        uint32_t* keys = count <= SIZE_MAX / sizeof( uint32_t )
                             ? realloc( answer->keys, (size_t)count * sizeof( uint32_t ) )
                             : NULL;
        if ( keys == NULL )
        {
            return false;
        }
        answer->keys = keys;
        answer->keyCapacity = count;
    }
    return true;
}

// The answer's memory has room for one hit at least.
static joResult AskRay(
    const joBroadPhase* broadPhase, const joQuestion* question, joHitMode mode, joAnswer* answer )
{
    joRay ray = { .length = question->reach };
    memcpy( ray.origin, question->lower, sizeof ray.origin );
    memcpy( ray.direction, question->direction, sizeof ray.direction );
    if ( mode == jo_allHits )
    {
        return joBroadPhase_CastRayAll(
            broadPhase, &ray, NULL, answer->hits, answer->hitCapacity, &answer->count );
    }
    bool isHit = false;
    const joResult result = mode == jo_anyHit
                                ? joBroadPhase_CastRayAny( broadPhase, &ray, NULL, &isHit )
                                : joBroadPhase_CastRayClosest( broadPhase, &ray, NULL, answer->hits );
    isHit = mode == jo_anyHit ? isHit : result == jo_success && answer->hits[0].key != JO_NULL_INDEX;
    answer->count = isHit ? 1 : 0;
    return result;
}

static joResult AskSweep(
    const joBroadPhase* broadPhase, const joQuestion* question, joHitMode mode, joAnswer* answer )
{
    joSweptBox box = { .length = question->reach };
    memcpy( box.lower, question->lower, sizeof box.lower );
    memcpy( box.upper, question->upper, sizeof box.upper );
    memcpy( box.direction, question->direction, sizeof box.direction );
    if ( mode == jo_allHits )
    {
        return joBroadPhase_CastBoxAll(
            broadPhase, &box, NULL, answer->hits, answer->hitCapacity, &answer->count );
    }
    bool isHit = false;
    const joResult result = mode == jo_anyHit
                                ? joBroadPhase_CastBoxAny( broadPhase, &box, NULL, &isHit )
                                : joBroadPhase_CastBoxClosest( broadPhase, &box, NULL, answer->hits );
    isHit = mode == jo_anyHit ? isHit : result == jo_success && answer->hits[0].key != JO_NULL_INDEX;
    answer->count = isHit ? 1 : 0;
    return result;
}

static joResult AskOnce(
    const joBroadPhase* broadPhase, const joQuestion* question, joHitMode mode, joAnswer* answer )
{
    switch ( question->kind )
    {
        case jo_askRay:
            return AskRay( broadPhase, question, mode, answer );
        case jo_askSweep:
            return AskSweep( broadPhase, question, mode, answer );
        case jo_askBox:
            return joBroadPhase_OverlapBox( broadPhase, question->lower, question->upper, NULL, answer->keys,
                answer->keyCapacity, &answer->count );
        case jo_askCircle:
            return joBroadPhase_OverlapCircle( broadPhase, question->lower, question->reach, NULL,
                answer->keys, answer->keyCapacity, &answer->count );
        default:
            return joBroadPhase_FindNearest( broadPhase, question->lower, question->k, question->reach, NULL,
                answer->hits, answer->hitCapacity, &answer->count );
    }
}

joResult joAskQuestion(
    const joBroadPhase* broadPhase, const joQuestion* question, joHitMode mode, joAnswer* answer )
{
    answer->hasDistances = question->kind != jo_askBox && question->kind != jo_askCircle;
    answer->count = 0;
    if ( !ReserveHits( answer, 1 ) )
    {
        return jo_errorOutOfMemory;
    }
    joResult result = AskOnce( broadPhase, question, mode, answer );
    const uint64_t capacity = answer->hasDistances ? answer->hitCapacity : answer->keyCapacity;
    if ( result == jo_success && answer->count > capacity )
    {
        const uint64_t count = answer->count;
        const bool hasRoom =
            answer->hasDistances ? ReserveHits( answer, count ) : ReserveKeys( answer, count );
        result = hasRoom ? AskOnce( broadPhase, question, mode, answer ) : jo_errorOutOfMemory;
    }
    return result;
}

void joFreeAnswer( joAnswer* answer )
{
    free( answer->keys );
    free( answer->hits );
    *answer = ( joAnswer ){ 0 };
}
