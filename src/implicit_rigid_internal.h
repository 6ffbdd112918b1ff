// SPDX-License-Identifier: MIT
//
// implicit_rigid_internal.h: what implicit_rigid.c and implicit_rigid_force.c share.

#pragma once

#include "implicit_internal.h"
#include "state_internal.h"
#include "top.h"

enum
{
    ENTRIES = RSL_RIGID_ENTRIES
};

static inline int EntryOf(const rslImplicit* m, int r)
{
    return m->model->nodeCount + ENTRIES * r;
}

static inline rslVec3 At(const rslNodeVector* v, int i)
{
    return (rslVec3){ v->x[0][i], v->x[1][i], v->x[2][i] };
}

static inline void Put(const rslNodeVector* v, int i, rslVec3 a)
{
    v->x[0][i] = a.x;
    v->x[1][i] = a.y;
    v->x[2][i] = a.z;
}

static inline bool IsFree(const rslMoved* body)
{
    return body->def->constraint < 0;
}

// Axes of the body of a welded node to those of the rigid body.
static inline rslMat3 Between(const rslMoved* body, const rslState* state, int owner)
{
    rslMat3 own = rslQuatMatrix(state->frames[owner].rotation), back = rslMat_Transpose(&body->axes);
    return rslMat_Product(&back, &own);
}

// D, and S or D N Q_g^T.
typedef struct Away
{
    rslVec3 way;            // t - t_g
    rslMat3 turned, aimed;  // Q, Q_g
    rslMat3 change;         // D
} Away;

static inline Away AwayOf(const rslMoved* body, const rslFrame* pose)
{
    Away away = { .turned = rslQuatMatrix(pose->rotation), .aimed = rslQuatMatrix(body->goal.rotation) };
    away.way = rslSub(rslTop_Centre(body->def, pose), rslTop_Centre(body->def, &body->goal));
    for (int i = 0; i < 3; ++i)
    {
        away.change.row[i] = rslSub(away.turned.row[i], away.aimed.row[i]);
    }
    return away;
}

// A N Q_g^T
static inline rslMat3 Times(const rslMoved* body, const rslMat3* a, const rslMat3* aimed)
{
    rslMat3 product = rslMat_Product(a, &body->moments), back = rslMat_Transpose(aimed);
    return rslMat_Product(&product, &back);
}

// -a(D N Q_g^T)
static inline rslVec3 TurnPull(const rslMoved* body, const Away* away)
{
    rslMat3 s = Times(body, &away->change, &away->aimed);
    return (rslVec3){ s.row[2].y - s.row[1].z, s.row[0].z - s.row[2].x, s.row[1].x - s.row[0].y };
}

static inline double RateSquare(const rslImplicit* m)
{
    return m->stage.rate * m->stage.rate;
}
