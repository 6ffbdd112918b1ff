// SPDX-License-Identifier: MIT
//
// rabbit.c: drops a soft rabbit on the ground, prints its height and energy, and writes rabbit.glb for Blender or any
// viewer of glTF.

#include "resilin/resilin.h"

#include <stdio.h>

static int Fail(const rslReport* report)
{
    char line[1024];
    for (int i = 0; i < report->count; ++i)
    {
        rslReport_Format(report, i, line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    return 1;
}

int main(void)
{
    // what: a shape, how finely, and of which material
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_rabbitShape;
    shape.height = 0.2;
    shape.translate.z = 0.1;

    rslBodyDef body = rslDefaultBodyDef();
    body.name = "rabbit";
    body.shape = &shape;
    body.network.type = rsl_latticeNetwork;
    body.network.spacing = 0.01;
    body.material.young = 1e5;  // [Pa]
    body.material.poisson = 0.25;
    body.material.density = 1000.0;  // [kg/m3]
    body.material.stiffnessDamping = 5e-4;

    rslScene scene = rslDefaultScene();
    scene.bodies = &body;
    scene.bodyCount = 1;
    scene.ground.enabled = true;

    // scene > model > solver and state
    rslReport report = { 0 };
    rslModel* model = NULL;
    rslSolver* solver = NULL;
    rslState* state = NULL;
    rslSnapshot* snapshot = NULL;
    rslSolverDef def = rslSolverDef_FromScene(&scene);
    if (rslModel_Build(&scene, NULL, &model, &report) != rsl_ok ||
        rslSolver_Create(model, &def, NULL, &solver, &report) != rsl_ok ||
        rslState_Create(model, def.precision, NULL, &state) != rsl_ok ||
        rslSnapshot_Create(model, false, NULL, &snapshot) != rsl_ok)
    {
        return Fail(&report);
    }
    printf("%d nodes, %lld springs, step %.3g s\n", model->nodeCount, (long long)model->springCount,
           rslSolver_Stability(solver).step);

    const double frame = 0.05;
    printf("time [s]   centre [m]   kinetic [J]   elastic [J]   lost [J]\n");
    for (int f = 0; f <= 10; ++f)
    {
        rslEnergy energy = rslSolver_Energy(solver, state);
        rslMotion motion = rslSolver_Motion(solver, state, 0);
        printf("%8.2f %12.4f %13.4f %13.4f %10.4f\n", rslState_Time(state), motion.centre.z, energy.kinetic,
               energy.springs, state->account.dissipated);
        if (rslSolver_Step(solver, state, (int64_t)(frame / rslSolver_Stability(solver).step)) != rsl_ok)
        {
            return Fail(&report);
        }
    }

    rslSnapshot_Take(snapshot, solver, state);
    if (rslGlb_Write("rabbit.glb", snapshot, NULL, &report) != rsl_ok)
    {
        return Fail(&report);
    }
    printf("wrote rabbit.glb\n");
    rslSnapshot_Free(snapshot);
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
    return 0;
}
