// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// tree.h: a parsed file as a tree of nodes with places, before it has a meaning.
//
// The YAML reader of the native build and the one of the page both make this tree, so that every error of meaning
// comes from one validator (scene_read.c). Nodes lie in one flat array; node 0 is the root.

#pragma once

#include "resilin/scene.h"

#ifdef __cplusplus
extern "C"
{
#endif

    typedef enum rslTreeKind
    {
        rsl_scalarNode,
        rsl_listNode,
        rsl_mapNode,
    } rslTreeKind;

    enum
    {
        RSL_TREE_DEPTH = 32,  // deepest nesting that is read
    };

    // One node. A map's children alternate key, value.
    typedef struct rslTreeNode
    {
        rslTreeKind kind;
        bool quoted;  // a scalar in quotes is never a number, a bool or auto
        rslPlace place;
        const char* text;  // of a scalar, zero-terminated; NULL otherwise
        int firstChild;    // index, -1 when there is none
        int lastChild;     // index, -1 when there is none
        int nextSibling;   // index, -1 at the end
    } rslTreeNode;

    typedef struct rslTree
    {
        rslTreeNode* nodes;
        int count;
        size_t capacity;
        struct rslArena* arena;  // owns the texts
    } rslTree;

    // An empty tree; free with rslTree_Free. Its arena is NULL when out of memory.
    RSL_API rslTree rslTree_Make(const rslHooks* hooks);
    RSL_API void rslTree_Free(rslTree* tree);

    // Append a node as the last child of parent (-1 for the root, once). The text is copied. Returns the index, or -1
    // when out of memory.
    RSL_API int rslTree_Add(rslTree* tree, int parent, rslTreeKind kind, const char* text, size_t length, bool quoted,
                            rslPlace place);

    // Change or add one value by path, as --set does: "bodies.rabbit.material.young" or "bodies.0.material.young",
    // list entries by index from 0 or by their name; "body" stands for the only body. The value is a scalar or a flow
    // list such as [0, 0, 1]. Missing maps on the way are made.
    RSL_API rslStatus rslTree_Set(rslTree* tree, const char* path, const char* value, rslReport* report);

    // Give the tree its meaning. All problems are reported, not only the first. On success free with rslScene_Free.
    RSL_API rslStatus rslScene_FromTree(const rslTree* tree, const rslHooks* hooks, rslScene* scene, rslReport* report);

    // A model as one text: its type, then behind colons words of its other keys or key=value: "fem", "dispersion:cheap",
    // "fem:trilinear:neo-hookean". - is as good as _ in words.
    RSL_API rslStatus rslModelDef_Read(const char* text, const rslHooks* hooks, rslModelDef* model, rslReport* report);

    // What the reader accepts, from the same table that it reads by: a JSON Schema, or docs/scene.md's reference.
    // Return the length of the whole text as snprintf does.
    RSL_API size_t rslSchema_Json(char* buffer, size_t capacity);
    RSL_API size_t rslSchema_Markdown(char* buffer, size_t capacity);

#ifdef __cplusplus
}
#endif
