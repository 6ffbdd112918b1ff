// SPDX-License-Identifier: MIT
//
// test_rigid_inertia.c: mass and inertia of bodies that move as one.

#include "physics_fixture.h"

#include "inertia.h"
#include "top.h"

// J of a rigid body at rest, world axes.
static rslSymmetric TensorOf(const rslModel* model, int rigid)
{
    const rslRigid* r = &model->rigids[rigid];
    rslFrame frame = model->bodies[r->body].frame;
    rslVec3 x = rslTop_Times(r, &frame, (rslVec3){ 1.0, 0.0, 0.0 });
    rslVec3 y = rslTop_Times(r, &frame, (rslVec3){ 0.0, 1.0, 0.0 });
    rslVec3 z = rslTop_Times(r, &frame, (rslVec3){ 0.0, 0.0, 1.0 });
    return (rslSymmetric){ x.x, y.y, z.z, y.z, z.x, x.y };
}

static double Apart(rslSymmetric a, rslSymmetric b)
{
    const double *p = &a.xx, *q = &b.xx;
    double worst = 0.0, size = fabs(a.xx) + fabs(a.yy) + fabs(a.zz);
    for (int i = 0; i < 6; ++i)
    {
        worst = Worse(worst, fabs(p[i] - q[i]) / size);
    }
    return worst;
}

// ---- mass and inertia -----------------------------------------------------------------------------------------------

typedef struct Solid
{
    rslShapeDef shape;
    double volume;
    double second[3];  // mean squares along its own axes
} Solid;

// Closed forms by hand, independent of inertia.c.
static int Solids(Solid* out)
{
    int n = 0;
    out[n++] = (Solid){ BoxShape(0.3, 0.2, 0.1), 0.006, { 0.09 / 12.0, 0.04 / 12.0, 0.01 / 12.0 } };
    out[n++] = (Solid){ BallShape(0.1), 4.0 / 3.0 * PI * 1e-3, { 0.002, 0.002, 0.002 } };
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_ellipsoidShape;
    shape.radii = (rslVec3){ 0.1, 0.15, 0.2 };
    out[n++] = (Solid){ shape, 4.0 / 3.0 * PI * 0.003, { 0.01 / 5.0, 0.0225 / 5.0, 0.04 / 5.0 } };
    shape = rslDefaultShapeDef();
    shape.type = rsl_cylinderShape;
    shape.radius = 0.1;
    shape.height = 0.4;
    out[n++] = (Solid){ shape, PI * 0.01 * 0.4, { 0.0025, 0.0025, 0.16 / 12.0 } };
    // a capsule: M_c, M_h each half; J about z and x from tables: z = M_c R^2/2 + 2 M_h 2/5 R^2
    shape.type = rsl_capsuleShape;
    double R = 0.1, H = 0.4, c = PI * R * R * H, h = 2.0 / 3.0 * PI * R * R * R;
    double zz = (c * R * R / 2.0 + 2.0 * h * 0.4 * R * R) / (c + 2.0 * h);
    double xx =
        (c * (H * H / 12.0 + R * R / 4.0) + 2.0 * h * (0.4 * R * R + H * H / 4.0 + 3.0 / 8.0 * H * R)) / (c + 2.0 * h);
    out[n++] = (Solid){ shape, c + 2.0 * h, { 0.5 * zz, 0.5 * zz, xx - 0.5 * zz } };
    shape = rslDefaultShapeDef();
    shape.type = rsl_torusShape;
    shape.radius = 0.2;
    shape.tubeRadius = 0.06;
    double q = 0.0036;
    out[n++] = (Solid){ shape, 2.0 * PI * PI * 0.2 * q, { 0.02 + 0.375 * q, 0.02 + 0.375 * q, q / 4.0 } };
    return n;
}

// J = V rho (|r|^2 - r r^T), turned.
static rslSymmetric Expected(const Solid* solid, double scale)
{
    double m = 1000.0 * solid->volume * scale * scale * scale, a = m * scale * scale;
    const double* s = solid->second;
    rslSymmetric own = { a * (s[1] + s[2]), a * (s[0] + s[2]), a * (s[0] + s[1]), 0.0, 0.0, 0.0 };
    rslMat3 turn = rslQuatMatrix(rslQuatFromDegrees(solid->shape.rotate.axis, solid->shape.rotate.angle));
    return rslSymmetric_Turn(&turn, own);
}

static void CheckSolid(Solid* solid, rslNetworkType type, double* worst)
{
    solid->shape.rotate = (rslRotationDef){ { 1.0, 2.0, -0.5 }, 37.0 };
    solid->shape.translate = (rslVec3){ 3.0, -2.0, 1.0 };
    solid->shape.scale = 0.7;
    rslBodyDef body = RigidBody("bone", &solid->shape, 0.035);
    body.network.type = type;
    body.network.minLength = 0.02;
    body.network.maxLength = 0.04;
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    const rslRigid* rigid = &model->rigids[0];
    double mass = 1000.0 * 0.343 * solid->volume;
    rslVec3 centre = rslSub(rslTop_Centre(rigid, &model->bodies[0].frame), solid->shape.translate);
    *worst = Worse(*worst, fabs(rigid->mass / mass - 1.0));
    *worst = Worse(*worst, rslLength(centre));
    *worst = Worse(*worst, Apart(Expected(solid, 0.7), TensorOf(model, 0)));
    rslModel_Free(model);
}

static void TestSolids(void** state)
{
    (void)state;
    Solid solids[8];
    int count = Solids(solids);
    double worst = 0.0;
    for (int i = 0; i < count; ++i)
    {
        CheckSolid(&solids[i], rsl_latticeNetwork, &worst);
        CheckSolid(&solids[i], rsl_randomNetwork, &worst);
        CheckSolid(&solids[i], rsl_tetrahedraNetwork, &worst);
    }
    assert_proved("rigid bodies: mass, centre and inertia of primitives on three networks", worst, 1e-12);
}

// A mesh of a box, boxes cut from each other, and a region of another density: all with closed forms.
static void TestCombined(void** state)
{
    (void)state;
    static const double corners[8][3] = { { 0, 0, 0 }, { 3, 0, 0 }, { 0, 2, 0 }, { 3, 2, 0 },
                                          { 0, 0, 1 }, { 3, 0, 1 }, { 0, 2, 1 }, { 3, 2, 1 } };
    static const int triangles[36] = { 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5 };
    rslShapeDef mesh = MeshShape(corners[0], 8, triangles, 12);
    mesh.scale = 0.1;
    rslShapeDef parts[2] = { BoxShape(0.3, 0.2, 0.1), BoxShape(0.1, 0.2, 0.1) };
    parts[1].translate.x = 0.1;
    rslShapeDef cut = rslDefaultShapeDef();
    cut.type = rsl_differenceShape;
    cut.parts = parts;
    cut.partCount = 2;  // what is left is a box of 0.2 x 0.2 x 0.1
    rslRegionDef region = { .shape = &parts[1], .material = rslDefaultMaterialDef() };
    region.material.density = 3000.0;
    rslBodyDef bodies[3] = { RigidBody("mesh", &mesh, 0.05), RigidBody("cut", &cut, 0.05),
                             RigidBody("two", parts, 0.05) };
    bodies[2].regions = &region;
    bodies[2].regionCount = 1;
    rslScene scene = SceneOf(bodies, 3);
    rslModel* model = Built(&scene, NULL);
    const double box[3] = { 6.0 * 0.05 / 12.0, 6.0 * 0.10 / 12.0, 6.0 * 0.13 / 12.0 };
    assert_close(Apart((rslSymmetric){ box[0], box[1], box[2], 0, 0, 0 }, TensorOf(model, 0)), 0.0, 1e-12);
    assert_close(model->rigids[1].mass, 4.0, 1e-10);
    assert_close(rslTop_Centre(&model->rigids[1], &model->bodies[1].frame).x, -0.05, 1e-10);
    rslSymmetric left = { 4.0 * 0.05 / 12.0, 4.0 * 0.05 / 12.0, 4.0 * 0.08 / 12.0, 0, 0, 0 };
    assert_close(Apart(left, TensorOf(model, 1)), 0.0, 1e-9);
    // 4 kg about -0.05 and 6 kg about 0.1: the centre at 0.04
    assert_close(model->rigids[2].mass, 10.0, 1e-9);
    assert_close(rslTop_Centre(&model->rigids[2], &model->bodies[2].frame).x, 0.04, 1e-10);
    double spread = 4.0 * 0.0081 + 6.0 * 0.0036;
    rslSymmetric two = { 10.0 * 0.05 / 12.0,
                         4.0 * 0.05 / 12.0 + 6.0 * 0.02 / 12.0 + spread,
                         4.0 * 0.08 / 12.0 + 6.0 * 0.05 / 12.0 + spread,
                         0,
                         0,
                         0 };
    assert_close(Apart(two, TensorOf(model, 2)), 0.0, 1e-9);
    rslModel_Free(model);
}

// Sheets, hexahedra and masses as listed.
static void TestOther(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.1);
    static const double nodes[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    static const double masses[4] = { 1, 2, 3, 4 };
    static const int springs[2] = { 0, 1 };
    static const double stiffness = 5.0;
    rslBodyDef bodies[3] = { GridBody("sheet", 0.3, 0.2, 3, 2), RigidBody("hexes", &shape, 0.1), rslDefaultBodyDef() };
    bodies[0].model.type = rsl_rigidModel;
    bodies[1].network.type = rsl_hexahedraNetwork;
    bodies[1].network.grid[0] = 3;
    bodies[1].network.grid[1] = bodies[1].network.grid[2] = 1;
    bodies[2].name = "listed";
    bodies[2].model.type = rsl_rigidModel;
    bodies[2].network.type = rsl_explicitNetwork;
    bodies[2].network.nodes = nodes;
    bodies[2].network.nodeCount = 4;
    bodies[2].network.masses = masses;
    bodies[2].network.massCount = 4;
    bodies[2].network.springs = springs;
    bodies[2].network.springCount = 1;
    bodies[2].network.stiffness = &stiffness;
    bodies[2].network.stiffnessCount = 1;
    rslScene scene = SceneOf(bodies, 3);
    rslModel* model = Built(&scene, NULL);
    double m = 0.6;
    rslSymmetric sheet = { m * 0.04 / 12.0, m * 0.09 / 12.0, m * 0.13 / 12.0, 0, 0, 0 };
    assert_close(Apart(sheet, TensorOf(model, 0)), 0.0, 1e-12);
    rslSymmetric box = { 6.0 * 0.05 / 12.0, 6.0 * 0.10 / 12.0, 6.0 * 0.13 / 12.0, 0, 0, 0 };
    assert_close(Apart(box, TensorOf(model, 1)), 0.0, 1e-12);
    // sum m x^2 - M X^2 of 2 kg at x, 3 at y, 4 at z: 2 - 0.4, 3 - 0.9, 4 - 1.6
    rslSymmetric listed = { 2.1 + 2.4, 1.6 + 2.4, 1.6 + 2.1, 1.2, 0.8, 0.6 };
    assert_close(Apart(listed, TensorOf(model, 2)), 0.0, 1e-12);
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSolids),
        cmocka_unit_test(TestCombined),
        cmocka_unit_test(TestOther),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
