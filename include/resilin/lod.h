// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// lod.h: levels of detail. A body with levels (rslBodyDef.lod) is built at one of them, rslBodyDef.level; each is a model of its
// own. All have the mass, the centre of mass and the moduli of the finest, and its surface is drawn, vertex by vertex. A state
// goes from one to another while it moves.

#pragma once

#include "resilin/state.h"

#ifdef __cplusplus
extern "C"
{
#endif

    // The most levels that a body of the scene has; 1: none has any.
    RSL_API int rslScene_Levels(const rslScene* scene);

    // Build this level of every body that has levels, its coarsest where it has fewer. Writes to the bodies: those of a scene that was
    // read, or of one made in code whose array may be written.
    RSL_API void rslScene_SetLevel(rslScene* scene, int level);

    // The surface that is drawn: that of the finest level. vertexCount 0 when there is none.
    RSL_API const rslSurface* rslBody_Drawn(const rslBody* body);

    // World positions of its vertices, x y z each.
    RSL_API void rslState_Drawn(const rslModel* model, const rslState* state, int body, double* xyz);

    // How states of one model become states of another with the same bodies at other levels. Constant; both models must outlive it.
    typedef struct rslTransfer rslTransfer;

    // rsl_badInput, with a message: these are not the same bodies.
    RSL_API rslStatus rslTransfer_Create(const rslModel* from, const rslModel* to, const rslHooks* hooks,
                                         rslTransfer** transfer, rslReport* report);
    RSL_API void rslTransfer_Free(rslTransfer* transfer);

    // Displacements and velocities interpolated between the nodes of the old level, into a state of the new one with the same
    // precision. Of bodies that nothing holds, the centre of mass, the momentum and the angular momentum stay as they are; bodies
    // that are alike in both are copied. The time is the same: the new state takes steps of the old one's length, or, with
    // step > 0, of the largest that is no longer than step [s] and goes into the time a whole number of times. Its energy account
    // starts anew. Deformation is interpolated as it is; where elements that are guarded by repulsion would have collapsed, there is less of it,
    // as much as it takes. rsl_diverged: that was not enough, because of nodes that are held, and the state is not one to go on from. rsl_mismatch: not
    // states of these models. Or out of memory.
    RSL_API rslStatus rslTransfer_Apply(const rslTransfer* transfer, const rslState* from, rslState* to, double step);

#ifdef __cplusplus
}
#endif
