// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// measure.h: the testing machine: what a body measures as, beside what its material asks for.
//
// A body that is a box (or the grid of a sheet) is tested itself; of others, a test block of the same network is made. Moduli
// are tangents at rest, so the figures do not depend on how far a test goes.

#pragma once

#include "resilin/scene.h"

#ifdef __cplusplus
extern "C"
{
#endif

    typedef enum rslTest
    {
        rsl_tensionTest = 1,      // E, nu along each axis: ends pulled, free across
        rsl_compressionTest = 2,  // E along each axis as the secant of a small shortening, by the solver for rest
        rsl_shearTest = 4,        // G in each plane, Zener's ratio, the direction with the worst E
        rsl_inflationTest = 8,    // K
        rsl_bendingTest = 16,     // end load over deflection of a cantilever along the longest side
        rsl_ringingTest = 32,     // the first frequencies of the free body, and the damping of the first
        // the same in time: the body is let go in its first mode and what it rings with is heard. Among all tests it is left out, with
        // a note, where it would take more than 4e6 steps of nodes
        rsl_ringDownTest = 64,
        rsl_allTests = 127
    } rslTest;

    typedef enum rslSpecimenChoice
    {
        rsl_anySpecimen,    // the body when it is a box, else a block
        rsl_bodySpecimen,   // the body itself
        rsl_blockSpecimen,  // a block of its network: 4 N x N x N cells, or max_lengths of a random one
        rsl_specimenChoiceCount
    } rslSpecimenChoice;

    // Told before every test: what it is, how many are done, how many there are. False: stop.
    typedef bool rslMeasureProgress(const char* test, int done, int count, void* user);

    typedef struct rslMeasureDef
    {
        uint32_t cookie;  // set by rslDefaultMeasureDef; catches a struct that was not started from it
        unsigned tests;   // of rslTest; default all
        rslSpecimenChoice specimen;
        bool clamped;      // tension, compression: the ends do not move across either; default false
        int cells;         // N of a block, 1 to 1000; default 6
        double strain;     // of compression, and of tension when it is not 0: a secant; in [0, 0.5]; default 0: 1e-6
        double tolerance;  // forces left over, relative to what the test asks for; default 1e-10
        int threads;       // 0: as many as the process may use; results do not depend on it
        rslMeasureProgress* progress;  // may be NULL
        void* user;
    } rslMeasureDef;

    RSL_API rslMeasureDef rslDefaultMeasureDef(void);

    // One figure. What is not known is NaN.
    typedef struct rslMeasurement
    {
        // E_x, nu_x, E_x_compression, G_yz, K, zener, E_worst, worst_x, bending, f1, zeta_1, ring_f1, ...
        char quantity[24];
        const char* unit;  // Pa, N/m, Hz; - for none
        double target;  // what a material with the moduli and the density of the scene has; NaN for several materials
        double ours;
        double error;  // ours / target - 1; ours where the target is 0
    } rslMeasurement;

    typedef struct rslMeasurements
    {
        int count;
        rslMeasurement* list;
        char body[65];
        bool block;      // a block of the network was tested
        rslVec3 size;    // of the box that was tested, along its axes, which are those of the list [m]; 0: not a box
        int nodeCount;   // of it
        double mass;     // of the body, not of the block [kg]
        int iterations;  // of conjugate gradients, all together
        rslHooks hooks;
    } rslMeasurements;

    // Test one body of a scene. Tests that make no sense for it are left out with a note; when nothing is left it is bad input.
    // rsl_notConverged: a solve did not get there; what was measured is handed out. rsl_stopped: progress said so.
    RSL_API rslStatus rslMeasure_Run(const rslScene* scene, int body, const rslMeasureDef* def, const rslHooks* hooks,
                                     rslMeasurements** measurements, rslReport* report);
    RSL_API void rslMeasurements_Free(rslMeasurements* measurements);

    // The one with a name, NULL when it was not measured.
    RSL_API const rslMeasurement* rslMeasurements_Find(const rslMeasurements* measurements, const char* quantity);

#ifdef __cplusplus
}
#endif
