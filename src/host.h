// SPDX-License-Identifier: MIT
//
// host.h: a body that carries points: every point in its frame as a weighted mean of its nodes.

#pragma once

#include "resilin/model.h"
#include "embed.h"

typedef struct rslHost
{
    const rslBody* body;
    double* rest;         // scratch; NULL for corner lattices, which know their cells
    rslNearest* nearest;  // likewise
    rslHooks hooks;
} rslHost;

// Free with rslHost_Free, also when it fails.
rslStatus rslHost_Make(rslHost* host, const rslBody* body, const rslHooks* hooks);
void rslHost_Free(rslHost* host);

// Global nodes and weights of a point given in the body frame. Weights sum to 1; unused entries have weight 0.
rslStatus rslHost_Embed(const rslHost* host, rslVec3 X, int nodes[RSL_STENCIL_MOST], double weights[RSL_STENCIL_MOST]);
