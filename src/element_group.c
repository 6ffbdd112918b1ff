// SPDX-License-Identifier: MIT
//
// element_group.c: corotational hexahedra and bricks of lattices, and tetrahedra, eight at a time, for implicit steps and rest. A kernel
// file, compiled in double precision only. What they do is that of element_patterns.h, and so are the names; tetrahedra
// (element_tetrahedron.c) have no patterns. Here is what is different:
//
// - What depends on the displacements u alone (H, h, k, the rotation R and what it takes to turn it) is found once and kept; a group
//   whose nodes are where they were is not looked at again. So forces, energies, products and rotations at one state cost one polar
//   decomposition.
// - Products are those of K + r C at once. With M = R^T dF, w = G^-1 ax(M), G = tr(S) 1 - S (element_law.h):
//     dP = 2 mu dF + lambda tr(M) R + (lambda tr(S - 1) - 2 mu) R [w]x
//     dy = R^T dh - w x y,  y = R^T h   (drag of the patterns)

#include "element_group.h"

#include "element_wide.h"

// ---- what depends on the displacements --------------------------------------------------------------------------------

// R, S - 1 and G^-1 of one element.
static void TurnLane(Group* group, int lane)
{
    Matrix h, m, inverse;
    Polar polar;
    for (int c = 0; c < 9; ++c)
    {
        h[c] = group->h[c][lane];
    }
    FindPolar(h, &polar);
    AddOne(polar.e, m);
    for (int axis = 0; axis < 3; ++axis)
    {
        (void)SolveTurn(m, (const Real[3]){ axis == 0, axis == 1, axis == 2 }, inverse + 3 * axis);
    }
    for (int c = 0; c < 9; ++c)
    {
        group->r[c][lane] = polar.r[c];
        group->e[c][lane] = polar.e[c];
    }
    static const int at[6] = { 0, 4, 8, 1, 2, 5 };
    for (int c = 0; c < 6; ++c)
    {
        group->turn[c][lane] = inverse[at[c]];
    }
}

RSL_CLONES static void rslGroup_FindShape(Group* group)
{
    Wide shape;
    AnalyseWide(group, group->u, &shape);
    memcpy(group->h, shape.h, sizeof shape.h);
    if (!group->plain)
    {
        memcpy(group->mode, shape.mode, sizeof shape.mode);
    }
}

// After R is known.
RSL_CLONES static void rslGroup_FindRest(Group* group)
{
    Lanes g[PATTERNS][3], sum = group->edge - group->edge, square = sum;
    for (int p = 0; !group->plain && p < PATTERNS; ++p)
    {
        TransposedOn(group->h, group->mode[p], g[p]);
        TransposedOn(group->r, group->mode[p], group->y[p]);
        for (int c = 0; c < 3; ++c)
        {
            g[p][c] += group->mode[p][c];
        }
    }
    if (!group->plain)
    {
        BendWide(group, g, group->k);
    }
    for (int m = 0; !group->plain && m < MODES; ++m)
    {
        Lanes h = group->mode[m / 3][m % 3];
        sum += g[m / 3][m % 3] * group->k[m / 3][m % 3] + group->floor[m / 3] * h * h;
    }
    for (int c = 0; c < 9; ++c)
    {
        square += group->e[c] * group->e[c];
    }
    Lanes trace = group->e[0] + group->e[4] + group->e[8];
    group->energy =
        group->volume * (group->mu * square + 0.5 * group->lambda * trace * trace) + 0.5 * group->ratio * sum;
}

// Whether the nodes of a group are where they were; if not, that is noted.
RSL_CLONES static bool rslGroup_Stays(Group* group, double* const u[3])
{
    Lanes at[ELEMENT_NODES][3];
    CollectWide(group, u, at);
    size_t bytes = (size_t)group->corners * sizeof at[0];
    bool stays = group->known && memcmp(at, group->u, bytes) == 0;
    memcpy(group->u, at, bytes);
    return stays;
}

static void Refresh(Group* group, const View* view)
{
    if (rslGroup_Stays(group, view->u))
    {
        return;
    }
    rslGroup_FindShape(group);
    for (int l = 0; l < RSL_LANES; ++l)
    {
        TurnLane(group, l);
    }
    rslGroup_FindRest(group);
    group->known = true;
}

// ---- forces and products --------------------------------------------------------------------------------------------------

// dW/dH and dW/dh
RSL_INLINE void AddStress(const Group* g, Wide* slope)
{
    Nine stress, turned;
    HookeWide(g, g->e, stress);
    TimesWide(g->r, stress, turned);
    for (int c = 0; c < 9; ++c)
    {
        slope->h[c] = g->volume * turned[c];
    }
    for (int c = 0; !g->plain && c < 9; ++c)
    {
        Lanes outer = g->mode[0][c / 3] * g->k[0][c % 3];
        for (int p = 1; p < PATTERNS; ++p)
        {
            outer += g->mode[p][c / 3] * g->k[p][c % 3];
        }
        slope->h[c] += g->ratio * outer;
    }
    for (int p = 0; !g->plain && p < PATTERNS; ++p)
    {
        Lanes pushed[3];
        On(g->h, g->k[p], pushed);
        for (int c = 0; c < 3; ++c)
        {
            slope->mode[p][c] = g->ratio * (g->floor[p] * g->mode[p][c] + g->k[p][c] + pushed[c]);
        }
    }
}

// M = R^T dF and w
RSL_INLINE void Spinning(const Group* g, const Wide* rate, Lanes* m, Lanes* w)
{
    Lanes b[3];
    TransposedTimesWide(g->r, rate->h, m);
    AxialWide(m, b);
    SolveWide(g->turn, b, w);
}

// slope = K rate
RSL_INLINE void Stiffen(const Group* g, Wide* rate, const Lanes* m, const Lanes* w, Wide* slope)
{
    Nine skew, dr;
    Lanes dg[PATTERNS][3], dk[PATTERNS][3], twice = 2.0 * g->mu;
    SkewWide(w, skew);
    TimesWide(g->r, skew, dr);
    Lanes swell = g->lambda * (m[0] + m[4] + m[8]), shift = g->lambda * (g->e[0] + g->e[4] + g->e[8]) - twice;
    for (int c = 0; c < 9; ++c)
    {
        slope->h[c] = g->volume * (twice * rate->h[c] + swell * g->r[c] + shift * dr[c]);
    }
    if (g->plain)
    {
        return;
    }
    for (int p = 0; p < PATTERNS; ++p)
    {
        Lanes first[3], second[3];
        TransposedOn(g->h, rate->mode[p], first);
        TransposedOn(rate->h, g->mode[p], second);
        for (int c = 0; c < 3; ++c)
        {
            dg[p][c] = rate->mode[p][c] + first[c] + second[c];
        }
    }
    BendWide(g, dg, dk);
    for (int p = 0; p < PATTERNS; ++p)
    {
        Lanes turned[3], pushed[3];
        On(rate->h, g->k[p], turned);
        On(g->h, dk[p], pushed);
        for (int c = 0; c < 3; ++c)
        {
            slope->mode[p][c] = g->ratio * (g->floor[p] * rate->mode[p][c] + turned[c] + dk[p][c] + pushed[c]);
        }
    }
    for (int c = 0; c < 9; ++c)
    {
        Lanes outer = rate->mode[0][c / 3] * g->k[0][c % 3] + g->mode[0][c / 3] * dk[0][c % 3];
        for (int p = 1; p < PATTERNS; ++p)
        {
            outer += rate->mode[p][c / 3] * g->k[p][c % 3] + g->mode[p][c / 3] * dk[p][c % 3];
        }
        slope->h[c] += g->ratio * outer;
    }
}

// slope += factor C rate / alpha1
RSL_INLINE void AddDrag(const Group* g, Wide* rate, const Lanes* m, const Lanes* w, const Lanes* factor, Wide* slope)
{
    Lanes dy[PATTERNS][3], k[PATTERNS][3], torque[3], t[3], y[3];
    torque[0] = torque[1] = torque[2] = w[0] - w[0];
    for (int p = 0; !g->plain && p < PATTERNS; ++p)
    {
        TransposedOn(g->r, rate->mode[p], dy[p]);
        for (int c = 0; c < 3; ++c)
        {
            int i = (c + 1) % 3, j = (c + 2) % 3;
            dy[p][c] -= w[i] * g->y[p][j] - w[j] * g->y[p][i];
        }
    }
    if (!g->plain)
    {
        BendWide(g, dy, k);
    }
    for (int p = 0; !g->plain && p < PATTERNS; ++p)
    {
        Lanes turned[3];
        for (int c = 0; c < 3; ++c)
        {
            k[p][c] = g->ratio * (k[p][c] + g->floor[p] * dy[p][c]);
        }
        On(g->r, k[p], turned);
        for (int c = 0; c < 3; ++c)
        {
            int i = (c + 1) % 3, j = (c + 2) % 3;
            torque[c] += g->y[p][i] * k[p][j] - g->y[p][j] * k[p][i];
            slope->mode[p][c] += *factor * turned[c];
        }
    }
    Nine s, skew, turned, rates, stress, product;
    for (int c = 0; c < 9; ++c)
    {
        s[c] = c % 4 == 0 ? g->e[c] + 1.0 : g->e[c];
    }
    SkewWide(w, skew);
    TimesWide(skew, s, turned);
    for (int c = 0; c < 9; ++c)
    {
        int other = c % 3 * 3 + c / 3;
        rates[c] = 0.5 * (m[c] - turned[c] + (m[other] - turned[other]));
    }
    HookeWide(g, rates, stress);
    TimesWide(stress, s, product);
    AxialWide(product, t);
    for (int c = 0; c < 3; ++c)
    {
        t[c] = -(g->volume * t[c] + torque[c]);
    }
    SolveWide(g->turn, t, y);
    SkewWide(y, turned);
    for (int c = 0; c < 9; ++c)
    {
        stress[c] = g->volume * stress[c] + turned[c];
    }
    TimesWide(g->r, stress, product);
    for (int c = 0; c < 9; ++c)
    {
        slope->h[c] += *factor * product[c];
    }
}

RSL_INLINE void Clear(Wide* slope)
{
    memset(slope, 0, sizeof *slope);
}

// Lanes to slots, times a sign.
RSL_INLINE void Give(const Group* g, Lanes (*out)[3], double sign, const ElementKernel* e)
{
    for (int l = 0; l < g->count; ++l)
    {
        double(*slots)[3] = &e->slots[e->elements[g->element[l]].first];
        for (int c = 0; c < g->corners; ++c)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                slots[c][axis] = sign * out[c][axis][l];
            }
        }
    }
}

// Forces and drag; what drag takes.
RSL_CLONES static void rslGroup_Force(const Group* g, double* const w[3], bool damped, ElementKernel* e)
{
    Wide slope, rate, drag;
    Lanes out[ELEMENT_NODES][3], at[ELEMENT_NODES][3], power = g->edge - g->edge;
    AddStress(g, &slope);
    if (damped)
    {
        Nine m;
        Lanes spin[3];
        CollectWide(g, w, at);
        AnalyseWide(g, at, &rate);
        Spinning(g, &rate, m, spin);
        Clear(&drag);
        AddDrag(g, &rate, m, spin, &g->damping, &drag);
        ComposeWide(g, &drag, out);
        for (int c = 0; c < 3 * g->corners; ++c)
        {
            power += out[c / 3][c % 3] * at[c / 3][c % 3];
        }
        for (int c = 0; c < 9; ++c)
        {
            slope.h[c] += drag.h[c];
        }
        for (int c = 0; !g->plain && c < MODES; ++c)
        {
            slope.mode[c / 3][c % 3] += drag.mode[c / 3][c % 3];
        }
    }
    ComposeWide(g, &slope, out);
    Give(g, out, -1.0, e);
    for (int l = 0; l < g->count; ++l)
    {
        e->dissipated[g->element[l]] = power[l];
    }
}

// (K + r C) p, or C p
RSL_CLONES static void rslGroup_Product(const Group* g, double* const p[3], double rate, bool damping, ElementKernel* e)
{
    Wide change, slope;
    Nine m;
    Lanes out[ELEMENT_NODES][3], at[ELEMENT_NODES][3], w[3], factor = damping ? g->damping : rate * g->damping;
    CollectWide(g, p, at);
    AnalyseWide(g, at, &change);
    Spinning(g, &change, m, w);
    Clear(&slope);
    if (!damping)
    {
        Stiffen(g, &change, m, w, &slope);
    }
    if (damping || rate != 0.0)
    {
        AddDrag(g, &change, m, w, &factor, &slope);
    }
    ComposeWide(g, &slope, out);
    Give(g, out, 1.0, e);
}

// ---- by chunks --------------------------------------------------------------------------------------------------------------

void rslElements_GroupForces(Kernel* kernel, const View* view, const Chunk* chunk)
{
    ElementKernel* e = kernel->elements;
    for (int g = e->groups->start[chunk->index]; g < e->groups->start[chunk->index + 1]; ++g)
    {
        Refresh(&e->groups->groups[g], view);
        rslGroup_Force(&e->groups->groups[g], view->w, e->damped, e);
    }
}

double rslElements_GroupEnergy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    const ElementKernel* e = kernel->elements;
    double sum = 0.0;
    for (int g = e->groups->start[chunk->index]; g < e->groups->start[chunk->index + 1]; ++g)
    {
        Group* group = &e->groups->groups[g];
        Refresh(group, view);
        for (int l = 0; l < group->count; ++l)
        {
            sum += group->energy[l];
        }
    }
    return sum;
}

void rslElements_GroupProduct(Kernel* kernel, const View* view, const Chunk* chunk, bool damping, double* const p[3])
{
    ElementKernel* e = kernel->elements;
    double rate = e->damped ? kernel->rate : 0.0;
    for (int g = e->groups->start[chunk->index]; g < e->groups->start[chunk->index + 1]; ++g)
    {
        Refresh(&e->groups->groups[g], view);
        rslGroup_Product(&e->groups->groups[g], p, rate, damping, e);
    }
}

void rslElements_GroupTurns(Kernel* kernel, const View* view, const Chunk* chunk)
{
    ElementKernel* e = kernel->elements;
    for (int g = e->groups->start[chunk->index]; g < e->groups->start[chunk->index + 1]; ++g)
    {
        Group* group = &e->groups->groups[g];
        Refresh(group, view);
        for (int c = 0; c < 9 * group->count; ++c)
        {
            e->turns[group->element[c / 9]][c % 9] = (float)group->r[c % 9][c / 9];
        }
    }
}
