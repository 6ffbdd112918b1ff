// SPDX-License-Identifier: MIT
//
// force_element.c: finite elements as a force term. Every element is evaluated once, by the chunk that owns its lowest
// node, which sums up the forces at the nodes that its elements have; then every node adds what chunks have for it, in
// their order. So elements are not evaluated at each of their nodes, and the bits do not depend on the number of
// threads. Most kinds are asked many at a time (element_lanes.h).

#include "brick.h"
#include "element_group.h"
#include "element_lanes.h"
#include "element_walk.h"
#include "kernel_element.h"
#include "lists.h"

#include <limits.h>
#include <string.h>

const ElementKind* const RSL_NAME(rslElementKinds)[rsl_elementKindCount] = {
    [rsl_triangleElements] = &RSL_NAME(rslTriangleElement),
    [rsl_angleElements] = &RSL_NAME(rslAngleElement),
    [rsl_tetrahedronElements] = &RSL_NAME(rslTetrahedronElement),
    [rsl_hexahedronElements] = &RSL_NAME(rslHexahedronElement),
    [rsl_brickElements] = &RSL_NAME(rslBrickElement),
    [rsl_boxElements] = &RSL_NAME(rslBoxElement),
    [rsl_solidElements] = &RSL_NAME(rslSolidElement),
};

// ---- making -------------------------------------------------------------------------------------------------------

// Numbers in the records of a body.
static size_t RestNumbers(const rslElements* set)
{
    int records = set->recordCount > 0 ? set->recordCount : set->count;
    return set->count > 0 ? (size_t)records * (size_t)KindOf(set)->restCount : 0;
}

static Real* RestOf(const rslElements* set, int index, Real* rests)
{
    int shared = set->record != NULL ? set->record[index] : 0;
    return rests + (size_t)KindOf(set)->restCount * (size_t)(set->recordCount > 0 ? shared : index);
}

static Element MakeElement(const Kernel* kernel, int body, int index, Real* rests, int first)
{
    const rslElements* set = ElementsOf(kernel, body);
    const ElementKind* kind = KindOf(set);
    double nu = set->ratio != NULL ? set->ratio[index] : set->poisson, mu = set->young / (2.0 * (1.0 + nu)),
           x[ELEMENT_NODES][3];
    double lambda = set->young * nu / (1.0 + nu) / (set->thickness > 0.0 ? 1.0 - nu : 1.0 - 2.0 * nu);
    double weight = set->weight != NULL ? set->weight[index] : 1.0;
    Element element = {
        .first = first,
        .volume = (Real)(weight * (set->thickness > 0.0 ? set->thickness : 1.0)),
        .lambda = (Real)lambda,
        .mu = (Real)mu,
        .damping = set->damping != NULL ? (Real)set->damping[index] : kernel->bodies[body].stiffnessDamping,
    };
    for (int c = 0; c < kind->nodeCount; ++c)
    {
        element.nodes[c] = set->nodes[(size_t)kind->nodeCount * (size_t)index + (size_t)c];
        rslVec3 at = RSL_NAME(rslKernel_RestOf)(kernel, body, element.nodes[c]);
        x[c][0] = at.x;
        x[c][1] = at.y;
        x[c][2] = at.z;
    }
    if (kernel->model->bodies[body].kind == rsl_latticeBody)
    {
        // the edge itself, without the rounding of positions
        x[1][0] = x[0][0] + kernel->bodies[body].spacing;
    }
    for (int c = 0; set->kind == rsl_boxElements && kernel->model->bodies[body].kind == rsl_latticeBody && c < 24; ++c)
    {
        x[c / 3][c % 3] = (c / 3) >> (c % 3) & 1 ? kernel->bodies[body].spacing : 0.0;
    }
    Real* rest = RestOf(set, index, rests);
    kind->rest(&element, rest, x, set, index);
    element.rest = rest;
    return element;
}

static bool Allocate(Kernel* kernel, ElementKernel* e, int slots, size_t numbers)
{
    e->restNumbers = numbers;
    e->rests = RSL_NAME(rslKernel_Allocate)(kernel, numbers, sizeof(Real));
    e->elements = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)e->count, sizeof(Element));
    e->lost = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount, sizeof(double));
    e->owned = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)e->count, sizeof(int));
    e->nodeSlots = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)slots, sizeof(int));
    e->slotOwner = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)slots, sizeof(int));
    e->slotStart = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->nodeCount + 1, sizeof(int));
    e->ownedStart = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount + 1, sizeof(int));
    if (RSL_PRECISION == 64)
    {
        e->turns = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)e->count, sizeof(Turn));
    }
    return (RSL_PRECISION != 64 || e->turns != NULL) && e->rests != NULL && e->elements != NULL && e->lost != NULL &&
           e->owned != NULL && e->nodeSlots != NULL && e->slotOwner != NULL && e->slotStart != NULL &&
           e->ownedStart != NULL;
}

// Elements of all bodies in their order; keys: the node of every slot, then the chunk of every element.
static void Fill(Kernel* kernel, ElementKernel* e, int* keys, int slots)
{
    int at = 0, slot = 0;
    Real* rests = e->rests;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        const rslElements* set = ElementsOf(kernel, b);
        for (int i = 0; i < set->count; ++i, ++at)
        {
            e->elements[at] = MakeElement(kernel, b, i, rests, slot);
            e->damped = e->damped || e->elements[at].damping != (Real)0;
            int lowest = e->elements[at].nodes[0];
            for (int c = 0; c < KindOf(set)->nodeCount; ++c, ++slot)
            {
                keys[slot] = e->elements[at].nodes[c];
                lowest = keys[slot] < lowest ? keys[slot] : lowest;
                e->slotOwner[slot] = at;
            }
            keys[slots + at] = ChunkOf(kernel, lowest)->index;
        }
        rests += RestNumbers(set);
    }
    rslInvert(keys, slots, kernel->nodeCount, e->slotStart, e->nodeSlots);
    rslInvert(keys + slots, e->count, kernel->chunkCount, e->ownedStart, e->owned);
}

bool RSL_NAME(rslElements_Make)(Kernel* kernel)
{
    int64_t count = 0, slots = 0;
    size_t numbers = 0;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        const rslElements* set = ElementsOf(kernel, b);
        count += set->count;
        numbers += RestNumbers(set);
        slots += set->count > 0 ? (int64_t)set->count * KindOf(set)->nodeCount : 0;
    }
    if (count == 0 || slots > INT_MAX)
    {
        return count == 0;  // slots are numbered by int: more is as if memory had run out
    }
    ElementKernel* e = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof(ElementKernel));
    int* keys = rslAllocate(&kernel->arena.hooks, (size_t)slots + (size_t)count, sizeof(int));
    bool made = e != NULL && keys != NULL;
    if (made)
    {
        e->count = (int)count;
        made = Allocate(kernel, e, (int)slots, numbers);
    }
    if (made)
    {
        Fill(kernel, e, keys, (int)slots);
        kernel->elements = e;
        made = RSL_NAME(rslElements_MakeLanes)(kernel) && RSL_NAME(rslAngles_Make)(kernel);
    }
    rslRelease(&kernel->arena.hooks, keys);
    return made;
}

bool RSL_NAME(rslElements_MakeDrags)(Kernel* kernel)
{
    ElementKernel* e = kernel->elements;
    if (e == NULL || !e->damped)
    {
        return true;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        e->drags[axis] = RSL_NAME(rslElements_Places)(kernel);
    }
    return e->drags[0] != NULL && e->drags[1] != NULL && e->drags[2] != NULL;
}

void RSL_NAME(rslElements_AskSingly)(void* kernel, bool singly)
{
    Kernel* asked = kernel;
    if (asked->elements != NULL)
    {
        asked->elements->singly = singly;
    }
}

// ---- evaluating ---------------------------------------------------------------------------------------------------

static bool Present(const Kernel* kernel)
{
    return kernel->elements != NULL;
}

typedef struct Evaluation
{
    Real* const* p;  // NULL: forces
    bool damping;    // C instead of K
    bool turned;     // K as element_turn.h has it
    Real rate;       // r: near K + r C instead of K
} Evaluation;

// Vectors of the corners to their places.
static inline void Add(const ElementKernel* e, const Element* element, int count, Real (*from)[3], Real* const sums[3])
{
    for (int c = 0; c < count; ++c)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            sums[axis][e->slotPlace[element->first + c]] += from[c][axis];
        }
    }
}

// Returns what its dampers take.
static double EvaluateForce(ElementKernel* e, int index, const ElementKind* kind, rslElementLaw law, const View* view)
{
    const Element* element = &e->elements[index];
    Nodes u, w, f, drag = { 0 };
    Collect(element, kind->nodeCount, view->u, u);
    kind->force(element, law, u, f);
    double power = 0.0;
    if (element->damping != (Real)0)
    {
        Collect(element, kind->nodeCount, view->w, w);
        kind->damping(element, law, u, w, drag);
        for (int c = 0; c < kind->nodeCount; ++c)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                Real one = element->damping * drag[c][axis];
                drag[c][axis] = one;
                f[c][axis] -= one;
                power += (double)one * (double)w[c][axis];
            }
        }
    }
    if (e->drags[0] != NULL)
    {
        Add(e, element, kind->nodeCount, drag, e->drags);
    }
    Add(e, element, kind->nodeCount, f, e->sums);
    return power;
}

static void EvaluateProduct(ElementKernel* e, int index, const ElementKind* kind, rslElementLaw law, const View* view,
                            const Evaluation* evaluation)
{
    const Element* element = &e->elements[index];
    Nodes u, p, out;
    Collect(element, kind->nodeCount, view->u, u);
    Collect(element, kind->nodeCount, evaluation->p, p);
    if (evaluation->turned)
    {
        TurnedProduct(kind, element, e->turns[index], p, out);
    }
    else
    {
        (evaluation->damping ? kind->damping : kind->stiffness)(element, law, u, p, out);
    }
    Real factor = evaluation->damping ? element->damping : (Real)1 + evaluation->rate * element->damping;
    for (int c = 0; c < 3 * kind->nodeCount; ++c)
    {
        out[c / 3][c % 3] *= factor;
    }
    Add(e, element, kind->nodeCount, out, e->sums);
}

// The places of a chunk, of forces or products; and of drag with forces.
static void Clear(const ElementKernel* e, const Chunk* chunk, bool forces)
{
    size_t first = (size_t)e->placeStart[chunk->index];
    size_t bytes = ((size_t)e->placeStart[chunk->index + 1] - first) * sizeof(Real);
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(e->sums[axis] + first, 0, bytes);
        if (forces && e->drags[axis] != NULL)
        {
            memset(e->drags[axis] + first, 0, bytes);
        }
    }
}

// Whether batches have answered.
static bool EvaluateBatches(Kernel* kernel, const View* view, const Chunk* chunk, const Evaluation* evaluation)
{
    ElementKernel* e = kernel->elements;
    if (!HasBatches(e, chunk) || evaluation->turned || (evaluation->p != NULL && e->groups == NULL))
    {
        return false;
    }
#if RSL_PRECISION == 64
    if (e->groups != NULL && evaluation->p != NULL)
    {
        rslElements_GroupProduct(kernel, view, chunk, evaluation->damping, evaluation->p);
        return true;
    }
    if (e->groups != NULL)
    {
        e->lost[chunk->index] = rslElements_GroupForces(kernel, view, chunk);
        return true;
    }
#endif
    e->lost[chunk->index] = RSL_NAME(rslElements_LaneForces)(kernel, view, chunk);
    return true;
}

static void EvaluateChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    ElementKernel* e = kernel->elements;
    Evaluation evaluation = *(const Evaluation*)context;
    const rslElements* set = ElementsOf(kernel, chunk->body);
    evaluation.turned = kernel->relaxed && IsTurned(set) && evaluation.p != NULL;
    evaluation.rate = kernel->relaxed ? (Real)kernel->rate : (Real)0;
    Clear(e, chunk, evaluation.p == NULL);
    if (EvaluateBatches(kernel, view, chunk, &evaluation))
    {
        return;
    }
    if (evaluation.p == NULL && HasAngles(e, chunk))
    {
        e->lost[chunk->index] = RSL_NAME(rslAngles_Forces)(kernel, view, chunk);
        return;
    }
    double lost = 0.0;
    for (int o = e->ownedStart[chunk->index]; o < e->ownedStart[chunk->index + 1]; ++o)
    {
        if (evaluation.p == NULL)
        {
            lost += EvaluateForce(e, e->owned[o], KindOf(set), set->law, view);
        }
        else
        {
            EvaluateProduct(e, e->owned[o], KindOf(set), set->law, view, &evaluation);
        }
    }
    e->lost[chunk->index] = evaluation.p == NULL ? lost : e->lost[chunk->index];
}

static void PrepareForce(Kernel* kernel, const View* view)
{
    Evaluation evaluation = { .p = NULL };
    RSL_NAME(rslKernel_ForChunks)(kernel, view, EvaluateChunk, &evaluation);
}

static void PrepareProduct(Kernel* kernel, const View* view, bool damping, Real* const p[3])
{
    if (!damping || kernel->elements->damped)
    {
        Evaluation evaluation = { .p = p, .damping = damping };
        RSL_NAME(rslKernel_ForChunks)(kernel, view, EvaluateChunk, &evaluation);
    }
}

// ---- what nodes get -----------------------------------------------------------------------------------------------

static void Gather(const Kernel* kernel, const Chunk* chunk, Real* const sums[3], Real sign, Real* const out[3])
{
    const ElementKernel* e = kernel->elements;
    for (int n = e->spanStart[chunk->index]; n < e->spanStart[chunk->index + 1]; ++n)
    {
        int node = e->spans[n], count = e->spans[n + 1] - node;
        const int *first = e->nodePlaces + e->nodeStart[node], *end = e->nodePlaces + e->nodeStart[node + 1];
        if (count > 1)
        {
            RSL_NAME(rslElements_AddSpan)(sums, first, end, sign, node, count, out);
            continue;
        }
        Real sum[3] = { 0, 0, 0 };
        for (const int* place = first; place < end; ++place)
        {
            sum[0] += sums[0][*place];
            sum[1] += sums[1][*place];
            sum[2] += sums[2][*place];
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            out[axis][node] += sign * sum[axis];
        }
    }
}

static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    const ElementKernel* e = kernel->elements;
    const rslElements* set = ElementsOf(kernel, chunk->body);
    double sum = 0.0;
#if RSL_PRECISION == 64
    if (e->groups != NULL && HasBatches(e, chunk))
    {
        return rslElements_GroupEnergy(kernel, view, chunk);
    }
#endif
    if (HasBatches(e, chunk))
    {
        return RSL_NAME(rslElements_LaneEnergy)(kernel, view, chunk);
    }
    for (int o = e->ownedStart[chunk->index]; o < e->ownedStart[chunk->index + 1]; ++o)
    {
        const Element* element = &e->elements[e->owned[o]];
        Nodes u;
        Collect(element, KindOf(set)->nodeCount, view->u, u);
        sum += KindOf(set)->energy(element, set->law, u);
    }
    return sum;
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    (void)view;
    const ElementKernel* e = kernel->elements;
    Gather(kernel, chunk, e->sums, (Real)1, kernel->force);
    if (e->drags[0] != NULL)
    {
        Gather(kernel, chunk, e->drags, (Real)-1, kernel->drag);
    }
    powers->dissipated += e->lost[chunk->index];
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    (void)view;
    (void)p;
    Gather(kernel, chunk, kernel->elements->sums, (Real)1, out);
}

static void Damping(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    if (kernel->elements->damped)
    {
        Stiffness(kernel, view, chunk, p, out);
    }
}

// ---- read-outs ----------------------------------------------------------------------------------------------------

static const double* ShareOf(const rslElements* set, int index)
{
    size_t record = (size_t)(set->record != NULL ? set->record[index] : 0);
    return set->constants + (size_t)RSL_BRICK_NUMBERS * record + RSL_BRICK_SHARE;
}

// Everything that a walk asks for.
static void Look(const Element* element, const ElementKind* kind, rslElementLaw law, const View* view,
                 const rslElementWalk* walk, rslElementView* out)
{
    Nodes u, f;
    Collect(element, kind->nodeCount, view->u, u);
    kind->stress(element, law, u, out->stress);
    out->energy = kind->energy(element, law, u);
    out->volume = (double)element->volume;
    if (walk->slopes && kind->slope != NULL)
    {
        kind->slope(element, law, u, out->slope);
    }
    if (walk->forces)
    {
        kind->force(element, law, u, f);
        for (int c = 0; c < 3 * kind->nodeCount; ++c)
        {
            out->forces[c / 3][c % 3] = (double)f[c / 3][c % 3];
        }
    }
}

void RSL_NAME(rslKernel_WalkElements)(void* argument, const rslState* state, const rslElementWalk* walk)
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    int at = 0;
    for (int b = 0; kernel->elements != NULL && b < kernel->model->bodyCount; ++b)
    {
        const rslElements* set = ElementsOf(kernel, b);
        for (int i = 0; i < set->count; ++i, ++at)
        {
            const Element* element = &kernel->elements->elements[at];
            const ElementKind* kind = KindOf(set);
            if (walk->wanted != NULL && !walk->wanted(b, element->nodes, kind->nodeCount, walk->context))
            {
                continue;
            }
            rslElementView one = { .body = b, .index = i, .nodes = element->nodes, .nodeCount = kind->nodeCount };
            one.share = set->kind == rsl_brickElements ? ShareOf(set, i) : NULL;
            Look(element, kind, set->law, &view, walk, &one);
            walk->visit(&one, walk->context);
        }
    }
}

const Term RSL_NAME(rslElementTerm) = {
    .name = "finite elements",
    .hasEnergy = true,
    .symmetric = true,
    .present = Present,
    .prepareForce = PrepareForce,
    .prepareProduct = PrepareProduct,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
    .diagonal = RSL_NAME(rslElements_Diagonal),
};
