#!/usr/bin/python3
"""check_dynamic_cases.py PROGRAM SOURCE_DIR BUILD_DIR

The dynamic cases of datasets/: their files as check_datasets.py checks them, and what they are there to show. A
cantilever vibrates at its frequency, with its damping; a beam that is cut while it swings comes apart, and momentum and
energy go on without a jump."""
import csv
import math
import os
import sys
import tempfile

import check_datasets
import support
from support import expect, numpy

program, source = sys.argv[1], sys.argv[2]


def run(folder, name):
    """Frames, and the probes as {name: {column: values}}."""
    case = os.path.join(source, "datasets", name + ".yaml")
    if support.run(program, "run", case, "-o", name, "--device", "host", "--verify-rebuild", "--quiet",
                   folder=folder) is None:
        return None, None
    with open(os.path.join(folder, name + ".probes.csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    probes = {}
    for row in rows:
        columns = probes.setdefault(row["probe"], {})
        for key, value in row.items():
            if key not in ("step", "probe"):
                columns.setdefault(key, []).append(float(value))
    probes = {probe: {key: numpy.array(values) for key, values in columns.items()}
              for probe, columns in probes.items()}
    return support.read_frames(os.path.join(folder, name + ".vtkhdf")), probes


def check_cantilever(folder):
    """Timoshenko's first frequency, corrected by the stiffness that the mesh has in statics; Rayleigh damping of
    alpha / 2 w + beta w / 2."""
    frames, probes = run(folder, "cantilever")
    if not frames:
        return
    check_datasets.check_file(os.path.join(folder, "cantilever"), 210e9, 0.3)
    tip = probes["tip"]
    t, u = tip["time"], tip["displacement_z"]
    # The mesh's cut across is not symmetric: it bends out of the plane a little. z + y and z - y are the main axes.
    main = u - tip["displacement_y"]
    crossing = [t[k] + (t[k + 1] - t[k]) * main[k] / (main[k] - main[k + 1])
                for k in range(len(t) - 1) if main[k] * main[k + 1] < 0]
    frequency = 0.5 / numpy.diff(crossing).mean()
    softer = 1.92e-4 / abs(main[0])
    expect(abs(frequency / (82.6 * math.sqrt(softer)) - 1) < 0.01, f"cantilever: {frequency} Hz, stiffness {softer}")
    energy = [f["numbers"]["kinetic_energy"] + f["numbers"]["strain_energy"] for f in frames[1:]]
    w = 2 * math.pi * frequency
    ratio = 5.2 / (2 * w) + 1.9e-5 * w / 2
    measured = math.log(energy[0] / energy[-1]) / (2 * w * frames[-1]["numbers"]["time"])
    # Higher modes, some per cent of the energy, are damped more; when energy is taken changes along a period.
    expect(abs(measured / ratio - 1) < 0.1, f"cantilever: damping {measured}, Rayleigh {ratio}")
    for frame in frames[1:]:
        expect(abs(frame["numbers"]["energy_balance"]) < 1e-7 * energy[0], "cantilever: balance")
    print(f"cantilever: {frequency:.2f} Hz, damping {100 * measured:.2f} %, Rayleigh {100 * ratio:.2f} %")


def momentum_beyond(frame, x):
    """Lumped, of the tets beyond a plane."""
    tets = frame["Tets"][frame["Points"][frame["Tets"]][:, :, 0].mean(axis=1) > x]
    corner = frame["Points"][tets]
    volume = numpy.linalg.det(corner[:, 1:] - corner[:, :1]) / 6
    return (1000 * volume[:, None] * frame["PointData/velocity"][tets].mean(axis=1)).sum(axis=0)


def check_beam_cut(folder):
    frames, probes = run(folder, "beam-cut")
    if not frames:
        return
    check_datasets.check_file(os.path.join(folder, "beam-cut"), 20e6, 0.4)
    moving = frames[1:]
    cut = [k for k in range(1, len(moving)) if moving[k]["numbers"]["n_tet"] < moving[k - 1]["numbers"]["n_tet"]]
    expect(len(cut) == 1 and 0.12 < moving[cut[0]]["numbers"]["time"] <= 0.125, f"beam-cut: cut in outputs {cut}")
    after = moving[cut[0]:]
    # The outer piece is free: its momentum stays, and is what it was before but for what acted until the cut.
    momentum = numpy.array([momentum_beyond(frame, 0.61) for frame in after])
    size = numpy.linalg.norm(momentum[0])
    expect(abs(momentum - momentum[0]).max() < 1e-6 * size, f"beam-cut: momentum of the outer piece {momentum}")
    t, v = probes["outer"]["time"], probes["outer"]["velocity_z"]
    a = probes["outer"]["acceleration_z"]
    jump = abs(numpy.diff(v) - numpy.diff(t) * (a[1:] + a[:-1]) / 2)
    expect(jump.max() < 0.05 * abs(v).max(), f"beam-cut: the velocity jumps by {jump.max()} of {abs(v).max()}")
    start = moving[0]["numbers"]["initial_energy"]
    for frame in moving:
        numbers = frame["numbers"]
        expect(abs(numbers["energy_balance"]) < 1e-7 * start, f"beam-cut: balance {numbers['energy_balance']}")
        expect((numbers["edit_work"] == 0) == (numbers["time"] < 0.1200001), "beam-cut: the cut takes energy once")
    expect(len({frame["numbers"]["edit_work"] for frame in after}) == 1 and -0.1 * start < after[0]["numbers"]["edit_work"] < 0,
           f"beam-cut: the cut takes {after[0]['numbers']['edit_work']} of {start}")
    last = frames[-1]
    where = last["Points"] + last["PointData/displacement"]
    inner, outer = (where[mask & (abs(last["Points"][:, 0] - 0.61) < 0.02)] for mask in
                    (last["Points"][:, 0] < 0.61, last["Points"][:, 0] > 0.61))
    gap = outer[:, 2].mean() - inner[:, 2].mean()
    expect(gap > 0.1, f"beam-cut: the pieces are {gap} apart")
    print(f"beam-cut: edit work {after[0]['numbers']['edit_work'] / start:.3f} of the energy, pieces {gap:.3f} m apart")


def check_report(folder):
    """The page has the energies of the step and what its probes saw; the list of outputs has their times."""
    support.run(program, "report", "beam-cut.vtkhdf", "-o", "beam-cut.html", folder=folder)
    with open(os.path.join(folder, "beam-cut.html"), encoding="utf-8") as file:
        page = file.read()
    for title in ("energy, step 'swing'", "displacement of 'tip'", "velocity of 'outer'", "reaction of 'wall'"):
        expect(f"class='title'>{title}" in page.replace("&#39;", "'"), f"report: no chart '{title}'")
    told = support.run(program, "info", "beam-cut.vtkhdf", folder=folder)
    expect("outputs     14, 14 frames" in told and " 0.125 " in told and "time" in told, f"info: {told}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_cantilever(folder)
        check_beam_cut(folder)
        check_report(folder)
    return support.finish("dynamic cases")


sys.exit(main())
