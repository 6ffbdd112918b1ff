// SPDX-License-Identifier: MIT
//
// stability_search.c: see stability_search.h.
//
// With masses M, stiffness K and damping C at the start, the explicit integrators lose stability at z = -1, where a
// vector x exists with
//   h^2 (x.Kx - b x.C M^-1 C x) + 2 h x.Cx = 4 x.Mx        b = 0 symplectic Euler, position Verlet; 1 velocity Verlet
// The derivations stand in the integrators' files; for symmetric K and C the scalar conditions hold with the quotients of
// x, so the stable step is the smallest h over all x. It is found by maximising the quotient at the current h over the
// space of the iterate, its residual and the last direction (locally optimal power iteration; Knyazev 2001), and
// then solving for h. Plain power iteration converges to the same vector, but needs ten times the products.
// Velocity Verlet also needs h x.Cx < 2 x.Mx, which another vector may reach first: a search with C alone goes before.
//
// Where K is not symmetric (dispersion without an energy) quotients are those of its symmetric part, which bounds the real
// part of every w^2; no step is small enough for those that are complex, unless dampers take what they gain.
//
// Planes: every node counts as touching all of them, because any may; those that turn push along every direction.

#include "stability_search.h"

#include "backend.h"
#include "build.h"
#include "memory.h"
#include "rigid_space.h"
#include "stability_span.h"
#include "top.h"

#include <string.h>

enum
{
    MAX_ITERATIONS = 150,
    MIN_ITERATIONS = 12,
    PATIENCE = 4,
    BLOCK = 4096,  // nodes summed at a time
    SUMS = 24
};

// A vector with its products.
typedef struct Probe
{
    double* x[3];
    double* k[3];  // K x
    double* c[3];  // C x
} Probe;

typedef struct Search
{
    const rslModel* model;
    rslModel free;  // the same without planes and contacts
    const rslBackend* backend;
    void* kernel;
    rslState* state;
    rslIntegrator integrator;
    bool damped;
    double spring;  // 1, or 0 to search with C alone
    double curl;    // b above
    bool skew;      // K is not symmetric
    double* memory;
    Probe probe[3];  // iterate, residual, direction
    rslTeam* team;
    int blockCount;
    double* sums;  // SUMS of every block
} Search;

// ---- products -------------------------------------------------------------------------------------------------------

static rslVec3 At(double* const array[3], int node)
{
    return (rslVec3){ array[0][node], array[1][node], array[2][node] };
}

static void Put(double* const array[3], int node, rslVec3 value)
{
    array[0][node] = value.x;
    array[1][node] = value.y;
    array[2][node] = value.z;
}

// Held axes do not move, and nothing leaves the plane of a 2D scene. Of a motion, or of forces.
static void Project(const Search* search, double* const x[3], bool motion)
{
    for (int r = 0; r < search->model->rigidCount; ++r)
    {
        rslRigid_Project(search->model, search->state, r, x, motion);
    }
    const rslModel* model = search->model;
    for (int i = 0; model->plane == rsl_planeXY && i < model->nodeCount; ++i)
    {
        x[2][i] = 0.0;
    }
    for (int c = 0; c < model->constraintCount; ++c)
    {
        const rslConstraint* constraint = &model->constraints[c];
        for (int n = 0; n < constraint->nodeCount; ++n)
        {
            int node = constraint->nodes[n];
            rslMat3 rotation = rslQuatMatrix(model->bodies[rslModel_BodyOf(model, node)].frame.rotation);
            rslVec3 world = rslMatVec(&rotation, At(x, node));
            world.x = constraint->axes[0] ? 0.0 : world.x;
            world.y = constraint->axes[1] ? 0.0 : world.y;
            world.z = constraint->axes[2] ? 0.0 : world.z;
            Put(x, node, rslMatTVec(&rotation, world));
        }
    }
}

static void AddPlane(const rslModel* model, const rslCollider* plane, double* const x[3], double* const out[3])
{
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        rslMat3 rotation = rslQuatMatrix(body->frame.rotation);
        rslVec3 n = rslMatTVec(&rotation, plane->normal);
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            bool turns = plane->move.angle != 0.0 || plane->solid != NULL;
            double push = plane->stiffness[i] * (turns ? 1.0 : rslDot(n, At(x, i)));
            Put(out, i, rslMulAdd(At(out, i), push, turns ? At(x, i) : n));
        }
    }
}

static bool Multiply(Search* search, Probe* probe)
{
    bool done = search->backend->product(search->kernel, search->state, rsl_stiffnessProduct, probe->x, probe->k);
    for (int c = 0; c < search->model->colliderCount; ++c)
    {
        AddPlane(search->model, &search->model->colliders[c], probe->x, probe->k);
    }
    Project(search, probe->k, false);
    if (done && search->damped)
    {
        done = search->backend->product(search->kernel, search->state, rsl_dampingProduct, probe->x, probe->c);
        Project(search, probe->c, false);
    }
    return done;
}

// ---- sums over nodes ------------------------------------------------------------------------------------------------

// A function over the nodes [begin, end), by the team; its sums are added up in the order of the blocks.
typedef void BlockFunction(const Search* search, int begin, int end, const void* context, double* sums);

typedef struct BlockContext
{
    const Search* search;
    BlockFunction* function;
    const void* context;
} BlockContext;

static void RunBlock(int item, void* argument)
{
    const BlockContext* c = argument;
    int begin = BLOCK * item, count = c->search->model->nodeCount;
    double* sums = &c->search->sums[SUMS * item];
    memset(sums, 0, SUMS * sizeof(double));
    c->function(c->search, begin, count - begin < BLOCK ? count : begin + BLOCK, c->context, sums);
}

static void ForBlocks(const Search* search, BlockFunction* function, const void* context, double sums[SUMS])
{
    BlockContext block = { search, function, context };
    rslTeam_Run(search->team, RunBlock, search->blockCount, &block);
    memset(sums, 0, SUMS * sizeof(double));
    for (int i = 0; i < search->blockCount; ++i)
    {
        for (int s = 0; s < SUMS; ++s)
        {
            sums[s] += search->sums[SUMS * i + s];
        }
    }
}

// ---- products in the span of the probes ------------------------------------------------------------------------------

// Four sums for each pair of probes.
static void SumPairs(const Search* search, int begin, int end, const void* context, double* sums)
{
    const double* mass = search->model->mass;
    int size = *(const int*)context, at = 0;
    for (int a = 0; a < size; ++a)
    {
        for (int b = a; b < size; ++b, at += 4)
        {
            const Probe* p = &search->probe[a];
            const Probe* q = &search->probe[b];
            for (int axis = 0; axis < 3; ++axis)
            {
                for (int i = begin; i < end; ++i)
                {
                    sums[at] += mass[i] * p->x[axis][i] * q->x[axis][i];
                    sums[at + 1] += p->x[axis][i] * q->k[axis][i];
                }
                for (int i = begin; search->skew && a != b && i < end; ++i)
                {
                    sums[at + 1] += 0.5 * (q->x[axis][i] * p->k[axis][i] - p->x[axis][i] * q->k[axis][i]);
                }
                for (int i = begin; search->damped && i < end; ++i)
                {
                    sums[at + 2] += p->x[axis][i] * q->c[axis][i];
                    sums[at + 3] += p->c[axis][i] * q->c[axis][i] / mass[i];
                }
            }
        }
    }
}

// What sums over nodes lack of the inertia of a rigid body.
static void AddHidden(const Search* search, int r, int size, rslSpan* span)
{
    const rslRigid* rigid = &search->model->rigids[r];
    const rslFrame* frame = &search->state->frames[rigid->body];
    rslVec3 x[3], k[3], c[3];
    for (int a = 0; a < size; ++a)
    {
        const Probe* probe = &search->probe[a];
        x[a] = rslRigid_TurnIn(search->model, search->state, r, probe->x, true);
        k[a] = rslTop_Hidden(rigid, frame, rslRigid_TurnIn(search->model, search->state, r, probe->k, false));
        c[a] = (rslVec3){ 0.0, 0.0, 0.0 };
        if (search->damped)
        {
            c[a] = rslRigid_TurnIn(search->model, search->state, r, probe->c, false);
        }
    }
    for (int a = 0; a < size; ++a)
    {
        for (int b = 0; b < size; ++b)
        {
            rslVec3 hidden = rslTop_Hidden(rigid, frame, c[b]);
            span->m[a][b] += rslDot(x[a], rslTop_Hidden(rigid, frame, x[b]));
            span->k[a][b] += 0.5 * (rslDot(x[a], k[b]) + rslDot(x[b], k[a]));
            span->c[a][b] += 0.5 * (rslDot(x[a], hidden) + rslDot(x[b], rslTop_Hidden(rigid, frame, c[a])));
            span->d[a][b] += rslDot(c[a], hidden);
        }
    }
}

static rslSpan MakeSpan(const Search* search, int size)
{
    rslSpan span = { .spring = search->spring, .curl = search->curl };
    double sums[SUMS];
    int at = 0;
    ForBlocks(search, SumPairs, &size, sums);
    for (int a = 0; a < size; ++a)
    {
        for (int b = a; b < size; ++b, at += 4)
        {
            span.m[a][b] = span.m[b][a] = sums[at];
            span.k[a][b] = span.k[b][a] = sums[at + 1];
            span.c[a][b] = span.c[b][a] = sums[at + 2];
            span.d[a][b] = span.d[b][a] = sums[at + 3];
        }
    }
    for (int r = 0; r < search->model->rigidCount; ++r)
    {
        if (search->model->rigids[r].constraint < 0)
        {
            AddHidden(search, r, size, &span);
        }
    }
    return span;
}

// ---- the search -----------------------------------------------------------------------------------------------------

// x <- y0 x + y1 r + y2 p,  p <- y1 r + y2 p, for the vectors and their products alike; context is y.
static void CombineBlock(const Search* search, int begin, int end, const void* context, double* sums)
{
    (void)sums;
    const double* y = context;
    const Probe* x = &search->probe[0];
    const Probe* r = &search->probe[1];
    const Probe* p = &search->probe[2];
    double* const* of[3][3] = { { x->x, r->x, p->x }, { x->k, r->k, p->k }, { x->c, r->c, p->c } };
    for (int kind = 0; kind < (search->damped ? 3 : 2); ++kind)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            for (int i = begin; i < end; ++i)
            {
                double move = y[1] * of[kind][1][axis][i] + y[2] * of[kind][2][axis][i];
                of[kind][2][axis][i] = move;
                of[kind][0][axis][i] = y[0] * of[kind][0][axis][i] + move;
            }
        }
    }
}

// C M^-1 C x into the k of the residual, which is free at this moment; where it is not needed, b is zero.
static bool Curl(Search* search)
{
    Probe* x = &search->probe[0];
    Probe* r = &search->probe[1];
    if (search->curl == 0.0)
    {
        return true;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < search->model->nodeCount; ++i)
        {
            r->x[axis][i] = x->c[axis][i] / search->model->mass[i];
        }
    }
    bool done = search->backend->product(search->kernel, search->state, rsl_dampingProduct, r->x, r->k);
    Project(search, r->k, false);
    return done;
}

static void ResidualBlock(const Search* search, int begin, int end, const void* context, double* sums)
{
    double h = *(const double*)context;
    const Probe* x = &search->probe[0];
    const Probe* r = &search->probe[1];
    const double* mass = search->model->mass;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = begin; i < end; ++i)
        {
            double k = search->spring * x->k[axis][i] - search->curl * r->k[axis][i];
            r->x[axis][i] = (h * h * k + 2.0 * h * x->c[axis][i]) / mass[i];
            sums[0] += mass[i] * r->x[axis][i] * x->x[axis][i];
            sums[1] += mass[i] * x->x[axis][i] * x->x[axis][i];
        }
    }
}

// r -= share x; context is the share.
static void SubtractBlock(const Search* search, int begin, int end, const void* context, double* sums)
{
    double share = *(const double*)context;
    const Probe* x = &search->probe[0];
    const Probe* r = &search->probe[1];
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = begin; i < end; ++i)
        {
            r->x[axis][i] -= share * x->x[axis][i];
            sums[0] += search->model->mass[i] * r->x[axis][i] * r->x[axis][i];
        }
    }
}

static void ScaleBlock(const Search* search, int begin, int end, const void* context, double* sums)
{
    (void)sums;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = begin; i < end; ++i)
        {
            search->probe[1].x[axis][i] *= *(const double*)context;
        }
    }
}

// r = M^-1 (A x - 4 x M) at the current h, made orthogonal to x in M.
static bool Residual(Search* search, double h)
{
    double sums[SUMS];
    if (!Curl(search))
    {
        return false;
    }
    ForBlocks(search, ResidualBlock, &h, sums);
    double share = sums[0] / sums[1];
    ForBlocks(search, SubtractBlock, &share, sums);
    double scale = sums[0] > 0.0 ? 1.0 / sqrt(sums[0]) : 0.0;
    ForBlocks(search, ScaleBlock, &scale, sums);
    // near the end it is all rounding, in which rigid bodies do not move as one
    for (int r = 0; r < search->model->rigidCount; ++r)
    {
        rslRigid_Project(search->model, search->state, r, search->probe[1].x, true);
    }
    return true;
}

// A fixed start: an integer generator (xorshift, Marsaglia 2003), scaled so that every node holds the same energy.
static void Start(Search* search)
{
    uint64_t bits = 0x9e3779b97f4a7c15ull;
    Probe* x = &search->probe[0];
    for (int i = 0; i < search->model->nodeCount; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            double value = (double)(int64_t)(bits >> 11) * 0x1p-53 - 0.5;
            x->x[axis][i] = value / sqrt(search->model->mass[i]);
        }
    }
    Project(search, x->x, true);
}

// A step to search at when the first vector has none: K without an energy may take from one vector what it gives to another.
// Of the size of K x; infinite when nothing resists.
static double StepByForce(const Search* search)
{
    const Probe* x = &search->probe[0];
    double force = 0.0, way = 0.0;
    for (int i = 0; i < search->model->nodeCount; ++i)
    {
        double mass = search->model->mass[i];
        force += rslDot(At(x->k, i), At(x->k, i)) / mass;
        way += mass * rslDot(At(x->x, i), At(x->x, i));
    }
    double square = search->spring * sqrt(force / way);
    return square > 0.0 ? 2.0 / sqrt(square) : INFINITY;
}

// Lowers *step to what is found; adds to *iterations.
static bool Iterate(Search* search, double* step, int* iterations)
{
    double h = *step, best = INFINITY;
    int calm = 0, done = 0;
    Start(search);
    if (!Multiply(search, &search->probe[0]))
    {
        return false;
    }
    rslSpan span = MakeSpan(search, 1);
    double first = rslSpan_Limit(&span, (double[3]){ 1.0, 0.0, 0.0 });
    h = first < h ? first : h;
    double at = h < INFINITY ? h : StepByForce(search);
    for (; done < MAX_ITERATIONS && at < INFINITY && calm < PATIENCE; ++done)
    {
        int size = done == 0 ? 2 : 3;
        if (!Residual(search, at) || !Multiply(search, &search->probe[1]))
        {
            return false;
        }
        span = MakeSpan(search, size);
        double y[3] = { 1.0, 0.0, 0.0 };
        for (int turn = 0; turn < 3; ++turn)
        {
            rslSpan_Dominant(&span, size, at, y);
            double next = rslSpan_Limit(&span, y);
            h = next < h ? next : h;
            at = h < INFINITY ? h : at;
        }
        double scale = 1.0 / sqrt(rslSpan_Square(span.m, y)), sums[SUMS];
        ForBlocks(search, CombineBlock, (double[3]){ scale * y[0], scale * y[1], scale * y[2] }, sums);
        calm = done >= MIN_ITERATIONS && best - h < 2e-4 * h ? calm + 1 : 0;
        best = h < best ? h : best;
    }
    *step = h;
    *iterations += done;
    return true;
}

static bool FindStep(Search* search, double* step, int* iterations)
{
    *step = INFINITY;
    *iterations = 0;
    if (search->damped && search->integrator == rsl_velocityVerlet)
    {
        search->spring = search->curl = 0.0;
        if (!Iterate(search, step, iterations))
        {
            return false;
        }
    }
    search->spring = 1.0;
    search->curl = search->damped && search->integrator == rsl_velocityVerlet ? 1.0 : 0.0;
    return Iterate(search, step, iterations);
}

static int FastestNode(const Search* search)
{
    int worst = 0;
    double largest = -1.0;
    for (int i = 0; i < search->model->nodeCount; ++i)
    {
        rslVec3 x = At(search->probe[0].x, i);
        if (rslDot(x, x) > largest)
        {
            largest = rslDot(x, x);
            worst = i;
        }
    }
    return worst;
}

// ---- all together ---------------------------------------------------------------------------------------------------

static bool Prepare(Search* search, const rslHooks* hooks, rslTeam* team)
{
    size_t count = (size_t)search->model->nodeCount;
    search->backend = rslBackend_For(rsl_double);
    search->free = *search->model;  // planes that bodies start behind would count twice
    search->free.colliderCount = 0;
    search->free.touch.scheme = rsl_penaltyScheme;
    search->kernel = search->backend->create(&search->free, rsl_positionVerlet, hooks, team);
    search->memory = rslAllocate(hooks, 27 * count, sizeof(double));
    search->team = team;
    search->blockCount = (search->model->nodeCount + BLOCK - 1) / BLOCK;
    search->sums = rslAllocate(hooks, SUMS * (size_t)search->blockCount, sizeof(double));
    if (search->kernel == NULL || search->memory == NULL || search->sums == NULL ||
        rslState_Create(search->model, rsl_double, hooks, &search->state) != rsl_ok)
    {
        return false;
    }
    double* at = search->memory;
    for (int p = 0; p < 3; ++p)
    {
        for (int axis = 0; axis < 3; ++axis, at += 3 * count)
        {
            search->probe[p].x[axis] = at;
            search->probe[p].k[axis] = at + count;
            search->probe[p].c[axis] = at + 2 * count;
        }
    }
    return true;
}

static void Release(Search* search, const rslHooks* hooks)
{
    rslRelease(hooks, search->sums);
    rslRelease(hooks, search->memory);
    rslState_Free(search->state);
    if (search->kernel != NULL)
    {
        search->backend->destroy(search->kernel);
    }
}

rslStatus rslStability_Search(const rslModel* model, rslIntegrator integrator, bool damped, const rslHooks* hooks,
                              rslTeam* team, rslStability* stability)
{
    rslHooks complete = rslHooks_Complete(hooks);
    Search search = { .model = model, .integrator = integrator, .damped = damped };
    search.skew = !rslModel_HasEnergy(model);
    bool done = Prepare(&search, &complete, team) && FindStep(&search, &stability->stableStep, &stability->iterations);
    if (done)
    {
        rslSpan span = MakeSpan(&search, 1);
        double square = span.m[0][0] > 0.0 ? span.k[0][0] / span.m[0][0] : 0.0;
        stability->frequency = square > 0.0 ? sqrt(square) : 0.0;
        stability->node = FastestNode(&search);
    }
    Release(&search, &complete);
    return done ? rsl_ok : rsl_outOfMemory;
}
