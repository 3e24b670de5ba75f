// SPDX-License-Identifier: MIT
// Random scenes for the broad phase: distributions chosen to be nasty. Shares no code with the library.
#pragma once

#include "reference_pairs.h"

// SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
typedef struct refRandom
{
    uint64_t state;
} refRandom;

refRandom refMakeRandom( uint64_t seed, uint64_t stream );
uint64_t refNext( refRandom* random );
uint32_t refBelow( refRandom* random, uint32_t bound ); // [0, bound); 0 for 0
double refUnit( refRandom* random );                    // [0, 1)
double refRange( refRandom* random, double lower, double upper );
bool refChance( refRandom* random, double probability );

typedef enum refDistribution
{
    ref_uniform = 0,
    ref_clumps,
    ref_allEqual,
    ref_integers, // whole numbers that touch
    ref_nested,
    ref_mixedSizes, // sizes from 2^-20 to 2^20
    ref_oneWorldSized,
    ref_halfSpaces, // some bounds infinite
    ref_points,     // zero size, many coincide
    ref_far,        // 1e6, 1e9 or 1e30 from the origin
    ref_negative,
    ref_denormal,
    ref_cellBorders, // multiples of the cell size, and one ulp beside
    ref_line,        // along one axis or the diagonal
    ref_farClusters, // two, far from each other
    ref_extreme,     // up to the largest float
    ref_slabs,       // long and thin, across everything
    ref_flat,        // no thickness on one axis
    ref_halving,     // on the borders of a tree's cells
    ref_distributionCount
} refDistribution;

typedef struct refSceneDef
{
    refDistribution distribution;
    int axisCount;
    uint32_t count;      // about how many objects there will be: sets the density
    double cellSize;     // for ref_cellBorders; > 0
    double roundShare;   // share of circles or spheres
    double neighbours;   // about how many an object touches, where the distribution allows to say
    uint32_t layerCount; // 0: all ones everywhere; else random bits among so many layers (at most 64)
    // Drawn by refPrepareScene.
    double side;
    double center[8][3];
    double offset[3];
    int lineAxis;
} refSceneDef;

const char* refDistributionText( refDistribution distribution );

// Draws what all objects of the scene share.
void refPrepareScene( refSceneDef* def, refRandom* random );

// Draws the shape of one object; leaves key, layer, mask and motion.
void refDrawShape( const refSceneDef* def, refRandom* random, refObject* object );

// Draws layer and mask.
void refDrawLayers( const refSceneDef* def, refRandom* random, refObject* object );

// Moves the shape by a little, keeping every number a float.
void refJitter( const refSceneDef* def, refRandom* random, refObject* object );

// The float at or next to x.
double refFloat( double x );
