// SPDX-License-Identifier: MIT
//
// contact_find.c: which vertices touch the other surface of a contact, and where.
//
// Once vertices have been placed in the world, boxes over the triangles are fitted and the vertices that may touch are
// listed; both hold while no vertex has moved by more than a margin m: then distances have changed by less than 2 m.

#include "kernel_contact.h"

#include <string.h>

enum
{
    VERTEX_CHUNK = 256
};

static int ItemsOf(int count)
{
    return (count + VERTEX_CHUNK - 1) / VERTEX_CHUNK;
}

static int LastOf(int item, int count)
{
    int end = (item + 1) * VERTEX_CHUNK;
    return end < count ? end : count;
}

// ---- making ---------------------------------------------------------------------------------------------------------

static void PlaceAtRest(const Kernel* kernel, ContactSide* side)
{
    const rslSurface* surface = &kernel->model->bodies[side->body].surface;
    for (size_t e = 0; e < STENCIL * (size_t)surface->vertexCount; ++e)
    {
        if (surface->stencilWeights[e] != 0.0)
        {
            rslVec3 X = RSL_NAME(rslKernel_RestOf)(kernel, side->body, surface->stencilNodes[e]);
            rslVec3 sum = rslMulAdd(Load3(side->rest, (int)(e / STENCIL)), surface->stencilWeights[e], X);
            Store3(side->rest, (int)(e / STENCIL), sum);
        }
    }
}

static bool MakeSide(Kernel* kernel, ContactSide* side, bool rubs)
{
    const rslBody* body = &kernel->model->bodies[side->body];
    size_t count = (size_t)body->surface.vertexCount;
    side->rest = RSL_NAME(rslKernel_Allocate)(kernel, count, 3 * sizeof(double));
    side->reference = RSL_NAME(rslKernel_Allocate)(kernel, count, 3 * sizeof(double));
    side->force = RSL_NAME(rslKernel_Allocate)(kernel, count, 3 * sizeof(double));
    side->change = RSL_NAME(rslKernel_Allocate)(kernel, count, 3 * sizeof(double));
    side->touches = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(rslTouch));
    side->near = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(int));
    side->moved = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)ItemsOf((int)count), sizeof(double));
    side->rubs = rubs ? RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(TouchRub)) : NULL;
    if ((rubs && side->rubs == NULL) || side->rest == NULL || side->reference == NULL || side->force == NULL ||
        side->change == NULL || side->touches == NULL || side->near == NULL || side->moved == NULL)
    {
        return false;
    }
    PlaceAtRest(kernel, side);
    return rslSurface_ListVertices(body, &kernel->arena, &side->carried) &&
           rslContactSide_Make(&side->surface, &body->surface, side->rest, &kernel->arena) == rsl_ok;
}

// A part of the edges, and of the distance at which they push.
static double MarginOf(const ContactKernel* contact)
{
    double sum = 0.0;
    int count = 0;
    for (int s = 0; s < 2; ++s)
    {
        const rslSurface* surface = contact->sides[s].surface.surface;
        for (int t = 0; t < surface->triangleCount; ++t, ++count)
        {
            const int* corner = &surface->triangles[3 * (size_t)t];
            sum +=
                rslLength(rslSub(Load3(contact->sides[s].rest, corner[1]), Load3(contact->sides[s].rest, corner[0])));
        }
    }
    return 0.1 * sum / count + 0.25 * contact->contact->thickness;
}

bool RSL_NAME(rslContacts_Make)(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    kernel->contacts = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->contactCount, sizeof(ContactKernel));
    bool made = kernel->contacts != NULL;
    for (int c = 0; made && c < model->contactCount; ++c)
    {
        ContactKernel* contact = &kernel->contacts[c];
        contact->contact = &model->contacts[c];
        for (int s = 0; made && s < 2; ++s)
        {
            contact->sides[s].body = contact->contact->bodies[s];
            made = MakeSide(kernel, &contact->sides[s], contact->contact->friction > 0.0);
        }
        contact->margin = made ? MarginOf(contact) : 0.0;
    }
    return made;
}

// ---- where the vertices are -------------------------------------------------------------------------------------------

typedef struct PrepareContext
{
    const Kernel* kernel;
    const View* view;
    const ContactKernel* contact;
    ContactSide* side;  // whose vertices are placed or looked at
    const ContactSide* other;
    bool all;  // vertices are looked at, or only those that are near
} PrepareContext;

// In the world's axes, from the origin of the second body: frames are subtracted first.
static void PlaceVertices(int item, void* context)
{
    const PrepareContext* c = context;
    ContactSide* side = c->side;
    const rslSurface* surface = side->surface.surface;
    const FrameView* frame = &c->kernel->frames[side->body];
    rslVec3 origin = rslSub(frame->origin, c->kernel->frames[c->contact->sides[1].body].origin);
    double moved = 0.0;
    for (int v = item * VERTEX_CHUNK; v < LastOf(item, surface->vertexCount); ++v)
    {
        rslVec3 y = Load3(side->rest, v);
        for (size_t e = STENCIL * (size_t)v; e < STENCIL * ((size_t)v + 1); ++e)
        {
            double weight = surface->stencilWeights[e];
            if (weight != 0.0)
            {
                int node = surface->stencilNodes[e];
                y.x += weight * (double)c->view->u[0][node];
                y.y += weight * (double)c->view->u[1][node];
                y.z += weight * (double)c->view->u[2][node];
            }
        }
        rslVec3 x = rslAdd(origin, rslMatVec(&frame->rotation, y));
        rslVec3 d = rslSub(x, Load3(side->reference, v));
        double square = rslDot(d, d);
        moved = square <= moved ? moved : square < INFINITY ? square : INFINITY;  // also when it is not a number
        Store3(side->surface.x, v, x);
    }
    side->moved[item] = moved;
}

static double LargestMove(const ContactSide* side)
{
    double largest = 0.0;
    for (int i = 0; i < ItemsOf(side->surface.surface->vertexCount); ++i)
    {
        largest = side->moved[i] <= largest ? largest : side->moved[i];
    }
    return largest;
}

static void LookFrom(int item, void* context)
{
    const PrepareContext* c = context;
    ContactSide* side = c->side;
    const rslContact* contact = c->contact->contact;
    int count = c->all ? side->surface.surface->vertexCount : side->nearCount;
    double more = c->all ? 2.0 * c->contact->margin : 0.0;
    for (int i = item * VERTEX_CHUNK; i < LastOf(item, count); ++i)
    {
        int v = c->all ? i : side->near[i];
        side->touches[v] = rslContactSide_Look(&side->surface, v, &c->other->surface, contact->thickness + more,
                                               contact->reach > 0.0 ? contact->reach + more : 0.0,
                                               c->all ? -1 : side->touches[v].hint);
    }
}

// Beside a sheet, also those within its reach that are on the right side now: small moves can turn the normals by which
// sides are told.
static bool MayTouch(const ContactKernel* contact, int s, int v)
{
    const rslTouch* touch = &contact->sides[s].touches[v];
    double reach = contact->contact->reach + 2.0 * contact->margin;
    bool sheet = contact->contact->reach > 0.0 && !contact->sides[1 - s].surface.surface->closed;
    return touch->triangle >= 0 || (sheet && touch->hint >= 0 && touch->gap.squared <= reach * reach);
}

static void ListNear(ContactKernel* contact, int s)
{
    ContactSide* side = &contact->sides[s];
    side->nearCount = 0;
    for (int v = 0; v < side->surface.surface->vertexCount; ++v)
    {
        if (MayTouch(contact, s, v))
        {
            side->near[side->nearCount++] = v;
        }
    }
}

// Every vertex of both sides, or those that are near.
static void LookAround(Kernel* kernel, const View* view, ContactKernel* contact, bool all)
{
    for (int s = 0; s < 2; ++s)
    {
        ContactSide* side = &contact->sides[s];
        PrepareContext context = { kernel, view, contact, side, &contact->sides[1 - s], all };
        rslTeam_Run(kernel->team, LookFrom, ItemsOf(all ? side->surface.surface->vertexCount : side->nearCount),
                    &context);
    }
}

static void Fit(Kernel* kernel, const View* view, ContactKernel* contact)
{
    for (int s = 0; s < 2; ++s)
    {
        ContactSide* side = &contact->sides[s];
        size_t bytes = (size_t)side->surface.surface->vertexCount * 3 * sizeof(double);
        memcpy(side->reference, side->surface.x, bytes);
        rslContactSide_Fit(&side->surface, contact->margin);
    }
    LookAround(kernel, view, contact, true);
    ListNear(contact, 0);
    ListNear(contact, 1);
    contact->fitted = true;
}

void RSL_NAME(rslContact_Find)(Kernel* kernel, const View* view, ContactKernel* contact)
{
    for (int s = 0; s < 2; ++s)
    {
        ContactSide* side = &contact->sides[s];
        PrepareContext context = { kernel, view, contact, side, NULL, true };
        rslTeam_Run(kernel->team, PlaceVertices, ItemsOf(side->surface.surface->vertexCount), &context);
    }
    double moved = LargestMove(&contact->sides[0]), other = LargestMove(&contact->sides[1]);
    double most = contact->margin * contact->margin;
    if (!(contact->fitted && moved <= most && other <= most))
    {
        Fit(kernel, view, contact);
    }
    LookAround(kernel, view, contact, false);
}
