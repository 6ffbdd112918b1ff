// SPDX-License-Identifier: MIT
//
// element_group_make.c: which elements are in which group (element_group.c), and their numbers by lanes. A kernel file, compiled in
// double precision only.

#include "element_group.h"

#include "element_wide.h"

enum
{
    GROUPED_NODES = 1 << 17  // of larger models one element is asked at a time: groups take 2 kB an element
};

static bool IsGrouped(const rslElements* set)
{
    bool known =
        set->kind == rsl_hexahedronElements || set->kind == rsl_brickElements || set->kind == rsl_tetrahedronElements;
    return set->count == 0 || (known && set->law == rsl_corotationalElement);
}

static bool IsPlain(const rslElements* set)
{
    return set->kind == rsl_tetrahedronElements;
}

// Numbers in dense.
static size_t CountDense(const rslElements* set, const Element* element)
{
    return IsPlain(set) ? 9 : element->rest[CUT] != 0.0 ? NUMBERS - MEAN : 0;
}

static void Put(Group* group, int lane, const rslElements* set, const Element* element, int index, Lanes* dense)
{
    const double* rest = element->rest;
    group->element[lane] = index;
    group->corners = KindOf(set)->nodeCount;
    for (int c = 0; c < group->corners; ++c)
    {
        group->node[c][lane] = element->nodes[c];
    }
    group->volume[lane] = element->volume;
    group->lambda[lane] = element->lambda;
    group->mu[lane] = element->mu;
    group->damping[lane] = element->damping;
    group->plain = IsPlain(set);
    group->cut = !group->plain && CountDense(set, element) > 0;
    group->dense = dense;
    for (size_t n = 0; n < CountDense(set, element); ++n)
    {
        dense[n][lane] = rest[(group->plain ? 0 : MEAN) + n];
    }
    if (group->plain)
    {
        return;
    }
    group->edge[lane] = rest[EDGE];
    group->ratio[lane] = element->volume * rest[EDGE] * rest[EDGE] * 4.0 / 3.0;
    for (int p = 0; p < PATTERNS; ++p)
    {
        group->floor[p][lane] = rest[p < 3 ? FLOOR : LAST];
    }
    if (!group->cut)
    {
        group->bend[lane] = rest[BEND] - rest[FLOOR];
        group->couple[lane] = rest[COUPLE];
        group->twist[lane] = rest[TWIST];
    }
}

// Groups of the elements of a chunk, those without dense numbers first; where there is room for them. Goes on in dense.
static int GroupChunk(const Kernel* kernel, const Chunk* chunk, Group* groups, Lanes* base, size_t* dense)
{
    const ElementKernel* e = kernel->elements;
    const rslElements* set = ElementsOf(kernel, chunk->body);
    int count = 0;
    for (int more = 0; more < 2; ++more)
    {
        int lane = 0;
        size_t numbers = 0;
        for (int o = e->ownedStart[chunk->index]; o < e->ownedStart[chunk->index + 1]; ++o)
        {
            const Element* element = &e->elements[e->owned[o]];
            if ((CountDense(set, element) > 0) != (more == 1))
            {
                continue;
            }
            for (int l = lane; groups != NULL && l < RSL_LANES; ++l)
            {
                Put(&groups[count], l, set, element, e->owned[o], base + *dense);
                groups[count].count = lane + 1;
            }
            numbers = CountDense(set, element);
            lane = (lane + 1) % RSL_LANES;
            count += lane == 0;
            *dense += lane == 0 ? numbers : 0;
        }
        count += lane > 0;
        *dense += lane > 0 ? numbers : 0;
    }
    return count;
}

bool rslElements_Group(Kernel* kernel)
{
    ElementKernel* e = kernel->elements;
    bool all = e != NULL && e->groups == NULL && kernel->nodeCount <= GROUPED_NODES;
    for (int b = 0; all && b < kernel->model->bodyCount; ++b)
    {
        all = IsGrouped(ElementsOf(kernel, b));
    }
    if (!all)
    {
        return true;
    }
    size_t dense = 0;
    ElementGroups* g = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof *g);
    int* start = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount + 1, sizeof(int));
    if (g == NULL || start == NULL)
    {
        return false;
    }
    g->start = start;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        start[c + 1] = start[c] + GroupChunk(kernel, &kernel->chunks[c], NULL, NULL, &dense);
    }
    g->count = start[kernel->chunkCount];
    Lanes* numbers = RSL_NAME(rslKernel_Allocate)(kernel, dense + 1, sizeof(Lanes));
    g->groups = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)g->count + 1, sizeof(Group));
    if (numbers == NULL || g->groups == NULL)
    {
        return false;
    }
    dense = 0;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        GroupChunk(kernel, &kernel->chunks[c], g->groups + start[c], numbers, &dense);
    }
    e->groups = g;
    return true;
}
