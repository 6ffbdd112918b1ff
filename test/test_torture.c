// SPDX-License-Identifier: MIT
//
// test_torture.c: bodies that resist collapse under whatever is done to them (random_scenes.h), at the longest stable step. Every
// accepted state is looked at: areas and volumes from positions in the world, by formulas of its own.
//
// RSL_PROVE=1 runs a thousand; RSL_FIRST and RSL_LAST choose some of them.

#include "random_scenes.h"
#include "repulsion.h"

// ---- what is looked at --------------------------------------------------------------------------------------------------

// Triangles and tetrahedra of all bodies.
typedef struct Pieces
{
    int count;
    int (*nodes)[4];  // the last one is -1 in a triangle
    double* rest;     // twice the area, six times the volume
    double* x;        // where nodes are
    double* v;        // how fast they are
} Pieces;

static double Determinant(const double* a, const double* b, const double* c, const double* d)
{
    double e[3][3];
    for (int i = 0; i < 3; ++i)
    {
        e[0][i] = b[i] - a[i];
        e[1][i] = c[i] - a[i];
        e[2][i] = d != NULL ? d[i] - a[i] : i == 2;
    }
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

static double MeasureAt(const double* x, const int nodes[4])
{
    return Determinant(x + 3 * nodes[0], x + 3 * nodes[1], x + 3 * nodes[2], nodes[3] >= 0 ? x + 3 * nodes[3] : NULL);
}

static Pieces PiecesOf(const rslModel* model)
{
    Pieces pieces = { 0 };
    size_t room = 0;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslRepulsion* set = &model->bodies[b].repulsion;
        room += (size_t)set->count * (size_t)rslRepulsion_PieceCount(set->corners);
    }
    pieces.nodes = calloc(room, sizeof *pieces.nodes);
    pieces.rest = calloc(room, sizeof(double));
    pieces.x = calloc(3 * (size_t)model->nodeCount, sizeof(double));
    pieces.v = calloc(3 * (size_t)model->nodeCount, sizeof(double));
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        const rslRepulsion* set = &body->repulsion;
        int each = rslRepulsion_PieceCount(set->corners);
        rslBody_Rest(body, body->firstNode, body->firstNode + body->nodeCount, pieces.x + 3 * body->firstNode);
        for (int p = 0; p < each * set->count; ++p)
        {
            int nodes[8], *own = pieces.nodes[pieces.count];
            rslRepulsion_Nodes(set, p / each, nodes);
            for (int c = 0; c < 4; ++c)
            {
                own[c] = c == set->corners ? -1 : nodes[rslRepulsion_Corner(set->corners, p % each, c)];
            }
            pieces.rest[pieces.count] = MeasureAt(pieces.x, own);
            assert_true(pieces.rest[pieces.count++] > 0.0);
        }
    }
    assert_true(pieces.count > 0);
    return pieces;
}

static void FreePieces(Pieces* pieces)
{
    free(pieces->nodes);
    free(pieces->rest);
    free(pieces->x);
    free(pieces->v);
}

// The smallest measure over that at rest; what is not finite is below all.
static double SmallestOf(Pieces* pieces, const rslModel* model, const rslState* state)
{
    double smallest = INFINITY;
    rslState_Positions(model, state, 0, model->nodeCount, pieces->x);
    rslState_Velocities(model, state, 0, model->nodeCount, pieces->v);
    for (int i = 0; i < 3 * model->nodeCount; ++i)
    {
        smallest = isfinite(pieces->x[i]) && isfinite(pieces->v[i]) ? smallest : -INFINITY;
    }
    for (int p = 0; p < pieces->count; ++p)
    {
        double ratio = MeasureAt(pieces->x, pieces->nodes[p]) / pieces->rest[p];
        smallest = ratio >= smallest ? smallest : ratio;
    }
    return smallest;
}

// ---- one scene ------------------------------------------------------------------------------------------------------------

// How a scene ended.
typedef enum Ending
{
    finished,
    refused,  // before it began
    stopped,
    wrong,  // an element inside out, a number that is none, or a status that says nothing
    endings
} Ending;

// What a solver that stopped must say: which element, or which node and spring; and it must have kept a state that is sound.
static bool StoppedWell(const rslSolver* solver, const rslModel* model, Pieces* pieces)
{
    rslDivergence d = rslSolver_Divergence(solver);
    const rslState* good = rslSolver_LastGood(solver);
    bool named = d.element >= 0 ? d.elementBody >= 0 && d.divided > 0 && isfinite(d.ratio) : d.node >= 0;
    return named && good != NULL && SmallestOf(pieces, model, good) > 0.0;
}

typedef struct Tally
{
    int endings[endings];
    double smallest;
    uint64_t steps, substeps;
} Tally;

static Ending RunScene(const DrawnScene* drawn, rslModel* model, rslSolver* solver, rslState* state, Tally* tally)
{
    Pieces pieces = PiecesOf(model);
    int64_t steps = (int64_t)(drawn->duration / rslSolver_Stability(solver).step) + 1;
    Ending ending = finished;
    for (int64_t n = 0; ending == finished && n < steps; ++n)
    {
        rslStatus status = rslSolver_Step(solver, state, 1);
        double smallest = SmallestOf(&pieces, model, state);
        bool clean = status == rsl_ok || (status == rsl_diverged && StoppedWell(solver, model, &pieces));
        ending = !clean || !(smallest > 0.0) ? wrong : status == rsl_ok ? finished : stopped;
        tally->smallest = smallest < tally->smallest ? smallest : tally->smallest;
    }
    tally->steps += state->stepCount;
    tally->substeps += state->guard.substeps;
    FreePieces(&pieces);
    return ending;
}

// All steps in one call, with other threads: the same bits.
static bool RunsAlike(const DrawnScene* drawn, uint64_t seed, const rslModel* model, rslSolverDef def,
                      const rslState* end)
{
    def.threads = 3 - def.threads;
    rslSolver* solver = SolverOf(model, &def);
    rslState* state = StateOf(model, def.precision);
    ThrowNodes(drawn, model, state, seed);
    bool alike =
        rslSolver_Step(solver, state, (int64_t)end->stepCount) == rsl_ok && rslState_Hash(state) == rslState_Hash(end);
    rslState_Free(state);
    rslSolver_Free(solver);
    return alike;
}

static Ending Suffer(const DrawnScene* drawn, uint64_t seed, double share, bool twice, Tally* tally)
{
    rslModel* model = NULL;
    rslSolver* solver = NULL;
    rslReport report = { 0 };
    rslSolverDef def = drawn->def;
    def.fraction *= share;
    rslStatus status = rslModel_Build(&drawn->scene, NULL, &model, &report);
    status = status == rsl_ok ? rslSolver_Create(model, &def, NULL, &solver, &report) : status;
    Ending ending = refused;
    if (status == rsl_ok)
    {
        rslState* state = StateOf(model, def.precision);
        ThrowNodes(drawn, model, state, seed);
        ending = RunScene(drawn, model, solver, state, tally);
        ending = ending == finished && twice && !RunsAlike(drawn, seed, model, def, state) ? wrong : ending;
        rslState_Free(state);
    }
    else
    {
        PrintReport(&report);
    }
    rslSolver_Free(solver);
    rslModel_Free(model);
    return ending;
}

// ---- many -----------------------------------------------------------------------------------------------------------------

static int NumberIn(const char* variable, int otherwise)
{
    const char* text = getenv(variable);
    return text != NULL ? atoi(text) : otherwise;
}

static void TestTorture(void** context)
{
    static const char* const words[endings] = { "finished", "is refused", "stops", "is wrong" };
    int first = NumberIn("RSL_FIRST", 0), last = NumberIn("RSL_LAST", Proving() ? 1000 : 20), drawnAnew = 0,
        hopeless = 0;
    Tally tally = { .smallest = INFINITY };
    (void)context;
    for (int i = first; i < last; ++i)
    {
        static DrawnScene drawn;
        char text[400];
        Ending ending = refused;
        uint64_t seed = (uint64_t)i;
        for (int tries = 0; ending == refused && tries < 4; ++tries)
        {
            seed = (uint64_t)i + 1000000u * (uint64_t)tries;
            DrawScene(seed, &drawn);
            drawn.duration *= Proving() ? 1.0 : 0.4;
            ending = Suffer(&drawn, seed, 1.0, i % 8 == 0, &tally);
            drawnAnew += ending == refused;
        }
        tally.endings[ending] += 1;
        if (ending != finished)
        {
            print_message("# scene %d %s: %s\n", i, words[ending], DescribeScene(&drawn, text, sizeof text));
        }
        if (ending == stopped && Suffer(&drawn, seed, 0.1, false, &tally) != finished)
        {
            hopeless += 1;
            print_message("# scene %d stops also at a tenth of the step\n", i);
        }
    }
    int count = last - first;
    print_message("# %d of %d scenes finished, %d drawn anew, smallest measure %.2g of rest, %llu steps, %llu parts\n",
                  tally.endings[finished], count, drawnAnew, tally.smallest, (unsigned long long)tally.steps,
                  (unsigned long long)tally.substeps);
    assert_proved("torture: scenes with a state inverted or not finite, or without a clean end", tally.endings[wrong],
                  0.0);
    assert_proved("torture: part of the scenes that the builder refuses, drawn anew", (double)drawnAnew / count, 0.05);
    assert_proved("torture: part of the scenes that stop", (double)(count - tally.endings[finished]) / count, 0.05);
    assert_proved("torture: scenes that stop also at a tenth of the step", hopeless, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestTorture) };
    return cmocka_run_group_tests_name("torture", tests, NULL, NULL);
}
