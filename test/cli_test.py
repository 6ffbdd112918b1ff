# SPDX-License-Identifier: MIT
#
# cli_test.py: every command of the program: what it does, what it says, how it ends.

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time

from cli_support import (PROGRAM, ROOT, SANITIZE, SCENE, SCRATCH, check, differences, finish, prove, read, run, scratch,
                         skip)

COMMANDS = ["run", "check", "measure", "modes", "compare", "sweep", "reproduce", "picture", "studio", "new", "materials",
            "schema"]
scene = scratch("block.yaml", SCENE)
END, EARLIER = ("1", "0.4") if SANITIZE else ("3", "1")  # of the runs that are resumed [s]


def said(result):
    return f"status {result.returncode}\nstdout: {result.stdout[:2000]}\nstderr: {result.stderr[:2000]}"


def parsed(result):
    try:
        return json.loads(result.stdout)
    except ValueError:
        return {}


def fails(name, arguments, status, *texts, **options):
    """The program ends with the status and says every text on stderr."""
    result = run(*arguments, **options)
    good = result.returncode == status and all(text in result.stderr for text in texts)
    check(name, good, said(result) + f"\nexpected {status}, {texts}")
    return result


def test_usage():
    r = run("--version")
    check("--version", r.returncode == 0 and re.fullmatch(r"resilin \d+\.\d+\.\d+\n", r.stdout), said(r))
    r = run("--help")
    check("--help lists the commands", r.returncode == 0 and all(c in r.stdout for c in COMMANDS), said(r))
    for c in COMMANDS:
        a, b = run(c, "--help"), run("help", c)
        check(f"{c} --help", a.returncode == 0 and a.stdout.startswith(f"usage: resilin {c}") and a.stdout == b.stdout,
              said(a))
    fails("no command", [], 2, "usage: resilin")
    fails("a misspelt command", ["rnu"], 2, "did you mean run?")
    fails("an unknown command", ["xyzzyxyzzy"], 2, "resilin --help")
    fails("a misspelt option", ["run", "--thread", "1", scene, "--resum3"], 2, "did you mean --resume?")
    fails("an unknown short option", ["check", "-z", scene], 2, "unknown option -z")
    fails("an option without its value", ["run", scene, "-o"], 2, "needs a value")
    fails("an option with a value too many", ["run", scene, "--json=1"], 2, "takes no value")
    fails("no scene", ["run"], 2, "the scene file is missing")
    fails("two scenes", ["check", scene, scene], 2, "more than one")
    fails("a bad precision", ["run", scene, "-p", "half"], 2, "single or double")
    fails("bad threads", ["run", scene, "-t", "two"], 2, "a number of threads")
    fails("a bad time", ["run", scene, "-u", "-1"], 2, "a time above 0")
    fails("--set without a value", ["run", scene, "--set", "time.step"], 2, "KEY=VALUE")
    fails("--set of an unknown key", ["check", scene, "--set", "time.durration=1"], 2, "duration")
    fails("materials with an argument", ["materials", "x"], 2, "takes no argument")


def test_lists():
    r = run("materials")
    check("materials", r.returncode == 0 and "rubber" in r.stdout and "sources" in r.stdout, said(r))
    r = run("materials", "--json")
    names = [m["name"] for m in parsed(r)] if r.stdout.startswith("[") else []
    check("materials --json", "steel" in names and names == sorted(names), said(r))
    r = run("schema")
    check("schema is a JSON Schema", "$schema" in parsed(r), said(r))
    r = run("schema", "--markdown")
    check("schema --markdown", r.returncode == 0 and "young" in r.stdout and "Pa" in r.stdout, said(r))


def test_new():
    for name in ["rabbit", "beam", "sheet", "chain", "muscle"]:
        r = run("new", f"{name}.yaml", "--template", name, "--force")
        good = r.returncode == 0 and os.path.exists(scratch(f"{name}.yaml"))
        r = run("check", f"{name}.yaml", "--json") if good else r
        check(f"new --template {name} gives a good scene",
              r.returncode == 0 and parsed(r).get("step_is_stable") and not parsed(r).get("messages"), said(r))
    fails("new does not overwrite", ["new", "rabbit.yaml"], 2, "--force")
    fails("new with an unknown template", ["new", "x.yaml", "--template", "cow"], 2, "--list")
    check("new -", run("new", "-").stdout.startswith("#"))
    check("new --list", "muscle" in run("new", "--list").stdout)


PACED = """\
bodies:
  - name: ball
    shape: { type: sphere, radius: 0.1, translate: [0, 0, 0.11] }
    network: { type: lattice, spacing: 0.06 }
    model: springs
    material: { young: 1.0e+9, poisson: 0.25, density: 1000 }
ground: {}
time: { duration: 0.2, threads: 1 }
output: { frames: 0, checkpoint: 0.1 }
"""


def test_realtime():
    paced, out = scratch("paced.yaml", PACED), os.path.join(SCRATCH, "paced")

    def hashed(folder, *more):
        r = run("run", paced, "--json", "-o", os.path.join(SCRATCH, folder), *more)
        return parsed(r), r

    # no machine has explicit steps of so stiff a ball ready in a microsecond
    first, r = hashed("paced", "--realtime", "--set", "time.realtime.budget=1e-6")
    log = os.path.join(out, "realtime.csv")
    lines = read(log).decode().splitlines()
    check("run --realtime cuts accuracy, and says so", r.returncode == 0 and first.get("steps") == 12 and len(lines) == 13
          and first["realtime"]["accuracy_cut"] > 0 and first["realtime"]["newton"] == 1 and "will not be held" in r.stderr
          and first["realtime"]["late"] == 12, said(r))
    again, r = hashed("paced2", "--replay", log, "-t", "2")
    check("run --replay gives the same bits", r.returncode == 0 and again["state_hash"] == first["state_hash"]
          and again["realtime"]["strays"] == 0, said(r))
    other, r = hashed("paced3", "--replay", log, "--set", "bodies.ball.material.young=1e7")
    check("frames of another scene are told", r.returncode == 0 and other["realtime"]["strays"] > 0, said(r))
    _, r = hashed("paced4", "--realtime", "--set", "time.realtime.budget=1e-6", "-u", "0.1")
    gone, r = hashed("paced4", "--resume", "--set", "time.realtime.budget=1e-6")
    check("a run that kept time goes on", r.returncode == 0 and gone["state_hash"] == first["state_hash"]
          and len(read(os.path.join(SCRATCH, "paced4", "realtime.csv")).splitlines()) == 13, said(r))
    rich, r = hashed("paced5", "--realtime", "--set", "time.realtime.budget=1e6")
    check("run --realtime with time enough is explicit", r.returncode == 0 and rich["realtime"]["steps"] > 100
          and rich["realtime"]["accuracy_cut"] == 0 and rich["realtime"]["late"] == 0, said(r))
    short = scratch("short.csv", "\n".join(lines[:5]) + "\n")
    _, r = hashed("paced6", "--replay", short)
    check("a log that ends early", r.returncode == 0 and "has 4 frames, the run 12" in r.stderr, said(r))
    cut = scratch("cut.csv", "\n".join(lines[:5]) + "\n1,2,3")
    for name, file, text in [("half a line", cut, "by line 6"), ("no log", paced, "by line 1"), ("no file", "none.csv", "none.csv")]:
        fails("--replay of " + name, ["run", paced, "--replay", file, "-o", out + "7"], 2, text)
    fails("--replay at another rate", ["run", paced, "--replay", log, "--set", "time.realtime.rate=30", "-o", out + "7"], 2,
          "frames of another length")
    for budget in ["0", "-1"]:
        fails(f"a budget of {budget}", ["check", paced, "--set", f"time.realtime.budget={budget}"], 2, "expected a number > 0")


def test_check():
    r = run("check", scene)
    check("check", r.returncode == 0 and all(t in r.stdout for t in
          ["block", "stable step", "worst spring", "memory", "bytes a node", "estimated time", "E [Pa]"]), said(r))
    r = run("check", scene, "--set", "bodies.0.material.poisson=0", "--set", "bodies.0.model=auto")
    check("check tells a Poisson's ratio of 0", "  0 / 0  " in r.stdout, said(r))
    r = run("check", scene, "--set", "bodies.0.model=rigid")
    check("moduli of rigid bodies are not told", r.returncode == 0 and "predicted" not in r.stdout, said(r))
    # a frame is skipped where steps are late by a whole one: six digits of 1/60 s are not within 800 s, four are within 10 s
    for frame, seconds, warned in (("0.0166666667", 1, False), ("0.016667", 1, False), ("0.016667", 800, False), ("0.016667", 900, True),
                                   ("0.0167", 1, False), ("0.0167", 10, True), ("0.02", 1, True)):
        r = run("check", scene, "--set", f"time.step={frame}", "--set", "time.integrator=theta", "--set", "output.frames=60",
                "--set", f"time.duration={seconds}")
        check(f"a step of {frame} s and 60 frames a second for {seconds} s",
              r.returncode == 0 and ("between frames" in r.stderr) == warned, said(r))
    r = run("check", scene, "--json")
    facts = parsed(r)
    keys = ["status", "nodes", "springs", "bodies", "stable_step", "step", "worst_spring", "memory", "build_seconds",
            "seconds_per_step", "estimated_seconds", "steps", "estimated_output_bytes", "messages"]
    check("check --json has its keys", r.returncode == 0 and all(k in facts for k in keys) and
          facts.get("vectors") in ("AVX-512", "AVX2", "SSE2", "none"), said(r))
    body = facts.get("bodies", [{}])[0]
    check("check: counts of a block of 10 x 8 x 6 cells", facts.get("nodes") == 11 * 9 * 7, body)
    check("check: a Poisson's ratio of 1/4 is met", abs(body.get("young", 0) / 5e4 - 1) < 1e-9 and
          abs(body.get("poisson", 0) - 0.25) < 1e-9 and body.get("asked", {}).get("young") == 5e4, body)
    check("check: 480 cm3 of 1000 kg/m3", abs(body.get("mass", 0) - 0.48) < 1e-9, body)
    r = run("check", scene, "--json", "--set", f"time.step={3 * facts.get('stable_step', 1)}")
    check("check warns of a step above the stable one", r.returncode == 0 and parsed(r).get("step_is_stable") is False and
          "warning" in r.stderr, said(r))
    r = run("check", scene, "--set", "time.integrator=forward_euler", "--set", "bodies.block.material.stiffness_damping=0",
            "--set", "time.step=1e-5")
    check("check: undamped forward Euler has no stable step", r.returncode == 0 and "no stable step" in r.stdout + r.stderr,
          said(r))
    r = run("check", scene, "--set", "bodies.block.material.stiffness_damping=0.1")
    check("check warns of damping that makes the step small", r.returncode == 0 and "times as fast" in r.stderr, said(r))
    r = run("check", scene, "--set", "output.frames=1e4")
    check("and of more frames than steps", r.returncode == 0 and "between frames" in r.stderr, said(r))
    r = run("check", scene, "--set", "time.duration=1e-6")
    check("and of a step beyond the end", r.returncode == 0 and "longer than the duration" in r.stderr, said(r))
    r = run("check", scene)
    check("and of no other", r.returncode == 0 and r.stderr == "", said(r))
    bad = scratch("bad.yaml", SCENE.replace("density", "densty").replace("spacing: 0.01", "spacing: -1"))
    r = fails("check names every problem with its place", ["check", bad], 2, "bad.yaml:7:", "bad.yaml:6:", "density")
    r = run("check", bad, "--json")
    check("check --json of a bad scene", r.returncode == 2 and parsed(r).get("status") == "bad input" and
          {m["line"] for m in parsed(r)["messages"]} >= {6, 7}, said(r))


def test_files():
    fails("a scene that is not there", ["run", "nowhere.yaml"], 2, "nowhere.yaml")
    fails("a folder as scene", ["check", SCRATCH], 2, "error")
    big = scratch("big.yaml")
    with open(big, "wb") as file:
        file.truncate(10 << 30)
    begun = time.time()
    fails("a scene of ten gigabytes is refused", ["check", big], 2, "big.yaml")
    check("and fast", time.time() - begun < 5, time.time() - begun)
    os.unlink(big)
    binary = scratch("binary.yaml")
    shutil.copyfile(PROGRAM, binary)
    fails("a binary file as scene", ["check", binary], 2, "binary.yaml")
    with open(scene) as file:
        r = run("check", "-", "--json", stdin=file)
    check("a scene from standard input", r.returncode == 0 and parsed(r).get("nodes") == 11 * 9 * 7, said(r))
    fails("an output folder under a file", ["run", scene, "-o", "block.yaml/out"], 2, "block.yaml/out")
    fails("an output folder that cannot be", ["run", scene, "-o", "/proc/nothing"], 2, "/proc/nothing")
    os.makedirs(scratch("own"), exist_ok=True)
    shutil.copyfile(scene, scratch("own/scene.yaml"))
    fails("a run does not overwrite its own scene", ["run", "own/scene.yaml", "-o", "own"], 2, "-o")
    check("and leaves it", read(SCRATCH, "own/scene.yaml").decode() == SCENE)

    def little_space():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

    fails("a full disk", ["run", scene, "-o", "full"], 2, "full/", "File too large", preexec_fn=little_space)


def test_run():
    r = run("run", scene, "-o", "plain")
    names = os.listdir(scratch("plain")) if r.returncode == 0 else []
    check("run prints a table", r.returncode == 0 and all(t in r.stdout for t in
          ["a falling block", "node-steps/s", "real time", "dissipated", "drift", "volume", "nodes.pvd", "surface.glb"]),
          said(r))
    expected = ["nodes.pvd", "surface.pvd", "surface.pc2", "surface.glb", "surface.obj", "energy.csv", "probes.csv",
                "frames.csv", "checkpoint.rsl", "scene.yaml", "summary.json", "nodes_000000.vtu", "surface_000025.vtu"]
    check("run writes its files", all(n in names for n in expected) and "nodes_000026.vtu" not in names, sorted(names))
    check("no progress and no half-written file when piped", "left" not in r.stderr and
          not [n for n in names if n.startswith(".") or "tmp" in n], sorted(names))
    rows = read(SCRATCH, "plain/energy.csv").decode().splitlines() if names else [""]
    times = [float(row.split(",")[1]) for row in rows[1:]]
    check("energy.csv has units and a row at every sample", rows[0].startswith("step,time [s],kinetic [J]") and
          len(times) == 63 and all(0 <= t - i / 125 < 1e-3 for i, t in enumerate(times)), rows[:3])
    check("its numbers are in shortest form", all(repr(float(x)) == repr(float(f"{float(x):.17g}")) and
          len(x) <= len(f"{float(x):.17g}") for row in rows[1:] for x in row.split(",")))
    rows = read(SCRATCH, "plain/probes.csv").decode().splitlines() if names else [""]
    check("probes.csv", rows[0].startswith("step,time [s],top x [m]") and "corner fz [N]" in rows[0] and len(rows) == 64 and
          all(row.count(",") == 19 for row in rows), rows[:2])
    r2 = run("run", scene, "-o", "json", "--json")
    facts = parsed(r2)
    keys = ["status", "state_hash", "nodes", "springs", "steps", "step", "stable_step", "integrator", "precision", "energy",
            "momentum", "angular_momentum", "centre", "volume", "volume_change", "timing", "files", "messages", "frames"]
    check("run --json has its keys", r2.returncode == 0 and all(k in facts for k in keys) and facts["status"] == "ok" and
          re.fullmatch("[0-9a-f]{16}", facts["state_hash"]), said(r2))
    check("summary.json says the same", json.loads(read(SCRATCH, "json/summary.json"))["state_hash"] == facts["state_hash"])
    check("two runs leave the same bytes", differences(scratch("plain"), scratch("json")) == [],
          differences(scratch("plain"), scratch("json")))
    r = run("run", "json/scene.yaml", "-o", "again", "--json")
    different = differences(scratch("plain"), scratch("again"))  # the summary names the scene
    check("scene.yaml is the same scene", parsed(r).get("state_hash") == facts["state_hash"] and
          different == ["summary.json"], different)
    return facts.get("state_hash")


WELDED = """
gravity: [0, 0, 0]
bodies:
  - {name: bone, model: rigid, shape: {type: box, size: [0.1, 0.1, 0.1]}, network: {spacing: 0.05}, material: {density: 1000}}
  - name: flesh
    shape: {type: box, size: [0.4, 0.1, 0.1], translate: [0.2, 0, 0]}
    network: {spacing: 0.05}
    material: {young: 1e5, density: 1000, poisson: 0.25}
    spin: [0, 0, 100]
links: [{type: weld, from: {body: flesh, type: box, min: [-1, -1, -1], max: [0.051, 1, 1]}, to: {body: bone}}]
time: {duration: 0.005}
output: {frames: 0, energy: true, samples: 1000}
"""


def test_first_row():
    r = run("run", "-", "-o", "welded", input=WELDED)
    rows = read(SCRATCH, "welded/energy.csv").decode().splitlines() if r.returncode == 0 else ["", "", ""]
    names = rows[0].split(",")
    at = names.index("angular momentum z [kg m2/s]") if len(rows[1]) > 0 else -1
    first, second = [[float(x) for x in row.split(",")] for row in rows[1:3]] if at >= 0 else ([1.0], [2.0])
    check("the first row has velocities that fit welds", abs(first[at] - second[at]) < 1e-12 * abs(first[at]),
          said(r) + "\n".join(rows[:3]))


def test_independence(hash):
    r = run("run", scene, "-o", "rates", "--json", "--set", "output.frames=7", "--set", "output.samples=1000", "--set",
            "output.checkpoint=0.01", "--set", "output.formats=[vtu]")
    same = parsed(r).get("state_hash") == hash
    check("other output rates do not change the state", same, said(r))
    r = run("run", scene, "-o", "none", "--json", "--set", "output.frames=0", "--set", "output.energy=false")
    none = parsed(r).get("state_hash") == hash
    check("nor does no output", none and "nodes.pvd" not in os.listdir(scratch("none")), said(r))
    prove("final hash with other output rates and formats", "same" if same and none else "differs", "same", same and none)
    for threads in ["1", "3"]:
        r = run("run", scene, "-o", "threads", "--json", "--threads", threads, "--set", "output.frames=0")
        check(f"nor do {threads} threads", parsed(r).get("state_hash") == hash, said(r))
    r = run("run", scene, "-o", "quiet", "--quiet", "--until", "0.02", "--set", "time.integrator=auto")
    check("run --quiet says nothing, no notes either", r.returncode == 0 and r.stdout == "" and r.stderr == "", said(r))
    r = run("run", scene, "-o", "rates", "--until", "0.1", "--quiet")
    names = os.listdir(scratch("rates"))
    check("an earlier, longer run leaves no frames behind", "nodes_000005.vtu" in names and
          "nodes_000006.vtu" not in names, sorted(names))


def wait_for(process, ready):
    """Until something is so, or the program has ended."""
    until = time.time() + 60
    while not ready() and process.poll() is None and time.time() < until:
        time.sleep(0.01)


def stop(directory, number):
    process = subprocess.Popen([PROGRAM, "run", scene, "-o", directory, "--json", "--until", END], cwd=SCRATCH,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    frames = scratch(directory + "/frames.csv")
    wait_for(process, lambda: os.path.exists(frames) and read(frames).count(b"\n") > 10)
    process.send_signal(number)
    sent = time.time()
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err, time.time() - sent


def test_touch_resumed():
    """Forces of the ground are means between rows: those of a run that was stopped between two are the same."""
    name = scratch("touch.yaml", "ground: {friction: 0.3}\ntime: {duration: 0.12}\noutput: {frames: 0, samples: 50, energy: false, "
                   "probes: [{name: floor, type: ground}]}\nbodies:\n  - {name: box, model: springs, shape: {type: box, size: "
                   "[0.2, 0.1, 0.1], translate: [0, 0, 0.05]}, network: {type: lattice, spacing: 0.05}, material: {young: 1e5, "
                   "poisson: 0.25, density: 1000, stiffness_damping: 1e-3}, velocity: [1, 0, 0]}\n")
    run("run", name, "-o", "touch", "--quiet")
    run("run", name, "-o", "halves", "--quiet", "--until", "0.0513")
    r = run("run", name, "-o", "halves", "--quiet", "--resume")
    rows = read(SCRATCH, "touch/probes.csv").decode().splitlines()
    column = rows[0].split(",").index("floor fz [N]") if rows else 0
    check("forces of the ground go on when resumed", r.returncode == 0 and len(rows) > 5 and float(rows[-1].split(",")[column]) > 1 and
          read(SCRATCH, "halves/probes.csv").decode().splitlines() == rows, said(r))


def test_resume():
    undisturbed = run("run", scene, "-o", "long", "--json", "--until", END)
    hash = parsed(undisturbed).get("state_hash")
    for number, name, status in [(signal.SIGTERM, "SIGTERM", 143), (signal.SIGINT, "SIGINT", 130)]:
        shutil.rmtree(scratch(name), ignore_errors=True)
        code, out, err, seconds = stop(name, number)
        check(f"{name} stops a run with status {status} and a checkpoint", code == status and "--resume" in err and
              json.loads(out or "{}").get("status") == "stopped", f"{code} {out[:300]} {err}")
        check("at once", seconds < (20 if SANITIZE else 3), seconds)
        r = run("run", scene, "-o", name, "--json", "--until", END, "--resume")
        check("resumed to the same hash", r.returncode == 0 and parsed(r).get("state_hash") == hash and
              parsed(r).get("resumed"), said(r))
        different = differences(scratch("long"), scratch(name))
        good = check("and the same files", different == [], different) and parsed(r).get("state_hash") == hash
        prove(f"{name}, resumed to the same hash and files", "same" if good else "differs", "same", good)
    for integrator in ["position_verlet", "tr_bdf2", "static"]:
        shutil.rmtree(scratch("early"), ignore_errors=True)
        process = subprocess.Popen([PROGRAM, "run", scene, "-o", "early", "--quiet", "-s", f"time.integrator={integrator}"], cwd=SCRATCH)
        while not os.path.exists(scratch("early")) and process.poll() is None:
            pass
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        check(f"SIGTERM as soon as something is written, {integrator}", process.returncode == 143 and
              os.path.exists(scratch("early/checkpoint.rsl")), process.returncode)
    shutil.rmtree(scratch("busy"), ignore_errors=True)
    process = subprocess.Popen([PROGRAM, "run", scene, "-o", "busy", "--quiet", "--until", "30"], cwd=SCRATCH)
    wait_for(process, lambda: os.path.exists(scratch("busy/energy.csv")))
    fails("two runs do not share a folder", ["run", scene, "-o", "busy"], 2, "another run")
    process.kill()
    process.wait()
    r = run("run", scene, "-o", "extended", "--quiet", "--until", EARLIER)
    r = run("run", scene, "-o", "extended", "--json", "--until", END, "--resume", "--threads", "1")
    check("a finished run can be made longer", parsed(r).get("state_hash") == hash and
          differences(scratch("long"), scratch("extended")) == [], said(r))
    r = run("run", scene, "-o", "extended", "--json", "--until", END, "--resume")
    check("resuming a finished run changes nothing", parsed(r).get("state_hash") == hash and
          differences(scratch("long"), scratch("extended")) == [], said(r))
    r = run("run", scene, "-o", "fresh", "--resume", "--until", "0.02")
    check("--resume without a checkpoint starts from the beginning", r.returncode == 0 and "from the beginning" in r.stderr,
          said(r))
    shutil.rmtree(scratch("fresh"))
    refuses(hash)


def refuses(hash):
    again = ["run", scene, "-o", "extended", "--resume", "--until", END]
    fails("a changed material is refused", again + ["--set", "bodies.block.material.young=6e4"], 2, "changed", "young")
    fails("a changed integrator is refused", again + ["--set", "time.integrator=velocity_verlet"], 2, "changed",
          "velocity_verlet")
    fails("a changed precision is refused", again + ["--precision", "single"], 2, "precision", "single")
    fails("a ground that is gone is refused", again + ["--set", "ground=false"], 2, "changed", "ground: true", "gone")
    fails("an end before the checkpoint is refused", again[:-1] + ["0.3"], 2, "already after")
    shutil.copytree(scratch("extended"), scratch("damaged"), dirs_exist_ok=True)
    for name, change in [("cut", lambda b: b[:len(b) // 2]), ("with a flipped bit", flip), ("empty", lambda b: b"")]:
        with open(scratch("damaged/checkpoint.rsl"), "wb") as file:
            file.write(change(read(SCRATCH, "extended/checkpoint.rsl")))
        r = run("run", scene, "-o", "damaged", "--resume", "--until", END, "--json")
        check(f"a checkpoint {name} is refused", r.returncode == 2 and "checkpoint" in r.stderr, said(r))
    r = run("run", scene, "-o", "extended", "--json", "--until", END, "--resume", "--set", "title=another", "--set",
            "output.samples=10")
    check("another title and output may be", parsed(r).get("state_hash") == hash and "rate" not in r.stderr, said(r))
    run("run", scene, "-o", "rate", "--quiet", "--until", "0.1")
    r = run("run", scene, "-o", "rate", "--until", "0.2", "--resume", "--set", "output.frames=20")
    rows = read(SCRATCH, "rate/frames.csv").decode().splitlines()
    check("another rate of frames, with a note", r.returncode == 0 and "another rate" in r.stderr and len(rows) == 1 + 6 + 2,
          said(r) + "\n".join(rows))


def flip(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1:]


def test_mesh():
    corners = [(x, y, z) for z in (0, 0.1) for y in (0, 0.1) for x in (0, 0.1)]
    quads = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]
    lines = ["v %g %g %g" % c for c in corners] + ["f %d %d %d\nf %d %d %d" % (a, b, c, a, c, d) for a, b, c, d in quads]
    scratch("scenes/meshes/cube.obj", "\n".join(lines) + "\n")
    name = scratch("scenes/cube.yaml", SCENE.replace("type: box, size: [0.1, 0.08, 0.06]", "type: mesh, file: meshes/cube.obj")
                   .replace("block", "cube"))
    r = run("run", name, "-o", "cube", "--until", "0.02", "--quiet", "--set", "output.probes=[]")
    if "assimp" in r.stderr:
        skip("scenes with a mesh file", "built without assimp")
        return
    check("a scene with a mesh file runs", r.returncode == 0, said(r))
    first = run("run", name, "-o", "cube", "--until", "0.05", "--json", "--resume", "--set", "output.probes=[]")
    again = run("run", "cube/scene.yaml", "-o", "cube2", "--json")
    fails("a mesh in millimetres", ["check", name, "--set", "body.shape.scale=1000"], 2, "100 x 100 x 100 m", "scale: 0.001")
    check("and is resumed, and its copy finds the mesh", first.returncode == 0 and parsed(first).get("resumed") and
          parsed(first).get("state_hash") == parsed(again).get("state_hash"), said(first) + said(again))
    # all files that a scene can name: of a part, of a region, of a collider, of cells
    cube = "{type: mesh, file: meshes/cube.obj"
    shutil.copy(os.path.join(ROOT, "scenes/meshes/beam.vtk"), scratch("scenes/meshes/beam.vtk"))
    name = scratch("scenes/files.yaml", f"""
bodies:
  - name: two
    shape: {{type: union, parts: [{cube}}}, {{type: box, size: [0.1, 0.1, 0.1], translate: [0.1, 0.05, 0.05]}}]}}
    network: {{spacing: 0.025}}
    material: rubber
    regions: [{{shape: {cube}, scale: 0.5}}, material: skin}}]
  - name: beam
    network: {{type: tetrahedra, file: meshes/beam.vtk, scale: 0.001}}
    material: rubber
colliders: [{{shape: {cube}, translate: [0, -0.3, 0]}}}}]
""")
    first = run("run", name, "-o", "files", "--until", "0.002", "--json")
    again = run("run", "files/scene.yaml", "-o", "files2", "--json")
    check("a copy finds the files of parts, regions, colliders and cells", first.returncode == 0 and
          parsed(first).get("state_hash") == parsed(again).get("state_hash"), said(first) + said(again))


def test_divergence():
    stable = parsed(run("check", scene, "--json")).get("stable_step", 0)
    r = run("run", scene, "-o", "diverged", "--json", "--set", f"time.step={3 * stable:.6g}")
    facts = parsed(r)
    check("a run with three times the stable step fails with status 1", r.returncode == 1 and
          facts.get("status") == "diverged", said(r))
    check("it names node, body, spring, time and remedy", all(t in r.stderr for t in
          ["node ", "body block", "worst spring", "t = ", "stable step", "time.step"]), r.stderr)
    check("it keeps the last good state and a frame", os.path.exists(scratch("diverged/last_good.rsl")) and
          os.path.exists(scratch("diverged/nodes_last_good.vtu")), os.listdir(scratch("diverged")))
    check("the summary says so", json.loads(read(SCRATCH, "diverged/summary.json")).get("status") == "diverged" and
          facts.get("divergence", {}).get("node", {}).get("body") == "block", facts.get("divergence"))
    r = run("picture", "diverged/last_good.rsl", "-o", "last_good.png")
    check("which can be drawn", r.returncode == 0, said(r))
    pulled = scratch("pulled.yaml", """
gravity: [0, 0, 0]
time: {duration: 0.4}
bodies: [{name: bar, shape: {type: box, size: [0.3, 0.1, 0.1]}, network: {spacing: 0.05}, repulsion: none,
          material: {young: 1e5, poisson: 0.45, density: 1000, stiffness_damping: 2e-3}}]
constraints:
- {type: pin, nodes: {type: plane, point: [-0.14, 0, 0], normal: [-1, 0, 0]}}
- {type: motion, nodes: {type: plane, point: [0.14, 0, 0], normal: [1, 0, 0]}, translate: [0.9, 0, 0],
   course: {type: ramp, duration: 0.3}}
""")
    fails("bricks pulled until nothing is left of their width", ["run", pulled, "-o", "pulled"], 1, "law: neo_hookean")
    r = run("run", pulled, "-o", "pulled", "-s", "body.model.type=brick", "-s", "body.model.law=neo_hookean")
    check("with that law they bear it", r.returncode == 0, said(r))


    links = scratch("joints.yaml", """
gravity: [0, 0, 0]
time: {duration: 0.01}
output: {frames: 0}
bodies: [{name: bone, shape: {type: box, size: [0.1, 0.1, 0.1]}, network: {spacing: 0.05}, model: rigid,
          material: {density: 1000}}]
joints:
- {type: hinge, a: bone, point: [0, 0, 0], axis: [0, 0, 1], angle: 90}
""")
    check("a hinge driven by a right angle at once", run("run", links, "-o", "joints", "-q").returncode == 0)
    fails("a hinge driven by half a turn at once", ["run", links, "-o", "joints", "-s", "joints.0.angle=180"], 1,
          "joint 0 of bone and the world is not kept", "180 off", "smooth course")
    scratch("joints.yaml", read(SCRATCH, "joints.yaml").decode() +
            "- {type: hinge, a: bone, point: [0, 0, 0], axis: [1, 0, 0], angle: 90}\n")
    fails("hinges that contradict each other", ["run", links, "-o", "joints"], 1, "is not kept", "last_good")
    r = run("check", scene, "--set", "output.samples=0")
    check("probes that nobody writes are told of", r.returncode == 0 and "probes are asked for" in r.stderr, said(r))
    fails("steps without number", ["run", links, "-o", "joints", "-s", "time.step=1e-30"], 2, "2^53", "time")


def test_rest():
    held = scratch("held.yaml", SCENE + "constraints: [{type: pin, nodes: {type: plane, point: [0, 0, 0.025], "
                   "normal: [0, 0, -1]}}]\n")
    static = ["-s", "time.integrator=static", "-s", "time.precision=double", "-s", "output.frames=0"]
    r = run("run", held, "-o", "rest", "--json", *static)
    check("a state of rest", r.returncode == 0 and parsed(r).get("rest", {}).get("residual", 1) < 1e-8, said(r))
    fails("a tolerance below rounding", ["run", held, "-o", "rest", *static, "-s", "time.tolerance=1e-16"], 1,
          "no state of rest", "rounding", "time.tolerance")


# A solve that takes seconds is stopped within, and starts anew from before it.
def test_stop_of_rest():
    bar = scratch("bar.yaml", f"""
time: {{duration: 1, integrator: static}}
output: {{frames: 0}}
bodies:
  - name: bar
    shape: {{type: box, size: [1, 0.2, 0.2]}}
    network: {{spacing: {0.02 if SANITIZE else 0.01}}}
    material: {{young: 1e4, poisson: 0.25, density: 1000}}
constraints: [{{type: pin, nodes: {{type: plane, point: [-0.49, 0, 0], normal: [-1, 0, 0]}}}}]
""")
    shutil.rmtree(scratch("bar"), ignore_errors=True)
    process = subprocess.Popen([PROGRAM, "run", bar, "-o", "bar", "--json"], cwd=SCRATCH, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    wait_for(process, lambda: os.path.exists(scratch("bar/scene.yaml")))
    time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    sent = time.time()
    out, err = process.communicate(timeout=60)
    found = json.loads(out or "{}")
    check("SIGTERM stops a solve for rest", process.returncode == 143 and "--resume" in err and found.get("steps") == 0,
          f"{process.returncode} {out[:300]} {err}")
    check("within an iteration", time.time() - sent < (20 if SANITIZE else 3), time.time() - sent)
    check("with the state before it", os.path.exists(scratch("bar/checkpoint.rsl")))


def is_png(name, width, height):
    data = read(SCRATCH, name) if os.path.exists(scratch(name)) else b""
    size = (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))
    return data.startswith(b"\x89PNG") and size == (width, height)


def test_modes():
    r = run("modes", scene, "-n", "3", "--json", "-o", "modes")
    found = parsed(r)
    f = [m["frequency"] for m in found.get("modes", [])]
    check("modes of a scene", r.returncode == 0 and len(f) == 3 and f == sorted(f) and f[0] > 0, said(r))
    files = sorted(os.listdir(SCRATCH + "/modes"))
    check("modes for ParaView", [n for n in files if n.startswith("mode_")] == [f"mode_0{i}.vtu" for i in (1, 2, 3)], files)
    r = run("modes", scene, "-n", "1", "-o", "modes")
    files = sorted(os.listdir(SCRATCH + "/modes"))
    check("a table of modes", r.returncode == 0 and f"{f[0]:.5g}" in r.stdout and "iterations of lobpcg" in r.stdout, said(r))
    r = run("modes", scene, "-n", "1", "--solver", "slepc")
    there = r.returncode == 0 and "iterations of slepc" in r.stdout
    check("modes by SLEPc, or a clear word", there or r.returncode == 2 and "cmake -DRSL_SLEPC=ON" in r.stderr, said(r))
    r = run("modes", scene, "--solver", "other")
    check("an unknown solver of modes", r.returncode == 2 and "lobpcg or slepc" in r.stderr, said(r))
    check("files of modes before are gone", "mode_02.vtu" not in files and "mode_01.vtu" in files, files)
    r = run("modes", scene, "-n", "1", "--json", "--at", "0.05")
    check("modes about a later state", r.returncode == 0 and len(parsed(r).get("modes", [])) == 1, said(r))
    static = ["-s", "ground=false", "-s", "time.integrator=static", "-s", "time.precision=double"]
    fails("modes about a rest that there is not", ["modes", scene, "--at", "0.5", *static], 2, "is not held")
    r = run("modes", scene, "-n", "1", "--json", *static)
    check("modes of what is not held", r.returncode == 0 and parsed(r).get("zero_modes") == 6, said(r))
    fails("too many modes", ["modes", scene, "-n", "1000"], 2, "1 to 100")
    fails("a bad tolerance", ["modes", scene, "--tolerance", "0"], 2, "1e-9 to 0.1")
    fails("a bad time", ["modes", scene, "--at", "-1"], 2, "not negative")
    fails("a folder that cannot be made", ["modes", scene, "-n", "1", "-o", "block.yaml/modes"], 2, "block.yaml/modes")


LIFTED = """
bodies: [{name: block, shape: {type: box, size: [0.2, 0.2, 0.2], translate: [0, 0, 0.15]}, network: {spacing: 0.1}, material: rubber}]
colliders: [{name: lift, point: [0, 0, 0], normal: [0, 0, 1], translate: [0, 0, 0.2], course: {type: ramp, duration: 0.1}}]
time: {duration: 0.02}
output: {frames: 50}
"""


def test_picture():
    r = run("picture", scene)
    if r.returncode == 2 and "unsupported" in r.stderr.lower():
        skip("pictures", "built without libpng")
        return
    check("picture of a scene", r.returncode == 0 and r.stdout == "block.png\n" and is_png("block.png", 1280, 720), said(r))
    small = ["--size", "160x120"]
    r = run("picture", scene, "-o", "later.png", "--at", "0.1", "--style", "springs", *small)
    check("picture of a scene at a later time", r.returncode == 0 and is_png("later.png", 160, 120), said(r))
    r = run("picture", "plain/checkpoint.rsl", "-o", "c.png", "--style", "field", "--field", "speed", *small)
    check("picture of a checkpoint", r.returncode == 0 and is_png("c.png", 160, 120), said(r))
    r = run("picture", "plain/nodes_000000.vtu", "--at", "0.1")
    check("a frame at another time is refused", r.returncode == 2 and "time of its own" in r.stderr, said(r))
    for kind in ["nodes", "surface"]:
        r = run("picture", f"plain/{kind}_000005.vtu", "-o", "f.png", "--field", "height", "--view", "1,-2,1", *small)
        check(f"picture of a frame of the {kind}", r.returncode == 0 and is_png("f.png", 160, 120), said(r))
    r = run("run", "-", "-o", "lifted", "-q", input=LIFTED)
    pictures = []
    for name in ["with.png", "without.png"]:
        r = run("picture", "lifted/surface_000001.vtu", "-o", name, *small)
        pictures.append(read(SCRATCH, name) if r.returncode == 0 else b"")
        if os.path.exists(scratch("lifted/scene.yaml")):
            os.remove(scratch("lifted/scene.yaml"))
    check("a frame shows the collider of its scene", pictures[0] != pictures[1] and b"" not in pictures, said(r))
    scratch("cut.vtu")
    with open(scratch("cut.vtu"), "wb") as file:
        file.write(read(SCRATCH, "plain/nodes_000005.vtu")[:3000])
    fails("a frame that is cut", ["picture", "cut.vtu"], 2, "cut.vtu")
    fails("a bad size", ["picture", scene, "--size", "12"], 2, "WIDTHxHEIGHT")
    fails("a bad style", ["picture", scene, "--style", "oil"], 2, "shaded, springs or field")
    fails("a bad field", ["picture", scene, "--field", "mood"], 2, "energy_density")
    fails("a bad view", ["picture", scene, "--view", "0,0,0"], 2, "direction")


def test_progress():
    r = run("run", scene, "-o", "progress", "--progress", "--until", "0.5")
    check("--progress shows progress when piped", r.returncode == 0, said(r))


def test_manual():
    page = os.path.join(ROOT, "docs/resilin.1")
    text = read(page).decode().replace("\\-", "-")
    for c in COMMANDS:
        options = set(re.findall(r"^ .*?(--[a-z-]+)", run(c, "--help").stdout, re.M)) - {"--help"}
        check(f"the man page knows the options of {c}", all(o in text for o in options),
              [o for o in options if o not in text])


test_usage()
test_lists()
test_new()
test_check()
test_realtime()
test_files()
test_independence(test_run())
test_first_row()
test_touch_resumed()
test_resume()
test_mesh()
test_divergence()
test_rest()
test_stop_of_rest()
test_modes()
test_picture()
test_progress()
test_manual()
finish()
