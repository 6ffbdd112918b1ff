// SPDX-License-Identifier: MIT
//
// sampled.h: Baudet's experiments: models on the same nodes, at two samplings, in the statistics of the paper.

#pragma once

#include "field_error.h"
#include "model_choice.h"

enum
{
    CLI_SAMPLINGS = 2,
    CLI_SAMPLED_MODELS = 6,
    CLI_BAUDET = 0,  // of the models
    CLI_BRICK = 1,
};

// Mean, standard deviation and largest error as published, and the last digit of each. NaN: not stated.
typedef struct cliSampling
{
    const char* name;
    double spacing, published[3], digit[3];
} cliSampling;

extern const cliModelChoice cliSampledModels[CLI_SAMPLED_MODELS];
extern const cliModelChoice cliSampledReference;

typedef struct cliSampledCurves
{
    cliCurve* of[CLI_SAMPLINGS][CLI_SAMPLED_MODELS];
} cliSampledCurves;

// A plot of the mean error over nu, a panel for each sampling.
cliSampledCurves cliSampled_Plot(cliStudy* study, const char* title, const cliSampling samplings[CLI_SAMPLINGS]);

// The mean error, of the paper's own model also deviation and largest. The bar is one of the mean; NaN: none.
void cliSampled_Add(cliStudy* study, int model, const char* where, const cliSampling* sampling,
                    const cliFieldError* error, double bar);
