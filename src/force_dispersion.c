// SPDX-License-Identifier: MIT
//
// force_dispersion.c: springs share what they feel with the other springs at their ends (Kot ch. 4), so that a network is
// not bound to nu = 1/4. Every node a takes the mean elongation h_a of its springs, and every spring answers the h of both
// of its ends along its own direction: momentum and angular momentum are kept whatever the network.
//
//   h_a = P_a / S_a,  P_a = sum_a k in dL,  S_a = sum_a k norm,  extra tension  T_ab = k out (q_a h_a + q_b h_b)
//
//             in    out   norm
//   energy    L     L     L^2     W = 1/2 sum_a q P_a^2 / S_a, and T = dW / d dL
//   cheap     1     1     1       likewise
//   published 1/L   L     1       Kot eq. 4.18 with the share of the own node, without which borders gain momentum
//   transposed L    1/L   1       Kot eq. 4.21
//
// L is the rest length, so S is constant. The last two have no energy; their stiffness is not symmetric. By Cauchy and Schwarz
// P_a^2 <= S_a sum_a k dL^2, so the energy of springs and dispersion is at least (1 + 2 q) that of the springs: it is never
// negative while q >= -1/2, nu >= -1, on any network. What q gives which nu: build_dispersion.c.
//
// Dampers do the same with rates and constants c: where c = b k, the matrix of the damping is b times that of the stiffness.
//
//   d(T n) = k out (dH_a + dH_b) n + T / l (I - n n) dp,   H = q h,  dH_a = q / S_a sum_a k in n.dp,  dp = p_b - p_a
//
// Implicit steps need an energy. There the variants without one are the variant energy and a tension on top, by which they differ, that is
// frozen over a stage (DifferenceOf, dynamics.h): a constant tension has the energy T dL. What it does in a step counts as lost, or found.
//
// Diagonal blocks are not told: preconditioners, which ask for them, are made of the springs alone.
//
// With a lag (Kot 4.7) the shares are those of the last forces of the step before, which the state carries, and the walk that
// adds forces finds new ones: one pass instead of two. A mode of h^2 w^2 = A from springs and B from dispersion then has
// z^2 + (A - 2) z + 1 + B = 0: |z|^2 = 1 + B grows above nu = 1/4 at any step, and for B < 0 the step is bound by A - B < 4.
// Energy, products and read-outs other than forces do not lag.

#include "dispersion.h"
#include "lattice_sweep.h"

#include <string.h>

// ---- walks ----------------------------------------------------------------------------------------------------------

typedef struct Spread
{
    const Kernel* kernel;
    const View* view;
    const DispersionKernel* nodes;
    rslDispersionVariant variant;
    int body, begin;
    Real* const* p;
    Real* const* out;
    bool damping;  // C instead of K
    Powers* powers;
    double energy;
    Real sums[3][CHUNK];
    Real found[2][CHUNK];  // with a lag: the sums for the shares of the next step
} Spread;

static Spread MakeSpread(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    return (Spread){ .kernel = kernel,
                     .view = view,
                     .nodes = kernel->dispersion,
                     .variant = VariantOf(kernel, chunk->body),
                     .body = chunk->body,
                     .begin = chunk->begin };
}

// Is a chunk one that dispersion_lattice.c takes?
static bool IsPlain(const Kernel* kernel, const Chunk* chunk)
{
    return DispersesBody(kernel, chunk->body) && RSL_NAME(rslDispersion_IsPlain)(kernel, chunk) &&
           VariantOf(kernel, chunk->body) == kernel->model->bodies[chunk->body].dispersion.variant;
}

// Every spring at the nodes of a chunk; none where nothing is dispersed.
static void Walk(Spread* spread, const Chunk* chunk, BondFunction* function)
{
    const Kernel* kernel = spread->kernel;
    bool lattice = kernel->model->bodies[chunk->body].kind == rsl_latticeBody;
    const Term* springs = lattice ? &RSL_NAME(rslLatticeTerm) : &RSL_NAME(rslNetworkTerm);
    if (DispersesBody(kernel, chunk->body))
    {
        springs->bonds(kernel, spread->view, chunk, function, spread);
    }
}

// n.(x_b - x_a)
static Real Along(const BondVisit* visit, Real* const x[3])
{
    Real sum = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        sum += visit->bond.d[axis] * (x[axis][visit->other] - x[axis][visit->node]);
    }
    return sum / visit->bond.length;
}

// ---- what nodes have ------------------------------------------------------------------------------------------------

static void AddNorm(const BondVisit* visit, void* context)
{
    Spread* c = context;
    Real norm = (Real)rslSpread_Of(c->variant, (double)visit->restLength).norm;
    c->sums[0][visit->node - c->begin] += visit->stiffness * norm;
    c->sums[1][visit->node - c->begin] += visit->damping * norm;
}

static void MakeFactors(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    Real* const* factors = context;
    const rslBody* body = &kernel->model->bodies[chunk->body];
    Spread spread = MakeSpread(kernel, view, chunk);
    Walk(&spread, chunk, AddNorm);
    for (int i = chunk->begin, n = 0; i < chunk->end; ++i, ++n)
    {
        double own = body->dispersion.scale * rslBody_NodeQ(body, i);
        Real q = (Real)(body->dispersion.absolute && own < 0.0 ? -own : own);
        Real springs = spread.sums[0][n], dampers = spread.sums[1][n];
        factors[0][i] = springs > (Real)0 ? q / springs : (Real)0;
        factors[1][i] = dampers > (Real)0 ? q / dampers : (Real)0;
    }
}

static bool Allocate(Kernel* kernel, DispersionKernel* nodes)
{
    size_t padded = (size_t)kernel->nodeCount + LANES;
    bool lags = rslModel_Lags(kernel->model), driven = kernel->model->driveCount > 0;
    struct
    {
        Real** array;
        bool wanted;
    } arrays[] = {
        { &nodes->factor, true }, { &nodes->dragFactor, true },   { &nodes->share, true }, { &nodes->dragShare, true },
        { &nodes->change, true }, { &nodes->driveShare, driven }, { &nodes->fresh, lags }, { &nodes->freshDrag, lags },
    };
    bool made = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
    {
        if (arrays[i].wanted)
        {
            *arrays[i].array = RSL_NAME(rslKernel_Allocate)(kernel, padded, sizeof(Real));
            made = made && *arrays[i].array != NULL;
        }
    }
    return made;
}

bool RSL_NAME(rslDispersion_Make)(Kernel* kernel)
{
    bool any = false;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        any = any || rslBody_Disperses(&kernel->model->bodies[b]);
    }
    if (!any)
    {
        return true;
    }
    kernel->dispersion = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof(DispersionKernel));
    if (kernel->dispersion == NULL || !Allocate(kernel, kernel->dispersion))
    {
        return false;
    }
    // forces are still zero: so is this displacement
    View rest = { .u = { kernel->force[0], kernel->force[1], kernel->force[2] },
                  .w = { kernel->force[0], kernel->force[1], kernel->force[2] } };
    Real* factors[2] = { kernel->dispersion->factor, kernel->dispersion->dragFactor };
    RSL_NAME(rslKernel_ForChunks)(kernel, &rest, MakeFactors, factors);
    return true;
}

bool RSL_NAME(rslDispersion_MakeDifference)(Kernel* kernel)
{
    DispersionKernel* nodes = kernel->dispersion;
    bool made = true, any = false;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        rslDispersionVariant variant = kernel->model->bodies[b].dispersion.variant;
        bool has = variant == rsl_energyDispersion || variant == rsl_cheapDispersion;
        any = any || (DispersesBody(kernel, b) && !has);
    }
    if (!any)
    {
        return true;
    }
    Real** arrays[] = { &nodes->factor,        &nodes->dragFactor,    &nodes->difference[0],
                        &nodes->difference[1], &nodes->difference[2], &nodes->difference[3] };
    nodes->ownFactor = nodes->factor;
    nodes->ownDragFactor = nodes->dragFactor;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
    {
        *arrays[i] = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->nodeCount + LANES, sizeof(Real));
        made = made && *arrays[i] != NULL;
    }
    if (made)
    {
        // the arrays of the difference are zero: so is this displacement
        Real* const* zero = nodes->difference;
        View rest = { .u = { zero[0], zero[1], zero[2] }, .w = { zero[0], zero[1], zero[2] } };
        Real* factors[2] = { nodes->factor, nodes->dragFactor };
        RSL_NAME(rslKernel_ForChunks)(kernel, &rest, MakeFactors, factors);
    }
    return made;
}

// ---- from step to step ------------------------------------------------------------------------------------------------

void RSL_NAME(rslDispersion_Lend)(Kernel* kernel, const rslState* state)
{
    for (int c = 0; kernel->dispersion != NULL && c < 2; ++c)
    {
        kernel->dispersion->carried[c] = state != NULL ? state->carried[c] : NULL;
    }
}

static void KeepChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)view;
    rslState* state = context;
    const DispersionKernel* nodes = kernel->dispersion;
    size_t bytes = (size_t)(chunk->end - chunk->begin) * sizeof(Real);
    memcpy((Real*)state->carried[0] + chunk->begin, nodes->fresh + chunk->begin, bytes);
    memcpy((Real*)state->carried[1] + chunk->begin, nodes->freshDrag + chunk->begin, bytes);
}

void RSL_NAME(rslDispersion_Carry)(Kernel* kernel, rslState* state)
{
    RSL_NAME(rslKernel_ForChunksLight)(kernel, NULL, KeepChunk, state);
    RSL_NAME(rslDispersion_Lend)(kernel, NULL);
}

// ---- shares ---------------------------------------------------------------------------------------------------------

static void AddElongation(const BondVisit* visit, void* context)
{
    Spread* c = context;
    int n = visit->node - c->begin;
    Real in = (Real)rslSpread_Of(c->variant, (double)visit->restLength).in, k = visit->stiffness * in;
    c->sums[0][n] += k * visit->bond.elongation;
    if (visit->damping != (Real)0)
    {
        c->sums[1][n] += visit->damping * in * Along(visit, c->view->w);
    }
    c->sums[2][n] += k * (visit->bond.elongation - visit->driveShift);
}

static void CopyShares(const Kernel* kernel, const Chunk* chunk)
{
    DispersionKernel* nodes = kernel->dispersion;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        nodes->share[i] = nodes->carried[0][i];
        nodes->dragShare[i] = nodes->carried[1][i];
        if (nodes->driveShare != NULL)
        {
            nodes->driveShare[i] = nodes->share[i];
        }
    }
}

static void FindShares(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    DispersionKernel* nodes = kernel->dispersion;
    if (Lags(kernel, chunk))
    {
        CopyShares(kernel, chunk);
        return;
    }
    if (RSL_NAME(rslSweep_Disperses)(kernel, chunk->body))
    {
        return;
    }
    Spread spread = MakeSpread(kernel, view, chunk);
    if (IsPlain(kernel, chunk))
    {
        RSL_NAME(rslDispersion_PlainShares)(kernel, view, chunk, spread.sums);
    }
    else
    {
        Walk(&spread, chunk, AddElongation);
    }
    for (int i = chunk->begin, n = 0; i < chunk->end; ++i, ++n)
    {
        nodes->share[i] = nodes->factor[i] * spread.sums[0][n];
        nodes->dragShare[i] = nodes->dragFactor[i] * spread.sums[1][n];
        if (nodes->driveShare != NULL)
        {
            nodes->driveShare[i] = nodes->factor[i] * spread.sums[2][n];
        }
    }
}

// Shares of the own variant where that has no energy, and of the other as they are now.
static void FindDifference(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    const DispersionKernel* nodes = kernel->dispersion;
    rslDispersionVariant own = kernel->model->bodies[chunk->body].dispersion.variant;
    Spread spread = MakeSpread(kernel, view, chunk);
    if (!DispersesBody(kernel, chunk->body) || spread.variant == own)
    {
        return;
    }
    spread.variant = own;
    Walk(&spread, chunk, AddElongation);
    for (int i = chunk->begin, n = 0; i < chunk->end; ++i, ++n)
    {
        nodes->difference[0][i] = nodes->ownFactor[i] * spread.sums[0][n];
        nodes->difference[1][i] = nodes->ownDragFactor[i] * spread.sums[1][n];
        nodes->difference[2][i] = nodes->share[i];
        nodes->difference[3][i] = nodes->dragShare[i];
    }
}

static void Prepare(Kernel* kernel, const View* view)
{
    if (kernel->sweep != NULL)
    {
        RSL_NAME(rslSweep_Shares)(kernel, view);
    }
    RSL_NAME(rslKernel_ForChunks)(kernel, view, FindShares, NULL);
    if (kernel->dispersion->ownFactor != NULL && !kernel->frozen)
    {
        RSL_NAME(rslKernel_ForChunks)(kernel, view, FindDifference, NULL);
    }
}

static void AddChange(const BondVisit* visit, void* context)
{
    Spread* c = context;
    Real k = c->damping ? visit->damping : visit->stiffness;
    Real in = (Real)rslSpread_Of(c->variant, (double)visit->restLength).in;
    c->sums[0][visit->node - c->begin] += k * in * Along(visit, c->p);
}

typedef struct ProductContext
{
    bool damping;
    Real* const* p;
} ProductContext;

static void FindChanges(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    const ProductContext* product = context;
    DispersionKernel* nodes = kernel->dispersion;
    Spread spread = MakeSpread(kernel, view, chunk);
    spread.damping = product->damping;
    spread.p = product->p;
    if (IsPlain(kernel, chunk))
    {
        RSL_NAME(rslDispersion_PlainChanges)(kernel, view, chunk, product->damping, product->p, spread.sums);
    }
    else
    {
        Walk(&spread, chunk, AddChange);
    }
    const Real* factor = product->damping ? nodes->dragFactor : nodes->factor;
    for (int i = chunk->begin, n = 0; i < chunk->end; ++i, ++n)
    {
        nodes->change[i] = factor[i] * spread.sums[0][n];
    }
}

static void PrepareProduct(Kernel* kernel, const View* view, bool damping, Real* const p[3])
{
    ProductContext context = { damping, p };
    RSL_NAME(rslKernel_ForChunks)(kernel, view, FindChanges, &context);
}

// ---- answers --------------------------------------------------------------------------------------------------------

static Real BothEnds(const Real* share, const BondVisit* visit)
{
    return share[visit->node] + share[visit->other];
}

static void AddForce(const BondVisit* visit, void* context)
{
    Spread* c = context;
    Real out = (Real)rslSpread_Of(c->variant, (double)visit->restLength).out;
    Real tension = visit->stiffness * out * BothEnds(c->nodes->share, visit), drag = 0;
    if (visit->damping != (Real)0)
    {
        drag = visit->damping * out * BothEnds(c->nodes->dragShare, visit);
        c->powers->dissipated += 0.5 * (double)(drag * Along(visit, c->view->w));
    }
    if (visit->driveRate != (Real)0)
    {
        Real mean = visit->stiffness * out * BothEnds(c->nodes->driveShare, visit);
        c->powers->drives -= 0.5 * (double)(mean * visit->driveRate);
    }
    Real difference = DifferenceOf(c->kernel, c->body, visit);
    if (difference != (Real)0)
    {
        c->powers->dissipated += 0.5 * (double)(difference * Along(visit, c->view->w));  // also where it is negative
    }
    Real g = (tension + drag + difference) / visit->bond.length;
    for (int axis = 0; axis < 3; ++axis)
    {
        c->sums[axis][visit->node - c->begin] += g * visit->bond.d[axis];
    }
    if (c->kernel->drag[0] != NULL)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            c->kernel->drag[axis][visit->node] += (drag + difference) / visit->bond.length * visit->bond.d[axis];
        }
    }
}

static void AddLagged(const BondVisit* visit, void* context)
{
    Spread* c = context;
    int n = visit->node - c->begin;
    Real in = (Real)rslSpread_Of(c->variant, (double)visit->restLength).in;
    AddForce(visit, context);
    c->found[0][n] += visit->stiffness * in * visit->bond.elongation;
    if (visit->damping != (Real)0)
    {
        c->found[1][n] += visit->damping * in * Along(visit, c->view->w);
    }
}

static void KeepFound(const Kernel* kernel, const Chunk* chunk, Real (*found)[CHUNK])
{
    DispersionKernel* nodes = kernel->dispersion;
    for (int i = chunk->begin, n = 0; i < chunk->end; ++i, ++n)
    {
        nodes->fresh[i] = nodes->factor[i] * found[0][n];
        nodes->freshDrag[i] = nodes->dragFactor[i] * found[1][n];
    }
}

static void PlainForce(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    Real found[3][CHUNK] = { 0 };
    if (TakesSprings(kernel, chunk))
    {
        RSL_NAME(rslDispersion_PlainWhole)(kernel, view, chunk, powers, found);
    }
    else
    {
        RSL_NAME(rslDispersion_PlainForce)(kernel, view, chunk, powers);
    }
    if (Lags(kernel, chunk) && !TakesSprings(kernel, chunk))
    {
        RSL_NAME(rslDispersion_PlainShares)(kernel, view, chunk, found);
    }
    if (Lags(kernel, chunk))
    {
        KeepFound(kernel, chunk, found);
    }
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    if (RSL_NAME(rslSweep_Disperses)(kernel, chunk->body))
    {
        return;  // lattice_sweep.c has added it to the springs
    }
    if (IsPlain(kernel, chunk))
    {
        PlainForce(kernel, view, chunk, powers);
        return;
    }
    Spread spread = MakeSpread(kernel, view, chunk);
    spread.powers = powers;
    Walk(&spread, chunk, Lags(kernel, chunk) ? AddLagged : AddForce);
    if (Lags(kernel, chunk))
    {
        KeepFound(kernel, chunk, spread.found);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = chunk->begin, n = 0; i < chunk->end; ++i, ++n)
        {
            kernel->force[axis][i] += spread.sums[axis][n];
        }
    }
}

// 1/2 q h_a sum_a k out dL
static void AddEnergy(const BondVisit* visit, void* context)
{
    Spread* c = context;
    Real out = (Real)rslSpread_Of(c->variant, (double)visit->restLength).out;
    c->energy += 0.5 * (double)c->nodes->share[visit->node] * (double)(visit->stiffness * out * visit->bond.elongation);
    if (c->kernel->frozen)
    {
        c->energy += 0.5 * (double)(DifferenceOf(c->kernel, c->body, visit) * visit->bond.elongation);
    }
}

// Where the same weight is on the way in and out, sum_a k out dL is h_a S_a: the energy is 1/2 q h_a^2 S_a, and nothing has to be walked over.
static double EnergyOfShares(const DispersionKernel* nodes, const Chunk* chunk)
{
    double energy = 0.0;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        double share = (double)nodes->share[i], factor = (double)nodes->factor[i];
        energy += factor != 0.0 ? 0.5 * share * share / factor : 0.0;
    }
    return energy;
}

static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    Spread spread = MakeSpread(kernel, view, chunk);
    bool same = spread.variant == rsl_energyDispersion || spread.variant == rsl_cheapDispersion;
    if (same && !kernel->frozen && DispersesBody(kernel, chunk->body))
    {
        return EnergyOfShares(kernel->dispersion, chunk);
    }
    Walk(&spread, chunk, AddEnergy);
    return spread.energy;
}

static void AddProduct(const BondVisit* visit, void* context)
{
    const Spread* c = context;
    Real out = (Real)rslSpread_Of(c->variant, (double)visit->restLength).out;
    Real k = out * (c->damping ? visit->damping : visit->stiffness);
    Real t = c->damping ? (Real)0
                        : (k * BothEnds(c->nodes->share, visit) + DifferenceOf(c->kernel, c->body, visit)) /
                              visit->bond.length;
    Real along = (k * BothEnds(c->nodes->change, visit) - t * Along(visit, c->p)) / visit->bond.length;
    for (int axis = 0; axis < 3; ++axis)
    {
        Real dp = c->p[axis][visit->other] - c->p[axis][visit->node];
        c->out[axis][visit->node] -= along * visit->bond.d[axis] + t * dp;
    }
}

static void Product(const Kernel* kernel, const View* view, const Chunk* chunk, bool damping, Real* const p[3],
                    Real* const out[3])
{
    if (IsPlain(kernel, chunk))
    {
        RSL_NAME(rslDispersion_PlainProduct)(kernel, view, chunk, damping, p, out);
        return;
    }
    Spread spread = MakeSpread(kernel, view, chunk);
    spread.damping = damping;
    spread.p = p;
    spread.out = out;
    Walk(&spread, chunk, AddProduct);
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    Product(kernel, view, chunk, false, p, out);
}

static void Damping(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    Product(kernel, view, chunk, true, p, out);
}

static bool Present(const Kernel* kernel)
{
    return kernel->dispersion != NULL;
}

// Energy and symmetry are those of the variants that have them; rslModel_HasEnergy knows.
const Term RSL_NAME(rslDispersionTerm) = {
    .name = "dispersion",
    .hasEnergy = true,
    .symmetric = true,
    .farReaching = true,
    .present = Present,
    .prepare = Prepare,
    .prepareProduct = PrepareProduct,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
};
