// SPDX-License-Identifier: MIT
//
// team.h: a persistent team of threads. The only file with threads in it is team.c.
//
// Work is a number of independent items, taken by whoever is free. What an item computes must not depend on which thread
// runs it, so results are the same bits for any number of threads.

#pragma once

#include "resilin/solver.h"

typedef struct rslTeam rslTeam;

// threads 0: as many as the process may use. With runTasks the host's own tasks are used and no thread is made.
// Where fewer threads can be started than asked for, those do the work. NULL when out of memory.
rslTeam* rslTeam_Create(const rslHooks* hooks, int threads, rslRunTasks* runTasks, void* user);
void rslTeam_Free(rslTeam* team);
int rslTeam_Threads(const rslTeam* team);

// Into how many parts work is cut that is dear to cut: the number of threads, or what a host is taken to have.
int rslTeam_Width(const rslTeam* team);

// Run task(item, context) for every item in [0, count); returns when all are done. Not to be called from a task.
void rslTeam_Run(rslTeam* team, rslTask* task, int count, void* context);
