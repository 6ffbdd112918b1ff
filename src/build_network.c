// SPDX-License-Identifier: MIT
//
// build_network.c: nodes and springs of any origin become a body: sorted, centred, measured.

#include "build.h"
#include "regions.h"
#include "vec.h"

#include <string.h>

void rslDraft_Free(rslDraft* draft, const rslHooks* hooks)
{
    rslRelease(hooks, draft->positions);
    rslRelease(hooks, draft->masses);
    rslRelease(hooks, draft->springs);
    *draft = (rslDraft){ 0 };
}

// One stable counting pass by a (or by b); start has nodeCount + 1 entries.
static void SortPass(const rslSpring* from, rslSpring* to, int count, bool byB, int* start, int nodeCount)
{
    memset(start, 0, ((size_t)nodeCount + 1) * sizeof(int));
    for (int i = 0; i < count; ++i)
    {
        ++start[(byB ? from[i].b : from[i].a) + 1];
    }
    for (int n = 0; n < nodeCount; ++n)
    {
        start[n + 1] += start[n];
    }
    for (int i = 0; i < count; ++i)
    {
        to[start[byB ? from[i].b : from[i].a]++] = from[i];
    }
}

static bool AreSorted(const rslSpring* springs, int count)
{
    for (int i = 1; i < count; ++i)
    {
        const rslSpring *p = &springs[i - 1], *q = &springs[i];
        if (p->a > q->a || (p->a == q->a && p->b > q->b))
        {
            return false;
        }
    }
    return true;
}

// By (a, b), those of the same ends in the order given: linear time. The result is in springs.
static bool SortSprings(const rslHooks* hooks, rslSpring* springs, int count, int nodeCount)
{
    if (AreSorted(springs, count))
    {
        return true;
    }
    rslSpring* other = rslAllocate(hooks, (size_t)count, sizeof(rslSpring));
    int* start = rslAllocate(hooks, (size_t)nodeCount + 1, sizeof(int));
    bool ok = other != NULL && start != NULL;
    if (ok)
    {
        SortPass(springs, other, count, true, start, nodeCount);
        SortPass(other, springs, count, false, start, nodeCount);
    }
    rslRelease(hooks, other);
    rslRelease(hooks, start);
    return ok;
}

// Springs between the same nodes become one. Returns how many are left.
static int JoinSprings(rslSpring* springs, int count, bool add)
{
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        if (kept > 0 && springs[kept - 1].a == springs[i].a && springs[kept - 1].b == springs[i].b)
        {
            springs[kept - 1].stiffness += add ? springs[i].stiffness : 0.0;
            springs[kept - 1].damping += add ? springs[i].damping : 0.0;
            continue;
        }
        springs[kept++] = springs[i];
    }
    return kept;
}

// c = sum m x / sum m; X = x - c.
static void CentreNodes(const rslDraft* draft, double* rest, rslBody* body)
{
    double total = 0.0;
    rslVec3 sum = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < draft->nodeCount; ++i)
    {
        const double* x = draft->positions + 3 * (size_t)i;
        total += draft->masses[i];
        sum = rslMulAdd(sum, draft->masses[i], (rslVec3){ x[0], x[1], x[2] });
    }
    rslVec3 centre = { sum.x / total, sum.y / total, sum.z / total };
    for (int i = 0; i < draft->nodeCount; ++i)
    {
        const double* x = draft->positions + 3 * (size_t)i;
        rest[3 * (size_t)i] = x[0] - centre.x;
        rest[3 * (size_t)i + 1] = x[1] - centre.y;
        rest[3 * (size_t)i + 2] = x[2] - centre.z;
    }
    body->frame.origin = centre;
    body->frame.rotation = (rslQuat){ 1.0, 0.0, 0.0, 0.0 };
}

// In a 2D scene nodes lie in z = 0.
static rslStatus CheckPlane(rslBuild* build, const rslBodyDef* def, const rslDraft* draft)
{
    for (int i = 0; build->scene->plane == rsl_planeXY && i < draft->nodeCount; ++i)
    {
        const double* x = draft->positions + 3 * (size_t)i;
        if (x[2] != 0.0)
        {
            rslReport_Add(build->report, rsl_error, def->network.place,
                          "node %d of body '%s' is at z = %.4g in a scene with plane: xy; all must have z = 0", i,
                          def->name, x[2]);
            return rsl_badInput;
        }
    }
    return rsl_ok;
}

// The springs with global node indices, into the arena.
static rslStatus KeepSprings(rslBuild* build, const rslSpring* springs, int count, rslBody* body)
{
    rslSpring* kept = rslArena_Allocate(build->arena, (size_t)count, sizeof(rslSpring));
    if (kept == NULL)
    {
        return rsl_outOfMemory;
    }
    double length = 0.0;
    for (int i = 0; i < count; ++i)
    {
        kept[i] = springs[i];
        kept[i].a += body->firstNode;
        kept[i].b += body->firstNode;
        length += springs[i].restLength;
    }
    body->network.springs = kept;
    body->network.springCount = count;
    body->spacing = count > 0 ? length / count : 0.0;
    return rsl_ok;
}

rslStatus rslBuild_Network(rslBuild* build, const rslBodyDef* def, const rslDraft* draft, rslParallel parallel,
                           rslBody* body)
{
    const rslHooks* hooks = &build->model->hooks;
    rslStatus status = CheckPlane(build, def, draft);
    if (status != rsl_ok)
    {
        return status;
    }
    status = rslRegions_FillDraft(build, def, draft, body);
    if (status != rsl_ok)
    {
        return status;
    }
    body->kind = rsl_networkBody;
    body->nodeCount = draft->nodeCount;
    double* rest = rslArena_Allocate(build->arena, (size_t)draft->nodeCount, 3 * sizeof(double));
    double* masses = rslAllocate(hooks, (size_t)draft->nodeCount, sizeof(double));
    build->masses[body - build->bodies] = masses;
    if (rest == NULL || masses == NULL || !SortSprings(hooks, draft->springs, draft->springCount, draft->nodeCount))
    {
        return rsl_outOfMemory;
    }
    memcpy(masses, draft->masses, (size_t)draft->nodeCount * sizeof(double));
    CentreNodes(draft, rest, body);
    body->network.rest = rest;
    body->network.law = def->network.law;
    int springCount = parallel == rsl_keepParallel
                          ? draft->springCount
                          : JoinSprings(draft->springs, draft->springCount, parallel == rsl_addParallel);
    return KeepSprings(build, draft->springs, springCount, body);
}

rslStatus rslBuild_KeepElements(rslBuild* build, const int* nodes, int count, int corners, rslBody* body)
{
    size_t all = (size_t)corners * (size_t)count;
    int* kept = rslArena_Allocate(build->arena, all, sizeof(int));
    if (kept == NULL)
    {
        return rsl_outOfMemory;
    }
    for (size_t i = 0; i < all; ++i)
    {
        kept[i] = body->firstNode + nodes[i];
    }
    rslNetwork* network = &body->network;
    *(corners == 3 ? &network->triangles : &network->tetrahedra) = kept;
    *(corners == 3 ? &network->triangleCount : &network->tetrahedronCount) = count;
    return rsl_ok;
}
