// SPDX-License-Identifier: MIT
//
// element_data.c: the finite elements of a scene as plain text, for another program to compute: calculix_test.py.
//
//   n x y z mass held fx fy fz           a node at the start, axes that pins hold (bit 0: x), loads with their course at 1
//   b corners incompatible E nu h        elements of a body follow: h of triangles
//   e weight node...                     one, its stiffness over that of the material

#include "resilin/io.h"
#include "resilin/resilin.h"

#include <stdio.h>
#include <stdlib.h>

static void AddLoads(const rslModel* model, double* force)
{
    for (int l = 0; l < model->loadCount; ++l)
    {
        const rslLoad* load = &model->loads[l];
        for (int i = 0; i < load->nodeCount; ++i)
        {
            int node = load->nodes[i];
            double factor = load->type == rsl_accelerationLoad ? model->mass[node] : 1.0;
            force[3 * node] += factor * load->value.x;
            force[3 * node + 1] += factor * load->value.y;
            force[3 * node + 2] += factor * load->value.z;
        }
    }
}

static void AddHeld(const rslModel* model, int* held)
{
    for (int c = 0; c < model->constraintCount; ++c)
    {
        const rslConstraint* constraint = &model->constraints[c];
        for (int i = 0; i < 3 * constraint->nodeCount; ++i)
        {
            held[constraint->nodes[i / 3]] |= constraint->axes[i % 3] ? 1 << i % 3 : 0;
        }
    }
}

static void PrintNodes(const rslModel* model, const double* x, const double* force, const int* held)
{
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double m = model->mass[i], g[3] = { model->gravity.x, model->gravity.y, model->gravity.z };
        printf("n %.17g %.17g %.17g %.17g %d", x[3 * i], x[3 * i + 1], x[3 * i + 2], m, held[i]);
        for (int axis = 0; axis < 3; ++axis)
        {
            printf(" %.17g", force[3 * i + axis] + m * g[axis]);
        }
        printf("\n");
    }
}

static void PrintElements(const rslElements* set, int corners)
{
    printf("b %d %d %.17g %.17g %.17g\n", corners, set->incompatible, set->young, set->poisson, set->thickness);
    for (int e = 0; e < set->count; ++e)
    {
        printf("e %.17g", set->weight[e]);
        for (int c = 0; c < corners; ++c)
        {
            printf(" %d", set->nodes[corners * e + c]);
        }
        printf("\n");
    }
}

static int Fail(const rslReport* report)
{
    for (int i = 0; i < report->count; ++i)
    {
        char text[1024];
        rslReport_Format(report, i, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    return 1;
}

int main(int argc, char** argv)
{
    static const int corners[rsl_elementKindCount] = {
        [rsl_triangleElements] = 3, [rsl_tetrahedronElements] = 4, [rsl_hexahedronElements] = 8, [rsl_solidElements] = 8
    };
    static rslReport report;
    rslScene scene;
    rslModel* model = NULL;
    rslState* state = NULL;
    if (argc != 2)
    {
        fprintf(stderr, "usage: element_data SCENE\n");
        return 2;
    }
    if (rslScene_Read(argv[1], NULL, 0, NULL, &scene, &report) != rsl_ok ||
        rslModel_Build(&scene, NULL, &model, &report) != rsl_ok ||
        rslState_Create(model, rsl_double, NULL, &state) != rsl_ok)
    {
        return Fail(&report);
    }
    size_t count = (size_t)model->nodeCount;
    double *x = calloc(3 * count, sizeof(double)), *force = calloc(3 * count, sizeof(double));
    int* held = calloc(count, sizeof(int));
    rslState_Positions(model, state, 0, model->nodeCount, x);
    AddLoads(model, force);
    AddHeld(model, held);
    PrintNodes(model, x, force, held);
    int status = 0;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslElements* set = &model->bodies[b].elements;
        if (set->count == 0 || corners[set->kind] == 0)
        {
            fprintf(stderr, "body '%s' has no finite elements\n", model->bodies[b].name);
            status = 1;
            continue;
        }
        PrintElements(set, corners[set->kind]);
    }
    free(held);
    free(force);
    free(x);
    rslState_Free(state);
    rslModel_Free(model);
    rslScene_Free(&scene);
    return status;
}
