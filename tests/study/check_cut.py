"""Cuts along surface files, by command and by case: the same mesh, the volume that the surface encloses,
sets of the new faces, and what is refused in one line. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import csv
import os
import re
import sys
import tempfile

import numpy
from support import Mesh, execute, expect, finish, read_frames, read_medit, run, write, write_off

program, source = sys.argv[1], sys.argv[2]

CASE = """mesh: part.mesh
elements: linear
material: {young: 1e6, poisson: 0.3}
sets:
  low: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
constraints:
  - {set: low, displacement: [0, 0, 0]}
steps:
  - name: cut
    edit:
      - cut: {surface: hole.stl, name: hole}
    loads: [{set: hole, pressure: 100}]
    static: {}
"""

CORNERS = numpy.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], float)
QUADS = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
TRIANGLES = [t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))]


def write_stl(folder, name, points, triangles):
    text = ["solid hole"]
    for t in triangles:
        text += ["facet normal 0 0 0", "outer loop"]
        text += ["vertex %.17g %.17g %.17g" % tuple(points[v]) for v in t]
        text += ["endloop", "endfacet"]
    write(folder, name, "\n".join(text + ["endsolid hole", ""]))


def write_obj(folder, name, points, triangles):
    lines = ["v %.17g %.17g %.17g" % tuple(p) for p in points]
    lines += ["f %d %d %d" % tuple(v + 1 for v in t) for t in triangles]
    write(folder, name, "\n".join(lines + [""]))


def box(low, high):
    return numpy.array(low) + CORNERS * (numpy.array(high) - numpy.array(low))


def check_command(folder):
    for name in ("hole.stl", "hole.obj"):
        for keep, volume in (("outside", 2.0 - 0.6 * 0.45 * 0.5), ("inside", 0.6 * 0.45 * 0.5), ("both", 2.0)):
            run(program, "cut", "part.mesh", "--surface", name, "--keep", keep, "-o", "out.mesh", folder=folder)
            mesh = read_medit(os.path.join(folder, "out.mesh"))
            expect(abs(mesh.volumes().sum() - volume) < 1e-12, f"{name}, {keep}: {mesh.volumes().sum()}")


def check_case(folder):
    write(folder, "case.yaml", CASE)
    out = run(program, "run", "case.yaml", "-o", "done", "--verbose", folder=folder)
    run(program, "cut", "part.mesh", "--surface", "hole.stl", "-o", "out.mesh", folder=folder)
    frame = read_frames(os.path.join(folder, "done.vtkhdf"))[-1]
    mesh = read_medit(os.path.join(folder, "out.mesh"))
    volume = Mesh(frame["Points"], frame["Tets"]).volumes().sum()
    expect(len(frame["Tets"]) == len(mesh.tets), f"case and command: {len(frame['Tets'])}, {len(mesh.tets)} tets")
    expect(abs(volume - mesh.volumes().sum()) < 1e-12, f"volume of the case's mesh: {volume}")
    expect(out is not None and "hole" in out, f"the case: {out}")
    with open(os.path.join(folder, "done.sets.csv"), encoding="utf-8", newline="") as file:
        row = {row["set"]: row for row in csv.DictReader(file)}.get("hole")
    expect(row and abs(float(row["area"]) - 2 * (0.6 * 0.45 + 0.6 * 0.5 + 0.45 * 0.5)) < 1e-9 and
           float(row["max_von_mises"]) >= float(row["mean_von_mises"]) > 0, f"the row of the set that a cut names: {row}")
    expect("CellData/set_hole" in frame and out.count("\n    hole  ") == 1, "the mask and the line of that set")
    write(folder, "later.yaml", CASE.replace("name: hole}\n", "name: hole}\n      - move: {set: hole, by: [0.01, 0, 0]}\n"))
    run(program, "run", "later.yaml", "-o", "later", folder=folder)
    run(program, "replay", "later.vtkhdf", "-o", "later-2", folder=folder)
    with open(os.path.join(folder, "later.sets.csv"), encoding="utf-8", newline="") as file:
        moved = {row["set"]: row for row in csv.DictReader(file)}.get("hole")
    expect(moved and abs(float(moved["centroid_x"]) - float(row["centroid_x"]) - 0.01) < 1e-12,
           f"a later edit of the step moves the faces that the cut names: {moved}")


def check_remarks(folder):
    """A coarse radius and a surface that looks inwards are told of, by command, case and replay."""
    out = run(program, "cut", "part.mesh", "--sphere", "1,0.5,0.5,0.3", "-o", "out.mesh", folder=folder)
    expect("warning: cut: the radius is" in out, out)
    out = run(program, "cut", "part.mesh", "--surface", "hole.obj", "-o", "out.mesh", folder=folder)
    expect("looked inwards; it was turned" in out, out)
    write(folder, "remark.yaml", CASE.replace("hole.stl", "hole.obj"))
    for words in (["run", "remark.yaml", "-o", "remark"], ["replay", "remark.vtkhdf", "-o", "remark-2"]):
        out = run(program, *words, folder=folder)
        expect(out is not None and out.count("looked inwards") == 1, f"{words}: {out}")


def check_regions(folder):
    """What lies inside a cut has a material of its own: a soft core gives way."""
    case = CASE.replace("{surface: hole.stl, name: hole}", "{surface: hole.stl, keep: both, region: 7}")
    case = case.replace("{set: hole, pressure: 100}", "{gravity: [0, 0, -10]}")
    most = []
    for young in ("1e6", "1e3"):
        write(folder, "region.yaml", case.replace(
            "{young: 1e6, poisson: 0.3}", "[{region: 1, young: 1e6, poisson: 0.3, density: 1}, "
            "{region: 7, young: %s, poisson: 0.3, density: 1}]" % young))
        run(program, "run", "region.yaml", "-o", "region", folder=folder)
        frame = read_frames(os.path.join(folder, "region.vtkhdf"))[-1]
        mesh = Mesh(frame["Points"], frame["Tets"])
        volume = mesh.volumes()[frame["CellData/region"] == 7].sum()
        expect(abs(volume - 0.6 * 0.45 * 0.5) < 1e-12, f"volume of the region: {volume}")
        most.append(numpy.abs(frame["PointData/displacement"]).max())
    expect(most[1] > 1.05 * most[0], f"a soft core: {most}")
    done = execute(program, "cut", "part.mesh", "--surface", "hole.stl", "--region", "7", "-o", "x.mesh", folder=folder)
    expect(done.returncode == 2 and "--region goes with --keep both or open" in done.stderr, done.stderr)
    write(folder, "wrong.yaml", CASE.replace("0.3}", "0.3, region: 8}").replace("name: hole", "name: hole, keep: both, region: 7").replace("{set: hole, pressure: 100}", "{gravity: [0, 0, 1]}"))
    done = execute(program, "run", "wrong.yaml", "-o", "wrong", folder=folder)
    expect(done.returncode == 2 and "no region 8" in done.stderr, done.stderr)


def check_sweeps(folder):
    """Slits and surface files are cut again in each combination, though the sweep goes on."""
    for cut in ("{plane: {point: [at, 0, 0], normal: x}, keep: open, within: {low: [-1, -1, 0.5], high: [9, 9, 9]}}",
                "{surface: hole.stl, angle: 40 + at}"):
        case = CASE.replace("{surface: hole.stl, name: hole}", cut).replace("{set: hole, pressure: 100}", "{gravity: [0, 0, -1]}")
        case = case.replace("0.3}", "0.3, density: 1}")
        write(folder, "sweep.yaml", case + "parameters: {at: 1}\nsweep: {start: continue, grid: {at: [0.9, 1.1]}}\n")
        run(program, "run", "sweep.yaml", "-o", "sweep", folder=folder)
        for at, frame in zip(("0.9", "1.1"), read_frames(os.path.join(folder, "sweep.vtkhdf"))):
            write(folder, "one.yaml", case.replace("steps:", "parameters: {at: %s}\nsteps:" % at))
            run(program, "run", "one.yaml", "-o", "one", folder=folder)
            one = read_frames(os.path.join(folder, "one.vtkhdf"))[0]
            expect(frame["Points"].shape == one["Points"].shape and (frame["Points"] == one["Points"]).all(),
                   f"{cut} at {at} is not the cut of a run of its own")


def check_refused(folder):
    points = box([0.5, 0.2, 0.3], [1.1, 0.65, 0.8])
    write_stl(folder, "open.stl", points, TRIANGLES[1:])
    write_stl(folder, "cross.stl", numpy.concatenate([points, points + 0.1]),
              TRIANGLES + [tuple(v + 8 for v in t) for t in TRIANGLES])
    write(folder, "empty.stl", "")
    write(folder, "text.stl", "solid x\nfacet\n")
    for name, words in (("open.stl", "surface is open"), ("cross.stl", "meets itself"), ("none.stl", "none.stl"),
                        ("empty.stl", "empty.stl"), ("text.stl", "text.stl"), ("part.xyz", "part.xyz")):
        done = execute(program, "cut", "part.mesh", "--surface", name, "-o", "wrong.mesh", folder=folder)
        expect(done.returncode in (1, 2) and words in done.stderr and f" {name}" in done.stderr and
               done.stderr.count("\n") == 1, f"{name}: {done.returncode} {done.stderr}")
        write(folder, "wrong.yaml", CASE.replace("hole.stl", name))
        done = execute(program, "run", "wrong.yaml", "-o", "wrong", folder=folder)
        expect(done.returncode in (1, 2) and words in done.stderr and name in done.stderr,
               f"case with {name}: {done.stderr}")
    for keys, words in (("{surface: hole.stl, plane: {point: [0, 0, 0], normal: x}}", "one, and only one"),
                        ("{surface: hole.stl, angle: 0}", "angle is 0"), ("{surface: hole.stl, angle: 181}", "angle is 181"),
                        ("{plane: {point: [1, 0, 0], normal: x}, angle: 30}", "angle goes with surface"),
                        ("{surface: 3, angel: 30}", "angle"), ("{surface: }", "surface"),
                        ("{surface: [a, b]}", "surface")):
        write(folder, "wrong.yaml", CASE.replace("{surface: hole.stl, name: hole}", keys))
        done = execute(program, "run", "wrong.yaml", "-o", "wrong", folder=folder)
        expect(done.returncode == 2 and words in done.stderr, f"{keys}: {done.returncode} {done.stderr}")


CURVED = """mesh: round.inp
material: {young: 210e9, poisson: 0.3}
sets:
  outer: {surface: 5}
  top: {surface: 2}
constraints:
  - {set: outer, displacement: [0, 0, 0]}
steps:
  - name: cut
    edit:
      - cut: {plane: {point: [at, 0, 0.1], normal: [1, 0.3, 0.2]}, keep: outside, name: flank}
    loads: [{set: top, pressure: 1e6}]
    static: {}
"""


def check_curved(folder):
    """Tets of ten nodes with curved sides: a deck's mesh, a run, its replay, a sweep, a surface file."""
    run(program, "convert", os.path.join(source, "datasets", "le10-curved.msh"), "round.inp", folder=folder)
    for at in ("0.9", "1.1"):
        write(folder, "curved.yaml", CURVED.replace("steps:", "parameters: {at: %s}\nsteps:" % at))
        out = run(program, "run", "curved.yaml", "-o", "at-" + at, folder=folder)
        expect(out is not None and "flank" in out, f"a curved mesh: {out}")
        out = run(program, "replay", f"at-{at}.vtkhdf", "-o", "at-again", folder=folder)
        expect(out is not None and "has the same bits" in out, f"its replay: {out}")
    write(folder, "curved.yaml", CURVED + "parameters: {at: 1}\nsweep: {start: continue, grid: {at: [0.9, 1.1]}}\n")
    run(program, "run", "curved.yaml", "-o", "curved", folder=folder)
    for at, frame in zip(("0.9", "1.1"), read_frames(os.path.join(folder, "curved.vtkhdf"))):
        one = read_frames(os.path.join(folder, f"at-{at}.vtkhdf"))[0]
        expect(frame["Points"].shape == one["Points"].shape and (frame["Points"] == one["Points"]).all(),
               f"at {at} is not the cut of a run of its own")
    cut = run(program, "cut", "round.inp", "--surface", "ball.off", "-o", "x.msh", folder=folder)
    volumes = re.search(r"volume (\S+) -> (\S+),", cut or "")
    expect(volumes and abs(float(volumes[1]) - float(volumes[2]) - 0.18) < 2e-5, f"a box out of a curved body: {cut}")


def check_resume(folder):
    """A run does not go on with another surface than it began with."""
    fails = "  - {name: fails, loads: [{gravity: [0, -10, 0]}], static: {max_iterations: 1}}\n"
    write(folder, "fails.yaml", CASE.replace("0.3}", "0.3, density: 1}") + fails)
    execute(program, "run", "fails.yaml", "-o", "again", folder=folder)
    same = execute(program, "run", "fails.yaml", "-o", "again", "--resume", folder=folder)
    expect("resumed: 1 of 2" in same.stdout, f"the same surface: {same.stdout[:300]} {same.stderr}")
    write_stl(folder, "hole.stl", box([0.5, 0.2, 0.3], [1.1, 0.65, 0.81]), TRIANGLES)
    done = execute(program, "run", "fails.yaml", "-o", "again", "--resume", folder=folder)
    expect(done.returncode == 2 and "the file of an edit is not what it was" in done.stderr, f"another: {done.stderr}")


with tempfile.TemporaryDirectory() as folder:
    run(program, "shape", "box", "--size", "2,1,1", "--cells", "14,7,7", "-o", "part.mesh", folder=folder)
    write_stl(folder, "hole.stl", box([0.5, 0.2, 0.3], [1.1, 0.65, 0.8]), TRIANGLES)
    write_obj(folder, "hole.obj", box([0.5, 0.2, 0.3], [1.1, 0.65, 0.8]), [t[::-1] for t in TRIANGLES])
    check_command(folder)
    check_case(folder)
    check_remarks(folder)
    check_regions(folder)
    check_sweeps(folder)
    check_refused(folder)
    write_off(os.path.join(folder, "ball.off"), box([1.9, 0.9, -0.3], [2.5, 1.4, 0.9]), TRIANGLES)
    check_curved(folder)
    check_resume(folder)
sys.exit(finish("cuts"))
