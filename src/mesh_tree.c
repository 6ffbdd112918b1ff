// SPDX-License-Identifier: MIT
//
// mesh_tree.c: building the tree of boxes, and the questions to it.

#include "mesh_tree.h"

#include "halve.h"
#include "memory.h"
#include "predicate.h"
#include "vec.h"

#include <string.h>

// ---- building -------------------------------------------------------------------------------------------------------

static const double* Corner(const rslMeshTree* tree, int triangle, int corner)
{
    return tree->vertices + 3 * (size_t)tree->triangles[3 * (size_t)triangle + (size_t)corner];
}

static void Enclose(const rslMeshTree* tree, rslMeshBox* box, int first, int count)
{
    for (int i = 0; i < 3; ++i)
    {
        box->lower[i] = INFINITY;
        box->upper[i] = -INFINITY;
    }
    for (int k = first; k < first + count; ++k)
    {
        for (int c = 0; c < 3; ++c)
        {
            const double* x = Corner(tree, tree->order[k], c);
            for (int i = 0; i < 3; ++i)
            {
                box->lower[i] = x[i] < box->lower[i] ? x[i] : box->lower[i];
                box->upper[i] = x[i] > box->upper[i] ? x[i] : box->upper[i];
            }
        }
    }
}

static int LongestAxis(const rslMeshBox* box)
{
    int axis = 0;
    for (int i = 1; i < 3; ++i)
    {
        axis = box->upper[i] - box->lower[i] > box->upper[axis] - box->lower[axis] ? i : axis;
    }
    return axis;
}

// Order by the middle of each triangle's extent and halve until RSL_MESH_LEAF triangles are left. Children are made in pairs, so
// a loop over the boxes visits each once.
static void Divide(rslMeshTree* tree, const double* middles)
{
    tree->boxes[0].first = 0;
    tree->boxes[0].count = tree->triangleCount;
    tree->boxCount = 1;
    for (int b = 0; b < tree->boxCount; ++b)
    {
        rslMeshBox* box = &tree->boxes[b];
        Enclose(tree, box, box->first, box->count);
        if (box->count <= RSL_MESH_LEAF)
        {
            continue;
        }
        int first = box->first, count = box->count, left = count / 2;
        rslHalve(tree->order + first, count, middles, LongestAxis(box));
        box->first = tree->boxCount;
        box->count = 0;
        tree->boxes[tree->boxCount++] = (rslMeshBox){ .first = first, .count = left };
        tree->boxes[tree->boxCount++] = (rslMeshBox){ .first = first + left, .count = count - left };
    }
}

static double* Middles(const rslMeshTree* tree)
{
    double* middles = rslAllocate(&tree->hooks, (size_t)tree->triangleCount, 3 * sizeof(double));
    for (int t = 0; middles != NULL && t < tree->triangleCount; ++t)
    {
        const double *a = Corner(tree, t, 0), *b = Corner(tree, t, 1), *c = Corner(tree, t, 2);
        for (int i = 0; i < 3; ++i)
        {
            double low = fmin(a[i], fmin(b[i], c[i])), high = fmax(a[i], fmax(b[i], c[i]));
            middles[3 * (size_t)t + (size_t)i] = 0.5 * low + 0.5 * high;
        }
    }
    return middles;
}

rslStatus rslMeshTree_Create(const double* vertices, int vertexCount, const int* triangles, int triangleCount,
                             const rslHooks* hooks, rslMeshTree** out)
{
    RSL_ASSERT(triangleCount > 0);
    rslHooks complete = rslHooks_Complete(hooks);
    *out = NULL;
    rslMeshTree* tree = rslAllocate(&complete, 1, sizeof *tree);
    if (tree == NULL)
    {
        return rsl_outOfMemory;
    }
    size_t v = (size_t)vertexCount, t = (size_t)triangleCount;
    *tree = (rslMeshTree){ .hooks = complete, .vertexCount = vertexCount, .triangleCount = triangleCount };
    tree->vertices = rslAllocate(&complete, v, 3 * sizeof(double));
    tree->triangles = rslAllocate(&complete, t, 3 * sizeof(int));
    tree->order = rslAllocate(&complete, t, sizeof(int));
    tree->boxes = rslAllocate(&complete, t, sizeof(rslMeshBox));
    double* middles = NULL;
    if (tree->vertices && tree->triangles && tree->order && tree->boxes)
    {
        memcpy(tree->vertices, vertices, v * 3 * sizeof(double));
        memcpy(tree->triangles, triangles, t * 3 * sizeof(int));
        middles = Middles(tree);
    }
    if (middles == NULL)
    {
        rslMeshTree_Free(tree);
        return rsl_outOfMemory;
    }
    for (int k = 0; k < triangleCount; ++k)
    {
        tree->order[k] = k;
    }
    Divide(tree, middles);
    rslRelease(&complete, middles);
    *out = tree;
    return rsl_ok;
}

void rslMeshTree_Free(rslMeshTree* tree)
{
    if (tree == NULL)
    {
        return;
    }
    rslHooks hooks = tree->hooks;
    rslRelease(&hooks, tree->vertices);
    rslRelease(&hooks, tree->triangles);
    rslRelease(&hooks, tree->order);
    rslRelease(&hooks, tree->boxes);
    rslRelease(&hooks, tree);
}

// ---- inside ---------------------------------------------------------------------------------------------------------

// A ray goes up from p. To never meet an edge or a vertex, it starts at p + (e1, e2, e3) with infinitely small
// e3 >> e1 >> e2 > 0. Seen from above, the line y = p.y + e2 crosses an edge when its ends compare differently with
// p.y, so it crosses two edges of a triangle or none. An edge that goes up in y passes on the right when p is strictly
// left of it; a point exactly on it has been moved to its right by e1. The triangle covers p when exactly one of the two
// passes on the right. Both triangles of an edge come to the same answer about it, so nothing leaks between them.
static bool PassesRight(const double* a, const double* b, rslVec3 p)
{
    const double* low = a[1] <= p.y ? a : b;
    const double* high = a[1] <= p.y ? b : a;
    if (low[0] > p.x && high[0] > p.x)
    {
        return true;
    }
    if (low[0] < p.x && high[0] < p.x)
    {
        return false;
    }
    return rslOrient2(low[0], low[1], high[0], high[1], p.x, p.y) > 0;
}

static bool Covers(const double* a, const double* b, const double* c, rslVec3 p)
{
    bool above[3] = { a[1] > p.y, b[1] > p.y, c[1] > p.y };
    bool covers = false;
    if (above[0] != above[1])
        covers ^= PassesRight(a, b, p);
    if (above[1] != above[2])
        covers ^= PassesRight(b, c, p);
    if (above[2] != above[0])
        covers ^= PassesRight(c, a, p);
    return covers;
}

// Strictly above: a point on the triangle has been moved up by e3.
static bool LiesAbove(const double* a, const double* b, const double* c, rslVec3 p)
{
    if (a[2] > p.z && b[2] > p.z && c[2] > p.z)
    {
        return true;
    }
    if (a[2] <= p.z && b[2] <= p.z && c[2] <= p.z)
    {
        return false;
    }
    const double x[3] = { p.x, p.y, p.z };
    return rslOrient3(a, b, c, x) * rslOrient2(a[0], a[1], b[0], b[1], c[0], c[1]) > 0;
}

static bool MayHit(const rslMeshBox* box, rslVec3 p)
{
    return box->lower[0] <= p.x && p.x <= box->upper[0] && box->lower[1] <= p.y && p.y <= box->upper[1] &&
           p.z <= box->upper[2];
}

int rslMeshTree_CountAbove(const rslMeshTree* tree, rslVec3 p, const int* labels, int skip)
{
    int stack[RSL_MESH_TREE_DEPTH], depth = 0, count = 0;
    if (MayHit(&tree->boxes[0], p))
    {
        stack[depth++] = 0;
    }
    while (depth > 0)
    {
        const rslMeshBox* box = &tree->boxes[stack[--depth]];
        for (int k = box->first; k < box->first + box->count; ++k)
        {
            int t = tree->order[k];
            if (labels != NULL && labels[t] == skip)
            {
                continue;
            }
            const double *a = Corner(tree, t, 0), *b = Corner(tree, t, 1), *c = Corner(tree, t, 2);
            count += Covers(a, b, c, p) && LiesAbove(a, b, c, p);
        }
        for (int child = 0; box->count == 0 && child < 2; ++child)
        {
            if (MayHit(&tree->boxes[box->first + child], p))
            {
                stack[depth++] = box->first + child;
            }
        }
    }
    return count;
}

bool rslMeshTree_Contains(const rslMeshTree* tree, rslVec3 point)
{
    return (rslMeshTree_CountAbove(tree, point, NULL, 0) & 1) != 0;
}

// ---- distance -------------------------------------------------------------------------------------------------------

static double SegmentSquared(rslVec3 a, rslVec3 b, rslVec3 p)
{
    rslVec3 ab = rslSub(b, a), ap = rslSub(p, a);
    double length = rslDot(ab, ab);
    double t = length > 0.0 ? rslDot(ap, ab) / length : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    rslVec3 d = rslMulAdd(ap, -t, ab);
    return rslDot(d, d);
}

// Inside the prism over the triangle it is the distance to the plane, else to the nearest edge.
static double TriangleSquared(rslVec3 a, rslVec3 b, rslVec3 c, rslVec3 p)
{
    rslVec3 ab = rslSub(b, a), bc = rslSub(c, b), ca = rslSub(a, c);
    rslVec3 n = rslCross(ab, rslSub(c, a));
    double nn = rslDot(n, n);
    if (nn > 0.0 && rslDot(rslCross(n, ab), rslSub(p, a)) >= 0.0 && rslDot(rslCross(n, bc), rslSub(p, b)) >= 0.0 &&
        rslDot(rslCross(n, ca), rslSub(p, c)) >= 0.0)
    {
        double along = rslDot(n, rslSub(p, a));
        return along * along / nn;
    }
    return fmin(SegmentSquared(a, b, p), fmin(SegmentSquared(b, c, p), SegmentSquared(c, a, p)));
}

static double BoxSquared(const rslMeshBox* box, rslVec3 p)
{
    const double x[3] = { p.x, p.y, p.z };
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double d = x[i] < box->lower[i] ? box->lower[i] - x[i] : x[i] > box->upper[i] ? x[i] - box->upper[i] : 0.0;
        sum += d * d;
    }
    return sum;
}

static rslVec3 CornerVec(const rslMeshTree* tree, int triangle, int corner)
{
    const double* x = Corner(tree, triangle, corner);
    return (rslVec3){ x[0], x[1], x[2] };
}

typedef struct Nearest
{
    int triangle;
    double squared;
} Nearest;

static void TryLeaf(const rslMeshTree* tree, const rslMeshBox* box, rslVec3 p, Nearest* best)
{
    for (int k = box->first; k < box->first + box->count; ++k)
    {
        int t = tree->order[k];
        double squared = TriangleSquared(CornerVec(tree, t, 0), CornerVec(tree, t, 1), CornerVec(tree, t, 2), p);
        *best = squared < best->squared ? (Nearest){ t, squared } : *best;
    }
}

// The nearest triangle closer than the square says.
static Nearest FindNearest(const rslMeshTree* tree, rslVec3 p, double squared)
{
    struct
    {
        int box;
        double squared;
    } stack[RSL_MESH_TREE_DEPTH];
    int depth = 0;
    Nearest best = { -1, squared };
    stack[depth].box = 0;
    stack[depth++].squared = BoxSquared(&tree->boxes[0], p);
    while (depth > 0)
    {
        --depth;
        if (stack[depth].squared >= best.squared)
        {
            continue;
        }
        const rslMeshBox* box = &tree->boxes[stack[depth].box];
        if (box->count > 0)
        {
            TryLeaf(tree, box, p, &best);
            continue;
        }
        // the nearer child is taken first
        double d[2] = { BoxSquared(&tree->boxes[box->first], p), BoxSquared(&tree->boxes[box->first + 1], p) };
        int near = d[1] < d[0];
        for (int i = 0; i < 2; ++i)
        {
            int child = i == 0 ? 1 - near : near;
            stack[depth].box = box->first + child;
            stack[depth++].squared = d[child];
        }
    }
    return best;
}

double rslMeshTree_Nearest(const rslMeshTree* tree, rslVec3 p)
{
    return sqrt(FindNearest(tree, p, INFINITY).squared);
}

int rslMeshTree_NearestTriangle(const rslMeshTree* tree, rslVec3 p, double within)
{
    return FindNearest(tree, p, within * within).triangle;
}

double rslMeshTree_Distance(const rslMeshTree* tree, rslVec3 point)
{
    double distance = rslMeshTree_Nearest(tree, point);
    return rslMeshTree_Contains(tree, point) ? -distance : distance;
}

void rslMeshBox_WalkLeaves(const rslMeshBox* boxes, const rslMeshBox* around, rslMeshLeafVisitor* visit, void* context)
{
    int stack[RSL_MESH_TREE_DEPTH], depth = 0;
    stack[depth++] = 0;
    while (depth > 0)
    {
        const rslMeshBox* box = &boxes[stack[--depth]];
        if (!rslMeshBox_Overlaps(box, around, 0.0))
        {
            continue;
        }
        if (box->count > 0)
        {
            visit(box, context);
            continue;
        }
        stack[depth++] = box->first + 1;
        stack[depth++] = box->first;
    }
}

typedef struct Walk
{
    const int* order;
    rslMeshVisitor* visit;
    void* context;
} Walk;

static void VisitLeaf(const rslMeshBox* leaf, void* context)
{
    const Walk* walk = context;
    for (int k = leaf->first; k < leaf->first + leaf->count; ++k)
    {
        walk->visit(walk->order[k], walk->context);
    }
}

void rslMeshBox_Walk(const rslMeshBox* boxes, const int* order, const rslMeshBox* around, rslMeshVisitor* visit,
                     void* context)
{
    rslMeshBox_WalkLeaves(boxes, around, VisitLeaf, &(Walk){ order, visit, context });
}
