// SPDX-License-Identifier: MIT
//
// http_answer.h: what stands before the file that is sent, or in its place.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
    CLI_HTTP_ANSWER_MOST = 2048,  // bytes of a head, and of a whole answer without a file
};

// The head of an answer with a body of the type and size. Last: the connection is closed after it. Returns its length.
size_t cliHttpAnswer_Head(char text[CLI_HTTP_ANSWER_MOST], int status, const char* type, int64_t size, bool last);

// A whole answer that says no more than its status; without its body if it is asked for the head only. Returns its length.
size_t cliHttpAnswer_Short(char text[CLI_HTTP_ANSWER_MOST], int status, bool headOnly, bool last);
