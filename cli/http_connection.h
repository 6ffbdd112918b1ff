// SPDX-License-Identifier: MIT
//
// http_connection.h: one browser that is connected. Nothing here waits: what cannot be done now is done when the socket is ready.

#pragma once

#include "http_answer.h"
#include "http_file.h"
#include "http_request.h"

typedef enum cliHttpPhase
{
    cli_httpClosed,   // free for another browser
    cli_httpReading,  // a request is waited for, or has begun
    cli_httpSending,  // its answer is under way; no other request is read before it has gone
    cli_httpLeaving,  // all is said; what still comes is thrown away, so that it does not undo the last answer
} cliHttpPhase;

typedef struct cliHttpConnection
{
    cliHttpPhase phase;
    int socket;
    double deadline;  // when it is given up or told so, on cliClock
    double moved;     // when something last went through it
    bool last;        // it ends after this answer

    size_t requestCount, answerCount, answerSent;
    char request[CLI_HTTP_HEAD_MOST];  // bytes that were read and not understood yet
    char answer[CLI_HTTP_ANSWER_MOST];

    int file;  // that follows; -1: none
    int64_t fileSent, fileSize;
} cliHttpConnection;

void cliHttpConnection_Open(cliHttpConnection* connection, int socket, double now);
void cliHttpConnection_Close(cliHttpConnection* connection);

// The events to wait for on its socket.
short cliHttpConnection_Events(const cliHttpConnection* connection);

// Go on as far as possible: the socket is ready.
void cliHttpConnection_Go(cliHttpConnection* connection, const cliHttpSite* site, double now);

// Its deadline has passed.
void cliHttpConnection_Expire(cliHttpConnection* connection, double now);
