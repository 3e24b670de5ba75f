// SPDX-License-Identifier: MIT
// What the tests of queries share; see query_kit.h.
#include "query_kit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined( __SSE__ )
#include <xmmintrin.h>
#endif

// --- drawing ----------------------------------------------------------------------------------------------

typedef struct Draw
{
    const refSceneDef* def;
    refRandom* random;
    const refObject* objects;
    uint32_t count;
} Draw;

static double nextTo( double x, bool up )
{
    return (double)nextafterf( (float)x, up ? HUGE_VALF : -HUGE_VALF );
}

static double finite( double x )
{
    return refFloat( x ); // the nearest float that is not infinite
}

static void boundsOf( const refObject* object, double lower[3], double upper[3] )
{
    for ( int k = 0; k < 3; ++k )
    {
        lower[k] = object->round ? object->center[k] - object->radius : object->lower[k];
        upper[k] = object->round ? object->center[k] + object->radius : object->upper[k];
    }
}

// On a corner, an edge, a face, the middle or beside an object.
static void drawPlaceAtObject( const Draw* draw, double place[3] )
{
    double lower[3], upper[3];
    boundsOf( draw->objects + refBelow( draw->random, draw->count ), lower, upper );
    bool isCorner = refChance( draw->random, 0.3 );
    for ( int k = 0; k < 3; ++k )
    {
        double size = fmin( upper[k] - lower[k], 4.0 * draw->def->side );
        switch ( isCorner ? refBelow( draw->random, 2 ) : refBelow( draw->random, 8 ) )
        {
            case 0:
                place[k] = lower[k];
                break;
            case 1:
                place[k] = upper[k];
                break;
            case 2:
            case 3:
                place[k] = 0.5 * lower[k] + 0.5 * upper[k];
                break;
            case 4:
                place[k] = isinf( lower[k] ) ? 0.0 : nextTo( lower[k], refChance( draw->random, 0.5 ) );
                break;
            default:
                place[k] = lower[k] + size * refRange( draw->random, -1.0, 2.0 );
                break;
        }
        place[k] = isnan( place[k] ) ? 0.0 : finite( place[k] );
    }
}

static void drawPlace( const Draw* draw, double place[3] )
{
    static const double extremes[] = {
        0.0, -0.0, 1e30, -1e30, (double)FLT_MAX, -(double)FLT_MAX, 0x1p-149, -0x1p-149, 1e10, 1.0 };
    refRandom* random = draw->random;
    uint32_t manner = refBelow( random, 100 );
    if ( manner < 55 && draw->count > 0 )
    {
        drawPlaceAtObject( draw, place );
        return;
    }
    uint32_t span = (uint32_t)fmin( draw->def->side, 1e6 ) + 4;
    for ( int k = 0; k < 3; ++k )
    {
        if ( manner < 80 )
            place[k] = refFloat( refRange( random, -0.7, 0.7 ) * draw->def->side );
        else if ( manner < 97 )
            place[k] = (double)refBelow( random, span ) - floor( 0.5 * span );
        else
            place[k] = refFloat( extremes[refBelow( random, 10 )] );
    }
}

static double distanceBetween( const double a[3], const double b[3], int axisCount )
{
    double sum = 0.0;
    for ( int k = 0; k < axisCount; ++k )
        sum += ( a[k] - b[k] ) * ( a[k] - b[k] );
    return sqrt( sum );
}

// A length or distance; `exact` is one that something lies at.
static double drawReach( const Draw* draw, double exact )
{
    static const double extremes[] = { 0x1p-149, 0x1p-126, 1e-20, 1e20, 1e30, (double)FLT_MAX };
    refRandom* random = draw->random;
    uint32_t manner = refBelow( random, 100 );
    if ( manner < 15 )
        return HUGE_VAL;
    if ( manner < 20 )
        return 0.0;
    if ( manner < 45 )
        return finite( exact );
    if ( manner < 55 )
        return fmax( nextTo( finite( exact ), refChance( random, 0.5 ) ), 0.0 );
    if ( manner < 65 )
        return (double)refBelow( random, 12 );
    if ( manner < 70 )
        return refFloat( extremes[refBelow( random, 6 )] );
    return refFloat( refUnit( random ) * draw->def->side );
}

static void drawDirection( const Draw* draw, const double from[3], const double to[3], double direction[3] )
{
    static const double tiny[] = {
        0.0, -0.0, 0x1p-149, -0x1p-149, 1e-38, -1e-32, 1e-30, -1e-8, 1.0, -1.0, 1e38, -(double)FLT_MAX };
    refRandom* random = draw->random;
    uint32_t manner = refBelow( random, 100 );
    uint32_t axis = refBelow( random, (uint32_t)draw->def->axisCount );
    double sum = 0.0;
    for ( int k = 0; k < 3; ++k )
    {
        if ( manner < 25 )
            direction[k] = k == (int)axis ? ( refChance( random, 0.5 ) ? 2.0 : -1.0 ) : 0.0;
        else if ( manner < 40 )
            direction[k] = (double)refBelow( random, 3 ) - 1.0;
        else if ( manner < 70 )
            direction[k] = finite( to[k] - from[k] );
        else if ( manner < 90 )
            direction[k] = refFloat( refRange( random, -1.0, 1.0 ) );
        else
            direction[k] = refFloat( tiny[refBelow( random, 12 )] );
        sum += k < draw->def->axisCount ? fabs( direction[k] ) : 0.0;
    }
    if ( sum == 0.0 )
        direction[axis] = -1.0;
}

static void drawBoxAbout( const Draw* draw, const double place[3], double lower[3], double upper[3] )
{
    refRandom* random = draw->random;
    uint32_t manner = refBelow( random, 100 );
    refObject other = { .lower = { 0.0, 0.0, 0.0 }, .upper = { 1.0, 1.0, 1.0 } };
    if ( draw->count > 0 )
        other = draw->objects[refBelow( random, draw->count )];
    double otherLower[3], otherUpper[3];
    boundsOf( &other, otherLower, otherUpper );
    for ( int k = 0; k < 3; ++k )
    {
        double size = 0.0;
        if ( manner < 40 )
            size = fmin( otherUpper[k] - otherLower[k], 1e30 );
        else if ( manner < 60 )
            size = (double)refBelow( random, 4 );
        else if ( manner < 80 )
            size = refUnit( random ) * fmin( draw->def->side, 3.0 );
        else if ( manner < 90 )
            size = refUnit( random ) * draw->def->side;
        bool isStart = refChance( random, 0.5 );
        lower[k] = finite( isStart ? place[k] : place[k] - size );
        upper[k] = fmax( finite( isStart ? place[k] + size : place[k] ), lower[k] );
        if ( manner >= 95 && refChance( random, 0.5 ) )
            lower[k] = -HUGE_VAL;
        if ( manner >= 95 && refChance( random, 0.5 ) )
            upper[k] = HUGE_VAL;
    }
}

static void drawFilter( const Draw* draw, kitQuery* query )
{
    refRandom* random = draw->random;
    query->reference.layer = query->reference.mask = UINT64_MAX;
    query->noFilter = refChance( random, 0.5 );
    if ( query->noFilter )
        return;
    if ( draw->def->layerCount > 0 || refChance( random, 0.2 ) )
    {
        query->reference.layer = 1ull << ( 63 - refBelow( random, draw->def->layerCount + 1 ) );
        query->reference.mask = refNext( random ) | refNext( random );
    }
    if ( refChance( random, 0.04 ) )
        *( refChance( random, 0.5 ) ? &query->reference.layer : &query->reference.mask ) = 0;
    if ( refChance( random, 0.5 ) )
    {
        query->reference.ignoredCount = refBelow( random, KIT_IGNORED_KEYS + 1 );
        for ( uint32_t i = 0; i < query->reference.ignoredCount; ++i )
        {
            bool isThere = draw->count > 0 && refChance( random, 0.8 );
            query->ignoredKeys[i] =
                isThere ? draw->objects[refBelow( random, draw->count )].key : (uint32_t)refNext( random );
        }
    }
}

static uint32_t drawK( const Draw* draw )
{
    static const uint32_t some[] = { 0, 1, 1, 2, 3, 8, 16, 17, 33, UINT32_MAX };
    uint32_t manner = refBelow( draw->random, 13 );
    return manner < 10 ? some[manner] : draw->count - 1 + ( manner - 10 ); // n - 1, n, n + 1
}

void kitDrawQuery(
    const refSceneDef* def, refRandom* random, const refObject* objects, uint32_t count, kitQuery* query )
{
    Draw draw = { def, random, objects, count };
    *query = ( kitQuery ){ .unread = refChance( random, 0.5 ) ? NAN : 3.0f };
    refQuery* reference = &query->reference;
    reference->ignoredKeys = query->ignoredKeys;
    double place[3], target[3];
    drawPlace( &draw, place );
    drawPlace( &draw, target );
    reference->kind = (refQueryKind)refBelow( random, ref_queryKindCount );
    memcpy( reference->lower, place, sizeof place );
    memcpy( reference->upper, place, sizeof place );
    if ( reference->kind == ref_overlapBox || reference->kind == ref_sweptBox )
        drawBoxAbout( &draw, place, reference->lower, reference->upper );
    if ( reference->kind == ref_ray || reference->kind == ref_sweptBox )
        drawDirection( &draw, place, target, reference->direction );
    reference->reach = drawReach( &draw, distanceBetween( place, target, def->axisCount ) );
    reference->radius = fmin( reference->reach, (double)FLT_MAX );
    reference->k = drawK( &draw );
    drawFilter( &draw, query );
}

kitForm kitDrawForm( const kitQuery* query, refRandom* random )
{
    bool isWay = query->reference.kind == ref_ray || query->reference.kind == ref_sweptBox;
    return (kitForm)refBelow( random, isWay ? kit_formCount : kit_formClosest );
}

// --- asking -----------------------------------------------------------------------------------------------

void kitToFloats( const double from[3], int dimension, float unread, float to[3] )
{
    for ( int k = 0; k < 3; ++k )
        to[k] = k < dimension ? (float)from[k] : unread;
}

joRay kitToRay( const kitQuery* query, int dimension )
{
    joRay ray = { .length = (float)query->reference.reach };
    kitToFloats( query->reference.lower, dimension, query->unread, ray.origin );
    kitToFloats( query->reference.direction, dimension, query->unread, ray.direction );
    return ray;
}

joSweptBox kitToSweptBox( const kitQuery* query, int dimension )
{
    joSweptBox box = { .length = (float)query->reference.reach };
    kitToFloats( query->reference.lower, dimension, query->unread, box.lower );
    kitToFloats( query->reference.upper, dimension, query->unread, box.upper );
    kitToFloats( query->reference.direction, dimension, query->unread, box.direction );
    return box;
}

// One element more than asked for: it must stay as it was.
static void makeRoom( kitAnswer* answer, uint64_t room )
{
    if ( room + 1 > answer->capacity )
    {
        bool flushesDenormals = answer->flushesDenormals;
        kitFreeAnswer( answer );
        answer->flushesDenormals = flushesDenormals;
        answer->capacity = room + room / 2 + 64;
        answer->keys = malloc( answer->capacity * sizeof( uint32_t ) );
        answer->distances = malloc( answer->capacity * sizeof( float ) );
        answer->hits = malloc( answer->capacity * sizeof( joHit ) );
        assert_true( answer->keys && answer->distances && answer->hits );
    }
    answer->keys[room] = 0xABCD;
    answer->hits[room] = ( joHit ){ 0xABCD, -7.0f };
    answer->isHit = answer->isOverrun = false;
    answer->count = 0;
}

static void takeResults( kitAnswer* answer, uint64_t room, bool isKeys )
{
    answer->isOverrun = isKeys ? answer->keys[room] != 0xABCD : answer->hits[room].key != 0xABCD;
    answer->present = answer->count < room ? answer->count : room;
    for ( uint64_t i = 0; i < answer->present; ++i )
    {
        answer->distances[i] = isKeys ? 0.0f : answer->hits[i].distance;
        answer->keys[i] = isKeys ? answer->keys[i] : answer->hits[i].key;
    }
}

// What is asked, as the library takes it. Made before the host's mode is set, which could lose denormals.
typedef struct Call
{
    const joBroadPhase* broadPhase;
    kitForm form;
    const joQueryFilter* filter;
    joRay ray;
    joSweptBox box;
    float radius;
    uint64_t room;
    uint32_t* keys;
    joHit* hits;
} Call;

static joResult askWay( const Call* call, bool isRay, kitAnswer* answer )
{
    const joBroadPhase* at = call->broadPhase;
    const joQueryFilter* filter = call->filter;
    uint64_t* count = &answer->count;
    switch ( call->form )
    {
        case kit_formClosest:
            return isRay ? joBroadPhase_CastRayClosest( at, &call->ray, filter, answer->hits )
                         : joBroadPhase_CastBoxClosest( at, &call->box, filter, answer->hits );
        case kit_formAny:
            return isRay ? joBroadPhase_CastRayAny( at, &call->ray, filter, &answer->isHit )
                         : joBroadPhase_CastBoxAny( at, &call->box, filter, &answer->isHit );
        default:
            return isRay ? joBroadPhase_CastRayAll( at, &call->ray, filter, call->hits, call->room, count )
                         : joBroadPhase_CastBoxAll( at, &call->box, filter, call->hits, call->room, count );
    }
}

static joResult makeCall( const Call* call, const refQuery* reference, kitAnswer* answer )
{
    const float* lower = call->box.lower;
    switch ( reference->kind )
    {
        case ref_overlapBox:
            return joBroadPhase_OverlapBox( call->broadPhase, lower, call->box.upper, call->filter,
                call->keys, call->room, &answer->count );
        case ref_overlapCircle:
            return joBroadPhase_OverlapCircle(
                call->broadPhase, lower, call->radius, call->filter, call->keys, call->room, &answer->count );
        case ref_nearest:
            return joBroadPhase_FindNearest( call->broadPhase, lower, reference->k, call->ray.length,
                call->filter, call->hits, call->room, &answer->count );
        default:
            return askWay( call, reference->kind == ref_ray, answer );
    }
}

// Denormals are zero, and are flushed to it. Gives the mode that was.
static unsigned flushDenormals( bool isWanted )
{
#if defined( __SSE__ )
    unsigned mode = _mm_getcsr();
    _mm_setcsr( isWanted ? mode | 0x8040u : mode );
    return mode;
#else
    (void)isWanted;
    return 0;
#endif
}

static void restoreMode( unsigned mode )
{
#if defined( __SSE__ )
    _mm_setcsr( mode );
#else
    (void)mode;
#endif
}

joResult kitAsk( const joBroadPhase* broadPhase, int dimension, const kitQuery* query, kitForm form,
    uint64_t room, kitAnswer* answer )
{
    const refQuery* reference = &query->reference;
    joQueryFilter filter = {
        reference->layer, reference->mask, reference->ignoredKeys, reference->ignoredCount };
    room = form == kit_formClosest ? 1 : form == kit_formAny ? 0 : room;
    makeRoom( answer, room );
    Call call = { .broadPhase = broadPhase, .form = form, .room = room };
    call.filter = query->noFilter ? NULL : &filter;
    call.ray = kitToRay( query, dimension );
    call.box = kitToSweptBox( query, dimension );
    call.radius = (float)reference->radius;
    call.keys = room > 0 ? answer->keys : NULL;
    call.hits = room > 0 ? answer->hits : NULL;
    unsigned mode = flushDenormals( answer->flushesDenormals );
    joResult result = makeCall( &call, reference, answer );
    restoreMode( mode );
    // Nothing met is said by the distance alone: any number may be a key.
    if ( form == kit_formClosest )
        answer->count = answer->hits[0].distance < HUGE_VALF ? 1 : 0;
    takeResults( answer, room, reference->kind == ref_overlapBox || reference->kind == ref_overlapCircle );
    return result;
}

void kitFreeAnswer( kitAnswer* answer )
{
    free( answer->keys );
    free( answer->distances );
    free( answer->hits );
    *answer = ( kitAnswer ){ 0 };
}

bool kitAgrees( const kitAnswer* answer, kitForm form, uint64_t room, const kitAnswer* all )
{
    if ( answer->isOverrun )
        return false;
    if ( form == kit_formAny )
        return answer->isHit == ( all->count > 0 );
    room = form == kit_formClosest ? 1 : room;
    uint64_t count = form == kit_formClosest && all->count > 1 ? 1 : all->count;
    uint64_t present = count < room ? count : room;
    if ( answer->count != count || answer->present != present )
        return false;
    if ( form == kit_formClosest && count == 0 )
        return answer->hits[0].key == JO_NULL_INDEX && answer->hits[0].distance == HUGE_VALF;
    return present == 0 || ( memcmp( answer->keys, all->keys, present * sizeof( uint32_t ) ) == 0 &&
                               memcmp( answer->distances, all->distances, present * sizeof( float ) ) == 0 );
}

void kitPrintQuery( const kitQuery* query, int dimension )
{
    static const char* const names[ref_queryKindCount] = {
        "OverlapBox", "OverlapCircle", "CastRay", "CastBox", "FindNearest" };
    const refQuery* q = &query->reference;
    print_error( "  %s, %d axes: (%a %a %a) (%a %a %a) radius %a\n", names[q->kind], dimension, q->lower[0],
        q->lower[1], q->lower[2], q->upper[0], q->upper[1], q->upper[2], q->radius );
    print_error( "    direction (%a %a %a) reach %a k %u\n", q->direction[0], q->direction[1],
        q->direction[2], q->reach, q->k );
    print_error( "    layer %llx mask %llx ignored %u%s\n", (unsigned long long)q->layer,
        (unsigned long long)q->mask, q->ignoredCount, query->noFilter ? ", no filter" : "" );
    for ( uint32_t i = 0; i < q->ignoredCount; ++i )
        print_error( "    ignored %u\n", query->ignoredKeys[i] );
}

// --- queries of one's own ---------------------------------------------------------------------------------

static kitQuery makeQuery( refQueryKind kind, const double lower[3], const double upper[3] )
{
    kitQuery query = { .noFilter = true, .unread = NAN };
    query.reference.kind = kind;
    query.reference.layer = query.reference.mask = UINT64_MAX;
    memcpy( query.reference.lower, lower, sizeof query.reference.lower );
    memcpy( query.reference.upper, upper, sizeof query.reference.upper );
    return query;
}

kitQuery kitAskBox( const double lower[3], const double upper[3] )
{
    return makeQuery( ref_overlapBox, lower, upper );
}

kitQuery kitAskCircle( const double center[3], double radius )
{
    kitQuery query = makeQuery( ref_overlapCircle, center, center );
    query.reference.radius = radius;
    return query;
}

kitQuery kitAskRay( const double origin[3], const double direction[3], double length )
{
    kitQuery query = kitAskSweptBox( origin, origin, direction, length );
    query.reference.kind = ref_ray;
    return query;
}

kitQuery kitAskSweptBox(
    const double lower[3], const double upper[3], const double direction[3], double length )
{
    kitQuery query = makeQuery( ref_sweptBox, lower, upper );
    memcpy( query.reference.direction, direction, sizeof query.reference.direction );
    query.reference.reach = length;
    return query;
}

kitQuery kitAskNearest( const double point[3], uint32_t k, double maxDistance )
{
    kitQuery query = makeQuery( ref_nearest, point, point );
    query.reference.k = k;
    query.reference.reach = maxDistance;
    return query;
}

// --- checking ---------------------------------------------------------------------------------------------

static void failQuery( const kitScene* scene, const kitQuery* query, const char* when, const char* why )
{
    kitPrintQuery( query, scene->dimension );
    fail_msg( "%s, %d axes, %s: %s", scene->variant->name, scene->dimension, when, why );
}

static void ask( const kitScene* scene, const kitQuery* query, const char* when, kitForm form, uint64_t room,
    kitAnswer* answer )
{
    joResult result = kitAsk( scene->broadPhase, scene->dimension, query, form, room, answer );
    if ( result != jo_success )
        failQuery( scene, query, when, joResultText( result ) );
}

kitAnswer kitCheckQuery( const kitScene* scene, const kitQuery* query, const char* when )
{
    kitAnswer all = { 0 }, answer = { 0 };
    refHits expected = { 0 };
    refAsk( &query->reference, scene->objects, scene->count, scene->dimension, &expected );
    ask( scene, query, when, kit_formAll, scene->count, &all );
    if ( all.count > scene->count || all.isOverrun )
        failQuery( scene, query, when, "there are more than objects" );
    refFault fault = refFindFault( &expected, all.keys, all.distances, all.count );
    if ( fault.text != NULL )
    {
        print_error( "  key %u: %s; %llu found, %zu expected\n", fault.key, fault.text,
            (unsigned long long)all.count, expected.count );
        failQuery( scene, query, when, "not what the reference says" );
    }
    for ( uint64_t room = 0; room <= all.count && room < 8; ++room )
    {
        ask( scene, query, when, kit_formFew, room, &answer );
        if ( kitAgrees( &answer, kit_formFew, room, &all ) == false )
            failQuery( scene, query, when, "a small buffer does not get the first ones" );
    }
    bool isWay = query->reference.kind == ref_ray || query->reference.kind == ref_sweptBox;
    for ( kitForm form = kit_formClosest; isWay && form < kit_formCount; ++form )
    {
        ask( scene, query, when, form, 0, &answer );
        if ( kitAgrees( &answer, form, 0, &all ) == false )
            failQuery( scene, query, when, "the closest, or whether there is any, differs" );
    }
    refFreeHits( &expected );
    kitFreeAnswer( &answer );
    return all;
}

void kitExpect( const kitScene* scene, const kitQuery* query, const char* when, const uint32_t* keys,
    const float* distances, uint64_t count )
{
    kitAnswer all = kitCheckQuery( scene, query, when );
    bool isSame = all.count == count;
    for ( uint64_t i = 0; i < count && isSame; ++i )
        isSame = all.keys[i] == keys[i] && ( distances == NULL || all.distances[i] == distances[i] );
    if ( isSame == false )
    {
        print_error(
            "  %llu expected, %llu there:\n", (unsigned long long)count, (unsigned long long)all.count );
        for ( uint64_t i = 0; i < all.count; ++i )
            print_error( "    key %u at %a\n", all.keys[i], (double)all.distances[i] );
        failQuery( scene, query, when, "not what was expected" );
    }
    kitFreeAnswer( &all );
}

void kitUpdate( kitScene* scene )
{
    kitRequire( joBroadPhase_Update( scene->broadPhase ), "Update" );
}

void kitCheckOnly( const kitScene* scene, kitQuery query, const char* when )
{
    kitAnswer answer = kitCheckQuery( scene, &query, when );
    kitFreeAnswer( &answer );
}

void kitExpectKeys(
    const kitScene* scene, kitQuery query, const char* when, const uint32_t* keys, uint64_t count )
{
    kitExpect( scene, &query, when, keys, NULL, count );
}

void kitExpectHit( const kitScene* scene, kitQuery query, const char* when, uint32_t key, double distance )
{
    float d = (float)distance;
    kitExpect( scene, &query, when, &key, &d, 1 );
}

void kitExpectNothing( const kitScene* scene, kitQuery query, const char* when )
{
    kitExpect( scene, &query, when, NULL, NULL, 0 );
}
