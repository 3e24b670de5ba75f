// SPDX-License-Identifier: MIT
// Faces from the triangles of an exact hull: neighbours in one plane, within a tolerance, become one polygon;
// and which points are needed for none of them.
#pragma once

#include "jostle/math.h"
#include "narrow_phase/hull_exact_3d.h"

typedef struct joHullArea
{
    double area;
    uint32_t triangle;
} joHullArea;

typedef struct joHullMerge
{
    joHullBuilder* builder;
    const joVec3* points;
    const uint32_t* source; // of each of the builder's points: its number in `points`
    double tolerance;
    joHullArea* areas; // as long as the triangles' capacity
    uint32_t* faceOf;  // of each triangle
    uint32_t faceCount;
} joHullMerge;

// Numbers the faces: faceOf[] of each triangle that is alive.
void joHullMerge_FindFaces( joHullMerge* merge );

typedef enum joHullPointState
{
    joHullPoint_dropped = 0,
    joHullPoint_needed,
    joHullPoint_held // needed, and not to be dropped in this round
} joHullPointState;

// Which of the builder's points are corners of three faces or more. Returns how many. *isFinal: all vertices
// of the hull are, so that the faces stay. If not, at least one of them is dropped.
uint32_t joHullMerge_FindCorners( const joHullMerge* merge, joHullPointState* states, bool* isFinal );

// The edge of the same face that follows the edge k of a triangle, which must lie between two faces.
void joHullMerge_Next( const joHullMerge* merge, uint32_t* triangle, uint32_t* k );
// The same edge from the other side.
void joHullMerge_Twin( const joHullMerge* merge, uint32_t* triangle, uint32_t* k );
bool joHullMerge_IsBorder( const joHullMerge* merge, uint32_t triangle, uint32_t k );

// The plane of a face: the area vector of its border (Newell), unit.
void joHullMerge_FaceNormal( const joHullMerge* merge, uint32_t triangle, uint32_t k, double normal[3] );
