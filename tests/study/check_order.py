#!/usr/bin/env python3
"""check_order.py EDGEWISE SOURCE: which tets a case has that says nothing of elements: quadratic ones, and linear ones where
something in it takes no others, with the line that says why; what is recorded is what a replay computes, also of a result
that records nothing; and that a step within an energy error says where it estimates none."""
import os
import sys
import tempfile

import support
from support import execute, expect, h5py, numpy, write

program = os.path.abspath(sys.argv[1])

BEAM = """mesh: beam.mesh
material: {young: 1000, poisson: 0.3, density: 1}
sets: {wall: {surface: 1}, tip: {surface: 2, of: vertices}}
amplitudes: {wave: {table: [[0, 0], [1, 1]]}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: tip, total_force: [0, 0, -1e-3]}]
"""
TURNED = "  - constraints: [{set: wall, displacement: [0, 0.1, 0], amplitude: wave, axes: {cylinder: {point: [0, 9, 0], axis: x}}}]\n    "
MOTION = "dynamic: {step: 0.01, steps: 2%s}\n"
KINDS = (("plain", "", "quadratic"), ("named", "elements: linear\n", "linear"), ("mixed", "elements: mixed\n", "mixed"),
         ("stored", "steps: [{static: {operator: stored}}]\n", "quadratic"),
         ("products", "steps: [{static: {operator: matrix-free}}]\n", "linear, for 'operator: matrix-free'"),
         ("given", "elements: quadratic\nsteps: [{edit: [{enrich: {set: tip}}], static: {}}]\n", "quadratic"),
         ("enriched", "steps: [{edit: [{enrich: {set: tip}}], static: {}}]\n", "linear, for 'enrich' says"),
         ("back", "steps: [{edit: [{enrich: {set: tip, order: linear}}], static: {}}]\n", "quadratic"),
         ("large", "kinematics: corotational\nsteps: [{static: {nonlinear: {}}}]\n", "quadratic"),
         ("motion", "steps:\n  - " + MOTION % "", "quadratic"),
         ("turned", "steps:\n" + TURNED + MOTION % "", "linear, for an amplitude moves a support along the axes of a cylinder"),
         ("going on", "steps:\n  - " + MOTION % ", initial: {from: {result: plain.vtkhdf}}", "linear, for a result that motion starts from"))


def first_line(*arguments, folder):
    done = execute(program, *arguments, folder=folder)
    if not expect(done.returncode == 0, f"{arguments}: {done.stderr}"):
        return ""
    return next((line for line in done.stdout.splitlines() if line.startswith("elements ")), "")


def check_kinds(folder):
    for name, text, words in KINDS:
        write(folder, "case.yaml", BEAM + text)
        told = [first_line("run", "case.yaml", "-o", name.replace(" ", "-"), "--device", "host", folder=folder),
                first_line("info", "case.yaml", folder=folder)]
        for line in told:
            expect(line.startswith(f"elements           {words}") and (words != "quadratic" or line.endswith(words)),
                   f"{name}: {line!r}")
        with h5py.File(os.path.join(folder, name.replace(" ", "-") + ".vtkhdf")) as file:
            expect(file["Edgewise"].attrs["elements"].decode() == words.split(",")[0], f"{name}: recorded")
    write(folder, "case.yaml", BEAM)
    line = first_line("run", "case.yaml", "-o", "given", "--operator", "matrix-free", "--device", "host", folder=folder)
    expect("linear, for 'operator: matrix-free'" in line, f"--operator: {line}")


def check_estimates(folder):
    """A step with a tolerance of the energy says why it has no estimate of its error."""
    for kind, solver, words in (("linear", "rigid", "error at most"), ("linear", "jacobi", "its preconditioner gives none"),
                                ("mixed", "auto", "error at most")):
        write(folder, "case.yaml", f"{BEAM}elements: {kind}\nsteps: [{{static: {{energy_tolerance: 1e-3, preconditioner: {solver}}}}}]\n")
        done = execute(program, "run", "case.yaml", "-o", "estimate", "--verbose", "--device", "host", folder=folder)
        expect(done.returncode == 0 and words in done.stdout, f"{kind}, {solver}: {done.stdout}{done.stderr}")


def check_replay(folder):
    """The result of a version that knew no kind to record: linear tets of a case that says nothing."""
    for name in ("plain", "named"):
        done = execute(program, "replay", f"{name}.vtkhdf", "-o", "again", folder=folder)
        expect("same bits" in done.stdout and f"elements           {'quadratic' if name == 'plain' else 'linear'}" in done.stdout,
               f"replay of {name}: {done.stdout}{done.stderr}")
    with h5py.File(os.path.join(folder, "named.vtkhdf"), "r+") as file:
        del file["Edgewise"].attrs["elements"], file["Edgewise/case"]
        file["Edgewise/case"] = numpy.bytes_(BEAM.encode())
    done = execute(program, "replay", "named.vtkhdf", "-o", "again", folder=folder)
    expect("same bits" in done.stdout, f"replay of a result without a kind: {done.stdout}{done.stderr}")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        done = execute(program, "shape", "box", "--size", "4,1,1", "--cells", "4,1,1", "-o", "beam.mesh", folder=folder)
        expect(done.returncode == 0, done.stderr)
        check_kinds(folder)
        check_estimates(folder)
        check_replay(folder)
    return support.finish("kinds of tets")


sys.exit(main())
