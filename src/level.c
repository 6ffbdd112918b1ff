// SPDX-License-Identifier: MIT
//
// level.c: see lod.h, level.h. A resolution f divides lengths between nodes by f, and multiplies numbers of cells by it.

#include "level.h"

#include <math.h>

// ---- definitions ----------------------------------------------------------------------------------------------------

static int Fewer(int count, double factor)
{
    int fewer = (int)floor(count * factor + 0.5);
    return count > 0 && fewer < 1 ? 1 : fewer;
}

// Around a tube there are three cells at least, with alternating diagonals an even number.
static int FewerAround(const rslNetworkDef* network, double factor)
{
    if (factor == 1.0)
    {
        return network->cells[0];
    }
    double fitting = network->spacing > 0.0 ? floor(network->size[0] / network->spacing + 0.5 + 1e-9) : 0.0;
    int cells = network->cells[0] > 0 ? network->cells[0] : fitting < 1e9 ? (int)fitting : 0;
    bool even = network->pattern == rsl_alternatingPattern;
    int fewer = even ? 2 * Fewer(cells / 2, factor) : Fewer(cells, factor), least = even ? 4 : 3;
    return fewer > least ? fewer : cells < least ? cells : least;
}

void rslLevel_Take(rslBodyDef* def)
{
    if (def->lodCount == 0)
    {
        return;
    }
    double factor = def->lod[def->level];
    rslNetworkDef* network = &def->network;
    network->cells[0] = network->tube && network->type == rsl_sheetNetwork ? FewerAround(network, factor)
                                                                           : Fewer(network->cells[0], factor);
    network->spacing /= factor;
    network->minLength /= factor;
    network->maxLength /= factor;
    network->count = Fewer(network->count, factor * factor * factor);
    network->cells[1] = Fewer(network->cells[1], factor);
    for (int i = 0; i < 3; ++i)
    {
        network->grid[i] = Fewer(network->grid[i], factor);
    }
    def->surface.resolution /= factor;
    def->lod = NULL;
    def->lodCount = def->level = 0;
}

int rslScene_Levels(const rslScene* scene)
{
    int most = 1;
    for (int b = 0; b < scene->bodyCount; ++b)
    {
        most = scene->bodies[b].lodCount > most ? scene->bodies[b].lodCount : most;
    }
    return most;
}

void rslScene_SetLevel(rslScene* scene, int level)
{
    RSL_ASSERT(level >= 0);
    rslBodyDef* bodies = (rslBodyDef*)(uintptr_t)scene->bodies;
    for (int b = 0; b < scene->bodyCount; ++b)
    {
        int last = bodies[b].lodCount - 1;
        bodies[b].level = last < 0 ? 0 : level < last ? level : last;
    }
}

// ---- moments --------------------------------------------------------------------------------------------------------

void rslMoments_Add(rslMoments* moments, double mass, rslVec3 d)
{
    const double v[3] = { d.x, d.y, d.z };
    moments->mass += mass;
    moments->first = rslMulAdd(moments->first, mass, d);
    for (int i = 0; i < 9; ++i)
    {
        moments->second[i / 3][i % 3] += mass * v[i / 3] * v[i % 3];
    }
}

void rslMoments_Centre(rslMoments* moments)
{
    const double d[3] = { moments->first.x, moments->first.y, moments->first.z };
    for (int i = 0; i < 9; ++i)
    {
        moments->second[i / 3][i % 3] -= d[i / 3] * d[i % 3] / moments->mass;
    }
}

// Elimination with the largest pivot of the diagonal first; one that is rounding alone ends it.
rslVec3 rslLevel_Solve(double (*a)[3], rslVec3 b)
{
    const double least = 1e-10 * (a[0][0] + a[1][1] + a[2][2]);
    double m[3][4] = { { a[0][0], a[0][1], a[0][2], b.x },
                       { a[1][0], a[1][1], a[1][2], b.y },
                       { a[2][0], a[2][1], a[2][2], b.z } };
    double x[3] = { 0.0, 0.0, 0.0 };
    int order[3] = { 0, 1, 2 }, rank = 0;
    for (; rank < 3; ++rank)
    {
        int best = rank;
        for (int i = rank + 1; i < 3; ++i)
        {
            best = m[order[i]][order[i]] > m[order[best]][order[best]] ? i : best;
        }
        int p = order[best];
        if (!(m[p][p] > least))
        {
            break;
        }
        order[best] = order[rank];
        order[rank] = p;
        for (int i = rank + 1; i < 3; ++i)
        {
            double *row = m[order[i]], part = row[p] / m[p][p];
            for (int k = 0; k < 4; ++k)
            {
                row[k] -= part * m[p][k];
            }
        }
    }
    for (int i = rank - 1; i >= 0; --i)
    {
        const double* row = m[order[i]];
        double sum = row[3];
        for (int k = i + 1; k < rank; ++k)
        {
            sum -= row[order[k]] * x[order[k]];
        }
        x[order[i]] = sum / row[order[i]];
    }
    return (rslVec3){ x[0], x[1], x[2] };
}
