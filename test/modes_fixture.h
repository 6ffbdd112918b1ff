// SPDX-License-Identifier: MIT
//
// modes_fixture.h: natural frequencies of models and scenes.

#pragma once

#include "physics_fixture.h"

// Of small models for sanitizers.
static inline double Coarser(void)
{
    return Sanitized() ? 2.0 : 1.0;
}

static inline rslModes* ModesOf(const rslModel* model, const rslState* state, int count, double tolerance)
{
    rslModesDef def = rslDefaultModesDef();
    rslModes* modes = NULL;
    rslReport report = { 0 };
    def.count = count;
    def.tolerance = tolerance;
    def.threads = 2;
    rslStatus status = rslModes_Find(model, state, &def, NULL, &modes, &report);
    if (status != rsl_ok)
    {
        PrintReport(&report);
    }
    assert_int_equal(status, rsl_ok);
    return modes;
}

// Of a scene at its start.
static inline rslModes* ModesOfScene(const rslScene* scene, int count, double tolerance)
{
    rslModel* model = Built(scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    rslModes* modes = ModesOf(model, state, count, tolerance);
    rslState_Free(state);
    rslModel_Free(model);
    return modes;
}

static inline rslScene Beam(rslShapeDef* shape, rslBodyDef* body, rslConstraintDef* pin, double scale, double spacing)
{
    *shape = BoxShape(4.0 * scale, scale, scale);
    *body = LatticeBody("beam", shape, spacing * scale);
    *pin = PinOf(SideOf("beam", (rslVec3){ -1.999 * scale, 0, 0 }, (rslVec3){ -1, 0, 0 }));
    rslScene scene = SceneOf(body, 1);
    scene.constraints = pin;
    scene.constraintCount = pin->nodes.body != NULL ? 1 : 0;
    return scene;
}
