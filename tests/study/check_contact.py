#!/usr/bin/python3
"""check_contact.py PROGRAM SOURCE_DIR BUILD_DIR

Contact and ties in cases: a block that stands on another one, by sets and as all parts; numbers of steps and sets, fields, warnings; friction; a step after
an edit; another unit of length, where powers of two change no bit.

Longer than 500 lines because most of its functions solve the same two blocks.
"""
import os
import sys
import tempfile

import numpy

from support import Mesh, execute, expect, finish, read_frames, read_medit, rows, run, write, write_medit

program = sys.argv[1]

CASE = """mesh: two.mesh
elements: linear
material: {young: 200, poisson: 0.3, density: 1}
sets:
  x: {plane: {point: [0, 0, 0], normal: x}}
  y: {plane: {point: [0, 0, 0], normal: y}}
  z: {plane: {point: [0, 0, 0], normal: z}}
  top: {side: {point: [0, 0, TOP], normal: [0, 0, 1]}}
  lower: {region: 1, of: vertices}
  upper: {region: 2, of: vertices}
  low: {intersect: [lower, {side: {point: [0, 0, LOW], normal: [0, 0, 1]}}]}
  up: {intersect: [upper, {side: {point: [0, 0, UP], normal: [0, 0, -1]}}]}
constraints:
  - {set: x, displacement: [0, ~, ~]}
  - {set: y, displacement: [~, 0, ~]}
  - {set: z, displacement: [~, ~, 0]}
loads: [{set: top, pressure: 2}]
"""


def make_mesh(folder, scale=1.0, gap=0.0):
    """Blocks 1 x 1 x 1/2 of 3 and 4 cells a side, regions 1 and 2."""
    points, tets, region = [], [], []
    for number, (cells, lift) in enumerate(((3, 0.0), (4, 0.5 + gap))):
        run(program, "shape", "box", "--size", "1,1,0.5", "--cells", f"{cells},{cells},2", "-o", "part.mesh", folder=folder)
        part = read_medit(os.path.join(folder, "part.mesh"))
        tets.append(part.tets + sum(map(len, points)))
        points.append((part.points + (0, 0, lift)) * scale)
        region.append(numpy.full(len(part.tets), number + 1))
    write_medit(os.path.join(folder, "two.mesh"), Mesh(*map(numpy.concatenate, (points, tets, region))))


def solve(folder, name, extra, scale=1.0, gap=0.0, status=0, pressure=2, case=CASE):
    case = case.replace("pressure: 2", f"pressure: {pressure}")
    for word, z in (("TOP", 0.99 + gap), ("LOW", 0.49), ("UP", 0.51 + gap)):
        case = case.replace(word, repr(z * scale))
    write(folder, name + ".yaml", case + extra)
    done = execute(program, "run", name + ".yaml", "-o", name, "--device", "host", folder=folder)
    expect(status is None or done.returncode == status, f"{name}: exit status {done.returncode}: {done.stderr}")
    return done.stdout + done.stderr


def check_numbers(folder):
    text = solve(folder, "all", "contact: all\n")
    expect("  contact      25 points closed" in text or "  contact      16 points closed" in text, text)
    expect("smallest gap 0\n" in text and "  equations  " not in text, text)
    frame = read_frames(os.path.join(folder, "all.vtkhdf"))[-1]
    numbers = frame["numbers"]
    for name, value in (("contact_force", 2), ("contact_area", 1), ("contact_pressure", 2), ("contact_gap", 0)):
        expect(abs(numbers[name] - value) < 1e-6, f"{name}: {numbers[name]}")
    status = frame["PointData/contact_status"]
    expect(set(status) == {0, 2} and (status == 2).sum() == numbers["contact_closed"], f"{status}")
    expect(numpy.allclose(frame["PointData/contact_pressure"][status == 2], 2, rtol=1e-6), "the pressure is uniform")
    of = {row["set"]: row for row in rows(os.path.join(folder, "all.sets.csv"))}
    for name, force in (("up", 2), ("low", -2), ("upper", 2), ("lower", -2)):
        expect(abs(float(of[name]["contact_force_z"]) - force) < 1e-6 and abs(float(of[name]["contact_area"]) - 1) < 1e-6 and
               abs(float(of[name]["contact_pressure"]) - 2) < 1e-6, f"all parts, {name}: {of[name]}")
    expect(of["top"]["contact_force_z"] == "", "a set that no other part touches")
    solve(folder, "pair", "contact: [{slave: up, master: low}]\n")
    of = {row["set"]: row for row in rows(os.path.join(folder, "pair.sets.csv"))}
    for name, force in (("up", 2), ("low", -2)):
        expect(abs(float(of[name]["contact_force_z"]) - force) < 1e-6, f"{name}: {of[name]}")
    expect(of["top"]["contact_force_z"] == "", "a set that is no side")
    solve(folder, "among", "contact: [{among: both}]\n", case=CASE.replace("constraints:", "  both: {union: [low, up]}\nconstraints:"))
    of = {row["set"]: row for row in rows(os.path.join(folder, "among.sets.csv"))}["both"]
    expect(abs(float(of["contact_area"]) - 1) < 1e-6 and of["contact_force_z"] == "", f"faces that meet one another have no other side: {of}")


def check_motion(folder):
    """The upper block falls onto the lower one: it touches at the root of 2 h, and no energy is made."""
    make_mesh(folder, gap=0.05)
    solve(folder, "fall", "contact: all\nsteps:\n  - loads: [{gravity: [0, 0, -1]}]\n"
          "    dynamic: {scheme: newmark, step: 0.01, end: 0.4, output: {every: 1}}\n", gap=0.05, pressure=0)
    steps = [frame["numbers"] for frame in read_frames(os.path.join(folder, "fall.vtkhdf"))]
    touch = next(index for index, numbers in enumerate(steps) if numbers.get("contact_force", 0) > 0)
    expect(abs(0.01 * touch - 0.1**0.5) < 0.02 and 0 < steps[touch]["contact_pressure"] < 200, f"{touch}: {steps[touch]}")
    expect(all(numbers["energy_balance"] < 1e-9 for numbers in steps[1:]), "a step has made energy")
    make_mesh(folder)


def check_steps(folder):
    """A corner of the upper block goes: the pressure below is another, the force is not."""
    text = solve(folder, "cut", "contact: all\nsteps:\n  - {name: whole, static: {}}\n"
                 "  - {name: cut, edit: [{remove: {box: [[0.6, 0.6, 0.45], [1.1, 1.1, 0.8]]}}], static: {}}\n")
    frames = read_frames(os.path.join(folder, "cut.vtkhdf"))
    expect(abs(frames[1]["numbers"]["contact_force"] - 2) < 1e-6, f"{frames[1]['numbers']}")
    expect(frames[1]["numbers"]["contact_pressure"] > 2.1, text)


def check_modes(folder):
    """Modes and a response about closed points, which records count: with friction, which sticks, those of parts that are tied."""
    clamp = CASE.replace("{set: z, displacement: [~, ~, 0]}", "{set: z, displacement: [0, 0, 0]}").replace("  - {set: x, displacement: [0, ~, ~]}\n", "") \
        .replace("  - {set: y, displacement: [~, 0, ~]}\n", "")
    steps = ("steps:\n  - {name: press, static: {}}\n  - {name: modes, modes: {count: 3}}\n"
             "  - {name: shake, harmonic: {modes: 3, damping: 2 %, frequencies: [0.7]}}\n")
    found = []
    for name, how in (("stuck", "contact: [{friction: 10}]\n"), ("tied", "ties: [{slave: up, master: low}]\n")):
        text = solve(folder, name, how + steps, case=clamp, status=None)
        if "this build has no" in text:
            return
        frames = read_frames(os.path.join(folder, name + ".vtkhdf"))
        found.append([frame["numbers"]["frequency"] for frame in frames[1:4]] + [abs(frames[4]["PointData/displacement"]).max()])
        if name == "stuck":
            expect(all(frame["numbers"]["contact_closed"] == 25 for frame in frames), text)
            expect(all("contact_force" not in frame["numbers"] for frame in frames[1:]), f"{frames[1]['numbers']}")
    expect(numpy.allclose(found[0], found[1], rtol=1e-5), f"stuck and tied: {found}")


def check_error(folder):
    """A pressure that passes is no error. Under a round block error is refined away, by `refine` and by `converge`."""
    solve(folder, "flat", "contact: all\n")
    frame = read_frames(os.path.join(folder, "flat.vtkhdf"))[0]["numbers"]
    expect(frame["error_share"] < 1e-6, f"{frame}")
    mesh = read_medit(os.path.join(folder, "two.mesh"))
    upper = numpy.unique(mesh.tets[mesh.region == 2])
    x = mesh.points[upper]
    mesh.points[upper, 2] += 0.1 * x[:, 0] ** 2 * (1 - x[:, 2]) / 0.5
    write_medit(os.path.join(folder, "two.mesh"), mesh)
    case = CASE.replace("loads: [{set: top, pressure: 2}]", "  - {set: top, displacement: [~, ~, -0.03]}")
    estimate, force = [], []
    for name, how in (("coarse", "steps: [{static: {}}]\n"), ("refined", "steps: [{edit: [{refine: {by: error, until: 22 %, max_tets: 20000}}], static: {}}]\n"),
                      ("converged", "steps: [{static: {}, converge: {peak: strain_energy, until: 3 %, max_tets: 20000}}]\n")):
        solve(folder, name, "contact: all\n" + how, case=case)
        numbers = read_frames(os.path.join(folder, name + ".vtkhdf"))[-1]["numbers"]
        estimate.append(numbers["error_share"])
        force.append(numbers["contact_force"])
    expect(estimate[0] > 0.25 and estimate[1] < 0.22 and estimate[2] < estimate[0], f"{estimate}")
    expect(abs(force[1] / force[2] - 1) < 0.05, f"{force}")
    make_mesh(folder)


HALVES = """mesh: MESH
elements: ELEMENTS
material: {young: 200, poisson: 0.3}
sets:
  x: {plane: {point: [0, 0, 0], normal: x}}
  y: {plane: {point: [0, 0, 0], normal: y}}
  corner: {box: [[-1, -1, -1], [0.51, 0.51, 2]], of: faces}
  end: {intersect: [{plane: {point: [0, 0, 0], normal: z}, of: faces}, corner]}
  top: {intersect: [{plane: {point: [0, 0, 1], normal: z}, of: faces}, corner]}
constraints: [{set: x, displacement: [0, ~, ~]}, {set: y, displacement: [~, 0, ~]}, {set: end, displacement: [~, ~, 0]}]
loads: [{set: top, pressure: 2}]
"""


def check_error_of_halves(folder):
    """A block that a corner of its ends presses, whole and as two halves with vertices of their own that touch, which changes little: the estimated error,
    in which forces of contact are no residual, is that of the whole block but for what the halves recover by themselves next to where they touch."""
    run(program, "shape", "box", "--size", "1,1,1", "--cells", "4,4,4", "-o", "whole.mesh", folder=folder)
    whole = read_medit(os.path.join(folder, "whole.mesh"))
    is_upper = whole.points[whole.tets][:, :, 2].mean(axis=1) > 0.5
    used, tets = numpy.unique(whole.tets + len(whole.points) * is_upper[:, None], return_inverse=True)
    write_medit(os.path.join(folder, "halves.mesh"), Mesh(numpy.concatenate((whole.points, whole.points))[used], tets.reshape(-1, 4), numpy.where(is_upper, 2, 1)))
    for elements in ("linear", "quadratic"):
        share = []
        for mesh, contact in (("whole", ""), ("halves", "contact: all\n"), ("halves", "contact: [{friction: 10}]\n")):
            solve(folder, "halves", contact, case=HALVES.replace("MESH", mesh + ".mesh").replace("ELEMENTS", elements))
            share.append(read_frames(os.path.join(folder, "halves.vtkhdf"))[-1]["numbers"]["error_share"])
        expect(all(abs(one / share[0] - 1) < 0.1 for one in share[1:]), f"{elements}: {share}")


def check_ties(folder):
    """What contact lets go ties keep: numbers of steps and sets, a step after an edit, modes, what is not tied."""
    ties = ("ties: [{slave: up, master: low}]\nsteps:\n  - {name: whole, static: {}}\n"
            "  - {name: cut, edit: [{remove: {box: [[0.6, 0.6, 0.45], [1.1, 1.1, 0.8]]}}], static: {}}\n")
    text = solve(folder, "tie", ties + "  - {name: modes, modes: {count: 2}}\n", pressure=-2, status=None)
    if "this build has no" in text:
        text = solve(folder, "tie", ties, pressure=-2)
    expect("  ties         25 vertices of slaves tied, 0 not, gap 0 at most" in text, text)
    frames = read_frames(os.path.join(folder, "tie.vtkhdf"))
    expect(numpy.allclose(frames[0]["CellData/stress"][:, 2], 2, rtol=1e-6), "the stress is uniform")
    for name, value in (("tied", 25), ("untied", 0), ("tie_gap", 0)):
        expect(abs(frames[0]["numbers"][name] - value) < 1e-12, f"{name}: {frames[0]['numbers']}")
    of = {row["set"]: row for row in rows(os.path.join(folder, "tie.sets.csv")) if row["step"] == "cut"}
    for name, force in (("up", -2), ("low", 2)):
        expect(abs(float(of[name]["tie_force_z"]) - force) < 1e-5, f"{name}: {of[name]}")
    expect(of["top"]["tie_force_z"] == "", "a set that is no side")
    found = []
    for start in ("fresh", "warm"):  # the answer without ties is in balance as long as nothing is tied
        solve(folder, start, "parameters: {h: 0.7}\nties: [{slave: {intersect: [upper, {box: [[-1, -1, h], [2, 2, 0.8]]}]}, master: low, "
              "distance: 0.1}]\nsweep: {list: [{h: 0.7}, {h: 0.45}], start: %s}\n" % start,
              case=CASE.replace("loads: [{set: top, pressure: 2}]", "  - {set: top, displacement: [~, ~, 0.01]}"))
        found.append([float(row["max_von_mises"]) for row in rows(os.path.join(folder, start + ".csv"))])
    expect(found[0][0] < 1e-6 and abs(found[0][1] - 2) < 1e-4 and abs(found[1][1] - found[0][1]) < 1e-4, f"fresh and warm: {found}")
    # All that holds the upper block passes the tie to vertices that are fixed: the lower one bears nothing.
    case = CASE.replace("constraints:\n", "constraints:\n  - {set: low, displacement: [0, 0, 0]}\n")
    solve(folder, "goal", "ties: [{slave: up, master: low}]\ngoals: {low: {of: reaction, set: low, direction: z}, z: {of: reaction, set: z}}\n", pressure=-2, case=case)
    row = rows(os.path.join(folder, "goal.csv"))[-1]
    expect(abs(float(row["goal_low"]) + 2) < 1e-5 and abs(float(row["goal_z"])) < 1e-5 and abs(float(row["reaction"]) - 2) < 1e-5, f"{row}")
    make_mesh(folder, gap=0.2)
    text = solve(folder, "far", "ties: [{slave: up, master: low, distance: 0.1}]\n", gap=0.2, status=1, pressure=-2)
    expect("rigid-body" in text or "under-constrained" in text, text)
    text = solve(folder, "near", "ties: [{slave: up, master: low}]\n", gap=0.2, pressure=-2)
    expect("25 vertices of slaves tied, 0 not, gap 0.2 at most" in text, text)
    text = solve(folder, "part", "ties: [{slave: up, master: {intersect: [low, {box: [[-1, -1, 0], [0.4, 2, 1]]}]}}]\n", gap=0.2, pressure=-2)
    expect("of 25 vertices of the slave meet no master" in text, text)
    sides = "".join("  %s: {plane: {point: [0, 0, %s], normal: z}, of: faces}\n" % one for one in (("above", 0.7), ("below", 0.5)))
    for master, status in ("z", 2), ("below", 0):
        text = solve(folder, "pull", "preload: [{slave: above, master: %s, distance: 0.3, force: 1}]\n" % master, gap=0.2, status=status, pressure=0,
                     case=CASE.replace("constraints:\n", sides + "constraints:\n  - {set: top, displacement: [~, ~, 0]}\n"))
        expect(status == 0 or ("pull.yaml:" in text and "'above' and 'z' do not meet" in text), text)
    make_mesh(folder)


def check_preload(folder):
    """A column between two walls, cut through at half its height, without Poisson's effect: the tension F shortens it by
    F L / E A; where that is locked, a wall that moves away by d adds E A d / L. A shortening s gives E A s / L."""
    sides = ("  above: {plane: {point: [0, 0, 0.5], normal: z}, of: faces, normal: [0, 0, -1]}\n"
             "  below: {plane: {point: [0, 0, 0.5], normal: z}, of: faces, normal: z}\n  wall: {plane: {point: [0, 0, 1], normal: z}}\n")
    steps = ("steps:\n  - {name: tighten, static: {}}\n  - {name: work, static: {}, constraints: ["
             + "".join("{set: %s, displacement: [%s]}, " % one for one in (("x", "0, ~, ~"), ("y", "~, 0, ~"), ("z", "~, ~, 0")))
             + "{set: wall, displacement: [~, ~, 0.002]}]}\n")
    for quadratic in (False, True):
        for name, preload, expected in (
                ("force", "force: 4", ((4, 0.02), (4.4, 0.02))), ("free", "force: 4, locked: false", ((4, 0.02), (4, 0.018))),
                ("short", "shortening: 0.01", ((2, 0.01), (2.4, 0.01)))):
            case = (CASE.replace("0.3", "0").replace("constraints:\n", sides + "constraints:\n  - {set: wall, displacement: [~, ~, 0]}\n")
                    .replace("loads: [{set: top, pressure: 2}]\n", "preload: [{slave: above, master: below, %s}]\n" % preload)
                    .replace("linear", "quadratic" if quadratic else "linear"))
            solve(folder, name, steps, case=case)
            found = [row for row in rows(os.path.join(folder, name + ".sets.csv")) if row["set"] == "above"]
            for row, (force, shortening) in zip(found, expected):
                expect(abs(float(row["preload_force"]) - force) < 1e-6 and abs(float(row["shortening"]) - shortening) < 1e-8,
                       f"{name}: {row['preload_force']} {row['shortening']}, not {force} {shortening}")
                expect(abs(float(row["tie_force_z"]) + force) < 1e-6, f"{name}: {row['tie_force_z']}")


def check_preload_cut(folder):
    """A bolt that is whole in its mesh beside another one is cut by its case, between the planes of its mesh: F L / E A, also after more edits; a replay."""
    run(program, "shape", "box", "--size", "1,1,4", "--cells", "2,2,8", "-o", "part.mesh", folder=folder)
    part = read_medit(os.path.join(folder, "part.mesh"))
    write_medit(os.path.join(folder, "bolts.mesh"), Mesh(numpy.concatenate((part.points, part.points + (2, 0, 0))),
                                                         numpy.concatenate((part.tets, part.tets + len(part.points)))))
    case = """mesh: bolts.mesh
elements: %s
material: {young: 200, poisson: 0}
sets:
  walls: {union: [{plane: {point: [0, 0, 0], normal: z}}, {plane: {point: [0, 0, 4], normal: z}}]}
  upper: &upper {plane: {point: [0, 0, 2.1], normal: z}, of: faces, normal: [0, 0, -1], allow_empty: true}
  lower: &lower {plane: {point: [0, 0, 2.1], normal: z}, of: faces, normal: z, allow_empty: true}
constraints: [{set: walls, displacement: [0, 0, 0]}]
preload: [{slave: upper, master: lower, force: 4}]
steps:
  - edit: [{cut: {plane: {point: [0, 0, 2.1], normal: z}, keep: open, within: {low: [-1, -1, 0], high: [1.5, 2, 4]}}}]
    sets: {upper: *upper, lower: *lower}
    static: {}
  - edit: [{refine: {longer_than: 0.6}}]
    static: {}
"""
    for elements in ("linear", "quadratic"):
        solve(folder, "cut", "", case=case % elements)
        for row in (row for row in rows(os.path.join(folder, "cut.sets.csv")) if row["set"] == "upper"):
            expect(abs(float(row["preload_force"]) - 4) < 1e-6 and abs(float(row["shortening"]) - 0.08) < 1e-8 and abs(float(row["area"]) - 1) < 1e-9,
                   f"{elements}: {row['preload_force']} {row['shortening']}, area {row['area']}")
        expect(execute(program, "replay", "cut.vtkhdf", folder=folder).returncode == 0, "a replay of a bolt that is cut")


def check_preload_later(folder):
    """The column of check_preload: `report: goals` locks what `numbers` do; a reset and the next combination tighten again; an
    amplitude has no tension; combinations are refused."""
    sides = ("  above: {plane: {point: [0, 0, 0.5], normal: z}, of: faces, normal: [0, 0, -1]}\n"
             "  below: {plane: {point: [0, 0, 0.5], normal: z}, of: faces, normal: z}\n  wall: {plane: {point: [0, 0, 1], normal: z}}\n")
    case = ("parameters: {f: 4}\n" + CASE.replace("0.3", "0").replace("constraints:\n", sides + "constraints:\n  - {set: wall, displacement: [~, ~, 0]}\n")
            .replace("loads: [{set: top, pressure: 2}]\n", "preload: [{slave: above, master: below, force: f}]\n"))
    tighten, pull = "  - {name: tighten, static: {}}\n", "loads: [{set: above, total_force: [0, 0, 1]}]"

    def lines(name, step):
        return [row for row in rows(os.path.join(folder, name + ".sets.csv")) if row["set"] == "above" and row["step"].split(" #")[0] == step]

    goals = "goals: {up: {of: displacement, set: above, direction: z}}\nsweep: {list: [{f: 4}], report: goals}\n"
    solve(folder, "goals", goals + "steps:\n" + tighten + "  - {name: work, static: {}, %s}\n" % pull, case=case)
    found = [float(row["goal_up"]) for row in rows(os.path.join(folder, "goals.csv"))]
    expect(abs(found[0] + 0.01) < 1e-8 and abs(found[1] + 0.00875) < 1e-8, f"goals alone: {found}")
    solve(folder, "reset", "steps:\n" + tighten + "  - {name: longer, reset: true, edit: [{scale: {factor: [1, 1, 2]}}], static: {}}\n", case=case)
    row = lines("reset", "longer")[0]
    expect(abs(float(row["preload_force"]) - 4) < 1e-6 and abs(float(row["shortening"]) - 0.04) < 1e-8,
           f"a reset tightens again: {row['preload_force']} {row['shortening']}")

    text = solve(folder, "sum", "steps:\n" + tighten + "combinations: {two: {tighten: 2}}\n", case=case, status=2)
    expect("do not add up" in text and "write a step" in text, text)

    for start in ("fresh", "continue"):
        sweep = "sweep: {list: [{f: 4}, {f: 4}], start: %s}\nsteps:\n  - {name: free, modes: {count: 8}}\n" % start
        text = solve(folder, "again", sweep + tighten, case=case, status=None)
        if "this build has no" not in text:
            found = [float(row["frequency"]) for row in rows(os.path.join(folder, "again.csv")) if row["mode"]]
            expect(len(found) == 16 and numpy.allclose(found[:8], found[8:], rtol=1e-6), f"{start}: {found} {text}")

    text = solve(folder, "shake", "steps:\n" + tighten + "  - {name: shake, harmonic: {modes: 20, damping: 2 %%, frequencies: [0.001]}, %s}\n" % pull,
                 case=case.replace("force: f", "force: f, locked: false"), status=None)
    if "this build has no" not in text:
        row = lines("shake", "shake")[0]
        expect(abs(float(row["mean_displacement_z"]) - 0.0025) < 0.0006, f"an amplitude without tension: {row['mean_displacement_z']}")


def check_sleeve(folder):
    """A bolt beside its sleeve, both between a wall and a rigid head, without Poisson's effect. With stiffnesses b and s a
    tension F takes a shortening F / b + F / s; locked, a pull P on the head adds P b / (b + s) to it."""
    two = read_medit(os.path.join(folder, "two.mesh"))
    run(program, "shape", "box", "--size", "2,1,1", "--cells", "2,1,2", "-o", "part.mesh", folder=folder)
    part = read_medit(os.path.join(folder, "part.mesh"))
    write_medit(os.path.join(folder, "sleeve.mesh"), Mesh(
        numpy.concatenate((two.points, part.points + (2, 0, 0))), numpy.concatenate((two.tets, part.tets + len(two.points))),
        numpy.concatenate((two.region, numpy.full(len(part.tets), 3)))))
    bolt, sleeve, force, pull = 200.0, 2 * 300.0, 4.0, 3.0
    case = """mesh: sleeve.mesh
elements: linear
material: [{young: 200, poisson: 0, region: 1}, {young: 200, poisson: 0, region: 2}, {young: 300, poisson: 0, region: 3}]
sets:
  wall: {plane: {point: [0, 0, 0], normal: z}}
  head: {plane: {point: [0, 0, 1], normal: z}}
  pulled: {plane: {point: [0, 0, 1], normal: z}, of: faces}
  above: {plane: {point: [0, 0, 0.5], normal: z}, of: faces, normal: [0, 0, -1]}
  below: {plane: {point: [0, 0, 0.5], normal: z}, of: faces, normal: z}
constraints: [{set: wall, displacement: [0, 0, 0]}]
couplings: [{set: head, at: [0, 0, 1], displacement: [0, 0, ~], rotation: [0, 0, 0]}]
preload: [{slave: above, master: below, force: 4}]
steps:
  - {name: tighten, static: {}}
  - {name: work, static: {}, loads: [{set: pulled, total_force: [0, 0, 3]}]}
"""
    solve(folder, "sleeve", "", case=case)
    found = [row for row in rows(os.path.join(folder, "sleeve.sets.csv")) if row["set"] == "above"]
    for row, tension in zip(found, (force, force + pull * bolt / (bolt + sleeve))):
        expect(abs(float(row["preload_force"]) - tension) < 1e-6, f"tension {row['preload_force']}, not {tension}")
        expect(abs(float(row["shortening"]) - force / bolt - force / sleeve) < 1e-8, f"shortening {row['shortening']}")


BUMP = """mesh: bump.mesh
elements: linear
KINEMATICS
material: {young: 200, poisson: 0.3}
sets:
  upper: {region: 2, of: vertices}
  lower: {region: 1, of: vertices}
  foot: {intersect: [upper, {plane: {point: [0, 0, 0], normal: z}}]}
  bump: {subtract: [lower, {side: {point: [0, 0, -4.9], normal: [0, 0, -1]}}]}
  head: {plane: {point: [0, 0, 5], normal: z}}
  ground: {plane: {point: [0, 0, -8], normal: z}}
constraints: [{set: ground, displacement: [0, 0, 0]}, {set: head, displacement: [SLIDE, 0, -0.5]}]
contact: [{slave: foot, master: bump, distance: 5}]
"""


def make_bump(folder, parts, is_round=True):
    """Blocks by their size, cells and place, the first one with a round top of radius 10."""
    points, tets, region = [], [], []
    for k, (size, cells, place) in enumerate(parts, 1):
        run(program, "shape", "box", "--size", size, "--cells", cells, "-o", "part.mesh", folder=folder)
        part = read_medit(os.path.join(folder, "part.mesh"))
        if k == 1 and is_round:
            part.points[:, 2] *= 1 - (part.points[:, 0] - 10.0) ** 2 / 160.0
        tets.append(part.tets + sum(map(len, points)))
        points.append(part.points + place)
        region.append(numpy.full(len(part.tets), k))
    write_medit(os.path.join(folder, "bump.mesh"), Mesh(*map(numpy.concatenate, (points, tets, region))))


def check_penetration(folder):
    """A flat block on a bump is pressed onto it and slid along: with small displacements its points do not meet what they slide over, so that the answer
    has them inside, which is told; not where it does not slide, nor with large rotations, where they do."""
    make_bump(folder, (("20,5,8", "16,4,4", (0, 0, -8)), ("20,5,5", "16,4,4", (0, 0, 0))))
    for slide, kinematics, is_told in (("0", "", False), ("5", "", True), ("5", "kinematics: corotational", False)):
        text = solve(folder, "bump", "", case=BUMP.replace("SLIDE", slide).replace("KINEMATICS", kinematics))
        expect(("points of 'foot' on 'bump' are inside what they meet by up to" in text) == is_told, text)


def check_parts_beside(folder):
    """Of all parts each two are told by themselves: wide faces of a bar on a bump also where a block closes a larger gap elsewhere, and a block that is
    inside the bar, from which it was far away."""
    make_bump(folder, (("20,5,8", "20,1,2", (0, 0, -8)), ("20,5,5", "4,16,8", (0, 0, 0)), ("10,5,8", "4,2,2", (40, 0, -8)), ("10,5,2", "4,2,1", (40, 0, 3))))
    case = BUMP[:BUMP.index("constraints")].replace("KINEMATICS\n", "") + """  other: {intersect: [{region: 4, of: vertices}, head]}
  bar: {intersect: [upper, head]}
constraints: [{set: ground, displacement: [0, 0, 0]}, {set: bar, displacement: [0, 0, -0.1]}, {set: other, displacement: BY}]
contact: [{distance: 5}]
"""
    for by, is_inside in (("[0, 0, -1]", False), ("[0, 0, -3.2]", False), ("[-20.5, 0, -1]", True)):
        text = solve(folder, "beside", "", case=case.replace("BY", by))
        expect("faces of 1.25 at (10, " in text and "their mean gap is an overlap of 0.2," in text, f"{by}: {text}")
        expect(("points of region 2 on region 4 are inside what they meet by up to" in text) == is_inside, f"{by}: {text}")


def check_edges(folder):
    """A block that soft springs leave to slide over the edge of another one: sides are then opposite each other in a strip as high as rounding and bending
    make it, which is no depth of 0.6."""
    make_bump(folder, (("4,2,1", "4,3,2", (0, 0, 0)), ("2,2,0.8", "3,2,2", (0, 0, 1.05))), is_round=False)
    text = solve(folder, "edges", """mesh: bump.mesh
elements: linear
material: {young: 200, poisson: 0}
sets:
  upper: {region: 2, of: vertices}
  ground: {plane: {point: [0, 0, 0], normal: z}}
  top: {plane: {point: [0, 0, 1.85], normal: z}, of: faces}
constraints: [{set: ground, displacement: [0, 0, 0]}, {set: upper, spring: 0.001}]
loads: [{set: top, total_force: [0.1, 0.05, -1]}]
contact: all
""", case="")
    expect("displacement max 3.1" in text and "inside what they meet" not in text, text)


def check_friction(folder):
    """The upper block is pressed, drawn and let go: numbers, fields and the history of steps."""
    steps = ("steps:\n  - {name: pressed, static: {}}\n"
             "  - {name: drawn, constraints: [{set: z, displacement: [0, 0, 0]}, {set: top, displacement: [0.1, ~, ~]}], static: {}}\n"
             "  - {name: drawn on, constraints: [{set: z, displacement: [0, 0, 0]}, {set: top, displacement: [0.1, ~, ~]}], static: {}}\n")
    write(folder, "slide.yaml", CASE.replace("TOP", "0.99").replace("LOW", "0.49").replace("UP", "0.51")
          + "contact: [{slave: up, master: low, friction: 0.3}]\n" + steps)
    text = run(program, "run", "slide.yaml", "-o", "slide", "--device", "host", folder=folder)
    expect("  friction     " in text, text)
    frames = read_frames(os.path.join(folder, "slide.vtkhdf"))
    numbers = [frame["numbers"] for frame in frames]
    expect(abs(numbers[1]["friction_force"] - 0.6) < 1e-5 and numbers[1]["contact_slip"] > 0.05, f"{numbers[1]}")
    expect(numbers[1]["contact_slipping"] == numbers[1]["contact_closed"], f"{numbers[1]}")
    expect(numbers[2]["contact_slip"] < 1e-5 and abs(numbers[2]["friction_force"] - 0.6) < 1e-4, "what is drawn no farther stays")
    traction, pressure = frames[1]["PointData/contact_traction"], frames[1]["PointData/contact_pressure"]
    expect(numpy.allclose(numpy.linalg.norm(traction, axis=1), 0.3 * pressure, atol=1e-4), "mu p")
    expect((frames[1]["PointData/contact_slip"][:, 0] >= 0).all(), "the slave slides along x")
    of = [row for row in rows(os.path.join(folder, "slide.sets.csv")) if row["set"] == "up"]
    expect(abs(float(of[1]["contact_force_x"]) + 0.6) < 1e-2, f"{of[1]}")


def check_units(folder):
    """Lengths times 1024: the same rounds, and displacements that differ by that factor alone. Times 1,000 and 1 / 1,000, as from
    N and m to N and mm and to kN and m: but for rounding."""
    found = []
    for scale in (1.0, 1024.0, 1000.0, 0.001):
        make_mesh(folder, scale, 0.01)
        solve(folder, "unit", "contact: all\n", scale, 0.01)
        frame = read_frames(os.path.join(folder, "unit.vtkhdf"))[-1]
        found.append((frame["PointData/displacement"] / scale, frame["PointData/contact_pressure"],
                      int(rows(os.path.join(folder, "unit.csv"))[-1]["iterations"])))
    for a, b in zip(*found[:2]):
        expect(numpy.array_equal(a, b), f"{a} {b}")
    for displacement, pressure, iterations in found[2:]:
        expect(abs(iterations - found[0][2]) <= 0.03 * found[0][2], f"{iterations} iterations, {found[0][2]} in another unit")
        expect(abs(displacement - found[0][0]).max() < 1e-7 * abs(found[0][0]).max(), "displacements in another unit")
        expect(abs(pressure - found[0][1]).max() < 1e-6 * found[0][1].max(), "pressures in another unit")
    make_mesh(folder)


STACK = """mesh: stack.mesh
elements: %(elements)s
material:
""" + "".join("  - {region: %d, young: %%(young%d).17g, poisson: 0.3}\n" % (k, k) for k in (1, 2, 3, 4)) + """sets:
""" + "".join("  %s%d: {plane: {point: [0, 0, %%(%s%d).17g], normal: z}, of: faces, normal: [0, 0, %d]}\n" % (word, k, word, k, sign)
              for k in (1, 2, 3, 4) for word, sign in (("low", -1), ("top", 1))) + """constraints:
  - {symmetry: x}
  - {symmetry: y}
  - {set: low1, displacement: [~, ~, 0]}
preload: [{slave: low2, master: top1, shortening: %(shortening).17g}]
ties: [{slave: top2, master: low3}]
contact: [{slave: low4, master: top3}]
loads: [{set: top4, pressure: %(pressure).17g}]
"""


def check_assembly_units(folder):
    """Four blocks of unlike meshes, drawn together, tied and in contact, the third stiffer by 1e4, in N and mm, in N and m, in kN and m: the
    same answer and iterations; times powers of two, an even one for the stiffness, whose roots are taken: the same bits."""
    for elements in ("linear", "quadratic"):
        found = []
        for length, force in ((1.0, 1.0), (2.0 ** 10, 2.0 ** -8), (1e-3, 1.0), (1e-3, 1e-3)):
            points, tets, region = [], [], []
            for k, cells in enumerate((3, 4, 3, 4)):
                run(program, "shape", "box", "--size", "1,1,0.5", "--cells", f"{cells},{cells},2", "-o", "part.mesh", folder=folder)
                part = read_medit(os.path.join(folder, "part.mesh"))
                tets.append(part.tets + sum(map(len, points)))
                points.append((part.points + (0, 0, 0.5 * k)) * length)
                region.append(numpy.full(len(part.tets), k + 1))
            write_medit(os.path.join(folder, "stack.mesh"), Mesh(*map(numpy.concatenate, (points, tets, region))))
            numbers = {"elements": elements, "shortening": 0.01 * length, "pressure": 2 * force / length ** 2}
            numbers |= {f"young{k}": 200.0 * (1e4 if k == 3 else 1.0) * force / length ** 2 for k in (1, 2, 3, 4)}
            numbers |= {f"{word}{k}": 0.5 * (k - (word == "low")) * length for k in (1, 2, 3, 4) for word in ("low", "top")}
            write(folder, "stack.yaml", STACK % numbers)
            done = execute(program, "run", "stack.yaml", "-o", "stack", "--device", "host", folder=folder)
            if not expect(done.returncode == 0, f"units of an assembly: {done.stderr}"):
                return
            frame = read_frames(os.path.join(folder, "stack.vtkhdf"))[-1]
            found.append((frame["PointData/displacement"] / length, frame["PointData/contact_pressure"] * length ** 2 / force,
                          int(rows(os.path.join(folder, "stack.csv"))[-1]["iterations"])))
        for a, b in zip(*found[:2]):
            expect(numpy.array_equal(a, b), f"{elements}: an assembly times powers of two differs by {numpy.abs(a - b).max()}")
        for displacement, pressure, iterations in found[2:]:
            expect(abs(iterations - found[0][2]) <= max(1, 0.03 * found[0][2]), f"{iterations} iterations, {found[0][2]} in another unit")
            off = (abs(displacement - found[0][0]).max() / abs(found[0][0]).max(), abs(pressure - found[0][1]).max() / found[0][1].max())
            expect(off[0] < 1e-6 and off[1] < 1e-5, f"an assembly in other units is off by {off}")
        print(f"  an assembly in four units, {elements}: {[one[2] for one in found]} iterations")


def check_warnings(folder):
    make_mesh(folder, gap=-0.01)
    text = solve(folder, "over", "contact: all\n", gap=-0.01)
    expect("overlap by up to 0.01 before any load acts, at (" in text and ") of region 2 on region 1, which" in text, "an overlap is told")
    expect("overlap by" not in solve(folder, "fit", "contact: [{interference: 0.0}]\n", gap=-0.01), "one that is given is not")
    make_mesh(folder, gap=0.2)
    text = solve(folder, "far", "contact: [{slave: up, master: low, distance: 0.1}]\n", gap=0.2, status=1)
    expect("rigid-body" in text or "under-constrained" in text, text)
    make_mesh(folder)


with tempfile.TemporaryDirectory(prefix="edgewise-") as scratch:
    make_mesh(scratch)
    check_numbers(scratch)
    check_motion(scratch)
    check_steps(scratch)
    check_modes(scratch)
    check_error(scratch)
    check_error_of_halves(scratch)
    check_ties(scratch)
    check_preload(scratch)
    check_preload_cut(scratch)
    check_preload_later(scratch)
    check_sleeve(scratch)
    check_penetration(scratch)
    check_parts_beside(scratch)
    check_edges(scratch)
    check_friction(scratch)
    check_units(scratch)
    check_assembly_units(scratch)
    check_warnings(scratch)
sys.exit(finish("check_contact"))
