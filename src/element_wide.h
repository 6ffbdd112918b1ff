// SPDX-License-Identifier: MIT
//
// element_wide.h: groups of elements (element_group.c), small matrices of lanes, and the patterns of element_patterns.h in lanes.

#pragma once

#include "element_hexahedron.h"
#include "lanes.h"

typedef rslLanes Lanes;
typedef Lanes Nine[9];

typedef struct Group
{
    int count;
    int element[RSL_LANES];  // the last one fills up
    int node[ELEMENT_NODES][RSL_LANES];
    int corners;
    bool cut;    // a cube that is cut
    bool plain;  // a tetrahedron
    bool known;
    Lanes edge, volume, ratio, lambda, mu, damping;
    Lanes bend, couple, twist, floor[PATTERNS];  // BEND less FLOOR
    const Lanes* dense;                          // cut: G, then M - c by rows; plain: D^-1 by rows
    // at the displacements u
    Lanes u[ELEMENT_NODES][3];
    Nine h, r, e;
    Lanes turn[6];  // G^-1 (xx yy zz xy xz yz); zero where there is none
    Lanes mode[PATTERNS][3], k[PATTERNS][3], y[PATTERNS][3];
    Lanes energy;
} Group;

// Of all elements of a kernel.
struct ElementGroups
{
    Group* groups;
    int* start;  // of every chunk
    int count;
};

// H and h, or their rates, or what belongs to them.
typedef struct Wide
{
    Nine h;
    Lanes mode[PATTERNS][3];
} Wide;

// ---- small matrices -----------------------------------------------------------------------------------------------------

// out = A^T B
RSL_INLINE void TransposedTimesWide(const Lanes* a, const Lanes* b, Lanes* out)
{
    for (int c = 0; c < 9; ++c)
    {
        out[c] = a[c / 3] * b[c % 3] + a[3 + c / 3] * b[3 + c % 3] + a[6 + c / 3] * b[6 + c % 3];
    }
}

RSL_INLINE void TimesWide(const Lanes* a, const Lanes* b, Lanes* out)
{
    for (int c = 0; c < 9; ++c)
    {
        int r = c / 3 * 3;
        out[c] = a[r] * b[c % 3] + a[r + 1] * b[3 + c % 3] + a[r + 2] * b[6 + c % 3];
    }
}

// out = A^T v, A v
RSL_INLINE void TransposedOn(const Lanes* a, const Lanes* v, Lanes* out)
{
    for (int c = 0; c < 3; ++c)
    {
        out[c] = a[c] * v[0] + a[3 + c] * v[1] + a[6 + c] * v[2];
    }
}

RSL_INLINE void On(const Lanes* a, const Lanes* v, Lanes* out)
{
    for (int c = 0; c < 3; ++c)
    {
        out[c] = a[3 * c] * v[0] + a[3 * c + 1] * v[1] + a[3 * c + 2] * v[2];
    }
}

// x = G^-1 ax(A)
RSL_INLINE void SolveWide(const Lanes* turn, const Lanes* b, Lanes* x)
{
    x[0] = turn[0] * b[0] + turn[3] * b[1] + turn[4] * b[2];
    x[1] = turn[3] * b[0] + turn[1] * b[1] + turn[5] * b[2];
    x[2] = turn[4] * b[0] + turn[5] * b[1] + turn[2] * b[2];
}

RSL_INLINE void AxialWide(const Lanes* a, Lanes* out)
{
    out[0] = a[7] - a[5];
    out[1] = a[2] - a[6];
    out[2] = a[3] - a[1];
}

RSL_INLINE void SkewWide(const Lanes* w, Lanes* out)
{
    out[0] = out[4] = out[8] = w[0] - w[0];
    out[1] = -w[2];
    out[2] = w[1];
    out[3] = w[2];
    out[5] = -w[0];
    out[6] = -w[1];
    out[7] = w[0];
}

RSL_INLINE void HookeWide(const Group* g, const Lanes* e, Lanes* out)
{
    Lanes pressure = g->lambda * (e[0] + e[4] + e[8]), twice = 2.0 * g->mu;
    for (int c = 0; c < 9; ++c)
    {
        out[c] = c % 4 == 0 ? twice * e[c] + pressure : twice * e[c];
    }
}

// ---- patterns -------------------------------------------------------------------------------------------------------------

RSL_INLINE void CollectWide(const Group* g, double* const from[3], Lanes (*out)[3])
{
    for (int c = 0; c < g->corners; ++c)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            double part[RSL_LANES];
            for (int l = 0; l < RSL_LANES; ++l)
            {
                part[l] = from[axis][g->node[c][l]];
            }
            rslLanes_Get(part, &out[c][axis]);
        }
    }
}

RSL_INLINE void AnalyseWide(const Group* g, Lanes (*u)[3], Wide* shape)
{
    Lanes edge = 0.25 * g->edge;
    if (g->plain)
    {
        Nine edges;
        for (int c = 0; c < 9; ++c)
        {
            edges[c] = u[c % 3 + 1][c / 3] - u[0][c / 3];
        }
        TimesWide(edges, g->dense, shape->h);
        return;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        Lanes v[8], *h = shape->h + 3 * axis;
        for (int i = 0; i < 8; ++i)
        {
            v[i] = u[i][axis] - u[0][axis];
        }
        for (int bit = 1; bit < 8; bit <<= 1)
        {
            for (int i = 0; i < 8; ++i)
            {
                if ((i & bit) == 0)
                {
                    Lanes low = v[i], high = v[i | bit];
                    v[i] = low + high;
                    v[i | bit] = high - low;
                }
            }
        }
        h[0] = edge * v[1];
        h[1] = edge * v[2];
        h[2] = edge * v[4];
        for (int p = 0; p < PATTERNS; ++p)
        {
            shape->mode[p][axis] = 0.125 * v[rslHexahedronPlaces[p]];
        }
        for (int m = 0; g->cut && m < MODES; ++m)
        {
            h[m % 3] += shape->mode[m / 3][axis] * g->dense[m];
        }
    }
}

RSL_INLINE void ComposeWide(const Group* g, Wide* slope, Lanes (*out)[3])
{
    Lanes edge = 0.25 * g->edge;
    for (int axis = 0; g->plain && axis < 3; ++axis)
    {
        const Lanes *h = slope->h + 3 * axis, *d = g->dense;
        for (int k = 0; k < 3; ++k)
        {
            out[k + 1][axis] = h[0] * d[3 * k] + h[1] * d[3 * k + 1] + h[2] * d[3 * k + 2];
        }
        out[0][axis] = -(out[1][axis] + out[2][axis] + out[3][axis]);
    }
    for (int axis = 0; !g->plain && axis < 3; ++axis)
    {
        const Lanes* h = slope->h + 3 * axis;
        Lanes v[8];
        v[0] = edge - edge;
        v[1] = edge * h[0];
        v[2] = edge * h[1];
        v[4] = edge * h[2];
        for (int p = 0; p < PATTERNS; ++p)
        {
            Lanes one = slope->mode[p][axis];
            if (g->cut)
            {
                const Lanes* mean = g->dense + 3 * p;
                one += h[0] * mean[0] + h[1] * mean[1] + h[2] * mean[2];
            }
            v[rslHexahedronPlaces[p]] = 0.125 * one;
        }
        for (int bit = 1; bit < 8; bit <<= 1)
        {
            for (int i = 0; i < 8; ++i)
            {
                if ((i & bit) == 0)
                {
                    Lanes sum = v[i], difference = v[i | bit];
                    v[i] = sum - difference;
                    v[i | bit] = sum + difference;
                }
            }
        }
        for (int i = 0; i < 8; ++i)
        {
            out[i][axis] = v[i];
        }
    }
}

// k = (M - c) g
RSL_INLINE void BendWide(const Group* group, Lanes (*g)[3], Lanes (*k)[3])
{
    static const int pairs[3][2][2] = { { { 2, 1 }, { 1, 2 } }, { { 0, 2 }, { 2, 0 } }, { { 1, 0 }, { 0, 1 } } };
    if (group->cut)
    {
        const Lanes* row = group->dense + MODES;
        for (int m = 0; m < MODES; ++m, row += MODES)
        {
            Lanes sum = row[0] * g[0][0];
            for (int c = 1; c < MODES; ++c)
            {
                sum += row[c] * g[c / 3][c % 3];
            }
            k[m / 3][m % 3] = sum;
        }
        return;
    }
    for (int n = 0; n < 3; ++n)
    {
        const int *s = pairs[n][0], *t = pairs[n][1];
        k[s[0]][s[1]] = group->bend * g[s[0]][s[1]] + group->couple * g[t[0]][t[1]];
        k[t[0]][t[1]] = group->bend * g[t[0]][t[1]] + group->couple * g[s[0]][s[1]];
    }
    Lanes twist = g[0][0] + g[1][1] + g[2][2];
    for (int n = 0; n < 3; ++n)
    {
        k[n][n] = group->twist * (twist + g[n][n]) - group->floor[n] * g[n][n];
        k[3][n] = twist - twist;
    }
}
