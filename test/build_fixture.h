// SPDX-License-Identifier: MIT
//
// build_fixture.h: small scenes made in code, and an allocator that fails on demand.

#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "resilin/resilin.h"
#include "build.h"
#include "elementary.h"
#include "lattice.h"
#include "vec.h"
#include "sanitized.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline bool Near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance;
}

static inline rslShapeDef BoxShape(double x, double y, double z)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_boxShape;
    shape.size = (rslVec3){ x, y, z };
    return shape;
}

static inline rslShapeDef BallShape(double radius)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_sphereShape;
    shape.radius = radius;
    return shape;
}

// The lists must outlive it.
static inline rslShapeDef MeshShape(const double* vertices, int vertexCount, const int* triangles, int triangleCount)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_meshShape;
    shape.vertices = vertices;
    shape.vertexCount = vertexCount;
    shape.triangles = triangles;
    shape.triangleCount = triangleCount;
    return shape;
}

// In [-1, 1].
static inline double RandomNumber(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 33) / 1073741824.0 - 1.0;
}

// A lattice body of springs with E = 1e5, nu = 1/4, rho = 1000. The name and the shape must outlive it.
static inline rslBodyDef LatticeBody(const char* name, const rslShapeDef* shape, double spacing)
{
    rslBodyDef body = rslDefaultBodyDef();
    body.name = name;
    body.shape = shape;
    body.place = (rslPlace){ 10, 1 };
    body.model.type = rsl_springModel;
    body.network.type = rsl_latticeNetwork;
    body.network.place = (rslPlace){ 11, 3 };
    body.network.spacing = spacing;
    body.material.young = 1e5;
    body.material.poisson = 0.25;
    body.material.density = 1000.0;
    return body;
}

static inline rslBodyDef RigidBody(const char* name, const rslShapeDef* shape, double spacing)
{
    rslBodyDef body = LatticeBody(name, shape, spacing);
    body.model.type = rsl_rigidModel;
    return body;
}

static inline rslBodyDef GridBody(const char* name, double x, double y, int nx, int ny)
{
    rslBodyDef body = rslDefaultBodyDef();
    body.name = name;
    body.model.type = rsl_springModel;
    body.network.type = rsl_sheetNetwork;
    body.network.place = (rslPlace){ 21, 3 };
    body.network.size[0] = x;
    body.network.size[1] = y;
    body.network.cells[0] = nx;
    body.network.cells[1] = ny;
    body.network.thickness = 0.01;
    body.material.young = 1e5;
    body.material.poisson = 1.0 / 3.0;
    body.material.density = 1000.0;
    return body;
}

static inline rslScene SceneOf(const rslBodyDef* bodies, int count)
{
    rslScene scene = rslDefaultScene();
    scene.bodies = bodies;
    scene.bodyCount = count;
    return scene;
}

static inline void PrintReport(const rslReport* report)
{
    char text[1200];
    for (int i = 0; i < report->count; ++i)
    {
        rslReport_Format(report, i, text, sizeof text);
        print_message("%s\n", text);
    }
}

static inline rslModel* Built(const rslScene* scene, rslReport* report)
{
    rslModel* model = NULL;
    rslReport own = { 0 };
    report = report ? report : &own;
    rslStatus status = rslModel_Build(scene, NULL, &model, report);
    if (status != rsl_ok)
    {
        PrintReport(report);
    }
    assert_int_equal(status, rsl_ok);
    assert_non_null(model);
    return model;
}

// The fingerprint of a scene is none of those seen; it is added to them.
static inline void CheckNewFingerprint(const rslScene* scene, uint64_t* seen, int count)
{
    rslModel* model = Built(scene, NULL);
    seen[count] = model->fingerprint;
    for (int other = 0; other < count; ++other)
    {
        assert_true(seen[other] != seen[count]);
    }
    rslModel_Free(model);
}

static inline bool HasMessage(const rslReport* report, rslSeverity severity, rslPlace place, const char* part)
{
    for (int i = 0; i < report->count; ++i)
    {
        const rslMessage* message = &report->messages[i];
        bool here = place.line == message->place.line && place.column == message->place.column;
        if (message->severity == severity && here && strstr(message->text, part) != NULL)
        {
            return true;
        }
    }
    return false;
}

// The scene is refused with a message that holds the part, at the place.
static inline void Refused(const rslScene* scene, rslPlace place, const char* part)
{
    rslModel* model = NULL;
    rslReport report = { 0 };
    assert_int_equal(rslModel_Build(scene, NULL, &model, &report), rsl_badInput);
    assert_null(model);
    if (!HasMessage(&report, rsl_error, place, part))
    {
        print_message("expected at %d:%d: %s\n", place.line, place.column, part);
        PrintReport(&report);
        fail();
    }
}

static inline rslVec3 WorldOf(const rslModel* model, int node)
{
    double x[3];
    rslBody_WorldRest(&model->bodies[rslModel_BodyOf(model, node)], node, node + 1, x);
    return (rslVec3){ x[0], x[1], x[2] };
}

static inline double TotalMass(const rslModel* model, int body)
{
    double total = 0.0;
    for (int i = 0; i < model->bodies[body].nodeCount; ++i)
    {
        total += model->mass[model->bodies[body].firstNode + i];
    }
    return total;
}

// ---- an allocator that counts, and fails at one call ----------------------------------------------------------------

typedef struct Heap
{
    int calls, failAt;  // failAt 0: never
    int live;
    size_t liveBytes;
} Heap;

static inline void* HeapAllocate(size_t bytes, void* user)
{
    Heap* heap = user;
    if (++heap->calls == heap->failAt)
    {
        return NULL;
    }
    size_t* memory = malloc(bytes + 16);
    memory[0] = bytes;
    heap->liveBytes += bytes;
    ++heap->live;
    return memory + 2;
}

static inline void HeapRelease(void* memory, void* user)
{
    Heap* heap = user;
    if (memory != NULL)
    {
        --heap->live;
        heap->liveBytes -= ((size_t*)memory)[-2];
        free((size_t*)memory - 2);
    }
}

static inline rslHooks HeapHooks(Heap* heap)
{
    return (rslHooks){ .allocate = HeapAllocate, .release = HeapRelease, .user = heap };
}

// The bulk modulus of a network by Kot's eq. 2.23: 1/(9 V) sum k L^2.
static inline double SumRule(const rslBody* body)
{
    double sum = 0.0;
    for (int i = 0; i < body->network.springCount; ++i)
    {
        const rslSpring* s = &body->network.springs[i];
        sum += s->stiffness * s->restLength * s->restLength;
    }
    return sum / (9.0 * body->volume);
}

// Build a scene with every allocation failing in turn: nothing is left behind. It takes more than so many of them.
static inline void BuildWithoutMemory(const rslScene* scene, int least)
{
    for (int failAt = 1;; ++failAt)
    {
        Heap heap = { .failAt = failAt };
        rslHooks hooks = HeapHooks(&heap);
        rslModel* model = NULL;
        rslStatus status = rslModel_Build(scene, &hooks, &model, NULL);
        rslModel_Free(model);
        assert_int_equal(heap.live, 0);
        if (heap.calls < failAt)
        {
            assert_int_equal(status, rsl_ok);
            assert_true(failAt > least);
            return;
        }
        assert_int_equal(status, rsl_outOfMemory);
        assert_null(model);
    }
}
