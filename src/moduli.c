// SPDX-License-Identifier: MIT
//
// moduli.c: see moduli.h.
//
// Nodes near the border are moved by u = e x; those inside relax. With the springs of the response, T = k n.(u_b - u_a),
// and what dispersion adds to it, with elements and repulsion in the same way,
//
//   stress = 1/V sum over nodes i inside of 1/2 sum over their springs of T L n n       (virial), V = sum of V_i
//   strain = the symmetric part of the gradient of u inside, by least squares
//
// and C from the six pairs of them. V_i is the volume of a node. In a corner lattice of whole cells all nodes
// are in the same uniform strain, those on the faces with their share of springs and volume: the mean is over all of them,
// and exact. Elsewhere the nodes with other surroundings than those inside are among the prescribed ones.
//
//   1/E(n) = s.S s, s = (n n)              1/G = S of that shear              1/K = sum of S over the normal components

#include "moduli.h"

#include "build.h"

#include "elementary.h"
#include "repulsion.h"
#include "spread.h"

#include <string.h>

enum
{
    LEAST_INSIDE = 8,
    COARSE = 4000  // directions that are tried before the best is refined
};

// a direction is worse than another by at least this, so that noise does not choose
#define CLEAR 1e-8

static const int row[6] = { 0, 1, 2, 1, 2, 0 }, column[6] = { 0, 1, 2, 2, 0, 1 };

static bool HasComponent(bool flat, int c)
{
    return !flat || c == 0 || c == 1 || c == 5;
}

// ---- small matrices ---------------------------------------------------------------------------------------------------

// X = B A^-1 by elimination with pivots on the rows of A^T; sizes are those of the components in use. False when singular.
static bool Divide(const rslVoigt* b, const rslVoigt* a, bool flat, rslVoigt* x)
{
    double m[6][12] = { { 0 } };
    for (int r = 0; r < 6; ++r)
    {
        for (int c = 0; c < 6; ++c)
        {
            bool used = HasComponent(flat, r) && HasComponent(flat, c);
            m[r][c] = used ? a->m[c][r] : r == c ? 1.0 : 0.0;
            m[r][6 + c] = used ? b->m[c][r] : 0.0;
        }
    }
    for (int p = 0; p < 6; ++p)
    {
        int best = p;
        for (int r = p + 1; r < 6; ++r)
        {
            best = fabs(m[r][p]) > fabs(m[best][p]) ? r : best;
        }
        double kept[12];
        memcpy(kept, m[p], sizeof kept);
        memcpy(m[p], m[best], sizeof kept);
        memcpy(m[best], kept, sizeof kept);
        if (!(fabs(m[p][p]) > 0.0) || !isfinite(m[p][p]))
        {
            return false;
        }
        for (int r = 0; r < 6; ++r)
        {
            double factor = r == p ? 0.0 : m[r][p] / m[p][p];
            for (int c = 0; c < 12; ++c)
            {
                m[r][c] -= factor * m[p][c];
            }
        }
    }
    for (int r = 0; r < 6; ++r)
    {
        for (int c = 0; c < 6; ++c)
        {
            x->m[c][r] = m[r][6 + c] / m[r][r];
        }
    }
    return true;
}

// ---- six strains --------------------------------------------------------------------------------------------------------

// Hold what is near a face; inside[i] = 1 for nodes that are read off. Returns how many; 0 when they do not lie in all
// directions from each other.
static int HoldBorder(rslRig* rig, const rslSpecimen* specimen, uint8_t* inside)
{
    const double half[3] = { 0.5 * specimen->size.x, 0.5 * specimen->size.y, 0.5 * specimen->size.z };
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    int count = 0, axes = specimen->flat ? 2 : 3;
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        const double x[3] = { rig->rest[i].x, rig->rest[i].y, rig->rest[i].z };
        bool border = false;
        for (int axis = 0; axis < axes; ++axis)
        {
            double depth = specimen->border > 0.0 ? specimen->border : specimen->grip[axis];
            border = border || fabs(x[axis]) > half[axis] - depth;
        }
        rig->held[i] = (uint8_t)(border ? 7 : specimen->flat ? 4 : 0);
        inside[i] = !border || !(specimen->border > 0.0);
        for (int axis = 0; inside[i] && axis < axes; ++axis)
        {
            low[axis] = fmin(low[axis], x[axis]);
            high[axis] = fmax(high[axis], x[axis]);
        }
        count += inside[i];
    }
    for (int axis = 0; axis < axes; ++axis)
    {
        count = high[axis] - low[axis] > 1e-6 * half[axis] ? count : 0;
    }
    return count;
}

typedef struct Virial
{
    const rslRig* rig;
    const uint8_t* inside;
    double* mean;   // dispersion: sums of k in dL at every node, which become q h; NULL without
    double* norms;  // and of k norm
    double sum[6];
} Virial;

// T / L of a spring alone
static double Tension(const rslRig* rig, const rslSpring* spring, rslVec3 along)
{
    rslVec3 u = rslSub(rslRig_Motion(rig, spring->b), rslRig_Motion(rig, spring->a));
    return spring->stiffness * rslDot(along, u) / rslDot(along, along);
}

static bool AddMean(const rslSpring* spring, void* context)
{
    Virial* virial = context;
    const rslRig* rig = virial->rig;
    rslVec3 along = rslSub(rig->rest[spring->b], rig->rest[spring->a]);
    rslSpread spread = rslSpread_Of(rig->body.dispersion.variant, spring->restLength);
    double mean = spread.in * Tension(rig, spring, along) * rslLength(along), norm = spring->stiffness * spread.norm;
    virial->mean[spring->a] += mean;
    virial->mean[spring->b] += mean;
    virial->norms[spring->a] += norm;
    virial->norms[spring->b] += norm;
    return true;
}

static void FindMeans(Virial* virial)
{
    const rslRig* rig = virial->rig;
    memset(virial->mean, 0, 2 * (size_t)rig->model.nodeCount * sizeof(double));
    rslModel_VisitSprings(&rig->model, 0, AddMean, virial);
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        double q = rig->body.dispersion.scale * rslBody_NodeQ(&rig->body, i);
        virial->mean[i] *= virial->norms[i] > 0.0 ? q / virial->norms[i] : 0.0;
    }
}

static bool AddSpring(const rslSpring* spring, void* context)
{
    Virial* virial = context;
    double share = 0.5 * (virial->inside[spring->a] + virial->inside[spring->b]);
    if (share > 0.0)
    {
        const rslRig* rig = virial->rig;
        rslVec3 along = rslSub(rig->rest[spring->b], rig->rest[spring->a]);
        const double d[3] = { along.x, along.y, along.z };
        double tension = Tension(rig, spring, along);
        if (virial->mean != NULL)
        {
            double out = rslSpread_Of(rig->body.dispersion.variant, spring->restLength).out;
            tension += spring->stiffness * out * (virial->mean[spring->a] + virial->mean[spring->b]) / rslLength(along);
        }
        for (int c = 0; c < 6; ++c)
        {
            virial->sum[c] += share * tension * d[row[c]] * d[column[c]];
        }
    }
    return true;
}

// The gradient of the displacement of an element, mean over it, in the axes of the rig: sum over corners of u grad N.
static void ElementGradient(const rslRig* rig, int element, double g[3][3])
{
    const rslElements* set = &rig->body.elements;
    int corners = rslElements_Corners(set);
    const int* nodes = set->nodes + (size_t)corners * (size_t)element;
    rslVec3 gradient[8];
    rslElements_Gradients(&rig->body, element, gradient);
    memset(g, 0, 9 * sizeof(double));
    for (int c = 0; c < corners; ++c)
    {
        rslVec3 turned = rslMatVec(&rig->turn, gradient[c]), motion = rslRig_Motion(rig, nodes[c]);
        const double n[3] = { turned.x, turned.y, turned.z }, u[3] = { motion.x, motion.y, motion.z };
        for (int k = 0; k < 9; ++k)
        {
            g[k / 3][k % 3] += u[k / 3] * n[k % 3];
        }
    }
}

// Mean stress of an element, by Hooke's law.
static void ElementStress(const rslRig* rig, int element, double stress[6])
{
    const rslElements* set = &rig->body.elements;
    bool flat = set->thickness > 0.0;
    double g[3][3], nu = set->poisson, mu = set->young / (2.0 * (1.0 + nu));
    double lambda = set->young * nu / (1.0 + nu) / (flat ? 1.0 - nu : 1.0 - 2.0 * nu);
    ElementGradient(rig, element, g);
    double pressure = lambda * (g[0][0] + g[1][1] + (flat ? 0.0 : g[2][2]));
    for (int c = 0; c < 6; ++c)
    {
        double one = mu * (g[row[c]][column[c]] + g[column[c]][row[c]]) + (c < 3 ? pressure : 0.0);
        stress[c] = flat && c > 1 && c < 5 ? 0.0 : one;
    }
}

// That of a box, by its springs.
static void BoxStress(const rslRig* rig, int element, double stress[6])
{
    const int* nodes = rig->body.elements.nodes + 8 * (size_t)element;
    rslVec3 edges[3], u[8];
    for (int c = 0; c < 8; ++c)
    {
        u[c] = rslRig_Motion(rig, nodes[c]);
    }
    for (int i = 0; i < 3; ++i)
    {
        edges[i] = rslSub(rig->rest[nodes[1 << i]], rig->rest[nodes[0]]);
    }
    rslBoxes_Stress(&rig->body.elements, edges, u, stress);
}

// Volume times stress of the elements, by the share of their corners that is inside.
static void AddElements(Virial* virial)
{
    const rslRig* rig = virial->rig;
    const rslElements* set = &rig->body.elements;
    int corners = rslElements_Corners(set);
    for (int e = 0; e < set->count; ++e)
    {
        double stress[6], share = 0.0, volume = rslElements_Volume(&rig->body, e);
        (set->kind == rsl_boxElements ? BoxStress : ElementStress)(rig, e, stress);
        for (int c = 0; c < corners; ++c)
        {
            share += (double)virial->inside[set->nodes[(size_t)corners * (size_t)e + (size_t)c]] / corners;
        }
        for (int c = 0; c < 6; ++c)
        {
            virial->sum[c] += share * volume * stress[c];
        }
    }
}

// A piece of a felt law is strained evenly: its heights, springs of 2 k, and its centroid springs have the virial T L n n.
static void PieceVirial(const rslRig* rig, int element, int piece, const int nodes[RSL_PIECE_NODES], double sum[6])
{
    const rslRepulsion* repulsion = &rig->body.repulsion;
    rslPieceKind kind = rslRepulsion_Kind(repulsion, rig->model.plane);
    int corners = rslPiece_Corners(kind);
    rslVec3 x[RSL_PIECE_NODES] = { 0 }, u[RSL_PIECE_NODES] = { 0 };
    for (int c = 0; c < corners; ++c)
    {
        x[c] = rig->rest[nodes[c]];
        u[c] = rslRig_Motion(rig, nodes[c]);
    }
    for (int v = 0; v < corners; ++v)
    {
        rslHeight height;
        rslVec3 along = { 0 }, d = { 0 };
        bool centroid = repulsion->law == rsl_centroidRepulsion;
        rslPiece_Height(kind, x, v, &height);
        for (int c = 0; c < corners; ++c)
        {
            double w = centroid ? (c == v ? 1.0 : 0.0) - 1.0 / corners : -height.lambda[c];
            along = rslMulAdd(along, w, x[c]);
            d = rslMulAdd(d, w, u[c]);
        }
        double k = (centroid ? 1.0 : 2.0) * rslRepulsion_Stiffness(repulsion, element, piece, v);
        double tension = k * rslDot(along, d) / rslDot(along, along);
        const double n[3] = { along.x, along.y, along.z };
        for (int c = 0; c < 6; ++c)
        {
            sum[c] += tension * n[row[c]] * n[column[c]];
        }
    }
}

// By the share of corners that is inside.
static void AddRepulsion(Virial* virial)
{
    const rslRepulsion* repulsion = &virial->rig->body.repulsion;
    int corners = repulsion->corners == 3 ? 3 : 4, pieces = rslRepulsion_PieceCount(repulsion->corners);
    for (int e = 0; rslRepulsion_IsFelt(repulsion) && e < repulsion->count; ++e)
    {
        int all[8];
        rslRepulsion_Nodes(repulsion, e, all);
        for (int p = 0; p < pieces; ++p)
        {
            int nodes[RSL_PIECE_NODES] = { 0 };
            double sum[6] = { 0 }, share = 0.0;
            for (int c = 0; c < corners; ++c)
            {
                nodes[c] = all[rslRepulsion_Corner(repulsion->corners, p, c)];
                share += (double)virial->inside[nodes[c]] / corners;
            }
            PieceVirial(virial->rig, e, p, nodes, sum);
            for (int c = 0; c < 6; ++c)
            {
                virial->sum[c] += share * sum[c];
            }
        }
    }
}

static void Strain(rslRig* rig, int component)
{
    double e[3][3] = { { 0 } };
    int r = row[component], c = column[component];
    e[r][c] += 0.5;
    e[c][r] += 0.5;
    rslRig_Clear(rig);
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        const double x[3] = { rig->rest[i].x, rig->rest[i].y, rig->rest[i].z };
        double u[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            u[axis] = e[axis][0] * x[0] + e[axis][1] * x[1] + e[axis][2] * x[2];
        }
        rslRig_Move(rig, i, (rslVec3){ u[0], u[1], u[2] });
    }
}

static void ReadOff(const rslRig* rig, const uint8_t* inside, double* means, double volume, double stress[6],
                    double strain[6])
{
    Virial virial = { .rig = rig, .inside = inside, .mean = means };
    double g[3][3];
    if (means != NULL)
    {
        virial.norms = means + rig->model.nodeCount;
        FindMeans(&virial);
    }
    rslModel_VisitSprings(&rig->model, 0, AddSpring, &virial);
    AddElements(&virial);
    AddRepulsion(&virial);
    rslRig_Gradient(rig, inside, g);
    for (int c = 0; c < 6; ++c)
    {
        stress[c] = virial.sum[c] / volume;
        strain[c] = c < 3 ? g[c][c] : g[row[c]][column[c]] + g[column[c]][row[c]];
    }
}

static double VolumeInside(const rslRig* rig, const uint8_t* inside)
{
    double volume = 0.0;
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        volume += inside[i] ? rslModel_NodeVolume(&rig->model, &rig->body, i) : 0.0;
    }
    return volume;
}

// Every response is one column of stress and strain.
static rslStatus StrainAll(rslRig* rig, const uint8_t* inside, double* means, double tolerance, rslModuli* moduli)
{
    rslVoigt stress = { 0 }, strain = { 0 }, unit = { 0 }, c = { 0 };
    double volume = VolumeInside(rig, inside);
    bool converged = true;
    for (int k = 0; k < 6; ++k)
    {
        double s[6] = { 0 }, e[6] = { 0 };
        if (HasComponent(moduli->flat, k))
        {
            Strain(rig, k);
            converged = rslRig_Respond(rig, tolerance) && converged;
            ReadOff(rig, inside, means, volume, s, e);
        }
        for (int r = 0; r < 6; ++r)
        {
            stress.m[r][k] = s[r];
            strain.m[r][k] = e[r];
            unit.m[r][k] = r == k ? 1.0 : 0.0;
        }
    }
    bool found = Divide(&stress, &strain, moduli->flat, &c);
    for (int r = 0; r < 6; ++r)
    {
        for (int k = 0; k < 6; ++k)
        {
            moduli->stiffness.m[r][k] = 0.5 * (c.m[r][k] + c.m[k][r]);
        }
    }
    found = found && Divide(&unit, &moduli->stiffness, moduli->flat, &moduli->compliance);
    return found && converged ? rsl_ok : rsl_notConverged;
}

rslStatus rslModuli_Measure(rslRig* rig, const rslSpecimen* specimen, double tolerance, int threads, rslModuli* moduli,
                            rslReport* report)
{
    *moduli = (rslModuli){ .flat = specimen->flat };
    size_t count = (size_t)rig->model.nodeCount;
    bool disperses = rslBody_Disperses(&rig->body);
    uint8_t* inside = rslAllocate(&rig->hooks, count, sizeof(uint8_t));
    double* means = disperses ? rslAllocate(&rig->hooks, 2 * count, sizeof(double)) : NULL;
    if (inside == NULL || (means != NULL) != disperses)
    {
        rslRelease(&rig->hooks, inside);
        rslRelease(&rig->hooks, means);
        return rsl_outOfMemory;
    }
    rslRig_Open(rig);
    moduli->nodeCount = HoldBorder(rig, specimen, inside);
    rslStatus status = rsl_badInput;
    if (moduli->nodeCount < LEAST_INSIDE)
    {
        rslReport_Add(
            report, rsl_error, (rslPlace){ 0 },
            "body '%s' has too few nodes farther than %.3g m from its faces for its shear and bulk modulus; take "
            "smaller cells, or test a larger block of its network",
            rig->body.name, specimen->border);
    }
    else
    {
        status = rslRig_Close(rig, threads, report);
        status = status == rsl_ok ? StrainAll(rig, inside, means, tolerance, moduli) : status;
    }
    rslRelease(&rig->hooks, means);
    rslRelease(&rig->hooks, inside);
    return status;
}

// ---- what follows -------------------------------------------------------------------------------------------------------

double rslModuli_Young(const rslModuli* moduli, rslVec3 n)
{
    const double s[6] = { n.x * n.x, n.y * n.y, n.z * n.z, n.y * n.z, n.z * n.x, n.x * n.y };
    double sum = 0.0;
    for (int r = 0; r < 6; ++r)
    {
        for (int c = 0; c < 6; ++c)
        {
            sum += s[r] * moduli->compliance.m[r][c] * s[c];
        }
    }
    return 1.0 / sum;
}

double rslModuli_Shear(const rslModuli* moduli, int plane)
{
    return 1.0 / moduli->compliance.m[3 + plane][3 + plane];
}

double rslModuli_Bulk(const rslModuli* moduli)
{
    int size = moduli->flat ? 2 : 3;
    double sum = 0.0;
    for (int r = 0; r < size; ++r)
    {
        for (int c = 0; c < size; ++c)
        {
            sum += moduli->compliance.m[r][c];
        }
    }
    return 1.0 / sum;
}

double rslModuli_Zener(const rslModuli* moduli)
{
    const double(*c)[6] = moduli->stiffness.m;
    if (moduli->flat)
    {
        return 2.0 * c[5][5] / (0.5 * (c[0][0] + c[1][1]) - c[0][1]);
    }
    double c11 = c[0][0] + c[1][1] + c[2][2], c12 = c[1][2] + c[2][0] + c[0][1], c44 = c[3][3] + c[4][4] + c[5][5];
    return 2.0 * c44 / (c11 - c12);
}

static double Deviation(const rslModuli* moduli, rslVec3 n, double target)
{
    return fabs(rslModuli_Young(moduli, n) / target - 1.0);
}

// Evenly spread over half a sphere by the golden angle; over half a circle for a sheet.
static rslVec3 Spread(bool flat, int index)
{
    double t = (index + 0.5) / COARSE;
    if (flat)
    {
        return (rslVec3){ rslCosDegrees(180.0 * t), rslSinDegrees(180.0 * t), 0.0 };
    }
    double angle = 137.50776405003785 * index, r = sqrt(1.0 - t * t);
    return (rslVec3){ r * rslCosDegrees(angle), r * rslSinDegrees(angle), t };
}

// The best of many directions (the axes first, so that they win where all are equal), then steps to the sides that shrink.
rslVec3 rslModuli_Worst(const rslModuli* moduli, double target)
{
    static const rslVec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    rslVec3 best = unit[0];
    double most = Deviation(moduli, best, target);
    int axes = moduli->flat ? 2 : 3;
    for (int i = 1; i < axes + COARSE; ++i)
    {
        rslVec3 n = i < axes ? unit[i] : Spread(moduli->flat, i - axes);
        double deviation = Deviation(moduli, n, target);
        if (deviation > most + CLEAR)
        {
            best = n;
            most = deviation;
        }
    }
    for (double step = 0.05; step > 1e-9;)
    {
        bool better = false;
        for (int k = 0; k < 2 * axes; ++k)
        {
            rslVec3 n = rslNormalize(rslMulAdd(best, k % 2 == 0 ? step : -step, unit[k / 2]));
            double deviation = Deviation(moduli, n, target);
            if (deviation > most + CLEAR)
            {
                best = n;
                most = deviation;
                better = true;
            }
        }
        step *= better ? 1.0 : 0.5;
    }
    return best;
}
