// SPDX-License-Identifier: MIT
//
// http_server.c: see http_server.h.
//
// Memory is taken once: a place for every connection there may be. When all are taken, a new one gets the place of the one in which
// nothing has moved for the longest time, first of those that are not being answered, so that nobody can keep others out by
// connecting and saying nothing.

#include "http_server.h"

#include "cli.h"
#include "http_connection.h"
#include "number.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum
{
    MOST = 64  // connections
};

// A signal that comes between the look at it and the wait is seen after this [s].
static const double longestWait = 1;

typedef struct Server
{
    int listener;
    const cliHttpSite* site;
    int most;          // connections at once
    double deafUntil;  // no place for another file descriptor: asking again at once would only take time
    cliHttpConnection connections[MOST];
} Server;

// Whether a is to make room rather than b.
static bool IsIdler(const cliHttpConnection* a, const cliHttpConnection* b)
{
    bool aBusy = a->phase == cli_httpSending, bBusy = b->phase == cli_httpSending;
    return aBusy != bBusy ? bBusy : a->moved < b->moved;
}

// End the connection that has the least to lose. NULL: there is none.
static cliHttpConnection* MakeRoom(Server* server)
{
    cliHttpConnection* idlest = NULL;
    for (int i = 0; i < MOST; ++i)
    {
        cliHttpConnection* c = &server->connections[i];
        bool open = c->phase != cli_httpClosed;
        idlest = open && (idlest == NULL || IsIdler(c, idlest)) ? c : idlest;
    }
    if (idlest != NULL)
    {
        cliHttpConnection_Close(idlest);
    }
    return idlest;
}

static cliHttpConnection* FindPlace(Server* server)
{
    for (int i = 0; i < server->most; ++i)
    {
        if (server->connections[i].phase == cli_httpClosed)
        {
            return &server->connections[i];
        }
    }
    return MakeRoom(server);
}

// All that wait for being let in.
static void LetIn(Server* server, double now)
{
    for (int i = 0; i < MOST; ++i)
    {
        int socket = accept(server->listener, NULL, NULL), on = 1;
        if (socket < 0)
        {
            bool full = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
            server->deafUntil = full && MakeRoom(server) == NULL ? now + 0.1 : server->deafUntil;
            return;
        }
        bool good = fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 && fcntl(socket, F_SETFL, O_NONBLOCK) == 0;
        // the end of a file does not wait until its beginning was received
        (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (!good)
        {
            close(socket);
            continue;
        }
        cliHttpConnection_Open(FindPlace(server), socket, now);
    }
}

// What to wait for, of the listener first; no more than is open, since poll takes no more than a process may have open.
typedef struct Wait
{
    struct pollfd polls[MOST + 1];
    cliHttpConnection* connections[MOST + 1];
    int count;
    double until;
} Wait;

static Wait Prepare(Server* server, double now)
{
    bool deaf = now < server->deafUntil;
    Wait wait = { .count = 1, .until = deaf ? fmin(server->deafUntil, now + longestWait) : now + longestWait };
    wait.polls[0] = (struct pollfd){ .fd = deaf ? -1 : server->listener, .events = POLLIN };
    for (int i = 0; i < MOST; ++i)
    {
        cliHttpConnection* c = &server->connections[i];
        if (c->phase != cli_httpClosed)
        {
            wait.polls[wait.count] = (struct pollfd){ .fd = c->socket, .events = cliHttpConnection_Events(c) };
            wait.connections[wait.count++] = c;
            wait.until = fmin(wait.until, c->deadline);
        }
    }
    return wait;
}

static void Serve(Server* server, const Wait* wait, double now)
{
    for (int i = 1; i < wait->count; ++i)
    {
        cliHttpConnection* c = wait->connections[i];
        if (wait->polls[i].revents != 0)
        {
            cliHttpConnection_Go(c, server->site, now);
        }
        if (c->phase != cli_httpClosed && now >= c->deadline)
        {
            cliHttpConnection_Expire(c, now);
        }
    }
    if (wait->polls[0].revents != 0)
    {
        LetIn(server, now);
    }
}

// As many as the process may have, with a file and its folder open for each, and some for all.
static int CountPlaces(void)
{
    long descriptors = sysconf(_SC_OPEN_MAX);
    long most = descriptors < 0 ? MOST : (descriptors - 16) / 3;
    return most < 1 ? 1 : most > MOST ? MOST : (int)most;
}

bool cliHttpServer_Run(int listener, const cliHttpSite* site, const volatile sig_atomic_t* stop)
{
    Server* server = calloc(1, sizeof *server);
    if (server == NULL)
    {
        cliError("out of memory");
        return false;
    }
    server->listener = listener;
    server->site = site;
    server->most = CountPlaces();
    bool good = true;
    while (good && *stop == 0)
    {
        double now = cliClock();
        Wait wait = Prepare(server, now);
        if (poll(wait.polls, (nfds_t)wait.count, (int)ceil(1000 * fmax(wait.until - now, 0))) >= 0)
        {
            Serve(server, &wait, cliClock());
        }
        else if (errno != EINTR && errno != EAGAIN && errno != ENOMEM)
        {
            cliError("waiting for browsers failed: %s", strerror(errno));
            good = false;
        }
    }
    for (int i = 0; i < MOST; ++i)
    {
        cliHttpConnection_Close(&server->connections[i]);
    }
    free(server);
    return good;
}
