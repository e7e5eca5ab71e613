#!/usr/bin/python3
"""check_study_meshes.py PROGRAM SOURCE_DIR BUILD_DIR

The commands one after the other, as somebody new to the program types them: mesh, check, decimate,
mirror, scale, convert, run. The surface is the bunny of the study meshes, or a bent tube where they are
absent. What can be known beforehand is checked: counts, volumes, weight, the symmetry of the mirrored
body's displacements, equality of the ways into and out of the program.
"""
import os
import shutil
import sys
import tempfile

import support
from support import expect, numpy

program, source = sys.argv[1], sys.argv[2]
FRACTION, FACTOR, DENSITY, GRAVITY = 0.4, 1.25, 1100.0, 9.81
CASE = """mesh: {mesh}
elements: linear
material: {{young: 5e6, poisson: 0.4, density: {density}}}
sets:
  feet: {{box: [[-9, -9, -9], [9, {feet!r}, 9]]}}
constraints:
  - {{set: feet, displacement: [0, 0, 0]}}
loads:
  - {{gravity: [0, {gravity}, 0]}}
under_constrained: leave_out
steps:
  - {{name: weight, static: {{tolerance: 1e-9}}}}
"""


def surface_to(folder):
    """Copies the study surface, or writes a closed one."""
    path = os.path.join(folder, "part.off")
    found = support.study_mesh(source, "bunny-surface.off")
    if found:
        shutil.copyfile(found, path)
    else:
        points, triangles = support.bent_tube(40, 12)
        support.write_off(path, points / 3, triangles)
    with open(path) as file:
        words = file.read().split()
    n_point, n_triangle = int(words[1]), int(words[2])
    points = numpy.array(words[4:4 + 3 * n_point], float).reshape(-1, 3)
    rows = numpy.array(words[4 + 3 * n_point:], int).reshape(n_triangle, 4)
    return points, rows[:, 1:]


def write_obj(path, points, triangles):
    with open(path, "w") as file:
        file.writelines("v %.17g %.17g %.17g\n" % tuple(p) for p in points)
        file.writelines("f %d %d %d\n" % tuple(t + 1) for t in triangles)


def read(folder, name):
    return support.read_medit(os.path.join(folder, name))


def step(folder, *words):
    """One command; what it says and leaves is there."""
    output = support.run(program, *words, folder=folder)
    expect(output is not None and output.count("\n") >= 1, f"{words[0]}: says nothing")
    return output is not None


def solve(folder, name, mesh, feet):
    with open(os.path.join(folder, name + ".yaml"), "w") as file:
        file.write(CASE.format(mesh=mesh, density=DENSITY, gravity=-GRAVITY, feet=float(feet)))
    if not step(folder, "run", name + ".yaml"):
        return None
    frame, = support.read_frames(os.path.join(folder, name + ".vtkhdf"))
    shape = support.Mesh(frame["Points"], frame["Tets"])
    weight = DENSITY * GRAVITY * shape.volumes().sum()
    expect(abs(frame["PointData/reaction"][:, 1].sum() - weight) < 1e-6 * weight, f"{name}: weight")
    return frame


def check_volumes(folder, part):
    """Each command changes counts and volume as its options say."""
    half, whole, long = (read(folder, f"{n}.mesh") for n in ("half", "whole", "long"))
    kept = len(part.tets) - round(FRACTION * len(part.tets))
    expect(len(half.tets) == kept, f"decimate: {len(half.tets)} tets, expected {kept}")
    expect(len(whole.tets) == 2 * kept, "mirror: twice the tets")
    expect(len(half.points) < len(whole.points) < 2 * len(half.points), "mirror: welded points")
    for name, a, b in (("mirror", whole, 2 * half.volumes().sum()),
                       ("scale", long, FACTOR * whole.volumes().sum())):
        expect((a.volumes() > 0).all(), f"{name}: positive volumes")
        expect(abs(a.volumes().sum() - b) < 1e-12 * b, f"{name}: volume")


def check_symmetry(frame):
    """u at a point's mirror image is the image of u."""
    points, u = frame["Points"], frame["PointData/displacement"]
    low, high = points[:, 0].min(), points[:, 0].max()
    image = points * (-1, 1, 1) + (low + high, 0, 0)
    size = numpy.abs(u).max()
    order, partner = (numpy.lexsort(numpy.round(p, 9).T) for p in (points, image))
    expect(numpy.abs(points[order] - image[partner]).max() < 1e-9, "mirrored points")
    difference = numpy.abs(u[order] - u[partner] * (-1, 1, 1)).max()
    expect(size > 0 and difference < 1e-6 * size, f"symmetry is off by {difference / size:.1e}")


def same_solution(a, b, what):
    """Frames of one problem whose mesh came in by other ways."""
    if a is None or b is None:
        return
    order = [numpy.argsort(frame["PointData/vertex_id"]) for frame in (a, b)]
    for field in ("Points", "PointData/displacement", "PointData/reaction"):
        x, y = a[field][order[0]], b[field][order[1]]
        if not expect(x.shape == y.shape, f"{what}: {field}: {x.shape} against {y.shape}"):
            return
        expect(numpy.abs(x - y).max() <= 1e-12 * numpy.abs(x).max(), f"{what}: {field} differs")


def check_chain(folder):
    points, triangles = surface_to(folder)
    write_obj(os.path.join(folder, "part.obj"), points, triangles)
    if not support.fill(program, os.path.join(folder, "part.off"),
                        os.path.join(folder, "part.mesh")):
        return
    part = read(folder, "part.mesh")
    volume = numpy.linalg.det(points[triangles]).sum() / 6
    # New vertices of the surface lie on facets that TetGen takes for flat though they nearly are.
    expect(abs(part.volumes().sum() - volume) < 1e-5 * volume, "mesh: volume of the surface")
    chain = (("info", "part.mesh"),
             ("decimate", "part.mesh", "-o", "half.mesh", "--fraction", FRACTION, "--axis", "y"),
             ("mirror", "half.mesh", "-o", "whole.mesh", "--normal", "x", "--at", "max"),
             ("scale", "whole.mesh", "-o", "long.mesh", "--factor", f"{FACTOR},1,1"),
             ("check", "long.mesh"),
             ("convert", "long.mesh", "long.node"),
             ("mesh", "part.obj", "-o", "again.mesh"),
             ("mesh", "part.off", "-o", "kept.mesh", "--keep-surface"))
    if not all([step(folder, *words) for words in chain]):
        return
    check_volumes(folder, part)
    kept = read(folder, "kept.mesh")
    expect(abs(kept.volumes().sum() - volume) < 1e-12 * volume, "mesh --keep-surface: volume")
    expect(len(kept.boundary()[0]) == len(triangles), "mesh --keep-surface: boundary faces")
    long = read(folder, "long.mesh")
    feet = long.points[:, 1].min() + 0.05 * numpy.ptp(long.points[:, 1])
    frame = solve(folder, "long", "long.mesh", feet)
    if frame:
        check_symmetry(frame)
    same_solution(frame, solve(folder, "nodes", "long.node", feet), "TetGen's files")
    plain = solve(folder, "plain", "part.mesh", feet)
    same_solution(plain, solve(folder, "again", "again.mesh", feet), "the surface as OBJ")
    same_solution(plain, solve(folder, "direct", "{surface: part.off}", feet), "the surface in a case")
    print(f"  chain: {len(part.tets)}, {len(long.tets)} tets")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_chain(folder)
    return support.finish("check_study_meshes")


if __name__ == "__main__":
    sys.exit(main())
