// SPDX-License-Identifier: MIT
//
// tet_border.c: which tetrahedra to take so that their border is a surface without slivers.
//
// Where the border touches itself in an edge or a corner, the lesser part changes sides. Slivers at the border, flat ones with
// all corners on the surface, are peeled off as far as the border stays a surface.

#include "tet_filler.h"

#include "lists.h"
#include "memory.h"
#include "mesh_topology.h"

#define SLIVER 0.01 /* volume over the cube of the longest edge; 0.118 for a regular one */

double rslFiller_Volume(const rslFiller* filler, int tet, double* longest)
{
    const int* corner = rslFiller_Corners(filler, tet);
    rslVec3 x[4];
    double most = 0.0;
    for (int c = 0; c < 4; ++c)
    {
        x[c] = rslFiller_Point(filler, corner[c]);
        for (int k = 0; k < c; ++k)
        {
            double length = rslLength(rslSub(x[c], x[k]));
            most = length > most ? length : most;
        }
    }
    *longest = most;
    return rslDot(rslCross(rslSub(x[1], x[0]), rslSub(x[2], x[0])), rslSub(x[3], x[0])) / 6.0;
}

bool rslFiller_OnSurface(const rslFiller* filler, int tet)
{
    int count = 0;
    for (int c = 0; c < 4; ++c)
    {
        count += rslFiller_Corners(filler, tet)[c] < filler->points.surfaceCount;
    }
    return count == 4;
}

bool rslFiller_IsSliver(const rslFiller* filler, int tet, double least)
{
    double longest, volume = rslFiller_Volume(filler, tet, &longest);
    return rslFiller_OnSurface(filler, tet) && volume < least * longest * longest * longest;
}

// Does the inside end at this face?
static bool IsOpen(const rslFiller* filler, int tet, int side)
{
    int other = filler->delaunay.neighbours[4 * (size_t)tet + (size_t)side];
    return other < 0 || !filler->inside[other];
}

// ---- around an edge -------------------------------------------------------------------------------------------------------

enum
{
    AROUND_MOST = 64,
    BEYOND = -1,  // in the place of a tetrahedron: outside of the hull
};

// A tetrahedron at an edge, and its two corners that are not on the edge.
typedef struct Turn
{
    int tet, leave, next;
} Turn;

// Over the face opposite to the corner `leave`. False at the hull.
static bool TurnOn(const rslFiller* filler, Turn* turn)
{
    const int* neighbours = filler->delaunay.neighbours;
    int side = 0, far = 0;
    while (rslFiller_Corners(filler, turn->tet)[side] != turn->leave)
    {
        ++side;
    }
    int other = neighbours[4 * (size_t)turn->tet + (size_t)side];
    if (other < 0)
    {
        return false;
    }
    while (neighbours[4 * (size_t)other + (size_t)far] != turn->tet)
    {
        ++far;
    }
    *turn = (Turn){ other, turn->next, rslFiller_Corners(filler, other)[far] };
    return true;
}

// All tetrahedra around the edge opposite to the corners a and b of one of them, in a circle; what is beyond the hull counts
// as one. 0 when there are too many.
static int Around(const rslFiller* filler, int tet, int a, int b, int around[AROUND_MOST])
{
    Turn turn = { tet, rslFiller_Corners(filler, tet)[a], rslFiller_Corners(filler, tet)[b] };
    bool on = TurnOn(filler, &turn);
    while (on && turn.tet != tet)
    {
        on = TurnOn(filler, &turn);
    }
    // from the hull back, or once more round
    int start = turn.tet, count = 0;
    turn = (Turn){ start, turn.next, turn.leave };
    do
    {
        if (count >= AROUND_MOST - 1)
        {
            return 0;
        }
        around[count++] = turn.tet;
        on = TurnOn(filler, &turn);
    } while (on && turn.tet != start);
    if (!on)
    {
        around[count++] = BEYOND;
    }
    return count;
}

static bool IsIn(const rslFiller* filler, int tet)
{
    return tet != BEYOND && filler->inside[tet];
}

// Where the inside around an edge begins: once at the border, never inside, more often where parts touch in that edge alone.
static int Beginnings(const rslFiller* filler, const int* around, int count)
{
    int begins = 0;
    for (int i = 0; i < count; ++i)
    {
        begins += IsIn(filler, around[i]) && !IsIn(filler, around[(i + count - 1) % count]);
    }
    return begins;
}

// ---- peeling --------------------------------------------------------------------------------------------------------------

// Does the border stay a surface when this one goes? It does when it has three faces in it; or two, and not their opposite
// edge; or one, and not its opposite corner.
static bool IsLoose(const rslFiller* filler, int tet, const int* openFaces)
{
    int open = 0, shut[4], shutCount = 0, last = 0;
    for (int side = 0; side < 4; ++side)
    {
        bool isOpen = IsOpen(filler, tet, side);
        open += isOpen;
        last = isOpen ? side : last;
        if (!isOpen)
        {
            shut[shutCount++] = side;
        }
    }
    int around[AROUND_MOST];
    switch (open)
    {
        case 0: return false;
        case 1: return openFaces[rslFiller_Corners(filler, tet)[last]] == 0;
        case 2:
        {
            // the corners opposite to shut faces are those of both open ones
            int count = Around(filler, tet, shut[0], shut[1], around);
            return count > 0 && Beginnings(filler, around, count) == 0;
        }
        default: return true;
    }
}

static void CountFaces(const rslFiller* filler, int tet, int by, int* openFaces)
{
    for (int i = 0; i < 12; ++i)
    {
        int side = i / 3, corner = (side + 1 + i % 3) % 4;
        openFaces[rslFiller_Corners(filler, tet)[corner]] += IsOpen(filler, tet, side) ? by : 0;
    }
}

// A tetrahedron goes in or out; its open faces and those of its neighbours are counted anew.
static void Flip(rslFiller* filler, int tet, int* openFaces)
{
    int group[5] = { tet }, count = 1;
    for (int side = 0; side < 4; ++side)
    {
        int other = filler->delaunay.neighbours[4 * (size_t)tet + (size_t)side];
        if (other >= 0)
        {
            group[count++] = other;
        }
    }
    for (int pass = -1; pass <= 1; pass += 2)
    {
        for (int i = 0; i < count; ++i)
        {
            if (filler->inside[group[i]])
            {
                CountFaces(filler, group[i], pass, openFaces);
            }
        }
        filler->inside[tet] = filler->inside[tet] != (pass < 0);
    }
}

// From the border inwards; what lies under a sliver is at the border next.
static void PeelSlivers(rslFiller* filler, int* openFaces)
{
    int *queue = filler->scratch, count = 0, kept = 0;
    for (int t = 0; t < filler->delaunay.count; ++t)
    {
        if (filler->inside[t])
        {
            CountFaces(filler, t, 1, openFaces);
            if (rslFiller_IsSliver(filler, t, SLIVER))
            {
                queue[count++] = t;
            }
        }
    }
    // one that is not loose yet may become so when another one has gone
    for (bool again = true; again; count = kept)
    {
        again = false;
        kept = 0;
        for (int q = 0; q < count; ++q)
        {
            if (IsLoose(filler, queue[q], openFaces))
            {
                Flip(filler, queue[q], openFaces);
                again = true;
            }
            else
            {
                queue[kept++] = queue[q];
            }
        }
    }
}

// ---- parts that touch in an edge ------------------------------------------------------------------------------------------

// Of the runs around an edge that are inside or outside, the one of least volume changes sides.
static void FlipLeast(rslFiller* filler, const int* around, int count)
{
    int first = 0, bestFirst = 0, bestLength = 0;
    double best = HUGE_VAL, longest;
    while (IsIn(filler, around[first]) == IsIn(filler, around[(first + count - 1) % count]))
    {
        ++first;
    }
    for (int i = 0; i < count;)
    {
        int length = 0;
        double volume = 0.0;
        bool in = IsIn(filler, around[(first + i) % count]);
        for (; i + length < count && IsIn(filler, around[(first + i + length) % count]) == in; ++length)
        {
            int tet = around[(first + i + length) % count];
            volume += tet == BEYOND ? HUGE_VAL : rslFiller_Volume(filler, tet, &longest);
        }
        if (volume < best)
        {
            best = volume;
            bestFirst = first + i;
            bestLength = length;
        }
        i += length;
    }
    for (int i = 0; i < bestLength; ++i)
    {
        int tet = around[(bestFirst + i) % count];
        filler->inside[tet] = !filler->inside[tet];
    }
}

static int JoinEdges(rslFiller* filler, int t)
{
    int changed = 0, around[AROUND_MOST];
    for (int edge = 0; edge < 6; ++edge)
    {
        static const int opposite[6][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } };
        int a = opposite[edge][0], b = opposite[edge][1];
        // an edge where parts touch has open faces on it
        if (!filler->inside[t] || (!IsOpen(filler, t, a) && !IsOpen(filler, t, b)))
        {
            continue;
        }
        int count = Around(filler, t, a, b, around);
        if (count > 0 && Beginnings(filler, around, count) > 1)
        {
            FlipLeast(filler, around, count);
            ++changed;
        }
    }
    return changed;
}

// Parts of the tetrahedra at a point that are joined by faces at it, all inside or all outside; parent leads to the lowest of
// each part. What is beyond the hull is one more of them, at the end. Returns how many there are then.
static int PartsAt(const rslFiller* filler, int point, const int* list, int count, int* parent)
{
    bool hull = false;
    for (int i = 0; i <= count; ++i)
    {
        parent[i] = i;
    }
    for (int i = 0; i < 4 * count; ++i)
    {
        int tet = list[i / 4], other = filler->delaunay.neighbours[4 * (size_t)tet + (size_t)(i % 4)], k = 0;
        if (rslFiller_Corners(filler, tet)[i % 4] != point)
        {
            while (k < count && list[k] != other)
            {
                ++k;
            }
            hull = hull || other == BEYOND;
            if (IsIn(filler, tet) == IsIn(filler, other))
            {
                rslSet_Join(parent, i / 4, k);
            }
        }
    }
    return count + hull;
}

// Where there is more than one part inside, or outside, the least of these changes sides.
static int JoinCorner(rslFiller* filler, int point, const int* list, int count)
{
    int parent[AROUND_MOST], parts[2] = { 0, 0 }, least = -1;
    double volume[AROUND_MOST] = { 0.0 }, longest;
    if (count >= AROUND_MOST)
    {
        return 0;
    }
    int all = PartsAt(filler, point, list, count, parent), beyond = rslSet_Find(parent, count);
    for (int i = 0; i < all; ++i)
    {
        int root = rslSet_Find(parent, i);
        parts[i < count && filler->inside[list[i]]] += root == i;
        volume[root] += i < count ? rslFiller_Volume(filler, list[i], &longest) : 0.0;
    }
    for (int i = 0; i < count; ++i)
    {
        bool extra = rslSet_Find(parent, i) == i && i != beyond && parts[filler->inside[list[i]]] > 1;
        least = extra && (least < 0 || volume[i] < volume[least]) ? i : least;
    }
    for (int i = 0; least >= 0 && i < count; ++i)
    {
        filler->inside[list[i]] = filler->inside[list[i]] != (rslSet_Find(parent, i) == least);
    }
    return least >= 0;
}

// One change may call for another; a few rounds settle nearly all. start and list: the tetrahedra of every point.
static void Join(rslFiller* filler, const int* start, const int* list)
{
    enum
    {
        ROUNDS = 10
    };
    int changed = 1;
    for (int round = 0; round < ROUNDS && changed > 0; ++round)
    {
        changed = 0;
        for (int t = 0; t < filler->delaunay.count; ++t)
        {
            changed += JoinEdges(filler, t);
        }
        for (int p = 0; p < filler->points.surfaceCount; ++p)
        {
            changed += JoinCorner(filler, p, list + start[p], start[p + 1] - start[p]);
        }
    }
}

// ---- together -----------------------------------------------------------------------------------------------------------

bool rslFiller_MendBorder(rslFiller* filler)
{
    const rslHooks* hooks = &filler->points.hooks;
    int corners = 4 * filler->delaunay.count, points = filler->points.count;
    int* start = rslAllocate(hooks, (size_t)points + 1, sizeof(int));
    int* list = rslAllocate(hooks, (size_t)corners, sizeof(int));
    int* openFaces = rslAllocate(hooks, (size_t)points, sizeof(int));
    bool ready = start != NULL && list != NULL && openFaces != NULL;
    if (ready)
    {
        rslInvert(filler->delaunay.corners, corners, points, start, list);
        for (int i = 0; i < corners; ++i)
        {
            list[i] /= 4;
        }
        Join(filler, start, list);
        PeelSlivers(filler, openFaces);
    }
    rslRelease(hooks, start);
    rslRelease(hooks, list);
    rslRelease(hooks, openFaces);
    return ready;
}
