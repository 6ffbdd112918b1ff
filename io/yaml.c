// SPDX-License-Identifier: MIT
//
// yaml.c: YAML text to a node tree, through libyaml's events. What libyaml lets pass and a scene must not contain is
// refused here: several documents, tags, merge keys, aliases without end.

#include "resilin/io.h"

#include <string.h>

#if defined(RSL_HAVE_YAML) && RSL_HAVE_YAML

#include <yaml.h>

#include <stdlib.h>

enum
{
    LARGEST_TEXT = 64 << 20,
    LARGEST_TREE = 2000000,
    MOST_ANCHORS = 1000,
};

typedef struct Anchor
{
    char* name;
    int node;
    bool open;  // its node is still being read
} Anchor;

typedef struct Parser
{
    yaml_parser_t yaml;
    rslTree* tree;
    rslReport* report;
    rslStatus status;
    int stack[RSL_TREE_DEPTH];     // nodes that are being read
    int anchored[RSL_TREE_DEPTH];  // their anchors, -1 for none
    int depth;
    Anchor* anchors;
    int anchorCount, anchorCapacity;
    int documents;
} Parser;

static rslPlace PlaceOf(yaml_mark_t mark)
{
    return (rslPlace){ (int)mark.line + 1, (int)mark.column + 1 };
}

static void Refuse(Parser* parser, rslPlace place, const char* text)
{
    rslReport_Add(parser->report, rsl_error, place, "%s", text);
    parser->status = rsl_badInput;
}

// ---- anchors ----------------------------------------------------------------------------------------------------

static Anchor* FindAnchor(Parser* parser, const char* name)
{
    // a later anchor of the same name hides the earlier
    for (int i = parser->anchorCount - 1; i >= 0; --i)
    {
        if (strcmp(parser->anchors[i].name, name) == 0)
        {
            return &parser->anchors[i];
        }
    }
    return NULL;
}

static void AddAnchor(Parser* parser, const yaml_char_t* name, int node, bool open)
{
    if (name == NULL || node < 0)
    {
        return;
    }
    if (parser->anchorCount == MOST_ANCHORS)
    {
        Refuse(parser, parser->tree->nodes[node].place, "more than 1000 anchors");
        return;
    }
    if (parser->anchorCount == parser->anchorCapacity)
    {
        int capacity = parser->anchorCapacity > 0 ? 2 * parser->anchorCapacity : 16;
        Anchor* larger = realloc(parser->anchors, (size_t)capacity * sizeof *larger);
        if (larger == NULL)
        {
            parser->status = rsl_outOfMemory;
            return;
        }
        parser->anchors = larger;
        parser->anchorCapacity = capacity;
    }
    size_t size = strlen((const char*)name) + 1;
    char* copy = malloc(size);
    if (copy == NULL)
    {
        parser->status = rsl_outOfMemory;
        return;
    }
    memcpy(copy, name, size);
    parser->anchors[parser->anchorCount++] = (Anchor){ copy, node, open };
}

// ---- nodes ------------------------------------------------------------------------------------------------------

static int Add(Parser* parser, int parent, rslTreeKind kind, const char* text, size_t length, bool quoted,
               rslPlace place)
{
    if (parser->tree->count >= LARGEST_TREE)
    {
        Refuse(parser, place, "more than 2 million values, counting each use of an alias");
        return -1;
    }
    int node = rslTree_Add(parser->tree, parent, kind, text, length, quoted, place);
    if (node < 0)
    {
        parser->status = rsl_outOfMemory;
    }
    return node;
}

static int Parent(const Parser* parser)
{
    return parser->depth > 0 ? parser->stack[parser->depth - 1] : -1;
}

// Errors name the place of the alias, values keep their own.
static int CopyTree(Parser* parser, int source, int parent, int depth, rslPlace alias)
{
    if (depth > RSL_TREE_DEPTH)
    {
        Refuse(parser, alias, "nested deeper than 32 levels through aliases");
        return -1;
    }
    rslTreeNode n = parser->tree->nodes[source];
    int copy = Add(parser, parent, n.kind, n.text, n.text != NULL ? strlen(n.text) : 0, n.quoted, alias);
    if (copy >= 0)
    {
        parser->tree->nodes[copy].place = n.place;
    }
    for (int child = n.firstChild; child >= 0 && parser->status == rsl_ok;)
    {
        (void)CopyTree(parser, child, copy, depth + 1, alias);
        child = parser->tree->nodes[child].nextSibling;
    }
    return copy;
}

static void TakeAlias(Parser* parser, const yaml_event_t* event)
{
    rslPlace place = PlaceOf(event->start_mark);
    const char* name = (const char*)event->data.alias.anchor;
    const Anchor* anchor = FindAnchor(parser, name);
    if (anchor == NULL || anchor->open)
    {
        rslReport_Add(parser->report, rsl_error, place, "the alias '*%.60s' %s", name,
                      anchor == NULL ? "has no anchor before it" : "stands inside its own anchor");
        parser->status = rsl_badInput;
        return;
    }
    (void)CopyTree(parser, anchor->node, Parent(parser), parser->depth, place);
}

static bool CheckTag(Parser* parser, const yaml_char_t* tag, rslPlace place)
{
    if (tag != NULL)
    {
        rslReport_Add(parser->report, rsl_error, place, "found the tag '%.60s', expected a plain value without tags",
                      (const char*)tag);
        parser->status = rsl_badInput;
    }
    return tag == NULL;
}

// Whether the next child of the present map is a key.
static bool ExpectsKey(const Parser* parser)
{
    int parent = Parent(parser);
    if (parent < 0 || parser->tree->nodes[parent].kind != rsl_mapNode)
    {
        return false;
    }
    int count = 0;
    for (int child = parser->tree->nodes[parent].firstChild; child >= 0; child = parser->tree->nodes[child].nextSibling)
    {
        count += 1;
    }
    return count % 2 == 0;
}

static void TakeScalar(Parser* parser, const yaml_event_t* event)
{
    rslPlace place = PlaceOf(event->start_mark);
    const char* text = (const char*)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    bool quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (!CheckTag(parser, event->data.scalar.tag, place))
    {
        return;
    }
    if (memchr(text, 0, length) != NULL)
    {
        Refuse(parser, place, "found a zero character in a text");
        return;
    }
    bool null = !quoted && (strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
    if (!quoted && strcmp(text, "<<") == 0 && ExpectsKey(parser))
    {
        Refuse(parser, place, "found the merge key '<<', expected the keys themselves");
        return;
    }
    int node = Add(parser, Parent(parser), rsl_scalarNode, null ? "" : text, null ? 0 : length, quoted, place);
    AddAnchor(parser, event->data.scalar.anchor, node, false);
}

static void Open(Parser* parser, rslTreeKind kind, const yaml_char_t* tag, const yaml_char_t* anchor, rslPlace place)
{
    if (!CheckTag(parser, tag, place))
    {
        return;
    }
    if (parser->depth == RSL_TREE_DEPTH)
    {
        Refuse(parser, place, "nested deeper than 32 levels");
        return;
    }
    int node = Add(parser, Parent(parser), kind, NULL, 0, false, place);
    int before = parser->anchorCount;
    AddAnchor(parser, anchor, node, true);
    parser->stack[parser->depth] = node;
    parser->anchored[parser->depth] = parser->anchorCount > before ? before : -1;
    parser->depth += parser->status == rsl_ok;
}

static void Close(Parser* parser)
{
    int anchor = parser->anchored[--parser->depth];
    if (anchor >= 0)
    {
        parser->anchors[anchor].open = false;
    }
}

static void StartDocument(Parser* parser, rslPlace place)
{
    parser->documents += 1;
    if (parser->documents > 1)
    {
        Refuse(parser, place, "found a second document, expected one scene in a file");
    }
}

static void Take(Parser* parser, const yaml_event_t* event)
{
    rslPlace place = PlaceOf(event->start_mark);
    switch (event->type)
    {
        case YAML_DOCUMENT_START_EVENT: StartDocument(parser, place); break;
        case YAML_ALIAS_EVENT: TakeAlias(parser, event); break;
        case YAML_SCALAR_EVENT: TakeScalar(parser, event); break;
        case YAML_SEQUENCE_START_EVENT:
            Open(parser, rsl_listNode, event->data.sequence_start.tag, event->data.sequence_start.anchor, place);
            break;
        case YAML_MAPPING_START_EVENT:
            Open(parser, rsl_mapNode, event->data.mapping_start.tag, event->data.mapping_start.anchor, place);
            break;
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT: Close(parser); break;
        default: break;
    }
}

// ---- errors of libyaml ------------------------------------------------------------------------------------------

// Line and column of a byte, in characters.
static rslPlace PlaceAt(const char* text, size_t offset)
{
    rslPlace place = { 1, 1 };
    for (size_t i = 0; i < offset; ++i)
    {
        if (text[i] == '\n')
        {
            place.line += 1;
            place.column = 1;
        }
        else if (((unsigned char)text[i] & 0xc0) != 0x80)
        {
            place.column += 1;
        }
    }
    return place;
}

static const char* Hint(const char* problem, char c)
{
    if (c == '\t')
    {
        return ": found a tab, expected spaces";
    }
    if (strstr(problem, "mapping values are not allowed") != NULL)
    {
        return ": a line has two colons, or is indented too far; a text with ': ' needs quotes";
    }
    if (strstr(problem, "did not find expected key") != NULL || strstr(problem, "could not find expected ':'") != NULL)
    {
        return ": is the line indented as the one above, with a colon and a space after the key?";
    }
    if (strstr(problem, "expected '-' indicator") != NULL)
    {
        return ": keys of one entry of a list begin in the same column, two to the right of its '-'";
    }
    if (strstr(problem, "cannot start any token") != NULL)
    {
        return ": a text that begins with such a character needs quotes";
    }
    if (strstr(problem, "',' or ']'") != NULL || strstr(problem, "',' or '}'") != NULL)
    {
        return ": is a bracket closed?";
    }
    if (strstr(problem, "unexpected end of stream") != NULL)
    {
        return ": is a quote closed?";
    }
    return "";
}

// The character at a mark; marks count characters, not bytes.
static char CharAt(const char* text, size_t length, yaml_mark_t mark)
{
    size_t line = 0, column = 0;
    for (size_t i = 0; i < length; ++i)
    {
        bool starts = ((unsigned char)text[i] & 0xc0) != 0x80;
        if (starts && line == mark.line && column == mark.column)
        {
            return text[i];
        }
        column = text[i] == '\n' ? 0 : column + starts;
        line += text[i] == '\n';
    }
    return 0;
}

static void ReportYaml(Parser* parser, const char* text, size_t length)
{
    const yaml_parser_t* yaml = &parser->yaml;
    const char* problem = yaml->problem != NULL ? yaml->problem : "the text cannot be read";
    parser->status = rsl_badInput;
    if (yaml->error == YAML_MEMORY_ERROR)
    {
        parser->status = rsl_outOfMemory;
    }
    else if (yaml->error == YAML_READER_ERROR)
    {
        size_t offset = yaml->problem_offset < length ? yaml->problem_offset : length;
        bool trailing = strstr(problem, "trailing") != NULL;
        do  // back to the byte that begins the character
        {
            offset -= trailing && offset > 0;
        } while (trailing && offset > 0 && ((unsigned char)text[offset] & 0xc0) == 0x80);
        rslReport_Add(parser->report, rsl_error, PlaceAt(text, offset), "not YAML: %s, expected UTF-8 text", problem);
    }
    else
    {
        rslReport_Add(parser->report, rsl_error, PlaceOf(yaml->problem_mark), "not YAML: %s%s", problem,
                      Hint(problem, CharAt(text, length, yaml->problem_mark)));
    }
}

// ---- the whole --------------------------------------------------------------------------------------------------

static void ParseEvents(Parser* parser, const char* text, size_t length)
{
    for (bool more = true; more && parser->status == rsl_ok;)
    {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser->yaml, &event))
        {
            ReportYaml(parser, text, length);
            return;
        }
        Take(parser, &event);
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    const rslTree* tree = parser->tree;
    bool nothing = tree->count == 0 || (tree->count == 1 && tree->nodes[0].kind == rsl_scalarNode &&
                                        tree->nodes[0].text[0] == 0 && !tree->nodes[0].quoted);
    if (parser->status == rsl_ok && nothing)
    {
        Refuse(parser, (rslPlace){ 1, 1 }, "the file holds no scene, only white space or comments");
    }
}

rslStatus rslYaml_Parse(const char* text, size_t length, const rslHooks* hooks, rslTree* tree, rslReport* report)
{
    *tree = (rslTree){ 0 };
    if (length > LARGEST_TEXT)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0, 0 }, "found %zu MiB, expected a scene of at most 64 MiB",
                      length >> 20);
        return rsl_badInput;
    }
    Parser parser = { .tree = tree, .report = report };
    *tree = rslTree_Make(hooks);
    if (tree->arena == NULL || !yaml_parser_initialize(&parser.yaml))
    {
        rslTree_Free(tree);
        return rsl_outOfMemory;
    }
    yaml_parser_set_encoding(&parser.yaml, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser.yaml, (const unsigned char*)text, length);
    ParseEvents(&parser, text, length);
    yaml_parser_delete(&parser.yaml);
    for (int i = 0; i < parser.anchorCount; ++i)
    {
        free(parser.anchors[i].name);
    }
    free(parser.anchors);
    if (parser.status != rsl_ok)
    {
        rslTree_Free(tree);
    }
    return parser.status;
}

#else

rslStatus rslYaml_Parse(const char* text, size_t length, const rslHooks* hooks, rslTree* tree, rslReport* report)
{
    (void)text, (void)length, (void)hooks;
    *tree = (rslTree){ 0 };
    rslReport_Add(report, rsl_error, (rslPlace){ 0, 0 },
                  "this build cannot read YAML: build it again with libyaml (libyaml-dev)");
    return rsl_unsupported;
}

#endif
