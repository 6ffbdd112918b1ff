// SPDX-License-Identifier: MIT
//
// http_address.c: see http_address.h.

#include "http_address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool cliAddress_Read(cliAddress* address, const char* text)
{
    *address = (cliAddress){ .family = strchr(text, ':') != NULL ? AF_INET6 : AF_INET };
    text = strcmp(text, "localhost") == 0 ? "127.0.0.1" : text;
    return inet_pton(address->family, text, address->bytes) == 1;
}

static bool IsNumber(const cliAddress* address, const char* text)
{
    cliAddress other;
    return cliAddress_Read(&other, text) && other.family == address->family &&
           memcmp(other.bytes, address->bytes, sizeof other.bytes) == 0;
}

bool cliAddress_IsLoopback(const cliAddress* address)
{
    return address->family == AF_INET ? address->bytes[0] == 127 : IsNumber(address, "::1");
}

bool cliAddress_IsAll(const cliAddress* address)
{
    return IsNumber(address, address->family == AF_INET ? "0.0.0.0" : "::");
}

void cliAddress_Print(const cliAddress* address, char text[CLI_ADDRESS_CAPACITY])
{
    char number[INET6_ADDRSTRLEN] = "";
    inet_ntop(address->family, address->bytes, number, sizeof number);
    bool six = address->family == AF_INET6;
    const char* shown = !cliAddress_IsAll(address) ? number : six ? "::1" : "127.0.0.1";
    snprintf(text, CLI_ADDRESS_CAPACITY, six ? "[%s]" : "%s", shown);
}

bool cliAddress_IsMeant(const cliAddress* address, const char* host)
{
    cliAddress asked;
    return cliAddress_Read(&asked, host) &&
           (cliAddress_IsLoopback(&asked) || cliAddress_IsAll(address) || IsNumber(address, host));
}

static int Bind(int listener, const cliAddress* address, int port)
{
    if (address->family == AF_INET)
    {
        struct sockaddr_in four = { .sin_family = AF_INET, .sin_port = htons((in_port_t)port) };
        memcpy(&four.sin_addr, address->bytes, sizeof four.sin_addr);
        return bind(listener, (struct sockaddr*)&four, sizeof four);
    }
    struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_port = htons((in_port_t)port) };
    memcpy(&six.sin6_addr, address->bytes, sizeof six.sin6_addr);
    return bind(listener, (struct sockaddr*)&six, sizeof six);
}

static int FindPort(int listener)
{
    struct sockaddr_storage found = { 0 };
    socklen_t size = sizeof found;
    if (getsockname(listener, (struct sockaddr*)&found, &size) != 0)
    {
        return 0;
    }
    in_port_t port = found.ss_family == AF_INET ? ((struct sockaddr_in*)&found)->sin_port
                                                : ((struct sockaddr_in6*)&found)->sin6_port;
    return ntohs(port);
}

int cliAddress_Listen(const cliAddress* address, int* port)
{
    int listener = socket(address->family, SOCK_STREAM, 0), on = 1;
    if (listener < 0)
    {
        return -1;
    }
    // connections of a server that has just ended do not keep its port
    (void)setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    bool good = fcntl(listener, F_SETFD, FD_CLOEXEC) == 0 && fcntl(listener, F_SETFL, O_NONBLOCK) == 0 &&
                Bind(listener, address, *port) == 0 && listen(listener, 64) == 0;
    if (!good)
    {
        int why = errno;
        close(listener);
        errno = why;
        return -1;
    }
    *port = FindPort(listener);
    return listener;
}
