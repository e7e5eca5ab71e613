"""Combinations of a sweep side by side give the files of one after the other, whatever their steps are: bits of the
result and numbers of all tables but times; with failures, edits, sets, and what threads leave to be done again.
Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import os
import sys
import tempfile

import support
from support import expect, expect_same, write

program, source = sys.argv[1], sys.argv[2]

CASE = """mesh: part.mesh
HEAD
parameters: {push: 1, depth: 0.03, young: 210e9}
sweep: {list: [{push: 1}, {push: 2, depth: 0.05}, {depth: -1}, {push: 3, young: 0}, {push: 4, depth: 0.02}, {depth: 9}]}
material: {young: young, poisson: 0.3, density: 7850, expansion: 1e-5}
sets: {wall: {surface: 1}, end: {surface: 2}, low: {box: [[0, -1, -1], [0.5, 1, 1]], of: tets}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: end, total_force: [0, 0, push]}]
steps:
STEPS
"""
HOLE = "edit: [{remove: {sphere: {center: [0.5, 0, 0], radius: depth}}}]"
PLAIN = f"  - {{name: a, {HOLE}, static: {{}}}}\n"
CASES = {  # lines of the head, steps, other files that a run leaves
    "steps": ("output: {every: 2, fields: [displacement, von_mises, error]}",
              PLAIN + "  - {name: b, loads: [{gravity: [0, 0, -push]}], static: {}}\n"
              "  - {name: c, edit: [{refine: {longer_than: 0.06, set: low}}]}\n"
              "  - {name: d, reset: true, sets: {near: {box: [[0, -1, -1], [0.2 + depth, 1, 1]]}}, static: {}}\n", ()),
    "cuts": ("", "  - {name: a, edit: [{cut: {cylinder: {from: [0.5, -1, 0], to: [0.5, 1, 0], radius: depth}, name: hole}}], static: {}}\n", ()),
    "warm-body": ("", "  - {name: a, loads: [{temperature: 20 * push}], static: {}}\n", ()),
    "quadratic": ("elements: quadratic", PLAIN, ()),
    "mixed": ("elements: mixed", PLAIN, ()),
    "large": ("kinematics: corotational", "  - {name: a, static: {nonlinear: {}}}\n", ()),
    "moving": ("", PLAIN + "  - {name: b, dynamic: {step: 1e-4, steps: 8, output: {every: 4}}}\n", (".energy.csv",)),
    "lighter": ("", "  - {name: a, optimise: {remove: {radius: 0.1, volume: 90 %, rate: 5 %}}, static: {}}\n", (".removal.csv",)),
}


def check_case(folder, name, head, steps, more):
    write(folder, name + ".yaml", CASE.replace("HEAD\n", (head if "elements" in head else f"elements: linear\n{head}").rstrip() + "\n").replace("STEPS\n", steps))
    failures = set()
    for jobs in (1, 2, 5):  # more than there are left
        options = ("--jobs", str(jobs)) if jobs > 1 else ()
        done = support.execute(program, "run", name + ".yaml", "-o", f"{name}-{jobs}", "--device", "host", *options, folder=folder)
        if not expect(done.returncode == 0, f"{name} with {jobs} jobs: {done.stderr}"):
            return
        failures.add(tuple(line for line in done.stdout.splitlines() if "failed" in line and "see" not in line))
        if jobs > 1:
            expect_same(folder, f"{name}-1", f"{name}-{jobs}", f"{name} with {jobs} jobs", (".csv", ".sets.csv", *more))
    expect(len(failures) == 1 and len(failures.pop()) >= 2, f"{name}: failures are told alike")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        done = support.execute(program, "shape", "box", "--size", "1,0.1,0.1", "--cells", "20,3,3", "-o", "part.mesh", folder=folder)
        expect(done.returncode == 0, done.stderr)
        for name, (head, steps, more) in CASES.items():
            print(name, flush=True)
            check_case(folder, name, head, steps, more)
    return support.finish("check_jobs")


sys.exit(main())
