// SPDX-License-Identifier: MIT
//
// schema.c: questions to the tables of scene_schema.c.

#include "scene_schema.h"

#include "text.h"

#include <math.h>
#include <string.h>

const rslKey* rslStruct_FindKey(const rslStruct* def, const char* name)
{
    for (int i = 0; i < def->keyCount; ++i)
    {
        if (strcmp(def->keys[i].name, name) == 0)
        {
            return &def->keys[i];
        }
    }
    return NULL;
}

uint32_t rslStruct_TypeBit(const rslStruct* def, const void* value)
{
    if (!def->tagged)
    {
        return RSL_ALL_TYPES;
    }
    int type;
    memcpy(&type, rslKey_At(&def->keys[def->lead], value), sizeof type);
    return 0 <= type && type < 32 ? (uint32_t)1 << type : RSL_ALL_TYPES;
}

void rslStruct_Reference(const rslStruct* def, const void* value, rslSpace plane, void* out)
{
    def->defaults(out);
    if (def->lead >= 0 && value != NULL)
    {
        const rslKey* lead = &def->keys[def->lead];
        size_t size = lead->kind == rsl_enumKey ? sizeof(int) : sizeof(const char*);
        memcpy((char*)out + lead->offset, rslKey_At(lead, value), size);
    }
    if (def->refine != NULL)
    {
        def->refine(out, plane);
    }
}

bool rslKey_AppliesTo(const rslKey* key, uint32_t typeBit)
{
    return key->types == 0 || (key->types & typeBit) != 0;
}

const rslWord* rslKey_FindWord(const rslKey* key, const char* name)
{
    for (const rslWord* word = key->words; word->name != NULL; ++word)
    {
        if (strcmp(word->name, name) == 0)
        {
            return word;
        }
    }
    return NULL;
}

const char* rslKey_WordOf(const rslKey* key, int value)
{
    for (const rslWord* word = key->words; word->name != NULL; ++word)
    {
        if (word->value == value)
        {
            return word->name;
        }
    }
    return NULL;
}

// ---- equality ---------------------------------------------------------------------------------------------------

static bool SameNumbers(const double* a, const double* b, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        if (memcmp(&a[i], &b[i], sizeof(double)) != 0 && !(isnan(a[i]) && isnan(b[i])))
        {
            return false;
        }
    }
    return true;
}

static bool SameTexts(const char* a, const char* b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool SameFlags(const rslKey* key, const void* a, const void* b)
{
    for (const rslWord* word = key->words; word->name != NULL; ++word)
    {
        if (*((const bool*)a + word->value) != *((const bool*)b + word->value))
        {
            return false;
        }
    }
    return true;
}

static bool SameLists(const rslKey* key, const void* a, const void* b)
{
    const void *p, *q;
    memcpy(&p, rslKey_At(key, a), sizeof p);
    memcpy(&q, rslKey_At(key, b), sizeof q);
    bool single = key->kind == rsl_structPointerKey;
    int count = single ? p != NULL : rslKey_Count(key, a);
    if (count != (single ? q != NULL : rslKey_Count(key, b)))
    {
        return false;
    }
    size_t numbers = (size_t)count * (size_t)(key->width > 0 ? key->width : 1);
    switch (key->kind)
    {
        case rsl_numberListKey:
        case rsl_numberRowsKey: return SameNumbers(p, q, numbers);
        case rsl_integerListKey:
        case rsl_integerRowsKey: return numbers == 0 || memcmp(p, q, numbers * sizeof(int)) == 0;
        default: break;
    }
    for (size_t i = 0; i < (size_t)count; ++i)
    {
        size_t offset = i * key->of->size;
        if (!rslStruct_Equal(key->of, (const char*)p + offset, (const char*)q + offset))
        {
            return false;
        }
    }
    return true;
}

bool rslKey_Equal(const rslKey* key, const void* a, const void* b)
{
    const void *p = rslKey_At(key, a), *q = rslKey_At(key, b);
    switch (key->kind)
    {
        case rsl_numberKey:
        case rsl_numberOrAutoKey: return SameNumbers(p, q, 1);
        case rsl_vectorKey: return SameNumbers(p, q, 3);
        case rsl_numbersKey: return SameNumbers(p, q, (size_t)key->width);
        case rsl_integersKey: return memcmp(p, q, (size_t)key->width * sizeof(int)) == 0;
        case rsl_enumKey:
        case rsl_integerKey: return *(const int*)p == *(const int*)q;
        case rsl_seedKey: return *(const uint64_t*)p == *(const uint64_t*)q;
        case rsl_boolKey: return *(const bool*)p == *(const bool*)q;
        case rsl_stringKey:
        case rsl_nameKey: return SameTexts(*(const char* const*)p, *(const char* const*)q);
        case rsl_flagsKey: return SameFlags(key, a, b);
        case rsl_structKey: return rslStruct_Equal(key->of, p, q);
        default: return SameLists(key, a, b);
    }
}

bool rslStruct_Equal(const rslStruct* def, const void* a, const void* b)
{
    uint32_t type = rslStruct_TypeBit(def, a);
    for (int i = 0; i < def->keyCount; ++i)
    {
        if (rslKey_AppliesTo(&def->keys[i], type) && !rslKey_Equal(&def->keys[i], a, b))
        {
            return false;
        }
    }
    return true;
}

// ---- ranges and expectations ------------------------------------------------------------------------------------

bool rslRange_IsAny(rslRange range)
{
    return range.min == 0.0 && range.max == 0.0;
}

bool rslRange_Contains(rslRange range, double value)
{
    if (!isfinite(value))
    {
        return false;
    }
    if (rslRange_IsAny(range))
    {
        return true;
    }
    bool above = range.minOpen ? value > range.min : value >= range.min;
    bool below = range.maxOpen ? value < range.max : value <= range.max;
    return above && below;
}

void rslRange_Print(rslRange range, char* buffer, size_t capacity)
{
    rslText text = rslText_Make(buffer, capacity);
    if (rslRange_IsAny(range))
    {
        return;
    }
    if (isinf(range.max))
    {
        rslText_Append(&text, range.minOpen ? "> " : ">= ");
        rslText_Number(&text, range.min);
        return;
    }
    rslText_Append(&text, range.minOpen ? "in (" : "in [");
    rslText_Number(&text, range.min);
    rslText_Append(&text, ", ");
    rslText_Number(&text, range.max);
    rslText_Append(&text, range.maxOpen ? ")" : "]");
}

static void AppendWords(rslText* text, const rslKey* key)
{
    for (const rslWord* word = key->words; word->name != NULL; ++word)
    {
        rslText_Printf(text, "%s%s", word == key->words ? "" : ", ", word->name);
    }
}

static void AppendNumber(rslText* text, const rslKey* key, const char* noun)
{
    char range[80];
    rslRange_Print(key->range, range, sizeof range);
    rslText_Append(text, noun);
    if (range[0] != 0)
    {
        rslText_Printf(text, " %s", range);
    }
    if (key->unit != NULL && key->unit[0] != 0)
    {
        rslText_Printf(text, " in %s", key->unit);
    }
    if (key->kind == rsl_numberOrAutoKey)
    {
        rslText_Append(text, " or auto");
    }
}

static void AppendRow(rslText* text, const rslKey* key, const char* noun)
{
    rslText_Printf(text, "a list of lists of %d ", key->width);
    AppendNumber(text, key, noun);
}

void rslKey_Expected(const rslKey* key, char* buffer, size_t capacity)
{
    rslText text = rslText_Make(buffer, capacity);
    switch (key->kind)
    {
        case rsl_numberKey:
        case rsl_numberOrAutoKey: AppendNumber(&text, key, "a number"); break;
        case rsl_integerKey: AppendNumber(&text, key, "an integer"); break;
        case rsl_seedKey: rslText_Append(&text, "an integer from 0 to 18446744073709551615"); break;
        case rsl_boolKey: rslText_Append(&text, "true or false"); break;
        case rsl_stringKey: rslText_Append(&text, "a text"); break;
        case rsl_nameKey: rslText_Append(&text, "a name: a letter, then letters, digits, - and _"); break;
        case rsl_enumKey:
            rslText_Append(&text, "one of ");
            AppendWords(&text, key);
            break;
        case rsl_vectorKey: AppendNumber(&text, key, "[x, y, z], numbers"); break;
        case rsl_numbersKey: AppendNumber(&text, key, key->width == 2 ? "[x, y], numbers" : "numbers"); break;
        case rsl_integersKey: AppendNumber(&text, key, key->width == 2 ? "[x, y], integers" : "integers"); break;
        case rsl_numberListKey:
            AppendNumber(&text, key, "a number or a list of numbers");
            rslText_Printf(&text, "%s%s", key->words != NULL ? ", or " : "",
                           key->words != NULL ? key->words->name : "");
            break;
        case rsl_integerListKey: AppendNumber(&text, key, "a list of integers"); break;
        case rsl_numberRowsKey: AppendRow(&text, key, "numbers"); break;
        case rsl_integerRowsKey: AppendRow(&text, key, "integers"); break;
        case rsl_flagsKey:
            rslText_Append(&text, "a list of ");
            AppendWords(&text, key);
            break;
        case rsl_structKey:
        case rsl_structPointerKey: rslText_Printf(&text, "the keys of %s", key->of->title); break;
        case rsl_structListKey:
            rslText_Printf(&text, "a list (each entry starting with -), %s each", key->of->title);
            break;
    }
}
