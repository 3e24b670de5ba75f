// SPDX-License-Identifier: MIT
// One entry a structure: a new kind is a file with its table, and a line here. jo_auto is none of them.
#include "kinds.h"

#include <string.h>

static const joStructureKind* const s_kinds[jo_broadPhaseKindCount] = {
    [jo_bruteForce] = &joBruteForceKind,
    [jo_sweep] = &joSweepKind,
    [jo_grid] = &joGridKind,
    [jo_tree] = &joTreeKind,
    [jo_bvh] = &joBvhKind,
};

const joStructureKind* joGetStructureKind( joBroadPhaseKind kind )
{
    return (unsigned)kind < jo_broadPhaseKindCount ? s_kinds[kind] : NULL;
}

const char* joBroadPhaseKindText( joBroadPhaseKind kind )
{
    const joStructureKind* structureKind = joGetStructureKind( kind );
    if ( kind == jo_auto )
    {
        return "auto";
    }
    return structureKind != NULL ? structureKind->name : NULL;
}

joResult joFindBroadPhaseKind( const char* name, joBroadPhaseKind* kind )
{
    if ( name == NULL || kind == NULL )
    {
        return jo_errorNullArgument;
    }
    for ( int i = 0; i < jo_broadPhaseKindCount; ++i )
    {
        const char* text = joBroadPhaseKindText( (joBroadPhaseKind)i );
        if ( text != NULL && strcmp( text, name ) == 0 )
        {
            *kind = (joBroadPhaseKind)i;
            return jo_success;
        }
    }
    return jo_errorUnknownKind;
}
