// SPDX-License-Identifier: MIT
// What the files that drive Embree have in common.
#pragma once

#include <embree3/rtcore.h>

// The widest instruction set that the device uses.
const char* benchEmbreeIsa( RTCDevice device );
