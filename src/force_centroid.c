// SPDX-License-Identifier: MIT
//
// force_centroid.c: springs from the corners of triangles and tetrahedra to their mean, which Cooper & Maddock 1999 compare with
// edge repulsion. With n corners P_i, their mean G, d_i = P_i - G and l_i = |d_i| at rest:
//
//   W = sum_i k/2 (|d_i| - l_i)^2,    G moves with the corners
//   force on P_i = -(T_i - mean of T_j),    T_i = k (|d_i| - l_i) d_i / |d_i|
//   (K p)_i = M_i q_i - mean of M_j q_j,    q = p - mean of p,  M_i = k n n^T + k (1 - l_i / |d_i|) (I - n n^T)
//
// since d d_i / d P_j = (delta_ij - 1/n) I. The n forces sum up to zero, and so do their moments, because the T_i are along the d_i,
// whose sum is zero. Each is finite however flat the triangle: nothing here prevents collapse.
// Every node asks the elements it is a corner of.

#include "bond.h"
#include "lists.h"
#include "repulsion.h"
#include "term.h"

#include <limits.h>

typedef struct Star
{
    int nodes[RSL_PIECE_NODES];
    Real d0[RSL_PIECE_NODES][3];  // d_i at rest [m]
    Real length[RSL_PIECE_NODES];
    Real stiffness[RSL_PIECE_NODES];  // k [N/m]
    int corners;                      // n
} Star;

struct CentroidKernel
{
    Star* stars;
    int* start;  // of every node, into items; with one more at the end
    int* items;  // star times RSL_PIECE_NODES plus corner
};

// ---- making them ----------------------------------------------------------------------------------------------------

static int CountStars(const rslModel* model)
{
    int count = 0;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslRepulsion* repulsion = &model->bodies[b].repulsion;
        bool here = repulsion->law == rsl_centroidRepulsion;
        count += here ? repulsion->count : 0;
    }
    return count;
}

static void FillStar(const Kernel* kernel, int body, const int* nodes, Star* star, int* keys)
{
    rslVec3 x[RSL_PIECE_NODES], mean = { 0.0, 0.0, 0.0 };
    star->corners = kernel->model->bodies[body].repulsion.corners;
    for (int c = 0; c < star->corners; ++c)
    {
        keys[c] = star->nodes[c] = nodes[c];
        x[c] = RSL_NAME(rslKernel_RestOf)(kernel, body, star->nodes[c]);
        mean = rslMulAdd(mean, 1.0 / star->corners, x[c]);
    }
    for (int c = 0; c < star->corners; ++c)
    {
        rslVec3 d = rslSub(x[c], mean);
        star->d0[c][0] = (Real)d.x;
        star->d0[c][1] = (Real)d.y;
        star->d0[c][2] = (Real)d.z;
        star->length[c] = (Real)rslLength(d);
    }
    for (int c = star->corners; c < RSL_PIECE_NODES; ++c)
    {
        keys[c] = -1;
    }
}

static void FillStars(const Kernel* kernel, Star* star, int* keys)
{
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        const rslRepulsion* repulsion = &kernel->model->bodies[b].repulsion;
        int count = repulsion->law == rsl_centroidRepulsion ? repulsion->count : 0;
        for (int e = 0; e < count; ++e, ++star, keys += RSL_PIECE_NODES)
        {
            int nodes[8];
            rslRepulsion_Nodes(repulsion, e, nodes);
            for (int c = 0; c < repulsion->corners; ++c)
            {
                star->stiffness[c] = (Real)rslRepulsion_Stiffness(repulsion, e, 0, c);
            }
            FillStar(kernel, b, nodes, star, keys);
        }
    }
}

bool RSL_NAME(rslCentroid_Make)(Kernel* kernel)
{
    int count = CountStars(kernel->model);
    if (count == 0 || count > INT_MAX / RSL_PIECE_NODES)
    {
        return count == 0;
    }
    int keyCount = RSL_PIECE_NODES * count;
    CentroidKernel* made = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof *made);
    int* keys = rslAllocate(&kernel->arena.hooks, (size_t)keyCount, sizeof(int));
    bool good = made != NULL && keys != NULL;
    if (good)
    {
        made->stars = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)count, sizeof(Star));
        made->start = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->nodeCount + 1, sizeof(int));
        made->items = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)keyCount, sizeof(int));
        good = made->stars != NULL && made->start != NULL && made->items != NULL;
    }
    if (good)
    {
        FillStars(kernel, made->stars, keys);
        rslInvert(keys, keyCount, kernel->nodeCount, made->start, made->items);
        kernel->centroids = made;
    }
    rslRelease(&kernel->arena.hooks, keys);
    return good;
}

// ---- one star ---------------------------------------------------------------------------------------------------------

// Of vectors at its corners, what they are off their mean.
static void TakeOffMean(const Star* star, Real* const from[3], Real out[RSL_PIECE_NODES][3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        Real sum = 0;
        for (int c = 0; c < star->corners; ++c)
        {
            out[c][axis] = from[axis][star->nodes[c]];
            sum += out[c][axis];
        }
        for (int c = 0; c < star->corners; ++c)
        {
            out[c][axis] -= sum / (Real)star->corners;
        }
    }
}

static void MakeBonds(const Star* star, const View* view, Bond bonds[RSL_PIECE_NODES])
{
    Real du[RSL_PIECE_NODES][3] = { 0 };
    TakeOffMean(star, view->u, du);
    for (int c = 0; c < star->corners; ++c)
    {
        bonds[c] = MakeBond(star->d0[c], du[c], star->length[c], (Real)0);
    }
}

// T/L, not below zero where K has to be positive (kernel.h).
static Real Across(const Kernel* kernel, Real stiffness, const Bond* bond)
{
    Real t = stiffness * bond->elongation / bond->length;
    return kernel->relaxed && t < (Real)0 ? (Real)0 : t;
}

// Every star of a node, with its place in it.
typedef struct Visit
{
    int node, corner;
    const Star* star;
    Bond bonds[RSL_PIECE_NODES];
} Visit;

typedef void VisitFunction(const Kernel* kernel, const Visit* visit, void* context);

static void VisitStars(const Kernel* kernel, const View* view, const Chunk* chunk, VisitFunction* function,
                       void* context)
{
    const CentroidKernel* all = kernel->centroids;
    for (int node = chunk->begin; node < chunk->end; ++node)
    {
        for (int i = all->start[node]; i < all->start[node + 1]; ++i)
        {
            Visit visit = { .node = node,
                            .corner = all->items[i] % RSL_PIECE_NODES,
                            .star = &all->stars[all->items[i] / RSL_PIECE_NODES] };
            MakeBonds(visit.star, view, visit.bonds);
            function(kernel, &visit, context);
        }
    }
}

// Add w_j v_j over the corners to a node: w = 1 - 1/n of its own, -1/n of the others.
static void AddOwn(const Visit* visit, Real pulls[RSL_PIECE_NODES][3], Real sign, Real* const out[3])
{
    int n = visit->star->corners;
    for (int axis = 0; axis < 3; ++axis)
    {
        Real sum = 0;
        for (int c = 0; c < n; ++c)
        {
            sum += pulls[c][axis];
        }
        out[axis][visit->node] += sign * (pulls[visit->corner][axis] - sum / (Real)n);
    }
}

// ---- the questions ----------------------------------------------------------------------------------------------------

static void AddEnergy(const Kernel* kernel, const Visit* visit, void* context)
{
    (void)kernel;
    double stretch = (double)visit->bonds[visit->corner].elongation;
    *(double*)context += 0.5 * (double)visit->star->stiffness[visit->corner] * stretch * stretch;
}

static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    double energy = 0.0;
    VisitStars(kernel, view, chunk, AddEnergy, &energy);
    return energy;
}

static void AddForce(const Kernel* kernel, const Visit* visit, void* context)
{
    (void)kernel;
    Real pulls[RSL_PIECE_NODES][3] = { 0 };
    for (int c = 0; c < visit->star->corners; ++c)
    {
        const Bond* bond = &visit->bonds[c];
        Real g = visit->star->stiffness[c] * bond->elongation / bond->length;
        for (int axis = 0; axis < 3; ++axis)
        {
            pulls[c][axis] = g * bond->d[axis];
        }
    }
    AddOwn(visit, pulls, (Real)-1, context);
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    (void)powers;
    VisitStars(kernel, view, chunk, AddForce, kernel->force);
}

typedef struct ProductContext
{
    Real* const* p;
    Real* const* out;
} ProductContext;

static void AddProduct(const Kernel* kernel, const Visit* visit, void* context)
{
    const ProductContext* c = context;
    const Star* star = visit->star;
    Real q[RSL_PIECE_NODES][3] = { 0 };
    TakeOffMean(star, c->p, q);
    for (int i = 0; i < star->corners; ++i)
    {
        const Bond* bond = &visit->bonds[i];
        Real t = Across(kernel, star->stiffness[i], bond), square = bond->length * bond->length;
        Real along =
            (star->stiffness[i] - t) * (bond->d[0] * q[i][0] + bond->d[1] * q[i][1] + bond->d[2] * q[i][2]) / square;
        for (int axis = 0; axis < 3; ++axis)
        {
            q[i][axis] = along * bond->d[axis] + t * q[i][axis];
        }
    }
    AddOwn(visit, q, (Real)1, c->out);
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    ProductContext context = { p, out };
    VisitStars(kernel, view, chunk, AddProduct, &context);
}

typedef struct DiagonalContext
{
    Block* blocks;
    int begin;
} DiagonalContext;

// K_ii = sum over the corners of w_j^2 M_j
static void AddDiagonal(const Kernel* kernel, const Visit* visit, void* context)
{
    const DiagonalContext* c = context;
    const Star* star = visit->star;
    double part = 1.0 / star->corners;
    for (int i = 0; i < star->corners; ++i)
    {
        Block block = { 0 };
        double w = i == visit->corner ? 1.0 - part : part;
        BondBlock(&visit->bonds[i], star->stiffness[i], Across(kernel, star->stiffness[i], &visit->bonds[i]), block);
        for (int n = 0; n < 6; ++n)
        {
            c->blocks[visit->node - c->begin][n] += w * w * block[n];
        }
    }
}

// K_ij = sum over the corners c of w_ic w_jc M_c, w = 1 - 1/n of its own and -1/n of others
static void AddRow(const Kernel* kernel, const View* view, const Star* star, int i, double blocks[RSL_PIECE_NODES][9])
{
    static const int at[9] = { 0, 3, 4, 3, 1, 5, 4, 5, 2 };
    double part = 1.0 / star->corners;
    Bond bonds[RSL_PIECE_NODES];
    MakeBonds(star, view, bonds);
    for (int c = 0; c < star->corners; ++c)
    {
        Block m = { 0 };
        Real t = star->stiffness[c] * bonds[c].elongation / bonds[c].length;
        BondBlock(&bonds[c], star->stiffness[c], t < (Real)0 && !kernel->exact ? (Real)0 : t, m);
        for (int j = 0; j < star->corners; ++j)
        {
            double w = ((i == c ? 1.0 : 0.0) - part) * ((j == c ? 1.0 : 0.0) - part);
            for (int n = 0; n < 9; ++n)
            {
                blocks[j][n] += w * m[at[n]];
            }
        }
    }
}

static void Diagonal(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    DiagonalContext context = { blocks, chunk->begin };
    VisitStars(kernel, view, chunk, AddDiagonal, &context);
}

void RSL_NAME(rslCentroid_Couplings)(const Kernel* kernel, const View* view, int node,
                                     void (*visit)(void* context, int other, const double block[9]), void* context)
{
    const CentroidKernel* all = kernel->centroids;
    for (int i = all != NULL ? all->start[node] : 0; all != NULL && i < all->start[node + 1]; ++i)
    {
        const Star* star = &all->stars[all->items[i] / RSL_PIECE_NODES];
        int mine = all->items[i] % RSL_PIECE_NODES;
        double blocks[RSL_PIECE_NODES][9] = { 0 };
        if (view != NULL)
        {
            AddRow(kernel, view, star, mine, blocks);
        }
        for (int c = 0; c < star->corners; ++c)
        {
            visit(context, star->nodes[c], view != NULL ? blocks[c] : NULL);
        }
    }
}

static bool Present(const Kernel* kernel)
{
    return kernel->centroids != NULL;
}

const Term RSL_NAME(rslCentroidTerm) = {
    .name = "centroid springs",
    .hasEnergy = true,
    .symmetric = true,
    .present = Present,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .diagonal = Diagonal,
};
