// SPDX-License-Identifier: MIT
//
// force_link.c: springs and ties between bodies.
//
// A link has a vector d = sum over its nodes of weight_j x_j, with weights that sum to zero, and a length L = |d|.
//   W = 1/2 k (L - L0)^2,  force on node j = -weight_j (k (L - L0) + c d'.n) n,  n = d / L
//   stiffness between nodes i and j: weight_i weight_j (k n n^T + (T/L) (I - n n^T))
// A tie has L0 = 0:  W = 1/2 k d.d, force on node j = -weight_j (k d + c d'), with no direction to lose at d = 0.
// A link pressed to nothing has no direction either: n = 0 there.
// Positions are taken in the world in double, frames first: the bodies may be anywhere. Every link is looked at once
// (prepare), then asked by each of its nodes.

#include "term.h"

static LinkView MakeLink(const Kernel* kernel, const View* view, const rslLink* link)
{
    LinkView result = { 0 };
    for (int j = 0; j < link->nodeCount; ++j)
    {
        int node = link->nodes[j];
        int body = rslModel_BodyOf(kernel->model, node);
        const FrameView* frame = &kernel->frames[body];
        rslVec3 y = rslAdd(RSL_NAME(rslKernel_RestOf)(kernel, body, node), VectorAt(view->u, node));
        rslVec3 x = rslAdd(frame->origin, rslMatVec(&frame->rotation, y));
        rslVec3 v = rslAdd(frame->velocity, rslMatVec(&frame->rotation, VectorAt(view->w, node)));
        result.d = rslMulAdd(result.d, link->weights[j], x);
        result.rate = rslMulAdd(result.rate, link->weights[j], v);
    }
    result.length = rslLength(result.d);
    return result;
}

enum
{
    LINK_CHUNK = 64  // links looked at by one item of work
};

typedef struct PrepareContext
{
    Kernel* kernel;
    const View* view;
} PrepareContext;

static void PrepareLinks(int item, void* context)
{
    const PrepareContext* c = context;
    int begin = item * LINK_CHUNK, count = c->kernel->model->linkCount;
    int end = count - begin < LINK_CHUNK ? count : begin + LINK_CHUNK;
    for (int l = begin; l < end; ++l)
    {
        c->kernel->links[l] = MakeLink(c->kernel, c->view, &c->kernel->model->links[l]);
    }
}

static void Prepare(Kernel* kernel, const View* view)
{
    PrepareContext context = { kernel, view };
    rslTeam_Run(kernel->team, PrepareLinks, (kernel->model->linkCount + LINK_CHUNK - 1) / LINK_CHUNK, &context);
}

// T/L of a link with a rest length.
static double TensionOverLength(const rslLink* link, const LinkView* view)
{
    return view->length > 0.0 ? link->stiffness * (view->length - link->restLength) / view->length : 0.0;
}

// Pull along d in the world, without the weight; *drag gets the part of the damper, *lost its power.
static rslVec3 Pull(const rslLink* link, const LinkView* view, rslVec3* drag, double* lost)
{
    if (link->restLength == 0.0)
    {
        *lost = link->damping * rslDot(view->rate, view->rate);
        *drag = rslScale(link->damping, view->rate);
        return rslMulAdd(rslScale(link->stiffness, view->d), link->damping, view->rate);
    }
    rslVec3 n = rslNormalize(view->d);
    double rate = rslDot(view->rate, n);
    *lost = link->damping * rate * rate;
    *drag = rslScale(link->damping * rate, n);
    return rslScale(link->stiffness * (view->length - link->restLength) + link->damping * rate, n);
}

typedef struct LinkVisit
{
    const rslLink* link;
    const LinkView* view;
    int place;  // of the node in the link
} LinkVisit;

static LinkVisit VisitOf(const Kernel* kernel, int e)
{
    int code = kernel->nodeLinks[e];
    int link = code / RSL_LINK_NODES;
    return (LinkVisit){ &kernel->model->links[link], &kernel->links[link], code % RSL_LINK_NODES };
}

static void AddDrag(Kernel* kernel, int i, rslVec3 drag)
{
    kernel->drag[0][i] += (Real)drag.x;
    kernel->drag[1][i] += (Real)drag.y;
    kernel->drag[2][i] += (Real)drag.z;
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    (void)view;
    const rslMat3* rotation = &kernel->frames[chunk->body].rotation;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        for (int e = kernel->linkStart[i]; e < kernel->linkStart[i + 1]; ++e)
        {
            LinkVisit visit = VisitOf(kernel, e);
            double lost = 0.0;
            rslVec3 drag;
            rslVec3 f = rslScale(-visit.link->weights[visit.place], Pull(visit.link, visit.view, &drag, &lost));
            rslVec3 local = rslMatTVec(rotation, f);
            kernel->force[0][i] += (Real)local.x;
            kernel->force[1][i] += (Real)local.y;
            kernel->force[2][i] += (Real)local.z;
            if (kernel->drag[0] != NULL)
            {
                AddDrag(kernel, i, rslMatTVec(rotation, rslScale(-visit.link->weights[visit.place], drag)));
            }
            powers->dissipated += visit.place == 0 ? lost : 0.0;  // counted once a link
        }
    }
}

static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    double energy = 0.0;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        for (int e = kernel->linkStart[i]; e < kernel->linkStart[i + 1]; ++e)
        {
            LinkVisit visit = VisitOf(kernel, e);
            if (visit.place == 0)
            {
                double stretch = MakeLink(kernel, view, visit.link).length - visit.link->restLength;
                energy += 0.5 * visit.link->stiffness * stretch * stretch;
            }
        }
    }
    return energy;
}

// T/L; pressed links are slack across where K has to be positive (kernel.h).
static double Across(const Kernel* kernel, LinkVisit visit)
{
    double t = TensionOverLength(visit.link, visit.view);
    return kernel->relaxed && t < 0.0 ? 0.0 : t;
}

static double Stiff(const Kernel* kernel, const rslLink* link)
{
    return link->stiffness + kernel->rate * link->damping;
}

// (a n n^T + b (I - n n^T)) q, for a tie a = b.
static rslVec3 Apply(rslVec3 n, double a, double b, rslVec3 q)
{
    return rslMulAdd(rslScale(b, q), (a - b) * rslDot(n, q), n);
}

// out += weight (a n n^T + b (I - n n^T)) sum of weight_j p_j, turned between the frames.
static void Product(const Kernel* kernel, const View* view, const Chunk* chunk, bool damping, Real* const p[3],
                    Real* const out[3])
{
    (void)view;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        for (int e = kernel->linkStart[i]; e < kernel->linkStart[i + 1]; ++e)
        {
            LinkVisit visit = VisitOf(kernel, e);
            bool tie = visit.link->restLength == 0.0;
            rslVec3 n = tie ? (rslVec3){ 0 } : rslNormalize(visit.view->d);
            double k = damping ? visit.link->damping : Stiff(kernel, visit.link);
            double t = damping ? 0.0 : Across(kernel, visit);
            rslVec3 q = { 0 };
            for (int j = 0; j < visit.link->nodeCount; ++j)
            {
                int node = visit.link->nodes[j];
                const rslMat3* turn = &kernel->frames[rslModel_BodyOf(kernel->model, node)].rotation;
                q = rslMulAdd(q, visit.link->weights[j], rslMatVec(turn, VectorAt(p, node)));
            }
            rslVec3 world = rslScale(visit.link->weights[visit.place], Apply(n, k, tie ? k : t, q));
            rslVec3 local = rslMatTVec(&kernel->frames[chunk->body].rotation, world);
            out[0][i] += (Real)local.x;
            out[1][i] += (Real)local.y;
            out[2][i] += (Real)local.z;
        }
    }
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    Product(kernel, view, chunk, false, p, out);
}

static void Damping(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    Product(kernel, view, chunk, true, p, out);
}

static void Diagonal(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    (void)view;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        for (int e = kernel->linkStart[i]; e < kernel->linkStart[i + 1]; ++e)
        {
            LinkVisit visit = VisitOf(kernel, e);
            bool tie = visit.link->restLength == 0.0;
            rslVec3 n = tie ? (rslVec3){ 0 } : rslNormalize(visit.view->d);
            n = rslMatTVec(&kernel->frames[chunk->body].rotation, n);
            double w = visit.link->weights[visit.place], k = Stiff(kernel, visit.link);
            double t = tie ? k : Across(kernel, visit);
            double nn[6] = { n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z };
            for (int c = 0; c < 6; ++c)
            {
                blocks[i - chunk->begin][c] += w * w * ((k - t) * nn[c] + (c < 3 ? t : 0.0));
            }
        }
    }
}

static bool Present(const Kernel* kernel)
{
    return kernel->linkStart != NULL;
}

const Term RSL_NAME(rslLinkTerm) = {
    .name = "links",
    .hasEnergy = true,
    .symmetric = true,
    .withDampers = true,
    .present = Present,
    .prepare = Prepare,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
    .diagonal = Diagonal,
};
