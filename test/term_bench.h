// SPDX-License-Identifier: MIT
//
// term_bench.h: a kernel at a random state, its energy, forces and matrices, and vectors over its nodes.

#pragma once

#define RSL_PRECISION 64

#include "term_cases.h"
#include "backend.h"
#include "lattice_sweep.h"
#include "term.h"

// ---- a term at a state --------------------------------------------------------------------------------------------------

typedef struct Bench
{
    const Case* it;
    rslModel* model;
    rslState* state;
    rslTeam* team;
    Kernel* kernel;
    const Term* term;
    View view;
} Bench;

static inline Bench MakeBench(const Case* it, uint64_t seed)
{
    Bench bench = { .it = it, .model = it->build() };
    bench.state = RandomState(it, bench.model, 0.18, seed);
    bench.team = rslTeam_Create(NULL, 1, NULL, NULL);
    bench.kernel = rslKernel_Create64(bench.model, false, NULL, bench.team);
    assert_non_null(bench.kernel);
    bench.view = rslKernel_View64(bench.kernel, bench.state, 0.0);
    return bench;
}

static inline void FreeBench(Bench* bench)
{
    rslKernel_Free64(bench->kernel);
    rslTeam_Free(bench->team);
    rslState_Free(bench->state);
    rslModel_Free(bench->model);
}

// A vector over all degrees of freedom, axis by axis, padded as a state is.
typedef struct Vector
{
    double* at[3];
} Vector;

static inline Vector MakeVector(const Bench* bench)
{
    Vector v;
    for (int axis = 0; axis < 3; ++axis)
    {
        v.at[axis] = calloc((size_t)bench->model->nodeCount + RSL_STATE_PADDING, sizeof(double));
        assert_non_null(v.at[axis]);
    }
    return v;
}

static inline void FreeVector(Vector* v)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        free(v->at[axis]);
    }
}

static inline void Randomize(const Bench* bench, Vector* v, double size, Random* random)
{
    for (int i = 0; i < bench->model->nodeCount; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            v->at[axis][i] = NextBetween(random, -size, size);
        }
    }
}

static inline double Dot(const Bench* bench, const Vector* a, const Vector* b)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < bench->model->nodeCount; ++i)
        {
            sum += a->at[axis][i] * b->at[axis][i];
        }
    }
    return sum;
}

static inline double Largest(const Bench* bench, const Vector* a)
{
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < bench->model->nodeCount; ++i)
        {
            largest = Worse(largest, fabs(a->at[axis][i]));
        }
    }
    return largest;
}

// Largest component of a - b over the largest of b.
static inline double Difference(const Bench* bench, const Vector* a, const Vector* b)
{
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < bench->model->nodeCount; ++i)
        {
            double d = fabs(a->at[axis][i] - b->at[axis][i]);
            largest = d > largest || isnan(d) ? d : largest;
        }
    }
    double size = Largest(bench, b);
    return size > 0.0 ? largest / size : largest;
}

static inline void Prepare(Bench* bench)
{
    if (bench->term->prepare != NULL)
    {
        bench->term->prepare(bench->kernel, &bench->view);
    }
    if (bench->term->prepareForce != NULL)
    {
        bench->term->prepareForce(bench->kernel, &bench->view);
    }
}

static inline double EnergyAt(Bench* bench)
{
    double sum = 0.0;
    Prepare(bench);
    for (int c = 0; c < bench->kernel->chunkCount; ++c)
    {
        sum += bench->term->energy(bench->kernel, &bench->view, &bench->kernel->chunks[c]);
    }
    return sum;
}

static inline Powers ForceAt(Bench* bench, Vector* out)
{
    Powers powers = { 0 };
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(bench->kernel->force[axis], 0, (size_t)bench->model->nodeCount * sizeof(double));
    }
    Prepare(bench);
    for (int c = 0; c < bench->kernel->chunkCount; ++c)
    {
        bench->term->force(bench->kernel, &bench->view, &bench->kernel->chunks[c], &powers);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(out->at[axis], bench->kernel->force[axis], (size_t)bench->model->nodeCount * sizeof(double));
    }
    powers.dissipated += bench->term == &RSL_NAME(rslLatticeTerm) ? RSL_NAME(rslSweep_Lost)(bench->kernel) : 0.0;
    return powers;
}

typedef void ProductFunction(const Kernel*, const View*, const Chunk*, Real* const p[3], Real* const out[3]);

static inline void ProductAt(Bench* bench, ProductFunction* product, const Vector* p, Vector* out)
{
    Prepare(bench);
    if (bench->term->prepareProduct != NULL)
    {
        bench->term->prepareProduct(bench->kernel, &bench->view, product == bench->term->damping, p->at);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(out->at[axis], 0, (size_t)bench->model->nodeCount * sizeof(double));
    }
    for (int c = 0; product != NULL && c < bench->kernel->chunkCount; ++c)
    {
        product(bench->kernel, &bench->view, &bench->kernel->chunks[c], p->at, out->at);
    }
}

// A length of the scene to measure steps of differences with.
static inline double Spacing(const Bench* bench)
{
    return bench->model->bodies[bench->model->bodyCount - 1].spacing;
}
