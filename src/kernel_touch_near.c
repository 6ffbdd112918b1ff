// SPDX-License-Identifier: MIT
//
// kernel_touch_near.c: for how long it is known what can touch, so that only that is looked at.
//
// After a look at all contact nodes those are listed that can touch before anything has moved by a margin (collide_few.c). Then every step
// asks how fast any node is and how fast its kick can make it, which bounds are for, over all nodes in vectors: as long as what was moved
// since the list was made, and what the next step can reach, is within the margin, the list has all that a look at everything would find.
// So nothing depends on how long it lasts. Of a list that lasts long, what can touch within a few steps is a shorter one. What is fast (rslTouch_IsFast) is looked at as a whole, and so is what the list cannot know of:
// rigid bodies, prescribed motion, volumes that are kept by impulses.

#include "kernel_touch.h"

#include "memory.h"

#include <stdint.h>
#include <string.h>

#define Fastest RSL_NAME(rslTouch_Fastest)
#define Hardest RSL_NAME(rslTouch_Hardest)

enum
{
    LATER = 16,  // looks after a list that could not be made
    MANY = 4     // steps that are worth a list at once
};

static const double lasting = 40.0;      // steps that a margin is for,
static const double closeLasting = 8.0;  // that of a narrow list
static const double closePart = 0.7;     // of the margin that is left: more is not worth it
static const double mostPart = 2.0;      // of the size of cells, which it is at most,
static const double leastPart = 1e-3;
static const double slack = 1.0 + 1e-5;  // for the rounding of bounds

// ---- bounds ---------------------------------------------------------------------------------------------------------

RSL_INLINE Real Square(const Real* x, const Real* y, const Real* z, const Real* mass, int i)
{
    Real square = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
    return mass != NULL ? square / (mass[i] * mass[i]) : square;
}

#if RSL_PRECISION == 32
typedef int32_t Bits;
#define UNSIGNED INT32_MAX
#else
typedef int64_t Bits;
#define UNSIGNED INT64_MAX
#endif

// The largest, by bits: what is not negative has their order, and what is not a number is larger than all, whatever its sign.
RSL_INLINE Real Largest(const Real* restrict x, const Real* restrict y, const Real* restrict z,
                        const Real* restrict mass, int count)
{
    Bits most = 0;
    Real largest;
    for (int i = 0; i < count; ++i)
    {
        Real square = Square(x, y, z, mass, i);
        Bits bits;
        memcpy(&bits, &square, sizeof bits);
        bits &= UNSIGNED;
        most = bits > most ? bits : most;
    }
    memcpy(&largest, &most, sizeof largest);
    return largest;
}

RSL_CLONES static Real Fastest(const Real* x, const Real* y, const Real* z, int count)
{
    return Largest(x, y, z, NULL, count);
}

RSL_CLONES static Real Hardest(const Real* x, const Real* y, const Real* z, const Real* mass, int count)
{
    return Largest(x, y, z, mass, count);
}

static bool IsAsked(const Kernel* kernel)
{
    return kernel->touch != NULL && kernel->touch->fast != NULL && kernel->touch->rigid == NULL;
}

void RSL_NAME(rslTouch_BoundSpeed)(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    if (IsAsked(kernel) && !kernel->speedsHold)
    {
        int n = chunk->begin;
        kernel->touch->near.speeds[chunk->index] =
            sqrt((double)Fastest(view->w[0] + n, view->w[1] + n, view->w[2] + n, chunk->end - n));
    }
}

void RSL_NAME(rslTouch_BoundKick)(const Kernel* kernel, const Chunk* chunk)
{
    if (IsAsked(kernel) && kernel->touch->near.known)
    {
        int n = chunk->begin;
        kernel->touch->near.kicks[chunk->index] = sqrt((double)Hardest(
            kernel->force[0] + n, kernel->force[1] + n, kernel->force[2] + n, kernel->mass + n, chunk->end - n));
    }
}

static void BoundChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    RSL_NAME(rslTouch_BoundSpeed)(kernel, view, chunk);
}

double RSL_NAME(rslTouch_BoundSpeeds)(Kernel* kernel, const View* view)
{
    double most = 0.0;
    if (!kernel->speedsHold)
    {
        RSL_NAME(rslKernel_ForChunksLight)(kernel, view, BoundChunk, NULL);
    }
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        const FrameView* frame = &kernel->frames[kernel->chunks[c].body];
        most = rslMost(most, rslLength(frame->velocity) + kernel->touch->near.speeds[c]);
    }
    return slack * most;
}

static double BoundKicks(const Kernel* kernel)
{
    double most = 0.0;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        most = rslMost(most, kernel->touch->near.kicks[c]);
    }
    return slack * most;
}

// ---- lists ----------------------------------------------------------------------------------------------------------

bool RSL_NAME(rslTouch_MakeNear)(Kernel* kernel)
{
    TouchNear* near = &kernel->touch->near;
    near->speeds = RSL_NAME(rslKernel_Allocate)(kernel, 2 * (size_t)kernel->chunkCount, sizeof(double));
    near->kicks = near->speeds != NULL ? near->speeds + kernel->chunkCount : NULL;
    near->possible = kernel->touch->fast != NULL && kernel->rigids == NULL && kernel->hardVolumes == 0 &&
                     kernel->touch->size < INFINITY;
    for (int c = 0; c < kernel->model->constraintCount; ++c)
    {
        near->possible = near->possible && kernel->model->constraints[c].type != rsl_motionConstraint;
    }
    return near->speeds != NULL;
}

void RSL_NAME(rslTouch_Begin)(Kernel* kernel, bool careful, bool same, int64_t steps)
{
    TouchNear* near = &kernel->touch->near;
    near->begun = true;
    near->known = near->known && same;
    near->careful = careful;
    kernel->touch->flight.mapped = kernel->touch->flight.mapped && same;
    kernel->touch->flight.fresh = false;
    near->wait = same ? near->wait : steps < MANY ? 1 : 0;
}

bool RSL_NAME(rslTouch_KnowsNear)(Kernel* kernel, const View* view, const rslState* state, double kick)
{
    const double step = state->step;
    TouchKernel* touch = kernel->touch;
    TouchNear* near = &touch->near;
    bool found = near->found, maps = RSL_NAME(rslTouch_Land)(kernel, state);
    near->found = false;
    near->known = near->known && !maps;
    if (!near->known)
    {
        return false;
    }
    double speed = found ? near->speed : RSL_NAME(rslTouch_BoundSpeeds)(kernel, view), kicks = BoundKicks(kernel);
    // places are those of the middles of steps; what closes is seen from twice as far, and drives what it hits as far again
    RSL_NAME(rslTouch_Shifted)(kernel, (step > near->step ? step : near->step) * speed);
    near->step = step;
    near->pace = touch->spread * step * speed;
    near->way = near->pace + touch->spread * step * kick * kicks;
    near->known = near->moved + 4.0 * near->way < near->margin && near->way < RSL_FAST_PART * touch->size;
    if (near->narrow && !(near->known && near->closeMoved + 4.0 * near->way < near->closeMargin))
    {
        near->narrow = false;
        rslCollide_WidenFew(touch->collide);
    }
    return near->known;
}

void RSL_NAME(rslTouch_Shifted)(Kernel* kernel, double moved)
{
    TouchNear* near = &kernel->touch->near;
    near->moved += kernel->touch->spread * moved;
    near->closeMoved += kernel->touch->spread * moved;
}

void RSL_NAME(rslTouch_Narrow)(Kernel* kernel)
{
    TouchNear* near = &kernel->touch->near;
    double margin = 4.5 * near->way + closeLasting * near->pace;
    if (near->known && !near->narrow && margin < closePart * (near->margin - near->moved))
    {
        rslCollide_NarrowFew(kernel->touch->collide, margin);
        near->narrow = true;
        near->closeMargin = margin;
        near->closeMoved = 0.0;
    }
}

void RSL_NAME(rslTouch_Forget)(Kernel* kernel)
{
    kernel->touch->near.known = kernel->touch->flight.mapped = false;
}

// Hosts that take a step a call, or a few, have no use for a list, and one that could not be made cannot be made a moment later.
void RSL_NAME(rslTouch_ListNear)(Kernel* kernel, double step)
{
    TouchKernel* touch = kernel->touch;
    TouchNear* near = &touch->near;
    near->known = near->narrow = false;
    if (!near->possible || !near->begun || near->wait > 0)
    {
        near->wait -= near->wait > 0;
        return;
    }
    double squares = 0.0;
    for (int b = 0; b < TouchBlocks(touch->count); ++b)
    {
        squares = rslMost(squares, touch->fastest[b]);
    }
    double wish = lasting * step * touch->spread * sqrt(squares);
    double least = leastPart * touch->size, most = mostPart * touch->size;
    double margin = wish < most ? wish : most;
    for (margin = margin > least ? margin : least; !near->known && margin >= least; margin *= 0.25)
    {
        near->known = rslCollide_ListFew(touch->collide, margin);
        near->margin = margin;
    }
    near->wait = near->known ? 0 : LATER;
    near->moved = 0.0;
    if (near->known)
    {
        RSL_NAME(rslTouch_Map)(kernel, near->margin);
    }
    near->step = step;
}
