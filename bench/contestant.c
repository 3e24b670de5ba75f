// SPDX-License-Identifier: MIT
#include "contestant.h"

#include "options.h"

#include <stdio.h>
#include <string.h>

#define FIRST_CAPACITY 1024

static void Die( const char* message )
{
    fprintf( stderr, "jostle-bench: %s\n", message );
    exit( 3 );
}

void* benchAllocate( size_t count, size_t size )
{
    void* memory = calloc( count > 0 ? count : 1, size );
    if ( memory == NULL )
    {
        Die( "out of memory" );
    }
    return memory;
}

benchContestant* benchAddContestant(
    benchField* field, const char* library, const char* version, const char* kind )
{
    if ( field->count == BENCH_MAX_CONTESTANTS )
    {
        Die( "more kinds, threads and peers than there are places for" );
    }
    benchContestant* contestant = field->contestants + field->count++;
    memset( contestant, 0, sizeof( *contestant ) );
    contestant->library = library;
    snprintf( contestant->version, sizeof( contestant->version ), "%s", version );
    contestant->kind = kind;
    contestant->isa = "";
    contestant->threads = 1;
    return contestant;
}

benchContestant* benchAddJostle( benchField* field, const char* kind, uint32_t threads )
{
    benchContestant* contestant = benchAddContestant( field, "jostle", joGetVersionText(), kind );
    contestant->isa = joIsaText( joGetIsa() );
    contestant->threads = threads;
    contestant->ours = true;
    contestant->isJostles = true;
    return contestant;
}

void benchDestroyField( benchField* field )
{
    for ( uint32_t i = 0; i < field->count; ++i )
    {
        field->contestants[i].destroy( field->contestants[i].state );
    }
    field->count = 0;
}

void benchReservePairs( benchPairList* pairs, uint64_t capacity )
{
    if ( capacity <= pairs->capacity )
    {
        return;
    }
    capacity = capacity < FIRST_CAPACITY ? FIRST_CAPACITY : capacity;
    joPair* data = realloc( pairs->data, (size_t)capacity * sizeof( joPair ) );
    if ( data == NULL )
    {
        Die( "out of memory for pairs" );
    }
    pairs->data = data;
    pairs->capacity = capacity;
}

const char* benchPeerNames( void )
{
    static const char names[] = ""
#ifdef BENCH_HAVE_EMBREE
                                ", Embree"
#endif
#ifdef BENCH_HAVE_CGAL
                                ", CGAL"
#endif
#ifdef BENCH_HAVE_BULLET
                                ", Bullet"
#endif
#ifdef BENCH_HAVE_CHIPMUNK
                                ", Chipmunk"
#endif
#ifdef BENCH_HAVE_NANOFLANN
                                ", nanoflann"
#endif
#ifdef BENCH_HAVE_ODE
                                ", ODE"
#endif
#ifdef BENCH_HAVE_LIBCCD
                                ", libccd"
#endif
#ifdef BENCH_HAVE_FCL
                                ", FCL"
#endif
        ;
    return sizeof( names ) > 1 ? names + 2 : "none";
}

void benchAddPeers( benchField* field, const benchScene* scene, uint32_t threads )
{
    (void)field;
    (void)scene;
    (void)threads;
    if ( scene->crowd != NULL )
    {
#ifdef BENCH_HAVE_CHIPMUNK
        benchAddChipmunkCrowd( field, scene, threads );
#endif
        return;
    }
    if ( scene->twoSets != NULL )
    {
#ifdef BENCH_HAVE_EMBREE
        benchAddEmbreeTwoSets( field, scene, threads );
#endif
#ifdef BENCH_HAVE_CGAL
        benchAddCgalTwoSets( field, scene, threads );
#endif
        return;
    }
#ifdef BENCH_HAVE_EMBREE
    benchAddEmbree( field, scene, threads );
#endif
#ifdef BENCH_HAVE_CGAL
    benchAddCgal( field, scene, threads );
#endif
#ifdef BENCH_HAVE_BULLET
    benchAddBullet( field, scene, threads );
#endif
#ifdef BENCH_HAVE_CHIPMUNK
    benchAddChipmunkPairs( field, scene, threads );
#endif
}

void benchAddQueryPeers( benchField* field, const benchQueryScene* scene, uint32_t threads )
{
    (void)field;
    (void)scene;
    (void)threads;
#ifdef BENCH_HAVE_EMBREE
    benchAddEmbreeQueries( field, scene, threads );
#endif
#ifdef BENCH_HAVE_BULLET
    benchAddBulletQueries( field, scene, threads );
#endif
#ifdef BENCH_HAVE_NANOFLANN
    benchAddNanoflann( field, scene, threads );
#endif
#ifdef BENCH_HAVE_CGAL
    benchAddCgalNearest( field, scene, threads );
#endif
}

static void AddBoxPeers( benchField* field, const benchPairScene* scene, uint32_t threads )
{
    (void)field;
    (void)scene;
    (void)threads;
#ifdef BENCH_HAVE_ODE
    benchAddOde( field, scene, threads );
#endif
#ifdef BENCH_HAVE_BULLET
    benchAddBulletBoxes( field, scene, threads );
#endif
}

void benchAddBoxContestants(
    benchField* field, const benchPairScene* scene, uint32_t threads, const benchOptions* options )
{
    if ( scene->pairs != NULL )
    {
        benchAddJostleBoxes( field, scene, threads );
    }
    for ( int kind = 0; kind < jo_broadPhaseKindCount && scene->pairs == NULL; ++kind )
    {
        const bool isLeftOut =
            kind == jo_bruteForce && !options->kindsNamed && scene->count > BENCH_BRUTE_FORCE_LIMIT;
        if ( options->kinds[kind] && !isLeftOut )
        {
            benchAddJostleWorld( field, scene, (joBroadPhaseKind)kind, threads );
        }
    }
    benchAddPlainBoxes( field, scene, threads );
    if ( options->peers )
    {
        AddBoxPeers( field, scene, threads );
    }
}

void benchAddFlatContestants(
    benchField* field, const benchPairScene* scene, uint32_t threads, const benchOptions* options )
{
    (void)options;
    benchAddJostleFlat( field, scene, threads );
#ifdef BENCH_HAVE_CHIPMUNK
    if ( options->peers )
    {
        benchAddChipmunkFlat( field, scene, threads );
    }
#endif
}

void benchAddRoundContestants(
    benchField* field, const benchPairScene* scene, uint32_t threads, const benchOptions* options )
{
    (void)options;
    benchAddJostleBoxes( field, scene, threads );
#ifdef BENCH_HAVE_ODE
    if ( options->peers )
    {
        benchAddOdeRound( field, scene, threads );
    }
#endif
}

void benchAddHullContestants(
    benchField* field, const benchPairScene* scene, uint32_t threads, const benchOptions* options )
{
    if ( scene->question != bench_askDistances )
    {
        benchAddJostleBatch( field, scene, threads );
    }
    if ( threads != 1 )
    {
        return; // the others are single calls
    }
    benchAddJostleHulls( field, scene );
    if ( options->peers )
    {
#ifdef BENCH_HAVE_LIBCCD
        benchAddLibccd( field, scene );
#endif
#ifdef BENCH_HAVE_FCL
        benchAddFcl( field, scene );
#endif
#ifdef BENCH_HAVE_BULLET
        benchAddBulletHulls( field, scene );
#endif
    }
}
