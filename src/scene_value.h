// SPDX-License-Identifier: MIT
//
// scene_value.h: reading one value of a scene: numbers, words, vectors and lists of them.

#pragma once

#include "scene_check.h"

typedef struct rslReader
{
    const rslTree* tree;
    struct rslArena* arena;  // of the scene
    rslTrail trail;
    rslOrigins origins;
    rslSpace plane;  // known once the top of the scene has been read
    int depth;
    bool outOfMemory;
} rslReader;

// Read the value of a key that is not a struct into its owner. Problems go to the trail.
void rslReader_Value(rslReader* reader, const rslKey* key, int node, void* owner);

// Read a struct, with all that is in it (scene_read.c).
void rslReader_Struct(rslReader* reader, const rslStruct* def, int node, void* out);

// Whether the node is a list of a good length; its length.
bool rslReader_ListOf(rslReader* reader, const rslKey* key, int node, int* count);

void rslReader_StoreList(const rslKey* key, void* owner, const void* items, int count);
void rslReader_Remember(rslReader* reader, const rslKey* key, int node, const void* owner);
void* rslReader_Allocate(rslReader* reader, size_t count, size_t size);  // NULL: outOfMemory is set

// "'10 kPa'", "a list", "nothing": what stands at a node.
void rslReader_Found(const rslTree* tree, int node, char* buffer, size_t capacity);
