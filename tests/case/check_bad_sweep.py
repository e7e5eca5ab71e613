"""Bad parameters, sweeps and searches, one case each: exit status 2, one line that names file, place, rule and
remedy, and nothing left behind. And results that would overwrite what a case reads: refused before anything is
computed, whatever it is, with the file as it was. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import os
import sys
import tempfile

import checks
from checks import expect, write

program = os.path.abspath(sys.argv[1])

CASE = """mesh: part.mesh
material: {young: stiff, poisson: 0.3, density: 1000}
sets:
  base: {plane: {point: [0, 0, 0], normal: z}}
  tip: {nearest: [1, 1, 1]}
constraints: [{set: base, displacement: [0, 0, 0]}]
loads: [{set: tip, force: [0, 0, push]}]
steps:
  - static: {}
"""
PARAMETERS = "parameters: {stiff: 1e6, push: 10}\n"


def run(folder, case, *words, status=2, output="result"):
    """Runs the case; what the one line of a failure has, and the output."""
    write(folder, "case.yaml", case)
    write(folder, "part.mesh", checks.TWO_TETS)
    before = set(os.listdir(folder))
    done = checks.execute(program, "run", "case.yaml", "-o", output, *words, "--device", "host", folder=folder)
    lines = [line for line in done.stderr.splitlines() if line.startswith("edgewise:")]
    expect(done.returncode == status, f"exit status {done.returncode}, expected {status}: {done.stderr}\n{case}")
    expect(len(lines) == (1 if status else 0), f"{len(lines)} lines: {done.stderr}\n{case}")
    if status:
        expect(set(os.listdir(folder)) - before <= {"result.checkpoint"}, f"left behind: {set(os.listdir(folder)) - before}\n{case}")
    return "".join(lines)


def refuse(folder, head, *words, case=CASE, options=()):
    line = run(folder, head + case, *options)
    for word in words:
        expect(word in line, f"'{word}' is not in: {line}\n{head}")


# ---- keys and values ----------------------------------------------------------------------------

SWEEPS = (
    ("{grd: {push: [1]}}", "unknown key 'grd'", "grid"),
    ("{grid: {push: [1]}, grid: {push: [2]}}", "given twice"),
    ("{grid: {push: [1]}, list: [{push: 1}]}", "exclude each other"),
    ("{}", "says nothing"),
    ("7", "must be a mapping"),
    ("{grid: {pus: [1]}}", "did you mean 'push'"),
    ("{grid: {push: [1], push: [2]}}", "given twice"),
    ("{grid: {push: []}}", "no values"),
    ("{grid: {push: [1]}, report: all}", "report", "goals"),
    ("{grid: {push: [1]}, report: goals}", "'report: goals' is for linear static steps", "numbers"),
    ("{grid: {push: [.nan]}}", "push"),
    ("{grid: {push: [1e999]}}", "push"),
    ("{grid: {push: [1/0]}}", "division by zero"),
    ("{grid: {push: {from: 1, to: 2}}}", "'count' is missing"),
    ("{grid: {push: {from: 1, to: 2, count: -1}}}", "count"),
    ("{grid: {push: {from: 1, to: 2, count: 1e300}}}", "count"),
    ("{grid: {push: {from: -1e308, to: 1e308, count: 3}}}", "beyond the range"),
    ("{grid: {push: {from: 1, to: 2, count: 200}, stiff: {from: 1, to: 2, count: 200}}}", "40000 combinations", "10000"),
    ("{list: []}", "list is empty"),
    ("{list: [{}]}", "is empty"),
    ("{list: {push: 1}}", "list"),
    ("{csv: none.csv}", "none.csv", "cannot be opened"),
    ("{csv: {columns: {push: a}}}", "'file' is missing"),
    ("{csv: {file: part.mesh}}", "part.mesh"),
    ("{latin: {count: 3}}", "'ranges' is missing"),
    ("{latin: {ranges: {push: [1, 2]}}}", "'count' is missing"),
    ("{latin: {count: 0, ranges: {push: [1, 2]}}}", "count"),
    ("{latin: {count: 3, ranges: {push: [2, 1]}}}", "least below"),
    ("{latin: {count: 3, ranges: {push: [1, .inf]}}}", "push"),
    ("{latin: {count: 3, seed: -1, ranges: {push: [1, 2]}}}", "seed"),
    ("{grid: {push: [1]}, start: hot}", "start", "fresh"),
)

SEARCHES = (
    ("{}", "'parameters' is missing"),
    ("{parameter: {push: [1, 20]}, minimize: mass}", "unknown key 'parameter'"),
    ("{parameters: {push: [1, 20]}, minimum: mass}", "unknown key 'minimum'"),
    ("{parameters: {pus: [1, 20]}, minimize: mass}", "did you mean 'push'"),
    ("{parameters: {push: [1, 20], push: [1, 2]}, minimize: mass}", "given twice"),
    ("{parameters: {push: 1}, minimize: mass}", "push"),
    ("{parameters: {push: [1, .nan]}, minimize: mass}", "push"),
    ("{parameters: {push: [-1e308, 1e308]}, minimize: mass}", "push"),
    ("{parameters: {push: [11, 20]}, minimize: mass}", "where the search starts"),
    ("{parameters: {push: [1, 20]}}", "either 'minimize' or 'maximize'"),
    ("{parameters: {push: [1, 20]}, minimize: weight}", "no output 'weight'"),
    ("{parameters: {push: [1, 20]}, minimize: ' of tip'}", "no output"),
    ("{parameters: {push: [1, 20]}, minimize: max_von_mises of top}", "no set 'top'"),
    ("{parameters: {push: [1, 20]}, minimize: mass, limits: {mass: .nan}}", "mass"),
    ("{parameters: {push: [1, 20]}, minimize: mass, limits: {mass: 1, mass: 2}}", "given twice"),
    ("{parameters: {push: [1, 20]}, minimize: mass, limits: {mass: {least: 2, most: 2}}}", "below the other"),
    ("{parameters: {push: [1, 20]}, minimize: mass, evaluations: 0}", "evaluations"),
    ("{parameters: {push: [1, 20]}, minimize: mass, evaluations: 1e300}", "evaluations"),
    ("{parameters: {push: [1, 20]}, minimize: mass, tolerance: 0}", "tolerance"),
    ("{parameters: {push: [1, 20]}, minimize: mass, start: hot}", "start"),
)


def check_keys(folder):
    print("keys of parameters, sweeps and searches")
    for text, word in (("parameters: 1", "mapping"), ("parameters: {push: }", "push"),
                       ("parameters: {stiff: 1e6, push: 10, push: 2}", "given twice"),
                       ("parameters: {stiff: 1e6, push: other}", "no 'other'"),
                       ("parameters: {stiff: 1/0, push: 1}", "division by zero"),
                       ("parameters: {stiff: 1e6, push: 1, abcdefghijklmnopqrstuvwxyz012345: 1}", "at most 31"),
                       ("parameters: {stiff: 1e6, push: 1, x: 1}", "coordinate"),
                       ("parameters: {stiff: 1e6, push: .inf}", "push"),
                       ("", "young must be a number")):
        refuse(folder, text + "\n", word, "case.yaml:")
    refuse(folder, "parameters: {" + ", ".join(f"p{i}: {i}" for i in range(65)) + "}\n", "at most 64")
    for text, *words in SWEEPS:
        refuse(folder, PARAMETERS + f"sweep: {text}\n", *words)
    for text, *words in SEARCHES:
        refuse(folder, PARAMETERS + f"optimise: {text}\n", *words)
    for varied in "sweep: {grid: {idle: [1, 2]}}", "sweep: {latin: {count: 2, ranges: {idle: [1, 2]}}}", "optimise: {parameters: {idle: [0, 2]}, minimize: mass}":
        refuse(folder, PARAMETERS.replace("}", ", idle: 1}") + varied + "\n", "parameter 'idle' is varied, and no number of the case reads it")
    search = "optimise: {parameters: {push: [1, 20]}, minimize: mass}\n"
    refuse(folder, PARAMETERS + search + "sweep: {grid: {push: [1]}}\n", "exclude each other")
    refuse(folder, PARAMETERS + search, "last step", case=CASE.replace("static", "modes"))
    refuse(folder, PARAMETERS + search, "another 'mesh'",
           case=CASE.replace("part.mesh", "{surface: part.stl, max_volume: push}"))
    refuse(folder, PARAMETERS + "sweep: {grid: {push: [-1, -2]}}\n", "all 2 combinations failed", "push = -1",
           case=CASE.replace("static: {}", "static: {tolerance: 1 / (20 + 20*push)}"))
    refuse(folder, PARAMETERS, "the case has no sweep", options=("--jobs", "2"))


def check_tables(folder):
    print("tables of combinations")
    for text, word in (("", "rows.csv"), ("push\n", "no rows"), ("push\nx\n", "rows.csv"), ("push\nnan\n", "rows.csv"),
                       ("push,push\n1,2\n", "push"), ("push\n1,2\n", "rows.csv"), ("pull\n1\n", "pull"),
                       ("push\n1e999\n", "rows.csv")):
        write(folder, "rows.csv", text)
        line = run(folder, PARAMETERS + "sweep: {csv: rows.csv}\n" + CASE)
        expect("sweep" in line or word in line, f"{text!r}: {line}")
    os.remove(os.path.join(folder, "rows.csv"))


# ---- what would be overwritten --------------------------------------------------------------------

def keeps(folder, name, text, case, output, linked=None):
    """The file stays what it was, and the run says so."""
    write(folder, name, text)
    if linked:
        os.symlink(name, os.path.join(folder, linked))
    line = run(folder, case, output=output)
    expect(name in line and "would overwrite it" in line and "-o" in line, f"{name}: {line}")
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        expect(file.read() == text, f"{name}: changed")
    if linked:
        os.remove(os.path.join(folder, linked))
    os.remove(os.path.join(folder, name))


def check_overwriting(folder):
    print("results that would overwrite what the case reads")
    plain = PARAMETERS + CASE
    sweep = PARAMETERS + "sweep: {csv: NAME}\n" + CASE
    keeps(folder, "rows.csv", "push\n1\n2\n", sweep.replace("NAME", "rows.csv"), "rows")
    keeps(folder, "rows.csv", "push\n1\n2\n", sweep.replace("NAME", "rows.csv"), "./rows.vtkhdf")
    keeps(folder, "rows.sets.csv", "push\n1\n2\n", sweep.replace("NAME", "rows.sets.csv"), "rows")
    keeps(folder, "rows.partial.csv", "push\n1\n2\n", sweep.replace("NAME", "rows.partial.csv"), "rows")
    keeps(folder, "rows.csv", "push\n1\n2\n", sweep.replace("NAME", "rows.csv"), "link", linked="link.csv")
    moved = plain.replace("  - static", "  - edit: [{move: {table: table.csv}}]\n    static")
    keeps(folder, "table.csv", "id,dx,dy,dz\n4,0,0,0.1\n", moved, "table")
    pulse = plain.replace("loads: [{", "amplitudes: {a: {csv: {file: pulse.csv}}}\nloads: [{amplitude: a, ").replace(
        "static: {}", "dynamic: {step: 0.1, end: 0.2}")
    keeps(folder, "pulse.csv", "0,0\n1,1\n", pulse, "pulse")
    keeps(folder, "body.000001.vtu", "<VTKFile/>\n", "output: {vtu: true}\n" + plain.replace("part.mesh", "body.000001.vtu"),
          "body")
    write(folder, "rows.csv", "push\n1\n2\n")
    run(folder, sweep.replace("NAME", "rows.csv"), status=0, output="other")


def check_commands(folder):
    """Commands whose output is of another kind than what they read, or from two files."""
    print("commands that would overwrite what they read")
    for words, said in ((("report", "other.vtkhdf", "-o", "other.vtkhdf"), "a report is a page of HTML"),
                        (("replay", "other.vtkhdf", "-o", "other"), "would overwrite"),
                        (("add", "part.mesh", "rib.mesh", "-o", "rib.mesh"), "would overwrite")):
        write(folder, "rib.mesh", checks.TWO_TETS)
        done = checks.execute(program, *words, folder=folder)
        expect(done.returncode == 2 and said in done.stderr, f"{words}: {done.returncode} {done.stderr}")
    checks.run(program, "report", "other.vtkhdf", folder=folder)


GOALS = (
    ("{tip: {of: displacement}}", "'set' or the 'point'"),
    ("{tip: {of: displacement, set: tip, point: [0, 0, 0]}}", "one of the two"),
    ("{tip: {of: reaction}}", "a reaction is of a 'set'"),
    ("{tip: {of: compliance, set: tip}}", "whole body"),
    ("{tip: {of: stress, set: tip}}", "component"),
    ("{tip: {of: energy, component: xx}}", "component"),
    ("{tip: {of: speed}}", "of", "displacement"),
    ("{tip: {of: energy, by: [pusch]}}", "did you mean 'push'"),
    ("{tip: {of: energy, by: [push, push]}}", "named twice"),
    ("{tip: {of: energy, by: [stiff]}}", "is no parameter of the sweep"),
    ("{'a b': {of: energy}}", "letters, digits and _"),
    ("{tip: {of: energy}, tip_bound: {of: energy}}", "'tip_bound' reads like the bound"),
    ("{tip_by_push: {of: energy}, tip: {of: energy, by: [push]}}", "'tip_by_push' reads like"),
    ("[{of: energy}]", "must be a mapping"),
    ("{tip: {of: displacement, set: tap}}", "did you mean 'tip'"),
    ("{tip: {set: tip}}", "'of' is missing"),
)


def check_goals(folder):
    for text, *words in GOALS:
        refuse(folder, PARAMETERS + f"sweep: {{grid: {{push: [1, 2]}}}}\ngoals: {text}\n", *words)
    refuse(folder, PARAMETERS + "goals: {tip: {of: energy, by: [push]}}\n", "neither 'sweep' nor 'optimise'", "sweep: {list: [{push: 10}]}")
    goal = "goals: {tip: {of: displacement, set: tip, direction: z, by: [push, stiff]}}\n"
    run(folder, PARAMETERS + "sweep: {list: [{push: 10}]}\n" + goal + CASE, status=0)
    sweep = PARAMETERS + "sweep: {list: [{push: 10}]}\n" + goal
    search = PARAMETERS + "optimise: {parameters: {push: [1, 20]}, minimize: strain_energy, method: mma}\n"
    bolt = "preload: [{slave: base, master: tip, force: push}]\n"
    several = CASE + "  - static: {}\n"
    refuse(folder, sweep + "contact: all\n", "case.yaml:4", "do not go with contact", "compare combinations")
    refuse(folder, search + "contact: all\n", "do not go with contact", "'method: cobyla'")
    refuse(folder, sweep + bolt, "case.yaml:4", "several steps of a bolt", "'locked: false'", case=several)
    refuse(folder, search + bolt, "several steps of a bolt", "'locked: false'", case=several)


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        for check in (check_keys, check_tables, check_overwriting, check_commands, check_goals):
            check(folder)
    return checks.finish("bad sweeps")


sys.exit(main())
