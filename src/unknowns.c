// SPDX-License-Identifier: MIT
//
// unknowns.c: see unknowns.h.

#include "unknowns.h"

#include "ascending.h"
#include "state_internal.h"
#include "vec.h"

#include <string.h>

enum
{
    BLOCK = 4096  // nodes summed at a time
};

// ---- making -------------------------------------------------------------------------------------------------------

bool rslNodeVector_Make(rslNodeVector* vector, int entryCount, rslArena* arena)
{
    bool made = true;
    for (int axis = 0; axis < 3; ++axis)
    {
        vector->x[axis] = rslArena_Allocate(arena, (size_t)entryCount + RSL_STATE_PADDING, sizeof(double));
        made = made && vector->x[axis] != NULL;
    }
    return made;
}

static void MarkHeld(rslUnknowns* unknowns)
{
    const rslModel* model = unknowns->model;
    for (int c = 0; c < model->constraintCount; ++c)
    {
        const rslConstraint* held = &model->constraints[c];
        int bits = (held->axes[0] ? 1 : 0) + (held->axes[1] ? 2 : 0) + (held->axes[2] ? 4 : 0);
        for (int n = 0; n < held->nodeCount; ++n)
        {
            unknowns->axes[held->nodes[n]] = (uint8_t)(unknowns->axes[held->nodes[n]] | bits);
        }
    }
    for (int r = 0; r < model->rigidCount; ++r)
    {
        const rslBody* body = &model->bodies[model->rigids[r].body];
        memset(unknowns->axes + body->firstNode, 7, (size_t)body->nodeCount);
        for (int w = 0; w < model->rigids[r].weldCount; ++w)
        {
            unknowns->axes[model->rigids[r].welded[w]] = 7;
        }
    }
    for (int i = 0; i < model->nodeCount; ++i)
    {
        int plane = model->plane == rsl_planeXY ? 4 : 0;
        unknowns->axes[i] = (uint8_t)(unknowns->axes[i] | plane);
        unknowns->heldCount += unknowns->axes[i] != 0;
    }
}

bool rslUnknowns_Extend(rslUnknowns* unknowns, int entries, rslArena* arena)
{
    unknowns->entryCount = unknowns->nodeCount + entries;
    unknowns->blockCount = (unknowns->entryCount + BLOCK - 1) / BLOCK;
    unknowns->sums = rslArena_Allocate(arena, (size_t)unknowns->blockCount, sizeof(double));
    return unknowns->sums != NULL;
}

bool rslUnknowns_Make(rslUnknowns* unknowns, const rslModel* model, rslTeam* team, rslArena* arena)
{
    size_t count = (size_t)model->nodeCount;
    *unknowns = (rslUnknowns){ .model = model, .team = team, .nodeCount = model->nodeCount };
    unknowns->axes = rslArena_Allocate(arena, count, sizeof(uint8_t));
    if (!rslUnknowns_Extend(unknowns, 0, arena) || unknowns->axes == NULL)
    {
        return false;
    }
    MarkHeld(unknowns);
    unknowns->heldNodes = rslArena_Allocate(arena, (size_t)unknowns->heldCount, sizeof(int));
    unknowns->free = rslArena_Allocate(arena, (size_t)unknowns->heldCount, sizeof(double[6]));
    if (unknowns->heldNodes == NULL || unknowns->free == NULL)
    {
        return false;
    }
    for (int i = 0, at = 0; i < model->nodeCount; ++i)
    {
        if (unknowns->axes[i] != 0)
        {
            unknowns->heldNodes[at++] = i;
        }
    }
    return true;
}

// I - sum over held axes of e e^T, e = R^T times the axis
static void MakeProjector(const rslMat3* rotation, int bits, double out[6])
{
    static const double one[6] = { 1.0, 1.0, 1.0, 0.0, 0.0, 0.0 };
    memcpy(out, one, sizeof one);
    for (int axis = 0; axis < 3; ++axis)
    {
        rslVec3 e = rotation->row[axis];
        double taken[6] = { e.x * e.x, e.y * e.y, e.z * e.z, e.x * e.y, e.x * e.z, e.y * e.z };
        for (int c = 0; (bits >> axis & 1) && c < 6; ++c)
        {
            out[c] -= taken[c];
        }
    }
    if (bits == 7)
    {
        memset(out, 0, 6 * sizeof(double));  // to the bit
    }
}

void rslUnknowns_Aim(rslUnknowns* unknowns, const rslState* state)
{
    const rslModel* model = unknowns->model;
    for (int b = 0, h = 0; b < model->bodyCount; ++b)
    {
        rslMat3 rotation = rslQuatMatrix(state->frames[b].rotation);
        int end = model->bodies[b].firstNode + model->bodies[b].nodeCount;
        for (; h < unknowns->heldCount && unknowns->heldNodes[h] < end; ++h)
        {
            MakeProjector(&rotation, unknowns->axes[unknowns->heldNodes[h]], unknowns->free[h]);
        }
    }
}

const double* rslUnknowns_Projector(const rslUnknowns* unknowns, int node)
{
    if (unknowns->axes[node] == 0)
    {
        return NULL;
    }
    return unknowns->free[rslFirstFrom(unknowns->heldNodes, 0, unknowns->heldCount - 1, node)];
}

// ---- passes over blocks of nodes ----------------------------------------------------------------------------------

typedef struct Pass
{
    const rslUnknowns* unknowns;
    const rslNodeVector *x, *y;
    const float (*blocks)[6];
    const double* mass;
    double a, b;
} Pass;

static int EndOf(int item, int count)
{
    return count - BLOCK * item < BLOCK ? count : BLOCK * (item + 1);
}

static double Run(const rslUnknowns* unknowns, rslTask* task, Pass pass)
{
    pass.unknowns = unknowns;
    rslTeam_Run(unknowns->team, task, unknowns->blockCount, &pass);
    double sum = 0.0;
    for (int b = 0; b < unknowns->blockCount; ++b)
    {
        sum += unknowns->sums[b];
    }
    return sum;
}

static void ProjectBlock(int item, void* context)
{
    const Pass* pass = context;
    int end = EndOf(item, pass->unknowns->heldCount);
    for (int h = BLOCK * item; h < end; ++h)
    {
        int i = pass->unknowns->heldNodes[h];
        double v[3] = { pass->y->x[0][i], pass->y->x[1][i], pass->y->x[2][i] }, out[3];
        rslBlock_Times(pass->unknowns->free[h], v, out);
        for (int axis = 0; axis < 3; ++axis)
        {
            pass->y->x[axis][i] = out[axis];
        }
    }
}

void rslUnknowns_Project(const rslUnknowns* unknowns, const rslNodeVector* vector)
{
    Pass pass = { .unknowns = unknowns, .y = vector };
    rslTeam_Run(unknowns->team, ProjectBlock, (unknowns->heldCount + BLOCK - 1) / BLOCK, &pass);
}

// x.y, or x.M y.
static void DotBlock(int item, void* context)
{
    const Pass* pass = context;
    const double* mass = pass->mass;
    int end = EndOf(item, pass->unknowns->entryCount);
    double sum[3] = { 0 };
    for (int axis = 0; axis < 3; ++axis)
    {
        const double *x = pass->x->x[axis], *y = pass->y->x[axis];
        for (int i = BLOCK * item; i < end; ++i)
        {
            sum[axis] += (mass != NULL ? mass[i] * x[i] : x[i]) * y[i];
        }
    }
    pass->unknowns->sums[item] = sum[0] + sum[1] + sum[2];
}

double rslUnknowns_Dot(const rslUnknowns* unknowns, const rslNodeVector* a, const rslNodeVector* b)
{
    return Run(unknowns, DotBlock, (Pass){ .x = a, .y = b });
}

static void CombineBlock(int item, void* context)
{
    const Pass* pass = context;
    int end = EndOf(item, pass->unknowns->entryCount);
    for (int axis = 0; axis < 3; ++axis)
    {
        const double* x = pass->x->x[axis];
        double* y = pass->y->x[axis];
        for (int i = BLOCK * item; i < end; ++i)
        {
            y[i] = pass->b * y[i] + pass->a * x[i];
        }
    }
}

void rslUnknowns_Combine(const rslUnknowns* unknowns, const rslNodeVector* y, double b, double a,
                         const rslNodeVector* x)
{
    Run(unknowns, CombineBlock, (Pass){ .x = x, .y = y, .a = a, .b = b });
}

double rslUnknowns_DotMass(const rslUnknowns* unknowns, const double* mass, const rslNodeVector* a,
                           const rslNodeVector* b)
{
    return Run(unknowns, DotBlock, (Pass){ .x = a, .y = b, .mass = mass });
}

static void AddMassBlock(int item, void* context)
{
    const Pass* pass = context;
    int end = EndOf(item, pass->unknowns->entryCount);
    for (int axis = 0; axis < 3; ++axis)
    {
        const double* x = pass->x->x[axis];
        double* y = pass->y->x[axis];
        for (int i = BLOCK * item; i < end; ++i)
        {
            y[i] += pass->a * pass->mass[i] * x[i];
        }
    }
}

void rslUnknowns_AddMass(const rslUnknowns* unknowns, const rslNodeVector* y, double a, const double* mass,
                         const rslNodeVector* x)
{
    Run(unknowns, AddMassBlock, (Pass){ .x = x, .y = y, .a = a, .mass = mass });
}

static void CopyBlock(int item, void* context)
{
    const Pass* pass = context;
    int begin = BLOCK * item, end = EndOf(item, pass->unknowns->entryCount);
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(pass->y->x[axis] + begin, pass->x->x[axis] + begin, (size_t)(end - begin) * sizeof(double));
    }
}

void rslUnknowns_Copy(const rslUnknowns* unknowns, const rslNodeVector* y, const rslNodeVector* x)
{
    Run(unknowns, CopyBlock, (Pass){ .x = x, .y = y });
}

static void ClearBlock(int item, void* context)
{
    const Pass* pass = context;
    int begin = BLOCK * item, end = EndOf(item, pass->unknowns->entryCount);
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(pass->y->x[axis] + begin, 0, (size_t)(end - begin) * sizeof(double));
    }
}

void rslUnknowns_Clear(const rslUnknowns* unknowns, const rslNodeVector* y)
{
    Run(unknowns, ClearBlock, (Pass){ .y = y });
}

static void BlocksBlock(int item, void* context)
{
    const Pass* pass = context;
    int end = EndOf(item, pass->unknowns->nodeCount);
    for (int i = BLOCK * item; i < end; ++i)
    {
        const float* f = pass->blocks[i];
        double s[6] = { f[0], f[1], f[2], f[3], f[4], f[5] }, out[3];
        double v[3] = { pass->x->x[0][i], pass->x->x[1][i], pass->x->x[2][i] };
        rslBlock_Times(s, v, out);
        for (int axis = 0; axis < 3; ++axis)
        {
            pass->y->x[axis][i] = out[axis];
        }
    }
}

void rslUnknowns_Blocks(const rslUnknowns* unknowns, const rslNodeVector* y, const float (*blocks)[6],
                        const rslNodeVector* x)
{
    Run(unknowns, BlocksBlock, (Pass){ .x = x, .y = y, .blocks = blocks });
}

int rslUnknowns_Largest(const rslUnknowns* unknowns, const rslNodeVector* x, double* length)
{
    int node = 0;
    double largest = -1.0;
    for (int i = 0; i < unknowns->entryCount; ++i)
    {
        double square = x->x[0][i] * x->x[0][i] + x->x[1][i] * x->x[1][i] + x->x[2][i] * x->x[2][i];
        if (square > largest)
        {
            largest = square;
            node = i;
        }
    }
    *length = largest > 0.0 ? sqrt(largest) : 0.0;
    if (node >= unknowns->nodeCount)
    {
        const rslModel* model = unknowns->model;
        node = model->bodies[model->rigids[(node - unknowns->nodeCount) / RSL_RIGID_ENTRIES].body].firstNode;
    }
    return node;
}

// ---- blocks -------------------------------------------------------------------------------------------------------

void rslBlock_Free(double s[6], const double* f)
{
    if (f == NULL)
    {
        return;
    }
    const double F[3][3] = { { f[0], f[3], f[4] }, { f[3], f[1], f[5] }, { f[4], f[5], f[2] } };
    double trace = s[0] + s[1] + s[2], out[3][3];
    for (int c = 0; c < 3; ++c)
    {
        double column[3];
        rslBlock_Times(s, F[c], column);
        rslBlock_Times(f, column, out[c]);
        out[c][c] += trace;
        for (int r = 0; r < 3; ++r)
        {
            out[c][r] -= trace * F[c][r];
        }
    }
    s[0] = out[0][0];
    s[1] = out[1][1];
    s[2] = out[2][2];
    s[3] = out[0][1];
    s[4] = out[0][2];
    s[5] = out[1][2];
}

void rslBlock_Project(double a[9], const double* fi, const double* fj)
{
    for (int r = 0; fj != NULL && r < 3; ++r)
    {
        double line[3] = { a[3 * r], a[3 * r + 1], a[3 * r + 2] };
        rslBlock_Times(fj, line, &a[3 * r]);
    }
    for (int c = 0; fi != NULL && c < 3; ++c)
    {
        double line[3] = { a[c], a[3 + c], a[6 + c] }, turned[3];
        rslBlock_Times(fi, line, turned);
        a[c] = turned[0];
        a[3 + c] = turned[1];
        a[6 + c] = turned[2];
    }
}

void rslBlock_Between(const double s[6], double factor, const double* fi, const double* fj, double out[9])
{
    const int at[9] = { 0, 3, 4, 3, 1, 5, 4, 5, 2 };
    for (int c = 0; c < 9; ++c)
    {
        out[c] = factor * s[at[c]];
    }
    rslBlock_Project(out, fi, fj);
}

// S = L D L^T.
void rslBlock_Invert(const double s[6], double inverse[6])
{
    double trace = s[0] + s[1] + s[2], least = 1e-9 * trace, instead = trace > 0.0 ? 1.0 / trace : 0.0;
    double i0 = s[0] > least ? 1.0 / s[0] : instead;
    double l10 = s[3] * i0, l20 = s[4] * i0;
    double d1 = s[1] - l10 * s[3], i1 = d1 > least ? 1.0 / d1 : instead;
    double l21 = (s[5] - l20 * s[3]) * i1;
    double d2 = s[2] - l20 * s[4] - l21 * l21 * d1, i2 = d2 > least ? 1.0 / d2 : instead;
    // inverse = L^-T D^-1 L^-1 with L^-1 = (1; -l10 1; l10 l21 - l20, -l21, 1)
    double m20 = l10 * l21 - l20;
    inverse[0] = i0 + l10 * l10 * i1 + m20 * m20 * i2;
    inverse[1] = i1 + l21 * l21 * i2;
    inverse[2] = i2;
    inverse[3] = -l10 * i1 - m20 * l21 * i2;
    inverse[4] = m20 * i2;
    inverse[5] = -l21 * i2;
}

static bool IsPositive(const float s[6])
{
    double d0 = (double)s[0], l10 = (double)s[3] / d0, l20 = (double)s[4] / d0;
    double d1 = (double)s[1] - l10 * (double)s[3], mixed = (double)s[5] - l20 * (double)s[3];
    return d0 > 0.0 && d1 > 0.0 && (double)s[2] - l20 * (double)s[4] - mixed * mixed / d1 > 0.0;
}

void rslBlock_InvertSingle(const double s[6], float inverse[6])
{
    double exact[6];
    rslBlock_Invert(s, exact);
    double more = 0x1p-23 * (exact[0] + exact[1] + exact[2]);
    for (int trial = 0; trial < 4; ++trial)
    {
        for (int c = 0; c < 6; ++c)
        {
            inverse[c] = (float)(exact[c] + (c < 3 ? trial * more : 0.0));
        }
        if (!(more > 0.0) || IsPositive(inverse))
        {
            return;
        }
    }
}
