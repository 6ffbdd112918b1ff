// SPDX-License-Identifier: MIT
//
// petsc_solve.c: a linear system (system_file.h) solved by PETSc, for `resilin bench --against petsc`, on as many ranks as mpirun starts:
// conjugate gradients with its smoothed aggregation (GAMG), which is told the rigid motions and that three unknowns belong together.
// Everything else is as PETSc chooses it; PETSC_OPTIONS may choose otherwise. Set-up is that of the hierarchy; reading and assembling
// count for nothing. Every rank reads its own rows, so that nothing but PETSc takes memory.

#define _FILE_OFFSET_BITS 64

#include "system_file.h"

#include <petscksp.h>

#define TRY(call)                                                                                                      \
    do                                                                                                                 \
    {                                                                                                                  \
        PetscErrorCode error = (call);                                                                                 \
        if (error != 0)                                                                                                \
        {                                                                                                              \
            return error;                                                                                              \
        }                                                                                                              \
    } while (0)

typedef struct Problem
{
    SystemFile file;
    int64_t begin, end;  // nodes of this rank
    Mat matrix;
    Vec right, places, x;
} Problem;

static PetscErrorCode Preallocate(Problem* p)
{
    size_t nodes = (size_t)(p->end - p->begin);
    PetscInt *near = calloc(nodes + 1, sizeof *near), *far = calloc(nodes + 1, sizeof *far);
    const int32_t* column;
    const double* block;
    TRY(near != NULL && far != NULL ? 0 : PETSC_ERR_MEM);
    for (int64_t i = p->begin; i < p->end; ++i)
    {
        TRY(SystemFile_Row(&p->file, i, &column, &block) ? 0 : PETSC_ERR_FILE_READ);
        for (int64_t e = 0; e < p->file.start[i + 1] - p->file.start[i]; ++e)
        {
            bool own = column[e] >= p->begin && column[e] < p->end;
            *(own ? &near[i - p->begin] : &far[i - p->begin]) += 1;
        }
    }
    TRY(MatXAIJSetPreallocation(p->matrix, 3, near, far, NULL, NULL));
    free(near);
    free(far);
    return 0;
}

static PetscErrorCode Assemble(Problem* p)
{
    PetscInt size = (PetscInt)(3 * (p->end - p->begin));
    const int32_t* column;
    const double* block;
    TRY(MatCreate(PETSC_COMM_WORLD, &p->matrix));
    TRY(MatSetSizes(p->matrix, size, size, PETSC_DETERMINE, PETSC_DETERMINE));
    TRY(MatSetBlockSize(p->matrix, 3));
    TRY(MatSetType(p->matrix, MATAIJ));
    TRY(Preallocate(p));
    for (int64_t i = p->begin; i < p->end; ++i)
    {
        PetscInt row = (PetscInt)i;
        TRY(SystemFile_Row(&p->file, i, &column, &block) ? 0 : PETSC_ERR_FILE_READ);
        for (int64_t e = 0; e < p->file.start[i + 1] - p->file.start[i]; ++e)
        {
            PetscInt other = column[e];
            TRY(MatSetValuesBlocked(p->matrix, 1, &row, 1, &other, block + 9 * e, INSERT_VALUES));
        }
    }
    TRY(MatAssemblyBegin(p->matrix, MAT_FINAL_ASSEMBLY));
    TRY(MatAssemblyEnd(p->matrix, MAT_FINAL_ASSEMBLY));
    TRY(MatSetOption(p->matrix, MAT_SPD, PETSC_TRUE));
    return 0;
}

static PetscErrorCode ReadVector(Problem* p, int which, Vec* vector)
{
    PetscScalar* to;
    TRY(MatCreateVecs(p->matrix, vector, NULL));
    TRY(VecSetBlockSize(*vector, 3));
    TRY(VecGetArray(*vector, &to));
    bool good = SystemFile_ReadVector(&p->file, which, p->begin, p->end, to);
    TRY(VecRestoreArray(*vector, &to));
    return good ? 0 : PETSC_ERR_FILE_READ;
}

static PetscErrorCode Read(Problem* p, const char* path)
{
    int rank, ranks;
    MatNullSpace rigid;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    if (!SystemFile_Open(&p->file, path))
    {
        return PETSC_ERR_FILE_OPEN;
    }
    p->begin = p->file.nodes * rank / ranks;
    p->end = p->file.nodes * (rank + 1) / ranks;
    TRY(Assemble(p));
    TRY(ReadVector(p, 0, &p->places));
    TRY(ReadVector(p, 1, &p->right));
    TRY(VecDuplicate(p->right, &p->x));
    TRY(MatNullSpaceCreateRigidBody(p->places, &rigid));
    TRY(MatSetNearNullSpace(p->matrix, rigid));
    TRY(MatNullSpaceDestroy(&rigid));
    TRY(VecDestroy(&p->places));
    return 0;
}

static PetscErrorCode Residual(const Problem* p, double* residual)
{
    Vec left;
    PetscReal norm, whole;
    TRY(VecDuplicate(p->right, &left));
    TRY(MatMult(p->matrix, p->x, left));
    TRY(VecAYPX(left, -1.0, p->right));
    TRY(VecNorm(left, NORM_2, &norm));
    TRY(VecNorm(p->right, NORM_2, &whole));
    TRY(VecDestroy(&left));
    *residual = norm / whole;
    return 0;
}

// Every rank writes where its nodes belong.
static PetscErrorCode Write(const Problem* p, const char* path)
{
    const PetscScalar* from;
    int rank;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    FILE* file = rank == 0 ? fopen(path, "wb") : NULL;
    MPI_Barrier(PETSC_COMM_WORLD);
    file = rank == 0 ? file : fopen(path, "r+b");
    size_t count = 3 * (size_t)(p->end - p->begin);
    TRY(VecGetArrayRead(p->x, &from));
    bool good = file != NULL && fseeko(file, (off_t)(24 * p->begin), SEEK_SET) == 0 &&
                fwrite(from, sizeof(double), count, file) == count;
    good = file != NULL && fclose(file) == 0 && good;
    TRY(VecRestoreArrayRead(p->x, &from));
    return good ? 0 : PETSC_ERR_FILE_WRITE;
}

static PetscErrorCode Solve(Problem* p, double tolerance, const char* path)
{
    KSP solver;
    PC multigrid;
    PetscInt iterations;
    double residual, own, memory;
    TRY(KSPCreate(PETSC_COMM_WORLD, &solver));
    TRY(KSPSetOperators(solver, p->matrix, p->matrix));
    TRY(KSPSetType(solver, KSPCG));
    TRY(KSPSetNormType(solver, KSP_NORM_UNPRECONDITIONED));
    TRY(KSPSetTolerances(solver, tolerance, PETSC_DEFAULT, PETSC_DEFAULT, 10000));
    TRY(KSPGetPC(solver, &multigrid));
    TRY(PCSetType(multigrid, PCGAMG));
    TRY(KSPSetFromOptions(solver));
    MPI_Barrier(PETSC_COMM_WORLD);
    double begin = Seconds();
    TRY(KSPSetUp(solver));
    MPI_Barrier(PETSC_COMM_WORLD);
    double middle = Seconds();
    TRY(KSPSolve(solver, p->right, p->x));
    MPI_Barrier(PETSC_COMM_WORLD);
    double end = Seconds();
    own = PeakBytes();
    MPI_Allreduce(&own, &memory, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    TRY(KSPGetIterationNumber(solver, &iterations));
    TRY(Residual(p, &residual));
    TRY(Write(p, path));
    TRY(PetscPrintf(PETSC_COMM_WORLD, "%.9g %.9g %d %.9g %.9g\n", middle - begin, end - middle, (int)iterations,
                    residual, memory));
    TRY(KSPDestroy(&solver));
    return 0;
}

int main(int count, char** arguments)
{
    Problem problem = { 0 };
    PetscErrorCode error = PetscInitialize(&count, &arguments, NULL, NULL);
    if (error != 0 || count != 4)
    {
        return 2;
    }
    error = Read(&problem, arguments[1]);
    error = error == 0 ? Solve(&problem, strtod(arguments[2], NULL), arguments[3]) : error;
    SystemFile_Close(&problem.file);
    if (error != 0)
    {
        MPI_Abort(PETSC_COMM_WORLD, 2);
    }
    MatDestroy(&problem.matrix);
    VecDestroy(&problem.right);
    VecDestroy(&problem.x);
    PetscFinalize();
    return 0;
}
