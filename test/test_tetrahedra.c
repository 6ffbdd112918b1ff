// SPDX-License-Identifier: MIT
//
// Springs on tetrahedra: constants, masses, surface, and what is refused.

#include "build_fixture.h"
#include "random.h"
#include "tet_file.h"

enum
{
    N = 3,  // cells along an edge of the cube
    NODES = (N + 1) * (N + 1) * (N + 1),
    TETS = 6 * N * N * N,
};

typedef struct Cube
{
    double nodes[3 * NODES];
    int tets[4 * TETS];
} Cube;

// The unit cube cut into cells of six tetrahedra each, inner nodes moved a little.
static void MakeCube(Cube* cube)
{
    static const int paths[6][2] = { { 1, 3 }, { 1, 5 }, { 2, 3 }, { 2, 6 }, { 4, 5 }, { 4, 6 } };
    rslRandom random = { 5 };
    int* tet = cube->tets;
    for (int i = 0; i < NODES; ++i)
    {
        const int at[3] = { i % (N + 1), i / (N + 1) % (N + 1), i / (N + 1) / (N + 1) };
        for (int a = 0; a < 3; ++a)
        {
            double jitter = at[a] > 0 && at[a] < N ? 0.3 * (rslRandom_Unit(&random) - 0.5) : 0.0;
            cube->nodes[3 * i + a] = (at[a] + jitter) / N;
        }
    }
    for (int c = 0; c < N * N * N; ++c)
    {
        int first = c % N + (N + 1) * (c / N % N + (N + 1) * (c / N / N));
        for (int p = 0; p < 6; ++p, tet += 4)
        {
            const int corner[4] = { 0, paths[p][0], paths[p][1], 7 };
            for (int k = 0; k < 4; ++k)
            {
                int x = corner[k] & 1, y = corner[k] >> 1 & 1, z = corner[k] >> 2;
                tet[k] = first + x + (N + 1) * (y + (N + 1) * z);
            }
        }
    }
}

static rslBodyDef TetBody(const double* nodes, int nodeCount, const int* tets, int count)
{
    rslBodyDef body = LatticeBody("t", NULL, 0.0);
    body.network.type = rsl_tetrahedraNetwork;
    body.network.nodes = nodes;
    body.network.nodeCount = nodeCount;
    body.network.tetrahedra = tets;
    body.network.tetrahedronCount = count;
    return body;
}

static rslModel* BuildOne(const rslBodyDef* body, rslReport* report)
{
    rslScene scene = SceneOf(body, 1);
    return Built(&scene, report);
}

static const double regular[12] = { 1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, 1.0, -1.0, -1.0, -1.0, 1.0 };
static const int one[4] = { 0, 1, 2, 3 };

// Of a regular one the constants are those of the papers, 2 sqrt(2)/25 and sqrt(2)/12 times E L.
static void RegularConstants(void** state)
{
    (void)state;
    const double wanted[] = { 2.0 * sqrt(2.0) / 25.0, sqrt(2.0) / 12.0, sqrt(2.0) / 12.0 };
    for (int rule = 0; rule < rsl_tetrahedronRuleCount; ++rule)
    {
        rslBodyDef body = TetBody(regular, 4, one, 1);
        body.network.tetrahedronRule = (rslTetrahedronRule)rule;
        body.network.scale = 0.1;
        rslModel* model = BuildOne(&body, NULL);
        double edge = 0.2 * sqrt(2.0), volume = edge * edge * edge / (6.0 * sqrt(2.0));
        assert_int_equal(model->bodies[0].network.springCount, 6);
        for (int s = 0; s < 6; ++s)
        {
            const rslSpring* spring = &model->bodies[0].network.springs[s];
            assert_true(Near(spring->restLength, edge, 1e-15));
            assert_true(Near(spring->stiffness, wanted[rule] * 1e5 * edge, 1e-9));
        }
        assert_true(Near(model->mass[2], 250.0 * volume, 1e-13));
        assert_int_equal(model->bodies[0].surface.triangleCount, 4);
        rslModel_Free(model);
    }
}

// In any mesh: K = 2/3 E, 0.96 of it by Lloyd's rule; mass, volume, unique edges; a closed surface of two triangles a cell
// face, which encloses the volume.
static void AnyMesh(void** state)
{
    (void)state;
    static Cube cube;
    MakeCube(&cube);
    for (int rule = 0; rule < rsl_tetrahedronRuleCount; ++rule)
    {
        rslBodyDef def = TetBody(cube.nodes, NODES, cube.tets, TETS);
        def.network.tetrahedronRule = (rslTetrahedronRule)rule;
        def.material.stiffnessDamping = 0.01;
        rslModel* model = BuildOne(&def, NULL);
        const rslBody* body = &model->bodies[0];
        double part = rule == rsl_lloydTetrahedron ? 0.96 : 1.0;
        assert_true(Near(SumRule(body), part * 1e5 * 2.0 / 3.0, 1e-6));
        assert_true(Near(body->volume, 1.0, 1e-12) && Near(body->mass, 1000.0, 1e-9));
        // edges along the axes, over faces, and through cells
        int edges = 3 * N * (N + 1) * (N + 1) + 3 * N * N * (N + 1) + N * N * N;
        assert_int_equal(body->network.springCount, edges);
        assert_int_equal(body->surface.triangleCount, 12 * N * N);
        assert_int_equal(body->surface.vertexCount, 6 * N * N + 2);
        double* xyz = calloc(3 * (size_t)body->surface.vertexCount, sizeof(double));
        for (int v = 0; v < body->surface.vertexCount; ++v)
        {
            int node = body->surface.stencilNodes[8 * v];
            rslBody_WorldRest(body, node, node + 1, xyz + 3 * v);
        }
        double volume = 0.0;
        assert_int_equal(body->network.tetrahedronCount, TETS);
        for (int t = 0; t < TETS; ++t)
        {
            const int* corner = body->network.tetrahedra + 4 * t;
            rslVec3 o = WorldOf(model, corner[0]), a = rslSub(WorldOf(model, corner[1]), o);
            rslVec3 b = rslSub(WorldOf(model, corner[2]), o), c = rslSub(WorldOf(model, corner[3]), o);
            assert_true(rslDot(rslCross(a, b), c) > 0.0);
            volume += rslDot(rslCross(a, b), c) / 6.0;
        }
        assert_true(Near(volume, 1.0, 1e-12));
        assert_true(Near(rslMesh_Volume(xyz, body->surface.triangles, body->surface.triangleCount), 1.0, 1e-12));
        rslMeshDefects defects = { 0 };
        rslHooks hooks = rslHooks_Complete(NULL);
        assert_int_equal(rslMesh_Check(xyz, body->surface.vertexCount, body->surface.triangles,
                                       body->surface.triangleCount, &hooks, &defects),
                         rsl_ok);
        assert_int_equal(rslMeshDefects_Kinds(&defects), 0);
        free(xyz);
        rslModel_Free(model);
    }
}

// The order of the four corners does not matter, and nodes that no tetrahedron has are left out.
static void OrderAndUnusedNodes(void** state)
{
    (void)state;
    double nodes[15] = { 9.0, 9.0, 9.0 };
    memcpy(nodes + 3, regular, sizeof regular);
    const int there[4] = { 1, 2, 3, 4 }, turned[4] = { 1, 2, 4, 3 };
    rslBodyDef body = TetBody(nodes, 5, there, 1);
    rslReport report = { 0 };
    rslModel* model = BuildOne(&body, &report);
    assert_int_equal(model->nodeCount, 4);
    assert_true(HasMessage(&report, rsl_note, body.network.place, "1 nodes that no tetrahedron has"));
    body.network.tetrahedra = turned;
    rslModel* other = BuildOne(&body, NULL);
    assert_true(model->fingerprint == other->fingerprint);
    rslModel_Free(model);
    rslModel_Free(other);
}

static void MovedAsAsked(void** state)
{
    (void)state;
    rslBodyDef body = TetBody(regular, 4, one, 1);
    body.network.scale = 2.0;
    body.network.rotate = (rslRotationDef){ { 0.0, 0.0, 1.0 }, 90.0 };
    body.network.translate = (rslVec3){ 10.0, 0.0, 0.0 };
    rslModel* model = BuildOne(&body, NULL);
    double x[3];
    rslBody_WorldRest(&model->bodies[0], 0, 1, x);
    assert_true(Near(x[0], 8.0, 1e-14) && Near(x[1], 2.0, 1e-14) && Near(x[2], 2.0, 1e-14));
    rslModel_Free(model);
}

static void BadMeshesAreRefused(void** state)
{
    (void)state;
    const int beyond[4] = { 0, 1, 2, 4 }, twice[4] = { 0, 1, 2, 2 };
    const int three[12] = { 0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 2, 5 };
    double nodes[18] = { 0.0 };
    memcpy(nodes, regular, sizeof regular);
    nodes[12] = 3.0;
    nodes[15] = nodes[16] = 5.0;
    rslBodyDef body = TetBody(regular, 4, beyond, 1);
    rslScene scene = SceneOf(&body, 1);
    Refused(&scene, body.network.place, "found node 4, but there are 4");
    body.network.tetrahedra = twice;
    Refused(&scene, body.network.place, "tetrahedron 0 of body 't' at [1, 1, 1] has no volume");
    body = TetBody(nodes, 6, three, 3);
    Refused(&scene, body.network.place, "more than two share a face");
    const int same[8] = { 0, 1, 2, 3, 1, 0, 2, 3 };  // one cell twice, turned the other way
    body = TetBody(regular, 4, same, 2);
    Refused(&scene, body.network.place, "two on one side of it");
    rslShapeDef shape = BoxShape(1.0, 1.0, 1.0);
    body = TetBody(regular, 4, one, 1);
    body.shape = &shape;
    Refused(&scene, body.place, "found beside a file or a list of tetrahedra");
}

static void OutOfMemory(void** state)
{
    (void)state;
    static Cube cube;
    MakeCube(&cube);
    rslBodyDef body = TetBody(cube.nodes, NODES, cube.tets, TETS);
    rslScene scene = SceneOf(&body, 1);
    BuildWithoutMemory(&scene, 15);
}

// ---- files --------------------------------------------------------------------------------------------------------------

// Two tetrahedra on one face; nodes are numbered with gaps and out of order, and there are other elements.
static const char msh2[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"body\"\n$EndPhysicalNames\n"
                           "$Nodes\n5\n7 0 0 1\n1 0 0 0\n2 1e+00 0 0\n3 0 1.0 -1e-05\n9 0 0 -1\n$EndNodes\n"
                           "$Elements\n3\n1 2 2 0 1 1 2 3\n2 4 2 0 1 1 2 3 7\n3 4 0 1 3 2 9\n$EndElements\n";
static const char msh4[] =
    "$MeshFormat\r\n4.1 0 8\r\n$EndMeshFormat\r\n$Entities\n0 0 0 0\n$EndEntities\n"
    "$Nodes\n2 5 1 9\n2 1 0 3\n7\n1\n2\n0 0 1\n0 0 0\n1 0 0\n3 1 0 2\n3\n9\n0 1 -1e-05\n0 0 -1\n$EndNodes\n"
    "$Elements\n2 3 1 3\n2 1 2 1\n1 1 2 3\n3 1 4 2\n2 1 2 3 7\n3 1 3 2 9\n$EndElements\n";
static const char vtk[] = "# vtk DataFile Version 3.0\nany title, 5 words\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                          "POINTS 5 double\n0 0 1 0 0 0\n1 0 0 0 1 -1e-05 0 0 -1\n"
                          "CELLS 3 14\n3 1 2 3\n4 1 2 3 0\n4 1 3 2 4\nCELL_TYPES 3\n5\n10\n10\nPOINT_DATA 5\n";

static void FilesAreRead(void** state)
{
    (void)state;
    static const char* const texts[] = { msh2, msh4, vtk };
    static const int wanted[8] = { 1, 2, 3, 0, 1, 3, 2, 4 };
    for (int i = 0; i < 3; ++i)
    {
        rslTetMesh file;
        rslReport report = { 0 };
        rslStatus status = rslCellFile_Parse(texts[i], strlen(texts[i]), 4, NULL, &file, &report);
        PrintReport(&report);
        assert_int_equal(status, rsl_ok);
        assert_int_equal(file.nodeCount, 5);
        assert_int_equal(file.tetrahedronCount, 2);
        assert_memory_equal(file.tetrahedra, wanted, sizeof wanted);
        assert_true(file.nodes[2] == 1.0 && file.nodes[6] == 1.0 && file.nodes[11] == -1e-5 && file.nodes[14] == -1.0);
        rslTetMesh_Free(&file);
    }
}

static void BadFilesAreRefused(void** state)
{
    (void)state;
#define HEAD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define GRID "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
    static const char* const table[][2] = {
        { "", "expected $MeshFormat" },
        { "solid cube", "line 1: expected $MeshFormat" },
        { "$MeshFormat\n3.0 0 8\n", "line 2: found version 3" },
        { "$MeshFormat\n4.1 1 8\n", "line 2: found a binary file" },
        { HEAD "$Nodes\nmany\n", "line 5: found 'many', expected an integer" },
        { HEAD "$Nodes\n999999999\n1 0 0 0\n", "line 5: promises 999999999 nodes" },
        { HEAD "$Nodes\n-1\n", "promises -1 nodes" },
        { HEAD "$Nodes\n1\n1 0 nan 0\n$EndNodes\n", "line 6: found 'nan', expected a number" },
        { HEAD "$Nodes\n2\n1 0 0 0\n1 0 0 1\n$EndNodes\n$Elements\n1\n1 4 0 1 1 1 1\n$EndElements\n",
          "two nodes have the number 1" },
        { HEAD "$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 4 0 1 1 1 2\n$EndElements\n",
          "tetrahedron 0 has the node 2, which is not listed" },
        { HEAD "$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 11 0 1\n", "mesh with order 1" },
        { HEAD "$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 99 0 1\n", "an element of type 99" },
        { HEAD "$Nodes\n1\n1 0 0 0\n$EndNodes\n", "has no tetrahedra" },
        { HEAD "$Comments\nnever ends\n", "expected $EndComments" },
        { HEAD "$Nodes\n1\n1 0 0 0\n$EndElements\n", "found '$EndElements', expected $EndNodes" },
        { "# vtk DataFile Version 3.0\nt\nBINARY\n", "line 3: found 'BINARY', expected ASCII" },
        { "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n", "expected UNSTRUCTURED_GRID" },
        { GRID "POINTS 1 float\n0 0 0\nCELLS 1 3\n4 0 0\nCELL_TYPES 1\n10\n", "cell 0 does not fit" },
        { GRID "POINTS 1 float\n0 0 0\nCELLS 1 5\n4 0 0 0 1\nCELL_TYPES 1\n10\n",
          "has the node 1, which is not listed" },
        { GRID "POINTS 1 float\n0 0 0\nCELL_TYPES 1\n10\n", "found 1 cell types for 0 cells" },
        { GRID "METADATA\n", "found 'METADATA', expected POINTS" },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    {
        rslTetMesh file;
        rslReport report = { 0 };
        assert_int_equal(rslCellFile_Parse(table[i][0], strlen(table[i][0]), 4, NULL, &file, &report), rsl_badInput);
        if (!HasMessage(&report, rsl_error, (rslPlace){ 0, 0 }, table[i][1]))
        {
            PrintReport(&report);
            fail_msg("not said: %s", table[i][1]);
        }
    }
}

// Cut anywhere, or with any byte changed: an answer, and nothing left behind. Then without memory.
static void DamagedFiles(void** state)
{
    (void)state;
    static const char* const texts[] = { msh2, msh4, vtk };
    for (int i = 0; i < 3; ++i)
    {
        size_t length = strlen(texts[i]);
        for (size_t cut = 0; cut < 2 * length; ++cut)
        {
            Heap heap = { 0 };
            rslHooks hooks = HeapHooks(&heap);
            rslTetMesh file;
            char* copy = malloc(length);  // exactly, so that a sanitizer sees a byte too far
            memcpy(copy, texts[i], length);
            copy[cut % length] = cut < length ? copy[cut] : '9';
            if (rslCellFile_Parse(copy, cut < length ? cut : length, 4, &hooks, &file, NULL) == rsl_ok)
            {
                rslTetMesh_Free(&file);
            }
            assert_int_equal(heap.live, 0);
            free(copy);
        }
        for (int failAt = 1, done = 0; !done; ++failAt)
        {
            Heap heap = { .failAt = failAt };
            rslHooks hooks = HeapHooks(&heap);
            rslTetMesh file;
            rslStatus status = rslCellFile_Parse(texts[i], length, 4, &hooks, &file, NULL);
            done = heap.calls < failAt;
            assert_int_equal(status, done ? rsl_ok : rsl_outOfMemory);
            rslTetMesh_Free(&file);
            assert_int_equal(heap.live, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RegularConstants),    cmocka_unit_test(AnyMesh),
        cmocka_unit_test(OrderAndUnusedNodes), cmocka_unit_test(MovedAsAsked),
        cmocka_unit_test(BadMeshesAreRefused), cmocka_unit_test(OutOfMemory),
        cmocka_unit_test(FilesAreRead),        cmocka_unit_test(BadFilesAreRefused),
        cmocka_unit_test(DamagedFiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
