// SPDX-License-Identifier: MIT
//
// reproduce_print.c: what came of an experiment, for people and as JSON.

#include "json.h"
#include "number.h"
#include "study.h"
#include "table.h"

#include <math.h>

static void AddRow(cliTable* table, const cliQuantity* q)
{
    double error = cliQuantity_Error(q);
    cliVerdict pass = cliQuantity_Pass(q);
    cliTable_Add(table, q->unit[0] != 0 ? "  %s [%s]" : "  %s", q->name, q->unit);
    cliTable_Add(table, "%s", cliNumberText(q->published).text);
    cliTable_Add(table, "%s", cliNumberText(q->reference).text);
    cliTable_Add(table, "%s", cliNumberText(q->ours).text);
    cliTable_Add(table, isnan(error) ? "-" : "%.2g", error);
    cliTable_Add(table, "%s", cliQuantity_BarText(q).text);
    cliTable_Add(table, "%s", pass == cli_yes ? "pass" : pass == cli_no ? "MISSED" : "-");
    cliTable_Add(table, "%s", cliVerdict_Word(cliQuantity_MatchesPublished(q), "not stated"));
}

void cliStudy_Print(const cliStudy* study)
{
    static const char* const head[] = { "  quantity", "published", "theory",  "ours",
                                        "error",      "bar",       "verdict", "as published" };
    printf("%s: %s (%s)\n", study->experiment->name, study->experiment->title, cliDuration(study->seconds).text);
    cliTable table = { .columns = sizeof head / sizeof head[0] };
    for (int i = 0; i < table.columns; ++i)
    {
        cliTable_Add(&table, "%s", head[i]);
    }
    for (int i = 0; i < study->quantityCount; ++i)
    {
        AddRow(&table, &study->quantities[i]);
    }
    cliTable_Print(&table);
    cliTable_Free(&table);
    printf("\n");
    fflush(stdout);  // before the progress of the next one
}

static void JsonBar(cliJson* json, const cliQuantity* q)
{
    if (isnan(q->lowest) && isnan(q->highest))
    {
        cliJson_Number(json, "bar", q->bar);
        return;
    }
    cliJson_BeginList(json, "bar");
    cliJson_Number(json, NULL, q->lowest);
    cliJson_Number(json, NULL, q->highest);
    cliJson_End(json);
}

static void JsonPass(cliJson* json, cliVerdict pass)
{
    if (pass == cli_unjudged)
    {
        cliJson_Null(json, "pass");
        return;
    }
    cliJson_Bool(json, "pass", pass == cli_yes);
}

static void JsonRecord(cliJson* json, const cliStudy* study, const cliQuantity* q)
{
    cliJson_Begin(json, NULL);
    cliJson_Text(json, "experiment", study->experiment->name);
    cliJson_Text(json, "quantity", q->name);
    cliJson_Text(json, "unit", q->unit);
    cliJson_Number(json, "published", q->published);
    cliJson_Number(json, "reference", q->reference);
    cliJson_Number(json, "ours", q->ours);
    cliJson_Number(json, "error", cliQuantity_Error(q));
    JsonBar(json, q);
    JsonPass(json, cliQuantity_Pass(q));
    cliJson_Text(json, "matches_published", cliVerdict_Word(cliQuantity_MatchesPublished(q), "not stated"));
    cliJson_Number(json, "seconds", study->seconds);
    cliJson_Text(json, "note", q->note);
    cliJson_End(json);
}

void cliStudies_Json(cliStudy* const* studies, int count, FILE* file)
{
    cliJson json = { .file = file };
    cliJson_BeginList(&json, NULL);
    for (int i = 0; i < count; ++i)
    {
        const cliStudy* study = studies[i];
        for (int q = 0; q < study->quantityCount; ++q)
        {
            JsonRecord(&json, study, &study->quantities[q]);
        }
        if (study->failed)
        {
            // a bar that nothing was measured against is missed
            cliQuantity failed = cliQuantity_Make(NAN, "", "ran to its end");
            failed.lowest = 1;
            cliQuantity_Note(&failed, "%s", study->failure);
            JsonRecord(&json, study, &failed);
        }
    }
    cliJson_End(&json);
}
