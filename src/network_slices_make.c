// SPDX-License-Identifier: MIT
//
// network_slices_make.c: rows and constants of the slices of network bodies.
//
// Of the springs of a slice, those that lead over as many slots make a row, if they are enough; of the rest those that have all constants
// the same (network_palettes.c). What is left over is dealt out to rows as every slot has it.

#include "network_palettes.h"

#include "spring_law.h"

#include <string.h>

enum
{
    FEW = 64,           // springs of slices without any
    STRAIGHT_TIME = 3,  // of a row, measured
    LISTED_TIME = 5,
    OWN_TIME = 3,                 // more with ways of its own
    ENOUGH_ALIKE = 3 * SLICE / 4  // springs that are worth a listed row of what is alike
};

// ---- rows -------------------------------------------------------------------------------------------------------------

static void FindSprings(Maker* m, int slice)
{
    m->springCount = 0;
    for (int slot = SLICE * slice; slot < SLICE * slice + SLICE && slot < m->body->nodeCount; ++slot)
    {
        int node = m->order[slot];
        for (int e = m->start[node]; e < m->start[node + 1]; ++e)
        {
            double way[3];
            Spring* spring = &m->springs[m->springCount++];
            *spring = RSL_NAME(rslPalettes_Spring)(m, node, &m->entries[e], way);
            RSL_NAME(rslPalettes_LookUp)(m, spring, way);
        }
    }
}

static SpringGroup* FindGroup(Maker* m, int key, const Spring* first)
{
    uint32_t at = (uint32_t)key * 2654435761u >> 7;
    for (;; ++at)
    {
        int* entry = &m->table[at & (uint32_t)(m->tableSize - 1)];
        if (*entry == 0)
        {
            m->groups[m->groupCount] =
                (SpringGroup){ .key = key, .way = first->way, .rest = first->rest, .at = (int)(entry - m->table) };
            *entry = ++m->groupCount;
        }
        SpringGroup* group = &m->groups[*entry - 1];
        if (group->key == key)
        {
            return group;
        }
    }
}

static void AddToGroup(SpringGroup* group, const Spring* spring)
{
    group->lanes |= UINT32_C(1) << spring->lane;
    group->count += 1;
    group->way = group->way == spring->way ? group->way : -1;
    group->rest = group->rest == spring->rest ? group->rest : -1;
}

// Springs without a row, by what they lead over or by their constants; one for each lane.
static void GroupSprings(Maker* m, bool listed)
{
    m->groupCount = 0;
    for (int i = 0; i < m->springCount; ++i)
    {
        Spring* spring = &m->springs[i];
        spring->group = -1;
        if (spring->sort == ROW_SORTS && (!listed || (spring->way >= 0 && spring->rest >= 0)))
        {
            SpringGroup* group = FindGroup(m, listed ? MOST_RESTS * spring->way + spring->rest : spring->over, spring);
            if ((group->lanes >> spring->lane & 1) == 0)
            {
                AddToGroup(group, spring);
                spring->group = (int)(group - m->groups);
            }
        }
    }
    for (int g = 0; g < m->groupCount; ++g)
    {
        m->table[m->groups[g].at] = 0;
    }
}

static RowSort SortOf(int way, int rest, bool listed)
{
    return (RowSort)((listed ? LISTED : 0) | (way < 0 ? OWN_WAY : 0) | (rest < 0 ? OWN_REST : 0));
}

// Groups of so many or more get rows.
static void TakeRows(Maker* m, int enough, bool listed)
{
    for (int g = 0; g < m->groupCount; ++g)
    {
        SpringGroup* group = &m->groups[g];
        group->row = group->count >= enough ? m->rows[SortOf(group->way, group->rest, listed)]++ : -1;
    }
    for (int i = 0; i < m->springCount; ++i)
    {
        Spring* spring = &m->springs[i];
        const SpringGroup* group = spring->group >= 0 ? &m->groups[spring->group] : NULL;
        if (group != NULL && group->row >= 0)
        {
            spring->sort = SortOf(group->way, group->rest, listed);
            spring->row = group->row;
        }
    }
}

// The time of a slice whose straight rows have so many springs or more.
static int TimeOf(const Maker* m, int enough)
{
    int counts[SLICE] = { 0 }, straight = 0, listed = 0;
    for (int g = 0; g < m->groupCount; ++g)
    {
        straight += m->groups[g].count >= enough ? 1 : 0;
    }
    for (int i = 0; i < m->springCount; ++i)
    {
        const Spring* spring = &m->springs[i];
        if (spring->group < 0 || m->groups[spring->group].count < enough)
        {
            int count = ++counts[spring->lane];
            listed = count > listed ? count : listed;
        }
    }
    int own = m->ways > 0 ? 0 : OWN_TIME;
    return (STRAIGHT_TIME + own) * straight + (LISTED_TIME + own) * listed;
}

// Springs that are left over, row by row: the first ones of all slots, the second ones, ...
static void DealRows(Maker* m)
{
    int counts[SLICE] = { 0 };
    m->groupCount = 0;
    for (int i = 0; i < m->springCount; ++i)
    {
        Spring* spring = &m->springs[i];
        spring->group = spring->sort == ROW_SORTS ? counts[spring->lane]++ : -1;
        if (spring->group >= m->groupCount)
        {
            m->groups[m->groupCount++] = (SpringGroup){ .way = spring->way, .rest = spring->rest };
        }
        if (spring->group >= 0)
        {
            AddToGroup(&m->groups[spring->group], spring);
        }
    }
    TakeRows(m, 1, true);
}

static void PlanSlice(Maker* m, int slice)
{
    int enough = SLICE;
    memset(m->rows, 0, sizeof m->rows);
    FindSprings(m, slice);
    GroupSprings(m, false);
    for (int less = SLICE / 2; less > 1; less /= 2)
    {
        enough = TimeOf(m, less) < TimeOf(m, enough) ? less : enough;
    }
    TakeRows(m, enough, false);
    GroupSprings(m, true);
    TakeRows(m, ENOUGH_ALIKE, true);
    DealRows(m);
}

// ---- what they are made into --------------------------------------------------------------------------------------------

// What all slices have: rows, listed ones, and constants of their own, in numbers of every lane.
typedef struct Room
{
    SliceRows rows;
    bool near;
} Room;

static Room PlanSlices(Maker* m)
{
    Room room = { .near = true };
    for (int slice = 0; slice < m->out->slices; ++slice)
    {
        PlanSlice(m, slice);
        memcpy(room.rows.count, m->rows, sizeof m->rows);
        m->out->rows[slice] = room.rows;
        room.rows = RowsFrom(&room.rows, ROW_SORTS, ConstantsOf(m->out));
        for (int i = 0; i < m->springCount; ++i)
        {
            const Spring* spring = &m->springs[i];
            int other = spring->lane + spring->over;
            room.near = room.near && (IsStraight(spring->sort) || (other >= INT16_MIN && other <= INT16_MAX));
        }
    }
    return room;
}

static void PutListed(const SliceBody* out, size_t at, int other)
{
    if (out->near != NULL)
    {
        out->near[at] = (int16_t)other;
    }
    else
    {
        out->far[at] = other;
    }
}

// Lanes of listed rows without a spring lead to their own slot.
static void FillRows(const Maker* m, const SliceRows* rows)
{
    size_t end = SLICE * (size_t)RowsFrom(rows, ROW_SORTS, 0).listed;
    for (size_t e = SLICE * (size_t)rows->listed; e < end; ++e)
    {
        PutListed(m->out, e, (int)(e % SLICE));
    }
}

static void FillSpring(const Maker* m, const SliceRows* rows, const Spring* spring)
{
    const SliceBody* out = m->out;
    int numbers = ConstantsOf(out), own = OwnOf(spring->sort, numbers);
    SliceRows from = RowsFrom(rows, spring->sort, numbers);
    RowHead* head = &out->heads[from.first + spring->row];
    head->lanes |= (uint16_t)(1u << spring->lane);
    head->over = IsStraight(spring->sort) ? spring->over : 0;
    head->way = (uint8_t)((spring->sort & OWN_WAY) == 0 ? spring->way : 0);
    head->rest = (uint8_t)((spring->sort & OWN_REST) == 0 ? spring->rest : 0);
    if (!IsStraight(spring->sort))
    {
        PutListed(out, SLICE * (size_t)(from.listed + spring->row) + (size_t)spring->lane, spring->lane + spring->over);
    }
    Real* to = out->constants + SLICE * (size_t)(from.own + own * spring->row) + spring->lane;
    for (int n = 0; n < own; ++n)
    {
        to[SLICE * n] = spring->of[(spring->sort & OWN_WAY) != 0 ? n : OF_STIFFNESS + n];
    }
}

static bool MakeRows(Maker* m, Room room)
{
    SliceBody* out = m->out;
    size_t listed = SLICE * (size_t)room.rows.listed, rests = (size_t)(ConstantsOf(out) - OF_STIFFNESS);
    out->heads = RSL_NAME(rslKernel_Allocate)(m->kernel, (size_t)room.rows.first, sizeof(RowHead));
    out->constants = RSL_NAME(rslKernel_Allocate)(m->kernel, SLICE * (size_t)room.rows.own, sizeof(Real));
    out->ways = RSL_NAME(rslKernel_Allocate)(m->kernel, 2 * OF_STIFFNESS * (size_t)m->ways, sizeof(Real));
    out->rests = RSL_NAME(rslKernel_Allocate)(m->kernel, rests * (size_t)m->rests, sizeof(Real));
    bool made = out->heads != NULL && out->constants != NULL && out->ways != NULL && out->rests != NULL;
    if (made && room.near && listed > 0)
    {
        out->near = RSL_NAME(rslKernel_Allocate)(m->kernel, listed, sizeof(int16_t));
        made = out->near != NULL;
    }
    else if (made && listed > 0)
    {
        out->far = RSL_NAME(rslKernel_Allocate)(m->kernel, listed, sizeof(int));
        made = out->far != NULL;
    }
    return made;
}

static bool FillSlices(Maker* m)
{
    RSL_NAME(rslPalettes_Find)(m);
    Room room = PlanSlices(m);
    if (!MakeRows(m, room))
    {
        return false;
    }
    RSL_NAME(rslPalettes_Fill)(m);
    for (int slice = 0; slice < m->out->slices; ++slice)
    {
        PlanSlice(m, slice);
        FillRows(m, &m->out->rows[slice]);
        for (int i = 0; i < m->springCount; ++i)
        {
            FillSpring(m, &m->out->rows[slice], &m->springs[i]);
        }
    }
    return true;
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

// Room for the slice that has the most springs.
static bool MakeWork(Maker* m)
{
    int most = FEW, count = m->body->nodeCount;
    for (int slot = 0; slot < count; slot += SLICE)
    {
        int springs = 0;
        for (int i = slot; i < slot + SLICE && i < count; ++i)
        {
            springs += m->start[m->order[i] + 1] - m->start[m->order[i]];
        }
        most = springs > most ? springs : most;
    }
    m->tableSize = 2 * FEW;
    while (m->tableSize < 2 * most)
    {
        m->tableSize *= 2;
    }
    m->springs = rslAllocate(m->hooks, (size_t)most, sizeof(Spring));
    m->groups = rslAllocate(m->hooks, (size_t)most, sizeof(SpringGroup));
    m->table = rslAllocate(m->hooks, (size_t)m->tableSize, sizeof(int));
    return m->springs != NULL && m->groups != NULL && m->table != NULL;
}

static bool MakeSlices(Maker* m)
{
    int count = m->body->nodeCount;
    SliceBody* out = m->out;
    out->slices = (count + SLICE - 1) / SLICE;
    out->nodes = RSL_NAME(rslKernel_Allocate)(m->kernel, SLICE * (size_t)out->slices, sizeof(int));
    out->rows = RSL_NAME(rslKernel_Allocate)(m->kernel, (size_t)out->slices, sizeof(SliceRows));
    m->order = rslAllocate(m->hooks, (size_t)count, sizeof(int));
    m->slotOf = rslAllocate(m->hooks, (size_t)count, sizeof(int));
    bool made = out->nodes != NULL && out->rows != NULL && m->order != NULL && m->slotOf != NULL &&
                RSL_NAME(rslSlots_Order)(m->body, m->start, m->entries, m->hooks, m->order) && MakeWork(m);
    if (made)
    {
        FillSlots(m);
        Classify(m);
        made = FillSlices(m) && RSL_NAME(rslSlices_MakePlaces)(m->kernel, out, 0) &&
               (!out->damped || RSL_NAME(rslSlices_MakeSpeeds)(m->kernel, out, 0));
    }
    rslRelease(m->hooks, m->order);
    rslRelease(m->hooks, m->slotOf);
    rslRelease(m->hooks, m->springs);
    rslRelease(m->hooks, m->groups);
    rslRelease(m->hooks, m->table);
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
