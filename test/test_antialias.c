// SPDX-License-Identifier: MIT
//
// test_antialias.c: anti-aliased lattices: the mass of shapes, dropped cells, weights.

#include "build_fixture.h"

#include "antialias.h"
#include "cell_fill.h"
#include "cell_moments.h"
#include "hash.h"

static const double pi = 3.14159265358979323846;

// ---- fixtures -------------------------------------------------------------------------------------------------------

static rslRotationDef RandomTurn(uint64_t* seed)
{
    rslVec3 axis = { RandomNumber(seed), RandomNumber(seed), RandomNumber(seed) + 1.5 };
    return (rslRotationDef){ axis, 180.0 * RandomNumber(seed) };
}

static rslShapeDef Torus(double ring, double tube)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_torusShape;
    shape.radius = ring;
    shape.tubeRadius = tube;
    return shape;
}

static rslShapeDef Combined(rslShapeType type, const rslShapeDef* parts, int count)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = type;
    shape.parts = parts;
    shape.partCount = count;
    return shape;
}

// A body without a surface, which does not matter here.
static rslBodyDef Body(const rslShapeDef* shape, double spacing)
{
    rslBodyDef body = LatticeBody("body", shape, spacing);
    body.surface.enabled = false;
    return body;
}

static rslModel* Build(const rslBodyDef* body)
{
    rslScene scene = SceneOf(body, 1);
    return Built(&scene, NULL);
}

static int64_t CellsOf(const rslLattice* lattice)
{
    return (int64_t)lattice->cells[0] * lattice->cells[1] * lattice->cells[2];
}

static double WeightOf(const rslLattice* lattice)
{
    double sum = 0.0;
    for (int64_t c = 0; c < CellsOf(lattice); ++c)
    {
        sum += lattice->weight[c];
    }
    return sum;
}

// Mass, weights and the volume of the body all say rho V, within a relative error and the body's own bound.
static void CheckVolume(const rslModel* model, double volume, double tolerance)
{
    const rslBody* body = &model->bodies[0];
    const rslLattice* lattice = &body->lattice;
    double a = lattice->spacing, error = body->volume / volume - 1.0;
    if (!(fabs(error) <= tolerance) || !(fabs(body->volume - volume) <= lattice->volumeBound + 1e-12 * volume))
    {
        print_error("volume off by %g, bound %g, tolerance %g\n", error, lattice->volumeBound / volume, tolerance);
        fail();
    }
    assert_true(Near(WeightOf(lattice) * a * a * a, body->volume, 1e-12 * volume));
    assert_true(Near(TotalMass(model, 0), body->density * body->volume, 1e-12 * body->density * volume));
    assert_true(Near(body->mass, body->density * body->volume, 1e-12 * body->density * volume));
}

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
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_meshShape;
    shape.vertices = vertices;
    shape.vertexCount = 4;
    shape.triangles = triangles;
    shape.triangleCount = 4;
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
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_meshShape;
    shape.vertices = vertices;
    shape.vertexCount = 8;
    shape.triangles = triangles;
    shape.triangleCount = 12;
    return shape;
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
    rslShapeDef parts[2] = { rslDefaultShapeDef(), BoxShape(0.2, 0.2, 0.3) };
    parts[0].type = rsl_meshShape;
    parts[0].vertices = mesh.vertices;
    parts[0].vertexCount = mesh.vertexCount;
    parts[0].triangles = mesh.triangles;
    parts[0].triangleCount = mesh.triangleCount;
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

// ---- weights --------------------------------------------------------------------------------------------------------

// Where cells fit there is nothing to smooth: the same model with and without.
static void AlignedBox(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.2);
    shape.translate = (rslVec3){ 100.0, 0.3, -7.0 };
    shape.rotate = (rslRotationDef){ { 1.0, 2.0, -0.5 }, 33.0 };
    rslBodyDef body = Body(&shape, 0.05);
    body.network.orientation = shape.rotate;
    rslModel* smooth = Build(&body);
    body.network.antialias = false;
    rslModel* plain = Build(&body);
    assert_int_equal(smooth->bodies[0].lattice.borderCount, 0);
    assert_true(smooth->fingerprint == plain->fingerprint);
    assert_null(plain->bodies[0].lattice.border);
    rslModel_Free(plain);
    rslModel_Free(smooth);
}

typedef struct SpringSum
{
    int count;
    double least, most, sum;
} SpringSum;

static bool AddSpring(const rslSpring* spring, void* context)
{
    SpringSum* springs = context;
    springs->least = springs->count == 0 || spring->stiffness < springs->least ? spring->stiffness : springs->least;
    springs->most = springs->count == 0 || spring->stiffness > springs->most ? spring->stiffness : springs->most;
    springs->sum += spring->stiffness;
    ++springs->count;
    return true;
}

// Kot, figure 5.1: a cube of 1.3 on a lattice of 1 has eight nodes of weight 0.65^3.
static void CubeOfEight(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(1.3, 1.3, 1.3);
    rslBodyDef body = Body(&shape, 1.0);
    body.network.construction = rsl_centredLattice;
    rslModel* model = Build(&body);
    const rslLattice* lattice = &model->bodies[0].lattice;
    double x = 0.65 * 0.65 * 0.65, k = 1e5 / 2.5;
    assert_int_equal(model->nodeCount, 8);
    assert_int_equal(lattice->borderCount, 8);
    SpringSum springs = { 0 };
    rslModel_VisitSprings(model, 0, AddSpring, &springs);
    assert_int_equal(springs.count, 24);
    assert_true(Near(springs.least, k * x, 1e-9) && Near(springs.most, k * x, 1e-9));
    for (int n = 0; n < 8; ++n)
    {
        assert_true(Near(model->mass[n], 1000.0 * x, 1e-9));
    }
    // the cell with the lowest corner is filled from 0.35 to 1 along each axis: c = 0.175, D = 0.65^2 / 12
    const rslBorderCell* cell = &lattice->border[0];
    assert_true(cell->cell == 0 && Near(cell->fraction, x, 1e-15));
    for (int i = 0; i < 3; ++i)
    {
        assert_true(Near(cell->centroid[i], 0.175, 1e-15) && Near(cell->variance[i], 0.65 * 0.65 / 12.0, 1e-15) &&
                    Near(cell->product[i], 0.175 * 0.175, 1e-15));
    }
    assert_true(Near(cell->triple, 0.175 * 0.175 * 0.175, 1e-15));
    rslModel_Free(model);
}

// A bar of 3.5 x 1 x 1 cells: four cells, the outer ones filled to 3/4. In the centred lattice an end spring has the
// mean of its cells, in the corner lattice the cells bring their springs.
static void WeightedSprings(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(3.5, 1.0, 1.0);
    rslBodyDef body = Body(&shape, 1.0);
    body.network.construction = rsl_centredLattice;
    double k = 1e5 / 2.5;
    rslModel* model = Build(&body);
    SpringSum springs = { 0 };
    rslModel_VisitSprings(model, 0, AddSpring, &springs);
    assert_int_equal(springs.count, 3);
    assert_true(Near(springs.least, 0.875 * k, 1e-9) && Near(springs.most, k, 1e-9));
    rslModel_Free(model);
    body.network.construction = rsl_cornerLattice;
    model = Build(&body);
    springs = (SpringSum){ 0 };
    rslModel_VisitSprings(model, 0, AddSpring, &springs);
    // 12 k/4 + 12 k/2 a cell
    assert_true(Near(springs.sum, 3.5 * 9.0 * k, 1e-9 * k) && Near(springs.least, 0.75 * 0.25 * k, 1e-9 * k));
    rslModel_Free(model);
}

// Cells below the threshold hand their volume over a face.
static void DroppedCells(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(3.5, 1.0, 1.0);
    rslBodyDef body = Body(&shape, 1.0);
    body.network.construction = rsl_centredLattice;
    body.network.threshold = 0.8;
    rslModel* model = Build(&body);
    const rslLattice* lattice = &model->bodies[0].lattice;
    const double weights[4] = { 0.0, 1.75, 1.75, 0.0 };
    assert_int_equal(model->nodeCount, 2);
    assert_int_equal(lattice->droppedCount, 2);
    assert_int_equal(lattice->borderCount, 2);
    for (int c = 0; c < 4; ++c)
    {
        assert_true(Near(lattice->weight[c], weights[c], 1e-15));
    }
    assert_true(Near(model->bodies[0].mass, 3500.0, 1e-9));
    rslModel_Free(model);
    // a cell that is just filled enough stays
    body.network.threshold = 0.75 - 1e-9;
    model = Build(&body);
    assert_int_equal(model->nodeCount, 4);
    rslModel_Free(model);
}

// Over an edge and a corner when there is no face: the notch of a bar, and a block with a tip in the next cell.
static void DroppedOverEdges(void** state)
{
    (void)state;
    double weight[27] = { 0 };
    rslGrid grid = { .turn = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
                     .corner = { -1.5, -1.5, -1.5 },
                     .spacing = 1.0,
                     .cells = { 3, 3, 3 } };
    // the middle cell, and a small cube in a cell beside it over an edge or a corner
    for (int corner = 0; corner < 2; ++corner)
    {
        rslShapeDef parts[2] = { BoxShape(1.0, 1.0, 1.0), BoxShape(0.2, 0.2, 0.2) };
        parts[1].translate = (rslVec3){ 0.8, 0.8, corner ? -0.8 : 0.0 };
        rslShapeDef both = Combined(rsl_unionShape, parts, 2);
        rslShape* shape = NULL;
        rslAntialias result;
        rslHooks hooks = rslHooks_Complete(NULL);
        assert_int_equal(rslShape_Create(&both, NULL, &shape, NULL), rsl_ok);
        assert_int_equal(rslAntialias_Make(&grid, shape, 0.1, &hooks, weight, &result), rsl_ok);
        assert_int_equal(result.borderCount, 1);
        assert_true(Near(weight[13], 1.008, 1e-14) && Near(result.volume, 1.008, 1e-14));
        assert_true(Near(result.dropped, 0.008, 1e-15) && result.keptCount == 0 && result.fullCount == 1);
        rslRelease(&hooks, result.border);
        rslShape_Free(shape);
    }
}

// A fin thinner than the threshold, and a speck that touches no kept cell.
static void FarSlivers(void** state)
{
    (void)state;
    rslShapeDef parts[3] = { BoxShape(1.0, 1.0, 1.0), BoxShape(1.2, 0.5, 0.004), BoxShape(0.04, 0.04, 0.04) };
    parts[1].translate = (rslVec3){ 1.1, 0.0, 0.05 };
    parts[2].translate = (rslVec3){ -1.18, 0.05, 0.05 };
    double volume = 1.0 + 0.0024 + 6.4e-5;
    rslShapeDef shape = Combined(rsl_unionShape, parts, 3);
    rslBodyDef body = Body(&shape, 0.1);
    rslScene scene = SceneOf(&body, 1);
    rslReport report = { 0 };
    rslModel* model = Built(&scene, &report);
    const rslLattice* lattice = &model->bodies[0].lattice;
    CheckVolume(model, volume, 1e-12);
    // nothing but the block is left, and the cells at its end carry the fin
    assert_int_equal(model->nodeCount, 11 * 11 * 11);
    double most = 0.0, least = 2.0;
    for (int64_t c = 0; c < CellsOf(lattice); ++c)
    {
        most = lattice->weight[c] > most ? lattice->weight[c] : most;
        least = lattice->weight[c] > 0.0 && lattice->weight[c] < least ? lattice->weight[c] : least;
    }
    assert_true(Near(most, 1.0 + 0.04 * 12.0, 0.01) && least > 0.999);
    assert_false(HasMessage(&report, rsl_warning, body.network.place, "of the volume"));
    rslModel_Free(model);
    // kept when asked for
    body.network.threshold = 0.001;
    model = Built(&scene, NULL);
    assert_true(model->nodeCount > 11 * 11 * 11);
    CheckVolume(model, volume, 1e-12);
    rslModel_Free(model);
}

static void ThinShells(void** state)
{
    (void)state;
    const rslPlace place = { 11, 3 };
    rslShapeDef plate = BoxShape(1.0, 1.0, 0.02);
    plate.rotate = (rslRotationDef){ { 1.0, 0.0, 0.0 }, 0.5 };
    rslBodyDef body = Body(&plate, 0.25);
    rslScene scene = SceneOf(&body, 1);
    Refused(&scene, place, "filled to its threshold 0.1, the fullest only to 0.08");
    body.network.threshold = 0.0;
    rslModel* model = Build(&body);
    CheckVolume(model, 0.02, 1e-12);
    rslModel_Free(model);
    // a hollow ball with a wall of a third of a cell
    rslShapeDef parts[2] = { BallShape(0.5), BallShape(0.47) };
    rslShapeDef shell = Combined(rsl_differenceShape, parts, 2);
    body = Body(&shell, 0.1);
    rslReport report = { 0 };
    model = Built(&scene, &report);
    assert_true(HasMessage(&report, rsl_warning, place, "thinner than a cell"));
    CheckVolume(model, 4.0 / 3.0 * pi * (0.125 - 0.47 * 0.47 * 0.47), 1e-3);
    rslModel_Free(model);
    // a plate that is nearly a cell thick, askew
    plate = BoxShape(1.0, 1.0, 0.2);
    plate.rotate = (rslRotationDef){ { 1.0, 2.0, 0.0 }, 40.0 };
    rslBodyDef thick = Body(&plate, 0.25);
    rslScene fine = SceneOf(&thick, 1);
    rslReport nothing = { 0 };
    rslModel_Free(Built(&fine, &nothing));
    assert_false(HasMessage(&nothing, rsl_warning, place, "thinner than a cell"));
    // half of it in cells below the threshold: said
    body.network.threshold = 0.3;
    model = Built(&scene, &report);
    assert_true(HasMessage(&report, rsl_warning, place, "filled less than the threshold"));
    CheckVolume(model, 4.0 / 3.0 * pi * (0.125 - 0.47 * 0.47 * 0.47), 1e-3);
    rslModel_Free(model);
    // nothing at all
    body.network.spacing = 1.2;
    Refused(&scene, place, "no cell of the lattice of body 'body'");
}

// ---- the whole ------------------------------------------------------------------------------------------------------

// The same bits from every compiler.
static void Golden(void** state)
{
    (void)state;
    rslShapeDef parts[2] = { BoxShape(0.5, 0.4, 0.3), Torus(0.2, 0.06) }, rabbit = rslDefaultShapeDef();
    rslShapeDef cut = Combined(rsl_differenceShape, parts, 2);
    rabbit.type = rsl_rabbitShape;
    rabbit.height = 0.3;
    rabbit.translate.x = 2.0;
    rslBodyDef bodies[2] = { LatticeBody("cut", &cut, 0.04), LatticeBody("rabbit", &rabbit, 0.02) };
    bodies[0].network.orientation = (rslRotationDef){ { 1.0, 1.0, 0.3 }, 35.0 };
    bodies[0].network.construction = rsl_centredLattice;
    bodies[1].network.orientation = (rslRotationDef){ { 0.0, 1.0, 1.0 }, 15.0 };
    bodies[0].repulsion.type = bodies[1].repulsion.type = rsl_noRepulsion;
    rslScene scene = SceneOf(bodies, 2);
    rslModel* model = Built(&scene, NULL);
    uint64_t hash = model->fingerprint;
    for (int i = 0; i < 2; ++i)
    {
        const rslLattice* lattice = &model->bodies[i].lattice;
        for (int b = 0; b < lattice->borderCount; ++b)
        {
            hash = rslHash_Doubles(hash, &lattice->border[b].fraction, 11);
        }
        hash = rslHash_Double(hash, lattice->volumeBound);
    }
    print_message("fingerprint %016llx\n", (unsigned long long)hash);
    assert_true(hash == 0x217f3df2228bb73dull);
    rslModel_Free(model);
}

static void OutOfMemory(void** state)
{
    (void)state;
    rslShapeDef parts[2] = { BallShape(0.5), BoxShape(1.0, 0.3, 0.004) };
    parts[1].translate.x = 0.9;
    rslShapeDef shape = Combined(rsl_unionShape, parts, 2);
    rslBodyDef body = LatticeBody("ball", &shape, 0.1);
    rslScene scene = SceneOf(&body, 1);
    rslStatus status = rsl_outOfMemory;
    int failures = 0;
    for (int at = 1; status == rsl_outOfMemory; ++at)
    {
        Heap heap = { .failAt = at };
        rslHooks hooks = HeapHooks(&heap);
        rslModel* model = NULL;
        rslReport report = { 0 };
        status = rslModel_Build(&scene, &hooks, &model, &report);
        assert_true((status == rsl_ok) == (model != NULL));
        rslModel_Free(model);
        assert_int_equal(heap.live, 0);
        ++failures;
    }
    assert_int_equal(status, rsl_ok);
    assert_true(failures > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TurnedBoxes),  cmocka_unit_test(WholeShapes),
        cmocka_unit_test(BallAndTorus), cmocka_unit_test(Rabbit),
        cmocka_unit_test(Combinations), cmocka_unit_test(Mesh),
        cmocka_unit_test(MeshOfBox),    cmocka_unit_test(MeshThroughCentres),
        cmocka_unit_test(MeshOfBall),   cmocka_unit_test(AlignedBox),
        cmocka_unit_test(CubeOfEight),  cmocka_unit_test(WeightedSprings),
        cmocka_unit_test(DroppedCells), cmocka_unit_test(DroppedOverEdges),
        cmocka_unit_test(FarSlivers),   cmocka_unit_test(ThinShells),
        cmocka_unit_test(Golden),       cmocka_unit_test(OutOfMemory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
