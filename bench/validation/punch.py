#!/usr/bin/python3
"""punch.py EDGEWISE [-o PAGE.md] [--seconds N]: a steel punch with a rounded edge on an aluminum cylinder, without friction and with it, NAFEMS' second
benchmark (Konter 2006, Advanced finite element contact benchmarks): radii 50 and 100 mm, heights 100 and 200 mm, the edge's radius 10 mm, 100 MPa on top.
A quarter. Beside displacement and pressure at the middle of the foundation that Code_Aster's test SSNA122 has (EDF 2018, axisymmetric). Needs h5py.
"""
import argparse
import math
import os
import tempfile

import contact
from contact import numpy

EXACT = {0.0: (-0.1307341, 91.10056), 0.1: (-0.1285802, 88.66524)}  # of SSNA122: mm, MPa
NEAR = [0, 6, 12, 18, 24, 29, 33, 36, 38, 39.2, 40]
CORNER = 10 * math.sin(math.pi / 4)


def spaced(places):
    """From numbers of points to places; of middles in the middle."""
    return lambda k: numpy.interp(k, numpy.arange(len(places)), places)


def round_about(radius, i, j):
    """A square of cells as a quarter of a disc: rings are where the larger number is the same."""
    large, small = numpy.maximum(i, j), numpy.minimum(i, j)
    turn = math.pi / 4 * small / numpy.maximum(large, 1e-9)
    angle = numpy.where(i >= j, turn, math.pi / 2 - turn)
    r = radius(large)
    return numpy.where(i == 0, 0.0, r * numpy.cos(angle)), numpy.where(j == 0, 0.0, r * numpy.sin(angle))


def punch(order):
    across = spaced(NEAR + [40.5, 41.1, 42, 43.5, 45.3, 40 + CORNER])
    out = spaced(NEAR + [40.4, 40.9, 41.6, 42.6, 44.5, 48, 54, 63, 78, 100])
    up, down = spaced([0, 0.8, 1.8, 3.2, 5.2, 8.5, 14, 22, 35, 55, 76, 100]), spaced([0, 0.8, 1.8, 3.2, 5.2, 8.5, 14, 22, 35, 55, 90, 140, 200])

    def rounded(i, j, k):
        """Half of the rounding is below, the rest at the side."""
        low = 10 - numpy.sqrt(100 - numpy.maximum(across(numpy.maximum(i, j)) - 40, 0) ** 2)
        t = up(k) / 100
        edge = (1 - t) * (10 - CORNER) + 100 * t
        side = 40 + numpy.sqrt(100 - numpy.maximum(10 - edge, 0) ** 2)
        x, y = round_about(lambda n: across(n) * (1 + (side / (40 + CORNER) - 1) * (across(n) / (40 + CORNER)) ** 2), i, j)
        return x, y, (1 - t) * low + 100 * t

    def plain(i, j, k):
        return *round_about(out, i, j), -down(12 - k)
    parts = [contact.Part((20, 20, 12), plain), contact.Part((16, 16, 11), rounded)]
    supports = [(1, 0, 0.0), (3, 1, 0.0), (11, 0, 0.0), (13, 1, 0.0)] + [(5, c, 0.0) for c in range(3)]
    return contact.Assembly("punch with a rounded edge (NAFEMS)", order, parts, [70e3, 210e3], supports, (15, 6), None, load=(16, 100.0))


def press(program, folder, of, friction, seconds):
    """Displacements of the middle, of the foundation and of the punch's two ends; the mean pressure where r < 12.5 mm; iterations, seconds."""
    contact.write_mesh(os.path.join(folder, "parts.mesh"), of)
    lines = ["mesh: parts.mesh", f"elements: {of.order}", "material:"]
    lines += [f"  - {{region: {k + 1}, young: {young!r}, poisson: 0.3}}" for k, young in enumerate(of.young)]
    lines += ["sets:"] + [f"  s{label}: {{surface: {label}}}" for label in of.faces] + ["constraints:"]
    for label, c, value in of.supports:
        lines.append("  - {set: s%d, displacement: [%s]}" % (label, ", ".join(repr(value) if k == c else "~" for k in range(3))))
    lines.append(f"loads: [{{set: s16, pressure: {of.load[1]!r}}}]")
    lines.append(f"contact: [{{slave: s15, master: s6, friction: {friction!r}}}]" if friction else "contact: [{slave: s15, master: s6}]")
    frame, spent = contact.solve(program, folder, lines, seconds)
    place = {int(v): k for k, v in enumerate(frame["PointData/vertex_id"]) if v >= 0}
    at = [place[k] for k in range(len(of.points))]
    moved, pressure = frame["PointData/displacement"][at, 2], frame["PointData/contact_pressure"][at]
    radius, area = numpy.hypot(*of.points[:, :2].T), of.areas()
    middle = [moved[numpy.unique(of.corners(label))][radius[numpy.unique(of.corners(label))].argmin()] for label in (6, 15, 16)]
    inside = (area > 0) & (radius < 12.5)
    return middle, numpy.average(pressure[inside], weights=area[inside]), int(frame["numbers"]["iterations"]), spent


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("-o", "--output")
    parser.add_argument("--seconds", type=int, default=300)
    options = parser.parse_args()
    page = ["| punch with a rounded edge (NAFEMS) | tets | middle of the foundation | pressure | middle of the punch, below and on top | iterations | seconds |",
            "| --- | --- | --- | --- | --- | --- | --- |"]
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        for order in ("quadratic", "curved"):
            of = punch(order)
            for friction, (move, load) in EXACT.items():
                middle, pressure, iterations, spent = press(os.path.abspath(options.program), folder, of, friction, options.seconds)
                page.append(f"| {'curved sides' if of.is_curved else 'straight sides'}, friction {friction:g} | {len(of.tets):,} "
                            f"| {middle[0]:.4f} mm, {100 * (middle[0] / move - 1):+.1f} % | {pressure:.1f} MPa, {100 * (pressure / load - 1):+.1f} % "
                            f"| {middle[1]:.4f}, {middle[2]:.4f} mm | {iterations} | {spent:.1f} |")
                print(page[-1], flush=True)
    if options.output:
        contact.put_table(options.output, "| punch with", page)


if __name__ == "__main__":
    main()
