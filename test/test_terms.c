// SPDX-License-Identifier: MIT
//
// test_terms.c: every force term on random states: force against differences of its energy, stiffness and damping against
// differences of its force, symmetry, dissipation.

#include "term_bench.h"

// ---- differences --------------------------------------------------------------------------------------------------------

// f'(0) = (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h + O(h^4)
static const double steps[4] = { 1.0, -1.0, 2.0, -2.0 };
static const double weights[4] = { 8.0 / 12.0, -8.0 / 12.0, -1.0 / 12.0, 1.0 / 12.0 };

static double ForceError(Bench* bench)
{
    Vector force = MakeVector(bench), slope = MakeVector(bench);
    double h = 1e-3 * Spacing(bench);
    ForceAt(bench, &force);
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < bench->model->nodeCount; ++i)
        {
            double* u = &bench->view.u[axis][i];
            double kept = *u;
            for (int s = 0; s < 4; ++s)
            {
                *u = kept + steps[s] * h;
                slope.at[axis][i] -= weights[s] * EnergyAt(bench) / h;
            }
            *u = kept;
        }
    }
    double error = Difference(bench, &slope, &force);
    FreeVector(&force);
    FreeVector(&slope);
    return error;
}

// out = -(derivative of the force along p), in displacements or velocities.
static void ForceSlope(Bench* bench, Real* const of[3], const Vector* p, double h, Vector* out)
{
    Vector force = MakeVector(bench), kept = MakeVector(bench);
    size_t bytes = (size_t)bench->model->nodeCount * sizeof(double);
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(kept.at[axis], of[axis], bytes);
        memset(out->at[axis], 0, bytes);
    }
    for (int s = 0; s < 4; ++s)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            for (int i = 0; i < bench->model->nodeCount; ++i)
            {
                of[axis][i] = kept.at[axis][i] + steps[s] * h * p->at[axis][i];
            }
        }
        ForceAt(bench, &force);
        for (int axis = 0; axis < 3; ++axis)
        {
            for (int i = 0; i < bench->model->nodeCount; ++i)
            {
                out->at[axis][i] -= weights[s] * force.at[axis][i] / h;
            }
        }
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(of[axis], kept.at[axis], bytes);
    }
    FreeVector(&force);
    FreeVector(&kept);
}

static double ProductError(Bench* bench, bool damping, Random* random)
{
    Vector p = MakeVector(bench), product = MakeVector(bench), slope = MakeVector(bench);
    Randomize(bench, &p, 1.0, random);
    ProductAt(bench, damping ? bench->term->damping : bench->term->stiffness, &p, &product);
    ForceSlope(bench, damping ? bench->view.w : bench->view.u, &p, damping ? 0.1 : 5e-4 * Spacing(bench), &slope);
    // compared with the slope, so that a product that is left out shows; where both vanish, rounding of the force is
    // what is left
    double size = Largest(bench, &slope);
    Vector force = MakeVector(bench);
    ForceAt(bench, &force);
    double noise = 1e-9 * Largest(bench, &force) / (damping ? 0.1 : Spacing(bench));
    double error = Difference(bench, &product, &slope);
    if (size <= noise)
    {
        error = Largest(bench, &product) <= noise ? 0.0 : 1.0;
    }
    FreeVector(&force);
    FreeVector(&p);
    FreeVector(&product);
    FreeVector(&slope);
    return error;
}

static double Asymmetry(Bench* bench, ProductFunction* matrix, Random* random)
{
    Vector p = MakeVector(bench), q = MakeVector(bench), out = MakeVector(bench);
    Randomize(bench, &p, 1.0, random);
    Randomize(bench, &q, 1.0, random);
    ProductAt(bench, matrix, &q, &out);
    double one = Dot(bench, &p, &out), size = sqrt(Dot(bench, &p, &p) * Dot(bench, &out, &out));
    ProductAt(bench, matrix, &p, &out);
    double error = size > 0.0 ? fabs(one - Dot(bench, &q, &out)) / size : 0.0;
    FreeVector(&p);
    FreeVector(&q);
    FreeVector(&out);
    return error;
}

static double DiagonalError(Bench* bench)
{
    static const int index[3][3] = { { 0, 3, 4 }, { 3, 1, 5 }, { 4, 5, 2 } };
    Vector e = MakeVector(bench), out = MakeVector(bench);
    Block* blocks = calloc((size_t)bench->model->nodeCount, sizeof(Block));
    assert_non_null(blocks);
    Prepare(bench);
    for (int c = 0; c < bench->kernel->chunkCount; ++c)
    {
        const Chunk* chunk = &bench->kernel->chunks[c];
        bench->term->diagonal(bench->kernel, &bench->view, chunk, blocks + chunk->begin);
    }
    double error = 0.0, size = 0.0;
    for (int i = 0; i < bench->model->nodeCount; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            e.at[axis][i] = 1.0;
            ProductAt(bench, bench->term->stiffness, &e, &out);
            e.at[axis][i] = 0.0;
            for (int other = 0; other < 3; ++other)
            {
                double entry = blocks[i][index[axis][other]];
                error = Worse(error, fabs(entry - out.at[other][i]));
                size = Worse(size, fabs(entry));
            }
        }
    }
    free(blocks);
    FreeVector(&e);
    FreeVector(&out);
    return size > 0.0 ? error / size : error;
}

// The power that dampers take is v.Cv, v the velocity in the world, in the axes of the frames.
static double PowerError(Bench* bench)
{
    Vector v = MakeVector(bench), out = MakeVector(bench), force = MakeVector(bench);
    for (int b = 0; b < bench->model->bodyCount; ++b)
    {
        const rslBody* body = &bench->model->bodies[b];
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                v.at[axis][i] = bench->view.w[axis][i] + bench->kernel->frames[b].drift[axis];
            }
        }
    }
    Powers powers = ForceAt(bench, &force);
    ProductAt(bench, bench->term->damping, &v, &out);
    double expected = Dot(bench, &v, &out);
    // below nu = 1/4 dispersion gives back a part of what the springs take
    assert_true(powers.dissipated >= 0.0 || bench->term == &rslDispersionTerm64);
    double error = fabs(powers.dissipated - expected) / (expected != 0.0 ? fabs(expected) : 1.0);
    FreeVector(&v);
    FreeVector(&out);
    FreeVector(&force);
    return error;
}

// ---- tests ----------------------------------------------------------------------------------------------------------------

// The same places, nothing moving: dampers are silent, and forces are those of the energies.
static rslState* Calmed(const rslModel* model, const rslState* from)
{
    rslState* state = StateOf(model, rsl_double);
    rslState_Copy(state, from);
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(state->velocity[axis], 0, (size_t)model->nodeCount * sizeof(double));
    }
    for (int b = 0; b < model->bodyCount; ++b)
    {
        state->frames[b].velocity = (rslVec3){ 0.0, 0.0, 0.0 };
    }
    return state;
}

typedef struct Worst
{
    double force, stiffness, damping, diagonal, symmetry, power;
    int terms;
} Worst;

static void CheckTerm(Bench* bench, uint64_t seed, Worst* worst)
{
    Random random = MakeRandom(1000 + seed);
    Worst w = { 0 };
    const Term* term = bench->term;
    rslState* calm = Calmed(bench->model, bench->state);
    bench->view = rslKernel_View64(bench->kernel, calm, 0.0);
    w.force = term->hasEnergy ? ForceError(bench) : 0.0;
    w.stiffness = ProductError(bench, false, &random);
    rslState_Free(calm);
    bench->view = rslKernel_View64(bench->kernel, bench->state, 0.0);
    w.damping = ProductError(bench, true, &random);
    w.diagonal = term->diagonal != NULL ? DiagonalError(bench) : 0.0;
    w.symmetry = fmax(Asymmetry(bench, term->stiffness, &random), Asymmetry(bench, term->damping, &random));
    w.power = PowerError(bench);
    if (!(w.force <= 1e-6 && w.stiffness <= 1e-6 && w.damping <= 1e-6 && w.diagonal <= 1e-12 && w.symmetry <= 1e-10 &&
          w.power <= 1e-10))
    {
        print_error(
            "%s, %s, seed %d: force %.2g, stiffness %.2g, damping %.2g, diagonal %.2g, symmetry %.2g, power %.2g\n",
            bench->it->name, term->name, (int)seed, w.force, w.stiffness, w.damping, w.diagonal, w.symmetry, w.power);
    }
    worst->force = Worse(worst->force, w.force);
    worst->stiffness = Worse(worst->stiffness, w.stiffness);
    worst->damping = Worse(worst->damping, w.damping);
    worst->diagonal = Worse(worst->diagonal, w.diagonal);
    worst->symmetry = Worse(worst->symmetry, w.symmetry);
    worst->power = Worse(worst->power, w.power);
    worst->terms += 1;
}

static void Differences(void** unused)
{
    (void)unused;
    Worst worst = { 0 };
    for (int c = 0; c < CASES; ++c)
    {
        for (uint64_t seed = 1; seed <= Seeds(); ++seed)
        {
            Bench bench = MakeBench(&cases[c], seed);
            for (const Term* const* term = rslTerms64; *term != NULL; ++term)
            {
                bench.term = *term;
                if (bench.term->present(bench.kernel))
                {
                    CheckTerm(&bench, seed, &worst);
                }
            }
            FreeBench(&bench);
        }
    }
    assert_proved("force of every term against differences of its energy", worst.force, 1e-6);
    assert_proved("stiffness of every term against differences of its force", worst.stiffness, 1e-6);
    assert_proved("damping of every term against differences of its force", worst.damping, 1e-6);
    assert_at_most(worst.diagonal, 1e-12);
    assert_at_most(worst.symmetry, 1e-10);
    assert_at_most(worst.power, 1e-10);
    // lattice 22, network 18, dispersion 5, elements 28, bending 3, links 3, gravity, point damping 2, pressure 2, volumes 5,
    // ground, colliders; of those with repulsion: lattice 2, network 6, repulsion 8; with centroid springs: network 3,
    // centroid 3
    assert_int_equal(worst.terms, (int)Seeds() * (22 + 18 + 5 + 28 + 3 + 3 + 1 + 2 + 2 + 5 + 2 + 16 + 6));
}

// The work rate of drives is the rate of the energy at rest positions.
static void DrivePower(void** unused)
{
    (void)unused;
    for (int c = 0; c < CASES; ++c)
    {
        if (strncmp(cases[c].name, "driven", 6) != 0)
        {
            continue;
        }
        Bench bench = MakeBench(&cases[c], 5);
        Vector force = MakeVector(&bench);
        const Term* terms[] = { &rslLatticeTerm64, &rslNetworkTerm64, &rslDispersionTerm64 };
        for (int t = 0; t < 3; ++t)
        {
            bench.term = terms[t];
            if (!bench.term->present(bench.kernel))
            {
                continue;
            }
            bench.view = rslKernel_View64(bench.kernel, bench.state, 0.0);
            double power = ForceAt(&bench, &force).drives, h = 1e-3, slope = 0.0;
            for (int s = 0; s < 4; ++s)
            {
                bench.view = rslKernel_View64(bench.kernel, bench.state, steps[s] * h);
                slope += weights[s] * EnergyAt(&bench) / h;
            }
            assert_true(fabs(power) > 1.0);
            assert_close(power, slope, 1e-8 * fabs(slope));
        }
        FreeVector(&force);
        FreeBench(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Differences),
        cmocka_unit_test(DrivePower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
