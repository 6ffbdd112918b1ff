// SPDX-License-Identifier: MIT
//
// kernel.c: make a kernel from a model, look at a state through it, and sum up all forces.

#include "kernel_rigid.h"

#include "collision.h"
#include "guard.h"
#include "kernel_touch.h"
#include "lists.h"
#include "spring_law.h"
#include "lattice_sweep.h"
#include "network_slices.h"
#include "term.h"

#include <limits.h>
#include <string.h>

void* RSL_NAME(rslKernel_Allocate)(Kernel* kernel, size_t count, size_t size)
{
    return rslArena_Allocate(&kernel->arena, count, size);
}

// ---- making -------------------------------------------------------------------------------------------------------

// The centre of mass of every body at rest, in one walk over the chunks.
static void MakeRestCentres(Kernel* kernel)
{
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        const Chunk* chunk = &kernel->chunks[c];
        rslVec3* centre = &kernel->bodies[chunk->body].restCentre;
        double rest[CHUNK][3];
        RSL_NAME(rslKernel_Rest)(kernel, chunk, rest);
        for (int i = chunk->begin; i < chunk->end; ++i)
        {
            const double* X = rest[i - chunk->begin];
            *centre = rslMulAdd(*centre, (double)kernel->mass[i], (rslVec3){ X[0], X[1], X[2] });
        }
    }
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        BodyKernel* body = &kernel->bodies[b];
        rslVec3 sum = body->restCentre;
        body->restCentre = (rslVec3){ sum.x / body->mass, sum.y / body->mass, sum.z / body->mass };
    }
}

static bool MakeBodies(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    kernel->bodies = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->bodyCount, sizeof(BodyKernel));
    kernel->frames = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->bodyCount, sizeof(FrameView));
    kernel->mass = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->nodeCount + LANES, sizeof(Real));
    if (kernel->bodies == NULL || kernel->frames == NULL || kernel->mass == NULL)
    {
        return false;
    }
    for (int i = 0; i < model->nodeCount; ++i)
    {
        kernel->mass[i] = (Real)model->mass[i];
    }
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        BodyKernel* out = &kernel->bodies[b];
        out->rigid = body->model == rsl_rigidModel;
        out->massDamping = (Real)body->massDamping;
        out->nodeDamping = body->nodeDamping;
        kernel->massDamped = kernel->massDamped || out->massDamping != (Real)0 || out->nodeDamping != NULL;
        out->stiffnessDamping = (Real)body->stiffnessDamping;
        out->spacing = (double)(Real)body->lattice.spacing;
        out->carrier = LawCarrierShare(body->lattice.law);
        out->general = out->carrier != (Real)0 || body->lattice.damp != NULL;
        out->damped = out->general || out->stiffnessDamping != (Real)0;
        for (int s = 0; body->kind == rsl_latticeBody && s < DIRECTIONS; ++s)
        {
            rslVec3 bond = { out->spacing * rslLatticeDirections[s][0], out->spacing * rslLatticeDirections[s][1],
                             out->spacing * rslLatticeDirections[s][2] };
            out->bond[s][0] = (Real)bond.x;
            out->bond[s][1] = (Real)bond.y;
            out->bond[s][2] = (Real)bond.z;
            out->bondLength[s] = (Real)rslLength(bond);
            out->bondInverse[s] = (Real)(1.0 / rslDot(bond, bond));
            out->drives[s] = RSL_NAME(rslKernel_DriveBits)(kernel, b, bond);
            out->longestBond = out->bondLength[s] > out->longestBond ? out->bondLength[s] : out->longestBond;
        }
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            out->mass += (double)kernel->mass[i];
        }
    }
    return true;
}

// Which loads act on a node, and which links it is part of.
static bool MakeNodeLists(Kernel* kernel, int entryCount, const int* keys, int** start, int** items)
{
    *start = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->nodeCount + 1, sizeof(int));
    *items = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)entryCount, sizeof(int));
    if (*start == NULL || *items == NULL)
    {
        return false;
    }
    rslInvert(keys, entryCount, kernel->nodeCount, *start, *items);
    return true;
}

static bool MakeLoads(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    kernel->loadFactors = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->loadCount, sizeof(double));
    int total = 0;
    for (int l = 0; l < model->loadCount; ++l)
    {
        total += model->loads[l].nodeCount;
    }
    if (total == 0)
    {
        return kernel->loadFactors != NULL;
    }
    int* keys = rslAllocate(&kernel->arena.hooks, 2 * (size_t)total, sizeof(int));
    bool made = keys != NULL;
    int* owners = keys ? keys + total : NULL;
    int at = 0;
    for (int l = 0; made && l < model->loadCount; ++l)
    {
        for (int n = 0; n < model->loads[l].nodeCount; ++n, ++at)
        {
            keys[at] = model->loads[l].nodes[n];
            owners[at] = l;
        }
    }
    made = made && MakeNodeLists(kernel, total, keys, &kernel->loadStart, &kernel->nodeLoads);
    for (int e = 0; made && e < total; ++e)
    {
        kernel->nodeLoads[e] = owners[kernel->nodeLoads[e]];
    }
    rslRelease(&kernel->arena.hooks, keys);
    return made && kernel->loadFactors != NULL;
}

static bool MakeLinks(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    if (model->linkCount == 0)
    {
        return true;
    }
    int total = RSL_LINK_NODES * model->linkCount;
    int* keys = rslAllocate(&kernel->arena.hooks, (size_t)total, sizeof(int));
    bool made = keys != NULL;
    for (int e = 0; made && e < total; ++e)
    {
        const rslLink* link = &model->links[e / RSL_LINK_NODES];
        int place = e % RSL_LINK_NODES;
        keys[e] = place < link->nodeCount && link->weights[place] != 0.0 ? link->nodes[place] : -1;
    }
    made = made && MakeNodeLists(kernel, total, keys, &kernel->linkStart, &kernel->nodeLinks);
    rslRelease(&kernel->arena.hooks, keys);
    kernel->links = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->linkCount, sizeof(LinkView));
    return made && kernel->links != NULL;
}

static bool MakeHeld(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    if (model->constraintCount == 0)
    {
        return true;
    }
    kernel->held = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->nodeCount, sizeof(uint8_t));
    kernel->heldNodes = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->constraintCount, sizeof(HeldNode*));
    kernel->holdSquares = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->nodeCount, sizeof(double));
    bool made = kernel->held != NULL && kernel->heldNodes != NULL && kernel->holdSquares != NULL;
    for (int c = 0; made && c < model->constraintCount; ++c)
    {
        const rslConstraint* constraint = &model->constraints[c];
        int bits = (constraint->axes[0] ? 1 : 0) + (constraint->axes[1] ? 2 : 0) + (constraint->axes[2] ? 4 : 0);
        HeldNode* nodes = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)constraint->nodeCount, sizeof(HeldNode));
        for (int n = 0; nodes != NULL && n < constraint->nodeCount; ++n)
        {
            int node = constraint->nodes[n], body = rslModel_BodyOf(model, node);
            kernel->held[node] = (uint8_t)(kernel->held[node] | bits);
            nodes[n] = (HeldNode){ body, RSL_NAME(rslKernel_RestOf)(kernel, body, node) };
        }
        kernel->heldNodes[c] = nodes;
        made = nodes != NULL;
    }
    return made;
}

static bool MakeScratch(Kernel* kernel)
{
    bool made = RSL_NAME(rslForces_Make)(kernel);
    kernel->rebases = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->model->bodyCount, sizeof(Rebase));
    kernel->powers = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount, sizeof(Powers));
    kernel->sums = RSL_NAME(rslKernel_Allocate)(kernel, RSL_SUMS * (size_t)kernel->chunkCount, sizeof(double));
    kernel->motions = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount, sizeof *kernel->motions);
    return made && kernel->rebases != NULL && kernel->powers != NULL && kernel->sums != NULL && kernel->motions != NULL;
}

static bool MakePull(Kernel* kernel)
{
    bool rubs = kernel->rubs || kernel->impulses;
    if (rubs)
    {
        kernel->pull = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->nodeCount, sizeof(double[3]));
    }
    return !rubs || kernel->pull != NULL;
}

Kernel* RSL_NAME(rslKernel_Create)(const rslModel* model, bool impulses, const rslHooks* hooks, rslTeam* team)
{
    rslHooks complete = rslHooks_Complete(hooks);
    Kernel* kernel = rslAllocate(&complete, 1, sizeof(Kernel));
    if (kernel == NULL)
    {
        return NULL;
    }
    kernel->model = model;
    kernel->team = team;
    kernel->arena = rslArena_Make(hooks);
    kernel->nodeCount = model->nodeCount;
    kernel->impulses = impulses && rslModel_Touches(model);
    kernel->wide = RSL_NAME(rslWide_Choose)(INT_MAX);
    if (!MakeBodies(kernel) || !RSL_NAME(rslKernel_MakeChunks)(kernel) || !RSL_NAME(rslSweep_Make)(kernel) ||
        !RSL_NAME(rslKernel_MakeNetworks)(kernel) || !RSL_NAME(rslSlices_Make)(kernel) || !MakeLoads(kernel) ||
        !MakeLinks(kernel) || !MakeHeld(kernel) || !RSL_NAME(rslPins_Make)(kernel) ||
        !RSL_NAME(rslPressure_Make)(kernel) || !RSL_NAME(rslElements_Make)(kernel) ||
        !RSL_NAME(rslRepulsion_Make)(kernel) || !RSL_NAME(rslCentroid_Make)(kernel) ||
        !RSL_NAME(rslBend_Make)(kernel) || !RSL_NAME(rslPlanes_Make)(kernel) || !RSL_NAME(rslRigids_Make)(kernel) ||
        !MakeScratch(kernel) || !MakePull(kernel) || !RSL_NAME(rslVolume_Make)(kernel) ||
        !RSL_NAME(rslDispersion_Make)(kernel) || !RSL_NAME(rslGuard_Make)(kernel) ||
        (kernel->impulses && !RSL_NAME(rslTouch_Make)(kernel)))
    {
        RSL_NAME(rslKernel_Free)(kernel);
        return NULL;
    }
    MakeRestCentres(kernel);
    return kernel;
}

void RSL_NAME(rslKernel_Free)(Kernel* kernel)
{
    if (kernel != NULL)
    {
        rslHooks hooks = kernel->arena.hooks;
        RSL_NAME(rslTouch_Free)(kernel);
        RSL_NAME(rslForces_Drop)(kernel);
        rslArena_Free(&kernel->arena);
        rslRelease(&hooks, kernel);
    }
}

// ---- looking at a state -------------------------------------------------------------------------------------------

uint32_t RSL_NAME(rslKernel_DriveBits)(const Kernel* kernel, int body, rslVec3 bond)
{
    const rslModel* model = kernel->model;
    rslMat3 rotation = rslQuatMatrix(model->bodies[body].frame.rotation);
    rslVec3 direction = rslNormalize(rslMatVec(&rotation, bond));
    uint32_t bits = 0;
    for (int d = 0; d < model->driveCount; ++d)
    {
        const rslDrive* drive = &model->drives[d];
        bool any = rslDot(drive->direction, drive->direction) == 0.0;
        // a spring has no sense of direction; the slack keeps springs on the edge of the cone
        if (any || fabs(rslDot(direction, drive->direction)) >= drive->cosine - 1e-9)
        {
            bits |= 1u << d;
        }
    }
    return bits;
}

rslVec3 RSL_NAME(rslKernel_RestOf)(const Kernel* kernel, int body, int node)
{
    const rslBody* b = &kernel->model->bodies[body];
    if (b->kind == rsl_latticeBody)
    {
        double xyz[3];
        rslLattice lattice = b->lattice;
        lattice.spacing = kernel->bodies[body].spacing;
        rslLattice_Rest(&lattice, node - b->firstNode, node - b->firstNode + 1, xyz);
        return (rslVec3){ xyz[0], xyz[1], xyz[2] };
    }
    int at = node + kernel->bodies[body].restBase;
    return VectorAt(kernel->rest, at);
}

void RSL_NAME(rslKernel_Rest)(const Kernel* kernel, const Chunk* chunk, double (*rest)[3])
{
    const rslBody* body = &kernel->model->bodies[chunk->body];
    if (body->kind == rsl_latticeBody)
    {
        rslLattice lattice = body->lattice;
        lattice.spacing = kernel->bodies[chunk->body].spacing;
        rslLattice_Rest(&lattice, chunk->begin - body->firstNode, chunk->end - body->firstNode, rest[0]);
        return;
    }
    int base = kernel->bodies[chunk->body].restBase;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            rest[i - chunk->begin][axis] = (double)kernel->rest[axis][i + base];
        }
    }
}

static FrameView MakeFrame(const rslModel* model, const rslFrame* frame, double lead)
{
    FrameView view = { .rotation = rslQuatMatrix(frame->rotation), .velocity = frame->velocity };
    view.origin = rslMulAdd(frame->origin, lead, frame->velocity);
    rslVec3 drift = rslMatTVec(&view.rotation, frame->velocity);
    rslVec3 gravity = rslMatTVec(&view.rotation, model->gravity);
    view.drift[0] = (Real)drift.x;
    view.drift[1] = (Real)drift.y;
    view.drift[2] = (Real)drift.z;
    view.gravity[0] = (Real)gravity.x;
    view.gravity[1] = (Real)gravity.y;
    view.gravity[2] = (Real)gravity.z;
    return view;
}

void RSL_NAME(rslKernel_Aim)(Kernel* kernel, int body, const rslFrame* frame, double lead)
{
    kernel->frames[body] = MakeFrame(kernel->model, frame, lead);
}

void RSL_NAME(rslKernel_Span)(Kernel* kernel, const rslState* state, int first, int last)
{
    const rslModel* model = kernel->model;
    double half = 0.5 * state->step, count = 2.0 * (double)state->stepCount;
    double begin = count + first > 0.0 ? (count + first) * half : 0.0, end = (count + last) * half;
    for (int d = 0; d < model->driveCount; ++d)
    {
        const rslDrive* drive = &model->drives[d];
        double before = rslCourse_Value(&drive->course, begin), after = rslCourse_Value(&drive->course, end);
        double span = (last - first) * half;
        kernel->driveMean[d] = (Real)(drive->strain * (0.5 * (before + after)));
        kernel->driveRate[d] = span > 0.0 ? (Real)(drive->strain * (after - before) / span) : (Real)0;
    }
    RSL_NAME(rslPlanes_Span)(kernel, begin, end);
}

View RSL_NAME(rslKernel_View)(Kernel* kernel, const rslState* state, double lead)
{
    const rslModel* model = kernel->model;
    double time = kernel->time = rslState_Time(state) + lead;
    int halves = state->step > 0.0 ? (int)floor(2.0 * lead / state->step + 0.5) : 0;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        // drifts have moved rigid bodies already
        bool stays = kernel->bodies[b].rigid && !kernel->rigids->floats;
        RSL_NAME(rslKernel_Aim)(kernel, b, &state->frames[b], stays ? 0.0 : lead);
    }
    for (int l = 0; l < model->loadCount; ++l)
    {
        kernel->loadFactors[l] = rslCourse_Value(&model->loads[l].course, time);
    }
    for (int d = 0; d < model->driveCount; ++d)
    {
        const rslDrive* drive = &model->drives[d];
        kernel->driveStrain[d] = (Real)(drive->strain * rslCourse_Value(&drive->course, time));
    }
    RSL_NAME(rslPlanes_Place)(kernel, time);
    RSL_NAME(rslKernel_Span)(kernel, state, halves - 1, halves + 1);
    RSL_NAME(rslRigids_Start)(kernel, state);
    return ViewOf(state);
}

// ---- passes over chunks -------------------------------------------------------------------------------------------

typedef struct ChunkContext
{
    Kernel* kernel;
    const View* view;
    ChunkFunction* function;
    void* context;
} ChunkContext;

static void RunChunk(int item, void* context)
{
    const ChunkContext* c = context;
    c->function(c->kernel, c->view, &c->kernel->chunks[item], c->context);
}

void RSL_NAME(rslKernel_ForChunks)(Kernel* kernel, const View* view, ChunkFunction* function, void* context)
{
    ChunkContext c = { kernel, view, function, context };
    rslTeam_Run(kernel->team, RunChunk, kernel->chunkCount, &c);
}

static void AddTerms(Kernel* kernel, const View* view, const Chunk* chunk, bool external, Powers* powers)
{
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        if ((*term)->force != NULL && (*term)->external == external && (*term)->present(kernel))
        {
            (*term)->force(kernel, view, chunk, powers);
        }
    }
}

bool RSL_NAME(rslKernel_HasLoads)(const Kernel* kernel)
{
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        if ((*term)->external && (*term)->present(kernel))
        {
            return true;
        }
    }
    return false;
}

// Power of a part of the force on a node, beside its product with w, when all of them are known.
static double AlongKick(const Kernel* kernel, const View* view, int body, int i, rslVec3 part)
{
    rslVec3 all = VectorAt(kernel->force, i);
    rslVec3 rest = { (double)view->from[0][i] - (double)view->w[0][i], (double)view->from[1][i] - (double)view->w[1][i],
                     (double)view->from[2][i] - (double)view->w[2][i] };
    all.z = kernel->model->plane == rsl_planeXY ? 0.0 : all.z;
    rest = rslMulAdd(rest, 0.5 * view->kick / (double)kernel->mass[i], all);
    if (kernel->held != NULL && kernel->held[i] != 0)
    {
        part = UnheldPart(kernel, body, i, part);
        rest = UnheldPart(kernel, body, i, rest);
    }
    return rslDot(part, rest);
}

// Loads come last. The kick changes v by kick F / m, F all forces, and the kinetic energy by kick F.(v + kick F / 2 m):
// the share of a load f in it is f.(v + kick F / 2 m). Its term has counted f.w; with the rest, a load that acts for only
// one step is counted in full. Held axes are not kicked.
static void AddExternal(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    int count = chunk->end - chunk->begin;
    Real before[3][CHUNK];
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(before[axis], kernel->force[axis] + chunk->begin, (size_t)count * sizeof(Real));
    }
    AddTerms(kernel, view, chunk, true, powers);
    if (kernel->bodies[chunk->body].rigid)
    {
        RSL_NAME(rslRigids_SumChunk)(kernel, chunk, before);
        return;
    }
    const int* welds = kernel->rigids != NULL ? kernel->rigids->weldOf : NULL;
    for (int n = 0, i = chunk->begin; n < count; ++n, ++i)
    {
        rslVec3 all = VectorAt(kernel->force, i);
        rslVec3 load = { all.x - (double)before[0][n], all.y - (double)before[1][n], all.z - (double)before[2][n] };
        if (kernel->pull != NULL)
        {
            memcpy(kernel->pull + 3 * (size_t)i, &(double[3]){ load.x, load.y, load.z }, sizeof(double[3]));
        }
        if (welds != NULL && welds[i] >= 0)
        {
            kernel->rigids->welds[welds[i]].load = rslMatVec(&kernel->frames[chunk->body].rotation, load);
            continue;
        }
        if (load.x == 0.0 && load.y == 0.0 && load.z == 0.0)
        {
            continue;
        }
        powers->loads += AlongKick(kernel, view, chunk->body, i, load);
    }
}

// The work of explicit volume, which has no energy, in the same way; it counts as lost, and as found where it is positive.
static void CountSkewForces(const Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    const Real* drift = kernel->frames[chunk->body].drift;
    const int* welds = kernel->rigids != NULL ? kernel->rigids->weldOf : NULL;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        rslVec3 f = RSL_NAME(rslVolume_SkewForce)(kernel, chunk->body, i);
        rslVec3 v = { (double)view->w[0][i] + (double)drift[0], (double)view->w[1][i] + (double)drift[1],
                      (double)view->w[2][i] + (double)drift[2] };
        bool welded = welds != NULL && welds[i] >= 0;  // then it is not kicked by itself
        powers->dissipated -= rslDot(f, v) + (welded ? 0.0 : AlongKick(kernel, view, chunk->body, i, f));
    }
}

void RSL_NAME(rslKernel_ForChunksLight)(Kernel* kernel, const View* view, ChunkFunction* function, void* context)
{
    if (kernel->chunkCount > RSL_FEW_CHUNKS)
    {
        RSL_NAME(rslKernel_ForChunks)(kernel, view, function, context);
        return;
    }
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        function(kernel, view, &kernel->chunks[c], context);
    }
}

void RSL_NAME(rslKernel_StartForce)(Kernel* kernel, const Chunk* chunk)
{
    size_t bytes = (size_t)(chunk->end - chunk->begin) * sizeof(Real);
    bool sliced = IsSliced(kernel, chunk->body), swept = IsSwept(kernel, chunk->body);
    bool damped = sliced ? kernel->slices->bodies[chunk->body].damped : swept && kernel->bodies[chunk->body].damped;
    for (int axis = 0; axis < 3; ++axis)
    {
        if (!swept && !sliced)
        {
            memset(kernel->force[axis] + chunk->begin, 0, bytes);
        }
        if (kernel->drag[axis] != NULL && !damped)
        {
            memset(kernel->drag[axis] + chunk->begin, 0, bytes);
        }
    }
}

static void ForceOnChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    size_t bytes = (size_t)(chunk->end - chunk->begin) * sizeof(Real);
    RSL_NAME(rslKernel_StartForce)(kernel, chunk);
    Powers powers = { 0 };
    AddTerms(kernel, view, chunk, false, &powers);
    bool external = RSL_NAME(rslKernel_HasLoads)(kernel);
    if (external)
    {
        AddExternal(kernel, view, chunk, &powers);
    }
    else if (kernel->pull != NULL && !kernel->impulses)
    {
        memset(kernel->pull + 3 * (size_t)chunk->begin, 0, (size_t)(chunk->end - chunk->begin) * sizeof(double[3]));
    }
    if (kernel->model->bodies[chunk->body].enclosed.method == rsl_explicitVolume)
    {
        CountSkewForces(kernel, view, chunk, &powers);
    }
    if (kernel->model->plane == rsl_planeXY)
    {
        memset(kernel->force[2] + chunk->begin, 0, bytes);
        if (kernel->drag[2] != NULL)
        {
            memset(kernel->drag[2] + chunk->begin, 0, bytes);
        }
    }
    if (kernel->bodies[chunk->body].rigid && !external)
    {
        RSL_NAME(rslRigids_SumChunk)(kernel, chunk, NULL);
    }
    kernel->powers[chunk->index] = powers;
    if (view->kick != 0.0)
    {
        RSL_NAME(rslDrag_WeighChunk)(kernel, view, chunk);
        RSL_NAME(rslTouch_BoundKick)(kernel, view, chunk);
    }
}

void RSL_NAME(rslKernel_Prepare)(Kernel* kernel, const View* view)
{
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        if ((*term)->prepare != NULL && (*term)->present(kernel))
        {
            (*term)->prepare(kernel, view);
        }
    }
}

void RSL_NAME(rslKernel_PrepareForces)(Kernel* kernel, const View* view)
{
    RSL_NAME(rslKernel_Prepare)(kernel, view);
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        if ((*term)->prepareForce != NULL && (*term)->present(kernel))
        {
            (*term)->prepareForce(kernel, view);
        }
    }
}

void RSL_NAME(rslKernel_PrepareProduct)(Kernel* kernel, const View* view, bool damping, Real* const p[3])
{
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        if ((*term)->prepareProduct != NULL && (*term)->present(kernel))
        {
            (*term)->prepareProduct(kernel, view, damping, p);
        }
    }
}

Powers RSL_NAME(rslKernel_Forces)(Kernel* kernel, const View* view)
{
    if (view->kick != 0.0 && !RSL_NAME(rslGuard_Passes)(kernel, view))
    {
        return (Powers){ 0 };
    }
    RSL_NAME(rslKernel_PrepareForces)(kernel, view);
    RSL_NAME(rslKernel_ForChunks)(kernel, view, ForceOnChunk, NULL);
    if (view->kick != 0.0)
    {
        RSL_NAME(rslGuard_Rule)(kernel, view);
    }
    Powers sum = { .dissipated = RSL_NAME(rslSweep_Lost)(kernel) };
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        sum.loads += kernel->powers[c].loads;
        sum.drives += kernel->powers[c].drives;
        sum.dissipated += kernel->powers[c].dissipated;
        sum.motion += kernel->powers[c].motion;
    }
    sum.loads += kernel->rigids != NULL ? RSL_NAME(rslRigids_Sum)(kernel, view) : 0.0;
    return sum;
}
