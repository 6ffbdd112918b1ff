// SPDX-License-Identifier: MIT
//
// http_request.h: what a browser asks for, read from the bytes that it sends (RFC 9112). Pure: no sockets, no files.

#pragma once

#include <stdbool.h>
#include <stddef.h>

enum
{
    CLI_HTTP_HEAD_MOST = 16384,  // bytes of a request: its line and all of its fields
    CLI_HTTP_LINE_MOST = 4096,   // of its line
    CLI_HTTP_HOST_MOST = 256,
};

typedef struct cliHttpRequest
{
    bool headOnly;                  // HEAD: the answer has no body
    bool goesOn;                    // the connection may take another request after this one
    char path[CLI_HTTP_LINE_MOST];  // decoded, from its first '/' on, without the query; no zero is in it
    char host[CLI_HTTP_HOST_MOST];  // in lower case, without the port, without the brackets of an IPv6 address
} cliHttpRequest;

// What has been found in the bytes so far: an HTTP status, or 0.
enum
{
    cli_httpPartial = 0,  // no more than the beginning of a request
    cli_httpOk = 200,
    cli_httpBadRequest = 400,
    cli_httpForbidden = 403,
    cli_httpNotFound = 404,
    cli_httpBadMethod = 405,
    cli_httpTimeout = 408,
    cli_httpLongTarget = 414,
    cli_httpLongHead = 431,
    cli_httpFailed = 500,
    cli_httpBusy = 503,
    cli_httpBadVersion = 505,
};

// Read one request from the beginning of the bytes. Anything but partial or ok is an error to answer with, after which nothing
// that follows on the connection can be understood. Used gets the length of a request that is ok.
int cliHttpRequest_Read(cliHttpRequest* request, const char* bytes, size_t count, size_t* used);
