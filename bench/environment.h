// SPDX-License-Identifier: MIT
// What a measurement depends on beside the code: named in every row.
#pragma once

const char* benchCompiler( void ); // name and version, of the C compiler
const char* benchFlags( void );
const char* benchCommit(
    void );                   // short; ends with "+" if the sources differed from it; "unknown" without git
const char* benchCpu( void ); // the model's name; not thread-safe
