#!/usr/bin/env python3
"""variations.py EDGEWISE [-o PAGE.md] [--count N]: sweeps over loads and moduli of a box of 105,456 tets, from each start."""
import argparse
import csv
import os
import resource
import subprocess
import tempfile

from pages import HERE, number, table

CASE = """mesh: box.mesh
elements: linear
parameters: {{px: 1e6, py: 0, first: 2e11, second: 7e10}}
sweep: {{latin: {{count: {count}, ranges: {ranges}}}, start: {start}}}
material: [{{region: 0, young: first, poisson: 0.3}}, {{region: 1, young: second, poisson: 0.3}}]
sets:
  wall: {{plane: {{point: [0, 0, 0], normal: x}}}}
  tip: {{plane: {{point: [1, 0, 0], normal: x}}, of: faces}}
constraints: [{{set: wall, displacement: [0, 0, 0]}}]
loads: [{{set: tip, traction: [px, py, 0]}}]
steps: [{{name: s, static: {{}}}}]
output: {{every: 1000000}}
"""
ROWS = (("two loads", "{px: [1e6, 2e6], py: [-1e6, 1e6]}"),
        ("both moduli", "{first: [1e11, 3e11], second: [5e10, 9e10]}"),
        ("loads and moduli", "{px: [1e6, 2e6], py: [-1e6, 1e6], first: [1e11, 3e11], second: [5e10, 9e10]}"))
ABOUT = """# Variations of one body

Written by `variations.py` with one thread: a box of 105,456 linear tets in two materials, {count} combinations of a Latin hypercube,
solved to 1e-8, without frames. Seconds are of the processor, all in: the case read again, the model, solve, recovery, estimated
error, tables. *Iterations*: mean of the combinations after the tenth. `fresh` starts at rest; `warm` and `continue` start from the
sum of up to 8 answers before that is nearest in energy, `continue` without a new model. 1,000 variations take 1,000 times the last column.

"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edgewise")
    parser.add_argument("-o", dest="page", default=os.path.join(HERE, "VARIATIONS.md"))
    parser.add_argument("--count", type=int, default=40)
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
            for start in "fresh", "warm", "continue":
                seconds = {}
                for count in 1, given.count:
                    with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
                        file.write(CASE.format(count=count, ranges=ranges, start=start))
                    seconds[count] = run("run", "case.yaml", "--threads", "1", "--quiet")
                with open(os.path.join(folder, "case.csv"), encoding="utf-8") as file:
                    iterations = [int(row["iterations"]) for row in csv.DictReader(file)][10:]
                rows.append([what, start, number(sum(iterations) / len(iterations)),
                             number((seconds[given.count] - seconds[1]) / (given.count - 1))])
                print(rows[-1], flush=True)
    with open(given.page, "w", encoding="utf-8") as file:
        file.write(ABOUT.format(count=given.count) + table(["varied", "start", "iterations", "seconds a variation"], rows))


if __name__ == "__main__":
    main()
