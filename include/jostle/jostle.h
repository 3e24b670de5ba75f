// SPDX-License-Identifier: MIT
// jostle: collision detection at massive counts. This header includes the rest.
#pragma once

#include "base.h"
#include "broad_phase.h"
#include "collide.h"
#include "collide_batch.h"
#include "detail.h"
#include "hull_3d.h"
#include "jobs.h"
#include "math.h"
#include "mesh_3d.h"
#include "neighbours.h"
#include "pair_diff.h"
#include "push_apart.h"
#include "query.h"
#include "query_batch.h"
#include "shapes.h"
#include "spatial_hash.h"
#include "two_sets.h"
#include "world.h"
#include "world_2d.h"
#include "world_3d.h"
