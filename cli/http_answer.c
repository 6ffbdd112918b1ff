// SPDX-License-Identifier: MIT
//
// http_answer.c: see http_answer.h.

#include "http_answer.h"

#include "http_request.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// The first three give the page memory that several threads share, which browsers have for pages that nothing of others is in. The
// page takes what it needs from here alone, compiles WebAssembly, and draws what it has made itself.
static const char safe[] =
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Embedder-Policy: require-corp\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; "
    "img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self' blob: data:; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cache-Control: no-cache\r\n";

static const char* Phrase(int status)
{
    switch (status)
    {
        case cli_httpOk: return "OK";
        case cli_httpBadRequest: return "Bad Request";
        case cli_httpForbidden: return "Forbidden";
        case cli_httpNotFound: return "Not Found";
        case cli_httpBadMethod: return "Method Not Allowed";
        case cli_httpTimeout: return "Request Timeout";
        case cli_httpLongTarget: return "URI Too Long";
        case cli_httpLongHead: return "Request Header Fields Too Large";
        case cli_httpBusy: return "Service Unavailable";
        case cli_httpBadVersion: return "HTTP Version Not Supported";
        default: return "Internal Server Error";
    }
}

// RFC 9110, 5.6.7; never in the language of the user
static void PrintDate(char text[40])
{
    static const char days[][4] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
    static const char months[][4] = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
    };
    time_t now = time(NULL);
    struct tm at = { 0 };
    gmtime_r(&now, &at);
    snprintf(text, 40, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[at.tm_wday % 7], at.tm_mday % 32,
             months[at.tm_mon % 12], (at.tm_year + 1900) % 10000, at.tm_hour % 24, at.tm_min % 60, at.tm_sec % 61);
}

size_t cliHttpAnswer_Head(char text[CLI_HTTP_ANSWER_MOST], int status, const char* type, int64_t size, bool last)
{
    char date[40];
    PrintDate(date);
    int length =
        snprintf(text, CLI_HTTP_ANSWER_MOST,
                 "HTTP/1.1 %d %s\r\n"
                 "Date: %s\r\n"
                 "Content-Type: %s\r\n"
                 "Content-Length: %" PRId64 "\r\n"
                 "%s%s%s\r\n",
                 status, Phrase(status), date, type, size, safe,
                 status == cli_httpBadMethod ? "Allow: GET, HEAD\r\n" : "", last ? "Connection: close\r\n" : "");
    return (size_t)length;
}

size_t cliHttpAnswer_Short(char text[CLI_HTTP_ANSWER_MOST], int status, bool headOnly, bool last)
{
    char body[64];
    int size = snprintf(body, sizeof body, "%d %s\n", status, Phrase(status));
    size_t length = cliHttpAnswer_Head(text, status, "text/plain; charset=utf-8", size, last);
    if (!headOnly)
    {
        memcpy(text + length, body, (size_t)size);
        length += (size_t)size;
    }
    return length;
}
