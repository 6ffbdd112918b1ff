// SPDX-License-Identifier: MIT
//
// displaced.c: where the nodes of a loaded scene were and where they are.

#include "displaced.h"

#include <stdlib.h>

cliDisplaced cliDisplaced_Take(const cliLoaded* loaded)
{
    const rslModel* model = loaded->model;
    size_t bytes = 3 * sizeof(double) * (size_t)model->nodeCount;
    cliDisplaced d = { .rest = malloc(bytes), .now = malloc(bytes) };
    rslState* start = NULL;
    if (d.rest != NULL && d.now != NULL && rslState_Create(model, loaded->state->precision, NULL, &start) == rsl_ok)
    {
        rslState_Positions(model, start, 0, model->nodeCount, d.rest);
        rslState_Positions(model, loaded->state, 0, model->nodeCount, d.now);
        d.count = model->nodeCount;
    }
    rslState_Free(start);
    return d;
}

void cliDisplaced_Free(cliDisplaced* displaced)
{
    free(displaced->rest);
    free(displaced->now);
    *displaced = (cliDisplaced){ 0 };
}
