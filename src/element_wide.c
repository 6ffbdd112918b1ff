// SPDX-License-Identifier: MIT
//
// element_wide.c: batches of elements and their nodes: displacements to gradients and patterns, and forces back
// (element_hexahedron.c, element_tetrahedron.c).

#include "element_wide.h"

#if RSL_PRECISION == 32
#define GATHER(from, n)                                                                                                \
    {                                                                                                                  \
        (from)[(n)[0]], (from)[(n)[1]], (from)[(n)[2]], (from)[(n)[3]], (from)[(n)[4]], (from)[(n)[5]],                \
            (from)[(n)[6]], (from)[(n)[7]]                                                                             \
    }
#else
#define GATHER(from, n)                                                                                                \
    {                                                                                                                  \
        (from)[(n)[0]], (from)[(n)[1]], (from)[(n)[2]], (from)[(n)[3]]                                                 \
    }
#endif

#if RSL_PRECISION == 32
static const int32_t rslLaneNumbers[WIDTH] = { 0, 1, 2, 3, 4, 5, 6, 7 };
#else
static const int64_t rslLaneNumbers[WIDTH] = { 0, 1, 2, 3 };
#endif

RSL_INLINE void CollectWide(const Batch* b, Real* const from[3], Lanes (*out)[3])
{
    const int corners = b->plain ? 4 : 8;
    if (!b->row)
    {
        for (int c = 0; c < corners; ++c)
        {
            const int* n = b->node[c];
            out[c][0] = (Lanes)GATHER(from[0], n);
            out[c][1] = (Lanes)GATHER(from[1], n);
            out[c][2] = (Lanes)GATHER(from[2], n);
        }
        return;
    }
    Mask inside;
    memcpy(&inside, rslLaneNumbers, sizeof inside);
    inside = (Mask)(inside < b->count);
    for (int c = 0; c < 8; ++c)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            const LanesIn* at = (const LanesIn*)(from[axis] + b->node[c][0]);
            out[c][axis] = (Lanes)((Mask)*at & inside);
        }
    }
}

RSL_INLINE void AnalyseWide(const Batch* b, Lanes (*u)[3], Wide* shape)
{
    if (b->plain)
    {
        Nine edges;
        for (int c = 0; c < 9; ++c)
        {
            edges[c] = u[c % 3 + 1][c / 3] - u[0][c / 3];
        }
        TimesWide(edges, b->dense, shape->h);
        return;
    }
    Lanes edge = b->wide[WIDE_EDGE];
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
            shape->mode[p][axis] = v[rslHexahedronPlaces[p]];
        }
        for (int m = 0; b->cut && m < MODES; ++m)
        {
            h[m % 3] += shape->mode[m / 3][axis] * b->dense[m];
        }
    }
}

// out = a in the next lanes, and 0 in the first one
RSL_INLINE void ShiftLanes(const Lanes* a, Lanes* out)
{
    const Lanes none = { 0 };
#if RSL_PRECISION == 32
    *out = __builtin_shufflevector(none, *a, 0, 8, 9, 10, 11, 12, 13, 14);
#else
    *out = __builtin_shufflevector(none, *a, 0, 4, 5, 6);
#endif
}

// Along an axis, one number a corner. Along a row, what two neighbours do to the nodes between them is added up first.
RSL_INLINE void AddCorners(const Batch* b, const Lanes* v, Real* sums)
{
    if (b->row)
    {
        for (int c = 0; c < 8; c += 2)
        {
            Real* at = sums + b->place[c][0];
            Lanes shifted;
            ShiftLanes(&v[c + 1], &shifted);
            *(LanesIn*)at += v[c] + shifted;
            at[WIDTH] += v[c + 1][WIDTH - 1];
        }
        return;
    }
    const int corners = b->plain ? 4 : 8;
    for (int c = 0; c < corners; ++c)
    {
        Real part[WIDTH];
        *(LanesIn*)part = v[c];
        for (int l = 0; l < WIDTH; ++l)
        {
            sums[b->place[c][l]] += part[l];
        }
    }
}

RSL_INLINE void ComposeWide(const Batch* b, const Wide* slope, Real sign, Real* const sums[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        const Lanes* h = slope->h + 3 * axis;
        Lanes v[8];
        if (b->plain)
        {
            const Lanes* d = b->dense;
            for (int k = 0; k < 3; ++k)
            {
                v[k + 1] = sign * (h[0] * d[3 * k] + h[1] * d[3 * k + 1] + h[2] * d[3 * k + 2]);
            }
            v[0] = -(v[1] + v[2] + v[3]);
        }
        else
        {
            Lanes edge = sign * b->wide[WIDE_EDGE], none = { 0 };
            v[0] = none;
            v[1] = edge * h[0];
            v[2] = edge * h[1];
            v[4] = edge * h[2];
            for (int p = 0; p < PATTERNS; ++p)
            {
                Lanes one = slope->mode[p][axis];
                if (b->cut)
                {
                    const Lanes* mean = b->dense + 3 * p;
                    one += h[0] * mean[0] + h[1] * mean[1] + h[2] * mean[2];
                }
                v[rslHexahedronPlaces[p]] = sign * one;
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
        }
        AddCorners(b, v, sums[axis]);
    }
}

// ---- compiled for several widths ----------------------------------------------------------------------------------

#define Gather RSL_NAME(rslWide_GatherNodes)
#define Analyse RSL_NAME(rslWide_AnalyseNodes)
#define Look RSL_NAME(rslWide_LookAtNodes)
#define Give RSL_NAME(rslWide_GiveNodes)

RSL_CLONES static void Gather(const Batch* b, Real* const from[3], Lanes (*out)[3])
{
    CollectWide(b, from, out);
}

RSL_CLONES static void Analyse(const Batch* b, Lanes (*u)[3], Wide* shape)
{
    AnalyseWide(b, u, shape);
}

RSL_CLONES static void Look(const Batch* b, Real* const from[3], Wide* shape)
{
    Lanes at[ELEMENT_NODES][3];
    CollectWide(b, from, at);
    AnalyseWide(b, at, shape);
}

RSL_CLONES static void Give(const Batch* b, const Wide* slope, bool less, Real* const sums[3])
{
    if (less)
    {
        ComposeWide(b, slope, (Real)-1, sums);
    }
    else
    {
        ComposeWide(b, slope, (Real)1, sums);
    }
}

// What is chosen at load time has no name elsewhere with clang 14.
void RSL_NAME(rslWide_Collect)(const Batch* b, Real* const from[3], Lanes (*out)[3])
{
    Gather(b, from, out);
}

void RSL_NAME(rslWide_Analyse)(const Batch* b, Lanes (*u)[3], Wide* shape)
{
    Analyse(b, u, shape);
}

void RSL_NAME(rslWide_Look)(const Batch* b, Real* const from[3], Wide* shape)
{
    Look(b, from, shape);
}

void RSL_NAME(rslWide_Give)(const Batch* b, const Wide* slope, bool less, Real* const sums[3])
{
    Give(b, slope, less, sums);
}
