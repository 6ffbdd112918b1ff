// SPDX-License-Identifier: MIT
//
// stop.c: see stop.h.

#include "stop.h"

#include <stddef.h>

volatile sig_atomic_t cliStop;

static void Note(int signal)
{
    cliStop = signal;
}

void cliStop_Catch(void)
{
    struct sigaction action = { .sa_handler = Note, .sa_flags = (int)SA_RESETHAND };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}
