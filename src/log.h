// SPDX-License-Identifier: MIT
//
// log.h: what the library tells the host's log hook, if there is one. Nothing else prints.

#pragma once

#include "resilin/base.h"

void rslLog(const rslHooks* hooks, rslSeverity severity, const char* format, ...) RSL_PRINTF(3, 4);
