// SPDX-License-Identifier: MIT
//
// Bodies that are turned inside out: what is outside of them stays outside, and rays tell what is inside.

#include "collide_fixture.h"

// A body that has been turned inside out rests on the vertices that are turned away from what is below them, and draws nothing in; and what
// rounding has put inside is put out again.
static void test_what_is_inside_out_stays_outside(void** state)
{
    (void)state;
    static const double gaps[] = { 1e-4, -1e-6, -1e-3 };
    for (int g = 0; g < 3; ++g)
    {
        rslScene scene = TwoBoxes(1e-4, 0.1);
        Fixture fixture;
        Start(&fixture, &scene);
        for (size_t n = 0; n < (size_t)fixture.model->contactNodeCount; ++n)
        {
            double* x = fixture.x + 3 * n;
            x[2] = BodyOf(&fixture, n) == 1 ? 2.0 * (0.2 + 1e-4) - x[2] + gaps[g] - 1e-4 : x[2];
        }
        fixture.look.reach = 2e-4;
        Find(&fixture);
        int above = 0;
        for (int i = 0; i < fixture.found.count; ++i)
        {
            const rslCollision* touch = &fixture.found.list[i];
            bool own = touch->key[0] == 1 && touch->key[1] < RSL_KEY_EDGE;
            above += own;
            assert_true(!own || (fabs(touch->gap - gaps[g]) < 1e-12 && touch->normal.z > 1.0 - 1e-9));
        }
        assert_int_equal(above, 9);
        Stop(&fixture);
    }
}

// Nor is anything drawn in by a body below that is inside out, whose triangles are all seen from behind.
static void test_what_is_above_something_inside_out_stays_outside(void** state)
{
    (void)state;
    static const double gaps[] = { 2e-4, 2e-3, 2e-2 };  // from shallow to deep
    for (int g = 0; g < 3; ++g)
    {
        rslScene scene = TwoBoxes(gaps[g], 0.1);
        Fixture fixture;
        Start(&fixture, &scene);
        for (size_t n = 0; n < (size_t)fixture.model->contactNodeCount; ++n)
        {
            fixture.x[3 * n + 2] *= BodyOf(&fixture, n) == 0 ? -1.0 : 1.0;
        }
        fixture.look.reach = 2.0 * gaps[g];
        Find(&fixture);
        int above = 0;
        for (int i = 0; i < fixture.found.count; ++i)
        {
            const rslCollision* touch = &fixture.found.list[i];
            above += touch->key[0] == 1;
            assert_close(touch->gap, gaps[g], 1e-12);
            assert_close(touch->normal.z, touch->key[0] == 1 ? 1.0 : -1.0, 1e-9);
        }
        assert_int_equal(above, 9);
        Stop(&fixture);
    }
}

// What is behind a place does not count, although the line of the ray goes right through a vertex there, however old boxes are.
static void test_rays_go_one_way(void** state)
{
    (void)state;
    rslScene scene = TwoBoxes(1e-4, 0.1);
    Fixture fixture;
    Start(&fixture, &scene);
    size_t corner = 0;
    for (size_t n = 0; n < (size_t)fixture.model->contactNodeCount; ++n)
    {
        double* x = fixture.x + 3 * n;
        bool top = BodyOf(&fixture, n) == 0 && x[2] > 0.05, middle = top && fabs(x[0]) + fabs(x[1]) < 1e-6;
        corner = top && x[0] < -0.15 && x[1] < -0.15 ? n : corner;
        x[0] = middle ? 0.0 : x[0];
        x[1] = middle ? 0.0 : x[1];
        x[2] = top ? 0.09375 : x[2];
    }
    fixture.x[3 * corner + 2] += 0.02;  // up to there, the box around all is higher
    const rslVec3 over = { 0x1.1p-16, 0x1.9p-16, 0.09375 + 0x1p-10 };
    for (int old = 0; old < 2; ++old)
    {
        Find(&fixture);
        const rslSide* side = &fixture.collide->sides[0];
        int winding = -1;
        assert_true(old ? side->bent > 0x1p-10 : side->bent == 0.0);
        assert_true(rslSide_FindWinding(fixture.collide, side, over, &winding));
        assert_int_equal(winding, 0);
        assert_true(rslSide_FindWinding(fixture.collide, side, (rslVec3){ 0.011, 0.013, 0.09 }, &winding));
        assert_int_equal(winding, 1);
        assert_false(rslSide_FindWinding(fixture.collide, side, (rslVec3){ 0.0, 0.0, 0.09375 }, &winding));
        fixture.x[3 * corner + 2] += 0.005;
    }
    Stop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_inside_out_stays_outside),
        cmocka_unit_test(test_what_is_above_something_inside_out_stays_outside),
        cmocka_unit_test(test_rays_go_one_way),
    };
    return cmocka_run_group_tests_name("collide_inside", tests, NULL, NULL);
}
