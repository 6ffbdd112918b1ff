// SPDX-License-Identifier: MIT
//
// collide_plane.c: vertices of a side that touch a plane. Most that touch anything do that, so it asks nobody: a vertex is as far as it is
// high, and closes if
//
//   g <= reach + min(h max(0, -u_n), size) + h^2 sum |w_i||n.a_i|          (collide_touch.c)
//
// where the last sum, over the nodes that it hangs on, is asked for only where sum |w_i||a_i| does not tell. With one plane
// alone it is known of those in the list of few (collide_few.c).

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

// Vertices of a side and a plane; features are those of a piece of work.
typedef struct PlaneSearch
{
    const rslCollide* c;
    const rslSide* side;
    const rslCollider* collider;
    const rslContactPair* rules;
    rslPlane plane;
    double reach;
    bool moves;
} PlaneSearch;

// What it finds of one.
typedef struct Met
{
    int vertex;
    rslVec3 x, v, belt;
    double thick, gap, push;
} Met;

static PlaneSearch SearchOf(const rslCollide* c, const rslSide* side, int k)
{
    const rslCollider* collider = &c->model->colliders[k];
    return (PlaneSearch){ .c = c,
                          .side = side,
                          .collider = collider,
                          .rules = rslCollide_Rules(c, side, k),
                          .plane = c->placed[k].plane,
                          .reach = rslSide_Reach(c, side, k),
                          .moves = collider->moves && !c->look.still };
}

static void Enter(const PlaneSearch* search, int feature, Met* met)
{
    const rslCollide* c = search->c;
    if (c->look.few)
    {
        const rslFewLook* place = &c->few.places[feature];
        met->vertex = c->few.vertices[feature];
        met->x = place->x;
        met->v = place->v;
        met->push = place->push;
        return;
    }
    size_t at = (size_t)(search->side->first + feature);
    met->vertex = feature;
    met->x = rslVec3_Of(c->x + 3 * at);
    met->v = rslVec3_Of(c->v + 3 * at);
    met->push = c->push[at];
}

// Can its gap close in the step?
static bool Closes(const PlaneSearch* search, const Met* met)
{
    const rslCollide* c = search->c;
    double h = c->look.step, towards = -h * rslDot(search->plane.normal, rslSub(met->v, met->belt));
    towards = towards > 0.0 ? towards < search->side->size ? towards : search->side->size : 0.0;
    double near = c->look.reach + towards, slack = 1.0 + 1e-9;
    return met->gap <= near ||
           (met->gap <= near + slack * h * h * met->push &&
            met->gap <= near + h * h * PushOf(c, search->side->skin, met->vertex, search->plane.normal));
}

static bool Meets(const PlaneSearch* search, int feature, Met* met)
{
    Enter(search, feature, met);
    met->thick = rslSide_Half(search->side, met->vertex, search->rules);
    double height = rslDot(search->plane.normal, rslSub(met->x, search->plane.point));
    // with a slack, so that it never decides: a look at few has none of it
    if (!(height <= (1.0 + 1e-9) * search->reach + met->thick))
    {
        return false;
    }
    const rslLook* look = &search->c->look;
    met->belt = search->moves ? rslCollider_Velocity(search->collider, look->time, look->step, met->x) : (rslVec3){ 0 };
    met->gap = height - met->thick;
    return Closes(search, met);
}

// Those of some places in the list of few whose gaps can close. Returns how many.
static int PickClosing(const rslCollide* c, int begin, int end, int picked[RSL_COLLIDE_CHUNK])
{
    const double *gaps = c->few.gaps, *towards = c->few.towards, *pushed = c->few.pushed, reach = c->look.reach;
    int count = 0;
    for (int f = begin; f < end; ++f)
    {
        double near = reach + towards[f];
        picked[count] = f;
        count += (gaps[f] <= near) | (gaps[f] <= near + pushed[f]);
    }
    return count;
}

static void Tell(const PlaneSearch* search, const Met* met, rslCollision* touch)
{
    touch->key[1] = RSL_KEY_VERTEX + (uint32_t)met->vertex;
    touch->velocity = met->belt;
    touch->gap = met->gap;
    touch->point = rslMulAdd(met->x, -met->thick, search->plane.normal);
}

// What is the same of all is copied first: a copy waits for what has just been written in parts.
static void AppendLent(const PlaneSearch* search, rslCollisions* out, const Met* met, const rslCollision* all)
{
    const int* start = search->side->skin->stencilStart + met->vertex;
    if (out->count < out->capacity)
    {
        rslCollision* touch = &out->list[out->count];
        *touch = *all;
        touch->begin = start[0];
        touch->count = start[1] - start[0];
        Tell(search, met, touch);
    }
    ++out->count;
    out->nodeCount += start[1] - start[0];
}

static void Append(const PlaneSearch* search, rslWork* work, const Met* met, rslCollision* touch)
{
    const rslSkin* skin = search->side->skin;
    int first = skin->stencilStart[met->vertex], count = skin->stencilStart[met->vertex + 1] - first;
    if (work->found.lent)
    {
        AppendLent(search, &work->found, met, touch);
        return;
    }
    Tell(search, met, touch);
    rslWork_AppendNodes(work, skin->stencilNodes + first, skin->stencilWeights + first, count, touch);
}

void rslWork_MeetPlane(const rslCollide* c, rslWork* work, int k)
{
    const rslSide* side = &c->sides[work->side];
    const PlaneSearch search = SearchOf(c, side, k);
    const bool known = c->look.few && c->few.single;
    int picked[RSL_COLLIDE_CHUNK], count = known ? PickClosing(c, work->begin, work->end, picked) : 0;
    rslCollision touch = { .key = { (uint32_t)side->body, 0, RSL_KEY_COLLIDER | (uint32_t)k, 0 },
                           .normal = search.plane.normal,
                           .friction = search.rules->friction,
                           .restitution = search.rules->restitution };
    Met met = { 0 };
    for (int i = 0; i < count; ++i)
    {
        Enter(&search, picked[i], &met);
        met.thick = rslSide_Half(side, met.vertex, search.rules);
        met.gap = c->few.gaps[picked[i]];
        Append(&search, work, &met, &touch);
    }
    for (int f = work->begin; !known && f < work->end; ++f)
    {
        if (Meets(&search, f, &met))
        {
            Append(&search, work, &met, &touch);
        }
    }
}

double rslSide_ClosesAt(const rslCollide* c, const rslSide* side, int k, int begin, int end)
{
    const PlaneSearch search = SearchOf(c, side, k);
    double fastest = 0.0;
    for (int f = begin; f < end; ++f)
    {
        Met met;
        if (Meets(&search, f, &met))
        {
            fastest = rslMost(fastest, -rslDot(search.plane.normal, rslSub(met.v, met.belt)));
        }
    }
    return fastest;
}

// As Meets and Closes have it, number by number.
double rslSide_FewCloseAt(const rslCollide* c, const rslSide* side, int begin, int end)
{
    const PlaneSearch search = SearchOf(c, side, 0);
    const rslVec3 n = search.plane.normal, point = search.plane.point;
    const double h = c->look.step, size = side->size, reach = c->look.reach;
    const bool spheres = side->skin->radius != NULL;
    double fastest = 0.0, thick = spheres ? 0.0 : rslSide_Half(side, -1, search.rules);
    for (int f = begin; f < end; ++f)
    {
        const rslFewLook* place = &c->few.places[f];
        thick = spheres ? rslSide_Half(side, c->few.vertices[f], search.rules) : thick;
        double gap = rslDot(n, rslSub(place->x, point)) - thick, along = -rslDot(n, place->v), towards = h * along;
        towards = towards > 0.0 ? towards : 0.0;
        towards = towards < size ? towards : size;
        c->few.gaps[f] = gap;
        c->few.towards[f] = towards;
        c->few.pushed[f] = h * h * place->push;
        double near = reach + towards;
        bool closes = (gap <= near) | (gap <= near + c->few.pushed[f]);
        along = closes ? along : 0.0;
        fastest = along > fastest ? along : fastest;
    }
    return fastest;
}
