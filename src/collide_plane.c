// SPDX-License-Identifier: MIT
//
// collide_plane.c: vertices of a side that touch a plane. Most that touch anything do that, so it asks nobody: a vertex is as far as it is
// high, and closes if
//
//   g <= reach + min(h max(0, -u_n), size) + h^2 sum |w_i||n.a_i|          (collide_touch.c)
//
// where the last sum, over the nodes that it hangs on, is asked for only where sum |w_i||a_i| does not tell.

#include "collide_internal.h"

bool rslSide_Repeats(const rslSide* side)
{
    const rslSkin* skin = side->skin;
    bool repeats = false;
    for (int v = 0; v < skin->vertexCount; ++v)
    {
        for (int i = skin->stencilStart[v]; i < skin->stencilStart[v + 1]; ++i)
        {
            for (int k = skin->stencilStart[v]; k < i; ++k)
            {
                repeats = repeats || skin->stencilNodes[i] == skin->stencilNodes[k];
            }
        }
    }
    return repeats;
}

static double PushOf(const rslCollide* c, const rslSkin* skin, int v, rslVec3 n)
{
    double push = 0.0;
    for (int i = skin->stencilStart[v]; c->look.a != NULL && i < skin->stencilStart[v + 1]; ++i)
    {
        rslVec3 a = rslVec3_Of(c->look.a + 3 * (size_t)skin->stencilNodes[i]);
        push += fabs(skin->stencilWeights[i]) * fabs(rslDot(n, a));
    }
    return push;
}

// Can the gap of a vertex close in the step?
static bool Closes(const rslCollide* c, const rslSide* side, int v, rslVec3 n, rslVec3 belt, double gap)
{
    const rslLook* look = &c->look;
    size_t at = (size_t)(side->first + v);
    double h = look->step, towards = -h * rslDot(n, rslSub(rslVec3_Of(c->v + 3 * at), belt));
    towards = towards > 0.0 ? towards < side->size ? towards : side->size : 0.0;
    double near = look->reach + towards, slack = 1.0 + 1e-9;
    return gap <= near ||
           (gap <= near + slack * h * h * c->push[at] && gap <= near + h * h * PushOf(c, side->skin, v, n));
}

void rslWork_MeetPlane(const rslCollide* c, rslWork* work, int k)
{
    const rslSide* side = &c->sides[work->side];
    const rslSkin* skin = side->skin;
    const rslCollider* collider = &c->model->colliders[k];
    const rslPlane plane = c->placed[k].plane;
    const rslContactPair* rules = rslCollide_Rules(c, side, k);
    double reach = rslSide_Reach(c, side, k);
    bool moves = collider->moves && !c->look.still;
    rslCollision touch = { .key = { (uint32_t)side->body, 0, RSL_KEY_COLLIDER | (uint32_t)k, 0 },
                           .normal = plane.normal,
                           .friction = rules->friction,
                           .restitution = rules->restitution };
    for (int f = work->begin; f < work->end; ++f)
    {
        int v = c->look.few ? c->few.vertices[f] : f;
        rslVec3 x = rslSide_Vertex(c, side, v);
        double thick = rslSide_Half(side, v, rules), height = rslDot(plane.normal, rslSub(x, plane.point));
        if (!(height <= reach + thick))
        {
            continue;
        }
        touch.velocity = moves ? rslCollider_Velocity(collider, c->look.time, c->look.step, x) : touch.velocity;
        touch.gap = height - thick;
        if (Closes(c, side, v, plane.normal, touch.velocity, touch.gap))
        {
            int first = skin->stencilStart[v], count = skin->stencilStart[v + 1] - first;
            touch.key[1] = RSL_KEY_VERTEX + (uint32_t)v;
            touch.point = rslMulAdd(x, -thick, plane.normal);
            rslWork_AppendNodes(work, skin->stencilNodes + first, skin->stencilWeights + first, count, &touch);
        }
    }
}
