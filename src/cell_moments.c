// SPDX-License-Identifier: MIT
//
// cell_moments.c: see cell_moments.h.
//
// A tetrahedron with corners v_a has barycentric coordinates l_a and
//     integral l_a^i l_b^j l_c^k = V 3! i! j! k! / (3 + i + j + k)!
// so with x = sum l_a x_a and the sums S_x = sum_a x_a, (xy) = sum_a x_a y_a, (xyz) = sum_a x_a y_a z_a
//     <x>   = S_x / 4
//     <xy>  = (S_x S_y + (xy)) / 20
//     <xyz> = (S_x S_y S_z + S_x (yz) + S_y (zx) + S_z (xy) + 2 (xyz)) / 120
// (in the last, corners a, b, c all different are counted once, two alike twice, all alike six times: i! j! k!).
//
// A plane cuts a tetrahedron into a tetrahedron and a frustum, or into two prisms; frustum and prism are three
// tetrahedra. So any convex cut of a cube is a sum of tetrahedra, exact but for rounding. The faces between them are
// plane, so that it does not matter which diagonal a neighbour takes.

#include "cell_moments.h"

#include "vec.h"

void rslMoments_AddCube(rslMoments* m, double sign, rslVec3 c, double edge)
{
    double volume = sign * (edge * edge * edge), spread = edge * edge / 12.0;
    m->volume += volume;
    m->first[0] += volume * c.x;
    m->first[1] += volume * c.y;
    m->first[2] += volume * c.z;
    m->square[0] += volume * (c.x * c.x + spread);
    m->square[1] += volume * (c.y * c.y + spread);
    m->square[2] += volume * (c.z * c.z + spread);
    m->cross[0] += volume * (c.y * c.z);
    m->cross[1] += volume * (c.z * c.x);
    m->cross[2] += volume * (c.x * c.y);
    m->triple += volume * (c.x * c.y * c.z);
}

void rslMoments_AddTetrahedron(rslMoments* m, double sign, const rslVec3 v[4])
{
    rslVec3 e = rslSub(v[1], v[0]), f = rslSub(v[2], v[0]), g = rslSub(v[3], v[0]);
    double volume = sign * (fabs(rslDot(e, rslCross(f, g))) / 6.0);
    rslVec3 S = { 0.0, 0.0, 0.0 }, square = S, cross = S;
    double triple = 0.0;
    for (int a = 0; a < 4; ++a)
    {
        S = rslAdd(S, v[a]);
        square = rslAdd(square, (rslVec3){ v[a].x * v[a].x, v[a].y * v[a].y, v[a].z * v[a].z });
        cross = rslAdd(cross, (rslVec3){ v[a].y * v[a].z, v[a].z * v[a].x, v[a].x * v[a].y });
        triple += v[a].x * v[a].y * v[a].z;
    }
    m->volume += volume;
    m->first[0] += volume * (S.x / 4.0);
    m->first[1] += volume * (S.y / 4.0);
    m->first[2] += volume * (S.z / 4.0);
    m->square[0] += volume * ((S.x * S.x + square.x) / 20.0);
    m->square[1] += volume * ((S.y * S.y + square.y) / 20.0);
    m->square[2] += volume * ((S.z * S.z + square.z) / 20.0);
    m->cross[0] += volume * ((S.y * S.z + cross.x) / 20.0);
    m->cross[1] += volume * ((S.z * S.x + cross.y) / 20.0);
    m->cross[2] += volume * ((S.x * S.y + cross.z) / 20.0);
    double mixed = S.x * cross.x + S.y * cross.y + S.z * cross.z;
    m->triple += volume * ((S.x * S.y * S.z + mixed + 2.0 * triple) / 120.0);
}

// ---- cuts -----------------------------------------------------------------------------------------------------------

static double Beyond(const rslHalfSpace* cut, rslVec3 s)
{
    return rslDot(cut->normal, s) - cut->offset;
}

static void AddClippedTetrahedron(rslMoments* m, double sign, const rslVec3 v[4], const rslHalfSpace* cuts, int count);

// Two triangles p and q joined by the edges p_i q_i.
static void AddClippedPrism(rslMoments* m, double sign, const rslVec3 p[3], const rslVec3 q[3],
                            const rslHalfSpace* cuts, int count)
{
    AddClippedTetrahedron(m, sign, (rslVec3[4]){ p[0], p[1], p[2], q[2] }, cuts, count);
    AddClippedTetrahedron(m, sign, (rslVec3[4]){ p[0], p[1], q[1], q[2] }, cuts, count);
    AddClippedTetrahedron(m, sign, (rslVec3[4]){ p[0], q[0], q[1], q[2] }, cuts, count);
}

// Where the edge from an inner to an outer point meets the plane.
static rslVec3 Crossing(rslVec3 in, double eIn, rslVec3 out, double eOut)
{
    return rslMulAdd(in, eIn / (eIn - eOut), rslSub(out, in));
}

// The first plane cuts, the others go on with what is left.
static void AddClippedTetrahedron(rslMoments* m, double sign, const rslVec3 v[4], const rslHalfSpace* cuts, int count)
{
    if (count == 0)
    {
        rslMoments_AddTetrahedron(m, sign, v);
        return;
    }
    rslVec3 in[4], out[4];
    double eIn[4], eOut[4];
    int ins = 0, outs = 0;
    for (int a = 0; a < 4; ++a)
    {
        double e = Beyond(cuts, v[a]);
        if (e <= 0.0)
        {
            in[ins] = v[a];
            eIn[ins++] = e;
        }
        else
        {
            out[outs] = v[a];
            eOut[outs++] = e;
        }
    }
    rslVec3 edge[4][4];
    for (int a = 0; a < ins; ++a)
    {
        for (int b = 0; b < outs; ++b)
        {
            edge[a][b] = Crossing(in[a], eIn[a], out[b], eOut[b]);
        }
    }
    ++cuts;
    --count;
    switch (ins)
    {
        case 0: break;
        case 1:
            AddClippedTetrahedron(m, sign, (rslVec3[4]){ in[0], edge[0][0], edge[0][1], edge[0][2] }, cuts, count);
            break;
        case 2:
            AddClippedPrism(m, sign, (rslVec3[3]){ in[0], edge[0][0], edge[0][1] },
                            (rslVec3[3]){ in[1], edge[1][0], edge[1][1] }, cuts, count);
            break;
        case 3: AddClippedPrism(m, sign, in, (rslVec3[3]){ edge[0][0], edge[1][0], edge[2][0] }, cuts, count); break;
        default: AddClippedTetrahedron(m, sign, v, cuts, count); break;
    }
}

// A cube is five tetrahedra: one on every second corner, and the four corners between.
static void AddCutCube(rslMoments* m, double sign, rslVec3 c, double edge, const rslHalfSpace* cuts, int count)
{
    static const int pieces[5][4] = { { 0, 3, 5, 6 }, { 1, 0, 3, 5 }, { 2, 0, 3, 6 }, { 4, 0, 5, 6 }, { 7, 3, 5, 6 } };
    double half = 0.5 * edge;
    rslVec3 corner[8];
    for (int n = 0; n < 8; ++n)
    {
        corner[n] =
            (rslVec3){ c.x + (n & 1 ? half : -half), c.y + (n & 2 ? half : -half), c.z + (n & 4 ? half : -half) };
    }
    for (int p = 0; p < 5; ++p)
    {
        const int* n = pieces[p];
        rslVec3 v[4] = { corner[n[0]], corner[n[1]], corner[n[2]], corner[n[3]] };
        AddClippedTetrahedron(m, sign, v, cuts, count);
    }
}

void rslMoments_AddClippedCube(rslMoments* m, double sign, rslVec3 centre, double edge, const rslHalfSpace* cuts,
                               int cutCount)
{
    RSL_ASSERT(cutCount <= RSL_CLIP_PLANES);
    rslHalfSpace kept[RSL_CLIP_PLANES];
    int count = 0;
    for (int i = 0; i < cutCount; ++i)
    {
        rslVec3 n = cuts[i].normal;
        double middle = Beyond(&cuts[i], centre), reach = 0.5 * edge * (fabs(n.x) + fabs(n.y) + fabs(n.z));
        double touch = 1e-10 * reach;
        if (middle - reach >= -touch && middle >= 0.0)
        {
            return;
        }
        if (middle + reach > touch)
        {
            kept[count++] = cuts[i];
        }
    }
    if (count == 0)
    {
        rslMoments_AddCube(m, sign, centre, edge);
        return;
    }
    AddCutCube(m, sign, centre, edge, kept, count);
}
