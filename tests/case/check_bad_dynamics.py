"""Bad input of dynamic steps and amplitudes, one case each: exit status 2 (1 where the run itself
finds out), one line that names file, place, rule and remedy; no result may be left behind.
Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import os
import subprocess
import sys
import tempfile

import checks

program = os.path.abspath(sys.argv[1])
passed = failed = 0

# Line 11 has the amplitudes, 13 the load, 15 the constraint, 17 and on the step.
CASE = """mesh: part.mesh
material:
  young: 1e6
  poisson: 0.3
  density: 1000
sets:
  base: {plane: {point: [0, 0, 0], normal: z}}
  tip: {nearest: [1, 1, 1]}

amplitudes:
  pulse: {table: [[0, 0], [1, 1], [2, 0]]}
loads:
  - {set: tip, force: [0, 0, 1], amplitude: pulse}
constraints:
  - {set: base, displacement: [0, 0, 0]}
steps:
  - name: swing
    dynamic: {step: 0.01, end: 0.05, output: {every: 2}, probes: [tip]}
"""


def run(name, words, *changes, status=2, files=()):
    """The case with `changes`, pairs of what and what instead; `words` must be in what is said."""
    global passed, failed
    case = CASE
    for before, after in changes:
        assert before in case, before
        case = case.replace(before, after)
    with tempfile.TemporaryDirectory(prefix="edgewise-") as own:
        for file, text in (("case.yaml", case), ("part.mesh", checks.TWO_TETS), *files):
            with open(os.path.join(own, file), "w") as out:
                out.write(text)
        done = subprocess.run([program, "run", "case.yaml", "-o", "result", "--device", "host"],
                              cwd=own, capture_output=True, text=True, timeout=60)
        said = [line for line in done.stderr.splitlines() if line.startswith("edgewise:")]
        left = [file for file in os.listdir(own) if file.startswith("result")]
    problems = [] if done.returncode == status else [f"exit status {done.returncode}"]
    problems += [] if len(said) == (status > 0) else [f"{len(said)} error lines"]
    problems += [f"'{word}' is not in it" for word in words if word not in "".join(said)]
    problems += [f"left behind: {left}"] if left and status else []
    passed += not problems
    failed += bool(problems)
    if problems:
        print(f"FAIL {name}: {'; '.join(problems)}\n     {done.stderr.strip()}")


def step(more):
    """Keys added to the dynamic step."""
    return ("probes: [tip]}", f"probes: [tip], {more}}}")


run("the case itself", [], status=0)
run("an empty dynamic", ["case.yaml:18:", "key 'step' is missing"],
    ("{step: 0.01, end: 0.05, output: {every: 2}, probes: [tip]}", "{}"))
run("static and dynamic", ["case.yaml:19:", "static or dynamic"],
    ("    dynamic", "    static: {}\n    dynamic"))
run("unknown key", ["case.yaml:18:", "unknown key 'shceme'", "did you mean 'scheme'"],
    step("shceme: newmark"))
run("unknown scheme", ["case.yaml:18:", "scheme", "newmark"], step("scheme: newton"))
run("from tets", [], step("operator: matrix-free"), status=0)
run("from tets with a factor", ["case.yaml:18:", "cholesky", "operator: stored"],
    step("operator: matrix-free, solver: cholesky"))
run("unknown operator", ["case.yaml:18:", "operator", "matrix-free"], step("operator: tets"))

# Time.
run("zero step", ["case.yaml:18:", "step is 0; it must be greater than 0"],
    ("step: 0.01", "step: 0"))
run("negative step", ["case.yaml:18:", "step is -1; it must be greater than 0"],
    ("step: 0.01", "step: -1"))
run("step that is no number", ["case.yaml:18:", "step"], ("step: 0.01", "step: soon"))
run("neither end nor steps", ["case.yaml:18:", "'end:'", "'steps:'"], ("end: 0.05, ", ""))
run("end and steps", ["case.yaml:18:", "not both"], step("steps: 3"))
run("no steps", ["case.yaml:18:", "steps"], ("end: 0.05", "steps: 0"))
run("step longer than all", ["case.yaml:18:", "longer than all of the time from 0 to 0.05"],
    ("step: 0.01", "step: 1"))
run("end at the start", ["case.yaml:18:", "end is 0, and the step starts at 0"],
    ("end: 0.05", "end: 0"))
run("end before the step before", ["case.yaml:20:", "end is 0.04, and the step starts at 0.05"],
    ("probes: [tip]}\n", "probes: [tip]}\n  - name: on\n    dynamic: {step: 0.01, end: 0.04}\n"))
run("time without an end", ["case.yaml:18:", "20 steps of 1e+308", "end at inf"],
    ("step: 0.01, end: 0.05", "step: 1e308, steps: 20"))
run("too many outputs", ["case.yaml:18:", "outputs are too many"], ("end: 0.05", "end: 50000"))
run("output every zero", ["case.yaml:18:", "every"], ("every: 2", "every: 0"))
run("unknown key of output", ["case.yaml:18:", "unknown key 'evry'", "did you mean 'every'"],
    ("every: 2", "evry: 2"))

# Scheme and damping.
run("alpha of newmark", ["case.yaml:18:", "this scheme has no alpha"], step("alpha: -0.1"))
run("alpha out of range", ["case.yaml:18:", "alpha"], step("scheme: hht, alpha: 0.5"))
run("spectral radius out of range", ["case.yaml:18:", "spectral"],
    step("scheme: generalized-alpha, spectral_radius: 2"))
run("negative damping", ["case.yaml:18:", "damping: mass is -1; it must be at least 0"],
    step("damping: {mass: -1}"))
run("negative stiffness damping", ["case.yaml:18:", "stiffness is -0.1"],
    step("damping: {stiffness: -0.1}"))
run("unknown damping", ["case.yaml:18:", "unknown key 'alpha'"], step("damping: {alpha: 1}"))
run("unknown mass", ["case.yaml:18:", "mass", "consistent"], step("mass: full"))
run("tolerance", ["case.yaml:18:", "tolerance is 2"], step("tolerance: 2"))
run("unstable explicit step",
    ["case.yaml:18:", "the step is 0.05; central-difference is stable up to 0.00893", "0.009165",
     "by its largest frequency, less a margin of 2.5 %", "implicit scheme"],
    ("step: 0.01", "step: 0.05"), step("scheme: central-difference"))
run("explicit euler without damping", ["case.yaml:18:", "explicit-euler is stable at no step without damping", "{stiffness:"],
    step("scheme: explicit-euler"))
run("missing density", ["case.yaml:3:", "no density", "line 17"], ("  density: 1000\n", ""))

# The initial state, probes.
run("unknown start", ["case.yaml:18:", "initial", "previous"], step("initial: before"))
run("unknown key of initial", ["case.yaml:18:", "unknown key 'speed'"], step("initial: {speed: 1}"))
run("velocity of no set", ["case.yaml:18:", "there is no set 'top'; did you mean 'tip'?"],
    step("initial: {velocity: {set: top, value: [0, 0, 1]}}"))
run("velocity that is no vector", ["case.yaml:18:", "value"],
    step("initial: {velocity: {set: tip, value: 1}}"))
run("start from no file", ["case.yaml:18:", "none.vtkhdf"],
    step("initial: {from: {result: none.vtkhdf}}"))
run("start from no result", ["case.yaml:18:", "part.mesh"],
    step("initial: {from: {result: part.mesh}}"))
run("probe of no set", ["case.yaml:18:", "there is no set 'tipp'; did you mean 'tip'?"],
    ("[tip]", "[tipp]"))
run("probe twice", ["case.yaml:18:", "probe 'tip' stands already"], ("[tip]", "[tip, tip]"))
run("probe without a name", ["case.yaml:18:", "needs a name"], ("[tip]", "[{set: {all: true}}]"))
run("probe of an empty set", ["case.yaml:18:", "swing", "no vertices"],
    ("[tip]", "[{name: a, set: {box: [[7, 7, 7], [8, 8, 8]]}}]"))

# Edits during the run.
run("edit without a time", ["case.yaml:18:", "key 'at' is missing"], step("edits: [{smooth: {}}]"))
run("edit before the step", ["case.yaml:18:", "at is -1", "from 0 on and before 0.05"],
    step("edits: [{at: -1, smooth: {}}]"))
run("edit at the end", ["case.yaml:18:", "at is 0.05", "before 0.05"],
    step("edits: [{at: 0.05, smooth: {}}]"))
run("edits out of order", ["case.yaml:18:", "at 0.01 follows 0.02"],
    step("edits: [{at: 0.02, smooth: {}}, {at: 0.01, smooth: {}}]"))
run("edit that is none", ["case.yaml:18:", "did you mean 'smooth'?"],
    step("edits: [{at: 0.02, smoth: {}}]"))
run("edit of two kinds", ["case.yaml:18:", "one kind"],
    step("edits: [{at: 0.02, smooth: {}, mirror: {}}]"))

# Amplitudes.
run("unsorted times", ["case.yaml:11:", "time 1 follows 2; times must ascend"],
    ("[1, 1], [2, 0]", "[2, 0], [1, 1]"))
run("time twice", ["case.yaml:11:", "times must ascend"], ("[2, 0]", "[1, 0]"))
run("entry of one number", ["case.yaml:11:", "[time, value]"], ("[2, 0]", "[2]"))
run("empty table", ["case.yaml:11:", "empty"], ("[[0, 0], [1, 1], [2, 0]]", "[]"))
run("unknown kind", ["case.yaml:11:", "did you mean 'table'?"], ("table:", "tabel:"))
run("two kinds", ["case.yaml:11:", "one kind per amplitude"], ("table:", "step: {at: 1}, table:"))
run("sine without a frequency", ["case.yaml:11:", "key 'frequency' is missing"],
    ("{table: [[0, 0], [1, 1], [2, 0]]}", "{sine: {size: 2}}"))
run("sine of too high a frequency", ["case.yaml:11:", "frequency is 1e+300", "at most 1e+30"],
    ("{table: [[0, 0], [1, 1], [2, 0]]}", "{sine: {frequency: 1e300}}"))
run("sine of no frequency", ["case.yaml:11:", "frequency is 0"],
    ("{table: [[0, 0], [1, 1], [2, 0]]}", "{sine: {frequency: 0}}"))
run("sine that ends first", ["case.yaml:11:", "ends at 1 and starts at 2"],
    ("{table: [[0, 0], [1, 1], [2, 0]]}", "{sine: {frequency: 1, start: 2, end: 1}}"))
run("unknown amplitude", ["case.yaml:13:", "there is no amplitude 'puls'; did you mean 'pulse'?"],
    ("amplitude: pulse", "amplitude: puls"))
run("amplitude of a spring", ["case.yaml:15:", "spring does not change in time"],
    ("displacement: [0, 0, 0]", "spring: 1e3, amplitude: pulse"))
run("amplitude twice", ["case.yaml:12:", "defined twice"],
    ("[2, 0]]}\n", "[2, 0]]}\n  pulse: {step: {at: 1}}\n"))
TABLE = ("{table: [[0, 0], [1, 1], [2, 0]]}", "{csv: table.csv}")
run("no such table", ["case.yaml:11:", "amplitude 'pulse'", "table.csv"], TABLE)
run("table without numbers", ["case.yaml:11:", "no line has numbers in columns 1 and 2"], TABLE,
    files=[("table.csv", "time,value\n# 1,2\n")])
run("table with decimal commas", ["case.yaml:11:", "table.csv:1:", "decimal point"], TABLE,
    files=[("table.csv", "0,5;1,2\n1,5;2,2\n")])
run("table with a broken line", ["case.yaml:11:", "table.csv:3:", "no numbers"], TABLE,
    files=[("table.csv", "time,value\n0,1\n1;x\n")])
run("table out of order", ["case.yaml:11:", "times must ascend"], TABLE,
    files=[("table.csv", "0,1\n1,2\n0.5,3\n")])
run("byte order mark before the first line", ["case.yaml:11:", "time 0.5 follows 1"], TABLE,
    files=[("table.csv", "\ufeff1,1\n0.5,3\n")])
run("column that is not there", ["case.yaml:11:", "columns 1 and 5"],
    (TABLE[0], "{csv: {file: table.csv, column: 5}}"), files=[("table.csv", "0,1\n1,2\n")])
run("a good table", [], (TABLE[0], "{csv: {file: table.csv, column: 3, scale: 2}}"), status=0,
    files=[("table.csv", "t;x;a\n0; 1 ;2\n# rest\n0.03;0;1e-1\n")])

print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
