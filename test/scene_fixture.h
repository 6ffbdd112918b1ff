// SPDX-License-Identifier: MIT
//
// scene_fixture.h: scenes from texts, texts from scenes, and what was said about them.

#pragma once

#include "resilin/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene_schema.h"

static inline const char* Root(void)
{
    const char* root = getenv("RSL_ROOT");
    return root != NULL ? root : ".";
}

static inline void PrintReport(const rslReport* report)
{
    char line[2 * RSL_MESSAGE_CAPACITY];
    for (int i = 0; i < report->count; ++i)
    {
        rslReport_Format(report, i, line, sizeof line);
        print_error("%s\n", line);
    }
}

static inline rslStatus ReadYaml(const char* text, const rslHooks* hooks, rslScene* scene, rslReport* report)
{
    rslTree tree;
    *scene = rslDefaultScene();
    rslStatus status = rslYaml_Parse(text, strlen(text), hooks, &tree, report);
    if (status == rsl_ok)
    {
        status = rslScene_FromTree(&tree, hooks, scene, report);
    }
    rslTree_Free(&tree);
    return status;
}

// A scene that must be good. Free with rslScene_Free.
static inline rslScene GoodScene(const char* text)
{
    static rslReport report;
    report = (rslReport){ 0 };
    rslScene scene;
    rslStatus status = ReadYaml(text, NULL, &scene, &report);
    PrintReport(&report);
    assert_int_equal(status, rsl_ok);
    assert_int_equal(rslScene_Validate(&scene, &report), rsl_ok);
    return scene;
}

// The scene as a text of malloc.
static inline char* WriteText(const rslScene* scene)
{
    size_t length = rslScene_Write(scene, NULL, 0);
    char* text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(rslScene_Write(scene, text, length + 1), length);
    assert_int_equal(strlen(text), length);
    return text;
}

// Write, read and compare bit for bit; the second text must be the first.
static inline void CheckRoundTrip(const rslScene* scene)
{
    char* text = WriteText(scene);
    rslScene again = GoodScene(text);
    if (!rslStruct_Equal(rslSchema_Scene(), scene, &again))
    {
        print_error("%s\n", text);
        fail_msg("the scene changed on its way");
    }
    char* second = WriteText(&again);
    assert_string_equal(text, second);
    rslScene_Free(&again);
    free(second);
    free(text);
}

// The whole file as a text of malloc; NULL when there is none.
static inline char* ReadFileText(const char* path, size_t* length)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char* text = malloc((size_t)size + 1);
    assert_non_null(text);
    *length = fread(text, 1, (size_t)size, file);
    text[*length] = 0;
    fclose(file);
    return text;
}

// Every kind of thing that a scene can hold.
static const char richScene[] =
    "title: \"Everything: \\\"quotes\\\", # signs and caf\\u00e9\"\n"
    "gravity: [0.1, -0.30000000000000004, -9.80665]\n"
    "seed: 18446744073709551615\n"
    "ground: {point: [0, 0, -1], normal: [0.1, 0, 1], stiffness: 1234.5}\n"
    "time: {duration: 0.25, step: 1e-5, fraction: 0.9, integrator: velocity_verlet, precision: single, threads: 3}\n"
    "output:\n"
    "  frames: 59.94\n"
    "  formats: [glb, vtu]\n"
    "  samples: 1000\n"
    "  energy: false\n"
    "  checkpoint: 0.125\n"
    "  probes:\n"
    "    - {name: tip, nodes: {body: solid, type: nearest, point: [1, 2, 3], count: 4}}\n"
    "    - {name: all_of_it, nodes: all}\n"
    "bodies:\n"
    "  - name: solid\n"
    "    shape:\n"
    "      type: difference\n"
    "      scale: 1.5\n"
    "      rotate: {axis: [1, 1, 0], angle: 33.3}\n"
    "      translate: [0, 0, 1e-3]\n"
    "      parts:\n"
    "        - {type: box, size: [1, 2, 3]}\n"
    "        - type: union\n"
    "          parts:\n"
    "            - {type: sphere, radius: 0.25}\n"
    "            - {type: ellipsoid, radii: [0.1, 0.2, 0.3], rotate: 45}\n"
    "            - {type: cylinder, radius: 0.1, height: 2}\n"
    "            - {type: capsule, radius: 0.1, height: 2}\n"
    "            - {type: torus, radius: 0.5, tube_radius: 0.1}\n"
    "            - {type: rabbit, height: 0.2}\n"
    "            - type: intersection\n"
    "              parts:\n"
    "                - type: mesh\n"
    "                  vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]\n"
    "                  triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]\n"
    "                  repair: repair\n"
    "    network: {type: lattice, construction: centred, shells: AC, law: cooper, spacing: 0.05, orientation: {axis: "
    "[1, 0, 0], angle: 45}}\n"
    "    material: {name: rubber, young: 3e6, mass_damping: 0.5}\n"
    "    regions:\n"
    "      - shape: {type: sphere, radius: 0.2, translate: [0, 0.1, 0]}\n"
    "        material: {name: steel, density: 7000}\n"
    "      - shape: {type: box, size: [1, 1, 0.1]}\n"
    "        material: {young: 1e4, poisson: 0.25, density: 900, stiffness_damping: 1e-3}\n"
    "    surface: {resolution: 0.02}\n"
    "    velocity: [1, 2, 3]\n"
    "    spin: [0, 0, 360]\n"
    "  - name: cloth\n"
    "    network: {type: sheet, size: [1, 2], cells: [10, 0], spacing: 0.1, thickness: 1e-3, pattern: alternating, "
    "rotate: 90, translate: [0, 0, 3]}\n"
    "    material: {young: 1e6, poisson: -0.25, density: 1234.5678901234567, stiffness_damping: 1e-4}\n"
    "    surface: false\n"
    "  - name: net\n"
    "    network:\n"
    "      type: explicit\n"
    "      nodes: [[0, 0, 0], [0.1, 0, 0], [0.2, 0, -0]]\n"
    "      masses: [0.1, 0.2, 0.3]\n"
    "      springs: [[0, 1], [2, 1]]\n"
    "      stiffness: [10, 20]\n"
    "      damping: 0.5\n"
    "      rest_lengths: [0.1, 0.125]\n"
    "loads:\n"
    "  - {type: force, nodes: {body: net, type: list, indices: [0, 2]}, force: [0, 0, 1], each: true}\n"
    "  - {type: force, nodes: all, force: [0, 0, 0], course: {type: pulse, start: 0.1, duration: 0.2, smooth: true}}\n"
    "  - {type: pressure, body: solid, pressure: -100, course: {type: ramp, start: -1, duration: 2}}\n"
    "  - {type: acceleration, nodes: {body: cloth, type: box, min: [-1, -1, -1], max: [1, 1, 5]}, "
    "acceleration: [1, 0, 0], course: {type: sine, frequency: 2, phase: 90, start: 0.5}}\n"
    "constraints:\n"
    "  - {type: pin, nodes: {type: plane, point: [0, 0, 1], normal: [0, 0, 1]}, axes: [x, z]}\n"
    "  - {type: motion, nodes: {body: net}, translate: [0, 0, 1], rotate: 90, centre: [1, 0, 0], "
    "course: {type: table, points: [[0, 0], [1, 2.5], [2, -1]]}}\n"
    "  - {type: motion, nodes: {type: sphere, point: [0, 0, 0], radius: 0.1}, path: [[0, 0, 0, 0], [1, 0, 0, 0.5]]}\n"
    "links:\n"
    "  - {type: spring, from: {body: net}, to: {body: cloth}, stiffness: 10, damping: 0.1, rest_length: 0, reach: "
    "0.5}\n"
    "  - {type: tie, from: {body: cloth}, to: {body: solid}, stiffness: auto}\n"
    "drives:\n"
    "  - {nodes: {body: solid}, strain: -0.2, direction: [1, 0, 0], spread: 45, course: constant}\n";
