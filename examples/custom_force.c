// SPDX-License-Identifier: MIT
//
// custom_force.c: a force of your own: a magnet below a soft ball, without gravity. Before every step the host writes a
// force on every node from where the nodes are; the library does the rest, and its account tells the magnet's work.

#include "resilin/resilin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Pull towards the magnet: strength * mass / distance^2.
static void PullNodes(const rslModel* model, const double* positions, rslVec3 magnet, double strength, double* forces)
{
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double dx = magnet.x - positions[3 * i];
        double dy = magnet.y - positions[3 * i + 1];
        double dz = magnet.z - positions[3 * i + 2];
        double square = dx * dx + dy * dy + dz * dz;
        double factor = strength * model->mass[i] / (square * sqrt(square));
        forces[3 * i] = factor * dx;
        forces[3 * i + 1] = factor * dy;
        forces[3 * i + 2] = factor * dz;
    }
}

int main(void)
{
    rslShapeDef ball = rslDefaultShapeDef();
    ball.type = rsl_sphereShape;
    ball.radius = 0.05;

    rslBodyDef body = rslDefaultBodyDef();
    body.name = "ball";
    body.shape = &ball;
    body.network.type = rsl_latticeNetwork;
    body.network.spacing = 0.01;
    body.material.young = 2e4;
    body.material.poisson = 0.25;
    body.material.density = 1000.0;

    rslScene scene = rslDefaultScene();
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    scene.bodies = &body;
    scene.bodyCount = 1;

    rslReport report = { 0 };
    rslModel* model = NULL;
    rslSolver* solver = NULL;
    rslState* state = NULL;
    rslSolverDef def = rslSolverDef_FromScene(&scene);
    if (rslModel_Build(&scene, NULL, &model, &report) != rsl_ok ||
        rslSolver_Create(model, &def, NULL, &solver, &report) != rsl_ok ||
        rslState_Create(model, def.precision, NULL, &state) != rsl_ok)
    {
        fprintf(stderr, "%s\n", report.count > 0 ? report.messages[0].text : "out of memory");
        return 1;
    }

    double* positions = malloc(3 * (size_t)model->nodeCount * sizeof(double));
    double* forces = malloc(3 * (size_t)model->nodeCount * sizeof(double));
    const rslVec3 magnet = { 0.0, 0.0, -0.5 };
    rslSolver_SetForces(solver, forces);
    printf("time [s]   height [m]   speed [m/s]   kinetic + elastic [J]   work of the magnet [J]\n");
    for (int step = 0; step <= 800; ++step)
    {
        rslState_Positions(model, state, 0, model->nodeCount, positions);
        PullNodes(model, positions, magnet, 0.1, forces);
        if (step % 100 == 0)
        {
            rslEnergy energy = rslSolver_Energy(solver, state);
            rslMotion motion = rslSolver_Motion(solver, state, 0);
            printf("%8.4f %12.5f %13.5f %23.6f %24.6f\n", rslState_Time(state), motion.centre.z,
                   motion.momentum.z / motion.mass, energy.kinetic + energy.springs, state->account.loads);
        }
        if (rslSolver_Step(solver, state, 1) != rsl_ok)
        {
            return 1;
        }
    }
    free(forces);
    free(positions);
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
    return 0;
}
