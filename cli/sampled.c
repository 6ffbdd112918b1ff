// SPDX-License-Identifier: MIT
//
// sampled.c: see sampled.h.

#include "sampled.h"

#include <math.h>

const cliModelChoice cliSampledModels[CLI_SAMPLED_MODELS] = {
    { "Baudet", "box", "edges", "baudet" },
    { "brick", "brick", "law", "corotational" },
    { "Baudet with tuned edges", "box", "edges", "tuned" },
    { "springs with dispersion", "dispersion", "variant", "energy" },
    { "trilinear elements", "fem", "element", "trilinear" },
    { "incompatible elements", "fem", "element", "incompatible" },
};

const cliModelChoice cliSampledReference = { "reference", "fem", "element", "incompatible" };

cliSampledCurves cliSampled_Plot(cliStudy* study, const char* title, const cliSampling samplings[CLI_SAMPLINGS])
{
    cliSampledCurves curves;
    cliPlot* plot = cliStudy_Plot(study, title);
    for (int s = 0; s < CLI_SAMPLINGS; ++s)
    {
        cliPanel* panel = cliPlot_AddPanel(plot, samplings[s].name, "Poisson's ratio", "mean error over max |u| [%]");
        cliPanel_SetLog(panel, false, true);
        if (!isnan(samplings[s].published[0]))
        {
            cliPanel_AddLevel(panel, "published, nu not stated", 0.1, 0.45, 100 * samplings[s].published[0]);
        }
        for (int m = 0; m < CLI_SAMPLED_MODELS; ++m)
        {
            curves.of[s][m] = cliPanel_AddCurve(panel, cliSampledModels[m].name, cliStyle_Ours(1 + m));
        }
    }
    return curves;
}

void cliSampled_Add(cliStudy* study, int model, const char* where, const cliSampling* sampling,
                    const cliFieldError* error, double bar)
{
    static const char* const names[3] = { "mean error", "standard deviation", "largest error" };
    const double ours[3] = { error->mean, error->deviation, error->most };
    for (int i = 0; i < (model == CLI_BAUDET ? 3 : 1); ++i)
    {
        cliQuantity q = cliQuantity_Make(ours[i], "", "%s, %s, %s, %s", names[i], where, sampling->name,
                                         cliSampledModels[model].name);
        if (model == CLI_BAUDET && !isnan(sampling->published[i]))
        {
            q.published = sampling->published[i];
            q.uncertainty = sampling->digit[i] / 2;
        }
        q.highest = i == 0 ? bar : NAN;
        cliQuantity_Note(&q, "Of %d nodes.", error->count);
        if (model != CLI_BAUDET)
        {
            cliQuantity_Note(&q, "Standard deviation %.4f, largest %.4f, of %d nodes.", error->deviation, error->most,
                             error->count);
        }
        cliStudy_Add(study, &q);
    }
}
