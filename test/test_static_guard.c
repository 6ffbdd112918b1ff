// SPDX-License-Identifier: MIT
//
// test_static_guard.c: no state of rest, and none on the way to one, has an element inside out: bodies crushed to a
// twentieth of their height and back, led and loaded at random, or held so that nothing can be done. What stops says
// why.

#include "backend.h"
#include "collapse_fixture.h"
#include "state_internal.h"
#include "statics.h"

// ---- a body between faces that are moved ----------------------------------------------------------------------------

typedef struct Press
{
    const char* what;
    rslBodyDef body;
    double height;  // of the body, from z = 0 on or around it
    double low;
    double gap;  // what is left of the height
    int increments;
} Press;

typedef struct Pressed
{
    rslStatus status;
    rslRest rest;  // the last one
    double least;  // area or volume of an element over that at rest, of all accepted states
    double back;   // farthest node from where it was in the end, over the height
    int newtonSteps, parts;
} Pressed;

// Both faces held, the upper one moved down and up again, and a little to the side, so that the body knows where to go
// when it buckles.
static Pressed RunPress(const Press* press)
{
    static const double points[6] = { 0.0, 0.0, 1.0, 1.0, 2.0, 0.0 };
    double top = press->low + press->height;
    rslConstraintDef holds[2] = {
        PinOf(SideOf(NULL, (rslVec3){ 0, 0, press->low + 1e-6 }, (rslVec3){ 0, 0, -1 })),
        MoveBy(SideOf(NULL, (rslVec3){ 0, 0, top - 1e-6 }, (rslVec3){ 0, 0, 1 }),
               (rslVec3){ 0.01 * press->height, 0, -(1.0 - press->gap) * press->height }),
    };
    holds[1].move.course.type = rsl_tableCourse;
    holds[1].move.course.points = points;
    holds[1].move.course.pointCount = 3;
    rslScene scene = SceneOf(&press->body, 1);
    scene.gravity = (rslVec3){ 0, 0, 0 };
    scene.constraints = holds;
    scene.constraintCount = 2;
    rslSolverDef def = SolverDef(rsl_static, 1.0 / press->increments);
    def.tolerance = 1e-6;
    Run run = StartRun(&scene, def);
    size_t count = (size_t)run.model->nodeCount;
    double* rest = calloc(3 * count, sizeof(double));
    rslState_Positions(run.model, run.state, 0, run.model->nodeCount, rest);
    Pressed out = { .least = 1.0 };
    for (int i = 0; out.status == rsl_ok && i < 2 * press->increments; ++i)
    {
        out.status = rslSolver_Step(run.solver, run.state, 1);
        out.least = fmin(out.least, SmallestRatio(run.model, run.state));
        out.rest = rslSolver_Rest(run.solver);
        out.newtonSteps += out.rest.newtonSteps;
    }
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        rslVec3 at = { rest[3 * i], rest[3 * i + 1], rest[3 * i + 2] };
        out.back = Worse(out.back, Distance(PositionOf(&run, i), at) / press->height);
    }
    out.parts = (int)run.state->guard.substeps;
    free(rest);
    EndRun(&run);
    return out;
}

static void CheckPress(const Press* press)
{
    Pressed out = RunPress(press);
    char what[160];
    snprintf(what, sizeof what, "%s to %.0f %%: shape back", press->what, 100.0 * press->gap);
    if (Proving())
    {
        printf("# %s to %.0f %%: least volume %.4f of rest, %d Newton steps, %d parts, outcome %d\n", press->what,
               100.0 * press->gap, out.least, out.newtonSteps, out.parts, out.rest.outcome);
    }
    assert_int_equal(out.status, rsl_ok);
    assert_true(out.least > 0.0 && out.least < press->gap + 0.01);
    assert_proved(what, out.back, 0.01);
}

// Kuhn's cube: n^3 cells of six tetrahedra each, around the diagonal from the lowest corner; springs along the edges.
enum
{
    KUHN = 3,
    KUHN_NODES = (KUHN + 1) * (KUHN + 1) * (KUHN + 1)
};

static rslBodyDef KuhnCube(int n, rslRepulsionType law)
{
    static const int order[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 } };
    static double nodes[3 * KUHN_NODES], mass, k = 100.0;
    static int tetrahedra[4 * 6 * KUHN * KUHN * KUHN];
    int step[3] = { 1, n + 1, (n + 1) * (n + 1) }, nodeCount = (n + 1) * step[2], count = 0;
    for (int i = 0; i < nodeCount; ++i)
    {
        const int at[3] = { i % (n + 1), i / step[1] % (n + 1), i / step[2] };
        for (int axis = 0; axis < 3; ++axis)
        {
            nodes[3 * i + axis] = (double)at[axis] / n;
        }
        for (int t = 0; t < 6 && at[0] < n && at[1] < n && at[2] < n; ++t)
        {
            int corner = i, *out = &tetrahedra[4 * count++];
            for (int c = 0; c < 4; ++c)
            {
                out[t < 3 || c < 2 ? c : 5 - c] = corner;
                corner += step[order[t][c < 3 ? c : 0]];
            }
        }
    }
    mass = 1.0 / nodeCount;
    rslBodyDef body = NetworkBody("cube", nodes, nodeCount, &mass, NULL, 0, &k);
    body.network.stiffnessCount = 1;
    body.network.tetrahedra = tetrahedra;
    body.network.tetrahedronCount = count;
    body.network.springsFrom = rsl_edgeSprings;
    body.repulsion.type = law;
    body.repulsion.stiffness = law == rsl_clampedRepulsion ? RSL_AUTO : 0.2 * k;
    return body;
}

static const rslRepulsionType laws[3] = { rsl_clampedRepulsion, rsl_cooperRepulsion, rsl_stiffRepulsion };
static const char* const lawNames[3] = { "clamped", "Cooper's", "stiff" };

// Cubes of tetrahedra with each of the laws.
static void TetrahedraComeBack(void** unused)
{
    (void)unused;
    for (int i = 0; i < (Proving() ? 6 : 3); ++i)
    {
        char what[80];
        snprintf(what, sizeof what, "static, cube of tetrahedra, %s", lawNames[i % 3]);
        Press press = { .what = what, .height = 1.0, .gap = i < 3 ? 0.15 : 0.05, .increments = Proving() ? 10 : 1 };
        press.body = KuhnCube(Proving() ? KUHN : 2, laws[i % 3]);
        CheckPress(&press);
    }
}

// Boxes of lattices, bricks, hexahedra, and of tetrahedra from a shape.
static void BoxesComeBack(void** unused)
{
    (void)unused;
    static const struct
    {
        const char* what;
        rslNetworkType network;
        rslModelType model;
        int law;
    } kinds[] = {
        { "lattice of springs, clamped", rsl_latticeNetwork, rsl_springModel, 0 },
        { "bricks, clamped", rsl_latticeNetwork, rsl_brickModel, 0 },
        { "hexahedra, clamped", rsl_hexahedraNetwork, rsl_autoModel, 0 },
        { "lattice of springs, Cooper's", rsl_latticeNetwork, rsl_springModel, 1 },
        { "lattice of springs, stiff", rsl_latticeNetwork, rsl_springModel, 2 },
        { "tetrahedra of a shape, clamped", rsl_tetrahedraNetwork, rsl_springModel, 0 },
    };
    for (int i = 0; i < (Proving() ? 12 : 3); ++i)
    {
        rslShapeDef box = BoxShape(1, 1, 1);
        char what[80];
        snprintf(what, sizeof what, "static, %s", kinds[i % 6].what);
        Press press = { .what = what, .height = 1.0, .low = -0.5, .gap = i < 6 ? 0.15 : 0.05 };
        press.increments = Proving() ? 10 : 1;
        press.body = LatticeBody("cube", &box, Proving() ? 0.25 : 0.5);
        press.body.network.type = kinds[i % 6].network;
        for (int axis = 0; axis < 3 && kinds[i % 6].network == rsl_hexahedraNetwork; ++axis)
        {
            press.body.network.grid[axis] = Proving() ? 4 : 2;
        }
        press.body.model.type = kinds[i % 6].model;
        press.body.material.young = 1e5;
        press.body.repulsion.type = laws[kinds[i % 6].law];
        CheckPress(&press);
    }
}

// ---- the matrix -------------------------------------------------------------------------------------------------------

// A bar of springs, bricks or tetrahedra, held at one end.
static Run StartBar(int kind, rslRepulsionType law, rslVec3 push)
{
    rslShapeDef box = BoxShape(0.6, 0.2, 0.2);
    rslBodyDef body = LatticeBody("bar", &box, 0.1);
    rslConstraintDef pin;
    rslLoadDef load = ForceOn(SideOf("bar", (rslVec3){ 0.29, 0, 0 }, (rslVec3){ 1, 0, 0 }), push);
    rslScene scene = CantileverOf(&body, &pin, 0.21);
    body.network.type = kind < 2 ? rsl_latticeNetwork : rsl_tetrahedraNetwork;
    body.model.type = kind == 1 ? rsl_brickModel : rsl_springModel;
    body.repulsion.type = law;
    scene.loads = &load;
    scene.loadCount = 1;
    return StartRun(&scene, SolverDef(rsl_static, 1.0));
}

// Where nothing is near collapse, a barrier changes no bit and no count.
static void NothingChangesFarFromCollapse(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < 3; ++kind)
    {
        Run with = StartBar(kind, rsl_clampedRepulsion, (rslVec3){ 1, 2, 3 });
        Run without = StartBar(kind, rsl_noRepulsion, (rslVec3){ 1, 2, 3 });
        Step(&with, 1);
        Step(&without, 1);
        rslRest a = rslSolver_Rest(with.solver), b = rslSolver_Rest(without.solver);
        assert_true(with.model->bodies[0].repulsion.count > 0 && a.newtonSteps > 0);
        assert_true(a.newtonSteps == b.newtonSteps && a.iterations == b.iterations && a.residual == b.residual);
        assert_memory_equal(with.state->displacement[2], without.state->displacement[2],
                            (size_t)with.model->nodeCount * sizeof(double));
        EndRun(&with);
        EndRun(&without);
    }
}

// Blocks between nodes are what the term says, where elements are pressed together.
static void MatrixIsThatOfTheTerm(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < 3; ++kind)
    {
        Run run = StartBar(kind, rsl_clampedRepulsion, (rslVec3){ -2e4, 1e3, 0 });
        size_t count = (size_t)run.model->nodeCount + RSL_STATE_PADDING;
        double* memory = calloc(9 * count, sizeof(double));
        double *p[3], *a[3], *b[3], difference = 0.0, size = 0.0;
        Random random = MakeRandom(7);
        Step(&run, 1);
        assert_true(SmallestRatio(run.model, run.state) < 0.45);
        rslHooks hooks = rslHooks_Complete(NULL);
        rslTeam* team = rslTeam_Create(&hooks, 1, NULL, NULL);
        void* kernel = rslBackend64.create(run.model, rsl_static, &hooks, team);
        for (size_t axis = 0; axis < 3; ++axis)
        {
            p[axis] = memory + axis * count;
            a[axis] = memory + (3 + axis) * count;
            b[axis] = memory + (6 + axis) * count;
            for (int i = 0; i < run.model->nodeCount; ++i)
            {
                p[axis][i] = NextBetween(&random, -1.0, 1.0);
            }
        }
        rslStatics_Look(kernel, run.state);
        rslStatics_Product(kernel, run.state, p, a);
        assert_true(rslBackend64.product(kernel, run.state, rsl_stiffnessProduct, p, b));
        for (int k = 0; k < 3 * run.model->nodeCount; ++k)
        {
            difference = Worse(difference, fabs(a[k % 3][k / 3] - b[k % 3][k / 3]));
            size = Worse(size, fabs(b[k % 3][k / 3]));
        }
        assert_proved("static: blocks near collapse against products of the term", difference / size, 1e-13);
        rslBackend64.destroy(kernel);
        rslTeam_Free(team);
        free(memory);
        EndRun(&run);
    }
}

// ---- what cannot go on ----------------------------------------------------------------------------------------------

// Faces moved through each other, at once or bit by bit: it ends cleanly, names an element, and the rest before is there.
static void NothingGoesThroughItself(void** unused)
{
    (void)unused;
    for (int i = 0; i < 2; ++i)
    {
        rslShapeDef box = BoxShape(0.2, 0.2, 0.2);
        rslBodyDef body = LatticeBody("a", &box, 0.1);
        body.repulsion.type = rsl_clampedRepulsion;
        rslConstraintDef holds[2] = { PinOf(SideOf("a", (rslVec3){ 0, 0, -0.09 }, (rslVec3){ 0, 0, -1 })),
                                      MoveBy(SideOf("a", (rslVec3){ 0, 0, 0.09 }, (rslVec3){ 0, 0, 1 }),
                                             (rslVec3){ 0, 0, -0.3 }) };
        if (i == 0)
        {
            holds[1].move.course = RampOf(0.0, 1.0, false);
        }
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0, 0, 0 };
        scene.constraints = holds;
        scene.constraintCount = 2;
        Run run = StartRun(&scene, SolverDef(rsl_static, 0.5));
        assert_int_equal(rslSolver_Step(run.solver, run.state, 2), rsl_diverged);
        rslDivergence d = rslSolver_Divergence(run.solver);
        assert_true(d.element >= 0 && d.elementBody == 0);
        assert_int_equal(rslSolver_Rest(run.solver).outcome, rsl_restCollapse);
        assert_true(SmallestRatio(run.model, run.state) > 0.0);
        assert_true(run.state->stepCount == (i == 0 ? 1 : 0) && run.state->step == 0.5);
        assert_true(i == 0 || SmallestRatio(run.model, run.state) == 1.0);
        EndRun(&run);
    }
}

// ---- scenes drawn at random -----------------------------------------------------------------------------------------

typedef struct Ordeal
{
    rslShapeDef shape;
    rslBodyDef body;
    rslLoadDef load;
    rslConstraintDef constraints[2];
    rslScene scene;
    int increments;
} Ordeal;

static void DrawBody(Random* random, Ordeal* o)
{
    static const rslShapeType shapes[] = { rsl_boxShape, rsl_sphereShape, rsl_cylinderShape, rsl_torusShape };
    o->shape = rslDefaultShapeDef();
    o->shape.type = shapes[NextBits(random) % 4];
    o->shape.size = (rslVec3){ NextBetween(random, 0.1, 0.3), NextBetween(random, 0.1, 0.3), 0.2 };
    o->shape.radius = NextBetween(random, 0.08, 0.12);
    o->shape.height = 0.2;
    o->shape.tubeRadius = 0.045;
    o->body = LatticeBody("a", &o->shape, NextBetween(random, 0.045, 0.07));
    o->body.surface.enabled = false;
    o->body.network.type = NextBits(random) % 2 ? rsl_latticeNetwork : rsl_tetrahedraNetwork;
    o->body.model.type = NextBits(random) % 2 ? rsl_springModel : rsl_autoModel;
    o->body.repulsion.type = laws[o->body.model.type == rsl_springModel ? NextBits(random) % 3 : 0];
    o->body.material.young = pow(10.0, NextBetween(random, 3.0, 7.0));
    o->body.material.poisson = o->body.model.type == rsl_springModel ? 0.25 : NextBetween(random, 0.0, 0.4);
}

// A side is held; the other one is moved, turned or pulled, or the weight is out of all measure.
static void DrawOrdeal(Random* random, Ordeal* o)
{
    DrawBody(random, o);
    double young = o->body.material.young, much = pow(10.0, NextBetween(random, -1.5, 1.0));
    rslNodeSetDef upper = SideOf("a", (rslVec3){ 0, 0, 0.05 }, (rslVec3){ 0, 0, 1 });
    rslVec3 way = NextVec3(random, 1.0);
    int kind = (int)(NextBits(random) % 4);
    o->scene = SceneOf(&o->body, 1);
    o->scene.gravity = (rslVec3){ 0, 0, 0 };
    o->scene.constraints = o->constraints;
    o->scene.constraintCount = 1;
    o->constraints[0] = PinOf(SideOf("a", (rslVec3){ 0, 0, -0.05 }, (rslVec3){ 0, 0, -1 }));
    o->increments = 1 + (int)(NextBits(random) % 4);
    if (kind == 0)
    {
        o->load = ForceOn(upper, rslScale(0.01 * young * 0.04 * much, way));
        o->load.course = RampOf(0.0, 1.0, false);
        o->scene.loads = &o->load;
        o->scene.loadCount = 1;
    }
    else if (kind == 1)
    {
        o->scene.gravity = rslScale(much * young / (o->body.material.density * 0.2), way);
    }
    else
    {
        o->constraints[1] = MoveBy(upper, (rslVec3){ 0.05 * way.x, 0.05 * way.y, -NextBetween(random, 0.02, 0.1) });
        o->constraints[1].move.rotate.axis = (rslVec3){ 0, 0, 1 };
        o->constraints[1].move.rotate.angle = kind == 3 ? NextBetween(random, -150.0, 150.0) : 0.0;
        if (NextBits(random) % 4 != 0)
        {
            o->constraints[1].move.course = RampOf(0.0, 1.0, false);
        }
        o->scene.constraintCount = 2;
    }
}

// How a scene ended: at rest, refused before it began, without a rest, with an element that would collapse, or wrongly.
typedef enum Ending
{
    RESTS,
    REFUSED,
    NO_REST,
    COLLAPSES,
    WRONG
} Ending;

static Ending Judge(const Run* run, rslStatus status)
{
    rslRest rest = rslSolver_Rest(run->solver);
    rslDivergence d = rslSolver_Divergence(run->solver);
    if (!(SmallestRatio(run->model, run->state) > 0.0) || !IsFinite(run->model, run->state))
    {
        return WRONG;
    }
    if (status == rsl_diverged)
    {
        return d.element >= 0 && rest.outcome == rsl_restCollapse ? COLLAPSES : WRONG;
    }
    bool told = rest.outcome != rsl_restFound && rest.outcome != rsl_restNone;
    return status == rsl_ok ? RESTS : status == rsl_notConverged && told ? NO_REST : WRONG;
}

static Ending Suffer(const Ordeal* o, double* smallest)
{
    Run run = { 0 };
    rslSolverDef def = SolverDef(rsl_static, 1.0 / o->increments);
    def.tolerance = 1e-6;
    Ending ending = RESTS;
    if (rslModel_Build(&o->scene, NULL, &run.model, NULL) != rsl_ok)
    {
        return REFUSED;
    }
    if (rslSolver_Create(run.model, &def, NULL, &run.solver, NULL) != rsl_ok)
    {
        rslModel_Free(run.model);
        return REFUSED;
    }
    run.state = StateOf(run.model, rsl_double);
    for (int i = 0; ending == RESTS && i < o->increments; ++i)
    {
        ending = Judge(&run, rslSolver_Step(run.solver, run.state, 1));
        *smallest = fmin(*smallest, SmallestRatio(run.model, run.state));
    }
    if (ending == NO_REST && Proving())
    {
        rslRest rest = rslSolver_Rest(run.solver);
        printf("#   outcome %d, residual %.3g, smallest %.3g\n", rest.outcome, rest.residual, *smallest);
    }
    EndRun(&run);
    return ending;
}

static void RandomScenes(void** unused)
{
    (void)unused;
    int scenes = Proving() ? 300 : 6, counts[5] = { 0 };
    const char* first = getenv("RSL_FIRST");
    for (int i = first != NULL ? atoi(first) : 0; i < scenes; ++i)
    {
        Ordeal ordeal;
        Random random = MakeRandom((uint64_t)(5000 + i));
        double smallest = 1.0;
        DrawOrdeal(&random, &ordeal);
        Ending ending = Suffer(&ordeal, &smallest);
        counts[ending] += 1;
        if (Proving() && ending != RESTS)
        {
            static const char* const words[5] = { "rests", "refused", "no rest", "collapses", "wrong" };
            printf("# scene %d: %s, smallest %.3g\n", i, words[ending], smallest);
        }
    }
    print_message("# %d at rest, %d refused, %d without rest, %d would collapse, %d wrong\n", counts[RESTS],
                  counts[REFUSED], counts[NO_REST], counts[COLLAPSES], counts[WRONG]);
    assert_true(counts[RESTS] > scenes / 3);
    assert_proved("static: states inverted, not finite or without a reason", counts[WRONG], 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TetrahedraComeBack),
        cmocka_unit_test(BoxesComeBack),
        cmocka_unit_test(NothingChangesFarFromCollapse),
        cmocka_unit_test(MatrixIsThatOfTheTerm),
        cmocka_unit_test(NothingGoesThroughItself),
        cmocka_unit_test(RandomScenes),
    };
    return cmocka_run_group_tests_name("static_guard", tests, NULL, NULL);
}
