// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// modes.h: the lowest natural frequencies of a model about a state, and the shapes that swing with them.
//
// K x = w^2 M x with K of the state as it is (stretched springs, links, touched ground and pressure included), M the masses of
// the nodes, and held axes at rest. Motions that cost nothing (a free body's shifts and turns, mechanisms of a network) are
// counted and kept apart: the first mode is the first that swings.

#pragma once

#include "resilin/solver.h"

#ifdef __cplusplus
extern "C"
{
#endif

    enum
    {
        RSL_MODES_MOST = 100  // that one call finds
    };

    // A x = t M x: A symmetric and positive, its upper triangle by rows with ascending columns, and the diagonal of M.
    typedef struct rslEigenProblem
    {
        int size;
        const int *rowStart, *column;
        const double *value, *mass;
        int count;         // solutions wanted
        double tolerance;  // residual of A^-1 M x, relative
        int iterations;    // at most
    } rslEigenProblem;

    // An eigen-solver of another library.
    typedef struct rslEigen
    {
        const char* name;
        // The lowest t ascending, x one after the other and orthonormal in M, how many; iterations are added. rsl_notConverged:
        // fewer than wanted; rsl_badInput: A is not positive; rsl_unsupported: the library failed.
        rslStatus (*find)(const rslEigenProblem* problem, double* t, double* x, int* count, int* iterations);
    } rslEigen;

    typedef enum rslModesSolver
    {
        rsl_lobpcgModes,  // our own: no matrix, the same bits everywhere
        rsl_slepcModes,   // SLEPc, where it is built in: factors a matrix, which takes in springs, links and ground
    } rslModesSolver;

    typedef struct rslModesDef
    {
        uint32_t cookie;   // set by rslDefaultModesDef; catches a struct that was not started from it
        int count;         // modes wanted, 1 to RSL_MODES_MOST; default 10
        double tolerance;  // residual |M^-1/2 (K x - w^2 M x)| / w^2 of a shape with x M x = 1; default 1e-3, which
                           // gives frequencies to about 6 digits; in [1e-9, 0.1]
        int iterations;    // at most; default 500
        int threads;       // 0: as many as the process may use; results do not depend on it
        rslRunTasks* runTasks;  // NULL: our own team
        void* runTasksUser;
        rslModesSolver solver;
        const rslEigen* eigen;  // for rsl_slepcModes; rslSlepc_Eigen of io.h; NULL: none
    } rslModesDef;

    RSL_API rslModesDef rslDefaultModesDef(void);

    typedef struct rslModes
    {
        int count;      // as many as were wanted, fewer where the model has no more
        int zeroCount;  // motions that cost nothing
        int nodeCount;  // of the model
        double*
            frequency;  // ascending [Hz]; a mode that grows instead of swinging (the state is about to buckle) has minus
                        // its rate over 2 pi
        double* dampingRatio;  // x C x / 2 w: 1 and more does not swing; 0 for a mode that grows
        double* residual;      // of each, as the tolerance asks for it
        double* shapes;        // mode after mode: x y z of every node, world axes [1/sqrt(kg)]; x M y = 1 or 0
        int iterations;
        const char* solver;  // lobpcg, or the name of the library
        rslHooks hooks;
    } rslModes;

    // The lowest modes about a state of any precision; its velocities do not matter. Bad input: a definition out of range,
    // more motions that cost nothing than can be kept apart, or a solver that is not there or cannot take the model.
    // rsl_notConverged: the iterations were not enough; what was found is handed out with its residuals. rsl_mismatch: the
    // state is of another model. Free with rslModes_Free.
    RSL_API rslStatus rslModes_Find(const rslModel* model, const rslState* state, const rslModesDef* def,
                                    const rslHooks* hooks, rslModes** modes, rslReport* report);
    RSL_API void rslModes_Free(rslModes* modes);

    // The shape of a mode at a node.
    static inline rslVec3 rslModes_Shape(const rslModes* modes, int mode, int node)
    {
        const double* x = &modes->shapes[3 * ((size_t)mode * (size_t)modes->nodeCount + (size_t)node)];
        rslVec3 shape = { x[0], x[1], x[2] };
        return shape;
    }

#ifdef __cplusplus
}
#endif
