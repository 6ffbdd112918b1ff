// SPDX-License-Identifier: MIT
//
// test_mesh.c: predicates, the check against hand-made defects and against plain searches, repair, inside, files.

#include "mesh_fixture.h"
#include "mesh_tree.h"
#include "predicate.h"
#include "resilin/io.h"
#include "resilin/shape.h"
#include "triangle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

// assimp 5.2.5 itself loses some memory on damaged files; ours is counted by FailEveryAllocation
// (visible, so that the sanitizer's library finds it)
RSL_API const char* __lsan_default_suppressions(void);
const char* __lsan_default_suppressions(void)
{
    return "leak:libassimp\n";
}

static rslShapeDef Def(rslShapeType type)
{
    return (rslShapeDef){ .type = type, .scale = 1.0, .rotate = { { 0, 0, 1 }, 0 } };
}

static rslMesh SurfaceOf(const rslShapeDef* def, double edge)
{
    rslShape* shape;
    rslMesh mesh;
    assert_int_equal(rslShape_Create(def, NULL, &shape, NULL), rsl_ok);
    assert_int_equal(rslShape_Surface(shape, edge, NULL, &mesh, NULL), rsl_ok);
    rslShape_Free(shape);
    return mesh;
}

static rslMesh Sphere(double edge)
{
    rslShapeDef def = Def(rsl_sphereShape);
    def.radius = 1.0;
    def.rotate = (rslRotationDef){ { 1, 2, 3 }, 37.0 };
    return SurfaceOf(&def, edge);
}

static rslMeshDefects CheckOf(const rslMesh* mesh)
{
    rslMeshDefects d;
    assert_int_equal(rslMesh_Check(mesh->vertices, mesh->vertexCount, mesh->triangles, mesh->triangleCount, NULL, &d),
                     rsl_ok);
    return d;
}

// ---- predicates -----------------------------------------------------------------------------------------------------

static void PredicatesAreExact(void** state)
{
    (void)state;
    // points on the line y = x, moved by units in the last place: doubles alone get many of these wrong
    double e = 0x1p-53;
    for (int i = 0; i < 64; ++i)
    {
        for (int j = 0; j < 64; ++j)
        {
            int sign = rslOrient2(12.0, 12.0, 24.0, 24.0, 0.5 + i * e, 0.5 + j * e);
            assert_int_equal(sign, (j > i) - (j < i));
        }
    }
    // the plane x + y + z = 3 through far points
    double a[3] = { 1e8, -1e8, 3.0 }, b[3] = { -1e8, 3.0, 1e8 }, c[3] = { 3.0, 1e8, -1e8 };
    double on[3] = { 1.0, 1.0, 1.0 }, above[3] = { 1.0, 1.0, 1.0 + 0x1p-52 }, below[3] = { 1.0, 1.0, 1.0 - 0x1p-53 };
    assert_int_equal(rslOrient3(a, b, c, on), 0);
    assert_int_equal(rslOrient3(a, b, c, above) * rslOrient3(a, b, c, below), -1);
    // exchanging two points changes the sign
    Random random = { 5 };
    for (int n = 0; n < 2000; ++n)
    {
        double p[4][3];
        for (int i = 0; i < 12; ++i)
        {
            p[i / 3][i % 3] = floor(Uniform(&random, 0.0, 4.0)) * 0.1;
        }
        int s = rslOrient3(p[0], p[1], p[2], p[3]);
        assert_int_equal(rslOrient3(p[1], p[0], p[2], p[3]), -s);
        assert_int_equal(rslOrient3(p[0], p[1], p[3], p[2]), -s);
        assert_int_equal(rslOrient3(p[1], p[2], p[0], p[3]), s);
    }
}

// ---- the check ------------------------------------------------------------------------------------------------------

static void SoundMeshes(void** state)
{
    (void)state;
    rslMesh mesh = Sphere(0.2);
    rslMeshDefects d = CheckOf(&mesh);
    assert_int_equal(rslMeshDefects_Kinds(&d), 0);
    assert_int_equal(d.components, 1);
    assert_false(d.insideOut);
    assert_true(fabs(d.volume - 4.0 / 3.0 * PI) < 0.1);
    rslMesh_Free(&mesh);
}

static void CountsOfSingleDefects(void** state)
{
    (void)state;
    rslMesh mesh = Sphere(0.4);
    int* t = mesh.triangles;
    rslMeshDefects d;
    // a triangle less
    rslMesh_Check(mesh.vertices, mesh.vertexCount, t, mesh.triangleCount - 1, NULL, &d);
    assert_int_equal(d.openEdges, 3);
    assert_int_equal(rslMeshDefects_Kinds(&d), 1);
    // one turned
    int swap = t[1];
    t[1] = t[2];
    t[2] = swap;
    d = CheckOf(&mesh);
    assert_int_equal(d.flippedEdges, 3);
    assert_int_equal(rslMeshDefects_Kinds(&d), 1);
    t[2] = t[1];
    t[1] = swap;
    // a vertex pulled through the other side
    double* x = mesh.vertices + 3 * (size_t)t[0];
    double before[3] = { x[0], x[1], x[2] };
    for (int i = 0; i < 3; ++i)
    {
        x[i] *= -1.5;
    }
    d = CheckOf(&mesh);
    assert_true(d.selfIntersections > 0);
    memcpy(x, before, sizeof before);
    // numbers
    x[1] = NAN;
    d = CheckOf(&mesh);
    assert_int_equal(d.nonFinite, 1);
    assert_int_equal(d.firstBad, t[0]);
    memcpy(x, before, sizeof before);
    t[4] = mesh.vertexCount;
    d = CheckOf(&mesh);
    assert_int_equal(d.badIndices, 1);
    assert_int_equal(d.firstBad, 1);
    rslMesh_Free(&mesh);
    // nothing at all
    assert_int_equal(rslMesh_Check(NULL, 0, NULL, 0, NULL, &d), rsl_ok);
    assert_int_equal(d.components, 0);
}

// crossings found by the tree are those of all pairs
static void CrossingsMatchAllPairs(void** state)
{
    (void)state;
    Random random = { 9 };
    enum
    {
        N = 120
    };
    for (int round = 0; round < 20; ++round)
    {
        double x[9 * N];
        int t[3 * N];
        for (int i = 0; i < N; ++i)
        {
            double c[3] = { Uniform(&random, 0, 1), Uniform(&random, 0, 1), Uniform(&random, 0, 1) };
            for (int k = 0; k < 9; ++k)
            {
                // odd rounds lie on a coarse grid: touching, coplanar, with equal vertices
                double r = c[k % 3] + Uniform(&random, -0.2, 0.2);
                x[9 * i + k] = round % 2 ? floor(6.0 * r) / 6.0 : r;
            }
            for (int k = 0; k < 3; ++k)
            {
                t[3 * i + k] = 3 * i + k;
            }
        }
        rslMeshDefects d;
        assert_int_equal(rslMesh_Check(x, 3 * N, t, N, NULL, &d), rsl_ok);
        int same[3 * N], expected = 0;
        bool flat[N];
        for (int i = 0; i < 3 * N; ++i)
        {
            for (same[i] = 0; memcmp(x + 3 * same[i], x + 3 * i, 24) != 0; ++same[i])
            {
            }
        }
        for (int i = 0; i < N; ++i)
        {
            double e[3], f[3];
            for (int k = 0; k < 3; ++k)
            {
                e[k] = x[9 * i + 3 + k] - x[9 * i + k];
                f[k] = x[9 * i + 6 + k] - x[9 * i + k];
            }
            double n[3] = { e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0] };
            flat[i] = fabs(n[0]) + fabs(n[1]) + fabs(n[2]) < 1e-12;
        }
        for (int i = 0; i < N; ++i)
        {
            for (int j = i + 1; j < N && !flat[i]; ++j)
            {
                rslTriangle a, b;
                for (int k = 0; k < 3; ++k)
                {
                    a.x[k] = x + 9 * i + 3 * k;
                    b.x[k] = x + 9 * j + 3 * k;
                    a.corner[k] = same[3 * i + k];
                    b.corner[k] = same[3 * j + k];
                }
                bool crosses = !flat[j] && rslTriangle_Crosses(&a, &b);
                assert_int_equal(crosses, !flat[j] && rslTriangle_Crosses(&b, &a));
                expected += crosses;
            }
        }
        assert_int_equal(d.selfIntersections, expected);
    }
}

// ---- inside ---------------------------------------------------------------------------------------------------------

// Rays through the vertices and edges of a grid-like mesh: the box answers what the mesh must.
static void InsideIsWatertight(void** state)
{
    (void)state;
    rslShapeDef def = Def(rsl_boxShape);
    def.size = (rslVec3){ 1.0, 1.0, 1.0 };
    rslMesh mesh = SurfaceOf(&def, 0.125);
    rslMeshTree* tree;
    assert_int_equal(
        rslMeshTree_Create(mesh.vertices, mesh.vertexCount, mesh.triangles, mesh.triangleCount, NULL, &tree), rsl_ok);
    for (int i = -12; i <= 12; ++i)
    {
        for (int j = -12; j <= 12; ++j)
        {
            for (int k = -12; k <= 12; ++k)
            {
                rslVec3 p = { i * 0.0625, j * 0.0625, k * 0.0625 };
                bool inner = abs(i) < 8 && abs(j) < 8 && abs(k)<8, outer = abs(i)> 8 || abs(j) > 8 || abs(k) > 8;
                bool found = rslMeshTree_Contains(tree, p);
                assert_true(inner ? found : !(outer && found));
                double d = rslMeshTree_Distance(tree, p);
                assert_true(inner ? d < 0.0 : outer ? d > 0.0 : d == 0.0);
            }
        }
    }
    rslMeshTree_Free(tree);
    rslMesh_Free(&mesh);
    // and a turned torus against its function, with rays straight above its vertices
    def = Def(rsl_torusShape);
    def.radius = 1.0;
    def.tubeRadius = 0.4;
    def.rotate = (rslRotationDef){ { 1, 1, 0 }, 50.0 };
    mesh = SurfaceOf(&def, 0.1);
    rslShape* torus;
    assert_int_equal(rslShape_Create(&def, NULL, &torus, NULL), rsl_ok);
    assert_int_equal(
        rslMeshTree_Create(mesh.vertices, mesh.vertexCount, mesh.triangles, mesh.triangleCount, NULL, &tree), rsl_ok);
    Random random = { 4 };
    for (int v = 0; v < mesh.vertexCount; ++v)
    {
        rslVec3 p = { mesh.vertices[3 * v], mesh.vertices[3 * v + 1], Uniform(&random, -1.5, 1.5) };
        double d = rslShape_Distance(torus, p);
        if (fabs(d) > 0.01)
        {
            assert_int_equal(rslMeshTree_Contains(tree, p), d < 0.0);
            assert_true(fabs(rslMeshTree_Distance(tree, p) - d) < 0.01);
        }
    }
    rslMeshTree_Free(tree);
    rslMesh_Free(&mesh);
    rslShape_Free(torus);
}

// ---- repair ---------------------------------------------------------------------------------------------------------

// Cut the corners of every triangle apart, turn some over and leave one out: the repair finds the sphere again.
static void RepairOfASoup(void** state)
{
    (void)state;
    rslMesh mesh = Sphere(0.3);
    int n = mesh.triangleCount;
    double* x = calloc((size_t)n * 9, sizeof(double));
    int* t = calloc((size_t)n * 3, sizeof(int));
    for (int i = 0; i < 3 * n; ++i)
    {
        memcpy(x + 3 * i, mesh.vertices + 3 * (size_t)mesh.triangles[i], 24);
        t[i] = i;
    }
    for (int i = 0; i < n; i += 3)
    {
        t[3 * i] = 3 * i + 1;
        t[3 * i + 1] = 3 * i;
    }
    rslMesh repaired;
    rslReport report = { 0 };
    assert_int_equal(rslMesh_Repair(x, 3 * n, t, n - 1, NULL, &repaired, &report), rsl_ok);
    assert_true(report.notes >= 3);
    rslMeshDefects d = CheckOf(&repaired);
    assert_int_equal(rslMeshDefects_Kinds(&d), 0);
    assert_int_equal(repaired.vertexCount, mesh.vertexCount);
    assert_int_equal(repaired.triangleCount, n);
    assert_true(fabs(d.volume - rslMesh_Volume(mesh.vertices, mesh.triangles, n)) < 1e-12);
    rslMesh_Free(&repaired);
    rslMesh_Free(&mesh);
    free(x);
    free(t);
}

static rslStatus RepairSoup(const rslHooks* hooks, void* user)
{
    const rslMesh* mesh = user;
    rslShapeDef def = Def(rsl_meshShape);
    def.vertices = mesh->vertices;
    def.vertexCount = mesh->vertexCount;
    def.triangles = mesh->triangles;
    def.triangleCount = mesh->triangleCount - 1;
    def.repair = rsl_repair;
    rslShape* shape;
    rslStatus status = rslShape_Create(&def, hooks, &shape, NULL);
    rslMesh surface = { 0 };
    if (status == rsl_ok)
    {
        status = rslShape_Surface(shape, 0.1, hooks, &surface, NULL);
    }
    rslMesh_Free(&surface);
    rslShape_Free(shape);
    return status;
}

static void OutOfMemory(void** state)
{
    (void)state;
    rslMesh mesh = Sphere(0.8);
    FailEveryAllocation(RepairSoup, &mesh);
    rslMesh_Free(&mesh);
}

// ---- files ----------------------------------------------------------------------------------------------------------

static void PathTo(char* path, size_t capacity, const char* folder, const char* name)
{
    const char* root = getenv("RSL_ROOT");
    snprintf(path, capacity, "%s/test/%s/%s", root ? root : ".", folder, name);
}

static rslStatus LoadShape(const char* path, rslRepair repair, const rslHooks* hooks, rslShape** shape,
                           rslReport* report)
{
    rslMeshFile file;
    *shape = NULL;
    rslStatus status = rslMeshFile_Read(path, hooks, &file, report);
    if (status == rsl_ok)
    {
        rslShapeDef def = Def(rsl_meshShape);
        def.file = path;
        def.repair = repair;
        def.vertices = file.vertices;
        def.triangles = file.triangles;
        def.vertexCount = file.vertexCount;
        def.triangleCount = file.triangleCount;
        status = rslShape_Create(&def, hooks, shape, report);
    }
    rslMeshFile_Free(&file, hooks);
    return status;
}

static bool Says(const rslReport* report, const char* text)
{
    for (int i = 0; i < report->count; ++i)
    {
        if (strstr(report->messages[i].text, text) != NULL)
        {
            return true;
        }
    }
    return false;
}

static bool CanReadFiles(void)
{
    char path[1024];
    rslMeshFile file;
    PathTo(path, sizeof path, "meshes", "cube.obj");
    rslStatus status = rslMeshFile_Read(path, NULL, &file, NULL);
    rslMeshFile_Free(&file, NULL);
    return status != rsl_unsupported;
}

// "a | b | c | d" into four trimmed fields
static bool SplitLine(char* line, char* field[4])
{
    line[strcspn(line, "\n")] = 0;
    if (line[0] == '#' || line[0] == 0)
    {
        return false;
    }
    for (int i = 0; i < 4; ++i)
    {
        field[i] = line;
        char* bar = strstr(line, " | ");
        if (i < 3)
        {
            assert_non_null(bar);
            *bar = 0;
            line = bar + 3;
        }
    }
    return true;
}

static void BadFiles(void** state)
{
    (void)state;
    if (!CanReadFiles())
    {
        skip();
    }
    char path[1024], line[1024];
    PathTo(path, sizeof path, "bad/meshes", "expected.txt");
    FILE* list = fopen(path, "r");
    assert_non_null(list);
    int count = 0, wrong = 0;
    while (fgets(line, sizeof line, list) != NULL)
    {
        char* field[4];
        if (!SplitLine(line, field))
        {
            continue;
        }
        rslReport report = { 0 };
        rslShape* shape;
        PathTo(path, sizeof path, "bad/meshes", field[0]);
        rslRepair repair = strcmp(field[1], "repair") == 0 ? rsl_repair : rsl_refuse;
        rslStatus status = LoadShape(path, repair, NULL, &shape, &report);
        if (strcmp(rslStatus_Name(status), field[2]) != 0 || !Says(&report, field[3]) ||
            (status == rsl_ok) != (report.errors == 0))
        {
            ++wrong;
            print_error("%s (%s): expected %s, '%s'; found %s\n", field[0], field[1], field[2], field[3],
                        rslStatus_Name(status));
            for (int i = 0; i < report.count; ++i)
            {
                print_error("    %s\n", report.messages[i].text);
            }
        }
        rslShape_Free(shape);
        ++count;
    }
    fclose(list);
    assert_int_equal(wrong, 0);
    assert_true(count >= 60);
}

static void GoodFiles(void** state)
{
    (void)state;
    if (!CanReadFiles())
    {
        skip();
    }
    static const struct
    {
        const char* name;
        int vertices, triangles, components;
        double volume, tolerance;
    } files[] = {
        { "cube.obj", 8, 12, 1, 1.0, 1e-12 },       { "l_shape.obj", 12, 20, 1, 3.0, 1e-12 },
        { "hollow.obj", 16, 24, 2, 26.0, 1e-12 },   { "two.stl", 12, 16, 2, 1.0 + 1.0 / 6.0, 1e-12 },
        { "tetra.gltf", 4, 4, 1, 8.0 / 6.0, 1e-6 }, { "torus.stl", 576, 1152, 1, 2.0 * PI * PI * 0.35 * 0.35, 0.1 },
        { "rabbit.ply", 0, 0, 1, 0.0849, 0.003 },
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i)
    {
        char path[1024];
        rslReport report = { 0 };
        rslMeshFile file;
        PathTo(path, sizeof path, "meshes", files[i].name);
        assert_int_equal(rslMeshFile_Read(path, NULL, &file, &report), rsl_ok);
        rslMeshDefects d;
        rslMesh_Check(file.vertices, file.vertexCount, file.triangles, file.triangleCount, NULL, &d);
        assert_int_equal(rslMeshDefects_Kinds(&d), 0);
        assert_int_equal(d.components, files[i].components);
        assert_true(fabs(d.volume - files[i].volume) <= files[i].tolerance);
        if (files[i].vertices > 0)
        {
            assert_int_equal(file.vertexCount, files[i].vertices);
            assert_int_equal(file.triangleCount, files[i].triangles);
        }
        rslMeshFile_Free(&file, NULL);
        rslShape* shape;
        assert_int_equal(LoadShape(path, rsl_refuse, NULL, &shape, &report), rsl_ok);
        rslShape_Free(shape);
    }
}

static rslStatus LoadCube(const rslHooks* hooks, void* user)
{
    rslShape* shape;
    rslStatus status = LoadShape(user, rsl_refuse, hooks, &shape, NULL);
    rslShape_Free(shape);
    return status;
}

static void FilesOutOfMemory(void** state)
{
    (void)state;
    char path[1024];
    PathTo(path, sizeof path, "meshes", "cube.obj");
    if (!CanReadFiles())
    {
        skip();
    }
    FailEveryAllocation(LoadCube, path);
}

// ---- speed ----------------------------------------------------------------------------------------------------------

static void Speed(void** state)
{
    (void)state;
    int wanted = FewerWhenSanitized(1000000);
    rslMesh mesh = Sphere(1.3 / sqrt(wanted / 12.0));
    double start = Seconds();
    rslMeshDefects d = CheckOf(&mesh);
    double checked = Seconds();
    assert_int_equal(rslMeshDefects_Kinds(&d), 0);
    print_message("check: %d triangles in %.2f s\n", mesh.triangleCount, checked - start);
    assert_true(checked - start < 60.0);
    rslMesh_Free(&mesh);

    mesh = Sphere(1.3 / sqrt(FewerWhenSanitized(100000) / 12.0));
    rslMeshTree* tree;
    rslMeshTree_Create(mesh.vertices, mesh.vertexCount, mesh.triangles, mesh.triangleCount, NULL, &tree);
    Random random = { 2 };
    int queries = FewerWhenSanitized(1000000), inside = 0;
    start = Seconds();
    for (int i = 0; i < queries; ++i)
    {
        rslVec3 p = { Uniform(&random, -1, 1), Uniform(&random, -1, 1), Uniform(&random, -1, 1) };
        inside += rslMeshTree_Contains(tree, p);
    }
    print_message("inside: %d queries of %d triangles in %.2f s\n", queries, mesh.triangleCount, Seconds() - start);
    assert_true(fabs((double)inside / queries - PI / 6.0) < 0.02);
    assert_true(Seconds() - start < 60.0);
    rslMeshTree_Free(tree);
    rslMesh_Free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PredicatesAreExact),
        cmocka_unit_test(SoundMeshes),
        cmocka_unit_test(CountsOfSingleDefects),
        cmocka_unit_test(CrossingsMatchAllPairs),
        cmocka_unit_test(InsideIsWatertight),
        cmocka_unit_test(RepairOfASoup),
        cmocka_unit_test(OutOfMemory),
        cmocka_unit_test(BadFiles),
        cmocka_unit_test(GoodFiles),
        cmocka_unit_test(FilesOutOfMemory),
        cmocka_unit_test(Speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
