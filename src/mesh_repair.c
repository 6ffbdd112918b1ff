// SPDX-License-Identifier: MIT
//
// mesh_repair.c: what can be mended by a fixed rule, in this order:
//   weld     vertices nearer than 1e-6 of the diagonal become the lowest of them;
//   drop     triangles with a repeated vertex; of equal triangles all but one, or all when as many face one way as the
//            other (two solids glued at a face); a triangle whose corners lie on a line splits its neighbour at the
//            middle corner;
//   orient   across each edge of two triangles, the way most of each part face;
//   fill     holes of up to 64 edges with a fan around their mean (a triangle when three edges);
//   outwards parts that are inside out for their nesting are turned over;
//   clean    vertices in no triangle go.
// What remains is for the check to find.

#include "embed.h"
#include "memory.h"
#include "mesh_builder.h"
#include "mesh_parts.h"
#include "vec.h"

#include <string.h>

enum
{
    HOLE_MOST = 64,
    NEAR_MOST = 256,
    PASSES = 8,
};

typedef struct Repair
{
    rslMesh* mesh;
    rslMeshBuilder builder;
    int welded, dropped, equal, split, turned, holes, filled, parts, unused;
} Repair;

static int* TriangleAt(const Repair* repair, int t)
{
    return repair->mesh->triangles + 3 * (size_t)t;
}

static rslVec3 VertexAt(const Repair* repair, int v)
{
    const double* x = repair->mesh->vertices + 3 * (size_t)v;
    return (rslVec3){ x[0], x[1], x[2] };
}

static void Reverse(int* t)
{
    int swap = t[1];
    t[1] = t[2];
    t[2] = swap;
}

// Keep the triangles that are not marked by a negative first index; returns how many went.
static int Compact(Repair* repair)
{
    rslMesh* mesh = repair->mesh;
    int kept = 0;
    for (int t = 0; t < mesh->triangleCount; ++t)
    {
        if (TriangleAt(repair, t)[0] >= 0)
        {
            memmove(TriangleAt(repair, kept++), TriangleAt(repair, t), 3 * sizeof(int));
        }
    }
    int gone = mesh->triangleCount - kept;
    mesh->triangleCount = kept;
    return gone;
}

// ---- weld -----------------------------------------------------------------------------------------------------------

static double Diagonal(const rslMesh* mesh)
{
    double lower[3] = { INFINITY, INFINITY, INFINITY }, upper[3] = { -INFINITY, -INFINITY, -INFINITY }, sum = 0.0;
    for (size_t v = 0; v < (size_t)mesh->vertexCount; ++v)
    {
        for (size_t i = 0; i < 3; ++i)
        {
            lower[i] = fmin(lower[i], mesh->vertices[3 * v + i]);
            upper[i] = fmax(upper[i], mesh->vertices[3 * v + i]);
        }
    }
    for (size_t i = 0; i < 3; ++i)
    {
        sum += (upper[i] - lower[i]) * (upper[i] - lower[i]);
    }
    return sqrt(sum);
}

// same[v]: the vertex v becomes. It starts as the lowest at the very same place.
static void FindNear(Repair* repair, const rslNearest* nearest, int* same, double reach)
{
    int found[NEAR_MOST];
    for (int v = 0; v < repair->mesh->vertexCount; ++v)
    {
        if (same[v] != v)
        {
            same[v] = same[same[v]];
            continue;
        }
        int count = rslNearest_Within(nearest, VertexAt(repair, v), reach, found, NEAR_MOST);
        for (int i = 0; i < count && i < NEAR_MOST; ++i)
        {
            if (found[i] > v && same[found[i]] == found[i])
            {
                same[found[i]] = v;
            }
        }
    }
}

static rslStatus Weld(Repair* repair)
{
    rslMesh* mesh = repair->mesh;
    rslNearest* nearest = NULL;
    int* same = rslAllocate(&mesh->hooks, (size_t)mesh->vertexCount, sizeof *same);
    if (same == NULL || !rslMesh_FindIdentical(mesh->vertices, mesh->vertexCount, &mesh->hooks, same) ||
        rslNearest_Create(mesh->vertices, mesh->vertexCount, &mesh->hooks, &nearest) != rsl_ok)
    {
        rslRelease(&mesh->hooks, same);
        return rsl_outOfMemory;
    }
    FindNear(repair, nearest, same, 1e-6 * Diagonal(mesh));
    rslNearest_Free(nearest);
    for (int v = 0; v < mesh->vertexCount; ++v)
    {
        repair->welded += same[v] != v;
    }
    for (size_t c = 0; c < 3 * (size_t)mesh->triangleCount; ++c)
    {
        mesh->triangles[c] = same[mesh->triangles[c]];
    }
    rslRelease(&mesh->hooks, same);
    return rsl_ok;
}

// ---- drop -----------------------------------------------------------------------------------------------------------

static rslStatus DropEqual(Repair* repair)
{
    rslMesh* mesh = repair->mesh;
    size_t n = (size_t)mesh->triangleCount;
    int* first = rslAllocate(&mesh->hooks, n, sizeof *first);
    int* facing = rslAllocate(&mesh->hooks, n, sizeof *facing);
    int* copies = rslAllocate(&mesh->hooks, n, sizeof *copies);
    bool ready = first != NULL && facing != NULL && copies != NULL &&
                 rslMesh_FindSameTriangles(mesh->triangles, mesh->triangleCount, &mesh->hooks, first);
    for (size_t t = 0; ready && t < n; ++t)
    {
        facing[first[t]] += rslTriangle_Turn(mesh->triangles + 3 * t);
        copies[first[t]] += 1;
    }
    for (size_t t = 0; ready && t < n; ++t)
    {
        if (first[t] != (int)t || (copies[t] > 1 && facing[t] == 0))
        {
            mesh->triangles[3 * t] = -1;
        }
    }
    rslRelease(&mesh->hooks, first);
    rslRelease(&mesh->hooks, facing);
    rslRelease(&mesh->hooks, copies);
    repair->equal += ready ? Compact(repair) : 0;
    return ready ? rsl_ok : rsl_outOfMemory;
}

static void DropRepeating(Repair* repair)
{
    for (int t = 0; t < repair->mesh->triangleCount; ++t)
    {
        if (rslTriangle_Repeats(TriangleAt(repair, t)))
        {
            TriangleAt(repair, t)[0] = -1;
        }
    }
    repair->dropped += Compact(repair);
}

// The corner opposite to the longest side.
static int MiddleCorner(const Repair* repair, const int* t)
{
    int middle = 0;
    double longest = -1.0;
    for (int c = 0; c < 3; ++c)
    {
        rslVec3 d = rslSub(VertexAt(repair, t[(c + 1) % 3]), VertexAt(repair, t[(c + 2) % 3]));
        if (rslDot(d, d) > longest)
        {
            longest = rslDot(d, d);
            middle = c;
        }
    }
    return middle;
}

// The flat triangle has its middle corner b on the side p q of its neighbour p q d: the two become p b d and b q d.
static void SplitNeighbour(Repair* repair, int flat, int corner, int side)
{
    int b = TriangleAt(repair, flat)[corner];
    int p = repair->mesh->triangles[side], q = rslSide_To(repair->mesh->triangles, side);
    int* n = TriangleAt(repair, side / 3);
    int d = n[(side % 3 + 2) % 3];
    int* f = TriangleAt(repair, flat);
    n[0] = p, n[1] = b, n[2] = d;
    f[0] = b, f[1] = q, f[2] = d;
    repair->split += 1;
}

// One pass over edges of two triangles of which exactly one is flat across it. touched keeps the sides valid.
static int SplitPass(Repair* repair, const rslSides* sides, bool* touched)
{
    int changed = 0;
    const int* triangles = repair->mesh->triangles;
    for (size_t begin = 0, end; begin < sides->count; begin = end)
    {
        end = rslSides_RunEnd(sides, begin);
        for (size_t i = 0; end - begin == 2 && i < 2; ++i)
        {
            int side = sides->sides[begin + i], other = sides->sides[begin + 1 - i];
            int t = side / 3, n = other / 3, opposite = (side % 3 + 2) % 3;
            if (touched[t] || touched[n] || !rslTriangle_IsFlat(repair->mesh->vertices, triangles + 3 * (size_t)t) ||
                MiddleCorner(repair, triangles + 3 * (size_t)t) != opposite ||
                rslTriangle_IsFlat(repair->mesh->vertices, triangles + 3 * (size_t)n))
            {
                continue;
            }
            SplitNeighbour(repair, t, opposite, other);
            touched[t] = touched[n] = true;
            ++changed;
        }
    }
    return changed;
}

static rslStatus DropFlat(Repair* repair)
{
    rslMesh* mesh = repair->mesh;
    rslStatus status = rsl_ok;
    for (int pass = 0, changed = 1; pass < PASSES && changed > 0 && status == rsl_ok; ++pass)
    {
        rslSides sides;
        bool* touched = rslAllocate(&mesh->hooks, (size_t)mesh->triangleCount, sizeof *touched);
        status = touched != NULL ? rslSides_Make(mesh->triangles, mesh->triangleCount, &mesh->hooks, &sides)
                                 : rsl_outOfMemory;
        if (status == rsl_ok)
        {
            changed = SplitPass(repair, &sides, touched);
            rslSides_Free(&sides);
        }
        rslRelease(&mesh->hooks, touched);
    }
    for (int t = 0; status == rsl_ok && t < mesh->triangleCount; ++t)
    {
        if (rslTriangle_IsFlat(mesh->vertices, TriangleAt(repair, t)))
        {
            TriangleAt(repair, t)[0] = -1;
        }
    }
    repair->dropped += status == rsl_ok ? Compact(repair) : 0;
    return status;
}

// ---- orient ---------------------------------------------------------------------------------------------------------

// next[side]: the side across the edge; -1 without exactly one neighbour.
static int* FindAcross(const Repair* repair, const rslSides* sides)
{
    int* across = rslAllocate(&repair->mesh->hooks, 3 * (size_t)repair->mesh->triangleCount, sizeof *across);
    for (size_t s = 0; across != NULL && s < 3 * (size_t)repair->mesh->triangleCount; ++s)
    {
        across[s] = -1;
    }
    for (size_t begin = 0, end; across != NULL && begin < sides->count; begin = end)
    {
        end = rslSides_RunEnd(sides, begin);
        if (end - begin == 2)
        {
            across[sides->sides[begin]] = sides->sides[begin + 1];
            across[sides->sides[begin + 1]] = sides->sides[begin];
        }
    }
    return across;
}

// Of one part: when more are reversed than stay, it is the others that are wrong.
static void FollowMost(signed char* turn, const int* members, int count)
{
    int balance = 0;
    for (int i = 0; i < count; ++i)
    {
        balance += turn[members[i]];
    }
    for (int i = 0; balance < 0 && i < count; ++i)
    {
        turn[members[i]] = (signed char)-turn[members[i]];
    }
}

// Visit the triangles breadth first; turn[t] becomes 1 to stay, -1 to be reversed.
static void Spread(const Repair* repair, const int* across, signed char* turn, int* queue)
{
    const int* triangles = repair->mesh->triangles;
    for (int seed = 0; seed < repair->mesh->triangleCount; ++seed)
    {
        int head = 0, tail = 0;
        if (turn[seed] == 0)
        {
            turn[seed] = 1;
            queue[tail++] = seed;
        }
        while (head < tail)
        {
            int t = queue[head++];
            for (int c = 0; c < 3; ++c)
            {
                int side = 3 * t + c, other = across[side];
                if (other >= 0 && turn[other / 3] == 0)
                {
                    bool same = rslSide_From(triangles, side) == rslSide_From(triangles, other);
                    turn[other / 3] = (signed char)(same ? -turn[t] : turn[t]);
                    queue[tail++] = other / 3;
                }
            }
        }
        FollowMost(turn, queue, tail);
    }
}

static rslStatus Orient(Repair* repair)
{
    rslMesh* mesh = repair->mesh;
    size_t n = (size_t)mesh->triangleCount;
    rslSides sides;
    rslStatus status = rslSides_Make(mesh->triangles, mesh->triangleCount, &mesh->hooks, &sides);
    if (status != rsl_ok)
    {
        return status;
    }
    int* across = FindAcross(repair, &sides);
    signed char* turn = rslAllocate(&mesh->hooks, n, 1);
    int* queue = rslAllocate(&mesh->hooks, n, sizeof *queue);
    rslSides_Free(&sides);
    bool ready = across != NULL && turn != NULL && queue != NULL;
    if (ready)
    {
        Spread(repair, across, turn, queue);
    }
    for (int t = 0; ready && t < mesh->triangleCount; ++t)
    {
        if (turn[t] < 0)
        {
            Reverse(TriangleAt(repair, t));
            repair->turned += 1;
        }
    }
    rslRelease(&mesh->hooks, across);
    rslRelease(&mesh->hooks, turn);
    rslRelease(&mesh->hooks, queue);
    return ready ? rsl_ok : rsl_outOfMemory;
}

// ---- fill -----------------------------------------------------------------------------------------------------------

// loop: vertices around the hole in the direction in which the new triangles run.
static void FillLoop(Repair* repair, const int* loop, int count)
{
    repair->holes += 1;
    repair->filled += count == 3 ? 1 : count;
    if (count == 3)
    {
        rslMeshBuilder_Triangle(&repair->builder, loop[0], loop[1], loop[2]);
        return;
    }
    rslVec3 mean = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < count; ++i)
    {
        mean = rslAdd(mean, rslScale(1.0 / count, VertexAt(repair, loop[i])));
    }
    int centre = rslMeshBuilder_Vertex(&repair->builder, mean);
    for (int i = 0; i < count; ++i)
    {
        rslMeshBuilder_Triangle(&repair->builder, loop[i], loop[(i + 1) % count], centre);
    }
}

// An open side from a to b is passed by the filling from b to a: next[b] = a. A vertex with two such sides is not
// followed: its holes touch.
static void FollowLoops(Repair* repair, int* next, int vertexCount)
{
    int loop[HOLE_MOST];
    for (int start = 0; start < vertexCount; ++start)
    {
        int count = 0, v = start;
        while (v >= 0 && next[v] >= 0 && count < HOLE_MOST)
        {
            loop[count++] = v;
            v = next[v];
            if (v == start)
            {
                break;
            }
        }
        bool closed = count >= 3 && v == start;
        for (int i = 0; closed && i < count; ++i)
        {
            next[loop[i]] = -1;
        }
        if (closed)
        {
            FillLoop(repair, loop, count);
        }
    }
}

static rslStatus Fill(Repair* repair)
{
    rslMesh* mesh = repair->mesh;
    rslSides sides;
    int* next = rslAllocate(&mesh->hooks, (size_t)mesh->vertexCount, sizeof *next);
    rslStatus status =
        next != NULL ? rslSides_Make(mesh->triangles, mesh->triangleCount, &mesh->hooks, &sides) : rsl_outOfMemory;
    if (status != rsl_ok)
    {
        rslRelease(&mesh->hooks, next);
        return status;
    }
    for (int v = 0; v < mesh->vertexCount; ++v)
    {
        next[v] = -1;
    }
    for (size_t begin = 0, end; begin < sides.count; begin = end)
    {
        end = rslSides_RunEnd(&sides, begin);
        if (end - begin == 1)
        {
            int from = rslSide_To(mesh->triangles, sides.sides[begin]);
            next[from] = next[from] == -1 ? rslSide_From(mesh->triangles, sides.sides[begin]) : -2;
        }
    }
    rslSides_Free(&sides);
    FollowLoops(repair, next, mesh->vertexCount);
    rslRelease(&mesh->hooks, next);
    return repair->builder.failed ? rsl_outOfMemory : rsl_ok;
}

// ---- outwards, clean ------------------------------------------------------------------------------------------------

static rslStatus FaceOutwards(Repair* repair)
{
    rslMesh* mesh = repair->mesh;
    size_t n = (size_t)mesh->triangleCount;
    rslSides sides;
    rslMeshTree* tree = NULL;
    int* part = rslAllocate(&mesh->hooks, n, sizeof *part);
    bool* wrong = rslAllocate(&mesh->hooks, n, sizeof *wrong);
    rslStatus status = part != NULL && wrong != NULL ? rsl_ok : rsl_outOfMemory;
    if (status == rsl_ok)
    {
        status = rslSides_Make(mesh->triangles, mesh->triangleCount, &mesh->hooks, &sides);
    }
    if (status == rsl_ok)
    {
        rslMesh_FindParts(&sides, mesh->triangleCount, part);
        rslSides_Free(&sides);
        status = rslMeshTree_Create(mesh->vertices, mesh->vertexCount, mesh->triangles, mesh->triangleCount,
                                    &mesh->hooks, &tree);
    }
    if (status == rsl_ok)
    {
        repair->parts = rslMesh_FindInsideOut(tree, part, wrong);
        status = repair->parts < 0 ? rsl_outOfMemory : rsl_ok;
    }
    for (int t = 0; status == rsl_ok && t < mesh->triangleCount; ++t)
    {
        if (wrong[part[t]])
        {
            Reverse(TriangleAt(repair, t));
        }
    }
    rslMeshTree_Free(tree);
    rslRelease(&mesh->hooks, part);
    rslRelease(&mesh->hooks, wrong);
    return status;
}

static rslStatus DropUnused(Repair* repair)
{
    rslMesh* mesh = repair->mesh;
    int* place = rslAllocate(&mesh->hooks, (size_t)mesh->vertexCount, sizeof *place);
    if (place == NULL)
    {
        return rsl_outOfMemory;
    }
    for (size_t c = 0; c < 3 * (size_t)mesh->triangleCount; ++c)
    {
        place[mesh->triangles[c]] = 1;
    }
    int kept = 0;
    for (int v = 0; v < mesh->vertexCount; ++v)
    {
        if (place[v] != 0)
        {
            memmove(mesh->vertices + 3 * (size_t)kept, mesh->vertices + 3 * (size_t)v, 3 * sizeof(double));
            place[v] = kept++;
        }
    }
    // welded vertices are unused now, and have been counted
    int gone = mesh->vertexCount - kept - repair->welded;
    repair->unused = gone > 0 ? gone : 0;
    mesh->vertexCount = kept;
    for (size_t c = 0; c < 3 * (size_t)mesh->triangleCount; ++c)
    {
        mesh->triangles[c] = place[mesh->triangles[c]];
    }
    rslRelease(&mesh->hooks, place);
    return rsl_ok;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static void Note(rslReport* report, int count, const char* one, const char* many)
{
    if (count > 0)
    {
        rslReport_Add(report, rsl_note, (rslPlace){ 0, 0 }, "repair: %d %s", count, count == 1 ? one : many);
    }
}

static void NoteAll(const Repair* r, rslReport* report)
{
    Note(report, r->welded, "vertex welded to another", "vertices welded to others");
    Note(report, r->dropped, "triangle without area dropped", "triangles without area dropped");
    Note(report, r->equal, "repeated triangle dropped", "repeated triangles dropped");
    Note(report, r->split, "triangle split at a vertex on its edge", "triangles split at vertices on their edges");
    Note(report, r->turned, "triangle turned to face as its neighbours",
         "triangles turned to face as their neighbours");
    Note(report, r->holes, "hole filled", "holes filled");
    Note(report, r->parts, "part turned outside out", "parts turned outside out");
    Note(report, r->unused, "unused vertex dropped", "unused vertices dropped");
}

static rslStatus Mend(Repair* repair)
{
    rslStatus status = Weld(repair);
    if (status == rsl_ok)
    {
        DropRepeating(repair);
        status = DropEqual(repair);
    }
    if (status == rsl_ok)
        status = DropFlat(repair);
    if (status == rsl_ok)
        status = Orient(repair);
    if (status == rsl_ok)
        status = Fill(repair);
    if (status == rsl_ok && repair->mesh->triangleCount > 0)
        status = FaceOutwards(repair);
    if (status == rsl_ok)
        status = DropUnused(repair);
    return status;
}

static rslStatus CopyInto(Repair* repair, const double* vertices, int vertexCount, const int* triangles,
                          int triangleCount)
{
    rslMesh* mesh = repair->mesh;
    size_t v = (size_t)vertexCount, t = (size_t)triangleCount;
    mesh->vertices = rslAllocate(&mesh->hooks, v, 3 * sizeof(double));
    mesh->triangles = rslAllocate(&mesh->hooks, t, 3 * sizeof(int));
    if (mesh->vertices == NULL || mesh->triangles == NULL)
    {
        return rsl_outOfMemory;
    }
    memcpy(mesh->vertices, vertices, v * 3 * sizeof(double));
    memcpy(mesh->triangles, triangles, t * 3 * sizeof(int));
    mesh->vertexCount = vertexCount;
    mesh->triangleCount = triangleCount;
    repair->builder = (rslMeshBuilder){ .mesh = mesh, .vertexCapacity = v, .triangleCapacity = t };
    return rsl_ok;
}

// Whether every index and coordinate can be used at all.
static bool NumbersAreSound(const double* vertices, int vertexCount, const int* triangles, int triangleCount)
{
    for (size_t i = 0; i < 3 * (size_t)triangleCount; ++i)
    {
        if (triangles[i] < 0 || triangles[i] >= vertexCount)
        {
            return false;
        }
    }
    for (size_t i = 0; i < 3 * (size_t)vertexCount; ++i)
    {
        if (!isfinite(vertices[i]))
        {
            return false;
        }
    }
    return true;
}

rslStatus rslMesh_Repair(const double* vertices, int vertexCount, const int* triangles, int triangleCount,
                         const rslHooks* hooks, rslMesh* repaired, rslReport* report)
{
    *repaired = (rslMesh){ .hooks = rslHooks_Complete(hooks) };
    if (!NumbersAreSound(vertices, vertexCount, triangles, triangleCount))
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0, 0 },
                      "a mesh with indices out of range or coordinates that are not finite cannot be repaired");
        return rsl_badInput;
    }
    Repair repair = { .mesh = repaired };
    rslStatus status = CopyInto(&repair, vertices, vertexCount, triangles, triangleCount);
    if (status == rsl_ok)
    {
        status = Mend(&repair);
    }
    if (status != rsl_ok)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0, 0 }, "out of memory while repairing a mesh");
        rslMesh_Free(repaired);
        return status;
    }
    NoteAll(&repair, report);
    return rsl_ok;
}
