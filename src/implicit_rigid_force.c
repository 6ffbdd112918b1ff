// SPDX-License-Identifier: MIT
//
// implicit_rigid_force.c: forces, products and inertia of rigid bodies in implicit steps (implicit_rigid.h; the derivation is in
// implicit_rigid.c).

#include "implicit_rigid_internal.h"

#include <string.h>

// ---- forces and products --------------------------------------------------------------------------------------------

typedef struct Sums
{
    rslVec3 force, torque;
    rslVec3 press[3];  // rows of P
} Sums;

// Of forces less, where asked for, a factor times mass and motion.
static Sums SumUp(const rslImplicit* m, const rslState* state, int r, const rslMat3* turn, const rslNodeVector* force,
                  const rslNodeVector* motion, double factor)
{
    const rslMoved* body = &m->moveds.bodies[r];
    const double* mass = m->moveds.nodeMass;
    Sums sums = { 0 };
    rslMat3 between = *turn;
    int owner = -1;
    for (int c = body->begin; c < body->end; ++c)
    {
        const rslCarried* one = &m->moveds.carried[c];
        rslVec3 f = At(force, one->node), arm = rslMatVec(turn, one->arm);
        f = motion != NULL ? rslMulAdd(f, -factor * mass[one->node], At(motion, one->node)) : f;
        if (c >= body->welds)
        {
            between = one->body != owner ? Between(body, state, one->body) : between;
            owner = one->body;
            f = rslMatVec(&between, f);
        }
        sums.force = rslAdd(sums.force, f);
        sums.torque = rslAdd(sums.torque, rslCross(arm, f));
        sums.press[0] = rslMulAdd(sums.press[0], f.x, arm);
        sums.press[1] = rslMulAdd(sums.press[1], f.y, arm);
        sums.press[2] = rslMulAdd(sums.press[2], f.z, arm);
    }
    return sums;
}

rslWrench rslMoveds_Entry(const rslImplicit* m, int r, const rslNodeVector* vector, bool force)
{
    int e = EntryOf(m, r);
    double s = m->moveds.bodies[r].size;
    return (rslWrench){ At(vector, e), rslScale(force ? s : 1.0 / s, At(vector, e + 1)) };
}

void rslMoveds_PutEntry(const rslImplicit* m, int r, rslWrench entry, const rslNodeVector* vector, bool force)
{
    const rslMoved* body = &m->moveds.bodies[r];
    int e = EntryOf(m, r);
    entry = IsFree(body) ? entry : (rslWrench){ 0 };
    if (body->def->planar)
    {
        entry.force.z = entry.torque.x = entry.torque.y = 0.0;
    }
    Put(vector, e, entry.force);
    Put(vector, e + 1, rslScale(force ? 1.0 / body->size : body->size, entry.torque));
    Put(vector, e + 2, (rslVec3){ 0 });
}

void rslMoveds_Gather(rslImplicit* m, const rslState* state, const rslNodeVector* force)
{
    rslNodeVector at = rslDisplacements(state);
    for (int r = 0; r < m->moveds.count; ++r)
    {
        rslFrame pose = rslMoveds_Pose(m, r, &at);
        rslMat3 turn = rslQuatMatrix(pose.rotation);
        Sums sums = SumUp(m, state, r, &turn, force, NULL, 0.0);
        rslMoveds_PutEntry(m, r, (rslWrench){ sums.force, sums.torque }, force, true);
    }
}

void rslMoveds_Residual(rslImplicit* m, const rslState* state, const rslNodeVector* force)
{
    rslNodeVector at = rslDisplacements(state);
    double c = RateSquare(m);
    for (int r = 0; r < m->moveds.count; ++r)
    {
        rslMoved* body = &m->moveds.bodies[r];
        rslFrame pose = rslMoveds_Pose(m, r, &at);
        Away away = AwayOf(body, &pose);
        Sums sums = SumUp(m, state, r, &away.turned, force, NULL, 0.0);
        double trace = sums.press[0].x + sums.press[1].y + sums.press[2].z;
        const double p[3][3] = { { sums.press[0].x, sums.press[0].y, sums.press[0].z },
                                 { sums.press[1].x, sums.press[1].y, sums.press[1].z },
                                 { sums.press[2].x, sums.press[2].y, sums.press[2].z } };
        for (int k = 0; k < 9; ++k)
        {
            body->press[k / 3][k % 3] = (k % 4 == 0 ? trace : 0.0) - 0.5 * (p[k / 3][k % 3] + p[k % 3][k / 3]);
        }
        rslDynamics_SetWrench(m->kernel, r,
                              (rslWrench){ rslMatVec(&body->axes, sums.force), rslMatVec(&body->axes, sums.torque) });
        rslWrench left = { rslMulAdd(sums.force, -c * body->def->mass, away.way),
                           rslMulAdd(sums.torque, -c, TurnPull(body, &away)) };
        rslMoveds_PutEntry(m, r, left, force, true);
    }
    if (m->moveds.joints.count > 0)
    {
        rslMoveds_LookJoints(m, state);
        m->powers.motion += rslMoveds_Join(m, force, true);
    }
}

void rslMoveds_Spread(rslImplicit* m, const rslState* state, const rslNodeVector* motion)
{
    rslNodeVector at = rslDisplacements(state);
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslMoved* body = &m->moveds.bodies[r];
        rslFrame pose = rslMoveds_Pose(m, r, &at);
        rslMat3 turn = rslQuatMatrix(pose.rotation), between = turn;
        rslWrench along = rslMoveds_Entry(m, r, motion, false);
        int owner = -1;
        for (int c = body->begin; c < body->end; ++c)
        {
            const rslCarried* one = &m->moveds.carried[c];
            rslVec3 u = rslAdd(along.force, rslCross(along.torque, rslMatVec(&turn, one->arm)));
            if (c >= body->welds)
            {
                between = one->body != owner ? Between(body, state, one->body) : between;
                owner = one->body;
                u = rslMatTVec(&between, u);
            }
            Put(motion, one->node, u);
        }
    }
}

static rslVec3 Bend(const double a[3][3], rslVec3 w)
{
    return (rslVec3){ a[0][0] * w.x + a[0][1] * w.y + a[0][2] * w.z, a[1][0] * w.x + a[1][1] * w.y + a[1][2] * w.z,
                      a[2][0] * w.x + a[2][1] * w.y + a[2][2] * w.z };
}

void rslMoveds_Product(rslImplicit* m, const rslState* state, const rslNodeVector* motion, const rslNodeVector* out)
{
    rslNodeVector at = rslDisplacements(state);
    double c = RateSquare(m);
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslMoved* body = &m->moveds.bodies[r];
        rslFrame pose = rslMoveds_Pose(m, r, &at);
        rslMat3 turn = rslQuatMatrix(pose.rotation);
        rslWrench along = rslMoveds_Entry(m, r, motion, false);
        Sums sums = SumUp(m, state, r, &turn, out, motion, c);
        rslWrench all = { rslMulAdd(sums.force, c * body->def->mass, along.force),
                          rslAdd(sums.torque, Bend(body->bent, along.torque)) };
        rslMoveds_PutEntry(m, r, all, out, true);
    }
    if (m->moveds.joints.count > 0)
    {
        (void)rslMoveds_Join(m, out, true);
    }
}

// ---- the block of a body --------------------------------------------------------------------------------------------

// += G^T B G, G = (1, -[arm]/s), B symmetric in the axes of the rigid body.
static void AddBlock(double a[6][6], double b[3][3], rslVec3 arm, double s)
{
    const double g[3][6] = { { 1.0, 0.0, 0.0, 0.0, s * arm.z, -s * arm.y },
                             { 0.0, 1.0, 0.0, -s * arm.z, 0.0, s * arm.x },
                             { 0.0, 0.0, 1.0, s * arm.y, -s * arm.x, 0.0 } };
    for (int i = 0; i < 6; ++i)
    {
        double row[3] = { 0 };
        for (int k = 0; k < 9; ++k)
        {
            row[k % 3] += g[k / 3][i] * b[k / 3][k % 3];
        }
        for (int j = 0; j < 6; ++j)
        {
            a[i][j] += row[0] * g[0][j] + row[1] * g[1][j] + row[2] * g[2][j];
        }
    }
}

// The block of a node without its own inertia, in the axes of the rigid body: A B A^T.
static void NodeBlock(const rslImplicit* m, const rslCarried* one, const rslMat3* between, double b[3][3])
{
    const double* d = m->moveds.diagonal[one->node];
    double shift = RateSquare(m) * m->moveds.nodeMass[one->node];
    rslMat3 own = { { { d[0] - shift, d[3], d[4] }, { d[3], d[1] - shift, d[5] }, { d[4], d[5], d[2] - shift } } };
    if (between != NULL)
    {
        rslMat3 back = rslMat_Transpose(between), half = rslMat_Product(&own, &back);
        own = rslMat_Product(between, &half);
    }
    for (int i = 0; i < 3; ++i)
    {
        b[i][0] = own.row[i].x;
        b[i][1] = own.row[i].y;
        b[i][2] = own.row[i].z;
    }
}

// A = L L^T; what has no stiffness is not moved.
static void Factor(double a[6][6])
{
    for (int j = 0; j < 6; ++j)
    {
        double size = a[j][j];
        for (int k = 0; k < j; ++k)
        {
            a[j][j] -= a[j][k] * a[j][k];
        }
        a[j][j] = a[j][j] > 1e-13 * size ? sqrt(a[j][j]) : INFINITY;
        for (int i = j + 1; i < 6; ++i)
        {
            for (int k = 0; k < j; ++k)
            {
                a[i][j] -= a[i][k] * a[j][k];
            }
            a[i][j] /= a[j][j];
        }
    }
}

void rslMoveds_Look(rslImplicit* m, const rslState* state)
{
    rslNodeVector at = rslDisplacements(state);
    double c = RateSquare(m);
    if (m->moveds.count > 0)
    {
        rslStatics_Diagonal(m->kernel, state, m->moveds.diagonal);
    }
    for (int r = 0; r < m->moveds.count; ++r)
    {
        rslMoved* body = &m->moveds.bodies[r];
        rslFrame pose = rslMoveds_Pose(m, r, &at);
        Away away = AwayOf(body, &pose);
        rslMat3 s = Times(body, &away.turned, &away.aimed), n = Times(body, &away.turned, &away.turned);
        const rslVec3 *S = s.row, *N = n.row;
        const double sums[3][3] = { { S[0].x, S[0].y, S[0].z },
                                    { S[1].x, S[1].y, S[1].z },
                                    { S[2].x, S[2].y, S[2].z } };
        const double own[3][3] = { { N[0].x, N[0].y, N[0].z }, { N[1].x, N[1].y, N[1].z }, { N[2].x, N[2].y, N[2].z } };
        double trace = S[0].x + S[1].y + S[2].z, whole = N[0].x + N[1].y + N[2].z, scale = 1.0 / body->size;
        double(*a)[6] = body->factor;
        memset(a, 0, sizeof body->factor);
        for (int k = 0; k < 9; ++k)
        {
            int i = k / 3, j = k % 3;
            body->bent[i][j] = body->press[i][j] + c * ((i == j ? trace : 0.0) - 0.5 * (sums[i][j] + sums[j][i]));
            a[3 + i][3 + j] = c * scale * scale * ((i == j ? whole : 0.0) - own[i][j]);
            a[i][j] = i == j ? c * body->def->mass : 0.0;
        }
        rslMat3 between = away.turned;
        int owner = -1;
        for (int k = body->begin; k < body->end; ++k)
        {
            const rslCarried* one = &m->moveds.carried[k];
            double b[3][3];
            between = k >= body->welds && one->body != owner ? Between(body, state, one->body) : between;
            owner = k >= body->welds ? one->body : owner;
            NodeBlock(m, one, k >= body->welds ? &between : NULL, b);
            AddBlock(a, b, rslMatVec(&away.turned, one->arm), scale);
        }
        Factor(a);
    }
}

void rslMoveds_Precondition(rslImplicit* m, const rslNodeVector* force, const rslNodeVector* motion)
{
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslMoved* body = &m->moveds.bodies[r];
        int e = EntryOf(m, r);
        double x[6];
        for (int i = 0; i < 6; ++i)
        {
            x[i] = force->x[i % 3][e + i / 3];
            for (int k = 0; k < i; ++k)
            {
                x[i] -= body->factor[i][k] * x[k];
            }
            x[i] /= body->factor[i][i];
        }
        for (int i = 5; i >= 0; --i)
        {
            for (int k = i + 1; k < 6; ++k)
            {
                x[i] -= body->factor[k][i] * x[k];
            }
            x[i] /= body->factor[i][i];
        }
        bool free = IsFree(body), planar = body->def->planar;
        for (int i = 0; i < 6; ++i)
        {
            motion->x[i % 3][e + i / 3] = free && !(planar && i >= 2 && i < 5) ? x[i] : 0.0;
        }
        Put(motion, e + 2, (rslVec3){ 0 });
    }
    if (m->moveds.joints.count > 0)
    {
        (void)rslMoveds_Join(m, motion, false);
    }
}

// ---- inertia --------------------------------------------------------------------------------------------------------

double rslMoveds_Inertia(const rslImplicit* m, const rslState* state)
{
    rslNodeVector at = rslDisplacements(state);
    double sum = 0.0;
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslMoved* body = &m->moveds.bodies[r];
        rslFrame pose = rslMoveds_Pose(m, r, &at);
        Away away = AwayOf(body, &pose);
        double turns = 0.0;
        for (int i = 0; i < 3; ++i)
        {
            turns += rslDot(away.change.row[i], rslMatVec(&body->moments, away.change.row[i]));
        }
        sum += IsFree(body) ? body->def->mass * rslDot(away.way, away.way) + turns : 0.0;
    }
    return 0.5 * RateSquare(m) * sum;
}

double rslMoveds_Slope(const rslImplicit* m, const rslState* state, const rslNodeVector* motion)
{
    rslNodeVector at = rslDisplacements(state);
    double sum = 0.0;
    for (int r = 0; r < m->moveds.count; ++r)
    {
        const rslMoved* body = &m->moveds.bodies[r];
        rslFrame pose = rslMoveds_Pose(m, r, &at);
        Away away = AwayOf(body, &pose);
        rslWrench d = rslMoveds_Entry(m, r, motion, false);
        sum += body->def->mass * rslDot(away.way, d.force) + rslDot(TurnPull(body, &away), d.torque);
    }
    return RateSquare(m) * sum;
}

double rslMoveds_Rounding(const rslImplicit* m)
{
    double sum = 0.0;
    for (int r = 0; r < m->moveds.count; ++r)
    {
        sum += m->moveds.bodies[r].def->mass * m->moveds.bodies[r].size;
    }
    return 1e-15 * RateSquare(m) * sum;
}
