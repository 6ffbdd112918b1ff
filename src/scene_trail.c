// SPDX-License-Identifier: MIT
//
// scene_trail.c: messages about a scene, and the checks of one value. See scene_check.h.

#include "scene_check.h"

#include "text.h"
#include "vec.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t rslTrail_Push(rslTrail* trail, const char* key, int index)
{
    size_t length = trail->length;
    rslText text = { trail->path, sizeof trail->path, length };
    rslText_Printf(&text, "%s%s", length > 0 ? "." : "", key);
    if (index >= 0)
    {
        rslText_Printf(&text, ".%d", index);
    }
    trail->length = text.length < sizeof trail->path ? text.length : sizeof trail->path - 1;
    return length;
}

void rslTrail_Pop(rslTrail* trail, size_t length)
{
    trail->length = length;
    trail->path[length] = 0;
}

static void AddMessage(rslTrail* trail, rslSeverity severity, rslPlace place, const char* key, char* text)
{
    rslUtf8_Clean(text);  // what the user wrote may be cut anywhere
    bool placed = place.line > 0;
    const char* path = placed ? "" : trail->path;
    if (trail->brief)
    {
        const char* dot = strrchr(trail->path, '.');
        key = !placed ? NULL : dot != NULL ? dot + 1 : trail->path;
    }
    const char* joint = path[0] != 0 && key != NULL ? "." : "";
    const char* colon = path[0] != 0 || key != NULL ? ": " : "";
    rslReport_Add(trail->report, severity, place, "%s%s%s%s%s", path, joint, key != NULL ? key : "", colon, text);
}

void rslTrail_Error(rslTrail* trail, rslPlace place, const char* key, const char* format, ...)
{
    char text[RSL_MESSAGE_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    trail->errors += 1;
    AddMessage(trail, rsl_error, place, key, text);
}

void rslTrail_Warn(rslTrail* trail, rslPlace place, const char* key, const char* format, ...)
{
    if (trail->errorsOnly)
    {
        return;
    }
    char text[RSL_MESSAGE_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    AddMessage(trail, rsl_warning, place, key, text);
}

bool rslTrail_CheckNumber(rslTrail* trail, rslPlace place, const rslKey* key, double value)
{
    if (rslRange_Contains(key->range, value))
    {
        return true;
    }
    char number[RSL_NUMBER_CAPACITY], range[80];
    rslNumber_Print(value, number);
    rslRange_Print(key->range, range, sizeof range);
    bool unit = key->unit != NULL && key->unit[0] != 0;
    bool whole = key->kind == rsl_integerKey || key->kind == rsl_integersKey || key->kind == rsl_integerListKey ||
                 key->kind == rsl_integerRowsKey;
    rslTrail_Error(trail, place, key->name, "found %s, expected %s%s%s%s%s%s%s", number,
                   whole             ? "an integer"
                   : isfinite(value) ? "a number"
                                     : "a finite number",
                   range[0] != 0 ? " " : "", range, unit ? " in " : "", unit ? key->unit : "",
                   key->hint != NULL ? ": " : "", key->hint != NULL ? key->hint : "");
    return false;
}

bool rslTrail_CheckVector(rslTrail* trail, rslPlace place, const rslKey* key, rslVec3 value)
{
    double square = rslDot(value, value);
    bool usable = !key->nonzero || (square > 1e-300 && isfinite(square));
    if (!usable)
    {
        bool zero = value.x == 0.0 && value.y == 0.0 && value.z == 0.0;
        rslTrail_Error(trail, place, key->name, "found %s, expected a direction such as [0, 0, 1]",
                       zero ? "[0, 0, 0]" : "a vector whose length cannot be computed");
    }
    return usable;
}

bool rslTrail_CheckCount(rslTrail* trail, rslPlace place, const rslKey* key, int count)
{
    if (count >= key->minCount)
    {
        return true;
    }
    if (count == 0)
    {
        rslTrail_Error(trail, place, key->name, "found an empty list, expected at least %d %s", key->minCount,
                       key->minCount == 1 ? "entry" : "entries");
    }
    else
    {
        rslTrail_Error(trail, place, key->name, "found %d %s, expected at least %d", count,
                       count == 1 ? "entry" : "entries", key->minCount);
    }
    return false;
}

static bool IsLetter(char c)
{
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z');
}

bool rslTrail_CheckName(rslTrail* trail, rslPlace place, const rslKey* key, const char* name)
{
    bool good = IsLetter(name[0]) && strlen(name) <= 64;
    for (const char* c = name; good && *c != 0; ++c)
    {
        good = IsLetter(*c) || ('0' <= *c && *c <= '9') || *c == '-' || *c == '_';
    }
    if (!good)
    {
        rslTrail_Error(trail, place, key->name,
                       "found '%.80s', expected a name: a letter, then letters, digits, - and _, up to 64", name);
    }
    return good;
}

// ---- origins ----------------------------------------------------------------------------------------------------

static int CompareOrigins(const void* a, const void* b)
{
    const rslOrigin *p = a, *q = b;
    uintptr_t x = (uintptr_t)p->field, y = (uintptr_t)q->field;
    uintptr_t k = (uintptr_t)p->key, l = (uintptr_t)q->key;
    return x != y ? (x > y) - (x < y) : (k > l) - (k < l);
}

void rslOrigins_Sort(rslOrigins* origins)
{
    if (origins->count > 0)
    {
        qsort(origins->items, origins->count, sizeof(rslOrigin), CompareOrigins);
    }
}

int rslOrigins_Node(const rslOrigins* origins, const rslStruct* def, const char* keyName, const void* owner)
{
    if (origins == NULL || origins->count == 0)
    {
        return -1;
    }
    const rslKey* key = rslStruct_FindKey(def, keyName);
    rslOrigin wanted = { .field = rslKey_At(key, owner), .key = key };
    const rslOrigin* found = bsearch(&wanted, origins->items, origins->count, sizeof(rslOrigin), CompareOrigins);
    return found != NULL ? found->node : -1;
}

rslPlace rslOrigins_Place(const rslOrigins* origins, const rslStruct* def, const char* key, const void* owner,
                          int index, rslPlace fallback)
{
    int node = rslOrigins_Node(origins, def, key, owner);
    if (node < 0)
    {
        return fallback;
    }
    const rslTreeNode* nodes = origins->tree->nodes;
    int child = index >= 0 && nodes[node].kind == rsl_listNode ? nodes[node].firstChild : -1;
    for (int n = 0; n < index && child >= 0; ++n)
    {
        child = nodes[child].nextSibling;
    }
    return nodes[child >= 0 ? child : node].place;
}
