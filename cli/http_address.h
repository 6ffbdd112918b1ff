// SPDX-License-Identifier: MIT
//
// http_address.h: numeric addresses of machines, to listen at and to compare with what browsers say they have asked.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

enum
{
    CLI_ADDRESS_CAPACITY = 64,  // "[ffff:...]" and a zero
};

typedef struct cliAddress
{
    int family;  // AF_INET or AF_INET6
    unsigned char bytes[16];
} cliAddress;

// "127.0.0.1", "::1", or "localhost", which is 127.0.0.1. No name is looked up.
bool cliAddress_Read(cliAddress* address, const char* text);

// As it stands in the address of a page: IPv6 has brackets. All addresses of a machine are written as that of the loopback.
void cliAddress_Print(const cliAddress* address, char text[CLI_ADDRESS_CAPACITY]);

bool cliAddress_IsLoopback(const cliAddress* address);
bool cliAddress_IsAll(const cliAddress* address);  // 0.0.0.0 or ::, all that the machine has

// Whether a browser that has asked this host (without port or brackets) meant a server that listens at the address. A page of
// somebody else whose name was pointed here says that name, so only numbers and localhost are taken.
bool cliAddress_IsMeant(const cliAddress* address, const char* host);

// A socket that listens there, not blocking; *port gets the port when it was 0. -1: errno says why.
int cliAddress_Listen(const cliAddress* address, int* port);
