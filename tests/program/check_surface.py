"""Out again: the surface of a body as STL and OBJ by `edgewise convert`, smoothed with what is to stay, and .vtu with and without
labeled triangles. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import collections
import os
import re
import struct
import sys
import tempfile

from checks import execute, expect, finish

program = sys.argv[1]


def run(folder, *words, status=0, says=()):
    done = execute(program, *words, folder=folder)
    told = done.stdout + done.stderr
    expect(done.returncode == status and all(text in told for text in says), f"{' '.join(words)}: {done.returncode} {told}")
    return done.stdout


def read_stl(path):
    """Triangles of points as a program without the mesh has them: by their places alone."""
    with open(path, "rb") as file:
        data = file.read()
    n, = struct.unpack_from("<I", data, 80)
    expect(len(data) == 84 + 50 * n, f"{path}: {len(data)} bytes of {n} triangles")
    out = []
    for i in range(n):
        value = struct.unpack_from("<12f", data, 84 + 50 * i)
        out.append((value[3:6], value[6:9], value[9:12]))
    return out


def check_closed(triangles, what):
    sides = collections.Counter((t[k], t[(k + 1) % 3]) for t in triangles for k in range(3))
    bad = sum(1 for (a, b), n in sides.items() if n != 1 or sides.get((b, a), 0) != 1)
    expect(bad == 0, f"{what}: {bad} sides are not those of two triangles")
    volume = 0.0
    for (a, b, c) in triangles:
        volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    return volume


with tempfile.TemporaryDirectory(prefix="edgewise-") as place:
    run(place, "shape", "box", "--size", "4,2,1", "--cells", "16,8,4", "-o", "box.mesh")
    run(place, "convert", "box.mesh", "box.stl", says=["closed"])
    expect(abs(check_closed(read_stl(os.path.join(place, "box.stl")), "a box") - 8) < 1e-6, "volume of a box")
    run(place, "remove", "box.mesh", "--box", "1.9,-1,-1,2.3,3,3", "-o", "two.mesh")
    run(place, "convert", "two.mesh", "two.stl", says=["closed; 2 parts that no face joins"])
    # Steps as element removal leaves them.
    run(place, "remove", "box.mesh", "--sphere", "2,1,0.5,0.45", "-o", "a.mesh")
    run(place, "remove", "a.mesh", "--cylinder", "1,1,0,1,1,1,0.3", "-o", "body.mesh")
    out = run(place, "info", "body.mesh")
    volume = float(re.search(r"volume +([\d.e+-]+)", out).group(1))
    run(place, "convert", "body.mesh", "body.stl", says=["closed"])
    rough = read_stl(os.path.join(place, "body.stl"))
    expect(abs(check_closed(rough, "steps") - volume) < 0.002 * volume, "volume with steps")
    run(place, "convert", "body.mesh", "smooth.stl", "--smooth", "20", says=["vertices moved"])
    smooth = read_stl(os.path.join(place, "smooth.stl"))
    expect(abs(check_closed(smooth, "smooth") - volume) < 1e-5 * volume, "volume of the smooth body")
    for side, value in ((0, 0.0), (0, 4.0), (1, 0.0), (1, 2.0), (2, 0.0), (2, 1.0)):  # the sides of the box have labels, and stay
        old, new = ({p for t in body for p in t if all(q[side] == value for q in t)} for body in (rough, smooth))
        expect(old == new, f"the side {'xyz'[side]} = {value} moved")
    points = {p for t in smooth for p in t}
    expect(len(points - {p for t in rough for p in t}) > 50, "steps are left")
    run(place, "convert", "body.mesh", "free.obj", "--smooth", "5", "--keep", "1,2")
    with open(os.path.join(place, "free.obj")) as file:
        text = file.read()
    for label in range(1, 7):
        expect(f"\ng label_{label}\n" in text, f"no group of label {label}")
    run(place, "convert", "body.mesh", "bad.stl", "--smooth", "5", "--keep", "roof", status=2, says=["no triangles 'roof'"])
    run(place, "convert", "body.mesh", "bad.mesh", "--smooth", "5", status=2, says=["OUT.stl or OUT.obj"])
    run(place, "convert", "box.mesh", "same.stl", "--smooth", "5", says=["nothing is smoothed"])
    expect(not os.path.exists(os.path.join(place, "bad.stl")), "a file is left")
    # .vtu: cells of type 10 alone, triangles (5) where they are asked for.
    for name, words, has in (("tets.vtu", [], False), ("both.vtu", ["--triangles"], True)):
        run(place, "convert", "box.mesh", name, *words, says=[] if has else ["labeled triangles are left out"])
        out = run(place, "info", name)
        expect(("surface" in out and " 6" in out) == has, f"{name}: {out}")
sys.exit(finish("check_surface"))
