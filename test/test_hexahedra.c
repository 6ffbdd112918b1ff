// SPDX-License-Identifier: MIT
//
// test_hexahedra.c: hexahedra of any shape: stiffness by numerical integration, the patch test, boxes of any proportions, bending,
// files, and what is refused. Differences of their energy and forces and momentum are in test_terms.c and test_forces.c.

#include "beam_fixture.h"
#include "hexahedron_books.h"
#include "box.h"
#include "solid.h"
#include "tensor_fixture.h"
#include "tet_file.h"

enum
{
    CELLS = 9,  // along an axis, at most
    NODES = (CELLS + 1) * (CELLS + 1) * (CELLS + 1)
};

typedef struct Mesh
{
    double nodes[3 * NODES];
    int cells[8 * CELLS * CELLS * CELLS];
    int nodeCount, count;
} Mesh;

static const int order[8] = { 0, 1, 3, 2, 4, 5, 7, 6 };

// A box in nx x ny x nz cells, centred; nodes off their places by up to a part of the cells, as far as they stay in their faces.
static void MakeMesh(Mesh* mesh, const int n[3], const double size[3], double jitter, uint64_t seed)
{
    Random random = MakeRandom(seed);
    mesh->nodeCount = (n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    mesh->count = n[0] * n[1] * n[2];
    for (int i = 0; i < mesh->nodeCount; ++i)
    {
        const int at[3] = { i % (n[0] + 1), i / (n[0] + 1) % (n[1] + 1), i / (n[0] + 1) / (n[1] + 1) };
        for (int a = 0; a < 3; ++a)
        {
            double off = NextBetween(&random, -jitter, jitter);
            off = at[a] > 0 && at[a] < n[a] ? off : 0.0;
            mesh->nodes[3 * i + a] = size[a] * ((at[a] + off) / n[a] - 0.5);
        }
    }
    for (int i = 0; i < mesh->count; ++i)
    {
        int x = i % n[0], y = i / n[0] % n[1], z = i / n[0] / n[1];
        for (int c = 0; c < 8; ++c)
        {
            int node = x + (c & 1) + (n[0] + 1) * (y + (c >> 1 & 1) + (n[1] + 1) * (z + (c >> 2)));
            mesh->cells[8 * i + order[c]] = node;
        }
    }
}

static rslBodyDef MeshBody(const Mesh* mesh, double nu)
{
    rslBodyDef body = LatticeBody("h", NULL, 0.0);
    body.network.type = rsl_hexahedraNetwork;
    body.network.nodes = mesh->nodes;
    body.network.nodeCount = mesh->nodeCount;
    body.network.hexahedra = mesh->cells;
    body.network.hexahedronCount = mesh->count;
    body.material.poisson = nu;
    body.model = rslDefaultModelDef();
    return body;
}

static rslModel* BuildOne(const rslBodyDef* body, rslReport* report)
{
    rslScene scene = SceneOf(body, 1);
    return Built(&scene, report);
}

// ---- stiffness at rest --------------------------------------------------------------------------------------------------

static void RandomHexahedron(double x[8][3], Mesh* mesh, uint64_t seed)
{
    MakeMesh(mesh, (const int[3]){ 1, 1, 1 }, (const double[3]){ 0.7, 0.5, 0.4 }, 0.0, 1);
    Random random = MakeRandom(seed);
    for (int c = 0; c < 24; ++c)
    {
        mesh->nodes[c] += NextBetween(&random, -0.08, 0.08);
        x[c / 3][c % 3] = mesh->nodes[c];
    }
}

static void Matrix(void** unused)
{
    (void)unused;
    static const double ratios[] = { -0.6, 0.0, 0.3, 0.49 };
    static Mesh mesh;
    static Books books;
    double worst = 0.0;
    for (int test = 0; test < 24; ++test)
    {
        double x[8][3], nu = ratios[test / 6];
        RandomHexahedron(x, &mesh, (uint64_t)test + 1);
        rslBodyDef body = MeshBody(&mesh, nu);
        body.model.type = rsl_finiteModel;
        body.model.law = (rslElementLaw)(test % 3);
        body.model.element = test % 2 == 0 ? rsl_trilinearHexahedron : rsl_incompatibleHexahedron;
        rslModel* model = BuildOne(&body, NULL);
        Integrate(x, 1e5, nu, test % 2 != 0, &books);
        worst = Worse(worst, StiffnessError(model, &books));
        rslModel_Free(model);
    }
    assert_proved("hexahedra of any shape: stiffness at rest against numerical integration", worst, 1e-12);
}

// ---- the patch test ---------------------------------------------------------------------------------------------------

static void Patch(void** unused)
{
    (void)unused;
    static Mesh mesh;
    const double size[3] = { 1.5, 1.0, 0.8 };
    double forces = 0.0, moduli = 0.0;
    for (int test = 0; test < (Proving() ? 24 : 8); ++test)
    {
        static const double ratios[] = { -0.5, 0.0, 0.3, 0.49 };
        double c[6][6], nu = ratios[test / 2 % 4];
        MakeMesh(&mesh, (const int[3]){ 4, 3, 3 }, size, 0.22, (uint64_t)test + 1);
        rslBodyDef body = MeshBody(&mesh, nu);
        body.model.type = rsl_finiteModel;
        body.model.law = (rslElementLaw)(test % 3);
        body.model.element = test % 2 == 0 ? rsl_incompatibleHexahedron : rsl_trilinearHexahedron;
        rslModel* model = BuildOne(&body, NULL);
        // the frame is at the centre of mass, the box at the origin
        assert_close(model->bodies[0].volume, 1.2, 1e-12);
        assert_close(model->bodies[0].mass, 1200.0, 1e-9);
        rslBody moved = model->bodies[0];
        double* rest = malloc(3 * (size_t)moved.nodeCount * sizeof(double));
        rslBody_WorldRest(&moved, 0, moved.nodeCount, rest);
        moved.network.rest = rest;
        moved.frame.origin = (rslVec3){ 0.0, 0.0, 0.0 };
        rslModel centred = *model;
        centred.bodies = &moved;
        forces = Worse(forces, Tensor(&centred, (rslVec3){ size[0], size[1], size[2] }, c));
        moduli = Worse(moduli, TensorError(c, 1e5, nu));
        free(rest);
        rslModel_Free(model);
    }
    assert_proved("distorted hexahedra, patch test: forces inside over those on the faces", forces, 1e-10);
    assert_proved("distorted hexahedra, patch test: E, nu and G by those on the faces", moduli, 1e-10);
}

// ---- grids and boxes --------------------------------------------------------------------------------------------------

static rslBodyDef GridOf(const rslShapeDef* shape, int x, int y, int z, double nu)
{
    rslBodyDef body = LatticeBody("grid", shape, 0.0);
    body.network.type = rsl_hexahedraNetwork;
    memcpy(body.network.grid, (const int[3]){ x, y, z }, sizeof body.network.grid);
    body.material.poisson = nu;
    body.model = rslDefaultModelDef();
    return body;
}

// A grid of cubes is the lattice of them: the same K p, whatever the model.
static void AsLattice(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.6, 0.4, 0.4);
    for (int test = 0; test < 4; ++test)
    {
        rslBodyDef body = GridOf(&shape, 3, 2, 2, 0.3);
        body.model.type = test < 2 ? rsl_finiteModel : rsl_boxModel;
        body.model.element = test == 0 ? rsl_trilinearHexahedron : rsl_autoHexahedron;
        body.model.diagonals = test == 3 ? rsl_faceDiagonals : rsl_bodyDiagonals;
        rslBodyDef lattice = body;
        lattice.network = LatticeBody("l", &shape, 0.2).network;
        rslModel* models[2] = { BuildOne(&body, NULL), BuildOne(&lattice, NULL) };
        double *forces[2], size = test < 2 ? 1e-4 : 1.0;  // elements bend alike while they hardly turn
        assert_int_equal(models[0]->nodeCount, models[1]->nodeCount);
        for (int m = 0; m < 2; ++m)
        {
            rslState* state = StateOf(models[m], rsl_double);
            rslSolverDef def = SolverDef(rsl_velocityVerlet, 1e-4);
            rslSolver* solver = SolverOf(models[m], &def);
            for (int i = 0; i < models[m]->nodeCount; ++i)
            {
                double x[3];
                rslBody_Rest(&models[m]->bodies[0], i, i + 1, x);
                ((double*)state->displacement[0])[i] = size * (0.1 * x[1] * x[2] + 0.05 * x[0]);
                ((double*)state->displacement[2])[i] = -size * 0.2 * x[0] * x[0];
            }
            forces[m] = calloc(3 * (size_t)models[m]->nodeCount, sizeof(double));
            rslSolver_Fields(solver, state, forces[m], NULL, NULL);
            rslSolver_Free(solver);
            rslState_Free(state);
        }
        // nodes of both are in the order of x, y, z
        for (int i = 0; i < 3 * models[0]->nodeCount; ++i)
        {
            assert_close(forces[0][i], forces[1][i], test < 2 ? 1e-6 : 1e-9);
        }
        for (int m = 0; m < 2; ++m)
        {
            assert_close(models[m]->bodies[0].mass, 96.0, 1e-9);
            free(forces[m]);
            rslModel_Free(models[m]);
        }
    }
}

// Boxes of any proportions, all edges: with face diagonals all moduli, with body diagonals all but shear, which is as told.
static void Boxes(void** unused)
{
    (void)unused;
    static const double ratios[] = { -0.3, 0.1, 0.25, 0.4, 0.49 };
    static const int grids[][3] = { { 3, 2, 2 }, { 3, 3, 2 }, { 2, 2, 3 } };
    rslShapeDef shape = BoxShape(0.6, 0.4, 0.4);
    double worst[2] = { 0.0, 0.0 };
    int tried = 0;
    for (int test = 0; test < 5 * 3 * 8; ++test)
    {
        const int* n = grids[test / 8 % 3];
        double nu = ratios[test / 24], c[6][6], mu = 0.5e5 / (1.0 + nu), lambda = 2.0 * mu * nu / (1.0 - 2.0 * nu);
        rslBodyDef body = GridOf(&shape, n[0], n[1], n[2], nu);
        body.model.type = rsl_boxModel;
        body.model.diagonals = (rslDiagonals)(test % 2);
        body.model.edges = (rslEdgeRule)(test / 2 % 4);
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = NULL;
        rslReport report = { 0 };
        if (rslModel_Build(&scene, NULL, &model, &report) != rsl_ok)
        {
            assert_true(HasMessage(&report, rsl_error, body.model.place, "push where they should pull"));
            continue;
        }
        const double h[3] = { 0.6 / n[0], 0.4 / n[1], 0.4 / n[2] };
        rslBox box = rslBox_Make(h, lambda, mu, RSL_AUTO, test % 2 != 0);
        Tensor(model, shape.size, c);
        for (int i = 0; i < 3; ++i)
        {
            c[3 + i][3 + i] /= box.shear[i];
        }
        worst[test % 2] = fmax(worst[test % 2], TensorError(c, 1e5, nu));
        bool off = fabs(box.shear[0] - 1.0) > 1e-3 || fabs(box.shear[1] - 1.0) > 1e-3;
        assert_true(HasMessage(&report, rsl_warning, body.model.place, "with body diagonals the shear moduli") == off);
        tried += 1;
        rslModel_Free(model);
    }
    assert_true(tried > 90);
    assert_proved("boxes of any proportions, body diagonals: E and nu along the axes", worst[0], 1e-6);
    assert_proved("boxes of any proportions, face diagonals: E, nu and G", worst[1], 1e-6);
}

// Turned boxes of three different edges: the energy of any small uniform strain, and none of a rotation.
static void TurnedBoxes(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.6, 0.5, 0.4);
    shape.rotate = (rslRotationDef){ { 1.0, 2.0, -1.0 }, 40.0 };
    rslBodyDef body = GridOf(&shape, 3, 2, 2, 0.3);
    body.model.type = rsl_boxModel;
    body.model.diagonals = rsl_faceDiagonals;
    body.model.edges = rsl_tunedEdges;
    rslModel* model = BuildOne(&body, NULL);
    rslState* state = StateOf(model, rsl_double);
    rslSolverDef def = SolverDef(rsl_velocityVerlet, 1e-4);
    rslSolver* solver = SolverOf(model, &def);
    rslMat3 turn = rslQuatMatrix(rslQuatFromDegrees((rslVec3){ 0.3, -1.0, 0.5 }, 100.0));
    const double e[3][3] = { { 2e-6, -1e-6, 3e-6 }, { -1e-6, 1e-6, 0.5e-6 }, { 3e-6, 0.5e-6, -4e-6 } };
    double mu = 1e5 / 2.6, lambda = 2.0 * mu * 0.3 / 0.4, trace = e[0][0] + e[1][1] + e[2][2],
           wanted = lambda * trace * trace;
    for (int c = 0; c < 9; ++c)
    {
        wanted += 2.0 * mu * e[c / 3][c % 3] * e[c / 3][c % 3];
    }
    for (int test = 0; test < 2; ++test)
    {
        for (int i = 0; i < model->nodeCount; ++i)
        {
            double x[3];
            rslBody_Rest(&model->bodies[0], i, i + 1, x);
            rslVec3 rest = { x[0], x[1], x[2] }, moved = rslSub(rslMatVec(&turn, rest), rest);
            const double away[3] = { moved.x, moved.y, moved.z };
            for (int axis = 0; axis < 3; ++axis)
            {
                double strained = e[axis][0] * x[0] + e[axis][1] * x[1] + e[axis][2] * x[2];
                ((double*)state->displacement[axis])[i] = test == 0 ? strained : away[axis];
            }
        }
        double energy = rslSolver_Energy(solver, state).springs;
        assert_close(energy, test == 0 ? 0.5 * 0.12 * wanted : 0.0, test == 0 ? 1e-4 * wanted : 1e-20 * 1e5);
    }
    rslSolver_Free(solver);
    rslState_Free(state);
    rslModel_Free(model);
}

// ---- bending ----------------------------------------------------------------------------------------------------------

// How far the end of a cantilever sinks, mean over its nodes.
static double TipOf(const rslBodyDef* body, double gravity)
{
    Beam beam = BendBody(body, gravity);
    double sum = 0.0;
    int count = 0;
    assert_int_equal(beam.rest.outcome, rsl_restFound);
    for (int i = 0; i < beam.model->nodeCount; ++i)
    {
        double x[3], rest[3];
        rslBody_WorldRest(&beam.model->bodies[0], i, i + 1, rest);
        rslState_Positions(beam.model, beam.state, i, i + 1, x);
        sum += rest[0] > 1.999 ? x[2] - rest[2] : 0.0;
        count += rest[0] > 1.999;
    }
    FreeBeam(&beam);
    return sum / count;
}

// Distorted meshes bend nearly as regular ones do, and the incompatible ones better than the trilinear; large turns agree
// between the laws.
static void Bending(void** unused)
{
    (void)unused;
    static Mesh mesh;
    rslShapeDef shape = BoxShape(4.0, 1.0, 1.0);
    rslBodyDef fine = GridOf(&shape, Proving() ? 24 : 16, Proving() ? 6 : 4, Proving() ? 6 : 4, 0.3);
    fine.model.type = rsl_finiteModel;
    fine.model.law = rsl_linearElement;
    double wanted = TipOf(&fine, 1e-4), tip[2];
    MakeMesh(&mesh, (const int[3]){ 9, 2, 2 }, (const double[3]){ 4.0, 1.0, 1.0 }, 0.2, 3);
    for (int e = 0; e < 2; ++e)
    {
        rslBodyDef body = MeshBody(&mesh, 0.3);
        body.model.type = rsl_finiteModel;
        body.model.law = rsl_linearElement;
        body.model.element = e == 0 ? rsl_trilinearHexahedron : rsl_incompatibleHexahedron;
        tip[e] = TipOf(&body, 1e-4) / wanted;
    }
    print_message("9 x 2 x 2 distorted cells, tip over that of a fine grid: trilinear %.3f, incompatible %.3f\n",
                  tip[0], tip[1]);
    assert_close(tip[1], 1.0, 0.06);
    assert_at_most(tip[0], tip[1] - 0.03);
    double turned[3];
    for (int law = 0; law < 3; ++law)
    {
        rslBodyDef body = MeshBody(&mesh, 0.3);
        body.model.type = rsl_finiteModel;
        body.model.law = law == 0 ? rsl_corotationalElement : rsl_neoHookeanElement;
        body.model.element = law == 2 ? rsl_trilinearHexahedron : rsl_incompatibleHexahedron;
        turned[law] = TipOf(&body, 0.5);
    }
    print_message("tip under large load: corotational %.3f, neo-Hookean %.3f, trilinear neo-Hookean %.3f\n", turned[0],
                  turned[1], turned[2]);
    assert_true(turned[0] < -1.2);
    assert_close(turned[1], turned[0], 0.02 * fabs(turned[0]));
    assert_true(turned[2] < -0.9 && turned[2] > turned[1]);
}

// ---- what is built and what is refused ----------------------------------------------------------------------------------

static void Shapes(void** unused)
{
    (void)unused;
    static Mesh mesh;
    MakeMesh(&mesh, (const int[3]){ 3, 2, 2 }, (const double[3]){ 3.0, 2.0, 1.0 }, 0.2, 9);
    rslBodyDef def = MeshBody(&mesh, 0.3);
    def.network.scale = 0.1;
    def.network.rotate = (rslRotationDef){ { 0.0, 0.0, 1.0 }, 90.0 };
    def.network.translate = (rslVec3){ 5.0, 0.0, 0.0 };
    rslModel* model = BuildOne(&def, NULL);
    const rslBody* body = &model->bodies[0];
    assert_int_equal(body->elements.kind, rsl_solidElements);
    assert_int_equal(body->network.springCount, 3 * 9 + 4 * 2 * 3 + 4 * 3 * 2);
    assert_int_equal(body->surface.triangleCount, 2 * 2 * (6 + 6 + 4));
    assert_close(body->mass, 1000.0 * 6e-3, 1e-12);
    double x[3], volume = 0.0;
    rslBody_WorldRest(body, 0, 1, x);
    assert_true(Near(x[0], 5.1, 1e-12) && Near(x[1], -0.15, 1e-12) && Near(x[2], -0.05, 1e-12));
    for (int e = 0; e < body->elements.count; ++e)
    {
        volume += rslElements_Volume(body, e);
    }
    assert_close(volume, 6e-3, 1e-15);
    double* xyz = calloc(3 * (size_t)body->surface.vertexCount, sizeof(double));
    for (int v = 0; v < body->surface.vertexCount; ++v)
    {
        int node = body->surface.stencilNodes[8 * v];
        rslBody_WorldRest(body, node, node + 1, xyz + 3 * v);
    }
    assert_close(rslMesh_Volume(xyz, body->surface.triangles, body->surface.triangleCount), 6e-3, 1e-12);
    free(xyz);
    rslModel_Free(model);
}

static void Refusals(void** unused)
{
    (void)unused;
    static Mesh mesh;
    rslBodyDef body = MeshBody(&mesh, 0.3);
    rslScene scene = SceneOf(&body, 1);
    const int n[3] = { 2, 1, 1 };
    const double size[3] = { 2.0, 1.0, 1.0 };
    MakeMesh(&mesh, n, size, 0.0, 1);
    body = MeshBody(&mesh, 0.3);
    for (int c = 0; c < 4; ++c)
    {
        int kept = mesh.cells[8 + c];
        mesh.cells[8 + c] = mesh.cells[12 + c];
        mesh.cells[12 + c] = kept;
    }
    Refused(&scene, body.network.place, "hexahedron 1 of body 'h' at [0, -0.5, 0.5] is turned inside out");
    Refused(&scene, body.network.place, "list its last four corners first");
    MakeMesh(&mesh, n, size, 0.0, 1);
    mesh.cells[1] = mesh.cells[0];
    Refused(&scene, body.network.place, "hexahedron 0 of body 'h' has a node twice, as corners 0 and 1");
    MakeMesh(&mesh, n, size, 0.0, 1);
    mesh.cells[13] = 12;
    Refused(&scene, body.network.place, "found node 12, but there are 12");
    MakeMesh(&mesh, n, size, 0.0, 1);
    for (int i = 0; i < 12; ++i)
    {
        mesh.nodes[3 * i + 2] = 0.0;
    }
    Refused(&scene, body.network.place, "hexahedron 0 of body 'h' at [-1, -0.5, 0] is flat");
    MakeMesh(&mesh, n, size, 0.0, 1);
    mesh.nodes[0] = 0.9;  // a corner through the opposite face: only part of the cell is turned
    Refused(&scene, body.network.place, "is folded: its Jacobian is -");
    MakeMesh(&mesh, n, size, 0.0, 1);
    mesh.nodes[0] -= 0.01;
    body.model.type = rsl_boxModel;
    body.model.place = (rslPlace){ 9, 2 };
    Refused(&scene, body.model.place, "hexahedron 0 is no rectangular box: a corner is off by 0.0");
    MakeMesh(&mesh, n, size, 0.0, 1);
    static const rslModelType others[] = { rsl_springModel, rsl_dispersionModel, rsl_brickModel, rsl_angleModel };
    for (int m = 0; m < 4; ++m)
    {
        body.model.type = others[m];
        Refused(&scene, body.place, "found beside hexahedra, which have no springs; expected fem, or box");
    }
    // three cells on one face
    for (int c = 0; c < 8; ++c)
    {
        mesh.cells[16 + c] = mesh.cells[c];
    }
    mesh.count = 3;
    body = MeshBody(&mesh, 0.3);
    Refused(&scene, body.network.place, "the hexahedra of body 'h' overlap");
    // one cell twice
    for (int c = 0; c < 8; ++c)
    {
        mesh.cells[8 + c] = mesh.cells[c];
    }
    mesh.count = 2;
    body = MeshBody(&mesh, 0.3);
    Refused(&scene, body.network.place, "two on one side of it");
}

static void OutOfMemory(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(1.0, 1.0, 1.0);
    rslBodyDef body = GridOf(&shape, 3, 2, 2, 0.3);
    rslScene scene = SceneOf(&body, 1);
    BuildWithoutMemory(&scene, 15);
}

// ---- files --------------------------------------------------------------------------------------------------------------

#define POINTS8 "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1"
static const char msh2[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n"
    "7 1 1 1\n8 0 1 1\n$EndNodes\n$Elements\n2\n1 3 0 1 2 3 4\n2 5 2 0 1 1 2 3 4 5 6 7 8\n$EndElements\n";
static const char msh4[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 8 1 8\n3 1 0 8\n1\n2\n3\n4\n5\n6\n7\n8\n0 0 0\n1 0 0\n"
    "1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 5 1\n9 1 2 3 4 5 6 7 8\n"
    "$EndElements\n";
#define GRID "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n" POINTS8 "\n"
static const char vtk[] = GRID "CELLS 2 13\n3 0 1 2\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 2\n5\n12\n";
static const char voxel[] = GRID "CELLS 1 9\n8 0 1 3 2 4 5 7 6\nCELL_TYPES 1\n11\n";
static const char mixed[] = GRID "CELLS 2 14\n4 0 1 2 4\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 2\n10\n12\n";

static void Files(void** unused)
{
    (void)unused;
    static const char* const texts[] = { msh2, msh4, vtk, voxel, mixed };
    static const int wanted[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    for (int i = 0; i < 5; ++i)
    {
        rslTetMesh file;
        rslReport report = { 0 };
        assert_int_equal(rslCellFile_Parse(texts[i], strlen(texts[i]), 8, NULL, &file, &report), rsl_ok);
        assert_int_equal(file.nodeCount, 8);
        assert_int_equal(file.tetrahedronCount, 1);
        assert_memory_equal(file.tetrahedra, wanted, sizeof wanted);
        assert_int_equal(report.count, i == 4 ? 1 : 0);
        assert_true(i != 4 ||
                    HasMessage(&report, rsl_warning, (rslPlace){ 0, 0 }, "1 cells that fill space are no hexahedra"));
        rslTetMesh_Free(&file);
    }
    static const char* const bad[][2] = {
        { "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 17 0 1\n",
          "found hexahedra with nodes on their edges" },
        { "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n", "has no hexahedra" },
        { GRID "CELLS 1 9\n8 0 1 2 3 4 5 6 8\nCELL_TYPES 1\n12\n", "hexahedron 0 has the node 8, which is not listed" },
        { GRID "CELLS 1 8\n7 0 1 2 3 4 5 6\nCELL_TYPES 1\n12\n", "cell 0 does not fit" },
        { GRID "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n", "the file ends and has no hexahedra" },
    };
    for (int i = 0; i < 5; ++i)
    {
        rslTetMesh file;
        rslReport report = { 0 };
        assert_int_equal(rslCellFile_Parse(bad[i][0], strlen(bad[i][0]), 8, NULL, &file, &report), rsl_badInput);
        assert_true(HasMessage(&report, rsl_error, (rslPlace){ 0, 0 }, bad[i][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Matrix), cmocka_unit_test(Patch),       cmocka_unit_test(AsLattice),
        cmocka_unit_test(Boxes),  cmocka_unit_test(TurnedBoxes), cmocka_unit_test(Bending),
        cmocka_unit_test(Shapes), cmocka_unit_test(Refusals),    cmocka_unit_test(OutOfMemory),
        cmocka_unit_test(Files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
