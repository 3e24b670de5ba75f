// SPDX-License-Identifier: MIT
#include "program.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void PrintMessage( const char* verb, const char* format, va_list arguments )
{
    fprintf( stderr, "jostle%s%s: ", verb[0] != '\0' ? " " : "", verb );
    vfprintf( stderr, format, arguments );
    fputc( '\n', stderr );
}

int joUsageError( const char* verb, const char* format, ... )
{
    va_list arguments;
    va_start( arguments, format );
    PrintMessage( verb, format, arguments );
    va_end( arguments );
    fprintf( stderr, "See jostle%s%s --help.\n", verb[0] != '\0' ? " " : "", verb );
    return jo_exitUsage;
}

int joFailure( const char* verb, const char* format, ... )
{
    va_list arguments;
    va_start( arguments, format );
    PrintMessage( verb, format, arguments );
    va_end( arguments );
    return jo_exitFailure;
}

int joFileFailure( const char* verb, const char* path, const joFileError* error )
{
    char text[4096 + sizeof error->what];
    joFileError_Format( error, path, text, sizeof text );
    return joFailure( verb, "%s", text );
}

int joJsonFailure( const char* verb, const char* path, const joJsonError* error )
{
    const char* separator = error->field[0] != '\0' ? ": " : "";
    return error->line > 0 ? joFailure( verb, "%s:%d:%d: %s%s%s", path, error->line, error->column,
                                 error->field, separator, error->what )
                           : joFailure( verb, "%s: %s", path, error->what );
}

static void ListOptions( const struct option* options, char* text, size_t capacity )
{
    size_t length = 0;
    text[0] = '\0';
    for ( const struct option* option = options; option->name != NULL && length < capacity; ++option )
    {
        int added =
            snprintf( text + length, capacity - length, "%s--%s", length > 0 ? ", " : "", option->name );
        length += added > 0 ? (size_t)added : 0;
    }
}

int joOptionError( const char* verb, char** argv, int code, const struct option* options )
{
    char list[512];
    ListOptions( options, list, sizeof list );
    const char* word = argv[optind - 1];
    bool isLong = strncmp( word, "--", 2 ) == 0;
    char shortWord[3] = { '-', (char)optopt, '\0' };
    const char* name = isLong || optopt == 0 ? word : shortWord;
    if ( code == ':' )
    {
        return joUsageError( verb, "option %s needs a value", name );
    }
    if ( isLong && optopt != 0 && strchr( word, '=' ) != NULL )
    {
        return joUsageError( verb, "option %.*s takes no value", (int)strcspn( word, "=" ), word );
    }
    return joUsageError( verb, "unknown option %s; the options are %s", name, list );
}

int joUnknownKind( const char* verb, const char* name )
{
    char list[128];
    size_t length = 0;
    for ( int i = 0; i < jo_broadPhaseKindCount; ++i )
    {
        const char* text = joBroadPhaseKindText( (joBroadPhaseKind)i );
        if ( text != NULL )
        {
            length +=
                (size_t)snprintf( list + length, sizeof list - length, "%s%s", length > 0 ? ", " : "", text );
        }
    }
    return joUsageError( verb, "unknown kind %s; the kinds are %s", name, list );
}

// False: *value is left.
static bool ParseNumber( const char* text, uint64_t lower, uint64_t upper, uint64_t* value )
{
    // strtoull would take blanks and signs.
    if ( text[0] < '0' || text[0] > '9' )
    {
        return false;
    }
    char* end;
    errno = 0;
    unsigned long long number = strtoull( text, &end, 10 );
    if ( errno != 0 || *end != '\0' || number < lower || number > upper )
    {
        return false;
    }
    *value = number;
    return true;
}

int joTakeNumber( const char* verb, const char* option, uint64_t lower, uint64_t upper, uint64_t* value )
{
    return ParseNumber( optarg, lower, upper, value )
               ? -1
               : joUsageError(
                     verb, "%s %s: not a number from %" PRIu64 " to %" PRIu64, option, optarg, lower, upper );
}

int joTakeWord( const char* verb, int argc, char** argv, const char* what, const char** word )
{
    if ( argc - optind != 1 )
    {
        return joUsageError( verb, argc == optind ? "no %s given" : "more than one %s given", what );
    }
    *word = argv[optind];
    return -1;
}

int joPrintHelp( const char* verb, const char* help )
{
    fputs( help, stdout );
    return joFlushOutput( verb ) ? jo_exitSuccess : jo_exitFailure;
}

bool joFlushOutput( const char* verb )
{
    errno = 0;
    if ( fflush( stdout ) != 0 || ferror( stdout ) )
    {
        joFailure( verb, "the output cannot be written: %s", errno != 0 ? strerror( errno ) : "write error" );
        return false;
    }
    return true;
}

json_t* joJsonNumber( double value )
{
    return isfinite( value ) ? json_real( value ) : json_null();
}

json_t* joJsonString( const char* text )
{
    json_t* string = json_string( text );
    if ( string != NULL )
    {
        return string;
    }
    char* copy = strdup( text );
    if ( copy == NULL )
    {
        return NULL;
    }
    for ( char* p = copy; *p != '\0'; ++p )
    {
        *p = ( *p & 0x80 ) != 0 ? '?' : *p;
    }
    string = json_string( copy );
    free( copy );
    return string;
}

bool joPrintJson( const char* verb, json_t* value )
{
    char* text = value == NULL
                     ? NULL
                     : json_dumps( value, JSON_INDENT( 2 ) | JSON_ENCODE_ANY | JSON_REAL_PRECISION( 9 ) );
    json_decref( value );
    if ( text == NULL )
    {
        joFailure( verb, "no memory for the output" );
        return false;
    }
    fputs( text, stdout );
    free( text );
    return true;
}

static double Now( void )
{
    struct timespec now;
    clock_gettime( CLOCK_MONOTONIC, &now );
    return (double)now.tv_sec + 1.0e-9 * (double)now.tv_nsec;
}

joProgress joStartProgress( void )
{
    joProgress progress = { .terminal = isatty( STDERR_FILENO ) != 0 };
    progress.start = Now();
    progress.last = progress.start;
    return progress;
}

void joProgress_Show( joProgress* progress, const char* format, ... )
{
    if ( !progress->terminal )
    {
        return;
    }
    double now = Now();
    if ( now - progress->start < 1.0 || now - progress->last < 0.1 )
    {
        return;
    }
    progress->last = now;
    progress->shown = true;
    va_list arguments;
    va_start( arguments, format );
    fputs( "\r\033[K", stderr );
    vfprintf( stderr, format, arguments );
    fflush( stderr );
    va_end( arguments );
}

void joProgress_End( joProgress* progress )
{
    if ( progress->shown )
    {
        fputs( "\r\033[K", stderr );
        progress->shown = false;
    }
}
