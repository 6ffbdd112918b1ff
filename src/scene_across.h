// SPDX-License-Identifier: MIT
//
// scene_across.h: what scene_across.c, scene_body.c and scene_body_model.c share.

#pragma once

#include "scene_check.h"

typedef struct rslNamed
{
    const char* name;
    int index;
} rslNamed;

typedef struct rslAcross
{
    const rslScene* scene;
    const rslOrigins* origins;  // NULL for a scene that was not just read
    rslTrail* trail;
    rslHooks hooks;
    rslNamed* names;  // of the bodies, sorted
    int nameCount;
} rslAcross;

rslPlace rslAcross_Place(const rslAcross* across, const char* structName, const char* key, const void* owner, int index,
                         rslPlace fallback);

// Whether the reader has seen the key, well or wrong; false for a scene that was not just read.
bool rslAcross_WasGiven(const rslAcross* across, const char* structName, const char* key, const void* owner);
const rslBodyDef* rslAcross_FindBody(const rslAcross* across, const char* name);
void rslAcross_CheckNodes(rslAcross* across, const rslNodeSetDef* set, const char* key);
void rslAcross_CheckTimes(rslAcross* across, const char* structName, const char* key, const void* owner,
                          rslPlace fallback, const double* rows, int count, int width);

// A body with its shape, network and material. False when out of memory.
bool rslAcross_CheckBody(rslAcross* across, const rslBodyDef* body);

// The lists of an explicit network. False when out of memory.
bool rslAcross_CheckExplicit(rslAcross* across, const rslNetworkDef* network);

// Node indices of cells, width each; says the first that is wrong.
bool rslAcross_CheckCorners(rslAcross* across, const rslNetworkDef* network, const char* key, const int* cells,
                            int count, int width);

// Whether its network can have its volume kept.
void rslAcross_CheckVolume(rslAcross* across, const rslBodyDef* body);

// Whether its network and material can have its model.
void rslAcross_CheckModel(rslAcross* across, const rslBodyDef* body);
