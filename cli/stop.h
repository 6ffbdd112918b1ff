// SPDX-License-Identifier: MIT
//
// stop.h: commands that end in good order on SIGINT, SIGTERM and SIGHUP.

#pragma once

#include <signal.h>

// The first signal that was caught; 0: none.
extern volatile sig_atomic_t cliStop;

// From now on the first signal is noted. A second one ends the program at once.
void cliStop_Catch(void);
