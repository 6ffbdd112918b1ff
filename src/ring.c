// SPDX-License-Identifier: MIT
//
// ring.c: see ring.h.
//
// The body starts in the mode x at a small amplitude and moves by position Verlet. q = x M u hears this mode alone, since modes are
// orthogonal with masses. Samples of a damped swing, D = k h apart, obey
//   q_n+1 = 2 R cos(T) q_n - R^2 q_n-1,     R = e^(-rate D),  T = w_d D
// and least squares over all samples give both: log decrement 2 pi (-ln R) / T, period 2 pi D / T.
//
// A step of position Verlet maps (q, q') by a matrix with the determinant 1 - c h and the trace 2 - c h - h^2 w^2, c = 2 zeta w: dampers see
// the velocity of the start of the step. With r = R^(1/k), t = T/k
//   c = (1 - r^2) / h,     w^2 = ((1 - r)^2 + 4 r sin^2(t / 2)) / h^2
// exactly. In the step itself periods are shorter by (w h)^2 / 24 and the decay is faster by c h / 2.

#include "ring.h"

#include "elementary.h"
#include "memory.h"
#include "vec.h"

#include <math.h>

static const double twoPi = 6.283185307179586;

enum
{
    SAMPLES = 16,  // a period
    STEPS = 128,   // a period, at least
};

typedef struct Ring
{
    const rslModel* model;
    const double* shape;  // x y z of every node, x M x = 1
    rslHooks hooks;
    double *rest, *now;
    rslState* state;
    rslSolver* solver;
} Ring;

// The step, so that a number of them is a sample.
static rslStatus MakeSolver(Ring* ring, const rslRingDef* def, double period, int* each, rslReport* report)
{
    rslSolverDef made = rslDefaultSolverDef();
    made.threads = def->threads;
    rslStatus status = rslSolver_Create(ring->model, &made, &ring->hooks, &ring->solver, report);
    if (status == rsl_ok)
    {
        double step = fmin(0.5 * rslSolver_Stability(ring->solver).stableStep, period / STEPS);
        *each = (int)ceil(period / (SAMPLES * step));
        made.step = period / SAMPLES / *each;
        rslSolver_Free(ring->solver);
        ring->solver = NULL;
        status = rslSolver_Create(ring->model, &made, &ring->hooks, &ring->solver, report);
    }
    return status;
}

static void Release(Ring* ring)
{
    int count = ring->model->nodeCount;
    rslVec3 low = { INFINITY, INFINITY, INFINITY }, high = { -INFINITY, -INFINITY, -INFINITY };
    double most = 0.0;
    rslState_Positions(ring->model, ring->state, 0, count, ring->rest);
    for (int i = 0; i < count; ++i)
    {
        const double *x = ring->rest + 3 * (size_t)i, *s = ring->shape + 3 * (size_t)i;
        low = (rslVec3){ fmin(low.x, x[0]), fmin(low.y, x[1]), fmin(low.z, x[2]) };
        high = (rslVec3){ fmax(high.x, x[0]), fmax(high.y, x[1]), fmax(high.z, x[2]) };
        most = fmax(most, rslLength((rslVec3){ s[0], s[1], s[2] }));
    }
    double scale = 1e-5 * rslLength(rslSub(high, low)) / most;
    for (int i = 0; i < count; ++i)
    {
        const double *x = ring->rest + 3 * (size_t)i, *s = ring->shape + 3 * (size_t)i;
        rslState_SetPosition(ring->model, ring->state, i,
                             (rslVec3){ x[0] + scale * s[0], x[1] + scale * s[1], x[2] + scale * s[2] });
    }
}

static double Hear(Ring* ring)
{
    int count = ring->model->nodeCount;
    double q = 0.0;
    rslState_Positions(ring->model, ring->state, 0, count, ring->now);
    for (int i = 0; i < 3 * count; ++i)
    {
        q += ring->model->mass[i / 3] * ring->shape[i] * (ring->now[i] - ring->rest[i]);
    }
    return q;
}

// Normal equations of q_n+1 = a q_n - b q_n-1.
typedef struct Fit
{
    double last[2], first;
    double s11, s12, s22, t1, t2, tt;
    int count;
} Fit;

static void Sample(Fit* fit, double q)
{
    double p = fit->last[0], pp = fit->last[1];
    if (fit->count >= 2)
    {
        fit->s11 += p * p;
        fit->s12 += p * pp;
        fit->s22 += pp * pp;
        fit->t1 += p * q;
        fit->t2 += pp * q;
        fit->tt += q * q;
    }
    fit->first = fit->count == 0 ? q : fit->first;
    fit->last[1] = p;
    fit->last[0] = q;
    fit->count += 1;
}

// False when it does not swing.
static bool Conclude(const Fit* fit, int each, double h, rslRing* out)
{
    double det = fit->s11 * fit->s22 - fit->s12 * fit->s12;
    double a = (fit->t1 * fit->s22 - fit->t2 * fit->s12) / det, b = -(fit->s11 * fit->t2 - fit->s12 * fit->t1) / det;
    if (!(b > 0.0) || !(fabs(a) < 2.0 * sqrt(b)))
    {
        return false;
    }
    double log = rslLn(b), angle = rslAngle(a, sqrt(4.0 * b - a * a));
    double r = rslExp(0.5 * log / each), half = rslSin(0.5 * angle / each);
    double c = (1.0 - r) * (1.0 + r) / h, w = sqrt((1.0 - r) * (1.0 - r) + 4.0 * r * half * half) / h;
    double left = fit->tt - a * fit->t1 + b * fit->t2;
    out->period = twoPi * each * h / angle;
    out->decrement = -0.5 * log * twoPi / angle;
    out->frequency = w / twoPi;
    out->ratio = 0.5 * c / w;
    out->misfit = sqrt(fmax(left, 0.0) / (fit->count - 2)) / fabs(fit->first);
    return true;
}

static rslStatus Listen(Ring* ring, const rslRingDef* def, double period, rslRing* out, rslReport* report)
{
    int each = 1, samples = SAMPLES * def->periods;
    rslStatus status = MakeSolver(ring, def, period, &each, report);
    if (status != rsl_ok)
    {
        return status;
    }
    out->step = rslSolver_Stability(ring->solver).step;
    out->work = (double)samples * each * ring->model->nodeCount;
    if (def->work > 0.0 && out->work > def->work)
    {
        return rsl_unsupported;
    }
    Fit fit = { 0 };
    Release(ring);
    Sample(&fit, Hear(ring));
    for (int s = 0; s < samples && status == rsl_ok; ++s)
    {
        status = rslSolver_Step(ring->solver, ring->state, each);
        Sample(&fit, Hear(ring));
    }
    return status != rsl_ok ? status : Conclude(&fit, each, out->step, out) ? rsl_ok : rsl_unsupported;
}

rslStatus rslRing_Down(const rslModel* model, const rslModes* modes, const rslRingDef* def, const rslHooks* hooks,
                       rslRing* out, rslReport* report)
{
    Ring ring = { .model = model, .hooks = rslHooks_Complete(hooks) };
    size_t numbers = 3 * (size_t)model->nodeCount;
    double zeta = modes->dampingRatio[def->mode];
    *out = (rslRing){ 0 };
    if (!(modes->frequency[def->mode] > 0.0) || !(zeta < 0.95))
    {
        return rsl_unsupported;
    }
    ring.shape = modes->shapes + (size_t)def->mode * numbers;
    ring.rest = rslAllocate(&ring.hooks, numbers, sizeof(double));
    ring.now = rslAllocate(&ring.hooks, numbers, sizeof(double));
    rslStatus status = ring.rest != NULL && ring.now != NULL ? rsl_ok : rsl_outOfMemory;
    status = status == rsl_ok ? rslState_Create(model, rsl_double, &ring.hooks, &ring.state) : status;
    double period = 1.0 / (modes->frequency[def->mode] * sqrt(1.0 - zeta * zeta));
    status = status == rsl_ok ? Listen(&ring, def, period, out, report) : status;
    rslSolver_Free(ring.solver);
    rslState_Free(ring.state);
    rslRelease(&ring.hooks, ring.rest);
    rslRelease(&ring.hooks, ring.now);
    return status;
}
