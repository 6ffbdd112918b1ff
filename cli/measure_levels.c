// SPDX-License-Identifier: MIT
//
// measure_levels.c: what a body measures as at all of its levels of detail, side by side.

#include "measure.h"

#include "number.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

rslStatus cliLevels_Scene(const rslScene* scene, int body, int level, rslScene* out, rslBodyDef** bodies)
{
    *out = *scene;
    *bodies = malloc(sizeof(rslBodyDef) * (size_t)scene->bodyCount);
    if (*bodies == NULL)
    {
        return rsl_outOfMemory;
    }
    memcpy(*bodies, scene->bodies, sizeof(rslBodyDef) * (size_t)scene->bodyCount);
    (*bodies)[body].level = level;
    out->bodies = *bodies;
    return rsl_ok;
}

// A figure of every level, and how far it is from that of the finest; NaN: not known there.
static void AddRow(cliTable* table, const char* quantity, const char* unit, const double* values, int count)
{
    cliTable_Add(table, "%s", quantity);
    cliTable_Add(table, "%s", unit);
    for (int i = 0; i < count; ++i)
    {
        char text[32] = "";
        double off = values[i] / values[0] - 1.0;
        if (isfinite(values[i]))
        {
            snprintf(text, sizeof text, "%.6g", values[i]);
        }
        cliTable_Add(table, "%s", text);
        if (i > 0)
        {
            text[0] = 0;
            if (isfinite(off))
            {
                snprintf(text, sizeof text, "%+.3f %%", fabs(off) < 5e-6 ? 0.0 : 100.0 * off);
            }
            cliTable_Add(table, "%s", text);
        }
    }
}

static void AddHead(cliTable* table, const rslBodyDef* body, int count)
{
    cliTable_Add(table, "quantity");
    cliTable_Add(table, "unit");
    for (int i = 0; i < count; ++i)
    {
        cliTable_Add(table, "lod %.4g", body->lod[i]);
        if (i > 0)
        {
            cliTable_Add(table, "off");
        }
    }
}

// Directions are not nearer or farther, and blocks are as large as their cells: what depends on their size says nothing.
static bool IsComparable(const rslMeasurements* found, const rslMeasurement* row)
{
    bool direction = strncmp(row->quantity, "worst_", 6) == 0;
    bool ofSize =
        strcmp(row->unit, "Hz") == 0 || strcmp(row->unit, "N/m") == 0 || strncmp(row->quantity, "zeta", 4) == 0;
    return !direction && !(found->block && ofSize);
}

// Rows of all levels by the names that the finest has; of the body beside those of a block with a prefix.
static void AddRows(cliTable* table, rslMeasurements* const* found, int count, const char* prefix)
{
    for (int row = 0; found[0] != NULL && row < found[0]->count; ++row)
    {
        const rslMeasurement* quantity = &found[0]->list[row];
        double values[RSL_LEVELS_MOST] = { 0 };
        char name[40];
        for (int i = 0; i < count; ++i)
        {
            const rslMeasurement* same = found[i] != NULL ? rslMeasurements_Find(found[i], quantity->quantity) : NULL;
            values[i] = same != NULL ? same->ours : (double)NAN;
        }
        snprintf(name, sizeof name, "%s%s", prefix, quantity->quantity);
        if (IsComparable(found[0], quantity))
        {
            AddRow(table, name, quantity->unit, values, count);
        }
    }
}

void cliLevels_Print(const rslBodyDef* body, rslMeasurements* const* found, rslMeasurements* const* itself, int count)
{
    const rslMeasurements* first = found[0];
    double mass[RSL_LEVELS_MOST] = { 0 }, nodes[RSL_LEVELS_MOST] = { 0 };
    if (first == NULL)
    {
        return;
    }
    printf("levels of detail of %s '%s'\n", first->block ? "a block of the network of body" : "body", first->body);
    cliTable table = { .columns = 1 + 2 * count };
    AddHead(&table, body, count);
    for (int i = 0; i < count; ++i)
    {
        const rslMeasurements* own = itself[i] != NULL ? itself[i] : found[i];
        mass[i] = own != NULL ? own->mass : (double)NAN;
        nodes[i] = own != NULL ? (double)own->nodeCount : (double)NAN;
    }
    AddRow(&table, "nodes", "-", nodes, count);
    AddRow(&table, "mass", "kg", mass, count);
    AddRows(&table, found, count, "");
    AddRows(&table, itself, count, "body_");
    cliTable_Print(&table);
    cliTable_Free(&table);
}
