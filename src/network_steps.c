// SPDX-License-Identifier: MIT
//
// network_steps.c: whole steps of position Verlet in slots; see network_slices.h.
//
// Half a drift, forces, a kick, half a drift: the half drift that a step ends with and the one that the next begins with are made at once, one
// after the other, so that slots have the places at which forces are asked.

#include "network_slices.h"

#include "integrate.h"
#include "term.h"

#include <string.h>

typedef struct Steps
{
    Kernel* kernel;
    View view;
    Real kick, half;  // [s]
    bool last;        // of a call
    int from;         // the places that are read
} Steps;

// ---- into slots and back ----------------------------------------------------------------------------------------------

static void PackGroup(int item, void* context)
{
    const Steps* s = context;
    RSL_NAME(rslSlices_Pack)(s->kernel, item, &s->view, s->half);
}

static void UnpackGroup(int item, void* context)
{
    const Steps* s = context;
    const SliceGroup* group = &s->kernel->slices->groups[item];
    const SliceBody* body = &s->kernel->slices->bodies[group->body];
    for (int slot = SLICE * group->begin; slot < SLICE * group->end; ++slot)
    {
        int node = body->nodes[slot];
        for (int axis = 0; node >= 0 && axis < 3; ++axis)
        {
            s->view.u[axis][node] = body->u[s->from][axis][slot];
            s->view.w[axis][node] = body->w[s->from][axis][slot];
        }
    }
}

// ---- steps ------------------------------------------------------------------------------------------------------------

static RowView StepOf(const Steps* s, int group)
{
    int body = s->kernel->slices->groups[group].body, to = 1 - s->from;
    const SliceBody* of = &s->kernel->slices->bodies[body];
    RowView view = RSL_NAME(rslSlices_View)(s->kernel, group, s->from);
    view.moves = true;
    view.last = s->last;
    view.newPlaces = of->places[to];
    view.newSpeeds = of->speeds[to];
    view.kick = s->kick;
    view.half = s->half;
    for (int axis = 0; axis < 3; ++axis)
    {
        view.newU[axis] = of->u[to][axis];
        view.newW[axis] = of->w[to][axis];
        view.gravity[axis] = s->kernel->frames[body].gravity[axis];
    }
    return view;
}

static void StepShare(int item, void* context)
{
    const Steps* s = context;
    const SliceShare* share = &s->kernel->slices->shares[item];
    for (int g = share->begin; g < share->end; ++g)
    {
        RowView view = StepOf(s, g);
        s->kernel->wide->addRows(&view);
    }
}

// Terms of dampers count along the velocities that a kick starts from, and the rest of it along what it changes (kernel_drag.c).
static void CountLost(const Kernel* kernel, double step, rslAccount* account)
{
    double lost = 0.0, changed = 0.0;
    for (int g = 0; g < kernel->slices->groupCount; ++g)
    {
        lost += kernel->slices->lost[g][ROW_LOST];
        changed += kernel->slices->lost[g][ROW_CHANGED];
    }
    account->dissipated += step * (lost - 0.5 * changed);
}

static bool TakesSteps(const Kernel* kernel)
{
    const rslModel* model = kernel->model;
    bool takes = kernel->slices != NULL && kernel->guard == NULL && OnlyTermsAct(kernel);
    for (int b = 0; takes && b < model->bodyCount; ++b)
    {
        takes = IsSliced(kernel, b);
    }
    for (const Term* const* term = RSL_NAME(rslTerms); takes && *term != NULL; ++term)
    {
        bool known = *term == &RSL_NAME(rslNetworkTerm) || *term == &RSL_NAME(rslGravityTerm);
        takes = known || !(*term)->present(kernel);
    }
    return takes;
}

bool RSL_NAME(rslSlices_Steps)(Kernel* kernel, rslState* state, int64_t steps)
{
    if (kernel->slices == NULL || !kernel->slices->steps || !TakesSteps(kernel))
    {
        return false;
    }
    double h = state->step;
    int groups = kernel->slices->groupCount;
    Steps s = { .kernel = kernel, .kick = (Real)h, .half = (Real)(0.5 * h) };
    s.view = RSL_NAME(rslKernel_View)(kernel, state, 0.5 * h);
    rslTeam_Run(kernel->team, PackGroup, groups, &s);
    for (int64_t n = 0; n < steps; ++n, s.from = 1 - s.from)
    {
        s.last = n + 1 == steps;
        rslTeam_Run(kernel->team, StepShare, kernel->slices->shareCount, &s);
        CountLost(kernel, h, &state->account);
        RSL_NAME(rslAdvance)(kernel, state);
    }
    rslTeam_Run(kernel->team, UnpackGroup, groups, &s);
    kernel->slices->left = state;
    kernel->slices->leftAt = state->stepCount;
    kernel->slices->leftIn = s.from;
    return true;
}

// ---- room -------------------------------------------------------------------------------------------------------------

// Slots without a node have a mass, so that nothing is divided by 0.
static bool MakeRoom(Kernel* kernel, SliceBody* body)
{
    size_t slots = SLICE * (size_t)body->slices;
    body->mass = RSL_NAME(rslKernel_Allocate)(kernel, slots, sizeof(Real));
    bool made = body->mass != NULL && RSL_NAME(rslSlices_MakePlaces)(kernel, body, 1) &&
                RSL_NAME(rslSlices_MakeSpeeds)(kernel, body, body->damped ? 1 : 0);
    for (size_t slot = 0; made && slot < slots; ++slot)
    {
        body->mass[slot] = body->nodes[slot] >= 0 ? kernel->mass[body->nodes[slot]] : (Real)1;
    }
    if (made && !body->damped)
    {
        memcpy(body->w[1], body->w[0], sizeof body->w[1]);
    }
    return made;
}

bool RSL_NAME(rslSlices_MakeSteps)(Kernel* kernel)
{
    bool takes = TakesSteps(kernel), made = true;
    for (int b = 0; takes && made && b < kernel->model->bodyCount; ++b)
    {
        made = MakeRoom(kernel, &kernel->slices->bodies[b]);
    }
    if (takes && made)
    {
        kernel->slices->steps = true;
    }
    return made;
}
