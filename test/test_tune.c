// SPDX-License-Identifier: MIT
// What `jostle tune` is made of: its frames, its candidates, its run.
#include "test_support.h"
#include "tune.h"

#include <math.h>

// The boxes of a frame, wherever they come from, by number.
static void gather( const joTuneSource* source, float* boxes )
{
    const joBoxes parts[2] = { joTuneSource_ViewMoving( source ), joTuneSource_ViewStill( source ) };
    uint32_t seen = 0;
    for ( int part = 0; part < ( source->stillCount > 0 ? 2 : 1 ); ++part )
    {
        const joBoxes* p = parts + part;
        const joColumn columns[6] = { p->lowerX, p->lowerY, p->lowerZ, p->upperX, p->upperY, p->upperZ };
        for ( uint32_t i = 0; i < p->count; ++i, ++seen )
        {
            uint32_t key = i;
            if ( p->key.data != NULL )
            {
                memcpy( &key, (const char*)p->key.data + i * p->key.stride, sizeof( key ) );
            }
            for ( int k = 0; k < 6; ++k )
            {
                memcpy( boxes + 6 * (size_t)key + k, (const char*)columns[k].data + i * columns[k].stride,
                    sizeof( float ) );
            }
        }
    }
    assert_int_equal( seen, source->count );
}

static void framesOfAWorkloadAreThoseOfTheGenerator( void** state )
{
    (void)state;
    enum
    {
        count = 300,
        frames = 6
    };
    static float boxes[6 * count];
    for ( int kind = 0; kind < jo_workloadKindCount; ++kind )
    {
        for ( int resting = 0; resting < 2; ++resting )
        {
            joTuneSource source;
            assert_int_equal(
                joTuneSource_OpenWorkload( &source, (joWorkloadKind)kind, count, frames, 7, resting == 1 ),
                jo_success );
            assert_int_equal( source.stillCount, resting && kind == jo_pairsStill ? 270 : 0 );
            // Forwards, and back again.
            static const uint32_t order[] = { 0, 2, 3, 5, 1, 0, 4 };
            for ( size_t i = 0; i < sizeof( order ) / sizeof( order[0] ); ++i )
            {
                joWorkload* workload;
                assert_int_equal( joCreateWorkload( (joWorkloadKind)kind, count, 7, &workload ), jo_success );
                workload->changeFrame = frames / 2;
                while ( workload->frame < order[i] )
                {
                    joWorkload_Step( workload );
                }
                assert_true( joTuneSource_Seek( &source, order[i] ) );
                gather( &source, boxes );
                assert_memory_equal( boxes, workload->boxes, sizeof( boxes ) );
                joDestroyWorkload( workload );
            }
            joTuneSource_Close( &source );
        }
    }
}

// Three boxes in three frames: the first never changes, the second in the last frame only.
static void makeFile( joBoxFile* file, uint32_t frames )
{
    *file = ( joBoxFile ){ .dimension = 2, .count = 3, .frameCount = frames, .keptFrames = frames };
    file->boxes = calloc( 3 * frames, JO_BOX_FLOATS * sizeof( float ) );
    assert_non_null( file->boxes );
    for ( uint32_t i = 0; i < 3 * frames; ++i )
    {
        float* box = file->boxes + (size_t)i * JO_BOX_FLOATS;
        const uint32_t frame = i / 3;
        box[0] = i % 3 == 0 ? 1.0f : ( i % 3 == 1 ? ( frame == 2 ? 6.0f : 5.0f ) : 10.0f + (float)frame );
        box[3] = box[0] + 1.0f;
        box[4] = 1.0f;
    }
}

static void boxesOfAFileThatNeverChangeRest( void** state )
{
    (void)state;
    static float boxes[6 * 3];
    for ( int resting = 0; resting < 2; ++resting )
    {
        joBoxFile file;
        makeFile( &file, 3 );
        joTuneSource source;
        assert_true( joTuneSource_OpenFile( &source, &file, 3, resting == 1 ) );
        assert_null( file.boxes );
        assert_int_equal( source.stillCount, resting );
        for ( uint32_t frame = 3; frame-- > 0; )
        {
            assert_true( joTuneSource_Seek( &source, frame ) );
            gather( &source, boxes );
            assert_memory_equal( boxes, joBoxFile_GetFrame( &source.file, frame ), sizeof( boxes ) );
        }
        joTuneSource_Close( &source );
    }
    // One frame says nothing of what moves, and comes again and again.
    joBoxFile file;
    makeFile( &file, 1 );
    joTuneSource source;
    assert_true( joTuneSource_OpenFile( &source, &file, 9, true ) );
    assert_int_equal( source.stillCount, 0 );
    assert_true( joTuneSource_Seek( &source, 8 ) );
    gather( &source, boxes );
    assert_memory_equal( boxes, source.file.boxes, sizeof( boxes ) );
    joTuneSource_Close( &source );
}

static bool countCalls( const joTuneProgress* progress, void* context )
{
    uint32_t* calls = context;
    assert_true( progress->stage >= 1 && progress->stage <= JO_TUNE_STAGES );
    assert_true( progress->frame >= 1 && progress->frame <= progress->frameCount );
    assert_true( progress->candidateCount > 0 && progress->secondsLeft >= 0.0 );
    calls[0] += 1;
    return calls[1] == 0 || calls[0] < calls[1];
}

static joTuneDef makeDef( joTuneSource* source, uint32_t* calls )
{
    return ( joTuneDef ){
        .source = source, .threads = 1, .queryCount = 3, .progress = countCalls, .progressContext = calls };
}

static void aRunEndsWithABestARecommendedAndAChoice( void** state )
{
    (void)state;
    static joTune tune;
    for ( int kind = 0; kind < jo_workloadKindCount; ++kind )
    {
        joTuneSource source;
        assert_int_equal(
            joTuneSource_OpenWorkload( &source, (joWorkloadKind)kind, 400, 5, 1, true ), jo_success );
        uint32_t calls[2] = { 0, 0 };
        const joTuneDef def = makeDef( &source, calls );
        if ( !joTune_Run( &tune, &def ) )
        {
            fail_msg( "%s: %s", source.name, tune.error );
        }
        assert_true( calls[0] > 5 );
        double best = INFINITY;
        uint32_t running = 0;
        for ( uint32_t i = 0; i < tune.candidateCount; ++i )
        {
            const joTuneCandidate* candidate = tune.candidates + i;
            const joTuneTimes* times = &candidate->times;
            if ( candidate->droppedIn != 0 )
            {
                assert_true( candidate->droppedIn < JO_TUNE_STAGES && i != tune.autoIndex );
                continue;
            }
            running += 1;
            assert_true( times->build >= 0.0 && times->pairs >= 0.0 && times->queries >= 0.0 );
            assert_true( times->median > 0.0 && times->mean > 0.0 && times->worst >= times->median );
            assert_true( candidate->memoryBytes > 0 );
            best = i != tune.autoIndex && times->median < best ? times->median : best;
        }
        assert_true( running >= 2 && running < tune.candidateCount );
        assert_true( tune.candidates[tune.bestIndex].times.median == best );
        assert_true( tune.candidates[tune.recommendedIndex].times.median <= JO_TUNE_AS_GOOD * best );
        assert_int_equal( tune.candidates[tune.autoIndex].def.kind, jo_auto );
        assert_true( tune.candidates[tune.autoIndex].choice.isAuto );
        assert_true( joTune_Regret( &tune ) > 0.0 && joTune_MeanRegret( &tune ) > 0.0 );
        joFreeTune( &tune );
        joTuneSource_Close( &source );
    }
}

static void aRunCanBeStopped( void** state )
{
    (void)state;
    static joTune tune;
    joTuneSource source;
    assert_int_equal( joTuneSource_OpenWorkload( &source, jo_pairsA, 100, 5, 1, true ), jo_success );
    uint32_t calls[2] = { 0, 7 };
    const joTuneDef def = makeDef( &source, calls );
    assert_false( joTune_Run( &tune, &def ) );
    assert_string_equal( tune.error, "" );
    assert_int_equal( calls[0], 7 );
    joFreeTune( &tune );
    joTuneSource_Close( &source );
}

static void candidatesDifferAndAreValid( void** state )
{
    (void)state;
    static joTune tune;
    joTuneSource source = { .dimension = 3, .count = 10 };
    tune = ( joTune ){ .def = { .source = &source }, .derivedCellSize = 5.9604645f };
    joTune_AddCandidates( &tune );
    assert_true( tune.candidateCount > 20 && tune.candidateCount <= JO_TUNE_MAX_CANDIDATES );
    uint32_t kinds = 0;
    for ( uint32_t i = 0; i < tune.candidateCount; ++i )
    {
        char text[512], other[512];
        joFormatDef( &tune.candidates[i].def, text, sizeof( text ) );
        for ( uint32_t j = 0; j < i; ++j )
        {
            joFormatDef( &tune.candidates[j].def, other, sizeof( other ) );
            assert_string_not_equal( text, other );
            assert_string_not_equal( tune.candidates[i].name, tune.candidates[j].name );
        }
        joBroadPhase* broadPhase;
        assert_int_equal( joCreateBroadPhase( &tune.candidates[i].def, &broadPhase ), jo_success );
        joDestroyBroadPhase( broadPhase );
        kinds |= 1u << tune.candidates[i].def.kind;
    }
    assert_int_equal( kinds, ( 1u << jo_broadPhaseKindCount ) - 1u );
    // Brute force is quadratic.
    source.count = JO_TUNE_BRUTE_FORCE_LIMIT + 1;
    const uint32_t before = tune.candidateCount;
    tune.candidateCount = 0;
    joTune_AddCandidates( &tune );
    assert_int_equal( tune.candidateCount, before - 1 );
}

static void defsAreWrittenAsC( void** state )
{
    (void)state;
    char text[512];
    joBroadPhaseDef def = joDefaultBroadPhaseDef();
    joFormatDef( &def, text, sizeof( text ) );
    assert_string_equal( text, "joBroadPhaseDef def = joDefaultBroadPhaseDef();\ndef.kind = jo_grid;\n" );
    def.dimension = 2;
    def.cellSize = 3.0f;
    def.levels = 2;
    joFormatDef( &def, text, sizeof( text ) );
    assert_string_equal( text, "joBroadPhaseDef def = joDefaultBroadPhaseDef();\ndef.dimension = 2;\n"
                               "def.kind = jo_grid;\ndef.cellSize = 3.0f;\ndef.levels = 2;\n" );
    def = joDefaultBroadPhaseDef();
    def.kind = jo_tree;
    def.cellSize = 0.125f;
    def.maxDepth = 6;
    def.leafCapacity = 64;
    def.looseness = 1.5f;
    joFormatDef( &def, text, sizeof( text ) );
    assert_string_equal( text, "joBroadPhaseDef def = joDefaultBroadPhaseDef();\ndef.kind = jo_tree;\n"
                               "def.cellSize = 0.125f;\ndef.maxDepth = 6;\ndef.leafCapacity = 64;\n"
                               "def.looseness = 1.5f;\n" );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        TEST( "frames of a workload are those of the generator", framesOfAWorkloadAreThoseOfTheGenerator ),
        TEST( "boxes of a file that never change rest", boxesOfAFileThatNeverChangeRest ),
        TEST( "a run ends with a best, a recommended and a choice", aRunEndsWithABestARecommendedAndAChoice ),
        TEST( "a run can be stopped", aRunCanBeStopped ),
        TEST( "candidates differ and are valid", candidatesDifferAndAreValid ),
        TEST( "defs are written as C", defsAreWrittenAsC ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
