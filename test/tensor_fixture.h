// SPDX-License-Identifier: MIT
//
// tensor_fixture.h: the elastic tensor of a box-shaped body by the forces that hold it under uniform strain.

#pragma once

#include "support.h"
#include "backend.h"
#include "state_internal.h"

// C by columns: nodes moved by u = e x, 1/V sum of f x. Returns the largest force on a
// node inside, where all should cancel, over the largest on a face.
static inline double Tensor(const rslModel* model, rslVec3 size, double c[6][6])
{
    static const int row[6] = { 0, 1, 2, 1, 2, 0 }, column[6] = { 0, 1, 2, 2, 0, 1 };
    rslState* state = StateOf(model, rsl_double);
    rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
    void* kernel = rslBackend64.create(model, rsl_static, NULL, team);
    size_t room = (size_t)model->nodeCount + RSL_STATE_PADDING;
    double* memory = calloc(6 * room, sizeof(double));
    double(*x)[3] = calloc((size_t)model->nodeCount, sizeof *x);
    assert_true(memory != NULL && x != NULL);
    double* p[3] = { memory, memory + room, memory + 2 * room };
    double* out[3] = { memory + 3 * room, memory + 4 * room, memory + 5 * room };
    const double h[3] = { size.x, size.y, size.z };
    double inside = 0.0, outside = 0.0;
    rslBody_Rest(&model->bodies[0], 0, model->nodeCount, x[0]);
    for (int e = 0; e < 6; ++e)
    {
        memset(memory, 0, 6 * room * sizeof(double));
        for (int i = 0; i < model->nodeCount; ++i)
        {
            p[row[e]][i] += 0.5 * x[i][column[e]];
            p[column[e]][i] += 0.5 * x[i][row[e]];
        }
        assert_true(rslBackend64.product(kernel, state, rsl_stiffnessProduct, p, out));
        for (int i = 0; i < model->nodeCount; ++i)
        {
            double force = fmax(fabs(out[0][i]), fmax(fabs(out[1][i]), fabs(out[2][i])));
            double far = fmax(fabs(x[i][0]) / h[0], fmax(fabs(x[i][1]) / h[1], fabs(x[i][2]) / h[2]));
            inside = Worse(inside, far < 0.499 ? force : 0.0);
            outside = Worse(outside, force);
        }
        for (int s = 0; s < 6; ++s)
        {
            c[s][e] = 0.0;
            for (int i = 0; i < model->nodeCount; ++i)
            {
                c[s][e] += out[row[s]][i] * x[i][column[s]] / (h[0] * h[1] * h[2]);
            }
        }
    }
    free(x);
    free(memory);
    rslBackend64.destroy(kernel);
    rslTeam_Free(team);
    rslState_Free(state);
    return inside / outside;
}

// How far C is from that of the material, over its largest number.
static inline double TensorError(double c[6][6], double young, double nu)
{
    double mu = young / (2.0 * (1.0 + nu)), lambda = young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), worst = 0.0;
    for (int s = 0; s < 6; ++s)
    {
        for (int e = 0; e < 6; ++e)
        {
            double wanted = s < 3 && e < 3 ? lambda + (s == e ? 2.0 * mu : 0.0) : s == e ? mu : 0.0;
            double error = fabs(c[s][e] - wanted) / (fabs(lambda) + 2.0 * mu);
            worst = error <= worst ? worst : error;
        }
    }
    return worst;
}
