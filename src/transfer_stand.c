// SPDX-License-Identifier: MIT
//
// transfer_stand.c: no element of a state that comes from another level has collapsed (level.h).
//
// What is nearly crushed between the nodes of one level may be so much more between those of another one that an element is turned over: no step could
// start from there. Such a body keeps its place and how it is turned, and less of its deformation: with the turn Q that takes the shape at rest nearest to it,
//
//   y(s) = centre + Q (X - centre at rest) + s e,    e what is beyond that
//
// with s = 0.9, 0.81, ... until all elements that are guarded (guard.h) stand. Nodes that something holds stay.

#include "level.h"

#include "backend.h"
#include "fit_rotation.h"
#include "memory.h"
#include "rigid_part.h"
#include "state_internal.h"
#include "team.h"

enum
{
    TRIES = 60  // 0.9^60 is 2e-3
};

static const double less = 0.9;

typedef struct Stand
{
    const rslModel* model;
    rslState* state;
    const rslBackend* backend;
    rslTeam* team;
    void* kernel;
    rslVec3* e;      // of every node that may be moved, before it was made less
    uint8_t* bound;  // of every node: something holds it
} Stand;

static void MarkBound(Stand* stand)
{
    const rslModel* model = stand->model;
    for (int c = 0; c < model->constraintCount; ++c)
    {
        for (int i = 0; i < model->constraints[c].nodeCount; ++i)
        {
            stand->bound[model->constraints[c].nodes[i]] = 1;
        }
    }
    for (int r = 0; r < model->rigidCount; ++r)
    {
        for (int w = 0; w < model->rigids[r].weldCount; ++w)
        {
            stand->bound[model->rigids[r].welded[w]] = 1;
        }
    }
}

static rslVec3 RestOf(const rslBody* body, int node)
{
    double X[3];
    rslBody_Rest(body, node, node + 1, X);
    return (rslVec3){ X[0], X[1], X[2] };
}

// e of all nodes of a body.
static void FindBeyond(Stand* stand, const rslBody* body)
{
    const double* mass = stand->model->mass;
    rslVec3 rest = { 0 }, centre = rslRigidPart_Of(stand->model, stand->state, body).centre;
    double a[9] = { 0 }, sum = 0.0;
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        rest = rslMulAdd(rest, mass[i], RestOf(body, i));
        sum += mass[i];
    }
    rest = rslScale(1.0 / sum, rest);
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        rslVec3 x = rslSub(RestOf(body, i), rest);
        rslVec3 y = rslScale(mass[i], rslSub(rslBody_PlaceOf(body, stand->state, i), centre));
        const double p[3] = { y.x, y.y, y.z }, q[3] = { x.x, x.y, x.z };
        for (int c = 0; c < 9; ++c)
        {
            a[c] += p[c / 3] * q[c % 3];
        }
    }
    rslMat3 turn = rslQuatMatrix(rslFitRotation(a, stand->model->plane == rsl_planeXY));
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        rslVec3 whole = rslAdd(centre, rslMatVec(&turn, rslSub(RestOf(body, i), rest)));
        stand->e[i] = rslSub(rslBody_PlaceOf(body, stand->state, i), whole);
    }
}

// From what there was of e to so much of it.
static void Lessen(Stand* stand, const rslBody* body, double change)
{
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        if (stand->bound[i] == 0)
        {
            rslVec3 u = rslState_Get3(stand->state, stand->state->displacement, i);
            rslState_Put3(stand->state, stand->state->displacement, i, rslMulAdd(u, change, stand->e[i]));
        }
    }
}

static bool Stands(const Stand* stand)
{
    return stand->backend->stands(stand->kernel, stand->state);
}

// All bodies that may be are made less until all stand; then those that need not be are as they were.
static rslStatus Straighten(Stand* stand, const bool* may, double* shares)
{
    const rslBody* bodies = stand->model->bodies;
    int count = stand->model->bodyCount;
    bool stands = Stands(stand), any = !stands;
    for (int b = 0; !stands && b < count; ++b)
    {
        if (may[b])
        {
            FindBeyond(stand, &bodies[b]);
        }
    }
    double share = 1.0;
    for (int i = 0; i < TRIES && !stands; ++i)
    {
        for (int b = 0; b < count; ++b)
        {
            Lessen(stand, &bodies[b], may[b] ? (less - 1.0) * share : 0.0);
        }
        share *= less;
        stands = Stands(stand);
    }
    for (int b = 0; any && stands && b < count; ++b)
    {
        shares[b] = may[b] ? share : 1.0;
        Lessen(stand, &bodies[b], 1.0 - shares[b]);
        bool well = shares[b] == 1.0 || Stands(stand);
        Lessen(stand, &bodies[b], well ? 0.0 : shares[b] - 1.0);
        shares[b] = well ? 1.0 : shares[b];
    }
    return stands ? rsl_ok : rsl_diverged;
}

rslStatus rslLevel_Stand(const rslModel* model, rslState* state, const bool* may, double* shares, const rslHooks* hooks)
{
    size_t count = (size_t)model->nodeCount;
    rslStatus status = rsl_outOfMemory;
    Stand stand = { .model = model, .state = state, .backend = rslBackend_For(state->precision) };
    stand.team = rslTeam_Create(hooks, 1, NULL, NULL);
    stand.kernel = stand.team != NULL ? stand.backend->create(model, rsl_static, hooks, stand.team) : NULL;
    if (stand.kernel != NULL && !stand.backend->guards(stand.kernel))
    {
        status = rsl_ok;
    }
    else if (stand.kernel != NULL)
    {
        stand.e = rslAllocate(hooks, count, sizeof(rslVec3));
        stand.bound = rslAllocate(hooks, count, sizeof(uint8_t));
        if (stand.e != NULL && stand.bound != NULL)
        {
            MarkBound(&stand);
            status = Straighten(&stand, may, shares);
        }
        rslRelease(hooks, stand.e);
        rslRelease(hooks, stand.bound);
    }
    if (stand.kernel != NULL)
    {
        stand.backend->destroy(stand.kernel);
    }
    rslTeam_Free(stand.team);
    return status;
}
