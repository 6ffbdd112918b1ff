// SPDX-License-Identifier: MIT
//
// scene_body_model.c: which networks and materials can have which models, and whose volume can be kept.

#include "choose_model.h"
#include "scene_across.h"

#include <math.h>

// Sums over the springs of a node say nothing in a sheet, and with moduli along the axes nothing of use.
static void CheckDispersion(rslAcross* across, const rslBodyDef* body)
{
    rslNetworkType type = body->network.type;
    bool flat = type == rsl_sheetNetwork || type == rsl_explicitNetwork;
    if (flat || body->material.orthotropic != NULL)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "body", "model", body, -1, body->place), "model",
                       "found dispersion beside %s, expected a lattice, a random network or tetrahedra of an isotropic "
                       "material, or model: springs",
                       type == rsl_sheetNetwork      ? "a sheet"
                       : type == rsl_explicitNetwork ? "an explicit network"
                                                     : "an orthotropic material");
    }
    bool energetic = body->model.variant == rsl_energyDispersion || body->model.variant == rsl_cheapDispersion;
    if (!energetic && body->network.calibrate != rsl_noCalibration)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "body", "model", body, -1, body->place), "model",
                       "found a variant without an energy beside 'calibrate', which measures a body at rest; expected "
                       "variant energy or cheap, or calibrate: none");
    }
}

static void CheckElements(rslAcross* across, const rslBodyDef* body)
{
    static const char* const names[rsl_modelTypeCount] = {
        [rsl_finiteModel] = "finite elements", [rsl_autoModel] = "finite elements",
        [rsl_brickModel] = "bricks",           [rsl_boxModel] = "boxes",
        [rsl_angleModel] = "angles",
    };
    const char* expected;
    const char* beside = rslElements_Beside(body, body->model.type, &expected);
    if (beside != NULL)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "body", "model", body, -1, body->place), "model",
                       "found %s beside %s, expected %s", names[body->model.type], beside, expected);
    }
    rslMaterialDef own = rslMaterial_Resolve(&body->material);
    bool one = body->model.type != rsl_brickModel;
    for (int r = 0; beside == NULL && one && r < body->regionCount; ++r)
    {
        rslMaterialDef other = rslMaterial_Resolve(&body->regions[r].material);
        if (fabs(other.poisson - own.poisson) > 1e-12)
        {
            rslTrail_Error(across->trail, body->regions[r].material.place, "regions",
                           "found Poisson's ratio %.4g in a region of elements, expected %.4g as in the rest of "
                           "the body%s",
                           other.poisson, own.poisson,
                           body->network.type == rsl_latticeNetwork ? ", or model: brick" : "");
        }
    }
    bool linear = body->model.type != rsl_boxModel && body->model.law == rsl_linearElement;
    if (linear && (body->spin.x != 0.0 || body->spin.y != 0.0 || body->spin.z != 0.0))
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "body", "spin", body, -1, body->place), "spin",
                       "found beside law: linear, which knows no rotations, expected corotational or neo_hookean");
    }
}

// Any network will do.
static void CheckRigid(rslAcross* across, const rslBodyDef* body)
{
    if (body->repulsion.type > rsl_noRepulsion)
    {
        rslPlace place = rslAcross_Place(across, "body", "repulsion", body, -1, body->place);
        rslTrail_Error(across->trail, place, "repulsion",
                       "found beside 'model: rigid', whose elements cannot collapse; expected auto or none");
    }
    bool filled = body->shape != NULL && body->network.type != rsl_sheetNetwork;
    if (body->regionCount > 0 && !filled)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "body", "regions", body, -1, body->place), "regions",
                       "found in a rigid body without a shape that it fills, expected a lattice, a random network or "
                       "tetrahedra in a shape");
    }
    if (body->network.calibrate != rsl_noCalibration)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "body", "model", body, -1, body->place), "model",
                       "found rigid beside 'calibrate', expected calibrate: none: a rigid body has no moduli");
    }
}

void rslAcross_CheckModel(rslAcross* across, const rslBodyDef* body)
{
    rslModelType type = body->model.type;
    bool hexahedra = body->network.type == rsl_hexahedraNetwork;
    if (type == rsl_rigidModel)
    {
        CheckRigid(across, body);
        return;
    }
    if (hexahedra && type != rsl_finiteModel && type != rsl_boxModel && type != rsl_autoModel)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "body", "model", body, -1, body->place), "model",
                       "found beside hexahedra, which have no springs; expected fem, or box where they are all boxes");
        return;
    }
    if (type == rsl_dispersionModel)
    {
        CheckDispersion(across, body);
    }
    bool elements = type == rsl_finiteModel || type == rsl_brickModel || type == rsl_boxModel || type == rsl_angleModel;
    if (elements || hexahedra)
    {
        CheckElements(across, body);
    }
}

void rslAcross_CheckVolume(rslAcross* across, const rslBodyDef* body)
{
    static const char* const methods[rsl_volumeMethodCount] = { "none", "explicit", "implicit", "pressure", "hard" };
    const rslVolumeDef* volume = &body->volume;
    if (volume->method == rsl_noVolume)
    {
        return;
    }
    rslPlace place = rslAcross_Place(across, "body", "volume", body, -1, body->place);
    rslNetworkType type = body->network.type;
    bool supported = volume->method == rsl_explicitVolume || volume->method == rsl_implicitVolume;
    supported = supported || volume->radial > 0.0;
    if (across->scene->plane == rsl_planeXY)
    {
        rslTrail_Error(across->trail, place, "volume",
                       "found %s in a plane, where nothing encloses a volume; expected none", methods[volume->method]);
    }
    else if (body->model.type == rsl_rigidModel)
    {
        rslTrail_Error(across->trail, place, "volume",
                       "found %s beside 'model: rigid', which has a volume that cannot change; expected none",
                       methods[volume->method]);
    }
    else if (!body->surface.enabled)
    {
        rslTrail_Error(across->trail, place, "volume",
                       "found %s beside 'surface: false', expected a surface, which encloses the volume",
                       methods[volume->method]);
    }
    else if (supported && type != rsl_sheetNetwork && type != rsl_explicitNetwork)
    {
        rslTrail_Error(across->trail, place, "volume",
                       "found %s%s beside a network with nodes inside; support springs hold the nodes of a surface, "
                       "expected pressure or hard without 'radial'",
                       methods[volume->method], volume->radial > 0.0 ? " with 'radial'" : "");
    }
}
