// SPDX-License-Identifier: MIT
//
// force_contact.c: two bodies that push on each other.
//
// Every vertex of either surface within the thickness T of the other has W = 1/2 k (T - d)^2, d its distance from the
// nearest point there (contact_side.h), and so a force along their connection that acts on the vertex and, by barycentric
// shares, against the corners of the triangle (contact_gap.c). Vertices hand what they get to nodes by their weights, which
// keeps momentum and angular momentum. Where the nearest part changes, W is continuous.

#include "kernel_contact.h"
#include "term.h"

#include <string.h>

// ---- forces on the vertices -------------------------------------------------------------------------------------------

static void AddTo(double* of, int v, double factor, rslVec3 f)
{
    Store3(of, v, rslMulAdd(Load3(of, v), factor, f));
}

static void ClearVertices(ContactKernel* contact, bool change)
{
    for (int s = 0; s < 2; ++s)
    {
        ContactSide* side = &contact->sides[s];
        memset(change ? side->change : side->force, 0, (size_t)side->surface.surface->vertexCount * 3 * sizeof(double));
    }
}

static void CountTouches(ContactKernel* contact)
{
    contact->count = 0;
    for (int s = 0; s < 2; ++s)
    {
        const ContactSide* side = &contact->sides[s];
        for (int i = 0; i < side->nearCount; ++i)
        {
            contact->count += side->touches[side->near[i]].triangle >= 0 ? 1 : 0;
        }
    }
}

static void PushVertices(ContactKernel* contact)
{
    bool pushed = contact->count > 0;
    contact->sides[0].energy = contact->sides[1].energy = 0.0;
    CountTouches(contact);
    if (pushed || contact->count > 0)
    {
        ClearVertices(contact, false);
    }
    FOR_TOUCHES(contact, s, i)
    {
        ContactSide *own = &contact->sides[s], *other = &contact->sides[1 - s];
        int v = own->near[i];
        const rslTouch* touch = &own->touches[v];
        const int* corner = &other->surface.surface->triangles[3 * (size_t)touch->triangle];
        double k = contact->contact->stiffness[s][v], depth = contact->contact->thickness - touch->gap.distance;
        AddTo(own->force, v, k * depth, touch->gap.normal);
        for (int c = 0; c < 3; ++c)
        {
            AddTo(other->force, corner[c], -k * depth * touch->gap.share[c], touch->gap.normal);
        }
        own->energy += 0.5 * k * depth * depth;
    }
}

static void Prepare(Kernel* kernel, const View* view)
{
    for (int c = 0; c < kernel->model->contactCount; ++c)
    {
        RSL_NAME(rslContact_Find)(kernel, view, &kernel->contacts[c]);
        PushVertices(&kernel->contacts[c]);
    }
}

// ---- products ---------------------------------------------------------------------------------------------------------

// How a vertex moves along p, in the world.
static rslVec3 MotionOf(const Kernel* kernel, const ContactSide* side, int v, Real* const p[3])
{
    rslVec3 sum = { 0 };
    const rslSurface* surface = side->surface.surface;
    for (size_t e = STENCIL * (size_t)v; e < STENCIL * ((size_t)v + 1); ++e)
    {
        int node = surface->stencilNodes[e];
        rslVec3 y = { (double)p[0][node], (double)p[1][node], (double)p[2][node] };
        sum = surface->stencilWeights[e] != 0.0 ? rslMulAdd(sum, surface->stencilWeights[e], y) : sum;
    }
    return rslMatVec(&kernel->frames[side->body].rotation, sum);
}

static void TouchProduct(const Kernel* kernel, const ContactKernel* contact, int s, int v, const rslVec3 dx[4],
                         rslVec3 out[4])
{
    const ContactSide* own = &contact->sides[s];
    const rslTouch* touch = &own->touches[v];
    rslVec3 x[4];
    rslContactSide_Points(&own->surface, v, &contact->sides[1 - s].surface, touch->triangle, x);
    rslGap_Product(&touch->gap, x, contact->contact->stiffness[s][v], contact->contact->thickness, kernel->relaxed, dx,
                   out);
}

static void PrepareProduct(Kernel* kernel, const View* view, bool damping, Real* const p[3])
{
    (void)view;
    for (int c = 0; c < (damping ? 0 : kernel->model->contactCount); ++c)
    {
        ContactKernel* contact = &kernel->contacts[c];
        if (contact->count > 0)
        {
            ClearVertices(contact, true);
        }
        FOR_TOUCHES(contact, s, i)
        {
            int v = contact->sides[s].near[i], vertices[TOUCH_POINTS];
            const ContactSide* sides[TOUCH_POINTS];
            rslVec3 dx[TOUCH_POINTS], out[TOUCH_POINTS];
            TouchVertices(contact, s, v, vertices, sides);
            for (int k = 0; k < TOUCH_POINTS; ++k)
            {
                dx[k] = MotionOf(kernel, sides[k], vertices[k], p);
            }
            TouchProduct(kernel, contact, s, v, dx, out);
            for (int k = 0; k < TOUCH_POINTS; ++k)
            {
                AddTo(sides[k]->change, vertices[k], 1.0, out[k]);
            }
        }
    }
}

// ---- answers ----------------------------------------------------------------------------------------------------------

// Add to the chunk's nodes what their vertices have.
static void Gather(const Kernel* kernel, const Chunk* chunk, bool change, Real* const out[3])
{
    const rslMat3* rotation = &kernel->frames[chunk->body].rotation;
    int first = kernel->model->bodies[chunk->body].firstNode;
    for (int c = 0; c < kernel->model->contactCount; ++c)
    {
        const ContactKernel* contact = &kernel->contacts[c];
        int s = contact->sides[0].body == chunk->body ? 0 : 1;
        const ContactSide* side = &contact->sides[s];
        const double* of = change ? side->change : side->force;
        for (int i = chunk->begin; contact->count > 0 && side->body == chunk->body && i < chunk->end; ++i)
        {
            rslVec3 sum = { 0 };
            for (int e = side->carried.start[i - first]; e < side->carried.start[i - first + 1]; ++e)
            {
                int code = side->carried.items[e];
                sum = rslMulAdd(sum, side->surface.surface->stencilWeights[code], Load3(of, code / STENCIL));
            }
            rslVec3 local = rslMatTVec(rotation, sum);
            out[0][i] += (Real)local.x;
            out[1][i] += (Real)local.y;
            out[2][i] += (Real)local.z;
        }
    }
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    (void)view;
    (void)powers;
    Gather(kernel, chunk, false, kernel->force);
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    (void)view;
    (void)p;
    Gather(kernel, chunk, true, out);
}

// Told by the chunk with the first node of the body whose vertices touch.
static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    (void)view;
    double energy = 0.0;
    for (int c = 0; c < kernel->model->contactCount; ++c)
    {
        for (int s = 0; s < 2; ++s)
        {
            const ContactSide* side = &kernel->contacts[c].sides[s];
            bool tells = side->body == chunk->body && chunk->begin == kernel->model->bodies[chunk->body].firstNode;
            energy += tells ? side->energy : 0.0;
        }
    }
    return energy;
}

// Weight of a node in a vertex.
static double WeightOf(const ContactSide* side, int v, int node)
{
    const rslSurface* surface = side->surface.surface;
    double weight = 0.0;
    for (size_t e = STENCIL * (size_t)v; e < STENCIL * ((size_t)v + 1); ++e)
    {
        weight += surface->stencilNodes[e] == node ? surface->stencilWeights[e] : 0.0;
    }
    return weight;
}

// K of one touch between a node and itself, in the axes of its frame.
static void AddTouchBlock(const Kernel* kernel, const ContactKernel* contact, int s, int v, const double weights[4],
                          const rslMat3* rotation, double* block)
{
    static const int index[3][3] = { { 0, 3, 4 }, { 3, 1, 5 }, { 4, 5, 2 } };
    for (int axis = 0; axis < 3; ++axis)
    {
        rslVec3 e = rslMatVec(rotation, (rslVec3){ axis == 0, axis == 1, axis == 2 }), dx[4], out[4], sum = { 0 };
        for (int k = 0; k < TOUCH_POINTS; ++k)
        {
            dx[k] = rslScale(weights[k], e);
        }
        TouchProduct(kernel, contact, s, v, dx, out);
        for (int k = 0; k < TOUCH_POINTS; ++k)
        {
            sum = rslMulAdd(sum, weights[k], out[k]);
        }
        sum = rslMatTVec(rotation, sum);
        block[index[axis][0]] += axis == 0 ? sum.x : 0.0;
        block[index[axis][1]] += axis <= 1 ? sum.y : 0.0;
        block[index[axis][2]] += sum.z;
    }
}

static void Diagonal(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    (void)view;
    const rslMat3* rotation = &kernel->frames[chunk->body].rotation;
    for (int c = 0; c < kernel->model->contactCount; ++c)
    {
        const ContactKernel* contact = &kernel->contacts[c];
        if (contact->sides[0].body != chunk->body && contact->sides[1].body != chunk->body)
        {
            continue;
        }
        FOR_TOUCHES(contact, s, i)
        {
            int v = contact->sides[s].near[i], vertices[TOUCH_POINTS], last = -1;
            const ContactSide* sides[TOUCH_POINTS];
            TouchVertices(contact, s, v, vertices, sides);
            int begin = sides[0]->body == chunk->body ? 0 : 1, end = begin == 0 ? 1 : TOUCH_POINTS;
            for (int entry = STENCIL * begin; entry < STENCIL * end; ++entry)
            {
                const rslSurface* surface = sides[begin]->surface.surface;
                size_t at = STENCIL * (size_t)vertices[entry / STENCIL] + (size_t)(entry % STENCIL);
                int node = surface->stencilNodes[at];
                bool here = surface->stencilWeights[at] != 0.0 && node >= chunk->begin && node < chunk->end;
                // a node of several corners is met first where it is met first
                for (int k = begin; here && k < entry / STENCIL; ++k)
                {
                    here = WeightOf(sides[k], vertices[k], node) == 0.0;
                }
                if (here && node != last)
                {
                    double weights[TOUCH_POINTS] = { 0 };
                    for (int k = begin; k < end; ++k)
                    {
                        weights[k] = WeightOf(sides[k], vertices[k], node);
                    }
                    AddTouchBlock(kernel, contact, s, v, weights, rotation, blocks[node - chunk->begin]);
                }
                last = here ? node : last;
            }
        }
    }
}

rslTouching RSL_NAME(rslContacts_Tell)(void* argument, const rslState* state, int index)
{
    Kernel* kernel = argument;
    ContactKernel* contact = &kernel->contacts[index];
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    RSL_NAME(rslContact_Find)(kernel, &view, contact);
    PushVertices(contact);
    rslTouching told = { .count = contact->count };
    FOR_TOUCHES(contact, s, i)
    {
        int v = contact->sides[s].near[i];
        const rslGap* gap = &contact->sides[s].touches[v].gap;
        double depth = contact->contact->thickness - gap->distance;
        double push = contact->contact->stiffness[s][v] * depth;
        told.press += push;
        told.force = rslMulAdd(told.force, s == 0 ? push : -push, gap->normal);
        told.deepest = depth > told.deepest ? depth : told.deepest;
        told.inside = -gap->distance > told.inside ? -gap->distance : told.inside;
    }
    return told;
}

static bool Present(const Kernel* kernel)
{
    return kernel->model->contactCount > 0 && !kernel->impulses && kernel->barrier == NULL;
}

const Term RSL_NAME(rslContactTerm) = {
    .name = "contacts",
    .hasEnergy = true,
    .symmetric = true,
    .farReaching = true,
    .present = Present,
    .prepare = Prepare,
    .prepareProduct = PrepareProduct,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .diagonal = Diagonal,
};
