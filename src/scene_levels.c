// SPDX-License-Identifier: MIT
//
// scene_levels.c: which bodies can have levels of detail, and which levels.

#include "scene_across.h"

#include <math.h>

// Why a body is what it is at one resolution only; NULL: it can have others.
static const char* FindReason(const rslBodyDef* body)
{
    const rslNetworkDef* network = &body->network;
    bool listed = network->file != NULL || network->nodeCount > 0;
    if (body->model.type == rsl_rigidModel)
    {
        return "a rigid body, whose motion does not depend on its nodes";
    }
    switch (network->type)
    {
        case rsl_explicitNetwork: return "an explicit network, which lists its nodes";
        case rsl_sheetNetwork: return body->shape != NULL ? "a sheet of the triangles of a mesh" : NULL;
        case rsl_tetrahedraNetwork:
            return network->mesher == rsl_gmshMesher ? "tetrahedra of 'mesher: gmsh', made for one spacing"
                   : listed || body->shape == NULL   ? "listed tetrahedra"
                                                     : NULL;
        case rsl_hexahedraNetwork: return listed || body->shape == NULL ? "listed hexahedra" : NULL;
        default: return NULL;
    }
}

static void CheckFactors(rslAcross* across, const rslBodyDef* body)
{
    for (int i = 0; i < body->lodCount; ++i)
    {
        double factor = body->lod[i];
        rslPlace place = rslAcross_Place(across, "body", "lod", body, i, body->place);
        if (!(factor > 0.0 && factor <= 1.0))
        {
            return;  // the range of the key says it
        }
        if (i > 0 && !(factor < body->lod[i - 1]))
        {
            rslTrail_Error(across->trail, place, "lod",
                           factor == body->lod[i - 1]
                               ? "found %.6g twice, expected levels that differ"
                               : "found %.6g after a smaller one, expected levels from fine to coarse",
                           factor);
            return;
        }
    }
}

void rslAcross_CheckLevels(rslAcross* across, const rslBodyDef* body)
{
    rslPlace place = rslAcross_Place(across, "body", "lod", body, -1, body->place);
    const char* reason = body->lodCount > 0 ? FindReason(body) : NULL;
    if (reason != NULL)
    {
        rslTrail_Error(
            across->trail, place, "lod",
            "found levels of detail of %s; expected a lattice, a random network, or a grid or mesh that is made to "
            "fill a shape",
            reason);
    }
    if (body->lodCount > RSL_LEVELS_MOST)
    {
        rslTrail_Error(across->trail, place, "lod", "found %d levels, expected no more than %d", body->lodCount,
                       RSL_LEVELS_MOST);
    }
    CheckFactors(across, body);
    int last = body->lodCount > 0 ? body->lodCount - 1 : 0;
    if (body->level > last)
    {
        rslPlace at = rslAcross_Place(across, "body", "level", body, -1, body->place);
        rslTrail_Error(across->trail, at, "level",
                       body->lodCount > 0 ? "found level %d, expected 0 to %d, the levels that 'lod' lists"
                                          : "found level %d, expected %d: the body has no 'lod'",
                       body->level, last);
    }
}
