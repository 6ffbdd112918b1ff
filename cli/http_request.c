// SPDX-License-Identifier: MIT
//
// http_request.c: see http_request.h.
//
// Strict: what two readers could understand in two ways is refused. Lines end with CR LF, names of fields touch their colon, no
// field is folded, there is one Host, and a request has no body, since GET and HEAD need none.

#include "http_request.h"

#include <string.h>
#include <strings.h>

// Some of the bytes; they belong to the reader's caller.
typedef struct Span
{
    const char* at;
    size_t count;
} Span;

static bool IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

// RFC 9110, 5.6.2: what names of methods and fields are made of
static bool IsToken(Span span)
{
    for (size_t i = 0; i < span.count; ++i)
    {
        char c = span.at[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !IsDigit(c) && (c == 0 || strchr("!#$%&'*+-.^_`|~", c) == NULL))
        {
            return false;
        }
    }
    return span.count > 0;
}

static bool Is(Span span, const char* word)
{
    return span.count == strlen(word) && strncasecmp(span.at, word, span.count) == 0;
}

static bool IsExactly(Span span, const char* word)
{
    return span.count == strlen(word) && memcmp(span.at, word, span.count) == 0;
}

static Span Trim(Span span)
{
    while (span.count > 0 && (span.at[0] == ' ' || span.at[0] == '\t'))
    {
        span = (Span){ span.at + 1, span.count - 1 };
    }
    while (span.count > 0 && (span.at[span.count - 1] == ' ' || span.at[span.count - 1] == '\t'))
    {
        span.count -= 1;
    }
    return span;
}

// What stands before the first such byte; the rest keeps what stands behind it. Without one, everything and nothing.
static Span CutAt(Span* rest, char mark)
{
    const char* found = rest->count > 0 ? memchr(rest->at, mark, rest->count) : NULL;
    Span before = *rest;
    if (found == NULL)
    {
        *rest = (Span){ rest->at + rest->count, 0 };
        return before;
    }
    before.count = (size_t)(found - rest->at);
    *rest = (Span){ found + 1, rest->count - before.count - 1 };
    return before;
}

// ---- the target -----------------------------------------------------------------------------------------------------

static int HexValue(char c)
{
    return IsDigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// %41 becomes A, once. A zero is refused: nothing after it would be seen.
static bool Decode(Span path, char* decoded, size_t capacity)
{
    size_t length = 0;
    for (size_t i = 0; i < path.count && length + 1 < capacity; ++i)
    {
        int value = (unsigned char)path.at[i];
        if (value == '%')
        {
            int high = i + 2 < path.count ? HexValue(path.at[i + 1]) : -1;
            int low = i + 2 < path.count ? HexValue(path.at[i + 2]) : -1;
            value = high < 0 || low < 0 ? 0 : 16 * high + low;
            i += 2;
        }
        if (value == 0)
        {
            return false;
        }
        decoded[length++] = (char)value;
    }
    decoded[length] = 0;
    return true;
}

// "[::1]:8080" gives "::1"
static bool ReadHost(Span text, char host[CLI_HTTP_HOST_MOST])
{
    Span port = text, name;
    if (text.count > 0 && text.at[0] == '[')
    {
        port = (Span){ text.at + 1, text.count - 1 };
        name = CutAt(&port, ']');
        bool closed = name.count + 1 < text.count;
        if (!closed || (port.count > 0 && port.at[0] != ':'))
        {
            return false;
        }
        port = port.count > 0 ? (Span){ port.at + 1, port.count - 1 } : port;
    }
    else
    {
        name = CutAt(&port, ':');
    }
    for (size_t i = 0; i < port.count; ++i)
    {
        if (!IsDigit(port.at[i]))
        {
            return false;
        }
    }
    if (name.count >= CLI_HTTP_HOST_MOST)
    {
        return false;
    }
    for (size_t i = 0; i < name.count; ++i)
    {
        unsigned char c = (unsigned char)name.at[i];
        if (c <= ' ' || c >= 0x7f || strchr("/?#@\\", c) != NULL)
        {
            return false;
        }
        host[i] = (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    }
    host[name.count] = 0;
    return true;
}

// "/page?query", or as proxies are asked, "http://host/page", whose host then is the one that counts.
static int ReadTarget(cliHttpRequest* request, Span target, bool* hostGiven)
{
    static const char scheme[] = "http://";
    size_t length = sizeof scheme - 1;
    for (size_t i = 0; i < target.count; ++i)
    {
        unsigned char c = (unsigned char)target.at[i];
        if (c <= ' ' || c >= 0x7f || c == '#' || c == '\\')
        {
            return cli_httpBadRequest;
        }
    }
    if (target.count > length && strncasecmp(target.at, scheme, length) == 0)
    {
        Span rest = { target.at + length, target.count - length };
        Span query = rest;
        Span authority = CutAt(&query, '?');
        authority = CutAt(&authority, '/');
        if (authority.count == 0 || !ReadHost(authority, request->host))
        {
            return cli_httpBadRequest;
        }
        *hostGiven = true;
        target = (Span){ rest.at + authority.count, rest.count - authority.count };
        target = target.count > 0 && target.at[0] == '/' ? target : (Span){ "/", 1 };
    }
    Span path = CutAt(&target, '?');
    bool good = path.count > 0 && path.at[0] == '/' && Decode(path, request->path, sizeof request->path);
    return good ? cli_httpOk : cli_httpBadRequest;
}

// ---- lines ----------------------------------------------------------------------------------------------------------

// GET /index.html HTTP/1.1
static int ReadLine(cliHttpRequest* request, Span line, bool* hostGiven, bool* modern)
{
    Span rest = line;
    Span method = CutAt(&rest, ' ');
    Span target = CutAt(&rest, ' ');
    if (!IsToken(method) || target.count == 0 || rest.count != 8 || memcmp(rest.at, "HTTP/", 5) != 0 ||
        !IsDigit(rest.at[5]) || rest.at[6] != '.' || !IsDigit(rest.at[7]))
    {
        return cli_httpBadRequest;
    }
    request->headOnly = IsExactly(method, "HEAD");
    if (rest.at[5] != '1')
    {
        return cli_httpBadVersion;
    }
    *modern = rest.at[7] != '0';
    if (!request->headOnly && !IsExactly(method, "GET"))
    {
        return cli_httpBadMethod;
    }
    return ReadTarget(request, target, hostGiven);
}

typedef struct Fields
{
    bool host, close;
} Fields;

static bool HasBody(Span name, Span value)
{
    return Is(name, "transfer-encoding") || (Is(name, "content-length") && !IsExactly(value, "0"));
}

// Host: 127.0.0.1:8080
static bool ReadField(cliHttpRequest* request, Fields* fields, Span line, bool hostGiven)
{
    Span value = line;
    Span name = CutAt(&value, ':');
    if (!IsToken(name) || name.count == line.count)
    {
        return false;
    }
    value = Trim(value);
    if (Is(name, "host"))
    {
        char unused[CLI_HTTP_HOST_MOST];
        bool again = fields->host;
        fields->host = true;
        return !again && ReadHost(value, hostGiven ? unused : request->host);
    }
    if (Is(name, "connection"))
    {
        while (value.count > 0)
        {
            fields->close = Is(Trim(CutAt(&value, ',')), "close") || fields->close;
        }
    }
    return !HasBody(name, value);
}

static bool HasControl(Span line)
{
    for (size_t i = 0; i < line.count; ++i)
    {
        unsigned char c = (unsigned char)line.at[i];
        if ((c < ' ' && c != '\t') || c == 0x7f)
        {
            return true;
        }
    }
    return false;
}

// The next whole line, without its end. False: there is none yet. An end without a CR leaves one control character in the line.
static bool NextLine(Span* rest, Span* line)
{
    static const char bare[] = "\n";
    const char* end = rest->count > 0 ? memchr(rest->at, '\n', rest->count) : NULL;
    if (end == NULL)
    {
        return false;
    }
    *line = (Span){ rest->at, (size_t)(end - rest->at) };
    *rest = (Span){ end + 1, rest->count - line->count - 1 };
    bool whole = line->count > 0 && end[-1] == '\r';
    *line = whole ? (Span){ line->at, line->count - 1 } : (Span){ bare, 1 };
    return true;
}

int cliHttpRequest_Read(cliHttpRequest* request, const char* bytes, size_t count, size_t* used)
{
    *request = (cliHttpRequest){ 0 };
    Span rest = { bytes, count }, line;
    if (count >= 2 && memcmp(bytes, "\r\n", 2) == 0)
    {
        rest = (Span){ bytes + 2, count - 2 };  // one that follows the body of an earlier request is passed over
    }
    size_t begun = rest.count;
    if (!NextLine(&rest, &line))
    {
        return begun > CLI_HTTP_LINE_MOST ? cli_httpLongTarget : cli_httpPartial;
    }
    if (line.count > CLI_HTTP_LINE_MOST)
    {
        return cli_httpLongTarget;
    }
    bool hostGiven = false, modern = true;
    int status = HasControl(line) ? cli_httpBadRequest : ReadLine(request, line, &hostGiven, &modern);
    Fields fields = { 0 };
    while (status == cli_httpOk)
    {
        if (!NextLine(&rest, &line))
        {
            return count >= CLI_HTTP_HEAD_MOST ? cli_httpLongHead : cli_httpPartial;
        }
        if (line.count == 0)
        {
            break;
        }
        status = !HasControl(line) && ReadField(request, &fields, line, hostGiven) ? cli_httpOk : cli_httpBadRequest;
    }
    *used = count - rest.count;
    request->goesOn = modern && !fields.close;
    return status == cli_httpOk && !fields.host ? cli_httpBadRequest : status;
}
