// SPDX-License-Identifier: MIT
//
// lattice_sweep_make.c: cut the springs of lattice bodies into strips, and the bodies into slabs.
//
// Strips are in the order of planes, of blocks of a few hundred nodes, which stay near the processor while all of their springs are asked,
// of directions, of nodes. Rows of a box follow each other, so that a strip may go on over their ends, with a spring of constant 0 where there
// is none. The constants of most strips are those of another one, and are kept once.

#include "lattice_sweep.h"

#include "dispersion.h"
#include "hash.h"

#include <string.h>

enum
{
    BLOCK = 512,      // nodes
    PAD = LANES / 2,  // strips have a multiple of so many springs, where there is room
    GAP = PAD,        // springs that are missing between two parts of a strip
    ROOM = 5,         // sums of a sweep: next twice, own, same, and what nobody asks for
    THINNEST = 4,     // planes of a slab
    FEWEST = 32       // nodes of a plane that are worth a sweep
};

typedef struct Maker
{
    Kernel* kernel;
    SweepKernel* sweep;
    const rslHooks* hooks;
    size_t stripCapacity, constantCapacity;
    Real constants[2][BLOCK + PAD];  // of the strip that is being made: k, and ratios
    Plane* plane;                    // and that of its early ends
    int (*slots)[2];                 // place and count of constants, by hash; count 0 is free
    size_t slotCount, kept;
    int nodes;  // of all bodies that are swept
} Maker;

// ---- constants ------------------------------------------------------------------------------------------------------

static uint64_t HashOf(const Real* constants, size_t count)
{
    uint64_t hash = RSL_HASH_START;
    for (size_t i = 0; i < count; ++i)
    {
        hash = rslHash_Double(hash, (double)constants[i]);
    }
    return hash;
}

static size_t SlotOf(const Maker* m, const Real* constants, size_t count)
{
    size_t mask = m->slotCount - 1, slot = HashOf(constants, count) & mask;
    while (m->slots[slot][1] != 0 &&
           ((size_t)m->slots[slot][1] != count ||
            memcmp(m->sweep->constants + m->slots[slot][0], constants, count * sizeof(Real)) != 0))
    {
        slot = (slot + 1) & mask;
    }
    return slot;
}

// At most half of the slots are taken.
static bool GrowSlots(Maker* m)
{
    if (2 * (m->kept + 1) <= m->slotCount)
    {
        return true;
    }
    int(*old)[2] = m->slots;
    size_t oldCount = m->slotCount;
    m->slotCount = oldCount > 0 ? 2 * oldCount : 256;
    m->slots = rslAllocate(m->hooks, m->slotCount, sizeof *m->slots);
    for (size_t s = 0; m->slots != NULL && s < oldCount; ++s)
    {
        if (old[s][1] != 0)
        {
            size_t slot = SlotOf(m, m->sweep->constants + old[s][0], (size_t)old[s][1]);
            memcpy(m->slots[slot], old[s], sizeof old[s]);
        }
    }
    rslRelease(m->hooks, old);
    return m->slots != NULL;
}

static bool MakeRoom(Maker* m, size_t count)
{
    bool made = true;
    while (made && m->sweep->constantCount + count > m->constantCapacity)
    {
        made = rslGrow(m->hooks, (void**)&m->sweep->constants, m->constantCapacity, &m->constantCapacity, sizeof(Real));
    }
    return made && m->sweep->constantCount + count <= INT32_MAX;
}

// Their place, kept once; -1 when out of memory.
static int Keep(Maker* m, const Real* constants, size_t count)
{
    if (!GrowSlots(m) || !MakeRoom(m, count))
    {
        return -1;
    }
    size_t slot = SlotOf(m, constants, count);
    if (m->slots[slot][1] == 0)
    {
        memcpy(m->sweep->constants + m->sweep->constantCount, constants, count * sizeof(Real));
        m->slots[slot][0] = (int)m->sweep->constantCount;
        m->slots[slot][1] = (int)count;
        m->sweep->constantCount += count;
        m->kept += 1;
    }
    return m->slots[slot][0];
}

// ---- strips ---------------------------------------------------------------------------------------------------------

// Springs of constant 0 fill it up, behind it or before it, as long as it stays within its planes: then no loop has a rest.
static void Fill(Maker* m, Strip* strip)
{
    const Plane *early = m->plane, *late = early + rslLatticeDirections[strip->direction][2];
    int missing = (PAD - strip->count % PAD) % PAD, end = strip->from + strip->count;
    int behind =
        early->end - end < late->end - end - strip->offset ? early->end - end : late->end - end - strip->offset;
    int before = missing - (behind < missing ? behind : missing);
    if (strip->from - before < early->begin || strip->from + strip->offset - before < late->begin)
    {
        return;
    }
    for (int i = 0; i < 2; ++i)
    {
        Real* constants = m->constants[i];
        memmove(constants + before, constants, (size_t)strip->count * sizeof(Real));
        memset(constants, 0, (size_t)before * sizeof(Real));
        memset(constants + before + strip->count, 0, (size_t)(missing - before) * sizeof(Real));
    }
    strip->from -= before;
    strip->count += missing;
}

// Put it on the list, and begin a new one.
static bool Close(Maker* m, Strip* strip, bool general)
{
    SweepKernel* sweep = m->sweep;
    if (strip->count == 0)
    {
        return true;
    }
    Fill(m, strip);
    size_t count = (size_t)strip->count;
    Real both[2 * (BLOCK + PAD)];
    memcpy(both, m->constants[0], count * sizeof(Real));
    memcpy(both + count, m->constants[1], count * sizeof(Real));
    strip->constants = Keep(m, both, general ? 2 * count : count);
    if (strip->constants < 0 ||
        !rslGrow(m->hooks, (void**)&sweep->strips, (size_t)sweep->stripCount, &m->stripCapacity, sizeof(Strip)))
    {
        return false;
    }
    sweep->strips[sweep->stripCount++] = *strip;
    strip->count = 0;
    return true;
}

// The next spring of a direction joins the strip, or begins another one.
static bool Append(Maker* m, Strip* strip, int node, int offset, Real k, Real ratio, bool general)
{
    int gap = node - (strip->from + strip->count);
    if (strip->count > 0 && (offset != strip->offset || gap > GAP) && !Close(m, strip, general))
    {
        return false;
    }
    if (strip->count == 0)
    {
        strip->from = node;
        strip->offset = offset;
    }
    for (; strip->from + strip->count < node; ++strip->count)
    {
        m->constants[0][strip->count] = m->constants[1][strip->count] = 0;
    }
    m->constants[0][strip->count] = k;
    m->constants[1][strip->count] = ratio;
    strip->count += 1;
    return true;
}

// Strips of the nodes [begin, end) of a body in one direction; the first of them is in this row.
static bool AppendDirection(Maker* m, int bodyIndex, int row, int begin, int end, int s)
{
    const rslBody* body = &m->kernel->model->bodies[bodyIndex];
    const rslLattice* lattice = &body->lattice;
    const int* d = rslLatticeDirections[s];
    bool general = m->kernel->bodies[bodyIndex].general, made = true;
    Strip strip = { .direction = s };
    for (int node = begin; made && node < end; ++node)
    {
        row += node >= lattice->rows[row].first + lattice->rows[row].count;
        const rslLatticeRow* r = &lattice->rows[row];
        int i = r->i + node - r->first;
        Real k = (Real)rslLattice_Stiffness(lattice, i, r->j, r->k, s);
        if (k != (Real)0)
        {
            double ratio = rslLattice_DampingRatio(lattice, i, r->j, r->k, s, body->stiffnessDamping);
            int offset = rslLattice_Node(lattice, i + d[0], r->j + d[1], r->k + d[2]) - node;
            made = Append(m, &strip, body->firstNode + node, offset, k, (Real)ratio, general);
        }
    }
    return made && Close(m, &strip, general);
}

// The end of a block that begins at a row: whole rows, as long as they are not too long.
static int EndOfBlock(const rslLattice* lattice, int row, int begin)
{
    int end = begin, k = lattice->rows[row].k;
    for (; row < lattice->rowCount && lattice->rows[row].k == k; ++row)
    {
        int rowEnd = lattice->rows[row].first + lattice->rows[row].count;
        if (rowEnd - begin > BLOCK)
        {
            return end > begin ? end : begin + BLOCK;
        }
        end = rowEnd;
    }
    return end;
}

static void AppendPlanes(Maker* m, const rslBody* body)
{
    const rslLattice* lattice = &body->lattice;
    for (int row = 0; row < lattice->rowCount; ++row)
    {
        const rslLatticeRow* r = &lattice->rows[row];
        if (row == 0 || r->k != lattice->rows[row - 1].k)
        {
            m->sweep->planes[m->sweep->planeCount++] = (Plane){ .begin = body->firstNode + r->first };
        }
        m->sweep->planes[m->sweep->planeCount - 1].end = body->firstNode + r->first + r->count;
    }
}

static bool AppendBody(Maker* m, int bodyIndex)
{
    const rslBody* body = &m->kernel->model->bodies[bodyIndex];
    const rslLattice* lattice = &body->lattice;
    SweepKernel* sweep = m->sweep;
    bool made = true;
    m->plane = sweep->planes + sweep->planeCount;
    AppendPlanes(m, body);
    m->plane->firstStrip = sweep->stripCount;
    for (int row = 0, node = 0; made && node < body->nodeCount;)
    {
        if (body->firstNode + node == m->plane->end)
        {
            m->plane += 1;
            m->plane->firstStrip = sweep->stripCount;
        }
        int end = EndOfBlock(lattice, row, node);
        for (int s = 0; made && s < RSL_LATTICE_HALF; ++s)
        {
            made = AppendDirection(m, bodyIndex, row, node, end, s);
        }
        m->plane->strips = sweep->stripCount - m->plane->firstStrip;
        for (node = end; row + 1 < lattice->rowCount && lattice->rows[row + 1].first <= node; ++row)
        {
        }
    }
    return made;
}

// ---- slabs ----------------------------------------------------------------------------------------------------------

static size_t LargestPlane(const SweepKernel* sweep, int first, int last)
{
    int largest = 0;
    for (int p = first; p < last; ++p)
    {
        int nodes = sweep->planes[p].end - sweep->planes[p].begin;
        largest = nodes > largest ? nodes : largest;
    }
    return (size_t)largest;
}

// Numbers from an array of a slab to the next. Arrays that lie whole pages apart would take the same places near the processor.
static size_t StrideOf(size_t nodes)
{
    const size_t page = 4096 / sizeof(Real), line = 64 / sizeof(Real);
    size_t stride = (nodes + LANES + line - 1) / line * line, past = stride % page;
    return past < 2 * line          ? stride + 2 * line - past
           : past > page - 2 * line ? stride + page - past + 2 * line
                                    : stride;
}

static bool MakeSlab(Maker* m, Slab slab)
{
    SweepKernel* sweep = m->sweep;
    int from = slab.begin > slab.first ? slab.begin - 1 : slab.begin,
        to = slab.end < slab.last ? slab.end + 1 : slab.end;
    size_t nodes = slab.stride = StrideOf(LargestPlane(sweep, from, to)),
           damped = m->kernel->bodies[slab.body].damped ? 2 : 1;
    slab.room = RSL_NAME(rslKernel_Allocate)(m->kernel, nodes * (3 * ROOM * damped + 1), sizeof(Real));
    bool made = slab.room != NULL;
    for (int side = 0; made && side < 2; ++side)
    {
        bool alone = side == 0 ? slab.begin == slab.first : slab.end == slab.last;
        slab.halo[side] = alone ? NULL : RSL_NAME(rslKernel_Allocate)(m->kernel, nodes * 3 * damped, sizeof(Real));
        made = alone || slab.halo[side] != NULL;
    }
    sweep->slabs[sweep->slabCount++] = slab;
    return made;
}

// As many as there are threads for the body, of about as many nodes each.
static bool CutBody(Maker* m, int body, int first, int last)
{
    const Plane* planes = m->sweep->planes;
    int width = rslTeam_Width(m->kernel->team), begin = first, nodes = planes[last - 1].end - planes[first].begin;
    int count = (int)ceil((double)nodes / m->nodes * width), most = (last - first) / THINNEST;
    count = count < most ? count : most;
    bool made = true;
    for (int s = 1; made && s <= count; ++s)
    {
        int end = begin + THINNEST, left = (count - s) * THINNEST;
        int64_t goal = planes[first].begin + (int64_t)nodes * s / count;
        while (end < last - left && planes[end].begin < goal)
        {
            ++end;
        }
        end = s == count ? last : end;
        made = MakeSlab(m, (Slab){ .body = body, .begin = begin, .end = end, .first = first, .last = last });
        begin = end;
    }
    return made;
}

// ---- all of it ------------------------------------------------------------------------------------------------------

// Drives and dispersion with a lag have walks of their own. Flat bodies cannot be cut into slabs, and planes of a few nodes cost more than their
// springs.
static bool Takes(const Kernel* kernel, int b)
{
    const rslBody* body = &kernel->model->bodies[b];
    bool springs = body->kind == rsl_latticeBody && body->elements.count == 0 && body->model != rsl_rigidModel;
    if (!springs || kernel->model->driveMask != NULL || (rslBody_Disperses(body) && body->dispersion.lag))
    {
        return false;
    }
    int planes = 0, k = -1;
    for (int r = 0; r < body->lattice.rowCount; ++r)
    {
        planes += body->lattice.rows[r].k != k;
        k = body->lattice.rows[r].k;
    }
    return planes >= 2 * THINNEST && body->nodeCount / planes >= FEWEST;
}

static bool Allocate(Maker* m, int planes, int slabs)
{
    Kernel* kernel = m->kernel;
    SweepKernel* sweep = m->sweep;
    sweep->planes = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)planes, sizeof(Plane));
    sweep->lost = RSL_NAME(rslKernel_Allocate)(kernel, 3 * (size_t)planes, sizeof(double));
    sweep->slabs = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)slabs, sizeof(Slab));
    return sweep->planes != NULL && sweep->lost != NULL && sweep->slabs != NULL;
}

// What grew is kept with the kernel, as large as it is.
static bool Settle(Maker* m)
{
    SweepKernel* sweep = m->sweep;
    Strip* strips = RSL_NAME(rslKernel_Allocate)(m->kernel, (size_t)sweep->stripCount, sizeof(Strip));
    Real* constants = RSL_NAME(rslKernel_Allocate)(m->kernel, sweep->constantCount, sizeof(Real));
    bool made = strips != NULL && constants != NULL;
    if (made && sweep->stripCount > 0)
    {
        memcpy(strips, sweep->strips, (size_t)sweep->stripCount * sizeof(Strip));
        memcpy(constants, sweep->constants, sweep->constantCount * sizeof(Real));
    }
    rslRelease(m->hooks, sweep->strips);
    rslRelease(m->hooks, sweep->constants);
    rslRelease(m->hooks, m->slots);
    sweep->strips = strips;
    sweep->constants = constants;
    return made;
}

bool RSL_NAME(rslSweep_Make)(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    int planes = 0, slabs = 0, nodes = 0;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        bool taken = Takes(kernel, b);
        planes += taken ? model->bodies[b].lattice.extent[2] : 0;
        slabs += taken ? rslTeam_Width(kernel->team) : 0;
        nodes += taken ? model->bodies[b].nodeCount : 0;
    }
    if (planes == 0)
    {
        return true;
    }
    SweepKernel* sweep = kernel->sweep = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof(SweepKernel));
    bool* takes = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)model->bodyCount, sizeof(bool));
    if (sweep == NULL || takes == NULL)
    {
        return false;
    }
    Maker maker = { .kernel = kernel, .sweep = sweep, .hooks = &kernel->arena.hooks, .nodes = nodes };
    bool made = Allocate(&maker, planes, slabs);
    sweep->takes = takes;
    for (int b = 0; made && b < model->bodyCount; ++b)
    {
        int first = sweep->planeCount;
        takes[b] = Takes(kernel, b);
        sweep->damped = sweep->damped || (takes[b] && kernel->bodies[b].damped);
        made = !takes[b] || (AppendBody(&maker, b) && CutBody(&maker, b, first, sweep->planeCount));
    }
    return Settle(&maker) && made;
}
