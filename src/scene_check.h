// SPDX-License-Identifier: MIT
//
// scene_check.h: what the reader of a scene and the validation of one made in code share: messages that name their key,
// the ranges of the table, and the checks across keys.

#pragma once

#include "scene_schema.h"

#include "resilin/tree.h"

// Where in the scene a walk is, for messages about things without a place in a file.
typedef struct rslTrail
{
    rslReport* report;
    bool errorsOnly;  // leave warnings to a later pass
    bool brief;       // a bare scalar is being read: name its parent instead of the key
    int errors;       // counted here, since the report may be NULL
    size_t length;
    char path[200];  // "bodies.0.material"
} rslTrail;

// Go down to a key (index -1) or to an entry of its list; returns the length to give back to Pop.
size_t rslTrail_Push(rslTrail* trail, const char* key, int index);
void rslTrail_Pop(rslTrail* trail, size_t length);

// Add "key: message", or "path.key: message" when there is no place. key may be NULL.
void rslTrail_Error(rslTrail* trail, rslPlace place, const char* key, const char* format, ...) RSL_PRINTF(4, 5);
void rslTrail_Warn(rslTrail* trail, rslPlace place, const char* key, const char* format, ...) RSL_PRINTF(4, 5);

// Whether a number is finite and in the key's range; an error otherwise.
bool rslTrail_CheckNumber(rslTrail* trail, rslPlace place, const rslKey* key, double value);
bool rslTrail_CheckVector(rslTrail* trail, rslPlace place, const rslKey* key, rslVec3 value);  // its length alone
bool rslTrail_CheckCount(rslTrail* trail, rslPlace place, const rslKey* key, int count);
bool rslTrail_CheckName(rslTrail* trail, rslPlace place, const rslKey* key, const char* name);

// Remembers which tree node each key came from, so that a check across keys can point at it.
typedef struct rslOrigin
{
    const void* field;
    const rslKey* key;
    int node;
} rslOrigin;

typedef struct rslOrigins
{
    const rslTree* tree;
    rslHooks hooks;
    rslOrigin* items;
    size_t count, capacity;
} rslOrigins;

// Make the origins ready to be asked.
void rslOrigins_Sort(rslOrigins* origins);

// The tree node that a key of an owner came from; -1 when it was not given. origins may be NULL.
int rslOrigins_Node(const rslOrigins* origins, const rslStruct* def, const char* key, const void* owner);

// The place of a key's value, or of its index-th entry (-1: the whole); fallback when unknown. origins may be NULL.
rslPlace rslOrigins_Place(const rslOrigins* origins, const rslStruct* def, const char* key, const void* owner,
                          int index, rslPlace fallback);

// Checks across keys: names, references, counts, contradictions. origins is NULL for a scene that was not just read.
// False when out of memory.
bool rslScene_CheckAcross(const rslScene* scene, const rslOrigins* origins, rslTrail* trail);
