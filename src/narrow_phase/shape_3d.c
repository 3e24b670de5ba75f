// SPDX-License-Identifier: MIT
// Any shape in 3D: each call passes on to that of its kind.
#include "jostle/hull_3d.h"
#include "jostle/mesh_3d.h"

joResult joCheckShape3( const joShape3* shape )
{
    if ( shape == NULL )
    {
        return jo_errorNullArgument;
    }
    switch ( shape->kind )
    {
        case jo_sphereShape3:
            return joCheckSphere3( &shape->sphere );
        case jo_capsuleShape3:
            return joCheckCapsule3( &shape->capsule );
        case jo_boxShape3:
            return joCheckBox3( &shape->box );
        case jo_halfSpaceShape3:
            return joCheckHalfSpace3( &shape->halfSpace );
        case jo_hullShape3:
            return joCheckHull3( shape->hull );
        case jo_meshShape3:
            return joCheckMesh3( shape->mesh );
        case jo_shapeKindCount3:
            break;
    }
    return jo_errorBadShape;
}

joBounds3 joComputeShapeBounds3( const joShape3* shape, joTransform3 pose )
{
    return joComputeShapeSweptBounds3( shape, pose, pose );
}

joBounds3 joComputeShapeSweptBounds3( const joShape3* shape, joTransform3 from, joTransform3 to )
{
    switch ( shape->kind )
    {
        case jo_sphereShape3:
            return joComputeSphereSweptBounds3( &shape->sphere, from, to );
        case jo_capsuleShape3:
            return joComputeCapsuleSweptBounds3( &shape->capsule, from, to );
        case jo_boxShape3:
            return joComputeBoxSweptBounds3( &shape->box, from, to );
        case jo_halfSpaceShape3:
            return joComputeHalfSpaceSweptBounds3( &shape->halfSpace, from, to );
        case jo_hullShape3:
            return joComputeHullSweptBounds3( shape->hull, from, to );
        case jo_meshShape3:
            return joComputeMeshSweptBounds3( shape->mesh, from, to );
        case jo_shapeKindCount3:
            break;
    }
    return ( joBounds3 ){ from.position, from.position };
}
