#!/usr/bin/python3
"""hole.py EDGEWISE [-o PAGE.md] [--picture SVG] [--every N] [--radii N]: a sweep of hole radii in a plate under tension,
200 x 100 x 5, r = 5 .. 26: the stress at the hole against Howland's (as Pilkey fits it), with linear and quadratic tets, by
a sweep that moves the hole and by cuts of the same plate; where the time of a variation goes, against building and solving
the same mesh from nothing, against meshing again (Gmsh), and against CalculiX. These other ways take each N-th radius after
the first (7 unless given: 12, 19 and 26; 0: none). --radii: how many radii, 22 unless given; fewer for a trial of this script. Seconds are wall time
of one thread. Needs numpy and h5py (python3-h5py); gmsh and ccx (calculix-ccx) for their rows."""
import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
import support  # noqa: E402
from support import numpy  # noqa: E402
import hole_peers as peers  # noqa: E402

CENTER, WIDTH = (100.0, 50.0), 100.0
# Edges within these distances of the middle are bisected beyond these lengths. No distance is a radius of the sweep: there
# tets of two sizes meet.
GRADING = {"linear": [(60, 8), (45, 4), (33.5, 2.4), (23.5, 1.7), (16.5, 1.2), (11.5, 0.85), (8.5, 0.6)],
           "quadratic": [(60, 8), (45, 5), (32, 3.5), (22, 2), (15.6, 1.5), (10.6, 1.1)]}
COLORS = {"linear": "#1f77b4", "quadratic": "#d62728"}
EDIT = """    edit: [{cut: {cylinder: {from: [100, 50, 0], to: [100, 50, 5], radius: r}, keep: outside, name: hole}}]
"""
CASE = """mesh: {mesh}
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
{edit}    static: {{tolerance: 1e-8}}
"""


def howland(r):
    """Stress at the hole over that far away (Howland 1930; Pilkey's fit, chart 4.1)."""
    share = 1 - 2 * r / WIDTH
    return 0.284 + 2 / share - 0.6 * share + 1.32 * share * share


class Bench:
    """The program, a folder to work in, and which radii."""

    def __init__(self, program, folder, n_radius):
        self.program, self.folder = program, folder
        self.radii = [round(5 + 21 * i / (n_radius - 1), 6) for i in range(n_radius)] if n_radius > 1 else [5]

    def run(self, *command):
        start = time.perf_counter()
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True,
                              env=dict(os.environ, OMP_NUM_THREADS="1"))
        if done.returncode:
            sys.exit(f"hole.py: {' '.join(command)}: {(done.stderr.strip() or done.stdout.strip())[-500:]}")
        seconds = time.perf_counter() - start
        print(f"{seconds:8.2f} s  {os.path.basename(command[0])} {' '.join(command[1:3])}", file=sys.stderr)
        return seconds

    def case(self, order, mesh, sweep, edit):
        return CASE.format(order=order, mesh=mesh, sweep=sweep, edit=edit)

    def make_plate(self, grading):
        self.run(self.program, "shape", "box", "--size", "200,100,5", "--cells", "40,20,1", "-o", "plate.mesh")
        for distance, length in grading:
            self.run(self.program, "refine", "plate.mesh", "--cylinder", f"100,50,-1,100,50,6,{distance}", "--longer-than",
                     str(length), "-o", "plate.mesh")


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


def taken(all_of, every):
    """What the other ways take of all radii: not the first, whose mesh is large."""
    return all_of[every::every] if every else []


def error_of(values, radii):
    """The largest one, and the largest jump between neighbors, percent."""
    off = [100 * (value / howland(r) - 1) for r, value in zip(radii, values)]
    return max(map(abs, off)), max([abs(b - a) for a, b in zip(off, off[1:])], default=0.0)


# ---- ways through the radii ------------------------------------------------------------

def sweep(bench, order, start):
    """Frames, and the cost of each radius by stage. What belongs to no radius (the plate's file) is shared out."""
    n = len(bench.radii)
    text = f"sweep: {{grid: {{r: {{from: 5, to: {bench.radii[-1]}, count: {n}}}}}, start: {start}}}\n"
    with open(os.path.join(bench.folder, "hole.yaml"), "w", encoding="utf-8") as file:
        file.write(bench.case(order, mesh="plate.mesh", sweep=text, edit=EDIT))
    seconds = bench.run(bench.program, "run", "hole.yaml", "-o", "hole", "--quiet")
    frames = support.read_frames(os.path.join(bench.folder, "hole.vtkhdf"))
    own = [sum(float(value) for name, value in frame["numbers"].items() if name.startswith("seconds_") and
               name != "seconds_setup") for frame in frames]
    with open(os.path.join(bench.folder, "hole.csv"), encoding="utf-8") as file:
        failed = [row["failure"] for row in csv.DictReader(file) if row["failure"]]
    if failed or len(frames) != n:
        sys.exit(f"hole.py: {len(failed)} radii failed: {failed[:1]}")
    share = (seconds - sum(own)) / n
    return seconds / n, frames, [peers.stages_of(frame["numbers"], cost + share) for frame, cost in zip(frames, own)]


def by_sweeps(bench, order):
    """Rows of both tables, and frames and stresses of the sweep that moves the hole."""
    rows, costs, moved, values = [], {}, None, None
    for start, name in (("continue", "moved, cut again where it must be"), ("fresh", "cut each")):
        seconds, frames, cost = sweep(bench, order, start)
        found = [peak(frame, r, order == "quadratic") for r, frame in zip(bench.radii, frames)]
        off, jump = error_of(found, bench.radii)
        n_cut = len(frames) - sum(int(frame["numbers"].get("goes_on", 0)) for frame in frames)
        rows.append(f"| {order} | {name} | {cost[0]['tets']:,} .. {cost[-1]['tets']:,} | {n_cut} | {off:.1f} | {jump:.1f} | "
                    f"{seconds:.2f} |")
        costs[f"sweep, {name}"] = cost
        if start == "continue":
            moved, values = frames, found
    return rows, costs, moved, values


def by_other_ways(bench, order, frames, every):
    """Costs by way, and what is to be said of them."""
    chosen = taken(list(zip(bench.radii, frames)), every)
    costs, said, values, apart = {}, [], [], []
    for r, frame in chosen:
        costs.setdefault("a run of its own from the same mesh", []).append(peers.built_again(bench, order, frame))
        if peers.has("gmsh"):
            cost, found = peers.meshed_again(bench, order, GRADING[order], r)
            costs.setdefault("meshed again by Gmsh, a run of its own", []).append(cost)
            values.append(peak(found, r, order == "quadratic"))
        if peers.has("ccx"):
            cost, other = peers.calculix(bench, order, frame)
            costs.setdefault("CalculiX from a deck of the same mesh", []).append(cost)
            apart.append(other)
    if values:
        off, _ = error_of(values, [r for r, _ in chosen])
        said.append(f"On Gmsh's meshes the error with {order} tets is {off:.1f} % at most.")
    if apart:
        said.append(f"CalculiX's displacement of the loaded end, {order} tets, differs by {max(apart):.1g} at most, relative.")
    return costs, said


# ---- the page ---------------------------------------------------------------------------

def chart(path, curves):
    """Stress over radius as an SVG beside the fit."""
    width, height, left, bottom = 640, 400, 60, 44
    x = lambda r: left + (width - left - 20) * (r - 4) / 23  # noqa: E731
    y = lambda s: height - bottom - (height - bottom - 30) * (s - 2.8) / 2.2  # noqa: E731
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
           f'font-size="13"><rect width="{width}" height="{height}" fill="white"/>']
    for s in (3, 3.5, 4, 4.5, 5):
        out.append(f'<line x1="{left}" x2="{width - 20}" y1="{y(s):.1f}" y2="{y(s):.1f}" stroke="#ddd"/>'
                   f'<text x="{left - 8}" y="{y(s) + 4:.1f}" text-anchor="end">{s}</text>')
    for r in range(5, 27, 3):
        out.append(f'<text x="{x(r):.1f}" y="{height - bottom + 18}" text-anchor="middle">{r}</text>')
    out.append(f'<text x="{width / 2}" y="{height - 6}" text-anchor="middle">radius of the hole, plate of width 100</text>')
    out.append(f'<text x="{left}" y="18">stress at the hole over that far away</text>')
    fine = [5 + 21 * i / 100 for i in range(101)]
    curves = [("Howland (1930)", "#888", [(r, howland(r)) for r in fine])] + curves
    for i, (name, color, line) in enumerate(curves):
        at = 46 + 22 * i
        if i:
            shape = [f'<circle cx="{{:.1f}}" cy="{{:.1f}}" r="3.5" fill="{color}"/>',
                     f'<rect x="{{:.1f}}" y="{{:.1f}}" width="8" height="8" fill="none" stroke="{color}" stroke-width="1.5"/>']
            shift = 0 if i == 1 else -4
            draw = lambda a, b: shape[i - 1].format(a + shift, b + shift)  # noqa: E731
            out += [draw(x(r), y(s)) for r, s in line] + [draw(left + 33, at - 4)]
        else:
            points = " ".join(f"{x(r):.1f},{y(s):.1f}" for r, s in line)
            out.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>'
                       f'<line x1="{left + 20}" x2="{left + 46}" y1="{at - 4}" y2="{at - 4}" stroke="{color}" stroke-width="2"/>')
        out.append(f'<text x="{left + 56}" y="{at}">{name}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out + ["</svg>", ""]))


def cost_table(costs, every):
    """Means over the radii that the other ways took; ratios by those of the first row."""
    head = ["tets", *peers.STAGES, "rest", "all", "iterations"]
    lines = ["| way | tets | mesh | tables | matrix | preconditioner | solve | rest | all, ms | iterations | times |",
             "| --- " * 11 + "|"]
    first = None
    for name, cost in costs.items():
        cost = (taken(cost, every) or cost) if name.startswith("sweep") else cost
        mean = {key: numpy.mean([one[key] for one in cost]) for key in head if key in cost[0]}
        first = first or mean["all"]
        cells = [f"{mean[key] * (1 if key in ('tets', 'iterations') else 1e3):,.0f}" if key in mean else "" for key in head]
        lines.append(f"| {name} | {' | '.join(cells)} | {mean['all'] / first:.1f} |")
    return lines


PAGE = """# A sweep of hole radii

`bench/validation/hole.py BUILD/edgewise`: a plate 200 x 100 x 5 under tension, a hole of radius 5 to 26 in {n} steps. The plate is
refined toward its middle, see the script for how far. Error: the largest off Howland's stress; jump: the largest change of
that error between neighbors.

![stress over radius](hole.svg)

| tets | sweep | tets, first .. last | cuts | error % | jump % | s a variation, all in |
| --- | --- | --- | --- | --- | --- | --- |
{rows}

## Where the time goes

Means of the radii {some}, ms of one thread. *mesh*: the cut or the move, or Gmsh; *tables*: neighbor tables, boundary,
sets; *preconditioner*: its set-up, or following the edits; *rest*: reading, loads, stresses, the error estimate and the
result file. *times*: all of it over the first row's.
{tables}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("-o", "--output", default=os.path.join(ROOT, "bench", "validation", "HOLE.md"))
    parser.add_argument("--picture", default=os.path.join(ROOT, "bench", "validation", "hole.svg"))
    parser.add_argument("--every", type=int, default=7)
    parser.add_argument("--radii", type=int, default=22)
    options = parser.parse_args()
    rows, curves, tables = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(options.program), folder, options.radii)
        for order, grading in GRADING.items():
            bench.make_plate(grading)
            more, costs, frames, values = by_sweeps(bench, order)
            other, said = by_other_ways(bench, order, frames, options.every)
            rows += more
            curves.append((f"{order} tets", COLORS[order], list(zip(bench.radii, values))))
            tables += ["", f"{order.capitalize()} tets:", "", *cost_table({**costs, **other}, options.every), "", *said]
    chart(options.picture, curves)
    some = ", ".join(f"{r:g}" for r in taken(bench.radii, options.every) or bench.radii)
    page = PAGE.format(n=len(bench.radii), rows="\n".join(rows), some=some, tables="\n".join(tables))
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(page)
    print(page)


if __name__ == "__main__":
    main()
