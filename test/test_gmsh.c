// SPDX-License-Identifier: MIT
//
// Shapes filled by Gmsh, where it is built in; where it is not, the way out is named.

#include "resilin/io.h"
#include "support.h"
#include "tension.h"

// A scene file with one body; what reading it says.
static rslStatus Read(const char* shape, const char* more, rslScene* scene, rslReport* report)
{
    char path[1200];
    const char* scratch = getenv("RSL_SCRATCH");
    snprintf(path, sizeof path, "%s/gmsh.yaml", scratch != NULL ? scratch : ".");
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "bodies:\n  - name: t\n    shape: %s\n    network: {type: tetrahedra, mesher: gmsh%s}\n"
            "    material: {young: 1e5, poisson: 0.25, density: 1000}\n",
            shape, more);
    fclose(file);
    rslStatus status = rslScene_Read(path, NULL, 0, NULL, scene, report);
    remove(path);
    return status;
}

// True, and the message checked, when Gmsh is not built in.
static bool IsLeftOut(void)
{
    rslScene scene;
    rslReport report = { 0 };
    rslStatus status = Read("{type: box, size: [1, 1, 1]}", ", spacing: 0.5", &scene, &report);
    if (status == rsl_ok)
    {
        rslScene_Free(&scene);
        return false;
    }
    assert_int_equal(status, rsl_unsupported);
    assert_true(HasMessage(&report, rsl_error, (rslPlace){ 4, 14 }, "'mesher: delaunay' is always there"));
    return true;
}

// Volume within 5 % of the shape: the cavity is not filled.
static void Shapes(void** state)
{
    (void)state;
    static const char* const shapes[] = {
        "{type: box, size: [1, 1, 1]}",
        "{type: cylinder, radius: 0.5, height: 1}",
        "{type: difference, parts: [{type: sphere, radius: 1}, {type: sphere, radius: 0.5}]}",
    };
    if (IsLeftOut())
    {
        skip();
    }
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i)
    {
        rslScene scene;
        rslReport report = { 0 }, built = { 0 };
        assert_int_equal(Read(shapes[i], ", spacing: 0.2", &scene, &report), rsl_ok);
        rslModel* model = Built(&scene, &built);
        assert_int_equal(built.warnings, 0);
        assert_true(model->bodies[0].network.tetrahedronCount > 100);
        rslModel_Free(model);
        rslScene_Free(&scene);
    }
}

static void Moduli(void** state)
{
    (void)state;
    static const char* const rules[] = { "lloyd", "kot", "equal" };
    static const double wanted[] = { 0.99, 1.03, 0.93 };
    if (IsLeftOut())
    {
        skip();
    }
    for (int rule = 0; rule < 3; ++rule)
    {
        char more[80];
        snprintf(more, sizeof more, ", spacing: 0.1, tetrahedron_rule: %s", rules[rule]);
        rslScene scene;
        assert_int_equal(Read("{type: box, size: [1, 1, 1]}", more, &scene, NULL), rsl_ok);
        rslTensionDef def = rslDefaultTensionDef();
        rslTension tension;
        assert_int_equal(rslTension_Pull(&scene, 0, &def, NULL, &tension, NULL), rsl_ok);
        print_message("%s: E %.4f, nu %.4f\n", rules[rule], tension.young / 1e5, tension.poisson);
        assert_close(tension.young / 1e5, wanted[rule], 0.05);
        assert_close(tension.poisson, 0.24, 0.03);
        rslScene_Free(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(Shapes), cmocka_unit_test(Moduli) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
