// SPDX-License-Identifier: MIT
//
// eigen.c: see eigen.h. The library is given A = K + s M of all directions. Held ones are apart from the others and have the
// value 4 w^2 of the stiffest motion, above all others, so that they are never among the lowest; those that cost nothing have
// s. What comes back is judged by our own products.

#include "eigen.h"

#include "direct.h"
#include "random.h"
#include "statics.h"

#include <math.h>

enum
{
    GUARDS = 8  // motions that cost nothing and floppy.h does not know, at the first try
};

typedef struct Search
{
    const rslEigen* library;
    rslLobpcg* l;
    rslFactored matrix;
    double *mass, *t, *x;
    int freeCount;  // directions that are not held
    int found, zeros;
} Search;

// Is this all of K? Dispersion and pressure have no matrix.
static bool IsWhole(const Search* s)
{
    const rslFactored* m = &s->matrix;
    const rslColumn *p = &s->l->w[0], *rest = &s->l->p[0];
    rslRandom random = { 1 };
    for (int k = 0; k < 3 * m->count; ++k)
    {
        p->x.x[k % 3][k / 3] = rslRandom_Unit(&random) - 0.5;
    }
    rslUnknowns_Project(s->l->unknowns, &p->x);
    s->l->multiply(s->l->context, &p->x, &p->ax);
    rslUnknowns_Copy(s->l->unknowns, &rest->x, &p->ax);
    for (int c = 0; c < 3 * m->count; ++c)
    {
        for (int k = m->columnStart[c]; k < m->columnStart[c + 1]; ++k)
        {
            int r = m->row[k];
            rest->x.x[r % 3][r / 3] -= m->value[k] * p->x.x[c % 3][c / 3];
            rest->x.x[c % 3][c / 3] -= r != c ? m->value[k] * p->x.x[r % 3][r / 3] : 0.0;
        }
    }
    return rslUnknowns_Dot(s->l->unknowns, &rest->x, &rest->x) <=
           1e-18 * rslUnknowns_Dot(s->l->unknowns, &p->ax, &p->ax);
}

static void RaiseHeld(Search* s)
{
    static const int packed[3][3] = { { 0, 3, 4 }, { 3, 1, 5 }, { 4, 5, 2 } };
    const rslUnknowns* u = s->l->unknowns;
    s->freeCount = 3 * u->nodeCount;
    for (int h = 0; h < u->heldCount; ++h)
    {
        int i = u->heldNodes[h];
        const double* free = u->free[h];
        double top = 4.0 * s->l->floppy->stiffest * u->model->mass[i];
        for (int c = 0; c < 3; ++c)
        {
            for (int r = c; r < 3; ++r)
            {
                s->matrix.value[s->matrix.columnStart[3 * i + c] + r - c] += top * ((r == c) - free[packed[r][c]]);
            }
        }
        s->freeCount -= 3 - (int)lround(free[0] + free[1] + free[2]);
    }
}

static bool MakeMatrix(Search* s, const rslState* state, void* kernel)
{
    rslLobpcg* l = s->l;
    s->mass = rslArena_Allocate(l->arena, 3 * (size_t)l->unknowns->nodeCount, sizeof(double));
    if (s->mass == NULL || !rslFactored_Make(&s->matrix, NULL, l->unknowns->model, l->unknowns, kernel, l->arena))
    {
        return false;
    }
    for (int k = 0; k < 3 * l->unknowns->nodeCount; ++k)
    {
        s->mass[k] = l->unknowns->model->mass[k / 3];
    }
    rslStatics_SetExact(kernel, true);
    rslFactored_Update(&s->matrix, state);
    return true;
}

static rslStatus Find(Search* s, int count)
{
    rslLobpcg* l = s->l;
    const rslFactored* m = &s->matrix;
    count = count < s->freeCount ? count : s->freeCount;
    rslEigenProblem problem = { 3 * m->count, m->columnStart, m->row, m->value, s->mass, count, 1e-12, l->limit };
    s->t = rslArena_Allocate(l->arena, (size_t)count, sizeof(double));
    s->x = rslArena_Allocate(l->arena, (size_t)count * (size_t)problem.size, sizeof(double));
    if (s->t == NULL || s->x == NULL)
    {
        return rsl_outOfMemory;
    }
    rslStatus status = s->library->find(&problem, s->t, s->x, &s->found, &l->iterations);
    s->zeros = 0;
    for (int c = 0; c < s->found; ++c)
    {
        s->zeros += fabs(s->t[c] - l->shift) <= l->zero;
    }
    return status;
}

// As many as are wanted besides motions that cost nothing; floppy.h need not know all of these.
static rslStatus FindEnough(Search* s)
{
    int known = s->l->floppy->count, wanted = s->l->wanted;
    rslStatus status = Find(s, known + wanted + GUARDS);
    if (status == rsl_ok && s->found - s->zeros < wanted && s->found < s->freeCount)
    {
        status = Find(s, known + wanted + RSL_LOBPCG_ZEROS);
    }
    return status;
}

static rslStatus Take(Search* s)
{
    rslLobpcg* l = s->l;
    int columns = 0, size = 3 * s->matrix.count;
    for (int c = 0; c < s->found && columns < l->wanted; ++c)
    {
        const double* x = s->x + (size_t)c * (size_t)size;
        if (fabs(s->t[c] - l->shift) <= l->zero)
        {
            continue;
        }
        for (int k = 0; k < size; ++k)
        {
            l->x[columns].x.x[k % 3][k / 3] = x[k];
        }
        rslUnknowns_Project(l->unknowns, &l->x[columns++].x);
    }
    l->lockedCount = s->zeros - l->floppy->count;
    l->wanted = columns;
    return columns > 0 ? rslLobpcg_Take(l, columns) : rsl_ok;
}

rslStatus rslEigen_Run(const rslEigen* library, rslLobpcg* search, const rslState* state, void* kernel,
                       rslReport* report)
{
    Search s = { .library = library, .l = search };
    const char* wrong = NULL;
    if (!MakeMatrix(&s, state, kernel))
    {
        return rsl_outOfMemory;
    }
    bool whole = IsWhole(&s);
    RaiseHeld(&s);
    if (s.freeCount <= search->floppy->count)  // nothing swings
    {
        search->wanted = 0;
        return rsl_ok;
    }
    rslStatus status = whole ? FindEnough(&s) : rsl_ok;
    if (!whole)
    {
        wrong = "has no matrix for all that acts in this model (dispersion, pressure)";
    }
    else if (status == rsl_badInput)
    {
        wrong = "does not take a state that is about to buckle";
    }
    else if (status == rsl_unsupported)
    {
        wrong = "failed";
    }
    if (wrong != NULL)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%s %s: use the solver lobpcg", library->name, wrong);
        return rsl_badInput;
    }
    if (s.zeros > search->floppy->count + RSL_LOBPCG_ZEROS)
    {
        return rsl_unsupported;
    }
    if (status != rsl_ok && status != rsl_notConverged)
    {
        return status;
    }
    rslStatus taken = Take(&s);
    return status == rsl_ok ? taken : status;
}
