"""The page BODIES.md from the numbers in measured/: everything below the line that says so is
written again.  usage: tables.py [FOLDER]"""
import csv
import os
import sys

HERE = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
MARK = "<!-- written by tables.py from here on -->\n"


def load(name):
    path = os.path.join(HERE, "measured", name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def number(value):
    if value is None:
        return ""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def by_body(rows, scenario):
    """{(mesh, tets, vertices): {(where, what): {quantity: value}}}"""
    bodies = {}
    for row in rows:
        if row["scenario"] == scenario:
            body = (row["mesh"], int(row["tets"]), int(row["vertices"]))
            key = (row["where"], row["what"])
            numbers = bodies.setdefault(body, {}).setdefault(key, {})
            numbers[row["quantity"]] = float(row["value"])
    return bodies


def both(numbers):
    return f"{number(numbers['median ms'])} ({number(numbers['min ms'])})" if numbers else ""


def static():
    rows = []
    host, device = by_body(load("static.csv"), "static"), by_body(load("static-opencl.csv"), "static")
    for body, kinds in host.items():
        on_device = {key: value for key, value in device.get(body, {}).items() if key[0] != "host"}
        for (where, what), one in [*kinds.items(), *on_device.items()]:
            rows.append([body[0], f"{body[1]:,}", f"{body[2]:,}", where, what,
                         f"{one['iterations']:.0f}",
                         *[number(one[stage + " ms"]) for stage in
                           ("tables", "matrix", "loads", "solve", "recover", "median")],
                         f"{one['peak MiB']:.0f}"])
    return table(["mesh", "tets", "vertices", "where", "precision", "iterations", "tables", "matrix",
                  "loads", "solve", "recover", "total ms", "peak MiB"], rows)


def build(rows):
    lines = []
    for (mesh, tets, _), kinds in by_body(rows, "build").items():
        tables, matrix = kinds["host", "tables"], kinds["host", "matrix"]
        lines.append([mesh, f"{tets:,}", both(tables), both(matrix),
                      both(kinds["host", "matrix in place"]), number(matrix["Mtets/s"]),
                      both(kinds.get(("opencl", "matrix with upload"))), number(tables["MiB"]),
                      number(matrix["MiB"])])
    return table(["mesh", "tets", "tables", "matrix", "matrix in place", "matrix Mtets/s",
                  "OpenCL, with upload", "tables MiB", "matrix MiB"], lines)


def product(rows):
    lines = []
    for (mesh, tets, _), kinds in by_body(rows, "product").items():
        for (where, what), one in kinds.items():
            lines.append([mesh, f"{tets:,}", where, what.split()[0], both(one),
                          *[number(one[name]) for name in
                            ("GB/s counted", "GB/s read", "GB/s memory")],
                          f"{one['% of memory']:.0f}"])
    return table(["mesh", "tets", "where", "blocks", "ms", "GB/s counted", "GB/s read",
                  "GB/s memory", "% of memory"], lines)


def frames(rows):
    kinds = [(where, f"{precision} {name}") for where in ("host", "opencl")
             for precision in ("double", "single") for name in ("Jacobi", "block Jacobi")]
    lines = [[mesh, f"{tets:,}", *[number(found.get(kind, {}).get("frames/s")) for kind in kinds]]
             for (mesh, tets, _), found in by_body(rows, "cg").items()]
    return table(["mesh", "tets", *[", ".join(kind) for kind in kinds]], lines)


def peers(what):
    bodies, who = {}, {}
    for row in load("peers.csv"):
        if row["what"] == what:
            body = f"{row['mesh']} {int(row['tets']):,}"
            bodies[body] = None
            cell = f"{number(float(row['min_ms']))} ({float(row['ratio']):.2f})"
            who.setdefault(row["who"], {})[body] = cell
    return table(["ms, min (ratio)", *bodies],
                 [[name, *[cells.get(body, "") for body in bodies]] for name, cells in who.items()])


def main():
    scenarios = load("scenarios.csv")
    with open(os.path.join(HERE, "measured", "machine.txt"), encoding="utf-8") as file:
        machine = file.read()
    text = (
        f"```\n{machine}```\n\n"
        f"### Whole static analyses\n\nMilliseconds by stage; what the total has beyond them is the error estimate.\n\n{static()}\n"
        f"### Build\n\nMilliseconds, median (min).\n\n{build(scenarios)}\n"
        f"### Product\n\nMilliseconds, median (min).\n\n{product(scenarios)}\n"
        f"### Twenty iterations of conjugate gradients\n\nFrames per second.\n\n{frames(scenarios)}\n"
        "### Beside Eigen, PETSc and CHOLMOD\n\nMilliseconds of the fastest sample and, in brackets, "
        "its ratio to Edgewise on one thread (above 1: slower than Edgewise).\n\n"
        f"Assembly:\n\n{peers('assembly')}\nProduct:\n\n{peers('product')}\n"
        f"Static solve, assembly included:\n\n{peers('static')}")
    path = os.path.join(HERE, "BODIES.md")
    with open(path, encoding="utf-8") as file:
        head = file.read().split(MARK)[0]
    with open(path, "w", encoding="utf-8") as file:
        file.write(head + MARK + "\n" + text)


main()
