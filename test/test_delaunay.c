// SPDX-License-Identifier: MIT
//
// Tetrahedra between points: empty spheres, closed faces, volumes, any order; and what is refused.

#include "delaunay.h"
#include "predicate.h"
#include "support.h"

typedef enum Cloud
{
    UNIFORM,
    LATTICE,
    DECIMAL_LATTICE,
    TURNED_LATTICE,
    BODY_CENTRED,
    JITTERED,
    SPHERE,
    CLUSTERED,
    FAR_AWAY,
    THIN,
    CLOUDS
} Cloud;

static const char* const names[] = { "uniform",  "lattice", "decimal lattice", "turned lattice", "body-centred",
                                     "jittered", "sphere",  "clustered",       "far away",       "thin" };

static rslVec3 PointOf(Cloud cloud, Random* random, int i, int edge)
{
    rslVec3 cell = { i % edge, i / edge % edge, i / edge / edge }, free = NextVec3(random, 1.0);
    rslMat3 turn = rslQuatMatrix(rslQuatFromDegrees((rslVec3){ 1.0, 2.0, 3.0 }, 31.0));
    switch (cloud)
    {
        case LATTICE: return cell;
        case DECIMAL_LATTICE: return (rslVec3){ 0.1 * cell.x, 0.1 * cell.y, 0.1 * cell.z };
        case TURNED_LATTICE: return rslMatVec(&turn, cell);
        case BODY_CENTRED:
            return (rslVec3){ cell.x + 0.5 * (i / edge / edge % 2), cell.y + 0.5 * (i / edge / edge % 2),
                              0.5 * cell.z };
        case JITTERED: return rslMulAdd(cell, 1e-9, free);
        case SPHERE: return rslScale(1.0 / rslLength(free), free);
        case CLUSTERED: return rslMulAdd(cell, i % 3 == 0 ? 1.0 : 1e-7, free);
        case FAR_AWAY: return rslAdd((rslVec3){ 1e9, -3e8, 5e7 }, free);
        case THIN: return (rslVec3){ free.x, free.y, 1e-6 * free.z };
        default: return free;
    }
}

static double* MakeCloud(Cloud cloud, int edge, uint64_t seed)
{
    int count = edge * edge * edge;
    double* xyz = malloc((size_t)count * 3 * sizeof(double));
    Random random = MakeRandom(seed);
    for (int i = 0; i < count; ++i)
    {
        rslVec3 x = PointOf(cloud, &random, i, edge);
        xyz[3 * i] = x.x;
        xyz[3 * i + 1] = x.y;
        xyz[3 * i + 2] = x.z;
    }
    return xyz;
}

static rslDelaunay Made(const double* xyz, int count)
{
    rslDelaunay made;
    rslReport report = { 0 };
    rslStatus status = rslDelaunay_Make(xyz, count, NULL, &made, &report);
    PrintReport(&report);
    assert_int_equal(status, rsl_ok);
    return made;
}

static const double* Corner(const rslDelaunay* made, const double* xyz, int tet, int corner)
{
    return xyz + 3 * made->corners[4 * tet + corner];
}

static rslVec3 Vec(const double* x)
{
    return (rslVec3){ x[0], x[1], x[2] };
}

static double Volume6(const double* a, const double* b, const double* c, const double* d)
{
    rslVec3 o = Vec(a);
    return rslDot(rslCross(rslSub(Vec(b), o), rslSub(Vec(c), o)), rslSub(Vec(d), o));
}

static double TotalVolume6(const rslDelaunay* made, const double* xyz)
{
    double sum = 0.0;
    for (int t = 0; t < made->count; ++t)
    {
        sum +=
            Volume6(Corner(made, xyz, t, 0), Corner(made, xyz, t, 1), Corner(made, xyz, t, 2), Corner(made, xyz, t, 3));
    }
    return sum;
}

// Exactly: positive volume, the corner of a neighbour not in the sphere (which makes all of it Delaunay), faces that fit;
// hull faces with no point beyond. Returns six times the volume of the cone of the hull over the first point.
static double CheckMesh(const rslDelaunay* made, const double* xyz, int count)
{
    int hull = 0, inner = 0;
    double cone = 0.0;
    for (int t = 0; t < made->count; ++t)
    {
        const double *a = Corner(made, xyz, t, 0), *b = Corner(made, xyz, t, 1), *c = Corner(made, xyz, t, 2),
                     *d = Corner(made, xyz, t, 3);
        assert_int_equal(rslOrient3(a, c, b, d), 1);
        for (int side = 0; side < 4; ++side)
        {
            int other = made->neighbours[4 * t + side], back = 0;
            if (other < 0)
            {
                static const int faces[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
                const int* f = faces[side];
                const double *p = Corner(made, xyz, t, f[0]), *q = Corner(made, xyz, t, f[1]),
                             *r = Corner(made, xyz, t, f[2]);
                ++hull;
                cone += Volume6(xyz, p, q, r);
                for (int i = 0; i < count; i += 1 + count / 300)
                {
                    assert_true(rslOrient3(p, q, r, xyz + 3 * i) >= 0);
                }
                continue;
            }
            ++inner;
            while (back < 4 && made->neighbours[4 * other + back] != t)
            {
                ++back;
            }
            assert_true(back < 4);
            for (int k = 0; k < 4; ++k)
            {
                int shared = 0;
                for (int m = 0; m < 4; ++m)
                {
                    shared += m != back && made->corners[4 * other + m] == made->corners[4 * t + k];
                }
                assert_int_equal(shared, k == side ? 0 : 1);
            }
            assert_true(rslInSphere(a, c, b, d, Corner(made, xyz, other, back)) <= 0);
        }
    }
    assert_int_equal(hull + inner, 4 * made->count);
    return cone;
}

static int CompareEdges(const void* a, const void* b)
{
    return memcmp(a, b, 2 * sizeof(int));
}

// V - E + F - T = 1: a ball.
static void CheckEuler(const rslDelaunay* made, int count)
{
    int(*edges)[2] = malloc((size_t)made->count * 6 * sizeof *edges);
    int all = 0, distinct = 0, hull = 0;
    bool* met = calloc((size_t)count, 1);
    for (int t = 0; t < made->count; ++t)
    {
        for (int i = 0; i < 4; ++i)
        {
            hull += made->neighbours[4 * t + i] < 0;
            met[made->corners[4 * t + i]] = true;
            for (int j = i + 1; j < 4; ++j, ++all)
            {
                int p = made->corners[4 * t + i], q = made->corners[4 * t + j];
                edges[all][0] = p < q ? p : q;
                edges[all][1] = p < q ? q : p;
            }
        }
    }
    qsort(edges, (size_t)all, sizeof *edges, CompareEdges);
    for (int i = 0; i < all; ++i)
    {
        distinct += i == 0 || CompareEdges(edges[i], edges[i - 1]) != 0;
    }
    int vertices = 0;
    for (int i = 0; i < count; ++i)
    {
        vertices += met[i];
    }
    assert_int_equal(vertices, count);
    assert_int_equal(vertices - distinct + (4 * made->count + hull) / 2 - made->count, 1);
    free(edges);
    free(met);
}

static void EveryCloud(void** state)
{
    (void)state;
    for (int cloud = 0; cloud < CLOUDS; ++cloud)
    {
        int edge = Proving() ? 30 : 9, count = edge * edge * edge;
        double* xyz = MakeCloud((Cloud)cloud, edge, 7);
        rslDelaunay made = Made(xyz, count);
        double cone = CheckMesh(&made, xyz, count), volume = TotalVolume6(&made, xyz);
        double cells = 6.0 * (edge - 1) * (edge - 1) * (edge - 1);
        CheckEuler(&made, count);
        assert_true(fabs(volume - cone) <= 1e-9 * cone);
        if (cloud == LATTICE || cloud == TURNED_LATTICE)
        {
            assert_true(fabs(volume - cells) <= 1e-9 * cells);
        }
        print_message("%s: %d tetrahedra of %d points\n", names[cloud], made.count, count);
        rslDelaunay_Free(&made);
        free(xyz);
    }
}

// Every point against every sphere.
static void EmptySpheres(void** state)
{
    (void)state;
    for (int cloud = 0; cloud < CLOUDS; ++cloud)
    {
        int count = 125;
        double* xyz = MakeCloud((Cloud)cloud, 5, 11);
        rslDelaunay made = Made(xyz, count);
        for (int t = 0; t < made.count; ++t)
        {
            for (int i = 0; i < count; ++i)
            {
                assert_true(rslInSphere(Corner(&made, xyz, t, 0), Corner(&made, xyz, t, 2), Corner(&made, xyz, t, 1),
                                        Corner(&made, xyz, t, 3), xyz + 3 * i) <= 0);
            }
        }
        rslDelaunay_Free(&made);
        free(xyz);
    }
}

static int CompareTets(const void* a, const void* b)
{
    return memcmp(a, b, 4 * sizeof(int));
}

// Corners as they were before the points were put in another order, sorted within and among.
static void Canonical(rslDelaunay* made, const int* place)
{
    for (int t = 0; t < made->count; ++t)
    {
        int* c = made->corners + 4 * t;
        for (int k = 0; k < 4; ++k)
        {
            c[k] = place[c[k]];
            for (int j = k; j > 0 && c[j] < c[j - 1]; --j)
            {
                int kept = c[j];
                c[j] = c[j - 1];
                c[j - 1] = kept;
            }
        }
    }
    qsort(made->corners, (size_t)made->count, 4 * sizeof(int), CompareTets);
}

// The same tetrahedra in whatever order the points come.
static void AnyOrder(void** state)
{
    (void)state;
    enum
    {
        COUNT = 343
    };
    for (int cloud = 0; cloud < CLOUDS; ++cloud)
    {
        int place[COUNT], same[COUNT];
        double* xyz = MakeCloud((Cloud)cloud, 7, 13);
        double mixed[3 * COUNT];
        Random random = MakeRandom(17);
        for (int i = 0; i < COUNT; ++i)
        {
            int j = (int)(NextBits(&random) % (uint64_t)(i + 1));
            same[i] = i;
            place[i] = place[j];
            place[j] = i;
        }
        for (int i = 0; i < COUNT; ++i)
        {
            memcpy(mixed + 3 * i, xyz + 3 * place[i], 3 * sizeof(double));
        }
        rslDelaunay first = Made(xyz, COUNT), second = Made(mixed, COUNT);
        Canonical(&first, same);
        Canonical(&second, place);
        assert_int_equal(first.count, second.count);
        assert_memory_equal(first.corners, second.corners, (size_t)first.count * 4 * sizeof(int));
        rslDelaunay_Free(&first);
        rslDelaunay_Free(&second);
        free(xyz);
    }
}

static void Locate(void** state)
{
    (void)state;
    double* xyz = MakeCloud(LATTICE, 8, 1);
    rslDelaunay made = Made(xyz, 512);
    Random random = MakeRandom(3);
    for (int i = 0, at = 0; i < 2000; ++i)
    {
        double x[3];
        bool inside = true;
        for (int a = 0; a < 3; ++a)
        {
            x[a] = i % 2 == 0 ? NextBetween(&random, -0.5, 7.5) : (double)(NextBits(&random) % 10) - 1.0;
            inside = inside && x[a] >= 0.0 && x[a] <= 7.0;
        }
        int found = rslDelaunay_Locate(&made, xyz, x, at);
        assert_int_equal(found >= 0, inside);
        for (int c = 0; found >= 0 && c < 4; ++c)
        {
            const double* corner[4];
            for (int k = 0; k < 4; ++k)
            {
                corner[k] = k == c ? x : Corner(&made, xyz, found, k);
            }
            assert_true(rslOrient3(corner[0], corner[2], corner[1], corner[3]) >= 0);
            at = found;
        }
    }
    rslDelaunay_Free(&made);
    free(xyz);
}

static void RefusedWith(const double* xyz, int count, const char* part)
{
    rslDelaunay made;
    rslReport report = { 0 };
    assert_int_equal(rslDelaunay_Make(xyz, count, NULL, &made, &report), rsl_badInput);
    assert_null(made.corners);
    PrintReport(&report);
    assert_true(HasMessage(&report, rsl_error, (rslPlace){ 0, 0 }, part));
}

static void BadPoints(void** state)
{
    (void)state;
    double xyz[15] = { 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0 };
    RefusedWith(xyz, 0, "0 points, at least four");
    RefusedWith(xyz, 3, "3 points, at least four");
    RefusedWith(xyz, 5, "points 2 and 4 are at the same place");
    xyz[14] = -0.0;
    RefusedWith(xyz, 5, "points 2 and 4 are at the same place");
    xyz[11] = 0.0;
    xyz[13] = xyz[12] = 3.0;
    RefusedWith(xyz, 5, "all 5 points are in one plane");
    const double line[15] = { 0.0, 0.0, 0.0, 0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 1.0, 1.0, 1.0, -7.0, -7.0, -7.0 };
    RefusedWith(line, 5, "all 5 points are on one line");
    const double same[12] = { 0.0 };
    RefusedWith(same, 4, "all 4 points are at one place");
    xyz[7] = (double)NAN;
    RefusedWith(xyz, 5, "point 2 is not finite");
    xyz[7] = (double)INFINITY;
    RefusedWith(xyz, 5, "point 2 is not finite");
}

// Sizes near the ends of what doubles hold.
static void AnySize(void** state)
{
    (void)state;
    static const double sizes[] = { 1e-300, 1e-30, 1e30, 1e300 };
    double* unit = MakeCloud(UNIFORM, 5, 3);
    rslDelaunay first = Made(unit, 125);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s)
    {
        double* xyz = malloc(375 * sizeof(double));
        for (int i = 0; i < 375; ++i)
        {
            xyz[i] = sizes[s] * unit[i];
        }
        rslDelaunay made = Made(xyz, 125);
        assert_int_equal(made.count, first.count);
        rslDelaunay_Free(&made);
        free(xyz);
    }
    // a few coordinates that are nearly nothing
    unit[0] = 1e-200;
    unit[4] = -1e-45;
    unit[8] = 5e-324;
    rslDelaunay made = Made(unit, 125);
    rslDelaunay_Free(&made);
    rslDelaunay_Free(&first);
    free(unit);
}

static void OutOfMemory(void** state)
{
    (void)state;
    double* xyz = MakeCloud(LATTICE, 5, 1);
    for (int failAt = 1, done = 0; !done; ++failAt)
    {
        Heap heap = { .failAt = failAt };
        rslHooks hooks = HeapHooks(&heap);
        rslDelaunay made;
        rslStatus status = rslDelaunay_Make(xyz, 125, &hooks, &made, NULL);
        done = heap.calls < failAt;
        assert_int_equal(status, done ? rsl_ok : rsl_outOfMemory);
        assert_true(!done || failAt > 12);
        rslDelaunay_Free(&made);
        assert_int_equal(heap.live, 0);
    }
    free(xyz);
}

// ---- the predicate ------------------------------------------------------------------------------------------------------

// Points of a sphere with integer coordinates, all permutations and signs of (1, 4, 8), (4, 4, 7): |x| = 9. Shifted by numbers
// that still leave them exact, and one of them moved by its last bit.
static void SphereToTheLastBit(void** state)
{
    (void)state;
    static const double at[5][3] = { { 1, 4, 8 }, { -4, 7, 4 }, { 8, -1, 4 }, { -7, -4, -4 }, { 4, 8, -1 } };
    static const double shifts[] = { 0.0, 0.5, 1e6, 0x1p48 };
    for (size_t s = 0; s < sizeof shifts / sizeof shifts[0]; ++s)
    {
        double p[5][3];
        for (int i = 0; i < 15; ++i)
        {
            p[i / 3][i % 3] = at[i / 3][i % 3] + shifts[s];
        }
        int turn = rslOrient3(p[0], p[1], p[2], p[3]);
        assert_int_not_equal(turn, 0);
        assert_int_equal(rslInSphere(p[0], p[1], p[2], p[3], p[4]), 0);
        double kept = p[4][1];
        p[4][1] = nextafter(kept, 0.0);
        assert_int_equal(turn * rslInSphere(p[0], p[1], p[2], p[3], p[4]), 1);
        p[4][1] = nextafter(kept, INFINITY);
        assert_int_equal(turn * rslInSphere(p[0], p[1], p[2], p[3], p[4]), -1);
    }
    // a step that neither doubles nor pairs of them see
    double p[5][3];
    for (int i = 0; i < 15; ++i)
    {
        p[i / 3][i % 3] = at[i / 3][i % 3] - (i % 3 == 0 ? 4.0 : 0.0);
    }
    int turn = rslOrient3(p[0], p[1], p[2], p[3]);
    p[4][0] = -0x1p-140;
    assert_int_equal(turn * rslInSphere(p[0], p[1], p[2], p[3], p[4]), 1);
    p[4][0] = 0x1p-140;
    assert_int_equal(turn * rslInSphere(p[0], p[1], p[2], p[3], p[4]), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SphereToTheLastBit),
        cmocka_unit_test(EveryCloud),
        cmocka_unit_test(EmptySpheres),
        cmocka_unit_test(AnyOrder),
        cmocka_unit_test(Locate),
        cmocka_unit_test(BadPoints),
        cmocka_unit_test(AnySize),
        cmocka_unit_test(OutOfMemory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
