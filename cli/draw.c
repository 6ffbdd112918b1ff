// SPDX-License-Identifier: MIT
//
// draw.c: pictures into PNG files.

#include "draw.h"

#include <stdlib.h>

rslStatus cliDraw_Snapshot(const rslSnapshot* snapshot, const rslPictureDef* def, const char* path, rslReport* report)
{
    uint8_t* rgb = malloc(3 * (size_t)def->width * (size_t)def->height);
    if (rgb == NULL)
    {
        return rsl_outOfMemory;
    }
    rslStatus status = rslPicture_Draw(snapshot, def, NULL, rgb);
    if (status == rsl_ok)
    {
        status = rslPng_Write(path, rgb, def->width, def->height, report);
    }
    free(rgb);
    return status;
}

rslStatus cliDraw_Loaded(const cliLoaded* loaded, const rslPictureDef* def, const char* path, rslReport* report)
{
    bool springs = def->style == rsl_springPicture;
    for (int i = 0; i < loaded->model->bodyCount; ++i)
    {
        springs = springs || loaded->model->bodies[i].surface.vertexCount == 0;
    }
    rslSnapshot* snapshot = NULL;
    rslStatus status = rslSnapshot_Create(loaded->model, springs, NULL, &snapshot);
    if (status == rsl_ok && def->style != rsl_shadedPicture)
    {
        status = rslSnapshot_AddFields(snapshot, loaded->model, rslPictureField_Set(def->field), report);
    }
    if (status == rsl_ok)
    {
        rslPictureDef here = *def;
        rslMesh solids;
        here.ground = rslModel_Floor(loaded->model, rslState_Time(loaded->state));
        status = rslModel_Solids(loaded->model, rslState_Time(loaded->state), NULL, &solids);
        here.solids = &solids;
        rslSnapshot_Take(snapshot, loaded->solver, loaded->state);
        status = status == rsl_ok ? cliDraw_Snapshot(snapshot, &here, path, report) : status;
        rslMesh_Free(&solids);
    }
    rslSnapshot_Free(snapshot);
    return status;
}
