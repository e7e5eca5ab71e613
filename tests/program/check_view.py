"""Pictures of edgewise view: sections have the area of closed forms, frames one view, colors the places where a
field is least and largest, difference of a result and itself nothing. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import math
import os
import re
import sys
import tempfile
import zlib

import support
from support import execute, expect, numpy, run, write

program, source = sys.argv[1], sys.argv[2]
datasets = os.path.join(source, "datasets")

CASE = """mesh: part.mesh
elements: linear
units: {length: mm, force: N}
material: {young: 210e3, poisson: 0.3}
sets: {wall: {surface: 1}, end: {surface: 2}}
constraints: [{set: wall, displacement: [0, 0, 0]}]
loads: [{set: end, total_force: [0, 0, -100]}]
steps:
  - {name: down, static: {}}
  - {name: twice, loads: [{set: end, total_force: [0, 0, -200]}], static: {}}
"""


def pixels(path):
    """Rows with the filter "up", as tools/png.c writes them."""
    with open(path, "rb") as file:
        png = file.read()
    at, data = 8, b""
    while at < len(png):
        n = int.from_bytes(png[at:at + 4], "big")
        kind, body = png[at + 4:at + 8], png[at + 8:at + 8 + n]
        if kind == b"IHDR":
            width, height = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
        data += body if kind == b"IDAT" else b""
        at += 12 + n
    rows = numpy.frombuffer(zlib.decompress(data), numpy.uint8).reshape(height, 3 * width + 1)
    return numpy.cumsum(rows[:, 1:], axis=0, dtype=numpy.uint8).reshape(height, width, 3).astype(int)


def area(told):
    return float(re.search(r"section +area (\S+)", told or "section area nan").group(1))


def view(folder, what, *options):
    return run(program, "view", what, "--picture", "out.png", *options, folder=folder)


def refuse(folder, message, what, *options):
    done = execute(program, "view", what, *options, folder=folder)
    expect(done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1,
           f"{options}: {done.returncode} {done.stderr}")


def check_sections(folder):
    """Of a box, straight and oblique; of a quarter of an elliptic plate with curved sides, whose section at half of
    its height has the area of its tets' faces in the plane: volume / height within the error of the cap's chords."""
    run(program, "shape", "box", "--size", "100,10,10", "--cells", "20,3,3", "-o", "part.mesh", folder=folder)
    expect(abs(area(view(folder, "part.mesh", "--section", "1,0,0,33.3")) - 100) < 1e-3, "across the box")
    expect(abs(area(view(folder, "part.mesh", "--section", "0,-2,0,-6")) - 1000) < 1e-2, "along the box")
    oblique = area(view(folder, "part.mesh", "--section", "1,1,0,50"))
    expect(abs(oblique - 100 * math.sqrt(2)) < 2e-3, f"oblique: {oblique}")
    expect(area(view(folder, "part.mesh", "--section", "1,0,0,200")) == 0, "beside the box")
    curved = os.path.join(datasets, "le10-curved.msh")
    cap = area(view(folder, curved, "--section", "0,0,1,0.21"))
    exact = math.pi / 4 * (3.25 * 2.75 - 2 * 1)
    expect(abs(cap / exact - 1) < 2e-3, f"ellipses: {cap} instead of {exact}")


def check_mesh(folder):
    told = view(folder, "part.mesh", "--field", "quality", "--size", "640,480")
    expect("quality of tets" in told and re.search(r"smallest +0\.\d+ in tet \d+", told), told)
    image = pixels(os.path.join(folder, "out.png"))
    expect(image.shape == (480, 640, 3), f"size {image.shape}")


def check_result(folder):
    write(folder, "case.yaml", CASE)
    run(program, "run", "case.yaml", "-o", "all", "--device", "host", folder=folder)
    told = view(folder, "all.vtkhdf", "--up", "0,0,1")
    expect(re.search(r"largest +\S+ N/mm\^2 at vertex \d+ \(", told), told)
    image = pixels(os.path.join(folder, "out.png"))[:, :800]
    expect(((image[..., 0] > image[..., 2] + 60).sum() > 50) and ((image[..., 2] > image[..., 0] + 60).sum() > 100),
           "colors of the stress")
    told = view(folder, "all.vtkhdf", "--field", "displacement", "--component", "2")
    low = float(re.search(r"smallest +(\S+) mm at", told).group(1))
    told = view(folder, "all.vtkhdf", "--frame", "0", "--field", "displacement", "--component", "2")
    half = float(re.search(r"smallest +(\S+) mm at", told).group(1))
    expect(abs(low / half - 2) < 1e-5, f"twice the load: {low}, {half}")
    told = view(folder, "all.vtkhdf", "--minus", "all.vtkhdf", "--field", "von_mises")
    expect(re.search(r"smallest +0 ", told) and re.search(r"largest +0 ", told), told)
    view(folder, "all.vtkhdf", "--sets")
    image = pixels(os.path.join(folder, "out.png"))
    expect(((image[..., 0] > image[..., 1] + 100).sum() > 100), "no set in its color")
    check_frames(folder)


def check_frames(folder):
    """All frames in one view: where no frame moves, at the wall, they are alike; half the load, half the warp."""
    told = view(folder, "all.vtkhdf", "--frames", "--up", "0,0,1", "--field", "displacement")
    factors = re.findall(r"displacement times (\S+)", told)
    expect(len(factors) == 2 and factors[0] == factors[1], told)
    first, second = (pixels(os.path.join(folder, f"out.00000{k}.png")) for k in range(2))
    expect((first[:, 800:] == second[:, 800:]).all(), "legends differ")
    expect((first != second).any(), "frames are alike")


def check_refusals(folder):
    refuse(folder, "give --picture NAME.png", "part.mesh", "--field", "quality")
    refuse(folder, "and not a.jpg", "all.vtkhdf", "--picture", "a.jpg")
    refuse(folder, "has 2 frames, counted from 0; there is no frame 7", "all.vtkhdf", "--picture", "a.png", "--frame",
           "7")
    refuse(folder, "the frame has: displacement (vertices)", "all.vtkhdf", "--picture", "a.png", "--field", "none")
    refuse(folder, "stress has 6 components", "all.vtkhdf", "--picture", "a.png", "--field", "stress")
    refuse(folder, "is a case, not a result", "case.yaml", "--picture", "a.png")
    refuse(folder, "normal of length 0", "all.vtkhdf", "--picture", "a.png", "--section", "0,0,0,1")
    refuse(folder, "must be the less", "all.vtkhdf", "--picture", "a.png", "--range", "2,1")
    refuse(folder, "differences are of results", "part.mesh", "--picture", "a.png", "--frames")
    refuse(folder, "zero or parallel", "part.mesh", "--picture", "a.png", "--from", "0,1,0")
    run(program, "shape", "box", "--cells", "2,2,2", "-o", "other.mesh", folder=folder)
    write(folder, "other.yaml", CASE.replace("part.mesh", "other.mesh"))
    run(program, "run", "other.yaml", "-o", "other", "--device", "host", folder=folder)
    refuse(folder, "has other tets", "all.vtkhdf", "--picture", "a.png", "--minus", "other.vtkhdf")
    expect(not os.path.exists(os.path.join(folder, "a.png")), "a picture after a refusal")


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        check_sections(folder)
        check_mesh(folder)
        check_result(folder)
        check_refusals(folder)
    return support.finish("view")


sys.exit(main())
