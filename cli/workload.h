// SPDX-License-Identifier: MIT
// The seeded workloads of `jostle gen` and jostle-bench: boxes that move a little each frame, and the crowd.
// The same name, count and seed give the same bits on every machine and with every compiler: all random
// numbers come from joRandom, and only + - * / and sqrt are used beside joSin, joCos and joExp.
// The order of the objects in memory is random in space.
#pragma once

#include "box_array.h"
#include "jostle/math.h"

typedef enum joWorkloadKind
{
    // 3D, half extents 0.5, world side L with L^3 = 2 n, centres uniform: about 2 pairs a box.
    jo_pairsA = 0,
    // As a, with half extents 0.5 exp( 0.8 z ), one z a box, standard normal; max( 3, n / 1000 ) boxes (at
    // most n) have half extent 10 instead. L^3 = 2 n E[ ( hi + hj )^3 ] = 2 n 8.168343: see
    // JO_PAIRS_B_MEAN_CUBE.
    jo_pairsB,
    // 2D, half extents 0.5, L^2 = n: about 2 pairs a box.
    jo_pairsC,
    // As a, in max( 1, n / 500 ) Gaussian clumps at uniform places of a's world, whose lower corner is at
    // -10,000 on each axis. The density that the members of a clump see on average is ten times a's.
    jo_pairsClumps,
    // As a, in a world of the same volume that is 1,000 times longer (x) than wide (y, z).
    jo_pairsLong,
    // As c, but nine tenths, chosen at random, never move.
    jo_pairsStill,
    // As a, in a world so small that a box overlaps 200 others on average (all others if there are fewer).
    jo_pairsPile,
    // Changes its nature. At first as c, but in each frame a hundredth of the boxes (one at least) appear
    // somewhere else in the world. At the frame `changeFrame` all fly apart: distances from the middle and
    // half extents are log-uniform over four decades, so that each place is as crowded as any other on its
    // own scale; then all move as in c.
    jo_pairsChange,
    jo_workloadKindCount
} joWorkloadKind;

// E[ ( hi + hj )^3 ] of pairs-b, for hi and hj independent and log-normal, h = 0.5 exp( 0.8 z ):
// 2 E[h^3] + 6 E[h^2] E[h] with E[h^k] = 0.5^k exp( 0.32 k^2 ), so
// 2 * 2.226784 + 6 * 0.899160 * 0.688564 = 8.168343. The few boxes of half extent 10 are left out of it.
#define JO_PAIRS_B_MEAN_CUBE 8.168343

// The farthest a centre moves on an axis in a frame.
#define JO_WORKLOAD_STEP 0.05f

// When pairs-change changes, unless it is told.
#define JO_WORKLOAD_CHANGE_FRAME 30

// Objects are named by 32-bit indices, and recordings count them in an int32.
#define JO_WORKLOAD_MAX_COUNT INT32_MAX

typedef struct joWorkload
{
    joWorkloadKind kind;
    int dimension;
    uint32_t count;
    uint32_t
        changeFrame; // pairs-change: the frame that is the first of the other nature; may be set before it
    uint32_t frame;  // 0 after create, + 1 with each step
    float* boxes;    // count boxes of JO_BOX_FLOATS, see box_array.h; of this frame
    float* centres;  // count * 3; 2D: z 0
    float* halves;   // count: a box is a cube (a square in 2D, without extent in z)
    uint8_t* motion; // count joMotion: jo_resting if the object never moves, else jo_moving
    uint32_t stillCount;
    float lower[3], upper[3]; // where centres are; boxes reach beyond by their half extent
    float largestHalf;
    joRandom random;
} joWorkload;

// "pairs-a" and so on; null for any other value.
const char* joWorkloadKindText( joWorkloadKind kind );
// The kind of that name, with or without "pairs-". False, and *kind is left, if there is none.
bool joFindWorkloadKind( const char* name, joWorkloadKind* kind );
// How many objects when the user does not say: 10,000.
uint32_t joWorkloadDefaultCount( joWorkloadKind kind );

// count: 1 .. JO_WORKLOAD_MAX_COUNT. Errors: jo_errorNullArgument, jo_errorUnknownKind, jo_errorBadCount,
// jo_errorOutOfMemory; *workload is then null.
joResult joCreateWorkload( joWorkloadKind kind, uint32_t count, uint64_t seed, joWorkload** workload );
joResult joCreateWorkloadByName( const char* name, uint32_t count, uint64_t seed, joWorkload** workload );
// Null is allowed.
void joDestroyWorkload( joWorkload* workload );

// The next frame: each centre that moves goes by uniform +-0.05 on each axis, reflecting at the world.
void joWorkload_Step( joWorkload* workload );

// The box around all boxes of all frames: lower x y z, upper x y z.
void joWorkload_GetBounds( const joWorkload* workload, float* bounds );

// Of a value > 0; the same bits everywhere, which the C library's cbrt is not.
double joCubeRoot( double value );

// The crowd: discs of radius 0.5 fill 0.3 of a walled square [0, side]^2 and fly at speed 2 in all
// directions. They start without overlap, each in a random place of a cell of its own of a square grid, cells
// shuffled.
#define JO_CROWD_RADIUS 0.5f
#define JO_CROWD_PACKING 0.3
#define JO_CROWD_SPEED 2.0f
#define JO_CROWD_TIME_STEP ( 1.0f / 60.0f )

typedef struct joCrowd
{
    uint32_t count;
    float side;
    float radius;
    float *x, *y;                 // centres
    float *velocityX, *velocityY; // world units a second
} joCrowd;

// Errors as joCreateWorkload.
joResult joCreateCrowd( uint32_t count, uint64_t seed, joCrowd** crowd );
void joDestroyCrowd( joCrowd* crowd );
// Moves all discs by their velocity and bounces them at the walls: a disc that is beyond a wall, by its
// motion or because it was pushed there, is reflected into the square and flies away from that wall.
void joCrowd_Move( joCrowd* crowd, float timeStep );
