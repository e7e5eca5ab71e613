#!/usr/bin/python3
"""nafems.py FOLDER: makes le1.mesh and le10.mesh, a quarter of an elliptic ring, thin and thick.

Inner ellipse x^2 / 4 + y^2 = 1, outer one (x / 3.25)^2 + (y / 2.75)^2 = 1, x, y >= 0; z from 0. Labels: 1 z = 0,
2 the other side, 3 y = 0, 4 x = 0, 5 outer edge, 6 inner edge. Cells: along the arc, across, through
the thickness, finer toward the inner edge and the x axis; each is cut into six tets.
"""
import itertools
import math
import os
import sys


def grid(cells, thickness):
    n, m, k = cells
    points = []
    for a, b, c in itertools.product(range(n + 1), range(m + 1), range(k + 1)):
        angle = math.pi / 2 * (a / n) ** 1.3
        across = (b / m) ** 1.3
        inner = (2 * math.cos(angle), math.sin(angle))
        outer = (3.25 * math.cos(angle), 2.75 * math.sin(angle))
        x, y = (i + across * (o - i) for i, o in zip(inner, outer))
        points.append((0.0 if a == n else x, 0.0 if a == 0 else y, thickness * c / k))

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


def labels(cells, tets):
    """The boundary triangles with the side of the grid that they lie on."""
    n, m, k = cells
    sides = [lambda a, b, c: c == 0, lambda a, b, c: c == k, lambda a, b, c: a == 0,
             lambda a, b, c: a == n, lambda a, b, c: b == m, lambda a, b, c: b == 0]
    place = list(itertools.product(range(n + 1), range(m + 1), range(k + 1)))
    for t in tets:
        for face in ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)):
            corner = [t[i] for i in face]
            for label, side in enumerate(sides, 1):
                if all(side(*place[v]) for v in corner):
                    yield (*corner, label)


def write(path, cells, thickness):
    points, tets = grid(cells, thickness)
    faces = list(labels(cells, tets))
    with open(path, "w", encoding="ascii") as out:
        out.write(f"MeshVersionFormatted 2\nDimension 3\nVertices\n{len(points)}\n")
        out.writelines("%.12g %.12g %.12g 0\n" % p for p in points)
        out.write(f"Triangles\n{len(faces)}\n")
        out.writelines("%d %d %d %d\n" % (f[0] + 1, f[1] + 1, f[2] + 1, f[3]) for f in faces)
        out.write(f"Tetrahedra\n{len(tets)}\n")
        out.writelines("%d %d %d %d 1\n" % tuple(v + 1 for v in t) for t in tets)
        out.write("End\n")


write(os.path.join(sys.argv[1], "le1.mesh"), (12, 8, 1), 0.1)
write(os.path.join(sys.argv[1], "le10.mesh"), (10, 6, 2), 0.6)
