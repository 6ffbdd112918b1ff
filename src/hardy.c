// SPDX-License-Identifier: MIT
//
// hardy.c: stress in small spheres (Hardy, J. Chem. Phys. 76, 1982; Kot's two probes).
//
//   sigma = 1/V sum over springs of T L (n n) B,  n n = d d / L^2,  V = 4/3 pi R^3
// each spring once; B in [0, 1] is its part in the probe. Line: the part of the segment in the sphere. Sphere: overlap of
// the probe and the sphere over the spring, over the volume of the latter. In a sheet of thickness h all spheres are discs:
// V = pi R^2 h. hardy_element.c adds what finite elements hold.

#include "hardy.h"

#include "elementary.h"
#include "memory.h"
#include "symmetric.h"

#define PI 3.14159265358979323846

enum
{
    BATCH = 8192  // probes of one walk: every part has its own sums
};

typedef rslHardy Hardy;

double rslHardyProbe_Volume(const rslHardyProbe* probe, double thickness)
{
    double R = probe->radius;
    return thickness > 0.0 ? PI * R * R * thickness : 4.0 / 3.0 * PI * R * R * R;
}

// ---- the part of a spring -------------------------------------------------------------------------------------------

// |p + t d|^2 = R^2: t = (-p.d -+ sqrt((p.d)^2 - d.d (p.p - R^2))) / d.d
static double LineFraction(rslVec3 p, rslVec3 d, double radius)
{
    double dd = rslDot(d, d), pd = rslDot(p, d), c = rslDot(p, p) - radius * radius;
    double root = pd * pd - dd * c;
    if (!(root > 0.0))
    {
        return 0.0;
    }
    root = sqrt(root);
    double begin = (-pd - root) / dd, end = (-pd + root) / dd;
    begin = begin > 0.0 ? begin : 0.0;
    end = end < 1.0 ? end : 1.0;
    return end > begin ? end - begin : 0.0;
}

// Two spheres at a distance s: a lens of pi (R + r - s)^2 (s^2 + 2 s (R + r) - 3 (R - r)^2) / 12 s.
static double SphereFraction(double s, double R, double r)
{
    if (s >= R + r)
    {
        return 0.0;
    }
    if (s <= fabs(R - r))
    {
        double ratio = R / r;
        return R >= r ? 1.0 : ratio * ratio * ratio;
    }
    double depth = R + r - s;
    double lens = depth * depth * (s * s + 2.0 * s * (R + r) - 3.0 * (R - r) * (R - r)) / (12.0 * s);
    return lens / (4.0 / 3.0 * r * r * r);
}

// Two discs: r^2 (a - sin a cos a) of each, a half of the angle over which it sees the common chord.
static double DiscFraction(double s, double R, double r)
{
    if (s >= R + r)
    {
        return 0.0;
    }
    if (s <= fabs(R - r))
    {
        double ratio = R / r;
        return R >= r ? 1.0 : ratio * ratio;
    }
    // half of the chord by Heron, its distances from the centres by Pythagoras
    double heron = (R + r + s) * (R + r - s) * (s + R - r) * (s - R + r);
    double half = sqrt(heron > 0.0 ? heron : 0.0) / (2.0 * s);
    double x = (s * s + r * r - R * R) / (2.0 * s), y = s - x;
    double area = r * r * rslAngle(x, half) + R * R * rslAngle(y, half) - s * half;
    return area / (PI * r * r);
}

static double Fraction(const rslHardyProbe* probe, rslVec3 start, rslVec3 d, double length, bool sheet)
{
    rslVec3 p = rslSub(start, probe->point);
    if (probe->kind == rsl_lineHardy)
    {
        return LineFraction(p, d, probe->radius);
    }
    double s = rslLength(rslMulAdd(p, 0.5, d));
    return (sheet ? DiscFraction : SphereFraction)(s, probe->radius, 0.5 * length);
}

// ---- sums -----------------------------------------------------------------------------------------------------------

// Probes that springs of one node can reach. Its springs are visited one after the other, so one search serves them all.
typedef struct Nearby
{
    int body, node;
    double reach;  // no farther than this from the node, less their radius
    int count;
    int* found;  // room for all
} Nearby;

static void Search(const Hardy* h, Nearby* nearby, int body, int node, rslVec3 start, double length)
{
    if (nearby->body == body && nearby->node == node && length <= nearby->reach)
    {
        return;
    }
    *nearby = (Nearby){ .body = body, .node = node, .reach = 2.0 * length, .found = nearby->found };
    nearby->count = rslNearest_Within(h->nearest, start, h->largest + nearby->reach, nearby->found, h->count);
}

// A spring in the world: from start, where a node of a body is, along d.
static void AddSpring(const Hardy* h, int part, int body, int node, rslVec3 start, rslVec3 d, double tension)
{
    double length = rslLength(d), thickness = h->model->bodies[body].thickness;
    Nearby* nearby = &h->nearby[part];
    Search(h, nearby, body, node, start, length);
    for (int i = 0; length > 0.0 && i < nearby->count; ++i)
    {
        int index = nearby->found[i];
        const rslHardyProbe* probe = &h->probes[index];
        double volume = rslHardyProbe_Volume(probe, thickness);
        double f = Fraction(probe, start, d, length, thickness > 0.0) * tension / (length * volume);
        rslSymmetric* sum = &h->sums[(size_t)part * (size_t)h->count + (size_t)index];
        *sum = rslSymmetric_MulAdd(*sum, f, rslSymmetric_Square(d));
    }
}

static void AddBond(const rslBond* bond, int part, void* context)
{
    const Hardy* h = context;
    const rslMat3* turn = &h->rotation[bond->body];
    rslVec3 start = rslAdd(h->state->frames[bond->body].origin, rslMatVec(turn, bond->x));
    AddSpring(h, part, bond->body, bond->a, start, rslMatVec(turn, bond->d), bond->tension);
}

// Is a probe so near to the box that a spring which starts there can reach it?
static bool IsWanted(int body, const rslBounds* box, double longest, void* context)
{
    const Hardy* h = context;
    for (int i = 0; i < h->count; ++i)
    {
        rslVec3 p = rslMatTVec(&h->rotation[body], rslSub(h->probes[i].point, h->state->frames[body].origin));
        double reach = h->probes[i].radius + longest;
        if (p.x >= box->lower.x - reach && p.x <= box->upper.x + reach && p.y >= box->lower.y - reach &&
            p.y <= box->upper.y + reach && p.z >= box->lower.z - reach && p.z <= box->upper.z + reach)
        {
            return true;
        }
    }
    return false;
}

static rslVec3 PositionOf(const Hardy* h, int node)
{
    double x[3];
    rslState_Positions(h->model, h->state, node, node + 1, x);
    return (rslVec3){ x[0], x[1], x[2] };
}

// From the first node, whose weight is 1, to the point that it is linked to.
static void AddLink(const Hardy* h, const rslLink* link)
{
    rslVec3 d = { 0.0, 0.0, 0.0 };
    for (int j = 0; j < link->nodeCount; ++j)
    {
        d = rslMulAdd(d, -link->weights[j], PositionOf(h, link->nodes[j]));
    }
    double tension = link->stiffness * (rslLength(d) - link->restLength);
    int node = link->nodes[0];
    AddSpring(h, 0, rslModel_BodyOf(h->model, node), node, PositionOf(h, node), d, tension);
}

static void AddParts(const Hardy* h, rslSymmetric* stress)
{
    for (int i = 0; i < h->count; ++i)
    {
        rslSymmetric sum = { 0 };
        for (int part = 0; part < RSL_BOND_PARTS; ++part)
        {
            sum = rslSymmetric_MulAdd(sum, 1.0, h->sums[(size_t)part * (size_t)h->count + (size_t)i]);
        }
        stress[i] = sum;
    }
}

// ---- what a user calls ----------------------------------------------------------------------------------------------

static rslStatus MakeIndex(Hardy* h, const rslHooks* hooks)
{
    double* xyz = rslAllocate(hooks, (size_t)h->count, 3 * sizeof(double));
    if (xyz == NULL)
    {
        return rsl_outOfMemory;
    }
    h->largest = 0.0;
    for (int i = 0; i < h->count; ++i)
    {
        xyz[3 * i] = h->probes[i].point.x;
        xyz[3 * i + 1] = h->probes[i].point.y;
        xyz[3 * i + 2] = h->probes[i].point.z;
        h->largest = h->probes[i].radius > h->largest ? h->probes[i].radius : h->largest;
    }
    rslStatus status = rslNearest_Create(xyz, h->count, hooks, &h->nearest);
    rslRelease(hooks, xyz);
    return status;
}

static rslStatus RunBatch(Hardy* h, rslSolver* solver, rslSymmetric* stress)
{
    size_t entries = (size_t)RSL_BOND_PARTS * (size_t)h->count;
    h->sums = rslAllocate(&solver->hooks, entries, sizeof(rslSymmetric));
    int* found = rslAllocate(&solver->hooks, entries, sizeof(int));
    Nearby nearby[RSL_BOND_PARTS];
    rslStatus status = h->sums != NULL && found != NULL ? MakeIndex(h, &solver->hooks) : rsl_outOfMemory;
    for (size_t part = 0; status == rsl_ok && part < RSL_BOND_PARTS; ++part)
    {
        nearby[part] = (Nearby){ .node = -1, .found = found + part * (size_t)h->count };
    }
    h->nearby = nearby;
    if (status == rsl_ok)
    {
        rslBondWalk walk = { .wanted = IsWanted, .visit = AddBond, .context = h };
        solver->backend->bonds(solver->kernel, h->state, &walk);
        for (int l = 0; l < h->model->linkCount; ++l)
        {
            AddLink(h, &h->model->links[l]);
        }
        AddParts(h, stress);
        status = rslHardy_AddElements(h, solver, stress);
    }
    rslNearest_Free(h->nearest);
    h->nearest = NULL;
    rslRelease(&solver->hooks, found);
    rslRelease(&solver->hooks, h->sums);
    return status;
}

static bool AreGood(const rslHardyProbe* probes, int count)
{
    bool good = count >= 0;
    for (int i = 0; i < count; ++i)
    {
        good = good && probes[i].radius > 0.0 && probes[i].radius < INFINITY && rslIsFinite3(probes[i].point) &&
               (unsigned)probes[i].kind < (unsigned)rsl_hardyKindCount;
    }
    return good;
}

static bool HasElements(const rslModel* model)
{
    bool has = false;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        has = has || model->bodies[b].elements.count > 0;
    }
    return has;
}

// Where bodies are turned to, and where nodes are that elements lie between.
static rslStatus Place(Hardy* h, const rslHooks* hooks)
{
    const rslModel* model = h->model;
    h->rotation = rslAllocate(hooks, (size_t)model->bodyCount, sizeof(rslMat3));
    h->positions = HasElements(model) ? rslAllocate(hooks, (size_t)model->nodeCount, 3 * sizeof(double)) : NULL;
    if (h->rotation == NULL || (h->positions == NULL && HasElements(model)))
    {
        return rsl_outOfMemory;
    }
    for (int b = 0; b < model->bodyCount; ++b)
    {
        h->rotation[b] = rslQuatMatrix(h->state->frames[b].rotation);
    }
    if (h->positions != NULL)
    {
        rslState_Positions(model, h->state, 0, model->nodeCount, h->positions);
    }
    return rsl_ok;
}

rslStatus rslSolver_HardyStress(rslSolver* solver, const rslState* state, const rslHardyProbe* probes, int count,
                                rslSymmetric* stress)
{
    Hardy h = { .model = solver->model, .state = state };
    if (!AreGood(probes, count))
    {
        return rsl_badInput;
    }
    rslStatus status = Place(&h, &solver->hooks);
    for (int first = 0; status == rsl_ok && first < count; first += BATCH)
    {
        h.probes = probes + first;
        h.count = count - first < BATCH ? count - first : BATCH;
        status = RunBatch(&h, solver, stress + first);
    }
    rslRelease(&solver->hooks, h.positions);
    rslRelease(&solver->hooks, h.rotation);
    return status;
}
