// SPDX-License-Identifier: MIT
//
// collide_fixture.h: bodies as they are at the start, moved by hand, and what is found to touch.

#pragma once

#include "collide.h"
#include "collide_internal.h"
#include "collide_pair.h"
#include "support.h"

// Bodies as they are at the start, and what is found.
typedef struct Fixture
{
    rslModel* model;
    rslTeam* team;
    rslCollide* collide;
    rslCollisions found;
    double *x, *v, *a;
    rslLook look;
} Fixture;

static inline void Start(Fixture* fixture, const rslScene* scene)
{
    *fixture = (Fixture){ .model = Built(scene, NULL) };
    size_t nodes = (size_t)fixture->model->contactNodeCount;
    fixture->team = rslTeam_Create(NULL, 1, NULL, NULL);
    fixture->collide = rslCollide_Create(fixture->model, NULL, fixture->team);
    assert_non_null(fixture->collide);
    fixture->x = calloc(3 * nodes, sizeof(double));
    fixture->v = calloc(3 * nodes, sizeof(double));
    fixture->a = calloc(3 * nodes, sizeof(double));
    for (size_t n = 0; n < nodes; ++n)
    {
        int node = fixture->model->contactNodes[n];
        const rslBody* body = &fixture->model->bodies[rslModel_BodyOf(fixture->model, node)];
        rslBody_WorldRest(body, node, node + 1, fixture->x + 3 * n);
    }
    fixture->found.hooks = fixture->model->hooks;
    fixture->look = (rslLook){ .x = fixture->x, .v = fixture->v, .a = fixture->a, .step = 1e-3 };
}

static inline void Stop(Fixture* fixture)
{
    rslCollisions_Free(&fixture->found);
    rslCollide_Free(fixture->collide);
    rslTeam_Free(fixture->team);
    rslModel_Free(fixture->model);
    free(fixture->x);
    free(fixture->v);
    free(fixture->a);
}

static inline int BodyOf(const Fixture* fixture, size_t contactNode)
{
    return rslModel_BodyOf(fixture->model, fixture->model->contactNodes[contactNode]);
}

static inline void Move(Fixture* fixture, int body, rslVec3 by)
{
    for (size_t n = 0; n < (size_t)fixture->model->contactNodeCount; ++n)
    {
        double* x = fixture->x + 3 * n;
        if (BodyOf(fixture, n) == body)
        {
            x[0] += by.x;
            x[1] += by.y;
            x[2] += by.z;
        }
    }
}

static inline void SetVelocity(Fixture* fixture, int body, rslVec3 v)
{
    for (size_t n = 0; n < (size_t)fixture->model->contactNodeCount; ++n)
    {
        if (BodyOf(fixture, n) == body)
        {
            memcpy(fixture->v + 3 * n, &v, sizeof v);
        }
    }
}

// Weights sum up to what they must, g is what nodes and weights say between skins, and keys ascend.
static inline void Find(Fixture* fixture)
{
    assert_int_equal(rslCollide_Find(fixture->collide, &fixture->look, &fixture->found), rsl_ok);
    const rslCollisions* found = &fixture->found;
    for (int i = 0; i < found->count; ++i)
    {
        const rslCollision* touch = &found->list[i];
        double sum = 0.0;
        rslVec3 apart = { 0 };
        for (int k = touch->begin; k < touch->begin + touch->count; ++k)
        {
            const double* x = fixture->x + 3 * (size_t)found->nodes[k];
            sum += found->weights[k];
            apart = rslMulAdd(apart, found->weights[k], (rslVec3){ x[0], x[1], x[2] });
        }
        bool collider = rslKey_IsCollider(touch->key);
        assert_close(sum, collider ? 1.0 : 0.0, 1e-12);
        assert_close(rslLength(touch->normal), 1.0, 1e-12);
        const rslSkin* own = &fixture->model->bodies[touch->key[0]].skin;
        const rslSkin* other = collider ? NULL : &fixture->model->bodies[rslKey_Other(touch->key)].skin;
        if (!collider && own->radius == NULL && other->radius == NULL)
        {
            assert_close(rslDot(touch->normal, apart) - own->thickness - other->thickness, touch->gap, 1e-9);
        }
        assert_true(i == 0 || rslKey_Compare(found->list[i - 1].key, touch->key) < 0);
    }
}

// Two boxes, the second above the first by a gap.
static rslShapeDef boxes[2];
static rslBodyDef bodies[2];

static inline rslScene TwoBoxes(double gap, double spacing)
{
    boxes[0] = BoxShape(0.4, 0.4, 0.2);
    boxes[1] = BoxShape(0.2, 0.2, 0.2);
    boxes[1].translate = (rslVec3){ 0.013, 0.017, 0.2 + gap };
    bodies[0] = LatticeBody("lower", &boxes[0], 0.1);
    bodies[1] = LatticeBody("upper", &boxes[1], spacing);
    rslScene scene = SceneOf(bodies, 2);
    scene.touch.pairs = rsl_allPairs;
    scene.touch.overlap = rsl_allowOverlap;
    return scene;
}
