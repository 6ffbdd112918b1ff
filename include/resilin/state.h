// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// state.h: everything that changes, and nothing else does. Nothing outside the state may influence a step.

#pragma once

#include "resilin/model.h"

#ifdef __cplusplus
extern "C"
{
#endif

    // Where energy came from and went, summed up by the audits of the solver [J].
    typedef struct rslAccount
    {
        double start;       // total energy at step 0
        double loads;       // work of loads and of forces given by the host
        double motion;      // work of prescribed motion
        double drives;      // work of driven rest lengths
        double dissipated;  // by dampers, counted positive
        double numerical;   // lost by the scheme of implicit steps; where it is negative, gained
        double gravity;     // potential energy of gravity at the last audit
        double input;       // all that was ever put in: what kinetic and elastic energy together may reach
        uint64_t audits;    // how many audits have run
    } rslAccount;

    // How near to collapse elements came that resist it, and what it took to keep them from it.
    typedef struct rslGuardTally
    {
        double smallest;   // area or volume over that at rest of any of them in any state; 1 while all are above a half
        uint64_t divided;  // steps that had to be divided
        uint64_t substeps;  // that they were taken in
        uint64_t deepest;   // the smallest of them was 2^-deepest of a step
        uint64_t wary;      // as many steps to come are divided anyway (implicit: parts of steps),
        uint64_t level;     // by 2 to this power
        double last;        // symplectic Euler: the length of the last of them or of the step before [s]; 0: none
    } rslGuardTally;

    // What touched in the last step, and what the next one starts from. World axes; sorted by key (collision.h).
    typedef struct rslTouched
    {
        uint32_t key[4];    // a: body, feature; b: body or collider, feature
        double kept[3];     // what is carried on: the impulse that keeps it [N s]; of implicit steps the friction [N]
        double impulse[3];  // on a in the last step, all of it [N s]
        double point[3];    // where [m]
        double normal[3];   // from b to a
    } rslTouched;

    // What touching something has done to a body since the start.
    typedef struct rslPush
    {
        rslVec3 normal, friction;  // impulses [N s]
        rslVec3 torque;            // of both, about the origin of the world [N m s]
    } rslPush;

    typedef struct rslState
    {
        rslPrecision precision;
        int nodeCount, bodyCount;
        uint64_t stepCount;
        double step;       // [s]; time is stepCount * step. 0 until the first solver has chosen it
        rslFrame* frames;  // of every body
        // displacement u and its rate w in body frame axes, in solver precision: float or double arrays
        void* displacement[3];
        void* velocity[3];
        void* motion;  // the block that these are in
        // dispersion with lag: what every node felt in the step before, of its springs and of its dampers; else NULL
        void* carried[2];
        rslTouched* touched;  // sorted
        int touchedCount, touchedCapacity;
        rslPush* pushes;  // body by body: by every collider, then by other bodies and itself
        int pushCount;    // 0: nothing touches
        rslAccount account;
        rslGuardTally guard;
        uint64_t fingerprint;  // of the model it belongs to
        rslHooks hooks;
    } rslState;

    // The state at the start: bodies placed, moving and spinning as the scene says.
    RSL_API rslStatus rslState_Create(const rslModel* model, rslPrecision precision, const rslHooks* hooks,
                                      rslState** state);
    RSL_API void rslState_Free(rslState* state);

    // Same model and precision. Out of memory only where more touches than ever before, and then nothing is copied.
    RSL_API rslStatus rslState_Copy(rslState* to, const rslState* from);

    // Room for as many touches.
    RSL_API rslStatus rslState_Reserve(rslState* state, int touches);

    // What a collider has done to a body since the start; collider = model->colliderCount: what bodies have.
    RSL_API rslPush rslState_Push(const rslModel* model, const rslState* state, int body, int collider);

    static inline double rslState_Time(const rslState* state)
    {
        return (double)state->stepCount * state->step;
    }

    // World positions and velocities of the nodes [begin, end), x y z each [m], [m/s].
    RSL_API void rslState_Positions(const rslModel* model, const rslState* state, int begin, int end, double* xyz);
    RSL_API void rslState_Velocities(const rslModel* model, const rslState* state, int begin, int end, double* xyz);

    // Put a node somewhere, or give it a velocity, in world coordinates.
    RSL_API void rslState_SetPosition(const rslModel* model, rslState* state, int node, rslVec3 position);
    RSL_API void rslState_SetVelocity(const rslModel* model, rslState* state, int node, rslVec3 velocity);

    // World positions of the vertices of a body's surface, x y z each.
    RSL_API void rslState_Surface(const rslModel* model, const rslState* state, int body, double* xyz);

    // A hash of every bit of frames, displacements, velocities, what is kept of touches, step and step count.
    RSL_API uint64_t rslState_Hash(const rslState* state);

    // The state as bytes, and back; bit for bit. Save returns the size; capacity 0 to ask. Load checks everything it
    // reads and refuses a state of another model, precision or library version, saying which.
    RSL_API size_t rslState_Save(const rslState* state, void* buffer, size_t capacity);
    RSL_API rslStatus rslState_Load(const rslModel* model, rslPrecision precision, const void* bytes, size_t size,
                                    const rslHooks* hooks, rslState** state, rslReport* report);

#ifdef __cplusplus
}
#endif
