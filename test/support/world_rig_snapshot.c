// SPDX-License-Identifier: MIT
// Random worlds that are saved and loaded.
#include "support/world_rig.h"

#include "test_support.h"

joShapeTable rigShapes( const worldRig* rig )
{
    // In 3D nothing points to anything.
    return ( joShapeTable ){
        .shape = { rig->polygonRows, sizeof( joShape2 ) }, .count = rig->model.def.dimension == 2 ? 8 : 0 };
}

uint64_t rigSave( worldRig* rig, unsigned char* bytes )
{
    const joShapeTable shapes = rigShapes( rig );
    uint64_t size = 0, asked = 0;
    kitRequire( joWorld_Save( rig->world, &shapes, NULL, 0, &asked, NULL ), "joWorld_Save, for the size" );
    kitRequire(
        joWorld_Save( rig->world, &shapes, bytes, RIG_SNAPSHOT_SIZE - 8, &size, NULL ), "joWorld_Save" );
    assert_int_equal( size, asked );
    return size;
}

// Of a world that was loaded, which must save to the same bytes.
static void checkLoaded( worldRig* rig )
{
    rig->loadCount += 1;
    assert_true( joWorld_Validate( rig->world ) );
    assert_int_equal( rigSave( rig, rig->savedAgain ), rig->savedSize );
    assert_memory_equal( rig->savedAgain, rig->saved, rig->savedSize );
}

void rigChangeWorlds( worldRig* rig, const joBroadPhaseDef* broadPhase, joJobs* jobs )
{
    const joShapeTable shapes = rigShapes( rig );
    unsigned char* bytes = rig->savedAgain + 3; // at no alignment
    const uint64_t size = rigSave( rig, bytes );
    joWorldDef def = rig->model.def;
    def.broadPhase = *broadPhase;
    def.jobs = jobs;
    joDestroyWorld( rig->world );
    rig->world = NULL;
    kitRequire( joCreateWorld( &def, &rig->world ), "joCreateWorld" );
    kitRequire( joWorld_Load( rig->world, &shapes, bytes, size ), "joWorld_Load" );
    rig->loadCount += 1;
}

void rigSaveOrLoad( worldRig* rig )
{
    const joShapeTable shapes = rigShapes( rig );
    if ( rig->savedSize == 0 || rigBelow( rig, 2 ) != 0 )
    {
        rigBeginOperation( rig );
        rig->savedSize = rigSave( rig, rig->saved ); // needs no memory
        rigEndOperation( rig, jo_success );
        modelSave( &rig->model, &rig->savedModel );
        return;
    }
    rigBeginOperation( rig );
    if ( rigEndOperation( rig, joWorld_Load( rig->world, &shapes, rig->saved, rig->savedSize ) ) )
    {
        modelLoad( &rig->model, &rig->savedModel );
        checkLoaded( rig );
    }
}
