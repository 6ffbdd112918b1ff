// SPDX-License-Identifier: MIT
//
// scene_check.c: rslScene_Validate. Walks the tables over a scene, however it was made, with the same ranges as the
// reader; then the checks across keys.

#include "scene_check.h"

#include "text.h"

#include <math.h>
#include <string.h>

typedef struct Walk
{
    rslTrail trail;
    int depth;
    bool unsound;  // a list that cannot be looked at
} Walk;

static void WalkStruct(Walk* walk, const rslStruct* def, const void* value, rslPlace place);

static bool CheckListSound(Walk* walk, const rslKey* key, rslPlace place, const void* items, int count)
{
    if (count >= 0 && (items != NULL || count == 0))
    {
        return true;
    }
    walk->unsound = true;
    rslTrail_Error(&walk->trail, place, key->name, "found a count of %d%s", count, items == NULL ? " and no list" : "");
    return false;
}

static void WalkNumbers(Walk* walk, const rslKey* key, rslPlace place, const double* numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        if (!rslTrail_CheckNumber(&walk->trail, place, key, numbers[i]))
        {
            return;  // one is enough for a list
        }
    }
}

static void WalkIntegers(Walk* walk, const rslKey* key, rslPlace place, const int* numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        if (!rslTrail_CheckNumber(&walk->trail, place, key, numbers[i]))
        {
            return;
        }
    }
}

static void WalkText(Walk* walk, const rslKey* key, rslPlace place, const char* text)
{
    if (text == NULL)
    {
        return;
    }
    if (!rslUtf8_IsValid(text))
    {
        rslTrail_Error(&walk->trail, place, key->name, "found a text that is not UTF-8");
    }
    else if (key->kind == rsl_nameKey)
    {
        (void)rslTrail_CheckName(&walk->trail, place, key, text);
    }
}

static void WalkList(Walk* walk, const rslKey* key, const void* owner, rslPlace place, bool needed)
{
    const void* items;
    memcpy(&items, rslKey_At(key, owner), sizeof items);
    int count = rslKey_Count(key, owner);
    if (!CheckListSound(walk, key, place, items, count))
    {
        return;
    }
    if (needed || count > 0)
    {
        (void)rslTrail_CheckCount(&walk->trail, place, key, count);
    }
    size_t numbers = (size_t)count * (size_t)(key->width > 0 ? key->width : 1);
    if (key->kind == rsl_numberListKey || key->kind == rsl_numberRowsKey)
    {
        WalkNumbers(walk, key, place, items, numbers);
        return;
    }
    if (key->kind == rsl_integerListKey || key->kind == rsl_integerRowsKey)
    {
        WalkIntegers(walk, key, place, items, numbers);
        return;
    }
    for (int i = 0; i < count; ++i)
    {
        size_t length = rslTrail_Push(&walk->trail, key->name, i);
        WalkStruct(walk, key->of, (const char*)items + (size_t)i * key->of->size, place);
        rslTrail_Pop(&walk->trail, length);
    }
}

static void WalkFlags(Walk* walk, const rslKey* key, const void* owner, rslPlace place)
{
    int count = 0;
    for (const rslWord* word = key->words; word->name != NULL; ++word)
    {
        count += *((const bool*)owner + word->value);
    }
    (void)rslTrail_CheckCount(&walk->trail, place, key, count);
}

static void WalkKey(Walk* walk, const rslKey* key, const void* owner, rslPlace place, bool needed)
{
    const void* field = rslKey_At(key, owner);
    const void* pointer = NULL;
    size_t length;
    switch (key->kind)
    {
        case rsl_numberKey:
        case rsl_numberOrAutoKey:
            if (!(isnan(*(const double*)field) && (key->optional || key->kind == rsl_numberOrAutoKey)))
            {
                WalkNumbers(walk, key, place, field, 1);
            }
            break;
        case rsl_vectorKey:
            WalkNumbers(walk, key, place, field, 3);
            (void)rslTrail_CheckVector(&walk->trail, place, key, *(const rslVec3*)field);
            break;
        case rsl_numbersKey: WalkNumbers(walk, key, place, field, (size_t)key->width); break;
        case rsl_integerKey: WalkIntegers(walk, key, place, field, 1); break;
        case rsl_integersKey: WalkIntegers(walk, key, place, field, (size_t)key->width); break;
        case rsl_enumKey:
            if (rslKey_WordOf(key, *(const int*)field) == NULL)
            {
                rslTrail_Error(&walk->trail, place, key->name, "found the unknown value %d", *(const int*)field);
                walk->unsound = true;
            }
            break;
        case rsl_stringKey:
        case rsl_nameKey:
            memcpy(&pointer, field, sizeof pointer);
            WalkText(walk, key, place, pointer);
            if (pointer == NULL && needed)
            {
                rslTrail_Error(&walk->trail, place, NULL, "missing key '%s'", key->name);
            }
            break;
        case rsl_structKey:
        case rsl_structPointerKey:
            memcpy(&pointer, field, sizeof pointer);
            pointer = key->kind == rsl_structKey ? field : pointer;
            length = rslTrail_Push(&walk->trail, key->name, -1);
            if (pointer != NULL)
            {
                WalkStruct(walk, key->of, pointer, place);
            }
            rslTrail_Pop(&walk->trail, length);
            break;
        case rsl_flagsKey: WalkFlags(walk, key, owner, place); break;
        case rsl_seedKey:
        case rsl_boolKey: break;
        default: WalkList(walk, key, owner, place, needed); break;
    }
}

// Nothing is asked of what the type does not use, nor of numbers that were left at their default.
static void WalkStruct(Walk* walk, const rslStruct* def, const void* value, rslPlace place)
{
    if (def->placed)
    {
        memcpy(&place, value, sizeof place);
    }
    if (walk->depth == RSL_TREE_DEPTH)
    {
        rslTrail_Error(&walk->trail, place, NULL, "nested deeper than %d levels", RSL_TREE_DEPTH);
        walk->unsound = true;
        return;
    }
    walk->depth += 1;
    rslAnyDef untold;
    rslStruct_Reference(def, NULL, rsl_space3, &untold);
    uint32_t type = rslStruct_TypeBit(def, value);
    for (int i = 0; i < def->keyCount; ++i)
    {
        const rslKey* key = &def->keys[i];
        bool needed = (key->needed & type) != 0;
        bool untouched = !needed && key->of == NULL && key->kind != rsl_enumKey && rslKey_Equal(key, value, &untold);
        if (rslKey_AppliesTo(key, type) && !untouched)
        {
            WalkKey(walk, key, value, place, needed);
        }
    }
    walk->depth -= 1;
}

rslStatus rslScene_Validate(const rslScene* scene, rslReport* report)
{
    Walk walk = { .trail = { .report = report } };
    WalkStruct(&walk, rslSchema_Scene(), scene, (rslPlace){ 0, 0 });
    if (!walk.unsound && !rslScene_CheckAcross(scene, NULL, &walk.trail))
    {
        return rsl_outOfMemory;
    }
    return walk.trail.errors > 0 ? rsl_badInput : rsl_ok;
}
