// SPDX-License-Identifier: MIT
//
// crew.h: threads that step a stage, whatever scene it has. A browser starts and takes back threads between calls only; so they are not made
// anew with every solver, as solvers do it by themselves.

#pragma once

#include "resilin/model.h"
#include "resilin/solver.h"

typedef struct rslTeam rslTeam;

typedef struct webCrew
{
    rslTeam* team;  // NULL: the caller is alone
} webCrew;

// As many threads as can be had at once, at most so many, with the caller's. Returns their number. Those that are given up can be had again after
// a turn of the page's loop.
int webCrew_Set(webCrew* crew, int threads);

int webCrew_Threads(const webCrew* crew);

// Threads that a model is large enough for.
int webCrew_Most(const rslModel* model);

// Of a solver: its user is the crew.
rslRunTasks webCrew_Run;
