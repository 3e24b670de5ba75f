// SPDX-License-Identifier: MIT
// Checks the answer to a question by a plain loop over all boxes that shares nothing with the library.
#pragma once

#include "question.h"

typedef struct joQueryCheck
{
    uint64_t missed; // boxes that belong to the answer and are not in it
    uint64_t extra;  // boxes in the answer that do not belong there, copies too
    uint64_t wrong;  // boxes that do, at another distance or in another place of the order
} joQueryCheck;

// Adds what is wrong with `answer` to *check. Distances are computed as query.h says: in double, rounded to
// float once, and must be the same bits. O(count log count). jo_errorOutOfMemory: *check is as it was.
joResult joCheckAnswer( const float* boxes, uint32_t count, int axisCount, const joQuestion* question,
    joHitMode mode, const joAnswer* answer, joQueryCheck* check );
