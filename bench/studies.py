"""Studies of many steps, with block Jacobi as before and with the preconditioner that is chosen now:
milliseconds by step.  usage: studies.py EDGEWISE CSV [CELLS]

A box of about CELLS^3 tets (46: 95,000) is drilled in 21 steps after a first one, and
solved in each; the study of the bracket is the shipped one. Runs take turns; the faster of two
counts."""
import csv
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ("block-jacobi", "auto")


def hole_study(edgewise, folder, cells):
    mesh = os.path.join(folder, "block.mesh")
    size = (cells, cells // 2, cells // 3)
    subprocess.run([edgewise, "shape", "box", "--size", "0.12,0.06,0.04", "--cells",
                    ",".join(str(max(n, 2)) for n in size), "-o", mesh], check=True,
                   stdout=subprocess.DEVNULL)
    lines = [f"mesh: {mesh}", "elements: linear", "material: {young: 210e9, poisson: 0.3, density: 7850}", "sets:",
             "  wall: {plane: {point: [0, 0, 0], normal: x, tolerance: 1e-9}}",
             "  tip: {plane: {point: [0.12, 0, 0], normal: x, tolerance: 1e-9}}",
             "constraints: [{set: wall, displacement: [0, 0, 0]}]",
             "loads: [{set: tip, total_force: [0, -1000, 0]}]", "steps:",
             "  - {name: whole, static: {}}"]
    for k in range(21):
        x, y = 0.018 + 0.014 * (k % 7), 0.015 + 0.015 * (k // 7)
        lines += [f"  - name: hole {k + 1}", "    edit:", "      - {remove: {cylinder: {from: "
                  f"[{x:.4f}, {y:.4f}, -0.01], to: [{x:.4f}, {y:.4f}, 0.05], radius: 0.003}}}}}}",
                  "    static: {}"]
    path = os.path.join(folder, "holes.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def run(edgewise, case, kind, folder):
    log = os.path.join(folder, "log.jsonl")
    if os.path.exists(log):
        os.remove(log)
    subprocess.run([edgewise, "run", case, "-o", os.path.join(folder, "result"), "--preconditioner",
                    kind, "--quiet", "--log", log], check=True)
    steps = []
    with open(log, encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            if "iterations" in entry and "seconds_solve" in entry:
                total = sum(value for key, value in entry.items()
                            if key.startswith("seconds_") and key not in
                            ("seconds_save", "seconds_rebuild"))
                steps.append((entry["name"], int(entry["tets"]), int(entry["iterations"]),
                              1e3 * entry["seconds_solve"], 1e3 * total))
    return steps


def main():
    edgewise, out = os.path.abspath(sys.argv[1]), sys.argv[2]
    cells = int(sys.argv[3]) if len(sys.argv) > 3 else 46
    with tempfile.TemporaryDirectory() as folder, \
            open(out, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["study", "step", "tets", "preconditioner", "iterations", "solve_ms",
                        "step_ms"])
        cases = {"holes": hole_study(edgewise, folder, cells),
                 "bracket": os.path.join(HERE, "..", "datasets", "bracket-study.yaml")}
        for study, case in cases.items():
            best = {}
            for _ in range(2):
                for kind in KINDS:
                    for k, step in enumerate(run(edgewise, case, kind, folder)):
                        if (kind, k) not in best or step[4] < best[kind, k][4]:
                            best[kind, k] = step
            for (kind, _), (name, tets, iterations, solve, total) in sorted(
                    best.items(), key=lambda item: (item[0][1], item[0][0])):
                table.writerow([study, name, tets, kind, iterations, f"{solve:.4g}", f"{total:.4g}"])


main()
