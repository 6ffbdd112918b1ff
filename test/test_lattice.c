// SPDX-License-Identifier: MIT
//
// Lattices: counts, weights, masses, energies against the continuum.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lattice.h"
#include "elementary.h"
#include "vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- fixtures -------------------------------------------------------------------------------------------------------

static uint64_t Random(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return *seed >> 33;
}

// In [-1, 1].
static double RandomNumber(uint64_t* seed)
{
    return (double)Random(seed) / 1073741824.0 - 1.0;
}

typedef struct Fixture
{
    rslArena arena;
    rslLattice lattice;
    int nodeCount;
} Fixture;

// All cells full; change weights, then call Finish.
static Fixture StartShells(const double stiffness[3], rslConstruction construction, int nx, int ny, int nz,
                           double spacing)
{
    Fixture f = { .arena = rslArena_Make(NULL) };
    f.lattice = (rslLattice){ .construction = construction, .spacing = spacing, .cells = { nx, ny, nz } };
    double* weight = rslArena_Allocate(&f.arena, (size_t)nx * (size_t)ny * (size_t)nz, sizeof(double));
    for (int i = 0; i < nx * ny * nz; ++i)
    {
        weight[i] = 1.0;
    }
    f.lattice.weight = f.lattice.stiff = weight;
    for (int d = 0; d < RSL_LATTICE_BONDS; ++d)
    {
        f.lattice.stiffness[d] = stiffness[rslLattice_Shell(d)];
    }
    return f;
}

static const double shellsAB[3] = { 7.0, 7.0, 0.0 }, shellsAC[3] = { 14.0, 0.0, 5.25 };

static Fixture Start(rslConstruction construction, int nx, int ny, int nz, double spacing)
{
    return StartShells(shellsAB, construction, nx, ny, nz, spacing);
}

static void Finish(Fixture* f)
{
    f->nodeCount = rslLattice_MakeRows(&f->lattice, &f->arena);
    assert_true(f->nodeCount >= 0);
}

static bool Count(const rslSpring* spring, void* context)
{
    assert_true(spring->a < spring->b);
    ++*(int*)context;
    return true;
}

static int SpringCount(const Fixture* f)
{
    int count = 0;
    rslLattice_VisitSprings(&f->lattice, 0, 0.0, Count, &count);
    return count;
}

// A random mask with weights in (0, 1], about a third of the cells empty.
static void Mask(Fixture* f, uint64_t* seed, bool fractions)
{
    double* weight = (double*)(uintptr_t)f->lattice.weight;
    int cells = f->lattice.cells[0] * f->lattice.cells[1] * f->lattice.cells[2];
    for (int c = 0; c < cells; ++c)
    {
        double full = fractions ? 0.1 + 0.45 * (RandomNumber(seed) + 1.0) : 1.0;
        weight[c] = Random(seed) % 3 == 0 ? 0.0 : full;
    }
}

// ---- counts ---------------------------------------------------------------------------------------------------------

// Kot: a 4 x 1 x 1 beam.
static void CentredCounts(void** state)
{
    (void)state;
    Fixture coarse = Start(rsl_centredLattice, 8, 2, 2, 0.5);
    Fixture fine = Start(rsl_centredLattice, 16, 4, 4, 0.25);
    Finish(&coarse);
    Finish(&fine);
    assert_int_equal(coarse.nodeCount, 32);
    assert_int_equal(SpringCount(&coarse), 132);
    assert_int_equal(fine.nodeCount, 256);
    assert_int_equal(SpringCount(&fine), 1632);
    rslArena_Free(&coarse.arena);
    rslArena_Free(&fine.arena);
}

// n^3 cells: 3 n (n + 1)^2 edges and 6 n^2 (n + 1) face diagonals.
static void CornerCounts(void** state)
{
    (void)state;
    for (int n = 1; n <= 5; ++n)
    {
        Fixture f = Start(rsl_cornerLattice, n, n, n, 1.0);
        Finish(&f);
        assert_int_equal(f.nodeCount, (n + 1) * (n + 1) * (n + 1));
        assert_int_equal(SpringCount(&f), 3 * n * (n + 1) * (n + 1) + 6 * n * n * (n + 1));
        rslArena_Free(&f.arena);
    }
}

static void Directions(void** state)
{
    (void)state;
    for (int d = 0; d < RSL_LATTICE_HALF; ++d)
    {
        const int *there = rslLatticeDirections[d], *back = rslLatticeDirections[d + RSL_LATTICE_HALF];
        assert_true(there[0] + 10 * there[1] + 100 * there[2] > 0);
        int squared = there[0] * there[0] + there[1] * there[1] + there[2] * there[2];
        assert_int_equal(squared, rslLattice_Shell(d) + 1);
        for (int axis = 0; axis < 3; ++axis)
        {
            assert_int_equal(back[axis], -there[axis]);
        }
    }
}

// ---- against brute force --------------------------------------------------------------------------------------------

enum
{
    SIDE = 8,  // nodes along an axis in the brute-force tables
    ALL = SIDE * SIDE * SIDE
};

static int Key(int i, int j, int k)
{
    return i + SIDE * (j + SIDE * k);
}

// Superpose cubes one by one: springs as a full matrix, masses as a table.
static void Superpose(const rslLattice* lattice, double (*spring)[ALL], double* mass)
{
    const double shells[3] = { lattice->stiffness[0], lattice->stiffness[RSL_LATTICE_FACE],
                               lattice->stiffness[RSL_LATTICE_BODY] };
    for (int c = 0; c < lattice->cells[0] * lattice->cells[1] * lattice->cells[2]; ++c)
    {
        int i = c % lattice->cells[0], j = c / lattice->cells[0] % lattice->cells[1];
        int k = c / (lattice->cells[0] * lattice->cells[1]);
        double w = lattice->weight[c];
        for (int p = 0; p < 8 && w > 0.0; ++p)
        {
            int a = Key(i + (p & 1), j + (p >> 1 & 1), k + (p >> 2));
            mass[a] += w / 8.0;
            for (int q = p + 1; q < 8; ++q)
            {
                int b = Key(i + (q & 1), j + (q >> 1 & 1), k + (q >> 2));
                int steps = ((p ^ q) & 1) + ((p ^ q) >> 1 & 1) + ((p ^ q) >> 2);
                spring[a < b ? a : b][a < b ? b : a] += w * shells[steps - 1] /
                                                        (steps == 1   ? 4.0
                                                         : steps == 2 ? 2.0
                                                                      : 1.0);
            }
        }
    }
}

// Every pair of cells that are one to three steps apart.
static void PairCells(const rslLattice* lattice, double (*spring)[ALL], double* mass)
{
    const int* n = lattice->cells;
    for (int a = 0; a < n[0] * n[1] * n[2]; ++a)
    {
        int i = a % n[0], j = a / n[0] % n[1], k = a / (n[0] * n[1]);
        mass[Key(i, j, k)] = lattice->weight[a];
        for (int b = a + 1; b < n[0] * n[1] * n[2]; ++b)
        {
            int x = b % n[0], y = b / n[0] % n[1], z = b / (n[0] * n[1]);
            int squared = (x - i) * (x - i) + (y - j) * (y - j) + (z - k) * (z - k);
            bool near = abs(x - i) <= 1 && abs(y - j) <= 1 && abs(z - k) <= 1;
            if (near && lattice->weight[a] > 0.0 && lattice->weight[b] > 0.0)
            {
                static const int first[3] = { 0, RSL_LATTICE_FACE, RSL_LATTICE_BODY };
                double constant = lattice->stiffness[first[squared - 1]];
                spring[Key(i, j, k)][Key(x, y, z)] = constant * (lattice->weight[a] + lattice->weight[b]) / 2.0;
            }
        }
    }
}

typedef struct Compare
{
    double (*spring)[ALL];
    const int* keyOf;
    const Fixture* fixture;
    int count;
} Compare;

static bool CompareSpring(const rslSpring* spring, void* context)
{
    Compare* compare = context;
    int a = compare->keyOf[spring->a], b = compare->keyOf[spring->b];
    double expected = compare->spring[a][b];
    assert_true(a < b);
    assert_true(expected > 0.0 && fabs(spring->stiffness - expected) <= 1e-14 * expected);
    assert_true(spring->damping == 0.5 * spring->stiffness);
    double xa[3], xb[3];
    rslLattice_Rest(&compare->fixture->lattice, spring->a, spring->a + 1, xa);
    rslLattice_Rest(&compare->fixture->lattice, spring->b, spring->b + 1, xb);
    double length = rslLength((rslVec3){ xb[0] - xa[0], xb[1] - xa[1], xb[2] - xa[2] });
    assert_true(fabs(length - spring->restLength) < 1e-14);
    compare->spring[a][b] = 0.0;
    ++compare->count;
    return true;
}

// Enumeration, node table, masses and both ends of every bond against the brute-force tables.
static void CheckAgainstTables(Fixture* f)
{
    double(*spring)[ALL] = calloc(ALL, sizeof *spring);
    double* mass = calloc(ALL, sizeof(double));
    double* built = calloc((size_t)f->nodeCount, sizeof(double));
    int* keyOf = calloc((size_t)f->nodeCount, sizeof(int));
    (f->lattice.construction == rsl_cornerLattice ? Superpose : PairCells)(&f->lattice, spring, mass);
    int next = 0;
    for (int k = 0; k < f->lattice.extent[2]; ++k)
    {
        for (int j = 0; j < f->lattice.extent[1]; ++j)
        {
            for (int i = 0; i < f->lattice.extent[0]; ++i)
            {
                bool exists = mass[Key(i, j, k)] > 0.0;
                assert_int_equal(rslLattice_Node(&f->lattice, i, j, k), exists ? next : -1);
                if (exists)
                {
                    keyOf[next++] = Key(i, j, k);
                }
                for (int d = 0; exists && d < RSL_LATTICE_HALF; ++d)
                {
                    const int* s = rslLatticeDirections[d];
                    double there = rslLattice_Stiffness(&f->lattice, i, j, k, d);
                    double back = rslLattice_Stiffness(&f->lattice, i + s[0], j + s[1], k + s[2], d + RSL_LATTICE_HALF);
                    assert_true(there == back);
                }
            }
        }
    }
    assert_int_equal(next, f->nodeCount);
    assert_int_equal(rslLattice_Node(&f->lattice, -1, 0, 0), -1);
    assert_int_equal(rslLattice_Node(&f->lattice, 0, f->lattice.extent[1], 0), -1);
    rslLattice_Spread(&f->lattice, f->lattice.weight, 1.0, built);
    for (int n = 0; n < f->nodeCount; ++n)
    {
        assert_true(fabs(built[n] - mass[keyOf[n]]) < 1e-14);
    }
    Compare compare = { .spring = spring, .keyOf = keyOf, .fixture = f };
    rslLattice_VisitSprings(&f->lattice, 0, 0.5, CompareSpring, &compare);
    for (int a = 0; a < ALL; ++a)
    {
        for (int b = 0; b < ALL; ++b)
        {
            assert_true(spring[a][b] == 0.0);
        }
    }
    free(spring);
    free(mass);
    free(built);
    free(keyOf);
}

static void RandomMasks(void** state)
{
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 40; ++trial)
    {
        rslConstruction construction = trial % 2 ? rsl_cornerLattice : rsl_centredLattice;
        int n[3] = { 1 + (int)(Random(&seed) % 7), 1 + (int)(Random(&seed) % 6), 1 + (int)(Random(&seed) % 5) };
        Fixture f = StartShells(trial % 8 < 4 ? shellsAB : shellsAC, construction, n[0], n[1], n[2], 0.3);
        f.lattice.origin = (rslVec3){ 1.0, -2.0, 0.5 };
        Mask(&f, &seed, trial % 4 >= 2);
        Finish(&f);
        if (f.nodeCount > 0)
        {
            CheckAgainstTables(&f);
        }
        rslArena_Free(&f.arena);
    }
}

// Rest positions of any range of nodes are those of the whole.
static void RestOfRanges(void** state)
{
    (void)state;
    uint64_t seed = 5;
    Fixture f = Start(rsl_cornerLattice, 6, 5, 4, 0.1);
    Mask(&f, &seed, false);
    Finish(&f);
    double* all = calloc((size_t)f.nodeCount, 3 * sizeof(double));
    double* some = calloc((size_t)f.nodeCount, 3 * sizeof(double));
    rslLattice_Rest(&f.lattice, 0, f.nodeCount, all);
    for (int trial = 0; trial < 200; ++trial)
    {
        int begin = (int)(Random(&seed) % (uint64_t)f.nodeCount);
        int end = begin + 1 + (int)(Random(&seed) % (uint64_t)(f.nodeCount - begin));
        rslLattice_Rest(&f.lattice, begin, end, some);
        assert_memory_equal(some, all + 3 * begin, (size_t)(end - begin) * 3 * sizeof(double));
    }
    free(all);
    free(some);
    rslArena_Free(&f.arena);
}

// ---- against the continuum ------------------------------------------------------------------------------------------

typedef struct Patch
{
    const Fixture* fixture;
    double strain[3][3];
    double energy;
} Patch;

// 1/2 k (n . eps n L)^2 of a small strain
static bool AddEnergy(const rslSpring* spring, void* context)
{
    Patch* patch = context;
    double a[3], b[3], d[3], elongation = 0.0;
    rslLattice_Rest(&patch->fixture->lattice, spring->a, spring->a + 1, a);
    rslLattice_Rest(&patch->fixture->lattice, spring->b, spring->b + 1, b);
    for (int i = 0; i < 3; ++i)
    {
        d[i] = b[i] - a[i];
    }
    for (int i = 0; i < 9; ++i)
    {
        elongation += d[i / 3] * patch->strain[i / 3][i % 3] * d[i % 3] / spring->restLength;
    }
    patch->energy += 0.5 * spring->stiffness * elongation * elongation;
    return true;
}

// w = lam/2 tr(eps)^2 + mu eps:eps with lam = mu = k / a holds for every strain, in every orientation, and for every
// union of cells: each cell alone has it. Zener's ratio is 1 with it.
static void PatchEnergy(void** state)
{
    (void)state;
    uint64_t seed = 9;
    for (int trial = 0; trial < 30; ++trial)
    {
        double a = 0.2 + 0.1 * trial, cells = 0.0, trace, squares = 0.0;
        Fixture f = StartShells(trial % 3 > 0 ? shellsAB : shellsAC, rsl_cornerLattice, 4, 3, 5, a);
        if (trial > 0)
        {
            Mask(&f, &seed, trial % 2 == 0);
        }
        Finish(&f);
        for (int c = 0; c < 60; ++c)
        {
            cells += f.lattice.weight[c];
        }
        Patch patch = { .fixture = &f };
        // a random symmetric strain in world axes, turned into those of the lattice
        double world[3][3];
        rslVec3 axis = { RandomNumber(&seed), RandomNumber(&seed), RandomNumber(&seed) };
        rslMat3 turn = rslQuatMatrix(rslQuatFromDegrees(axis, 180.0 * RandomNumber(&seed)));
        for (int i = 0; i < 9; ++i)
        {
            world[i / 3][i % 3] = i / 3 <= i % 3 ? RandomNumber(&seed) : world[i % 3][i / 3];
        }
        trace = world[0][0] + world[1][1] + world[2][2];
        for (int i = 0; i < 9; ++i)
        {
            const double* r[3] = { &turn.row[0].x, &turn.row[1].x, &turn.row[2].x };
            squares += world[i / 3][i % 3] * world[i / 3][i % 3];
            for (int m = 0; m < 9; ++m)
            {
                patch.strain[i / 3][i % 3] += r[m / 3][i / 3] * world[m / 3][m % 3] * r[m % 3][i % 3];
            }
        }
        rslLattice_VisitSprings(&f.lattice, 0, 0.0, AddEnergy, &patch);
        double modulus = 7.0 / a, volume = cells * a * a * a;
        double expected = volume * (0.5 * modulus * trace * trace + modulus * squares);
        assert_true(fabs(patch.energy - expected) <= 1e-12 * expected);
        rslArena_Free(&f.arena);
    }
}

static void TotalMass(void** state)
{
    (void)state;
    uint64_t seed = 21;
    for (int trial = 0; trial < 10; ++trial)
    {
        Fixture f = Start(trial % 2 ? rsl_cornerLattice : rsl_centredLattice, 5, 6, 4, 0.1);
        Mask(&f, &seed, true);
        Finish(&f);
        double* mass = calloc((size_t)f.nodeCount, sizeof(double));
        double total = 0.0, expected = 0.0;
        rslLattice_Spread(&f.lattice, f.lattice.weight, 0.25, mass);
        for (int n = 0; n < f.nodeCount; ++n)
        {
            total += mass[n];
        }
        for (int c = 0; c < 120; ++c)
        {
            expected += 0.25 * f.lattice.weight[c];
        }
        assert_true(fabs(total - expected) < 1e-12);
        free(mass);
        rslArena_Free(&f.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CentredCounts), cmocka_unit_test(CornerCounts), cmocka_unit_test(Directions),
        cmocka_unit_test(RandomMasks),   cmocka_unit_test(RestOfRanges), cmocka_unit_test(PatchEnergy),
        cmocka_unit_test(TotalMass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
