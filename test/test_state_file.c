// SPDX-License-Identifier: MIT
//
// test_state_file.c: states that are refused because they are not what they should be: other scenes, broken bytes, values out of range.

#include "state_fixture.h"

// ---- refusing -----------------------------------------------------------------------------------------------------------

static void Refuses(const rslModel* model, rslPrecision precision, const void* bytes, size_t size, rslStatus status,
                    const char* part)
{
    rslState* state = (rslState*)&state;
    rslReport report = { 0 };
    // a copy of exactly this size, so that a read beyond it is seen
    unsigned char* copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    rslStatus found = rslState_Load(model, precision, copy, size, NULL, &state, &report);
    free(copy);
    assert_null(state);
    assert_int_equal(report.errors, 1);
    if (status != rsl_ok)
    {
        assert_int_equal(found, status);
    }
    assert_int_not_equal(found, rsl_ok);
    if (part != NULL && strstr(report.messages[0].text, part) == NULL)
    {
        print_error("expected '%s', found '%s'\n", part, report.messages[0].text);
        fail();
    }
}

// Put the hash at the end right again.
static void Rehash(unsigned char* bytes, size_t size)
{
    uint64_t hash = RSL_HASH_START;
    for (size_t i = 0; i < size - 8; i += 8)
    {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - 8 - i < 8 ? size - 8 - i : 8);
        hash = rslHash_Word(hash, word);
    }
    memcpy(bytes + size - 8, &hash, 8);
}

static void RefusesOthers(void** unused)
{
    (void)unused;
    rslModel* model = SpringModel(100.0);
    rslModel* other = SpringModel(100.1);
    for (int p = 0; p < 2; ++p)
    {
        rslPrecision precision = precisions[p];
        rslState* state = StateOf(model, precision);
        size_t size;
        unsigned char* bytes = Saved(state, &size);
        Refuses(other, precision, bytes, size, rsl_mismatch, "the scene was changed");
        Refuses(model, precisions[1 - p], bytes, size, rsl_mismatch,
                p == 0 ? "--precision single" : "--precision double");
        struct
        {
            size_t at;
            const char* value;
            size_t length;
            rslStatus status;
            const char* part;
        } changes[] = {
            { 0, "rslstate", 8, rsl_badInput, "does not begin with" },
            { 8, "\7", 1, rsl_mismatch, "format" },
            { 12, "\1\2\3\4", 4, rsl_mismatch, "byte order" },
            { 16, "9.8.7\0", 6, rsl_mismatch, "version 9.8.7" },
            { 16, "0123456789abcdef", 16, rsl_mismatch, "format" },
            { 32, "\5", 1, rsl_badInput, "cut off" },
            { 36, "\3", 1, rsl_badInput, "cut off" },
            { 36, "\377\377\377\377", 4, rsl_badInput, "cut off" },
            { 40, "\377\377\377\377", 4, rsl_badInput, "cut off" },
            { 48, "\1", 1, rsl_badInput, "cut off" },
            { 52, "\1", 1, rsl_badInput, "cut off" },
            { 56, "x", 1, rsl_mismatch, "the scene was changed" },
        };
        for (size_t c = 0; c < sizeof changes / sizeof *changes; ++c)
        {
            unsigned char* changed = malloc(size);
            assert_non_null(changed);
            memcpy(changed, bytes, size);
            memcpy(changed + changes[c].at, changes[c].value, changes[c].length);
            Rehash(changed, size);
            Refuses(model, precision, changed, size, changes[c].status, changes[c].part);
            free(changed);
        }
        free(bytes);
        rslState_Free(state);
    }
    rslModel_Free(other);
    rslModel_Free(model);
}

// A state that remembers touches, ascending in their keys.
static rslState* Touched(const rslModel* model, int count)
{
    rslState* state = StateOf(model, rsl_double);
    assert_int_equal(rslState_Reserve(state, count), rsl_ok);
    for (int t = 0; t < count; ++t)
    {
        rslTouched* touched = &state->touched[t];
        *touched = (rslTouched){ .key = { 0, (uint32_t)t / 3, 7, (uint32_t)t % 3 } };
        for (int i = 0; i < 3; ++i)
        {
            touched->kept[i] = 0.1 * t + i;
            touched->impulse[i] = -0.2 * t + i;
            touched->point[i] = t * i;
            touched->normal[i] = i == 2 ? 1.0 : 0.0;
        }
    }
    state->touchedCount = count;
    return state;
}

static void RemembersTouches(void** unused)
{
    (void)unused;
    rslModel* model = SpringModel(100.0);
    rslState *state = Touched(model, 100), *copy = StateOf(model, rsl_double), *loaded;
    assert_int_equal(rslState_Copy(copy, state), rsl_ok);
    assert_int_equal(copy->touchedCount, 100);
    assert_memory_equal(copy->touched, state->touched, 100 * sizeof(rslTouched));
    assert_true(rslState_Hash(copy) == rslState_Hash(state));
    copy->touched[57].kept[1] += 1e-15;
    assert_false(rslState_Hash(copy) == rslState_Hash(state));
    size_t size;
    unsigned char* bytes = Saved(state, &size);
    assert_int_equal(rslState_Load(model, rsl_double, bytes, size, NULL, &loaded, NULL), rsl_ok);
    assert_memory_equal(loaded->touched, state->touched, 100 * sizeof(rslTouched));
    free(bytes);
    state->touched[31].point[2] = NAN;
    bytes = Saved(state, &size);
    Refuses(model, rsl_double, bytes, size, rsl_badInput, "touches");
    free(bytes);
    state->touched[31] = state->touched[30];
    bytes = Saved(state, &size);
    Refuses(model, rsl_double, bytes, size, rsl_badInput, "touches");
    free(bytes);
    rslState_Free(loaded);
    rslState_Free(copy);
    rslState_Free(state);
    rslModel_Free(model);
}

static void RefusesDamaged(void** unused)
{
    (void)unused;
    rslModel* model = SpringModel(100.0);
    for (int p = 0; p < 2; ++p)
    {
        rslState* state = StateOf(model, precisions[p]);
        rslSolver* solver = SolverFor(model, precisions[p], rsl_positionVerlet);
        assert_int_equal(rslSolver_Step(solver, state, 5), rsl_ok);
        size_t size;
        unsigned char* bytes = Saved(state, &size);
        unsigned char* longer = calloc(1, size + 16);
        assert_non_null(longer);
        memcpy(longer, bytes, size);
        for (size_t cut = 0; cut < size; ++cut)
        {
            Refuses(model, precisions[p], bytes, cut, rsl_badInput, NULL);
        }
        for (size_t more = 1; more <= 16; ++more)
        {
            Refuses(model, precisions[p], longer, size + more, rsl_badInput, "appended");
        }
        for (size_t bit = 0; bit < 8 * size; ++bit)
        {
            bytes[bit / 8] = (unsigned char)(bytes[bit / 8] ^ (1u << bit % 8));
            Refuses(model, precisions[p], bytes, size, rsl_ok, NULL);
            bytes[bit / 8] = (unsigned char)(bytes[bit / 8] ^ (1u << bit % 8));
        }
        Random random = MakeRandom(3);
        for (int n = 0; n < 2000; ++n)
        {
            unsigned char garbage[400];
            size_t length = (size_t)(NextBits(&random) % sizeof garbage);
            for (size_t i = 0; i < length; ++i)
            {
                garbage[i] = (unsigned char)NextBits(&random);
            }
            if (n % 2 == 0 && length >= 8)
            {
                memcpy(garbage, "RSLSTATE", 8);
            }
            Refuses(model, precisions[p], garbage, length, rsl_ok, NULL);
        }
        free(longer);
        free(bytes);
        rslSolver_Free(solver);
        rslState_Free(state);
    }
    rslModel_Free(model);
}

// What a step would stumble over is refused even with a hash that fits.
static void RefusesNonsense(void** unused)
{
    (void)unused;
    rslModel* model = SpringModel(100.0);
    rslState* state = StateOf(model, rsl_double);
    state->step = 1e-3;
    size_t size;
    const double wrong[] = { -1.0, NAN, INFINITY };
    for (int w = 0; w < 3; ++w)
    {
        state->step = wrong[w];
        unsigned char* bytes = Saved(state, &size);
        Refuses(model, rsl_double, bytes, size, rsl_badInput, "step");
        free(bytes);
    }
    state->step = 1e-3;
    state->frames[0].rotation = (rslQuat){ 0.0, 0.0, 0.0, 0.0 };
    unsigned char* bytes = Saved(state, &size);
    Refuses(model, rsl_double, bytes, size, rsl_badInput, "rotation");
    free(bytes);
    state->frames[0].rotation = (rslQuat){ 1.0, 0.0, 0.0, 0.0 };
    const rslGuardTally tallies[] = { { .smallest = NAN },
                                      { .smallest = 1.0, .wary = UINT64_MAX },
                                      { .smallest = 1.0, .wary = 1, .level = 64 },
                                      { .smallest = 1.0, .last = -1.0 },
                                      { .smallest = 1.0, .last = NAN },
                                      { .smallest = 1.0, .last = 1.0 } };
    for (int t = 0; t < 6; ++t)
    {
        state->guard = tallies[t];
        bytes = Saved(state, &size);
        Refuses(model, rsl_double, bytes, size, rsl_badInput, "divided steps");
        free(bytes);
    }
    rslState_Free(state);
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RefusesOthers),
        cmocka_unit_test(RefusesDamaged),
        cmocka_unit_test(RefusesNonsense),
        cmocka_unit_test(RemembersTouches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
