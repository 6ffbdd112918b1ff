// SPDX-License-Identifier: MIT
//
// pulled.c: the drawn surface of a body pulled out of shape.

#include "pulled.h"

#include <math.h>
#include <stdlib.h>

// The same vertices at all levels: those near the middle of the force at the start.
static double MeanShift(const cliPulled* p, const rslNodeSetDef* middle)
{
    double count = 0, mean[3] = { 0 };
    for (int v = 0; v < p->vertices; ++v)
    {
        const double* now = p->surface + 3 * v;
        const double* shift = p->shift + 3 * v;
        double x = now[0] - shift[0] - middle->point.x, y = now[1] - shift[1] - middle->point.y,
               z = now[2] - shift[2] - middle->point.z;
        bool near = x * x + y * y + z * z < 4 * middle->radius * middle->radius;
        count += near ? 1 : 0;
        for (int axis = 0; axis < 3; ++axis)
        {
            mean[axis] += near ? shift[axis] : 0;
        }
    }
    return sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]) / count;
}

bool cliPulled_Take(const cliLoaded* loaded, cliPulled* p)
{
    const rslModel* model = loaded->model;
    int numbers = 3 * model->bodies[0].surface.vertexCount;
    rslState* start = NULL;
    p->nodes = model->nodeCount;
    p->vertices = model->bodies[0].surface.vertexCount;
    p->surface = malloc((size_t)numbers * sizeof(double));
    p->shift = malloc((size_t)numbers * sizeof(double));
    bool good = p->surface != NULL && p->shift != NULL &&
                rslState_Create(model, loaded->state->precision, NULL, &start) == rsl_ok;
    if (good)
    {
        rslState_Surface(model, start, 0, p->shift);
        rslState_Surface(model, loaded->state, 0, p->surface);
        for (int i = 0; i < numbers; ++i)
        {
            p->shift[i] = p->surface[i] - p->shift[i];
        }
        p->shifted = MeanShift(p, &loaded->scene.loads[0].nodes);
    }
    rslState_Free(start);
    return good;
}

void cliPulled_Free(cliPulled* p)
{
    free(p->surface);
    free(p->shift);
}

double cliPulled_Distance(const cliPulled* p, const cliPulled* reference)
{
    double sum = 0, most = 0;
    if (p->vertices != reference->vertices)
    {
        return NAN;
    }
    for (int v = 0; v < p->vertices; ++v)
    {
        double between = 0, shift = 0;
        for (int i = 3 * v; i < 3 * v + 3; ++i)
        {
            double d = p->surface[i] - reference->surface[i];
            between += d * d;
            shift += reference->shift[i] * reference->shift[i];
        }
        sum += between;
        most = fmax(most, shift);
    }
    return sqrt(sum / p->vertices / most);
}
