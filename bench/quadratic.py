#!/usr/bin/env python3
"""quadratic.py EDGEWISE MESH [-o PAGE.md] [--threads N] [--repeat N]: what quadratic tets cost beside linear ones on a mesh,
and their solve beside a sparse Cholesky factor of all of their blocks (CHOLMOD), each in turn, medians.

Steel under its own weight, the lowest 5 % of the height fixed, to 1e-8. The product and the memory are those of
`edgewise bench quadratic`; seconds of a solve are those of blocks and solve that `edgewise run --log`
says, with setting up and factoring. One thread unless asked for more. Half a minute with --repeat 3 on hand.mesh (99,869 tets)."""
import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

CASE = """mesh: {mesh}
material: {{young: 210e9, poisson: 0.3, density: 7850}}
elements: quadratic
sets:
  foot: {{box: [[-1e9, {low}, -1e9], [1e9, {high}, 1e9]]}}
constraints: [{{set: foot, displacement: [0, 0, 0]}}]
loads: [{{gravity: [0, -9.81, 0]}}]
steps: [{{static: {{tolerance: 1e-8, solver: {solver}}}}}]
"""


def run(*arguments):
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(arguments[:3])}: {done.stderr.strip()}")


def heights(mesh):
    """The lowest and the highest y of a MEDIT mesh."""
    with open(mesh, encoding="ascii") as file:
        words = file.read().split()
    at = words.index("Vertices") + 2
    y = [float(words[at + 4 * i + 1]) for i in range(int(words[at - 1]))]
    return min(y), max(y)


def bench(options, folder):
    table = os.path.join(folder, "quadratic.csv")
    run(options.edgewise, "bench", "quadratic", "--mesh", options.mesh, "--threads", str(options.threads), "--repeat",
        str(options.repeat), "--csv", table)
    with open(table, encoding="ascii") as file:
        return {(row["what"], row["quantity"]): float(row["value"]) for row in csv.DictReader(file)}


def solve(options, folder, solver):
    """Seconds and iterations."""
    low, high = heights(options.mesh)
    case, log = (os.path.join(folder, solver + end) for end in (".yaml", ".jsonl"))
    with open(case, "w", encoding="ascii") as file:
        file.write(CASE.format(mesh=os.path.abspath(options.mesh), low=low - 1.0, high=low + 0.05 * (high - low),
                               solver=solver))
    run(options.edgewise, "run", case, "-o", os.path.join(folder, solver), "--quiet", "--device", "host", "--threads",
        str(options.threads), "--log", log)
    with open(log, encoding="utf-8") as file:
        step = [line for line in map(json.loads, file) if "seconds_solve" in line][-1]
    return step["seconds_matrix"] + step["seconds_solve"], step.get("iterations")


def page(options, numbers, seconds, iterations):
    ratio = lambda of: numbers["quadratic", of] / numbers["linear", of]
    name = os.path.splitext(os.path.basename(options.mesh))[0]
    rows = [("one product, ms", *(f"{numbers[kind, 'median ms']:.3f}" for kind in ("linear", "quadratic")),
             f"{ratio('median ms'):.1f}", "at most 8"),
            ("memory of a product, bytes/tet", *(f"{numbers[kind, 'bytes/tet']:.0f}" for kind in ("linear", "quadratic")),
             f"{ratio('bytes/tet'):.2f}", "at most 3"),
            ("unknowns", *(f"{numbers[kind, 'unknowns']:,.0f}" for kind in ("linear", "quadratic")),
             f"{ratio('unknowns'):.1f}", "")]
    lines = [f"# Quadratic tets: {name}", "", " ".join(__doc__.split("\n\n")[1].split()), "",
             "| | linear | quadratic | times | aim |", "| --- | --- | --- | --- | --- |"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    if "cholesky" in seconds:
        lines += ["", "| solve of quadratic tets | s | iterations |", "| --- | --- | --- |",
                  f"| conjugate gradients | {seconds['cg']:.2f} | {iterations['cg']} |",
                  f"| CHOLMOD | {seconds['cholesky']:.2f} | |", "",
                  f"CHOLMOD takes {seconds['cholesky'] / seconds['cg']:.1f} times as long (aim: at least 5)."]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edgewise")
    parser.add_argument("mesh")
    parser.add_argument("-o", dest="page")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=9, help="of products; solves are repeated a third as often")
    parser.add_argument("--no-factor", action="store_true", help="leave CHOLMOD out")
    options = parser.parse_args()
    times = {"cg": []} if options.no_factor else {"cg": [], "cholesky": []}
    iterations = {}
    with tempfile.TemporaryDirectory() as folder:
        numbers = bench(options, folder)
        for _ in range(max(1, options.repeat // 3)):
            for solver in times:
                seconds, iterations[solver] = solve(options, folder, solver)
                times[solver].append(seconds)
    text = page(options, numbers, {solver: statistics.median(list_) for solver, list_ in times.items()}, iterations)
    print(text, end="")
    if options.page:
        with open(options.page, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
