// SPDX-License-Identifier: MIT
//
// network_slices_make.c: rows and constants of the slices of network bodies.
//
// Springs with the same vector at rest and the same constants are of one kind. Where the springs of a slice are of few kinds, a row for each of
// them: its constants are kept once, and those of one slice often are those of another. Other slices have springs in the order of the lists
// of kernel_network.c, each with constants of its own.

#include "network_slices.h"

#include "spring_law.h"

#include <string.h>

enum
{
    MOST_KINDS = 64,  // that are looked for
    RECENT = 32       // slices whose constants are looked for
};

// A spring to a later slot.
typedef struct Spring
{
    int lane, other;  // slots; the first counted in its slice
    int kind;         // -1: it has none
    Real of[MOST_CONSTANTS];
} Spring;

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
    int kinds, kindAt;     // where to look first
    int64_t found, missed;
    double ways[MOST_KINDS][3];
    Real palette[MOST_KINDS][MOST_CONSTANTS];

    // of the slice in work
    Spring* springs;
    int springCount, rows;
    bool alike;
    uint64_t mask;  // kinds that have rows
    int rowOf[MOST_KINDS];

    // kinds and constants of slices before
    uint64_t masks[RECENT];
    size_t places[RECENT], numbers;
    int recent;
} Maker;

static int SlotOfEntry(const Maker* m, int entry)
{
    return m->slotOf[m->entries[entry].other - m->body->firstNode];
}

// ---- kinds ------------------------------------------------------------------------------------------------------------

static bool IsOfKind(const Maker* m, const Spring* spring, const double way[3], int kind)
{
    const double slack = RSL_PRECISION == 32 ? 0x1p-24 : 0x1p-42;
    const double* of = m->ways[kind];
    double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]), off = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        off = fabs(way[axis] - of[axis]) > off ? fabs(way[axis] - of[axis]) : off;
    }
    return off <= slack * length && memcmp(spring->of + OF_INVERSE, m->palette[kind] + OF_INVERSE,
                                           sizeof(Real) * (MOST_CONSTANTS - OF_INVERSE)) == 0;
}

// The kind of a spring, or how many there are.
static int SearchKind(const Maker* m, const Spring* spring, const double way[3])
{
    for (int tried = 0; tried < m->kinds; ++tried)
    {
        int kind = (m->kindAt + tried) % m->kinds;
        if (IsOfKind(m, spring, way, kind))
        {
            return kind;
        }
    }
    return m->kinds;
}

// The first one of a kind stands for all of them: of nodes in rows, ways differ by rounding alone. Nothing is looked for any more where
// springs have no kind as a rule.
static void FindKind(Maker* m, Spring* spring, const double way[3])
{
    int kind = m->missed <= m->found ? SearchKind(m, spring, way) : MOST_KINDS;
    spring->kind = -1;
    if (kind == MOST_KINDS)
    {
        m->missed += 1;
        return;
    }
    if (kind == m->kinds)
    {
        m->kinds += 1;
        memcpy(m->ways[kind], way, sizeof m->ways[kind]);
        memcpy(m->palette[kind], spring->of, sizeof m->palette[kind]);
    }
    m->found += 1;
    m->kindAt = kind;
    spring->kind = kind;
    memcpy(spring->of, m->palette[kind], sizeof spring->of);
}

static Spring MakeSpring(Maker* m, int slot, int entry)
{
    const Entry* of = &m->entries[entry];
    const double* rest = m->body->network.rest;
    int node = m->order[slot], other = of->other - m->body->firstNode, at = OF_MORE;
    Spring spring = { .lane = slot % SLICE, .other = m->slotOf[other] };
    double way[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        way[axis] = rest[3 * (size_t)other + (size_t)axis] - rest[3 * (size_t)node + (size_t)axis];
        spring.of[axis] = (Real)way[axis];
    }
    spring.of[OF_INVERSE] = of->inverse;
    spring.of[OF_STIFFNESS] = of->stiffness;
    if (m->out->damped)
    {
        spring.of[at++] = of->damping;
    }
    if (m->out->general)
    {
        spring.of[at++] = of->preload / of->restLength;
    }
    FindKind(m, &spring, way);
    return spring;
}

// ---- slices -----------------------------------------------------------------------------------------------------------

static void FindSprings(Maker* m, int slice)
{
    m->springCount = 0;
    for (int slot = SLICE * slice; slot < SLICE * slice + SLICE && slot < m->body->nodeCount; ++slot)
    {
        int node = m->order[slot];
        for (int e = m->start[node]; e < m->start[node + 1]; ++e)
        {
            if (SlotOfEntry(m, e) > slot)
            {
                m->springs[m->springCount++] = MakeSpring(m, slot, e);
            }
        }
    }
}

static int LongestList(const Maker* m)
{
    int counts[SLICE] = { 0 }, most = 0;
    for (int i = 0; i < m->springCount; ++i)
    {
        int count = ++counts[m->springs[i].lane];
        most = count > most ? count : most;
    }
    return most;
}

// Rows by kinds; false: one has none, or two of a slot have the same. Kinds have rows in their order, so that slices are alike.
static bool FindRows(Maker* m)
{
    bool seen[MOST_KINDS][SLICE] = { 0 };
    m->mask = 0;
    for (int i = 0; i < m->springCount; ++i)
    {
        const Spring* spring = &m->springs[i];
        if (spring->kind < 0 || seen[spring->kind][spring->lane])
        {
            return false;
        }
        seen[spring->kind][spring->lane] = true;
        m->mask |= UINT64_C(1) << spring->kind;
    }
    m->rows = 0;
    for (int kind = 0; kind < m->kinds; ++kind)
    {
        m->rowOf[kind] = (m->mask >> kind & 1) != 0 ? m->rows++ : -1;
    }
    return true;
}

// Rows by kinds if they are not many more than those by lists. A spring from a slot to itself does nothing, unless it has a preload.
static void PlanSlice(Maker* m, int slice)
{
    FindSprings(m, slice);
    int longest = LongestList(m);
    m->alike = FindRows(m) && 6 * m->rows <= 7 * longest && (!m->out->general || m->springCount == SLICE * m->rows);
    m->rows = m->alike ? m->rows : longest;
}

// ---- what they are made into --------------------------------------------------------------------------------------------

// Where the constants of a slice begin: where those of another one do, or behind all others.
static size_t PlaceConstants(Maker* m)
{
    for (int i = 0; m->alike && i < RECENT; ++i)
    {
        if (m->masks[i] == m->mask && m->mask != 0)
        {
            return m->places[i];
        }
    }
    size_t place = m->numbers;
    m->numbers += (size_t)(ConstantsOf(m->out) * m->rows * (m->alike ? 1 : SLICE));
    if (m->alike)
    {
        m->masks[m->recent] = m->mask;
        m->places[m->recent] = place;
        m->recent = (m->recent + 1) % RECENT;
    }
    return place;
}

static void FillSpring(const SliceBody* out, int slice, int row, int lane, int other)
{
    size_t at = SLICE * (size_t)(out->rowStart[slice] + row) + (size_t)lane;
    if (out->near != NULL)
    {
        out->near[at] = (uint16_t)(other - SLICE * slice);
    }
    else
    {
        out->far[at] = other - SLICE * slice;
    }
}

// Rows that are not full join slots to themselves.
static void FillOthers(const Maker* m, int slice)
{
    int counts[SLICE] = { 0 };
    for (int i = 0; i < SLICE * m->rows; ++i)
    {
        FillSpring(m->out, slice, i / SLICE, i % SLICE, SLICE * slice + i % SLICE);
    }
    for (int i = 0; i < m->springCount; ++i)
    {
        const Spring* spring = &m->springs[i];
        int row = m->alike ? m->rowOf[spring->kind] : counts[spring->lane]++;
        FillSpring(m->out, slice, row, spring->lane, spring->other);
    }
}

static void FillConstants(const Maker* m, Real* to)
{
    int counts[SLICE] = { 0 }, numbers = ConstantsOf(m->out);
    for (int i = 0; !m->alike && i < SLICE * m->rows; ++i)
    {
        to[SLICE * (numbers * (i / SLICE) + OF_INVERSE) + i % SLICE] = 1;
    }
    for (int i = 0; i < m->springCount; ++i)
    {
        const Spring* spring = &m->springs[i];
        int row = m->alike ? m->rowOf[spring->kind] : counts[spring->lane]++;
        for (int n = 0; n < numbers; ++n)
        {
            to[m->alike ? numbers * row + n : SLICE * (numbers * row + n) + spring->lane] = spring->of[n];
        }
    }
}

static void ForgetKinds(Maker* m)
{
    m->kinds = m->kindAt = 0;
    m->found = m->missed = 0;
}

// How much room slices need. Returns the most slots that a spring leads over.
static int PlanSlices(Maker* m)
{
    SliceBody* out = m->out;
    int farthest = SLICE;
    ForgetKinds(m);
    for (int slice = 0; slice < out->slices; ++slice)
    {
        PlanSlice(m, slice);
        out->rowStart[slice + 1] = out->rowStart[slice] + m->rows;
        out->alike[slice] = m->alike;
        out->place[slice] = PlaceConstants(m);
        for (int i = 0; i < m->springCount; ++i)
        {
            int over = m->springs[i].other - SLICE * slice;
            farthest = over > farthest ? over : farthest;
        }
    }
    return farthest;
}

static bool FillSlices(Maker* m)
{
    SliceBody* out = m->out;
    bool near = PlanSlices(m) <= UINT16_MAX;
    size_t springs = SLICE * (size_t)out->rowStart[out->slices];
    out->near = near ? RSL_NAME(rslSlices_Allocate)(m->kernel, springs, sizeof(uint16_t)) : NULL;
    out->far = near ? NULL : RSL_NAME(rslSlices_Allocate)(m->kernel, springs, sizeof(int));
    out->constants = RSL_NAME(rslSlices_Allocate)(m->kernel, m->numbers, sizeof(Real));
    bool made = (near ? out->near != NULL : out->far != NULL) && out->constants != NULL;
    ForgetKinds(m);
    for (int slice = 0; made && slice < out->slices; ++slice)
    {
        PlanSlice(m, slice);
        FillOthers(m, slice);
        FillConstants(m, out->constants + out->place[slice]);
    }
    return made;
}

// ---- bodies -----------------------------------------------------------------------------------------------------------

static void Classify(Maker* m)
{
    SliceBody* out = m->out;
    out->carrier = LawCarrierShare(m->body->network.law);
    out->general = out->carrier != (Real)0;
    for (int e = m->start[0]; e < m->start[m->body->nodeCount]; ++e)
    {
        out->general = out->general || m->entries[e].preload != (Real)0;
        out->damped = out->damped || m->entries[e].damping != (Real)0;
    }
}

static bool MakeRecords(const Maker* m)
{
    SliceBody* out = m->out;
    size_t numbers = RECORD * SLICE * (size_t)out->slices;
    bool made = true;
    for (int i = 0; i < 2; ++i)
    {
        out->places[i] = RSL_NAME(rslSlices_Allocate)(m->kernel, numbers, sizeof(Real));
        out->speeds[i] = out->damped ? RSL_NAME(rslSlices_Allocate)(m->kernel, numbers, sizeof(Real)) : NULL;
        made = made && out->places[i] != NULL && (out->speeds[i] != NULL || !out->damped);
    }
    return made;
}

static void FillSlots(const Maker* m)
{
    int count = m->body->nodeCount;
    for (int slot = 0; slot < SLICE * m->out->slices; ++slot)
    {
        m->out->nodes[slot] = slot < count ? m->body->firstNode + m->order[slot] : -1;
        if (slot < count)
        {
            m->slotOf[m->order[slot]] = slot;
        }
    }
}

// Of the node that has the most.
static int MostSprings(const Maker* m)
{
    int most = 1;
    for (int node = 0; node < m->body->nodeCount; ++node)
    {
        int count = m->start[node + 1] - m->start[node];
        most = count > most ? count : most;
    }
    return most;
}

static bool MakeSlices(Maker* m)
{
    int count = m->body->nodeCount;
    SliceBody* out = m->out;
    out->slices = (count + SLICE - 1) / SLICE;
    out->nodes = RSL_NAME(rslKernel_Allocate)(m->kernel, SLICE * (size_t)out->slices, sizeof(int));
    out->rowStart = RSL_NAME(rslKernel_Allocate)(m->kernel, (size_t)out->slices + 1, sizeof(int));
    out->alike = RSL_NAME(rslKernel_Allocate)(m->kernel, (size_t)out->slices, sizeof(bool));
    out->place = RSL_NAME(rslKernel_Allocate)(m->kernel, (size_t)out->slices, sizeof(size_t));
    m->order = rslAllocate(m->hooks, (size_t)count, sizeof(int));
    m->slotOf = rslAllocate(m->hooks, (size_t)count, sizeof(int));
    m->springs = rslAllocate(m->hooks, SLICE * (size_t)MostSprings(m), sizeof(Spring));
    bool made = out->nodes != NULL && out->rowStart != NULL && out->alike != NULL && out->place != NULL &&
                m->order != NULL && m->slotOf != NULL && m->springs != NULL &&
                RSL_NAME(rslSlots_Order)(m->body, m->start, m->entries, m->hooks, m->order);
    if (made)
    {
        FillSlots(m);
        Classify(m);
        made = MakeRecords(m) && FillSlices(m);
    }
    rslRelease(m->hooks, m->order);
    rslRelease(m->hooks, m->slotOf);
    rslRelease(m->hooks, m->springs);
    return made;
}

bool RSL_NAME(rslSlices_MakeBody)(Kernel* kernel, int body, const int* start, SliceBody* out)
{
    Maker maker = { .kernel = kernel, .hooks = &kernel->arena.hooks, .body = &kernel->model->bodies[body] };
    maker.out = out;
    maker.start = start;
    maker.entries = kernel->entries;
    return MakeSlices(&maker);
}
