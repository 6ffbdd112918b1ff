// SPDX-License-Identifier: MIT
//
// test_antialias_mass.c: anti-aliased lattices: the mass of shapes, whole ones, combined ones and meshes.

#include "antialias_fixture.h"

#include "antialias.h"
#include "cell_fill.h"
#include "cell_moments.h"

// ---- shapes ---------------------------------------------------------------------------------------------------------

static void TurnedBoxes(void** state)
{
    (void)state;
    uint64_t seed = 11;
    const double sizes[4][3] = { { 1.0, 0.7, 0.4 }, { 1.0, 1.0, 1.0 }, { 1.3, 0.11, 0.5 }, { 2.0, 0.07, 0.3 } };
    for (int trial = 0; trial < 40; ++trial)
    {
        const double* size = sizes[trial % 4];
        rslShapeDef shape = BoxShape(size[0], size[1], size[2]);
        shape.rotate = RandomTurn(&seed);
        shape.translate = (rslVec3){ RandomNumber(&seed), RandomNumber(&seed), RandomNumber(&seed) };
        rslBodyDef body = Body(&shape, 0.1);
        body.network.orientation = RandomTurn(&seed);
        body.network.construction = trial & 1 ? rsl_centredLattice : rsl_cornerLattice;
        rslModel* model = Build(&body);
        assert_true(model->bodies[0].lattice.volumeBound == 0.0);
        CheckVolume(model, size[0] * size[1] * size[2], 1e-12);
        rslModel_Free(model);
    }
}

// Cells and their moments put together are the shape again: its centre, and the integral of |x|^2 about it.
static void CheckWhole(const rslModel* model, rslVec3 centre, double secondMoment, double tolerance)
{
    const rslBody* body = &model->bodies[0];
    const rslLattice* lattice = &body->lattice;
    double a = lattice->spacing, volume = 0.0, second = 0.0;
    double shift = lattice->construction == rsl_cornerLattice ? 0.5 : 0.0;
    rslVec3 first = { 0.0, 0.0, 0.0 };
    rslMat3 turn = rslQuatMatrix(body->frame.rotation);
    rslVec3 middle = rslMatTVec(&turn, rslSub(centre, body->frame.origin));
    int b = 0;
    for (int64_t c = 0; c < CellsOf(lattice); ++c)
    {
        rslBorderCell whole = { .fraction = 1.0, .variance = { 1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0 } };
        bool border = b < lattice->borderCount && lattice->border[b].cell == c;
        if (!border && lattice->weight[c] == 0.0)
        {
            continue;
        }
        rslBorderCell cell = border ? lattice->border[b++] : whole;
        double i = (double)(c % lattice->cells[0]), j = (double)(c / lattice->cells[0] % lattice->cells[1]);
        double k = (double)(c / lattice->cells[0] / lattice->cells[1]);
        rslVec3 s = { i + shift + cell.centroid[0], j + shift + cell.centroid[1], k + shift + cell.centroid[2] };
        rslVec3 X = rslSub(rslMulAdd(lattice->origin, a, s), middle);
        double v = cell.fraction * a * a * a;
        volume += v;
        first = rslMulAdd(first, v, X);
        second += v * (rslDot(X, X) + a * a * (cell.variance[0] + cell.variance[1] + cell.variance[2]));
    }
    assert_int_equal(b, lattice->borderCount);
    assert_true(rslLength(first) / volume <= tolerance * a);
    assert_true(Near(second / secondMoment, 1.0, tolerance));
}

static void WholeShapes(void** state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 6; ++trial)
    {
        bool box = trial < 4;
        rslShapeDef shape = box ? BoxShape(1.0, 0.7, 0.4) : BallShape(0.5);
        shape.rotate = RandomTurn(&seed);
        shape.translate = (rslVec3){ 0.3, -0.2, 0.1 };
        rslBodyDef body = Body(&shape, 0.09);
        body.network.orientation = RandomTurn(&seed);
        body.network.construction = trial & 1 ? rsl_centredLattice : rsl_cornerLattice;
        rslModel* model = Build(&body);
        // V (a^2 + b^2 + c^2) / 12 and V 3 R^2 / 5
        double second = box ? 0.28 * (1.0 + 0.49 + 0.16) / 12.0 : pi / 6.0 * 0.6 * 0.25;
        CheckWhole(model, shape.translate, second, box ? 1e-12 : 1e-5);
        rslModel_Free(model);
    }
}

static void BallAndTorus(void** state)
{
    (void)state;
    uint64_t seed = 23;
    for (int trial = 0; trial < 12; ++trial)
    {
        double spacing = trial < 4 ? 0.25 : trial < 8 ? 0.1 : 0.04;
        rslShapeDef ball = BallShape(0.5), torus = Torus(0.5, 0.17);
        torus.rotate = RandomTurn(&seed);
        rslBodyDef bodies[2] = { Body(&ball, spacing), Body(&torus, spacing) };
        double volumes[2] = { pi / 6.0, 2.0 * pi * pi * 0.5 * 0.17 * 0.17 };
        for (int i = 0; i < 2; ++i)
        {
            bodies[i].network.orientation = RandomTurn(&seed);
            bodies[i].network.construction = trial & 1 ? rsl_centredLattice : rsl_cornerLattice;
            rslModel* model = Build(&bodies[i]);
            CheckVolume(model, volumes[i], 1e-4);
            assert_true(model->bodies[0].lattice.volumeBound < 0.05 * volumes[i]);
            rslModel_Free(model);
        }
    }
}

// Against its own fine surface; on any lattice.
static void Rabbit(void** state)
{
    (void)state;
    skip_when_sanitized();
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_rabbitShape;
    shape.height = 0.2;
    rslShape* asked = NULL;
    rslMesh mesh = { 0 };
    assert_int_equal(rslShape_Create(&shape, NULL, &asked, NULL), rsl_ok);
    assert_int_equal(rslShape_Surface(asked, 0.0008, NULL, &mesh, NULL), rsl_ok);
    double volume = rslMesh_Volume(mesh.vertices, mesh.triangles, mesh.triangleCount);
    rslMesh_Free(&mesh);
    rslShape_Free(asked);
    uint64_t seed = 7;
    for (int trial = 0; trial < 4; ++trial)
    {
        rslBodyDef body = Body(&shape, trial < 2 ? 0.008 : 0.02);
        body.network.orientation = RandomTurn(&seed);
        rslModel* model = Build(&body);
        double error = model->bodies[0].mass / (1000.0 * volume) - 1.0;
        print_message("rabbit, spacing %g: mass %+.2e\n", body.network.spacing, error);
        assert_true(fabs(error) < 1e-3);
        rslModel_Free(model);
    }
}

static void Combinations(void** state)
{
    (void)state;
    rslShapeDef parts[3] = { BoxShape(1.0, 0.8, 0.6), BallShape(0.2), BoxShape(0.6, 0.8, 0.6) };
    parts[2].translate.x = 0.8;
    rslShapeDef hollow = Combined(rsl_differenceShape, parts, 2), pair[2] = { parts[0], parts[2] };
    rslShapeDef joined = Combined(rsl_unionShape, pair, 2);
    rslShapeDef notch[2] = { BoxShape(1.0, 1.0, 1.0), BoxShape(0.5, 0.5, 2.0) };
    notch[1].rotate = (rslRotationDef){ { 0.0, 0.0, 1.0 }, 30.0 };
    notch[1].scale = 0.5;
    rslShapeDef bored = Combined(rsl_differenceShape, notch, 2), core = Combined(rsl_intersectionShape, notch, 2);
    const rslShapeDef* shapes[4] = { &hollow, &joined, &bored, &core };
    const double volumes[4] = { 0.48 - 4.0 / 3.0 * pi * 0.008, 0.48 + 0.288, 1.0 - 0.0625, 0.0625 };
    const double tolerance[4] = { 1e-5, 1e-12, 1e-12, 1e-12 };
    uint64_t seed = 31;
    for (int i = 0; i < 4; ++i)
    {
        rslShapeDef moved = *shapes[i];
        moved.rotate = RandomTurn(&seed);
        moved.translate = (rslVec3){ 1.0, 2.0, 3.0 };
        rslBodyDef body = Body(&moved, 0.07);
        rslModel* model = Build(&body);
        CheckVolume(model, volumes[i], tolerance[i]);
        rslModel_Free(model);
    }
}

// A closed mesh of planes.
static void Mesh(void** state)
{
    (void)state;
    const double vertices[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    const int triangles[12] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };
    rslShapeDef shape = MeshShape(vertices, 4, triangles, 4);
    rslBodyDef body = Body(&shape, 0.08);
    body.network.orientation = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 20.0 };
    rslModel* model = Build(&body);
    CheckVolume(model, 1.0 / 6.0, 1e-12);
    rslModel_Free(model);
}

// The mesh of a box: 12 triangles.
static rslShapeDef BoxMesh(double x, double y, double z, double vertices[24])
{
    static const int triangles[36] = { 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5 };
    for (int n = 0; n < 8; ++n)
    {
        vertices[3 * n] = n & 1 ? 0.5 * x : -0.5 * x;
        vertices[3 * n + 1] = n & 2 ? 0.5 * y : -0.5 * y;
        vertices[3 * n + 2] = n & 4 ? 0.5 * z : -0.5 * z;
    }
    return MeshShape(vertices, 8, triangles, 12);
}

// A box and its mesh fill every cell alike; aligned ones have no border.
static void MeshOfBox(void** state)
{
    (void)state;
    double vertices[24];
    rslShapeDef box = BoxShape(0.4, 0.3, 0.2), mesh = BoxMesh(0.4, 0.3, 0.2, vertices);
    for (int trial = 0; trial < 2; ++trial)
    {
        rslBodyDef bodies[2] = { Body(&box, 0.05), Body(&mesh, 0.05) };
        bodies[0].network.orientation = bodies[1].network.orientation =
            (rslRotationDef){ { 1.0, 2.0, 3.0 }, 20.0 * trial };
        rslModel *a = Build(&bodies[0]), *b = Build(&bodies[1]);
        const rslLattice *l = &a->bodies[0].lattice, *m = &b->bodies[0].lattice;
        assert_int_equal(l->borderCount, m->borderCount);
        assert_true((l->borderCount == 0) == (trial == 0));
        assert_true(trial > 0 || a->fingerprint == b->fingerprint);
        CheckVolume(b, 0.024, 1e-12);
        for (int c = 0; c < l->borderCount; ++c)
        {
            assert_true(l->border[c].cell == m->border[c].cell);
            const double *p = &l->border[c].fraction, *q = &m->border[c].fraction;
            for (int i = 0; i < 11; ++i)
            {
                assert_true(Near(p[i], q[i], 1e-9) && Near(p[0] * p[i], q[0] * q[i], 1e-14));
            }
        }
        rslModel_Free(b);
        rslModel_Free(a);
    }
}

// Cells whose centre lies in a face, in an edge, at a corner of the mesh.
static void MeshThroughCentres(void** state)
{
    (void)state;
    double vertices[24];
    rslShapeDef def = BoxMesh(4.0, 4.0, 4.0, vertices);
    rslMat3 turn = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    rslShape* shape = NULL;
    assert_int_equal(rslShape_Create(&def, NULL, &shape, NULL), rsl_ok);
    const rslVec3 centres[4] = { { 0.0, 0.0, 0.0 }, { 2.0, 0.0, 0.0 }, { 2.0, -2.0, 0.0 }, { 2.0, 2.0, -2.0 } };
    for (int i = 0; i < 4; ++i)
    {
        double volume = 1.0 / (1 << i);
        assert_true(Near(rslCell_Fill(shape, centres[i], &turn, 1.0).moments.volume, volume, 1e-14));
    }
    rslShape_Free(shape);
}

// The mesh of a ball against the volume of the mesh, as it is and with a hole bored through it.
static void MeshOfBall(void** state)
{
    (void)state;
    rslShapeDef ball = BallShape(0.5);
    rslShape* asked = NULL;
    rslMesh mesh = { 0 };
    assert_int_equal(rslShape_Create(&ball, NULL, &asked, NULL), rsl_ok);
    assert_int_equal(rslShape_Surface(asked, 0.06, NULL, &mesh, NULL), rsl_ok);
    double volume = rslMesh_Volume(mesh.vertices, mesh.triangles, mesh.triangleCount);
    rslShapeDef parts[2] = { MeshShape(mesh.vertices, mesh.vertexCount, mesh.triangles, mesh.triangleCount),
                             BoxShape(0.2, 0.2, 0.3) };
    parts[0].scale = 2.0;
    rslBodyDef body = Body(&parts[0], 0.15);
    body.network.orientation = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 20.0 };
    rslModel* model = Build(&body);
    CheckVolume(model, 8.0 * volume, 1e-12);
    rslModel_Free(model);
    rslShapeDef hollow = Combined(rsl_differenceShape, parts, 2);
    body.shape = &hollow;
    model = Build(&body);
    CheckVolume(model, 8.0 * volume - 0.012, 1e-12);
    rslModel_Free(model);
    rslMesh_Free(&mesh);
    rslShape_Free(asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TurnedBoxes), cmocka_unit_test(WholeShapes),        cmocka_unit_test(BallAndTorus),
        cmocka_unit_test(Rabbit),      cmocka_unit_test(Combinations),       cmocka_unit_test(Mesh),
        cmocka_unit_test(MeshOfBox),   cmocka_unit_test(MeshThroughCentres), cmocka_unit_test(MeshOfBall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
