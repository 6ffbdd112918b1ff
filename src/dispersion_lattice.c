// SPDX-License-Identifier: MIT
//
// dispersion_lattice.c: the sums of force_dispersion.c over the bonds of lattice nodes, LANES nodes at a time, as
// force_lattice.c takes them. Drives go the slow way.

#include "dispersion.h"
#include "stretch.h"

#define FindShares RSL_NAME(rslDispersion_FindShares)
#define FindDamped RSL_NAME(rslDispersion_FindDamped)
#define AddElastic RSL_NAME(rslDispersion_AddElastic)
#define AddDamped RSL_NAME(rslDispersion_AddDamped)
#define FindChanges RSL_NAME(rslDispersion_FindChanges)
#define AddProduct RSL_NAME(rslDispersion_AddProduct)
#define AddWhole RSL_NAME(rslDispersion_AddWhole)
#define AddWholeDamped RSL_NAME(rslDispersion_AddWholeDamped)

typedef enum Wanted
{
    SHARES,   // sums of k in dL, c in dL'
    FORCE,    // and what is lost
    WHOLE,    // FORCE with the springs themselves, and SHARES
    CHANGES,  // sums of k in n.dp
    PRODUCT
} Wanted;

typedef struct Rows
{
    Lattice lattice;
    const DispersionKernel* nodes;
    Real in[DIRECTIONS], out[DIRECTIONS];
    Real ratio[LANES];  // of damper over spring, where all bonds have the same
    Real* const* p;
    bool damping;   // CHANGES, PRODUCT: C instead of K
    Real* to[3];    // what is added to
    int base;       // index of its first node
    Real* sums[2];  // WHOLE: the shares
    Powers* powers;
    Real* const* drag;  // of dampers; NULL: nobody asks
} Rows;

static Rows MakeRows(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    Rows rows = { .lattice = MakeLattice(kernel, view, chunk), .nodes = kernel->dispersion };
    rslDispersionVariant variant = VariantOf(kernel, chunk->body);
    for (int i = 0; i < LANES; ++i)
    {
        rows.ratio[i] = rows.lattice.body->stiffnessDamping;
    }
    for (int s = 0; s < DIRECTIONS; ++s)
    {
        rslSpread spread = rslSpread_Of(variant, (double)rows.lattice.body->bondLength[s]);
        rows.in[s] = (Real)spread.in;
        rows.out[s] = (Real)spread.out;
    }
    return rows;
}

// d.(v_b - v_a)
RSL_INLINE Real Along(const Stretch* r, const Real* x, const Real* y, const Real* z, int node, int other)
{
    return r->dx * (x[other] - x[node]) + r->dy * (y[other] - y[node]) + r->dz * (z[other] - z[node]);
}

RSL_INLINE void AddDrag(const Stretch* r, Real g, int i, Real f[9][LANES])
{
    f[6][i] += g * r->dx;
    f[7][i] += g * r->dy;
    f[8][i] += g * r->dz;
}

// One bond direction of LANES nodes. wanted and damped are constants at every call.
RSL_INLINE void AddBond(const Rows* c, const Run* run, int s, int node, Wanted wanted, bool damped, Real f[9][LANES])
{
    const Lattice* l = &c->lattice;
    const Real restLength = l->body->bondLength[s], in = c->in[s], out = c->out[s];
    const Real* stiffness = l->kernel->patterns[run->pattern].of[s];
    const Real* ratio = l->body->general ? l->kernel->patterns[run->ratios].of[s] : c->ratio;
    const Real *share = c->nodes->share, *drags = c->nodes->dragShare, *change = c->nodes->change;
    // products: k, or c and no tension, chosen without a branch
    const Real own = c->damping ? (Real)0 : (Real)1, other = (Real)1 - own;
    const int to = node + run->offset[s];
    for (int i = 0; i < LANES; ++i)
    {
        const int a = node + i, b = to + i;
        const Real k = stiffness[i], damper = k * ratio[i];
        const bool has = k != (Real)0;
        Stretch r = MakeStretch(l, s, a, b);
        Real inverse = (Real)1 / r.length;
        if (wanted == SHARES)
        {
            Real rate = damped ? damper * in * Along(&r, l->wx, l->wy, l->wz, a, b) * inverse : (Real)0;
            f[0][i] += has ? k * in * (r.square / (r.length + restLength)) : (Real)0;
            f[1][i] += has ? rate : (Real)0;
        }
        else if (wanted == CHANGES)
        {
            Real along = Along(&r, c->p[0], c->p[1], c->p[2], a, b) * inverse;
            f[0][i] += has ? (own * k + other * damper) * in * along : (Real)0;
        }
        else if (wanted == FORCE)
        {
            Real g = k * out * (share[a] + share[b]);
            if (damped)
            {
                Real drag = damper * out * (drags[a] + drags[b]);
                Real rate = Along(&r, l->wx, l->wy, l->wz, a, b) * inverse;
                f[3][i] += has ? (Real)0.5 * drag * rate : (Real)0;
                g += drag;
                AddDrag(&r, has ? drag * inverse : (Real)0, i, f);
            }
            g = has ? g * inverse : (Real)0;
            f[0][i] += g * r.dx;
            f[1][i] += g * r.dy;
            f[2][i] += g * r.dz;
        }
        else
        {
            Real slope = out * (own * k + other * damper), t = own * slope * (share[a] + share[b]) * inverse;
            Real along = Along(&r, c->p[0], c->p[1], c->p[2], a, b) * inverse;
            along = (slope * (change[a] + change[b]) - t * along) * inverse;
            t = has ? t : (Real)0;
            along = has ? along : (Real)0;
            f[0][i] -= along * r.dx + t * (c->p[0][b] - c->p[0][a]);
            f[1][i] -= along * r.dy + t * (c->p[1][b] - c->p[1][a]);
            f[2][i] -= along * r.dz + t * (c->p[2][b] - c->p[2][a]);
        }
    }
}

// WHOLE, with one division: q = 1 / (L (L + L0)), dL = s L q, 1 / L = (L + L0) q.
RSL_INLINE void AddWholeBond(const Rows* c, const Run* run, int s, int node, bool damped, Real f[9][LANES])
{
    const Lattice* l = &c->lattice;
    const Real restLength = l->body->bondLength[s], in = c->in[s], out = c->out[s];
    const Real* stiffness = l->kernel->patterns[run->pattern].of[s];
    const Real *share = c->nodes->share, *drags = c->nodes->dragShare;
    const int to = node + run->offset[s];
    for (int i = 0; i < LANES; ++i)
    {
        const int a = node + i, b = to + i;
        const Real k = stiffness[i], damper = k * c->ratio[i];
        const bool has = k != (Real)0;
        Stretch r = MakeStretch(l, s, a, b);
        Real both = r.length + restLength, q = (Real)1 / (r.length * both), inverse = both * q;
        Real elongation = r.square * r.length * q, g = k * (elongation + out * (share[a] + share[b]));
        f[4][i] += has ? k * in * elongation : (Real)0;
        if (damped)
        {
            Real rate = Along(&r, l->wx, l->wy, l->wz, a, b) * inverse;
            Real drag = damper * (rate + out * (drags[a] + drags[b]));
            f[3][i] += has ? (Real)0.5 * drag * rate : (Real)0;
            f[5][i] += has ? damper * in * rate : (Real)0;
            g += drag;
            AddDrag(&r, has ? drag * inverse : (Real)0, i, f);
        }
        g = has ? g * inverse : (Real)0;
        f[0][i] += g * r.dx;
        f[1][i] += g * r.dy;
        f[2][i] += g * r.dz;
    }
}

RSL_INLINE void AddRuns(const Rows* c, const Chunk* chunk, Wanted wanted, bool damped)
{
    const int sums = wanted == SHARES ? 2 : wanted == CHANGES ? 1 : 3;
    for (int r = chunk->runBegin; r < chunk->runEnd; ++r)
    {
        const Run* run = &c->lattice.kernel->runs[r];
        for (int at = 0; at < run->count; at += LANES)
        {
            const int node = run->begin + at, count = run->count - at < LANES ? run->count - at : LANES;
            Real f[9][LANES] = { 0 };
            for (int s = 0; s < DIRECTIONS; ++s)
            {
                if ((run->present >> s & 1u) && wanted == WHOLE)
                {
                    AddWholeBond(c, run, s, node, damped, f);
                }
                else if (run->present >> s & 1u)
                {
                    AddBond(c, run, s, node, wanted, damped, f);
                }
            }
            for (int i = 0; i < count; ++i)
            {
                for (int n = 0; n < sums; ++n)
                {
                    c->to[n][node + i - c->base] += f[n][i];
                }
            }
            for (int i = 0; (wanted == FORCE || wanted == WHOLE) && damped && i < count; ++i)
            {
                c->powers->dissipated += (double)f[3][i];
            }
            for (int axis = 0; (wanted == FORCE || wanted == WHOLE) && damped && c->drag != NULL && axis < 3; ++axis)
            {
                for (int i = 0; i < count; ++i)
                {
                    c->drag[axis][node + i] += f[6 + axis][i];
                }
            }
            for (int i = 0; wanted == WHOLE && i < count; ++i)
            {
                c->sums[0][node + i - chunk->begin] += f[4][i];
                c->sums[1][node + i - chunk->begin] += f[5][i];
            }
        }
    }
}

RSL_CLONES static void FindShares(const Rows* rows, const Chunk* chunk)
{
    AddRuns(rows, chunk, SHARES, false);
}

RSL_CLONES static void FindDamped(const Rows* rows, const Chunk* chunk)
{
    AddRuns(rows, chunk, SHARES, true);
}

RSL_CLONES static void AddElastic(const Rows* rows, const Chunk* chunk)
{
    AddRuns(rows, chunk, FORCE, false);
}

RSL_CLONES static void AddDamped(const Rows* rows, const Chunk* chunk)
{
    AddRuns(rows, chunk, FORCE, true);
}

RSL_CLONES static void AddWhole(const Rows* rows, const Chunk* chunk)
{
    AddRuns(rows, chunk, WHOLE, false);
}

RSL_CLONES static void AddWholeDamped(const Rows* rows, const Chunk* chunk)
{
    AddRuns(rows, chunk, WHOLE, true);
}

RSL_CLONES static void FindChanges(const Rows* rows, const Chunk* chunk)
{
    AddRuns(rows, chunk, CHANGES, false);
}

RSL_CLONES static void AddProduct(const Rows* rows, const Chunk* chunk)
{
    AddRuns(rows, chunk, PRODUCT, false);
}

static bool IsDamped(const Rows* rows)
{
    return rows->lattice.body->general || rows->lattice.body->stiffnessDamping != (Real)0;
}

bool RSL_NAME(rslDispersion_IsPlain)(const Kernel* kernel, const Chunk* chunk)
{
    return kernel->model->bodies[chunk->body].kind == rsl_latticeBody && kernel->model->driveMask == NULL;
}

void RSL_NAME(rslDispersion_PlainShares)(const Kernel* kernel, const View* view, const Chunk* chunk,
                                         Real sums[3][CHUNK])
{
    Rows rows = MakeRows(kernel, view, chunk);
    rows.to[0] = sums[0];
    rows.to[1] = sums[1];
    rows.base = chunk->begin;
    (IsDamped(&rows) ? FindDamped : FindShares)(&rows, chunk);
}

static Rows ForceRows(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    Rows rows = MakeRows(kernel, view, chunk);
    for (int axis = 0; axis < 3; ++axis)
    {
        rows.to[axis] = kernel->force[axis];
    }
    rows.powers = powers;
    rows.drag = kernel->drag[0] != NULL ? kernel->drag : NULL;
    return rows;
}

void RSL_NAME(rslDispersion_PlainForce)(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    Rows rows = ForceRows(kernel, view, chunk, powers);
    (IsDamped(&rows) ? AddDamped : AddElastic)(&rows, chunk);
}

void RSL_NAME(rslDispersion_PlainWhole)(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers,
                                        Real sums[3][CHUNK])
{
    Rows rows = ForceRows(kernel, view, chunk, powers);
    rows.sums[0] = sums[0];
    rows.sums[1] = sums[1];
    (IsDamped(&rows) ? AddWholeDamped : AddWhole)(&rows, chunk);
}

void RSL_NAME(rslDispersion_PlainChanges)(const Kernel* kernel, const View* view, const Chunk* chunk, bool damping,
                                          Real* const p[3], Real sums[3][CHUNK])
{
    Rows rows = MakeRows(kernel, view, chunk);
    rows.p = p;
    rows.damping = damping;
    rows.to[0] = sums[0];
    rows.base = chunk->begin;
    FindChanges(&rows, chunk);
}

void RSL_NAME(rslDispersion_PlainProduct)(const Kernel* kernel, const View* view, const Chunk* chunk, bool damping,
                                          Real* const p[3], Real* const out[3])
{
    Rows rows = MakeRows(kernel, view, chunk);
    rows.p = p;
    rows.damping = damping;
    for (int axis = 0; axis < 3; ++axis)
    {
        rows.to[axis] = out[axis];
    }
    AddProduct(&rows, chunk);
}
