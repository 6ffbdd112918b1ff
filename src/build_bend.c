// SPDX-License-Identifier: MIT
//
// build_bend.c: what a sheet resists bending with: hinges on the edges between its triangles.
//
// A plate of bending modulus B with the curvature k holds  B/2 (nu tr(k)^2 + (1 - nu) k:k)  a square metre. In a triangle of area
// A with the edges l_i, their normals n_i in its plane at rest, and the angles a_i across them beyond those at rest,
//
//   k = sum_i s_i a_i n_i n_i^T,  s_i = l_i / (A + A_i),    W = 1/2 sum_ij Q_ij a_i a_j,
//   Q_ij = A B s_i s_j (nu + (1 - nu) (n_i.n_j)^2)
//
// A_i being the area of the neighbour: an edge is as much curved as its angle over the distance of the middles, two thirds of
// the heights, and each direction is told by three edges. Where triangles are those of a lattice, any one, each edge is a centre of
// symmetry and k is exact: the plate has its B and its nu in all directions. (A hinge alone, Q_ii of Grinspun et al. 2003, makes nu
// = -1/3 of equilateral triangles and a plate that is three times as stiff in one direction of right-angled ones.) In other meshes
// k depends on how they are cut; docs/theory.md says how much. Grids of rectangles are therefore bent as the mean of both
// lattices, all diagonals rising and all falling, however their springs run.
//
// A free edge gives way until nothing bends it: its angle is the one of least energy, Q_ij - Q_if Q_fj / Q_ff for the others. An edge of
// three triangles or more is free.

#include "mesh_topology.h"
#include "sheet.h"

typedef struct Bend
{
    const double* positions;
    const int* triangles;
    int triangleCount;
    int firstNode;
    double modulus, poisson;
    int* hingeOf;   // of every side of the triangles; -1: free
    double* areas;  // of every triangle
    int count;
    int* nodes;
    int* others;
    double* stiffness;
    int *first, *second;  // sides of every hinge
} Bend;

static rslVec3 At(const Bend* bend, int node)
{
    const double* x = bend->positions + 3 * (size_t)node;
    return (rslVec3){ x[0], x[1], x[2] };
}

static rslVec3 SideVector(const Bend* bend, int side)
{
    return rslSub(At(bend, rslSide_To(bend->triangles, side)), At(bend, rslSide_From(bend->triangles, side)));
}

static int Opposite(const Bend* bend, int side)
{
    return bend->triangles[side - side % 3 + (side + 2) % 3];
}

// Whether a side runs as its hinge does; of the two sides of a hinge one does where the triangles are turned alike.
static double SignOf(const Bend* bend, int side)
{
    int hinge = bend->hingeOf[side], first = bend->first[hinge];
    bool along = rslSide_From(bend->triangles, side) == rslSide_From(bend->triangles, first);
    return along == (side == first) ? 1.0 : -1.0;
}

// ---- hinges ---------------------------------------------------------------------------------------------------------

static void AddHinge(Bend* bend, int one, int two)
{
    int* nodes = &bend->nodes[4 * (size_t)bend->count];
    nodes[0] = bend->firstNode + rslSide_From(bend->triangles, one);
    nodes[1] = bend->firstNode + rslSide_To(bend->triangles, one);
    nodes[2] = bend->firstNode + Opposite(bend, one);
    nodes[3] = bend->firstNode + Opposite(bend, two);
    bend->first[bend->count] = one;
    bend->second[bend->count] = two;
    bend->hingeOf[one] = bend->hingeOf[two] = bend->count++;
}

static rslStatus FindHinges(Bend* bend, const rslHooks* hooks)
{
    rslSides sides;
    rslStatus status = rslSides_Make(bend->triangles, bend->triangleCount, hooks, &sides);
    if (status != rsl_ok)
    {
        return status;
    }
    for (int s = 0; s < 3 * bend->triangleCount; ++s)
    {
        bend->hingeOf[s] = -1;
    }
    for (size_t begin = 0, end; begin < sides.count; begin = end)
    {
        end = rslSides_RunEnd(&sides, begin);
        if (end - begin == 2 && Opposite(bend, sides.sides[begin]) != Opposite(bend, sides.sides[begin + 1]))
        {
            AddHinge(bend, sides.sides[begin], sides.sides[begin + 1]);
        }
    }
    for (int t = 0; t < bend->triangleCount; ++t)
    {
        rslVec3 one = SideVector(bend, 3 * t), two = SideVector(bend, 3 * t + 1);
        bend->areas[t] = 0.5 * rslLength(rslCross(one, two));
    }
    rslSides_Free(&sides);
    return rsl_ok;
}

// ---- stiffness ------------------------------------------------------------------------------------------------------

// Areas of a triangle and of its neighbour across a side; itself again across a free one.
static double BothAreas(const Bend* bend, int side)
{
    int hinge = bend->hingeOf[side];
    int other = hinge < 0 ? side : bend->first[hinge] == side ? bend->second[hinge] : bend->first[hinge];
    return bend->areas[side / 3] + bend->areas[other / 3];
}

static void FindMatrix(const Bend* bend, int t, double weight, double q[3][3])
{
    rslVec3 edge[3];
    double s[3];
    for (int i = 0; i < 3; ++i)
    {
        int side = 3 * t + i;
        double sign = bend->hingeOf[side] < 0 ? 1.0 : SignOf(bend, side);
        edge[i] = SideVector(bend, side);
        s[i] = sign * rslLength(edge[i]) / BothAreas(bend, side);
        edge[i] = rslNormalize(edge[i]);
    }
    for (int i = 0; i < 9; ++i)
    {
        int r = i / 3, c = i % 3;
        double cosine = r == c ? 1.0 : rslDot(edge[r], edge[c]);  // of the edges as of their normals
        q[r][c] = weight * bend->modulus * bend->areas[t] * s[r] * s[c] *
                  (bend->poisson + (1.0 - bend->poisson) * cosine * cosine);
    }
}

// Free edges give way.
static void Relax(double q[3][3], int f)
{
    double pivot = q[f][f], column[3] = { q[0][f], q[1][f], q[2][f] };
    for (int i = 0; i < 9; ++i)
    {
        int r = i / 3, c = i % 3;
        q[r][c] = r == f || c == f || !(pivot > 0.0) ? 0.0 : q[r][c] - column[r] * column[c] / pivot;
    }
}

// Rows have the hinge itself, then the other two of its first triangle, then those of its second.
static void AddTriangle(Bend* bend, int t, double weight)
{
    double q[3][3];
    FindMatrix(bend, t, weight, q);
    for (int i = 0; i < 3; ++i)
    {
        if (bend->hingeOf[3 * t + i] < 0)
        {
            Relax(q, i);
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        int hinge = bend->hingeOf[3 * t + i];
        for (int k = 0; hinge >= 0 && k < 3; ++k)
        {
            int other = bend->hingeOf[3 * t + (i + k) % 3];
            size_t at = RSL_HINGE_ROW * (size_t)hinge + (size_t)(k == 0 ? 0 : bend->first[hinge] / 3 == t ? k : k + 2);
            bend->others[at] = other;
            bend->stiffness[at] += other < 0 ? 0.0 : q[i][(i + k) % 3];
        }
    }
}

static rslStatus Fill(Bend* bend, double weight, const rslHooks* hooks)
{
    size_t before = (size_t)bend->count;
    rslStatus status = FindHinges(bend, hooks);
    for (size_t i = RSL_HINGE_ROW * before; i < RSL_HINGE_ROW * (size_t)bend->count; ++i)
    {
        bend->others[i] = -1;
    }
    for (int t = 0; status == rsl_ok && t < bend->triangleCount; ++t)
    {
        AddTriangle(bend, t, weight);
    }
    return status;
}

// ---- together -------------------------------------------------------------------------------------------------------

// Both ways to cut a grid, half of each.
static rslStatus FillGrid(Bend* bend, const rslSheet* sheet, const rslHooks* hooks)
{
    int* triangles = rslAllocate(hooks, (size_t)sheet->triangleCount, 3 * sizeof(int));
    rslStatus status = triangles != NULL ? rsl_ok : rsl_outOfMemory;
    bend->triangles = triangles;
    for (int rising = 0; status == rsl_ok && rising < 2; ++rising)
    {
        rslSheet_Split(sheet, rising == 1, triangles);
        status = Fill(bend, 0.5, hooks);
    }
    rslRelease(hooks, triangles);
    return status;
}

static double ModulusOf(const rslBodyDef* def, const rslBody* body)
{
    double h = def->network.thickness, nu = body->poisson;
    double plate = body->young * h * h * h / (12.0 * (1.0 - nu * nu));
    return isnan(def->network.bending) ? plate : def->network.bending;
}

rslStatus rslBuild_Bending(rslBuild* build, const rslBodyDef* def, const rslSheet* sheet, rslBody* body)
{
    const rslHooks* hooks = &build->model->hooks;
    double modulus = ModulusOf(def, body);
    bool grid = sheet->cells[0] > 0;
    size_t sides = 3 * (size_t)sheet->triangleCount, most = (grid ? 2 : 1) * (sides / 2);
    if (!(modulus > 0.0) || most == 0)
    {
        return rsl_ok;
    }
    Bend bend = {
        .positions = sheet->draft.positions,
        .triangles = sheet->triangles,
        .triangleCount = sheet->triangleCount,
        .firstNode = body->firstNode,
        .modulus = modulus,
        .poisson = body->poisson,
        .hingeOf = rslAllocate(hooks, sides, sizeof(int)),
        .areas = rslAllocate(hooks, (size_t)sheet->triangleCount, sizeof(double)),
        .first = rslAllocate(hooks, 2 * most, sizeof(int)),
        .nodes = rslArena_Allocate(build->arena, most, 4 * sizeof(int)),
        .others = rslArena_Allocate(build->arena, most, RSL_HINGE_ROW * sizeof(int)),
        .stiffness = rslArena_Allocate(build->arena, most, RSL_HINGE_ROW * sizeof(double)),
    };
    bend.second = bend.first != NULL ? bend.first + most : NULL;
    rslStatus status = bend.hingeOf != NULL && bend.areas != NULL && bend.first != NULL && bend.nodes != NULL &&
                               bend.others != NULL && bend.stiffness != NULL
                           ? rsl_ok
                           : rsl_outOfMemory;
    status = status != rsl_ok ? status : grid ? FillGrid(&bend, sheet, hooks) : Fill(&bend, 1.0, hooks);
    body->bending = (rslBending){ bend.count, bend.nodes, bend.others, bend.stiffness, modulus, body->poisson };
    rslRelease(hooks, bend.hingeOf);
    rslRelease(hooks, bend.areas);
    rslRelease(hooks, bend.first);
    return status;
}
