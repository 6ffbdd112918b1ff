// SPDX-License-Identifier: MIT
//
// dispersion_fixture.h: a body of springs with dispersion, and Poisson's ratios for it.

#pragma once

#include "physics_fixture.h"

static const double ratios[] = { -0.9, -0.5, 0.0, 0.1, 0.25, 0.35, 0.45, 0.49 };
enum
{
    RATIOS = sizeof ratios / sizeof *ratios
};

static inline rslBodyDef Dispersed(const rslShapeDef* shape, double poisson, rslDispersionVariant variant)
{
    rslBodyDef body = LatticeBody("block", shape, 0.1);
    body.surface.enabled = false;
    body.model.type = rsl_dispersionModel;
    body.model.variant = variant;
    body.material.poisson = poisson;
    return body;
}
