#!/usr/bin/python3
"""nafems.py FOLDER: makes le1.mesh and le10.mesh, a quarter of an elliptic ring, thin and thick, and le11.mesh,
a quarter of a turned part; le10-curved.msh and le11-curved.msh, coarser, with tets of ten nodes and curved sides.

LE1, LE10: inner ellipse x^2 / 4 + y^2 = 1, outer one (x / 3.25)^2 + (y / 2.75)^2 = 1, x, y >= 0; z from 0. Labels: 1 z = 0,
2 the other side, 3 y = 0, 4 x = 0, 5 outer edge, 6 inner edge. Cells: along the arc, across, through
the thickness, finer toward the inner edge and the x axis; each is cut into six tets.

LE11: a sphere that goes over into a cylinder inside, outside with a cone between them. Labels: 1 z = 0, 2 the
top, 3 y = 0, 4 x = 0, 5 outside, 6 inside. Cells: along the axis, through the wall, around.
"""
import itertools
import math
import os
import sys


def graded(a, b):
    """Finer toward the x axis and the inner side."""
    return a ** 1.3, b ** 1.3


def graded_twice(a, b):
    """On the sphere alone."""
    return 0.5 * (2 * a) ** 1.3 if a < 0.5 else a, b ** 1.3


def ring(thickness):
    def place(a, across, c):
        angle = math.pi / 2 * a
        inner = (2 * math.cos(angle), math.sin(angle))
        outer = (3.25 * math.cos(angle), 2.75 * math.sin(angle))
        x, y = (i + across * (o - i) for i, o in zip(inner, outer))
        return 0.0 if a == 1 else x, 0.0 if a == 0 else y, thickness * c
    return place


def on_path(points, s):
    """The point at share s of a line through points, given as (share, r, z); on a sphere between the first two."""
    for (s0, r0, z0), (s1, r1, z1) in zip(points, points[1:]):
        if s <= s1:
            t = (s - s0) / (s1 - s0)
            if s0 == 0:
                radius, angle = math.hypot(r0, z0), t * math.atan2(z1, r1)
                return radius * math.cos(angle), radius * math.sin(angle)
            return r0 + t * (r1 - r0), z0 + t * (z1 - z0)
    raise ValueError(s)


def turned(a, b, c):
    root = math.sqrt(0.5)
    inner = on_path([(0, 1, 0), (0.5, root, root), (1, root, 1.79)], a)
    outer = on_path([(0, 1.4, 0), (0.5, math.sqrt(1.4 ** 2 - 0.7 ** 2), 0.7), (0.75, 1, 1.39), (1, 1, 1.79)], a)
    r, z = (i + b * (o - i) for i, o in zip(inner, outer))
    angle = math.pi / 2 * c
    return 0.0 if c == 1 else r * math.cos(angle), 0.0 if c == 0 else r * math.sin(angle), z


def shares(cells, grade):
    """Of the grid's points, along the three axes."""
    n, m, k = cells
    return [(*grade(a / n, b / m), c / k) for a, b, c in itertools.product(range(n + 1), range(m + 1), range(k + 1))]


def grid(cells, place, grade):
    n, m, k = cells
    points = [place(*share) for share in shares(cells, grade)]

    def at(cell):
        return (cell[0] * (m + 1) + cell[1]) * (k + 1) + cell[2]

    tets = []
    for cell in itertools.product(range(n), range(m), range(k)):
        for order in itertools.permutations(range(3)):  # along the diagonal of the cell, an axis at a time
            corner, tet = list(cell), [at(cell)]
            for axis in order:
                corner[axis] += 1
                tet.append(at(corner))
            tets.append(tet)
    return points, [oriented(points, tet) for tet in tets]


def oriented(points, tet):
    o, a, b, c = (points[v] for v in tet)
    u, v, w = ([p[i] - o[i] for i in range(3)] for p in (a, b, c))
    volume = (u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
              u[2] * (v[0] * w[1] - v[1] * w[0]))
    return tet if volume > 0 else [tet[0], tet[1], tet[3], tet[2]]


def labels(cells, tets, order):
    """The boundary triangles with the side of the grid that they lie on, axes in this order."""
    n, m, k = cells
    ends = {"a": (lambda a, b, c: a == 0, lambda a, b, c: a == n), "b": (lambda a, b, c: b == m, lambda a, b, c: b == 0),
            "c": (lambda a, b, c: c == 0, lambda a, b, c: c == k)}
    sides = [side for axis in order for side in ends[axis]]
    place = list(itertools.product(range(n + 1), range(m + 1), range(k + 1)))
    for t in tets:
        for face in ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)):
            corner = [t[i] for i in face]
            for label, side in enumerate(sides, 1):
                if all(side(*place[v]) for v in corner):
                    yield (*corner, label)


def write(path, cells, place, grade, order):
    points, tets = grid(cells, place, grade)
    faces = list(labels(cells, tets, order))
    with open(path, "w", encoding="ascii") as out:
        out.write(f"MeshVersionFormatted 2\nDimension 3\nVertices\n{len(points)}\n")
        out.writelines("%.12g %.12g %.12g 0\n" % p for p in points)
        out.write(f"Triangles\n{len(faces)}\n")
        out.writelines("%d %d %d %d\n" % (f[0] + 1, f[1] + 1, f[2] + 1, f[3]) for f in faces)
        out.write(f"Tetrahedra\n{len(tets)}\n")
        out.writelines("%d %d %d %d 1\n" % tuple(v + 1 for v in t) for t in tets)
        out.write("End\n")


def middles(cells, place, grade, tets):
    """Nodes beyond the corners, in the middles of sides as the body has them, and the tets of ten nodes."""
    corner = shares(cells, grade)
    node, points = {}, []

    def middle(a, b):
        if (min(a, b), max(a, b)) not in node:
            node[min(a, b), max(a, b)] = len(corner) + len(points)
            points.append(place(*((p + q) / 2 for p, q in zip(corner[a], corner[b]))))
        return node[min(a, b), max(a, b)]
    order = ((0, 1), (1, 2), (0, 2), (0, 3), (2, 3), (1, 3))  # Gmsh's
    return points, [tet + [middle(tet[a], tet[b]) for a, b in order] for tet in tets]


def write_curved(path, cells, place, grade, order):
    points, tets = grid(cells, place, grade)
    faces = list(labels(cells, tets, order))
    more, tets = middles(cells, place, grade, tets)
    elements = [(2, f[3], f[:3]) for f in faces] + [(11, 1, tet) for tet in tets]
    with open(path, "w", encoding="ascii") as out:
        out.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{len(points + more)}\n")
        out.writelines("%d %.12g %.12g %.12g\n" % (i, *p) for i, p in enumerate(points + more, 1))
        out.write(f"$EndNodes\n$Elements\n{len(elements)}\n")
        for i, (kind, group, nodes) in enumerate(elements, 1):
            out.write(f"{i} {kind} 2 {group} {group} {' '.join(str(v + 1) for v in nodes)}\n")
        out.write("$EndElements\n")


write(os.path.join(sys.argv[1], "le1.mesh"), (12, 8, 1), ring(0.1), graded, "cab")
write(os.path.join(sys.argv[1], "le10.mesh"), (10, 6, 2), ring(0.6), graded, "cab")
write(os.path.join(sys.argv[1], "le11.mesh"), (16, 4, 6), turned, graded_twice, "acb")
write_curved(os.path.join(sys.argv[1], "le10-curved.msh"), (8, 6, 2), ring(0.6), graded, "cab")
write_curved(os.path.join(sys.argv[1], "le11-curved.msh"), (12, 4, 3), turned, graded_twice, "acb")
