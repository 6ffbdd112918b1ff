// SPDX-License-Identifier: MIT
//
// studio.c: `resilin studio`: the web page of the studio for the browsers of this machine, with a scene in it.

#include "cli.h"
#include "child.h"
#include "http_address.h"
#include "http_server.h"
#include "path.h"
#include "scene_files.h"
#include "stop.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: resilin studio [SCENE] [OPTIONS]\n"
    "\n"
    "Serve the web page of the studio on this machine, print its address, and go on until Ctrl-C. With SCENE the "
    "address\n"
    "opens it. Besides the page only the scene and the mesh and cell files that it names can be read, as they are on "
    "disk\n"
    "whenever they are asked for. What a changed scene names anew is there after a new start.\n"
    "\n"
    "      --page DIR           the built page; default: the installed one, else that of the build tree\n"
    "      --port N             1 to 65535, 0: any; default: 8080, or the next of 20 that is free\n"
    "      --address A          where to listen, an IP address; default: 127.0.0.1, for this machine alone\n"
    "      --open               open the address in the browser, by xdg-open\n"
    "  -h, --help               this text\n"
    "\n"
    "exit status: 0 it was ended by a signal; 2 bad usage, a bad scene, no page, no port.\n";

enum
{
    OPTION_PAGE = CLI_OPTION,
    OPTION_PORT,
    OPTION_ADDRESS,
    OPTION_OPEN,
    FIRST_PORT = 8080,
    PORTS = 20,
};

static const struct option options[] = {
    { "page", required_argument, NULL, OPTION_PAGE },
    { "port", required_argument, NULL, OPTION_PORT },
    { "address", required_argument, NULL, OPTION_ADDRESS },
    { "open", no_argument, NULL, OPTION_OPEN },
    { NULL, 0, NULL, 0 },
};

typedef struct Request
{
    const char* scene;  // NULL: none
    cliPath page;       // "": not given
    int port;           // -1: not given
    cliAddress address;
    const char* addressText;
    bool open;
} Request;

// ---- the page -------------------------------------------------------------------------------------------------------

static bool HasIndex(const char* folder)
{
    return access(cliPath_Join(folder, "index.html").text, R_OK) == 0;
}

// Beside the program: where it is installed, or in the build tree, where the program is in build/release and the page in build/web.
static bool FindPage(Request* request)
{
    static const char hint[] = "`make studio` builds it into build/web, --page DIR takes it from elsewhere";
    if (request->page.text[0] != 0)
    {
        bool found = HasIndex(request->page.text);
        if (!found)
        {
            cliError("%s has no index.html, which the page of the studio begins with: %s", request->page.text, hint);
        }
        return found;
    }
    cliPath program = cliPath_Program();
    cliPath installed = cliPath_Join(program.text, "%s", RSL_PAGE_FROM_PROGRAM);
    cliPath built = cliPath_Join(program.text, "../web");
    bool known = program.text[0] != 0;
    request->page = known && HasIndex(installed.text) ? installed : built;
    if (!known || !HasIndex(request->page.text))
    {
        cliError("the page of the studio is neither in %s nor in %s: %s", installed.text, built.text, hint);
        return false;
    }
    return true;
}

// ---- the scene ------------------------------------------------------------------------------------------------------

static rslStatus ReadScene(const char* path, cliSceneFiles* files)
{
    rslScene scene;
    rslReport report = { 0 };
    rslStatus status = rslScene_Read(path, NULL, 0, NULL, &scene, &report);
    if (status == rsl_ok)
    {
        status = rslScene_Validate(&scene, &report);
        if (status == rsl_ok && !cliSceneFiles_List(files, &scene, path))
        {
            status = rsl_outOfMemory;
        }
        rslScene_Free(&scene);
    }
    if (status != rsl_ok && report.errors == 0)
    {
        rslReport_Add(&report, rsl_error, (rslPlace){ 0 }, "%s", rslStatus_Name(status));
    }
    cliReport_Print(&report);
    if (status != rsl_ok)
    {
        cliError("%s has %d error%s", path, report.errors, report.errors == 1 ? "" : "s");
    }
    return status;
}

// ---- the address ----------------------------------------------------------------------------------------------------

// A socket that listens, at the next free port when none was asked for. -1: told.
static int Listen(Request* request)
{
    bool asked = request->port >= 0;
    int first = asked ? request->port : FIRST_PORT, listener = -1;
    errno = EADDRINUSE;
    for (int i = 0; listener < 0 && errno == EADDRINUSE && i < (asked ? 1 : PORTS); ++i)
    {
        request->port = first + i;
        listener = cliAddress_Listen(&request->address, &request->port);
    }
    if (listener < 0 && errno == EADDRINUSE && asked)
    {
        cliError("port %d is taken by another program; without --port the next free one is found", request->port);
    }
    else if (listener < 0 && errno == EADDRINUSE)
    {
        cliError("the ports %d to %d are taken by other programs; --port 0 takes any", first, request->port);
    }
    else if (listener < 0)
    {
        cliError("cannot listen at %s, port %d: %s", request->addressText, request->port, strerror(errno));
    }
    else if (!asked && request->port != first)
    {
        cliNote("port %d is taken by another program", first);
    }
    return listener;
}

// What may stand in the address of a page as it is; anything else becomes %41.
static void PrintEncoded(char* text, size_t capacity, const char* name)
{
    size_t used = strlen(text);
    for (; *name != 0 && used + 4 < capacity; ++name)
    {
        unsigned char c = (unsigned char)*name;
        bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-._~", c) != NULL;
        used += (size_t)snprintf(text + used, capacity - used, plain ? "%c" : "%%%02X", c);
    }
}

static void PrintAddress(const Request* request, const cliSceneFiles* scene, char* text, size_t capacity)
{
    char host[CLI_ADDRESS_CAPACITY];
    cliAddress_Print(&request->address, host);
    bool opens = scene->count > 0;
    snprintf(text, capacity, "http://%s:%d/%s", host, request->port, opens ? "#open=scene/" : "");
    if (opens)
    {
        PrintEncoded(text, capacity, scene->list[0].name);
    }
}

static void OpenBrowser(char* address)
{
    char path[RSL_PATH_CAPACITY];
    if (!cliChild_Find("xdg-open", path, sizeof path))
    {
        cliNote("xdg-open was not found: open the address by hand");
        return;
    }
    char* const arguments[] = { path, address, NULL };
    cliChild_Launch(arguments);
}

// ---- the command ----------------------------------------------------------------------------------------------------

static int Serve(Request* request, const cliSceneFiles* scene)
{
    char address[4096];
    // before anybody can know that it is there: who ends it then finds it prepared
    cliStop_Catch();
    int listener = Listen(request);
    if (listener < 0)
    {
        return cli_badInput;
    }
    if (!cliAddress_IsLoopback(&request->address))
    {
        cliNote("everybody who reaches this machine can read the page%s; on other machines browsers give it one thread "
                "only, "
                "since it is not https",
                scene->count > 0 ? " and the scene" : "");
    }
    PrintAddress(request, scene, address, sizeof address);
    printf("%s\n", address);
    fflush(stdout);
    cliNote("Ctrl-C ends it");
    if (request->open)
    {
        OpenBrowser(address);
    }
    cliHttpSite site = { .page = request->page.text, .scene = scene, .address = &request->address };
    bool good = cliHttpServer_Run(listener, &site, &cliStop);
    close(listener);
    return good ? cli_success : cli_badInput;
}

static int Execute(Request* request)
{
    cliSceneFiles scene = { 0 };
    int status = cli_success;
    if (!FindPage(request))
    {
        return cli_badInput;
    }
    if (request->scene != NULL)
    {
        status = cliExit(ReadScene(request->scene, &scene));
    }
    if (status == cli_success)
    {
        status = Serve(request, &scene);
    }
    cliSceneFiles_Free(&scene);
    return status;
}

static const char* ReadOption(void* context, int option, char* value)
{
    Request* request = context;
    switch (option)
    {
        case OPTION_PAGE: return cliPath_ReadFolder(&request->page, value);
        case OPTION_PORT:
            return cliParseInteger(value, 0, 65535, &request->port) ? NULL : "a port, 1 to 65535, or 0 for any";
        case OPTION_OPEN: request->open = true; return NULL;
        default:
            request->addressText = value;
            return cliAddress_Read(&request->address, value) ? NULL : "an IP address, such as 127.0.0.1 or ::1";
    }
}

static int Studio(const cliCommand* command, int argc, char** argv)
{
    Request request = { .port = -1, .addressText = "127.0.0.1" };
    (void)cliAddress_Read(&request.address, request.addressText);
    int status = cliReadOptions(command, argc, argv, ReadOption, &request);
    if (status >= 0)
    {
        return status;
    }
    if (optind < argc - 1)
    {
        return cliBadUsage(command, "more than one scene file");
    }
    request.scene = optind < argc ? argv[optind] : NULL;
    if (request.scene != NULL && strcmp(request.scene, "-") == 0)
    {
        return cliBadUsage(command, "the page reads the scene from a file: standard input cannot be read again");
    }
    return Execute(&request);
}

const cliCommand cliStudioCommand = {
    .name = "studio",
    .brief = "a web page to build scenes, see them move and pull on them",
    .help = help,
    .options = options,
    .run = Studio,
};
