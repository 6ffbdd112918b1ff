// SPDX-License-Identifier: MIT
//
// test_repulsion_look.c: which pieces of elements are looked at: none that is low is missed, and few others are.

#include "pressed_fixture.h"

#include "guard.h"
#include "integrate.h"
#include "lattice.h"

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

// A ball of some chunks: rows of many lengths.
static rslModel* BuildBall(const Pressed* it)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_sphereShape;
    shape.radius = 0.5;
    rslBodyDef body = LatticeBody("ball", &shape, 0.06);
    body.network.construction = it->construction;
    body.network.orientation.angle = it->turn;
    body.model.type = it->model;
    body.repulsion.type = rsl_clampedRepulsion;
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    return Built(&scene, NULL);
}

// Bounds of edges by chunks, in lanes, are those of edges one by one, rounded to single precision.
static void Bounds(void** unused)
{
    (void)unused;
    int wrong = 0, edges = 0;
    for (int n = 0; n < 3; ++n)
    {
        Bench bench = BenchOf(BuildBall(&pressed[n]));
        const rslBody* body = &bench.kernel->model->bodies[0];
        Press(&bench, 0.9, 0.05, 7 + (uint64_t)n);
        for (int c = 0; c < bench.kernel->chunkCount; ++c)
        {
            const Chunk* chunk = &bench.kernel->chunks[c];
            double low[3][3], high[3][3], least[9], most[9];
            rslRepulsion_Bound64(bench.kernel, bench.view.u, chunk, low, high);
            for (int i = 0; i < 9; ++i)
            {
                least[i] = INFINITY;
                most[i] = -INFINITY;
            }
            for (int r = 0; r < body->lattice.rowCount; ++r)
            {
                const rslLatticeRow* row = &body->lattice.rows[r];
                for (int i = 0; i < 3 * row->count; ++i)
                {
                    int a = row->first + i / 3, axis = i % 3;
                    int b = rslLattice_Node(&body->lattice, row->i + i / 3 + (axis == 0), row->j + (axis == 1),
                                            row->k + (axis == 2));
                    for (int k = 0; b >= 0 && a >= chunk->begin && a < chunk->end && k < 3; ++k)
                    {
                        double d = (double)(float)(bench.view.u[k][b] - bench.view.u[k][a]);
                        least[3 * axis + k] = fmin(least[3 * axis + k], d);
                        most[3 * axis + k] = fmax(most[3 * axis + k], d);
                        edges += 1;
                    }
                }
            }
            for (int i = 0; i < 9; ++i)
            {
                wrong += low[i / 3][i % 3] != least[i] || high[i / 3][i % 3] != most[i];
            }
        }
        FreeBench(&bench);
    }
    assert_true(edges > 1000);
    assert_int_equal(wrong, 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Cull),   cmocka_unit_test(Watch),  cmocka_unit_test(Sweep),
        cmocka_unit_test(Bounds), cmocka_unit_test(Limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
