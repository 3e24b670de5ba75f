// SPDX-License-Identifier: MIT
// Columns that grow together: one array for each member of a record, with sizes that are known at run time.
#pragma once

#include "base/array.h"

#define JO_TABLE_COLUMNS 8

typedef struct joTable
{
    joArray columns[JO_TABLE_COLUMNS];
    size_t sizes[JO_TABLE_COLUMNS]; // bytes of an element
    uint32_t columnCount;
} joTable;

joTable joMakeTable( const size_t* sizes, uint32_t columnCount );

// Room for `count` rows in each column; keeps the first `keep`. On failure (jo_errorOutOfMemory,
// jo_errorCapacity) all rows are as before.
joResult joTable_Reserve( joTable* table, joMemory* memory, uint64_t count, uint64_t keep );
void joTable_Free( joTable* table, joMemory* memory );

static inline void* joTable_At( const joTable* table, uint32_t column, uint64_t row )
{
    return (char*)table->columns[column].data + row * table->sizes[column];
}
