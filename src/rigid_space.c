// SPDX-License-Identifier: MIT
//
// rigid_space.c: see rigid_space.h.
//
// With F and T the sums of forces and torques about the centre of mass, they cause
//   f_i = m_i (F / M + (J^-1 T) x r_i)
// and a motion x has the forces m x. J is the whole inertia, so that sums over nodes lack what is hidden of it.

#include "rigid_space.h"

#include "top.h"

static rslVec3 At(double* const v[3], int node)
{
    return (rslVec3){ v[0][node], v[1][node], v[2][node] };
}

static void Put(double* const v[3], int node, rslVec3 value)
{
    v[0][node] = value.x;
    v[1][node] = value.y;
    v[2][node] = value.z;
}

// One of the nodes that a rigid body moves: its index, its frame's turn, and the arm from the centre of mass.
typedef struct RigidNode
{
    int node;
    rslMat3 rotation;
    rslVec3 arm;
} RigidNode;

static RigidNode RigidNodeAt(const rslModel* model, const rslState* state, const rslRigid* rigid, int n)
{
    const rslBody* body = &model->bodies[rigid->body];
    const rslFrame* frame = &state->frames[rigid->body];
    double x[3];
    int own = n - body->nodeCount;
    int node = own < 0 ? body->firstNode + n : rigid->welded[own];
    int holder = own < 0 ? rigid->body : rslModel_BodyOf(model, node);
    if (own < 0)
    {
        rslBody_Rest(body, node, node + 1, x);
    }
    const double* at = own < 0 ? x : &rigid->places[3 * (size_t)own];
    rslMat3 rotation = rslQuatMatrix(frame->rotation);
    return (RigidNode){ node, rslQuatMatrix(state->frames[holder].rotation),
                        rslMatVec(&rotation, rslSub((rslVec3){ at[0], at[1], at[2] }, rigid->centre)) };
}

void rslRigid_Project(const rslModel* model, const rslState* state, int index, double* const f[3], bool motion)
{
    const rslRigid* rigid = &model->rigids[index];
    const rslFrame* frame = &state->frames[rigid->body];
    int count = model->bodies[rigid->body].nodeCount + rigid->weldCount;
    rslVec3 force = { 0.0, 0.0, 0.0 }, torque = { 0.0, 0.0, 0.0 };
    for (int n = 0; rigid->constraint < 0 && n < count; ++n)
    {
        RigidNode at = RigidNodeAt(model, state, rigid, n);
        double m = motion ? model->mass[at.node] : 1.0;
        rslVec3 push = rslScale(m, rslMatVec(&at.rotation, At(f, at.node)));
        force = rslAdd(force, push);
        torque = rslAdd(torque, rslCross(at.arm, push));
    }
    rslVec3 shift = rslScale(1.0 / rigid->mass, force), turn = { 0.0, 0.0, 0.0 };
    if (rigid->constraint < 0)
    {
        turn = rslTop_Divide(rigid, frame, torque);
    }
    for (int n = 0; n < count; ++n)
    {
        RigidNode at = RigidNodeAt(model, state, rigid, n);
        double m = motion ? 1.0 : model->mass[at.node];
        rslVec3 a = rslAdd(shift, rslCross(turn, at.arm));
        Put(f, at.node, rslMatTVec(&at.rotation, rslScale(m, a)));
    }
}

// a x = b by elimination, b the last column; 0 along what has no inertia.
static rslVec3 Solve(double a[3][4])
{
    rslVec3 turn = { 0.0, 0.0, 0.0 };
    double* out[3] = { &turn.x, &turn.y, &turn.z };
    for (int p = 0; p < 3; ++p)
    {
        for (int r = p + 1; r < 3 && a[p][p] != 0.0; ++r)
        {
            double factor = a[r][p] / a[p][p];
            for (int c = p; c < 4; ++c)
            {
                a[r][c] -= factor * a[p][c];
            }
        }
    }
    for (int p = 2; p >= 0; --p)
    {
        for (int c = p + 1; c < 3; ++c)
        {
            a[p][3] -= a[p][c] * *out[c];
        }
        *out[p] = a[p][p] != 0.0 ? a[p][3] / a[p][p] : 0.0;
    }
    return turn;
}

// The turn of a rigid body in a motion, or in what forces cause: (J - hidden)^-1 sum r x m v over its nodes.
rslVec3 rslRigid_TurnIn(const rslModel* model, const rslState* state, int index, double* const v[3], bool motion)
{
    const rslRigid* rigid = &model->rigids[index];
    const rslFrame* frame = &state->frames[rigid->body];
    int count = model->bodies[rigid->body].nodeCount + rigid->weldCount;
    rslVec3 sum = { 0.0, 0.0, 0.0 };
    for (int n = 0; n < count; ++n)
    {
        RigidNode at = RigidNodeAt(model, state, rigid, n);
        double m = motion ? model->mass[at.node] : 1.0;
        sum = rslAdd(sum, rslCross(at.arm, rslScale(m, rslMatVec(&at.rotation, At(v, at.node)))));
    }
    // (1 - J^-1 H) turn = J^-1 sum
    double a[3][4];
    rslVec3 right = rslTop_Divide(rigid, frame, sum);
    for (int c = 0; c < 3; ++c)
    {
        rslVec3 unit = { c == 0 ? 1.0 : 0.0, c == 1 ? 1.0 : 0.0, c == 2 ? 1.0 : 0.0 };
        rslVec3 column = rslTop_Divide(rigid, frame, rslTop_Hidden(rigid, frame, unit));
        a[0][c] = unit.x - column.x;
        a[1][c] = unit.y - column.y;
        a[2][c] = unit.z - column.z;
    }
    a[0][3] = right.x;
    a[1][3] = right.y;
    a[2][3] = right.z;
    return Solve(a);
}
