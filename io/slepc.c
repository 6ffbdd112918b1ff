// SPDX-License-Identifier: MIT
//
// slepc.c: eigenvectors by SLEPc: Krylov and Schur on A^-1 M, with factors of A by MUMPS.
//
// A Krylov space that starts with one vector sees one direction of an eigenspace; the others come with rounding, perhaps too
// late. So the search goes on beside what was found until nothing lower is left. PETSc serves one thread at a time and starts
// MPI, once in a process. The last digits depend on the BLAS below.

#include "resilin/io.h"

#if RSL_HAVE_SLEPC

#include <slepceps.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(PetscInt) == sizeof(int) && sizeof(PetscScalar) == sizeof(double),
               "needs PETSc of int and double");

typedef struct Search
{
    const rslEigenProblem* problem;
    Mat a, m;
    EPS eps;
    Vec* found;  // on the caller's arrays
    double* t;
    double* x;
    int count, iterations;
    bool positive;
} Search;

static void Stop(void)
{
    SlepcFinalize();
}

static PetscErrorCode Start(void)
{
    PetscBool ready = PETSC_FALSE;
    PetscCall(SlepcInitialized(&ready));
    if (!ready)
    {
        PetscCall(PetscOptionsSetValue(NULL, "-no_signal_handler", "true"));
        PetscCall(SlepcInitializeNoArguments());
        atexit(Stop);
    }
    return 0;
}

static PetscErrorCode MakeMatrices(Search* s)
{
    const rslEigenProblem* p = s->problem;
    PetscCall(MatCreateSeqSBAIJWithArrays(PETSC_COMM_SELF, 1, p->size, p->size, (PetscInt*)p->rowStart,
                                          (PetscInt*)p->column, (PetscScalar*)p->value, &s->a));
    PetscCall(MatCreateSeqSBAIJ(PETSC_COMM_SELF, 1, p->size, p->size, 1, NULL, &s->m));
    for (int k = 0; k < p->size; ++k)
    {
        PetscCall(MatSetValue(s->m, k, k, p->mass[k], INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(s->m, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(s->m, MAT_FINAL_ASSEMBLY));
    PetscCall(PetscCalloc1(p->count, &s->found));
    for (int c = 0; c < p->count; ++c)
    {
        PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, p->size, s->x + (size_t)c * (size_t)p->size, &s->found[c]));
    }
    return 0;
}

// The number of negative pivots is that of negative eigenvalues.
static PetscErrorCode Factor(Search* s)
{
    ST st;
    KSP ksp;
    PC pc;
    Mat factors;
    PetscInt negative = 0;
    PetscCall(EPSCreate(PETSC_COMM_SELF, &s->eps));
    PetscCall(EPSSetOperators(s->eps, s->a, s->m));
    PetscCall(EPSSetProblemType(s->eps, EPS_GHEP));
    PetscCall(EPSSetType(s->eps, EPSKRYLOVSCHUR));
    PetscCall(EPSSetTarget(s->eps, 0.0));
    PetscCall(EPSSetWhichEigenpairs(s->eps, EPS_TARGET_MAGNITUDE));
    PetscCall(EPSSetTolerances(s->eps, s->problem->tolerance, s->problem->iterations));
    PetscCall(EPSGetST(s->eps, &st));
    PetscCall(STSetType(st, STSINVERT));
    PetscCall(STGetKSP(st, &ksp));
    PetscCall(KSPSetType(ksp, KSPPREONLY));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCSetType(pc, PCCHOLESKY));
    PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    PetscCall(EPSSetUp(s->eps));
    PetscCall(PCFactorGetMatrix(pc, &factors));
    PetscCall(MatGetInertia(factors, &negative, NULL, NULL));
    s->positive = negative == 0;
    return 0;
}

// So many of the lowest beside those that are there already.
static PetscErrorCode Solve(Search* s, int wanted, PetscInt* converged)
{
    PetscInt steps = 0;
    if (s->count > 0)
    {
        PetscCall(EPSSetDeflationSpace(s->eps, s->count, s->found));
    }
    PetscCall(EPSSetDimensions(s->eps, wanted, PETSC_DEFAULT, PETSC_DEFAULT));
    PetscCall(EPSSolve(s->eps));
    PetscCall(EPSGetIterationNumber(s->eps, &steps));
    PetscCall(EPSGetConverged(s->eps, converged));
    s->iterations += steps;
    return 0;
}

// Put a solution of the last solve to its place; the last one gives way where all places are taken.
static PetscErrorCode Insert(Search* s, int index, bool* inserted)
{
    int at = s->count, places = s->problem->count;
    size_t size = (size_t)s->problem->size;
    double t = 0.0, last = at == places ? s->t[at - 1] : 0.0;
    PetscCall(EPSGetEigenvalue(s->eps, index, &t, NULL));
    *inserted = at < places || t < last * (1.0 - 1e-9);
    if (!*inserted)
    {
        return 0;
    }
    s->count += at < places;
    for (at = s->count - 1; at > 0 && t < s->t[at - 1]; --at)
    {
        s->t[at] = s->t[at - 1];
        memcpy(s->x + (size_t)at * size, s->x + (size_t)(at - 1) * size, size * sizeof(double));
    }
    s->t[at] = t;
    PetscCall(EPSGetEigenvector(s->eps, index, s->found[at], NULL));
    return 0;
}

static PetscErrorCode Run(Search* s)
{
    PetscInt converged = 0;
    bool more = true;
    PetscCall(MakeMatrices(s));
    PetscCall(Factor(s));
    if (!s->positive)
    {
        return 0;
    }
    PetscCall(Solve(s, s->problem->count, &converged));
    for (int c = 0; c < converged && s->count < s->problem->count; ++c)
    {
        PetscCall(Insert(s, c, &more));
    }
    while (more && s->count == s->problem->count && s->count < s->problem->size)
    {
        PetscCall(Solve(s, 1, &converged));
        more = converged > 0;
        if (more)
        {
            PetscCall(Insert(s, 0, &more));
        }
    }
    return 0;
}

static void Destroy(Search* s)
{
    for (int c = 0; s->found != NULL && c < s->problem->count; ++c)
    {
        VecDestroy(&s->found[c]);
    }
    PetscFree(s->found);
    EPSDestroy(&s->eps);
    MatDestroy(&s->m);
    MatDestroy(&s->a);
}

static rslStatus Find(const rslEigenProblem* problem, double* t, double* x, int* count, int* iterations)
{
    Search s = { .problem = problem, .t = t, .x = x };
    PetscErrorCode error = Start();
    if (error == 0)
    {
        PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
        error = Run(&s);
        Destroy(&s);
        PetscPopErrorHandler();
    }
    *count = s.count;
    *iterations += s.iterations;
    if (error != 0)
    {
        return error == PETSC_ERR_MEM ? rsl_outOfMemory : rsl_unsupported;
    }
    return !s.positive ? rsl_badInput : s.count < problem->count ? rsl_notConverged : rsl_ok;
}

static const rslEigen slepc = { "slepc", Find };

const rslEigen* rslSlepc_Eigen(void)
{
    return &slepc;
}

#else

const rslEigen* rslSlepc_Eigen(void)
{
    return NULL;
}

#endif
