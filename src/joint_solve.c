// SPDX-License-Identifier: MIT
//
// joint_solve.c: see joint_solve.h.
//
// A joint of bodies a and b at the point x with the axes d1, d2, d3 of b, d3 along the hinge, asks for
//   g:  x_a - x_b = 0,   (n_b x n_a).d1 = (n_b x n_a).d2 = 0,   the angle about d3 as prescribed
//   J v:  v_a - v_b at x,  (w_a - w_b).d1, .d2, .d3
// n the axis in each. Impulses l at x and about the axes change velocities by W J^T l, W = M^-1, so that
//   J W J^T l = r
// It is solved by conjugate gradients with the blocks of single joints as preconditioner: exact at once for a single joint.
// Where joints make loops, equations may say the same twice: then the whole matrix is factored (joint_factor.c).

#include "joint_solve.h"

#include "top.h"

#include <string.h>

enum
{
    ROWS = RSL_JOINT_ROWS
};

// ---- making ---------------------------------------------------------------------------------------------------------

// Whether joints make loops: one joins what others have joined. The world and all that is held count as one.
static bool HasLoops(const rslModel* model, int* group)
{
    for (int r = 0; r < model->rigidCount; ++r)
    {
        group[r] = model->rigids[r].constraint < 0 ? r : -1;
    }
    for (int j = 0; j < model->jointCount; ++j)
    {
        const int* ends = model->joints[j].rigids;
        int a = ends[0] < 0 ? -1 : group[ends[0]], b = ends[1] < 0 ? -1 : group[ends[1]];
        if (a == b)
        {
            return true;
        }
        for (int r = 0; r < model->rigidCount; ++r)
        {
            group[r] = group[r] == (a < b ? b : a) ? (a < b ? a : b) : group[r];
        }
    }
    return false;
}

bool rslJoints_Make(rslJoints* joints, const rslModel* model, rslArena* arena)
{
    size_t count = (size_t)model->jointCount, rigids = (size_t)model->rigidCount, bodies = (size_t)model->bodyCount;
    *joints = (rslJoints){ .model = model, .count = model->jointCount };
    joints->views = rslArena_Allocate(arena, count, sizeof(rslJointView));
    joints->blocks = rslArena_Allocate(arena, count, sizeof *joints->blocks);
    joints->pushes = rslArena_Allocate(arena, rigids, sizeof(rslWrench));
    joints->changes = rslArena_Allocate(arena, rigids, sizeof *joints->changes);
    joints->trial = rslArena_Allocate(arena, bodies, sizeof(rslFrame));
    joints->start = rslArena_Allocate(arena, bodies, sizeof(rslFrame));
    rslJointRows** rows[] = { &joints->right, &joints->impulse, &joints->total, &joints->held,
                              &joints->r,     &joints->z,       &joints->p,     &joints->q };
    int* groups = rslArena_Allocate(arena, rigids, sizeof(int));
    joints->loops = groups != NULL && HasLoops(model, groups);
    bool whole = !joints->loops || rslJointFactor_Make(&joints->whole, ROWS * joints->count, arena);
    bool made = groups != NULL && whole && joints->views != NULL && joints->blocks != NULL && joints->pushes != NULL &&
                joints->changes != NULL && joints->trial != NULL && joints->start != NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
    {
        *rows[i] = rslArena_Allocate(arena, count, sizeof(rslJointRows));
        made = made && *rows[i] != NULL;
    }
    return made;
}

// ---- a joint at one moment ------------------------------------------------------------------------------------------

void rslJoints_Look(rslJoints* joints, const rslFrame* frames)
{
    const rslModel* model = joints->model;
    joints->frames = frames;
    for (int j = 0; j < joints->count; ++j)
    {
        const rslJoint* joint = &model->joints[j];
        rslJointView* view = &joints->views[j];
        view->rows = joint->type == rsl_ballJoint ? 3 : joint->driven ? 6 : 5;
        for (int s = 0; s < 2; ++s)
        {
            const rslRigid* rigid = joint->rigids[s] < 0 ? NULL : &model->rigids[joint->rigids[s]];
            rslVec3 point = rslJoint_Point(joints->model, frames, joint, s);
            view->arms[s] = rigid != NULL ? rslSub(point, rslTop_Centre(rigid, &frames[rigid->body])) : point;
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            view->axes[axis] = rslJoint_Axis(model, frames, joint, 1, axis);
        }
    }
}

void rslJoints_ToRows(const rslJointView* view, rslVec3 velocity, rslVec3 spin, double* rows)
{
    const double v[3] = { velocity.x, velocity.y, velocity.z };
    for (int i = 0; i < 3; ++i)
    {
        rows[i] = v[i];
        rows[3 + i] = 3 + i < view->rows ? rslDot(spin, view->axes[i]) : 0.0;
    }
}

void rslJoints_Rates(const rslJoints* joints, bool heldOnly, rslJointRows* out)
{
    const rslModel* model = joints->model;
    for (int j = 0; j < joints->count; ++j)
    {
        const rslJointView* view = &joints->views[j];
        rslVec3 velocity = { 0.0, 0.0, 0.0 }, spin = { 0.0, 0.0, 0.0 };
        for (int s = 0; s < 2; ++s)
        {
            const rslRigid* rigid = model->joints[j].rigids[s] < 0 ? NULL : &model->rigids[model->joints[j].rigids[s]];
            if (rigid == NULL || (heldOnly && rigid->constraint < 0))
            {
                continue;
            }
            const rslFrame* frame = &joints->frames[rigid->body];
            double sign = s == 0 ? 1.0 : -1.0;
            rslVec3 w = rslTop_Spin(rigid, frame);
            velocity = rslMulAdd(velocity, sign, rslAdd(frame->velocity, rslCross(w, view->arms[s])));
            spin = rslMulAdd(spin, sign, w);
        }
        rslJoints_ToRows(view, velocity, spin, out[j]);
    }
}

// ---- the matrix -----------------------------------------------------------------------------------------------------

static bool IsFree(const rslModel* model, int rigid)
{
    return rigid >= 0 && model->rigids[rigid].constraint < 0;
}

// J^T l of one joint.
static void AddPush(const rslJoints* joints, int j, const double* l)
{
    const rslJointView* view = &joints->views[j];
    rslVec3 force = { l[0], l[1], l[2] }, torque = { 0.0, 0.0, 0.0 };
    for (int i = 3; i < view->rows; ++i)
    {
        torque = rslMulAdd(torque, l[i], view->axes[i - 3]);
    }
    for (int s = 0; s < 2; ++s)
    {
        int r = joints->model->joints[j].rigids[s];
        double sign = s == 0 ? 1.0 : -1.0;
        if (r >= 0)
        {
            joints->pushes[r].force = rslMulAdd(joints->pushes[r].force, sign, force);
            joints->pushes[r].torque =
                rslMulAdd(joints->pushes[r].torque, sign, rslAdd(torque, rslCross(view->arms[s], force)));
        }
    }
}

static void ClearPushes(rslJoints* joints)
{
    memset(joints->pushes, 0, (size_t)joints->model->rigidCount * sizeof(rslWrench));
}

// W of a push.
static void Change(const rslJoints* joints, int r)
{
    const rslRigid* rigid = &joints->model->rigids[r];
    rslVec3 v = rslScale(1.0 / rigid->mass, joints->pushes[r].force);
    v.z = rigid->planar ? 0.0 : v.z;
    joints->changes[r][0] = v;
    joints->changes[r][1] = rslTop_Divide(rigid, &joints->frames[rigid->body], joints->pushes[r].torque);
}

static void ChangeRows(const rslJoints* joints, int j, double* out)
{
    const rslJointView* view = &joints->views[j];
    rslVec3 velocity = { 0.0, 0.0, 0.0 }, spin = { 0.0, 0.0, 0.0 };
    for (int s = 0; s < 2; ++s)
    {
        int r = joints->model->joints[j].rigids[s];
        double sign = s == 0 ? 1.0 : -1.0;
        if (IsFree(joints->model, r))
        {
            rslVec3 turn = rslCross(joints->changes[r][1], view->arms[s]);
            velocity = rslMulAdd(velocity, sign, rslAdd(joints->changes[r][0], turn));
            spin = rslMulAdd(spin, sign, joints->changes[r][1]);
        }
    }
    rslJoints_ToRows(view, velocity, spin, out);
}

// out = J W J^T l
static void Multiply(rslJoints* joints, rslJointRows* l, rslJointRows* out)
{
    ClearPushes(joints);
    for (int j = 0; j < joints->count; ++j)
    {
        AddPush(joints, j, l[j]);
    }
    for (int r = 0; r < joints->model->rigidCount; ++r)
    {
        Change(joints, r);
    }
    for (int j = 0; j < joints->count; ++j)
    {
        ChangeRows(joints, j, out[j]);
    }
}

// L D L^T, D on the diagonal; equations that say nothing new have 0 there.
static void Factor(double a[ROWS][ROWS])
{
    double size[ROWS];
    for (int i = 0; i < ROWS; ++i)
    {
        size[i] = a[i][i];
        for (int k = 0; k < i; ++k)
        {
            double sum = a[i][k];
            for (int m = 0; m < k; ++m)
            {
                sum -= a[i][m] * a[k][m] * a[m][m];
            }
            a[i][k] = a[k][k] > 0.0 ? sum / a[k][k] : 0.0;
        }
        for (int m = 0; m < i; ++m)
        {
            a[i][i] -= a[i][m] * a[i][m] * a[m][m];
        }
        a[i][i] = a[i][i] > 1e-12 * size[i] ? a[i][i] : 0.0;
    }
}

static void MakeBlocks(rslJoints* joints)
{
    const rslModel* model = joints->model;
    for (int j = 0; j < joints->count; ++j)
    {
        for (int i = 0; i < ROWS; ++i)
        {
            double unit[ROWS] = { 0.0 }, column[ROWS];
            unit[i] = i < joints->views[j].rows ? 1.0 : 0.0;
            for (int s = 0; s < 2; ++s)
            {
                if (model->joints[j].rigids[s] >= 0)
                {
                    joints->pushes[model->joints[j].rigids[s]] = (rslWrench){ { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
                }
            }
            AddPush(joints, j, unit);
            for (int s = 0; s < 2; ++s)
            {
                if (model->joints[j].rigids[s] >= 0)
                {
                    Change(joints, model->joints[j].rigids[s]);
                }
            }
            ChangeRows(joints, j, column);
            memcpy(joints->blocks[j][i], column, sizeof column);
        }
        Factor(joints->blocks[j]);
    }
}

// z = B^-1 r; returns r.z.
static double Precondition(rslJoints* joints)
{
    double dot = 0.0;
    for (int j = 0; j < joints->count; ++j)
    {
        double(*a)[ROWS] = joints->blocks[j];
        double* z = joints->z[j];
        for (int i = 0; i < ROWS; ++i)
        {
            z[i] = joints->r[j][i];
            for (int k = 0; k < i; ++k)
            {
                z[i] -= a[i][k] * z[k];
            }
        }
        for (int i = ROWS - 1; i >= 0; --i)
        {
            z[i] = a[i][i] > 0.0 ? z[i] / a[i][i] : 0.0;
            for (int k = i + 1; k < ROWS; ++k)
            {
                z[i] -= a[k][i] * z[k];
            }
            dot += joints->r[j][i] * z[i];
        }
    }
    return dot;
}

double rslJoints_Dot(const rslJoints* joints, rslJointRows* a, rslJointRows* b)
{
    double sum = 0.0;
    for (int j = 0; j < joints->count; ++j)
    {
        for (int i = 0; i < ROWS; ++i)
        {
            sum += a[j][i] * b[j][i];
        }
    }
    return sum;
}

void rslJoints_Combine(const rslJoints* joints, rslJointRows* y, double b, double a, rslJointRows* x)
{
    for (int j = 0; j < joints->count; ++j)
    {
        for (int i = 0; i < ROWS; ++i)
        {
            y[j][i] = (b != 0.0 ? b * y[j][i] : 0.0) + (a != 0.0 ? a * x[j][i] : 0.0);
        }
    }
}

// The whole matrix by its columns, and its factors.
static void FactorWhole(rslJoints* joints)
{
    rslJointFactor* whole = &joints->whole;
    for (int c = 0; c < whole->size; ++c)
    {
        rslJoints_Combine(joints, joints->p, 0.0, 0.0, joints->p);
        joints->p[c / ROWS][c % ROWS] = c % ROWS < joints->views[c / ROWS].rows ? 1.0 : 0.0;
        Multiply(joints, joints->p, joints->q);
        for (int r = 0; r < whole->size; ++r)
        {
            whole->matrix[(size_t)r * (size_t)whole->size + (size_t)c] = joints->q[r / ROWS][r % ROWS];
        }
    }
    rslJointFactor_Factor(whole);
}

// Twice, the second time for what rounding left over.
static void SolveWhole(rslJoints* joints)
{
    rslJointFactor_Solve(&joints->whole, joints->right[0], joints->impulse[0]);
    Multiply(joints, joints->impulse, joints->q);
    rslJoints_Combine(joints, joints->q, -1.0, 1.0, joints->right);
    rslJointFactor_Solve(&joints->whole, joints->q[0], joints->z[0]);
    rslJoints_Combine(joints, joints->impulse, 1.0, 1.0, joints->z);
}

void rslJoints_Prepare(rslJoints* joints)
{
    if (joints->loops)
    {
        FactorWhole(joints);
    }
    else
    {
        MakeBlocks(joints);
    }
}

void rslJoints_Solve(rslJoints* joints)
{
    if (joints->loops)
    {
        SolveWhole(joints);
        return;
    }
    rslJoints_Combine(joints, joints->r, 0.0, 1.0, joints->right);
    rslJoints_Combine(joints, joints->impulse, 0.0, 0.0, joints->r);
    double first = Precondition(joints), rz = first;
    rslJoints_Combine(joints, joints->p, 0.0, 1.0, joints->z);
    for (int i = 0; i < 10 + 12 * joints->count && rz > 1e-32 * first; ++i)
    {
        Multiply(joints, joints->p, joints->q);
        double curvature = rslJoints_Dot(joints, joints->p, joints->q);
        if (!(curvature > 0.0))
        {
            break;
        }
        rslJoints_Combine(joints, joints->impulse, 1.0, rz / curvature, joints->p);
        rslJoints_Combine(joints, joints->r, 1.0, -rz / curvature, joints->q);
        double next = Precondition(joints);
        rslJoints_Combine(joints, joints->p, next / rz, 1.0, joints->z);
        rz = next;
    }
}

void rslJoints_Push(rslJoints* joints, rslJointRows* impulse, rslFrame* frames)
{
    ClearPushes(joints);
    for (int j = 0; j < joints->count; ++j)
    {
        AddPush(joints, j, impulse[j]);
    }
    for (int r = 0; r < joints->model->rigidCount; ++r)
    {
        const rslRigid* rigid = &joints->model->rigids[r];
        rslFrame* frame = &frames[rigid->body];
        if (rigid->constraint < 0)
        {
            rslVec3 push = joints->pushes[r].force, turn = joints->pushes[r].torque;
            push.z = rigid->planar ? 0.0 : push.z;
            turn = rigid->planar ? (rslVec3){ 0.0, 0.0, turn.z } : turn;
            frame->velocity = rslMulAdd(frame->velocity, 1.0 / rigid->mass, push);
            frame->momentum = rslAdd(frame->momentum, turn);
        }
    }
}
