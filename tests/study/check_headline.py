#!/usr/bin/python3
"""check_headline.py PROGRAM SOURCE_DIR BUILD_DIR

One stress to report: the largest of a tet, averaged and recovered, the same in summary, table, file, page and as a limit of a
search; where it has no limit, by which power it grows, and that it does; safety by strengths of materials, against F/A.
"""
import csv
import os
import re
import sys
import tempfile

import h5py

from checks import execute, expect, finish, write

program, source = sys.argv[1], sys.argv[2]

CORNER = """mesh: corner.mesh
elements: linear
units: {length: mm, force: N}
material: {young: 210e3, poisson: 0.3}
sets:
  top: {plane: {point: [0, 20, 0], normal: y}, of: faces}
  end: {plane: {point: [20, 0, 0], normal: x}, of: faces}
constraints:
  - {set: top, displacement: [0, 0, 0]}
loads:
  - {set: end, total_force: [0, -20, 0]}
steps:
  - {name: sharp, edit: [{remove: {box: [[10, 10, -1], [21, 21, 3]]}}], static: {}}
  - {name: finer, edit: [{refine: {set: {sphere: {center: [10, 10, 1], radius: 6}}}}], static: {}}
  - {name: finest, edit: [{refine: {set: {sphere: {center: [10, 10, 1], radius: 3}}}}], static: {}}
"""

BAR = """mesh: bar.mesh
elements: linear
units: {length: mm, force: N}
parameters: {force: 800}
material:
  - {region: 1, young: 210e3, poisson: 0, yield_strength: 240, ultimate_strength: 400}
  - {region: 2, young: 210e3, poisson: 0, yield_strength: 300, ultimate_strength: 320}
constraints:
  - {set: {surface: 1}, displacement: [0, 0, 0]}
loads:
  - {set: {surface: 2}, total_force: [force, 0, 0]}
steps: [{static: {}}]
"""


def run(folder, name, text, *options, status=0):
    write(folder, name + ".yaml", text)
    done = execute(program, "run", name + ".yaml", "-o", name, *options, folder=folder)
    expect(done.returncode == status, f"{name}: exit status {done.returncode}: {done.stderr}")
    return done.stdout + done.stderr


def rows(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def near(found, wanted, tolerance):
    return abs(found - wanted) <= tolerance * abs(wanted)


def check_corner(folder):
    expect(execute(program, "shape", "box", "--size", "20,20,2", "--cells", "20,20,2", "-o", "corner.mesh",
                   folder=folder).returncode == 0, "shape")
    out = run(folder, "corner", CORNER)
    table = rows(folder, "corner.csv")
    peak = [float(row["max_von_mises"]) for row in table]
    for row, value in zip(table, peak):
        parts = [float(row[key]) for key in ("max_tet_von_mises", "max_averaged_von_mises", "peak_recovered")]
        expect(value == max(parts), f"the largest of {parts}: {value}")
        expect(near(float(row["singular_order"]), 1 - 0.544483737, 1e-7) and near(float(row["singular_angle"]), 270, 1e-6),
               f"order and angle: {row}")
        expect(f"von Mises    max {value:.6g}" in out, f"{value} in {out}")
    order = float(table[0]["singular_order"])
    for coarse, fine in zip(peak, peak[1:]):  # tets of half the size
        expect(near(fine / coarse, 2 ** order, 0.06), f"{fine / coarse} in place of {2 ** order}")
    expect(out.count("no limit there: it grows with the size of the tets to the power -0.46") == 3, out)
    with h5py.File(os.path.join(folder, "corner.vtkhdf")) as file:
        for k, value in enumerate(peak):
            record = file[f"Edgewise/Steps/{k:06d}"].attrs
            expect(record["max_von_mises"] == value and near(record["singular_order"], order, 1e-15), f"record {k}")
    expect(execute(program, "report", "corner.vtkhdf", folder=folder).returncode == 0, "report")
    with open(os.path.join(folder, "corner.html"), encoding="utf-8") as file:
        page = file.read()
    expect(f"max {peak[-1]:.5g} of all tets and vertices" in page or f"max {peak[-1]:.5g}" in page, "the caption of the picture")
    smooth = CORNER.replace("displacement: [0, 0, 0]", "displacement: [~, 0, ~]").replace(
        "loads:", "  - {set: {nearest: [0, 20, 0]}, displacement: [0, ~, 0]}\n"
        "  - {set: {nearest: [20, 20, 0]}, displacement: [~, ~, 0]}\nloads:").split("steps:")[0] + "steps: [{static: {}}]\n"
    out = run(folder, "smooth", smooth.replace("[0, -20, 0]", "[0, 0, 0]").replace("end, total_force", "top, traction").replace(
        "traction: [0, 0, 0]", "pressure: 1"))
    expect("no limit there" not in out and rows(folder, "smooth.csv")[0]["singular_order"] == "", f"a body without corners: {out}")


def check_point(folder):
    point = CORNER.split("steps:")[0].replace("{set: end, total_force", "{set: {nearest: [20, 0, 2]}, total_force")
    out = run(folder, "point", point + "steps: [{static: {}}]\n")
    expect("to the power -2, at a point force at vertex" in out and rows(folder, "point.csv")[0]["singular_order"] == "2", out)


def check_safety(folder):
    """A bar of section 4 with two materials: stress 200 in both."""
    expect(execute(program, "shape", "box", "--size", "10,2,2", "--cells", "10,2,2", "-o", "plain.mesh",
                   folder=folder).returncode == 0, "shape")
    with open(os.path.join(folder, "plain.mesh"), encoding="utf-8") as file:
        head, tets = file.read().split("Tetrahedra")
    lines = tets.split("\n")
    count = int(lines[1])
    lines[2:2 + count] = [" ".join(line.split()[:4] + ["1" if k < count // 2 else "2"]) for k, line in enumerate(lines[2:2 + count])]
    write(folder, "bar.mesh", head + "Tetrahedra" + "\n".join(lines))
    out = run(folder, "bar", BAR)
    row = rows(folder, "bar.csv")[0]
    expect(near(float(row["max_von_mises"]), 200, 1e-6), f"F/A: {row}")
    expect(near(float(row["yield_safety"]), 240 / 200, 1e-6) and near(float(row["ultimate_safety"]), 320 / 200, 1e-6),
           f"safety by region: {row}")
    expect(re.search(r"safety +1\.2 against yielding in region 1, 1\.6 against the ultimate strength in region 2", out), out)
    search = "optimise: {parameters: {force: [100, 5000]}, maximize: strain_energy, limits: {yield_safety: {least: 1.5}}, " \
             "evaluations: 40}\n"
    write(folder, "search.yaml", BAR + search)
    done = execute(program, "run", "search.yaml", "-o", "search", folder=folder)
    if "EW_WITH_NLOPT" not in done.stderr:
        expect(done.returncode == 0, done.stderr)
        best = max((row for row in rows(folder, "search.csv") if float(row["violation"]) < 1e-4),
                   key=lambda row: float(row["objective"]))
        expect(near(float(best["parameter_force"]), 4 * 240 / 1.5, 1e-2), f"the largest force: {best}")
    bare = BAR.replace(", yield_strength: 240, ultimate_strength: 400", "").replace(
        ", yield_strength: 300, ultimate_strength: 320", "")
    write(folder, "bare.yaml", bare + search)
    done = execute(program, "run", "bare.yaml", "-o", "bare", folder=folder)
    expect(done.returncode == 2 and "'yield_safety' is by 'yield_strength' of a material, and none has one" in done.stderr,
           done.stderr)
    out = run(folder, "bare", bare)
    expect("safety" not in out and rows(folder, "bare.csv")[0]["yield_safety"] == "", "no strength, no safety")
    write(folder, "bad.yaml", BAR.replace("ultimate_strength: 400", "ultimate_strength: 100"))
    done = execute(program, "run", "bad.yaml", "-o", "bad", folder=folder)
    expect(done.returncode == 2 and "ultimate_strength is 100, below the yield_strength 240" in done.stderr, done.stderr)
    library = BAR.split("material:")[0] + "material: {library: S355, ultimate_strength: 470}\n" + BAR[BAR.index("constraints:"):]
    run(folder, "library", library.replace("poisson: 0.3", "poisson: 0"))
    row = rows(folder, "library.csv")[0]
    expect(near(float(row["yield_safety"]), 355 / float(row["max_von_mises"]), 1e-12), f"of the library: {row}")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        check_corner(folder)
        check_point(folder)
        check_safety(folder)
    return finish("one stress to report")


sys.exit(main())
