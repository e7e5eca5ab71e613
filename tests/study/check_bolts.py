#!/usr/bin/python3
"""check_bolts.py PROGRAM SOURCE_DIR BUILD_DIR

Bolts that are whole in their mesh and tensioned at a section (`preload: [{section: ...}]`): closed forms, steps, replay, sweeps, refusals, and CalculiX on
the same nodes, where ccx is installed.
"""
import os
import shutil
import subprocess
import sys
import tempfile

import numpy

from support import Mesh, execute, expect, finish, read_frames, read_medit, rows, run, write, write_medit

program = sys.argv[1]

BOLT = """mesh: bolt.mesh
elements: ELEMENTS
material: {young: 200, poisson: POISSON}
sets:
  low: {plane: {point: [0, 0, 0], normal: z}}
  high: {plane: {point: [0, 0, 4], normal: z}}
constraints: [{set: low, displacement: [0, 0, 0]}, {set: high, displacement: [0, 0, 0]}]
preload: [{section: {point: [0.5, 0.5, 2.07], normal: z, name: cut}, PRELOAD}]
"""


def solve(folder, name, extra, case, status=0):
    write(folder, name + ".yaml", case + extra)
    done = execute(program, "run", name + ".yaml", "-o", name, "--device", "host", folder=folder)
    expect(done.returncode == status, f"{name}: exit status {done.returncode}: {done.stderr}")
    return done.stdout + done.stderr


def make_bolt(folder):
    """A column whose inner vertices are not in planes, so that its section is none either, beside another one."""
    run(program, "shape", "box", "--size", "1,1,4", "--cells", "2,2,8", "-o", "bolt.mesh", folder=folder)
    mesh = read_medit(os.path.join(folder, "bolt.mesh"))
    moved, random = mesh.points.copy(), numpy.random.default_rng(3)
    inner = (moved[:, 2] > 0.2) & (moved[:, 2] < 3.8)
    moved[inner, 2] += random.uniform(-0.12, 0.12, inner.sum())
    for c in (0, 1):
        free = inner & (mesh.points[:, c] > 0.1) & (mesh.points[:, c] < 0.9)
        moved[free, c] += random.uniform(-0.1, 0.1, free.sum())
    write_medit(os.path.join(folder, "bolt.mesh"), Mesh(numpy.concatenate((moved, moved + (2, 0, 0))),
                                                        numpy.concatenate((mesh.tets, mesh.tets + len(moved)))))


def check_section(folder):
    """Bolts that are whole in their mesh and parted by the case, along faces that lie in no plane: F L / E A and E A s / L, of a force that is locked, one
    that stays and a shortening, also after the sides are refined, replayed and tightened again; the column beside stays whole; what is refused."""
    make_bolt(folder)
    steps = ("steps:\n  - {name: tighten, static: {}}\n  - {name: work, static: {}, constraints: [{set: low, displacement: [0, 0, 0]}, "
             "{set: high, displacement: [0, 0, 0.04]}]}\n  - {name: finer, edit: [{refine: {longer_than: 0.6}}], static: {}}\n"
             "  - {name: again, reset: true, static: {}}\n")
    for elements in ("linear", "quadratic"):
        case = BOLT.replace("ELEMENTS", elements).replace("POISSON", "0")
        for preload, expected in (("force: 4", ((4, 0.08), (6, 0.08), (4, 0.08), (4, 0.08))),
                                  ("force: 4, locked: false", ((4, 0.08), (4, 0.04), (4, 0.08), (4, 0.08))),
                                  ("shortening: 0.02", ((1, 0.02), (3, 0.02), (1, 0.02), (1, 0.02)))):
            solve(folder, "whole", steps, case=case.replace("PRELOAD", preload))
            found = [row for row in rows(os.path.join(folder, "whole.sets.csv")) if row["set"] == "cut"]
            expect(len(found) == 4, f"{len(found)} rows of the section")
            for row, (force, shortening) in zip(found, expected):
                near = abs(float(row["preload_force"]) - force) < 1e-6 and abs(float(row["shortening"]) - shortening) < 1e-8
                expect(near and abs(float(row["tie_force_z"]) - force) < 1e-6 and abs(float(row["tie_force_x"])) < 1e-6,
                       f"{elements}, {preload}, {row['step']}: {row['preload_force']} {row['shortening']}")
                expect(float(row["area"]) > 1.04, f"the section is no plane: {row['area']}")
        still = read_frames(os.path.join(folder, "whole.vtkhdf"))[0]
        beside = abs(still["PointData/displacement"][still["Points"][:, 0] > 1.5]).max()
        expect(beside < 1e-12, f"the column beside moves by {beside}")
        expect(execute(program, "replay", "whole.vtkhdf", folder=folder).returncode == 0, "a replay of a bolt that is parted")
    case = case.replace("PRELOAD", "force: 4")
    sweep = "sweep: {list: [{f: 4}, {f: 8}, {f: 4}], start: START}\n"
    for start in ("fresh", "warm"):
        solve(folder, "again", sweep.replace("START", start), case="parameters: {f: 4}\n" + case.replace("force: 4", "force: f"))
        found = [float(row["shortening"]) for row in rows(os.path.join(folder, "again.sets.csv")) if row["set"] == "cut"]
        expect(numpy.allclose(found, [0.08, 0.16, 0.08], rtol=1e-7), f"{start}: {found}")
    for change, words in ((("2.07]", "9]"), "has no tets on both sides"), (("name: cut", "name: low"), "there is a set 'low' already"),
                          (("name: cut", "set: {box: [[0, 0, 0], [0.6, 1, 4]]}"), "joined round the edge of the section by tets out of the set"),
                          (("name: cut}", "name: cut}, slave: low, master: high"), "a preload has a section"),
                          (("normal: z, name", "normal: [0, 0, 0], name"), "normal")):
        text = solve(folder, "bad", "", case=case.replace(*change), status=2)
        expect("bad.yaml:8: " in text and words in text, text)


def check_axis(folder):
    """The same column, which an edit parts into sides with names, pulled along its own axis, whatever the mean normal of the faces is."""
    make_bolt(folder)
    case = """mesh: parted.mesh
elements: linear
material: {young: 200, poisson: 0}
sets:
  low: {plane: {point: [0, 0, 0], normal: z}}
  high: {plane: {point: [0, 0, 4], normal: z}}
  near: {subtract: [{ids: NEAR, of: faces}, WALLS]}
  far: {subtract: [{ids: FAR, of: faces}, WALLS]}
constraints: [{set: low, displacement: [0, 0, 0]}, {set: high, displacement: [0, 0, 0]}]
preload: [{slave: near, master: far, axis: AXIS, PRELOAD}]
"""
    walls = ", ".join("{plane: {point: [%d, %d, 0], normal: %s}, of: faces}" % (k, k, axis) for k in (0, 1) for axis in "xy")
    n = len(read_medit(os.path.join(folder, "bolt.mesh")).points)
    run(program, "split", "bolt.mesh", "--plane", "0.5,0.5,2.07,0,0,1", "-o", "parted.mesh", folder=folder)
    points = read_medit(os.path.join(folder, "parted.mesh")).points
    near = [int(numpy.flatnonzero((points[:n] == x).all(axis=1))[0]) for x in points[n:]]
    for word, text in (("NEAR", str(near)), ("FAR", str(list(range(n, len(points))))), ("WALLS", walls)):
        case = case.replace(word, text)
    for axis in ("z", "[0, 0, -3]"):
        for preload in ("force: 4", "shortening: 0.08"):
            solve(folder, "parted", "", case.replace("AXIS", axis).replace("PRELOAD", preload))
            found = [row for row in rows(os.path.join(folder, "parted.sets.csv")) if row["set"] == "near"]
            expect(abs(float(found[0]["preload_force"]) - 4) < 1e-6 and abs(float(found[0]["shortening"]) - 0.08) < 1e-8, f"{axis}, {preload}: {found}")
    for preload in ("force: 4", "shortening: 0.08"):
        text = solve(folder, "parted", "", case.replace("AXIS", "x").replace("PRELOAD", preload), status=2)
        expect("its axis lies in the faces of 'near'" in text, text)
    turned = "steps: [{name: tighten, static: {}}, {name: turned, edit: [{rotate: {axis: x, angle: 90}}], static: {}}]\n"
    text = solve(folder, "turned", turned, case=BOLT.replace("ELEMENTS", "linear").replace("POISSON", "0").replace("PRELOAD", "force: 4"), status=2)
    expect("step 'turned': a preload: its axis lies in the faces of 'cut'" in text, text)


def write_bolt_deck(folder, ten, force):
    """The first column with the nodes of its section doubled and the equations that *PRE-TENSION SECTION stands for. The nodes of each vertex."""
    mesh = read_medit(os.path.join(folder, "bolt.mesh"))
    n = len(mesh.points) // 2
    points, tets = mesh.points[:n], mesh.tets[mesh.tets[:, 0] < n].copy()
    if ten:
        ends = numpy.sort(tets[:, [[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]]], axis=-1).reshape(-1, 2)
        edges, place = numpy.unique(ends, axis=0, return_inverse=True)
        tets = numpy.hstack((tets, n + place.reshape(-1, 6)))
        points = numpy.concatenate((points, points[edges].mean(axis=1)))
    beyond = points[tets[:, :4]].mean(axis=1)[:, 2] > 2.07
    both = numpy.intersect1d(tets[beyond], tets[~beyond])
    double = numpy.arange(len(points))
    double[both] = len(points) + numpy.arange(len(both))
    tets[beyond] = double[tets[beyond]]
    points = numpy.concatenate((points, points[both]))
    lines = ["*NODE, NSET=ALL"] + ["%d, %.15g, %.15g, %.15g" % (k + 1, *x) for k, x in enumerate(points)] + ["*NODE", "90000, 9., 9., 9."]
    lines += ["*ELEMENT, TYPE=C3D%d, ELSET=E" % (10 if ten else 4)] + ["%d, " % (k + 1) + ", ".join(map(str, tet + 1)) for k, tet in enumerate(tets)]
    lines += ["*MATERIAL, NAME=m", "*ELASTIC", "200., 0.3", "*SOLID SECTION, ELSET=E, MATERIAL=m"]
    for k in both:
        lines += ["*EQUATION", "3", "%d, 3, -1., %d, 3, 1., 90000, 3, -1." % (double[k] + 1, k + 1)]
        lines += [line for c in (1, 2) for line in ("*EQUATION", "2", "%d, %d, 1., %d, %d, -1." % (double[k] + 1, c, k + 1, c))]
    lines += ["*BOUNDARY"] + ["%d, 1, 3" % (k + 1) for k in numpy.flatnonzero((points[:, 2] == 0) | (points[:, 2] == 4))]
    write(folder, "deck.inp", "\n".join(lines + ["*STEP", "*STATIC", "*CLOAD", "90000, 3, %g" % force, "*NODE PRINT, NSET=ALL", "U", "*END STEP", ""]))
    return n, double[:n]


def check_calculix(folder):
    """The same column between walls that hold it, with lateral contraction, beside CalculiX on the same nodes: displacements to the digits that it prints."""
    if not shutil.which("ccx"):
        return
    make_bolt(folder)
    for ten in (False, True):
        n, double = write_bolt_deck(folder, ten, 4.0)
        subprocess.run(["ccx", "deck"], cwd=folder, check=True, capture_output=True)
        there = numpy.array([line.split() for line in open(os.path.join(folder, "deck.dat"), encoding="utf-8") if len(line.split()) == 4
                             and line.split()[0].isdigit()], float)[:, 1:]
        solve(folder, "here", "", case=BOLT.replace("ELEMENTS", "quadratic" if ten else "linear").replace("POISSON", "0.3").replace("PRELOAD", "force: 4"))
        frame = read_frames(os.path.join(folder, "here.vtkhdf"))[-1]
        here, place = frame["PointData/displacement"], frame["Points"]
        want = numpy.concatenate((there[:n], there[double[double >= n]]))
        mesh = read_medit(os.path.join(folder, "bolt.mesh"))
        at = numpy.concatenate((mesh.points[:n], mesh.points[:n][double >= n]))
        off = 0.0
        for x, u in zip(at, want):
            off = max(off, abs(here[abs(place - x).max(axis=1) < 1e-9] - u).max(axis=1).min())
        print(f"a bolt parted at a section beside CalculiX, {'quadratic' if ten else 'linear'}: {off / abs(want).max():.1e} of the largest displacement")
        expect(off < 2e-6 * abs(want).max(), f"{off} of {abs(want).max()}")


with tempfile.TemporaryDirectory() as scratch:
    check_section(scratch)
    check_axis(scratch)
    check_calculix(scratch)
sys.exit(finish("check_bolts"))
