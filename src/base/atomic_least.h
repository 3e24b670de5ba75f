// SPDX-License-Identifier: MIT
// The least of what several threads found: which of many was the first bad one.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

static inline void joAtomic_Lower( atomic_uint_least32_t* least, uint32_t value )
{
    uint_least32_t now = atomic_load( least );
    while ( value < now && !atomic_compare_exchange_weak( least, &now, value ) )
    {
    }
}
