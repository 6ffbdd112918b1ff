// SPDX-License-Identifier: MIT
//
// brick_fixture.h: bars of bricks in lattices that cut them in any way, and the moduli that they have under a uniform stress.

#pragma once

#include "physics_fixture.h"
#include "backend.h"
#include "state_internal.h"

static inline double Mu(double young, double nu)
{
    return young / (2.0 * (1.0 + nu));
}

static inline double Lambda(double young, double nu)
{
    return young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
}

static inline rslModelDef BrickModel(rslElementLaw law, double floor)
{
    return (rslModelDef){ .type = rsl_brickModel, .law = law, .floor = floor };
}

// ---- uniform stress -------------------------------------------------------------------------------------------------

// A bar in a lattice that has axes of its own.
typedef struct Bar
{
    rslVec3 size;
    rslRotationDef orientation;
    double spacing, nu, floor;
    bool dipole, ground, centred;
    rslShapeDef shape;
    rslBodyDef body;
    rslModel* model;
    void* kernel;
    rslTeam* team;
    rslState* state;
    double* memory;
    double *force[3], *u[3], *r[3], *p[3], *kp[3], *inverse[3];  // of the diagonal of K
} Bar;

static inline void OpenBar(Bar* bar)
{
    bar->shape = BoxShape(bar->size.x, bar->size.y, bar->size.z);
    bar->body = LatticeBody("bar", &bar->shape, bar->spacing);
    bar->body.network.orientation = bar->orientation.angle != 0.0 ? bar->orientation : bar->body.network.orientation;
    bar->body.material.young = 1.0;
    bar->body.material.density = 1.0;
    bar->body.material.poisson = bar->nu;
    bar->body.model = BrickModel(rsl_corotationalElement, bar->floor);
    bar->body.model.dipole = bar->dipole;
    bar->body.network.construction = bar->centred ? rsl_centredLattice : rsl_cornerLattice;
    rslScene scene = SceneOf(&bar->body, 1);
    if (bar->ground)
    {
        scene.ground = rslDefaultGroundDef();
        scene.ground.point = (rslVec3){ 0.0, 0.0, -10.0 };
    }
    bar->model = Built(&scene, NULL);
    bar->state = StateOf(bar->model, rsl_double);
    bar->team = rslTeam_Create(NULL, 1, NULL, NULL);
    size_t count = (size_t)bar->model->nodeCount + RSL_STATE_PADDING;
    bar->memory = calloc(18 * count, sizeof(double));
    assert_non_null(bar->memory);
    double** all[] = { bar->force, bar->u, bar->r, bar->p, bar->kp, bar->inverse };
    for (size_t i = 0; i < 18; ++i)
    {
        all[i / 3][i % 3] = bar->memory + i * count;
    }
}

// Once the model is as it should be.
static inline void StartBar(Bar* bar)
{
    bar->kernel = rslBackend64.create(bar->model, rsl_static, NULL, bar->team);
    assert_non_null(bar->kernel);
}

static inline void CloseBar(Bar* bar)
{
    free(bar->memory);
    rslBackend64.destroy(bar->kernel);
    rslTeam_Free(bar->team);
    rslState_Free(bar->state);
    rslModel_Free(bar->model);
}

static inline double BarDot(const Bar* bar, double* const a[3], double* const b[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3 * bar->model->nodeCount; ++i)
    {
        sum += a[i % 3][i / 3] * b[i % 3][i / 3];
    }
    return sum;
}

static inline void BarProduct(const Bar* bar, double* const p[3], double* const out[3])
{
    assert_true(rslBackend64.product(bar->kernel, bar->state, rsl_stiffnessProduct, p, out));
}

// Forces of a pull of 1 Pa along the bar on its end faces, sampled: the integral of N_n over each face, which knows nothing of
// what bricks make of their cells.
static inline void PullFaces(Bar* bar, int samples)
{
    const rslBody* body = &bar->model->bodies[0];
    const rslLattice* lattice = &body->lattice;
    rslMat3 turn = rslQuatMatrix(body->frame.rotation);
    rslVec3 along = rslMatTVec(&turn, (rslVec3){ 1.0, 0.0, 0.0 });
    double area = bar->size.y * bar->size.z / (samples * (double)samples);
    for (int s = 0; s < 2 * samples * samples; ++s)
    {
        double side = s % 2 == 0 ? 0.5 : -0.5;
        rslVec3 x = { side * bar->size.x, ((s / 2 % samples + 0.5) / samples - 0.5) * bar->size.y,
                      ((s / 2 / samples + 0.5) / samples - 0.5) * bar->size.z };
        rslVec3 X = rslSub(rslMatTVec(&turn, rslSub(x, body->frame.origin)), lattice->origin);
        double at[3] = { X.x / bar->spacing, X.y / bar->spacing, X.z / bar->spacing };
        int cell[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            at[axis] -= 1e-9 * side * (axis == 0 ? along.x : axis == 1 ? along.y : along.z);  // within, not beside
            // beyond the outermost nodes of a centred lattice, the shape functions of the last cells
            int last = lattice->extent[axis] - 2, own = (int)floor(at[axis]);
            cell[axis] = own < 0 ? 0 : own > last ? last : own;
        }
        for (int corner = 0; corner < 8; ++corner)
        {
            double weight = area * 2.0 * side;
            for (int axis = 0; axis < 3; ++axis)
            {
                double t = at[axis] - cell[axis];
                weight *= corner >> axis & 1 ? t : 1.0 - t;
            }
            int node =
                rslLattice_Node(lattice, cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2));
            assert_true(node >= 0);
            bar->force[0][node] += weight * along.x;
            bar->force[1][node] += weight * along.y;
            bar->force[2][node] += weight * along.z;
        }
    }
}

// The same by < grad N >, as the brick has it.
static inline void PullMeans(Bar* bar)
{
    const rslBody* body = &bar->model->bodies[0];
    rslMat3 turn = rslQuatMatrix(body->frame.rotation);
    rslVec3 along = rslMatTVec(&turn, (rslVec3){ 1.0, 0.0, 0.0 });
    for (int e = 0; e < body->elements.count; ++e)
    {
        rslVec3 g[8];
        rslElements_Gradients(body, e, g);
        double volume = rslElements_Volume(body, e);
        for (int c = 0; c < 8; ++c)
        {
            int node = body->elements.nodes[8 * e + c];
            double weight = volume * rslDot(along, g[c]);
            bar->force[0][node] += weight * along.x;
            bar->force[1][node] += weight * along.y;
            bar->force[2][node] += weight * along.z;
        }
    }
}

// Conjugate gradients on K u = force of a body that nothing holds, scaled by the diagonal.
static inline void Relax(Bar* bar)
{
    int count = bar->model->nodeCount;
    double(*blocks)[6] = calloc((size_t)count, sizeof *blocks);
    assert_non_null(blocks);
    rslBackend64.diagonal(bar->kernel, bar->state, blocks);
    for (int i = 0; i < 3 * count; ++i)
    {
        double d = blocks[i / 3][i % 3];
        bar->inverse[i % 3][i / 3] = d > 0.0 ? 1.0 / d : 0.0;
        bar->u[i % 3][i / 3] = 0.0;
        bar->r[i % 3][i / 3] = bar->force[i % 3][i / 3];
        bar->p[i % 3][i / 3] = bar->inverse[i % 3][i / 3] * bar->r[i % 3][i / 3];
    }
    free(blocks);
    double rz = BarDot(bar, bar->r, bar->p), start = rz;
    for (int step = 0; step < 6000 && rz > 1e-20 * start; ++step)
    {
        BarProduct(bar, bar->p, bar->kp);
        double alpha = rz / BarDot(bar, bar->p, bar->kp), old = rz;
        rz = 0.0;
        for (int i = 0; i < 3 * count; ++i)
        {
            bar->u[i % 3][i / 3] += alpha * bar->p[i % 3][i / 3];
            bar->r[i % 3][i / 3] -= alpha * bar->kp[i % 3][i / 3];
            rz += bar->r[i % 3][i / 3] * bar->r[i % 3][i / 3] * bar->inverse[i % 3][i / 3];
        }
        for (int i = 0; i < 3 * count; ++i)
        {
            bar->p[i % 3][i / 3] = bar->inverse[i % 3][i / 3] * bar->r[i % 3][i / 3] + rz / old * bar->p[i % 3][i / 3];
        }
    }
    assert_at_most(rz, 1e-16 * start);
}

// The stress 1 does the work stress^2 V / E; Poisson's ratio from the mean strain across.
static inline void Moduli(const Bar* bar, double* young, double* poisson)
{
    const rslBody* body = &bar->model->bodies[0];
    rslMat3 turn = rslQuatMatrix(body->frame.rotation);
    rslVec3 across = rslMatTVec(&turn, (rslVec3){ 0.0, 0.6, 0.8 });
    double volume = bar->size.x * bar->size.y * bar->size.z, strain = 0.0;
    *young = volume / BarDot(bar, bar->force, bar->u);
    for (int e = 0; e < body->elements.count; ++e)
    {
        rslVec3 g[8];
        rslElements_Gradients(body, e, g);
        for (int c = 0; c < 8; ++c)
        {
            int node = body->elements.nodes[8 * e + c];
            rslVec3 u = { bar->u[0][node], bar->u[1][node], bar->u[2][node] };
            strain += rslElements_Volume(body, e) * rslDot(across, u) * rslDot(across, g[c]);
        }
    }
    *poisson = -strain / volume * *young;
}
