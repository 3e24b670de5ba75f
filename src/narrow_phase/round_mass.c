// SPDX-License-Identifier: MIT
// Round shapes in 3D and 2D: volume and area, mass and inertia, support points. A capsule is a cylinder, in
// the plane a rectangle, with the two halves of a ball at its ends.
#include "jostle/shapes.h"
#include "math/wide_vectors.h"

#define PI 3.14159265358979323846

static double cylinderVolume( double radius, double length )
{
    return PI * radius * radius * length;
}

static double ballVolume( double radius )
{
    return 4.0 / 3.0 * PI * radius * radius * radius;
}

static double lengthOf3( const joCapsule3* capsule )
{
    return joLength3( joSubtract3( joWiden3( capsule->b ), joWiden3( capsule->a ) ) );
}

static double lengthOf2( const joCapsule2* capsule )
{
    return joLength2( joSubtract2( joWiden2( capsule->b ), joWiden2( capsule->a ) ) );
}

float joComputeSphereVolume3( const joSphere3* sphere )
{
    joFloatEnv env = joFloatEnv_Enter();
    float volume = (float)ballVolume( (double)sphere->radius );
    joFloatEnv_Leave( env );
    return volume;
}

float joComputeCapsuleVolume3( const joCapsule3* capsule )
{
    joFloatEnv env = joFloatEnv_Enter();
    double radius = (double)capsule->radius;
    float volume = (float)( ballVolume( radius ) + cylinderVolume( radius, lengthOf3( capsule ) ) );
    joFloatEnv_Leave( env );
    return volume;
}

joMassData3 joComputeSphereMass3( const joSphere3* sphere, float density )
{
    joCapsule3 capsule = { sphere->center, sphere->center, sphere->radius };
    return joComputeCapsuleMass3( &capsule, density );
}

joMassData3 joComputeCapsuleMass3( const joCapsule3* capsule, float density )
{
    joFloatEnv env = joFloatEnv_Enter();
    double radius = (double)capsule->radius, length = lengthOf3( capsule ), radiusSq = radius * radius;
    double rod = (double)density * cylinderVolume( radius, length ),
           ball = (double)density * ballVolume( radius );
    joWide3 a = joWiden3( capsule->a ), b = joWiden3( capsule->b );
    joWide3 axis =
        length > 0.0 ? joScale3( 1.0 / length, joSubtract3( b, a ) ) : ( joWide3 ){ 0.0, 0.0, 0.0 };
    double along = rod * 0.5 * radiusSq + ball * 0.4 * radiusSq;
    // The centre of half a ball is 3/8 of the radius from where it was cut.
    double across = rod * ( 3.0 * radiusSq + length * length ) / 12.0 +
                    ball * ( 0.4 * radiusSq + 0.25 * length * length + 0.375 * length * radius );
    double less = along - across;
    joMassData3 data = {
        .mass = (float)( rod + ball ),
        .center = joNarrow3( joScale3( 0.5, joAdd3( a, b ) ) ),
        .inertiaDiagonal = { (float)( across + less * axis.x * axis.x ),
            (float)( across + less * axis.y * axis.y ), (float)( across + less * axis.z * axis.z ) },
        .inertiaProducts = { (float)( less * axis.y * axis.z ), (float)( less * axis.z * axis.x ),
            (float)( less * axis.x * axis.y ) },
    };
    joFloatEnv_Leave( env );
    return data;
}

// The point of a ball that lies farthest in a direction; the centre for none.
static joVec3 farthest3( joWide3 center, double radius, joWide3 direction )
{
    double length = joLength3( direction );
    return joNarrow3( length > 0.0 ? joAddScaled3( center, radius / length, direction ) : center );
}

joVec3 joFindSphereSupport3( const joSphere3* sphere, joVec3 direction )
{
    joCapsule3 capsule = { sphere->center, sphere->center, sphere->radius };
    return joFindCapsuleSupport3( &capsule, direction );
}

joVec3 joFindCapsuleSupport3( const joCapsule3* capsule, joVec3 direction )
{
    joFloatEnv env = joFloatEnv_Enter();
    joWide3 a = joWiden3( capsule->a ), b = joWiden3( capsule->b ), d = joWiden3( direction );
    bool isB = joDot3( joSubtract3( b, a ), d ) > 0.0;
    joVec3 support = farthest3( isB ? b : a, (double)capsule->radius, d );
    joFloatEnv_Leave( env );
    return support;
}

float joComputeCircleArea2( const joCircle2* circle )
{
    joCapsule2 capsule = { circle->center, circle->center, circle->radius };
    return joComputeCapsuleArea2( &capsule );
}

float joComputeCapsuleArea2( const joCapsule2* capsule )
{
    joFloatEnv env = joFloatEnv_Enter();
    double radius = (double)capsule->radius;
    float area = (float)( PI * radius * radius + 2.0 * radius * lengthOf2( capsule ) );
    joFloatEnv_Leave( env );
    return area;
}

joMassData2 joComputeCircleMass2( const joCircle2* circle, float density )
{
    joCapsule2 capsule = { circle->center, circle->center, circle->radius };
    return joComputeCapsuleMass2( &capsule, density );
}

joMassData2 joComputeCapsuleMass2( const joCapsule2* capsule, float density )
{
    joFloatEnv env = joFloatEnv_Enter();
    double radius = (double)capsule->radius, length = lengthOf2( capsule ), radiusSq = radius * radius;
    double plate = (double)density * 2.0 * radius * length, disc = (double)density * PI * radiusSq;
    // The centre of half a disc is 4 / ( 3 pi ) of the radius from where it was cut.
    double inertia =
        plate * ( length * length + 4.0 * radiusSq ) / 12.0 +
        disc * ( 0.5 * radiusSq + 0.25 * length * length + 4.0 / ( 3.0 * PI ) * length * radius );
    joMassData2 data = {
        .mass = (float)( plate + disc ),
        .center = joNarrow2( joScale2( 0.5, joAdd2( joWiden2( capsule->a ), joWiden2( capsule->b ) ) ) ),
        .inertia = (float)inertia,
    };
    joFloatEnv_Leave( env );
    return data;
}

joVec2 joFindCircleSupport2( const joCircle2* circle, joVec2 direction )
{
    joCapsule2 capsule = { circle->center, circle->center, circle->radius };
    return joFindCapsuleSupport2( &capsule, direction );
}

joVec2 joFindCapsuleSupport2( const joCapsule2* capsule, joVec2 direction )
{
    joCapsule3 solid = {
        { capsule->a.x, capsule->a.y, 0.0f }, { capsule->b.x, capsule->b.y, 0.0f }, capsule->radius };
    joVec3 support = joFindCapsuleSupport3( &solid, ( joVec3 ){ direction.x, direction.y, 0.0f } );
    return ( joVec2 ){ support.x, support.y };
}
