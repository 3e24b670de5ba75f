// SPDX-License-Identifier: MIT
#include "workload.h"

#include "base/float_env.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* const kindTexts[jo_workloadKindCount] = { "pairs-a", "pairs-b", "pairs-c", "pairs-clumps",
    "pairs-long", "pairs-still", "pairs-pile", "pairs-change" };

#define PREFIX_LENGTH 6 // "pairs-"

#define BIG_HALF 10.0f
#define CLUMP_SIZE 500
#define CLUMP_OFFSET -10000.0f
#define LONG_RATIO 1000.0
#define PILE_OVERLAPS 200.0
#define COMING_SHARE 100
#define APART_SIDE 50000.0f // half the side of the world after the change: six deviations of the farthest
#define APART_DECADES 9.0f  // of the natural logarithm

const char* joWorkloadKindText( joWorkloadKind kind )
{
    return kind >= 0 && kind < jo_workloadKindCount ? kindTexts[kind] : NULL;
}

bool joFindWorkloadKind( const char* name, joWorkloadKind* kind )
{
    for ( int i = 0; i < jo_workloadKindCount; ++i )
    {
        if ( strcmp( name, kindTexts[i] ) == 0 || strcmp( name, kindTexts[i] + PREFIX_LENGTH ) == 0 )
        {
            *kind = (joWorkloadKind)i;
            return true;
        }
    }
    return false;
}

uint32_t joWorkloadDefaultCount( joWorkloadKind kind )
{
    (void)kind;
    return 10000;
}

// Newton's iteration in + * / only.
double joCubeRoot( double value )
{
    // From above the root every step goes down, until rounding stops it.
    double root = value > 1.0 ? value : 1.0;
    for ( int i = 0; i < 200; ++i )
    {
        double next = ( 2.0 * root + value / ( root * root ) ) / 3.0;
        if ( !( next < root ) )
        {
            break;
        }
        root = next;
    }
    return root;
}

static void SwapBytes( char* a, char* b, size_t size )
{
    char held[16];
    memcpy( held, a, size );
    memcpy( a, b, size );
    memcpy( b, held, size );
}

// Fisher and Yates, as by Durstenfeld, 1964. Elements of at most 16 bytes.
static void Shuffle( joRandom* random, void* elements, size_t elementSize, uint32_t count )
{
    char* bytes = elements;
    for ( uint32_t i = count; i > 1; --i )
    {
        uint32_t j = joRandom_Below( random, i );
        if ( j != i - 1 )
        {
            SwapBytes( bytes + ( i - 1 ) * elementSize, bytes + j * elementSize, elementSize );
        }
    }
}

// One reflection is enough for any step that is shorter than the world; what is left after it is cut.
static float Reflect( float value, float lower, float upper )
{
    if ( value < lower )
    {
        value = lower + ( lower - value );
    }
    else if ( value > upper )
    {
        value = upper - ( value - upper );
    }
    return value < lower ? lower : ( value > upper ? upper : value );
}

static void SetWorld( joWorkload* workload, double offset, double sideX, double sideYZ )
{
    for ( int axis = 0; axis < workload->dimension; ++axis )
    {
        workload->lower[axis] = (float)offset;
        workload->upper[axis] = (float)( offset + ( axis == 0 ? sideX : sideYZ ) );
    }
}

static void MakeWorld( joWorkload* workload )
{
    double count = workload->count;
    double side = joCubeRoot( 2.0 * count );
    switch ( workload->kind )
    {
        case jo_pairsB:
            side = joCubeRoot( 2.0 * count * JO_PAIRS_B_MEAN_CUBE );
            SetWorld( workload, 0.0, side, side );
            break;
        case jo_pairsC:
        case jo_pairsStill:
        case jo_pairsChange:
            side = sqrt( count );
            SetWorld( workload, 0.0, side, side );
            break;
        case jo_pairsClumps:
            SetWorld( workload, CLUMP_OFFSET, side, side );
            break;
        case jo_pairsLong:
        {
            double width = joCubeRoot( 2.0 * count / LONG_RATIO );
            SetWorld( workload, 0.0, LONG_RATIO * width, width );
            break;
        }
        case jo_pairsPile:
        {
            // Two uniform centres in [0, L] are within 1 of each other with the chance t = ( 2 L - 1 ) / L^2,
            // so ( n - 1 ) t^3 = 200. For so few boxes that no L > 1 does it, L = 1: all overlap.
            double chance = workload->count > 1 ? joCubeRoot( PILE_OVERLAPS / ( count - 1.0 ) ) : 1.0;
            side = chance < 1.0 ? ( 1.0 + sqrt( 1.0 - chance ) ) / chance : 1.0;
            SetWorld( workload, 0.0, side, side );
            break;
        }
        default:
            SetWorld( workload, 0.0, side, side );
            break;
    }
}

static void MakeHalves( joWorkload* workload )
{
    uint32_t count = workload->count;
    float* halves = workload->halves;
    uint32_t bigCount = 0;
    if ( workload->kind == jo_pairsB )
    {
        bigCount = count / 1000 > 3 ? count / 1000 : 3;
        bigCount = bigCount < count ? bigCount : count;
    }
    for ( uint32_t i = 0; i < count; ++i )
    {
        float half = 0.5f;
        if ( i < bigCount )
        {
            half = BIG_HALF;
        }
        else if ( workload->kind == jo_pairsB )
        {
            half = 0.5f * joExp( 0.8f * joRandom_Normal( &workload->random ) );
        }
        halves[i] = half;
        workload->largestHalf = half > workload->largestHalf ? half : workload->largestHalf;
    }
    if ( bigCount > 0 )
    {
        Shuffle( &workload->random, halves, sizeof( float ), count );
    }
}

static void MakeUniformCentre( joWorkload* workload, float* centre )
{
    for ( int axis = 0; axis < workload->dimension; ++axis )
    {
        centre[axis] = joRandom_Range( &workload->random, workload->lower[axis], workload->upper[axis] );
    }
}

static void MakeClumps( joWorkload* workload )
{
    uint32_t count = workload->count;
    uint32_t clumpCount = count / CLUMP_SIZE > 1 ? count / CLUMP_SIZE : 1;
    // A clump of m members and standard deviation s has the density m / ( 2 s sqrt( pi ) )^3 on average over
    // its members (the integral of the squared density). That is to be 10 times a's 1/2.
    const double squareRootOfPi = 1.7724538509055160;
    double members = (double)count / clumpCount;
    float deviation = (float)( joCubeRoot( members / 5.0 ) / ( 2.0 * squareRootOfPi ) );
    uint32_t index = 0;
    for ( uint32_t clump = 0; clump < clumpCount; ++clump )
    {
        float middle[3] = { 0.0f, 0.0f, 0.0f };
        MakeUniformCentre( workload, middle );
        uint32_t end = (uint32_t)( (uint64_t)count * ( clump + 1 ) / clumpCount );
        for ( ; index < end; ++index )
        {
            float* centre = workload->centres + (size_t)index * 3;
            for ( int axis = 0; axis < 3; ++axis )
            {
                float value = middle[axis] + deviation * joRandom_Normal( &workload->random );
                centre[axis] = Reflect( value, workload->lower[axis], workload->upper[axis] );
            }
        }
    }
    Shuffle( &workload->random, workload->centres, 3 * sizeof( float ), count );
}

static void MakeCentres( joWorkload* workload )
{
    if ( workload->kind == jo_pairsClumps )
    {
        MakeClumps( workload );
        return;
    }
    for ( uint32_t i = 0; i < workload->count; ++i )
    {
        MakeUniformCentre( workload, workload->centres + (size_t)i * 3 );
    }
}

static void MakeMotion( joWorkload* workload )
{
    uint32_t count = workload->count;
    workload->stillCount = workload->kind == jo_pairsStill ? (uint32_t)( (uint64_t)count * 9 / 10 ) : 0;
    memset( workload->motion, jo_moving, count );
    memset( workload->motion, jo_resting, workload->stillCount );
    if ( workload->stillCount > 0 )
    {
        Shuffle( &workload->random, workload->motion, 1, count );
    }
}

static void SetBoxes( joWorkload* workload )
{
    for ( uint32_t i = 0; i < workload->count; ++i )
    {
        const float* centre = workload->centres + (size_t)i * 3;
        float* box = workload->boxes + (size_t)i * JO_BOX_FLOATS;
        for ( int axis = 0; axis < workload->dimension; ++axis )
        {
            box[axis] = centre[axis] - workload->halves[i];
            box[3 + axis] = centre[axis] + workload->halves[i];
        }
    }
}

joResult joCreateWorkload( joWorkloadKind kind, uint32_t count, uint64_t seed, joWorkload** workloadOut )
{
    if ( workloadOut == NULL )
    {
        return jo_errorNullArgument;
    }
    *workloadOut = NULL;
    if ( joWorkloadKindText( kind ) == NULL )
    {
        return jo_errorUnknownKind;
    }
    if ( count == 0 || count > JO_WORKLOAD_MAX_COUNT )
    {
        return jo_errorBadCount;
    }
    joWorkload* workload = calloc( 1, sizeof( joWorkload ) );
    if ( workload == NULL )
    {
        return jo_errorOutOfMemory;
    }
    workload->kind = kind;
    workload->dimension = kind == jo_pairsC || kind == jo_pairsStill || kind == jo_pairsChange ? 2 : 3;
    workload->changeFrame = JO_WORKLOAD_CHANGE_FRAME;
    workload->count = count;
    workload->random = joMakeRandom( seed );
    workload->boxes = calloc( count, JO_BOX_FLOATS * sizeof( float ) );
    workload->centres = calloc( count, 3 * sizeof( float ) );
    workload->halves = calloc( count, sizeof( float ) );
    workload->motion = calloc( count, 1 );
    if ( workload->boxes == NULL || workload->centres == NULL || workload->halves == NULL ||
         workload->motion == NULL )
    {
        joDestroyWorkload( workload );
        return jo_errorOutOfMemory;
    }
    MakeWorld( workload );
    MakeHalves( workload );
    MakeCentres( workload );
    MakeMotion( workload );
    SetBoxes( workload );
    *workloadOut = workload;
    return jo_success;
}

joResult joCreateWorkloadByName( const char* name, uint32_t count, uint64_t seed, joWorkload** workload )
{
    if ( name == NULL || workload == NULL )
    {
        return jo_errorNullArgument;
    }
    *workload = NULL;
    joWorkloadKind kind;
    if ( !joFindWorkloadKind( name, &kind ) )
    {
        return jo_errorUnknownKind;
    }
    return joCreateWorkload( kind, count, seed, workload );
}

void joDestroyWorkload( joWorkload* workload )
{
    if ( workload == NULL )
    {
        return;
    }
    free( workload->boxes );
    free( workload->centres );
    free( workload->halves );
    free( workload->motion );
    free( workload );
}

// Some boxes are somewhere else.
static void Reappear( joWorkload* workload )
{
    uint32_t coming = workload->count / COMING_SHARE > 1 ? workload->count / COMING_SHARE : 1;
    for ( uint32_t i = 0; i < coming; ++i )
    {
        uint32_t index = joRandom_Below( &workload->random, workload->count );
        MakeUniformCentre( workload, workload->centres + (size_t)index * 3 );
    }
}

// With half extents of 2 / sqrt( n ) of the distance a box overlaps some two to four others, whatever n.
static void FlyApart( joWorkload* workload )
{
    const float extent = 2.0f / (float)sqrt( workload->count );
    SetWorld( workload, (double)-APART_SIDE, 2.0 * (double)APART_SIDE, 2.0 * (double)APART_SIDE );
    workload->largestHalf = extent * joExp( APART_DECADES );
    for ( uint32_t i = 0; i < workload->count; ++i )
    {
        float distance = joExp( APART_DECADES * joRandom_Float( &workload->random ) );
        float* centre = workload->centres + (size_t)i * 3;
        for ( int axis = 0; axis < workload->dimension; ++axis )
        {
            float value = distance * joRandom_Normal( &workload->random );
            centre[axis] = Reflect( value, workload->lower[axis], workload->upper[axis] );
        }
        workload->halves[i] = extent * distance;
    }
}

void joWorkload_Step( joWorkload* workload )
{
    if ( workload->kind == jo_pairsChange && workload->frame + 1 == workload->changeFrame )
    {
        FlyApart( workload );
    }
    else if ( workload->kind == jo_pairsChange && workload->frame + 1 < workload->changeFrame )
    {
        Reappear( workload );
    }
    for ( uint32_t i = 0; i < workload->count; ++i )
    {
        if ( workload->motion[i] != jo_moving )
        {
            continue;
        }
        float* centre = workload->centres + (size_t)i * 3;
        for ( int axis = 0; axis < workload->dimension; ++axis )
        {
            float step = joRandom_Range( &workload->random, -JO_WORKLOAD_STEP, JO_WORKLOAD_STEP );
            centre[axis] = Reflect( centre[axis] + step, workload->lower[axis], workload->upper[axis] );
        }
    }
    SetBoxes( workload );
    workload->frame += 1;
}

void joWorkload_GetBounds( const joWorkload* workload, float* bounds )
{
    memset( bounds, 0, JO_BOX_FLOATS * sizeof( float ) );
    const bool changes = workload->kind == jo_pairsChange;
    const float half = changes ? 2.0f * joExp( APART_DECADES ) : workload->largestHalf;
    for ( int axis = 0; axis < workload->dimension; ++axis )
    {
        bounds[axis] = ( changes ? -APART_SIDE : workload->lower[axis] ) - half;
        bounds[3 + axis] = ( changes ? APART_SIDE : workload->upper[axis] ) + half;
    }
}

// Puts every disc into a random cell of its own. A disc keeps 1 % of the room of its cell from either side,
// so that rounding cannot make two of them overlap.
static void PlaceCrowd(
    joCrowd* crowd, joRandom* random, uint32_t* cells, uint32_t cellsPerSide, double side )
{
    uint32_t cellCount = cellsPerSide * cellsPerSide;
    for ( uint32_t i = 0; i < cellCount; ++i )
    {
        cells[i] = i;
    }
    Shuffle( random, cells, sizeof( uint32_t ), cellCount );
    double cellSide = side / cellsPerSide;
    double room = cellSide - 2.0 * (double)JO_CROWD_RADIUS;
    for ( uint32_t i = 0; i < crowd->count; ++i )
    {
        double jitterX = 0.01 + 0.98 * (double)joRandom_Float( random );
        double jitterY = 0.01 + 0.98 * (double)joRandom_Float( random );
        double cornerX = cells[i] % cellsPerSide * cellSide + (double)JO_CROWD_RADIUS;
        double cornerY = cells[i] / cellsPerSide * cellSide + (double)JO_CROWD_RADIUS;
        crowd->x[i] = (float)( cornerX + room * jitterX );
        crowd->y[i] = (float)( cornerY + room * jitterY );
        float angle = joRandom_Range( random, 0.0f, 6.2831853f );
        crowd->velocityX[i] = JO_CROWD_SPEED * joCos( angle );
        crowd->velocityY[i] = JO_CROWD_SPEED * joSin( angle );
    }
}

joResult joCreateCrowd( uint32_t count, uint64_t seed, joCrowd** crowdOut )
{
    if ( crowdOut == NULL )
    {
        return jo_errorNullArgument;
    }
    *crowdOut = NULL;
    if ( count == 0 || count > JO_WORKLOAD_MAX_COUNT )
    {
        return jo_errorBadCount;
    }
    uint32_t cellsPerSide = (uint32_t)sqrt( (double)count );
    while ( (uint64_t)cellsPerSide * cellsPerSide < count )
    {
        cellsPerSide += 1;
    }
    joCrowd* crowd = calloc( 1, sizeof( joCrowd ) );
    uint32_t* cells = calloc( (size_t)cellsPerSide * cellsPerSide, sizeof( uint32_t ) );
    if ( crowd != NULL )
    {
        crowd->x = calloc( count, sizeof( float ) );
        crowd->y = calloc( count, sizeof( float ) );
        crowd->velocityX = calloc( count, sizeof( float ) );
        crowd->velocityY = calloc( count, sizeof( float ) );
    }
    if ( crowd == NULL || cells == NULL || crowd->x == NULL || crowd->y == NULL || crowd->velocityX == NULL ||
         crowd->velocityY == NULL )
    {
        free( cells );
        joDestroyCrowd( crowd );
        return jo_errorOutOfMemory;
    }
    const double pi = 3.14159265358979324;
    double discArea = pi * (double)JO_CROWD_RADIUS * (double)JO_CROWD_RADIUS;
    double side = sqrt( count * discArea / JO_CROWD_PACKING );
    crowd->count = count;
    crowd->radius = JO_CROWD_RADIUS;
    crowd->side = (float)side;
    joRandom random = joMakeRandom( seed );
    PlaceCrowd( crowd, &random, cells, cellsPerSide, side );
    free( cells );
    *crowdOut = crowd;
    return jo_success;
}

void joDestroyCrowd( joCrowd* crowd )
{
    if ( crowd == NULL )
    {
        return;
    }
    free( crowd->x );
    free( crowd->y );
    free( crowd->velocityX );
    free( crowd->velocityY );
    free( crowd );
}

static void MoveAxis(
    float* position, float* velocity, uint32_t count, float timeStep, float lower, float upper )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        float next = position[i] + velocity[i] * timeStep;
        if ( next < lower )
        {
            velocity[i] = fabsf( velocity[i] );
        }
        else if ( next > upper )
        {
            velocity[i] = -fabsf( velocity[i] );
        }
        position[i] = Reflect( next, lower, upper );
    }
}

void joCrowd_Move( joCrowd* crowd, float timeStep )
{
    float lower = crowd->radius;
    float upper = crowd->side - crowd->radius;
    MoveAxis( crowd->x, crowd->velocityX, crowd->count, timeStep, lower, upper );
    MoveAxis( crowd->y, crowd->velocityY, crowd->count, timeStep, lower, upper );
}
