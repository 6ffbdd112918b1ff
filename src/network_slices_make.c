// SPDX-License-Identifier: MIT
//
// network_slices_make.c: slots, rows and constants of the slices of network bodies.

#include "network_slices.h"

#include "band_order.h"
#include "spring_law.h"

#include <stdlib.h>
#include <string.h>

enum
{
    LINE = 64  // bytes; records do not lie across two
};

typedef struct Maker
{
    Kernel* kernel;
    const rslHooks* hooks;
    const rslBody* body;
    SliceBody* out;
    const int* start;      // of the entries of every node of the body
    const Entry* entries;  // of all bodies
    int* order;            // node of the body in every slot
    int* slotOf;           // node of the body
    int index;             // of the body
    int kinds;             // different constants; more than the palette has room for: PALETTE + 1
    bool lengths;          // the length is one of them
    Real palette[PALETTE][3];
    int widest;  // slots from the first to the last one that a slice sees
} Maker;

void* RSL_NAME(rslSlices_Allocate)(Kernel* kernel, size_t count, size_t size)
{
    char* memory = RSL_NAME(rslKernel_Allocate)(kernel, count * size + LINE, 1);
    return memory != NULL ? memory + (LINE - (uintptr_t)memory % LINE) % LINE : NULL;
}

static int Degree(const Maker* m, int node)
{
    return m->start[node + 1] - m->start[node];
}

// ---- slots ----------------------------------------------------------------------------------------------------------

// Are ends of springs farther apart in the list of nodes than in a good order? There, they are a layer of a solid apart or less, the two
// thirds power of its nodes.
static bool IsScattered(const Maker* m)
{
    double sum = 0.0;
    int first = m->body->firstNode, count = m->body->nodeCount, springs = m->start[count] - m->start[0];
    for (int i = 0; i < count; ++i)
    {
        for (int e = m->start[i]; e < m->start[i + 1]; ++e)
        {
            sum += abs(m->entries[e].other - first - i);
        }
    }
    double mean = sum / springs;
    return mean * mean * mean > 8.0 * (double)count * (double)count;
}

static bool MakeBandOrder(const Maker* m)
{
    int count = m->body->nodeCount, from = m->start[0], springs = m->start[count] - from;
    int* start = rslAllocate(m->hooks, (size_t)count + 1, sizeof(int));
    int* other = rslAllocate(m->hooks, (size_t)springs, sizeof(int));
    bool made = start != NULL && other != NULL;
    for (int i = 0; made && i <= count; ++i)
    {
        start[i] = m->start[i] - from;
    }
    for (int e = 0; made && e < springs; ++e)
    {
        other[e] = m->entries[from + e].other - m->body->firstNode;
    }
    made = made && rslBandOrder_Make(count, start, other, m->hooks, m->order);
    rslRelease(m->hooks, start);
    rslRelease(m->hooks, other);
    return made;
}

// Those with many springs first; equal ones keep their order.
static void SortWindow(const Maker* m, int* order, int count)
{
    int sorted[WINDOW], most = 0;
    for (int i = 0; i < count; ++i)
    {
        most = Degree(m, order[i]) > most ? Degree(m, order[i]) : most;
    }
    for (int at = 0, next; at < count; most = next)
    {
        next = -1;
        for (int i = 0; i < count; ++i)
        {
            int degree = Degree(m, order[i]);
            if (degree == most)
            {
                sorted[at++] = order[i];
            }
            next = degree < most && degree > next ? degree : next;
        }
    }
    memcpy(order, sorted, (size_t)count * sizeof(int));
}

static bool MakeSlots(Maker* m)
{
    int count = m->body->nodeCount;
    for (int i = 0; i < count; ++i)
    {
        m->order[i] = i;
    }
    if (IsScattered(m) && !MakeBandOrder(m))
    {
        return false;
    }
    for (int i = 0; i < count; i += WINDOW)
    {
        SortWindow(m, m->order + i, count - i < WINDOW ? count - i : WINDOW);
    }
    for (int slot = 0; slot < SLICE * m->out->slices; ++slot)
    {
        m->out->nodes[slot] = slot < count ? m->body->firstNode + m->order[slot] : -1;
        if (slot < count)
        {
            m->slotOf[m->order[slot]] = slot;
        }
    }
    return true;
}

// Slots that a slice sees, from the first to the last one: [base, base + span).
static void FindSpans(Maker* m)
{
    SliceBody* out = m->out;
    int count = m->body->nodeCount;
    for (int slice = 0; slice < out->slices; ++slice)
    {
        int first = SLICE * slice, last = first + SLICE - 1;
        for (int slot = SLICE * slice; slot < SLICE * slice + SLICE && slot < count; ++slot)
        {
            for (int e = m->start[m->order[slot]]; e < m->start[m->order[slot] + 1]; ++e)
            {
                int other = m->slotOf[m->entries[e].other - m->body->firstNode];
                first = other < first ? other : first;
                last = other > last ? other : last;
            }
        }
        out->base[slice] = first;
        m->widest = last - first + 1 > m->widest ? last - first + 1 : m->widest;
    }
}

// ---- constants ------------------------------------------------------------------------------------------------------

static bool IsOfKind(const Maker* m, const Entry* entry, int kind)
{
    const Real* of = m->palette[kind];
    return of[0] == entry->stiffness && of[1] == entry->damping && (!m->lengths || of[2] == entry->inverse);
}

// Its place in the palette, or where it would come next; near: where to look first.
static int FindKind(const Maker* m, const Entry* entry, int near)
{
    int count = m->kinds < PALETTE ? m->kinds : PALETTE, at = 0;
    if (near < count && IsOfKind(m, entry, near))
    {
        return near;
    }
    while (at < count && !IsOfKind(m, entry, at))
    {
        ++at;
    }
    return at;
}

static void MakePalette(Maker* m, bool lengths)
{
    m->lengths = lengths;
    m->kinds = 0;
    for (int e = m->start[0], at = 0; e < m->start[m->body->nodeCount] && m->kinds <= PALETTE; ++e)
    {
        const Entry* entry = &m->entries[e];
        at = FindKind(m, entry, at);
        if (at == m->kinds && m->kinds++ < PALETTE)
        {
            m->palette[at][0] = entry->stiffness;
            m->palette[at][1] = entry->damping;
            m->palette[at][2] = entry->inverse;
        }
    }
}

// A law that is not linear, preload and springs that lead far are rare: their constants are not looked up.
static void Classify(Maker* m)
{
    SliceBody* out = m->out;
    out->carrier = LawCarrierShare(m->body->network.law);
    out->general = out->carrier != (Real)0 || m->widest > UINT16_MAX;
    for (int e = m->start[0]; e < m->start[m->body->nodeCount]; ++e)
    {
        out->general = out->general || m->entries[e].preload != (Real)0;
        out->damped = out->damped || m->entries[e].damping != (Real)0;
    }
    MakePalette(m, true);
    if (m->kinds > PALETTE)
    {
        MakePalette(m, false);
    }
    out->kept = out->general || m->kinds > PALETTE ? rsl_manyConstants
                : m->lengths                       ? rsl_fewSprings
                : m->kinds > 1                     ? rsl_fewConstants
                                                   : rsl_oneConstant;
}

static bool MakeConstants(Maker* m, size_t springs)
{
    SliceBody* out = m->out;
    bool many = out->kept == rsl_manyConstants, few = out->kept == rsl_fewSprings || out->kept == rsl_fewConstants;
    size_t count = many ? springs : PALETTE, lengths = out->kept == rsl_fewSprings ? PALETTE : springs;
    out->inverse = RSL_NAME(rslSlices_Allocate)(m->kernel, lengths, sizeof(Real));
    out->stiffness = RSL_NAME(rslSlices_Allocate)(m->kernel, count, sizeof(Real));
    out->damping = out->damped ? RSL_NAME(rslSlices_Allocate)(m->kernel, count, sizeof(Real)) : NULL;
    out->preload = out->general ? RSL_NAME(rslSlices_Allocate)(m->kernel, springs, sizeof(Real)) : NULL;
    out->kind = few ? RSL_NAME(rslSlices_Allocate)(m->kernel, springs, sizeof(uint8_t)) : NULL;
    bool made = out->inverse != NULL && out->stiffness != NULL && (out->damping != NULL || !out->damped) &&
                (out->preload != NULL || !out->general) && (out->kind != NULL || !few);
    for (int p = 0; made && !many && p < m->kinds; ++p)
    {
        out->stiffness[p] = m->palette[p][0];
        if (out->damped)
        {
            out->damping[p] = m->palette[p][1];
        }
        if (out->kept == rsl_fewSprings)
        {
            out->inverse[p] = m->palette[p][2];
        }
    }
    return made;
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static void CountRows(const Maker* m)
{
    SliceBody* out = m->out;
    for (int slice = 0; slice < out->slices; ++slice)
    {
        int most = 0;
        for (int slot = SLICE * slice; slot < SLICE * slice + SLICE && slot < m->body->nodeCount; ++slot)
        {
            most = Degree(m, m->order[slot]) > most ? Degree(m, m->order[slot]) : most;
        }
        out->rowStart[slice + 1] = out->rowStart[slice] + most;
    }
}

static void FillOther(const Maker* m, size_t at, int slice, int slot)
{
    if (m->out->near != NULL)
    {
        m->out->near[at] = (uint16_t)(slot - m->out->base[slice]);
    }
    else
    {
        m->out->far[at] = slot - m->out->base[slice];
    }
}

static void FillSpring(const Maker* m, size_t at, const Entry* entry, int* near)
{
    SliceBody* out = m->out;
    bool many = out->kept == rsl_manyConstants;
    if (out->kind != NULL)
    {
        *near = FindKind(m, entry, *near);
        out->kind[at] = (uint8_t)*near;
    }
    if (out->kept != rsl_fewSprings)
    {
        out->inverse[at] = entry->inverse;
    }
    if (many)
    {
        out->stiffness[at] = entry->stiffness;
    }
    if (many && out->damped)
    {
        out->damping[at] = entry->damping;
    }
    if (out->general)
    {
        out->preload[at] = entry->preload / entry->restLength;
    }
}

static void FillSlot(const Maker* m, int slot, int* near)
{
    SliceBody* out = m->out;
    int slice = slot / SLICE, node = slot < m->body->nodeCount ? m->order[slot] : -1;
    int begin = node >= 0 ? m->start[node] : 0, count = node >= 0 ? Degree(m, node) : 0;
    for (int row = out->rowStart[slice], n = 0; row < out->rowStart[slice + 1]; ++row, ++n)
    {
        size_t at = SLICE * (size_t)row + (size_t)(slot % SLICE);
        const Entry* entry = n < count ? &m->entries[begin + n] : NULL;
        FillOther(m, at, slice, entry != NULL ? m->slotOf[entry->other - m->body->firstNode] : slot);
        if (entry != NULL)
        {
            FillSpring(m, at, entry, near);
        }
        else if (out->kept != rsl_fewSprings)
        {
            out->inverse[at] = 1;
        }
    }
    int rest = node + m->body->firstNode + m->kernel->bodies[m->index].restBase;
    for (int axis = 0; node >= 0 && axis < 3; ++axis)
    {
        out->places[0][RECORD * (size_t)slot + (size_t)axis] = m->kernel->rest[axis][rest];
    }
}

static bool FillRows(Maker* m)
{
    Kernel* kernel = m->kernel;
    SliceBody* out = m->out;
    size_t slots = SLICE * (size_t)out->slices, springs;
    bool near = m->widest <= UINT16_MAX;
    CountRows(m);
    springs = SLICE * (size_t)out->rowStart[out->slices];
    out->near = near ? RSL_NAME(rslSlices_Allocate)(kernel, springs, sizeof(uint16_t)) : NULL;
    out->far = near ? NULL : RSL_NAME(rslSlices_Allocate)(kernel, springs, sizeof(int));
    out->places[0] = RSL_NAME(rslSlices_Allocate)(kernel, RECORD * slots, sizeof(Real));
    out->speeds[0] = out->damped ? RSL_NAME(rslSlices_Allocate)(kernel, SPEED * slots, sizeof(Real)) : NULL;
    bool made = (near ? out->near != NULL : out->far != NULL) && out->places[0] != NULL &&
                (out->speeds[0] != NULL || !out->damped) && MakeConstants(m, springs);
    for (int slot = 0, kind = 0; made && slot < (int)slots; ++slot)
    {
        FillSlot(m, slot, &kind);
    }
    return made;
}

static bool MakeBody(Maker* m)
{
    int count = m->body->nodeCount;
    SliceBody* out = m->out;
    out->slices = (count + SLICE - 1) / SLICE;
    out->nodes = RSL_NAME(rslKernel_Allocate)(m->kernel, SLICE * (size_t)out->slices, sizeof(int));
    out->rowStart = RSL_NAME(rslKernel_Allocate)(m->kernel, (size_t)out->slices + 1, sizeof(int));
    out->base = RSL_NAME(rslKernel_Allocate)(m->kernel, (size_t)out->slices, sizeof(int));
    m->order = rslAllocate(m->hooks, (size_t)count, sizeof(int));
    m->slotOf = rslAllocate(m->hooks, (size_t)count, sizeof(int));
    bool made = out->nodes != NULL && out->rowStart != NULL && out->base != NULL && m->order != NULL &&
                m->slotOf != NULL && MakeSlots(m);
    if (made)
    {
        FindSpans(m);
        Classify(m);
        made = FillRows(m);
    }
    rslRelease(m->hooks, m->order);
    rslRelease(m->hooks, m->slotOf);
    return made;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

// With springs, of which no drive acts on any.
static bool Takes(const Kernel* kernel, const rslBody* body, const int* start)
{
    bool takes = start[body->nodeCount] > start[0] && body->nodeCount < INT32_MAX / RECORD - SLICE;
    for (int e = start[0]; takes && e < start[body->nodeCount]; ++e)
    {
        takes = kernel->entries[e].drives == 0;
    }
    return takes;
}

static bool MakeGroups(Kernel* kernel)
{
    SliceKernel* slices = kernel->slices;
    const int bodies = kernel->model->bodyCount;
    for (int b = 0; b < bodies; ++b)
    {
        SliceBody* body = &slices->bodies[b];
        body->firstGroup = slices->groupCount;
        body->groupCount = (body->slices + GROUP - 1) / GROUP;
        slices->groupCount += body->groupCount;
    }
    slices->groups = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)slices->groupCount, sizeof(SliceGroup));
    slices->lost = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)slices->groupCount, sizeof *slices->lost);
    slices->energies = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)slices->groupCount, sizeof(double));
    bool made = slices->groups != NULL && slices->lost != NULL && slices->energies != NULL;
    for (int b = 0, g = 0; made && b < bodies; ++b)
    {
        int count = slices->bodies[b].slices;
        for (int at = 0; at < count; at += GROUP, ++g)
        {
            slices->groups[g] = (SliceGroup){ b, at, count - at < GROUP ? count : at + GROUP };
        }
    }
    return made;
}

bool RSL_NAME(rslSlices_Make)(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    if (kernel->entryCount == 0)
    {
        return true;
    }
    SliceKernel* slices = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof(SliceKernel));
    SliceBody* bodies = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->bodyCount, sizeof(SliceBody));
    bool made = slices != NULL && bodies != NULL;
    for (int b = 0; made && b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        if (body->kind != rsl_networkBody)
        {
            continue;
        }
        const int* start = kernel->entryStart + body->firstNode + kernel->bodies[b].restBase;
        Maker maker = { .kernel = kernel, .hooks = &kernel->arena.hooks, .body = body, .index = b };
        maker.out = &bodies[b];
        maker.start = start;
        maker.entries = kernel->entries;
        made = !Takes(kernel, body, start) || MakeBody(&maker);
    }
    if (made)
    {
        slices->bodies = bodies;
        kernel->slices = slices;
        made = MakeGroups(kernel);
    }
    return made;
}
