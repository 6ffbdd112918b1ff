// SPDX-License-Identifier: MIT
//
// What `resilin studio` makes of bytes that come in: requests, hosts, names of files of a scene. Sockets: studio_test.py.

#include "../cli/http_address.h"
#include "../cli/http_request.h"
#include "../cli/scene_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Read a text that is followed by what belongs to the next request, which must not be looked at; all shorter texts are a beginning,
// or already an error.
static int Read(cliHttpRequest* request, const char* text)
{
    size_t count = strlen(text), used = 0;
    char* bytes = malloc(count + 4);
    assert_non_null(bytes);
    memcpy(bytes, text, count);
    memcpy(bytes + count, "\x01\n\r\n", 4);
    int status = cliHttpRequest_Read(request, bytes, count + 4, &used);
    if (status == cli_httpOk)
    {
        assert_int_equal(used, count);
        for (size_t i = 0; i < count; ++i)
        {
            cliHttpRequest part;
            char* exact = malloc(i > 0 ? i : 1);  // so that a look beyond it is seen
            assert_non_null(exact);
            memcpy(exact, text, i);
            assert_int_equal(cliHttpRequest_Read(&part, exact, i, &used), cli_httpPartial);
            free(exact);
        }
    }
    free(bytes);
    return status;
}

static cliHttpRequest Good(const char* text)
{
    cliHttpRequest request;
    assert_int_equal(Read(&request, text), cli_httpOk);
    return request;
}

static int StatusOf(const char* text)
{
    cliHttpRequest request;
    return Read(&request, text);
}

#define HOST "Host: localhost\r\n"
#define REST " HTTP/1.1\r\n" HOST "\r\n"

static void CheckRequests(void** state)
{
    (void)state;
    cliHttpRequest r = Good("GET /a/b.js?c=/d HTTP/1.1\r\nHost: LocalHost:8080\r\nAccept: */*\r\n\r\n");
    assert_string_equal(r.path, "/a/b.js");
    assert_string_equal(r.host, "localhost");
    assert_true(r.goesOn && !r.headOnly);
    assert_true(Good("HEAD /" REST).headOnly);
    assert_true(Good("\r\nGET /" REST).goesOn);  // an empty line before it
    assert_false(Good("GET / HTTP/1.0\r\n" HOST "\r\n").goesOn);
    assert_false(Good("GET / HTTP/1.1\r\n" HOST "Connection: x , CLOSE\r\n\r\n").goesOn);
    assert_true(Good("GET / HTTP/1.1\r\n" HOST "Connection: keep-alive,closed\r\n\r\n").goesOn);
    assert_true(Good("GET / HTTP/1.1\r\n" HOST "content-LENGTH:0\r\n\r\n").goesOn);
    assert_string_equal(Good("GET / HTTP/1.1\r\nhOST:\t [::1]:80 \r\n\r\n").host, "::1");
    assert_string_equal(Good("GET / HTTP/1.1\r\nHost:\r\n\r\n").host, "");
    assert_string_equal(Good("GET http://other.org:80/x?y HTTP/1.1\r\n" HOST "\r\n").host, "other.org");
    assert_string_equal(Good("GET http://other.org:80/x?y HTTP/1.1\r\n" HOST "\r\n").path, "/x");
    assert_string_equal(Good("GET HTTP://other.org" REST).path, "/");
    assert_string_equal(Good("GET http://other.org?/x" REST).path, "/");
}

static void CheckDecoding(void** state)
{
    (void)state;
    assert_string_equal(Good("GET /a%20b%2Fc%2e%2E%5c?%zz" REST).path, "/a b/c..\\");
    assert_string_equal(Good("GET /%2561" REST).path, "/%61");  // once
    assert_string_equal(Good("GET /%C3%a4" REST).path, "/\xc3\xa4");
    static const char* const bad[] = { "/%",        "/%4", "/%4g", "/%g4", "/a%00b", "/%-1",   "/a\\b",
                                       "/\xc3\xa4", "/#a", "a",    "*",    "?",      "http://" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
    {
        char text[128];
        snprintf(text, sizeof text, "GET %s" REST, bad[i]);
        assert_int_equal(StatusOf(text), cli_httpBadRequest);
    }
}

static void CheckRefusals(void** state)
{
    (void)state;
    static const char* const bad[] = {
        "GET /\r\n\r\n",
        "GET  /" REST,
        "GET /  HTTP/1.1\r\n" HOST "\r\n",
        "GET / HTTP/1.1 \r\n" HOST "\r\n",
        "GET / http/1.1\r\n" HOST "\r\n",
        "GET / HTTP/1.1\n" HOST "\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\n\r\n",
        "GET / HTTP/1.1\r\n" HOST "\n",
        "GET / HTTP/1.1\r\r\n" HOST "\r\n",
        "G\xe4T /" REST,
        " GET /" REST,
        "\r\n\r\nGET /" REST,
        "GET / HTTP/1.1\r\n\r\n",  // no host
        "GET / HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.1\r\n" HOST HOST "\r\n",
        "GET http://localhost/ HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: local host\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a@localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost:80a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [::1]x\r\n\r\n",
        "GET / HTTP/1.1\r\n" HOST " folded\r\n\r\n",
        "GET / HTTP/1.1\r\n" HOST "no colon\r\n\r\n",
        "GET / HTTP/1.1\r\n" HOST ": no name\r\n\r\n",
        "GET / HTTP/1.1\r\n" HOST "a b: c\r\n\r\n",
        "GET / HTTP/1.1\r\n" HOST "a: \x01\r\n\r\n",
        "GET / HTTP/1.1\r\n" HOST "Content-Length: 3\r\n\r\nabc",
        "GET / HTTP/1.1\r\n" HOST "Content-Length: -0\r\n\r\n",
        "GET / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
    {
        if (StatusOf(bad[i]) != cli_httpBadRequest)
        {
            fail_msg("%s", bad[i]);
        }
    }
    assert_int_equal(StatusOf("POST /" REST), cli_httpBadMethod);
    assert_int_equal(StatusOf("get /" REST), cli_httpBadMethod);
    assert_int_equal(StatusOf("GET / HTTP/2.0\r\n" HOST "\r\n"), cli_httpBadVersion);
    cliHttpRequest request;
    size_t used;
    assert_int_equal(cliHttpRequest_Read(&request, "GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", 29, &used),
                     cli_httpBadRequest);
    assert_int_equal(cliHttpRequest_Read(&request, "GET / HTTP/1.1\r\nHo\0t: a\r\n\r\n", 27, &used),
                     cli_httpBadRequest);
}

// Bytes "GET /aaa..." with so many a, then the rest.
static int LongTarget(size_t count, const char* rest)
{
    static char text[2 * CLI_HTTP_HEAD_MOST];
    cliHttpRequest request;
    size_t used;
    memcpy(text, "GET /", 5);
    memset(text + 5, 'a', count);
    memcpy(text + 5 + count, rest, strlen(rest));
    int status = cliHttpRequest_Read(&request, text, 5 + count + strlen(rest), &used);
    assert_true(status != cli_httpOk || strlen(request.path) == count + 1);
    return status;
}

static void CheckLimits(void** state)
{
    (void)state;
    size_t most = CLI_HTTP_LINE_MOST - strlen("GET / HTTP/1.1");
    assert_int_equal(LongTarget(most, REST), cli_httpOk);
    assert_int_equal(LongTarget(most + 1, REST), cli_httpLongTarget);
    assert_int_equal(LongTarget(CLI_HTTP_LINE_MOST - 5, ""), cli_httpPartial);
    assert_int_equal(LongTarget(CLI_HTTP_LINE_MOST - 4, ""), cli_httpLongTarget);

    static char text[CLI_HTTP_HEAD_MOST + 1];
    static const char begin[] = "GET / HTTP/1.1\r\n" HOST "Cookie: ";
    cliHttpRequest request;
    size_t used;
    memset(text, 'c', sizeof text);
    memcpy(text, begin, sizeof begin - 1);
    assert_int_equal(cliHttpRequest_Read(&request, text, CLI_HTTP_HEAD_MOST - 1, &used), cli_httpPartial);
    assert_int_equal(cliHttpRequest_Read(&request, text, CLI_HTTP_HEAD_MOST, &used), cli_httpLongHead);
    memcpy(text + CLI_HTTP_HEAD_MOST - 4, "\r\n\r\n", 4);
    assert_int_equal(cliHttpRequest_Read(&request, text, CLI_HTTP_HEAD_MOST, &used), cli_httpOk);
    assert_int_equal(used, CLI_HTTP_HEAD_MOST);
}

static bool IsMeant(const char* address, const char* host)
{
    cliAddress read;
    assert_true(cliAddress_Read(&read, address));
    return cliAddress_IsMeant(&read, host);
}

static void CheckHosts(void** state)
{
    (void)state;
    static const char* const ours[] = { "localhost", "127.0.0.1", "127.1.2.3", "::1", "0:0:0:0:0:0:0:1" };
    static const char* const never[] = { "",
                                         "evil.example",
                                         "localhost.evil.example",
                                         "127.0.0.1.evil.example",
                                         "127.0.0.1 ",
                                         "localhost.",
                                         "2130706433",
                                         "127.1",
                                         "0x7f.0.0.1",
                                         "::1.evil.example",
                                         "[::1]" };
    static const char* const addresses[] = { "127.0.0.1", "::1", "192.168.7.8", "0.0.0.0", "::" };
    for (size_t a = 0; a < sizeof addresses / sizeof addresses[0]; ++a)
    {
        for (size_t i = 0; i < sizeof ours / sizeof ours[0]; ++i)
        {
            assert_true(IsMeant(addresses[a], ours[i]));
        }
        for (size_t i = 0; i < sizeof never / sizeof never[0]; ++i)
        {
            assert_false(IsMeant(addresses[a], never[i]));
        }
        // of all addresses, any number may be the one that was used
        assert_int_equal(IsMeant(addresses[a], "192.168.7.8"), a >= 2);
        assert_int_equal(IsMeant(addresses[a], "192.168.7.9"), a >= 3);
    }
}

static void CheckNames(void** state)
{
    (void)state;
    static char paths[][8] = { "0", "1", "2", "3", "4", "5" };
    static char names[][16] = { "toy.yaml", "./m//a.obj", "../b.obj", "/x/../c.obj", "a b%.obj", "../../b.obj" };
    cliSceneFile list[6];
    for (int i = 0; i < 6; ++i)
    {
        list[i] = (cliSceneFile){ names[i], paths[i] };
    }
    cliSceneFiles files = { list, 6 };
    static const char* const found[][2] = {
        { "toy.yaml", "0" }, { "./m//a.obj", "1" },    { "m/a.obj", "1" },          { "m/n/../a.obj", "1" },
        { "../b.obj", "2" }, { "x/../../b.obj", "2" }, { "/x/../c.obj", "3" },      { "/c.obj", "3" },
        { "a b%.obj", "4" }, { "../../b.obj", "5" },   { "../x/../../b.obj", "5" },
    };
    for (size_t i = 0; i < sizeof found / sizeof found[0]; ++i)
    {
        const char* path = cliSceneFiles_Find(&files, found[i][0]);
        assert_true(path != NULL && strcmp(path, found[i][1]) == 0);
    }
    static const char* const none[] = {
        "",      ".",        "..",        "/", "toy.yam",        "toy.yaml2",  "toy.yaml\\", "m/A.obj",    "b.obj",
        "c.obj", "../c.obj", "/../b.obj", "m", "../../../b.obj", "../m/a.obj", "x/../..",    "../toy.yaml"
    };
    for (size_t i = 0; i < sizeof none / sizeof none[0]; ++i)
    {
        assert_null(cliSceneFiles_Find(&files, none[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CheckRequests), cmocka_unit_test(CheckDecoding), cmocka_unit_test(CheckRefusals),
        cmocka_unit_test(CheckLimits),   cmocka_unit_test(CheckHosts),    cmocka_unit_test(CheckNames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
