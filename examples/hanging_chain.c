// SPDX-License-Identifier: MIT
//
// hanging_chain.c: a chain of eleven masses hangs from its first one and swings to rest. Compares the stretch of every
// spring with the weight below it: k dL = (masses below) m g.

#include "resilin/resilin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    COUNT = 11
};

static void Check(rslStatus status, const rslReport* report)
{
    char line[1024];
    for (int i = 0; i < report->count; ++i)
    {
        rslReport_Format(report, i, line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    if (status != rsl_ok)
    {
        exit(1);
    }
}

int main(void)
{
    const double mass = 0.1, stiffness = 500.0, damping = 5.0, spacing = 0.05;

    // nodes in a row downwards, a spring from each to the next
    double nodes[3 * COUNT] = { 0 };
    int springs[2 * (COUNT - 1)];
    for (int i = 0; i < COUNT; ++i)
    {
        nodes[3 * i + 2] = -spacing * i;
    }
    for (int i = 0; i + 1 < COUNT; ++i)
    {
        springs[2 * i] = i;
        springs[2 * i + 1] = i + 1;
    }

    rslBodyDef body = rslDefaultBodyDef();
    body.name = "chain";
    body.network.type = rsl_explicitNetwork;
    body.network.nodes = nodes;
    body.network.nodeCount = COUNT;
    body.network.masses = &mass;
    body.network.massCount = 1;
    body.network.springs = springs;
    body.network.springCount = COUNT - 1;
    body.network.stiffness = &stiffness;
    body.network.stiffnessCount = 1;
    body.network.damping = &damping;
    body.network.dampingCount = 1;

    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.nodes.type = rsl_nearestNodes;  // to the origin

    rslScene scene = rslDefaultScene();
    scene.bodies = &body;
    scene.bodyCount = 1;
    scene.constraints = &pin;
    scene.constraintCount = 1;

    rslReport report = { 0 };
    rslModel* model = NULL;
    rslSolver* solver = NULL;
    rslState* state = NULL;
    rslSolverDef def = rslSolverDef_FromScene(&scene);
    Check(rslModel_Build(&scene, NULL, &model, &report), &report);
    Check(rslSolver_Create(model, &def, NULL, &solver, &report), &report);
    Check(rslState_Create(model, def.precision, NULL, &state), &report);
    Check(rslSolver_Step(solver, state, (int64_t)ceil(20.0 / rslSolver_Stability(solver).step)), &report);

    double x[3 * COUNT];
    rslState_Positions(model, state, 0, COUNT, x);
    printf("spring   stretch [mm]   expected [mm]\n");
    for (int i = 0; i + 1 < COUNT; ++i)
    {
        double stretch = x[3 * i + 2] - x[3 * i + 5] - spacing;
        double expected = (COUNT - 1 - i) * mass * 9.81 / stiffness;
        printf("%6d %14.4f %15.4f\n", i + 1, 1e3 * stretch, 1e3 * expected);
    }
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
    return 0;
}
