// SPDX-License-Identifier: MIT
//
// materials.c: `resilin materials`: the named materials.

#include "cli.h"
#include "json.h"
#include "number.h"
#include "table.h"

static const char help[] = "usage: resilin materials [--json]\n"
                           "\n"
                           "Print the materials that a scene may name, with their figures and where these come from.\n"
                           "\n"
                           "      --json               as JSON\n"
                           "  -h, --help               this text\n";

static void PrintJson(const rslNamedMaterial* materials, int count)
{
    cliJson json = { .file = stdout };
    cliJson_BeginList(&json, NULL);
    for (int i = 0; i < count; ++i)
    {
        cliJson_Begin(&json, NULL);
        cliJson_Text(&json, "name", materials[i].name);
        cliJson_Number(&json, "young", materials[i].young);
        cliJson_Number(&json, "poisson", materials[i].poisson);
        cliJson_Number(&json, "density", materials[i].density);
        cliJson_Number(&json, "stiffness_damping", materials[i].stiffnessDamping);
        cliJson_Text(&json, "source", materials[i].source);
        cliJson_End(&json);
    }
    cliJson_End(&json);
}

static void PrintTable(const rslNamedMaterial* materials, int count)
{
    static const char* const head[] = { "material", "E [Pa]", "nu", "density [kg/m3]", "damping [s]" };
    cliTable table = { .columns = 5 };
    for (int i = 0; i < 5; ++i)
    {
        cliTable_Add(&table, "%s", head[i]);
    }
    for (int i = 0; i < count; ++i)
    {
        cliTable_Add(&table, "%s", materials[i].name);
        cliTable_Add(&table, "%.4g", materials[i].young);
        cliTable_Add(&table, "%s", cliShortest(materials[i].poisson).text);
        cliTable_Add(&table, "%s", cliShortest(materials[i].density).text);
        cliTable_Add(&table, "%s", cliShortest(materials[i].stiffnessDamping).text);
    }
    cliTable_Print(&table);
    cliTable_Free(&table);
    puts("\nsources");
    for (int i = 0; i < count; ++i)
    {
        printf("  %s: %s\n", materials[i].name, materials[i].source);
    }
}

static int Materials(const cliCommand* command, int argc, char** argv)
{
    bool json = false;
    int status = cliReadOptions(command, argc, argv, cliTakeSwitch, &json);
    if (status >= 0)
    {
        return status;
    }
    if (optind != argc)
    {
        return cliBadUsage(command, "takes no argument, found \"%s\"", argv[optind]);
    }
    int count = 0;
    const rslNamedMaterial* materials = rslMaterial_Table(&count);
    (json ? PrintJson : PrintTable)(materials, count);
    return cli_success;
}

const cliCommand cliMaterialsCommand = {
    .name = "materials",
    .brief = "the named materials with their sources",
    .help = help,
    .shared = "json",
    .run = Materials,
};
