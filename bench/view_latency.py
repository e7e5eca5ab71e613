"""Milliseconds by stage of `edgewise view`, and from a command to the picture that has it in it, one tet removed a picture:

    PYTHONPATH=tests/support python3 bench/view_latency.py PROGRAM > view_latency.csv

Beams with a fixed end and a loaded one, in each mode, the client on the same machine; a step in time is 1/60 s. Medians; `least` is the
shortest of them from command to picture, `cpu` the processor time of all threads a picture: on a shared machine these two say most.
Then, as lines that begin with #, the largest body that keeps 60 and 30 pictures a second, by the least and by the median."""
import math
import statistics
import sys
import tempfile
import time

from checks import run
from view_client import Server

program = sys.argv[1]
SIZES = {"3k": "60,3,3", "10k": "94,4,4", "38k": "176,6,6", "104k": "274,8,8"}
CASE = """mesh: beam.mesh
elements: linear
material: {young: 1e6, poisson: 0.4, density: 1000}
sets:
  wall: {plane: {point: [0, 0, 0], normal: [1, 0, 0], tolerance: 1e-9}, of: faces}
  tip: {plane: {point: [1, 0, 0], normal: [1, 0, 0], tolerance: 1e-9}, of: faces}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: tip, total_force: [0, 0, -0.01]}]
steps: [{name: base, static: {tolerance: 1e-6}}]
"""


def processor_ms(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as stat:
        user, system = stat.read().rpartition(")")[2].split()[11:13]
    return 10 * (int(user) + int(system))


def picture_of(client, mode, tet):
    _, picture = client.do("remove", tets=[tet])
    return picture if mode == "statics" else client.do("step", n=1, dt=1 / 60)[1]


def measure(server, client, mode, count):
    """Stages of one mode, the times from a command to its picture, and the processor's time a picture; not of the first three."""
    client.do("goto", at=0)
    middle = client.do("mode", mode=mode)[1].header["n_tet"] // 2
    stages, latency = [], []
    for k in range(count + 3):
        if k == 3:
            before = processor_ms(server.process)
        start = time.perf_counter()
        picture = picture_of(client, mode, middle + 7 * k)
        if k >= 3:
            latency.append(1e3 * (time.perf_counter() - start))
            stages.append(picture.header["stages"])
    return stages, sorted(latency), (processor_ms(server.process) - before) / count


def largest(points, limit):
    """Tets at which `limit` ms are reached, between the sizes along a line of logarithms; beyond them nothing is said."""
    for (n, ms), (more, longer) in zip(points, points[1:]):
        if ms <= limit < longer:
            return f"{math.exp(math.log(n) + math.log(more / n) * math.log(limit / ms) / math.log(longer / ms)):.0f}"
    return f"more than {points[-1][0]}" if points[-1][1] <= limit else f"fewer than {points[0][0]}"


print("tets,mode,edit,solve,stress,picture,median,percentile_95,least,cpu")
found = {}
for name, cells in SIZES.items():
    with tempfile.TemporaryDirectory() as folder:
        run(program, "shape", "box", "--size", "1,0.04,0.04", "--cells", cells, "-o", f"{folder}/beam.mesh")
        with open(f"{folder}/beam.yaml", "w", encoding="utf-8") as file:
            file.write(CASE)
        with Server(program, f"{folder}/beam.yaml", "--grace", "600") as server:
            client = server.connect()
            tets = client.picture().header["n_tet"]
            for mode in "statics", "dynamics", "rotations":
                stages, latency, cpu = measure(server, client, mode, 21)
                median, least = statistics.median(latency), latency[0]
                found.setdefault(("least", mode), []).append((tets, least))
                found.setdefault(("median", mode), []).append((tets, median))
                print(tets, mode, *(f"{statistics.median(s[k] for s in stages):.3g}" for k in ("edit", "solve", "stress", "picture")),
                      f"{median:.3g}", f"{latency[int(0.95 * len(latency))]:.3g}", f"{least:.3g}", f"{cpu:.3g}", sep=",", flush=True)
for (by, mode), points in found.items():
    print(f"# {mode}, by the {by}: 60 a second up to {largest(points, 1e3 / 60)} tets, 30 a second up to {largest(points, 1e3 / 30)}")
