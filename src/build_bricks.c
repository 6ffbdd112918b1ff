// SPDX-License-Identifier: MIT
//
// build_bricks.c: the constants of bricks (element_hexahedron.c): of full cells and of those that the surface cuts.
//
// Cell coordinates s in [-1/2, 1/2]^3, corners n with the signs g = (+-1/2)^3, < > the mean over what is filled, x the filled
// fraction, and the moments of rslBorderCell: c, D, p, t. With
//   N_n = < prod_i (1/2 + 2 g_i s_i) >                      share of a corner in what is filled
//   q_e = < (1/2 + 2 g_j s_j)(1/2 + 2 g_k s_k) >            of an edge along i;  a < grad N_n >_i = 2 g_i q_e
//   q_f = < 1/2 + 2 g_k s_k >                               of a face normal to k
// the masses and constants are
//   m_n = rho x a^3 [(1 - b) N_n + b/8]
//   k_e = f_e mu a x [(1 - b) r q_e + b/4],   k_d = f_d mu a x [(1 - b) r q_f + b/2]
//
// r. Springs sit at the sides of the cell, where the second moment along i about the filled centre is 1/4 - c_i^2 instead of D_i,
// and a full cell has one third of it: r_i = 3 D_i / (1/4 - c_i^2). Diagonals of a face feel strain that varies along its normal,
// r = r_k; edges feel what varies along both other axes, r = (r_j + r_k)/2. No weights that are positive serve both exactly. (The
// mean of all three for all springs: first frequency of cantilevers within 1.5 % instead of 0.9 % at two cells across.)
//
// b, the floor. Far corners of a cell filled to the depth x hold x^2 of mass at x of stiffness, so that the stable step would go
// to nothing with x. b = (theta - q) / (1 - q) where q, the least of 8 N_n, is below theta: masses and springs of the cell
// become those of a full one in that part, and q is theta. Its mass stays exact; its centre moves from c to (1 - b) c. The floor
// must be on r q, not on both of them: else springs would be b^2 where masses are b.
//
// f. In bending with free sides, springs of a full cell hold 4 k_e + 2 k_d (1 - nu) of E a / 3 (Simpson: one third of the
// stiffness at the sides, two thirds in the middle are exact), hence k_e + k_d (1 - nu)/2 = E a/12. As in the lattice of springs,
// k_e : k_d = 1 : 2, that is f_e = f_d = 2 (1 + nu) / (3 (2 - nu)): "tuned AB". The twist u_x ~ s_y s_z asks for k_d = mu a/6, f_d =
// 1/3, f_e = (1 + 3 nu)/3. Rotary inertia of lumped masses is too large and makes torsion slow, by more than the too
// stiff twist of tuned AB makes it fast; so that is the better one with lumped masses, and the other one with masses whose
// inertia is right (dipole). They are the same at nu = 0; below, edges would weaken for nothing.

#include "brick.h"
#include "build.h"
#include "lattice.h"

#include <math.h>

typedef struct Factors
{
    double edge, diagonal;  // f_e, f_d
} Factors;

static Factors FactorsOf(double nu, bool dipole)
{
    double tuned = 2.0 * (1.0 + nu) / (3.0 * (2.0 - nu));
    return dipole && nu > 0.0 ? (Factors){ (1.0 + 3.0 * nu) / 3.0, 1.0 / 3.0 } : (Factors){ tuned, tuned };
}

static const rslBorderCell fullCell = { .fraction = 1.0, .variance = { 1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0 } };

// g of a corner along an axis.
static double Sign(int corner, int axis)
{
    return corner >> axis & 1 ? 0.5 : -0.5;
}

// Means over what is filled are not negative, but for roundings, and for what lies beyond the corners (build_dual.c).
static double Positive(double value)
{
    return value > 0.0 ? value : 0.0;
}

// q_e of the edge along an axis at a corner.
static double EdgeShare(const rslBorderCell* cell, int corner, int axis)
{
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    double gj = Sign(corner, j), gk = Sign(corner, k);
    return 0.25 + gj * cell->centroid[j] + gk * cell->centroid[k] + 4.0 * gj * gk * cell->product[axis];
}

// N_n
static double CornerShare(const rslBorderCell* cell, int corner)
{
    double g[3] = { Sign(corner, 0), Sign(corner, 1), Sign(corner, 2) }, share = 0.125;
    for (int i = 0; i < 3; ++i)
    {
        share += 0.5 * g[i] * cell->centroid[i] + 2.0 * g[(i + 1) % 3] * g[(i + 2) % 3] * cell->product[i];
    }
    return share + 8.0 * g[0] * g[1] * g[2] * cell->triple;
}

// b. Bricks that stand for more than a cell have corners with so much more.
static double Blend(const rslBorderCell* cell, double theta)
{
    double least = 1.0, size = cell->fraction > 1.0 ? cell->fraction : 1.0;
    for (int n = 0; n < 8; ++n)
    {
        least = fmin(least, 8.0 * CornerShare(cell, n));
    }
    return least * size < theta ? (theta / size - least) / (1.0 - least) : 0.0;
}

// r_i
static double Stiffening(const rslBorderCell* cell, int axis)
{
    double d = cell->variance[axis], side = 0.25 - cell->centroid[axis] * cell->centroid[axis];
    return side > d ? 3.0 * d / side : 3.0;  // d is less, but for what lies beyond the corners
}

// (1 - b) N_n + b/8
static void Shares(const rslBorderCell* cell, double b, double share[8])
{
    for (int n = 0; n < 8; ++n)
    {
        share[n] = fmax((1.0 - b) * CornerShare(cell, n) + b / 8.0, 1e-14);  // nodes need a mass
    }
}

void rslBrick_Record(const rslBorderCell* cell, const rslModelDef* model, double nu, double* record)
{
    Factors f = FactorsOf(nu, model->dipole);
    double b = Blend(cell, model->floor), r[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        r[axis] = Stiffening(cell, axis);
    }
    Shares(cell, b, record + RSL_BRICK_SHARE);
    for (int n = 0; n < 8; ++n)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            record[RSL_BRICK_GRADIENT + 3 * n + axis] = 2.0 * Sign(n, axis) * EdgeShare(cell, n, axis);
        }
    }
    for (int s = 0; s < RSL_BRICK_SPRINGS; ++s)
    {
        int corner = rslBrickSprings[s][0], edge = s / 4, normal = (s - RSL_BRICK_EDGES) / 4;
        bool diagonal = s >= RSL_BRICK_EDGES;
        double share = Positive(diagonal ? 0.5 + 2.0 * Sign(corner, normal) * cell->centroid[normal]
                                         : EdgeShare(cell, corner, edge));
        double full = diagonal ? 0.5 : 0.25;
        double along = diagonal ? r[normal] : 0.5 * (r[(edge + 1) % 3] + r[(edge + 2) % 3]);
        record[RSL_BRICK_STIFFNESS + s] = (diagonal ? f.diagonal : f.edge) * ((1.0 - b) * along * share + b * full);
    }
}

rslStatus rslBuild_BrickShares(rslBuild* build, const rslBodyDef* def, rslLattice* lattice)
{
    double* share = rslArena_Allocate(build->arena, 8 * (size_t)lattice->borderCount, sizeof(double));
    for (int b = 0; share != NULL && b < lattice->borderCount; ++b)
    {
        Shares(&lattice->border[b], Blend(&lattice->border[b], def->model.floor), share + 8 * (size_t)b);
    }
    lattice->share = share;
    return share != NULL ? rsl_ok : rsl_outOfMemory;
}

// ---- records --------------------------------------------------------------------------------------------------------

// Full cells of one material share a record, the first ones, in the order of the materials. Cells that are cut or hold several
// materials have their own.
typedef struct Records
{
    const rslBodyDef* def;
    const rslLattice* lattice;
    const rslElements* set;
    int fullCount;  // materials
    double* constants;
    int* record;
} Records;

static double RatioOf(const Records* records, int material)
{
    const rslBodyDef* def = records->def;
    return rslMaterial_Resolve(material == 0 ? &def->material : &def->regions[material - 1].material).poisson;
}

// The record of a full cell of the Poisson's ratio of an element; -1: there is none.
static int FullRecord(const Records* records, int element)
{
    const double* ratio = records->set->ratio;
    for (int m = 0; ratio != NULL && m < records->fullCount; ++m)
    {
        if (fabs(ratio[element] - RatioOf(records, m)) < 1e-12)
        {
            return m;
        }
    }
    return ratio != NULL ? -1 : 0;
}

// Count the records; fill them once there is room.
static int FillRecords(const Records* records)
{
    const rslModelDef* model = &records->def->model;
    const rslLattice* lattice = records->lattice;
    size_t cells = (size_t)lattice->cells[0] * (size_t)lattice->cells[1] * (size_t)lattice->cells[2];
    int count = records->fullCount, border = 0, element = 0;
    for (int m = 0; records->record != NULL && m < count; ++m)
    {
        double* to = records->constants + (size_t)RSL_BRICK_NUMBERS * (size_t)m;
        rslBrick_Record(&fullCell, model, RatioOf(records, m), to);
    }
    for (size_t c = 0; c < cells; ++c)
    {
        bool cut = border < lattice->borderCount && lattice->border[border].cell == (int64_t)c;
        const rslBorderCell* cell = cut ? &lattice->border[border] : &fullCell;
        border += cut ? 1 : 0;
        if (!(lattice->weight[c] > 0.0))
        {
            continue;
        }
        int at = cut ? -1 : FullRecord(records, element);
        if (records->record != NULL)
        {
            double nu = records->set->ratio != NULL ? records->set->ratio[element] : records->set->poisson;
            records->record[element] = at < 0 ? count : at;
            double* to = records->constants + (size_t)RSL_BRICK_NUMBERS * (size_t)records->record[element];
            if (at < 0)
            {
                rslBrick_Record(cell, model, nu, to);
            }
        }
        count += at < 0 ? 1 : 0;
        ++element;
    }
    return count;
}

rslStatus rslBuild_Bricks(rslBuild* build, const rslBodyDef* def, const rslLattice* cells, rslBody* body)
{
    rslElements* set = &body->elements;
    Records records = { .def = def, .lattice = cells, .set = set };
    records.fullCount = set->ratio != NULL ? def->regionCount + 1 : 1;
    set->kind = rsl_brickElements;
    set->recordCount = FillRecords(&records);
    records.constants = rslArena_Allocate(build->arena, (size_t)set->recordCount * RSL_BRICK_NUMBERS, sizeof(double));
    records.record = rslArena_Allocate(build->arena, (size_t)set->count, sizeof(int));
    if (records.constants == NULL || records.record == NULL)
    {
        return rsl_outOfMemory;
    }
    FillRecords(&records);
    set->constants = records.constants;
    set->record = set->recordCount > 1 ? records.record : NULL;
    return rsl_ok;
}

// ---- questions ------------------------------------------------------------------------------------------------------

static const double* RecordOf(const rslElements* set, int element)
{
    int record = set->record != NULL ? set->record[element] : 0;
    return set->constants + (size_t)RSL_BRICK_NUMBERS * (size_t)record;
}

rslVec3 rslBrick_Gradient(const rslBody* body, int element, int corner)
{
    const double* b = RecordOf(&body->elements, element) + RSL_BRICK_GRADIENT + 3 * (size_t)corner;
    double a = body->lattice.spacing;
    return (rslVec3){ b[0] / a, b[1] / a, b[2] / a };
}

double rslElements_Share(const rslBody* body, int element, int corner)
{
    const rslElements* set = &body->elements;
    return set->kind == rsl_brickElements ? RecordOf(set, element)[RSL_BRICK_SHARE + corner]
                                          : 1.0 / rslElements_Corners(set);
}

// A spring moves by (+-1 at its ends) - d.b_n, along itself, over a displacement of corner n.
double rslBrick_SpringTrace(const rslBody* body, int element, int corner)
{
    const double* record = RecordOf(&body->elements, element);
    const double* b = record + RSL_BRICK_GRADIENT + 3 * (size_t)corner;
    double sum = 0.0;
    for (int d = 0; d < RSL_BRICK_DIRECTIONS; ++d)
    {
        const signed char* step = rslBrickDirections[d];
        double mean = step[0] * b[0] + step[1] * b[1] + step[2] * b[2];
        for (int s = rslBrick_Start(d); s < rslBrick_Start(d + 1); ++s)
        {
            double end = rslBrickSprings[s][1] == corner ? 1.0 : rslBrickSprings[s][0] == corner ? -1.0 : 0.0;
            sum += record[RSL_BRICK_STIFFNESS + s] * (end - mean) * (end - mean);
        }
    }
    double a = body->lattice.spacing;
    return sum / (a * a);
}
