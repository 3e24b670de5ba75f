// SPDX-License-Identifier: MIT
// A checksum of bytes in memory: for damage, not against forgers.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Reads eight bytes at a time as the machine has them. Whatever is changed within one run of eight bytes
// changes the sum; any other change goes unseen once in 2^64 times. Data at any alignment; null with size 0.
uint64_t joChecksum( const void* data, size_t size, uint64_t start );
