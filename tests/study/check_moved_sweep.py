#!/usr/bin/python3
"""check_moved_sweep.py PROGRAM SOURCE_DIR BUILD_DIR

A hole that a sweep with `start: continue` moves through a plate, and one that it widens: beside the same sweep with new cuts the
volume taken away is the same within 0.3 % and the largest stress within some per cent, no vertex goes while it moves, it is cut again
where the tets at it drift, with a warning that says so, and not often; a warning of a coarse cut counts its combinations. On
one and two threads, resumed after some of its records and replayed it has the same bits."""
import os
import struct
import subprocess
import sys
import tempfile
import time

import support
from support import content, expect, expect_same, numpy, write

program, source = sys.argv[1], sys.argv[2]
SIZE = (60, 40, 2.5)
AGAIN = "(this combination begins with the mesh of the case)"
CASE = """mesh: MESH
elements: ORDER
material: {young: 210e3, poisson: 0.3}
parameters: {at: 30, r: 5}
sweep: {grid: {GRID}, start: START}
sets:
  left: {plane: {point: [0, 0, 0], normal: x}, of: faces}
  right: {plane: {point: [60, 0, 0], normal: x}, of: faces}
constraints: [{set: left, displacement: [0, 0, 0]}]
loads: [{set: right, traction: [1, 0, 0]}]
steps:
  - name: hole
    edit: [{cut: {cylinder: {from: [at, 20, -1], to: [at, 20, 4], radius: r}, keep: outside, name: hole}}]
    static: {}
"""
GRIDS = {"wanders": "at: {from: 18, to: 42, count: 16}", "widens": "r: {from: 5, to: 9.5, count: 10}"}
PEAKS = {"wanders": .025, "widens": .07}  # new cuts alone jump by as much


def run(folder, name, grid, start, *options, mesh="plate.mesh", order="quadratic"):
    """What was printed, and the frames."""
    write(folder, name + ".yaml", CASE.replace("MESH", mesh).replace("GRID", grid).replace("START", start).replace("ORDER", order))
    done = support.execute(program, "run", name + ".yaml", "-o", name, "--device", "host", *options, folder=folder)
    if not expect(done.returncode == 0, f"{name}: {done.stderr}"):
        sys.exit(support.finish("check_moved_sweep"))
    return done.stdout, support.read_frames(os.path.join(folder, name + ".vtkhdf"))


def removed(frame):
    return SIZE[0] * SIZE[1] * SIZE[2] - frame["numbers"]["volume"]


def peak(frame):
    return frame["PointData/von_mises"].max()


def check_accuracy(folder, name):
    text, moved = run(folder, name, GRIDS[name], "continue", "--threads", "1")
    _, cut = run(folder, name + "-each", GRIDS[name], "fresh")
    goes_on = [bool(frame["numbers"]["goes_on"]) for frame in moved]
    volumes = [abs(removed(a) / removed(b) - 1) for a, b in zip(moved, cut)]
    peaks = [abs(peak(a) / peak(b) - 1) for a, b in zip(moved, cut)]
    n_vertex = [len(numpy.unique(frame["Tets"][:, :4])) for frame in moved]
    print(f"{name}: {goes_on.count(False)} of {len(moved)} cut, volumes within {100 * max(volumes):.2f} %, "
          f"peaks within {100 * max(peaks):.1f} %")
    expect(max(volumes) < 3e-3, f"{name}: volumes {volumes}")
    expect(max(peaks) < PEAKS[name], f"{name}: peaks {peaks}")
    expect(all(a == b for a, b, on in zip(n_vertex, n_vertex[1:], goes_on[1:]) if on), f"{name}: vertices {n_vertex}")
    n_again = goes_on[1:].count(False)
    expect(1 <= n_again <= len(moved) / 3, f"{name}: {n_again} cut again")
    told = [frame["numbers"]["warnings"].decode() for frame in moved[1:]]
    expect([AGAIN in words for words in told] == [not on for on in goes_on[1:]], f"{name}: {told}")
    expect(all("cut again (this" in words for words in told if AGAIN in words), f"{name}: {told}")
    expect(text.count(AGAIN) == 1 and (n_again == 1 or f"warning: in {n_again} steps, last in 'hole #" in text),
           f"{name}: {text[-1000:]}")


def check_bits(folder, name):
    _, frames = run(folder, name, GRIDS["wanders"], "continue", "--threads", "1", order="linear")
    expect(1 < [frame["numbers"]["goes_on"] for frame in frames].count(0) < 6, f"{name}: cut again")
    run(folder, "two", GRIDS["wanders"], "continue", "--threads", "2", order="linear")
    expect_same(folder, name, "two", "two threads", (".csv", ".sets.csv"), ("case_path",))
    done = support.execute(program, "replay", name + ".vtkhdf", "-o", "replayed", folder=folder)
    expect(done.returncode == 0, f"replay: {done.stderr}")
    expect_same(folder, name, "replayed", "replayed", (), ("case_path",))


def checkpoint_of(folder, name):
    """That of a whole run, which removes it in the end: by a second name."""
    path, kept = os.path.join(folder, name + ".checkpoint"), os.path.join(folder, "kept")
    for _ in range(20):
        process = subprocess.Popen([program, "run", name + ".yaml", "-o", name, "--device", "host", "--quiet"], cwd=folder,
                                   env=support.ENVIRONMENT)
        while process.poll() is None and not os.path.exists(kept):
            try:
                os.link(path, kept)
            except FileNotFoundError:
                time.sleep(1e-4)
        expect(process.wait() == 0, "the run whose checkpoint is kept")
        if os.path.exists(kept):
            break
    with open(kept, "rb") as file:
        return file.read()


def check_resume(folder, name):
    write(folder, "cut.yaml", open(os.path.join(folder, name + ".yaml"), encoding="utf-8").read())
    data = checkpoint_of(folder, "cut")
    at, ends = 40 + struct.unpack_from("<Q", data, 24)[0], []
    while at < len(data):
        at += 16 + struct.unpack_from("<Q", data, at)[0]
        ends.append(at)
    expect(len(ends) == 16, f"{len(ends)} records")
    for k in (1, 7, 8, 9, 12):
        write_bytes(os.path.join(folder, "cut.checkpoint"), data[:ends[k - 1]])
        done = support.execute(program, "run", "cut.yaml", "-o", "cut", "--device", "host", "--resume", folder=folder)
        expect(done.returncode == 0 and f"resumed: {k} of 16" in done.stdout, f"{k}: {done.stdout[:200]} {done.stderr}")
        expect_same(folder, name, "cut", f"resumed after {k}", (".csv", ".sets.csv"), ("case_path",))


def write_bytes(path, data):
    with open(path, "wb") as file:
        file.write(data)


def check_coarse(folder):
    support.run(program, "shape", "box", "--size", "60,40,2.5", "--cells", "24,16,1", "-o", "coarse.mesh", folder=folder)
    text, frames = run(folder, "coarse", "at: [28, 29, 30, 31]", "continue", mesh="coarse.mesh", order="linear")
    expect(sum(frame["numbers"]["goes_on"] for frame in frames) == 3, "coarse: moved")
    warned = [line for line in text.splitlines() if "a surface is cut coarsely" in line]
    expect(len(warned) == 1 and warned[0].startswith("warning: in 4 steps, last in "), f"coarse: {warned}")


with tempfile.TemporaryDirectory(prefix="edgewise-") as scratch:
    support.run(program, "shape", "box", "--size", "60,40,2.5", "--cells", "48,32,2", "-o", "plate.mesh", folder=scratch)
    for case in GRIDS:
        check_accuracy(scratch, case)
    check_bits(scratch, "bits")
    check_resume(scratch, "bits")
    check_coarse(scratch)
sys.exit(support.finish("check_moved_sweep"))
