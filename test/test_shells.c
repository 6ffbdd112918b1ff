// SPDX-License-Identifier: MIT
//
// Shells of lattices: moduli of AC by a pull, motions that cost nothing counted by eigenvalues and by mechanism.h, and what is
// said about them.

#include "physics_fixture.h"

#include "build.h"
#include "mechanism.h"
#include "orthotropic.h"

// ---- eigenvalues of dense symmetric matrices --------------------------------------------------------------------------

// Householder's reduction to a tridiagonal matrix with the diagonal d and e beside it; destroys a (n x n by rows).
static void Tridiagonalise(double* a, int n, double* d, double* e)
{
    double *v = calloc((size_t)n, sizeof(double)), *p = calloc((size_t)n, sizeof(double));
    for (int k = 0; k + 1 < n; ++k)
    {
        double norm = 0.0, dot = 0.0, vv = 0.0;
        for (int i = k + 1; i < n; ++i)
        {
            v[i] = a[i * n + k];
            norm += v[i] * v[i];
        }
        norm = sqrt(norm);
        e[k] = v[k + 1] > 0.0 ? -norm : norm;
        v[k + 1] -= e[k];
        for (int i = k + 1; i < n; ++i)
        {
            vv += v[i] * v[i];
        }
        // a -= v w^T + w v^T with p = 2 a v / v.v and w = p - (p.v / v.v) v
        for (int i = k + 1; vv > 0.0 && i < n; ++i)
        {
            p[i] = 0.0;
            for (int j = k + 1; j < n; ++j)
            {
                p[i] += 2.0 / vv * a[i * n + j] * v[j];
            }
            dot += p[i] * v[i];
        }
        for (int i = k + 1; vv > 0.0 && i < n; ++i)
        {
            p[i] -= dot / vv * v[i];
        }
        for (int i = k + 1; vv > 0.0 && i < n; ++i)
        {
            for (int j = k + 1; j < n; ++j)
            {
                a[i * n + j] -= v[i] * p[j] + p[i] * v[j];
            }
        }
    }
    for (int i = 0; i < n; ++i)
    {
        d[i] = a[i * n + i];
    }
    free(v);
    free(p);
}

// How many eigenvalues are below x: the signs of Sturm's sequence.
static int CountBelow(const double* d, const double* e, int n, double x)
{
    int below = 0;
    double q = 1.0;
    for (int i = 0; i < n; ++i)
    {
        q = d[i] - x - (i > 0 ? e[i - 1] * e[i - 1] / q : 0.0);
        q = q == 0.0 ? -1e-300 : q;
        below += q < 0.0 ? 1 : 0;
    }
    return below;
}

// Eigenvalues that are zero, with none between 1e-10 and 1e-6 of the trace over n. Destroys a.
static int CountZero(double* a, int n)
{
    double trace = 0.0;
    for (int i = 0; i < n; ++i)
    {
        trace += a[i * n + i];
    }
    if (trace == 0.0)
    {
        return n;
    }
    double mean = trace / n;
    double *d = calloc((size_t)n, sizeof(double)), *e = calloc((size_t)n, sizeof(double));
    Tridiagonalise(a, n, d, e);
    int zero = CountBelow(d, e, n, 1e-10 * mean);
    assert_int_equal(CountBelow(d, e, n, -1e-10 * mean), 0);
    assert_int_equal(CountBelow(d, e, n, 1e-6 * mean), zero);
    free(d);
    free(e);
    return zero;
}

// ---- the stiffness of a body ------------------------------------------------------------------------------------------

typedef struct Dense
{
    const rslModel* model;
    double* k;
    double* rest;
    int size;
} Dense;

static bool AddSpring(const rslSpring* spring, void* context)
{
    Dense* dense = context;
    double n[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        n[axis] = (dense->rest[3 * spring->b + axis] - dense->rest[3 * spring->a + axis]) / spring->restLength;
    }
    for (int r = 0; r < 6; ++r)
    {
        for (int c = 0; c < 6; ++c)
        {
            int row = 3 * (r < 3 ? spring->a : spring->b) + r % 3, column = 3 * (c < 3 ? spring->a : spring->b) + c % 3;
            dense->k[row * dense->size + column] +=
                ((r < 3) == (c < 3) ? 1.0 : -1.0) * spring->stiffness * n[r % 3] * n[c % 3];
        }
    }
    return true;
}

static Dense MakeDense(const rslModel* model)
{
    Dense dense = { .model = model, .size = 3 * model->nodeCount };
    dense.k = calloc((size_t)dense.size * (size_t)dense.size, sizeof(double));
    dense.rest = calloc((size_t)dense.size, sizeof(double));
    rslBody_Rest(&model->bodies[0], 0, model->nodeCount, dense.rest);
    rslModel_VisitSprings(model, 0, AddSpring, &dense);
    return dense;
}

static void FreeDense(Dense* dense)
{
    free(dense->k);
    free(dense->rest);
}

// Zero modes of what is left when held axes are taken out.
static int ZeroModes(const Dense* dense, const uint8_t* held)
{
    int *kept = calloc((size_t)dense->size, sizeof(int)), count = 0;
    for (int i = 0; i < dense->size; ++i)
    {
        if (held == NULL || !(held[i / 3] >> i % 3 & 1))
        {
            kept[count++] = i;
        }
    }
    double* k = calloc((size_t)count * (size_t)count + 1, sizeof(double));
    for (int i = 0; i < count * count; ++i)
    {
        k[i] = dense->k[kept[i / count] * dense->size + kept[i % count]];
    }
    int zero = CountZero(k, count);
    free(k);
    free(kept);
    return zero;
}

// Rank of the rigid motions at some axes of one connected body.
static int RigidRank(const Dense* dense, const uint8_t* axes)
{
    double gram[36] = { 0.0 };
    for (int i = 0; i < dense->size; ++i)
    {
        const double* x = &dense->rest[i - i % 3];
        rslVec3 e = { i % 3 == 0, i % 3 == 1, i % 3 == 2 };
        rslVec3 turn = rslScale(10.0, rslCross((rslVec3){ x[0], x[1], x[2] }, e));
        const double row[6] = { e.x, e.y, e.z, turn.x, turn.y, turn.z };
        for (int g = 0; (axes == NULL || (axes[i / 3] >> i % 3 & 1)) && g < 36; ++g)
        {
            gram[g] += row[g / 6] * row[g % 6];
        }
    }
    return 6 - CountZero(gram, 6);
}

static rslModel* Block(rslShells shells, rslConstruction construction, int nx, int ny, int nz)
{
    rslShapeDef shape = BoxShape(0.1 * nx, 0.1 * ny, 0.1 * nz);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    body.network.shells = shells;
    body.network.construction = construction;
    rslScene scene = SceneOf(&body, 1);
    return Built(&scene, NULL);
}

static rslMechanisms Floppy(const rslModel* model, const uint8_t* held)
{
    rslMechanisms floppy;
    assert_int_equal(rslMechanisms_Count(&model->bodies[0], held, (rslVec3){ 0, 0, 0 }, &model->hooks, &floppy),
                     rsl_ok);
    assert_true(floppy.exact);
    return floppy;
}

static void FreeBlocksHaveSixOrNine(void** unused)
{
    (void)unused;
    int wrong = 0;
    for (int n = 1; n <= (Proving() ? 5 : 4); ++n)
    {
        for (int shells = 0; shells < 2; ++shells)
        {
            rslModel* model = Block(shells == 0 ? rsl_shellsAB : rsl_shellsAC, rsl_cornerLattice, n, n, n);
            Dense dense = MakeDense(model);
            wrong += abs(ZeroModes(&dense, NULL) - (shells == 0 ? 6 : 9));
            wrong += abs((int)Floppy(model, NULL).modes - (shells == 0 ? 0 : 3));
            FreeDense(&dense);
            rslModel_Free(model);
        }
    }
    assert_proved("zero modes of a free block beyond 6 (AB) and 9 (AC), 1 to 4 cells", wrong, 0);
}

// Bars, plates and blocks of both constructions, free and with random axes held.
static void CountIsThatOfTheEigenvalues(void** unused)
{
    (void)unused;
    Random random = MakeRandom(3);
    static const int sizes[][3] = { { 4, 1, 1 }, { 1, 3, 1 }, { 3, 4, 1 }, { 1, 2, 4 }, { 3, 2, 2 }, { 4, 3, 2 } };
    for (int trial = 0; trial < 24; ++trial)
    {
        const int* n = sizes[trial % 6];
        rslConstruction construction = trial % 12 < 6 ? rsl_cornerLattice : rsl_centredLattice;
        rslModel* model = Block(rsl_shellsAC, construction, n[0], n[1], n[2]);
        Dense dense = MakeDense(model);
        uint8_t* held = calloc((size_t)model->nodeCount, 1);
        for (int h = 0; trial >= 12 && h < 1 + trial % 5; ++h)
        {
            held[NextBits(&random) % (uint64_t)model->nodeCount] |= (uint8_t)(1 + NextBits(&random) % 7);
        }
        int rigid = RigidRank(&dense, NULL) - RigidRank(&dense, held);
        assert_int_equal(Floppy(model, held).modes, ZeroModes(&dense, held) - rigid);
        free(held);
        FreeDense(&dense);
        rslModel_Free(model);
    }
}

// Any shape: cells taken away at random from a block that stays in one part.
static void CountOfRaggedBodies(void** unused)
{
    (void)unused;
    int compared = 0;
    for (uint64_t seed = 0; seed < (Proving() ? 120 : 30); ++seed)
    {
        Random random = MakeRandom(seed);
        rslShapeDef parts[8];
        for (int p = 0; p < 8; ++p)
        {
            parts[p] = BoxShape(p == 0 ? 0.4 : 0.1, p == 0 ? 0.3 : 0.1, p == 0 ? 0.3 : 0.1);
            parts[p].translate = p == 0 ? (rslVec3){ 0, 0, 0 }
                                        : (rslVec3){ 0.1 * (double)(NextBits(&random) % 4) - 0.15,
                                                     0.1 * (double)(NextBits(&random) % 3) - 0.1,
                                                     0.1 * (double)(NextBits(&random) % 3) - 0.1 };
        }
        rslShapeDef shape = rslDefaultShapeDef();
        shape.type = rsl_differenceShape;
        shape.parts = parts;
        shape.partCount = 2 + (int)(seed % 7);
        rslBodyDef body = LatticeBody("ragged", &shape, 0.1);
        body.network.shells = rsl_shellsAC;
        body.network.construction = seed % 2 == 0 ? rsl_cornerLattice : rsl_centredLattice;
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        if (rslModel_Components(model, 0, &model->hooks) == 1)
        {
            Dense dense = MakeDense(model);
            assert_int_equal(Floppy(model, NULL).modes, ZeroModes(&dense, NULL) - RigidRank(&dense, NULL));
            FreeDense(&dense);
            compared += 1;
        }
        rslModel_Free(model);
    }
    assert_true(compared > 10);
}

// ---- pulls --------------------------------------------------------------------------------------------------------------

// A block between planes without friction, pulled along an axis: modulus, and contraction of the next axes over its strain.
typedef struct Stretch
{
    double modulus, next, last;
} Stretch;

static Stretch PullBlock(rslBodyDef body, int axis, double stress)
{
    const double size[3] = { 0.6, 0.4, 0.5 };
    rslShapeDef shape = BoxShape(size[0], size[1], size[2]);
    body.shape = &shape;
    rslConstraintDef held[3];
    for (int side = 0; side < 3; ++side)
    {
        rslVec3 normal = { side == 0 ? -1 : 0, side == 1 ? -1 : 0, side == 2 ? -1 : 0 };
        held[side] = PinOf(SideOf("block", rslScale(0.5 * size[side] - 1e-3, normal), normal));
        for (int other = 0; other < 3; ++other)
        {
            held[side].axes[other] = other == side;
        }
    }
    // the masses of a face are in proportion to the areas of its nodes: an acceleration of them is an even stress
    rslVec3 out = { axis == 0, axis == 1, axis == 2 };
    rslLoadDef load = rslDefaultLoadDef();
    load.type = rsl_accelerationLoad;
    load.nodes = SideOf("block", rslScale(0.5 * size[axis] - 1e-3, out), out);
    load.acceleration = rslScale(stress / (0.5 * body.network.spacing * body.material.density), out);
    rslScene scene = LoadedScene(&body, held, 3, &load);
    scene.gravity = (rslVec3){ 0 };
    Run run = StartRun(&scene, SolverDef(rsl_static, 1.0));
    int corner = run.model->nodeCount - 1;
    rslVec3 before = WorldOf(run.model, corner);
    Step(&run, 1);
    rslVec3 moved = rslSub(PositionOf(&run, corner), before);
    EndRun(&run);
    const double strain[3] = { moved.x / size[0], moved.y / size[1], moved.z / size[2] };
    return (Stretch){ stress / strain[axis], -strain[(axis + 1) % 3] / strain[axis],
                      -strain[(axis + 2) % 3] / strain[axis] };
}

static void CornerLatticeOfShellsACHasItsModuli(void** unused)
{
    (void)unused;
    rslBodyDef body = LatticeBody("block", NULL, 0.1);
    body.network.shells = rsl_shellsAC;
    double young = 0.0, poisson = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        Stretch pull = PullBlock(body, axis, 1e-7 * body.material.young);
        young = Worse(young, fabs(pull.modulus / body.material.young - 1.0));
        poisson = Worse(poisson, fmax(fabs(pull.next / 0.25 - 1.0), fabs(pull.last / 0.25 - 1.0)));
    }
    assert_proved("corner AC, uniaxial, lateral free: E", young, 1e-6);
    assert_proved("corner AC, uniaxial, lateral free: nu", poisson, 1e-6);
}

// Laws that are not linear: the same moduli for small strains, others for large ones.
static void LawsHaveTheSameModuliAtRest(void** unused)
{
    (void)unused;
    static const rslSpringLaw laws[2] = { rsl_carrierSpring, rsl_cooperSpring };
    for (int law = 0; law < 2; ++law)
    {
        rslBodyDef body = LatticeBody("block", NULL, 0.1);
        body.network.law = laws[law];
        Stretch small = PullBlock(body, law, 1e-7 * body.material.young);
        assert_close(small.modulus / body.material.young, 1.0, 1e-6);
        assert_close(small.next / 0.25, 1.0, 1e-6);
        body.network.law = rsl_linearSpring;
        Stretch linear = PullBlock(body, law, 0.1 * body.material.young);
        body.network.law = laws[law];
        Stretch large = PullBlock(body, law, 0.1 * body.material.young);
        assert_true(large.modulus < 0.98 * linear.modulus);
    }
}

// Pulls along three axes, and the Poisson's ratios that follow from C_ij = G_ij.
static void OrthotropicLatticeHasItsModuli(void** unused)
{
    (void)unused;
    Random random = MakeRandom(8);
    double worst = 0.0, ratio = 0.0;
    for (int trial = 0; trial < (Proving() ? 12 : 3); ++trial)
    {
        rslBodyDef body = LatticeBody("block", NULL, 0.1);
        rslOrthotropicDef axes = { .young = { 1e6, 3e5, 2e5 }, .shear = { 4e4, 9e4, 1.2e5 } };
        if (trial > 0)
        {
            axes.young = (rslVec3){ NextBetween(&random, 1e5, 2e6), NextBetween(&random, 1e5, 2e6), 3e5 };
            axes.shear = (rslVec3){ NextBetween(&random, 1e4, 9e4), NextBetween(&random, 1e4, 9e4), 5e4 };
        }
        body.material.orthotropic = &axes;
        body.material.young = body.material.poisson = RSL_AUTO;
        rslShapeDef shape = BoxShape(0.2, 0.2, 0.2);
        body.shape = &shape;
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        rslAxisModuli predicted = model->bodies[0].axes;
        rslModel_Free(model);
        const double young[3] = { axes.young.x, axes.young.y, axes.young.z };
        for (int axis = 0; axis < 3; ++axis)
        {
            Stretch pull = PullBlock(body, axis, 1e-7 * young[axis]);
            worst = Worse(worst, fabs(pull.modulus / young[axis] - 1.0));
            worst = Worse(worst, fabs(predicted.young[axis] / young[axis] - 1.0));
            ratio = Worse(ratio, fabs(pull.next - predicted.poisson[axis]));
            ratio = Worse(ratio, fabs(pull.last - predicted.poisson[3 + (axis + 2) % 3]));
        }
    }
    assert_proved("orthotropic corner lattice, pulls along three axes: E", worst, 1e-6);
    assert_proved("orthotropic corner lattice, pulls along three axes: nu", ratio, 1e-6);
}

// E = 5/2 G on all axes is the isotropic lattice, and so are its constants.
static void OrthotropicMeetsIsotropic(void** unused)
{
    (void)unused;
    rslOrthotropicDef axes = { .young = { 1e5, 1e5, 1e5 }, .shear = { 4e4, 4e4, 4e4 } };
    rslOrthotropic found;
    assert_true(rslOrthotropic_Solve(&axes, &found));
    for (int n = 0; n < 3; ++n)
    {
        assert_close(found.edge[n], 4e4, 1e-6);
        assert_close(found.moduli.poisson[n], 0.25, 1e-12);
        assert_close(found.moduli.poisson[3 + n], 0.25, 1e-12);
    }
    assert_close(found.bulk, 2e5 / 3.0, 1e-6);
    // what it says is needed is needed
    axes.young.y = 1e4;
    assert_false(rslOrthotropic_Solve(&axes, &found));
    assert_int_equal(found.soft, 1);
    double least = found.least;
    axes.young.y = 1.001 * least;
    assert_true(rslOrthotropic_Solve(&axes, &found));
    axes.young.y = 0.999 * least;
    assert_false(rslOrthotropic_Solve(&axes, &found));
    rslShapeDef shape = BoxShape(0.2, 0.2, 0.2);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    axes.place = (rslPlace){ 4, 9 };
    body.material.orthotropic = &axes;
    rslScene scene = SceneOf(&body, 1);
    Refused(&scene, axes.place, "along y it has to exceed");
}

// ---- what is said -------------------------------------------------------------------------------------------------------

static void LooseColumnsAreRefused(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.3);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    body.network.place = (rslPlace){ 7, 3 };
    rslConstraintDef pin = PinOf(ListOf("block", (const int[]){ 0, 1, 6 }, 3));
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    rslReport report = { 0 };
    assert_int_equal(CreateOnly(&scene, SolverDef(rsl_static, 1.0), &report), rsl_ok);
    body.network.shells = rsl_shellsAC;
    rslModel_Free(Built(&scene, &report));
    assert_true(HasMessage(&report, rsl_warning, body.network.place, "has 3 floppy modes"));
    report = (rslReport){ 0 };
    assert_int_equal(CreateOnly(&scene, SolverDef(rsl_static, 1.0), &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_error, (rslPlace){ 0 }, "cost"));
    assert_true(HasMessage(&report, rsl_error, (rslPlace){ 0 }, "use 'shells: AB', or pin one whole face"));
    // a face holds all, turned or not, and hanging from it the body finds its rest
    pin.nodes = SideOf("block", (rslVec3){ -0.19, 0, 0 }, (rslVec3){ -1, 0, 0 });
    assert_int_equal(CreateOnly(&scene, SolverDef(rsl_static, 1.0), &report), rsl_ok);
    Run run = StartRun(&scene, SolverDef(rsl_static, 1.0));
    Step(&run, 1);
    double weight = run.model->bodies[0].mass * 9.81;
    assert_close(rslSolver_Reaction(run.solver, run.state, 0).z, weight, 1e-6 * weight);
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FreeBlocksHaveSixOrNine),
        cmocka_unit_test(CountIsThatOfTheEigenvalues),
        cmocka_unit_test(CountOfRaggedBodies),
        cmocka_unit_test(CornerLatticeOfShellsACHasItsModuli),
        cmocka_unit_test(LawsHaveTheSameModuliAtRest),
        cmocka_unit_test(LooseColumnsAreRefused),
        cmocka_unit_test(OrthotropicLatticeHasItsModuli),
        cmocka_unit_test(OrthotropicMeetsIsotropic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
