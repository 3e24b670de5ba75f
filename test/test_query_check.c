// SPDX-License-Identifier: MIT
// The check behind `jostle query --verify` must itself see every fault: it is given the answers of the
// queries' reference, right but for one thing.
#include "jostle/math.h"
#include "query_check.h"
#include "reference/query_reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_BOXES 120
#define MAX_ANSWERS ( MAX_BOXES + 1 )
#define FAR_AWAY 1000.0f // where no box is

static uint64_t seed = 1;

static float boxes[MAX_BOXES * JO_BOX_FLOATS];
static refObject objects[MAX_BOXES];
static uint32_t boxCount;
static int axisCount;

// Boxes on a coarse raster, so that many touch, on faces and edges too.
static void makeBoxes( joRandom* random )
{
    boxCount = 1 + joRandom_Below( random, MAX_BOXES );
    axisCount = 2 + (int)joRandom_Below( random, 2 );
    memset( objects, 0, sizeof objects );
    memset( boxes, 0, sizeof boxes );
    for ( uint32_t i = 0; i < boxCount; ++i )
    {
        for ( int axis = 0; axis < axisCount; ++axis )
        {
            float lower = (float)joRandom_Below( random, 12 ) - 4.0f;
            float upper = lower + (float)joRandom_Below( random, 3 );
            lower = joRandom_Below( random, 60 ) == 0 ? -INFINITY : lower;
            boxes[i * 6 + (uint32_t)axis] = lower;
            boxes[i * 6 + 3 + (uint32_t)axis] = upper;
            objects[i].lower[axis] = (double)lower;
            objects[i].upper[axis] = (double)upper;
        }
        objects[i].key = i;
        objects[i].layer = objects[i].mask = UINT64_MAX;
        objects[i].motion = ref_moving;
    }
}

static joQuestion makeQuestion( joRandom* random )
{
    joQuestion question = { .kind = (joQuestionKind)joRandom_Below( random, jo_questionKindCount ), .k = 1 };
    const bool isFine = joRandom_Below( random, 2 ) == 0;
    const bool hasSize = question.kind == jo_askSweep || question.kind == jo_askBox;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        const float place =
            isFine ? joRandom_Range( random, -6.0f, 12.0f ) : (float)joRandom_Below( random, 18 ) - 6.0f;
        question.lower[axis] = place;
        question.upper[axis] = place + ( hasSize ? (float)joRandom_Below( random, 4 ) : 0.0f );
        question.direction[axis] =
            isFine ? joRandom_Normal( random ) : (float)joRandom_Below( random, 3 ) - 1.0f;
    }
    question.direction[0] += question.direction[0] == 0.0f ? 1.0f : 0.0f;
    question.reach = (float)joRandom_Below( random, 12 );
    question.reach =
        joRandom_Below( random, 3 ) == 0 && question.kind != jo_askCircle ? INFINITY : question.reach;
    question.k = joRandom_Below( random, 20 );
    return question;
}

// The right answer, in `answer`, whose memory is the caller's.
static void answerByReference( const joQuestion* question, joHitMode mode, joAnswer* answer )
{
    static const refQueryKind kinds[jo_questionKindCount] = {
        ref_ray, ref_sweptBox, ref_overlapBox, ref_overlapCircle, ref_nearest };
    refQuery query = { .kind = kinds[question->kind], .layer = UINT64_MAX, .mask = UINT64_MAX };
    query.reach = (double)question->reach;
    query.radius = (double)question->reach;
    query.k = question->k;
    for ( int axis = 0; axis < 3; ++axis )
    {
        query.lower[axis] = (double)question->lower[axis];
        query.upper[axis] = (double)question->upper[axis];
        query.direction[axis] = (double)question->direction[axis];
    }
    refHits hits = { 0 };
    refAsk( &query, objects, boxCount, axisCount, &hits );
    const bool isWay = question->kind == jo_askRay || question->kind == jo_askSweep;
    const size_t count = isWay && mode != jo_allHits && hits.count > 1 ? 1 : hits.count;
    answer->hasDistances = question->kind != jo_askBox && question->kind != jo_askCircle;
    answer->count = count;
    for ( size_t i = 0; i < count; ++i )
    {
        assert_true( hits.data[i].isSure && hits.data[i].nearest == hits.data[i].highest );
        answer->hits[i] = ( joHit ){ hits.data[i].key, hits.data[i].nearest };
        answer->keys[i] = hits.data[i].key;
    }
    refFreeHits( &hits );
}

static void assertCheck( const joQuestion* question, joHitMode mode, const joAnswer* answer, uint64_t missed,
    uint64_t extra, uint64_t wrong )
{
    joQueryCheck check = { 0 };
    assert_int_equal(
        joCheckAnswer( boxes, boxCount, axisCount, question, mode, answer, &check ), jo_success );
    assert_int_equal( check.missed, missed );
    assert_int_equal( check.extra, extra );
    assert_int_equal( check.wrong, wrong );
}

// A key that is not in the answer; boxCount if all are.
static uint32_t findOther( const joAnswer* answer )
{
    for ( uint32_t key = 0; key < boxCount; ++key )
    {
        bool isIn = false;
        for ( uint64_t i = 0; i < answer->count; ++i )
        {
            isIn = isIn || answer->keys[i] == key;
        }
        if ( !isIn )
        {
            return key;
        }
    }
    return boxCount;
}

typedef void caseFcn( const joQuestion* question, joHitMode mode, joAnswer* answer );

// Runs `one` on many answers that are right.
static void forAnswers( caseFcn* one )
{
    uint32_t keys[MAX_ANSWERS];
    joHit hits[MAX_ANSWERS];
    print_message( "seed %llu\n", (unsigned long long)seed );
    joRandom random = joMakeRandom( seed );
    for ( int scene = 0; scene < 200; ++scene )
    {
        makeBoxes( &random );
        for ( int i = 0; i < 20; ++i )
        {
            const joQuestion question = makeQuestion( &random );
            const joHitMode mode = (joHitMode)joRandom_Below( &random, 2 );
            joAnswer answer = { .keys = keys, .hits = hits };
            answerByReference( &question, mode, &answer );
            one( &question, mode, &answer );
        }
    }
}

static void checkRight( const joQuestion* question, joHitMode mode, joAnswer* answer )
{
    assertCheck( question, mode, answer, 0, 0, 0 );
}

static void findsNothingWrongWithRightAnswers( void** state )
{
    (void)state;
    forAnswers( checkRight );
}

// Past a corner, by far less than floats tell apart: what is left and entered at one rounded distance is met.
static void takesARoundedCornerForMet( void** state )
{
    (void)state;
    uint32_t keys[MAX_ANSWERS];
    joHit hits[MAX_ANSWERS];
    memset( boxes, 0, sizeof boxes );
    memset( objects, 0, sizeof objects );
    boxCount = 1;
    axisCount = 2;
    boxes[3] = boxes[4] = 1.0f;
    objects[0] =
        ( refObject ){ .upper = { 1.0, 1.0 }, .layer = UINT64_MAX, .mask = UINT64_MAX, .motion = ref_moving };
    joQuestion question = { .kind = jo_askRay,
        .lower = { 1e-9f, -1.0f },
        .upper = { 1e-9f, -1.0f },
        .direction = { 1.0f, 1.0f },
        .reach = INFINITY };
    joAnswer answer = { .keys = keys, .hits = hits };
    answerByReference( &question, jo_allHits, &answer );
    assert_int_equal( answer.count, 1 );
    checkRight( &question, jo_allHits, &answer );
    question.lower[0] = question.upper[0] = 1e-6f;
    answerByReference( &question, jo_allHits, &answer );
    assert_int_equal( answer.count, 0 );
    checkRight( &question, jo_allHits, &answer );
}

static void dropLast( const joQuestion* question, joHitMode mode, joAnswer* answer )
{
    if ( answer->count > 0 )
    {
        answer->count -= 1;
        assertCheck( question, mode, answer, 1, 0, 0 );
    }
}

static void seesWhatIsMissed( void** state )
{
    (void)state;
    forAnswers( dropLast );
}

static void addOther( const joQuestion* question, joHitMode mode, joAnswer* answer )
{
    const uint32_t other = findOther( answer );
    if ( other < boxCount )
    {
        answer->keys[answer->count] = other;
        answer->hits[answer->count] = ( joHit ){ other, FAR_AWAY };
        answer->count += 1;
        assertCheck( question, mode, answer, 0, 1, 0 );
    }
}

static void seesWhatIsExtra( void** state )
{
    (void)state;
    forAnswers( addOther );
}

static void doubleLast( const joQuestion* question, joHitMode mode, joAnswer* answer )
{
    if ( answer->count > 0 )
    {
        answer->keys[answer->count] = answer->keys[answer->count - 1];
        answer->hits[answer->count] = answer->hits[answer->count - 1];
        answer->count += 1;
        assertCheck( question, mode, answer, 0, 1, 0 );
    }
}

static void seesCopies( void** state )
{
    (void)state;
    forAnswers( doubleLast );
}

static void moveLast( const joQuestion* question, joHitMode mode, joAnswer* answer )
{
    if ( answer->count > 0 && answer->hasDistances )
    {
        joHit* last = &answer->hits[answer->count - 1];
        last->distance = nextafterf( last->distance, FAR_AWAY );
        assertCheck( question, mode, answer, 0, 0, 1 );
    }
}

static void seesADistanceThatIsOffByOneUnit( void** state )
{
    (void)state;
    forAnswers( moveLast );
}

static void exchangeFirstTwo( const joQuestion* question, joHitMode mode, joAnswer* answer )
{
    if ( answer->count > 1 )
    {
        const joHit hit = answer->hits[0];
        answer->hits[0] = answer->hits[1];
        answer->hits[1] = hit;
        const uint32_t key = answer->keys[0];
        answer->keys[0] = answer->keys[1];
        answer->keys[1] = key;
        assertCheck( question, mode, answer, 0, 0, 2 );
    }
}

static void seesAnOrderThatIsWrong( void** state )
{
    (void)state;
    forAnswers( exchangeFirstTwo );
}

static void answerOther( const joQuestion* question, joHitMode mode, joAnswer* answer )
{
    const bool isWay = question->kind == jo_askRay || question->kind == jo_askSweep;
    (void)mode;
    if ( isWay )
    {
        answer->count = answer->count > 0 ? 1 : 0;
        const bool isHit = answer->count > 0;
        assertCheck( question, jo_anyHit, answer, 0, 0, 0 );
        answer->count = isHit ? 0 : 1;
        assertCheck( question, jo_anyHit, answer, isHit ? 1 : 0, isHit ? 0 : 1, 0 );
    }
}

static void seesAYesThatIsANo( void** state )
{
    (void)state;
    forAnswers( answerOther );
}

int main( int argc, char** argv )
{
    seed = argc > 1 ? strtoull( argv[1], NULL, 10 ) : seed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( findsNothingWrongWithRightAnswers ),
        cmocka_unit_test( takesARoundedCornerForMet ),
        cmocka_unit_test( seesWhatIsMissed ),
        cmocka_unit_test( seesWhatIsExtra ),
        cmocka_unit_test( seesCopies ),
        cmocka_unit_test( seesADistanceThatIsOffByOneUnit ),
        cmocka_unit_test( seesAnOrderThatIsWrong ),
        cmocka_unit_test( seesAYesThatIsANo ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
