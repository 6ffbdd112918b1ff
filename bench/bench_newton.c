// SPDX-License-Identifier: MIT
//
// bench_newton.c: what a Newton step of an implicit step is made of, piece by piece: forces, potential, the look at a state, the
// preconditioner of its matrix, a product and an application of the preconditioner. A rabbit 0.2 m high of bricks, springs or
// tetrahedra, bent and twisted, for steps of 1/60 s. Every piece is timed on its own; the shortest of several counts. With one
// thread, time is that of the process, because the machine may be shared; with more it is that on the wall.
//
//   bench_newton [SPACING [THREADS [bricks | springs | tetrahedra [PIECE]]]]      0.012 m, 1, bricks and all pieces unless given

#include "bench.h"

#include "backend.h"
#include "dynamics.h"
#include "precondition.h"
#include "state_internal.h"
#include "team.h"

#include <math.h>
#include <string.h>

typedef struct Bench
{
    const rslModel* model;
    rslState* state;
    rslTeam* team;
    void* kernel;
    rslArena arena;
    rslUnknowns unknowns;
    rslPreconditioner* preconditioner;
    rslNodeVector p, out;
    int threads;
} Bench;

static rslModel* MakeModel(double spacing, const char* kind)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_rabbitShape;
    shape.height = 0.2;
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "rabbit";
    body.shape = &shape;
    body.network.spacing = spacing;
    body.network.type = strcmp(kind, "tetrahedra") == 0 ? rsl_tetrahedraNetwork : rsl_latticeNetwork;
    body.model.type = strcmp(kind, "springs") == 0  ? rsl_springModel
                      : strcmp(kind, "bricks") == 0 ? rsl_brickModel
                                                    : rsl_finiteModel;
    body.material.young = 1e6;
    body.material.poisson = 0.25;
    body.material.density = 1000.0;
    body.material.stiffnessDamping = 3e-4;
    rslScene scene = rslDefaultScene();
    scene.bodies = &body;
    scene.bodyCount = 1;
    return Built(&scene);
}

// Bent by a few degrees, and a field to multiply with.
static void Bend(Bench* b)
{
    for (int i = 0; i < b->model->nodeCount; ++i)
    {
        double x[3], *const *u = (double*const*)b->state->displacement;
        rslBody_Rest(&b->model->bodies[0], i, i + 1, x);
        u[0][i] = 0.8 * x[2] * x[2] - 0.1 * x[1] * x[2];
        u[1][i] = 0.1 * x[0] * x[2];
        u[2][i] = 0.05 * x[2] - 0.5 * x[0] * x[2];
        b->p.x[0][i] = sin(40.0 * x[1]) + sin(70.0 * x[2]);
        b->p.x[1][i] = cos(50.0 * x[0]);
        b->p.x[2][i] = sin(30.0 * x[2] + 20.0 * x[0]);
    }
}

static void Make(Bench* b, double spacing, const char* kind)
{
    const rslHooks hooks = rslHooks_Complete(NULL);
    b->model = MakeModel(spacing, kind);
    Check(rslState_Create(b->model, rsl_double, NULL, &b->state), "state");
    b->team = rslTeam_Create(NULL, b->threads, NULL, NULL);
    b->kernel = rslBackend64.create(b->model, rsl_implicitEuler, &hooks, b->team);
    b->arena = rslArena_Make(&hooks);
    size_t count = (size_t)b->model->nodeCount + RSL_STATE_PADDING;
    double(*diagonal)[6] = rslArena_Allocate(&b->arena, count, sizeof(double[6]));
    bool made = b->kernel != NULL && diagonal != NULL && rslDynamics_Make(b->kernel) &&
                rslUnknowns_Make(&b->unknowns, b->model, b->team, &b->arena) &&
                rslNodeVector_Make(&b->p, b->model->nodeCount, &b->arena) &&
                rslNodeVector_Make(&b->out, b->model->nodeCount, &b->arena);
    b->preconditioner =
        made ? rslPreconditioner_Create(b->model, &hooks, &b->unknowns, b->kernel, diagonal, NULL) : NULL;
    Check(b->preconditioner != NULL ? rsl_ok : rsl_outOfMemory, "solver");
    b->state->step = 1.0 / 60.0;
    rslStatics_SetShift(b->kernel, 3600.0);
    rslDynamics_SetRate(b->kernel, 60.0);
    rslUnknowns_Aim(&b->unknowns, b->state);
    Bend(b);
}

// ---- pieces -----------------------------------------------------------------------------------------------------------

static void Forces(Bench* b)
{
    rslDynamics_Forces(b->kernel, b->state, b->out.x);
}

static void Still(Bench* b)
{
    rslDynamics_Still(b->kernel, b->state, b->out.x);
}

// Somewhere else every time, as in a line search.
static void Potential(Bench* b)
{
    double* const* u = (double* const*)b->state->displacement;
    for (int i = 0; i < b->model->nodeCount; ++i)
    {
        u[0][i] *= 1.0 + 1e-9;
    }
    rslStatics_Potential(b->kernel, b->state);
}

static void Look(Bench* b)
{
    rslStatics_Look(b->kernel, b->state);
}

static void Update(Bench* b)
{
    rslPreconditioner_Update(b->preconditioner, b->state, false);
}

static void Again(Bench* b)
{
    rslPreconditioner_Update(b->preconditioner, b->state, true);
}

static void Product(Bench* b)
{
    rslStatics_Product(b->kernel, b->state, b->p.x, b->out.x);
}

static void Damping(Bench* b)
{
    rslDynamics_Damping(b->kernel, b->state, b->p.x, b->out.x);
}

static void Cycle(Bench* b)
{
    rslPreconditioner_Apply(b->preconditioner, &b->p, &b->out);
}

static void Dot(Bench* b)
{
    rslUnknowns_Dot(&b->unknowns, &b->p, &b->out);
}

// Milliseconds, the shortest of several.
static double Time(Bench* b, void (*piece)(Bench*))
{
    double best = INFINITY, spent = 0.0;
    for (int n = 0; n < 5 || (spent < 0.3 && n < 200); ++n)
    {
        double start = Seconds(b->threads);
        piece(b);
        double time = Seconds(b->threads) - start;
        best = fmin(best, time);
        spent += time;
    }
    return 1e3 * best;
}

int main(int argc, char** argv)
{
    static const struct
    {
        const char* name;
        void (*piece)(Bench*);
        double times;  // in a Newton step of 3.5 iterations
    } pieces[] = { { "forces", Forces, 1 },     { "still", Still, 1 },           { "potential", Potential, 2 },
                   { "look", Look, 1 },         { "first matrix", Update, 0.2 }, { "other matrices", Again, 0.8 },
                   { "product", Product, 3.5 }, { "dampers", Damping, 1 },       { "cycle", Cycle, 3.5 },
                   { "dot", Dot, 11 } };
    double spacing = argc > 1 ? atof(argv[1]) : 0.012, sum = 0.0;
    Bench b = { .threads = argc > 2 ? atoi(argv[2]) : 1 };
    Make(&b, spacing > 0.0 ? spacing : 0.012, argc > 3 ? argv[3] : "bricks");
    int nodes = b.model->nodeCount;
    Look(&b);
    Update(&b);
    printf("%s, %d nodes, %d threads, %s\n", argc > 3 ? argv[3] : "bricks", nodes, b.threads,
           rslPreconditioner_Name(b.preconditioner));
    printf("%-16s %10s %10s %10s\n", "piece", "ms", "us a node", "a step");
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; ++i)
    {
        if (argc > 4 && strcmp(argv[4], pieces[i].name) != 0)
        {
            continue;
        }
        double time = Time(&b, pieces[i].piece);
        printf("%-16s %10.3f %10.3f %10.1f\n", pieces[i].name, time, 1e3 * time / nodes, pieces[i].times);
        sum += pieces[i].times * time;
    }
    printf("%-16s %10.3f %10.3f\n", "a Newton step", sum, 1e3 * sum / nodes);
    rslPreconditioner_Free(b.preconditioner);
    rslArena_Free(&b.arena);
    rslBackend64.destroy(b.kernel);
    rslTeam_Free(b.team);
    rslState_Free(b.state);
    rslModel_Free((rslModel*)b.model);
    return 0;
}
