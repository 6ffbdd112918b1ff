// SPDX-License-Identifier: MIT
//
// schema_text.c: the tables of the scene language as a JSON Schema (draft 7, which editors know) and as the reference
// in docs/scene.md.

#include "resilin/tree.h"

#include "scene_schema.h"
#include "text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Whether a key has a default worth telling.
static bool HasDefault(const rslKey* key)
{
    switch (key->kind)
    {
        case rsl_numberKey: return !key->optional;
        case rsl_numberOrAutoKey:
        case rsl_integerKey:
        case rsl_seedKey:
        case rsl_boolKey:
        case rsl_enumKey:
        case rsl_vectorKey:
        case rsl_numbersKey:
        case rsl_integersKey:
        case rsl_flagsKey: return true;
        default: return false;
    }
}

// ---- JSON Schema ------------------------------------------------------------------------------------------------

static void JsonRange(rslText* text, const rslKey* key)
{
    if (rslRange_IsAny(key->range))
    {
        return;
    }
    rslText_Append(text, key->range.minOpen ? ", \"exclusiveMinimum\": " : ", \"minimum\": ");
    rslText_Number(text, key->range.min);
    if (!isinf(key->range.max))
    {
        rslText_Append(text, key->range.maxOpen ? ", \"exclusiveMaximum\": " : ", \"maximum\": ");
        rslText_Number(text, key->range.max);
    }
}

static void JsonNumber(rslText* text, const rslKey* key, bool whole)
{
    rslText_Printf(text, "{\"type\": \"%s\"", whole ? "integer" : "number");
    JsonRange(text, key);
    rslText_Append(text, "}");
}

static void JsonRow(rslText* text, const rslKey* key, bool whole, int width)
{
    rslText_Append(text, "{\"type\": \"array\", \"items\": ");
    JsonNumber(text, key, whole);
    rslText_Printf(text, ", \"minItems\": %d, \"maxItems\": %d}", width, width);
}

static void JsonWords(rslText* text, const rslKey* key)
{
    rslText_Append(text, "{\"enum\": [");
    for (const rslWord* word = key->words; word->name != NULL; ++word)
    {
        rslText_Printf(text, "%s\"%s\"", word == key->words ? "" : ", ", word->name);
    }
    rslText_Append(text, "]}");
}

static void JsonList(rslText* text, const rslKey* key)
{
    bool whole = key->kind == rsl_integerListKey || key->kind == rsl_integerRowsKey;
    rslText_Printf(text, "{\"type\": \"array\", \"minItems\": %d, \"items\": ", key->minCount);
    if (key->kind == rsl_structListKey)
    {
        rslText_Printf(text, "{\"$ref\": \"#/definitions/%s\"}", key->of->name);
    }
    else if (key->kind == rsl_flagsKey)
    {
        JsonWords(text, key);
    }
    else if (key->width > 0)
    {
        JsonRow(text, key, whole, key->width);
    }
    else
    {
        JsonNumber(text, key, whole);
    }
    rslText_Append(text, key->kind == rsl_flagsKey ? ", \"uniqueItems\": true}" : "}");
}

// What a value of the key looks like.
static void JsonValue(rslText* text, const rslKey* key)
{
    switch (key->kind)
    {
        case rsl_numberKey: JsonNumber(text, key, false); break;
        case rsl_numberOrAutoKey:
            rslText_Append(text, "{\"anyOf\": [");
            JsonNumber(text, key, false);
            rslText_Append(text, ", {\"const\": \"auto\"}]}");
            break;
        case rsl_integerKey: JsonNumber(text, key, true); break;
        case rsl_seedKey: rslText_Append(text, "{\"type\": \"integer\", \"minimum\": 0}"); break;
        case rsl_boolKey: rslText_Append(text, "{\"type\": \"boolean\"}"); break;
        case rsl_stringKey: rslText_Append(text, "{\"type\": \"string\"}"); break;
        case rsl_nameKey:
            rslText_Append(text, "{\"type\": \"string\", \"pattern\": \"^[A-Za-z][A-Za-z0-9_-]{0,63}$\"}");
            break;
        case rsl_enumKey: JsonWords(text, key); break;
        case rsl_vectorKey: JsonRow(text, key, false, 3); break;
        case rsl_numbersKey: JsonRow(text, key, false, key->width); break;
        case rsl_integersKey: JsonRow(text, key, true, key->width); break;
        case rsl_numberListKey:
            rslText_Append(text, "{\"anyOf\": [");
            JsonNumber(text, key, false);
            rslText_Append(text, ", ");
            JsonList(text, key);
            if (key->words != NULL)
            {
                rslText_Append(text, ", ");
                JsonWords(text, key);
            }
            rslText_Append(text, "]}");
            break;
        case rsl_structKey:
        case rsl_structPointerKey: rslText_Printf(text, "{\"$ref\": \"#/definitions/%s\"}", key->of->name); break;
        default: JsonList(text, key); break;
    }
}

static void JsonKey(rslText* text, const rslKey* key, const rslAnyDef* untold, const char* type)
{
    bool unit = key->unit != NULL && key->unit[0] != 0;
    char description[400];
    snprintf(description, sizeof description, "%s%s%s%s", key->text, unit ? " [" : "", unit ? key->unit : "",
             unit ? "]" : "");
    rslText_Printf(text, "\"%s\": {\"description\": ", key->name);
    rslText_Quoted(text, description);
    if (type != NULL)
    {
        rslText_Printf(text, ", \"const\": \"%s\"}", type);
        return;
    }
    if (HasDefault(key) && key->needed == 0)
    {
        rslText_Append(text, ", \"default\": ");
        rslKey_PrintValue(key, untold, true, -1, text);
    }
    rslText_Append(text, ", \"allOf\": [");
    JsonValue(text, key);
    rslText_Append(text, "]}");
}

// A struct as an object, for one type of it when it is tagged.
static void JsonObject(rslText* text, const rslStruct* def, const rslWord* word)
{
    uint32_t bit = word != NULL ? (uint32_t)1 << word->value : RSL_ALL_TYPES;
    rslAnyDef untold;
    rslStruct_Reference(def, NULL, rsl_space3, &untold);
    rslText_Append(text, "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
    bool first = true;
    for (int i = 0; i < def->keyCount; ++i)
    {
        if (rslKey_AppliesTo(&def->keys[i], bit))
        {
            rslText_Append(text, first ? "\n        " : ",\n        ");
            JsonKey(text, &def->keys[i], &untold, word != NULL && i == def->lead ? word->name : NULL);
            first = false;
        }
    }
    rslText_Append(text, "},\n      \"required\": [");
    // a type that is not the default one has to be told
    bool told = word != NULL && !def->guessed && rslStruct_TypeBit(def, &untold) != bit;
    first = true;
    for (int i = 0; i < def->keyCount; ++i)
    {
        if ((def->keys[i].needed & bit) != 0 || (told && i == def->lead))
        {
            rslText_Printf(text, "%s\"%s\"", first ? "" : ", ", def->keys[i].name);
            first = false;
        }
    }
    rslText_Append(text, "]}");
}

static void JsonStruct(rslText* text, const rslStruct* def)
{
    rslText_Printf(text, "    \"%s\": {\"description\": ", def->name);
    rslText_Quoted(text, def->text);
    rslText_Append(text, ", \"anyOf\": [\n      ");
    const rslWord* word = def->tagged ? def->keys[def->lead].words : NULL;
    do
    {
        JsonObject(text, def, word);
        word = word != NULL && word[1].name != NULL ? word + 1 : NULL;
        rslText_Append(text, word != NULL ? ",\n      " : "");
    } while (word != NULL);
    if (def->brief >= 0)
    {
        rslText_Append(text, ",\n      ");
        JsonValue(text, &def->keys[def->brief]);
    }
    rslText_Append(text, "]}");
}

size_t rslSchema_Json(char* buffer, size_t capacity)
{
    rslText text = rslText_Make(buffer, capacity);
    rslText_Append(&text, "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
                          "  \"title\": \"resilin scene\",\n"
                          "  \"allOf\": [{\"$ref\": \"#/definitions/scene\"}],\n"
                          "  \"definitions\": {\n");
    for (int i = 0; rslSchema_Struct(i) != NULL; ++i)
    {
        JsonStruct(&text, rslSchema_Struct(i));
        rslText_Append(&text, rslSchema_Struct(i + 1) != NULL ? ",\n" : "\n");
    }
    rslText_Append(&text, "  }\n}\n");
    return text.length;
}

// ---- the reference ----------------------------------------------------------------------------------------------

static void MarkdownTypes(rslText* text, const rslKey* key, uint32_t mask)
{
    bool first = true;
    for (const rslWord* word = key->words; word->name != NULL; ++word)
    {
        if ((mask & ((uint32_t)1 << word->value)) != 0)
        {
            rslText_Printf(text, "%s%s", first ? "" : ", ", word->name);
            first = false;
        }
    }
}

static void MarkdownValue(rslText* text, const rslKey* key)
{
    char expected[300];
    rslKey plain = *key;
    plain.unit = NULL;  // has its own column
    if (key->of != NULL)
    {
        const char* list = key->kind == rsl_structListKey ? "list of " : "";
        rslText_Printf(text, "%s[%s](#%s)", list, key->of->name, key->of->name);
        return;
    }
    rslKey_Expected(&plain, expected, sizeof expected);
    rslText_Append(text, key->kind == rsl_enumKey ? "a word, see below" : expected);
}

static void MarkdownKey(rslText* text, const rslStruct* def, const rslKey* key, const rslAnyDef* untold)
{
    const char* unit = key->unit == NULL ? "" : key->unit[0] == 0 ? "1" : key->unit;
    rslText_Printf(text, "| `%s` | ", key->name);
    MarkdownValue(text, key);
    rslText_Printf(text, " | %s | ", unit);
    bool always = key->needed == RSL_ALL_TYPES || (key->needed != 0 && key->needed == key->types);
    if (always)
    {
        rslText_Append(text, "*required*");
    }
    else if (key->needed != 0)
    {
        rslText_Append(text, "*required for* ");
        MarkdownTypes(text, &def->keys[def->lead], key->needed);
    }
    else if (HasDefault(key))
    {
        rslText_Append(text, "`");
        rslKey_PrintValue(key, untold, false, -1, text);
        rslText_Append(text, "`");
    }
    rslText_Append(text, " | ");
    if (def->tagged)
    {
        if (key->types == 0)
        {
            rslText_Append(text, "all");
        }
        else
        {
            MarkdownTypes(text, &def->keys[def->lead], key->types);
        }
        rslText_Append(text, " | ");
    }
    rslText_Printf(text, "%s |\n", key->text);
}

static void MarkdownWords(rslText* text, const rslKey* key)
{
    rslText_Printf(text, "\n`%s` is one of\n\n", key->name);
    for (const rslWord* word = key->words; word->name != NULL; ++word)
    {
        rslText_Printf(text, "- `%s`%s%s\n", word->name, word->text != NULL ? ": " : "",
                       word->text != NULL ? word->text : "");
    }
}

static void MarkdownStruct(rslText* text, const rslStruct* def)
{
    rslAnyDef untold;
    rslStruct_Reference(def, NULL, rsl_space3, &untold);
    rslText_Printf(text, "\n### %s\n\n%s\n\n", def->name, def->text);
    rslText_Append(text, def->tagged ? "| key | value | unit | default | for | meaning |\n|---|---|---|---|---|---|\n"
                                     : "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n");
    for (int i = 0; i < def->keyCount; ++i)
    {
        MarkdownKey(text, def, &def->keys[i], &untold);
    }
    for (int i = 0; i < def->keyCount; ++i)
    {
        if (def->keys[i].kind == rsl_enumKey)
        {
            MarkdownWords(text, &def->keys[i]);
        }
    }
}

static void MarkdownMaterials(rslText* text)
{
    int count;
    const rslNamedMaterial* table = rslMaterial_Table(&count);
    rslText_Append(text,
                   "\n### Named materials\n\n| name | young [Pa] | poisson | density [kg/m3] | stiffness_damping [s] "
                   "| source |\n|---|---|---|---|---|---|\n");
    for (int i = 0; i < count; ++i)
    {
        const double numbers[] = { table[i].young, table[i].poisson, table[i].density, table[i].stiffnessDamping };
        rslText_Printf(text, "| `%s` |", table[i].name);
        for (int n = 0; n < 4; ++n)
        {
            rslText_Append(text, " ");
            rslText_Number(text, numbers[n]);
            rslText_Append(text, " |");
        }
        rslText_Printf(text, " %s |\n", table[i].source);
    }
}

size_t rslSchema_Markdown(char* buffer, size_t capacity)
{
    rslText text = rslText_Make(buffer, capacity);
    rslText_Append(&text, "## Reference\n\nGenerated from the table that the reader works by.\n");
    for (int i = 0; rslSchema_Struct(i) != NULL; ++i)
    {
        MarkdownStruct(&text, rslSchema_Struct(i));
    }
    MarkdownMaterials(&text);
    return text.length;
}
