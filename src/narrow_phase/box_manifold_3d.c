// SPDX-License-Identifier: MIT
// The manifold of two boxes in 3D: what the kernels write is one.
#include "narrow_phase/placed_box.h"

#include <stddef.h>
#include <string.h>

#define POINT_AT( i ) ( offsetof( joManifold3, points ) + ( i ) * sizeof( joManifoldPoint3 ) )

_Static_assert( JO_MAX_BOX_POINTS == JO_MAX_MANIFOLD_POINTS3, "as many points as there are places" );
_Static_assert( offsetof( joManifold3, depth ) == 3 * sizeof( float ) &&
                    POINT_AT( 0 ) == 4 * sizeof( float ) &&
                    offsetof( joManifoldPoint3, depth ) == 3 * sizeof( float ) &&
                    offsetof( joManifoldPoint3, featureId ) == 4 * sizeof( float ) &&
                    sizeof( joManifoldPoint3 ) == 5 * sizeof( float ) &&
                    offsetof( joManifold3, pointCount ) == 24 * sizeof( float ) &&
                    sizeof( joManifold3 ) == 27 * sizeof( float ) && jo_collideComplete == 0,
    "a manifold lies as kernels write it" );

void joFillBoxManifold( const joBoxManifolds* manifolds, uint32_t lane, joManifold3* manifold )
{
    memcpy( manifold, manifolds->records[lane], sizeof( *manifold ) );
}
