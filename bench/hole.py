#!/usr/bin/python3
"""hole.py EDGEWISE [-o PAGE.md] [--picture PNG] [--quick]: a sweep of hole radii in a plate under tension, 200 x 100 x 5,
r = 5 .. 26: the stress at the hole against Howland's (as Pilkey fits it), with linear and quadratic tets, by a sweep that
moves the hole and by cuts of the same plate alone; where the time of a variation goes, against doing all again for each
radius, and against CalculiX from decks of the same meshes. Seconds are of one thread each, wall time. Needs h5py; ccx
where CalculiX is to be shown."""
import argparse
import csv
import os
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import support  # noqa: E402
from support import numpy  # noqa: E402

CENTER, WIDTH = (100.0, 50.0), 100.0
RADII = list(range(5, 27))
# Edges within these distances of the middle are bisected beyond these lengths. No distance is a radius of the sweep: there
# tets of two sizes meet.
GRADING = [(60, 8), (45, 4), (33.5, 2.4), (23.5, 1.7), (16.5, 1.2), (11.5, 0.85), (8.5, 0.6)]  # linear
COARSE = [(60, 8), (45, 5), (32, 3.5), (22, 2), (15.6, 1.5), (10.6, 1.1)]  # quadratic
CASE = """mesh: plate.mesh
elements: {order}
material: {{young: 210e3, poisson: 0.3}}
parameters: {{r: 5}}
{sweep}sets:
  left: {{plane: {{point: [0, 0, 0], normal: x}}, of: faces}}
  right: {{plane: {{point: [200, 0, 0], normal: x}}, of: faces}}
  low: {{box: [[-0.01, -0.01, -0.01], [0.01, 0.01, 0.01]]}}
  high: {{box: [[-0.01, 99.99, -0.01], [0.01, 100.01, 0.01]]}}
constraints:
  - {{set: left, displacement: [0, ~, ~]}}
  - {{set: low, displacement: [~, 0, 0]}}
  - {{set: high, displacement: [~, ~, 0]}}
loads: [{{set: right, traction: [1, 0, 0]}}]
steps:
  - name: hole
    edit: [{{cut: {{cylinder: {{from: [100, 50, 0], to: [100, 50, 5], radius: r}}, keep: outside, name: hole}}}}]
    static: {{tolerance: 1e-8}}
"""


def howland(r):
    """Stress at the hole over that far away (Howland 1930; Pilkey's fit, chart 4.1)."""
    share = 1 - 2 * r / WIDTH
    return 0.284 + 2 / share - 0.6 * share + 1.32 * share * share


def run(*command, cwd):
    start = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    if done.returncode:
        sys.exit(f"hole.py: {' '.join(command)}: {done.stderr.strip()}")
    return time.perf_counter() - start


def make_plate(program, folder, grading):
    run(program, "shape", "box", "--size", "200,100,5", "--cells", "40,20,1", "-o", "plate.mesh", cwd=folder)
    for distance, length in grading:
        run(program, "refine", "plate.mesh", "--cylinder", f"100,50,-1,100,50,6,{distance}", "--longer-than", str(length),
            "-o", "plate.mesh", cwd=folder)


# ---- the stress at the hole ---------------------------------------------------------

def peak(frame, r, quadratic):
    """Stress along the plate at the hole's top and bottom: mean of the vertices of the hole within 0.1 r of them, which is
    one through the thickness, as in Howland's plane stress. Of quadratic tets the mean at each vertex. Of linear ones,
    whose stress is that of their middles, a linear function through those around it (Zienkiewicz & Zhu 1992)."""
    points, tets = frame["Points"], frame["Tets"][:, :4]
    distance = numpy.hypot(points[:, 0] - CENTER[0], points[:, 1] - CENTER[1])
    tip = numpy.flatnonzero((abs(distance - r) < 1e-6 * r) & (abs(points[:, 0] - CENTER[0]) < 0.1 * r))
    tip = tip[numpy.isin(tip, tets)]
    if quadratic:
        return frame["PointData/stress"][tip, 0].mean()
    stress, center = frame["CellData/stress"][:, 0], points[tets].mean(1)
    order = numpy.argsort(tets.ravel(), kind="stable")
    begin = numpy.searchsorted(tets.ravel()[order], numpy.arange(len(points) + 1))
    around = lambda v: order[begin[v]:begin[v + 1]] // 4  # noqa: E731
    found = []
    for v in tip:
        patch = numpy.unique(numpy.concatenate([around(w) for w in numpy.unique(tets[around(v)])]))
        rows = numpy.hstack((numpy.ones((len(patch), 1)), center[patch] - points[v]))
        found.append(numpy.linalg.lstsq(rows, stress[patch], rcond=None)[0][0])
    return numpy.mean(found)


def sweep(program, folder, order, start):
    text = f"sweep: {{grid: {{r: {{from: 5, to: 26, count: 22}}}}, start: {start}}}\n"
    with open(os.path.join(folder, "hole.yaml"), "w", encoding="utf-8") as file:
        file.write(CASE.format(order=order, sweep=text))
    seconds = run(program, "run", "hole.yaml", "-o", "hole", "--quiet", cwd=folder)
    frames = support.read_frames(os.path.join(folder, "hole.vtkhdf"))
    with open(os.path.join(folder, "hole.csv"), encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    return seconds, frames, table


def errors(values):
    off = [100 * (value / howland(r) - 1) for r, value in zip(RADII, values)]
    jump = [abs(b - a) for a, b in zip(off, off[1:])]
    return max(map(abs, off)), max(jump)


# ---- the same by other ways ------------------------------------------------------------

def again(program, folder, order):
    """Each radius as a run of its own, from the plate's file: read, cut, built and solved from zero."""
    seconds = 0.0
    for r in RADII:
        with open(os.path.join(folder, "one.yaml"), "w", encoding="utf-8") as file:
            file.write(CASE.format(order=order, sweep="").replace("r: 5}", f"r: {r}}}"))
        seconds += run(program, "run", "one.yaml", "-o", "one", "--quiet", cwd=folder)
    return seconds


def deck_of(frame, quadratic):
    """The same mesh and loads for CalculiX."""
    points, tets = frame["Points"], frame["Tets"]
    order = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] if quadratic else [0, 1, 2, 3]
    used = numpy.unique(tets[:, order])
    lines = ["*NODE, NSET=ALL"] + ["%d, %.12g, %.12g, %.12g" % (v + 1, *points[v]) for v in used]
    lines.append(f"*ELEMENT, TYPE={'C3D10' if quadratic else 'C3D4'}, ELSET=BODY")
    lines += [", ".join(map(str, [i + 1, *(tets[i, order] + 1)])) for i in range(len(tets))]
    lines += ["*MATERIAL, NAME=M", "*ELASTIC", "210e3, 0.3", "*SOLID SECTION, ELSET=BODY, MATERIAL=M", "*BOUNDARY"]
    left = used[abs(points[used, 0]) < 1e-9]
    lines += [f"{v + 1}, 1, 1" for v in left]
    low = left[numpy.argmin(abs(points[left, 1:]).sum(1))]
    high = left[numpy.argmin(abs(points[left, 1:] - (100, 0)).sum(1))]
    lines += [f"{low + 1}, 2, 3", f"{high + 1}, 3, 3", "*STEP", "*STATIC", "*DLOAD"]
    corner, side = [(1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)], [3, 4, 2, 1]
    for f in range(4):
        on = (abs(points[tets[:, corner[f]], 0] - 200) < 1e-6).all(1)
        lines += [f"{i + 1}, P{side[f]}, -1" for i in numpy.flatnonzero(on)]
    return "\n".join(lines + ["*NODE FILE", "U", "*EL FILE", "S", "*END STEP", ""])


def calculix(folder, frames, quadratic):
    """Seconds for all radii, decks given."""
    seconds = 0.0
    for frame in frames:
        with open(os.path.join(folder, "there.inp"), "w", encoding="utf-8") as file:
            file.write(deck_of(frame, quadratic))
        seconds += run("ccx", "there", cwd=folder)
    return seconds


# ---- the page ---------------------------------------------------------------------------

def chart(path, curves):
    """Stress over radius as an SVG beside the fit."""
    width, height, left, bottom = 640, 400, 60, 40
    x = lambda r: left + (width - left - 20) * (r - 4) / 23  # noqa: E731
    y = lambda s: height - bottom - (height - bottom - 20) * (s - 2.8) / 2.2  # noqa: E731
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
           f'font-size="12"><rect width="{width}" height="{height}" fill="white"/>']
    for s in (3, 3.5, 4, 4.5, 5):
        out.append(f'<line x1="{left}" x2="{width - 20}" y1="{y(s):.1f}" y2="{y(s):.1f}" stroke="#ddd"/>'
                   f'<text x="{left - 8}" y="{y(s) + 4:.1f}" text-anchor="end">{s}</text>')
    for r in range(5, 27, 3):
        out.append(f'<text x="{x(r):.1f}" y="{height - bottom + 18}" text-anchor="middle">{r}</text>')
    out.append(f'<text x="{width / 2}" y="{height - 6}" text-anchor="middle">radius of the hole, plate of width 100</text>')
    out.append(f'<text x="{left}" y="14">stress at the hole over that far away</text>')
    fine = [5 + 21 * i / 100 for i in range(101)]
    curves = [("Howland", "#888", [(r, howland(r)) for r in fine])] + curves
    for i, (name, color, line) in enumerate(curves):
        path_of = " ".join(f"{x(r):.1f},{y(s):.1f}" for r, s in line)
        out.append(f'<polyline points="{path_of}" fill="none" stroke="{color}" stroke-width="2"/>')
        if i:
            out += [f'<circle cx="{x(r):.1f}" cy="{y(s):.1f}" r="3" fill="{color}"/>' for r, s in line]
        out.append(f'<text x="{left + 20}" y="{40 + 18 * i}" fill="{color}">{name}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out + ["</svg>", ""]))


def stages(table):
    """Medians of what a variation after the first costs, ms, of the columns that the table has."""
    out = []
    for name in table[0]:
        if name.startswith("seconds_"):
            cost = [float(row[name]) for row in table[1:] if row[name]]
            out += [f"{name[8:]} {1e3 * numpy.median(cost):.1f}"] if cost else []
    return ", ".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("-o", "--output", default=os.path.join(ROOT, "bench", "HOLE.md"))
    parser.add_argument("--picture", default=os.path.join(ROOT, "bench", "hole.svg"))
    parser.add_argument("--quick", action="store_true", help="without the other ways")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    has_ccx = shutil.which("ccx") and not options.quick
    rows, times, curves = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for order, grading, color in (("linear", GRADING, "#1f77b4"), ("quadratic", COARSE, "#d62728")):
            make_plate(program, folder, grading)
            for start in ("continue", "fresh"):
                seconds, frames, table = sweep(program, folder, order, start)
                values = [peak(frame, r, order == "quadratic") for r, frame in zip(RADII, frames)]
                off, jump = errors(values)
                n_cut = 22 - sum(int(f["numbers"].get("goes_on", 0)) for f in frames) if start == "continue" else 22
                rows.append(f"| {order}, {'moved' if start == 'continue' else 'cut each'} | "
                            f"{table[0]['tets']} .. {table[-1]['tets']} | {n_cut} | {off:.1f} | {jump:.1f} | "
                            f"{seconds / 22:.2f} |")
                times.append(f"- {order}, {'moved' if start == 'continue' else 'cut each'}, of a variation: {stages(table)}")
                if start == "continue":
                    curves.append((f"{order} tets, the hole moved", color, list(zip(RADII, values))))
                    moved = frames
            if not options.quick:
                times.append(f"- {order}, each radius a run of its own (file, cut, tables, blocks, preconditioner, solve): "
                             f"{again(program, folder, order) / 22:.2f} s")
            if has_ccx:
                times.append(f"- {order}, CalculiX from decks of the moved meshes (SPOOLES or PaStiX as built, one thread): "
                             f"{calculix(folder, moved, order == 'quadratic') / 22:.2f} s")
    chart(options.picture, curves)
    page = ["# A sweep of hole radii", "", "`bench/hole.py BUILD/edgewise`: a plate 200 x 100 x 5 under tension, a hole of "
            "radius 5 to 26 in 22 steps. The plate is refined toward its middle, see the script for how far. Error: the largest off Howland's stress; jump: the largest change of "
            "that error between neighbors.", "", "![stress over radius](hole.svg)", "",
            "| tets, sweep | tets | cuts | error % | jump % | s a variation, all in |", "| --- | --- | --- | --- | --- | --- |",
            *rows, "", "Where the time goes, ms:", "", *times, ""]
    with open(options.output, "w", encoding="utf-8") as file:
        file.write("\n".join(page))
    print("\n".join(page))


if __name__ == "__main__":
    main()
