// SPDX-License-Identifier: MIT
//
// test_box_large.c: Baudet's boxes in large strain, with coefficients as they are at rest or taken anew from the lengths that the
// edges have, beside neo-Hookean finite elements; and what his correction is on tetrahedra and prisms. The figures of docs/theory.md.

#include "beam_fixture.h"
#include "backend.h"
#include "box.h"
#include "state_internal.h"

typedef struct Material
{
    double lambda, mu;
} Material;

static Material MaterialOf(double young, double nu)
{
    return (Material){ young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), 0.5 * young / (1.0 + nu) };
}

// ---- stretched without bending ------------------------------------------------------------------------------------------

typedef enum Law
{
    FIXED,    // coefficients at rest
    UPDATED,  // those of a box with the edges that it has now
    STABLE,   // neo-Hookean, as element_law.h has it
    LAWS
} Law;

// Force on the faces of a unit cube that is stretched along its edges.
static void Pull(Law law, const Material* material, const double s[3], double force[3])
{
    static const int at[3][3] = { { 0, 5, 4 }, { 5, 1, 3 }, { 4, 3, 2 } };
    const double rest[3] = { 1.0, 1.0, 1.0 }, *h = law == UPDATED ? s : rest;
    double diagonal = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]), j = s[0] * s[1] * s[2];
    double m = 4.0 / 3.0 * material->mu, l = material->lambda + 5.0 / 6.0 * material->mu;
    rslBox box = rslBox_Make(h, material->lambda, material->mu, RSL_AUTO, false);
    for (int i = 0; i < 3; ++i)
    {
        double tension = box.edge[i] * (s[i] - 1.0), square = diagonal * diagonal;
        for (int k = 0; k < 3; ++k)
        {
            tension += box.couple[at[i][k]] * h[0] * h[1] * h[2] / (4.0 * h[i] * h[k]) * (s[k] - 1.0);
        }
        force[i] = 4.0 * tension + 4.0 * box.diagonal[0] * (diagonal - sqrt(3.0)) * s[i] / diagonal;
        if (law == STABLE)
        {
            force[i] = m * square / (square + 1.0) * s[i] + (l * (j - 1.0) - 0.75 * m) * j / s[i];
        }
    }
}

// Free across: the force along, and how wide it is then.
static double PullFree(Law law, const Material* material, double stretch, double* across)
{
    double low = 0.3, high = 2.0, force[3] = { 0.0, 0.0, 0.0 };
    for (int step = 0; step < 60; ++step)
    {
        *across = 0.5 * (low + high);
        Pull(law, material, (const double[3]){ stretch, *across, *across }, force);
        low = force[1] > 0.0 ? low : *across;
        high = force[1] > 0.0 ? *across : high;
    }
    return force[0];
}

static void Stretched(void** unused)
{
    (void)unused;
    static const double stretches[] = { 0.6, 0.8, 1.001, 1.25, 1.5, 2.0 };
    static const double ratios[] = { 0.1, 0.3, 0.45 };
    for (int test = 0; test < 18; ++test)
    {
        double nu = ratios[test / 6], stretch = stretches[test % 6], force[LAWS], across[LAWS];
        Material material = MaterialOf(1.0, nu);
        for (int law = 0; law < LAWS; ++law)
        {
            force[law] = PullFree((Law)law, &material, stretch, &across[law]);
        }
        print_message(
            "nu %.2f, stretch %.3f: stress / E fixed %.3f, updated %.3f, neo-Hookean %.3f; across %.3f, %.3f, %.3f\n",
            nu, stretch, force[0], force[1], force[2], across[0], across[1], across[2]);
        // all are the same material where strains are small
        if (test % 6 == 2)
        {
            assert_close(force[FIXED], 1e-3, 3e-6);
            assert_close(force[UPDATED], 1e-3, 3e-6);
            assert_close(across[UPDATED], 1.0 - 1e-3 * nu, 3e-6);
        }
    }
}

// The work on a closed path of stretches: none where there is an energy.
static void Work(void** unused)
{
    (void)unused;
    Material material = MaterialOf(1.0, 0.3);
    double work[LAWS] = { 0.0 };
    enum
    {
        STEPS = 4000
    };
    for (int law = 0; law < LAWS; ++law)
    {
        for (int step = 0; step < STEPS; ++step)
        {
            double angle = 2.0 * PI * (step + 0.5) / STEPS, d = 2.0 * PI / STEPS, force[3];
            const double s[3] = { 1.4 + 0.25 * rslCos(angle), 1.1 + 0.25 * rslSin(angle), 1.0 };
            Pull((Law)law, &material, s, force);
            work[law] += 0.25 * d * (force[1] * rslCos(angle) - force[0] * rslSin(angle));
        }
    }
    double edges = 0.5 * 0.5 * 0.5;  // of the order of E e^2 / 2
    print_message("work on a closed path about stretches of 1.4 and 1.1, over E/2 e^2: fixed %.1e, updated %.3f, "
                  "neo-Hookean %.1e\n",
                  work[FIXED] / edges, work[UPDATED] / edges, work[STABLE] / edges);
    assert_at_most(fabs(work[FIXED]), 1e-10);
    assert_at_most(fabs(work[STABLE]), 1e-10);
    assert_true(fabs(work[UPDATED]) > 0.01 * edges);
}

// ---- bent -------------------------------------------------------------------------------------------------------------

enum
{
    LONG = 8,
    ACROSS = 2,
    COUNT = (LONG + 1) * (ACROSS + 1) * (ACROSS + 1)
};

typedef struct Bar
{
    double x[COUNT][3], v[COUNT][3], f[COUNT][3], mass[COUNT];
} Bar;

static int NodeOf(int cell, int corner)
{
    int i = cell % LONG + (corner & 1), j = cell / LONG % ACROSS + (corner >> 1 & 1),
        k = cell / LONG / ACROSS + (corner >> 2);
    return i + (LONG + 1) * (j + (ACROSS + 1) * k);
}

static double Spring(Bar* bar, int a, int b, double k, double rest, double more, bool pull)
{
    double d[3], square = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        d[axis] = bar->x[b][axis] - bar->x[a][axis];
        square += d[axis] * d[axis];
    }
    double length = sqrt(square), t = (k * (length - rest) + more) / length;
    for (int axis = 0; pull && axis < 3; ++axis)
    {
        bar->f[a][axis] += t * d[axis];
        bar->f[b][axis] -= t * d[axis];
    }
    return length - rest;
}

// Forces of a cube of edge 1/2 by the book: an own loop over its springs, with body diagonals.
static void AddCell(Bar* bar, int cell, const Material* material, double modulus, bool updated)
{
    static const int at[3][3] = { { 0, 5, 4 }, { 5, 1, 3 }, { 4, 3, 2 } };
    const double a = 1.0 / ACROSS;
    double sum[3] = { 0.0, 0.0, 0.0 }, h[3] = { a, a, a };
    for (int pass = 0; pass < 2; ++pass)
    {
        rslBox box = rslBox_Make(h, material->lambda, material->mu, modulus, false);
        for (int e = 0; e < 24; ++e)
        {
            int i = e % 3, c = e / 3;
            double more = 0.0;
            for (int j = 0; j < 3; ++j)
            {
                more += box.couple[at[i][j]] * h[0] * h[1] * h[2] / (16.0 * h[i] * h[j]) * sum[j];
            }
            if ((c >> i & 1) == 0)
            {
                double longer = Spring(bar, NodeOf(cell, c), NodeOf(cell, c | 1 << i), box.edge[i], a, more, pass == 1);
                sum[i] += pass == 0 ? longer : 0.0;
            }
        }
        for (int c = 0; pass == 1 && c < 4; ++c)
        {
            (void)Spring(bar, NodeOf(cell, c), NodeOf(cell, 7 - c), box.diagonal[0], sqrt(3.0) * a, 0.0, true);
        }
        for (int i = 0; pass == 0 && updated && i < 3; ++i)
        {
            h[i] = a + 0.25 * sum[i];
        }
    }
}

// The tip of a cantilever under its weight, at rest by motion that is damped away.
static rslVec3 Relax(double nu, double modulus, bool updated, double gravity)
{
    static Bar bar;
    Material material = MaterialOf(1e5, nu);
    const double a = 1.0 / ACROSS, step = 0.012;
    memset(&bar, 0, sizeof bar);
    for (int i = 0; i < COUNT; ++i)
    {
        bar.x[i][0] = a * (i % (LONG + 1)) - 2.0;
        bar.x[i][1] = a * (i / (LONG + 1) % (ACROSS + 1)) - 0.5;
        bar.x[i][2] = a * (i / (LONG + 1) / (ACROSS + 1)) - 0.5;
    }
    for (int c = 0; c < 8 * LONG * ACROSS * ACROSS; ++c)
    {
        bar.mass[NodeOf(c / 8, c % 8)] += 1000.0 * a * a * a / 8.0;
    }
    for (int n = 0; n < 6000; ++n)
    {
        memset(bar.f, 0, sizeof bar.f);
        for (int cell = 0; cell < LONG * ACROSS * ACROSS; ++cell)
        {
            AddCell(&bar, cell, &material, modulus, updated);
        }
        for (int i = 0; i < 3 * COUNT; ++i)
        {
            int node = i / 3, axis = i % 3;
            double force = bar.f[node][axis] / bar.mass[node] - (axis == 2 ? gravity : 0.0);
            bar.v[node][axis] = node % (LONG + 1) == 0 ? 0.0 : bar.v[node][axis] * (1.0 - 1.2 * step) + step * force;
            bar.x[node][axis] += step * bar.v[node][axis];
        }
    }
    int tip = LONG + (LONG + 1) * (ACROSS / 2 + (ACROSS + 1) * (ACROSS / 2));
    return (rslVec3){ bar.x[tip][0] - 2.0, bar.x[tip][1], bar.x[tip][2] };
}

static rslVec3 TipOf(const rslBodyDef* body, int across, double gravity)
{
    Beam beam = BendBody(body, gravity);
    rslVec3 moved[MOST];
    assert_int_equal(beam.rest.outcome, rsl_restFound);
    Sample(&beam, across, 2, moved);
    FreeBeam(&beam);
    return moved[7 + 8 * (1 + 3 * 1)];  // in the middle of the end
}

static void Bent(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    const double nu = 0.3;
    int across = Proving() ? 8 : 4;
    for (int test = 0; test < 4; ++test)
    {
        bool tuned = test % 2 != 0;
        double gravity = test < 2 ? 0.35 : 0.6, modulus = tuned ? 1e5 / 3.0 : RSL_AUTO;
        rslBodyDef body = LatticeBody("bar", &shape, 1.0 / across);
        body.material.poisson = nu;
        body.model.type = rsl_finiteModel;
        body.model.law = rsl_neoHookeanElement;
        rslVec3 wanted = TipOf(&body, across, gravity), fixed = Relax(nu, modulus, false, gravity);
        rslVec3 updated = Relax(nu, modulus, true, gravity);
        print_message("tip, g %.2f, %s edges: fixed %.3f %.3f, updated %.3f %.3f, neo-Hookean %d across %.3f %.3f\n",
                      gravity, tuned ? "tuned" : "Baudet's", fixed.x, fixed.z, updated.x, updated.z, across, wanted.x,
                      wanted.z);
        print_message("  off by %.1f %% and %.1f %%\n", 100.0 * Distance(fixed, wanted) / rslLength(wanted),
                      100.0 * Distance(updated, wanted) / rslLength(wanted));
        if (test < 2)  // pressed columns give way at more, to one side or the other
        {
            body.network.spacing = 1.0 / ACROSS;
            body.model.type = rsl_boxModel;
            body.model.edges = tuned ? rsl_tunedEdges : rsl_baudetEdges;
            assert_at_most(Distance(TipOf(&body, ACROSS, gravity), fixed), 2e-3);
        }
    }
}

// ---- tetrahedra -------------------------------------------------------------------------------------------------------

// X of A X = B by elimination with pivots.
static void Solve(double a[6][6], double b[6][6])
{
    for (int p = 0; p < 6; ++p)
    {
        int best = p;
        for (int r = p + 1; r < 6; ++r)
        {
            best = fabs(a[r][p]) > fabs(a[best][p]) ? r : best;
        }
        for (int c = 0; c < 6; ++c)
        {
            double x = a[p][c], y = b[p][c];
            a[p][c] = a[best][c];
            b[p][c] = b[best][c];
            a[best][c] = x;
            b[best][c] = y;
        }
        for (int r = 0; r < 6; ++r)
        {
            double factor = r == p ? 0.0 : a[r][p] / a[p][p];
            for (int c = 0; c < 6; ++c)
            {
                a[r][c] -= factor * a[p][c];
                b[r][c] -= factor * b[p][c];
            }
        }
    }
    for (int r = 0; r < 36; ++r)
    {
        b[r / 6][r % 6] /= a[r / 6][r / 6];
    }
}

static const int tetEdges[6][2] = {
    { 0, 1 }, { 2, 3 }, { 0, 2 }, { 1, 3 }, { 0, 3 }, { 1, 2 }
};  // opposite ones in pairs

// B in V/2 sum B_ef e_e e_f, e the strains of the six edges: the only form with the energy of the material.
static void EdgeForm(double (*x)[3], const Material* material, double b[6][6])
{
    static const int row[6] = { 0, 1, 2, 1, 2, 0 }, column[6] = { 0, 1, 2, 2, 0, 1 };
    double n[6][6], copy[6][6], c[6][6] = { { 0 } };
    for (int e = 0; e < 6; ++e)
    {
        double d[3], square = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            d[axis] = x[tetEdges[e][1]][axis] - x[tetEdges[e][0]][axis];
            square += d[axis] * d[axis];
        }
        for (int s = 0; s < 6; ++s)
        {
            n[e][s] = d[row[s]] * d[column[s]] / square;  // beside xx yy zz and twice yz zx xy
            c[e][s] = e < 3 && s < 3 ? material->lambda + (e == s ? 2.0 * material->mu : 0.0)
                      : e == s       ? material->mu
                                     : 0.0;
        }
    }
    // B = N^-T C N^-1
    for (int i = 0; i < 36; ++i)
    {
        copy[i / 6][i % 6] = n[i % 6][i / 6];
    }
    Solve(copy, c);
    for (int i = 0; i < 36; ++i)
    {
        b[i / 6][i % 6] = c[i % 6][i / 6];
        copy[i / 6][i % 6] = n[i % 6][i / 6];
    }
    Solve(copy, b);
}

static void Tetrahedra(void** unused)
{
    (void)unused;
    static const int corners[4] = { 0, 1, 2, 3 };
    static const double ratios[] = { 0.0, 0.25, 0.45 };
    double worst = 0.0;
    for (int test = 0; test < 12; ++test)
    {
        double nu = ratios[test % 3], b[6][6], x[4][3] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
        Material material = MaterialOf(1e5, nu);
        Random random = MakeRandom((uint64_t)test);
        for (int c = 0; test >= 3 && c < 12; ++c)
        {
            x[c / 3][c % 3] += NextBetween(&random, -0.4, 0.4);
        }
        EdgeForm(x, &material, b);
        rslBodyDef body = LatticeBody("t", NULL, 0.0);
        body.network.type = rsl_tetrahedraNetwork;
        body.network.nodes = x[0];
        body.network.nodeCount = 4;
        body.network.tetrahedra = corners;
        body.network.tetrahedronCount = 1;
        body.material.poisson = nu;
        body.model.type = rsl_finiteModel;
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        rslState* state = StateOf(model, rsl_double);
        rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
        void* kernel = rslBackend64.create(model, rsl_static, NULL, team);
        for (int trial = 0; trial < 5; ++trial)
        {
            double memory[6][4 + RSL_STATE_PADDING] = { { 0 } }, strain[6], form = 0.0, energy = 0.0;
            double *p[3] = { memory[0], memory[1], memory[2] }, *out[3] = { memory[3], memory[4], memory[5] };
            for (int c = 0; c < 12; ++c)
            {
                p[c % 3][c / 3] = NextBetween(&random, -1.0, 1.0);
            }
            for (int e = 0; e < 6; ++e)
            {
                int from = tetEdges[e][0], to = tetEdges[e][1];
                double square = 0.0, along = 0.0;
                for (int axis = 0; axis < 3; ++axis)
                {
                    double d = x[to][axis] - x[from][axis];
                    square += d * d;
                    along += d * (p[axis][to] - p[axis][from]);
                }
                strain[e] = along / square;
            }
            assert_true(rslBackend64.product(kernel, state, rsl_stiffnessProduct, p, out));
            for (int c = 0; c < 12; ++c)
            {
                energy += p[c % 3][c / 3] * out[c % 3][c / 3];
            }
            for (int i = 0; i < 36; ++i)
            {
                form += model->bodies[0].volume * b[i / 6][i % 6] * strain[i / 6] * strain[i % 6];
            }
            worst = Worse(worst, fabs(form / energy - 1.0));
        }
        if (test < 3)
        {
            print_message(
                "regular tetrahedron, nu %.2f, over E: edge %.3f, with the opposite one %.3f, with others %.3f\n", nu,
                b[0][0] / 1e5, b[0][1] / 1e5, b[0][2] / 1e5);
        }
        rslBackend64.destroy(kernel);
        rslTeam_Free(team);
        rslState_Free(state);
        rslModel_Free(model);
    }
    assert_proved("tetrahedra: the form in edge strains against the finite element", worst, 1e-9);
}

// ---- prisms -----------------------------------------------------------------------------------------------------------

// Diagonals of the three sides of a prism with f = mu cot(alpha) (a^2 + h^2) / (4 h), alpha the angle opposite to the edge a: shear
// along the axis is that of the material, on every triangle.
static void Prisms(void** unused)
{
    (void)unused;
    Random random = MakeRandom(3);
    int obtuse = 0;
    for (int test = 0; test < 40; ++test)
    {
        double x[3][2] = { { 0.0, 0.0 },
                           { 1.0, 0.0 },
                           { NextBetween(&random, -0.3, 1.3), NextBetween(&random, 0.3, 1.2) } };
        double height = NextBetween(&random, 0.3, 2.0), mu = 0.4, gx = 0.3, gy = -0.7, energy = 0.0, least = 1.0;
        double area = 0.5 * (x[1][0] * x[2][1] - x[1][1] * x[2][0]);
        for (int i = 0; i < 3; ++i)
        {
            const double *p = x[(i + 1) % 3], *q = x[(i + 2) % 3], *o = x[i];
            double cross = (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
            double cot = ((p[0] - o[0]) * (q[0] - o[0]) + (p[1] - o[1]) * (q[1] - o[1])) / cross;
            double dx = q[0] - p[0], dy = q[1] - p[1], square = dx * dx + dy * dy + height * height;
            double k = mu * cot * square / (4.0 * height);
            least = fmin(least, k);
            for (int side = -1; side <= 1; side += 2)
            {
                double longer = 2.0 * side * height * (dx * gx + dy * gy) / sqrt(square);
                energy += 0.5 * k * longer * longer;
            }
        }
        obtuse += least < 0.0;
        assert_close(energy / (area * height), 2.0 * mu * (gx * gx + gy * gy), 1e-12);
    }
    print_message("prisms: %d of 40 triangles are obtuse, and have a side whose diagonals push\n", obtuse);
    assert_true(obtuse > 0 && obtuse < 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Stretched),  cmocka_unit_test(Work),   cmocka_unit_test(Bent),
        cmocka_unit_test(Tetrahedra), cmocka_unit_test(Prisms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
