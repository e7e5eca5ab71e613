"""Combinations of a sweep side by side give the files of one after the other, whatever their steps are: bits of the
result and numbers of all tables but times; with failures, edits, sets, and what threads leave to be done again. Goals
against those numbers and against differences, and reports of goals or numbers alone.
Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import csv
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


GOALS = """mesh: part.mesh
elements: ELEMENTS
parameters: {push: 1, young: 210e9, twice: 2 * push}
sweep: {list: LIST, report: REPORT, start: START}
material: {young: young, poisson: 0.3, density: 7850}
sets: {wall: {surface: 1}, end: {surface: 2}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: end, total_force: [push, 0, push]}]
goals:
  tip: {of: displacement, set: end, direction: z, by: [push, young]}
  near: {of: displacement, point: [1, 0, 0]}
  wall: {of: reaction, set: wall}
  work: {of: compliance, by: [young]}
  energy: {of: energy}
  root: {of: stress, component: xx, point: [0, 0.05, 0.05], by: [push]}
  mean: {of: von_mises, set: end}
  peak: {of: max_von_mises, by: [young, push]}
"""
LIST = "[{push: 1}, {push: 2, young: 100e9}, {push: 4}, {push: 3, young: 150e9}, {push: 3.000003, young: 150e9}, {push: 3, young: 150000.15e6}]"
SAME = ("tets", "volume", "mass")


def rows_of(folder, name, elements, report, start="fresh", options=()):
    case = GOALS.replace("LIST", LIST).replace("REPORT", report).replace("START", start).replace("ELEMENTS", elements)
    write(folder, name + ".yaml", case)
    done = support.execute(program, "run", name + ".yaml", "--device", "host", *options, folder=folder)
    if not expect(done.returncode == 0, f"{name}: {done.stderr}"):
        return []
    with open(os.path.join(folder, name + ".csv"), encoding="utf-8") as file:
        return list(csv.DictReader(file))


def expect_near(value, wanted, tolerance, what):
    expect(value != "" and abs(float(value) - float(wanted)) <= tolerance * abs(float(wanted)), f"{what}: {value}, not {wanted}")


def check_goals(folder, elements):
    rows = rows_of(folder, "goals-fields", elements, "fields")
    if len(rows) != 6:
        return
    for row in rows:
        expect_near(row["goal_wall"], row["reaction"], 1e-6, f"{elements}: reaction")
        expect_near(row["goal_work"], 2 * float(row["goal_energy"]), 1e-6, f"{elements}: energy")
        expect_near(row["goal_peak"], row["max_tet_von_mises"], 1e-12, f"{elements}: largest stress")
        expect_near(row["goal_tip_by_push"], float(row["goal_tip"]) / float(row["parameter_push"]), 1e-5, f"{elements}: by a load")
        expect_near(row["goal_work_by_young"], -float(row["goal_work"]) / float(row["parameter_young"]), 1e-5, f"{elements}: by a modulus")
        expect_near(row["goal_root_by_push"], float(row["goal_root"]) / float(row["parameter_push"]), 1e-5, f"{elements}: stress by a load")
        expect(row["goal_tip_bound"] == "", "a bound without an energy tolerance")
    for name, of, step in (("tip", "push", 3e-6), ("peak", "push", 3e-6)):
        difference = (float(rows[4][f"goal_{name}"]) - float(rows[3][f"goal_{name}"])) / step
        expect_near(rows[3][f"goal_{name}_by_{of}"], difference, 1e-2, f"{elements}: {name} by {of}, difference")
    goals = [key for key in rows[0] if key.startswith("goal_")]
    for report, start, options in (("goals", "fresh", ()), ("goals", "fresh", ("--jobs", "2")), ("goals", "continue", ()), ("numbers", "warm", ())):
        what = f"{elements}, report {report}, start {start} {options}"
        for row, wanted in zip(rows_of(folder, "goals-other", elements, report, start, options), rows):
            for key in (*goals, *SAME, *(("max_tet_von_mises", "reaction") if report == "numbers" else ())):
                if row[key] != wanted[key] and key != "goal_peak_by_young":
                    expect_near(row[key], wanted[key], 2e-5, f"{what}: {key}")
            expect((row["max_displacement"] == "") == (report == "goals") and row["error_share"] == "", f"{what}: what is left out")
        done = support.execute(program, "info", "goals-other.vtkhdf", folder=folder)
        expect(done.returncode == 0, f"{what}: {done.stderr}")
        steps = [line.split() for line in done.stdout.splitlines() if "#" in line and line.split()[0].isdigit()]
        expect(len(steps) == 6 and all((line[-3:-1] == ["-", "-"]) == (report == "goals") for line in steps), f"{what}: {done.stdout}")
    size = [os.path.getsize(os.path.join(folder, name + ".vtkhdf")) for name in ("goals-fields", "goals-other")]
    expect(size[1] < size[0], f"{elements}: fields are left out: {size}")


def check_told(folder):
    """Goals are in the table at the end, and a step that has none says so."""
    head = GOALS[:GOALS.index("goals:")].replace("sweep: {list: LIST, report: REPORT, start: START}\n", "").replace("ELEMENTS", "linear")
    write(folder, "told.yaml", head + "goals: {tip: {of: displacement, set: end, direction: z}}\nsteps:\n  - {name: one, static: {}}\n"
          "  - {name: other, dynamic: {step: 1e-4, steps: 2}}\n")
    done = support.execute(program, "run", "told.yaml", "--device", "host", folder=folder)
    expect(done.returncode == 0, done.stderr)
    table = done.stdout[done.stdout.rindex("\nstep "):].splitlines()
    expect(table[1].split()[-1] == "tip" and float(table[2].split()[-1]) > 0 and table[3].split()[-1] == "-", f"goals in a table: {table}")
    expect(done.stdout.count("none of the goals of the case: it is dynamic") == 1, f"no goals: {done.stdout}")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        done = support.execute(program, "shape", "box", "--size", "1,0.1,0.1", "--cells", "20,3,3", "-o", "part.mesh", folder=folder)
        expect(done.returncode == 0, done.stderr)
        for name, (head, steps, more) in CASES.items():
            print(name, flush=True)
            check_case(folder, name, head, steps, more)
        for elements in "linear", "quadratic":
            check_goals(folder, elements)
        check_told(folder)
    return support.finish("check_jobs")


sys.exit(main())
