// SPDX-License-Identifier: MIT
//
// sanitized.h: sanitizers look at memory, and every operation is far slower then: fewer and smaller cases show them the same.

#pragma once

#include <stdbool.h>
#include <stdlib.h>

static inline bool Sanitized(void)
{
    return getenv("RSL_SANITIZE") != NULL || getenv("TSAN_OPTIONS") != NULL;
}

static inline int FewerWhenSanitized(int count)
{
    return Sanitized() ? count / 20 : count;
}

// A figure of physics, which the real thing shows.
#define skip_when_sanitized()                                                                                          \
    do                                                                                                                 \
    {                                                                                                                  \
        if (Sanitized())                                                                                               \
        {                                                                                                              \
            skip();                                                                                                    \
        }                                                                                                              \
    } while (0)

// Precisions of a scene, 0 and 1: sanitized scenes take turns.
static inline int FirstPrecision(int scene)
{
    return Sanitized() ? scene % 2 : 0;
}

static inline int LastPrecision(int scene)
{
    return Sanitized() ? scene % 2 : 1;
}
