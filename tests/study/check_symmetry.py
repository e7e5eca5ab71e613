#!/usr/bin/python3
"""check_symmetry.py PROGRAM SOURCE_DIR BUILD_DIR

Cyclic symmetry: a sector of a disc with lobes beside the whole disc that turns and is pulled, with linear and quadratic tets, small and large
displacements, sides that match and that do not, a disc without a hole; sides that an edit leaves alike and unlike. Periodic cells: the stiffness of a
laminate, in closed form, with all sides. Modes by nodal diameter: those of the whole disc, its shapes from the frames of the sector, and its effective
masses. What contradicts or is no image is named.
"""
import math
import os
import sys
import tempfile

import numpy

from support import Mesh, execute, expect, finish, read_frames, rows, write, write_medit

program = sys.argv[1]
SECTORS = 5
KUHN = ((0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7))  # corner: bits of x, y and z


def grid(cells, wraps=False):
    """Points of the unit cube by x, y, z in turn, and six tets a cell, alike in each; wraps: its y = 1 is y = 0."""
    n = numpy.array(cells) + 1
    number = numpy.arange(n.prod()).reshape(n)
    points = numpy.stack(numpy.meshgrid(*(numpy.linspace(0, 1, k) for k in n), indexing="ij"), -1).reshape(-1, 3)
    used = number.copy()
    if wraps:
        used[:, -1] = used[:, 0]
    corner = [used[b & 1:n[0] - 1 + (b & 1), b >> 1 & 1:n[1] - 1 + (b >> 1 & 1), b >> 2:n[2] - 1 + (b >> 2)].ravel() for b in range(8)]
    tets = numpy.array([[corner[k] for k in tet] for tet in KUHN]).transpose(2, 0, 1).reshape(-1, 4)
    keep, place = numpy.unique(tets, return_inverse=True)
    return points[keep], place.reshape(-1, 4)


def disc(cells, angle, wraps=False, hole=1.0, lobes=SECTORS):
    """Of radii 1 to 2 with lobes, 0.5 thick."""
    points, tets = grid(cells, wraps)
    u, v, z = points.T
    theta = v * angle
    radius = hole + (2 - hole + 0.15 * numpy.cos(lobes * theta + 0.7)) * u
    return Mesh(numpy.column_stack((radius * numpy.cos(theta), radius * numpy.sin(theta), 0.5 * z)), oriented(
        numpy.column_stack((radius * numpy.cos(theta), radius * numpy.sin(theta), 0.5 * z)), tets))


def oriented(points, tets):
    edge = points[tets[:, 1:]] - points[tets[:, :1]]
    flip = numpy.linalg.det(edge) < 0
    tets = tets.copy()
    tets[flip] = tets[flip][:, (0, 2, 1, 3)]
    return tets


ANGLE = 2 * math.pi / SECTORS
DISC = """mesh: %s.mesh
elements: %s
kinematics: %s
material: {young: 1000, poisson: 0.3, density: 1}
sets:
  first: {plane: {point: [0, 0, 0], normal: y}, of: faces}
  last: {plane: {point: [0, 0, 0], normal: [%.17g, %.17g, 0]}, of: faces}
  bottom: {plane: {point: [0, 0, 0], normal: z}}
  inner: {cylinder: {from: [0, 0, -1], to: [0, 0, 2], radius: 1.001}}
constraints:
  - {set: bottom, displacement: [~, ~, 0]}
  - {set: inner, axes: {cylinder: {point: [0, 0, 0], axis: z}}, displacement: [~, 0, ~]}
loads:
  - centrifugal: {axis: {point: [0, 0, 0], direction: z}, speed: %g}
steps: [{static: {%s}}]
"""


def solve(folder, name, mesh, extra="", elements="linear", kinematics="small", speed=2, status=0, change=("", "")):
    write_medit(os.path.join(folder, name + ".mesh"), mesh)
    how = "tolerance: 1e-11" if kinematics == "small" else "nonlinear: {steps: 2, tolerance: 1e-10}"
    case = DISC % (name, elements, kinematics, -math.sin(ANGLE), math.cos(ANGLE), speed, how)
    write(folder, name + ".yaml", case.replace(*change) + extra)
    done = execute(program, "run", name + ".yaml", "-o", name, "--device", "host", folder=folder)
    lacks = "this build has no" in done.stderr
    expect(lacks or done.returncode == status, f"{name}: exit status {done.returncode}: {done.stderr}")
    return done.stdout + done.stderr if lacks or status else read_frames(os.path.join(folder, name + ".vtkhdf"))[-1]


def at_points(frame, points):
    away = numpy.linalg.norm(frame["Points"][None] - points[:, None], axis=2)
    expect(away.min(axis=1).max() < 1e-9, "points of the sector are of the whole disc")
    return frame["PointData/displacement"][away.argmin(axis=1)]


CYCLIC = "cyclic: {slave: last, master: first, axis: z, sectors: %d}\n" % SECTORS


def check_disc(folder):
    for elements, kinematics in (("linear", "small"), ("quadratic", "small"), ("linear", "corotational")):
        cells, speed = (3, 4, 2), 2 if kinematics == "small" else 6
        whole = solve(folder, "whole", disc((cells[0], SECTORS * cells[1], cells[2]), 2 * math.pi, True), "", elements, kinematics, speed)
        for slave in ("last", "first"):
            text = CYCLIC if slave == "last" else CYCLIC.replace("last", "other").replace("first", "last").replace("other", "first")
            part = solve(folder, "sector", disc(cells, ANGLE), text, elements, kinematics, speed)
            there = at_points(whole, part["Points"])
            off = abs(part["PointData/displacement"] - there).max() / abs(there).max()
            expect(off < 1e-7, f"{elements}, {kinematics}: the sector is off the whole disc by {off:.1e}")
            print(f"  sector, {elements}, {kinematics}, slave {slave}: {off:.1e} off the whole disc")


MODES = """mesh: %s.mesh
elements: %s
kinematics: %s
material: {young: 1000, poisson: 0.3, density: 1}
sets:
  first: {plane: {point: [0, 0, 0], normal: y}, of: faces}
  last: {plane: {point: [0, 0, 0], normal: [%.17g, %.17g, 0]}, of: faces}
  inner: {cylinder: {from: [0, 0, -1], to: [0, 0, 2], radius: 1.001}}
%s
"""
CLAMPED = "constraints: [{set: inner, displacement: [0, 0, 0]}]\n"
SPUN = CLAMPED + "loads: [{centrifugal: {axis: {point: [0, 0, 0], direction: z}, speed: 6}}]\n"
NEWTON = "{static: {nonlinear: {steps: 2, tolerance: 1e-10}}}, "


def modes(folder, name, mesh, sectors, extra, elements="linear", kinematics="small", status=0):
    """Frames of the shapes, or what the program says; None: this build has no direct solver."""
    angle = 2 * math.pi / sectors
    write_medit(os.path.join(folder, name + ".mesh"), mesh)
    case = MODES % (name, elements, kinematics, -math.sin(angle), math.cos(angle), extra)
    if sectors == 2:  # both in one plane
        first, last = ("{box: [[%d, -1e-6, -9], [%d, 1e-6, 9]], of: faces}" % at for at in ((0, 9), (-9, 0)))
        case = "\n".join("  first: " + first if line.startswith("  first:") else "  last: " + last if line.startswith("  last:") else line
                         for line in case.split("\n"))
    write(folder, name + ".yaml", case)
    done = execute(program, "run", name + ".yaml", "-o", name, "--device", "host", folder=folder)
    if "this build has no" in done.stderr:
        return None
    expect(done.returncode == status, f"{name}: exit status {done.returncode}: {done.stderr}")
    frames = read_frames(os.path.join(folder, name + ".vtkhdf")) if done.returncode == 0 else []
    return done.stderr if status else [frame for frame in frames if "frequency" in frame["numbers"]]


def number(frame, name):
    return float(frame["numbers"][name])


def turned(points, angle):
    c, s = math.cos(angle), math.sin(angle)
    return points @ numpy.array(((c, s, 0), (-s, c, 0), (0, 0, 1)))


def whole_shape(frame, sectors, whole):
    """What the sector's frame says of the displacement of the whole body, at its points, and of that a quarter of a wave on."""
    n = int(number(frame, "nodal_diameter"))
    real = frame["PointData/displacement"]
    other = frame.get("PointData/displacement_imaginary", numpy.zeros_like(real)) if 0 < 2 * n < sectors else numpy.zeros_like(real)
    out = numpy.full((2, *whole.shape), numpy.nan)
    for k in range(sectors):
        angle = 2 * math.pi * k / sectors
        away = numpy.linalg.norm(turned(frame["Points"], angle)[None] - whole[:, None], axis=2)
        at, there = away.argmin(axis=1), away.min(axis=1) < 1e-9
        for part, (a, b) in enumerate(((real, -other), (other, real))):
            out[part, there] = turned(math.cos(n * angle) * a + math.sin(n * angle) * b, angle)[at[there]]
    expect(not numpy.isnan(out).any(), "sectors make the whole body")
    return out


def same_modes(there, here, sectors, what):
    """Each mode of the sector is in the whole body, as often as it should be, with its mass; and no other below the highest of each diameter."""
    found = {}
    for frame in here:
        found.setdefault(int(number(frame, "nodal_diameter")), []).append(frame)
    expect(sorted(found) == list(range(sectors // 2 + 1)), f"{what}: diameters {sorted(found)}")
    limit = min(max(number(frame, "frequency") for frame in of) for of in found.values())
    every = [(number(frame, "frequency"), frame) for n, of in found.items() for frame in of for _ in range(2 if 0 < 2 * n < sectors else 1)]
    every = sorted((one for one in every if one[0] < limit * (1 - 1e-9)), key=lambda one: one[0])
    whole = [number(frame, "frequency") for frame in there]
    n = min(len(every), len(whole))
    off = abs(numpy.array([one[0] for one in every[:n]]) - whole[:n]).max() / max(whole[:n])
    expect(n >= 10 and off < 1e-8, f"{what}: {n} frequencies are off by {off:.1e}")
    worst = mass = 0.0
    for frequency, frame in every[:n - 2]:
        same = [one for one in there if abs(number(one, "frequency") - frequency) < 1e-6 * max(whole)]
        basis = numpy.array([one["PointData/displacement"].ravel() for one in same]).T
        for shape in whole_shape(frame, sectors, there[0]["Points"])[:2 if 0 < 2 * number(frame, "nodal_diameter") < sectors else 1]:
            rest = shape.ravel() - basis @ numpy.linalg.lstsq(basis, shape.ravel(), rcond=None)[0]
            worst = max(worst, numpy.linalg.norm(rest) / numpy.linalg.norm(shape))
        alike = {id(other): other for value, other in every if abs(value - frequency) < 1e-6 * max(whole)}.values()
        of = [sum(numpy.array(one["numbers"]["effective_mass"]) for one in group) for group in (same, alike)]
        mass = max(mass, abs(of[0] - of[1]).max())
    expect(worst < 1e-5, f"{what}: shapes are off by {worst:.1e}")
    expect(mass < 1e-6, f"{what}: effective masses are off by {mass:.1e}")
    print(f"  {what}: {n} frequencies of the whole disc {off:.1e} off, shapes {worst:.1e}, masses {mass:.1e}")


def check_modes(folder):
    every = "modes: {count: %d%s}"
    for sectors, elements, kinematics, extra, before in (
            (5, "linear", "small", CLAMPED, ""), (4, "linear", "small", "", ""), (4, "quadratic", "small", CLAMPED, ""), (2, "linear", "small", "", ""),
            (5, "linear", "corotational", SPUN, NEWTON), (4, "quadratic", "corotational", SPUN, NEWTON)):
        cells = (2, 3, 1) if elements == "linear" else (1, 2, 1)
        angle, steps = 2 * math.pi / sectors, "steps: [%s{%s}]\n"
        whole = disc((cells[0], sectors * cells[1], cells[2]), 2 * math.pi, True, lobes=sectors)
        there = modes(folder, "whole", whole, sectors, extra + steps % (before, every % (24, "")), elements, kinematics)
        if there is None:
            return
        expect(len(there) == 24, f"{len(there)} modes of the whole disc")
        for slave, master in (("last", "first"), ("first", "last")):
            cyclic = "cyclic: {slave: %s, master: %s, axis: z, sectors: %d}\n" % (slave, master, sectors)
            text = extra + cyclic + steps % (before, every % (8, ", nodal_diameters: all"))
            here = modes(folder, "sector", disc(cells, angle, lobes=sectors), sectors, text, elements, kinematics)
            same_modes(there, here, sectors, f"modes of {sectors} sectors, {elements}, {kinematics}, slave {slave}{', free' if not extra else ''}")


def check_solid_modes(folder):
    """Without a hole: on the axis only a wave of one diameter moves across it, and only one of none along it."""
    here = modes(folder, "solid", solid(), SECTORS, CYCLIC + "steps: [{modes: {count: 6, nodal_diameters: all}}]\n")
    for frame in here or []:
        axis = numpy.hypot(*frame["Points"][:, :2].T) < 1e-9
        n = int(number(frame, "nodal_diameter"))
        moved = abs(frame["PointData/displacement"][axis]).max(axis=0)
        expect((n == 1 or moved[:2].max() < 1e-9) and (n == 0 or moved[2] < 1e-9), f"the axis in a wave of {n} diameters: {moved}")
    rigid = [int(number(frame, "nodal_diameter")) for frame in here or [] if number(frame, "frequency") == 0.0]
    expect(here is None or sorted(rigid) == [0, 0, 1, 1], f"rigid motions of the diameters {rigid}")


def check_unlike(folder):
    """Vertices of one side that have moved in it: a tie with the image. Against the sector that matches."""
    mesh = disc((6, 8, 4), ANGLE)
    there = solve(folder, "like", mesh, CYCLIC)
    moved = mesh.points.copy()
    on = (abs(moved @ (-math.sin(ANGLE), math.cos(ANGLE), 0)) < 1e-9) & (moved[:, 2] > 0.01) & (moved[:, 2] < 0.49)
    radius = numpy.hypot(moved[:, 0], moved[:, 1])
    on &= (radius > 1.01) & (radius < radius[on].max() - 0.01)
    still = mesh.points[~on]
    moved[on] += 0.03 * numpy.sin(40 * moved[on, :1]) * (math.cos(ANGLE), math.sin(ANGLE), 0.5)
    part = at_points(solve(folder, "unlike", Mesh(moved, mesh.tets), CYCLIC), still)
    off = abs(part - at_points(there, still)).max() / abs(part).max()
    expect(on.sum() > 10 and 1e-9 < off < 2e-2, f"sides that do not match: {off:.1e}")
    print(f"  sides that do not match: {off:.1e} off those that do")


def solid():
    """Without a hole vertices on the axis are of both sides."""
    points, tets = grid((3, 4, 2))
    u, v, z = points.T
    theta = v * ANGLE
    points = numpy.column_stack((2 * u * numpy.cos(theta), 2 * u * numpy.sin(theta), 0.5 * z))
    points, place = numpy.unique(points.round(12), axis=0, return_inverse=True)
    tets = place.reshape(-1)[tets]
    tets = tets[[len(set(tet)) == 4 for tet in tets.tolist()]]
    return Mesh(points, oriented(points, tets))


def check_solid(folder):
    fixed = ("{set: inner, axes: {cylinder: {point: [0, 0, 0], axis: z}}, displacement: [~, 0, ~]}", "{set: first, displacement: [~, 0, ~]}")
    frame = solve(folder, "solid", solid(), CYCLIC, change=fixed)
    axis = numpy.hypot(*frame["Points"][:, :2].T) < 1e-9
    expect(axis.sum() == 3 and abs(frame["PointData/displacement"][axis, :2]).max() < 1e-9, "vertices on the axis stay there")


def check_refused(folder):
    mesh = disc((3, 4, 2), ANGLE)
    for extra, words in ((CYCLIC.replace("5", "6"), "is not the image of"), (CYCLIC + "ties: [{slave: first, master: last}]\n", "already"),
                         (CYCLIC.replace("sectors: 5", "sectors: 1"), "from 2 to"), (CYCLIC.replace(", sectors: 5", ""), "sectors")):
        text = solve(folder, "refused", mesh, extra, status=2)
        expect(words in text, f"{extra}: {text}")
    text = solve(folder, "refused", mesh, CYCLIC, status=2, change=("steps: [{static: {tolerance: 1e-11}}]", "steps: [{modes: {count: 3}}]"))
    expect("shapes of a cyclic body" in text or "this build has no" in text, text)
    load = "centrifugal: {axis: {point: [0, 0, 0], direction: z}, speed: 2}"
    for other, words in (("gravity: [0, -1, 0]", "gravity that is not along"), ("gravity: [0, 0, -1]", ""),
                         (load.replace("[0, 0, 0]", "[1, 0, 0]"), "centrifugal forces that is not"), (load.replace("[0, 0, 0]", "[0, 0, 1]"), "")):
        text = solve(folder, "refused", mesh, CYCLIC, status=2 if words else 0, change=(load, other))
        expect(not words or words in text, f"{other}: {text}")
    shake = "steps: [{%s: {direction: %s, modes: 2, damping: 0.02, table: [[0.01, 1], [1000, 1]]}}]"
    for kind, direction in (("spectrum", "x"), ("random", "[1, 0, 1]"), ("spectrum", "z")):
        text = solve(folder, "refused", mesh, CYCLIC, status=2 * (direction != "z"),
                     change=("steps: [{static: {tolerance: 1e-11}}]", shake % (kind, direction)))
        expect(direction == "z" or "supports that move in a direction" in text or "this build has no" in text, f"{kind}: {text}")
    for slave, master in (("first", "last"), ("last", "first")):
        text = solve(folder, "refused", mesh, CYCLIC.replace("slave: last, master: first", f"slave: {slave}, master: {master}"), status=2, change=(
            "steps: [", "steps:\n  - {edit: [{remove: {sphere: {center: [1.8, 0.3, 0.5], radius: 0.3}}}], static: {}}\n#"))
        expect("is not the image of" in text, f"slave {slave}: {text}")
    wave = "modes: {nodal_diameters: [2]}"
    for change, extra, words in (
            (("static: {tolerance: 1e-11}", "modes: {}"), CYCLIC, "give 'modes: {nodal_diameters: all}'"),
            (("static: {tolerance: 1e-11}", wave), "", "give the case 'cyclic:'"),
            (("static: {tolerance: 1e-11}", wave.replace("2", "-1")), CYCLIC, "has from 0 to 2"),
            (("static: {tolerance: 1e-11}", wave.replace("2", "3")), CYCLIC, "has from 0 to 2"),
            (("static: {tolerance: 1e-11}", wave.replace("2", "1, 1")), CYCLIC, "ascending order"),
            (("static: {tolerance: 1e-11}", wave.replace("2", "")), CYCLIC, "is empty"),
            (("static: {tolerance: 1e-11}", wave.replace("2", "1.5")), CYCLIC, "a nodal diameter"),
            (("static: {tolerance: 1e-11}", wave.replace("[2]", "some")), CYCLIC, "nodal_diameters"),
            (("static: {tolerance: 1e-11}", wave.replace("nodal", "count: 600, nodal").replace("2", "1, 2")), CYCLIC, "at most 1000 modes"),
            (("static: {tolerance: 1e-11}", wave), CYCLIC.replace("5", "6"), "is not the image of"),
            (("static: {tolerance: 1e-11}", wave), CYCLIC + "contact: all\n", "do not go with 'contact:'"),
            (("static: {tolerance: 1e-11}", wave), CYCLIC + "couplings: [{set: inner, kind: rigid, at: [0, 0, 0]}]\n", "do not go with rigid"),
            (("static: {tolerance: 1e-11}", "static: {}}, {buckling: {}"), CYCLIC, "model all of it")):
        text = solve(folder, "refused", mesh, extra, status=2, change=change)
        expect("this build has no" in text or words in text.splitlines()[-1], f"{change}: {text}")
    text = solve(folder, "refused", mesh, CYCLIC, "mixed", status=2, change=("static: {tolerance: 1e-11}", wave))
    expect("do not go with 'elements: mixed'" in text, text)
    inner = "{set: inner, axes: {cylinder: {point: [0, 0, 0], axis: z}}, displacement: [~, 0, ~]}"
    both = "{set: last, displacement: [0.1, 0, ~]}\n  - {set: first, displacement: [0, 0, ~]}"
    text = solve(folder, "refused", mesh, CYCLIC, status=2, change=(inner, both))
    expect("contradict" in text, text)


def check_edits(folder):
    """Refined at one side alone it is tied to the image of the other, at both the sides match again; a replay has the same bits."""
    coarse = disc((3, 4, 2), ANGLE)
    tips, first = [], "steps: [{static: {tolerance: 1e-11}}]\n"
    for sets in (("last",), ("last", "first")):
        edits = ", ".join("{refine: {set: %s, longer_than: 0.3}}" % one for one in sets)
        steps = "steps:\n  - {static: {tolerance: 1e-11}}\n  - {edit: [%s], static: {tolerance: 1e-11}}\n" % edits
        frame = solve(folder, "edited", coarse, CYCLIC, change=(first, steps))
        done = execute(program, "replay", "edited.vtkhdf", folder=folder)
        expect(len(frame["Points"]) > len(coarse.points) and done.returncode == 0, f"refined at {sets}: {done.stderr}")
        tips.append(at_points(frame, coarse.points))
    off = abs(tips[0] - tips[1]).max() / abs(tips[1]).max()
    expect(1e-9 < off < 4e-2, f"refined at one side: {off:.1e} off")
    print(f"  refined at one side: {off:.1e} off the sector that is at both")


YOUNG, POISSON, SHARE = (1000.0, 100.0), (0.3, 0.2), 0.5
CELL = """mesh: cell.mesh
elements: %s
material: [{region: 1, young: 1000, poisson: 0.3}, {region: 2, young: 100, poisson: 0.2}]
sets:
""" + "".join("  %s%d: {plane: {point: [%s, %s, %s], normal: %s}, of: faces}\n" % (axis, end, *(str(end * (axis == a)) for a in "xyz"), axis)
              for axis in "xyz" for end in (0, 1)) + """  pin: {nearest: [0, 0, 0]}
constraints: [{set: pin, displacement: [0, 0, 0]}]
periodic: {sides: [{slave: x1, master: x0}, {slave: y1, master: y0}, {slave: z1, master: z0}], strain: %s}
steps: [{static: {tolerance: 1e-11}}]
"""


def laminate():
    """Its stiffness, layers across x, xx yy zz xy yz xz."""
    c = []
    for young, poisson in zip(YOUNG, POISSON):
        lame, shear = young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))
        c.append((lame + 2 * shear, lame, shear))
    mean = lambda f: sum(share * f(*one) for share, one in zip((SHARE, 1 - SHARE), c))
    a = 1 / mean(lambda p, l, g: 1 / p)
    b = a * mean(lambda p, l, g: l / p)
    out = numpy.zeros((6, 6))
    out[0, 0], out[0, 1:3], out[1:3, 0] = a, b, b
    out[1, 1] = out[2, 2] = mean(lambda p, l, g: p - l * l / p) + b * b / a
    out[1, 2] = out[2, 1] = mean(lambda p, l, g: l - l * l / p) + b * b / a
    out[3, 3] = out[5, 5] = 1 / mean(lambda p, l, g: 1 / g)
    out[4, 4] = mean(lambda p, l, g: g)
    return out


def check_cell(folder):
    there = laminate()
    for elements in ("linear", "quadratic"):
        points, tets = grid((4, 3, 2))
        tets = oriented(points, tets)
        region = 1 + (points[tets][:, :, 0].mean(axis=1) > SHARE)
        write_medit(os.path.join(folder, "cell.mesh"), Mesh(points, tets, region))
        for k in range(6):
            strain = [1e-3 * (k == i) for i in range(6)]
            write(folder, "cell.yaml", CELL % (elements, strain))
            done = execute(program, "run", "cell.yaml", "-o", "cell", "--device", "host", folder=folder)
            if not expect(done.returncode == 0, f"cell: {done.stderr}"):
                return
            force = {row["set"]: [float(row["tie_force_" + c]) for c in "xyz"] for row in rows(os.path.join(folder, "cell.sets.csv"))
                     if row["tie_force_x"]}
            x, y, z = (force[one + "1"] for one in "xyz")
            here = numpy.array((x[0], y[1], z[2], x[1], y[2], z[0])) / 1e-3
            off = abs(here - there[k]).max() / abs(there).max()
            expect(off < 1e-7, f"{elements}, strain {k}: {here}, not {there[k]}")
    print(f"  laminate, last strain: {off:.1e} off the closed form")


def check_taken(folder):
    """What equations take whole moves nothing: heat of a cell that keeps its size has the stress -E alpha dT / (1 - 2 nu)."""
    points, tets = grid((3, 3, 3))
    write_medit(os.path.join(folder, "cell.mesh"), Mesh(points, oriented(points, tets)))
    heat = "loads: [{temperature: {change: 1}}]\n"
    pull = "loads: [{set: x1, total_force: [0, 1, 0]}, {set: x0, total_force: [0, -1, 0]}]\n"
    static = "steps: [{static: {tolerance: 1e-11}}]"
    for elements, loads, steps in (("linear", heat, static), ("quadratic", heat, static), ("linear", heat, "steps: [{static: {solver: cholesky}}]"),
                                   ("linear", pull, static), ("mixed", heat, static), ("mixed", pull, static),
                                   ("linear", pull, "steps: [{harmonic: {frequencies: [1], method: direct, structural: 0.02}}]")):
        case = CELL.replace("[{region: 1, young: 1000, poisson: 0.3}, {region: 2, young: 100, poisson: 0.2}]",
                            "{young: 1000, poisson: 0.25, density: 1, expansion: 1e-3}")
        write(folder, "cell.yaml", case.replace(static, steps) % (elements, [0] * 6) + loads)
        done = execute(program, "run", "cell.yaml", "-o", "cell", "--device", "host", folder=folder)
        if "this build has no" in done.stderr or not expect(done.returncode == 0, f"taken, {elements}, {loads}{steps}: {done.stderr}"):
            continue
        frame = read_frames(os.path.join(folder, "cell.vtkhdf"))[-1]
        moved = max(abs(frame[name]).max() for name in frame if name.startswith("PointData/displacement"))
        expect(moved < 1e-12, f"taken, {elements}, {loads}{steps}: moves by {moved:.1e}")
        if loads == heat:
            stress = frame["CellData/stress"]
            expect(abs(stress[:, :3] + 2).max() < 1e-9 and abs(stress[:, 3:]).max() < 1e-9, f"taken, {elements}: stress {stress[0]}")


with tempfile.TemporaryDirectory(prefix="edgewise-") as scratch:
    check_disc(scratch)
    check_unlike(scratch)
    check_solid(scratch)
    check_modes(scratch)
    check_solid_modes(scratch)
    check_refused(scratch)
    check_edits(scratch)
    check_cell(scratch)
    check_taken(scratch)
sys.exit(finish("check_symmetry"))
