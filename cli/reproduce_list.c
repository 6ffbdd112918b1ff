// SPDX-License-Identifier: MIT
//
// reproduce_list.c: the experiments there are, in the order of the papers, and one of our own.

#include "reproduce.h"

extern const cliExperiment cliKotTable31;
extern const cliExperiment cliKotFigure31;
extern const cliExperiment cliKotFigure33;
extern const cliExperiment cliKotFigure36;
extern const cliExperiment cliKotFigure313;
extern const cliExperiment cliKotFigure315;
extern const cliExperiment cliKotFigure45;
extern const cliExperiment cliKotFigure46;
extern const cliExperiment cliKotFigure47;
extern const cliExperiment cliKotFigure48;
extern const cliExperiment cliKotFigure51;
extern const cliExperiment cliKotFigure52;
extern const cliExperiment cliKotFigure54;
extern const cliExperiment cliKotFigure56;
extern const cliExperiment cliKotResolution;
extern const cliExperiment cliKotFigure61;
extern const cliExperiment cliKotFigure63;
extern const cliExperiment cliKotTable61;
extern const cliExperiment cliKotFigure69;
extern const cliExperiment cliLloydStiffness;
extern const cliExperiment cliLloydFigure1;
extern const cliExperiment cliBaudetFigure4;
extern const cliExperiment cliBaudetFigure5;
extern const cliExperiment cliBaudetFigure6;
extern const cliExperiment cliVassilevFigure2;
extern const cliExperiment cliVassilevFigure3;
extern const cliExperiment cliVassilevFigure4;
extern const cliExperiment cliVassilevTable1;
extern const cliExperiment cliCooperFigure1;
extern const cliExperiment cliCooperFigure6;
extern const cliExperiment cliCooperFigure7;
extern const cliExperiment cliCooperFigure9;
extern const cliExperiment cliCooperFigure13;
extern const cliExperiment cliLevelsOfDetail;

static const cliExperiment* const list[] = {
    &cliKotTable31,      &cliKotFigure31,     &cliKotFigure33,    &cliKotFigure36,    &cliKotFigure313,
    &cliKotFigure315,    &cliKotFigure45,     &cliKotFigure46,    &cliKotFigure47,    &cliKotFigure48,
    &cliKotFigure51,     &cliKotFigure52,     &cliKotFigure54,    &cliKotFigure56,    &cliKotResolution,
    &cliKotFigure61,     &cliKotFigure63,     &cliKotTable61,     &cliKotFigure69,    &cliLloydStiffness,
    &cliLloydFigure1,    &cliBaudetFigure4,   &cliBaudetFigure5,  &cliBaudetFigure6,  &cliVassilevFigure2,
    &cliVassilevFigure3, &cliVassilevFigure4, &cliVassilevTable1, &cliCooperFigure1,  &cliCooperFigure6,
    &cliCooperFigure7,   &cliCooperFigure9,   &cliCooperFigure13, &cliLevelsOfDetail,
};

const cliExperiment* const* cliExperiment_List(int* count)
{
    *count = sizeof list / sizeof list[0];
    return list;
}
