// SPDX-License-Identifier: MIT
//
// test_sheet.c: membranes from grids and triangle meshes, and the finite triangle they are compared with.

#include "build_fixture.h"
#include "support.h"

#include "backend.h"
#include "team.h"

typedef struct Plane
{
    const rslModel* model;
    double xx, yy, xy;  // strain
    double energy;
} Plane;

static bool AddEnergy(const rslSpring* spring, void* context)
{
    Plane* plane = context;
    rslVec3 d = rslSub(WorldOf(plane->model, spring->b), WorldOf(plane->model, spring->a));
    double elongation =
        (plane->xx * d.x * d.x + plane->yy * d.y * d.y + 2.0 * plane->xy * d.x * d.y) / spring->restLength;
    plane->energy += 0.5 * spring->stiffness * elongation * elongation;
    return true;
}

// w = 1/2 C11 (exx^2 + eyy^2) + C12 exx eyy + 2 C66 exy^2 with 9/8, 3/8, 3/8 of E h.
static void GridEnergy(void** state)
{
    (void)state;
    const double strains[4][3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.3, -0.7, 0.0 }, { 0.2, 0.5, 0.9 } };
    const int cells[3][2] = { { 8, 6 }, { 10, 6 }, { 8, 8 } };
    for (int pattern = 0; pattern < rsl_sheetPatternCount; ++pattern)
    {
        for (int trial = 0; trial < 12; ++trial)
        {
            const double* e = strains[trial % 4];
            int nx = cells[trial / 4][0], ny = cells[trial / 4][1];
            rslBodyDef body = GridBody("cloth", 0.8, 0.6, nx, ny);
            body.network.pattern = (rslSheetPattern)pattern;
            rslScene scene = SceneOf(&body, 1);
            rslModel* model = Built(&scene, NULL);
            Plane plane = { .model = model, .xx = e[0], .yy = e[1], .xy = e[2] };
            rslModel_VisitSprings(model, 0, AddEnergy, &plane);
            double triangle = 0.4330127018922193 * 0.64 / (nx * nx);  // of the edge 0.8 / nx
            double area = pattern == rsl_hexagonalPattern ? ny * (2 * nx - 1) * triangle : 0.48;
            double eh = 1e5 * 0.01,
                   w = 0.5 * 1.125 * (e[0] * e[0] + e[1] * e[1]) + 0.375 * e[0] * e[1] + 0.75 * e[2] * e[2];
            assert_true(Near(plane.energy, area * eh * w, 1e-9 * eh));
            assert_true(Near(model->bodies[0].mass, 1000.0 * 0.01 * area, 1e-12));
            assert_true(model->bodies[0].surface.vertexCount == model->nodeCount && !model->bodies[0].surface.closed);
            rslModel_Free(model);
        }
    }
}

static void EquilateralTriangles(void** state)
{
    (void)state;
    // two of side 1 beside each other, thickness 0.01, E = 1e5
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0.5, 0.8660254037844386, 0, 1.5, 0.8660254037844386, 0 };
    const int triangles[] = { 0, 1, 2, 1, 3, 2 };
    rslShapeDef mesh = MeshShape(vertices, 4, triangles, 2);
    mesh.scale = 2.0;
    mesh.translate.y = 5.0;
    rslBodyDef body = GridBody("flag", 0.0, 0.0, 0, 0);
    body.shape = &mesh;
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    const rslNetwork* network = &model->bodies[0].network;
    double k = 1e5 * 0.01 * 0.4330127018922193;
    assert_int_equal(network->springCount, 5);
    for (int i = 0; i < 5; ++i)
    {
        const rslSpring* spring = &network->springs[i];
        bool inner = spring->a == 1 && spring->b == 2;
        assert_true(Near(spring->stiffness, inner ? 2.0 * k : k, 1e-9) && Near(spring->restLength, 2.0, 1e-12));
        assert_true(i == 0 || spring[-1].a < spring->a || (spring[-1].a == spring->a && spring[-1].b < spring->b));
    }
    assert_true(Near(TotalMass(model, 0), 1000.0 * 0.01 * 2.0 * 1.7320508075688772, 1e-9));
    assert_true(Near(model->mass[0], 0.5 * model->mass[1], 1e-12));
    assert_true(Near(WorldOf(model, 0).y, 5.0, 1e-12));
    assert_true(!model->bodies[0].surface.closed);
    rslModel_Free(model);
    const double spoilt[] = { 0, 0, 0, 1, 0, 0, 2, 0, 0, 1.5, 0.8, 0 };
    mesh.vertices = spoilt;
    mesh.place = (rslPlace){ 23, 4 };
    Refused(&scene, mesh.place, "without an area");
    mesh.vertices = vertices;
    mesh.triangleCount = 1;
    Refused(&scene, mesh.place, "vertices without a triangle");
}

// The surface of a solid, wherever it lies: a closed sheet of its area.
static void SurfacesOfShapes(void** state)
{
    (void)state;
    const double pi = 3.141592653589793;
    rslShapeDef shapes[3] = { rslDefaultShapeDef(), rslDefaultShapeDef(), rslDefaultShapeDef() };
    shapes[0].type = rsl_boxShape;
    shapes[0].size = (rslVec3){ 0.4, 0.2, 0.1 };
    shapes[1].type = rsl_sphereShape;
    shapes[1].radius = 0.2;
    shapes[2].type = rsl_torusShape;
    shapes[2].radius = 0.3;
    shapes[2].tubeRadius = 0.1;
    const double areas[3] = { 0.28, 0.16 * pi, 0.12 * pi * pi };
    for (int i = 0; i < 3; ++i)
    {
        shapes[i].place = (rslPlace){ 7, 3 };
        shapes[i].translate = (rslVec3){ 1.0, 2.0, 3.0 };
        shapes[i].rotate.angle = 30.0;
        rslBodyDef body = GridBody("skin", 0.0, 0.0, 0, 0);
        body.shape = &shapes[i];
        body.network.spacing = 0.02;
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        const rslBody* built = &model->bodies[0];
        assert_true(built->surface.closed && built->surface.vertexCount == model->nodeCount);
        assert_true(Near(built->mass / (1000.0 * 0.01 * areas[i]), 1.0, 0.02));
        double scale = 2.0 * sqrt(areas[i] / 0.433 / (built->surface.triangleCount + 1.0)) / 2.0;
        assert_true(scale > 0.012 && scale < 0.03);  // edges of about the spacing
        rslModel_Free(model);
        body.network.spacing = NAN;
        body.network.place = (rslPlace){ 8, 3 };
        Refused(&scene, body.network.place, "'spacing'");
    }
}

static bool AddTrace(const rslSpring* spring, void* context)
{
    *(double*)context += spring->stiffness * spring->restLength * spring->restLength;
    return true;
}

// Whatever the triangles, C_iijj = (1/A) sum k L^2 = 3 E h.
static void IrregularTriangles(void** state)
{
    (void)state;
    enum
    {
        N = 7
    };
    double vertices[3 * N * N];
    int triangles[6 * (N - 1) * (N - 1)], *next = triangles;
    uint32_t seed = 3;
    for (int v = 0; v < N * N; ++v)
    {
        for (int axis = 0; axis < 2; ++axis)
        {
            seed = seed * 1664525u + 1013904223u;
            vertices[3 * v + axis] = (axis ? v / N : v % N) + 0.5 * (seed >> 8) / 16777216.0;
        }
        vertices[3 * v + 2] = 0.0;
    }
    for (int c = 0; c < (N - 1) * (N - 1); ++c, next += 6)
    {
        int v = c % (N - 1) + N * (c / (N - 1));
        memcpy(next, (int[]){ v, v + 1, v + N, v + 1, v + N + 1, v + N }, 6 * sizeof(int));
    }
    rslShapeDef mesh = MeshShape(vertices, N * N, triangles, 2 * (N - 1) * (N - 1));
    rslBodyDef body = GridBody("patch", 0.0, 0.0, 0, 0);
    body.shape = &mesh;
    rslScene scene = SceneOf(&body, 1);
    scene.plane = rsl_planeXY;
    scene.gravity = (rslVec3){ 0.0, -9.81, 0.0 };
    rslModel* model = Built(&scene, NULL);
    double sum = 0.0, area = model->bodies[0].volume / 0.01;
    rslModel_VisitSprings(model, 0, AddTrace, &sum);
    assert_true(Near(sum / area, 3.0 * 1e5 * 0.01, 1e-8));
    assert_true(Near(model->bodies[0].mass, 1000.0 * 0.01 * area, 1e-9));
    rslModel_Free(model);
}

static void RefusedSheets(void** state)
{
    (void)state;
    rslBodyDef body = GridBody("cloth", 1.0, 1.0, 4, 8);
    rslScene scene = SceneOf(&body, 1);
    Refused(&scene, (rslPlace){ 21, 3 }, "nearly square");
    body = GridBody("cloth", 1.0, 1.0, 4, 4);
    body.network.translate.z = 0.5;
    scene.plane = rsl_planeXY;
    scene.gravity = (rslVec3){ 0.0, -9.81, 0.0 };
    rslModel* model = NULL;
    assert_int_equal(rslModel_Build(&scene, NULL, &model, NULL), rsl_badInput);
    body.network.translate.z = 0.0;
    rslModel_Free(Built(&scene, NULL));
}

// ---- hexagonal ------------------------------------------------------------------------------------------------------

// Rows of n + 1 and n nodes; Lloyd's 10 x 12 sheet has 137 nodes and 228 triangles.
static void HexagonalCounts(void** state)
{
    (void)state;
    rslBodyDef body = GridBody("cloth", 1.0, 1.0392304845413265, 10, 12);
    body.network.pattern = rsl_hexagonalPattern;
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    const rslSurface* surface = &model->bodies[0].surface;
    assert_int_equal(model->nodeCount, 137);
    assert_int_equal(surface->triangleCount, 228);
    assert_int_equal(model->springCount, 137 + 228 - 1);
    for (int t = 0; t < surface->triangleCount; ++t)
    {
        const int* corner = surface->triangles + 3 * t;
        rslVec3 origin = WorldOf(model, corner[0]);
        rslVec3 normal = rslCross(rslSub(WorldOf(model, corner[1]), origin), rslSub(WorldOf(model, corner[2]), origin));
        assert_true(Near(normal.z, 2.0 * 0.4330127018922193 * 0.01, 1e-15));
    }
    rslModel_Free(model);

    // rows from the spacing, and a height that they cannot meet
    rslReport report = { 0 };
    body = GridBody("cloth", 1.0, 1.0, 0, 0);
    body.network.spacing = 0.1;
    body.network.pattern = rsl_hexagonalPattern;
    model = Built(&scene, &report);
    assert_int_equal(model->nodeCount, 137);
    assert_int_equal(report.count, 1);
    assert_non_null(strstr(report.messages[0].text, "1.0392 m high instead of 1 m"));
    rslModel_Free(model);

    // the smallest one
    body = GridBody("cloth", 1.0, 0.8660254037844386, 1, 1);
    body.network.pattern = rsl_hexagonalPattern;
    model = Built(&scene, NULL);
    assert_int_equal(model->nodeCount, 3);
    rslModel_Free(model);
}

// ---- the finite triangle --------------------------------------------------------------------------------------------

enum
{
    MOST_NODES = 200
};

typedef struct Flat
{
    int size;  // two rows a node
    double* k;
} Flat;

// K of the springs, column after column from the kernel.
static Flat SpringMatrix(const rslModel* model)
{
    Flat flat = { 2 * model->nodeCount, calloc(4 * (size_t)(model->nodeCount * model->nodeCount), sizeof(double)) };
    rslState* rest = StateOf(model, rsl_double);
    rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
    void* kernel = rslBackend64.create(model, rsl_positionVerlet, NULL, team);
    assert_non_null(kernel);
    double p[3][MOST_NODES] = { { 0 } }, out[3][MOST_NODES];
    double* const in[3] = { p[0], p[1], p[2] };
    double* const to[3] = { out[0], out[1], out[2] };
    for (int column = 0; column < flat.size; ++column)
    {
        p[column % 2][column / 2] = 1.0;
        memset(out, 0, sizeof out);
        assert_true(rslBackend64.product(kernel, rest, rsl_stiffnessProduct, in, to));
        p[column % 2][column / 2] = 0.0;
        for (int row = 0; row < flat.size; ++row)
        {
            flat.k[row * flat.size + column] = out[row % 2][row / 2];
        }
    }
    rslBackend64.destroy(kernel);
    rslTeam_Free(team);
    rslState_Free(rest);
    return flat;
}

static Flat ElementMatrix(const rslModel* model, double poisson)
{
    const rslSurface* surface = &model->bodies[0].surface;
    Flat flat = { 2 * model->nodeCount, calloc(4 * (size_t)(model->nodeCount * model->nodeCount), sizeof(double)) };
    for (int t = 0; t < surface->triangleCount; ++t)
    {
        const int* corner = surface->triangles + 3 * t;
        double x[6], k[6][6];
        for (int c = 0; c < 3; ++c)
        {
            x[2 * c] = WorldOf(model, corner[c]).x;
            x[2 * c + 1] = WorldOf(model, corner[c]).y;
        }
        rslFiniteTriangle_Stiffness(x, 1e5, poisson, 0.01, k);
        for (int i = 0; i < 36; ++i)
        {
            int a = i / 6, b = i % 6;
            flat.k[(2 * corner[a / 2] + a % 2) * flat.size + 2 * corner[b / 2] + b % 2] += k[a][b];
        }
    }
    return flat;
}

// Largest difference over the largest number, and the difference over the whole in the norm of Frobenius.
static double Mismatch(const Flat* springs, const Flat* elements, double* frobenius)
{
    double worst = 0.0, largest = 0.0, difference = 0.0, whole = 0.0;
    for (int i = 0; i < springs->size * springs->size; ++i)
    {
        double d = springs->k[i] - elements->k[i];
        worst = Worse(worst, fabs(d));
        largest = Worse(largest, fabs(elements->k[i]));
        difference += d * d;
        whole += elements->k[i] * elements->k[i];
    }
    *frobenius = sqrt(difference / whole);
    return worst / largest;
}

// Lloyd, Szekely, Harders 2008: the springs of equilateral triangles are the finite element at nu = 1/3, and there alone.
static void SpringsAreElements(void** state)
{
    (void)state;
    double worst = 0.0;
    for (int trial = 0; trial < 4; ++trial)
    {
        const int cells[4][2] = { { 10, 12 }, { 3, 2 }, { 1, 5 }, { 7, 1 } };
        rslBodyDef body = GridBody("cloth", 1.0 + trial, 1.0, cells[trial][0], cells[trial][1]);
        body.network.pattern = rsl_hexagonalPattern;
        body.network.size[1] = 0.8660254037844386 * cells[trial][1] * (1.0 + trial) / cells[trial][0];
        rslScene scene = SceneOf(&body, 1);
        scene.plane = rsl_planeXY;
        scene.gravity = (rslVec3){ 0 };
        rslModel* model = Built(&scene, NULL);
        Flat springs = SpringMatrix(model);
        // how far off it is elsewhere: elements-volume-contact.md C2
        const double poisson[5] = { 1.0 / 3.0, 0.25, 0.3, 0.35, 0.4 }, off[5] = { 0.0, 0.048, 0.021, 0.011, 0.049 };
        for (int i = 0; i < 5; ++i)
        {
            Flat elements = ElementMatrix(model, poisson[i]);
            double frobenius, largest = Mismatch(&springs, &elements, &frobenius);
            worst = i == 0 ? fmax(worst, largest) : worst;
            assert_true(i == 0 || trial > 0 || Near(frobenius, off[i], 6e-4));
            free(elements.k);
        }
        free(springs.k);
        rslModel_Free(model);
    }
    assert_proved("hexagonal sheet: K of the springs against the finite element, largest difference", worst, 1e-12);
}

// No force under translation, rotation; the right energy under strain; either order of the corners.
static void FiniteTriangle(void** state)
{
    (void)state;
    const double x[6] = { 0.3, -0.2, 1.7, 0.4, -0.1, 2.2 }, young = 2e4, nu = 0.41, h = 0.02;
    const double e[3] = { 0.3, -0.8, 0.55 };  // xx, yy, xy
    double k[6][6], mirrored[6][6];
    double area = rslFiniteTriangle_Stiffness(x, young, nu, h, k);
    assert_true(Near(area, 0.5 * (1.4 * 2.4 + 0.4 * 0.6), 1e-14));
    double u[3][6], energy[3] = { 0 };
    for (int i = 0; i < 3; ++i)
    {
        double at[2] = { x[2 * i], x[2 * i + 1] };
        u[0][2 * i] = 0.4, u[0][2 * i + 1] = -1.3;
        u[1][2 * i] = -at[1], u[1][2 * i + 1] = at[0];
        u[2][2 * i] = e[0] * at[0] + e[2] * at[1], u[2][2 * i + 1] = e[2] * at[0] + e[1] * at[1];
    }
    for (int m = 0; m < 3; ++m)
    {
        for (int i = 0; i < 36; ++i)
        {
            energy[m] += 0.5 * u[m][i / 6] * k[i / 6][i % 6] * u[m][i % 6];
            assert_true(Near(k[i / 6][i % 6], k[i % 6][i / 6], 1e-12 * young));
        }
    }
    double d = young / (1.0 - nu * nu);
    double density = 0.5 * d * (e[0] * e[0] + e[1] * e[1] + 2.0 * nu * e[0] * e[1] + 2.0 * (1.0 - nu) * e[2] * e[2]);
    assert_true(Near(energy[0], 0.0, 1e-10) && Near(energy[1], 0.0, 1e-10));
    assert_true(Near(energy[2], h * area * density, 1e-12 * energy[2]));

    const double turned[6] = { x[0], x[1], x[4], x[5], x[2], x[3] };
    assert_true(Near(rslFiniteTriangle_Stiffness(turned, young, nu, h, mirrored), area, 1e-15));
    assert_true(Near(mirrored[0][2], k[0][4], 1e-12 * young) && Near(mirrored[3][3], k[5][5], 1e-12 * young));
    const double flat[6] = { 0, 0, 1, 1, 2, 2 };
    assert_true(rslFiniteTriangle_Stiffness(flat, young, nu, h, k) == 0.0 && k[2][3] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(GridEnergy),         cmocka_unit_test(EquilateralTriangles),
        cmocka_unit_test(IrregularTriangles), cmocka_unit_test(RefusedSheets),
        cmocka_unit_test(HexagonalCounts),    cmocka_unit_test(FiniteTriangle),
        cmocka_unit_test(SpringsAreElements), cmocka_unit_test(SurfacesOfShapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
