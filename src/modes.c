// SPDX-License-Identifier: MIT
//
// modes.c: see modes.h. The search is lobpcg.c's, or that of another library on demand (eigen.c). It works on A = K + s M: s
// is a hundredth of w^2 of the softest simple motion (stretching the body along an axis, as a rule), so that A is regular also
// for a free body, and the preconditioner of the static solver with it.

#include "resilin/modes.h"

#include "backend.h"
#include "build.h"
#include "eigen.h"
#include "lobpcg.h"
#include "log.h"
#include "precondition.h"
#include "rigid.h"
#include "state_internal.h"
#include "statics.h"
#include "vec.h"

#include <math.h>
#include <string.h>

#define COOKIE 0x52534c4du  // "RSLM"

static const double twoPi = 6.283185307179586;

rslModesDef rslDefaultModesDef(void)
{
    return (rslModesDef){ .cookie = COOKIE, .count = 10, .tolerance = 1e-3, .iterations = 500 };
}

static rslStatus CheckDef(const rslModel* model, const rslState* state, const rslModesDef* def, rslReport* report)
{
    const char* wrong = NULL;
    RSL_ASSERT(def->cookie == COOKIE);
    if (def->cookie != COOKIE)
    {
        wrong = "the definition of the modes was not started from rslDefaultModesDef";
    }
    else if (def->count < 1 || def->count > RSL_MODES_MOST)
    {
        wrong = "the number of modes must be from 1 to 100";
    }
    else if (!(def->tolerance >= 1e-9 && def->tolerance <= 0.1))
    {
        wrong = "the tolerance of the modes must be from 1e-9 to 0.1";
    }
    else if (def->iterations < 1 || def->threads < 0)
    {
        wrong = "the iterations must be at least 1, the threads at least 0";
    }
    else if (def->solver != rsl_lobpcgModes && def->solver != rsl_slepcModes)
    {
        wrong = "unknown solver of the modes";
    }
    else if (def->solver == rsl_slepcModes && def->eigen == NULL)
    {
        wrong = "slepc is not in this build; use the solver lobpcg, or build with SLEPc (cmake -DRSL_SLEPC=ON)";
    }
    const char* energyless = wrong == NULL ? rslModel_WithoutEnergy(model) : NULL;
    if (energyless != NULL)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "modes are those of an energy, and the %s", energyless);
        return rsl_badInput;
    }
    if (wrong != NULL)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%s", wrong);
        return rsl_badInput;
    }
    return state->fingerprint == model->fingerprint && state->nodeCount == model->nodeCount ? rsl_ok : rsl_mismatch;
}

// ---- setting up -----------------------------------------------------------------------------------------------------

typedef struct Modes
{
    const rslModel* model;
    rslHooks hooks;
    rslArena arena;
    rslTeam* team;
    rslState* state;  // in double precision, standing still
    void* kernel;
    rslUnknowns unknowns;
    rslPreconditioner* preconditioner;
    rslFloppy floppy;
    rslLobpcg search;
} Modes;

static void Multiply(void* context, const rslNodeVector* x, const rslNodeVector* out)
{
    Modes* m = context;
    rslStatics_Product(m->kernel, m->state, x->x, out->x);
    rslUnknowns_Project(&m->unknowns, out);
}

static void Precondition(void* context, const rslNodeVector* r, const rslNodeVector* out)
{
    rslPreconditioner_Apply(((Modes*)context)->preconditioner, r, out);
}

static bool CopyState(Modes* m, const rslState* from)
{
    rslState* to = NULL;
    if (rslState_Create(m->model, rsl_double, &m->hooks, &to) != rsl_ok)
    {
        return false;
    }
    m->state = to;
    to->stepCount = from->stepCount;
    to->step = from->step;
    for (int b = 0; b < from->bodyCount; ++b)
    {
        to->frames[b] = from->frames[b];
        to->frames[b].velocity = (rslVec3){ 0 };
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        double* u = to->displacement[axis];
        for (int i = 0; i < from->nodeCount; ++i)
        {
            u[i] = from->precision == rsl_single ? (double)((const float*)from->displacement[axis])[i]
                                                 : ((const double*)from->displacement[axis])[i];
        }
        memset(to->velocity[axis], 0, (size_t)from->nodeCount * sizeof(double));
    }
    return true;
}

// The vectors of the search, before it starts: W and P.
static void Lend(const rslLobpcg* search, rslNodeVector lent[RSL_FLOPPY_FIELDS])
{
    for (int n = 0; n < RSL_FLOPPY_FIELDS; ++n)
    {
        const rslColumn* column = n < RSL_FLOPPY_FIELDS / 2 ? &search->w[n / 2] : &search->p[n / 2];
        lent[n] = n % 2 == 0 ? column->x : column->ax;
    }
}

static bool SetUp(Modes* m, const rslModesDef* def)
{
    rslLobpcg* search = &m->search;
    rslNodeVector lent[RSL_FLOPPY_FIELDS];
    m->team = rslTeam_Create(&m->hooks, def->threads, def->runTasks, def->runTasksUser);
    m->kernel = m->team != NULL ? rslBackend64.create(m->model, rsl_static, &m->hooks, m->team) : NULL;
    double(*diagonal)[6] =
        rslArena_Allocate(&m->arena, (size_t)m->model->nodeCount + RSL_STATE_PADDING, sizeof(double[6]));
    *search = (rslLobpcg){ .unknowns = &m->unknowns, .floppy = &m->floppy, .arena = &m->arena };
    if (m->kernel == NULL || diagonal == NULL || !rslStatics_Make(m->kernel) ||
        !rslUnknowns_Make(&m->unknowns, m->model, m->team, &m->arena) || !rslLobpcg_Make(search, def->count))
    {
        return false;
    }
    rslUnknowns_Aim(&m->unknowns, m->state);
    rslStatics_Look(m->kernel, m->state);
    rslBackend64.diagonal(m->kernel, m->state, diagonal);
    Lend(search, lent);
    if (!rslFloppy_Make(&m->floppy, &m->unknowns, m->state, m->kernel, (const double(*)[6])diagonal, lent,
                        search->columns, &m->arena))
    {
        return false;
    }
    search->multiply = Multiply;
    search->precondition = Precondition;
    search->context = m;
    search->tolerance = def->tolerance;
    search->limit = def->iterations;
    search->shift = 0.01 * m->floppy.reference;
    search->zero = fmax(1e-8 * m->floppy.reference, 1e-13 * m->floppy.stiffest);
    search->calm = fmax(1e-2 * def->tolerance * m->floppy.reference, 1e-13 * m->floppy.stiffest);
    rslStatics_SetShift(m->kernel, search->shift);
    if (def->solver != rsl_lobpcgModes)
    {
        return true;
    }
    m->preconditioner = rslPreconditioner_Create(m->model, &m->hooks, &m->unknowns, m->kernel, diagonal, NULL);
    if (m->preconditioner != NULL)
    {
        rslPreconditioner_Update(m->preconditioner, m->state, false);
    }
    return m->preconditioner != NULL;
}

static void CleanUp(Modes* m)
{
    rslPreconditioner_Free(m->preconditioner);
    if (m->kernel != NULL)
    {
        rslBackend64.destroy(m->kernel);
    }
    rslTeam_Free(m->team);
    rslState_Free(m->state);
    rslArena_Free(&m->arena);
}

// ---- what was found -------------------------------------------------------------------------------------------------

static rslModes* MakeModes(const Modes* m)
{
    size_t count = (size_t)m->search.wanted, nodes = (size_t)m->model->nodeCount;
    rslModes* modes = rslAllocate(&m->hooks, 1, sizeof(rslModes));
    if (modes == NULL)
    {
        return NULL;
    }
    modes->hooks = m->hooks;
    modes->count = m->search.wanted;
    modes->nodeCount = m->model->nodeCount;
    modes->frequency = rslAllocate(&m->hooks, count, sizeof(double));
    modes->dampingRatio = rslAllocate(&m->hooks, count, sizeof(double));
    modes->residual = rslAllocate(&m->hooks, count, sizeof(double));
    modes->shapes = rslAllocate(&m->hooks, 3 * count * nodes, sizeof(double));
    if (modes->frequency == NULL || modes->dampingRatio == NULL || modes->residual == NULL || modes->shapes == NULL)
    {
        rslModes_Free(modes);
        return NULL;
    }
    return modes;
}

void rslModes_Free(rslModes* modes)
{
    if (modes != NULL)
    {
        rslHooks hooks = modes->hooks;
        rslRelease(&hooks, modes->frequency);
        rslRelease(&hooks, modes->dampingRatio);
        rslRelease(&hooks, modes->residual);
        rslRelease(&hooks, modes->shapes);
        rslRelease(&hooks, modes);
    }
}

static void WriteShape(const Modes* m, const rslNodeVector* x, double* out)
{
    for (int b = 0; b < m->model->bodyCount; ++b)
    {
        const rslBody* body = &m->model->bodies[b];
        rslMat3 rotation = rslQuatMatrix(m->state->frames[b].rotation);
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            rslVec3 v = rslMatVec(&rotation, (rslVec3){ x->x[0][i], x->x[1][i], x->x[2][i] });
            out[3 * (size_t)i] = v.x;
            out[3 * (size_t)i + 1] = v.y;
            out[3 * (size_t)i + 2] = v.z;
        }
    }
}

// A mode q'' + x C x q' + w^2 q = 0 has the damping ratio x C x / 2 w.
static rslStatus Write(Modes* m, rslModes* modes)
{
    for (int c = 0; c < modes->count; ++c)
    {
        const rslNodeVector *x = &m->search.x[c].x, *cx = &m->search.w[0].x;
        double square = m->search.value[c], rate = sqrt(fabs(square));
        if (!rslBackend64.product(m->kernel, m->state, rsl_dampingProduct, x->x, cx->x))
        {
            return rsl_outOfMemory;
        }
        modes->frequency[c] = (square < 0.0 ? -rate : rate) / twoPi;
        modes->dampingRatio[c] = square > 0.0 ? 0.5 * rslUnknowns_Dot(&m->unknowns, x, cx) / rate : 0.0;
        modes->residual[c] = m->search.residual[c] / fabs(square);
        WriteShape(m, x, &modes->shapes[3 * (size_t)c * (size_t)m->model->nodeCount]);
    }
    modes->zeroCount = m->floppy.count + m->search.lockedCount;
    modes->iterations = m->search.iterations;
    return rsl_ok;
}

// ---- all together ---------------------------------------------------------------------------------------------------

static void Explain(const Modes* m, rslStatus status, rslReport* report)
{
    const rslLobpcg* search = &m->search;
    double worst = 0.0;
    for (int c = 0; c < search->wanted; ++c)
    {
        worst = fmax(worst, search->residual[c] / fabs(search->value[c]));
    }
    if (status == rsl_notConverged)
    {
        rslReport_Add(report, rsl_warning, (rslPlace){ 0 },
                      "the modes have not converged in %d iterations: the worst residual is %.2g, asked for is %.2g; "
                      "allow more iterations or a larger tolerance",
                      search->iterations, worst, search->tolerance);
    }
    else
    {
        rslReport_Add(
            report, rsl_error, (rslPlace){ 0 },
            "more than %d motions cost nothing, beyond shifts and turns: the network is a mechanism; give its "
            "nodes more springs or hold more of them (a flat sheet resists across only when stretched: leave "
            "that out with plane: xy)",
            RSL_LOBPCG_ZEROS);
    }
}

static rslStatus Find(Modes* m, const rslState* state, const rslModesDef* def, rslModes** out, rslReport* report)
{
    if (!CopyState(m, state) || !SetUp(m, def))
    {
        return rsl_outOfMemory;
    }
    rslStatus status = def->solver == rsl_lobpcgModes
                           ? rslLobpcg_Run(&m->search)
                           : rslEigen_Run(def->eigen, &m->search, m->state, m->kernel, report);
    if (status == rsl_notConverged || status == rsl_unsupported)
    {
        Explain(m, status, report);
    }
    if (status != rsl_ok && status != rsl_notConverged)
    {
        return status == rsl_unsupported ? rsl_badInput : status;
    }
    *out = MakeModes(m);
    rslStatus written = *out != NULL ? Write(m, *out) : rsl_outOfMemory;
    if (written != rsl_ok)
    {
        rslModes_Free(*out);
        *out = NULL;
        return written;
    }
    (*out)->solver = def->solver == rsl_lobpcgModes ? "lobpcg" : def->eigen->name;
    rslLog(&m->hooks, rsl_note, "modes: %d of %d nodes, %d motions cost nothing, %d iterations, %s", (*out)->count,
           m->model->nodeCount, (*out)->zeroCount, (*out)->iterations,
           m->preconditioner != NULL ? rslPreconditioner_Name(m->preconditioner) : (*out)->solver);
    return status;
}

static bool IsFinite(const rslModel* model, const rslState* state)
{
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double x[3];
        rslState_Positions(model, state, i, i + 1, x);
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
        {
            return false;
        }
    }
    return true;
}

rslStatus rslModes_Find(const rslModel* model, const rslState* state, const rslModesDef* def, const rslHooks* hooks,
                        rslModes** out, rslReport* report)
{
    *out = NULL;
    rslStatus status = CheckDef(model, state, def, report);
    status = status == rsl_ok ? rslRigid_AllHeld(model, (rslPlace){ 0 }, "a search for modes", report) : status;
    if (status != rsl_ok)
    {
        return status;
    }
    if (!IsFinite(model, state))
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "a position of the state is not finite: it has no modes");
        return rsl_badInput;
    }
    Modes m = { .model = model, .hooks = rslHooks_Complete(hooks) };
    m.arena = rslArena_Make(&m.hooks);
    status = Find(&m, state, def, out, report);
    CleanUp(&m);
    return status;
}
