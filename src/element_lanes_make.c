// SPDX-License-Identifier: MIT
//
// element_lanes_make.c: where the forces of elements are put, and batches of them.
//
// The slots of a chunk are corner by corner, and within a corner element by element: a batch writes whole vectors, and along a row of a lattice
// the slots of a node follow those of the one before, so that nodes sum them up in vectors too. Corners lie an odd number of cache
// lines apart, so that a batch does not write all of them to the same place of the cache.

#include "element_lanes.h"

#include "element_wide.h"

#include <limits.h>

enum
{
    LINE = 64 / (int)sizeof(Real)  // numbers in a cache line
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

// ---- places ---------------------------------------------------------------------------------------------------------

// Places of a chunk from one on; returns the end.
static int64_t PlaceChunk(const Kernel* kernel, const Chunk* chunk, int64_t start)
{
    ElementKernel* e = kernel->elements;
    const rslElements* set = ElementsOf(kernel, chunk->body);
    int first = e->ownedStart[chunk->index], end = e->ownedStart[chunk->index + 1], count = 0;
    for (int part = 0; part < 2; ++part)
    {
        count = (count + WIDTH - 1) / WIDTH * WIDTH;
        for (int o = first; o < end; ++o)
        {
            Element* element = &e->elements[e->owned[o]];
            if (PartOf(set, element) == part)
            {
                element->place = (int)start + count++;
            }
        }
    }
    int apart = LINE * (((count + LINE - 1) / LINE) | 1);
    for (int o = first; o < end; ++o)
    {
        e->elements[e->owned[o]].apart = apart;
    }
    int64_t next = start + (first < end ? (int64_t)KindOf(set)->nodeCount * apart : 0);
    return next < INT_MAX ? next : INT_MAX;
}

// Numbers from a whole cache line on.
Real* RSL_NAME(rslElements_Slots)(Kernel* kernel)
{
    Real* all = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->elements->placeCount + LINE, sizeof(Real));
    size_t over = (uintptr_t)all / sizeof(Real) % LINE;
    return all != NULL && over > 0 ? all + (LINE - over) : all;
}

static bool MakePlaces(Kernel* kernel)
{
    ElementKernel* e = kernel->elements;
    int slots = e->slotStart[kernel->nodeCount];
    int64_t next = 0;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        next = PlaceChunk(kernel, &kernel->chunks[c], next);
    }
    e->placeCount = (int)next;
    e->places = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)slots, sizeof(int));
    bool made = next < INT_MAX && e->places != NULL;
    for (int axis = 0; made && axis < 3; ++axis)
    {
        e->slots[axis] = RSL_NAME(rslElements_Slots)(kernel);
        made = e->slots[axis] != NULL;
    }
    for (int s = 0; made && s < slots; ++s)
    {
        const Element* element = &e->elements[e->slotOwner[e->nodeSlots[s]]];
        e->places[s] = element->place + element->apart * (e->nodeSlots[s] - element->first);
    }
    return made;
}

// Does what follows a node go on with its slots?
static bool GoesOn(const ElementKernel* e, int node)
{
    int here = e->slotStart[node], next = e->slotStart[node + 1], count = next - here;
    bool same = e->slotStart[node + 2] - next == count;
    for (int s = 0; same && s < count; ++s)
    {
        same = e->places[next + s] == e->places[here + s] + 1;
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

// ---- batches --------------------------------------------------------------------------------------------------------

// Batches while they are made: first counted, then filled.
typedef struct Maker
{
    const Kernel* kernel;
    Batch* batches;  // NULL: they are counted
    Lanes* numbers;
    size_t batchCount, numberCount;
    Lanes wide[WIDE_NUMBERS], dense[WIDE_MOST];  // of the last batch
    const Lanes *lastWide, *lastDense;
    size_t denseCount;
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

// These numbers, those of the batch before if they are the same.
static const Lanes* Share(Maker* maker, const Lanes* numbers, size_t count, Lanes* before, const Lanes* at)
{
    bool same = at != NULL && memcmp(numbers, before, count * sizeof(Lanes)) == 0;
    if (same || count == 0)
    {
        return at;
    }
    Lanes* own = maker->numbers + maker->numberCount;
    memcpy(before, numbers, count * sizeof(Lanes));
    if (maker->batches != NULL)
    {
        memcpy(own, numbers, count * sizeof(Lanes));
    }
    maker->numberCount += count;
    return own;
}

// A batch of these elements, of one part of a chunk.
static void AddBatch(Maker* maker, const rslElements* set, const int* elements, int count)
{
    const ElementKernel* e = maker->kernel->elements;
    const Element* first = &e->elements[elements[0]];
    Lanes wide[WIDE_NUMBERS] = { { 0 } }, dense[WIDE_MOST];
    bool plain = IsPlain(set), cut = PartOf(set, first) == 1;
    Batch batch = { .count = count, .place = first->place, .apart = first->apart, .plain = plain, .cut = cut };
    batch.row = true;
    for (int l = 0; l < WIDTH; ++l)
    {
        batch.element[l] = elements[l < count ? l : count - 1];
        const Element* element = &e->elements[batch.element[l]];
        PutLane(set, element, l, wide, dense);
        batch.damped = batch.damped || element->damping != (Real)0;
        for (int c = 0; c < KindOf(set)->nodeCount; ++c)
        {
            batch.node[c][l] = element->nodes[c];
            batch.row = batch.row && (l == 0 || batch.node[c][l] == batch.node[c][l - 1] + 1);
        }
    }
    size_t denseCount = plain ? 9 : cut ? (size_t)WIDE_MOST : 0;
    bool alike = denseCount == maker->denseCount;
    maker->denseCount = denseCount;
    batch.wide = maker->lastWide = Share(maker, wide, WIDE_NUMBERS, maker->wide, maker->lastWide);
    batch.dense = maker->lastDense = Share(maker, dense, denseCount, maker->dense, alike ? maker->lastDense : NULL);
    if (maker->batches != NULL)
    {
        maker->batches[maker->batchCount] = batch;
    }
    maker->batchCount += 1;
}

static void AddChunk(Maker* maker, const Chunk* chunk)
{
    const ElementKernel* e = maker->kernel->elements;
    const rslElements* set = ElementsOf(maker->kernel, chunk->body);
    for (int part = 0; InBatches(set) && part < 2; ++part)
    {
        int elements[WIDTH], count = 0;
        for (int o = e->ownedStart[chunk->index]; o < e->ownedStart[chunk->index + 1]; ++o)
        {
            if (PartOf(set, &e->elements[e->owned[o]]) == part)
            {
                elements[count++] = e->owned[o];
            }
            if (count == WIDTH)
            {
                AddBatch(maker, set, elements, count);
                count = 0;
            }
        }
        if (count > 0)
        {
            AddBatch(maker, set, elements, count);
        }
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
    if (e->batchStart == NULL)
    {
        return false;
    }
    AddChunks(&counted);
    filled.numbers = RSL_NAME(rslKernel_Allocate)(kernel, counted.numberCount + 1, sizeof(Lanes));
    filled.batches = RSL_NAME(rslKernel_Allocate)(kernel, counted.batchCount + 1, sizeof(Batch));
    if (filled.numbers == NULL || filled.batches == NULL)
    {
        return false;
    }
    AddChunks(&filled);
    e->batches = filled.batches;
    return true;
}

bool RSL_NAME(rslElements_MakeLanes)(Kernel* kernel)
{
    return MakePlaces(kernel) && MakeSpans(kernel) && MakeBatches(kernel);
}
