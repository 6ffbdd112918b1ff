// SPDX-License-Identifier: MIT
//
// readout.c: the numbers that tables hold.

#include "readout.h"

#include <stdlib.h>
#include <string.h>

// ---- energy ---------------------------------------------------------------------------------------------------------

const char* cliEnergy_Name(const cliLoaded* loaded, int column)
{
    static const char* const names[CLI_ENERGY_COLUMNS] = {
        "time [s]",
        "kinetic [J]",
        "springs [J]",
        "gravity [J]",
        "ground [J]",
        "links [J]",
        "total [J]",
        "work of loads [J]",
        "work of motion [J]",
        "work of drives [J]",
        "dissipated [J]",
        "drift [J]",
        "momentum x [kg m/s]",
        "momentum y [kg m/s]",
        "momentum z [kg m/s]",
        "angular momentum x [kg m2/s]",
        "angular momentum y [kg m2/s]",
        "angular momentum z [kg m2/s]",
        "centre x [m]",
        "centre y [m]",
        "centre z [m]",
        "volume [m3]",
    };
    bool area = column == CLI_ENERGY_COLUMNS - 1 && loaded->model->plane == rsl_planeXY;
    return area ? "area [m2]" : names[column];
}

static int StoreVec3(double* to, rslVec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    return 3;
}

void cliEnergy_Row(const cliLoaded* loaded, double row[CLI_ENERGY_COLUMNS])
{
    const rslAccount* a = &loaded->state->account;
    rslEnergy e = rslSolver_Energy(loaded->solver, loaded->state);
    rslMotion m = rslSolver_Motion(loaded->solver, loaded->state, -1);
    const double first[] = { rslState_Time(loaded->state),
                             e.kinetic,
                             e.springs,
                             e.gravity,
                             e.ground,
                             e.links,
                             e.total,
                             a->loads,
                             a->motion,
                             a->drives,
                             a->dissipated,
                             e.drift };
    memcpy(row, first, sizeof first);
    int n = sizeof first / sizeof first[0];
    n += StoreVec3(row + n, m.momentum);
    n += StoreVec3(row + n, m.angularMomentum);
    n += StoreVec3(row + n, m.centre);
    row[n] = m.volume;
}

// ---- probes ---------------------------------------------------------------------------------------------------------

enum
{
    PROBE_COLUMNS = 9
};

rslStatus cliProbes_Open(cliProbes* probes, const cliLoaded* loaded, rslReport* report)
{
    const rslOutputDef* def = &loaded->scene.output;
    *probes = (cliProbes){ 0 };
    if (def->probeCount == 0)
    {
        return rsl_ok;
    }
    probes->list = calloc((size_t)def->probeCount, sizeof(cliProbe));
    probes->forces = calloc(3 * (size_t)loaded->model->nodeCount, sizeof(double));
    rslStatus status = probes->list != NULL && probes->forces != NULL ? rsl_ok : rsl_outOfMemory;
    for (int i = 0; i < def->probeCount && status == rsl_ok; ++i)
    {
        cliProbe* probe = &probes->list[probes->count++];
        probe->name = def->probes[i].name;
        status = rslModel_Select(loaded->model, &def->probes[i].nodes, &probe->nodes, &probe->nodeCount, report);
    }
    return status;
}

void cliProbes_Close(cliProbes* probes, const cliLoaded* loaded)
{
    for (int i = 0; i < probes->count; ++i)
    {
        rslModel_FreeNodes(loaded->model, probes->list[i].nodes);
    }
    free(probes->list);
    free(probes->forces);
    *probes = (cliProbes){ 0 };
}

int cliProbes_ColumnCount(const cliProbes* probes)
{
    return PROBE_COLUMNS * probes->count;
}

void cliProbes_Name(const cliProbes* probes, int column, char* text, size_t capacity)
{
    static const char* const columns[PROBE_COLUMNS] = { "x [m]",    "y [m]",  "z [m]",  "vx [m/s]", "vy [m/s]",
                                                        "vz [m/s]", "fx [N]", "fy [N]", "fz [N]" };
    snprintf(text, capacity, "%s %s", probes->list[column / PROBE_COLUMNS].name, columns[column % PROBE_COLUMNS]);
}

// Means over the nodes of a probe: position, velocity, force.
static void Measure(const cliProbes* probes, const cliLoaded* loaded, const cliProbe* probe, double* nine)
{
    memset(nine, 0, PROBE_COLUMNS * sizeof(double));
    for (int i = 0; i < probe->nodeCount; ++i)
    {
        int node = probe->nodes[i];
        double position[3], velocity[3];
        rslState_Positions(loaded->model, loaded->state, node, node + 1, position);
        rslState_Velocities(loaded->model, loaded->state, node, node + 1, velocity);
        for (int axis = 0; axis < 3; ++axis)
        {
            nine[axis] += position[axis] / probe->nodeCount;
            nine[3 + axis] += velocity[axis] / probe->nodeCount;
            nine[6 + axis] += probes->forces[3 * node + axis] / probe->nodeCount;
        }
    }
}

void cliProbes_Row(const cliProbes* probes, const cliLoaded* loaded, double* row)
{
    if (probes->count == 0)
    {
        return;
    }
    rslSolver_Fields(loaded->solver, loaded->state, probes->forces, NULL, NULL);
    for (int i = 0; i < probes->count; ++i)
    {
        Measure(probes, loaded, &probes->list[i], row + PROBE_COLUMNS * i);
    }
}
