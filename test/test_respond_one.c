// SPDX-License-Identifier: MIT
//
// test_respond_one.c: impulses at a single touch, by hand: rebounds, friction, what pays for places, belts; the step that an impact allows.

#include "respond_fixture.h"

#include "impact_rule.h"

// ---- single touches -------------------------------------------------------------------------------------------------

static Case* OnePoint(double gap, double speed, double kick, double restitution, double friction)
{
    Case* c = DrawCase(1, &(Kind){ .count = 1, .sweeps = 20 });
    c->list[0].normal = (rslVec3){ 0.0, 0.0, 1.0 };
    c->list[0].key[2] = RSL_KEY_COLLIDER;
    c->list[0].count = 1;
    c->list[0].gap = gap;
    c->list[0].restitution = restitution;
    c->list[0].friction = friction;
    Put(c->v, c->nodes[0], (rslVec3){ 1.0, 0.0, speed });
    Put(c->kick, c->nodes[0], (rslVec3){ 0.0, 0.0, kick });
    return c;
}

// Places are moved as far as what is lost pays for it: against what presses, and against what may be as stiff as the stable step allows.
static void TestPayment(void** unused)
{
    (void)unused;
    Case* c = OnePoint(-0.5, 0.0, -0.1, 1.0, 0.0);  // pressed, at rest: nothing is lost
    Respond(c);
    assert_close(Get(c->shift, c->nodes[0]).z, 0.0, 1e-15);
    FreeCase(c);
    c = OnePoint(-0.5, -0.05, -0.1, 1.0, 0.0);  // m 0.15 0.05 / 2 is lost, and every metre costs m 0.1 / h
    Respond(c);
    double h = c->response.step, m = c->mass[c->nodes[0]], lost = m * 0.15 * 0.025;
    assert_close(c->response.heat, lost, 1e-15);
    assert_close(Get(c->shift, c->nodes[0]).z, lost / (m * 0.1 / h), 1e-15);
    FreeCase(c);
    c = OnePoint(-0.5, -0.05, -0.1, 1.0, 0.0);
    c->response.stable = 0.5 * h;
    Respond(c);
    double dx = Get(c->shift, c->nodes[0]).z, T = c->response.stable;
    assert_true(dx > 0.0);
    assert_close(m * 0.1 / h * dx + 2.0 * m * dx * dx / (T * T), lost, 1e-15);
    FreeCase(c);
    double lift[3 * ALL] = { 0 };  // all of the kick is by dampers, against which nothing is lifted
    c = OnePoint(-0.5, 0.0, -0.1, 1.0, 0.0);
    c->response.lift = lift;
    Respond(c);
    assert_close(Get(c->shift, c->nodes[0]).z, 0.01, 1e-15);
    FreeCase(c);
}

// An elastic impact turns the velocity round with the kick in it; an approach by the kick alone is caught.
static void TestOnePoint(void** unused)
{
    (void)unused;
    Case* c = OnePoint(0.005, -2.0, -0.1, 1.0, 0.0);
    Respond(c);
    assert_close(VelocityAfter(c, c->nodes[0]).z, 2.0, 1e-15);
    assert_close(c->response.heat, 0.0, 1e-15);
    FreeCase(c);
    c = OnePoint(0.001, -0.05, -0.1, 1.0, 0.3);
    Respond(c);
    assert_close(VelocityAfter(c, c->nodes[0]).z, -0.1, 1e-15);  // meets it at the end
    assert_close(VelocityAfter(c, c->nodes[0]).x, 1.0 - 0.3 * 0.05, 1e-15);
    assert_int_equal(c->state.touchedCount, 1);
    assert_close(c->state.touched[0].kept[2], c->mass[c->nodes[0]] * 0.05, 1e-15);
    rslState_ScaleTouches(&c->state, 0.25);
    assert_close(c->state.touched[0].kept[2], c->mass[c->nodes[0]] * 0.0125, 1e-15);
    FreeCase(c);
    c = OnePoint(0.03, -2.0, -0.1, 1.0, 0.0);  // does not come that far
    Respond(c);
    assert_close(VelocityAfter(c, c->nodes[0]).z, -2.1, 0.0);
    assert_int_equal(c->state.touchedCount, 0);
    FreeCase(c);
    c = OnePoint(-0.5, 0.0, 0.0, 1.0, 0.0);  // deep inside: moved out by no more than is allowed, velocities stay
    Respond(c);
    assert_close(Get(c->shift, c->nodes[0]).z, 0.01, 1e-15);
    assert_close(VelocityAfter(c, c->nodes[0]).z, 0.0, 0.0);
    FreeCase(c);
    c = OnePoint(-0.5, 0.0, 0.0, 1.0, 0.0);  // in an eighth of a step by an eighth of it
    c->response.divided = 3;
    Respond(c);
    assert_close(Get(c->shift, c->nodes[0]).z, 0.01 / 8.0, 1e-15);
    FreeCase(c);
    c = OnePoint(-0.5, 0.0, 0.0, 1.0, 0.0);  // in steps below a fifth of the stable one likewise
    c->response.stable = 20.0 * c->response.step;
    c->model.touch.parts = true;  // whatever it costs
    Respond(c);
    assert_close(Get(c->shift, c->nodes[0]).z, 0.01 / 4.0, 1e-15);
    FreeCase(c);
    for (int fast = 0; fast < 2; ++fast)  // what goes out by itself is moved by what is left of it
    {
        double way = fast ? 0.02 : 0.004;
        c = OnePoint(-0.5, 1.0, 0.0, 1.0, 0.0);
        Put(c->v, c->nodes[0], (rslVec3){ 0.0, 0.0, way / c->response.step });
        Respond(c);
        assert_close(Get(c->shift, c->nodes[0]).z, fast ? 0.0 : 0.006, 1e-15);
        FreeCase(c);
    }
}

static rslImpactNeeds NeedsBy(const rslImpactRule* rule, const Case* c, int threads)
{
    rslTeam* team = rslTeam_Create(&c->state.hooks, threads, NULL, NULL);
    rslResponse response = c->response;
    rslImpactNeeds needs = rslImpactRule_Look(rule, &response, true, NULL, team);
    rslTeam_Free(team);
    return needs;
}

static rslImpactNeeds Needs(const rslImpactRule* rule, const Case* c)
{
    return NeedsBy(rule, c, 1);
}

// Steps are to be shorter for what comes from a flight, or goes far in one of them, and no others.
static void TestImpactRule(void** unused)
{
    (void)unused;
    double durations[2] = { 3.0, 3.0 }, none[2] = { 0.0, 0.0 };
    rslBody bodies[2] = { { .spacing = 1.0 }, { .spacing = 1.0 } };
    Case* c = OnePoint(0.005, -2.0, -0.1, 1.0, 0.0);
    c->model.bodies = bodies;
    rslImpactRule rule = {
        .model = &c->model, .stable = 2.0 * c->response.step, .durations = durations, .swings = durations
    };
    assert_close(Needs(&rule, c).asks, 3.0, 0.0);
    assert_close(Needs(&rule, c).goesOn, 0.75, 1e-15);
    rule.inert =
        true;  // half of the stable step is short enough where no rebound is asked for, nearly all of it is not
    assert_close(Needs(&rule, c).asks, 0.0, 0.0);
    assert_close(Needs(&rule, c).goesOn, 0.0, 0.0);
    rule.stable = 1.1 * c->response.step;
    assert_close(Needs(&rule, c).asks, 3.0, 0.0);
    bodies[0].spacing = bodies[1].spacing = 0.1;  // and cells are crushed no less
    assert_true(Needs(&rule, c).asks == INFINITY);
    bodies[0].spacing = bodies[1].spacing = 1.0;
    rule.stable = 2.0 * c->response.step;
    rule.inert = false;
    rule.swings = none;  // what swings is damped out: half of the stable step is not short enough, two fifths are
    assert_close(Needs(&rule, c).asks, 3.0, 0.0);
    rule.stable = 2.5 * c->response.step;
    assert_close(Needs(&rule, c).asks, 0.0, 0.0);
    bodies[0].spacing = bodies[1].spacing = 0.1;  // cells are crushed no less
    assert_true(Needs(&rule, c).asks == INFINITY);
    bodies[0].spacing = bodies[1].spacing = 1.0;
    rule.swings = durations;
    assert_close(Needs(&rule, c).asks, 3.0, 0.0);
    rule.stable = 20.0 * c->response.step;  // it is short enough
    assert_close(Needs(&rule, c).asks, 0.0, 0.0);
    bodies[0].spacing = bodies[1].spacing = 0.1;  // but it goes farther than a fifth of a cell
    assert_true(Needs(&rule, c).asks == INFINITY);
    rule.stable = 40.0 * c->response.step;  // there is an end to it
    assert_close(Needs(&rule, c).asks, 0.0, 0.0);
    rule.stable = 20.0 * c->response.step;  // of two bodies, those cells count that are smaller
    c->list[0].key[0] = 0;
    c->list[0].key[2] = 1;
    for (int b = 0; b < 2; ++b)
    {
        bodies[b].spacing = 1.0;
        bodies[1 - b].spacing = 0.1;
        assert_true(Needs(&rule, c).asks == INFINITY);
    }
    bodies[0].spacing = bodies[1].spacing = 1.0;
    assert_close(Needs(&rule, c).asks, 0.0, 0.0);
    c->list[0].gap = 0.03;  // does not come that far
    rule.stable = 2.0 * c->response.step;
    assert_close(Needs(&rule, c).asks, 0.0, 0.0);
    assert_close(Needs(&rule, c).goesOn, 0.0, 0.0);
    FreeCase(c);
    c = OnePoint(0.0, -0.05, -0.1, 1.0, 0.0);  // what is pressed on
    c->model.bodies = bodies;
    rule = (rslImpactRule){
        .model = &c->model, .stable = 2.0 * c->response.step, .durations = durations, .swings = durations
    };
    assert_close(Needs(&rule, c).asks, 0.0, 0.0);
    assert_close(Needs(&rule, c).goesOn, 0.0, 0.0);
    FreeCase(c);
}

// Wherever it is on a long list, whoever finds it.
static void TestImpactRuleOfMany(void** unused)
{
    (void)unused;
    double durations[2] = { 3.0, 3.0 };
    rslBody bodies[2] = { { .spacing = 1.0 }, { .spacing = 1.0 } };
    for (int fast = 0; fast < MOST; ++fast)
    {
        Case* c = OnePoint(0.0, -0.05, -0.1, 1.0, 0.0);  // pressed on
        c->model.bodies = bodies;
        for (int i = 1; i < MOST; ++i)
        {
            c->list[i] = c->list[0];
        }
        c->collisions.count = MOST;
        rslImpactRule rule = {
            .model = &c->model, .stable = 2.0 * c->response.step, .durations = durations, .swings = durations
        };
        assert_close(NeedsBy(&rule, c, 3).asks, 0.0, 0.0);
        c->list[fast].velocity.z = 2.0;  // of the ground
        for (int threads = 1; threads <= 3; threads += 2)
        {
            assert_close(NeedsBy(&rule, c, threads).asks, 3.0, 0.0);
            assert_close(NeedsBy(&rule, c, threads).goesOn, 0.75, 0.0);
        }
        FreeCase(c);
    }
}

// A wall that comes pushes: e = 0 takes its speed, e = 1 twice that, and the wall works.
static void TestBelt(void** unused)
{
    (void)unused;
    for (int e = 0; e < 2; ++e)
    {
        Case* c = OnePoint(0.0, 0.0, 0.0, e, 0.0);
        c->list[0].velocity = (rslVec3){ 0.0, 0.0, 3.0 };
        Respond(c);
        double mass = c->mass[c->nodes[0]], speed = 3.0 * (1 + e);
        assert_close(VelocityAfter(c, c->nodes[0]).z, speed, 1e-14);
        assert_close(c->response.motion, mass * speed * 3.0, 1e-13);
        assert_close(c->response.heat, mass * speed * (3.0 - 0.5 * speed), 1e-13);
        FreeCase(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestOnePoint),         cmocka_unit_test(TestPayment), cmocka_unit_test(TestImpactRule),
        cmocka_unit_test(TestImpactRuleOfMany), cmocka_unit_test(TestBelt),
    };
    return cmocka_run_group_tests_name("respond_one", tests, NULL, NULL);
}
