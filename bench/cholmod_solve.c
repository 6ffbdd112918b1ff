// SPDX-License-Identifier: MIT
//
// cholmod_solve.c: a linear system (system_file.h) solved by CHOLMOD, for `resilin bench --against cholmod`. Supernodal factors in
// METIS' order, the best for solids. CHOLMOD is under the GPL, so it stays a program of its own. Set-up is analysis and factors.

#define _FILE_OFFSET_BITS 64

#include "system_file.h"

#include <cholmod.h>
#include <math.h>

typedef struct Problem
{
    SystemFile file;
    cholmod_common common;
    cholmod_sparse* matrix;  // the lower triangle by columns, which is the upper one by rows
    cholmod_dense* right;
} Problem;

// Blocks of a row from the diagonal on: column 3 i + c has rows c .. 2 of its own block, then those of nodes after it.
static void AddColumns(Problem* problem, int64_t i, int64_t count, const int32_t* column, const double* block)
{
    SuiteSparse_long *start = problem->matrix->p, *row = problem->matrix->i;
    double* value = problem->matrix->x;
    for (int c = 0; c < 3; ++c)
    {
        SuiteSparse_long at = start[3 * i + c];
        for (int64_t e = 0; e < count; ++e)
        {
            for (int r = column[e] == i ? c : 0; column[e] >= i && r < 3; ++r)
            {
                row[at] = 3 * (SuiteSparse_long)column[e] + r;
                value[at++] = block[9 * e + 3 * c + r];
            }
        }
        start[3 * i + c + 1] = at;
    }
}

static bool Read(Problem* problem, const char* path)
{
    if (!SystemFile_Open(&problem->file, path))
    {
        return false;
    }
    SystemFile* file = &problem->file;
    size_t size = 3 * (size_t)file->nodes,
           entries = 6 * (size_t)file->nodes + 9 * (size_t)(file->blocks - file->nodes) / 2;
    cholmod_l_start(&problem->common);
    problem->matrix = cholmod_l_allocate_sparse(size, size, entries, 1, 1, -1, CHOLMOD_REAL, &problem->common);
    problem->right = cholmod_l_allocate_dense(size, 1, size, CHOLMOD_REAL, &problem->common);
    bool good = problem->matrix != NULL && problem->right != NULL &&
                SystemFile_ReadVector(file, 1, 0, file->nodes, problem->right->x);
    for (int64_t i = 0; i < file->nodes && good; ++i)
    {
        const int32_t* column;
        const double* block;
        good = SystemFile_Row(file, i, &column, &block);
        if (good)
        {
            AddColumns(problem, i, file->start[i + 1] - file->start[i], column, block);
        }
    }
    return good;
}

// |b - K x| / |b|
static double Residual(Problem* problem, cholmod_dense* x)
{
    double minus[2] = { -1.0, 0.0 }, one[2] = { 1.0, 0.0 };
    cholmod_dense* left = cholmod_l_copy_dense(problem->right, &problem->common);
    cholmod_l_sdmult(problem->matrix, 0, minus, one, x, left, &problem->common);
    double residual =
        cholmod_l_norm_dense(left, 2, &problem->common) / cholmod_l_norm_dense(problem->right, 2, &problem->common);
    cholmod_l_free_dense(&left, &problem->common);
    return residual;
}

static bool Write(const char* path, const cholmod_dense* x)
{
    FILE* file = fopen(path, "wb");
    bool good = file != NULL && fwrite(x->x, sizeof(double), x->nrow, file) == x->nrow;
    return file != NULL && fclose(file) == 0 && good;
}

int main(int count, char** arguments)
{
    Problem problem = { 0 };
    if (count != 4 || !Read(&problem, arguments[1]))
    {
        return 2;
    }
    cholmod_common* common = &problem.common;
    common->supernodal = CHOLMOD_SUPERNODAL;
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_METIS;
    common->postorder = 1;
    double begin = Seconds();
    cholmod_factor* factor = cholmod_l_analyze(problem.matrix, common);
    if (factor == NULL || !cholmod_l_factorize(problem.matrix, factor, common) || common->status != CHOLMOD_OK)
    {
        return 2;
    }
    double middle = Seconds();
    cholmod_dense* x = cholmod_l_solve(CHOLMOD_A, factor, problem.right, common);
    double end = Seconds(), memory = PeakBytes();
    if (x == NULL || !Write(arguments[3], x))
    {
        return 2;
    }
    printf("%.9g %.9g %d %.9g %.9g\n", middle - begin, end - middle, 0, Residual(&problem, x), memory);
    cholmod_l_free_dense(&x, common);
    cholmod_l_free_factor(&factor, common);
    cholmod_l_free_sparse(&problem.matrix, common);
    cholmod_l_free_dense(&problem.right, common);
    cholmod_l_finish(common);
    SystemFile_Close(&problem.file);
    return 0;
}
