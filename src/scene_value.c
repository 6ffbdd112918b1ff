// SPDX-License-Identifier: MIT
//
// scene_value.c: see scene_value.h.

#include "scene_value.h"

#include "memory.h"
#include "text.h"
#include "units.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FOUND_CAPACITY = 100,
    EXPECTED_CAPACITY = 300,
};

void* rslReader_Allocate(rslReader* reader, size_t count, size_t size)
{
    void* memory = rslArena_Allocate(reader->arena, count, size);
    reader->outOfMemory = reader->outOfMemory || memory == NULL;
    return memory;
}

void rslReader_Remember(rslReader* reader, const rslKey* key, int node, const void* owner)
{
    rslOrigins* origins = &reader->origins;
    void* items = origins->items;
    if (!rslGrow(&origins->hooks, &items, origins->count, &origins->capacity, sizeof(rslOrigin)))
    {
        reader->outOfMemory = true;
        return;
    }
    origins->items = items;
    origins->items[origins->count++] = (rslOrigin){ rslKey_At(key, owner), key, node };
}

void rslReader_StoreList(const rslKey* key, void* owner, const void* items, int count)
{
    memcpy((char*)owner + key->offset, &items, sizeof items);
    memcpy((char*)owner + key->countOffset, &count, sizeof count);
}

// ---- what was found ---------------------------------------------------------------------------------------------

void rslReader_Found(const rslTree* tree, int node, char* buffer, size_t capacity)
{
    const rslTreeNode* n = &tree->nodes[node];
    if (n->kind == rsl_scalarNode && n->text[0] == 0 && !n->quoted)
    {
        snprintf(buffer, capacity, "nothing");
    }
    else if (n->kind == rsl_scalarNode)
    {
        const char* mark = n->quoted ? "\"" : "'";
        size_t length = strlen(n->text);
        snprintf(buffer, capacity, "%s%.60s%s%s", mark, n->text, length > 60 ? "..." : "", mark);
    }
    else
    {
        const char* kind = n->kind == rsl_listNode ? "list" : "map";
        snprintf(buffer, capacity, "%s %s", n->firstChild < 0 ? "an empty" : "a", kind);
    }
}

static void ReportExpected(rslReader* reader, const rslKey* key, int node, const char* more)
{
    char found[FOUND_CAPACITY], expected[EXPECTED_CAPACITY];
    rslReader_Found(reader->tree, node, found, sizeof found);
    rslKey_Expected(key, expected, sizeof expected);
    rslTrail_Error(&reader->trail, reader->tree->nodes[node].place, key->name, "found %s, expected %s%s", found,
                   expected, more);
}

static bool IsScalar(rslReader* reader, const rslKey* key, int node)
{
    const rslTreeNode* n = &reader->tree->nodes[node];
    bool scalar = n->kind == rsl_scalarNode && (n->text[0] != 0 || n->quoted);
    if (!scalar)
    {
        ReportExpected(reader, key, node, "");
    }
    return scalar;
}

// ---- numbers ----------------------------------------------------------------------------------------------------

static bool IsOneOf(const char* text, const char* const* words)
{
    while (*words != NULL && strcmp(text, *words) != 0)
    {
        words += 1;
    }
    return *words != NULL;
}

// A number written in a way that is not read: what it should be.
static bool PlainForm(const char* text, char* plain, size_t capacity)
{
    size_t length = strlen(text);
    if (length == 0 || length >= capacity || length > 40)
    {
        return false;
    }
    double value;
    char* end;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    {
        unsigned long long integer = strtoull(text + 2, &end, 16);
        rslNumber_Print((double)integer, plain);
        return *end == 0 && end > text + 2;
    }
    // 1_000 and 0,5 and 007
    size_t n = 0;
    bool leading = true;
    for (size_t i = 0; i < length; ++i)
    {
        bool skip = text[i] == '_' || (leading && text[i] == '0' && '0' <= text[i + 1] && text[i + 1] <= '9');
        leading = leading && (text[i] == '0' || text[i] == '-' || text[i] == '+');
        if (!skip)
        {
            plain[n++] = text[i] == ',' ? '.' : text[i];
        }
    }
    plain[n] = 0;
    return rslNumber_Parse(plain, &value) == rsl_numberOk;
}

static void ReportNumber(rslReader* reader, const rslKey* key, int node, rslNumberResult result)
{
    static const char* const infinite[] = { ".inf", "-.inf", "+.inf", ".Inf", ".INF", "inf", "-inf",     "+inf",
                                            ".nan", ".NaN",  ".NAN",  "nan",  "NaN",  "Inf", "infinity", NULL };
    const char* text = reader->tree->nodes[node].text;
    rslPlace place = reader->tree->nodes[node].place;
    const char* unit = key->unit != NULL ? key->unit : "";
    const char *in = unit[0] != 0 ? " in " : "", *quantity = NULL;
    char plain[64], number[RSL_NUMBER_CAPACITY];
    double value = 0.0;
    bool meant = rslNumber_Parse(text, &value) == rsl_numberOk || strcmp(text, "auto") == 0;
    if (reader->tree->nodes[node].quoted && meant)
    {
        ReportExpected(reader, key, node, ": remove the quotes");
    }
    else if (result == rsl_numberOverflow || result == rsl_numberUnderflow)
    {
        rslTrail_Error(&reader->trail, place, key->name, "found '%.60s', which is %s a number can be", text,
                       result == rsl_numberOverflow ? "larger than" : "nearer to zero than");
    }
    else if (IsOneOf(text, infinite))
    {
        rslTrail_Error(&reader->trail, place, key->name, "found '%s', expected a finite number%s%s", text, in, unit);
    }
    else if (PlainForm(text, plain, sizeof plain))
    {
        rslTrail_Error(&reader->trail, place, key->name, "found '%s', expected a plain number%s%s: write %s", text, in,
                       unit, plain);
    }
    else if (rslUnit_Convert(text, unit, &value, &quantity) == rsl_unitKnown)
    {
        rslNumber_Print(value, number);
        rslTrail_Error(&reader->trail, place, key->name, "found '%s', expected a plain number%s%s: write %s (SI)", text,
                       in, unit, number);
    }
    else if (quantity != NULL)
    {
        rslTrail_Error(&reader->trail, place, key->name,
                       "found '%s', which has a unit of %s, expected a plain number%s%s", text, quantity, in, unit);
    }
    else
    {
        ReportExpected(reader, key, node, "");
    }
}

static bool ReadNumber(rslReader* reader, const rslKey* key, int node, double* out)
{
    const rslTreeNode* n = &reader->tree->nodes[node];
    if (!IsScalar(reader, key, node))
    {
        return false;
    }
    if (key->kind == rsl_numberOrAutoKey && !n->quoted && strcmp(n->text, "auto") == 0)
    {
        *out = RSL_AUTO;
        return true;
    }
    double value = 0.0;
    rslNumberResult result = n->quoted ? rsl_numberSyntax : rslNumber_Parse(n->text, &value);
    if (result != rsl_numberOk)
    {
        ReportNumber(reader, key, node, result);
        return false;
    }
    if (!rslTrail_CheckNumber(&reader->trail, n->place, key, value))
    {
        return false;
    }
    *out = value;
    return true;
}

static bool ReadInteger(rslReader* reader, const rslKey* key, int node, int* out)
{
    const rslTreeNode* n = &reader->tree->nodes[node];
    if (!IsScalar(reader, key, node))
    {
        return false;
    }
    int64_t value = 0;
    bool whole = rslInteger_Parse(n->text, &value);
    if (n->quoted || !whole)
    {
        ReportExpected(reader, key, node, whole ? ": remove the quotes" : "");
        return false;
    }
    if (value > INT_MAX || value < INT_MIN)
    {
        rslTrail_Error(&reader->trail, n->place, key->name, "found '%.60s', which is beyond the largest integer, %d",
                       n->text, INT_MAX);
        return false;
    }
    if (!rslTrail_CheckNumber(&reader->trail, n->place, key, (double)value))
    {
        return false;
    }
    *out = (int)value;
    return true;
}

static void ReadSeed(rslReader* reader, const rslKey* key, int node, uint64_t* out)
{
    const rslTreeNode* n = &reader->tree->nodes[node];
    if (IsScalar(reader, key, node) && (n->quoted || !rslUnsigned_Parse(n->text, out)))
    {
        ReportExpected(reader, key, node, "");
    }
}

// ---- words ------------------------------------------------------------------------------------------------------

static void ReadBool(rslReader* reader, const rslKey* key, int node, bool* out)
{
    static const char* const yes[] = { "yes", "Yes", "YES", "on", "On", "ON", "True", "TRUE", "1", "y", NULL };
    static const char* const no[] = { "no", "No", "NO", "off", "Off", "OFF", "False", "FALSE", "0", "n", NULL };
    const rslTreeNode* n = &reader->tree->nodes[node];
    if (!IsScalar(reader, key, node))
    {
        return;
    }
    bool isTrue = strcmp(n->text, "true") == 0, isBool = isTrue || strcmp(n->text, "false") == 0;
    if (!n->quoted && isBool)
    {
        *out = isTrue;
        return;
    }
    const char* hint = isBool                  ? ": remove the quotes"
                       : IsOneOf(n->text, yes) ? ": write true"
                       : IsOneOf(n->text, no)  ? ": write false"
                                               : "";
    ReportExpected(reader, key, node, hint);
}

static const rslWord* ReadWord(rslReader* reader, const rslKey* key, int node)
{
    const rslTreeNode* n = &reader->tree->nodes[node];
    if (!IsScalar(reader, key, node))
    {
        return NULL;
    }
    const rslWord* word = rslKey_FindWord(key, n->text);
    if (word != NULL)
    {
        return word;
    }
    rslNearest nearest = rslNearest_Make(n->text);
    for (const rslWord* candidate = key->words; candidate->name != NULL; ++candidate)
    {
        rslNearest_Try(&nearest, candidate->name);
    }
    char hint[80] = "";
    if (nearest.best != NULL)
    {
        snprintf(hint, sizeof hint, "; did you mean '%s'?", nearest.best);
    }
    ReportExpected(reader, key, node, hint);
    return NULL;
}

static void ReadFlags(rslReader* reader, const rslKey* key, int node, void* owner)
{
    const rslTreeNode* nodes = reader->tree->nodes;
    int count;
    if (!rslReader_ListOf(reader, key, node, &count))
    {
        return;
    }
    for (const rslWord* word = key->words; word->name != NULL; ++word)
    {
        *((bool*)owner + word->value) = false;
    }
    for (int child = nodes[node].firstChild; child >= 0; child = nodes[child].nextSibling)
    {
        const rslWord* word = ReadWord(reader, key, child);
        bool* flag = word != NULL ? (bool*)owner + word->value : NULL;
        if (flag != NULL && *flag)
        {
            rslTrail_Error(&reader->trail, nodes[child].place, key->name, "found '%s' twice, expected it once",
                           word->name);
        }
        if (flag != NULL)
        {
            *flag = true;
        }
    }
}

static void ReadString(rslReader* reader, const rslKey* key, int node, const char** out)
{
    const rslTreeNode* n = &reader->tree->nodes[node];
    if (!IsScalar(reader, key, node))
    {
        return;
    }
    if (!rslUtf8_IsValid(n->text))
    {
        rslTrail_Error(&reader->trail, n->place, key->name, "found a text that is not UTF-8");
        return;
    }
    if (key->kind == rsl_nameKey)
    {
        // kept when wrong, so that what refers to it is not called wrong as well
        (void)rslTrail_CheckName(&reader->trail, n->place, key, n->text);
    }
    char* copy = rslArena_Copy(reader->arena, n->text, strlen(n->text));
    reader->outOfMemory = reader->outOfMemory || copy == NULL;
    *out = copy;
}

// ---- lists ------------------------------------------------------------------------------------------------------

static int CountChildren(const rslTree* tree, int node)
{
    int count = 0;
    for (int child = tree->nodes[node].firstChild; child >= 0; child = tree->nodes[child].nextSibling)
    {
        count += 1;
    }
    return count;
}

bool rslReader_ListOf(rslReader* reader, const rslKey* key, int node, int* count)
{
    const rslTreeNode* n = &reader->tree->nodes[node];
    if (n->kind != rsl_listNode)
    {
        ReportExpected(reader, key, node, "");
        return false;
    }
    *count = CountChildren(reader->tree, node);
    return rslTrail_CheckCount(&reader->trail, n->place, key, *count);
}

// A list of exactly width numbers or integers into consecutive places.
static bool ReadRow(rslReader* reader, const rslKey* key, int node, int width, double* numbers, int* integers)
{
    const rslTreeNode* nodes = reader->tree->nodes;
    if (nodes[node].kind != rsl_listNode)
    {
        const char* text = nodes[node].text;
        char hint[120] = "";
        if (text != NULL && strchr(text, ',') != NULL && strlen(text) < 60)
        {
            snprintf(hint, sizeof hint, ": write [%s]", text);
        }
        ReportExpected(reader, key, node, hint);
        return false;
    }
    int count = CountChildren(reader->tree, node), index = 0;
    if (count != width)
    {
        rslTrail_Error(&reader->trail, nodes[node].place, key->name, "found %d number%s, expected %d%s", count,
                       count == 1 ? "" : "s", width, key->kind == rsl_vectorKey ? ": [x, y, z]" : "");
        return false;
    }
    bool good = true;
    for (int child = nodes[node].firstChild; child >= 0; child = nodes[child].nextSibling, ++index)
    {
        bool read = numbers != NULL ? ReadNumber(reader, key, child, &numbers[index])
                                    : ReadInteger(reader, key, child, &integers[index]);
        good = good && read;
    }
    return good;
}

static void ReadVector(rslReader* reader, const rslKey* key, int node, rslVec3* out)
{
    double v[3];
    if (!ReadRow(reader, key, node, 3, v, NULL))
    {
        return;
    }
    rslVec3 vector = { v[0], v[1], v[2] };
    if (rslTrail_CheckVector(&reader->trail, reader->tree->nodes[node].place, key, vector))
    {
        *out = vector;
    }
}

static void ReadRows(rslReader* reader, const rslKey* key, int node, void* owner)
{
    const rslTreeNode* nodes = reader->tree->nodes;
    bool whole = key->kind == rsl_integerRowsKey;
    int count, index = 0;
    if (!rslReader_ListOf(reader, key, node, &count))
    {
        return;
    }
    size_t width = (size_t)key->width;
    void* items = rslReader_Allocate(reader, (size_t)count * width, whole ? sizeof(int) : sizeof(double));
    if (items == NULL)
    {
        return;
    }
    bool good = true;
    for (int child = nodes[node].firstChild; child >= 0; child = nodes[child].nextSibling, ++index)
    {
        size_t at = (size_t)index * width;
        bool read = ReadRow(reader, key, child, key->width, whole ? NULL : (double*)items + at,
                            whole ? (int*)items + at : NULL);
        good = good && read;
        if (nodes[child].kind != rsl_listNode)
        {
            break;  // a list of another make: one message is enough
        }
    }
    if (good)
    {
        rslReader_StoreList(key, owner, items, count);
    }
}

static void ReadList(rslReader* reader, const rslKey* key, int node, void* owner)
{
    const rslTreeNode* nodes = reader->tree->nodes;
    bool whole = key->kind == rsl_integerListKey;
    bool single = !whole && nodes[node].kind == rsl_scalarNode;
    int count = 1, index = 0;
    if (single && !nodes[node].quoted && key->words != NULL && rslKey_FindWord(key, nodes[node].text) != NULL)
    {
        rslReader_StoreList(key, owner, NULL, 0);
        return;
    }
    if (!single && !rslReader_ListOf(reader, key, node, &count))
    {
        return;
    }
    void* items = rslReader_Allocate(reader, (size_t)count, whole ? sizeof(int) : sizeof(double));
    if (items == NULL)
    {
        return;
    }
    bool good = true;
    for (int child = single ? node : nodes[node].firstChild; child >= 0 && index < count; ++index)
    {
        bool read = whole ? ReadInteger(reader, key, child, (int*)items + index)
                          : ReadNumber(reader, key, child, (double*)items + index);
        good = good && read;
        child = nodes[child].nextSibling;
    }
    if (good)
    {
        rslReader_StoreList(key, owner, items, count);
    }
}

void rslReader_Value(rslReader* reader, const rslKey* key, int node, void* owner)
{
    void* field = (char*)owner + key->offset;
    const rslWord* word;
    switch (key->kind)
    {
        case rsl_numberKey:
        case rsl_numberOrAutoKey: (void)ReadNumber(reader, key, node, field); break;
        case rsl_integerKey: (void)ReadInteger(reader, key, node, field); break;
        case rsl_seedKey: ReadSeed(reader, key, node, field); break;
        case rsl_boolKey: ReadBool(reader, key, node, field); break;
        case rsl_stringKey:
        case rsl_nameKey: ReadString(reader, key, node, field); break;
        case rsl_enumKey:
            word = ReadWord(reader, key, node);
            *(int*)field = word != NULL ? word->value : *(int*)field;
            break;
        case rsl_vectorKey: ReadVector(reader, key, node, field); break;
        case rsl_numbersKey: (void)ReadRow(reader, key, node, key->width, field, NULL); break;
        case rsl_integersKey: (void)ReadRow(reader, key, node, key->width, NULL, field); break;
        case rsl_numberListKey:
        case rsl_integerListKey: ReadList(reader, key, node, owner); break;
        case rsl_numberRowsKey:
        case rsl_integerRowsKey: ReadRows(reader, key, node, owner); break;
        case rsl_flagsKey: ReadFlags(reader, key, node, owner); break;
        case rsl_structKey:
        case rsl_structPointerKey:
        case rsl_structListKey: RSL_ASSERT(false); break;
    }
}
