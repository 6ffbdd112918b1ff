// SPDX-License-Identifier: MIT
//
// variant.c: see variant.h.

#include "variant.h"

const cliVariant cliVariants[CLI_VARIANTS] = {
    { "corner, anti-aliased", true, true },
    { "corner, whole cells", true, false },
    { "centred, anti-aliased", false, true },
    { "centred, whole cells", false, false },
};

void cliVariant_Choose(const cliVariant* variant, cliStudy* study)
{
    cliStudy_Reset(study);
    cliStudy_Set(study, "body.network.construction", "%s", variant->corner ? "corner" : "centred");
    cliStudy_Set(study, "body.network.antialias", "%s", variant->antialias ? "true" : "false");
}
