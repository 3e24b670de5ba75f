// SPDX-License-Identifier: MIT
// Rotations and transforms, computed in double and rounded to float once.
#include "math/rotation.h"

#include "base/float_env.h"

#include <math.h>

static joQuat narrowQuat( joQuatDouble q )
{
    return ( joQuat ){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
}

joQuatDouble joQuatDouble_Multiply( joQuatDouble a, joQuatDouble b )
{
    return ( joQuatDouble ){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

joQuatDouble joQuatDouble_Normalize( joQuatDouble q )
{
    double length = sqrt( joQuatDouble_LengthSq( q ) );
    if ( !( length > 0.0 ) )
    {
        return ( joQuatDouble ){ 0.0, 0.0, 0.0, 1.0 };
    }
    return ( joQuatDouble ){ q.x / length, q.y / length, q.z / length, q.w / length };
}

bool joIsIdentity3( joTransform3 t )
{
    return t.position.x == 0.0f && t.position.y == 0.0f && t.position.z == 0.0f && t.rotation.x == 0.0f &&
           t.rotation.y == 0.0f && t.rotation.z == 0.0f && t.rotation.w == 1.0f;
}

joPose3 joComposePose3( joTransform3 body, joTransform3 local )
{
    joQuatDouble q = joWidenQuat( body.rotation );
    joMatrix3 rotation = joMatrixOfQuat( q );
    if ( joIsIdentity3( local ) )
    {
        // As most are: a product with one changes no bit.
        return ( joPose3 ){
            { (double)body.position.x, (double)body.position.y, (double)body.position.z }, rotation };
    }
    joPose3 pose;
    double at[3] = { (double)local.position.x, (double)local.position.y, (double)local.position.z };
    joMatrix3_Apply( &rotation, at, pose.position );
    pose.position[0] += (double)body.position.x;
    pose.position[1] += (double)body.position.y;
    pose.position[2] += (double)body.position.z;
    // Squared lengths of products of float quaternions are within the range of a double.
    pose.rotation = joMatrixOfQuat( joQuatDouble_Multiply( q, joWidenQuat( local.rotation ) ) );
    return pose;
}

joPose3 joRelatePoses3( const joPose3* a, const joPose3* b )
{
    joPose3 bInA;
    double between[3];
    for ( int k = 0; k < 3; ++k )
    {
        between[k] = b->position[k] - a->position[k];
    }
    joMatrix3_ApplyInverse( &a->rotation, between, bInA.position );
    for ( int i = 0; i < 3; ++i )
    {
        for ( int j = 0; j < 3; ++j )
        {
            bInA.rotation.m[i][j] = a->rotation.m[0][i] * b->rotation.m[0][j] +
                                    a->rotation.m[1][i] * b->rotation.m[1][j] +
                                    a->rotation.m[2][i] * b->rotation.m[2][j];
        }
    }
    return bInA;
}

joRot2 joMakeRot2( float radians )
{
    return ( joRot2 ){ joCos( radians ), joSin( radians ) };
}

joQuat joMakeQuat( joVec3 axis, float radians )
{
    double x = (double)axis.x, y = (double)axis.y, z = (double)axis.z;
    double length = sqrt( x * x + y * y + z * z );
    if ( !( length > 0.0 ) )
    {
        return ( joQuat ){ 0.0f, 0.0f, 0.0f, 1.0f };
    }
    double s = (double)joSin( 0.5f * radians ) / length;
    joQuatDouble q = { x * s, y * s, z * s, (double)joCos( 0.5f * radians ) };
    return narrowQuat( joQuatDouble_Normalize( q ) );
}

joRot2 joNormalizeRot2( joRot2 r )
{
    double c = (double)r.c, s = (double)r.s;
    double length = sqrt( c * c + s * s );
    if ( !( length > 0.0 ) )
    {
        return ( joRot2 ){ 1.0f, 0.0f };
    }
    return ( joRot2 ){ (float)( c / length ), (float)( s / length ) };
}

joQuat joNormalizeQuat( joQuat q )
{
    return narrowQuat( joQuatDouble_Normalize( joWidenQuat( q ) ) );
}

joRot2 joMultiplyRots2( joRot2 a, joRot2 b )
{
    double ac = (double)a.c, as = (double)a.s, bc = (double)b.c, bs = (double)b.s;
    return ( joRot2 ){ (float)( ac * bc - as * bs ), (float)( as * bc + ac * bs ) };
}

joQuat joMultiplyQuats( joQuat a, joQuat b )
{
    return narrowQuat( joQuatDouble_Multiply( joWidenQuat( a ), joWidenQuat( b ) ) );
}

// Cosine and sine in double, of unit length.
static void unitRot( joRot2 r, double* c, double* s )
{
    *c = (double)r.c;
    *s = (double)r.s;
    double length = sqrt( *c * *c + *s * *s );
    bool isZero = !( length > 0.0 );
    *c = isZero ? 1.0 : *c / length;
    *s = isZero ? 0.0 : *s / length;
}

joPose2 joWidenPose2( joTransform2 t )
{
    joPose2 pose = { .position = { (double)t.position.x, (double)t.position.y } };
    unitRot( t.rotation, &pose.c, &pose.s );
    return pose;
}

joPose2 joRelatePoses2( const joPose2* a, const joPose2* b )
{
    double x = b->position[0] - a->position[0], y = b->position[1] - a->position[1];
    return ( joPose2 ){
        { a->c * x + a->s * y, a->c * y - a->s * x },
        a->c * b->c + a->s * b->s,
        a->c * b->s - a->s * b->c,
    };
}

void joPose2_Apply( const joPose2* pose, const double localPoint[2], double out[2] )
{
    out[0] = pose->c * localPoint[0] - pose->s * localPoint[1] + pose->position[0];
    out[1] = pose->s * localPoint[0] + pose->c * localPoint[1] + pose->position[1];
}

joVec2 joRotateVec2( joRot2 r, joVec2 v )
{
    return joTransformPoint2( ( joTransform2 ){ { 0.0f, 0.0f }, r }, v );
}

joVec3 joRotateVec3( joQuat q, joVec3 v )
{
    return joTransformPoint3( ( joTransform3 ){ { 0.0f, 0.0f, 0.0f }, q }, v );
}

joTransform2 joMakeIdentity2( void )
{
    return ( joTransform2 ){ { 0.0f, 0.0f }, { 1.0f, 0.0f } };
}

joTransform3 joMakeIdentity3( void )
{
    return ( joTransform3 ){ { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
}

joVec2 joTransformPoint2( joTransform2 t, joVec2 localPoint )
{
    double c, s;
    unitRot( t.rotation, &c, &s );
    double x = (double)localPoint.x, y = (double)localPoint.y;
    return ( joVec2 ){
        (float)( c * x - s * y + (double)t.position.x ), (float)( s * x + c * y + (double)t.position.y ) };
}

joVec3 joTransformPoint3( joTransform3 t, joVec3 localPoint )
{
    joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( t.rotation ) );
    double local[3] = { (double)localPoint.x, (double)localPoint.y, (double)localPoint.z };
    double p[3];
    joMatrix3_Apply( &rotation, local, p );
    return ( joVec3 ){ (float)( p[0] + (double)t.position.x ), (float)( p[1] + (double)t.position.y ),
        (float)( p[2] + (double)t.position.z ) };
}

joVec2 joInverseTransformPoint2( joTransform2 t, joVec2 worldPoint )
{
    double c, s;
    unitRot( t.rotation, &c, &s );
    double x = (double)worldPoint.x - (double)t.position.x;
    double y = (double)worldPoint.y - (double)t.position.y;
    return ( joVec2 ){ (float)( c * x + s * y ), (float)( c * y - s * x ) };
}

joVec3 joInverseTransformPoint3( joTransform3 t, joVec3 worldPoint )
{
    joMatrix3 rotation = joMatrixOfQuat( joWidenQuat( t.rotation ) );
    double d[3] = { (double)worldPoint.x - (double)t.position.x, (double)worldPoint.y - (double)t.position.y,
        (double)worldPoint.z - (double)t.position.z };
    double p[3];
    joMatrix3_ApplyInverse( &rotation, d, p );
    return ( joVec3 ){ (float)p[0], (float)p[1], (float)p[2] };
}

joTransform2 joMultiplyTransforms2( joTransform2 a, joTransform2 b )
{
    double ac, as, bc, bs;
    unitRot( a.rotation, &ac, &as );
    unitRot( b.rotation, &bc, &bs );
    return ( joTransform2 ){
        joTransformPoint2( a, b.position ), { (float)( ac * bc - as * bs ), (float)( as * bc + ac * bs ) } };
}

joTransform3 joMultiplyTransforms3( joTransform3 a, joTransform3 b )
{
    joQuatDouble product = joQuatDouble_Multiply( joQuatDouble_Normalize( joWidenQuat( a.rotation ) ),
        joQuatDouble_Normalize( joWidenQuat( b.rotation ) ) );
    return ( joTransform3 ){ joTransformPoint3( a, b.position ), narrowQuat( product ) };
}
