// SPDX-License-Identifier: MIT
//
// element_wide.h: hexahedra and bricks of lattices, and tetrahedra, WIDTH at a time: batches, small matrices of lanes,
// and the patterns of element_patterns.h in lanes.
//
// Lanes know nothing of each other, and every one does the same IEEE operations in the same order at any width: its
// bits depend neither on what is beside it nor on the processor. Nothing here returns a vector: how that is done would
// depend on the width.
//
// Constants have the volume in them, and patterns are those of the transform, 8 h: those of the patterns are r / 64 of
// what element_hexahedron.h has, and G is an eighth.

#pragma once

#include "element_hexahedron.h"
#include "kernel_element.h"

#include <stdint.h>
#include <string.h>

enum
{
    BYTES = 32,  // two registers of SSE2, one of AVX2
    WIDTH = BYTES / (int)sizeof(Real)
};

#define Lanes RSL_NAME(rslWideLanes)
#define Mask RSL_NAME(rslWideMask)
typedef Real Lanes __attribute__((vector_size(BYTES), aligned(sizeof(Real))));
#if RSL_PRECISION == 32
typedef int32_t Mask __attribute__((vector_size(BYTES), aligned(4)));
#else
typedef int64_t Mask __attribute__((vector_size(BYTES), aligned(8)));
#endif
typedef Lanes Nine[9];

// Lanes among numbers; memcpy would be in parts.
typedef Real LanesIn __attribute__((vector_size(BYTES), aligned(sizeof(Real)), may_alias));

// Constants of a batch.
enum
{
    WIDE_EDGE,                // 1 / 4a
    WIDE_SHEAR,               // 2 mu V
    WIDE_LAMBDA,              // lambda V
    WIDE_DAMPING,             // alpha1
    WIDE_COMMON,              // so many of tetrahedra
    WIDE_BEND = WIDE_COMMON,  // BEND less FLOOR
    WIDE_COUPLE,
    WIDE_TWIST,
    WIDE_FLOOR,
    WIDE_LAST,
    WIDE_NUMBERS,
    WIDE_MOST = MODES + MODES * MODES  // of the dense numbers
};

struct Batch
{
    int count;           // elements in it
    bool plain;          // tetrahedra
    bool cut;            // cubes that are cut
    bool row;            // neighbours along a row: nodes of a corner and their places follow; further lanes are at rest
    bool damped;         // some of them
    const Lanes* wide;   // constants; batches that are alike share them
    const Lanes* dense;  // cut: G, then M - c by rows; plain: D^-1 by rows; likewise
    int element[WIDTH];  // the last one fills up
    int node[ELEMENT_NODES][WIDTH];
    int place[ELEMENT_NODES][WIDTH];  // of lanes that fill up: one that nobody reads
};

// H and h, or their rates, or what belongs to them.
typedef struct Wide
{
    Nine h;
    Lanes mode[PATTERNS][3];
} Wide;

// Vectors of the nodes of a batch (element_wide.c): as they are, as H and h, and both at once.
void RSL_NAME(rslWide_Collect)(const Batch* b, Real* const from[3], Lanes (*out)[3]);
void RSL_NAME(rslWide_Analyse)(const Batch* b, Lanes (*u)[3], Wide* shape);
void RSL_NAME(rslWide_Look)(const Batch* b, Real* const from[3], Wide* shape);

// From dW/dH and dW/dh to dW/du, or less that, added to the sums of the places.
void RSL_NAME(rslWide_Give)(const Batch* b, const Wide* slope, bool less, Real* const sums[3]);

// R and E of gradients H (polar_wide.c).
void RSL_NAME(rslPolar_Wide)(const Lanes* h, Lanes* r, Lanes* e);

// ---- masks --------------------------------------------------------------------------------------------------------

// out = a where the mask is set
RSL_INLINE void Choose(const Mask* mask, const Lanes* a, Lanes* out)
{
    *out = (Lanes)((*mask & (Mask)*a) | (~*mask & (Mask)*out));
}

RSL_INLINE bool AnyLane(const Mask* mask)
{
    uint64_t words[BYTES / 8];
    memcpy(words, mask, sizeof words);
    return (words[0] | words[1] | words[2] | words[3]) != 0;
}

RSL_INLINE void RootWide(Lanes* x)
{
    Real part[WIDTH];
    *(LanesIn*)part = *x;
    for (int l = 0; l < WIDTH; ++l)
    {
        part[l] = SquareRoot(part[l]);
    }
    *x = *(const LanesIn*)part;
}

// ---- small matrices -----------------------------------------------------------------------------------------------

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

// x = G^-1 b
RSL_INLINE void SolveWide(const Lanes* turn, const Lanes* b, Lanes* x)
{
    x[0] = turn[0] * b[0] + turn[3] * b[1] + turn[4] * b[2];
    x[1] = turn[3] * b[0] + turn[1] * b[1] + turn[5] * b[2];
    x[2] = turn[4] * b[0] + turn[5] * b[1] + turn[2] * b[2];
}

// G = tr(S) 1 - S with S = 1 + sym E; its cofactors (xx yy zz xy xz yz), its determinant, and where it is positive
// (SolveTurn).
RSL_INLINE void CofactorsWide(const Lanes* e, Lanes* cofactor, Lanes* det, Mask* positive)
{
    Lanes xx = e[4] + e[8] + (Real)2, yy = e[0] + e[8] + (Real)2, zz = e[0] + e[4] + (Real)2;
    Lanes xy = (Real)-0.5 * (e[1] + e[3]), xz = (Real)-0.5 * (e[2] + e[6]), yz = (Real)-0.5 * (e[5] + e[7]);
    cofactor[0] = yy * zz - yz * yz;
    cofactor[1] = xx * zz - xz * xz;
    cofactor[2] = xx * yy - xy * xy;
    cofactor[3] = xz * yz - xy * zz;
    cofactor[4] = xy * yz - xz * yy;
    cofactor[5] = xy * xz - xx * yz;
    *det = xx * cofactor[0] + xy * cofactor[3] + xz * cofactor[4];
    Lanes size = xx + yy + zz;
    *positive = (Mask)(size > (Real)0) & (Mask)(cofactor[2] > (Real)0) & (Mask)(*det > (Real)1e-5 * size * size * size);
}

RSL_INLINE void InvertTurn(const Lanes* e, Lanes* turn)
{
    Lanes det;
    Mask positive;
    CofactorsWide(e, turn, &det, &positive);
    Lanes inverse = (Real)1 / det, none = { 0 };
    Choose(&positive, &inverse, &none);
    for (int c = 0; c < 6; ++c)
    {
        turn[c] *= none;
    }
}

RSL_INLINE void AxialWide(const Lanes* a, Lanes* out)
{
    out[0] = a[7] - a[5];
    out[1] = a[2] - a[6];
    out[2] = a[3] - a[1];
}

// out = [w]x A
RSL_INLINE void CrossWide(const Lanes* w, const Lanes* a, Lanes* out)
{
    for (int c = 0; c < 3; ++c)
    {
        out[c] = w[1] * a[6 + c] - w[2] * a[3 + c];
        out[3 + c] = w[2] * a[c] - w[0] * a[6 + c];
        out[6 + c] = w[0] * a[3 + c] - w[1] * a[c];
    }
}

RSL_INLINE void SymmetriseWide(Lanes* a)
{
    a[1] = a[3] = (Real)0.5 * (a[1] + a[3]);
    a[2] = a[6] = (Real)0.5 * (a[2] + a[6]);
    a[5] = a[7] = (Real)0.5 * (a[5] + a[7]);
}

// V (2 mu e + lambda tr(e) 1)
RSL_INLINE void HookeWide(const Batch* b, const Lanes* e, Lanes* out)
{
    Lanes pressure = b->wide[WIDE_LAMBDA] * (e[0] + e[4] + e[8]), twice = b->wide[WIDE_SHEAR];
    for (int c = 0; c < 9; ++c)
    {
        out[c] = c % 4 == 0 ? twice * e[c] + pressure : twice * e[c];
    }
}

// ---- patterns -----------------------------------------------------------------------------------------------------

// slope *= factor;  to += slope
RSL_INLINE void ScaleWide(const Batch* b, const Lanes* factor, Wide* slope)
{
    for (int c = 0; c < 9; ++c)
    {
        slope->h[c] *= *factor;
    }
    for (int m = 0; !b->plain && m < MODES; ++m)
    {
        slope->mode[m / 3][m % 3] *= *factor;
    }
}

RSL_INLINE void AddWide(const Batch* b, const Wide* slope, Wide* to)
{
    for (int c = 0; c < 9; ++c)
    {
        to->h[c] += slope->h[c];
    }
    for (int m = 0; !b->plain && m < MODES; ++m)
    {
        to->mode[m / 3][m % 3] += slope->mode[m / 3][m % 3];
    }
}

// k = (M - c) g
RSL_INLINE void BendWide(const Batch* b, Lanes (*g)[3], Lanes (*k)[3])
{
    static const int pairs[3][2][2] = { { { 2, 1 }, { 1, 2 } }, { { 0, 2 }, { 2, 0 } }, { { 1, 0 }, { 0, 1 } } };
    if (b->cut)
    {
        const Lanes* row = b->dense + MODES;
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
    Lanes bend = b->wide[WIDE_BEND], couple = b->wide[WIDE_COUPLE];
    for (int n = 0; n < 3; ++n)
    {
        const int *s = pairs[n][0], *t = pairs[n][1];
        k[s[0]][s[1]] = bend * g[s[0]][s[1]] + couple * g[t[0]][t[1]];
        k[t[0]][t[1]] = bend * g[t[0]][t[1]] + couple * g[s[0]][s[1]];
    }
    Lanes twist = g[0][0] + g[1][1] + g[2][2];
    for (int n = 0; n < 3; ++n)
    {
        k[n][n] = b->wide[WIDE_TWIST] * (twist + g[n][n]) - b->wide[WIDE_FLOOR] * g[n][n];
        k[3][n] = (Lanes){ 0 };
    }
}

// c of a pattern
#define FLOOR_OF(batch, pattern) ((batch)->wide[(pattern) < 3 ? WIDE_FLOOR : WIDE_LAST])
