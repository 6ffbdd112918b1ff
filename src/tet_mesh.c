// SPDX-License-Identifier: MIT
//
// tet_mesh.c: a shape filled with tetrahedra: points (tet_points.c), Delaunay (delaunay.c), and those inside are kept.
//
// A tetrahedron is inside when its middle is and, if all its corners are on the surface, no middle of an edge is farther out
// than a fraction of the spacing. One that fits into a ball about one of its corners which is known to be in the shape need
// not be asked for. tet_border.c then makes the border a surface. Crumbs go that no face joins to the rest.

#include "tet_mesh.h"

#include "memory.h"
#include "mesh_topology.h"
#include "tet_filler.h"

#include <string.h>

#define EDGE_OUT 0.3 /* how far the middle of an edge may be outside, of the spacing */
#define FLAT 1e-6    /* volume over the cube of the longest edge, of what rounding makes on a plane */
#define CRUMB 1e-3   /* of the volume of the largest part */
#define THIN 1e-4    /* the same, of what is mended; 0.118 for a regular one */
#define NUDGE 0.05   /* of the spacing: how far a point of such a one is moved out of its plane */
#define NUDGES 8     /* at most so many times */

void rslTetMesh_Free(rslTetMesh* mesh)
{
    rslRelease(&mesh->hooks, mesh->nodes);
    rslRelease(&mesh->hooks, mesh->tetrahedra);
    mesh->nodes = NULL;
    mesh->tetrahedra = NULL;
}

// ---- inside? ------------------------------------------------------------------------------------------------------------

static bool IsInside(const rslFiller* filler, int tet)
{
    const int* corner = rslFiller_Corners(filler, tet);
    rslVec3 x[4], middle = { 0.0, 0.0, 0.0 };
    for (int c = 0; c < 4; ++c)
    {
        x[c] = rslFiller_Point(filler, corner[c]);
        middle = rslMulAdd(middle, 0.25, x[c]);
    }
    for (int c = 0; c < 4; ++c)
    {
        double reach = 0.0;
        for (int k = 0; k < 4; ++k)
        {
            double length = rslLength(rslSub(x[k], x[c]));
            reach = length > reach ? length : reach;
        }
        if (filler->points.depth[corner[c]] >= reach)
        {
            return true;
        }
    }
    double out = EDGE_OUT * filler->def->spacing;
    bool inside = rslShape_Distance(filler->shape, middle) < 0.0;
    for (int c = 0; inside && rslFiller_OnSurface(filler, tet) && c < 4; ++c)
    {
        for (int k = 0; inside && k < c; ++k)
        {
            inside = rslShape_Distance(filler->shape, rslScale(0.5, rslAdd(x[c], x[k]))) < out;
        }
    }
    return inside;
}

// Parts joined by faces; those with next to no volume go. Volumes are summed at the lowest of each part.
static rslStatus DropCrumbs(rslFiller* filler)
{
    int count = filler->delaunay.count, *parent = filler->scratch;
    double* volume = rslAllocate(&filler->points.hooks, (size_t)count, sizeof(double));
    if (volume == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int t = 0; t < count; ++t)
    {
        parent[t] = t;
    }
    for (int i = 0; i < 4 * count; ++i)
    {
        int other = filler->delaunay.neighbours[i];
        if (other >= 0 && filler->inside[i / 4] && filler->inside[other])
        {
            rslSet_Join(parent, i / 4, other);
        }
    }
    double most = 0.0, longest;
    for (int t = 0; t < count; ++t)
    {
        double* sum = &volume[rslSet_Find(parent, t)];
        *sum += filler->inside[t] ? rslFiller_Volume(filler, t, &longest) : 0.0;
        most = *sum > most ? *sum : most;
    }
    for (int t = 0; t < count; ++t)
    {
        filler->inside[t] = filler->inside[t] && volume[rslSet_Find(parent, t)] >= CRUMB * most;
    }
    rslRelease(&filler->points.hooks, volume);
    return rsl_ok;
}

// ---- together -----------------------------------------------------------------------------------------------------------

// Nodes in the order of the points, those that no tetrahedron has left out; back to the world, if own says that they are not.
static rslStatus Keep(rslFiller* filler, bool own, rslTetMesh* mesh)
{
    int *number = filler->scratch, kept = 0;
    memset(number, 0, (size_t)filler->points.count * sizeof(int));
    for (int t = 0; t < filler->delaunay.count; ++t)
    {
        for (int c = 0; filler->inside[t] && c < 4; ++c)
        {
            number[rslFiller_Corners(filler, t)[c]] = 1;
        }
        kept += filler->inside[t];
    }
    mesh->nodes = rslAllocate(&mesh->hooks, (size_t)filler->points.count, 3 * sizeof(double));
    mesh->tetrahedra = rslAllocate(&mesh->hooks, (size_t)kept, 4 * sizeof(int));
    if (mesh->nodes == NULL || mesh->tetrahedra == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int p = 0; p < filler->points.count; ++p)
    {
        if (number[p] != 0)
        {
            rslVec3 x = rslFiller_Point(filler, p);
            x = own ? rslShape_ToWorld(filler->shape, x) : x;
            double* out = mesh->nodes + 3 * (size_t)mesh->nodeCount;
            out[0] = x.x;
            out[1] = x.y;
            out[2] = x.z;
            number[p] = mesh->nodeCount++;
        }
    }
    for (int t = 0; t < filler->delaunay.count; ++t)
    {
        for (int c = 0; filler->inside[t] && c < 4; ++c)
        {
            mesh->tetrahedra[mesh->tetrahedronCount++] = number[rslFiller_Corners(filler, t)[c]];
        }
    }
    mesh->tetrahedronCount /= 4;
    return rsl_ok;
}

static rslStatus Select(rslFiller* filler, bool own)
{
    const rslHooks* hooks = &filler->points.hooks;
    size_t tets = (size_t)filler->delaunay.count, points = (size_t)filler->points.count;
    filler->inside = rslAllocate(hooks, tets, sizeof(bool));
    filler->scratch = rslAllocate(hooks, tets > points ? tets : points, sizeof(int));
    if (filler->inside == NULL || filler->scratch == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int t = 0; t < filler->delaunay.count; ++t)
    {
        filler->inside[t] = own || (!rslFiller_IsSliver(filler, t, FLAT) && IsInside(filler, t));
    }
    if (own)
    {
        return rsl_ok;
    }
    return rslFiller_MendBorder(filler) ? DropCrumbs(filler) : rsl_outOfMemory;
}

// The corner that may move: one inside, if there is any.
static int LooseCorner(const rslFiller* filler, int tet)
{
    const int* corner = rslFiller_Corners(filler, tet);
    int loose = 0;
    for (int c = 1; c < 4; ++c)
    {
        loose = corner[c] > corner[loose] ? c : loose;  // those on the surface come first
    }
    return loose;
}

// Between points that lie nearly in one plane Delaunay may need a tetrahedron with next to no volume, which nothing can be made
// of. One of its points moves off, inwards. True when there was one.
static bool NudgeThin(rslFiller* filler)
{
    bool any = false;
    for (int t = 0; t < filler->delaunay.count; ++t)
    {
        double longest, volume = rslFiller_Volume(filler, t, &longest);
        if (!filler->inside[t] || volume > THIN * longest * longest * longest)
        {
            continue;
        }
        const int *corner = rslFiller_Corners(filler, t), loose = LooseCorner(filler, t);
        rslVec3 x = rslFiller_Point(filler, corner[loose]), normal = { 0.0, 0.0, 0.0 };
        for (int c = 1; c < 4; ++c)
        {
            rslVec3 n = rslCross(rslSub(rslFiller_Point(filler, corner[(loose + c) % 4]), x),
                                 rslSub(rslFiller_Point(filler, corner[(loose + c % 3 + 1) % 4]), x));
            normal = rslDot(n, n) > rslDot(normal, normal) ? n : normal;
        }
        double way = NUDGE * filler->def->spacing / rslLength(normal);
        rslVec3 up = rslMulAdd(x, way, normal), down = rslMulAdd(x, -way, normal);
        bool higher = rslShape_Distance(filler->shape, up) < rslShape_Distance(filler->shape, down);
        memcpy(filler->points.xyz + 3 * (size_t)corner[loose], higher ? &up.x : &down.x, 3 * sizeof(double));
        any = true;
    }
    return any;
}

// Tetrahedra between the points, and which of them are inside.
static rslStatus Connect(rslFiller* filler, bool own, rslReport* report)
{
    const rslTetPoints* points = &filler->points;
    rslStatus status = rslDelaunay_Make(points->xyz, points->count, &points->hooks, &filler->delaunay, NULL);
    if (status == rsl_badInput)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0, 0 },
                      "the shape is too thin for tetrahedra with a spacing of %.4g m: take a smaller spacing",
                      filler->def->spacing);
    }
    return status == rsl_ok ? Select(filler, own) : status;
}

static void Disconnect(rslFiller* filler)
{
    rslDelaunay_Free(&filler->delaunay);
    rslRelease(&filler->points.hooks, filler->inside);
    rslRelease(&filler->points.hooks, filler->scratch);
    filler->inside = NULL;
    filler->scratch = NULL;
}

static rslStatus CheckSize(const rslShape* shape, const rslMesherDef* def, rslReport* report)
{
    rslBounds b = rslShape_Bounds(shape);
    double x = b.upper.x - b.lower.x, y = b.upper.y - b.lower.y, z = b.upper.z - b.lower.z;
    double longest = fmax(x, fmax(y, z));
    if (def->spacing > longest)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0, 0 },
                      "the spacing, %.4g m, is larger than the shape, %.4g m: take a smaller one, such as %.2g m",
                      def->spacing, longest, 0.1 * longest);
        return rsl_badInput;
    }
    return rsl_ok;
}

rslStatus rslTetMesh_Fill(const rslShape* shape, const rslMesherDef* def, const rslHooks* hooks, rslTetMesh* mesh,
                          rslReport* report)
{
    *mesh = (rslTetMesh){ .hooks = rslHooks_Complete(hooks) };
    rslFiller filler = { .shape = shape, .def = def, .points = { .hooks = mesh->hooks } };
    bool box = shape->type == rsl_boxShape;
    rslStatus status = CheckSize(shape, def, report);
    if (status == rsl_ok)
    {
        status = box ? rslTetPoints_Box(shape, def, &filler.points, report)
                     : rslTetPoints_Fill(shape, def, &filler.points, report);
    }
    bool thin = status == rsl_ok;
    for (int tries = 0; thin && tries <= NUDGES; ++tries)
    {
        status = Connect(&filler, box, report);
        thin = status == rsl_ok && !box && tries < NUDGES && NudgeThin(&filler);
        status = status == rsl_ok && !thin ? Keep(&filler, box, mesh) : status;
        Disconnect(&filler);
    }
    rslTetPoints_Free(&filler.points);
    if (status != rsl_ok)
    {
        rslTetMesh_Free(mesh);
    }
    return status;
}
