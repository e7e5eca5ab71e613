"""Milliseconds by stage of `edgewise view`, and from a command to the picture that has it in it, one tet removed a picture:

    PYTHONPATH=tests/support python3 bench/view_latency.py PROGRAM > view_latency.csv

Beams with a fixed end and a loaded one, in each mode, the client on the same machine."""
import statistics
import sys
import tempfile
import time

from checks import run
from view_client import Server

program = sys.argv[1]
SIZES = {"3k": "60,3,3", "10k": "94,4,4", "38k": "176,6,6", "104k": "274,8,8"}
CASE = """mesh: beam.mesh
material: {young: 1e6, poisson: 0.4, density: 1000}
sets:
  wall: {plane: {point: [0, 0, 0], normal: [1, 0, 0], tolerance: 1e-9}, of: faces}
  tip: {plane: {point: [1, 0, 0], normal: [1, 0, 0], tolerance: 1e-9}, of: faces}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: tip, total_force: [0, 0, -0.01]}]
steps: [{name: base, static: {tolerance: 1e-6}}]
"""


def measure(client, mode, count):
    """Rows of stages of one mode, and the times from a command to its picture."""
    client.do("goto", at=0)
    first = client.do("mode", mode=mode)[1]
    stages, latency = [], []
    for _ in range(count):
        tet = first.header["n_tet"] // 2 + 7 * len(latency)
        start = time.perf_counter()
        _, picture = client.do("remove", tets=[tet])
        if mode != "statics":
            _, picture = client.do("step", n=1, dt=1 / 60)
        latency.append(1e3 * (time.perf_counter() - start))
        stages.append(picture.header["stages"])
    return stages, sorted(latency)


print("tets,mode,edit,solve,stress,picture,median,percentile_95")
for name, cells in SIZES.items():
    with tempfile.TemporaryDirectory() as folder:
        run(program, "shape", "box", "--size", "1,0.04,0.04", "--cells", cells, "-o", f"{folder}/beam.mesh")
        with open(f"{folder}/beam.yaml", "w", encoding="utf-8") as file:
            file.write(CASE)
        with Server(program, f"{folder}/beam.yaml", "--grace", "600") as server:
            client = server.connect()
            tets = client.picture().header["n_tet"]
            for mode in "statics", "dynamics", "rotations":
                stages, latency = measure(client, mode, 21)
                print(tets, mode, *(f"{statistics.median(s[k] for s in stages):.3g}" for k in ("edit", "solve", "stress", "picture")),
                      f"{statistics.median(latency):.3g}", f"{latency[int(0.95 * len(latency))]:.3g}", sep=",", flush=True)
