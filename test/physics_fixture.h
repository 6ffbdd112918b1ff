// SPDX-License-Identifier: MIT
//
// physics_fixture.h: scenes of masses and springs made in code, and runs of them.

#pragma once

#include "support.h"

#define PI 3.14159265358979323846

// A model with its solver and state.
typedef struct Run
{
    rslModel* model;
    rslSolver* solver;
    rslState* state;
} Run;

// One thread: what is tested here does not depend on their number.
static inline rslSolverDef SolverDef(rslIntegrator integrator, double step)
{
    rslSolverDef def = rslDefaultSolverDef();
    def.integrator = integrator;
    def.step = step;
    def.threads = 1;
    return def;
}

static inline Run StartRun(const rslScene* scene, rslSolverDef def)
{
    Run run = { .model = Built(scene, NULL) };
    run.solver = SolverOf(run.model, &def);
    run.state = StateOf(run.model, def.precision);
    return run;
}

// As a file has it: saved and loaded again.
static inline void Reload(Run* run)
{
    size_t size = rslState_Save(run->state, NULL, 0);
    void* bytes = malloc(size);
    rslState* loaded = NULL;
    assert_non_null(bytes);
    rslState_Save(run->state, bytes, size);
    assert_int_equal(rslState_Load(run->model, run->state->precision, bytes, size, NULL, &loaded, NULL), rsl_ok);
    rslState_Free(run->state);
    run->state = loaded;
    free(bytes);
}

static inline void EndRun(Run* run)
{
    rslState_Free(run->state);
    rslSolver_Free(run->solver);
    rslModel_Free(run->model);
}

static inline void Step(Run* run, int64_t steps)
{
    rslStatus status = rslSolver_Step(run->solver, run->state, steps);
    if (status == rsl_diverged)
    {
        rslDivergence why = rslSolver_Divergence(run->solver);
        print_error("diverged at %g s: energy %g of at most %g, node %d, strain %g of spring %d %d, element %d of body "
                    "%d, divided %d\n",
                    why.time, why.energy, why.limit, why.node, why.strain, why.springA, why.springB, why.element,
                    why.elementBody, why.divided);
    }
    assert_int_equal(status, rsl_ok);
}

static inline double TimeOf(const Run* run)
{
    return rslState_Time(run->state);
}

static inline rslVec3 PositionOf(const Run* run, int node)
{
    double x[3];
    rslState_Positions(run->model, run->state, node, node + 1, x);
    return (rslVec3){ x[0], x[1], x[2] };
}

static inline rslVec3 VelocityOf(const Run* run, int node)
{
    double v[3];
    rslState_Velocities(run->model, run->state, node, node + 1, v);
    return (rslVec3){ v[0], v[1], v[2] };
}

static inline void SetNode(Run* run, int node, rslVec3 position, rslVec3 velocity)
{
    rslState_SetPosition(run->model, run->state, node, position);
    rslState_SetVelocity(run->model, run->state, node, velocity);
}

static inline double Distance(rslVec3 a, rslVec3 b)
{
    return rslLength(rslSub(a, b));
}

// An explicit network with one mass and one stiffness for all. The arrays must outlive it.
static inline rslBodyDef NetworkBody(const char* name, const double* nodes, int nodeCount, const double* mass,
                                     const int* springs, int springCount, const double* stiffness)
{
    rslBodyDef body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    body.name = name;
    body.network.type = rsl_explicitNetwork;
    body.network.nodes = nodes;
    body.network.nodeCount = nodeCount;
    body.network.masses = mass;
    body.network.massCount = 1;
    body.network.springs = springs;
    body.network.springCount = springCount;
    body.network.stiffness = stiffness;
    body.network.stiffnessCount = springCount > 0 ? 1 : 0;
    return body;
}

static inline rslNodeSetDef ListOf(const char* body, const int* indices, int count)
{
    rslNodeSetDef set = rslDefaultNodeSetDef();
    set.body = body;
    set.type = rsl_listNodes;
    set.indices = indices;
    set.indexCount = count;
    return set;
}

static inline rslNodeSetDef AllOf(const char* body)
{
    rslNodeSetDef set = rslDefaultNodeSetDef();
    set.body = body;
    return set;
}

// The nodes on the side of a plane that its normal points to.
static inline rslNodeSetDef SideOf(const char* body, rslVec3 point, rslVec3 normal)
{
    rslNodeSetDef set = rslDefaultNodeSetDef();
    set.body = body;
    set.type = rsl_planeNodes;
    set.point = point;
    set.normal = normal;
    return set;
}

static inline rslConstraintDef PinOf(rslNodeSetDef nodes)
{
    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.type = rsl_pinConstraint;
    pin.nodes = nodes;
    return pin;
}

static inline rslLoadDef ForceOn(rslNodeSetDef nodes, rslVec3 force)
{
    rslLoadDef load = rslDefaultLoadDef();
    load.type = rsl_forceLoad;
    load.nodes = nodes;
    load.force = force;
    return load;
}

static inline rslCourseDef RampOf(double start, double duration, bool smooth)
{
    rslCourseDef course = rslDefaultCourseDef();
    course.type = rsl_rampCourse;
    course.start = start;
    course.duration = duration;
    course.smooth = smooth;
    return course;
}

static inline rslCourseDef PulseOf(double start, double duration, bool smooth)
{
    rslCourseDef course = RampOf(start, duration, smooth);
    course.type = rsl_pulseCourse;
    return course;
}

static inline rslConstraintDef MoveBy(rslNodeSetDef nodes, rslVec3 by)
{
    rslConstraintDef motion = rslDefaultConstraintDef();
    motion.type = rsl_motionConstraint;
    motion.nodes = nodes;
    motion.move.translate = by;
    return motion;
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static inline rslStatus MakeAndStep(const rslScene* scene, const rslSolverDef* def, int steps, const rslHooks* hooks)
{
    rslModel* model = NULL;
    rslSolver* solver = NULL;
    rslState* state = NULL;
    rslStatus status = rslModel_Build(scene, hooks, &model, NULL);
    status = status == rsl_ok ? rslSolver_Create(model, def, hooks, &solver, NULL) : status;
    status = status == rsl_ok ? rslState_Create(model, rsl_double, hooks, &state) : status;
    if (status == rsl_ok)
    {
        int calls = ((Heap*)hooks->user)->calls;
        status = rslSolver_Step(solver, state, steps);
        bool touches = scene->ground.enabled || scene->colliderCount > 0 || scene->touch.pairs == rsl_allPairs;
        assert_true(touches || ((Heap*)hooks->user)->calls == calls);  // none in a step, but for lists of what touches
    }
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
    return status;
}

// From the scene to the steps, with every allocation failing once.
static inline void FailEveryAllocation(const rslScene* scene, rslSolverDef def, int steps)
{
    Heap heap = { 0 };
    rslHooks hooks = HeapHooks(&heap);
    assert_int_equal(MakeAndStep(scene, &def, steps, &hooks), rsl_ok);
    assert_int_equal(heap.live, 0);
    for (int at = 1, calls = heap.calls; at <= calls; ++at)
    {
        heap = (Heap){ .failAt = at };
        assert_int_equal(MakeAndStep(scene, &def, steps, &hooks), rsl_outOfMemory);
        assert_int_equal(heap.live, 0);
    }
}

// Shapes of modes: x M y = 1 or 0.
static inline void CheckOrthonormal(const rslModel* model, const rslModes* modes)
{
    for (int a = 0; a < modes->count; ++a)
    {
        for (int b = 0; b <= a; ++b)
        {
            double sum = 0.0;
            for (int i = 0; i < model->nodeCount; ++i)
            {
                sum += model->mass[i] * rslDot(rslModes_Shape(modes, a, i), rslModes_Shape(modes, b, i));
            }
            assert_close(sum, a == b ? 1.0 : 0.0, 1e-10);
        }
    }
}

// Two modes of a scene at its start.
static inline void FailEveryAllocationOfModes(const rslScene* scene, rslModesDef def)
{
    rslModel* model = Built(scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    rslStatus status = rsl_outOfMemory;
    Heap heap = { 0 };
    def.count = 2;
    def.threads = 1;
    for (int at = 1; status == rsl_outOfMemory; ++at)
    {
        rslModes* modes = NULL;
        heap = (Heap){ .failAt = at };
        rslHooks hooks = HeapHooks(&heap);
        status = rslModes_Find(model, state, &def, &hooks, &modes, NULL);
        assert_true((status == rsl_ok) == (modes != NULL));
        assert_true(status == rsl_ok || status == rsl_outOfMemory);
        rslModes_Free(modes);
        assert_int_equal(heap.live, 0);
    }
    assert_true(heap.calls > 20);
    rslState_Free(state);
    rslModel_Free(model);
}

// ---- solves for rest -------------------------------------------------------------------------------------------------

// Whether a scene has such a solver.
static inline rslStatus CreateOnly(const rslScene* scene, rslSolverDef def, rslReport* report)
{
    rslModel* model = Built(scene, NULL);
    rslSolver* solver = NULL;
    rslStatus status = rslSolver_Create(model, &def, NULL, &solver, report);
    assert_true((status == rsl_ok) == (solver != NULL));
    rslSolver_Free(solver);
    rslModel_Free(model);
    return status;
}

// A chain whose first node is moved, whose springs are driven, and whose last node is pushed.
typedef struct PushedChain
{
    rslBodyDef body;
    rslConstraintDef motion;
    rslLoadDef load;
    rslDriveDef drive;
    rslScene scene;
} PushedChain;

static inline void MakePushedChain(PushedChain* chain, rslCourseDef moves)
{
    static const double nodes[12] = { 0, 0, 0, 1, 0, 0, 2, 0.2, 0, 3, 0, 0.1 }, mass = 1.0, stiffness = 60.0;
    static const int springs[6] = { 0, 1, 1, 2, 2, 3 }, first[1] = { 0 }, last[1] = { 3 };
    chain->body = NetworkBody("a", nodes, 4, &mass, springs, 3, &stiffness);
    chain->motion = MoveBy(ListOf("a", first, 1), (rslVec3){ -0.3, 0.0, 0.4 });
    chain->motion.move.course = moves;
    chain->load = ForceOn(ListOf("a", last, 1), (rslVec3){ 2.0, 5.0, 1.0 });
    chain->load.course.type = rsl_sineCourse;
    chain->load.course.frequency = 0.8;
    chain->drive = rslDefaultDriveDef();
    chain->drive.nodes = AllOf("a");
    chain->drive.strain = 0.2;
    chain->drive.course.type = rsl_sineCourse;
    chain->drive.course.frequency = 0.5;
    chain->scene = SceneOf(&chain->body, 1);
    chain->scene.constraints = &chain->motion;
    chain->scene.loads = &chain->load;
    chain->scene.drives = &chain->drive;
    chain->scene.constraintCount = chain->scene.loadCount = chain->scene.driveCount = 1;
}

// A body that is held somewhere.
static inline rslScene HeldScene(const rslBodyDef* body, rslConstraintDef* pin)
{
    rslScene scene = SceneOf(body, 1);
    scene.constraints = pin;
    scene.constraintCount = 1;
    return scene;
}

static inline rslScene LoadedScene(const rslBodyDef* body, rslConstraintDef* held, int heldCount, rslLoadDef* load)
{
    rslScene scene = SceneOf(body, 1);
    scene.constraints = held;
    scene.constraintCount = heldCount;
    scene.loads = load;
    scene.loadCount = 1;
    return scene;
}

// A bar from x = -0.5 on, its left end held, under its weight.
static inline rslScene CantileverOf(rslBodyDef* body, rslConstraintDef* pin, double held)
{
    body->material.young = 1e6;
    *pin = PinOf(SideOf(body->name, (rslVec3){ held - 0.5, 0, 0 }, (rslVec3){ -1, 0, 0 }));
    return HeldScene(body, pin);
}

// Two increments with one, two and three threads end in the same bits.
static inline void CheckThreads(const rslScene* scene, const char* preconditioner)
{
    uint64_t hash[3];
    for (int t = 0; t < 3; ++t)
    {
        rslSolverDef def = SolverDef(rsl_static, 0.5);
        def.threads = 1 + t;
        Run run = StartRun(scene, def);
        assert_true(run.model->nodeCount > 1000);
        Step(&run, 2);
        assert_string_equal(rslSolver_Rest(run.solver).preconditioner, preconditioner);
        hash[t] = rslState_Hash(run.state);
        EndRun(&run);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}
