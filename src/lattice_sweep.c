// SPDX-License-Identifier: MIT
//
// lattice_sweep.c: see lattice_sweep.h.

#include "lattice_sweep.h"

#include "dispersion.h"
#include "guard.h"
#include "kernel_touch.h"
#include "term.h"

#include <string.h>

#define Move RSL_NAME(rslSweep_Move)
#define Gather RSL_NAME(rslSweep_Gather)
#define Push RSL_NAME(rslSweep_Push)
#define Share RSL_NAME(rslSweep_Share)

// Sums of the nodes of a plane, by axis: forces, then what of them dampers do.
typedef Real* Sums[2][3];

// A slab on its way.
typedef struct Sweep
{
    Kernel* kernel;
    const View* view;
    const Slab* slab;
    bool moves;       // it takes a step
    bool shares;      // it finds shares instead of forces
    bool spreads;     // the body disperses
    Real half, kick;  // of which half a drift and the kick are so long [s]
    Sums next[2], own, same;
    Sums spare;  // what is done outside of the slab, which nobody reads; the drags of a plane that moves
    Real* lost;
} Sweep;

enum
{
    LOST,
    BEFORE,  // D.w
    AFTER
};

static bool IsDamped(const Sweep* s)
{
    return s->kernel->bodies[s->slab->body].damped;
}

static void TakeRoom(Sweep* s)
{
    Real* at = s->slab->room;
    Sums* all[] = { &s->next[0], &s->next[1], &s->own, &s->same, &s->spare };
    for (int damped = 0; damped < (IsDamped(s) ? 2 : 1); ++damped)
    {
        for (int i = 0; i < 5; ++i)
        {
            for (int axis = 0; axis < 3; ++axis, at += s->slab->stride)
            {
                (*all[i])[damped][axis] = at;
            }
        }
    }
    s->lost = at;
}

// ---- strips ---------------------------------------------------------------------------------------------------------

// Axes of every direction to later nodes in an order in which those along it come first.
static const uint8_t orders[RSL_LATTICE_HALF][3] = {
    { 0, 1, 2 }, { 1, 0, 2 }, { 2, 0, 1 },                                         // A
    { 0, 1, 2 }, { 0, 1, 2 }, { 0, 2, 1 }, { 0, 2, 1 }, { 1, 2, 0 }, { 1, 2, 0 },  // B
    { 0, 1, 2 }, { 0, 1, 2 }, { 0, 1, 2 }, { 0, 1, 2 },                            // C
};

// What ends of strips in a plane see: the view, or what the slab keeps of its neighbours; and where they add.
static StripEnds MakeEnds(const Sweep* s, int plane, Sums* sums)
{
    const Slab* slab = s->slab;
    const Plane* p = &s->kernel->sweep->planes[plane];
    bool outside = s->moves && (plane < slab->begin || plane >= slab->end);
    const Real* halo = outside ? slab->halo[plane < slab->begin ? 0 : 1] : NULL;
    int count = p->end - p->begin;
    StripEnds ends = { .seen = outside ? p->begin : 0, .added = p->begin };
    for (int axis = 0; axis < 3; ++axis)
    {
        ends.u[axis] = outside ? halo + axis * count : s->view->u[axis];
        ends.w[axis] = outside && IsDamped(s) ? halo + (3 + axis) * count : s->view->w[axis];
        // shares have no axes
        ends.to[axis] = (*sums)[0][s->shares ? 0 : axis];
        ends.drag[axis] = (*sums)[1][s->shares ? 0 : axis];
    }
    return ends;
}

// Springs from a plane: those between the slab and its neighbours are asked for what they do in the slab.
static void AskPlane(Sweep* s, int plane, Sums* next)
{
    const SweepKernel* sweep = s->kernel->sweep;
    const Slab* slab = s->slab;
    const BodyKernel* body = &s->kernel->bodies[slab->body];
    const Plane* here = &sweep->planes[plane];
    bool ghost = plane < slab->begin, last = plane + 1 == slab->end, top = plane + 1 == slab->last;
    const StripEnds early = MakeEnds(s, plane, ghost ? &s->spare : &s->own), beside = MakeEnds(s, plane, &s->same);
    const StripEnds above = top ? beside : MakeEnds(s, plane + 1, last ? &s->spare : next);
    const WideCalls* wide = s->kernel->wide;
    const DispersionKernel* nodes = s->spreads ? s->kernel->dispersion : NULL;
    rslDispersionVariant variant = s->spreads ? VariantOf(s->kernel, slab->body) : rsl_energyDispersion;
    StripKind kind = body->general ? rsl_generalStrips : body->damped ? rsl_dampedStrips : rsl_elasticStrips;
    StripCall* add = s->shares ? wide->share[kind] : s->spreads ? wide->spread[kind] : wide->add[kind];
    for (int n = here->firstStrip, end = n + here->strips, until; n < end; n = until)
    {
        int d = sweep->strips[n].direction;
        bool across = rslLatticeDirections[d][2] != 0;
        for (until = n; until < end && sweep->strips[until].direction == d; ++until)
        {
        }
        if (ghost && !across)
        {
            continue;
        }
        double length = (double)body->bondLength[d];
        rslSpread spread = rslSpread_Of(variant, length);
        add(&(StripView){ .early = &early,
                          .late = across ? &above : &beside,
                          .strips = sweep->strips + n,
                          .count = until - n,
                          .along = 1 + rslLattice_Shell(d),
                          .order = orders[d],
                          .constants = sweep->constants,
                          .ratio = body->stiffnessDamping,
                          .carrier = body->carrier,
                          .bond = body->bond[d],
                          .inverse = body->bondInverse[d],
                          .lost = s->lost,
                          .in = (Real)(spread.in * length),
                          .out = (Real)(spread.out / length),
                          .share = nodes != NULL ? nodes->share : NULL,
                          .dragShare = nodes != NULL ? nodes->dragShare : NULL });
    }
}

// ---- planes ---------------------------------------------------------------------------------------------------------

RSL_CLONES static void Move(Real* restrict u, const Real* restrict w, Real h, int count)
{
    for (int i = 0; i < count; ++i)
    {
        u[i] += h * w[i];
    }
}

// The sum of three parts, which begin anew.
RSL_CLONES static void Gather(Real* restrict next, Real* restrict own, Real* restrict same, Real* restrict out,
                              int count)
{
    for (int i = 0; i < count; ++i)
    {
        out[i] = next[i] + own[i] + same[i];
        next[i] = own[i] = same[i] = 0;
    }
}

// The same of a plane that is kicked and moved on at once.
RSL_CLONES static void Push(Real* restrict next, Real* restrict own, Real* restrict same, Real* restrict u,
                            Real* restrict w, const Real* restrict mass, Real gravity, Real kick, Real half, int count)
{
    for (int i = 0; i < count; ++i)
    {
        Real f = next[i] + own[i] + same[i] + mass[i] * gravity, v = w[i] + kick / mass[i] * f;
        w[i] = v;
        u[i] += half * v;
        next[i] = own[i] = same[i] = 0;
    }
}

static double SumLost(Real* lost, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
    {
        sum += (double)lost[i];
        lost[i] = 0;
    }
    return sum;
}

static double WeighDrags(Sums sums, Real* const w[3], int begin, int count)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        sum += RSL_NAME(rslDrag_Weigh)(sums[1][axis], w[axis] + begin, count);
    }
    return sum;
}

// Shares of a plane: factor times sum.
RSL_CLONES static void Share(Real* restrict next, Real* restrict own, Real* restrict same, const Real* restrict factor,
                             Real* restrict out, int count)
{
    for (int i = 0; i < count; ++i)
    {
        out[i] = factor[i] * (next[i] + own[i] + same[i]);
        next[i] = own[i] = same[i] = 0;
    }
}

static void EndShares(Sweep* s, int plane, Sums* next)
{
    const DispersionKernel* nodes = s->kernel->dispersion;
    const Plane* p = &s->kernel->sweep->planes[plane];
    int count = p->end - p->begin;
    const Real* factors[2] = { nodes->factor + p->begin, nodes->dragFactor + p->begin };
    Real* to[2] = { nodes->share + p->begin, nodes->dragShare + p->begin };
    for (int damped = 0; damped < (IsDamped(s) ? 2 : 1); ++damped)
    {
        Share((*next)[damped][0], s->own[damped][0], s->same[damped][0], factors[damped], to[damped], count);
    }
}

// Nothing more comes to it: what it feels goes to the kernel, or moves it.
static void EndPlane(Sweep* s, int plane, Sums* next)
{
    Kernel* kernel = s->kernel;
    const Plane* p = &kernel->sweep->planes[plane];
    const View* view = s->view;
    const Real* gravity = kernel->frames[s->slab->body].gravity;
    int count = p->end - p->begin;
    double* lost = &kernel->sweep->lost[3 * (size_t)plane];
    for (int axis = 0; IsDamped(s) && axis < 3; ++axis)
    {
        bool asked = !s->moves && kernel->drag[0] != NULL;
        Real* to = asked ? kernel->drag[axis] + p->begin : s->spare[1][axis];
        Gather((*next)[1][axis], s->own[1][axis], s->same[1][axis], to, count);
    }
    lost[LOST] = IsDamped(s) ? SumLost(s->lost, count) : 0.0;
    lost[BEFORE] = IsDamped(s) && s->moves ? WeighDrags(s->spare, view->w, p->begin, count) : 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        Real *before = (*next)[0][axis], *own = s->own[0][axis], *same = s->same[0][axis];
        if (s->moves)
        {
            Push(before, own, same, view->u[axis] + p->begin, view->w[axis] + p->begin, kernel->mass + p->begin,
                 gravity[axis], s->kick, s->half, count);
        }
        else
        {
            Gather(before, own, same, kernel->force[axis] + p->begin, count);
        }
    }
    lost[AFTER] = IsDamped(s) && s->moves ? WeighDrags(s->spare, view->w, p->begin, count) : 0.0;
}

static void MovePlane(const Sweep* s, int plane)
{
    const Plane* p = &s->kernel->sweep->planes[plane];
    for (int axis = 0; axis < 3; ++axis)
    {
        Move(s->view->u[axis] + p->begin, s->view->w[axis] + p->begin, s->half, p->end - p->begin);
    }
}

// ---- slabs ----------------------------------------------------------------------------------------------------------

static Sweep MakeSweep(const Sweep* all, int item)
{
    Sweep s = *all;
    s.slab = &all->kernel->sweep->slabs[item];
    s.spreads = RSL_NAME(rslSweep_Disperses)(s.kernel, s.slab->body);
    TakeRoom(&s);
    return s;
}

static void SweepSlab(int item, void* context)
{
    Sweep s = MakeSweep(context, item);
    const Slab* slab = s.slab;
    bool drifts = s.moves && s.shares == s.spreads;  // shares are found at places after half a drift
    int turn = 0;
    if (s.shares && !s.spreads)
    {
        return;
    }
    if (drifts)
    {
        MovePlane(&s, slab->begin);
    }
    if (slab->begin > slab->first)
    {
        const Plane* before = &s.kernel->sweep->planes[slab->begin - 1];
        AskPlane(&s, slab->begin - 1, &s.next[turn]);
        memset(s.lost, 0, (size_t)(before->end - before->begin) * sizeof(Real));
    }
    for (int p = slab->begin; p < slab->end; ++p, turn = 1 - turn)
    {
        if (drifts && p + 1 < slab->end)
        {
            MovePlane(&s, p + 1);
        }
        AskPlane(&s, p, &s.next[1 - turn]);
        (s.shares ? EndShares : EndPlane)(&s, p, &s.next[turn]);
    }
}

// What the neighbours of a slab have to know of its first and last planes before they move: places after half a drift, and velocities.
static void KeepPlane(const Sweep* s, int plane, Real* halo)
{
    const Plane* p = &s->kernel->sweep->planes[plane];
    size_t count = (size_t)(p->end - p->begin);
    for (size_t axis = 0; axis < 3; ++axis)
    {
        Real* to = halo + axis * count;
        memcpy(to, s->view->u[axis] + p->begin, count * sizeof(Real));
        Move(to, s->view->w[axis] + p->begin, s->half, (int)count);
        if (IsDamped(s))
        {
            memcpy(halo + (3 + axis) * count, s->view->w[axis] + p->begin, count * sizeof(Real));
        }
    }
}

static void KeepBorders(int item, void* context)
{
    Sweep s = *(const Sweep*)context;
    s.slab = &s.kernel->sweep->slabs[item];
    if (s.slab->halo[0] != NULL)
    {
        KeepPlane(&s, s.slab->begin - 1, s.slab->halo[0]);
    }
    if (s.slab->halo[1] != NULL)
    {
        KeepPlane(&s, s.slab->end, s.slab->halo[1]);
    }
}

// With a lag they have walks of their own, and so have variants of which only a part is an energy.
bool RSL_NAME(rslSweep_Disperses)(const Kernel* kernel, int body)
{
    const rslBody* b = &kernel->model->bodies[body];
    return IsSwept(kernel, body) && DispersesBody(kernel, body) && VariantOf(kernel, body) == b->dispersion.variant;
}

void RSL_NAME(rslSweep_Shares)(Kernel* kernel, const View* view)
{
    Sweep all = { .kernel = kernel, .view = view, .shares = true };
    rslTeam_Run(kernel->team, SweepSlab, kernel->sweep->slabCount, &all);
}

void RSL_NAME(rslSweep_Force)(Kernel* kernel, const View* view)
{
    Sweep all = { .kernel = kernel, .view = view };
    rslTeam_Run(kernel->team, SweepSlab, kernel->sweep->slabCount, &all);
}

static double SumPlanes(const SweepKernel* sweep, int which)
{
    double sum = 0.0;
    for (int p = 0; sweep->damped && p < sweep->planeCount; ++p)
    {
        sum += sweep->lost[3 * (size_t)p + (size_t)which];
    }
    return sum;
}

double RSL_NAME(rslSweep_Lost)(const Kernel* kernel)
{
    return kernel->sweep != NULL ? SumPlanes(kernel->sweep, LOST) : 0.0;
}

// ---- whole steps ----------------------------------------------------------------------------------------------------

bool RSL_NAME(rslSweep_TakesSteps)(const Kernel* kernel)
{
    const rslModel* model = kernel->model;
    bool takes = kernel->sweep != NULL && kernel->touch == NULL && kernel->guard == NULL && kernel->rigids == NULL &&
                 kernel->held == NULL && model->plane != rsl_planeXY;
    for (int b = 0; takes && b < model->bodyCount; ++b)
    {
        takes = kernel->sweep->takes[b] && DispersesBody(kernel, b) == RSL_NAME(rslSweep_Disperses)(kernel, b);
    }
    for (const Term* const* term = RSL_NAME(rslTerms); takes && *term != NULL; ++term)
    {
        bool known = *term == &RSL_NAME(rslLatticeTerm) || *term == &RSL_NAME(rslGravityTerm) ||
                     *term == &RSL_NAME(rslDispersionTerm);
        takes = known || !(*term)->present(kernel);
    }
    return takes;
}

void RSL_NAME(rslSweep_Step)(Kernel* kernel, const View* view, double step, rslAccount* account)
{
    SweepKernel* sweep = kernel->sweep;
    Sweep all = { .kernel = kernel, .view = view, .moves = true, .half = (Real)(0.5 * step), .kick = (Real)step };
    if (sweep->slabCount > kernel->model->bodyCount)
    {
        rslTeam_Run(kernel->team, KeepBorders, sweep->slabCount, &all);
    }
    if (kernel->dispersion != NULL)
    {
        all.shares = true;
        rslTeam_Run(kernel->team, SweepSlab, sweep->slabCount, &all);
        all.shares = false;
    }
    rslTeam_Run(kernel->team, SweepSlab, sweep->slabCount, &all);
    account->dissipated -= 0.5 * step * (SumPlanes(sweep, AFTER) - SumPlanes(sweep, BEFORE));
}
