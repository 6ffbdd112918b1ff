// SPDX-License-Identifier: MIT
//
// model_choice.h: a model that an experiment gives the first body of its scene.

#pragma once

#include "reproduce.h"

typedef struct cliModelChoice
{
    const char *name, *type;  // for people; body.model.type
    const char *key, *word;   // body.model.KEY = word; NULL: nothing
} cliModelChoice;

void cliModelChoice_Set(const cliModelChoice* choice, cliStudy* study);
