// SPDX-License-Identifier: MIT
// What the verbs of the jostle program share: exit codes, messages, options, progress.
#pragma once

#include "box_file.h"
#include "json_reader.h"

#include <getopt.h>
#include <jansson.h>
#include <stdio.h>

typedef enum joExitCode
{
    jo_exitSuccess = 0,
    jo_exitFailure = 1, // a file, the memory, or a check that failed
    jo_exitUsage = 2    // the command line is wrong
} joExitCode;

// A verb's argv[0] is its name.
int joRunPairs( int argc, char** argv );
int joRunQuery( int argc, char** argv );
int joRunGen( int argc, char** argv );
int joRunInfo( int argc, char** argv );
int joRunCollide( int argc, char** argv );
int joRunRun( int argc, char** argv );
int joRunTune( int argc, char** argv );

// "jostle VERB: message" and a newline to stderr. Return the exit code, for `return joUsageError( ... )`.
int joUsageError( const char* verb, const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) );
int joFailure( const char* verb, const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) );
// The same of a file: "jostle VERB: PATH:LINE: what".
int joFileFailure( const char* verb, const char* path, const joFileError* error );
// And of a JSON file: "jostle VERB: PATH:LINE:COLUMN: FIELD: what".
int joJsonFailure( const char* verb, const char* path, const joJsonError* error );

// For what getopt_long said was wrong ('?' or ':'): says what, and which options there are.
int joOptionError( const char* verb, char** argv, int code, const struct option* options );

// Says that there is no kind of broad phase of that name, and which there are.
int joUnknownKind( const char* verb, const char* name );

// Parts of a verb's reading of its options. They return -1 where it goes on, else the exit code.
// The value of an option: a whole decimal number in [lower, upper], nothing before or after it.
int joTakeNumber( const char* verb, const char* option, uint64_t lower, uint64_t upper, uint64_t* value );
// The one word that is no option, and what it is called.
int joTakeWord( const char* verb, int argc, char** argv, const char* what, const char** word );
// --help.
int joPrintHelp( const char* verb, const char* help );

// Writes what stdout still holds. False: it could not be written, and stderr says so.
bool joFlushOutput( const char* verb );

// A number for JSON, which has no infinities: null for them.
json_t* joJsonNumber( double value );
// A string for JSON; bytes above 127 become ? if they are not UTF-8.
json_t* joJsonString( const char* text );
// Prints and frees the value. False: no memory (a null value too), and stderr says so.
bool joPrintJson( const char* verb, json_t* value );

// One line on stderr that is written over and over, if stderr is a terminal and the work takes over a second.
typedef struct joProgress
{
    bool terminal;
    bool shown;
    double start, last; // seconds
} joProgress;

joProgress joStartProgress( void );
void joProgress_Show( joProgress* progress, const char* format, ... )
    __attribute__( ( format( printf, 2, 3 ) ) );
void joProgress_End( joProgress* progress );
