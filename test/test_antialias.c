// SPDX-License-Identifier: MIT
//
// test_antialias.c: anti-aliased lattices: weights of cells and springs, dropped cells, the whole.

#include "antialias_fixture.h"

#include "antialias.h"
#include "cell_fill.h"
#include "cell_moments.h"
#include "hash.h"

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
        cmocka_unit_test(AlignedBox),   cmocka_unit_test(CubeOfEight),      cmocka_unit_test(WeightedSprings),
        cmocka_unit_test(DroppedCells), cmocka_unit_test(DroppedOverEdges), cmocka_unit_test(FarSlivers),
        cmocka_unit_test(ThinShells),   cmocka_unit_test(Golden),           cmocka_unit_test(OutOfMemory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
