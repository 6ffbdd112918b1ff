// SPDX-License-Identifier: MIT
//
// snapshot.c: what one frame shows, gathered for the writers.

#include "resilin/lod.h"
#include "resilin/observe.h"

#include "memory.h"
#include "snapshot_fields.h"

static bool Allocate(rslSnapshot* s, bool withSprings)
{
    size_t nodes = (size_t)s->nodeCount, vertices = (size_t)s->vertexCount;
    s->positions = rslAllocate(&s->hooks, 3 * nodes, sizeof(double));
    s->velocities = rslAllocate(&s->hooks, 3 * nodes, sizeof(double));
    s->tension = rslAllocate(&s->hooks, nodes, sizeof(double));
    s->energyDensity = rslAllocate(&s->hooks, nodes, sizeof(double));
    s->nodeBody = rslAllocate(&s->hooks, nodes, sizeof(int));
    s->vertices = rslAllocate(&s->hooks, 3 * vertices, sizeof(double));
    s->triangles = rslAllocate(&s->hooks, 3 * (size_t)s->triangleCount, sizeof(int));
    s->vertexBody = rslAllocate(&s->hooks, vertices, sizeof(int));
    s->vertexNode = rslAllocate(&s->hooks, vertices, sizeof(int));
    s->springs = withSprings ? rslAllocate(&s->hooks, 2 * (size_t)s->springCount, sizeof(int)) : NULL;
    return s->positions && s->velocities && s->tension && s->energyDensity && s->nodeBody && s->vertices &&
           s->triangles && s->vertexBody && s->vertexNode && (s->springs || !withSprings);
}

static bool AppendSpring(const rslSpring* spring, void* context)
{
    int** next = context;
    (*next)[0] = spring->a;
    (*next)[1] = spring->b;
    *next += 2;
    return true;
}

static int HeaviestNode(const rslSurface* surface, int vertex)
{
    int best = 8 * vertex;
    for (int e = 8 * vertex; e < 8 * (vertex + 1); ++e)
    {
        best = surface->stencilWeights[e] > surface->stencilWeights[best] ? e : best;
    }
    return surface->stencilNodes[best];
}

static void FillTopology(rslSnapshot* s, const rslModel* model)
{
    int vertex = 0, corner = 0;
    int* nextSpring = s->springs;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        for (int i = 0; i < body->nodeCount; ++i)
        {
            s->nodeBody[body->firstNode + i] = b;
        }
        const rslSurface* surface = rslBody_Drawn(body);
        for (int t = 0; t < 3 * surface->triangleCount; ++t)
        {
            s->triangles[corner++] = vertex + surface->triangles[t];
        }
        for (int v = 0; v < surface->vertexCount; ++v, ++vertex)
        {
            s->vertexBody[vertex] = b;
            s->vertexNode[vertex] = HeaviestNode(surface, v);
        }
        if (nextSpring != NULL)
        {
            rslModel_VisitSprings(model, b, AppendSpring, &nextSpring);
        }
    }
}

rslStatus rslSnapshot_Create(const rslModel* model, bool withSprings, const rslHooks* hooks, rslSnapshot** out)
{
    rslHooks complete = rslHooks_Complete(hooks);
    rslSnapshot* s = rslAllocate(&complete, 1, sizeof(rslSnapshot));
    *out = NULL;
    if (s == NULL)
    {
        return rsl_outOfMemory;
    }
    s->hooks = complete;
    s->nodeCount = model->nodeCount;
    s->bodyCount = model->bodyCount;
    s->springCount = model->springCount;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        s->vertexCount += rslBody_Drawn(&model->bodies[b])->vertexCount;
        s->triangleCount += rslBody_Drawn(&model->bodies[b])->triangleCount;
    }
    if (!Allocate(s, withSprings))
    {
        rslSnapshot_Free(s);
        return rsl_outOfMemory;
    }
    FillTopology(s, model);
    *out = s;
    return rsl_ok;
}

void rslSnapshot_Take(rslSnapshot* s, rslSolver* solver, const rslState* state)
{
    const rslModel* model = rslSolver_Model(solver);
    s->time = rslState_Time(state);
    s->stepCount = state->stepCount;
    rslState_Positions(model, state, 0, model->nodeCount, s->positions);
    rslState_Velocities(model, state, 0, model->nodeCount, s->velocities);
    rslSolver_Fields(solver, state, NULL, s->tension, s->energyDensity);
    rslSnapshot_TakeFields(s, solver, state);
    double* next = s->vertices;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        rslState_Drawn(model, state, b, next);
        next += 3 * (size_t)rslBody_Drawn(&model->bodies[b])->vertexCount;
    }
}

void rslSnapshot_Free(rslSnapshot* s)
{
    if (s == NULL)
    {
        return;
    }
    void* arrays[] = { s->positions, s->velocities, s->tension,   s->energyDensity, s->nodeBody,
                       s->springs,   s->vertices,   s->triangles, s->vertexBody,    s->vertexNode };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
    {
        rslRelease(&s->hooks, arrays[i]);
    }
    rslSnapshot_FreeFields(s);
    rslHooks hooks = s->hooks;
    rslRelease(&hooks, s);
}
