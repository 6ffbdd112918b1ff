// SPDX-License-Identifier: MIT
//
// collide_sweep.c: see collide.h: straight ways, by boxes around all of them. Of two features at least one is quick.

#include "collide_internal.h"

#include <string.h>

static bool IsQuick(const bool* quick, const rslSkin* skin, int v)
{
    bool any = quick == NULL;
    for (int e = skin->stencilStart[v]; !any && e < skin->stencilStart[v + 1]; ++e)
    {
        any = quick[skin->stencilNodes[e]];
    }
    return any;
}

static void WalkChunk(int item, void* context)
{
    rslCollide* c = context;
    rslSideChunk* chunk = &c->chunks[item];
    const rslSide* side = &c->sides[chunk->side];
    chunk->quick = false;
    for (int v = chunk->begin; v < chunk->end; ++v)
    {
        size_t at = (size_t)(side->first + v);
        for (size_t i = 0; i < 3; ++i)
        {
            double end = c->x[3 * at + i] + c->look.step * c->v[3 * at + i];
            c->end[3 * at + i] = end;
            chunk->lower[i] = end < chunk->lower[i] ? end : chunk->lower[i];
            chunk->upper[i] = end > chunk->upper[i] ? end : chunk->upper[i];
        }
        c->quick[at] = IsQuick(c->look.quick, side->skin, v);
        chunk->quick = chunk->quick || c->quick[at];
    }
}

// The box around the whole of a side.
static void FitSide(rslCollide* c, rslSide* side)
{
    rslMeshBox* box = &side->swept[0];
    side->quick = side->lookedThrough = false;
    for (int i = 0; i < 3; ++i)
    {
        box->lower[i] = INFINITY;
        box->upper[i] = -INFINITY;
    }
    for (int k = side->firstChunk; k < side->firstChunk + side->chunkCount; ++k)
    {
        const rslSideChunk* chunk = &c->chunks[k];
        for (int i = 0; i < 3; ++i)
        {
            box->lower[i] = chunk->lower[i] < box->lower[i] ? chunk->lower[i] : box->lower[i];
            box->upper[i] = chunk->upper[i] > box->upper[i] ? chunk->upper[i] : box->upper[i];
        }
        side->quick = side->quick || chunk->quick;
    }
}

static void FitTree(int item, void* context)
{
    rslCollide* c = context;
    const rslSide* side = &c->sides[item];
    size_t at = 3 * (size_t)side->first;
    if (side->lookedThrough)
    {
        rslSide_Fit(side, side->swept, c->x + at, c->end + at);
    }
}

// ---- colliders ------------------------------------------------------------------------------------------------------

static void Join(rslBounds* a, const rslBounds* b)
{
    a->lower = (rslVec3){ fmin(a->lower.x, b->lower.x), fmin(a->lower.y, b->lower.y), fmin(a->lower.z, b->lower.z) };
    a->upper = (rslVec3){ fmax(a->upper.x, b->upper.x), fmax(a->upper.y, b->upper.y), fmax(a->upper.z, b->upper.z) };
}

// On a straight way as it sees it, a collider that turns by less than half a turn stays within twice the box of its ends.
static void PlaceColliders(rslCollide* c)
{
    for (int k = 0; k < c->model->colliderCount; ++k)
    {
        const rslCollider* collider = &c->model->colliders[k];
        double later = c->look.time + (c->look.still ? 0.0 : c->look.step);
        c->placed[k] = rslCollider_Place(collider, c->look.time);
        c->placedEnd[k] = rslCollider_Place(collider, later);
        rslBounds end = rslPlaced_Bounds(&c->placedEnd[k]);
        c->bounds[k] = rslPlaced_Bounds(&c->placed[k]);
        Join(&c->bounds[k], &end);
        if (collider->moves && !c->look.still)
        {
            rslVec3 half = rslScale(0.5, rslSub(c->bounds[k].upper, c->bounds[k].lower));
            c->bounds[k].lower = rslSub(c->bounds[k].lower, half);
            c->bounds[k].upper = rslAdd(c->bounds[k].upper, half);
        }
    }
}

static bool MeetsCollider(const rslCollide* c, const rslSide* side, int k)
{
    if (c->model->colliders[k].type == rsl_planeCollider)
    {
        return true;
    }
    const rslBounds* b = &c->bounds[k];
    rslMeshBox box = { { b->lower.x, b->lower.y, b->lower.z }, { b->upper.x, b->upper.y, b->upper.z }, 0, 0 };
    return rslMeshBox_Overlaps(&side->swept[0], &box, side->thick + side->more + c->look.reach);
}

// ---- work -----------------------------------------------------------------------------------------------------------

static bool AddRuns(rslCollide* c, int side, rslWorkKind kind, int count, const rslSidePair* pair, int which)
{
    size_t first = c->workCount;
    bool added = rslCollide_AddWork(c, side, kind, 0, count);
    for (size_t i = first; added && i < c->workCount; ++i)
    {
        c->works[i].pair = pair;
        c->works[i].which = which;
    }
    return added;
}

static bool AddPair(rslCollide* c, int a, int b)
{
    if (!c->sides[a].quick && !c->sides[b].quick)
    {
        return true;
    }
    const rslSidePair* pair = rslCollide_GetPair(c, a < b ? a : b, a < b ? b : a);
    if (pair == NULL || !pair->allowed)
    {
        return pair != NULL;
    }
    const rslSide *first = &c->sides[pair->sides[0]], *second = &c->sides[pair->sides[1]];
    bool surfaces[2] = { first->skin->radius == NULL, second->skin->radius == NULL };
    c->sides[a].lookedThrough = c->sides[b].lookedThrough = true;
    bool of = surfaces[1] || !surfaces[0], back = surfaces[0] && a != b, edges = surfaces[0] && surfaces[1];
    return (!of || AddRuns(c, pair->sides[0], rsl_vertexWork, first->skin->vertexCount, pair, 0)) &&
           (!back || AddRuns(c, pair->sides[1], rsl_vertexWork, second->skin->vertexCount, pair, 1)) &&
           (!edges || AddRuns(c, pair->sides[0], rsl_edgeWork, first->skin->edgeCount, pair, 0));
}

static bool AddColliders(rslCollide* c, int s)
{
    const rslSide* side = &c->sides[s];
    bool any = false, solids = false;
    for (int k = 0; side->quick && k < c->model->colliderCount; ++k)
    {
        bool meets = MeetsCollider(c, side, k);
        any = any || meets;
        solids = solids || (meets && c->model->colliders[k].type != rsl_planeCollider);
    }
    bool surface = side->skin->radius == NULL;
    return (!any || AddRuns(c, s, rsl_vertexWork, side->skin->vertexCount, NULL, 0)) &&
           (!solids || !surface || AddRuns(c, s, rsl_triangleWork, side->skin->triangleCount, NULL, 0));
}

// Gaps that fall are of interest as far as the look reaches.
static double Widening(const rslCollide* c, const rslSide* side)
{
    return side->thick + c->given + 0.5 * c->look.reach;
}

static double Lower(const rslCollide* c, int s)
{
    return c->sides[s].swept[0].lower[0] - Widening(c, &c->sides[s]);
}

static rslStatus ListWork(rslCollide* c)
{
    c->workCount = 0;
    rslCollide_SortSides(c, Lower);
    for (int i = 0; i < c->sideCount; ++i)
    {
        int a = c->byLower[i];
        const rslSide* side = &c->sides[a];
        bool added = AddColliders(c, a) && (side->rest == NULL || AddPair(c, a, a));
        for (int k = i + 1; added && k < c->sideCount; ++k)
        {
            int b = c->byLower[k];
            const rslSide* other = &c->sides[b];
            if (Lower(c, b) > side->swept[0].upper[0] + Widening(c, side))
            {
                break;
            }
            if (rslMeshBox_Overlaps(&side->swept[0], &other->swept[0], Widening(c, side) + Widening(c, other)))
            {
                added = AddPair(c, a, b);
            }
        }
        if (!added)
        {
            return rsl_outOfMemory;
        }
    }
    return rsl_ok;
}

static rslStatus SweepAll(rslCollide* c, const rslLook* look, double keep)
{
    c->look = *look;
    c->keep = keep;
    rslCollide_Place(c);
    rslTeam_Run(c->team, WalkChunk, c->chunkCount, c);
    for (int s = 0; s < c->sideCount; ++s)
    {
        FitSide(c, &c->sides[s]);
    }
    PlaceColliders(c);
    rslStatus status = ListWork(c);
    rslTeam_Run(c->team, FitTree, c->sideCount, c);
    return status == rsl_ok ? rslCollide_Work(c, rslWork_Sweep) : status;
}

rslStatus rslCollide_Sweep(rslCollide* c, const rslLook* look, rslCollisions* out)
{
    rslStatus status = SweepAll(c, look, NAN);
    status = status == rsl_ok ? rslCollide_Join(c, out) : status;
    if (status == rsl_ok)
    {
        rslCollisions_Sort(out);
    }
    return status;
}

rslStatus rslCollide_FirstTime(rslCollide* c, const rslLook* look, double keep, double* t)
{
    rslStatus status = SweepAll(c, look, keep);
    *t = 1.0;
    for (size_t i = 0; status == rsl_ok && i < c->workCount; ++i)
    {
        *t = c->works[i].time < *t ? c->works[i].time : *t;
    }
    return status;
}
