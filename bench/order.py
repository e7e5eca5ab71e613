#!/usr/bin/env python3
"""order.py EDGEWISE [-o PAGE.md]: Linear and quadratic tets on the meshes of three shipped bodies: processor time of a run
with one thread, its peak memory, how far the largest displacement and the von Mises stress at a place are from
those of quadratic tets that are refined by their error, and the error of the energy norm that the run itself estimates.

The loads of each case; the last column has the tets of the reference and its estimated error.
Places: 20 mm from the root on the upper face of the bracket, 0.2 m from the wall on top of the beam, 90 degrees around
the hole of the plate. Five minutes."""
import argparse
import csv
import os
import subprocess
import tempfile

DATASETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "datasets")
BODIES = {  # place, error of the reference
    "bracket": ("[0.028, 0.008, 0.025]", "4 %"), "beam": ("[0.2, 0.05, 0.1]", "1 %"), "plate": ("[0.1, 0, 0.05]", "0.2 %")}
CELLS = (26, 37, 55, 79)  # along the edges of a cube
CUBE = """mesh: cube.mesh
elements: quadratic
material: {young: 210e9, poisson: 0.3}
sets: {wall: {surface: 1}, tip: {surface: 2}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: tip, traction: [0, 0, 1e6]}]
"""
REFINED = "    edit: [{refine: {by: error, until: ERROR}}]\n"


def run(edgewise, folder, body, order, edit=""):
    """[largest displacement, stress at the place, estimated error, tets], seconds of a processor, MB."""
    with open(os.path.join(DATASETS, body + ".yaml"), encoding="utf-8") as file:
        head = [line for line in file.read().split("steps:\n")[0].splitlines() if not line.startswith("elements:")]
    text = "\n".join(head).replace("mesh: ", f"mesh: {DATASETS}/") + f"\nelements: {order}\nsteps:\n  - name: answer\n"
    with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
        file.write(f"{text}{edit.replace('ERROR', BODIES[body][1])}    static: {{}}\noutput: {{probes: {{place: {BODIES[body][0]}}}}}\n")
    done = subprocess.Popen([edgewise, "run", "case.yaml", "-o", "case", "--device", "host", "--threads", "1", "--quiet"], cwd=folder)
    _, status, used = os.wait4(done.pid, 0)
    if status:
        raise SystemExit(f"{body}: exit status {status}")
    with open(os.path.join(folder, "case.csv"), encoding="utf-8") as file:
        row = list(csv.DictReader(file))[0]
    with open(os.path.join(folder, "case.paths.csv"), encoding="utf-8") as file:
        stress = float(list(csv.DictReader(file))[0]["von_mises"])
    return [float(row["max_displacement"]), stress, float(row["error_share"]), int(row["tets"])], used.ru_utime, used.ru_maxrss / 1024


def page(edgewise, repeat):
    lines = ["# Linear and quadratic tets on one mesh", "", " ".join(__doc__.split("\n\n", 1)[0].split(": ", 1)[1].split()), "",
             " ".join(__doc__.split("\n\n", 1)[1].split()), "",
             "| body, tets | elements | seconds | MB | displacement | stress | estimated error | reference |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    with tempfile.TemporaryDirectory() as folder:
        for body in BODIES:
            fine = run(edgewise, folder, body, "quadratic", REFINED)[0]
            for order in ("linear", "quadratic"):
                tried = [run(edgewise, folder, body, order) for _ in range(repeat)]
                answer, _, memory = tried[0]
                seconds = sorted(one[1] for one in tried)[repeat // 2]
                off = [100 * (answer[k] / fine[k] - 1) for k in (0, 1)]
                lines.append(f"| {body}, {answer[3]:,} | {order} | {seconds:.2f} | {memory:.0f} | {off[0]:+.1f} % | {off[1]:+.1f} % | "
                             f"{100 * answer[2]:.1f} % | {fine[3]:,} tets, {100 * fine[2]:.1f} % |")
    return "\n".join(lines) + "\n" + memory_page(edgewise)


def memory_page(edgewise):
    """What the default bound on quadratic tets rests on."""
    lines = ["", "## Memory of many quadratic tets", "",
             "A cube with one end clamped and the other sheared, solved once with the solver that is chosen unless a case says otherwise, by two",
             "threads: processor time and peak memory of the whole run, result file included. A case that says nothing of `elements:` has quadratic tets up to",
             "3,000,000, for a machine of 8 GB.", "", "| tets | seconds | MB | kB a tet |", "| --- | --- | --- | --- |"]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "cube.yaml"), "w", encoding="utf-8") as file:
            file.write(CUBE)
        for n in CELLS:
            subprocess.run([edgewise, "shape", "box", "--cells", f"{n},{n},{n}", "-o", "cube.mesh"], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)
            done = subprocess.Popen([edgewise, "run", "cube.yaml", "--device", "host", "--threads", "2", "--quiet"], cwd=folder)
            _, status, used = os.wait4(done.pid, 0)
            if status:
                raise SystemExit(f"cube of {n} cells: exit status {status}")
            tets = 6 * n ** 3
            lines.append(f"| {tets:,} | {used.ru_utime:.0f} | {used.ru_maxrss * 1024 / 1e6:,.0f} | {used.ru_maxrss * 1.024 / tets:.1f} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edgewise", type=os.path.abspath)
    parser.add_argument("-o", dest="page")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    text = page(options.edgewise, options.repeat)
    print(text, end="")
    if options.page:
        with open(options.page, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
