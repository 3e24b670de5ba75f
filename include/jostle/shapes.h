// SPDX-License-Identifier: MIT
// jostle shapes: what can touch. This header includes those of 2D and 3D.
#pragma once

#include "shapes_2d.h"
#include "shapes_3d.h"
