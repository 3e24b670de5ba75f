// SPDX-License-Identifier: MIT
// Columns that grow together.
#include "world/table.h"

#include "base/assert.h"

joTable joMakeTable( const size_t* sizes, uint32_t columnCount )
{
    joTable table = { .columnCount = columnCount };
    JO_ASSERT( columnCount <= JO_TABLE_COLUMNS );
    for ( uint32_t i = 0; i < columnCount; ++i )
    {
        table.sizes[i] = sizes[i];
    }
    return table;
}

joResult joTable_Reserve( joTable* table, joMemory* memory, uint64_t count, uint64_t keep )
{
    joResult result = jo_success;
    for ( uint32_t i = 0; i < table->columnCount && result == jo_success; ++i )
    {
        result = joArray_ReserveSlack( &table->columns[i], memory, count, table->sizes[i], keep );
    }
    return result;
}

void joTable_Free( joTable* table, joMemory* memory )
{
    for ( uint32_t i = 0; i < table->columnCount; ++i )
    {
        joArray_Free( &table->columns[i], memory, table->sizes[i] );
    }
}
