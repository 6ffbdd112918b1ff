// SPDX-License-Identifier: MIT
//
// test_auto_repulsion.c: what `repulsion: auto` takes, and that nobody notices it at small strain: moduli, frequencies, steps and
// states are those of `repulsion: none`, bit for bit.

#include "physics_fixture.h"
#include "repulsion.h"

#include "resilin/measure.h"

// ---- bodies -----------------------------------------------------------------------------------------------------------

enum
{
    SPRINGS,
    BALL,
    CENTRED,
    BRICKS,
    CUT_BRICKS,
    CUBES,
    BOXES,
    TETRAHEDRA,
    FINITE_TETRAHEDRA,
    HEXAHEDRA,
    PLATE,
    ANGLES,
    GUARDED,  // all before this one are, by themselves
    CLOTH = GUARDED,
    RANDOM,
    RIGID,
    KINDS
};

static const char* const kindNames[KINDS] = { "springs",   "ball of springs",    "centred lattice",
                                              "bricks",    "cut bricks",         "finite cubes",
                                              "boxes",     "tetrahedra",         "finite tetrahedra",
                                              "hexahedra", "plate in the plane", "plate with angles",
                                              "cloth",     "random network",     "rigid body" };

typedef struct Case
{
    rslShapeDef shape;
    rslBodyDef body;
    rslScene scene;
} Case;

static rslModelType ModelOf(int kind)
{
    return kind == BRICKS || kind == CUT_BRICKS                              ? rsl_brickModel
           : kind == CUBES || kind == FINITE_TETRAHEDRA || kind == HEXAHEDRA ? rsl_finiteModel
           : kind == BOXES                                                   ? rsl_boxModel
           : kind == ANGLES                                                  ? rsl_angleModel
           : kind == RIGID                                                   ? rsl_rigidModel
                                                                             : rsl_springModel;
}

static void MakeCase(Case* c, int kind)
{
    bool flat = kind == PLATE || kind == ANGLES;
    double spacing = Proving() ? 0.125 : 0.25;
    *c = (Case){ .shape = kind == BALL || kind == CUT_BRICKS ? BallShape(0.5) : BoxShape(1.0, 0.5, 0.5) };
    c->body = flat || kind == CLOTH ? GridBody("body", 1.0, 0.5, 8, 4) : LatticeBody("body", &c->shape, spacing);
    c->body.network.construction = kind == CENTRED ? rsl_centredLattice : rsl_cornerLattice;
    c->body.network.law = kind == CENTRED ? rsl_carrierSpring : rsl_linearSpring;
    c->body.network.orientation =
        kind == BALL ? (rslRotationDef){ { 1.0, 2.0, 0.5 }, 30.0 } : c->body.network.orientation;
    c->body.network.type = kind == TETRAHEDRA || kind == FINITE_TETRAHEDRA ? rsl_tetrahedraNetwork
                           : kind == HEXAHEDRA                             ? rsl_hexahedraNetwork
                           : kind == RANDOM                                ? rsl_randomNetwork
                                                                           : c->body.network.type;
    if (kind == HEXAHEDRA)
    {
        memcpy(c->body.network.grid, (int[3]){ 5, 2, 3 }, sizeof c->body.network.grid);
        c->body.network.spacing = 0.0;
    }
    if (kind == RANDOM)
    {
        c->body.network.spacing = 0.0;
        c->body.network.minLength = 0.15;
        c->body.network.maxLength = 0.3;
    }
    c->body.model = rslDefaultModelDef();
    c->body.model.type = ModelOf(kind);
    c->body.material.poisson = flat || kind == CLOTH ? 1.0 / 3.0 : kind == CUBES ? 0.4 : 0.25;
    c->body.material.stiffnessDamping = kind % 2 == 0 ? 1e-3 : 0.0;
    c->scene = SceneOf(&c->body, 1);
    c->scene.plane = flat ? rsl_planeXY : c->scene.plane;
    c->scene.gravity = flat ? (rslVec3){ 0.0, -9.81, 0.0 } : c->scene.gravity;
}

static void Chooses(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        static Case c;
        MakeCase(&c, kind);
        rslModel* model = Built(&c.scene, NULL);
        const rslRepulsion* set = &model->bodies[0].repulsion;
        assert_int_equal(set->law, kind < GUARDED ? rsl_clampedRepulsion : rsl_noRepulsion);
        assert_int_equal(set->count > 0, kind < GUARDED);
        assert_null(set->numbers);
        rslModel_Free(model);
    }
}

// ---- small strain -----------------------------------------------------------------------------------------------------

// Steps and states.
static void RunCase(const Case* c, rslPrecision precision, int steps, uint64_t* hash, rslStability* stability)
{
    rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
    def.precision = precision;
    Run run = StartRun(&c->scene, def);
    // strains of one or two per cent; flat tetrahedra between springs come near collapse by that, so a fifth of it there
    const double size = c->body.network.type == rsl_tetrahedraNetwork ? 1e-3 : 5e-3;
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        rslVec3 x = WorldOf(run.model, i);
        rslVec3 off = { size * sin(2.0 * x.x + x.y), size * sin(3.0 * x.x - x.z), size * sin(3.0 * x.y) };
        off.z = run.model->plane == rsl_planeXY ? 0.0 : off.z;
        rslState_SetPosition(run.model, run.state, i, rslAdd(x, off));
    }
    Step(&run, steps);
    assert_int_equal(run.state->guard.divided, 0);
    *hash = rslState_Hash(run.state);
    *stability = rslSolver_Stability(run.solver);
    EndRun(&run);
}

static rslMeasurements* Measure(const Case* c)
{
    rslMeasurements* out = NULL;
    rslReport report = { 0 };
    rslMeasureDef def = rslDefaultMeasureDef();
    def.tests = rsl_tensionTest | rsl_ringingTest;
    def.specimen = rsl_bodySpecimen;
    def.threads = 1;
    rslMeasure_Run(&c->scene, 0, &def, NULL, &out, &report);
    return out;
}

// How many figures of two testing machines differ in any bit.
static int Differences(const rslMeasurements* a, const rslMeasurements* b)
{
    int count = 0;
    assert_int_equal(a != NULL, b != NULL);
    assert_true(a == NULL || a->count == b->count);
    for (int i = 0; a != NULL && i < a->count; ++i)
    {
        assert_string_equal(a->list[i].quantity, b->list[i].quantity);
        count += memcmp(&a->list[i].ours, &b->list[i].ours, sizeof(double)) != 0;
    }
    return count;
}

static void NobodyNotices(void** unused)
{
    (void)unused;
    int figures = 0, different = 0, states = 0;
    for (int kind = 0; kind < GUARDED; ++kind)
    {
        static Case with, without;
        MakeCase(&with, kind);
        MakeCase(&without, kind);
        without.body.repulsion.type = rsl_noRepulsion;
        for (int p = 0; p < 2; ++p)
        {
            uint64_t hash[2];
            rslStability step[2];
            rslPrecision precision = p == 0 ? rsl_double : rsl_single;
            RunCase(&with, precision, Proving() ? 1000 : 70, &hash[0], &step[0]);
            RunCase(&without, precision, Proving() ? 1000 : 70, &hash[1], &step[1]);
            bool same = hash[0] == hash[1] && step[0].step == step[1].step && step[0].stableStep == step[1].stableStep;
            states += same;
            if (!same)
            {
                print_error("%s: another step or state\n", kindNames[kind]);
            }
        }
        rslMeasurements *a = Measure(&with), *b = Measure(&without);
        int differ = Differences(a, b);
        figures += a != NULL ? a->count : 0;
        different += differ;
        if (differ > 0)
        {
            print_error("%s: other figures\n", kindNames[kind]);
        }
        rslMeasurements_Free(a);
        rslMeasurements_Free(b);
    }
    print_message("%d figures of the testing machine, %d states\n", figures, states);
    assert_true(figures > 40);
    assert_proved("clamped repulsion at small strain: figures of the testing machine that differ", different, 0);
    assert_proved("clamped repulsion at small strain: steps and states that differ", 2 * GUARDED - states, 0);
}

// ---- cells with next to nothing in them ---------------------------------------------------------------------------------

// Least height, over that at rest, of all cells that a shape fills to a part in [low, high).
static double LeastHeight(const Run* run, const rslModel* all, double low, double high)
{
    const rslRepulsion* set = &all->bodies[0].repulsion;
    double least = INFINITY, whole = 0.0;
    for (int e = 0; e < set->count; ++e)
    {
        whole = fmax(whole, set->stiffnesses[e]);
    }
    for (int e = 0; e < set->count; ++e)
    {
        int nodes[8];
        rslVec3 rest[8], now[8];
        rslRepulsion_Nodes(set, e, nodes);
        rslRepulsion_Rest(&all->bodies[0], nodes, 8, rest);
        double fill = set->stiffnesses[e] / whole;
        for (int c = 0; c < 8; ++c)
        {
            now[c] = PositionOf(run, nodes[c]);
        }
        for (int p = 0; fill >= low && fill < high && p < RSL_SPLIT; ++p)
        {
            rslVec3 x[4], y[4];
            double h0[RSL_PIECE_NODES], h[RSL_PIECE_NODES];
            for (int c = 0; c < 4; ++c)
            {
                x[c] = rest[rslCellSplit[p][c]];
                y[c] = now[rslCellSplit[p][c]];
            }
            rslPiece_Heights(rsl_tetrahedron, x, h0);
            rslPiece_Heights(rsl_tetrahedron, y, h);
            for (int c = 0; c < 4; ++c)
            {
                least = fmin(least, h[c] / h0[c]);
            }
        }
    }
    return least;
}

// A turned box of cut bricks is stretched by 3 % and let go: its least filled cells go most of the way to half of their heights, the others
// hardly notice.
static void LightCellsFlap(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.6, 0.43, 0.37);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.model = rslDefaultModelDef();
    body.network.orientation = (rslRotationDef){ { 1.0, 1.0, 0.3 }, 35.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    body.repulsion.type = rsl_clampedRepulsion;
    rslModel* all = Built(&scene, NULL);
    body.repulsion.type = rsl_autoRepulsion;
    rslModel* some = Built(&scene, NULL);
    assert_true(some->bodies[0].repulsion.count < all->bodies[0].repulsion.count);
    assert_true(some->bodies[0].repulsion.count > all->bodies[0].repulsion.count / 2);
    rslModel_Free(some);
    rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
    def.fraction = 0.25;
    Run run = StartRun(&scene, def);
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        rslVec3 x = WorldOf(run.model, i);
        rslState_SetPosition(run.model, run.state, i, (rslVec3){ 1.03 * x.x, 0.99 * x.y, 0.99 * x.z });
    }
    double light = 1.0, heavy = 1.0;
    for (int n = 0; n < 50; ++n)
    {
        Step(&run, 10);
        light = fmin(light, LeastHeight(&run, all, 0.0, 0.1001));  // lighter ones have barriers of these
        heavy = fmin(heavy, LeastHeight(&run, all, 0.25, 2.0));
    }
    print_message("least height: %.2f of cells filled to less than a tenth, %.2f to a quarter or more\n", light, heavy);
    assert_int_equal(run.state->guard.divided, 0);
    assert_at_most(light, 0.7);
    assert_at_most(0.8, heavy);
    rslModel_Free(all);
    EndRun(&run);
}

// ---- what cannot be guarded ---------------------------------------------------------------------------------------------

// A bar of three hexahedra, the middle one twisted by more than a quarter between its ends: the inner tetrahedron of both splits is
// negative.
static void DistortedHexahedron(void** unused)
{
    (void)unused;
    double nodes[16][3];
    int cells[3][8];
    for (int n = 0; n < 16; ++n)
    {
        int layer = n / 4, c = n % 4;
        double angle = layer < 2 ? 0.0 : 1.1 * PI / 2.0;
        double y = c & 1 ? 0.5 : -0.5, z = c >> 1 ? 0.5 : -0.5;
        nodes[n][0] = layer;
        nodes[n][1] = cos(angle) * y - sin(angle) * z;
        nodes[n][2] = sin(angle) * y + cos(angle) * z;
    }
    static const int corner[8] = { 0, 4, 5, 1, 2, 6, 7, 3 };
    for (int e = 0; e < 3; ++e)
    {
        for (int c = 0; c < 8; ++c)
        {
            cells[e][c] = 4 * e + corner[c];
        }
    }
    rslBodyDef body = LatticeBody("bar", NULL, 0.0);
    body.network.type = rsl_hexahedraNetwork;
    body.network.nodes = &nodes[0][0];
    body.network.nodeCount = 16;
    body.network.hexahedra = &cells[0][0];
    body.network.hexahedronCount = 3;
    body.model = rslDefaultModelDef();
    body.network.place = (rslPlace){ 7, 3 };
    rslScene scene = SceneOf(&body, 1);
    rslReport report = { 0 };
    rslModel* model = Built(&scene, &report);
    const rslRepulsion* set = &model->bodies[0].repulsion;
    assert_true(HasMessage(&report, rsl_warning, body.network.place,
                           "hexahedron 1 of body 'bar' at [1, -0.5, -0.5] is so distorted that it cannot be split"));
    assert_int_equal(set->count, 2);
    assert_int_equal(set->numbers[0], 0);
    assert_int_equal(set->numbers[1], 2);
    rslModel_Free(model);
    BuildWithoutMemory(&scene, 10);
    body.repulsion.type = rsl_clampedRepulsion;
    Refused(&scene, body.network.place, "hexahedron 1 of body 'bar' at [1, -0.5, -0.5] is so distorted");
    body.repulsion.type = rsl_noRepulsion;
    report = (rslReport){ 0 };
    model = Built(&scene, &report);
    assert_int_equal(report.count, 0);
    rslModel_Free(model);
}

// ---- runs that go wrong -------------------------------------------------------------------------------------------------

// A step that is not stable is told by its energy, and soon: there is no end to dividing it.
static void TooLongSteps(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < GUARDED; ++kind)
    {
        static Case c;
        MakeCase(&c, kind);
        Run probe = StartRun(&c.scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
        double stable = rslSolver_Stability(probe.solver).stableStep;
        EndRun(&probe);
        for (int n = 0; n < 3; ++n)
        {
            static const double parts[] = { 1.2, 3.0, 30.0 };
            if (n != kind % 3 && !Proving())
            {
                continue;
            }
            c.body.velocity = (rslVec3){ 1.0, 0.5, 0.0 };
            // fast nodes that meet by impulses move on together, and lose it all
            c.scene.touch.scheme = rsl_penaltyScheme;
            c.scene.ground = rslDefaultGroundDef();
            c.scene.ground.point =
                c.scene.plane == rsl_planeXY ? (rslVec3){ 0.0, -1.0, 0.0 } : (rslVec3){ 0.0, 0.0, -1.0 };
            c.scene.ground.normal =
                c.scene.plane == rsl_planeXY ? (rslVec3){ 0.0, 1.0, 0.0 } : (rslVec3){ 0.0, 0.0, 1.0 };
            Run run = StartRun(&c.scene, SolverDef(rsl_positionVerlet, parts[n] * stable));
            Random random = MakeRandom(5);
            for (int i = 0; i < run.model->nodeCount; ++i)
            {
                rslVec3 off = NextVec3(&random, 1e-4 * run.model->bodies[0].spacing);
                off.z = run.model->plane == rsl_planeXY ? 0.0 : off.z;
                rslState_SetPosition(run.model, run.state, i, rslAdd(WorldOf(run.model, i), off));
            }
            rslStatus status = rslSolver_Step(run.solver, run.state, 2000);
            rslDivergence d = rslSolver_Divergence(run.solver);
            print_message(
                "%s, %g times the stable step: %s after %d steps, %d parts; energy %.2g of %.2g, element %d\n",
                kindNames[kind], parts[n], rslStatus_Name(status), (int)run.state->stepCount,
                (int)run.state->guard.substeps, d.energy, d.limit, d.element);
            assert_int_equal(status, rsl_diverged);
            assert_true(d.unstable || !(d.energy <= d.limit));
            assert_true(d.node >= 0);
            assert_true(run.state->guard.substeps < 10000);
            EndRun(&run);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Chooses),        cmocka_unit_test(NobodyNotices),
        cmocka_unit_test(LightCellsFlap), cmocka_unit_test(DistortedHexahedron),
        cmocka_unit_test(TooLongSteps),
    };
    return cmocka_run_group_tests_name("auto_repulsion", tests, NULL, NULL);
}
