// SPDX-License-Identifier: MIT
//
// tree.c: a parsed file as a tree of nodes. See tree.h; rslTree_Set stands in tree_set.c.

#include "resilin/tree.h"

#include "memory.h"

#include <limits.h>

rslTree rslTree_Make(const rslHooks* hooks)
{
    rslHooks complete = rslHooks_Complete(hooks);
    rslTree tree = { .arena = rslAllocate(&complete, 1, sizeof(rslArena)) };
    if (tree.arena != NULL)
    {
        *tree.arena = rslArena_Make(&complete);
    }
    return tree;
}

void rslTree_Free(rslTree* tree)
{
    if (tree == NULL || tree->arena == NULL)
    {
        return;
    }
    rslHooks hooks = tree->arena->hooks;
    rslRelease(&hooks, tree->nodes);
    rslArena_Free(tree->arena);
    rslRelease(&hooks, tree->arena);
    *tree = (rslTree){ 0 };
}

int rslTree_Add(rslTree* tree, int parent, rslTreeKind kind, const char* text, size_t length, bool quoted,
                rslPlace place)
{
    RSL_ASSERT(parent < tree->count && (parent >= 0 || tree->count == 0));
    if (tree->arena == NULL || tree->count == INT_MAX)
    {
        return -1;
    }
    const char* copy = NULL;
    if (kind == rsl_scalarNode)
    {
        copy = rslArena_Copy(tree->arena, text != NULL ? text : "", text != NULL ? length : 0);
    }
    void* nodes = tree->nodes;
    if ((kind == rsl_scalarNode && copy == NULL) ||
        !rslGrow(&tree->arena->hooks, &nodes, (size_t)tree->count, &tree->capacity, sizeof(rslTreeNode)))
    {
        return -1;
    }
    tree->nodes = nodes;
    int index = tree->count++;
    tree->nodes[index] = (rslTreeNode){
        .kind = kind,
        .quoted = quoted,
        .place = place,
        .text = copy,
        .firstChild = -1,
        .lastChild = -1,
        .nextSibling = -1,
    };
    if (parent >= 0)
    {
        rslTreeNode* above = &tree->nodes[parent];
        if (above->lastChild >= 0)
        {
            tree->nodes[above->lastChild].nextSibling = index;
        }
        else
        {
            above->firstChild = index;
        }
        above->lastChild = index;
    }
    return index;
}
