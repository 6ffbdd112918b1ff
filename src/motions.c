// SPDX-License-Identifier: MIT
//
// motions.c: see motions.h.

#include "motions.h"

#include "symmetric.h"

#include <math.h>

rslMotions rslMotions_All(int size)
{
    rslMotions all = { .size = size, .count = size };
    for (int k = 0; k < size; ++k)
    {
        all.m[k][k] = 1.0;
    }
    return all;
}

static rslMotions Choose(const rslMotions* from, const rslForm* form, bool above, double bar)
{
    double values[RSL_MOTIONS][RSL_MOTIONS] = { { 0 } }, vectors[RSL_MOTIONS][RSL_MOTIONS];
    for (int a = 0; a < from->count; ++a)
    {
        for (int b = 0; b < from->count; ++b)
        {
            for (int r = 0; r < from->size; ++r)
            {
                for (int c = 0; c < from->size; ++c)
                {
                    values[a][b] += from->m[a][r] * form->at[r][c] * from->m[b][c];
                }
            }
        }
    }
    rslSymmetric_SolveAny(values[0], vectors[0], from->count, RSL_MOTIONS);
    rslMotions out = { .size = from->size };
    for (int e = 0; e < from->count; ++e)
    {
        if ((values[e][e] > bar) != above)
        {
            continue;
        }
        double scale = above ? 1.0 / sqrt(values[e][e]) : 1.0;
        for (int c = 0; c < from->size; ++c)
        {
            for (int a = 0; a < from->count; ++a)
            {
                out.m[out.count][c] += scale * vectors[a][e] * from->m[a][c];
            }
        }
        out.count += 1;
    }
    return out;
}

rslMotions rslMotions_Above(const rslMotions* from, const rslForm* form, double bar)
{
    return Choose(from, form, true, bar);
}

rslMotions rslMotions_Below(const rslMotions* from, const rslForm* form, double bar)
{
    return Choose(from, form, false, bar);
}
