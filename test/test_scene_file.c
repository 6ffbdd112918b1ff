// SPDX-License-Identifier: MIT
//
// Scene files and their overrides; every allocation that can fail; the schema and the reference in docs/.

#include "scene_fixture.h"

#include "memory.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static rslReport said;

static bool HasSaid(const char* text)
{
    for (int i = 0; i < said.count; ++i)
    {
        if (strstr(said.messages[i].text, text) != NULL)
        {
            return true;
        }
    }
    PrintReport(&said);
    return false;
}

// ---- files ------------------------------------------------------------------------------------------------------

static const char* Scratch(const char* name)
{
    static char path[1024];
    const char* folder = getenv("RSL_SCRATCH");
    snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "/tmp", name);
    return path;
}

static void WriteScratch(const char* path, const char* bytes, size_t count)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

static rslStatus ReadPath(const char* path)
{
    rslScene scene;
    said = (rslReport){ 0 };
    rslStatus status = rslScene_Read(path, NULL, 0, NULL, &scene, &said);
    assert_true(status == rsl_ok || said.errors > 0);
    assert_string_equal(said.file, path);
    rslScene_Free(&scene);
    return status;
}

static void TestFiles(void** state)
{
    (void)state;
    assert_int_equal(ReadPath(Scratch("no_such_scene.yaml")), rsl_ioError);
    assert_true(HasSaid("cannot open the scene file: No such file"));
    assert_int_equal(ReadPath("/"), rsl_ioError);
    assert_true(HasSaid("found a directory, expected a scene file"));
    const char* path = Scratch("scene.yaml");
    WriteScratch(path, "", 0);
    assert_int_equal(ReadPath(path), rsl_badInput);
    assert_true(HasSaid("the file is empty"));
    WriteScratch(path,
                 "\xff\xfe"
                 "a\0:\0",
                 6);
    assert_int_equal(ReadPath(path), rsl_badInput);
    assert_true(HasSaid("found UTF-16 text, expected UTF-8"));
    WriteScratch(path, "PK\x03\x04\0\0", 6);
    assert_int_equal(ReadPath(path), rsl_badInput);
    assert_true(HasSaid("found a binary file"));
    assert_int_equal(truncate(path, (64 << 20) + 1), 0);
    assert_int_equal(ReadPath(path), rsl_badInput);
    assert_true(HasSaid("found more than 64 MiB"));
    // a mark at the start, as some editors write it, and the line ends of another system
    static const char marked[] = "\xef\xbb\xbf"
                                 "bodies:\r\n  - name: b\r\n    shape: {type: sphere, radius: 1}\r\n"
                                 "    network: {spacing: 0.5}\r\n    material: rubber\r\n";
    WriteScratch(path, marked, sizeof marked - 1);
    assert_int_equal(ReadPath(path), rsl_ok);
    if (geteuid() != 0)
    {
        assert_int_equal(chmod(path, 0), 0);
        assert_int_equal(ReadPath(path), rsl_ioError);
        assert_true(HasSaid("cannot open the scene file: Permission denied"));
    }
    assert_int_equal(unlink(path), 0);
}

// A mesh file lies beside the scene that names it.
static void TestMeshFile(void** state)
{
    (void)state;
    static const char mesh[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    static const char text[] = "bodies:\n  - name: m\n    shape: {type: mesh, file: tetra.obj}\n"
                               "    network: {spacing: 0.1}\n    material: rubber\n";
    WriteScratch(Scratch("tetra.obj"), mesh, sizeof mesh - 1);
    WriteScratch(Scratch("mesh_scene.yaml"), text, sizeof text - 1);
    rslScene scene;
    said = (rslReport){ 0 };
    rslStatus status = rslScene_Read(Scratch("mesh_scene.yaml"), NULL, 0, NULL, &scene, &said);
    unlink(Scratch("tetra.obj"));
    if (status == rsl_unsupported)
    {
        skip();
    }
    PrintReport(&said);
    assert_int_equal(status, rsl_ok);
    assert_int_equal(scene.bodies[0].shape->vertexCount, 4);
    assert_int_equal(scene.bodies[0].shape->triangleCount, 4);
    assert_int_equal(rslScene_Validate(&scene, NULL), rsl_ok);
    rslScene_Free(&scene);
    // and now it is gone
    said = (rslReport){ 0 };
    assert_int_not_equal(rslScene_Read(Scratch("mesh_scene.yaml"), NULL, 0, NULL, &scene, &said), rsl_ok);
    assert_true(HasSaid("tetra.obj: "));
    assert_int_equal(said.messages[0].place.line, 3);
    assert_int_equal(said.messages[0].place.column, 31);
    unlink(Scratch("mesh_scene.yaml"));
}

// ---- overrides --------------------------------------------------------------------------------------------------

static const char twoBodies[] = "time: {duration: 2}\n"
                                "bodies:\n"
                                "  - name: rabbit\n"
                                "    shape: {type: rabbit, height: 0.2}\n"
                                "    network: {spacing: 0.01}\n"
                                "    material: rubber\n"
                                "  - name: ball\n"
                                "    shape: {type: sphere, radius: 1}\n"
                                "    network: {spacing: 0.1}\n"
                                "    material: {young: 1e5, poisson: 0.25, density: 1000}\n";

static rslStatus SetIn(const char* text, const char* path, const char* value, rslScene* scene)
{
    rslTree tree;
    *scene = rslDefaultScene();
    said = (rslReport){ 0 };
    rslStatus status = rslYaml_Parse(text, strlen(text), NULL, &tree, &said);
    assert_int_equal(status, rsl_ok);
    status = rslTree_Set(&tree, path, value, &said);
    status = status == rsl_ok ? rslScene_FromTree(&tree, NULL, scene, &said) : status;
    rslTree_Free(&tree);
    return status;
}

static rslScene SetGood(const char* path, const char* value)
{
    rslScene scene;
    rslStatus status = SetIn(twoBodies, path, value, &scene);
    PrintReport(&said);
    assert_int_equal(status, rsl_ok);
    return scene;
}

static void TestSet(void** state)
{
    (void)state;
    rslScene scene = SetGood("bodies.ball.material.young", "2e5");
    assert_true(scene.bodies[1].material.young == 2e5);
    rslScene_Free(&scene);
    scene = SetGood("bodies.1.material", "silicone");
    assert_string_equal(scene.bodies[1].material.name, "silicone");
    rslScene_Free(&scene);
    // beside a bare word
    scene = SetGood("bodies.rabbit.material.young", " 5e5 ");
    assert_string_equal(scene.bodies[0].material.name, "rubber");
    assert_true(scene.bodies[0].material.young == 5e5 && scene.bodies[0].material.density == 1100.0);
    rslScene_Free(&scene);
    // keys and maps that are not there yet
    scene = SetGood("gravity", "[0, 0, -1.62]");
    assert_true(scene.gravity.z == -1.62);
    rslScene_Free(&scene);
    scene = SetGood("output.formats", "[ glb,vtu ]");
    assert_true(scene.output.glb && scene.output.vtu && !scene.output.pc2);
    rslScene_Free(&scene);
    scene = SetGood("title", "'moon: a test'");
    assert_string_equal(scene.title, "moon: a test");
    rslScene_Free(&scene);
    // a scene that speaks of real time wants it
    scene = SetGood("time.realtime.rate", "30");
    assert_true(scene.time.realtime.enabled && scene.time.realtime.rate == 30.0);
    rslScene_Free(&scene);
    // one number of a vector that is there
    rslScene other;
    assert_int_equal(SetIn("gravity: [1, 2, 3]\nbodies:\n  - {name: b, shape: {type: sphere, radius: 1}, network: "
                           "{spacing: 1}, material: fat}\n",
                           "gravity.1", "7", &other),
                     rsl_ok);
    assert_true(other.gravity.y == 7.0 && other.gravity.z == 3.0);
    rslScene_Free(&other);
}

static void ExpectRefused(const char* path, const char* value, const char* text)
{
    rslScene scene;
    assert_int_equal(SetIn(twoBodies, path, value, &scene), rsl_badInput);
    assert_true(HasSaid(text));
    assert_int_equal(said.messages[0].place.line, 0);
}

static void TestSetRefused(void** state)
{
    (void)state;
    ExpectRefused("bodies.rabit.material.young", "1", "there is no 'rabit' in bodies; did you mean 'rabbit'?");
    ExpectRefused("bodies.7.name", "x", "there is no '7' in bodies, which has 2 entries");
    ExpectRefused("duration", "1", "unknown key 'duration' in a scene; did you mean 'time.duration'?");
    ExpectRefused("young", "1", "unknown key 'young' in a scene; did you mean 'body.material.young'?");
    ExpectRefused("ball.material.young", "1", "unknown key 'ball' in a scene; did you mean 'bodies.ball'?");
    ExpectRefused("bodies.ball.material.yuong", "1", "unknown key 'yuong' in a material; did you mean 'young'?");
    ExpectRefused("body.material.young", "1", "'body' stands for the only body, but there are several");
    ExpectRefused("loads.0.force", "[0, 0, 1]", "there is no '0' in loads, which has 0 entries");
    ExpectRefused("bodies.ball", "x", "expected a key of a body after it");
    ExpectRefused("", "1", "expected a path such as");
    ExpectRefused("time..step", "1", "expected a path such as");
    ExpectRefused("gravity", "[0, 0", "expected , or ]");
    ExpectRefused("gravity", "[0, 0, 1] 2", "after the value");
    ExpectRefused("gravity", "{x: 1}", "expected a number, a word or a list");
    ExpectRefused("title", "\"open", "a quote that is not closed");
    ExpectRefused("time.duration", "10 ms",
                  "time.duration: found '10 ms', expected a plain number in s: write 0.01 (SI)");
    ExpectRefused("bodies.ball.material.poisson", "0.7",
                  "bodies.1.material.poisson: found 0.7, expected a number in (-1, 0.5)");
    ExpectRefused("gravity", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
                  "expected a number, a word or a list");
}

static void TestSetOnlyBody(void** state)
{
    (void)state;
    rslScene scene;
    assert_int_equal(
        SetIn("bodies:\n  - {name: b, shape: {type: sphere, radius: 1}, network: {spacing: 1}, material: fat}\n",
              "body.shape.radius", "3", &scene),
        rsl_ok);
    assert_true(scene.bodies[0].shape->radius == 3.0);
    rslScene_Free(&scene);
    assert_int_equal(SetIn("title: x\n", "body.name", "y", &scene), rsl_badInput);
    assert_true(HasSaid("the scene has no bodies"));
}

// ---- memory -----------------------------------------------------------------------------------------------------

typedef struct Ration
{
    int left, alive;
} Ration;

static void* Allocate(size_t bytes, void* user)
{
    Ration* ration = user;
    if (ration->left == 0)
    {
        return NULL;
    }
    ration->left -= 1;
    ration->alive += 1;
    return malloc(bytes);
}

static void Release(void* memory, void* user)
{
    if (memory != NULL)
    {
        ((Ration*)user)->alive -= 1;
        free(memory);
    }
}

static rslStatus Everything(const rslHooks* hooks)
{
    static const double vertices[6000] = { 0 };
    static const int triangles[6000] = { 0 };
    rslTree tree;
    rslScene scene = rslDefaultScene();
    rslStatus status = rslYaml_Parse(richScene, sizeof richScene - 1, hooks, &tree, NULL);
    status = status == rsl_ok ? rslTree_Set(&tree, "bodies.solid.material.young", "2e6", NULL) : status;
    status = status == rsl_ok ? rslTree_Set(&tree, "bodies.solid.surface.resolution", "0.01", NULL) : status;
    status = status == rsl_ok ? rslScene_FromTree(&tree, hooks, &scene, NULL) : status;
    rslTree_Free(&tree);
    if (status == rsl_ok)
    {
        status = rslScene_GiveMesh(&scene, &scene.bodies[0].shape->parts[0], vertices, 2000, triangles, 2000);
        status = status == rsl_ok ? rslScene_Validate(&scene, NULL) : status;
    }
    rslScene_Free(&scene);
    return status;
}

// Whichever allocation fails, the answer is rsl_outOfMemory and nothing is left behind.
static void TestOutOfMemory(void** state)
{
    (void)state;
    for (int n = 0;; ++n)
    {
        Ration ration = { .left = n };
        rslHooks hooks = { .allocate = Allocate, .release = Release, .user = &ration };
        rslStatus status = Everything(&hooks);
        assert_int_equal(ration.alive, 0);
        if (status == rsl_ok)
        {
            assert_true(n > 10);
            return;
        }
        assert_int_equal(status, rsl_outOfMemory);
        assert_true(n < 10000);
    }
}

// ---- schema and reference ---------------------------------------------------------------------------------------

static const char* SkipSpace(const char* s)
{
    return s + strspn(s, " \n\r\t");
}

// One JSON value; where it ends, or NULL.
static const char* JsonEnd(const char* s, int depth)
{
    s = SkipSpace(s);
    if (*s == '"')
    {
        for (++s; *s != '"'; s += *s == '\\' ? 2 : 1)
        {
            if ((unsigned char)*s < 0x20)
            {
                return NULL;
            }
        }
        return s + 1;
    }
    if (*s != '{' && *s != '[')
    {
        char* end;
        bool word = strncmp(s, "true", 4) == 0 || strncmp(s, "null", 4) == 0;
        (void)strtod(s, &end);
        return word ? s + 4 : strncmp(s, "false", 5) == 0 ? s + 5 : end > s ? end : NULL;
    }
    bool object = *s == '{';
    char close = object ? '}' : ']';
    s = SkipSpace(s + 1);
    while (*s != close)
    {
        if (object)
        {
            s = *s == '"' ? JsonEnd(s, depth + 1) : NULL;
            s = s != NULL ? SkipSpace(s) : NULL;
            s = s != NULL && *s == ':' ? s + 1 : NULL;
        }
        s = s != NULL && depth < 50 ? JsonEnd(s, depth + 1) : NULL;
        s = s != NULL ? SkipSpace(s) : NULL;
        if (s == NULL || (*s != ',' && *s != close))
        {
            return NULL;
        }
        if (*s == ',')
        {
            s = SkipSpace(s + 1);
            if (*s == close)
            {
                return NULL;
            }
        }
    }
    return s + 1;
}

static char* Generated(size_t (*generate)(char*, size_t))
{
    size_t length = generate(NULL, 0);
    char* text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(generate(text, length + 1), length);
    return text;
}

static void TestSchema(void** state)
{
    (void)state;
    char* text = Generated(rslSchema_Json);
    const char* end = JsonEnd(text, 0);
    assert_non_null(end);
    assert_int_equal(*SkipSpace(end), 0);
    for (int i = 0; rslSchema_Struct(i) != NULL; ++i)
    {
        const rslStruct* def = rslSchema_Struct(i);
        assert_true(def->keyCount <= 64);
        for (int k = 0; k < def->keyCount; ++k)
        {
            const rslKey* key = &def->keys[k];
            char quoted[64];
            snprintf(quoted, sizeof quoted, "\"%s\"", key->name);
            assert_non_null(strstr(text, quoted));
            assert_true(key->text != NULL && key->text[strlen(key->text) - 1] == '.');
            assert_ptr_equal(rslStruct_FindKey(def, key->name), key);
        }
    }
    free(text);
}

static void CheckDocument(const char* name, size_t (*generate)(char*, size_t), const char* option, bool whole)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/docs/%s", Root(), name);
    size_t length = 0;
    char* document = ReadFileText(path, &length);
    assert_non_null(document);
    char* text = Generated(generate);
    size_t size = strlen(text);
    bool current = length >= size && strcmp(document + length - size, text) == 0 && (!whole || length == size);
    free(document);
    free(text);
    if (!current)
    {
        fail_msg("docs/%s is not up to date: its generated part is what `resilin schema%s` prints", name, option);
    }
}

static void TestDocuments(void** state)
{
    (void)state;
    CheckDocument("scene.schema.json", rslSchema_Json, "", true);
    CheckDocument("scene.md", rslSchema_Markdown, " --markdown", false);
}

// Every scene that comes with the library is read without a word; each says what to expect.
static void TestShipped(void** state)
{
    (void)state;
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%s/scenes", Root());
    DIR* directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    for (struct dirent* entry = readdir(directory); entry != NULL; entry = readdir(directory))
    {
        const char* end = strrchr(entry->d_name, '.');
        if (end == NULL || strcmp(end, ".yaml") != 0)
        {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        rslStatus status = ReadPath(path);
        bool silent = status == rsl_ok && said.count == 0;
        size_t length = 0;
        char* text = ReadFileText(path, &length);
        bool commented = text != NULL && text[0] == '#';
        free(text);
        if (!silent || !commented)
        {
            PrintReport(&said);
            fail_msg("%s: %s", path, silent ? "does not say what to expect" : "is not read without a word");
        }
        count += 1;
    }
    closedir(directory);
    assert_true(count > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestFiles),      cmocka_unit_test(TestMeshFile),    cmocka_unit_test(TestSet),
        cmocka_unit_test(TestSetRefused), cmocka_unit_test(TestSetOnlyBody), cmocka_unit_test(TestOutOfMemory),
        cmocka_unit_test(TestSchema),     cmocka_unit_test(TestDocuments),   cmocka_unit_test(TestShipped),
    };
    return cmocka_run_group_tests_name("scene_file", tests, NULL, NULL);
}
