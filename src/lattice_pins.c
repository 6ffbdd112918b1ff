// SPDX-License-Identifier: MIT
//
// lattice_pins.c: nodes that stay where they are, in whole steps of lattices (lattice_steps.c).
//
// They are pushed as all others are, and then put where they belong, twice: at the end of the step, and after half a drift in the middle of the
// next one; by the slab that has pushed them, before others are told where its borders are. So they get the bits that they get in
// steps in parts (constrain.c). Pins do no work, and what dampers do to what is held changes no velocity.
//
// A pin costs ten nodes of a whole step, and in parts half of it, where a node costs twice as much. So steps are in parts where more than
// a tenth of all nodes are pinned.

#include "guard.h"
#include "lattice_sweep.h"

#include "memory.h"

static const double mostPinned = 0.1;  // of all nodes

// Do pins stay, are they few, and do they hold all of a node where dampers have to be counted?
static bool AreFixed(const Kernel* kernel)
{
    const rslModel* model = kernel->model;
    bool fixed = kernel->held != NULL && kernel->sweep != NULL;
    for (int b = 0; fixed && b < model->bodyCount; ++b)
    {
        fixed = kernel->sweep->takes[b];
    }
    for (int c = 0; fixed && c < model->constraintCount; ++c)
    {
        fixed = model->constraints[c].type == rsl_pinConstraint;
    }
    int pinned = 0;
    for (int i = 0; fixed && i < model->nodeCount; ++i)
    {
        pinned += kernel->held[i] != 0;
    }
    fixed = fixed && pinned <= mostPinned * model->nodeCount;
    for (int i = 0; fixed && kernel->sweep->damped && i < model->nodeCount; ++i)
    {
        fixed = kernel->held[i] == 0 || kernel->held[i] == 7;
    }
    return fixed;
}

static int FirstOf(const SweepKernel* sweep, const Slab* slab)
{
    return sweep->planes[slab->begin].begin;
}

static int EndOf(const SweepKernel* sweep, const Slab* slab)
{
    return slab->end > slab->begin ? sweep->planes[slab->end - 1].end : FirstOf(sweep, slab);
}

// Pins and nodes of a slab, one constraint after the other.
static void List(const Kernel* kernel, Slab* slab, Pin* pins, int* nodes)
{
    const rslModel* model = kernel->model;
    const int first = FirstOf(kernel->sweep, slab), end = EndOf(kernel->sweep, slab);
    slab->pins = pins;
    slab->pinned = nodes;
    for (int c = 0; c < model->constraintCount; ++c)
    {
        for (int n = 0; n < model->constraints[c].nodeCount; ++n)
        {
            int node = model->constraints[c].nodes[n];
            if (node >= first && node < end)
            {
                slab->pins[slab->pinCount++] = (Pin){ c, n };
            }
        }
    }
    for (int i = first; i < end; ++i)
    {
        if (kernel->held[i] != 0)
        {
            slab->pinned[slab->pinnedCount++] = i;
        }
    }
}

bool RSL_NAME(rslPins_Make)(Kernel* kernel)
{
    if (!AreFixed(kernel))
    {
        return true;
    }
    SweepKernel* sweep = kernel->sweep;
    const rslModel* model = kernel->model;
    size_t pins = 0, nodes = 0;
    for (int c = 0; c < model->constraintCount; ++c)
    {
        pins += (size_t)model->constraints[c].nodeCount;
    }
    for (int i = 0; i < model->nodeCount; ++i)
    {
        nodes += kernel->held[i] != 0;
    }
    Pin* allPins = RSL_NAME(rslKernel_Allocate)(kernel, pins, sizeof(Pin));
    int* allNodes = RSL_NAME(rslKernel_Allocate)(kernel, nodes, sizeof(int));
    Real* places = RSL_NAME(rslKernel_Allocate)(kernel, 6 * nodes, sizeof(Real));
    sweep->free = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->nodeCount + LANES, sizeof(Real));
    sweep->ends = RSL_NAME(rslKernel_Allocate)(kernel, 2 * (size_t)model->bodyCount, sizeof(FrameView));
    if (allPins == NULL || allNodes == NULL || places == NULL || sweep->free == NULL || sweep->ends == NULL)
    {
        return false;
    }
    sweep->middles = sweep->ends + model->bodyCount;
    for (int i = 0; i < model->nodeCount; ++i)
    {
        sweep->free[i] = kernel->held[i] == 0 ? (Real)1 : (Real)0;
    }
    for (int s = 0; s < sweep->slabCount; ++s)
    {
        Slab* slab = &sweep->slabs[s];
        List(kernel, slab, allPins, allNodes);
        slab->places = places;
        allPins += slab->pinCount;
        allNodes += slab->pinnedCount;
        slab->pushed = places + 3 * (size_t)slab->pinnedCount;
        places += 6 * (size_t)slab->pinnedCount;
    }
    kernel->pinned = true;
    return true;
}

// ---- steps ----------------------------------------------------------------------------------------------------------

// Where frames are at the end of a step and in the middle of the next one, as passes one after the other find it.
void RSL_NAME(rslPins_Aim)(Kernel* kernel, const rslState* state)
{
    SweepKernel* sweep = kernel->sweep;
    for (int b = 0; kernel->pinned && b < kernel->model->bodyCount; ++b)
    {
        const rslFrame* frame = &state->frames[b];
        sweep->ends[b] = sweep->middles[b] = kernel->frames[b];
        sweep->ends[b].origin = rslMulAdd(frame->origin, state->step, frame->velocity);
        sweep->middles[b].origin = rslMulAdd(sweep->ends[b].origin, 0.5 * state->step, frame->velocity);
    }
}

void RSL_NAME(rslPins_Keep)(const View* view, const Slab* slab)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < slab->pinnedCount; ++i)
        {
            slab->places[axis * slab->pinnedCount + i] = view->u[axis][slab->pinned[i]];
        }
    }
}

static void Hold(const Kernel* kernel, const View* view, const Slab* slab, const FrameView* frames)
{
    for (int i = 0; i < slab->pinCount; ++i)
    {
        RSL_NAME(rslKernel_HoldPin)(kernel, view, &frames[slab->body], slab->pins[i].constraint, slab->pins[i].number);
    }
}

// How far it has gone beside what its velocities before and after are taken for.
static double Beside(double gone, double time, double before, double after)
{
    return rslMost(fabs(gone - time * before), fabs(gone - time * after));
}

void RSL_NAME(rslPins_Hold)(const Kernel* kernel, const View* view, Slab* slab, Real half, bool goesOn)
{
    const int count = slab->pinnedCount;
    double most = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < count; ++i)
        {
            int node = slab->pinned[i];
            slab->pushed[axis * count + i] = view->w[axis][node];
            view->u[axis][node] = slab->places[axis * count + i] + half * view->w[axis][node];
        }
    }
    Hold(kernel, view, slab, kernel->sweep->ends);
    for (int axis = 0; goesOn && axis < 3; ++axis)
    {
        for (int i = 0; i < count; ++i)
        {
            int node = slab->pinned[i];
            view->u[axis][node] += half * view->w[axis][node];
        }
    }
    if (goesOn)
    {
        Hold(kernel, view, slab, kernel->sweep->middles);
    }
    for (int i = 0; i < count; ++i)
    {
        double square = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            int node = slab->pinned[i], at = axis * count + i;
            double beside =
                Beside((double)view->u[axis][node] - (double)slab->places[at], (goesOn ? 2.0 : 1.0) * (double)half,
                       (double)slab->pushed[at], (double)view->w[axis][node]);
            square += beside * beside;
        }
        most = rslMost(most, square);
    }
    RSL_NAME(rslPins_Keep)(view, slab);
    slab->moved = sqrt(most);
}

double RSL_NAME(rslPins_Moved)(const Kernel* kernel)
{
    double most = 0.0;
    for (int s = 0; kernel->pinned && s < kernel->sweep->slabCount; ++s)
    {
        most = rslMost(most, kernel->sweep->slabs[s].moved);
    }
    return most;
}
