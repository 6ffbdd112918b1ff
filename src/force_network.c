// SPDX-License-Identifier: MIT
//
// force_network.c: springs of network bodies. Every node has the list of its springs (kernel_network.c) and sums them
// in its order; formulas in bond.h. Forces are found a slice of nodes at a time (network_slices.h), but for driven bodies.

#include "bond_visit.h"
#include "clones.h"
#include "network_slices.h"

// One spring from the side of a node.
typedef struct Side
{
    int node;
    const Entry* entry;
    Bond bond;
    Real d0[3], du[3], dw[3];
    Real ratio;       // natural length over that at rest, less 1
    Real carrier;     // share of the carrier in the law (spring_law.h)
    Real natural;     // length [m]
    Real driveShift;  // natural length at the mean strain of the step minus that at the strain now [m]
    Real driveRate;   // of the natural length [m/s]
} Side;

RSL_INLINE Side MakeSide(const Kernel* kernel, const View* view, int body, int node, const Entry* entry)
{
    int base = kernel->bodies[body].restBase;
    Side side = { .node = node, .entry = entry };
    for (int axis = 0; axis < 3; ++axis)
    {
        side.d0[axis] = kernel->rest[axis][entry->other + base] - kernel->rest[axis][node + base];
        side.du[axis] = view->u[axis][entry->other] - view->u[axis][node];
        side.dw[axis] = view->w[axis][entry->other] - view->w[axis][node];
    }
    side.carrier = LawCarrierShare(kernel->model->bodies[body].network.law);
    Real extra = entry->preload;
    if (entry->drives != 0)
    {
        Real natural = entry->restLength + entry->preload;
        Real strain = SumDrives(kernel->driveStrain, entry->drives);
        extra += natural * strain;
        side.driveShift = natural * (SumDrives(kernel->driveMean, entry->drives) - strain);
        side.driveRate = natural * SumDrives(kernel->driveRate, entry->drives);
    }
    side.natural = entry->restLength + extra;
    side.ratio = extra / entry->restLength;
    side.bond = MakeBond(side.d0, side.du, entry->restLength, extra);
    return side;
}

typedef void SideFunction(const Side* side, void* context);

// With the function known, all of it is one loop.
RSL_INLINE void VisitSides(const Kernel* kernel, const View* view, const Chunk* chunk, SideFunction* function,
                           void* context)
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
            Side side = MakeSide(kernel, view, chunk->body, node, &kernel->entries[e]);
            function(&side, context);
        }
    }
}

typedef struct ForceContext
{
    Real* const* force;
    Real* const* drag;
    Powers* powers;
} ForceContext;

// Force and drag of a spring over its length, and what its damper takes.
typedef struct Pull
{
    Real force, drag, lost;
} Pull;

// As network_rows.c, where the formulas are.
RSL_INLINE Pull MakePull(const Side* side)
{
    const Entry* entry = side->entry;
    const Real *d0 = side->d0, *du = side->du, *d = side->bond.d, *dw = side->dw;
    Real s = du[0] * (d0[0] + d[0]) + du[1] * (d0[1] + d[1]) + du[2] * (d0[2] + d[2]);
    Real p = BondPart(s * entry->inverse), q = (Real)1 - p, t = side->ratio * q;
    Real rate = d[0] * dw[0] + d[1] * dw[1] + d[2] * dw[2];
    Pull pull = { .drag = entry->damping * (q * q * entry->inverse) * rate };
    bool general = side->carrier != (Real)0 || side->ratio != (Real)0;
    Real share = (Real)1 - side->carrier + side->carrier * (q + t);
    pull.force = (general ? entry->stiffness * (p - t) * share : entry->stiffness * p) + pull.drag;
    pull.lost = pull.drag * rate;
    return pull;
}

RSL_INLINE void AddForce(const Side* side, void* context)
{
    const ForceContext* c = context;
    const Bond* bond = &side->bond;
    const Pull pull = MakePull(side);
    Real k = side->entry->stiffness;
    for (int axis = 0; axis < 3; ++axis)
    {
        c->force[axis][side->node] += pull.force * bond->d[axis];
    }
    if (c->drag[0] != NULL)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            c->drag[axis][side->node] += pull.drag * bond->d[axis];
        }
    }
    c->powers->dissipated += 0.5 * (double)pull.lost;
    // dW/dt at fixed positions; with T at the mean of the strains before and after, a jump of a linear spring is counted
    // in full, one of another to second order
    Real tension = LawTension(side->carrier, k, side->natural, bond->length, bond->elongation);
    Real mean = tension - k * side->driveShift;
    if (side->carrier != (Real)0 && side->entry->drives != 0)
    {
        mean = (Real)LawPull((double)side->carrier, (double)k, (double)(side->natural + side->driveShift),
                             (double)bond->length, (double)(bond->elongation - side->driveShift));
    }
    c->powers->drives -= 0.5 * (double)(mean * side->driveRate);
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    ForceContext context = { kernel->force, kernel->drag, powers };
    if (!IsSliced(kernel, chunk->body))
    {
        VisitSides(kernel, view, chunk, AddForce, &context);
    }
    else if (chunk->begin == kernel->model->bodies[chunk->body].firstNode)
    {
        powers->dissipated += RSL_NAME(rslSlices_Lost)(kernel, chunk->body);
    }
}

static void PrepareForce(Kernel* kernel, const View* view)
{
    if (kernel->slices != NULL)
    {
        RSL_NAME(rslSlices_Force)(kernel, view);
    }
}

// ---- the other questions, one bond at a time ----------------------------------------------------------------------

typedef struct WalkContext
{
    BondFunction* function;
    void* context;
} WalkContext;

static void CallForSide(const Side* side, void* context)
{
    const WalkContext* c = context;
    BondVisit visit = { .node = side->node, .other = side->entry->other, .bond = side->bond };
    visit.stiffness = side->entry->stiffness;
    visit.damping = side->entry->damping;
    visit.carrier = side->carrier;
    visit.restLength = side->entry->restLength;
    visit.natural = side->natural;
    visit.driveShift = side->driveShift;
    visit.driveRate = side->driveRate;
    visit.growth = BondGrowth(&side->bond, side->dw);
    c->function(&visit, c->context);
}

static void VisitBonds(const Kernel* kernel, const View* view, const Chunk* chunk, BondFunction* function,
                       void* context)
{
    WalkContext walk = { function, context };
    VisitSides(kernel, view, chunk, CallForSide, &walk);
}

// Every spring once, at the first of its ends, and without what the energy does not need.
static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    double energy = 0.0;
    if (IsWeighed(kernel, chunk->body))
    {
        bool first = chunk->begin == kernel->model->bodies[chunk->body].firstNode;
        return first ? RSL_NAME(rslSlices_Energy)(kernel, chunk->body) : 0.0;
    }
    int base = kernel->bodies[chunk->body].restBase;
    bool springs = kernel->model->bodies[chunk->body].kind == rsl_networkBody;
    for (int node = chunk->begin; springs && node < chunk->end; ++node)
    {
        for (int e = kernel->entryStart[node + base]; e < kernel->entryStart[node + base + 1]; ++e)
        {
            const Entry* entry = &kernel->entries[e];
            if (entry->other > node)
            {
                Side side = MakeSide(kernel, view, chunk->body, node, entry);
                energy += LawEnergy((double)side.carrier, (double)entry->stiffness, (double)side.natural,
                                    (double)side.bond.length, (double)side.bond.elongation);
            }
        }
    }
    return energy;
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    BondProducts(VisitBonds, kernel, view, chunk, false, p, out);
}

static void Damping(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    BondProducts(VisitBonds, kernel, view, chunk, true, p, out);
}

static void Diagonal(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    BondDiagonal(VisitBonds, kernel, view, chunk, blocks);
}

static bool Present(const Kernel* kernel)
{
    return kernel->entryCount > 0;
}

const Term RSL_NAME(rslNetworkTerm) = {
    .name = "network springs",
    .hasEnergy = true,
    .symmetric = true,
    .withDampers = true,
    .present = Present,
    .prepareForce = PrepareForce,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
    .diagonal = Diagonal,
    .bonds = VisitBonds,
};
