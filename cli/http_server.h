// SPDX-License-Identifier: MIT
//
// http_server.h: a small web server for one person: one thread, one poll, no more than some dozen browsers at once.

#pragma once

#include "http_file.h"

#include <signal.h>

// Answer at the socket that listens until *stop is not 0. Messages go to the user. False: it could not go on.
bool cliHttpServer_Run(int listener, const cliHttpSite* site, const volatile sig_atomic_t* stop);
