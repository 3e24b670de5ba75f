// SPDX-License-Identifier: MIT
#include "reference/push_reference.h"

#include "base/float_env.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Scene
{
    ReferenceBody* bodies;
    double ( *start )[3];
    double ( *previous )[3];
    double ( *next )[3];
    uint32_t* contacts;
    uint32_t* nextContacts;
    uint32_t count;
    int axisCount;
} Scene;

static double overlapOf( const ReferenceBody* a, const ReferenceBody* b, int axisCount, double* distance )
{
    double distanceSq = 0.0;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        const double difference = a->position[axis] - b->position[axis];
        distanceSq += difference * difference;
    }
    *distance = sqrt( distanceSq );
    const bool bothStill = a->inverseMass == 0.0 && b->inverseMass == 0.0;
    const double overlap = a->radius + b->radius - *distance;
    return overlap > 0.0 && !bothStill ? overlap : 0.0;
}

double referenceDeepest( const ReferenceBody* bodies, uint32_t count, int axisCount, uint64_t* overlaps )
{
    double deepest = 0.0;
    uint64_t found = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        for ( uint32_t j = i + 1; j < count; ++j )
        {
            double distance;
            const double overlap = overlapOf( &bodies[i], &bodies[j], axisCount, &distance );
            found += overlap > 0.0;
            deepest = overlap > deepest ? overlap : deepest;
        }
    }
    if ( overlaps != NULL )
    {
        *overlaps = found;
    }
    return deepest;
}

// What floats at these positions can tell.
static bool isWorthAPush( const ReferenceBody* a, const ReferenceBody* b, int axisCount, double overlap )
{
    double largest = a->radius + b->radius;
    for ( int axis = 0; axis < axisCount; ++axis )
    {
        largest = fmax( largest, fmax( fabs( a->position[axis] ), fabs( b->position[axis] ) ) );
    }
    return overlap > 0.0 && overlap > largest * 0x1p-21;
}

// New starts; returns the longest way one body must go to leave one overlap.
static double start( Scene* scene )
{
    double need = 0.0;
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        const ReferenceBody* body = &scene->bodies[i];
        memcpy( scene->start[i], body->position, sizeof( body->position ) );
        scene->contacts[i] = 0;
        for ( uint32_t j = 0; j < scene->count; ++j )
        {
            double distance;
            const double overlap = overlapOf( body, &scene->bodies[j], scene->axisCount, &distance );
            if ( j != i && overlap > 0.0 )
            {
                const double share = body->inverseMass / ( body->inverseMass + scene->bodies[j].inverseMass );
                need = overlap * share > need ? overlap * share : need;
                scene->contacts[i] += body->inverseMass > 0.0 &&
                                      isWorthAPush( body, &scene->bodies[j], scene->axisCount, overlap );
            }
        }
    }
    return need;
}

static void sumCorrections( Scene* scene, uint32_t i, double sum[3], double* deepest )
{
    const ReferenceBody* body = &scene->bodies[i];
    scene->nextContacts[i] = 0;
    for ( uint32_t j = 0; j < scene->count; ++j )
    {
        double distance;
        const double overlap = overlapOf( body, &scene->bodies[j], scene->axisCount, &distance );
        if ( j == i || body->inverseMass == 0.0 ||
             !isWorthAPush( body, &scene->bodies[j], scene->axisCount, overlap ) )
        {
            continue;
        }
        scene->nextContacts[i] += 1;
        *deepest = overlap > *deepest ? overlap : *deepest;
        uint32_t contacts = scene->contacts[i] > scene->contacts[j] ? scene->contacts[i] : scene->contacts[j];
        contacts = contacts > 2 ? contacts : 2;
        const double share = body->inverseMass / ( body->inverseMass + scene->bodies[j].inverseMass );
        const double amount = overlap * share * 2.0 / contacts;
        if ( distance == 0.0 )
        {
            sum[0] += i < j ? -amount : amount;
        }
        for ( int axis = 0; axis < scene->axisCount && distance > 0.0; ++axis )
        {
            sum[axis] += ( body->position[axis] - scene->bodies[j].position[axis] ) / distance * amount;
        }
    }
}

typedef struct PassEnd
{
    double deepest;
    double farthest;
    bool held;
} PassEnd;

static PassEnd pass( Scene* scene, double weight, double limit )
{
    PassEnd end = { 0.0, 0.0, false };
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        double sum[3] = { 0.0, 0.0, 0.0 };
        double deepest = 0.0;
        sumCorrections( scene, i, sum, &deepest );
        end.deepest = deepest > end.deepest ? deepest : end.deepest;
        double wayOfSquares = 0.0;
        for ( int axis = 0; axis < scene->axisCount; ++axis )
        {
            const double now = scene->bodies[i].position[axis];
            const double before = weight == 1.0 ? now : scene->previous[i][axis];
            scene->next[i][axis] = before + weight * ( now + sum[axis] - before );
            const double way = scene->next[i][axis] - scene->start[i][axis];
            wayOfSquares += way * way;
        }
        double length = sqrt( wayOfSquares );
        if ( length > limit )
        {
            for ( int axis = 0; axis < scene->axisCount; ++axis )
            {
                const double from = scene->start[i][axis];
                scene->next[i][axis] = from + ( scene->next[i][axis] - from ) * limit / length;
            }
            length = limit;
            end.held = end.held || deepest > limit / 8.0;
        }
        end.farthest = length > end.farthest ? length : end.farthest;
    }
    return end;
}

static void takeNext( Scene* scene )
{
    for ( uint32_t i = 0; i < scene->count; ++i )
    {
        memcpy( scene->previous[i], scene->bodies[i].position, sizeof( scene->previous[i] ) );
        if ( scene->bodies[i].inverseMass > 0.0 )
        {
            memcpy( scene->bodies[i].position, scene->next[i], (size_t)scene->axisCount * sizeof( double ) );
        }
        scene->contacts[i] = scene->nextContacts[i];
    }
}

static void iterate( Scene* scene, double margin, uint32_t iterations )
{
    const double limit = margin / 2.0;
    bool free = start( scene ) > 2.0 * limit;
    bool again = false;
    double weight = 1.0;
    uint32_t passes = 0;
    for ( uint32_t i = 0; i < iterations; ++i )
    {
        if ( again )
        {
            free = start( scene ) > 2.0 * limit;
            weight = 1.0;
            passes = 0;
        }
        const PassEnd end = pass( scene, weight, free ? (double)INFINITY : limit );
        if ( end.deepest == 0.0 )
        {
            return;
        }
        takeNext( scene );
        passes += 1;
        weight = passes == 1 ? 2.0 / ( 2.0 - 0.75 * 0.75 ) : 4.0 / ( 4.0 - 0.75 * 0.75 * weight );
        again = ( free && end.farthest > limit ) || ( end.held && passes >= 8 );
    }
}

void referencePush( ReferenceBody* bodies, uint32_t count, int axisCount, double margin, uint32_t iterations )
{
    const size_t room = ( (size_t)count + 1 ) * sizeof( double[3] );
    Scene scene = { .bodies = bodies,
        .start = malloc( room ),
        .previous = malloc( room ),
        .next = malloc( room ),
        .contacts = malloc( room ),
        .nextContacts = malloc( room ),
        .count = count,
        .axisCount = axisCount };
    if ( !scene.start || !scene.previous || !scene.next || !scene.contacts || !scene.nextContacts )
    {
        abort();
    }
    iterate( &scene, margin, iterations );
    free( scene.start );
    free( scene.previous );
    free( scene.next );
    free( scene.contacts );
    free( scene.nextContacts );
}
