#!/usr/bin/python3
"""check_material_axes.py PROGRAM SOURCE_DIR BUILD_DIR

Axes of a material by tet, from a file: the answers of axes by region where they are the same, in the order of the mesh and
by tet_id, through an edit; and each way of a bad file, which ends in one line with its place."""
import os
import sys
import tempfile

import support
from support import expect, numpy

program, source = sys.argv[1], sys.argv[2]
WOOD = "young: [11e9, 0.9e9, 0.5e9], poisson: [0.37, 0.42, 0.47], shear: [0.7e9, 0.6e9, 0.05e9], density: 450"
CASE = """mesh: {mesh}
material: {{{wood}, axes: {axes}}}
elements: {elements}
sets:
  wall: {{plane: {{point: [0, 0, 0], normal: x}}}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
loads: [{{gravity: [0, 0, -9.81]}}]
steps: [{{static: {{tolerance: 1e-11}}}}, {{edit: [{{refine: {{longer_than: 0.05}}}}], static: {{tolerance: 1e-11}}}}]
"""
AXES = [0.8, 0.6, 0.0, -0.6, 0.8, 0.0]


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def solve(folder, name, axes, elements):
    mesh = os.path.join(source, "datasets", "bar.mesh")
    write(os.path.join(folder, name + ".yaml"), CASE.format(mesh=mesh, wood=WOOD, axes=axes, elements=elements))
    if support.run(program, "run", name + ".yaml", "-o", name, "--device", "host", folder=folder) is None:
        return None
    return support.read_frames(os.path.join(folder, name + ".vtkhdf"))


def check_answers(folder, n_tet):
    line = ", ".join(map(str, AXES))
    write(os.path.join(folder, "of_order.csv"), "a head, of words\n# and a comment\n" + (line + "\n") * n_tet)
    write(os.path.join(folder, "of_ids.csv"), "".join(f"{t}; {line.replace(',', ';')}\r\n" for t in reversed(range(n_tet))))
    for elements in ("linear", "quadratic"):
        fixed = solve(folder, "fixed", "{x: [0.8, 0.6, 0], y: [-0.6, 0.8, 0]}", elements)
        for name in ("order", "ids"):
            ours = solve(folder, name, f"{{csv: of_{name}.csv}}", elements)
            for a, b in zip(fixed or [], ours or []):
                u, v = a["PointData/displacement"], b["PointData/displacement"]
                apart = numpy.abs(u - v).max() / numpy.abs(u).max()
                expect(len(a["Tets"]) == len(b["Tets"]) and apart < 1e-8, f"{elements}, {name}: differ by {apart:.1e}")
        expect(fixed and len(fixed[1]["Tets"]) > n_tet, f"{elements}: the mesh was refined")


def check_refused(folder, n_tet):
    good = [list(AXES) for _ in range(n_tet)]
    text = lambda rows: "".join(", ".join(map(str, row)) + "\n" for row in rows)
    ids = [[t, *row] for t, row in enumerate(good)]
    bad = {
        "it has axes of": text(good[:-1]),
        "axes of tet 3: axes 1 and 2": text(good[:3] + [[1, 0, 0, 1, 1, 0]] + good[4:]),
        "axes of tet 0: axis 2 is (0, 0, 0)": text([[1, 0, 0, 0, 0, 0]] + good[1:]),
        "bad.csv:5: a number is not finite": text(good[:4] + [[1, 0, 0, "nan", 1, 0]] + good[5:]),
        "bad.csv:2: a line has 6 numbers": text([good[0], good[1][:5]] + good[2:]),
        "bad.csv:3: a line has 6 numbers": text(good[:2] + [["word"] + good[2]] + good[3:]),
        "bad.csv:8: tet 6 has axes already": text(ids[:7] + [ids[6]] + ids[8:]),
        "there are no axes of tet 9": text(ids[:9] + ids[10:]),
        "there is no tet -1": text([[-1, *AXES]] + ids[1:]),
        "there is no tet 1e+300": text([[1e300, *AXES]] + ids[1:]),
        "there is no tet 0.5": text([[0.5, *AXES]] + ids[1:]),
        "there are no axes of tet 0": "",
        "bad.csv": None,
    }
    mesh = os.path.join(source, "datasets", "bar.mesh")
    for words, content in bad.items():
        path = os.path.join(folder, "bad.csv")
        if content is None:
            os.remove(path)
        else:
            write(path, content)
        write(os.path.join(folder, "bad.yaml"), CASE.format(mesh=mesh, wood=WOOD, axes="{csv: bad.csv}", elements="linear"))
        done = support.execute(program, "run", "bad.yaml", "-o", "bad", "--quiet", "--device", "host", folder=folder)
        lines = done.stderr.strip().splitlines()
        expect(done.returncode == 2 and len(lines) == 1 and words in lines[0], f"{words}: {done.returncode}, {lines}")
    for axes in ("{csv: 3, x: [1, 0, 0]}", "{csv: []}", "{csv: bad.csv, cylinder: {point: [0, 0, 0], axis: z}}"):
        write(os.path.join(folder, "bad.yaml"), CASE.format(mesh=mesh, wood=WOOD, axes=axes, elements="linear"))
        done = support.execute(program, "run", "bad.yaml", "-o", "bad", "--quiet", folder=folder)
        expect(done.returncode == 2 and len(done.stderr.strip().splitlines()) == 1, f"{axes}: {done.stderr}")


with tempfile.TemporaryDirectory() as where:
    count = len(solve(where, "plain", "{x: [1, 0, 0], y: [0, 1, 0]}", "linear")[0]["Tets"])
    check_answers(where, count)
    check_refused(where, count)
sys.exit(support.finish("check_material_axes.py"))
