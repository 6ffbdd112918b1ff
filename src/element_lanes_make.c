// SPDX-License-Identifier: MIT
//
// element_lanes_make.c: where the forces of elements are summed up, and batches of elements.
//
// The places of a chunk are those of the nodes that its elements have corners at, in their order: neighbours along a
// row of a lattice lie beside each other, in batches as in sums, so that most are read and written as vectors. They are
// few enough to stay in the cache.

#include "element_lanes.h"

#include "element_wide.h"

#include <limits.h>

enum
{
    LINE = 64 / (int)sizeof(Real),  // numbers in a cache line
    ROW = 3 * WIDTH / 4             // elements of a row that are worth a vector
};

static bool IsPlain(const rslElements* set)
{
    return set->kind == rsl_tetrahedronElements;
}

static bool InBatches(const rslElements* set)
{
    return set->count > 0 && (IsPlain(set) || set->kind == rsl_hexahedronElements || set->kind == rsl_brickElements);
}

// Elements of a chunk come in two parts: cubes that are cut are the second.
static int PartOf(const rslElements* set, const Element* element)
{
    return InBatches(set) && !IsPlain(set) && element->rest[CUT] != (Real)0;
}

// ---- places -------------------------------------------------------------------------------------------------------

// Which chunk has an element.
static void FindOwners(const Kernel* kernel, int* owner)
{
    const ElementKernel* e = kernel->elements;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        for (int o = e->ownedStart[c]; o < e->ownedStart[c + 1]; ++o)
        {
            owner[e->owned[o]] = c;
        }
    }
}

// Walk over the nodes and the chunks that have a place for each; next: the place that every chunk has next. Returns how
// many there are; they are told to e where there is room for them.
static int WalkPlaces(const Kernel* kernel, const int* owner, int* last, int* next)
{
    ElementKernel* e = kernel->elements;
    int count = 0;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        last[c] = -1;
    }
    for (int node = 0; node < kernel->nodeCount; ++node)
    {
        for (int s = e->slotStart[node]; s < e->slotStart[node + 1]; ++s)
        {
            int slot = e->nodeSlots[s], chunk = owner[e->slotOwner[slot]];
            bool fresh = last[chunk] != node;
            last[chunk] = node;
            next[chunk] += fresh;
            if (e->nodePlaces != NULL)
            {
                e->slotPlace[slot] = next[chunk] - 1;
            }
            if (e->nodePlaces != NULL && fresh)
            {
                e->nodePlaces[count] = next[chunk] - 1;
            }
            count += fresh;
        }
        if (e->nodePlaces != NULL)
        {
            e->nodeStart[node + 1] = count;
        }
    }
    return count;
}

// Zeroed numbers from a whole cache line on, with one more to read past the end.
Real* RSL_NAME(rslElements_Places)(Kernel* kernel)
{
    size_t count = (size_t)kernel->elements->placeStart[kernel->chunkCount] + 2 * LINE;
    Real* all = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(Real));
    size_t over = (uintptr_t)all / sizeof(Real) % LINE;
    return all != NULL && over > 0 ? all + (LINE - over) : all;
}

static bool AllocatePlaces(Kernel* kernel, int count, const int* next)
{
    ElementKernel* e = kernel->elements;
    int64_t start = 0;
    e->placeStart = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount + 1, sizeof(int));
    for (int c = 0; e->placeStart != NULL && c < kernel->chunkCount && start <= INT_MAX; ++c)
    {
        // a row may write a vector and one number past its end; the last place is one that nobody reads
        start += next[c] > 0 ? (next[c] + WIDTH + 2 + LINE - 1) / LINE * LINE : 0;
        e->placeStart[c + 1] = (int)start;
    }
    if (e->placeStart == NULL || start > INT_MAX)
    {
        return false;
    }
    e->nodeStart = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->nodeCount + 1, sizeof(int));
    e->slotPlace = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)e->slotStart[kernel->nodeCount], sizeof(int));
    bool made = e->nodeStart != NULL && e->slotPlace != NULL;
    for (int axis = 0; made && axis < 3; ++axis)
    {
        e->sums[axis] = RSL_NAME(rslElements_Places)(kernel);
        made = e->sums[axis] != NULL;
    }
    e->nodePlaces = made ? RSL_NAME(rslKernel_Allocate)(kernel, (size_t)count, sizeof(int)) : NULL;
    return e->nodePlaces != NULL;
}

static bool MakePlaces(Kernel* kernel)
{
    ElementKernel* e = kernel->elements;
    size_t chunks = (size_t)kernel->chunkCount;
    int* owner = rslAllocate(&kernel->arena.hooks, (size_t)e->count + 2 * chunks, sizeof(int));
    bool made = owner != NULL;
    if (made)
    {
        int *last = owner + e->count, *next = last + chunks;
        FindOwners(kernel, owner);
        int count = WalkPlaces(kernel, owner, last, next);
        made = AllocatePlaces(kernel, count, next);
        if (made)
        {
            memcpy(next, e->placeStart, chunks * sizeof(int));
            WalkPlaces(kernel, owner, last, next);
        }
    }
    rslRelease(&kernel->arena.hooks, owner);
    return made;
}

// Does what follows a node go on with its places?
static bool GoesOn(const ElementKernel* e, int node)
{
    int here = e->nodeStart[node], next = e->nodeStart[node + 1], count = next - here;
    bool same = e->nodeStart[node + 2] - next == count;
    for (int p = 0; same && p < count; ++p)
    {
        same = e->nodePlaces[next + p] == e->nodePlaces[here + p] + 1;
    }
    return same;
}

// Spans of all chunks, where there is room for them; returns their number.
static int FindSpans(const Kernel* kernel, int* start, int* spans)
{
    int count = 0;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        const Chunk* chunk = &kernel->chunks[c];
        start[c] = count;
        for (int node = chunk->begin; node < chunk->end; ++node)
        {
            if (node == chunk->begin || !GoesOn(kernel->elements, node - 1))
            {
                if (spans != NULL)
                {
                    spans[count] = node;
                }
                count += 1;
            }
        }
    }
    start[kernel->chunkCount] = count;
    return count;
}

static bool MakeSpans(Kernel* kernel)
{
    ElementKernel* e = kernel->elements;
    e->spanStart = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount + 1, sizeof(int));
    int count = e->spanStart != NULL ? FindSpans(kernel, e->spanStart, NULL) : 0;
    e->spans = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)count + 1, sizeof(int));
    if (e->spanStart == NULL || e->spans == NULL)
    {
        return false;
    }
    FindSpans(kernel, e->spanStart, e->spans);
    e->spans[count] = kernel->nodeCount;
    return true;
}

// ---- batches ------------------------------------------------------------------------------------------------------

// Batches while they are made: first counted, then filled.
typedef struct Maker
{
    const Kernel* kernel;
    Batch* batches;  // NULL: they are counted
    Lanes* numbers;
    size_t batchCount, numberCount;
    Lanes wide[WIDE_NUMBERS], dense[WIDE_MOST];  // of the last batch
    size_t lastWide, lastDense;                  // where these are among all numbers, plus one; 0: nowhere
    size_t denseCount;
    int* elements;  // scratch
} Maker;

// Numbers of one lane.
static void PutLane(const rslElements* set, const Element* element, int lane, Lanes* wide, Lanes* dense)
{
    const Real* rest = element->rest;
    double volume = (double)element->volume;
    wide[WIDE_SHEAR][lane] = (Real)(2.0 * (double)element->mu * volume);
    wide[WIDE_LAMBDA][lane] = (Real)((double)element->lambda * volume);
    wide[WIDE_DAMPING][lane] = element->damping;
    if (IsPlain(set))
    {
        for (int c = 0; c < 9; ++c)
        {
            dense[c][lane] = rest[c];
        }
        return;
    }
    double edge = (double)rest[EDGE], scale = volume * edge * edge * (4.0 / 3.0) / 64.0;
    wide[WIDE_EDGE][lane] = (Real)0.25 * rest[EDGE];
    wide[WIDE_FLOOR][lane] = (Real)(scale * (double)rest[FLOOR]);
    wide[WIDE_LAST][lane] = (Real)(scale * (double)rest[LAST]);
    if (rest[CUT] == (Real)0)
    {
        wide[WIDE_BEND][lane] = (Real)(scale * ((double)rest[BEND] - (double)rest[FLOOR]));
        wide[WIDE_COUPLE][lane] = (Real)(scale * (double)rest[COUPLE]);
        wide[WIDE_TWIST][lane] = (Real)(scale * (double)rest[TWIST]);
        return;
    }
    for (int m = 0; m < MODES; ++m)
    {
        dense[m][lane] = (Real)0.125 * rest[MEAN + m];
    }
    for (int m = 0; m < MODES * MODES; ++m)
    {
        dense[MODES + m][lane] = (Real)(scale * (double)rest[DENSE + m]);
    }
}

// Where these numbers are, plus one: at the place of those of the batch before if they are the same.
static size_t Share(Maker* maker, const Lanes* numbers, size_t count, Lanes* before, size_t at)
{
    bool same = at > 0 && memcmp(numbers, before, count * sizeof(Lanes)) == 0;
    if (same || count == 0)
    {
        return at;
    }
    size_t own = maker->numberCount;
    memcpy(before, numbers, count * sizeof(Lanes));
    if (maker->batches != NULL)
    {
        memcpy(maker->numbers + own, numbers, count * sizeof(Lanes));
    }
    maker->numberCount += count;
    return own + 1;
}

// Are these elements neighbours along a row of a lattice, with as many nodes beyond as a vector has?
static bool IsRow(const Maker* maker, const rslElements* set, const int* elements, int count)
{
    const ElementKernel* e = maker->kernel->elements;
    bool row = !IsPlain(set);
    for (int c = 0; row && c < 8; ++c)
    {
        const int first = e->elements[elements[0]].nodes[c];
        row = first + WIDTH < maker->kernel->nodeCount && e->elements[elements[0]].nodes[c | 1] == first + !(c & 1);
        for (int l = 1; row && l < count; ++l)
        {
            row = e->elements[elements[l]].nodes[c] == first + l;
        }
    }
    return row;
}

// A batch of these elements, of one part of a chunk.
static void AddBatch(Maker* maker, const Chunk* chunk, const int* elements, int count, bool row)
{
    const ElementKernel* e = maker->kernel->elements;
    const rslElements* set = ElementsOf(maker->kernel, chunk->body);
    Lanes wide[WIDE_NUMBERS] = { { 0 } }, dense[WIDE_MOST];
    bool plain = IsPlain(set), cut = PartOf(set, &e->elements[elements[0]]) == 1;
    Batch batch = { .count = count, .plain = plain, .cut = cut, .row = row };
    for (int l = 0; l < WIDTH; ++l)
    {
        batch.element[l] = elements[l < count ? l : count - 1];
        const Element* element = &e->elements[batch.element[l]];
        PutLane(set, element, l, wide, dense);
        batch.damped = batch.damped || element->damping != (Real)0;
        for (int c = 0; c < KindOf(set)->nodeCount; ++c)
        {
            batch.node[c][l] = element->nodes[c];
            batch.place[c][l] = l < count ? e->slotPlace[element->first + c] : e->placeStart[chunk->index + 1] - 1;
        }
    }
    size_t denseCount = plain ? 9 : cut ? (size_t)WIDE_MOST : 0;
    bool alike = denseCount == maker->denseCount;
    maker->denseCount = denseCount;
    maker->lastWide = Share(maker, wide, WIDE_NUMBERS, maker->wide, maker->lastWide);
    maker->lastDense = Share(maker, dense, denseCount, maker->dense, alike ? maker->lastDense : 0);
    if (maker->batches != NULL)
    {
        batch.wide = maker->numbers + maker->lastWide - 1;
        batch.dense = maker->lastDense > 0 ? maker->numbers + maker->lastDense - 1 : NULL;
        maker->batches[maker->batchCount] = batch;
    }
    maker->batchCount += 1;
}

// Batches of the elements of one part of a chunk. Rows that fill most of a vector have one of their own, others are
// mixed.
static void AddPart(Maker* maker, const Chunk* chunk, int* elements, int count)
{
    const rslElements* set = ElementsOf(maker->kernel, chunk->body);
    int mixed[WIDTH], mixedCount = 0;
    for (int i = 0, length; i < count; i += length)
    {
        for (length = WIDTH < count - i ? WIDTH : count - i; length > 1; --length)
        {
            if (IsRow(maker, set, elements + i, length))
            {
                break;
            }
        }
        if (length >= ROW && IsRow(maker, set, elements + i, length))
        {
            AddBatch(maker, chunk, elements + i, length, true);
            continue;
        }
        length = 1;
        mixed[mixedCount++] = elements[i];
        if (mixedCount == WIDTH)
        {
            AddBatch(maker, chunk, mixed, mixedCount, false);
            mixedCount = 0;
        }
    }
    if (mixedCount > 0)
    {
        AddBatch(maker, chunk, mixed, mixedCount, false);
    }
}

static void AddChunk(Maker* maker, const Chunk* chunk)
{
    const ElementKernel* e = maker->kernel->elements;
    const rslElements* set = ElementsOf(maker->kernel, chunk->body);
    for (int part = 0; InBatches(set) && part < 2; ++part)
    {
        int count = 0;
        for (int o = e->ownedStart[chunk->index]; o < e->ownedStart[chunk->index + 1]; ++o)
        {
            if (PartOf(set, &e->elements[e->owned[o]]) == part)
            {
                maker->elements[count++] = e->owned[o];
            }
        }
        AddPart(maker, chunk, maker->elements, count);
    }
}

static void AddChunks(Maker* maker)
{
    const Kernel* kernel = maker->kernel;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        kernel->elements->batchStart[c] = (int)maker->batchCount;
        AddChunk(maker, &kernel->chunks[c]);
    }
    kernel->elements->batchStart[kernel->chunkCount] = (int)maker->batchCount;
}

static bool MakeBatches(Kernel* kernel)
{
    ElementKernel* e = kernel->elements;
    Maker counted = { .kernel = kernel }, filled = { .kernel = kernel };
    e->batchStart = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount + 1, sizeof(int));
    counted.elements = filled.elements = rslAllocate(&kernel->arena.hooks, (size_t)e->count, sizeof(int));
    bool made = e->batchStart != NULL && counted.elements != NULL;
    if (made)
    {
        AddChunks(&counted);
        filled.numbers = RSL_NAME(rslKernel_Allocate)(kernel, counted.numberCount + 1, sizeof(Lanes));
        filled.batches = RSL_NAME(rslKernel_Allocate)(kernel, counted.batchCount + 1, sizeof(Batch));
        made = filled.numbers != NULL && filled.batches != NULL;
    }
    if (made)
    {
        AddChunks(&filled);
        e->batches = filled.batches;
    }
    rslRelease(&kernel->arena.hooks, counted.elements);
    return made;
}

bool RSL_NAME(rslElements_MakeLanes)(Kernel* kernel)
{
    return MakePlaces(kernel) && MakeSpans(kernel) && MakeBatches(kernel);
}
