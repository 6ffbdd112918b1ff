// SPDX-License-Identifier: MIT
//
// kernel_network.c: the springs of network bodies, as a list at each node: every node sums its own springs, in the
// order of the model, so there are no races and the bits do not depend on the number of threads.

#include "kernel.h"

// Those that hold something: not the edges of elements or of rigid bodies.
static int SpringCount(const rslBody* body)
{
    return body->elements.count > 0 || body->model == rsl_rigidModel ? 0 : body->network.springCount;
}

// Rest positions rounded to Real; lengths are those of the rounded positions, so that rest stays rest.
static bool MakeRest(Kernel* kernel, int total)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        kernel->rest[axis] = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)total, sizeof(Real));
        if (kernel->rest[axis] == NULL)
        {
            return false;
        }
    }
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        const rslBody* body = &kernel->model->bodies[b];
        for (int i = 0; body->kind == rsl_networkBody && i < body->nodeCount; ++i)
        {
            int at = body->firstNode + i + kernel->bodies[b].restBase;
            for (int axis = 0; axis < 3; ++axis)
            {
                kernel->rest[axis][at] = (Real)body->network.rest[3 * (size_t)i + (size_t)axis];
            }
        }
    }
    return true;
}

static rslVec3 RestVector(const Kernel* kernel, int body, int from, int to)
{
    int base = kernel->bodies[body].restBase;
    double d[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        d[axis] = (double)(kernel->rest[axis][to + base] - kernel->rest[axis][from + base]);
    }
    return (rslVec3){ d[0], d[1], d[2] };
}

static uint32_t SharedDrives(const Kernel* kernel, int body, const rslSpring* spring, rslVec3 bond)
{
    const uint32_t* mask = kernel->model->driveMask;
    return mask ? mask[spring->a] & mask[spring->b] & RSL_NAME(rslKernel_DriveBits)(kernel, body, bond) : 0;
}

static Entry MakeEntry(const Kernel* kernel, int body, const rslSpring* spring)
{
    rslVec3 bond = RestVector(kernel, body, spring->a, spring->b);
    double length = rslLength(bond);
    return (Entry){
        .stiffness = (Real)spring->stiffness,
        .damping = (Real)spring->damping,
        .restLength = (Real)length,
        .preload = (Real)(spring->restLength - length),
        .drives = SharedDrives(kernel, body, spring, bond),
    };
}

static double DistanceOf(const rslBody* body, const rslSpring* spring)
{
    const double* a = &body->network.rest[3 * (size_t)(spring->a - body->firstNode)];
    const double* b = &body->network.rest[3 * (size_t)(spring->b - body->firstNode)];
    return rslLength((rslVec3){ b[0] - a[0], b[1] - a[1], b[2] - a[2] });
}

// A rest length that is the distance of the nodes, up to the rounding of the positions, means no preload.
static Real CleanPreload(const rslSpring* spring, double distance, Real preload)
{
    return fabs(spring->restLength - distance) <= 1e-12 * distance ? (Real)0 : preload;
}

// Of nodes in rows, distances differ by rounding alone: the first ones that are found stand for those near them, so that springs are of few
// kinds (network_slices.h).
typedef struct Distances
{
    int count;
    double of[8];
} Distances;

static Real InverseOf(Distances* known, double distance)
{
    const double slack = RSL_PRECISION == 32 ? 0x1p-24 : 0x1p-42;
    int room = (int)(sizeof known->of / sizeof known->of[0]), at = 0;
    while (at < known->count && !(fabs(known->of[at] - distance) <= slack * distance))
    {
        ++at;
    }
    if (at == known->count && at < room)
    {
        known->of[known->count++] = distance;
    }
    double taken = at < room ? known->of[at] : distance;
    return (Real)(1.0 / (taken * taken));
}

static void FillEntries(Kernel* kernel, int bodyIndex, int* next)
{
    const rslBody* body = &kernel->model->bodies[bodyIndex];
    int base = kernel->bodies[bodyIndex].restBase;
    Real* longest = &kernel->bodies[bodyIndex].longestBond;
    Distances known = { 0 };
    for (int s = 0; s < SpringCount(body); ++s)
    {
        const rslSpring* spring = &body->network.springs[s];
        Entry entry = MakeEntry(kernel, bodyIndex, spring);
        *longest = entry.restLength > *longest ? entry.restLength : *longest;
        double distance = DistanceOf(body, spring);
        entry.preload = CleanPreload(spring, distance, entry.preload);
        entry.inverse = InverseOf(&known, distance);
        entry.other = spring->b;
        kernel->entries[next[spring->a + base]++] = entry;
        entry.other = spring->a;
        kernel->entries[next[spring->b + base]++] = entry;
    }
}

// Counts nodes and springs, and gives each network body its place in the arrays.
static int PlaceBodies(Kernel* kernel, int* springs)
{
    int total = 0;
    *springs = 0;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        const rslBody* body = &kernel->model->bodies[b];
        if (body->kind == rsl_networkBody)
        {
            kernel->bodies[b].restBase = total - body->firstNode;
            total += body->nodeCount;
            *springs += SpringCount(body);
        }
    }
    return total;
}

static void CountEntries(Kernel* kernel)
{
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        const rslBody* body = &kernel->model->bodies[b];
        int base = kernel->bodies[b].restBase;
        for (int s = 0; body->kind == rsl_networkBody && s < SpringCount(body); ++s)
        {
            kernel->entryStart[body->network.springs[s].a + base + 1] += 1;
            kernel->entryStart[body->network.springs[s].b + base + 1] += 1;
        }
    }
}

bool RSL_NAME(rslKernel_MakeNetworks)(Kernel* kernel)
{
    int springs = 0, total = PlaceBodies(kernel, &springs);
    if (total == 0)
    {
        return true;
    }
    kernel->entryStart = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)total + 1, sizeof(int));
    kernel->entries = RSL_NAME(rslKernel_Allocate)(kernel, 2 * (size_t)springs, sizeof(Entry));
    kernel->entryCount = 2 * springs;
    int* next = rslAllocate(&kernel->arena.hooks, (size_t)total, sizeof(int));
    bool made = kernel->entryStart != NULL && kernel->entries != NULL && next != NULL && MakeRest(kernel, total);
    if (made)
    {
        CountEntries(kernel);
        for (int i = 0; i < total; ++i)
        {
            kernel->entryStart[i + 1] += kernel->entryStart[i];
            next[i] = kernel->entryStart[i];
        }
        for (int b = 0; b < kernel->model->bodyCount; ++b)
        {
            if (kernel->model->bodies[b].kind == rsl_networkBody)
            {
                FillEntries(kernel, b, next);
            }
        }
    }
    rslRelease(&kernel->arena.hooks, next);
    return made;
}
