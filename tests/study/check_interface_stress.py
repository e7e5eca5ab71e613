"""check_interface_stress.py PROGRAM SOURCE_DIR BUILD_DIR

Stress where materials meet, and the largest stress that a run tells. Two strips side by side are pulled alike: the
stress is exactly 210 in one and 70 in the other, in the file, the sets, the summary, the page and the estimate. On a
general body averages are worked out again, side by side. The largest von Mises stress is the same number wherever it
is told, and no value of the file is above it.
"""
import base64
import csv
import os
import re
import struct
import sys
import tempfile
import zlib

import numpy
from support import Mesh, content, execute, expect, finish, read_frames, read_medit, run, write, write_medit

program = sys.argv[1]

STRIPS = """mesh: MESH
elements: ORDER
units: {length: mm, force: N}
material: MATERIAL
sets:
  low: {plane: {point: [0, 0, 0], normal: x}, of: faces}
  high: {plane: {point: [8, 0, 0], normal: x}, of: faces}
  stiff: {box: [[0, 0, 0], [8, 1, 1]]}
  soft: {box: [[0, 1, 0], [8, 2, 1]]}
  stiff tets: {box: [[0, 0, 0], [8, 1, 1]], of: tets}
  soft tets: {box: [[0, 1, 0], [8, 2, 1]], of: tets}
  stiff faces: {box: [[0, 0, 0], [8, 1, 1]], of: faces}
  soft faces: {box: [[0, 1, 0], [8, 2, 1]], of: faces}
  joint: {plane: {point: [0, 1, 0], normal: y}}
constraints:
  - {set: low, displacement: [0, 0, 0]}
  - {set: high, displacement: [0.008, 0, 0]}
MORE
steps:
  - name: pulled
    EDIT
    static: {}
"""
TWO = "[{region: 1, young: 210e3, poisson: 0}, {region: 2, young: 70e3, poisson: 0}]"
WOOD = "young: [210e3, 70e3, 30e3], poisson: [0, 0, 0], shear: [20e3, 15e3, 10e3]"
LAYERS = "[{region: 1, %s}, {region: 2, %s, axes: {x: [0, 1, 0], y: [-1, 0, 0]}}]" % (WOOD, WOOD)
PLASTIC = "[{region: 1, young: 210e3, poisson: 0}, {region: 2, young: 70e3, poisson: 0, plastic: {yield_stress: 1e4, hardening: 1e3}}]"


def von_mises(s):
    a, b, c, d, e, f = s.T
    return numpy.sqrt(((a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2) / 2 + 3 * (d * d + e * e + f * f))


def near(value, wanted, tolerance=1e-5):
    return abs(float(value) - wanted) <= tolerance * wanted


def read_rows(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def strips(folder, name, mesh, material, more="", edit="", order="linear"):
    text = STRIPS.replace("MESH", mesh).replace("MATERIAL", material).replace("MORE", more).replace("EDIT", edit).replace("ORDER", order)
    write(folder, name + ".yaml", text)
    return run(program, "run", name + ".yaml", "-o", name, "--device", "host", folder=folder) or ""


def colors(page):
    """The colors of the first picture of a page, without gray and white, as fractions of its pixels."""
    png = base64.b64decode(re.search(r"base64,([^']+)", page).group(1))
    width, height = struct.unpack(">II", png[16:24])
    data, at = b"", 8
    while at < len(png):
        size = struct.unpack(">I", png[at:at + 4])[0]
        data += png[at + 8:at + 8 + size] if png[at + 4:at + 8] == b"IDAT" else b""
        at += 12 + size
    rows = numpy.frombuffer(zlib.decompress(data), numpy.uint8).reshape(height, 1 + 3 * width)
    pixel = rows[:, 1:].reshape(height, width, 3).astype(int)
    expect(len(set(rows[:, 0])) == 1 and rows[0, 0] in (0, 1, 2), "the picture has filters that this test does not know")
    if rows[0, 0]:  # of the differences to the left, or upwards
        pixel = numpy.cumsum(pixel, axis=2 - rows[0, 0]) % 256
    pixel = pixel.reshape(-1, 3)
    vivid = pixel[pixel.max(axis=1) - pixel.min(axis=1) > 40]
    return {"blue": (vivid[:, 2] > 2 * vivid[:, 0]).mean(), "red": (vivid[:, 0] > 2 * vivid[:, 2]).mean()}


def check_strips(folder, name, out, by_region=True):
    """210 and 70 everywhere; by_region: the strips are regions 1 and 2."""
    frame = read_frames(os.path.join(folder, name + ".vtkhdf"))[-1]
    y, tets = frame["Points"][:, 1], frame["Tets"]
    stiff = frame["Points"][tets[:, :4], 1].mean(axis=1) < 1
    corner = frame["CellData/corner_von_mises"]
    expect(numpy.abs(corner[stiff] - 210).max() < 1e-3 and numpy.abs(corner[~stiff] - 70).max() < 1e-3,
           f"{name}: corners from {corner[stiff].min()} and to {corner[~stiff].max()}")
    point, region = frame["PointData/von_mises"], frame["PointData/stress_region"]
    expect(numpy.abs(point - numpy.where(y < 1 + 1e-9, 210, 70)).max() < 1e-3,
           f"{name}: points have {numpy.unique(point.round(2))}")
    expect(numpy.abs(frame["PointData/stress"][:, 0] - point).max() < 1e-3, f"{name}: stress of points")
    expect(not by_region or (region == numpy.where(y < 1 + 1e-9, 1, 2)).all(), f"{name}: whose stress points have")
    row = {r["set"]: r for r in read_rows(folder, name + ".sets.csv")}
    for key, wanted in (("stiff", 210), ("soft", 70), ("joint", 210)):
        for part in (key, key + " tets", key + " faces") if key != "joint" else (key,):
            found = [float(row[part][f"{k}_von_mises"]) for k in ("mean", "max")]
            expect(all(near(f, wanted) for f in found), f"{name}: {part} has {found}")
    expect(near(row["low"]["mean_von_mises"], 140) and near(row["low"]["max_von_mises"], 210), f"{name}: {row['low']}")
    last = read_rows(folder, name + ".csv")[-1]
    for key in ("max_von_mises", "max_tet_von_mises", "max_averaged_von_mises"):
        expect(near(last[key], 210), f"{name}: {key} is {last[key]}")
    expect(last["error_share"] == "" or float(last["error_share"]) < 1e-5, f"{name}: estimated error {last['error_share']}")
    expect(re.search(r"von Mises +max (210|209\.999|210\.000)", out), f"{name}: {out}")
    run(program, "report", name + ".vtkhdf", "--from", "0,0,1", "--up", "0,1,0", folder=folder)
    with open(os.path.join(folder, name + ".html"), encoding="utf-8") as file:
        page = file.read()
    share = colors(page)
    expect(share["blue"] > 0.45 and share["red"] > 0.45, f"{name}: the picture is blue and red by {share}")


def split(folder):
    mesh = read_medit(os.path.join(folder, "box.mesh"))
    middle = mesh.points[mesh.tets].mean(axis=1)
    write_medit(os.path.join(folder, "strips.mesh"), Mesh(mesh.points, mesh.tets, numpy.where(middle[:, 1] < 1, 1, 2)))
    write_medit(os.path.join(folder, "one.mesh"), mesh)
    return middle


def write_fibers(folder, name, angle):
    with open(os.path.join(folder, name), "w") as file:
        file.writelines("%.17g,%.17g,0,%.17g,%.17g,0\n" % (c, s, -s, c)
                        for c, s in zip(numpy.cos(angle), numpy.sin(angle)))


def check_kinds(folder):
    check_strips(folder, "linear", strips(folder, "linear", "strips.mesh", TWO))
    check_strips(folder, "quadratic", strips(folder, "quadratic", "strips.mesh", TWO, order="quadratic"))
    check_strips(folder, "layers", strips(folder, "layers", "strips.mesh", LAYERS))
    check_strips(folder, "plastic", strips(folder, "plastic", "strips.mesh", PLASTIC))
    check_strips(folder, "single", strips(folder, "single", "strips.mesh", TWO, "output: {precision: single, fields: [displacement, stress, von_mises]}"))
    out = strips(folder, "finer", "strips.mesh", TWO, edit="edit: [{refine: {longer_than: 1.2}}, {refine: {by: error, until: 1 %}}]")
    expect(out.count("  refine  ") == 1, f"an exact answer is refined by its error: {out}")
    check_strips(folder, "finer", out)
    run(program, "replay", "finer.vtkhdf", "-o", "again", folder=folder)
    expect(content(os.path.join(folder, "finer.vtkhdf")) == content(os.path.join(folder, "again.vtkhdf")), "a replay differs")


def check_axes(folder, middle):
    """Axes by tet in one region: layers are parted, a field that turns slowly is not."""
    material = "{%s, axes: {csv: FILE}}" % WOOD
    write_fibers(folder, "jump.axes", numpy.where(middle[:, 1] < 1, 0, numpy.pi / 2))
    out = strips(folder, "jump", "one.mesh", material.replace("FILE", "jump.axes"))
    check_strips(folder, "jump", out, by_region=False)
    write_fibers(folder, "slow.axes", 0.2 * middle[:, 1] + 0.05 * middle[:, 0])
    strips(folder, "slow", "one.mesh", material.replace("FILE", "slow.axes"))
    check_averages(read_frames(os.path.join(folder, "slow.vtkhdf"))[-1], lambda frame: numpy.zeros(len(frame["Tets"]), int), "slow")


def check_averages(frame, side_of, what):
    """Averages over the tets of each side, of linear tets; side_of: a number for each tet of the frame."""
    tets, stress, side = frame["Tets"], frame["CellData/stress"], side_of(frame)
    volume, n = Mesh(frame["Points"], tets).volumes(), len(frame["Points"])
    largest = numpy.zeros(n)
    for number in numpy.unique(side):
        own = side == number
        weight, total = numpy.zeros(n), numpy.zeros((n, 6))
        numpy.add.at(weight, tets[own], numpy.repeat(volume[own, None], 4, axis=1))
        numpy.add.at(total, tets[own], numpy.repeat((volume[own, None] * stress[own])[:, None], 4, axis=1))
        mises = von_mises(total / numpy.where(weight > 0, weight, 1)[:, None])
        if "CellData/corner_von_mises" in frame:
            off = numpy.abs(frame["CellData/corner_von_mises"][own] - mises[tets[own]]).max()
            expect(off <= 1e-9 * mises.max(), f"{what}: side {number} is off by {off}")
        largest = numpy.maximum(largest, mises)
    off = numpy.abs(frame["PointData/von_mises"] - largest).max()
    expect(off <= 1e-9 * largest.max(), f"{what}: points are off by {off} of {largest.max()}")


BENT = """mesh: strips.mesh
material: MATERIAL
sets: {low: {plane: {point: [0, 0, 0], normal: x}, of: faces}, high: {plane: {point: [8, 0, 0], normal: x}, of: faces}, all: {all: true, of: tets}}
constraints: [{set: low, displacement: [0, 0, 0]}]
loads: [{set: high, total_force: [0, 30, 10]}]
MORE
"""


def check_bodies(folder):
    """Regions of one material are one; of three materials that meet each has its own."""
    same = "{young: 210e3, poisson: 0.3}"
    for name, material, side_of in (
            ("same", same, lambda frame: numpy.zeros(len(frame["Tets"]), int)),
            ("alike", f"[{{region: 1, {same[1:-1]}}}, {{region: 2, {same[1:-1]}, density: 7}}]",
             lambda frame: numpy.zeros(len(frame["Tets"]), int)),
            ("other", "[{region: 1, young: 210e3, poisson: 0.3}, {region: 2, young: 70e3, poisson: 0.2}]",
             lambda frame: frame["CellData/region"])):
        write(folder, name + ".yaml", BENT.replace("MATERIAL", material).replace("MORE", "elements: linear\nsteps: [{static: {}}]"))
        run(program, "run", name + ".yaml", "-o", name, "--device", "host", folder=folder)
        frame = read_frames(os.path.join(folder, name + ".vtkhdf"))[-1]
        check_averages(frame, side_of, name)
        expect(("PointData/stress_region" in frame) == (name != "same"), f"{name}: fields of interfaces")
        expect(frame["numbers"]["max_tet_von_mises"] == frame["CellData/von_mises"].max(), f"{name}: the largest of a tet")
        expect(frame["numbers"]["max_von_mises"] == max(frame["numbers"][k] for k in ("max_tet_von_mises", "max_averaged_von_mises", "peak_recovered")),
               f"{name}: the largest of three")


def check_headline(folder):
    """One largest stress: of quadratic tets in bending that at a vertex."""
    case = BENT.replace("MATERIAL", "{young: 210e3, poisson: 0.3}").replace(
        "MORE", "elements: quadratic\nparameters: {r: 0.5}\nsteps: [{edit: [{move: {set: high, by: [r, 0, 0]}}], static: {}}]")
    search = "optimise: {parameters: {r: [0, 1]}, minimize: mass, limits: {max_von_mises: {most: 100}}, evaluations: 1}"
    write(folder, "bent.yaml", case + search)
    done = execute(program, "run", "bent.yaml", "-o", "bent", "--device", "host", "--verbose", folder=folder)
    if "EW_WITH_NLOPT" in done.stderr:
        print("  skipped: the program has no optimizer")
        return
    expect(done.returncode == 0, done.stderr)
    out = done.stdout
    frame = read_frames(os.path.join(folder, "bent.vtkhdf"))[-1]
    row = read_rows(folder, "bent.csv")[-1]
    most, tet = frame["PointData/von_mises"].max(), frame["CellData/von_mises"].max()
    expect(most > 1.05 * tet, f"the case: {most} at a vertex, {tet} in a tet")
    number = frame["numbers"]
    expect(number["max_von_mises"] == number["max_averaged_von_mises"] == most and number["max_tet_von_mises"] == tet,
           f"numbers of the step: {number['max_von_mises']}")
    expect([float(row[k]) for k in ("max_von_mises", "max_tet_von_mises", "max_averaged_von_mises")] == [most, tet, most],
           f"the table: {row}")
    expect(near(row["violation"], most / 100 - 1, 1e-12), f"the limit of the search: {row['violation']}")
    expect(f"von Mises    max {most:.6g} averaged at vertex" in out and f"of a tet {tet:.6g}" in out, out)
    row = {r["set"]: r for r in read_rows(folder, "bent.sets.csv")}
    expect(float(row["all"]["max_von_mises"]) == most, f"the set of all tets: {row['all']['max_von_mises']}")
    run(program, "report", "bent.vtkhdf", folder=folder)
    with open(os.path.join(folder, "bent.html"), encoding="utf-8") as file:
        page = file.read()
    expect(f"max {most:.5g} of all tets and vertices" in page, "the caption of the picture")
    expect(f"<td>{most:.5g}</td><td>{tet:.5g}</td><td>{most:.5g}</td>" in page, "the table of the page")
    expect(f" {most:.5g} " in (run(program, "info", "bent.vtkhdf", folder=folder) or ""), "info")
    write(folder, "twice.yaml", case.replace("static: {}}]", "static: {}}, {static: {}}]"))
    out = run(program, "run", "twice.yaml", "-o", "twice", "--threads", "1", "--device", "host", folder=folder) or ""
    again = read_frames(os.path.join(folder, "twice.vtkhdf"))[0]
    run(program, "run", "twice.yaml", "-o", "threads", "--threads", "2", "--device", "host", folder=folder)
    threads = read_frames(os.path.join(folder, "threads.vtkhdf"))[0]
    expect((again["PointData/von_mises"] == threads["PointData/von_mises"]).all(), "one thread has other bits")
    # A search solves to a tenth of the tolerance, for later variants start from its answers.
    expect(near(again["PointData/von_mises"].max(), most, 1e-7), "the answer without a search")
    expect(f" {most:.5g} " in out[out.rindex("  max u "):], f"the table of the run: {out}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        run(program, "shape", "box", "--size", "8,2,1", "--cells", "8,4,2", "-o", "box.mesh", folder=folder)
        middle = split(folder)
        check_kinds(folder)
        check_axes(folder, middle)
        check_bodies(folder)
        check_headline(folder)
    return finish("check_interface_stress")


if __name__ == "__main__":
    sys.exit(main())
