// SPDX-License-Identifier: MIT
//
// lobpcg.c: see lobpcg.h. Knyazev 2001, "Toward the optimal preconditioned eigensolver": with X the approximations, T about
// the inverse of A = K + s M, t their values of A:
//
//   W = T (A X - M X t)        of the columns that have not converged
//   X' = the lowest Ritz vectors in the span of X, W, P;  P' = what W and P contribute to X'
//
// The start is T times vectors with a part in every mode. Motions that cost nothing are taken out of the start and of W: those
// of floppy.h, and those the search meets itself, whose columns begin anew. At the end A X is computed afresh.
//
// W and P nearly lie in the span of the others, and A times them is carried along. Where the stiffest modes are far above those
// wanted, rounding then grows from one iteration to the next: residuals rise instead of falling. When they do, the search goes
// on from a fresh A X with W and P made orthonormal to all others first (twice is enough), and multiplied afterwards.

#include "lobpcg.h"

#include "random.h"

#include <math.h>
#include <string.h>

// ---- making ---------------------------------------------------------------------------------------------------------

static rslColumn* MakeColumns(const rslLobpcg* l, int count)
{
    rslColumn* columns = rslArena_Allocate(l->arena, (size_t)count, sizeof(rslColumn));
    bool made = columns != NULL;
    for (int c = 0; made && c < count; ++c)
    {
        made = rslNodeVector_Make(&columns[c].x, l->unknowns->nodeCount, l->arena) &&
               rslNodeVector_Make(&columns[c].ax, l->unknowns->nodeCount, l->arena);
    }
    return made ? columns : NULL;
}

bool rslLobpcg_Make(rslLobpcg* l, int wanted)
{
    int width = wanted + RSL_LOBPCG_GUARDS;
    size_t count = (size_t)width;
    l->wanted = wanted;
    l->columns = width;
    l->x = MakeColumns(l, width);
    l->w = MakeColumns(l, width);
    l->p = MakeColumns(l, width);
    l->value = rslArena_Allocate(l->arena, count, sizeof(double));
    l->residual = rslArena_Allocate(l->arena, count, sizeof(double));
    l->span = rslArena_Allocate(l->arena, 3 * count, sizeof(rslColumn*));
    l->list = rslArena_Allocate(l->arena, count, sizeof(rslNodeVector*));
    l->active = rslArena_Allocate(l->arena, count, sizeof(int));
    l->locked = rslArena_Allocate(l->arena, RSL_LOBPCG_ZEROS, sizeof(rslColumn));
    return l->x != NULL && l->w != NULL && l->p != NULL && l->value != NULL && l->residual != NULL && l->span != NULL &&
           l->list != NULL && l->active != NULL && l->locked != NULL &&
           rslRitz_Make(&l->ritz, l->unknowns, 3 * width, l->arena);
}

// ---- vectors --------------------------------------------------------------------------------------------------------

// mx = M x
static void TimesMass(const rslLobpcg* l, const rslNodeVector* x, const rslNodeVector* mx)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < l->unknowns->nodeCount; ++i)
        {
            mx->x[axis][i] = l->ritz.mass[i] * x->x[axis][i];
        }
    }
}

// Without what costs nothing.
static void KeepApart(const rslLobpcg* l, int count)
{
    rslFloppy_Remove(l->floppy, l->list, count);
    for (int c = 0; c < count; ++c)
    {
        for (int y = 0; y < l->lockedCount; ++y)
        {
            double share = rslUnknowns_Dot(l->unknowns, &l->locked[y].ax, l->list[c]);
            rslUnknowns_Combine(l->unknowns, l->list[c], 1.0, -share, &l->locked[y].x);
        }
        rslUnknowns_Project(l->unknowns, l->list[c]);
    }
}

// A column of X that has a part in every mode; zero where there are no more directions.
static void Begin(rslLobpcg* l, int column)
{
    const rslUnknowns* u = l->unknowns;
    rslColumn* x = &l->x[column];
    rslRandom random = { (uint64_t)++l->freshCount << 40 };
    for (int i = 0; i < u->nodeCount; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            x->ax.x[axis][i] = l->ritz.mass[i] * (rslRandom_Unit(&random) - 0.5);
        }
    }
    rslUnknowns_Project(u, &x->ax);
    l->precondition(l->context, &x->ax, &x->x);
    double before = rslUnknowns_Dot(u, &x->x, &x->x);
    l->list[0] = &x->x;
    KeepApart(l, 1);
    if (!(rslUnknowns_Dot(u, &x->x, &x->x) > 1e-20 * before))
    {
        rslUnknowns_Clear(u, &x->x);
    }
    l->multiply(l->context, &x->x, &x->ax);
}

// ---- an iteration ---------------------------------------------------------------------------------------------------

// w = A x - t M x and |M^-1/2 w|, a column an item
static void ResidualOf(int item, void* context)
{
    rslLobpcg* l = context;
    const rslColumn* x = &l->x[item];
    double t = l->value[item] + l->shift, sum = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double* w = l->w[item].x.x[axis];
        for (int i = 0; i < l->unknowns->nodeCount; ++i)
        {
            w[i] = x->ax.x[axis][i] - t * l->ritz.mass[i] * x->x.x[axis][i];
            sum += w[i] * w[i] / l->ritz.mass[i];
        }
    }
    l->residual[item] = sqrt(sum);
}

static bool IsZero(const rslLobpcg* l, int column)
{
    return fabs(l->value[column]) <= l->zero && l->residual[column] <= l->calm;
}

static bool IsDone(const rslLobpcg* l, int column)
{
    return l->residual[column] <= l->tolerance * fabs(l->value[column]);
}

// X, and W and P of the active columns. Returns their number.
static int FillSpan(rslLobpcg* l)
{
    int size = 0;
    for (int c = 0; c < l->columns; ++c)
    {
        l->span[size++] = &l->x[c];
    }
    for (int n = 0; n < l->activeCount; ++n)
    {
        l->span[size++] = &l->w[l->active[n]];
    }
    for (int n = 0; l->hasP && n < l->activeCount; ++n)
    {
        l->span[size++] = &l->p[l->active[n]];
    }
    return size;
}

// The lowest vectors in the span.
static void Improve(rslLobpcg* l)
{
    int size = FillSpan(l), kept = l->columns;
    l->columns = rslRitz_Solve(&l->ritz, (const rslColumn* const*)l->span, size, l->columns);
    for (int c = 0; c < l->columns; ++c)
    {
        l->value[c] = l->ritz.value[c] - l->shift;
    }
    rslRitz_Combine(&l->ritz, (const rslColumn* const*)l->span, size, kept, l->x, l->p, l->columns);
    l->hasP = l->activeCount > 0;
}

// The lowest vectors in the span of X alone.
static void Restart(rslLobpcg* l)
{
    l->activeCount = 0;
    Improve(l);
    rslTeam_Run(l->unknowns->team, ResidualOf, l->columns, l);
}

// A column of the span to length 1 and across those before it, in M; zero where nothing is left of it.
static void Separate(const rslLobpcg* l, int place)
{
    const rslUnknowns* u = l->unknowns;
    const rslColumn* v = l->span[place];
    for (int turn = 0; turn < 3; ++turn)
    {
        TimesMass(l, &v->x, &v->ax);
        double length = sqrt(rslUnknowns_Dot(u, &v->x, &v->ax));
        if (!(length > (turn == 0 ? 0.0 : 1e-10)))
        {
            rslUnknowns_Clear(u, &v->x);
            return;
        }
        rslUnknowns_Combine(u, &v->x, 1.0 / length, 0.0, &v->x);
        for (int c = 0; turn < 2 && c < place; ++c)
        {
            double share = rslUnknowns_Dot(u, &l->span[c]->x, &v->ax) / length;
            rslUnknowns_Combine(u, &v->x, 1.0, -share, &l->span[c]->x);
        }
    }
}

static void Correct(rslLobpcg* l)
{
    for (int n = 0; n < l->activeCount; ++n)
    {
        rslColumn* w = &l->w[l->active[n]];
        rslUnknowns_Copy(l->unknowns, &w->ax, &w->x);
        l->precondition(l->context, &w->ax, &w->x);
        l->list[n] = &w->x;
    }
    KeepApart(l, l->activeCount);
    int size = FillSpan(l), end = l->careful ? size : l->columns + l->activeCount;
    for (int place = l->columns; place < end; ++place)
    {
        if (l->careful)
        {
            Separate(l, place);
        }
        l->multiply(l->context, &l->span[place]->x, &l->span[place]->ax);
    }
}

// Whether residuals rise that were small.
static bool Worsens(rslLobpcg* l)
{
    double worst = 0.0;
    for (int c = 0; c < l->columns && c < l->wanted; ++c)
    {
        worst = fmax(worst, l->residual[c] / fabs(l->value[c]));
    }
    bool worsens = l->best < 0.1 && !(worst <= 4.0 * l->best);
    l->best = fmin(l->best, worst);
    return worsens;
}

// Set columns that cost nothing aside; new ones take their place.
static rslStatus Lock(rslLobpcg* l, bool* any)
{
    int count = l->columns;
    *any = false;
    for (int c = 0; c < count; ++c)
    {
        if (!IsZero(l, c))
        {
            continue;
        }
        if (l->lockedCount == RSL_LOBPCG_ZEROS)
        {
            return rsl_unsupported;
        }
        rslColumn* y = &l->locked[l->lockedCount];
        if (!rslNodeVector_Make(&y->x, l->unknowns->nodeCount, l->arena) ||
            !rslNodeVector_Make(&y->ax, l->unknowns->nodeCount, l->arena))
        {
            return rsl_outOfMemory;
        }
        rslUnknowns_Copy(l->unknowns, &y->x, &l->x[c].x);
        TimesMass(l, &y->x, &y->ax);
        l->lockedCount += 1;
        *any = true;
    }
    for (int c = 0; *any && c < count; ++c)
    {
        if (IsZero(l, c))
        {
            Begin(l, c);
        }
    }
    return rsl_ok;
}

// ---- the search -----------------------------------------------------------------------------------------------------

static bool AllDone(rslLobpcg* l)
{
    bool done = true;
    l->wanted = l->columns < l->wanted ? l->columns : l->wanted;
    l->activeCount = 0;
    for (int c = 0; c < l->columns; ++c)
    {
        if (!IsDone(l, c))
        {
            done = done && c >= l->wanted;
            l->active[l->activeCount++] = c;
        }
    }
    return done;
}

// A X as it is, not as it was carried along.
static void Refresh(rslLobpcg* l)
{
    for (int c = 0; c < l->columns; ++c)
    {
        l->multiply(l->context, &l->x[c].x, &l->x[c].ax);
    }
    Restart(l);
}

rslStatus rslLobpcg_Take(rslLobpcg* l, int columns)
{
    l->columns = columns;
    Refresh(l);
    return AllDone(l) ? rsl_ok : rsl_notConverged;
}

rslStatus rslLobpcg_Run(rslLobpcg* l)
{
    bool fresh = false, locked = false;
    l->best = INFINITY;
    for (int c = 0; c < l->columns; ++c)
    {
        Begin(l, c);
    }
    Restart(l);
    for (;;)
    {
        rslStatus status = Lock(l, &locked);
        bool done = AllDone(l), over = l->iterations >= l->limit;
        if (status != rsl_ok)
        {
            return status;
        }
        if (locked)
        {
            Restart(l);
            l->best = INFINITY;
        }
        else if ((done || over) && fresh)
        {
            return done ? rsl_ok : rsl_notConverged;
        }
        else if (done || over)
        {
            Refresh(l);
        }
        else
        {
            Correct(l);
            Improve(l);
            rslTeam_Run(l->unknowns->team, ResidualOf, l->columns, l);
            l->iterations += 1;
            if (!l->careful && Worsens(l))
            {
                l->careful = true;
                Refresh(l);
            }
        }
        fresh = !locked && (done || over);
    }
}
