// SPDX-License-Identifier: MIT
//
// picture.c: `resilin picture`: a PNG of a scene, a checkpoint or a frame.

#include "draw.h"
#include "path.h"
#include "vtu_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: resilin picture FILE [OPTIONS]\n"
    "\n"
    "Draw a picture. FILE is a scene (.yaml: as it starts, or at a later time with --at), a checkpoint (.rsl, with "
    "the\n"
    "scene.yaml that lies beside it) or a frame (.vtu) of a run.\n"
    "\n"
    "  -o, --output FILE.png    where to write; default the name of FILE with .png, in the current folder\n"
    "      --style S            shaded, springs or field\n"
    "      --field F            what the styles springs and field show: speed, tension, energy_density, height,\n"
    "                           von_mises, principal (largest stress), dilation or modulus\n"
    "      --size WxH           pixels; default 1280x720\n"
    "      --view X,Y,Z         direction from the scene to the camera; default from the front right above\n"
    "      --zoom Z             1 fits everything\n"
    "      --at T               simulate the scene until the time T [s] first\n"
    "      --no-labels          only the picture, without time and scale\n"
    "  -t, --threads N          threads; 0: as many as the process may use\n"
    "  -p, --precision P        single or double\n"
    "  -s, --set KEY=VALUE      change a value of the scene; may be repeated\n"
    "      --lod N              build level of detail N, from 0, of bodies that have levels\n"
    "  -h, --help               this text\n";

enum
{
    OPTION_STYLE = CLI_OPTION,
    OPTION_FIELD,
    OPTION_SIZE,
    OPTION_VIEW,
    OPTION_ZOOM,
    OPTION_AT,
    OPTION_NO_LABELS,
};

static const struct option options[] = {
    { "style", required_argument, NULL, OPTION_STYLE },   { "field", required_argument, NULL, OPTION_FIELD },
    { "size", required_argument, NULL, OPTION_SIZE },     { "view", required_argument, NULL, OPTION_VIEW },
    { "zoom", required_argument, NULL, OPTION_ZOOM },     { "at", required_argument, NULL, OPTION_AT },
    { "no-labels", no_argument, NULL, OPTION_NO_LABELS }, { NULL, 0, NULL, 0 },
};

static const char* const styleWords[] = { "shaded", "springs", "field", NULL };
static const char* const fieldWords[] = { "speed",     "tension",  "energy_density", "height", "von_mises",
                                          "principal", "dilation", "modulus",        NULL };

typedef struct Request
{
    const char* file;
    cliPath output;
    cliWishes wishes;
    rslPictureDef def;
    double at;       // [s]; 0: the start
    rslMesh solids;  // of a frame
} Request;

// ---- options --------------------------------------------------------------------------------------------------------

static const char* ReadSize(rslPictureDef* def, const char* text)
{
    char tail;
    bool good = sscanf(text, "%dx%d%c", &def->width, &def->height, &tail) == 2;
    good = good && def->width >= 16 && def->height >= 16 && def->width <= 16384 && def->height <= 16384;
    return good ? NULL : "WIDTHxHEIGHT, each 16 to 16384";
}

static const char* ReadView(rslPictureDef* def, const char* text)
{
    char tail;
    rslVec3* v = &def->view;
    bool good = sscanf(text, "%lf,%lf,%lf%c", &v->x, &v->y, &v->z, &tail) == 3;
    double length = sqrt(v->x * v->x + v->y * v->y + v->z * v->z);
    return good && length > 0 && isfinite(length) ? NULL : "a direction as X,Y,Z";
}

static const char* ReadStyle(rslPictureDef* def, const char* text)
{
    int found = cliFindWord(text, styleWords);
    def->style = (rslPictureStyle)(found < 0 ? 0 : found);
    return found >= 0 ? NULL : "shaded, springs or field";
}

static const char* ReadField(rslPictureDef* def, const char* text)
{
    int found = cliFindWord(text, fieldWords);
    def->field = (rslPictureField)(found < 0 ? 0 : found);
    def->style = def->style == rsl_shadedPicture ? rsl_fieldPicture : def->style;
    return found >= 0 ? NULL : "speed, tension, energy_density, height, von_mises, principal, dilation or modulus";
}

static const char* ReadValue(void* context, int option, char* value)
{
    Request* request = context;
    rslPictureDef* def = &request->def;
    switch (option)
    {
        case 'o': snprintf(request->output.text, sizeof request->output.text, "%s", value); return NULL;
        case OPTION_STYLE: return ReadStyle(def, value);
        case OPTION_FIELD: return ReadField(def, value);
        case OPTION_SIZE: return ReadSize(def, value);
        case OPTION_VIEW: return ReadView(def, value);
        case OPTION_ZOOM: return cliParseNumber(value, &def->zoom) && def->zoom > 0 ? NULL : "a factor above 0";
        case OPTION_AT: return cliParseNumber(value, &request->at) && request->at >= 0 ? NULL : "a time in seconds";
        case OPTION_NO_LABELS: def->drawLabels = false; return NULL;
        default: return cliWishes_Read(&request->wishes, option, value);
    }
}

static int ReadOptions(const cliCommand* command, int argc, char** argv, Request* request)
{
    int status = cliReadCommand(command, argc, argv, ReadValue, request, "file to draw", &request->file);
    if (status >= 0)
    {
        return status;
    }
    if (request->at > 0 && cliPath_HasExtension(request->file, ".vtu"))
    {
        return cliBadUsage(command, "a frame has a time of its own: --at is for scenes and checkpoints");
    }
    if (request->output.text[0] == 0)
    {
        snprintf(request->output.text, sizeof request->output.text, "%.500s.png", cliPath_Stem(request->file).text);
    }
    return -1;
}

// ---- what to draw ---------------------------------------------------------------------------------------------------

static rslStatus DrawLoaded(Request* request, cliLoaded* loaded, bool checkpoint, rslReport* report)
{
    rslStatus status = checkpoint ? cliLoaded_LoadState(loaded, request->file, report) : rsl_ok;
    if (status == rsl_ok && request->at > 0)
    {
        status = cliLoaded_RunTo(loaded, request->at, report);
    }
    return status == rsl_ok ? cliDraw_Loaded(loaded, &request->def, request->output.text, report) : status;
}

// A scene, or a checkpoint with the scene beside it.
static rslStatus DrawScene(Request* request, rslReport* report)
{
    bool checkpoint = cliPath_HasExtension(request->file, ".rsl");
    cliPath beside = cliPath_Join(cliPath_Directory(request->file).text, "scene.yaml");
    cliLoaded loaded;
    rslStatus status = cliLoaded_Open(&loaded, checkpoint ? beside.text : request->file, &request->wishes);
    cliReport_Print(&loaded.report);
    if (status == rsl_ok)
    {
        status = DrawLoaded(request, &loaded, checkpoint, report);
    }
    cliLoaded_Free(&loaded);
    return status;
}

// A frame does not know the ground, or the colliders; the scene that lies beside it does.
static void FindGround(Request* request, double time)
{
    cliPath beside = cliPath_Join(cliPath_Directory(request->file).text, "scene.yaml");
    rslScene scene;
    rslReport ignored = { 0 };
    if (cliPath_Exists(beside.text) && rslScene_Read(beside.text, NULL, 0, NULL, &scene, &ignored) == rsl_ok)
    {
        rslPlane floor;
        if (rslScene_Floor(&scene, time, NULL, &floor) == rsl_ok)
        {
            request->def.ground = floor;
        }
        if (rslScene_Solids(&scene, time, NULL, &request->solids) == rsl_ok)
        {
            request->def.solids = &request->solids;
        }
        rslScene_Free(&scene);
    }
}

// What a picture of the field needs must have been written.
static rslStatus CheckField(const Request* request, const rslSnapshot* s, rslReport* report)
{
    rslFieldSet set = rslPictureField_Set(request->def.field);
    bool missing = (set.vonMises && s->vonMises == NULL) || (set.principal && s->principal == NULL) ||
                   (set.strain && s->strain == NULL) || (set.modulus && s->modulus == NULL);
    if (request->def.style == rsl_shadedPicture || !missing)
    {
        return rsl_ok;
    }
    rslReport_Add(report, rsl_error, (rslPlace){ 0 },
                  "%s was written without what '%s' is drawn from: add %s to output.fields of the scene, or draw its "
                  "checkpoint",
                  request->file, fieldWords[request->def.field],
                  set.strain ? "strain" : fieldWords[request->def.field]);
    return rsl_badInput;
}

static rslStatus DrawFrame(Request* request, rslReport* report)
{
    rslSnapshot snapshot;
    rslStatus status = cliVtu_Read(request->file, &snapshot, report);
    if (status == rsl_ok)
    {
        status = CheckField(request, &snapshot, report);
        if (status != rsl_ok)
        {
            cliVtu_Free(&snapshot);
            return status;
        }
        FindGround(request, snapshot.time);
        status = cliDraw_Snapshot(&snapshot, &request->def, request->output.text, report);
        rslMesh_Free(&request->solids);
        cliVtu_Free(&snapshot);
    }
    return status;
}

static int Execute(Request* request)
{
    rslReport report = { 0 };
    bool frame = cliPath_HasExtension(request->file, ".vtu");
    rslStatus status = frame ? DrawFrame(request, &report) : DrawScene(request, &report);
    cliReport_Print(&report);
    if (status == rsl_ok)
    {
        printf("%s\n", request->output.text);
    }
    return cliExit(status);
}

static int Picture(const cliCommand* command, int argc, char** argv)
{
    Request request = { .wishes = cliWishes_Default(), .def = rslDefaultPictureDef() };
    request.def.width = 1280;
    request.def.height = 720;
    int status = ReadOptions(command, argc, argv, &request);
    if (status < 0)
    {
        status = Execute(&request);
    }
    cliOverrides_Free(&request.wishes.overrides);
    return status;
}

const cliCommand cliPictureCommand = {
    .name = "picture",
    .brief = "draw a scene, a checkpoint or a frame as PNG",
    .help = help,
    .options = options,
    .shared = "output threads precision set lod",
    .run = Picture,
};
