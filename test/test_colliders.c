// SPDX-License-Identifier: MIT
//
// test_colliders.c: colliders of a scene in its model: pairs with figures of their own, shapes, what they push.

#include "collide_shape.h"
#include "support.h"

#include "resilin/io.h"

static const char twoBoxes[] = "bodies:\n"
                               "  - name: box\n"
                               "    shape: {type: box, size: [1, 1, 1], translate: [0, 0, 0.5]}\n"
                               "    network: {spacing: 0.5}\n"
                               "    material: rubber\n"
                               "  - name: lid\n"
                               "    shape: {type: box, size: [1, 1, 1], translate: [0, 0, 2]}\n"
                               "    network: {spacing: 0.5}\n"
                               "    material: rubber\n";

static rslStatus Read(const char* text, rslScene* scene, rslReport* report)
{
    rslTree tree;
    *scene = rslDefaultScene();
    rslStatus status = rslYaml_Parse(text, strlen(text), NULL, &tree, report);
    status = status == rsl_ok ? rslScene_FromTree(&tree, NULL, scene, report) : status;
    rslTree_Free(&tree);
    return status;
}

static rslModel* Build(const char* head, const char* rest, rslReport* report)
{
    char text[4000];
    rslScene scene;
    rslModel* model = NULL;
    *report = (rslReport){ 0 };
    snprintf(text, sizeof text, "%s%s", head, rest);
    if (Read(text, &scene, report) == rsl_ok)
    {
        (void)rslModel_Build(&scene, NULL, &model, report);
    }
    rslScene_Free(&scene);
    return model;
}

static rslModel* Expect(const char* head, const char* rest)
{
    rslReport report;
    rslModel* model = Build(head, rest, &report);
    if (model == NULL)
    {
        fail_msg("%s", report.messages[0].text);
    }
    return model;
}

static void test_pairs(void** state)
{
    (void)state;
    rslModel* model =
        Expect(twoBoxes, "ground: {friction: 0.2, restitution: 0.7}\n"
                         "contact: {scheme: predictive, friction: 0.4, restitution: 0.9}\n"
                         "contacts: [{a: lid, b: ground, friction: 0.6}, {a: lid, b: lid, restitution: 0}]\n");
    rslContactPair a = rslModel_PairOf(model, 0, 2), b = rslModel_PairOf(model, 1, 2);
    assert_true(a.touches && a.friction == 0.2 && a.restitution == 0.7 && isnan(a.thickness));
    assert_true(b.touches && b.friction == 0.6 && b.restitution == 0.7);
    rslContactPair self = rslModel_PairOf(model, 1, 1), other = rslModel_PairOf(model, 0, 0);
    assert_true(self.touches && self.friction == 0.4 && self.restitution == 0.0 && !other.touches);
    assert_true(!rslModel_PairOf(model, 0, 1).touches && model->pairCount == 2);
    uint64_t before = model->fingerprint;
    rslModel_Free(model);
    model =
        Expect(twoBoxes,
               "contact: {bodies: all, friction: 0.4}\ncontacts: [{a: lid, b: box, friction: 0.1, thickness: 0.01}]\n");
    rslContactPair there = rslModel_PairOf(model, 1, 0), back = rslModel_PairOf(model, 0, 1);
    assert_true(there.touches && there.friction == 0.1 && there.thickness == 0.01 && back.friction == 0.1);
    assert_true(model->fingerprint != before);
    rslModel_Free(model);
}

// Of all bodies, those that are welded or joined do not touch; where they are listed they do.
static void test_joined(void** state)
{
    (void)state;
    static const char three[] =
        "bodies:\n"
        "  - {name: a, shape: {type: box, size: [1, 1, 1]}, network: {spacing: 0.5}, material: rubber, model: rigid}\n"
        "  - {name: b, shape: {type: box, size: [1, 1, 1], translate: [0, 0, 2]}, network: {spacing: 0.5}, "
        "material: rubber, model: rigid}\n"
        "  - {name: c, shape: {type: box, size: [1, 1, 1], translate: [0, 0, 0.5]}, network: {spacing: 0.5}, material: "
        "rubber}\n"
        "links: [{type: weld, from: {body: c, type: box, min: [-1, -1, -1], max: [1, 1, 0.1]}, to: {body: a, type: "
        "all}}]\n"
        "joints: [{type: ball, a: a, b: b, point: [0, 0, 1.2]}]\n";
    rslModel* model = Expect(three, "contact: {bodies: all}\n");
    assert_true(!rslModel_PairOf(model, 0, 2).touches && !rslModel_PairOf(model, 0, 1).touches);
    assert_true(rslModel_PairOf(model, 1, 2).touches);
    rslModel_Free(model);
    model = Expect(three, "contact: {bodies: all, overlap: allow}\ncontacts: [{a: c, b: a}]\n");
    assert_true(rslModel_PairOf(model, 0, 2).touches && !rslModel_PairOf(model, 0, 1).touches);
    rslModel_Free(model);
}

static const char tetrahedron[] =
    "colliders: [{name: rock, shape: {type: mesh, vertices: [[0, 0, -1], [1, 0, -1], [0, 1, -1], [0, 0, -0.1]], "
    "triangles: [%s]%s}}]\n";

static void ExpectRefused(const char* triangles, const char* more, const char* said)
{
    char text[1000];
    rslReport report;
    snprintf(text, sizeof text, tetrahedron, triangles, more);
    rslModel* model = Build(twoBoxes, text, &report);
    bool found = false;
    for (int i = 0; i < report.count; ++i)
    {
        found = found || (strstr(report.messages[i].text, said) != NULL && report.messages[i].place.line == 10);
    }
    if (model != NULL || !found)
    {
        fail_msg("'%s' was not said, but: %s", said, report.count > 0 ? report.messages[0].text : "nothing");
    }
}

static void test_meshes_that_are_none(void** state)
{
    (void)state;
    ExpectRefused("[0, 2, 1], [0, 1, 3], [1, 2, 3]", "", "3 open edges");
    ExpectRefused("[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]", "", "inside out");
    ExpectRefused("[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 9]", "", "");
    char text[1000];
    snprintf(text, sizeof text, tetrahedron, "[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]", ", repair: repair");
    rslModel* model = Expect(twoBoxes, text);  // turned round
    rslPlaced placed = rslCollider_Place(&model->colliders[0], 0.0);
    assert_true(rslPlaced_Nearest(&placed, (rslVec3){ 0.1, 0.1, -0.9 }).gap < 0.0);
    rslModel_Free(model);
}

// Messages that a scene gets; the model, if any, is freed.
static bool Says(const char* head, const char* rest, const char* said, rslSeverity severity)
{
    rslReport report;
    rslModel* model = Build(head, rest, &report);
    bool found = false;
    for (int i = 0; i < report.count; ++i)
    {
        found = found || (report.messages[i].severity == severity && strstr(report.messages[i].text, said) != NULL);
    }
    assert_true((model == NULL) == (severity == rsl_error));
    if (!found)
    {
        print_error("%s\n", report.count > 0 ? report.messages[0].text : "nothing said");
    }
    rslModel_Free(model);
    return found;
}

static void test_overlap_is_refused(void** state)
{
    (void)state;
    // a sphere that pokes into the middle of a face, an edge of a box that cuts an edge of the body, and bodies in each other
    assert_true(Says(twoBoxes,
                     "contact: {scheme: predictive}\ncolliders: [{name: knob, shape: {type: sphere, radius: 0.1, "
                     "translate: [0.25, 0.13, -0.06]}}]\n",
                     "body 'box' starts 0.04 m deep in collider 'knob', at (0.25, 0.13, 0.04)", rsl_error));
    assert_true(Says(twoBoxes,
                     "contact: {scheme: predictive}\ncolliders: [{name: beam, shape: {type: box, size: [0.2, 0.2, 4], "
                     "rotate: {axis: [0, 0, 1], angle: 45}, translate: [0.6, 0, 1]}}]\n",
                     "deep in collider 'beam'", rsl_error));
    assert_true(Says(twoBoxes,
                     "contact: {scheme: predictive}\ncolliders: [{name: pole, shape: {type: cylinder, radius: 0.05, "
                     "height: 2.2, translate: [0.2, 0.1, 1.4]}}]\n",
                     "deep in collider 'pole'", rsl_error));
    assert_true(Says(twoBoxes, "contact: {scheme: predictive}\nground: {point: [0, 0, 0.1]}\n",
                     "starts 0.1 m deep in collider 'ground'", rsl_error));
    rslModel_Free(Expect(twoBoxes, "contact: {scheme: predictive}\nground: true\n"));
    rslModel_Free(Expect(twoBoxes, "contact: {scheme: predictive, overlap: allow}\nground: {point: [0, 0, 0.1]}\n"));
}

static const char inEachOther[] = "bodies:\n"
                                  "  - name: box\n"
                                  "    shape: {type: box, size: [1, 1, 1], translate: [0, 0, 0.5]}\n"
                                  "    network: {spacing: 0.25}\n"
                                  "    material: rubber\n"
                                  "  - name: lid\n"
                                  "    shape: {type: sphere, radius: 0.5, translate: [0.1, 0, 1.3]}\n"
                                  "    network: {spacing: 0.25}\n"
                                  "    material: rubber\n"
                                  "contacts: [{a: box, b: lid}]\n";

static void test_bodies_are_separated(void** state)
{
    (void)state;
    assert_true(Says(inEachOther, "contact: {scheme: predictive}\n", "deep in body 'box'", rsl_error));
    assert_true(Says(inEachOther, "contact: {scheme: predictive, overlap: separate}\n",
                     "body 'lid' overlapped something", rsl_note));
    const char* rest = "contact: {scheme: predictive, overlap: separate}\nground: {point: [0, 0, 0.2]}\n";
    rslModel* model = Expect(inEachOther, rest);
    assert_close(model->bodies[0].frame.origin.z, 0.7, 0.01);
    assert_true(model->bodies[1].frame.origin.z > 1.5);
    rslModel* again = Expect(inEachOther, rest);
    assert_int_equal(model->fingerprint, again->fingerprint);
    rslModel_Free(again);
    rslModel_Free(model);
    assert_true(Says(inEachOther,
                     "contact: {scheme: predictive, overlap: separate}\n"
                     "constraints: [{type: pin, nodes: {type: all}}]\n",
                     "neither can be moved", rsl_error));
    assert_true(Says(inEachOther,
                     "contact: {scheme: predictive, overlap: separate}\n"
                     "constraints: [{type: pin, nodes: {body: lid, type: all}}]\n",
                     "body 'box' overlapped something", rsl_note));
}

// Their normals lead back and forth; middles lead out, and nothing is moved down.
static void test_no_going_in_circles(void** state)
{
    (void)state;
    static const char bodies[] =
        "bodies:\n"
        "  - {name: box, shape: {type: box, size: [0.1, 0.1, 0.1], translate: [0, 0, 0.151]}, skin: %s,\n"
        "     network: {spacing: 0.025}, material: rubber}\n"
        "  - {name: lid, shape: {type: box, size: [0.1, 0.1, 0.1], translate: [0.013, 0.003, %g]}, skin: %s,\n"
        "     network: {spacing: 0.025}, material: rubber}\n";
    static const struct
    {
        const char *box, *lid;
        double z;
    } cases[] = { { "spheres", "surface", 0.21 },
                  { "surface", "spheres", 0.21 },
                  { "spheres", "spheres", 0.21 },
                  { "spheres", "spheres", 0.151 },
                  { "spheres", "surface", 0.255 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        char text[1000];
        snprintf(text, sizeof text, bodies, cases[i].box, cases[i].z, cases[i].lid);
        assert_true(Says(text, "contact: {bodies: all}\n", "deep in body 'box'", rsl_error));
        const char* rest = "contact: {bodies: all, overlap: separate}\nground: true\n";
        assert_true(Says(text, rest, "body 'lid' overlapped something", rsl_note));
        rslModel* model = Expect(text, rest);
        assert_true(model->bodies[1].frame.origin.z > cases[i].z - 0.06);
        rslModel_Free(model);
    }
    char apart[1000];
    snprintf(apart, sizeof apart, bodies, "spheres", 0.29, "spheres");
    rslModel_Free(Expect(apart, "contact: {bodies: all}\n"));
    snprintf(apart, sizeof apart, bodies, "spheres", 0.27, "spheres");
    assert_true(Says(apart, "contact: {bodies: all}\n", "deep in body 'box'", rsl_error));
    rslModel_Free(Expect(apart, "contact: {bodies: all}\ncontacts: [{a: box, b: lid, thickness: 0.01}]\n"));
}

// Two square sheets of 8 x 8 cells, the second turned about x and put somewhere.
static bool SheetsAreRefused(double angle, double y, double z, const char* said)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "bodies:\n"
        "  - {name: one, network: {type: sheet, size: [0.4, 0.4], cells: [8, 8], thickness: 0.002}, material: rubber}\n"
        "  - {name: two, network: {type: sheet, size: [0.4, 0.4], cells: [8, 8], thickness: 0.002,\n"
        "      rotate: {axis: [1, 0, 0], angle: %g}, translate: [0.01, %g, %g]}, material: rubber}\n",
        angle, y, z);
    const char* rest = "contact: {scheme: predictive, bodies: all}\n";
    if (said != NULL)
    {
        return Says(text, rest, said, rsl_error);
    }
    rslModel_Free(Expect(text, rest));
    return false;
}

static void test_sheets_that_cross(void** state)
{
    (void)state;
    assert_true(SheetsAreRefused(90.0, 0.013, 0.0, "deep in body 'one'"));
    assert_true(SheetsAreRefused(20.0, 0.013, 0.01, "deep in body 'one'"));
    assert_true(SheetsAreRefused(90.0, 0.013, 0.18, "starts 0.02 m deep in body 'one'"));  // its rim alone
    assert_false(SheetsAreRefused(90.0, 0.013, 0.21, NULL));
    assert_false(SheetsAreRefused(0.0, 0.0, 0.004, NULL));
    assert_false(SheetsAreRefused(0.0, 0.39, 0.0, NULL));  // side by side in one plane
}

// Boxes that lie on each other, turned as a whole: faces that meet by rounding are no overlap.
static void test_flush_faces(void** state)
{
    (void)state;
    static const double angles[] = { 0.0, 30.0, 45.0, 77.0 }, offsets[] = { 0.0, 0.013, 0.05 };
    for (int i = 0; i < 24; ++i)
    {
        char text[1000];
        double angle = angles[i % 4], off = offsets[i / 4 % 3], c = cos(angle * 3.14159265358979323846 / 180.0),
               s = sin(angle * 3.14159265358979323846 / 180.0);
        double height = 0.1 - (i < 12 ? 0.0 : 1e-9);
        snprintf(text, sizeof text,
                 "bodies:\n"
                 "  - {name: one, shape: {type: box, size: [0.1, 0.1, 0.1], rotate: {axis: [0, 1, 0], angle: %g}},\n"
                 "     network: {spacing: 0.025, orientation: {axis: [0, 1, 0], angle: %g}}, material: rubber}\n"
                 "  - {name: two, shape: {type: box, size: [0.1, 0.1, 0.1], rotate: {axis: [0, 1, 0], angle: %g},\n"
                 "     translate: [%.17g, %.17g, %.17g]}, network: {spacing: %.17g, orientation: {axis: [0, 1, 0], "
                 "angle: %g}}, material: rubber}\n",
                 angle, angle, angle, s * height + c * off, 0.5 * off, c * height - s * off, i % 2 ? 0.025 : 0.1 / 3.0,
                 angle);
        rslModel_Free(Expect(text, "contact: {scheme: predictive, bodies: all}\n"));
    }
}

static void test_without_memory(void** state)
{
    (void)state;
    char text[4000];
    rslScene scene;
    rslReport report = { 0 };
    snprintf(text, sizeof text,
             "%scontacts: [{a: box, b: lid}]\ncontact: {scheme: predictive, overlap: separate}\n"
             "ground: {point: [0, 0, 0.2]}\n"
             "colliders: [{shape: {type: torus, radius: 3, tube_radius: 0.2}, resolution: 1.5, translate: [1, 0, 0]},\n"
             "  {shape: {type: capsule, radius: 3, height: 0.2, translate: [9, 0, 0]}}]\n",
             twoBoxes);
    assert_int_equal(Read(text, &scene, &report), rsl_ok);
    BuildWithoutMemory(&scene, 60);
    rslScene_Free(&scene);
}

// A body pressed onto a sphere by its weight comes to rest there, and the sphere carries it.
static void test_rest_on_a_sphere(void** state)
{
    (void)state;
    rslModel* model = Expect("bodies:\n"
                             "  - name: plate\n"
                             "    shape: {type: box, size: [0.4, 0.4, 0.1], translate: [0, 0, 0.24]}\n"
                             "    network: {spacing: 0.05}\n"
                             "    material: {young: 1e5, poisson: 0.25, density: 1000}\n",
                             "constraints: [{type: pin, axes: [x, y], nodes: {type: all}}]\n"
                             "colliders: [{name: knob, shape: {type: sphere, radius: 0.2}, hardness: 5}]\n"
                             "time: {integrator: static}\n");
    rslSolverDef def = rslDefaultSolverDef();
    def.integrator = rsl_static;
    rslSolver* solver = NULL;
    rslState* at = NULL;
    rslReport report = { 0 };
    assert_int_equal(rslState_Create(model, rsl_double, NULL, &at), rsl_ok);
    assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, &report), rsl_ok);
    assert_int_equal(rslSolver_Step(solver, at, 1), rsl_ok);
    rslVec3 force = rslSolver_ColliderForce(solver, at, 0, -1);
    assert_close(force.z, 9.81 * model->bodies[0].mass, 1e-4 * 9.81 * model->bodies[0].mass);
    assert_close(force.x, 0.0, 1e-6 * force.z);
    rslSolver_Free(solver);
    rslState_Free(at);
    rslModel_Free(model);
}

// ---- motion ---------------------------------------------------------------------------------------------------------

typedef struct Motion
{
    rslModel* model;
    rslSolver* solver;
    rslState* state;
} Motion;

static Motion Start(const char* head, const char* rest)
{
    char text[4000];
    rslScene scene;
    rslReport report = { 0 };
    Motion motion = { .model = Expect(head, rest) };
    snprintf(text, sizeof text, "%s%s", head, rest);
    assert_int_equal(Read(text, &scene, &report), rsl_ok);
    rslSolverDef def = rslSolverDef_FromScene(&scene);
    def.threads = 1;
    rslScene_Free(&scene);
    assert_int_equal(rslState_Create(motion.model, def.precision, NULL, &motion.state), rsl_ok);
    assert_int_equal(rslSolver_Create(motion.model, &def, NULL, &motion.solver, &report), rsl_ok);
    return motion;
}

static void Run(Motion* motion, double duration)
{
    double step = rslSolver_Stability(motion->solver).step;
    assert_int_equal(rslSolver_Step(motion->solver, motion->state, (int64_t)(duration / step) + 1), rsl_ok);
}

static void Stop(Motion* motion)
{
    rslSolver_Free(motion->solver);
    rslState_Free(motion->state);
    rslModel_Free(motion->model);
}

static double LowestOf(const Motion* motion)
{
    double lowest = INFINITY, x[3];
    for (int i = 0; i < motion->model->nodeCount; ++i)
    {
        rslState_Positions(motion->model, motion->state, i, i + 1, x);
        lowest = fmin(lowest, x[2]);
    }
    return lowest;
}

static const char coarse[] = "bodies:\n"
                             "  - name: box\n"
                             "    shape: {type: box, size: [0.2, 0.2, 0.2], translate: [0.013, 0.021, 0.23]}\n"
                             "    network: {spacing: 0.1}\n"
                             "    material: {young: 3e5, poisson: 0.25, density: 1000, stiffness_damping: 2e-3}\n";

static const char spike[] = "{type: mesh, vertices: [[0.04, 0, 0], [-0.02, 0.03, 0], [-0.02, -0.03, 0], [0, 0, 0.1]], "
                            "triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]}";

// What is smaller than a cell holds a body up: a pin, a rim, an edge and a corner hit faces and edges, where no vertex is.
static void test_small_things_hold(void** state)
{
    (void)state;
    static const char* const things[] = {
        "{type: sphere, radius: 0.02, translate: [0, 0, 0.08]}",
        "{type: capsule, radius: 0.01, height: 0.5, rotate: {axis: [1, 0, 0], angle: 90}, translate: [0, 0, 0.09]}",
        "{type: cylinder, radius: 0.03, height: 0.1, translate: [0, 0, 0.05]}",
        "{type: box, size: [0.06, 0.06, 0.1], rotate: {axis: [0, 0, 1], angle: 30}, translate: [0, 0, 0.05]}",
        spike,
    };
    for (size_t i = 0; i < sizeof things / sizeof *things; ++i)
    {
        char text[1000];
        snprintf(text, sizeof text,
                 "constraints: [{type: pin, axes: [x, y], nodes: {type: all}}]\n"
                 "colliders: [{name: thing, shape: %s, friction: 0.5}]\n",
                 things[i]);
        Motion motion = Start(coarse, text);
        Run(&motion, 0.4);
        assert_true(LowestOf(&motion) > 0.05);
        assert_true(LowestOf(&motion) < 0.13);
        Stop(&motion);
    }
}

// A roller that turns drags what it holds, by the friction of the pair, with penalties as with impulses.
static void test_friction_of_a_pair(void** state)
{
    (void)state;
    for (int penalty = 0; penalty < 2; ++penalty)
    {
        double speed[2];
        for (int pair = 0; pair < 2; ++pair)
        {
            char text[1000];
            snprintf(text, sizeof text,
                     "contact: {scheme: %s}\n"
                     "%s"
                     "colliders: [{name: table, shape: {type: box, size: [4, 4, 0.2], translate: [0, 0, 0.029]}, "
                     "friction: 0.1, "
                     "translate: [2, 0, 0], course: {type: ramp, duration: 1}}]\n",
                     penalty ? "penalty" : "predictive", pair ? "contacts: [{a: box, b: table, friction: 0.3}]\n" : "");
            Motion motion = Start(coarse, text);
            Run(&motion, 0.2);
            rslVec3 p = rslSolver_Motion(motion.solver, motion.state, -1).momentum;
            speed[pair] = p.x / motion.model->bodies[0].mass;
            Stop(&motion);
        }
        assert_close(speed[0], 0.1 * 9.81 * 0.2, 0.02);
        assert_close(speed[1], 0.3 * 9.81 * 0.2, 0.06);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_joined),
        cmocka_unit_test(test_meshes_that_are_none),
        cmocka_unit_test(test_overlap_is_refused),
        cmocka_unit_test(test_sheets_that_cross),
        cmocka_unit_test(test_flush_faces),
        cmocka_unit_test(test_bodies_are_separated),
        cmocka_unit_test(test_no_going_in_circles),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_rest_on_a_sphere),
        cmocka_unit_test(test_small_things_hold),
        cmocka_unit_test(test_friction_of_a_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
