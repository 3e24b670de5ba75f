// SPDX-License-Identifier: MIT
// Queries where a decision hangs on a rounding: every kind must decide alike, for objects that were just
// added, which are scanned, and for those that its structure finds.
#include "support/broad_phase_kit.h"

#include <float.h>

#include <math.h>

#define MANY 600u // more than are scanned at once

// How many a ray meets, and the closest one.
typedef struct Answer
{
    uint64_t count;
    uint32_t closest;
} Answer;

static Answer cast( const joBroadPhase* broadPhase, const joRay* ray )
{
    Answer answer;
    joHit closest;
    kitRequire( joBroadPhase_CastRayAll( broadPhase, ray, NULL, NULL, 0, &answer.count ), "CastRayAll" );
    kitRequire( joBroadPhase_CastRayClosest( broadPhase, ray, NULL, &closest ), "CastRayClosest" );
    answer.closest = closest.key;
    return answer;
}

// All kinds must give this answer, be the objects pending or built.
static void checkAnswer( const refObject* objects, uint32_t count, joRay ray, Answer right )
{
    for ( int v = 0; v < KIT_VARIANT_COUNT; ++v )
    {
        const joBroadPhaseDef def = kitDef( kitVariants + v, 2 );
        joBroadPhase* broadPhase = kitCreate( &def );
        kitRequire( kitAdd( broadPhase, 2, jo_moving, objects, count ), "add" );
        for ( int isBuilt = 0; isBuilt <= 1; ++isBuilt )
        {
            const Answer answer = cast( broadPhase, &ray );
            if ( answer.count != right.count || answer.closest != right.closest )
            {
                fail_msg( "%s, %s: %llu, the closest %u; not %llu, %u", kitVariants[v].name,
                    isBuilt ? "built" : "pending", (unsigned long long)answer.count, answer.closest,
                    (unsigned long long)right.count, right.closest );
            }
            kitRequire( joBroadPhase_Update( broadPhase ), "Update" );
        }
        joDestroyBroadPhase( broadPhase );
    }
}

static void aRayMeetsWhatIsAtItsLengthWhenRounded( void** state )
{
    (void)state;
    const joRay ray = { { -1.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, 1.0f };
    // 2^-30 beyond the end of the way, but 1 away when rounded to float.
    const refObject near = kitBox2( 0, 0x1p-30, -1.0, 1.0, 1.0 );
    checkAnswer( &near, 1, ray, ( Answer ){ 1, 0 } );
    const refObject far = kitBox2( 0, 0x1p-22, -1.0, 1.0, 1.0 );
    checkAnswer( &far, 1, ray, ( Answer ){ 0, JO_NULL_INDEX } );
}

static void ofHitsBeyondFloatsTheLowestKeyIsTheClosest( void** state )
{
    (void)state;
    // All at a distance that no float has: they count as being at the largest.
    static refObject objects[MANY];
    for ( uint32_t i = 0; i < MANY; ++i )
    {
        const double x = 0x1.4p127 + i * 0x1p116;
        objects[i] = kitBox2( MANY - 1 - i, x, -1.0, x + 0x1p115, 1.0 );
    }
    const joRay ray = { { -0x1.8p127f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, INFINITY };
    checkAnswer( objects, MANY, ray, ( Answer ){ MANY, 0 } );
}

static void aRayThatLeavesBeforeItEntersMissesBeyondFloats( void** state )
{
    (void)state;
    // On y it arrives when it has long left on x, at distances that no float has.
    const refObject box = kitBox2( 0, -1.0, 0x1p120, 0x1.fffffep127, 0x1p127 );
    const joRay ray = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0x1p-28f, 0.0f }, INFINITY };
    checkAnswer( &box, 1, ray, ( Answer ){ 0, JO_NULL_INDEX } );
}

static void hitsAtTheLargestFloatAreNotLostByOverflow( void** state )
{
    (void)state;
    // The ray leaves all boxes on y at the largest float, and enters them on x at about that: what it enters
    // later it misses.
    for ( int r = 0; r < 100; ++r )
    {
        const float speed = 0x1p-30f + (float)r * 0x1.23p-37f;
        refObject objects[32];
        Answer right = { 0, JO_NULL_INDEX };
        float closest = INFINITY;
        for ( uint32_t i = 0; i < 32; ++i )
        {
            const float x = speed * FLT_MAX * ( 1.0f + ( 16.0f - (float)i ) * 0x1p-24f );
            const double distance = (double)x / (double)speed;
            objects[i] = kitBox2( i, (double)x, 0.0, 0x1p110, (double)FLT_MAX );
            right.count += distance <= (double)FLT_MAX ? 1 : 0;
            if ( distance <= (double)FLT_MAX && (float)distance < closest )
            {
                closest = (float)distance;
                right.closest = i;
            }
        }
        assert_in_range( right.count, 8, 31 );
        checkAnswer( objects, 32, ( joRay ){ { 0.0f, 0.0f, 0.0f }, { speed, 1.0f, 0.0f }, INFINITY }, right );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( aRayMeetsWhatIsAtItsLengthWhenRounded ),
        cmocka_unit_test( ofHitsBeyondFloatsTheLowestKeyIsTheClosest ),
        cmocka_unit_test( aRayThatLeavesBeforeItEntersMissesBeyondFloats ),
        cmocka_unit_test( hitsAtTheLargestFloatAreNotLostByOverflow ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
