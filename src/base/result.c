// SPDX-License-Identifier: MIT
// Result codes in words, and the version.
#include "jostle/base.h"

#define STRINGIFY( x ) #x
#define TEXT( x ) STRINGIFY( x )

const char* joResultText( joResult result )
{
    // No default: the compiler warns of a code without a text.
    switch ( result )
    {
        case jo_success:
            return "The call succeeded.";
        case jo_errorNullArgument:
            return "A pointer or column that the call needs is null.";
        case jo_errorBadDef:
            return "The definition was not made by its joDefault function, or one of its members is out of "
                   "range.";
        case jo_errorBadCount:
            return "A count is negative or larger than 32-bit indices can name.";
        case jo_errorWrongDimension:
            return "A 2D call was made on a 3D object, or a 3D call on a 2D object.";
        case jo_errorNotANumber:
            return "A coordinate, radius, mass or margin is not a number (NaN) or is infinite where it must "
                   "be finite.";
        case jo_errorInvertedBox:
            return "A box is inside out: its lower bound is above its upper bound on some axis.";
        case jo_errorBadRadius:
            return "A radius is negative or infinite, or a centre is infinite.";
        case jo_errorBadRay:
            return "A ray or sweep has an infinite origin, a direction that is zero or infinite, or a "
                   "negative "
                   "length.";
        case jo_errorBadInverseMass:
            return "An inverse mass is negative or infinite.";
        case jo_errorBadShape:
            return "A size of a shape is negative, infinite or larger than JO_MAX_SIZE, or the shape is of "
                   "no "
                   "kind that there is.";
        case jo_errorBadPose:
            return "A position is infinite, or a rotation is infinite or zero.";
        case jo_errorFlatHull:
            return "The points of a hull lie in a plane, on a line or on each other, to within its "
                   "tolerance.";
        case jo_errorTooManyVertices:
            return "The hull of the points has more vertices than a hull may have.";
        case jo_errorBadIndex:
            return "A triangle of a mesh names a vertex that is not there.";
        case jo_errorFlatTriangle:
            return "A triangle of a mesh has no area, or hardly any for its length.";
        case jo_errorRepeatedPoint:
            return "A point of a chain is at the place of the one beside it.";
        case jo_errorNoSuchPair:
            return "The call has no answer for a pair of these two kinds of shape.";
        case jo_errorUnknownKey:
            return "No object has this key: it was never added, or it has been removed.";
        case jo_errorDuplicateKey:
            return "Two objects have the same key, or a key was given twice in one call.";
        case jo_errorUnsorted:
            return "The pairs are not in ascending order, or one of them is there twice.";
        case jo_errorStaleId:
            return "The id names no living object: it was destroyed, or the id was never given out.";
        case jo_errorBadVelocity:
            return "A velocity or gravity scale is infinite, or a damping is negative or infinite.";
        case jo_errorBadTimeStep:
            return "A time step is zero, negative or infinite.";
        case jo_errorBadMass:
            return "A mass is zero, negative or infinite.";
        case jo_errorBadMaterial:
            return "A restitution is below 0 or above 1.";
        case jo_errorSnapshotDef:
            return "The snapshot is of a world with another dimension, gravity, margins, settings of sleep, "
                   "step "
                   "or push, layers or number.";
        case jo_errorUnknownShape:
            return "A shape of the world or of the snapshot is not in the table of shapes, or another kind "
                   "of shape stands in its row.";
        case jo_errorCannotSlide:
            return "A body that slides may have circles, capsules, polygons, spheres, boxes and hulls only.";
        case jo_errorNotSliding:
            return "The response of the body is not jo_slide.";
        case jo_errorUnknownKind:
            return "There is no broad phase of this kind; the kinds are bruteforce, sweep, grid, tree, "
                   "bvh and auto.";
        case jo_errorUnsupportedIsa:
            return "JOSTLE_ISA names an instruction set that this machine or this build does not have.";
        case jo_errorOutOfMemory:
            return "There was not enough memory.";
        case jo_errorCapacity:
            return "More room was needed than was reserved or kept, and growing is not allowed.";
        case jo_errorThreads:
            return "The system refused to start a thread.";
        case jo_errorBadSnapshot:
            return "The bytes are no snapshot of a world, or they are damaged or cut off.";
        case jo_errorSnapshotVersion:
            return "The snapshot was saved by another version of jostle, or on a machine of another kind.";
        case jo_resultCount:
            break;
    }
    return "This is not a result code of jostle.";
}

uint32_t joGetVersion( void )
{
    return JO_VERSION_MAJOR << 16 | JO_VERSION_MINOR << 8 | JO_VERSION_PATCH;
}

const char* joGetVersionText( void )
{
    return TEXT( JO_VERSION_MAJOR ) "." TEXT( JO_VERSION_MINOR ) "." TEXT( JO_VERSION_PATCH );
}
