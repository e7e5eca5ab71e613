"""Milliseconds by stage of `edgewise view`, and from a command to the picture that has it in it, one tet removed a picture:

    PYTHONPATH=tests/support python3 bench/view_latency.py PROGRAM > view_latency.csv

Beams with a fixed end and a loaded one, in each mode, the client on the same machine. In statics a command waits for the picture of
the one before it; in time the body plays, by steps of 1/60 s as fast as they are solved, and each picture is answered by a command:
from there to its picture is the rest of the step under way and the next one. Medians; `between` two pictures, `least` the shortest of
these, `cpu` the processor time of all threads a picture: on a shared machine these two say most, the last with OMP_NUM_THREADS=1.
Then, as lines that begin with #, the largest body that keeps 60 and 30 pictures a second, by the least, the median and the processor."""
import glob
import math
import statistics
import sys
import tempfile
import time

from checks import run
from view_client import Server

program = sys.argv[1]
SIZES = {"3k": "60,3,3", "10k": "94,4,4", "20k": "130,5,5", "38k": "176,6,6", "104k": "274,8,8"}
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
STAGES = ("edit", "solve", "stress", "picture")


def processor_ms(process):
    total = 0
    for path in glob.glob(f"/proc/{process.pid}/task/*/schedstat"):
        with open(path, encoding="ascii") as file:
            total += int(file.read().split()[0])
    return 1e-6 * total


def pictures_of(client, mode, tets):
    """Pictures without end, each with a command in it, and the milliseconds from that."""
    if mode == "statics":
        for tet in tets:
            start = time.perf_counter()
            picture = client.do("remove", tets=[tet])[1]
            yield picture, 1e3 * (time.perf_counter() - start)
    client.post("play", dt=1 / 60, speed=0)
    posted, latency = {}, None
    for tet in tets:
        posted[client.post("remove", tets=[tet])] = time.perf_counter()
        picture = client.picture()
        for number in sorted(number for number in posted if number <= picture.header["done"]):
            latency = 1e3 * (time.perf_counter() - posted.pop(number))
        if latency is not None:
            yield picture, latency


def measure(server, client, mode, count):
    """Stages of one mode, times between pictures and from a command to its picture, processor time a picture; not of the first three."""
    client.do("goto", at=0)
    middle = client.do("mode", mode=mode)[1].header["n_tet"] // 2
    stages, latency, between = [], [], []
    for k, (picture, ms) in enumerate(pictures_of(client, mode, range(middle, middle + 10000, 7))):
        now = time.perf_counter()
        if k == 3:
            before, number = processor_ms(server.process), picture.header["number"]
        if k > 3:
            between.append(1e3 * (now - last) / (picture.header["number"] - last_number))
            latency.append(ms)
            stages.append(picture.header["stages"])
        last, last_number = now, picture.header["number"]
        if k == count + 3:
            cpu = (processor_ms(server.process) - before) / (last_number - number)
            client.do("pause")
            return [statistics.median(s[name] for s in stages) for name in STAGES], between, sorted(latency), cpu


def largest(points, limit):
    """Tets at which `limit` ms are reached, between the sizes along a line of logarithms; beyond them nothing is said."""
    for (n, ms), (more, longer) in zip(points, points[1:]):
        if ms <= limit < longer:
            return f"{math.exp(math.log(n) + math.log(more / n) * math.log(limit / ms) / math.log(longer / ms)):.0f}"
    return f"more than {points[-1][0]}" if points[-1][1] <= limit else f"fewer than {points[0][0]}"


print("tets,mode,edit,solve,stress,picture,between,least,median,percentile_95,cpu")
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
                stages, between, latency, cpu = measure(server, client, mode, 21)
                numbers = stages + [statistics.median(between), min(between), statistics.median(latency),
                                    latency[int(0.95 * len(latency))], cpu]
                for by, ms in ("least", numbers[5]), ("median", numbers[4]), ("processor", cpu):
                    found.setdefault((by, mode), []).append((tets, ms))
                print(tets, mode, *(f"{ms:.3g}" for ms in numbers), sep=",", flush=True)
for (by, mode), points in found.items():
    print(f"# {mode}, by the {by}: 60 a second up to {largest(points, 1e3 / 60)} tets, 30 a second up to {largest(points, 1e3 / 30)}")
