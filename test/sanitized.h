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
