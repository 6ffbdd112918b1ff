// SPDX-License-Identifier: MIT
//
// network_steps.c: whole steps of position Verlet in slots; see network_slices.h.
//
// Half a drift, forces, a kick, half a drift: the half drift that a step ends with and the one that the next begins with are made at once, one
// after the other, so that records have the places at which forces are asked.

#include "network_slices.h"

#include "integrate.h"
#include "term.h"

typedef struct Steps
{
    Kernel* kernel;
    View view;
    Real kick, half;  // [s]
    bool last;        // of a call
    int from;         // the records that are read
} Steps;

// ---- into slots and back ----------------------------------------------------------------------------------------------

static void PackGroup(int item, void* context)
{
    const Steps* s = context;
    const SliceGroup* group = &s->kernel->slices->groups[item];
    const SliceBody* body = &s->kernel->slices->bodies[group->body];
    for (int slot = SLICE * group->begin; slot < SLICE * group->end; ++slot)
    {
        int node = body->nodes[slot];
        Real* place = body->places[0] + RECORD * (size_t)slot;
        Real* speed = body->speeds[0] + RECORD * (size_t)slot;
        for (int axis = 0; axis < 3; ++axis)
        {
            speed[axis] = node >= 0 ? s->view.w[axis][node] : (Real)0;
            place[axis] = node >= 0 ? s->view.u[axis][node] + s->half * speed[axis] : (Real)0;
        }
    }
}

static void UnpackGroup(int item, void* context)
{
    const Steps* s = context;
    const SliceGroup* group = &s->kernel->slices->groups[item];
    const SliceBody* body = &s->kernel->slices->bodies[group->body];
    for (int slot = SLICE * group->begin; slot < SLICE * group->end; ++slot)
    {
        int node = body->nodes[slot];
        const Real* place = body->places[s->from] + RECORD * (size_t)slot;
        const Real* speed = body->speeds[s->from] + RECORD * (size_t)slot;
        for (int axis = 0; node >= 0 && axis < 3; ++axis)
        {
            s->view.u[axis][node] = place[axis];
            s->view.w[axis][node] = speed[axis];
        }
    }
}

// ---- steps ------------------------------------------------------------------------------------------------------------

static void Move(const Kernel* kernel, int body, RowView* view, const void* context)
{
    const Steps* s = context;
    const SliceBody* of = &kernel->slices->bodies[body];
    view->moves = true;
    view->last = s->last;
    view->newPlaces = of->places[1 - s->from];
    view->newSpeeds = of->speeds[1 - s->from];
    view->kick = s->kick;
    view->half = s->half;
    for (int axis = 0; axis < 3; ++axis)
    {
        view->gravity[axis] = kernel->frames[body].gravity[axis];
    }
}

static void StepShare(int item, void* context)
{
    const Steps* s = context;
    RSL_NAME(rslShares_Sweep)(s->kernel, item, s->from, Move, s);
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
    bool takes = kernel->slices != NULL && OnlyTermsAct(kernel);
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
    return true;
}

// ---- room -------------------------------------------------------------------------------------------------------------

static bool MakeRoom(Kernel* kernel, SliceBody* body)
{
    size_t numbers = RECORD * SLICE * (size_t)body->slices;
    if (!body->damped)
    {
        body->speeds[0] = body->speeds[1] = RSL_NAME(rslSlices_Allocate)(kernel, numbers, sizeof(Real));
    }
    return body->speeds[0] != NULL;
}

// Slots without a node have a mass, so that nothing is divided by 0.
static void FillRoom(const Kernel* kernel, SliceBody* body)
{
    for (size_t slot = 0; slot < SLICE * (size_t)body->slices; ++slot)
    {
        int node = body->nodes[slot];
        body->speeds[0][RECORD * slot + 3] = node >= 0 ? kernel->mass[node] : (Real)1;
    }
}

bool RSL_NAME(rslSlices_MakeSteps)(Kernel* kernel)
{
    bool takes = TakesSteps(kernel), made = true;
    for (int b = 0; takes && made && b < kernel->model->bodyCount; ++b)
    {
        SliceBody* body = &kernel->slices->bodies[b];
        made = MakeRoom(kernel, body);
        if (made)
        {
            FillRoom(kernel, body);
        }
    }
    if (takes && made)
    {
        kernel->slices->steps = true;
    }
    return made;
}
