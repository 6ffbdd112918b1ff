// SPDX-License-Identifier: MIT
//
// choose_model.c: what `model: auto` means: the model that meets a material best on the network that the user asked for.

#include "resilin/scene.h"

#include <math.h>

// Springs alone meet a Poisson's ratio that is so near to theirs.
static const double NEAR = 0.005;

static bool AsksFor(const rslMaterialDef* material, double natural)
{
    double poisson = rslMaterial_Resolve(material).poisson;
    return isnan(poisson) || fabs(poisson - natural) <= NEAR;
}

static bool SpringsSuffice(const rslBodyDef* body, double natural)
{
    bool suffice = AsksFor(&body->material, natural);
    for (int r = 0; r < body->regionCount; ++r)
    {
        suffice = suffice && AsksFor(&body->regions[r].material, natural);
    }
    return suffice;
}

// Drives, laws and calibration need springs.
static bool NeedsSprings(const rslScene* scene, const rslNetworkDef* network)
{
    return scene->driveCount > 0 || network->law != rsl_linearSpring || network->calibrate != rsl_noCalibration;
}

static bool HoldsBricks(const rslNetworkDef* network)
{
    return network->type == rsl_latticeNetwork && network->construction == rsl_cornerLattice &&
           network->shells == rsl_shellsAB;
}

rslModelType rslScene_ChooseModel(const rslScene* scene, const rslBodyDef* body)
{
    rslNetworkType type = body->network.type;
    if (body->model.type != rsl_autoModel)
    {
        return body->model.type;
    }
    if (type == rsl_hexahedraNetwork)
    {
        return rsl_finiteModel;  // they have no springs
    }
    if (type == rsl_explicitNetwork || body->material.orthotropic != NULL)
    {
        return rsl_springModel;
    }
    if (type == rsl_sheetNetwork)
    {
        bool springs = SpringsSuffice(body, 1.0 / 3.0) || NeedsSprings(scene, &body->network) || body->regionCount > 0;
        return springs ? rsl_springModel : rsl_angleModel;
    }
    if (HoldsBricks(&body->network) && !NeedsSprings(scene, &body->network))
    {
        return rsl_brickModel;
    }
    return SpringsSuffice(body, 0.25) ? rsl_springModel : rsl_dispersionModel;
}
