#!/usr/bin/env python3
"""variations.py EDGEWISE [-o PAGE.md]: sweeps over loads and moduli of a box of 105,456 tets, from each start."""
import argparse
import csv
import os
import resource
import subprocess
import tempfile

from pages import HERE, number, table

CASE = """mesh: box.mesh
elements: linear
parameters: {{px: 1e6, py: 0, first: 2e11, second: 7e10, long: 1}}
sweep: {{latin: {{count: {count}, ranges: {ranges}}}, start: {start}, report: {report}}}
material: [{{region: 0, young: first, poisson: 0.3}}, {{region: 1, young: second, poisson: 0.3}}]
sets:
  wall: {{plane: {{point: [0, 0, 0], normal: x}}}}
  tip: {{plane: {{point: [1, 0, 0], normal: x}}, of: faces}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
loads: [{{set: tip, traction: [px, py, 0]}}]
goals: {{tip: {{of: displacement, set: tip, direction: x}}, wall: {{of: reaction, set: wall}}, peak: {{of: max_von_mises}}}}
steps: [{{name: s, {edit}static: {{}}}}]
"""
ROWS = (("two loads", "{px: [1e6, 2e6], py: [-1e6, 1e6]}"),
        ("both moduli", "{first: [1e11, 3e11], second: [5e10, 9e10]}"),
        ("a length", "{long: [0.8, 1.2]}"),
        ("loads and moduli", "{px: [1e6, 2e6], py: [-1e6, 1e6], first: [1e11, 3e11], second: [5e10, 9e10]}"))
STARTS = (("fresh", "fields", 20), ("warm", "fields", 40), ("continue", "fields", 40), ("continue", "numbers", 60), ("continue", "goals", 1000))
ABOUT = """# Variations of one body

Written by `variations.py` with one thread: a box of 105,456 linear tets in two materials, combinations of a Latin hypercube,
solved to 1e-8. Seconds are of the processor, all in: the case read again, the model, solve, recovery, estimated
error, files. *Iterations*: of all combinations together. `fresh` starts at rest; `warm` and `continue` start from the
sum of answers before that is nearest in energy, `continue` without a new model. With `report: numbers` there are neither fields
nor estimated errors, with `report: goals` a mean displacement, a reaction and the largest stress alone.

"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edgewise")
    parser.add_argument("-o", dest="page", default=os.path.join(HERE, "VARIATIONS.md"))
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        def run(*command):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([given.edgewise, *command], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        run("shape", "box", "--size", "1,1,1", "--cells", "26,26,26", "-o", "box.mesh")
        path = os.path.join(folder, "box.mesh")
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        begin = lines.index("Tetrahedra") + 2
        for i in range(begin, begin + int(lines[begin - 1])):
            lines[i] = lines[i].rsplit(" ", 1)[0] + f" {i % 2}"
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        for what, ranges in ROWS:
            edit = "edit: [{scale: {about: [0, 0, 0], factor: [long, 1, 1]}}], " if "long" in ranges else ""
            for start, report, many in STARTS:
                many = min(many, 60) if edit and report != "goals" else many
                seconds = {}
                for count in 1, many:
                    with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
                        file.write(CASE.format(count=count, ranges=ranges, start=start, report=report, edit=edit))
                    seconds[count] = run("run", "case.yaml", "--threads", "1", "--quiet")
                with open(os.path.join(folder, "case.csv"), encoding="utf-8") as file:
                    iterations = sum(int(row["iterations"]) for row in csv.DictReader(file))
                rows.append([what, start, report, str(many), str(iterations), number(1000 * (seconds[many] - seconds[1]) / (many - 1))])
                print(rows[-1], flush=True)
    with open(given.page, "w", encoding="utf-8") as file:
        file.write(ABOUT + table(["varied", "start", "report", "combinations", "iterations", "ms each"], rows))


if __name__ == "__main__":
    main()
