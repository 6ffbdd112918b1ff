// SPDX-License-Identifier: MIT
//
// kernel_touch_near.c: for how long it is known what can touch, so that only that is looked at.
//
// After a look at all contact nodes those are listed that can touch before anything has moved by a margin (collide_few.c). Then every step
// asks how fast any node is and how fast its kick can make it, which bounds are for, over all nodes in vectors: as long as what was moved
// since the list was made, and what the next step can reach, is within the margin, the list has all that a look at everything would find.
// So nothing depends on how long it lasts. What is fast (rslTouch_IsFast) is looked at as a whole, and so is what the list cannot know of:
// rigid bodies, prescribed motion, volumes that are kept by impulses.

#include "kernel_touch.h"

#include "memory.h"

#define Fastest RSL_NAME(rslTouch_Fastest)
#define Hardest RSL_NAME(rslTouch_Hardest)

enum
{
    LATER = 16  // looks after a list that could not be made
};

static const double lasting = 40.0;  // steps that a margin is for,
static const double mostPart = 2.0;  // of the size of cells, which it is at most,
static const double leastPart = 1e-3;
static const double slack = 1.0 + 1e-5;  // for the rounding of bounds

// ---- bounds ---------------------------------------------------------------------------------------------------------

RSL_INLINE Real Square(const Real* x, const Real* y, const Real* z, const Real* mass, int i)
{
    Real square = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
    return mass != NULL ? square / (mass[i] * mass[i]) : square;
}

// The largest, in parts, so that as many are compared together as there are lanes.
RSL_INLINE Real Largest(const Real* restrict x, const Real* restrict y, const Real* restrict z,
                        const Real* restrict mass, int count)
{
    Real most[LANES] = { 0 };
    int i = 0;
    for (; i + LANES <= count; i += LANES)
    {
        for (int l = 0; l < LANES; ++l)
        {
            Real square = Square(x, y, z, mass, i + l);
            most[l] = square > most[l] ? square : most[l];
        }
    }
    for (; i < count; ++i)
    {
        Real square = Square(x, y, z, mass, i);
        most[0] = square > most[0] ? square : most[0];
    }
    for (int l = 1; l < LANES; ++l)
    {
        most[0] = most[l] > most[0] ? most[l] : most[0];
    }
    return most[0];
}

RSL_CLONES static Real Fastest(const Real* x, const Real* y, const Real* z, int count)
{
    return Largest(x, y, z, NULL, count);
}

RSL_CLONES static Real Hardest(const Real* x, const Real* y, const Real* z, const Real* mass, int count)
{
    return Largest(x, y, z, mass, count);
}

static void BoundSpeeds(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    int n = chunk->begin, count = chunk->end - n;
    double own = sqrt((double)Fastest(view->w[0] + n, view->w[1] + n, view->w[2] + n, count));
    ((double*)context)[chunk - kernel->chunks] = rslLength(kernel->frames[chunk->body].velocity) + own;
}

static void BoundKicks(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)view;
    int n = chunk->begin, count = chunk->end - n;
    double own = sqrt(
        (double)Hardest(kernel->force[0] + n, kernel->force[1] + n, kernel->force[2] + n, kernel->mass + n, count));
    ((double*)context)[chunk - kernel->chunks] = own;
}

static double Bound(Kernel* kernel, const View* view, ChunkFunction* function)
{
    double most = 0.0, *bounds = kernel->touch->near.bounds;
    RSL_NAME(rslKernel_ForChunksLight)(kernel, view, function, bounds);
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        most = rslMost(most, bounds[c]);
    }
    return slack * most;
}

double RSL_NAME(rslTouch_BoundSpeeds)(Kernel* kernel, const View* view)
{
    return Bound(kernel, view, BoundSpeeds);
}

// ---- lists ----------------------------------------------------------------------------------------------------------

bool RSL_NAME(rslTouch_MakeNear)(Kernel* kernel)
{
    TouchNear* near = &kernel->touch->near;
    near->bounds = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount, sizeof(double));
    near->possible = kernel->touch->fast != NULL && kernel->rigids == NULL && kernel->hardVolumes == 0 &&
                     kernel->touch->size < INFINITY;
    for (int c = 0; c < kernel->model->constraintCount; ++c)
    {
        near->possible = near->possible && kernel->model->constraints[c].type != rsl_motionConstraint;
    }
    return near->bounds != NULL;
}

void RSL_NAME(rslTouch_Begin)(Kernel* kernel, bool same)
{
    TouchNear* near = &kernel->touch->near;
    near->begun = true;
    near->known = near->known && same;
    near->wait = same ? near->wait : 1;
}

bool RSL_NAME(rslTouch_KnowsNear)(Kernel* kernel, const View* view, double step, double kick)
{
    TouchKernel* touch = kernel->touch;
    TouchNear* near = &touch->near;
    bool found = near->found;
    near->found = false;
    if (!near->known)
    {
        return false;
    }
    double speed = found ? near->speed : Bound(kernel, view, BoundSpeeds), kicks = Bound(kernel, view, BoundKicks);
    // places are those of the middles of steps; what closes is seen from twice as far, and drives what it hits as far again
    near->moved += touch->spread * (step > near->step ? step : near->step) * speed;
    near->step = step;
    double way = touch->spread * step * (speed + kick * kicks);
    near->known = near->moved + 4.0 * way < near->margin && way < RSL_FAST_PART * touch->size;
    return near->known;
}

// Hosts that take one step a call have no use for a list, and one that could not be made cannot be made a moment later.
void RSL_NAME(rslTouch_ListNear)(Kernel* kernel, double step)
{
    TouchKernel* touch = kernel->touch;
    TouchNear* near = &touch->near;
    near->known = false;
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
    near->step = step;
}
