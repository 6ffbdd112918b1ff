// SPDX-License-Identifier: MIT
//
// force_network.c: springs of network bodies. Every node has the list of its springs (kernel_network.c) and sums them
// in its order; formulas in bond.h.

#include "bond.h"
#include "term.h"

// One spring from the side of a node.
typedef struct Side
{
    int node;
    const Entry* entry;
    Bond bond;
    Real dw[3];
    Real driveShift;  // natural length at the mean strain of the step minus that at the strain now [m]
    Real driveRate;   // of the natural length [m/s]
} Side;

static Side MakeSide(const Kernel* kernel, const View* view, int base, int node, const Entry* entry)
{
    Side side = { .node = node, .entry = entry };
    Real d0[3], du[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        d0[axis] = kernel->rest[axis][entry->other + base] - kernel->rest[axis][node + base];
        du[axis] = view->u[axis][entry->other] - view->u[axis][node];
        side.dw[axis] = view->w[axis][entry->other] - view->w[axis][node];
    }
    Real extra = entry->preload;
    if (entry->drives != 0)
    {
        Real natural = entry->restLength + entry->preload;
        Real strain = SumDrives(kernel->driveStrain, entry->drives);
        extra += natural * strain;
        side.driveShift = natural * (SumDrives(kernel->driveMean, entry->drives) - strain);
        side.driveRate = natural * SumDrives(kernel->driveRate, entry->drives);
    }
    side.bond = MakeBond(d0, du, entry->restLength, extra);
    return side;
}

typedef void SideFunction(const Side* side, void* context);

static void VisitSides(const Kernel* kernel, const View* view, const Chunk* chunk, SideFunction* function, void* context)
{
    if (kernel->model->bodies[chunk->body].kind != rsl_networkBody)
    {
        return;
    }
    int base = kernel->bodies[chunk->body].restBase;
    for (int node = chunk->begin; node < chunk->end; ++node)
    {
        for (int e = kernel->entryStart[node + base]; e < kernel->entryStart[node + base + 1]; ++e)
        {
            Side side = MakeSide(kernel, view, base, node, &kernel->entries[e]);
            function(&side, context);
        }
    }
}

typedef struct ForceContext
{
    Real* const* force;
    Powers* powers;
} ForceContext;

static void AddForce(const Side* side, void* context)
{
    const ForceContext* c = context;
    const Bond* bond = &side->bond;
    Real tension = side->entry->stiffness * bond->elongation;
    Real rate = (bond->d[0] * side->dw[0] + bond->d[1] * side->dw[1] + bond->d[2] * side->dw[2]) / bond->length;
    Real drag = side->entry->damping * rate;
    Real g = (tension + drag) / bond->length;
    for (int axis = 0; axis < 3; ++axis)
    {
        c->force[axis][side->node] += g * bond->d[axis];
    }
    c->powers->dissipated += 0.5 * (double)(drag * rate);
    // dW/dt at fixed positions; with T at the mean of the strains before and after, a jump is counted in full
    Real mean = tension - side->entry->stiffness * side->driveShift;
    c->powers->drives -= 0.5 * (double)(mean * side->driveRate);
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    ForceContext context = { kernel->force, powers };
    VisitSides(kernel, view, chunk, AddForce, &context);
}

static void AddEnergy(const Side* side, void* context)
{
    double elongation = (double)side->bond.elongation;
    *(double*)context += 0.25 * (double)side->entry->stiffness * elongation * elongation;
}

static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    double energy = 0.0;
    VisitSides(kernel, view, chunk, AddEnergy, &energy);
    return energy;
}

typedef struct ProductContext
{
    Real* const* p;
    Real* const* out;
} ProductContext;

static void AddProduct(const Side* side, const ProductContext* c, Real k, Real t)
{
    Real dp[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        dp[axis] = c->p[axis][side->entry->other] - c->p[axis][side->node];
    }
    BondProduct(&side->bond, k, t, dp, c->out, side->node);
}

static void AddStiffness(const Side* side, void* context)
{
    Real k = side->entry->stiffness;
    AddProduct(side, context, k, k * side->bond.elongation / side->bond.length);
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    ProductContext context = { p, out };
    VisitSides(kernel, view, chunk, AddStiffness, &context);
}

static void AddDamping(const Side* side, void* context)
{
    AddProduct(side, context, side->entry->damping, (Real)0);
}

static void Damping(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    ProductContext context = { p, out };
    VisitSides(kernel, view, chunk, AddDamping, &context);
}

typedef struct BlockContext
{
    Block* blocks;
    int begin;
} BlockContext;

static void AddDiagonal(const Side* side, void* context)
{
    const BlockContext* c = context;
    Real k = side->entry->stiffness;
    BondBlock(&side->bond, k, k * side->bond.elongation / side->bond.length, c->blocks[side->node - c->begin]);
}

static void Diagonal(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    BlockContext context = { blocks, chunk->begin };
    VisitSides(kernel, view, chunk, AddDiagonal, &context);
}

static void AddFields(const Side* side, void* context)
{
    const NodeFields* fields = context;
    double elongation = (double)side->bond.elongation, k = (double)side->entry->stiffness;
    fields->tension[side->node] += k * elongation;
    fields->energy[side->node] += 0.25 * k * elongation * elongation;
    fields->springs[side->node] += 1;
}

static void Fields(const Kernel* kernel, const View* view, const Chunk* chunk, const NodeFields* fields)
{
    NodeFields copy = *fields;
    VisitSides(kernel, view, chunk, AddFields, &copy);
}

static bool Present(const Kernel* kernel)
{
    return kernel->entries != NULL;
}

const Term RSL_NAME(rslNetworkTerm) = {
    .name = "network springs",
    .hasEnergy = true,
    .symmetric = true,
    .present = Present,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
    .diagonal = Diagonal,
    .fields = Fields,
};
