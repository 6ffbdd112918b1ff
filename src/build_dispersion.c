// SPDX-License-Identifier: MIT
//
// build_dispersion.c: which constants give springs with dispersion the moduli that are asked for; the
// forces are in force_dispersion.c.
//
// Springs alone have lam = mu and the bulk modulus K0 = 5/3 mu. Let the strain be uniform, and the springs of every node such
// that sum k L^2 n n is isotropic. Then h is a third of the trace of the strain at every node, both ends of a spring add
// k L 2 q h to its tension, and the stress grows by 2 q K0 times the trace:
//
//   lam = mu + B,  B = 2 q K0 = 10/3 q mu,  nu = lam / (2 (lam + mu))    =>    q = 3 (4 nu - 1) / (10 (1 - 2 nu))
//
// The shear modulus stays that of the springs: they are those of a material with E0 = 5/2 mu = 5 E / (4 (1 + nu)), nu0 = 1/4.
// The published and the transposed variant have the same sums. In the cheap one h is the mean of dL instead of dL / L, and q is
// larger by (sum k) (sum k L^2) / (sum k L)^2, 1.0234 for shells AB.

#include "build.h"
#include "lattice.h"
#include "spread.h"

#include <math.h>

double rslDispersion_Q(double poisson)
{
    return 3.0 * (4.0 * poisson - 1.0) / (10.0 * (1.0 - 2.0 * poisson));
}

rslMaterialDef rslBuild_Material(const rslBodyDef* def, const rslMaterialDef* material)
{
    rslMaterialDef resolved = rslMaterial_Resolve(material);
    if (def->model.type == rsl_dispersionModel)
    {
        resolved.young *= 1.25 / (1.0 + resolved.poisson);
        resolved.poisson = 0.25;
    }
    return resolved;
}

typedef struct Sums
{
    double k, kL, kLL;
} Sums;

static bool AddSpring(const rslSpring* spring, void* context)
{
    Sums* sums = context;
    sums->k += spring->stiffness;
    sums->kL += spring->stiffness * spring->restLength;
    sums->kLL += spring->stiffness * spring->restLength * spring->restLength;
    return true;
}

// By the springs of a node within a lattice, or all those of a network.
static double CheapFactor(const rslModel* model, int index)
{
    const rslBody* body = &model->bodies[index];
    Sums sums = { 0 };
    for (int d = 0; body->kind == rsl_latticeBody && d < RSL_LATTICE_BONDS; ++d)
    {
        AddSpring(&(rslSpring){ .stiffness = body->lattice.stiffness[d],
                                .restLength = rslLattice_RestLength(&body->lattice, d) },
                  &sums);
    }
    if (body->kind == rsl_networkBody)
    {
        rslModel_VisitSprings(model, index, AddSpring, &sums);
    }
    return sums.kL > 0.0 ? sums.k * sums.kLL / (sums.kL * sums.kL) : 1.0;
}

// Moduli of springs become those with dispersion.
static void Predict(double q, double* young, double* poisson, double shear, double* bulk)
{
    *bulk *= 1.0 + 2.0 * q;
    *young = 9.0 * *bulk * shear / (3.0 * *bulk + shear);
    *poisson = (3.0 * *bulk - 2.0 * shear) / (2.0 * (3.0 * *bulk + shear));
}

void rslBuild_Dispersion(rslBuild* build, const rslBodyDef* def, int index)
{
    rslBody* body = &build->bodies[index];
    if (def->model.type != rsl_dispersionModel)
    {
        return;
    }
    bool cheap = def->model.variant == rsl_cheapDispersion;
    double q = rslDispersion_Q(rslMaterial_Resolve(&def->material).poisson);
    body->dispersion.variant = def->model.variant;
    body->dispersion.lag = def->model.lag;
    body->dispersion.q = q;
    body->dispersion.scale = cheap ? CheapFactor(build->model, index) : 1.0;
    Predict(q, &body->young, &body->poisson, body->shear, &body->bulk);
    body->waveSpeed = sqrt((body->bulk + 4.0 / 3.0 * body->shear) / body->density);
    rslRegion* regions = (rslRegion*)body->regions;
    for (int r = 0; r < body->regionCount; ++r)
    {
        const rslMaterialDef* material = r == 0 ? &def->material : &def->regions[r - 1].material;
        if (regions[r].young > 0.0)
        {
            Predict(rslDispersion_Q(rslMaterial_Resolve(material).poisson), &regions[r].young, &regions[r].poisson,
                    regions[r].shear, &regions[r].bulk);
        }
    }
}

bool rslModel_HasEnergy(const rslModel* model)
{
    bool has = true;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        rslDispersionVariant variant = model->bodies[b].dispersion.variant;
        bool own = variant == rsl_energyDispersion || variant == rsl_cheapDispersion;
        has = has && (own || !rslBody_Disperses(&model->bodies[b]));
        has = has && model->bodies[b].enclosed.method != rsl_explicitVolume;
    }
    return has;
}

const char* rslModel_WithoutEnergy(const rslModel* model)
{
    for (int b = 0; b < model->bodyCount; ++b)
    {
        rslVolumeMethod method = model->bodies[b].enclosed.method;
        if (method == rsl_explicitVolume || method == rsl_hardVolume)
        {
            return method == rsl_explicitVolume
                       ? "explicit volume of this model has none: use method implicit or pressure"
                       : "hard volume of this model is no energy but a constraint: use method pressure";
        }
    }
    return rslModel_HasEnergy(model) ? NULL : "dispersion of this model has none: use variant energy or cheap";
}
