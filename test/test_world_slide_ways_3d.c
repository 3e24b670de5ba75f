// SPDX-License-Identifier: MIT
// Where a sphere that slides among boxes in 3D ends: against the way in very many small steps.
#include "reference/slide_reference.h"
#include "support/slide_kit.h"
#include "test_support.h"

#include <math.h>

#define WAYS 40u
#define BOXES 14u

static float between( uint64_t* random, float lower, float upper )
{
    return lower + ( upper - lower ) * (float)( nextRandom( random ) >> 40 ) * 0x1p-24f;
}

static joBodyId add(
    joWorld* world, const joShape3* shape, const joTransform3* pose, joVec3 motion, bool slides )
{
    const joBodyColumns one = { .count = 1 };
    joBodyId body = { 0 };
    joBodyDef3 def = joDefaultBodyDef3();
    joColliderDef3 colliderDef = joDefaultColliderDef3();
    def.type = slides ? jo_dynamicBody : jo_staticBody;
    def.response = slides ? jo_slide : jo_detect;
    def.pose = *pose;
    def.velocity = motion;
    colliderDef.shape = *shape;
    kitRequire( joWorld_CreateBodies3( world, &def, &colliderDef, &one, &body, NULL, NULL ), "create" );
    return body;
}

static void addBox( joWorld* world, uint64_t* random, ReferenceBox* box )
{
    const float half[3] = {
        between( random, 0.3f, 2.0f ), between( random, 0.3f, 2.0f ), between( random, 0.3f, 2.0f ) };
    const joVec3 axis = { between( random, -1.0f, 1.0f ), 1.0f, between( random, -1.0f, 1.0f ) };
    const joTransform3 pose = {
        { between( random, -5.0f, 5.0f ), between( random, -5.0f, 5.0f ), between( random, -5.0f, 5.0f ) },
        joMakeQuat( axis, between( random, -3.0f, 3.0f ) ) };
    const joShape3 shape = { .kind = jo_boxShape3, .box = joMakeBox3( half[0], half[1], half[2] ) };
    const joVec3 units[3] = { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
    add( world, &shape, &pose, ( joVec3 ){ 0.0f, 0.0f, 0.0f }, false );
    for ( uint32_t i = 0; i < 3; ++i )
    {
        const joVec3 turned = joRotateVec3( pose.rotation, units[i] );
        box->axes[i][0] = (double)turned.x;
        box->axes[i][1] = (double)turned.y;
        box->axes[i][2] = (double)turned.z;
        box->half[i] = (double)half[i];
    }
    box->center[0] = (double)pose.position.x;
    box->center[1] = (double)pose.position.y;
    box->center[2] = (double)pose.position.z;
}

static void waysAreThoseOfTheReference( void** state )
{
    (void)state;
    uint64_t random = 31;
    uint32_t agree = 0, hits = 0;
    for ( uint32_t scene = 0; scene < WAYS; ++scene )
    {
        joWorldDef worldDef = joDefaultWorldDef();
        memset( worldDef.gravity, 0, sizeof( worldDef.gravity ) );
        joWorld* world = NULL;
        kitRequire( joCreateWorld( &worldDef, &world ), "joCreateWorld" );
        ReferenceBox boxes[BOXES];
        for ( uint32_t i = 0; i < BOXES; ++i )
        {
            addBox( world, &random, &boxes[i] );
        }
        const float radius = between( &random, 0.1f, 0.5f );
        double at[3], nearest = 0.0;
        while ( nearest < (double)radius + 0.05 )
        {
            nearest = INFINITY;
            for ( uint32_t axis = 0; axis < 3; ++axis )
            {
                at[axis] = (double)between( &random, -5.0f, 5.0f );
            }
            for ( uint32_t i = 0; i < BOXES; ++i )
            {
                double normal[3] = { 0.0, 0.0, 0.0 };
                nearest = fmin( nearest, referenceBoxDistance( &boxes[i], at, normal ) );
            }
        }
        // Across the middle, where the boxes are.
        const joVec3 motion = { between( &random, -3.0f, 3.0f ) - 1.5f * (float)at[0],
            between( &random, -3.0f, 3.0f ) - 1.5f * (float)at[1],
            between( &random, -3.0f, 3.0f ) - 1.5f * (float)at[2] };
        const joShape3 sphere = { .kind = jo_sphereShape3, .sphere = { .radius = radius } };
        const joTransform3 pose = {
            { (float)at[0], (float)at[1], (float)at[2] }, { 0.0f, 0.0f, 0.0f, 1.0f } };
        const joBodyId body = add( world, &sphere, &pose, motion, true );
        joSlideDef def = joDefaultSlideDef();
        def.maxSlides = JO_MAX_SLIDES;
        kitRequire( joWorld_SetSlide( world, body, &def ), "joWorld_SetSlide" );
        kitRequire( joWorld_Step( world, 1.0f ), "joWorld_Step" );
        const double wish[3] = { (double)motion.x, (double)motion.y, (double)motion.z };
        referenceSlide3( boxes, BOXES, (double)radius + 0.005, wish, 4000, at );
        joTransform3 end;
        kitRequire( joWorld_GetPose3( world, body, &end ), "joWorld_GetPose3" );
        const double off[3] = {
            (double)end.position.x - at[0], (double)end.position.y - at[1], (double)end.position.z - at[2] };
        hits += kitStateOf( world, body ).hitCount > 0;
        const double apart = sqrt( off[0] * off[0] + off[1] * off[1] + off[2] * off[2] );
        // Off an edge it goes along the plane where it would touch, not where it comes as near as the skin.
        assert_true( apart < 0.2 );
        agree += apart < 0.02;
        joDestroyWorld( world );
    }
    assert_true( hits > WAYS / 2 );
    assert_true( agree >= WAYS * 8 / 10 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "ways are those of the reference", waysAreThoseOfTheReference ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
