// SPDX-License-Identifier: MIT
//
// test_repulsion.c: heights and their laws against published figures; the clamped barrier on pressed bodies, against differences; which
// pieces are looked at; and that small strains know nothing of it.

#include "term_bench.h"

#include "build_fixture.h"
#include "guard.h"
#include "integrate.h"

// ---- laws -----------------------------------------------------------------------------------------------------------

// Cooper and Maddock's law on the tetrahedron (0, e1, e2, e3) with vertex 3 moved to (0.3, 0.2, 0.4), k = 1.
static void CornerTetrahedron(void** unused)
{
    (void)unused;
    static const double expected[4][3] = { { -0.06703158, -0.11263158, -1.07498947 },
                                           { 0.36092336, 0.06092336, -0.9288458 },
                                           { 0.09194017, 0.20554017, -0.57787479 },
                                           { -0.38583195, -0.15383195, 2.58171006 } };
    const rslVec3 rest[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const rslVec3 x[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0.3, 0.2, 0.4 } };
    double h0[4], energy = 0.0, force[4][3] = { { 0 } };
    rslPiece_Heights(rsl_tetrahedron, rest, h0);
    assert_close(h0[0], 1.0 / sqrt(3.0), 1e-15);
    assert_true(h0[1] == 1.0 && h0[2] == 1.0 && h0[3] == 1.0);
    for (int v = 0; v < 4; ++v)
    {
        rslHeight height;
        rslPiece_Height(rsl_tetrahedron, x, v, &height);
        rslRepulsionResponse u = rslRepulsion_Evaluate(rsl_cooperRepulsion, 1.0, h0[v], height.h);
        energy += u.energy;
        for (int c = 0; c < 4; ++c)
        {
            force[c][0] -= u.force * height.lambda[c] * height.normal.x;
            force[c][1] -= u.force * height.lambda[c] * height.normal.y;
            force[c][2] -= u.force * height.lambda[c] * height.normal.z;
        }
    }
    assert_close(energy, 0.553331978860, 1e-12);
    for (int c = 0; c < 12; ++c)
    {
        assert_close(force[c / 3][c % 3], expected[c / 3][c % 3], 6e-9);
    }
}

// U' and U'' are slopes of U and U'; at rest Cooper's and the stiff law have 2 k; the clamp is smooth.
static void Laws(void** unused)
{
    (void)unused;
    const rslRepulsionType laws[3] = { rsl_clampedRepulsion, rsl_cooperRepulsion, rsl_stiffRepulsion };
    const double k = 7.0, h0 = 0.3;
    double worst = 0.0;
    for (int n = 0; n < 3 * 120; ++n)
    {
        double x = 0.02 + 0.0103 * (n % 120), h = x * h0, d = 1e-4 * h;
        rslRepulsionResponse u = rslRepulsion_Evaluate(laws[n / 120], k, h0, h);
        rslRepulsionResponse a = rslRepulsion_Evaluate(laws[n / 120], k, h0, h - d);
        rslRepulsionResponse b = rslRepulsion_Evaluate(laws[n / 120], k, h0, h + d);
        double scale = k * h0 + u.force, slope = k + u.slope;
        worst = Worse(worst, fabs((a.energy - b.energy) / (2.0 * d) - u.force) / scale);
        worst = Worse(worst, fabs((a.force - b.force) / (2.0 * d) - u.slope) / slope);
    }
    assert_proved("laws of repulsion against differences", worst, 1e-6);
    for (int l = 1; l < 3; ++l)
    {
        rslRepulsionResponse rest = rslRepulsion_Evaluate(laws[l], k, h0, h0);
        assert_close(rest.slope, 2.0 * k, 1e-14 * k);
        assert_close(rest.force, 0.0, 1e-15);
        assert_close(rest.energy, 0.0, 1e-15);
    }
    rslRepulsionResponse at = rslRepulsion_Evaluate(rsl_clampedRepulsion, k, h0, 0.5 * h0);
    rslRepulsionResponse below = rslRepulsion_Evaluate(rsl_clampedRepulsion, k, h0, 0.5 * h0 * (1.0 - 1e-9));
    assert_true(at.energy == 0.0 && at.force == 0.0 && at.slope == 0.0);
    assert_true(below.force > 0.0 && below.slope > 0.0 && below.slope < 1e-6 * k);
    for (int l = 0; l < 3; ++l)
    {
        assert_true(isinf(rslRepulsion_Evaluate(laws[l], k, h0, 0.0).energy));
        assert_true(isinf(rslRepulsion_Evaluate(laws[l], k, h0, -0.1).energy));
        assert_true(rslRepulsion_Evaluate(laws[l], k, h0, 1e-9).energy > 10.0 * k * h0 * h0);
    }
}

// ---- cells ----------------------------------------------------------------------------------------------------------

// The five tetrahedra fill a cell, and those of neighbours share the diagonals of the faces between them: each diagonal that an edge
// of a piece lies on is that of the even nodes.
static void Split(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.2);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.repulsion.type = rsl_clampedRepulsion;
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    const rslRepulsion* repulsion = &model->bodies[0].repulsion;
    assert_int_equal(repulsion->count, 24);
    for (int e = 0; e < repulsion->count; ++e)
    {
        int nodes[8];
        double volume = 0.0;
        rslRepulsion_Nodes(repulsion, e, nodes);
        for (int p = 0; p < RSL_SPLIT; ++p)
        {
            rslVec3 x[4];
            for (int c = 0; c < 4; ++c)
            {
                int n = nodes[rslCellSplit[p][c]];
                double at[3];
                rslBody_Rest(&model->bodies[0], n, n + 1, at);
                x[c] = (rslVec3){ at[0], at[1], at[2] };
                // 5 x 4 x 3 nodes; the middle one lies on the even ones
                assert_true(p > 0 || (n % 5 + n / 5 % 4 + n / 20) % 2 == 0);
            }
            double one = rslPiece_Measure(rsl_tetrahedron, x);
            assert_close(one, (p == 0 ? 2.0 : 1.0) / 6.0 * 1e-3, 1e-15);
            volume += one;
        }
        assert_close(volume, 1e-3, 1e-15);
    }
    rslModel_Free(model);
}

// ---- the clamped barrier --------------------------------------------------------------------------------------------

typedef struct Pressed
{
    const char* name;
    rslNetworkType type;
    rslConstruction construction;
    rslModelType model;
    rslSpace plane;
    double turn;  // of the lattice [deg]
} Pressed;

static const Pressed pressed[] = {
    { "cells", rsl_latticeNetwork, rsl_cornerLattice, rsl_springModel, rsl_space3, 0.0 },
    { "cut cells", rsl_latticeNetwork, rsl_cornerLattice, rsl_brickModel, rsl_space3, 25.0 },
    { "cells between centres", rsl_latticeNetwork, rsl_centredLattice, rsl_springModel, rsl_space3, 0.0 },
    { "tetrahedra", rsl_tetrahedraNetwork, rsl_cornerLattice, rsl_springModel, rsl_space3, 0.0 },
    { "hexahedra", rsl_hexahedraNetwork, rsl_cornerLattice, rsl_finiteModel, rsl_space3, 0.0 },
    { "triangles in space", rsl_sheetNetwork, rsl_cornerLattice, rsl_springModel, rsl_space3, 0.0 },
    { "triangles in the plane", rsl_sheetNetwork, rsl_cornerLattice, rsl_springModel, rsl_planeXY, 0.0 },
};

static rslModel* BuildPressedBody(const Pressed* it, double size)
{
    rslShapeDef shape = BoxShape(3.0 * size, 2.0 * size, 2.0 * size);
    bool sheet = it->type == rsl_sheetNetwork;
    rslBodyDef body = sheet ? GridBody("body", 5.0 * size, 4.0 * size, 5, 4) : LatticeBody("body", &shape, size);
    body.network.type = it->type;
    body.network.construction = it->construction;
    body.network.grid[0] = it->type == rsl_hexahedraNetwork ? 3 : 0;
    body.network.grid[1] = body.network.grid[2] = it->type == rsl_hexahedraNetwork ? 2 : 0;
    body.network.spacing = it->type == rsl_hexahedraNetwork || sheet ? 0.0 : size;
    body.network.orientation.angle = it->turn;
    body.model.type = it->model;
    body.repulsion.type = rsl_clampedRepulsion;
    rslScene scene = SceneOf(&body, 1);
    scene.plane = it->plane;
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    return Built(&scene, NULL);
}

// X + u = S X, S a shrinking by a factor along one axis (the plane: along y), and nodes at random by a part of the spacing.
static void Press(const Bench* bench, double factor, double size, uint64_t seed)
{
    Random random = MakeRandom(seed);
    const rslBody* body = &bench->model->bodies[0];
    bool flat = bench->model->plane == rsl_planeXY;
    int axis = body->thickness > 0.0 ? 1 : 2;
    for (int i = 0; i < body->nodeCount; ++i)
    {
        double x[3];
        rslBody_Rest(body, i, i + 1, x);
        for (int a = 0; a < 3; ++a)
        {
            double off = NextBetween(&random, -size, size) * body->spacing;
            bench->view.u[a][i] = (a == axis ? (factor - 1.0) * x[a] : 0.0) + (flat && a == 2 ? 0.0 : off);
        }
    }
}

static Bench BenchOf(rslModel* model)
{
    static const Case none = { 0 };
    Bench bench = { .it = &none, .model = model, .state = StateOf(model, rsl_double), .term = &rslRepulsionTerm64 };
    bench.team = rslTeam_Create(NULL, 1, NULL, NULL);
    bench.kernel = rslKernel_Create64(bench.model, false, NULL, bench.team);
    assert_non_null(bench.kernel);
    bench.view = rslKernel_View64(bench.kernel, bench.state, 0.0);
    return bench;
}

// Along a random vector: energy against force, force against stiffness.
static void Barrier(void** unused)
{
    (void)unused;
    double worst[4] = { 0 };
    for (size_t n = 0; n < sizeof pressed / sizeof *pressed * Seeds(); ++n)
    {
        const Pressed* it = &pressed[n / Seeds()];
        Bench bench = BenchOf(BuildPressedBody(it, 0.1));
        Press(&bench, 0.35, 0.02, 1 + n);
        Random random = MakeRandom(100 + n);
        Vector p = MakeVector(&bench), f = MakeVector(&bench), kp = MakeVector(&bench), ends[2];
        double h = 4e-7, energy[2];
        Randomize(&bench, &p, 1.0, &random);
        for (int i = 0; bench.model->plane == rsl_planeXY && i < bench.model->nodeCount; ++i)
        {
            p.at[2][i] = 0.0;
        }
        ForceAt(&bench, &f);
        ProductAt(&bench, bench.term->stiffness, &p, &kp);
        for (int s = 0; s < 2; ++s)
        {
            ends[s] = MakeVector(&bench);
            for (int i = 0; i < 3 * bench.model->nodeCount; ++i)
            {
                bench.view.u[i % 3][i / 3] += (s == 0 ? h : -2.0 * h) * p.at[i % 3][i / 3];
            }
            energy[s] = EnergyAt(&bench);
            ForceAt(&bench, &ends[s]);
        }
        double work = Dot(&bench, &f, &p), push = sqrt(Dot(&bench, &f, &f) * Dot(&bench, &p, &p)), off = 0.0;
        double sums[6] = { 0 }, sizes = 0.0, most = Largest(&bench, &kp);
        assert_true(push > 0.0);
        for (int i = 0; i < bench.model->nodeCount; ++i)
        {
            double x[3], g[3];
            rslBody_Rest(&bench.model->bodies[0], i, i + 1, x);
            for (int a = 0; a < 3; ++a)
            {
                g[a] = f.at[a][i];
                x[a] += bench.view.u[a][i] + h * p.at[a][i];
                off = Worse(off, fabs((ends[1].at[a][i] - ends[0].at[a][i]) / (2.0 * h) - kp.at[a][i]));
                sums[a] += g[a];
                sizes += fabs(g[a]);
            }
            sums[3] += x[1] * g[2] - x[2] * g[1];
            sums[4] += x[2] * g[0] - x[0] * g[2];
            sums[5] += x[0] * g[1] - x[1] * g[0];
        }
        double gradient = fabs((energy[1] - energy[0]) / (2.0 * h) - work) / push;
        if (!(gradient <= 1e-6 && off <= 1e-6 * most))
        {
            print_error("%s: force %.2g, stiffness %.2g\n", it->name, gradient, off / most);
        }
        worst[0] = Worse(worst[0], gradient);
        worst[1] = Worse(worst[1], off / most);
        for (int a = 0; a < 3; ++a)
        {
            worst[2] = Worse(worst[2], fabs(sums[a]) / sizes);
            worst[3] = Worse(worst[3], fabs(sums[3 + a]) / (0.1 * sizes));
        }
        FreeVector(&p);
        FreeVector(&f);
        FreeVector(&kp);
        FreeVector(&ends[0]);
        FreeVector(&ends[1]);
        FreeBench(&bench);
    }
    assert_proved("clamped repulsion: force against differences of its energy", worst[0], 1e-6);
    assert_proved("clamped repulsion: stiffness against differences of its force", worst[1], 1e-6);
    assert_proved("clamped repulsion: sum of forces", worst[2], 1e-12);
    assert_proved("clamped repulsion: sum of torques", worst[3], 1e-12);
}

// ---- which pieces are looked at -------------------------------------------------------------------------------------

// Is a piece below half of a height at rest? x: where its corners are.
static bool IsLow(const Bench* bench, int chunk, int number, Piece* piece, rslVec3 x[RSL_PIECE_NODES])
{
    rslPieceKind kind = bench->kernel->repulsion->chunks[chunk].kind;
    double heights[RSL_PIECE_NODES];
    bool below = false;
    rslRepulsion_Piece64(bench->kernel, &bench->kernel->chunks[chunk], number, piece);
    PlacePiece(&bench->view, piece, rslPiece_Corners(kind), x);
    rslPiece_Heights(kind, x, heights);
    for (int v = 0; v < rslPiece_Corners(kind); ++v)
    {
        below = below || heights[v] < 0.5 * piece->height[v];
    }
    return below;
}

// No piece with a height below half of that at rest is ever missed, however bodies are deformed; and at small strain none is found.
static void Cull(void** unused)
{
    (void)unused;
    int missed = 0, found = 0, low = 0, quiet = 0;
    for (size_t n = 0; n < sizeof pressed / sizeof *pressed * 4 * Seeds(); ++n)
    {
        const Pressed* it = &pressed[n / (4 * Seeds())];
        Bench bench = BenchOf(BuildPressedBody(it, 0.1));
        const RepulsionKernel* r = bench.kernel->repulsion;
        const double factors[4] = { 1.0, 0.9, 0.6, 0.45 }, sizes[4] = { 1e-3, 0.06, 0.08, 0.03 };
        Press(&bench, factors[n % 4], sizes[n % 4], 1 + n);
        rslRepulsion_LookAtAll64(bench.kernel, &bench.view);
        for (int c = 0; c < bench.kernel->chunkCount; ++c)
        {
            const PieceChunk* pieces = &r->chunks[c];
            for (int number = pieces->first; number < pieces->first + pieces->count; ++number)
            {
                Piece piece;
                rslVec3 x[RSL_PIECE_NODES];
                bool below = IsLow(&bench, c, number, &piece, x), near = pieces->nearCount > 0 && r->near[number];
                low += below;
                found += near;
                missed += below && !near;
                quiet += n % 4 == 0 ? near : 0;
            }
        }
        FreeBench(&bench);
    }
    assert_true(low > 100 && found >= low && found < low + low / 10 + 10);
    assert_proved("pieces near collapse that were missed", missed, 0);
    assert_int_equal(quiet, 0);
}

// Is every piece below half of a height at rest known as near, and every one below half of its measure not known as far?
static int CountMissed(const Bench* bench, int* low)
{
    const RepulsionKernel* r = bench->kernel->repulsion;
    int missed = 0;
    for (int c = 0; c < bench->kernel->chunkCount; ++c)
    {
        const PieceChunk* pieces = &r->chunks[c];
        for (int number = pieces->first; number < pieces->first + pieces->count; ++number)
        {
            Piece piece;
            rslVec3 x[RSL_PIECE_NODES];
            bool below = IsLow(bench, c, number, &piece, x), near = pieces->nearCount > 0 && r->near[number];
            bool small = rslPiece_Measure(pieces->kind, x) < 0.5 * piece.measure;
            missed += (below && !near) + (small && bench->kernel->guard->blocks[c].known);
            *low += below || small;
        }
    }
    return missed;
}

// Velocities of a body that spins, is pressed along an axis and waves, in parts of the spacing a drift.
static void Swing(const Bench* bench, Random* random, double h)
{
    const rslBody* body = &bench->model->bodies[0];
    double turn = NextBetween(random, -0.02, 0.02), press = NextBetween(random, -0.03, 0.06),
           phase = NextBetween(random, 0, 6);
    int axis = body->thickness > 0.0 ? 1 : 2;
    for (int i = 0; i < body->nodeCount; ++i)
    {
        double x[3], v[3];
        rslBody_Rest(body, i, i + 1, x);
        double wave = 0.02 * body->spacing * sin(40.0 * x[0] + phase);
        v[0] = -turn * x[1];
        v[1] = turn * x[0] + wave;
        v[2] = bench->model->plane == rsl_planeXY ? 0.0 : wave;
        v[axis] -= press * x[axis];
        for (int a = 0; a < 3; ++a)
        {
            bench->view.w[a][i] = v[a] / h;
        }
    }
    GuardKick(bench->kernel);
}

// The same while bodies move and most looks are left out: nothing is missed by what looks were not made.
static void Watch(void** unused)
{
    (void)unused;
    int missed = 0, low = 0, lasted = 0;
    const double h = 1e-3;
    for (size_t n = 0; n < sizeof pressed / sizeof *pressed * Seeds(); ++n)
    {
        Bench bench = BenchOf(BuildPressedBody(&pressed[n / Seeds()], 0.1));
        Kernel* kernel = bench.kernel;
        Random random = MakeRandom(77 + n);
        rslGuard_Begin64(kernel, false, false);
        bench.view.kick = h;
        for (int step = 0; step < 60; ++step)
        {
            if (step % 5 == 0)
            {
                Swing(&bench, &random, h);
            }
            rslGuard_Start64(kernel, h);
            rslDrift64(kernel, &bench.view, h);
            if (!rslGuard_Passes64(kernel, &bench.view))
            {
                rslGuard_Begin64(kernel, step % 2 == 0, false);
                rslGuard_Start64(kernel, h);
            }
            for (int c = 0; c < kernel->chunkCount; ++c)
            {
                lasted += kernel->guard->blocks[c].known && !kernel->guard->blocks[c].seen;
            }
            rslKernel_Prepare64(kernel, &bench.view);
            missed += CountMissed(&bench, &low);
        }
        FreeBench(&bench);
    }
    assert_true(low > 100 && lasted > 5 * (int)Seeds());  // or nothing was tried
    assert_proved("pieces near collapse that were missed while bodies move", missed, 0);
}

// The least part of its measure at rest that a piece has on a straight way, as told by samples.
static double LeastOnWay(const Bench* bench, const Piece* piece)
{
    rslVec3 from[RSL_PIECE_NODES], to[RSL_PIECE_NODES], x[RSL_PIECE_NODES];
    double least = INFINITY;
    PlaceCorners(piece, bench->kernel->guard->before, 4, from);
    PlaceCorners(piece, bench->view.u, 4, to);
    for (int s = 0; s <= 50; ++s)
    {
        for (int c = 0; c < 4; ++c)
        {
            x[c] = rslMulAdd(rslScale(1.0 - s / 50.0, from[c]), s / 50.0, to[c]);
        }
        least = fmin(least, rslPiece_Measure(rsl_tetrahedron, x) / piece->measure);
    }
    return least;
}

// By an angle about z: on the straight way there, bodies are thin.
static void Turn(const Bench* bench, double angle)
{
    double c = cos(angle), s = sin(angle);
    for (int i = 0; i < bench->kernel->nodeCount; ++i)
    {
        rslVec3 rest = rslKernel_RestOf64(bench->kernel, 0, i);
        double x = rest.x + bench->view.u[0][i], y = rest.y + bench->view.u[1][i];
        bench->view.u[0][i] = c * x - s * y - rest.x;
        bench->view.u[1][i] = s * x + c * y - rest.y;
    }
}

// Cells that are said to stay far on all of their way do so, and most of those that stay far are found.
static void Sweep(void** unused)
{
    (void)unused;
    int wrong = 0, far = 0, found = 0, close = 0;
    for (size_t n = 0; n < 3 * 8 * Seeds(); ++n)
    {
        Bench bench = BenchOf(BuildPressedBody(&pressed[n % 3], 0.1));
        RepulsionKernel* r = bench.kernel->repulsion;
        Press(&bench, 1.0 - 0.05 * (double)(n / 3 % 8), 0.1, 1 + n);
        for (int axis = 0; axis < 3; ++axis)
        {
            memcpy(bench.kernel->guard->before[axis], bench.view.u[axis],
                   (size_t)bench.kernel->nodeCount * sizeof(double));
        }
        Press(&bench, 1.0 - 0.07 * (double)(n / 3 % 8), 0.1, 1001 + n);
        Turn(&bench, 0.3 * (double)(n / 3 % 8));
        memset(r->unsure, 1, (size_t)r->pieceCount);
        for (int c = 0; c < bench.kernel->chunkCount; ++c)
        {
            PieceChunk* pieces = &r->chunks[c];
            int left = 0;
            pieces->unsureCount = pieces->count;
            rslGuard_SweepCells64(bench.kernel, &bench.view, &bench.kernel->chunks[c], bench.kernel->guard->before);
            for (int number = pieces->first; number < pieces->first + pieces->count; ++number)
            {
                Piece piece;
                rslRepulsion_Piece64(bench.kernel, &bench.kernel->chunks[c], number, &piece);
                double least = LeastOnWay(&bench, &piece);
                bool cleared = r->unsure[number] == 0;
                left += !cleared;
                wrong += cleared && !(least > 0.5);
                close += !(least > 0.5);
                far += least > 0.6;
                found += least > 0.6 && cleared;
            }
            assert_int_equal(left, pieces->unsureCount);
        }
        FreeBench(&bench);
    }
    assert_true(close > 100 && far > 100 && found > far / 2);
    assert_proved("cells said to stay far on a way on which they do not", wrong, 0);
}

// The edges alone: random tetrahedra and triangles with edges within their limit, of which no height may be below half.
static void Limits(void** unused)
{
    (void)unused;
    Bench bench = BenchOf(BuildPressedBody(&pressed[3], 0.1));
    const RepulsionKernel* r = bench.kernel->repulsion;
    Random random = MakeRandom(5);
    double least = 1.0;
    for (int n = 0; n < (int)Seeds() * 20000; ++n)
    {
        const StoredPiece* piece = &r->stored[n % r->storedCount];
        rslVec3 rest[4], x[4];
        double heights[4], q = 0.0, scale = NextBetween(&random, 0.0, 0.02);
        for (int c = 0; c < 4; ++c)
        {
            rest[c] = rslKernel_RestOf64(bench.kernel, 0, piece->nodes[c]);
            x[c] = rslAdd(rest[c], NextVec3(&random, scale));
        }
        for (int e = 0; e < 16; ++e)
        {
            rslVec3 d = rslSub(x[e / 4], x[e % 4]), d0 = rslSub(rest[e / 4], rest[e % 4]);
            q = e / 4 != e % 4 ? fmax(q, fabs(rslDot(d, d) / rslDot(d0, d0) - 1.0)) : q;
        }
        rslPiece_Heights(rsl_tetrahedron, x, heights);
        for (int v = 0; q < (double)piece->limit && v < 4; ++v)
        {
            least =
                fmin(least, fmin(heights[v] / piece->height[v], rslPiece_Measure(rsl_tetrahedron, x) / piece->measure));
        }
    }
    FreeBench(&bench);
    assert_true(least < 0.9);
    assert_true(least >= 0.5);
}

// ---- small strains --------------------------------------------------------------------------------------------------

static uint64_t HashAfter(rslRepulsionType type, rslPrecision precision, rslNetworkType network, double* step)
{
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.2);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    rslReport report = { 0 };
    rslSolver* solver = NULL;
    rslSolverDef def = rslDefaultSolverDef();
    body.network.type = network;
    body.repulsion.type = type;
    body.spin = (rslVec3){ 200.0, 100.0, 50.0 };
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    rslState* state = StateOf(model, precision);
    def.precision = precision;
    assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, &report), rsl_ok);
    assert_int_equal(rslSolver_Step(solver, state, 200), rsl_ok);
    *step = rslSolver_Stability(solver).step;
    uint64_t hash = rslState_Hash(state);
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
    return hash;
}

static void SmallStrain(void** unused)
{
    (void)unused;
    const rslNetworkType networks[2] = { rsl_latticeNetwork, rsl_tetrahedraNetwork };
    for (int n = 0; n < 4; ++n)
    {
        double on, off;
        rslPrecision precision = n % 2 == 0 ? rsl_single : rsl_double;
        uint64_t with = HashAfter(rsl_clampedRepulsion, precision, networks[n / 2], &on);
        assert_true(with == HashAfter(rsl_noRepulsion, precision, networks[n / 2], &off));
        assert_true(on == off);
    }
}

// ---- stiffness at rest ----------------------------------------------------------------------------------------------

// Energy of a uniform strain over that of the material, lam = mu = 2/5 E, of a block whose inner cells are as any: all terms together.
static double StrainEnergy(rslRepulsionType law, double share, const double strain[3][3])
{
    rslShapeDef shape = BoxShape(0.4, 0.4, 0.4);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    body.repulsion.type = law;
    body.repulsion.share = share;
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    Bench bench = BenchOf(Built(&scene, NULL));
    double sum = 0.0, trace = strain[0][0] + strain[1][1] + strain[2][2], squares = 0.0;
    for (int i = 0; i < bench.model->nodeCount; ++i)
    {
        double x[3];
        rslBody_Rest(&bench.model->bodies[0], i, i + 1, x);
        for (int a = 0; a < 3; ++a)
        {
            bench.view.u[a][i] = strain[a][0] * x[0] + strain[a][1] * x[1] + strain[a][2] * x[2];
        }
    }
    for (const Term* const* term = rslTerms64; *term != NULL; ++term)
    {
        bench.term = *term;
        sum += bench.term->present(bench.kernel) && bench.term->hasEnergy ? EnergyAt(&bench) : 0.0;
    }
    for (int c = 0; c < 9; ++c)
    {
        squares += strain[c / 3][c % 3] * strain[c / 3][c % 3];
    }
    double mu = 0.4 * body.material.young, volume = 0.064;
    FreeBench(&bench);
    return sum / (volume * mu * (0.5 * trace * trace + squares));
}

// Springs and repulsion together are the isotropic material.
static void Identified(void** unused)
{
    (void)unused;
    static const double e = 1e-6;
    const double strains[4][3][3] = { { { e } },
                                      { { e }, { 0, e }, { 0, 0, e } },
                                      { { 0, e, 0 }, { e, 0, 0 } },
                                      { { e, -e, 0 }, { -e, -2 * e, e }, { 0, e, 3 * e } } };
    double worst = 0.0;
    for (int n = 0; n < 8; ++n)
    {
        rslRepulsionType law = n < 4 ? rsl_cooperRepulsion : rsl_stiffRepulsion;
        worst = Worse(worst, fabs(StrainEnergy(law, n % 2 == 0 ? 0.2 : 0.37, strains[n % 4]) - 1.0));
    }
    assert_proved("energy of strained cells of springs and repulsion over that of the material", worst, 1e-5);
}

// What springs cannot make up for, and elements that are flat at rest.
static void WhatIsRefused(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    rslBodyDef body = LatticeBody("box", &shape, 0.1);
    rslScene scene = SceneOf(&body, 1);
    rslPlace place = { .line = 31, .column = 3 };
    body.repulsion.place = place;
    body.repulsion.type = rsl_stiffRepulsion;
    body.repulsion.stiffness = 1e9;
    Refused(&scene, place, "expected a share below 1, or a stiffness below");
    body.repulsion.share = 0.2;
    Refused(&scene, place, "expected one of them");
    body.repulsion.share = RSL_AUTO;
    body.model.type = rsl_brickModel;
    Refused(&scene, place, "expected 'share'");
    body.repulsion.stiffness = RSL_AUTO;
    body.repulsion.share = 0.6;
    body.material.poisson = 0.0;
    Refused(&scene, place, "nothing is left to resist swelling at Poisson's ratio 0; expected a share below 0.5");
    body.repulsion.share = 0.9;
    body.material.poisson = 0.45;
    Refused(&scene, place, "nothing is left to resist shear at Poisson's ratio 0.45; expected a share below 0.862");
    body.repulsion.share = 0.2;
    body.network.construction = rsl_centredLattice;
    Refused(&scene, place, "expected construction: corner");
    body.network.construction = rsl_cornerLattice;
    body.model.type = rsl_springModel;
    body.network.type = rsl_randomNetwork;
    body.network.minLength = 0.05;
    body.network.maxLength = 0.1;
    Refused(&scene, place, "has no triangles or tetrahedra that could repel");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CornerTetrahedron),
        cmocka_unit_test(Laws),
        cmocka_unit_test(Split),
        cmocka_unit_test(Barrier),
        cmocka_unit_test(Cull),
        cmocka_unit_test(Watch),
        cmocka_unit_test(Sweep),
        cmocka_unit_test(Limits),
        cmocka_unit_test(SmallStrain),
        cmocka_unit_test(Identified),
        cmocka_unit_test(WhatIsRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
