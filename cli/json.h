// SPDX-License-Identifier: MIT
//
// json.h: writes JSON, indented, key after key. Commas and quoting are taken care of.

#pragma once

#include "resilin/base.h"

#include <stdio.h>

enum
{
    CLI_JSON_DEPTH = 16
};

typedef struct cliJson
{
    FILE* file;
    int depth;
    bool filled[CLI_JSON_DEPTH];  // whether the level already has an entry
    bool list[CLI_JSON_DEPTH];
} cliJson;

// In an object every value has a key; in a list, and for the outermost object, the key is NULL.
void cliJson_Begin(cliJson* json, const char* key);      // an object
void cliJson_BeginList(cliJson* json, const char* key);  // a list
void cliJson_End(cliJson* json);                         // of either; after the outermost one comes a line end

void cliJson_Text(cliJson* json, const char* key, const char* value);  // NULL: null
void cliJson_Number(cliJson* json, const char* key, double value);     // shortest; not finite: null
void cliJson_Count(cliJson* json, const char* key, uint64_t value);
void cliJson_Bool(cliJson* json, const char* key, bool value);
void cliJson_Null(cliJson* json, const char* key);
void cliJson_Vec3(cliJson* json, const char* key, rslVec3 value);

// The messages of a report as a list of objects.
void cliJson_Messages(cliJson* json, const char* key, const rslReport* report);
