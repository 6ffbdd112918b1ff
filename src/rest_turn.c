// SPDX-License-Identifier: MIT
//
// rest_turn.c: see rest_turn.h. Q makes sum of m |y - Q X|^2 least, y = X + u - c (fit_rotation.h), and that sum is
//
//   sum m y^2 + sum m X^2 - 2 Q : sum m y X^T

#include "rest_turn.h"

#include "build.h"
#include "fit_rotation.h"
#include "state_internal.h"

#include <math.h>

static const double least = 0.02;  // angle that matters

static void SetRest(rslRestTurns* t, int index)
{
    const rslBody* body = &t->model->bodies[index];
    double *rest = t->rest + 3 * (size_t)body->firstNode, mass = 0.0;
    const double* m = t->model->mass + body->firstNode;
    rslVec3 centre = { 0.0, 0.0, 0.0 };
    rslBody_Rest(body, body->firstNode, body->firstNode + body->nodeCount, rest);
    for (int i = 0; i < body->nodeCount; ++i)
    {
        centre = rslMulAdd(centre, m[i], rslVec3_Of(&rest[3 * (size_t)i]));
        mass += m[i];
    }
    centre = rslScale(mass > 0.0 ? 1.0 / mass : 0.0, centre);
    for (int i = 0; i < body->nodeCount; ++i)
    {
        double* x = &rest[3 * (size_t)i];
        x[0] -= centre.x;
        x[1] -= centre.y;
        x[2] -= centre.z;
        t->size[index] += m[i] * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    }
}

bool rslRestTurns_Make(rslRestTurns* t, const rslModel* model, const rslUnknowns* unknowns, rslArena* arena)
{
    size_t bodies = (size_t)model->bodyCount;
    *t = (rslRestTurns){ .model = model, .unknowns = unknowns };
    t->turns = rslArena_Allocate(arena, bodies, sizeof(rslMat3));
    t->turned = rslArena_Allocate(arena, bodies, sizeof(bool));
    t->size = rslArena_Allocate(arena, bodies, sizeof(double));
    t->rest = rslArena_Allocate(arena, 3 * (size_t)model->nodeCount + 1, sizeof(double));
    bool made = t->turns != NULL && t->turned != NULL && t->size != NULL && t->rest != NULL;
    for (int b = 0; made && b < model->bodyCount; ++b)
    {
        SetRest(t, b);
    }
    return made;
}

// Q of a body; returns what is left of the sum.
static double FindTurn(rslRestTurns* t, const rslState* state, int index)
{
    const rslBody* body = &t->model->bodies[index];
    rslVec3 mean = { 0.0, 0.0, 0.0 };
    double a[9] = { 0 }, mass = 0.0, moved = 0.0;
    int end = body->firstNode + body->nodeCount;
    for (int i = body->firstNode; i < end; ++i)
    {
        mean = rslMulAdd(mean, t->model->mass[i], rslState_Get3(state, state->displacement, i));
        mass += t->model->mass[i];
    }
    mean = rslScale(mass > 0.0 ? 1.0 / mass : 0.0, mean);
    for (int i = body->firstNode; i < end; ++i)
    {
        rslVec3 x = rslVec3_Of(&t->rest[3 * (size_t)i]), u = rslState_Get3(state, state->displacement, i);
        rslVec3 y = rslAdd(x, rslSub(u, mean));
        double m = t->model->mass[i];
        const double p[3] = { m * y.x, m * y.y, m * y.z }, q[3] = { x.x, x.y, x.z };
        for (int c = 0; c < 9; ++c)
        {
            a[c] += p[c / 3] * q[c % 3];
        }
        moved += m * rslDot(y, y);
    }
    rslQuat turn = rslFitRotation(a, t->model->plane == rsl_planeXY);
    rslMat3 matrix = rslQuatMatrix(turn);
    double along = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        rslVec3 e = rslMatVec(&matrix, (rslVec3){ axis == 0, axis == 1, axis == 2 });
        along += e.x * a[axis] + e.y * a[3 + axis] + e.z * a[6 + axis];
    }
    double sine = 2.0 * sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    t->turned[index] = sine > least;
    t->turns[index] = t->turned[index] ? matrix : rslQuatMatrix((rslQuat){ 1.0, 0.0, 0.0, 0.0 });
    return moved + t->size[index] - 2.0 * along;
}

double rslRestTurns_Find(rslRestTurns* t, const rslState* state)
{
    double farthest = 0.0;
    t->any = false;
    for (int b = 0; b < t->model->bodyCount; ++b)
    {
        bool rigid = rslModel_Rigid(t->model, b) != NULL || !(t->size[b] > 0.0);
        t->turned[b] = false;
        t->turns[b] = rslQuatMatrix((rslQuat){ 1.0, 0.0, 0.0, 0.0 });
        double left = rigid ? 0.0 : FindTurn(t, state, b);
        farthest = rslMost(farthest, left > 0.0 && !rigid ? sqrt(left / t->size[b]) : 0.0);
        t->any = t->any || t->turned[b];
    }
    return farthest;
}

typedef struct Turning
{
    const rslRestTurns* turns;
    const rslNodeVector *v, *out;
    bool back;
    int body;
} Turning;

enum
{
    BLOCK = 4096
};

static void TurnBlock(int item, void* context)
{
    const Turning* t = context;
    const rslBody* body = &t->turns->model->bodies[t->body];
    int begin = body->firstNode + BLOCK * item, last = body->firstNode + body->nodeCount;
    int end = last - begin < BLOCK ? last : begin + BLOCK;
    rslMat3 turn = t->turns->turns[t->body];
    double* const* v = (double* const*)t->v->x;
    for (int i = begin; i < end; ++i)
    {
        rslVec3 a = { v[0][i], v[1][i], v[2][i] };
        a = t->back ? rslMatVec(&turn, a) : rslMatTVec(&turn, a);
        t->out->x[0][i] = a.x;
        t->out->x[1][i] = a.y;
        t->out->x[2][i] = a.z;
    }
}

void rslRestTurns_Apply(const rslRestTurns* t, bool back, const rslNodeVector* v, const rslNodeVector* out)
{
    for (int b = 0; b < t->model->bodyCount; ++b)
    {
        Turning turning = { t, v, out, back, b };
        rslTeam_Run(t->unknowns->team, TurnBlock, (t->model->bodies[b].nodeCount + BLOCK - 1) / BLOCK, &turning);
    }
}
