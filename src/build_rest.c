// SPDX-License-Identifier: MIT
//
// build_rest.c: what repulsion that is felt at rest leaves of a material to finite elements, bricks, boxes and dispersion.
//
// Repulsion with the share s is an isotropic material of its own with lam = mu = q (build_share.c):
//
//   q = 2/5 s E  in a solid,    3/8 s E  in a sheet, per thickness
//
// Moduli add up, so that the rest has mu' = mu - q and lam' = lam - q, where lam is that of plane stress, E nu / (1 - nu^2), in sheets:
//
//   solid  E' = mu' (3 lam' + 2 mu') / (lam' + mu'),   nu' = lam' / (2 (lam' + mu'))
//   sheet  E' = 4 mu' (lam' + mu') / (lam' + 2 mu'),   nu' = lam' / (lam' + 2 mu')
//
// Both must resist shear and swelling: mu' > 0 and 3 lam' + 2 mu' > 0 (lam' + mu' > 0 in sheets). Springs alone have
// Cauchy's symmetry as repulsion has; they are simply left with 1 - s. Dampers are those of the whole material:
// alpha1' mu' = alpha1 mu.

#include "build.h"

#include <math.h>

static bool IsSheet(const rslBodyDef* def)
{
    return def->network.type == rsl_sheetNetwork;
}

bool rslBuild_HasRest(const rslBodyDef* def)
{
    bool felt = def->repulsion.type > rsl_clampedRepulsion && def->network.type != rsl_explicitNetwork;
    return felt && def->model.type != rsl_springModel && def->model.type != rsl_rigidModel;
}

// Found, expected; NULL: none.
static const char* FindProblem(const rslBodyDef* def)
{
    bool dispersion = def->model.type == rsl_dispersionModel;
    return !isnan(def->repulsion.stiffness) ? "found 'stiffness' beside a model that is not springs, expected 'share': "
                                              "what is left for the model has to be "
                                              "known before it is built"
           : def->regionCount > 0 ? "found regions beside a model that is not springs, expected one material, or "
                                    "model: springs on a lattice"
           : def->network.type == rsl_latticeNetwork && def->network.construction != rsl_cornerLattice
               ? "found a centred lattice of a model that is not springs, expected construction: corner, or model: "
                 "springs"
           : dispersion && def->network.calibrate != rsl_noCalibration
               ? "found 'calibrate' beside dispersion, expected calibrate: none, or model: springs"
               : NULL;
}

rslStatus rslBuild_LeaveRest(rslBuild* build, rslBodyDef* def)
{
    const char* problem = rslBuild_HasRest(def) ? FindProblem(def) : NULL;
    if (problem != NULL)
    {
        rslReport_Add(build->report, rsl_error, def->repulsion.place, "repulsion of body '%s': %s", def->name, problem);
        return rsl_badInput;
    }
    if (!rslBuild_HasRest(def))
    {
        return rsl_ok;
    }
    rslMaterialDef material = rslMaterial_Resolve(&def->material);
    bool sheet = IsSheet(def);
    double nu = material.poisson, mu = 0.5 / (1.0 + nu), lam = nu / (1.0 + nu) / (sheet ? 1.0 - nu : 1.0 - 2.0 * nu);
    double share = isnan(def->repulsion.share) ? 0.2 : def->repulsion.share, one = sheet ? 0.375 : 0.4;
    double swell = sheet ? (lam + mu) / 2.0 : (3.0 * lam + 2.0 * mu) / 5.0, most = fmin(mu, swell) / one;
    if (!(share < most))
    {
        rslReport_Add(
            build->report, rsl_error, def->repulsion.place,
            "repulsion of body '%s': found the share %.4g, of which nothing is left to resist %s at Poisson's ratio "
            "%.4g; expected a share below %.3g",
            def->name, share, mu < swell ? "shear" : "swelling", nu, most);
        return rsl_badInput;
    }
    double m = mu - share * one, l = lam - share * one;
    material.young *= sheet ? 4.0 * m * (l + m) / (l + 2.0 * m) : m * (3.0 * l + 2.0 * m) / (l + m);
    material.poisson = l / (sheet ? l + 2.0 * m : 2.0 * (l + m));
    material.stiffnessDamping *= mu / m;
    def->material = material;
    return rsl_ok;
}

void rslBuild_AddRest(const rslBodyDef* def, rslBody* body)
{
    rslMaterialDef material = rslMaterial_Resolve(&def->material);
    bool sheet = IsSheet(def);
    double nu = material.poisson, mu = material.young / (2.0 * (1.0 + nu));
    double stretch = sheet ? material.young / (1.0 - nu * nu) : 2.0 * mu * (1.0 - nu) / (1.0 - 2.0 * nu);
    body->young = material.young;
    body->poisson = nu;
    body->shear = mu;
    body->bulk = material.young / (sheet ? 2.0 * (1.0 - nu) : 3.0 * (1.0 - 2.0 * nu));
    body->waveSpeed = sqrt(stretch / material.density);
}
