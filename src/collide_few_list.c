// SPDX-License-Identifier: MIT
//
// collide_few_list.c: which vertices are listed as those that can meet planes soon (collide_few.c).
//
// Vertices that hang on nodes near each other are a group, which has its own margin: what moves fast, or is near, is asked for again sooner
// than what is not. Of the vertices of a group that are not listed it is told how far the nearest of them is from all planes; whoever counts
// how far they go since then knows when the group has to be listed anew, and nothing else has.

#include "collide_internal.h"

#include <string.h>

enum
{
    FEW = 1024  // nodes: more are looked at by all threads, unless they are few of all
};

// ---- making ---------------------------------------------------------------------------------------------------------

// Vertices in order of their groups, and in each in their own.
static void SortVertices(rslFew* few, const int* group, int vertices)
{
    memset(few->groupStart, 0, ((size_t)few->groups + 1) * sizeof(int));
    for (int v = 0; v < vertices; ++v)
    {
        few->groupStart[group[v] + 1] += 1;
    }
    for (int g = 0; g < few->groups; ++g)
    {
        few->groupStart[g + 1] += few->groupStart[g];
    }
    for (int v = 0; v < vertices; ++v)
    {
        few->byGroup[few->groupStart[group[v]]++] = v;
    }
    for (int g = few->groups; g > 0; --g)
    {
        few->groupStart[g] = few->groupStart[g - 1];
    }
    few->groupStart[0] = 0;
}

// That of a group: none is of two.
static const rslSide* SideOf(const rslCollide* c, int group)
{
    int first = c->few.byGroup[c->few.groupStart[group]], s = 0;
    while (s + 1 < c->sideCount && c->sides[s + 1].first <= first)
    {
        ++s;
    }
    return &c->sides[s];
}

// The contact nodes of a group, each once: out NULL, only how many they are. Slots have not had the mark yet.
static int GatherNodes(rslCollide* c, int group, int mark, int* out)
{
    rslFew* few = &c->few;
    const int begin = few->groupStart[group], end = few->groupStart[group + 1];
    const rslSide* side = begin < end ? SideOf(c, group) : NULL;
    int count = 0;
    for (int i = begin; i < end; ++i)
    {
        const int* start = side->skin->stencilStart + (few->byGroup[i] - side->first);
        for (int e = start[0]; e < start[1]; ++e)
        {
            int node = side->skin->stencilNodes[e];
            bool added = few->slot[node] != mark;
            few->slot[node] = mark;
            if (added && out != NULL)
            {
                out[count] = node;
            }
            count += added;
        }
    }
    return count;
}

static bool MakeGroupNodes(rslCollide* c)
{
    rslFew* few = &c->few;
    memset(few->slot, 0, (size_t)c->model->contactNodeCount * sizeof(int));
    for (int g = 0; g < few->groups; ++g)
    {
        few->groupNodeStart[g + 1] = few->groupNodeStart[g] + GatherNodes(c, g, g + 1, NULL);
    }
    few->groupNodes = rslArena_Allocate(&c->arena, (size_t)few->groupNodeStart[few->groups], sizeof(int));
    for (int g = 0; few->groupNodes != NULL && g < few->groups; ++g)
    {
        (void)GatherNodes(c, g, few->groups + g + 1, few->groupNodes + few->groupNodeStart[g]);
    }
    return few->groupNodes != NULL;
}

bool rslCollide_MakeGroups(rslCollide* c, const int* group, int groups)
{
    rslFew* few = &c->few;
    few->groups = groups;
    few->byGroup = rslArena_Allocate(&c->arena, (size_t)c->vertexCount, sizeof(int));
    few->groupStart = rslArena_Allocate(&c->arena, (size_t)groups + 2, sizeof(int));
    few->groupNodeStart = rslArena_Allocate(&c->arena, (size_t)groups + 1, sizeof(int));
    few->listed = rslArena_Allocate(&c->arena, (size_t)c->vertexCount + sizeof(uint64_t), sizeof(bool));
    few->groupListed = rslArena_Allocate(&c->arena, (size_t)groups, sizeof(int));
    if (few->byGroup == NULL || few->groupStart == NULL || few->groupNodeStart == NULL || few->listed == NULL ||
        few->groupListed == NULL)
    {
        return false;
    }
    SortVertices(few, group, c->vertexCount);
    return MakeGroupNodes(c);
}

const int* rslCollide_GroupNodes(const rslCollide* c, int group, int* count)
{
    *count = c->few.groupNodeStart[group + 1] - c->few.groupNodeStart[group];
    return c->few.groupNodes + c->few.groupNodeStart[group];
}

int rslCollide_GroupListed(const rslCollide* c, int group)
{
    return c->few.groupListed[group];
}

// ---- how far, how fast ----------------------------------------------------------------------------------------------

// The least height over a plane, less what it is thick at most.
static double Height(const rslCollide* c, const rslSide* side, rslVec3 x)
{
    double least = INFINITY;
    for (int k = 0; k < c->model->colliderCount; ++k)
    {
        if (c->model->colliders[k].type == rsl_planeCollider)
        {
            const rslPlane* plane = &c->placed[k].plane;
            double gap = rslDot(plane->normal, rslSub(x, plane->point));
            least = gap >= least ? least : gap;
        }
    }
    return least - side->thick - side->more;
}

static rslVec3 PlaceOf(const rslSkin* skin, int v, const double* x)
{
    rslVec3 place = { 0 };
    for (int e = skin->stencilStart[v]; e < skin->stencilStart[v + 1]; ++e)
    {
        place = rslMulAdd(place, skin->stencilWeights[e], rslVec3_Of(x + 3 * (size_t)skin->stencilNodes[e]));
    }
    return place;
}

double rslCollide_ListGroup(rslCollide* c, int group, const double* x, double margin)
{
    rslFew* few = &c->few;
    const int begin = few->groupStart[group], end = few->groupStart[group + 1];
    const rslSide* side = begin < end ? SideOf(c, group) : NULL;
    double room = INFINITY;
    few->groupListed[group] = 0;
    for (int i = begin; i < end; ++i)
    {
        int v = few->byGroup[i];
        double height = Height(c, side, PlaceOf(side->skin, v - side->first, x));
        few->listed[v] = !(height > margin);
        few->groupListed[group] += few->listed[v];
        room = few->listed[v] || height >= room ? room : height;
    }
    return room;
}

double rslCollide_GroupSpeed(const rslCollide* c, int group, const double* v, const double* kick)
{
    const rslFew* few = &c->few;
    const int begin = few->groupStart[group], end = few->groupStart[group + 1];
    const rslSide* side = begin < end ? SideOf(c, group) : NULL;
    double most = 0.0;
    for (int i = begin; i < end; ++i)
    {
        rslVec3 before = PlaceOf(side->skin, few->byGroup[i] - side->first, v);
        rslVec3 after = rslAdd(before, PlaceOf(side->skin, few->byGroup[i] - side->first, kick));
        most = rslMost(rslMost(most, rslDot(before, before)), rslDot(after, after));
    }
    return most;
}

// ---- listing --------------------------------------------------------------------------------------------------------

static void AddVertex(rslFew* few, const rslSkin* skin, int v)
{
    few->vertices[few->vertexCount++] = v;
    for (int i = skin->stencilStart[v]; i < skin->stencilStart[v + 1]; ++i)
    {
        few->slot[skin->stencilNodes[i]] = 1;
    }
}

// Those of a side that are listed: most are not, and are passed by eight at a time.
static void AddSide(rslCollide* c, const rslSide* side)
{
    const bool* listed = c->few.listed + side->first;
    for (int v = 0; v < side->skin->vertexCount;)
    {
        uint64_t eight;
        memcpy(&eight, listed + v, sizeof eight);
        for (int i = v; eight != 0 && i < v + 8 && i < side->skin->vertexCount; ++i)
        {
            if (listed[i])
            {
                AddVertex(&c->few, side->skin, i);
            }
        }
        v += 8;
    }
}

// Those that vertices hang on, in their order: neighbours are looked at together.
static void AddNodes(rslFew* few, int count)
{
    few->nodeCount = 0;
    for (int n = 0; n < count; ++n)
    {
        bool listed = few->slot[n] != 0;
        few->nodes[few->nodeCount] = n;
        few->slot[n] = few->nodeCount;
        few->nodeCount += listed;
    }
}

bool rslCollide_GatherFew(rslCollide* c)
{
    rslFew* few = &c->few;
    int nodes = c->model->contactNodeCount;
    memset(few->slot, 0, (size_t)nodes * sizeof(int));
    few->vertexCount = 0;
    for (int s = 0; s < c->sideCount; ++s)
    {
        few->start[s] = few->vertexCount;
        AddSide(c, &c->sides[s]);
    }
    few->start[c->sideCount] = few->vertexCount;
    AddNodes(few, nodes);
    return few->nodeCount <= FEW || few->nodeCount <= nodes / 4;
}

bool rslCollide_ListFew(rslCollide* c, double margin, const double* x, const double* margins, double* rooms)
{
    bool lists = c->few.possible && c->activeCount == 0 && !c->look.few && rslCollide_AreApart(c, 2.0 * margin);
    for (int s = 0; lists && s < c->sideCount; ++s)
    {
        lists = rslCollide_IsAlone(c, &c->sides[s], margin);
    }
    for (int g = 0; lists && g < c->few.groups; ++g)
    {
        rooms[g] = rslCollide_ListGroup(c, g, x, margins[g]);
    }
    return lists && rslCollide_GatherFew(c);
}
