// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// observe.h: read-outs. Nothing here changes a state.

#pragma once

#include "resilin/solver.h"

#ifdef __cplusplus
extern "C"
{
#endif

    // Energies [J] at one moment, and the account of how they came about.
    typedef struct rslEnergy
    {
        double kinetic;
        double springs;
        double gravity;
        double ground;
        double links;
        double total;  // sum of the above
        double drift;  // total - (start + loads + motion + drives - dissipated - numerical)
    } rslEnergy;

    RSL_API rslEnergy rslSolver_Energy(rslSolver* solver, const rslState* state);

    typedef struct rslMotion
    {
        double mass;              // [kg]
        rslVec3 centre;           // of mass [m]
        rslVec3 momentum;         // [kg m/s]
        rslVec3 angularMomentum;  // about the origin of the world [kg m2/s]
        double
            volume;  // enclosed by surfaces that are closed, or whose volume is kept [m3]; in 2D scenes, area of the sheets [m2]
    } rslMotion;

    // Of one body, or of all with body = -1.
    RSL_API rslMotion rslSolver_Motion(rslSolver* solver, const rslState* state, int body);

    // Per node: force of all terms in world axes [N] (x y z); mean tension of its springs [N], positive when they pull;
    // elastic energy density [J/m3] (half of the energy of its springs over its share of volume; 0 where the density of the
    // body is unknown). NULL where not wanted. NaN when out of memory.
    RSL_API void rslSolver_Fields(rslSolver* solver, const rslState* state, double* forces, double* tension,
                                  double* energyDensity);

    // What something does to a body where it touches it, with impulses or a barrier: means over the last step.
    typedef struct rslTouchForce
    {
        int count;         // places
        rslVec3 force;     // all of it, world axes [N]
        rslVec3 friction;  // the part of it along the surfaces [N]
        rslVec3 torque;    // of all of it, about the origin of the world [N m]
        rslVec3 point;     // the mean of the places, weighed by what presses there [m]; NaN: nothing does
        double press;      // sum of what presses, whatever the direction [N]
    } rslTouchForce;

    // Of a collider, or with collider = model->colliderCount of other bodies and itself; on a body, or on all with body = -1.
    // rslState_Push (state.h) tells impulses since the start. With the weight and other loads they are the change of momentum.
    RSL_API rslTouchForce rslState_TouchForce(const rslModel* model, const rslState* state, int body, int collider);

    // The same of every node, x y z each [N]: all that touches it, and the friction in it; either may be NULL. Places between nodes
    // are shared by those around. rsl_outOfMemory leaves them undefined.
    RSL_API rslStatus rslState_TouchForces(const rslModel* model, const rslState* state, double* forces,
                                           double* friction);

    // The force that holds the nodes of a constraint against all others, world axes [N]; of a prescribed motion without
    // what accelerates the nodes themselves.
    RSL_API rslVec3 rslSolver_Reaction(rslSolver* solver, const rslState* state, int constraint);

    // A force and its torque.
    typedef struct rslWrench
    {
        rslVec3 force;   // [N]
        rslVec3 torque;  // [N m]
    } rslWrench;

    // The same with its torque about a point of the world. Rigid bodies that are moved need forces to be sped up, too.
    RSL_API rslWrench rslSolver_ReactionAbout(rslSolver* solver, const rslState* state, int constraint, rslVec3 point);

    // The force of a joint on its body a and its torque about the joint; NaN when out of memory.
    RSL_API rslWrench rslSolver_JointReaction(rslSolver* solver, const rslState* state, int joint);

    // How far a is turned against b about the axis of a joint, in (-180, 180] [deg].
    RSL_API double rslState_JointAngle(const rslModel* model, const rslState* state, int joint);

    // How far a joint is from being kept; rounding unless joints contradict each other.
    typedef struct rslJointGap
    {
        double distance;  // of its point in both bodies [m]
        double tilt;      // between the axes of a hinge [deg]
        double turn;      // of a driven hinge off its angle [deg]
    } rslJointGap;

    RSL_API rslJointGap rslState_JointGap(const rslModel* model, const rslState* state, int joint);

    // What one frame shows. Arrays in public order, owned by the snapshot; made once, filled many times.
    typedef struct rslSnapshot
    {
        double time;
        uint64_t stepCount;
        int nodeCount, vertexCount, triangleCount, bodyCount;
        int64_t springCount;
        double* positions;      // nodes, x y z [m]
        double* velocities;     // nodes, x y z [m/s]
        double* tension;        // nodes [N]
        double* energyDensity;  // nodes [J/m3]
        // nodes; NULL unless asked for with rslSnapshot_AddFields (field.h); tensors are xx yy zz xy yz xz
        double* stress;     // [Pa]
        double* vonMises;   // [Pa]
        double* principal;  // of the stress, three a node, largest first [Pa]
        double* strain;
        double* modulus;          // bulk modulus that the node stands for, at rest [Pa]
        double* contactForce;     // of what touches, three a node, mean of the last step [N]
        double* contactFriction;  // the friction in it
        int* nodeBody;            // index of the body of every node
        int* springs;             // two nodes each; NULL unless asked for
        double* vertices;         // surfaces of all bodies, x y z [m]
        int* triangles;           // three vertices each
        int* vertexBody;
        int* vertexNode;                   // the node with the largest weight, for colouring the surface
        struct rslSnapshotFields* fields;  // internal
        rslHooks hooks;
    } rslSnapshot;

    RSL_API rslStatus rslSnapshot_Create(const rslModel* model, bool withSprings, const rslHooks* hooks,
                                         rslSnapshot** snapshot);
    RSL_API void rslSnapshot_Take(rslSnapshot* snapshot, rslSolver* solver, const rslState* state);
    RSL_API void rslSnapshot_Free(rslSnapshot* snapshot);

#ifdef __cplusplus
}
#endif
