// SPDX-License-Identifier: MIT
//
// child.c: other programs, run from this one.

#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
    NOT_RUN = 127  // as a shell says it
};

static bool IsProgram(const char* path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

bool cliChild_Find(const char* program, char* path, size_t capacity)
{
    const char* folders = strchr(program, '/') == NULL ? getenv("PATH") : "";
    while (folders != NULL)
    {
        int length = (int)strcspn(folders, ":");
        snprintf(path, capacity, "%.*s%s%s", length, folders, length > 0 ? "/" : "", program);
        if (IsProgram(path))
        {
            return true;
        }
        folders = folders[length] == ':' ? folders + length + 1 : NULL;
    }
    return false;
}

static int WaitFor(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
    {
        if (errno != EINTR)
        {
            return -1;
        }
    }
    return WIFEXITED(status) && WEXITSTATUS(status) != NOT_RUN ? WEXITSTATUS(status) : -1;
}

int cliChild_Run(char* const arguments[], const char* folder, const char* output)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
    {
        int in = open("/dev/null", O_RDONLY), out = -1;
        if (chdir(folder) == 0)
        {
            out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        }
        signal(SIGPIPE, SIG_DFL);
        if (in >= 0 && out >= 0 && dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0)
        {
            execvp(arguments[0], arguments);
        }
        _exit(NOT_RUN);
    }
    return pid > 0 ? WaitFor(pid) : -1;
}

// A child that starts it and ends at once leaves nobody to wait for.
void cliChild_Launch(char* const arguments[])
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
    {
        int nothing = open("/dev/null", O_RDWR);
        bool good =
            setsid() >= 0 && nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(nothing, 1) >= 0 && dup2(nothing, 2) >= 0;
        if (good && fork() == 0)
        {
            execvp(arguments[0], arguments);
        }
        _exit(NOT_RUN);
    }
    if (pid > 0)
    {
        (void)WaitFor(pid);
    }
}

// Other children do not get its ends: one that goes on would keep them open.
static bool OpenPipe(int ends[2])
{
    if (pipe(ends) != 0)
    {
        return false;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

bool cliChild_Open(cliChild* child, char* const arguments[])
{
    int to[2], from[2];
    *child = (cliChild){ 0 };
    if (!OpenPipe(to))
    {
        return false;
    }
    if (!OpenPipe(from))
    {
        close(to[0]);
        close(to[1]);
        return false;
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
    {
        if (dup2(to[0], 0) >= 0 && dup2(from[1], 1) >= 0)
        {
            execvp(arguments[0], arguments);
        }
        _exit(NOT_RUN);
    }
    close(to[0]);
    close(from[1]);
    child->pid = pid > 0 ? pid : 0;
    child->pipeAction = signal(SIGPIPE, SIG_IGN);  // a child that ended is an error of the write
    child->to = fdopen(to[1], "wb");
    child->from = fdopen(from[0], "rb");
    return pid > 0 && child->to != NULL && child->from != NULL;
}

void cliChild_Close(cliChild* child)
{
    if (child->to != NULL)
    {
        fclose(child->to);
    }
    if (child->from != NULL)
    {
        fclose(child->from);
    }
    if (child->pid > 0)
    {
        (void)WaitFor(child->pid);
        signal(SIGPIPE, child->pipeAction);
    }
    *child = (cliChild){ 0 };
}
