// SPDX-License-Identifier: MIT
// The shapes in 2D of a batch, placed in the world as rows for kernels. A row is as long as what stands in
// it: a circle takes 32 bytes, a polygon of 16 vertices 320. Rows stand in the order of the shapes.
#pragma once

#include "base/float_env.h"

#include "base/array.h"
#include "jostle/collide_batch.h"
#include "narrow_phase/dispatch_2d.h"

// What a row holds: by kind, and of polygons by how many vertices they have room for.
typedef enum joRowClass2
{
    jo_dotRow2 = 0, // of circles about the origins of their bodies, where there is nothing else
    jo_circleRow2,
    jo_capsuleRow2,
    jo_fourRow2, // a polygon of up to 4 vertices
    jo_eightRow2,
    jo_sixteenRow2,
    jo_segmentRow2,
    jo_noRow2, // what has no kernel
    jo_rowClassCount2
} joRowClass2;

typedef struct joFlatShapes
{
    joPlacedShapes2 shapes;
    bool isComplete;       // any two of them have functions
    bool isMixed;          // there are rows of several classes
    joRowClass2 onlyClass; // else, of all
    joArray rows;          // quads of floats
    joArray
        places; // uint64_t, if mixed: of each shape the quad where its row begins, times 8, plus its class
    joArray blocks; // uint64_t, of each block of shapes: see flat_shapes.c
} joFlatShapes;

// Makes room for so many shapes, of any kinds. Errors: jo_errorOutOfMemory, jo_errorCapacity.
joResult joFlatShapes_Reserve( joFlatShapes* flat, joMemory* memory, uint32_t shapeCount );
void joFlatShapes_Free( joFlatShapes* flat, joMemory* memory );

// Checks and places shapes. Errors: as joCollideBatch_SetShapes2; then all is as it was.
joResult joFlatShapes_Set(
    joFlatShapes* flat, joMemory* memory, joJobs* jobs, const joPlacedShapes2* shapes, uint32_t* errorIndex );

static inline const joShape2* joShapeOf2( const joPlacedShapes2* shapes, uint32_t i )
{
    return (const joShape2*)( (const char*)shapes->shape.data + i * shapes->shape.stride );
}

static inline const joTransform2* joPoseOf2( const joPlacedShapes2* shapes, uint32_t i )
{
    return (const joTransform2*)( (const char*)shapes->pose.data + i * shapes->pose.stride );
}

// Floats of a row are given four at a time.
extern const uint8_t joRowQuads2[jo_rowClassCount2];
// Vertices that a row of a class has room for; 0: it holds no polygon.
extern const uint8_t joRowVertices2[jo_rowClassCount2];

static inline joRowClass2 joRowClassOf2( const joFlatShapes* flat, uint32_t i )
{
    return flat->isMixed ? (joRowClass2)( ( (const uint64_t*)flat->places.data )[i] & 7 ) : flat->onlyClass;
}

// A joPlacedRound2 (of a circle its beginning) or a joPlacedPolygon with as many vertices as there is room
// for.
static inline const void* joRowOf2( const joFlatShapes* flat, uint32_t i )
{
    const uint64_t quad = flat->isMixed ? ( (const uint64_t*)flat->places.data )[i] >> 3
                                        : (uint64_t)i * joRowQuads2[flat->onlyClass];
    return (const float*)flat->rows.data + 4 * quad;
}
