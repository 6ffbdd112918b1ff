// SPDX-License-Identifier: MIT
//
// split_colours.c: see split_colours.h. Nodes are joined edge by edge into trees that know of every node whether its colour is that
// of the one above it.

#include "split_colours.h"

#include "memory.h"

typedef struct Trees
{
    int* above;       // -1: a root
    uint8_t* unlike;  // the one above
} Trees;

// The root of a node, which gets it right above; *unlike: their colours.
static int Climb(const Trees* trees, int node, uint8_t* unlike)
{
    int root = node;
    uint8_t all = 0;
    while (trees->above[root] >= 0)
    {
        all ^= trees->unlike[root];
        root = trees->above[root];
    }
    *unlike = all;
    while (node != root)
    {
        int next = trees->above[node];
        uint8_t rest = all ^ trees->unlike[node];
        trees->above[node] = root;
        trees->unlike[node] = all;
        all = rest;
        node = next;
    }
    return root;
}

// False when the ends of an edge are known to have one colour.
static bool Join(const Trees* trees, int a, int b)
{
    uint8_t ofA, ofB;
    int rootA = Climb(trees, a, &ofA), rootB = Climb(trees, b, &ofB);
    if (rootA != rootB)
    {
        // the lower one stays a root, so that it does not matter in which order edges come
        int low = rootA < rootB ? rootA : rootB, high = rootA < rootB ? rootB : rootA;
        trees->above[high] = low;
        trees->unlike[high] = ofA ^ ofB ^ 1;
        return true;
    }
    return ofA != ofB;
}

bool rslSplit_Colour(const rslHooks* hooks, const int* hexahedra, int count, int first, int nodeCount, uint8_t* colours,
                     bool* found)
{
    Trees trees = { .above = rslAllocate(hooks, (size_t)nodeCount, sizeof(int)),
                    .unlike = rslAllocate(hooks, (size_t)nodeCount, 1) };
    bool made = trees.above != NULL && trees.unlike != NULL;
    for (int i = 0; made && i < nodeCount; ++i)
    {
        trees.above[i] = -1;
        trees.unlike[i] = 0;
    }
    *found = made;
    for (int e = 0; *found && e < 8 * count; ++e)
    {
        for (int bit = 1; *found && bit < 8; bit *= 2)
        {
            bool lower = (e % 8 & bit) == 0;
            *found = !lower || Join(&trees, hexahedra[e] - first, hexahedra[e + bit] - first);
        }
    }
    for (int i = 0; *found && i < nodeCount; ++i)
    {
        Climb(&trees, i, &colours[i]);
    }
    rslRelease(hooks, trees.above);
    rslRelease(hooks, trees.unlike);
    return made;
}
