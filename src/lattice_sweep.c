// SPDX-License-Identifier: MIT
//
// lattice_sweep.c: see lattice_sweep.h.

#include "lattice_sweep.h"

#include "dispersion.h"

#include <limits.h>
#include <string.h>

#define Copy RSL_NAME(rslSweep_Copy)
#define Share RSL_NAME(rslSweep_Share)

// A slab on its way.
typedef struct Sweep
{
    Kernel* kernel;
    const View* view;
    const Slab* slab;
    bool moves;         // it takes a step
    bool begins;        // which is the first of a call: its first half of a drift is still to be made (lattice_push.h)
    bool goesOn;        // and another one follows
    Real half, kick;    // of which half a drift and the kick are so long [s]
    int turn;           // of halos
    bool shares;        // it finds shares instead of forces
    bool spreads;       // the body disperses
    bool keeps;         // shares and forces by turns, in one sweep
    int begin, end;     // planes of the slab whose nodes are asked
    bool bounds;        // it finds bounds of velocities
    SpeedLanes speeds;  // of a plane, as what follows:
    double lost[LANES], changed[LANES];  // what dampers take [W]; D.(w' - w) of its kick
    int loading, segment;                // the plane that is loaded, and its next segment
    StripCall *add, *addAbove;           // of all springs of a strip, and of those to the next plane
    ptrdiff_t keptOfChunk;               // numbers
    StripView strip;                     // what all strips of the slab have in common
} Sweep;

static bool IsDamped(const Sweep* s)
{
    return s->kernel->bodies[s->slab->body].damped;
}

// ---- planes ---------------------------------------------------------------------------------------------------------

RSL_CLONES static void Copy(const Real* restrict from, Real* restrict to, int count)
{
    for (int i = 0; i < count; ++i)
    {
        to[i] = from[i];
    }
}

// Half a drift of nodes, to three arrays of places.
static void Move(const Sweep* s, Segments segments, Real* to, ptrdiff_t stride)
{
    const View* v = s->view;
    MoveView view = { .segments = segments, .to = to, .stride = stride, .half = s->half };
    memcpy(view.u, v->u, sizeof view.u);
    memcpy(view.w, v->w, sizeof view.w);
    s->kernel->wide->move(&view);
}

static void AddField(LoadView* view, const Real* from, Real* to)
{
    view->from[view->fields] = from;
    view->to[view->fields++] = to;
}

// What the slab sees of segments of a plane goes to its grid: the view, moved on if it takes a step, or what it keeps of its neighbours.
static void LoadSegments(const Sweep* s, int plane, Segments segments)
{
    const Slab* slab = s->slab;
    const Plane* p = &s->kernel->sweep->planes[plane];
    const DispersionKernel* nodes = s->kernel->dispersion;
    const bool outside = s->moves && (plane < slab->begin || plane >= slab->end), drifts = s->begins && !outside;
    const int size = p->end - p->begin, begin = outside ? p->begin : 0;
    const Real* halo = outside ? slab->halo[plane < slab->begin ? 0 : 1][s->turn] : NULL;
    Real* grid = slab->fields + TurnOf(slab, plane);
    LoadView view = { .segments = segments, .begin = begin };
    for (int axis = 0; axis < 3 && !drifts; ++axis)
    {
        AddField(&view, outside ? halo + axis * size : s->view->u[axis], grid + (FIELD_U + axis) * slab->stride);
    }
    for (int axis = 0; axis < 3 && IsDamped(s); ++axis)
    {
        AddField(&view, outside ? halo + (3 + axis) * size : s->view->w[axis], grid + (FIELD_W + axis) * slab->stride);
    }
    if (drifts)
    {
        Move(s, segments, grid + FIELD_U * slab->stride, slab->stride);
    }
    s->kernel->wide->load(&view);
    if (s->spreads && (s->keeps ? outside : !s->shares))
    {
        LoadView shares = { .segments = segments };
        AddField(&shares, nodes->share, grid + FIELD_SHARE * slab->stride);
        if (IsDamped(s))
        {
            AddField(&shares, nodes->dragShare, grid + FIELD_DRAG_SHARE * slab->stride);
        }
        s->kernel->wide->load(&shares);
    }
}

// A plane from its first segment on, in parts.
static void BeginPlane(Sweep* s, int plane)
{
    s->loading = plane;
    s->segment = s->kernel->sweep->planes[plane].firstSegment;
}

// Up to the segment of a place.
static void LoadPlane(Sweep* s, int place)
{
    const SweepKernel* sweep = s->kernel->sweep;
    const Plane* p = &sweep->planes[s->loading];
    const int first = s->segment;
    while (s->segment < p->firstSegment + p->segments && sweep->segments[s->segment].place <= place)
    {
        s->segment += 1;
    }
    if (s->segment > first)
    {
        LoadSegments(s, s->loading, (Segments){ sweep->segments + first, s->segment - first });
    }
}

// ---- what acts on nodes ---------------------------------------------------------------------------------------------

static Real* SumsOf(const Sweep* s, int plane)
{
    return (s->shares ? s->slab->shareSums : s->slab->sums) + TurnOf(s->slab, plane);
}

// Shares: factor times sum.
RSL_CLONES static void Share(const Real* restrict own, Real* restrict sums, const Real* restrict factor,
                             Real* restrict to, int count)
{
    for (int i = 0; i < count; ++i)
    {
        to[i] = factor[i] * (own[i] + sums[i]);
        sums[i] = 0;
    }
}

// To the kernel, or where forces are found at once to the grid.
static void EndShares(const Sweep* s, int plane, const Segment* segment, const Real* own, Real* sums)
{
    const DispersionKernel* nodes = s->kernel->dispersion;
    const Slab* slab = s->slab;
    const int node = segment->node;
    Real* field = slab->fields + TurnOf(slab, plane) + FIELD_SHARE * slab->stride + segment->place;
    Share(own, sums, nodes->factor + node, s->keeps ? field : nodes->share + node, segment->count);
    if (IsDamped(s))
    {
        Share(own + OWN_STRIDE, sums + slab->stride, nodes->dragFactor + node,
              s->keeps ? field + slab->stride : nodes->dragShare + node, segment->count);
    }
}

// Kicked and moved on at once.
static void Push(Sweep* s, int plane, const Strip* strip, Segments segments)
{
    const View* v = s->view;
    const Slab* slab = s->slab;
    PushView view = { .segments = segments,
                      .begin = strip->at - 1,
                      .own = slab->own,
                      .sums = SumsOf(s, plane),
                      .place = slab->fields + TurnOf(slab, plane),
                      .stride = slab->stride,
                      .mass = s->kernel->mass,
                      .free = s->kernel->pinned ? s->kernel->sweep->free : NULL,
                      .kick = s->kick,
                      .half = s->half,
                      .goesOn = s->goesOn,
                      .changed = IsDamped(s) ? s->changed : NULL,
                      .speeds = s->bounds ? &s->speeds : NULL };
    memcpy(view.u, v->u, sizeof view.u);
    memcpy(view.w, v->w, sizeof view.w);
    memcpy(view.gravity, s->kernel->frames[slab->body].gravity, sizeof view.gravity);
    s->kernel->wide->push(&view);
}

static void ClearSums(const Sweep* s, int plane, const Strip* strip)
{
    const int each = s->shares ? 1 : 3, sums = IsDamped(s) ? 2 * each : each;
    for (int q = 0; q < sums; ++q)
    {
        memset(SumsOf(s, plane) + strip->at + q * s->slab->stride, 0, (size_t)strip->count * sizeof(Real));
    }
}

// Nothing more comes to these nodes: what they feel goes to the kernel.
static void KeepForces(const Sweep* s, int plane, const Strip* strip, Segments segments)
{
    const Kernel* kernel = s->kernel;
    KeepView view = { .segments = segments,
                      .begin = strip->at - 1,
                      .own = s->slab->own,
                      .sums = SumsOf(s, plane),
                      .stride = s->slab->stride };
    memcpy(view.to + SUM_FORCE, kernel->force, sizeof kernel->force);
    if (IsDamped(s))
    {
        memcpy(view.to + SUM_DRAG, kernel->drag, sizeof kernel->drag);
    }
    kernel->wide->keep(&view);
    ClearSums(s, plane, strip);
}

// ---- strips ---------------------------------------------------------------------------------------------------------

double RSL_NAME(rslSweep_SumOf)(const double lanes[LANES])
{
    double sum = 0.0;
    for (int l = 0; l < LANES; ++l)
    {
        sum += lanes[l];
    }
    return sum;
}

// What was done to nodes that are not asked.
static void ClearPlane(const Sweep* s, int plane)
{
    const SweepKernel* sweep = s->kernel->sweep;
    const Plane* p = &sweep->planes[plane];
    for (const Strip* strip = sweep->strips + p->firstStrip; strip < sweep->strips + p->firstStrip + p->strips; ++strip)
    {
        ClearSums(s, plane, strip);
    }
}

static void EndStrip(Sweep* s, int plane, const Strip* strip)
{
    const Segments segments = { s->kernel->sweep->segments + strip->firstSegment, strip->segments };
    if (s->moves && !s->shares)
    {
        Push(s, plane, strip, segments);
    }
    else if (!s->shares)
    {
        KeepForces(s, plane, strip, segments);
    }
    for (int n = 0; s->shares && n < segments.count; ++n)
    {
        const Segment* segment = &segments.first[n];
        EndShares(s, plane, segment, s->slab->own + (segment->place - strip->at + 1),
                  SumsOf(s, plane) + segment->place);
    }
}

// Places that are loaded next, and what the end of the strip reads: a push, or shares, which have but two arrays.
static void Fetch(Sweep* s, const Strip* strip)
{
    const SweepKernel* sweep = s->kernel->sweep;
    const View* v = s->view;
    const Plane* p = &sweep->planes[s->loading];
    const DispersionKernel* nodes = s->kernel->dispersion;
    const int here = sweep->segments[strip->firstSegment].node;
    const int next = s->segment < p->firstSegment + p->segments ? sweep->segments[s->segment].node : p->end;
    const Real* last = (s->shares ? nodes->factor : s->kernel->mass) + here;
    const Real* soon[SOON] = { v->u[0] + next, v->u[1] + next, v->u[2] + next, last, last, last, last };
    for (int axis = 0; axis < 3; ++axis)
    {
        soon[axis] = s->keeps && !s->shares ? v->u[axis] + here : soon[axis];
        soon[3 + axis] = !s->shares ? v->w[axis] + here : s->keeps ? last : nodes->share + here;
    }
    for (int which = 0; which < SOON; ++which)
    {
        s->strip.soon[which] = (uintptr_t)soon[which];
    }
}

static void AskStrip(Sweep* s, int plane, const Strip* strip, StripCall* call)
{
    const SweepKernel* sweep = s->kernel->sweep;
    const Slab* slab = s->slab;
    const ptrdiff_t here = TurnOf(slab, plane) + strip->at - 1, above = TurnOf(slab, plane + 1) + strip->at - 1;
    const int before = strip->chunk - sweep->strips[sweep->planes[plane].firstStrip].chunk;
    StripView* view = &s->strip;
    view->runs = sweep->runs + strip->firstRun;
    view->runCount = strip->runs;
    view->here = slab->fields + here;
    view->above = slab->fields + above;
    view->sums = SumsOf(s, plane) + strip->at - 1;
    view->sumsAbove = SumsOf(s, plane + 1) + strip->at - 1;
    view->kept = s->keeps ? slab->kept + (plane & 1) * slab->keptTurn + before * s->keptOfChunk : NULL;
    view->own = slab->own;
    view->lost = s->lost;
    view->behind = strip->leads ? strip->count + 1 : 0;
    view->chunks = sweep->chunks + strip->chunk;
    call(view);
}

// Springs from a plane, the next one being loaded. Of the one before the slab only what they do to the next is of interest.
static void AskPlane(Sweep* s, int plane)
{
    const SweepKernel* sweep = s->kernel->sweep;
    const bool own = plane >= s->begin;
    const Plane* p = &sweep->planes[plane];
    for (const Strip* strip = sweep->strips + p->firstStrip; strip < sweep->strips + p->firstStrip + p->strips; ++strip)
    {
        if (s->loading == plane + 1)
        {
            LoadPlane(s, strip->at + strip->count + (int)s->slab->pitch);
        }
        Fetch(s, strip);
        AskStrip(s, plane, strip, own ? s->add : s->addAbove);
        if (own)
        {
            EndStrip(s, plane, strip);
        }
    }
}

// ---- slabs ----------------------------------------------------------------------------------------------------------

static StripCall* ChooseCall(const Sweep* s, bool above)
{
    const WideCalls* wide = s->kernel->wide;
    const BodyKernel* body = &s->kernel->bodies[s->slab->body];
    bool faces = !HasBodySprings(s->kernel, s->slab->body);
    StripKind kind = body->general  ? rsl_generalBodies
                     : body->damped ? (faces ? rsl_dampedFaces : rsl_dampedBodies)
                                    : (faces ? rsl_elasticFaces : rsl_elasticBodies);
    return s->shares    ? (s->keeps ? wide->shareKept : wide->share)[above][kind]
           : s->spreads ? (s->keeps ? wide->spreadKept : wide->spread)[above][kind]
                        : wide->add[above][kind];
}

// What it finds now.
static void Choose(Sweep* s, bool shares)
{
    s->shares = shares;
    s->add = ChooseCall(s, false);
    s->addAbove = ChooseCall(s, true);
}

static StripView MakeView(const Sweep* s)
{
    const BodyKernel* body = &s->kernel->bodies[s->slab->body];
    rslDispersionVariant variant = s->spreads ? VariantOf(s->kernel, s->slab->body) : rsl_energyDispersion;
    StripView view = { .stride = s->slab->stride,
                       .pitch = s->slab->pitch,
                       .fetches = s->moves && s->slab->fetches,
                       .constants = s->kernel->sweep->constants,
                       .spacing = (Real)body->spacing,
                       .ratio = body->stiffnessDamping,
                       .carrier = body->carrier };
    static const int ofShell[3] = { 0, RSL_LATTICE_FACE, RSL_LATTICE_BODY };
    for (int shell = 0; shell < 3; ++shell)
    {
        double length = (double)body->bondLength[ofShell[shell]];
        rslSpread spread = rslSpread_Of(variant, length);
        view.inverse[shell] = body->bondInverse[ofShell[shell]];
        view.in[shell] = (Real)(spread.in * length);
        view.out[shell] = (Real)(spread.out / length);
    }
    return view;
}

static Sweep MakeSweep(const Sweep* all, int item)
{
    Sweep s = *all;
    s.slab = &all->kernel->sweep->slabs[item];
    s.begin = s.slab->begin;
    s.end = s.slab->end;
    s.spreads = RSL_NAME(rslSweep_Disperses)(s.kernel, s.slab->body);
    s.keeps = s.moves && !s.shares && s.spreads && s.slab->keeps;
    s.keptOfChunk = LANES * (HasBodySprings(s.kernel, s.slab->body) ? BODY_SPRINGS : FACE_SPRINGS) *
                    (IsDamped(&s) || s.kernel->bodies[s.slab->body].general ? 2 : 1);
    Choose(&s, s.shares);
    s.strip = MakeView(&s);
    return s;
}

// A state that is not finite leaves what is no number where nobody clears it, through springs of constant 0: at places without a node, and
// above the last plane.
static void ClearGrids(const Slab* slab)
{
    memset(slab->room, 0, slab->size * sizeof(Real));
}

// What the neighbours of a slab have to know of its first and last planes before they move: places after half a drift, which is made already
// but for the first step, and velocities.
static void KeepPlane(const Sweep* s, int plane, bool drifts, Real* halo)
{
    const Plane* p = &s->kernel->sweep->planes[plane];
    int count = p->end - p->begin;
    if (drifts)
    {
        Move(s, (Segments){ &(Segment){ .node = p->begin, .count = count }, 1 }, halo, count);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        if (!drifts)
        {
            Copy(s->view->u[axis] + p->begin, halo + axis * count, count);
        }
        if (IsDamped(s))
        {
            Copy(s->view->w[axis] + p->begin, halo + (3 + axis) * count, count);
        }
    }
}

// They lie beside it in the list of all slabs.
static void KeepBorders(const Sweep* s, int turn, bool drifts)
{
    const Slab* slab = s->slab;
    if (slab->begin > slab->first)
    {
        KeepPlane(s, slab->begin, drifts, slab[-1].halo[1][turn]);
    }
    if (slab->end < slab->last)
    {
        KeepPlane(s, slab->end - 1, drifts, slab[1].halo[0][turn]);
    }
}

static void KeepSlab(int item, void* context)
{
    Sweep s = *(const Sweep*)context;
    s.slab = &s.kernel->sweep->slabs[item];
    ClearGrids(s.slab);
    RSL_NAME(rslPins_Keep)(s.view, s.slab);
    KeepBorders(&s, s.turn, s.begins);
}

static int FirstPlane(const Sweep* s)
{
    return s->begin > s->slab->first ? s->begin - 1 : s->begin;
}

// A plane, with the next one.
static void LoadAndAsk(Sweep* s, int plane)
{
    if (plane + 1 < s->slab->last)
    {
        BeginPlane(s, plane + 1);
    }
    AskPlane(s, plane);
    LoadPlane(s, INT_MAX);
}

static void BeginForces(Sweep* s)
{
    if (IsDamped(s))
    {
        memset(s->lost, 0, sizeof s->lost);
        memset(s->changed, 0, sizeof s->changed);
    }
    if (s->bounds)
    {
        RSL_NAME(rslSpeeds_Clear)(&s->speeds);
    }
}

// What has been found of a plane beside forces.
static void EndForces(const Sweep* s, int plane)
{
    SweepKernel* sweep = s->kernel->sweep;
    if (plane >= s->begin)
    {
        sweep->lost[plane] = IsDamped(s) ? RSL_NAME(rslSweep_SumOf)(s->lost) : 0.0;
        sweep->changed[plane] = IsDamped(s) ? RSL_NAME(rslSweep_SumOf)(s->changed) : 0.0;
    }
    if (plane >= s->begin && s->bounds)
    {
        sweep->speeds[plane] = RSL_NAME(rslSpeeds_Join)(&s->speeds);
    }
}

// Shares or forces.
static void SweepPlanes(Sweep* s)
{
    const int first = FirstPlane(s);
    BeginPlane(s, first);
    LoadPlane(s, INT_MAX);
    for (int p = first; p < s->end; ++p)
    {
        BeginForces(s);
        LoadAndAsk(s, p);
        if (!s->shares)
        {
            EndForces(s, p);
        }
    }
    if (s->end < s->slab->last)
    {
        ClearPlane(s, s->end);
    }
}

// Both: forces one plane behind shares.
static void SweepBoth(Sweep* s)
{
    const int first = FirstPlane(s);
    BeginPlane(s, first);
    LoadPlane(s, INT_MAX);
    for (int p = first; p <= s->end; ++p)
    {
        if (p < s->end)
        {
            Choose(s, true);
            LoadAndAsk(s, p);
        }
        if (p > first)
        {
            Choose(s, false);
            BeginForces(s);
            AskPlane(s, p - 1);
            EndForces(s, p - 1);
        }
    }
    for (int shares = 0; s->end < s->slab->last && shares < 2; ++shares)
    {
        s->shares = shares == 1;
        ClearPlane(s, s->end);
    }
    s->shares = false;
}

static void SweepSlab(int item, void* context)
{
    Sweep s = MakeSweep(context, item);
    const Slab* slab = s.slab;
    if (s.shares && !s.spreads)
    {
        return;
    }
    if (!s.moves)
    {
        ClearGrids(slab);
    }
    if (s.keeps)
    {
        SweepBoth(&s);
    }
    else
    {
        SweepPlanes(&s);
    }
    if (s.moves && !s.shares && s.kernel->pinned)
    {
        RSL_NAME(rslPins_Hold)(s.kernel, s.view, &s.kernel->sweep->slabs[item], s.half, s.goesOn);
    }
    if (s.goesOn && !s.shares)
    {
        KeepBorders(&s, 1 - s.turn, false);
    }
}

// Shares before a step: of the planes that slabs beside this one ask for, or of all if it does not keep.
static void ShareSlab(int item, void* context)
{
    Sweep s = MakeSweep(context, item);
    const Slab* slab = s.slab;
    const int begin = slab->begin, end = slab->end;
    if (!s.spreads)
    {
        return;
    }
    if (!slab->keeps)
    {
        SweepPlanes(&s);
        return;
    }
    if (begin > slab->first)
    {
        s.end = begin + 1;
        SweepPlanes(&s);
    }
    if (end < slab->last)
    {
        s.begin = end - 1;
        s.end = end;
        SweepPlanes(&s);
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

double RSL_NAME(rslSweep_Lost)(const Kernel* kernel)
{
    const SweepKernel* sweep = kernel->sweep;
    double sum = 0.0;
    for (int p = 0; sweep != NULL && sweep->damped && p < sweep->planeCount; ++p)
    {
        sum += sweep->lost[p];
    }
    return sum;
}

// ---- whole steps ----------------------------------------------------------------------------------------------------

static Sweep StepOf(Kernel* kernel, const View* view, const SweepStep* step)
{
    return (Sweep){ .kernel = kernel,
                    .view = view,
                    .moves = true,
                    .bounds = kernel->guard != NULL || kernel->touch != NULL,
                    .begins = step->begins,
                    .goesOn = step->goesOn,
                    .half = (Real)(0.5 * step->time),
                    .kick = (Real)step->time,
                    .turn = step->turn };
}

void RSL_NAME(rslSweep_Depart)(Kernel* kernel, const View* view, const SweepStep* step)
{
    Sweep all = StepOf(kernel, view, step);
    rslTeam_Run(kernel->team, KeepSlab, kernel->sweep->slabCount, &all);
}

// Is there a slab that keeps nothing, or has another one beside it?
static bool SharesBefore(const SweepKernel* sweep)
{
    bool shares = false;
    for (int s = 0; s < sweep->slabCount; ++s)
    {
        const Slab* slab = &sweep->slabs[s];
        shares = shares || !slab->keeps || slab->begin > slab->first;
    }
    return shares;
}

double RSL_NAME(rslSweep_TakeStep)(Kernel* kernel, const View* view, const SweepStep* step, rslAccount* account)
{
    Sweep all = StepOf(kernel, view, step);
    if (kernel->dispersion != NULL && SharesBefore(kernel->sweep))
    {
        all.shares = true;
        rslTeam_Run(kernel->team, ShareSlab, kernel->sweep->slabCount, &all);
        all.shares = false;
    }
    rslTeam_Run(kernel->team, SweepSlab, kernel->sweep->slabCount, &all);
    account->dissipated -= 0.5 * step->time * RSL_NAME(rslSweep_Changed)(kernel);
    return RSL_NAME(rslSweep_Lost)(kernel);
}
