// SPDX-License-Identifier: MIT
//
// Any bytes may come from a socket. A request that is taken lies within them and has a path and a host; with any of its bytes missing it
// is a beginning; what follows it changes nothing.

#include "../cli/http_request.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void Check(bool right)
{
    if (!right)
    {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    size = size < CLI_HTTP_HEAD_MOST ? size : CLI_HTTP_HEAD_MOST;
    char* bytes = malloc(size > 0 ? size : 1);  // exactly the bytes, so that a read beyond them is seen
    Check(bytes != NULL);
    memcpy(bytes, data, size);
    cliHttpRequest request, again;
    size_t used = 0, same = 0;
    int status = cliHttpRequest_Read(&request, bytes, size, &used);
    Check(status == cli_httpPartial || status == cli_httpOk || (status >= 400 && status < 600));
    Check(status != cli_httpPartial || size < CLI_HTTP_HEAD_MOST);
    if (status == cli_httpOk)
    {
        Check(used <= size && used >= 18 && memcmp(bytes + used - 4, "\r\n\r\n", 4) == 0);
        Check(request.path[0] == '/' && strlen(request.path) < sizeof request.path);
        Check(strlen(request.host) < sizeof request.host && strpbrk(request.host, "/?#@\\ ") == NULL);
        Check(cliHttpRequest_Read(&again, bytes, used - 1, &same) == cli_httpPartial);
        Check(cliHttpRequest_Read(&again, bytes, used, &same) == cli_httpOk && same == used);
        Check(memcmp(&request, &again, sizeof request) == 0);
    }
    free(bytes);
    return 0;
}
