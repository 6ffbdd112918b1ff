// SPDX-License-Identifier: MIT
//
// support.h: what the tests of the core share: numbers drawn from a fixed generator, comparison of doubles, and the
// lines of the table of proofs. Scenes are made with build_fixture.h.

#pragma once

#include "build_fixture.h"

// ---- numbers that look random, the same everywhere ------------------------------------------------------------------

typedef struct Random
{
    uint64_t bits;
} Random;

static inline Random MakeRandom(uint64_t seed)
{
    return (Random){ seed * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull };
}

// splitmix64 (Steele, Lea, Flood 2014)
static inline uint64_t NextBits(Random* random)
{
    uint64_t z = random->bits += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// In [low, high).
static inline double NextBetween(Random* random, double low, double high)
{
    return low + (high - low) * ((double)(NextBits(random) >> 11) * 0x1p-53);
}

static inline rslVec3 NextVec3(Random* random, double size)
{
    double x = NextBetween(random, -size, size), y = NextBetween(random, -size, size);
    return (rslVec3){ x, y, NextBetween(random, -size, size) };
}

// ---- comparison ---------------------------------------------------------------------------------------------------

// |a - b| <= tolerance, with the figures when it is not so. NaN is never close.
#define assert_close(a, b, tolerance) AssertClose((a), (b), (tolerance), #a " and " #b, __FILE__, __LINE__)
// a <= b, likewise
#define assert_at_most(a, b) AssertAtMost((a), (b), #a " at most " #b, __FILE__, __LINE__)

static inline void AssertClose(double a, double b, double tolerance, const char* what, const char* file, int line)
{
    if (!(fabs(a - b) <= tolerance))
    {
        print_error("%s: %.17g and %.17g differ by %.3g, allowed is %.3g\n", what, a, b, fabs(a - b), tolerance);
        _fail(file, line);
    }
}

static inline void AssertAtMost(double a, double b, const char* what, const char* file, int line)
{
    if (!(a <= b))
    {
        print_error("%s: %.6g is more than %.6g\n", what, a, b);
        _fail(file, line);
    }
}

// ---- the full form of a bar -----------------------------------------------------------------------------------------

static inline bool Proving(void)
{
    const char* value = getenv("RSL_PROVE");
    return value != NULL && strcmp(value, "1") == 0;
}

// The larger of an error and another one. What is not a number is worse than any, which fmax would pass over.
static inline double Worse(double worst, double error)
{
    return isnan(worst) || error <= worst ? worst : error;
}

// One row of the table: what, measured, at most the bar. Printed in the full form only; checked always.
#define assert_proved(what, measured, bar) AssertProved((what), (measured), (bar), __FILE__, __LINE__)

static inline void AssertProved(const char* what, double measured, double bar, const char* file, int line)
{
    bool passed = measured <= bar;
    if (Proving())
    {
        printf("prove: %s | %.3g | at most %.3g | %s\n", what, measured, bar, passed ? "pass" : "FAIL");
        fflush(stdout);
    }
    if (!passed)
    {
        print_error("%s: %.6g, the bar is %.6g\n", what, measured, bar);
        _fail(file, line);
    }
}

// ---- runs -----------------------------------------------------------------------------------------------------------

static inline rslState* StateOf(const rslModel* model, rslPrecision precision)
{
    rslState* state = NULL;
    assert_int_equal(rslState_Create(model, precision, NULL, &state), rsl_ok);
    return state;
}

static inline rslSolver* SolverOf(const rslModel* model, const rslSolverDef* def)
{
    rslSolver* solver = NULL;
    rslReport report = { 0 };
    rslStatus status = rslSolver_Create(model, def, NULL, &solver, &report);
    if (status != rsl_ok)
    {
        PrintReport(&report);
    }
    assert_int_equal(status, rsl_ok);
    return solver;
}
