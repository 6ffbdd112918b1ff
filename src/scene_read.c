// SPDX-License-Identifier: MIT
//
// scene_read.c: from a node tree to a scene, by the tables of scene_schema.c. Structure only: how one value is read
// stands in scene_value.c, what several keys mean together in scene_across.c.

#include "scene_value.h"

#include "memory.h"
#include "text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

// ---- unknown keys -----------------------------------------------------------------------------------------------

// What people write from habit.
static const struct
{
    const char *habit, *key;
} habits[] = {
    { "E", "young" },
    { "youngs_modulus", "young" },
    { "young_modulus", "young" },
    { "nu", "poisson" },
    { "poisson_ratio", "poisson" },
    { "poissons_ratio", "poisson" },
    { "rho", "density" },
    { "alpha0", "mass_damping" },
    { "alpha1", "stiffness_damping" },
    { "center", "centre" },
    { "position", "translate" },
    { "offset", "translate" },
    { "dt", "step" },
    { "timestep", "step" },
    { "time_step", "step" },
    { "end", "duration" },
    { "until", "duration" },
    { "fps", "frames" },
    { "method", "integrator" },
    { "solver", "integrator" },
    { "object", "bodies" },
    { "objects", "bodies" },
    { "forces", "loads" },
    { "pins", "constraints" },
    { "edges", "springs" },
    { "points", "nodes" },
    { "mass", "masses" },
    { "k", "stiffness" },
    { "c", "damping" },
    { "g", "gravity" },
    { "diameter", "radius" },
    { "kind", "type" },
    { "angular_velocity", "spin" },
    { "floor", "ground" },
    { "amplitude", "strain" },
    { "path", "file" },
    { "name", "title" },
    { "scale_factor", "scale" },
    { "length", "height" },
    { "dimensions", "size" },
};

static const char* Habit(const rslStruct* def, uint32_t type, const char* name)
{
    for (size_t i = 0; i < sizeof habits / sizeof habits[0]; ++i)
    {
        const rslKey* key = strcmp(habits[i].habit, name) == 0 ? rslStruct_FindKey(def, habits[i].key) : NULL;
        if (key != NULL && rslKey_AppliesTo(key, type))
        {
            return key->name;
        }
    }
    return NULL;
}

// The key of this struct inside which the name is known.
static const char* InsideKey(const rslStruct* def, uint32_t type, const char* name)
{
    for (int i = 0; i < def->keyCount; ++i)
    {
        const rslKey* key = &def->keys[i];
        if (key->of != NULL && rslKey_AppliesTo(key, type) && rslStruct_FindKey(key->of, name) != NULL)
        {
            return key->name;
        }
    }
    return NULL;
}

static const char* NearestKey(const rslStruct* def, uint32_t type, const char* name)
{
    rslNearest nearest = rslNearest_Make(name);
    for (int i = 0; i < def->keyCount; ++i)
    {
        if (rslKey_AppliesTo(&def->keys[i], type))
        {
            rslNearest_Try(&nearest, def->keys[i].name);
        }
    }
    return nearest.best;
}

static void ListKeys(const rslStruct* def, uint32_t type, char* buffer, size_t capacity)
{
    rslText text = rslText_Make(buffer, capacity);
    for (int i = 0; i < def->keyCount; ++i)
    {
        if (rslKey_AppliesTo(&def->keys[i], type))
        {
            rslText_Printf(&text, "%s%s", text.length > 0 ? ", " : "", def->keys[i].name);
        }
    }
}

// Returns the key that was probably meant, or NULL.
static const rslKey* ReportUnknown(rslReader* reader, const rslStruct* def, uint32_t type, const rslTreeNode* node)
{
    const char* name = node->text;
    if (reader->trail.errors > 1000)  // nobody reads as far
    {
        reader->trail.errors += 1;
        return NULL;
    }
    const char* meant = Habit(def, type, name);
    const char* inside = meant == NULL ? InsideKey(def, type, name) : NULL;
    rslTrail* trail = &reader->trail;
    if (inside != NULL)
    {
        rslTrail_Error(trail, node->place, NULL, "unknown key '%.60s' in %s; it belongs in '%s'", name, def->title,
                       inside);
        return NULL;
    }
    meant = meant != NULL ? meant : NearestKey(def, type, name);
    if (meant != NULL)
    {
        rslTrail_Error(trail, node->place, NULL, "unknown key '%.60s' in %s; did you mean '%s'?", name, def->title,
                       meant);
        return rslStruct_FindKey(def, meant);
    }
    if (rslStruct_FindKey(rslSchema_Scene(), name) != NULL)
    {
        rslTrail_Error(trail, node->place, NULL, "unknown key '%s' in %s; it belongs at the top of the scene", name,
                       def->title);
        return NULL;
    }
    if (name[0] != 0 && name[strspn(name, "0123456789")] == 0)
    {
        rslTrail_Error(trail, node->place, NULL, "unknown key '%.60s' in %s; a decimal comma? write a point: 0.%.60s",
                       name, def->title, name);
        return NULL;
    }
    char keys[300];
    ListKeys(def, type, keys, sizeof keys);
    rslTrail_Error(trail, node->place, NULL, "unknown key '%.60s' in %s; expected one of %s", name, def->title, keys);
    return NULL;
}

// "'radius' does not belong to type box; it belongs to sphere, cylinder"
static void ReportWrongType(rslReader* reader, const rslStruct* def, uint32_t type, const rslKey* key, rslPlace place)
{
    char types[160];
    rslText text = rslText_Make(types, sizeof types);
    const char* own = "";
    for (const rslWord* word = def->keys[def->lead].words; word->name != NULL; ++word)
    {
        uint32_t bit = (uint32_t)1 << word->value;
        own = bit == type ? word->name : own;
        if ((key->types & bit) != 0)
        {
            rslText_Printf(&text, "%s%s", text.length > 0 ? ", " : "", word->name);
        }
    }
    rslTrail_Error(&reader->trail, place, NULL, "'%s' does not belong to type %s of %s; it belongs to %s", key->name,
                   own, def->title, types);
}

// ---- structs ----------------------------------------------------------------------------------------------------

static int FindChild(const rslTree* tree, int map, const char* name)
{
    for (int key = tree->nodes[map].firstChild; key >= 0;)
    {
        int value = tree->nodes[key].nextSibling;
        if (value < 0)
        {
            return -1;
        }
        if (tree->nodes[key].text != NULL && strcmp(tree->nodes[key].text, name) == 0)
        {
            return value;
        }
        key = tree->nodes[value].nextSibling;
    }
    return -1;
}

static void SetPlace(const rslStruct* def, void* out, rslPlace place)
{
    if (def->placed)
    {
        memcpy(out, &place, sizeof place);
    }
    for (int i = 0; i < def->keyCount; ++i)
    {
        if (def->keys[i].kind == rsl_structKey)
        {
            SetPlace(def->keys[i].of, (char*)out + def->keys[i].offset, place);
        }
    }
}

static void ReadStructList(rslReader* reader, const rslKey* key, int node, void* owner)
{
    const rslTreeNode* nodes = reader->tree->nodes;
    int count = 0;
    if (!rslReader_ListOf(reader, key, node, &count))
    {
        return;
    }
    char* items = rslReader_Allocate(reader, (size_t)count, key->of->size);
    if (items == NULL)
    {
        return;
    }
    int index = 0;
    for (int child = nodes[node].firstChild; child >= 0 && !reader->outOfMemory; child = nodes[child].nextSibling)
    {
        size_t length = rslTrail_Push(&reader->trail, key->name, index);
        rslReader_Struct(reader, key->of, child, items + (size_t)index * key->of->size);
        rslTrail_Pop(&reader->trail, length);
        index += 1;
    }
    rslReader_StoreList(key, owner, items, count);
}

static void ReadKey(rslReader* reader, const rslKey* key, int node, void* owner)
{
    rslReader_Remember(reader, key, node, owner);
    if (key->kind == rsl_structListKey)
    {
        ReadStructList(reader, key, node, owner);
        return;
    }
    if (key->kind != rsl_structKey && key->kind != rsl_structPointerKey)
    {
        rslReader_Value(reader, key, node, owner);
        return;
    }
    void* target = (char*)owner + key->offset;
    if (key->kind == rsl_structPointerKey)
    {
        void* made = rslReader_Allocate(reader, 1, key->of->size);
        if (made == NULL)
        {
            return;
        }
        memcpy(target, &made, sizeof made);
        target = made;
    }
    size_t length = rslTrail_Push(&reader->trail, key->name, -1);
    rslReader_Struct(reader, key->of, node, target);
    rslTrail_Pop(&reader->trail, length);
}

// The type that the keys of a map belong to where it is not told: that of the first key which only one type has.
static void GuessLead(const rslReader* reader, const rslStruct* def, int node, void* out)
{
    const rslTreeNode* nodes = reader->tree->nodes;
    for (int key = nodes[node].firstChild; key >= 0 && nodes[key].nextSibling >= 0;
         key = nodes[nodes[key].nextSibling].nextSibling)
    {
        const rslKey* known = nodes[key].kind == rsl_scalarNode ? rslStruct_FindKey(def, nodes[key].text) : NULL;
        if (known != NULL && known->types != 0 && (known->types & (known->types - 1)) == 0)
        {
            int type = 0;
            while (known->types >> type != 1)
            {
                ++type;
            }
            memcpy((char*)out + def->keys[def->lead].offset, &type, sizeof type);
            return;
        }
    }
}

// The lead first, since defaults and the meaning of other keys depend on it. Returns the type bit, 0 when unknown.
static uint32_t ReadLead(rslReader* reader, const rslStruct* def, int node, void* out)
{
    bool known = true;
    if (def->lead >= 0)
    {
        const rslKey* lead = &def->keys[def->lead];
        bool brief = reader->tree->nodes[node].kind == rsl_scalarNode;
        int value = brief ? (def->brief == def->lead ? node : -1) : FindChild(reader->tree, node, lead->name);
        int before = reader->trail.errors;
        if (value >= 0)
        {
            ReadKey(reader, lead, value, out);
        }
        else if (def->guessed && !brief)
        {
            GuessLead(reader, def, node, out);
        }
        known = value >= 0 ? reader->trail.errors == before : lead->needed == 0;
    }
    if (def == rslSchema_Scene())
    {
        reader->plane = ((const rslScene*)out)->plane;
    }
    if (def->refine != NULL)
    {
        def->refine(out, reader->plane);
    }
    return !def->tagged ? RSL_ALL_TYPES : known ? rslStruct_TypeBit(def, out) : 0;
}

static void ReadPair(rslReader* reader, const rslStruct* def, uint32_t type, int keyNode, void* out, uint64_t* seen)
{
    const rslTreeNode* node = &reader->tree->nodes[keyNode];
    if (node->kind != rsl_scalarNode)
    {
        rslTrail_Error(&reader->trail, node->place, NULL, "found a list or map as a key, expected a word");
        return;
    }
    const rslKey* key = rslStruct_FindKey(def, node->text);
    if (key == NULL)
    {
        const rslKey* meant = ReportUnknown(reader, def, type != 0 ? type : RSL_ALL_TYPES, node);
        if (meant != NULL)  // do not call it missing as well
        {
            *seen |= (uint64_t)1 << (meant - def->keys);
            rslReader_Remember(reader, meant, keyNode, out);
        }
        return;
    }
    uint64_t bit = (uint64_t)1 << (key - def->keys);
    if ((*seen & bit) != 0)
    {
        rslTrail_Error(&reader->trail, node->place, NULL, "found the key '%s' twice in %s, expected it once", key->name,
                       def->title);
        return;
    }
    *seen |= bit;
    if (type != 0 && !rslKey_AppliesTo(key, type))
    {
        ReportWrongType(reader, def, type, key, node->place);
    }
    else if (key - def->keys != def->lead)
    {
        ReadKey(reader, key, node->nextSibling, out);
    }
}

static void ReportMissing(rslReader* reader, const rslStruct* def, uint32_t type, uint64_t seen, rslPlace place)
{
    for (int i = 0; i < def->keyCount; ++i)
    {
        const rslKey* key = &def->keys[i];
        bool needed = i == def->lead ? key->needed != 0 : (key->needed & type) != 0;
        if (!needed || (seen & ((uint64_t)1 << i)) != 0)
        {
            continue;
        }
        char expected[300];
        rslKey_Expected(key, expected, sizeof expected);
        rslTrail_Error(&reader->trail, place, NULL, "missing key '%s' of %s, expected %s", key->name, def->title,
                       expected);
    }
}

static void ReadMap(rslReader* reader, const rslStruct* def, int node, void* out)
{
    const rslTreeNode* nodes = reader->tree->nodes;
    reader->trail.brief = nodes[node].kind == rsl_scalarNode;
    uint32_t type = ReadLead(reader, def, node, out);
    uint64_t seen = 0;
    if (nodes[node].kind == rsl_scalarNode)
    {
        seen = (uint64_t)1 << def->brief;
        if (def->brief != def->lead)
        {
            ReadKey(reader, &def->keys[def->brief], node, out);
        }
        reader->trail.brief = false;
    }
    else
    {
        for (int key = nodes[node].firstChild; key >= 0 && !reader->outOfMemory;)
        {
            int value = nodes[key].nextSibling;
            if (value < 0)
            {
                break;
            }
            ReadPair(reader, def, type, key, out, &seen);
            key = nodes[value].nextSibling;
        }
    }
    ReportMissing(reader, def, type, seen, nodes[node].place);
}

void rslReader_Struct(rslReader* reader, const rslStruct* def, int node, void* out)
{
    const rslTreeNode* n = &reader->tree->nodes[node];
    def->defaults(out);
    SetPlace(def, out, n->place);
    bool brief = n->kind == rsl_scalarNode && def->brief >= 0 && (n->text[0] != 0 || n->quoted);
    if (n->kind != rsl_mapNode && !brief)
    {
        char found[100], keys[300];
        rslReader_Found(reader->tree, node, found, sizeof found);
        ListKeys(def, RSL_ALL_TYPES, keys, sizeof keys);
        bool colon = n->text != NULL && strchr(n->text, ':') != NULL;
        rslTrail_Error(&reader->trail, n->place, NULL, "found %s, expected %s with keys such as %s%s", found,
                       def->title, keys, colon ? "; a colon needs a space after it" : "");
        for (int i = 0; i < def->keyCount; ++i)  // do not call them missing as well
        {
            rslReader_Remember(reader, &def->keys[i], node, out);
        }
        return;
    }
    if (reader->depth == RSL_TREE_DEPTH)
    {
        rslTrail_Error(&reader->trail, n->place, NULL, "nested deeper than %d levels", RSL_TREE_DEPTH);
        return;
    }
    reader->depth += 1;
    ReadMap(reader, def, node, out);
    bool shape = strcmp(def->name, "shape") == 0;
    if (shape || strcmp(def->name, "network") == 0)
    {
        int file = n->kind == rsl_mapNode ? FindChild(reader->tree, node, "file") : -1;
        *(shape ? &((rslShapeDef*)out)->filePlace : &((rslNetworkDef*)out)->filePlace) =
            reader->tree->nodes[file >= 0 ? file : node].place;
    }
    reader->depth -= 1;
}

// ---- the whole --------------------------------------------------------------------------------------------------

static void ReadScene(rslReader* reader, rslScene* scene)
{
    rslReader_Struct(reader, rslSchema_Scene(), 0, scene);
    rslOrigins_Sort(&reader->origins);
    // the checks across keys also run beside other errors, so that one reading shows everything
    if (!reader->outOfMemory && !rslScene_CheckAcross(scene, &reader->origins, &reader->trail))
    {
        reader->outOfMemory = true;
    }
}

rslStatus rslScene_FromTree(const rslTree* tree, const rslHooks* hooks, rslScene* scene, rslReport* report)
{
    *scene = rslDefaultScene();
    if (tree->count == 0)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0, 0 }, "found nothing, expected a scene");
        return rsl_badInput;
    }
    rslHooks complete = rslHooks_Complete(hooks);
    rslArena* arena = rslAllocate(&complete, 1, sizeof *arena);
    if (arena == NULL)
    {
        return rsl_outOfMemory;
    }
    *arena = rslArena_Make(&complete);
    rslReader reader = {
        .tree = tree,
        .arena = arena,
        .trail = { .report = report, .errorsOnly = true },
        .origins = { .tree = tree, .hooks = complete },
    };
    ReadScene(&reader, scene);
    rslRelease(&complete, reader.origins.items);
    scene->arena = arena;
    if (reader.outOfMemory || reader.trail.errors > 0)
    {
        rslScene_Free(scene);
        return reader.outOfMemory ? rsl_outOfMemory : rsl_badInput;
    }
    return rsl_ok;
}
