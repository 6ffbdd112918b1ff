// SPDX-License-Identifier: MIT
//
// contact_rub.c: friction between two bodies in contact, as impulses that follow a kick (friction.h).
//
// A touch slides with s = sum W_j v_j without its part along n: W_j are the weights of the nodes behind the vertex, less
// those behind the corners times their shares, and sum up to 0. An impulse P along -s gives node j the velocity W_j P / m_j
// along the axes that no constraint holds, A_j; both bodies get as much momentum, opposite. With t = s / |s|
//   1/m = sum W_j^2 |A_j t|^2 / m_j
// is what s yields to it. Touches are taken one after another, in a fixed order, and each looks at the velocities that those
// before have left: none reverses what it sees, so the kinetic energy only falls, but for the work of moving constraints,
// P . sum W_j (1 - A_j) v_j.
//
// A rigid body is one part with W = 1 or -1: an impulse P at the arm r from its centre of mass changes its momentum by P and its
// angular momentum by r x P, and it yields by 1/M + (r x t).J^-1 (r x t). Nodes welded to one are taken as held.
//
// Heat: with the kick c = sum W_j A_j h F_j / m_j before it and the change r by friction, nodes move by the mean of their
// velocities before the kick and after friction, and so P does the work P . (s - c/2 + r/2). Without c/2 the account would
// be off at first order, by what the kick does to what friction takes back. The part of c by loads is work that they have
// been credited with and do not do.

#include "friction.h"
#include "kernel_contact.h"
#include "kernel_rigid.h"
#include "top.h"

enum
{
    MOST_NODES = STENCIL * TOUCH_POINTS
};

// A node that a touch moves, or a rigid body.
typedef struct Share
{
    int node, body;
    double weight;
    const RigidBody* rigid;  // NULL: a node
    rslVec3 arm;
} Share;

// Nodes of one body, each once.
static int AddVertex(const ContactSide* side, int v, double factor, Share* shares, int begin, int count)
{
    const rslSurface* surface = side->surface.surface;
    for (int e = STENCIL * v; e < STENCIL * (v + 1); ++e)
    {
        double weight = factor * surface->stencilWeights[e];
        int node = surface->stencilNodes[e], at = begin;
        while (at < count && shares[at].node != node)
        {
            ++at;
        }
        if (weight != 0.0 && at == count)
        {
            shares[count++] = (Share){ .node = node, .body = side->body };
        }
        if (weight != 0.0)
        {
            shares[at].weight += weight;
        }
    }
    return count;
}

static const RigidBody* RigidOf(const Kernel* kernel, int body)
{
    for (int r = 0; kernel->bodies[body].rigid && r < kernel->rigids->count; ++r)
    {
        if (kernel->rigids->bodies[r].def->body == body)
        {
            return &kernel->rigids->bodies[r];
        }
    }
    return NULL;
}

// A rigid body that is touched at x, seen from the origin of the second body (contact_find.c).
static Share WholeBody(const Kernel* kernel, const ContactKernel* contact, const RigidBody* rigid, double weight,
                       rslVec3 x)
{
    const FrameView* frame = &kernel->frames[rigid->def->body];
    rslVec3 centre = rslAdd(frame->origin, rslMatVec(&frame->rotation, rigid->def->centre));
    rslVec3 arm = rslAdd(x, rslSub(kernel->frames[contact->sides[1].body].origin, centre));
    return (Share){ .node = -1, .body = rigid->def->body, .weight = weight, .rigid = rigid, .arm = arm };
}

static int ListShares(const Kernel* kernel, const ContactKernel* contact, int s, int v, Share shares[MOST_NODES])
{
    int vertices[TOUCH_POINTS], count = 0;
    const ContactSide* sides[TOUCH_POINTS];
    const rslGap* gap = &contact->sides[s].touches[v].gap;
    rslVec3 x = rslContactSide_Vertex(&contact->sides[s].surface, v);
    TouchVertices(contact, s, v, vertices, sides);
    const RigidBody *own = RigidOf(kernel, sides[0]->body), *other = RigidOf(kernel, sides[1]->body);
    if (own != NULL)
    {
        shares[count++] = WholeBody(kernel, contact, own, 1.0, x);
    }
    else
    {
        count = AddVertex(sides[0], vertices[0], 1.0, shares, 0, 0);
    }
    int begin = count;
    for (int c = 0; other == NULL && c < 3; ++c)
    {
        double share = gap->share[c];
        count = share != 0.0 ? AddVertex(sides[c + 1], vertices[c + 1], -share, shares, begin, count) : count;
    }
    if (other != NULL)
    {
        shares[count++] = WholeBody(kernel, contact, other, -1.0, rslSub(x, gap->apart));
    }
    return count;
}

// The part of a vector in the world that no constraint holds.
static rslVec3 Free(const Kernel* kernel, const Share* share, rslVec3 a)
{
    if (share->rigid != NULL)
    {
        return share->rigid->def->constraint < 0 ? a : (rslVec3){ 0 };
    }
    bool welded = kernel->rigids != NULL && kernel->rigids->weldOf != NULL && kernel->rigids->weldOf[share->node] >= 0;
    int held = welded ? 7 : kernel->held != NULL ? kernel->held[share->node] : 0;
    return (rslVec3){ held & 1 ? 0.0 : a.x, held & 2 ? 0.0 : a.y, held & 4 ? 0.0 : a.z };
}

// The change of velocity where it is touched, by an impulse that it is free for.
static rslVec3 Yield(const Kernel* kernel, const View* view, const Share* share, rslVec3 impulse)
{
    if (share->rigid == NULL)
    {
        return rslScale(1.0 / (double)kernel->mass[share->node], impulse);
    }
    const rslRigid* def = share->rigid->def;
    rslVec3 spin = rslTop_Divide(def, &view->frames[def->body], rslCross(share->arm, impulse));
    return rslAdd(rslScale(1.0 / def->mass, impulse), rslCross(spin, share->arm));
}

static rslVec3 VelocityOf(const Kernel* kernel, const View* view, const Share* share)
{
    if (share->rigid != NULL)
    {
        const rslFrame* moved = &view->frames[share->body];
        return rslAdd(moved->velocity, rslCross(rslTop_Spin(share->rigid->def, moved), share->arm));
    }
    const FrameView* frame = &kernel->frames[share->body];
    rslVec3 w = { (double)view->w[0][share->node], (double)view->w[1][share->node], (double)view->w[2][share->node] };
    return rslAdd(frame->velocity, rslMatVec(&frame->rotation, w));
}

// What the forces of this moment, or loads alone, have just added to it.
static rslVec3 KickOf(const Kernel* kernel, const View* view, const Share* share, bool loads, double time)
{
    if (share->rigid != NULL)
    {
        const Wrench* by = loads ? &share->rigid->loads : &share->rigid->all;
        return Free(kernel, share, RSL_NAME(rslRigids_Kicked)(view, share->rigid, by, share->arm, time));
    }
    int i = share->node;
    rslVec3 f = { (double)kernel->force[0][i], (double)kernel->force[1][i], (double)kernel->force[2][i] };
    f = loads ? Load3(kernel->pull, i) : f;
    f = Free(kernel, share, rslMatVec(&kernel->frames[share->body].rotation, f));
    return rslScale(time / (double)kernel->mass[i], f);
}

static void Push(const Kernel* kernel, const View* view, const Share* share, rslVec3 impulse)
{
    rslVec3 part = Free(kernel, share, rslScale(share->weight, impulse));
    if (share->rigid != NULL)
    {
        rslFrame* frame = &view->frames[share->body];
        frame->velocity = rslMulAdd(frame->velocity, 1.0 / share->rigid->def->mass, part);
        frame->momentum = rslAdd(frame->momentum, rslCross(share->arm, part));
        return;
    }
    rslVec3 dv = rslMatTVec(&kernel->frames[share->body].rotation, Yield(kernel, view, share, part));
    view->w[0][share->node] = (Real)((double)view->w[0][share->node] + dv.x);
    view->w[1][share->node] = (Real)((double)view->w[1][share->node] + dv.y);
    view->w[2][share->node] = (Real)((double)view->w[2][share->node] + dv.z);
}

typedef struct Rubbed
{
    double heat, work, undone;  // [J]; undone: work of loads that was counted with the kick
} Rubbed;

static Rubbed RubTouch(const Kernel* kernel, const View* view, const ContactKernel* contact, int s, int v, double time)
{
    Share shares[MOST_NODES];
    int count = ListShares(kernel, contact, s, v, shares);
    const rslGap* gap = &contact->sides[s].touches[v].gap;
    rslVec3 velocity = { 0 }, held = { 0 }, kick = { 0 }, pull = { 0 };
    for (int j = 0; j < count; ++j)
    {
        rslVec3 vj = VelocityOf(kernel, view, &shares[j]);
        velocity = rslMulAdd(velocity, shares[j].weight, vj);
        held = rslMulAdd(held, shares[j].weight, rslSub(vj, Free(kernel, &shares[j], vj)));
        kick = rslMulAdd(kick, shares[j].weight, KickOf(kernel, view, &shares[j], false, time));
        pull = rslMulAdd(pull, shares[j].weight, KickOf(kernel, view, &shares[j], true, time));
    }
    rslVec3 slip = rslFriction_Slip(velocity, gap->normal), t = rslNormalize(slip);
    double yields = 0.0;
    for (int j = 0; j < count; ++j)
    {
        rslVec3 along = Free(kernel, &shares[j], t);
        yields += shares[j].weight * shares[j].weight * rslDot(along, Yield(kernel, view, &shares[j], along));
    }
    if (!(yields > 0.0))
    {
        return (Rubbed){ 0 };
    }
    double push = contact->contact->stiffness[s][v] * (contact->contact->thickness - gap->distance);
    rslVec3 change = rslFriction_Change(slip, contact->contact->friction, push * time, 1.0 / yields);
    rslVec3 impulse = rslScale(1.0 / yields, change);
    for (int j = 0; j < count; ++j)
    {
        Push(kernel, view, &shares[j], impulse);
    }
    double heat = rslFriction_Heat(slip, change, 1.0 / yields) + 0.5 * rslDot(impulse, kick);
    return (Rubbed){ heat, -rslDot(impulse, held), 0.5 * rslDot(impulse, pull) };
}

void RSL_NAME(rslContacts_Rub)(Kernel* kernel, const View* view, double time, rslAccount* account)
{
    for (int c = 0; c < kernel->model->contactCount; ++c)
    {
        const ContactKernel* contact = &kernel->contacts[c];
        Rubbed sum = { 0 };
        FOR_TOUCHES(contact, s, i)
        {
            if (contact->contact->friction > 0.0)
            {
                Rubbed one = RubTouch(kernel, view, contact, s, contact->sides[s].near[i], time);
                sum.heat += one.heat;
                sum.work += one.work;
                sum.undone += one.undone;
            }
        }
        if (account != NULL)
        {
            account->dissipated += sum.heat;
            account->loads += sum.undone;
            account->motion += sum.work;
            account->input += sum.work > 0.0 ? sum.work : 0.0;
        }
    }
}
