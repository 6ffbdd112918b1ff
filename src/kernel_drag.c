// SPDX-License-Identifier: MIT
//
// kernel_drag.c: what dampers do in a step, exactly.
//
// A kick of a time h by forces F = E + D + f (potentials, dampers, loads) and impulses J take velocities from v to v',
//   m (v' - v) = h F + J,   so kinetic energy changes by   sum m (v' - v).(v + v')/2 = sum (h E + h D + h f + J).(v + v')/2:
// everything in a step works along the same mean velocity, whatever it is that changes it.
//   h E.(v + v')/2   is what the potential loses. Position Verlet moves x by h (v + v')/2, with E in the middle: up to third order in
//                    h, the energy that oscillates with the integrator. Symplectic Euler moves x by h v', and its velocities are those
//                    of half a step before: the same of leapfrog.
//   h f.(v + v')/2   loads (kernel.c, and kernel_touch.c for J)
//   J.(v + v')/2     heat of impulses, and work of colliders (respond.c)
//   h D.(v + v')/2   is what dampers take. Terms have counted their power -D.v = v.C v, and
//                      -h D.(v' - v)/2
//                    is left, with v' after the impulses. It is of the order of the power itself where h C / m is not small, as in
//                    steps that dampers limit, and where an impulse stops a node.
// What is held does not change its velocity by forces; welded nodes change theirs with what carries them. S = D.v before and after is
// all that has to be known; where all dampers are swept, D.(v' - v) is found with the kick (lattice_kick.c), and with every impulse.

#include "kernel_rigid.h"
#include "lattice_sweep.h"
#include "top.h"

#define Weigh RSL_NAME(rslDrag_WeighLanes)

static bool IsDamped(const Kernel* kernel)
{
    const rslModel* model = kernel->model;
    bool damped = kernel->massDamped || kernel->elements != NULL || kernel->dispersion != NULL;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        damped = damped || kernel->bodies[b].general || kernel->bodies[b].stiffnessDamping != (Real)0;
    }
    for (int e = 0; e < kernel->entryCount; ++e)
    {
        damped = damped || kernel->entries[e].damping != (Real)0;
    }
    for (int l = 0; l < model->linkCount; ++l)
    {
        damped = damped || model->links[l].damping != 0.0;
    }
    return damped;
}

bool RSL_NAME(rslDrag_Make)(Kernel* kernel)
{
    kernel->dragSums = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount, sizeof(double));
    kernel->keepsDrags = IsDamped(kernel);
    if (kernel->sweep != NULL)
    {
        kernel->sweep->weighs = kernel->keepsDrags && RSL_NAME(rslSweep_KnowsDampers)(kernel);
    }
    return kernel->dragSums != NULL && RSL_NAME(rslForces_Make)(kernel) && RSL_NAME(rslElements_MakeDrags)(kernel);
}

// sum a b, in eight parts.
RSL_CLONES static double Weigh(const Real* restrict a, const Real* restrict b, int count)
{
    double parts[8] = { 0 };
    int i = 0;
    for (; i + 8 <= count; i += 8)
    {
        for (int l = 0; l < 8; ++l)
        {
            parts[l] += (double)a[i + l] * (double)b[i + l];
        }
    }
    for (; i < count; ++i)
    {
        parts[0] += (double)a[i] * (double)b[i];
    }
    return ((parts[0] + parts[1]) + (parts[2] + parts[3])) + ((parts[4] + parts[5]) + (parts[6] + parts[7]));
}

double RSL_NAME(rslDrag_Weigh)(const Real* a, const Real* b, int count)
{
    return Weigh(a, b, count);
}

static double OfNode(const Kernel* kernel, const View* view, int body, int i)
{
    rslVec3 drag = VectorAt(kernel->drag, i);
    rslVec3 w = VectorAt(view->w, i);
    if (kernel->held != NULL && kernel->held[i] != 0)
    {
        drag = UnheldPart(kernel, body, i, drag);
        w = UnheldPart(kernel, body, i, w);
    }
    return rslDot(drag, w);
}

void RSL_NAME(rslDrag_WeighChunk)(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    if (kernel->drag[0] == NULL || WeighsKicks(kernel))
    {
        return;
    }
    const int* welds = kernel->rigids != NULL ? kernel->rigids->weldOf : NULL;
    bool loose = kernel->held == NULL && welds == NULL, rigid = kernel->bodies[chunk->body].rigid;
    double sum = 0.0;
    for (int axis = 0; loose && !rigid && axis < 3; ++axis)
    {
        sum += Weigh(kernel->drag[axis] + chunk->begin, view->w[axis] + chunk->begin, chunk->end - chunk->begin);
    }
    for (int i = chunk->begin; !loose && !rigid && i < chunk->end; ++i)
    {
        sum += welds != NULL && welds[i] >= 0 ? 0.0 : OfNode(kernel, view, chunk->body, i);
    }
    kernel->dragSums[chunk->index] = sum;
}

// D.v of all that is free, of chunks that were weighed. Frames of soft bodies do not change their velocities.
static double Sum(const Kernel* kernel, const View* view)
{
    double sum = 0.0;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        sum += kernel->dragSums[c];
    }
    for (int r = 0; kernel->rigids != NULL && r < kernel->rigids->count; ++r)
    {
        const RigidBody* rigid = &kernel->rigids->bodies[r];
        const rslFrame* frame = &view->frames[rigid->def->body];
        bool free = rigid->def->constraint < 0;
        sum += free ? rslDot(rigid->drag.force, frame->velocity) +
                          rslDot(rigid->drag.torque, rslTop_Spin(rigid->def, frame))
                    : 0.0;
    }
    return sum;
}

void RSL_NAME(rslDrag_Start)(Kernel* kernel, const View* view)
{
    bool weighed = kernel->drag[0] != NULL && !WeighsKicks(kernel);
    kernel->dragStart = weighed ? Sum(kernel, view) : 0.0;
}

void RSL_NAME(rslDrag_Count)(Kernel* kernel, const View* view, double time, rslAccount* account)
{
    if (WeighsKicks(kernel))
    {
        account->dissipated -= 0.5 * time * RSL_NAME(rslSweep_Changed)(kernel);
    }
    else if (kernel->drag[0] != NULL)
    {
        account->dissipated -= 0.5 * time * (Sum(kernel, view) - kernel->dragStart);
    }
}
