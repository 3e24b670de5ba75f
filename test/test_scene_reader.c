// SPDX-License-Identifier: MIT
// The reader of scenes: what it takes, and that what it refuses is said with its place.
#include "scene.h"
#include "test_support.h"

// With quotes as they are written in C without backslashes.
static void parse( const char* quoted, joScene* scene, joJsonError* error, bool isGood )
{
    char text[4096];
    snprintf( text, sizeof( text ), "%s", quoted );
    for ( char* p = text; *p != '\0'; ++p )
    {
        *p = *p == '\'' ? '"' : *p;
    }
    const bool good = joParseScene( text, scene, error );
    if ( good != isGood )
    {
        fail_msg( "%s\n%d:%d: %s: %s", text, error->line, error->column, error->field, error->what );
    }
}

static void everyFieldIsRead( void** state )
{
    (void)state;
    joScene scene;
    joJsonError error;
    parse(
        "{ 'about': 'all there is', 'dimension': 2, 'steps': 7, 'timeStep': 0.5,"
        "  'world': { 'gravity': [1, -2], 'contactMargin': 0.25, 'leaveMargin': 0.5, 'sleepTime': 3,"
        "             'sleepSpeed': 4, 'pushMargin': 5, 'pushIterations': 6, 'kind': 'bvh' },"
        "  'layers': { 'wall': [], 'unit': ['wall'], 'ghost': 'all' },"
        "  'bodies': [ { 'name': 'w', 'type': 'static', 'response': 'slide', 'awake': false,"
        "      'slide': { 'skinWidth': 0.25, 'slopeLimit': 0.5, 'stepHeight': 2, 'maxSlides': 3, 'up': [0, "
        "1] }, 'mass': 5,"
        "      'gravityScale': 6, 'damping': 7, 'angularDamping': 8, 'velocity': [9, 10],"
        "      'angularVelocity': 11, 'pose': { 'position': [12, 13] }, 'vanishAt': ['unit'],"
        "      'colliders': [ { 'shape': { 'kind': 'circle', 'radius': 2, 'pose': { 'position': [3, 4] } },"
        "          'layer': 'unit', 'mask': ['wall', 'ghost'], 'group': 5, 'trigger': true,"
        "          'restitution': 0.5, 'oneWay': [0, 1] } ],"
        "      'behaviour': { 'kind': 'patrol', 'speed': 3, 'points': [[1, 2], [3, 4]] } } ],"
        "  'emitters': [ { 'count': 12, 'seed': 13, 'area': { 'lower': [1, 2], 'upper': [3, 4] },"
        "      'place': 'lattice', 'jitter': 0.75, 'turned': true, 'speed': [1, 2],"
        "      'colliders': [ { 'shape': { 'kind': 'box', 'halfExtents': [1, 2] } } ],"
        "      'behaviour': { 'kind': 'script', 'inputs': [ { 'time': 1, 'move': [2, 0], 'jump': 3 },"
        "          { 'time': 4 } ] } } ],"
        "  'disturbance': { 'perStep': 3, 'seed': 4, 'area': { 'lower': [0, 0], 'upper': [1, 1] },"
        "      'shapes': [ { 'kind': 'circle', 'radius': 1 } ] },"
        "  'view': { 'lower': [-1, -2], 'upper': [3, 4] } }",
        &scene, &error, true );
    assert_string_equal( scene.about, "all there is" );
    assert_true( scene.dimension == 2 && scene.steps == 7 && scene.timeStep == 0.5f );
    const joWorldDef* world = &scene.worldDef;
    assert_true( world->gravity[0] == 1.0f && world->gravity[1] == -2.0f && world->contactMargin == 0.25f );
    assert_true( world->leaveMargin == 0.5f && world->sleepTime == 3.0f && world->sleepSpeed == 4.0f );
    assert_true( world->pushMargin == 5.0f && world->pushIterations == 6 );
    assert_int_equal( world->broadPhase.kind, jo_bvh );
    // A layer that names another meets it, and is met.
    assert_int_equal( scene.layerCount, 3 );
    assert_int_equal( world->layerMeets[0] & 7, 6 );
    assert_int_equal( world->layerMeets[1] & 7, 5 );
    assert_int_equal( world->layerMeets[2] & 7, 7 );

    const joSceneBody* body = &scene.bodies[0];
    assert_int_equal( scene.bodyCount, 2 );
    assert_string_equal( body->name, "w" );
    assert_true( body->def2.type == jo_staticBody && body->def2.response == jo_slide && !body->def2.isAwake );
    assert_true( body->def2.mass == 5.0f && body->def2.gravityScale == 6.0f );
    assert_true( body->def2.linearDamping == 7.0f && body->def2.angularDamping == 8.0f );
    assert_true( body->def2.velocity.y == 10.0f && body->def2.angularVelocity == 11.0f );
    assert_true( body->def2.pose.position.y == 13.0f && body->vanishLayers == 2 );
    const joSlideDef* slide = &body->slide;
    assert_true( slide->skinWidth == 0.25f && slide->slopeLimit == 0.5f && slide->stepHeight == 2.0f );
    assert_true( slide->maxSlides == 3 && slide->up[1] == 1.0f );
    const joSceneCollider* collider = body->colliders;
    assert_true( collider->oneWay[0] == 0.0f && collider->oneWay[1] == 1.0f );
    assert_true( collider->filter.layer == 1 && collider->filter.mask == 5 && collider->filter.group == 5 );
    assert_true( collider->isTrigger && collider->material.restitution == 0.5f );
    assert_true( collider->shape.shape2.circle.radius == 2.0f && collider->shape.pose2.position.x == 3.0f );
    assert_true( body->behaviour.kind == jo_patrolBehaviour && body->behaviour.pointCount == 2 );
    assert_true( body->behaviour.points[3] == 3.0f && body->behaviour.speed == 3.0f );

    const joSceneBody* emitted = &scene.bodies[1];
    assert_true( emitted->emitter.count == 12 && emitted->emitter.seed == 13 && emitted->emitter.isTurned );
    assert_true( emitted->emitter.isLattice && emitted->emitter.jitter == 0.75f );
    assert_true( emitted->emitter.speeds[1] == 2.0f && emitted->emitter.area.upper[0] == 3.0f );
    assert_true( emitted->colliders->filter.mask == UINT64_MAX && emitted->def2.mass == 1.0f );
    const joSceneInput* inputs = emitted->behaviour.inputs;
    assert_true( emitted->behaviour.inputCount == 2 && inputs[0].jump == 3.0f && inputs[1].jump == 0.0f );
    assert_true( inputs[1].move[0] == 2.0f && inputs[1].time == 4.0f );
    assert_true( scene.disturbance.perStep == 3 && scene.disturbance.seed == 4 );
    assert_true( scene.disturbance.shapeCount == 1 && scene.disturbance.area.upper[1] == 1.0f );
    assert_true( scene.view.isGiven && scene.view.lower[1] == -2.0f && !scene.view.isFromAbove );
    joFreeScene( &scene );
}

static void threeDimensionsAreRead( void** state )
{
    (void)state;
    joScene scene;
    joJsonError error;
    parse( "{ 'dimension': 3, 'world': { 'gravity': [1, 2, 3] },"
           "  'bodies': [ { 'angularVelocity': [4, 5, 6], 'velocity': [7, 8, 9],"
           "      'pose': { 'position': [1, 2, 3], 'rotation': [1, 0, 0, 0] },"
           "      'colliders': [ { 'shape': { 'kind': 'sphere', 'radius': 1 } },"
           "          { 'shape': { 'kind': 'mesh', 'points': [[0,0,0], [1,0,0], [0,1,0]],"
           "            'triangles': [[0, 1, 2]] } } ],"
           "      'behaviour': { 'kind': 'bounce', 'area': { 'lower': [0,0,0], 'upper': [1,1,2] } } } ],"
           "  'view': { 'from': 'above' } }",
        &scene, &error, true );
    const joSceneBody* body = scene.bodies;
    assert_true( scene.worldDef.gravity[2] == 3.0f && scene.timeStep == 1.0f / 60.0f && scene.steps == 600 );
    assert_true( body->def3.angularVelocity.z == 6.0f && body->def3.velocity.z == 9.0f );
    assert_true( body->def3.pose.rotation.x == 1.0f && body->def3.type == jo_dynamicBody );
    assert_true( body->colliderCount == 2 && body->colliders[1].shape.shape3.kind == jo_meshShape3 );
    assert_true( body->behaviour.area.upper[2] == 2.0f && scene.view.isFromAbove && !scene.view.isGiven );
    assert_int_equal( scene.layerCount, 0 );
    joFreeScene( &scene );
}

// --- what is refused --------------------------------------------------------------------------------------

#define BALL "'colliders': [ { 'shape': { 'kind': 'circle', 'radius': 1 } } ]"
#define AREA "'area': { 'lower': [0, 0], 'upper': [1, 1] }"

typedef struct BadScene
{
    const char* text;
    int line, column;
    const char* field;
    const char* what; // a part of it
} BadScene;

static const BadScene badScenes[] = {
    { "{", 1, 1, "", "" },
    { "{ 'dimension': 2, 'dimension': 3 }", 1, 29, "", "duplicate" },
    { "[]", 1, 1, "", "not an object" },
    { "{}", 1, 1, "", "has no \"dimension\"" },
    { "{ 'dimension': 4 }", 1, 16, "dimension", "from 2 to 3" },
    { "{ 'dimension': 2,\n  'gravity': 1 }", 2, 14, "gravity", "unknown; what may stand here is about" },
    { "{ 'dimension': 2, 'steps': 0 }", 1, 28, "steps", "whole number" },
    { "{ 'dimension': 2, 'steps': 1.5 }", 1, 28, "steps", "whole number" },
    { "{ 'dimension': 2, 'timeStep': 0 }", 1, 31, "timeStep", "not from 1e-06" },
    { "{ 'dimension': 2, 'about': 1 }", 1, 28, "about", "not a string" },
    { "{ 'dimension': 2, 'world': { 'gravity': [1] } }", 1, 41, "world.gravity", "array of 2 numbers" },
    { "{ 'dimension': 2, 'world': { 'gravity': [1, 1e39] } }", 1, 45, "world.gravity[1]", "float" },
    { "{ 'dimension': 2, 'world': { 'speed': 1 } }", 1, 39, "world.speed", "unknown" },
    { "{ 'dimension': 2, 'world': { 'kind': 'heap' } }", 1, 38, "world.kind", "" },
    { "{ 'dimension': 2, 'world': { 'leaveMargin': -1 } }", 1, 45, "world.leaveMargin", "not from 0" },
    { "{ 'dimension': 2, 'world': { 'pushIterations': 1001 } }", 1, 48, "world.pushIterations", "0 to 1000" },
    { "{ 'dimension': 2, 'world': { 'contactMargin': 1 } }", 1, 28, "world", "leaveMargin is below" },
    { "{ 'dimension': 2, 'layers': [] }", 1, 29, "layers", "not an object" },
    { "{ 'dimension': 2, 'layers': { 'a': ['b'] } }", 1, 37, "layers.a[0]", "no layer \"b\"" },
    { "{ 'dimension': 2, 'layers': { 'a': 1 } }", 1, 36, "layers.a", "not \"all\"" },
    { "{ 'dimension': 2, 'bodies': 1 }", 1, 29, "bodies", "not an array" },
    { "{ 'dimension': 2, 'bodies': [1] }", 1, 30, "bodies[0]", "not an object" },
    { "{ 'dimension': 2, 'bodies': [{}] }", 1, 30, "bodies[0]", "has no \"colliders\"" },
    { "{ 'dimension': 2, 'bodies': [{ 'count': 1 }] }", 1, 41, "bodies[0].count", "unknown" },
    { "{ 'dimension': 2, 'bodies': [{ 'colliders': [] }] }", 1, 45, "bodies[0].colliders", "1 to" },
    { "{ 'dimension': 2, 'bodies': [{ 'colliders': [{}] }] }", 1, 46, "bodies[0].colliders[0]", "\"shape\"" },
    { "{ 'dimension': 2, 'bodies': [{ 'colliders': [ { 'shape': { 'kind': 'circle', 'radius': -1 } } ] }] }",
        1, 58, "bodies[0].colliders[0].shape", "negative" },
    { "{ 'dimension': 2, 'bodies': [{ 'colliders': [ { 'shape': { 'kind': 'sphere' } } ] }] }", 1, 68,
        "bodies[0].colliders[0].shape.kind", "not a kind in 2D" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL ", 'mass': 0 }] }", 2, 76, "bodies[0].mass", "not from" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL ", 'type': 'soft' }] }", 2, 76, "bodies[0].type",
        "static, kinematic, dynamic" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL ", 'response': 'solve' }] }", 2, 80, "bodies[0].response",
        "detect, push, slide" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL ", 'awake': 1 }] }", 2, 77, "bodies[0].awake",
        "true or false" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL ", 'damping': -1 }] }", 2, 79, "bodies[0].damping",
        "not from 0" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL ", 'pose': { 'rotation': [0, 0] } }] }", 2, 76,
        "bodies[0].pose", "" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL ", 'vanishAt': ['a'] }] }", 2, 81, "bodies[0].vanishAt[0]",
        "no layer" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL ", 'behaviour': {} }] }", 2, 81, "bodies[0].behaviour",
        "has no \"kind\"" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL ", 'behaviour': { 'kind': 'sing' } }] }", 2, 91,
        "bodies[0].behaviour.kind", "bounce, fly, chase, patrol, script" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL ", 'behaviour': { 'kind': 'fly' } }] }", 2, 81,
        "bodies[0].behaviour", "has no \"area\"" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL ", 'behaviour': { 'kind': 'fly', 'speed': 1, " AREA " } }] }",
        2, 107, "bodies[0].behaviour.speed", "unknown" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL ", 'behaviour': { 'kind': 'chase', 'speed': 1 } }] }", 2, 81,
        "bodies[0].behaviour", "has no \"layer\"" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL
      ", 'behaviour': { 'kind': 'patrol', 'speed': 1, 'points': [] } }] }",
        2, 123, "bodies[0].behaviour.points", "it has none" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL
      ", 'behaviour': { 'kind': 'script', 'inputs': [ { 'time': 1 }, { 'time': 0 } ] } }] }",
        2, 138, "bodies[0].behaviour.inputs[1].time", "before that" },
    { "{ 'dimension': 2, 'bodies': [\n{ " BALL ", 'slide': { 'maxSlides': 9 } }] }", 2, 92,
        "bodies[0].slide.maxSlides", "from 0 to 8" },
    { "{ 'dimension': 2, 'bodies': [\n{ 'response': 'slide', 'colliders': [ { 'shape': { 'kind': 'segment',"
      " 'points': [ [0, 0], [1, 1] ] } } ] }] }",
        2, 50, "bodies[0].colliders[0].shape", "" },
    { "{ 'dimension': 2, 'emitters': [\n{ " BALL ", " AREA " }] }", 2, 1, "emitters[0]", "has no \"count\"" },
    { "{ 'dimension': 2, 'emitters': [\n{ " BALL ", 'count': 1 }] }", 2, 1, "emitters[0]",
        "has no \"area\"" },
    { "{ 'dimension': 2, 'emitters': [\n{ " BALL ", 'count': 1, 'pose': {} }] }", 2, 88, "emitters[0].pose",
        "unknown" },
    { "{ 'dimension': 2, 'emitters': [\n{ 'count': 1, 'area': { 'lower': [0, 2], 'upper': [1, 1] } }] }", 2,
        23, "emitters[0].area", "lower is above upper" },
    { "{ 'dimension': 2, 'emitters': [\n{ 'count': 1, " AREA ", 'speed': [2, 1] }] }", 2, 70,
        "emitters[0].speed", "two numbers" },
    { "{ 'dimension': 2, 'disturbance': {} }", 1, 34, "disturbance", "has no \"area\"" },
    { "{ 'dimension': 2, 'view': { 'from': 'above' } }", 1, 37, "view.from", "2D" },
    { "{ 'dimension': 2, 'view': { 'lower': [0, 0] } }", 1, 27, "view", "has no \"upper\"" },
    { "{ 'dimension': 2, 'view': { 'lower': [0, 0], 'upper': [0, 1] } }", 1, 27, "view", "not below" },
};

static void whatIsWrongIsSaidWithItsPlace( void** state )
{
    (void)state;
    int wrongCount = 0;
    for ( size_t i = 0; i < sizeof( badScenes ) / sizeof( badScenes[0] ); ++i )
    {
        const BadScene* bad = &badScenes[i];
        joScene scene;
        joJsonError error;
        parse( bad->text, &scene, &error, false );
        const bool isRight = error.line == bad->line && error.column == bad->column &&
                             strcmp( error.field, bad->field ) == 0 &&
                             strstr( error.what, bad->what ) != NULL;
        if ( !isRight )
        {
            print_error( "%s\nis refused as %d:%d: %s: %s\n", bad->text, error.line, error.column,
                error.field, error.what );
        }
        wrongCount += isRight ? 0 : 1;
        // Nothing is left to be freed.
        assert_true( scene.bodies == NULL && scene.about == NULL && scene.layerCount == 0 );
    }
    assert_int_equal( wrongCount, 0 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "every field of a scene in 2D is read", everyFieldIsRead ),
        TEST( "scenes in 3D are read", threeDimensionsAreRead ),
        TEST( "what is wrong is said with its line, column and field", whatIsWrongIsSaidWithItsPlace ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
