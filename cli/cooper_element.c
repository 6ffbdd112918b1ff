// SPDX-License-Identifier: MIT
//
// cooper_element.c: see cooper_element.h.

#include "cooper_element.h"

const char* cliCooperKind_Name(cliCooperKind kind)
{
    static const char* const names[cli_cooperKindCount] = { "standard", "centroid springs", "non-linear springs",
                                                            "edge repulsion" };
    return names[kind];
}

// The stiffness of a spring in a scene is that at rest: 2 k of eq. 4.
void cliCooper_Choose(cliStudy* study, cliCooperKind kind)
{
    bool nonLinear = kind == cli_nonLinearElement;
    cliStudy_Set(study, "bodies.0.network.law", nonLinear ? "cooper" : "linear");
    cliStudy_Set(study, "bodies.0.network.stiffness", nonLinear ? "2" : "1");
    if (kind == cli_centroidElement || kind == cli_repulsionElement)
    {
        cliStudy_Set(study, "bodies.0.repulsion.type", kind == cli_centroidElement ? "centroid" : "cooper");
        cliStudy_Set(study, "bodies.0.repulsion.stiffness", "1");
    }
}

cliPoint cliCooper_Force(cliPoint at, void* loaded)
{
    cliLoaded* triangle = loaded;
    double force[9];
    rslState_SetPosition(triangle->model, triangle->state, 2, (rslVec3){ at.x, at.y, 0 });
    rslSolver_Fields(triangle->solver, triangle->state, force, NULL, NULL);
    return (cliPoint){ force[6], force[7] };
}
