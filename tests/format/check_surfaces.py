#!/usr/bin/python3
"""check_surfaces.py PROGRAM SOURCE_DIR BUILD_DIR

Surfaces of a case: frames as OBJ and RIB against positions interpolated here from the result file,
what of the file is kept, loads on them, vertices that an edit takes, results that are replaced and
partial ones, refusals."""
import csv
import math
import os
import re
import sys
import tempfile

import support
from support import expect, numpy

program = os.path.abspath(sys.argv[1])

CASE = """mesh: box.mesh
material: {young: 1e4, poisson: 0.3, density: 1}
sets: {wall: {surface: 1}}
surfaces:
  skin: {file: skin.obj, removed: drop}
  marker: {file: marker.off}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads:
  - {surface: skin, total_force: [0, 0, -2]}
  - {surface: marker, pressure: 3}
elements: linear
steps:
  - static: {}
  - {name: holed, edit: [{remove: {box: [[1.6, -9, 0.6], [2.4, 9, 9]]}}], static: {}}
output: {surfaces: [obj, rib]}
"""


def make_skin(folder, name="skin.obj", beyond=0.0):
    """A tube around the axis of the box, of quads, with texture coordinates, two groups and a crease."""
    n, m = 24, 12
    lines = ["mtllib skin.mtl", "o tube"]
    for i in range(n + 1):
        for j in range(m):
            a = 2 * math.pi * j / m
            lines.append(f"v {4 * i / n} {0.5 + (0.48 + beyond) * math.cos(a)} "
                         f"{0.5 + (0.48 + beyond) * math.sin(a)}")
    lines += [f"vt {i / n} {j / m}" for i in range(n + 1) for j in range(m + 1)]
    lines += ["vn 0 0 1", "vn 0 1 0"]
    for group, rows in (("root", range(n // 2)), ("tip", range(n // 2, n))):
        lines.append(f"g {group}")
        for i in rows:
            for j in range(m):
                v = [i * m + j, i * m + (j + 1) % m, (i + 1) * m + (j + 1) % m, (i + 1) * m + j]
                t = [i * (m + 1) + j, i * (m + 1) + j + 1, (i + 1) * (m + 1) + j + 1, (i + 1) * (m + 1) + j]
                normal = 1 if j < m // 2 else 2
                lines.append("f " + " ".join(f"{a + 1}/{b + 1}/{normal}" for a, b in zip(v, t)))
    support.write(folder, name, "\n".join(lines) + "\n")


class Obj:
    def __init__(self, path):
        rows = {"v": [], "vt": [], "vn": []}
        self.faces, self.groups, self.lines = [], [], []
        for line in open(path):
            words = line.split()
            if words[0] in rows:
                rows[words[0]].append([float(w) for w in words[1:]])
            elif words[0] == "f":
                self.faces.append([[int(w) if w else 0 for w in c.split("/")] for c in words[1:]])
                self.groups.append(self.lines[-1])
            elif words[0] != "#":
                self.lines.append(line.rstrip("\n"))
        self.v, self.vt = numpy.array(rows["v"]), numpy.array(rows["vt"])
        self.vn = numpy.array(rows["vn"])


def interpolate(frame, points):
    """Undeformed points carried by the displacement of the frame's tets that contain them."""
    xyz, u = frame["Points"], frame["PointData/displacement"]
    corner = xyz[frame["Tets"]]
    inverse = numpy.linalg.inv(numpy.swapaxes(corner[:, 1:] - corner[:, :1], 1, 2))
    moved, lowest = numpy.zeros_like(points), numpy.zeros(len(points))
    for k, x in enumerate(points):
        w = numpy.einsum("tij,tj->ti", inverse, x - corner[:, 0])
        w = numpy.concatenate((1 - w.sum(axis=1)[:, None], w), axis=1)
        best = w.min(axis=1).argmax()
        lowest[k] = w[best].min()
        moved[k] = x + w[best] @ u[frame["Tets"][best]]
    return moved, lowest


def normals(obj):
    """Of the vertices at corners, by the faces that share vertex and normal."""
    sums = numpy.zeros_like(obj.vn)
    for face in obj.faces:
        p = obj.v[[c[0] - 1 for c in face]]
        area = sum(numpy.cross(p[k - 1] - p[0], p[k] - p[0]) for k in range(2, len(p)))
        for c in face:
            sums[c[2] - 1] += area
    return sums / numpy.maximum(numpy.linalg.norm(sums, axis=1), 1e-30)[:, None]


def check_obj(folder, frames):
    rest = Obj(os.path.join(folder, "skin.obj"))
    for k, frame in enumerate(frames):
        obj = Obj(os.path.join(folder, "out.surfaces", f"skin.{k:06d}.obj"))
        moved, lowest = interpolate(frame, rest.v)
        inside = lowest > -1e-9
        expect(inside.sum() > 100, "few vertices are inside")
        expect(numpy.abs(obj.v - moved)[inside].max() < 1e-7, f"frame {k}: positions")
        expect(numpy.allclose(obj.vt, rest.vt, atol=1e-8), "texture coordinates")
        expect(obj.lines == rest.lines, f"kept lines {obj.lines}")
        wanted = [(c[:2], g) for face, g in zip(rest.faces, rest.groups)
                  for c in face if all(inside[d[0] - 1] for d in face)]
        found = [(c[:2], g) for face, g in zip(obj.faces, obj.groups) for c in face]
        expect(found == wanted, f"frame {k}: {len(found)} corners, not {len(wanted)}")
        expect(len(obj.faces) == len(rest.faces) if k == 0 else len(obj.faces) < len(rest.faces) - 5,
               f"frame {k}: {len(obj.faces)} faces")
        used = sorted({c[2] - 1 for face in obj.faces for c in face})
        expect(numpy.abs(normals(obj) - obj.vn)[used].max() < 1e-5, f"frame {k}: normals")
        at = {(c[0], 0 if c[2] == 0 else c[2]) for face in obj.faces for c in face}
        expect(len(at) > len({v for v, _ in at}), "creases are kept")


def parse_rib(path):
    """Requests of a RIB file: name and arguments; arrays are lists."""
    text = re.sub(r"#.*", "", open(path).read())
    tokens = re.findall(r'"(?:\\.|[^"\\])*"|\[|\]|[^\s\[\]"]+', text)
    requests, array = [], None
    for token in tokens:
        if token == "[":
            array = []
        elif token == "]":
            requests[-1].append(array)
            array = None
        elif array is not None:
            array.append(token if token.startswith('"') else float(token))
        elif token.startswith('"'):
            requests[-1].append(token)
        else:
            requests.append([token])
    return requests


def check_rib(folder, k):
    path = os.path.join(folder, "out.surfaces", f"skin.{k:06d}")
    expect(open(path + ".rib").readline() == "##RenderMan RIB-Structure 1.1 Entity\n", "head")
    obj, requests = Obj(path + ".obj"), parse_rib(path + ".rib")
    expect([r[0] for r in requests] ==
           2 * ["AttributeBegin", "Attribute", "Orientation", "PointsPolygons", "AttributeEnd"],
           f"requests {[r[0] for r in requests]}")
    names = [r[3] for r in requests if r[0] == "Attribute"]
    expect(names == [['"skin root"'], ['"skin tip"']], f"names {names}")
    n_triangle = 0
    for request in (r for r in requests if r[0] == "PointsPolygons"):
        counts, vertices, rest = request[1], request[2], request[3:]
        values = dict(zip(rest[::2], rest[1::2]))
        n_triangle += len(counts)
        p = numpy.array(values['"P"']).reshape(-1, 3)
        expect(set(counts) == {3.0} and len(vertices) == 3 * len(counts), "counts")
        expect(max(vertices) == len(p) - 1 and min(vertices) == 0, "points")
        expect(len(values['"facevarying normal N"']) == 3 * len(vertices), "N by corner")
        st = numpy.array(values['"facevarying float[2] st"']).reshape(-1, 2)
        expect(len(st) == len(vertices) and st.min() >= 0 and st.max() <= 1, "st")
        known = {tuple(x) for x in obj.v}
        expect(all(tuple(x) in known for x in p), "P are those of the OBJ")
    expect(n_triangle == sum(len(f) - 2 for f in obj.faces), f"{n_triangle} triangles")


def check_run(folder):
    support.run(program, "shape", "box", "--size", "4,1,1", "--cells", "10,4,4", "-o", "box.mesh", folder=folder)
    make_skin(folder)
    support.write(folder, "marker.off", "OFF 3 1 0\n3.1 0.2 1.01\n3.6 0.3 1.01\n3.3 0.8 1.01\n3 0 1 2\n")
    support.write(folder, "case.yaml", CASE)
    said = support.run(program, "run", "case.yaml", "-o", "out", folder=folder)
    expect("3 vertices outside the body, by up to 0.01 (vertex 0)" in said, said)
    expect("out.surfaces/frames.csv" in said and "vertices have gone" in said, said)
    frames = support.read_frames(os.path.join(folder, "out.vtkhdf"))
    pressed = 3 * 0.5 * (0.5 * 0.6 - 0.1 * 0.2)
    force = frames[0]["numbers"]["applied_force"]
    expect(numpy.allclose(force, [0, 0, -2 - pressed], atol=1e-12), f"applied {force}")
    moment = frames[0]["numbers"]["applied_moment"]
    rest = Obj(os.path.join(folder, "skin.obj"))
    arm = rest.v.mean(axis=0)
    expect(abs(moment[0] + 2 * 0.5 + pressed * (0.2 + 0.3 + 0.8) / 3) < 1e-9, f"moment {moment}, {arm}")
    check_obj(folder, frames)
    check_rib(folder, 0)
    check_rib(folder, 1)
    with open(os.path.join(folder, "out.surfaces", "frames.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    expect([r["file"] for r in rows[:4]] == ["skin.000000.obj", "skin.000000.rib", "marker.000000.obj",
                                             "marker.000000.rib"], f"rows {rows}")
    expect(rows[4]["step"] == "holed" and int(rows[4]["released vertices"]) > 5, f"row {rows[4]}")
    expect(sorted(os.listdir(os.path.join(folder, "out.surfaces"))) ==
           sorted([r["file"] for r in rows] + ["frames.csv"]), "files")


def check_motion(folder):
    """A load on a surface with a factor of time; a frame of the surface for each output."""
    case = CASE[:CASE.index("steps:")].replace("[0, 0, -2]}", "[0, 0, -2], amplitude: grow}").replace(
        "constraints:", "amplitudes: {grow: {table: [[0, 0], [1, 1]]}}\nconstraints:").replace(
        "  - {surface: marker, pressure: 3}\n", "")
    support.write(folder, "motion.yaml", case + "steps: [{dynamic: {step: 0.1, steps: 4, output: {every: 2}}}]\n")
    support.run(program, "run", "motion.yaml", "-o", "motion", "--surface-frames", "obj", folder=folder)
    frames = support.read_frames(os.path.join(folder, "motion.vtkhdf"))
    forces = [frame["numbers"]["applied_force"][2] for frame in frames]
    expect(numpy.allclose(forces, [0, -0.4, -0.8], atol=1e-9), f"forces {forces}")
    rest = Obj(os.path.join(folder, "skin.obj"))
    for k, frame in enumerate(frames):
        obj = Obj(os.path.join(folder, "motion.surfaces", f"skin.{k:06d}.obj"))
        moved, lowest = interpolate(frame, rest.v)
        expect(numpy.abs(obj.v - moved)[lowest > -1e-9].max() < 1e-7, f"motion, frame {k}: positions")
    expect(obj.v[:, 2].mean() < rest.v[:, 2].mean() - 1e-6, "it moves down")


def check_replacement(folder):
    """A second run leaves its own frames alone; a failed one has them under the name of its part."""
    case = CASE.replace("output: {surfaces: [obj, rib]}\n", "").replace("  - {name: holed", "  - {name: other")
    support.write(folder, "case.yaml", case[:case.index("  - {name: other")])
    support.run(program, "run", "case.yaml", "-o", "out", "--surface-frames", "rib", folder=folder)
    expect(sorted(os.listdir(os.path.join(folder, "out.surfaces"))) ==
           ["frames.csv", "marker.000000.rib", "skin.000000.rib"], "frames of the second run alone")
    support.write(folder, "out.surfaces/mine.txt", "")
    done = support.execute(program, "run", "case.yaml", "-o", "out", "--surface-frames", "obj", folder=folder)
    expect(done.returncode != 0 and "holds 'mine.txt'" in done.stderr, done.stderr)
    os.remove(os.path.join(folder, "out.surfaces", "mine.txt"))
    support.write(folder, "case.yaml", case + "  - {name: gone, edit: [{remove: {sphere: {center: [0, 0, 0], radius: 99}}}], static: {}}\n")
    done = support.execute(program, "run", "case.yaml", "-o", "part", "--surface-frames", "obj", folder=folder)
    expect(done.returncode == 2 and "leave no tets" in done.stderr, done.stderr)
    expect(support.files_of(folder, "part") == [".checkpoint", ".partial.csv", ".partial.sets.csv",
                                                ".partial.surfaces", ".partial.vtkhdf", ".partial.xdmf"],
           f"files {support.files_of(folder, 'part')}")
    support.write(folder, "case.yaml", case)
    support.run(program, "run", "case.yaml", "-o", "part", "--surface-frames", "both", folder=folder)
    expect(".partial.surfaces" not in support.files_of(folder, "part"), "partial frames are removed")
    support.run(program, "replay", "part.vtkhdf", folder=folder)


def refused(folder, case, *words):
    support.write(folder, "case.yaml", case)
    done = support.execute(program, "run", "case.yaml", "-o", "bad", folder=folder)
    for word in words:
        expect(done.returncode == 2 and word in done.stderr, f"'{word}' in: {done.stderr}")
    expect(not [f for f in os.listdir(folder) if f.startswith("bad.")], "files of a refused run")


def check_refusals(folder):
    refused(folder, CASE.replace("surface: skin", "surface: skim"), "case.yaml:9:", "did you mean 'skin'")
    refused(folder, CASE.replace("{surface: marker,", "{surface: marker, set: wall,"), "not on both")
    refused(folder, CASE.replace("pressure: 3", "moment: [0, 0, 1]"), "does not act on a surface")
    refused(folder, CASE.replace("pressure: 3", "pressure: {value: 1, gradient: [0, 0, 1]}"), "uniform")
    refused(folder, CASE.replace("removed: drop", "removed: keep"), "case.yaml:5:", "allowed: rebind, drop")
    refused(folder, CASE.replace("skin: {file", "../skin: {file"), "letters, digits")
    refused(folder, CASE.replace("skin.obj", "skim.obj"), "skim.obj", "cannot")
    refused(folder, CASE.replace("skin.obj", "box.mesh"), "box.mesh", "surface")
    refused(folder, CASE.replace("[obj, rib]", "[obj, ply]"), "allowed: obj, rib")
    refused(folder, CASE.replace("removed: drop", "max_distance: -1"), "greater than 0")
    make_skin(folder, "far.obj", 3.0)
    refused(folder, CASE.replace("skin.obj", "far.obj"), "case.yaml:5:", "units", "max_distance")
    support.write(folder, "nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    refused(folder, CASE.replace("skin.obj", "nan.obj"), "nan.obj:1:")


def check_inward(folder):
    """The skin turned inside out is told; one side of it encloses nothing, and which way it looks is not known."""
    make_skin(folder)
    with open(os.path.join(folder, "skin.obj"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    turned = [" ".join([line.split()[0], *reversed(line.split()[1:])]) if line.startswith("f ") else line for line in lines]
    side = [line for k, line in enumerate(line for line in turned if line.startswith("f ")) if k % 12 < 6]
    pieces = {"skin": (lines, False), "turned": (turned, True),
              "side": ([line for line in turned if line not in side], False)}
    for name, (obj, is_inward) in pieces.items():
        support.write(folder, name + ".obj", "\n".join(obj) + "\n")
        support.write(folder, "case.yaml", CASE.replace("skin.obj", name + ".obj"))
        out = support.run(program, "run", "case.yaml", "-o", "inward", folder=folder)
        expect(out is None or ("look inward" in out) == is_inward, f"{name}: {out}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_run(folder)
        check_motion(folder)
        check_replacement(folder)
        check_refusals(folder)
        check_inward(folder)
    return support.finish("check_surfaces")


sys.exit(main())
