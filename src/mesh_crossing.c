// SPDX-License-Identifier: MIT
//
// mesh_crossing.c: both children of a box against each other, down the tree, as long as the boxes touch.

#include "mesh_crossing.h"

#include "triangle.h"
#include "vec.h"

typedef struct Search
{
    const rslMeshTree* tree;
    const int* same;
    const bool* skip;
    int count, first;
} Search;

static bool Touch(const rslMeshBox* a, const rslMeshBox* b)
{
    for (int i = 0; i < 3; ++i)
    {
        if (a->lower[i] > b->upper[i] || b->lower[i] > a->upper[i])
        {
            return false;
        }
    }
    return true;
}

static rslTriangle Load(const Search* search, int t)
{
    rslTriangle triangle;
    for (int c = 0; c < 3; ++c)
    {
        int v = search->tree->triangles[3 * (size_t)t + (size_t)c];
        triangle.x[c] = search->tree->vertices + 3 * (size_t)v;
        triangle.corner[c] = search->same[v];
    }
    return triangle;
}

static bool BoxesTouch(const rslTriangle* a, const rslTriangle* b)
{
    for (int i = 0; i < 3; ++i)
    {
        double a0 = a->x[0][i], a1 = a->x[1][i], a2 = a->x[2][i], b0 = b->x[0][i], b1 = b->x[1][i], b2 = b->x[2][i];
        double aLow = a0 < a1 ? a0 : a1, aHigh = a0 < a1 ? a1 : a0;
        double bLow = b0 < b1 ? b0 : b1, bHigh = b0 < b1 ? b1 : b0;
        aLow = a2 < aLow ? a2 : aLow;
        aHigh = a2 > aHigh ? a2 : aHigh;
        bLow = b2 < bLow ? b2 : bLow;
        bHigh = b2 > bHigh ? b2 : bHigh;
        if (aLow > bHigh || bLow > aHigh)
        {
            return false;
        }
    }
    return true;
}

static void TestLeaves(Search* search, const rslMeshBox* a, const rslMeshBox* b)
{
    const int* order = search->tree->order;
    for (int i = a->first; i < a->first + a->count; ++i)
    {
        if (search->skip[order[i]])
        {
            continue;
        }
        rslTriangle s = Load(search, order[i]);
        for (int j = a == b ? i + 1 : b->first; j < b->first + b->count; ++j)
        {
            if (search->skip[order[j]])
            {
                continue;
            }
            rslTriangle t = Load(search, order[j]);
            if (BoxesTouch(&s, &t) && rslTriangle_Crosses(&s, &t))
            {
                int lower = order[i] < order[j] ? order[i] : order[j];
                search->count += 1;
                search->first = search->first < 0 || lower < search->first ? lower : search->first;
            }
        }
    }
}

typedef struct Pair
{
    int a, b;
} Pair;

// Each pop of a pair pushes at most four, one level deeper.
static int Descend(const rslMeshTree* tree, Pair pair, Pair* stack, int depth)
{
    const rslMeshBox *a = &tree->boxes[pair.a], *b = &tree->boxes[pair.b];
    if (pair.a == pair.b)
    {
        stack[depth++] = (Pair){ a->first, a->first };
        stack[depth++] = (Pair){ a->first + 1, a->first + 1 };
        stack[depth++] = (Pair){ a->first, a->first + 1 };
        return depth;
    }
    for (int i = 0; i < (a->count == 0 ? 2 : 1); ++i)
    {
        for (int j = 0; j < (b->count == 0 ? 2 : 1); ++j)
        {
            stack[depth++] = (Pair){ a->count == 0 ? a->first + i : pair.a, b->count == 0 ? b->first + j : pair.b };
        }
    }
    return depth;
}

int rslMesh_CountCrossings(const rslMeshTree* tree, const int* same, const bool* skip, int* first)
{
    Search search = { tree, same, skip, 0, -1 };
    Pair stack[4 * RSL_MESH_TREE_DEPTH];
    int depth = 0;
    stack[depth++] = (Pair){ 0, 0 };
    while (depth > 0 && search.count < RSL_CROSSINGS_MOST)
    {
        Pair pair = stack[--depth];
        const rslMeshBox *a = &tree->boxes[pair.a], *b = &tree->boxes[pair.b];
        if (!Touch(a, b))
        {
            continue;
        }
        if (a->count > 0 && b->count > 0)
        {
            TestLeaves(&search, a, b);
        }
        else
        {
            depth = Descend(tree, pair, stack, depth);
        }
    }
    *first = search.first;
    return search.count;
}
