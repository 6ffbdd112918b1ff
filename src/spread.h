// SPDX-License-Identifier: MIT
//
// spread.h: how springs share what they feel, by the variant of dispersion (force_dispersion.c).

#pragma once

#include "resilin/model.h"

// Weights of a spring of rest length L: on its way in, on its way out, and in the sum S that the mean is taken over.
typedef struct rslSpread
{
    double in, out, norm;
} rslSpread;

static inline rslSpread rslSpread_Of(rslDispersionVariant variant, double L)
{
    switch (variant)
    {
        case rsl_cheapDispersion: return (rslSpread){ 1.0, 1.0, 1.0 };
        case rsl_publishedDispersion: return (rslSpread){ 1.0 / L, L, 1.0 };
        case rsl_transposedDispersion: return (rslSpread){ L, 1.0 / L, 1.0 };
        default: return (rslSpread){ L, L, L * L };
    }
}

static inline bool rslBody_Disperses(const rslBody* body)
{
    return body->dispersion.q != 0.0 || body->dispersion.nodeQ != NULL;
}

// Does a step leave something to the next one besides places and velocities?
static inline bool rslModel_Lags(const rslModel* model)
{
    bool lags = false;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        lags = lags || (model->bodies[b].dispersion.lag && rslBody_Disperses(&model->bodies[b]));
    }
    return lags;
}

// q of a node, by its global index; without the scale.
static inline double rslBody_NodeQ(const rslBody* body, int node)
{
    return body->dispersion.nodeQ != NULL ? body->dispersion.nodeQ[node - body->firstNode] : body->dispersion.q;
}
