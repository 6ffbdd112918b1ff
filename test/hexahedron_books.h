// SPDX-License-Identifier: MIT
//
// hexahedron_books.h: the stiffness of one hexahedron at rest by numerical integration, and how far that of a model is from it.

#pragma once

#include "support.h"

#include "backend.h"
#include "state_internal.h"

// The books' way: B^T C B at the points of Gauss in all 24 + 9 unknowns, the last nine condensed.
typedef struct Books
{
    double k[33][33];
} Books;

static inline double Invert(const double j[3][3], double inverse[3][3])
{
    double det = 0.0;
    for (int r = 0; r < 3; ++r)
    {
        int p = (r + 1) % 3, q = (r + 2) % 3;
        det += j[0][r] * (j[1][p] * j[2][q] - j[1][q] * j[2][p]);
        for (int c = 0; c < 3; ++c)
        {
            int s = (c + 1) % 3, t = (c + 2) % 3;
            inverse[r][c] = j[s][p] * j[t][q] - j[s][q] * j[t][p];
        }
    }
    for (int c = 0; c < 9; ++c)
    {
        inverse[c / 3][c % 3] /= det;
    }
    return det;
}

static inline double MapAt(double (*x)[3], const double r[3], double local[8][3], double inverse[3][3])
{
    double j[3][3] = { { 0 } };
    for (int c = 0; c < 8; ++c)
    {
        const double s[3] = { c & 1 ? 1.0 : -1.0, c & 2 ? 1.0 : -1.0, c & 4 ? 1.0 : -1.0 };
        for (int a = 0; a < 3; ++a)
        {
            int b = (a + 1) % 3, d = (a + 2) % 3;
            local[c][a] = s[a] * (1.0 + s[b] * r[b]) * (1.0 + s[d] * r[d]) / 8.0;
            for (int axis = 0; axis < 3; ++axis)
            {
                j[axis][a] += x[c][axis] * local[c][a];
            }
        }
    }
    return Invert((const double(*)[3])j, inverse);
}

static inline void Integrate(double (*x)[3], double young, double nu, bool incompatible, Books* books)
{
    double mu = young / (2.0 * (1.0 + nu)), lambda = young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    double local[8][3], centre[3][3], inverse[3][3], g[11][3], s = 1.0 / sqrt(3.0);
    double middle = MapAt(x, (const double[3]){ 0.0, 0.0, 0.0 }, local, centre);
    memset(books, 0, sizeof *books);
    for (int point = 0; point < 8; ++point)
    {
        const double r[3] = { point & 1 ? s : -s, point & 2 ? s : -s, point & 4 ? s : -s };
        double det = MapAt(x, r, local, inverse);
        for (int n = 0; n < 33; ++n)
        {
            int node = n / 3, axis = n % 3;
            g[node][axis] = node < 8 ? local[node][0] * inverse[0][axis] + local[node][1] * inverse[1][axis] +
                                           local[node][2] * inverse[2][axis]
                                     : -2.0 * r[node - 8] * centre[node - 8][axis] * middle / det;
        }
        for (int i = 0; i < 33 * 33; ++i)
        {
            int row = i / 33, column = i % 33;
            const double *p = g[row / 3], *q = g[column / 3];
            double dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
            books->k[row][column] += det * (lambda * p[row % 3] * q[column % 3] + mu * p[column % 3] * q[row % 3] +
                                            (row % 3 == column % 3 ? mu * dot : 0.0));
        }
    }
    for (int m = 32; incompatible && m >= 24; --m)
    {
        for (int i = 0; i < m * m; ++i)
        {
            books->k[i / m][i % m] -= books->k[i / m][m] * books->k[m][i % m] / books->k[m][m];
        }
    }
}

// Of a model of one hexahedron, over the first entry.
static inline double StiffnessError(const rslModel* model, const Books* books)
{
    rslState* state = StateOf(model, rsl_double);
    rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
    void* kernel = rslBackend64.create(model, rsl_static, NULL, team);
    double worst = 0.0;
    for (int column = 0; column < 24; ++column)
    {
        double memory[6][8 + RSL_STATE_PADDING] = { { 0 } };
        double *p[3] = { memory[0], memory[1], memory[2] }, *out[3] = { memory[3], memory[4], memory[5] };
        p[column % 3][column / 3] = 1.0;
        assert_true(rslBackend64.product(kernel, state, rsl_stiffnessProduct, p, out));
        for (int row = 0; row < 24; ++row)
        {
            worst = Worse(worst, fabs(out[row % 3][row / 3] - books->k[row][column]) / books->k[0][0]);
        }
    }
    rslBackend64.destroy(kernel);
    rslTeam_Free(team);
    rslState_Free(state);
    return worst;
}
