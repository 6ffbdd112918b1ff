// SPDX-License-Identifier: MIT
//
// scene_write.c: a scene as YAML, by the tables of scene_schema.c. What has its default is left out.

#include "scene_schema.h"

#include "text.h"

#include <math.h>
#include <string.h>

enum
{
    LINE_WIDTH = 100,
};

// ---- values -----------------------------------------------------------------------------------------------------

// Before one more entry of a list: a comma, and a new line when the old one is long.
static void Separate(rslText* text, size_t index, size_t* lineStart, int indent)
{
    if (index == 0)
    {
        return;
    }
    rslText_Append(text, ",");
    if (indent >= 0 && text->length - *lineStart > LINE_WIDTH)
    {
        rslText_Append(text, "\n");
        *lineStart = text->length;
        rslText_Repeat(text, ' ', indent);
    }
    else
    {
        rslText_Append(text, " ");
    }
}

static void PrintRow(rslText* text, const double* numbers, const int* integers, size_t count, int indent)
{
    size_t lineStart = text->length;
    rslText_Append(text, "[");
    for (size_t i = 0; i < count; ++i)
    {
        Separate(text, i, &lineStart, indent);
        if (numbers != NULL)
        {
            rslText_Number(text, numbers[i]);
        }
        else
        {
            rslText_Printf(text, "%d", integers[i]);
        }
    }
    rslText_Append(text, "]");
}

static void PrintRows(rslText* text, const rslKey* key, const void* owner, int indent)
{
    const void* items;
    memcpy(&items, rslKey_At(key, owner), sizeof items);
    size_t count = (size_t)rslKey_Count(key, owner), width = (size_t)key->width, lineStart = text->length;
    bool whole = key->kind == rsl_integerRowsKey;
    rslText_Append(text, "[");
    for (size_t i = 0; i < count; ++i)
    {
        Separate(text, i, &lineStart, indent);
        PrintRow(text, whole ? NULL : (const double*)items + i * width, whole ? (const int*)items + i * width : NULL,
                 width, -1);
    }
    rslText_Append(text, "]");
}

static void PrintList(rslText* text, const rslKey* key, const void* owner, int indent)
{
    const void* items;
    memcpy(&items, rslKey_At(key, owner), sizeof items);
    int count = rslKey_Count(key, owner);
    if (key->kind == rsl_integerListKey)
    {
        PrintRow(text, NULL, items, (size_t)count, indent);
    }
    else if (count == 1)
    {
        rslText_Number(text, *(const double*)items);
    }
    else
    {
        PrintRow(text, items, NULL, (size_t)count, indent);
    }
}

static bool IsPlain(const char* string)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    size_t length = strlen(string);
    return length > 0 && length < 200 && strcmp(string, "null") != 0 && strchr(letters, string[0]) != NULL &&
           string[length - 1] != ' ' &&
           strspn(string, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./ ") == length;
}

static void PrintWord(rslText* text, const char* word, bool json)
{
    rslText_Printf(text, json ? "\"%s\"" : "%s", word);
}

static void PrintFlags(rslText* text, const rslKey* key, const void* owner, bool json)
{
    bool first = true;
    rslText_Append(text, "[");
    for (const rslWord* word = key->words; word->name != NULL; ++word)
    {
        if (*((const bool*)owner + word->value))
        {
            rslText_Append(text, first ? "" : ", ");
            PrintWord(text, word->name, json);
            first = false;
        }
    }
    rslText_Append(text, "]");
}

void rslKey_PrintValue(const rslKey* key, const void* owner, bool json, int indent, rslText* text)
{
    const void* field = rslKey_At(key, owner);
    const char *string, *word;
    switch (key->kind)
    {
        case rsl_numberOrAutoKey:
        case rsl_numberKey:
            if (isnan(*(const double*)field))
            {
                PrintWord(text, "auto", json);
            }
            else
            {
                rslText_Number(text, *(const double*)field);
            }
            break;
        case rsl_integerKey: rslText_Printf(text, "%d", *(const int*)field); break;
        case rsl_seedKey: rslText_Printf(text, "%llu", (unsigned long long)*(const uint64_t*)field); break;
        case rsl_boolKey: rslText_Append(text, *(const bool*)field ? "true" : "false"); break;
        case rsl_stringKey:
        case rsl_nameKey:
            memcpy(&string, field, sizeof string);
            if (string != NULL && !json && IsPlain(string))
            {
                rslText_Append(text, string);
            }
            else
            {
                rslText_Quoted(text, string != NULL ? string : "");
            }
            break;
        case rsl_enumKey:
            word = rslKey_WordOf(key, *(const int*)field);
            PrintWord(text, word != NULL ? word : "unknown", json);
            break;
        case rsl_vectorKey: PrintRow(text, field, NULL, 3, -1); break;
        case rsl_numbersKey: PrintRow(text, field, NULL, (size_t)key->width, -1); break;
        case rsl_integersKey: PrintRow(text, NULL, field, (size_t)key->width, -1); break;
        case rsl_numberListKey:
        case rsl_integerListKey: PrintList(text, key, owner, indent); break;
        case rsl_numberRowsKey:
        case rsl_integerRowsKey: PrintRows(text, key, owner, indent); break;
        case rsl_flagsKey: PrintFlags(text, key, owner, json); break;
        case rsl_structKey:
        case rsl_structPointerKey:
        case rsl_structListKey: RSL_ASSERT(false); break;
    }
}

// ---- structs ----------------------------------------------------------------------------------------------------

typedef struct Writer
{
    rslText text;
    rslSpace plane;
} Writer;

static void WriteStruct(Writer* writer, const rslStruct* def, const void* value, int indent, bool dashed);

static bool IsWritten(const rslStruct* def, const rslKey* key, const void* value, const rslAnyDef* untold)
{
    uint32_t type = rslStruct_TypeBit(def, value);
    if (!rslKey_AppliesTo(key, type))
    {
        return false;
    }
    // a mesh that came from a file is read from it again, and tetrahedra of Gmsh are made again
    bool mesh = key->kind == rsl_numberRowsKey || key->kind == rsl_integerRowsKey;
    const uint32_t cells = (uint32_t)1 << rsl_tetrahedraNetwork | (uint32_t)1 << rsl_hexahedraNetwork;
    bool filed =
        (strcmp(def->name, "shape") == 0 && ((const rslShapeDef*)value)->file != NULL) ||
        (strcmp(def->name, "network") == 0 && (type & cells) != 0 &&
         (((const rslNetworkDef*)value)->file != NULL || ((const rslNetworkDef*)value)->mesher == rsl_gmshMesher));
    if (mesh && filed)
    {
        return false;
    }
    if (key->kind == rsl_stringKey || key->kind == rsl_nameKey)
    {
        const char* string;
        memcpy(&string, rslKey_At(key, value), sizeof string);
        return string != NULL;
    }
    // the reference has the lead of the value, so it is compared with the bare defaults
    bool lead = def->lead >= 0 && key == &def->keys[def->lead];
    rslAnyDef bare;
    def->defaults(&bare);
    return (key->needed & type) != 0 || (lead && def->tagged) || !rslKey_Equal(key, value, lead ? &bare : untold);
}

static void WriteStructList(Writer* writer, const rslKey* key, const void* owner, int indent)
{
    const void* items;
    memcpy(&items, rslKey_At(key, owner), sizeof items);
    int count = rslKey_Count(key, owner);
    rslText_Append(&writer->text, count > 0 ? "\n" : " []\n");
    for (int i = 0; i < count; ++i)
    {
        rslText_Repeat(&writer->text, ' ', indent + 2);
        rslText_Append(&writer->text, "- ");
        WriteStruct(writer, key->of, (const char*)items + (size_t)i * key->of->size, indent + 4, true);
    }
}

// A struct as the one value that a bare scalar stands for, when nothing else is to be said.
static bool WriteBrief(Writer* writer, const rslStruct* def, const void* value, const rslAnyDef* untold)
{
    bool others = def->brief < 0;
    for (int i = 0; i < def->keyCount && !others; ++i)
    {
        others = i != def->brief && IsWritten(def, &def->keys[i], value, untold);
    }
    if (others ||
        (def->keys[def->brief].kind == rsl_stringKey && !IsWritten(def, &def->keys[def->brief], value, untold)))
    {
        return false;
    }
    rslText_Append(&writer->text, " ");
    rslKey_PrintValue(&def->keys[def->brief], value, false, -1, &writer->text);
    rslText_Append(&writer->text, "\n");
    return true;
}

static void WriteKey(Writer* writer, const rslKey* key, const void* owner, int indent)
{
    rslText* text = &writer->text;
    rslText_Printf(text, "%s:", key->name);
    if (key->kind == rsl_structListKey)
    {
        WriteStructList(writer, key, owner, indent);
    }
    else if (key->of != NULL)
    {
        const void* value = rslKey_At(key, owner);
        if (key->kind == rsl_structPointerKey)
        {
            memcpy(&value, rslKey_At(key, owner), sizeof value);
        }
        rslAnyDef untold;
        rslStruct_Reference(key->of, value, writer->plane, &untold);
        if (!WriteBrief(writer, key->of, value, &untold))
        {
            WriteStruct(writer, key->of, value, indent + 2, false);
        }
    }
    else
    {
        rslText_Append(text, " ");
        rslKey_PrintValue(key, owner, false, indent + 2, text);
        rslText_Append(text, "\n");
    }
}

static void WriteStruct(Writer* writer, const rslStruct* def, const void* value, int indent, bool dashed)
{
    rslAnyDef untold;
    rslStruct_Reference(def, value, writer->plane, &untold);
    bool first = true;
    for (int i = 0; i < def->keyCount; ++i)
    {
        if (!IsWritten(def, &def->keys[i], value, &untold))
        {
            continue;
        }
        if (first && !dashed && indent > 0)
        {
            rslText_Append(&writer->text, "\n");
        }
        rslText_Repeat(&writer->text, ' ', first && dashed ? 0 : indent);
        WriteKey(writer, &def->keys[i], value, indent);
        first = false;
    }
    if (first)
    {
        rslText_Append(&writer->text, dashed ? "{}\n" : " {}\n");
    }
}

size_t rslScene_Write(const rslScene* scene, char* buffer, size_t capacity)
{
    Writer writer = { .text = rslText_Make(buffer, capacity), .plane = scene->plane };
    WriteStruct(&writer, rslSchema_Scene(), scene, 0, false);
    return writer.text.length;
}
