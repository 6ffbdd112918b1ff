// SPDX-License-Identifier: MIT
//
// element_angle_lanes.c: forces of triangles with angular springs (element_angle.h), LANES at a time, with the bits of one at a time.

#include "element_lanes.h"

#include "element_angle.h"

#define Lane RSL_NAME(rslAngleLane)
#define AnswerElastic RSL_NAME(rslAngles_AnswerElastic)
#define AnswerDamped RSL_NAME(rslAngles_AnswerDamped)

enum
{
    NUMBERS = sizeof(AngleShape) / sizeof(Real)
};

typedef Real Lane[LANES];

// Triangles that follow each other in the list of those of a chunk; the last one stands for those that are missing.
struct AngleBatch
{
    int count;
    int element[LANES];
    Lane shape[NUMBERS];
};

// Corners, axis by axis.
typedef struct Corners
{
    Lane of[3][3];
} Corners;

// ---- making ---------------------------------------------------------------------------------------------------------

static int BatchesOf(const Kernel* kernel, int chunk)
{
    const ElementKernel* e = kernel->elements;
    bool angles = ElementsOf(kernel, kernel->chunks[chunk].body)->kind == rsl_angleElements;
    return angles ? (e->ownedStart[chunk + 1] - e->ownedStart[chunk] + LANES - 1) / LANES : 0;
}

static void FillBatch(const ElementKernel* e, const int* owned, int count, AngleBatch* batch)
{
    batch->count = count < LANES ? count : LANES;
    for (int i = 0; i < LANES; ++i)
    {
        batch->element[i] = owned[i < count ? i : count - 1];
        for (int n = 0; n < NUMBERS; ++n)
        {
            batch->shape[n][i] = e->elements[batch->element[i]].rest[n];
        }
    }
}

bool RSL_NAME(rslAngles_Make)(Kernel* kernel)
{
    ElementKernel* e = kernel->elements;
    size_t count = 0;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        count += (size_t)BatchesOf(kernel, c);
    }
    if (count == 0)
    {
        return true;
    }
    e->angleStart = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount + 1, sizeof(int));
    e->angles = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(AngleBatch));
    for (int c = 0; e->angleStart != NULL && e->angles != NULL && c < kernel->chunkCount; ++c)
    {
        const int first = e->angleStart[c], batches = BatchesOf(kernel, c);
        for (int b = 0; b < batches; ++b)
        {
            const int at = e->ownedStart[c] + b * LANES;
            FillBatch(e, e->owned + at, e->ownedStart[c + 1] - at, &e->angles[first + b]);
        }
        e->angleStart[c + 1] = first + batches;
    }
    return e->angleStart != NULL && e->angles != NULL;
}

// ---- answering ------------------------------------------------------------------------------------------------------

RSL_INLINE void TakeLane(const Corners* from, int i, Real (*to)[3])
{
    for (int n = 0; n < 9; ++n)
    {
        to[n / 3][n % 3] = from->of[n / 3][n % 3][i];
    }
}

RSL_INLINE void PutLane(Real (*from)[3], int i, Corners* to)
{
    for (int n = 0; n < 9; ++n)
    {
        to->of[n / 3][n % 3][i] = from[n / 3][n % 3];
    }
}

// Forces, and C w / alpha1.
RSL_INLINE void AnswerAll(const AngleBatch* batch, const Corners* u, const Corners* w, Corners* force, Corners* drag)
{
    for (int i = 0; i < LANES; ++i)
    {
        AngleShape shape;
        Triangle t;
        Real at[3][3], out[3][3];
        RSL_UNROLL
        for (int n = 0; n < NUMBERS; ++n)
        {
            ((Real*)(void*)&shape)[n] = batch->shape[n][i];
        }
        TakeLane(u, i, at);
        LookAtAngles(&shape, at, &t);
        AngleForce(&shape, &t, out);
        PutLane(out, i, force);
        if (w != NULL)
        {
            TakeLane(w, i, at);
            AngleDamping(&shape, &t, at, out);
            PutLane(out, i, drag);
        }
    }
}

RSL_CLONES static void AnswerElastic(const AngleBatch* restrict batch, const Corners* restrict u,
                                     Corners* restrict force)
{
    AnswerAll(batch, u, NULL, force, NULL);
}

RSL_CLONES static void AnswerDamped(const AngleBatch* restrict batch, const Corners* restrict u,
                                    const Corners* restrict w, Corners* restrict force, Corners* restrict drag)
{
    AnswerAll(batch, u, w, force, drag);
}

static void CollectCorners(const ElementKernel* e, const AngleBatch* batch, Real* const from[3], Corners* to)
{
    for (int i = 0; i < LANES; ++i)
    {
        const int* nodes = e->elements[batch->element[i]].nodes;
        for (int n = 0; n < 9; ++n)
        {
            to->of[n / 3][n % 3][i] = from[n % 3][nodes[n / 3]];
        }
    }
}

static void AddCorners(const ElementKernel* e, const AngleBatch* batch, const Corners* corners, Real* const sums[3])
{
    for (int i = 0; i < batch->count; ++i)
    {
        const int* place = e->slotPlace + e->elements[batch->element[i]].first;
        for (int n = 0; n < 9; ++n)
        {
            sums[n % 3][place[n / 3]] += corners->of[n / 3][n % 3][i];
        }
    }
}

// What dampers add to forces; what they take is added up [W].
static void Damp(const ElementKernel* e, const AngleBatch* batch, const Corners* w, Corners* force, Corners* drag,
                 double* lost)
{
    for (int i = 0; i < batch->count; ++i)
    {
        const Real damping = e->elements[batch->element[i]].damping;
        double power = 0.0;
        for (int n = 0; n < 9; ++n)
        {
            Real one = damping * drag->of[n / 3][n % 3][i];
            drag->of[n / 3][n % 3][i] = one;
            force->of[n / 3][n % 3][i] -= one;
            power += (double)one * (double)w->of[n / 3][n % 3][i];
        }
        *lost += power;
    }
}

double RSL_NAME(rslAngles_Forces)(Kernel* kernel, const View* view, const Chunk* chunk)
{
    const ElementKernel* e = kernel->elements;
    double lost = 0.0;
    for (int b = e->angleStart[chunk->index]; b < e->angleStart[chunk->index + 1]; ++b)
    {
        const AngleBatch* batch = &e->angles[b];
        Corners u, w, force, drag;
        CollectCorners(e, batch, view->u, &u);
        if (e->damped)
        {
            CollectCorners(e, batch, view->w, &w);
            AnswerDamped(batch, &u, &w, &force, &drag);
            Damp(e, batch, &w, &force, &drag, &lost);
        }
        else
        {
            AnswerElastic(batch, &u, &force);
        }
        if (e->damped && e->drags[0] != NULL)
        {
            AddCorners(e, batch, &drag, e->drags);
        }
        AddCorners(e, batch, &force, e->sums);
    }
    return lost;
}
