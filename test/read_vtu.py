#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# read_vtu.py: reads .vtu and .pvd files with nothing but the standard library and compares them with plain text.
# Where VTK itself is installed it opens them too. Prints TAP.

import math
import os
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

FORMATS = {"Float64": "d", "Float32": "f", "Int64": "q", "Int32": "i", "UInt8": "B"}
count = failed = 0


def check(name, good):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {name}")


class Grid:
    """The XML text is parsed without the raw block, which is no XML at all."""

    def __init__(self, path):
        data = open(path, "rb").read()
        tag = data.index(b"<AppendedData")
        start = data.index(b"_", data.index(b">", tag)) + 1
        end = data.rindex(b"\n</AppendedData>")
        self.raw = data[start:end]
        root = ElementTree.fromstring(data[:start - 1] + data[end:])
        self.order = {"LittleEndian": "<", "BigEndian": ">"}[root.get("byte_order")]
        assert root.get("type") == "UnstructuredGrid" and root.get("header_type") == "UInt64"
        piece = root.find("UnstructuredGrid/Piece")
        self.points = int(piece.get("NumberOfPoints"))
        self.cells = int(piece.get("NumberOfCells"))
        self.arrays = {}
        self.used = 0
        for array in root.iter("DataArray"):
            self.arrays[array.get("Name")] = self.read(array)

    def read(self, array):
        offset = int(array.get("offset"))
        assert array.get("format") == "appended" and offset == self.used, "blocks follow each other"
        size, = struct.unpack_from(self.order + "Q", self.raw, offset)
        code = FORMATS[array.get("type")]
        number = size // struct.calcsize(code)
        values = struct.unpack_from(f"{self.order}{number}{code}", self.raw, offset + 8)
        self.used = offset + 8 + size
        width = int(array.get("NumberOfComponents", 1))
        return [values[i:i + width] for i in range(0, number, width)] if width > 1 else list(values)


class Dump:
    def __init__(self, path):
        self.points, self.cells = [], []
        for line in open(path):
            kind, *words = line.split()
            if kind == "t":
                self.time = float(words[0])
            elif kind == "p":
                self.points.append([float(word) for word in words])
            else:
                self.cells.append([int(word) for word in words])


def close(a, b):
    """To the accuracy of floats, whose largest value stands for what is beyond."""
    b = max(-3.4028234663852886e38, min(3.4028234663852886e38, b))
    return math.isclose(a, b, rel_tol=1e-7, abs_tol=1e-40)


def compare(name, grid, dump, cell_type):
    arrays = grid.arrays
    size = len(dump.cells[0]) if dump.cells else 1
    points = dump.points
    check(f"{name}: counts", (grid.points, grid.cells) == (len(points), len(dump.cells)))
    check(f"{name}: the blocks fill the file", grid.used == len(grid.raw))
    check(f"{name}: time", arrays["TimeValue"] == [dump.time])
    check(f"{name}: positions, bit for bit", [list(p) for p in arrays["Points"]] == [p[:3] for p in points])
    check(f"{name}: velocity", all(close(a, b) for v, p in zip(arrays["velocity"], points) for a, b in zip(v, p[3:6])))
    check(f"{name}: tension", all(close(a, p[6]) for a, p in zip(arrays["tension"], points)))
    check(f"{name}: energy density", all(close(a, p[7]) for a, p in zip(arrays["energy_density"], points)))
    check(f"{name}: body", arrays["body"] == [int(p[8]) for p in points])
    check(f"{name}: lengths", all(len(arrays[k]) == len(points) for k in ("velocity", "tension", "energy_density")))
    check(f"{name}: connectivity", arrays["connectivity"] == [i for cell in dump.cells for i in cell])
    check(f"{name}: offsets", arrays["offsets"] == [size * (i + 1) for i in range(len(dump.cells))])
    check(f"{name}: types", arrays["types"] == [cell_type] * len(dump.cells))


def compare_series(path):
    root = ElementTree.parse(path).getroot()
    entries = [(float(e.get("timestep")), e.get("file")) for e in root.iter("DataSet")]
    check("series.pvd", entries == [(0.1, "springs.vtu"), (1.0 / 3.0, "a & <b>.vtu")])


READ_WITH_VTK = """
import sys, vtk
for path, points, cells, kind in (word.split(':') for word in sys.argv[1:]):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    assert reader.GetErrorCode() == 0, path
    assert (grid.GetNumberOfPoints(), grid.GetNumberOfCells()) == (int(points), int(cells)), path
    if int(cells):
        assert grid.GetCellType(int(cells) - 1) == int(kind), path
        assert grid.GetPointData().GetArray('velocity').GetNumberOfComponents() == 3
        assert grid.GetFieldData().GetArray('TimeValue').GetNumberOfTuples() == 1
"""


def open_with_vtk(files):
    global count
    for python in ("/usr/bin/python3", sys.executable):
        if os.path.exists(python) and subprocess.run([python, "-c", "import vtk"], capture_output=True).returncode == 0:
            result = subprocess.run([python, "-c", READ_WITH_VTK, *files], capture_output=True, text=True)
            for line in result.stderr.splitlines():
                print("#", line)
            check("VTK opens them", result.returncode == 0 and "ERROR" not in result.stderr)
            return
    count += 1
    print(f"ok {count} - VTK opens them # SKIP no python3-vtk9 here")


def main():
    folder = os.environ["RSL_SCRATCH"]
    program = os.path.join(os.environ["RSL_BUILD"], "test", "export_data")
    check("files are written", subprocess.run([program, folder]).returncode == 0)
    files = []
    for name, cell_type in (("springs", 3), ("points", 1), ("surface", 5), ("empty", 1)):
        path = os.path.join(folder, name)
        grid = Grid(path + ".vtu")
        compare(name + ".vtu", grid, Dump(path + ".txt"), cell_type)
        files.append(f"{path}.vtu:{grid.points}:{grid.cells}:{cell_type}")
    compare_series(os.path.join(folder, "series.pvd"))
    open_with_vtk(files)
    print(f"1..{count}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
