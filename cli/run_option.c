// SPDX-License-Identifier: MIT
//
// run_option.c: the options of `resilin run`, and its help.

#include "run.h"

const char cliRunHelp[] =
    "usage: resilin run SCENE [OPTIONS]\n"
    "\n"
    "Simulate a scene and write what it asks for. SCENE may be - for standard input.\n"
    "\n"
    "  -o, --output DIR         where to write; default out/NAME for NAME.yaml\n"
    "  -t, --threads N          threads; 0: as many as the process may use; never changes a result\n"
    "  -p, --precision P        single or double\n"
    "  -u, --until T            end at the simulated time T [s] instead of time.duration\n"
    "  -s, --set KEY=VALUE      change a value of the scene, as in bodies.0.material.young=2e5; may be repeated\n"
    "      --lod N              build level of detail N, from 0, of bodies that have levels\n"
    "  -r, --resume             go on from the checkpoint in DIR, to the same bits as an undisturbed run\n"
    "      --realtime           frames within a budget, as time.realtime of the scene has it (60 a second)\n"
    "      --replay FILE        the same with what its frames were given in an earlier run, FILE its realtime.csv\n"
    "      --json               print one JSON object instead of the table\n"
    "      --progress           show progress also when stderr is not a terminal\n"
    "  -q, --quiet              no progress, no table, no notes\n"
    "  -h, --help               this text\n"
    "\n"
    "files in DIR:\n"
    "  nodes.pvd, surface.pvd   for ParaView, with nodes_N.vtu and surface_N.vtu\n"
    "  colliders.pvd            likewise, where a scene has colliders that are no planes\n"
    "  surface.glb              for Blender, animated; surface.pc2 is a point cache that moves surface.obj\n"
    "  energy.csv, probes.csv   energy, momentum and volume; what the probes saw\n"
    "  realtime.csv             what every frame was given and took, where time is kept\n"
    "  frames.csv               step and time of every frame\n"
    "  scene.yaml               the scene as it was read\n"
    "  checkpoint.rsl           the state to go on from: at the asked interval, at the end, and on SIGINT, SIGTERM, "
    "SIGHUP\n"
    "  summary.json             what --json prints\n"
    "A new run removes what an earlier one left under these names.\n"
    "\n"
    "exit status: 0 success; 1 the run diverged or found no rest (last_good.rsl is the last sound state); 2 bad input "
    "or\n"
    "usage, or a file that cannot be read or written; 130, 143 or 129 stopped by SIGINT, SIGTERM or SIGHUP after the "
    "checkpoint.\n";

enum
{
    OPTION_REALTIME = CLI_OPTION,
    OPTION_REPLAY,
};

const struct option cliRunOwnOptions[] = {
    { "resume", no_argument, NULL, 'r' },
    { "realtime", no_argument, NULL, OPTION_REALTIME },
    { "replay", required_argument, NULL, OPTION_REPLAY },
    { NULL, 0, NULL, 0 },
};

// What the text of a bad value should have been; NULL when it was good.
static const char* ReadValue(void* context, int option, char* value)
{
    cliRunOptions* run = context;
    switch (option)
    {
        case 'o': return cliPath_ReadFolder(&run->directory, value);
        case 'r': run->resume = true; return NULL;
        case OPTION_REALTIME: run->wishes.realtime = true; return NULL;
        case OPTION_REPLAY: run->wishes.replay = value; return NULL;
        default: return cliShow_Read(&run->show, option) ? NULL : cliWishes_Read(&run->wishes, option, value);
    }
}

int cliRunOptions_Read(const cliCommand* command, int argc, char** argv, cliRunOptions* run)
{
    int status = cliReadCommand(command, argc, argv, ReadValue, run, "scene file", &run->scene);
    if (status >= 0)
    {
        return status;
    }
    if (run->directory.text[0] == 0)
    {
        run->directory = cliPath_Join("out", "%s", cliPath_Stem(run->scene).text);
    }
    cliShow_Settle(&run->show);
    return -1;
}
