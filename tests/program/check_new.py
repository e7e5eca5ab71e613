"""Cases to start from and completion: every case of `edgewise new` runs as it is written and gives the numbers of its comment,
within the error that tets of its size have; scripts for shells know all commands and options.
Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

from checks import execute, expect, finish

program = sys.argv[1]
L, B, E, F, RHO = 200.0, 20.0, 210e3, 500.0, 7.85e-9  # mm, N, t
INERTIA = B**4 / 12


def rows(folder, name):
    with open(os.path.join(folder, name), newline="") as file:
        return list(csv.DictReader(file))


def logged(folder, name, number):
    with open(os.path.join(folder, name + ".jsonl")) as file:
        return [row[number] for row in map(json.loads, file) if number in row]


def run(folder, kind, name=None):
    done = execute(program, "new", kind, *([name] if name else []), folder=folder)
    expect(done.returncode == 0, f"new {kind}: {done.stderr}")
    return solve(folder, name or kind)


def solve(folder, name):
    done = execute(program, "run", name + ".yaml", "-o", name, "--log", name + ".jsonl", folder=folder)
    if "this build has no" in done.stderr:
        print(f"  without {name}: {done.stderr.strip()}")
        return None
    expect(done.returncode == 0, f"{name}: {done.stderr}")
    expect("warning" not in done.stdout + done.stderr, f"{name}: {re.findall('warning.*', done.stdout + done.stderr)}")
    return done.stdout


def near(value, wanted, tolerance, what):
    expect(abs(value - wanted) <= tolerance * abs(wanted), f"{what}: {value} instead of {wanted}")


def numbers(folder):
    """Closed forms; quadratic tets two to the height leave 1 %, a clamped end stiffens by as much."""
    bending = F * L**3 / (3 * E * INERTIA)
    run(folder, "static", "beam")
    row = rows(folder, "beam.csv")[0]
    near(float(row["max_displacement"]), bending + F * L / (5 / 6 * E / 2.6 * B * B), 0.015, "static")
    near(float(row["mass"]), RHO * L * B * B, 1e-12, "mass")

    first = 1.8751**2 / (2 * math.pi * L**2) * math.sqrt(E * INERTIA / (RHO * B * B))
    if run(folder, "modes") is not None:
        found = logged(folder, "modes", "frequency")
        expect(len(found) == 6, f"modes: {found}")
        for k in range(2):
            near(found[k], first, 0.015, f"mode {k + 1}")

    if run(folder, "buckling") is not None:
        factors = logged(folder, "buckling", "load_factor")
        for factor in factors:
            near(factor * 1e3, math.pi**2 * E * INERTIA / (4 * L**2), 0.01, "Euler")
        expect(len(factors) == 2, "two factors")

    run(folder, "motion")
    motion = rows(folder, "motion.probes.csv")
    time = [float(row["time"]) for row in motion]
    tip = [float(row[next(k for k in row if k.endswith("z") and "displacement" in k)]) for row in motion]
    near(min(tip), -bending, 0.02, "the bent tip")
    crossings = [t - u * (time[i + 1] - t) / (tip[i + 1] - u) for i, (t, u) in enumerate(zip(time[:-1], tip[:-1]))
                 if u < 0 <= tip[i + 1]]
    # Newmark with 24 steps a period is late by (pi / 24)^2 / 3 = 0.6 %; higher modes move the crossings a little.
    near((crossings[-1] - crossings[0]) / (len(crossings) - 1), 1 / first, 0.02, "period")

    run(folder, "plastic")
    pulled, free = rows(folder, "plastic.csv")
    near(float(pulled["max_von_mises"]), 400, 1e-6, "the stress of a bar that is pulled")
    plastic = (400 - 355) / 2000 * L
    for row, wanted in ((pulled, plastic + 400 / E * L), (free, plastic)):
        # With the bar's thinning, 2 B epsilon / 2, at its corner; lengths are those of the undeformed bar.
        thin = 0.5 * plastic / L * B + (0.3 * 400 / E * B if row is pulled else 0)
        near(float(row["max_displacement"]), math.sqrt(wanted**2 + 2 * thin**2), 2e-3, "the bar")

    run(folder, "contact")
    stopped, raised = (float(row["contact_force_z"]) for row in rows(folder, "contact.sets.csv") if row["set"] == "bottom")
    free = bending + F * L / (5 / 6 * E / 2.6 * B * B)
    near(stopped, F * (1 - 0.2 / free), 0.02, "the floor that stops the tip")
    near(raised, F * (1 - 0.05 / free), 0.02, "the floor that has risen")

    run(folder, "sweep")
    heights = rows(folder, "sweep.csv")
    expect([float(row["parameter_height"]) for row in heights] == [15, 20, 25, 30], "the heights of the sweep")
    for row in heights:
        h = float(row["parameter_height"])
        near(float(row["max_displacement"]), F * L**3 / (3 * E * B * h**3 / 12), 0.02, f"height {h}")

    out = run(folder, "optimization")
    best = out and re.search(r"least mass: ([\d.]+) .*width = ([\d.]+), height = ([\d.]+)", out)
    expect(out is None or best is not None, "an optimum")
    if best:
        near(float(best.group(2)), 10, 0.005, "the narrowest")  # the tolerance of the search
        near(float(best.group(3)), (4 * F * L**3 / (E * 10 * 0.5)) ** (1 / 3), 0.01, "the height")

    done = execute(program, "new", "deck", folder=folder)
    expect(done.returncode == 0, "new deck")
    done = execute(program, "convert", "deck.inp", "deck.yaml", folder=folder)
    expect(done.returncode == 0 and "not" not in done.stdout, f"the deck: {done.stdout} {done.stderr}")
    done = execute(program, "run", "deck.yaml", folder=folder)
    force = re.search(r"applied +force \((\S+), (\S+), (\S+)\)", done.stdout)
    near(float(force.group(1)), -2.0 * B * B, 1e-6, "the pressure of the deck")
    near(float(force.group(3).rstrip(",")), -RHO * L * B * B * 9810, 1e-5, "the weight of the deck")


def files(folder):
    with open(os.path.join(folder, "edgewise.schema.json")) as file:
        expect("properties" in json.load(file), "the schema")
    with open(os.path.join(folder, "beam.yaml")) as file:
        text = file.read()
    expect(text.startswith("# yaml-language-server: $schema=edgewise.schema.json\n"), "a case names its schema")
    expect("@NAME@" not in text and "beam.mesh" in text, "the name in a case")
    os.mkdir(os.path.join(folder, "sub"))
    for name, words, status in (("beam", ["beam.yaml", "is there already"], 2), ("sub/a.yaml", [], 0), ("sub/b", [], 0),
                                ("sub/", ["is a folder"], 2), ("none/b", ["none/b.yaml", "No such file"], None)):
        done = execute(program, "new", "static", name, folder=folder)
        expect(done.returncode == status if status is not None else done.returncode in (1, 2), f"new static {name}: {done.returncode}")
        expect(all(word in done.stderr for word in words), f"new static {name}: {done.stderr}")
    expect(sorted(os.listdir(os.path.join(folder, "sub"))) ==
           ["a.mesh", "a.yaml", "b.mesh", "b.yaml", "edgewise.schema.json"], "files in a folder")
    solve(os.path.join(folder, "sub"), "a")
    done = execute(program, "new", "statc", folder=folder)
    expect(done.returncode == 2 and "did you mean 'static'?" in done.stderr, "a kind that there is not")


def complete(script, *words):
    line = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _edgewise; echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", line, "bash", script, "edgewise", *words], capture_output=True, text=True)
    expect(done.returncode == 0 and not done.stderr, f"bash: {done.stderr}")
    return done.stdout.split()


def completion(folder):
    text = {}
    for shell in "bash", "zsh", "fish":
        done = execute(program, "completion", shell, folder=folder)
        expect(done.returncode == 0 and not done.stderr, f"completion {shell}")
        text[shell] = done.stdout
        with open(os.path.join(folder, shell), "w") as file:
            file.write(done.stdout)
        if shutil.which(shell):
            checked = subprocess.run([shell, "-n", shell], cwd=folder, capture_output=True, text=True)
            expect(checked.returncode == 0, f"{shell} -n: {checked.stderr}")
    listed = re.findall(r"^  ([a-z]+) {2,}", execute(program, "--help").stdout, re.M)
    expect(len(listed) > 20, f"commands {listed}")
    for command in listed:
        options = re.findall(r"--([a-z][a-z-]*)", execute(program, command, "--help").stdout.partition("\noptions:")[2])
        for shell, form in (("bash", "[ ']--{o}[ ']"), ("zsh", "'--{o}\\["), ("fish", f"from {command}' -l {{o}} ")):
            for option in options:
                if shell != "fish" or option != "help":
                    expect(re.search(form.format(o=option), text[shell]), f"{shell}: {command} --{option}")
    script = os.path.join(folder, "bash")
    expect(complete(script, "ru") == ["run"], "run")
    expect(complete(script, "run", "--precision", "s") == ["single"], "a word of a choice")
    expect(set(complete(script, "new", "m")) == {"modes", "motion"} and complete(script, "new", "modes", "m") == [], "kinds of cases")
    expect(complete(script, "shape", "b") == ["box", "bracket"] and "1:kind:(box plate" in text["zsh"] and
           "from shape' -a 'box plate" in text["fish"], "kinds of shapes")
    expect(set(complete(script, "run", "--pre")) == {"--precision", "--preconditioner"}, "options")
    done = execute(program, "completion", "tcsh", folder=folder)
    expect(done.returncode == 2 and "bash, zsh, fish" in done.stderr, "another shell")


with tempfile.TemporaryDirectory(prefix="edgewise-") as place:
    numbers(place)
    files(place)
    completion(place)
sys.exit(finish("check_new"))
