// SPDX-License-Identifier: MIT
//
// kernel_lattice.c: cut all nodes into chunks, and the nodes of lattices into runs that whole vector blocks can take.
//
// Nodes of a lattice are numbered along its rows, so that neighbour s of consecutive nodes lies at a constant offset, in
// a box even from row to row. A run has one offset a direction. Its constants are a pattern of DIRECTIONS x LANES numbers:
// where LANES or more nodes in a row are alike, all lanes are the same and the pattern serves every block of the run;
// elsewhere a run is one block, and a node that lacks a bond has 0 in its lane. Patterns repeat, so each is kept once.

#include "kernel.h"

#include "hash.h"

#include <string.h>

// The bonds of one node.
typedef struct Bonds
{
    int offset[DIRECTIONS];  // to the other node; 0 when there is none
    Real stiffness[DIRECTIONS];
    Real ratio[DIRECTIONS];  // damper over spring constant; general bodies only
} Bonds;

static Bonds MakeBonds(const rslBody* body, bool general, const rslLatticeRow* row, int step)
{
    const rslLattice* lattice = &body->lattice;
    int i = row->i + step, local = row->first + step;
    Bonds bonds = { 0 };
    for (int s = 0; s < DIRECTIONS; ++s)
    {
        Real stiffness = (Real)rslLattice_Stiffness(lattice, i, row->j, row->k, s);
        if (stiffness != (Real)0)
        {
            const int* d = rslLatticeDirections[s];
            bonds.stiffness[s] = stiffness;
            double ratio = rslLattice_DampingRatio(lattice, i, row->j, row->k, s, body->stiffnessDamping);
            bonds.ratio[s] = general ? (Real)ratio : (Real)0;
            bonds.offset[s] = rslLattice_Node(lattice, i + d[0], row->j + d[1], row->k + d[2]) - local;
        }
    }
    return bonds;
}

static bool SameBonds(const Bonds* a, const Bonds* b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

// ---- patterns -------------------------------------------------------------------------------------------------------

typedef struct Builder
{
    Kernel* kernel;
    const rslHooks* hooks;
    Run* runs;
    size_t runCount, runCapacity;
    Pattern* patterns;
    size_t patternCount, patternCapacity;
    int* slots;  // pattern index + 1 by hash; 0 is free
    size_t slotCount;
} Builder;

static size_t SlotOf(const Builder* builder, const Pattern* pattern)
{
    uint64_t hash = RSL_HASH_START;
    for (int s = 0; s < DIRECTIONS; ++s)
    {
        for (int i = 0; i < LANES; ++i)
        {
            hash = rslHash_Double(hash, (double)pattern->of[s][i]);
        }
    }
    size_t slot = hash & (builder->slotCount - 1);
    while (builder->slots[slot] != 0 &&
           memcmp(&builder->patterns[builder->slots[slot] - 1], pattern, sizeof *pattern) != 0)
    {
        slot = (slot + 1) & (builder->slotCount - 1);
    }
    return slot;
}

// At most half of the slots are taken.
static bool GrowSlots(Builder* builder)
{
    if (2 * (builder->patternCount + 1) <= builder->slotCount)
    {
        return true;
    }
    rslRelease(builder->hooks, builder->slots);
    builder->slotCount = builder->slotCount > 0 ? 2 * builder->slotCount : 64;
    builder->slots = rslAllocate(builder->hooks, builder->slotCount, sizeof(int));
    for (size_t p = 0; builder->slots != NULL && p < builder->patternCount; ++p)
    {
        builder->slots[SlotOf(builder, &builder->patterns[p])] = (int)p + 1;
    }
    return builder->slots != NULL;
}

// Index of the pattern, kept once; -1 when out of memory.
static int KeepPattern(Builder* builder, const Pattern* pattern)
{
    if (!GrowSlots(builder))
    {
        return -1;
    }
    size_t slot = SlotOf(builder, pattern);
    if (builder->slots[slot] == 0)
    {
        if (!rslGrow(builder->hooks, (void**)&builder->patterns, builder->patternCount, &builder->patternCapacity,
                     sizeof(Pattern)))
        {
            return -1;
        }
        builder->patterns[builder->patternCount++] = *pattern;
        builder->slots[slot] = (int)builder->patternCount;
    }
    return builder->slots[slot] - 1;
}

// ---- runs -----------------------------------------------------------------------------------------------------------

// Can a node at place `lane` join a run that starts at node `begin`? Takes over the offsets it brings along.
static bool Join(Run* run, const Bonds* bonds)
{
    for (int s = 0; s < DIRECTIONS; ++s)
    {
        bool mine = bonds->stiffness[s] != (Real)0, known = (run->present >> s & 1u) != 0;
        // the first lane reads at begin + offset, bond or not
        if (mine && (known ? run->offset[s] != bonds->offset[s] : run->begin + bonds->offset[s] < 0))
        {
            return false;
        }
    }
    for (int s = 0; s < DIRECTIONS; ++s)
    {
        if (bonds->stiffness[s] != (Real)0)
        {
            run->offset[s] = bonds->offset[s];
            run->present |= 1u << s;
        }
    }
    return true;
}

static void FillLane(Pattern patterns[2], int lane, const Bonds* bonds)
{
    for (int s = 0; s < DIRECTIONS; ++s)
    {
        patterns[0].of[s][lane] = bonds->stiffness[s];
        patterns[1].of[s][lane] = bonds->ratio[s];
    }
}

// The longest run that starts at bonds[0], out of count nodes; patterns of stiffness and of ratios.
static Run MakeRun(int begin, const Bonds* bonds, int count, Pattern patterns[2])
{
    Run run = { .begin = begin };
    int alike = 1;
    while (alike < count && SameBonds(&bonds[0], &bonds[alike]))
    {
        alike += 1;
    }
    memset(patterns, 0, 2 * sizeof *patterns);
    if (alike >= LANES)
    {
        Join(&run, &bonds[0]);
        for (int lane = 0; lane < LANES; ++lane)
        {
            FillLane(patterns, lane, &bonds[0]);
        }
        run.count = alike - alike % LANES;
        return run;
    }
    while (run.count < LANES && run.count < count && Join(&run, &bonds[run.count]))
    {
        FillLane(patterns, run.count, &bonds[run.count]);
        run.count += 1;
    }
    return run;
}

// Runs of the nodes of one chunk.
static bool AppendRuns(Builder* builder, Chunk* chunk, const Bonds* bonds)
{
    bool general = builder->kernel->bodies[chunk->body].general;
    chunk->runBegin = (int)builder->runCount;
    for (int node = chunk->begin; node < chunk->end;)
    {
        Pattern patterns[2];
        Run run = MakeRun(node, &bonds[node - chunk->begin], chunk->end - node, patterns);
        run.pattern = KeepPattern(builder, &patterns[0]);
        run.ratios = general && run.pattern >= 0 ? KeepPattern(builder, &patterns[1]) : 0;
        if (run.pattern < 0 || run.ratios < 0 ||
            !rslGrow(builder->hooks, (void**)&builder->runs, builder->runCount, &builder->runCapacity, sizeof(Run)))
        {
            return false;
        }
        builder->runs[builder->runCount++] = run;
        node += run.count;
    }
    chunk->runEnd = (int)builder->runCount;
    return true;
}

static bool MakeRuns(Builder* builder, int bodyIndex, Chunk* chunk)
{
    const rslBody* body = &builder->kernel->model->bodies[bodyIndex];
    bool general = builder->kernel->bodies[bodyIndex].general;
    Bonds* bonds = rslAllocate(builder->hooks, CHUNK, sizeof(Bonds));
    bool made = bonds != NULL;
    for (int r = 0; made && r < body->lattice.rowCount; ++r)
    {
        const rslLatticeRow* row = &body->lattice.rows[r];
        for (int step = 0; made && step < row->count; ++step)
        {
            int node = body->firstNode + row->first + step;
            bonds[node - chunk->begin] = MakeBonds(body, general, row, step);
            if (node + 1 == chunk->end)
            {
                made = AppendRuns(builder, chunk, bonds);
                chunk += 1;
            }
        }
    }
    rslRelease(builder->hooks, bonds);
    return made;
}

// ---- chunks ---------------------------------------------------------------------------------------------------------

static bool MakeChunks(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        kernel->chunkCount += (model->bodies[b].nodeCount + CHUNK - 1) / CHUNK;
    }
    kernel->chunks = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount, sizeof(Chunk));
    int index = 0;
    for (int b = 0; kernel->chunks != NULL && b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        for (int begin = 0; begin < body->nodeCount; begin += CHUNK, ++index)
        {
            int count = body->nodeCount - begin < CHUNK ? body->nodeCount - begin : CHUNK;
            Chunk* chunk = &kernel->chunks[index];
            *chunk = (Chunk){ .index = index, .body = b, .begin = body->firstNode + begin };
            chunk->end = chunk->begin + count;
        }
    }
    return kernel->chunks != NULL;
}

static bool KeepRuns(Kernel* kernel, const Builder* builder)
{
    kernel->runs = RSL_NAME(rslKernel_Allocate)(kernel, builder->runCount, sizeof(Run));
    kernel->patterns = RSL_NAME(rslKernel_Allocate)(kernel, builder->patternCount, sizeof(Pattern));
    if (kernel->runs == NULL || kernel->patterns == NULL)
    {
        return false;
    }
    if (builder->runCount > 0)
    {
        memcpy(kernel->runs, builder->runs, builder->runCount * sizeof(Run));
        memcpy(kernel->patterns, builder->patterns, builder->patternCount * sizeof(Pattern));
    }
    kernel->runCount = (int)builder->runCount;
    return true;
}

bool RSL_NAME(rslKernel_MakeChunks)(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    Builder builder = { .kernel = kernel, .hooks = &kernel->arena.hooks };
    bool made = MakeChunks(kernel);
    for (int b = 0, chunk = 0; made && b < model->bodyCount; ++b)
    {
        bool springs = model->bodies[b].kind == rsl_latticeBody && model->bodies[b].elements.count == 0 &&
                       model->bodies[b].model != rsl_rigidModel;
        made = !springs || MakeRuns(&builder, b, &kernel->chunks[chunk]);
        chunk += (model->bodies[b].nodeCount + CHUNK - 1) / CHUNK;
    }
    made = made && KeepRuns(kernel, &builder);
    rslRelease(builder.hooks, builder.runs);
    rslRelease(builder.hooks, builder.patterns);
    rslRelease(builder.hooks, builder.slots);
    return made;
}
