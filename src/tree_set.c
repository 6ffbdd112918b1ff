// SPDX-License-Identifier: MIT
//
// tree_set.c: change one value of a tree by its path, as --set does. Follows the tables of the scene language, so that
// a slip in the path is told at once.

#include "resilin/tree.h"

#include "memory.h"
#include "scene_schema.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum
{
    SEGMENT_CAPACITY = 80,
};

typedef struct Setter
{
    rslTree* tree;
    const char* path;
    const char* rest;  // of the path
    char segment[SEGMENT_CAPACITY];
    rslReport* report;
    rslStatus status;
} Setter;

static const rslPlace nowhere = { 0, 0 };

RSL_PRINTF(2, 3) static void Refuse(Setter* setter, const char* format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rslUtf8_Clean(text);
    setter->status = rsl_badInput;
    rslReport_Add(setter->report, rsl_error, nowhere, "cannot set '%.100s': %s", setter->path, text);
}

static int Add(Setter* setter, int parent, rslTreeKind kind, const char* text, size_t length, bool quoted)
{
    int node = rslTree_Add(setter->tree, parent, kind, text, length, quoted, nowhere);
    if (node < 0)
    {
        setter->status = rsl_outOfMemory;
    }
    return node;
}

static rslTreeNode* NodeAt(Setter* setter, int node)
{
    return &setter->tree->nodes[node];
}

static void Clear(Setter* setter, int node, rslTreeKind kind)
{
    rslTreeNode* n = NodeAt(setter, node);
    n->kind = kind;
    n->text = kind == rsl_scalarNode ? "" : NULL;
    n->quoted = false;
    n->place = nowhere;
    n->firstChild = n->lastChild = -1;
}

// ---- the value --------------------------------------------------------------------------------------------------

static const char* SkipSpace(const char* s)
{
    while (*s == ' ' || *s == '\t')
    {
        s += 1;
    }
    return s;
}

// The extent of a scalar: to the closing quote, or to a comma or bracket of the list around it.
static const char* ScalarEnd(const char* s, bool inList, bool* quoted)
{
    *quoted = *s == '"' || *s == '\'';
    if (*quoted)
    {
        const char* end = strchr(s + 1, *s);
        return end != NULL ? end + 1 : NULL;
    }
    const char* end = inList ? s + strcspn(s, ",[]") : s + strlen(s);
    while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
    {
        end -= 1;
    }
    return end;
}

// One value into a cleared node. Returns where it ends, NULL after an error.
static const char* ParseValue(Setter* setter, const char* s, int node, int depth)
{
    s = SkipSpace(s);
    if (*s == '{' || depth > RSL_TREE_DEPTH)
    {
        Refuse(setter, "expected a number, a word or a list such as [0, 0, 1]");
        return NULL;
    }
    if (*s != '[')
    {
        bool quoted;
        const char* end = ScalarEnd(s, depth > 0, &quoted);
        size_t skipped = quoted ? 1 : 0;
        size_t length = end != NULL ? (size_t)(end - s) - 2 * skipped : 0;
        char* copy = end != NULL ? rslArena_Copy(setter->tree->arena, s + skipped, length) : NULL;
        if (end == NULL)
        {
            Refuse(setter, "found a quote that is not closed in '%.60s'", s);
            return NULL;
        }
        setter->status = copy == NULL ? rsl_outOfMemory : setter->status;
        Clear(setter, node, rsl_scalarNode);
        NodeAt(setter, node)->text = copy != NULL ? copy : "";
        NodeAt(setter, node)->quoted = quoted;
        return copy != NULL ? end : NULL;
    }
    Clear(setter, node, rsl_listNode);
    for (s = SkipSpace(s + 1); *s != ']';)
    {
        int child = Add(setter, node, rsl_scalarNode, "", 0, false);
        s = child >= 0 ? ParseValue(setter, s, child, depth + 1) : NULL;
        if (s == NULL)
        {
            return NULL;
        }
        s = SkipSpace(s);
        if (*s != ',' && *s != ']')
        {
            Refuse(setter, "found '%.40s' in a list, expected , or ]", s);
            return NULL;
        }
        s = *s == ',' ? SkipSpace(s + 1) : s;
    }
    return s + 1;
}

static void SetNode(Setter* setter, int node, const char* value)
{
    const char* end = ParseValue(setter, value, node, 0);
    if (end != NULL && *SkipSpace(end) != 0)
    {
        Refuse(setter, "found '%.60s' after the value", end);
    }
}

// ---- the path ---------------------------------------------------------------------------------------------------

static bool NextSegment(Setter* setter)
{
    size_t length = strcspn(setter->rest, ".");
    if (length == 0 || length >= SEGMENT_CAPACITY)
    {
        Refuse(setter, "expected a path such as bodies.NAME.material.young");
        return false;
    }
    memcpy(setter->segment, setter->rest, length);
    setter->segment[length] = 0;
    setter->rest += length;
    setter->rest += *setter->rest == '.' && setter->rest[1] != 0 ? 1 : 0;
    return true;
}

static int FindChild(Setter* setter, int map, const char* name)
{
    for (int key = NodeAt(setter, map)->firstChild; key >= 0;)
    {
        int value = NodeAt(setter, key)->nextSibling;
        if (value < 0)
        {
            break;
        }
        const char* text = NodeAt(setter, key)->text;
        if (text != NULL && strcmp(text, name) == 0)
        {
            return value;
        }
        key = NodeAt(setter, value)->nextSibling;
    }
    return -1;
}

static int AddChild(Setter* setter, int map, const char* name, rslTreeKind kind)
{
    int key = Add(setter, map, rsl_scalarNode, name, strlen(name), false);
    return key >= 0 ? Add(setter, map, kind, "", 0, false) : -1;
}

// A struct given as a bare scalar becomes a map, so that a key can be set beside it.
static bool MakeMap(Setter* setter, const rslStruct* def, int node)
{
    rslTreeNode old = *NodeAt(setter, node);
    if (old.kind == rsl_mapNode)
    {
        return true;
    }
    bool empty = old.kind == rsl_scalarNode && old.text[0] == 0 && !old.quoted;
    if (old.kind == rsl_listNode || (!empty && def->brief < 0))
    {
        Refuse(setter, "the scene has no keys there");
        return false;
    }
    Clear(setter, node, rsl_mapNode);
    int brief = empty ? node : AddChild(setter, node, def->keys[def->brief].name, rsl_scalarNode);
    if (brief >= 0 && !empty)
    {
        NodeAt(setter, brief)->text = old.text;
        NodeAt(setter, brief)->quoted = old.quoted;
        NodeAt(setter, brief)->place = old.place;
    }
    return brief >= 0;
}

// The entry of a list that the present segment names, by number or by its name. -1 after an error.
static int FindEntry(Setter* setter, int list, const char* what)
{
    int64_t index = -1;
    bool numbered = rslInteger_Parse(setter->segment, &index);
    bool isList = list >= 0 && NodeAt(setter, list)->kind == rsl_listNode;
    rslNearest nearest = rslNearest_Make(setter->segment);
    int64_t count = 0;
    for (int entry = isList ? NodeAt(setter, list)->firstChild : -1; entry >= 0; ++count)
    {
        int name = NodeAt(setter, entry)->kind == rsl_mapNode ? FindChild(setter, entry, "name") : -1;
        const char* text = name >= 0 ? NodeAt(setter, name)->text : NULL;
        if (numbered ? count == index : text != NULL && strcmp(text, setter->segment) == 0)
        {
            return entry;
        }
        if (text != NULL)
        {
            rslNearest_Try(&nearest, text);
        }
        entry = NodeAt(setter, entry)->nextSibling;
    }
    if (nearest.best != NULL)
    {
        Refuse(setter, "there is no '%s' in %s; did you mean '%s'?", setter->segment, what, nearest.best);
    }
    else
    {
        Refuse(setter, "there is no '%s' in %s, which has %d %s", setter->segment, what, (int)count,
               count == 1 ? "entry" : "entries");
    }
    return -1;
}

// The path from a struct down to a key of this name, at most that deep: "body.material.young". Of no use when false.
static bool FindBelow(const rslStruct* def, const char* name, int depth, rslText* path)
{
    size_t length = path->length;
    for (int i = 0; i < def->keyCount && depth > 0; ++i)
    {
        const rslKey* key = &def->keys[i];
        if (key->of == NULL)
        {
            continue;
        }
        bool bodies = strcmp(key->name, "bodies") == 0, list = key->kind == rsl_structListKey;
        rslText_Printf(path, "%s%s.", bodies ? "body" : key->name, list && !bodies ? ".0" : "");
        if (rslStruct_FindKey(key->of, name) != NULL)
        {
            rslText_Printf(path, "%s", name);
            return true;
        }
        if (FindBelow(key->of, name, depth - 1, path))
        {
            return true;
        }
        path->length = length;
    }
    return false;
}

// The list of the scene with an entry of that name, as "bodies" of a body; NULL: none.
static const char* ListWith(Setter* setter, const char* name)
{
    for (int key = NodeAt(setter, 0)->firstChild; key >= 0;)
    {
        int list = NodeAt(setter, key)->nextSibling;
        int entry = list >= 0 && NodeAt(setter, list)->kind == rsl_listNode ? NodeAt(setter, list)->firstChild : -1;
        for (; entry >= 0; entry = NodeAt(setter, entry)->nextSibling)
        {
            int named = NodeAt(setter, entry)->kind == rsl_mapNode ? FindChild(setter, entry, "name") : -1;
            const char* text = named >= 0 ? NodeAt(setter, named)->text : NULL;
            if (text != NULL && strcmp(text, name) == 0)
            {
                return NodeAt(setter, key)->text;
            }
        }
        key = list >= 0 ? NodeAt(setter, list)->nextSibling : -1;
    }
    return NULL;
}

static const rslKey* FindKey(Setter* setter, const rslStruct* def)
{
    const rslKey* key = rslStruct_FindKey(def, setter->segment);
    if (key != NULL)
    {
        return key;
    }
    rslNearest nearest = rslNearest_Make(setter->segment);
    for (int i = 0; i < def->keyCount; ++i)
    {
        rslNearest_Try(&nearest, def->keys[i].name);
    }
    char below[100];
    rslText path = rslText_Make(below, sizeof below);
    bool deeper = false;
    for (int depth = 1; depth <= 3 && !deeper && nearest.best == NULL; ++depth)
    {
        deeper = FindBelow(def, setter->segment, depth, &path);
    }
    const char* list = strcmp(def->name, "scene") == 0 ? ListWith(setter, setter->segment) : NULL;
    if (list != NULL)
    {
        path = rslText_Make(below, sizeof below);
        rslText_Printf(&path, "%s.%s", list, setter->segment);
    }
    const char* meant = deeper || list != NULL ? below : nearest.best;
    Refuse(setter, "unknown key '%s' in %s%s%s%s", setter->segment, def->title, meant != NULL ? "; did you mean '" : "",
           meant != NULL ? meant : "", meant != NULL ? "'?" : "");
    return NULL;
}

// "body" stands for the only body.
static int OnlyBody(Setter* setter)
{
    int list = FindChild(setter, 0, "bodies");
    int first = list >= 0 ? NodeAt(setter, list)->firstChild : -1;
    if (first < 0 || NodeAt(setter, list)->kind != rsl_listNode)
    {
        Refuse(setter, "the scene has no bodies");
        return -1;
    }
    if (NodeAt(setter, first)->nextSibling >= 0)
    {
        Refuse(setter, "'body' stands for the only body, but there are several: write bodies.NAME");
        return -1;
    }
    return first;
}

// One number of a list of numbers: gravity.2
static void SetElement(Setter* setter, const rslKey* key, int list, const char* value)
{
    int entry = NextSegment(setter) ? FindEntry(setter, list, key->name) : -1;
    if (entry >= 0 && *setter->rest != 0)
    {
        SetElement(setter, key, entry, value);
    }
    else if (entry >= 0)
    {
        SetNode(setter, entry, value);
    }
}

// One step down from a map. Returns the map to go on with, or -1 at the end or after an error.
static int Step(Setter* setter, int node, const rslStruct** def, const char* value)
{
    if (!MakeMap(setter, *def, node) || !NextSegment(setter))
    {
        return -1;
    }
    bool only = *def == rslSchema_Scene() && strcmp(setter->segment, "body") == 0;
    const rslKey* key = only ? rslStruct_FindKey(*def, "bodies") : FindKey(setter, *def);
    if (key == NULL)
    {
        return -1;
    }
    bool last = *setter->rest == 0;
    int child = FindChild(setter, node, key->name);
    if (only || (key->kind == rsl_structListKey && !last))
    {
        child = only ? OnlyBody(setter) : NextSegment(setter) ? FindEntry(setter, child, key->name) : -1;
        if (child >= 0 && *setter->rest == 0)
        {
            Refuse(setter, "expected a key of %s after it", key->of->title);
            return -1;
        }
        *def = key->of;
        return child;
    }
    if (last)
    {
        child = child >= 0 ? child : AddChild(setter, node, key->name, rsl_scalarNode);
        if (child >= 0)
        {
            SetNode(setter, child, value);
        }
        return -1;
    }
    if (key->of == NULL)
    {
        SetElement(setter, key, child, value);
        return -1;
    }
    *def = key->of;
    return child >= 0 ? child : AddChild(setter, node, key->name, rsl_mapNode);
}

rslStatus rslTree_Set(rslTree* tree, const char* path, const char* value, rslReport* report)
{
    Setter setter = { .tree = tree, .path = path, .rest = path, .report = report, .status = rsl_ok };
    int node = tree->count > 0 ? 0 : Add(&setter, -1, rsl_mapNode, NULL, 0, false);
    const rslStruct* def = rslSchema_Scene();
    while (node >= 0)
    {
        node = Step(&setter, node, &def, value);
    }
    return setter.status;
}
