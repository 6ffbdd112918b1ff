// SPDX-License-Identifier: MIT
//
// The scene language: reading, defaults, short forms, writing back bit for bit, and the same checks in code.

#include "scene_fixture.h"

#include "scene_table.h"

#include <dirent.h>
#include <math.h>

#define BOX "bodies:\n  - {name: box, shape: {type: box, size: [1, 1, 1]}, network: {spacing: 0.1}, material: rubber}\n"

static bool SameVector(rslVec3 a, double x, double y, double z)
{
    return a.x == x && a.y == y && a.z == z;
}

static void TestDefaults(void** state)
{
    (void)state;
    rslScene scene = GoodScene(BOX);
    rslScene untold = rslDefaultScene();
    untold.bodies = scene.bodies;
    untold.bodyCount = scene.bodyCount;
    assert_true(rslStruct_Equal(rslSchema_Scene(), &scene, &untold));
    assert_false(scene.ground.enabled);
    assert_true(isnan(scene.time.step));
    assert_int_equal(scene.time.integrator, rsl_positionVerlet);
    assert_int_equal(scene.time.precision, rsl_double);
    assert_true(scene.output.vtu && scene.output.pc2 && scene.output.glb);
    const rslBodyDef* body = &scene.bodies[0];
    assert_true(body->material.young == 2e6 && body->material.poisson == 0.48);
    assert_true(body->surface.enabled && isnan(body->surface.resolution));
    assert_int_equal(body->place.line, 2);
    assert_int_equal(body->place.column, 5);
    assert_int_equal(body->shape->place.column, 24);
    rslScene_Free(&scene);
}

static void TestShortForms(void** state)
{
    (void)state;
    rslScene scene = GoodScene("ground: true\n" BOX "loads:\n"
                               "  - {type: acceleration, nodes: all, acceleration: [1, 0, 0], course: constant}\n");
    assert_true(scene.ground.enabled && SameVector(scene.ground.normal, 0, 0, 1));
    assert_string_equal(scene.bodies[0].material.name, "rubber");
    assert_int_equal(scene.loads[0].nodes.type, rsl_allNodes);
    assert_null(scene.loads[0].nodes.body);
    rslScene_Free(&scene);

    scene = GoodScene("ground: {enabled: false, point: [0, 0, 1]}\n" BOX);
    assert_false(scene.ground.enabled);
    CheckRoundTrip(&scene);
    rslScene_Free(&scene);
}

static void TestNumbersBesideName(void** state)
{
    (void)state;
    rslScene scene =
        GoodScene("bodies:\n  - name: b\n    shape: {type: sphere, radius: 1}\n    network: {spacing: 0.1}\n"
                  "    material: {density: 500, name: steel}\n");
    const rslMaterialDef* material = &scene.bodies[0].material;
    assert_true(material->density == 500.0 && material->young == 2.1e11 && material->poisson == 0.3);
    CheckRoundTrip(&scene);
    char* text = WriteText(&scene);
    assert_null(strstr(text, "young"));
    assert_non_null(strstr(text, "density: 500"));
    free(text);
    rslScene_Free(&scene);
}

static void TestPlane(void** state)
{
    (void)state;
    static const char text[] =
        "ground: true\nbodies:\n"
        "  - {name: s, network: {type: sheet, size: [1, 1], cells: [4, 4], thickness: 0.01}, material: rubber}\n"
        "plane: xy\n";
    rslScene scene = GoodScene(text);
    assert_true(SameVector(scene.gravity, 0, -9.81, 0));
    assert_true(SameVector(scene.ground.normal, 0, 1, 0));
    CheckRoundTrip(&scene);
    scene.gravity = (rslVec3){ 0, 0, -9.81 };
    assert_int_equal(rslScene_Validate(&scene, NULL), rsl_badInput);
    rslScene_Free(&scene);
}

static void TestRich(void** state)
{
    (void)state;
    rslScene scene = GoodScene(richScene);
    assert_int_equal(scene.bodyCount, 3);
    assert_true(scene.seed == UINT64_MAX);
    assert_string_equal(scene.title, "Everything: \"quotes\", # signs and caf\xc3\xa9");
    assert_false(scene.output.pc2);
    const rslNetworkDef* net = &scene.bodies[2].network;
    assert_true(net->nodeCount == 3 && net->massCount == 3 && net->springCount == 2 && net->dampingCount == 1);
    assert_true(net->springs[2] == 2 && net->restLengths[1] == 0.125 && signbit(net->nodes[8]));
    const rslShapeDef* cut = &scene.bodies[0].shape->parts[1];
    assert_int_equal(cut->partCount, 7);
    assert_int_equal(cut->parts[6].parts[0].triangleCount, 4);
    assert_true(cut->parts[1].rotate.angle == 45.0);
    const rslConstraintDef* pin = &scene.constraints[0];
    assert_true(pin->axes[0] && !pin->axes[1] && pin->axes[2]);
    assert_int_equal(scene.constraints[2].move.pathCount, 2);
    assert_true(isnan(scene.links[1].stiffness) && scene.links[0].restLength == 0.0);
    CheckRoundTrip(&scene);
    rslScene_Free(&scene);
}

// Long lists are wrapped, and short buffers cut without harm.
static void TestLongLists(void** state)
{
    (void)state;
    enum
    {
        NODES = 1000
    };
    static double nodes[3 * NODES], masses[NODES];
    static int springs[2 * NODES];
    for (int i = 0; i < NODES; ++i)
    {
        nodes[3 * i] = i / 7.0;
        nodes[3 * i + 1] = -1.0 / (i + 1);
        nodes[3 * i + 2] = i * 1e-300;
        masses[i] = 0.1 + i / 3.0;
        springs[2 * i] = i;
        springs[2 * i + 1] = (i + 1) % NODES;
    }
    double stiffness = 1.0 / 3.0;
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "ring";
    body.network.type = rsl_explicitNetwork;
    body.network.nodes = nodes;
    body.network.masses = masses;
    body.network.springs = springs;
    body.network.stiffness = &stiffness;
    body.network.nodeCount = body.network.massCount = body.network.springCount = NODES;
    body.network.stiffnessCount = 1;
    rslScene scene = rslDefaultScene();
    scene.bodies = &body;
    scene.bodyCount = 1;
    CheckRoundTrip(&scene);
    char* text = WriteText(&scene);
    for (const char* line = text; line != NULL; line = strchr(line + 1, '\n'))
    {
        assert_true(strcspn(line + 1, "\n") < 200);
    }
    char little[100];
    assert_int_equal(rslScene_Write(&scene, little, sizeof little), strlen(text));
    assert_int_equal(strncmp(little, text, sizeof little - 1), 0);
    free(text);
}

// Awkward texts come back as they were.
static void TestTexts(void** state)
{
    (void)state;
    static const char* const texts[] = { "",
                                         " ",
                                         "true",
                                         "null",
                                         "~",
                                         "- a",
                                         "a: b",
                                         "#x",
                                         "\t",
                                         "a\nb",
                                         "\xc2\x85",
                                         "'q'",
                                         "*a",
                                         "%",
                                         "@",
                                         "trailing ",
                                         "\\u0041",
                                         "1e5",
                                         "\xe2\x80\xa8",
                                         "\xef\xbb\xbf",
                                         "{}",
                                         "\x7f\x01",
                                         "\xf0\x9f\x90\x87" };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
    {
        rslScene scene = GoodScene(BOX);
        scene.title = texts[i];
        CheckRoundTrip(&scene);
        rslScene_Free(&scene);
    }
}

// ---- scenes made in code ----------------------------------------------------------------------------------------

static rslReport said;

static void ExpectSaid(const rslScene* scene, const char* text)
{
    said = (rslReport){ 0 };
    assert_int_equal(rslScene_Validate(scene, &said), rsl_badInput);
    for (int i = 0; i < said.count; ++i)
    {
        if (strcmp(said.messages[i].text, text) == 0)
        {
            return;
        }
    }
    PrintReport(&said);
    fail_msg("not said: %s", text);
}

static void TestInCode(void** state)
{
    (void)state;
    rslShapeDef shape = rslDefaultShapeDef();
    shape.size = (rslVec3){ 1, 1, 1 };
    rslBodyDef bodies[2] = { rslDefaultBodyDef(), rslDefaultBodyDef() };
    bodies[0].name = "a";
    bodies[0].shape = &shape;
    bodies[0].network.spacing = 0.1;
    bodies[0].material.name = "rubber";
    bodies[1] = bodies[0];
    bodies[1].name = "b";
    rslLoadDef load = rslDefaultLoadDef();
    load.force = (rslVec3){ 0, 0, 1 };
    load.nodes.body = "b";
    rslScene scene = rslDefaultScene();
    ExpectSaid(&scene, "bodies: found an empty list, expected at least 1 entry");
    scene.bodies = bodies;
    scene.bodyCount = 2;
    scene.loads = &load;
    scene.loadCount = 1;
    said = (rslReport){ 0 };
    assert_int_equal(rslScene_Validate(&scene, &said), rsl_ok);
    assert_int_equal(said.count, 0);

    bodies[1].material.young = -1.0;
    ExpectSaid(&scene, "bodies.1.material.young: found -1, expected a number > 0 in Pa");
    bodies[1].material.young = (double)INFINITY;
    ExpectSaid(&scene, "bodies.1.material.young: found inf, expected a finite number > 0 in Pa");
    bodies[1].material.young = RSL_AUTO;
    bodies[1].velocity.y = (double)NAN;
    ExpectSaid(&scene, "bodies.1.velocity: found nan, expected a finite number in m/s");
    bodies[1].velocity.y = 0.0;
    bodies[1].material.name = NULL;
    ExpectSaid(&scene, "bodies.1.material: missing key 'poisson' of a material without a name");
    bodies[1].material.name = "rubber";
    bodies[1].name = "a";
    ExpectSaid(&scene, "bodies.1.name: found a second body 'a', expected another name");
    ExpectSaid(&scene, "loads.0.nodes.body: there is no body 'b'");
    bodies[1].name = "b c";
    ExpectSaid(&scene,
               "bodies.1.name: found 'b c', expected a name: a letter, then letters, digits, - and _, up to 64");
    bodies[1].name = NULL;
    ExpectSaid(&scene, "bodies.1: missing key 'name'");
    bodies[1].name = "b";
    bodies[1].network.spacing = 0.0;
    ExpectSaid(&scene, "bodies.1.network.spacing: found 0, expected a number > 0 in m");
    bodies[1].network.spacing = 0.1;
    bodies[1].network.type = (rslNetworkType)17;
    ExpectSaid(&scene, "bodies.1.network.type: found the unknown value 17");
    bodies[1].network.type = rsl_latticeNetwork;
    scene.constraintCount = 3;
    ExpectSaid(&scene, "constraints: found a count of 3 and no list");
    scene.constraintCount = 0;
    shape.rotate = (rslRotationDef){ .angle = 10.0 };
    ExpectSaid(&scene, "bodies.0.shape.rotate.axis: found [0, 0, 0], expected a direction such as [0, 0, 1]");
    shape.rotate.axis.z = 1.0;
    shape.type = rsl_unionShape;
    shape.parts = &shape;  // a ring
    shape.partCount = 1;
    assert_int_equal(rslScene_Validate(&scene, NULL), rsl_badInput);
}

static void TestMeshGiven(void** state)
{
    (void)state;
    static const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    static const int triangles[] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };
    rslScene scene;
    said = (rslReport){ 0 };
    assert_int_equal(ReadYaml("bodies:\n  - name: m\n    shape: {type: union, parts: [{type: mesh, file: a b.obj}]}\n"
                              "    network: {spacing: 0.1}\n    material: rubber\n",
                              NULL, &scene, &said),
                     rsl_ok);
    const rslShapeDef* shape = NULL;
    assert_int_equal(rslScene_MeshShapes(&scene, &shape, 1), 1);
    assert_int_equal(shape->filePlace.line, 3);
    assert_int_equal(shape->filePlace.column, 53);
    ExpectSaid(&scene, "file: the mesh file 'a b.obj' has not been loaded");
    assert_int_equal(rslScene_GiveMesh(&scene, shape, vertices, 4, triangles, 4), rsl_ok);
    assert_int_equal(rslScene_MeshShapes(&scene, NULL, 0), 0);
    assert_int_equal(rslScene_Validate(&scene, NULL), rsl_ok);
    char* text = WriteText(&scene);
    assert_non_null(strstr(text, "file: a b.obj\n"));
    assert_null(strstr(text, "vertices"));
    free(text);
    rslScene_Free(&scene);
}

static void TestTetrahedraGiven(void** state)
{
    (void)state;
    static const char file[] = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                               "POINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n";
    rslScene scene;
    const rslNetworkDef* network = NULL;
    assert_int_equal(
        ReadYaml("bodies:\n  - name: t\n    network: {type: tetrahedra, file: a.vtk}\n    material: rubber\n", NULL,
                 &scene, NULL),
        rsl_ok);
    assert_int_equal(rslScene_TetrahedraNetworks(&scene, NULL, 0), 1);
    assert_int_equal(rslScene_TetrahedraNetworks(&scene, &network, 1), 1);
    assert_int_equal(network->filePlace.line, 3);
    assert_int_equal(network->filePlace.column, 39);
    ExpectSaid(&scene, "file: the file 'a.vtk' has not been loaded");
    assert_int_equal(rslScene_GiveTetrahedra(&scene, network, file, 20, NULL), rsl_badInput);
    assert_int_equal(rslScene_GiveTetrahedra(&scene, network, file, strlen(file), NULL), rsl_ok);
    assert_int_equal(rslScene_TetrahedraNetworks(&scene, NULL, 0), 0);
    assert_int_equal(rslScene_Validate(&scene, NULL), rsl_ok);
    char* text = WriteText(&scene);
    assert_non_null(strstr(text, "file: a.vtk"));
    assert_null(strstr(text, "nodes"));
    free(text);
    rslScene_Free(&scene);
}

static void TestMaterials(void** state)
{
    (void)state;
    int count;
    const rslNamedMaterial* table = rslMaterial_Table(&count);
    assert_true(count >= 12);
    for (int i = 0; i < count; ++i)
    {
        assert_true(table[i].young > 0 && table[i].density > 0 && table[i].poisson > -1 && table[i].poisson < 0.5);
        assert_true(table[i].stiffnessDamping >= 0 && strlen(table[i].source) > 20);
        assert_true(i == 0 || strcmp(table[i - 1].name, table[i].name) < 0);
        assert_ptr_equal(rslMaterial_Find(table[i].name), &table[i]);
    }
    assert_null(rslMaterial_Find("unobtainium"));
    assert_null(rslMaterial_Find(NULL));
}

// Every scene of the project reads without a word and survives being written.
static void TestProjectScenes(void** state)
{
    (void)state;
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%s/scenes", Root());
    DIR* directory = opendir(folder);
    assert_non_null(directory);
    int files = 0;
    for (struct dirent* entry = readdir(directory); entry != NULL; entry = readdir(directory))
    {
        size_t length = strlen(entry->d_name);
        if (length <= 5 || strcmp(entry->d_name + length - 5, ".yaml") != 0)
        {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        rslScene scene;
        said = (rslReport){ 0 };
        rslStatus status = rslScene_Read(path, NULL, 0, NULL, &scene, &said);
        PrintReport(&said);
        assert_int_equal(status, rsl_ok);
        assert_int_equal(rslScene_Validate(&scene, &said), rsl_ok);
        assert_int_equal(said.count, 0);
        bool filed = false;  // what a file holds is not in the text
        for (int i = 0; i < scene.bodyCount; ++i)
        {
            filed = filed || scene.bodies[i].network.file != NULL;
        }
        if (rslScene_MeshShapes(&scene, NULL, 0) == 0 && !filed)
        {
            CheckRoundTrip(&scene);
        }
        rslScene_Free(&scene);
        files += 1;
    }
    closedir(directory);
    assert_true(files >= 10);
}

// ---- a model as one text ----------------------------------------------------------------------------------------

static void ExpectModel(const char* text, const rslModelDef* wanted)
{
    rslModelDef model;
    rslReport report = { 0 };
    assert_int_equal(rslModelDef_Read(text, NULL, &model, &report), rsl_ok);
    assert_int_equal(report.errors, 0);
    assert_true(rslStruct_Equal(&rslModelStruct, &model, wanted));
}

static void ExpectNoModel(const char* text, const char* part)
{
    rslModelDef model;
    rslReport report = { 0 };
    assert_int_equal(rslModelDef_Read(text, NULL, &model, &report), rsl_badInput);
    assert_int_equal(report.errors, 1);
    if (strstr(report.messages[0].text, part) == NULL)
    {
        fail_msg("'%s' said '%s', not '%s'", text, report.messages[0].text, part);
    }
    assert_int_equal(rslModelDef_Read(text, NULL, &model, NULL), rsl_badInput);
}

static void TestModelText(void** state)
{
    (void)state;
    // every type and every word of every key that it has
    const rslKey* lead = &rslModelStruct.keys[rslModelStruct.lead];
    for (const rslWord* type = lead->words; type->name != NULL; ++type)
    {
        rslModelDef wanted = rslDefaultModelDef();
        *(int*)(void*)((char*)&wanted + lead->offset) = type->value;
        ExpectModel(type->name, &wanted);
        for (int k = 0; k < rslModelStruct.keyCount; ++k)
        {
            const rslKey* key = &rslModelStruct.keys[k];
            bool has = k != rslModelStruct.lead && key->words != NULL && rslKey_AppliesTo(key, BIT(type->value));
            for (const rslWord* word = has ? key->words : NULL; word != NULL && word->name != NULL; ++word)
            {
                rslModelDef changed = wanted;
                char text[100];
                *(int*)(void*)((char*)&changed + key->offset) = word->value;
                snprintf(text, sizeof text, "%s:%s=%s", type->name, key->name, word->name);
                ExpectModel(text, &changed);
            }
        }
    }
    rslModelDef fem = rslDefaultModelDef();
    fem.type = rsl_finiteModel;
    fem.law = rsl_neoHookeanElement;
    fem.element = rsl_trilinearHexahedron;
    ExpectModel("fem:neo-hookean:trilinear", &fem);
    ExpectModel("fem:element=trilinear:neo_hookean", &fem);
}

static void TestBadModelText(void** state)
{
    (void)state;
    ExpectNoModel("", "expected one of");
    ExpectNoModel("fme", "did you mean 'fem'?");
    ExpectNoModel("fem:", "no option ''");
    ExpectNoModel("fem::linear", "no option ''");
    ExpectNoModel("fem:cheap", "no option 'cheap'");
    ExpectNoModel("springs:any", "it has none");
    ExpectNoModel("fem:law=hard", "found 'hard'");
    ExpectNoModel("fem:law=linear:law=linear", "twice");
    ExpectNoModel("fem:linear:corotational", "twice");
    ExpectNoModel("fem:variant=cheap", "does not belong to type fem");
    ExpectNoModel("fem:=1", "unknown key");
    ExpectNoModel("fem:linear=", "unknown key");
    ExpectNoModel("fem:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                  "too long");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestDefaults),
        cmocka_unit_test(TestShortForms),
        cmocka_unit_test(TestNumbersBesideName),
        cmocka_unit_test(TestPlane),
        cmocka_unit_test(TestRich),
        cmocka_unit_test(TestLongLists),
        cmocka_unit_test(TestTexts),
        cmocka_unit_test(TestInCode),
        cmocka_unit_test(TestMeshGiven),
        cmocka_unit_test(TestTetrahedraGiven),
        cmocka_unit_test(TestMaterials),
        cmocka_unit_test(TestProjectScenes),
        cmocka_unit_test(TestModelText),
        cmocka_unit_test(TestBadModelText),
    };
    return cmocka_run_group_tests_name("scene", tests, NULL, NULL);
}
