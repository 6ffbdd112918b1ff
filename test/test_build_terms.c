// SPDX-License-Identifier: MIT
//
// Chosen nodes, loads, constraints, links, drives, ground, courses, the fingerprint.

#include "build_fixture.h"

// A bar of 4 x 2 x 2 cells of 0.1, from (0, 0, 0) on, and what is added to it.
typedef struct Bar
{
    rslShapeDef shape;
    rslBodyDef body;
    rslScene scene;
} Bar;

static void MakeBar(Bar* bar)
{
    bar->shape = BoxShape(0.4, 0.2, 0.2);
    bar->shape.translate = (rslVec3){ 0.2, 0.1, 0.1 };
    bar->body = LatticeBody("bar", &bar->shape, 0.1);
    bar->body.surface.enabled = false;
    bar->scene = SceneOf(&bar->body, 1);
}

// ---- chosen nodes ---------------------------------------------------------------------------------------------------

static int Chosen(const rslModel* model, const rslNodeSetDef* def)
{
    int *nodes = NULL, count = 0;
    rslReport report = { 0 };
    rslStatus status = rslModel_Select(model, def, &nodes, &count, &report);
    if (status != rsl_ok)
    {
        PrintReport(&report);
    }
    assert_int_equal(status, rsl_ok);
    for (int i = 1; i < count; ++i)
    {
        assert_true(nodes[i - 1] < nodes[i]);
    }
    rslModel_FreeNodes(model, nodes);
    return count;
}

static void Select(void** state)
{
    (void)state;
    Bar bar;
    MakeBar(&bar);
    bar.body.network.orientation = (rslRotationDef){ { 0.0, 0.0, 1.0 }, 90.0 };
    bar.body.name = "the_longest_name_that_is_allowed_has_sixty_four_characters_as_me";
    assert_int_equal(strlen(bar.body.name), 64);
    rslModel* model = Built(&bar.scene, NULL);
    rslNodeSetDef set = rslDefaultNodeSetDef();
    assert_int_equal(Chosen(model, &set), 45);
    set.body = bar.body.name;
    assert_int_equal(Chosen(model, &set), 45);
    set.type = rsl_boxNodes;
    set.min = (rslVec3){ 0.0, 0.0, 0.0 };
    set.max = (rslVec3){ 0.1, 0.2, 0.2 };
    assert_int_equal(Chosen(model, &set), 18);
    set.max.x = (double)0.0999999f;  // a mesh file in single precision
    assert_int_equal(Chosen(model, &set), 18);
    set.max.x = 0.0;
    assert_int_equal(Chosen(model, &set), 9);
    set.type = rsl_sphereNodes;
    set.point = (rslVec3){ 0.2, 0.1, 0.1 };
    set.radius = 0.1;
    assert_int_equal(Chosen(model, &set), 7);
    set.type = rsl_planeNodes;
    set.point = (rslVec3){ 0.3, 0.0, 0.0 };
    set.normal = (rslVec3){ 5.0, 0.0, 0.0 };
    assert_int_equal(Chosen(model, &set), 18);
    set.type = rsl_nearestNodes;
    for (set.count = 1; set.count <= 45; set.count += 4)
    {
        assert_int_equal(Chosen(model, &set), set.count);
    }
    set.count = 100;
    assert_int_equal(Chosen(model, &set), 45);
    const int list[] = { 7, 3, 7, 44 };
    set.type = rsl_listNodes;
    set.indices = list;
    set.indexCount = 4;
    assert_int_equal(Chosen(model, &set), 3);
    rslModel_Free(model);
}

// The nearest by brute force, with the lower index first among equals.
static void SelectNearest(void** state)
{
    (void)state;
    Bar bar;
    MakeBar(&bar);
    rslModel* model = Built(&bar.scene, NULL);
    rslNodeSetDef set = rslDefaultNodeSetDef();
    set.type = rsl_nearestNodes;
    set.point = (rslVec3){ 0.15, 0.1, 0.1 };
    for (set.count = 1; set.count < 45; ++set.count)
    {
        int *nodes = NULL, count = 0;
        assert_int_equal(rslModel_Select(model, &set, &nodes, &count, NULL), rsl_ok);
        for (int i = 0; i < count; ++i)
        {
            int nearer = 0;
            double own = rslLength(rslSub(WorldOf(model, nodes[i]), set.point));
            for (int n = 0; n < model->nodeCount; ++n)
            {
                nearer += rslLength(rslSub(WorldOf(model, n), set.point)) < own - 1e-12 ? 1 : 0;
            }
            assert_true(nearer < count);
        }
        rslModel_FreeNodes(model, nodes);
    }
    rslModel_Free(model);
}

static void SelectRefused(void** state)
{
    (void)state;
    Bar bar;
    MakeBar(&bar);
    rslModel* model = Built(&bar.scene, NULL);
    rslNodeSetDef set = rslDefaultNodeSetDef();
    rslReport report = { 0 };
    int *nodes = NULL, count = 0;
    set.place = (rslPlace){ 7, 9 };
    set.type = rsl_boxNodes;
    set.body = "bar";
    set.min = (rslVec3){ 1.0, 0.0, 0.0 };
    set.max = (rslVec3){ 2.0, 0.05, 0.05 };
    assert_int_equal(rslModel_Select(model, &set, &nodes, &count, &report), rsl_badInput);
    assert_null(nodes);
    assert_true(HasMessage(&report, rsl_error, set.place, "no node of body 'bar' is chosen"));
    assert_true(HasMessage(&report, rsl_error, set.place, "is at [0.4, 0, 0]"));
    set.body = "bear";
    assert_int_equal(rslModel_Select(model, &set, &nodes, &count, &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_error, set.place, "there is no body 'bear'"));
    const int list[] = { 45 };
    set.body = "bar";
    set.type = rsl_listNodes;
    set.indices = list;
    set.indexCount = 1;
    assert_int_equal(rslModel_Select(model, &set, &nodes, &count, &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_error, set.place, "are 0 to 44"));
    rslModel_Free(model);
}

// ---- loads, constraints, ground -------------------------------------------------------------------------------------

static rslNodeSetDef LeftEnd(void)
{
    rslNodeSetDef set = rslDefaultNodeSetDef();
    set.type = rsl_boxNodes;
    set.min = (rslVec3){ 0.0, 0.0, 0.0 };
    set.max = (rslVec3){ 0.0, 0.2, 0.2 };
    return set;
}

static void Loads(void** state)
{
    (void)state;
    Bar bar;
    MakeBar(&bar);
    rslLoadDef loads[3] = { rslDefaultLoadDef(), rslDefaultLoadDef(), rslDefaultLoadDef() };
    loads[0].nodes = LeftEnd();
    loads[0].force = (rslVec3){ 9.0, 0.0, -18.0 };
    loads[1] = loads[0];
    loads[1].each = true;
    loads[2].type = rsl_accelerationLoad;
    loads[2].acceleration.y = 3.0;
    bar.scene.loads = loads;
    bar.scene.loadCount = 3;
    rslModel* model = Built(&bar.scene, NULL);
    assert_int_equal(model->loads[0].nodeCount, 9);
    assert_true(Near(model->loads[0].value.x, 1.0, 1e-15) && Near(model->loads[0].value.z, -2.0, 1e-15));
    assert_true(model->loads[1].value.x == 9.0 && model->loads[2].value.y == 3.0 && model->loads[2].nodeCount == 45);
    rslModel_Free(model);
    loads[1] = rslDefaultLoadDef();
    loads[1].type = rsl_pressureLoad;
    loads[1].body = "bar";
    loads[1].pressure = 1.0;
    loads[1].place = (rslPlace){ 40, 2 };
    rslReport report = { 0 };
    assert_int_equal(rslModel_Build(&bar.scene, NULL, &model, &report), rsl_badInput);
    assert_true(report.errors == 1 && strstr(report.messages[0].text, "surface") != NULL);
    bar.body.surface.enabled = true;
    model = Built(&bar.scene, NULL);
    assert_true(model->loads[1].body == 0 && model->loads[1].pressure == 1.0);
    rslModel_Free(model);
}

static void Constraints(void** state)
{
    (void)state;
    Bar bar;
    MakeBar(&bar);
    rslConstraintDef pins[2] = { rslDefaultConstraintDef(), rslDefaultConstraintDef() };
    pins[0].nodes = pins[1].nodes = LeftEnd();
    pins[0].axes[2] = pins[1].axes[0] = pins[1].axes[1] = false;
    pins[0].place = (rslPlace){ 50, 3 };
    pins[1].place = (rslPlace){ 60, 3 };
    bar.scene.constraints = pins;
    bar.scene.constraintCount = 2;
    rslModel* model = Built(&bar.scene, NULL);
    const rslConstraint* pin = &model->constraints[0];
    assert_true(pin->nodeCount == 9 && pin->axes[0] && pin->axes[1] && !pin->axes[2]);
    for (int n = 0; n < pin->nodeCount; ++n)
    {
        rslVec3 x = WorldOf(model, pin->nodes[n]);
        assert_true(pin->start[3 * n] == x.x && pin->start[3 * n + 1] == x.y && pin->start[3 * n + 2] == x.z);
        assert_true(Near(x.x, 0.0, 1e-15));
    }
    rslModel_Free(model);
    pins[1].axes[1] = true;
    Refused(&bar.scene, pins[1].place, "by constraint 0 at 50:3");
    pins[1] = rslDefaultConstraintDef();
    pins[1].type = rsl_motionConstraint;
    pins[1].nodes.type = rsl_planeNodes;
    pins[1].nodes.point.x = 0.4;
    pins[1].nodes.normal = (rslVec3){ 1.0, 0.0, 0.0 };
    pins[1].move.rotate = (rslRotationDef){ { 3.0, 0.0, 0.0 }, 90.0 };
    pins[1].move.centre = (rslVec3){ 0.4, 0.1, 0.1 };
    model = Built(&bar.scene, NULL);
    const rslConstraint* motion = &model->constraints[1];
    assert_true(motion->move.axis.x == 1.0 && motion->move.angle == 90.0 && motion->axes[2] && motion->nodeCount == 9);
    rslModel_Free(model);
}

static void Ground(void** state)
{
    (void)state;
    Bar bar;
    MakeBar(&bar);
    bar.scene.ground.enabled = true;
    bar.scene.ground.normal = (rslVec3){ 0.0, 0.0, 4.0 };
    rslModel* model = Built(&bar.scene, NULL);
    // an inner node has 6 + 12 springs of k = E a / 2.5; a corner of a block 3 edges k/4 and 3 diagonals k/2
    double k = 1e5 * 0.1 / 2.5;
    assert_true(Near(model->colliders[0].stiffness[22], 18.0 * k / 3.0, 1e-9));
    assert_true(Near(model->colliders[0].stiffness[0], 2.25 * k / 3.0, 1e-9));
    assert_true(model->colliders[0].normal.z == 1.0);
    rslModel_Free(model);
    bar.scene.ground.stiffness = 12.0;
    rslReport report = { 0 };
    assert_int_equal(rslModel_Build(&bar.scene, NULL, &model, &report), rsl_ok);
    assert_true(model->colliders[0].stiffness[22] == 12.0);
    assert_true(HasMessage(&report, rsl_warning, bar.scene.ground.place, "is not used"));
    rslModel_Free(model);
    report = (rslReport){ 0 };
    bar.scene.touch.scheme = rsl_penaltyScheme;
    assert_int_equal(rslModel_Build(&bar.scene, NULL, &model, &report), rsl_ok);
    assert_int_equal(report.warnings, 0);
    rslModel_Free(model);
}

// ---- links ----------------------------------------------------------------------------------------------------------

// Two bars, the second above the first with a gap, shifted sideways.
typedef struct Pair
{
    rslShapeDef shapes[2];
    rslBodyDef bodies[2];
    rslLinkDef link;
    rslScene scene;
} Pair;

static void MakePair(Pair* pair, double gap, double shift)
{
    pair->shapes[0] = pair->shapes[1] = BoxShape(0.4, 0.2, 0.2);
    pair->shapes[1].translate = (rslVec3){ shift, 0.0, 0.2 + gap };
    pair->bodies[0] = LatticeBody("lower", &pair->shapes[0], 0.1);
    pair->bodies[1] = LatticeBody("upper", &pair->shapes[1], 0.1);
    pair->link = rslDefaultLinkDef();
    pair->link.place = (rslPlace){ 70, 3 };
    pair->link.from.body = "upper";
    pair->link.from.type = rsl_planeNodes;
    pair->link.from.point = (rslVec3){ 0.0, 0.0, 0.1 + gap };
    pair->link.from.normal = (rslVec3){ 0.0, 0.0, -1.0 };
    pair->link.to.body = "lower";
    pair->scene = SceneOf(pair->bodies, 2);
    pair->scene.links = &pair->link;
    pair->scene.linkCount = 1;
}

static void SpringLinks(void** state)
{
    (void)state;
    Pair pair;
    MakePair(&pair, 0.03, 0.0);
    pair.link.stiffness = 40.0;
    pair.link.damping = 2.0;
    rslModel* model = Built(&pair.scene, NULL);
    assert_int_equal(model->linkCount, 15);
    for (int i = 0; i < 15; ++i)
    {
        const rslLink* link = &model->links[i];
        rslVec3 d = rslSub(WorldOf(model, link->nodes[0]), WorldOf(model, link->nodes[1]));
        assert_true(link->nodeCount == 2 && link->weights[0] == 1.0 && link->weights[1] == -1.0);
        assert_true(Near(d.z, 0.03, 1e-12) && Near(d.x, 0.0, 1e-12) && Near(link->restLength, 0.03, 1e-12));
        assert_true(link->stiffness == 40.0 && link->damping == 2.0);
    }
    rslModel_Free(model);
    pair.link.reach = 0.02;
    Refused(&pair.scene, pair.link.place, "the smallest distance is 0.03 m");
    pair.link.reach = RSL_AUTO;
    pair.link.to = pair.link.from;
    Refused(&pair.scene, pair.link.place, "is in both sets");
    MakePair(&pair, 0.0, 0.0);
    pair.link.stiffness = 40.0;
    pair.link.restLength = 0.1;
    Refused(&pair.scene, pair.link.place, "the same place");
    pair.link.restLength = 0.0;
    rslModel_Free(Built(&pair.scene, NULL));
}

// Ties are at rest, and stay so in any affine motion of both bodies.
static void CheckTies(const rslModel* model)
{
    for (int i = 0; i < model->linkCount; ++i)
    {
        const rslLink* link = &model->links[i];
        double sum = 0.0;
        rslVec3 d = { 0.0, 0.0, 0.0 };
        for (int n = 0; n < link->nodeCount; ++n)
        {
            sum += link->weights[n];
            d = rslMulAdd(d, link->weights[n], WorldOf(model, link->nodes[n]));
            assert_int_equal(rslModel_BodyOf(model, link->nodes[n]), n == 0 ? 1 : 0);
        }
        assert_true(Near(sum, 0.0, 1e-12) && rslLength(d) < 1e-12 && link->restLength == 0.0);
    }
}

static void Ties(void** state)
{
    (void)state;
    for (int construction = 0; construction < 2; ++construction)
    {
        Pair pair;
        MakePair(&pair, 0.02, 0.037);
        pair.link.type = rsl_tieLink;
        pair.bodies[0].network.construction = (rslConstruction)construction;
        rslModel* model = Built(&pair.scene, NULL);
        assert_int_equal(model->linkCount, 15);
        CheckTies(model);
        rslModel_Free(model);
        pair.link.to.body = "upper";
        Refused(&pair.scene, pair.link.place, "both ends");
    }
    // same place, same bars: the tie is as stiff as the nodes it joins
    Pair pair;
    MakePair(&pair, 0.0, 0.0);
    pair.link.type = rsl_tieLink;
    rslModel* model = Built(&pair.scene, NULL);
    double k = 1e5 * 0.1 / 2.5;
    assert_true(model->links[0].nodeCount >= 2 && Near(model->links[0].stiffness, 2.25 * k / 3.0, 1e-9));
    rslModel_Free(model);
}

// A point beside a sheet keeps its distance; one in it is bound.
static void TieToSheet(void** state)
{
    (void)state;
    for (int beside = 0; beside < 2; ++beside)
    {
        Bar bar;
        MakeBar(&bar);
        rslBodyDef bodies[2] = { GridBody("cloth", 0.6, 0.4, 6, 4), bar.body };
        bodies[0].network.translate = (rslVec3){ 0.21, 0.12, beside ? -0.03 : 0.0 };
        rslLinkDef link = rslDefaultLinkDef();
        link.type = rsl_tieLink;
        link.from.body = "bar";
        link.from.type = rsl_planeNodes;
        link.from.normal = (rslVec3){ 0.0, 0.0, -1.0 };
        link.to.body = "cloth";
        rslScene scene = SceneOf(bodies, 2);
        scene.links = &link;
        scene.linkCount = 1;
        rslModel* model = Built(&scene, NULL);
        assert_int_equal(model->linkCount, 15);
        for (int i = 0; i < 15; ++i)
        {
            assert_true(Near(model->links[i].restLength, beside ? 0.03 : 0.0, 1e-12));
        }
        rslModel_Free(model);
    }
}

// ---- drives ---------------------------------------------------------------------------------------------------------

static void Drives(void** state)
{
    (void)state;
    Bar bar;
    MakeBar(&bar);
    rslDriveDef drives[33];
    for (int i = 0; i < 33; ++i)
    {
        drives[i] = rslDefaultDriveDef();
        drives[i].strain = 0.1;
    }
    drives[1].nodes = LeftEnd();
    drives[1].direction = (rslVec3){ 2.0, 0.0, 0.0 };
    drives[1].place = (rslPlace){ 80, 1 };
    bar.scene.drives = drives;
    bar.scene.driveCount = 2;
    rslReport report = { 0 };
    rslModel* model = Built(&bar.scene, &report);
    int both = 0;
    for (int n = 0; n < model->nodeCount; ++n)
    {
        assert_true((model->driveMask[n] & 1u) != 0);
        both += model->driveMask[n] == 3u ? 1 : 0;
    }
    assert_int_equal(both, 9);
    assert_true(model->drives[1].direction.x == 1.0 && Near(model->drives[1].cosine, 0.8660254037844386, 1e-15));
    // nodes of one layer across x have no spring along x
    assert_true(HasMessage(&report, rsl_warning, drives[1].place, "moves no spring"));
    rslModel_Free(model);
    drives[1].direction = (rslVec3){ 0.0, 1.0, 0.0 };
    report = (rslReport){ 0 };
    rslModel_Free(Built(&bar.scene, &report));
    assert_int_equal(report.warnings, 0);
    bar.scene.driveCount = 33;
    assert_int_equal(rslModel_Build(&bar.scene, NULL, &model, NULL), rsl_badInput);
}

// ---- courses --------------------------------------------------------------------------------------------------------

static void Courses(void** state)
{
    (void)state;
    rslCourse c = { .type = rsl_constantCourse, .start = 1.0 };
    assert_true(rslCourse_Value(&c, 0.99) == 0.0 && rslCourse_Value(&c, 1.0) == 1.0);
    c = (rslCourse){ .type = rsl_rampCourse, .start = 1.0, .duration = 2.0 };
    assert_true(rslCourse_Value(&c, 0.5) == 0.0 && rslCourse_Value(&c, 1.5) == 0.25 && rslCourse_Value(&c, 9.0) == 1.0);
    c.smooth = true;
    assert_true(Near(rslCourse_Value(&c, 1.5), 3.0 / 16 - 2.0 / 64, 1e-16) && rslCourse_Value(&c, 2.0) == 0.5);
    c = (rslCourse){ .type = rsl_pulseCourse, .start = 1.0, .duration = 2.0 };
    assert_true(rslCourse_Value(&c, 1.0) == 1.0 && rslCourse_Value(&c, 3.0) == 0.0 && rslCourse_Value(&c, 0.9) == 0.0);
    c.smooth = true;
    assert_true(rslCourse_Value(&c, 1.0) == 0.0 && rslCourse_Value(&c, 2.0) == 1.0 &&
                rslCourse_Value(&c, 1.5) == 0.5625);
    const double points[] = { 0.0, 1.0, 1.0, 3.0, 5.0, -1.0 };
    c = (rslCourse){ .type = rsl_tableCourse, .points = points, .pointCount = 3 };
    assert_true(rslCourse_Value(&c, -1.0) == 1.0 && rslCourse_Value(&c, 0.5) == 2.0 && rslCourse_Value(&c, 1.0) == 3.0);
    assert_true(rslCourse_Value(&c, 3.0) == 1.0 && rslCourse_Value(&c, 7.0) == -1.0);
    c = (rslCourse){ .type = rsl_sineCourse, .start = 1.0, .frequency = 0.5, .phase = 30.0 };
    assert_true(rslCourse_Value(&c, 0.5) == 0.0 && Near(rslCourse_Value(&c, 1.0), 0.5, 1e-15));
    assert_true(Near(rslCourse_Value(&c, 1.0 + 1.0 / 3.0), 1.0, 1e-15));
}

// ---- fingerprint ----------------------------------------------------------------------------------------------------

static uint64_t FingerprintOf(const rslScene* scene)
{
    rslModel* model = Built(scene, NULL);
    uint64_t fingerprint = model->fingerprint;
    rslModel_Free(model);
    return fingerprint;
}

// The same for the same physics; another for each single change of it.
static void Fingerprint(void** state)
{
    (void)state;
    Pair pair;
    MakePair(&pair, 0.02, 0.0);
    pair.link.stiffness = 40.0;
    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.nodes.body = "lower";
    pin.nodes.type = rsl_nearestNodes;
    rslLoadDef load = rslDefaultLoadDef();
    load.force.x = 1.0;
    rslDriveDef drive = rslDefaultDriveDef();
    drive.strain = 0.1;
    pair.scene.constraints = &pin;
    pair.scene.constraintCount = 1;
    pair.scene.loads = &load;
    pair.scene.loadCount = 1;
    pair.scene.drives = &drive;
    pair.scene.driveCount = 1;
    pair.scene.ground.enabled = true;
    pair.scene.ground.point.z = -1.0;
    uint64_t base = FingerprintOf(&pair.scene);
    assert_true(base == FingerprintOf(&pair.scene));

    pair.bodies[0].surface.resolution = 0.05;
    pair.scene.time.duration = 7.0;
    pair.scene.title = "another";
    assert_true(base == FingerprintOf(&pair.scene));

    double* numbers[] = {
        &pair.scene.gravity.z,
        &pair.bodies[0].material.young,
        &pair.bodies[1].material.density,
        &pair.bodies[0].velocity.x,
        &pair.bodies[1].spin.y,
        &pair.bodies[0].material.massDamping,
        &pair.bodies[0].network.orientation.angle,
        &pair.link.stiffness,
        &pair.link.damping,
        &pin.nodes.point.x,
        &load.force.x,
        &load.course.start,
        &drive.strain,
        &drive.spread,
        &drive.course.start,
        &pair.scene.ground.point.z,
        &pair.shapes[0].translate.y,
    };
    uint64_t seen[32];
    int count = (int)(sizeof numbers / sizeof numbers[0]);
    for (int i = 0; i < count; ++i)
    {
        double old = *numbers[i];
        *numbers[i] = old == 0.0 ? 0.3 : 0.75 * old;
        seen[i] = FingerprintOf(&pair.scene);
        *numbers[i] = old;
        assert_true(seen[i] != base);
        for (int j = 0; j < i; ++j)
        {
            assert_true(seen[i] != seen[j]);
        }
    }
    pin.axes[1] = false;
    assert_true(base != FingerprintOf(&pair.scene));
    pin.axes[1] = true;
    pair.bodies[1].network.construction = rsl_centredLattice;
    pair.link.from.type = rsl_allNodes;
    assert_true(base != FingerprintOf(&pair.scene));
}

// Pressure acts on the surface, so then it counts.
static void FingerprintOfPressure(void** state)
{
    (void)state;
    Bar bar;
    MakeBar(&bar);
    bar.body.surface.enabled = true;
    rslLoadDef load = rslDefaultLoadDef();
    load.type = rsl_pressureLoad;
    load.body = "bar";
    load.pressure = 5.0;
    bar.scene.loads = &load;
    bar.scene.loadCount = 1;
    uint64_t base = FingerprintOf(&bar.scene);
    bar.body.surface.resolution = 0.04;
    assert_true(base != FingerprintOf(&bar.scene));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Select),
        cmocka_unit_test(SelectNearest),
        cmocka_unit_test(SelectRefused),
        cmocka_unit_test(Loads),
        cmocka_unit_test(Constraints),
        cmocka_unit_test(Ground),
        cmocka_unit_test(SpringLinks),
        cmocka_unit_test(Ties),
        cmocka_unit_test(TieToSheet),
        cmocka_unit_test(Drives),
        cmocka_unit_test(Courses),
        cmocka_unit_test(Fingerprint),
        cmocka_unit_test(FingerprintOfPressure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
