// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// probe.h: the probes of a scene, resolved for a model and read as a row of numbers, one column each.

#pragma once

#include "resilin/field.h"

#ifdef __cplusplus
extern "C"
{
#endif

    typedef struct rslProbes rslProbes;

    // Resolve definitions. What cannot be measured is an error with its place: an empty set of nodes, a point in no body, a
    // constraint that is not there. The model must outlive the probes; the definitions need not.
    RSL_API rslStatus rslProbes_Create(const rslModel* model, const rslProbeDef* defs, int count, const rslHooks* hooks,
                                       rslProbes** probes, rslReport* report);
    RSL_API void rslProbes_Free(rslProbes* probes);

    // Columns of all probes, one probe after the other.
    RSL_API int rslProbes_ColumnCount(const rslProbes* probes);

    // "top vx [m/s]": name, quantity and unit. Returns the length of the whole text as snprintf does.
    RSL_API size_t rslProbes_ColumnName(const rslProbes* probes, int column, char* buffer, size_t capacity);

    // One number a column. NaN where a state is not finite. rsl_outOfMemory leaves the row undefined.
    // Forces of what touches, with impulses or a barrier, are means since the row before; the first row tells those of the last step.
    RSL_API rslStatus rslProbes_Read(rslProbes* probes, rslSolver* solver, const rslState* state, double* row);

    // Go on from a row that was read at a time [s], by these probes or by others of the same definitions.
    RSL_API void rslProbes_Recall(rslProbes* probes, double time, const double* row);

#ifdef __cplusplus
}
#endif
