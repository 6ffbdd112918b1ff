// SPDX-License-Identifier: MIT
//
// model_choice.c: see model_choice.h.

#include "model_choice.h"

void cliModelChoice_Set(const cliModelChoice* choice, cliStudy* study)
{
    cliStudy_Set(study, "body.model.type", "%s", choice->type);
    if (choice->key != NULL)
    {
        cliStudy_Set(study, cliNamed("body.model.%s", choice->key).text, "%s", choice->word);
    }
}
