#!/usr/bin/python3
"""check_hole_sweep.py PROGRAM SOURCE_DIR BUILD_DIR

datasets/hole-sweep.yaml: a hole of 22 radii that a sweep moves. Its file as check_datasets.py checks it, the volume that each
hole leaves, rows and frames that name the radius, the stress at the hole against Howland's within 5 % and without jumps, and the
same stress where each radius is cut from the plate of the case."""
import csv
import math
import os
import sys
import tempfile

import support
from support import expect, numpy

program, source = sys.argv[1], sys.argv[2]
RADII = list(range(5, 27))


def howland(r):
    """Stress at the hole over that far away, for a plate of width 100 (Pilkey's fit, chart 4.1)."""
    share = 1 - 2 * r / 100
    return .284 + 2 / share - .6 * share + 1.32 * share * share


def peak(frame, r):
    """Along the plate, at the crown of the hole: mean of the vertices there."""
    points = frame["Points"]
    at = (abs(points[:, 0]) < 1e-9) & (abs(points[:, 1] - r) < 1e-6 * r)
    at &= numpy.isin(numpy.arange(len(points)), frame["Tets"][:, :4])
    return frame["PointData/stress"][at, 0].mean()


def run(folder, name, start):
    """Frames and rows of the case with this `start:`."""
    with open(os.path.join(source, "datasets", "hole-sweep.yaml"), encoding="utf-8") as file:
        text = file.read().replace("mesh: ", f"mesh: {os.path.join(source, 'datasets')}/").replace("start: continue", f"start: {start}")
    support.write(folder, name + ".yaml", text)
    if support.run(program, "run", name + ".yaml", "-o", name, "--device", "host", "--quiet", folder=folder) is None:
        sys.exit(support.finish("check_hole_sweep"))
    with open(os.path.join(folder, name + ".csv"), newline="", encoding="utf-8") as file:
        return support.read_frames(os.path.join(folder, name + ".vtkhdf")), list(csv.DictReader(file))


def check(name, frames, rows):
    """Peaks over Howland's."""
    expect([float(row["parameter_r"]) for row in rows] == RADII, f"{name}: radii of the rows")
    expect(not any(row["failure"] for row in rows), f"{name}: failures")
    expect([frame["numbers"]["parameter_r"] for frame in frames] == RADII, f"{name}: radii of the frames")
    ratios = []
    for r, frame in zip(RADII, frames):
        volume, whole = frame["numbers"]["volume"], 2.5 * (5000 - math.pi * r * r / 4)
        expect(0 < volume / whole - 1 < 2e-3, f"{name}: r = {r}: volume {volume} beside {whole}")
        expect(abs(frame["numbers"]["reaction_force"][0] / -125 - 1) < 1e-6, f"{name}: r = {r}: reaction")
        ratios.append(peak(frame, r) / howland(r))
    off = [ratio - 1 for ratio in ratios]
    jump = max(abs(b - a) for a, b in zip(off, off[1:]))
    expect(max(map(abs, off)) < .05, f"{name}: {max(map(abs, off)):.3f} off Howland's stress")
    expect(jump < .03, f"{name}: jumps by {jump:.3f}")
    print(f"{name}: {100 * max(map(abs, off)):.1f} % off at most, jumps of {100 * jump:.1f} %")
    return numpy.array(ratios)


with tempfile.TemporaryDirectory() as scratch:
    moved_frames, moved_rows = run(scratch, "moved", "continue")
    moved = check("moved", moved_frames, moved_rows)
    goes_on = sum(int(frame["numbers"]["goes_on"]) for frame in moved_frames)
    expect(goes_on >= 8, f"moved: {goes_on} radii go on from the one before")
    cut = check("cut each", *run(scratch, "each", "fresh"))
    expect(abs(moved / cut - 1).max() < .04, f"moved and cut differ by {abs(moved / cut - 1).max()}")
sys.exit(support.finish("check_hole_sweep"))
