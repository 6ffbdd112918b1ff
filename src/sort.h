// SPDX-License-Identifier: MIT
//
// sort.h: sorting by 64-bit keys in linear time.

#pragma once

#include "resilin/base.h"

// Sort keys and values together by key; equal keys keep their order. False when out of memory (nothing is changed).
bool rslSort(const rslHooks* hooks, uint64_t* keys, int* values, size_t count);
