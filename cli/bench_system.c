// SPDX-License-Identifier: MIT
//
// bench_system.c: the linear system of the first Newton step of a static scene, for others to solve. A solver is given a direct solver
// (rslDirect) that writes down what it gets, and then stopped. The lower triangle comes by columns, three a node: its own block, then
// the blocks of the nodes after it; the file (bench/system_file.h) has all blocks by rows.

#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What a direct solver has nowhere else to put.
typedef struct Capture
{
    int nodes;
    const int *columnStart, *row;
    const double* values;
    const double* places;  // x y z of nodes
    const char* path;
    bool asked, written;
} Capture;

static Capture* capture;

// ---- blocks -----------------------------------------------------------------------------------------------------------

// Nodes after node i that it is joined to.
static int OthersOf(const Capture* c, int i)
{
    return (c->columnStart[3 * i + 1] - c->columnStart[3 * i] - 3) / 3;
}

static int OtherAt(const Capture* c, int i, int k)
{
    return c->row[c->columnStart[3 * i] + 3 + 3 * k] / 3;
}

// K_ij of the k-th of them by rows, or its transpose.
static void GetBlock(const Capture* c, int i, int k, bool transposed, double out[9])
{
    for (int r = 0; r < 3; ++r)
    {
        const double* line = c->values + c->columnStart[3 * i + r] + (3 - r) + 3 * k;
        for (int q = 0; q < 3; ++q)
        {
            out[transposed ? 3 * q + r : 3 * r + q] = line[q];
        }
    }
}

static void GetDiagonal(const Capture* c, int i, double out[9])
{
    for (int q = 0; q < 3; ++q)
    {
        for (int r = q; r < 3; ++r)
        {
            out[3 * r + q] = out[3 * q + r] = c->values[c->columnStart[3 * i + q] + r - q];
        }
    }
}

// ---- the file -----------------------------------------------------------------------------------------------------------

// Which blocks of which nodes before it belong to a row.
typedef struct Before
{
    int64_t* start;
    int *node, *at;
} Before;

static void ReleaseBefore(Before* before)
{
    free(before->start);
    free(before->node);
    free(before->at);
}

static bool FindBefore(const Capture* c, Before* before)
{
    size_t count = (size_t)c->nodes;
    int64_t* next = calloc(count + 1, sizeof(int64_t));
    before->start = calloc(count + 1, sizeof(int64_t));
    bool good = next != NULL && before->start != NULL;
    for (int i = 0; i < c->nodes && good; ++i)
    {
        for (int k = 0; k < OthersOf(c, i); ++k)
        {
            before->start[OtherAt(c, i, k) + 1] += 1;
        }
    }
    for (size_t i = 0; i < count && good; ++i)
    {
        before->start[i + 1] += before->start[i];
        next[i + 1] = before->start[i + 1];
    }
    size_t blocks = good ? (size_t)before->start[count] + 1 : 1;
    before->node = calloc(blocks, sizeof(int));
    before->at = calloc(blocks, sizeof(int));
    good = good && before->node != NULL && before->at != NULL;
    for (int i = 0; i < c->nodes && good; ++i)
    {
        for (int k = 0; k < OthersOf(c, i); ++k)
        {
            int64_t at = next[OtherAt(c, i, k)]++;
            before->node[at] = i;
            before->at[at] = k;
        }
    }
    free(next);
    return good;
}

static bool PutColumns(const Capture* c, const Before* before, int i, FILE* file)
{
    bool good = true;
    for (int64_t e = before->start[i]; e < before->start[i + 1] && good; ++e)
    {
        good = fwrite(&(int32_t){ before->node[e] }, sizeof(int32_t), 1, file) == 1;
    }
    good = good && fwrite(&(int32_t){ i }, sizeof(int32_t), 1, file) == 1;
    for (int k = 0; k < OthersOf(c, i) && good; ++k)
    {
        good = fwrite(&(int32_t){ OtherAt(c, i, k) }, sizeof(int32_t), 1, file) == 1;
    }
    return good;
}

static bool PutBlocks(const Capture* c, const Before* before, int i, FILE* file)
{
    double block[9];
    bool good = true;
    for (int64_t e = before->start[i]; e < before->start[i + 1] && good; ++e)
    {
        GetBlock(c, before->node[e], before->at[e], true, block);
        good = fwrite(block, sizeof block, 1, file) == 1;
    }
    GetDiagonal(c, i, block);
    good = good && fwrite(block, sizeof block, 1, file) == 1;
    for (int k = 0; k < OthersOf(c, i) && good; ++k)
    {
        GetBlock(c, i, k, false, block);
        good = fwrite(block, sizeof block, 1, file) == 1;
    }
    return good;
}

static bool PutRows(const Capture* c, const Before* before, FILE* file)
{
    int64_t at = 0, blocks = 2 * before->start[c->nodes] + c->nodes, counts[2] = { c->nodes, blocks };
    bool good = fwrite(counts, sizeof counts, 1, file) == 1 && fwrite(&at, sizeof at, 1, file) == 1;
    for (int i = 0; i < c->nodes && good; ++i)
    {
        at += before->start[i + 1] - before->start[i] + 1 + OthersOf(c, i);
        good = fwrite(&at, sizeof at, 1, file) == 1;
    }
    for (int i = 0; i < c->nodes && good; ++i)
    {
        good = PutColumns(c, before, i, file);
    }
    for (int i = 0; i < c->nodes && good; ++i)
    {
        good = PutBlocks(c, before, i, file);
    }
    return good;
}

static bool WriteSystem(const Capture* c, const double* right)
{
    Before before = { 0 };
    size_t size = 3 * (size_t)c->nodes;
    FILE* file = fopen(c->path, "wb");
    bool good = file != NULL && FindBefore(c, &before) && PutRows(c, &before, file) &&
                fwrite(c->places, sizeof(double), size, file) == size &&
                fwrite(right, sizeof(double), size, file) == size;
    ReleaseBefore(&before);
    return file != NULL && fclose(file) == 0 && good;
}

// ---- a direct solver that writes it down --------------------------------------------------------------------------------

static void* Create(int size, const int* columnStart, const int* row)
{
    capture->nodes = size / 3;
    capture->columnStart = columnStart;
    capture->row = row;
    return capture;
}

static bool Factor(void* solver, const double* values)
{
    ((Capture*)solver)->values = values;
    return true;
}

static bool Solve(void* solver, const double* b, double* x)
{
    Capture* c = solver;
    c->written = c->asked ? c->written : WriteSystem(c, b);
    c->asked = true;
    memcpy(x, b, 3 * sizeof(double) * (size_t)c->nodes);
    return true;
}

static void Destroy(void* solver)
{
    (void)solver;
}

static bool Stop(void* user)
{
    return ((const Capture*)user)->asked;
}

static bool WriteFirst(const char* path, const rslModel* model, rslSolverDef def, cliMemory* memory, double* places)
{
    static const rslDirect writer = { "writer", Create, Factor, Solve, Destroy };
    Capture own = { .path = path, .places = places };
    rslHooks hooks = cliMemory_Hooks(memory);
    rslSolver* solver = NULL;
    rslState* state = NULL;
    capture = &own;
    def.solver = rsl_cholmodSolver;
    def.direct = &writer;
    def.stop = Stop;
    def.stopUser = &own;
    if (rslState_Create(model, rsl_double, &hooks, &state) == rsl_ok &&
        rslSolver_Create(model, &def, &hooks, &solver, NULL) == rsl_ok)
    {
        rslState_Positions(model, state, 0, model->nodeCount, places);
        rslSolver_Step(solver, state, 1);
    }
    rslSolver_Free(solver);
    rslState_Free(state);
    return own.written;
}

bool cliSystem_Make(cliSystem* system, const rslModel* model, const rslSolverDef* def, cliMemory* memory)
{
    const char* folder = getenv("TMPDIR");
    *system = (cliSystem){ .nodes = model->nodeCount, .tolerance = def->tolerance, .memory = memory };
    snprintf(system->folder, sizeof system->folder, "%s/resilin-bench-XXXXXX",
             folder != NULL && folder[0] != 0 ? folder : "/tmp");
    system->motion = cliMemory_Take(memory, 3 * (size_t)model->nodeCount, sizeof(double));
    if (mkdtemp(system->folder) == NULL)
    {
        system->folder[0] = 0;
        return false;
    }
    // the room for our solution holds the places meanwhile
    return system->motion != NULL &&
           WriteFirst(cliPath_Join(system->folder, "system").text, model, *def, memory, system->motion);
}

void cliSystem_Free(cliSystem* system)
{
    static const char* const files[] = { "system", "log", "motion" };
    for (size_t i = 0; i < sizeof files / sizeof files[0] && system->folder[0] != 0; ++i)
    {
        unlink(cliPath_Join(system->folder, "%s", files[i]).text);
    }
    if (system->folder[0] != 0)
    {
        rmdir(system->folder);
    }
    if (system->motion != NULL)
    {
        cliMemory_Release(system->memory, system->motion);
    }
    *system = (cliSystem){ .nodes = 0 };
}
