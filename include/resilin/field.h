// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// field.h: stress, strain and what else a continuum has at every point, read off a state. Nothing here changes it. Dampers
// are left out everywhere: this is the elastic part.

#pragma once

#include "resilin/observe.h"

#ifdef __cplusplus
extern "C"
{
#endif

    // A symmetric tensor in world axes; stress [Pa] is positive in tension. Shear strains are those of the tensor, half of
    // the change of an angle.
    typedef struct rslSymmetric
    {
        double xx, yy, zz, yz, zx, xy;
    } rslSymmetric;

    // sqrt(3/2) times the norm of the deviator: of a stress, what yields.
    RSL_API double rslSymmetric_VonMises(rslSymmetric tensor);

    // Eigenvalues, largest first, and unit vectors along them, right-handed; axes may be NULL.
    RSL_API void rslSymmetric_Principal(rslSymmetric tensor, double values[3], rslVec3 axes[3]);

    // ---- stress -----------------------------------------------------------------------------------------------------

    // Stress at every node: half of the sum of T L n n over its springs, over its volume at rest, which is mass over
    // density; exact under uniform strain within a lattice and on the faces of a corner lattice. Of finite elements, their
    // mean stress of Cauchy by volume. Links have no part in it. 0 where the density is unknown (explicit networks).
    RSL_API rslStatus rslSolver_NodeStress(rslSolver* solver, const rslState* state, rslSymmetric* stress);

    // A sphere in space, where the body is now.
    typedef struct rslHardyProbe
    {
        rslVec3 point;  // [m]
        double radius;  // [m], > 0; about 1.3 spacings
        rslHardyKind kind;
    } rslHardyProbe;

    // Mean stress in the probes: sum of T L n n B over springs and links of all bodies, over the volume of the probe; B is
    // the part above. Of finite elements Cauchy's stress over what of them lies in the probe, whatever its kind; volumes
    // within 0.3 %. Empty space counts as without stress, so a probe should lie within a body. In a sheet the volume is
    // that of the disc cut out, radius^2 pi thickness, and the spheres of springs are discs: the point should lie on it.
    // Many at once cost one walk over the springs and elements near them. rsl_badInput: a radius that is not positive, a
    // point that is not finite, an unknown kind; rsl_outOfMemory.
    RSL_API rslStatus rslSolver_HardyStress(rslSolver* solver, const rslState* state, const rslHardyProbe* probes,
                                            int count, rslSymmetric* stress);

    // ---- displacement and strain --------------------------------------------------------------------------------------

    // A body cut into tetrahedra between its nodes at rest (a sheet: into its triangles), on which displacements are
    // interpolated. Lattices: the cubes between nodes, each in six; networks of tetrahedra: their own; others: Delaunay's.
    typedef struct rslTessellation rslTessellation;

    // The model must outlive it. rsl_badInput, with a message: the nodes do not span space, a sheet has no surface. Any
    // number of threads may ask at once.
    RSL_API rslStatus rslTessellation_Create(const rslModel* model, int body, const rslHooks* hooks,
                                             rslTessellation** tessellation, rslReport* report);
    RSL_API void rslTessellation_Free(rslTessellation* tessellation);

    // Is a point, given where it was at rest in the world, inside?
    RSL_API bool rslTessellation_Contains(const rslTessellation* tessellation, rslVec3 point);

    // How far a point of the body, given where it was at rest in the world, has moved [m]. False: it is outside.
    RSL_API bool rslTessellation_Displacement(const rslTessellation* tessellation, const rslState* state, rslVec3 point,
                                              rslVec3* displacement);

    // Green's strain at such a point, in world axes at rest: turning the body does not change it. By central differences
    // over distance to both sides [m]; RSL_AUTO: half of the spacing. At the border to one side only, where the body is
    // thinner than that over less. False: outside.
    RSL_API bool rslTessellation_Strain(const rslTessellation* tessellation, const rslState* state, rslVec3 point,
                                        double distance, rslSymmetric* strain);

    // The same at every node of the body, as the mean over the tetrahedra (triangles) at the node by volume; 0 where there
    // are none.
    RSL_API rslStatus rslTessellation_NodeStrain(const rslTessellation* tessellation, const rslState* state,
                                                 rslSymmetric* strain);

    // ---- forces -----------------------------------------------------------------------------------------------------

    // The force [N] that what lies on the side of a plane where normal points exerts on the other side, through the springs
    // and finite elements of one body, or through those of all bodies and links with body = -1. A bar pulled along normal has
    // a positive one. Nodes on the plane belong to the other side. NaN when out of memory.
    RSL_API rslVec3 rslSolver_Flow(rslSolver* solver, const rslState* state, int body, rslVec3 point, rslVec3 normal);

    // The force [N] of a collider on a body, or on all with body = -1. Friction is what it would answer in a step from here. NaN
    // when out of memory.
    RSL_API rslVec3 rslSolver_ColliderForce(rslSolver* solver, const rslState* state, int collider, int body);

    // ---- frames -----------------------------------------------------------------------------------------------------

    // Let a snapshot show further fields from now on. A body that cannot be cut into tetrahedra has no strain, with a
    // warning. On rsl_outOfMemory the snapshot can be freed, nothing else.
    RSL_API rslStatus rslSnapshot_AddFields(rslSnapshot* snapshot, const rslModel* model, rslFieldSet set,
                                            rslReport* report);

    // ---- stiffness --------------------------------------------------------------------------------------------------

    // What one spring adds to bulk modulus times volume [Pa m3]: k L^2 / 9 (Kot 2.30), in a sheet k L^2 / 4; with what
    // dispersion adds at its ends.
    RSL_API double rslModel_SpringModulus(const rslModel* model, int body, const rslSpring* spring);

    // The bulk modulus [Pa] that every node stands for: half of what its springs add, over its volume (Kot 2.29). The mean
    // over a body by volume is its affine estimate, which a lattice has everywhere. 0 where the density is unknown.
    RSL_API void rslModel_NodeModulus(const rslModel* model, double* modulus);

#ifdef __cplusplus
}
#endif
