// SPDX-License-Identifier: MIT
//
// build_lattice.c: a shape filled with a cubic lattice.
//
// The grid. Bounds of the shape in lattice axes, of extent e, and cells centred on them. With anti-aliasing (antialias.h)
// there are so many that they cover the bounds, e / a rounded up: what a border cell holds too much it does not weigh.
// Without, there are round(e / a), at least one, and a cell is filled when its centre is inside of the shape. The first
// cell centre beyond the grid is (n + 1) a / 2 >= e / 2 + a / 4 from the middle, so it is outside of the bounds: rounding
// loses no cell, and the sides of an aligned box are met within a quarter of a cell. (Rounding up would make a box of
// 10.1 cells 11 cells long.)
//
// The constants. With the homogenised tensor C_ijkl = 1/(2 a^3) sum over the neighbours of a node of k L^2 n_i n_j n_k n_l,
//   a C11 = kA + 2 kB + 4/3 kC,  a C12 = a C44 = kB + 4/3 kC        isotropic when kA = kB + 8/3 kC
// Shells AB: kA = kB = k; shells AC: kA = 2 k, kC = 3/4 k. Both give lam = mu = k / a, so E = 5/2 k / a and nu = 1/4.
//
// Materials with moduli along the axes: orthotropic.c.
//
// The frame. Axes of the lattice; X = a (i - mean i), so that the centre of mass is at X = 0.

#include "antialias.h"
#include "build.h"
#include "lattice.h"
#include "orthotropic.h"
#include "regions.h"
#include "elementary.h"
#include "vec.h"

#include <stdio.h>
#include <string.h>

// A grid of more cells is refused: its weights alone would take 2 GiB.
#define CELL_LIMIT 268435456.0

// A multiple of the spacing but for rounding is that multiple.
static double CellsAlong(const rslNetworkDef* network, double extent, double spacing)
{
    double cells = extent / spacing;
    cells = network->antialias ? ceil(cells - 1e-9) : floor(cells + 0.5 + 1e-9);
    return cells < 1.0 ? 1.0 : cells;
}

static double CellCount(const rslNetworkDef* network, const double extent[3], double spacing)
{
    return CellsAlong(network, extent[0], spacing) * CellsAlong(network, extent[1], spacing) *
           CellsAlong(network, extent[2], spacing);
}

static double Largest(const double extent[3])
{
    double largest = extent[0] > extent[1] ? extent[0] : extent[1];
    return largest > extent[2] ? largest : extent[2];
}

// Extent and number of cells, refused before any memory is taken.
static rslStatus SizeGrid(rslBuild* build, const rslBodyDef* def, const rslShape* shape, rslQuat axes, rslGrid* grid)
{
    const rslNetworkDef* network = &def->network;
    rslBounds bounds = rslShape_BoundsIn(shape, axes);
    const double low[3] = { bounds.lower.x, bounds.lower.y, bounds.lower.z };
    const double high[3] = { bounds.upper.x, bounds.upper.y, bounds.upper.z };
    double spacing = network->spacing, corner[3];
    grid->turn = rslQuatMatrix(axes);
    grid->spacing = spacing;
    for (int axis = 0; axis < 3; ++axis)
    {
        grid->extent[axis] = high[axis] - low[axis];
        if (!(grid->extent[axis] >= 0.0) || !isfinite(grid->extent[axis]))
        {
            rslReport_Add(build->report, rsl_error, def->shape->place, "the shape of body '%s' is empty", def->name);
            return rsl_badInput;
        }
    }
    double count = CellCount(network, grid->extent, spacing);
    if (!(count <= CELL_LIMIT))
    {
        // as fine as is far too fine in any case
        double finest = 1e-9 * Largest(grid->extent), fitting = spacing > finest ? spacing : finest;
        while (CellCount(network, grid->extent, fitting) > CELL_LIMIT)
        {
            fitting *= 1.05;
        }
        rslReport_Add(build->report, rsl_error, network->place,
                      "the lattice of body '%s' would have %.3g cells, more than %.3g: it is %.3g x %.3g x %.3g m; a "
                      "spacing of %.2g m would fit%s",
                      def->name, count, CELL_LIMIT, grid->extent[0], grid->extent[1], grid->extent[2], 1.05 * fitting,
                      def->shape->type == rsl_meshShape ? ", or 'scale: 0.001' if the mesh is in millimetres" : "");
        return rsl_badInput;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        grid->cells[axis] = (int)CellsAlong(network, grid->extent[axis], spacing);
        corner[axis] = 0.5 * (low[axis] + high[axis]) - 0.5 * (grid->cells[axis] * spacing);
    }
    grid->corner = (rslVec3){ corner[0], corner[1], corner[2] };
    return rsl_ok;
}

// Cells from i on, along x, that share the answer of cell i: its distance to the surface is known not to be less than d,
// so the next d / a centres are on the same side. (A little less, so that none of them is on the surface.)
static int AlikeCells(const rslGrid* grid, const rslShape* shape, rslVec3 centre, int i)
{
    double alike = floor(fabs(rslShape_Distance(shape, centre)) / grid->spacing * (1.0 - 1e-6)) + 1.0;
    int left = grid->cells[0] - i;
    return alike < left ? (int)alike : left;
}

// 1 for every cell whose centre is inside; returns how many.
static int64_t FillCells(const rslGrid* grid, const rslShape* shape, double* weight)
{
    int64_t filled = 0;
    for (int k = 0; k < grid->cells[2]; ++k)
    {
        for (int j = 0; j < grid->cells[1]; ++j, weight += grid->cells[0])
        {
            for (int i = 0; i < grid->cells[0];)
            {
                rslVec3 centre = rslGrid_Point(grid, i + 0.5, j + 0.5, k + 0.5);
                bool inside = rslShape_Contains(shape, centre);
                for (int alike = AlikeCells(grid, shape, centre, i); alike > 0; --alike, ++i)
                {
                    weight[i] = inside ? 1.0 : 0.0;
                    filled += inside ? 1 : 0;
                }
            }
        }
    }
    return filled;
}

static rslStatus ReportNoCell(rslBuild* build, const rslBodyDef* def, const rslGrid* grid)
{
    double smallest = -Largest((double[3]){ -grid->extent[0], -grid->extent[1], -grid->extent[2] });
    char advice[96] = "nothing may be left of the shape, or it is thinner than the spacing everywhere";
    if (0.25 * smallest < 0.9 * grid->spacing)
    {
        snprintf(advice, sizeof advice, "try a spacing of %.2g m", 0.25 * smallest);
    }
    rslReport_Add(
        build->report, rsl_error, def->network.place,
        "no cell of the lattice of body '%s' is inside of its shape: it is %.4g x %.4g x %.4g m, the spacing %.4g "
        "m; %s",
        def->name, grid->extent[0], grid->extent[1], grid->extent[2], grid->spacing, advice);
    return rsl_badInput;
}

// X = a (i - mean i), weighted with the masses; c = R (corner + a mean i).
static void CentreFrame(rslLattice* lattice, const rslGrid* grid, const double* mass, rslBody* body)
{
    double total = 0.0, sum[3] = { 0.0, 0.0, 0.0 };
    for (int r = 0; r < lattice->rowCount; ++r)
    {
        rslLatticeRow row = lattice->rows[r];
        for (int n = 0; n < row.count; ++n)
        {
            double m = mass[row.first + n];
            total += m;
            sum[0] += m * (row.i + n);
            sum[1] += m * row.j;
            sum[2] += m * row.k;
        }
    }
    double shift = lattice->construction == rsl_cornerLattice ? 0.0 : 0.5;
    double mean[3] = { sum[0] / total, sum[1] / total, sum[2] / total };
    lattice->origin = (rslVec3){ -(grid->spacing * mean[0]), -(grid->spacing * mean[1]), -(grid->spacing * mean[2]) };
    body->frame.origin = rslGrid_Point(grid, mean[0] + shift, mean[1] + shift, mean[2] + shift);
}

// E = 5/2 k / a, lam = mu = k / a; pressure waves run at sqrt((lam + 2 mu) / rho).
static void SetMaterial(const rslMaterialDef* material, rslShells shells, rslBody* body)
{
    rslLattice* lattice = &body->lattice;
    double k = material->young * lattice->spacing / 2.5;
    const double of[3] = { shells == rsl_shellsAB ? k : 2.0 * k, shells == rsl_shellsAB ? k : 0.0,
                           shells == rsl_shellsAB ? 0.0 : 0.75 * k };
    for (int d = 0; d < RSL_LATTICE_BONDS; ++d)
    {
        lattice->stiffness[d] = of[rslLattice_Shell(d)];
    }
    double mu = material->young / 2.5;
    body->young = material->young;
    body->poisson = 0.25;
    body->shear = mu;
    body->bulk = mu * 5.0 / 3.0;
    body->density = material->density;
    body->waveSpeed = sqrt(3.0 * mu / material->density);
    body->spacing = lattice->spacing;
    body->stiffnessDamping = material->stiffnessDamping;
}

static rslStatus SetAxes(rslBuild* build, const rslBodyDef* def, const rslMaterialDef* material, rslBody* body)
{
    static const char* const names[] = { "x", "y", "z" };
    static const int plane[RSL_LATTICE_BODY] = { 0, 0, 0, 2, 2, 1, 1, 0, 0 };
    const rslOrthotropicDef* axes = material->orthotropic;
    rslOrthotropic found;
    if (!rslOrthotropic_Solve(axes, &found))
    {
        char advice[64] = "raise them, or lower the shear moduli";
        if (found.soft >= 0)
        {
            snprintf(advice, sizeof advice, "along %s it has to exceed %.4g Pa", names[found.soft], found.least);
        }
        rslReport_Add(
            build->report, rsl_error, axes->place,
            "no lattice of springs has the moduli of body '%s': Young's moduli are too small beside the shear "
            "moduli; with the others as they are, %s",
            def->name, advice);
        return rsl_badInput;
    }
    for (int d = 0; d < RSL_LATTICE_BODY; ++d)
    {
        body->lattice.stiffness[d] = body->spacing * (d < RSL_LATTICE_FACE ? found.edge[d] : found.face[plane[d]]);
    }
    body->axes = found.moduli;
    body->bulk = found.bulk;
    body->young = (found.moduli.young[0] + found.moduli.young[1] + found.moduli.young[2]) / 3.0;
    body->shear = (found.moduli.shear[0] + found.moduli.shear[1] + found.moduli.shear[2]) / 3.0;
    body->poisson = 0.0;
    double stiffest = 0.0;
    for (int n = 0; n < 6; ++n)
    {
        body->poisson += found.moduli.poisson[n] / 6.0;
        stiffest = found.stretch[n % 3] > stiffest ? found.stretch[n % 3] : stiffest;
    }
    body->waveSpeed = sqrt(stiffest / material->density);
    return rsl_ok;
}

// All or nothing.
static rslStatus FillWhole(rslBuild* build, const rslBodyDef* def, const rslShape* shape, const rslGrid* grid,
                           double* weight, rslBody* body)
{
    double a3 = grid->spacing * grid->spacing * grid->spacing;
    int64_t filled = FillCells(grid, shape, weight);
    body->volume = (double)filled * a3;
    return filled == 0 ? ReportNoCell(build, def, grid) : rsl_ok;
}

// How deep centres and corners of cells lie in a shape, where that is less than what is enough.
static double Deepest(const rslGrid* grid, const rslShape* shape, const double* weight, double enough)
{
    double deepest = 0.0;
    int64_t cells = grid->cells[0] * (int64_t)grid->cells[1] * grid->cells[2];
    for (int64_t c = 0; c < cells && deepest < enough; ++c)
    {
        int i = (int)(c % grid->cells[0]), j = (int)(c / grid->cells[0] % grid->cells[1]);
        int k = (int)(c / grid->cells[0] / grid->cells[1]);
        for (int corner = 0; corner < 9 && weight[c] > 0.0; ++corner)
        {
            double x = corner == 8 ? 0.5 : corner & 1, y = corner == 8 ? 0.5 : corner >> 1 & 1;
            double z = corner == 8 ? 0.5 : corner >> 2;
            deepest = fmax(deepest, -rslShape_Distance(shape, rslGrid_Point(grid, i + x, j + y, k + z)));
        }
    }
    return deepest;
}

static void CheckThickness(rslBuild* build, const rslBodyDef* def, const rslGrid* grid, const rslShape* shape,
                           const double* weight)
{
    double deepest = Deepest(grid, shape, weight, 0.375 * grid->spacing);
    if (deepest < 0.375 * grid->spacing)
    {
        rslReport_Add(
            build->report, rsl_warning, def->network.place,
            "the shape of body '%s' is thinner than a cell: about %.2g m, and spacing is %.3g m. Its mass is "
            "right, but it bends like a softer body as thick as a cell; take a spacing below its thickness, or "
            "for a plate a sheet",
            def->name, 2.0 * deepest, grid->spacing);
    }
}

// Say so when much of the shape is too thin for its cells, and refuse it when all is.
static rslStatus CheckSlivers(rslBuild* build, const rslBodyDef* def, const rslGrid* grid, const rslAntialias* result)
{
    const rslNetworkDef* network = &def->network;
    if (result->fullCount + result->keptCount == 0)
    {
        double most = 0.0;
        for (int b = 0; b < result->borderCount; ++b)
        {
            most = result->border[b].fraction > most ? result->border[b].fraction : most;
        }
        if (most == 0.0)
        {
            return ReportNoCell(build, def, grid);
        }
        rslReport_Add(build->report, rsl_error, network->place,
                      "no cell of the lattice of body '%s' is filled to its threshold %.3g, the fullest only to %.2g: "
                      "spacing %.3g m is coarse for so thin a shape; try a smaller spacing or threshold",
                      def->name, network->threshold, most, network->spacing);
        return rsl_badInput;
    }
    if (result->dropped > 0.05 * result->volume)
    {
        rslReport_Add(
            build->report, rsl_warning, network->place,
            "%.0f %% of the volume of body '%s' is in cells filled less than the threshold %.3g; neighbours "
            "take over their mass and stiffness, but the shape is lost there: try a smaller spacing or threshold",
            100.0 * result->dropped / result->volume, def->name, network->threshold);
    }
    return rsl_ok;
}

// Bricks lie between the nodes of a centred lattice.
static bool HasDual(const rslBodyDef* def)
{
    return def->model.type == rsl_brickModel && def->network.construction == rsl_centredLattice;
}

// By fractions; the moments of border cells stay.
static rslStatus FillFractions(rslBuild* build, const rslBodyDef* def, const rslShape* shape, const rslGrid* grid,
                               double* weight, rslBody* body)
{
    double a3 = grid->spacing * grid->spacing * grid->spacing;
    const rslHooks* hooks = &build->model->hooks;
    rslAntialias result;
    bool bricks = def->model.type == rsl_brickModel, dual = HasDual(def);  // bricks keep all that is filled
    // cells of a box that is centred on them are filled at least by half along each axis
    double threshold = dual ? 0.12 : bricks ? 0.0 : def->network.threshold;
    rslStatus status = rslAntialias_Make(grid, shape, threshold, hooks, weight, &result);
    status = status == rsl_ok && !dual ? CheckSlivers(build, def, grid, &result) : status;
    if (status == rsl_ok && result.fullCount == 0)
    {
        CheckThickness(build, def, grid, shape, weight);
    }
    if (status == rsl_ok)
    {
        size_t count = (size_t)result.borderCount;
        rslBorderCell* border = rslArena_Allocate(build->arena, count, sizeof(rslBorderCell));
        status = border != NULL ? rsl_ok : rsl_outOfMemory;
        for (size_t b = 0; border != NULL && b < count; ++b)
        {
            border[b] = result.border[b];
        }
        body->lattice.border = border;
        body->lattice.borderCount = result.borderCount;
        body->lattice.droppedCount = result.borderCount - result.keptCount;
        body->lattice.volumeBound = result.bound * a3;
        body->volume = result.volume * a3;
    }
    rslRelease(hooks, result.border);
    return status == rsl_ok && bricks && !dual ? rslBuild_BrickShares(build, def, &body->lattice) : status;
}

// Masses with dipoles; nodes stand for the volume that they had.
static rslStatus AddDipoles(rslBuild* build, const rslBodyDef* def, const double* cells, double factor, rslBody* body,
                            double* mass)
{
    if (def->model.type != rsl_brickModel || !def->model.dipole)
    {
        return rsl_ok;
    }
    double* volume = rslArena_Allocate(build->arena, (size_t)body->nodeCount, sizeof(double));
    if (volume == NULL)
    {
        return rsl_outOfMemory;
    }
    double a = body->lattice.spacing;
    rslLattice_Spread(&body->lattice, body->lattice.weight, a * a * a, volume);
    body->nodeVolume = volume;
    return rslBuild_Dipole(build, def, &body->lattice, cells, factor, body->nodeCount, mass);
}

static rslStatus SetMasses(rslBuild* build, const rslBodyDef* def, const rslGrid* grid, const rslMaterialDef* material,
                           const rslLattice* cells, rslBody* body, double* mass)
{
    double a3 = grid->spacing * grid->spacing * grid->spacing;
    if (def->regionCount == 0)
    {
        rslLattice_Spread(cells, cells->weight, material->density * a3, mass);
        return AddDipoles(build, def, body->lattice.weight, material->density * a3, body, mass);
    }
    rslCellMix mix;
    rslStatus status = rslRegions_FillCells(build, def, grid, body, &mix);
    status = status == rsl_ok ? rslRegions_FillNodes(build, &mix, body, mass) : status;
    status = status == rsl_ok ? AddDipoles(build, def, mix.density, a3, body, mass) : status;
    rslCellMix_Free(&mix, &build->model->hooks);
    return status;
}

// The same nodes.
static void ShareRows(const rslLattice* from, rslLattice* to)
{
    to->rows = from->rows;
    to->rowCount = from->rowCount;
    to->lineStart = from->lineStart;
    memcpy(to->extent, from->extent, sizeof to->extent);
}

// Weights of the cells, then nodes, masses and the frame; of bricks on a centred lattice, the cells between its nodes too.
static rslStatus FillLattice(rslBuild* build, const rslBodyDef* def, const rslShape* shape, const rslGrid* grid,
                             rslBody* body, rslLattice* dual)
{
    rslLattice* lattice = &body->lattice;
    *lattice = (rslLattice){ .construction = def->network.construction,
                             .spacing = grid->spacing,
                             .law = def->network.law,
                             .cells = { grid->cells[0], grid->cells[1], grid->cells[2] } };
    size_t cells = (size_t)grid->cells[0] * (size_t)grid->cells[1] * (size_t)grid->cells[2];
    double* weight = rslArena_Allocate(build->arena, cells, sizeof(double));
    if (weight == NULL)
    {
        return rsl_outOfMemory;
    }
    lattice->weight = lattice->stiff = weight;
    rslStatus status = def->network.antialias ? FillFractions(build, def, shape, grid, weight, body)
                                              : FillWhole(build, def, shape, grid, weight, body);
    if (status == rsl_ok && HasDual(def))
    {
        status = rslBuild_DualCells(build, def, shape, grid, weight, body, dual);
        status = status == rsl_ok ? rslBuild_BrickShares(build, def, dual) : status;
    }
    if (status != rsl_ok)
    {
        return status;
    }
    int nodeCount = rslLattice_MakeRows(lattice, build->arena);
    ShareRows(lattice, dual);
    double* mass = nodeCount < 0 ? NULL : rslAllocate(&build->model->hooks, (size_t)nodeCount, sizeof(double));
    if (mass == NULL)
    {
        return rsl_outOfMemory;
    }
    build->masses[body - build->bodies] = mass;
    rslMaterialDef material = rslBuild_Material(def, &def->material);
    body->nodeCount = nodeCount;
    SetMaterial(&material, def->network.shells, body);
    status = SetMasses(build, def, grid, &material, HasDual(def) ? dual : lattice, body, mass);
    if (status != rsl_ok)
    {
        return status;
    }
    CentreFrame(lattice, grid, mass, body);
    if (material.orthotropic != NULL)
    {
        return SetAxes(build, def, &material, body);
    }
    rslBuild_CheckPoisson(build, def, material.poisson, 0.25);
    return rsl_ok;
}

static bool AddSquare(const rslSpring* spring, void* context)
{
    *(double*)context += spring->stiffness * spring->restLength * spring->restLength;
    return true;
}

// K = 1/(9 V) sum k L^2 of all springs there are (Kot eq. 2.23). A corner lattice has it already, but for cells whose
// weights were taken over; only rounding would change.
static void IdentifyWhole(rslBody* body)
{
    rslLattice* lattice = &body->lattice;
    double sum = 0.0;
    rslLattice_VisitSprings(lattice, 0, 0.0, AddSquare, &sum);
    for (int d = 0; sum > 0.0 && d < RSL_LATTICE_BONDS; ++d)
    {
        lattice->stiffness[d] *= 9.0 * body->bulk * body->volume / sum;
    }
}

// Scenes in the plane never come here: rslScene_Validate refuses lattices in them.
rslStatus rslBuild_Lattice(rslBuild* build, const rslBodyDef* def, const rslShape* shape, rslBody* body)
{
    rslGrid grid = { 0 };
    rslRotationDef orientation = def->network.orientation;
    body->kind = rsl_latticeBody;
    body->frame.rotation = rslQuatFromDegrees(orientation.axis, orientation.angle);
    rslStatus status = SizeGrid(build, def, shape, body->frame.rotation, &grid);
    // a body within one cell has no shape; within half a cell, without anti-aliasing
    double most = (def->network.antialias ? 1.0 + 1e-9 : 2.0) * Largest(grid.extent);
    if (status == rsl_ok && grid.spacing > most)
    {
        status = ReportNoCell(build, def, &grid);
    }
    rslLattice dual = { 0 };
    status = status == rsl_ok ? FillLattice(build, def, shape, &grid, body, &dual) : status;
    if (status == rsl_ok && def->network.identify == rsl_identifyWhole &&
        body->lattice.construction == rsl_centredLattice)
    {
        IdentifyWhole(body);
    }
    rslModelType type = def->model.type;
    bool elements = type == rsl_finiteModel || type == rsl_brickModel || type == rsl_boxModel;
    const rslLattice* cells = HasDual(def) ? &dual : &body->lattice;
    return status == rsl_ok && elements ? rslBuild_Cells(build, def, cells, body) : status;
}
