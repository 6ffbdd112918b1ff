// SPDX-License-Identifier: MIT
//
// term.c: the table of force terms. To add a model, add a file and a line.

#include "term.h"

const Term* const RSL_NAME(rslTerms)[] = {
    &RSL_NAME(rslLatticeTerm),  &RSL_NAME(rslNetworkTerm),   &RSL_NAME(rslDispersionTerm),   &RSL_NAME(rslElementTerm),
    &RSL_NAME(rslBendTerm),     &RSL_NAME(rslRepulsionTerm), &RSL_NAME(rslCentroidTerm),     &RSL_NAME(rslLinkTerm),
    &RSL_NAME(rslGravityTerm),  &RSL_NAME(rslLoadTerm),      &RSL_NAME(rslPointDampingTerm), &RSL_NAME(rslVolumeTerm),
    &RSL_NAME(rslPressureTerm), &RSL_NAME(rslPlaneTerm),     &RSL_NAME(rslBarrierTerm),      NULL,
};
