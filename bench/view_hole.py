"""Milliseconds by stage of `edgewise view` while the radius or the center of a hole is dragged, and from a command to the picture
with von Mises stress, and to the one that has the estimated error, too:

    PYTHONPATH=tests/support python3 bench/view_hole.py PROGRAM > view_hole.csv

A plate of 104k tets with a hole, fixed at one end and pulled at the other, the client on the same machine."""
import statistics
import sys
import tempfile
import time

from checks import run
from view_client import Server

program = sys.argv[1]
CELLS = sys.argv[2] if len(sys.argv) > 2 else "96,60,3"
CASE = """mesh: plate.mesh
elements: linear
units: {length: mm, force: N}
material: S355
parameters: {r: 10, c: 100}
sets:
  wall: {plane: {point: [0, 0, 0], normal: x, tolerance: 1e-9}, of: faces}
  end: {plane: {point: [200, 0, 0], normal: x, tolerance: 1e-9}, of: faces}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: end, traction: [100, 0, 0]}]
steps:
  - name: hole
    edit: [{cut: {cylinder: {from: [c, 62.5, -1], to: [c, 62.5, 7.5], radius: r}, keep: outside, name: hole}}]
    static: {tolerance: 1e-6}
"""


def measure(client, name, first, step, count):
    stages, stress, error = [], [], []
    for k in range(count):
        start = time.perf_counter()
        _, picture = client.do("parameter", name=name, value=first + step * (k + 1))
        stress.append(1e3 * (time.perf_counter() - start))
        stages.append(picture.header["stages"])
        while picture.header.get("error") is None:
            picture = client.picture()
        error.append(1e3 * (time.perf_counter() - start))
    return stages, sorted(stress), sorted(error)


print("tets,drag,edit,solve,stress,picture,median,percentile_95,with_error")
with tempfile.TemporaryDirectory() as folder:
    run(program, "shape", "box", "--size", "200,125,6.25", "--cells", CELLS, "-o", f"{folder}/plate.mesh")
    with open(f"{folder}/plate.yaml", "w", encoding="utf-8") as file:
        file.write(CASE)
    with Server(program, f"{folder}/plate.yaml", "--grace", "600") as server:
        client = server.connect()
        tets = client.picture().header["n_tet"]
        for drag, name, first, step in (("radius", "r", 10.0, 0.13), ("center", "c", 100.0, 0.13)):
            stages, stress, error = measure(client, name, first, step, 15)
            print(tets, drag, *(f"{statistics.median(s[k] for s in stages):.3g}" for k in ("edit", "solve", "stress", "picture")),
                  f"{statistics.median(stress):.3g}", f"{stress[int(0.95 * len(stress))]:.3g}", f"{statistics.median(error):.3g}", sep=",", flush=True)
