// SPDX-License-Identifier: MIT
//
// hard_volume.c: volumes that do not change, V(x) = V0.
//
// A drift of time t goes along the surface V = V0 (RATTLE; Andersen 1983): with g = dV/dx where it starts,
//   x' = x + t (v - p M^-1 g),   V(x') = V0          p [N s/m2 per m]: an impulse of pressure
//   v' = v - p M^-1 g - q M^-1 g',   g'.v' = 0       g' = dV/dx at x'
// The impulses p g act at x and q g' at x', where they have neither a sum nor a torque (V does not change with rigid
// motions): momentum and angular momentum are kept, whatever p is. They do no work on a motion that keeps the volume, and what
// the whole step does is symplectic and can be turned round, as it is without them: energy is not lost but wavers. A kick
// may change the volume; the drift that follows at the same place takes it out by its p.
//
// p is found by Newton's method: V(x' - t p M^-1 g) = V0 has the slope -t g'.M^-1 g in p. Held axes do not move: their inverse
// mass is 0. What moves them works against the pressure: (p + q) sum of g.v over them.

#include "kernel_rigid.h"
#include "kernel_volume.h"

enum
{
    MOST_ROUNDS = 24
};

// The part of a vector of a node that nothing holds, neither a constraint nor a rigid body, in body axes.
static rslVec3 Free(const Kernel* kernel, int body, int node, rslVec3 a)
{
    bool welded = kernel->rigids != NULL && kernel->rigids->weldOf != NULL && kernel->rigids->weldOf[node] >= 0;
    int bits = kernel->held != NULL ? kernel->held[node] : 0;
    if (welded)
    {
        return (rslVec3){ 0 };
    }
    if (bits == 0)
    {
        return a;
    }
    const rslMat3* rotation = &kernel->frames[body].rotation;
    a = rslMatVec(rotation, a);
    a = (rslVec3){ bits & 1 ? 0.0 : a.x, bits & 2 ? 0.0 : a.y, bits & 4 ? 0.0 : a.z };
    return rslMatTVec(rotation, a);
}

// Pins stand still, so that nothing moves against the pressure.
static bool HasMotions(const Kernel* kernel)
{
    bool has = false;
    for (int c = 0; c < kernel->model->constraintCount; ++c)
    {
        has = has || kernel->model->constraints[c].type == rsl_motionConstraint;
    }
    return has;
}

// ---- passes over the nodes of a body --------------------------------------------------------------------------------

typedef struct HardContext
{
    Kernel* kernel;
    const View* view;
    VolumeKernel* volume;
    double* out;
    double shift, impulse;  // of x and of v along out
} HardContext;

// Run over the chunks of the body.
static void ForOwnChunks(const HardContext* c, rslTask* task)
{
    rslTeam_Run(c->kernel->team, task, c->volume->chunkEnd - c->volume->chunkBegin, (void*)c);
}

// Sums of every chunk of the body: products of dV/dx with vectors of its nodes.
enum
{
    ALONG_WAY,   // with the way of the drift
    ALONG_SELF,  // with M^-1 of its free part
    RATE,        // with the velocity
    HELD_RATE,   // with the velocity of what is held, in the world
    FORCES,      // M^-1 of its free part with the forces
    HARD_SUMS
};

static rslVec3 Gradient(const VolumeKernel* volume, int local)
{
    return rslScale(1.0 / 6.0, RSL_NAME(rslSurfaceKernel_Gather)(&volume->surface, volume->surface.area, local));
}

// M^-1 of the free part of dV/dx, and the sums.
static void SumChunk(int item, void* context)
{
    const HardContext* c = context;
    Kernel* kernel = c->kernel;
    const View* view = c->view;
    const Chunk* chunk = &kernel->chunks[c->volume->chunkBegin + item];
    double sums[HARD_SUMS] = { 0 };
    const FrameView* frame = &kernel->frames[chunk->body];
    rslVec3 drift = rslMatTVec(&frame->rotation, frame->velocity);
    int first = kernel->model->bodies[chunk->body].firstNode;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        rslVec3 g = Gradient(c->volume, i - first), free = Free(kernel, chunk->body, i, g);
        rslVec3 w = VectorAt(view->w, i);
        rslVec3 light = rslScale(1.0 / (double)kernel->mass[i], free);
        Store3(c->out, i - first, light);
        sums[ALONG_WAY] += rslDot(free, Load3(c->volume->way, i - first));
        sums[ALONG_SELF] += rslDot(free, light);
        sums[RATE] += rslDot(g, w);
        sums[HELD_RATE] += rslDot(rslSub(g, free), rslAdd(w, drift));
        sums[FORCES] += rslDot(light, VectorAt(kernel->force, i));
    }
    for (int s = 0; s < HARD_SUMS; ++s)
    {
        kernel->sums[RSL_SUMS * chunk->index + s] = sums[s];
    }
}

static void SumNodes(const HardContext* c, double sums[HARD_SUMS])
{
    Kernel* kernel = c->kernel;
    ForOwnChunks(c, SumChunk);
    for (int s = 0; s < HARD_SUMS; ++s)
    {
        sums[s] = 0.0;
        for (int k = c->volume->chunkBegin; k < c->volume->chunkEnd; ++k)
        {
            sums[s] += kernel->sums[RSL_SUMS * k + s];
        }
    }
    sums[HELD_RATE] = HasMotions(kernel) ? sums[HELD_RATE] : 0.0;
}

static void Shift(Real* array[3], int node, double factor, rslVec3 way)
{
    array[0][node] = (Real)((double)array[0][node] + factor * way.x);
    array[1][node] = (Real)((double)array[1][node] + factor * way.y);
    array[2][node] = (Real)((double)array[2][node] + factor * way.z);
}

// Velocities that were set aside where the drift started get its impulse as well.
static void MoveChunk(int item, void* context)
{
    const HardContext* c = context;
    Kernel* kernel = c->kernel;
    const View* view = c->view;
    const Chunk* chunk = &kernel->chunks[c->volume->chunkBegin + item];
    int first = kernel->model->bodies[chunk->body].firstNode;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        rslVec3 way = Load3(c->out, i - first);
        Real* u[3] = { view->u[0], view->u[1], view->u[2] };
        Real* w[3] = { view->w[0], view->w[1], view->w[2] };
        if (c->shift != 0.0)
        {
            Shift(u, i, -c->shift, way);
        }
        Shift(w, i, -c->impulse, way);
        if (c->shift != 0.0 && kernel->kept[0] != NULL)
        {
            Shift(kernel->kept, i, -c->impulse, way);
        }
    }
}

// ---- volumes ------------------------------------------------------------------------------------------------------

static void FindVolume(Kernel* kernel, const View* view, VolumeKernel* volume)
{
    RSL_NAME(rslSurfaceKernel_Place)(kernel, view, &volume->surface);
    volume->volume = RSL_NAME(rslSurfaceKernel_Volume)(kernel, &volume->surface);
}

// ---- what touches ---------------------------------------------------------------------------------------------------
// A kick h a and impulses d of touches, both over M, change g.v from 0 to s0 and then to s1; p takes s1 out again. With P the part of
// a vector that keeps the volume, the energy of a step changes by v.d + (h Pa.Pd + |Pd|^2)/2 (M left out), of which touches
// count v.d + (h a.d + |d|^2)/2: s1 (s1 - s0)/(2 g.M^-1 g) is lost to the constraint, an impact that is not elastic. Nodes that
// are moved out of something change the volume: all of them go back to V0, along M^-1 g, before forces are asked again.

double RSL_NAME(rslHardVolume_Touched)(Kernel* kernel, const View* view, bool pushed, bool moved)
{
    double heat = 0.0;
    for (int i = 0; kernel->hardVolumes > 0 && i < kernel->volumeCount; ++i)
    {
        VolumeKernel* volume = &kernel->volumes[i];
        if (volume->enclosed->method != rsl_hardVolume)
        {
            continue;
        }
        HardContext context = { .kernel = kernel, .view = view, .volume = volume, .out = volume->nodes };
        double sums[HARD_SUMS];
        FindVolume(kernel, view, volume);
        SumNodes(&context, sums);
        if (pushed && sums[ALONG_SELF] > 0.0)
        {
            heat += 0.5 * sums[RATE] * (sums[RATE] - volume->rate) / sums[ALONG_SELF];
            context.shift = moved ? (volume->volume - volume->rest) / sums[ALONG_SELF] : 0.0;
            heat -= context.shift * sums[FORCES];
            ForOwnChunks(&context, MoveChunk);
        }
        volume->rate = sums[RATE];
    }
    return heat;
}

// ---- a drift --------------------------------------------------------------------------------------------------------

void RSL_NAME(rslHardVolume_Leave)(Kernel* kernel, const View* view, double time)
{
    for (int i = 0; kernel->hardVolumes > 0 && i < kernel->volumeCount; ++i)
    {
        VolumeKernel* volume = &kernel->volumes[i];
        if (volume->enclosed->method == rsl_hardVolume)
        {
            double sums[HARD_SUMS];
            FindVolume(kernel, view, volume);
            SumNodes(&(HardContext){ .kernel = kernel, .view = view, .volume = volume, .out = volume->way }, sums);
            volume->pending = time;
        }
    }
}

// Newton's method for the impulse of a drift, until rounding is all that is left. Ends with the surface as it is.
static void Return(HardContext* c)
{
    VolumeKernel* volume = c->volume;
    double last = INFINITY, sums[HARD_SUMS];
    c->out = volume->nodes;
    for (int round = 0; round <= MOST_ROUNDS; ++round)
    {
        FindVolume(c->kernel, c->view, volume);
        double off = volume->volume - volume->rest;
        bool there = fabs(off) <= 1e-15 * volume->rest, stuck = round > 1 && !(fabs(off) < 0.5 * last);
        if (volume->pending == 0.0 || there || stuck || round == MOST_ROUNDS)
        {
            return;  // what is still off is told as a collapse
        }
        SumNodes(c, sums);
        if (!(sums[ALONG_WAY] > 0.0))
        {
            return;  // all is held, or flat
        }
        last = fabs(off);
        HardContext move = *c;
        move.out = volume->way;
        move.shift = off / sums[ALONG_WAY];
        move.impulse = move.shift / volume->pending;
        c->kernel->motionWork += move.impulse * sums[HELD_RATE];
        ForOwnChunks(&move, MoveChunk);
    }
}

void RSL_NAME(rslHardVolume_Settle)(Kernel* kernel, const View* view)
{
    for (int i = 0; kernel->hardVolumes > 0 && !kernel->frozen && i < kernel->volumeCount; ++i)
    {
        VolumeKernel* volume = &kernel->volumes[i];
        if (volume->enclosed->method != rsl_hardVolume)
        {
            continue;
        }
        HardContext context = { .kernel = kernel, .view = view, .volume = volume };
        double sums[HARD_SUMS];
        Return(&context);
        context.out = volume->nodes;
        SumNodes(&context, sums);
        context.impulse = sums[ALONG_SELF] > 0.0 ? sums[RATE] / sums[ALONG_SELF] : 0.0;
        // velocities that others will take the place of do no work
        bool passing = volume->pending > 0.0 && kernel->kept[0] != NULL;
        kernel->motionWork += passing ? 0.0 : context.impulse * sums[HELD_RATE];
        ForOwnChunks(&context, MoveChunk);
        volume->pending = 0.0;
    }
}
