#!/usr/bin/python3
"""nafems.py EDGEWISE [-o PAGE.md] [--seconds N]: two more of NAFEMS' problems of contact with friction, beside what others have published and
beside CalculiX (surface to surface) on the same nodes.

Sliding block (CGS-4; Feng & Prinja 2001, Benchmark tests for finite element modelling of contact, gapping and sliding, R0081): a block under
G = 40 is pushed up a slope, tan a = 0.1, by F = G (tan a + mu) / (1 - mu tan a), for pressures of any kind. Loaded pin (Konter 2006,
benchmark 4, in plane strain as Code_Aster's SSNP156): a steel pin fills a hole of an aluminum sheet that is fixed at its other end, mu 0.1.
Needs h5py; ccx where CalculiX is to be shown.
"""
import argparse
import csv
import math
import os
import shutil
import tempfile

import contact
from contact import numpy

FORMULA = {0.0: 0.1, 0.1: 0.2 / 0.99, 0.2: 0.3 / 0.98, 0.3: 0.4 / 0.97}
# of SSNP156 (EDF 2021), linear and quadratic elements: displacement of the sheet where the pin presses, mm, and the pressure there, MPa, once
# as taken from the benchmark and once as Code_Aster has them
PIN = {"linear": (0.71799, 136.67, 0.72092, 136.78), "quadratic": (0.73617, 160.40, 0.73924, 160.51)}
PULL = 10e3  # of half of the pin, N for each mm


def sliding_block(order, friction):
    foot = contact.Part((12, 1, 3), lambda x, y, z: (x / 2, y, z / 3 * (0.7 + 0.05 * x)))
    block = contact.Part((9, 1, 3), lambda x, y, z: (1 + 4 * x / 9, y, (1 - z / 3) * (0.8 + 0.4 * x / 9) + 2 * z / 3))
    supports = [(5, c, 0.0) for c in (0, 2)] + [(label, 1, 0.0) for label in (3, 4, 13, 14)] + [(11, 0, 0.2)]
    of = contact.Assembly("sliding block (NAFEMS CGS-4)", order, [foot, block], [1100.0, 1100.0], supports, (15, 6), None, load=(16, 10.0))
    of.poisson, of.friction = 0.0, friction
    return of


def loaded_pin(order, f, friction):
    """Half of it, y >= 0; the pin a disc of radius 50, the sheet from x = -200 to a half circle of radius 100."""
    def disc(i, j, k):
        n = 6 * f
        u, v = (i - n) / n, j / n
        large, small = numpy.maximum(abs(u), v), numpy.minimum(abs(u), v)
        turn = math.pi / 4 * small / numpy.maximum(large, 1e-9)
        angle = numpy.where(abs(u) >= v, turn, math.pi / 2 - turn)
        x = 50 * large * numpy.cos(angle) * numpy.sign(u)
        return numpy.where(i == n, 0.0, x), numpy.where(j == 0, 0.0, 50 * large * numpy.sin(angle)), 5.0 * k / f

    corner = math.pi - math.atan(0.5)
    stops = [0, math.pi / 2, corner, math.pi]

    def sheet(i, j, k):
        a = numpy.interp(j / f, [0, 11, 18, 21], stops)
        side = numpy.where(a <= corner, 100 / numpy.maximum(numpy.sin(a), 1e-9), 200 / numpy.maximum(-numpy.cos(a), 1e-9))
        out = numpy.where(a <= math.pi / 2, 100.0, side)
        t = (numpy.exp(1.6 * i / (7 * f)) - 1) / (math.exp(1.6) - 1)
        r = 50 + (out - 50) * t
        return r * numpy.cos(a), numpy.where((j == 0) | (j == 21 * f), 0.0, r * numpy.sin(a)), 5.0 * k / f
    pin, plate = contact.Part((12 * f, 6 * f, 1), disc), contact.Part((7 * f, 21 * f, 1), sheet)
    rim = [face for label in (1, 2, 4) for face in pin.faces[label]]  # of the square of cells
    pin.faces = {1: rim, 3: pin.faces[3], 5: pin.faces[5], 6: pin.faces[6]}
    # the labels of the sheet: 1 the hole, 2 its rim, 3 and 4 the plane of symmetry, 7 the end that is fixed
    ends = [(t, s) for t, s in plate.faces[2] if (plate.points[plate.tets[t][list(contact.FACES[s])], 0] < -199.999).all()]
    plate.faces[7] = ends
    supports = [(3, 1, 0.0), (13, 1, 0.0), (14, 1, 0.0)] + [(label, 2, 0.0) for label in (5, 6, 15, 16)] + [(17, c, 0.0) for c in range(2)]
    of = contact.Assembly("loaded pin (NAFEMS)", order, [pin, plate], [210e3, 70e3], supports, (11, 1), None)
    middle = numpy.flatnonzero(abs(of.points[:, :2]).max(1) < 1e-9).tolist()
    of.friction, of.force = friction, (middle, (PULL * 5.0 / f, 0.0, 0.0))
    return of


def push(program, folder, order, friction, seconds, large=False):
    """What pushes the block, beside the formula; iterations, seconds. large: with rotations and sliding of any size, in five load steps."""
    of = sliding_block(order, friction)
    contact.write_mesh(os.path.join(folder, "parts.mesh"), of)
    lines = contact.write_case(of) + (["kinematics: corotational", "steps: [{static: {nonlinear: {steps: 5}}}]"] if large else [])
    frame, spent = contact.solve(program, folder, lines, seconds)
    with open(os.path.join(folder, "ours.sets.csv"), encoding="utf-8") as file:
        pushed = [float(row["reaction_force_x"]) for row in csv.DictReader(file) if row["set"] == "s11"][-1]
    exact = 40 * FORMULA[friction]
    return f"F / G {pushed / 40:.6f}, {100 * (pushed / exact - 1):+.4f} %", int(frame["numbers"]["iterations"]), spent


def pull(of, displacement, pressure):
    """At the point of the sheet where the pin presses, and over all."""
    at = numpy.unique(of.corners(11))
    at = at[(of.points[at, 0] > 49.999)]
    on = numpy.unique(of.corners(of.contact[0]))
    near = on[numpy.hypot(of.points[on, 0] - 50, of.points[on, 1]) < 1e-6]
    return displacement[at].mean(), pressure[near].mean(), pressure.max()


def words(found, order):
    wanted = PIN["linear" if order == "linear" else "quadratic"]
    return (f"{found[0]:.4f} mm, {100 * (found[0] / wanted[0] - 1):+.1f} % | {found[1]:.1f} MPa, {100 * (found[1] / wanted[1] - 1):+.1f} % "
            f"| {found[2]:.1f} MPa")


def blocks(program, folder, seconds):
    yield "| sliding block (NAFEMS CGS-4) | friction | | F / G beside the formula | iterations | seconds |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for order in ("linear", "quadratic"):
        for friction in FORMULA:
            for large in (False, True):
                how = ", large rotations" if large else ""
                said, iterations, spent = push(program, folder, order, friction, seconds, large)
                yield f"| {order} | {friction:g} | Edgewise{how} | {said} | {iterations} | {spent:.1f} |"
                if shutil.which("ccx"):
                    of = sliding_block(order, friction)
                    of.is_large = large
                    found = contact.theirs(folder, of, "SURFACE TO SURFACE", seconds)
                    said = found if isinstance(found, str) else f"F / G {found[1] / 40:.6f}, {100 * (found[1] / 40 / FORMULA[friction] - 1):+.4f} %"
                    rest = "| |" if isinstance(found, str) else f"{found[2]} | {found[3]:.1f} |"
                    yield f"| {order} | {friction:g} | CalculiX{how} | {said} | {rest}"


def pins(program, folder, seconds):
    yield "| loaded pin (NAFEMS) | tets | | sheet where the pin presses | pressure there | largest | iterations | seconds |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for order in ("linear", "quadratic", "curved"):
        for f in (1, 2, 4):
            of = loaded_pin(order, f, 0.1)
            contact.write_mesh(os.path.join(folder, "parts.mesh"), of)
            frame, spent = contact.solve(program, folder, contact.write_case(of), seconds)
            found = pull(of, contact.at_points(frame, of, "displacement")[:, 0], contact.at_points(frame, of, "contact_pressure"))
            yield f"| {order} | {len(of.tets):,} | Edgewise | {words(found, order)} | {int(frame['numbers']['iterations'])} | {spent:.1f} |"
            if shutil.which("ccx") and f < 4:
                other = contact.theirs(folder, of, "SURFACE TO SURFACE", seconds)
                if isinstance(other, str):
                    yield f"| {order} | {len(of.tets):,} | CalculiX | {other} | | | | |"
                    continue
                moved = contact.read_nodes(os.path.join(folder, "deck.frd"), len(of.points), "DISP", 0)
                yield f"| {order} | {len(of.tets):,} | CalculiX | {words(pull(of, moved, other[0]), order)} | {other[2]} | {other[3]:.1f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("-o", "--output")
    parser.add_argument("--seconds", type=int, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        for make, head in ((blocks, "| sliding block"), (pins, "| loaded pin")):
            page = []
            for row in make(os.path.abspath(options.program), folder, options.seconds):
                page.append(row)
                print(row, flush=True)
            if options.output:
                contact.put_table(options.output, head, page)


if __name__ == "__main__":
    main()
