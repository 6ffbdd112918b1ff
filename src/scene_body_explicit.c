// SPDX-License-Identifier: MIT
//
// scene_body_explicit.c: what the lists of an explicit network mean together.

#include "scene_across.h"

#include "memory.h"
#include "vec.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

bool rslAcross_CheckCorners(rslAcross* across, const rslNetworkDef* network, const char* key, const int* cells,
                            int count, int width)
{
    for (size_t i = 0; network->nodeCount > 0 && i < (size_t)width * (size_t)count; ++i)
    {
        if (cells[i] < 0 || cells[i] >= network->nodeCount)
        {
            rslPlace place = rslAcross_Place(across, "network", key, network, (int)i / width, network->place);
            rslTrail_Error(across->trail, place, key, "found node %d, but there are %d, counted from 0", cells[i],
                           network->nodeCount);
            return false;
        }
    }
    return true;
}

// ---- springs ----------------------------------------------------------------------------------------------------

static void CheckLength(rslAcross* across, const rslNetworkDef* network, const char* key, int count, int wanted,
                        const char* things)
{
    if (count > 1 && count != wanted)
    {
        rslPlace place = rslAcross_Place(across, "network", key, network, -1, network->place);
        rslTrail_Error(across->trail, place, key, "found %d numbers for %d %s, expected %d or one for all", count,
                       wanted, things, wanted);
    }
}

static bool CheckSpring(rslAcross* across, const rslNetworkDef* network, int i)
{
    int a = network->springs[2 * (size_t)i], b = network->springs[2 * (size_t)i + 1];
    int top = a > b ? a : b;
    if (a < 0 || b < 0 || top >= network->nodeCount)
    {
        rslPlace place = rslAcross_Place(across, "network", "springs", network, i, network->place);
        rslTrail_Error(across->trail, place, "springs",
                       "spring %d joins node %d, but there are %d nodes, counted from 0", i,
                       a < 0   ? a
                       : b < 0 ? b
                               : top,
                       network->nodeCount);
        return false;
    }
    const double *p = &network->nodes[3 * (size_t)a], *q = &network->nodes[3 * (size_t)b];
    const char* problem = NULL;
    if (a == b)
    {
        problem = "joins a node to itself";
    }
    else if (network->restLengthCount == 0 && p[0] == q[0] && p[1] == q[1] && p[2] == q[2])
    {
        problem = "joins two nodes at the same point, and has no rest length";
    }
    if (problem != NULL)
    {
        rslPlace place = rslAcross_Place(across, "network", "springs", network, i, network->place);
        rslTrail_Error(across->trail, place, "springs", "spring %d %s", i, problem);
    }
    return problem == NULL;
}

// Springs that join the same nodes: springs are filed under their lower node, then each node marks its partners.
static bool CheckDoubles(rslAcross* across, const rslNetworkDef* network)
{
    size_t nodes = (size_t)network->nodeCount, springs = (size_t)network->springCount;
    int* first = rslAllocate(&across->hooks, nodes + 2, sizeof(int));
    int* filed = rslAllocate(&across->hooks, springs, sizeof(int));
    int* mark = rslAllocate(&across->hooks, nodes, sizeof(int));
    bool good = first != NULL && filed != NULL && mark != NULL;
    for (size_t i = 0; good && i < springs; ++i)
    {
        int a = network->springs[2 * i], b = network->springs[2 * i + 1];
        first[(a < b ? a : b) + 2] += 1;
    }
    for (size_t n = 0; good && n < nodes; ++n)
    {
        first[n + 1] += first[n];
    }
    for (size_t i = 0; good && i < springs; ++i)
    {
        int a = network->springs[2 * i], b = network->springs[2 * i + 1];
        filed[first[(a < b ? a : b) + 1]++] = (int)i;
    }
    for (int n = 0; good && n < network->nodeCount; ++n)
    {
        for (int k = first[n]; k < first[n + 1]; ++k)
        {
            int a = network->springs[2 * (size_t)filed[k]], b = network->springs[2 * (size_t)filed[k] + 1];
            int high = a > b ? a : b;
            if (mark[high] == n + 1)
            {
                rslPlace place = rslAcross_Place(across, "network", "springs", network, filed[k], network->place);
                rslTrail_Error(across->trail, place, "springs",
                               "spring %d joins nodes %d and %d, as an earlier one does", filed[k], a, b);
            }
            mark[high] = n + 1;
        }
    }
    rslRelease(&across->hooks, first);
    rslRelease(&across->hooks, filed);
    rslRelease(&across->hooks, mark);
    return good;
}

// ---- elements ---------------------------------------------------------------------------------------------------

// The longest edge of an element, and its area or volume: twice or six times it, with a sign where there is one.
typedef struct Measure
{
    double longest, signedMeasure;
} Measure;

static Measure MeasureOf(const rslNetworkDef* network, const int* corner, int count, bool planar)
{
    rslVec3 x[4];
    Measure m = { 0.0, 0.0 };
    for (int i = 0; i < count; ++i)
    {
        const double* at = network->nodes + 3 * (size_t)corner[i];
        x[i] = (rslVec3){ at[0], at[1], at[2] };
        for (int j = 0; j < i; ++j)
        {
            m.longest = fmax(m.longest, rslLength(rslSub(x[i], x[j])));
        }
    }
    rslVec3 normal = rslCross(rslSub(x[1], x[0]), rslSub(x[2], x[0]));
    m.signedMeasure = count == 4 ? rslDot(normal, rslSub(x[3], x[0])) : planar ? normal.z : rslLength(normal);
    return m;
}

static void CheckElement(rslAcross* across, const rslNetworkDef* network, const char* key, const int* corner, int count,
                         int index)
{
    bool planar = across->scene->plane == rsl_planeXY;
    Measure m = MeasureOf(network, corner, count, planar);
    double least = 1e-10 * m.longest * m.longest * (count == 4 ? m.longest : 1.0);
    rslPlace place = rslAcross_Place(across, "network", key, network, index, network->place);
    if (!(fabs(m.signedMeasure) > least))
    {
        rslTrail_Error(across->trail, place, key, "%s %d has no %s: its corners lie in one %s, or twice in one place",
                       count == 4 ? "tetrahedron" : "triangle", index, count == 4 ? "volume" : "area",
                       count == 4 ? "plane" : "line");
    }
    else if (count == 3 && m.signedMeasure < 0.0)
    {
        rslTrail_Error(across->trail, place, key,
                       "triangle %d runs clockwise: at rest it is turned inside out; list its corners [%d, %d, %d], or "
                       "move its nodes if it is the only one",
                       index, corner[0], corner[2], corner[1]);
    }
}

// A slot for elements with these corners, in any order; others seldom have the same (mixing by Murmur3).
static int SlotOf(const int* corner, int width, int slots)
{
    uint32_t sum = 0;
    for (int i = 0; i < width; ++i)
    {
        uint32_t mixed = ((uint32_t)corner[i] + 1u) * 0x85ebca6bu;
        mixed = (mixed ^ mixed >> 13) * 0xc2b2ae35u;
        sum += mixed ^ mixed >> 16;
    }
    return (int)(sum % (uint32_t)slots);
}

// Whether two elements, of different corners each, have the same ones.
static bool AreAlike(const int* a, const int* b, int width)
{
    int shared = 0;
    for (int i = 0; i < width * width; ++i)
    {
        shared += a[i / width] == b[i % width] ? 1 : 0;
    }
    return shared == width;
}

// Elements with the same corners: each looks at the earlier ones of its slot. False when out of memory.
static bool CheckElementDoubles(rslAcross* across, const rslNetworkDef* network, const char* key, const int* cells,
                                int count, int width)
{
    int* latest = rslAllocate(&across->hooks, (size_t)network->nodeCount, sizeof(int));  // an element plus one
    int* earlier = rslAllocate(&across->hooks, (size_t)count, sizeof(int));
    bool good = latest != NULL && earlier != NULL;
    for (int i = 0; good && i < count; ++i)
    {
        const int* corner = cells + (size_t)width * (size_t)i;
        int slot = SlotOf(corner, width, network->nodeCount);
        for (int e = latest[slot]; e > 0; e = earlier[e - 1])
        {
            if (AreAlike(corner, cells + (size_t)width * (size_t)(e - 1), width))
            {
                rslPlace place = rslAcross_Place(across, "network", key, network, i, network->place);
                rslTrail_Error(across->trail, place, key, "%s %d has the corners of %s %d: list it once",
                               width == 4 ? "tetrahedron" : "triangle", i, width == 4 ? "tetrahedron" : "triangle",
                               e - 1);
                break;
            }
        }
        earlier[i] = latest[slot];
        latest[slot] = i + 1;
    }
    rslRelease(&across->hooks, latest);
    rslRelease(&across->hooks, earlier);
    return good;
}

// False when out of memory.
static bool CheckElements(rslAcross* across, const rslNetworkDef* network, const char* key, const int* cells, int count,
                          int width)
{
    if (count == 0 || !rslAcross_CheckCorners(across, network, key, cells, count, width))
    {
        return true;
    }
    for (int i = 0; i < count; ++i)
    {
        CheckElement(across, network, key, cells + (size_t)width * (size_t)i, width, i);
    }
    return CheckElementDoubles(across, network, key, cells, count, width);
}

static void CheckOfElements(rslAcross* across, const rslNetworkDef* network, const char* key, int count, int elements)
{
    if (network->springsFrom == rsl_elementSprings)
    {
        CheckLength(across, network, key, count, elements, "elements");
    }
    else if (count > 1)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "network", key, network, -1, network->place), key,
                       "found %d numbers beside springs_from: edges, expected one for all", count);
    }
}

// Springs of elements take no list of their own.
static void CheckSource(rslAcross* across, const rslNetworkDef* network)
{
    int elements = network->triangleCount + network->tetrahedronCount;
    bool given = elements > 0 || rslAcross_WasGiven(across, "network", "triangles", network) ||
                 rslAcross_WasGiven(across, "network", "tetrahedra", network);
    bool each = network->springsFrom == rsl_elementSprings;
    rslPlace place = rslAcross_Place(across, "network", "springs_from", network, -1, network->place);
    if (!given)
    {
        rslTrail_Error(across->trail, place, "springs_from",
                       "found springs of elements, expected triangles or tetrahedra");
    }
    if (network->springCount > 0 || network->restLengthCount > 0)
    {
        const char* key = network->springCount > 0 ? "springs" : "rest_lengths";
        rslTrail_Error(across->trail, rslAcross_Place(across, "network", key, network, -1, network->place), key,
                       "found beside springs_from: %s, expected none: the edges of the elements at the start are the "
                       "springs",
                       each ? "elements" : "edges");
    }
    if (network->stiffnessCount == 0 && !rslAcross_WasGiven(across, "network", "stiffness", network))
    {
        rslTrail_Error(across->trail, network->place, NULL, "missing key 'stiffness' of a network with springs");
    }
    CheckOfElements(across, network, "stiffness", network->stiffnessCount, elements);
    CheckOfElements(across, network, "damping", network->dampingCount, elements);
}

// ---- together ---------------------------------------------------------------------------------------------------

// False when out of memory.
static bool CheckListed(rslAcross* across, const rslNetworkDef* network)
{
    CheckLength(across, network, "stiffness", network->stiffnessCount, network->springCount, "springs");
    CheckLength(across, network, "damping", network->dampingCount, network->springCount, "springs");
    CheckLength(across, network, "rest_lengths", network->restLengthCount, network->springCount, "springs");
    if (network->springCount > 0 && network->stiffnessCount == 0 &&
        !rslAcross_WasGiven(across, "network", "stiffness", network))
    {
        rslTrail_Error(across->trail, network->place, NULL, "missing key 'stiffness' of a network with springs");
    }
    bool sound = network->nodeCount > 0;
    for (int i = 0; network->nodeCount > 0 && i < network->springCount; ++i)
    {
        sound = CheckSpring(across, network, i) && sound;
    }
    return !sound || network->springCount == 0 || CheckDoubles(across, network);
}

static void CheckFlat(rslAcross* across, const rslNetworkDef* network)
{
    for (int i = 0; across->scene->plane == rsl_planeXY && i < network->nodeCount; ++i)
    {
        if (network->nodes[3 * (size_t)i + 2] != 0.0)
        {
            rslPlace place = rslAcross_Place(across, "network", "nodes", network, i, network->place);
            rslTrail_Error(across->trail, place, "nodes",
                           "found a z of its own in a scene with plane: xy, expected [x, y, 0]");
            break;
        }
    }
    if (across->scene->plane == rsl_planeXY && network->tetrahedronCount > 0)
    {
        rslPlace place = rslAcross_Place(across, "network", "tetrahedra", network, -1, network->place);
        rslTrail_Error(across->trail, place, "tetrahedra", "found in a scene with plane: xy, expected triangles");
    }
}

bool rslAcross_CheckExplicit(rslAcross* across, const rslNetworkDef* network)
{
    CheckLength(across, network, "masses", network->massCount, network->nodeCount, "nodes");
    bool good = true;
    if (network->springsFrom == rsl_listedSprings)
    {
        good = CheckListed(across, network);
    }
    else
    {
        CheckSource(across, network);
    }
    CheckFlat(across, network);
    if (network->triangleCount > 0 && network->tetrahedronCount > 0)
    {
        rslPlace place = rslAcross_Place(across, "network", "triangles", network, -1, network->place);
        rslTrail_Error(across->trail, place, "triangles",
                       "found beside tetrahedra, expected one kind of elements: take two bodies and a link");
    }
    else if (network->nodeCount > 0)
    {
        bool solid = across->scene->plane != rsl_planeXY;
        good = good && CheckElements(across, network, "triangles", network->triangles, network->triangleCount, 3);
        good = good && (!solid || CheckElements(across, network, "tetrahedra", network->tetrahedra,
                                                network->tetrahedronCount, 4));
    }
    return good;
}
