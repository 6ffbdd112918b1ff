// SPDX-License-Identifier: MIT
//
// hash.h: a 64-bit hash of words, for fingerprints of models and hashes of states. Not for secrets.
//
// FNV-1a on 64-bit words, with the high half folded into the low one after every word, because a product alone never
// carries information downwards.

#pragma once

#include "resilin/base.h"

#include <string.h>

#define RSL_HASH_START 0xcbf29ce484222325ull

static inline uint64_t rslHash_Word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x100000001b3ull;
    return hash ^ (hash >> 32);
}

static inline uint64_t rslHash_Double(uint64_t hash, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return rslHash_Word(hash, word);
}

static inline uint64_t rslHash_Float(uint64_t hash, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return rslHash_Word(hash, word);
}

static inline uint64_t rslHash_Int(uint64_t hash, int64_t value)
{
    return rslHash_Word(hash, (uint64_t)value);
}

static inline uint64_t rslHash_Vec3(uint64_t hash, rslVec3 value)
{
    hash = rslHash_Double(hash, value.x);
    hash = rslHash_Double(hash, value.y);
    return rslHash_Double(hash, value.z);
}

static inline uint64_t rslHash_Doubles(uint64_t hash, const double* values, size_t count)
{
    hash = rslHash_Word(hash, count);
    for (size_t i = 0; i < count; ++i)
    {
        hash = rslHash_Double(hash, values[i]);
    }
    return hash;
}

static inline uint64_t rslHash_Ints(uint64_t hash, const int* values, size_t count)
{
    hash = rslHash_Word(hash, count);
    for (size_t i = 0; i < count; ++i)
    {
        hash = rslHash_Int(hash, values[i]);
    }
    return hash;
}
