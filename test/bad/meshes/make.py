#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# make.py: writes the bad meshes of this folder and the good ones of ../../meshes (all but rabbit.ply, which is the
# surface of our own rabbit). The files are kept in the repository; run this only to change them.

import base64
import json
import math
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
GOOD = os.path.join(HERE, "..", "..", "meshes")


def cube(x=0.0, y=0.0, z=0.0, s=1.0):
    v = [(x + s * i, y + s * j, z + s * k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    t = [tri for a, b, c, d in quads for tri in ((a, b, c), (a, c, d))]
    return v, t


def tetra(x=0.0, y=0.0, z=0.0, s=1.0):
    v = [(x, y, z), (x + s, y, z), (x, y + s, z), (x, y, z + s)]
    return v, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


def join(*meshes):
    v, t = [], []
    for mv, mt in meshes:
        t += [tuple(i + len(v) for i in tri) for tri in mt]
        v += mv
    return v, t


def weld(mesh):
    v, t = mesh
    index, out = {}, []
    for p in v:
        if p not in index:
            index[p] = len(out)
            out.append(p)
    return out, [tuple(index[v[i]] for i in tri) for tri in t]


def turned(mesh):
    return mesh[0], [(a, c, b) for a, b, c in mesh[1]]


def torus(nu, nv, ring=1.0, tube=0.35):
    v, t = [], []
    for i in range(nu):
        for j in range(nv):
            a, b = 2 * math.pi * i / nu, 2 * math.pi * j / nv
            r = ring + tube * math.cos(b)
            v.append((r * math.cos(a), r * math.sin(a), tube * math.sin(b)))
            p, q = (i + 1) % nu, (j + 1) % nv
            t += [(i * nv + j, p * nv + j, p * nv + q), (i * nv + j, p * nv + q, i * nv + q)]
    return v, t


def moebius(n=12):
    v, t = [], []
    for i in range(n):
        a = 2 * math.pi * i / n
        for s in (-0.3, 0.3):
            r = 1 + s * math.cos(a / 2)
            v.append((round(r * math.cos(a), 6), round(r * math.sin(a), 6), round(s * math.sin(a / 2), 6)))
    for i in range(n):
        a, b = 2 * i, 2 * i + 1
        c, d = (2 * i + 2, 2 * i + 3) if i + 1 < n else (1, 0)
        t += [(a, c, b), (b, c, d)]
    return v, t


def open_prism(n):
    v = [(round(math.cos(2 * math.pi * i / n), 6), round(math.sin(2 * math.pi * i / n), 6), z)
         for z in (0.0, 1.0) for i in range(n)]
    v.append((0.0, 0.0, 0.0))
    t = []
    for i in range(n):
        j = (i + 1) % n
        t += [(i, j, n + j), (i, n + j, n + i), (j, i, 2 * n)]
    return v, t


def write(name, data):
    path = os.path.join(HERE, name) if not name.startswith("good/") else os.path.join(GOOD, name[5:])
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def obj(mesh):
    v, t = mesh
    return "".join("v %r %r %r\n" % p for p in v) + "".join("f %d %d %d\n" % tuple(i + 1 for i in f) for f in t)


def stl(mesh, count=None):
    v, t = mesh
    data = b"binary".ljust(80, b" ") + struct.pack("<I", len(t) if count is None else count)
    for f in t:
        data += struct.pack("<3f", 0, 0, 0) + b"".join(struct.pack("<3f", *v[i]) for i in f) + b"\0\0"
    return data


def stl_text(mesh):
    v, t = mesh
    text = "solid s\n"
    for f in t:
        text += "facet normal 0 0 0\nouter loop\n"
        text += "".join("vertex %r %r %r\n" % v[i] for i in f) + "endloop\nendfacet\n"
    return text + "endsolid s\n"


def ply(mesh, vertices=None, faces=None):
    v, t = mesh
    head = "ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n" % (
        len(v) if vertices is None else vertices)
    if t or faces:
        head += "element face %d\nproperty list uchar int vertex_indices\n" % (len(t) if faces is None else faces)
    return head + "end_header\n" + "".join("%s %s %s\n" % p for p in v) + "".join("3 %d %d %d\n" % f for f in t)


def gltf(mesh, mode=4, uri=None, count=None):
    v, t = mesh
    indices = b"".join(struct.pack("<3H", *f) for f in t)
    indices += b"\0" * (-len(indices) % 4)
    positions = b"".join(struct.pack("<3f", *p) for p in v)
    data = indices + positions
    low = [min(p[i] for p in v) for i in range(3)]
    high = [max(p[i] for p in v) for i in range(3)]
    return json.dumps({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "translation": [1, 2, 3], "scale": [2, 2, 2]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 1}, "indices": 0, "mode": mode}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5123, "count": count or 3 * len(t), "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5126, "count": len(v), "type": "VEC3", "min": low, "max": high}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(indices)},
            {"buffer": 0, "byteOffset": len(indices), "byteLength": len(positions)}],
        "buffers": [{"byteLength": len(data), "uri": uri or
                     "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
    }, indent=1)


def bad():
    v, t = cube()
    write("open.obj", obj((v, t[2:])))
    write("one_missing.obj", obj((v, t[1:])))
    write("one_missing.ply", ply((v, t[1:])))
    write("big_hole.obj", obj(open_prism(80)))
    write("small_hole.obj", obj(open_prism(40)))
    write("glued_edge.obj", obj(weld(join(cube(), cube(1.0, 1.0, 0.0)))))
    write("bow_tie.obj", obj(weld(join(tetra(), turned(tetra(0, 0, 0, -1))))))
    write("flipped.obj", obj((v, [(t[0][0], t[0][2], t[0][1])] + t[1:])))
    write("half_flipped.ply", ply((v, [(a, c, b) for a, b, c in t[:6]] + t[6:])))
    write("inside_out.obj", obj(turned(cube())))
    write("inside_out.stl", stl(turned(torus(12, 8))))
    write("part_inside_out.obj", obj(join(cube(), turned(cube(3.0)))))
    write("cavity_not_turned.obj", obj(join(cube(0, 0, 0, 4.0), cube(1, 1, 1, 1.0))))
    write("crossing.obj", obj(join(cube(), cube(0.5, 0.25, 0.25))))
    write("crossing.stl", stl_text(join(tetra(), tetra(0.1, 0.1, 0.1))))
    write("touching.obj", obj(join(cube(), tetra(1.0, 0.25, 0.25, 0.5))))
    write("folded.obj", obj((v[:8] + [(0.0, 0.75, 0.25)], [f for f in t if f not in ((0, 1, 3), (0, 3, 2))] + [
        (0, 1, 8), (1, 3, 8), (0, 8, 3), (0, 3, 2)])))
    write("degenerate.obj", obj((v, t + [(0, 0, 1)])))
    # the corner 8 lies on the diagonal 0 3 of a face
    write("flat_triangle.obj", obj((v + [(0.0, 0.5, 0.5)], [(0, 1, 8), (1, 3, 8), (0, 8, 3)] + t[1:])))
    write("duplicate.obj", obj((v, t + [t[5]])))
    write("duplicate_turned.obj", obj((v, t + [(t[5][0], t[5][2], t[5][1])])))
    write("inner_wall.obj", obj(weld(join(cube(), cube(1.0)))))
    write("flat.obj", obj((v[:4], [(0, 1, 2), (0, 2, 1)])))
    write("gaps.obj", obj(([tuple(c + 1e-8 * k for c in v[i]) for k, f in enumerate(t) for i in f],
                           [(3 * k, 3 * k + 1, 3 * k + 2) for k in range(len(t))])))
    write("moebius.obj", obj(moebius()))
    write("one_triangle.obj", obj((v[:3], [(0, 1, 2)])))
    write("nan.obj", obj((v, t)).replace("v 0.0 1.0 1.0", "v 0.0 nan 1.0"))
    write("infinite.ply", ply((v, t)).replace("\n0.0 1.0 1.0\n", "\n0.0 inf 1.0\n"))
    write("nan.stl", stl(([(math.nan, 0, 0)] + v[1:], t)))
    write("index_out_of_range.obj", obj((v, t[1:] + [(0, 1, 98)])))
    write("index_out_of_range.ply", ply((v, t[1:] + [(0, 1, 98)])))
    write("index_out_of_range.gltf", gltf((v, t[1:] + [(0, 1, 98)])))
    write("index_zero.obj", obj((v, t)).replace("f 1 2 4", "f 0 2 4"))
    write("truncated.stl", stl((v, t))[:300])
    write("truncated_header.stl", stl((v, t))[:60])
    write("truncated_text.stl", stl_text((v, t))[:60])
    write("truncated.ply", ply((v, t))[:200])
    write("truncated_header.ply", ply((v, t))[:60])
    write("broken_header.ply", ply((v, t)).replace("property float x", "propperty float x"))
    write("truncated.gltf", gltf((v, t))[:300])
    write("huge_count.stl", stl((v, t), 4000000000))
    write("huge_count.ply", ply((v, t), 2000000000))
    write("huge_count.gltf", gltf((v, t), count=1000000000))
    write("no_buffer.gltf", gltf((v, t), uri="not_there.bin"))
    write("empty.obj", "")
    write("empty.stl", "")
    write("garbage.obj", "It was a dark and stormy night;\nthe rain fell in torrents.\n")
    write("garbage.stl", "It was a dark and stormy night;\nthe rain fell in torrents.\n")
    write("garbage.ply", "It was a dark and stormy night;\nthe rain fell in torrents.\n")
    write("garbage.gltf", "It was a dark and stormy night;\nthe rain fell in torrents.\n")
    write("garbage.glb", b"glTF" + bytes(range(200)))
    write("points.obj", "".join("v %r %r %r\n" % p for p in v))
    write("points.ply", ply((v, [])))
    write("lines.obj", "".join("v %r %r %r\n" % p for p in v) + "l 1 2\nl 2 3\n")
    write("no_extension", obj((v, t)))
    write("cube.txt", obj((v, t)))
    os.makedirs(os.path.join(HERE, "directory.obj"), exist_ok=True)
    write("directory.obj/.keep", "")


def good():
    v, t = cube()
    write("good/cube.obj", "".join("v %r %r %r\n" % p for p in v) +
          "".join("f %d %d %d %d\n" % tuple(i + 1 for i in q) for q in
                  [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]))
    write("good/torus.stl", stl(torus(36, 16)))
    write("good/tetra.gltf", gltf(tetra()))
    outline = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    lv = [(float(x), float(y), z) for z in (0.0, 1.0) for x, y in outline]
    caps = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    lt = [(a, c, b) for a, b, c in caps] + [(a + 6, b + 6, c + 6) for a, b, c in caps]
    for i in range(6):
        j = (i + 1) % 6
        lt += [(i, j, j + 6), (i, j + 6, i + 6)]
    write("good/l_shape.obj", obj((lv, lt)))
    write("good/hollow.obj", obj(join(cube(0, 0, 0, 3.0), turned(cube(1, 1, 1, 1.0)))))
    write("good/two.stl", stl_text(join(cube(), tetra(2.0))))


if __name__ == "__main__":
    os.makedirs(GOOD, exist_ok=True)
    bad()
    good()
