#!/usr/bin/python3
"""check_nonlinear_table.py PROGRAM SOURCE_DIR BUILD_DIR

The table of kinematics, materials, tets and analyses in datasets/reference/elements.md: every cell is run on a small body that is pulled
and heated. `no` is one line that tells what to leave out; all else ends, on the host and for one material of a kind on a device.
Mixed tets are of isotropic materials, and explicit
schemes are refused in one line."""
import itertools
import os
import sys
import tempfile

import checks

program, source = sys.argv[1], sys.argv[2]
MATERIALS = {
    "elastic": ("young: 1e6, poisson: 0.3, expansion: 1e-5",
                "young: [1e6, 2e6, 3e6], poisson: [0.3, 0.3, 0.3], shear: [4e5, 5e5, 6e5], expansion: [1e-5, 2e-5, 1e-5]"),
    "law": ("young: 1e6, poisson: 0.3, expansion: 1e-5, plastic: {yield_stress: 40, hardening: 1e4}",
            "young: 1e6, poisson: 0.3, expansion: 1e-5, creep: {yield: 1e-5, creep: 5}"),
}
DYNAMIC = "dynamic: {step: 2e-4, steps: 3%s}"
STEPS = {
    "static: {}": ("static: {}",),
    "static: {nonlinear: {}}": ("static: {nonlinear: {steps: 2, duration: 1e-3}}",),
    "dynamic: {}": (DYNAMIC % "", DYNAMIC % ", scheme: central-difference"),
    "dynamic: {nonlinear: {}}": (DYNAMIC % ", nonlinear: {tolerance: 1e-5}",
                                 DYNAMIC % ", scheme: explicit-euler, damping: {mass: 500}, nonlinear: {}"),
    "modes:": ("modes: {count: 2}", "static: {}}, {modes: {count: 2}"),
    "buckling:": ("static: {}}, {buckling: {count: 1}",),
}
EXPLICIT = "central-difference", "explicit-euler"
REMEDIES = "leave", "give it", "use "


def read_table():
    """[(kinematics, material, tets, {step: answer})]"""
    with open(os.path.join(source, "datasets", "reference", "elements.md"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("| kinematics | material | tets |"))
    heads = [cell.strip(" `") for cell in lines[first].strip("|").split("|")]
    rows = []
    for line in itertools.takewhile(lambda line: line.startswith("|"), lines[first + 2:]):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows.append((*cells[:3], dict(zip(heads[3:], cells[3:]))))
    return rows


def run(folder, kinematics, material, tets, step, device):
    checks.write(folder, "case.yaml", f"""mesh: box.mesh
kinematics: {kinematics}
elements: {tets}
material: {{{material}, density: 1000}}
sets: {{wall: {{surface: 1}}, tip: {{surface: 2}}}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
loads: [{{set: tip, total_force: [-50, 0, 0]}}, {{temperature: 20}}]
steps: [{{{step}}}]
""")
    return checks.execute(program, "run", "case.yaml", "-o", "case", "--device", device, "--quiet", folder=folder)


def check_cell(folder, body, step, answer, devices):
    for device in devices if answer != "no" else devices[:1]:
        done = run(folder, *body, step, device)
        where = f"{body}, {step}, {device}"
        if "no direct solver" in done.stderr:
            continue
        if answer != "no" and body[2] == "mixed" and any(scheme in step for scheme in EXPLICIT):
            expected = "needs an implicit scheme" in done.stderr and done.stderr.count("\n") == 1
            checks.expect(done.returncode == 2 and expected, f"{where}: {done.stderr}")
        elif answer != "no":
            checks.expect(done.returncode == 0, f"{where}: {done.stderr}")
        elif checks.expect(done.returncode == 2 and done.stderr.count("\n") == 1, f"{where}: {done.returncode} {done.stderr}"):
            checks.expect(any(word in done.stderr for word in REMEDIES), f"{where}: no remedy: {done.stderr}")


def main():
    devices = ["host"] + ["opencl"] * ("opencl:" in (checks.run(program, "devices") or ""))
    with tempfile.TemporaryDirectory() as folder:
        checks.run(program, "shape", "box", "--size", "4,1,1", "--cells", "4,1,1", "-o", "box.mesh", folder=folder)
        rows = read_table()
        checks.expect(len(rows) == 4, f"{len(rows)} rows are in the table")
        for kinematics, materials, tets, answers in rows:
            for name, order in itertools.product(materials.split(", "), tets.split(", ")):
                isotropic = [material for material in MATERIALS[name] if order != "mixed" or "shear" not in material]
                for material, (head, answer) in itertools.product(isotropic, answers.items()):
                    for step in STEPS[head]:
                        first = material == MATERIALS[name][0]
                        check_cell(folder, (kinematics, material, order), step, answer, devices if first else devices[:1])
    sys.exit(checks.finish("nonlinear table"))


main()
