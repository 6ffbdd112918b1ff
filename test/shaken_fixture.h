// SPDX-License-Identifier: MIT
//
// shaken_fixture.h: runs that start from motion anyhow, and whether two of them have the same bits.

#pragma once

#include "physics_fixture.h"

// Starts a run of a scene by its number, in motion.
typedef Run StartFcn(int kind, rslPrecision precision, int threads);

// Displacement and velocity of a node along an axis, in the precision of the state.
static inline void SetMotion(Run* run, int axis, int node, double u, double w)
{
    if (run->state->precision == rsl_single)
    {
        ((float*)run->state->displacement[axis])[node] = (float)u;
        ((float*)run->state->velocity[axis])[node] = (float)w;
    }
    else
    {
        ((double*)run->state->displacement[axis])[node] = u;
        ((double*)run->state->velocity[axis])[node] = w;
    }
}

static inline void CheckSame(const Run* a, const Run* b)
{
    size_t bytes = (size_t)a->model->nodeCount * (a->state->precision == rsl_single ? sizeof(float) : sizeof(double));
    for (int axis = 0; axis < 3; ++axis)
    {
        assert_memory_equal(a->state->displacement[axis], b->state->displacement[axis], bytes);
        assert_memory_equal(a->state->velocity[axis], b->state->velocity[axis], bytes);
    }
}

// One thread and many: the same motion, and the same energy lost. Three or seven of them, by turns; two to seven in the full form.
static inline void CheckCuts(StartFcn* start, int kind, rslPrecision precision, int steps)
{
    const bool all = Proving() && !Sanitized();
    const int chosen = Sanitized() ? 5 : 3 + 4 * ((kind + (precision == rsl_single)) % 2);
    Run one = start(kind, precision, 1);
    Step(&one, steps);
    for (int threads = all ? 2 : chosen; threads <= (all ? 7 : chosen); ++threads)
    {
        Run many = start(kind, precision, threads);
        Step(&many, steps);
        CheckSame(&one, &many);
        assert_memory_equal(&one.state->account, &many.state->account, sizeof one.state->account);
        EndRun(&many);
    }
    EndRun(&one);
}

static inline void CheckCutsOfAll(StartFcn* start, int kinds, int steps)
{
    for (int kind = 0; kind < kinds; kind += Sanitized() ? 3 : 1)
    {
        for (int p = FirstPrecision(kind); p <= LastPrecision(kind); ++p)
        {
            CheckCuts(start, kind, p == 0 ? rsl_single : rsl_double, steps);
        }
    }
}
