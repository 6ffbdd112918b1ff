// SPDX-License-Identifier: MIT
//
// lattice_sweep_make.c: cut the planes of lattice bodies into strips, and the bodies into slabs.
//
// Rows of a plane that follow each other make one strip. Runs of it cover its nodes and the places that their springs lead to, with springs
// of constant 0 between them, and leave out what lies between rows where that is wide. So that little does, a grid is as narrow as it can be:
// two nodes of a plane must not be at the same place. The constants of most places are those of others, and are kept once.

#include "lattice_sweep.h"

#include "dispersion.h"
#include "hash.h"

#include <string.h>

enum
{
    THINNEST = 4,   // planes of a slab
    THICK = 8,      // of one that keeps: it finds the shares of some planes twice
    FEWEST = 32,    // nodes of a plane that are worth a sweep
    EMPTIEST = 16,  // places of a plane for every node of it
    NEAR = 1 << 20  // bytes: a second cache
};

typedef struct Maker
{
    Kernel* kernel;
    SweepKernel* sweep;
    const rslHooks* hooks;
    size_t stripCapacity, segmentCapacity, runCapacity, chunkCapacity, constantCapacity;
    int (*slots)[2];  // place and count of constants, by hash; count 0 is free
    size_t slotCount, kept;
    int nodes;    // of all bodies that are swept
    int body, k;  // of which strips are made: a plane of this body,
    int pitch;    // of its grid
    int* rowAt;   // by place: the row of the lattice whose node is there; -1: none is
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

static int DirectionOf(rslStep step)
{
    int d = 0;
    while (d < RSL_LATTICE_HALF && (rslLatticeDirections[d][0] != step.x || rslLatticeDirections[d][1] != step.y ||
                                    rslLatticeDirections[d][2] != step.z))
    {
        ++d;
    }
    RSL_ASSERT(d < RSL_LATTICE_HALF);
    return d;
}

// The least at which rows that follow each other in a plane do not meet. That of a box is its extent.
static int LeastPitch(const rslLattice* lattice)
{
    int least = 1;
    for (int r = 0; r + 1 < lattice->rowCount; ++r)
    {
        const rslLatticeRow *row = &lattice->rows[r], *next = row + 1;
        const int apart = next->j - row->j, over = row->i + row->count - next->i;
        bool follows = next->k == row->k && apart > 0;
        least = follows && over > least * apart ? (over + apart - 1) / apart : least;
    }
    return least;
}

// Of a body that fills its grid whole registers, where few of their places have no node: 1 of 8 in single, 1 of 16 in double precision, where
// loads count for less. One place before a row and one behind it belong to its strip.
static int ChoosePitch(const rslBody* body)
{
    const int* extent = body->lattice.extent;
    const double box = (double)extent[0] * extent[1] * extent[2];
    const int least = LeastPitch(&body->lattice), whole = (least + 2 + LANES - 1) / LANES * LANES;
    return 8.0 * body->nodeCount >= 7.0 * box && 128 * (whole - least) <= LANES * least ? whole : least;
}

// The row whose spring leads to a place of a strip along a step; -1: there is none.
static int RowBefore(const Maker* m, const Strip* strip, int from)
{
    const int first = m->sweep->segments[strip->firstSegment].place;  // nodes before it are those of another strip
    return from >= first && from < strip->at + strip->count ? m->rowAt[from] : -1;
}

// Constants of the springs of a strip that lead to a place, LANES apart. False: there is neither a spring nor a node.
static bool FillLane(const Maker* m, const Strip* strip, int place, Real* to)
{
    const rslBody* body = &m->kernel->model->bodies[m->body];
    const rslLattice* lattice = &body->lattice;
    const bool bodies = HasBodySprings(m->kernel, m->body), general = m->kernel->bodies[m->body].general;
    const rslStep* steps = bodies ? rslBodySteps : rslFaceSteps;
    const int springs = bodies ? BODY_SPRINGS : FACE_SPRINGS;
    bool any = RowBefore(m, strip, place) >= 0;
    for (int s = 0; s < springs; ++s)
    {
        const int d = DirectionOf(steps[s]), from = place - steps[s].x, row = RowBefore(m, strip, from);
        const int j = row >= 0 ? lattice->rows[row].j : 0, i = from - 1 - j * m->pitch;
        Real stiffness = row >= 0 ? (Real)rslLattice_Stiffness(lattice, i, j, m->k, d) : (Real)0;
        to[s * LANES] = stiffness;
        any = any || stiffness != (Real)0;
        if (general)
        {
            bool damped = stiffness != (Real)0;
            to[(springs + s) * LANES] =
                damped ? (Real)rslLattice_DampingRatio(lattice, i, j, m->k, d, body->stiffnessDamping) : (Real)0;
        }
    }
    return any;
}

// A chunk of a strip, from one of its places on.
static bool AppendChunk(Maker* m, const Strip* strip, int at)
{
    SweepKernel* sweep = m->sweep;
    Real constants[2 * BODY_SPRINGS * LANES];
    const int springs = HasBodySprings(m->kernel, m->body) ? BODY_SPRINGS : FACE_SPRINGS;
    for (int lane = 0; lane < LANES; ++lane)
    {
        FillLane(m, strip, strip->at - 1 + at + lane, constants + lane);
    }
    int kept = Keep(m, constants, LANES * (size_t)(m->kernel->bodies[m->body].general ? 2 * springs : springs));
    if (kept < 0 ||
        !rslGrow(m->hooks, (void**)&sweep->chunks, (size_t)sweep->chunkCount, &m->chunkCapacity, sizeof(int)))
    {
        return false;
    }
    sweep->chunks[sweep->chunkCount++] = kept;
    return true;
}

// The next run, not before a place: chunks as long as there is something to ask in the next one's first place. It begins a line of the cache
// where that makes it no longer. No chunks: there is nothing more.
static StripRun FindRun(const Maker* m, const Strip* strip, int from)
{
    Real lane[2 * BODY_SPRINGS * LANES];
    StripRun run = { .at = from };
    int end = from, last = from;
    for (int i = from; i < strip->count + 2 && i <= end; ++i)
    {
        if (!FillLane(m, strip, strip->at - 1 + i, lane))
        {
            run.at += run.chunks == 0;
            end += run.chunks == 0;
            continue;
        }
        last = i;
        run.chunks += i == end;
        end += i == end ? LANES : 0;
    }
    const int past = (strip->at - 1 + run.at) % LANES;
    run.at -= past < end - last && run.at - past >= from ? past : 0;
    return run;
}

// Its runs; and put it on the list.
static bool Close(Maker* m, Strip* strip)
{
    SweepKernel* sweep = m->sweep;
    Real lane[2 * BODY_SPRINGS * LANES];
    bool made = true;
    strip->firstRun = sweep->runCount;
    strip->chunk = sweep->chunkCount;
    for (StripRun run = FindRun(m, strip, 0); made && run.chunks > 0;
         run = FindRun(m, strip, run.at + run.chunks * LANES))
    {
        made = rslGrow(m->hooks, (void**)&sweep->runs, (size_t)sweep->runCount, &m->runCapacity, sizeof(StripRun));
        for (int n = 0; made && n < run.chunks; ++n)
        {
            made = AppendChunk(m, strip, run.at + n * LANES);
        }
        if (made)
        {
            sweep->runs[sweep->runCount++] = run;
            strip->runs += 1;
        }
    }
    FillLane(m, strip, strip->at + strip->count, lane);
    strip->leads = lane[0] != (Real)0;
    if (!made ||
        !rslGrow(m->hooks, (void**)&sweep->strips, (size_t)sweep->stripCount, &m->stripCapacity, sizeof(Strip)))
    {
        return false;
    }
    sweep->strips[sweep->stripCount++] = *strip;
    return true;
}

// Nodes of a row join the strip: its last segment, if they follow it in both orders.
static bool AppendSegment(Maker* m, Strip* strip, Segment segment)
{
    SweepKernel* sweep = m->sweep;
    Segment* last = strip->segments > 0 ? &sweep->segments[sweep->segmentCount - 1] : NULL;
    strip->count = segment.place + segment.count - strip->at;
    if (last != NULL && last->place + last->count == segment.place && last->node + last->count == segment.node)
    {
        last->count += segment.count;
        return true;
    }
    if (!rslGrow(m->hooks, (void**)&sweep->segments, (size_t)sweep->segmentCount, &m->segmentCapacity, sizeof(Segment)))
    {
        return false;
    }
    sweep->segments[sweep->segmentCount++] = segment;
    strip->segments += 1;
    return true;
}

// A row, in parts where it is too long.
static bool AppendRow(Maker* m, Strip* strip, Segment row)
{
    bool made = true;
    while (made && row.count > 0)
    {
        int room = LONGEST_STRIP - (row.place - strip->at);
        bool begins = strip->segments == 0;
        if (begins || room < (row.count < LONGEST_STRIP ? row.count : LONGEST_STRIP))
        {
            made = begins || Close(m, strip);
            *strip = (Strip){ .at = row.place, .firstSegment = m->sweep->segmentCount };
            room = LONGEST_STRIP - (row.place - strip->at);
        }
        Segment part = row;
        part.count = row.count < room ? row.count : room;
        made = made && AppendSegment(m, strip, part);
        row = (Segment){ row.place + part.count, row.node + part.count, row.count - part.count };
    }
    return made;
}

static int PlaceOf(const Maker* m, const rslLatticeRow* row)
{
    return 1 + row->i + row->j * m->pitch;
}

static void PutRow(Maker* m, int row, int what)
{
    const rslLatticeRow* of = &m->kernel->model->bodies[m->body].lattice.rows[row];
    for (int i = 0; i < of->count; ++i)
    {
        m->rowAt[PlaceOf(m, of) + i] = what;
    }
}

// All rows of a plane, the first of them given. Returns how many there are; -1 when out of memory.
static int AppendPlane(Maker* m, int first)
{
    const rslBody* body = &m->kernel->model->bodies[m->body];
    const rslLatticeRow* rows = body->lattice.rows;
    SweepKernel* sweep = m->sweep;
    Plane* plane = &sweep->planes[sweep->planeCount++];
    *plane = (Plane){ .begin = body->firstNode + rows[first].first,
                      .firstStrip = sweep->stripCount,
                      .firstSegment = sweep->segmentCount };
    m->k = rows[first].k;
    int end = first;
    for (; end < body->lattice.rowCount && rows[end].k == m->k; ++end)
    {
        PutRow(m, end, end);
    }
    Strip strip = { 0 };
    bool made = true;
    for (int row = first; made && row < end; ++row)
    {
        Segment all = { PlaceOf(m, &rows[row]), body->firstNode + rows[row].first, rows[row].count };
        made = AppendRow(m, &strip, all);
        plane->end = all.node + all.count;
    }
    made = made && Close(m, &strip);
    for (int row = first; row < end; ++row)
    {
        PutRow(m, row, -1);
    }
    plane->strips = sweep->stripCount - plane->firstStrip;
    plane->segments = sweep->segmentCount - plane->firstSegment;
    return made ? end - first : -1;
}

// From the first place of a grid to its end.
static size_t PlacesOf(const Maker* m)
{
    const int* extent = m->kernel->model->bodies[m->body].lattice.extent;
    const int last = m->pitch > extent[0] ? m->pitch : extent[0];
    return (size_t)m->pitch * (size_t)(extent[1] - 1) + (size_t)last + 1;
}

static bool AppendBody(Maker* m, int body)
{
    m->body = body;
    m->pitch = ChoosePitch(&m->kernel->model->bodies[body]);
    const size_t places = PlacesOf(m);
    m->rowAt = rslAllocate(m->hooks, places, sizeof(int));
    for (size_t p = 0; m->rowAt != NULL && p < places; ++p)
    {
        m->rowAt[p] = -1;
    }
    int count = m->kernel->model->bodies[body].lattice.rowCount, rows = m->rowAt != NULL ? 0 : -1;
    for (int row = 0; rows >= 0 && row < count; row += rows)
    {
        rows = AppendPlane(m, row);
    }
    rslRelease(m->hooks, m->rowAt);
    return rows >= 0;
}

// ---- slabs ----------------------------------------------------------------------------------------------------------

// Numbers from an array of a slab to the next. Arrays that lie whole pages apart would take the same places near the processor.
static size_t StrideOf(size_t places)
{
    const size_t page = 4096 / sizeof(Real), line = 64 / sizeof(Real);
    size_t stride = (places + line - 1) / line * line, past = stride % page;
    return past < 2 * line          ? stride + 2 * line - past
           : past > page - 2 * line ? stride + page - past + 2 * line
                                    : stride;
}

// Numbers that a slab keeps of the springs of a plane, at most.
static size_t KeptOf(const Maker* m, const Slab* slab)
{
    const SweepKernel* sweep = m->sweep;
    const bool damped = m->kernel->bodies[slab->body].damped || m->kernel->bodies[slab->body].general;
    const size_t springs = HasBodySprings(m->kernel, slab->body) ? BODY_SPRINGS : FACE_SPRINGS;
    int chunks = 0;
    for (int p = slab->first; p < slab->last; ++p)
    {
        const int end =
            p + 1 < sweep->planeCount ? sweep->strips[sweep->planes[p + 1].firstStrip].chunk : sweep->chunkCount;
        const int own = end - sweep->strips[sweep->planes[p].firstStrip].chunk;
        chunks = own > chunks ? own : chunks;
    }
    return (size_t)chunks * LANES * springs * (damped ? 2 : 1);
}

// Planes with room for a row and a register, and one on, around them.
static bool MakeGrids(Maker* m, Slab* slab)
{
    const bool damped = m->kernel->bodies[slab->body].damped,
               spreads = rslBody_Disperses(&m->kernel->model->bodies[slab->body]);
    const size_t pitch = (size_t)m->pitch, around = (pitch + 3 * LANES) / LANES * LANES;
    const size_t places = (PlacesOf(m) + LANES) / LANES * LANES + 2 * around;
    const size_t fields = spreads ? FIELDS : damped ? FIELD_SHARE : FIELD_W, sums = damped ? SUMS : SUM_DRAG;
    const size_t shareSums = !spreads ? 0 : damped ? 2 : 1;
    const size_t stride = StrideOf(places);
    slab->pitch = (ptrdiff_t)pitch;
    slab->stride = (ptrdiff_t)stride;
    slab->keptTurn = (ptrdiff_t)KeptOf(m, slab);
    slab->keeps = spreads && slab->end - slab->begin >= THICK;
    slab->turns = slab->keeps ? 3 : 2;
    slab->turn = (ptrdiff_t)((fields + sums + shareSums) * stride);
    slab->size = (size_t)slab->turns * (size_t)slab->turn;
    slab->room = RSL_NAME(rslKernel_Allocate)(m->kernel, slab->size + LANES + SUMS * (size_t)OWN_STRIDE, sizeof(Real));
    slab->kept = slab->keeps ? RSL_NAME(rslKernel_Allocate)(m->kernel, 2 * (size_t)slab->keptTurn, sizeof(Real)) : NULL;
    if (slab->room == NULL || (slab->keeps && slab->kept == NULL))
    {
        return false;
    }
    slab->fields = slab->room + around;
    slab->sums = slab->fields + fields * stride;
    slab->shareSums = slab->sums + sums * stride;
    slab->own = slab->room + slab->size + LANES;
    return true;
}

static bool MakeSlab(Maker* m, Slab slab)
{
    const size_t fields = m->kernel->bodies[slab.body].damped ? 6 : 3;
    const Plane* planes = m->sweep->planes;
    const size_t numbers = 7 * (size_t)(planes[slab.end - 1].end - planes[slab.begin].begin);
    slab.fetches = numbers * sizeof(Real) > NEAR;
    bool made = MakeGrids(m, &slab);
    for (int side = 0; made && side < 2; ++side)
    {
        int plane = side == 0 ? slab.begin - 1 : slab.end;
        bool alone = plane < slab.first || plane == slab.last;
        size_t nodes = alone ? 0 : (size_t)(m->sweep->planes[plane].end - m->sweep->planes[plane].begin);
        Real* room = alone ? NULL : RSL_NAME(rslKernel_Allocate)(m->kernel, 2 * fields * nodes, sizeof(Real));
        slab.halo[side][0] = room;
        slab.halo[side][1] = room != NULL ? room + fields * nodes : NULL;
        made = alone || room != NULL;
    }
    m->sweep->slabs[m->sweep->slabCount++] = slab;
    return made;
}

// What a sweep has to do before a plane: chunks, and about half as much as one more for every segment.
static int64_t WorkBefore(const SweepKernel* sweep, int plane)
{
    if (plane == sweep->planeCount)
    {
        return 2 * (int64_t)sweep->chunkCount + sweep->segmentCount;
    }
    return 2 * (int64_t)sweep->strips[sweep->planes[plane].firstStrip].chunk + sweep->planes[plane].firstSegment;
}

// As many as there are threads for the body, with about as much to do each.
static bool CutBody(Maker* m, int body, int first, int last)
{
    const SweepKernel* sweep = m->sweep;
    int width = rslTeam_Width(m->kernel->team), begin = first;
    int nodes = sweep->planes[last - 1].end - sweep->planes[first].begin;
    int count = (int)ceil((double)nodes / m->nodes * width), most = (last - first) / THINNEST;
    count = count < most ? count : most;
    const int64_t start = WorkBefore(sweep, first), work = WorkBefore(sweep, last) - start;
    bool made = true;
    for (int s = 1; made && s <= count; ++s)
    {
        int end = begin + THINNEST, left = (count - s) * THINNEST;
        while (end < last - left && WorkBefore(sweep, end) < start + work * s / count)
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

// Drives and dispersion with a lag have walks of their own. Flat bodies cannot be cut into slabs, planes of a few nodes cost more than their
// springs, and those with few nodes in a large grid too much memory.
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
    const int* extent = body->lattice.extent;
    double places = (double)extent[0] * extent[1], nodes = (double)body->nodeCount / (planes > 0 ? planes : 1);
    return planes >= 2 * THINNEST && nodes >= FEWEST && places <= EMPTIEST * nodes;
}

static bool Allocate(Maker* m, int planes, int slabs)
{
    Kernel* kernel = m->kernel;
    SweepKernel* sweep = m->sweep;
    sweep->planes = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)planes, sizeof(Plane));
    sweep->lost = RSL_NAME(rslKernel_Allocate)(kernel, 2 * (size_t)planes, sizeof *sweep->lost);
    sweep->changed = sweep->lost != NULL ? sweep->lost + planes : NULL;
    sweep->slabs = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)slabs, sizeof(Slab));
    sweep->speeds = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)planes, sizeof(PlaneSpeed));
    return sweep->planes != NULL && sweep->lost != NULL && sweep->slabs != NULL && sweep->speeds != NULL;
}

// What grew is kept with the kernel, as large as it is.
static void* Settled(Maker* m, void* grown, size_t count, size_t size)
{
    void* kept = RSL_NAME(rslKernel_Allocate)(m->kernel, count, size);
    if (kept != NULL && count > 0)
    {
        memcpy(kept, grown, count * size);
    }
    rslRelease(m->hooks, grown);
    return kept;
}

static bool Settle(Maker* m)
{
    SweepKernel* s = m->sweep;
    s->strips = Settled(m, s->strips, (size_t)s->stripCount, sizeof(Strip));
    s->segments = Settled(m, s->segments, (size_t)s->segmentCount, sizeof(Segment));
    s->runs = Settled(m, s->runs, (size_t)s->runCount, sizeof(StripRun));
    s->chunks = Settled(m, s->chunks, (size_t)s->chunkCount, sizeof(int));
    s->constants = Settled(m, s->constants, s->constantCount, sizeof(Real));
    rslRelease(m->hooks, m->slots);
    return s->strips != NULL && s->segments != NULL && s->runs != NULL && s->chunks != NULL && s->constants != NULL;
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
