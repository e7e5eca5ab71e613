"""`converge:` of a step: the table of size, unknowns, value, extrapolated value and order; against closed forms, at a singular
corner, in a replay, after a stop, in a sweep, on the page. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import csv
import math
import os
import re
import sys
import tempfile

from checks import execute, expect, finish, write

program = sys.argv[1]
L, B, F, E, NU = 200.0, 20.0, 500.0, 210e3, 0.3
CASE = """mesh: beam.mesh
units: {{length: mm, force: N}}
material: S355
elements: {elements}
{extra}
sets:
  wall: {{plane: {{point: [0, 0, 0], normal: x}}, of: faces}}
  tip: {{plane: {{point: [200, 0, 0], normal: x}}, of: faces}}
  middle: {{box: [[99, -1, 19], [101, 21, 21]], of: vertices}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
loads: [{{set: tip, total_force: [0, 0, -500]}}]
steps:
  - name: bending
    converge: {converge}
"""


def run(folder, name, converge, elements="linear", extra="", status=0, args=()):
    write(folder, name + ".yaml", CASE.format(converge=converge, elements=elements, extra=extra))
    done = execute(program, "run", name + ".yaml", "-o", name, *args, folder=folder)
    expect(done.returncode == status, f"{name}: {done.returncode} {done.stderr}")
    return done.stdout + done.stderr


def table(folder, name):
    with open(os.path.join(folder, name + ".convergence.csv"), newline="") as file:
        return [{k: float(v) if v and k != "step" else v for k, v in row.items()} for row in csv.DictReader(file)]


def check_rows(rows, name):
    """Each order and each extrapolated value are those of v = v0 + c h^p through three rows."""
    n_order = 0
    for k, row in enumerate(rows):
        expect(row["round"] == k and (k == 0) == (row["change"] == ""), f"{name}: row {k}")
        if k:
            expect(abs(row["change"] - (row["value"] - rows[k - 1]["value"]) / row["value"]) < 1e-12, f"{name}: change of {k}")
            expect(row["size"] < rows[k - 1]["size"] and row["tets"] > rows[k - 1]["tets"], f"{name}: size of {k}")
        if row["order"] == "":
            continue
        n_order += 1
        (h1, v1), (h2, v2), (h3, v3) = ((r["size"], r["value"]) for r in rows[k - 2:k + 1])
        p = row["order"]
        expect(abs((v1 - v2) / (v2 - v3) * (h2**p - h3**p) - (h1**p - h2**p)) < 1e-6 * abs(h1**p - h2**p), f"{name}: order of {k}")
        if p > 0:
            expect(abs(row["extrapolated"] - v3 - (v3 - v2) * h3**p / (h2**p - h3**p)) < 1e-6 * abs(v3), f"{name}: value of {k}")
        else:
            expect(row["extrapolated"] == "", f"{name}: a singular value has no limit")
    return n_order


with tempfile.TemporaryDirectory(prefix="edgewise-") as place:
    execute(program, "shape", "box", "--size", "200,20,20", "--cells", "10,1,1", "-o", "beam.mesh", folder=place)
    bent = F * L**3 / (3 * E * B**4 / 12) + F * L / (5 / 6 * E / (2 + 2 * NU) * B * B)

    # Linear tets are stiff in bending: the displacement converges from below.
    told = run(place, "tip", "{peak: displacement, on: tip, until: 10 %, max_tets: 60000}")
    rows = table(place, "tip")
    expect(check_rows(rows, "tip") >= 1, f"no order: {rows}")
    last = rows[-1]
    expect(abs(last["change"]) <= 0.1 and abs(last["extrapolated"] / last["value"] - 1) <= 0.1, f"tip: {rows}")
    expect(abs(last["extrapolated"] - bent) < 0.05 * bent, f"tip: {last['extrapolated']} instead of {bent}")
    expect("convergence of displacement on tip" in told and "extrapolated" in told and "warning: in step 'bending': the value" not in told, told)
    with open(os.path.join(place, "tip.csv")) as file:
        expect(f",{int(last['tets'])}," in file.read(), "the step's tets are those of the last round")

    execute(program, "report", "tip.vtkhdf", "--pictures", "0", folder=place)
    with open(os.path.join(place, "tip.html"), encoding="utf-8") as file:
        shown = file.read().split("<h2>Convergence")[1]
    expect(f"<td>{100 * last['change']:.3g} %</td>" in shown, "the page has changes in percent")

    # Quadratic tets: the bending stress between wall and tip, M / W = 37.5 MPa.
    run(place, "stress", "{on: middle, until: 2 %, max_tets: 60000}", elements="quadratic")
    rows = table(place, "stress")
    check_rows(rows, "stress")
    expect(abs(rows[-1]["value"] - F * 100 * 6 / B**3) < 0.02 * 37.5, f"stress: {rows}")

    # At the clamped edge the stress has no limit.
    told = run(place, "wall", "{on: wall, max_rounds: 4, max_tets: 40000}", elements="quadratic")
    rows = table(place, "wall")
    check_rows(rows, "wall")
    expect(rows[-1]["value"] > rows[0]["value"] and "warning" in told and ("grows as tets shrink" in told or "not yet within" in told), told)

    # The energy, of the whole body.
    run(place, "energy", "{peak: strain_energy, until: 20 %, max_tets: 30000}")
    rows = table(place, "energy")
    check_rows(rows, "energy")
    expect(all(a["value"] < b["value"] for a, b in zip(rows, rows[1:])), "energy grows to that of the beam")
    expect(rows[-1]["value"] < F * bent / 2 * 1.001, "energy stays below that of the beam")

    # A replay has the same table, and the page has it with its curve.
    done = execute(program, "replay", "tip.vtkhdf", "-o", "again", folder=place)
    expect(done.returncode == 0 and "same bits" in done.stdout, done.stdout + done.stderr)
    expect(table(place, "again") == table(place, "tip"), "the table of a replay")
    execute(program, "report", "tip.vtkhdf", folder=place)
    with open(os.path.join(place, "tip.html"), encoding="utf-8") as file:
        page = file.read()
    expect("<h2>Convergence</h2>" in page and "size of tets" in page, "the page")

    # A run that stops later goes on with the same tables, solving nothing again.
    extra = "output: {paths: {axis: {from: [0, 10, 10], to: [200, 10, 10]}}, sections: {middle: {point: [100, 0, 0], normal: x}}}"
    stops = "{peak: displacement, on: tip, until: 10 %, max_tets: 20000}\n  - {name: fails, loads: [{gravity: [0, 0, -9810]}], static: {max_iterations: 1}}"
    endings = [".partial.convergence.csv", ".partial.paths.csv", ".partial.sections.csv"]
    run(place, "stopped", stops, extra=extra, status=1)
    before = [open(os.path.join(place, "stopped" + ending), "rb").read() for ending in endings]
    told = run(place, "stopped", stops, extra=extra, status=1, args=["--resume"])
    expect("from the checkpoint" in told, told)
    for ending, text in zip(endings, before):
        with open(os.path.join(place, "stopped" + ending), "rb") as file:
            expect(file.read() == text and len(text) > 100, f"{ending} of a run that went on")

    # All tables at the same time.
    extra = ("output: {paths: {wall: {from: [100, 10, 0], to: [100, 10, 20], linearize: true}}, mass_properties: true, "
             "sections: {middle: {point: [100, 0, 0], normal: x}}}")
    run(place, "all", "{peak: displacement, on: tip, until: 50 %, max_tets: 3000}", extra=extra)
    for ending in ".csv", ".sets.csv", ".paths.csv", ".linearized.csv", ".sections.csv", ".mass.csv", ".convergence.csv":
        expect(os.path.getsize(os.path.join(place, "all" + ending)) > 100, f"no table {ending}")

    # A sweep, with one and with two threads.
    sweep = "parameters: {load: 1}\nsweep: {grid: {load: [1, 2]}}"
    run(place, "sweep", "{peak: displacement, on: tip, until: 20 %, max_tets: 20000 * load}", extra=sweep)
    run(place, "sweep2", "{peak: displacement, on: tip, until: 20 %, max_tets: 20000 * load}", extra=sweep, args=["--jobs", "2"])
    rows = table(place, "sweep")
    expect({row["combination"] for row in rows} == {1.0, 2.0} and rows == table(place, "sweep2"), "tables of a sweep")

    for converge, words in (("{peak: strain_energy, on: tip}", "leave it out"), ("{peak: mass}", "von_mises"), ("{until: 0}", "until"),
                            ("{on: roof}", "roof"), ("{max_rounds: 1}", "max_rounds"),
                            ("{}\n    edit: [{refine: {by: error, until: 5 %}}]", "converge: goes with a linear static step"),
                            ("{}\n    optimise: {remove: {volume: 0.5}}", "converge: goes with")):
        told = run(place, "bad", converge, status=2)
        expect(words in told and told.count("edgewise:") == 1, f"{converge}: {told}")
    write(place, "none.yaml", CASE.format(converge="{on: nowhere}", elements="linear", extra="").replace("sets:", "sets:\n  nowhere: {box: [[90, 0, 0], [91, 1, 1]], of: faces}", 1))
    done = execute(program, "run", "none.yaml", "-o", "none", folder=place)
    expect(done.returncode == 2 and "converge: set 'nowhere' of 'on' is empty" in done.stderr, f"a set without members: {done.stderr}")
sys.exit(finish("check_converge"))
