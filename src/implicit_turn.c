// SPDX-License-Identifier: MIT
//
// implicit_turn.c: Newton steps of bodies that turn.
//
// A step that turns a body by an angle stretches it by half of the square of that if its nodes go straight, and what that takes is no
// matter of the step but of the way: of a stiff body, more than all of its energy. So bodies turn as a whole along a step, and go straight
// beyond that only. With d = t + a x (y - c) + e, t and a of the whole body (rigid_part.h), e what it does within,
//
//   y(s) = c + s t + R(s a) (y - c + s e),   dy/ds = d at 0
//
// Bodies that something holds, and those of linear elements, go straight.

#include "elementary.h"
#include "implicit_internal.h"
#include "level.h"
#include "rigid_part.h"
#include "vec.h"

bool rslTurns_Make(rslImplicit* m)
{
    int plane = m->model->plane == rsl_planeXY ? 4 : 0;
    m->turns = rslArena_Allocate(&m->arena, (size_t)m->model->bodyCount + 1, sizeof(rslTurn));
    m->rest = rslArena_Allocate(&m->arena, 3 * (size_t)m->model->nodeCount + 1, sizeof(double));
    if (m->rest == NULL)
    {
        return false;
    }
    for (int b = 0; m->turns != NULL && b < m->model->bodyCount; ++b)
    {
        const rslBody* body = &m->model->bodies[b];
        rslBody_Rest(body, body->firstNode, body->firstNode + body->nodeCount, m->rest + 3 * (size_t)body->firstNode);
        bool rigid = rslModel_Rigid(m->model, b) != NULL;
        bool straight = rigid || (body->elements.count > 0 && body->elements.law == rsl_linearElement);
        for (int i = body->firstNode; !straight && i < body->firstNode + body->nodeCount; ++i)
        {
            straight = (m->unknowns.axes[i] & ~plane) != 0;
        }
        m->turns[b].may = !straight;
        m->straight = m->straight || (straight && !rigid);
    }
    return m->turns != NULL;
}

static rslVec3 Get(const rslNodeVector* v, int i)
{
    return (rslVec3){ v->x[0][i], v->x[1][i], v->x[2][i] };
}

static void Put(const rslNodeVector* v, int i, rslVec3 a)
{
    v->x[0][i] = a.x;
    v->x[1][i] = a.y;
    v->x[2][i] = a.z;
}

bool rslTurns_Find(rslImplicit* m, const rslState* state)
{
    static const double least = 1e-6;  // angle whose stretch is a matter of rounding
    rslState moving = *state;
    bool any = false;
    for (int axis = 0; axis < 3; ++axis)
    {
        moving.velocity[axis] = m->direction.x[axis];
    }
    for (int b = 0; b < m->model->bodyCount; ++b)
    {
        rslTurn* turn = &m->turns[b];
        turn->turns = false;
        if (turn->may)
        {
            rslRigidPart part = rslRigidPart_Of(m->model, &moving, &m->model->bodies[b]);
            turn->centre = part.centre;
            turn->way = part.velocity;
            turn->turn = rslLevel_Solve(part.inertia, part.spin);
            turn->turns = rslLength(turn->turn) > least;
        }
        any = any || turn->turns;
    }
    return any;
}

void rslTurns_Place(rslImplicit* m, rslState* state, double s)
{
    rslNodeVector at = rslDisplacements(state);
    for (int b = 0; b < m->model->bodyCount; ++b)
    {
        const rslBody* body = &m->model->bodies[b];
        const rslTurn* turn = &m->turns[b];
        rslMat3 rotation = rslQuatMatrix(rslQuatFromTurn(rslScale(s, turn->turn)));
        for (int i = body->firstNode; turn->turns && i < body->firstNode + body->nodeCount; ++i)
        {
            rslVec3 rest = rslVec3_Of(&m->rest[3 * (size_t)i]),
                    arm = rslSub(rslAdd(rest, Get(&m->start, i)), turn->centre);
            rslVec3 within = rslSub(Get(&m->direction, i), rslAdd(turn->way, rslCross(turn->turn, arm)));
            rslVec3 y = rslMatVec(&rotation, rslMulAdd(arm, s, within));
            Put(&at, i, rslSub(rslAdd(rslMulAdd(turn->centre, s, turn->way), y), rest));
        }
    }
}

void rslTurns_Way(rslImplicit* m, const rslState* state, double s, const rslNodeVector* way)
{
    rslNodeVector at = rslDisplacements(state);
    rslUnknowns_Copy(&m->unknowns, way, &m->direction);
    rslUnknowns_Combine(&m->unknowns, way, s, 0.0, &m->direction);
    for (int b = 0; b < m->model->bodyCount; ++b)
    {
        const rslBody* body = &m->model->bodies[b];
        for (int i = body->firstNode; m->turns[b].turns && i < body->firstNode + body->nodeCount; ++i)
        {
            Put(way, i, rslSub(Get(&at, i), Get(&m->start, i)));
        }
    }
}
