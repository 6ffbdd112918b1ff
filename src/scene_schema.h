// SPDX-License-Identifier: MIT
//
// scene_schema.h: the scene language as data. One table per struct of scene.h says for every key its kind, place in the
// struct, unit, range and meaning. The reader, the writer, the checks, the JSON Schema and the reference in
// docs/scene.md all walk these tables, so they cannot disagree.

#pragma once

#include "resilin/scene.h"

typedef enum rslKeyKind
{
    rsl_numberKey,         // double
    rsl_numberOrAutoKey,   // double; the word auto is RSL_AUTO
    rsl_integerKey,        // int
    rsl_seedKey,           // uint64_t
    rsl_boolKey,           // bool
    rsl_stringKey,         // const char*: any text
    rsl_nameKey,           // const char*: a letter, then letters, digits, - and _
    rsl_enumKey,           // int: one of words
    rsl_vectorKey,         // rslVec3
    rsl_numbersKey,        // double[width]
    rsl_integersKey,       // int[width]
    rsl_numberListKey,     // const double* and int: a list; one number stands for a list of one, its words for none
    rsl_integerListKey,    // const int* and int
    rsl_numberRowsKey,     // const double* and int: a list of lists of width numbers
    rsl_integerRowsKey,    // const int* and int: a list of lists of width integers
    rsl_flagsKey,          // bools at the offsets that the words have as values: a list of words
    rsl_structKey,         // a struct
    rsl_structPointerKey,  // const struct*, NULL when the key is absent
    rsl_structListKey,     // const struct* and int
} rslKeyKind;

// A word of an enum (value) or of flags (offset of the bool).
typedef struct rslWord
{
    const char* name;
    int value;
    const char* text;  // what it means; NULL: nothing to add
} rslWord;

// Bounds of a number or of each number of a vector or list. All zero: any finite number.
typedef struct rslRange
{
    double min, max;
    bool minOpen, maxOpen;
} rslRange;

typedef struct rslStruct rslStruct;

typedef struct rslKey
{
    const char* name;
    rslKeyKind kind;
    size_t offset, countOffset;
    int width;        // of numbers, integers and rows
    int minCount;     // of lists
    uint32_t types;   // bit mask of the types of the struct that have this key; 0: all
    uint32_t needed;  // bit mask of the types that cannot be without it
    rslRange range;
    bool nonzero;      // of a vector: its length
    bool optional;     // of a number: NaN stands for absent
    const char* unit;  // SI; "" for a ratio, NULL for what has none
    const rslWord* words;
    const rslStruct* of;
    const char* text;  // one sentence
    const char* hint;  // what to try when a number is out of range; may be NULL
} rslKey;

#define RSL_ALL_TYPES (~(uint32_t)0)

struct rslStruct
{
    const char* name;   // "shape"
    const char* title;  // "a shape"
    size_t size;
    bool placed;  // starts with an rslPlace
    const rslKey* keys;
    int keyCount;
    int lead;      // index of the key that decides on defaults and is read first; -1: none
    bool tagged;   // the lead is a type: keys belong to some types only
    bool guessed;  // where the lead is absent, keys that belong to one type only tell it
    int brief;     // index of the key that a bare scalar stands for; -1: none
    void (*defaults)(void* out);
    void (*refine)(void* out, rslSpace plane);  // defaults that depend on the lead or the plane; may be NULL
    const char* text;
};

// Room for any struct of the tables.
typedef union rslAnyDef
{
    rslScene scene;
    rslBodyDef body;
    rslShapeDef shape;
    rslNetworkDef network;
    rslModelDef model;
    rslRepulsionDef repulsion;
    rslVolumeDef volume;
    rslMaterialDef material;
    rslDampingDef damping;
    rslOrthotropicDef orthotropic;
    rslRegionDef region;
    rslSurfaceDef surface;
    rslRotationDef rotation;
    rslNodeSetDef nodes;
    rslCourseDef course;
    rslLoadDef load;
    rslConstraintDef constraint;
    rslLinkDef link;
    rslDriveDef drive;
    rslJointDef joint;
    rslGroundDef ground;
    rslColliderDef collider;
    rslTimeDef time;
    rslRealtimeDef realtime;
    rslOutputDef output;
    rslProbeDef probe;
} rslAnyDef;

// The root of the tables.
const rslStruct* rslSchema_Scene(void);

// Every struct once, in the order of the reference; NULL after the last.
const rslStruct* rslSchema_Struct(int index);

const rslKey* rslStruct_FindKey(const rslStruct* def, const char* name);

// The type of a tagged struct as a bit; RSL_ALL_TYPES for others.
uint32_t rslStruct_TypeBit(const rslStruct* def, const void* value);

// What the reader starts from: the defaults for a struct whose lead has the given value (NULL: its default).
void rslStruct_Reference(const rslStruct* def, const void* value, rslSpace plane, void* out);

bool rslKey_AppliesTo(const rslKey* key, uint32_t typeBit);
const rslWord* rslKey_FindWord(const rslKey* key, const char* name);
const char* rslKey_WordOf(const rslKey* key, int value);

// Access to the field of a key.
static inline const void* rslKey_At(const rslKey* key, const void* value)
{
    return (const char*)value + key->offset;
}

static inline int rslKey_Count(const rslKey* key, const void* value)
{
    return *(const int*)(const void*)((const char*)value + key->countOffset);
}

// Whether a key, or every key of a struct, has the same bits in both. Places are not compared.
bool rslKey_Equal(const rslKey* key, const void* a, const void* b);
bool rslStruct_Equal(const rslStruct* def, const void* a, const void* b);

// Print the value of a key in one line as YAML, or as JSON. Lists are wrapped beyond column 100 (YAML only).
typedef struct rslText rslText;
void rslKey_PrintValue(const rslKey* key, const void* owner, bool json, int indent, rslText* text);

// "a number > 0 in Pa", "[x, y, z]", ... into the buffer: what a key expects.
void rslKey_Expected(const rslKey* key, char* buffer, size_t capacity);

bool rslRange_IsAny(rslRange range);
bool rslRange_Contains(rslRange range, double value);
void rslRange_Print(rslRange range, char* buffer, size_t capacity);  // "> 0", "in (-1, 0.5)"; empty when any
