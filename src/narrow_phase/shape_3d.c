// SPDX-License-Identifier: MIT
// Any shape in 3D: each call passes on to that of its kind.
#include "base/float_env.h"
#include "jostle/hull_3d.h"
#include "math/wide_vectors.h"
#include "narrow_phase/mesh_3d.h"

#include <math.h>

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

float joComputeShapeVolume3( const joShape3* shape )
{
    switch ( shape->kind )
    {
        case jo_sphereShape3:
            return joComputeSphereVolume3( &shape->sphere );
        case jo_capsuleShape3:
            return joComputeCapsuleVolume3( &shape->capsule );
        case jo_boxShape3:
            return joComputeBoxVolume3( &shape->box );
        case jo_hullShape3:
            return joComputeHullVolume3( shape->hull );
        case jo_halfSpaceShape3:
        case jo_meshShape3:
        case jo_shapeKindCount3:
            break;
    }
    return 0.0f;
}

joMassData3 joComputeShapeMass3( const joShape3* shape, float density )
{
    switch ( shape->kind )
    {
        case jo_sphereShape3:
            return joComputeSphereMass3( &shape->sphere, density );
        case jo_capsuleShape3:
            return joComputeCapsuleMass3( &shape->capsule, density );
        case jo_boxShape3:
            return joComputeBoxMass3( &shape->box, density );
        case jo_hullShape3:
            return joComputeHullMass3( shape->hull, density );
        case jo_halfSpaceShape3:
        case jo_meshShape3:
        case jo_shapeKindCount3:
            break;
    }
    return ( joMassData3 ){ .mass = 0.0f };
}

static joVec3 findMeshSupport( const joMesh3* mesh, joVec3 direction )
{
    joFloatEnv env = joFloatEnv_Enter();
    const joVec3* vertices = joViewMesh( mesh ).vertices;
    const joWide3 way = joWiden3( direction );
    uint32_t best = 0;
    double highest = -INFINITY;
    for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
    {
        const double height = joDot3( way, joWiden3( vertices[i] ) );
        best = height > highest ? i : best;
        highest = height > highest ? height : highest;
    }
    joFloatEnv_Leave( env );
    return vertices[best];
}

static joVec3 findSurfacePoint( const joHalfSpace3* halfSpace )
{
    joFloatEnv env = joFloatEnv_Enter();
    const joWide3 normal = joWiden3( halfSpace->normal );
    const double length = joLength3( normal );
    const joVec3 point = joNarrow3( joScale3( (double)halfSpace->offset / length, normal ) );
    joFloatEnv_Leave( env );
    return point;
}

joVec3 joFindShapeSupport3( const joShape3* shape, joVec3 direction )
{
    switch ( shape->kind )
    {
        case jo_sphereShape3:
            return joFindSphereSupport3( &shape->sphere, direction );
        case jo_capsuleShape3:
            return joFindCapsuleSupport3( &shape->capsule, direction );
        case jo_boxShape3:
            return joFindBoxSupport3( &shape->box, direction );
        case jo_hullShape3:
            return joFindHullSupport3( shape->hull, direction );
        case jo_meshShape3:
            return findMeshSupport( shape->mesh, direction );
        case jo_halfSpaceShape3:
            return findSurfacePoint( &shape->halfSpace );
        case jo_shapeKindCount3:
            break;
    }
    return ( joVec3 ){ 0.0f, 0.0f, 0.0f };
}
