// SPDX-License-Identifier: MIT
//
// child.h: other programs, run from this one.

#pragma once

#include "resilin/base.h"

#include <stdio.h>
#include <sys/types.h>

// A program that is talked to through its standard input and output.
typedef struct cliChild
{
    pid_t pid;  // 0: none
    FILE* to;
    FILE* from;
    void (*pipeAction)(int);  // what SIGPIPE did before
} cliChild;

// Whether a program can be run by its name. The path gets where it is.
bool cliChild_Find(const char* program, char* path, size_t capacity);

// Run to its end in a folder; what it prints goes to a file there. Returns its exit status, -1 when it could not be run.
int cliChild_Run(char* const arguments[], const char* folder, const char* output);

// Run on its own: it goes on when this program ends or is interrupted, and what it prints is lost.
void cliChild_Launch(char* const arguments[]);

bool cliChild_Open(cliChild* child, char* const arguments[]);
void cliChild_Close(cliChild* child);  // its input ends, and so should it
