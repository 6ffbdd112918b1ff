// SPDX-License-Identifier: MIT
//
// look.c: states as arrays to be drawn.

#include "look.h"

#include "resilin/export.h"
#include "resilin/lod.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char* webNumber_Name(int number)
{
    static const char* const names[web_numberCount] = {
        [web_time] = "time",
        [web_steps] = "steps",
        [web_step] = "step",
        [web_stableStep] = "stableStep",
        [web_nodeCount] = "nodes",
        [web_springCount] = "springs",
        [web_elementCount] = "elements",
        [web_kinetic] = "kinetic",
        [web_elastic] = "elastic",
        [web_gravity] = "gravity",
        [web_lost] = "lost",
        [web_total] = "total",
        [web_volumeError] = "volumeError",
        [web_contactForce] = "contactForce",
        [web_smallestElement] = "smallestElement",
        [web_fieldLow] = "fieldLow",
        [web_fieldHigh] = "fieldHigh",
    };
    return number >= 0 && number < web_numberCount ? names[number] : "";
}

// ---- making ---------------------------------------------------------------------------------------------------------

static size_t Larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static bool Allocate(webLook* look, const rslModel* model)
{
    webArrays* a = &look->arrays;
    const rslSnapshot* s = look->snapshot;
    size_t nodes = (size_t)s->nodeCount, vertices = (size_t)s->vertexCount;
    a->vertices = calloc(3 * vertices + 1, sizeof(float));
    a->normals = calloc(3 * vertices + 1, sizeof(float));
    a->values = calloc(vertices + 1, sizeof(float));
    a->nodes = calloc(3 * nodes + 1, sizeof(float));
    a->nodeValues = calloc(nodes + 1, sizeof(float));
    a->rest = calloc(3 * vertices + 1, sizeof(float));
    a->probes = calloc((size_t)a->probeCount + 1, sizeof(double));
    look->scratch = calloc(3 * Larger(nodes, vertices) + 1, sizeof(double));
    look->field = calloc(nodes + 1, sizeof(double));
    look->start = calloc(3 * nodes + 1, sizeof(double));
    look->tensors = calloc(nodes + 1, sizeof *look->tensors);
    look->cuts = calloc((size_t)model->bodyCount + 1, sizeof(rslTessellation*));
    look->cutTried = calloc((size_t)model->bodyCount + 1, sizeof(bool));
    return a->vertices && a->normals && a->values && a->nodes && a->nodeValues && a->rest && a->probes &&
           look->scratch && look->field && look->start && look->tensors && look->cuts && look->cutTried;
}

static void Include(rslBounds* bounds, const double* xyz, int count)
{
    for (int i = 0; i < count; ++i)
    {
        const double* p = xyz + 3 * i;
        bounds->lower =
            (rslVec3){ fmin(bounds->lower.x, p[0]), fmin(bounds->lower.y, p[1]), fmin(bounds->lower.z, p[2]) };
        bounds->upper =
            (rslVec3){ fmax(bounds->upper.x, p[0]), fmax(bounds->upper.y, p[1]), fmax(bounds->upper.z, p[2]) };
    }
}

static void Narrow(const webLook* look, const double* xyz, int count, float* to)
{
    for (int i = 0; i < count; ++i)
    {
        to[3 * i] = (float)(xyz[3 * i] - look->origin.x);
        to[3 * i + 1] = (float)(xyz[3 * i + 1] - look->origin.y);
        to[3 * i + 2] = (float)(xyz[3 * i + 2] - look->origin.z);
    }
}

// What bodies bump into, where it is now.
static rslStatus TakeSolids(const webStage* stage, rslMesh* mesh)
{
    return rslModel_Solids(stage->model, rslState_Time(stage->state), NULL, mesh);
}

static rslStatus MakeSolids(webLook* look, const rslMesh* mesh)
{
    webArrays* a = &look->arrays;
    size_t corners = 3 * (size_t)mesh->triangleCount;
    a->solidVertexCount = mesh->vertexCount;
    a->solidTriangleCount = mesh->triangleCount;
    a->solids = calloc(3 * (size_t)mesh->vertexCount + 1, sizeof(float));
    a->solidTriangles = calloc(corners + 1, sizeof(int));
    if (a->solids == NULL || a->solidTriangles == NULL)
    {
        return rsl_outOfMemory;
    }
    if (corners > 0)
    {
        memcpy(a->solidTriangles, mesh->triangles, corners * sizeof(int));
    }
    return rsl_ok;
}

static void MakeBounds(webLook* look, const rslMesh* solids)
{
    rslBounds b = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    Include(&b, look->start, look->arrays.nodeCount);
    rslBounds all = b;
    Include(&all, solids->vertices, solids->vertexCount);
    look->bounds = all;
    look->origin =
        (rslVec3){ 0.5 * (b.lower.x + b.upper.x), 0.5 * (b.lower.y + b.upper.y), 0.5 * (b.lower.z + b.upper.z) };
}

static void TakeVertices(webLook* look, const webStage* stage)
{
    int first = 0;
    for (int b = 0; b < stage->model->bodyCount; ++b)
    {
        int count = rslBody_Drawn(&stage->model->bodies[b])->vertexCount;
        rslState_Drawn(stage->model, stage->state, b, look->scratch);
        Narrow(look, look->scratch, count, look->arrays.vertices + 3 * first);
        first += count;
    }
}

rslStatus webLook_Make(webLook* look, const webStage* stage, rslReport* report)
{
    const rslModel* model = stage->model;
    *look = (webLook){ .bodyCount = model->bodyCount };
    webArrays* a = &look->arrays;
    a->probeCount = stage->probes != NULL ? rslProbes_ColumnCount(stage->probes) : 0;
    rslStatus status = rslSnapshot_Create(model, true, NULL, &look->snapshot);
    status = status == rsl_ok && !Allocate(look, model) ? rsl_outOfMemory : status;
    rslMesh solids = { 0 };
    status = status == rsl_ok ? TakeSolids(stage, &solids) : status;
    status = status == rsl_ok ? MakeSolids(look, &solids) : status;
    if (status != rsl_ok)
    {
        rslMesh_Free(&solids);
        webLook_Free(look);
        rslReport_Add(report, rsl_error, (rslPlace){ 0, 0 }, "not enough memory to draw this scene");
        return status;
    }
    const rslSnapshot* s = look->snapshot;
    a->triangles = s->triangles;
    a->vertexBody = s->vertexBody;
    a->springs = s->springs;
    a->numbers = look->numbers;
    a->vertexCount = s->vertexCount;
    a->triangleCount = s->triangleCount;
    a->nodeCount = s->nodeCount;
    a->springCount = (int)s->springCount;
    a->bodyCount = model->bodyCount;
    rslState_Positions(model, stage->state, 0, model->nodeCount, look->start);
    MakeBounds(look, &solids);
    Narrow(look, solids.vertices, solids.vertexCount, a->solids);
    rslMesh_Free(&solids);
    look->floor = rslModel_Floor(model, 0.0);
    a->floor = look->floor.enabled;
    TakeVertices(look, stage);
    memcpy(a->rest, a->vertices, 3 * (size_t)a->vertexCount * sizeof(float));
    return rsl_ok;
}

void webLook_Free(webLook* look)
{
    webArrays* a = &look->arrays;
    void* blocks[] = { a->vertices, a->normals,  a->values,    a->nodes,          a->nodeValues,
                       a->rest,     a->probes,   a->solids,    a->solidTriangles, look->scratch,
                       look->field, look->start, look->tensors };
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i)
    {
        free(blocks[i]);
    }
    for (int b = 0; look->cuts != NULL && b < look->bodyCount; ++b)
    {
        rslTessellation_Free(look->cuts[b]);
    }
    free(look->cuts);
    free(look->cutTried);
    rslSnapshot_Free(look->snapshot);
    *look = (webLook){ 0 };
}

// ---- fields ---------------------------------------------------------------------------------------------------------

static void TakeLengths(webLook* look, int count)
{
    for (int i = 0; i < count; ++i)
    {
        const double* v = look->scratch + 3 * i;
        look->field[i] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
}

static void TakeDisplacement(webLook* look, const webStage* stage)
{
    int count = stage->model->nodeCount;
    rslState_Positions(stage->model, stage->state, 0, count, look->scratch);
    for (int i = 0; i < 3 * count; ++i)
    {
        look->scratch[i] -= look->start[i];
    }
    TakeLengths(look, count);
}

static void TakeStress(webLook* look, const webStage* stage)
{
    bool known = rslSolver_NodeStress(stage->solver, stage->state, look->tensors) == rsl_ok;
    for (int i = 0; i < stage->model->nodeCount; ++i)
    {
        look->field[i] = known ? rslSymmetric_VonMises(look->tensors[i]) : 0.0;
    }
}

// With Poisson's ratio 1/2, E times this is the von Mises stress: 2/3 of its formula.
static void TakeStrain(webLook* look, const webStage* stage)
{
    const rslModel* model = stage->model;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        if (!look->cutTried[b])
        {
            (void)rslTessellation_Create(model, b, NULL, &look->cuts[b], NULL);
            look->cutTried[b] = true;
        }
        rslSymmetric* strain = look->tensors + body->firstNode;
        bool known = look->cuts[b] != NULL && rslTessellation_NodeStrain(look->cuts[b], stage->state, strain) == rsl_ok;
        for (int i = 0; i < body->nodeCount; ++i)
        {
            look->field[body->firstNode + i] = known ? 2.0 / 3.0 * rslSymmetric_VonMises(strain[i]) : 0.0;
        }
    }
}

static void TakeContact(webLook* look, const webStage* stage)
{
    bool known = rslState_TouchForces(stage->model, stage->state, look->scratch, NULL) == rsl_ok;
    TakeLengths(look, stage->model->nodeCount);
    for (int i = 0; !known && i < stage->model->nodeCount; ++i)
    {
        look->field[i] = 0.0;
    }
}

static void TakeField(webLook* look, const webStage* stage, webField field)
{
    int count = stage->model->nodeCount;
    switch (field)
    {
        case web_speed:
            rslState_Velocities(stage->model, stage->state, 0, count, look->scratch);
            TakeLengths(look, count);
            break;
        case web_displacement: TakeDisplacement(look, stage); break;
        case web_vonMises: TakeStress(look, stage); break;
        case web_strain: TakeStrain(look, stage); break;
        case web_contact: TakeContact(look, stage); break;
        default: memset(look->field, 0, (size_t)count * sizeof(double)); break;
    }
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; ++i)
    {
        look->arrays.nodeValues[i] = (float)look->field[i];
        low = fmin(low, look->field[i]);
        high = fmax(high, look->field[i]);
    }
    look->numbers[web_fieldLow] = low;
    look->numbers[web_fieldHigh] = high;
}

// Values of vertices from those of the nodes that they hang on.
static void SpreadField(webLook* look, const rslModel* model)
{
    float* to = look->arrays.values;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslSurface* surface = rslBody_Drawn(&model->bodies[b]);
        for (int v = 0; v < surface->vertexCount; ++v)
        {
            double sum = 0.0;
            for (int e = 8 * v; e < 8 * v + 8; ++e)
            {
                sum += surface->stencilWeights[e] != 0.0
                           ? surface->stencilWeights[e] * look->field[surface->stencilNodes[e]]
                           : 0.0;
            }
            *to++ = (float)sum;
        }
    }
}

// Normals of vertices: the sum of those of their triangles, by area, of length 1.
static void TakeNormals(webLook* look)
{
    const webArrays* a = &look->arrays;
    memset(a->normals, 0, 3 * (size_t)a->vertexCount * sizeof(float));
    for (int t = 0; t < a->triangleCount; ++t)
    {
        const int* c = a->triangles + 3 * t;
        const float *p = a->vertices + 3 * c[0], *q = a->vertices + 3 * c[1], *r = a->vertices + 3 * c[2];
        float u[3] = { q[0] - p[0], q[1] - p[1], q[2] - p[2] }, v[3] = { r[0] - p[0], r[1] - p[1], r[2] - p[2] };
        float n[3] = { u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0] };
        for (int k = 0; k < 9; ++k)
        {
            a->normals[3 * c[k / 3] + k % 3] += n[k % 3];
        }
    }
    for (int v = 0; v < a->vertexCount; ++v)
    {
        float* n = a->normals + 3 * v;
        float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        float by = length > 0.0f ? 1.0f / length : 0.0f;
        n[0] *= by;
        n[1] *= by;
        n[2] *= by;
    }
}

// ---- numbers --------------------------------------------------------------------------------------------------------

// Size of what all colliders do to the bodies, and what presses bodies on each other.
static double ContactForce(const webStage* stage)
{
    const rslModel* model = stage->model;
    double sum = model->bodyCount > 0 ? rslState_TouchForce(model, stage->state, -1, model->colliderCount).press : 0.0;
    for (int c = 0; c < model->colliderCount; ++c)
    {
        rslVec3 f = rslSolver_ColliderForce(stage->solver, stage->state, c, -1);
        sum += sqrt(f.x * f.x + f.y * f.y + f.z * f.z);
    }
    return sum;
}

void webLook_Count(webLook* look, const webStage* stage)
{
    double* n = look->numbers;
    const rslState* state = stage->state;
    rslEnergy energy = rslSolver_Energy(stage->solver, state);
    rslStability stability = rslSolver_Stability(stage->solver);
    n[web_time] = rslState_Time(state);
    n[web_steps] = (double)state->stepCount;
    n[web_step] = state->step > 0.0 ? state->step : stability.step;
    n[web_stableStep] = stability.stableStep;
    n[web_nodeCount] = stage->model->nodeCount;
    n[web_springCount] = (double)stage->model->springCount;
    n[web_elementCount] = (double)stage->model->elementCount;
    n[web_kinetic] = energy.kinetic;
    n[web_elastic] = energy.springs + energy.ground + energy.links;
    n[web_gravity] = energy.gravity;
    n[web_lost] = state->account.dissipated + state->account.numerical;
    n[web_total] = energy.total;
    n[web_volumeError] =
        stage->startVolume != 0.0 ? rslSolver_Motion(stage->solver, state, -1).volume / stage->startVolume - 1.0 : 0.0;
    n[web_contactForce] = ContactForce(stage);
    n[web_smallestElement] = state->guard.smallest;
    if (stage->probes != NULL && rslProbes_Read(stage->probes, stage->solver, state, look->arrays.probes) != rsl_ok)
    {
        memset(look->arrays.probes, 0, (size_t)look->arrays.probeCount * sizeof(double));
    }
}

void webLook_Take(webLook* look, const webStage* stage, webField field)
{
    TakeVertices(look, stage);
    TakeNormals(look);
    rslState_Positions(stage->model, stage->state, 0, stage->model->nodeCount, look->scratch);
    Narrow(look, look->scratch, stage->model->nodeCount, look->arrays.nodes);
    TakeField(look, stage, field);
    SpreadField(look, stage->model);
    if (rslModel_SolidsMove(stage->model))
    {
        rslMesh solids = { 0 };
        if (TakeSolids(stage, &solids) == rsl_ok)
        {
            Narrow(look, solids.vertices, solids.vertexCount, look->arrays.solids);
        }
        rslMesh_Free(&solids);
    }
}
