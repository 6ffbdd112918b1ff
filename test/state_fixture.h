// SPDX-License-Identifier: MIT
//
// state_fixture.h: models and solvers whose states are saved, and the bytes of these.

#pragma once

#include "support.h"
#include "backend.h"
#include "core_scenes.h"
#include "hash.h"
#include "sanitized.h"

static const rslPrecision precisions[2] = { rsl_single, rsl_double };

static inline rslModel* Scene(const char* name)
{
    for (int s = 0; s < CORE_SCENES; ++s)
    {
        rslModel* model = NULL;
        rslReport report = { 0 };
        if (strcmp(coreScenes[s].name, name) == 0)
        {
            rslStatus status = coreScenes[s].build(1.0, NULL, &model, &report);
            assert_int_equal(status, rsl_ok);
            return model;
        }
    }
    fail();
    return NULL;
}

static inline rslSolver* SolverFor(const rslModel* model, rslPrecision precision, rslIntegrator integrator)
{
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = precision;
    def.integrator = integrator;
    def.threads = 1;
    return SolverOf(model, &def);
}

static inline unsigned char* Saved(const rslState* state, size_t* size)
{
    *size = rslState_Save(state, NULL, 0);
    unsigned char* bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(rslState_Save(state, bytes, *size - 1), *size);  // too small a buffer is left alone
    assert_int_equal(rslState_Save(state, bytes, *size), *size);
    return bytes;
}

// The smallest model: a spring.
static inline rslModel* SpringModel(double stiffness)
{
    static const double nodes[] = { 0.0, 0.0, 0.0, 1.0, 0.0, 0.0 };
    static const int springs[] = { 0, 1 };
    static const double mass = 1.0;
    rslBodyDef body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    body.name = "spring";
    body.network.type = rsl_explicitNetwork;
    body.network.nodes = nodes;
    body.network.nodeCount = 2;
    body.network.springs = springs;
    body.network.springCount = 1;
    body.network.masses = &mass;
    body.network.massCount = 1;
    body.network.stiffness = &stiffness;
    body.network.stiffnessCount = 1;
    rslScene scene = SceneOf(&body, 1);
    return Built(&scene, NULL);
}
