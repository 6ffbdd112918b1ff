// SPDX-License-Identifier: MIT
//
// dense.c: see dense.h. Apart from the tests because what it looks at is hidden, and shares names with public headers.

#include "dense.h"

#include "backend.h"
#include "symmetric.h"
#include "unknowns.h"

#include <math.h>
#include <stdlib.h>

static const double HELD = 1e9;

static int CompareDoubles(const void* a, const void* b)
{
    const double *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

// M^-1/2 F K F M^-1/2 column by column, F the projectors of what is held; what is held gets minus 1e9, and is sorted out.
// Eigenvalues of K are far from that.
Dense SolveDense(const rslModel* model, const rslState* state)
{
    int size = 3 * model->nodeCount;
    size_t n = (size_t)size, at = 0;
    rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
    void* kernel = rslBackend64.create(model, rsl_static, NULL, team);
    rslArena arena = rslArena_Make(&(rslHooks){ 0 });
    rslUnknowns unknowns;
    rslNodeVector p, kp;
    bool made = (rslUnknowns_Make(&unknowns, model, team, &arena) && rslNodeVector_Make(&p, model->nodeCount, &arena) &&
                 rslNodeVector_Make(&kp, model->nodeCount, &arena));
    rslUnknowns_Aim(&unknowns, state);
    double *a = calloc(n * n, sizeof(double)), *v = calloc(n * n, sizeof(double));
    Dense dense = { 0, calloc(n, sizeof(double)) };
    for (int c = 0; made && c < size; ++c)
    {
        rslUnknowns_Clear(&unknowns, &p);
        p.x[c % 3][c / 3] = 1.0;
        rslUnknowns_Project(&unknowns, &p);
        made = made && rslBackend64.product(kernel, state, rsl_stiffnessProduct, p.x, kp.x);
        rslUnknowns_Project(&unknowns, &kp);
        p.x[c % 3][c / 3] -= 1.0;
        for (int r = 0; r < size; ++r)
        {
            double held = HELD * p.x[r % 3][r / 3];
            a[(size_t)r * n + (size_t)c] = kp.x[r % 3][r / 3] / sqrt(model->mass[r / 3] * model->mass[c / 3]) + held;
        }
    }
    for (size_t r = 0; r < n; ++r)
    {
        for (size_t c = 0; c < r; ++c)
        {
            a[r * n + c] = a[c * n + r] = 0.5 * (a[r * n + c] + a[c * n + r]);
        }
    }
    rslSymmetric_SolveAny(a, v, size, size);
    for (size_t c = 0; c < n; ++c)
    {
        if (a[c * n + c] > -0.5 * HELD)
        {
            dense.square[at++] = a[c * n + c];
        }
    }
    dense.size = (int)at;
    qsort(dense.square, at, sizeof(double), CompareDoubles);
    free(a);
    free(v);
    rslArena_Free(&arena);
    rslBackend64.destroy(kernel);
    rslTeam_Free(team);
    return dense;
}
