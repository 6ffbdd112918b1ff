// SPDX-License-Identifier: MIT
//
// Bodies from shapes, grids, triangles and lists; what is refused; memory.

#include "build_fixture.h"

#include "lattice.h"

// ---- lattices -------------------------------------------------------------------------------------------------------

// The centre of mass is at X = 0 and the frame at it in the world.
static void CheckCentred(const rslModel* model, int index, rslVec3 expected, double tolerance)
{
    const rslBody* body = &model->bodies[index];
    double xyz[3];
    rslVec3 sum = { 0.0, 0.0, 0.0 };
    for (int n = body->firstNode; n < body->firstNode + body->nodeCount; ++n)
    {
        rslBody_Rest(body, n, n + 1, xyz);
        sum = rslMulAdd(sum, model->mass[n], (rslVec3){ xyz[0], xyz[1], xyz[2] });
    }
    assert_true(rslLength(sum) / body->mass < 1e-13);
    assert_true(rslLength(rslSub(body->frame.origin, expected)) <= tolerance);
}

static void BoxInBothConstructions(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    shape.translate = (rslVec3){ 3.0, 2.0, 1.0 };
    for (int corner = 0; corner < 2; ++corner)
    {
        rslBodyDef body = LatticeBody("beam", &shape, 0.25);
        body.network.construction = corner ? rsl_cornerLattice : rsl_centredLattice;
        body.material.stiffnessDamping = 0.01;
        body.material.massDamping = 0.3;
        body.velocity = (rslVec3){ 1.0, 2.0, 3.0 };
        body.spin = (rslVec3){ 0.0, 0.0, 180.0 };
        rslScene scene = SceneOf(&body, 1);
        rslReport report = { 0 };
        rslModel* model = Built(&scene, &report);
        const rslBody* b = &model->bodies[0];
        assert_int_equal(report.count, 0);
        assert_int_equal(model->nodeCount, corner ? 17 * 5 * 5 : 256);
        assert_int_equal(model->springCount, corner ? 16 * 25 + 2 * 17 * 4 * 5 + 2 * (17 * 16 + 2 * 16 * 4 * 5) : 1632);
        assert_true(Near(b->mass, 4000.0, 1e-9) && Near(TotalMass(model, 0), 4000.0, 1e-9) &&
                    Near(b->volume, 4.0, 1e-12));
        assert_true(Near(b->lattice.stiffness[0], 1e5 * 0.25 / 2.5, 1e-9) &&
                    b->lattice.stiffness[0] == b->lattice.stiffness[RSL_LATTICE_FACE]);
        assert_true(b->young == 1e5 && b->poisson == 0.25 && Near(b->shear, 4e4, 1e-9) && Near(b->bulk, 2e5 / 3, 1e-6));
        assert_true(Near(b->waveSpeed, sqrt(120.0), 1e-9) && b->spacing == 0.25 && b->density == 1000.0);
        assert_true(b->stiffnessDamping == 0.01 && b->massDamping == 0.3);
        assert_true(Near(b->spin.z, 3.14159265358979, 1e-12) && b->frame.velocity.y == 2.0);
        CheckCentred(model, 0, shape.translate, 1e-14);
        assert_true(model->bytes > 0 && model->buildSeconds >= 0.0);
        rslModel_Free(model);
    }
}

// A turned lattice in an equally turned box is the same lattice in another frame.
static void TurnedBox(void** state)
{
    (void)state;
    rslShapeDef plain = BoxShape(0.4, 0.3, 0.2), turned = plain;
    turned.rotate = (rslRotationDef){ { 1.0, 2.0, -0.5 }, 33.0 };
    turned.translate = (rslVec3){ 100.0, 0.0, -7.0 };
    rslBodyDef bodies[2] = { LatticeBody("plain", &plain, 0.05), LatticeBody("turned", &turned, 0.05) };
    bodies[1].network.orientation = turned.rotate;
    rslScene scene = SceneOf(bodies, 2);
    rslModel* model = Built(&scene, NULL);
    const rslBody *a = &model->bodies[0], *b = &model->bodies[1];
    assert_int_equal(a->nodeCount, 9 * 7 * 5);
    assert_int_equal(b->nodeCount, a->nodeCount);
    assert_int_equal(b->firstNode, a->nodeCount);
    assert_memory_equal(&a->lattice.origin, &b->lattice.origin, sizeof(rslVec3));
    CheckCentred(model, 1, turned.translate, 1e-12);
    rslMat3 turn = rslQuatMatrix(rslQuatFromDegrees(turned.rotate.axis, 33.0));
    for (int n = 0; n < a->nodeCount; ++n)
    {
        rslVec3 moved = rslAdd(rslMatVec(&turn, WorldOf(model, n)), turned.translate);
        assert_true(rslLength(rslSub(moved, WorldOf(model, a->nodeCount + n))) < 1e-12);
    }
    rslModel_Free(model);
}

static void Sphere(void** state)
{
    (void)state;
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_sphereShape;
    shape.radius = 0.5;
    rslBodyDef body = LatticeBody("ball", &shape, 0.04);
    rslScene scene = SceneOf(&body, 1);
    rslReport report = { 0 };
    rslModel* model = Built(&scene, &report);
    assert_int_equal(report.warnings, 0);
    assert_true(Near(model->bodies[0].volume, 0.5235988, 0.01));
    CheckCentred(model, 0, (rslVec3){ 0.0, 0.0, 0.0 }, 1e-12);
    rslModel_Free(model);
}

// Without anti-aliasing a cell is filled exactly when its centre is inside.
static void FilledCells(void** state)
{
    (void)state;
    rslShapeDef parts[2] = { rslDefaultShapeDef(), BoxShape(0.06, 0.4, 0.1) };
    parts[0].type = rsl_rabbitShape;
    parts[0].height = 0.4;
    parts[1].translate.z = 0.1;
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_differenceShape;
    shape.parts = parts;
    shape.partCount = 2;
    rslBodyDef body = LatticeBody("rabbit", &shape, 0.011);
    body.network.antialias = false;
    body.network.construction = rsl_centredLattice;
    body.network.orientation = (rslRotationDef){ { 1.0, 0.3, 2.0 }, 25.0 };
    body.surface.enabled = false;
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    const rslBody* b = &model->bodies[0];
    const rslLattice* l = &b->lattice;
    rslShape* asked = NULL;
    assert_int_equal(rslShape_Create(&shape, NULL, &asked, NULL), rsl_ok);
    rslMat3 turn = rslQuatMatrix(b->frame.rotation);
    int different = 0;
    for (int c = 0; c < l->cells[0] * l->cells[1] * l->cells[2]; ++c)
    {
        int i = c % l->cells[0], j = c / l->cells[0] % l->cells[1], k = c / (l->cells[0] * l->cells[1]);
        rslVec3 X = rslMulAdd(l->origin, l->spacing, (rslVec3){ i, j, k });
        rslVec3 x = rslAdd(b->frame.origin, rslMatVec(&turn, X));
        different += rslShape_Contains(asked, x) != (l->weight[c] > 0.0) ? 1 : 0;
    }
    assert_int_equal(different, 0);
    rslShape_Free(asked);
    rslModel_Free(model);
}

static void RefusedLattices(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(1.0, 1.0, 1.0);
    const rslPlace place = { 11, 3 };
    rslBodyDef body = LatticeBody("cube", &box, 5.0);
    rslScene scene = SceneOf(&body, 1);
    Refused(&scene, place, "no cell of the lattice of body 'cube'");
    body.network.spacing = 1e-5;
    Refused(&scene, place, "would have 1e+15 cells");
    // a ball without the larger ball around it: no spacing would help
    rslShapeDef balls[2] = { rslDefaultShapeDef(), rslDefaultShapeDef() }, nothing = rslDefaultShapeDef();
    balls[0].type = balls[1].type = rsl_sphereShape;
    balls[0].radius = 0.5;
    balls[1].radius = 1.0;
    nothing.type = rsl_differenceShape;
    nothing.parts = balls;
    nothing.partCount = 2;
    rslBodyDef empty = LatticeBody("cube", &nothing, 0.2);
    scene = SceneOf(&empty, 1);
    Refused(&scene, place, "nothing may be left of the shape");
    scene = SceneOf(&body, 1);
    body.network.spacing = 0.25;
    scene.plane = rsl_planeXY;
    scene.gravity = (rslVec3){ 0.0, -9.81, 0.0 };
    Refused(&scene, place, "expected a sheet");
}

static void Warnings(void** state)
{
    (void)state;
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_sphereShape;
    shape.radius = 0.5;
    rslBodyDef body = LatticeBody("ball", &shape, 0.5);
    body.network.antialias = false;
    body.material.poisson = 0.4;
    body.material.place = (rslPlace){ 12, 5 };
    rslScene scene = SceneOf(&body, 1);
    rslReport report = { 0 };
    rslModel_Free(Built(&scene, &report));
    assert_true(HasMessage(&report, rsl_warning, (rslPlace){ 12, 5 }, "springs alone give 1/4"));
    assert_true(HasMessage(&report, rsl_warning, (rslPlace){ 12, 5 }, "'model: brick' meets both"));
    assert_true(HasMessage(&report, rsl_warning, (rslPlace){ 11, 3 }, "is coarse"));

    rslShapeDef parts[2] = { BoxShape(0.2, 0.2, 0.2), BoxShape(0.2, 0.2, 0.2) };
    parts[1].translate.x = 1.0;
    rslShapeDef both = rslDefaultShapeDef();
    both.type = rsl_unionShape;
    both.parts = parts;
    both.partCount = 2;
    body = LatticeBody("pair", &both, 0.1);
    report = (rslReport){ 0 };
    rslModel_Free(Built(&scene, &report));
    assert_true(HasMessage(&report, rsl_warning, (rslPlace){ 11, 3 }, "is in 2 parts"));
}

static void NamedMaterial(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(0.1, 0.1, 0.1);
    rslBodyDef body = LatticeBody("eraser", &box, 0.05);
    body.material = rslDefaultMaterialDef();
    body.material.name = "rubber";
    body.material.density = 900.0;
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    const rslNamedMaterial* rubber = rslMaterial_Find("rubber");
    assert_true(model->bodies[0].young == rubber->young && Near(model->bodies[0].mass, 0.9, 1e-12));
    assert_true(model->bodies[0].stiffnessDamping == rubber->stiffnessDamping);
    rslModel_Free(model);
}

// ---- surfaces -------------------------------------------------------------------------------------------------------

// Every vertex is where the shape has it, and follows any affine motion of the nodes.
static void CheckSurface(const rslModel* model, int index, double tolerance)
{
    const rslBody* body = &model->bodies[index];
    const rslSurface* surface = &body->surface;
    assert_true(surface->vertexCount > 0 && surface->triangleCount > 0);
    for (int v = 0; v < surface->vertexCount; ++v)
    {
        double sum = 0.0, image = 0.0;
        rslVec3 x = { 0.0, 0.0, 0.0 };
        for (int s = 8 * v; s < 8 * v + 8; ++s)
        {
            int node = surface->stencilNodes[s];
            double weight = surface->stencilWeights[s];
            assert_in_range(node, body->firstNode, body->firstNode + body->nodeCount - 1);
            rslVec3 world = WorldOf(model, node);
            sum += weight;
            x = rslMulAdd(x, weight, world);
            image += weight * (1.0 + 2.0 * world.x - 3.0 * world.y + 0.5 * world.z);
        }
        assert_true(Near(sum, 1.0, 1e-12));
        assert_true(Near(image, 1.0 + 2.0 * x.x - 3.0 * x.y + 0.5 * x.z, 1e-10));
        assert_true(Near(rslLength(x), 0.5, tolerance));
    }
}

static void EmbeddedSurface(void** state)
{
    (void)state;
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_sphereShape;
    shape.radius = 0.5;
    for (int corner = 0; corner < 2; ++corner)
    {
        rslBodyDef body = LatticeBody("ball", &shape, 0.11);
        body.network.construction = corner ? rsl_cornerLattice : rsl_centredLattice;
        body.network.orientation = (rslRotationDef){ { 1.0, 1.0, 0.0 }, 20.0 };
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        CheckSurface(model, 0, 1e-9);
        assert_true(model->bodies[0].surface.closed);
        rslModel_Free(model);
        body.surface.enabled = false;
        model = Built(&scene, NULL);
        assert_int_equal(model->bodies[0].surface.vertexCount, 0);
        rslModel_Free(model);
    }
}

static bool AddSquare(const rslSpring* spring, void* context)
{
    *(double*)context += spring->stiffness * spring->restLength * spring->restLength;
    return true;
}

// Constants from the whole body: K = 1/(9 V) sum k L^2, whatever springs the surface lacks; a corner lattice has it as it is.
static void IdentifiedWhole(void** state)
{
    (void)state;
    for (int trial = 0; trial < 8; ++trial)
    {
        rslShapeDef shape = BoxShape(1.0, 0.5, 0.25 + 0.01 * trial);
        rslBodyDef body = LatticeBody("block", &shape, 0.125);
        body.network.construction = trial % 2 == 0 ? rsl_centredLattice : rsl_cornerLattice;
        body.network.shells = trial < 4 ? rsl_shellsAB : rsl_shellsAC;
        body.network.antialias = trial % 4 < 2;
        body.network.identify = rsl_identifyWhole;
        rslScene scene = SceneOf(&body, 1);
        rslReport report = { 0 };
        rslModel* model = Built(&scene, &report);
        const rslBody* built = &model->bodies[0];
        double sum = 0.0;
        rslModel_VisitSprings(model, 0, AddSquare, &sum);
        assert_true(Near(sum / (9.0 * built->volume), 1e5 / 1.5, 1e-7));
        rslModel_Free(model);
    }
}

// ---- lists ----------------------------------------------------------------------------------------------------------

static rslBodyDef Chain(const double* nodes, const double* masses, const int* springs, const double* stiffness)
{
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "chain";
    body.network.type = rsl_explicitNetwork;
    body.network.place = (rslPlace){ 31, 3 };
    body.network.nodes = nodes;
    body.network.nodeCount = 3;
    body.network.masses = masses;
    body.network.massCount = 3;
    body.network.springs = springs;
    body.network.springCount = 2;
    body.network.stiffness = stiffness;
    body.network.stiffnessCount = 1;
    return body;
}

static void ExplicitNetwork(void** state)
{
    (void)state;
    const double nodes[] = { 0, 0, 0, 1, 0, 0, 3, 0, 0 }, masses[] = { 1, 2, 1 }, stiffness[] = { 50 };
    const int springs[] = { 2, 1, 1, 0 };
    rslBodyDef body = Chain(nodes, masses, springs, stiffness);
    const double damping[] = { 0.5, 0.25 }, lengths[] = { 1.5 };
    body.network.damping = damping;
    body.network.dampingCount = 2;
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    const rslSpring* s = model->bodies[0].network.springs;
    assert_int_equal(model->springCount, 2);
    assert_true(s[0].a == 0 && s[0].b == 1 && s[0].restLength == 1.0 && s[0].damping == 0.25);
    assert_true(s[1].a == 1 && s[1].b == 2 && s[1].restLength == 2.0 && s[1].damping == 0.5 && s[1].stiffness == 50.0);
    assert_true(Near(model->bodies[0].frame.origin.x, 1.25, 1e-15) && Near(WorldOf(model, 2).x, 3.0, 1e-15));
    rslModel_Free(model);
    body.network.restLengths = lengths;
    body.network.restLengthCount = 1;
    model = Built(&scene, NULL);
    assert_true(model->bodies[0].network.springs[0].restLength == 1.5);
    rslModel_Free(model);
    const double twice[] = { 0, 0, 0, 1, 0, 0, 1, 0, 0 };
    body.network.nodes = twice;
    Refused(&scene, (rslPlace){ 31, 3 }, "the same place");
}

// ---- memory and size ------------------------------------------------------------------------------------------------

// Two bodies, a surface, every kind of term.
typedef struct Everything
{
    rslShapeDef shape;
    rslBodyDef bodies[2];
    rslLoadDef loads[2];
    rslConstraintDef constraint;
    rslLinkDef link;
    rslDriveDef drive;
    rslScene scene;
} Everything;

static void MakeEverything(Everything* e)
{
    static const double table[] = { 0.0, 0.0, 1.0, 1.0 }, path[] = { 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0 };
    e->shape = BoxShape(0.4, 0.2, 0.2);
    e->bodies[0] = LatticeBody("block", &e->shape, 0.1);
    e->bodies[1] = GridBody("cloth", 0.4, 0.2, 4, 2);
    e->bodies[1].network.translate = (rslVec3){ 0.01, 0.0, 0.11 };
    e->loads[0] = rslDefaultLoadDef();
    e->loads[0].nodes.body = "block";
    e->loads[0].force.x = 1.0;
    e->loads[0].course = (rslCourseDef){ .type = rsl_tableCourse, .points = table, .pointCount = 2 };
    e->loads[1] = rslDefaultLoadDef();
    e->loads[1].type = rsl_pressureLoad;
    e->loads[1].body = "block";
    e->loads[1].pressure = 10.0;
    e->constraint = rslDefaultConstraintDef();
    e->constraint.type = rsl_motionConstraint;
    e->constraint.nodes.type = rsl_boxNodes;
    e->constraint.nodes.body = "block";
    e->constraint.nodes.min = (rslVec3){ -1.0, -1.0, -1.0 };
    e->constraint.nodes.max = (rslVec3){ -0.2, 1.0, 1.0 };
    e->constraint.move.path = path;
    e->constraint.move.pathCount = 2;
    e->link = rslDefaultLinkDef();
    e->link.type = rsl_tieLink;
    e->link.from.body = "cloth";
    e->link.to.body = "block";
    e->drive = rslDefaultDriveDef();
    e->drive.nodes.body = "block";
    e->drive.strain = 0.1;
    e->scene = SceneOf(e->bodies, 2);
    e->scene.loads = e->loads;
    e->scene.loadCount = 2;
    e->scene.constraints = &e->constraint;
    e->scene.constraintCount = 1;
    e->scene.links = &e->link;
    e->scene.linkCount = 1;
    e->scene.drives = &e->drive;
    e->scene.driveCount = 1;
    e->scene.ground.enabled = true;
    e->scene.ground.point.z = -0.1;
}

static void OutOfMemory(void** state)
{
    (void)state;
    Everything e;
    MakeEverything(&e);
    for (int failAt = 1;; ++failAt)
    {
        Heap heap = { .failAt = failAt };
        rslHooks hooks = HeapHooks(&heap);
        rslModel* model = NULL;
        rslReport report = { 0 };
        rslStatus status = rslModel_Build(&e.scene, &hooks, &model, &report);
        if (heap.calls < failAt)
        {
            PrintReport(&report);
            assert_int_equal(status, rsl_ok);
            // nothing but the model is left, and it knows its size
            assert_true(heap.liveBytes == model->bytes);
            rslModel_Free(model);
            assert_int_equal(heap.live, 0);
            assert_true(failAt > 30);
            break;
        }
        assert_int_equal(status, rsl_outOfMemory);
        assert_null(model);
        assert_int_equal(heap.live, 0);
    }
}

// The same bits from every compiler: lattices in both constructions, turned; a sheet; ties; chosen nodes.
static void GoldenFingerprint(void** state)
{
    (void)state;
    Everything e;
    MakeEverything(&e);
    rslShapeDef ball = rslDefaultShapeDef();
    ball.type = rsl_sphereShape;
    ball.radius = 0.15;
    ball.translate = (rslVec3){ 0.7, 0.1, 0.3 };
    rslBodyDef bodies[4] = { e.bodies[0], e.bodies[1], LatticeBody("ball", &ball, 0.031),
                             LatticeBody("bead", &ball, 0.043) };
    bodies[2].network.orientation = (rslRotationDef){ { 1.0, -2.0, 0.5 }, 37.0 };
    bodies[2].spin = (rslVec3){ 10.0, 20.0, 30.0 };
    bodies[3].network.construction = rsl_centredLattice;
    bodies[3].network.antialias = false;
    for (int b = 0; b < 4; ++b)
    {
        bodies[b].repulsion.type = rsl_noRepulsion;  // as before there was any
    }
    e.scene.bodies = bodies;
    e.scene.bodyCount = 4;
    e.scene.loadCount = 1;  // without the pressure: the surface is not part of this
    rslModel* model = Built(&e.scene, NULL);
    print_message("fingerprint %016llx\n", (unsigned long long)model->fingerprint);
    assert_true(model->fingerprint == 0xd9cd2b02179121ddull);
    rslModel_Free(model);
}

static void MillionNodes(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(1.0, 1.0, 1.0);
    for (int construction = 0; construction < 2; ++construction)
    {
        int across = Sanitized() ? 30 : 100;
        rslBodyDef body = LatticeBody("big", &shape, 1.0 / (construction == rsl_cornerLattice ? across - 1 : across));
        body.network.construction = (rslConstruction)construction;
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        assert_int_equal(model->nodeCount, across * across * across);
        print_message("%s: %d nodes, %lld springs in %.2f s, %.1f bytes a node\n", construction ? "centred" : "corner",
                      model->nodeCount, (long long)model->springCount, model->buildSeconds,
                      (double)model->bytes / model->nodeCount);
        rslModel_Free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BoxInBothConstructions),
        cmocka_unit_test(TurnedBox),
        cmocka_unit_test(Sphere),
        cmocka_unit_test(FilledCells),
        cmocka_unit_test(RefusedLattices),
        cmocka_unit_test(Warnings),
        cmocka_unit_test(NamedMaterial),
        cmocka_unit_test(EmbeddedSurface),
        cmocka_unit_test(IdentifiedWhole),
        cmocka_unit_test(ExplicitNetwork),
        cmocka_unit_test(OutOfMemory),
        cmocka_unit_test(GoldenFingerprint),
        cmocka_unit_test(MillionNodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
