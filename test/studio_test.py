# SPDX-License-Identifier: MIT
#
# studio_test.py: `resilin studio` as the user sees it: pages, scenes, ports, how it ends.

import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.parse

from cli_support import PROGRAM, ROOT, SCRATCH, check, finish, read, run, scratch, skip
from studio_support import HEADERS, SECRET, Studio, page, quick, receive, request

TET = """\
$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
1
1 4 2 0 1 1 2 3 4
$EndElements
"""
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def scene_text(**files):
    shape = "{{ type: mesh, file: {}, scale: 0.1 }}"
    return f"""\
bodies:
  - name: together
    shape:
      type: union
      parts:
        - {shape.format(files["part"])}
        - {{ type: box, size: [0.1, 0.1, 0.1] }}
        - {{ type: difference, parts: [ {shape.format(files["deep"])}, {{ type: sphere, radius: 0.01 }} ] }}
    network: {{ type: lattice, spacing: 0.02 }}
    material: {{ young: 1e5, poisson: 0.25, density: 1000 }}
  - name: cells
    network: {{ type: tetrahedra, file: {files["cells"]} }}
    material: {{ young: 1e5, poisson: 0.25, density: 1000 }}
    model: fem
  - name: two_materials
    shape: {{ type: box, size: [0.1, 0.1, 0.1], translate: [1, 0, 0] }}
    network: {{ type: lattice, spacing: 0.02 }}
    material: {{ young: 1e5, poisson: 0.25, density: 1000 }}
    regions:
      - {{ shape: {shape.format(files["region"])}, material: {{ young: 1e6, poisson: 0.25, density: 1000 }} }}
colliders:
  - {{ name: bowl, shape: {shape.format(files["collider"])} }}
"""


def test_scene():
    scratch("scene/meshes/part.obj", OBJ)
    scratch("scene/deep mesh.obj", OBJ)
    scratch("scene/cells.msh", TET)
    scratch("scene/region.obj", OBJ)
    scratch("outside.obj", OBJ)
    absolute = scratch("absolute/far.obj", OBJ)
    scratch("scene/other.yaml", SECRET)
    scratch("scene/meshes/other.obj", SECRET)
    if not os.path.islink(scratch("scene/linked.obj")):
        os.symlink("../outside.obj", scratch("scene/linked.obj"))
    text = scene_text(part="./meshes/part.obj", deep="deep mesh.obj", cells="cells.msh", collider="../outside.obj",
                      region="region.obj")
    text += f"  - {{ name: far, shape: {{ type: mesh, file: {absolute}, translate: [0, 0, -5] }} }}\n"
    text += f"  - {{ name: linked, shape: {{ type: mesh, file: linked.obj, translate: [0, 0, -9] }} }}\n"
    name = "my toy+1%.yaml"
    path = scratch("scene/" + name, text)
    studio = Studio(os.path.join("scene", name))
    if not check("a scene", studio.url.endswith("/#open=scene/my%20toy%2B1%25.yaml"), studio.url or studio.process.communicate()):
        return
    for target, content in [("my%20toy%2B1%25.yaml", text), ("meshes/part.obj", OBJ), ("./meshes/part.obj", OBJ),
                            (".%2Fmeshes%2Fpart.obj", OBJ),
                            ("deep%20mesh.obj", OBJ),
                            ("cells.msh", TET), ("region.obj", OBJ), ("..%2Foutside.obj", OBJ), ("linked.obj", OBJ),
                            (urllib.parse.quote(absolute, safe=""), OBJ)]:
        status, headers, body = studio.ask("/scene/" + target)
        check(f"scene: {target[-40:]}", status == 200 and body.decode() == content and
              all(headers.get(k) == v for k, v in HEADERS.items()), (status, headers, body))
    for target in ["/scene/other.yaml", "/scene/meshes/other.obj", "/scene", "/scene/", "/scene/.", "/scene/meshes", "/scene/meshes/",
                   "/outside.obj", "/my%20toy%2B1%25.yaml", "/scene/../scene/my%20toy%2B1%25.yaml",
                   "/scene/..%2Fsecret.txt", "/scene/..%2Fpage%2Fa.txt",
                   "/scene/meshes/../other.yaml", "/scene//etc/passwd", "/scene/%2Fetc%2Fpasswd", "/scene/" + SCRATCH + "/secret.txt",
                   "/scene/..%2F..%2Foutside.obj", "/scene/outside.obj", "/scene/index.html", "/scene/scene/cells.msh"]:
        status, _, body = studio.ask(target)
        check(f"scene, 404: {target[-50:]}", status == 404, (status, body[:80]))
    check("the page beside it", studio.ask("/")[2] == b"this is index.html")
    with open(path, "a") as file:
        file.write("# changed\n")
    check("a changed scene is read anew", studio.ask("/scene/my%20toy%2B1%25.yaml")[2].decode() == text + "# changed\n")
    os.unlink(scratch("scene/cells.msh"))
    check("a mesh that has gone", studio.ask("/scene/cells.msh")[0] == 404)
    check("the end with a scene", studio.end() == 0 and "error" not in studio.said, studio.said)

    studio = Studio(os.path.join(ROOT, "scenes/tetrahedra.yaml"))
    check("a scene of the project", studio.url.endswith("#open=scene/tetrahedra.yaml") and
          studio.ask("/scene/meshes/beam.vtk")[2] == read(ROOT, "scenes/meshes/beam.vtk"), studio.url)
    check("nothing beside it", studio.ask("/scene/rabbit.yaml")[0] == 404)
    studio.end()


def test_bad_scenes():
    good = "bodies:\n  - name: a\n    shape: { type: box, size: [0.1, 0.1, 0.1] }\n    network: { type: lattice, spacing: 0.05 }\n" \
           "    material: { young: 1e5, poisson: 0.25, density: 1000 }\n"
    bad = {
        "a slip": (good.replace("young", "yuong"), ":5:17: error: "),
        "a bad value": (good.replace("density: 1000", "density: -1"), ":5:"),
        "a mesh that is not there": (good.replace("type: box, size: [0.1, 0.1, 0.1]", "type: mesh, file: nowhere.obj"), "nowhere.obj"),
        "a mesh that is none": (good.replace("type: box, size: [0.1, 0.1, 0.1]", "type: mesh, file: /etc/passwd"), ":3:"),
        "what spans keys": (good + good[8:], "'a'"),
    }
    for name, (text, said) in bad.items():
        path = scratch("bad.yaml", text)
        r, c = run("studio", path, "--page", page, "--port", "0"), run("check", path)
        check(f"bad scene: {name}", r.returncode == 2 and r.stdout == "" and path in r.stderr and said in r.stderr and
              re.search(r"has \d+ errors?$", r.stderr.strip()), r.stderr)
        check(f"as check says it: {name}", r.stderr == c.stderr and c.returncode == 2, r.stderr + c.stderr)
    r = run("studio", "nowhere.yaml", "--page", page)
    check("no such scene", r.returncode == 2 and "nowhere.yaml" in r.stderr, r.stderr)
    r = run("studio", "-", "--page", page)
    check("standard input", r.returncode == 2 and "from a file" in r.stderr, r.stderr)
    # a name that nothing reads is that of any file
    unread = good.replace("type: box, size: [0.1, 0.1, 0.1]", f"type: box, size: [0.1, 0.1, 0.1], file: {scratch('secret.txt')}")
    studio = Studio(scratch("unread.yaml", unread))
    if studio.url:
        name = urllib.parse.quote(scratch("secret.txt"), safe="")
        check("a name that was not read", studio.ask("/scene/" + name)[0] == 404, studio.ask("/scene/" + name))
        studio.end()
    else:
        check("a name that was not read", studio.process.wait() == 2)
    studio = Studio(scratch("warned.yaml", good + "time: { duration: 1000 }\noutput: { frames: 1000 }\n"))
    check("a warning does not keep from it", studio.url != "" and studio.end() == 0 and ":7:" in studio.said and
          "warning: " in studio.said, studio.url)


def test_places():
    tree = scratch("tree/bin/resilin")
    shutil.copy(PROGRAM, scratch("tree/bin/resilin"))

    def started(**options):
        return subprocess.run([tree, "studio", "--port", "0"], capture_output=True, text=True, timeout=60, cwd=SCRATCH, **options)
    r = started()
    looked = re.search(r"neither in (\S+) nor in (\S+): ", r.stderr)
    if not check("no page", r.returncode == 2 and looked and "make studio" in r.stderr and r.stdout == "", r.stderr):
        return
    check("the places", looked[2] == os.path.join(SCRATCH, "tree/bin/../web") and looked[1].startswith(SCRATCH), looked[0])
    for number, name in [(2, "built"), (1, "installed")]:
        os.makedirs(looked[number])
        with open(os.path.join(looked[number], "index.html"), "w") as file:
            file.write(name)
        studio = Studio(program=tree, page=None)
        check(f"the page {name}", studio.url != "" and studio.ask("/")[2].decode() == name, studio.url)
        studio.end()
    os.symlink(tree, scratch("link")) if not os.path.islink(scratch("link")) else None
    studio = Studio(program=scratch("link"), page=None)
    check("from a link to the program", studio.url != "" and studio.ask("/")[2] == b"installed", studio.url)
    studio.end()
    r = run("studio", "--page", scratch("page/sub"), "--port", "0")
    check("no index.html", r.returncode == 2 and "index.html" in r.stderr and "make studio" in r.stderr, r.stderr)


def test_ports():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        r = run("studio", "--page", page, "--port", str(taken.getsockname()[1]))
        check("a port that is taken", r.returncode == 2 and "is taken" in r.stderr and r.stdout == "", r.stderr)
    first, second = Studio(port=None), Studio(port=None)
    if first.url and second.url:
        check("the first free port", 8080 <= first.port < second.port < 8100, (first.url, second.url))
        check("is served", first.ask("/")[0] == 200 and second.ask("/")[0] == 200)
        check("and told", first.end() == 0 and second.end() == 0 and "port 8080 is taken" in second.said, second.said)
    else:
        skip("the first free port", "all of them are taken here")
        first.process.kill(), second.process.kill()
    studio = Studio()
    port = str(studio.port)
    studio.ask("/")
    studio.end()
    studio = Studio(port=port)
    check("the port of one that has just ended", studio.url.endswith(f":{port}/") and studio.ask("/")[0] == 200, studio.url)
    studio.end()
    for arguments, text in [(["--port", "x"], "a port"), (["--port", "65536"], "a port"), (["--port", "-1"], "a port"),
                            (["--address", "evil.example"], "an IP address"), (["--address", "203.0.113.7"], "cannot listen at 203.0.113.7"),
                            (["--page", ""], "a folder"), (["a.yaml", "b.yaml"], "more than one"), (["--prot", "1"], "did you mean")]:
        r = run("studio", "--page", page, *arguments)
        check(f"bad usage: {' '.join(arguments)}", r.returncode == 2 and text in r.stderr, r.stderr)


def test_addresses():
    studio = Studio("--address", "0.0.0.0")
    check("all addresses", studio.url.startswith("http://127.0.0.1:") and studio.ask("/", host="192.168.1.1")[0] == 200, studio.url)
    check("all addresses: names", studio.ask("/", host="evil.example")[0] == 403)
    check("all addresses are told", studio.end() == 0 and "everybody who reaches" in studio.said, studio.said)
    studio = Studio("--address", "localhost")
    check("localhost", studio.url.startswith("http://127.0.0.1:") and studio.ask("/")[0] == 200, studio.url)
    check("localhost is not", studio.end() == 0 and "everybody" not in studio.said, studio.said)
    studio = Studio("--address", "::1")
    if studio.url:
        check("IPv6", studio.url.startswith("http://[::1]:") and studio.ask("/", host=f"[::1]:{studio.port}")[0] == 200, studio.url)
        studio.end()
    else:
        skip("IPv6", "there is none here")
        studio.process.wait()


def test_ends():
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
        studio = Studio()
        with studio.connect() as idle, studio.connect() as half, studio.connect() as busy:
            half.sendall(b"GET / HT")
            busy.sendall(request("/big.bin"))
            receive(busy, 1000)
            begun = time.monotonic()
            status = studio.end(number)
            check(f"{number.name} ends it", status == 0 and time.monotonic() - begun < 3 and "error" not in studio.said,
                  f"{status}, {time.monotonic() - begun} s, {studio.said}")
            idle.settimeout(5)
            check(f"{number.name}: connections are closed", idle.recv(1) == b"")


def test_open():
    opened = scratch("opened")
    if os.path.exists(opened):
        os.unlink(opened)
    script = scratch("tools/xdg-open", f'#!/bin/sh\nprintf "%s\\n" $$ "$*" >"{opened}.part"\n'
                     f'mv "{opened}.part" "{opened}"\nexec sleep 60\n')
    os.chmod(script, 0o755)
    studio = Studio("--open", env={"PATH": scratch("tools") + ":" + os.environ["PATH"]}, start_new_session=True)
    for _ in range(100):
        if os.path.exists(opened):
            break
        time.sleep(0.05)
    pid, *words = read(opened).decode().splitlines() if os.path.exists(opened) else ["0"]
    check("--open", words == [studio.url], (words, studio.url))
    check("the browser does not hold it up", quick(studio) < 2)
    os.killpg(studio.process.pid, signal.SIGINT)  # as Ctrl-C does
    studio.process.communicate(timeout=20)
    time.sleep(0.2)
    lives = b") S" in read(f"/proc/{pid}/stat") if os.path.exists(f"/proc/{pid}") else False
    check("Ctrl-C ends it and not the browser", studio.process.returncode == 0 and lives, (studio.process.returncode, lives))
    if lives and pid != "0":
        os.kill(int(pid), signal.SIGKILL)
    studio = Studio("--open", env={"PATH": scratch("nothing")})
    check("--open without xdg-open", quick(studio) < 2 and studio.end() == 0 and "by hand" in studio.said, studio.url)


test_scene()
test_bad_scenes()
test_places()
test_ports()
test_addresses()
test_ends()
test_open()
finish()
