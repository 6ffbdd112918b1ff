// SPDX-License-Identifier: MIT
//
// test_brick.c: bricks: full cells against the springs they come from, cells cut by planes at random, uniform stress in bodies
// that cut the cells of their lattice in any way. Bodies of them are in test_brick_body.c, their frequencies in test_brick_modes.c;
// differences of energy and forces of whole bodies and single precision in test_terms.c and test_forces.c.

#define RSL_PRECISION 64

#include "brick_fixture.h"
#include "brick.h"
#include "cell_moments.h"
#include "element_law.h"

// ---- one cell -------------------------------------------------------------------------------------------------------

// A brick of edge a and what it is made of.
typedef struct Brick
{
    double a, nu;
    rslBorderCell cell;
    double record[RSL_BRICK_NUMBERS];
    rslElements set;
    double rest[256];
    Element element;
} Brick;

static void MakeBrick(Brick* brick, double a, double nu, const rslBorderCell* cell, double floor, bool dipole)
{
    rslModelDef model = BrickModel(rsl_linearElement, floor);
    model.dipole = dipole;
    *brick = (Brick){ .a = a, .nu = nu, .cell = *cell };
    rslBrick_Record(cell, &model, nu, brick->record);
    brick->set = (rslElements){ .kind = rsl_brickElements, .count = 1, .recordCount = 1, .constants = brick->record };
    brick->element = (Element){ .volume = cell->fraction, .lambda = Lambda(1.0, nu), .mu = Mu(1.0, nu) };
    double x[8][3] = { { 0.0 }, { a } };
    assert_true(rslBrickElement64.restCount <= (int)(sizeof brick->rest / sizeof(double)));
    rslBrickElement64.rest(&brick->element, brick->rest, x, &brick->set, 0);
    brick->element.rest = brick->rest;
}

static const rslBorderCell full = { .fraction = 1.0, .variance = { 1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0 } };

static rslBorderCell CellOf(const rslMoments* m)
{
    rslBorderCell cell = { .fraction = m->volume, .triple = m->triple / m->volume };
    for (int i = 0; i < 3; ++i)
    {
        cell.centroid[i] = m->first[i] / m->volume;
        cell.variance[i] = m->square[i] / m->volume - cell.centroid[i] * cell.centroid[i];
        cell.product[i] = m->cross[i] / m->volume;
    }
    return cell;
}

// A cube cut by one to three planes, of which at least so much is left.
static rslBorderCell RandomCut(Random* random, double least)
{
    for (;;)
    {
        rslHalfSpace cuts[3];
        int count = 1 + (int)NextBetween(random, 0.0, 3.0);
        for (int c = 0; c < count; ++c)
        {
            rslVec3 n = NextVec3(random, 1.0);
            cuts[c] = (rslHalfSpace){ rslScale(1.0 / rslLength(n), n), NextBetween(random, -0.7, 0.7) };
        }
        rslMoments moments = { 0 };
        rslMoments_AddClippedCube(&moments, 1.0, (rslVec3){ 0.0, 0.0, 0.0 }, 1.0, cuts, count);
        if (moments.volume >= least)
        {
            return CellOf(&moments);
        }
    }
}

// The same motion of corners as a matrix.
static void Affine(const Brick* brick, const double h[9], Nodes u)
{
    for (int n = 0; n < 8; ++n)
    {
        const double x[3] = { n & 1 ? brick->a : 0.0, n & 2 ? brick->a : 0.0, n & 4 ? brick->a : 0.0 };
        for (int r = 0; r < 3; ++r)
        {
            u[n][r] = h[3 * r] * x[0] + h[3 * r + 1] * x[1] + h[3 * r + 2] * x[2];
        }
    }
}

static void RandomNodes(Random* random, double size, Nodes u)
{
    for (int i = 0; i < 24; ++i)
    {
        u[i / 3][i % 3] = NextBetween(random, -size, size);
    }
}

// Springs of the lattice AB, edges times e and diagonals times d, and one point with C less theirs.
static void TunedMatrix(double a, double nu, double e, double d, double k[24][24])
{
    double mu = Mu(1.0, nu), lambda = Lambda(1.0, nu);
    memset(k, 0, 24 * sizeof k[0]);
    for (int p = 0; p < 8; ++p)
    {
        for (int q = p + 1; q < 8; ++q)
        {
            const double x[3] = { (q & 1) - (p & 1), (q >> 1 & 1) - (p >> 1 & 1), (q >> 2) - (p >> 2) };
            double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
            double spring = square < 1.5 ? 0.25 * e : square < 2.5 ? 0.5 * d : 0.0;
            for (int rc = 0; rc < 9; ++rc)
            {
                double one = mu * a * spring * x[rc / 3] * x[rc % 3] / square;
                int r = rc / 3, c = rc % 3;
                k[3 * p + r][3 * p + c] += one;
                k[3 * q + r][3 * q + c] += one;
                k[3 * p + r][3 * q + c] -= one;
                k[3 * q + r][3 * p + c] -= one;
            }
        }
    }
    // springs have C11 = (e + 2 d) mu, C12 = C44 = d mu
    double l = lambda - d * mu, m = mu - d * mu, extra = (d - e) * mu;
    for (int i = 0; i < 24; ++i)
    {
        for (int j = 0; j < 24; ++j)
        {
            double g[3], h[3], dot = 0.0;
            for (int axis = 0; axis < 3; ++axis)
            {
                g[axis] = (i / 3 >> axis & 1 ? 0.25 : -0.25) / a;
                h[axis] = (j / 3 >> axis & 1 ? 0.25 : -0.25) / a;
                dot += g[axis] * h[axis];
            }
            int r = i % 3, c = j % 3;
            k[i][j] += a * a * a * (l * g[r] * h[c] + m * g[c] * h[r] + (r == c ? m * dot + extra * g[r] * h[r] : 0.0));
        }
    }
}

static void FullCell(void** unused)
{
    (void)unused;
    static const double ratios[] = { -0.9, -0.5, 0.0, 0.25, 0.3, 0.45, 0.49 };
    static double expected[24][24];
    double worst = 0.0;
    for (int test = 0; test < 14 * rsl_elementLawCount; ++test)
    {
        Brick brick;
        Nodes u, p, out;
        double nu = ratios[test % 7], tuned = 2.0 * (1.0 + nu) / (3.0 * (2.0 - nu));
        bool dipole = test / 7 % 2 == 1, twist = dipole && nu > 0.0;
        memset(u, 0, sizeof u);
        MakeBrick(&brick, 0.3, nu, &full, 0.5, dipole);
        TunedMatrix(0.3, nu, twist ? (1.0 + 3.0 * nu) / 3.0 : tuned, twist ? 1.0 / 3.0 : tuned, expected);
        for (int column = 0; column < 24; ++column)
        {
            memset(p, 0, sizeof p);
            p[column / 3][column % 3] = 1.0;
            rslBrickElement64.stiffness(&brick.element, (rslElementLaw)(test / 14), u, p, out);
            for (int row = 0; row < 24; ++row)
            {
                worst = Worse(worst, fabs(out[row / 3][row % 3] - expected[row][column]) / expected[0][0]);
            }
        }
    }
    assert_proved("brick: full cell against tuned AB", worst, 1e-12);
}

// f'(0) by differences of fourth order
static double Slope(const double f[4], double h)
{
    return (8.0 * (f[0] - f[1]) - (f[2] - f[3])) / (12.0 * h);
}

typedef struct Worst
{
    double force, stiffness, symmetry, momentum, turning, damping, rest;
} Worst;

static double Norm(Nodes v)
{
    double sum = 0.0;
    for (int i = 0; i < 24; ++i)
    {
        sum += v[i / 3][i % 3] * v[i / 3][i % 3];
    }
    return sqrt(sum);
}

static double Product(Nodes a, Nodes b)
{
    double sum = 0.0;
    for (int i = 0; i < 24; ++i)
    {
        sum += a[i / 3][i % 3] * b[i / 3][i % 3];
    }
    return sum;
}

// Momentum and angular momentum that forces bring, over what they would if they did not cancel.
static void Balance(const Brick* brick, Nodes u, Nodes f, Worst* worst)
{
    Nodes x;
    double size = 1e-30, sum[3] = { 0.0 }, turn[3] = { 0.0 };
    for (int n = 0; n < 8; ++n)
    {
        for (int r = 0; r < 3; ++r)
        {
            x[n][r] = u[n][r] + (n >> r & 1 ? brick->a : 0.0);
            size += fabs(f[n][r]);
            sum[r] += f[n][r];
        }
        for (int r = 0; r < 3; ++r)
        {
            int i = (r + 1) % 3, j = (r + 2) % 3;
            turn[r] += x[n][i] * f[n][j] - x[n][j] * f[n][i];
        }
    }
    for (int r = 0; r < 3; ++r)
    {
        worst->momentum = Worse(worst->momentum, fabs(sum[r]) / size);
        worst->turning = Worse(worst->turning, fabs(turn[r]) / (size * brick->a));
    }
}

static void CheckMotion(const Brick* brick, rslElementLaw law, Random* random, Worst* worst)
{
    const ElementKind* kind = &rslBrickElement64;
    const Element* e = &brick->element;
    Nodes u, p, q, f, kp, kq, at;
    double h = 1e-3 * brick->a, energy[4], forces[4][24];
    RandomNodes(random, 0.15 * brick->a, u);
    RandomNodes(random, 1.0, p);
    RandomNodes(random, 1.0, q);
    for (int s = 0; s < 4; ++s)
    {
        static const double steps[4] = { 1.0, -1.0, 2.0, -2.0 };
        for (int i = 0; i < 24; ++i)
        {
            at[i / 3][i % 3] = u[i / 3][i % 3] + steps[s] * h * p[i / 3][i % 3];
        }
        energy[s] = kind->energy(e, law, at);
        kind->force(e, law, at, f);
        memcpy(forces[s], f, sizeof forces[s]);
    }
    kind->force(e, law, u, f);
    kind->stiffness(e, law, u, p, kp);
    kind->stiffness(e, law, u, q, kq);
    worst->force = Worse(worst->force, fabs(Slope(energy, h) + Product(f, p)) / (Norm(f) * Norm(p)));
    for (int i = 0; i < 24; ++i)
    {
        const double one[4] = { forces[0][i], forces[1][i], forces[2][i], forces[3][i] };
        worst->stiffness = Worse(worst->stiffness, fabs(Slope(one, h) + kp[i / 3][i % 3]) / Norm(kp));
    }
    worst->symmetry = Worse(worst->symmetry, fabs(Product(q, kp) - Product(p, kq)) / (Norm(q) * Norm(kp)));
    if (law != rsl_linearElement)
    {
        Balance(brick, u, f, worst);
        kind->damping(e, law, u, p, kp);
        Balance(brick, u, kp, worst);
    }
    kind->damping(e, law, u, p, kp);
    kind->damping(e, law, u, q, kq);
    worst->symmetry = Worse(worst->symmetry, fabs(Product(q, kp) - Product(p, kq)) / (Norm(q) * Norm(kp)));
    worst->damping = Worse(worst->damping, -Product(p, kp));
    memset(u, 0, sizeof u);
    kind->damping(e, law, u, p, kp);
    kind->stiffness(e, law, u, p, kq);
    for (int i = 0; i < 24; ++i)
    {
        worst->rest = Worse(worst->rest, fabs(kp[i / 3][i % 3] - kq[i / 3][i % 3]) / Norm(kq));
    }
}

// Also cells of which next to nothing is left.
static void CutCells(void** unused)
{
    (void)unused;
    Random random = MakeRandom(7);
    Worst worst = { 0 };
    for (int test = 0; test < (Proving() ? 3000 : 300); ++test)
    {
        rslBorderCell cell = RandomCut(&random, 1e-6);
        Brick brick;
        MakeBrick(&brick, NextBetween(&random, 0.05, 3.0), NextBetween(&random, -0.5, 0.49), &cell,
                  test % 5 == 0 ? 0.0 : NextBetween(&random, 0.0, 1.0), test % 2 == 0);
        CheckMotion(&brick, (rslElementLaw)(test % rsl_elementLawCount), &random, &worst);
    }
    assert_proved("brick: force against differences of energy, random cuts", worst.force, 1e-7);
    assert_proved("brick: stiffness against differences of force, random cuts", worst.stiffness, 1e-6);
    assert_proved("brick: symmetry of K and C, random cuts", worst.symmetry, 1e-12);
    assert_proved("brick: sum of forces, random cuts", worst.momentum, 1e-14);
    assert_proved("brick: sum of torques, random cuts", worst.turning, 1e-13);
    assert_at_most(worst.damping, 0.0);
    assert_at_most(worst.rest, 1e-14);
}

// A brick in affine motion is its law, and nothing else, however large the strain.
static void AffineMotion(void** unused)
{
    (void)unused;
    Random random = MakeRandom(8);
    for (int test = 0; test < 200; ++test)
    {
        rslElementLaw law = (rslElementLaw)(test % rsl_elementLawCount);
        rslBorderCell cell = RandomCut(&random, 1e-3);
        Brick brick;
        Nodes u, f;
        Matrix h, stress;
        MakeBrick(&brick, 0.7, NextBetween(&random, -0.5, 0.49), &cell, 0.5, false);
        for (int c = 0; c < 9; ++c)
        {
            h[c] = NextBetween(&random, -0.4, 0.4);
        }
        Affine(&brick, h, u);
        const Element* e = &brick.element;
        double expected = e->volume * LawDensity(law, e->lambda, e->mu, h);
        assert_close(rslBrickElement64.energy(e, law, u), expected, 1e-12 * e->volume * e->mu);
        LawStress(law, e->lambda, e->mu, h, stress);
        rslBrickElement64.force(e, law, u, f);
        for (int i = 0; i < 24; ++i)
        {
            const double *b = brick.record + 3 * (i / 3), *row = stress + i % 3 * 3;
            double one = -e->volume / brick.a * (row[0] * b[0] + row[1] * b[1] + row[2] * b[2]);
            assert_close(f[i / 3][i % 3], one, 1e-12 * e->volume / brick.a * (e->mu + fabs(e->lambda)));
        }
    }
}

// Flattened, at one point, turned inside out, far away: everything stays finite.
static void Crushed(void** unused)
{
    (void)unused;
    Random random = MakeRandom(9);
    static const double shapes[][9] = {
        { -1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0 }, { -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 },
        { -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 },   { -2.0, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, -2.0 },
        { 1e6, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1e6 },   { -1.0, 1.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0 },
    };
    for (int test = 0; test < 6 * 2 * rsl_elementLawCount; ++test)
    {
        rslElementLaw law = (rslElementLaw)(test / 12);
        rslBorderCell cell = RandomCut(&random, 1e-3);
        Brick brick;
        Nodes u, p, out[3];
        MakeBrick(&brick, 1.0, 0.4, test % 2 == 0 ? &full : &cell, 0.5, false);
        Affine(&brick, shapes[test / 2 % 6], u);
        RandomNodes(&random, 1.0, p);
        rslBrickElement64.force(&brick.element, law, u, out[0]);
        rslBrickElement64.stiffness(&brick.element, law, u, p, out[1]);
        rslBrickElement64.damping(&brick.element, law, u, p, out[2]);
        assert_true(isfinite(rslBrickElement64.energy(&brick.element, law, u)));
        for (int i = 0; i < 72; ++i)
        {
            assert_true(isfinite(out[i / 24][i / 3 % 8][i % 3]));
        }
    }
}

// ---- uniform stress -------------------------------------------------------------------------------------------------

static Bar RandomBar(Random* random)
{
    Bar bar = { .spacing = NextBetween(random, 0.3, 0.6), .nu = NextBetween(random, -0.4, 0.48) };
    bar.size = (rslVec3){ NextBetween(random, 1.5, 3.0), NextBetween(random, 0.7, 1.3), NextBetween(random, 0.7, 1.3) };
    bar.orientation = (rslRotationDef){ NextVec3(random, 1.0), NextBetween(random, 0.0, 180.0) };
    bar.floor = NextBetween(random, 0.2, 0.8);
    return bar;
}

// Any cut, loads as the bricks have them and as the faces have them.
static void UniformStress(void** unused)
{
    (void)unused;
    Random random = MakeRandom(11);
    double exact = 0.0, sampled = 0.0;
    for (int test = 0; test < (Proving() ? 20 : 3); ++test)
    {
        for (int way = 0; way < 2; ++way)
        {
            Random same = random;
            Bar bar = RandomBar(&same);
            double young, poisson;
            OpenBar(&bar);
            StartBar(&bar);
            (way == 0 ? PullMeans(&bar) : PullFaces(&bar, 400));
            Relax(&bar);
            Moduli(&bar, &young, &poisson);
            double error = fmax(fabs(young - 1.0), fabs(poisson - bar.nu));
            exact = way == 0 ? fmax(exact, error) : exact;
            sampled = way == 1 ? fmax(sampled, error) : sampled;
            CloseBar(&bar);
            random = way == 1 ? same : random;
        }
    }
    assert_proved("brick: uniform stress, any cut: E and nu", exact, 1e-6);
    assert_proved("brick: uniform stress, any cut, loads on faces: E and nu", sampled, 1e-4);
}

// Bricks between the nodes of a centred lattice: boxes along it, whatever their size.
static void CentredLattice(void** unused)
{
    (void)unused;
    static const rslVec3 sizes[] = { { 2.0, 1.0, 1.0 }, { 2.1, 0.95, 0.8 }, { 1.7, 0.6, 1.3 }, { 0.55, 0.6, 0.7 } };
    double exact = 0.0, sampled = 0.0, mass = 0.0;
    for (int test = 0; test < 16; ++test)
    {
        Bar bar = { .size = sizes[test / 4], .spacing = 0.25, .nu = test % 2 == 0 ? 0.25 : 0.45, .floor = 0.5 };
        double young, poisson;
        bar.centred = true;
        OpenBar(&bar);
        StartBar(&bar);
        const rslBody* body = &bar.model->bodies[0];
        for (int i = 0; i < bar.model->nodeCount; ++i)
        {
            assert_true(bar.model->mass[i] > 0.05 * 0.25 * 0.25 * 0.25);
        }
        mass = Worse(mass, fabs(body->mass / (bar.size.x * bar.size.y * bar.size.z) - 1.0));
        (test / 2 % 2 == 0 ? PullMeans(&bar) : PullFaces(&bar, 200));
        Relax(&bar);
        Moduli(&bar, &young, &poisson);
        double error = fmax(fabs(young - 1.0), fabs(poisson - bar.nu));
        exact = test / 2 % 2 == 0 ? fmax(exact, error) : exact;
        sampled = test / 2 % 2 == 1 ? fmax(sampled, error) : sampled;
        CloseBar(&bar);
    }
    assert_proved("brick: centred lattice, mass", mass, 1e-12);
    assert_proved("brick: centred lattice, uniform stress: E and nu", exact, 1e-6);
    assert_proved("brick: centred lattice, uniform stress, loads on faces: E and nu", sampled, 1e-4);
    // other shapes and thin ones are refused
    rslShapeDef shapes[2] = { BallShape(1.0), BoxShape(1.0, 1.0, 0.2) };
    for (int test = 0; test < 2; ++test)
    {
        rslBodyDef body = LatticeBody("body", &shapes[test], 0.25);
        body.model = BrickModel(rsl_corotationalElement, 0.5);
        body.network.construction = rsl_centredLattice;
        rslScene scene = SceneOf(&body, 1);
        Refused(&scene, body.network.place, "need a box along the lattice");
    }
}

// Moments of a cell by 8^3 points.
static rslBorderCell Sampled(const rslBody* body, const rslShape* shape, int64_t cell)
{
    enum
    {
        POINTS = 8
    };
    const rslLattice* lattice = &body->lattice;
    rslMat3 turn = rslQuatMatrix(body->frame.rotation);
    int i = (int)(cell % lattice->cells[0]), j = (int)(cell / lattice->cells[0] % lattice->cells[1]);
    int k = (int)(cell / lattice->cells[0] / lattice->cells[1]);
    rslMoments m = { 0 };
    for (int n = 0; n < POINTS * POINTS * POINTS; ++n)
    {
        const double s[3] = { (n % POINTS + 0.5) / POINTS - 0.5, (n / POINTS % POINTS + 0.5) / POINTS - 0.5,
                              (n / POINTS / POINTS + 0.5) / POINTS - 0.5 };
        rslVec3 X = { i + 0.5 + s[0], j + 0.5 + s[1], k + 0.5 + s[2] };
        X = rslAdd(lattice->origin, rslScale(lattice->spacing, X));
        if (!rslShape_Contains(shape, rslAdd(body->frame.origin, rslMatVec(&turn, X))))
        {
            continue;
        }
        m.volume += 1.0 / (POINTS * POINTS * POINTS);
        for (int axis = 0; axis < 3; ++axis)
        {
            double p = s[(axis + 1) % 3] * s[(axis + 2) % 3], one = 1.0 / (POINTS * POINTS * POINTS);
            m.first[axis] += one * s[axis];
            m.square[axis] += one * (s[axis] * s[axis] + 1.0 / (12.0 * POINTS * POINTS));
            m.cross[axis] += one * p;
            m.triple += one * (axis == 0 ? s[0] * p : 0.0);
        }
    }
    return m.volume > 0.0 ? CellOf(&m) : (rslBorderCell){ 0 };
}

// Bricks of moments that are not exact, put into a model in the place of the exact ones.
static void SampledMoments(void** unused)
{
    (void)unused;
    Random random = MakeRandom(12);
    double worst = 0.0;
    for (int test = 0; test < (Proving() ? 8 : 1); ++test)
    {
        Bar bar = { .spacing = 0.25, .nu = 0.25, .floor = 0.5, .size = { 2.0, 1.0, 1.0 } };
        bar.orientation = (rslRotationDef){ NextVec3(&random, 1.0), NextBetween(&random, 10.0, 80.0) };
        OpenBar(&bar);
        const rslBody* body = &bar.model->bodies[0];
        rslShape* shape = NULL;
        assert_int_equal(rslShape_Create(&bar.shape, NULL, &shape, NULL), rsl_ok);
        double *constants = (double*)body->elements.constants, *weight = (double*)body->elements.weight;
        int e = 0, b = 0;
        for (int64_t c = 0; e < body->elements.count; ++c)
        {
            bool cut = b < body->lattice.borderCount && body->lattice.border[b].cell == c;
            rslBorderCell cell = cut ? Sampled(body, shape, c) : full;
            // cells that no sample met stay as they are: their nodes need something to hold on
            if (cut && cell.fraction > 0.0)
            {
                weight[e] = cell.fraction;
                rslBrick_Record(&cell, &bar.body.model, bar.nu,
                                constants + (size_t)RSL_BRICK_NUMBERS * (size_t)body->elements.record[e]);
            }
            b += cut ? 1 : 0;
            e += body->lattice.weight[c] > 0.0 ? 1 : 0;
        }
        double young, poisson;
        StartBar(&bar);
        PullFaces(&bar, 400);
        Relax(&bar);
        Moduli(&bar, &young, &poisson);
        worst = Worse(worst, fabs(young - 1.0));
        rslShape_Free(shape);
        CloseBar(&bar);
    }
    assert_proved("brick: uniform stress, moments by 8^3 samples: E", worst, 0.003);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FullCell),       cmocka_unit_test(CutCells),      cmocka_unit_test(AffineMotion),
        cmocka_unit_test(Crushed),        cmocka_unit_test(UniformStress), cmocka_unit_test(CentredLattice),
        cmocka_unit_test(SampledMoments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
