// SPDX-License-Identifier: MIT
//
// Smoothed aggregation: how many iterations networks of all kinds take, that coarse levels have the rigid motions, and that
// the cycle is a symmetric positive operator with the same bits for any number of threads.

#include "hierarchy_fixture.h"

#include "delaunay.h"
#include "solver_internal.h"
#include "static.h"

#include <time.h>

// ---- bodies ---------------------------------------------------------------------------------------------------------

static rslBodyDef RandomBody(const char* name, const rslShapeDef* shape, double least, double most)
{
    rslBodyDef body = LatticeBody(name, shape, 0.1);
    body.network = rslDefaultNetworkDef();
    body.network.type = rsl_randomNetwork;
    body.network.minLength = least;
    body.network.maxLength = most;
    body.surface.enabled = false;
    return body;
}

static double Seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct Count
{
    int nodes, iterations;
    double springs;       // mean number at a node
    double setUp, solve;  // processor time a node [us]
} Count;

// Of the linear problem, to 1e-8.
static Count CountScene(rslScene* scene, const char* preconditioner)
{
    scene->gravity = (rslVec3){ 3.0, -5.0, scene->plane == rsl_planeXY ? 0.0 : -8.0 };
    rslSolverDef def = SolverDef(rsl_static, 1.0);
    def.threads = 2;
    Run run = StartRun(scene, def);
    Count count = { .nodes = run.model->nodeCount };
    for (int b = 0; b < run.model->bodyCount; ++b)
    {
        count.springs += 2.0 * run.model->bodies[b].network.springCount / count.nodes;
    }
    double begun = Seconds();
    rslStatic_Aim(run.solver->rest, run.state);
    double aimed = Seconds();
    count.iterations = rslStatic_SolveLinear(run.solver->rest, run.state, 1e-8);
    count.setUp = 1e6 * (aimed - begun) / count.nodes;
    count.solve = 1e6 * (Seconds() - aimed) / count.nodes - count.setUp;
    assert_true(count.iterations > 0);
    assert_string_equal(rslStatic_Preconditioner(run.solver->rest), preconditioner);
    EndRun(&run);
    return count;
}

static Count CountHeld(const rslBodyDef* body, rslNodeSetDef held, uint64_t seed)
{
    rslConstraintDef pin = PinOf(held);
    rslScene scene = SceneOf(body, 1);
    scene.seed = seed;
    scene.constraints = &pin;
    scene.constraintCount = 1;
    return CountScene(&scene, "smoothed aggregation");
}

static Count CountRandom(double least, double most, uint64_t seed)
{
    rslShapeDef shape = BoxShape(3.0, 1.0, 1.0);
    rslBodyDef body = RandomBody("body", &shape, least, most);
    return CountHeld(&body, SideOf("body", (rslVec3){ -1.4, 0, 0 }, (rslVec3){ -1, 0, 0 }), seed);
}

// Edges of the Delaunay tetrahedra of points as far apart as those of a random network.
static Count CountTetrahedra(double least)
{
    rslShapeDef shape = BoxShape(3.0, 1.0, 1.0);
    rslBodyDef body = RandomBody("points", &shape, least, 1.9 * least);
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    int nodes = model->nodeCount;
    double* points = malloc(3 * (size_t)nodes * sizeof(double));
    for (int i = 0; i < nodes; ++i)
    {
        rslVec3 at = WorldOf(model, i);
        memcpy(&points[3 * i], (double[3]){ at.x, at.y, at.z }, 3 * sizeof(double));
    }
    rslModel_Free(model);
    rslDelaunay made;
    assert_int_equal(rslDelaunay_Make(points, nodes, NULL, &made, NULL), rsl_ok);
    rslBodyDef tets = LatticeBody("body", NULL, 0.0);
    tets.network.type = rsl_tetrahedraNetwork;
    tets.network.nodes = points;
    tets.network.nodeCount = nodes;
    tets.network.tetrahedra = made.corners;
    tets.network.tetrahedronCount = made.count;
    tets.surface.enabled = false;
    Count count = CountHeld(&tets, SideOf("body", (rslVec3){ -1.4, 0, 0 }, (rslVec3){ -1, 0, 0 }), 1);
    rslDelaunay_Free(&made);
    free(points);
    return count;
}

static void Judge(const char* what, Count count, int bar)
{
    char line[160];
    snprintf(line, sizeof line, "smoothed aggregation, CG iterations to 1e-8: %s, %d nodes, <S> %.1f", what,
             count.nodes, count.springs);
    assert_proved(line, count.iterations, bar);
    if (Proving())
    {
        printf("prove: %s, %d nodes: processor time a node | set-up %.3g us, solve %.3g us\n", what, count.nodes,
               count.setUp, count.solve);
    }
}

// ---- iterations -----------------------------------------------------------------------------------------------------

static void RandomNetworks(void** unused)
{
    (void)unused;
    Count small = CountRandom(Proving() ? 0.08 : 0.1, Proving() ? 0.16 : 0.2, 1),
          large = CountRandom(Proving() ? 0.05 : 0.065, Proving() ? 0.1 : 0.13, 1);
    Judge("random", small, 20);
    Judge("random", large, 20);
    Judge("random, another seed", CountRandom(0.11, 0.22, 77), 20);
    Judge("random, fewer springs", CountRandom(0.1, 0.195, 3), 20);
    Judge("random, more springs", CountRandom(0.12, 0.28, 5), 20);
    if (Proving())
    {
        large = CountRandom(0.03, 0.06, 1);
        Judge("random", large, 20);
        Judge("random", CountRandom(0.019, 0.038, 1), 20);
    }
    assert_true(large.iterations <= 1.25 * small.iterations + 1.0);
}

static void Tetrahedra(void** unused)
{
    (void)unused;
    Judge("tetrahedra", CountTetrahedra(Proving() ? 0.08 : 0.1), 40);
    if (Proving())
    {
        Judge("tetrahedra", CountTetrahedra(0.05), 40);
        Judge("tetrahedra", CountTetrahedra(0.031), 40);
    }
}

// Few springs a node: nothing is promised but an end.
static void SparseNetworksConverge(void** unused)
{
    (void)unused;
    Count count = CountRandom(0.1, 0.165, 1);
    assert_true(count.springs < 9.5);
    Judge("random, few springs", count, 100);
}

static void PlaneSheets(void** unused)
{
    (void)unused;
    rslBodyDef body = GridBody("sheet", 2.0, 1.0, 80, 40);
    rslConstraintDef pin = PinOf(SideOf("sheet", (rslVec3){ -0.99, 0, 0 }, (rslVec3){ -1, 0, 0 }));
    rslScene scene = SceneOf(&body, 1);
    scene.plane = rsl_planeXY;
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Judge("sheet in the plane", CountScene(&scene, "smoothed aggregation"), 30);
}

// Two blocks one on the other, tied where they meet; the lower one is held.
static Count CountTied(bool firstLattice, bool secondLattice, const char* preconditioner)
{
    rslShapeDef shapes[2] = { BoxShape(1.0, 0.6, 0.4), BoxShape(1.0, 0.6, 0.4) };
    shapes[1].translate = (rslVec3){ 0, 0, 0.4 };
    rslBodyDef bodies[2] = { RandomBody("lower", &shapes[0], 0.05, 0.1), RandomBody("upper", &shapes[1], 0.05, 0.1) };
    bodies[0] = firstLattice ? LatticeBody("lower", &shapes[0], 0.04) : bodies[0];
    bodies[1] = secondLattice ? LatticeBody("upper", &shapes[1], 0.05) : bodies[1];
    bodies[1].network.orientation = (rslRotationDef){ { 0, 0, 1 }, secondLattice ? 90.0 : 0.0 };
    rslLinkDef tie = rslDefaultLinkDef();
    tie.type = rsl_tieLink;
    tie.from = SideOf("upper", (rslVec3){ 0, 0, 0.25 }, (rslVec3){ 0, 0, -1 });
    tie.to.body = "lower";
    tie.reach = 0.2;
    rslConstraintDef pin = PinOf(SideOf("lower", (rslVec3){ -0.45, 0, 0 }, (rslVec3){ -1, 0, 0 }));
    rslScene scene = SceneOf(bodies, 2);
    scene.links = &tie;
    scene.linkCount = 1;
    scene.constraints = &pin;
    scene.constraintCount = 1;
    return CountScene(&scene, preconditioner);
}

static void TiedBodies(void** unused)
{
    (void)unused;
    Judge("two random blocks, tied", CountTied(false, false, "smoothed aggregation"), 40);
    Judge("a lattice on a random block, tied", CountTied(false, true, "smoothed aggregation"), 40);
    assert_proved("multigrid CG iterations to 1e-8: two lattices, tied", CountTied(true, true, "multigrid").iterations,
                  40);
}

// ---- the operator -----------------------------------------------------------------------------------------------------

static void MakeAggregates(Hierarchy* h, const rslScene* scene)
{
    StartHierarchy(h, Built(scene, NULL), rsl_static, 2);
    MakeLevels(h, true);
    assert_true(h->grid.levelCount > 2);
}

// A rigid motion of the world, shift and turn about the origin, in the unknowns of a node of a level.
static void RigidAt(const Hierarchy* h, int level, int node, rslVec3 shift, rslVec3 turn, double out[6])
{
    const rslLevel* at = &h->grid.levels[level];
    if (level == 0)
    {
        rslMat3 axes = rslStatics_Axes(h->kernel, node);
        rslVec3 x = rslStatics_Position(h->kernel, h->state, node);
        rslVec3 v = rslMatTVec(&axes, rslAdd(shift, rslCross(turn, x)));
        memcpy(out, (double[3]){ v.x, v.y, v.z }, 3 * sizeof(double));
        return;
    }
    const rslAggregates* below = at[-1].aggregates;
    rslVec3 u = rslAdd(shift, rslCross(turn, below->centre[node]));
    const double motion[6] = { u.x, u.y, u.z, turn.x, turn.y, turn.z };
    const double plane[3] = { u.x, u.y, turn.z };
    for (int r = 0; r < at->width; ++r)
    {
        out[r] = 0.0;
        for (int c = 0; c < at->width; ++c)
        {
            out[r] += below->modes[at->width * (at->width * node + c) + r] * (at->width == 3 ? plane : motion)[c];
        }
    }
}

// The largest difference between a rigid motion on a level and what P makes of it from the next one, relative.
static double RigidError(const Hierarchy* h, int level, rslVec3 shift, rslVec3 turn)
{
    const rslLevel *fine = &h->grid.levels[level], *coarse = fine + 1;
    double error = 0.0, size = 0.0;
    for (int i = 0; i < fine->count; ++i)
    {
        double exact[6], sum[6] = { 0 }, from[6];
        RigidAt(h, level, i, shift, turn, exact);
        for (int p = fine->parentStart[i]; p < fine->parentStart[i + 1]; ++p)
        {
            RigidAt(h, level + 1, fine->parent[p], shift, turn, from);
            for (int c = 0; c < fine->width * coarse->width; ++c)
            {
                sum[c % fine->width] +=
                    (double)fine->weight[fine->width * coarse->width * p + c] * from[c / fine->width];
            }
        }
        for (int c = 0; c < fine->width; ++c)
        {
            error = Worse(error, fabs(sum[c] - exact[c]));
            size = Worse(size, fabs(exact[c]));
        }
    }
    return error / size;
}

// Of a free body P has the rigid motions on every level, and A on none resists them.
static void RigidMotionsAreExact(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(2.0, 1.0, 1.0);
    shape.translate = (rslVec3){ 50.0, -20.0, 3.0 };
    rslBodyDef body = RandomBody("body", &shape, 0.08, 0.16);
    rslScene scene = SceneOf(&body, 1);
    Hierarchy h;
    MakeAggregates(&h, &scene);
    const rslVec3 motions[4][2] = {
        { { 1, 0, 0 }, { 0, 0, 0 } },
        { { 0, 3.0, -50.0 }, { 0, 1, 0 } },  // about the axis through the body
        { { 20.0, 50.0, 0.0 }, { 0, 0, 1 } },
        { { 0.3, -0.2, 0.9 }, { 0.5, 0.1, -0.7 } },
    };
    for (int level = 0; level + 1 < h.grid.levelCount; ++level)
    {
        const rslLevel* coarse = &h.grid.levels[level + 1];
        for (int m = 0; m < 4; ++m)
        {
            double largest = 0.0, size = 0.0;
            assert_at_most(RigidError(&h, level, motions[m][0], motions[m][1]), 2e-6);
            for (int i = 0; i < coarse->count; ++i)
            {
                RigidAt(&h, level + 1, i, motions[m][0], motions[m][1], coarse->x.x[0] + coarse->width * i);
            }
            rslMultigrid_Multiply(&h.grid, level + 1, coarse->x, coarse->t);
            for (int r = 0; r < coarse->width * coarse->count; ++r)
            {
                largest = Worse(largest, fabs(coarse->t.x[0][r]));
                size = Worse(size, fabs(coarse->x.x[0][r]) * coarse->wideDiagonal[36 * (r / 6) + 7 * (r % 6)]);
            }
            assert_at_most(largest, 1e-5 * size);
        }
    }
    FreeHierarchy(&h);
}

static void FillFree(const Hierarchy* h, Random* random, const rslNodeVector* field)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < h->model->nodeCount; ++i)
        {
            field->x[axis][i] = NextBetween(random, -1.0, 1.0);
        }
    }
    rslUnknowns_Project(&h->unknowns, field);
}

// <x, M y> = <M x, y> and <x, M x> > 0; what is held stays.
static void JudgeOperator(const rslScene* scene)
{
    Hierarchy h;
    MakeAggregates(&h, scene);
    rslNodeVector x, y, mx, my;
    Random random = MakeRandom(4);
    const rslUnknowns* u = &h.unknowns;
    assert_true(
        rslNodeVector_Make(&x, h.model->nodeCount, &h.arena) && rslNodeVector_Make(&y, h.model->nodeCount, &h.arena) &&
        rslNodeVector_Make(&mx, h.model->nodeCount, &h.arena) && rslNodeVector_Make(&my, h.model->nodeCount, &h.arena));
    for (int trial = 0; trial < 3; ++trial)
    {
        FillFree(&h, &random, &x);
        FillFree(&h, &random, &y);
        rslMultigrid_Apply(&h.grid, &x, &mx);
        rslMultigrid_Apply(&h.grid, &y, &my);
        double xx = rslUnknowns_Dot(u, &x, &mx), yy = rslUnknowns_Dot(u, &y, &my), scale = sqrt(xx * yy);
        assert_true(xx > 0.0 && yy > 0.0);
        assert_at_most(fabs(rslUnknowns_Dot(u, &x, &my) - rslUnknowns_Dot(u, &mx, &y)), 1e-9 * scale);
        rslUnknowns_Copy(u, &x, &mx);
        rslUnknowns_Project(u, &x);
        rslUnknowns_Combine(u, &x, 1.0, -1.0, &mx);
        assert_true(rslUnknowns_Dot(u, &x, &x) <= 1e-24 * rslUnknowns_Dot(u, &mx, &mx));
    }
    FreeHierarchy(&h);
}

static void CycleIsSymmetric(void** unused)
{
    (void)unused;
    rslShapeDef shapes[2] = { BoxShape(2.0, 1.0, 1.0), BoxShape(1.0, 1.0, 0.5) };
    shapes[1].translate = (rslVec3){ 0, 0, 0.8 };
    rslBodyDef bodies[2] = { RandomBody("body", &shapes[0], 0.1, 0.2), LatticeBody("top", &shapes[1], 0.1) };
    rslConstraintDef pins[2] = { PinOf(SideOf("body", (rslVec3){ -0.9, 0, 0 }, (rslVec3){ -1, 0, 0 })),
                                 PinOf(SideOf("body", (rslVec3){ 0.9, 0, 0 }, (rslVec3){ 1, 0, 0 })) };
    pins[1].axes[1] = false;
    rslLinkDef tie = rslDefaultLinkDef();
    tie.type = rsl_tieLink;
    tie.from = SideOf("top", (rslVec3){ 0, 0, 0.56 }, (rslVec3){ 0, 0, -1 });
    tie.to.body = "body";
    tie.reach = 0.3;
    rslScene scene = SceneOf(bodies, 2);
    scene.constraints = pins;
    scene.constraintCount = 2;
    scene.links = &tie;
    scene.linkCount = 1;
    scene.ground = rslDefaultGroundDef();
    scene.ground.point = (rslVec3){ 0, 0, -0.4 };
    scene.touch.scheme = rsl_penaltyScheme;
    JudgeOperator(&scene);
    rslBodyDef sheet = GridBody("body", 2.0, 1.0, 60, 30);
    rslScene plane = SceneOf(&sheet, 1);
    plane.plane = rsl_planeXY;
    plane.gravity = (rslVec3){ 0 };
    plane.constraints = pins;
    plane.constraintCount = 2;
    JudgeOperator(&plane);
}

// ---- whole solves -------------------------------------------------------------------------------------------------------

static void ThreadsDoNotChangeABit(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(1.0, 0.2, 0.2);
    rslConstraintDef pin;
    rslBodyDef body = RandomBody("bar", &shape, 0.025, 1.9 * 0.025);
    rslScene scene = CantileverOf(&body, &pin, 0.05);
    CheckThreads(&scene, "smoothed aggregation");
}

// A column of a random network under a load along its axis: rest below Euler's load, an unstable one above.
static void ColumnBuckles(void** unused)
{
    (void)unused;
    for (int heavy = 0; heavy < 2; ++heavy)
    {
        rslShapeDef shape = BoxShape(0.2, 0.2, 2.0);
        rslBodyDef body = RandomBody("column", &shape, 0.05, 0.1);
        rslConstraintDef pin = PinOf(SideOf("column", (rslVec3){ 0, 0, -0.95 }, (rslVec3){ 0, 0, -1 }));
        double euler = 9.8696 * 1e5 * (0.2 * 0.2 * 0.2 * 0.2 / 12.0) / (4.0 * 2.0 * 2.0);  // pi^2 E I / 4 L^2
        rslLoadDef load = rslDefaultLoadDef();
        load.nodes = SideOf("column", (rslVec3){ 0, 0, 0.95 }, (rslVec3){ 0, 0, 1 });
        load.force = (rslVec3){ 0, 0, -(heavy ? 2.0 : 0.4) * euler };
        rslScene scene = LoadedScene(&body, &pin, 1, &load);
        scene.gravity = (rslVec3){ 0 };
        Run run = StartRun(&scene, SolverDef(rsl_static, 1.0));
        rslStatus status = rslSolver_Step(run.solver, run.state, 1);
        rslRest rest = rslSolver_Rest(run.solver);
        // it leans a little by itself, so that it may also have gone over to its bent shape
        assert_true(heavy ? rest.curved > 0 || rest.outcome == rsl_restUnstable : status == rsl_ok && rest.curved == 0);
        EndRun(&run);
    }
}

static void EveryAllocationMayFail(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(1.0, 0.2, 0.2);
    rslConstraintDef pin;
    rslBodyDef body = RandomBody("bar", &shape, 0.045, 1.9 * 0.045);
    rslScene scene = CantileverOf(&body, &pin, 0.05);
    FailEveryAllocation(&scene, SolverDef(rsl_static, 1.0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RandomNetworks),
        cmocka_unit_test(Tetrahedra),
        cmocka_unit_test(SparseNetworksConverge),
        cmocka_unit_test(PlaneSheets),
        cmocka_unit_test(TiedBodies),
        cmocka_unit_test(RigidMotionsAreExact),
        cmocka_unit_test(CycleIsSymmetric),
        cmocka_unit_test(ThreadsDoNotChangeABit),
        cmocka_unit_test(ColumnBuckles),
        cmocka_unit_test(EveryAllocationMayFail),
    };
    return cmocka_run_group_tests_name("aggregate", tests, NULL, NULL);
}
