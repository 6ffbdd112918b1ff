// SPDX-License-Identifier: MIT
//
// What makes a Newton step cheap says the same as what it stands for: groups of elements as elements one by one, the rows of level 0
// of lattices as products without a matrix, coarse rows as P^T A P, and the same bits for any number of threads.

#include "hierarchy_fixture.h"

#include "dynamics.h"

typedef struct Bench
{
    Hierarchy h;
    rslNodeVector p, out, other;
} Bench;

static const double shift = 3600.0, rate = 60.0;

// A block with a hole, cut askew, partly held, at one end in all directions and on one side in some; bent, twisted and pressed, and in motion.
typedef enum Kind
{
    BRICKS,
    HEXAHEDRA,
    SPRINGS,
    TETRAHEDRA,
    KINDS,
    RANDOM = KINDS,  // springs between points; has no rows
    LEAN             // springs of a lattice, held in all directions, that keeps none of its nodes
} Kind;

static rslModel* MakeModel(Kind kind)
{
    static const rslModelType types[] = { rsl_brickModel,  rsl_finiteModel, rsl_springModel,
                                          rsl_finiteModel, rsl_springModel, rsl_springModel };
    rslModelType type = types[kind];
    rslShapeDef parts[2] = { BoxShape(0.12, 0.07, 0.06), BoxShape(0.2, 0.021, 0.022) };
    if (kind == LEAN)
    {
        parts[1] = BoxShape(0.2, 0.024, 0.05);  // a slit: cells of one layer are empty
    }
    parts[0].rotate = (rslRotationDef){ .axis = { 0.3, 0.2, 1.0 }, .angle = 23.0 };
    parts[1].translate = (rslVec3){ 0.05, 0.01, 0.0 };
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_differenceShape;
    shape.parts = parts;
    shape.partCount = 2;
    rslBodyDef body = LatticeBody("block", &shape, 0.011);
    body.model.type = type;
    body.network.type = kind == TETRAHEDRA ? rsl_tetrahedraNetwork : rsl_latticeNetwork;
    if (kind == RANDOM)
    {
        body.network.type = rsl_randomNetwork;
        body.network.minLength = 0.009;
        body.network.maxLength = 0.018;
    }
    body.repulsion.type = kind >= TETRAHEDRA ? rsl_noRepulsion : body.repulsion.type;  // flat ones would have collapsed
    body.material.young = 1e5;
    body.material.poisson = type == rsl_springModel ? 0.25 : 0.3;
    body.material.stiffnessDamping = 3e-4;
    rslConstraintDef held[2] = { PinOf(SideOf("block", (rslVec3){ -0.05, 0, 0 }, (rslVec3){ -1, 0, 0 })),
                                 PinOf(SideOf("block", (rslVec3){ 0, 0.03, 0 }, (rslVec3){ 0, 1, 0 })) };
    held[1].axes[0] = kind == LEAN;
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = held;
    scene.constraintCount = 2;
    return Built(&scene, NULL);
}

static void Draw(Bench* b, Random* random)
{
    double* const* u = (double* const*)b->h.state->displacement;
    double* const* w = (double* const*)b->h.state->velocity;
    for (int i = 0; i < b->h.model->nodeCount; ++i)
    {
        rslVec3 x = WorldOf(b->h.model, i), noise = NextVec3(random, 4e-4), v = NextVec3(random, 1.0),
                p = NextVec3(random, 1.0);
        u[0][i] = 6.0 * x.z * x.z - 2.0 * x.y * x.z + noise.x;
        u[1][i] = 3.0 * x.x * x.z + noise.y;
        u[2][i] = -0.2 * x.z - 4.0 * x.x * x.z + noise.z;
        const double velocity[3] = { v.x, v.y, v.z }, along[3] = { p.x, p.y, p.z };
        for (int axis = 0; axis < 3; ++axis)
        {
            w[axis][i] = velocity[axis];
            b->p.x[axis][i] = along[axis];
        }
    }
    rslUnknowns_Project(&b->h.unknowns, &b->p);
}

static void Make(Bench* b, Kind kind, int threads)
{
    StartHierarchy(&b->h, MakeModel(kind), rsl_implicitEuler, threads);
    int count = b->h.model->nodeCount;
    assert_true(rslNodeVector_Make(&b->p, count, &b->h.arena) && rslNodeVector_Make(&b->out, count, &b->h.arena) &&
                rslNodeVector_Make(&b->other, count, &b->h.arena));
    b->h.state->step = 1.0 / 60.0;
    rslStatics_SetShift(b->h.kernel, shift);
    rslDynamics_SetRate(b->h.kernel, rate);
    Random random = MakeRandom(7);
    Draw(b, &random);
}

static void Free(Bench* b)
{
    FreeHierarchy(&b->h);
}

static double Difference(const rslNodeVector* a, const rslNodeVector* b, int count)
{
    double largest = 0.0, size = 0.0;
    for (int i = 0; i < 3 * count; ++i)
    {
        largest = fmax(largest, fabs(a->x[i % 3][i / 3] - b->x[i % 3][i / 3]));
        size = fmax(size, fabs(b->x[i % 3][i / 3]));
    }
    assert_true(size > 0.0);
    return largest / size;
}

// ---- groups -----------------------------------------------------------------------------------------------------------

typedef void Piece(Bench* b, rslNodeVector* out);

static void Forces(Bench* b, rslNodeVector* out)
{
    rslDynamics_Forces(b->h.kernel, b->h.state, out->x);
}

static void Product(Bench* b, rslNodeVector* out)
{
    rslStatics_Look(b->h.kernel, b->h.state);
    rslStatics_Product(b->h.kernel, b->h.state, b->p.x, out->x);
}

static void Damping(Bench* b, rslNodeVector* out)
{
    rslDynamics_Damping(b->h.kernel, b->h.state, b->p.x, out->x);
}

static void GroupsAreElements(void** unused)
{
    (void)unused;
    static const Kind kinds[] = { BRICKS, HEXAHEDRA, TETRAHEDRA };
    Piece* const pieces[] = { Forces, Product, Damping };
    for (int t = 0; t < 3; ++t)
    {
        Bench one, many;
        Make(&one, kinds[t], 1);
        Make(&many, kinds[t], 2);
        assert_true(rslDynamics_Make(many.h.kernel));
        for (int k = 0; k < 3; ++k)
        {
            if (pieces[k] == Product)
            {
                rslDynamics_SetRate(one.h.kernel, 0.0);  // without memory for r p it knows K alone
                rslDynamics_SetRate(many.h.kernel, 0.0);
            }
            pieces[k](&one, &one.out);
            pieces[k](&many, &many.out);
            assert_at_most(Difference(&many.out, &one.out, one.h.model->nodeCount), 1e-12);
        }
        // K + r C at once is the sum of the two
        rslDynamics_SetRate(many.h.kernel, rate);
        Product(&many, &many.other);
        rslDynamics_SetRate(many.h.kernel, 0.0);
        Product(&one, &one.out);
        Damping(&one, &one.other);
        rslUnknowns_Combine(&one.h.unknowns, &one.out, 1.0, rate, &one.other);
        assert_at_most(Difference(&many.other, &one.out, one.h.model->nodeCount), 1e-12);
        double energies[2] = { rslStatics_Potential(one.h.kernel, one.h.state),
                               rslStatics_Potential(many.h.kernel, many.h.state) };
        assert_close(energies[1], energies[0], 1e-12 * fabs(energies[0]));
        // what is kept of one place says nothing of another
        Random random = MakeRandom(8);
        Draw(&one, &random);
        random = MakeRandom(8);
        Draw(&many, &random);
        Forces(&one, &one.out);
        Forces(&many, &many.out);
        assert_at_most(Difference(&many.out, &one.out, one.h.model->nodeCount), 1e-12);
        Free(&one);
        Free(&many);
    }
}

// ---- rows -------------------------------------------------------------------------------------------------------------

static void MakeGrid(Bench* b, Kind kind)
{
    assert_true(rslStatics_Make(b->h.kernel));
    MakeLevels(&b->h, kind == TETRAHEDRA);
    assert_true(b->h.grid.stored && b->h.grid.levelCount > 1);
}

static void RowsAreProducts(void** unused)
{
    (void)unused;
    for (Kind kind = BRICKS; kind < KINDS; ++kind)
    {
        Bench b;
        Make(&b, kind, 2);
        MakeGrid(&b, kind);
        rslMultigrid_Multiply(&b.h.grid, 0, rslNodeVector_Strided(&b.p), rslNodeVector_Strided(&b.out));
        rslStatics_Near(b.h.kernel, b.h.state, b.p.x, b.other.x);
        rslUnknowns_Project(&b.h.unknowns, &b.other);
        assert_at_most(Difference(&b.out, &b.other, b.h.model->nodeCount), 1e-6);
        Free(&b);
    }
}

// ---- couplings ----------------------------------------------------------------------------------------------------------

typedef struct Row
{
    const rslNodeVector *p, *out;
    int node;
} Row;

static void AddCoupling(void* context, int other, const double block[9])
{
    const Row* row = context;
    for (int c = 0; c < 9; ++c)
    {
        const double* p = row->p->x[c % 3];
        row->out->x[c / 3][row->node] += block[c] * (p[other] - p[row->node]);
    }
}

// Springs one by one add up to products: those that are pressed count as slack across, or as they are.
static void CouplingsAreProducts(void** unused)
{
    (void)unused;
    static const Kind kinds[2] = { SPRINGS, RANDOM };
    for (int i = 0; i < 4; ++i)
    {
        Bench b;
        bool exact = i % 2 == 1;
        Make(&b, kinds[i / 2], 1);
        rslStatics_SetShift(b.h.kernel, 0.0);
        rslDynamics_SetRate(b.h.kernel, 0.0);
        assert_true(rslStatics_Make(b.h.kernel));
        rslStatics_Look(b.h.kernel, b.h.state);
        assert_false(rslStatics_SetExact(b.h.kernel, exact));
        rslUnknowns_Clear(&b.h.unknowns, &b.out);
        for (int node = 0; node < b.h.model->nodeCount; ++node)
        {
            Row row = { &b.p, &b.out, node };
            rslStatics_Springs(b.h.kernel, b.h.state, node, AddCoupling, &row);
            rslStatics_Repulsion(b.h.kernel, b.h.state, node, AddCoupling, &row);
        }
        (exact ? rslStatics_Product : rslStatics_Near)(b.h.kernel, b.h.state, b.p.x, b.other.x);
        rslUnknowns_Project(&b.h.unknowns, &b.out);
        rslUnknowns_Project(&b.h.unknowns, &b.other);
        assert_at_most(Difference(&b.out, &b.other, b.h.model->nodeCount), 1e-12);
        Free(&b);
    }
}

// ---- coarse rows --------------------------------------------------------------------------------------------------------

// x.A y of coarse vectors is that of what they are on the finer level.
static double CoarseError(Bench* b, int level, Random* random)
{
    const rslLevel *fine = &b->h.grid.levels[level], *coarse = fine + 1;
    rslVector x = coarse->x, kept = coarse->kept;
    double sum = 0.0, exact = 0.0, size = 0.0;
    for (int i = 0; i < 3 * coarse->count; ++i)
    {
        x.x[i % 3][i / 3] = NextBetween(random, -1.0, 1.0);
        kept.x[i % 3][i / 3] = NextBetween(random, -1.0, 1.0);
    }
    rslMultigrid_Multiply(&b->h.grid, level + 1, x, coarse->t);
    for (int i = 0; i < 3 * coarse->count; ++i)
    {
        sum += kept.x[i % 3][i / 3] * coarse->t.x[i % 3][i / 3];
    }
    rslNodeVector up = b->p, along = b->other;
    for (int i = 0; i < 3 * fine->count; ++i)
    {
        int node = i / 3, axis = i % 3, begin = fine->parentStart[node], end = fine->parentStart[node + 1];
        up.x[axis][node] = along.x[axis][node] = 0.0;
        for (int p = begin; p < end; ++p)
        {
            up.x[axis][node] += x.x[axis][fine->parent[p]] / (end - begin);
            along.x[axis][node] += kept.x[axis][fine->parent[p]] / (end - begin);
        }
    }
    if (level == 0)
    {
        rslUnknowns_Project(&b->h.unknowns, &up);
        rslUnknowns_Project(&b->h.unknowns, &along);
    }
    rslMultigrid_Multiply(&b->h.grid, level, rslNodeVector_Strided(&up), fine->t);
    for (int i = 0; i < 3 * fine->count; ++i)
    {
        double one = along.x[i % 3][i / 3] * fine->t.x[i % 3][i / 3];
        exact += one;
        size += fabs(one);
    }
    return fabs(sum - exact) / size;
}

static void CoarseRowsAreGalerkin(void** unused)
{
    (void)unused;
    static const Kind kinds[] = { BRICKS, SPRINGS };
    for (int t = 0; t < 2; ++t)
    {
        Bench b;
        Random random = MakeRandom(3);
        Make(&b, kinds[t], 1);
        MakeGrid(&b, kinds[t]);
        assert_true(b.h.grid.levelCount > 2);
        for (int level = 0; level + 1 < b.h.grid.levelCount; ++level)
        {
            assert_at_most(CoarseError(&b, level, &random), 1e-6);
        }
        Free(&b);
    }
}

static void MakeLean(Bench* b, int threads)
{
    Make(b, LEAN, threads);
    rslStatics_SetShift(b->h.kernel, 0.0);
    rslDynamics_SetRate(b->h.kernel, 0.0);
    assert_true(rslStatics_Make(b->h.kernel));
    b->h.grid.lean = true;
    MakeLevels(&b->h, false);
    assert_true(!b->h.grid.stored && b->h.grid.levelCount > 2 && rslMultigrid_IsRegular(&b->h.grid));
}

// On the grid, and beside the slit, where a place has two nodes, as well.
static void LeanRowsAreGalerkin(void** unused)
{
    (void)unused;
    static double sum[512][9];
    Bench b;
    Random random = MakeRandom(3);
    int regular[2] = { 0, 0 };
    MakeLean(&b, 1);
    for (int level = 0; level + 1 < b.h.grid.levelCount; ++level)
    {
        rslKeptRows kept = { 0 };
        for (int i = 0; i < b.h.grid.levels[level + 1].count; ++i)
        {
            regular[rslMultigrid_GatherRegular(&b.h.grid, level, i, &kept, sum) ? 1 : 0] += 1;
        }
        assert_at_most(CoarseError(&b, level, &random), 1e-6);
    }
    assert_true(regular[0] > 0 && regular[1] > regular[0]);
    Free(&b);
}

static void LeanBits(void** unused)
{
    (void)unused;
    Bench b[3];
    for (int k = 0; k < 3; ++k)
    {
        MakeLean(&b[k], k + 1);
        rslMultigrid_Apply(&b[k].h.grid, &b[k].p, &b[k].out);
        for (int axis = 0; axis < 3; ++axis)
        {
            assert_memory_equal(b[k].out.x[axis], b[0].out.x[axis], (size_t)b[0].h.model->nodeCount * sizeof(double));
        }
    }
    for (int k = 0; k < 3; ++k)
    {
        Free(&b[k]);
    }
}

static void SameBits(void** unused)
{
    (void)unused;
    Bench b[3];
    for (int k = 0; k < 3; ++k)
    {
        Make(&b[k], BRICKS, k + 1);
        MakeGrid(&b[k], BRICKS);
        rslMultigrid_Apply(&b[k].h.grid, &b[k].p, &b[k].out);
        rslStatics_Product(b[k].h.kernel, b[k].h.state, b[k].out.x, b[k].other.x);
        size_t bytes = (size_t)b[0].h.model->nodeCount * sizeof(double);
        for (int axis = 0; axis < 3; ++axis)
        {
            assert_memory_equal(b[k].out.x[axis], b[0].out.x[axis], bytes);
            assert_memory_equal(b[k].other.x[axis], b[0].other.x[axis], bytes);
        }
    }
    for (int k = 0; k < 3; ++k)
    {
        Free(&b[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(GroupsAreElements),
        cmocka_unit_test(RowsAreProducts),
        cmocka_unit_test(CouplingsAreProducts),
        cmocka_unit_test(CoarseRowsAreGalerkin),
        cmocka_unit_test(LeanRowsAreGalerkin),
        cmocka_unit_test(LeanBits),
        cmocka_unit_test(SameBits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
