// SPDX-License-Identifier: MIT
//
// Any bytes may be a checkpoint. Each input is tried as it is, then with what would stop it early put right: version,
// fingerprint and the hash at the end. One that loads is saved again, which gives the same bytes, and takes a few steps.

#include "core_scenes.h"
#include "hash.h"

#include <stdlib.h>
#include <string.h>

enum
{
    VERSION = 16,  // where they are in a checkpoint
    FINGERPRINT = 48,
    HASH = 8  // bytes at the end
};

static void Check(bool right)
{
    if (!right)
    {
        abort();
    }
}

// Time drives everything in this one: sines, ramps, motion.
static const rslModel* Model(void)
{
    static rslModel* model;
    if (model == NULL)
    {
        Check(CoreMuscle(1.0, NULL, &model, NULL) == rsl_ok);
    }
    return model;
}

static rslSolver* Solver(rslPrecision precision)
{
    static rslSolver* solvers[2];
    rslSolver** solver = &solvers[precision == rsl_double];
    if (*solver == NULL)
    {
        rslSolverDef def = rslDefaultSolverDef();
        def.precision = precision;
        def.threads = 1;
        def.auditInterval = 2;
        Check(rslSolver_Create(Model(), &def, NULL, solver, NULL) == rsl_ok);
    }
    return *solver;
}

static void Try(const uint8_t* data, size_t size, rslPrecision precision)
{
    rslState* state = NULL;
    rslReport report = { 0 };
    rslStatus status = rslState_Load(Model(), precision, data, size, NULL, &state, &report);
    Check((status == rsl_ok) == (state != NULL) && (status == rsl_ok) == (report.errors == 0));
    if (state == NULL)
    {
        return;
    }
    void* bytes = malloc(size);
    Check(bytes != NULL && rslState_Save(state, bytes, size) == size);
    // the bytes that nobody reads: after the version, and reserved
    Check(memcmp((const char*)bytes + FINGERPRINT, data + FINGERPRINT, size - FINGERPRINT - HASH) == 0);
    free(bytes);
    (void)rslState_Hash(state);
    (void)rslSolver_Step(Solver(precision), state, 3);
    (void)rslSolver_Energy(Solver(precision), state);
    rslState_Free(state);
}

static void PutRight(uint8_t* bytes, size_t size)
{
    memset(bytes + VERSION, 0, 16);
    memcpy(bytes + VERSION, rslVersion(), strlen(rslVersion()));
    memcpy(bytes + FINGERPRINT, &Model()->fingerprint, sizeof(uint64_t));
    uint64_t hash = RSL_HASH_START;
    for (size_t i = 0; i < size - HASH; i += 8)
    {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - HASH - i < 8 ? size - HASH - i : 8);
        hash = rslHash_Word(hash, word);
    }
    memcpy(bytes + size - HASH, &hash, sizeof hash);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    Try(data, size, rsl_single);
    Try(data, size, rsl_double);
    if (size >= FINGERPRINT + sizeof(uint64_t) + HASH)
    {
        uint8_t* copy = malloc(size);
        Check(copy != NULL);
        memcpy(copy, data, size);
        PutRight(copy, size);
        Try(copy, size, rsl_single);
        Try(copy, size, rsl_double);
        free(copy);
    }
    return 0;
}
