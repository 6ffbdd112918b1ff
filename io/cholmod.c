// SPDX-License-Identifier: MIT
//
// cholmod.c: sparse Cholesky factors by CHOLMOD (SuiteSparse).
//
// CHOLMOD's supernodal part is under the GPL, and a program that has it in is distributed under the GPL: so it is built in
// only on demand (RSL_CHOLMOD=ON). Its sums depend on the BLAS below it: the same bits are not promised.

#include "resilin/io.h"

#if RSL_HAVE_CHOLMOD

#include <cholmod.h>
#include <stdlib.h>

typedef struct Factors
{
    cholmod_common common;
    cholmod_sparse matrix;  // points into the caller's arrays
    cholmod_factor* factor;
} Factors;

static void Destroy(void* argument)
{
    Factors* f = argument;
    cholmod_free_factor(&f->factor, &f->common);
    cholmod_finish(&f->common);
    free(f);
}

static void* Create(int size, const int* columnStart, const int* row)
{
    Factors* f = calloc(1, sizeof(Factors));
    if (f == NULL)
    {
        return NULL;
    }
    cholmod_start(&f->common);
    f->common.print = 0;
    f->matrix = (cholmod_sparse){
        .nrow = (size_t)size,
        .ncol = (size_t)size,
        .nzmax = (size_t)columnStart[size],
        .p = (void*)columnStart,
        .i = (void*)row,
        .stype = -1,
        .itype = CHOLMOD_INT,
        .xtype = CHOLMOD_PATTERN,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = 1,
        .packed = 1,
    };
    f->factor = cholmod_analyze(&f->matrix, &f->common);
    if (f->factor == NULL || f->common.status < CHOLMOD_OK)
    {
        Destroy(f);
        return NULL;
    }
    return f;
}

static bool Factor(void* argument, const double* values)
{
    Factors* f = argument;
    f->matrix.x = (void*)values;
    f->matrix.xtype = CHOLMOD_REAL;
    cholmod_factorize(&f->matrix, f->factor, &f->common);
    return f->common.status == CHOLMOD_OK && f->factor->minor == f->factor->n;
}

static bool Solve(void* argument, const double* b, double* x)
{
    Factors* f = argument;
    size_t size = f->factor->n;
    cholmod_dense right = {
        .nrow = size, .ncol = 1, .nzmax = size, .d = size, .x = (void*)b, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE
    };
    cholmod_dense* found = cholmod_solve(CHOLMOD_A, f->factor, &right, &f->common);
    for (size_t k = 0; found != NULL && k < size; ++k)
    {
        x[k] = ((const double*)found->x)[k];
    }
    bool solved = found != NULL;
    cholmod_free_dense(&found, &f->common);
    return solved;
}

static const rslDirect cholmod = { "cholmod", Create, Factor, Solve, Destroy };

const rslDirect* rslCholmod_Direct(void)
{
    return &cholmod;
}

#else

const rslDirect* rslCholmod_Direct(void)
{
    return NULL;
}

#endif
