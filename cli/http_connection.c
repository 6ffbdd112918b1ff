// SPDX-License-Identifier: MIT
//
// http_connection.c: see http_connection.h.

#include "http_connection.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum
{
    PIECE = 1 << 16,      // bytes of a file that are read at once
    PIECES_AT_ONCE = 16,  // before others have their turn
};

// Seconds.
static const double idleTime = 60;   // between requests
static const double readTime = 10;   // from the first byte of a request to its last
static const double stallTime = 30;  // in which nothing of an answer is taken
static const double leaveTime = 2;

void cliHttpConnection_Open(cliHttpConnection* connection, int socket, double now)
{
    connection->phase = cli_httpReading;
    connection->socket = socket;
    connection->file = -1;
    connection->last = false;
    connection->requestCount = 0;
    connection->moved = now;
    // one who says nothing at all has the time of one who is slow
    connection->deadline = now + readTime;
}

static void CloseFile(cliHttpConnection* connection)
{
    if (connection->file >= 0)
    {
        close(connection->file);
        connection->file = -1;
    }
}

void cliHttpConnection_Close(cliHttpConnection* connection)
{
    if (connection->phase != cli_httpClosed)
    {
        CloseFile(connection);
        close(connection->socket);
        connection->phase = cli_httpClosed;
    }
}

short cliHttpConnection_Events(const cliHttpConnection* connection)
{
    return connection->phase == cli_httpSending ? POLLOUT : POLLIN;
}

// ---- answers --------------------------------------------------------------------------------------------------------

static void BeginAnswer(cliHttpConnection* connection, size_t count, bool last, double now)
{
    connection->phase = cli_httpSending;
    connection->deadline = now + stallTime;
    connection->answerCount = count;
    connection->answerSent = 0;
    connection->last = last;
}

static void AnswerShort(cliHttpConnection* connection, int status, bool headOnly, bool last, double now)
{
    BeginAnswer(connection, cliHttpAnswer_Short(connection->answer, status, headOnly, last), last, now);
}

static void Answer(cliHttpConnection* connection, const cliHttpSite* site, const cliHttpRequest* request, double now)
{
    bool last = !request->goesOn;
    cliHttpFile file;
    int status = cliAddress_IsMeant(site->address, request->host) ? cliHttpFile_Open(&file, site, request->path)
                                                                  : cli_httpForbidden;
    if (status != cli_httpOk)
    {
        AnswerShort(connection, status, request->headOnly, last, now);
        return;
    }
    BeginAnswer(connection, cliHttpAnswer_Head(connection->answer, status, file.type, file.size, last), last, now);
    connection->file = file.descriptor;
    connection->fileSent = 0;
    connection->fileSize = file.size;
    if (request->headOnly)
    {
        CloseFile(connection);
    }
}

// ---- sending --------------------------------------------------------------------------------------------------------

// Send some bytes. Returns how many have gone, 0 when the socket takes none now, -1 when the other end has gone.
static ssize_t Push(cliHttpConnection* connection, const char* bytes, size_t count, double now)
{
    ssize_t sent = send(connection->socket, bytes, count, MSG_NOSIGNAL);
    if (sent < 0)
    {
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
    }
    connection->moved = now;
    connection->deadline = now + stallTime;
    return sent;
}

// What is read and cannot be sent is read again the next time: a connection needs no room for it.
static ssize_t PushPiece(cliHttpConnection* connection, double now)
{
    char piece[PIECE];
    int64_t left = connection->fileSize - connection->fileSent;
    size_t wanted = left < PIECE ? (size_t)left : PIECE;
    ssize_t got = pread(connection->file, piece, wanted, (off_t)connection->fileSent);
    if (got <= 0)
    {
        return -1;  // it has become shorter than was promised
    }
    ssize_t sent = Push(connection, piece, (size_t)got, now);
    connection->fileSent += sent > 0 ? sent : 0;
    return sent;
}

// True when the whole answer has gone.
static bool Send(cliHttpConnection* connection, double now)
{
    ssize_t sent = 1;
    while (sent > 0 && connection->answerSent < connection->answerCount)
    {
        sent = Push(connection, connection->answer + connection->answerSent,
                    connection->answerCount - connection->answerSent, now);
        connection->answerSent += sent > 0 ? (size_t)sent : 0;
    }
    bool more = connection->file >= 0 && connection->fileSent < connection->fileSize;
    for (int i = 0; i < PIECES_AT_ONCE && sent > 0 && more; ++i)
    {
        sent = PushPiece(connection, now);
        more = connection->fileSent < connection->fileSize;
    }
    if (sent < 0)
    {
        cliHttpConnection_Close(connection);
    }
    if (sent <= 0 || more)
    {
        return false;
    }
    CloseFile(connection);
    return true;
}

// ---- reading --------------------------------------------------------------------------------------------------------

// A socket that is closed with bytes unread may take back what was sent last.
static void Leave(cliHttpConnection* connection, double now)
{
    shutdown(connection->socket, SHUT_WR);
    connection->phase = cli_httpLeaving;
    connection->deadline = now + leaveTime;
}

// Take what has come in. False: nothing more can come, or nothing has.
static bool Receive(cliHttpConnection* connection, double now)
{
    bool leaving = connection->phase == cli_httpLeaving;
    size_t begin = leaving ? 0 : connection->requestCount;
    ssize_t got = recv(connection->socket, connection->request + begin, sizeof connection->request - begin, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
    {
        cliHttpConnection_Close(connection);
    }
    if (got <= 0 || leaving)
    {
        return false;
    }
    connection->moved = now;
    connection->deadline = connection->requestCount == 0 ? now + readTime : connection->deadline;
    connection->requestCount += (size_t)got;
    return true;
}

// Begin the answer to the request that has come in, if it is whole. False: it is not.
static bool Understand(cliHttpConnection* connection, const cliHttpSite* site, double now)
{
    cliHttpRequest request;
    size_t used = 0;
    int status = cliHttpRequest_Read(&request, connection->request, connection->requestCount, &used);
    if (status == cli_httpPartial)
    {
        return false;
    }
    if (status != cli_httpOk)
    {
        AnswerShort(connection, status, request.headOnly, true, now);
        return true;
    }
    Answer(connection, site, &request, now);
    connection->requestCount -= used;
    memmove(connection->request, connection->request + used, connection->requestCount);
    return true;
}

void cliHttpConnection_Go(cliHttpConnection* connection, const cliHttpSite* site, double now)
{
    if (connection->phase != cli_httpSending && !Receive(connection, now))
    {
        return;
    }
    // requests may come in one behind the other, without a wait for answers
    while (connection->phase == cli_httpSending || Understand(connection, site, now))
    {
        if (!Send(connection, now))
        {
            return;
        }
        if (connection->last)
        {
            Leave(connection, now);
            return;
        }
        connection->phase = cli_httpReading;
        connection->deadline = now + (connection->requestCount > 0 ? readTime : idleTime);
    }
}

void cliHttpConnection_Expire(cliHttpConnection* connection, double now)
{
    if (connection->phase == cli_httpReading && connection->requestCount > 0)
    {
        AnswerShort(connection, cli_httpTimeout, false, true, now);
        return;
    }
    cliHttpConnection_Close(connection);
}
