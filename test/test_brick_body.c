// SPDX-License-Identifier: MIT
//
// test_brick_body.c: bodies of bricks: masses, fields at nodes, regions, what they are told apart by, free flight.

#include "brick_fixture.h"

// ---- masses ---------------------------------------------------------------------------------------------------------

// The mass is exact; the centre moves by the floor of slivers only. A bar with a hole at one end, so that nothing cancels.
static void Masses(void** unused)
{
    (void)unused;
    Random random = MakeRandom(13);
    double mass = 0.0, centre = 0.0;
    for (int test = 0; test < (Proving() ? 40 : 6); ++test)
    {
        rslShapeDef parts[2] = { BoxShape(2.0, 1.0, 0.9), BoxShape(1.0, 0.6, 0.5) }, shape = rslDefaultShapeDef();
        parts[1].translate = (rslVec3){ 0.8, 0.3, 0.4 };
        shape.type = rsl_differenceShape;
        shape.parts = parts;
        shape.partCount = 2;
        rslBodyDef body = LatticeBody("bar", &shape, NextBetween(&random, 0.15, 0.3));
        body.network.orientation = (rslRotationDef){ NextVec3(&random, 1.0), NextBetween(&random, 0.0, 180.0) };
        body.model = BrickModel(rsl_corotationalElement, 0.5);
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        // what is taken out: 0.3 to 1 along x, 0 to 0.5 along y, 0.15 to 0.45 along z
        double hole = 0.7 * 0.5 * 0.3, whole = 2.0 * 1.0 * 0.9, volume = 0.0, least = INFINITY;
        rslVec3 middle = rslScale(-hole / (whole - hole), (rslVec3){ 0.65, 0.25, 0.3 });
        for (int i = 0; i < model->nodeCount; ++i)
        {
            volume += rslModel_NodeVolume(model, &model->bodies[0], i);
            least = fmin(least, model->mass[i]);
        }
        mass = Worse(mass, fabs(model->bodies[0].mass / (1000.0 * (whole - hole)) - 1.0));
        mass = Worse(mass, fabs(volume / (whole - hole) - 1.0));
        centre = Worse(centre, Distance(model->bodies[0].frame.origin, middle) / body.network.spacing);
        assert_true(least > 0.0);
        rslModel_Free(model);
    }
    assert_proved("brick: mass of a turned bar with a hole", mass, 1e-12);
    assert_proved("brick: centre of mass of a turned bar with a hole, in cells", centre, 0.005);
}

// Second moments of the masses of a bar about its centre, over those of the bar, less 1; the largest of the three.
static double InertiaError(const Bar* bar)
{
    const double size[3] = { bar->size.x, bar->size.y, bar->size.z };
    double sum[3] = { 0.0 }, worst = 0.0, volume = size[0] * size[1] * size[2];
    for (int i = 0; i < bar->model->nodeCount; ++i)
    {
        rslVec3 x = WorldOf(bar->model, i);
        sum[0] += bar->model->mass[i] * x.x * x.x;
        sum[1] += bar->model->mass[i] * x.y * x.y;
        sum[2] += bar->model->mass[i] * x.z * x.z;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        worst = Worse(worst, fabs(12.0 * sum[axis] / (volume * size[axis] * size[axis]) - 1.0));
    }
    return worst;
}

static void Dipoles(void** unused)
{
    (void)unused;
    Random random = MakeRandom(14);
    double mass = 0.0, inertia = 0.0;
    for (int test = 0; test < (Proving() ? 30 : 4); ++test)
    {
        Bar bar = { .size = { 2.0, 1.0, 1.1 }, .spacing = 0.25, .nu = 0.3, .floor = 0.5 }, plain;
        bar.orientation =
            (rslRotationDef){ NextVec3(&random, 1.0), test == 0 ? 0.0 : NextBetween(&random, 0.0, 180.0) };
        plain = bar;
        bar.dipole = true;
        OpenBar(&bar);
        OpenBar(&plain);
        StartBar(&bar);
        StartBar(&plain);
        for (int i = 0; i < bar.model->nodeCount; ++i)
        {
            double volume = rslModel_NodeVolume(bar.model, &bar.model->bodies[0], i);
            assert_close(volume, plain.model->mass[i], 1e-12 * volume);
            assert_at_most(0.5 * plain.model->mass[i] * (1.0 - 1e-6), bar.model->mass[i]);
        }
        mass = Worse(mass, fabs(bar.model->bodies[0].mass / 2.2 - 1.0));
        inertia = Worse(inertia, InertiaError(&bar) / InertiaError(&plain));
        print_message("rotary inertia %+.2f %%, without dipoles %+.2f %%\n", 100.0 * InertiaError(&bar),
                      100.0 * InertiaError(&plain));
        CloseBar(&plain);
        CloseBar(&bar);
    }
    assert_proved("brick: mass with dipoles", mass, 1e-12);
    assert_proved("brick: error of second moments with dipoles over that without", inertia, 0.4);
    // where the surface is plane, 5/12 and 13/12 of a cell
    rslShapeDef shape = BoxShape(0.8, 0.8, 0.8);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    body.model = BrickModel(rsl_corotationalElement, 0.5);
    body.model.dipole = true;
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    for (int i = 0; i < 3; ++i)
    {
        int node = rslLattice_Node(&model->bodies[0].lattice, i, 4, 4);
        assert_close(model->mass[node], i == 0 ? 5.0 / 12.0 : i == 1 ? 13.0 / 12.0 : 1.0, 1e-12);
    }
    rslModel_Free(model);
    // where nodes give and take as much as they may, masses are still as symmetric as the body
    shape = BoxShape(2.0, 1.0, 1.0);
    body.network.spacing = 0.5;
    model = Built(&scene, NULL);
    const rslLattice* lattice = &model->bodies[0].lattice;
    for (int n = 0; n < 5 * 3 * 3; ++n)
    {
        int i = n % 5, j = n / 5 % 3, k = n / 15;
        double own = model->mass[rslLattice_Node(lattice, i, j, k)];
        assert_close(model->mass[rslLattice_Node(lattice, i, k, j)], own, 1e-12 * own);
        assert_close(model->mass[rslLattice_Node(lattice, 4 - i, 2 - j, k)], own, 1e-12 * own);
    }
    rslModel_Free(model);
}

// Uniform strain has uniform stress and modulus at all nodes, also of slivers; the automatic ground is a third of the trace of K.
static void NodeFields(void** unused)
{
    (void)unused;
    for (int test = 0; test < 2; ++test)
    {
        Bar bar = { .size = { 1.3, 0.9, 1.1 }, .spacing = 0.25, .nu = 0.3, .floor = 0.5, .dipole = test == 1 };
        bar.orientation = (rslRotationDef){ { 0.3, 1.0, -0.4 }, 40.0 };
        bar.ground = true;
        OpenBar(&bar);
        StartBar(&bar);
        int count = bar.model->nodeCount;
        double e = 1e-6, lambda = Lambda(1.0, 0.3), mu = Mu(1.0, 0.3), density = 0.5 * (lambda + 2.0 * mu) * e * e;
        double(*blocks)[6] = calloc((size_t)count, sizeof *blocks);
        rslSymmetric* stress = calloc((size_t)count, sizeof *stress);
        double *modulus = calloc((size_t)count, sizeof *modulus), *energy = calloc((size_t)count, sizeof *energy);
        assert_true(blocks != NULL && stress != NULL && modulus != NULL && energy != NULL);
        rslBackend64.diagonal(bar.kernel, bar.state, blocks);
        rslModel_NodeModulus(bar.model, modulus);
        rslSolverDef def = SolverDef(rsl_velocityVerlet, 1e-4);
        rslSolver* solver = SolverOf(bar.model, &def);
        rslMat3 turn = rslQuatMatrix(bar.model->bodies[0].frame.rotation);
        for (int i = 0; i < count; ++i)
        {
            double x[3], trace = blocks[i][0] + blocks[i][1] + blocks[i][2];
            assert_close(3.0 * bar.model->colliders[0].stiffness[i], trace, 1e-9 * trace);
            assert_close(modulus[i], 1.0 / 1.2, 1e-9);
            rslBody_Rest(&bar.model->bodies[0], i, i + 1, x);
            rslVec3 world = rslMatVec(&turn, (rslVec3){ x[0], x[1], x[2] });
            rslVec3 u = rslMatTVec(&turn, (rslVec3){ e * world.x, 0.0, 0.0 });
            ((double*)bar.state->displacement[0])[i] = u.x;
            ((double*)bar.state->displacement[1])[i] = u.y;
            ((double*)bar.state->displacement[2])[i] = u.z;
        }
        assert_int_equal(rslSolver_NodeStress(solver, bar.state, stress), rsl_ok);
        rslSolver_Fields(solver, bar.state, NULL, NULL, energy);
        for (int i = 0; i < count; ++i)
        {
            assert_close(stress[i].xx, (lambda + 2.0 * mu) * e, 1e-5 * e);
            assert_close(stress[i].yy, lambda * e, 1e-5 * e);
            assert_close(stress[i].zx, 0.0, 1e-5 * e);
            assert_close(energy[i], density, 1e-5 * density);
        }
        free(energy);
        free(modulus);
        free(stress);
        free(blocks);
        rslSolver_Free(solver);
        CloseBar(&bar);
    }
}

// A region that is the whole body is the body; its figures are those of its material.
static void Regions(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(1.03, 0.55, 0.44), all = BoxShape(3.0, 3.0, 3.0), left = BoxShape(2.0, 2.0, 2.0);
    left.translate = (rslVec3){ -1.0, 0.0, 0.0 };
    rslBodyDef plain = LatticeBody("bar", &shape, 0.1), painted = plain;
    rslRegionDef region = { .shape = &all, .material = plain.material };
    plain.model = painted.model = BrickModel(rsl_corotationalElement, 0.5);
    plain.material.young = region.material.young = 3e5;
    plain.material.poisson = region.material.poisson = 0.42;
    painted.material.poisson = 0.1;
    painted.regions = &region;
    painted.regionCount = 1;
    rslScene scenes[2] = { SceneOf(&plain, 1), SceneOf(&painted, 1) };
    rslModel* models[2] = { Built(&scenes[0], NULL), Built(&scenes[1], NULL) };
    assert_int_equal(models[0]->nodeCount, models[1]->nodeCount);
    rslState* state = StateOf(models[0], rsl_double);
    Random random = MakeRandom(3);
    for (int i = 0; i < 3 * models[0]->nodeCount; ++i)
    {
        ((double*)state->displacement[i % 3])[i / 3] = NextBetween(&random, -0.01, 0.01);
    }
    rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
    double* forces[2];
    for (int m = 0; m < 2; ++m)
    {
        void* kernel = rslBackend64.create(models[m], rsl_velocityVerlet, NULL, team);
        forces[m] = calloc(3 * (size_t)models[m]->nodeCount, sizeof(double));
        assert_true(kernel != NULL && forces[m] != NULL);
        rslBackend64.forces(kernel, state, forces[m]);
        rslBackend64.destroy(kernel);
    }
    for (int i = 0; i < 3 * models[0]->nodeCount; ++i)
    {
        assert_close(forces[0][i], forces[1][i], 1e-9 * 3e5 * 0.01);
    }
    assert_close(models[1]->bodies[0].regions[1].poisson, 0.42, 1e-15);
    free(forces[0]);
    free(forces[1]);
    rslTeam_Free(team);
    rslState_Free(state);
    rslModel_Free(models[0]);
    rslModel_Free(models[1]);

    // two materials share the full cells of each: one record a material, and one a cut or mixed cell
    region.shape = &left;
    rslModel* model = Built(&scenes[1], NULL);
    const rslElements* set = &model->bodies[0].elements;
    int own = 0;
    for (int e = 0; e < set->count; ++e)
    {
        own += set->record[e] >= 2 ? 1 : 0;
        assert_true(set->ratio[e] >= 0.1 - 1e-12 && set->ratio[e] <= 0.42 + 1e-12);
    }
    assert_int_equal(own + 2, set->recordCount);
    assert_true(own < set->count);
    rslModel_Free(model);
}

// Every allocation of a build that fails is told, and nothing is lost.
static void OutOfMemory(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.43, 0.35, 0.34), left = BoxShape(2.0, 2.0, 2.0);
    left.translate = (rslVec3){ -1.0, 0.0, 0.0 };
    for (int test = 0; test < 2; ++test)
    {
        rslBodyDef body = LatticeBody("bar", &shape, 0.1);
        rslRegionDef region = { .shape = &left, .material = body.material };
        region.material.poisson = 0.4;
        body.model = BrickModel(rsl_corotationalElement, 0.5);
        body.model.dipole = test == 0;
        body.regions = &region;
        body.regionCount = test == 0 ? 1 : 0;
        body.network.construction = test == 0 ? rsl_cornerLattice : rsl_centredLattice;
        rslScene scene = SceneOf(&body, 1);
        rslStatus status = rsl_outOfMemory;
        for (int failAt = 1; status != rsl_ok; ++failAt)
        {
            Heap heap = { .failAt = failAt };
            rslHooks hooks = HeapHooks(&heap);
            rslModel* model = NULL;
            status = rslModel_Build(&scene, &hooks, &model, NULL);
            assert_true(status == rsl_ok || status == rsl_outOfMemory);
            rslModel_Free(model);
            assert_int_equal(heap.live, 0);
        }
    }
}

static void Fingerprints(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(1.03, 0.55, 0.44);
    uint64_t seen[5];
    for (int test = 0; test < 5; ++test)
    {
        rslBodyDef body = LatticeBody("bar", &shape, 0.1);
        body.model = BrickModel(test == 1 ? rsl_neoHookeanElement : rsl_corotationalElement, test == 2 ? 0.4 : 0.5);
        body.model.dipole = test == 4;
        body.material.poisson = test == 3 ? 0.3 : 0.25;
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        seen[test] = model->fingerprint;
        for (int other = 0; other < test; ++other)
        {
            assert_true(seen[other] != seen[test]);
        }
        rslModel_Free(model);
    }
}

// ---- motion ---------------------------------------------------------------------------------------------------------

// A ball of three cells, stretched by a quarter and spinning, let go.
static void Flight(void** unused)
{
    (void)unused;
    rslShapeDef shape = BallShape(0.3);
    double momentum = 0.0, turning = 0.0, energy = 0.0;
    for (int test = 0; test < 4; test += Sanitized() ? 3 : 1)
    {
        rslBodyDef body = LatticeBody("ball", &shape, 0.1);
        body.model = BrickModel(test % 2 == 0 ? rsl_corotationalElement : rsl_neoHookeanElement, 0.5);
        body.material.poisson = test < 2 ? 0.25 : 0.45;
        body.spin = (rslVec3){ 100.0, 240.0, -160.0 };
        body.velocity = (rslVec3){ 0.01, 0.02, 0.03 };  // turns count about the origin
        body.repulsion.type = rsl_noRepulsion;          // what elements do by themselves
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
        def.fraction = 0.25;
        Run run = StartRun(&scene, def);
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            double x[3];
            rslBody_Rest(&run.model->bodies[0], i, i + 1, x);
            ((double*)run.state->displacement[0])[i] = 0.25 * x[0];
            ((double*)run.state->displacement[1])[i] = -0.1 * x[1];
            ((double*)run.state->displacement[2])[i] = -0.1 * x[2];
        }
        rslMotion before = rslSolver_Motion(run.solver, run.state, 0);
        double first = 0.0, last = 0.0;
        for (int n = 0; n < 3000; n += 10)
        {
            double total = rslSolver_Energy(run.solver, run.state).total;
            first += n < 500 ? total / 50.0 : 0.0;
            last += n >= 2500 ? total / 50.0 : 0.0;
            Step(&run, 10);
        }
        rslMotion after = rslSolver_Motion(run.solver, run.state, 0);
        momentum = Worse(momentum, Distance(after.momentum, before.momentum) / rslLength(before.momentum));
        double size = rslLength(before.angularMomentum);
        print_message("momentum %.2g, angular %.2g, energy %.2g\n",
                      Distance(after.momentum, before.momentum) / rslLength(before.momentum),
                      Distance(after.angularMomentum, before.angularMomentum) / size, last / first - 1.0);
        turning = Worse(turning, Distance(after.angularMomentum, before.angularMomentum) / size);
        energy = Worse(energy, fabs(last / first - 1.0));
        EndRun(&run);
    }
    assert_proved("brick: momentum after 3000 steps at 25 % strain", momentum, 1e-12);
    assert_proved("brick: angular momentum after 3000 steps at 25 % strain", turning, 1e-12);
    assert_proved("brick: energy, first and last 500 steps, at a quarter of the stable step", energy, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Masses),  cmocka_unit_test(Dipoles),     cmocka_unit_test(NodeFields),
        cmocka_unit_test(Regions), cmocka_unit_test(OutOfMemory), cmocka_unit_test(Fingerprints),
        cmocka_unit_test(Flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
