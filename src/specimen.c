// SPDX-License-Identifier: MIT
//
// specimen.c: see specimen.h.
//
// Where a body is gripped: a centred lattice by the nodes within 3/4 a of the end, its end layer; a corner lattice by those on
// the end, or, where the end cuts cells, by all corners of these, which share what they hold (to sqrt(3) a where the lattice
// is turned): what is between the grips is then strained alike. So are bricks between centred nodes, whose cells at the end
// reach beyond their corners. Of two cells, or three nodes, the outer nodes are all that is left to grip. A random network, whose nodes near the end have too few springs, by those within 1.5 maxL (a quarter of the body at
// most); others by the nodes on the end; every other row of a hexagonal sheet ends half an edge earlier.

#include "specimen.h"

#include "build.h"
#include "elementary.h"
#include "spread.h"
#include "vec.h"

static void SetGrips(rslSpecimen* specimen, double depth)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        double most = 0.25 * rslAlong(specimen->size, axis);
        specimen->grip[axis] = depth < most ? depth : most;
    }
}

// The mean section is volume over length. The ends of rows lessen it across them only, not along.
static void SetAreas(const rslBody* body, rslSpecimen* specimen, bool jagged)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        specimen->area[axis] = body->volume / rslAlong(specimen->size, axis);
    }
    specimen->area[0] = jagged ? specimen->size.y * specimen->size.z : specimen->area[0];
}

// ---- lattices -----------------------------------------------------------------------------------------------------------

// The axes of a lattice along those of a box: axis[i] is the lattice axis along box axis i. False when they are not along.
static bool FindAligned(rslQuat box, rslQuat lattice, int axis[3])
{
    rslMat3 b = rslQuatMatrix(box), l = rslQuatMatrix(lattice);
    for (int i = 0; i < 3; ++i)
    {
        rslVec3 own = { rslAlong(b.row[0], i), rslAlong(b.row[1], i), rslAlong(b.row[2], i) };
        rslVec3 along = rslMatTVec(&l, own);
        axis[i] = fabs(along.x) > 0.5 ? 0 : fabs(along.y) > 0.5 ? 1 : 2;
        if (fabs(rslAlong(along, axis[i])) < 1.0 - 1e-12)
        {
            return false;
        }
    }
    return true;
}

// All or nothing: the box of the cells. With anti-aliasing the box itself; is it whole cells?
static void FitLattice(const rslBody* body, const rslBodyDef* def, rslSpecimen* specimen)
{
    const rslLattice* lattice = &body->lattice;
    double a = lattice->spacing, size[3];
    int axis[3];
    bool aligned = FindAligned(specimen->axes, body->frame.rotation, axis), whole = aligned;
    for (int i = 0; aligned && i < 3; ++i)
    {
        double cells = lattice->cells[axis[i]];
        size[i] = cells * a;
        whole = whole && fabs(size[i] - rslAlong(specimen->size, i)) < 1e-6 * a;
    }
    if (aligned && !def->network.antialias)
    {
        const int* cells = lattice->cells;
        double shift = lattice->construction == rsl_cornerLattice ? 0.0 : 0.5;
        rslVec3 half = { 0.5 * cells[0] - shift, 0.5 * cells[1] - shift, 0.5 * cells[2] - shift };
        rslMat3 turn = rslQuatMatrix(body->frame.rotation);
        rslVec3 own = rslMulAdd(lattice->origin, a, half);
        specimen->middle = rslAdd(body->frame.origin, rslMatVec(&turn, own));
        specimen->size = (rslVec3){ size[0], size[1], size[2] };
        whole = true;
    }
    bool corner = lattice->construction == rsl_cornerLattice, disperses = rslBody_Disperses(body);
    for (int i = 0; i < 3; ++i)
    {
        double length = rslAlong(specimen->size, i), reach = (corner ? 1.001 : 1.501) * a;
        bool turned = !aligned && body->elements.count > 0;
        bool cut = aligned && (corner ? fabs(size[i] - length) >= 1e-6 * a : body->elements.count > 0);
        specimen->grip[i] = cut      ? fmin(reach, 0.45 * length)
                            : turned ? fmax(0.75 * a, fmin(1.75 * a, 0.3 * length))
                                     : 0.75 * a;
        specimen->shallow[i] = cut && reach > 0.45 * length;
    }
    // a cell that is cut reaches sqrt(3) a, and its corners weigh less; dispersion hands on one node further what is missing
    specimen->border = whole && corner && !disperses ? 0.0 : ((whole ? 0.75 : 1.75) + (disperses ? 1.0 : 0.0)) * a;
}

// ---- sheets and tetrahedra ------------------------------------------------------------------------------------------

// The box around the nodes, in the axes that a network was turned to.
static void FitNodes(const rslBody* body, const rslBodyDef* def, rslSpecimen* specimen)
{
    specimen->axes = rslQuatFromDegrees(def->network.rotate.axis, def->network.rotate.angle);
    rslMat3 turn = rslQuatMatrix(specimen->axes);
    rslVec3 low = { INFINITY, INFINITY, INFINITY }, high = { -INFINITY, -INFINITY, -INFINITY };
    for (int i = 0; i < body->nodeCount; ++i)
    {
        double x[3];
        rslBody_WorldRest(body, i, i + 1, x);
        rslVec3 own = rslMatTVec(&turn, (rslVec3){ x[0], x[1], x[2] });
        low = (rslVec3){ fmin(low.x, own.x), fmin(low.y, own.y), fmin(low.z, own.z) };
        high = (rslVec3){ fmax(high.x, own.x), fmax(high.y, own.y), fmax(high.z, own.z) };
    }
    specimen->size = rslSub(high, low);
    specimen->middle = rslMatVec(&turn, rslScale(0.5, rslAdd(low, high)));
}

// ---- all together -----------------------------------------------------------------------------------------------------------

static void FitShape(const rslBodyDef* def, rslSpecimen* specimen)
{
    specimen->size = rslScale(def->shape->scale, def->shape->size);
    specimen->axes = rslQuatFromDegrees(def->shape->rotate.axis, def->shape->rotate.angle);
    specimen->middle = def->shape->translate;
}

// A hexagonal sheet is as high as its rows, not as it was asked for.
static void FitSheet(const rslBody* body, const rslBodyDef* def, rslSpecimen* specimen)
{
    FitNodes(body, def, specimen);
    specimen->size.z = def->network.thickness;
    specimen->flat = true;
}

// Without a shape, cells that fill the box around them.
static const char* FitCells(const rslBody* body, const rslBodyDef* def, rslSpecimen* specimen)
{
    FitNodes(body, def, specimen);
    double volume = specimen->size.x * specimen->size.y * specimen->size.z;
    return fabs(body->volume - volume) <= 1e-6 * volume ? NULL : "its cells do not fill a box";
}

const char* rslSpecimen_Find(const rslModel* model, const rslBodyDef* def, rslSpecimen* specimen)
{
    const rslBody* body = &model->bodies[0];
    const rslNetworkDef* network = &def->network;
    *specimen = (rslSpecimen){ .axes = { 1.0, 0.0, 0.0, 0.0 } };
    if (network->type == rsl_explicitNetwork)
    {
        return "an explicit network has no material";
    }
    if (network->type == rsl_sheetNetwork && def->shape != NULL)
    {
        return "it is a sheet that follows a mesh; a flat grid can be measured";
    }
    if (def->shape != NULL && def->shape->type != rsl_boxShape)
    {
        return "its shape is not a box";
    }
    if (network->type == rsl_sheetNetwork)
    {
        FitSheet(body, def, specimen);
    }
    else if (def->shape != NULL)
    {
        FitShape(def, specimen);
    }
    else
    {
        const char* why = FitCells(body, def, specimen);
        if (why != NULL)
        {
            return why;
        }
    }
    bool jagged = network->type == rsl_sheetNetwork && network->pattern == rsl_hexagonalPattern;
    specimen->border = network->type == rsl_randomNetwork ? 1.5 * network->maxLength
                       : jagged                           ? 0.75 * body->spacing
                                                          : 0.25 * body->spacing;
    SetGrips(specimen, specimen->border);
    // all nodes of hexahedra are in a uniform strain, those on the faces with their share of volume
    specimen->border = network->type == rsl_hexahedraNetwork ? 0.0 : specimen->border;
    if (network->type == rsl_latticeNetwork)
    {
        FitLattice(body, def, specimen);
    }
    SetAreas(body, specimen, jagged);
    return NULL;
}
