// SPDX-License-Identifier: MIT
//
// contact_grip.c: see contact_grip.h.
//
// A vertex at x slides against the triangle that it touches at c, x = c + a, by
//   s = v_x - (sum l_c v_c + w x a)      l: barycentric coordinates, w: how the triangle turns
// so that nothing slides when both turn together. With N the normal of the triangle and g_c = N x grad l_c, the edge against
// corner c over twice the area,
//   w = sum -g_c (N.v_c) + N (g_c.v_c) / 2
// is the spin of every rigid motion. An impulse P at the vertex then pushes on the corners with
//   -l_c P + (g_c.q) N - g_c (N.q) / 2,      q = a x P
// sum -P, torque -x x P: both bodies get it at the same point, and the angular momentum of both together stays. Vertices hand
// on what they get to nodes by their weights, which keeps both sums.
//
// A rigid body takes it at x as a whole: V += P / M, L += r x P. So do nodes that are welded to one, each at its own place.

#include "contact_grip.h"

#include "top.h"

// ---- making ---------------------------------------------------------------------------------------------------------

static int PartOf(Grip* grip, const RigidBody* rigid)
{
    int at = 0;
    while (at < grip->partCount && grip->parts[at].rigid != rigid)
    {
        ++at;
    }
    if (at == grip->partCount)
    {
        grip->parts[grip->partCount++] = (GripPart){ .rigid = rigid };
    }
    return at;
}

static Share NodeShare(const Kernel* kernel, Grip* grip, int node, int body)
{
    Share share = { .node = node, .body = body, .part = -1 };
    int weld = kernel->rigids != NULL && kernel->rigids->weldOf != NULL ? kernel->rigids->weldOf[node] : -1;
    if (weld >= 0)
    {
        const RigidBody* rigid = &kernel->rigids->bodies[kernel->rigids->welds[weld].rigid];
        rslVec3 arm = rslSub(kernel->rigids->welds[weld].place, rigid->def->centre);
        share.part = PartOf(grip, rigid);
        share.arm = rslMatVec(&kernel->frames[rigid->def->body].rotation, arm);
    }
    return share;
}

// Nodes of one body, each once, from the share `begin` on.
static void AddVertex(const Kernel* kernel, const ContactSide* side, int v, double factor, rslVec3 lever, int begin,
                      Grip* grip)
{
    const rslSurface* surface = side->surface.surface;
    for (size_t e = STENCIL * (size_t)v; e < STENCIL * ((size_t)v + 1); ++e)
    {
        double weight = surface->stencilWeights[e];
        int node = surface->stencilNodes[e], at = begin;
        if (fabs(weight) < 1e-13)  // what rounding left of points on edges and faces of cells
        {
            continue;
        }
        while (at < grip->count && grip->shares[at].node != node)
        {
            ++at;
        }
        if (at == grip->count)
        {
            grip->shares[grip->count++] = NodeShare(kernel, grip, node, side->body);
        }
        grip->shares[at].weight += factor * weight;
        grip->shares[at].lever = rslMulAdd(grip->shares[at].lever, weight, lever);
    }
}

// A rigid body that is touched at x, seen from the origin of the second body (contact_find.c).
static void AddWhole(const Kernel* kernel, const ContactKernel* contact, const RigidBody* rigid, double weight,
                     rslVec3 x, Grip* grip)
{
    const FrameView* frame = &kernel->frames[rigid->def->body];
    rslVec3 centre = rslAdd(frame->origin, rslMatVec(&frame->rotation, rigid->def->centre));
    rslVec3 arm = rslAdd(x, rslSub(kernel->frames[contact->sides[1].body].origin, centre));
    grip->shares[grip->count++] =
        (Share){ .node = -1, .body = rigid->def->body, .part = PartOf(grip, rigid), .arm = arm, .weight = weight };
}

static void AddTriangle(const Kernel* kernel, const ContactSide* side, const int vertices[3], const rslGap* gap,
                        Grip* grip)
{
    rslVec3 x[3];
    for (int c = 0; c < 3; ++c)
    {
        x[c] = rslContactSide_Vertex(&side->surface, vertices[c]);
    }
    rslVec3 area = rslCross(rslSub(x[1], x[0]), rslSub(x[2], x[0]));
    double twice = rslLength(area);
    int begin = grip->count;
    grip->face = rslNormalize(area);
    for (int c = 0; c < 3; ++c)
    {
        rslVec3 edge = rslSub(x[(c + 2) % 3], x[(c + 1) % 3]);
        rslVec3 lever = twice > 0.0 ? rslScale(-1.0 / twice, edge) : (rslVec3){ 0.0, 0.0, 0.0 };
        AddVertex(kernel, side, vertices[c], -gap->share[c], lever, begin, grip);
    }
}

void RSL_NAME(rslGrip_Make)(const Kernel* kernel, const ContactKernel* contact, int s, int v, Grip* grip)
{
    int vertices[TOUCH_POINTS];
    const ContactSide* sides[TOUCH_POINTS];
    const rslGap* gap = &contact->sides[s].touches[v].gap;
    rslVec3 x = rslContactSide_Vertex(&contact->sides[s].surface, v), none = { 0.0, 0.0, 0.0 };
    TouchVertices(contact, s, v, vertices, sides);
    const RigidBody* own = RigidOfBody(kernel, sides[0]->body);
    const RigidBody* other = RigidOfBody(kernel, sides[1]->body);
    grip->count = grip->partCount = 0;
    grip->apart = gap->apart;
    grip->face = none;
    if (own != NULL)
    {
        AddWhole(kernel, contact, own, 1.0, x, grip);
    }
    else
    {
        AddVertex(kernel, sides[0], vertices[0], 1.0, none, 0, grip);
    }
    if (other != NULL)
    {
        AddWhole(kernel, contact, other, -1.0, x, grip);
    }
    else
    {
        AddTriangle(kernel, sides[1], vertices + 1, gap, grip);
    }
}

// ---- A and its transpose --------------------------------------------------------------------------------------------

static rslVec3 PushOn(const Grip* grip, const Share* share, rslVec3 impulse)
{
    rslVec3 q = rslCross(grip->apart, impulse);
    rslVec3 push = rslMulAdd(rslScale(share->weight, impulse), rslDot(share->lever, q), grip->face);
    return rslMulAdd(push, -0.5 * rslDot(grip->face, q), share->lever);
}

static rslVec3 SlideBy(const Grip* grip, const Share* share, rslVec3 v)
{
    rslVec3 turn = rslScale(rslDot(grip->face, v), share->lever);
    turn = rslMulAdd(turn, -0.5 * rslDot(share->lever, v), grip->face);
    return rslAdd(rslScale(share->weight, v), rslCross(turn, grip->apart));
}

// The part of a vector in the world that no constraint holds.
static rslVec3 Free(const Kernel* kernel, const Grip* grip, const Share* share, rslVec3 a)
{
    int held = kernel->held != NULL && share->part < 0 ? kernel->held[share->node] : 0;
    held = share->part >= 0 && grip->parts[share->part].rigid->def->constraint >= 0 ? 7 : held;
    return (rslVec3){ held & 1 ? 0.0 : a.x, held & 2 ? 0.0 : a.y, held & 4 ? 0.0 : a.z };
}

static rslVec3 VelocityOf(const Kernel* kernel, const View* view, const Grip* grip, const Share* share)
{
    if (share->part >= 0)
    {
        const rslRigid* rigid = grip->parts[share->part].rigid->def;
        const rslFrame* moved = &view->frames[rigid->body];
        return rslAdd(moved->velocity, rslCross(rslTop_Spin(rigid, moved), share->arm));
    }
    const FrameView* frame = &kernel->frames[share->body];
    rslVec3 w = { (double)view->w[0][share->node], (double)view->w[1][share->node], (double)view->w[2][share->node] };
    return rslAdd(frame->velocity, rslMatVec(&frame->rotation, w));
}

rslVec3 RSL_NAME(rslGrip_Slide)(const Kernel* kernel, const View* view, const Grip* grip, SlidePart part)
{
    rslVec3 sum = { 0.0, 0.0, 0.0 };
    for (int j = 0; j < grip->count; ++j)
    {
        const Share* share = &grip->shares[j];
        rslVec3 v = VelocityOf(kernel, view, grip, share);
        v = part == rsl_heldPart ? rslSub(v, Free(kernel, grip, share, v)) : v;
        sum = rslAdd(sum, SlideBy(grip, share, v));
    }
    return sum;
}

rslVec3 RSL_NAME(rslGrip_Kicked)(const Kernel* kernel, const View* view, const Grip* grip, bool loads, double time)
{
    rslVec3 sum = { 0.0, 0.0, 0.0 };
    for (int j = 0; j < grip->count; ++j)
    {
        const Share* share = &grip->shares[j];
        rslVec3 v;
        if (share->part >= 0)
        {
            const RigidBody* rigid = grip->parts[share->part].rigid;
            v = RSL_NAME(rslRigids_Kicked)(view, rigid, loads ? &rigid->loads : &rigid->all, share->arm, time);
        }
        else
        {
            int i = share->node;
            rslVec3 f = { (double)kernel->force[0][i], (double)kernel->force[1][i], (double)kernel->force[2][i] };
            f = rslMatVec(&kernel->frames[share->body].rotation, loads ? Load3(kernel->pull, i) : f);
            v = rslScale(time / (double)kernel->mass[i], f);
        }
        sum = rslAdd(sum, SlideBy(grip, share, Free(kernel, grip, share, v)));
    }
    return sum;
}

// ---- impulses -------------------------------------------------------------------------------------------------------

// What an impulse gives to the parts; of a body that is held nothing, and in the plane of a 2D scene.
static void PushParts(Grip* grip, rslVec3 impulse)
{
    for (int p = 0; p < grip->partCount; ++p)
    {
        grip->parts[p].push = (Wrench){ { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    }
    for (int j = 0; j < grip->count; ++j)
    {
        const Share* share = &grip->shares[j];
        GripPart* part = share->part >= 0 ? &grip->parts[share->part] : NULL;
        if (part != NULL && part->rigid->def->constraint < 0)
        {
            rslVec3 push = PushOn(grip, share, impulse);
            rslVec3 turn = rslCross(share->arm, push);
            push.z = part->rigid->def->planar ? 0.0 : push.z;
            turn = part->rigid->def->planar ? (rslVec3){ 0.0, 0.0, turn.z } : turn;
            part->push.force = rslAdd(part->push.force, push);
            part->push.torque = rslAdd(part->push.torque, turn);
        }
    }
}

rslVec3 RSL_NAME(rslGrip_Yield)(const Kernel* kernel, const View* view, Grip* grip, rslVec3 impulse)
{
    rslVec3 sum = { 0.0, 0.0, 0.0 };
    PushParts(grip, impulse);
    for (int j = 0; j < grip->count; ++j)
    {
        const Share* share = &grip->shares[j];
        rslVec3 v;
        if (share->part >= 0)
        {
            const GripPart* part = &grip->parts[share->part];
            const rslRigid* rigid = part->rigid->def;
            rslVec3 spin = rslTop_Divide(rigid, &view->frames[rigid->body], part->push.torque);
            v = rslAdd(rslScale(1.0 / rigid->mass, part->push.force), rslCross(spin, share->arm));
        }
        else
        {
            rslVec3 push = Free(kernel, grip, share, PushOn(grip, share, impulse));
            v = rslScale(1.0 / (double)kernel->mass[share->node], push);
        }
        sum = rslAdd(sum, SlideBy(grip, share, v));
    }
    return sum;
}

void RSL_NAME(rslGrip_Push)(const Kernel* kernel, const View* view, Grip* grip, rslVec3 impulse)
{
    PushParts(grip, impulse);
    for (int p = 0; p < grip->partCount; ++p)
    {
        const rslRigid* rigid = grip->parts[p].rigid->def;
        rslFrame* frame = &view->frames[rigid->body];
        frame->velocity = rslMulAdd(frame->velocity, 1.0 / rigid->mass, grip->parts[p].push.force);
        frame->momentum = rslAdd(frame->momentum, grip->parts[p].push.torque);
    }
    for (int j = 0; j < grip->count; ++j)
    {
        const Share* share = &grip->shares[j];
        if (share->part >= 0)
        {
            continue;
        }
        int i = share->node;
        rslVec3 push = Free(kernel, grip, share, PushOn(grip, share, impulse));
        push = rslMatTVec(&kernel->frames[share->body].rotation, push);
        view->w[0][i] = (Real)((double)view->w[0][i] + push.x / (double)kernel->mass[i]);
        view->w[1][i] = (Real)((double)view->w[1][i] + push.y / (double)kernel->mass[i]);
        view->w[2][i] = (Real)((double)view->w[2][i] + push.z / (double)kernel->mass[i]);
    }
}
