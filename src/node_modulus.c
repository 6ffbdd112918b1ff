// SPDX-License-Identifier: MIT
//
// node_modulus.c: how much nodes and springs contribute to the bulk modulus of a body, at rest.
//
// A uniform strain e lengthens every spring by e L: W = e^2/2 sum k L^2 = 9/2 K e^2 V, so K V = sum k L^2 / 9 (Kot 2.23) and
// a spring adds k L^2 / 9 (Kot 2.30). A node has half of each of its springs: K = sum k L^2 / (18 V_node). That is Kot's
// 2.29, 2/9 s <k> R^2 with s half-springs in a unit of volume and R = <L>/2, with <k L^2> for <k> <L>^2 and the node's own
// volume for the mean one: so the mean over all nodes is the sum over all springs.
// The modulus of a sheet is that of its area, K = E / (2 (1 - nu)) in plane stress: W = 2 K e^2 V, so k L^2 / 4.

// With dispersion both ends of a spring add their q to that: T = k e L (1 + q_a + q_b); in the cheap variant for their mean.

#include "resilin/field.h"

#include "build.h"
#include "spread.h"

double rslModel_SpringModulus(const rslModel* model, int body, const rslSpring* spring)
{
    double square = spring->stiffness * spring->restLength * spring->restLength;
    const rslBody* of = &model->bodies[body];
    double both = 1.0 + rslBody_NodeQ(of, spring->a) + rslBody_NodeQ(of, spring->b);
    return both * square / (of->thickness > 0.0 ? 4.0 : 9.0);
}

typedef struct Sums
{
    const rslModel* model;
    int body;
    double* modulus;
} Sums;

static bool AddSpring(const rslSpring* spring, void* context)
{
    const Sums* sums = context;
    double half = 0.5 * rslModel_SpringModulus(sums->model, sums->body, spring);
    sums->modulus[spring->a] += half;
    sums->modulus[spring->b] += half;
    return true;
}

// Elements: K times the share of each corner in the volume.
static void AddElements(const rslBody* body, double* modulus)
{
    const rslElements* set = &body->elements;
    int corners = rslElements_Corners(set);
    for (int e = 0; e < set->count; ++e)
    {
        double all = body->bulk * rslElements_Volume(body, e);
        for (int c = 0; c < corners; ++c)
        {
            modulus[set->nodes[(size_t)corners * (size_t)e + (size_t)c]] += all * rslElements_Share(body, e, c);
        }
    }
}

void rslModel_NodeModulus(const rslModel* model, double* modulus)
{
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            modulus[i] = 0.0;
        }
        rslModel_VisitSprings(model, b, AddSpring, &(Sums){ model, b, modulus });
        AddElements(body, modulus);
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            double volume = rslModel_NodeVolume(model, body, i);
            modulus[i] = volume > 0.0 ? modulus[i] / volume : 0.0;
        }
    }
}
