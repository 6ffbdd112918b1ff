// SPDX-License-Identifier: MIT
//
// Strain by interpolation: affine motions of every kind of body are followed exactly, rotations show nothing, and what lies
// outside is told.

#include "physics_fixture.h"

#include "resilin/field.h"

typedef struct Kind
{
    const char* name;
    bool flat;
    void (*make)(rslBodyDef* body, rslShapeDef* shape);
} Kind;

static void Corner(rslBodyDef* body, rslShapeDef* shape)
{
    (void)shape;
    body->network.spacing = 0.1;
}

static void Centred(rslBodyDef* body, rslShapeDef* shape)
{
    (void)shape;
    body->network.spacing = 0.1;
    body->network.construction = rsl_centredLattice;
    body->network.orientation = (rslRotationDef){ { 1.0, 2.0, -1.0 }, 40.0 };
}

static void RandomPoints(rslBodyDef* body, rslShapeDef* shape)
{
    (void)shape;
    body->network.type = rsl_randomNetwork;
    body->network.minLength = 0.1;
    body->network.maxLength = 0.18;
}

// Five tetrahedra in a box of 1.2 x 1 x 0.8.
static void Tetrahedra(rslBodyDef* body, rslShapeDef* shape)
{
    (void)shape;
    static const double nodes[] = { -0.6, -0.5, -0.4, 0.6, -0.5, -0.4, -0.6, 0.5, -0.4, 0.6, 0.5, -0.4,
                                    -0.6, -0.5, 0.4,  0.6, -0.5, 0.4,  -0.6, 0.5, 0.4,  0.6, 0.5, 0.4 };
    static const int corners[] = { 0, 1, 2, 4, 3, 1, 2, 7, 5, 1, 4, 7, 6, 2, 4, 7, 1, 2, 4, 7 };
    body->shape = NULL;
    body->network.type = rsl_tetrahedraNetwork;
    body->network.nodes = nodes;
    body->network.nodeCount = 8;
    body->network.tetrahedra = corners;
    body->network.tetrahedronCount = 5;
}

static void Sheet(rslBodyDef* body, rslShapeDef* shape)
{
    (void)shape;
    body->shape = NULL;
    body->network.type = rsl_sheetNetwork;
    body->network.size[0] = 1.2;
    body->network.size[1] = 1.0;
    body->network.spacing = 0.1;
    body->network.thickness = 0.01;
    body->network.rotate = (rslRotationDef){ { 3.0, 1.0, 2.0 }, 50.0 };
    body->material.poisson = 1.0 / 3.0;
}

static const Kind kinds[] = { { "corner lattice", false, Corner },
                              { "centred lattice, turned", false, Centred },
                              { "random network", false, RandomPoints },
                              { "tetrahedra", false, Tetrahedra },
                              { "sheet", true, Sheet } };

static Run Start(const Kind* kind)
{
    static rslShapeDef shape;
    static rslBodyDef body;
    shape = rslDefaultShapeDef();
    shape.size = (rslVec3){ 1.2, 1.0, 0.8 };
    body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    body.name = "body";
    body.shape = &shape;
    body.material.young = 1000.0;
    body.material.poisson = 0.25;
    body.material.density = 10.0;
    kind->make(&body, &shape);
    rslScene scene = rslDefaultScene();
    scene.gravity = (rslVec3){ 0 };
    scene.bodies = &body;
    scene.bodyCount = 1;
    return StartRun(&scene, SolverDef(rsl_positionVerlet, 1e-6));
}

// x -> F x + c
static rslVec3 Apply(const double F[3][3], rslVec3 x)
{
    return (rslVec3){ F[0][0] * x.x + F[0][1] * x.y + F[0][2] * x.z + 0.3,
                      F[1][0] * x.x + F[1][1] * x.y + F[1][2] * x.z - 0.2,
                      F[2][0] * x.x + F[2][1] * x.y + F[2][2] * x.z + 0.1 };
}

static void Deform(Run* run, const double F[3][3])
{
    for (int i = 0; i < run->model->nodeCount; ++i)
    {
        rslState_SetPosition(run->model, run->state, i, Apply(F, PositionOf(run, i)));
    }
}

// 1/2 (F^T F - I), seen along a b.
static double Along(const double F[3][3], rslVec3 a, rslVec3 b)
{
    rslVec3 zero = Apply(F, (rslVec3){ 0 }), Fa = rslSub(Apply(F, a), zero), Fb = rslSub(Apply(F, b), zero);
    return 0.5 * (rslDot(Fa, Fb) - rslDot(a, b));
}

static double Of(rslSymmetric s, rslVec3 a, rslVec3 b)
{
    return s.xx * a.x * b.x + s.yy * a.y * b.y + s.zz * a.z * b.z + s.yz * (a.y * b.z + a.z * b.y) +
           s.zx * (a.z * b.x + a.x * b.z) + s.xy * (a.x * b.y + a.y * b.x);
}

// Every component along the axes; of a sheet along two in its plane.
static void CheckStrain(rslSymmetric e, const double F[3][3], bool flat, rslVec3 u, rslVec3 v, double tolerance)
{
    rslVec3 axes[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    int count = flat ? 2 : 3;
    axes[0] = flat ? u : axes[0];
    axes[1] = flat ? v : axes[1];
    for (int a = 0; a < count; ++a)
    {
        for (int b = 0; b < count; ++b)
        {
            assert_close(Of(e, axes[a], axes[b]), Along(F, axes[a], axes[b]), tolerance);
        }
    }
}

static void AffineMotions(void** state)
{
    (void)state;
    // a large deformation, and a rotation
    const double stretch[3][3] = { { 1.2, 0.3, -0.1 }, { 0.05, 0.8, 0.2 }, { -0.2, 0.1, 1.1 } };
    const double turn[3][3] = { { 0.36, 0.48, -0.8 }, { -0.8, 0.6, 0.0 }, { 0.48, 0.64, 0.6 } };
    for (size_t k = 0; k < 2 * sizeof kinds / sizeof *kinds; ++k)
    {
        const Kind* kind = &kinds[k / 2];
        const double(*F)[3] = k % 2 == 0 ? stretch : turn;
        Run run = Start(kind);
        int nodes = run.model->nodeCount;
        // two directions in the sheet
        rslVec3 u = rslNormalize(rslSub(PositionOf(&run, 1), PositionOf(&run, 0)));
        rslVec3 v = rslNormalize(rslCross(rslCross(u, rslSub(PositionOf(&run, nodes - 1), PositionOf(&run, 0))), u));
        Random random = MakeRandom(k);
        rslTessellation* t = NULL;
        assert_int_equal(rslTessellation_Create(run.model, 0, NULL, &t, NULL), rsl_ok);
        rslVec3 points[60];
        for (int i = 0; i < 60; ++i)
        {
            points[i] = kind->flat ? rslAdd(rslScale(NextBetween(&random, -0.45, 0.45), u),
                                            rslScale(NextBetween(&random, -0.45, 0.45), v))
                                   : (rslVec3){ NextBetween(&random, -0.4, 0.4), NextBetween(&random, -0.3, 0.3),
                                                NextBetween(&random, -0.25, 0.25) };
        }
        Deform(&run, F);
        for (int i = 0; i < 60; ++i)
        {
            rslVec3 moved;
            rslSymmetric e;
            assert_true(rslTessellation_Displacement(t, run.state, points[i], &moved));
            assert_at_most(Distance(rslAdd(points[i], moved), Apply(F, points[i])), 1e-12);
            assert_true(rslTessellation_Strain(t, run.state, points[i], RSL_AUTO, &e));
            CheckStrain(e, F, kind->flat, u, v, 1e-11);
        }
        rslSymmetric* strain = calloc((size_t)nodes, sizeof *strain);
        assert_non_null(strain);
        assert_int_equal(rslTessellation_NodeStrain(t, run.state, strain), rsl_ok);
        int touched = 0;
        for (int i = 0; i < nodes; ++i)
        {
            if (strain[i].xx != 0.0 || strain[i].xy != 0.0)
            {
                CheckStrain(strain[i], F, kind->flat, u, v, 1e-9);
                ++touched;
            }
        }
        assert_true(touched > (strcmp(kind->name, "centred lattice, turned") == 0 ? nodes / 2 : nodes - 1));
        free(strain);
        // outside, and far outside
        rslVec3 moved, outside[3] = { { 5.0, 0.0, 0.0 }, { 0.0, 1e9, 0.0 }, { 0.9, 0.8, 0.9 } };
        for (int i = 0; i < 3; ++i)
        {
            rslSymmetric e;
            assert_false(rslTessellation_Displacement(t, run.state, outside[i], &moved));
            assert_false(rslTessellation_Strain(t, run.state, outside[i], RSL_AUTO, &e));
        }
        rslTessellation_Free(t);
        EndRun(&run);
    }
}

// Nodes, faces, edges and corners of a corner lattice are inside; half a cell beyond is not.
static void BorderOfALattice(void** state)
{
    (void)state;
    Run run = Start(&kinds[0]);
    rslTessellation* t = NULL;
    assert_int_equal(rslTessellation_Create(run.model, 0, NULL, &t, NULL), rsl_ok);
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        rslVec3 u = { 1.0, 1.0, 1.0 };
        assert_true(rslTessellation_Displacement(t, run.state, PositionOf(&run, i), &u));
        assert_at_most(rslLength(u), 1e-15);
    }
    rslSymmetric e;
    assert_true(rslTessellation_Strain(t, run.state, (rslVec3){ 0.6, 0.5, 0.4 }, RSL_AUTO, &e));
    assert_true(rslTessellation_Strain(t, run.state, (rslVec3){ -0.6, 0.11, 0.0 }, RSL_AUTO, &e));
    assert_false(rslTessellation_Strain(t, run.state, (rslVec3){ 0.65, 0.5, 0.4 }, RSL_AUTO, &e));
    rslTessellation_Free(t);
    EndRun(&run);
}

// A gap between two legs is not the body, although the hull of its nodes covers it.
static void GapsAreOutside(void** state)
{
    (void)state;
    rslShapeDef parts[2] = { rslDefaultShapeDef(), rslDefaultShapeDef() }, shape = rslDefaultShapeDef();
    parts[0].size = (rslVec3){ 2.0, 2.0, 0.6 };
    parts[1].size = (rslVec3){ 1.0, 2.0, 1.0 };
    parts[1].translate.y = 0.5;
    shape.type = rsl_differenceShape;
    shape.parts = parts;
    shape.partCount = 2;
    rslBodyDef body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    body.name = "fork";
    body.shape = &shape;
    body.network.type = rsl_randomNetwork;
    body.network.minLength = 0.12;
    body.network.maxLength = 0.22;
    body.material = (rslMaterialDef){ .young = 1.0, .poisson = 0.25, .density = 1.0 };
    rslScene scene = rslDefaultScene();
    scene.bodies = &body;
    scene.bodyCount = 1;
    rslModel* model = Built(&scene, NULL);
    rslState* start = StateOf(model, rsl_single);
    rslTessellation* t = NULL;
    assert_int_equal(rslTessellation_Create(model, 0, NULL, &t, NULL), rsl_ok);
    rslVec3 u;
    assert_false(rslTessellation_Displacement(t, start, (rslVec3){ 0.0, 0.5, 0.0 }, &u));
    assert_true(rslTessellation_Displacement(t, start, (rslVec3){ 0.75, 0.5, 0.0 }, &u));
    assert_true(rslTessellation_Displacement(t, start, (rslVec3){ -0.75, 0.5, 0.1 }, &u));
    assert_true(rslTessellation_Displacement(t, start, (rslVec3){ 0.0, -0.75, 0.0 }, &u));
    rslTessellation_Free(t);
    rslState_Free(start);
    rslModel_Free(model);
}

static void WhatCannotBeCut(void** state)
{
    (void)state;
    const double nodes[] = { 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0 }, mass = 1.0, stiffness = 1.0;
    const int springs[] = { 0, 1, 1, 2 };
    rslBodyDef body = NetworkBody("chain", nodes, 3, &mass, springs, 2, &stiffness);
    rslScene scene = rslDefaultScene();
    scene.bodies = &body;
    scene.bodyCount = 1;
    rslModel* model = Built(&scene, NULL);
    rslReport report = { 0 };
    rslTessellation* t = NULL;
    assert_int_equal(rslTessellation_Create(model, 0, NULL, &t, &report), rsl_badInput);
    assert_true(t == NULL && report.errors == 1);
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(AffineMotions),
        cmocka_unit_test(BorderOfALattice),
        cmocka_unit_test(GapsAreOutside),
        cmocka_unit_test(WhatCannotBeCut),
    };
    return cmocka_run_group_tests_name("strain", tests, NULL, NULL);
}
