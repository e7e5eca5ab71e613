#!/usr/bin/python3
"""check_mode_cases.py PROGRAM SOURCE_DIR BUILD_DIR

The cases of datasets/ with vibration modes and buckling: their files as check_datasets.py checks them, and what they
are there to show: closed forms of a bar, the motions of a fork that nothing holds, Euler's column."""
import csv
import math
import os
import sys
import tempfile

import check_datasets
import support
from support import expect, numpy

program, source = sys.argv[1], sys.argv[2]
YOUNG, POISSON, DENSITY, SIDE = 210e9, 0.3, 7850.0, 0.1
INERTIA, AREA = SIDE ** 4 / 12, SIDE ** 2


def run(folder, name):
    case = os.path.join(source, "datasets", name + ".yaml")
    printed = support.run(program, "run", case, "-o", name, "--device", "host", folder=folder)
    if printed is None:
        return None, None
    return check_datasets.check_file(os.path.join(folder, name), YOUNG, POISSON), printed


def expect_near(what, found, wanted, share):
    expect(abs(found / wanted - 1) <= share, f"{what}: {found:.6g}, should be near {wanted:.6g}")


def check_modes(folder):
    frames, printed = run(folder, "modes")
    if not frames:
        return
    numbers = [frame["numbers"] for frame in frames]
    expect([n["mode"] for n in numbers] == [*range(1, 7), *range(1, 11)], "modes: their numbers")
    f = [n["frequency"] for n in numbers]
    bending = 1.8751 ** 2 / (2 * math.pi) * math.sqrt(YOUNG * INERTIA / (DENSITY * AREA))
    shear = YOUNG / (2 * (1 + POISSON))
    for k in (0, 1):
        expect(0.98 * bending < f[k] < bending, f"modes: bending at {f[k]}, Bernoulli {bending}")
    expect_near("second bending", f[2], 1 / 1.046 * bending * (4.6941 / 1.8751) ** 2, 0.01)
    expect_near("torsion", f[4], 0.25 * math.sqrt(0.8435 * shear / DENSITY), 0.01)
    expect_near("along the axis", f[5], 0.25 * math.sqrt(YOUNG / DENSITY), 0.01)
    expect_near("its share", numbers[5]["effective_mass"][0] / 78.5, 8 / math.pi ** 2, 0.01)
    expect(f[6:12] == [0] * 6 and f[12] > 50, f"modes: rigid motions of the fork, {f[6:13]}")
    share = [n["error_share"] for n in numbers]
    expect(share[6:12] == [0] * 6 and min(share[:6] + share[12:]) > 0, "modes: rigid motions alone have no error")
    whole = sum(n["effective_mass"] for n in numbers[6:12])
    expect(abs(whole / whole[0] - 1).max() < 1e-9, f"modes: {whole} is what rigid motions carry")
    expect(all("mode %d %.6g" % (k + 1, f[k]) in printed for k in range(6)), "modes: the table names no frequency")
    with open(os.path.join(folder, "modes.csv"), encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    expect([float(row["frequency"]) for row in table] == f and not any(row["max_von_mises"] for row in table),
           "modes: NAME.csv has frequencies and no stress")
    expect_near("sum of effective masses", float(table[5]["effective_mass_sum_x"]), 8 / math.pi ** 2, 0.01)
    with open(os.path.join(folder, "modes.sets.csv"), encoding="utf-8", newline="") as file:
        expect(not any(row["max_von_mises"] for row in csv.DictReader(file)), "modes: a stress of a set")
    expect("PointData/stress" not in frames[0] and "PointData/displacement" in frames[0], "modes: fields of a shape")
    # One tine goes up where the other goes down.
    frame = frames[12]
    x, u = frame["Points"], frame["PointData/displacement"][:, 2]
    low, high = ((abs(x[:, 2] - z) < 1e-9) & (x[:, 0] > 0.999) for z in (0, 0.1))
    expect(u[low].mean() * u[high].mean() < 0 and abs(u[low].mean() + u[high].mean()) < 0.05,
           f"modes: the tines of the fork move by {u[low].mean()} and {u[high].mean()}")
    expect(frame["Tets"].shape[1] == 10 and numpy.isfinite(u).all(), "modes: tets of ten nodes")
    print(f"modes: {', '.join(f'{value:.4g}' for value in f)}")


def check_column(folder):
    frames, printed = run(folder, "column")
    if not frames:
        return
    factor = [frame["numbers"]["load_factor"] for frame in frames[1:]]
    for k, value in enumerate(factor):
        euler = (1, 1, 9, 9)[k] * math.pi ** 2 * YOUNG * INERTIA / 4
        softer = 1 / (1 + euler / (5 / 6 * AREA * YOUNG / 2.6))
        expect_near(f"column: factor {k + 1}", value * 1000, euler * softer, 0.01)
    expect(all("factor %d %.6g" % (k + 1, factor[k]) in printed for k in range(4)), "column: the table names no factor")
    for frame in frames[1:]:
        largest = numpy.linalg.norm(frame["PointData/displacement"], axis=1).max()
        expect(abs(largest - 1) < 0.01, f"column: the largest displacement of a shape is {largest}")
    print(f"column: {', '.join(f'{value:.5g}' for value in factor)}")


def check_pressed(folder):
    """By the factor at which it buckles, f = f0 sqrt(1 - F / F0), exactly so of a beam with hinges at both ends."""
    case = os.path.join(source, "datasets", "column-pressed.yaml")
    if support.run(program, "run", case, "-o", "pressed", "--device", "host", folder=folder) is None:
        return
    frames = support.read_frames(os.path.join(folder, "pressed.vtkhdf"))
    numbers = [frame["numbers"] for frame in frames]
    expect([n["load_factor"] for n in numbers if "newton_iterations" in n] == [1, 1], "column-pressed: its static steps")
    rest, pressed, pulled = (n["frequency"] for n in numbers if "frequency" in n)
    factor = numbers[2]["load_factor"]
    expect_near("column-pressed: pressed", pressed, rest * math.sqrt(1 - 1 / factor), 0.03)
    expect_near("column-pressed: pulled", pulled, rest * math.sqrt(1 + 2 / factor), 0.04)
    print(f"column-pressed: {rest:.4g} Hz, {pressed:.4g} at 1 / {factor:.4g} of what buckles it, {pulled:.4g}")


HOT = """mesh: hot.mesh
elements: linear
kinematics: corotational
material: {young: 2e6, poisson: 0.3, density: 1000, expansion: 1e-4}
sets: {ends: {plane: {point: [0, 0, 0], normal: x}, of: faces}, others: {plane: {point: [1, 0, 0], normal: x}, of: faces}}
constraints: [{set: ends, displacement: [0, 0, 0]}, {set: others, displacement: [0, 0, 0]}]
amplitudes: {half: {table: [[0, 0.5], [10, 0.5]]}}
"""
STATIC, MOVING = "static: {nonlinear: {}}", "dynamic: {step: 0.05, steps: 20, scheme: implicit-euler, damping: {mass: 5}}"
AFTER = "  - {modes: {count: 1}}\n"


def check_hot(folder):
    """Modes and buckling are of the body as warm as the step before left it, whosever loads made it so."""
    support.run(program, "shape", "box", "--size", "1,.1,.1", "--cells", "12,2,2", "-o", "hot.mesh", folder=folder)

    def numbers(steps, after):
        support.write(folder, "hot.yaml", HOT + steps + after)
        support.run(program, "run", "hot.yaml", "-o", "hot", "--device", "host", "--quiet", folder=folder)
        return support.read_frames(os.path.join(folder, "hot.vtkhdf"))[-1]["numbers"]

    for after, name in ((AFTER, "frequency"), ("  - {buckling: {count: 1}}\n", "load_factor")):
        own = numbers("steps:\n  - {loads: [{temperature: 20}], %s}\n" % STATIC, after)[name]
        case = numbers("loads: [{temperature: 20}]\nsteps:\n  - {%s}\n" % STATIC, after)[name]
        cold = numbers("steps:\n  - {%s}\n" % STATIC, after)[name] if after == AFTER else math.inf
        expect(own == case < cold, f"hot: {name} {own} after a step with loads, {case} after one of the case, cold {cold}")
    half = numbers("steps:\n  - {loads: [{temperature: 20, amplitude: half}], %s}\n" % MOVING, AFTER)["frequency"]
    ten = numbers("loads: [{temperature: 10}]\nsteps:\n  - {%s}\n" % MOVING, AFTER)["frequency"]
    expect_near("hot: by an amplitude", half, ten, 1e-6)


TURNED = """mesh: {mesh}
elements: {order}
material: {{young: 1e9, poisson: 0.3, density: 1000}}
sets:
  side: {{surface: 1}}
  foot: {{plane: {{point: [0, 0, 0], normal: z}}, of: faces}}
  top: {{plane: {{point: [0, 0, 10], normal: z}}, of: faces}}
constraints:
  - {{set: side, symmetry: {normal}}}
  - {{set: foot, displacement: [0, 0, 0]}}
loads: [{{set: top, total_force: [0, 0, -1e5]}}]
steps:
  - {{static: {{tolerance: 1e-11}}}}
  - {{buckling: {{count: 2}}}}
  - {{modes: {{count: 60}}}}
"""


def check_turned(folder):
    """A column on a plane of symmetry has the factors and frequencies of the same one turned about its axis."""
    support.run(program, "shape", "box", "--size", "1,1,10", "--cells", "1,1,8", "-o", "0.mesh", folder=folder)
    support.run(program, "rotate", "0.mesh", "--angle", "30", "--axis", "z", "-o", "30.mesh", folder=folder)
    for order in ("linear", "quadratic"):
        found = []
        for mesh, normal in (("0.mesh", "x"), ("30.mesh", "[0.8660254037844387, 0.5, 0]")):
            support.write(folder, "turned.yaml", TURNED.format(mesh=mesh, order=order, normal=normal))
            support.run(program, "run", "turned.yaml", "-o", "turned", "--device", "host", "--quiet", folder=folder)
            numbers = [frame["numbers"] for frame in support.read_frames(os.path.join(folder, "turned.vtkhdf"))]
            found.append(numpy.array([n.get("load_factor", n.get("frequency")) for n in numbers[1:]]))
        expect(found[0].shape == found[1].shape == (62,), f"turned: {found[0].shape}, {found[1].shape} answers")
        expect(numpy.allclose(*found, rtol=1e-6, atol=0), f"turned: {order} {found[0][:4]}, {found[1][:4]}")


SOFT = """mesh: cube.mesh
elements: linear
units: {length: m, force: N, time: s}
material: {young: 2.1e11, poisson: 0.3, density: 7850}
%s
sets:
  foot: {plane: {point: [0, 0, 0], normal: z}, of: faces}
constraints:
  - {set: foot, total_spring: 1e5}
loads: [{gravity: [0, 0, -%s]}]
steps:
  - {static: {%s}}
  - {modes: {count: 8}}
"""


def check_soft(folder):
    """A body on soft springs vibrates, however slowly; one that topples there is refused."""
    support.run(program, "shape", "box", "--size", "1,1,1", "--cells", "3,3,3", "-o", "cube.mesh", folder=folder)
    support.write(folder, "soft.yaml", SOFT % ("", 1, "tolerance: 1e-10"))
    support.run(program, "run", "soft.yaml", "-o", "soft", "--device", "host", "--quiet", folder=folder)
    f = [frame["numbers"]["frequency"] for frame in support.read_frames(os.path.join(folder, "soft.vtkhdf"))[1:]]
    expect(len(f) == 8 and min(f) > 0, f"soft: frequencies {f}")
    expect_near("soft: up and down", min(f, key=lambda x: abs(x - 0.568)), math.sqrt(1e5 / 7850) / (2 * math.pi), 1e-3)
    steps = "nonlinear: {steps: 1, tolerance: 1e-9}"
    support.write(folder, "soft.yaml", SOFT % ("kinematics: corotational", 9.81, steps))
    done = support.execute(program, "run", "soft.yaml", "-o", "toppling", "--device", "host", folder=folder)
    expect(done.returncode and "not stable" in done.stderr, f"soft: a body that topples: {done.stderr[-200:]}")


TIED = """mesh: %s
elements: quadratic
material: {young: 210e9, poisson: 0.3, density: 7850}
sets:
  wall: {plane: {point: [0, 0, 0], normal: x}, of: faces}
  strut: {plane: {point: [3, 0, 0], normal: x}, of: faces}
  tip: {plane: {point: [%g, 0, 0], normal: x}, of: faces}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: strut, total_force: [-1e6, 0, 0]}, {set: tip, total_force: [%g, 0, 0]}]
steps:
  - {static: {tolerance: 1e-10}}
  - {buckling: {count: %d}}
"""


def check_tied(folder):
    """A strut beside a tie that is pulled: by the load turned round the tie would buckle at up to 1/20,000 of its
    factor, and has no part in what the strut does."""
    found = {}
    support.run(program, "shape", "box", "--size", "3,.4,.4", "--cells", "10,2,2", "-o", "alone.mesh", folder=folder)
    support.run(program, "move", "alone.mesh", "--by", "0,2,0", "-o", "strut.mesh", folder=folder)
    for side, force, count in ((0, 0, 2), (0.05, 1e5, 2), (0.02, 1e4, 1), (0.02, 1e4, 2)):
        mesh = "strut.mesh"
        if side:
            mesh = "tied.mesh"
            support.run(program, "shape", "box", "--size", f"10,{side},{side}", "--cells", "60,1,1", "-o", "tie.mesh", folder=folder)
            support.run(program, "add", "tie.mesh", "strut.mesh", "-o", mesh, folder=folder)
        support.write(folder, "tied.yaml", TIED % (mesh, 10 if side else 3, force, count))
        if support.run(program, "run", "tied.yaml", "-o", "tied", "--device", "host", "--quiet", folder=folder) is None:
            return
        frames = support.read_frames(os.path.join(folder, "tied.vtkhdf"))[1:]
        found[side, count] = [frame["numbers"]["load_factor"] for frame in frames]
    for key, factors in found.items():
        for k, factor in enumerate(factors):
            expect_near(f"tied: {key} factor {k + 1}", factor, found[0, 2][k], 1e-8)
    expect_near("tied: Euler", found[0, 2][0] * 1e6, math.pi ** 2 * YOUNG * 0.4 ** 4 / 12 / 4 / 9, 0.01)
    print(f"tied: {found[0.02, 1][0]:.8g}, alone {found[0, 2][0]:.8g}")


with tempfile.TemporaryDirectory() as where:
    if "no direct solver" in support.execute(program, "run", os.path.join(source, "datasets", "column.yaml"), "-o",
                                             "probe", folder=where).stderr:
        print("skipped: the program has no direct solver")
        sys.exit(77)
    check_modes(where)
    check_column(where)
    check_pressed(where)
    check_hot(where)
    check_turned(where)
    check_soft(where)
    check_tied(where)
sys.exit(support.finish("mode cases"))
