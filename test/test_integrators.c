// SPDX-License-Identifier: MIT
//
// test_integrators.c: every integrator converges at its order to a solution found by other means, and position Verlet
// keeps the energy of an undamped lattice.

#include "physics_fixture.h"

enum
{
    MOST_NODES = 12,
    MOST_PAIRS = MOST_NODES * (MOST_NODES - 1) / 2
};

// A network with everything that its equation of motion needs, apart from the library.
typedef struct Net
{
    int nodeCount, springCount;
    double nodes[3 * MOST_NODES], masses[MOST_NODES];
    double velocities[3 * MOST_NODES];
    int springs[2 * MOST_PAIRS];
    double stiffness[MOST_PAIRS], damping[MOST_PAIRS], restLengths[MOST_PAIRS];
    double massDamping, gravity;
} Net;

// Two masses that circle each other on a stretched spring, out of round.
static Net Orbit(bool damped)
{
    Net net = { .nodeCount = 2, .springCount = 1, .nodes = { -0.6, 0, 0, 0.6, 0.1, 0 }, .masses = { 1.0, 2.0 } };
    net.springs[1] = 1;
    net.stiffness[0] = 40.0;
    net.restLengths[0] = 1.0;
    net.damping[0] = damped ? 1.0 : 0.0;
    net.velocities[1] = -3.0;
    net.velocities[4] = 1.0;
    net.velocities[5] = 0.5;
    return net;
}

static Net RandomNet(bool damped)
{
    Random random = MakeRandom(11);
    Net net = { .nodeCount = MOST_NODES, .gravity = -9.81, .massDamping = damped ? 0.3 : 0.0 };
    for (int i = 0; i < net.nodeCount; ++i)
    {
        net.masses[i] = NextBetween(&random, 0.5, 1.5);
        for (int axis = 0; axis < 3; ++axis)
        {
            net.nodes[3 * i + axis] = NextBetween(&random, -1.0, 1.0);
            net.velocities[3 * i + axis] = NextBetween(&random, -0.5, 0.5);
        }
    }
    for (int a = 0; a < net.nodeCount; ++a)
    {
        for (int b = a + 1; b < net.nodeCount; ++b)
        {
            const double *x = &net.nodes[3 * a], *y = &net.nodes[3 * b];
            double length = rslLength((rslVec3){ y[0] - x[0], y[1] - x[1], y[2] - x[2] });
            if (length > 0.5 && length < 1.4)
            {
                int s = net.springCount++;
                net.springs[2 * s] = a;
                net.springs[2 * s + 1] = b;
                net.stiffness[s] = NextBetween(&random, 10.0, 30.0);
                net.damping[s] = damped ? NextBetween(&random, 0.0, 0.6) : 0.0;
                net.restLengths[s] = length * NextBetween(&random, 0.9, 1.1);
            }
        }
    }
    return net;
}

// ---- the solution by other means ----------------------------------------------------------------------------------------

// y holds positions, then velocities.
static void Rate(const Net* net, const double* y, double* rate)
{
    int n = 3 * net->nodeCount;
    for (int i = 0; i < n; ++i)
    {
        rate[i] = y[n + i];
        rate[n + i] = -net->massDamping * y[n + i] + (i % 3 == 2 ? net->gravity : 0.0);
    }
    for (int s = 0; s < net->springCount; ++s)
    {
        int a = net->springs[2 * s], b = net->springs[2 * s + 1];
        double d[3], square = 0.0, along = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            d[axis] = y[3 * b + axis] - y[3 * a + axis];
            square += d[axis] * d[axis];
            along += d[axis] * (y[n + 3 * b + axis] - y[n + 3 * a + axis]);
        }
        double length = sqrt(square);
        double pull = net->stiffness[s] * (length - net->restLengths[s]) + net->damping[s] * along / length;
        for (int axis = 0; axis < 3; ++axis)
        {
            rate[n + 3 * a + axis] += pull * d[axis] / length / net->masses[a];
            rate[n + 3 * b + axis] -= pull * d[axis] / length / net->masses[b];
        }
    }
}

// The classical Runge-Kutta method of fourth order.
static void Solve(const Net* net, double time, int steps, double* y)
{
    enum
    {
        MOST = 6 * MOST_NODES
    };
    int n = 3 * net->nodeCount;
    double h = time / steps, k[4][MOST], at[MOST];
    memcpy(y, net->nodes, (size_t)n * sizeof(double));
    memcpy(y + n, net->velocities, (size_t)n * sizeof(double));
    for (int step = 0; step < steps; ++step)
    {
        for (int stage = 0; stage < 4; ++stage)
        {
            double part = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
            for (int i = 0; i < 2 * n; ++i)
            {
                at[i] = y[i] + part * (stage > 0 ? k[stage - 1][i] : 0.0);
            }
            Rate(net, at, k[stage]);
        }
        for (int i = 0; i < 2 * n; ++i)
        {
            y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        }
    }
}

// ---- order of convergence -----------------------------------------------------------------------------------------------

static double Error(const Net* net, rslIntegrator integrator, double time, int steps, const double* exact)
{
    rslBodyDef body =
        NetworkBody("a", net->nodes, net->nodeCount, net->masses, net->springs, net->springCount, net->stiffness);
    body.network.massCount = net->nodeCount;
    body.network.stiffnessCount = body.network.dampingCount = body.network.restLengthCount = net->springCount;
    body.network.damping = net->damping;
    body.network.restLengths = net->restLengths;
    body.material.massDamping = net->massDamping;
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, net->gravity };
    rslSolverDef def = SolverDef(integrator, time / steps);
    def.tolerance = 1e-9;
    Run run = StartRun(&scene, def);
    double sum = 0.0;
    for (int i = 0; i < net->nodeCount; ++i)
    {
        const double* v = &net->velocities[3 * i];
        rslState_SetVelocity(run.model, run.state, i, (rslVec3){ v[0], v[1], v[2] });
    }
    Step(&run, steps);
    for (int i = 0; i < net->nodeCount; ++i)
    {
        const double *x = &exact[3 * i], *v = &exact[3 * (net->nodeCount + i)];
        rslVec3 dx = rslSub(PositionOf(&run, i), (rslVec3){ x[0], x[1], x[2] });
        rslVec3 dv = rslSub(VelocityOf(&run, i), (rslVec3){ v[0], v[1], v[2] });
        sum += rslDot(dx, dx) + 0.01 * rslDot(dv, dv);
    }
    EndRun(&run);
    return sqrt(sum);
}

// Slope of the logarithm of the error over that of the step, by least squares over four steps.
static double Slope(const Net* net, rslIntegrator integrator, double time, int steps)
{
    double exact[6 * MOST_NODES], sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    Solve(net, time, 40000, exact);
    for (int i = 0; i < 4; ++i, steps *= 2)
    {
        double x = log(time / steps), y = log(Error(net, integrator, time, steps, exact));
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (4.0 * sxy - sx * sy) / (4.0 * sxx - sx * sx);
}

enum
{
    ALL = rsl_trBdf2 + 1  // integrators; static among them, whose order is 0: it has none
};

static void ExpectOrders(const char* problem, const Net* net, double time, const int orders[ALL])
{
    static const char* const names[ALL] = {
        "forward Euler",  "symplectic Euler", "position Verlet", "velocity Verlet", "",
        "implicit Euler", "theta 0.55",       "TR-BDF2"
    };
    for (int i = 0; i < ALL; ++i)
    {
        char what[120];
        bool implicit = i > rsl_static;
        if (orders[i] == 0)
        {
            continue;
        }
        double slope = Slope(net, (rslIntegrator)i, time, implicit ? 60 : orders[i] == 1 ? 4000 : 400);
        snprintf(what, sizeof what, "order of %s, %s: %.3f, off by", names[i], problem, slope);
        assert_proved(what, fabs(slope - orders[i]), implicit ? 0.15 : 0.1);
    }
}

// theta 0.55 has a small part of first order, which shows late: what it is is in test_implicit.c
static const int undampedOrders[ALL] = { 1, 1, 2, 2, 0, 1, 0, 2 };
static const int dampedOrders[ALL] = { 1, 1, 1, 2, 0, 1, 0, 2 };  // position Verlet lags the dampers

static void TestOrbit(void** state)
{
    (void)state;
    Net net = Orbit(false);
    ExpectOrders("orbit", &net, 1.7, undampedOrders);
    net = Orbit(true);
    ExpectOrders("damped orbit", &net, 1.7, dampedOrders);
}

static void TestRandomNet(void** state)
{
    (void)state;
    Net net = RandomNet(false);
    assert_true(net.springCount > 25);
    ExpectOrders("random network", &net, 0.8, undampedOrders);
    net = RandomNet(true);
    ExpectOrders("damped random network", &net, 0.8, dampedOrders);
}

// ---- with everything that changes in time -----------------------------------------------------------------------------

// Where the last node of a chain is.
static rslVec3 Pushed(rslIntegrator integrator, int steps, double time)
{
    PushedChain chain;
    MakePushedChain(&chain, RampOf(-0.1, 2.0, true));
    rslSolverDef def = SolverDef(integrator, time / steps);
    def.tolerance = 1e-9;
    Run run = StartRun(&chain.scene, def);
    Step(&run, steps);
    rslVec3 x = PositionOf(&run, 3);
    EndRun(&run);
    return x;
}

static void TestChangesInTime(void** state)
{
    (void)state;
    rslVec3 exact = Pushed(rsl_velocityVerlet, 200000, 0.9);
    for (int i = 0; i < ALL; ++i)
    {
        int steps = i > rsl_static ? 100 : undampedOrders[i] == 1 ? 2000 : 500;
        if (undampedOrders[i] == 0)
        {
            continue;
        }
        double coarse = Distance(Pushed((rslIntegrator)i, steps, 0.9), exact);
        double fine = Distance(Pushed((rslIntegrator)i, 4 * steps, 0.9), exact);
        double slope = log(coarse / fine) / log(4.0);
        char what[120];
        snprintf(what, sizeof what, "order of integrator %d with motion, drive and load: %.3f, off by", i, slope);
        assert_proved(what, fabs(slope - undampedOrders[i]), 0.1);
    }
}

// ---- energy over a long time --------------------------------------------------------------------------------------------

// Undamped, at the default step: the total energy swings, but goes nowhere. The drift is the slope of a straight line
// through it times the duration.
static void TestEnergyDrift(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(0.4, 0.3, 0.3);
    rslBodyDef body = LatticeBody("a", &box, 0.1);
    body.surface.enabled = false;
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
    Random random = MakeRandom(5);
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        SetNode(&run, i, rslAdd(WorldOf(run.model, i), NextVec3(&random, 5e-3)), NextVec3(&random, 0.5));
    }
    int64_t steps = Proving() ? 1000000 : 40000;
    int count = 0, every = 7;
    double low = INFINITY, high = -INFINITY, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, first = 0.0;
    for (int64_t done = 0; done + every <= steps; done += every, ++count)
    {
        Step(&run, every);
        double y = rslSolver_Energy(run.solver, run.state).total, x = (double)(done + every) / (double)steps;
        first = count == 0 ? y : first;
        low = y < low ? y : low;
        high = y > high ? y : high;
        sx += x;
        sy += y - first;
        sxx += x * x;
        sxy += x * (y - first);
    }
    double drift = fabs((count * sxy - sx * sy) / (count * sxx - sx * sx)), swing = 0.5 * (high - low);
    if (Proving())
    {
        printf("energy %.4g J, swing %.3g J, drift %.3g J\n", first, swing, drift);
    }
    assert_true(swing > 1e-4 * first && swing < first);
    assert_proved("position Verlet, energy drift over its swing", drift / swing, 0.1);
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestOrbit),
        cmocka_unit_test(TestRandomNet),
        cmocka_unit_test(TestChangesInTime),
        cmocka_unit_test(TestEnergyDrift),
    };
    return cmocka_run_group_tests_name("integrators", tests, NULL, NULL);
}
