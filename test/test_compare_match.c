// SPDX-License-Identifier: MIT
//
// test_compare_match.c: displacements of one model at the nodes of another: shared nodes, between nodes, outside.

#include "build_fixture.h"

#include "compare.h"

// Two boxes in one scene, the second one above the first or in the same place, all moved by x -> x + u(x).
typedef rslVec3 Motion(rslVec3 x);

static cliContender Make(rslVec3 size, double spacing, rslVec3 shift, double apart, Motion* motion)
{
    rslShapeDef shapes[2] = { BoxShape(size.x, size.y, size.z), BoxShape(size.x, size.y, size.z) };
    shapes[0].translate = shift;
    shapes[1].translate = rslAdd(shift, (rslVec3){ 0, 0, apart });
    rslBodyDef bodies[2] = { LatticeBody("a", &shapes[0], spacing), LatticeBody("b", &shapes[1], spacing) };
    rslScene scene = rslDefaultScene();
    scene.bodies = bodies;
    scene.bodyCount = 2;
    cliContender c = { .status = rsl_ok };
    assert_int_equal(rslModel_Build(&scene, NULL, &c.loaded.model, NULL), rsl_ok);
    assert_int_equal(rslState_Create(c.loaded.model, rsl_double, NULL, &c.loaded.state), rsl_ok);
    int nodes = c.loaded.model->nodeCount;
    c.start = malloc(3 * sizeof(double) * (size_t)nodes);
    c.now = malloc(3 * sizeof(double) * (size_t)nodes);
    assert_true(c.start != NULL && c.now != NULL);
    rslState_Positions(c.loaded.model, c.loaded.state, 0, nodes, c.start);
    for (int i = 0; i < nodes; ++i)
    {
        rslVec3 x = { c.start[3 * i], c.start[3 * i + 1], c.start[3 * i + 2] };
        rslState_SetPosition(c.loaded.model, c.loaded.state, i, rslAdd(x, motion(x)));
    }
    return c;
}

static void Free(cliContender* c)
{
    for (int b = 0; b < c->loaded.model->bodyCount; ++b)
    {
        rslTessellation_Free(c->cuts[b]);
    }
    rslState_Free(c->loaded.state);
    rslModel_Free(c->loaded.model);
    free(c->start);
    free(c->now);
    free(c->match);
    free(c->cuts);
    free(c->u);
}

static cliErrors Compare(cliContender* c, cliContender* reference)
{
    assert_int_equal(cliContender_Match(reference, reference), rsl_ok);
    assert_int_equal(cliContender_Match(c, reference), rsl_ok);
    cliContender_Displace(reference, reference);
    cliContender_Displace(c, reference);
    assert_int_equal(reference->points, reference->loaded.model->nodeCount);
    return cliContender_Compare(c, reference);
}

static rslVec3 Affine(rslVec3 x)
{
    return (rslVec3){ 0.1 * x.x - 0.2 * x.y + 0.3, 0.05 * x.z + 0.4 * x.x, 0.2 * x.y - 0.3 * x.z };
}

static rslVec3 Still(rslVec3 x)
{
    (void)x;
    return (rslVec3){ 0, 0, 0 };
}

static rslVec3 Shifted(rslVec3 x)
{
    (void)x;
    return (rslVec3){ 0, -0.3, 0.4 };
}

static const rslVec3 size = { 0.4, 0.2, 0.2 }, nowhere = { 0, 0, 0 };

// What is linear in space is interpolated exactly.
static void BetweenNodes(void** unused)
{
    (void)unused;
    cliContender fine = Make(size, 0.05, nowhere, 1.0, Affine), coarse = Make(size, 0.1, nowhere, 1.0, Affine);
    cliErrors e = Compare(&coarse, &fine);
    assert_int_equal(coarse.points, 2 * 9 * 5 * 5);
    assert_int_equal(coarse.interpolated, 2 * (9 * 5 * 5 - 5 * 3 * 3));
    assert_true(e.max < 1e-14 && e.mean <= e.rms && e.rms <= e.max);
    Free(&coarse);
    Free(&fine);
    // the other way round every node is shared
    fine = Make(size, 0.05, nowhere, 1.0, Affine);
    coarse = Make(size, 0.1, nowhere, 1.0, Affine);
    e = Compare(&fine, &coarse);
    assert_int_equal(fine.points, 2 * 5 * 3 * 3);
    assert_int_equal(fine.interpolated, 0);
    assert_true(e.max < 1e-14);
    Free(&coarse);
    Free(&fine);
}

static void KnownDifference(void** unused)
{
    (void)unused;
    cliContender a = Make(size, 0.1, nowhere, 1.0, Still), b = Make(size, 0.1, nowhere, 1.0, Shifted);
    cliErrors e = Compare(&b, &a);
    assert_true(Near(e.mean, 0.5, 1e-14) && Near(e.rms, 0.5, 1e-14) && Near(e.max, 0.5, 1e-14));
    assert_true(cliContender_Largest(&a) == 0.0 && Near(cliContender_Largest(&b), 0.5, 1e-14));
    Free(&a);
    Free(&b);
}

// A body of half the length says nothing about the other half.
static void OutsideIsNotCompared(void** unused)
{
    (void)unused;
    rslVec3 half = { 0.2, 0.2, 0.2 }, left = { -0.1, 0, 0 };
    cliContender whole = Make(size, 0.1, nowhere, 1.0, Still), part = Make(half, 0.1, left, 1.0, Shifted);
    cliErrors e = Compare(&part, &whole);
    assert_int_equal(part.points, 2 * 3 * 3 * 3);
    assert_int_equal(part.interpolated, 0);
    assert_true(Near(e.mean, 0.5, 1e-14) && Near(e.rms, 0.5, 1e-14) && Near(e.max, 0.5, 1e-14));
    for (int i = 0; i < whole.loaded.model->nodeCount; ++i)
    {
        assert_true(isnan(part.u[3 * i]) == (whole.start[3 * i] > 0.01));
    }
    Free(&whole);
    Free(&part);
    // nothing in common at all
    whole = Make(size, 0.1, nowhere, 5.0, Still);
    part = Make(size, 0.1, (rslVec3){ 2, 0, 0 }, 5.0, Still);
    e = Compare(&part, &whole);
    assert_int_equal(part.points, 0);
    assert_true(isnan(e.mean) && isnan(e.rms) && isnan(e.max));
    Free(&whole);
    Free(&part);
}

// Rounding of a place does not part nodes, whichever side of a cell it falls on; a real distance does.
static void PlacesNearlyTheSame(void** unused)
{
    (void)unused;
    for (int i = 0; i < 6; ++i)
    {
        double off = (i % 2 ? -1e-9 : 1e-9) * (i / 2 + 1) * 0.05;
        rslVec3 shift = { 0.0123456 + off, -0.3 + off, 1.0 / 3.0 - off }, exact = { 0.0123456, -0.3, 1.0 / 3.0 };
        cliContender a = Make(size, 0.05, exact, 1.0, Affine), b = Make(size, 0.05, shift, 1.0, Affine);
        cliErrors e = Compare(&b, &a);
        assert_int_equal(b.points, a.points);
        assert_int_equal(b.interpolated, 0);
        assert_true(e.max < 1e-9);
        Free(&a);
        Free(&b);
    }
    cliContender a = Make(size, 0.05, nowhere, 1.0, Affine), b = Make(size, 0.05, (rslVec3){ 1e-4, 0, 0 }, 1.0, Affine);
    cliErrors e = Compare(&b, &a);
    assert_true(b.interpolated > 0 && b.interpolated == b.points && e.max < 1e-14);
    Free(&a);
    Free(&b);
}

// Bodies in one place: every node is looked for in its own body.
static rslVec3 calls[2];
static rslVec3 ByTurns(rslVec3 x)
{
    static int count;
    (void)x;
    return calls[count++ / (5 * 3 * 3) % 2];
}

static void BodiesInOnePlace(void** unused)
{
    (void)unused;
    calls[0] = (rslVec3){ 1, 0, 0 };
    calls[1] = (rslVec3){ 0, 2, 0 };
    cliContender coarse = Make(size, 0.1, nowhere, 0.0, ByTurns), fine = Make(size, 0.05, nowhere, 0.0, Still);
    (void)Compare(&coarse, &fine);
    int first = fine.loaded.model->bodies[1].firstNode;
    for (int i = 0; i < fine.loaded.model->nodeCount; ++i)
    {
        assert_true(Near(coarse.u[3 * i], i < first ? 1.0 : 0.0, 1e-14));
        assert_true(Near(coarse.u[3 * i + 1], i < first ? 0.0 : 2.0, 1e-14));
    }
    Free(&coarse);
    Free(&fine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BetweenNodes),         cmocka_unit_test(KnownDifference),
        cmocka_unit_test(OutsideIsNotCompared), cmocka_unit_test(PlacesNearlyTheSame),
        cmocka_unit_test(BodiesInOnePlace),
    };
    return cmocka_run_group_tests_name("compare_match", tests, NULL, NULL);
}
