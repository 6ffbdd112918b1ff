// SPDX-License-Identifier: MIT
//
// statics_couplings.c: see statics.h. Rows of the stiffness and couplings of two nodes one by one, for those who keep a matrix.

#include "statics.h"

#include "bond_visit.h"
#include "repulsion_matrix.h"
#include "spring_law.h"
#include "term.h"
#include "unknowns.h"

#include <string.h>

static const Run* RunOf(const Kernel* kernel, const Chunk* chunk, int node)
{
    return &kernel->runs[RSL_LAST_UP_TO(kernel->runs, Run, begin, chunk->runBegin, chunk->runEnd, node)];
}

// Each once, in the order in which they are met.
typedef struct Found
{
    int count;
    int* others;
} Found;

static void AddOnce(void* context, int other, const double block[9])
{
    (void)block;
    Found* found = context;
    int n = 0;
    while (n < found->count && found->others[n] != other)
    {
        ++n;
    }
    if (n == found->count)
    {
        found->others[found->count++] = other;
    }
}

int rslStatics_Neighbours(const void* argument, int node, int others[RSL_ROW_CAPACITY])
{
    const Kernel* kernel = argument;
    const Chunk* chunk = ChunkOf(kernel, node);
    int count = 0;
    if (kernel->model->bodies[chunk->body].kind != rsl_latticeBody || kernel->bodies[chunk->body].rigid)
    {
        return 0;
    }
    if (kernel->model->bodies[chunk->body].elements.count > 0)
    {
        Found found = { 0, others };
        RSL_NAME(rslElements_Couplings)(kernel, NULL, chunk->body, node, AddOnce, &found);
        return found.count;
    }
    const Run* run = RunOf(kernel, chunk, node);
    for (int s = 0; s < DIRECTIONS; ++s)
    {
        if (kernel->patterns[run->pattern].of[s][(node - run->begin) % LANES] != (Real)0)
        {
            others[count++] = node + run->offset[s];
        }
    }
    return count;
}

// Tension over length, where a step is solved that of the damper too (bond_visit.h); none when pressed, unless K is exact.
static Real Across(const Kernel* kernel, const rslState* state, int node, int other, const Bond* bond, Real tension,
                   Real damping)
{
    if (kernel->rate != 0.0)
    {
        const double* const w[3] = { state->velocity[0], state->velocity[1], state->velocity[2] };
        Real dw[3] = { w[0][other] - w[0][node], w[1][other] - w[1][node], w[2][other] - w[2][node] };
        tension += damping * BondGrowth(bond, dw);
    }
    Real t = tension / bond->length;
    return t > (Real)0 || kernel->exact ? t : (Real)0;
}

void rslStatics_Row(const void* argument, const rslState* state, int node, rslBondRow* row)
{
    const Kernel* kernel = argument;
    const Chunk* chunk = ChunkOf(kernel, node);
    const BodyKernel* b = &kernel->bodies[chunk->body];
    row->count = 0;
    if (kernel->model->bodies[chunk->body].elements.count > 0 || b->rigid)
    {
        return;
    }
    const Run* run = RunOf(kernel, chunk, node);
    const Pattern* pattern = &kernel->patterns[run->pattern];
    const double* const u[3] = { state->displacement[0], state->displacement[1], state->displacement[2] };
    const uint32_t* masks = kernel->model->driveMask;
    for (int s = 0; s < DIRECTIONS; ++s)
    {
        Real k = pattern->of[s][(node - run->begin) % LANES];
        if (k == (Real)0)
        {
            continue;
        }
        int other = node + run->offset[s];
        Real du[3] = { u[0][other] - u[0][node], u[1][other] - u[1][node], u[2][other] - u[2][node] };
        uint32_t bits = masks != NULL ? masks[node] & masks[other] & b->drives[s] : 0;
        Real extra = b->bondLength[s] * SumDrives(kernel->driveStrain, bits), natural = b->bondLength[s] + extra;
        Bond bond = MakeBond(b->bond[s], du, b->bondLength[s], extra);
        double* block = row->block[row->count];
        memset(block, 0, 6 * sizeof(double));
        Real ratio =
            b->general ? kernel->patterns[run->ratios].of[s][(node - run->begin) % LANES] : b->stiffnessDamping;
        Real tension = LawTension(b->carrier, k, natural, bond.length, bond.elongation);
        Real t = Across(kernel, state, node, other, &bond, tension, k * ratio);
        BondBlock(&bond, LawSlope(b->carrier, k, natural, bond.length) + kernel->rate * k * ratio, t, block);
        row->way[row->count] = (uint8_t)s;
        row->other[row->count++] = other;
    }
}

// ---- couplings one by one -------------------------------------------------------------------------------------------

// factor S by rows
static void Unpack(const double s[6], double factor, double out[9])
{
    const int at[9] = { 0, 3, 4, 3, 1, 5, 4, 5, 2 };
    for (int c = 0; c < 9; ++c)
    {
        out[c] = factor * s[at[c]];
    }
}

typedef struct Stretched
{
    Bond bond;
    Real k, t;  // slope; tension over length, none when pressed
} Stretched;

static Stretched StretchSpring(const Kernel* kernel, const rslState* state, int body, int node, const Entry* entry)
{
    int base = kernel->bodies[body].restBase;
    Real d0[3], du[3], carrier = LawCarrierShare(kernel->model->bodies[body].network.law);
    for (int axis = 0; axis < 3; ++axis)
    {
        const double* u = state->displacement[axis];
        d0[axis] = kernel->rest[axis][entry->other + base] - kernel->rest[axis][node + base];
        du[axis] = u[entry->other] - u[node];
    }
    Real natural = entry->restLength + entry->preload;
    natural += natural * SumDrives(kernel->driveStrain, entry->drives);
    Stretched out = { .bond = MakeBond(d0, du, entry->restLength, natural - entry->restLength) };
    Real tension = LawTension(carrier, entry->stiffness, natural, out.bond.length, out.bond.elongation);
    out.k = LawSlope(carrier, entry->stiffness, natural, out.bond.length) + kernel->rate * entry->damping;
    out.t = Across(kernel, state, node, entry->other, &out.bond, tension, entry->damping);
    return out;
}

void rslStatics_Store(const void* argument, const rslState* state, int node, float (*springs)[5])
{
    const Kernel* kernel = argument;
    int body = ChunkOf(kernel, node)->body;
    const int* start = &kernel->entryStart[node + kernel->bodies[body].restBase];
    for (int e = start[0]; e < start[1]; ++e)
    {
        Stretched s = StretchSpring(kernel, state, body, node, &kernel->entries[e]);
        float* out = springs[e - start[0]];
        for (int axis = 0; axis < 3; ++axis)
        {
            out[axis] = (float)(s.bond.d[axis] / s.bond.length);
        }
        out[3] = (float)(s.k - s.t);
        out[4] = (float)s.t;
    }
}

void rslStatics_Elements(const void* argument, const rslState* state, int node, rslCoupling* visit, void* context)
{
    const Kernel* kernel = argument;
    if (kernel->elements != NULL)
    {
        View view = state != NULL ? ViewOf(state) : (View){ 0 };
        int body = ChunkOf(kernel, node)->body;
        RSL_NAME(rslElements_Couplings)(kernel, state != NULL ? &view : NULL, body, node, visit, context);
    }
}

static bool HasElements(const Kernel* kernel, int node)
{
    return kernel->elements != NULL && kernel->model->bodies[ChunkOf(kernel, node)->body].elements.count > 0;
}

void rslStatics_Bonds(const void* kernel, const rslState* state, int node, rslCoupling* visit, void* context)
{
    if (HasElements(kernel, node))
    {
        rslStatics_Elements(kernel, state, node, visit, context);
        return;
    }
    rslBondRow row;
    double block[9];
    row.count = rslStatics_Neighbours(kernel, node, row.other);
    if (state != NULL && row.count > 0)
    {
        rslStatics_Row(kernel, state, node, &row);
    }
    for (int n = 0; n < row.count; ++n)
    {
        if (state != NULL)
        {
            Unpack(row.block[n], -1.0, block);
        }
        visit(context, row.other[n], state != NULL ? block : NULL);
    }
}

bool rslStatics_AddBonds(const void* kernel, int node, const uint16_t* place, double* sums, size_t stride)
{
    return HasElements(kernel, node) &&
           RSL_NAME(rslElements_AddRow)(kernel, ChunkOf(kernel, node)->body, node, place, sums, stride);
}

void rslStatics_Springs(const void* argument, const rslState* state, int node, rslCoupling* visit, void* context)
{
    const Kernel* kernel = argument;
    int body = ChunkOf(kernel, node)->body;
    if (kernel->model->bodies[body].kind == rsl_latticeBody || kernel->model->bodies[body].elements.count > 0)
    {
        rslStatics_Bonds(kernel, state, node, visit, context);
        return;
    }
    const int* start = &kernel->entryStart[node + kernel->bodies[body].restBase];
    for (int e = start[0]; e < start[1]; ++e)
    {
        double packed[6] = { 0 }, block[9];
        if (state != NULL)
        {
            Stretched s = StretchSpring(kernel, state, body, node, &kernel->entries[e]);
            BondBlock(&s.bond, s.k, s.t, packed);
            Unpack(packed, -1.0, block);
        }
        visit(context, kernel->entries[e].other, state != NULL ? block : NULL);
    }
}

// The stiffness of a link in the world: k n n^T + (T/L) (I - n n^T); of a tie k I.
static void LinkBlock(const Kernel* kernel, int link, double out[6])
{
    const rslLink* spring = &kernel->model->links[link];
    const LinkView* view = &kernel->links[link];
    bool tie = spring->restLength == 0.0;
    rslVec3 n = tie ? (rslVec3){ 0 } : rslNormalize(view->d);
    double k = spring->stiffness + kernel->rate * spring->damping, t = tie ? k : 0.0;
    t = !tie && view->length > 0.0 ? spring->stiffness * (view->length - spring->restLength) / view->length : t;
    t = t > 0.0 || kernel->exact ? t : 0.0;
    double a = k - t;
    double block[6] = { a * n.x * n.x + t, a * n.y * n.y + t, a * n.z * n.z + t,
                        a * n.x * n.y,     a * n.x * n.z,     a * n.y * n.z };
    memcpy(out, block, sizeof block);
}

// weight R_i^T S R_j by rows
static void LinkBetween(const double s[6], double weight, const rslMat3* ri, const rslMat3* rj, double out[9])
{
    double columns[3][3];
    for (int c = 0; c < 3; ++c)
    {
        double axis[3] = { c == 0, c == 1, c == 2 }, moved[3];
        rslVec3 v = rslMatVec(rj, (rslVec3){ axis[0], axis[1], axis[2] });
        rslBlock_Times(s, (const double[3]){ v.x, v.y, v.z }, moved);
        v = rslMatTVec(ri, (rslVec3){ moved[0], moved[1], moved[2] });
        columns[c][0] = v.x;
        columns[c][1] = v.y;
        columns[c][2] = v.z;
    }
    for (int c = 0; c < 9; ++c)
    {
        out[c] = weight * columns[c % 3][c / 3];
    }
}

void rslStatics_Links(const void* argument, const rslState* state, int node, rslCoupling* visit, void* context)
{
    const Kernel* kernel = argument;
    int begin = kernel->linkStart != NULL ? kernel->linkStart[node] : 0;
    int end = kernel->linkStart != NULL ? kernel->linkStart[node + 1] : 0;
    for (int e = begin; e < end; ++e)
    {
        int index = kernel->nodeLinks[e] / RSL_LINK_NODES, place = kernel->nodeLinks[e] % RSL_LINK_NODES;
        const rslLink* link = &kernel->model->links[index];
        double stiffness[6], block[9];
        for (int j = 0; j < link->nodeCount; ++j)
        {
            if (state != NULL)
            {
                rslMat3 ri = rslStatics_Axes(kernel, node), rj = rslStatics_Axes(kernel, link->nodes[j]);
                LinkBlock(kernel, index, stiffness);
                LinkBetween(stiffness, link->weights[place] * link->weights[j], &ri, &rj, block);
            }
            visit(context, link->nodes[j], state != NULL ? block : NULL);
        }
    }
    View view = state != NULL ? ViewOf(state) : (View){ 0 };
    const View* given = state != NULL ? &view : NULL;
    RSL_NAME(rslBend_Couplings)(kernel, given, node, visit, context);
    if (state != NULL && rslRepulsion_IsAssembled(kernel))
    {
        rslRepulsion_Row(kernel, node, visit, context);
    }
    else
    {
        RSL_NAME(rslRepulsion_Couplings)(kernel, given, node, visit, context);
    }
    RSL_NAME(rslCentroid_Couplings)(kernel, given, node, visit, context);
}

void rslStatics_Repulsion(const void* kernel, const rslState* state, int node, rslCoupling* visit, void* context)
{
    View view = state != NULL ? ViewOf(state) : (View){ 0 };
    RSL_NAME(rslRepulsion_Couplings)(kernel, state != NULL ? &view : NULL, node, visit, context);
}

bool rslStatics_Pairs(const void* argument)
{
    const Kernel* kernel = argument;
    bool repels = RSL_NAME(rslRepulsion_Acts)(kernel) || kernel->centroids != NULL;
    return kernel->model->linkCount == 0 && kernel->model->elementCount == 0 && !repels;
}

void rslStatics_Ground(const void* argument, const rslState* state, int node, double block[6])
{
    const Kernel* kernel = argument;
    Chunk one = *ChunkOf(kernel, node);
    View view = ViewOf(state);
    one.begin = node;
    one.end = node + 1;
    memset(block, 0, 6 * sizeof(double));
    if (RSL_NAME(rslPlaneTerm).present(kernel))
    {
        RSL_NAME(rslPlaneTerm).diagonal(kernel, &view, &one, (Block*)block);
    }
    if (RSL_NAME(rslPointDampingTerm).present(kernel))
    {
        RSL_NAME(rslPointDampingTerm).diagonal(kernel, &view, &one, (Block*)block);
    }
    if (RSL_NAME(rslBarrierTerm).present(kernel))
    {
        RSL_NAME(rslBarrierTerm).diagonal(kernel, &view, &one, (Block*)block);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        block[axis] += kernel->shift * kernel->mass[node];
    }
}

rslMat3 rslStatics_Axes(const void* argument, int node)
{
    const Kernel* kernel = argument;
    return kernel->frames[ChunkOf(kernel, node)->body].rotation;
}

rslVec3 rslStatics_Position(const void* argument, const rslState* state, int node)
{
    const Kernel* kernel = argument;
    int body = ChunkOf(kernel, node)->body;
    const FrameView* frame = &kernel->frames[body];
    rslVec3 y = RSL_NAME(rslKernel_RestOf)(kernel, body, node);
    View view = ViewOf(state);
    y = rslAdd(y, (rslVec3){ view.u[0][node], view.u[1][node], view.u[2][node] });
    return rslAdd(frame->origin, rslMatVec(&frame->rotation, y));
}
