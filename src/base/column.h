// SPDX-License-Identifier: MIT
// Elements of the caller's columns.
#pragma once

#include "jostle/base.h"

static inline const void* joColumn_At( joColumn column, size_t i )
{
    return (const char*)column.data + i * column.stride;
}

static inline void* joMutableColumn_At( joMutableColumn column, size_t i )
{
    return (char*)column.data + i * column.stride;
}
