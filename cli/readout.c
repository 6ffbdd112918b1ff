// SPDX-License-Identifier: MIT
//
// readout.c: the numbers that tables hold.

#include "readout.h"

#include <math.h>
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
        "numerical [J]",
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
    bool area = column == CLI_ENERGY_COLUMNS - 1 && loaded != NULL && loaded->model->plane == rsl_planeXY;
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
                             a->numerical,
                             e.drift };
    memcpy(row, first, sizeof first);
    int n = sizeof first / sizeof first[0];
    n += StoreVec3(row + n, m.momentum);
    n += StoreVec3(row + n, m.angularMomentum);
    n += StoreVec3(row + n, m.centre);
    row[n] = m.volume;
}

// ---- probes ---------------------------------------------------------------------------------------------------------

rslStatus cliProbes_Open(cliProbes* probes, const cliLoaded* loaded, rslReport* report)
{
    const rslOutputDef* def = &loaded->scene.output;
    *probes = (cliProbes){ 0 };
    return def->probeCount == 0
               ? rsl_ok
               : rslProbes_Create(loaded->model, def->probes, def->probeCount, NULL, &probes->list, report);
}

void cliProbes_Close(cliProbes* probes)
{
    rslProbes_Free(probes->list);
    *probes = (cliProbes){ 0 };
}

int cliProbes_ColumnCount(const cliProbes* probes)
{
    return probes->list != NULL ? rslProbes_ColumnCount(probes->list) : 0;
}

void cliProbes_Name(const cliProbes* probes, int column, char* text, size_t capacity)
{
    rslProbes_ColumnName(probes->list, column, text, capacity);
}

void cliProbes_Recall(const cliProbes* probes, double time, const double* row)
{
    if (probes->list != NULL)
    {
        rslProbes_Recall(probes->list, time, row);
    }
}

void cliProbes_Row(const cliProbes* probes, const cliLoaded* loaded, double* row)
{
    bool read = probes->list == NULL || rslProbes_Read(probes->list, loaded->solver, loaded->state, row) == rsl_ok;
    for (int i = 0; !read && i < cliProbes_ColumnCount(probes); ++i)
    {
        row[i] = NAN;
    }
}
