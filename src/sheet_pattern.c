// SPDX-License-Identifier: MIT
//
// sheet_pattern.c: the regular grids of a sheet.
//
// Cells p x q, d^2 = p^2 + q^2. Each cell brings half of kx on its two sides along x, half of ky on those along
// y and kd on its two diagonals. C = (1 / pq) sum k L^2 n n n n:
//
//   C12 = C66 = 2 kd p^2 q^2 / (d^2 p q)        so  kd = 3/16 E h d^2 / (p q)
//   C11 = (kx p^2 + 2 kd p^4 / d^2) / (p q)     so  kx = 3/8 E h (3 q/p - p/q), and ky alike
//
// exactly, borders included (the cells are superposed). kx is positive while p < sqrt(3) q. With one diagonal a cell,
// alternating, it has 2 kd: the cells of one kind alone are skewed, their mean is not, and inside every node is a
// centre of symmetry, so that a uniform strain is in balance there.
//
// Hexagonal: rows of equilateral triangles, n + 1 and n nodes by turns, so that every inner node has six springs at 60
// degrees. Each triangle brings sqrt(3)/4 E h on its edges (build_sheet.c), which is the finite element to rounding, so the
// moduli are exact up to the border. The sides along y are zigzag: half triangles would not be equilateral.

#include "sheet.h"

#include "elementary.h"

#define ROW_HEIGHT 0.86602540378443865 /* of an equilateral triangle of edge 1 */

typedef struct Grid
{
    double cell[2];  // [m]; hexagonal: the edge and the height of a row
    int cells[2];
} Grid;

static bool IsHexagonal(const rslNetworkDef* network)
{
    return network->pattern == rsl_hexagonalPattern;
}

// ---- size -----------------------------------------------------------------------------------------------------------

// As many as given, or as fit best.
static double CellsAlong(const rslNetworkDef* network, int axis, double cell)
{
    double fitting = floor(network->size[axis] / cell + 0.5 + 1e-9);
    return network->cells[axis] > 0 ? network->cells[axis] : fitting < 1.0 ? 1.0 : fitting;
}

static rslStatus CheckAspect(rslBuild* build, const rslBodyDef* def, const Grid* grid)
{
    double aspect = grid->cell[0] / grid->cell[1];
    if (aspect < 1.7 && aspect > 1.0 / 1.7)
    {
        return rsl_ok;
    }
    rslReport_Add(build->report, rsl_error, def->network.place,
                  "the cells of the grid of body '%s' are %.4g x %.4g m: beyond an aspect of 1.7 no springs give this "
                  "material; change cells so that they are nearly square",
                  def->name, grid->cell[0], grid->cell[1]);
    return rsl_badInput;
}

// Triangles stay equilateral, so the height is a whole number of rows.
static void CheckHeight(rslBuild* build, const rslBodyDef* def, const Grid* grid)
{
    double height = grid->cells[1] * grid->cell[1], wanted = def->network.size[1];
    if (fabs(height - wanted) > 1e-3 * wanted)
    {
        rslReport_Add(build->report, rsl_warning, def->network.place,
                      "the hexagonal sheet '%s' is %.5g m high instead of %.5g m: %d rows of equilateral triangles of "
                      "edge %.5g m",
                      def->name, height, wanted, grid->cells[1], grid->cell[0]);
    }
}

static rslStatus CheckTube(rslBuild* build, const rslBodyDef* def, const Grid* grid)
{
    bool alternating = def->network.pattern == rsl_alternatingPattern;
    const char* why = IsHexagonal(&def->network) ? "is made of squares: choose the pattern crossed or alternating"
                      : build->scene->plane == rsl_planeXY ? "is not plane, but the scene is"
                      : grid->cells[0] < 3                 ? "has at least three cells around"
                      : alternating && grid->cells[0] % 2 > 0
                          ? "with alternating diagonals has an even number of cells around"
                          : NULL;
    if (why == NULL)
    {
        return rsl_ok;
    }
    rslReport_Add(build->report, rsl_error, def->network.place, "a tube %s (body '%s', %d cells around)", why,
                  def->name, grid->cells[0]);
    return rsl_badInput;
}

static rslStatus SizeGrid(rslBuild* build, const rslBodyDef* def, Grid* grid)
{
    const rslNetworkDef* network = &def->network;
    bool hexagonal = IsHexagonal(network);
    double cells[2];
    cells[0] = CellsAlong(network, 0, network->spacing);
    double edge = network->size[0] / cells[0];
    cells[1] = CellsAlong(network, 1, hexagonal ? ROW_HEIGHT * edge : network->spacing);
    if (!((cells[0] + 1.0) * (cells[1] + 1.0) < 1e8))
    {
        rslReport_Add(build->report, rsl_error, network->place,
                      "the grid of body '%s' would have more than 1e8 nodes; choose a larger spacing", def->name);
        return rsl_badInput;
    }
    *grid = (Grid){
        .cells = { (int)cells[0], (int)cells[1] },
        .cell = { edge, hexagonal ? ROW_HEIGHT * edge : network->size[1] / cells[1] },
    };
    if (hexagonal)
    {
        CheckHeight(build, def, grid);
    }
    rslStatus status = network->tube ? CheckTube(build, def, grid) : rsl_ok;
    return status == rsl_ok && !hexagonal ? CheckAspect(build, def, grid) : status;
}

// ---- nodes ----------------------------------------------------------------------------------------------------------

// Every other row of a hexagonal grid is one node shorter.
static bool IsShort(const rslNetworkDef* network, int row)
{
    return IsHexagonal(network) && row % 2 == 1;
}

static int NodesOfRow(const rslNetworkDef* network, const Grid* grid, int row)
{
    return grid->cells[0] + (IsShort(network, row) || network->tube ? 0 : 1);
}

// The cells of a tube are flat: p = 2 r sin(pi / n).
static rslVec3 RollUp(const Grid* grid, int i, double y)
{
    double n = grid->cells[0], r = 0.5 * grid->cell[0] / rslSinDegrees(180.0 / n), angle = 360.0 * i / n;
    return (rslVec3){ r * rslSinDegrees(angle), y, r * rslCosDegrees(angle) };
}

static void PlaceNodes(const rslNetworkDef* network, const Grid* grid, rslSheet* sheet)
{
    rslQuat turn = rslQuatFromDegrees(network->rotate.axis, network->rotate.angle);
    rslMat3 matrix = rslQuatMatrix(turn);
    double* xyz = sheet->draft.positions;
    for (int j = 0; j <= grid->cells[1]; ++j)
    {
        double shift = (IsShort(network, j) ? 0.5 : 0.0) - 0.5 * grid->cells[0];
        for (int i = 0; i < NodesOfRow(network, grid, j); ++i, xyz += 3)
        {
            rslVec3 x = { grid->cell[0] * (i + shift), grid->cell[1] * (j - 0.5 * grid->cells[1]), 0.0 };
            x = network->tube ? RollUp(grid, i, x.y) : x;
            x = rslAdd(rslMatVec(&matrix, x), network->translate);
            xyz[0] = x.x;
            xyz[1] = x.y;
            xyz[2] = x.z;
        }
    }
}

// ---- springs and triangles ------------------------------------------------------------------------------------------

// Corners are lower left, lower right, upper left, upper right.
static void SplitCell(const int corner[4], bool rising, int* triangles)
{
    static const int split[2][6] = { { 0, 1, 2, 1, 3, 2 }, { 0, 1, 3, 0, 3, 2 } };
    for (int c = 0; c < 6; ++c)
    {
        triangles[c] = corner[split[rising ? 1 : 0][c]];
    }
}

// Rows have this many nodes; the last cell of a tube meets the first.
static void FindCorners(int row, int i, int j, int corner[4])
{
    int next = (i + 1) % row;
    corner[0] = i + row * j;
    corner[1] = next + row * j;
    corner[2] = i + row * (j + 1);
    corner[3] = next + row * (j + 1);
}

void rslSheet_Split(const rslSheet* sheet, bool rising, int* triangles)
{
    int row = sheet->draft.nodeCount / (sheet->cells[1] + 1);
    for (int cell = 0; cell < sheet->cells[0] * sheet->cells[1]; ++cell, triangles += 6)
    {
        int corner[4];
        FindCorners(row, cell % sheet->cells[0], cell / sheet->cells[0], corner);
        SplitCell(corner, rising, triangles);
    }
}

// Springs and two triangles of one cell.
static void AddCell(rslSheet* sheet, const Grid* grid, const int corner[4], bool rising, bool both, int* triangles)
{
    double p = grid->cell[0], q = grid->cell[1];
    double kx = 0.375 * sheet->stretch * (3.0 * q / p - p / q);
    double ky = 0.375 * sheet->stretch * (3.0 * p / q - q / p);
    double kd = 0.1875 * sheet->stretch * (p * p + q * q) / (p * q);
    rslSheet_AddSpring(sheet, corner[0], corner[1], 0.5 * kx);
    rslSheet_AddSpring(sheet, corner[2], corner[3], 0.5 * kx);
    rslSheet_AddSpring(sheet, corner[0], corner[2], 0.5 * ky);
    rslSheet_AddSpring(sheet, corner[1], corner[3], 0.5 * ky);
    if (both || rising)
    {
        rslSheet_AddSpring(sheet, corner[0], corner[3], both ? kd : 2.0 * kd);
    }
    if (both || !rising)
    {
        rslSheet_AddSpring(sheet, corner[1], corner[2], both ? kd : 2.0 * kd);
    }
    SplitCell(corner, rising, triangles);
}

static void FillSquares(rslSheet* sheet, const rslNetworkDef* network, const Grid* grid)
{
    int nx = grid->cells[0], ny = grid->cells[1];
    int* triangles = sheet->triangles;
    for (int j = 0; j < ny; ++j)
    {
        for (int i = 0; i < nx; ++i, triangles += 6)
        {
            int corner[4];
            FindCorners(NodesOfRow(network, grid, j), i, j, corner);
            AddCell(sheet, grid, corner, (i + j) % 2 == 0, network->pattern == rsl_crossedPattern, triangles);
            rslSheet_AddMass(sheet, triangles);
            rslSheet_AddMass(sheet, triangles + 3);
        }
    }
}

// Between two rows: n triangles stand on the long row, n - 1 on the short one; counter-clockwise.
static void FillHexagons(rslSheet* sheet, const Grid* grid)
{
    int n = grid->cells[0], lower = 0;
    int* triangle = sheet->triangles;
    for (int j = 0; j < grid->cells[1]; ++j)
    {
        bool rising = j % 2 == 0;  // the long row is below
        int upper = lower + (rising ? n + 1 : n);
        int longRow = rising ? lower : upper, shortRow = rising ? upper : lower;
        for (int t = 0; t < 2 * n - 1; ++t, triangle += 3)
        {
            int i = t / 2;
            bool onLong = t % 2 == 0;
            triangle[0] = onLong ? longRow + i : shortRow + i;
            triangle[1] = longRow + i + 1;
            triangle[2] = onLong ? shortRow + i : shortRow + i + 1;
            if (!rising)
            {
                int swapped = triangle[1];
                triangle[1] = triangle[2];
                triangle[2] = swapped;
            }
            rslSheet_AddEdges(sheet, triangle, rslSheet_AddMass(sheet, triangle));
        }
        lower = upper;
    }
}

rslStatus rslSheet_Pattern(rslBuild* build, const rslBodyDef* def, rslSheet* sheet)
{
    const rslNetworkDef* network = &def->network;
    Grid grid = { 0 };
    rslStatus status = SizeGrid(build, def, &grid);
    if (status != rsl_ok)
    {
        return status;
    }
    int nx = grid.cells[0], ny = grid.cells[1], nodes = 0;
    for (int j = 0; j <= ny; ++j)
    {
        nodes += NodesOfRow(network, &grid, j);
    }
    int triangles = IsHexagonal(network) ? ny * (2 * nx - 1) : 2 * nx * ny;
    if (!rslSheet_Allocate(sheet, &build->model->hooks, nodes, 3 * triangles, triangles))
    {
        return rsl_outOfMemory;
    }
    PlaceNodes(network, &grid, sheet);
    if (IsHexagonal(network))
    {
        sheet->spacing = grid.cell[0];
        FillHexagons(sheet, &grid);
    }
    else
    {
        sheet->spacing = 0.5 * (grid.cell[0] + grid.cell[1]);
        sheet->cells[0] = nx;
        sheet->cells[1] = ny;
        FillSquares(sheet, network, &grid);
    }
    return rsl_ok;
}
