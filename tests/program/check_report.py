"""Reports: one page that needs nothing beside it, whose pictures show the body in the colors of its stresses; of
whole studies and of those that were stopped. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import base64
import csv
import html
import html.parser
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

import support
from support import expect, numpy, run

program = sys.argv[1]

CASE = """mesh: part.mesh   # <b> & "quotes"
elements: linear
units: {length: mm, force: N}
material: {young: 210e3, poisson: 0.3}
sets: {wall: {surface: 1}, end: {surface: 2}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: end, total_force: [0, 0, -100]}]
steps:
  - {name: "plain <i>", static: {}}
  - {name: longer, edit: [{scale: {factor: [1.2, 1, 1]}}]}
  - {name: sideways, loads: [{set: end, total_force: [0, 50, 0]}], static: {}}
"""


class Page(html.parser.HTMLParser):
    """What is open must be closed; no attribute leads out of the page."""
    single = {"meta", "img"}

    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.text, self.images = [], [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.single:
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "href") and not value.startswith("data:"):
                self.wrong.append(value)
            if name == "src":
                self.images.append(base64.b64decode(value.split(",", 1)[1], validate=True))

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append("</" + tag)

    def handle_data(self, data):
        self.text.append(data)


def pixels(png):
    """Decoded by hand: chunks with their checksums, rows with the filter "up"."""
    expect(png[:8] == b"\x89PNG\r\n\x1a\n", "no PNG")
    at, data = 8, b""
    while at < len(png):
        n, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + n]
        expect(struct.unpack(">I", png[at + 8 + n:at + 12 + n])[0] == zlib.crc32(kind + body), f"CRC of {kind}")
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            expect((depth, color) == (8, 2), "8-bit RGB")
        data += body if kind == b"IDAT" else b""
        at += 12 + n
    expect(kind == b"IEND", "no end")
    rows = numpy.frombuffer(zlib.decompress(data), numpy.uint8).reshape(height, 3 * width + 1)
    expect((rows[:, 0] == 2).all(), "filters")
    return numpy.cumsum(rows[:, 1:], axis=0, dtype=numpy.uint8).reshape(height, width, 3)


def read_page(path):
    page = Page()
    with open(path, encoding="utf-8") as file:
        text = file.read()
    page.feed(text)
    expect(not page.open and not page.wrong, f"{path}: {page.open} {page.wrong[:5]}")
    expect(not re.search(r"https?://", text), f"{path} names other places")
    return page, "".join(page.text)


def check_pictures(page):
    expect(len(page.images) == 3, f"{len(page.images)} pictures")
    for k, png in enumerate(page.images):
        image = pixels(png).astype(int)
        body = (image != 255).any(axis=2)
        expect(0.05 < body.mean() < 0.9, f"picture {k}: {body.mean():.2f} of it are body")
        inner = body[16:-16, 16:-16].sum() / body.sum()
        expect(inner > 0.98, f"picture {k}: the body leaves it")
        red = (image[..., 0] > image[..., 2] + 60).sum()
        blue = (image[..., 2] > image[..., 0] + 60).sum()
        colored = red > 100 and blue > 100
        expect(colored == (k != 1), f"picture {k}: {red} red, {blue} blue; a step that only edits has no stress")


def check_mesh(folder):
    """info of a case, run and page say the same of the mesh: of a file of ten nodes whose sides are curved, and of the
    same file where the case makes its tets linear or mixed, which are straight."""
    with open(os.path.join(sys.argv[2], "datasets", "le10-curved.yaml"), encoding="utf-8") as file:
        case = file.read().replace("le10-curved.msh", os.path.join(sys.argv[2], "datasets", "le10-curved.msh"))
    for elements, kind, volume, edges in (("", "quadratic", "3.2692", ", 916 edges of quadratic tets"),
                                          ("elements: linear\n", "linear", "3.24509", ""),
                                          ("elements: mixed\n", "mixed", "3.24509", "")):
        with open(os.path.join(folder, "curved.yaml"), "w", encoding="utf-8") as file:
            file.write(elements + case)
        told = run(program, "info", "curved.yaml", folder=folder)
        expect(f"576 tets, 189 vertices, 1 region, volume {volume}\nelements           {kind}\n" in told, f"info: {told}")
        told = run(program, "run", "curved.yaml", "-o", "curved", "--device", "host", "--verbose", folder=folder)
        expect(f"576 tets, 189 vertices, 916 edges; volume {volume}{edges}\n" in told, f"run: {told}")
        run(program, "report", "curved.vtkhdf", "--pictures", "0", folder=folder)
        text = read_page(os.path.join(folder, "curved.html"))[1]
        expect(f"576 tets, 189 vertices, 304 boundary faces; volume {volume}{edges}; edges" in text, f"page: {kind}")


def figures(text):
    """Figures of numbers over parameters: name to the SVG."""
    return {html.unescape(name): svg for name, svg in re.findall(r'<figure data-name="([^"]*)">(.*?)</figure>', text, re.S)}


SWEEP = """mesh: part.mesh
units: {length: mm, force: N}
material: {young: young, poisson: 0.3}
parameters: {load: 100, stretch: 1, young: 210e3}
SWEEP
sets: {wall: {surface: 1}, "<b>end": {surface: 2}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: "<b>end", total_force: [0, 0, -load]}]
steps:
  - {name: shape, edit: [{scale: {factor: [stretch, 1, 1]}}]}
  - {name: bend, static: {}}
"""


def sweep(folder, name, what):
    with open(os.path.join(folder, name + ".yaml"), "w", encoding="utf-8") as file:
        file.write(SWEEP.replace("SWEEP", what))
    run(program, "run", name + ".yaml", "-o", name, "--device", "host", folder=folder)
    run(program, "report", name + ".vtkhdf", "--pictures", "0", folder=folder)
    page, text = read_page(os.path.join(folder, name + ".html"))
    with open(os.path.join(folder, name + ".html"), encoding="utf-8") as file:
        return page, text, file.read()


def check_sweeps(folder):
    """One parameter is the axis of curves, two of maps, three of parallel axes; what failed is a cross with its reason."""
    _, text, source = sweep(folder, "one", "sweep: {list: [{load: 300}, {load: 100}, {load: 200}, {load: 100, stretch: -1}]}")
    found = figures(source)
    expect("failure" in text and text.count("factor is -1") > 1, "the reason of a failure")
    # Two vary, stretch in one combination alone: a map of circles.
    svg = found.get("largest displacement", "")
    expect(svg.count("<circle") == 3 and svg.count("class='failed'") == 1, f"circles and a cross: {svg[:200]}")
    _, text, source = sweep(folder, "curve", "sweep: {grid: {load: [300, 100, 200]}}\ngoals: {tip: {of: displacement, set: '<b>end', direction: [0, 0, -1]}}")
    svg = figures(source).get("largest displacement", "")
    marks = [tuple(map(float, pair)) for pair in re.findall(r"<title>([-.\de+]+): ([-.\de+]+)</title>", svg)]
    expect([x for x, _ in marks] == [100, 200, 300], f"ascending along the axis: {marks}")
    expect(all(abs(y / marks[0][1] - x / 100) < 1e-4 for x, y in marks), f"a linear body's displacement: {marks}")
    goal = [float(y) for y in re.findall(r"<title>[-.\de+]+: ([-.\de+]+)</title>", figures(source).get("goal tip", ""))]
    expect(len(goal) == 3 and all(abs(y / goal[0] - k) < 1e-4 for k, y in zip((1, 2, 3), goal)) and text.count("goal tip") > 1, f"a goal: {goal}")
    expect("load</text>" in svg and "largest displacement, mm" in svg, "the axis and the unit")
    expect("max displacement of <b>end" in figures(source), f"numbers of sets: {list(figures(source))}")
    _, text, source = sweep(folder, "map", "sweep: {grid: {load: [100, 200], stretch: [0.8, 1, -1]}}")
    svg = figures(source).get("largest displacement", "")
    expect(svg.count("<title>load") == 4 and svg.count("class='failed'") == 2, "four cells and two that failed")
    expect("12 " not in text.split("combinations of")[0][-4:] and "6 combinations of load, stretch, 2 of them failed" in text, "how many")
    _, text, source = sweep(folder, "three", "sweep: {latin: {count: 5, seed: 1, ranges: {load: [100, 300], stretch: [0.5, 1.5], young: [7e4, 21e4]}}}")
    svg = figures(source).get("largest von Mises stress", "")
    expect(svg.count("<svg") == 4 and svg.count("<circle") == 15, "axes beside each other, then one at a time")
    expect("5 combinations of load, stretch, young." in text, "its parameters")


def check_last_mesh(folder):
    """Tets and volume of the last frame are those of the run after edits: cut, refined, with tets removed, converged."""
    for name, steps in (("cut", "{name: a, edit: [{cut: {sphere: {center: [50, 10, 5], radius: 3}, keep: outside}}, {refine: {longer_than: 4}}], static: {}}"),
                        ("removed", "{name: a, edit: [{remove: {box: [[50, -1, -1], [60, 5.1, 5.1]]}}]}"),
                        ("refined", "{name: a, converge: {peak: von_mises, on: end, until: 2 %, max_rounds: 3, max_tets: 20000}}")):
        with open(os.path.join(folder, name + ".yaml"), "w", encoding="utf-8") as file:
            file.write(CASE.split("steps:", maxsplit=1)[0] + f"steps:\n  - {steps}\n")
        run(program, "run", name + ".yaml", "-o", name, "--device", "host", folder=folder)
        with open(os.path.join(folder, name + ".csv"), encoding="utf-8") as file:
            row = list(csv.DictReader(file))[-1]
        run(program, "report", name + ".vtkhdf", "--pictures", "0", "--turn", "0", folder=folder)
        text = read_page(os.path.join(folder, name + ".html"))[1].split("Mesh of the last frame")[1]
        told = re.match(r"\s*([\d,]+) tets, .*?volume ([-.\de+]+)", text)
        expect(told and told[1].replace(",", "") == row["tets"] and abs(float(told[2]) / float(row["volume"]) - 1) < 1e-5 and told[1] != "2,880",
               f"{name}: {text[:80]} {row['tets']} {row['volume']}")


def check_sets(text):
    """Each set has a table with a row for each step; the support's reaction is that of the load."""
    part = text.split("Sets", 1)[1].split("Pictures")[0]
    wall, end = part.split("wall (faces)")[1].split("end (faces)")
    for table in wall, end:
        expect("plain <i>" in table and "sideways" in table, f"every step: {table}")
    expect(re.search(r"reaction z\s*N", wall) and "\n" in wall and "100" in wall.split("plain <i>")[1].split("sideways")[0], f"reaction: {wall}")
    expect(re.search(r"max displacement\s*mm", end), f"units: {end[:300]}")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        check_mesh(folder)
        run(program, "shape", "box", "--size", "100,10,10", "--cells", "30,4,4", "-o", "part.mesh", folder=folder)
        with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
            file.write(CASE)
        run(program, "run", "case.yaml", "-o", "all", "--device", "host", folder=folder)
        run(program, "report", "all.vtkhdf", "--up", "0,0,1", folder=folder)
        check_sweeps(folder)
        check_last_mesh(folder)
        page, text = read_page(os.path.join(folder, "all.html"))
        for part in ("plain <i>", 'part.mesh   # <b> & "quotes"', "N/mm^2", "quality", "iterations", "est. error", "too coarse", "max von Mises", "wall", "faces", "2,880 tets"):
            expect(part in text, f"'{part}' is not on the page")
        expect("Not complete" not in text, "a whole study")
        expect(text.count("too coarse") == 1 and "in 2 steps, last in step 2: the estimated error" in text,
               f"a warning is there once: {text.count('too coarse')}")
        check_sets(text)
        fields = text.split("Fields of the last frame")[1].split("Over the steps")[0]
        for part in ("displacementpoints0", "principaltets", "N/mm^2principal stresses", "(N*mm)^0.5estimated error"):
            expect(part in fields, f"'{part}' is not among the fields: {fields}")
        check_pictures(page)
        run(program, "report", "all.vtkhdf", "-o", "few.html", "--pictures", "1", "--warp", "1", folder=folder)
        expect(len(read_page(os.path.join(folder, "few.html"))[0].images) == 1, "one picture")
        run(program, "report", "all.vtkhdf", "-o", "none.html", "--pictures", "0", folder=folder)
        expect(not read_page(os.path.join(folder, "none.html"))[0].images, "no picture")

        with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
            file.write(CASE.replace("static: {}}\n", "static: {max_iterations: 1}}\n").replace(
                "max_iterations: 1", "max_iterations: 900", 1))
        run(program, "run", "case.yaml", "-o", "cut", "--device", "host", status=1, folder=folder)
        run(program, "report", "cut.partial.vtkhdf", folder=folder)
        told = run(program, "info", "cut.partial.vtkhdf", folder=folder)
        expect("at step 2, so not complete" in told and "plain <i>" in told, f"info: {told}")
        told = run(program, "info", "all.vtkhdf", folder=folder)
        expect("3, 3 frames" in told and "stopped" not in told, f"info: {told}")
        text = read_page(os.path.join(folder, "cut.partial.html"))[1]
        expect("Not complete" in text and "max_iterations" in text, "a stopped study says so")

        for words, why in ((["case.yaml"], "case.yaml"), (["none.vtkhdf"], "none.vtkhdf"),
                           (["all.vtkhdf", "--up", "1,0.75,1.1"], "parallel"),
                           (["all.vtkhdf", "-o", "none/page.html"], "none/page.html"),
                           (["all.vtkhdf", "-o", "case.yaml"], ".html or .htm")):
            done = support.execute(program, "report", *words, folder=folder)
            expect(done.returncode == 2 and why in done.stderr and len(done.stderr.splitlines()) == 1,
                   f"report {words}: {done.returncode} {done.stderr}")

        with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
            many = "".join(f", s{i}: {{sphere: {{center: [0, 0, 0], radius: {i + 1}}}}}" for i in range(300))
            file.write(CASE.replace("end: {surface: 2}", "end: {surface: 2}" + many))
        run(program, "run", "case.yaml", "-o", "many", "--device", "host", "--vtu", folder=folder)
        with open(os.path.join(folder, "many.000000.vtu"), "rb") as file:
            expect(b"set_s299" in file.read(), "a field of each of 300 sets")
    return support.finish("report")


sys.exit(main())
