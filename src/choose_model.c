// SPDX-License-Identifier: MIT
//
// choose_model.c: what elements cannot stand beside, and what `model: auto` means: the model that meets a material best on the
// network that the user asked for.

#include "choose_model.h"

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

const char* rslElements_Beside(const rslBodyDef* body, rslModelType model, const char** expected)
{
    const rslNetworkDef* network = &body->network;
    bool lattice = network->type == rsl_latticeNetwork, angles = model == rsl_angleModel;
    bool brick = model == rsl_brickModel, box = model == rsl_boxModel;
    if (angles && network->type != rsl_sheetNetwork)
    {
        *expected = "a sheet, or model: dispersion";
        return lattice ? "a lattice" : "a network that is no sheet";
    }
    *expected = brick ? "a lattice"
                : box ? "a lattice, hexahedra, or model: fem"
                      : "a lattice, a sheet, tetrahedra or hexahedra";
    if ((brick || box) && (network->type == rsl_sheetNetwork || network->type == rsl_tetrahedraNetwork))
    {
        return network->type == rsl_sheetNetwork ? "a sheet" : "tetrahedra";
    }
    if (network->type == rsl_explicitNetwork || network->type == rsl_randomNetwork)
    {
        return network->type == rsl_explicitNetwork ? "an explicit network" : "a random network";
    }
    bool centred = lattice && network->construction != rsl_cornerLattice;
    if (centred && !brick)
    {
        *expected = "construction: corner";
        return "a centred lattice";
    }
    if (centred && (body->regionCount > 0 || body->model.dipole))
    {
        *expected = "construction: corner";
        return body->regionCount > 0 ? "regions in a centred lattice" : "dipole in a centred lattice";
    }
    if (network->law != rsl_linearSpring)
    {
        *expected = angles || box ? "law: linear" : "the law of elements as 'law' of the model";
        return "a law of springs";
    }
    if (lattice && network->shells != rsl_shellsAB)
    {
        *expected = "no shells: elements have all corners of a cell";
        return "shells of springs";
    }
    if (body->material.orthotropic != NULL)
    {
        *expected = "young and poisson";
        return "an orthotropic material";
    }
    if (body->regionCount > 0 && !lattice)
    {
        *expected =
            angles ? "model: springs for a sheet of several materials" : "a lattice for bodies of several materials";
        return "regions";
    }
    if (network->calibrate != rsl_noCalibration)
    {
        *expected = "none: elements meet the moduli of their material";
        return "calibrate";
    }
    return NULL;
}

// Elements are not driven.
static bool CanBe(const rslScene* scene, const rslBodyDef* body, rslModelType model)
{
    const char* expected;
    return scene->driveCount == 0 && rslElements_Beside(body, model, &expected) == NULL;
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
        bool angles = !SpringsSuffice(body, 1.0 / 3.0) && CanBe(scene, body, rsl_angleModel);
        return angles ? rsl_angleModel : rsl_springModel;
    }
    // in centred lattices, bricks stand only in boxes along them
    if (body->network.construction == rsl_cornerLattice && CanBe(scene, body, rsl_brickModel))
    {
        return rsl_brickModel;
    }
    return SpringsSuffice(body, 0.25) ? rsl_springModel : rsl_dispersionModel;
}
