// SPDX-License-Identifier: MIT
// Tests of the check in `jostle collide`: that it agrees with the library on every pair of kinds, and
// complains about answers that are wrong.
#include "test_support.h"

#include "collide_answers.h"
#include "collide_trace.h"
#include "collide_vector.h"

#include <math.h>

static uint64_t s_seed;

static float within( uint64_t* random, float lower, float upper )
{
    return lower + ( upper - lower ) * (float)( nextRandom( random ) >> 40 ) / 16777216.0f;
}

static joVec3 vectorWithin( uint64_t* random, float size )
{
    joVec3 v;
    v.x = within( random, -size, size );
    v.y = within( random, -size, size );
    v.z = within( random, -size, size );
    return v;
}

static joHull3* makeHull( uint64_t* random )
{
    joVec3 points[12];
    for ( int i = 0; i < 12; ++i )
    {
        points[i] = vectorWithin( random, 0.7f );
    }
    joHull3* hull = NULL;
    assert_int_equal( joCreateHull3( points, 12, NULL, &hull, NULL ), jo_success );
    return hull;
}

static joShape3 makeShape3( uint64_t* random, int kind, joHull3* hull )
{
    joShape3 shape = { .kind = (joShapeKind3)kind };
    switch ( shape.kind )
    {
        case jo_sphereShape3:
            shape.sphere = ( joSphere3 ){ vectorWithin( random, 0.3f ), within( random, 0.1f, 0.8f ) };
            break;
        case jo_capsuleShape3:
            shape.capsule.a = vectorWithin( random, 0.7f );
            shape.capsule.b = vectorWithin( random, 0.7f );
            shape.capsule.radius = within( random, 0.0f, 0.3f );
            break;
        case jo_boxShape3:
            shape.box = joMakeBox3(
                within( random, 0.1f, 0.8f ), within( random, 0.1f, 0.8f ), within( random, 0.1f, 0.8f ) );
            break;
        case jo_hullShape3:
            shape.hull = hull;
            break;
        case jo_halfSpaceShape3:
            shape.halfSpace = ( joHalfSpace3 ){ { 0.3f, 2.0f, -0.4f }, within( random, -0.5f, 0.5f ) };
            break;
        case jo_meshShape3: // not by this
        case jo_shapeKindCount3:
            break;
    }
    return shape;
}

static joCollideScene makeScene3( uint64_t* random, int kindA, int kindB )
{
    joCollideScene scene = { .dimension = 3, .margin = 0.05f, .hasMotion = true };
    const int kinds[2] = { kindA, kindB };
    const joVec3 far = vectorWithin( random, 1000.0f );
    for ( int i = 0; i < 2; ++i )
    {
        scene.hulls[i] = kinds[i] == jo_hullShape3 ? makeHull( random ) : NULL;
        scene.shapes3[i] = makeShape3( random, kinds[i], scene.hulls[i] );
        const joVec3 offset = vectorWithin( random, 0.8f );
        scene.poses3[i].position = ( joVec3 ){ far.x + offset.x, far.y + offset.y, far.z + offset.z };
        scene.poses3[i].rotation = joMakeQuat( vectorWithin( random, 1.0f ), within( random, -3.0f, 3.0f ) );
    }
    scene.motion3 = vectorWithin( random, 2.0f );
    return scene;
}

static joShape2 makeShape2( uint64_t* random, int kind, joPolygon2* polygon )
{
    joShape2 shape = { .kind = (joShapeKind2)kind };
    joVec2 points[8];
    for ( int i = 0; i < 8; ++i )
    {
        points[i].x = within( random, -0.7f, 0.7f );
        points[i].y = within( random, -0.7f, 0.7f );
    }
    switch ( shape.kind )
    {
        case jo_circleShape2:
            shape.circle = ( joCircle2 ){ points[0], within( random, 0.1f, 0.8f ) };
            break;
        case jo_capsuleShape2:
            shape.capsule = ( joCapsule2 ){ points[0], points[1], within( random, 0.0f, 0.3f ) };
            break;
        case jo_polygonShape2:
        {
            const float radius = randomBelow( random, 2 ) == 0 ? 0.0f : within( random, 0.0f, 0.2f );
            assert_int_equal( joMakePolygon2( points, 8, radius, polygon, NULL ), jo_success );
            shape.polygon = polygon;
            break;
        }
        case jo_segmentShape2:
            shape.segment = ( joSegment2 ){ points[0], points[1] };
            break;
        case jo_chainShape2: // not by this
        case jo_shapeKindCount2:
            break;
    }
    return shape;
}

// Shapes point into the scene: it is filled in place.
static void makeScene2( uint64_t* random, int kindA, int kindB, joCollideScene* scene )
{
    *scene = ( joCollideScene ){ .dimension = 2, .margin = 0.05f, .hasMotion = true };
    const int kinds[2] = { kindA, kindB };
    const float far = within( random, -1000.0f, 1000.0f );
    for ( int i = 0; i < 2; ++i )
    {
        scene->shapes2[i] = makeShape2( random, kinds[i], &scene->polygons[i] );
        scene->poses2[i].position.x = far + within( random, -0.8f, 0.8f );
        scene->poses2[i].position.y = within( random, -0.8f, 0.8f ) - far;
        scene->poses2[i].rotation = joMakeRot2( within( random, -3.0f, 3.0f ) );
    }
    scene->motion2.x = within( random, -2.0f, 2.0f );
    scene->motion2.y = within( random, -2.0f, 2.0f );
}

static void assertAgrees( const joCollideScene* scene, int kindA, int kindB, int number )
{
    joStudy* study = joCreateStudy( scene );
    assert_non_null( study );
    joAnswers answers;
    joComplaints complaints;
    joFindAnswers( scene, &answers );
    joCompareAnswers( study, &answers, &complaints );
    if ( complaints.count > 0 )
    {
        fail_msg( "%dD, kinds %d and %d, scene %d: %s", scene->dimension, kindA, kindB, number,
            complaints.texts[0] );
    }
    joDestroyStudy( study );
}

static void theLibraryAndTheStudyAgreeIn3D( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int a = 0; a < jo_meshShape3; ++a )
    {
        for ( int b = 0; b < jo_meshShape3; ++b )
        {
            for ( int i = 0; i < 40; ++i )
            {
                joCollideScene scene = makeScene3( &random, a, b );
                assertAgrees( &scene, a, b, i );
                joDestroyHull3( scene.hulls[0], NULL );
                joDestroyHull3( scene.hulls[1], NULL );
            }
        }
    }
}

static void theLibraryAndTheStudyAgreeIn2D( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int a = 0; a < jo_chainShape2; ++a )
    {
        for ( int b = 0; b < jo_chainShape2; ++b )
        {
            for ( int i = 0; i < 500; ++i )
            {
                joCollideScene scene;
                makeScene2( &random, a, b, &scene );
                assertAgrees( &scene, a, b, i );
            }
        }
    }
}

// A floor of many parts as shape `index` of a scene, anywhere about the other shape.
static void makeChain( uint64_t* random, int index, joCollideScene* scene )
{
    static joVec2 points[9];
    static uint32_t parts[2 * 9];
    const bool isLoop = randomBelow( random, 2 ) == 0;
    for ( uint32_t i = 0; i < 9; ++i )
    {
        const float turn = 0.69f * (float)i, x = -1.0f + 0.25f * (float)i;
        points[i] = isLoop ? ( joVec2 ){ cosf( turn ), sinf( turn ) } : ( joVec2 ){ x, 0.0f };
        points[i].x += within( random, -0.1f, 0.1f );
        points[i].y += within( random, -0.2f, 0.2f );
        parts[2 * i] = i;
        parts[2 * i + 1] = ( i + 1 ) % 9;
    }
    assert_int_equal( joCreateChain2( points, 9, isLoop, NULL, &scene->chains[index], NULL ), jo_success );
    scene->shapes2[index] = ( joShape2 ){ .kind = jo_chainShape2, .chain = scene->chains[index] };
    scene->surfaces[index] = ( joSurface ){ &points[0].x, parts, isLoop ? 9 : 8 };
}

static void makeMesh( uint64_t* random, int index, joCollideScene* scene )
{
    static joVec3 points[9];
    static uint32_t parts[3 * 8];
    for ( uint32_t i = 0; i < 9; ++i )
    {
        points[i] = ( joVec3 ){ (float)( i % 3 ) - 1.0f, within( random, -0.3f, 0.3f ), 0.0f };
        points[i].z = (float)( i / 3 ) - 1.0f;
    }
    for ( uint32_t i = 0; i < 4; ++i )
    {
        const uint32_t at = i % 2 + i / 2 * 3;
        const uint32_t corners[6] = { at, at + 1, at + 3, at + 1, at + 4, at + 3 };
        memcpy( parts + 6 * i, corners, sizeof( corners ) );
    }
    assert_int_equal( joCreateMesh3( points, 9, parts, 8, NULL, &scene->meshes[index], NULL ), jo_success );
    scene->shapes3[index] = ( joShape3 ){ .kind = jo_meshShape3, .mesh = scene->meshes[index] };
    scene->surfaces[index] = ( joSurface ){ &points[0].x, parts, 8 };
}

static void theLibraryAndTheStudyAgreeOnSurfaces( void** state )
{
    (void)state;
    uint64_t random = s_seed;
    for ( int i = 0; i < 800; ++i )
    {
        joCollideScene scene;
        const int index = i / 4 % 2;
        makeScene2( &random, i % 4, i % 4, &scene );
        makeChain( &random, index, &scene );
        assertAgrees( &scene, i % 4, jo_chainShape2, i );
        joDestroyChain2( scene.chains[index], NULL );
    }
    for ( int i = 0; i < 160; ++i )
    {
        const int kind = i % 4, index = i / 4 % 2;
        joCollideScene scene = makeScene3( &random, kind, kind );
        makeMesh( &random, index, &scene );
        assertAgrees( &scene, kind, jo_meshShape3, i );
        joDestroyMesh3( scene.meshes[index], NULL );
        joDestroyHull3( scene.hulls[0], NULL );
        joDestroyHull3( scene.hulls[1], NULL );
    }
}

// Boxes a tenth in each other along x, and B moving on; then what is spoilt must be noticed.
static joStudy* studyBoxes( joCollideScene* scene, float gap, joAnswers* answers )
{
    *scene = ( joCollideScene ){ .dimension = 2, .margin = 0.5f, .hasMotion = true };
    for ( int i = 0; i < 2; ++i )
    {
        scene->polygons[i] = joMakeBox2( 1.0f, 1.0f );
        scene->shapes2[i] = ( joShape2 ){ .kind = jo_polygonShape2, .polygon = &scene->polygons[i] };
        scene->poses2[i] = joMakeIdentity2();
    }
    scene->poses2[1].position.x = 2.0f + gap;
    scene->motion2.x = -1.0f;
    joStudy* study = joCreateStudy( scene );
    assert_non_null( study );
    joFindAnswers( scene, answers );
    return study;
}

static void assertComplaint( const joStudy* study, const joAnswers* answers, const char* part )
{
    joComplaints complaints;
    joCompareAnswers( study, answers, &complaints );
    assert_int_equal( complaints.count, part != NULL ? 1 : 0 );
    assert_true( part == NULL || strstr( complaints.texts[0], part ) != NULL );
}

static void wrongAnswersOnOverlapAreComplainedAbout( void** state )
{
    (void)state;
    joCollideScene scene;
    joAnswers answers, wrong;
    joStudy* study = studyBoxes( &scene, -0.1f, &answers );
    assertComplaint( study, &answers, NULL );
    assert_true( fabs( study->axes[study->best].overlap - 0.1 ) < 1e-6 );
    wrong = answers;
    wrong.overlaps = false;
    assertComplaint( study, &wrong, "overlap is no" );
    wrong = answers;
    wrong.pointCount = 0;
    assertComplaint( study, &wrong, "no contact is found" );
    wrong = answers;
    wrong.depth -= 1e-4;
    assertComplaint( study, &wrong, "along the normal they overlap" );
    wrong = answers;
    wrong.normal[0] = 0.0;
    wrong.normal[1] = 1.0;
    wrong.depth = 2.0;
    assertComplaint( study, &wrong, "a way of" );
    wrong = answers;
    wrong.normal[0] = 1.00005;
    wrong.depth = joStudy_OverlapAlong( study, wrong.normal, wrong.depth );
    assertComplaint( study, &wrong, "the normal's length" );
    wrong = answers;
    wrong.distance = 0.1;
    assertComplaint( study, &wrong, "the distance is" );
    joDestroyStudy( study );
}

static void wrongAnswersOnDistanceAndMotionAreComplainedAbout( void** state )
{
    (void)state;
    joCollideScene scene;
    joAnswers answers, wrong;
    joStudy* study = studyBoxes( &scene, 0.25f, &answers );
    assertComplaint( study, &answers, NULL );
    assert_true( study->areApart && study->nearest.distance == 0.25 );
    assert_true( study->impact.isHit && fabs( study->impact.fraction - 0.25 ) < 1e-9 );
    wrong = answers;
    wrong.distance = 0.24;
    assertComplaint( study, &wrong, "the distance is" );
    wrong = answers;
    wrong.fraction = 0.26;
    assertComplaint( study, &wrong, "but they meet at" );
    wrong = answers;
    wrong.isHit = false;
    wrong.fraction = 1.0;
    assertComplaint( study, &wrong, "meets nothing" );
    joDestroyStudy( study );
    scene.motion2.x = 1.0f;
    study = joCreateStudy( &scene );
    assert_non_null( study );
    assertComplaint( study, &answers, "they stay" );
    joDestroyStudy( study );
}

static void theNearestPointMayBeInsideAFace( void** state )
{
    (void)state;
    for ( int box = 0; box < 2; ++box )
    {
        joCollideScene scene = { .dimension = 3 };
        scene.poses3[0] = scene.poses3[1] = joMakeIdentity3();
        scene.shapes3[box] = ( joShape3 ){ .kind = jo_boxShape3, .box = joMakeBox3( 1.0f, 2.0f, 1.0f ) };
        scene.shapes3[1 - box] =
            ( joShape3 ){ .kind = jo_sphereShape3, .sphere = { { 0.25f, -0.5f, 3.0f }, 0.5f } };
        joStudy* study = joCreateStudy( &scene );
        assert_non_null( study );
        const double* onBox = box == 0 ? study->nearest.pointA : study->nearest.pointB;
        assert_true( study->areApart && study->nearest.distance == 1.5 );
        assert_true( onBox[0] == 0.25 && onBox[1] == -0.5 && onBox[2] == 1.0 );
        joDestroyStudy( study );
    }
}

// How far A reaches beyond B along a direction: vertices by their numbers, and all of the two cores.
static double reachOf( const joStudy* study, const joConvexStep* step )
{
    const joCore *a = &study->cores[0], *b = &study->cores[1];
    return joDotVectors( a->points[step->vertexA], step->direction ) -
           joDotVectors( b->points[step->vertexB], step->direction );
}

// Every step says what the two shapes are like along its direction, in world space, and each of GJK's is
// nearer than the one before.
static void assertStepsAreTrue(
    const joStudy* study, const joConvexSteps* steps, bool isGjk, double tolerance )
{
    const double radii = study->cores[0].radius + study->cores[1].radius;
    for ( uint32_t i = 0; i < steps->count; ++i )
    {
        const joConvexStep* step = &steps->steps[i];
        const double reach = joCore_Project( &study->cores[0], step->direction ).upper -
                             joCore_Project( &study->cores[1], step->direction ).lower - radii;
        assert_true( fabs( reachOf( study, step ) - reach ) <= tolerance );
        assert_true( fabs( ( isGjk ? -step->lower : step->upper ) - reach ) <= tolerance );
        assert_true( step->lower <= step->upper + tolerance );
        assert_true( step->pointCount >= 1 && step->pointCount <= 3 );
        assert_true( !isGjk || i == 0 || step->upper < steps->steps[i - 1].upper );
    }
}

// The last steps are the library's answers.
static void assertTraceEndsRight( const joConvexTrace* trace, const joAnswers* answers, double tolerance )
{
    if ( trace->distance > trace->radius )
    {
        assert_int_equal( trace->end, jo_gjkKnown );
        assert_true( fabs( trace->gjk.steps[trace->gjk.count - 1].upper - trace->distance ) <= tolerance );
        assert_true( fabs( trace->distance - trace->radius - answers->distance ) <= tolerance );
        const double* direction = trace->gjk.steps[trace->gjk.count - 1].direction;
        assert_true( joDotVectors( direction, answers->distanceNormal ) > 1.0 - tolerance );
    }
    assert_true( ( trace->end == jo_gjkTouching ) == ( trace->distance == 0.0 ) );
    assert_int_equal( trace->source != jo_noContact, answers->pointCount > 0 );
    if ( trace->source != jo_noContact )
    {
        assert_true( fabs( trace->depth + trace->radius - answers->depth ) <= tolerance );
    }
    if ( trace->source == jo_fromEpa )
    {
        const joConvexStep* last = &trace->epa.steps[trace->epa.count - 1];
        assert_true( last->upper == trace->depth && last->upper - last->lower <= tolerance );
        assert_true( joDotVectors( last->direction, answers->normal ) > 1.0 - tolerance );
    }
}

static void stepsOfGjkAndEpaAreTrue( void** state )
{
    (void)state;
    static const int others[4] = { jo_sphereShape3, jo_capsuleShape3, jo_boxShape3, jo_hullShape3 };
    static joConvexTrace trace;
    uint64_t random = s_seed;
    uint32_t sources[4] = { 0 };
    for ( int i = 0; i < 400; ++i )
    {
        const int other = others[i / 2 % 4];
        joCollideScene scene = i % 2 == 0 ? makeScene3( &random, jo_hullShape3, other )
                                          : makeScene3( &random, other, jo_hullShape3 );
        scene.hasMotion = false;
        joStudy* study = joCreateStudy( &scene );
        assert_non_null( study );
        joAnswers answers;
        joFindAnswers( &scene, &answers );
        assert_true( joTraceScene( &scene, &trace ) );
        const double tolerance = 3e-6 * study->size;
        assertStepsAreTrue( study, &trace.gjk, true, tolerance );
        assertStepsAreTrue( study, &trace.epa, false, tolerance );
        assertTraceEndsRight( &trace, &answers, tolerance );
        ++sources[trace.source];
        joDestroyStudy( study );
        joDestroyHull3( scene.hulls[0], NULL );
        joDestroyHull3( scene.hulls[1], NULL );
    }
    // They are of all sorts.
    for ( int i = 0; i < 4; ++i )
    {
        assert_true( sources[i] > 0 );
    }
}

static void stepsOfGjkIn2DAreTrue( void** state )
{
    (void)state;
    static joConvexTrace trace;
    uint64_t random = s_seed;
    uint32_t ends[2] = { 0 };
    for ( int i = 0; i < 400; ++i )
    {
        joCollideScene scene;
        const int other = i / 2 % 4; // of all kinds but chains
        makeScene2(
            &random, i % 2 == 0 ? jo_polygonShape2 : other, i % 2 == 0 ? other : jo_polygonShape2, &scene );
        scene.hasMotion = false;
        joStudy* study = joCreateStudy( &scene );
        assert_non_null( study );
        joAnswers answers;
        joFindAnswers( &scene, &answers );
        // Of contacts it says nothing.
        answers.pointCount = 0;
        assert_true( joTraceScene( &scene, &trace ) );
        assertStepsAreTrue( study, &trace.gjk, true, 3e-6 * study->size );
        assertTraceEndsRight( &trace, &answers, 3e-6 * study->size );
        ++ends[trace.end == jo_gjkTouching];
        joDestroyStudy( study );
    }
    assert_true( ends[0] > 0 && ends[1] > 0 );
}

static void pairsWithoutGjkHaveNoSteps( void** state )
{
    (void)state;
    static joConvexTrace trace;
    uint64_t random = s_seed;
    joCollideScene scene = makeScene3( &random, jo_sphereShape3, jo_boxShape3 );
    assert_false( joTraceScene( &scene, &trace ) );
    scene = makeScene3( &random, jo_halfSpaceShape3, jo_halfSpaceShape3 );
    assert_false( joTraceScene( &scene, &trace ) );
    makeScene2( &random, jo_circleShape2, jo_capsuleShape2, &scene );
    assert_false( joTraceScene( &scene, &trace ) );
    // Of boxes the distance is by GJK, and the contact is not.
    scene = makeScene3( &random, jo_boxShape3, jo_boxShape3 );
    scene.poses3[1] = scene.poses3[0];
    assert_true( joTraceScene( &scene, &trace ) );
    assert_int_equal( trace.end, jo_gjkTouching );
    assert_int_equal( trace.source, jo_noContact );
}

int main( int argc, char** argv )
{
    s_seed = readSeed( argc, argv );
    const struct CMUnitTest tests[] = {
        TEST( "the library and the study agree in 3D", theLibraryAndTheStudyAgreeIn3D ),
        TEST( "the library and the study agree in 2D", theLibraryAndTheStudyAgreeIn2D ),
        TEST( "the library and the study agree on meshes and chains", theLibraryAndTheStudyAgreeOnSurfaces ),
        TEST( "the nearest point may be inside a face", theNearestPointMayBeInsideAFace ),
        TEST( "steps of GJK and EPA are true, and end at the answers", stepsOfGjkAndEpaAreTrue ),
        TEST( "steps of GJK in 2D are true, too", stepsOfGjkIn2DAreTrue ),
        TEST( "pairs without GJK have no steps", pairsWithoutGjkHaveNoSteps ),
        TEST( "wrong answers on overlap are complained about", wrongAnswersOnOverlapAreComplainedAbout ),
        TEST( "wrong answers on distance and motion are complained about",
            wrongAnswersOnDistanceAndMotionAreComplainedAbout ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
