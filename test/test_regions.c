// SPDX-License-Identifier: MIT
//
// Bodies of several materials: masses, stiffness of layers in closed form, springs of networks, damping.

#include "physics_fixture.h"

static rslRegionDef RegionOf(const rslShapeDef* shape, double young, double density)
{
    rslRegionDef region = { .shape = shape, .material = rslDefaultMaterialDef() };
    region.material.young = young;
    region.material.poisson = 0.25;
    region.material.density = density;
    return region;
}

// ---- masses -------------------------------------------------------------------------------------------------------------

// A ball in a box, a smaller one in it, and a slab that sticks out and hides half of them.
static void MassesAreThoseOfTheShapes(void** unused)
{
    (void)unused;
    for (int centred = 0; centred < 2; ++centred)
    {
        rslShapeDef box = BoxShape(1.0, 1.0, 1.0), ball = rslDefaultShapeDef(), slab = BoxShape(0.5, 2.0, 2.0);
        ball.type = rsl_sphereShape;
        ball.radius = 0.4;
        slab.translate = (rslVec3){ 0.25, 0, 0 };
        rslRegionDef regions[2] = { RegionOf(&ball, 1e6, 3000.0), RegionOf(&slab, 2e5, 500.0) };
        rslBodyDef body = LatticeBody("box", &box, 0.06);
        body.network.orientation = (rslRotationDef){ { 1, 2, 3 }, 20.0 };
        body.network.construction = centred ? rsl_centredLattice : rsl_cornerLattice;
        body.network.threshold = 0.0;
        body.regions = regions;
        body.regionCount = 2;
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        const rslBody* b = &model->bodies[0];
        double half = 2.0 / 3.0 * PI * 0.064, volumes[3] = { 0.5 - half, half, 0.5 };
        double densities[3] = { 1000.0, 3000.0, 500.0 }, mass = 0.0, bound = b->lattice.volumeBound + 1e-12;
        assert_int_equal(b->regionCount, 3);
        for (int r = 0; r < 3; ++r)
        {
            assert_close(b->regions[r].volume, volumes[r], 2.0 * bound);
            assert_close(b->regions[r].mass, b->regions[r].volume * densities[r], 1e-9);
            mass += volumes[r] * densities[r];
        }
        assert_true(bound < 1e-3);
        assert_proved("mass of a lattice of three materials against rho V", fabs(b->mass / mass - 1.0), 1e-3);
        assert_close(b->mass, mass, 6000.0 * bound);
        assert_close(TotalMass(model, 0), b->regions[0].mass + b->regions[1].mass + b->regions[2].mass, 1e-9 * mass);
        rslModel_Free(model);
    }
}

// Regions of the body's own material change nothing but rounding; whole cells have the material at their centre.
static void OwnMaterialChangesNothing(void** unused)
{
    (void)unused;
    rslShapeDef box = BoxShape(0.4, 0.3, 0.3), part = BoxShape(0.2, 0.17, 0.3);
    rslBodyDef body = LatticeBody("box", &box, 0.1);
    rslRegionDef region = RegionOf(&part, body.material.young, body.material.density);
    rslScene scene = SceneOf(&body, 1);
    rslModel* plain = Built(&scene, NULL);
    body.regions = &region;
    body.regionCount = 1;
    rslModel* same = Built(&scene, NULL);
    body.network.antialias = false;
    region.material.density *= 2.0;
    rslModel* whole = Built(&scene, NULL);
    assert_int_equal(plain->nodeCount, same->nodeCount);
    for (int i = 0; i < plain->nodeCount; ++i)
    {
        assert_close(same->mass[i], plain->mass[i], 1e-12 * plain->mass[i]);
    }
    assert_close(whole->bodies[0].mass, plain->bodies[0].mass + 1000.0 * 2 * 1 * 3 * 1e-3, 1e-9);
    rslModel_Free(plain);
    rslModel_Free(same);
    rslModel_Free(whole);
}

// ---- layers ---------------------------------------------------------------------------------------------------------------

// A bar of 0.8 along x, 0.4 across, pulled by a motion of its end; returns force over area over strain. Sides: held (uniaxial
// strain), or free but for planes through their lower faces.
static double PullBar(const rslRegionDef* region, double spacing, bool sidesHeld)
{
    const double strain = 1e-7, size[3] = { 0.8, 0.4, 0.4 };
    rslShapeDef box = BoxShape(size[0], size[1], size[2]);
    rslBodyDef body = LatticeBody("bar", &box, spacing);
    body.regions = region;
    body.regionCount = 1;
    rslConstraintDef held[4];
    for (int c = 0; c < 4; ++c)
    {
        rslVec3 normal = { c == 0 ? -1 : c == 3 ? 1 : 0, c == 1 ? -1 : 0, c == 2 ? -1 : 0 };
        bool all = sidesHeld && (c == 1 || c == 2);
        held[c] = PinOf(all ? AllOf("bar") : SideOf("bar", rslScale(0.5 * size[c % 3] - 1e-3, normal), normal));
        for (int axis = 0; axis < 3; ++axis)
        {
            held[c].axes[axis] = axis == c % 3;
        }
    }
    held[3].type = rsl_motionConstraint;
    held[3].move.translate = (rslVec3){ strain * size[0], 0, 0 };
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    scene.constraints = held;
    scene.constraintCount = 4;
    rslSolverDef def = SolverDef(rsl_static, 1.0);
    def.tolerance = 1e-10;
    Run run = StartRun(&scene, def);
    Step(&run, 1);
    double force = rslSolver_Reaction(run.solver, run.state, 3).x;
    EndRun(&run);
    return force / (size[1] * size[2]) / strain;
}

// In series under uniaxial strain M = 6/5 E, 1/M = sum f/M, exact where layers are whole cells; side by side E = sum f E, exact for
// any fraction, also of cells that are cut.
static void LayersHaveTheirClosedForms(void** unused)
{
    (void)unused;
    const double E = 1e5, F = 1e7;
    rslShapeDef along = BoxShape(0.2, 1.0, 1.0), beside = BoxShape(2.0, 0.17, 1.0);
    along.translate = (rslVec3){ -0.1, 0, 0 };
    beside.translate = (rslVec3){ 0, 0.03, 0 };
    rslRegionDef series = RegionOf(&along, F, 1000.0), parallel = RegionOf(&beside, F, 1000.0);
    double m = PullBar(&series, 0.1, true) / 1.2, e = PullBar(&parallel, 0.1, false), f = 0.17 / 0.4;
    assert_proved("layers in series, uniaxial strain: modulus", fabs(m * (0.25 / F + 0.75 / E) - 1.0), 1e-6);
    assert_proved("layers side by side, cut cells: modulus", fabs(e / (f * F + (1.0 - f) * E) - 1.0), 1e-6);
    // lateral free with equal nu, joined layers: in series up to what the ends of the layers do to each other
    double free = PullBar(&series, 0.05, false) * (0.25 / F + 0.75 / E);
    assert_true(free > 1.0 && free < 1.12);
}

// ---- networks -------------------------------------------------------------------------------------------------------------

typedef struct Halves
{
    const rslModel* model;
    const double* plain;
    int index, mixed;
} Halves;

static bool Collect(const rslSpring* spring, void* context)
{
    double** at = context;
    *(*at)++ = spring->stiffness;
    return true;
}

static bool CheckSpring(const rslSpring* spring, void* context)
{
    Halves* halves = context;
    bool a = WorldOf(halves->model, spring->a).x > 0.0, b = WorldOf(halves->model, spring->b).x > 0.0;
    double factor = a && b ? 10.0 : a || b ? 2.0 / 1.1 : 1.0, ratio = a && b ? 0.02 : a || b ? 0.015 : 0.01;
    assert_close(spring->stiffness / halves->plain[halves->index++], factor, 1e-12 * factor);
    assert_close(spring->damping / spring->stiffness, ratio, 1e-12);
    halves->mixed += a != b ? 1 : 0;
    return true;
}

// Nodes with x > 0 are of the region; springs between are halves in series. Random networks, sheets and centred lattices alike.
static void SpringsAreHalvesInSeries(void** unused)
{
    (void)unused;
    rslShapeDef box = BoxShape(1.0, 0.6, 0.6), half = BoxShape(1.0, 2.0, 2.0);
    half.translate = (rslVec3){ 0.5, 0, 0 };
    rslRegionDef region = RegionOf(&half, 0.0, 0.0);
    for (int kind = 0; kind < 3; ++kind)
    {
        rslBodyDef body = kind == 0 ? GridBody("sheet", 1.0, 0.6, 9, 5) : LatticeBody("box", &box, 0.1);
        if (kind == 1)
        {
            body.network.type = rsl_randomNetwork;
            body.network.minLength = 0.1;
            body.network.maxLength = 0.2;
        }
        body.network.construction = rsl_centredLattice;
        body.material.stiffnessDamping = 0.01;
        region.material.young = 10.0 * body.material.young;
        region.material.density = 3.0 * body.material.density;
        region.material.poisson = body.material.poisson;
        region.material.stiffnessDamping = 0.02;
        region.material.massDamping = 0.7;
        rslScene scene = SceneOf(&body, 1);
        rslModel* plain = Built(&scene, NULL);
        double* stiffness = calloc((size_t)plain->springCount, sizeof(double));
        double* at = stiffness;
        rslModel_VisitSprings(plain, 0, Collect, &at);
        body.regions = &region;
        body.regionCount = 1;
        rslModel* model = Built(&scene, NULL);
        assert_true(model->fingerprint != plain->fingerprint);
        Halves halves = { model, stiffness, 0, 0 };
        rslModel_VisitSprings(model, 0, CheckSpring, &halves);
        assert_true(halves.index == plain->springCount && halves.mixed > 10);
        double volume = 0.0;
        for (int i = 0; i < model->nodeCount; ++i)
        {
            bool in = WorldOf(model, i).x > 0.0;
            assert_close(model->mass[i] / plain->mass[i], in ? 3.0 : 1.0, 1e-12);
            assert_close(model->bodies[0].nodeDamping[i], in ? 0.7 : 0.0, 1e-12);
            volume += rslModel_NodeVolume(model, &model->bodies[0], i);
        }
        assert_close(volume, plain->bodies[0].mass / body.material.density, 1e-9);
        free(stiffness);
        rslModel_Free(plain);
        rslModel_Free(model);
    }
}

// ---- what is predicted --------------------------------------------------------------------------------------------------

// A region of a random network, of tetrahedra or of a sheet is predicted as its material, and calibration keeps that; where
// the material asks for what springs give, nothing is said.
static void NetworksPredictTheirRegions(void** unused)
{
    (void)unused;
    rslShapeDef box = BoxShape(1.0, 0.6, 0.6), half = BoxShape(1.0, 2.0, 2.0);
    half.translate = (rslVec3){ 0.5, 0, 0 };
    rslRegionDef region = RegionOf(&half, 3e6, 1000.0);
    for (int kind = 0; kind < 4; ++kind)
    {
        rslBodyDef body = kind == 0 ? GridBody("sheet", 1.0, 0.6, 9, 5) : LatticeBody("box", &box, 0.15);
        body.network.type = kind == 0 ? rsl_sheetNetwork : kind == 1 ? rsl_tetrahedraNetwork : rsl_randomNetwork;
        body.network.minLength = 0.1;
        body.network.maxLength = 0.2;
        body.network.calibrate = kind == 3 ? rsl_calibrateX : rsl_noCalibration;
        body.material.young = 1e5;
        region.material.poisson = body.material.poisson = kind == 0 ? 1.0 / 3.0 : 0.25;
        body.regions = &region;
        body.regionCount = 1;
        rslScene scene = SceneOf(&body, 1);
        rslReport report = { 0 };
        rslModel* model = Built(&scene, &report);
        const rslBody* b = &model->bodies[0];
        assert_false(HasMessage(&report, rsl_warning, region.material.place, "asks for Poisson's ratio"));
        assert_int_equal(b->regionCount, 2);
        assert_close(b->young / 1e5, 1.0, 1e-9);
        for (int r = 0; r < 2; ++r)
        {
            double factor = r == 0 ? 1.0 : 30.0;
            assert_close(b->regions[r].young / (factor * 1e5), 1.0, 1e-9);
            assert_close(b->regions[r].poisson, b->poisson, 1e-12);
            assert_close(b->regions[r].shear / (factor * b->shear), 1.0, 1e-9);
            assert_close(b->regions[r].bulk / (factor * b->bulk), 1.0, 1e-9);
        }
        rslModel_Free(model);
    }
}

// ---- what is said ---------------------------------------------------------------------------------------------------------

static void EmptyRegionsAreTold(void** unused)
{
    (void)unused;
    rslShapeDef box = BoxShape(0.4, 0.3, 0.3), away = BoxShape(0.1, 0.1, 0.1);
    away.translate = (rslVec3){ 1, 0, 0 };
    rslBodyDef body = LatticeBody("box", &box, 0.1);
    rslRegionDef region = RegionOf(&away, 1e5, 1000.0);
    region.place = (rslPlace){ 5, 3 };
    body.regions = &region;
    body.regionCount = 1;
    rslScene scene = SceneOf(&body, 1);
    rslReport report = { 0 };
    rslModel_Free(Built(&scene, &report));
    assert_true(HasMessage(&report, rsl_warning, region.place, "region 0 of body 'box' holds nothing"));
    region.shape = NULL;
    Refused(&scene, region.place, "missing key 'shape' of a region");
}

// Shells AC, a law, regions on a lattice and on a random network, and a solver for rest: any allocation may fail.
static void EveryAllocationMayFail(void** unused)
{
    (void)unused;
    rslShapeDef box = BoxShape(0.4, 0.2, 0.2), half = BoxShape(0.4, 0.3, 0.3), far = BoxShape(0.1, 0.1, 0.1);
    half.translate = far.translate = (rslVec3){ 0.2, 0, 0 };
    rslRegionDef regions[2] = { RegionOf(&half, 1e6, 2000.0), RegionOf(&far, 1e5, 900.0) };
    regions[0].material.stiffnessDamping = 0.01;
    regions[1].material.massDamping = 0.5;
    rslBodyDef bodies[2] = { LatticeBody("lattice", &box, 0.1), LatticeBody("network", &box, 0.1) };
    bodies[0].network.shells = rsl_shellsAC;
    bodies[0].network.law = rsl_carrierSpring;
    bodies[1].network.type = rsl_randomNetwork;
    bodies[1].network.minLength = 0.06;
    bodies[1].network.maxLength = 0.14;
    bodies[0].regions = bodies[1].regions = regions;
    bodies[0].regionCount = bodies[1].regionCount = 2;
    rslNodeSetDef side = SideOf(NULL, (rslVec3){ -0.1, 0, 0 }, (rslVec3){ -1, 0, 0 });
    rslConstraintDef pin = PinOf(side);
    rslScene scene = SceneOf(bodies, 2);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    rslSolverDef def = SolverDef(rsl_static, 1.0);
    rslStatus status = rsl_outOfMemory;
    int calls = 0;
    while (status == rsl_outOfMemory)
    {
        Heap heap = { .failAt = ++calls };
        rslHooks hooks = HeapHooks(&heap);
        rslModel* model = NULL;
        rslSolver* solver = NULL;
        rslReport report = { 0 };
        status = rslModel_Build(&scene, &hooks, &model, &report);
        status = status == rsl_ok ? rslSolver_Create(model, &def, &hooks, &solver, &report) : status;
        rslSolver_Free(solver);
        rslModel_Free(model);
        assert_int_equal(heap.live, 0);
    }
    assert_int_equal(status, rsl_ok);
    assert_true(calls > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(MassesAreThoseOfTheShapes),   cmocka_unit_test(OwnMaterialChangesNothing),
        cmocka_unit_test(LayersHaveTheirClosedForms),  cmocka_unit_test(SpringsAreHalvesInSeries),
        cmocka_unit_test(EmptyRegionsAreTold),         cmocka_unit_test(EveryAllocationMayFail),
        cmocka_unit_test(NetworksPredictTheirRegions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
