// SPDX-License-Identifier: MIT
//
// scene_model.c: a model as one text, for lists of them on a command line. The tables of the scene language say what its
// words mean, so that a model and its keys are known here as soon as a scene may name them.

#include "memory.h"
#include "scene_table.h"
#include "scene_value.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

enum
{
    PART_CAPACITY = 64
};

static const rslPlace nowhere = { 0, 0 };

// The key of the type that has the word; NULL: none has.
static const rslKey* FindOwner(const char* word, uint32_t type)
{
    for (int i = 0; i < rslModelStruct.keyCount; ++i)
    {
        const rslKey* key = &rslModelStruct.keys[i];
        if (i != rslModelStruct.lead && rslKey_AppliesTo(key, type) && key->words != NULL &&
            rslKey_FindWord(key, word) != NULL)
        {
            return key;
        }
    }
    return NULL;
}

static void ReportOption(const char* model, const char* option, uint32_t type, rslReport* report)
{
    char list[300];
    rslText text = rslText_Make(list, sizeof list);
    for (int i = 0; i < rslModelStruct.keyCount; ++i)
    {
        const rslKey* key = &rslModelStruct.keys[i];
        bool has = i != rslModelStruct.lead && rslKey_AppliesTo(key, type);
        for (const rslWord* word = has ? key->words : NULL; word != NULL && word->name != NULL; ++word)
        {
            rslText_Printf(&text, "%s%s", text.length > 0 ? ", " : "", word->name);
        }
        if (has && key->words == NULL)
        {
            rslText_Printf(&text, "%s%s=VALUE", text.length > 0 ? ", " : "", key->name);
        }
    }
    rslReport_Add(report, rsl_error, nowhere, "model '%.60s' has no option '%.60s'; it has %s", model, option,
                  text.length > 0 ? list : "none");
}

// One part of the text as a pair of the map: key=value, or a word that tells its key.
static bool AddPair(rslTree* tree, const char* part, bool first, uint32_t* type, char* model, rslReport* report)
{
    const rslKey* lead = &rslModelStruct.keys[rslModelStruct.lead];
    const char* equals = strchr(part, '=');
    const rslKey* owner = first ? lead : equals == NULL ? FindOwner(part, *type) : NULL;
    const char* name = owner != NULL ? owner->name : part;
    size_t length = owner != NULL || equals == NULL ? strlen(name) : (size_t)(equals - part);
    const char* value = equals != NULL && !first ? equals + 1 : part;
    if (first)
    {
        const rslWord* word = rslKey_FindWord(lead, part);
        *type = word != NULL ? (uint32_t)1 << word->value : RSL_ALL_TYPES;
        snprintf(model, PART_CAPACITY, "%s", part);
    }
    else if (owner == NULL && equals == NULL)
    {
        ReportOption(model, part, *type, report);
        return false;
    }
    return rslTree_Add(tree, 0, rsl_scalarNode, name, length, false, nowhere) >= 0 &&
           rslTree_Add(tree, 0, rsl_scalarNode, value, strlen(value), false, nowhere) >= 0;
}

// The next part up to a colon, with _ for - in words; false: it is too long.
static bool TakePart(const char** text, char part[PART_CAPACITY])
{
    size_t length = strcspn(*text, ":");
    bool fits = length < PART_CAPACITY;
    snprintf(part, PART_CAPACITY, "%.*s", (int)(fits ? length : PART_CAPACITY - 1), *text);
    for (char* c = part; *c != 0 && *c != '='; ++c)
    {
        *c = *c == '-' ? '_' : *c;
    }
    *text += length;
    return fits;
}

static rslStatus MakeTree(const char* text, rslTree* tree, rslReport* report)
{
    char part[PART_CAPACITY], model[PART_CAPACITY] = "";
    uint32_t type = RSL_ALL_TYPES;
    int before = report->errors;
    bool good = tree->arena != NULL && rslTree_Add(tree, -1, rsl_mapNode, NULL, 0, false, nowhere) == 0;
    for (bool first = true; good; first = false)
    {
        if (!TakePart(&text, part))
        {
            rslReport_Add(report, rsl_error, nowhere, "'%s...' is too long for the name of a model", part);
            return rsl_badInput;
        }
        good = AddPair(tree, part, first, &type, model, report);
        if (*text == 0)
        {
            break;
        }
        text += 1;
    }
    return good ? rsl_ok : report->errors > before ? rsl_badInput : rsl_outOfMemory;
}

rslStatus rslModelDef_Read(const char* text, const rslHooks* hooks, rslModelDef* model, rslReport* report)
{
    rslReport unheard = { 0 };
    rslReport* heard = report != NULL ? report : &unheard;
    rslHooks complete = rslHooks_Complete(hooks);
    rslTree tree = rslTree_Make(&complete);
    rslArena arena = rslArena_Make(&complete);
    *model = rslDefaultModelDef();
    rslStatus status = MakeTree(text, &tree, heard);
    if (status == rsl_ok)
    {
        rslReader reader = {
            .tree = &tree,
            .arena = &arena,
            .trail = { .report = heard },
            .origins = { .tree = &tree, .hooks = complete },
        };
        rslTrail_Push(&reader.trail, "model", -1);
        rslReader_Struct(&reader, &rslModelStruct, 0, model);
        rslRelease(&complete, reader.origins.items);
        status = reader.outOfMemory ? rsl_outOfMemory : reader.trail.errors > 0 ? rsl_badInput : rsl_ok;
    }
    rslArena_Free(&arena);
    rslTree_Free(&tree);
    return status;
}
