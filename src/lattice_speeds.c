// SPDX-License-Identifier: MIT
//
// lattice_speeds.c: bounds of the velocities of the nodes of a plane (lattice_sweep.h), with a sweep or without one.

#include "lattice_sweep.h"

void RSL_NAME(rslSpeeds_Clear)(SpeedLanes* speeds)
{
    for (int i = 0; i < 3 * LANES; ++i)
    {
        speeds->low[i / LANES][i % LANES] = (Real)INFINITY;
        speeds->high[i / LANES][i % LANES] = -(Real)INFINITY;
        speeds->sum[i % LANES] = 0;
    }
}

PlaneSpeed RSL_NAME(rslSpeeds_Join)(const SpeedLanes* speeds)
{
    PlaneSpeed speed;
    for (int axis = 0; axis < 3; ++axis)
    {
        Real low = speeds->low[axis][0], high = speeds->high[axis][0], none = 0;
        for (int l = 0; l < LANES; ++l)
        {
            low = speeds->low[axis][l] < low ? speeds->low[axis][l] : low;
            high = speeds->high[axis][l] > high ? speeds->high[axis][l] : high;
            none += (Real)0 * speeds->sum[l];
        }
        speed.low[axis] = (double)(low + none);
        speed.high[axis] = (double)(high + none);
    }
    return speed;
}

typedef struct Bounding
{
    const Kernel* kernel;
    const View* view;
} Bounding;

static void BoundSlab(int item, void* context)
{
    const Bounding* bounding = context;
    const SweepKernel* sweep = bounding->kernel->sweep;
    Real* const* w = bounding->view->w;
    for (int p = sweep->slabs[item].begin; p < sweep->slabs[item].end; ++p)
    {
        SpeedLanes speeds;
        const int n = sweep->planes[p].begin;
        RSL_NAME(rslSpeeds_Clear)(&speeds);
        bounding->kernel->wide->bound((Real* const[3]){ w[0] + n, w[1] + n, w[2] + n }, sweep->planes[p].end - n,
                                      &speeds);
        sweep->speeds[p] = RSL_NAME(rslSpeeds_Join)(&speeds);
    }
}

void RSL_NAME(rslSweep_BoundSpeeds)(Kernel* kernel, const View* view)
{
    rslTeam_Run(kernel->team, BoundSlab, kernel->sweep->slabCount, &(Bounding){ kernel, view });
}
