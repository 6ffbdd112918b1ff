// SPDX-License-Identifier: MIT
//
// model.c: questions to a model that is built.

#include "ascending.h"
#include "build.h"
#include "collide_shape.h"
#include "lattice.h"
#include "vec.h"

#include <string.h>

void rslModel_Free(rslModel* model)
{
    if (model == NULL)
    {
        return;
    }
    for (int c = 0; c < model->colliderCount; ++c)
    {
        rslSolid_Free(model->colliders[c].solid);
    }
    // the model lies in its own arena
    rslArena arena = *model->arena;
    rslArena_Free(&arena);
}

typedef struct EdgeContext
{
    rslSpringVisitor* visit;
    void* context;
} EdgeContext;

static bool VisitEdge(const rslSpring* spring, void* context)
{
    const EdgeContext* c = context;
    rslSpring edge = *spring;
    edge.stiffness = edge.damping = 0.0;
    return c->visit(&edge, c->context);
}

void rslModel_VisitSprings(const rslModel* model, int index, rslSpringVisitor* visit, void* context)
{
    const rslBody* body = &model->bodies[index];
    if (body->kind == rsl_latticeBody && (body->elements.count > 0 || body->model == rsl_rigidModel))
    {
        rslLattice edges = body->lattice;
        edges.stiffness[0] = edges.stiffness[1] = edges.stiffness[2] = 1.0;
        rslLattice_VisitSprings(&edges, body->firstNode, 0.0, VisitEdge, &(EdgeContext){ visit, context });
        return;
    }
    if (body->kind == rsl_latticeBody)
    {
        rslLattice_VisitSprings(&body->lattice, body->firstNode, body->stiffnessDamping, visit, context);
        return;
    }
    for (int i = 0; i < body->network.springCount; ++i)
    {
        if (!visit(&body->network.springs[i], context))
        {
            return;
        }
    }
}

const rslRigid* rslModel_Rigid(const rslModel* model, int body)
{
    // in the order of their bodies
    int count = model->bodies[body].model == rsl_rigidModel ? model->rigidCount : 0;
    int at = RSL_LAST_UP_TO(model->rigids, rslRigid, body, 0, count, body);
    return count > 0 && model->rigids[at].body == body ? &model->rigids[at] : NULL;
}

double rslModel_NodeVolume(const rslModel* model, const rslBody* body, int node)
{
    return body->nodeVolume != NULL ? body->nodeVolume[node - body->firstNode]
           : body->density > 0.0    ? model->mass[node] / body->density
                                    : 0.0;
}

void rslBody_Rest(const rslBody* body, int begin, int end, double* xyz)
{
    RSL_ASSERT(begin >= body->firstNode && end <= body->firstNode + body->nodeCount);
    begin -= body->firstNode;
    end -= body->firstNode;
    if (begin >= end)
    {
        return;
    }
    if (body->kind == rsl_latticeBody)
    {
        rslLattice_Rest(&body->lattice, begin, end, xyz);
    }
    else
    {
        memcpy(xyz, body->network.rest + 3 * (size_t)begin, 3 * (size_t)(end - begin) * sizeof(double));
    }
}

int rslModel_BodyOf(const rslModel* model, int node)
{
    return RSL_LAST_UP_TO(model->bodies, rslBody, firstNode, 0, model->bodyCount, node);
}

int rslModel_Find(const rslModel* model, const char* name)
{
    int low = 0, high = name != NULL ? model->bodyCount : 0;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        int order = strcmp(model->bodies[model->byName[middle]].name, name);
        if (order == 0)
        {
            return model->byName[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return -1;
}

// ---- inside the library ---------------------------------------------------------------------------------------------

// x = c + R X
void rslBody_WorldRest(const rslBody* body, int begin, int end, double* xyz)
{
    rslMat3 turn = rslQuatMatrix(body->frame.rotation);
    rslBody_Rest(body, begin, end, xyz);
    for (int node = begin; node < end; ++node, xyz += 3)
    {
        rslVec3 x = rslAdd(body->frame.origin, rslMatVec(&turn, (rslVec3){ xyz[0], xyz[1], xyz[2] }));
        xyz[0] = x.x;
        xyz[1] = x.y;
        xyz[2] = x.z;
    }
}

static rslBounds BoundsOf(const rslBody* body, void rest(const rslBody*, int, int, double*))
{
    enum
    {
        CHUNK = 256
    };
    double xyz[3 * CHUNK];
    double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    int end = body->firstNode + body->nodeCount;
    for (int begin = body->firstNode; begin < end; begin += CHUNK)
    {
        int count = end - begin < CHUNK ? end - begin : CHUNK;
        rest(body, begin, begin + count, xyz);
        for (int i = 0; i < 3 * count; ++i)
        {
            low[i % 3] = xyz[i] < low[i % 3] ? xyz[i] : low[i % 3];
            high[i % 3] = xyz[i] > high[i % 3] ? xyz[i] : high[i % 3];
        }
    }
    return (rslBounds){ { low[0], low[1], low[2] }, { high[0], high[1], high[2] } };
}

rslBounds rslBody_WorldBounds(const rslBody* body)
{
    return BoundsOf(body, rslBody_WorldRest);
}

rslExtents rslBody_Extents(const rslBody* body)
{
    rslBounds b = BoundsOf(body, rslBody_Rest);
    const double sides[3] = { b.upper.x - b.lower.x, b.upper.y - b.lower.y, b.upper.z - b.lower.z };
    rslExtents extents = { INFINITY, rslMost(sides[0], rslMost(sides[1], sides[2])) };
    for (int axis = 0; axis < 3; ++axis)
    {
        if (sides[axis] > 1e-6 * extents.longest && sides[axis] < extents.shortest)
        {
            extents.shortest = sides[axis];
        }
    }
    return extents;
}

// Union-find over the nodes: parent of every node, with path halving; the lower index is the root.
typedef struct Union
{
    int* parent;
    int firstNode, parts;
} Union;

static int Root(int* parent, int node)
{
    while (parent[node] != node)
    {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

static bool JoinEnds(const rslSpring* spring, void* context)
{
    Union* join = context;
    int a = Root(join->parent, spring->a - join->firstNode), b = Root(join->parent, spring->b - join->firstNode);
    if (a != b)
    {
        join->parent[a < b ? b : a] = a < b ? a : b;
        --join->parts;
    }
    return join->parts > 1;
}

int rslModel_Components(const rslModel* model, int index, const rslHooks* hooks)
{
    const rslBody* body = &model->bodies[index];
    Union join = { .firstNode = body->firstNode, .parts = body->nodeCount };
    join.parent = rslAllocate(hooks, (size_t)body->nodeCount, sizeof(int));
    if (join.parent == NULL)
    {
        return -1;
    }
    for (int i = 0; i < body->nodeCount; ++i)
    {
        join.parent[i] = i;
    }
    rslModel_VisitSprings(model, index, JoinEnds, &join);
    rslRelease(hooks, join.parent);
    return join.parts;
}
