// SPDX-License-Identifier: MIT
//
// force_lattice.c: springs of lattice bodies. They are not stored: a run of nodes names, once, the offsets of its
// bonds, and its pattern their constants (kernel_lattice.c). Forces are found by a sweep (lattice_sweep.h), but for driven bodies and dispersion with a
// lag; what follows is asked from both ends of a bond.
//
// With the symbols of bond.h and c = b k (b the stiffness damping of the body), the factor of d in the force is
//   g = T / L + c (d.dw) / L^2, with one division:  q = 1 / (L^2 (L + L0))
//   T / L           = k (s - e (L + L0)) L q
//   c (d.dw) / L^2  = k b (d.dw) (L + L0) q
// General bodies have a law (spring_law.h), which multiplies T by 1 - c + c N / L, and ratios b of their own for every bond.
// Both ends compute the same bits with the opposite sign, so that momentum is kept to rounding of the sums.

#include "bond_visit.h"
#include "dispersion.h"
#include "real_lanes.h"
#include "stretch.h"
#include "lattice_sweep.h"

#define AddDamped RSL_NAME(rslLattice_AddDamped)
#define AddGeneral RSL_NAME(rslLattice_AddGeneral)
#define ElasticEnergy RSL_NAME(rslLattice_Energy)
#define LinearProduct RSL_NAME(rslLattice_LinearProduct)
#define DraggedProduct RSL_NAME(rslLattice_DraggedProduct)
#define GeneralProduct RSL_NAME(rslLattice_GeneralProduct)

// What the law of a general body multiplies the tension by.
RSL_INLINE Real LawFactor(const Lattice* l, Real natural, Real length)
{
    return (Real)1 - l->body->carrier + l->body->carrier * natural / length;
}

// The work rate of a drive: -dW/dN N', half of it at each end, with W at the mean of the strains before and after, so that a
// jump of a linear spring is counted in full.
RSL_INLINE Real DrivePower(const Lattice* l, Real k, Real restLength, const Stretch* r, Real mean, Real rate,
                           bool general)
{
    Real elongation = r->square / (r->length + restLength) - restLength * mean, pull = k * elongation;
    if (general && l->body->carrier != (Real)0)
    {
        pull = (Real)LawPull((double)l->body->carrier, (double)k, (double)(restLength + restLength * mean),
                             (double)r->length, (double)elongation);
    }
    return (Real)0.5 * pull * restLength * rate;
}

// Forces of LANES nodes from one bond direction, added to f; lost and driven powers likewise. driven and general are
// constants at every call, so that each combination becomes straight vector code. A lane without the bond computes
// something with whatever lies at its offset, and adds nothing.
RSL_INLINE void AddBond(const Lattice* l, const Run* run, int s, int node, int count, bool driven, bool general,
                        Real f[8][LANES])
{
    const Real restLength = l->body->bondLength[s];
    const Real* stiffness = l->kernel->patterns[run->pattern].of[s];
    const Real* ratios = l->kernel->patterns[run->ratios].of[s];
    const int other = node + run->offset[s];
    for (int i = 0; i < (driven ? count : LANES); ++i)
    {
        const Real k = stiffness[i];
        if (driven && k == (Real)0)
        {
            continue;  // the masks of drives are not padded
        }
        Stretch r = MakeStretch(l, s, node + i, other + i);
        Real both = r.length + restLength;
        Real q = k / (r.length2 * both);
        Real stretch = r.square, natural = restLength;
        if (driven)
        {
            uint32_t bits = l->masks[node + i] & l->masks[other + i] & l->body->drives[s];
            Real strain = SumDrives(l->kernel->driveStrain, bits);
            Real mean = SumDrives(l->kernel->driveMean, bits);
            Real rate = SumDrives(l->kernel->driveRate, bits);
            f[4][i] -= DrivePower(l, k, restLength, &r, mean, rate, general);
            stretch -= restLength * strain * both;
            natural += restLength * strain;
        }
        Real dwx = l->wx[other + i] - l->wx[node + i];
        Real dwy = l->wy[other + i] - l->wy[node + i];
        Real dwz = l->wz[other + i] - l->wz[node + i];
        Real rate = r.dx * dwx + r.dy * dwy + r.dz * dwz;
        Real drag = (general ? ratios[i] : l->body->stiffnessDamping) * rate * both * q;
        Real g = stretch * r.length * q;
        g *= general ? LawFactor(l, natural, r.length) : (Real)1;
        g += drag;
        f[3][i] += k != (Real)0 ? (Real)0.5 * drag * rate : (Real)0;
        drag = k != (Real)0 ? drag : (Real)0;
        f[5][i] += drag * r.dx;
        f[6][i] += drag * r.dy;
        f[7][i] += drag * r.dz;
        g = k != (Real)0 ? g : (Real)0;
        f[0][i] += g * r.dx;
        f[1][i] += g * r.dy;
        f[2][i] += g * r.dz;
    }
}

// A run is taken LANES nodes at a time. The lanes beyond its end compute something, which is dropped; the arrays of a
// state are padded for their sake.
RSL_INLINE void AddBlock(const Lattice* l, const Run* run, int node, int count, bool driven, bool general,
                         Real* const force[3], Powers* powers)
{
    Real f[8][LANES] = { 0 };
    for (int s = 0; s < DIRECTIONS; ++s)
    {
        if (run->present >> s & 1u)
        {
            AddBond(l, run, s, node, count, driven, general, f);
        }
    }
    for (int i = 0; i < count; ++i)
    {
        force[0][node + i] += f[0][i];
        force[1][node + i] += f[1][i];
        force[2][node + i] += f[2][i];
    }
    for (int i = 0; i < count; ++i)
    {
        powers->dissipated += (double)f[3][i];
    }
    for (int axis = 0; l->kernel->drag[0] != NULL && axis < 3; ++axis)
    {
        for (int i = 0; i < count; ++i)
        {
            l->kernel->drag[axis][node + i] += f[5 + axis][i];
        }
    }
    for (int i = 0; driven && i < count; ++i)
    {
        powers->drives += (double)f[4][i];
    }
}

RSL_INLINE void AddRuns(const Lattice* l, const Chunk* chunk, bool driven, bool general, Real* const force[3],
                        Powers* powers)
{
    for (int r = chunk->runBegin; r < chunk->runEnd; ++r)
    {
        const Run* run = &l->kernel->runs[r];
        for (int at = 0; at < run->count; at += LANES)
        {
            int count = run->count - at < LANES ? run->count - at : LANES;
            AddBlock(l, run, run->begin + at, count, driven, general, force, powers);
        }
    }
}

RSL_CLONES static void AddDamped(const Lattice* l, const Chunk* chunk, Real* const force[3], Powers* powers)
{
    AddRuns(l, chunk, false, false, force, powers);
}

RSL_CLONES static void AddGeneral(const Lattice* l, const Chunk* chunk, Real* const force[3], Powers* powers)
{
    AddRuns(l, chunk, false, true, force, powers);
}

static void AddDriven(const Lattice* l, const Chunk* chunk, Real* const force[3], Powers* powers)
{
    if (l->body->general)
    {
        AddRuns(l, chunk, true, true, force, powers);
    }
    else
    {
        AddRuns(l, chunk, true, false, force, powers);
    }
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    Lattice lattice = MakeLattice(kernel, view, chunk);
    if (IsSwept(kernel, chunk->body) || TakesSprings(kernel, chunk))
    {
        return;
    }
    if (kernel->model->driveMask != NULL)
    {
        AddDriven(&lattice, chunk, kernel->force, powers);
    }
    else if (lattice.body->general)
    {
        AddGeneral(&lattice, chunk, kernel->force, powers);
    }
    else
    {
        AddDamped(&lattice, chunk, kernel->force, powers);
    }
}

static void PrepareForce(Kernel* kernel, const View* view)
{
    if (kernel->sweep != NULL)
    {
        RSL_NAME(rslSweep_Force)(kernel, view);
    }
}

// ---- the other questions, one bond at a time ----------------------------------------------------------------------

static void VisitBond(const Lattice* l, const Run* run, int node, int s, Real k, BondFunction* function, void* context)
{
    const Real* ratios = l->kernel->patterns[run->ratios].of[s];
    int other = node + run->offset[s];
    Real du[3] = { l->ux[other] - l->ux[node], l->uy[other] - l->uy[node], l->uz[other] - l->uz[node] };
    const Real length = l->body->bondLength[s];
    BondVisit visit = { .node = node, .other = other, .stiffness = k, .restLength = length };
    Real extra = 0;
    if (l->masks != NULL)
    {
        uint32_t bits = l->masks[node] & l->masks[other] & l->body->drives[s];
        extra = length * SumDrives(l->kernel->driveStrain, bits);
        visit.driveShift = length * SumDrives(l->kernel->driveMean, bits) - extra;
        visit.driveRate = length * SumDrives(l->kernel->driveRate, bits);
    }
    visit.damping = k * (l->body->general ? ratios[(node - run->begin) % LANES] : l->body->stiffnessDamping);
    visit.carrier = l->body->carrier;
    visit.natural = length + extra;
    visit.bond = MakeBond(l->body->bond[s], du, length, extra);
    Real dw[3] = { l->wx[other] - l->wx[node], l->wy[other] - l->wy[node], l->wz[other] - l->wz[node] };
    visit.growth = BondGrowth(&visit.bond, dw);
    function(&visit, context);
}

static void VisitBonds(const Kernel* kernel, const View* view, const Chunk* chunk, BondFunction* function,
                       void* context)
{
    Lattice lattice = MakeLattice(kernel, view, chunk);
    for (int r = chunk->runBegin; r < chunk->runEnd; ++r)
    {
        const Run* run = &kernel->runs[r];
        for (int node = run->begin; node < run->begin + run->count; ++node)
        {
            for (int s = 0; s < DIRECTIONS; ++s)
            {
                Real k = kernel->patterns[run->pattern].of[s][(node - run->begin) % LANES];
                if (k != (Real)0)
                {
                    VisitBond(&lattice, run, node, s, k, function, context);
                }
            }
        }
    }
}

// 1/2 k dL^2, all of it at the earlier end. Lanes are added up apart.
RSL_CLONES static double ElasticEnergy(const Lattice* l, const Chunk* chunk)
{
    rslLanes lanes[LANES / RSL_LANES] = { { 0 } }, numbers;
    double energy = 0.0;
    for (int r = chunk->runBegin; r < chunk->runEnd; ++r)
    {
        const Run* run = &l->kernel->runs[r];
        const Pattern* pattern = &l->kernel->patterns[run->pattern];
        for (int at = 0; at < run->count; at += LANES)
        {
            Real sum[LANES] = { 0 };
            for (uint32_t left = run->present & ((1u << RSL_LATTICE_HALF) - 1u); left != 0; left &= left - 1u)
            {
                const int s = __builtin_ctz(left), node = run->begin + at, other = node + run->offset[s];
                const Real* k = pattern->of[s];
                for (int i = 0; i < LANES; ++i)
                {
                    Stretch t = MakeStretch(l, s, node + i, other + i);
                    Real elongation = t.square / (t.length + l->body->bondLength[s]);
                    sum[i] += k[i] != (Real)0 ? (Real)0.5 * k[i] * (elongation * elongation) : (Real)0;
                }
            }
            for (int i = run->count - at; i < LANES; ++i)
            {
                sum[i] = 0;
            }
            for (int i = 0; i < LANES; i += RSL_LANES)
            {
                TakeLanes(sum + i, RSL_LANES, &numbers);
                lanes[i / RSL_LANES] += numbers;
            }
        }
    }
    for (int i = 0; i < LANES; ++i)
    {
        energy += lanes[i / RSL_LANES][i % RSL_LANES];
    }
    return energy;
}

static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    if (kernel->model->driveMask != NULL || kernel->bodies[chunk->body].carrier != (Real)0)
    {
        return BondEnergy(VisitBonds, kernel, view, chunk);
    }
    Lattice lattice = MakeLattice(kernel, view, chunk);
    return ElasticEnergy(&lattice, chunk);
}

// out -= (k n n^T + t (I - n n^T)) dp over the bonds: k the stiffness and r times the damping, t = T/L; or k the damping and
// t = 0.
RSL_INLINE void ProductOfRuns(const Lattice* l, const Chunk* chunk, const BondProductContext* c, bool general,
                              bool dragged)
{
    const Real factor = c->damping ? l->body->stiffnessDamping : (Real)1, tense = c->damping ? (Real)0 : (Real)1;
    const Real rate = c->damping ? (Real)0 : c->rate;
    for (int r = chunk->runBegin; r < chunk->runEnd; ++r)
    {
        const Run* run = &l->kernel->runs[r];
        for (int at = 0; at < run->count; at += LANES)
        {
            const int node = run->begin + at, count = run->count - at < LANES ? run->count - at : LANES;
            Real f[3][LANES] = { 0 };
            for (int s = 0; s < DIRECTIONS; ++s)
            {
                const Real* stiffness = l->kernel->patterns[run->pattern].of[s];
                const Real* ratios = l->kernel->patterns[run->ratios].of[s];
                const Real restLength = l->body->bondLength[s];
                const int other = node + run->offset[s];
                for (int i = 0; (run->present >> s & 1u) && i < LANES; ++i)
                {
                    Real k = (general && c->damping ? ratios[i] : factor) * stiffness[i];
                    Real damper = (general ? ratios[i] : l->body->stiffnessDamping) * stiffness[i];
                    Stretch d = MakeStretch(l, s, node + i, other + i);
                    Real px = c->p[0][other + i] - c->p[0][node + i];
                    Real py = c->p[1][other + i] - c->p[1][node + i];
                    Real pz = c->p[2][other + i] - c->p[2][node + i];
                    Real t = tense * (k * d.square / (d.length2 + restLength * d.length));
                    if (general)
                    {
                        const Real ratio = restLength / d.length;
                        t *= LawFactor(l, restLength, d.length);
                        k *= c->damping ? (Real)1 : (Real)1 - l->body->carrier + l->body->carrier * ratio * ratio;
                    }
                    if (dragged)
                    {
                        Real wx = l->wx[other + i] - l->wx[node + i];
                        Real wy = l->wy[other + i] - l->wy[node + i];
                        Real wz = l->wz[other + i] - l->wz[node + i];
                        t += damper * (d.dx * wx + d.dy * wy + d.dz * wz) / d.length2;
                    }
                    t = t < c->least ? c->least : t;
                    Real along = (k + rate * damper - t) * (d.dx * px + d.dy * py + d.dz * pz) / d.length2;
                    t = k != (Real)0 ? t : (Real)0;
                    along = k != (Real)0 ? along : (Real)0;
                    f[0][i] += along * d.dx + t * px;
                    f[1][i] += along * d.dy + t * py;
                    f[2][i] += along * d.dz + t * pz;
                }
            }
            for (int i = 0; i < count; ++i)
            {
                c->out[0][node + i] -= f[0][i];
                c->out[1][node + i] -= f[1][i];
                c->out[2][node + i] -= f[2][i];
            }
        }
    }
}

RSL_CLONES static void LinearProduct(const Lattice* l, const Chunk* chunk, const BondProductContext* c)
{
    ProductOfRuns(l, chunk, c, false, false);
}

RSL_CLONES static void DraggedProduct(const Lattice* l, const Chunk* chunk, const BondProductContext* c)
{
    ProductOfRuns(l, chunk, c, false, true);
}

RSL_CLONES static void GeneralProduct(const Lattice* l, const Chunk* chunk, const BondProductContext* c)
{
    if (c->rate != (Real)0 && !c->damping)
    {
        ProductOfRuns(l, chunk, c, true, true);
    }
    else
    {
        ProductOfRuns(l, chunk, c, true, false);
    }
}

static void Product(const Kernel* kernel, const View* view, const Chunk* chunk, bool damping, Real* const p[3],
                    Real* const out[3])
{
    if (kernel->model->driveMask != NULL)
    {
        BondProducts(VisitBonds, kernel, view, chunk, damping, p, out);
        return;
    }
    Lattice lattice = MakeLattice(kernel, view, chunk);
    const BondProductContext context = { p, out, damping, BondLeast(kernel), (Real)kernel->rate };
    if (lattice.body->general)
    {
        GeneralProduct(&lattice, chunk, &context);
    }
    else if (!damping && kernel->rate != 0.0 && lattice.body->stiffnessDamping != (Real)0)
    {
        DraggedProduct(&lattice, chunk, &context);
    }
    else
    {
        LinearProduct(&lattice, chunk, &context);
    }
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    Product(kernel, view, chunk, false, p, out);
}

static void Damping(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    Product(kernel, view, chunk, true, p, out);
}

static void Diagonal(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    BondDiagonal(VisitBonds, kernel, view, chunk, blocks);
}

static bool Present(const Kernel* kernel)
{
    return kernel->runCount > 0;
}

const Term RSL_NAME(rslLatticeTerm) = {
    .name = "lattice springs",
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
