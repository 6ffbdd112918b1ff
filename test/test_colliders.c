// SPDX-License-Identifier: MIT
//
// test_colliders.c: colliders of a scene in its model: pairs with figures of their own, shapes, what they push.

#include "support.h"

#include "resilin/io.h"

static const char twoBoxes[] = "bodies:\n"
                               "  - name: box\n"
                               "    shape: {type: box, size: [1, 1, 1], translate: [0, 0, 0.5]}\n"
                               "    network: {spacing: 0.5}\n"
                               "    material: rubber\n"
                               "  - name: lid\n"
                               "    shape: {type: box, size: [1, 1, 1], translate: [0, 0, 2]}\n"
                               "    network: {spacing: 0.5}\n"
                               "    material: rubber\n";

static rslStatus Read(const char* text, rslScene* scene, rslReport* report)
{
    rslTree tree;
    *scene = rslDefaultScene();
    rslStatus status = rslYaml_Parse(text, strlen(text), NULL, &tree, report);
    status = status == rsl_ok ? rslScene_FromTree(&tree, NULL, scene, report) : status;
    rslTree_Free(&tree);
    return status;
}

static rslModel* Build(const char* head, const char* rest, rslReport* report)
{
    char text[4000];
    rslScene scene;
    rslModel* model = NULL;
    *report = (rslReport){ 0 };
    snprintf(text, sizeof text, "%s%s", head, rest);
    if (Read(text, &scene, report) == rsl_ok)
    {
        (void)rslModel_Build(&scene, NULL, &model, report);
    }
    rslScene_Free(&scene);
    return model;
}

static rslModel* Expect(const char* head, const char* rest)
{
    rslReport report;
    rslModel* model = Build(head, rest, &report);
    if (model == NULL)
    {
        fail_msg("%s", report.messages[0].text);
    }
    return model;
}

static void test_pairs(void** state)
{
    (void)state;
    rslModel* model =
        Expect(twoBoxes, "ground: {friction: 0.2, restitution: 0.7}\n"
                         "contact: {scheme: predictive, friction: 0.4, restitution: 0.9}\n"
                         "contacts: [{a: lid, b: ground, friction: 0.6}, {a: lid, b: lid, restitution: 0}]\n");
    rslContactPair a = rslModel_PairOf(model, 0, 2), b = rslModel_PairOf(model, 1, 2);
    assert_true(a.touches && a.friction == 0.2 && a.restitution == 0.7 && isnan(a.thickness));
    assert_true(b.touches && b.friction == 0.6 && b.restitution == 0.7);
    rslContactPair self = rslModel_PairOf(model, 1, 1), other = rslModel_PairOf(model, 0, 0);
    assert_true(self.touches && self.friction == 0.4 && self.restitution == 0.0 && !other.touches);
    assert_true(!rslModel_PairOf(model, 0, 1).touches && model->contactCount == 0 && model->pairCount == 2);
    uint64_t before = model->fingerprint;
    rslModel_Free(model);
    model =
        Expect(twoBoxes,
               "contact: {bodies: all, friction: 0.4}\ncontacts: [{a: lid, b: box, friction: 0.1, thickness: 0.01}]\n");
    rslContactPair there = rslModel_PairOf(model, 1, 0), back = rslModel_PairOf(model, 0, 1);
    assert_true(there.touches && there.friction == 0.1 && there.thickness == 0.01 && back.friction == 0.1);
    assert_true(model->fingerprint != before);
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
