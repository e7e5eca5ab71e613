#!/usr/bin/python3
"""check_fatigue.py PROGRAM SOURCE_DIR BUILD_DIR

Fatigue of a bar against Basquin's equation with corrections for mean stress, of a body in motion against cycles that are counted
here in another way, of two materials, in sets, tables, pages, sweeps, searches, resumed and replayed; by strain life of elastic bars and
of one that yields, with constants of the library; what is refused.
"""
import csv
import math
import os
import re
import shutil
import sys
import tempfile

import numpy

from support import Mesh, execute, expect, finish, read_frames, read_medit, write, write_medit

program, source = sys.argv[1], sys.argv[2]

HEAD = """mesh: box.mesh
elements: linear
units: {length: mm, force: N, time: s}
material: {young: 210e3, poisson: 0, density: 7.85e-9, yield_strength: 235, ultimate_strength: 500, fatigue: {CURVE}}
sets: {wall: {surface: 1}, tip: {surface: 2}}
constraints:
  - {set: wall, displacement: [0, 0, 0]}
"""
BASQUIN = "strength: 1000, exponent: -0.1"
PULL = "steps:\n  - {name: pull, loads: [{set: tip, total_force: [400, 0, 0]}], static: {}}\n"  # 100 everywhere


def run(folder, name, text, *options, status=0):
    write(folder, name + ".yaml", text)
    done = execute(program, "run", name + ".yaml", "-o", name, "--device", "host", *options, folder=folder)
    expect(done.returncode == status or "this build has no" in done.stderr, f"{name}: exit status {done.returncode}: {done.stderr}")
    return done.stdout + done.stderr


def rows(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def records(folder, name):
    """[(kind, numbers, {field: values})]"""
    frames = read_frames(os.path.join(folder, name + ".vtkhdf"))
    return [(frame["numbers"]["kind"].decode(), frame["numbers"], frame) for frame in frames]


def near(found, wanted, tolerance=1e-5):
    return abs(found - wanted) <= tolerance * abs(wanted)


def basquin(amplitude):
    return 0.5 * (amplitude / 1000) ** -10


def safety_of(damage, life):
    """The factor f on stress with damage(f) life = 1."""
    low, high = 1e-3, 1e3
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if damage(middle) * life <= 1 else (low, middle)
    return low


# ---- closed forms ---------------------------------------------------------------------------------

def reversed_amplitude(word, amplitude, mean):
    largest = amplitude + mean
    return {"none": amplitude, "goodman": amplitude / (1 - mean / 500), "gerber": amplitude / (1 - (mean / 500) ** 2),
            "soderberg": amplitude / (1 - mean / 235), "morrow": amplitude / (1 - mean / 1000),
            "swt": math.sqrt(largest * amplitude), "walker": largest ** 0.35 * amplitude ** 0.65}[word]


def check_closed_form(folder):
    for word in ("none", "goodman", "gerber", "soderberg", "morrow", "swt", "walker"):
        for stress in ("critical_plane", "signed_von_mises", "max_principal"):
            text = HEAD.replace("CURVE", BASQUIN + ", walker: 0.65") + PULL + f"""fatigue:
  life: 10
  stress: {stress}
  mean_stress: {word}
  history:
    - {{steps: pull, ratio: -1, cycles: 1e5}}
    - {{steps: [pull], ratio: 0, cycles: 1e3}}
"""
            out = run(folder, "bar", text)
            damage = lambda f: 1e5 / basquin(100 * f) + (1e3 / basquin(reversed_amplitude(word, 50 * f, 50 * f)) if 50 * f < 235 else 0)
            kind, numbers, fields = records(folder, "bar")[-1]
            expect(kind == "fatigue" and near(numbers["fatigue_damage"], damage(1)), f"{word} {stress}: {numbers['fatigue_damage']}, not {damage(1)}")
            expect(near(numbers["fatigue_life"], 1 / damage(1)) and near(numbers["fatigue_safety"], safety_of(damage, 10)),
                   f"{word} {stress}: safety {numbers['fatigue_safety']}, not {safety_of(damage, 10)}")
            expect(near(fields["PointData/fatigue_damage"].min(), damage(1)), "everywhere in the bar")
            expect(near(fields["PointData/fatigue_log_life"].max(), -math.log10(damage(1))), "as a logarithm")
    expect("in 2 blocks" in out and "fully reversed" in out, out)
    expect(near(float(rows(folder, "bar.csv")[-1]["fatigue_damage"]), damage(1)), "in the table of steps")
    table = {row["set"]: row for row in rows(folder, "bar.sets.csv") if row["step"] == "fatigue"}
    expect(near(float(table["tip"]["fatigue_damage"]), damage(1)) and near(float(table["wall"]["fatigue_safety"]), safety_of(damage, 10)), f"sets: {table}")
    expect(execute(program, "report", "bar.vtkhdf", folder=folder).returncode == 0, "report")
    with open(os.path.join(folder, "bar.html"), encoding="utf-8") as file:
        page = file.read()
    expect("fatigue damage" in page and "fatigue life" in page, "the page has the life")
    expect(re.search(r"life, repeats of the history, log10 of the shortest ([\d.]+) at vertex", page), "a picture of the life")
    out = execute(program, "view", "bar.vtkhdf", "--picture", "life.png", folder=folder).stdout
    expect("fatigue log life" in out, f"the colors of the last frame: {out}")
    done = execute(program, "replay", "bar.vtkhdf", folder=folder)
    expect(done.returncode == 0 and "same bits" in done.stdout, done.stdout + done.stderr)


HISTORY = "fatigue: {mean_stress: none, history: [{steps: pull, ratio: -1, cycles: 1000}]}\n"


def life(folder, curve, amplitude=100):
    run(folder, "curve", HEAD.replace("CURVE", curve) + PULL.replace("400", str(4 * amplitude)) + HISTORY)
    return 1000 / records(folder, "curve")[-1][1]["fatigue_damage"]


def check_curves(folder):
    """Points are straight in logarithms; a knee; factors; finish by 4.51 Su^-0.265; 97.725 % are two standard deviations."""
    expect(near(life(folder, "points: [[1e3, 400], [1e6, 200], [1e8, 180]]", 300), 10 ** (3 + 3 * math.log(400 / 300) / math.log(2))), "points")
    expect(near(life(folder, "points: [[1e3, 0.4 GPa], [1e6, 200 MPa]]", 100), 1e9), "points with units, beyond the end")
    knee = 1000 * (2e6) ** -0.1
    expect(near(life(folder, BASQUIN + ", knee: 1e6, knee_exponent: -0.05", 100), 1e6 * (100 / knee) ** -20), "a knee")
    expect(near(life(folder, BASQUIN + ", factors: [0.5, 0.8]"), basquin(250)), "factors")
    expect(near(life(folder, BASQUIN + ", surface: machined"), basquin(100 / (4.51 * 500 ** -0.265))), "surface")
    expect(near(life(folder, BASQUIN + ", survival: 97.72498680518208 %, scatter: 0.2"), basquin(100) * 10 ** -0.4), "survival")
    out = run(folder, "limit", HEAD.replace("CURVE", BASQUIN + ", endurance_limit: 150") + PULL + HISTORY)
    kind, numbers, fields = records(folder, "limit")[-1]
    expect("infinite" in out and "fatigue_life" not in numbers and numbers["fatigue_damage"] == 0, out)
    expect((fields["PointData/fatigue_log_life"] == 12).all(), "an infinite life as a field")
    expect(near(numbers["fatigue_safety"], basquin(1) ** 0 * 2 * (1000 / 200) * (2000 ** -0.1)), f"safety beyond the limit: {numbers['fatigue_safety']}")


def check_combinations(folder):
    """Combinations as states; the whole in a sweep, by threads; a search for the load that lasts; an envelope behind it."""
    text = HEAD.replace("CURVE", BASQUIN).replace("units:", "parameters: {force: 400}\nunits:") + PULL.replace("400", "force") + """combinations: {up: {pull: 1.5}, down: {pull: -0.5}}
fatigue: {mean_stress: swt, history: [{steps: [up, pull, down], cycles: 7}]}
envelope: true
"""
    def wanted(s):
        return 7 / basquin(math.sqrt(1.5 * s * s))
    run(folder, "combined", text)
    expect([at[0] for at in records(folder, "combined")] == ["static", "combination", "combination", "fatigue", "envelope"], "kinds")
    expect(near(records(folder, "combined")[-2][1]["fatigue_damage"], wanted(100)), "combinations")
    sweep = text + "sweep: {list: [{force: 400}, {force: 800}]}\n"
    run(folder, "swept", sweep)
    run(folder, "jobs", sweep, "--jobs", "2")
    for name in ("swept", "jobs"):
        found = [float(row["fatigue_damage"]) for row in rows(folder, name + ".csv") if row["fatigue_damage"]]
        expect(len(found) == 2 and near(found[0], wanted(100)) and near(found[1], wanted(200)), f"{name}: {found}")
    out = run(folder, "search", text + "optimise: {parameters: {force: [200, 4000]}, maximize: max_von_mises, limits: {fatigue_safety: {least: 1.25}}}\n")
    if "this build has no" not in out:
        best = max(float(row["max_von_mises"]) for row in rows(folder, "search.csv") if row["step"].startswith("envelope") and float(row["violation"] or 1) <= 1e-3)
        expect(near(best / 1.5, safety_of(lambda f: wanted(100 * f), 1) * 100 / 1.25, 2e-2), f"the load with a safety of 1.25: {best}")


def check_materials(folder):
    """Alike but for their curves: at the plane where they meet the weaker one fails."""
    mesh = read_medit(os.path.join(folder, "box.mesh"))
    middle = mesh.points[mesh.tets].mean(axis=1)
    write_medit(os.path.join(folder, "two.mesh"), Mesh(mesh.points, mesh.tets, numpy.where(middle[:, 0] < 5, 1, 2)))
    one = "{region: %d, young: 210e3, poisson: 0, ultimate_strength: 500%s}"
    for young in ("210e3", "209e3"):
        material = "[" + one % (1, ", fatigue: {strength: 1000, exponent: -0.1}") + ", " + (one % (2, ", fatigue: {strength: 900, exponent: -0.1}")).replace("210e3", young) + "]"
        text = re.sub(r"material: .*", lambda _: "material: " + material, HEAD).replace("box.mesh", "two.mesh") + PULL + HISTORY
        for label, x in ((1, 0), (2, 10)):
            text = text.replace(f"{{surface: {label}}}", f"{{plane: {{point: [{x}, 0, 0], normal: x}}, of: faces}}")
        run(folder, "two", text)
        fields = records(folder, "two")[-1][2]
        place = mesh.points[fields["PointData/vertex_id"], 0]
        damage = fields["PointData/fatigue_damage"]
        weak = 1000 / basquin(100 / 0.9)
        expect((abs(damage[place > 4.99] / weak - 1) < 1e-3).all(), f"{young}: the weaker side, and where they meet")
        expect((abs(damage[place < 4.99] / (1000 / basquin(100)) - 1) < 1e-3).all(), f"{young}: the stronger side")
    text = re.sub(r", fatigue: \{strength: 900[^}]*\}", "", text)
    run(folder, "one", text)
    kind, numbers, fields = records(folder, "one")[-1]
    expect((fields["PointData/fatigue_safety"][place > 5.01] == 1000).all() and near(numbers["fatigue_damage"], 1000 / basquin(100), 1e-3), "a region without a curve")


# ---- strain life ----------------------------------------------------------------------------------

def solve(f, low, high):
    """The root of a rising function, by bisection."""
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return low


STEEL = {"young": 207e3, "strength": 1758, "b": -0.0977, "ductility": 2.12, "c": -0.774, "k": 1655, "n": 0.131}  # Dowling, table 14.1
DUCTILE = "strength: 1758, exponent: -0.0977, ductility: 2.12, ductility_exponent: -0.774"


def local(of, rule, elastic):
    """Stress and strain on the cyclic curve: Neuber's product or Glinka's energy is that of the elastic body."""
    def strain(s):
        return s / of["young"] + (s / of["k"]) ** (1 / of["n"])
    def surplus(s):
        if rule == "neuber":
            return s * strain(s) - elastic ** 2 / of["young"]
        return s * s / (2 * of["young"]) + s / (1 + of["n"]) * (s / of["k"]) ** (1 / of["n"]) - elastic ** 2 / (2 * of["young"])
    s = solve(surplus, 0, elastic)
    return s, strain(s)


def cycles(of, word, amplitude, stress, mean):
    """Of a strain amplitude, with the stress amplitude and the mean stress."""
    def strain(y):
        elastic, plastic = of["strength"] * math.exp(of["b"] * y), of["ductility"] * math.exp(of["c"] * y)
        if word == "swt":
            return elastic * (elastic / of["young"] + plastic) / (mean + stress)
        return (elastic - (max(mean, 0) if word == "morrow" else 0) * math.exp(of["b"] * y)) / of["young"] + plastic
    return 0.5 * math.exp(solve(lambda y: amplitude - strain(y), 0, 100))


def let_contract(text):
    """The bar between planes, which it slides along."""
    text = text.replace("{wall: {surface: 1},", "{wall: {surface: 1}, side: {surface: 3}, floor: {surface: 5},")
    return text.replace("displacement: [0, 0, 0]}", "displacement: [0, ~, ~]}\n  - {set: side, displacement: [~, 0, ~]}\n  - {set: floor, displacement: [~, ~, 0]}")


def check_strain_life(folder):
    """A cycle from -1/4 to the whole of 700 MPa, which yields; constants of the library; the cyclic curve that fits a strain life."""
    text = HEAD.replace("210e3", "207e3") + PULL.replace("400", "2800") + "fatigue: {method: strain_life, MORE history: [{steps: pull, ratio: -0.25, cycles: 30}]}\n"

    def wanted(of, rule, word):
        top, _ = local(of, rule, 700)
        stress, strain = local(of, rule, 0.5 * 875)
        return 30 / cycles(of, word, strain, stress, top - stress), strain

    for rule in ("neuber", "glinka"):
        for word in ("none", "morrow", "swt"):
            out = run(folder, "local", text.replace("CURVE", DUCTILE + ", cyclic_strength: 1655, cyclic_exponent: 0.131").replace("MORE", f"notch: {rule}, mean_stress: {word},"))
            numbers = records(folder, "local")[-1][1]
            damage, strain = wanted(STEEL, rule, word)
            expect(near(numbers["fatigue_damage"], damage) and near(numbers["fatigue_strain"], strain), f"{rule} {word}: {numbers['fatigue_damage']}, not {damage}")
            expect("fatigue_amplitude" not in numbers and "of the local strain" in out, out)
    run(folder, "fits", text.replace("CURVE", DUCTILE).replace("MORE", ""))
    n = 0.0977 / 0.774
    damage = wanted(dict(STEEL, n=n, k=1758 / 2.12 ** n), "neuber", "swt")[0]
    expect(near(records(folder, "fits")[-1][1]["fatigue_damage"], damage), "the cyclic curve that fits, SWT unless given")
    iron = re.sub(r"material: .*", "material: EN-GJS-400-15", let_contract(HEAD) + PULL.replace("400", "1000")) + "fatigue: {mean_stress: none, history: [{steps: pull, ratio: -1, cycles: 30}]}\n"
    run(folder, "iron", iron)
    expect(near(records(folder, "iron")[-1][1]["fatigue_damage"], 30 / (1e6 * (136 / 250) ** 5), 1e-4), "cast iron: 0.34 of 400 MPa for a million cycles, slope 5")
    run(folder, "iron", iron.replace("material: EN-GJS-400-15", "material: {library: EN-GJS-400-15, fatigue: {factors: [0.5]}}"))
    expect(near(records(folder, "iron")[-1][1]["fatigue_damage"], 30 / (1e6 * (68 / 250) ** 5), 1e-4), "with a factor")
    light = {"young": 71.7e3, "strength": 1466, "b": -0.143, "ductility": 0.262, "c": -0.619, "k": 977, "n": 0.106}
    aluminum = re.sub(r"material: .*", "material: 7075-T6", let_contract(text).replace("MORE", "").replace("2800", "1600"))
    run(folder, "light", aluminum)
    top, stress, strain = local(light, "neuber", 400)[0], *local(light, "neuber", 250)
    expect(near(records(folder, "light")[-1][1]["fatigue_damage"], 30 / cycles(light, "swt", strain, stress, top - stress), 1e-4), "of the library")


def check_plastic(folder):
    """A bar that is pulled to 300 MPa and pushed to 340 hardens on the way: its strains are those of the steps."""
    text = let_contract(HEAD).replace("fatigue: {CURVE}", "plastic: {yield_stress: 250, hardening: 5e3}, fatigue: {%s}" % DUCTILE)
    text += "steps:\n"
    for name, force in (("pull", 1200), ("push", -1360)):
        text += "  - {name: %s, loads: [{set: tip, total_force: [%d, 0, 0]}], static: {nonlinear: {}}}\n" % (name, force)
    of = dict(STEEL, young=210e3)
    strain = 320 / 210e3 + 0.5 * 40 / 5e3
    for stress in ("critical_plane", "signed_von_mises", "max_principal"):
        run(folder, "plastic", text + "fatigue: {method: strain_life, stress: %s, history: [{steps: [pull, push], cycles: 5}]}\n" % stress)
        numbers = records(folder, "plastic")[-1][1]
        expect(near(numbers["fatigue_strain"], strain, 1e-3), f"{stress}: strain {numbers['fatigue_strain']}, not {strain}")
        expect(near(numbers["fatigue_damage"], 5 / cycles(of, "swt", strain, 320, -20), 3e-3), f"{stress}: {numbers['fatigue_damage']}")


# ---- motion ---------------------------------------------------------------------------------------

def cycles_of(value):
    """(amplitude, mean): each maximum with the higher of the lowest values on both sides up to where it is exceeded (Rychlik 1987)."""
    value = [v for i, v in enumerate(value) if v != value[i - 1]]
    found, n = [], len(value)
    for i, top in enumerate(value):
        if not (top > value[i - 1] and top > value[(i + 1) % n]):
            continue
        low = []
        for step in (1, -1):
            smallest = top
            for k in range(1, n):
                if value[(i + step * k) % n] > top:
                    break
                smallest = min(smallest, value[(i + step * k) % n])
            low.append(smallest)
        found.append(((top - max(low)) / 2, (top + max(low)) / 2))
    return found


def check_motion(folder):
    """A bar that is hit swings: all outputs are the history, at each vertex by itself."""
    text = HEAD.replace("CURVE", BASQUIN).replace("poisson: 0,", "poisson: 0.3,") + """amplitudes: {hit: {table: [[0, 0], [4e-6, 1], [8e-6, -0.4], [12e-6, 0.7], [16e-6, 0]]}}
loads: [{set: tip, traction: [60, 20, 40], amplitude: hit}]
steps:
  - {name: swing, dynamic: {initial: rest, step: 5e-7, end: 4e-5, output: {every: 2}}}
fatigue: {stress: STRESS, mean_stress: goodman, history: [{steps: swing, cycles: 3}]}
"""
    run(folder, "swing", text.replace("STRESS", "max_principal"))
    found = records(folder, "swing")
    stress = numpy.array([at[2]["PointData/stress"] for at in found[:-1]])  # xx yy zz xy yz xz
    tensors = stress[:, :, [0, 3, 5, 3, 1, 4, 5, 4, 2]].reshape(stress.shape[0], stress.shape[1], 3, 3)
    damage = found[-1][2]["PointData/fatigue_damage"]

    def damage_on(v, normal):
        sum_ = 0
        for amplitude, mean in cycles_of(list(numpy.einsum("i,rij,j->r", normal, tensors[:, v], normal))):
            sum_ += 3 / basquin(amplitude / (1 - max(mean, 0) / 500))
        return sum_

    worst = 0
    for v in range(0, stress.shape[1], 5):
        values, vectors = numpy.linalg.eigh(tensors[:, v])
        r, k = numpy.unravel_index(abs(values).argmax(), values.shape)
        worst = max(worst, abs(damage[v] / damage_on(v, vectors[r, :, k]) - 1))
    expect(worst < 1e-4, f"along the direction of the largest principal stress: {worst}")
    expect(found[-1][1]["non_proportional"] > 0.1, "it is not proportional")
    out = run(folder, "planes", text.replace("STRESS", "critical_plane"))
    expect("not proportional" not in out, out)
    planes = records(folder, "planes")[-1][2]["PointData/fatigue_damage"]
    expect((planes >= damage * (1 - 1e-6)).all() and planes.max() > damage.max(), "the critical plane does no less")
    out = run(folder, "swing", text.replace("STRESS", "signed_von_mises"))
    expect("not proportional" in out, out)
    again = out
    run(folder, "swing", text.replace("STRESS", "signed_von_mises"), "--resume")
    expect(records(folder, "swing")[-1][0] == "fatigue", again)


def check_beam(folder):
    """The case to start from: half-way along the beam by beam theory and SWT, within what 1 % of stress makes of a life."""
    done = execute(program, "run", os.path.join(source, "datasets", "bar-fatigue.yaml"), "-o", "beam", "--device", "host", folder=folder)
    expect(done.returncode == 0, done.stderr)
    table = {row["set"]: row for row in rows(folder, "beam.sets.csv") if row["step"] == "fatigue"}
    wanted = sum(n / (0.5 * (math.sqrt(largest * amplitude) / 1758) ** (-1 / 0.0977)) for n, largest, amplitude in ((20, 300, 150), (1e4, 315, 15)))
    expect(near(float(table["half"]["fatigue_damage"]), wanted, 0.1), f"half-way: {table['half']['fatigue_damage']}, not {wanted}")
    fields = records(folder, "beam")[-1][2]
    with open(os.path.join(source, "datasets", "bar-fatigue.yaml"), encoding="utf-8") as file:
        write(folder, "few.yaml", file.read() + "output: {fields: [displacement]}\n")
    shutil.copy(os.path.join(source, "datasets", "bar.mesh"), folder)
    done_few = execute(program, "run", "few.yaml", "-o", "few", "--device", "host", folder=folder)
    few = [frame[2] for frame in records(folder, "few")]
    expect(done_few.returncode == 0 and "PointData/stress" not in few[0] and (few[-1]["PointData/fatigue_damage"] == fields["PointData/fatigue_damage"]).all(), "fields of fatigue are always saved")
    points, safety = fields["Points"], fields["PointData/fatigue_safety"]
    place = [float(table["half"]["fatigue_place_" + c]) for c in "xyz"]
    at = numpy.linalg.norm(points - place, axis=1).argmin()
    expect(near(safety[at], float(table["half"]["fatigue_safety"])) and abs(points[at] - place).max() < 1e-12, f"the worst vertex of a set: {place}")
    line = re.search(r"^    half +(\S+) +(\S+)  \(0.5, ", done.stdout, re.M)
    expect(line and near(float(line[1]), safety[at], 1e-4), done.stdout)
    expect(not re.search(r"^step .* mass ", done.stdout, re.M), "no column of mass without a density")


def check_refused(folder):
    plain = HEAD.replace("CURVE", BASQUIN) + PULL
    of = "fatigue: {history: [{steps: %s}]}\n"
    for what, text, words in (
            ("no step", plain + of % "[pull, puul]", "there is no step or combination 'puul'"),
            ("one state", plain + of % "pull", "one state is no cycle"),
            ("no cycle", plain + of % "pull, ratio: 1", "ratio is 1"),
            ("two and a ratio", plain + "combinations: {a: {pull: 2}}\n" + of % "[pull, a], ratio: 0", "goes with one linear static step"),
            ("nothing", plain + "fatigue: {history: []}\n", "the history is empty"),
            ("modes", plain + "  - {name: m, modes: {count: 2}}\n" + of % "[pull, m]", "neither static nor dynamic"),
            ("cycles", plain + of % "pull, ratio: 0, cycles: 0", "cycles"),
            ("edits", plain + "  - {name: b, edit: [{refine: {longer_than: 0.9}}], static: {}}\n" + of % "[pull, b]", "changes the body or its sets after step 'pull'"),
            ("no curve", plain.replace(", fatigue: {" + BASQUIN + "}", "") + of % "pull, ratio: 0", "no material has a stress-life curve"),
            ("no strength", plain.replace(", ultimate_strength: 500", "") + of % "pull, ratio: 0", "'mean_stress: goodman' or none"),
            ("half a curve", plain.replace(", exponent: -0.1", ""), "a stress-life curve is needed"),
            ("two curves", plain.replace("exponent: -0.1", "exponent: -0.1, points: [[1, 2], [2, 1]]"), "either 'points' or 'strength'"),
            ("rising points", plain.replace(BASQUIN, "points: [[1e3, 200], [1e6, 300]]"), "point 2 of the stress-life curve"),
            ("one point", plain.replace(BASQUIN, "points: [[1e3, 200]]"), "has 1 points"),
            ("half a point", plain.replace(BASQUIN, "points: [[1e3], [1e6]]"), "a list of 2"),
            ("exponent", plain.replace("-0.1", "0.1"), "it must be from -1 to -0.001"),
            ("half a knee", plain.replace(BASQUIN, BASQUIN + ", knee: 1e6"), "go together"),
            ("half of scatter", plain.replace(BASQUIN, BASQUIN + ", survival: 90 %"), "go together"),
            ("mean of strain", plain + "fatigue: {method: strain_life, mean_stress: goodman, history: [{steps: pull, ratio: 0}]}\n", "corrected by 'morrow' or 'swt'"),
            ("no ductility", plain + "fatigue: {method: strain_life, history: [{steps: pull, ratio: 0}]}\n", "needs 'strength', 'exponent', 'ductility'"),
            ("iron by strain", re.sub(r"material: .*", "material: EN-GJS-400-15", plain) + "fatigue: {method: strain_life, history: [{steps: pull, ratio: 0}]}\n", "needs 'strength', 'exponent', 'ductility'"),
            ("a knee of iron", re.sub(r"material: .*", "material: {library: EN-GJS-400-15, fatigue: {knee: 1e6, knee_exponent: -0.1}}", plain) + of % "pull, ratio: 0", "a stress-life curve is needed"),
            ("half a ductility", plain.replace(BASQUIN, BASQUIN + ", ductility: 1"), "go together"),
            ("points with ductility", plain.replace(BASQUIN, "points: [[1, 2], [2, 1]], ductility: 1, ductility_exponent: -0.6"), "which 'ductility' goes with"),
            ("a notch of stress", plain + "fatigue: {notch: glinka, history: [{steps: pull, ratio: 0}]}\n", "goes with 'method: strain_life'"),
            ("finish", plain.replace(BASQUIN, BASQUIN + ", surface: ground").replace(", ultimate_strength: 500", ""), "by 'ultimate_strength' in MPa"),
            ("factor", plain.replace(BASQUIN, BASQUIN + ", factors: [0]"), "factors: 0 is none"),
            ("large", plain + "kinematics: corotational\n" + of % "pull, ratio: 0", "'ratio' goes with a linear theory"),
            ("name", plain.replace("pull", "fatigue") + of % "fatigue, ratio: 0", "a step has this name already"),
            ("search", plain.replace("400", "f").replace("units:", "parameters: {f: 300}\nunits:") + of % "pull, ratio: 0"
             + "optimise: {parameters: {f: [1, 500]}, maximize: max_von_mises}\n", "add 'envelope: true'")):
        write(folder, "bad.yaml", text)
        done = execute(program, "run", "bad.yaml", "-o", "bad", folder=folder)
        expect(done.returncode == 2 and words in done.stderr and len(done.stderr.strip().splitlines()) == 1, f"{what}: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        expect(execute(program, "shape", "box", "--size", "10,2,2", "--cells", "8,2,2", "-o", "box.mesh", folder=folder).returncode == 0, "shape")
        check_closed_form(folder)
        check_curves(folder)
        check_combinations(folder)
        check_materials(folder)
        check_strain_life(folder)
        check_plastic(folder)
        check_motion(folder)
        check_beam(folder)
        check_refused(folder)
    return finish("fatigue")


sys.exit(main())
