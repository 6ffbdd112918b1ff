// SPDX-License-Identifier: MIT
//
// model_select.c: nodes chosen by where they are at rest.
//
// Regions are closed and widened by 1e-6 of the body's size, so that a box that ends at a row of nodes has the row
// whatever the rounding, also where the nodes come from a mesh file in single precision.

#include "build.h"
#include "vec.h"

#include <stdlib.h>
#include <string.h>

enum
{
    CHUNK = 256  // nodes whose positions are asked for at a time
};

typedef struct Selection
{
    const rslModel* model;
    const rslNodeSetDef* def;
    int firstBody, endBody;
    int* nodes;  // room for all nodes of these bodies
    int count;
} Selection;

static rslVec3 SizeOf(rslBounds bounds)
{
    return rslSub(bounds.upper, bounds.lower);
}

// Negative inside of the region, in metres: how far a node is from being chosen.
static double Outside(const rslNodeSetDef* def, rslVec3 normal, rslVec3 x)
{
    switch (def->type)
    {
        case rsl_boxNodes:
        {
            const double gap[6] = { def->min.x - x.x, x.x - def->max.x, def->min.y - x.y,
                                    x.y - def->max.y, def->min.z - x.z, x.z - def->max.z };
            double largest = gap[0];
            for (int i = 1; i < 6; ++i)
            {
                largest = gap[i] > largest ? gap[i] : largest;
            }
            return largest;
        }
        case rsl_sphereNodes: return rslLength(rslSub(x, def->point)) - def->radius;
        case rsl_planeNodes: return rslDot(normal, rslSub(def->point, x));
        default: return -HUGE_VAL;
    }
}

static void SelectRegion(Selection* selection)
{
    double xyz[3 * CHUNK];
    rslVec3 normal = rslNormalize(selection->def->normal);
    for (int b = selection->firstBody; b < selection->endBody; ++b)
    {
        const rslBody* body = &selection->model->bodies[b];
        double tolerance = 1e-6 * rslLength(SizeOf(rslBody_WorldBounds(body)));
        int end = body->firstNode + body->nodeCount;
        for (int begin = body->firstNode; begin < end; begin += CHUNK)
        {
            int count = end - begin < CHUNK ? end - begin : CHUNK;
            rslBody_WorldRest(body, begin, begin + count, xyz);
            for (int i = 0; i < count; ++i)
            {
                rslVec3 x = { xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2] };
                if (Outside(selection->def, normal, x) <= tolerance)
                {
                    selection->nodes[selection->count++] = begin + i;
                }
            }
        }
    }
}

// ---- nearest --------------------------------------------------------------------------------------------------------

typedef struct Candidate
{
    double distance;  // squared
    int node;
} Candidate;

static bool Farther(Candidate a, Candidate b)
{
    return a.distance > b.distance || (a.distance == b.distance && a.node > b.node);
}

// Put an item where the heap has a hole at its root: the farthest is on top.
static void SiftDown(Candidate* heap, int count, Candidate item)
{
    int hole = 0;
    for (int child = 1; child < count; child = 2 * hole + 1)
    {
        child += child + 1 < count && Farther(heap[child + 1], heap[child]) ? 1 : 0;
        if (!Farther(heap[child], item))
        {
            break;
        }
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = item;
}

static void SiftUp(Candidate* heap, int count, Candidate item)
{
    int hole = count;
    while (hole > 0 && Farther(item, heap[(hole - 1) / 2]))
    {
        heap[hole] = heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    heap[hole] = item;
}

// The wanted nearest in a heap with the farthest of them on top; returns how many there are.
static int FindNearest(const Selection* selection, rslVec3 point, int wanted, Candidate* heap)
{
    double xyz[3 * CHUNK];
    int kept = 0;
    for (int b = selection->firstBody; b < selection->endBody; ++b)
    {
        const rslBody* body = &selection->model->bodies[b];
        int end = body->firstNode + body->nodeCount;
        for (int begin = body->firstNode; begin < end; begin += CHUNK)
        {
            int count = end - begin < CHUNK ? end - begin : CHUNK;
            rslBody_WorldRest(body, begin, begin + count, xyz);
            for (int i = 0; i < count; ++i)
            {
                rslVec3 d = rslSub((rslVec3){ xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2] }, point);
                Candidate item = { rslDot(d, d), begin + i };
                if (kept < wanted)
                {
                    SiftUp(heap, kept++, item);
                }
                else if (Farther(heap[0], item))
                {
                    SiftDown(heap, kept, item);
                }
            }
        }
    }
    return kept;
}

static int CompareInts(const void* a, const void* b)
{
    int x = *(const int*)a, y = *(const int*)b;
    return (x > y) - (x < y);
}

static rslStatus SelectNearest(Selection* selection, int total)
{
    int wanted = selection->def->count < total ? selection->def->count : total;
    Candidate* heap = rslAllocate(&selection->model->hooks, (size_t)wanted, sizeof(Candidate));
    if (heap == NULL)
    {
        return rsl_outOfMemory;
    }
    selection->count = FindNearest(selection, selection->def->point, wanted, heap);
    for (int i = 0; i < selection->count; ++i)
    {
        selection->nodes[i] = heap[i].node;
    }
    rslRelease(&selection->model->hooks, heap);
    qsort(selection->nodes, (size_t)selection->count, sizeof(int), CompareInts);
    return rsl_ok;
}

// ---- list -----------------------------------------------------------------------------------------------------------

// Marked first, so that the result is sorted and has no node twice.
static rslStatus SelectList(Selection* selection, int firstNode, int total, rslReport* report)
{
    const rslNodeSetDef* def = selection->def;
    for (int i = 0; i < def->indexCount; ++i)
    {
        int index = def->indices[i];
        if (index < 0 || index >= total)
        {
            rslReport_Add(report, rsl_error, def->place, "node %d does not exist: the nodes of %s%s%s are 0 to %d",
                          index, def->body ? "body '" : "all bodies", def->body ? def->body : "", def->body ? "'" : "",
                          total - 1);
            return rsl_badInput;
        }
    }
    memset(selection->nodes, 0, (size_t)total * sizeof(int));
    for (int i = 0; i < def->indexCount; ++i)
    {
        selection->nodes[def->indices[i]] = 1;
    }
    for (int i = 0; i < total; ++i)
    {
        if (selection->nodes[i])
        {
            selection->nodes[selection->count++] = firstNode + i;
        }
    }
    return rsl_ok;
}

// ---- together -------------------------------------------------------------------------------------------------------

static rslVec3 CentreOfRegion(const rslNodeSetDef* def)
{
    return def->type == rsl_boxNodes ? rslScale(0.5, rslAdd(def->min, def->max)) : def->point;
}

static void ReportEmpty(const Selection* selection, rslReport* report)
{
    const rslNodeSetDef* def = selection->def;
    rslBounds all = { { HUGE_VAL, HUGE_VAL, HUGE_VAL }, { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
    for (int b = selection->firstBody; b < selection->endBody; ++b)
    {
        rslBounds one = rslBody_WorldBounds(&selection->model->bodies[b]);
        all.lower =
            (rslVec3){ fmin(all.lower.x, one.lower.x), fmin(all.lower.y, one.lower.y), fmin(all.lower.z, one.lower.z) };
        all.upper =
            (rslVec3){ fmax(all.upper.x, one.upper.x), fmax(all.upper.y, one.upper.y), fmax(all.upper.z, one.upper.z) };
    }
    Candidate nearest = { 0 };
    double x[3] = { 0.0 };
    if (def->type != rsl_listNodes && FindNearest(selection, CentreOfRegion(def), 1, &nearest) == 1)
    {
        const rslBody* body = &selection->model->bodies[rslModel_BodyOf(selection->model, nearest.node)];
        rslBody_WorldRest(body, nearest.node, nearest.node + 1, x);
    }
    rslReport_Add(
        report, rsl_error, def->place,
        "no node of %s%s%s is chosen; nodes lie from [%.4g, %.4g, %.4g] to [%.4g, %.4g, %.4g], the nearest to the "
        "region is at [%.6g, %.6g, %.6g]",
        def->body ? "body '" : "any body", def->body ? def->body : "", def->body ? "'" : "", all.lower.x, all.lower.y,
        all.lower.z, all.upper.x, all.upper.y, all.upper.z, x[0], x[1], x[2]);
}

// The bodies to look at, and how many nodes they have.
static rslStatus FindBodies(Selection* selection, int* total, rslReport* report)
{
    const rslModel* model = selection->model;
    const char* name = selection->def->body;
    selection->firstBody = 0;
    selection->endBody = model->bodyCount;
    if (name != NULL)
    {
        selection->firstBody = rslModel_Find(model, name);
        selection->endBody = selection->firstBody + 1;
        if (selection->firstBody < 0)
        {
            rslReport_Add(report, rsl_error, selection->def->place, "there is no body '%s'", name);
            return rsl_badInput;
        }
    }
    *total = 0;
    for (int b = selection->firstBody; b < selection->endBody; ++b)
    {
        *total += model->bodies[b].nodeCount;
    }
    return rsl_ok;
}

// A scene has been checked; a definition made by the caller has not.
static rslStatus CheckDef(const rslNodeSetDef* def, rslReport* report)
{
    double length = rslLength(def->normal);
    if (def->type == rsl_nearestNodes && def->count < 1)
    {
        rslReport_Add(report, rsl_error, def->place, "found a count of %d nearest nodes, expected at least 1",
                      def->count);
        return rsl_badInput;
    }
    if (def->type == rsl_planeNodes && !(length > 0.0 && length < HUGE_VAL))
    {
        rslReport_Add(report, rsl_error, def->place, "the normal of a plane that chooses nodes has no direction");
        return rsl_badInput;
    }
    return rsl_ok;
}

rslStatus rslModel_Select(const rslModel* model, const rslNodeSetDef* def, int** nodes, int* count, rslReport* report)
{
    Selection selection = { .model = model, .def = def };
    int total = 0;
    *nodes = NULL;
    *count = 0;
    rslStatus status = CheckDef(def, report);
    status = status == rsl_ok ? FindBodies(&selection, &total, report) : status;
    if (status != rsl_ok)
    {
        return status;
    }
    selection.nodes = rslAllocate(&model->hooks, (size_t)total, sizeof(int));
    if (selection.nodes == NULL)
    {
        return rsl_outOfMemory;
    }
    if (def->type == rsl_nearestNodes)
    {
        status = SelectNearest(&selection, total);
    }
    else if (def->type == rsl_listNodes)
    {
        status = SelectList(&selection, total > 0 ? model->bodies[selection.firstBody].firstNode : 0, total, report);
    }
    else
    {
        SelectRegion(&selection);
    }
    if (status == rsl_ok && selection.count == 0)
    {
        ReportEmpty(&selection, report);
        status = rsl_badInput;
    }
    if (status != rsl_ok)
    {
        rslRelease(&model->hooks, selection.nodes);
        return status;
    }
    *nodes = selection.nodes;
    *count = selection.count;
    return rsl_ok;
}

void rslModel_FreeNodes(const rslModel* model, int* nodes)
{
    rslRelease(&model->hooks, nodes);
}
